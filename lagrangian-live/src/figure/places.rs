//! The places of outputs, bodies, joints, springs and dampers at a state.

use crate::motion::{Driven, State};
use crate::{Method, Shape};

/// The parts of a model at a state. In the plane z is 0.
pub(super) struct Places {
    pub(super) dimension: usize,
    pub(super) outputs: Vec<Output>,
    pub(super) bodies: Vec<Body>,
    pub(super) joints: Vec<[f64; 3]>,
    /// The ends of springs and dampers.
    pub(super) links: Vec<[[f64; 3]; 2]>,
}

/// A point, or a frame, whose axes are columns.
pub(super) struct Output {
    pub(super) name: String,
    pub(super) place: [f64; 3],
    pub(super) axes: Option<[[f64; 3]; 3]>,
}

pub(super) struct Body {
    pub(super) place: [f64; 3],
    axes: [[f64; 3]; 3],
    pub(super) mass: f64,
    /// In its axes.
    pub(super) inertia: [[f64; 3]; 3],
}

impl Body {
    /// The place of a point that is given from the centre in the body's axes.
    pub(super) fn point(&self, from: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| {
            let along: f64 = (0..3).map(|k| self.axes[i][k] * from[k]).sum();
            self.place[i] + along
        })
    }
}

impl Places {
    /// `None` if a value cannot be computed, or is not finite.
    pub(super) fn at(driven: &Driven, state: &State) -> Option<Self> {
        let outputs = driven.model.methods().iter().filter_map(dimension_of);
        let outputs: Vec<(&Method, usize)> = outputs.collect();
        let mut dimension = 2;
        let mut output_places = Vec::new();
        for (method, size) in outputs {
            let values = driven.evaluate(method, state).ok()?;
            let entry = |i: usize| values.get(i).copied().unwrap_or(0.0);
            dimension = dimension.max(size);
            let is_frame = values.len() > 3;
            output_places.push(Output {
                name: method.name.clone(),
                place: std::array::from_fn(entry),
                axes: is_frame.then(|| {
                    std::array::from_fn(|i| std::array::from_fn(|k| entry(3 + 3 * i + k)))
                }),
            });
        }
        let mut places = Self {
            dimension,
            outputs: output_places,
            bodies: Vec::new(),
            joints: Vec::new(),
            links: Vec::new(),
        };
        places.read_sketch(driven, state)?;
        let is_finite = |point: [f64; 3]| point.iter().all(|entry| entry.is_finite());
        let ends = places.links.iter().flatten().copied();
        places
            .points()
            .into_iter()
            .chain(ends)
            .all(is_finite)
            .then_some(places)
    }

    fn read_sketch(&mut self, driven: &Driven, state: &State) -> Option<()> {
        let Some(sketch) = driven.model.sketch() else {
            return Some(());
        };
        let t = [state.t];
        let arguments = sketch
            .tape
            .arguments()
            .iter()
            .map(|argument| match &argument.name[..] {
                "t" => &t[..],
                "z" => &state.z,
                _ => &state.q,
            });
        let arguments: Vec<&[f64]> = arguments.collect();
        let links = sketch.is_spring.len();
        let (mut bodies, mut joints) =
            (vec![0.0; 22 * sketch.bodies], vec![0.0; 3 * sketch.joints]);
        let mut ends = vec![0.0; 6 * links];
        let mut results: Vec<&mut [f64]> = vec![&mut bodies, &mut joints, &mut ends];
        results.retain(|result| !result.is_empty());
        let done = sketch
            .tape
            .evaluate(1, driven.parameters, &arguments, &mut results);
        done.ok()?;
        if sketch.is_spatial {
            self.dimension = 3;
        }
        let matrix = |row: &[f64]| std::array::from_fn(|i| std::array::from_fn(|k| row[3 * i + k]));
        let vector = |row: &[f64]| std::array::from_fn(|i| row[i]);
        self.bodies = bodies
            .chunks_exact(22)
            .map(|row| Body {
                place: vector(row),
                axes: matrix(&row[3..12]),
                mass: row[12],
                inertia: matrix(&row[13..22]),
            })
            .collect();
        self.joints = joints.chunks_exact(3).map(vector).collect();
        self.links = ends
            .chunks_exact(6)
            .map(|row| [vector(row), vector(&row[3..])])
            .collect();
        Some(())
    }

    /// The origin of the world, then outputs, bodies and joints.
    pub(super) fn points(&self) -> Vec<[f64; 3]> {
        let outputs = self.outputs.iter().map(|output| output.place);
        let bodies = self.bodies.iter().map(|body| body.place);
        let world = [[0.0; 3]].into_iter();
        let joints = self.joints.iter().copied();
        world.chain(outputs).chain(bodies).chain(joints).collect()
    }

    pub(super) fn point(&self, number: usize) -> [f64; 3] {
        self.points().get(number).copied().unwrap_or_default()
    }

    pub(super) fn of_output(&self, number: usize) -> usize {
        1 + number
    }

    pub(super) fn of_body(&self, number: usize) -> usize {
        1 + self.outputs.len() + number
    }
}

/// An output of the position that is a point or a frame, with the number of its coordinates.
fn dimension_of(method: &Method) -> Option<(&Method, usize)> {
    let is_position = method
        .arguments
        .iter()
        .all(|argument| ["t", "q", "z"].contains(&&argument.name[..]));
    if !method.is_output || !is_position {
        return None;
    }
    let shapes = method.results.iter().map(|(_, shape)| *shape);
    match shapes.collect::<Vec<Shape>>()[..] {
        [Shape::Vector(size @ (2 | 3))] => Some((method, size)),
        [Shape::Vector(3), Shape::Matrix(3, 3)] => Some((method, 3)),
        _ => None,
    }
}
