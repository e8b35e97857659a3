//! A robot as the text of a declaration: coordinates, parameters, values of joints that others move, frames, bodies,
//! damping and friction.

use std::collections::HashSet;
use std::fmt::Write;
use std::rc::Rc;

use proc_macro2::Ident;

use super::document::Place;
use super::inertia::{merge_lumps, ten_numbers};
use super::numbers::Angle;
use super::tree::{Kind, Motion, Robot, RobotJoint};
use crate::syntax::field_of;

/// Maximum number of digits of a number from a file. A longer one comes from arithmetic.
const DIGITS: usize = 14;

/// A robot and its options.
pub(crate) struct Declaration {
    pub(crate) robot: Rc<Robot>,
    /// The name of the field.
    pub(crate) name: String,
    /// `base: free`
    pub(crate) has_free_base: bool,
    /// The links whose ten inertial parameters are parameters of the system.
    pub(crate) parameters: Vec<usize>,
    /// The width of smooth friction.
    pub(crate) friction: Option<f64>,
}

/// The names of the parts of a robot in its text.
struct Names {
    base: String,
    /// The frame of each link.
    links: Vec<String>,
    /// The coordinate of each joint.
    joints: Vec<String>,
    /// Separates a joint from its part.
    dot: char,
}

/// `.elbow` or `["left elbow"]`
pub(crate) fn written_step(name: &str) -> String {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => format!(".{name}"),
        Err(_) => format!("[{name:?}]"),
    }
}

impl Declaration {
    /// The coordinates in order: the name, `arm.elbow`, the place in the file, and the role.
    pub(crate) fn coordinates(&self) -> Vec<(String, Place, &'static str)> {
        self.list_coordinates(&self.name_parts(|_, name| format!("{}.{name}", self.name), '.'))
    }

    fn list_coordinates(&self, names: &Names) -> Vec<(String, Place, &'static str)> {
        let moving = self
            .robot
            .joints
            .iter()
            .zip(&names.joints)
            .filter(|(joint, _)| joint.is_free())
            .map(|(joint, name)| (name, joint.place, joint.kind));
        let root = self.robot.links[self.robot.root].place;
        let base = self
            .has_free_base
            .then_some((&names.base, root, Kind::Floating));
        base.into_iter()
            .chain(moving)
            .flat_map(|(name, place, kind)| {
                let part = |part| format!("{name}{}{part}", names.dot);
                match kind {
                    Kind::Floating => vec![
                        (part("position"), place, "coordinate[3]"),
                        (part("rotation"), place, "rotation"),
                    ],
                    Kind::Planar { .. } => vec![(name.clone(), place, "coordinate[3]")],
                    _ => vec![(name.clone(), place, "coordinate")],
                }
            })
            .collect()
    }

    /// The names that `name` gives to `base`, `joint` and `link` with their names in the file.
    fn name_parts(&self, mut name: impl FnMut(&str, &str) -> String, dot: char) -> Names {
        let (links, joints) = (self.robot.links.iter(), self.robot.joints.iter());
        Names {
            base: name("base", "base"),
            joints: joints.map(|joint| name("joint", &joint.name)).collect(),
            links: links.map(|link| name("link", &link.name)).collect(),
            dot,
        }
    }

    /// `arm_hand`, the field with the ten inertial parameters of a link.
    pub(crate) fn parameter(&self, link: usize) -> String {
        field_of(&[self.name.clone(), self.robot.links[link].name.clone()])
    }

    /// The documentation of [`Self::parameter`].
    pub(crate) fn describe_parameter(&self, link: usize) -> String {
        format!(
            "Mass, first moments and moments of inertia about the origin of the link `{}`: m, m c (3), \
             Ixx, Ixy, Iyy, Ixz, Iyz, Izz.",
            self.robot.links[link].name
        )
    }

    /// The statements in a declaration that has the robot as a field: a `let` for each joint that has a value and no
    /// coordinate, a `frame` for each link, the root first, then bodies and forces. The names that they declare have no
    /// meaning.
    pub(crate) fn write_statements(&self) -> String {
        let robot = match syn::parse_str::<Ident>(&self.name) {
            Ok(_) => self.name.clone(),
            Err(_) => format!("r#{}", self.name),
        };
        let name = |kind: &str, name: &str| match kind {
            "base" => format!("{robot}.base"),
            _ => format!("{robot}.{kind}{}", written_step(name)),
        };
        self.write_parts(&self.name_parts(name, '.'))
    }

    /// A declaration of its own, with the same equations.
    pub(crate) fn write_declaration(&self) -> String {
        let mut taken: HashSet<String> = self
            .parameters
            .iter()
            .map(|link| self.parameter(*link))
            .collect();
        let free = |_: &str, name: &str| {
            let mut name = field_of(&[self.name.clone(), name.to_owned()]);
            loop {
                let names = ["", "_position", "_rotation"].map(|part| format!("{name}{part}"));
                if names.iter().all(|name| !taken.contains(name)) {
                    taken.extend(names);
                    return name;
                }
                name.push('_');
            }
        };
        let names = self.name_parts(free, '_');
        let mut text = "#[allow(unused_variables)]\nstruct Robot {\n".to_owned();
        for (name, _, role) in self.list_coordinates(&names) {
            let _ = writeln!(text, "    {name}: {role},");
        }
        for link in &self.parameters {
            let (name, docs) = (self.parameter(*link), self.describe_parameter(*link));
            let values = write_list(&ten_numbers(&self.robot, *link).map(write_number));
            let _ = writeln!(
                text,
                "    #[doc = {docs:?}]\n    {name}: parameter[10] = {values},"
            );
        }
        text + "}\n" + &self.write_parts(&names)
    }

    fn write_parts(&self, names: &Names) -> String {
        let mut text = String::new();
        let declared = |name: &str| match names.dot {
            '.' => "part".to_owned(),
            _ => name.to_owned(),
        };
        for (number, joint) in self.robot.joints.iter().enumerate() {
            if let Some(value) = write_value(joint, names) {
                let _ = writeln!(text, "let {} = {value};", declared(&names.joints[number]));
            }
        }
        let root = match self.has_free_base {
            true => format!(
                "world.translate({0}{1}position).rotate({0}{1}rotation)",
                names.base, names.dot
            ),
            false => "world".to_owned(),
        };
        let _ = writeln!(
            text,
            "frame {} = {root};",
            declared(&names.links[self.robot.root])
        );
        for number in &self.robot.order {
            let joint = &self.robot.joints[*number];
            let frame = write_frame(joint, &names.joints[*number], names);
            let _ = writeln!(
                text,
                "frame {} = {frame};",
                declared(&names.links[joint.child])
            );
        }
        for lump in merge_lumps(&self.robot, |link| !self.parameters.contains(&link)) {
            let _ = writeln!(
                text,
                "body {{ frame: {}, mass: {}, at: {}, inertia: {} }}",
                names.links[lump.link],
                write_number(lump.mass),
                write_vector(lump.centre),
                write_list(&lump.inertia.map(write_vector))
            );
        }
        for link in &self.parameters {
            let _ = writeln!(
                text,
                "{}",
                write_parameter_bodies(&names.links[*link], &self.parameter(*link))
            );
        }
        for joint in 0..self.robot.joints.len() {
            self.push_forces(joint, names, &mut text);
        }
        text
    }

    /// Damping, and smooth friction, of a joint with one coordinate.
    fn push_forces(&self, number: usize, names: &Names, text: &mut String) {
        let joint = &self.robot.joints[number];
        let (leader, multiplier) = match joint.motion {
            _ if !joint.takes_forces() => return,
            Motion::Follows {
                leader, multiplier, ..
            } => (leader, multiplier),
            _ => (number, 1.0),
        };
        let leader = &names.joints[leader];
        if joint.damping != 0.0 {
            let factor = write_number(joint.damping * multiplier * multiplier / 2.0);
            let _ = writeln!(text, "D += {factor} * der({leader})^2;");
        }
        if let Some(width) = self.friction
            && joint.friction.0 != 0.0
        {
            let (force, rate) = (
                write_number(-joint.friction.0 * multiplier),
                write_number(multiplier / width),
            );
            let _ = writeln!(
                text,
                "Q.{leader} += {force} * tanh({rate} * der({leader}));"
            );
        }
    }
}

/// The value of a joint that another one moves, or that is held.
fn write_value(joint: &RobotJoint, names: &Names) -> Option<String> {
    match joint.motion {
        _ if !joint.has_value() => None,
        Motion::Free => None,
        Motion::Held(value) => Some(match joint.kind {
            Kind::Turn(_) => write_angle(Angle::exact(value)),
            _ => write_number(value),
        }),
        Motion::Follows {
            leader,
            multiplier,
            offset,
        } => {
            let leader = &names.joints[leader];
            let (multiplier, offset) = (write_number(multiplier), write_number(offset));
            Some(format!("{multiplier} * {leader} + {offset}"))
        }
    }
}

/// The frame of the child of a joint.
fn write_frame(joint: &RobotJoint, value: &str, names: &Names) -> String {
    let mut text = names.links[joint.parent].clone();
    let origin = &joint.origin;
    if origin.xyz != [0.0; 3] {
        text += &format!(".translate({})", write_vector(origin.xyz));
    }
    let turning: Vec<usize> = (0..3)
        .filter(|axis| origin.rpy[*axis].quarters != Some(0))
        .collect();
    match turning[..] {
        [] => {}
        // A joint about the same axis merges with this angle as an offset.
        [axis] => {
            let along = ["x", "y", "z"][axis];
            text += &format!(".rotate({along}, {})", write_angle(origin.rpy[axis]));
        }
        _ => {
            let rows = origin
                .rotation()
                .map(|row| write_list(&row.map(write_double)));
            text += &format!(".orient({})", write_list(&rows));
        }
    }
    let dot = names.dot;
    match joint.kind {
        Kind::Turn(axis) => text += &format!(".rotate({}, {value})", write_vector(axis)),
        Kind::Slide(axis) => {
            let along = axis.map(|entry| format!("{} * {value}", write_number(entry)));
            text += &format!(".translate({})", write_list(&along));
        }
        Kind::Planar { axis, is_opposite } if joint.is_free() => {
            let (mut along, mut about) = (["0"; 3].map(str::to_owned), [0.0; 3]);
            along[(axis + 1) % 3] = format!("{value}[0]");
            along[(axis + 2) % 3] = format!("{value}[1]");
            about[axis] = if is_opposite { -1.0 } else { 1.0 };
            let (along, about) = (write_list(&along), write_vector(about));
            text += &format!(".translate({along}).rotate({about}, {value}[2])");
        }
        Kind::Floating if joint.is_free() => {
            text += &format!(".translate({value}{dot}position).rotate({value}{dot}rotation)");
        }
        Kind::Fixed | Kind::Planar { .. } | Kind::Floating => {}
    }
    text
}

/// Bodies that have ten inertial parameters together. Each parameter enters linearly: a first moment is a point mass
/// at unit distance, and the body at the origin carries the rest.
fn write_parameter_bodies(frame: &str, p: &str) -> String {
    format!(
        "body {{ frame: {frame}, mass: {p}[0] - {p}[1] - {p}[2] - {p}[3], inertia: [\
         [{p}[4] - {p}[2] - {p}[3], {p}[5], {p}[7]], [{p}[5], {p}[6] - {p}[3] - {p}[1], {p}[8]], \
         [{p}[7], {p}[8], {p}[9] - {p}[1] - {p}[2]]] }}\n\
         body {{ frame: {frame}, mass: {p}[1], at: [1, 0, 0] }}\n\
         body {{ frame: {frame}, mass: {p}[2], at: [0, 1, 0] }}\n\
         body {{ frame: {frame}, mass: {p}[3], at: [0, 0, 1] }}"
    )
}

/// Multiples of pi/2 are exact; any other angle is a number.
fn write_angle(angle: Angle) -> String {
    match angle.quarters {
        Some(quarters) => format!("{quarters} * pi / 2"),
        None => write_number(angle.value),
    }
}

/// A decimal number from a file is exact; any other number is a double.
fn write_number(value: f64) -> String {
    let digits = format!("{value:e}");
    match digits.find('e') {
        Some(length) if length > DIGITS + 2 => write_double(value),
        _ => format!("{value:?}"),
    }
}

/// A double. A rational cannot hold so many digits, and the literal is read as the nearest double.
fn write_double(value: f64) -> String {
    match value.fract() == 0.0 {
        true => format!("{value:?}"),
        false => format!("{value:.29e}"),
    }
}

fn write_vector(entries: [f64; 3]) -> String {
    write_list(&entries.map(write_number))
}

fn write_list(entries: &[String]) -> String {
    format!("[{}]", entries.join(", "))
}
