//! Rotations from the axes of a link to those of its parent.

use super::space::{self, Matrix, Step, Turn, Vector};
use crate::{Graph, Number};

/// The parts of a rotation, in the order in which they act on a vector.
#[derive(Clone, Debug)]
pub(super) struct Turning(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Matrix(Matrix),
    /// With the sign of its sine.
    Turn(Turn, Number),
}

impl Turning {
    pub(super) fn none() -> Self {
        Turning(Vec::new())
    }

    pub(super) fn of(step: &Step) -> Self {
        let mut rotation = Turning(vec![Part::Matrix(step.matrix)]);
        rotation.turn(step.turn, Number::ONE);
        rotation
    }

    /// Returns whether it contains only numbers.
    pub(super) fn is_constant(&self, graph: &Graph) -> bool {
        self.0.iter().all(|part| match part {
            Part::Matrix(matrix) => matrix
                .iter()
                .flatten()
                .all(|entry| graph.as_number(*entry).is_some()),
            Part::Turn(..) => false,
        })
    }

    /// `own` leads from own to base axes, `bases` to the parent's base axes, `parent` back to the parent's own axes.
    pub(super) fn between(
        graph: &mut Graph,
        own: Option<&Step>,
        bases: Option<&Step>,
        parent: Option<&Step>,
    ) -> Self {
        let mut steps: Vec<&Step> = own.into_iter().chain(bases).collect();
        let mut parent = parent;
        if bases.is_some() && bases == parent {
            steps.pop();
            parent = None;
        }
        let mut rotation = Turning::none();
        for step in steps {
            if !step.is_none(graph) {
                rotation.matrix(graph, step.matrix);
                rotation.turn(step.turn, Number::ONE);
            }
        }
        if let Some(step) = parent {
            rotation.turn(step.turn, Number::MINUS_ONE);
            rotation.matrix(graph, space::transpose(&step.matrix));
        }
        rotation
    }

    /// Appends a matrix; next to another matrix it becomes the product of both.
    fn matrix(&mut self, graph: &mut Graph, matrix: Matrix) {
        match self.0.last_mut() {
            Some(Part::Matrix(last)) => {
                let product = space::product(graph, &matrix, last);
                *last = space::round_entries(graph, &product);
            }
            _ => self.0.push(Part::Matrix(matrix)),
        }
    }

    /// Appends a turn; next to its inverse both vanish.
    fn turn(&mut self, turn: Option<Turn>, sign: Number) {
        let Some(turn) = turn else {
            return;
        };
        match self.0.last() {
            Some(Part::Turn(last, other)) if *last == turn && *other != sign => {
                self.0.pop();
            }
            _ => self.0.push(Part::Turn(turn, sign)),
        }
    }

    pub(super) fn apply(&self, graph: &mut Graph, vector: Vector) -> Vector {
        self.0.iter().fold(vector, |vector, part| match part {
            Part::Matrix(matrix) => space::times(graph, matrix, vector),
            Part::Turn(turn, sign) => turn.apply(graph, vector, *sign),
        })
    }

    pub(super) fn back(&self, graph: &mut Graph, vector: Vector) -> Vector {
        self.0.iter().rev().fold(vector, |vector, part| match part {
            Part::Matrix(matrix) => space::times(graph, &space::transpose(matrix), vector),
            Part::Turn(turn, sign) => turn.apply(graph, vector, -*sign),
        })
    }

    /// R S R^T of a symmetric matrix S.
    pub(super) fn of_matrix(&self, graph: &mut Graph, matrix: &Matrix) -> Matrix {
        self.0.iter().fold(*matrix, |matrix, part| match part {
            Part::Matrix(rotation) => congruent(graph, rotation, &matrix),
            Part::Turn(turn, sign) => turn_symmetric_matrix(graph, *turn, *sign, &matrix),
        })
    }

    /// R A R^T of any matrix A.
    pub(super) fn of_any_matrix(&self, graph: &mut Graph, matrix: &Matrix) -> Matrix {
        self.0.iter().fold(*matrix, |matrix, part| match part {
            Part::Matrix(rotation) => {
                let half = space::product(graph, rotation, &matrix);
                space::product(graph, &half, &space::transpose(rotation))
            }
            Part::Turn(turn, sign) => turn_any_matrix(graph, *turn, *sign, &matrix),
        })
    }
}

/// With d = A_jj - A_kk, m = A_jk + A_kj, t = s d + c m and r = c d - s m: A_jj' = A_jj - s t,
/// A_kk' = A_kk + s t, A_jk' = A_jk + s r and A_kj' = A_kj + s r.
fn turn_any_matrix(graph: &mut Graph, turn: Turn, sign: Number, matrix: &Matrix) -> Matrix {
    let axis = turn.axis;
    let (j, k) = space::axes_after(axis);
    let sin = graph.scale(sign, turn.sin);
    let difference = graph.sub(matrix[j][j], matrix[k][k]);
    let mixed = graph.add(matrix[j][k], matrix[k][j]);
    let products = [
        graph.mul(sin, difference),
        graph.mul(turn.cos, mixed),
        graph.mul(turn.cos, difference),
        graph.mul(sin, mixed),
    ];
    let t = graph.add(products[0], products[1]);
    let r = graph.sub(products[2], products[3]);
    let (sin_t, sin_r) = (graph.mul(sin, t), graph.mul(sin, r));
    let beside = |graph: &mut Graph, mut vector: Vector| {
        vector[axis] = graph.integer(0);
        turn.apply(graph, vector, sign)
    };
    let row = beside(graph, matrix[axis]);
    let column = beside(graph, space::transpose(matrix)[axis]);
    let mut result = *matrix;
    result[j][j] = graph.sub(matrix[j][j], sin_t);
    result[k][k] = graph.add(matrix[k][k], sin_t);
    result[j][k] = graph.add(matrix[j][k], sin_r);
    result[k][j] = graph.add(matrix[k][j], sin_r);
    for i in [j, k] {
        result[axis][i] = row[i];
        result[i][axis] = column[i];
    }
    result
}

fn congruent(graph: &mut Graph, rotation: &Matrix, matrix: &Matrix) -> Matrix {
    let half = rotation.map(|row| space::times(graph, matrix, row));
    let mut result = *matrix;
    for i in 0..3 {
        for j in 0..=i {
            result[i][j] = graph.dot(&half[i], &rotation[j]);
            result[j][i] = result[i][j];
        }
    }
    result
}

/// With d = S_jj - S_kk and t = c d - 2 s S_jk: S_jj' = S_kk + c t, S_kk' = S_jj - c t and
/// S_jk' = S_jk + s t.
fn turn_symmetric_matrix(graph: &mut Graph, turn: Turn, sign: Number, matrix: &Matrix) -> Matrix {
    let axis = turn.axis;
    let (j, k) = space::axes_after(axis);
    let sin = graph.scale(sign, turn.sin);
    let (first, second, mixed) = (matrix[j][j], matrix[k][k], matrix[j][k]);
    let difference = graph.sub(first, second);
    let along = graph.mul(turn.cos, difference);
    let across = graph.mul(sin, mixed);
    let two = Number::integer(2);
    let t = graph.sum(Number::ZERO, vec![(Number::ONE, along), (-two, across)]);
    let (cos_t, sin_t) = (graph.mul(turn.cos, t), graph.mul(sin, t));
    let mut row = matrix[axis];
    row[axis] = graph.integer(0);
    let mut row = turn.apply(graph, row, sign);
    row[axis] = matrix[axis][axis];
    let mut result = *matrix;
    result[j][j] = graph.add(second, cos_t);
    result[k][k] = graph.sub(first, cos_t);
    result[j][k] = graph.add(mixed, sin_t);
    result[k][j] = result[j][k];
    for i in 0..3 {
        result[axis][i] = row[i];
        result[i][axis] = row[i];
    }
    result
}
