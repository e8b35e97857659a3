//! Light coordinates that carry forces: generated `solve` with masses that differ by any factor.

use lagrangian::nalgebra::{RealField, SMatrix, SVector, vector};
use lagrangian::{Motion, lagrangian};

use super::constrained_extremes::Random;
use super::judge::{Equations, errors};
use super::mechanisms::{self, FourBar, Gear, Planes, Rods};

lagrangian! {
    /// Crank, rod and slider as free bodies: places and angles.
    struct FreeBodies {
        x, y, angle: coordinate[3],
        m, i: parameter[3],
        r, l: parameter,
        f: input,
    }

    T = sum(k in 0..3, m[k] * (der(x[k])^2 + der(y[k])^2) / 2 + i[k] * der(angle[k])^2 / 2);
    Q.x = [0, 0, f];
    let crank = r / 2 * [cos(angle[0]), sin(angle[0])];
    let rod = l / 2 * [cos(angle[1]), sin(angle[1])];
    holonomic ground: [x[0], y[0]] = crank;
    holonomic pin: [x[0], y[0]] + crank = [x[1], y[1]] - rod;
    holonomic wrist: [x[1], y[1]] + rod = [x[2], y[2]];
    holonomic guide: y[2] = 0;
    holonomic upright: angle[2] = 0;
}

/// The relative errors of a and of λ are within the promise.
fn check<const N: usize, const C: usize>(
    mass: &SMatrix<f64, N, N>,
    jacobian: &SMatrix<f64, C, N>,
    forcing: &SVector<f64, N>,
    gamma: &SVector<f64, C>,
    motion: &Motion<f64, N, C>,
) {
    let equations = mechanisms::Equations {
        m: mass.transpose().data.0,
        j: std::array::from_fn(|k| std::array::from_fn(|i| jacobian[(k, i)])),
        f: forcing.data.0[0],
        gamma: gamma.data.0[0],
    };
    check_equations(&equations, motion);
}

fn check_equations<const N: usize, const C: usize>(
    given: &mechanisms::Equations<N, C>,
    motion: &Motion<f64, N, C>,
) {
    let equations = Equations {
        m: &given.m,
        j: &given.j,
        f: &given.f,
        gamma: &given.gamma,
    };
    let found = (motion.acceleration.data.0[0], motion.multipliers.data.0[0]);
    let errors = errors(&equations, &found).expect("regular");
    let is_kept = errors.iter().all(|error| *error <= 100.0);
    assert!(is_kept, "{errors:?} {equations:?} {motion:?}");
}

/// `a = f / (m1 + m2)` within 64 eps: the row holds to 32 eps of its two terms, which weigh the same.
fn check_gear<S: RealField + Copy>(light: f64, number: fn(f64) -> S, value: fn(S) -> f64) {
    let system = Gear {
        m1: number(1.0),
        m2: number(light),
    };
    let (q, v) = (
        vector![number(0.3), number(0.3)],
        vector![number(0.5), number(0.5)],
    );
    let expected = 3.0 / (1.0 + value(number(light)));
    let motion = system.solve(&q, &v, &vector![number(3.0)]).unwrap();
    let alone = system.acceleration(&q, &v, &vector![number(3.0)]).unwrap();
    let unit = 64.0 * value(S::default_epsilon()) * expected;
    for a in motion.acceleration.iter().chain(&alone) {
        assert!((value(*a) - expected).abs() <= unit, "{light:e}: {a}");
    }
    // The force on x: m1 a = -λ.
    let lambda = value(motion.multipliers[0]);
    assert!((lambda + expected).abs() <= unit, "{light:e}: {lambda}");
}

#[test]
fn a_gear_of_any_mass() {
    let named = [1.0, 1e-12, 1e-16, 1e-25, 1e-200, 0.0];
    let powers = (0..=320).map(|power| 10_f64.powi(-power));
    for light in named.into_iter().chain(powers) {
        check_gear::<f64>(light, |x| x, |x| x);
        if light >= 1e-30 || light == 0.0 {
            check_gear::<f32>(light, |x| x as f32, f64::from);
        }
    }
    for (m1, m2) in [
        (0.0_f64, 1.0_f64),
        (1e-25, 1.0),
        (1e-200, 1e-200),
        (1e200, 1.0),
    ] {
        let (q, v) = (vector![0.3, 0.3], vector![0.5, 0.5]);
        let a = Gear { m1, m2 }.acceleration(&q, &v, &vector![3.0]).unwrap();
        let expected = 3.0 / (m1 + m2);
        assert!((a[0] - expected).abs() <= 1e-15 * expected.abs());
        assert!((a[1] - expected).abs() <= 1e-15 * expected.abs());
    }
}

/// 1000 N on a slider of next to no mass.
#[test]
fn a_light_slider() {
    let state = |phi: f64| {
        let (r, l) = (0.3_f64, 1.0_f64);
        let psi = -(r / l * phi.sin()).asin();
        let (c, s) = (r / 2.0 * phi.cos(), r / 2.0 * phi.sin());
        let (d, e) = (l / 2.0 * psi.cos(), l / 2.0 * psi.sin());
        let x = [c, 2.0 * c + d, 2.0 * (c + d)];
        vector![x[0], x[1], x[2], s, 2.0 * s + e, 0.0, phi, psi, 0.0]
    };
    for light in [1.0, 1e-6, 1e-12, 1e-20, 1e-100, 0.0] {
        let system = FreeBodies {
            m: [1.0, 0.5, light],
            i: [0.01, 0.04, 1e-3 * light],
            r: 0.3,
            l: 1.0,
        };
        for phi in [-2.5, -1.0, 0.3, 1.2, 2.0, 3.0] {
            let (q, v) = (state(phi), SVector::zeros());
            let u = vector![1000.0];
            let motion = system.solve(&q, &v, &u).unwrap();
            check(
                &system.mass_matrix(&q),
                &system.constraint_jacobian(&q),
                &system.forcing(&q, &v, &u),
                &system.constraint_gamma(&q, &v),
                &motion,
            );
        }
    }
}

#[test]
fn nearly_parallel_planes() {
    for powers in 0..19_usize.pow(2) {
        let power = |index: usize| 10_f64.powi(index as i32 - 9);
        let m = [power(powers / 19), 1.0, power(powers % 19)];
        for angle in [1e-3, 1e-6, 1e-9] {
            let b = [0.6 + angle, 0.7 - 0.3 * angle, -0.4 + 0.1 * angle];
            let system = Planes {
                m,
                a: [0.6, 0.7, -0.4],
                b,
            };
            let (q, v) = (vector![0.1, 0.2, 0.3], vector![0.3, -0.2, 0.1]);
            let u = vector![0.3, -1000.0, 0.7];
            let motion = system.solve(&q, &v, &u).unwrap();
            check(
                &system.mass_matrix(&q),
                &system.constraint_jacobian(&q),
                &system.forcing(&q, &v, &u),
                &system.constraint_gamma(&q, &v),
                &motion,
            );
        }
    }
}

/// A state that the constraints need not hold at, with masses over so many decades to either side.
fn draw<const N: usize, const M: usize>(
    random: &mut Random,
    decades: i32,
) -> (SVector<f64, N>, SVector<f64, N>, [f64; M]) {
    let q = SVector::from_fn(|_, _| 3.0 * random.number());
    let v = SVector::from_fn(|_, _| 2.0 * random.number());
    let mass = |random: &mut Random| 10_f64.powf(f64::from(decades) * random.number());
    (q, v, std::array::from_fn(|_| mass(random)))
}

/// States that an unrolled factorisation solves at once, and others.
#[test]
fn linkages_of_all_masses() {
    let random = &mut Random(5);
    for decades in [0, 1, 3, 9, 150] {
        for _ in 0..200 {
            let (q, v, m) = draw(random, decades);
            let (l, base, g) = ([0.4, 1.2, 0.9], 1.0, 9.81);
            let system = FourBar { m, l, base, g };
            let motion = system.solve(&q, &v).unwrap();
            check_equations(&system.equations(&q, &v), &motion);
        }
        for _ in 0..50 {
            let (q, v, m) = draw(random, decades);
            let (l, g) = (1.0, 9.81);
            let system = Rods { m, l, g };
            let motion = system.solve(&q, &v).unwrap();
            check_equations(&system.equations(&q, &v), &motion);
        }
    }
}
