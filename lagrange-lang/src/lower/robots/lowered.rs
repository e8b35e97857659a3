//! A robot of the head: its tree, its coordinates and its frames.

use std::ops::Range;
use std::rc::Rc;

use lagrange_engine::{FrameId, NodeId, Rotation};
use proc_macro2::{Ident, Span};

use crate::robots::Robot;

/// A robot of the head.
pub(crate) struct LoweredRobot {
    pub(crate) name: String,
    /// The span of the name of its file.
    pub(crate) span: Span,
    pub(crate) path: String,
    pub(crate) plan: Rc<Robot>,
    /// `base: free`
    pub(crate) base: Option<OwnBase>,
    /// The coordinates of each joint, if it has free ones.
    pub(crate) joints: Vec<Option<OwnJoint>>,
    /// The velocities of all joints.
    pub(crate) velocities: Range<usize>,
    /// `parameters: [..]`
    pub(crate) parameters: Vec<ParameterLink>,
    pub(crate) friction: Friction,
    /// The frame of each link, after the frames are made.
    pub(crate) frames: Vec<FrameId>,
    /// The frame of its root.
    pub(crate) placed: Option<FrameId>,
}

/// The first coordinate and the first velocity of a joint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OwnJoint {
    pub(crate) coordinate: usize,
    pub(crate) velocity: usize,
}

/// The coordinates of a free base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OwnBase {
    pub(crate) position: OwnJoint,
    pub(crate) rotation: Rotation,
}

impl OwnJoint {
    /// The rotation of a floating joint. It follows the position.
    pub(super) fn rotation(self) -> Rotation {
        Rotation {
            coordinate: self.coordinate + 3,
            velocity: self.velocity + 3,
        }
    }
}

/// A link whose ten inertial parameters are parameters of the system.
pub(crate) struct ParameterLink {
    pub(crate) link: usize,
    pub(crate) entries: Vec<NodeId>,
}

/// `friction: ..`
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Friction {
    Ignore,
    /// F tanh(v / width)
    Smooth(f64),
}

/// `.elbow` or `["left elbow"]`
pub(super) fn written_step(name: &str) -> String {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => format!(".{name}"),
        Err(_) => format!("[{name:?}]"),
    }
}

impl LoweredRobot {
    /// `arm.link.hand`
    pub(crate) fn written_link(&self, link: usize) -> String {
        let link = written_step(&self.plan.links[link].name);
        format!("{}.link{link}", self.name)
    }
}
