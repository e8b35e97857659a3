//! Recursion along the tree of frames: M and the equations of motion without any derivative of T.
//!
//! Every pose and every body is a link after the frame before it: turned by a rotation, or moved by an offset. M comes
//! from composite inertias (Walker and Orin, *Efficient Dynamic Computer Simulation of Robotic Mechanisms*, 1982;
//! Featherstone, *Rigid Body Dynamics Algorithms*, 2008, section 6.2), and the bias and the inverse dynamics come from
//! the forces of inertia (Luh, Walker and Paul, *On-Line Computational Scheme for Mechanical Manipulators*, 1980).
//! Gravity is an acceleration of the world. A joint may move by several coordinates and by time, and a coordinate may
//! move several joints: each link has the derivatives of its relative velocity.
//!
//! Components are in a frame's own axes, or in the base axes if several joints turn about one axis.

use std::collections::HashSet;

use super::Body;
use super::frames::{Direction, Frames};
use super::link_rotation::Turning;
use super::pose::{Motion, Pose};
use super::space::{self, Matrix, Step, Vector};
use crate::{Graph, Kinematics, NodeId, Number, Symbol};

/// A pose after another one, or a body in its frame.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) parent: usize,
    /// From these axes to the parent's.
    pub(super) rotation: Turning,
    /// In the parent's axes.
    pub(super) offset: Vector,
    /// The rate of the offset, before `carried`, and the relative angular velocity.
    pub(super) relative: Motion,
    pub(super) carried: Option<Step>,
    /// True if velocities and accelerations restart: see `floating`.
    pub(super) floats: bool,
    pub(super) body: Option<(NodeId, Matrix)>,
    pub(super) freedoms: Vec<Freedom>,
}

/// The contribution of one of the velocities v to the relative motion of a link.
#[derive(Clone, Debug)]
pub(super) struct Freedom {
    pub(super) velocity: usize,
    pub(super) motion: Motion,
}

/// Poses and bodies, each after its parent.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) links: Vec<Link>,
    pub(super) kinematics: Kinematics,
}

impl Frames {
    /// The base axes with several joints about one axis.
    fn planar_axes(&self) -> HashSet<usize> {
        self.poses
            .iter()
            .filter(|pose| pose.is_planar())
            .map(|pose| pose.axes.0)
            .collect()
    }
}

impl Link {
    fn of_pose(graph: &mut Graph, frames: &Frames, pose: &Pose, planar: &HashSet<usize>) -> Self {
        let in_base = |pose: &Pose| planar.contains(&pose.axes.0);
        let before = frames.pose(pose.from);
        let carried = in_base(pose).then(|| pose.step.clone());
        let mut link = Link {
            parent: pose.from.0,
            rotation: Turning::none(),
            offset: space::zero(graph),
            relative: pose.relative,
            carried,
            floats: pose.floats,
            body: None,
            freedoms: Vec::new(),
        };
        if let Some(offset) = pose.offset {
            link.offset = carry(graph, link.carried.as_ref(), offset);
            return link;
        }
        let axes = &frames.axes[pose.axes.0];
        let bases = (pose.axes != before.axes).then_some(&axes.step);
        let [own_step, parent] = [pose, before].map(|end| (!in_base(end)).then_some(&end.step));
        link.rotation = Turning::between(graph, own_step, bases, parent);
        let turning = turning(graph, pose, before, in_base(pose));
        link.relative.spin = space::add(graph, pose.relative.spin, turning);
        link
    }

    fn of_body(
        graph: &mut Graph,
        frames: &Frames,
        (body, along): (&Body, &Direction),
        planar: &HashSet<usize>,
    ) -> Self {
        let parent = frames.pose_of(body.frame);
        let pose = frames.pose(parent);
        let is_in_base = planar.contains(&pose.axes.0);
        let carried = is_in_base.then(|| pose.step.clone());
        let inertia = symmetric(graph, &body.inertia);
        let inertia = match &carried {
            Some(step) => Turning::of(step).of_matrix(graph, &inertia),
            None => inertia,
        };
        let relative = Motion {
            velocity: space::rate(graph, body.at, along),
            spin: space::zero(graph),
        };
        Link {
            parent: parent.0,
            rotation: Turning::none(),
            offset: carry(graph, carried.as_ref(), body.at),
            relative,
            carried,
            floats: false,
            body: Some((body.mass, inertia)),
            freedoms: Vec::new(),
        }
    }
}

impl Tree {
    pub(super) fn new(
        graph: &mut Graph,
        frames: &Frames,
        bodies: &[Body],
        kinematics: &Kinematics,
    ) -> Self {
        let planar = frames.planar_axes();
        let along = kinematics.along_the_motion(graph);
        let mut links: Vec<Link> = Vec::with_capacity(frames.poses.len() + bodies.len());
        for pose in &frames.poses {
            links.push(Link::of_pose(graph, frames, pose, &planar));
        }
        for body in bodies {
            links.push(Link::of_body(graph, frames, (body, &along), &planar));
        }
        let mut tree = Tree {
            links,
            kinematics: kinematics.clone(),
        };
        tree.find_freedoms(graph);
        tree
    }

    /// The rates of all relative velocities along a direction.
    pub(super) fn derivatives(&self, graph: &mut Graph, direction: &Direction) -> Vec<Motion> {
        let relative: Vec<Motion> = self.links.iter().map(|link| link.relative).collect();
        let rates = rates(graph, &relative, direction);
        self.links
            .iter()
            .zip(rates)
            .map(|(link, rate)| link.carry_motion(graph, rate))
            .collect()
    }

    fn find_freedoms(&mut self, graph: &mut Graph) {
        let one = graph.integer(1);
        for velocity in 0..self.kinematics.velocity_count() {
            let direction = [(Symbol::Velocity(velocity as u32), one)];
            let motions = self.derivatives(graph, &direction);
            for (link, motion) in self.links.iter_mut().zip(motions) {
                let entries = motion.velocity.iter().chain(&motion.spin);
                if !entries.into_iter().all(|entry| graph.is_zero(*entry)) {
                    link.freedoms.push(Freedom { velocity, motion });
                }
            }
        }
        self.complete_rotations(graph);
    }

    /// Gives a link that a rotation moves all three directions of the rotation as freedoms. They do not commute: a
    /// displacement along one of them changes the motion of the link by the others, even if it does not move the link.
    fn complete_rotations(&mut self, graph: &mut Graph) {
        let [velocity, spin] = [space::zero(graph); 2];
        let motion = Motion { velocity, spin };
        for rotation in self.kinematics.rotations() {
            let directions = rotation.velocity..rotation.velocity + 3;
            for link in &mut self.links {
                let moving: Vec<usize> = (link.freedoms.iter())
                    .map(|freedom| freedom.velocity)
                    .filter(|velocity| directions.contains(velocity))
                    .collect();
                if moving.is_empty() {
                    continue;
                }
                let resting = directions
                    .clone()
                    .filter(|velocity| !moving.contains(velocity));
                let resting = resting.map(|velocity| Freedom { velocity, motion });
                link.freedoms.extend(resting);
                link.freedoms.sort_by_key(|freedom| freedom.velocity);
            }
        }
    }
}

impl Link {
    /// A relative motion in the axes that the recursion uses.
    pub(super) fn carry_motion(&self, graph: &mut Graph, motion: Motion) -> Motion {
        Motion {
            velocity: carry(graph, self.carried.as_ref(), motion.velocity),
            ..motion
        }
    }
}

/// The rates of relative motions along a direction, in the frames' own axes.
pub(super) fn rates(graph: &mut Graph, motions: &[Motion], direction: &Direction) -> Vec<Motion> {
    let roots: Vec<NodeId> = motions
        .iter()
        .flat_map(|motion| {
            let Motion { velocity, spin } = *motion;
            velocity.into_iter().chain(spin)
        })
        .collect();
    graph
        .directional(&roots, direction)
        .chunks_exact(6)
        .map(|rate| Motion {
            velocity: [rate[0], rate[1], rate[2]],
            spin: [rate[3], rate[4], rate[5]],
        })
        .collect()
}

impl Freedom {
    /// The freedom in the axes of the parent of its link.
    pub(super) fn turned(&self, graph: &mut Graph, link: &Link) -> Self {
        let Motion { velocity, spin } = self.motion;
        let [velocity, spin] = [velocity, spin].map(|vector| link.rotation.apply(graph, vector));
        Freedom {
            motion: Motion { velocity, spin },
            ..*self
        }
    }

    /// The power of a force and a moment along the freedom.
    pub(super) fn power(&self, graph: &mut Graph, [force, moment]: [Vector; 2]) -> NodeId {
        let along = graph.dot(&self.motion.velocity, &force);
        let about = graph.dot(&self.motion.spin, &moment);
        graph.add(along, about)
    }
}

/// Components in the axes that the recursion uses, of a vector in a frame's own.
pub(super) fn carry(graph: &mut Graph, carried: Option<&Step>, vector: Vector) -> Vector {
    match carried {
        Some(step) => step.apply(graph, vector),
        None => vector,
    }
}

/// The angular velocity of the run of a pose beyond that of the frame before.
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
        pose.step.matrix_back(graph, spin)
    }
}

fn symmetric(graph: &mut Graph, entries: &Matrix) -> Matrix {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let (upper, lower) = (entries[i][j], entries[j][i]);
            graph.sum(
                Number::ZERO,
                vec![(Number::HALF, upper), (Number::HALF, lower)],
            )
        })
    })
}
