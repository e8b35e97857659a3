//! Axes of rotations.

use super::space::{self, Matrix, Vector};
use crate::{Graph, Number, Unary};

/// A vector divided by its length; `None` for a vector of numbers that is zero.
pub(super) fn normalise(graph: &mut Graph, vector: Vector) -> Option<Vector> {
    let numbers = vector.map(|entry| graph.as_number(entry));
    let [Some(x), Some(y), Some(z)] = numbers else {
        let square = graph.dot(&vector, &vector);
        let norm = graph.unary(Unary::Sqrt, square);
        return Some(vector.map(|entry| graph.div(entry, norm)));
    };
    let unit = unit([x, y, z])?;
    Some(unit.map(|entry| graph.number(entry)))
}

/// The coordinate axis along `unit`, or a constant rotation that makes it the third axis.
pub(super) fn align(graph: &mut Graph, unit: Vector) -> (Option<Matrix>, usize, bool) {
    if let Some((axis, is_opposite)) = space::along_axis(graph, unit) {
        return (None, axis, is_opposite);
    }
    let values = unit.map(|node| graph.as_number(node).map_or(0.0, Number::to_f64));
    let least = (0..3).min_by(|i, j| values[*i].abs().total_cmp(&values[*j].abs()));
    let mut other = space::zero(graph);
    other[least.unwrap_or(0)] = graph.integer(1);
    let first = space::cross(graph, other, unit);
    let first = normalise(graph, first).unwrap_or(first);
    let second = space::cross(graph, unit, first);
    let columns = space::transpose(&[first, second, unit]);
    (Some(space::round_entries(graph, &columns)), 2, false)
}

/// The vector divided by its length, unless that is zero.
pub(super) fn unit(vector: [Number; 3]) -> Option<[Number; 3]> {
    if vector.iter().all(|entry| entry.is_zero()) {
        return None;
    }
    exact_unit(vector).or_else(|| nearest_unit(vector))
}

fn exact_unit(vector: [Number; 3]) -> Option<[Number; 3]> {
    let square = vector
        .iter()
        .map(|entry| entry.checked_mul(*entry))
        .try_fold(Number::ZERO, |sum, square| sum.checked_add(square?))?;
    let inverse = square.exact_sqrt()?.recip()?;
    let [x, y, z] = vector.map(|entry| entry.checked_mul(inverse));
    Some([x?, y?, z?])
}

fn nearest_unit(vector: [Number; 3]) -> Option<[Number; 3]> {
    let values = vector.map(Number::to_f64);
    let largest = values
        .iter()
        .fold(0.0_f64, |max, value| max.max(value.abs()));
    let scaled = values.map(|value| value / largest);
    let norm = scaled.iter().map(|value| value * value).sum::<f64>().sqrt();
    let unit = scaled.map(|value| value / norm);
    let is_finite = unit.iter().all(|value| value.is_finite());
    is_finite.then(|| unit.map(Number::float))
}
