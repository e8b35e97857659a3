//! The generic rank of a matrix of expressions.

use super::eliminate::{self, Rows};
use super::points::{self, Domain, POINTS};
use super::{Answer, ZERO};
use crate::{Complex, Graph, NodeId};

/// The rank that a matrix has at almost every point.
///
/// ```
/// use lagrange_engine::{Graph, Symbol, rank};
/// let mut graph = Graph::new();
/// let [x, y] = [0, 1].map(|i| graph.symbol(Symbol::Coordinate(i)));
/// // Singular where x = y only.
/// let found = rank(&graph, &[vec![x, y], vec![y, x]]);
/// assert_eq!((found.rank, found.dependent), (2, None));
/// // And everywhere.
/// let found = rank(&graph, &[vec![x, y], vec![x, y]]);
/// assert!(found.rank == 1 && found.certain);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rank {
    /// The largest rank over the points that were tried.
    pub rank: usize,
    /// The first row that is a combination of those above it, at every point.
    pub dependent: Option<Dependent>,
    /// Whether a rank below the number of rows is more than a guess: all entries were analytic,
    /// and enough points could be evaluated. A full rank at one point always counts.
    pub certain: bool,
}

/// A row that adds nothing to those above it.
///
/// ```
/// use lagrange_engine::{Dependent, Graph, Symbol, rank};
/// let mut graph = Graph::new();
/// let (x, zero, one) = (graph.symbol(Symbol::Coordinate(0)), graph.integer(0), graph.integer(1));
/// let rows = [vec![one, zero, zero], vec![zero, one, zero], vec![zero, x, zero]];
/// let dependent = rank(&graph, &rows).dependent;
/// assert_eq!(dependent, Some(Dependent { row: 2, on: vec![1] }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependent {
    /// Its number, from 0.
    pub row: usize,
    /// The rows above it that it combines; empty for a row of zeros.
    pub on: Vec<usize>,
}

/// Values at one point.
struct Sample {
    rows: Rows,
    exact: bool,
}

/// So many points are evaluated, and so many must be usable for a certain answer.
const SAMPLES: usize = 4;
const ENOUGH: usize = 2;

/// The rank of the matrix at random points, real and complex: its rank at almost every point.
///
/// A matrix that loses rank at some points only has its full rank here. A shorter row
/// is filled up with zeros.
///
/// ```
/// use lagrange_engine::{Graph, Symbol, rank};
/// let mut graph = Graph::new();
/// let [x, y] = [0, 1].map(|i| graph.symbol(Symbol::Coordinate(i)));
/// let product = graph.mul(x, y);
/// let square = graph.powi(y, 2);
/// // Row 1 is y times row 0.
/// let found = rank(&graph, &[vec![x, y], vec![product, square]]);
/// assert_eq!(found.rank, 1);
/// assert_eq!(found.dependent.unwrap().on, [0]);
/// ```
pub fn rank(graph: &Graph, rows: &[Vec<NodeId>]) -> Rank {
    let samples = samples(graph, rows);
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut best: Option<(usize, &Sample)> = None;
    for sample in &samples {
        let rank = eliminate::rank(sample.rows.clone());
        if best.is_none_or(|(largest, _)| rank > largest) {
            best = Some((rank, sample));
        }
        if rank == rows.len().min(columns) {
            break;
        }
    }
    let Some((rank, sample)) = best else {
        return Rank {
            rank: 0,
            dependent: None,
            certain: rows.is_empty(),
        };
    };
    let exact = samples.len() >= ENOUGH && samples.iter().all(|sample| sample.exact);
    Rank {
        rank,
        dependent: (rank < rows.len()).then(|| first_dependent(&sample.rows)),
        certain: rank == rows.len() || rank == columns || exact,
    }
}

/// Whether a symmetric matrix is singular at every point. Row i holds either all n entries, or the
/// i + 1 of the lower triangle.
///
/// ```
/// use lagrange_engine::{Answer, Graph, Symbol, is_singular};
/// let mut graph = Graph::new();
/// let (m, zero) = (graph.symbol(Symbol::Parameter(0)), graph.integer(0));
/// // A massless coordinate beside one with a mass.
/// assert_eq!(is_singular(&graph, &[vec![m], vec![zero, zero]]), Answer::Yes);
/// assert_eq!(is_singular(&graph, &[vec![m], vec![zero, m]]), Answer::No);
/// ```
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
        Some(found) if found.rank == n => Answer::No,
        Some(found) if found.certain => Answer::Yes,
        _ => Answer::Unknown,
    }
}

/// The matrix at the first points where every entry is known.
fn samples(graph: &Graph, rows: &[Vec<NodeId>]) -> Vec<Sample> {
    let entries: Vec<NodeId> = rows.iter().flatten().copied().collect();
    (0..POINTS)
        .filter_map(|point| sample(graph, rows, &entries, point))
        .take(SAMPLES)
        .collect()
}

fn sample(graph: &Graph, rows: &[Vec<NodeId>], entries: &[NodeId], point: usize) -> Option<Sample> {
    let probes = graph.evaluate_complex(entries, &|symbol| points::value(graph, point, symbol));
    let outside = points::domain(point) == Domain::Real && probes.iter().any(|p| !p.real);
    if outside || probes.iter().any(|probe| !probe.is_known()) {
        return None;
    }
    let exact = probes.iter().all(|probe| probe.exact);
    // What is only rounding must not be blown up to the size of its row.
    let mut values = probes.into_iter().map(|probe| {
        if probe.value.abs() <= ZERO * probe.scale {
            Complex::ZERO
        } else {
            probe.value
        }
    });
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let rows = rows
        .iter()
        .map(|row| {
            let mut row: Vec<Complex> = values.by_ref().take(row.len()).collect();
            row.resize(columns, Complex::ZERO);
            row
        })
        .collect();
    Some(Sample { rows, exact })
}

/// The first dependent row of a matrix that has one, by bisection: the ranks of leading rows are
/// full up to there and never after.
fn first_dependent(rows: &Rows) -> Dependent {
    let (mut full, mut deficient) = (0, rows.len());
    while deficient - full > 1 {
        let middle = full.midpoint(deficient);
        if eliminate::rank(rows[..middle].to_vec()) == middle {
            full = middle;
        } else {
            deficient = middle;
        }
    }
    Dependent {
        row: full,
        on: eliminate::combination(&rows[..full], &rows[full]).unwrap_or_default(),
    }
}
