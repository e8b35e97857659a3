//! Regressors, sensitivities and symmetries during lowering.

use lagrange_engine::{NodeId, ParameterList, Symmetry};
use proc_macro2::Ident;

use crate::model::{Listed, SymmetryItem};
use crate::syntax::ast::text;
use crate::tables::{RegressorEntry, SensitivityEntry, SymmetryEntry};

/// The regressor, unless it has a mistake.
pub(super) fn known_regressor(entry: &RegressorEntry) -> Option<ParameterList> {
    let item = &entry.item;
    entry.is_known.then(|| list(&item.name, &item.parameters))
}

/// The sensitivity, unless it has a mistake.
pub(super) fn known_sensitivity(entry: &SensitivityEntry) -> Option<ParameterList> {
    let item = &entry.item;
    entry.is_known.then(|| list(&item.name, &item.parameters))
}

fn list(name: &Ident, parameters: &[Listed]) -> ParameterList {
    let parameters = parameters.iter();
    ParameterList {
        name: text(name),
        parameters: parameters
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
