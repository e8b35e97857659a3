//! The state in which the search for code begins.
//!
//! The order of nodes decides between forms of equal length, and depends on all that was derived before. So each request
//! begins in the same state, and its nodes are removed afterwards: its code depends on the system and on the request,
//! not on earlier requests or analyses.

use super::SolveProgram;
use super::entries::{Entries, Start};
use crate::forms::{Derived, Form};
use crate::{Dynamics, Quantity};

/// The quantities that other requests share most, in the order of their derivation. The Coriolis matrix is not among
/// them: it may be longer than all of them. A quantity that is not listed is derived by each request that contains it.
const SHARED: [Quantity; 21] = [
    Quantity::CoordinateRates,
    Quantity::MassMatrix,
    Quantity::Forcing,
    Quantity::Momenta,
    Quantity::Bias,
    Quantity::GeneralizedForces,
    Quantity::KineticEnergy,
    Quantity::PotentialEnergy,
    Quantity::PotentialGradient,
    Quantity::Lagrangian,
    Quantity::Energy,
    Quantity::JacobiIntegral,
    Quantity::InverseDynamics,
    Quantity::ConstraintResidual,
    Quantity::ConstraintVelocity,
    Quantity::ConstraintJacobian,
    Quantity::ConstraintGamma,
    Quantity::ContactGaps,
    Quantity::ContactGapRates,
    Quantity::ContactJacobian,
    Quantity::ContactGamma,
];

impl Dynamics {
    /// The result of a search that begins in the state of [`Start`]. Searches are not nested.
    pub(super) fn search_from_start<T>(&self, search: impl FnOnce() -> T) -> T {
        let start = self.start();
        self.derived.swap(&start.derived);
        let result = search();
        self.derived.swap(&start.derived);
        start.derived.borrow_mut().restore(&start.mark);
        result
    }

    /// The candidates that may become the shortest.
    pub(super) fn candidates_from_start(&self, quantities: &[Quantity]) -> Vec<Entries> {
        let known = self.start().likely.get(quantities);
        known.map_or_else(|| self.likely_candidates(quantities), Vec::clone)
    }

    /// The result of a derivation that begins with the nodes of the system alone, and all that it derived.
    pub(super) fn derive_anew<T>(&self, derive: impl FnOnce() -> T) -> (T, Derived) {
        let system_graph = self.graph().first(self.given);
        let analysed = self.derived.replace(Derived::new(system_graph));
        let result = derive();
        (result, self.derived.replace(analysed))
    }

    fn start(&self) -> &Start {
        self.start.get_or_init(|| {
            let (likely, derived) = self.derive_anew(|| {
                self.derive_shared();
                let single = SHARED.iter().map(std::slice::from_ref);
                std::iter::once(&SolveProgram::TERMS[..])
                    .chain(single)
                    .map(|request| (request.to_vec(), self.likely_candidates(request)))
                    .collect()
            });
            Start {
                mark: derived.mark(),
                derived: derived.into(),
                likely,
            }
        })
    }

    fn derive_shared(&self) {
        self.deriving(|derivation| {
            derivation.quantity(Form::AsWritten, Quantity::Momenta);
            derivation.gradient_of(derivation.system.energy);
        });
        for form in [Form::AsWritten, Form::Multibody] {
            self.derive_entries(form, &SHARED);
        }
    }
}
