//! The kinds of scalars, and arithmetic that is the same for all of them.

use core::any::{Any, TypeId};

use nalgebra::SimdRealField;

/// The floats that a scalar has in its lanes; a float itself has one lane.
///
/// Known at compile time, so that branches on it disappear.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Precision {
    Double,
    Single,
    /// Not floats, such as dual numbers.
    Other,
}

impl Precision {
    #[inline(always)]
    pub(super) fn of<S: SimdRealField + Copy>() -> Self {
        let element = TypeId::of::<S::Element>();
        if element == TypeId::of::<f64>() {
            Self::Double
        } else if element == TypeId::of::<f32>() {
            Self::Single
        } else {
            Self::Other
        }
    }
}

/// The constant `value` in the scalar type `S`, rounded to it.
///
/// ```
/// assert_eq!(lagrange_runtime::math::constant::<f32>(0.1), 0.1_f32);
/// ```
#[inline(always)]
pub fn constant<S: SimdRealField + Copy>(value: f64) -> S {
    nalgebra::convert(value)
}

/// The kinds of scalars, known at compile time, so that branches on it disappear.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Arithmetic {
    /// `f32` or `f64`.
    Float,
    /// Several of them.
    Lanes,
    /// Any other type, which carries derivatives and has one value.
    Dual,
}

impl Arithmetic {
    #[inline(always)]
    pub(super) fn of<S: SimdRealField + Copy>() -> Self {
        match (Precision::of::<S>(), S::LANES) {
            (Precision::Other, _) => Self::Dual,
            (_, 1) => Self::Float,
            _ => Self::Lanes,
        }
    }
}

/// Returns whether `S` is a float or has lanes of floats, as opposed to carrying derivatives.
///
/// No dual numbers over lanes implement `SimdRealField`.
#[inline(always)]
pub(crate) fn is_plain<S: SimdRealField + Copy>() -> bool {
    Arithmetic::of::<S>() != Arithmetic::Dual
}

/// Returns whether a value is neither NaN nor infinite.
#[inline(always)]
pub(crate) fn is_finite<S: SimdRealField + Copy + PartialEq>(x: S) -> bool {
    // On integers, which are available where floats are computed; without the sign, the exponent is not all ones.
    let any: &dyn Any = &x;
    if let Some(x) = any.downcast_ref::<f64>() {
        return x.to_bits() << 1 < f64::INFINITY.to_bits() << 1;
    }
    if let Some(x) = any.downcast_ref::<f32>() {
        return x.to_bits() << 1 < f32::INFINITY.to_bits() << 1;
    }
    x * S::zero() == S::zero()
}

/// Absolute value; its derivative at 0 is 0.
///
/// ```
/// use lagrange_runtime::math::abs;
/// assert_eq!(abs(-3.0), 3.0);
/// ```
#[inline(always)]
pub fn abs<S: SimdRealField + Copy>(x: S) -> S {
    if is_plain::<S>() {
        x.simd_abs()
    } else {
        select_eq(x, S::zero(), S::zero(), x.simd_abs())
    }
}

/// Sign: -1, 0 or 1, and NaN for NaN; its derivative is 0 everywhere.
///
/// ```
/// use lagrange_runtime::math::sign;
/// assert_eq!([sign(-3.0), sign(-0.0), sign(2.0)], [-1.0, 0.0, 1.0]);
/// ```
#[inline(always)]
pub fn sign<S: SimdRealField + Copy>(x: S) -> S {
    let zero = S::zero();
    let zero_or_nan = select_eq(x, zero, zero, x);
    let not_positive = select_lt(x, zero, -S::one(), zero_or_nan);
    select_lt(zero, x, S::one(), not_positive)
}

/// True if the target has fused multiply-add, and Rust can use it: `core` has no function for it.
pub(super) const FUSES: bool = cfg!(all(
    feature = "std",
    any(target_feature = "fma", target_arch = "aarch64")
));

/// `a * b + c`, fused if the target has the instruction.
///
/// It never calls a library. Without the standard library the scalar operation would be a call, so it is not fused
/// there.
///
/// ```
/// use lagrange_runtime::math::mul_add;
/// assert_eq!(mul_add(2.0, 3.0, 4.0), 10.0);
/// ```
#[inline(always)]
pub fn mul_add<S: SimdRealField + Copy>(a: S, b: S, c: S) -> S {
    if FUSES {
        a.simd_mul_add(b, c)
    } else {
        a * b + c
    }
}

/// `c - a * b`, fused as in [`mul_add`].
///
/// ```
/// use lagrange_runtime::math::neg_mul_add;
/// assert_eq!(neg_mul_add(2.0, 3.0, 4.0), -2.0);
/// ```
#[inline(always)]
pub fn neg_mul_add<S: SimdRealField + Copy>(a: S, b: S, c: S) -> S {
    if FUSES {
        (-a).simd_mul_add(b, c)
    } else {
        c - a * b
    }
}

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident => $method:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<S: SimdRealField + Copy>(x: S) -> S {
            x.$method()
        }
    )*};
}

unary! {
    /// Arc sine in radians.
    ///
    /// ```
    /// use lagrange_runtime::math::asin;
    /// assert_eq!(asin(1.0), core::f64::consts::FRAC_PI_2);
    /// ```
    asin => simd_asin;
    /// Arc cosine in radians.
    ///
    /// ```
    /// use lagrange_runtime::math::acos;
    /// assert_eq!(acos(-1.0), core::f64::consts::PI);
    /// ```
    acos => simd_acos;
    /// Arc tangent in radians.
    ///
    /// ```
    /// use lagrange_runtime::math::atan;
    /// assert_eq!(atan(1.0), core::f64::consts::FRAC_PI_4);
    /// ```
    atan => simd_atan;
    /// Hyperbolic sine.
    ///
    /// ```
    /// use lagrange_runtime::math::sinh;
    /// assert_eq!(sinh(0.0), 0.0);
    /// ```
    sinh => simd_sinh;
    /// Hyperbolic cosine.
    ///
    /// ```
    /// use lagrange_runtime::math::cosh;
    /// assert_eq!(cosh(0.0), 1.0);
    /// ```
    cosh => simd_cosh;
    /// Exponential function.
    ///
    /// ```
    /// use lagrange_runtime::math::exp;
    /// assert_eq!(exp(0.0), 1.0);
    /// ```
    exp => simd_exp;
    /// Natural logarithm.
    ///
    /// ```
    /// use lagrange_runtime::math::ln;
    /// assert_eq!(ln(core::f64::consts::E), 1.0);
    /// ```
    ln => simd_ln;
    /// Square root; its derivative at 0 is not finite.
    ///
    /// ```
    /// use lagrange_runtime::math::sqrt;
    /// assert_eq!(sqrt(2.25), 1.5);
    /// ```
    sqrt => simd_sqrt;
    /// Reciprocal.
    ///
    /// ```
    /// use lagrange_runtime::math::recip;
    /// assert_eq!(recip(4.0), 0.25);
    /// ```
    recip => simd_recip;
}

/// `x` where `a < b`, else `y`.
///
/// ```
/// use lagrange_runtime::math::select_lt;
/// assert_eq!(select_lt(1.0, 2.0, 10.0, 20.0), 10.0);
/// assert_eq!(select_lt(f64::NAN, 2.0, 10.0, 20.0), 20.0);
/// ```
#[inline(always)]
pub fn select_lt<S: SimdRealField + Copy>(a: S, b: S, x: S, y: S) -> S {
    x.select(a.simd_lt(b), y)
}

/// `x` where `a <= b`, else `y`.
///
/// ```
/// use lagrange_runtime::math::select_le;
/// assert_eq!(select_le(2.0, 2.0, 10.0, 20.0), 10.0);
/// assert_eq!(select_le(f64::NAN, 2.0, 10.0, 20.0), 20.0);
/// ```
#[inline(always)]
pub fn select_le<S: SimdRealField + Copy>(a: S, b: S, x: S, y: S) -> S {
    x.select(a.simd_le(b), y)
}

/// `x` where `a == b`, else `y`.
///
/// ```
/// use lagrange_runtime::math::select_eq;
/// assert_eq!(select_eq(0.0, -0.0, 10.0, 20.0), 10.0);
/// assert_eq!(select_eq(f64::NAN, f64::NAN, 10.0, 20.0), 20.0);
/// ```
#[inline(always)]
pub fn select_eq<S: SimdRealField + Copy>(a: S, b: S, x: S, y: S) -> S {
    x.select(a.simd_eq(b), y)
}

/// `x` where `a != b`, including NaN, else `y`.
///
/// ```
/// use lagrange_runtime::math::select_ne;
/// assert_eq!(select_ne(1.0, 2.0, 10.0, 20.0), 10.0);
/// assert_eq!(select_ne(f64::NAN, f64::NAN, 10.0, 20.0), 10.0);
/// ```
#[inline(always)]
pub fn select_ne<S: SimdRealField + Copy>(a: S, b: S, x: S, y: S) -> S {
    // Not by `simd_ne`: types of lanes differ in its result for NaN.
    y.select(a.simd_eq(b), x)
}
