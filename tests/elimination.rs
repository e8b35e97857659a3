//! Systems whose velocities are eliminated from T link by link: against the equations that their mass matrix says, also
//! where that is nearly singular, and for other scalars.

use lagrangian::nalgebra::{SMatrix, SVector};
use lagrangian::{Error, lagrangian};
use num_dual::Dual64;
use simba::simd::{SimdValue, WideF64x4};

lagrangian! {
    /// Links with a mass at each end, by their angles against the vertical.
    #[derive(Clone, Debug)]
    struct Chain {
        q: coordinate[12],
        m: parameter[12] = 1,
        l: parameter[12] = 0.5,
        g: parameter = 9.81,
        u: input,
    }

    let mut r = [0, 0];
    for i in 0..12 {
        r += l[i] * [sin(q[i]), -cos(q[i])];
        T += m[i] * der(r)^2 / 2;
        V += m[i] * g * r.y;
    }
    force [u, 0] at r;
    pub let tip = r;
    bundle both { acceleration_unchecked, tip, energy }
}

lagrangian! {
    /// The same chain by the angles of its joints, the last mass of which slides along a line.
    #[derive(Clone, Debug)]
    struct Held {
        q: coordinate[12],
        m: parameter[12] = 1,
        l: parameter[12] = 0.5,
        g: parameter = 9.81,
    }

    let mut angle = 0;
    let mut r = [0, 0];
    for i in 0..12 {
        angle += q[i];
        r += l[i] * [sin(angle), -cos(angle)];
        T += m[i] * der(r)^2 / 2;
        V += m[i] * g * r.y;
    }
    holonomic line: r.y = -3;
    bundle both { acceleration_unchecked, energy }
}

type Vector = SVector<f64, 12>;

fn state(offset: f64) -> [Vector; 2] {
    [
        SVector::from_fn(|i, _| (offset + 1.7 * i as f64).sin()),
        SVector::from_fn(|i, _| (offset + 0.9 * i as f64).cos()),
    ]
}

const PUSH: SVector<f64, 1> =
    SVector::from_array_storage(lagrangian::nalgebra::ArrayStorage([[3.0]]));

/// The remainder of a sum, relative to the sizes of its terms.
fn left<const C: usize>(
    mass: &SMatrix<f64, 12, 12>,
    a: &Vector,
    forcing: &Vector,
    jacobian: &SMatrix<f64, C, 12>,
    lambda: &SVector<f64, C>,
) -> f64 {
    let sizes = mass.abs() * a.abs() + forcing.abs() + jacobian.abs().transpose() * lambda.abs();
    let rest = mass * a - forcing - jacobian.transpose() * lambda;
    rest.component_div(&sizes).amax()
}

fn chain_left(system: &Chain, [q, v]: &[Vector; 2], a: &Vector) -> f64 {
    let (mass, forcing) = (system.mass_matrix(q), system.forcing(q, v, &PUSH));
    left(
        &mass,
        a,
        &forcing,
        &SMatrix::<f64, 0, 12>::zeros(),
        &SVector::zeros(),
    )
}

#[test]
fn equations_hold_to_rounding() {
    let system = Chain::default();
    for offset in [0.0, 0.4, 1.0, 2.0] {
        let state = state(offset);
        let [q, v] = &state;
        let a = system.acceleration(q, v, &PUSH).unwrap();
        assert!(chain_left(&system, &state, &a) < 1e-14);
        let unchecked = system.acceleration_unchecked(q, v, &PUSH);
        assert_eq!(a, unchecked);
        assert_eq!(system.solve(q, v, &PUSH).unwrap().acceleration, a);
        let both = system.both(q, v, &PUSH);
        assert!((both.acceleration_unchecked - a).amax() <= 1e-11 * a.amax());
        assert!((both.tip - system.tip(q)).amax() < 1e-14);
    }
}

#[test]
fn constraints_hold_to_rounding() {
    let system = Held::default();
    for offset in [0.0, 0.4, 1.0, 2.0] {
        let [q, v] = state(offset);
        let motion = system.solve(&q, &v).unwrap();
        let (a, lambda) = (motion.acceleration, motion.multipliers);
        let (mass, forcing) = (system.mass_matrix(&q), system.forcing(&q, &v));
        let jacobian = system.constraint_jacobian(&q);
        assert!(left(&mass, &a, &forcing, &jacobian, &lambda) < 1e-13);
        let gamma = system.constraint_gamma(&q, &v);
        let sizes = jacobian.abs() * a.abs() + gamma.abs();
        assert!((jacobian * a - gamma).amax() <= 1e-14 * sizes.amax());
        let unchecked = system.acceleration_unchecked(&q, &v);
        let both = system.both(&q, &v);
        for other in [unchecked, both.acceleration_unchecked] {
            assert!((other - a).amax() <= 1e-11 * a.amax());
        }
    }
}

/// Two links in line, and next to nothing between them, are all but singular: pivots that tell nothing leave it to
/// the mass matrix.
#[test]
fn what_is_nearly_singular_is_solved_with_care() {
    let [mut q, v] = state(0.3);
    q[5] = 0.7;
    q[6] = 0.7;
    let mut system = Chain::default();
    for light in [1e-6, 1e-9, 1e-11] {
        system.m[5] = light;
        let a = system.acceleration(&q, &v, &PUSH).unwrap();
        assert!(chain_left(&system, &[q, v], &a) < 1e-14, "{light}");
        let unchecked = system.acceleration_unchecked(&q, &v, &PUSH);
        assert!(chain_left(&system, &[q, v], &unchecked) < 1e-9, "{light}");
    }
    system.m[5] = 0.0;
    let outcome = system.acceleration(&q, &v, &PUSH);
    assert_eq!(outcome, Err(Error::SingularMassMatrix));
    // Out of line the others' masses tell how the two links move.
    q[6] = 1.7;
    let a = system.acceleration(&q, &v, &PUSH).unwrap();
    assert!(chain_left(&system, &[q, v], &a) < 1e-14);
    q[0] = f64::NAN;
    assert_eq!(
        system.acceleration(&q, &v, &PUSH),
        Err(Error::NotFinite { argument: "q" })
    );
    q[0] = 0.1;
    system.l[11] = 0.0;
    let outcome = system.acceleration(&q, &v, &PUSH);
    assert_eq!(outcome, Err(Error::SingularMassMatrix));
}

/// Powers of two are exact: no unit of mass changes a bit, however small the masses are in it. Squares of masses would
/// underflow in most of these.
#[test]
fn units_of_mass_do_not_matter() {
    let [q, v] = state(0.8);
    let (chain, held) = (Chain::default(), Held::default());
    let a = chain.acceleration(&q, &v, &PUSH).unwrap();
    let motion = held.solve(&q, &v).unwrap();
    for exponent in (-900..=900).step_by(50) {
        // In two steps, each of which is a normal number.
        let scale = |x: f64| x * 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2);
        let mut scaled = chain.clone();
        scaled.m = chain.m.map(scale);
        let push = PUSH.map(scale);
        assert_eq!(
            scaled.acceleration_unchecked(&q, &v, &push),
            a,
            "{exponent}"
        );
        assert_eq!(scaled.acceleration(&q, &v, &push).unwrap(), a, "{exponent}");
        let mut scaled = held.clone();
        scaled.m = held.m.map(scale);
        assert_eq!(
            scaled.acceleration_unchecked(&q, &v),
            motion.acceleration,
            "{exponent}"
        );
    }
}

/// With all links in line and at rest no acceleration keeps the last mass on its line, or all do.
#[test]
fn dependent_constraints_are_told() {
    let mut system = Held::default();
    let (q, v) = (Vector::zeros(), Vector::zeros());
    let outcome = system.solve(&q, &v).map(|motion| motion.multipliers);
    assert_eq!(outcome, Err(Error::DependentConstraints { row: 0 }));
    system.m[11] = 0.0;
    let [q, v] = state(0.2);
    let motion = system.solve(&q, &v);
    assert!(motion.is_ok() || motion.err() == Some(Error::SingularMassMatrix));
}

#[test]
fn lanes_and_dual_numbers() {
    let offsets = [0.0, 0.3, -1.0, 2.0];
    let system = Chain::default();
    let wide = Chain::<WideF64x4> {
        m: system.m.map(WideF64x4::splat),
        l: system.l.map(WideF64x4::splat),
        g: WideF64x4::splat(9.81),
    };
    let lanes = |part: usize| {
        SVector::<WideF64x4, 12>::from_fn(|i, _| {
            WideF64x4::from(offsets.map(|offset| state(offset)[part][i]))
        })
    };
    let push = PUSH.map(WideF64x4::splat);
    let a = wide.acceleration_unchecked(&lanes(0), &lanes(1), &push);
    for (lane, offset) in offsets.into_iter().enumerate() {
        let [q, v] = state(offset);
        let single = system.acceleration(&q, &v, &PUSH).unwrap();
        let found = a.map(|entry| entry.extract(lane));
        assert!((found - single).amax() <= 1e-11 * single.amax());
    }
    let dual = Chain::<Dual64> {
        m: system.m.map(Dual64::from),
        l: system.l.map(Dual64::from),
        g: 9.81.into(),
    };
    let [q, v] = state(0.5);
    let mut moved = q.map(Dual64::from);
    moved[3].eps = 1.0;
    let a = dual.acceleration(&moved, &v.map(Dual64::from), &PUSH.map(Dual64::from));
    let by_q3 = a.unwrap().map(|entry| entry.eps);
    let linearization = system.linearize(&q, &v, &PUSH).unwrap();
    let expected = linearization.a.fixed_view::<12, 1>(12, 3);
    assert!((by_q3 - expected).amax() <= 1e-9 * expected.amax());
}
