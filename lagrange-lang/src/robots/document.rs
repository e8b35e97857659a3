//! Links and joints as given in the text, each with its place, and the unused parts of the text.

use std::collections::BTreeMap;

use super::numbers::Angle;
use super::space::{IDENTITY, Matrix, Vector, about, product};

/// A line and a column, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Place {
    /// `arm.urdf:12:3`
    pub(crate) fn in_file(self, path: &str) -> String {
        format!("{path}:{}:{}", self.line, self.column)
    }
}

/// The element `<robot>`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Document {
    pub(crate) place: Place,
    pub(crate) links: Vec<Link>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) notes: Notes,
}

/// Unused parts of the file, each with its number of occurrences and its first place.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Notes(pub(crate) BTreeMap<String, (usize, Place)>);

impl Notes {
    pub(crate) fn add(&mut self, what: impl Into<String>, place: Place) {
        self.0.entry(what.into()).or_insert((0, place)).0 += 1;
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Link {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) inertial: Option<Inertial>,
}

/// Mass, centre of mass, and inertia about the centre of mass in the axes of the link.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Inertial {
    pub(crate) place: Place,
    pub(crate) mass: f64,
    pub(crate) centre: Vector,
    pub(crate) inertia: Matrix,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Joint {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) kind: JointType,
    pub(crate) parent: (String, Place),
    pub(crate) child: (String, Place),
    pub(crate) origin: Origin,
    pub(crate) axis: (Vector, Place),
    pub(crate) mimic: Option<Mimic>,
    pub(crate) limits: Limits,
    pub(crate) damping: f64,
    pub(crate) friction: (f64, Place),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum JointType {
    Revolute,
    Continuous,
    Prismatic,
    Planar,
    Floating,
    Fixed,
}

/// `<origin xyz rpy>`
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Origin {
    pub(crate) xyz: Vector,
    pub(crate) rpy: [Angle; 3],
}

impl Origin {
    /// `Rz(yaw) Ry(pitch) Rx(roll)`
    pub(crate) fn rotation(&self) -> Matrix {
        let axes = [0, 1, 2].map(|axis| IDENTITY[axis]);
        let [roll, pitch, yaw] = [0, 1, 2].map(|axis| about(axes[axis], self.rpy[axis].sin_cos()));
        product(&yaw, &product(&pitch, &roll))
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Mimic {
    pub(crate) joint: String,
    pub(crate) place: Place,
    pub(crate) multiplier: f64,
    pub(crate) offset: f64,
}

/// The limits of a joint. They are infinite if the file has none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Limits {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) velocity: f64,
    pub(crate) effort: f64,
}

impl Limits {
    pub(crate) const NONE: Self = Limits {
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        velocity: f64::INFINITY,
        effort: f64::INFINITY,
    };
}
