//! Twelve motions by Hamilton's equations in (q, p) and by Lagrange's in (q, v).

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Error, System, rk4_step};

use crate::systems::{
    BALL, BEAD, CART_POLE, CAT, CHARGE, EULER_BODY, FOUR_BAR, FREE_BODY, RODS, SATELLITE, SHAKEN,
    SKATE,
};

const H: f64 = 1.0 / 2048.0;
const STEPS: u32 = 2048;

/// A step of the classical Runge-Kutta method in (q, p), quaternions by their four numbers.
fn step<const NQ: usize, const N: usize>(
    equations: impl Fn(f64, &SVector<f64, NQ>, &SVector<f64, N>) -> Rates<NQ, N>,
    t: f64,
    (q, p): &(SVector<f64, NQ>, SVector<f64, N>),
) -> (SVector<f64, NQ>, SVector<f64, N>) {
    let moved = |k: &(SVector<f64, NQ>, SVector<f64, N>), h: f64| (q + k.0 * h, p + k.1 * h);
    let rate = |t: f64, (q, p): (SVector<f64, NQ>, SVector<f64, N>)| {
        equations(t, &q, &p).expect("a regular system")
    };
    let k1 = rate(t, (*q, *p));
    let k2 = rate(t + H / 2.0, moved(&k1, H / 2.0));
    let k3 = rate(t + H / 2.0, moved(&k2, H / 2.0));
    let k4 = rate(t + H, moved(&k3, H));
    (
        q + (k1.0 + (k2.0 + k3.0) * 2.0 + k4.0) * (H / 6.0),
        p + (k1.1 + (k2.1 + k3.1) * 2.0 + k4.1) * (H / 6.0),
    )
}

type Rates<const NQ: usize, const N: usize> = Result<(SVector<f64, NQ>, SVector<f64, N>), Error>;

/// A second of both motions. Velocities of the momenta at its end are compared too.
fn compare<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    equations: impl Fn(f64, &SVector<f64, NQ>, &SVector<f64, N>) -> Rates<NQ, N>,
    start: (SVector<f64, NQ>, SVector<f64, N>),
    u: &SVector<f64, K>,
) where
    M: System<f64, NQ, N, K, C>,
{
    let (mut q, mut v) = start;
    let mut canonical = (q, system.momenta(0.0, &q, &v, u));
    for number in 0..STEPS {
        let t = f64::from(number) * H;
        (q, v) = rk4_step(system, t, &q, &v, u, H).expect("a regular system");
        canonical = step(&equations, t, &canonical);
    }
    let end = f64::from(STEPS) * H;
    let off = system.difference(&q, &canonical.0).amax();
    assert!(off < 1e-9 * q.amax().max(1.0), "q off by {off:e}");
    let p = system.momenta(end, &q, &v, u);
    let off = (p - canonical.1).amax();
    assert!(off < 1e-9 * p.amax().max(1.0), "p off by {off:e}");
    let moved = system.difference(&start.0, &q).amax();
    assert!(moved > 0.1, "it hardly moved: {moved}");
}

const NONE: SVector<f64, 0> = SVector::from_array_storage(lagrangian::nalgebra::ArrayStorage([[]]));

#[test]
fn torque_free_body() {
    let q = vector![0.4, 0.5, 0.6, 0.0, 0.0, 0.0];
    let v = vector![0.3, -0.7, 1.1, 0.2, -0.4, 0.6];
    compare(
        &EULER_BODY,
        |_, q, p| EULER_BODY.hamilton_equations(q, p),
        (q, v),
        &NONE,
    );
}

#[test]
fn pinned_rods() {
    let start = (vector![0.4, 0.5, 0.1], vector![0.3, -0.7, 1.1]);
    compare(&RODS, |_, q, p| RODS.hamilton_equations(q, p), start, &NONE);
}

#[test]
fn falling_cat() {
    let (start, u) = (
        (vector![0.1, -0.3, 0.8], vector![0.6, -1.2, 0.9]),
        vector![0.02, -0.03],
    );
    compare(&CAT, |_, q, p| CAT.hamilton_equations(q, p, &u), start, &u);
}

#[test]
fn cart_pole() {
    let (start, u) = ((vector![0.2, 0.3], vector![-0.5, 0.7]), vector![1.0]);
    compare(
        &CART_POLE,
        |_, q, p| CART_POLE.hamilton_equations(q, p, &u),
        start,
        &u,
    );
}

#[test]
fn charge_in_a_field() {
    let start = (vector![0.3, -0.2, 0.5], vector![1.0, 0.4, -0.8]);
    compare(
        &CHARGE,
        |_, q, p| CHARGE.hamilton_equations(q, p),
        start,
        &NONE,
    );
}

#[test]
fn pendulum_on_a_shaken_pivot() {
    let start = (vector![0.8, 0.3], vector![0.5, 1.5]);
    compare(
        &SHAKEN,
        |t, q, p| SHAKEN.hamilton_equations(t, q, p),
        start,
        &NONE,
    );
}

#[test]
fn four_bar() {
    let near = (vector![1.0, 0.4, 1.4], vector![2.0, 0.0, 0.0]);
    let start = FOUR_BAR.project(&near.0, &near.1).unwrap();
    let u = vector![0.6];
    compare(
        &FOUR_BAR,
        |_, q, p| FOUR_BAR.hamilton_equations(q, p, &u),
        start,
        &u,
    );
}

#[test]
fn bead_on_a_turning_rod() {
    let start = BEAD
        .project(0.0, &vector![0.7, 0.0], &vector![0.2, 1.0])
        .unwrap();
    compare(
        &BEAD,
        |t, q, p| BEAD.hamilton_equations(t, q, p),
        start,
        &NONE,
    );
}

#[test]
fn skate_on_an_incline() {
    let start = (
        vector![0.0, 0.0, 0.6],
        vector![0.6_f64.cos(), 0.6_f64.sin(), 1.3],
    );
    compare(
        &SKATE,
        |_, q, p| SKATE.hamilton_equations(q, p),
        start,
        &NONE,
    );
}

#[test]
fn free_body() {
    let q = vector![0.0, 0.0, 1.0, 0.1, -0.5, 0.5, 0.7];
    let q = FREE_BODY.integrate(&q, &SVector::zeros());
    let v = vector![0.4, 0.1, 2.0, 1.3, -0.4, 2.1];
    compare(
        &FREE_BODY,
        |_, q, p| FREE_BODY.hamilton_equations(q, p),
        (q, v),
        &NONE,
    );
}

#[test]
fn satellite_with_wheels() {
    let q = vector![0.1, 0.2, -0.1, 0.3, -0.8, 0.1, 0.5, 0.2];
    let q = SATELLITE.integrate(&q, &SVector::zeros());
    let v = vector![0.4, 0.1, -0.3, 0.7, -0.4, 0.5, 2.0];
    let u = vector![0.3];
    compare(
        &SATELLITE,
        |t, q, p| SATELLITE.hamilton_equations(t, q, p, &u),
        (q, v),
        &u,
    );
}

#[test]
fn rolling_ball() {
    let q = vector![0.0, 0.0, 0.5, 0.2, -0.3, 0.1, 0.9];
    let start = BALL
        .project(&q, &vector![0.0, 0.0, 0.0, 1.5, 2.0, -0.7])
        .unwrap();
    compare(&BALL, |_, q, p| BALL.hamilton_equations(q, p), start, &NONE);
}

/// Ten seconds: H is constant where neither t, forces nor constraints work, and is T + V.
#[test]
fn the_hamiltonian_is_kept() {
    fn keeps<const NQ: usize, const N: usize>(
        equations: impl Fn(f64, &SVector<f64, NQ>, &SVector<f64, N>) -> Rates<NQ, N>,
        hamiltonian: impl Fn(&SVector<f64, NQ>, &SVector<f64, N>) -> Result<f64, Error>,
        start: (SVector<f64, NQ>, SVector<f64, N>),
    ) {
        let energy = hamiltonian(&start.0, &start.1).unwrap();
        let mut state = start;
        for _ in 0..10 * STEPS {
            state = step(&equations, 0.0, &state);
        }
        let end = hamiltonian(&state.0, &state.1).unwrap();
        assert!(
            (end - energy).abs() < 1e-9 * energy.abs().max(1.0),
            "{end} {energy}"
        );
    }
    let (q, v) = (vector![0.4, 0.5, 0.1], vector![0.3, -0.7, 1.1]);
    let p = RODS.momenta(&q, &v);
    assert!((RODS.hamiltonian(&q, &p).unwrap() - RODS.energy(&q, &v)).abs() < 1e-14);
    keeps(
        |_, q, p| RODS.hamilton_equations(q, p),
        |q, p| RODS.hamiltonian(q, p),
        (q, p),
    );
    let (q, v) = (vector![0.3, -0.2, 0.5], vector![1.0, 0.4, -0.8]);
    let p = CHARGE.momenta(&q, &v);
    keeps(
        |_, q, p| CHARGE.hamilton_equations(q, p),
        |q, p| CHARGE.hamiltonian(q, p),
        (q, p),
    );
    let (near, rate) = (vector![1.0, 0.4, 1.4], vector![2.0, 0.0, 0.0]);
    let (q, v) = FOUR_BAR.project(&near, &rate).unwrap();
    let (p, u) = (FOUR_BAR.momenta(&q, &v), vector![0.0]);
    keeps(
        |_, q, p| FOUR_BAR.hamilton_equations(q, p, &u),
        |q, p| FOUR_BAR.hamiltonian(q, p),
        (q, p),
    );
}

/// I w' = I w x w in the body's axes: Euler's equations are Lie-Poisson's.
#[test]
fn momenta_of_a_free_body_turn() {
    let q = FREE_BODY.integrate(
        &vector![0.0, 0.0, 1.0, 0.1, -0.5, 0.5, 0.7],
        &SVector::zeros(),
    );
    let p = vector![0.4, 0.1, 2.0, 0.39, -0.2, 1.47];
    let w = FREE_BODY
        .velocity(&q, &p)
        .unwrap()
        .fixed_rows::<3>(3)
        .into_owned();
    assert!((w - vector![0.39 / 0.3, -0.2 / 0.5, 1.47 / 0.7]).norm() < 1e-15);
    let (_, rate) = FREE_BODY.hamilton_equations(&q, &p).unwrap();
    let turned = p.fixed_rows::<3>(3).cross(&w);
    assert!((rate.fixed_rows::<3>(3) - turned).norm() < 1e-15);
    assert!((rate.fixed_rows::<3>(0) - vector![0.0, 0.0, -2.0 * 9.81]).norm() < 1e-14);
}
