//! Complex functions against each other, and against the real ones.

use lagrange_engine::{Binary, Complex, Unary};

const POINTS: [Complex; 5] = [
    Complex { re: 0.7, im: 0.4 },
    Complex { re: -1.3, im: 0.9 },
    Complex { re: 0.2, im: -2.1 },
    Complex { re: -0.6, im: -0.3 },
    Complex { re: 3.1, im: 0.8 },
];

fn close(a: Complex, b: Complex) -> bool {
    (a - b).abs() <= 1e-13 * (1.0 + a.abs() + b.abs())
}

#[test]
fn inverse_functions_invert() {
    for z in POINTS {
        for (inverse, function) in [
            (Unary::Asin, Unary::Sin),
            (Unary::Acos, Unary::Cos),
            (Unary::Atan, Unary::Tan),
            (Unary::Ln, Unary::Exp),
        ] {
            assert!(
                close(z.unary(inverse).unary(function), z),
                "{inverse:?} {z:?}"
            );
        }
        let root = z.unary(Unary::Sqrt);
        assert!(root.re >= 0.0 && close(root * root, z));
    }
}

#[test]
fn functions_agree_with_their_exponentials() {
    for z in POINTS {
        let (up, down) = (z.unary(Unary::Exp), (-z).unary(Unary::Exp));
        assert!(close(z.unary(Unary::Sinh), (up - down).scale(0.5)));
        assert!(close(z.unary(Unary::Cosh), (up + down).scale(0.5)));
        assert!(close(z.unary(Unary::Tanh), (up - down) / (up + down)));
        assert!(close(z.powi(-3) * z * z * z, Complex::ONE));
    }
}

#[test]
fn both_sides_of_the_real_axis_continue_the_real_functions() {
    for function in Unary::ALL {
        let x = Complex { re: 0.4, im: 1e-12 };
        let value = Complex::real(function.value(0.4));
        assert!((x.unary(function) - value).abs() < 1e-11, "{function:?}");
    }
    for function in Binary::ALL {
        let (x, y) = (Complex { re: 0.4, im: 1e-12 }, Complex::real(-0.7));
        let value = Complex::real(function.value(0.4, -0.7));
        assert!(
            (Complex::binary(function, x, y) - value).abs() < 1e-11,
            "{function:?}"
        );
    }
}
