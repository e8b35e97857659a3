//! Bodies and gravity, which become the [`Multibody`] of the engine.
//!
//! Gravity may come before or after the bodies. Their shapes are therefore compared after all statements are read.

mod actuators;
mod fields;
mod links;
mod motor;

use lagrange_engine::{Body, FrameId, Frames, Multibody, NodeId, Shape};
use proc_macro2::Ident;

use super::dependence_errors::{Forbidden, POSITIONAL, POTENTIAL};
use super::evaluator::Evaluator;
use super::lowering::{Gravity, Lowering, Mass};
use super::value::{Value, in_words};
use crate::errors::{Code, SpanRange};
use crate::syntax::ast::{BlockField, BlockKind, Expr, ExprKind, text};
use crate::tables::{BodyEntry, GravityEntry};
use crate::units::{Factor, Side};
pub(super) use fields::Fields;
pub(super) use motor::Motor;

impl Lowering<'_> {
    /// `body n { .. }`, `spring { .. }`, `damper { .. }`, `actuator n { .. }`
    pub(super) fn lower_block(
        &mut self,
        keyword: &Ident,
        kind: BlockKind,
        name: Option<&Ident>,
        fields: (&[BlockField], bool),
    ) {
        match kind {
            BlockKind::Body => self.lower_body(keyword, name, fields),
            BlockKind::Spring => self.lower_spring(keyword, fields),
            BlockKind::Damper => self.lower_damper(keyword, fields),
            BlockKind::Actuator => self.lower_actuator(keyword, name, fields),
        }
    }

    fn lower_body(&mut self, keyword: &Ident, name: Option<&Ident>, fields: (&[BlockField], bool)) {
        self.check_beside_lagrangian(keyword);
        self.energies.has_bodies = true;
        if let Some(name) = name {
            self.check_block_name(BlockKind::Body, name);
        }
        let evaluator = &mut self.evaluator;
        let fields = evaluator.read_block_fields(fields, &["frame", "mass", "at", "inertia"]);
        let frame_name = fields
            .get("frame")
            .and_then(|frame| evaluator.name_of_frame(frame));
        if let Some(name) = name {
            evaluator.bodies.insert(text(name), frame_name.clone());
        }
        let body = evaluator.evaluate_body(keyword, &fields);
        let Some(mass) = body.filter(|_| fields.are_sound) else {
            self.energies.break_kinetic();
            return;
        };
        evaluator.count_energy(&mass.body);
        let graph = &evaluator.graph;
        let has_mass = !graph.is_zero(mass.body.mass);
        let has_inertia = mass
            .body
            .inertia
            .iter()
            .flatten()
            .any(|entry| !graph.is_zero(*entry));
        let spin = evaluator.frames.spin(mass.body.frame);
        let written = self.written(name.unwrap_or(keyword).span());
        self.body_entries.push(BodyEntry {
            written,
            has_mass,
            has_inertia,
            frame: mass.body.frame,
            frame_name,
            spin,
        });
        self.bodies.masses.push(mass);
    }

    /// Bodies and actuators have their own names apart from values, so only another body or actuator can clash.
    fn check_block_name(&mut self, kind: BlockKind, name: &Ident) {
        let written = text(name);
        let statement = self.evaluator.blocks.statement();
        let (names, is) = match kind {
            BlockKind::Actuator => (&mut self.bodies.actuators, "an actuator"),
            _ => (&mut self.bodies.names, "a body"),
        };
        let first = names.entry(written.clone());
        if *first.or_insert_with(|| statement.clone()) != statement {
            let message =
                format!("duplicate name: `{written}` is already {is}\n\nhelp: choose another name");
            self.evaluator
                .errors
                .error(name, Code::DuplicateName, message);
        }
    }

    /// `gravity a;`
    pub(super) fn lower_gravity(&mut self, keyword: &Ident, expr: &Expr) {
        self.check_beside_lagrangian(keyword);
        if std::mem::replace(&mut self.bodies.gravity_is_given, true) {
            let message = "`gravity` is given twice\n\n\
                           help: it acts on every body; give the total acceleration once";
            self.evaluator
                .errors
                .error(keyword, Code::GivenTwice, message);
        }
        let written = self.written(keyword.span());
        self.gravity_entry.get_or_insert(GravityEntry {
            written,
            weights: Vec::new(),
        });
        let acceleration = self.evaluator.evaluate_gravity(expr);
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

    /// Applies gravity to every body. Must be called after all statements are read.
    pub(super) fn add_gravity_on_bodies(&mut self) {
        let Some(gravity) = &self.bodies.gravity else {
            return;
        };
        let is_planar = gravity.acceleration.entries.len() == 2;
        let fits = |mass: &Mass| mass.is_planar == is_planar;
        // If gravity fits no body, gravity itself has to change.
        let fits_none = !self.bodies.masses.iter().any(fits);
        let most = if fits_none { 1 } else { usize::MAX };
        for (position, mass) in self.bodies.masses.iter().enumerate().take(most) {
            if mass.is_planar != is_planar {
                // The later of the two is wrong. A body without a position is wrong in any case, a link never.
                let is_later = position >= gravity.before || !mass.is_placed;
                let is_wrong = is_later && !mass.is_link;
                let place = if is_wrong { mass.place } else { gravity.place };
                let actual = in_words(gravity.acceleration.shape);
                let position = in_words(Shape::Vector(if mass.is_planar { 2 } else { 3 }));
                let message = format!(
                    "mismatched shapes: gravity is {actual}, the position of a body {position}"
                );
                self.evaluator
                    .errors
                    .error(place, Code::ForceShapes, message);
            }
        }
        let evaluator = &mut self.evaluator;
        let acceleration = evaluator.place_in_space(&gravity.acceleration);
        let bodies: Vec<Body> = self.bodies.masses.iter().map(|m| m.body.clone()).collect();
        let graph = &mut evaluator.graph;
        let frames = &evaluator.frames;
        let potentials = frames.potential_energies(graph, acceleration, &bodies);
        if let Some(gravity) = &mut self.gravity_entry {
            gravity.weights.clone_from(&potentials);
        }
        self.energies.potential_parts.extend(potentials);
    }

    /// Collects the frames, bodies and gravity of all statements.
    pub(super) fn build_multibody(&mut self) -> Multibody {
        let evaluator = &mut self.evaluator;
        let empty = Frames::new(&mut evaluator.graph);
        let mut multibody = Multibody::new(std::mem::replace(&mut evaluator.frames, empty));
        let mut refusals = Vec::new();
        for mass in &self.bodies.masses {
            let added = multibody.add_body(&mut evaluator.graph, mass.body.clone());
            refusals.extend(added.err().map(|error| (mass.place, error)));
        }
        if let Some(gravity) = &self.bodies.gravity {
            let acceleration = evaluator.place_in_space(&gravity.acceleration);
            let set = multibody.set_gravity(&evaluator.graph, acceleration);
            refusals.extend(set.err().map(|error| (gravity.place, error)));
        }
        for output in &self.outputs {
            let Some(frame) = output.known_frame() else {
                continue;
            };
            let name = &output.item.name;
            let added = multibody.add_output(text(name), frame);
            refusals.extend(added.err().map(|error| (name.into(), error)));
        }
        // Mistakes in the fields were reported with the fields.
        for (place, error) in refusals {
            evaluator.errors.error(place, Code::WrongShape, error);
        }
        multibody
    }

    /// Bodies, gravity and springs contribute to T and V, which excludes `L`.
    fn check_beside_lagrangian(&mut self, keyword: &Ident) {
        if let Some(other) = self.energies.conflict_with_parts(keyword) {
            let message = format!(
                "`{keyword}` beside `{other}`\n\n\
                 help: bodies, gravity and springs add to `T` and `V`; give either these, or `L`"
            );
            self.evaluator
                .errors
                .error(keyword, Code::TwoLagrangians, message);
        }
    }
}

impl Evaluator<'_> {
    /// The name of a frame, if it has one.
    fn name_of_frame(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Name { name, .. } => Some(text(name)),
            _ => self.write_path(expr),
        }
    }

    /// The explanation for the name of a body that is used as a frame.
    pub(super) fn find_body_for_frame(&self, written: &str) -> Option<String> {
        let frame = self.bodies.get(written)?;
        Some(match frame {
            Some(frame) => format!("`{written}` is a body: write the name of its frame, `{frame}`"),
            None => {
                format!("`{written}` is a body: name its frame by `frame F = ..;`, and write `F`")
            }
        })
    }

    /// The explanation for the name of a body or actuator that is used as a value.
    pub(super) fn block_in_words(&self, written: &str) -> Option<String> {
        if let Some(actuator) = self.actuator_in_words(written) {
            return Some(actuator);
        }
        let frame = self.bodies.get(written)?;
        Some(match frame.as_deref() {
            Some("world") | None => format!(
                "`{written}` is a body, whose name has no value: name its point by `let`, or its frame"
            ),
            Some(frame) => format!(
                "`{written}` is a body, whose name has no value: a point of its frame is \
                 `{frame}.point([a, b, c])`, its origin `{frame}.origin`"
            ),
        })
    }

    /// Extends a vector of the plane by a third component 0.
    fn place_in_space(&mut self, vector: &Value) -> [NodeId; 3] {
        let zero = self.graph.integer(0);
        let entry = |i: usize| vector.entries.get(i).copied();
        std::array::from_fn(|i| entry(i).unwrap_or(zero))
    }

    fn evaluate_gravity(&mut self, expr: &Expr) -> Option<Value> {
        let value = self.evaluate_positional(expr, "`gravity`")?;
        let factors = vec![(Factor::Length, 1), (Factor::Second, -2)];
        self.note_unit(expr, &value.entries, &Side::new(factors, "an acceleration"));
        self.require_spatial(expr, value, "gravity")
    }

    /// The engine forms T from all bodies together. Forming each part here as well counts it for the budget at the
    /// place of the body.
    pub(super) fn count_energy(&mut self, body: &Body) {
        let kinematics = self.names.kinematics();
        self.frames
            .kinetic_energy(&mut self.graph, &kinematics, body);
    }

    /// The body that the fields describe.
    fn evaluate_body(&mut self, keyword: &Ident, fields: &Fields<'_>) -> Option<Mass> {
        let frame = match fields.get("frame") {
            Some(expr) => self.evaluate_frame(expr),
            None => Some(FrameId::WORLD),
        };
        let mass = match fields.get("mass") {
            Some(expr) => {
                let mass = self.evaluate_positional_scalar(expr, "the mass of a body");
                if let Some(mass) = mass {
                    let factors = [
                        (Factor::Energy, 1),
                        (Factor::Second, 2),
                        (Factor::Length, -2),
                    ];
                    self.note_unit(expr, &[mass], &Side::new(factors.to_vec(), "a mass"));
                }
                mass.inspect(|mass| self.warn_of_mass(expr, *mass))
            }
            None => Some(self.graph.integer(0)),
        };
        let zero = self.graph.integer(0);
        let position = match (fields.get("at"), frame) {
            (Some(expr), frame) => self.evaluate_body_position(expr, frame),
            (None, frame) => frame.map(|frame| (frame, vec![zero; 3])),
        };
        let inertia = match fields.get("inertia") {
            Some(expr) => self.evaluate_inertia(expr, frame),
            None => Some(vec![zero; 9]),
        };
        let place = fields.get("at").map_or(keyword.into(), SpanRange::from);
        let ((frame, centre), mass, inertia) = (position?, mass?, inertia?);
        let body = Body {
            frame,
            at: std::array::from_fn(|i| centre.get(i).copied().unwrap_or(zero)),
            mass,
            inertia: std::array::from_fn(|i| std::array::from_fn(|j| inertia[3 * i + j])),
        };
        let is_planar = centre.len() == 2;
        Some(Mass {
            body,
            is_planar,
            is_placed: fields.get("at").is_some(),
            is_link: false,
            place,
        })
    }

    /// The frame, and two or three components in its axes.
    fn evaluate_body_position(
        &mut self,
        expr: &Expr,
        frame: Option<FrameId>,
    ) -> Option<(FrameId, Vec<NodeId>)> {
        let value = self.evaluate_positional(expr, "the position of a body")?;
        self.note_position(expr, &value);
        match value.shape {
            Shape::Vector(3) => Some((frame?, value.entries)),
            Shape::Vector(2) if frame? == FrameId::WORLD => Some((FrameId::WORLD, value.entries)),
            shape => {
                let help = match shape {
                    Shape::Vector(2) => "\n\nhelp: only in `world` it may have two components",
                    _ => "",
                };
                let actual = in_words(shape);
                let message =
                    format!("the position of a body is a vector of length 3, found {actual}{help}");
                self.refuse(expr, Code::WrongShape, message)
            }
        }
    }

    fn evaluate_inertia(&mut self, expr: &Expr, frame: Option<FrameId>) -> Option<Vec<NodeId>> {
        let value = self.evaluate_positional(expr, "the inertia of a body")?;
        let factors = vec![(Factor::Energy, 1), (Factor::Second, 2)];
        self.note_unit(
            expr,
            &value.entries,
            &Side::new(factors, "a moment of inertia"),
        );
        if value.shape == Shape::Matrix(3, 3) {
            self.warn_of_inertia(expr, &value.entries, frame?);
            return Some(value.entries);
        }
        let actual = in_words(value.shape);
        let message = format!(
            "the inertia of a body is a 3 x 3 matrix, found {actual}\n\n\
             help: write `diag(ixx, iyy, izz)` or `[[a, ..], ..]`"
        );
        self.refuse(expr, Code::WrongShape, message)
    }

    /// A value that depends on positions and time only; `what` names its use in messages.
    fn evaluate_positional(&mut self, expr: &Expr, what: &str) -> Option<Value> {
        self.evaluate_without(&POSITIONAL, expr, what)
    }

    fn evaluate_without(
        &mut self,
        forbidden: &[Forbidden],
        expr: &Expr,
        what: &str,
    ) -> Option<Value> {
        let mark = self.mark();
        let value = self.evaluate(expr)?;
        self.refuse_dependence(mark, &value.entries, forbidden, what)?;
        Some(value)
    }

    /// A scalar that depends on positions, states and time only.
    fn evaluate_potential_scalar(&mut self, expr: &Expr, what: &str) -> Option<NodeId> {
        let value = self.evaluate_without(&POTENTIAL, expr, what)?;
        self.expect_scalar(expr, &value, &format!("{what} is a scalar"))
    }

    fn evaluate_positional_scalar(&mut self, expr: &Expr, what: &str) -> Option<NodeId> {
        let value = self.evaluate_positional(expr, what)?;
        self.expect_scalar(expr, &value, &format!("{what} is a scalar"))
    }
}
