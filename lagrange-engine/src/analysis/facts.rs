//! Properties that hold at every state of a system.

use super::jumps::{differs, has_kinks, jumps};
use crate::probe::all_vanish;
use crate::{Answer, Dependence, Graph, NodeId, Symbol, is_identically_zero};

/// Properties that hold at every state of a system, as far as structure and evaluation at random points show.
///
/// A zero derivative shows it for an expression that does not jump: see `jumps`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Facts {
    /// L does not depend on the coordinate.
    pub cyclic: Vec<bool>,
    /// The momentum is constant: L does not depend on the direction, neither a generalized force nor a
    /// constraint acts along it, and its axes do not turn.
    pub conserved_momenta: Vec<bool>,
    /// The energy stays constant: L does not contain t, neither the forces nor the constraints
    /// do work, and no first-order state acts on the motion.
    pub conserves_energy: bool,
    /// M is the same at every state and time.
    pub constant_mass_matrix: bool,
    /// For each symmetry: p . xi is constant, because neither a force nor a constraint does work along it.
    pub conserved_symmetries: Vec<bool>,
}

/// The expressions from which the facts follow.
pub(crate) struct Evidence<'a> {
    /// For each velocity the coordinates that it moves.
    pub(crate) directions: &'a [Vec<Symbol>],
    /// L, and the value of `energy`.
    pub(crate) energies: [NodeId; 2],
    /// dL/dq.
    pub(crate) gradient: &'a [NodeId],
    /// The part of the rates of the momenta from turning axes.
    pub(crate) turned: &'a [NodeId],
    /// Q.
    pub(crate) forces: &'a [NodeId],
    /// The columns of J.
    pub(crate) constraint_columns: &'a [Vec<NodeId>],
    /// The residuals of holonomic constraints.
    pub(crate) residuals: &'a [NodeId],
    /// Q . v, dL/dt at fixed q and v, the part of the velocity level that is not J v, and the derivatives of L and Q by
    /// first-order states.
    pub(crate) rates_of_energy: &'a [NodeId],
    /// M.
    pub(crate) mass_matrix: &'a [NodeId],
    /// The rates of M's entries along an arbitrary motion.
    pub(crate) mass_rates: &'a [NodeId],
    /// True if `energy` is the Jacobi integral, the conserved quantity.
    pub(crate) energy_is_jacobi_integral: bool,
    pub(crate) conserved_symmetries: &'a [bool],
}

impl Facts {
    pub(crate) fn of(graph: &Graph, evidence: &Evidence<'_>) -> Self {
        let vanish = |roots: &[NodeId]| -> Vec<bool> {
            let answers = is_identically_zero(graph, roots);
            answers.iter().map(|a| *a == Answer::Yes).collect()
        };
        let all_vanish = |roots: &[NodeId]| all_vanish(graph, roots);
        let [lagrangian, _] = evidence.energies;
        let cyclic = vanish(evidence.gradient);
        let cyclic = are_still(graph, &[lagrangian], evidence.directions, cyclic);
        let unconstrained = evidence
            .constraint_columns
            .iter()
            .map(|column| all_vanish(column))
            .collect();
        let residuals = evidence.residuals;
        let unconstrained = are_still(graph, residuals, evidence.directions, unconstrained);
        let free = vanish(evidence.forces);
        let steady = vanish(evidence.turned);
        Self {
            conserved_momenta: (0..cyclic.len())
                .map(|i| cyclic[i] && free[i] && unconstrained[i] && steady[i])
                .collect(),
            cyclic,
            conserves_energy: evidence.energy_is_jacobi_integral
                && all_vanish(evidence.rates_of_energy)
                && evidence.energy_never_jumps(graph),
            constant_mass_matrix: all_vanish(evidence.mass_rates)
                && !varies_by_pieces(graph, evidence.mass_matrix),
            conserved_symmetries: evidence.conserved_symmetries.to_vec(),
        }
    }
}

impl Evidence<'_> {
    /// Returns whether neither the energy nor the constraints jump along a motion, the constraints have no kinks, the
    /// energy does not differ between times, and neither the energy nor the forces differ between first-order states.
    pub(super) fn energy_never_jumps(&self, graph: &Graph) -> bool {
        let roots = [&self.energies[..], self.residuals].concat();
        let is_state = |symbol| matches!(symbol, Symbol::State(_));
        let is_given = |symbol| symbol == Symbol::Time || is_state(symbol);
        !jumps(graph, &roots).into_iter().any(self::is_state)
            && !has_kinks(graph, self.residuals)
            && !differs(graph, &roots[..2], &is_given)
            && !differs(graph, self.forces, &is_state)
    }
}

/// For each direction whether it leaves the roots unchanged; their derivatives are zero along the directions in `flat`.
pub(super) fn are_still(
    graph: &Graph,
    roots: &[NodeId],
    directions: &[Vec<Symbol>],
    flat: Vec<bool>,
) -> Vec<bool> {
    let jumps = jumps(graph, roots);
    let is_still = |(moved, flat): (&Vec<Symbol>, bool)| {
        // Along one direction of a rotation its coordinates do not change separately.
        let differs = match moved[..] {
            [symbol] => flat && differs(graph, roots, &|other| other == symbol),
            _ => false,
        };
        flat && !differs && !moved.iter().any(|symbol| jumps.contains(symbol))
    };
    directions.iter().zip(flat).map(is_still).collect()
}

/// Returns whether roots with zero derivatives differ between states or times.
pub(super) fn varies_by_pieces(graph: &Graph, roots: &[NodeId]) -> bool {
    jumps(graph, roots).into_iter().any(is_state) || differs(graph, roots, &is_state)
}

pub(super) fn is_state(symbol: Symbol) -> bool {
    Dependence::of(symbol).intersects(Dependence::MOTION)
}
