//! Constraints that restrict nothing, or repeat others.
//!
//! Rows are compared at velocity level, J v + .. = 0, at almost every point: rows of J that depend on each other
//! everywhere are rejected, rows that do so only at some states are not. J is compared off the constraints too, so rows
//! that only the constraints themselves make dependent pass.

use std::collections::HashSet;

use super::constraint_rows::{Row, rows};
use super::jumps::jumps;
use crate::probe::{all_vanish, real_point};
use crate::{
    Answer, ConstraintKind, Dependence, Graph, Node, NodeId, Symbol, System, Unary,
    is_identically_zero, rank,
};

/// Numbers that differ by less than this share of the lengths that a row is computed from agree: the square root of
/// rounding. Numbers of files have few digits.
pub(super) const AGREEMENT: f64 = 1.0 / 67_108_864.0;

/// The number of points at which lengths are measured.
const POINTS: usize = 4;

/// A defect of a constraint at every point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConstraintDefect {
    /// Its residual is zero, or a number that is small beside the other residuals.
    Trivial,
    /// Its residual is another number.
    Contradictory,
    /// Its residual contains neither coordinates nor velocities.
    Constant,
    /// Its residual contains coordinates or velocities, but only in functions that jump: its row of J is zero.
    Piecewise,
    /// The constraint is nonholonomic, but its residual contains coordinates only.
    WithoutVelocities,
    /// Its residual is a multiple of this other constraint's, or differs from it by a small number.
    Repeated(usize),
    /// Its residual is a multiple of this other constraint's, plus another number.
    Contradicts(usize),
    /// This constraint, or the other one, is the time derivative of the other.
    Derivative(usize),
    /// Its row of J is a combination of the rows of these other constraints.
    Dependent(Vec<usize>),
    /// The constraints before it are as many independent ones as there are coordinates.
    Surplus,
}

/// The defect of each constraint of a system, by structure first and then by evaluation at random points. Other
/// constraints are named by their position in `system.constraints`.
///
/// If several constraints depend on each other, the earlier ones are sound.
pub fn constraint_defects(system: &System) -> Vec<Option<ConstraintDefect>> {
    let mut graph = system.graph.clone();
    let rows = rows(&mut graph, system);
    let mut defects = check_each_alone(&graph, &rows);
    let sound: Vec<usize> = (0..rows.len()).filter(|i| defects[*i].is_none()).collect();
    let jacobian: Vec<Vec<NodeId>> = sound.iter().map(|i| rows[*i].jacobian.clone()).collect();
    if rank(&graph, &jacobian).rank == sound.len() {
        return defects;
    }
    let mut motion = system.names.coordinate_symbols();
    motion.extend(system.names.velocity_symbols());
    let mut basis: Vec<usize> = Vec::new();
    for row in sound {
        defects[row] = check_among(&mut graph, &rows, (&basis, row), &motion);
        if defects[row].is_none() {
            basis.push(row);
        }
    }
    defects
}

/// The defect of each row alone.
fn check_each_alone(graph: &Graph, rows: &[Row]) -> Vec<Option<ConstraintDefect>> {
    let residuals: Vec<NodeId> = rows.iter().map(|row| row.residual).collect();
    let trivial = is_identically_zero(graph, &residuals);
    let entries: Vec<NodeId> = rows.iter().flat_map(|row| row.jacobian.clone()).collect();
    let zero = is_identically_zero(graph, &entries);
    let mut zero = zero.into_iter();
    let lengths = measure_lengths(graph, &residuals);
    let defects = rows.iter().zip(trivial).map(|(row, trivial)| {
        let mut entries = zero.by_ref().take(row.jacobian.len());
        // All of them are consumed, so that the next row begins at the right place.
        let is_free = entries
            .by_ref()
            .fold(true, |are_zero, zero| are_zero & (zero == Answer::Yes));
        if trivial == Answer::Yes {
            return Some(ConstraintDefect::Trivial);
        }
        is_free.then(|| classify_without_motion(graph, row, &lengths))
    });
    defects.collect()
}

/// The defect of a nonzero residual with a zero row of J.
fn classify_without_motion(graph: &Graph, row: &Row, lengths: &[f64]) -> ConstraintDefect {
    let dependence = graph.dependence(row.residual);
    let fixed = Dependence::PARAMETER.union(Dependence::TIME);
    let is_nonholonomic = row.kind == ConstraintKind::Nonholonomic;
    let restricted = match row.kind {
        ConstraintKind::Holonomic => Dependence::COORDINATE,
        ConstraintKind::Nonholonomic => Dependence::VELOCITY,
    };
    if dependence.intersects(restricted) && !jumps(graph, &[row.residual]).is_empty() {
        ConstraintDefect::Piecewise
    } else if is_nonholonomic && dependence.intersects(Dependence::COORDINATE) {
        ConstraintDefect::WithoutVelocities
    } else if dependence.intersects(fixed) {
        ConstraintDefect::Constant
    } else if is_small(graph, row.residual, lengths) {
        ConstraintDefect::Trivial
    } else {
        ConstraintDefect::Contradictory
    }
}

/// The lengths that some residuals are computed from: the sizes of the largest one at several points.
fn measure_lengths(graph: &Graph, residuals: &[NodeId]) -> Vec<f64> {
    let largest = |point: usize| {
        evaluate_at(graph, residuals, point)
            .into_iter()
            .map(f64::abs)
            .filter(|size| size.is_finite())
            .fold(0.0, f64::max)
    };
    (0..POINTS).map(largest).collect()
}

/// Returns whether a value is small beside these lengths, one for each point.
fn is_small(graph: &Graph, value: NodeId, lengths: &[f64]) -> bool {
    lengths
        .iter()
        .enumerate()
        .all(|(point, length)| evaluate_at(graph, &[value], point)[0].abs() <= AGREEMENT * length)
}

/// Values at a point with angles of any size. Other coordinates are 0, because their unit says nothing about lengths.
fn evaluate_at(graph: &Graph, roots: &[NodeId], point: usize) -> Vec<f64> {
    let unbounded = find_outside_angles(graph, roots);
    // The points of a size near 1.
    let number = 8 * (point / 2) + point % 2;
    graph.evaluate(roots, &|symbol| match unbounded.contains(&symbol) {
        true => 0.0,
        false => real_point(graph, number, symbol),
    })
}

/// The coordinates and velocities that occur outside of sines and cosines, but for entries of rotations.
fn find_outside_angles(graph: &Graph, roots: &[NodeId]) -> HashSet<Symbol> {
    let mut outside = HashSet::new();
    let (mut visited, mut left) = (HashSet::new(), roots.to_vec());
    while let Some(id) = left.pop() {
        if !visited.insert(id) {
            continue;
        }
        match graph.node(id) {
            Node::Unary(Unary::Sin | Unary::Cos, _) => {}
            Node::Symbol(symbol) if graph.rotation_of(*symbol).is_none() => {
                outside.extend(
                    matches!(symbol, Symbol::Coordinate(_) | Symbol::Velocity(_))
                        .then_some(*symbol),
                );
            }
            node => node.for_each_child(|child| left.push(child)),
        }
    }
    outside
}

/// The defect of a row beside the independent rows of `basis`; the symbols are those that move.
fn check_among(
    graph: &mut Graph,
    rows: &[Row],
    (basis, row): (&[usize], usize),
    motion: &[Symbol],
) -> Option<ConstraintDefect> {
    let is_full = basis.len() >= rows[row].jacobian.len();
    let Some(on) = find_combined_rows(graph, rows, basis, row) else {
        return is_full.then_some(ConstraintDefect::Surplus);
    };
    let related = match on[..] {
        [base] => find_relation(graph, &rows[base], &rows[row], base)
            .or_else(|| find_contradiction(graph, (&rows[base], base), &rows[row], motion)),
        _ => None,
    };
    // With as many rows as coordinates every further row is a combination of all of them.
    let is_surplus =
        is_full && (on.len() == basis.len() || find_combined_rows(graph, rows, &on, row).is_none());
    Some(match related {
        Some(defect) => defect,
        None if is_surplus => ConstraintDefect::Surplus,
        None => ConstraintDefect::Dependent(on),
    })
}

/// The rows of `basis` that this one combines at every point, if that is certain.
fn find_combined_rows(
    graph: &Graph,
    rows: &[Row],
    basis: &[usize],
    row: usize,
) -> Option<Vec<usize>> {
    let jacobian: Vec<Vec<NodeId>> = basis
        .iter()
        .chain([&row])
        .map(|i| rows[*i].jacobian.clone())
        .collect();
    let rank_of_all = rank(graph, &jacobian);
    let dependent = rank_of_all.dependent?;
    if dependent.row < basis.len() || dependent.on.is_empty() {
        return None;
    }
    let on: Vec<usize> = dependent.on.into_iter().map(|i| basis[i]).collect();
    if rank_of_all.certain {
        return Some(on);
    }
    // A row may be inactive because of an `abs` or `if`, which makes the answer uncertain.
    let is_smaller = on.len() < basis.len();
    is_smaller
        .then(|| find_combined_rows(graph, rows, &on, row))
        .flatten()
}

/// For a row whose J is a multiple of another row's: whether the residuals are multiples too, or one of them is the time
/// derivative of the other.
fn find_relation(
    graph: &mut Graph,
    base: &Row,
    row: &Row,
    number: usize,
) -> Option<ConstraintDefect> {
    let zero = is_identically_zero(graph, &base.jacobian);
    let column = zero.iter().position(|answer| *answer != Answer::Yes)?;
    let (of_row, of_base, defect) = if base.kind == row.kind {
        let defect = ConstraintDefect::Repeated(number);
        (row.residual, base.residual, defect)
    } else {
        let defect = ConstraintDefect::Derivative(number);
        (row.velocity, base.velocity, defect)
    };
    // With J' = c J the residuals r' = c r are equal after multiplication by an entry of J.
    let (left, right) = (
        graph.mul(of_row, base.jacobian[column]),
        graph.mul(of_base, row.jacobian[column]),
    );
    let difference = graph.sub(left, right);
    let is_same = is_identically_zero(graph, &[difference])[0] == Answer::Yes;
    is_same.then_some(defect)
}

/// For a row whose J is a multiple of another's: whether both can never hold together. Their residuals, scaled to the
/// same J, differ by a number.
fn find_contradiction(
    graph: &mut Graph,
    (base, number): (&Row, usize),
    row: &Row,
    motion: &[Symbol],
) -> Option<ConstraintDefect> {
    if base.kind != row.kind {
        return None;
    }
    let zero = is_identically_zero(graph, &base.jacobian);
    let column = zero.iter().position(|answer| *answer != Answer::Yes)?;
    let factor = graph.div(row.jacobian[column], base.jacobian[column]);
    let scaled_residual = graph.mul(base.residual, factor);
    let difference = graph.sub(row.residual, scaled_residual);
    // Parameters and time are known only at run time.
    let fixed = Dependence::PARAMETER.union(Dependence::TIME);
    if graph.dependence(difference).intersects(fixed) {
        return None;
    }
    let slopes = graph.gradient(difference, motion);
    let lengths = measure_lengths(graph, &[row.residual]);
    all_vanish(graph, &slopes).then(|| match is_small(graph, difference, &lengths) {
        true => ConstraintDefect::Repeated(number),
        false => ConstraintDefect::Contradicts(number),
    })
}
