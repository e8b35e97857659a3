//! Curves through points: piecewise polynomials of degree 3 at most.

use core::any::Any;

use nalgebra::{SimdBool, SimdRealField};

use super::scalars::{constant, mul_add};

/// A piecewise polynomial of degree 3 at most, or the knots of one whose control values are given at run time.
///
/// ```
/// use lagrange_runtime::math::{Curve, curve};
/// // 0 up to 1, then (x - 1)^2 up to 2, then the tangent.
/// let parabola = Curve {
///     scale: 0.0,
///     breaks: &[1.0, 2.0],
///     pieces: &[[0.0; 4], [0.0, 0.0, 1.0, 0.0], [1.0, 2.0, 0.0, 0.0]],
/// };
/// assert_eq!([0.0, 1.5, 3.0].map(|x| curve(x, 0, &parabola)), [0.0, 0.25, 3.0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Curve<'a> {
    /// The number of pieces per unit of x, if the breaks are equally spaced; otherwise 0.
    pub scale: f64,
    /// The places where pieces meet, in ascending order.
    pub breaks: &'a [f64],
    /// The coefficients of each piece, of the constant first, in `x` less the break on its left. The first piece lies
    /// left of all breaks and is in `x` less the first break.
    pub pieces: &'a [[f64; 4]],
}

impl Curve<'_> {
    /// The number of breaks up to x, which is the number of the piece.
    #[inline]
    fn piece(&self, x: f64) -> usize {
        if self.scale == 0.0 {
            return self.breaks.partition_point(|known| *known <= x);
        }
        let first = self.breaks.first().copied().unwrap_or_default();
        let last = self.breaks.len().saturating_sub(1);
        // A cast of a value below 0, or of NaN, gives 0.
        let near = (((x - first) * self.scale) as usize).min(last);
        let is_from = |knot: usize| self.breaks.get(knot).is_some_and(|known| *known <= x);
        // The product is rounded: the piece may be a neighbour.
        if !is_from(near) {
            near
        } else if is_from(near.saturating_add(1)) {
            near.saturating_add(2)
        } else {
            near.saturating_add(1)
        }
    }

    /// The same by comparisons alone, for scalars that are no floats.
    #[inline(always)]
    fn piece_by_comparisons<S: SimdRealField + Copy>(&self, x: S) -> usize {
        self.breaks
            .partition_point(|known| constant::<S>(*known).simd_le(x).any())
    }

    /// The number of the piece for a lane.
    #[inline(always)]
    fn piece_of_lane<S: SimdRealField + Copy>(&self, x: S, lane: usize) -> usize {
        let element = x.extract(lane);
        let any: &dyn Any = &element;
        if let Some(x) = any.downcast_ref::<f64>() {
            self.piece(*x)
        } else if let Some(x) = any.downcast_ref::<f32>() {
            self.piece(f64::from(*x))
        } else {
            self.piece_by_comparisons(x)
        }
    }

    /// The left end of a piece; of the first piece the right end.
    #[inline]
    fn start(&self, piece: usize) -> f64 {
        self.breaks
            .get(piece.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    }
}

/// The value of a curve, or its derivative of an order, at a knot that of the side to the right.
///
/// The search for the piece takes the logarithm of their number in steps, for equally spaced breaks one step.
///
/// ```
/// use lagrange_runtime::math::{Curve, curve};
/// let line = Curve { scale: 0.0, breaks: &[1.0], pieces: &[[5.0, 2.0, 0.0, 0.0]; 2] };
/// assert_eq!([curve(2.0, 0, &line), curve(2.0, 1, &line)], [7.0, 2.0]);
/// assert!(curve(f64::NAN, 0, &line).is_nan());
/// ```
#[inline]
pub fn curve<S: SimdRealField + Copy>(x: S, order: u32, curve: &Curve<'_>) -> S {
    let (mut start, mut coefficients) = (S::zero(), [S::zero(); 4]);
    for lane in 0..S::LANES {
        let piece = curve.piece_of_lane(x, lane);
        set(&mut start, lane, curve.start(piece));
        let values = curve.pieces.get(piece).copied().unwrap_or_default();
        for (coefficient, value) in coefficients.iter_mut().zip(values) {
            set(coefficient, lane, value);
        }
    }
    derivative(x - start, order, coefficients)
}

/// The same for a uniform cubic B-spline of these control values, two more than breaks.
///
/// ```
/// use lagrange_runtime::math::{Curve, spline_by_controls};
/// let knots = Curve { scale: 1.0, breaks: &[0.0, 1.0, 2.0], pieces: &[] };
/// // Control values on a line give this line.
/// let line = [-1.0, 0.0, 1.0, 2.0, 3.0];
/// for x in [-3.0, 0.0, 0.7, 2.0, 5.0_f64] {
///     assert!((spline_by_controls(x, 0, &knots, &line) - x).abs() < 1e-15);
/// }
/// ```
#[inline]
pub fn spline_by_controls<S: SimdRealField + Copy>(
    x: S,
    order: u32,
    knots: &Curve<'_>,
    controls: &[S],
) -> S {
    let (mut start, mut bend) = (S::zero(), S::zero());
    let mut near = [S::zero(); 4];
    let last = knots.breaks.len().saturating_sub(1);
    for lane in 0..S::LANES {
        let piece = knots.piece_of_lane(x, lane);
        set(&mut start, lane, knots.start(piece));
        // Outside the spline is its tangent.
        let is_inside = piece > 0 && piece <= last;
        set(&mut bend, lane, if is_inside { 1.0 } else { 0.0 });
        let from = piece.saturating_sub(1);
        for (offset, value) in near.iter_mut().enumerate() {
            let control = controls.get(from.saturating_add(offset));
            // Behind the last knot three values are left.
            if let Some(control) = control {
                value.replace(lane, control.extract(lane));
            }
        }
    }
    let [a, b, c, d] = near;
    let scale = constant::<S>(knots.scale);
    let half = constant::<S>(0.5);
    let sixth = constant::<S>(1.0 / 6.0);
    let value = mul_add(constant(4.0), b, a + c) * sixth;
    let slope = (c - a) * half * scale;
    let second = mul_add(constant(-2.0), b, a + c) * half * scale * scale * bend;
    let third = mul_add(constant(3.0), b - c, d - a) * sixth * scale * scale * scale * bend;
    derivative(x - start, order, [value, slope, second, third])
}

/// Sets a lane.
#[inline(always)]
fn set<S: SimdRealField + Copy>(lanes: &mut S, lane: usize, value: f64) {
    lanes.replace(lane, constant::<S>(value).extract(lane));
}

/// The derivative of an order of the polynomial with these coefficients. It is finite only where x is.
#[inline(always)]
fn derivative<S: SimdRealField + Copy>(x: S, order: u32, [a, b, c, d]: [S; 4]) -> S {
    let (two, three) = (constant::<S>(2.0), constant::<S>(3.0));
    match order {
        0 => mul_add(mul_add(mul_add(d, x, c), x, b), x, a),
        1 => mul_add(mul_add(three * d, x, two * c), x, b),
        2 => two * mul_add(three * d, x, c),
        3 => mul_add(S::zero(), x, two * three * d),
        _ => S::zero() * x,
    }
}
