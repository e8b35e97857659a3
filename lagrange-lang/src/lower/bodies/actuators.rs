//! Actuators: motors with gears.
//!
//! A motor turns a coordinate. This is the coordinate of its joint or, with an elastic gear, an own coordinate. The
//! statement declares that one after all others. The rotor adds to T, the friction to D and Q, the torque to Q, and
//! the spring of the gear to V. Dry friction without `smooth` is no force: it can hold the joint.

use lagrange_engine::{
    Dependence, DryJoint, FrameId, Frames, Node, NodeId, Number, Shape, Symbol, Unary,
};
use proc_macro2::{Ident, Span};

use super::fields::Fields;
use super::motor::{Motor, Turned};
use crate::errors::Code;
use crate::lower::dependence_errors::{Forbidden, POSITIONAL, POTENTIAL};
use crate::lower::energies::Term;
use crate::lower::evaluator::{Evaluator, Source};
use crate::lower::head::MAX_STATE;
use crate::lower::lowering::Lowering;
use crate::lower::value::{Value, in_words};
use crate::lower::warnings::{NEGATIVE_DAMPING, NEGATIVE_STIFFNESS};
use crate::model::{Declared, Velocity};
use crate::syntax::ast::{BlockField, BlockKind, Expr, Part, text};
use crate::tables::{ForceEntry, ForceKind, PartKind};
use crate::units::{Factor, Side};

const FIELDS: [&str; 10] = [
    "joint", "gear", "rotor", "viscous", "coulomb", "smooth", "torque", "on", "axis", "elastic",
];

/// Fields that require another one.
const PAIRS: [(&str, &str); 3] = [("smooth", "coulomb"), ("on", "axis"), ("axis", "on")];

/// The readable member of a motor.
const ANGLE: &str = "angle";

/// The fields of an actuator, without the joint.
struct Drive {
    gear: NodeId,
    rotor: NodeId,
    viscous: NodeId,
    coulomb: NodeId,
    /// `None` for dry friction that sticks.
    smooth: Option<NodeId>,
    /// The name of the field, for dry friction that sticks.
    dry: Option<Ident>,
    torque: NodeId,
    /// The frame that carries the rotor, and the axis in the axes of that frame.
    carrier: Option<(FrameId, [NodeId; 3])>,
    /// Stiffness of the gear.
    elastic: Option<NodeId>,
}

impl Lowering<'_> {
    /// `actuator n { joint, gear, rotor, viscous, coulomb, smooth, torque, on, axis, elastic }`
    pub(super) fn lower_actuator(
        &mut self,
        keyword: &Ident,
        name: Option<&Ident>,
        fields: (&[BlockField], bool),
    ) {
        if let Some(name) = name {
            self.check_block_name(BlockKind::Actuator, name);
        }
        let evaluator = &mut self.evaluator;
        let fields = evaluator.read_block_fields(fields, &FIELDS);
        let joint = evaluator.require_field(keyword, &fields, "joint");
        // The fields may read the angle of the motor. After a mistake, the uses of the angle report nothing.
        let motor = fields
            .field("elastic")
            .and_then(|field| self.declare_motor_coordinate(name, field));
        if let Some(name) = name {
            let indices = self.evaluator.blocks.values();
            let motors = self.evaluator.motors.entry(text(name)).or_default();
            motors.push(Motor {
                indices,
                is_elastic: fields.get("elastic").is_some(),
                coordinate: motor,
            });
        }
        let joint = joint.and_then(|expr| self.evaluator.evaluate_joint(expr, motor));
        let drive = self.evaluator.evaluate_drive(&fields);
        for part in ["rotor", "elastic"] {
            if let Some((field, _)) = fields.field(part) {
                self.check_beside_lagrangian(field);
            }
        }
        self.energies.has_bodies |= fields.get("rotor").is_some();
        let (Some(joint), Some(drive), true) = (joint, drive, fields.are_sound) else {
            if fields.get("rotor").is_some() {
                self.energies.break_kinetic();
            }
            return;
        };
        self.evaluator.note_drive(&fields, &drive, (joint, motor));
        match (drive.elastic, motor) {
            (None, _) => self.add_drive(keyword.span(), joint, &drive),
            (Some(stiffness), Some(motor)) => {
                self.add_elastic_gear(stiffness, (joint, motor));
                self.add_drive(keyword.span(), motor, &drive);
            }
            (Some(_), None) => {}
        }
    }

    /// Declares the coordinate of a motor with an elastic gear.
    fn declare_motor_coordinate(
        &mut self,
        name: Option<&Ident>,
        (field, value): (&Ident, &Expr),
    ) -> Option<Turned> {
        let evaluator = &mut self.evaluator;
        let Some(name) = name else {
            let message = "an actuator with `elastic` has a coordinate of its own, which is called by its name\n\n\
                           help: write `actuator a { .. }`; the coordinate is `a.angle`";
            return evaluator.refuse(field, Code::MissingName, message);
        };
        let coordinates = &mut evaluator.names.coordinates;
        let total = coordinates.len() + 1;
        if total > MAX_STATE {
            let message = format!(
                "a system has at most {MAX_STATE} coordinates, with this one it has {total}"
            );
            return evaluator.refuse(value, Code::TooMany, message);
        }
        let subscript = evaluator.blocks.subscript();
        let path = format!("{}{subscript}.{ANGLE}", text(name));
        let number = evaluator.names.coordinates.len();
        let velocity = evaluator.names.velocity_count();
        evaluator.names.coordinates.push(path.clone());
        let graph = &mut evaluator.graph;
        let motor = Turned {
            angle: graph.symbol(Symbol::Coordinate(number as u32)),
            rate: graph.symbol(Symbol::Velocity(velocity as u32)),
            velocity,
        };
        self.forces.by_velocity.push(Term::default());
        self.coordinates.push(Declared {
            name: name.clone(),
            path: Some(path),
            file: None,
            attributes: self.attributes.clone(),
            shape: Shape::Scalar,
            default: None,
            velocity: Velocity::Rates(velocity),
        });
        Some(motor)
    }

    /// V += k/2 (angle of the motor - angle of the joint)^2
    fn add_elastic_gear(&mut self, stiffness: NodeId, (joint, own): (Turned, Turned)) {
        let graph = &mut self.evaluator.graph;
        let stretch = graph.sub(own.angle, joint.angle);
        let square = graph.product(vec![(stiffness, 1), (stretch, 2)]);
        let potential = graph.scale(Number::HALF, square);
        self.energies.add_potential(potential);
    }

    /// Adds the parts of a motor to T, D and Q.
    fn add_drive(&mut self, keyword: Span, turned: Turned, drive: &Drive) {
        let Turned { rate, velocity, .. } = turned;
        let evaluator = &mut self.evaluator;
        let kinetic = evaluator.build_energy_of_rotor(rate, drive);
        let graph = &mut evaluator.graph;
        let resistance = graph.mul(drive.viscous, rate);
        let is_coefficient = !graph
            .dependence(drive.viscous)
            .intersects(Dependence::VELOCITY);
        let dissipation = graph.mul(resistance, rate);
        let dissipation = graph.scale(Number::HALF, dissipation);
        let mut force = graph.mul(drive.gear, drive.torque);
        match drive.smooth {
            _ if graph.is_zero(drive.coulomb) => {}
            Some(smooth) => {
                let slip = graph.div(rate, smooth);
                let friction = graph.unary(Unary::Tanh, slip);
                let friction = graph.mul(drive.coulomb, friction);
                force = graph.sub(force, friction);
            }
            None => {
                let limit = drive.coulomb;
                if self.first_friction.is_none() {
                    self.first_friction.clone_from(&drive.dry);
                }
                match self
                    .dry_joints
                    .iter_mut()
                    .find(|joint| joint.velocity == velocity)
                {
                    // The motor of another gear on the same joint.
                    Some(joint) => joint.limit = graph.add(joint.limit, limit),
                    None => self.dry_joints.push(DryJoint { velocity, limit }),
                }
            }
        }
        if !is_coefficient {
            // The derivative of D by the rate would be a different force.
            force = graph.sub(force, resistance);
        }
        let acts = !graph.is_zero(force);
        let dissipates = is_coefficient && !graph.is_zero(dissipation);
        if !graph.is_zero(kinetic) {
            self.energies.kinetic.values.push(kinetic);
        }
        if dissipates {
            self.note_part(PartKind::Damper, keyword, dissipation);
            self.energies.dissipation.values.push(dissipation);
        }
        if acts {
            let attributes = self.attributes.clone();
            self.forces.add(ForceEntry {
                kind: ForceKind::Generalized,
                keyword,
                attributes,
                generalized: vec![(velocity, force)],
                of_all: false,
                acts: true,
                point: Vec::new(),
            });
        }
    }
}

impl Evaluator<'_> {
    /// The coordinate of a joint, which is not that of its motor.
    fn evaluate_joint(&mut self, expr: &Expr, motor: Option<Turned>) -> Option<Turned> {
        let value = self.evaluate(expr)?;
        let Some(angle) = value.as_scalar() else {
            let actual = in_words(value.shape);
            let message = format!(
                "the joint of an actuator is a scalar coordinate, found {actual}\n\n\
                 help: write one of its entries, as `q[0]`"
            );
            return self.refuse(expr, Code::Actuator, message);
        };
        let rate = match self.graph.node(angle) {
            Node::Symbol(Symbol::Coordinate(_)) => self.differentiate(&value, 0).as_scalar(),
            _ => None,
        };
        let velocity = rate.and_then(|rate| match self.graph.node(rate) {
            Node::Symbol(Symbol::Velocity(velocity)) => Some((rate, *velocity as usize)),
            _ => None,
        });
        let Some((rate, velocity)) = velocity else {
            let message = "the joint of an actuator is a scalar coordinate\n\n\
                           help: write the name of one, as `q` or `q[0]`; factors belong into `gear`";
            return self.refuse(expr, Code::Actuator, message);
        };
        if motor.is_some_and(|motor| motor.velocity == velocity) {
            let message = "the joint of an actuator is a coordinate of its own motor\n\n\
                           help: write the coordinate on the other side of the gear";
            return self.refuse(expr, Code::Actuator, message);
        }
        Some(Turned {
            angle,
            rate,
            velocity,
        })
    }

    fn evaluate_drive(&mut self, fields: &Fields<'_>) -> Option<Drive> {
        let are_paired = self.are_paired(fields);
        let gear = self.of_drive(fields, ("gear", 1), &POSITIONAL);
        let rotor = self.of_drive(fields, ("rotor", 0), &POSITIONAL);
        let viscous = self.of_drive(fields, ("viscous", 0), &[Forbidden::Input]);
        let is_dry = fields.are_sound && fields.get("smooth").is_none();
        let of_coulomb = if is_dry {
            &POSITIONAL[..]
        } else {
            &[Forbidden::Input]
        };
        let coulomb = self.of_drive(fields, ("coulomb", 0), of_coulomb);
        let coulomb = coulomb.and_then(|coulomb| match fields.field("coulomb") {
            Some(field) if is_dry => self.check_dry(field, coulomb),
            _ => Some(coulomb),
        });
        let smooth = self.of_drive(fields, ("smooth", 1), &[Forbidden::Input]);
        let smooth = smooth.and_then(|smooth| self.refuse_zero(fields, smooth));
        let torque = self.of_drive(fields, ("torque", 0), &[]);
        let elastic = self.of_drive(fields, ("elastic", 0), &POTENTIAL);
        let frame = fields.get("on").map(|expr| self.evaluate_frame(expr));
        let axis = fields.get("axis").map(|expr| {
            let axis = self.evaluate_axis(expr)?;
            Frames::unit(&mut self.graph, axis)
        });
        let carrier = match (frame, axis) {
            (Some(frame), Some(axis)) => Some((frame?, axis?)),
            _ => None,
        };
        Some(Drive {
            gear: gear?,
            rotor: rotor?,
            viscous: viscous?,
            coulomb: coulomb?,
            smooth: fields.get("smooth").and(Some(smooth?)),
            dry: fields
                .field("coulomb")
                .filter(|_| is_dry)
                .map(|(name, _)| name.clone()),
            torque: torque?,
            carrier,
            elastic: fields.get("elastic").and(Some(elastic?)),
        })
        .filter(|_| are_paired)
    }

    /// The turns of a motor are `gear` times those of its joint, and its torques act on these.
    fn note_drive(
        &mut self,
        fields: &Fields<'_>,
        drive: &Drive,
        (joint, motor): (Turned, Option<Turned>),
    ) {
        let turned = motor.unwrap_or(joint);
        let rate = turned.rate;
        let gear = drive.gear;
        let per_second = |seconds: i32, nodes: &[(NodeId, i32)]| {
            let nodes = nodes
                .iter()
                .map(|(node, power)| (Factor::Node(*node), *power));
            let first = [(Factor::Energy, 1), (Factor::Second, seconds)];
            first.into_iter().chain(nodes).collect::<Vec<_>>()
        };
        let notes = [
            (
                "rotor",
                drive.rotor,
                per_second(0, &[(gear, -2), (rate, -2)]),
                "the inertia of a rotor",
            ),
            (
                "viscous",
                drive.viscous,
                per_second(-1, &[(rate, -2)]),
                "a viscous friction",
            ),
            (
                "coulomb",
                drive.coulomb,
                per_second(-1, &[(rate, -1)]),
                "a friction",
            ),
            (
                "torque",
                drive.torque,
                per_second(-1, &[(gear, -1), (rate, -1)]),
                "the torque of a motor",
            ),
            (
                "smooth",
                drive.smooth.unwrap_or(rate),
                vec![(Factor::Node(rate), 1)],
                "a speed of the joint",
            ),
        ];
        for (field, node, factors, words) in notes {
            if let Some(expr) = fields.get(field) {
                self.note_unit(expr, &[node], &Side::new(factors, words));
            }
        }
        // The turns of a frame are added to those of its motor.
        if drive.carrier.is_some() {
            let second = (Factor::Second, -1);
            let (expr, node, factors, words) = match fields.get("gear") {
                Some(expr) => (
                    Some(expr),
                    gear,
                    vec![second, (Factor::Node(rate), -1)],
                    "a gear on a frame",
                ),
                None => (
                    fields.get("joint"),
                    rate,
                    vec![second],
                    "an angular velocity",
                ),
            };
            if let Some(expr) = expr {
                self.note_unit(expr, &[node], &Side::new(factors, words));
            }
        }
        if let (Some(expr), Some(stiffness)) = (fields.get("elastic"), drive.elastic) {
            let factors = per_second(0, &[(joint.angle, -2)]);
            self.note_unit(
                expr,
                &[stiffness],
                &Side::new(factors, "the stiffness of a gear"),
            );
            let angle = Side::node(joint.angle, "the angle of the joint");
            self.note_unit(expr, &[turned.angle], &angle);
        }
    }

    /// Returns whether each field has the field that it requires.
    fn are_paired(&mut self, fields: &Fields<'_>) -> bool {
        if !fields.are_sound {
            return false;
        }
        let mut are_paired = true;
        for (name, missing) in PAIRS {
            let (Some((field, _)), None) = (fields.field(name), fields.get(missing)) else {
                continue;
            };
            are_paired = false;
            let why = match missing {
                "coulomb" => "the friction that it smooths",
                "axis" => "the axis of the rotor in the frame, `axis: z`",
                _ => "the frame that carries the rotor",
            };
            let message = format!(
                "this actuator has `{field}`, but no `{missing}`\n\nhelp: add `{missing}: ..`, {why}"
            );
            self.errors.error(field, Code::Actuator, message);
        }
        are_paired
    }

    /// The value of a field, or its default.
    fn of_drive(
        &mut self,
        fields: &Fields<'_>,
        (name, default): (&str, i64),
        forbidden: &[Forbidden],
    ) -> Option<NodeId> {
        let Some(expr) = fields.get(name) else {
            return Some(self.graph.integer(default));
        };
        let mark = self.mark();
        let value = self.evaluate(expr)?;
        let what = format!("`{name}` of an actuator");
        self.refuse_dependence(mark, &value.entries, forbidden, &what)?;
        let value = self.expect_scalar(expr, &value, &format!("{what} is a scalar"))?;
        match name {
            "gear" => self.warn_of_gear(expr, value),
            "elastic" => self.warn_of_negative(expr, value, NEGATIVE_STIFFNESS),
            "rotor" => self.warn_of_rotor(expr, value),
            "coulomb" if fields.get("smooth").is_none() => {}
            "viscous" | "coulomb" | "smooth" => {
                self.warn_of_negative(expr, value, NEGATIVE_DAMPING);
            }
            _ => {}
        }
        Some(value)
    }

    /// Checks dry friction that sticks.
    fn check_dry(&mut self, (field, expr): (&Ident, &Expr), limit: NodeId) -> Option<NodeId> {
        if let Some(state) = self.names.states.first() {
            let message = format!(
                "dry friction that sticks, in a system with the state `{state}`\n\n\
                 help: add `smooth: ..`, the speed over which the friction changes its sign"
            );
            return self.refuse(field, Code::MisplacedState, message);
        }
        let number = self.find_constant_number(limit);
        if number.is_some_and(|number| number.to_f64() < 0.0) {
            let message = "the bound of a dry friction is not negative\n\n\
                           help: write its amount: friction is always against the motion";
            return self.refuse(expr, Code::Friction, message);
        }
        Some(limit)
    }

    fn refuse_zero(&mut self, fields: &Fields<'_>, smooth: NodeId) -> Option<NodeId> {
        match fields.get("smooth") {
            Some(expr) if self.graph.is_zero(smooth) => {
                let message = "division by zero: the friction is `coulomb * tanh(speed / smooth)`\n\n\
                               help: write a small speed, below which the friction is viscous";
                self.refuse(expr, Code::DivisionByZero, message)
            }
            _ => Some(smooth),
        }
    }

    /// The kinetic energy that the rotor has in addition to its part in the body that carries it: rotor ((w . e +
    /// gear rate)^2 - (w . e)^2) / 2, with w = 0 if no frame is given.
    fn build_energy_of_rotor(&mut self, rate: NodeId, drive: &Drive) -> NodeId {
        let graph = &mut self.graph;
        let turn = graph.mul(drive.gear, rate);
        let square = graph.product(vec![(drive.rotor, 1), (turn, 2)]);
        let energy = graph.scale(Number::HALF, square);
        let Some((frame, axis)) = drive.carrier else {
            return energy;
        };
        let spin = self.frames.spin_in_own_axes(frame);
        let along = graph.dot(&spin, &axis);
        let with_carrier = graph.product(vec![(drive.rotor, 1), (along, 1), (turn, 1)]);
        graph.add(energy, with_carrier)
    }

    /// The motor that `a.angle` or `a[i].angle` reads; `None` if this is not an actuator.
    pub(crate) fn find_motor_of(&mut self, base: &Expr, field: &Ident) -> Option<Option<Turned>> {
        let (name, indices) = base.indexed()?;
        self.find_motor(name, indices, field)
    }

    /// The motor that the name after `Q.` means; `None` if the name is no actuator.
    pub(crate) fn find_named_motor(
        &mut self,
        name: &Ident,
        parts: &[Part],
    ) -> Option<Option<Turned>> {
        match parts {
            [Part::Field(field)] => self.find_motor(name, None, field),
            [Part::Index { indices, span }, Part::Field(field)] => {
                self.find_motor(name, Some((indices, *span)), field)
            }
            _ => None,
        }
    }

    fn find_motor(
        &mut self,
        name: &Ident,
        indices: Option<(&[Expr], Span)>,
        field: &Ident,
    ) -> Option<Option<Turned>> {
        let written = text(name);
        let is_angle = field == ANGLE;
        // Values take precedence over actuators, but no value has an angle.
        if !self.motors.contains_key(&written) || !(is_angle || self.scope.find(name).is_none()) {
            return None;
        }
        if !is_angle {
            let message = format!(
                "an actuator has no `{field}`\n\nhelp: the angle of its motor is `{written}.{ANGLE}`"
            );
            return Some(self.refuse(field, Code::UnknownMember, message));
        }
        Some(self.find_motor_at(name, indices, field))
    }

    fn find_motor_at(
        &mut self,
        name: &Ident,
        indices: Option<(&[Expr], Span)>,
        field: &Ident,
    ) -> Option<Turned> {
        let written = text(name);
        let wanted_indices = match indices {
            None => None,
            Some((indices, _)) => {
                let values: Vec<Option<i64>> = indices
                    .iter()
                    .map(|index| self.evaluate_constant_integer(index, "an index"))
                    .collect();
                Some(values.into_iter().collect::<Option<Vec<i64>>>()?)
            }
        };
        let here = self.blocks.values();
        let motors = &self.motors[&written];
        let motor = motors.iter().find(|motor| match &wanted_indices {
            Some(wanted_indices) => motor.indices == *wanted_indices,
            None => here.starts_with(&motor.indices),
        });
        let Some(motor) = motor else {
            let first = &motors[0].indices;
            let last = &motors[motors.len() - 1].indices;
            let [first, last] = [first, last].map(|indices| {
                let values: Vec<String> = indices.iter().map(i64::to_string).collect();
                format!("`{written}[{}].{ANGLE}`", values.join(", "))
            });
            let (code, message) = match wanted_indices {
                None => (
                    Code::IndexCount,
                    format!(
                        "`{written}` is declared in a loop, which makes an actuator in each iteration\n\n\
                         help: write {first}"
                    ),
                ),
                Some(_) if motors[0].indices.is_empty() => (
                    Code::IndexCount,
                    format!("`{written}` is one actuator\n\nhelp: write `{written}.{ANGLE}`"),
                ),
                Some(_) => (
                    Code::IndexOutOfBounds,
                    format!("no actuator has this index\n\nhelp: they are {first} to {last}"),
                ),
            };
            let place = indices.map_or(name.span(), |(_, span)| span);
            return self.refuse(place, code, message);
        };
        if !motor.is_elastic {
            let message = format!(
                "the motor of `{written}` has no angle of its own, since its gear is rigid\n\n\
                 help: read its joint, or give the actuator an `elastic: ..`"
            );
            return self.refuse(field, Code::Actuator, message);
        }
        motor.coordinate
    }

    /// The value of a motor's coordinate.
    pub(crate) fn read_angle_of_motor(&mut self, motor: Turned, field: &Ident) -> Option<Value> {
        let value = Value::scalar(motor.angle);
        self.mention(field.span(), Source::Declared(ANGLE.to_owned()), &value);
        Some(value)
    }

    /// The explanation for the name of an actuator that is used as a value.
    pub(crate) fn actuator_in_words(&self, written: &str) -> Option<String> {
        let motor = self.motors.get(written)?.first()?;
        let read = match motor.is_elastic {
            true => format!("the coordinate of its motor is `{written}.{ANGLE}`"),
            false => "its joint is the coordinate that it turns".to_owned(),
        };
        Some(format!(
            "`{written}` is an actuator, whose name has no value: {read}"
        ))
    }
}
