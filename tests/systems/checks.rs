//! What holds for every system without constraints, whatever it is: relations between its outputs,
//! and Lagrange's equations themselves by numerical derivatives.

use crate::harness::{Adapter, Kind, Split, stack};
use crate::support::{State, assert_balance, assert_close, gradient, slope};

use lagrangian::nalgebra::{SMatrix, SVector};

/// Agreement of two ways to compute the same thing.
const ROUNDING: f64 = 1e-11;
/// Agreement with a numerical derivative.
const DIFFERENCES: f64 = 1e-7;

/// All checks at one state.
pub(crate) fn check_equations<const N: usize, const D: usize>(
    system: &impl Adapter<N, D>,
    kind: Kind,
    at: &State<N>,
) {
    check_relations(system, at);
    check_forms(system, at);
    check_lagrange_equations(system, at);
    check_balance_of_energy(system, at);
    if let Some(split) = system.split(at) {
        check_split(system, &split, at);
        if kind == Kind::Natural {
            check_natural(system, &split, at);
        }
    }
}

fn check_relations<const N: usize, const D: usize>(system: &impl Adapter<N, D>, at: &State<N>) {
    let mass = system.mass_matrix(at);
    let bias = system.bias(at);
    let forces = system.generalized_forces(at);
    let a = system.acceleration(at);
    let at_rest = system.inverse_dynamics(at, &SVector::zeros());
    let required = system.inverse_dynamics(at, &a);
    let forcing = system.forcing(at);
    assert_close("M is symmetric", &mass, &mass.transpose(), ROUNDING);
    assert_balance("M 0 + h = h", &at_rest, &bias, ROUNDING);
    assert_balance("M a + h = Q", &required, &forces, ROUNDING);
    assert_balance("f = Q - h", &forcing, &(forces - bias), ROUNDING);
    assert_balance("M a = f", &(mass * a), &forcing, ROUNDING);
}

/// `solve`, the first-order forms and SymPy's block system say the same.
fn check_forms<const N: usize, const D: usize>(system: &impl Adapter<N, D>, at: &State<N>) {
    let rate: SVector<f64, D> = stack(&at.v, &system.acceleration(at));
    for (method, derivative) in system.state_derivatives(at) {
        assert_close(method, &derivative, &rate, ROUNDING);
    }
    let mut block = SMatrix::<f64, D, D>::identity();
    block
        .fixed_view_mut::<N, N>(N, N)
        .copy_from(&system.mass_matrix(at));
    assert_close("[I 0; 0 M]", &system.mass_matrix_full(at), &block, ROUNDING);
    assert_close(
        "[v; f]",
        &system.forcing_full(at),
        &stack(&at.v, &system.forcing(at)),
        ROUNDING,
    );
}

/// dp/dt = dL/dq + Q along the motion.
fn check_lagrange_equations<const N: usize, const D: usize>(
    system: &impl Adapter<N, D>,
    at: &State<N>,
) {
    let a = system.acceleration(at);
    let momentum_rate = slope(|h| system.momenta(&at.moved(h, &(at.v, a))));
    let pull = gradient(|q| system.lagrangian(&State { q: *q, ..*at }), &at.q);
    let forces = system.generalized_forces(at);
    assert_balance(
        "dp/dt = dL/dq + Q",
        &momentum_rate,
        &(pull + forces),
        DIFFERENCES,
    );
    let momenta = gradient(|v| system.lagrangian(&State { v: *v, ..*at }), &at.v);
    assert_balance("p = dL/dv", &system.momenta(at), &momenta, DIFFERENCES);
}

/// d(p.v - L)/dt = Q.v - dL/dt along the motion.
fn check_balance_of_energy<const N: usize, const D: usize>(
    system: &impl Adapter<N, D>,
    at: &State<N>,
) {
    let a = system.acceleration(at);
    let rate = slope(|h| system.jacobi_integral(&at.moved(h, &(at.v, a))));
    let explicit = slope(|h| system.lagrangian(&State { t: at.t + h, ..*at }));
    let power = system.generalized_forces(at).dot(&at.v);
    assert_balance(
        "d(p.v - L)/dt = Q.v - dL/dt",
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

/// A system of T and V: its sums, the gradient of V, and the skew symmetry that defines C.
fn check_split<const N: usize, const D: usize>(
    system: &impl Adapter<N, D>,
    split: &Split<N>,
    at: &State<N>,
) {
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
    let potential_at = |q: &SVector<f64, N>| {
        system
            .split(&State { q: *q, ..*at })
            .map_or(f64::NAN, |split| split.potential_energy)
    };
    assert_balance(
        "dV/dq",
        &split.potential_gradient,
        &gradient(potential_at, &at.q),
        DIFFERENCES,
    );
    let mass_rate = slope(|h| {
        system.mass_matrix(&State {
            q: at.q + at.v * h,
            ..*at
        })
    });
    let skew = mass_rate - split.coriolis_matrix * 2.0;
    assert_balance(
        "(dM/dq) v - 2 C is skew",
        &(-skew.transpose()),
        &skew,
        DIFFERENCES,
    );
}

/// T = v.M v / 2 with M free of t.
fn check_natural<const N: usize, const D: usize>(
    system: &impl Adapter<N, D>,
    split: &Split<N>,
    at: &State<N>,
) {
    let mass = system.mass_matrix(at);
    let momenta = system.momenta(at);
    let energy = system.energy(at);
    let bias = split.coriolis_matrix * at.v + split.potential_gradient;
    assert_balance("p = M v", &(mass * at.v), &momenta, ROUNDING);
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
    assert!(
        mass.cholesky().is_some(),
        "M is not positive definite: {mass}"
    );
}
