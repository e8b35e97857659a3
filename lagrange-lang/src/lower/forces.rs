//! Generalized forces, given for a coordinate or as a force at a point.

use lagrange_engine::{Dependence, FrameId, NodeId, Rotation, Shape};
use proc_macro2::{Ident, Span};
use syn::Attribute;

use super::access::Target;
use super::dependence_errors::POSITIONAL;
use super::evaluator::Evaluator;
use super::lowering::Lowering;
use super::scope::BindingKind;
use super::value::{Value, in_words};
use crate::errors::{Code, SpanRange};
use crate::suggest;
use crate::syntax::ast::{AssignOp, Expr, Part, text};
use crate::tables::{ForceEntry, ForceKind};

/// The name of one rotation, or of several, in messages.
pub(super) enum Turns {
    One(String),
    Several(String),
}

impl Lowering<'_> {
    /// `Q.c = e;`
    pub(super) fn lower_generalized_force(
        &mut self,
        (keyword, attributes): (&Ident, &[Attribute]),
        (name, part): (&Ident, Option<&Part>),
        (op, op_span): (AssignOp, Span),
        expr: &Expr,
    ) {
        let help = "generalized forces act on coordinates";
        let target = self.evaluator.find_coordinate(name, part, help);
        let value = self.evaluator.evaluate(expr);
        let Some(Target { velocities, shape }) = target else {
            return;
        };
        // `Q.R` is incomplete and may have meant an entry.
        if part.is_some() || !expr.is_broken() {
            self.note_force((keyword, name), &velocities, op, op_span);
        }
        let Some(value) = value else { return };
        if value.shape != shape {
            let actual = in_words(value.shape);
            let is = in_words(shape);
            let message = match self.evaluator.rotations_in_words(name, part, shape) {
                Some(Turns::One(rotation)) => format!(
                    "mismatched shapes: the torque on {rotation} is {is}, found {actual}\n\n\
                     help: write its components in the turned axes, `[0, 0, tau]`"
                ),
                Some(Turns::Several(rotations)) => format!(
                    "mismatched shapes: the torques on {rotations} are {is}, found {actual}\n\n\
                     help: write one at a time, `Q.{name}[0] = ..;`, or a row for each"
                ),
                None => {
                    let of = if part.is_some() { "this part of " } else { "" };
                    format!("mismatched shapes: {of}`{name}` is {is}, the force on it {actual}")
                }
            };
            self.evaluator
                .errors
                .error(expr, Code::ForceShapes, message);
            return;
        }
        if self.evaluator.require_linear(0, &value.entries).is_none() {
            return;
        }
        self.evaluator
            .note_generalized(expr, &velocities, &value.entries);
        let forces = velocities.into_iter().zip(value.entries);
        self.forces.add(ForceEntry {
            kind: ForceKind::Generalized,
            keyword: keyword.span(),
            attributes: attributes.to_vec(),
            generalized: forces.collect(),
            of_all: false,
            acts: true,
            point: Vec::new(),
        });
    }

    /// Notes that the coordinates have a force. A second `=` on any of them is reported once.
    fn note_force(
        &mut self,
        (keyword, name): (&Ident, &Ident),
        velocities: &[usize],
        op: AssignOp,
        op_span: Span,
    ) {
        let terms = &mut self.forces.by_velocity;
        let give = |number: &usize| terms.get_mut(*number).map(|term| term.give(op));
        let results: Vec<_> = velocities.iter().filter_map(give).collect();
        if let Some(misplaced) = results.into_iter().find_map(Result::err) {
            let quantity = format!("Q.{name}");
            let (place, message) = misplaced.report(&quantity, keyword.into(), op_span);
            self.evaluator
                .errors
                .error(place, Code::GivenTwice, message);
        }
    }

    /// `force F at p;`: Q_j += F . dp/dq_j at fixed t, the virtual work of F. `force F at p on B;` does the same
    /// for the point of B that is at p.
    pub(super) fn lower_force(
        &mut self,
        (keyword, attributes): (&Ident, &[Attribute]),
        (force, point): (&Expr, &Expr),
        on: Option<&Expr>,
    ) {
        let evaluator = &mut self.evaluator;
        let force_value = evaluator
            .evaluate(force)
            .and_then(|v| evaluator.require_spatial(force, v, "a force"));
        let mark = evaluator.mark();
        let point_value = evaluator
            .evaluate(point)
            .and_then(|v| evaluator.require_spatial(point, v, "a point"));
        let sound = point_value.as_ref().and_then(|value| {
            evaluator.refuse_dependence(mark, &value.entries, &POSITIONAL, "the point of a force")
        });
        let frame = on.map(|on| evaluator.evaluate_frame(on));
        let (Some(force_value), Some(point_value)) = (force_value, point_value) else {
            return;
        };
        if evaluator.require_linear(0, &force_value.entries).is_none() {
            return;
        }
        if force_value.shape != point_value.shape {
            let place = SpanRange {
                first: force.first,
                last: point.last,
            };
            let message = format!(
                "mismatched shapes: the force is {}, its point {}",
                in_words(force_value.shape),
                in_words(point_value.shape)
            );
            evaluator.errors.error(place, Code::ForceShapes, message);
            return;
        }
        evaluator.note_work((force, &force_value), (point, &point_value));
        let (generalized, moves) = match (sound, frame) {
            (Some(()), None) => {
                evaluator.find_virtual_work(&point_value.entries, &force_value.entries)
            }
            (Some(()), Some(Some(frame))) => {
                let Some(work) =
                    evaluator.find_work_on((force, &force_value), (point, &point_value), frame)
                else {
                    return;
                };
                work
            }
            _ => return,
        };
        let graph = &evaluator.graph;
        let is_zero = force_value
            .entries
            .iter()
            .all(|entry| graph.is_zero(*entry));
        let generalized = generalized
            .into_iter()
            .enumerate()
            .filter(|(_, force)| !graph.is_zero(*force));
        self.forces.add(ForceEntry {
            kind: ForceKind::AtPoint,
            keyword: keyword.span(),
            attributes: attributes.to_vec(),
            generalized: generalized.collect(),
            of_all: true,
            acts: moves && !is_zero,
            point: match on {
                None => point_value.entries,
                Some(_) => Vec::new(),
            },
        });
    }
}

impl Evaluator<'_> {
    /// The rotations that a name with parts denotes, in the words of messages. The shape is the shape of their
    /// rates.
    pub(super) fn rotations_in_words(
        &self,
        name: &Ident,
        part: Option<&Part>,
        shape: Shape,
    ) -> Option<Turns> {
        let BindingKind::Rotation(_, count) = self.scope.find(name)?.kind else {
            return None;
        };
        let parts = part.map_or(0, |part| part.all().len());
        match (count, parts, shape) {
            (None, 0, _) => Some(Turns::One(format!("the rotation `{name}`"))),
            (Some(_), 1, Shape::Vector(3)) => Some(Turns::One(format!("a rotation of `{name}`"))),
            (Some(_), 0 | 1, Shape::Matrix(..)) => {
                Some(Turns::Several(format!("rotations of `{name}`")))
            }
            _ => None,
        }
    }

    /// The velocities of a coordinate or of a part of it; `help` is used for a name that is not a coordinate.
    pub(super) fn find_coordinate(
        &mut self,
        name: &Ident,
        part: Option<&Part>,
        help: &str,
    ) -> Option<Target> {
        if let Some(motor) = self.find_named_motor(name, part.map_or(&[], Part::all)) {
            return Some(Target {
                velocities: vec![motor?.velocity],
                shape: Shape::Scalar,
            });
        }
        let Some(binding) = self.scope.find(name) else {
            return self.refuse_unknown_coordinate(name);
        };
        if let BindingKind::Robot(robot) = binding.kind {
            return self.find_coordinate_of_robot((robot, name), part, help);
        }
        let (BindingKind::Coordinate(first)
        | BindingKind::Rotation(
            Rotation {
                velocity: first, ..
            },
            _,
        )) = binding.kind
        else {
            let is = binding.kind.in_words();
            if binding.is_mistaken() {
                return None;
            }
            self.misused.push(text(name));
            let message = format!("`{name}` is {is}\n\nhelp: {help}");
            return self.refuse(name, Code::WrongRole, message);
        };
        let shape = binding.value.as_ref()?.shape;
        let parts = part.map_or(&[][..], Part::all);
        self.narrow(Target::whole(first, shape), parts)
    }

    /// A part of a target.
    pub(super) fn narrow(&mut self, mut target: Target, parts: &[Part]) -> Option<Target> {
        for part in parts {
            let part = match part {
                Part::Field(field) => self.select_components(target.shape, field)?,
                Part::Index { indices, span } => {
                    self.select_part(Some(target.shape), indices, *span)?
                }
                // Nested parts are in one list.
                Part::Path(_) => return None,
            };
            let velocities = part
                .positions
                .iter()
                .map(|position| target.velocities[*position]);
            target = Target {
                velocities: velocities.collect(),
                shape: part.shape,
            };
        }
        Some(target)
    }

    fn refuse_unknown_coordinate<T>(&mut self, name: &Ident) -> Option<T> {
        if self.is_excused(name) {
            return None;
        }
        let written = text(name);
        if let Some(advice) = self.actuator_in_words(&written) {
            let message = format!("`{written}` is no coordinate\n\nhelp: {advice}");
            return self.refuse(name, Code::WrongRole, message);
        }
        let in_scope = self
            .scope
            .names(|k| matches!(k, BindingKind::Coordinate(_) | BindingKind::Rotation(..)));
        let names = in_scope.iter().map(String::as_str);
        let help = suggest::help(&written, names.clone());
        let nearest = suggest::nearest(&written, names);
        let may_be_missing = nearest.is_none() && self.surplus_coordinates > 0;
        if may_be_missing && self.is_missing_name(name) {
            return None;
        }
        if !nearest.is_some_and(|nearest| self.is_mentioned(nearest)) {
            self.scope.declare_mistaken(name);
        }
        self.refuse(
            name,
            Code::WrongRole,
            format!("unknown coordinate `{written}`{help}"),
        )
    }

    /// A vector of the plane or of space.
    pub(super) fn require_spatial(
        &mut self,
        expr: &Expr,
        value: Value,
        what: &str,
    ) -> Option<Value> {
        match value.shape {
            Shape::Vector(2 | 3) => Some(value),
            shape => {
                let actual = in_words(shape);
                let message = format!("{what} is a vector of length 2 or 3, found {actual}");
                self.refuse(expr, Code::WrongShape, message)
            }
        }
    }

    /// The force along each velocity, and whether the point depends on the coordinates.
    fn find_virtual_work(&mut self, point: &[NodeId], force: &[NodeId]) -> (Vec<NodeId>, bool) {
        let kinematics = self.names.kinematics();
        let symbols = kinematics.coordinate_symbols();
        let work = self.graph.reverse(point, force, &symbols);
        let work = kinematics.along_directions(&mut self.graph, &work);
        let moves = point
            .iter()
            .map(|entry| self.graph.dependence(*entry))
            .any(|kind| kind.intersects(Dependence::COORDINATE));
        (work, moves)
    }

    /// The torque along each velocity, t . dw/dv_j with w the angular velocity of the frame, and whether the frame
    /// rotates with the coordinates.
    pub(super) fn find_work_of_torque(
        &mut self,
        frame: FrameId,
        torque: [NodeId; 3],
    ) -> (Vec<NodeId>, bool) {
        // t . w does not depend on the axes. In the base axes of the frame w is cheapest.
        let graph = &mut self.graph;
        let [spin, torque] = self.frames.angular_velocity_beside(graph, frame, torque);
        let velocities = self.names.velocity_symbols();
        let work = graph.reverse(&spin, &torque, &velocities);
        let turns = |entry: &NodeId| graph.dependence(*entry).intersects(Dependence::VELOCITY);
        (work, spin.iter().any(turns))
    }

    /// The work of a force at a point of a frame: the work of the force at the origin plus the work of its moment
    /// about the origin.
    fn find_work_on(
        &mut self,
        (force_expr, force): (&Expr, &Value),
        (point_expr, point): (&Expr, &Value),
        frame: FrameId,
    ) -> Option<(Vec<NodeId>, bool)> {
        let ([a, b, c], [x, y, z]) = (&force.entries[..], &point.entries[..]) else {
            let place = SpanRange {
                first: force_expr.first,
                last: point_expr.last,
            };
            let message = "a force on a frame and its point are vectors of length 3, found vectors of length \
                           2\n\nhelp: write `[a, b, 0]`";
            return self.refuse(place, Code::ForceShapes, message);
        };
        let force = [*a, *b, *c];
        let origin = self.frames.origin(frame);
        let graph = &mut self.graph;
        let arm = [(x, 0), (y, 1), (z, 2)].map(|(at, i)| graph.sub(*at, origin[i]));
        let moment = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
            let (left, right) = (graph.mul(arm[i], force[j]), graph.mul(arm[j], force[i]));
            graph.sub(left, right)
        });
        let (at_origin, moves) = self.find_virtual_work(&origin, &force);
        let (by_turning, turns) = self.find_work_of_torque(frame, moment);
        let work = at_origin
            .into_iter()
            .zip(by_turning)
            .map(|(a, b)| self.graph.add(a, b))
            .collect();
        Some((work, moves || turns))
    }
}
