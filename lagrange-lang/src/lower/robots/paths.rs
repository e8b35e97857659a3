//! Dotted names of robots: `arm.hand`, `arm.joint.elbow`, `arm.link["left hand"]`, `arm.base.position`.

use lagrange_engine::{FrameId, Rotation, Shape, Symbol};
use proc_macro2::{Ident, Span};

use super::lowered::OwnJoint;
use crate::errors::{Code, SpanRange};
use crate::lower::access::Target;
use crate::lower::evaluator::{Evaluator, Source};
use crate::lower::lookup::rotation_is_no_value;
use crate::lower::scope::BindingKind;
use crate::lower::value::Value;
use crate::robots::{Kind, Motion, written_step};
use crate::suggest;
use crate::syntax::ast::{Expr, ExprKind, Part, text};

/// The meaning of a dotted name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Member {
    /// The frame of a link.
    Link(usize),
    Joint(usize),
    /// Three position coordinates of a base or of a floating joint.
    Position(OwnJoint),
    Rotation(Rotation),
}

/// One of the names after the name of a robot.
struct Step {
    name: String,
    place: SpanRange,
}

impl Step {
    fn of(name: &Ident) -> Self {
        Step {
            name: text(name),
            place: name.into(),
        }
    }

    fn in_brackets(indices: &[Expr]) -> Option<Self> {
        let [index] = indices else { return None };
        let ExprKind::Text(name) = &index.kind else {
            return None;
        };
        Some(Step {
            name: name.clone(),
            place: index.into(),
        })
    }
}

/// A resolved dotted name: its robot and its meaning.
struct Found {
    robot: usize,
    member: Member,
}

impl Evaluator<'_> {
    /// The robot and the steps of a dotted name; `None` if it is not one, or has an index.
    fn find_steps<'x>(&self, expr: &'x Expr) -> Option<(usize, &'x Ident, Vec<Step>)> {
        let mut steps = Vec::new();
        let mut inner = expr;
        loop {
            match &inner.kind {
                ExprKind::Field { base, name } => {
                    steps.push(Step::of(name));
                    inner = base;
                }
                ExprKind::Index { base, indices, .. } => {
                    steps.push(Step::in_brackets(indices)?);
                    inner = base;
                }
                ExprKind::Name { name, dots: 0 } if !steps.is_empty() => {
                    let robot = self.find_robot(name)?;
                    steps.reverse();
                    return Some((robot, name, steps));
                }
                _ => return None,
            }
        }
    }

    /// `arm.link.hand`, if an expression is the dotted name of a robot.
    pub(in super::super) fn write_path(&self, expr: &Expr) -> Option<String> {
        let (_, name, steps) = self.find_steps(expr)?;
        Some(written(name, &steps))
    }

    /// Index of the robot of this name.
    pub(in super::super) fn find_robot(&self, name: &Ident) -> Option<usize> {
        match self.scope.find(name)?.kind {
            BindingKind::Robot(robot) => Some(robot),
            _ => None,
        }
    }

    /// The meaning of a dotted name, and the number of steps that it uses. The remaining steps read a part of it. Links
    /// come before joints of the same name, except as the target of a force.
    fn resolve(&self, robot: usize, steps: &[Step], joints_first: bool) -> Option<(Member, usize)> {
        let declared = &self.robots[robot];
        let name = |index: usize| steps.get(index).map(|step| step.name.as_str());
        let first = name(0)?;
        if let (Some(base), "base") = (declared.base, first) {
            return Some(match name(1) {
                Some("position") => (Member::Position(base), 2),
                Some("rotation") => (Member::Rotation(base.rotation()), 2),
                _ => (Member::Link(declared.plan.root), 1),
            });
        }
        let joint = |joint: &str, next: usize| {
            let joint = declared.plan.joint(joint)?;
            let is_floating = declared.plan.joints[joint].kind == Kind::Floating;
            let floating = declared.joints[joint].filter(|_| is_floating);
            Some(match (floating, name(next)) {
                (Some(joint), Some("position")) => (Member::Position(joint), next + 1),
                (Some(joint), Some("rotation")) => (Member::Rotation(joint.rotation()), next + 1),
                _ => (Member::Joint(joint), next),
            })
        };
        let link = |link: &str, next: usize| Some((Member::Link(declared.plan.link(link)?), next));
        let explicit = match (first, name(1)) {
            ("link", Some(second)) => link(second, 2),
            ("joint", Some(second)) => joint(second, 2),
            _ => None,
        };
        explicit.or_else(|| match joints_first {
            true => joint(first, 1).or_else(|| link(first, 1)),
            false => link(first, 1).or_else(|| joint(first, 1)),
        })
    }

    /// The meaning of a whole expression, if it is the dotted name of a robot.
    fn find_member(&self, expr: &Expr) -> Option<Found> {
        let (robot, _, steps) = self.find_steps(expr)?;
        let (member, count) = self.resolve(robot, &steps, false)?;
        (count == steps.len()).then_some(Found { robot, member })
    }

    /// Returns whether a dotted name denotes a frame.
    pub(in super::super) fn is_frame_of_robot(&self, expr: &Expr) -> bool {
        let member = self.find_member(expr).map(|resolved| resolved.member);
        matches!(member, Some(Member::Link(_)))
    }

    /// Makes the frame of a dotted name, which must denote a frame.
    pub(in super::super) fn find_frame_of_robot(&mut self, expr: &Expr) -> Option<FrameId> {
        let resolved = self.find_member(expr)?;
        let Member::Link(link) = resolved.member else {
            return None;
        };
        self.read_robot(expr);
        self.find_frame_of_link(resolved.robot, link)
    }

    /// Notes that a robot is read.
    fn read_robot(&mut self, expr: &Expr) {
        if let Some(name) = expr.first_name()
            && let Some(binding) = self.scope.find_mut(name)
        {
            binding.read = true;
        }
    }

    /// The rotation that a dotted name denotes.
    pub(in super::super) fn find_rotation_of_robot(&mut self, expr: &Expr) -> Option<Rotation> {
        match self.find_member(expr)?.member {
            Member::Rotation(rotation) => {
                self.read_robot(expr);
                Some(rotation)
            }
            _ => None,
        }
    }

    /// The velocities of a part whose coordinates are not the integrals of its velocities:
    /// `der(arm.base.rotation)`, a floating joint, or a robot that contains one.
    pub(in super::super) fn find_rates_of_robot(
        &mut self,
        function: &Ident,
        of: &Expr,
    ) -> Option<Value> {
        let range = match &of.kind {
            ExprKind::Name { name, dots: 0 } => {
                let robot = self.find_robot(name)?;
                let velocities = self.robots[robot].velocities.clone();
                self.robot_floats(robot).then_some(velocities)?
            }
            _ => {
                let resolved = self.find_member(of)?;
                match resolved.member {
                    Member::Rotation(rotation) => rotation.velocity..rotation.velocity + 3,
                    Member::Joint(joint) => {
                        let robot = &self.robots[resolved.robot];
                        let is_floating = robot.plan.joints[joint].kind == Kind::Floating;
                        let first = robot.joints[joint].filter(|_| is_floating)?.velocity;
                        first..first + 6
                    }
                    _ => return None,
                }
            }
        };
        self.read_robot(of);
        let graph = &mut self.graph;
        let rates = range
            .map(|i| graph.symbol(Symbol::Velocity(i as u32)))
            .collect();
        let rates = Value::vector(rates);
        self.mention(function.span(), Source::Derivative, &rates);
        Some(rates)
    }

    /// Returns whether a joint of the robot has a rotation among its coordinates.
    pub(in super::super) fn robot_floats(&self, robot: usize) -> bool {
        let (coordinates, velocities) = self.robots[robot].plan.sizes();
        coordinates > velocities
    }

    /// The value of a dotted name. The outer `None` means that the expression is not one, so its base is examined.
    pub(in super::super) fn evaluate_robot(&mut self, expr: &Expr) -> Option<Option<Value>> {
        let (robot, name, steps) = self.find_steps(expr)?;
        let Some((member, count)) = self.resolve(robot, &steps, false) else {
            self.read_robot(expr);
            return Some(self.refuse_unknown_member(robot, name, &steps));
        };
        if count < steps.len() {
            return None;
        }
        self.read_robot(expr);
        let written = written(name, &steps);
        let value = self.evaluate_member(robot, member, &written, expr);
        if let Some(value) = &value {
            let source = Source::Declared(written);
            self.mention(expr.first, source, value);
        }
        Some(value)
    }

    fn evaluate_member(
        &mut self,
        robot: usize,
        member: Member,
        written: &str,
        expr: &Expr,
    ) -> Option<Value> {
        let joint = match member {
            Member::Link(link) => {
                let name = self.robots[robot].plan.links[link].name.clone();
                self.excuse_words_behind(robot, &name, expr.first);
                let message = format!(
                    "`{written}` is a frame, not a value\n\n\
                     help: values of it are `{written}.origin`, `{written}.rotation` and `{written}.point(v)`"
                );
                return self.refuse(expr, Code::NotAValue, message);
            }
            Member::Rotation(_) => {
                return self.refuse(expr, Code::NotAValue, rotation_is_no_value(written, false));
            }
            Member::Position(own) => {
                let entries = self.make_coordinate_symbols(own.coordinate);
                return Some(Value::vector(entries.to_vec()));
            }
            Member::Joint(joint) => joint,
        };
        let kind = self.robots[robot].plan.joints[joint].kind;
        match (kind, self.robots[robot].joints[joint]) {
            (Kind::Fixed, _) => {
                let message = format!(
                    "`{written}` is fixed and has no value\n\n\
                     help: write a number, or read the frame of a link"
                );
                self.refuse(expr, Code::RobotJoint, message)
            }
            (Kind::Planar { .. }, Some(joint)) => {
                let entries = self.make_coordinate_symbols(joint.coordinate);
                Some(Value::vector(entries.to_vec()))
            }
            (Kind::Floating, _) => {
                let message = format!(
                    "`{written}` is a floating joint, not a value\n\n\
                     help: it has `{written}.position` and the rotation `{written}.rotation`; its velocities \
                     are `der({written})`"
                );
                self.refuse(expr, Code::NotAValue, message)
            }
            _ => self.evaluate_joint_value(robot, joint).map(Value::scalar),
        }
    }

    /// A name that is neither a link nor a joint.
    fn refuse_unknown_member<T>(
        &mut self,
        robot: usize,
        name: &Ident,
        steps: &[Step],
    ) -> Option<T> {
        let declared = &self.robots[robot];
        let links = declared.plan.links.iter().map(|link| link.name.as_str());
        let joints = declared.plan.joints.iter().map(|joint| joint.name.as_str());
        let (what, step, names): (&str, Option<&Step>, Vec<&str>) =
            match steps.first().map(|step| step.name.as_str()) {
                Some("link") => ("link", steps.get(1), links.clone().collect()),
                Some("joint") => ("joint", steps.get(1), joints.collect()),
                _ => (
                    "link or joint",
                    steps.first(),
                    links.clone().chain(joints).collect(),
                ),
            };
        let Some(step) = step else {
            let place = steps.first().map_or(name.into(), |step| step.place);
            let message = format!(
                "which {what} of `{name}`?\n\nhelp: write its name, `{name}.{what}.{}`",
                names.first().copied().unwrap_or("elbow")
            );
            return self.refuse(place, Code::RobotName, message);
        };
        let wanted = step.name.clone();
        let other = match what {
            "link" => declared.plan.link_of_joint(&wanted),
            "joint" => declared.plan.joint_of_link(&wanted),
            _ => None,
        };
        let longer = || {
            names
                .iter()
                .copied()
                .find(|name| words_behind(name, &wanted).is_some())
        };
        let nearest = || suggest::nearest(&wanted, names.iter().copied()).or_else(longer);
        let help = match other {
            Some(other) => other,
            None => match nearest() {
                // Behind a point only an identifier is read as a name.
                Some(nearest) => match written_step(nearest).strip_prefix('.') {
                    Some(nearest) => format!("\n\nhelp: did you mean `{nearest}`?"),
                    None => {
                        let is_link = links.clone().any(|link| link == nearest);
                        let kind = if is_link { "link" } else { "joint" };
                        format!("\n\nhelp: did you mean `{name}.{kind}[{nearest:?}]`?")
                    }
                },
                None => format!(
                    "\n\nhelp: the names are those of the file `{}`",
                    declared.path
                ),
            },
        };
        let place = step.place;
        let message = format!("`{name}` has no {what} `{wanted}`{help}");
        self.excuse_words_behind(robot, &wanted, name.span());
        self.refuse(place, Code::RobotName, message)
    }

    /// Silences the words with which names of a file go on behind an identifier: `arm.left-hand` is read as the difference of
    /// `arm.left` and `hand`.
    fn excuse_words_behind(&mut self, robot: usize, read: &str, place: Span) {
        let plan = &self.robots[robot].plan;
        let links = plan.links.iter().map(|link| &link.name);
        let names = links.chain(plan.joints.iter().map(|joint| &joint.name));
        let words: Vec<Ident> = names
            .filter_map(|name| words_behind(name, read))
            .flatten()
            .filter_map(|word| syn::parse_str::<Ident>(word).ok())
            .collect();
        for mut word in words {
            word.set_span(place);
            if self.scope.find(&word).is_none() {
                self.scope.declare_unknown(&word);
            }
        }
    }

    /// Refuses a robot as a value if no joint has a coordinate, or if some joint has a rotation.
    pub(in super::super) fn refuse_vector<T>(&mut self, robot: usize, name: &Ident) -> Option<T> {
        if self.robots[robot].velocities.is_empty() {
            let message = format!(
                "`{name}` has no joint that moves by itself\n\n\
                 help: remove this, or lock fewer joints"
            );
            return self.refuse(name, Code::RobotJoint, message);
        }
        let message = format!(
            "`{name}` has a floating joint, whose coordinates are no vector\n\n\
             help: `der({name})` is the vector of its velocities, and coordinates are read by the names of joints"
        );
        self.refuse(name, Code::NotAValue, message)
    }

    /// The velocities of `arm`, of a joint, or of a part of either.
    pub(in super::super) fn find_coordinate_of_robot(
        &mut self,
        (robot, name): (usize, &Ident),
        part: Option<&Part>,
        help: &str,
    ) -> Option<Target> {
        let range = self.robots[robot].velocities.clone();
        let parts = part.map_or(&[][..], Part::all);
        let steps: Vec<Step> = parts
            .iter()
            .map_while(|part| match part {
                Part::Field(name) => Some(Step::of(name)),
                Part::Index { indices, .. } => Step::in_brackets(indices),
                Part::Path(_) => None,
            })
            .collect();
        if steps.is_empty() && range.is_empty() {
            return self.refuse_vector(robot, name);
        }
        if steps.is_empty() {
            let whole = Target::whole(range.start, Shape::Vector(range.len()));
            return self.narrow(whole, parts);
        }
        let Some((member, count)) = self.resolve(robot, &steps, true) else {
            return self.refuse_unknown_member(robot, name, &steps);
        };
        let written = written(name, &steps[..count]);
        let place = steps[count - 1].place;
        let (first, shape) = match member {
            Member::Link(_) => {
                let message = match steps[count - 1].name == "base" && count == 1 {
                    true => format!(
                        "the base of `{name}` has two coordinates\n\n\
                         help: write `{written}.position` or `{written}.rotation`"
                    ),
                    false => format!("`{written}` is a link\n\nhelp: {help}"),
                };
                return self.refuse(place, Code::WrongRole, message);
            }
            Member::Position(own) => (own.velocity, Shape::Vector(3)),
            Member::Rotation(rotation) => (rotation.velocity, Shape::Vector(3)),
            Member::Joint(joint) => {
                self.find_velocities_of_joint(robot, joint, (&written, place))?
            }
        };
        self.narrow(Target::whole(first, shape), &parts[count..])
    }

    fn find_velocities_of_joint(
        &mut self,
        robot: usize,
        joint: usize,
        (written, place): (&str, SpanRange),
    ) -> Option<(usize, Shape)> {
        let declared = &self.robots[robot];
        let this = &declared.plan.joints[joint];
        let message = match this.motion {
            Motion::Free => {
                let first = declared.joints[joint]?.velocity;
                return Some(match this.kind.sizes().1 {
                    1 => (first, Shape::Scalar),
                    count => (first, Shape::Vector(count)),
                });
            }
            Motion::Follows { leader, .. } => {
                let leader = &declared.plan.joints[leader].name;
                format!(
                    "`{written}` follows the joint `{leader}` and has no coordinate of its own\n\n\
                     help: give `Q` on `{leader}`, with the multiplier of the `<mimic>`"
                )
            }
            Motion::Held(_) if this.kind == Kind::Fixed => {
                format!("`{written}` is fixed and has no coordinate\n\nhelp: remove this")
            }
            Motion::Held(_) => format!(
                "`{written}` is locked and has no coordinate\n\n\
                 help: remove this, or take the joint (or the one that it follows) out of `lock`"
            ),
        };
        self.refuse(place, Code::RobotJoint, message)
    }
}

/// The words of a name behind its first one, if this is `read` and no identifier is longer.
fn words_behind<'n>(name: &'n str, read: &str) -> Option<impl Iterator<Item = &'n str>> {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let behind = name.strip_prefix(read)?;
    let ends = behind.starts_with(|c: char| !is_part(c));
    ends.then(|| behind.split(move |c: char| !is_part(c)))
}

/// `arm.joint.elbow`, as it is written.
fn written(name: &Ident, steps: &[Step]) -> String {
    let steps = steps
        .iter()
        .map(|step| written_step(&step.name))
        .collect::<String>();
    text(name) + &steps
}
