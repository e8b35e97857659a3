//! Regressors, sensitivities and symmetries during lowering.

use lagrange_engine::{NodeId, ParameterList, Symmetry};
use proc_macro2::Ident;

use crate::model::{Listed, SymmetryItem};
use crate::syntax::ast::text;
use crate::tables::SymmetryEntry;

/// The parameters of a regressor or sensitivity.
pub(super) fn list_parameters(name: &Ident, parameters: &[Listed]) -> ParameterList {
    ParameterList {
        name: text(name),
        parameters: parameters
            .iter()
            .flat_map(|listed| listed.numbers.clone())
            .collect(),
    }
}

pub(super) struct LoweredSymmetry {
    pub(super) item: SymmetryItem,
    /// `None` after a mistake.
    pub(super) along: Option<Vec<NodeId>>,
}

impl LoweredSymmetry {
    /// The symmetry, unless it has a mistake. Coordinates that are declared later do not move.
    pub(super) fn known(&self, velocities: usize, zero: NodeId) -> Option<Symmetry> {
        let mut along = self.along.clone()?;
        along.resize(velocities, zero);
        Some(Symmetry {
            name: text(&self.item.name),
            along,
        })
    }

    pub(super) fn entry(self) -> SymmetryEntry {
        SymmetryEntry {
            is_known: self.along.is_some(),
            item: self.item,
        }
    }
}
