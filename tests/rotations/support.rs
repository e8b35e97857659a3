//! Numbers at random, comparisons, and a stepper on the manifold.

use lagrangian::System;
use lagrangian::nalgebra::{Matrix3, SMatrix, SVector, Vector3, Vector4};

/// A generator of numbers in -1..1 (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector<const N: usize>(&mut self) -> SVector<f64, N> {
        SVector::from_fn(|_, _| self.number())
    }

    /// A unit quaternion x, y, z, w.
    pub(crate) fn quaternion(&mut self) -> Vector4<f64> {
        loop {
            let four: Vector4<f64> = self.vector();
            if four.norm() > 0.1 {
                return four.normalize();
            }
        }
    }
}

/// Asserts that two matrices agree, relative to the largest entry of the second or 1.
#[track_caller]
pub(crate) fn assert_close<const R: usize, const C: usize>(
    what: &str,
    actual: &SMatrix<f64, R, C>,
    expected: &SMatrix<f64, R, C>,
    tolerance: f64,
) {
    let error = (actual - expected).amax() / expected.amax().max(1.0);
    assert!(
        error <= tolerance,
        "{what} is off by {error:e}:\n{actual}for\n{expected}"
    );
}

/// The rotation matrix of a quaternion x, y, z, w, by the textbook.
pub(crate) fn matrix(quaternion: &Vector4<f64>) -> Matrix3<f64> {
    let (r, w) = (quaternion.xyz(), quaternion.w);
    let skew = r.cross_matrix();
    Matrix3::identity() + 2.0 * w * skew + 2.0 * skew * skew
}

/// Angular momentum in the world's axes of a body of inertia diag(i) that turns at w in its own.
pub(crate) fn spin(quaternion: &Vector4<f64>, i: &[f64; 3], w: &Vector3<f64>) -> Vector3<f64> {
    matrix(quaternion) * Vector3::from(*i).component_mul(w)
}

/// A step of the classical Runge-Kutta method on the manifold: displacements by `integrate`.
///
/// The stages' rates are those of a displacement d from the start, of which `v` is the first-order part:
/// `d' = v + 1/2 d x v + 1/12 d x (d x v)` on a rotation (Munthe-Kaas, "Runge-Kutta methods on Lie
/// groups", *BIT* 38, 1998). `rotations` are the first velocities of each.
pub(crate) fn step<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    rotations: &[usize],
    (q, v): &(SVector<f64, NQ>, SVector<f64, N>),
    u: &SVector<f64, K>,
    h: f64,
) -> (SVector<f64, NQ>, SVector<f64, N>)
where
    M: System<f64, NQ, N, K, C>,
{
    let rates = |d: &SVector<f64, N>, v: &SVector<f64, N>| {
        let a = system.acceleration(0.0, &system.integrate(q, d), v, u);
        (
            displacement_rate(rotations, d, v),
            a.expect("a regular system"),
        )
    };
    let zero = SVector::zeros();
    let (d1, a1) = rates(&zero, v);
    let (d2, a2) = rates(&(d1 * (h / 2.0)), &(v + a1 * (h / 2.0)));
    let (d3, a3) = rates(&(d2 * (h / 2.0)), &(v + a2 * (h / 2.0)));
    let (d4, a4) = rates(&(d3 * h), &(v + a3 * h));
    let d = (d1 + d2 * 2.0 + d3 * 2.0 + d4) * (h / 6.0);
    let v = v + (a1 + a2 * 2.0 + a3 * 2.0 + a4) * (h / 6.0);
    (system.integrate(q, &d), v)
}

fn displacement_rate<const N: usize>(
    rotations: &[usize],
    d: &SVector<f64, N>,
    v: &SVector<f64, N>,
) -> SVector<f64, N> {
    let mut rate = *v;
    for first in rotations {
        let [d, w] = [d, v].map(|x| x.fixed_rows::<3>(*first).into_owned());
        let turned = d.cross(&w);
        let moved = w + turned / 2.0 + d.cross(&turned) / 12.0;
        rate.fixed_rows_mut::<3>(*first).copy_from(&moved);
    }
    rate
}
