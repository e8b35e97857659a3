//! A rotation in single precision, in lanes, with dual numbers; and a struct with the name that generic
//! code likes for its scalar.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, vector};
use num_dual::Dual64;
use simba::simd::{SimdValue, WideF64x4};

use crate::drone::{DRONE, Drone, State};
use crate::support::{Random, assert_close};

#[test]
fn single_precision() {
    let State { q, v, u, .. } = State::random(&mut Random(0xF32));
    let drone = Drone {
        m: 1.4_f32,
        i: [0.3, 0.5, 0.7],
        g: 9.81,
    };
    let (q32, v32, u32) = (q.cast(), v.cast(), u.cast());
    let a = drone.acceleration(&q32, &v32, &u32).unwrap();
    assert_close(
        "a",
        &a.cast(),
        &DRONE.acceleration(&q, &v, &u).unwrap(),
        1e-5,
    );
    let moved = drone.integrate(&q32, &v32).cast();
    assert_close("q", &moved, &DRONE.integrate(&q, &v), 1e-6);
}

#[test]
fn lanes() {
    let mut random = Random(0x1A9E5);
    let states: [State; 4] = std::array::from_fn(|_| State::random(&mut random));
    let drone = Drone {
        m: WideF64x4::splat(DRONE.m),
        i: DRONE.i.map(WideF64x4::splat),
        g: WideF64x4::splat(DRONE.g),
    };
    let wide = |get: &dyn Fn(&State) -> f64| {
        WideF64x4::from(std::array::from_fn::<f64, 4, _>(|lane| get(&states[lane])))
    };
    let q = SVector::<_, 7>::from_fn(|i, _| wide(&|state| state.q[i]));
    let v = SVector::<_, 6>::from_fn(|i, _| wide(&|state| state.v[i]));
    let u = SVector::<_, 4>::from_fn(|i, _| wide(&|state| state.u[i]));
    let a = drone.acceleration_unchecked(&q, &v, &u);
    let (rates, moved) = (drone.coordinate_rates(&q, &v), drone.integrate(&q, &v));
    let back = drone.difference(&q, &moved);
    for (lane, State { q, v, u, .. }) in states.iter().enumerate() {
        let at = |x: WideF64x4| x.extract(lane);
        assert_close(
            "a",
            &a.map(at),
            &DRONE.acceleration(q, v, u).unwrap(),
            1e-14,
        );
        assert_close("qdot", &rates.map(at), &DRONE.coordinate_rates(q, v), 1e-14);
        assert_close("q", &moved.map(at), &DRONE.integrate(q, v), 1e-14);
        let expected = DRONE.difference(q, &DRONE.integrate(q, v));
        assert_close("d", &back.map(at), &expected, 1e-13);
    }
}

/// Derivatives along a displacement agree with differences, at the displacement 0 too.
#[test]
fn dual_numbers() {
    let State { q, v, u, .. } = State::random(&mut Random(0xD0A1));
    let drone = Drone {
        m: Dual64::from(DRONE.m),
        i: DRONE.i.map(Dual64::from),
        g: Dual64::from(DRONE.g),
    };
    let along: SVector<f64, 6> = Random(0xA).vector();
    let q_dual = drone.integrate(&q.map(Dual64::from), &along.map(|d| Dual64::new(0.0, d)));
    let rate = DRONE.coordinate_rates(&q, &along);
    assert_close("dq", &q_dual.map(|x| x.eps), &rate, 1e-15);
    let a = drone.acceleration(&q_dual, &v.map(Dual64::from), &u.map(Dual64::from));
    let derivative = a.unwrap().map(|x| x.eps);
    let h = 1e-5;
    let at = |h: f64| {
        DRONE
            .acceleration(&DRONE.integrate(&q, &(along * h)), &v, &u)
            .unwrap()
    };
    assert_close("da", &derivative, &((at(h) - at(-h)) / (2.0 * h)), 1e-9);
}

mod any_name {
    use super::lagrangian;

    lagrangian! {
        /// A free body under the name of the scalar type.
        pub struct S {
            att: rotation,
            i: parameter[3],
        }

        body { frame: world.rotate(att), inertia: diag(i) }
    }
}

#[test]
fn a_struct_called_s() {
    let body = any_name::S { i: [0.2, 0.5, 0.6] };
    let (q, v) = (vector![0.5, -0.5, 0.5, 0.5], vector![1.0, 2.0, 3.0]);
    let expected = vector![-0.1 * 6.0 / 0.2, 0.4 * 3.0 / 0.5, -0.3 * 2.0 / 0.6];
    assert_close("a", &body.acceleration(&q, &v).unwrap(), &expected, 1e-15);
}
