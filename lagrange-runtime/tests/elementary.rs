//! The elementary functions of every scalar within 2 ulp at every finite argument.
//!
//! Doubles are compared with `elementary/reference.txt`, values of 106 bits; singles with the functions
//! of doubles; lanes and dual numbers with both.

use std::f64::consts::FRAC_PI_2;

use lagrange_runtime::{
    math,
    nalgebra::{SimdRealField, SimdValue},
};
use num_dual::{Dual2_64, Dual32, Dual64};
use simba::simd::{AutoF64x2, WideF32x4, WideF32x8, WideF64x4};

const LIMIT: f64 = 2.0;

/// One line of the reference data.
struct Case {
    function: &'static str,
    x: f64,
    /// Not read by functions of one argument.
    y: f64,
    value: (f64, f64),
}

impl Case {
    fn all() -> Vec<Self> {
        let lines = include_str!("elementary/reference.txt").lines();
        lines.map(Self::parse).collect()
    }

    fn parse(line: &'static str) -> Self {
        let (function, numbers) = line.split_once(' ').expect("a name");
        let numbers: Vec<f64> = numbers.split(' ').map(float).collect();
        match *numbers {
            [x, high, low] => Self {
                function,
                x,
                y: 1.0,
                value: (high, low),
            },
            [x, y, high, low] => Self {
                function,
                x,
                y,
                value: (high, low),
            },
            _ => panic!("{line}"),
        }
    }

    /// The error of `actual` in units of the last place of the value.
    fn error(&self, actual: f64) -> f64 {
        let (high, low) = self.value;
        if actual == high || (actual.is_nan() && high.is_nan()) {
            return low.abs() / ulp(high);
        }
        // Beyond the largest number, infinity is within an ulp.
        ((actual - high) - low).abs() / ulp(high)
    }
}

fn float(bits: &str) -> f64 {
    f64::from_bits(u64::from_str_radix(bits, 16).expect("16 digits"))
}

fn ulp(x: f64) -> f64 {
    let size = x.abs().clamp(f64::MIN_POSITIVE, f64::MAX);
    size - size.next_down()
}

/// The function of that name.
fn apply<S: SimdRealField + Copy>(function: &str, x: S, y: S) -> S {
    match function {
        "sin" => math::sin_cos(x).0,
        "cos" => math::sin_cos(x).1,
        "tan" => math::tan(x),
        "asin" => math::asin(x),
        "acos" => math::acos(x),
        "atan" => math::atan(x),
        "sinh" => math::sinh(x),
        "cosh" => math::cosh(x),
        "tanh" => math::tanh(x),
        "exp" => math::exp(x),
        "ln" => math::ln(x),
        "sqrt" => math::sqrt(x),
        "recip" => math::recip(x),
        "atan2" => math::atan2(x, y),
        "hypot" => math::hypot(x, y),
        "powf" => math::powf(x, y),
        _ => panic!("{function}"),
    }
}

/// Returns whether an error is above a limit; NaN is.
fn is_worse(error: f64, limit: f64) -> bool {
    error.is_nan() || error > limit
}

/// The largest error of each function, over all its cases.
fn assert_within(scalar: &str, value: impl Fn(&Case) -> f64) {
    let mut worst: Vec<(&str, f64, f64, f64)> = Vec::new();
    for case in Case::all() {
        let error = case.error(value(&case));
        match worst.iter_mut().find(|entry| entry.0 == case.function) {
            Some(entry) if is_worse(error, entry.1) => {
                *entry = (case.function, error, case.x, case.y);
            }
            Some(_) => {}
            None => worst.push((case.function, error, case.x, case.y)),
        }
    }
    for (function, error, x, y) in &worst {
        println!("{scalar} {function}: {error:.3} ulp at {x:e}, {y:e}");
    }
    let bad: Vec<_> = worst
        .iter()
        .filter(|entry| is_worse(entry.1, LIMIT))
        .collect();
    assert!(bad.is_empty(), "{scalar}: {bad:?}");
}

#[test]
fn doubles() {
    assert_within("f64", |case| apply(case.function, case.x, case.y));
}

/// The functions of the feature `libm` instead of the standard library's, without those that are replaced in both.
#[test]
fn doubles_of_libm() {
    assert_within("libm", |case| {
        let (x, y) = (case.x, case.y);
        match case.function {
            "sin" => libm::sin(x),
            "cos" => libm::cos(x),
            "tan" => libm::tan(x),
            "asin" => libm::asin(x),
            "acos" => libm::acos(x),
            "atan" => libm::atan(x),
            "sinh" => libm::sinh(x),
            "cosh" => libm::cosh(x),
            "exp" => libm::exp(x),
            "ln" => libm::log(x),
            "sqrt" => libm::sqrt(x),
            "atan2" => libm::atan2(x, y),
            "hypot" => libm::hypot(x, y),
            "powf" => libm::pow(x, y),
            replaced => apply(replaced, x, y),
        }
    });
}

#[test]
fn lanes_of_doubles() {
    assert_within("WideF64x4", one_lane::<WideF64x4>);
    assert_within("AutoF64x2", one_lane::<AutoF64x2>);
}

/// In every lane, whatever stands in the others.
fn one_lane<S: SimdRealField + SimdValue<Element = f64> + Copy>(case: &Case) -> f64 {
    let mut first = f64::NAN;
    for (turn, other) in [0.7, 1e30, f64::NAN, f64::INFINITY].into_iter().enumerate() {
        let lane = turn % S::LANES;
        let (mut x, mut y) = (S::splat(other), S::splat(1.5));
        x.replace(lane, case.x);
        y.replace(lane, case.y);
        let result = apply(case.function, x, y).extract(lane);
        assert!(
            turn == 0 || first.to_bits() == result.to_bits(),
            "{} {:e}",
            case.function,
            case.x
        );
        first = result;
    }
    first
}

#[test]
fn values_of_dual_numbers() {
    assert_within("Dual64", |case| {
        let x = Dual64::from_re(case.x).derivative();
        apply(case.function, x, Dual64::from_re(case.y)).re
    });
    assert_within("Dual2_64", |case| {
        let x = Dual2_64::from_re(case.x).derivative();
        apply(case.function, x, Dual2_64::from_re(case.y)).re
    });
}

/// Uniform bits, by a linear congruence (Knuth, *Seminumerical Algorithms*, section 3.3.4).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ (self.0 >> 29)
    }

    /// Any finite float, small and large ones alike, or one of moderate size.
    fn single(&mut self) -> f32 {
        let bits = (self.bits() >> 32) as u32;
        let any = f32::from_bits(bits);
        match bits % 3 {
            0 if any.is_finite() => any,
            1 => (bits as i32) as f32 * 2.0_f32.powi(-28),
            _ => (bits as i32) as f32 * 2.0_f32.powi(-(bits as i32 >> 3 & 31)),
        }
    }
}

const UNARY: [&str; 13] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "ln", "sqrt",
    "recip",
];
const BINARY: [&str; 3] = ["atan2", "hypot", "powf"];

/// The error in units of the last place of a single, by the function of doubles; 0 where there is none.
fn single_error(function: &str, x: f32, y: f32, actual: f32) -> f64 {
    let expected: f64 = apply(function, f64::from(x), f64::from(y));
    let actual = f64::from(actual);
    if expected.is_nan() && actual.is_nan() || expected == actual {
        return 0.0;
    }
    let size = expected
        .abs()
        .clamp(f64::from(f32::MIN_POSITIVE), f64::from(f32::MAX)) as f32;
    let ulp = f64::from(size) - f64::from(size.next_down());
    let ulp = ulp.max(2.0_f64.powi(-149));
    let beyond = f64::from(f32::MAX) + ulp;
    (actual.clamp(-beyond, beyond) - expected.clamp(-beyond, beyond)).abs() / ulp
}

fn assert_singles(scalar: &str, value: impl Fn(&str, f32, f32) -> f32) {
    let mut random = Random(7);
    for function in UNARY.into_iter().chain(BINARY) {
        let mut worst = (0.0, 0.0, 0.0);
        for _ in 0..20_000 {
            let (x, y) = (random.single(), random.single());
            let error = single_error(function, x, y, value(function, x, y));
            if is_worse(error, worst.0) {
                worst = (error, x, y);
            }
        }
        println!(
            "{scalar} {function}: {:.3} ulp at {:e}, {:e}",
            worst.0, worst.1, worst.2
        );
        assert!(worst.0 <= LIMIT, "{scalar} {function}: {worst:?}");
    }
}

#[test]
fn singles() {
    assert_singles("f32", apply);
}

#[test]
fn singles_of_libm() {
    assert_singles("libm", |function, x, y| match function {
        "sin" => libm::sinf(x),
        "cos" => libm::cosf(x),
        "tan" => libm::tanf(x),
        "asin" => libm::asinf(x),
        "acos" => libm::acosf(x),
        "atan" => libm::atanf(x),
        "sinh" => libm::sinhf(x),
        "cosh" => libm::coshf(x),
        "exp" => libm::expf(x),
        "ln" => libm::logf(x),
        "sqrt" => libm::sqrtf(x),
        "atan2" => libm::atan2f(x, y),
        "hypot" => libm::hypotf(x, y),
        "powf" => libm::powf(x, y),
        replaced => apply(replaced, x, y),
    });
}

#[test]
fn lanes_of_singles() {
    assert_singles("WideF32x4", |function, x, y| {
        apply(function, WideF32x4::splat(x), WideF32x4::splat(y)).extract(3)
    });
    assert_singles("WideF32x8", |function, x, y| {
        apply(function, WideF32x8::splat(x), WideF32x8::splat(y)).extract(5)
    });
}

#[test]
fn values_of_single_dual_numbers() {
    assert_singles("Dual32", |function, x, y| {
        apply(
            function,
            Dual32::from_re(x).derivative(),
            Dual32::from_re(y),
        )
        .re
    });
}

/// Angles of every size, half of them as close to multiples of π/2 as floats are, against the library.
#[test]
fn sine_and_cosine_of_lanes_of_doubles() {
    let mut random = Random(3);
    for round in 0..30_000 {
        let mut x = WideF64x4::splat(0.0);
        for lane in 0..4 {
            let fraction = random.bits() as f64 * 2.0_f64.powi(-64);
            let size = 2.0_f64.powi((random.bits() >> 58) as i32 - 32) * (1.0 + fraction);
            let near = (size / FRAC_PI_2).round() * FRAC_PI_2;
            x.replace(lane, if round % 2 == 0 { size } else { -near });
        }
        let (sine, cosine) = math::sin_cos(x);
        for lane in 0..4 {
            let (angle, expected) = (x.extract(lane), x.extract(lane).sin_cos());
            let errors = [
                sine.extract(lane) - expected.0,
                cosine.extract(lane) - expected.1,
            ];
            // The library's may err by half an ulp.
            assert!(errors[0].abs() <= 1.4 * ulp(expected.0), "sin {angle:e}");
            assert!(errors[1].abs() <= 1.4 * ulp(expected.1), "cos {angle:e}");
            assert_eq!(math::sin(x).extract(lane), sine.extract(lane));
            assert_eq!(math::cos(x).extract(lane), cosine.extract(lane));
        }
    }
}

/// Infinity and NaN stay in their lanes, and zeros keep their signs.
#[test]
fn special_angles_of_lanes() {
    let x = WideF64x4::from([f64::INFINITY, 0.5, f64::NAN, -0.0]);
    let (sine, cosine) = math::sin_cos(x);
    let (sine, cosine) = (sine.into_arr(), cosine.into_arr());
    assert!(sine[0].is_nan() && cosine[0].is_nan() && sine[2].is_nan() && cosine[2].is_nan());
    let neighbour = math::sin_cos(WideF64x4::splat(0.5)).0.extract(0);
    assert_eq!(sine[1], neighbour);
    assert!(sine[3] == 0.0 && sine[3].is_sign_negative() && cosine[3] == 1.0);
    let tangents = math::tanh(x).into_arr();
    assert!(tangents[0] == 1.0 && tangents[2].is_nan() && tangents[3].is_sign_negative());
}
