//! The generic rank of a matrix of expressions.

use super::image::{Doubts, ENOUGH, images};
use super::prime::Element;
use super::{Answer, TRIED};
use crate::{Graph, NodeId};

/// The rank of a matrix at almost every point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rank {
    /// The largest rank over the tested points.
    pub rank: usize,
    /// The first row that is a combination of those above it, at every point.
    pub dependent: Option<Dependent>,
    /// True if a rank below the number of rows is more than a guess: no entry has branches (`abs`, `if`, ..), and
    /// enough points could be evaluated. A full rank at one point always counts.
    pub certain: bool,
}

/// A row that adds nothing to those above it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependent {
    /// Its number, from 0.
    pub row: usize,
    /// The rows above it that it combines; empty for a row of zeros.
    pub on: Vec<usize>,
}

/// The rank of the matrix at random points of a field, where elimination is exact: its rank at almost every point, even
/// for entries of very different sizes.
///
/// A matrix that loses rank only at some points has its full rank here. A shorter row is filled with zeros.
pub fn rank(graph: &Graph, rows: &[Vec<NodeId>]) -> Rank {
    let entries: Vec<NodeId> = rows.iter().flatten().copied().collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let most = rows.len().min(columns);
    let mut best: Option<(usize, Rows)> = None;
    let (mut sampled, mut doubts) = (0, Doubts::NONE);
    for point in 0..TRIED {
        let Some((values, doubts_there)) = sample(graph, rows, &entries, point) else {
            continue;
        };
        doubts = doubts.and(doubts_there);
        sampled += 1;
        let rank = echelon(&values, columns).rank;
        if best.as_ref().is_none_or(|(largest, _)| rank > *largest) {
            best = Some((rank, values));
        }
        if rank == most || sampled == doubts.points_needed() {
            break;
        }
    }
    let Some((rank, values)) = best else {
        return Rank {
            rank: 0,
            dependent: None,
            certain: rows.is_empty(),
        };
    };
    let certain = sampled >= ENOUGH && !doubts.has(Doubts::BRANCHES);
    Rank {
        rank,
        dependent: (rank < rows.len()).then(|| first_dependent(values, columns)),
        certain: rank == rows.len() || rank == columns || certain,
    }
}

/// Returns whether a symmetric matrix is singular at every point. Row i holds either all n entries, or the i + 1 of the
/// lower triangle.
pub fn is_singular(graph: &Graph, symmetric: &[Vec<NodeId>]) -> Answer {
    let n = symmetric.len();
    let entry = |row: usize, column: usize| {
        let upper = || symmetric[column].get(row).copied();
        symmetric[row].get(column).copied().or_else(upper)
    };
    let full: Option<Vec<Vec<NodeId>>> = (0..n)
        .map(|row| (0..n).map(|column| entry(row, column)).collect())
        .collect();
    match full.map(|full| rank(graph, &full)) {
        Some(rank_found) if rank_found.rank == n => Answer::No,
        Some(rank_found) if rank_found.certain => Answer::Yes,
        _ => Answer::Unknown,
    }
}

/// The matrix at a point, if every entry is known there.
fn sample(
    graph: &Graph,
    rows: &[Vec<NodeId>],
    entries: &[NodeId],
    point: usize,
) -> Option<(Rows, Doubts)> {
    let images = images(graph, entries, point);
    let mut images = images.iter();
    let mut doubts = Doubts::NONE;
    let mut values = Vec::with_capacity(rows.len());
    for row in rows {
        let mut row_values = Vec::with_capacity(row.len());
        for image in images.by_ref().take(row.len()) {
            row_values.push(image.value?);
            doubts = doubts.and(image.doubts);
        }
        values.push(row_values);
    }
    Some((values, doubts))
}

/// A matrix by rows; missing entries at the end of a row are zero.
type Rows = Vec<Vec<Element>>;

struct Echelon {
    rank: usize,
    /// The first row that is a combination of those above it, and its remainder behind the columns.
    dependent: Option<(usize, Vec<Element>)>,
}

/// Row by row by Gaussian elimination in the first columns.
fn echelon(rows: &Rows, columns: usize) -> Echelon {
    // Rows that are 1 in their pivots.
    let mut basis: Vec<(usize, Vec<Element>)> = Vec::new();
    let mut dependent = None;
    for (number, row) in rows.iter().enumerate() {
        let mut row = row.clone();
        row.resize(columns.max(row.len()), Element::ZERO);
        for (pivot, above) in &basis {
            let factor = row[*pivot];
            if !factor.is_zero() {
                subtract(&mut row, factor, above);
            }
        }
        let pivot = row[..columns].iter().position(|entry| !entry.is_zero());
        let Some((pivot, inverse)) =
            pivot.and_then(|column| Some((column, row[column].inverse()?)))
        else {
            if dependent.is_none() {
                dependent = Some((number, row.split_off(columns)));
            }
            continue;
        };
        for entry in &mut row {
            *entry = *entry * inverse;
        }
        basis.push((pivot, row));
    }
    Echelon {
        rank: basis.len(),
        dependent,
    }
}

/// row - factor * other
fn subtract(row: &mut [Element], factor: Element, other: &[Element]) {
    let mut column = 0;
    while column < other.len() {
        if !other[column].is_zero() {
            row[column] = row[column] - factor * other[column];
        }
        column += 1;
    }
}

/// The first dependent row of a matrix that has one: the remainder of a unit matrix behind it shows the rows that it
/// combines.
fn first_dependent(mut rows: Rows, columns: usize) -> Dependent {
    let count = rows.len();
    for (number, row) in rows.iter_mut().enumerate() {
        row.resize(columns + count, Element::ZERO);
        row[columns + number] = Element::ONE;
    }
    let (row, parts) = echelon(&rows, columns).dependent.unwrap_or_default();
    let on = (0..row).filter(|above| !parts[*above].is_zero());
    Dependent {
        row,
        on: on.collect(),
    }
}
