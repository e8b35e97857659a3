//! Poses and their motion, by recursion along the chain of frames.
//!
//! The axes of a frame are fixed base axes E of an earlier frame, turned by rotations about one axis e of E, and by a
//! constant rotation: R = R_E Rot(e, phi) K. Angles about parallel axes add up, so a planar chain has one sine and
//! cosine for each absolute angle, and its velocities stay in E. A rotation about another axis makes the axes so far
//! the base axes of the following frames: w' = (Rot K)^T (w_E + e dphi/dt), v' = (Rot K)^T v, the usual recursion for
//! serial arms (Featherstone, *Rigid Body Dynamics Algorithms*, 2008, section 5.3).

use crate::{Graph, NodeId};

use super::axis::align;
use super::floating::Floating;
use super::frames::Frames;
use super::pose::{Axes, AxesId, Motion, Pose, PoseId, Run};
use super::space::{self, Matrix, Step, Turn, Vector};

impl Frames {
    pub(super) fn pose(&self, pose: PoseId) -> &Pose {
        &self.poses[pose.0]
    }

    pub(super) fn base(&self, pose: PoseId) -> &Axes {
        &self.axes[self.pose(pose).axes.0]
    }

    fn push(&mut self, pose: Pose) -> PoseId {
        self.poses.push(pose);
        PoseId(self.poses.len() - 1)
    }

    /// `from` with its origin moved by `offset` in its own axes.
    pub(super) fn translate(
        &mut self,
        graph: &mut Graph,
        from: PoseId,
        offset: Vector,
        rate: Vector,
    ) -> PoseId {
        let pose = self.pose(from);
        let in_base = [offset, rate].map(|vector| pose.step.apply(graph, vector));
        let velocity = move_velocity(graph, pose.in_base, in_base);
        let own_velocity = if pose.is_planar() {
            pose.step.back(graph, velocity)
        } else {
            move_velocity(graph, pose.in_own, [offset, rate])
        };
        let way = space::times(graph, &self.base(from).to_world, in_base[0]);
        let moved = Pose {
            axes: pose.axes,
            run: pose.run,
            step: pose.step.clone(),
            origin: space::add(graph, pose.origin, way),
            in_base: Motion {
                velocity,
                ..pose.in_base
            },
            in_own: Motion {
                velocity: own_velocity,
                ..pose.in_own
            },
            floating: pose.floating,
            floats: false,
            is_proven: pose.is_proven,
            from,
            offset: Some(offset),
            relative: Motion {
                velocity: rate,
                spin: space::zero(graph),
            },
        };
        self.push(moved)
    }

    /// `from` turned about a fixed axis of its own, a unit vector of numbers; `angle`
    /// moves.
    pub(super) fn turned(
        &mut self,
        graph: &mut Graph,
        from: PoseId,
        unit: Vector,
        (angle, rate): (NodeId, NodeId),
    ) -> PoseId {
        if let Some((axis, is_opposite)) = self.parallel_axis(graph, from, unit) {
            let mut along = |node| if is_opposite { graph.neg(node) } else { node };
            let (angle, rate) = (along(angle), along(rate));
            let step = self.pose(from).step.clone();
            let run = match self.pose(from).run {
                Some(run) => Run {
                    axis,
                    angle: graph.add(run.angle, angle),
                    rate: graph.add(run.rate, rate),
                    joints: run.joints + 1,
                },
                None => Run {
                    axis,
                    angle,
                    rate,
                    joints: 1,
                },
            };
            return self.turn_run(graph, from, Some(run), step.matrix);
        }
        let (matrix, axis, is_opposite) = align(graph, unit);
        let from = match matrix {
            Some(matrix) => self.turn_by_matrix(graph, from, &matrix),
            None => from,
        };
        let from = self.commit(graph, from);
        let mut along = |node| if is_opposite { graph.neg(node) } else { node };
        let run = Run {
            axis,
            angle: along(angle),
            rate: along(rate),
            joints: 1,
        };
        let identity = space::identity(graph);
        let turned = self.turn_run(graph, from, Some(run), identity);
        match matrix {
            Some(matrix) => self.turn_by_matrix(graph, turned, &space::transpose(&matrix)),
            None => turned,
        }
    }

    /// `from` turned by a constant angle about a fixed axis of its own.
    pub(super) fn turn_by_constant(
        &mut self,
        graph: &mut Graph,
        from: PoseId,
        unit: Vector,
        angle: NodeId,
    ) -> PoseId {
        let (sin, cos) = space::sin_cos(graph, angle);
        let is_exact = [sin, cos].map(|node| {
            let number = graph.as_number(node);
            number.is_some_and(|number| number.to_integer().is_some())
        });
        // After a joint about the same axis it is an offset of the joint's angle.
        let parallel = self.parallel_axis(graph, from, unit);
        if let (Some(run), Some((_, is_opposite)), false) =
            (self.pose(from).run, parallel, is_exact == [true; 2])
        {
            let offset = if is_opposite { graph.neg(angle) } else { angle };
            let run = Run {
                angle: graph.add(run.angle, offset),
                ..run
            };
            let matrix = self.pose(from).step.matrix;
            return self.turn_run(graph, from, Some(run), matrix);
        }
        let matrix = space::rotation(graph, unit, angle);
        self.turn_by_matrix(graph, from, &matrix)
    }

    /// `from` turned by a constant matrix.
    pub(super) fn turn_by_matrix(
        &mut self,
        graph: &mut Graph,
        from: PoseId,
        matrix: &Matrix,
    ) -> PoseId {
        let pose = self.pose(from);
        let matrix = space::product(graph, &pose.step.matrix, matrix);
        let matrix = space::round_entries(graph, &matrix);
        let run = pose.run;
        self.turn_run(graph, from, run, matrix)
    }

    /// `from` turned by a matrix that moves, with the angular velocity `spin` relative to `from` in
    /// the new axes.
    pub(super) fn orient(
        &mut self,
        graph: &mut Graph,
        from: PoseId,
        matrix: &Matrix,
        spin: Vector,
    ) -> PoseId {
        let from = self.commit(graph, from);
        let pose = self.pose(from);
        let step = Step {
            turn: None,
            matrix: *matrix,
        };
        let carried = step.back(graph, pose.in_base.spin);
        let motion = Motion {
            velocity: step.back(graph, pose.in_base.velocity),
            spin: space::add(graph, carried, spin),
        };
        let turned = self.based(graph, from, step, motion);
        self.poses[turned.0].relative.spin = spin;
        turned
    }

    /// Restarts the velocities of `turned`, which has the origin of `from`, unless that origin is at rest.
    pub(super) fn float(&mut self, graph: &mut Graph, from: PoseId, turned: PoseId) {
        let zero = space::zero(graph);
        let before = self.pose(from);
        if before.floating.is_none() && before.in_base.velocity == zero {
            return;
        }
        let square = self.square_of_velocity(graph, from, [zero; 2]);
        let in_world = self.velocity_in_world(graph, from);
        let pose = self.pose(turned);
        let velocity = pose.in_own.velocity;
        let carried = match pose.floating {
            Some(floating) => space::add(graph, floating.in_own, velocity),
            None => velocity,
        };
        let pose = &mut self.poses[turned.0];
        pose.floating = Some(Floating {
            square,
            in_world,
            in_base: carried,
            in_own: carried,
        });
        pose.floats = true;
        pose.in_base.velocity = zero;
        pose.in_own.velocity = zero;
    }

    /// The axis of the run, or a possible axis of a new run, if `unit` is parallel to it.
    fn parallel_axis(
        &self,
        graph: &mut Graph,
        from: PoseId,
        unit: Vector,
    ) -> Option<(usize, bool)> {
        let pose = self.pose(from);
        let in_base = space::times(graph, &pose.step.matrix, unit);
        let (axis, is_opposite) = space::along_axis(graph, in_base)?;
        let is_run = pose.run.is_none_or(|run| run.axis == axis);
        is_run.then_some((axis, is_opposite))
    }

    /// `from` with other rotations after its base axes.
    fn turn_run(
        &mut self,
        graph: &mut Graph,
        from: PoseId,
        run: Option<Run>,
        matrix: Matrix,
    ) -> PoseId {
        let turn = run.map(|run| {
            let (sin, cos) = space::sin_cos(graph, run.angle);
            Turn {
                axis: run.axis,
                sin,
                cos,
            }
        });
        let step = Step { turn, matrix };
        let base = self.base(from).spin;
        let mut in_own = match step.turn {
            Some(_) => {
                let turn_alone = Step {
                    turn,
                    matrix: space::identity(graph),
                };
                turn_alone.back(graph, base)
            }
            None => base,
        };
        let mut total = base;
        if let Some(run) = run {
            // The axis is the same before and after the turn.
            total[run.axis] = graph.add(base[run.axis], run.rate);
            in_own[run.axis] = total[run.axis];
        }
        let pose = self.pose(from);
        let (velocity, is_proven) = (pose.in_base.velocity, pose.is_proven);
        let floating = pose
            .floating
            .map(|floating| floating.moved_by_step(graph, &step));
        let turned = Pose {
            axes: pose.axes,
            run,
            origin: pose.origin,
            in_base: Motion {
                velocity,
                spin: total,
            },
            in_own: Motion {
                velocity: step.back(graph, velocity),
                spin: step.matrix_back(graph, in_own),
            },
            floating,
            floats: false,
            is_proven,
            step,
            from,
            offset: None,
            relative: Motion::none(graph),
        };
        self.push(turned)
    }

    /// `from` with its own axes as base axes.
    fn commit(&mut self, graph: &mut Graph, from: PoseId) -> PoseId {
        let pose = self.pose(from);
        if pose.step.is_none(graph) {
            return from;
        }
        let (step, motion) = (pose.step.clone(), pose.in_own);
        self.based(graph, from, step, motion)
    }

    /// A frame with base axes of its own, `step` away from those of `from`, at the same origin.
    fn based(&mut self, graph: &mut Graph, from: PoseId, step: Step, motion: Motion) -> PoseId {
        let base = self.base(from).to_world;
        let to_world = step.after(graph, &base);
        let pose = self.pose(from);
        let (parent, origin, is_proven) = (pose.axes, pose.origin, pose.is_proven);
        let floating = pose.floating.map(|floating| floating.based(graph, &step));
        self.axes.push(Axes {
            step,
            parent,
            to_world,
            spin: motion.spin,
        });
        let axes = AxesId(self.axes.len() - 1);
        let step = Step::none(graph);
        self.push(Pose {
            axes,
            run: None,
            step,
            origin,
            in_base: motion,
            in_own: motion,
            floating,
            floats: false,
            is_proven,
            from,
            offset: None,
            relative: Motion::none(graph),
        })
    }
}

/// The velocity of a point at `offset`, which changes at `rate`.
fn move_velocity(graph: &mut Graph, motion: Motion, [offset, rate]: [Vector; 2]) -> Vector {
    let turning = space::cross(graph, motion.spin, offset);
    let carried = space::add(graph, motion.velocity, turning);
    space::add(graph, carried, rate)
}
