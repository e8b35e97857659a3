//! A system with states of first order and a curve.

use lagrangian::nalgebra::vector;
use lagrangian::{Baumgarte, Stateful, lagrangian, rk4_step_with_states};

use crate::counting::{fail_without_heap, succeed_without_heap, without_heap};

lagrangian! {
    struct Bristled { p: coordinate[2], bristle, current: state, l, s: parameter, u: input }

    T = der(p)^2 / 2;
    V = 9.81 * p.y + spline(p.x - bristle, [-1, 0, 2], [1, 0, 3]);
    der(bristle) = der(p.x) - s * abs(der(p.x)) * bristle;
    der(current) = u - current - der(p.y);
    Q.p = [-s * der(bristle), current];
    holonomic rod: p^2 = l^2;
}

#[test]
fn states_and_a_curve() {
    let system = Bristled::new(1.0, 0.3);
    let (q, v, z, u) = (
        &vector![0.6, -0.8],
        &vector![0.8, 0.6],
        &vector![0.1, 0.2],
        &vector![0.5],
    );
    without_heap!("state_rates", system.state_rates(q, v, z, u));
    without_heap!("energy", system.energy(q, v, z));
    without_heap!(
        "linearize_unchecked",
        system.linearize_unchecked(q, v, z, u)
    );
    succeed_without_heap!("solve", system.solve(q, v, z, u));
    succeed_without_heap!("linearize", system.linearize(q, v, z, u));
    succeed_without_heap!("linearize_reduced", system.linearize_reduced(q, v, z, u));
    succeed_without_heap!("vjp", system.vjp(q, v, z, u, v));
    succeed_without_heap!("project", system.project(q, v));
    let step = |h| rk4_step_with_states(&system, 0.0, q, v, z, u, h);
    succeed_without_heap!("rk4_step_with_states", step(0.01));
    fail_without_heap!("rk4_step_with_states", step(f64::NAN));
    let stabilised = Baumgarte {
        system: &system,
        alpha: 0.1,
        beta: 0.1,
        step: 0.01,
    };
    succeed_without_heap!("Baumgarte", stabilised.solve(0.0, q, v, z, u));
    let differentiated = || stabilised.acceleration_derivatives(0.0, q, v, z, u);
    succeed_without_heap!("Baumgarte", differentiated());
}
