//! A system without errors, with its equations.

use lagrange_engine::{Dynamics, Routines};

use super::skeleton::Skeleton;
use super::symbols::Parameters;
use crate::methods::Layout;
use crate::model::Model;

/// A system with its equations, ready for printing.
pub(super) struct Context<'a> {
    pub(super) skeleton: Skeleton<'a>,
    pub(super) model: &'a Model,
    pub(super) dynamics: &'a Dynamics,
    pub(super) parameters: Parameters,
}

impl<'a> Context<'a> {
    pub(super) fn new(model: &'a Model, dynamics: &'a Dynamics) -> Self {
        let sizes = dynamics.sizes();
        let redundant = model.head.options.redundant.is_some();
        let (rank, rank_on_constraints) = if redundant {
            (dynamics.constraint_rank(), dynamics.rank_on_constraints())
        } else {
            (sizes.constraints, sizes.constraints)
        };
        let layout = Layout {
            coordinates: sizes.coordinates,
            velocities: sizes.velocities,
            inputs: model.head.input_count(),
            constraints: sizes.constraints,
            holonomic: sizes.holonomic,
            contacts: sizes.contacts,
            time: model.head.time.is_some(),
            by_lagrangian: !dynamics.is_natural(),
            quadratic: dynamics.is_quadratic(),
            coriolis_matrix: model.has_coriolis_matrix,
            midpoint_step: model.has_midpoint_step,
            redundant,
            reacting: model.reacting,
            rank,
            rank_on_constraints,
        };
        Context {
            skeleton: Skeleton::new(&model.head, layout),
            model,
            dynamics,
            parameters: Parameters::new(&model.head.parameters),
        }
    }

    /// The routines that all printers read.
    pub(super) fn routines(&self) -> Routines<'a> {
        Routines::new(self.dynamics).with_redundant_rows(self.skeleton.layout.redundant)
    }
}
