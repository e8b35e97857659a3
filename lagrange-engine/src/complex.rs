//! Complex numbers with the functions of the graph, by principal branches.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::{Binary, Unary};

/// A complex number `re + i im`.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// 0.
    pub const ZERO: Self = Self::real(0.0);
    /// 1.
    pub const ONE: Self = Self::real(1.0);
    /// The imaginary unit.
    pub const I: Self = Self { re: 0.0, im: 1.0 };

    /// A real number.
    pub const fn real(re: f64) -> Self {
        Self { re, im: 0.0 }
    }

    /// Returns whether the imaginary part is exactly 0.
    pub fn is_real(self) -> bool {
        self.im == 0.0
    }

    /// Returns whether both parts are finite.
    pub fn is_finite(self) -> bool {
        self.re.is_finite() && self.im.is_finite()
    }

    /// The absolute value, without needless overflow.
    pub fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }

    /// re - i im
    #[must_use]
    pub fn conjugate(self) -> Self {
        Self {
            re: self.re,
            im: -self.im,
        }
    }

    /// factor * self
    #[must_use]
    pub fn scale(self, factor: f64) -> Self {
        Self {
            re: factor * self.re,
            im: factor * self.im,
        }
    }

    /// self^n by repeated squaring.
    #[must_use]
    pub fn powi(self, n: i32) -> Self {
        let (mut base, mut left) = (self, n.unsigned_abs());
        let mut result = Self::ONE;
        while left > 0 {
            if left & 1 == 1 {
                result = result * base;
            }
            left >>= 1;
            if left > 0 {
                base = base * base;
            }
        }
        if n < 0 { Self::ONE / result } else { result }
    }

    fn exp(self) -> Self {
        let size = self.re.exp();
        Self {
            re: size * self.im.cos(),
            im: size * self.im.sin(),
        }
    }

    fn ln(self) -> Self {
        Self {
            re: self.abs().ln(),
            im: self.im.atan2(self.re),
        }
    }

    /// The root with a real part that is not negative.
    fn sqrt(self) -> Self {
        let size = self.abs();
        if size == 0.0 {
            return Self::ZERO;
        }
        // The larger part from the sum without cancellation, the other from 2 re im = self.im.
        let large = ((size + self.re.abs()) / 2.0).sqrt();
        let small = self.im.abs() / (2.0 * large);
        let (re, im) = if self.re >= 0.0 {
            (large, small)
        } else {
            (small, large)
        };
        Self {
            re,
            im: im.copysign(self.im),
        }
    }

    fn sin(self) -> Self {
        Self {
            re: self.re.sin() * self.im.cosh(),
            im: self.re.cos() * self.im.sinh(),
        }
    }

    fn cos(self) -> Self {
        Self {
            re: self.re.cos() * self.im.cosh(),
            im: -self.re.sin() * self.im.sinh(),
        }
    }

    fn times_i(self) -> Self {
        Self {
            re: -self.im,
            im: self.re,
        }
    }

    /// `-i ln(i z + sqrt(1 - z^2))`, in the half plane where the two terms do not cancel.
    fn asin(self) -> Self {
        if self.im > 0.0 {
            return -(-self).asin();
        }
        let root = (Self::ONE - self * self).sqrt();
        -(self.times_i() + root).ln().times_i()
    }

    /// `i/2 (ln(1 - i z) - ln(1 + i z))`
    fn atan(self) -> Self {
        let turned = self.times_i();
        ((Self::ONE - turned).ln() - (Self::ONE + turned).ln())
            .times_i()
            .scale(0.5)
    }

    /// f(self) by the principal branch. `abs` and `sign`, which are not analytic, continue the
    /// branch of the real part: `abs(z)` is z or -z.
    #[must_use]
    pub fn unary(self, function: Unary) -> Self {
        if self.is_real() {
            let value = function.value(self.re);
            if value.is_finite() {
                return Self::real(value);
            }
        }
        let turned = self.times_i();
        match function {
            Unary::Sin => self.sin(),
            Unary::Cos => self.cos(),
            Unary::Tan => self.sin() / self.cos(),
            Unary::Asin => self.asin(),
            Unary::Acos => Self::real(std::f64::consts::FRAC_PI_2) - self.asin(),
            Unary::Atan => self.atan(),
            Unary::Sinh => -turned.sin().times_i(),
            Unary::Cosh => turned.cos(),
            Unary::Tanh => -(turned.sin() / turned.cos()).times_i(),
            Unary::Exp => self.exp(),
            Unary::Ln => self.ln(),
            Unary::Sqrt => self.sqrt(),
            Unary::Abs if self.re < 0.0 => -self,
            Unary::Abs => self,
            Unary::Sign => Self::real(Unary::Sign.value(self.re)),
        }
    }

    /// f(x, y) by principal branches; `min` and `max` compare the real parts.
    #[must_use]
    pub fn binary(function: Binary, x: Self, y: Self) -> Self {
        if x.is_real() && y.is_real() {
            let value = function.value(x.re, y.re);
            if value.is_finite() {
                return Self::real(value);
            }
        }
        let norm = || (x * x + y * y).sqrt();
        match function {
            Binary::Atan2 => -((y + x.times_i()) / norm()).ln().times_i(),
            Binary::Min => [x, y][usize::from(y.re < x.re)],
            Binary::Max => [x, y][usize::from(y.re > x.re)],
            Binary::Hypot => norm(),
            Binary::Pow => (y * x.ln()).exp(),
        }
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Complex {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            re: -self.re,
            im: -self.im,
        }
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

impl Div for Complex {
    type Output = Self;

    /// Smith's algorithm: it divides by the larger part of the divisor, so that no square of it overflows.
    fn div(self, other: Self) -> Self {
        if other.re.abs() >= other.im.abs() {
            let ratio = other.im / other.re;
            let size = other.re + other.im * ratio;
            Self {
                re: (self.re + self.im * ratio) / size,
                im: (self.im - self.re * ratio) / size,
            }
        } else {
            let ratio = other.re / other.im;
            let size = other.re * ratio + other.im;
            Self {
                re: (self.re * ratio + self.im) / size,
                im: (self.im * ratio - self.re) / size,
            }
        }
    }
}
