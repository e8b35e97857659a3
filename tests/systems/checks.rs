//! Checks that hold for every system: relations between its outputs, and Lagrange's equations themselves by numerical
//! derivatives.

use crate::harness::{Adapter, Hamilton, Kind, Split, stack};
use crate::support::{DState, assert_balance, assert_close, gradient, slope};

use lagrangian::Error;
use lagrangian::nalgebra::{DMatrix, DVector};

/// Agreement of two ways to compute the same thing.
const ROUNDING: f64 = 1e-11;
/// Agreement with a numerical derivative.
const DIFFERENCES: f64 = 1e-7;

/// All checks at one state.
pub(crate) fn check_equations(system: &dyn Adapter, kind: Kind, at: &DState) {
    check_relations(system, at);
    check_forms(system, at);
    check_lagrange_equations(system, at);
    check_balance_of_energy(system, at);
    check_constraints(system, at);
    check_hamilton(system, at);
    check_refusals(system, at);
    if let Some(split) = system.split(at) {
        check_split(system, &split, at);
        if kind == Kind::Natural {
            check_natural(system, &split, at);
        }
    }
}

fn check_relations(system: &dyn Adapter, at: &DState) {
    let mass = system.mass_matrix(at);
    let bias = system.bias(at);
    let forces = system.generalized_forces(at);
    let a = system.acceleration(at);
    let at_rest = system.inverse_dynamics(at, &DVector::zeros(at.v.len()));
    let required = system.inverse_dynamics(at, &a);
    let forcing = system.forcing(at);
    assert_close("M is symmetric", &mass, &mass.transpose(), ROUNDING);
    assert_balance("M 0 + h = h", &at_rest, &bias, ROUNDING);
    assert_balance("f = Q - h", &forcing, &(&forces - bias), ROUNDING);
    let held = system.constraints(at).forces;
    assert_balance(
        "M a + h = Q + J^T lambda",
        &required,
        &(forces + &held),
        ROUNDING,
    );
    assert_balance(
        "M a = f + J^T lambda",
        &(mass * a),
        &(forcing + held),
        ROUNDING,
    );
}

/// `solve`, the first-order forms and SymPy's block system say the same.
fn check_forms(system: &dyn Adapter, at: &DState) {
    let (n, d) = (at.q.len(), 2 * at.q.len());
    let rate = stack(&at.v, &system.acceleration(at));
    for (method, derivative) in system.state_derivatives(at) {
        assert_close(method, &derivative, &rate, ROUNDING);
    }
    let constraints = system.constraints(at);
    let rows = constraints.gamma.len();
    let mut block = DMatrix::identity(d + rows, d + rows);
    block
        .view_mut((n, n), (n, n))
        .copy_from(&system.mass_matrix(at));
    block
        .view_mut((n, d), (n, rows))
        .copy_from(&-constraints.jacobian.transpose());
    block
        .view_mut((d, n), (rows, n))
        .copy_from(&constraints.jacobian);
    block.view_mut((d, d), (rows, rows)).fill(0.0);
    let (mass_matrix_full, forcing_full) = system.block_system(at);
    assert_close(
        "[I 0 0; 0 M -J^T; 0 J 0]",
        &mass_matrix_full,
        &block,
        ROUNDING,
    );
    let known = stack(&stack(&at.v, &system.forcing(at)), &constraints.gamma);
    assert_close("[v; f; gamma]", &forcing_full, &known, ROUNDING);
}

/// dp/dt = dL/dq + Q + J^T lambda along the motion.
fn check_lagrange_equations(system: &dyn Adapter, at: &DState) {
    let a = system.acceleration(at);
    let momentum_rate = slope(&|h| system.momenta(&at.moved(h, (&at.v, &a))));
    let pull = gradient(&|q| system.lagrangian(&at.with_q(q.clone())), &at.q);
    let forces = system.generalized_forces(at) + system.constraints(at).forces;
    assert_balance(
        "dp/dt = dL/dq + Q + J^T lambda",
        &momentum_rate,
        &(pull + forces),
        DIFFERENCES,
    );
    let momenta = gradient(&|v| system.lagrangian(&at.with_v(v.clone())), &at.v);
    assert_balance("p = dL/dv", &system.momenta(at), &momenta, DIFFERENCES);
}

/// d(p.v - L)/dt = (Q + J^T lambda).v - dL/dt along the motion.
fn check_balance_of_energy(system: &dyn Adapter, at: &DState) {
    let a = system.acceleration(at);
    let rate = slope(&|h| system.jacobi_integral(&at.moved(h, (&at.v, &a))));
    let explicit = slope(&|h| system.lagrangian(&at.with_t(at.t + h)));
    let forces = system.generalized_forces(at) + system.constraints(at).forces;
    let power = forces.dot(&at.v);
    assert_balance(
        "d(p.v - L)/dt = (Q + J^T lambda).v - dL/dt",
        &rate,
        &(power - explicit),
        DIFFERENCES,
    );
    let definition = system.momenta(at).dot(&at.v) - system.lagrangian(at);
    assert_balance(
        "p.v - L",
        &system.jacobi_integral(at),
        &definition,
        ROUNDING,
    );
}

/// J, the velocities of the constraints and gamma by numerical derivatives; J a = gamma, and the meaning of the
/// multipliers. No entry of q and v that is not finite is passed over, whether the acceleration depends on it or not.
fn check_refusals(system: &dyn Adapter, at: &DState) {
    let n = at.q.len();
    for entry in 0..n + at.v.len() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut state = at.clone();
            let (array, index, argument) = if entry < n {
                (&mut state.q, entry, "q")
            } else {
                (&mut state.v, entry - n, "v")
            };
            array[index] = value;
            assert_eq!(
                system.refusal(&state),
                Some(Error::NotFinite { argument }),
                "{state:?}"
            );
        }
    }
}

fn check_constraints(system: &dyn Adapter, at: &DState) {
    let here = system.constraints(at);
    let holonomic = here.residual.len();
    let still = DVector::zeros(at.v.len());
    let coasting = |h: f64| system.constraints(&at.moved(h, (&at.v, &still)));
    let a = system.acceleration(at);

    let drift = slope(&|h| coasting(h).residual);
    let velocity = here.velocity.rows(0, holonomic).into_owned();
    assert_balance("J v + d(residual)/dt", &velocity, &drift, DIFFERENCES);
    for (index, column) in here.jacobian.column_iter().enumerate() {
        let moved = |from: &DVector<f64>, h: f64| {
            let mut moved = from.clone();
            moved[index] += h;
            moved
        };
        let by_v = slope(&|h| system.constraints(&at.with_v(moved(&at.v, h))).velocity);
        assert_balance("J by v", &column.into_owned(), &by_v, DIFFERENCES);
        let by_q = slope(&|h| system.constraints(&at.with_q(moved(&at.q, h))).residual);
        let rows = column.rows(0, holonomic).into_owned();
        assert_balance("J by q", &rows, &by_q, DIFFERENCES);
    }
    let free = slope(&|h| coasting(h).velocity);
    assert_balance("-gamma at a = 0", &-&here.gamma, &free, DIFFERENCES);

    let jacobian_a = &here.jacobian * a;
    assert_balance("J a = gamma", &jacobian_a, &here.gamma, ROUNDING);
    let forces = here.jacobian.tr_mul(&here.multipliers);
    assert_balance("J^T lambda", &here.forces, &forces, ROUNDING);
}

/// If L is quadratic and M regular: the velocities of the momenta are v, H is the Jacobi integral, and Hamilton's
/// equations are those of the motion.
fn check_hamilton(system: &dyn Adapter, at: &DState) {
    let p = system.momenta(at);
    let Some(outcome) = system.hamilton(at, &p) else {
        return;
    };
    let sizes = system.mass_matrix(at).singular_values();
    let Hamilton {
        velocity,
        hamiltonian,
        rates,
    } = match outcome {
        Ok(values) => values,
        Err(error) => {
            assert_eq!(error, Error::SingularMassMatrix);
            assert!(sizes.min() < ROUNDING * sizes.max(), "M is regular");
            return;
        }
    };
    // The change of v by a change of p in its last place.
    let lost = 16.0 * f64::EPSILON * sizes.max() / sizes.min();
    let rounding = ROUNDING.max(lost);
    assert_balance("v of p", &velocity, &at.v, rounding);
    let jacobi = system.jacobi_integral(at);
    assert_balance("H = p.v - L", &hamiltonian, &jacobi, ROUNDING);
    assert_balance("dq/dt = dH/dp", &rates.0, &at.v, rounding);
    let a = system.acceleration(at);
    let momentum_rate = slope(&|h| system.momenta(&at.moved(h, (&at.v, &a))));
    assert_balance("dp/dt", &rates.1, &momentum_rate, DIFFERENCES);
    let hamiltonian = |q: &DVector<f64>, p: &DVector<f64>| {
        let moved = system.hamilton(&at.with_q(q.clone()), p);
        moved
            .and_then(Result::ok)
            .map_or(f64::NAN, |values| values.hamiltonian)
    };
    let by_p = gradient(&|p| hamiltonian(&at.q, p), &p);
    assert_balance("dH/dp", &by_p, &at.v, DIFFERENCES);
    let by_q = gradient(&|q| hamiltonian(q, &p), &at.q);
    let forces = system.generalized_forces(at) + system.constraints(at).forces;
    assert_balance(
        "dp/dt = -dH/dq + Q + J^T lambda",
        &rates.1,
        &(forces - by_q),
        DIFFERENCES,
    );
}

/// A system of T and V: its sums, the gradient of V, and the skew symmetry that defines C.
fn check_split(system: &dyn Adapter, split: &Split, at: &DState) {
    let (kinetic, potential) = (split.kinetic_energy, split.potential_energy);
    assert_balance(
        "E = T + V",
        &system.energy(at),
        &(kinetic + potential),
        ROUNDING,
    );
    assert_balance(
        "L = T - V",
        &system.lagrangian(at),
        &(kinetic - potential),
        ROUNDING,
    );
    let potential_at = |q: &DVector<f64>| {
        system
            .split(&at.with_q(q.clone()))
            .map_or(f64::NAN, |split| split.potential_energy)
    };
    assert_balance(
        "dV/dq",
        &split.potential_gradient,
        &gradient(&potential_at, &at.q),
        DIFFERENCES,
    );
    let mass_rate = slope(&|h| system.mass_matrix(&at.with_q(&at.q + &at.v * h)));
    let skew = mass_rate - &split.coriolis_matrix * 2.0;
    assert_balance(
        "(dM/dq) v - 2 C is skew",
        &(-skew.transpose()),
        &skew,
        DIFFERENCES,
    );
}

/// T = v.M v / 2 with M free of t.
fn check_natural(system: &dyn Adapter, split: &Split, at: &DState) {
    let mass = system.mass_matrix(at);
    let momenta = system.momenta(at);
    let energy = system.energy(at);
    let bias = &split.coriolis_matrix * &at.v + &split.potential_gradient;
    assert_balance("p = M v", &(&mass * &at.v), &momenta, ROUNDING);
    assert_balance(
        "T = p.v / 2",
        &split.kinetic_energy,
        &(momenta.dot(&at.v) / 2.0),
        ROUNDING,
    );
    assert_balance("h = C v + dV/dq", &system.bias(at), &bias, ROUNDING);
    assert_balance(
        "p.v - L = T + V",
        &system.jacobi_integral(at),
        &energy,
        ROUNDING,
    );
    // Constraints may determine coordinates without inertia.
    let jacobian = system.constraints(at).jacobian;
    let held = &mass + jacobian.tr_mul(&jacobian);
    assert!(
        held.cholesky().is_some(),
        "M + J^T J is not positive definite: {mass}"
    );
    let lowest = mass.clone().symmetric_eigenvalues().min();
    assert!(lowest > -ROUNDING, "T is negative: {lowest:e}");
}
