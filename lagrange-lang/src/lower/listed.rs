//! Regressors and symmetries during lowering.

use lagrange_engine::{NodeId, Regressor, Symmetry};

use crate::model::{RegressorItem, SymmetryItem};
use crate::syntax::ast::text;
use crate::tables::{RegressorEntry, SymmetryEntry};

pub(super) struct LoweredRegressor {
    pub(super) item: RegressorItem,
    pub(super) is_known: bool,
}

impl LoweredRegressor {
    /// The regressor, unless it has a mistake.
    pub(super) fn known(&self) -> Option<Regressor> {
        let parameters = self.item.parameters.iter();
        self.is_known.then(|| Regressor {
            name: text(&self.item.name),
            parameters: parameters
                .flat_map(|listed| listed.numbers.clone())
                .collect(),
        })
    }

    pub(super) fn entry(self) -> RegressorEntry {
        let Self { item, is_known } = self;
        RegressorEntry { item, is_known }
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
