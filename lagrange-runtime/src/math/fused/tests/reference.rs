//! Sine and cosine to some 30 digits, by sums of two doubles, and to more by whole numbers, which judge them.

extern crate std;

use core::f64::consts::FRAC_PI_2;

use num_bigint::BigInt;

/// A number as the sum of two, of which the second one is at most half an ulp of the first.
pub(super) type Pair = (f64, f64);

/// The exact sum (Knuth, *Seminumerical Algorithms*, section 4.2.2).
fn exact_sum(a: f64, b: f64) -> Pair {
    let sum = a + b;
    let from_b = sum - a;
    (sum, (a - (sum - from_b)) + (b - from_b))
}

fn exact_product(a: f64, b: f64) -> Pair {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

fn add(a: Pair, b: Pair) -> Pair {
    let (high, low) = exact_sum(a.0, b.0);
    let (more, lowest) = exact_sum(a.1, b.1);
    let (high, low) = exact_sum(high, low + more);
    exact_sum(high, low + lowest)
}

fn multiply(a: Pair, b: Pair) -> Pair {
    let (high, low) = exact_product(a.0, b.0);
    exact_sum(high, low + (a.0 * b.1 + a.1 * b.0))
}

fn divide(a: Pair, b: f64) -> Pair {
    let quotient = a.0 / b;
    let (product, error) = exact_product(quotient, b);
    exact_sum(quotient, ((a.0 - product) - error + a.1) / b)
}

/// π/2 in 160 bits.
const PARTS: [f64; 3] = [
    FRAC_PI_2,
    6.123_233_995_736_766e-17,
    -1.497_384_904_859_183_3e-33,
];

/// For angles up to some 1e6.
pub(super) fn sin_cos(x: f64) -> (Pair, Pair) {
    let turns = (x / FRAC_PI_2).round();
    let mut angle = (x, 0.0);
    for part in PARTS {
        angle = add(angle, exact_product(-turns, part));
    }
    let square = multiply(angle, angle);
    let (mut sine, mut cosine) = ((0.0, 0.0), (0.0, 0.0));
    // The Taylor series, from the last terms on.
    for n in (1..=14).rev() {
        let n = f64::from(2 * n);
        let shrink = |sum: Pair, divisor: f64| {
            let (high, low) = divide(multiply(square, add((1.0, 0.0), sum)), divisor);
            (-high, -low)
        };
        sine = shrink(sine, n * (n + 1.0));
        cosine = shrink(cosine, n * (n - 1.0));
    }
    let sine = multiply(angle, add((1.0, 0.0), sine));
    let cosine = add((1.0, 0.0), cosine);
    let negative = |(high, low): Pair| (-high, -low);
    match turns.rem_euclid(4.0) {
        0.0 => (sine, cosine),
        1.0 => (cosine, negative(sine)),
        2.0 => (negative(sine), negative(cosine)),
        _ => (negative(cosine), sine),
    }
}

/// Bits after the point.
const POINT: u32 = 400;

/// `x` but for bits after those.
fn fixed(x: f64) -> BigInt {
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1075;
    let mantissa = BigInt::from(x.to_bits() & ((1 << 52) - 1) | 1 << 52);
    let shift = exponent + POINT as i32;
    let size = if shift < 0 {
        mantissa >> -shift
    } else {
        mantissa << shift
    };
    if x < 0.0 { -size } else { size }
}

/// 1/n - 1/(3 n³) + ..
fn inverse_tangent(n: u32) -> BigInt {
    let mut power = (BigInt::from(1) << POINT) / n;
    let mut sum = BigInt::ZERO;
    let mut k = 1_i32;
    while power != BigInt::ZERO {
        sum += &power / if k & 2 == 0 { k } else { -k };
        power /= n * n;
        k += 2;
    }
    sum
}

/// Sine and cosine of a fixed-point number by Taylor's series, of its remainder by π/2 after Machin.
fn exactly(x: &BigInt) -> [BigInt; 2] {
    let quarter: BigInt = (inverse_tangent(5) * 4 - inverse_tangent(239)) * 2;
    let turns: BigInt = (x * 2 + &quarter) / (&quarter * 2);
    let angle: BigInt = x - &turns * quarter;
    let series = |first: BigInt, mut k: u32| {
        let (mut term, mut sum) = (first.clone(), first);
        while term != BigInt::ZERO {
            let square: BigInt = (&angle * &angle) >> POINT;
            let product: BigInt = (term * square) >> POINT;
            term = -product / (k * (k + 1));
            sum += &term;
            k += 2;
        }
        sum
    };
    let (sine, cosine) = (
        series(angle.clone(), 2),
        series(BigInt::from(1) << POINT, 1),
    );
    match u32::try_from(turns % 4).expect("an angle that is not negative") {
        0 => [sine, cosine],
        1 => [cosine, -sine],
        2 => [-sine, -cosine],
        _ => [-cosine, sine],
    }
}

#[test]
fn sums_of_two_doubles_are_right() {
    let mut random = super::Random(5);
    for _ in 0..300 {
        let angle = random.angle().abs().max(1e-30);
        let (sine, cosine) = sin_cos(angle);
        for (actual, expected) in [sine, cosine].into_iter().zip(exactly(&fixed(angle))) {
            let difference = fixed(actual.0) + fixed(actual.1) - &expected;
            // 2⁻⁹⁰ of the value.
            let most: BigInt = (expected >> 90) + 1;
            assert!(difference.magnitude() <= most.magnitude(), "{angle:e}");
        }
    }
}
