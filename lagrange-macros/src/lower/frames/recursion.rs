//! Recursion along the tree of frames: M and the equations of motion without any derivative of T.
//!
//! Every pose and every body is a link behind its frame before: turned by a rotation, or moved by an
//! offset. M comes from composite inertias (Walker and Orin, *Efficient Dynamic Computer Simulation
//! of Robotic Mechanisms*, 1982; Featherstone, *Rigid Body Dynamics Algorithms*, 2008, section 6.2),
//! the bias and the inverse dynamics from the forces of inertia that accelerations take (Luh, Walker
//! and Paul, *On-Line Computational Scheme for Mechanical Manipulators*, 1980). Gravity is an
//! acceleration of the world. A joint may move by several coordinates and by time, and a coordinate
//! may move several joints: each link has the derivatives of its relative velocity.
//!
//! Components are in a frame's own axes; in the base axes where several joints turn about one axis.

mod composite;
mod forces;
mod rotation;

use std::collections::HashSet;

use lagrange_engine::{Energy, Graph, NodeId, Number, Recursive, Symbol};

use super::FrameId;
use super::kinematics::{Frames, Motion, Pose};
use super::space::{self, Matrix, Step, Vector};
use rotation::Rotation;

/// A body in a frame; mass and inertia do not move.
pub(crate) struct RigidBody {
    pub(crate) frame: FrameId,
    /// The centre of mass in the frame's axes, and how it moves there.
    pub(crate) at: Vector,
    pub(crate) rate: Vector,
    pub(crate) mass: NodeId,
    /// Row by row; no more than the symmetric part counts.
    pub(crate) inertia: Vec<NodeId>,
}

/// A pose behind another one, or a body in its frame.
struct Link {
    parent: usize,
    /// From these axes to the parent's.
    rotation: Rotation,
    /// In the parent's axes.
    offset: Vector,
    /// The rate of the offset, before `carried`, and the relative angular velocity.
    relative: Motion,
    carried: Option<Step>,
    body: Option<(NodeId, Matrix)>,
    freedoms: Vec<Freedom>,
}

/// What a coordinate's velocity adds to the relative motion of a link.
struct Freedom {
    coordinate: usize,
    motion: Motion,
}

/// Poses and bodies, each after its parent.
struct Tree {
    links: Vec<Link>,
    coordinates: usize,
}

impl Frames {
    /// Whether the frame and those before it are turned by rotations only, so that recursion says
    /// what T says.
    pub(crate) fn is_proven(&self, frame: FrameId) -> bool {
        let mut at = frame;
        while at != FrameId::WORLD {
            if self.unproven.contains(&at) {
                return false;
            }
            at = self.pose(at).from;
        }
        true
    }

    /// The equations of motion of bodies in frames, under an acceleration of gravity that is the
    /// same everywhere. `rest` is what is not theirs.
    pub(crate) fn recursive(
        &self,
        graph: &mut Graph,
        bodies: &[RigidBody],
        gravity: Vector,
        coordinates: usize,
        rest: Energy,
    ) -> Recursive {
        let tree = Tree::new(graph, self, bodies, coordinates);
        let mass_matrix = composite::mass_matrix(graph, &tree);
        let zero = graph.integer(0);
        let symbol = |graph: &mut Graph, i| graph.symbol(Symbol::Acceleration(i as u32));
        let accelerations = (0..coordinates)
            .map(|i| symbol(graph, i))
            .collect::<Vec<_>>();
        let bias = forces::forces(graph, &tree, gravity, &vec![zero; coordinates]);
        let inverse_dynamics = forces::forces(graph, &tree, gravity, &accelerations);
        Recursive {
            mass_matrix,
            bias,
            inverse_dynamics,
            rest,
        }
    }

    /// Which base axes have several joints about one axis.
    fn planar_axes(&self) -> HashSet<usize> {
        let planar = self.poses.iter().filter(|pose| pose.is_planar());
        planar.map(|pose| pose.axes.0).collect()
    }
}

impl Link {
    fn of_pose(graph: &mut Graph, frames: &Frames, pose: &Pose, planar: &HashSet<usize>) -> Self {
        let in_base = |pose: &Pose| planar.contains(&pose.axes.0);
        let before = frames.pose(pose.from);
        let carried = in_base(pose).then(|| pose.step.clone());
        let mut link = Link {
            parent: pose.from.0,
            rotation: Rotation::none(),
            offset: space::zero(graph),
            relative: pose.relative,
            carried,
            body: None,
            freedoms: Vec::new(),
        };
        if let Some(offset) = pose.offset {
            link.offset = carry(graph, link.carried.as_ref(), offset);
            return link;
        }
        let axes = &frames.axes[pose.axes.0];
        let bases = (pose.axes != before.axes).then_some(&axes.step);
        let [own, parent] = [pose, before].map(|end| (!in_base(end)).then_some(&end.step));
        link.rotation = Rotation::between(graph, own, bases, parent);
        let turning = turning(graph, pose, before, in_base(pose));
        link.relative.spin = space::add(graph, pose.relative.spin, turning);
        link
    }

    fn of_body(
        graph: &mut Graph,
        frames: &Frames,
        body: &RigidBody,
        planar: &HashSet<usize>,
    ) -> Self {
        let pose = frames.pose(body.frame);
        let is_in_base = planar.contains(&pose.axes.0);
        let carried = is_in_base.then(|| pose.step.clone());
        let inertia = symmetric(graph, &body.inertia);
        let inertia = match &carried {
            Some(step) => Rotation::of(step).of_matrix(graph, &inertia),
            None => inertia,
        };
        let relative = Motion {
            velocity: body.rate,
            spin: space::zero(graph),
        };
        Link {
            parent: body.frame.0,
            rotation: Rotation::none(),
            offset: carry(graph, carried.as_ref(), body.at),
            relative,
            carried,
            body: Some((body.mass, inertia)),
            freedoms: Vec::new(),
        }
    }
}

impl Tree {
    fn new(graph: &mut Graph, frames: &Frames, bodies: &[RigidBody], coordinates: usize) -> Self {
        let planar = frames.planar_axes();
        let mut links: Vec<Link> = Vec::with_capacity(frames.poses.len() + bodies.len());
        for pose in &frames.poses {
            links.push(Link::of_pose(graph, frames, pose, &planar));
        }
        for body in bodies {
            links.push(Link::of_body(graph, frames, body, &planar));
        }
        let mut tree = Tree { links, coordinates };
        tree.find_freedoms(graph);
        tree
    }

    /// The rates of all relative velocities along a direction.
    fn derivatives(&self, graph: &mut Graph, direction: &[(Symbol, NodeId)]) -> Vec<Motion> {
        let roots = self.links.iter().flat_map(|link| {
            let Motion { velocity, spin } = link.relative;
            velocity.into_iter().chain(spin)
        });
        let roots: Vec<NodeId> = roots.collect();
        let rates = graph.directional(&roots, direction);
        let motions = self.links.iter().zip(rates.chunks_exact(6));
        motions
            .map(|(link, rate)| Motion {
                velocity: carry(graph, link.carried.as_ref(), [rate[0], rate[1], rate[2]]),
                spin: [rate[3], rate[4], rate[5]],
            })
            .collect()
    }

    fn find_freedoms(&mut self, graph: &mut Graph) {
        let one = graph.integer(1);
        for coordinate in 0..self.coordinates {
            let direction = [(Symbol::Velocity(coordinate as u32), one)];
            let motions = self.derivatives(graph, &direction);
            for (link, motion) in self.links.iter_mut().zip(motions) {
                let entries = motion.velocity.iter().chain(&motion.spin);
                if !entries.into_iter().all(|entry| graph.is_zero(*entry)) {
                    link.freedoms.push(Freedom { coordinate, motion });
                }
            }
        }
    }
}

impl Freedom {
    /// The power of a force and a moment along the freedom.
    fn power(&self, graph: &mut Graph, [force, moment]: [Vector; 2]) -> NodeId {
        let along = graph.dot(&self.motion.velocity, &force);
        let about = graph.dot(&self.motion.spin, &moment);
        graph.add(along, about)
    }
}

/// Components in the axes that the recursion uses, of a vector in a frame's own.
fn carry(graph: &mut Graph, carried: Option<&Step>, vector: Vector) -> Vector {
    match carried {
        Some(step) => step.apply(graph, vector),
        None => vector,
    }
}

/// The angular velocity that the run of a pose has beside that of the frame before.
fn turning(graph: &mut Graph, pose: &Pose, before: &Pose, is_in_base: bool) -> Vector {
    let mut spin = space::zero(graph);
    let Some(run) = pose.run else {
        return spin;
    };
    spin[run.axis] = match before.run {
        Some(earlier) if pose.axes == before.axes => graph.sub(run.rate, earlier.rate),
        _ => run.rate,
    };
    if is_in_base {
        spin
    } else {
        pose.step.rest_back(graph, spin)
    }
}

fn symmetric(graph: &mut Graph, entries: &[NodeId]) -> Matrix {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let (upper, lower) = (entries[3 * i + j], entries[3 * j + i]);
            graph.sum(
                Number::ZERO,
                vec![(Number::HALF, upper), (Number::HALF, lower)],
            )
        })
    })
}
