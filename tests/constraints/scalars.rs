//! Constrained systems of single precision, of SIMD lanes and of dual numbers.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, vector};
use num_dual::Dual64;
use simba::simd::{SimdValue, WideF64x4};

lagrangian! {
    /// A bead on a parabola, with a weight on a cord.
    pub struct Bead {
        x, y, z: coordinate,
        m, k: parameter,
        u: input,
    }
    T = m * (der(x)^2 + der(y)^2) / 2 + der(z)^2;
    V = 9.81 * (m * y + 2 * z);
    Q.x = u;
    holonomic guide: y = k * x^2 / 2;
    holonomic cord: sqrt(x^2 + (1 - y)^2) - z = 1;
}

type State = (SVector<f64, 3>, SVector<f64, 3>, SVector<f64, 1>);

/// States near the constraints.
fn states() -> [State; 4] {
    let bead = BEAD;
    [0.2, -0.4, 0.7, 1.1].map(|x: f64| {
        let (q, v) = (vector![x, x * x, 0.1], vector![1.0 - x, 0.3, 0.0]);
        let (q, v) = bead.project(&q, &v).unwrap();
        (q, v, vector![3.0 * x])
    })
}

const BEAD: Bead = Bead { m: 1.5, k: 2.0 };

#[test]
fn single_precision_agrees_with_double() {
    let rough = Bead { m: 1.5_f32, k: 2.0 };
    for (q, v, u) in states() {
        let expected = BEAD.solve(&q, &v, &u).unwrap();
        let motion = rough.solve(&q.cast(), &v.cast(), &u.cast()).unwrap();
        let scale = 1.0 + expected.acceleration.amax() + expected.multipliers.amax();
        let a: SVector<f64, 3> = motion.acceleration.cast();
        let lambda: SVector<f64, 2> = motion.multipliers.cast();
        assert!((a - expected.acceleration).amax() < 1e-4 * scale);
        assert!((lambda - expected.multipliers).amax() < 1e-4 * scale);
        let (q32, v32) = rough.project(&q.cast(), &v.cast()).unwrap();
        assert!(rough.constraint_residual(&q32).amax() < 1e-6);
        assert!(rough.constraint_velocity(&q32, &v32).amax() < 1e-5);
    }
}

/// Four vectors as one vector of lanes.
fn lanes<const N: usize>(of: [SVector<f64, N>; 4]) -> SVector<WideF64x4, N> {
    SVector::from_fn(|row, _| WideF64x4::from(of.map(|vector| vector[row])))
}

#[test]
fn lanes_agree_with_single_calls() {
    let wide = Bead {
        m: WideF64x4::splat(1.5),
        k: WideF64x4::splat(2.0),
    };
    let all = states();
    let (q, v, u) = (
        lanes(all.map(|s| s.0)),
        lanes(all.map(|s| s.1)),
        lanes(all.map(|s| s.2)),
    );
    let a = wide.acceleration_unchecked(&q, &v, &u);
    let jacobian = wide.constraint_jacobian(&q);
    let gamma = wide.constraint_gamma(&q, &v);
    let full = wide.mass_matrix_full(&q);
    for (index, (q, v, u)) in all.iter().enumerate() {
        let expected = BEAD.acceleration(q, v, u).unwrap();
        let a = a.map(|entry| entry.extract(index));
        assert!((a - expected).amax() <= 1e-13 * expected.amax());
        let jacobian = jacobian.map(|entry| entry.extract(index));
        assert!((jacobian - BEAD.constraint_jacobian(q)).amax() < 1e-14);
        let gamma = gamma.map(|entry| entry.extract(index));
        assert!((gamma - BEAD.constraint_gamma(q, v)).amax() < 1e-13);
        let full = full.map(|entry| entry.extract(index));
        assert!((full - BEAD.mass_matrix_full(q)).amax() < 1e-14);
    }
}

#[test]
fn dual_numbers_carry_the_derivative_by_a_force() {
    let dual = Bead {
        m: Dual64::from_re(1.5),
        k: Dual64::from_re(2.0),
    };
    for (q, v, u) in states() {
        let input = u.map(|force| Dual64::from_re(force).derivative());
        let motion = dual.solve(&q.map(Dual64::from_re), &v.map(Dual64::from_re), &input);
        let motion = motion.unwrap();
        // The equations are linear in the force.
        let [with, without] =
            [1.0, 0.0].map(|more| BEAD.solve(&q, &v, &u.add_scalar(more)).unwrap());
        let a = motion.acceleration.map(|entry| entry.eps);
        let lambda = motion.multipliers.map(|entry| entry.eps);
        assert!((a - (with.acceleration - without.acceleration)).amax() < 1e-12);
        assert!((lambda - (with.multipliers - without.multipliers)).amax() < 1e-12);
    }
}
