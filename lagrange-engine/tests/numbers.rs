//! Numbers against exact fractions of wide integers.

use crate::cases::cases;
use lagrange_engine::Number;
use proptest::prelude::*;

/// A number and its fraction, small enough that the checks below cannot overflow.
fn fractions() -> impl Strategy<Value = (Number, i128, i128)> {
    (-1_000_000..1_000_000_i64, 1..1_000_000_i64).prop_map(|(num, den)| {
        let number = Number::rational(num, den).unwrap();
        (number, i128::from(num), i128::from(den))
    })
}

/// Numbers of all sizes, and often at an end of a word.
fn words() -> impl Strategy<Value = (i64, i64)> {
    const ENDS: [i64; 7] = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
    let num = prop_oneof![
        prop::sample::select(&ENDS[..]),
        any::<i64>(),
        -1000..1000_i64
    ];
    let den = prop_oneof![prop::sample::select(&ENDS[4..]), 1..i64::MAX, 1..1000_i64];
    (num, den)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn is(number: Number, num: i128, den: i128) -> bool {
    number
        .to_ratio()
        .is_some_and(|(n, d)| d > 0 && n * den == num * d)
}

/// The nearest double, by the decimals of the quotient: more than a tie between two doubles has, and one that stands for the others.
fn by_decimals(num: i128, den: i128) -> f64 {
    let (mut quotient, mut rest) = ((num.abs() / den).to_string(), num.abs() % den);
    let whole = quotient.len();
    let significant = |text: &str| text.trim_start_matches('0').len();
    while significant(&quotient) < 160 && rest != 0 {
        quotient += &(rest * 10 / den).to_string();
        rest = rest * 10 % den;
    }
    let places = quotient.len() - whole + 1;
    let last = if rest == 0 { "0" } else { "1" };
    let sign = if num < 0 { "-" } else { "" };
    format!("{sign}{quotient}{last}e-{places}").parse().unwrap()
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn sums_and_products_are_exact((x, a, b) in fractions(), (y, c, d) in fractions()) {
        prop_assert!(is(x.checked_add(y).unwrap(), a * d + c * b, b * d));
        prop_assert!(is(x.checked_mul(y).unwrap(), a * c, b * d));
        prop_assert!(is(-x, -a, b));
        prop_assert!(is(x.abs(), a.abs(), b));
        prop_assert_eq!(x.is_negative(), a < 0);
        prop_assert_eq!(x.recip().is_none(), a == 0);
        prop_assert_eq!(x == y, a * d == c * b);
    }

    /// Powers leave the rationals behind, and a double stays the same double.
    #[test]
    fn zero_and_one_change_nothing((a, b) in words(), n in 1..9_i32) {
        let number = Number::rational(a, b).unwrap();
        for x in number.powi(n).into_iter().chain([Number::float(a as f64 / b as f64)]) {
            prop_assert_eq!(x.checked_add(Number::ZERO), Some(x));
            prop_assert_eq!(Number::ZERO.checked_add(x), Some(x));
            prop_assert_eq!(x.checked_mul(Number::ONE), Some(x));
            prop_assert_eq!(Number::ONE.checked_mul(x), Some(x));
        }
    }

    /// Numerators and denominators of all sizes, at the ends of a word too: numbers of one word have ways of their own.
    #[test]
    fn words_and_more_are_alike((a, b) in words(), (c, d) in words()) {
        let [x, y] = [(a, b), (c, d)].map(|(num, den)| Number::rational(num, den).unwrap());
        let [a, b, c, d] = [a, b, c, d].map(i128::from);
        prop_assert_eq!(x.is_negative(), a < 0);
        prop_assert_eq!(x.abs().is_negative(), false);
        prop_assert_eq!(-(-x), x);
        prop_assert_eq!(x.recip().map(|inverse| inverse.recip()), (a != 0).then_some(Some(x)));
        prop_assert!(is(x, a, b) && is(-x, -a, b) && (a == 0 || is(x.recip().unwrap(), b * a.signum(), a.abs())));
        let product = x.checked_mul(y).unwrap();
        prop_assert_eq!(product, y.checked_mul(x).unwrap());
        let (value, nearly) = (product.to_f64(), (a * c) as f64 / (b * d) as f64);
        prop_assert!((value - nearly).abs() <= 4.0 * f64::EPSILON * nearly.abs());
        // In lowest terms, so that equal numbers are one.
        let common = gcd(a * c, b * d);
        let (num, den) = (a * c / common, b * d / common);
        if num.abs() < 1 << 95 && den < 1 << 95 {
            prop_assert_eq!(product.to_ratio(), Some((num, den)));
        }
        let sum = x.checked_add(y).unwrap();
        if let Some(num) = (a * d).checked_add(c * b) {
            let common = gcd(num, b * d);
            let (num, den) = (num / common, b * d / common);
            if num.abs() < 1 << 95 && den < 1 << 95 {
                prop_assert_eq!(sum.to_ratio(), Some((num, den)));
            }
        }
    }

    #[test]
    fn doubles_are_the_nearest(
        parts in prop::collection::vec((1..i64::MAX, 0..63_u32, 1..i64::MAX, 0..63_u32), 1..5),
        is_negative in any::<bool>(),
    ) {
        let mut number = if is_negative { Number::MINUS_ONE } else { Number::ONE };
        for (num, narrower, den, narrower_den) in parts {
            let factor = Number::rational(num >> narrower, (den >> narrower_den).max(1)).unwrap();
            number = number.checked_mul(factor).unwrap();
            let Some((num, den)) = number.to_ratio() else { break };
            prop_assert_eq!(number.to_f64(), by_decimals(num, den));
        }
    }

    /// Halfway between two doubles, and next to that.
    #[test]
    fn ties_are_to_even(odd in 1 << 52..1_i64 << 53, wider in 0..30_i32, off in -1..2_i64, den in 1..1_000_i64) {
        let doubled = Number::integer(odd).checked_mul(Number::integer(2)).unwrap();
        let power = Number::integer(2).powi(wider).unwrap();
        let tie = doubled.checked_add(Number::ONE).unwrap().checked_mul(power).unwrap();
        let number = tie.checked_add(Number::rational(off, den).unwrap()).unwrap();
        for number in [number, number.checked_mul(Number::integer(2).powi(-50).unwrap()).unwrap()] {
            let (num, den) = number.to_ratio().unwrap();
            prop_assert_eq!(number.to_f64(), by_decimals(num, den));
        }
    }

    #[test]
    fn powers_and_roots_undo_each_other((x, a, b) in fractions(), n in 0..4_i32) {
        let power = x.powi(n).unwrap();
        if let Some((num, den)) = power.to_ratio() {
            let n = n.unsigned_abs();
            prop_assert!(num * b.pow(n) == den * a.pow(n));
        }
        prop_assert_eq!(x.powi(2).unwrap().exact_sqrt(), Some(x.abs()));
        if a != 0 {
            prop_assert_eq!(x.powi(-n), power.recip());
        }
    }

    #[test]
    fn decimals_round_as_the_compiler_does(
        whole in 0..10_000_000_000_u64, digits in "[0-9]{1,20}", power in -25..25_i32,
    ) {
        let text = format!("{whole}.{digits}e{power}");
        prop_assert_eq!(Number::parse(&text).unwrap().to_f64(), text.parse::<f64>().unwrap());
    }

    #[test]
    fn doubles_are_kept(bits in any::<u64>()) {
        let double = f64::from_bits(bits);
        prop_assume!(double.is_finite());
        prop_assert_eq!(Number::float(double).to_f64(), double);
    }

    #[test]
    fn nothing_overflows(
        parts in prop::collection::vec((any::<i64>(), any::<i64>(), -40..40_i32), 1..12),
    ) {
        let mut number = Number::ONE;
        let mut double = 1.0_f64;
        for (num, den, power) in parts {
            let Some(factor) = Number::rational(num, den) else { continue };
            for next in [
                factor.powi(power).and_then(|power| number.checked_mul(power)),
                number.checked_add(factor),
                number.recip(),
            ]
            .into_iter()
            .flatten()
            {
                number = next;
                double = number.to_f64();
                prop_assert!(double.is_finite());
                prop_assert_eq!(Number::is_negative(number), double < 0.0);
            }
        }
        prop_assert_eq!((-number).to_f64(), -double);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-+0-9._eE]{0,40}") {
        if let Some(number) = Number::parse(&text) {
            prop_assert!(number.to_f64().is_finite());
        }
    }
}

#[test]
fn the_largest_integers_do_not_overflow() {
    for text in [
        "170141183460469231731687303715884105727",
        "-170141183460469231731687303715884105728",
        "340282366920938463463374607431768211456",
    ] {
        assert_eq!(
            Number::parse(text).unwrap().to_f64(),
            text.parse::<f64>().unwrap()
        );
    }
    // The product of two exact numbers that is the smallest wide integer.
    let (a, b) = (
        Number::integer(2).powi(64).unwrap(),
        Number::integer(2).powi(63).unwrap(),
    );
    assert_eq!((-a).checked_mul(b).unwrap().to_f64(), -(2.0_f64.powi(127)));
}

#[test]
fn decimals_are_exact_and_round_as_the_literal() {
    for text in [
        "0.1",
        "9.81",
        "1e-3",
        "123456789.123456789",
        "6.02214076e23",
    ] {
        let number = Number::parse(text).unwrap();
        assert!(number.to_ratio().is_some(), "{text}");
        assert_eq!(number.to_f64(), text.parse::<f64>().unwrap(), "{text}");
    }
}

#[test]
fn rationals_beyond_the_limit_become_doubles() {
    let big = Number::parse("1e30").unwrap();
    let product = big.checked_mul(big).unwrap();
    assert_eq!(product.to_ratio(), None);
    // 1e30 is no double, and the product is rounded once.
    assert_eq!(product.to_f64(), 1e60);
    assert_eq!(
        Number::parse("1e300")
            .unwrap()
            .checked_mul(Number::parse("1e300").unwrap()),
        None
    );
}

#[test]
fn powers_and_roots_are_exact() {
    let third = Number::rational(1, 3).unwrap();
    assert_eq!(third.powi(-3), Some(Number::integer(27)));
    assert_eq!(
        Number::rational(4, 9).unwrap().exact_sqrt(),
        Number::rational(2, 3)
    );
    assert_eq!(Number::integer(2).exact_sqrt(), None);
    assert_eq!(Number::ZERO.powi(-1), None);
}
