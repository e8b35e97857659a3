//! Robots of the head: reads and checks their files and options.

mod declare;

use std::collections::HashSet;
use std::rc::Rc;

use lagrange_engine::Dependence;
use proc_macro2::Span;

use super::Fields;
use super::sizes::MAX_STATE;
use crate::errors::Code;
use crate::lower::warnings::{NEGATIVE_DAMPING, principal_moments};
use crate::model::Warning;
use crate::robots::{self, Kind, MistakeKind, Motion, Options, Place, Robot, RobotJoint};
use crate::suggest;
use crate::syntax::ast::{Expr, FieldDef, RobotDef, RobotOption, RobotOptionKind, RobotPart};

/// The subject of messages on values of options.
pub(crate) const OPTION: &str = "this option";

/// The options of a robot field.
#[derive(Default)]
struct Said<'x> {
    is_free: bool,
    parameters: Vec<&'x RobotPart>,
    /// The width of smooth friction. The inner value is `None` for `friction: ignore`.
    friction: Option<Option<f64>>,
    is_given: bool,
}

/// The path of a robot's file, and the span of the path.
#[derive(Clone, Copy)]
struct Written<'x> {
    path: &'x str,
    span: Span,
}

impl Fields<'_> {
    /// Refuses robots without a moving joint if nothing else moves. Returns whether it refused.
    pub(super) fn is_still(&mut self) -> bool {
        let robot = self.evaluator.robots.first();
        let Some(robot) = robot.filter(|_| self.head.coordinates.is_empty()) else {
            return false;
        };
        // A joint that cannot be locked may be the one that moves.
        if !self.evaluator.errors.is_empty() {
            return true;
        }
        let message = format!(
            "no coordinate is left: no joint of `{}` moves\n\n\
             help: write `base: free`, lock fewer joints, or `place` the robot on a frame that moves",
            robot.path
        );
        let span = robot.span;
        self.evaluator.errors.error(span, Code::RobotTree, message);
        true
    }

    /// `left, right: robot = "path" { .. }`
    pub(super) fn declare_robot_field(&mut self, field: &FieldDef) {
        let declared = self.read_robot(field);
        let Some((plan, said, written)) = declared else {
            for name in &field.names {
                self.declare_mistaken(name);
            }
            return;
        };
        let plan = Rc::new(plan);
        self.warn_of_links(&plan, &said, written, field);
        for name in &field.names {
            self.declare_robot(name, &plan, &said, written, field);
        }
    }

    fn read_robot<'x>(&mut self, field: &'x FieldDef) -> Option<(Robot, Said<'x>, Written<'x>)> {
        let RobotDef { path, options } = field.robot.as_ref()?;
        let (path, span) = path.as_ref().map(|(path, span)| (path, *span))?;
        let written = Written { path, span };
        let (said, locks) = self.read_robot_options(options);
        let text = self.read_robot_text(written)?;
        let locked = locks
            .iter()
            .map(|(part, value)| (part.name.clone(), *value));
        let options = Options {
            locked: locked.collect(),
        };
        let plan = match robots::read(&text, &options) {
            Ok(plan) => plan,
            Err(mistakes) => {
                for mistake in mistakes {
                    let place = mistake
                        .place
                        .map(|place| place.in_file(path) + ": ")
                        .unwrap_or_default();
                    let message = place + &mistake.message;
                    let code = match mistake.kind {
                        MistakeKind::File => Code::RobotFile,
                        MistakeKind::Tree => Code::RobotTree,
                    };
                    self.evaluator.errors.error_of_file(span, code, message);
                }
                return None;
            }
        };
        self.check_locks(&plan, &locks);
        let (coordinates, _) = plan.sizes();
        let each = coordinates + if said.is_free { 7 } else { 0 };
        let earlier = self.evaluator.names.coordinates.len();
        let total = earlier + each * field.names.len();
        if total > MAX_STATE {
            let message = format!(
                "a system has at most {MAX_STATE} coordinates, with these it has {total}\n\n\
                 help: hold joints by `lock: {{ joint: 0 }}`"
            );
            self.evaluator.errors.error(span, Code::TooMany, message);
            return None;
        }
        Some((plan, said, written))
    }

    fn read_robot_text(&mut self, Written { path, span }: Written<'_>) -> Option<String> {
        match self.evaluator.folder.read(path) {
            Ok(text) => Some(text),
            Err(message) => {
                let errors = &mut self.evaluator.errors;
                errors.error_of_file(span, Code::RobotFile, message);
                None
            }
        }
    }

    fn read_robot_options<'x>(
        &mut self,
        options: &'x [RobotOption],
    ) -> (Said<'x>, Vec<(&'x RobotPart, f64)>) {
        let (mut said, mut locks) = (Said::default(), Vec::new());
        for option in options {
            match &option.kind {
                RobotOptionKind::FreeBase => said.is_free = true,
                RobotOptionKind::InertiaAsGiven => said.is_given = true,
                RobotOptionKind::Parameters(parts) => said.parameters = parts.iter().collect(),
                RobotOptionKind::Friction(width) => {
                    said.friction = Some(width.as_ref().and_then(|width| self.read_width(width)));
                }
                RobotOptionKind::Lock(held) => {
                    for (part, value) in held {
                        let value = self.read_constant(value, "the value of a locked joint");
                        locks.push((part, value.unwrap_or(0.0)));
                    }
                }
            }
        }
        (said, locks)
    }

    fn read_width(&mut self, expr: &Expr) -> Option<f64> {
        let width = self.read_constant(expr, "the width of smooth friction")?;
        if width > 0.0 {
            return Some(width);
        }
        let message =
            "the width of smooth friction is a positive velocity\n\nhelp: write `smooth(0.01)`";
        self.evaluator.refuse(expr, Code::RobotOption, message)
    }

    /// A number known at compile time.
    fn read_constant(&mut self, expr: &Expr, what: &str) -> Option<f64> {
        let evaluator = &mut self.evaluator;
        let outer = evaluator.enter(OPTION.to_owned());
        let value = evaluator.evaluate(expr);
        evaluator.leave(outer);
        let value = value?;
        let number = value
            .as_scalar()
            .filter(|node| evaluator.graph.dependence(*node) == Dependence::NONE)
            .map(|node| evaluator.graph.evaluate(&[node], &|_| 0.0)[0]);
        if number.is_none_or(|number| !number.is_finite()) {
            let message = format!("{what} is a constant number\n\nhelp: write the number");
            return evaluator.refuse(expr, Code::RobotOption, message);
        }
        number
    }

    fn check_locks(&mut self, plan: &Robot, locks: &[(&RobotPart, f64)]) {
        let mut seen = HashSet::new();
        for (part, _) in locks {
            let name = &part.name;
            let joint = plan.joint(name).map(|joint| &plan.joints[joint]);
            let (code, message) = match joint {
                None => {
                    let names = plan.joints.iter().map(|joint| joint.name.as_str());
                    let help = plan.joint_of_link(name);
                    let help = help.unwrap_or_else(|| suggest::help(name, names));
                    let message = format!("the robot has no joint `{name}`{help}");
                    (Code::RobotName, message)
                }
                Some(joint) => {
                    let message = match (&joint.follows, joint.kind) {
                        (Some(leader), _) => &format!("follows `{leader}`\n\nhelp: lock that one"),
                        _ if !seen.insert(name) => "is locked twice\n\nhelp: remove one of them",
                        (_, Kind::Fixed) => "is fixed already\n\nhelp: remove it from the list",
                        (_, Kind::Planar { .. } | Kind::Floating) => {
                            "has more than one coordinate\n\n\
                             help: hold it by `holonomic` constraints, or make it `fixed` in the file"
                        }
                        (_, Kind::Turn(_) | Kind::Slide(_)) => continue,
                    };
                    (Code::RobotOption, format!("the joint `{name}` {message}"))
                }
            };
            self.evaluator.errors.error(part.span, code, message);
        }
    }

    /// Warns of implausible inertia, of negative damping and friction, and of friction that is left out.
    fn warn_of_links(
        &mut self,
        plan: &Robot,
        said: &Said<'_>,
        Written { path, span }: Written<'_>,
        field: &FieldDef,
    ) {
        let mut warn = |code, name, place: Place, message: String| {
            self.robot_warnings.push(Warning {
                span,
                code,
                name,
                message: format!("{}: {message}", place.in_file(path)),
                attributes: field.attributes.clone(),
            });
        };
        let suspects = match said.is_given {
            true => Vec::new(),
            false => robots::find_suspects(plan, principal_moments),
        };
        for suspect in suspects {
            let message = format!(
                "{}; `inertia: as_given` takes them as they are",
                suspect.message
            );
            let code = Code::ImpossibleLink;
            warn(code, "impossible_inertia", suspect.place, message);
        }
        let has_smooth_friction = said.friction.flatten().is_some();
        for (word, is_used, value) in [
            (
                "damping",
                true,
                (|joint| joint.damping) as fn(&RobotJoint) -> f64,
            ),
            ("friction", has_smooth_friction, |joint| joint.friction.0),
        ] {
            let mut negative = plan
                .joints
                .iter()
                .filter(|joint| joint.takes_forces())
                .filter(|joint| is_used && value(joint) < 0.0);
            if let Some(first) = negative.next() {
                let (name, why) = NEGATIVE_DAMPING;
                let message = format!(
                    "the {word} of the joint `{}` is {}{}; {why}",
                    first.name,
                    value(first),
                    and_others(negative.count())
                );
                warn(Code::NegativeCoefficient, name, first.friction.1, message);
            }
        }
        if said.friction.is_some() {
            return;
        }
        let has_friction = |joint: &&RobotJoint| {
            joint.friction.0 != 0.0 && !matches!(joint.motion, Motion::Held(_))
        };
        let mut rubbing = plan.joints.iter().filter(has_friction);
        if let Some(first) = rubbing.next() {
            let (value, place) = first.friction;
            let others = and_others(rubbing.count());
            let message = format!(
                "the friction {value} of the joint `{}` is left out{others}; write \
                 `friction: smooth(0.01)` for `{value} tanh(v / 0.01)`, or `friction: ignore`",
                first.name
            );
            warn(Code::FrictionLeftOut, "friction_left_out", place, message);
        }
    }
}

/// `, and that of 2 other joints`
fn and_others(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", and that of 1 other joint".to_owned(),
        count => format!(", and that of {count} other joints"),
    }
}
