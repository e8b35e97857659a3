//! Vectors and rotations of space, as nodes.

use crate::{Graph, NodeId, Number, Symbol, Unary};

pub(super) type Vector = [NodeId; 3];

/// A matrix by its rows.
pub(super) type Matrix = [Vector; 3];

/// An entry of a rotation that is this close to 0 or 1 is rounded: `cos(1.5707963267948966)`.
const ROUNDING: f64 = 1e-15;

pub(super) fn zero(graph: &mut Graph) -> Vector {
    [graph.integer(0); 3]
}

pub(super) fn identity(graph: &mut Graph) -> Matrix {
    let mut rows = [zero(graph); 3];
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] = graph.integer(1);
    }
    rows
}

pub(super) fn add(graph: &mut Graph, a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| graph.add(a[i], b[i]))
}

/// The vector plus each of the parts, in their order.
pub(super) fn add_all<const K: usize>(
    graph: &mut Graph,
    start: Vector,
    parts: [Vector; K],
) -> Vector {
    parts
        .into_iter()
        .fold(start, |sum, part| add(graph, sum, part))
}

/// The sums of vectors at the same places, such as forces and moments.
pub(super) fn add_each<const K: usize>(
    graph: &mut Graph,
    left: [Vector; K],
    right: [Vector; K],
) -> [Vector; K] {
    std::array::from_fn(|part| add(graph, left[part], right[part]))
}

/// The same for vectors that may be absent.
pub(super) fn add_present<const K: usize>(
    graph: &mut Graph,
    left: Option<[Vector; K]>,
    right: Option<[Vector; K]>,
) -> Option<[Vector; K]> {
    match (left, right) {
        (Some(left), Some(right)) => Some(add_each(graph, left, right)),
        (left, right) => left.or(right),
    }
}

/// 2 a
pub(super) fn double(graph: &mut Graph, a: Vector) -> Vector {
    a.map(|entry| graph.scale(Number::integer(2), entry))
}

pub(super) fn cross(graph: &mut Graph, a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| {
        let (j, k) = axes_after(i);
        let (first, second) = (graph.mul(a[j], b[k]), graph.mul(a[k], b[j]));
        graph.sub(first, second)
    })
}

/// The rate of a vector along a direction.
pub(super) fn rate(graph: &mut Graph, vector: Vector, along: &[(Symbol, NodeId)]) -> Vector {
    let rate = graph.directional(&vector, along);
    [rate[0], rate[1], rate[2]]
}

/// The axes that follow `axis` in the cyclic order.
pub(super) fn axes_after(axis: usize) -> (usize, usize) {
    ((axis + 1) % 3, (axis + 2) % 3)
}

pub(super) fn transpose(matrix: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| matrix[j][i]))
}

pub(super) fn times(graph: &mut Graph, matrix: &Matrix, vector: Vector) -> Vector {
    std::array::from_fn(|i| graph.dot(&matrix[i], &vector))
}

pub(super) fn product(graph: &mut Graph, a: &Matrix, b: &Matrix) -> Matrix {
    let columns = transpose(b);
    std::array::from_fn(|i| std::array::from_fn(|j| graph.dot(&a[i], &columns[j])))
}

/// The vector w such that `w x r` is the skew part of the matrix times r.
pub(super) fn vee(graph: &mut Graph, matrix: &Matrix) -> Vector {
    std::array::from_fn(|i| {
        let (j, k) = axes_after(i);
        let terms = vec![(Number::HALF, matrix[k][j]), (-Number::HALF, matrix[j][k])];
        graph.sum(Number::ZERO, terms)
    })
}

/// Rotation by `angle` about a unit vector (Rodrigues): `c 1 + s [k] + (1 - c) k k^T`.
pub(super) fn rotation(graph: &mut Graph, axis: Vector, angle: NodeId) -> Matrix {
    let (sin, cos) = sin_cos(graph, angle);
    let minus = graph.scale(Number::MINUS_ONE, cos);
    let versed = graph.sum(Number::ONE, vec![(Number::ONE, minus)]);
    let matrix = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let mut terms = vec![(Number::ONE, {
                let square = graph.mul(axis[i], axis[j]);
                graph.mul(versed, square)
            })];
            if i == j {
                terms.push((Number::ONE, cos));
            } else {
                let third = 3 - i - j;
                let is_after = (i + 1) % 3 == j;
                let sign = if is_after {
                    Number::MINUS_ONE
                } else {
                    Number::ONE
                };
                terms.push((sign, graph.mul(sin, axis[third])));
            }
            graph.sum(Number::ZERO, terms)
        })
    });
    round_entries(graph, &matrix)
}

/// Sine and cosine; numbers if the angle is a number.
pub(super) fn sin_cos(graph: &mut Graph, angle: NodeId) -> (NodeId, NodeId) {
    let sin = constant(graph, Unary::Sin, angle);
    let cos = constant(graph, Unary::Cos, angle);
    (sin, cos)
}

fn constant(graph: &mut Graph, function: Unary, angle: NodeId) -> NodeId {
    let node = graph.unary(function, angle);
    let is_constant = graph.dependence(angle) == crate::Dependence::NONE;
    if !is_constant || graph.as_number(node).is_some() {
        return node;
    }
    let value = graph.evaluate(&[node], &|_| 0.0)[0];
    if !value.is_finite() {
        return node;
    }
    let number = round(Number::float(value));
    graph.number(number)
}

/// The matrix without rounding residues.
pub(super) fn round_entries(graph: &mut Graph, matrix: &Matrix) -> Matrix {
    matrix.map(|row| {
        row.map(|entry| match graph.as_number(entry) {
            Some(number) => graph.number(round(number)),
            None => entry,
        })
    })
}

pub(super) fn round(number: Number) -> Number {
    let value = number.to_f64();
    [Number::ZERO, Number::ONE, Number::MINUS_ONE]
        .into_iter()
        .find(|exact| (value - exact.to_f64()).abs() <= ROUNDING)
        .unwrap_or(number)
}

/// Returns whether a matrix of numbers is a rotation, to rounding.
pub(super) fn is_rotation(graph: &Graph, matrix: &Matrix) -> bool {
    let [x, y, z] = matrix
        .map(|row| row.map(|entry| graph.as_number(entry).map(Number::to_f64)))
        .map(|row| row.map(|entry| entry.unwrap_or(f64::NAN)));
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let third = [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ];
    let defects = [dot(x, x) - 1.0, dot(y, y) - 1.0, dot(x, y)];
    let differences = (0..3).map(|i| third[i] - z[i]);
    defects
        .into_iter()
        .chain(differences)
        .all(|defect| defect.abs() <= 8.0 * ROUNDING)
}

/// The axis along a vector of numbers, and whether the vector points the other way.
pub(super) fn along_axis(graph: &Graph, vector: Vector) -> Option<(usize, bool)> {
    let mut values = [0.0; 3];
    for (value, node) in values.iter_mut().zip(vector) {
        *value = round(graph.as_number(node)?).to_f64();
    }
    let axis = values.iter().position(|value| value.abs() == 1.0)?;
    let (j, k) = axes_after(axis);
    let is_along = values[j] == 0.0 && values[k] == 0.0;
    is_along.then_some((axis, values[axis] < 0.0))
}

/// A rotation about one of the axes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turn {
    pub(super) axis: usize,
    pub(super) sin: NodeId,
    pub(super) cos: NodeId,
}

impl Turn {
    pub(super) fn apply(self, graph: &mut Graph, vector: Vector, sin_sign: Number) -> Vector {
        let (j, k) = axes_after(self.axis);
        let mut turned = vector;
        let mut entry = |along: NodeId, across: NodeId, sign: Number| {
            let (along, across) = (graph.mul(self.cos, along), graph.mul(self.sin, across));
            graph.sum(Number::ZERO, vec![(Number::ONE, along), (sign, across)])
        };
        turned[j] = entry(vector[j], vector[k], -sin_sign);
        turned[k] = entry(vector[k], vector[j], sin_sign);
        turned
    }
}

/// A rotation: first `matrix`, then `turn`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) turn: Option<Turn>,
    pub(super) matrix: Matrix,
}

impl Step {
    pub(super) fn none(graph: &mut Graph) -> Self {
        Step {
            turn: None,
            matrix: identity(graph),
        }
    }

    pub(super) fn is_none(&self, graph: &mut Graph) -> bool {
        self.turn.is_none() && self.matrix == identity(graph)
    }

    /// Components in the axes before the turn, of a vector in the turned axes.
    pub(super) fn apply(&self, graph: &mut Graph, vector: Vector) -> Vector {
        let vector = times(graph, &self.matrix, vector);
        match self.turn {
            Some(turn) => turn.apply(graph, vector, Number::ONE),
            None => vector,
        }
    }

    /// The inverse.
    pub(super) fn back(&self, graph: &mut Graph, vector: Vector) -> Vector {
        let vector = match self.turn {
            Some(turn) => turn.apply(graph, vector, Number::MINUS_ONE),
            None => vector,
        };
        self.matrix_back(graph, vector)
    }

    pub(super) fn matrix_back(&self, graph: &mut Graph, vector: Vector) -> Vector {
        times(graph, &transpose(&self.matrix), vector)
    }

    /// The matrix `left` times this rotation.
    pub(super) fn after(&self, graph: &mut Graph, left: &Matrix) -> Matrix {
        // Row i of the product is the step back applied to row i.
        left.map(|row| self.back(graph, row))
    }
}
