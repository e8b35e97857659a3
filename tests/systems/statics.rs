//! Virtual work: equilibria, and forces at points against forces from a potential.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{DVector, vector};

use crate::harness::{list, reference_test};
use crate::support::{assert_close, fixed, gradient};

lagrangian! {
    /// A uniform bar hinged at one end, its weight at the middle and a support at the other end.
    struct HingedBar {
        theta: coordinate,
        m, g, l: parameter,
        support: input,
    }

    let along = [cos(theta), sin(theta)];
    T = m * l^2 * der(theta)^2 / 6;
    force [0, -m * g] at l / 2 * along;
    force [0, support] at l * along;
}

reference_test! {
    hinged_bar: HingedBar { m, g, l },
    Natural (q, v; u),
    outputs [],
    coordinates ["theta"], cyclic [true], conserved [false],
    conserves_energy false, constant_mass_matrix true,
}

/// Q(0) = F l - m g l / 2; the hinge, which does not move, has no part in it.
#[test]
fn support_carries_half_the_weight() {
    let bar = HingedBar {
        m: 4.0,
        g: 9.5,
        l: 1.5,
    };
    let (level, still) = (vector![0.0], vector![0.0]);
    let q = |support: f64| bar.generalized_forces(&level, &still, &vector![support]);
    assert_eq!(q(25.0), vector![25.0 * 1.5 - 4.0 * 9.5 * 1.5 / 2.0]);
    assert_eq!(q(4.0 * 9.5 / 2.0), vector![0.0]);
}

lagrangian! {
    struct HingedBarOnSpring {
        theta: coordinate,
        m, g, l, k: parameter,
    }

    let lift = l * sin(theta);
    T = m * l^2 * der(theta)^2 / 6;
    V = m * g * lift / 2 + k * lift^2 / 2;
    pub let spring_force = -k * lift;
}

reference_test! {
    hinged_bar_on_spring: HingedBarOnSpring { m, g, l, k },
    Natural (q, v),
    outputs [spring_force(&q), spring_force_jacobian(&q)],
    coordinates ["theta"], cyclic [false], conserved [false],
    conserves_energy true, constant_mass_matrix true,
}

#[test]
fn spring_in_equilibrium_carries_half_the_weight() {
    let bar = HingedBarOnSpring {
        m: 4.0,
        g: 9.5,
        l: 1.5,
        k: 100.0,
    };
    let half_weight = 4.0 * 9.5 / 2.0;
    let theta = vector![(-half_weight / (100.0 * 1.5_f64)).asin()];
    assert_close(
        "spring force",
        &bar.spring_force(&theta),
        &half_weight,
        1e-14,
    );
    let slope = bar.potential_gradient(&theta)[0];
    assert!(slope.abs() < 1e-13, "no equilibrium: {slope:e}");
}

lagrangian! {
    struct HangingMass {
        x: coordinate,
        m, g, k: parameter,
    }

    T = m * der(x)^2 / 2;
    V = k * x^2 / 2 - m * g * x;
}

reference_test! {
    hanging_mass: HangingMass { m, g, k },
    Natural (q, v),
    outputs [],
    coordinates ["x"], cyclic [false], conserved [false],
    conserves_energy true, constant_mass_matrix true,
}

/// k x = m g at rest; the potential is quadratic, so that one Newton step from anywhere is exact.
#[test]
fn hanging_mass_rests_where_spring_and_weight_balance() {
    let system = HangingMass {
        m: 2.0,
        g: 9.5,
        k: 50.0,
    };
    let rest = 2.0 * 9.5 / 50.0;
    let residual = |x: f64| system.potential_gradient(&vector![x])[0];
    let stiffness = residual(1.0) - residual(0.0);
    assert_close("stiffness", &stiffness, &50.0, 1e-14);
    assert_close(
        "Newton step from 0",
        &(-residual(0.0) / stiffness),
        &rest,
        1e-14,
    );
    assert!(residual(rest).abs() < 1e-14);
    let a = system.acceleration(&vector![0.0], &vector![0.3]).unwrap();
    assert_close(
        "free fall where the spring is slack",
        &a,
        &vector![9.5],
        1e-14,
    );
}

lagrangian! {
    /// A link hinged below, with a force down at its end.
    struct HingedLink {
        theta: coordinate,
        m, l: parameter,
        f: input,
    }

    pub let tip = [l * sin(theta), l * cos(theta)];
    pub let tip_velocity = der(tip);
    T = m * l^2 * der(theta)^2 / 6;
    force [0, -f] at tip;
}

reference_test! {
    hinged_link: HingedLink { m, l },
    Natural (q, v; u),
    outputs [tip(&q), tip_jacobian(&q), tip_velocity(&q, &v)],
    coordinates ["theta"], cyclic [true], conserved [false],
    conserves_energy false, constant_mass_matrix true,
}

lagrangian! {
    /// The same with the force given as a function of time.
    struct PulsedLink {
        theta: coordinate,
        m, l, f0, w: parameter,
        t: time,
    }

    T = m * l^2 * der(theta)^2 / 6;
    force [0, -f0 * sin(w * t)] at [l * sin(theta), l * cos(theta)];
}

reference_test! {
    pulsed_link: PulsedLink { m, l, f0, w },
    Natural ([t] q, v),
    outputs [],
    coordinates ["theta"], cyclic [true], conserved [false],
    conserves_energy false, constant_mass_matrix true,
}

/// Q = F l sin(theta), by F . dr/dtheta and by F . d(dr/dt)/dtheta'.
#[test]
fn virtual_work_is_partial_velocity() {
    let link = HingedLink { m: 0.9, l: 1.3 };
    let pulsed = PulsedLink {
        m: 0.9,
        l: 1.3,
        f0: 2.5,
        w: 3.0,
    };
    let (t, theta, v) = (0.4_f64, vector![0.7], vector![1.9]);
    let f = 2.5 * (3.0 * t).sin();
    let expected = vector![f * 1.3 * 0.7_f64.sin()];
    assert_close(
        "Q",
        &link.generalized_forces(&theta, &v, &vector![f]),
        &expected,
        1e-14,
    );
    assert_close(
        "Q",
        &pulsed.generalized_forces(t, &theta, &v),
        &expected,
        1e-14,
    );
    let push = |v: &DVector<f64>| -f * link.tip_velocity(&theta, &fixed(v.as_slice())).y;
    let partial = gradient(&push, &list(&v));
    assert_close("F . dv/dtheta'", &partial, &list(&expected), 1e-10);
    let virtual_work = link.tip_jacobian(&theta).transpose() * vector![0.0, -f];
    assert_close("F . dr/dtheta", &virtual_work, &expected, 1e-14);
}

lagrangian! {
    struct WeightByPotential {
        q1, q2: coordinate,
        m, l, g: parameter,
    }

    let elbow = [l * sin(q1), -l * cos(q1)];
    let tip = elbow + [l * sin(q2), -l * cos(q2)];
    T = m * der(elbow)^2 / 2 + m * der(tip)^2 / 2;
    V = m * g * (elbow.y + tip.y);
}

lagrangian! {
    struct WeightByForce {
        q1, q2: coordinate,
        m, l, g: parameter,
    }

    let elbow = [l * sin(q1), -l * cos(q1)];
    let tip = elbow + [l * sin(q2), -l * cos(q2)];
    T = m * der(elbow)^2 / 2 + m * der(tip)^2 / 2;
    force [0, -m * g] at elbow;
    force [0, -m * g] at tip;
}

/// The crate warns of a force that V has already, and computes the written statements: the force twice.
#[allow(
    deprecated,
    reason = "the warning is a use of a deprecated item, at the repeated force"
)]
mod counted_twice {
    use super::lagrangian;

    lagrangian! {
        pub(super) struct WeightTwice {
            q1, q2: coordinate,
            m, l, g: parameter,
        }

        let elbow = [l * sin(q1), -l * cos(q1)];
        let tip = elbow + [l * sin(q2), -l * cos(q2)];
        T = m * der(elbow)^2 / 2 + m * der(tip)^2 / 2;
        V = m * g * (elbow.y + tip.y);
        Q.q1 = -2 * m * g * l * sin(q1);
        Q.q2 = -m * g * l * sin(q2);
    }
}

#[test]
fn weight_may_be_a_potential_or_a_force() {
    let (m, l, g) = (0.6, 0.8, 9.81);
    let (q, v) = (vector![0.5, -0.9], vector![1.2, 0.4]);
    let potential = WeightByPotential { m, l, g };
    let force = WeightByForce { m, l, g };
    let both = counted_twice::WeightTwice { m, l, g };
    let weight = -potential.potential_gradient(&q);
    assert_close("Q", &force.generalized_forces(&q, &v), &weight, 1e-12);
    assert_close(
        "f",
        &force.forcing(&q, &v),
        &potential.forcing(&q, &v),
        1e-12,
    );
    let doubled = potential.forcing(&q, &v) + weight;
    assert_close("f", &both.forcing(&q, &v), &doubled, 1e-12);
    const { assert!(WeightByPotential::CONSERVES_ENERGY && !WeightByForce::CONSERVES_ENERGY) };
}

lagrangian! {
    /// A pendulum pulled at its bob by any force in the plane.
    struct PulledPendulum {
        theta: coordinate,
        m, l: parameter,
        fx, fy: input,
    }

    pub let bob = [l * sin(theta), -l * cos(theta)];
    T = m * der(bob)^2 / 2;
    force [fx, fy] at bob;
}

/// A force along the rod, where the reaction of the hinge acts, does not appear in the equations.
#[test]
fn force_along_the_rod_does_nothing() {
    let system = PulledPendulum { m: 0.6, l: 0.8 };
    let (q, v) = (vector![0.7_f64], vector![1.3]);
    let along = system.bob(&q) * 12.0;
    let q_theta = system.generalized_forces(&q, &v, &along)[0];
    assert!(q_theta.abs() < 1e-14, "Q = {q_theta:e}");
}
