//! Kinetic and potential energy of bodies.

use super::Body;
use super::frames::Frames;
use super::pose::{Pose, PoseId};
use super::space::{self, Vector};
use crate::{Graph, Kinematics, NodeId, Number};

impl Frames {
    /// T = m/2 |v|^2 + w . I w / 2, with the velocity v of the centre of mass.
    pub fn kinetic_energy(
        &self,
        graph: &mut Graph,
        kinematics: &Kinematics,
        body: &Body,
    ) -> NodeId {
        let along = kinematics.along_the_motion(graph);
        let rate = space::rate(graph, body.at, &along);
        let pose = self.pose_of(body.frame);
        let square = self.square_of_velocity(graph, pose, [body.at, rate]);
        let rotation = double_rotation_energy(graph, self.pose(pose).in_own.spin, body);
        let translation = graph.mul(body.mass, square);
        let half = Number::HALF;
        graph.sum(Number::ZERO, vec![(half, translation), (half, rotation)])
    }

    /// |v|^2 of a point at a place that changes at a rate, in the pose's axes.
    pub(super) fn square_of_velocity(
        &self,
        graph: &mut Graph,
        pose: PoseId,
        [point, rate]: [Vector; 2],
    ) -> NodeId {
        let zero = space::zero(graph);
        let is_origin = point == zero && rate == zero;
        let pose = self.pose(if is_origin {
            self.before_turns(pose)
        } else {
            pose
        });
        let is_in_base = self.is_cheaper_in_base(graph, pose);
        let motion = if is_in_base {
            pose.in_base
        } else {
            pose.in_own
        };
        let [point, rate] = [point, rate].map(|vector| {
            if is_in_base {
                pose.step.apply(graph, vector)
            } else {
                vector
            }
        });
        let turning = space::cross(graph, motion.spin, point);
        let relative = space::add(graph, turning, rate);
        let velocity = space::add(graph, motion.velocity, relative);
        match pose.floating {
            Some(floating) if is_in_base => floating.square_with(graph, floating.in_base, velocity),
            Some(floating) => floating.square_with(graph, floating.in_own, velocity),
            None => graph.dot(&velocity, &velocity),
        }
    }

    /// The pose with the same origin before the turn: its velocity has gone through fewer rotations, and has the same
    /// length.
    fn before_turns(&self, pose: PoseId) -> PoseId {
        let mut start = pose;
        while start != PoseId::WORLD
            && self.pose(start).offset.is_none()
            && self.pose(start).is_proven
        {
            start = self.pose(start).from;
        }
        start
    }

    /// Returns whether to form the motion of points in the base axes: if these do not turn, or several joints turn
    /// about one of them, velocities are sums there. About an origin at rest there are no angles in the pose's own
    /// axes.
    fn is_cheaper_in_base(&self, graph: &Graph, pose: &Pose) -> bool {
        let is_zero = |vector: &Vector| vector.iter().all(|entry| graph.is_zero(*entry));
        let base_is_at_rest = is_zero(&self.axes[pose.axes.0].spin);
        !is_zero(&pose.in_base.velocity) && (base_is_at_rest || pose.is_planar())
    }

    /// The potential energy of each body under an acceleration of gravity in the world's axes,
    /// V = -m g . r.
    pub fn potential_energies(
        &self,
        graph: &mut Graph,
        gravity: [NodeId; 3],
        bodies: &[Body],
    ) -> Vec<NodeId> {
        let projection = self.project(graph, gravity);
        bodies
            .iter()
            .map(|body| {
                let pose = self.pose_of(body.frame);
                let work = projection.of_point(graph, pose, body.at);
                let weighted = graph.mul(body.mass, work);
                graph.neg(weighted)
            })
            .collect()
    }
}

/// w . I w: only the symmetric part of I counts.
fn double_rotation_energy(graph: &mut Graph, spin: Vector, body: &Body) -> NodeId {
    let inertia = &body.inertia;
    let mut terms = Vec::new();
    for i in 0..3 {
        let square = graph.powi(spin[i], 2);
        terms.push((Number::ONE, graph.mul(inertia[i][i], square)));
        for j in 0..i {
            let sum = graph.add(inertia[i][j], inertia[j][i]);
            let product = graph.mul(spin[i], spin[j]);
            terms.push((Number::ONE, graph.mul(sum, product)));
        }
    }
    graph.sum(Number::ZERO, terms)
}
