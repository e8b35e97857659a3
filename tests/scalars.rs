//! One declaration, many scalars: f32, f64, SIMD lanes and dual numbers.

#[path = "shared/chain.rs"]
mod chain;
#[path = "shared/long_chain.rs"]
mod long_chain;

use lagrangian::nalgebra::{RealField, SMatrix, SVector, SimdRealField, convert, vector};
use lagrangian::{Error, lagrangian};
use long_chain::LongChain;
use num_dual::Dual64;
use simba::simd::{SimdValue, WideF64x4};

lagrangian! {
    /// A cart with a pendulum, on a spring that stiffens, with dry and quadratic friction.
    #[derive(Clone, Debug)]
    struct Cart {
        x, theta: coordinate,
        m, l, k: parameter,
        u: input,
    }

    pub let bob = [x + l * sin(theta), -l * cos(theta)];
    let speed = der(x);

    T = m * der(x)^2 + m * der(bob)^2 / 2;
    V = m * 9.81 * bob.y + k * x^2 / 2 + if x > 0 { x^4 } else { 0 };
    Q.x = u - 0.1 * tanh(3 * speed) - 0.3 * speed * abs(speed);
}

/// The same cart in any scalar.
fn cart<S: SimdRealField + Copy>(m: S) -> Cart<S> {
    Cart {
        m,
        l: convert(0.5),
        k: convert(4.0),
    }
}

/// The deviation of `actual` from `expected`, relative to the largest entry.
fn deviation<const R: usize, const C: usize>(
    actual: &SMatrix<f64, R, C>,
    expected: &SMatrix<f64, R, C>,
) -> f64 {
    (actual - expected).amax() / expected.amax().max(1e-3)
}

/// States where both branches of the potential and both signs of the speed occur.
const STATES: [[f64; 5]; 4] = [
    [0.3, 0.5, 0.2, -0.4, 1.0],
    [-0.2, 2.5, -0.7, 1.4, -2.0],
    [0.8, -1.5, 0.01, 0.0, 0.0],
    [-1.3, 0.1, -0.01, 3.0, 0.5],
];

/// Coordinates, velocities and inputs of a state.
fn parts(state: [f64; 5]) -> (SVector<f64, 2>, SVector<f64, 2>, SVector<f64, 1>) {
    let [x, theta, vx, vtheta, u] = state;
    (vector![x, theta], vector![vx, vtheta], vector![u])
}

#[test]
fn single_precision_agrees_with_double() {
    for state in STATES {
        let (q, v, u) = parts(state);
        let exact = cart(1.5_f64);
        let rough = cart(1.5_f32);
        let (q32, v32, u32) = (q.cast::<f32>(), v.cast::<f32>(), u.cast::<f32>());
        let a = rough.acceleration(&q32, &v32, &u32).unwrap();
        let expected = exact.acceleration(&q, &v, &u).unwrap();
        assert!(deviation(&a.cast(), &expected) < 1e-5, "{a} for {expected}");
        let mass_matrix = rough.mass_matrix(&q32).cast();
        assert!(deviation(&mass_matrix, &exact.mass_matrix(&q)) < 1e-6);
        let energy = f64::from(rough.energy(&q32, &v32));
        assert!((energy - exact.energy(&q, &v)).abs() < 1e-5 * energy.abs().max(1.0));
        let mut dy = [0.0_f32; 4];
        let y = [q32[0], q32[1], v32[0], v32[1]];
        rough.rhs(0.0, &y, &[u32[0]], &mut dy).unwrap();
        assert_eq!(dy, [v32[0], v32[1], a[0], a[1]]);
    }
}

#[test]
fn single_precision_reports_errors() {
    let (q, v, u) = (vector![0.0_f32, 0.0], vector![0.0, 0.0], vector![0.0]);
    let massless = cart(0.0_f32).acceleration(&q, &v, &u);
    assert_eq!(massless, Err(Error::SingularMassMatrix));
    // Finite in double precision only.
    let fast = vector![0.0, 1e30];
    let outcome = cart(1.0).acceleration(&vector![0.0, 1.0], &fast, &u);
    assert_eq!(outcome, Err(Error::NotFinite { argument: "result" }));
}

/// Four vectors as one vector of lanes.
fn lanes<const N: usize>(of: [SVector<f64, N>; 4]) -> SVector<WideF64x4, N> {
    SVector::from_fn(|row, _| WideF64x4::from(of.map(|vector| vector[row])))
}

/// One lane of a matrix.
fn lane<const R: usize, const C: usize>(
    of: &SMatrix<WideF64x4, R, C>,
    lane: usize,
) -> SMatrix<f64, R, C> {
    of.map(|entry| entry.extract(lane))
}

#[test]
fn each_lane_is_a_run_of_its_own() {
    let states = STATES.map(parts);
    let masses = [0.5, 1.0, 2.0, 4.0];
    let system = Cart {
        m: WideF64x4::from(masses),
        l: WideF64x4::splat(0.5),
        k: WideF64x4::splat(4.0),
    };
    let q = lanes(states.map(|(q, ..)| q));
    let v = lanes(states.map(|(_, v, _)| v));
    let u = lanes(states.map(|(.., u)| u));
    let y = lanes(states.map(|(q, v, _)| vector![q[0], q[1], v[0], v[1]]));

    let a = system.acceleration_unchecked(&q, &v, &u);
    let dy = system.state_derivative_unchecked(&y, &u);
    let mass_matrix = system.mass_matrix(&q);
    let forcing = system.forcing(&q, &v, &u);
    let energy = system.energy(&q, &v);
    let bob = system.bob(&q);
    for (index, (q, v, u)) in states.iter().enumerate() {
        let single = cart(masses[index]);
        let expected = single.acceleration(q, v, u).unwrap();
        assert!(deviation(&lane(&a, index), &expected) < 1e-12);
        let expected = vector![v[0], v[1], expected[0], expected[1]];
        assert!(deviation(&lane(&dy, index), &expected) < 1e-12);
        assert!(deviation(&lane(&mass_matrix, index), &single.mass_matrix(q)) < 1e-13);
        assert!(deviation(&lane(&forcing, index), &single.forcing(q, v, u)) < 1e-13);
        let expected = single.energy(q, v);
        assert!((energy.extract(index) - expected).abs() < 1e-13 * expected.abs().max(1.0));
        assert!(deviation(&lane(&bob, index), &single.bob(q)) < 1e-14);
    }
}

#[test]
fn a_singular_lane_leaves_the_others_alone() {
    let system = Cart {
        m: WideF64x4::from([1.0, 0.0, 2.0, f64::NAN]),
        l: WideF64x4::splat(0.5),
        k: WideF64x4::splat(4.0),
    };
    let (q, v, u) = parts(STATES[0]);
    let (wide_q, wide_v, wide_u) = (lanes([q; 4]), lanes([v; 4]), lanes([u; 4]));
    let a = system.acceleration_unchecked(&wide_q, &wide_v, &wide_u);
    for (index, mass) in [(0, 1.0), (2, 2.0)] {
        let expected = cart(mass).acceleration(&q, &v, &u).unwrap();
        assert!(deviation(&lane(&a, index), &expected) < 1e-12);
    }
    for index in [1, 3] {
        assert!(!lane(&a, index).iter().all(|entry| entry.is_finite()));
    }
}

#[test]
fn lanes_of_a_system_with_many_coordinates() {
    let offsets = [0.0, 0.3, -1.0, 2.0];
    let q = |offset: f64| SVector::from_fn(|row, _| offset + (row as f64).sin());
    let v = SVector::from_fn(|row, _| 0.1 * row as f64 - 0.5);
    let one = WideF64x4::splat(1.0);
    let wide = LongChain::<WideF64x4> {
        m3: one + one,
        l7: WideF64x4::splat(0.5),
        ..LongChain::default()
    };
    let single = LongChain {
        m3: 2.0,
        l7: 0.5,
        ..LongChain::default()
    };
    let a = wide.acceleration_unchecked(&lanes(offsets.map(q)), &lanes([v; 4]));
    for (index, offset) in offsets.into_iter().enumerate() {
        let expected = single.acceleration(&q(offset), &v).unwrap();
        assert!(deviation(&lane(&a, index), &expected) < 1e-11);
        let unchecked = single.acceleration_unchecked(&q(offset), &v);
        assert!(deviation(&unchecked, &expected) < 1e-11);
    }
}

/// Kinetic energy that the cart gains at the start, per time: a function for any scalar that calls
/// generated methods.
fn power<S: RealField + Copy>(
    system: &Cart<S>,
    q: &SVector<S, 2>,
    v: &SVector<S, 2>,
    u: &SVector<S, 1>,
) -> Result<S, Error> {
    let motion = system.solve(q, v, u)?;
    Ok(system.momenta(q, v).dot(&motion.acceleration) + system.potential_gradient(q).dot(v))
}

/// Derivative of `f` at `x` by the five-point rule.
fn slope<const N: usize>(f: impl Fn(f64) -> SVector<f64, N>, x: f64) -> SVector<f64, N> {
    let h = 1.0 / 1024.0;
    ((f(x + h) - f(x - h)) * 8.0 - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h)
}

#[test]
fn dual_numbers_differentiate_by_a_parameter() {
    for state in STATES {
        let (q, v, u) = parts(state);
        let m = Dual64::from_re(1.5).derivative();
        let (dual_q, dual_v, dual_u) = (
            q.map(Dual64::from_re),
            v.map(Dual64::from_re),
            u.map(Dual64::from_re),
        );
        let system = cart(m);
        let a = system.acceleration(&dual_q, &dual_v, &dual_u).unwrap();
        let by_m = slope(|m| cart(m).acceleration(&q, &v, &u).unwrap(), 1.5);
        // Not to the bit: sine and cosine of floats may be other ones.
        let expected = cart(1.5).acceleration(&q, &v, &u).unwrap();
        assert!(deviation(&a.map(|entry| entry.re), &expected) < 1e-14);
        assert!(deviation(&a.map(|entry| entry.eps), &by_m) < 1e-8);
        let unchecked = system.acceleration_unchecked(&dual_q, &dual_v, &dual_u);
        assert!(deviation(&unchecked.map(|entry| entry.eps), &by_m) < 1e-8);

        let rate = power(&system, &dual_q, &dual_v, &dual_u).unwrap();
        let expected = slope(|m| vector![power(&cart(m), &q, &v, &u).unwrap()], 1.5);
        assert!(deviation(&vector![rate.eps], &expected) < 1e-8);
    }
}

#[test]
fn dual_numbers_differentiate_by_coordinates_velocities_and_inputs() {
    for state in STATES {
        for index in 0..5 {
            let mut dual = state.map(Dual64::from_re);
            dual[index] = dual[index].derivative();
            let (q, v) = (vector![dual[0], dual[1]], vector![dual[2], dual[3]]);
            let system = cart(Dual64::from_re(1.5));
            let a = system.acceleration(&q, &v, &vector![dual[4]]).unwrap();
            let at = |x| {
                let mut state = state;
                state[index] = x;
                let (q, v, u) = parts(state);
                cart(1.5).acceleration(&q, &v, &u).unwrap()
            };
            let difference = deviation(&a.map(|entry| entry.eps), &slope(at, state[index]));
            assert!(difference < 1e-8, "{state:?} {index} {difference:e}");
        }
    }
}

#[test]
fn dual_numbers_see_the_energy_s_gradient() {
    let (q, v, _) = parts(STATES[0]);
    let system = cart(Dual64::from_re(1.5));
    for index in 0..2 {
        let mut dual_v = v.map(Dual64::from_re);
        dual_v[index] = dual_v[index].derivative();
        let energy = system.kinetic_energy(&q.map(Dual64::from_re), &dual_v);
        let momentum = cart(1.5).momenta(&q, &v)[index];
        assert!((energy.eps - momentum).abs() < 1e-14);
    }
}

lagrangian! {
    /// M = [0 1; 1 0] in every lane.
    struct Exchanged {
        x, y: coordinate,
        k: parameter,
        f: input,
    }

    T = der(x) * der(y);
    Q.x = f;
    V = k * x^2 / 2;
}

/// x'' = 0, y'' = f - k x, in lanes by their own numbers.
#[test]
fn lanes_of_a_mass_matrix_without_a_diagonal() {
    let k = [1.0, -2.0, 0.0, 1e12];
    let x = [0.5, 2.0, -3.0, 1e-6];
    let f = [2.0, -1.0, 0.0, 4.0];
    let system = Exchanged {
        k: WideF64x4::from(k),
    };
    let q = lanes(x.map(|x| vector![x, 0.3]));
    let v = lanes([vector![0.1, 0.2]; 4]);
    let a = system.acceleration_unchecked(&q, &v, &lanes(f.map(|f| vector![f])));
    for lane in 0..4 {
        let expected = f[lane] - k[lane] * x[lane];
        assert!(a[0].extract(lane).abs() <= 1e-15 * expected.abs(), "{lane}");
        let error = (a[1].extract(lane) - expected).abs();
        assert!(error <= 1e-15 * expected.abs(), "{lane}");
    }
}

lagrangian! {
    /// Parameters of every shape, and one whose name is Rust's.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Shapes {
        x: coordinate,
        m, r#type: parameter,
        c: parameter[3],
        W: parameter[2, 2],
    }
    T = (m + W[0, 1]) * der(x)^2 / 2;
    V = (r#type + c[0] * x + c[1] * x^2 + c[2] * x^3) * W[1, 0];
}

lagrangian! {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct S {
        x: coordinate,
    }
    T = der(x)^2 / 2;
}

/// Each parameter is the nearest number of the other scalar.
#[test]
fn systems_are_cast_to_other_scalars() {
    let system = Shapes {
        m: 0.1,
        r#type: 1.0 / 3.0,
        c: [1.0, -0.7, 2.5e-3],
        W: [[0.2, 0.3], [1e10, -4.0]],
    };
    let single = system.cast::<f32>();
    let expected = Shapes {
        m: 0.1_f32,
        r#type: 1.0 / 3.0,
        c: [1.0, -0.7, 2.5e-3],
        W: [[0.2, 0.3], [1e10, -4.0]],
    };
    assert_eq!(single, expected);
    assert_eq!(system.cast::<f64>(), system);
    assert_eq!(single.cast::<f64>().m, f64::from(0.1_f32));
    let lanes: Shapes<WideF64x4> = system.cast();
    assert_eq!(lanes.c[1].extract(3), -0.7);
    let dual: Shapes<Dual64> = system.cast();
    assert_eq!((dual.W[1][1].re, dual.W[1][1].eps), (-4.0, 0.0));
    assert_eq!(S::<f32>::new().cast::<f64>(), S::default());
    // The parameters decide f64 where nothing names a scalar.
    let q = vector![0.5];
    let (double, single) = (
        system.acceleration(&q, &q),
        single.acceleration(&q.cast(), &q.cast()),
    );
    let difference = double.unwrap()[0] - f64::from(single.unwrap()[0]);
    assert!(difference.abs() < 1e-5 * double.unwrap()[0].abs());
}
