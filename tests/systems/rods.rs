//! Two pinned rods with a mass that slides on the second, written out in scalars.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{matrix, vector};

use crate::harness::reference_test;
use crate::support::{State, assert_close};

lagrangian! {
    struct PinnedRods {
        q1, q2, q3: coordinate,
        m, g, k_t, k_l, l: parameter,
    }

    let joint = [l * cos(q1), l * sin(q1), 0];
    pub let slider = joint + q3 * [-sin(q1) * cos(q2), cos(q1) * cos(q2), sin(q2)];
    T = l^2 * m * der(q1)^2 / 6;
    T += l^2 * m * (cos(q2)^2 * der(q1)^2 + 12 * der(q1)^2 + der(q2)^2) / 24;
    T += m / 4 * der(slider)^2 / 2;
    V = -m * g * (joint.x / 2 + joint.x + slider.x / 4);
    V += k_l * q3^2 / 2 + k_t * (q1^2 + q2^2) / 2;
}

reference_test! {
    pinned_rods: PinnedRods { m, g, k_t, k_l, l },
    Natural (q, v),
    outputs [slider(&q), slider_jacobian(&q)],
    coordinates ["q1", "q2", "q3"], cyclic [false; 3], conserved [false; 3],
    conserves_energy true, constant_mass_matrix false,
}

const RODS: PinnedRods = PinnedRods {
    m: 0.25,
    g: 9.81,
    k_t: 2.0,
    k_l: 5.0,
    l: 0.6,
};

#[test]
fn pinned_rods_at_a_state() {
    let (q, v) = (vector![0.4, 0.5, 0.1], vector![0.3, -0.7, 1.1]);
    let mass = matrix![
        0.148757478117589, -0.00179784576976576, 0.032909346070889;
        -0.00179784576976576, 0.008125, 0.0;
        0.032909346070889, 0.0, 0.0625
    ];
    let bias = vector![1.88304713603977, 0.979235796976814, 0.706037763918357];
    let momenta = vector![0.0820860161520907, -0.00622685373092973, 0.0786228038212667];
    let a = vector![-13.1874028756082, -123.439349347806, -4.35278334253969];
    assert_close("M", &RODS.mass_matrix(&q), &mass, 1e-12);
    assert_close("h", &RODS.bias(&q, &v), &bias, 1e-12);
    assert_close("p", &RODS.momenta(&q, &v), &momenta, 1e-12);
    assert_close("a", &RODS.acceleration(&q, &v).unwrap(), &a, 1e-12);
}

/// M = m/12 [l^2 c2^2 + 19 l^2 + 3 q3^2 c2^2, -3 l q3 s2, 3 l c2; ., l^2 + 3 q3^2, 0; ., ., 3].
#[test]
fn mass_matrix_of_pinned_rods_in_closed_form() {
    let (l, q2, q3) = (RODS.l, 0.5_f64, 0.1);
    let (s, c) = q2.sin_cos();
    let mass = matrix![
        l * l * c * c + 19.0 * l * l + 3.0 * q3 * q3 * c * c, -3.0 * l * q3 * s, 3.0 * l * c;
        -3.0 * l * q3 * s, l * l + 3.0 * q3 * q3, 0.0;
        3.0 * l * c, 0.0, 3.0
    ] * (RODS.m / 12.0);
    for q1 in [-1.0, 0.4, 2.0] {
        assert_close("M", &RODS.mass_matrix(&vector![q1, q2, q3]), &mass, 1e-12);
    }
}

#[test]
fn pinned_rods_hang_in_equilibrium() {
    let bias = RODS.bias(&vector![0.0, 0.0, 0.0], &vector![0.0, 0.0, 0.0]);
    assert_eq!(bias, vector![0.0, 0.0, 0.0]);
}

#[test]
fn pinned_rods_keep_their_energy() {
    let start = State::new([0.4, 0.5, 0.1], [0.3, -0.7, 1.1]);
    let energy = RODS.energy(&start.q, &start.v);
    for state in start.trajectory(1e-3, 5000, |s| RODS.acceleration(&s.q, &s.v).unwrap()) {
        let drift = RODS.energy(&state.q, &state.v) - energy;
        assert!(
            drift.abs() < 1e-8,
            "energy drifts by {drift:e} until t = {}",
            state.t
        );
    }
}

lagrangian! {
    /// The rods without weight, pushed at two points.
    struct PushedRods {
        q1, q2, q3: coordinate,
        m, k_t, k_l, l: parameter,
        f1, f2, f3, h1, h2, h3: input,
    }

    let joint = [l * cos(q1), l * sin(q1), 0];
    let slider = joint + q3 * [-sin(q1) * cos(q2), cos(q1) * cos(q2), sin(q2)];
    T = l^2 * m * (der(q1)^2 / 6 + (cos(q2)^2 * der(q1)^2 + 12 * der(q1)^2 + der(q2)^2) / 24);
    T += m / 4 * der(slider)^2 / 2;
    V = k_l * q3^2 / 2 + k_t * (q1^2 + q2^2) / 2;
    force [f1, f2, f3] at joint;
    force [h1, h2, h3] at slider;
    pub let joint_velocity = der(joint);
    pub let slider_velocity = der(slider);
}

reference_test! {
    pushed_rods: PushedRods { m, k_t, k_l, l },
    Natural (q, v; u),
    outputs [joint_velocity(&q, &v), slider_velocity(&q, &v)],
    coordinates ["q1", "q2", "q3"], cyclic [false; 3], conserved [false; 3],
    conserves_energy false, constant_mass_matrix false,
}

/// Sum of Q_j v_j = sum of F_i . dr_i/dt.
#[test]
fn generalized_forces_have_the_power_of_the_forces() {
    let system = PushedRods {
        m: 0.25,
        k_t: 2.0,
        k_l: 5.0,
        l: 0.6,
    };
    let (q, v) = (vector![0.4, 0.5, 0.1], vector![0.3, -0.7, 1.1]);
    let u = vector![0.3, -1.7, 2.2, 0.9, -0.4, 1.3];
    let power = u.fixed_rows::<3>(0).dot(&system.joint_velocity(&q, &v))
        + u.fixed_rows::<3>(3).dot(&system.slider_velocity(&q, &v));
    assert_close(
        "power",
        &system.generalized_forces(&q, &v, &u).dot(&v),
        &power,
        1e-12,
    );
}
