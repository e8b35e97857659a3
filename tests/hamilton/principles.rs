//! Hamilton's principle: of the discretised action, and of a potential that depends on velocities.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Error, lagrangian};
use num_dual::Dual64;

use crate::systems::CHARGE;

lagrangian! {
    struct Planet { x, y: coordinate, mu: parameter }

    T = der([x, y])^2 / 2;
    V = -mu / norm([x, y]);
}

type State = (SVector<f64, 2>, SVector<f64, 2>);

/// A step of the implicit midpoint rule, by iteration.
fn midpoint(
    equations: impl Fn(&SVector<f64, 2>, &SVector<f64, 2>) -> Result<State, Error>,
    (q, p): &State,
    h: f64,
) -> State {
    let mut next = (*q, *p);
    for _ in 0..60 {
        let (dq, dp) = equations(&((q + next.0) / 2.0), &((p + next.1) / 2.0)).unwrap();
        next = (q + dq * h, p + dp * h);
    }
    next
}

/// The implicit midpoint rule on Hamilton's equations makes the sum of `h L((q0 + q1)/2, (q1 - q0)/h)`
/// stationary (J. E. Marsden and M. West, "Discrete mechanics and variational integrators", *Acta
/// Numerica* 10, 2001, section 2.3).
#[test]
fn the_discrete_action_is_stationary() {
    let (planet, h) = (Planet { mu: 1.0 }, 0.05);
    let start = (vector![1.0, 0.0], vector![0.0, 1.2]);
    let mut path = vec![start];
    for _ in 0..40 {
        let equations = |q: &_, p: &_| planet.hamilton_equations(q, p);
        path.push(midpoint(equations, path.last().unwrap(), h));
    }
    let dual = Planet {
        mu: Dual64::from(1.0),
    };
    for triple in path.windows(3) {
        let [before, here, after] = [triple[0].0, triple[1].0, triple[2].0];
        for i in 0..2 {
            let mut moved = here.map(Dual64::from);
            moved[i].eps = 1.0;
            let action = |from: SVector<Dual64, 2>, to: SVector<Dual64, 2>| {
                let (middle, rate) = ((from + to) * Dual64::from(0.5), to - from);
                dual.lagrangian(&middle, &(rate * Dual64::from(1.0 / h))) * h
            };
            let sum =
                action(before.map(Dual64::from), moved) + action(moved, after.map(Dual64::from));
            assert!(sum.eps.abs() < 1e-12, "{}", sum.eps);
        }
    }
}

/// Such a method keeps the energy to within an error that does not grow, for a hundred orbits.
#[test]
fn the_midpoint_rule_keeps_orbits_bound() {
    let planet = Planet { mu: 1.0 };
    let mut state = (vector![1.0, 0.0], vector![0.0, 1.2]);
    let energy = planet.hamiltonian(&state.0, &state.1).unwrap();
    let momentum = |(q, p): &State| q.x * p.y - q.y * p.x;
    for _ in 0..30_000 {
        state = midpoint(|q, p| planet.hamilton_equations(q, p), &state, 0.05);
        let now = planet.hamiltonian(&state.0, &state.1).unwrap();
        assert!((now - energy).abs() < 2e-3 * energy.abs(), "{now} {energy}");
        assert!((momentum(&state) - 1.2).abs() < 1e-11);
    }
}

/// p = m v + e A, H = (p - e A)^2 / 2m + e phi, and m r'' = e (E + v x B).
#[test]
fn a_charge_has_canonical_momenta() {
    let (q, v) = (vector![0.3, -0.2, 0.5], vector![1.0, 0.4, -0.8]);
    let potential = vector![0.2, 0.3, 0.0];
    let p = CHARGE.momenta(&q, &v);
    assert!((p - (v * 0.7 + potential * 1.3)).norm() < 1e-15);
    assert!((CHARGE.velocity(&q, &p).unwrap() - v).norm() < 1e-15);
    let energy = 0.7 * v.norm_squared() / 2.0 + 1.3 * (0.3 * 0.3 + 0.5 * 0.5 / 2.0);
    assert!((CHARGE.hamiltonian(&q, &p).unwrap() - energy).abs() < 1e-15);
    let (rate, momentum_rate) = CHARGE.hamilton_equations(&q, &p).unwrap();
    let field = vector![-0.3, 0.0, -0.5];
    let force = 1.3 * (field + v.cross(&vector![0.0, 0.0, 2.0]));
    let of_potential = vector![-v.y, v.x, 0.0] * 1.3;
    assert!((rate - v).norm() < 1e-15);
    assert!((momentum_rate - (force + of_potential)).norm() < 1e-14);
    assert!((CHARGE.acceleration(&q, &v).unwrap() - force / 0.7).norm() < 1e-14);
}
