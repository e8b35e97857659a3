//! Robots from URDF files. The text becomes links and joints, these become a tree, and the tree becomes the text of
//! fields and statements. `lower/robots.rs` lowers them as those of a declaration.
//!
//! | stage | from | to | in |
//! | --- | --- | --- | --- |
//! | document | text | [`document::Document`]: links and joints with their places | `reader.rs`, numbers `numbers.rs` |
//! | tree | `Document`, [`Options`] | [`Robot`]: a root, an order, how each joint moves | `tree.rs` |
//! | inertia | `Robot` | bodies in moving frames, warnings | `inertia.rs` |
//! | declaration | `Robot`, options | fields, frames, bodies and forces as text | `declaration.rs` |

// Without the feature there is no reader, and nothing constructs a robot.
#![cfg_attr(not(any(test, feature = "urdf")), allow(dead_code))]

mod declaration;
mod document;
mod inertia;
mod mistake;
mod numbers;
#[cfg(any(test, feature = "urdf"))]
mod reader;
mod space;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use declaration::{Declaration, written_step};
pub(crate) use document::{Limits, Place};
pub(crate) use inertia::{find_suspects, ten_numbers};
pub(crate) use mistake::{Mistake, MistakeKind};
pub(crate) use numbers::Angle;
pub(crate) use tree::{Kind, Motion, Options, Robot, RobotJoint};

/// Reads the text of a file.
#[cfg(any(test, feature = "urdf"))]
pub(crate) fn read(text: &str, options: &Options) -> Result<Robot, Vec<Mistake>> {
    let document = reader::read(text)?;
    tree::tree(document, options)
}

/// Without the feature `urdf`, files are not read.
#[cfg(not(any(test, feature = "urdf")))]
pub(crate) fn read(_text: &str, _options: &Options) -> Result<Robot, Vec<Mistake>> {
    Err(vec![Mistake {
        place: None,
        kind: MistakeKind::File,
        message: "robots are read from files with the feature `urdf`\n\n\
                  help: write `lagrangian = { version = \"..\", features = [\"urdf\"] }` in Cargo.toml"
            .to_owned(),
    }])
}
