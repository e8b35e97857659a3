//! Euler-Lagrange: from the energies to the terms of the equations of motion.
//!
//! Signs and index order are stated here once. With v = dq/dt and L = T - V:
//!
//! - p = dL/dv, M = dp/dv (symmetric, n x n)
//! - bias h = (dp/dq) v + dp/dt - dL/dq
//! - Q = given forces - dD/dv, forcing f = Q - h
//! - M a = f + J^T lambda, so that M a + h = Q + J^T lambda; lambda are the constraints' multipliers
//! - C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k
//!
//! p and dL/dq are one reverse sweep, M is the lower triangle of dp/dv by forward sweeps, and h is
//! one directional derivative of p along (q, t) -> (v, 1): nothing is expanded or inverted.
//! Where a system has bodies that recursion takes, its forms of M, h and M a + h stand beside the
//! derived ones, and M and f together decide which of both is cheaper.

mod constraints;
mod terms;
mod variants;

use std::collections::HashMap;

use crate::analysis::{Evidence, Facts};
use crate::simplify::simplify;
use crate::{Energy, Graph, Multibody, Names, NodeId, Shape, System};
pub use constraints::ConstraintTerms;
use terms::{Derivation, Motion, Recursive};

/// The derived terms. Vectors have n entries; q, v, a, u and the parameters are symbols.
#[derive(Clone, Debug)]
pub struct Dynamics {
    /// The graph that holds every expression below.
    pub graph: Graph,
    /// What the symbols are called.
    pub names: Names,
    /// The lower triangle of M, row by row: n (n + 1) / 2 entries.
    pub mass_matrix: Vec<NodeId>,
    /// p = dL/dv.
    pub momenta: Vec<NodeId>,
    /// h: M a + h = Q.
    pub bias: Vec<NodeId>,
    /// f = Q - h: M a = f.
    pub forcing: Vec<NodeId>,
    /// Q, with what dissipation adds.
    pub generalized_forces: Vec<NodeId>,
    /// M a + h.
    pub inverse_dynamics: Vec<NodeId>,
    /// M a + h again, entry by entry of M: what the equations of motion read like. More operations
    /// than `inverse_dynamics`, but what cancels in M and in h is gone.
    pub left_hand_sides: Vec<NodeId>,
    /// L = T - V.
    pub lagrangian: NodeId,
    /// T + V; for a system given by L the Jacobi integral.
    pub energy: NodeId,
    /// p . v - L.
    pub jacobi_integral: NodeId,
    /// What only a system with separate T and V has.
    pub natural: Option<NaturalTerms>,
    /// The constraints, rows of holonomic ones first.
    pub constraints: ConstraintTerms,
    /// The user's outputs.
    pub outputs: Vec<OutputTerms>,
    /// What holds at every state.
    pub facts: Facts,
    /// The same expressions factored in another way, for those that differ.
    alternatives: HashMap<NodeId, NodeId>,
}

/// The terms of a system with separate energies.
#[derive(Clone, Debug)]
pub struct NaturalTerms {
    /// T.
    pub kinetic: NodeId,
    /// V.
    pub potential: NodeId,
    /// dV/dq.
    pub potential_gradient: Vec<NodeId>,
    /// C, row by row: n x n entries.
    pub coriolis_matrix: Vec<NodeId>,
}

/// An output and, where it is a scalar or vector of q and t alone, its Jacobian.
#[derive(Clone, Debug)]
pub struct OutputTerms {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Its entries, row by row.
    pub entries: Vec<NodeId>,
    /// d entries / dq, row by row: as many rows as entries, n columns.
    pub jacobian: Option<Vec<NodeId>>,
}

/// The position of row `i`, column `j <= i` in a lower triangle stored row by row.
///
/// ```
/// assert_eq!(lagrange_engine::lower_triangle(2, 1), 4);
/// ```
pub fn lower_triangle(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// Derives the equations of motion.
///
/// ```
/// use lagrange_engine::{
///     Energy, Graph, Multibody, Names, Number, Symbol, System, derive, plain_names,
/// };
/// let mut graph = Graph::new();
/// let (q, v) = (graph.symbol(Symbol::Coordinate(0)), graph.symbol(Symbol::Velocity(0)));
/// let (v2, q2) = (graph.powi(v, 2), graph.powi(q, 2));
/// let (kinetic, potential) = (graph.scale(Number::HALF, v2), graph.scale(Number::HALF, q2));
/// let zero = graph.integer(0);
/// let dynamics = derive(System {
///     graph,
///     names: Names { coordinates: vec!["q".into()], ..Names::default() },
///     energy: Energy::Natural { kinetic, potential },
///     multibody: Multibody::default(),
///     dissipation: zero,
///     forces: vec![zero],
///     constraints: vec![],
///     outputs: vec![],
/// });
/// assert_eq!(dynamics.graph.text(dynamics.forcing[0], &plain_names), "-q0");
/// assert!(dynamics.facts.conserves_energy && dynamics.facts.constant_mass_matrix);
/// ```
pub fn derive(mut system: System) -> Dynamics {
    let recursive = Recursive::of(&mut system);
    system.energy = system.whole_energy();
    system.multibody = Multibody::default();
    let Some(recursive) = recursive else {
        return derive_with(system, None);
    };
    let recursion = derive_with(system.clone(), Some(recursive));
    let plain = derive_with(system, None);
    if recursion.operations_of_motion() < plain.operations_of_motion() {
        recursion
    } else {
        plain
    }
}

/// M, the bias and the inverse dynamics are those of `recursive`, if it is given.
fn derive_with(system: System, recursive: Option<Recursive>) -> Dynamics {
    let mut derivation = Derivation::new(system.graph, &system.names);
    let lagrangian = match system.energy {
        Energy::Natural { kinetic, potential } => derivation.graph.sub(kinetic, potential),
        Energy::Lagrangian(lagrangian) => lagrangian,
    };
    let momenta = derivation.momenta(lagrangian);
    let gradient = derivation.gradient_of(system.energy);
    let derived_mass_matrix = derivation.mass_matrix(&momenta);
    let motion = match recursive {
        Some(recursive) => derivation.motion_with(recursive),
        None => Motion {
            mass_matrix: derived_mass_matrix.clone(),
            bias: derivation.bias(&momenta, &gradient),
            inverse_dynamics: derivation.inverse_dynamics(&momenta, &gradient),
        },
    };
    let Motion {
        mass_matrix,
        bias,
        inverse_dynamics,
    } = motion;
    let generalized_forces = derivation.forces(&system.forces, system.dissipation);
    let forcing = derivation.difference(&generalized_forces, &bias);
    let jacobi_integral = derivation.jacobi_integral(lagrangian, &momenta);
    let natural = match system.energy {
        Energy::Natural { kinetic, potential } => {
            Some(derivation.natural_terms(kinetic, potential, &momenta, &derived_mass_matrix))
        }
        Energy::Lagrangian(_) => None,
    };
    let energy = match &natural {
        Some(terms) => derivation.graph.add(terms.kinetic, terms.potential),
        None => jacobi_integral,
    };
    // Where T is homogeneous of degree two, p . v - L is T + V.
    let homogeneous = natural.is_some() && derivation.is_homogeneous(lagrangian, &momenta, energy);
    let jacobi_integral = if homogeneous { energy } else { jacobi_integral };
    let (power, explicit_rate) =
        derivation.power_and_explicit_rate(&generalized_forces, lagrangian);
    let mass_rates = derivation.rates(&derived_mass_matrix);
    let constraints = derivation.constraint_terms(&system.constraints);
    let work = derivation.work_of_constraints(&constraints);
    let facts = Facts::of(
        &derivation.graph,
        &Evidence {
            gradient: &gradient,
            forces: &generalized_forces,
            constraint_columns: &constraints.columns(generalized_forces.len()),
            rates_of_energy: &[&[power, explicit_rate], &work[..]].concat(),
            mass_rates: &mass_rates,
            energy_is_jacobi_integral: homogeneous || natural.is_none(),
        },
    );
    let outputs = derivation.outputs(system.outputs);
    let mut dynamics = Dynamics {
        graph: derivation.graph,
        names: system.names,
        mass_matrix,
        momenta,
        bias,
        forcing,
        generalized_forces,
        inverse_dynamics,
        left_hand_sides: Vec::new(),
        lagrangian,
        energy,
        jacobi_integral,
        natural,
        constraints,
        outputs,
        facts,
        alternatives: HashMap::new(),
    };
    simplify(&mut dynamics);
    dynamics.left_hand_sides = terms::left_hand_sides(&mut dynamics);
    dynamics
}
