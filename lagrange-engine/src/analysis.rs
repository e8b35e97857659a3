//! Questions about the structure of expressions, answered in one place.

mod constraint_rows;
mod constraints;
mod courses;
mod degeneracy;
mod flat_constraints;
mod integrability;
mod jumps;
mod lines;
mod quadratic;
mod regressors;
mod surplus_rows;
mod symmetries;

use crate::probe::all_vanish;
use crate::{Answer, Dependence, Graph, Node, NodeId, Symbol, is_identically_zero};
pub use constraints::{ConstraintDefect, constraint_defects};
pub use degeneracy::{Degeneracy, degeneracy};
pub use flat_constraints::flat_constraints;
pub use integrability::integrable_constraints;
use jumps::{differs, jumps};
pub use quadratic::is_quadratic;
pub use regressors::{Entry, RegressorDefect, regressor_defects};
pub use surplus_rows::{Surplus, surplus_rows};
pub(crate) use symmetries::is_conserved;
pub use symmetries::{SymmetryDefect, symmetry_defect};

/// What holds at every state of a system, as far as structure and evaluation at random points show.
///
/// A derivative that is zero shows it for an expression that does not jump: see `jumps`.
///
/// ```
/// use lagrange_engine::{Dynamics, Facts, System};
/// // A mass that an input pulls along x, under friction along y.
/// let text = "coordinates x y\ninputs u\nnode %0 = velocity 0\nnode %1 = velocity 1\n\
///             node %2 = product %0^2\nnode %3 = product %1^2\nnode %4 = sum 0 1/2*%2 1/2*%3\n\
///             kinetic %4\nnode %5 = input 0\nforce 0 %5\ndissipation %3\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// let expected = Facts {
///     cyclic: vec![true, true],
///     conserved_momenta: vec![false, false],
///     conserves_energy: false,
///     constant_mass_matrix: true,
///     conserved_symmetries: vec![],
/// };
/// assert_eq!(*dynamics.facts(), expected);
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Facts {
    /// L does not depend on the coordinate.
    pub cyclic: Vec<bool>,
    /// The momentum is constant: L does not depend on the direction, neither a generalized force nor a
    /// constraint acts along it, and its axes do not turn.
    pub conserved_momenta: Vec<bool>,
    /// The energy stays constant: L does not contain t, and neither the forces nor the constraints
    /// do work.
    pub conserves_energy: bool,
    /// M is the same at every state and time.
    pub constant_mass_matrix: bool,
    /// Of each symmetry: p . xi is constant, as neither a force nor a constraint does work along it.
    pub conserved_symmetries: Vec<bool>,
}

/// The expressions that the facts are read off.
pub(crate) struct Evidence<'a> {
    /// Along each velocity the coordinates that it moves.
    pub(crate) directions: &'a [Vec<Symbol>],
    /// L, and what `energy` is.
    pub(crate) energies: [NodeId; 2],
    /// dL/dq.
    pub(crate) gradient: &'a [NodeId],
    /// What the turning of axes adds to the rates of the momenta.
    pub(crate) turned: &'a [NodeId],
    /// Q.
    pub(crate) forces: &'a [NodeId],
    /// The columns of J.
    pub(crate) constraint_columns: &'a [Vec<NodeId>],
    /// The residuals of holonomic constraints.
    pub(crate) residuals: &'a [NodeId],
    /// Q . v, dL/dt at fixed q and v, and what J v leaves of the velocity level.
    pub(crate) rates_of_energy: &'a [NodeId],
    /// M.
    pub(crate) mass_matrix: &'a [NodeId],
    /// The rates of M's entries along an arbitrary motion.
    pub(crate) mass_rates: &'a [NodeId],
    /// Whether `energy` is the Jacobi integral, which is what stays constant.
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
        let columns = evidence.constraint_columns.iter();
        let unconstrained = columns.map(|column| all_vanish(column)).collect();
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
    /// Whether neither the energy nor what holds the system jumps along a motion, nor differs from one
    /// time to another.
    fn energy_never_jumps(&self, graph: &Graph) -> bool {
        let roots = [&self.energies[..], self.residuals].concat();
        let is_time = |symbol| symbol == Symbol::Time;
        !jumps(graph, &roots).into_iter().any(is_state) && !differs(graph, &roots[..2], &is_time)
    }
}

/// Which of the directions, along which derivatives are zero where `flat` says so, do not change the
/// roots.
fn are_still(
    graph: &Graph,
    roots: &[NodeId],
    directions: &[Vec<Symbol>],
    flat: Vec<bool>,
) -> Vec<bool> {
    let jumps = jumps(graph, roots);
    let is_still = |(moved, flat): (&Vec<Symbol>, bool)| {
        // Along one direction of a rotation its coordinates do not change by themselves.
        let differs = match moved[..] {
            [symbol] => flat && differs(graph, roots, &|other| other == symbol),
            _ => false,
        };
        flat && !differs && !moved.iter().any(|symbol| jumps.contains(symbol))
    };
    directions.iter().zip(flat).map(is_still).collect()
}

/// Whether roots whose derivatives are zero are not the same at every state and time.
fn varies_by_pieces(graph: &Graph, roots: &[NodeId]) -> bool {
    jumps(graph, roots).into_iter().any(is_state) || differs(graph, roots, &is_state)
}

fn is_state(symbol: Symbol) -> bool {
    Dependence::of(symbol).intersects(Dependence::STATE)
}

/// The degree of the expression as a polynomial in the velocities, or `None` if its structure does
/// not show it to be one.
///
/// ```
/// use lagrange_engine::{Graph, Symbol, Unary, velocity_degree};
/// let mut graph = Graph::new();
/// let v = graph.symbol(Symbol::Velocity(0));
/// let cube = graph.powi(v, 3);
/// let root = graph.unary(Unary::Sqrt, v);
/// assert_eq!(velocity_degree(&graph, cube), Some(3));
/// assert_eq!(velocity_degree(&graph, root), None);
/// ```
pub fn velocity_degree(graph: &Graph, root: NodeId) -> Option<u32> {
    let mut degrees: Vec<Option<u32>> = Vec::with_capacity(root.index() + 1);
    for index in 0..=root.index() {
        let id = NodeId(index as u32);
        let degree = if graph.dependence(id).intersects(Dependence::VELOCITY) {
            degree_of(graph.node(id), &degrees)
        } else {
            Some(0)
        };
        degrees.push(degree);
    }
    degrees[root.index()]
}

fn degree_of(node: &Node, degrees: &[Option<u32>]) -> Option<u32> {
    let degree = |id: NodeId| degrees[id.index()];
    match node {
        Node::Number(_) | Node::Pi => Some(0),
        Node::Symbol(symbol) => Some(u32::from(matches!(symbol, Symbol::Velocity(_)))),
        Node::Sum { terms, .. } => terms
            .iter()
            .try_fold(0, |most, (_, term)| Some(degree(*term)?.max(most))),
        Node::Product(factors) => {
            factors.iter().try_fold(0_u32, |total, (base, exponent)| {
                match (degree(*base)?, u32::try_from(*exponent)) {
                    (0, _) => Some(total),
                    (degree, Ok(exponent)) => total.checked_add(degree.checked_mul(exponent)?),
                    (_, Err(_)) => None,
                }
            })
        }
        Node::Unary(..) | Node::Binary(..) => None,
        Node::Select {
            sides,
            then,
            otherwise,
            ..
        } => match (degree(sides[0])?, degree(sides[1])?) {
            (0, 0) => Some(degree(*then)?.max(degree(*otherwise)?)),
            _ => None,
        },
    }
}
