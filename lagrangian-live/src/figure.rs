//! The shapes that show a state: outputs that are points or frames, bodies, springs and dampers, and rods between points
//! that keep their distance. For the program of this package, and for pages. Not part of the public interface.

mod places;
mod principal;
mod rods;

use places::{Body, Places};
use principal::principal;
use rods::rods;

use crate::motion::{Driven, State};

/// Windings of a spring.
const WINDINGS: usize = 8;
/// Sizes over the extent of the system.
const ROD: f64 = 0.012;
const MASS: f64 = 0.05;
const AXIS: f64 = 0.15;
const WIND: f64 = 0.025;
/// Moments of inertia that differ by less, relatively, are those of a ball.
const ROUND: f64 = 1e-6;

/// The kinds of shapes, each with its points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Two ends.
    Rod,
    /// A line through its points.
    Line,
    /// A point.
    Mark,
    /// The middle of a disc or a ball.
    Circle,
    /// The middle of a ball, and where three axes pierce its surface.
    Ball,
    /// The middle of a block, and those of three faces.
    Block,
    /// From a point to another one.
    Arrow,
}

/// The role of a shape, which tells its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A part that rests.
    Ground,
    /// A rod.
    Rod,
    /// A body by its number.
    Body(usize),
    /// An output by its number.
    Output(usize),
    /// An axis of a frame: 0, 1 or 2.
    Axis(usize),
    Spring,
    Damper,
}

/// A shape of all states.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    pub kind: Kind,
    pub role: Role,
    /// The name of an output.
    pub name: String,
    /// A radius, or 0.
    pub size: f64,
    /// The number of its points.
    pub points: usize,
    from: Source,
}

/// The origin of the points of a shape.
#[derive(Clone, PartialEq, Debug)]
enum Source {
    /// Points by their numbers.
    Points(Vec<usize>),
    /// A body with an orientation by its number: its middle, and along three axes so far.
    Axes(usize, [[f64; 3]; 3]),
    /// The axis of an output that is a frame.
    Frame(usize, usize, f64),
    /// A spring or damper by its number, with this radius.
    Link(usize, f64),
}

/// The shapes of a model with its parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// 2 or 3.
    pub dimension: usize,
    pub shapes: Vec<Shape>,
}

impl Figure {
    /// The shapes for a model. `state` is one of its states, on the constraints.
    pub fn new(driven: &Driven, state: &State) -> Self {
        let samples = rods::samples(driven, state);
        let Some(first) = samples.first() else {
            return Self {
                dimension: 2,
                shapes: Vec::new(),
            };
        };
        let pairs = rods(&samples);
        let extent = extent(&samples, &pairs);
        let mut shapes = Vec::new();
        for (number, _) in first.links.iter().enumerate() {
            shapes.push(link(driven, number, WIND * extent));
        }
        for rod in &pairs {
            shapes.push(Shape {
                size: ROD * extent,
                ..shape(Kind::Rod, Role::Rod, Source::Points(rod.ends.to_vec()))
            });
        }
        for end in pairs.iter().filter_map(|rod| rod.resting) {
            shapes.push(shape(Kind::Mark, Role::Ground, Source::Points(vec![end])));
        }
        let heaviest = first
            .bodies
            .iter()
            .map(|body| body.mass)
            .fold(0.0, f64::max);
        for (number, one) in first.bodies.iter().enumerate() {
            let point = first.of_body(number);
            shapes.push(body(
                (one, number),
                point,
                (heaviest, extent),
                first.dimension,
            ));
        }
        for (number, output) in first.outputs.iter().enumerate() {
            let point = first.of_output(number);
            if output.axes.is_some() {
                shapes.extend((0..3).map(|axis| Shape {
                    name: output.name.clone(),
                    ..shape(
                        Kind::Arrow,
                        Role::Axis(axis),
                        Source::Frame(number, axis, AXIS * extent),
                    )
                }));
            } else {
                shapes.push(Shape {
                    name: output.name.clone(),
                    ..shape(
                        Kind::Mark,
                        Role::Output(number),
                        Source::Points(vec![point]),
                    )
                });
            }
        }
        Self {
            dimension: first.dimension,
            shapes,
        }
    }

    /// The coordinates of the points of all shapes at a state, one after the other; `None` if an output has an error.
    pub fn points(&self, driven: &Driven, state: &State) -> Option<Vec<f64>> {
        if self.shapes.is_empty() {
            return Some(Vec::new());
        }
        let places = Places::at(driven, state)?;
        Some(
            self.shapes
                .iter()
                .flat_map(|shape| shape.at(&places))
                .flat_map(|point| point.into_iter().take(self.dimension))
                .collect(),
        )
    }
}

fn shape(kind: Kind, role: Role, from: Source) -> Shape {
    let points = match &from {
        Source::Points(points) => points.len(),
        Source::Axes(..) => 4,
        Source::Frame(..) => 2,
        Source::Link(..) if role == Role::Spring => 2 * WINDINGS + 4,
        Source::Link(..) => 2,
    };
    Shape {
        kind,
        role,
        name: String::new(),
        size: 0.0,
        points,
        from,
    }
}

fn link(driven: &Driven, number: usize, radius: f64) -> Shape {
    let sketch = driven.model.sketch();
    let is_spring = sketch.is_some_and(|sketch| sketch.is_spring.get(number) == Some(&true));
    let role = if is_spring {
        Role::Spring
    } else {
        Role::Damper
    };
    shape(Kind::Line, role, Source::Link(number, radius))
}

/// A ball or a block of the same inertia, or else, and in the plane, a disc of a size by the mass.
fn body(
    (body, number): (&Body, usize),
    point: usize,
    (heaviest, extent): (f64, f64),
    dimension: usize,
) -> Shape {
    let role = Role::Body(number);
    let (moments, axes) = principal(body.inertia);
    let total: f64 = moments.iter().sum();
    let is_solid = total > 0.0 && body.mass > 0.0 && total.is_finite();
    if !is_solid || dimension == 2 {
        let part = (body.mass / heaviest).cbrt();
        return Shape {
            size: MASS * extent * if part > 0.3 { part } else { 0.3 },
            ..shape(Kind::Circle, role, Source::Points(vec![point]))
        };
    }
    let is_round = moments
        .iter()
        .all(|moment| (3.0 * moment - total).abs() < ROUND * total);
    if is_round {
        let radius = (2.5 * moments[0] / body.mass).sqrt();
        let axes = axes.map(|axis| axis.map(|part| radius * part));
        return Shape {
            size: radius,
            ..shape(Kind::Ball, role, Source::Axes(number, axes))
        };
    }
    let halves: [f64; 3] = std::array::from_fn(|k| {
        let square = 1.5 * (total - 2.0 * moments[k]) / body.mass;
        square.max(0.0).sqrt().max(ROD * extent)
    });
    let axes = std::array::from_fn(|k| axes[k].map(|part| halves[k] * part));
    shape(Kind::Block, role, Source::Axes(number, axes))
}

/// The largest distance between points that are drawn, or 1.
fn extent(samples: &[Places], pairs: &[rods::Rod]) -> f64 {
    let uses_world = pairs.iter().any(|rod| rod.ends.contains(&0));
    let mut most = 0.0_f64;
    for sample in samples {
        let mut points = sample.points();
        points.extend(sample.links.iter().flatten());
        if !uses_world && points.len() > 1 {
            points.remove(0);
        }
        for k in 0..3 {
            let low = points
                .iter()
                .map(|point| point[k])
                .fold(f64::INFINITY, f64::min);
            let high = points
                .iter()
                .map(|point| point[k])
                .fold(f64::NEG_INFINITY, f64::max);
            most = most.max(high - low);
        }
        for body in &sample.bodies {
            let trace = body.inertia[0][0] + body.inertia[1][1] + body.inertia[2][2];
            let radius = (trace / body.mass).sqrt();
            most = if radius > most { radius } else { most };
        }
    }
    if most > 0.0 && most.is_finite() {
        most
    } else {
        1.0
    }
}

impl Shape {
    fn at(&self, places: &Places) -> Vec<[f64; 3]> {
        match &self.from {
            Source::Points(points) => points.iter().map(|point| places.point(*point)).collect(),
            Source::Axes(number, axes) => {
                places.bodies.get(*number).map_or_else(Vec::new, |body| {
                    let ends = axes.map(|axis| body.point(axis));
                    [&[body.place], &ends[..]].concat()
                })
            }
            Source::Frame(number, axis, length) => {
                let output = places.outputs.get(*number);
                output.map_or_else(Vec::new, |output| {
                    let along = output.axes.unwrap_or_default().map(|row| row[*axis]);
                    vec![output.place, moved(output.place, along, *length)]
                })
            }
            Source::Link(number, radius) => {
                let ends = places.links.get(*number);
                ends.map_or_else(Vec::new, |ends| match self.role {
                    Role::Spring => winding(ends, *radius, places.dimension),
                    _ => ends.to_vec(),
                })
            }
        }
    }
}

pub(crate) fn moved(point: [f64; 3], along: [f64; 3], length: f64) -> [f64; 3] {
    std::array::from_fn(|k| point[k] + length * along[k])
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn length(a: [f64; 3]) -> f64 {
    a.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// A zigzag between two ends.
fn winding([from, to]: &[[f64; 3]; 2], radius: f64, dimension: usize) -> Vec<[f64; 3]> {
    let displacement = moved(*to, *from, -1.0);
    let whole = length(displacement);
    let aside = match dimension {
        2 => [-displacement[1], displacement[0], 0.0],
        // Across the way, from the axis that is farthest from it.
        _ if displacement[2].abs() < 0.9 * whole => cross([0.0, 0.0, 1.0], displacement),
        _ => cross([1.0, 0.0, 0.0], displacement),
    };
    let across = length(aside);
    let point_at = |part: f64, side: f64| {
        let side = if across > 0.0 {
            side * radius / across
        } else {
            0.0
        };
        moved(moved(*from, displacement, part), aside, side)
    };
    let mut points = vec![*from, point_at(0.15, 0.0)];
    for k in 0..2 * WINDINGS {
        let part = 0.15 + 0.7 * (k as f64 + 0.5) / (2 * WINDINGS) as f64;
        points.push(point_at(part, if k % 2 == 0 { 1.0 } else { -1.0 }));
    }
    points.extend([point_at(0.85, 0.0), *to]);
    points
}
