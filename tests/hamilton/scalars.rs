//! Exact derivatives through the generated code, and single precision.

use lagrangian::nalgebra::{SVector, vector};
use num_dual::Dual64;

use crate::systems::{
    CART_POLE, CHARGE, CartPole, Charge, FOUR_BAR, FourBar, SATELLITE, Satellite,
};

fn duals<const N: usize>(x: &SVector<f64, N>, along: &SVector<f64, N>) -> SVector<Dual64, N> {
    x.zip_map(along, Dual64::new)
}

fn slopes<const N: usize>(x: &SVector<Dual64, N>) -> SVector<f64, N> {
    x.map(|x| x.eps)
}

/// The momenta of (q, v) change along the motion as Hamilton's equations say, and H as dH/dq and dH/dp say.
#[test]
fn rates_are_exact_where_constraints_act() {
    let (near, rate) = (vector![1.0, 0.4, 1.4], vector![2.0, 0.0, 0.0]);
    let (q, v) = FOUR_BAR.project(&near, &rate).unwrap();
    let u = vector![0.6];
    let a = FOUR_BAR.acceleration(&q, &v, &u).unwrap();
    let dual = FourBar {
        m: Dual64::from(FOUR_BAR.m),
        l1: Dual64::from(FOUR_BAR.l1),
        l2: Dual64::from(FOUR_BAR.l2),
        l3: Dual64::from(FOUR_BAR.l3),
        d: Dual64::from(FOUR_BAR.d),
    };
    let p = FOUR_BAR.momenta(&q, &v);
    let (dq, dp) = FOUR_BAR.hamilton_equations(&q, &p, &u).unwrap();
    let expected = slopes(&dual.momenta(&duals(&q, &v), &duals(&v, &a)));
    assert!((dq - v).norm() < 1e-12 && (dp - expected).norm() < 1e-11 * expected.norm());
    let hamiltonian = dual.hamiltonian(&duals(&q, &dq), &duals(&p, &dp)).unwrap();
    // The torque at the crank.
    assert!((hamiltonian.eps - 0.6 * v[0]).abs() < 1e-11);
}

#[test]
fn rates_are_exact_with_time_and_a_rotation() {
    let q = vector![0.1, 0.2, -0.1, 0.3, -0.8, 0.1, 0.5, 0.2];
    let q = SATELLITE.integrate(&q, &SVector::zeros());
    let v = vector![0.4, 0.1, -0.3, 0.7, -0.4, 0.5, 2.0];
    let (t, u) = (0.4, vector![0.3]);
    let a = SATELLITE.acceleration(t, &q, &v, &u).unwrap();
    let dual = Satellite {
        m: Dual64::from(SATELLITE.m),
        i: SATELLITE.i.map(Dual64::from),
        wheel: Dual64::from(SATELLITE.wheel),
    };
    let p = SATELLITE.momenta(t, &q, &v);
    let (dq, dp) = SATELLITE.hamilton_equations(t, &q, &p, &u).unwrap();
    assert!((dq - SATELLITE.coordinate_rates(t, &q, &v)).norm() < 1e-13);
    let now = Dual64::new(t, 1.0);
    let expected = slopes(&dual.momenta(now, &duals(&q, &dq), &duals(&v, &a)));
    assert!((dp - expected).norm() < 1e-11 * expected.norm());
    // dH/dp = v, along the directions of p too.
    for j in 0..7 {
        let unit = SVector::from_fn(|i, _| f64::from(u8::from(i == j)));
        let still = q.map(Dual64::from);
        let slope = dual.hamiltonian(Dual64::from(t), &still, &duals(&p, &unit));
        assert!((slope.unwrap().eps - v[j]).abs() < 1e-11);
    }
}

#[test]
fn velocities_have_derivatives() {
    let (q, v, u) = (vector![0.2, 0.3], vector![-0.5, 0.7], vector![1.0]);
    let dual = CartPole {
        mc: Dual64::from(CART_POLE.mc),
        mp: Dual64::from(CART_POLE.mp),
        l: Dual64::from(CART_POLE.l),
        g: Dual64::from(CART_POLE.g),
        c: Dual64::from(CART_POLE.c),
    };
    let p = CART_POLE.momenta(&q, &v);
    let (dq, dp) = CART_POLE.hamilton_equations(&q, &p, &u).unwrap();
    let a = slopes(&dual.velocity(&duals(&q, &dq), &duals(&p, &dp)).unwrap());
    let expected = CART_POLE.acceleration(&q, &v, &u).unwrap();
    assert!((a - expected).norm() < 1e-12);
}

#[test]
fn single_precision() {
    let rough = Charge {
        m: CHARGE.m as f32,
        e: CHARGE.e as f32,
        b: CHARGE.b as f32,
    };
    let (q, p) = (vector![0.3, -0.2, 0.5], vector![1.0, 0.4, -0.8]);
    let (dq, dp) = CHARGE.hamilton_equations(&q, &p).unwrap();
    let (dq32, dp32) = rough.hamilton_equations(&q.cast(), &p.cast()).unwrap();
    assert!((dq32.cast() - dq).norm() < 1e-6 && (dp32.cast() - dp).norm() < 1e-6);
}
