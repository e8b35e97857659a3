//! What motions tell of the parameters of a regressor.

use super::combinations::{Combination, Rows, combinations};
use super::pieces::Pieces;
use crate::probe::Surface;
use crate::{Dynamics, NodeId, Quantity, Symbol};

/// The parameters of a regressor as far as motions and forces determine them: the value of [`identification`].
///
/// ```
/// use lagrange_engine::{Combination, Identification};
/// let found = Identification {
///     combinations: vec![Combination { first: 0, others: vec![] }],
///     unseen: vec![1],
/// };
/// assert_eq!(found.combinations.len(), 1);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Identification {
    /// The independent combinations that occur in the equations, for almost all values of the other parameters.
    pub combinations: Vec<Combination>,
    /// The positions of the parameters that are in none of them.
    pub unseen: Vec<usize>,
}

/// The identification by the regressor of this number, whose equations are linear.
///
/// Its rank is that of all rows of Y at all states. With constraints the states are on them, and multipliers are unknown:
/// the rows are those of `Nᵀ Y`, where the columns of N span the motions that the constraints leave.
///
/// ```
/// use lagrange_engine::{System, Dynamics, identification};
/// // A pendulum of mass m and moment of inertia j in weightlessness: T = (m l^2 + j) v^2/2.
/// let text = "coordinates q\nparameters m l j\nnode %0 = velocity 0\nnode %1 = product %0^2\n\
///             node %2 = parameter 0\nnode %3 = parameter 1\nnode %4 = parameter 2\n\
///             node %5 = product %2^1 %3^2 %1^1\nnode %6 = product %4^1 %1^1\n\
///             node %7 = sum 0 1/2*%5 1/2*%6\nkinetic %7\nregressor identify 0 2\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// let found = identification(&dynamics, 0);
/// assert_eq!((found.combinations.len(), found.unseen.len()), (1, 0));
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
pub fn identification(dynamics: &Dynamics, number: usize) -> Identification {
    let columns = dynamics.regressor(number).unwrap_or_default();
    let entries = dynamics.written_expressions(Quantity::Regressor(number));
    let of = |quantity| dynamics.written_expressions(quantity);
    let residuals = of(Quantity::ConstraintResidual);
    let velocity = of(Quantity::ConstraintVelocity);
    let slopes = of(Quantity::HolonomicJacobian);
    let jacobian = of(Quantity::ConstraintJacobian);
    let gamma = of(Quantity::ConstraintGamma);
    let sizes = dynamics.sizes();
    let mut graph = dynamics.graph().clone();
    let mut row = |(row, gamma): (&[NodeId], &NodeId)| {
        let accelerations = (0..sizes.velocities as u32).map(Symbol::Acceleration);
        let zero = graph.integer(0);
        let sum = row.iter().zip(accelerations).fold(zero, |sum, (entry, a)| {
            let a = graph.symbol(a);
            let term = graph.mul(*entry, a);
            graph.add(sum, term)
        });
        graph.sub(sum, *gamma)
    };
    let acceleration: Vec<NodeId> = jacobian
        .chunks(sizes.velocities.max(1))
        .zip(&gamma)
        .map(&mut row)
        .collect();
    let surface = Surface {
        kinematics: dynamics.kinematics(),
        residuals: &residuals,
        slopes: &slopes,
        velocity: &velocity,
        jacobian: &jacobian,
        acceleration: &acceleration,
    };
    let roots = [&entries[..], &acceleration, &residuals].concat();
    let parameters = parameters(&graph, &roots, &columns);
    let combinations = combinations(&Rows {
        graph: &graph,
        entries: &entries,
        columns: columns.len(),
        surface: (sizes.constraints > 0).then_some(&surface),
        parameters: &parameters,
        pieces: &Pieces::of(&graph, &entries),
    });
    let seen = |column: &usize| {
        combinations
            .iter()
            .any(|c| c.first == *column || c.others.iter().any(|(other, _)| other == column))
    };
    Identification {
        unseen: (0..columns.len()).filter(|column| !seen(column)).collect(),
        combinations,
    }
}

/// The parameters that occur, but for those of the columns.
fn parameters(graph: &crate::Graph, roots: &[NodeId], columns: &[Symbol]) -> Vec<Symbol> {
    graph
        .symbols_in(roots)
        .into_iter()
        .filter(|symbol| matches!(symbol, Symbol::Parameter(_)) && !columns.contains(symbol))
        .collect()
}
