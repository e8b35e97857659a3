//! Frames, bodies and gravity, printed and read.

use std::fmt;

use super::tokens::integer;
use super::{ParseErrorKind, Parser, Result, take_exactly};
use crate::{Body, FrameId, Graph, Joint, Multibody, NodeId, Rotation};

impl Parser {
    /// `frame parent kind arguments..`
    pub(super) fn parse_frame(&mut self, tokens: &[&str]) -> Result<()> {
        let [parent, kind, arguments @ ..] = tokens else {
            return Err(ParseErrorKind::WrongCount);
        };
        let parent = self.parse_frame_at(parent)?;
        let joint = self.parse_joint(kind, arguments)?;
        let kinematics = self.names.kinematics();
        let frames = self.multibody.frames_mut(&mut self.graph);
        let added = frames.add(&mut self.graph, &kinematics, parent, joint);
        added.map(|_| ()).map_err(ParseErrorKind::Multibody)
    }

    fn parse_joint(&self, kind: &str, arguments: &[&str]) -> Result<Joint> {
        match kind {
            "translate" => self.parse_children(arguments).map(Joint::Translation),
            "turn" => {
                let [x, y, z, angle] = self.parse_children(arguments)?;
                let axis = [x, y, z];
                Ok(Joint::Turn { axis, angle })
            }
            "orient" => Ok(Joint::Orientation(rows(self.parse_children(arguments)?))),
            "attitude" => {
                let [coordinate] = take_exactly(arguments)?;
                Ok(Joint::Attitude(self.parse_rotation(coordinate)?))
            }
            other => Err(ParseErrorKind::UnknownOperation(other.to_owned())),
        }
    }

    /// The rotation with this first coordinate.
    fn parse_rotation(&self, coordinate: &str) -> Result<Rotation> {
        let coordinate: usize = integer(coordinate)?;
        let kinematics = self.names.kinematics();
        let known = kinematics.rotations().find(|r| r.coordinate == coordinate);
        known.ok_or(ParseErrorKind::UndeclaredSymbol)
    }

    fn parse_frame_at(&self, token: &str) -> Result<FrameId> {
        let unknown = ParseErrorKind::Multibody(crate::MultibodyError::UnknownFrame);
        match (integer(token)?, self.multibody.frames()) {
            (0, _) => Ok(FrameId::WORLD),
            (position, Some(frames)) => frames.at(position).ok_or(unknown),
            (_, None) => Err(unknown),
        }
    }

    /// `body frame mass x y z inertia..`
    pub(super) fn parse_body(&mut self, tokens: &[&str]) -> Result<()> {
        let [frame, mass, x, y, z, inertia @ ..] = tokens else {
            return Err(ParseErrorKind::WrongCount);
        };
        let frame = self.parse_frame_at(frame)?;
        let [mass, x, y, z] = self.parse_children(&[mass, x, y, z])?;
        let inertia = match inertia {
            [] => [[self.graph.integer(0); 3]; 3],
            inertia => rows(self.parse_children(inertia)?),
        };
        let body = Body {
            frame,
            at: [x, y, z],
            mass,
            inertia,
        };
        let added = self.multibody.add_body(&mut self.graph, body);
        added.map_err(ParseErrorKind::Multibody)
    }

    /// `gravity x y z`
    pub(super) fn parse_gravity(&mut self, tokens: &[&str]) -> Result<()> {
        let gravity = self.parse_children(tokens)?;
        if self.multibody.gravity().is_some() {
            return Err(ParseErrorKind::Repeated);
        }
        let set = self.multibody.set_gravity(&self.graph, gravity);
        set.map_err(ParseErrorKind::Multibody)
    }

    /// `output name frame position`
    pub(super) fn parse_output_frame(&mut self, name: &str, frame: &str) -> Result<()> {
        let frame = self.parse_frame_at(frame)?;
        let added = self.multibody.add_output(name, frame);
        added.map_err(ParseErrorKind::Multibody)
    }

    fn parse_children<const N: usize>(&self, tokens: &[&str]) -> Result<[NodeId; N]> {
        let tokens: [&str; N] = take_exactly(tokens)?;
        let nodes: Vec<NodeId> = tokens
            .iter()
            .map(|t| self.parse_child(t))
            .collect::<Result<_>>()?;
        nodes.try_into().map_err(|_| ParseErrorKind::WrongCount)
    }
}

fn rows([a, b, c, d, e, f, g, h, i]: [NodeId; 9]) -> [[NodeId; 3]; 3] {
    [[a, b, c], [d, e, f], [g, h, i]]
}

/// Writes a line for each frame and body, and for gravity.
pub(super) fn write_multibody(
    f: &mut fmt::Formatter<'_>,
    graph: &Graph,
    multibody: &Multibody,
    label: &dyn Fn(NodeId) -> String,
) -> fmt::Result {
    let labels = |nodes: &[NodeId]| {
        let labels: Vec<String> = nodes.iter().map(|node| label(*node)).collect();
        labels.join(" ")
    };
    for (parent, joint) in multibody.frames().iter().flat_map(|frames| frames.joints()) {
        let parent = parent.index();
        match joint {
            Joint::Translation(way) => writeln!(f, "frame {parent} translate {}", labels(way))?,
            Joint::Turn { axis, angle } => {
                let (axis, angle) = (labels(axis), label(*angle));
                writeln!(f, "frame {parent} turn {axis} {angle}")?;
            }
            Joint::Orientation(matrix) => {
                let matrix = labels(&matrix.concat());
                writeln!(f, "frame {parent} orient {matrix}")?;
            }
            Joint::Attitude(rotation) => {
                writeln!(f, "frame {parent} attitude {}", rotation.coordinate)?;
            }
        }
    }
    for body in multibody.bodies() {
        let (frame, mass, centre) = (body.frame.index(), label(body.mass), labels(&body.at));
        write!(f, "body {frame} {mass} {centre}")?;
        let inertia = body.inertia.concat();
        if !inertia.iter().all(|entry| graph.is_zero(*entry)) {
            write!(f, " {}", labels(&inertia))?;
        }
        writeln!(f)?;
    }
    match multibody.gravity() {
        Some(gravity) => writeln!(f, "gravity {}", labels(&gravity)),
        None => Ok(()),
    }
}
