//! A Coriolis matrix that is long, and therefore asked for: without that it is not there, as
//! `lagrange-lang/src/tests/options.rs` says of this declaration. With a joint less it would be.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SMatrix, SVector};

lagrangian! {
    #[lagrangian(coriolis_matrix)]
    struct Arm { q: coordinate[13], m, l, a, b, g: parameter }
    frame mut F = world;
    for i in 0..13 {
        F = F.rotate(z, q[i]);
        body { frame: F, mass: m, at: [l, 0, 0], inertia: diag(a, b, b) }
        F = F.translate([l, 0, 0]).rotate(x, 1);
    }
    gravity [0, 0, -g];
    bundle terms { bias, coriolis_matrix }
}

const ARM: Arm = Arm {
    m: 1.3,
    l: 0.4,
    a: 0.02,
    b: 0.05,
    g: 9.81,
};

fn state() -> (SVector<f64, 13>, SVector<f64, 13>) {
    let q = SVector::from_fn(|i, _| (1.7 * i as f64).sin());
    let v = SVector::from_fn(|i, _| (0.9 + 2.3 * i as f64).cos());
    (q, v)
}

#[test]
fn it_makes_the_bias_with_the_forces_of_the_potential() {
    let (q, v) = state();
    let c = ARM.coriolis_matrix(&q, &v);
    let bias = ARM.bias(&q, &v);
    let error = c * v + ARM.potential_gradient(&q) - bias;
    assert!(error.amax() < 1e-11 * bias.amax(), "{error}");
    let terms = ARM.terms(&q, &v);
    let error = terms.coriolis_matrix - c;
    assert!(error.amax() < 1e-11 * c.amax(), "{error}");
}

#[test]
fn it_is_half_the_rate_of_the_mass_matrix_but_for_a_skew_matrix() {
    let (q, v) = state();
    let step = 1e-5;
    let mass = |sign: f64| ARM.mass_matrix(&(q + v * (sign * step)));
    let rate: SMatrix<f64, 13, 13> = (mass(1.0) - mass(-1.0)) / (2.0 * step);
    let c = ARM.coriolis_matrix(&q, &v);
    let error = rate - c - c.transpose();
    assert!(error.amax() < 1e-7 * c.amax(), "{error}");
}
