//! Output frames: their poses and motion.

use super::{Derivation, Form, Recursive};
use crate::multibody::FrameMotions;
use crate::{FrameId, NodeId};

impl Derivation<'_> {
    pub(super) fn frame_origin(&mut self, form: Form, number: usize) -> Vec<NodeId> {
        if form == Form::Multibody {
            return self.of_frame(number, FrameMotions::origin_by_links);
        }
        let ask = |motions: &FrameMotions, _: &mut _, frame| motions.origin(frame).to_vec();
        self.of_frame(number, ask)
    }

    pub(super) fn frame_rotation(&mut self, number: usize) -> Vec<NodeId> {
        self.of_frame(number, |motions, graph, frame| {
            motions.rotation(graph, frame).concat()
        })
    }

    pub(super) fn frame_velocity(&mut self, number: usize) -> Vec<NodeId> {
        self.of_frame(number, FrameMotions::velocity)
    }

    pub(super) fn frame_jacobian(&mut self, form: Form, number: usize) -> Vec<NodeId> {
        match form {
            Form::Multibody | Form::MassMoments => {
                self.of_frame(number, FrameMotions::geometric_jacobian)
            }
            _ => self.of_frame(number, FrameMotions::jacobian),
        }
    }

    pub(super) fn frame_bias(&mut self, form: Form, number: usize) -> Vec<NodeId> {
        let recursion = self.recursive.map(Recursive::recursion);
        match (form, recursion) {
            (Form::Multibody, Some(recursion)) => self.of_frame(number, |motions, graph, frame| {
                motions.bias_by_recursion(graph, frame, recursion)
            }),
            (Form::MassMoments, Some(recursion)) => self
                .of_frame(number, |motions, graph, frame| {
                    motions.bias_by_moments(graph, frame, recursion)
                }),
            _ => self.of_frame(number, FrameMotions::bias),
        }
    }

    /// A quantity of the output frame of this number; `None` if there is no such frame.
    fn of_frame(
        &mut self,
        number: usize,
        ask: impl FnOnce(&FrameMotions, &mut crate::Graph, FrameId) -> Vec<NodeId>,
    ) -> Vec<NodeId> {
        let multibody = &self.system.multibody;
        let Some((_, frame)) = multibody.outputs().get(number) else {
            return Vec::new();
        };
        let derived = &mut *self.derived;
        let graph = &mut derived.graph;
        let motions = derived
            .known
            .frame_motions
            .get_or_insert_with(|| FrameMotions::new(graph, multibody, self.kinematics));
        ask(motions, graph, *frame)
    }
}
