//! Dual numbers: values with their slopes, by the rules of the calculus alone.

use lagrange_engine::{Binary, Unary};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// `value + slope e` with `e^2 = 0`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dual {
    pub(crate) value: f64,
    pub(crate) slope: f64,
}

impl Dual {
    pub(crate) fn constant(value: f64) -> Self {
        Self { value, slope: 0.0 }
    }

    /// A function's value, and its derivative times the slope.
    fn chain(self, value: f64, derivative: f64) -> Self {
        let slope = derivative * self.slope;
        Self { value, slope }
    }

    pub(crate) fn powi(self, n: i32) -> Self {
        let derivative = if n == 0 {
            0.0
        } else {
            f64::from(n) * self.value.powi(n - 1)
        };
        self.chain(self.value.powi(n), derivative)
    }

    pub(crate) fn unary(self, function: Unary) -> Self {
        let x = self.value;
        let derivative = match function {
            Unary::Sin => x.cos(),
            Unary::Cos => -x.sin(),
            Unary::Tan => 1.0 / (x.cos() * x.cos()),
            Unary::Asin => 1.0 / (1.0 - x * x).sqrt(),
            Unary::Acos => -1.0 / (1.0 - x * x).sqrt(),
            Unary::Atan => 1.0 / (1.0 + x * x),
            Unary::Sinh => x.cosh(),
            Unary::Cosh => x.sinh(),
            Unary::Tanh => 1.0 / (x.cosh() * x.cosh()),
            Unary::Exp => x.exp(),
            Unary::Ln => 1.0 / x,
            Unary::Sqrt => 0.5 / x.sqrt(),
            Unary::Abs if x == 0.0 => 0.0,
            Unary::Abs => x.signum(),
            Unary::Sign => 0.0,
        };
        self.chain(function.value(x), derivative)
    }

    pub(crate) fn binary(function: Binary, x: Self, y: Self) -> Self {
        let (a, b) = (x.value, y.value);
        match function {
            Binary::Min => [y, x][usize::from(a <= b)],
            Binary::Max => [y, x][usize::from(b <= a)],
            Binary::Atan2 => {
                let norm = a * a + b * b;
                x.chain(a.atan2(b), b / norm) + y.chain(0.0, -a / norm)
            }
            Binary::Hypot => {
                let norm = a.hypot(b);
                x.chain(norm, a / norm) + y.chain(0.0, b / norm)
            }
            Binary::Pow => {
                let power = a.powf(b);
                x.chain(power, b * a.powf(b - 1.0)) + y.chain(0.0, power * a.ln())
            }
        }
    }
}

impl Add for Dual {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            slope: self.slope + other.slope,
        }
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Dual {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            value: -self.value,
            slope: -self.slope,
        }
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            slope: self.slope * other.value + self.value * other.slope,
        }
    }
}

impl Div for Dual {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self {
            value,
            slope: (self.slope - value * other.slope) / other.value,
        }
    }
}
