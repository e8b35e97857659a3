//! States on the constraints, by Newton's method from random ones.

use super::constraint_rows::Row;
use crate::probe::real_point;
use crate::{Complex, Graph, Kinematics, NodeId, Symbol};

/// The number of steps to the constraints, and the largest step.
const STEPS: usize = 60;
const LONGEST: f64 = 1.0;
/// Residuals below this end Newton's method.
const MET: f64 = 1e-13;

/// A state, with other symbols as at a random point.
pub(super) struct State<'a> {
    graph: &'a Graph,
    kinematics: &'a Kinematics,
    number: usize,
    q: Vec<f64>,
}

impl<'a> State<'a> {
    pub(super) fn new(graph: &'a Graph, kinematics: &'a Kinematics, number: usize) -> Self {
        let q = kinematics
            .coordinate_symbols()
            .into_iter()
            .map(|symbol| real_point(graph, number, symbol));
        State {
            graph,
            kinematics,
            number,
            q: q.collect(),
        }
    }

    fn evaluate(&self, roots: &[NodeId]) -> Vec<f64> {
        self.graph.evaluate(roots, &|symbol| match symbol {
            Symbol::Coordinate(i) => self.q.get(i as usize).copied().unwrap_or(0.0),
            other => real_point(self.graph, self.number, other),
        })
    }

    /// Moves it near the neutral q, by a share of a random displacement.
    pub(super) fn start_near_neutral(&mut self, share: f64) {
        self.q.fill(0.0);
        for rotation in self.kinematics.rotations() {
            self.q[rotation.coordinate + 3] = 1.0;
        }
        let step = self
            .kinematics
            .velocity_symbols()
            .into_iter()
            .map(|v| share * real_point(self.graph, self.number, v));
        self.turn(&step.collect::<Vec<f64>>());
    }

    /// By number of the constraint; empty for an ignored one.
    pub(super) fn jacobian(&self, rows: &[Row], of: &[usize]) -> Vec<Vec<f64>> {
        let entries: Vec<NodeId> = of
            .iter()
            .flat_map(|row| rows[*row].jacobian.clone())
            .collect();
        let mut values = self.evaluate(&entries).into_iter();
        let mut jacobian = vec![Vec::new(); rows.len()];
        for row in of {
            jacobian[*row] = values.by_ref().take(rows[*row].jacobian.len()).collect();
        }
        jacobian
    }

    /// Moves to the constraints, along `count` directions at a time. Returns whether the residuals are at most `near`
    /// of the first ones in the end.
    pub(super) fn meet(&mut self, rows: &[Row], of: &[usize], count: usize, near: f64) -> bool {
        let residuals: Vec<NodeId> = of.iter().map(|row| rows[*row].residual).collect();
        let size = |values: &[f64]| values.iter().map(|value| value.abs()).fold(0.0, f64::max);
        let first = size(&self.evaluate(&residuals));
        let mut last = first;
        for _ in 0..STEPS {
            let values = self.evaluate(&residuals);
            last = size(&values);
            if !last.is_finite() || last <= MET * first {
                break;
            }
            let jacobian = self.jacobian(rows, of);
            let slopes: Vec<&[f64]> = of.iter().map(|row| &jacobian[*row][..]).collect();
            let step = find_step(&slopes, &values, count, self.kinematics.velocity_count());
            self.turn(&step);
        }
        last <= near * first
    }

    /// Moves q by a displacement; quaternions keep unit length.
    fn turn(&mut self, step: &[f64]) {
        let complex = |values: &[f64]| -> Vec<Complex> {
            values.iter().map(|value| Complex::real(*value)).collect()
        };
        let moved = self.kinematics.displaced(&complex(&self.q), &complex(step));
        for (q, step) in self.q.iter_mut().zip(moved) {
            *q += step.re;
        }
        for rotation in self.kinematics.rotations() {
            let entries = &mut self.q[rotation.coordinate..rotation.coordinate + 4];
            let length = length(entries);
            entries.iter_mut().for_each(|q| *q /= length);
        }
    }
}

/// The step along `count` directions, those in which the rows differ most, that brings J step closest to -r.
fn find_step(rows: &[&[f64]], residuals: &[f64], count: usize, velocities: usize) -> Vec<f64> {
    let axes = orthonormalize(rows.iter().map(|row| row.to_vec()).collect(), count, 0.0);
    let (mut step, mut left) = (vec![0.0; velocities], residuals.to_vec());
    // Each direction with its effect on the residuals, made orthogonal to those before it.
    let mut before: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    for mut direction in axes {
        let mut effect: Vec<f64> = rows.iter().map(|row| dot(row, &direction)).collect();
        for (other, column) in &before {
            let along = dot(&effect, column);
            add(&mut effect, -along, column);
            add(&mut direction, -along, other);
        }
        let size = length(&effect);
        let Some(column) = normalize(effect) else {
            continue;
        };
        direction.iter_mut().for_each(|entry| *entry /= size);
        let along = dot(&left, &column);
        add(&mut left, -along, &column);
        add(&mut step, -along, &direction);
        before.push((direction, column));
    }
    let factor = (LONGEST / length(&step)).min(1.0);
    step.iter_mut().for_each(|entry| *entry *= factor);
    step
}

/// An orthonormal basis of some rows by the Gram-Schmidt method for `count` rows, the one with the longest remainder first,
/// while that is at least `least` long.
pub(super) fn orthonormalize(mut rows: Vec<Vec<f64>>, count: usize, least: f64) -> Vec<Vec<f64>> {
    let mut axes = Vec::new();
    while axes.len() < count {
        let Some((position, size)) = rows
            .iter()
            .map(|row| length(row))
            .enumerate()
            .max_by(|(_, a), (_, b)| a.total_cmp(b))
        else {
            break;
        };
        if size < least {
            break;
        }
        let Some(axis) = normalize(rows.swap_remove(position)) else {
            break;
        };
        for row in &mut rows {
            let along = dot(row, &axis);
            add(row, -along, &axis);
        }
        axes.push(axis);
    }
    axes
}

/// `None` for a zero row.
fn normalize(mut row: Vec<f64>) -> Option<Vec<f64>> {
    let size = length(&row);
    let has_direction = size.is_finite() && size > 0.0;
    row.iter_mut().for_each(|entry| *entry /= size);
    has_direction.then_some(row)
}

fn add(sum: &mut [f64], factor: f64, other: &[f64]) {
    for (sum, other) in sum.iter_mut().zip(other) {
        *sum += factor * other;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn length(row: &[f64]) -> f64 {
    dot(row, row).sqrt()
}
