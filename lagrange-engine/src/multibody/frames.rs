//! Frames: declared by joints, each after its parent.

use super::MultibodyError;
use super::axis::normalise;
use super::pose::{Axes, AxesId, Motion, Pose, PoseId};
use super::space::{self, Matrix, Step, Vector};
use crate::{Dependence, Graph, Kinematics, NodeId, Rotation, Symbol};

/// One of the frames of a [`Frames`], valid only for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FrameId(usize);

impl FrameId {
    /// The frame at rest, to which everything is relative.
    pub const WORLD: Self = FrameId(0);

    /// Its position: 0 for the world, then in order of declaration.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The pose of a frame in its parent. Expressions are of q, t and parameters; vectors are in the axes of the parent.
#[derive(Clone, PartialEq, Debug)]
pub enum Joint {
    /// The origin moved, the axes parallel.
    Translation([NodeId; 3]),
    /// Turned about an axis, a vector of any length but zero.
    Turn {
        /// The axis.
        axis: [NodeId; 3],
        /// The angle, right-handed.
        angle: NodeId,
    },
    /// Turned by a matrix, row by row, taken as orthonormal: its columns are the new axes. The
    /// relative angular velocity is the vector of the skew matrix `R^T dR/dt`.
    Orientation([[NodeId; 3]; 3]),
    /// Turned by a rotation of the kinematics, whose velocities are the relative angular velocity in
    /// the new axes.
    Attitude(Rotation),
}

/// A frame as it was declared.
#[derive(Clone, Debug)]
struct Declared {
    parent: FrameId,
    joint: Joint,
    pose: PoseId,
}

/// The world and every frame declared so far, with places and motions in the cheapest axes.
///
/// ```
/// use lagrange_engine::{FrameId, Frames, Graph, Joint, Kinematics, Symbol, plain_names};
/// let mut graph = Graph::new();
/// let kinematics = Kinematics::scalars(1);
/// let [q, l] = [Symbol::Coordinate(0), Symbol::Parameter(0)].map(|symbol| graph.symbol(symbol));
/// let [zero, one] = [0, 1].map(|number| graph.integer(number));
/// let mut frames = Frames::new(&mut graph);
/// let turn = Joint::Turn { axis: [zero, zero, one], angle: q };
/// let arm = frames.add(&mut graph, &kinematics, FrameId::WORLD, turn).unwrap();
/// let tip = frames.point(&mut graph, arm, [l, zero, zero]);
/// assert_eq!(graph.text(tip[1], &plain_names), "p0*sin(q0)");
/// let spin = frames.angular_velocity(&mut graph, arm);
/// assert_eq!(graph.text(spin[2], &plain_names), "v0");
/// ```
#[derive(Clone, Debug)]
pub struct Frames {
    /// Without the world.
    declared: Vec<Declared>,
    /// The first one is the world's.
    pub(super) poses: Vec<Pose>,
    pub(super) axes: Vec<Axes>,
}

/// The rates of coordinates and time.
pub(super) type Direction = [(Symbol, NodeId)];

impl Frames {
    /// The world alone.
    pub fn new(graph: &mut Graph) -> Self {
        let at_rest = Motion::none(graph);
        let step = Step::none(graph);
        let axes = Axes {
            to_world: step.matrix,
            step: step.clone(),
            parent: AxesId(0),
            spin: at_rest.spin,
        };
        let world = Pose {
            axes: AxesId(0),
            run: None,
            step,
            origin: space::zero(graph),
            in_base: at_rest,
            in_own: at_rest,
            floating: None,
            floats: false,
            is_proven: true,
            from: PoseId::WORLD,
            offset: None,
            relative: at_rest,
        };
        Frames {
            declared: Vec::new(),
            poses: vec![world],
            axes: vec![axes],
        }
    }

    /// Declares a frame after another one.
    ///
    /// # Errors
    ///
    /// The parent is not among these frames, an axis of numbers is zero, the rotation is not among those of the
    /// kinematics, or an expression contains velocities, first-order states or inputs.
    pub fn add(
        &mut self,
        graph: &mut Graph,
        kinematics: &Kinematics,
        parent: FrameId,
        joint: Joint,
    ) -> Result<FrameId, MultibodyError> {
        if !self.contains(parent) {
            return Err(MultibodyError::UnknownFrame);
        }
        joint.check(graph, kinematics)?;
        let from = self.pose_of(parent);
        let along = kinematics.along_the_motion(graph);
        let pose = match &joint {
            Joint::Translation(way) => {
                let rate = space::rate(graph, *way, &along);
                self.translate(graph, from, *way, rate)
            }
            Joint::Turn { axis, angle } => {
                let unit = normalise(graph, *axis).ok_or(MultibodyError::ZeroAxis)?;
                self.turn_about(graph, &along, from, (unit, *angle))
            }
            Joint::Orientation(matrix) => {
                let is_proven = space::is_rotation(graph, matrix);
                let turned = self.orient_by(graph, &along, from, matrix);
                self.poses[turned.0].is_proven &= is_proven;
                turned
            }
            Joint::Attitude(rotation) => self.turn_by_attitude(graph, from, *rotation),
        };
        self.declared.push(Declared {
            parent,
            joint,
            pose,
        });
        Ok(FrameId(self.declared.len()))
    }

    /// The parent and the joint of each frame but the world, in order of declaration.
    pub fn joints(&self) -> impl Iterator<Item = (FrameId, &Joint)> {
        self.declared
            .iter()
            .map(|frame| (frame.parent, &frame.joint))
    }

    /// The frame at this position, if it exists.
    pub fn at(&self, index: usize) -> Option<FrameId> {
        Some(FrameId(index)).filter(|frame| self.contains(*frame))
    }

    pub(super) fn contains(&self, frame: FrameId) -> bool {
        frame.0 <= self.declared.len()
    }

    pub(super) fn pose_of(&self, frame: FrameId) -> PoseId {
        match frame.0 {
            0 => PoseId::WORLD,
            position => self.declared[position - 1].pose,
        }
    }

    fn turn_about(
        &mut self,
        graph: &mut Graph,
        along: &Direction,
        from: PoseId,
        (unit, angle): (Vector, NodeId),
    ) -> PoseId {
        let is_literal = unit.iter().all(|entry| graph.as_number(*entry).is_some());
        let axis_moves = unit.iter().any(|entry| moves(graph, *entry));
        let angle_moves = moves(graph, angle);
        if !axis_moves && !angle_moves {
            return self.turn_by_constant(graph, from, unit, angle);
        }
        if is_literal {
            let rate = graph.directional(&[angle], along)[0];
            return self.turned(graph, from, unit, (angle, rate));
        }
        let matrix = space::rotation(graph, unit, angle);
        if axis_moves {
            return self.orient_by(graph, along, from, &matrix);
        }
        let rate = graph.directional(&[angle], along)[0];
        let spin = unit.map(|entry| graph.mul(entry, rate));
        self.orient(graph, from, &matrix, spin)
    }

    /// w = vee(R^T dR/dt), from the skew part if R is not quite a rotation.
    fn orient_by(
        &mut self,
        graph: &mut Graph,
        along: &Direction,
        from: PoseId,
        matrix: &Matrix,
    ) -> PoseId {
        if !matrix.iter().flatten().any(|entry| moves(graph, *entry)) {
            return self.turn_by_matrix(graph, from, matrix);
        }
        let rate = matrix.map(|row| space::rate(graph, row, along));
        let spin = space::product(graph, &space::transpose(matrix), &rate);
        let spin = space::vee(graph, &spin);
        self.orient(graph, from, matrix, spin)
    }

    fn turn_by_attitude(&mut self, graph: &mut Graph, from: PoseId, rotation: Rotation) -> PoseId {
        let matrix = Kinematics::rotation_matrix(graph, rotation);
        let symbol = |i: usize| Symbol::Velocity((rotation.velocity + i) as u32);
        let spin = std::array::from_fn(|i| graph.symbol(symbol(i)));
        let turned = self.orient(graph, from, &matrix, spin);
        self.float(graph, from, turned);
        turned
    }
}

impl Joint {
    /// The expressions of the joint.
    pub(crate) fn entries(&self) -> Vec<NodeId> {
        match self {
            Self::Translation(way) => way.to_vec(),
            Self::Turn { axis, angle } => [&axis[..], &[*angle]].concat(),
            Self::Orientation(matrix) => matrix.concat(),
            Self::Attitude(_) => Vec::new(),
        }
    }

    fn check(&self, graph: &Graph, kinematics: &Kinematics) -> Result<(), MultibodyError> {
        match self {
            Self::Attitude(rotation) if !kinematics.rotations().any(|r| r == *rotation) => {
                Err(MultibodyError::UnknownRotation)
            }
            _ => check_positional(graph, &self.entries()),
        }
    }
}

/// Checks that no expression contains velocities, first-order states or inputs.
pub(super) fn check_positional(graph: &Graph, entries: &[NodeId]) -> Result<(), MultibodyError> {
    let forbidden = [
        Dependence::VELOCITY,
        Dependence::ACCELERATION,
        Dependence::STATE,
        Dependence::INPUT,
    ];
    let forbidden = forbidden
        .into_iter()
        .fold(Dependence::NONE, Dependence::union);
    let mut entries = entries.iter();
    if entries.any(|entry| graph.dependence(*entry).intersects(forbidden)) {
        return Err(MultibodyError::NotPositional);
    }
    Ok(())
}

/// Returns whether an expression changes along a motion.
pub(super) fn moves(graph: &Graph, node: NodeId) -> bool {
    let moving = Dependence::COORDINATE.union(Dependence::TIME);
    graph.dependence(node).intersects(moving)
}
