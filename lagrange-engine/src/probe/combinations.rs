//! The combinations of the columns of a matrix that its rows tell apart, over all states of one system.
//!
//! The rows at one state are those of a matrix of expressions; parameters have the same random values at all states.
//! Without constraints the states are points of the field, where elimination is exact. With constraints they are complex
//! points of the surface, and the multipliers are unknowns: the rows are those in which no multiplier occurs. An entry
//! counts there if it is above the bound of its error, so that no tolerance and no unit decides.

use super::image::{Doubts, images_at, random};
use super::points::at_state;
use super::prime::Element;
use super::surface::{Point, Surface};
use super::{DOUBTED, ENOUGH};
use crate::{Complex, Graph, NodeId, Probe, Symbol};

/// A matrix by rows, of a system with or without constraints.
pub(crate) struct Rows<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) entries: &'a [NodeId],
    pub(crate) columns: usize,
    pub(crate) surface: Option<&'a Surface<'a>>,
    /// The parameters that the combinations may depend on.
    pub(crate) parameters: &'a [Symbol],
}

/// A combination of columns: that of this number, and multiples of later ones.
#[derive(Clone, PartialEq, Debug)]
pub struct Combination {
    /// The first of its parameters, whose coefficient is 1.
    pub first: usize,
    /// The others, with their coefficients.
    pub others: Vec<(usize, Coefficient)>,
}

/// A coefficient of a combination.
#[derive(Clone, PartialEq, Debug)]
pub enum Coefficient {
    /// A number times powers of parameters.
    Product(f64, Vec<(Symbol, i32)>),
    /// A sum, or a function, of these parameters.
    Function(Vec<Symbol>),
}

/// The number of states that must add nothing if there are branches: some are hardly ever taken.
const BRANCHED: usize = 48;
/// The number of states at which the matrix may have no value.
const FAILING: usize = 64;
/// The largest relative error of a coefficient that is shown.
const SHOWN: f64 = 1e-7;
/// The number of the first state at which coefficients are compared.
const FURTHER: usize = 1 << 20;

/// The independent combinations, as many as the rank. Each is that of a column that is independent of those before it, in
/// ascending order.
pub(crate) fn combinations(rows: &Rows<'_>) -> Vec<Combination> {
    let (groups, states) = match rows.surface {
        None => collect(rows.columns, |state| rows.exact(state)),
        Some(_) => collect(rows.columns, |state| rows.bounded(state, None)),
    };
    let needed = groups.iter().any(|(_, others)| !others.is_empty());
    let firsts: Vec<usize> = groups.iter().map(|(first, _)| *first).collect();
    let solve = |states: &[usize], doubled| {
        let states = if needed { states } else { &[] };
        let all = states
            .iter()
            .filter_map(|state| rows.bounded(*state, doubled));
        let all = all.flat_map(|(rows, _)| rows);
        let values = all.map(|row| row.iter().map(|entry| entry.value).collect());
        reduced(values.collect(), &firsts)
    };
    let other_states: Vec<usize> = states.iter().map(|state| state + FURTHER).collect();
    let values = Values {
        plain: solve(&states, None),
        again: solve(&other_states, None),
        doubled: rows
            .parameters
            .iter()
            .map(|p| (*p, at_state(rows.graph, 0, *p), solve(&states, Some(*p))))
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
    plain: Echelon<Complex>,
    again: Echelon<Complex>,
    doubled: Vec<(Symbol, Complex, Echelon<Complex>)>,
}

impl Values {
    fn coefficient(&self, first: usize, column: usize) -> Coefficient {
        let of = |echelon: &Echelon<Complex>| {
            let (_, row) = echelon.iter().find(|(pivot, _)| *pivot == first)?;
            row.get(column).copied()
        };
        let is_near = |a: Complex, b: Complex| (a - b).abs() <= SHOWN * b.abs();
        let all = || Coefficient::Function(self.doubled.iter().map(|(p, ..)| *p).collect());
        let Some(value) = of(&self.plain) else {
            return all();
        };
        if !of(&self.again).is_some_and(|again| is_near(again, value)) {
            return all();
        }
        let (mut number, mut powers, mut involved) = (value, Vec::new(), Vec::new());
        let mut is_product = true;
        for (parameter, at, echelon) in &self.doubled {
            let Some(doubled) = of(echelon) else {
                return all();
            };
            if is_near(doubled, value) {
                continue;
            }
            let power = (doubled / value).abs().log2().round();
            is_product &= is_near(doubled, value.scale(power.exp2()));
            involved.push(*parameter);
            powers.push((*parameter, power as i32));
            number = number / at.powi(power as i32);
        }
        if is_product && is_near(number, Complex::real(number.re)) {
            Coefficient::Product(number.re, powers)
        } else {
            Coefficient::Function(involved)
        }
    }
}

/// The first independent columns, each with those that occur beside it, and the states whose rows show them: states until
/// further ones add nothing.
fn collect<T: Entry>(
    columns: usize,
    at: impl Fn(usize) -> Option<(Vec<Vec<T>>, Doubts)>,
) -> (Vec<(usize, Vec<usize>)>, Vec<usize>) {
    let (mut basis, mut states): (Echelon<T>, _) = (Vec::new(), Vec::new());
    let (mut idle, mut failed, mut doubts) = (0, 0, Doubts::NONE);
    for state in 0.. {
        let Some((rows, own)) = at(state) else {
            failed += 1;
            if failed > FAILING {
                break;
            }
            continue;
        };
        doubts = doubts.and(own);
        let mut is_new = false;
        for row in rows {
            is_new |= add(&mut basis, row);
        }
        let enough = match doubts {
            _ if doubts.has(Doubts::BRANCHES) => BRANCHED,
            Doubts::NONE => ENOUGH,
            _ => DOUBTED,
        };
        if is_new {
            states.push(state);
            idle = 0;
        } else {
            idle += 1;
        }
        if idle == enough || basis.len() == columns {
            break;
        }
    }
    let rows = basis.into_iter().map(|(_, row)| row).collect();
    let all: Vec<usize> = (0..columns).collect();
    let groups = reduced(rows, &all).into_iter().map(|(first, row)| {
        let others = (0..row.len()).filter(|i| *i != first && row[*i].weight() > 0.0);
        (first, others.collect())
    });
    (groups.collect(), states)
}

impl Rows<'_> {
    /// The rows at a state of the field. Parameters and functions are those of the first point.
    fn exact(&self, state: usize) -> Option<(Vec<Vec<Element>>, Doubts)> {
        let symbols = |symbol: Symbol| match symbol {
            Symbol::Parameter(_) => random(0, symbol),
            _ => random(state, symbol),
        };
        let images = images_at(self.graph, self.entries, 0, &symbols);
        let doubts = images.iter().fold(Doubts::NONE, |all, i| all.and(i.doubts));
        let values: Vec<Element> = images.iter().map(|i| i.value).collect::<Option<_>>()?;
        let rows = values.chunks(self.columns.max(1)).map(<[Element]>::to_vec);
        Some((rows.collect(), doubts))
    }

    /// The rows at a complex state, with one parameter doubled; with constraints those in which no multiplier occurs.
    fn bounded(
        &self,
        state: usize,
        doubled: Option<Symbol>,
    ) -> Option<(Vec<Vec<Bounded>>, Doubts)> {
        let symbols = |symbol: Symbol| {
            let value = at_state(self.graph, state, symbol);
            value.scale(if doubled == Some(symbol) { 2.0 } else { 1.0 })
        };
        let split = |probes: &[Probe], columns: usize| -> Vec<Vec<Bounded>> {
            let rows = probes.chunks(columns.max(1));
            rows.map(|row| row.iter().map(|probe| Bounded::of(*probe)).collect())
                .collect()
        };
        let Some(surface) = self.surface else {
            let probes = self.graph.evaluate_complex(self.entries, &symbols);
            let is_known = probes.iter().all(|probe| probe.is_known());
            return is_known.then(|| (split(&probes, self.columns), branches(&probes)));
        };
        let point = Point::on(self.graph, surface, symbols)?;
        let roots = [surface.jacobian, self.entries].concat();
        let probes = point.evaluate(self.graph, &roots);
        if !probes.iter().all(|probe| probe.is_known()) {
            return None;
        }
        let (jacobian, entries) = probes.split_at(surface.jacobian.len());
        let rows = split(entries, self.columns);
        let forces = split(jacobian, rows.len());
        let mut rows: Vec<Vec<Bounded>> = (0..rows.len())
            .map(|i| {
                let of_multipliers = forces.iter().map(|row| row[i]);
                of_multipliers.chain(rows[i].iter().copied()).collect()
            })
            .collect();
        for column in 0..forces.len() {
            if let Some(pivot) = take_pivot(&mut rows, column) {
                for row in &mut rows {
                    eliminate(row, column, &pivot);
                }
            }
        }
        for row in &mut rows {
            row.drain(..forces.len());
        }
        Some((rows, branches(&probes)))
    }
}

fn branches(probes: &[Probe]) -> Doubts {
    match probes.iter().all(|probe| probe.exact) {
        true => Doubts::NONE,
        false => Doubts::BRANCHES,
    }
}

/// An entry of a matrix.
trait Entry: Copy {
    const ZERO: Self;
    const ONE: Self;
    /// How far it is from zero, relative to its error; 0 if it may be zero.
    fn weight(self) -> f64;
    /// True if it is zero without an error.
    fn is_nothing(self) -> bool;
    fn divided(self, by: Self) -> Self;
    /// self - factor * other
    fn less(self, factor: Self, other: Self) -> Self;
}

impl Entry for Element {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    fn weight(self) -> f64 {
        f64::from(u8::from(!self.is_zero()))
    }

    fn is_nothing(self) -> bool {
        self.is_zero()
    }

    fn divided(self, by: Self) -> Self {
        self * by.inverse().unwrap_or(Self::ZERO)
    }

    fn less(self, factor: Self, other: Self) -> Self {
        self - factor * other
    }
}

/// A number with a bound of its error.
#[derive(Clone, Copy)]
struct Bounded {
    value: Complex,
    error: f64,
}

/// The relative error of a product or quotient of complex numbers, and of a sum.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Bounded {
    fn of(probe: Probe) -> Self {
        Self {
            value: probe.value,
            error: probe.rounding(),
        }
    }
}

impl Entry for Bounded {
    const ZERO: Self = Self {
        value: Complex::ZERO,
        error: 0.0,
    };
    const ONE: Self = Self {
        value: Complex::ONE,
        error: 0.0,
    };

    fn weight(self) -> f64 {
        let size = self.value.abs();
        match size > self.error {
            true => size / self.error.max(f64::MIN_POSITIVE),
            false => 0.0,
        }
    }

    fn is_nothing(self) -> bool {
        self.value == Complex::ZERO && self.error == 0.0
    }

    fn divided(self, by: Self) -> Self {
        let value = self.value / by.value;
        let size = by.value.abs();
        Self {
            value,
            error: (self.error + value.abs() * by.error) / (size - by.error)
                + ROUNDING * value.abs(),
        }
    }

    fn less(self, factor: Self, other: Self) -> Self {
        let product = factor.value * other.value;
        let value = self.value - product;
        let carried =
            factor.error * (other.value.abs() + other.error) + factor.value.abs() * other.error;
        Self {
            value,
            error: self.error + carried + ROUNDING * (product.abs() + value.abs()),
        }
    }
}

impl Entry for Complex {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    fn weight(self) -> f64 {
        self.abs()
    }

    fn is_nothing(self) -> bool {
        self == Self::ZERO
    }

    fn divided(self, by: Self) -> Self {
        self / by
    }

    fn less(self, factor: Self, other: Self) -> Self {
        self - factor * other
    }
}

/// Makes the entry in a column 0 by a row that is 1 there.
fn eliminate<T: Entry>(row: &mut [T], column: usize, by: &[T]) {
    let factor = row[column];
    if factor.is_nothing() {
        return;
    }
    for (entry, other) in row.iter_mut().zip(by) {
        if !other.is_nothing() {
            *entry = entry.less(factor, *other);
        }
    }
    row[column] = T::ZERO;
}

/// Removes the row whose entry in a column is furthest from zero, and divides it by that.
fn take_pivot<T: Entry>(rows: &mut Vec<Vec<T>>, column: usize) -> Option<Vec<T>> {
    let weights = rows.iter().map(|row| row[column].weight());
    let (at, weight) = weights.enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (weight > 0.0).then(|| scaled(rows.swap_remove(at), column))
}

fn scaled<T: Entry>(mut row: Vec<T>, column: usize) -> Vec<T> {
    let pivot = row[column];
    for entry in &mut row {
        *entry = entry.divided(pivot);
    }
    row[column] = T::ONE;
    row
}

/// Rows, each with the column in which it is 1.
type Echelon<T> = Vec<(usize, Vec<T>)>;

/// Adds a row, if it is independent of those before it. Returns whether it is.
fn add<T: Entry>(basis: &mut Echelon<T>, mut row: Vec<T>) -> bool {
    for (column, other) in &*basis {
        eliminate(&mut row, *column, other);
    }
    let weights = row.iter().map(|entry| entry.weight()).enumerate();
    let Some((column, weight)) = weights.max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return false;
    };
    if weight > 0.0 {
        basis.push((column, scaled(row, column)));
    }
    weight > 0.0
}

/// The reduced echelon form of some rows: the pivots are the first independent ones of these columns.
fn reduced<T: Entry>(mut rows: Vec<Vec<T>>, columns: &[usize]) -> Echelon<T> {
    let mut done: Echelon<T> = Vec::new();
    for column in columns {
        let Some(pivot) = take_pivot(&mut rows, *column) else {
            continue;
        };
        for row in rows.iter_mut().chain(done.iter_mut().map(|(_, row)| row)) {
            eliminate(row, *column, &pivot);
        }
        done.push((*column, pivot));
    }
    done
}
