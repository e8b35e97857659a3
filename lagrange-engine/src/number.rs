//! Exact rationals, and doubles if a rational would overflow; both hash and compare exactly.

use std::fmt;
use std::hash::{Hash, Hasher};

/// A constant: a rational in lowest terms, or a finite double compared by its bits. A double carries a bound of its
/// rounding.
///
/// ```
/// use lagrange_engine::Number;
/// let sixth = Number::rational(-1, 6).unwrap();
/// assert_eq!(sixth.checked_add(Number::HALF), Number::rational(1, 3));
/// assert!(sixth.is_negative() && !sixth.abs().is_negative());
/// assert_eq!(sixth.to_integer(), None);
/// assert_eq!(Number::integer(12).to_integer(), Some(12));
/// assert!(Number::ZERO.is_zero() && Number::ONE.is_one());
/// assert_eq!(-Number::ONE, Number::MINUS_ONE);
/// // Written exactly.
/// assert_eq!(sixth.to_string(), "-1/6");
/// ```
#[derive(Clone, Copy)]
pub struct Number {
    /// The lower word of the numerator; the bits of a float.
    num: i64,
    /// The lower word of the denominator; 0 for a float.
    den: u64,
    /// The part of the numerator above its lower word, with its sign, and above that the same of the denominator: 0 if
    /// both have one word, which is nearly always. For a float its [`Rounding`], in 32 bits; 0 if it is not the result
    /// of rounded floats.
    above: u64,
}

// A term of a sum, with its node, is moved in four words: without optimisation a larger move would be a call.
const _: () = assert!(size_of::<(Number, crate::NodeId)>() <= 32);

enum Value {
    /// `den > 0`, `gcd(num, den) == 1`, both within [`LIMIT`].
    Rational {
        num: i128,
        den: i128,
    },
    Float(f64),
}

/// Numerators and denominators stay below this: together they take three words, and one step of long division cannot
/// overflow.
const LIMIT: i128 = 1 << 95;
/// A decimal below this, without its point, and its double have the same digits.
const KEPT: u128 = 10_u128.pow(15);

/// A sum is as small as rounding beside its terms if it is at most this many units of rounding of the largest one.
pub(crate) const ROUNDINGS_OF_TERMS: f64 = 256.0;

/// The terms of a sum cancel, in part or wholly, if the largest one is this many times the sum.
pub(crate) const CANCELLED: f64 = 16.0;

/// The rounding of a double, relative to its value.
#[derive(Clone, Copy)]
struct Rounding {
    /// A bound of the error, in units of rounding.
    error: f64,
    /// The largest of the terms that the double is the sum of, if they cancel to rounding; else 1.
    size: f64,
}

impl Rounding {
    const NONE: Self = Self {
        error: 0.0,
        size: 1.0,
    };

    /// The upper halves of two singles, the bound of the error rounded up and the size down.
    fn to_bits(self) -> u64 {
        let single = |x: f64| u64::from((x as f32).clamp(1.0, 1e38).to_bits());
        (single(self.error) + 0xffff) >> 16 << 16 | single(self.size) >> 16
    }

    fn of_bits(bits: u64) -> Self {
        let half = |bits: u64| f64::from(f32::from_bits((bits as u32) << 16));
        Self {
            error: half(bits >> 16),
            size: half(bits & 0xffff),
        }
    }
}

/// The relative error of a double that has lost half of its digits, in units of rounding.
const HALF_OF_THE_DIGITS: f64 = 67_108_864.0;

impl Number {
    /// 0.
    pub const ZERO: Self = Self::small(0);
    /// 1.
    pub const ONE: Self = Self::small(1);
    /// -1.
    pub const MINUS_ONE: Self = Self::small(-1);
    /// 1/2.
    pub const HALF: Self = Self {
        num: 1,
        den: 2,
        above: 0,
    };

    const fn small(num: i64) -> Self {
        Self {
            num,
            den: 1,
            above: 0,
        }
    }

    /// In lowest terms, and within [`LIMIT`].
    fn reduced(num: i128, den: i128) -> Self {
        let (low, low_den) = (num as i64, den as u64);
        let above = ((num >> 64) as u32).wrapping_sub((low >> 63) as u32);
        let above_den = (den >> 64) as u32;
        Self {
            num: low,
            den: low_den,
            above: u64::from(above_den) << 32 | u64::from(above),
        }
    }

    fn value(self) -> Value {
        if self.is_float() {
            return Value::Float(f64::from_bits(self.num as u64));
        }
        let above = (self.above as u32).wrapping_add((self.num >> 63) as u32) as i32;
        Value::Rational {
            num: i128::from(above) << 64 | i128::from(self.num as u64),
            den: i128::from(self.above >> 32) << 64 | i128::from(self.den),
        }
    }

    fn is_float(self) -> bool {
        self.den == 0 && self.above >> 32 == 0
    }

    /// What rounding left of the digits; [`Rounding::NONE`] for a rational, and for a float that is a short decimal.
    fn rounding(self) -> Rounding {
        if !self.is_float() {
            return Rounding::NONE;
        }
        if self.above != 0 {
            return Rounding::of_bits(self.above);
        }
        let is_short = |(digits, _): (i128, i32)| digits.unsigned_abs() < KEPT;
        let error = match self.to_decimal().is_some_and(is_short) {
            true => 0.0,
            false => 1.0,
        };
        Rounding {
            error,
            ..Rounding::NONE
        }
    }

    /// The nearest double, the size of the numbers whose rounding it carries, and the largest of the terms that it is
    /// the sum of: it is known to a small multiple of `f64::EPSILON` times the second.
    pub(crate) fn to_f64_with_scale(self) -> (f64, f64, f64) {
        let (value, rounding) = (self.to_f64(), self.rounding());
        let absolute = value.abs();
        (
            value,
            absolute * rounding.error.max(1.0),
            absolute * rounding.size,
        )
    }

    /// Returns whether the value is known only in rounded form.
    pub(crate) fn is_rounded(self) -> bool {
        self.rounding().error > 0.0
    }

    /// A result of floats, with its rounding. Integers count as exact, unless half of the digits are lost.
    fn known_to(self, rounding: Rounding) -> Self {
        let is_met = self.is_small_integer() && rounding.error < HALF_OF_THE_DIGITS;
        if is_met || self.is_zero() || rounding.error == 0.0 {
            return self;
        }
        Self {
            num: self.to_f64().to_bits() as i64,
            den: 0,
            above: rounding.to_bits(),
        }
    }

    fn is_small_integer(self) -> bool {
        self.den == 1 && self.above == 0
    }

    /// The integer `n`.
    pub fn integer(n: i64) -> Self {
        Self::small(n)
    }

    /// `num / den`, or `None` if `den` is 0.
    pub fn rational(num: i64, den: i64) -> Option<Self> {
        (den != 0).then(|| Self::ratio(i128::from(num), i128::from(den)))
    }

    /// A finite double; integers become rationals.
    pub fn float(value: f64) -> Self {
        if value.fract() == 0.0 && value.abs() < 9e15 {
            return Self::small(value as i64);
        }
        Self {
            num: value.to_bits() as i64,
            den: 0,
            above: 0,
        }
    }

    /// `den != 0`.
    fn ratio(num: i128, den: i128) -> Self {
        if den == 1 && num < LIMIT && num > -LIMIT {
            return Self::reduced(num, 1);
        }
        let divisor = gcd(num, den) * if den < 0 { -1 } else { 1 };
        let (num, den) = (num / divisor, den / divisor);
        if num.unsigned_abs() < LIMIT.unsigned_abs() && den < LIMIT {
            Self::reduced(num, den)
        } else {
            nearest_to_decimal(num, den).unwrap_or_else(|| Self::float(num as f64 / den as f64))
        }
    }

    /// Reads a decimal literal such as `12`, `9.81`, `1e-3`, `1_000.5`; exact if a rational can hold it. `None` if it
    /// is malformed or not finite as a double.
    pub fn parse(text: &str) -> Option<Self> {
        let text: String = text.chars().filter(|c| *c != '_').collect();
        let nearest: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
        Some(parse_exact(&text).unwrap_or_else(|| Self::float(nearest)))
    }

    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        if self.is_small_integer() {
            return self.num as f64;
        }
        match self.value() {
            Value::Float(value) => value,
            Value::Rational { num, den } => {
                const EXACT: i128 = 1 << 53;
                if num.abs() <= EXACT && den <= EXACT {
                    num as f64 / den as f64
                } else {
                    nearest_by_long_division(num, den)
                }
            }
        }
    }

    /// The value as an `i64`, if it is an integer of that size.
    pub fn to_integer(self) -> Option<i64> {
        self.is_small_integer().then_some(self.num)
    }

    /// Numerator and denominator, if the value is exact.
    pub fn to_ratio(self) -> Option<(i128, i128)> {
        match self.value() {
            Value::Rational { num, den } => Some((num, den)),
            Value::Float(_) => None,
        }
    }

    /// The digits and the exponent of ten of a number that is a finite decimal; for a double those of the shortest
    /// decimal that reads as the double.
    pub(crate) fn to_decimal(self) -> Option<(i128, i32)> {
        match self.value() {
            Value::Rational { num, den } => decimal(num, den),
            Value::Float(value) => {
                let text = format!("{value:e}");
                let (digits, exponent) = text.split_once('e')?;
                let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
                let digits = format!("{whole}{fraction}").parse().ok()?;
                Some((
                    digits,
                    exponent.parse::<i32>().ok()? - fraction.len() as i32,
                ))
            }
        }
    }

    /// Returns whether the value is 0.
    pub fn is_zero(self) -> bool {
        self.num == 0 && self.is_small_integer()
    }

    /// Returns whether the value is 1.
    pub fn is_one(self) -> bool {
        self.num == 1 && self.is_small_integer()
    }

    /// Returns whether the value is 1 or -1.
    pub(crate) fn is_sign(self) -> bool {
        (self.num == 1 || self.num == -1) && self.is_small_integer()
    }

    /// Returns whether the value is below 0.
    pub fn is_negative(self) -> bool {
        if self.above == 0 && self.den != 0 {
            return self.num < 0;
        }
        match self.value() {
            Value::Rational { num, .. } => num < 0,
            Value::Float(value) => value < 0.0,
        }
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        if self.is_negative() { -self } else { self }
    }

    /// 1 / self, or `None` at 0.
    #[must_use]
    pub fn recip(self) -> Option<Self> {
        if self.is_sign() {
            return Some(self);
        }
        // In lowest terms already.
        if self.above == 0
            && self.den != 0
            && self.den < 1 << 63
            && self.num != 0
            && self.num != i64::MIN
        {
            let sign = self.num.signum();
            return Some(Self {
                num: sign * self.den as i64,
                den: self.num.unsigned_abs(),
                above: 0,
            });
        }
        match self.value() {
            Value::Rational { num: 0, .. } => None,
            Value::Rational { num, den } => Some(Self::ratio(den, num)),
            Value::Float(value) => {
                let inverse = self.decimal_recip().or_else(|| finite(1.0 / value))?;
                Some(inverse.known_to(Rounding {
                    size: 1.0,
                    ..self.rounding()
                }))
            }
        }
    }

    /// 1 / self, if decimals give it.
    fn decimal_recip(self) -> Option<Self> {
        let (digits, exponent) = self.to_decimal()?;
        let (inverse, inverse_exponent) = decimal(digits.signum(), digits.abs())?;
        nearest(inverse, inverse_exponent.checked_sub(exponent)?)
    }

    /// self^n by repeated squaring; `None` if the result is not finite.
    #[must_use]
    pub fn powi(self, n: i32) -> Option<Self> {
        if n == 1 {
            return Some(self);
        }
        let mut base = if n < 0 { self.recip()? } else { self };
        let mut left = n.unsigned_abs();
        let mut result = Self::ONE;
        while left > 0 {
            if left & 1 == 1 {
                result = result.checked_mul(base)?;
            }
            left >>= 1;
            if left > 0 {
                base = base.checked_mul(base)?;
            }
        }
        Some(result)
    }

    /// The rational square root, if there is one.
    #[must_use]
    pub fn exact_sqrt(self) -> Option<Self> {
        let (num, den) = self.to_ratio()?;
        Some(Self::ratio(integer_sqrt(num)?, integer_sqrt(den)?))
    }

    /// A hash: equal for equal numbers, and different for almost all others.
    pub(crate) fn word(self) -> u64 {
        self.num as u64 ^ self.den << 48
    }

    /// self + other, `None` if not finite.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        // Almost all coefficients are small integers.
        if self.is_small_integer()
            && other.is_small_integer()
            && let Some(sum) = self.num.checked_add(other.num)
        {
            return Some(Self::small(sum));
        }
        // Unchanged: the decimals of a double may fit a rational, which would be another number.
        if self.is_zero() || other.is_zero() {
            return Some(if self.is_zero() { other } else { self });
        }
        if let (Some(left), Some(right)) = (self.to_ratio(), other.to_ratio())
            && let Some(sum) = exact_sum(left, right)
        {
            return Some(sum);
        }
        let (left, right) = (self.to_f64(), other.to_f64());
        let sum = self.decimal_sum(other).or_else(|| finite(left + right))?;
        let (left, of_left) = (left.abs(), self.rounding());
        let (right, of_right) = (right.abs(), other.rounding());
        let absolute = sum.to_f64().abs();
        let size = (left * of_left.size).max(right * of_right.size) / absolute;
        let is_cancelled = size > CANCELLED;
        Some(sum.known_to(Rounding {
            error: (left * of_left.error + right * of_right.error) / absolute,
            size: if is_cancelled { size } else { 1.0 },
        }))
    }

    /// The product of rationals, if neither it nor an intermediate value takes more than a word.
    fn product_in_one_word(self, other: Self) -> Option<Self> {
        if self.above != 0 || other.above != 0 || self.den == 0 || other.den == 0 {
            return None;
        }
        let num = self.num.checked_mul(other.num)?;
        let den = self.den.checked_mul(other.den)?;
        let divisor = word_gcd(num.unsigned_abs(), den);
        // The sign is not divided.
        let size = num.unsigned_abs() / divisor;
        Some(Self {
            num: if num < 0 {
                (size as i64).wrapping_neg()
            } else {
                size as i64
            },
            den: den / divisor,
            above: 0,
        })
    }

    /// self * other, `None` if not finite.
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        if self.is_one() || other.is_one() {
            return Some(if self.is_one() { other } else { self });
        }
        if self.is_small_integer()
            && other.is_small_integer()
            && let Some(product) = self.num.checked_mul(other.num)
        {
            return Some(Self::small(product));
        }
        if let Some(product) = self.product_in_one_word(other) {
            return Some(product);
        }
        if let (Some(left), Some(right)) = (self.to_ratio(), other.to_ratio())
            && let Some(product) = exact_product(left, right)
        {
            return Some(product);
        }
        let product = self
            .decimal_product(other)
            .or_else(|| finite(self.to_f64() * other.to_f64()))?;
        let (left, right) = (self.rounding(), other.rounding());
        Some(product.known_to(Rounding {
            error: left.error + right.error,
            size: left.size * right.size,
        }))
    }

    /// self + other by their decimals, rounded once.
    fn decimal_sum(self, other: Self) -> Option<Self> {
        let ((a, of_a), (b, of_b)) = (self.to_decimal()?, other.to_decimal()?);
        let exponent = of_a.min(of_b);
        let aligned = |digits: i128, digits_exponent: i32| {
            let power = 10_i128.checked_pow(digits_exponent.abs_diff(exponent))?;
            digits.checked_mul(power)
        };
        let sum = aligned(a, of_a)?.checked_add(aligned(b, of_b)?)?;
        nearest(sum, exponent)
    }

    /// self * other by their decimals, rounded once: powers of ten leave digits unchanged.
    fn decimal_product(self, other: Self) -> Option<Self> {
        let ((a, of_a), (b, of_b)) = (self.to_decimal()?, other.to_decimal()?);
        nearest(a.checked_mul(b)?, of_a.checked_add(of_b)?)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        let parts = |number: Self| (number.num, number.den);
        parts(*self) == parts(*other)
            && (self.above == other.above || (self.is_float() && other.is_float()))
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.word());
    }
}

impl std::ops::Neg for Number {
    type Output = Self;
    fn neg(self) -> Self {
        if self.above == 0
            && self.den != 0
            && let Some(num) = self.num.checked_neg()
        {
            return Self { num, ..self };
        }
        match self.value() {
            Value::Rational { num, den } => Self::reduced(-num, den),
            Value::Float(value) => Self {
                num: (-value).to_bits() as i64,
                ..self
            },
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Value::Rational { num, den: 1 } => write!(f, "{num}"),
            Value::Rational { num, den } => write!(f, "{num}/{den}"),
            Value::Float(value) => write!(f, "{value:e}"),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({self})")
    }
}

/// a / b + c / d, unless it overflows.
fn exact_sum((a, b): (i128, i128), (c, d): (i128, i128)) -> Option<Number> {
    let num = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
    Some(Number::ratio(num, b.checked_mul(d)?))
}

/// a / b * c / d, unless it overflows.
fn exact_product((a, b): (i128, i128), (c, d): (i128, i128)) -> Option<Number> {
    Some(Number::ratio(a.checked_mul(c)?, b.checked_mul(d)?))
}

/// num / den as digits and an exponent of ten, if only 2 and 5 divide `den > 0`.
fn decimal(num: i128, den: i128) -> Option<(i128, i32)> {
    let (mut digits, mut left, mut exponent) = (num, den, 0);
    while left % 10 == 0 {
        (left, exponent) = (left / 10, exponent - 1);
    }
    for (factor, other) in [(2, 5), (5, 2)] {
        while left % factor == 0 {
            digits = digits.checked_mul(other)?;
            (left, exponent) = (left / factor, exponent - 1);
        }
    }
    (left == 1).then_some((digits, exponent))
}

/// The number with these digits and this exponent of ten: exact if a rational can hold it, else the nearest double.
fn nearest(digits: i128, exponent: i32) -> Option<Number> {
    10_i128
        .checked_pow(exponent.unsigned_abs())
        .and_then(|power| {
            let (num, den) = match exponent < 0 {
                true => (digits, power),
                false => (digits.checked_mul(power)?, 1),
            };
            let divisor = gcd(num, den);
            let (num, den) = (num / divisor, den / divisor);
            let is_within = num.unsigned_abs() < LIMIT.unsigned_abs() && den < LIMIT;
            is_within.then(|| Number::reduced(num, den))
        })
        .or_else(|| finite(format!("{digits}e{exponent}").parse().ok()?))
}

fn nearest_to_decimal(num: i128, den: i128) -> Option<Number> {
    let (digits, exponent) = decimal(num, den)?;
    finite(format!("{digits}e{exponent}").parse().ok()?)
}

fn finite(value: f64) -> Option<Number> {
    value.is_finite().then(|| Number::float(value))
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    // A division of two words costs many times that of one word.
    let (small_a, small_b) = loop {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            break (a, b);
        }
        if b == 0 {
            // Only i128::MIN could overflow, which is not reached.
            return i128::try_from(a).unwrap_or(1);
        }
        (a, b) = (b, a % b);
    };
    // Only gcd(0, 0) is 0, which is not reached with den != 0.
    i128::from(word_gcd(small_a, small_b)).max(1)
}

fn word_gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn integer_sqrt(n: i128) -> Option<i128> {
    let n = u128::try_from(n).ok()?;
    let root = n.isqrt();
    (root * root == n).then_some(root as i128)
}

fn parse_exact(text: &str) -> Option<Number> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    let scale = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let power = 10_i128.checked_pow(scale.unsigned_abs())?;
    let (num, den) = if scale < 0 {
        (digits, power)
    } else {
        (digits.checked_mul(power)?, 1)
    };
    let exact = num.unsigned_abs() < LIMIT.unsigned_abs() && den < LIMIT;
    exact.then(|| Number::ratio(num, den))
}

/// The quotient by binary long division: sixty-four bits, and a last one for all others, decide the rounding.
///
/// `den > 0`, both within [`LIMIT`].
fn nearest_by_long_division(num: i128, den: i128) -> f64 {
    let (size, den) = (num.unsigned_abs(), den.unsigned_abs());
    let (mut quotient, mut remainder) = (size / den, size % den);
    let mut exponent = 0;
    while quotient >> 63 == 0 && remainder != 0 {
        // At most as many bits at once as keep `remainder` and `quotient` within their words.
        let shift = (remainder.leading_zeros() - 1).min(quotient.leading_zeros() - 64);
        let dividend = remainder << shift;
        quotient = (quotient << shift) | (dividend / den);
        remainder = dividend % den;
        exponent += shift;
    }
    quotient |= u128::from(remainder != 0);
    // Exact, because the quotient is not below 2^-240.
    let power = f64::from_bits(u64::from(1023 - exponent) << 52);
    let value = quotient as f64 * power;
    if num < 0 { -value } else { value }
}
