//! Code for the backward error of equations.
//!
//! An equation that holds to some eps of its terms is solved to working precision (Oettli and Prager, "Compatibility of
//! approximate solution of linear equations", *Numer. Math.* 6, 1964). The sum of the sizes of all terms would cost
//! several times the residual; a lower bound costs less. This pays off for solutions that are often no better than
//! required.

use super::equation::{Blocks, ZERO};
use super::factorization::{Size, TestedEquations};
use crate::Unary;
use crate::codegen::ir::{Builder, Operand, Signed};

impl Blocks<'_> {
    /// The residuals of these equations at a solution, and the sizes of their terms.
    pub(super) fn evaluate_residuals(
        &self,
        builder: &mut Builder,
        tested: &TestedEquations,
        solution: &[Operand],
        minus_multipliers: &[Signed],
    ) -> Vec<[Operand; 2]> {
        let size = tested.size;
        let mut left = Vec::with_capacity(tested.forces.len() + tested.rows.len());
        for i in &tested.forces {
            left.push(self.evaluate_force_residual(builder, size, *i, solution, minus_multipliers));
        }
        for k in &tested.rows {
            let (row, gamma) = (self.row(*k), self.gamma[*k]);
            left.push(evaluate_constraint_residual(
                builder, size, row, gamma, solution,
            ));
        }
        left
    }

    /// The equations of forces hold by construction, unless M + J^T W J is factored.
    pub(super) fn choose_tested(&self, augmented: bool) -> TestedEquations {
        let n = self.coordinates();
        let is_bound = |i: &usize| self.rows().any(|row| row[*i] != ZERO);
        TestedEquations {
            forces: if augmented { 0..n } else { 0..0 }.collect(),
            rows: (0..self.gamma.len()).collect(),
            untested: (0..n).filter(|i| !is_bound(i)).collect(),
            size: Size::AtLeast,
        }
    }

    /// f - M a + J^T lambda in row i, of -lambda.
    fn evaluate_force_residual(
        &self,
        builder: &mut Builder,
        size: Size,
        i: usize,
        solution: &[Operand],
        minus_multipliers: &[Signed],
    ) -> [Operand; 2] {
        let mut products: Vec<_> = solution
            .iter()
            .enumerate()
            .map(|(k, a)| (self.mass(i, k), Signed::new(false, *a)))
            .collect();
        for (row, lambda) in self.rows().zip(minus_multipliers) {
            products.push((row[i], *lambda));
        }
        evaluate_residual(builder, size, self.forcing[i], products)
    }
}

/// The residual gamma - J a of a row, and the size of its terms.
fn evaluate_constraint_residual(
    builder: &mut Builder,
    size: Size,
    row: &[Operand],
    gamma: Operand,
    solution: &[Operand],
) -> [Operand; 2] {
    let solution = solution.iter().map(|a| Signed::new(false, *a));
    let products = row.iter().copied().zip(solution);
    evaluate_residual(builder, size, gamma, products.collect())
}

/// The residual of a right-hand side after these products, and the size of the terms.
///
/// The partial sums lead from 0 to the right-hand side b and, through the remainder after each product, back to 0. So
/// the terms are at least as large as |b| plus the remainder before the last product, and as twice the remainder
/// half-way. The mean of these does not vanish with any one product.
fn evaluate_residual(
    builder: &mut Builder,
    size: Size,
    right: Operand,
    mut products: Vec<(Operand, Signed)>,
) -> [Operand; 2] {
    products.retain(|(entry, x)| *entry != ZERO && !x.is_zero());
    // The latest value comes last, when the terms are already known.
    products.sort_by_key(|(_, x)| builder.end(x.value()));
    let half = products.len() / 2;
    let [mut half_way, mut before, mut left] = [right; 3];
    for (k, (entry, x)) in products.iter().enumerate() {
        before = left;
        if k == half {
            half_way = before;
        }
        let entry = builder.without_sign(*entry);
        left = if x.is_minus() == entry.is_minus() {
            builder.neg_mul_add(entry.value(), x.value(), left)
        } else {
            builder.mul_add(entry.value(), x.value(), left)
        };
    }
    if size == Size::Sum {
        return [left, sum_of_sizes(builder, right, &products)];
    }
    let [right, before] = [right, before].map(|part| builder.unary(Unary::Abs, part));
    let ends = builder.add(right, before);
    if products.len() < 3 {
        return [left, ends];
    }
    let half_way = builder.unary(Unary::Abs, half_way);
    let terms = builder.mul_add(Operand::Constant(0.5), ends, half_way);
    [left, terms]
}

fn sum_of_sizes(builder: &mut Builder, right: Operand, products: &[(Operand, Signed)]) -> Operand {
    let size_of = |builder: &mut Builder, value| match value {
        Operand::Constant(number) => Operand::Constant(number.abs()),
        _ => builder.unary(Unary::Abs, value),
    };
    let mut sum = size_of(builder, right);
    for (entry, x) in products {
        let entry = builder.without_sign(*entry).value();
        let [entry, x] = [entry, x.value()].map(|value| size_of(builder, value));
        sum = builder.mul_add(entry, x, sum);
    }
    sum
}
