//! The exponential map of rotations: linear maps of vectors of three, and their derivatives.
//!
//! With [d]x = d x x, the right Jacobian J(d) of the exponential map and its inverse are 1 + k₁ [d] + k₂ [d]² (J. Sola,
//! *Quaternion kinematics for the error-state Kalman filter*, 2017, section 4.3.4). The left Jacobian is that of -d.

use nalgebra::RealField;

use crate::{
    math::{constant, sin_cos, sqrt},
    rotation::cross,
};

/// The map 1 + k₁ [d] + k₂ [d]², and the derivatives of k₁ and k₂ by |d|².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map<S> {
    d: [S; 3],
    first: Slope<S>,
    second: Slope<S>,
}

/// A function of |d|², and its derivative.
#[derive(Clone, Copy, Debug)]
struct Slope<S> {
    value: S,
    by_square: S,
}

/// Series are exact to rounding below this square of an angle.
const SMALL: f64 = 0.1;

/// sin x / x
const SINE: [f64; 8] = [
    1.0,
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
];

/// (1 - cos x) / x²
const COSINE: [f64; 8] = [
    0.5,
    -1.0 / 24.0,
    1.0 / 720.0,
    -1.0 / 40_320.0,
    1.0 / 3_628_800.0,
    -1.0 / 479_001_600.0,
    1.0 / 87_178_291_200.0,
    -1.0 / 20_922_789_888_000.0,
];

/// (x - sin x) / x³
const CUBE: [f64; 8] = [
    1.0 / 6.0,
    -1.0 / 120.0,
    1.0 / 5040.0,
    -1.0 / 362_880.0,
    1.0 / 39_916_800.0,
    -1.0 / 6_227_020_800.0,
    1.0 / 1_307_674_368_000.0,
    -1.0 / 355_687_428_096_000.0,
];

/// (1 - x/2 cot(x/2)) / x²
const INVERSE: [f64; 8] = [
    1.0 / 12.0,
    1.0 / 720.0,
    1.0 / 30_240.0,
    1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    3617.0 / 10_670_622_842_880_000.0,
];

impl<S: RealField + Copy> Map<S> {
    /// The right Jacobian: exp(d + e) = exp(d) exp(J(d) e) to first order.
    pub(crate) fn jacobian(d: &[S; 3]) -> Self {
        let [_, cosine, cube, _] = functions(dot(d, d));
        Self {
            d: *d,
            first: cosine.negated(),
            second: cube,
        }
    }

    /// The inverse of the right Jacobian.
    pub(crate) fn inverse(d: &[S; 3]) -> Self {
        let [.., inverse] = functions(dot(d, d));
        Self {
            d: *d,
            first: Slope {
                value: constant(0.5),
                by_square: S::zero(),
            },
            second: inverse,
        }
    }

    /// The rotation exp(d).
    pub(crate) fn rotation(d: &[S; 3]) -> Self {
        let [sine, cosine, ..] = functions(dot(d, d));
        Self {
            d: *d,
            first: sine,
            second: cosine,
        }
    }

    /// The same map of -d; its derivatives are still by d.
    pub(crate) fn reversed(self) -> Self {
        Self {
            first: self.first.negated(),
            ..self
        }
    }

    pub(crate) fn apply(&self, x: &[S; 3]) -> [S; 3] {
        let once = cross(&self.d, x);
        let twice = cross(&self.d, &once);
        core::array::from_fn(|i| x[i] + (self.first.value * once[i] + self.second.value * twice[i]))
    }

    /// The derivative of `apply(x)` along the change e of d.
    pub(crate) fn derivative(&self, x: &[S; 3], e: &[S; 3]) -> [S; 3] {
        let once = cross(&self.d, x);
        let twice = cross(&self.d, &once);
        let along = cross(e, x);
        let (outer, inner) = (cross(e, &once), cross(&self.d, &along));
        let square = constant::<S>(2.0) * dot(&self.d, e);
        core::array::from_fn(|i| {
            let of_factors = self.first.by_square * once[i] + self.second.by_square * twice[i];
            let of_products =
                self.first.value * along[i] + self.second.value * (outer[i] + inner[i]);
            of_factors * square + of_products
        })
    }
}

impl<S: RealField + Copy> Slope<S> {
    fn negated(self) -> Self {
        Self {
            value: -self.value,
            by_square: -self.by_square,
        }
    }
}

/// The three entries of a rotation, the first of which is at this place.
pub(crate) fn three<S: Copy>(x: &[S], first: usize) -> Option<[S; 3]> {
    x.get(first..)?.first_chunk::<3>().copied()
}

/// The functions of the series, at |d|² = s.
fn functions<S: RealField + Copy>(s: S) -> [Slope<S>; 4] {
    if s < constant(SMALL) {
        return [&SINE, &COSINE, &CUBE, &INVERSE].map(|coefficients| series(s, coefficients));
    }
    let (one, two) = (S::one(), constant::<S>(2.0));
    let angle = sqrt(s);
    let (sin, cos) = sin_cos(angle);
    let (half, _) = sin_cos(angle / two);
    let slope = |value, by_square| Slope { value, by_square };

    let sine = sin / angle;
    let sine = slope(sine, (cos - sine) / (two * s));
    let cosine = two * half * half / s;
    let cosine = slope(cosine, (sine.value - two * cosine) / (two * s));
    let cube = (one - sine.value) / s;
    let cube = slope(cube, -(sine.by_square + cube) / s);
    // x/2 cot(x/2)
    let ratio = sine.value / (two * cosine.value);
    let by_square = (sine.by_square - two * ratio * cosine.by_square) / (two * cosine.value);
    let inverse = (one - ratio) / s;
    let inverse = slope(inverse, -(by_square + inverse) / s);
    [sine, cosine, cube, inverse]
}

fn series<S: RealField + Copy>(s: S, coefficients: &[f64]) -> Slope<S> {
    let (mut value, mut by_square) = (S::zero(), S::zero());
    for &coefficient in coefficients.iter().rev() {
        by_square = by_square * s + value;
        value = value * s + constant(coefficient);
    }
    Slope { value, by_square }
}

fn dot<S: RealField + Copy>(a: &[S; 3], b: &[S; 3]) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: [f64; 3] = [0.3, -1.1, 0.7];

    fn close(a: [f64; 3], b: [f64; 3], tolerance: f64) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance)
    }

    /// Vectors of several lengths, on both sides of the end of the series.
    fn displacements() -> impl Iterator<Item = [f64; 3]> {
        let lengths = [0.0, 1e-9, 1e-3, 0.1, 0.316, 0.3163, 0.5, 1.0, 2.0, 3.0];
        lengths.into_iter().map(|x| [0.6 * x, -0.48 * x, 0.64 * x])
    }

    #[test]
    fn inverses_and_transposes() {
        for d in displacements() {
            let back = Map::inverse(&d).apply(&Map::jacobian(&d).apply(&X));
            assert!(close(back, X, 1e-15), "{d:?}");
            let (left, right) = (Map::jacobian(&d).reversed(), Map::jacobian(&d));
            let turned = Map::rotation(&d).apply(&right.apply(&X));
            assert!(close(turned, left.apply(&X), 1e-15), "{d:?}");
        }
    }

    #[test]
    fn derivatives_beside_differences() {
        for d in displacements() {
            let e = [0.2, 0.5, -0.3];
            let h = 1e-3;
            for map in [
                |d: &[f64; 3]| Map::jacobian(d),
                |d: &[f64; 3]| Map::inverse(d),
                |d: &[f64; 3]| Map::rotation(d),
                |d: &[f64; 3]| Map::jacobian(d).reversed(),
            ] {
                let value_at = |h: f64| {
                    let moved = core::array::from_fn(|i| d[i] + h * e[i]);
                    map(&moved).apply(&X)
                };
                let [a, b, c, f] = [
                    value_at(h),
                    value_at(-h),
                    value_at(2.0 * h),
                    value_at(-2.0 * h),
                ];
                let slope =
                    core::array::from_fn(|i| (8.0 * (a[i] - b[i]) - (c[i] - f[i])) / (12.0 * h));
                assert!(close(map(&d).derivative(&X, &e), slope, 1e-11), "{d:?}");
            }
        }
    }
}
