//! The derivatives of accelerations by inputs that act on one velocity each.
//!
//! Their right-hand sides are multiples of unit vectors, and the inverse of M is symmetric: of its columns only what
//! is not known from the others is computed. Where every velocity has an input, as the joints of an arm have, that is
//! a third of what full substitutions take.

use super::Operand;
use super::builder::Builder;
use super::elimination::Signed;
use super::solve::{Factorization, ZERO};

/// What takes more operations is left to a loop over the columns.
const MAX_OPERATIONS: usize = 500;

/// The derivatives of accelerations by inputs.
///
/// ```
/// use lagrange_engine::{Beyond, Equation, Graph, Symbol, schedule_sensitivity};
/// // Eight velocities with a motor each, and the derivatives of the equations by q and v, all of them k.
/// let mut graph = Graph::new();
/// let [m, k, f] = [Symbol::Parameter(0), Symbol::Parameter(1), Symbol::Input(0)]
///     .map(|symbol| graph.symbol(symbol));
/// let (zero, one) = (graph.integer(0), graph.integer(1));
/// let mass: Vec<_> = (0..8).flat_map(|i| (0..=i).map(move |j| if i == j { m } else { one })).collect();
/// let motors = (0..64).map(|at| if at % 9 == 0 { one } else { zero });
/// let equation = Equation {
///     mass_matrix: &mass,
///     forcing: &[f; 8],
///     jacobian: &[],
///     gamma: &[],
///     singular: false,
///     others: &[k; 128].into_iter().chain(motors).collect::<Vec<_>>(),
/// };
/// let code = schedule_sensitivity(&graph, equation, Beyond::Columns { inputs: 8 }).expect("a short one");
/// let inputs = code.factorization.and_then(|factors| factors.by_input).expect("a motor each");
/// let mut schedule = code.schedule;
/// schedule.roots = inputs.entries;
/// // Of M with 2 on its diagonal and 1 everywhere else the inverse has 8/9 and -1/9.
/// let inverse = schedule.evaluate(&|_: Symbol| 2.0);
/// assert!((inverse[0] - 8.0 / 9.0).abs() < 1e-15 && (inverse[1] + 1.0 / 9.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct SolvedInputs {
    /// Row by row.
    pub entries: Vec<Operand>,
    /// The sum of those that differ, which is finite only if all are.
    pub sum: Operand,
}

/// `M^-1 B` for B row by row, where that takes at most half of the operations of full substitutions. All
/// was eliminated in the order of the rows, and there are no constraints.
pub(super) fn solved(
    builder: &mut Builder,
    factors: &Factorization,
    by_input: &[Operand],
) -> Option<SolvedInputs> {
    let n = factors.solution.len();
    let inputs = by_input.len().checked_div(n).filter(|&inputs| inputs > 0)?;
    let rows = rows(by_input, inputs)?;
    let operations = operations(&rows, n);
    let of_substitutions = inputs * (2 * n * n - n);
    if 2 * operations > of_substitutions || operations > MAX_OPERATIONS {
        return None;
    }
    let mut inverse = vec![Signed::ZERO; n * n];
    for (column, first) in columns(&rows) {
        let entries = factors.column_of_inverse(builder, column, first);
        for (row, entry) in (first..).zip(entries) {
            inverse[row * n + column] = entry;
            inverse[column * n + row] = entry;
        }
    }
    let mut entries = vec![ZERO; by_input.len()];
    for (input, &column) in rows.iter().enumerate() {
        let scale = Signed::new(false, by_input[column * inputs + input]);
        for row in 0..n {
            let entry = scale.times(builder, inverse[row * n + column]);
            entries[row * inputs + input] = entry.operand(builder);
        }
    }
    let mut different: Vec<Operand> = Vec::new();
    for entry in &entries {
        if !different.contains(entry) {
            different.push(*entry);
        }
    }
    let sum = different
        .into_iter()
        .fold(ZERO, |sum, entry| builder.add(sum, entry));
    Some(SolvedInputs { entries, sum })
}

/// The row of the one entry of each column, by columns; `None` where one has more.
fn rows(by_input: &[Operand], inputs: usize) -> Option<Vec<usize>> {
    let mut rows = vec![None; inputs];
    for (at, entry) in by_input.iter().enumerate() {
        let (row, input) = (at / inputs, at % inputs);
        if *entry != ZERO && rows[input].replace(row).is_some() {
            return None;
        }
    }
    // What a column of zeros is solved by does not matter.
    Some(rows.into_iter().map(Option::unwrap_or_default).collect())
}

/// The columns of the inverse that are asked for, and the first row that each is computed from: those above are
/// rows of other columns.
fn columns(rows: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let asked = |row: &usize| rows.contains(row);
    let last = rows.iter().max().map_or(0, |last| last + 1);
    let columns = (0..last).filter(move |column| asked(column));
    columns.map(move |column| {
        (
            column,
            (0..column).find(|row| !asked(row)).unwrap_or(column),
        )
    })
}

/// About how many operations these columns take.
fn operations(rows: &[usize], n: usize) -> usize {
    let of_column = |(column, first): (usize, usize)| {
        let (forward, back) = (n - column, n - first);
        (forward - 1) * (forward - 1) + forward + back * (back - 1)
    };
    columns(rows).map(of_column).sum()
}
