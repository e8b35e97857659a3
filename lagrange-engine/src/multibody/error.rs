//! Mistakes in frames and bodies.

use std::fmt;

/// The reason why a frame, a body or gravity cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MultibodyError {
    /// The parent, or the frame of a body, is not among the frames so far.
    UnknownFrame,
    /// The rotation of an attitude is not among those of the kinematics.
    UnknownRotation,
    /// The axis of a turn is zero.
    ZeroAxis,
    /// An expression depends on velocities, first-order states or inputs.
    NotPositional,
}

impl fmt::Display for MultibodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownFrame => "the frame is not defined",
            Self::UnknownRotation => "the rotation is not declared",
            Self::ZeroAxis => "the axis of a rotation is not zero",
            Self::NotPositional => "poses, masses and gravity depend on positions and time only",
        })
    }
}

impl std::error::Error for MultibodyError {}
