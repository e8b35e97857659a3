//! The elementary functions for each kind of scalar, at the points where they are easily wrong.

use std::f64::consts::{FRAC_PI_2, LN_2, PI};

use lagrange_runtime::math;
use num_dual::{Dual2_64, Dual64, HyperDual64};
use simba::simd::{SimdValue, WideF64x4};

fn variable(x: f64) -> Dual64 {
    Dual64::from_re(x).derivative()
}

fn parameter(x: f64) -> Dual64 {
    Dual64::from_re(x)
}

#[track_caller]
fn assert_close(actual: f64, expected: f64) {
    let same = actual == expected || (actual.is_nan() && expected.is_nan());
    assert!(
        same || (actual - expected).abs() <= 4e-15 * expected.abs().max(1e-300),
        "{actual:e} is not {expected:e}"
    );
}

#[track_caller]
fn assert_dual(actual: Dual64, value: f64, derivative: f64) {
    assert_close(actual.re, value);
    assert_close(actual.eps, derivative);
}

/// Checks one function of one argument against the standard library's, for every kind of scalar, and
/// its derivative against the analytic one.
macro_rules! check_unary {
    ($name:ident, $value:expr, $derivative:expr, $points:expr) => {{
        let value: fn(f64) -> f64 = $value;
        let derivative: fn(f64) -> f64 = $derivative;
        let points: [f64; 4] = $points;
        let lanes = math::$name(WideF64x4::from(points)).into_arr();
        for (x, lane) in points.into_iter().zip(lanes) {
            assert_close(math::$name(x), value(x));
            assert_close(lane, value(x));
            assert_dual(math::$name(variable(x)), value(x), derivative(x));
            let single = math::$name(x as f32);
            assert!((f64::from(single) - value(x)).abs() <= 4e-6 * (1.0 + value(x).abs()));
        }
    }};
}

#[test]
fn unary_functions_and_their_derivatives() {
    let angles = [-2.5, -0.1, 0.3, 1.5];
    let fractions = [-0.9, -0.2, 0.3, 0.7];
    let positive = [0.1, 0.9, 2.0, 7.0];
    check_unary!(sin, f64::sin, f64::cos, angles);
    check_unary!(cos, f64::cos, |x| -x.sin(), angles);
    check_unary!(tan, f64::tan, |x| x.cos().powi(-2), angles);
    check_unary!(asin, f64::asin, |x| (1.0 - x * x).powf(-0.5), fractions);
    check_unary!(acos, f64::acos, |x| -(1.0 - x * x).powf(-0.5), fractions);
    check_unary!(atan, f64::atan, |x| 1.0 / (1.0 + x * x), angles);
    check_unary!(sinh, f64::sinh, f64::cosh, angles);
    check_unary!(cosh, f64::cosh, f64::sinh, angles);
    check_unary!(exp, f64::exp, f64::exp, angles);
    check_unary!(ln, f64::ln, f64::recip, positive);
    check_unary!(sqrt, f64::sqrt, |x| 0.5 / x.sqrt(), positive);
    check_unary!(
        recip,
        f64::recip,
        |x| -1.0 / (x * x),
        [-2.0, -0.1, 0.3, 5.0]
    );
    check_unary!(abs, f64::abs, f64::signum, angles);
    check_unary!(sign, f64::signum, |_| 0.0, angles);
    check_unary!(tanh, f64::tanh, |x| x.cosh().powi(-2), angles);
}

#[test]
fn sine_and_cosine_of_one_angle() {
    let (sine, cosine) = math::sin_cos(variable(0.7));
    assert_dual(sine, 0.7_f64.sin(), 0.7_f64.cos());
    assert_dual(cosine, 0.7_f64.cos(), -0.7_f64.sin());
}

#[test]
fn abs_and_sign_have_derivative_zero_at_zero() {
    for zero in [0.0, -0.0] {
        assert_dual(math::abs(variable(zero)), 0.0, 0.0);
        assert_dual(math::sign(variable(zero)), 0.0, 0.0);
        assert_eq!(math::sign(zero), 0.0);
    }
    let signs = math::sign(WideF64x4::from([-2.0, 0.0, f64::NAN, f64::INFINITY])).into_arr();
    assert_eq!([signs[0], signs[1], signs[3]], [-1.0, 0.0, 1.0]);
    assert!(signs[2].is_nan() && math::sign(f64::NAN).is_nan() && math::abs(f64::NAN).is_nan());
}

#[test]
fn tanh_does_not_overflow() {
    assert_dual(math::tanh(variable(1000.0)), 1.0, 0.0);
    assert_dual(math::tanh(variable(-1000.0)), -1.0, 0.0);
    let slope = 4.0 * (-40.0_f64).exp();
    let steep = math::tanh(variable(20.0));
    assert_close(steep.re, 1.0);
    assert!((steep.eps - slope).abs() < 1e-12 * slope);
}

#[test]
fn atan2_in_every_direction() {
    for step in 0..16 {
        let angle = f64::from(step) * PI / 8.0 - PI + 0.1;
        for radius in [1e-180, 1.0, 1e150] {
            let (y, x) = (radius * angle.sin(), radius * angle.cos());
            assert_close(math::atan2(y, x), y.atan2(x));
            let by_y = math::atan2(variable(y), parameter(x));
            let by_x = math::atan2(parameter(y), variable(x));
            assert_close(by_y.re, y.atan2(x));
            assert!((by_y.eps * radius - angle.cos()).abs() < 1e-14);
            assert!((by_x.eps * radius + angle.sin()).abs() < 1e-14);
        }
    }
}

#[test]
fn atan2_on_the_axes() {
    assert_dual(math::atan2(parameter(1.0), variable(0.0)), FRAC_PI_2, -1.0);
    assert_dual(math::atan2(parameter(-2.0), variable(0.0)), -FRAC_PI_2, 0.5);
    assert_dual(math::atan2(variable(0.0), parameter(-1.0)), PI, -1.0);
    assert_dual(
        math::atan2(parameter(1.0), variable(1e-200)),
        FRAC_PI_2,
        -1.0,
    );
    let lanes = math::atan2(
        WideF64x4::from([1.0, -1.0, 0.0, -0.0]),
        WideF64x4::from([0.0, 0.0, -1.0, -1.0]),
    );
    assert_eq!(lanes.into_arr(), [FRAC_PI_2, -FRAC_PI_2, PI, -PI]);
}

#[test]
fn min_and_max_are_branchwise() {
    let (a, b) = (variable(1.0), parameter(2.0));
    assert_dual(math::min(a, b), 1.0, 1.0);
    assert_dual(math::min(b, a), 1.0, 1.0);
    assert_dual(math::max(a, b), 2.0, 0.0);
    assert_dual(math::max(b, a), 2.0, 0.0);
    let tie = parameter(1.0);
    assert_dual(math::min(a, tie), 1.0, 1.0);
    assert_dual(math::min(tie, a), 1.0, 0.0);
    assert_dual(math::max(a, tie), 1.0, 1.0);
    assert_dual(math::max(tie, a), 1.0, 0.0);
}

#[test]
fn min_and_max_keep_nan() {
    for (a, b) in [(f64::NAN, 1.0), (1.0, f64::NAN)] {
        assert!(math::min(a, b).is_nan() && math::max(a, b).is_nan());
        let (a, b) = (WideF64x4::from([a; 4]), WideF64x4::from([b; 4]));
        assert!(math::min(a, b).into_arr().iter().all(|x| x.is_nan()));
        assert!(math::max(a, b).into_arr().iter().all(|x| x.is_nan()));
    }
    let infinite = math::max(f64::INFINITY, f64::NEG_INFINITY);
    assert_eq!(infinite, f64::INFINITY);
}

#[test]
fn hypot_neither_overflows_nor_underflows() {
    for scale in [1e-200, 1.0, 1e200] {
        assert_close(math::hypot(3.0 * scale, 4.0 * scale), 5.0 * scale);
        let length = math::hypot(variable(3.0 * scale), parameter(-4.0 * scale));
        assert_dual(length, 5.0 * scale, 0.6);
        let lanes = math::hypot(
            WideF64x4::from([3.0 * scale; 4]),
            WideF64x4::from([4.0 * scale; 4]),
        );
        lanes
            .into_arr()
            .into_iter()
            .for_each(|lane| assert_close(lane, 5.0 * scale));
    }
    assert_dual(math::hypot(parameter(0.0), variable(-2.0)), 2.0, -1.0);
    assert_eq!(math::hypot(parameter(0.0), parameter(0.0)).re, 0.0);
    assert_eq!(
        math::hypot(variable(f64::INFINITY), parameter(1.0)).re,
        f64::INFINITY
    );
}

#[test]
fn real_powers() {
    for (x, y) in [(2.0, 1.5), (0.3, -2.5), (1e3, 40.25), (5.0, 0.0)] {
        let power = f64::powf(x, y);
        assert_close(math::powf(x, y), power);
        assert_dual(
            math::powf(variable(x), parameter(y)),
            power,
            y * f64::powf(x, y - 1.0),
        );
        assert_dual(math::powf(parameter(x), variable(y)), power, power * x.ln());
    }
}

#[test]
fn real_powers_of_zero_and_of_negative_numbers() {
    assert_dual(math::powf(variable(-2.0), parameter(3.0)), -8.0, 12.0);
    assert_dual(math::powf(variable(0.0), parameter(2.5)), 0.0, 0.0);
    assert_dual(math::powf(variable(0.0), parameter(1.0)), 0.0, 1.0);
    assert_dual(math::powf(variable(0.0), parameter(0.0)), 1.0, 0.0);
    let root = math::powf(variable(0.0), parameter(0.5));
    assert!(root.re == 0.0 && !root.eps.is_finite());
    assert!(math::powf(variable(-2.0), parameter(0.5)).re.is_nan());
    assert_eq!(
        math::powf(parameter(0.0), parameter(-1.0)).re,
        f64::INFINITY
    );
}

#[test]
fn whole_powers() {
    for n in [-17, -3, -1, 0, 1, 2, 3, 12, 65] {
        for x in [-1.25, 0.75, 2.0] {
            let (power, slope) = (f64::powi(x, n), f64::from(n) * f64::powi(x, n - 1));
            let dual = math::powi(variable(x), n);
            for actual in [
                math::powi(x, n),
                dual.re,
                math::powi(WideF64x4::from([x; 4]), n).into_arr()[2],
            ] {
                assert!((actual - power).abs() <= 1e-14 * power.abs());
            }
            assert!((dual.eps - slope).abs() <= 3e-14 * slope.abs());
        }
    }
    assert_dual(math::powi(variable(1e-100), -1), 1e100, -1e200);
    assert_eq!(math::powi(1.0, i32::MIN), 1.0);
    assert_eq!(math::powi(variable(1.0), i32::MIN).eps, f64::from(i32::MIN));
}

#[test]
fn products_and_sums() {
    assert_eq!(math::mul_add(2.0, 3.0, 4.0), 10.0);
    assert_eq!(math::neg_mul_add(2.0, 3.0, 4.0), -2.0);
    let (a, b, c) = (variable(2.0), parameter(3.0), parameter(4.0));
    assert_dual(math::mul_add(a, b, c), 10.0, 3.0);
    assert_dual(math::mul_add(b, c, a), 14.0, 1.0);
    assert_dual(math::neg_mul_add(a, b, c), -2.0, -3.0);
    assert_dual(math::neg_mul_add(b, c, a), -10.0, 1.0);
    let lanes = WideF64x4::from([1.0, 2.0, 3.0, 4.0]);
    assert_eq!(
        math::mul_add(lanes, lanes, lanes).into_arr(),
        [2.0, 6.0, 12.0, 20.0]
    );
    assert_eq!(
        math::neg_mul_add(lanes, lanes, lanes).into_arr(),
        [0.0, -2.0, -6.0, -12.0]
    );
}

#[test]
fn selection_by_lane() {
    let a = WideF64x4::from([1.0, 2.0, 3.0, f64::NAN]);
    let b = WideF64x4::from([2.0; 4]);
    let (yes, no) = (WideF64x4::from([1.0; 4]), WideF64x4::from([0.0; 4]));
    assert_eq!(
        math::select_lt(a, b, yes, no).into_arr(),
        [1.0, 0.0, 0.0, 0.0]
    );
    assert_eq!(
        math::select_le(a, b, yes, no).into_arr(),
        [1.0, 1.0, 0.0, 0.0]
    );
    assert_eq!(
        math::select_eq(a, b, yes, no).into_arr(),
        [0.0, 1.0, 0.0, 0.0]
    );
    assert_eq!(
        math::select_ne(a, b, yes, no).into_arr(),
        [1.0, 0.0, 1.0, 1.0]
    );
}

#[test]
fn selection_keeps_derivatives() {
    let (x, y) = (variable(5.0), parameter(7.0));
    assert_dual(
        math::select_lt(parameter(1.0), parameter(2.0), x, y),
        5.0,
        1.0,
    );
    assert_dual(
        math::select_lt(parameter(2.0), parameter(2.0), x, y),
        7.0,
        0.0,
    );
    assert_dual(
        math::select_le(parameter(2.0), parameter(2.0), x, y),
        5.0,
        1.0,
    );
    assert_dual(
        math::select_eq(variable(2.0), parameter(2.0), x, y),
        5.0,
        1.0,
    );
    assert_dual(
        math::select_ne(variable(2.0), parameter(2.0), x, y),
        7.0,
        0.0,
    );
    assert_eq!(math::select_ne(f64::NAN, f64::NAN, 1.0, 0.0), 1.0);
}

#[test]
fn second_derivatives() {
    let x = Dual2_64::from_re(3.0).derivative();
    let power = math::powf(x, Dual2_64::from_re(2.5));
    assert_close(power.v1, 2.5 * 3.0_f64.powf(1.5));
    assert!((power.v2 - 2.5 * 1.5 * 3.0_f64.sqrt()).abs() < 1e-13);
    let whole = math::powi(x, 5);
    assert_eq!([whole.re, whole.v1, whole.v2], [243.0, 405.0, 540.0]);
    let length = math::hypot(x, Dual2_64::from_re(4.0));
    assert!((length.v2 - 16.0 / 125.0).abs() < 1e-15);
    let angle = math::atan2(Dual2_64::from_re(1.0), Dual2_64::from_re(0.0).derivative());
    assert_eq!([angle.re, angle.v1, angle.v2], [FRAC_PI_2, -1.0, 0.0]);
}

#[test]
fn mixed_derivatives() {
    let x = HyperDual64::from_re(2.0).derivative1();
    let y = HyperDual64::from_re(3.0).derivative2();
    let power = math::powf(x, y);
    // d²(x^y) / dx dy = x^(y - 1) (1 + y ln x)
    assert!((power.eps1eps2 - 4.0 * (1.0 + 3.0 * LN_2)).abs() < 1e-13);
    let steep = math::tanh(x * y);
    assert_close(steep.re, 6.0_f64.tanh());
}

/// Angles of all sizes: between the right angles next to the limits of the method, beyond them, and none.
const ANGLES: [f64; 16] = [
    0.0,
    -0.0,
    1e-300,
    -0.7,
    FRAC_PI_2,
    -PI,
    3.9,
    99_999.9,
    1e5,
    -100_000.1,
    1e8,
    -1e22,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Such as vectors take together, one large one among which sends all to the other way.
const SMALL_ANGLES: [f64; 16] = [
    0.0, -0.0, 1e-300, -0.7, FRAC_PI_2, -PI, 3.9, 99_999.9, -1e5, 0.3, -2.4, 5.5, -7.1, 1e-9,
    -31.4, 1.1,
];

macro_rules! check_abreast {
    ($count:literal) => {
        for (start, all) in (0..16).flat_map(|start| [(start, ANGLES), (start, SMALL_ANGLES)]) {
            let angles: [f64; $count] = std::array::from_fn(|i| all[(start + 3 * i) % 16]);
            let bits = |(sines, cosines): ([f64; $count], [f64; $count])| {
                [sines, cosines].map(|values| values.map(f64::to_bits))
            };
            let each = angles.map(math::sin_cos);
            let each = (each.map(|one| one.0), each.map(|one| one.1));
            assert_eq!(
                bits(math::sin_cos_abreast(angles)),
                bits(each),
                "{angles:?}"
            );

            let singles = angles.map(|angle| angle as f32);
            let each = singles.map(math::sin_cos);
            let (sines, cosines) = math::sin_cos_abreast(singles);
            for (i, (sine, cosine)) in each.into_iter().enumerate() {
                assert_eq!(sine.to_bits(), sines[i].to_bits());
                assert_eq!(cosine.to_bits(), cosines[i].to_bits());
            }

            let lanes = angles.map(|angle| WideF64x4::from([angle, 0.5, -angle, 1.5]));
            let (sines, _) = math::sin_cos_abreast(lanes);
            for (sine, lane) in sines.into_iter().zip(lanes) {
                let one = math::sin_cos(lane).0.into_arr().map(f64::to_bits);
                assert_eq!(sine.into_arr().map(f64::to_bits), one);
            }
        }
    };
}

#[test]
fn several_angles_at_once_have_the_bits_of_one() {
    check_abreast!(2);
    check_abreast!(3);
    check_abreast!(4);
    check_abreast!(5);
    check_abreast!(6);
    check_abreast!(7);
    check_abreast!(8);
}

#[test]
fn several_dual_numbers_at_once_carry_their_derivatives() {
    let (sines, cosines) = math::sin_cos_abreast([variable(0.3), parameter(1.1)]);
    assert_dual(sines[0], 0.3_f64.sin(), 0.3_f64.cos());
    assert_dual(cosines[0], 0.3_f64.cos(), -0.3_f64.sin());
    assert_dual(sines[1], 1.1_f64.sin(), 0.0);
    assert_dual(cosines[1], 1.1_f64.cos(), 0.0);
}

#[test]
fn a_curve_has_the_piece_right_of_a_break() {
    for count in 2..40 {
        let breaks: Vec<f64> = (0..count).map(|i| -0.7 + 0.1 * f64::from(i)).collect();
        // Each tells its number by its slope.
        let pieces = (0..=count).map(|piece| [0.0, f64::from(piece), 0.0, 0.0]);
        let pieces: Vec<[f64; 4]> = pieces.collect();
        let spaced = math::Curve {
            scale: f64::from(count - 1) / (breaks[breaks.len() - 1] - breaks[0]),
            breaks: &breaks,
            pieces: &pieces,
        };
        let searched = math::Curve {
            scale: 0.0,
            ..spaced
        };
        let near = breaks
            .iter()
            .flat_map(|at| [at.next_down(), *at, at.next_up()]);
        let far = [f64::MIN, -1e9, -1.0, 0.123, 8.0, 1e300, f64::MAX];
        for x in near.chain(far) {
            let piece = breaks.iter().filter(|at| **at <= x).count() as f64;
            assert_eq!(math::curve(x, 1, &spaced), piece, "{x} of {count}");
            assert_eq!(math::curve(x, 1, &searched), piece, "{x} of {count}");
            assert_eq!(math::curve(variable(x), 1, &spaced).re, piece, "{x}");
        }
    }
}

#[test]
fn curves_have_derivatives_lanes_and_no_panics() {
    let curve = math::Curve {
        scale: 1.0,
        breaks: &[0.0, 1.0, 2.0],
        pieces: &[
            [1.0, -1.0, 0.0, 0.0],
            [1.0, -1.0, 2.0, 0.5],
            [2.5, 4.5, -1.0, 0.25],
            [6.25, 3.25, 0.0, 0.0],
        ],
    };
    let controls = [0.3, -1.0, 2.0, 0.5, -0.25];
    let both = |order, x: Dual64| {
        let constants = controls.map(parameter);
        [
            math::curve(x, order, &curve),
            math::spline_by_controls(x, order, &curve, &constants),
        ]
    };
    for x in [-3.0, 0.0, 0.3, 1.0, 1.7, 2.0, 5.0] {
        for order in 0..4 {
            for (value, slope) in both(order, variable(x))
                .into_iter()
                .zip(both(order + 1, variable(x)))
            {
                assert!((value.eps - slope.re).abs() < 1e-14, "{order} at {x}");
            }
        }
        // By one of the control values.
        let mut moved = controls.map(parameter);
        moved[2] = variable(controls[2]);
        let column = math::spline_by_controls(parameter(x), 0, &curve, &moved).eps;
        let mut unit = [0.0; 5];
        unit[2] = 1.0;
        let basis = math::spline_by_controls(x, 0, &curve, &unit);
        assert!((column - basis).abs() < 1e-15, "{x}");
    }
    let places = [-3.0, 0.3, 1.0, 7.0];
    let lanes = WideF64x4::from(places);
    let values = math::curve(lanes, 0, &curve);
    let by_lane = controls.map(WideF64x4::splat);
    let splines = math::spline_by_controls(lanes, 2, &curve, &by_lane);
    for (lane, x) in places.into_iter().enumerate() {
        assert_eq!(values.extract(lane), math::curve(x, 0, &curve));
        let alone = math::spline_by_controls(x, 2, &curve, &controls);
        assert!((splines.extract(lane) - alone).abs() < 1e-14);
    }
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for order in 0..6 {
            assert!(!math::curve(bad, order, &curve).is_finite());
            assert!(!math::spline_by_controls(bad, order, &curve, &controls).is_finite());
            assert!(!math::curve(bad as f32, order, &curve).is_finite());
        }
    }
    // Parts that do not fit together give a value, and no panic.
    let empty = math::Curve {
        scale: 1.0,
        breaks: &[],
        pieces: &[],
    };
    assert_eq!(math::curve(0.5, 0, &empty), 0.0);
    assert_eq!(math::spline_by_controls(0.5, 0, &empty, &[]), 0.0);
}
