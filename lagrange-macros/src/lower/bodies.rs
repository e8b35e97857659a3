//! Bodies and gravity: what they add to the kinetic and the potential energy.
//!
//! A body adds m/2 |v|^2 + w . I w / 2 with v the velocity of its centre of mass, and under gravity
//! a it adds -m a . r. Gravity may stand before or after the bodies, so that its part is added when
//! every statement was read.

mod fields;
mod links;
mod recursion;

use std::collections::HashMap;

use lagrange_engine::{NodeId, Number, Shape};
use proc_macro2::Ident;

use super::Lowering;
use super::blame::Forbidden;
use super::evaluator::Evaluator;
use super::frames::space::Vector;
use super::frames::{FrameId, PointMotion};
use super::scope::text;
use super::value::{Value, in_words};
use crate::errors::SpanRange;
use crate::syntax::ast::{BlockField, BlockKind, Expr};
use fields::Fields;

/// Where masses are, and what pulls at them.
#[derive(Default)]
pub(crate) struct Bodies {
    masses: Vec<Mass>,
    /// The place of the statement of each named body: one in a loop has several bodies.
    names: HashMap<String, Vec<usize>>,
    gravity: Option<Gravity>,
    gravity_is_given: bool,
    /// What `gravity` says, when every statement was read.
    acceleration: Option<Vec<NodeId>>,
}

struct Mass {
    mass: NodeId,
    position: Position,
    /// Row by row.
    inertia: Vec<NodeId>,
    /// Its parts among the values of T and of V.
    kinetic: usize,
    potential: Option<usize>,
    /// Where its position is written.
    place: SpanRange,
}

enum Position {
    /// Coordinates in a frame.
    InFrame(FrameId, Vector),
    /// A point of the plane, in the world.
    InPlane([NodeId; 2]),
}

struct Gravity {
    acceleration: Value,
    place: SpanRange,
    /// How many masses stand before it.
    before: usize,
}

impl Lowering<'_> {
    /// `body n { .. }`, `spring { .. }`, `damper { .. }`
    pub(super) fn block(
        &mut self,
        keyword: &Ident,
        kind: BlockKind,
        name: Option<&Ident>,
        fields: &[BlockField],
    ) {
        self.evaluator.subject = match name {
            Some(name) => format!("`{name}`"),
            None => format!("`{keyword}`"),
        };
        match kind {
            BlockKind::Body => self.body(keyword, name, fields),
            BlockKind::Spring => self.spring(keyword, fields),
            BlockKind::Damper => self.damper(keyword, fields),
        }
    }

    fn body(&mut self, keyword: &Ident, name: Option<&Ident>, fields: &[BlockField]) {
        self.check_beside_lagrangian(keyword);
        self.energies.has_bodies = true;
        if let Some(name) = name {
            self.check_body_name(name);
        }
        let evaluator = &mut self.evaluator;
        let fields = evaluator.block_fields(fields, &["frame", "mass", "at", "inertia"]);
        let body = evaluator.body(keyword, &fields);
        let Some(mut mass) = body.filter(|_| fields.are_sound) else {
            self.energies.break_kinetic();
            return;
        };
        let kinetic = evaluator.kinetic_energy(&mass);
        mass.kinetic = self.energies.kinetic.values.len();
        self.energies.kinetic.values.push(kinetic);
        self.bodies.masses.push(mass);
    }

    /// Bodies live apart from values, so that only other bodies can have the name.
    fn check_body_name(&mut self, name: &Ident) {
        let written = text(name);
        let statement = self.evaluator.blocks.statement();
        let names = &mut self.bodies.names;
        let first = names.entry(written.clone());
        if *first.or_insert_with(|| statement.clone()) != statement {
            let message = format!(
                "duplicate name: `{written}` is already a body\n\nhelp: choose another name"
            );
            self.evaluator.errors.error(name, message);
        }
    }

    /// `gravity a;`
    pub(super) fn gravity(&mut self, keyword: &Ident, expr: &Expr) {
        self.check_beside_lagrangian(keyword);
        self.evaluator.subject = "`gravity`".to_owned();
        if std::mem::replace(&mut self.bodies.gravity_is_given, true) {
            let message = "`gravity` is given twice\n\n\
                           help: it acts on every body; give the total acceleration once";
            self.evaluator.errors.error(keyword, message);
        }
        let acceleration = self.evaluator.acceleration_of_gravity(expr);
        match acceleration {
            Some(acceleration) if self.bodies.gravity.is_none() => {
                self.bodies.gravity = Some(Gravity {
                    acceleration,
                    place: expr.into(),
                    before: self.bodies.masses.len(),
                });
            }
            _ => {}
        }
    }

    /// V -= m a . r for every body. To be called when all statements are read.
    pub(super) fn gravity_on_bodies(&mut self) {
        let Some(gravity) = self.bodies.gravity.take() else {
            return;
        };
        self.bodies.acceleration = Some(gravity.acceleration.entries.clone());
        let evaluator = &mut self.evaluator;
        let graph = &mut evaluator.graph;
        let works = match gravity.acceleration.entries[..] {
            [x, y, z] => {
                let projection = evaluator.frames.projected(graph, [x, y, z]);
                let works = self.bodies.masses.iter().map(|mass| match mass.position {
                    Position::InFrame(frame, at) => Some(projection.of_point(graph, frame, at)),
                    Position::InPlane(_) => None,
                });
                works.collect::<Vec<_>>()
            }
            _ => {
                let acceleration = &gravity.acceleration.entries;
                let works = self.bodies.masses.iter().map(|mass| match mass.position {
                    Position::InFrame(..) => None,
                    Position::InPlane(at) => Some(graph.dot(acceleration, &at)),
                });
                works.collect::<Vec<_>>()
            }
        };
        for (position, (mass, work)) in self.bodies.masses.iter_mut().zip(works).enumerate() {
            let Some(work) = work else {
                let is_later = position >= gravity.before;
                let place = if is_later { mass.place } else { gravity.place };
                let found = in_words(gravity.acceleration.shape);
                let position = in_words(match mass.position {
                    Position::InFrame(..) => Shape::Vector(3),
                    Position::InPlane(_) => Shape::Vector(2),
                });
                let message = format!(
                    "mismatched shapes: gravity is {found}, the position of a body {position}"
                );
                self.evaluator.errors.error(place, message);
                continue;
            };
            let graph = &mut self.evaluator.graph;
            let weighted = graph.mul(mass.mass, work);
            let potential = graph.neg(weighted);
            mass.potential = Some(self.energies.potential.values.len());
            self.energies.add_potential(potential);
        }
    }

    /// Bodies, gravity and springs are parts of T and V.
    fn check_beside_lagrangian(&mut self, keyword: &Ident) {
        if let Some(other) = self.energies.conflict_with_parts(keyword) {
            let message = format!(
                "`{keyword}` beside `{other}`\n\n\
                 help: bodies, gravity and springs add to `T` and `V`; give either these, or `L`"
            );
            self.evaluator.errors.error(keyword, message);
        }
    }
}

impl Evaluator<'_> {
    fn acceleration_of_gravity(&mut self, expr: &Expr) -> Option<Value> {
        self.forget_mentions();
        let value = self.positional(expr, "`gravity`")?;
        self.spatial(expr, value, "gravity")
    }

    /// What the fields say, before its energies are known.
    fn body(&mut self, keyword: &Ident, fields: &Fields<'_>) -> Option<Mass> {
        let frame = match fields.get("frame") {
            Some(expr) => self.frame(expr),
            None => Some(FrameId::WORLD),
        };
        let mass = match fields.get("mass") {
            Some(expr) => self.positional_scalar(expr, "the mass of a body"),
            None => Some(self.graph.integer(0)),
        };
        let position = match (fields.get("at"), frame) {
            (Some(expr), frame) => self.body_position(expr, frame),
            (None, Some(frame)) => {
                let origin = super::frames::space::zero(&mut self.graph);
                Some(Position::InFrame(frame, origin))
            }
            (None, None) => None,
        };
        let inertia = match fields.get("inertia") {
            Some(expr) => self.inertia(expr),
            None => Some(vec![self.graph.integer(0); 9]),
        };
        let place = fields.get("at").map_or(keyword.into(), SpanRange::from);
        Some(Mass {
            mass: mass?,
            position: position?,
            inertia: inertia?,
            kinetic: 0,
            potential: None,
            place,
        })
    }

    fn body_position(&mut self, expr: &Expr, frame: Option<FrameId>) -> Option<Position> {
        let value = self.positional(expr, "the position of a body")?;
        match (value.shape, &value.entries[..]) {
            (Shape::Vector(3), [x, y, z]) => Some(Position::InFrame(frame?, [*x, *y, *z])),
            (Shape::Vector(2), [x, y]) if frame? == FrameId::WORLD => {
                Some(Position::InPlane([*x, *y]))
            }
            (shape, _) => {
                let help = match shape {
                    Shape::Vector(2) => "\n\nhelp: only in `world` it may have two components",
                    _ => "",
                };
                let found = in_words(shape);
                let message =
                    format!("the position of a body is a vector of length 3, found {found}{help}");
                self.refuse(expr, message)
            }
        }
    }

    fn inertia(&mut self, expr: &Expr) -> Option<Vec<NodeId>> {
        let value = self.positional(expr, "the inertia of a body")?;
        if value.shape == Shape::Matrix(3, 3) {
            return Some(value.entries);
        }
        let found = in_words(value.shape);
        let message = format!(
            "the inertia of a body is a 3 x 3 matrix, found {found}\n\n\
             help: write `diag(a, b, c)` or `[[a, ..], ..]`"
        );
        self.refuse(expr, message)
    }

    /// m/2 |v|^2 + w . I w / 2
    fn kinetic_energy(&mut self, mass: &Mass) -> NodeId {
        let (translation, rotation) = match &mass.position {
            Position::InPlane(at) => {
                let rate = self.rate(&Value::vector(at.to_vec())).entries;
                let square = self.graph.dot(&rate, &rate);
                (square, self.graph.integer(0))
            }
            Position::InFrame(frame, at) => {
                let rate = self.rate(&Value::vector(at.to_vec())).entries;
                let rate = [rate[0], rate[1], rate[2]];
                let graph = &mut self.graph;
                let motion = self.frames.point_motion(graph, *frame, *at, rate);
                let square = self.square_of_velocity(&motion);
                let spin = self.frames.spin(*frame);
                (square, self.double_rotation_energy(spin, &mass.inertia))
            }
        };
        let graph = &mut self.graph;
        let translation = graph.mul(mass.mass, translation);
        let half = Number::HALF;
        graph.sum(Number::ZERO, vec![(half, translation), (half, rotation)])
    }

    fn square_of_velocity(&mut self, motion: &PointMotion) -> NodeId {
        let graph = &mut self.graph;
        let velocity = super::frames::space::add(graph, motion.origin, motion.relative);
        graph.dot(&velocity, &velocity)
    }

    /// w . I w: no more than the symmetric part of I counts.
    fn double_rotation_energy(&mut self, spin: Vector, inertia: &[NodeId]) -> NodeId {
        let graph = &mut self.graph;
        let mut terms = Vec::new();
        for i in 0..3 {
            let square = graph.powi(spin[i], 2);
            terms.push((Number::ONE, graph.mul(inertia[4 * i], square)));
            for j in 0..i {
                let both = graph.add(inertia[3 * i + j], inertia[3 * j + i]);
                let product = graph.mul(spin[i], spin[j]);
                terms.push((Number::ONE, graph.mul(both, product)));
            }
        }
        graph.sum(Number::ZERO, terms)
    }

    /// A value that depends on positions and time only; `what` is what it is for.
    fn positional(&mut self, expr: &Expr, what: &str) -> Option<Value> {
        let mark = self.mark();
        let value = self.evaluate(expr)?;
        let forbidden = [Forbidden::Velocity, Forbidden::Input];
        self.refuse_dependence_since(mark, &value.entries, &forbidden, what)?;
        Some(value)
    }

    fn positional_scalar(&mut self, expr: &Expr, what: &str) -> Option<NodeId> {
        let value = self.positional(expr, what)?;
        self.expect_scalar(expr, &value, &format!("{what} is a scalar"))
    }
}
