//! Constraints on velocities that are in fact constraints on coordinates.

use super::constraint_rows::{Row, rows};
use super::facts::is_state;
use super::jumps::jumps;
use crate::probe::all_vanish;
use crate::{
    Answer, ConstraintKind, Graph, Kinematics, NodeId, Number, Symbol, System, is_identically_zero,
};

/// A differential form, by its values along the directions of v and along t, and their derivatives.
struct Form {
    coefficients: Vec<NodeId>,
    /// `slopes[i][j]` is the derivative of coefficient i along direction j.
    slopes: Vec<Vec<NodeId>>,
    kinematics: Kinematics,
}

/// For each constraint whether it is nonholonomic and integrable by itself: in fact holonomic, because it keeps a
/// function of q and t constant.
///
/// A constraint A(q, t) v + b(q, t) = 0 is the form w = A dq + b dt. By the theorem of Frobenius it is integrable if w
/// ∧ dw = 0; structure decides this, and then random points. Rows that are integrable only together with others are not
/// found.
pub fn integrable_constraints(system: &System) -> Vec<bool> {
    let mut graph = system.graph.clone();
    let rows = rows(&mut graph, system);
    rows.iter()
        .map(|row| {
            let nonholonomic = row.kind == ConstraintKind::Nonholonomic;
            nonholonomic && is_integrable(&mut graph, system, row)
        })
        .collect()
}

fn is_integrable(graph: &mut Graph, system: &System, row: &Row) -> bool {
    let form = Form::of(graph, system, row);
    // Its pieces may be integrable separately, which gives no function of all of q and t.
    if jumps(graph, &form.coefficients).into_iter().any(is_state) {
        return false;
    }
    let zero = is_identically_zero(graph, &form.coefficients);
    // If one coefficient is not zero, w ∧ dw vanishes if its components with this coefficient do: w ∧ (w ∧ dw) = 0
    // gives the others.
    let Some(pivot) = zero.iter().position(|answer| *answer == Answer::No) else {
        return false;
    };
    let components = form.components(graph, pivot);
    all_vanish(graph, &components)
}

impl Form {
    /// A dq + b dt: t counts as one more coordinate.
    fn of(graph: &mut Graph, system: &System, row: &Row) -> Self {
        let zero = graph.integer(0);
        let velocities = system.names.velocity_symbols();
        let at_rest: Vec<(Symbol, NodeId)> = velocities.iter().map(|v| (*v, zero)).collect();
        let mut coefficients = row.jacobian.clone();
        coefficients.extend(graph.substitute(&[row.residual], &at_rest));
        let kinematics = system.names.kinematics();
        let slopes = coefficients
            .iter()
            .map(|coefficient| {
                let mut slopes = kinematics.gradient(graph, *coefficient);
                slopes.extend(graph.gradient(*coefficient, &[Symbol::Time]));
                slopes
            })
            .collect();
        Form {
            coefficients,
            slopes,
            kinematics,
        }
    }

    /// dw along two directions, `e_j(c_k) - e_k(c_j) - w([e_j, e_k])`: those of a rotation do not commute.
    fn curl(&self, graph: &mut Graph, j: usize, k: usize) -> NodeId {
        let curl = graph.sub(self.slopes[k][j], self.slopes[j][k]);
        match self.kinematics.commutator(j, k) {
            Some((along, true)) => graph.sub(curl, self.coefficients[along]),
            Some((along, false)) => graph.add(curl, self.coefficients[along]),
            None => curl,
        }
    }

    /// The components (p, i, j) of w ∧ dw, i < j.
    fn components(&self, graph: &mut Graph, p: usize) -> Vec<NodeId> {
        let other_coefficients: Vec<usize> =
            (0..self.coefficients.len()).filter(|i| *i != p).collect();
        let mut components = Vec::new();
        for (position, &i) in other_coefficients.iter().enumerate() {
            for &j in &other_coefficients[position + 1..] {
                let terms = [(p, i, j), (i, j, p), (j, p, i)];
                let terms = terms.map(|(i, j, k)| {
                    let curl = self.curl(graph, j, k);
                    (Number::ONE, graph.mul(self.coefficients[i], curl))
                });
                components.push(graph.sum(Number::ZERO, terms.to_vec()));
            }
        }
        components
    }
}
