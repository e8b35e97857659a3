//! The tree of links and joints: the link on the ground, and the motion of each joint.

use std::collections::HashMap;

use super::document::{Document, Joint, JointType, Limits, Link, Mimic, Notes, Origin, Place};
use super::mistake::{MOST_MISTAKES, Mistake, MistakeKind};
use super::numbers::Angle;
use super::space::{Pose, Vector, about, scale, unit};
use crate::suggest;

/// The options of a field that affect the tree.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Options {
    /// Names of joints, each with the value at which it is held.
    pub(crate) locked: Vec<(String, f64)>,
}

/// A robot whose links form one tree.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Robot {
    /// The links in the order of the file.
    pub(crate) links: Vec<Link>,
    /// The joints in the order of the file.
    pub(crate) joints: Vec<RobotJoint>,
    /// The link that no joint moves.
    pub(crate) root: usize,
    /// The joints in an order in which parents come first.
    pub(crate) order: Vec<usize>,
    pub(crate) notes: Notes,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RobotJoint {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) parent: usize,
    pub(crate) child: usize,
    pub(crate) origin: Origin,
    pub(crate) kind: Kind,
    pub(crate) motion: Motion,
    /// The joint in its `<mimic>`, if that applies.
    pub(crate) follows: Option<String>,
    pub(crate) limits: Limits,
    pub(crate) damping: f64,
    pub(crate) friction: (f64, Place),
}

/// The possible motion of the child of a joint.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    Fixed,
    /// About a unit vector.
    Turn(Vector),
    /// Along a unit vector.
    Slide(Vector),
    /// Translation in the plane normal to one of the axes, and rotation about the axis. `true` reverses the axis.
    Planar {
        axis: usize,
        is_opposite: bool,
    },
    Floating,
}

impl Kind {
    /// The numbers of coordinates and velocities of the joint.
    pub(crate) fn sizes(self) -> (usize, usize) {
        match self {
            Self::Fixed => (0, 0),
            Self::Turn(_) | Self::Slide(_) => (1, 1),
            Self::Planar { .. } => (3, 3),
            Self::Floating => (7, 6),
        }
    }
}

/// The motion of a joint.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Motion {
    /// No motion: the joint is fixed, or held at this value.
    Held(f64),
    /// The joint has its own coordinates.
    Free,
    /// `multiplier * leader + offset`, where the leader is a free joint.
    Follows {
        leader: usize,
        multiplier: f64,
        offset: f64,
    },
}

impl RobotJoint {
    pub(crate) fn is_free(&self) -> bool {
        self.motion == Motion::Free
    }

    /// True if damping and friction act on the joint: on those with one coordinate that move.
    pub(crate) fn takes_forces(&self) -> bool {
        let has_one = matches!(self.kind, Kind::Turn(_) | Kind::Slide(_));
        has_one && !matches!(self.motion, Motion::Held(_))
    }

    /// True if the joint has a value but no coordinate.
    pub(crate) fn has_value(&self) -> bool {
        self.kind != Kind::Fixed && !self.is_free()
    }

    /// The pose of the child in its parent, if the joint does not move.
    pub(crate) fn constant(&self) -> Option<Pose> {
        let Motion::Held(value) = self.motion else {
            return None;
        };
        let origin = Pose {
            origin: self.origin.xyz,
            rotation: self.origin.rotation(),
        };
        let moved = match self.kind {
            Kind::Turn(axis) => Pose {
                rotation: about(axis, Angle::exact(value).sin_cos()),
                ..Pose::NONE
            },
            Kind::Slide(axis) => Pose {
                origin: scale(value, axis),
                ..Pose::NONE
            },
            _ => Pose::NONE,
        };
        Some(origin.after(&moved))
    }
}

impl Robot {
    /// The numbers of coordinates and velocities of all joints.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        self.joints
            .iter()
            .filter(|joint| joint.is_free())
            .map(|joint| joint.kind.sizes())
            .fold((0, 0), |(q, v), (own_q, own_v)| (q + own_q, v + own_v))
    }

    pub(crate) fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    pub(crate) fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The advice for the name of a joint in the place of a link.
    pub(crate) fn link_of_joint(&self, name: &str) -> Option<String> {
        let joint = &self.joints[self.joint(name)?];
        let link = &self.links[joint.child].name;
        Some(format!(
            "\n\nhelp: `{name}` is a joint; the link that it moves is `{link}`"
        ))
    }

    /// The advice for the name of a link in the place of a joint.
    pub(crate) fn joint_of_link(&self, name: &str) -> Option<String> {
        let link = self.link(name)?;
        Some(match self.joints.iter().find(|joint| joint.child == link) {
            Some(joint) => format!(
                "\n\nhelp: `{name}` is a link; the joint that moves it is `{}`",
                joint.name
            ),
            None => format!("\n\nhelp: `{name}` is the first link, which no joint moves"),
        })
    }
}

pub(super) fn tree(document: Document, options: &Options) -> Result<Robot, Vec<Mistake>> {
    let mut mistakes = Vec::new();
    let Document {
        links,
        joints,
        notes,
        ..
    } = document;
    report_duplicates(
        "link",
        links.iter().map(|l| (&l.name, l.place)),
        &mut mistakes,
    );
    report_duplicates(
        "joint",
        joints.iter().map(|j| (&j.name, j.place)),
        &mut mistakes,
    );
    let numbers: HashMap<String, usize> = links
        .iter()
        .enumerate()
        .map(|(number, l)| (l.name.clone(), number))
        .collect();
    let mut ends = Vec::new();
    for joint in &joints {
        let end = |(name, place): &(String, Place), mistakes: &mut Vec<Mistake>| {
            let number = numbers.get(name).copied();
            if number.is_none() {
                let help = match suggest::nearest(name, links.iter().map(|l| l.name.as_str())) {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => {
                        format!("add `<link name=\"{name}\"/>`, or write the name of another one")
                    }
                };
                let message = format!(
                    "the joint `{}` names a link `{name}` that does not exist\n\nhelp: {help}",
                    joint.name
                );
                mistakes.push(Mistake::tree(*place, message));
            }
            number
        };
        let parent = end(&joint.parent, &mut mistakes);
        let child = end(&joint.child, &mut mistakes);
        ends.push((parent.unwrap_or(0), child.unwrap_or(0)));
    }
    let kinds: Vec<Kind> = joints
        .iter()
        .map(|joint| kind(joint, &mut mistakes))
        .collect();
    let motions = find_motions(&joints, options, &mut mistakes);
    if !mistakes.is_empty() {
        mistakes.truncate(MOST_MISTAKES);
        return Err(mistakes);
    }
    let (root, order) = rooted(&links, &joints, &ends).map_err(|mistake| vec![mistake])?;
    let joints = joints.into_iter().zip(kinds).zip(motions).zip(ends);
    let joints = joints.map(|(((joint, kind), motion), (parent, child))| RobotJoint {
        name: joint.name,
        place: joint.place,
        parent,
        child,
        origin: joint.origin,
        kind,
        motion,
        follows: joint
            .mimic
            .map(|mimic| mimic.joint)
            .filter(|_| kind != Kind::Fixed),
        limits: match joint.kind {
            JointType::Continuous => Limits {
                lower: f64::NEG_INFINITY,
                upper: f64::INFINITY,
                ..joint.limits
            },
            _ => joint.limits,
        },
        damping: joint.damping,
        friction: joint.friction,
    });
    Ok(Robot {
        links,
        joints: joints.collect(),
        root,
        order,
        notes,
    })
}

fn report_duplicates<'a>(
    what: &str,
    names: impl Iterator<Item = (&'a String, Place)>,
    mistakes: &mut Vec<Mistake>,
) {
    let mut first: HashMap<&str, Place> = HashMap::new();
    for (name, place) in names {
        if let Some(before) = first.get(name.as_str()) {
            let message = format!(
                "two of one name: the {what} `{name}` is at {}:{} already\n\nhelp: rename one of them",
                before.line, before.column
            );
            mistakes.push(Mistake::tree(place, message));
        } else {
            first.insert(name, place);
        }
    }
}

fn kind(joint: &Joint, mistakes: &mut Vec<Mistake>) -> Kind {
    let (axis, place) = joint.axis;
    let is_along = matches!(
        joint.kind,
        JointType::Revolute | JointType::Continuous | JointType::Prismatic | JointType::Planar
    );
    let direction = unit(axis);
    if is_along && direction.is_none() {
        let message = format!(
            "the axis of the joint `{}` is zero\n\nhelp: write `<axis xyz=\"0 0 1\"/>` or another direction",
            joint.name
        );
        mistakes.push(Mistake::tree(place, message));
    }
    let axis = direction.unwrap_or([1.0, 0.0, 0.0]);
    match joint.kind {
        JointType::Revolute | JointType::Continuous => Kind::Turn(axis),
        JointType::Prismatic => Kind::Slide(axis),
        JointType::Floating => Kind::Floating,
        JointType::Fixed => Kind::Fixed,
        JointType::Planar => match axis.iter().position(|entry| entry.abs() == 1.0) {
            Some(along) => Kind::Planar {
                axis: along,
                is_opposite: axis[along] < 0.0,
            },
            None => {
                let message = format!(
                    "the axis of the planar joint `{}` is oblique\n\n\
                     help: turn the joint by `rpy` of its origin, and write an axis along x, y or z",
                    joint.name
                );
                mistakes.push(Mistake::tree(place, message));
                Kind::Fixed
            }
        },
    }
}

/// The motion of each joint: its own coordinates, those of another joint, or none.
fn find_motions(joints: &[Joint], options: &Options, mistakes: &mut Vec<Mistake>) -> Vec<Motion> {
    let numbers: HashMap<&str, usize> = joints
        .iter()
        .enumerate()
        .map(|(number, joint)| (joint.name.as_str(), number))
        .collect();
    let locked: HashMap<&str, f64> = options
        .locked
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    let has_one = |joint: &Joint| {
        matches!(
            joint.kind,
            JointType::Revolute | JointType::Continuous | JointType::Prismatic
        )
    };
    let mut leaders: Vec<Option<usize>> = vec![None; joints.len()];
    for (number, joint) in joints.iter().enumerate() {
        let Some(mimic) = &joint.mimic else { continue };
        if joint.kind == JointType::Fixed {
            continue;
        }
        let name = &joint.name;
        if !has_one(joint) {
            let message = format!(
                "the joint `{name}` follows another one, and has more than one coordinate\n\n\
                 help: remove its `<mimic>`"
            );
            mistakes.push(Mistake::tree(mimic.place, message));
            continue;
        }
        match numbers.get(mimic.joint.as_str()) {
            None => {
                let other_joints = joints
                    .iter()
                    .filter(|other| other.name != joint.name)
                    .map(|other| other.name.as_str());
                let nearest = suggest::nearest(&mimic.joint, other_joints);
                let help = match nearest {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => "write the name of another one, or remove the `<mimic>`".to_owned(),
                };
                let message = format!(
                    "the joint `{name}` follows a joint `{}` that does not exist\n\nhelp: {help}",
                    mimic.joint
                );
                mistakes.push(Mistake::tree(mimic.place, message));
            }
            Some(leader)
                if !has_one(&joints[*leader]) && joints[*leader].kind != JointType::Fixed =>
            {
                let message = format!(
                    "the joint `{name}` follows `{}`, which has more than one coordinate\n\n\
                     help: remove the `<mimic>`, and hold the joint by a `holonomic` constraint",
                    mimic.joint
                );
                mistakes.push(Mistake::tree(mimic.place, message));
            }
            Some(leader) => leaders[number] = Some(*leader),
        }
    }
    let mut motions = vec![None; joints.len()];
    // For each joint, the last start whose path reached it.
    let mut passed = vec![None; joints.len()];
    for start in 0..joints.len() {
        // The path leads to the first joint with a known motion, and then back.
        let (mut way, mut at) = (Vec::<(usize, &Mimic)>::new(), start);
        let mut motion = loop {
            if let Some(motion) = motions[at] {
                break motion;
            }
            let joint = &joints[at];
            if let Some(value) = locked.get(joint.name.as_str()) {
                break Motion::Held(*value);
            }
            if joint.kind == JointType::Fixed {
                break Motion::Held(0.0);
            }
            let (Some(leader), Some(mimic)) = (leaders[at], &joint.mimic) else {
                break Motion::Free;
            };
            if passed[at].replace(start) == Some(start) {
                let names = way
                    .iter()
                    .skip_while(|(follower, _)| *follower != at)
                    .map(|(follower, _)| joints[*follower].name.as_str());
                let message = format!(
                    "joints that follow each other in a circle: {}\n\n\
                     help: remove the `<mimic>` of one of them",
                    listed(names)
                );
                mistakes.push(Mistake::tree(mimic.place, message));
                break Motion::Free;
            }
            way.push((at, mimic));
            at = leader;
        };
        motions[at] = Some(motion);
        for (follower, mimic) in way.into_iter().rev() {
            motion = motion.followed(at, mimic);
            motions[follower] = Some(motion);
        }
    }
    motions.into_iter().flatten().collect()
}

/// The names of some joints, the first of them if there are many.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 8;
    let names: Vec<&str> = names.collect();
    match names.get(MOST..) {
        Some([_, ..]) => format!(
            "{} and {} others",
            suggest::all_of(&names[..MOST]).replace(" and ", ", "),
            names.len() - MOST
        ),
        _ => suggest::all_of(&names),
    }
}

impl Motion {
    /// The motion of a joint that follows the joint `leader` with the motion `self`.
    fn followed(self, leader: usize, mimic: &Mimic) -> Self {
        let (by, plus) = (mimic.multiplier, mimic.offset);
        match self {
            Self::Held(value) => Self::Held(by * value + plus),
            Self::Free => Self::Follows {
                leader,
                multiplier: by,
                offset: plus,
            },
            Self::Follows {
                leader,
                multiplier,
                offset,
            } => Self::Follows {
                leader,
                multiplier: by * multiplier,
                offset: by * offset + plus,
            },
        }
    }
}

/// The root, and the joints in an order in which parents come first.
fn rooted(
    links: &[Link],
    joints: &[Joint],
    ends: &[(usize, usize)],
) -> Result<(usize, Vec<usize>), Mistake> {
    let mut mover: Vec<Option<usize>> = vec![None; links.len()];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
    for (joint, (parent, child)) in ends.iter().enumerate() {
        if let Some(before) = mover[*child] {
            let (before, link) = (&joints[before], &links[*child].name);
            let message = format!(
                "the link `{link}` is moved by two joints: by `{}` at {}:{} already\n\n\
                 help: the links of a URDF are a tree; close a loop by a `holonomic` constraint",
                before.name, before.place.line, before.place.column
            );
            return Err(Mistake::tree(joints[joint].place, message));
        }
        mover[*child] = Some(joint);
        children[*parent].push(joint);
    }
    let mut roots = (0..links.len()).filter(|link| mover[*link].is_none());
    let root = roots.next();
    if let (Some(first), Some(second)) = (root, roots.next()) {
        let (first, second) = (&links[first], &links[second]);
        let message = format!(
            "two links that no joint moves: `{}`, and `{}` at {}:{}\n\n\
             help: hold one of them by a `fixed` joint",
            second.name, first.name, first.place.line, first.place.column
        );
        return Err(Mistake::tree(second.place, message));
    }
    let mut order = Vec::new();
    let mut reached = vec![false; links.len()];
    let mut open: Vec<usize> = root.into_iter().collect();
    while let Some(link) = open.pop() {
        reached[link] = true;
        order.extend(&children[link]);
        open.extend(children[link].iter().rev().map(|joint| ends[*joint].1));
    }
    let Some(missed) = reached.iter().position(|reached| !reached) else {
        return Ok((root.unwrap_or(0), order));
    };
    // Each link that is not reached has a joint, and the way back from it ends in a circle.
    let back = |link: usize| mover[link].map_or(link, |joint| ends[joint].0);
    let in_circle = (0..links.len()).fold(missed, |link, _| back(link));
    let mut circle = vec![in_circle];
    while back(circle[circle.len() - 1]) != in_circle {
        circle.push(back(circle[circle.len() - 1]));
    }
    circle.sort_unstable();
    let link = &links[circle[0]];
    let moved = circle
        .iter()
        .filter_map(|link| mover[*link])
        .map(|joint| joints[joint].name.as_str());
    let message = format!(
        "a cycle: the link `{}` is moved by itself, through {}\n\n\
         help: remove the joint that closes the circle",
        link.name,
        listed(moved)
    );
    Err(Mistake {
        kind: MistakeKind::Tree,
        ..Mistake::file(link.place, message)
    })
}
