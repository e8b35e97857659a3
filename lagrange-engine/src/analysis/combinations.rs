//! The combinations of the columns of a matrix that its rows tell apart, over all states of one system.
//!
//! The rows at one state are those of a matrix of expressions; parameters have the same random values at all states.
//! The states are points of the field, where elimination is exact. With constraints they are complex points of the
//! surface, in double precision, and the multipliers are unknowns: the rows are those in which no multiplier occurs. So
//! are they if the expressions have rounded numbers, such as the rotations of a file, whose columns are independent in
//! the field by their rounding, or curves, which obey laws that the field cannot represent: the base functions of a B-spline
//! have the sum 1. With curves the states are real, in all of their pieces in turn. Outside of the field every row and column is measured by its largest entry, and a column depends on
//! others to the square root of rounding, whatever the units.

use super::elimination::{
    Echelon, Scaled, eliminate, find_largest, reduce_to_echelon, scale_to_pivot,
};
use super::pieces::Pieces;
use crate::probe::{
    Doubts, Element, FAILING, Point, Surface, at_state, dot, images_at, length, random, subtract,
};
use crate::{Complex, Graph, NodeId, Symbol};

/// A matrix by rows, of a system with or without constraints.
pub(crate) struct Rows<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) entries: &'a [NodeId],
    pub(crate) columns: usize,
    pub(crate) surface: Option<&'a Surface<'a>>,
    /// The parameters that the combinations may depend on.
    pub(crate) parameters: &'a [Symbol],
    /// The curves among the entries.
    pub(crate) pieces: &'a Pieces,
}

/// A combination of columns: that of this number, and multiples of later ones.
///
/// ```
/// use lagrange_engine::{Coefficient, Combination, Symbol};
/// // j + l^2 m, for the parameters j, m of a list and l, the parameter of number 2.
/// let square = Coefficient::Product(1.0, vec![(Symbol::Parameter(2), 2)]);
/// let combination = Combination { first: 0, others: vec![(1, square)] };
/// assert_eq!(combination.others.len(), 1);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Combination {
    /// The first of its parameters, whose coefficient is 1.
    pub first: usize,
    /// The others, with their coefficients.
    pub others: Vec<(usize, Coefficient)>,
}

/// A coefficient of a combination.
///
/// ```
/// use lagrange_engine::{Coefficient, Symbol};
/// // l^2 + k^2 is no product.
/// let sum = Coefficient::Function(vec![Symbol::Parameter(0), Symbol::Parameter(1)]);
/// assert_ne!(sum, Coefficient::Product(1.0, vec![(Symbol::Parameter(0), 2)]));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Coefficient {
    /// A number times powers of parameters.
    Product(f64, Vec<(Symbol, i32)>),
    /// A sum, or a function, of these parameters.
    Function(Vec<Symbol>),
}

/// A column depends on others if at most this share of it is independent of them.
const DEPENDENT: f64 = 1e-8;
/// The largest relative error of a coefficient that is shown.
const SHOWN: f64 = 1e-7;
/// The number of the first state at which coefficients are compared.
const FURTHER: usize = 1 << 20;

/// The first independent columns, each with those that occur beside it.
type Groups = Vec<(usize, Vec<usize>)>;

/// The independent combinations, as many as the rank. Each is that of a column that is independent of those before it, in
/// ascending order.
pub(crate) fn combinations(rows: &Rows<'_>) -> Vec<Combination> {
    let is_exact = rows.surface.is_none() && rows.pieces.is_empty();
    let exact = is_exact.then(|| rows.exact_groups()).flatten();
    let (groups, states) = match exact {
        Some((groups, states)) => (groups, states),
        None => rows.rounded_groups(),
    };
    let firsts: Vec<usize> = groups.iter().map(|(first, _)| *first).collect();
    let has_coefficients = groups.iter().any(|(_, others)| !others.is_empty());
    let solve = |states: &[usize], doubled| {
        let states = if has_coefficients { states } else { &[] };
        let rows_of_states = states
            .iter()
            .filter_map(|state| rows.rounded_rows(*state, doubled));
        Solved::of(rows_of_states.flatten().collect(), &firsts)
    };
    let others: Vec<usize> = states.iter().map(|state| state + FURTHER).collect();
    let values = Values {
        plain: solve(&states, None),
        again: solve(&others, None),
        doubled: rows
            .parameters
            .iter()
            .map(|p| (*p, rows.value(0, *p), solve(&states, Some(*p))))
            .collect(),
    };
    let combination = |(first, others): (usize, Vec<usize>)| Combination {
        first,
        others: others
            .into_iter()
            .map(|column| (column, values.coefficient(first, column)))
            .collect(),
    };
    groups.into_iter().map(combination).collect()
}

/// The coefficients at complex states: for some parameters, for the same at other states, which shows how accurate they
/// are, and for each parameter doubled.
struct Values {
    plain: Solved,
    again: Solved,
    doubled: Vec<(Symbol, Complex, Solved)>,
}

impl Values {
    fn coefficient(&self, first: usize, column: usize) -> Coefficient {
        let coefficient_in = |solved: &Solved| solved.coefficient(first, column);
        let is_near = |a: Complex, b: Complex| (a - b).abs() <= SHOWN * b.abs();
        let function_of_all =
            || Coefficient::Function(self.doubled.iter().map(|(p, ..)| *p).collect());
        let Some(value) = coefficient_in(&self.plain) else {
            return function_of_all();
        };
        if !coefficient_in(&self.again).is_some_and(|again| is_near(again, value)) {
            return function_of_all();
        }
        let (mut number, mut powers, mut involved) = (value, Vec::new(), Vec::new());
        let mut is_product = true;
        for (parameter, parameter_value, solved) in &self.doubled {
            let Some(doubled) = coefficient_in(solved) else {
                return function_of_all();
            };
            if is_near(doubled, value) {
                continue;
            }
            let power = (doubled / value).abs().log2().round();
            is_product &= is_near(doubled, value.scale(power.exp2()));
            involved.push(*parameter);
            powers.push((*parameter, power as i32));
            number = number / parameter_value.powi(power as i32);
        }
        if is_product && is_near(number, Complex::real(number.re)) {
            Coefficient::Product(number.re, powers)
        } else {
            Coefficient::Function(involved)
        }
    }
}

impl Rows<'_> {
    /// From states until further ones add nothing. `None` if numbers are rounded.
    fn exact_groups(&self) -> Option<(Groups, Vec<usize>)> {
        let (mut basis, mut states): (Echelon<Element>, _) = (Vec::new(), Vec::new());
        let (mut idle, mut failed, mut doubts) = (0, 0, Doubts::NONE);
        for state in 0.. {
            let Some((rows, doubts_there)) = self.exact_rows(state) else {
                failed += 1;
                if failed > FAILING {
                    break;
                }
                continue;
            };
            doubts = doubts.and(doubts_there);
            if doubts.has(Doubts::ROUNDED) {
                return None;
            }
            let before = basis.len();
            for row in rows {
                add_if_independent(&mut basis, row);
            }
            if basis.len() > before {
                states.push(state);
                idle = 0;
            } else {
                idle += 1;
            }
            if idle == doubts.states_needed() || basis.len() == self.columns {
                break;
            }
        }
        let rows = basis.into_iter().map(|(_, row)| row).collect();
        let every_column: Vec<usize> = (0..self.columns).collect();
        let groups = reduce_to_echelon(rows, &every_column)
            .into_iter()
            .map(|(first, row)| {
                let companions = (0..row.len()).filter(|i| *i != first && !row[*i].is_zero());
                (first, companions.collect())
            });
        Some((groups.collect(), states))
    }

    /// The rows at a state of the field. Parameters and functions are those of the first point.
    fn exact_rows(&self, state: usize) -> Option<(Vec<Vec<Element>>, Doubts)> {
        let symbols = |symbol: Symbol| match symbol {
            Symbol::Parameter(_) => random(0, symbol),
            _ => random(state, symbol),
        };
        let images = images_at(self.graph, self.entries, 0, &symbols);
        let doubts = images.iter().fold(Doubts::NONE, |sum, i| sum.and(i.doubts));
        let values: Vec<Element> = images.iter().map(|i| i.value).collect::<Option<_>>()?;
        let rows = values.chunks(self.columns.max(1)).map(<[Element]>::to_vec);
        Some((rows.collect(), doubts))
    }

    /// From twice as many states until they add nothing.
    fn rounded_groups(&self) -> (Groups, Vec<usize>) {
        let (mut rows_so_far, mut states, mut state) = (Vec::new(), Vec::new(), 0);
        let mut last = None;
        let mut wanted = self.columns + 1;
        let fewest = self.pieces.count();
        loop {
            let mut failed = 0;
            while (rows_so_far.len() < wanted || state < fewest) && failed < FAILING {
                match self.rounded_rows(state, None) {
                    Some(rows) if !rows.is_empty() => {
                        rows_so_far.extend(rows);
                        states.push(state);
                    }
                    _ => failed += 1,
                }
                state += 1;
            }
            let firsts = find_independent(&rows_so_far, self.columns);
            if last == Some(firsts.len()) || failed == FAILING {
                let solved = Solved::of(rows_so_far, &firsts);
                return (solved.groups(), states);
            }
            last = Some(firsts.len());
            wanted = 2 * rows_so_far.len();
        }
    }

    /// The value of a symbol at a state; with curves it is real.
    fn value(&self, state: usize, symbol: Symbol) -> Complex {
        let value = at_state(self.graph, state, symbol);
        match self.pieces.is_empty() {
            true => value,
            false => Complex::real(value.re),
        }
    }

    /// The rows at a state, with one parameter doubled; with constraints those in which no multiplier occurs.
    fn rounded_rows(&self, state: usize, doubled: Option<Symbol>) -> Option<Vec<Vec<Complex>>> {
        let plain = |symbol: Symbol| {
            let value = self.value(state, symbol);
            value.scale(if doubled == Some(symbol) { 2.0 } else { 1.0 })
        };
        let moved = self
            .pieces
            .move_into_pieces(self.graph, state, &|symbol| plain(symbol).re);
        let symbols = |symbol: Symbol| {
            moved
                .get(&symbol)
                .copied()
                .map(Complex::real)
                .unwrap_or_else(|| plain(symbol))
        };
        let probes = match self.surface {
            None => self.graph.evaluate_complex(self.entries, &symbols),
            Some(surface) => {
                let roots = [self.entries, surface.jacobian].concat();
                Point::on(self.graph, surface, symbols)?.evaluate(self.graph, &roots)
            }
        };
        let values: Vec<Complex> = probes
            .iter()
            .map(|probe| probe.is_known().then_some(probe.value))
            .collect::<Option<_>>()?;
        let (entries, jacobian) = values.split_at(self.entries.len());
        let rows: Vec<Vec<Complex>> = entries
            .chunks(self.columns.max(1))
            .map(<[Complex]>::to_vec)
            .collect();
        Some(eliminate_multipliers(rows, jacobian))
    }
}

/// The combinations of rows in which no multiplier occurs, from J by rows.
fn eliminate_multipliers(rows: Vec<Vec<Complex>>, jacobian: &[Complex]) -> Vec<Vec<Complex>> {
    let forces: Vec<Vec<Complex>> = (0..rows.len())
        .map(|i| {
            jacobian
                .iter()
                .skip(i)
                .step_by(rows.len())
                .copied()
                .collect()
        })
        .collect();
    let scaled = Scaled::of(forces);
    let mut open: Vec<Vec<Complex>> = scaled
        .rows
        .into_iter()
        .zip(scaled.of_rows)
        .zip(rows)
        .map(|((mut forces, size), row)| {
            forces.extend(row.iter().map(|entry| entry.scale(1.0 / size)));
            forces
        })
        .collect();
    let count = scaled.of_columns.len();
    // The largest first, so that rows of J that depend on others leave rounding.
    while let Some((row, column, size)) = find_largest(&open, count)
        && size > DEPENDENT
    {
        let pivot = scale_to_pivot(open.swap_remove(row), column);
        for row in &mut open {
            eliminate(row, column, &pivot);
        }
    }
    for row in &mut open {
        row.drain(..count);
    }
    open
}

/// The columns that are independent of those before them, by the Gram-Schmidt method.
fn find_independent(rows: &[Vec<Complex>], columns: usize) -> Vec<usize> {
    let scaled = Scaled::of(rows.to_vec()).rows;
    let mut basis: Vec<Vec<Complex>> = Vec::new();
    let mut independent = Vec::new();
    for column in 0..columns {
        let mut remainder: Vec<Complex> = scaled.iter().map(|row| row[column]).collect();
        let before = length(&remainder);
        // Once more for the rounding errors.
        for _ in 0..2 {
            for above in &basis {
                let along = dot(&remainder, above);
                subtract(&mut remainder, along, above);
            }
        }
        let size = length(&remainder);
        if size > DEPENDENT * before {
            basis.push(remainder.iter().map(|x| x.scale(1.0 / size)).collect());
            independent.push(column);
        }
    }
    independent
}

/// The reduced echelon form of scaled rows for known pivots.
struct Solved {
    echelon: Echelon<Complex>,
    of_columns: Vec<f64>,
}

impl Solved {
    fn of(rows: Vec<Vec<Complex>>, firsts: &[usize]) -> Self {
        let scaled = Scaled::of(rows);
        Self {
            echelon: reduce_to_echelon(scaled.rows, firsts),
            of_columns: scaled.of_columns,
        }
    }

    fn coefficient(&self, first: usize, column: usize) -> Option<Complex> {
        let (_, row) = self.echelon.iter().find(|(pivot, _)| *pivot == first)?;
        let ratio = self.of_columns[column] / self.of_columns[first];
        Some(row[column].scale(ratio))
    }

    fn groups(&self) -> Groups {
        let firsts: Vec<usize> = self.echelon.iter().map(|(first, _)| *first).collect();
        self.echelon
            .iter()
            .map(|(first, row)| {
                let companions =
                    (0..row.len()).filter(|i| !firsts.contains(i) && row[*i].abs() > DEPENDENT);
                (*first, companions.collect())
            })
            .collect()
    }
}

/// Adds a row of the field, if it is independent of those before it.
fn add_if_independent(basis: &mut Echelon<Element>, mut row: Vec<Element>) {
    for (column, other) in &*basis {
        eliminate(&mut row, *column, other);
    }
    if let Some(column) = row.iter().position(|entry| !entry.is_zero()) {
        basis.push((column, scale_to_pivot(row, column)));
    }
}
