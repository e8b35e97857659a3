//! Sine, cosine and tangent of huge angles.
//!
//! Libraries are accurate for angles that they reduce by a few parts of π/2, but not all are beyond that: next to
//! multiples of π/2 the GNU library has errors of thousands of ulp from 1e9 on. Here the angle is multiplied by 256
//! bits of 2/π, those that determine the last quarter turn (Payne & Hanek, "Radian reduction for trigonometric
//! functions", *ACM SIGNUM Newsletter* 18, 1983). No double is closer to a multiple of π/2 than 2⁻⁶², so about 70
//! correct bits remain.

/// Above this size angles are reduced here.
pub(super) const HUGE: f64 = 1e8;

/// Returns whether the angle is finite and too large for libraries to be accurate.
#[inline(always)]
pub(super) fn is_huge(x: f64) -> bool {
    x.abs() > HUGE && x.abs() < f64::INFINITY
}

/// Sine and cosine of a huge angle.
#[cold]
#[inline]
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    let (quadrant, angle) = reduce(x);
    let (sine, cosine) = in_quadrant(quadrant, angle);
    (sine.0 + sine.1, cosine.0 + cosine.1)
}

/// Tangent of a huge angle.
#[cold]
#[inline]
pub(super) fn tan(x: f64) -> f64 {
    let (quadrant, angle) = reduce(x);
    let (sine, cosine) = in_quadrant(quadrant, angle);
    let (sine, cosine) = (exact_sum(sine), exact_sum(cosine));
    let quotient = sine.0 / cosine.0;
    let (product, error) = exact_product(quotient, cosine.0);
    let remainder = ((sine.0 - product) - error) + sine.1 - quotient * cosine.1;
    quotient + remainder / cosine.0
}

/// A number as the sum of two floats; the second one is a small correction.
type Pair = (f64, f64);

/// Sine and cosine of `quadrant` right angles and `angle`.
#[inline]
fn in_quadrant(quadrant: u64, angle: Pair) -> (Pair, Pair) {
    let (sine, cosine) = (sine_near_0(angle), cosine_near_0(angle));
    let negative = |(high, low): Pair| (-high, -low);
    match quadrant & 3 {
        0 => (sine, cosine),
        1 => (cosine, negative(sine)),
        2 => (negative(sine), negative(cosine)),
        _ => (negative(cosine), sine),
    }
}

/// sin(x + y) for |x| up to about π/4 and a tail y.
#[inline]
fn sine_near_0((x, y): Pair) -> Pair {
    let square = x * x;
    (
        x,
        x * square * polynomial(square, &SINE) + y * (1.0 - 0.5 * square),
    )
}

/// cos(x + y) for |x| up to about π/4 and a tail y.
#[inline]
fn cosine_near_0((x, y): Pair) -> Pair {
    let (square, error) = exact_product(x, x);
    let half = 0.5 * square;
    let nearly = 1.0 - half;
    let series = square * square * polynomial(square, &COSINE);
    (
        nearly,
        ((1.0 - nearly) - half) - 0.5 * error + (series - x * y),
    )
}

/// The quadrant and the rest, at most about π/4, of a finite angle of at least 1.
#[inline]
fn reduce(x: f64) -> (u64, Pair) {
    let (quadrant, fraction) = turns(x);
    let (fraction, sign) = if fraction.first().is_some_and(|&top| top >> 63 == 1) {
        (negated(fraction), -1.0)
    } else {
        (fraction, 1.0)
    };
    // The angle is fraction / 2¹⁹² of a right angle, and at most half of one.
    let (high, low) = leading_bits(fraction);
    let (product, error) = exact_product(high, QUARTER.0);
    let tail = error + (high * QUARTER.1 + low * QUARTER.0);
    let (sum, correction) = exact_sum((product, tail));
    let signed = if x < 0.0 { -sign } else { sign };
    let quadrant = (quadrant & 3) + u64::from(sign < 0.0);
    let quadrant = if x < 0.0 {
        4 - (quadrant & 3)
    } else {
        quadrant
    };
    (quadrant, (signed * sum, signed * correction))
}

/// The size of `x` in right angles: the whole ones modulo four, and the 192 bits after the point, the highest ones
/// first.
#[inline]
fn turns(x: f64) -> (u64, [u64; 3]) {
    let bits = x.to_bits();
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    // |x| = mantissa · 2^exponent; only the bits of 2/π from 2^(1 - exponent) on matter.
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1075;
    let mut product = [0; 4];
    let mut carry = 0;
    for (word, limb) in product.iter_mut().enumerate().rev() {
        let wide = u128::from(mantissa) * u128::from(window(exponent, word)) + carry;
        *limb = wide as u64;
        carry = wide >> 64;
    }
    // Whole right angles, modulo four, are in the two highest bits.
    let [first, second, third, fourth] = product;
    let shift = |high: u64, low: u64| (high << 2) | (low >> 62);
    (
        first >> 62,
        [
            shift(first, second),
            shift(second, third),
            shift(third, fourth),
        ],
    )
}

/// 64 bits of 2/π: the highest bit of `word` 0 has the weight 2^(1 - exponent), and the words follow each other.
#[inline]
fn window(exponent: i64, word: usize) -> u64 {
    // Bit k of the table, from 0, has the weight 2^(-1 - k).
    let start = exponent - 2 + 64 * word as i64;
    let (index, offset) = (start.div_euclid(64), start.rem_euclid(64));
    let table_word = |index: i64| {
        usize::try_from(index)
            .ok()
            .and_then(|index| TWO_OVER_PI.get(index))
            .copied()
            .unwrap_or(0)
    };
    let words = (u128::from(table_word(index)) << 64) | u128::from(table_word(index + 1));
    ((words << offset) >> 64) as u64
}

/// The two's complement.
#[inline]
fn negated([first, second, third]: [u64; 3]) -> [u64; 3] {
    let (third, carry) = (!third).overflowing_add(1);
    let (second, carry) = (!second).overflowing_add(u64::from(carry));
    [(!first).wrapping_add(u64::from(carry)), second, third]
}

/// `words / 2¹⁹²` as a sum of two floats, the first of 53 bits.
#[inline]
fn leading_bits([first, second, third]: [u64; 3]) -> Pair {
    let zeros = first.leading_zeros();
    let (high, low) = (
        (u128::from(first) << 64) | u128::from(second),
        u128::from(third) << 64,
    );
    // The first 128 bits from the leading one on; 64 zeros do not occur in a row.
    let top = (high << zeros) | ((low >> (127 - zeros)) >> 1);
    let scale = f64::from_bits(u64::from(1023 - 53 - zeros) << 52);
    let (lead, next) = ((top >> 75) as u64, (top >> 22) as u64 & ((1 << 53) - 1));
    (
        lead as f64 * scale,
        next as f64 * (scale * f64::EPSILON * 0.5),
    )
}

/// The rounded sum and its rounding error; the first number must be the larger one.
#[inline]
fn exact_sum((large, small): Pair) -> Pair {
    let sum = large + small;
    (sum, (large - sum) + small)
}

/// The rounded product and its rounding error (Dekker, "A floating-point technique for extending the
/// available precision", *Numer. Math.* 18, 1971).
#[inline]
fn exact_product(a: f64, b: f64) -> Pair {
    let split = |x: f64| {
        let high = f64::from_bits(x.to_bits() & !((1 << 27) - 1));
        (high, x - high)
    };
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    let product = a * b;
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

/// `c₀ + c₁ x + ..`
#[inline]
pub(super) fn polynomial(x: f64, coefficients: &[f64]) -> f64 {
    coefficients
        .iter()
        .rev()
        .fold(0.0, |sum, &coefficient| sum * x + coefficient)
}

/// sin x = x + x³ (s₀ + s₁ x² + ..) on [-π/4, π/4], by fdlibm (Sun Microsystems, 1993).
pub(super) const SINE: [f64; 6] = [
    -0.166_666_666_666_666_32,
    0.008_333_333_333_322_49,
    -0.000_198_412_698_298_579_5,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];
/// cos x = 1 - x²/2 + x⁴ (c₀ + c₁ x² + ..), likewise.
pub(super) const COSINE: [f64; 6] = [
    0.041_666_666_666_666_6,
    -0.001_388_888_888_887_411,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// π/2.
const QUARTER: Pair = (core::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17);

/// 1280 bits after the point of 2/π.
const TWO_OVER_PI: [u64; 20] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
];
