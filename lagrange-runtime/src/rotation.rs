//! Orientations as unit quaternions, for generated code.
//!
//! A quaternion is an array in the order x, y, z, w, the order of nalgebra's storage. It maps a vector of the turned
//! axes to the axes before. Angular velocities and displacements are in the turned axes: a displacement d moves R to R
//! exp(d) (J. Sola, *Quaternion kinematics for the error-state Kalman filter*, 2017, sections 4.3 and 4.6.2). Every
//! function is right for floats, for SIMD lanes and for dual numbers, also at d = 0.

use nalgebra::SimdRealField;

use crate::Linearization;
use crate::math::{constant, sin_cos, sqrt};

/// Series are exact to rounding below this square of a number.
const SMALL: f64 = 1e-3;

/// The rate of a quaternion, `quat (w, 0) / 2`, at the angular velocity w in the turned axes.
///
/// ```
/// use lagrange_runtime::rotation::rate;
///
/// assert_eq!(rate(&[0.0, 0.0, 0.0, 1.0], &[2.0, 4.0, 6.0]), [1.0, 2.0, 3.0, 0.0]);
/// ```
#[inline]
pub fn rate<S: SimdRealField + Copy>(quaternion: &[S; 4], w: &[S; 3]) -> [S; 4] {
    let half = constant::<S>(0.5);
    product(
        quaternion,
        &[w[0] * half, w[1] * half, w[2] * half, S::zero()],
    )
}

/// The orientation R exp(d), of unit length.
///
/// ```
/// use core::f64::consts::FRAC_PI_2;
/// use lagrange_runtime::rotation::moved;
///
/// // A quarter of a turn about z.
/// let turned = moved(&[0.0, 0.0, 0.0, 1.0], &[0.0, 0.0, FRAC_PI_2]);
/// assert!((turned[2] - 0.5_f64.sqrt()).abs() < 1e-15 && (turned[3] - turned[2]).abs() < 1e-15);
/// ```
#[inline]
pub fn moved<S: SimdRealField + Copy>(quaternion: &[S; 4], d: &[S; 3]) -> [S; 4] {
    normalised(&product(quaternion, &exponential(d)))
}

/// The displacement d, at most π long, that moves one orientation to another: `to = from exp(d)`.
///
/// They need not have unit length. At half a turn, where d and -d are equivalent, it returns either.
///
/// ```
/// use lagrange_runtime::rotation::{difference, moved};
///
/// let start = [0.1_f64, -0.5, 0.5, 0.7];
/// let d = difference(&start, &moved(&start, &[0.3, -0.2, 0.9]));
/// let expected = [0.3_f64, -0.2, 0.9];
/// assert!(d.iter().zip(expected).all(|(d, expected)| (d - expected).abs() < 1e-15));
/// ```
#[inline]
pub fn difference<S: SimdRealField + Copy>(from: &[S; 4], to: &[S; 4]) -> [S; 3] {
    let back = [-from[0], -from[1], -from[2], from[3]];
    logarithm(&product(&back, to))
}

/// Transforms the displacement and the rates of one rotation to the axes before it, in a linearization whose first N rows
/// and columns are displacements, the next N changes of velocities, and the others of states: `D = R d` and `E = R w`. R is the matrix
/// of the quaternion, w0 the angular velocity in the turned axes, and `FIRST` the number of its first velocity.
///
/// As `dR/dt = R (w0 x)`, dD/dt = E, and dE/dt = R dw/dt + (R w0) x E.
///
/// ```
/// use lagrange_runtime::{Linearization, nalgebra::{SMatrix, vector}};
/// use lagrange_runtime::rotation::to_fixed_axes;
///
/// // A ball that spins about its x, which points along the world's z. Nothing acts on it.
/// let mut ball = Linearization { a: SMatrix::<f64, 6, 6>::identity(), b: SMatrix::<f64, 6, 0>::zeros() };
/// ball.a.fill(0.0);
/// ball.a.fixed_view_mut::<3, 3>(0, 3).fill_diagonal(1.0);
/// let half = 0.5_f64.sqrt();
/// to_fixed_axes::<f64, 3, 6, 0, 0>(&mut ball, &[0.0, -half, 0.0, half], &[3.0, 0.0, 0.0]);
/// // E turns about z with the axes in which w is 0.
/// let rate = ball.a * vector![0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
/// assert!((rate - vector![1.0, 0.0, 0.0, 0.0, 3.0, 0.0]).amax() < 1e-15);
/// ```
#[inline]
pub fn to_fixed_axes<
    S: SimdRealField + Copy,
    const N: usize,
    const M: usize,
    const K: usize,
    const FIRST: usize,
>(
    linearization: &mut Linearization<S, M, K>,
    quaternion: &[S; 4],
    w: &[S; 3],
) {
    let n = N;
    let turn = matrix(&normalised(quaternion));
    let (a, b) = (&mut linearization.a.data.0, &mut linearization.b.data.0);
    for column in a.iter_mut().chain(b) {
        let rates = [0, 1, 2].map(|i| column[n + FIRST + i]);
        for i in 0..3 {
            column[n + FIRST + i] = dot(&turn[i], &rates);
        }
    }
    for first in [FIRST, n + FIRST] {
        for row in n..M {
            let by = [0, 1, 2].map(|i| a[first + i][row]);
            for i in 0..3 {
                a[first + i][row] = dot(&turn[i], &by);
            }
        }
    }
    let spin = [0, 1, 2].map(|i| dot(&turn[i], w));
    for i in 0..3 {
        let (next, last) = ((i + 1) % 3, (i + 2) % 3);
        a[n + FIRST + next][n + FIRST + last] += spin[i];
        a[n + FIRST + last][n + FIRST + next] -= spin[i];
        for j in 0..3 {
            a[FIRST + i][FIRST + j] = S::zero();
        }
    }
}

/// The rotation matrix of a unit quaternion, by rows.
#[inline]
fn matrix<S: SimdRealField + Copy>(quaternion: &[S; 4]) -> [[S; 3]; 3] {
    let [x, y, z, w] = *quaternion;
    let twice = |a: S, b: S| (a + a) * b;
    let one = S::one();
    [
        [
            one - twice(y, y) - twice(z, z),
            twice(x, y) - twice(z, w),
            twice(x, z) + twice(y, w),
        ],
        [
            twice(x, y) + twice(z, w),
            one - twice(x, x) - twice(z, z),
            twice(y, z) - twice(x, w),
        ],
        [
            twice(x, z) - twice(y, w),
            twice(y, z) + twice(x, w),
            one - twice(x, x) - twice(y, y),
        ],
    ]
}

#[inline]
fn dot<S: SimdRealField + Copy>(a: &[S; 3], b: &[S; 3]) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The derivatives of a scalar by the displacement d from an orientation R, from those by a further
/// displacement of R exp(d): `g + (1 - cos |d|)/|d|² d x g + (|d| - sin |d|)/|d|³ d x (d x g)`, the transposed
/// right Jacobian of the exponential map (Sola 2017, section 4.6.3).
///
/// ```
/// use lagrange_runtime::rotation::gradient_at;
///
/// // Along the axis of d nothing changes.
/// assert_eq!(gradient_at(&[0.0, 0.0, 1.0], &[0.0, 0.0, 3.0]), [0.0, 0.0, 3.0]);
/// ```
#[inline]
pub fn gradient_at<S: SimdRealField + Copy>(d: &[S; 3], gradient: &[S; 3]) -> [S; 3] {
    let angle2 = square(d);
    let small = angle2.simd_lt(constant(SMALL));
    let of_cosine = series(
        angle2,
        &[
            0.5,
            -1.0 / 24.0,
            1.0 / 720.0,
            -1.0 / 40_320.0,
            1.0 / 3_628_800.0,
        ],
    );
    let of_sine = series(
        angle2,
        &[1.0 / 6.0, -1.0 / 120.0, 1.0 / 5040.0, -1.0 / 362_880.0],
    );
    let angle = sqrt(angle2);
    let (sin, cos) = sin_cos(angle);
    let first = of_cosine.select(small, (S::one() - cos) / angle2);
    let second = of_sine.select(small, (angle - sin) / (angle2 * angle));
    let once = cross(d, gradient);
    let twice = cross(d, &once);
    let mut moved = *gradient;
    for i in 0..3 {
        moved[i] = gradient[i] + first * once[i] + second * twice[i];
    }
    moved
}

/// The same orientation by a quaternion of unit length; not finite for the zero quaternion.
///
/// ```
/// use lagrange_runtime::rotation::normalised;
///
/// assert_eq!(normalised(&[0.0, 3.0, 0.0, 4.0]), [0.0, 0.6, 0.0, 0.8]);
/// ```
#[inline]
pub fn normalised<S: SimdRealField + Copy>(quaternion: &[S; 4]) -> [S; 4] {
    // The largest entry first, so that squares neither overflow nor underflow.
    let mut largest = S::zero();
    for x in quaternion {
        largest = largest.simd_max(x.simd_abs());
    }
    let scaled = divided(quaternion, largest);
    divided(&scaled, sqrt(square(&scaled)))
}

#[inline]
fn divided<S: SimdRealField + Copy>(x: &[S; 4], by: S) -> [S; 4] {
    [x[0] / by, x[1] / by, x[2] / by, x[3] / by]
}

/// The product of quaternions: the second rotation in the axes turned by the first.
///
/// ```
/// use lagrange_runtime::rotation::product;
///
/// // i j = k
/// assert_eq!(product(&[1.0, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0]), [0.0, 0.0, 1.0, 0.0]);
/// ```
#[inline]
pub fn product<S: SimdRealField + Copy>(a: &[S; 4], b: &[S; 4]) -> [S; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

/// The quaternion of a rotation by the vector d: `(sin(|d|/2) d/|d|, cos(|d|/2))`.
#[inline]
fn exponential<S: SimdRealField + Copy>(d: &[S; 3]) -> [S; 4] {
    let quarter = square(d) * constant(0.25);
    let small = quarter.simd_lt(constant(SMALL));
    // sin(x)/x and cos(x) as series in x^2, which have derivatives at 0.
    let sine = series(
        quarter,
        &[1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0],
    );
    let cosine = series(
        quarter,
        &[
            1.0,
            -0.5,
            1.0 / 24.0,
            -1.0 / 720.0,
            1.0 / 40_320.0,
            -1.0 / 3_628_800.0,
        ],
    );
    let half = sqrt(quarter);
    let (sin, cos) = sin_cos(half);
    let factor = sine.select(small, sin / half) * constant(0.5);
    [
        d[0] * factor,
        d[1] * factor,
        d[2] * factor,
        cosine.select(small, cos),
    ]
}

/// The shortest rotation vector of a quaternion of any length.
#[inline]
pub(crate) fn logarithm<S: SimdRealField + Copy>(quaternion: &[S; 4]) -> [S; 3] {
    let [x, y, z, w] = *quaternion;
    // q and -q are the same orientation; the one with w >= 0 is the shorter way.
    let backwards = w.simd_lt(S::zero());
    let (x, y, z, w) = (
        (-x).select(backwards, x),
        (-y).select(backwards, y),
        (-z).select(backwards, z),
        (-w).select(backwards, w),
    );
    let sine2 = square(&[x, y, z]);
    let small = sine2.simd_lt(constant::<S>(SMALL) * w * w);
    // 2 atan(s) / s with s^2 = sin^2 / cos^2, as a series in s^2.
    let ratio = sine2 / (w * w);
    let series = series(
        ratio,
        &[
            2.0,
            -2.0 / 3.0,
            2.0 / 5.0,
            -2.0 / 7.0,
            2.0 / 9.0,
            -2.0 / 11.0,
        ],
    );
    let sine = sqrt(sine2);
    let angle = crate::math::atan2(sine, w) * constant(2.0);
    let factor = (series / w).select(small, angle / sine);
    [x * factor, y * factor, z * factor]
}

/// `a x b`.
#[inline]
pub(crate) fn cross<S: SimdRealField + Copy>(a: &[S; 3], b: &[S; 3]) -> [S; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// `sum_k coefficients[k] x^k`.
#[inline]
fn series<S: SimdRealField + Copy>(x: S, coefficients: &[f64]) -> S {
    let mut sum = S::zero();
    for &c in coefficients.iter().rev() {
        sum = sum * x + constant(c);
    }
    sum
}

#[inline]
fn square<S: SimdRealField + Copy, const N: usize>(x: &[S; N]) -> S {
    let mut sum = S::zero();
    for i in 0..N {
        sum += x[i] * x[i];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64], tolerance: f64) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance)
    }

    #[test]
    fn displacements_come_back() {
        let start = normalised(&[0.3_f64, -0.8, 0.1, 0.4]);
        let directions = [[1.0, 0.0, 0.0], [0.6, -0.8, 0.0], [2.0, 1.0, -2.0]];
        for direction in directions {
            for size in [
                0.0, 1e-200, 1e-9, 1e-3, 0.03, 0.0632, 0.0633, 0.5, 1.0, 1.04,
            ] {
                let d = direction.map(|x: f64| x * size);
                let turned = moved(&start, &d);
                let length: f64 = square(&turned);
                assert!((length - 1.0).abs() < 1e-15);
                assert!(close(&difference(&start, &turned), &d, 4e-15), "{d:?}");
                let minus = turned.map(|x| -3.0 * x);
                assert!(close(&difference(&start, &minus), &d, 4e-15), "{d:?}");
            }
        }
    }

    #[test]
    fn beyond_half_a_turn_the_way_back_is_shorter() {
        let start = [0.0, 0.0, 0.0, 1.0];
        let d = difference(&start, &moved(&start, &[0.0, 4.0, 0.0]));
        assert!(close(
            &d,
            &[0.0, 4.0 - 2.0 * core::f64::consts::PI, 0.0],
            1e-15
        ));
        let half = difference(&start, &[1.0, 0.0, 0.0, 0.0]);
        assert!(close(&half, &[core::f64::consts::PI, 0.0, 0.0], 1e-15));
    }

    #[test]
    fn series_and_functions_meet() {
        for angle in [0.06, 0.063_24, 0.063_25, 0.07] {
            let [x, _, _, w] = exponential(&[angle, 0.0, 0.0]);
            let (sin, cos) = (angle / 2.0_f64).sin_cos();
            assert!(close(&[x, w], &[sin, cos], 1e-16));
        }
    }

    #[test]
    fn the_rate_is_that_of_the_displacement() {
        let start = normalised(&[0.3_f64, -0.8, 0.1, 0.4]);
        let w = [0.4_f64, -1.2, 0.7];
        let h = 1e-5_f64;
        let [ahead, behind] = [h, -h].map(|h| moved(&start, &w.map(|w| w * h)));
        let expected = rate(&start, &w);
        for i in 0..4 {
            assert!(((ahead[i] - behind[i]) / (2.0 * h) - expected[i]).abs() < 1e-9);
        }
    }

    #[test]
    fn gradients_are_those_of_the_exponential_map() {
        let start = normalised(&[0.3_f64, -0.8, 0.1, 0.4]);
        let weights = [0.4, -1.2, 0.7, 0.3];
        let value = |q: &[f64; 4]| (0..4).map(|i| weights[i] * q[i]).sum::<f64>();
        let slope = |f: &dyn Fn(f64) -> f64| {
            let h = 1e-3;
            (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
        };
        for size in [0.0, 1e-3, 0.03, 0.0316, 0.0317, 0.5, 3.0] {
            let d = [0.6, -0.48, 0.64].map(|x| x * size);
            let here = moved(&start, &d);
            let along = |i: usize, h: f64| [0, 1, 2].map(|j| if i == j { h } else { 0.0 });
            let further = [0, 1, 2].map(|i| slope(&|h| value(&moved(&here, &along(i, h)))));
            let expected = [0, 1, 2].map(|i| {
                slope(&|h| {
                    let step = along(i, h);
                    value(&moved(
                        &start,
                        &[d[0] + step[0], d[1] + step[1], d[2] + step[2]],
                    ))
                })
            });
            let gradient = gradient_at(&d, &further);
            for i in 0..3 {
                assert!((gradient[i] - expected[i]).abs() < 1e-11, "{size} {i}");
            }
        }
    }

    #[test]
    fn lengths_at_the_ends_of_the_range() {
        for size in [1e-300, 1e300] {
            let unit = normalised(&[3.0 * size, 0.0, 0.0, 4.0 * size]);
            assert!(close(&unit, &[0.6, 0.0, 0.0, 0.8], 1e-15));
        }
    }
}
