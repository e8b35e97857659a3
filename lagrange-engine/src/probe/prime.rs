//! Arithmetic in the field of a prime p, and in its extension by the square root of -1.
//!
//! p = 2^61 - 917244873 is chosen so that elements behave like real numbers. Half of them, the squares, replace the
//! positive numbers: 2, 3 and the primes up to 47 are squares, and -1 is not, so exactly one of x and -x is a square.
//! The number of squares, (p - 1) / 2, is prime: a square has, for each rational exponent, one power that is a square
//! again. The unit circle has p + 1 = 120 m points with m prime. Among them are the multiples of 15 degrees. Every
//! 120th power also has one power for each rational exponent, which is a multiple of its angle.

use std::ops::{Add, Mul, Neg, Sub};

/// p.
pub(super) const PRIME: u64 = (1 << 61) - GAP;
const GAP: u64 = 917_244_873;
/// The number of squares.
pub(super) const SQUARES: u64 = (PRIME - 1) / 2;
/// Among the points of the circle each `COSET`-th power has the order `TURNS`.
pub(super) const TURNS: u64 = (PRIME + 1) / COSET;
const COSET: u64 = 120;
/// The roots of 2 and 3 that are squares themselves.
const ROOT_2: u64 = 1_316_436_834_589_727_637;
const ROOT_3: u64 = 1_368_403_103_295_290_564;

fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn sub(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + (PRIME - b) }
}

fn mul(a: u64, b: u64) -> u64 {
    const LOW: u128 = (1 << 61) - 1;
    // 2^61 is GAP.
    let fold = |wide: u128| (wide >> 61).wrapping_mul(GAP as u128) + (wide & LOW);
    let twice = fold(fold((a as u128).wrapping_mul(b as u128)));
    twice as u64 % PRIME
}

fn power(base: u64, exponent: u64) -> u64 {
    let (mut base, mut left, mut result) = (base, exponent, 1);
    while left > 0 {
        if left & 1 == 1 {
            result = mul(result, base);
        }
        base = mul(base, base);
        left >>= 1;
    }
    result
}

/// 1 / a to a prime modulus, by Euclid's algorithm; `None` at 0.
pub(super) fn inverse(a: u64, modulus: u64) -> Option<u64> {
    let (mut remainder, mut next_remainder) = (modulus as i64, (a % modulus) as i64);
    let (mut factor, mut next_factor) = (0_i64, 1_i64);
    while next_remainder != 0 {
        let quotient = remainder / next_remainder;
        (remainder, next_remainder) = (next_remainder, remainder - quotient * next_remainder);
        (factor, next_factor) = (next_factor, factor - quotient * next_factor);
    }
    (remainder == 1).then_some(factor.rem_euclid(modulus as i64) as u64)
}

/// The root of a square that is itself a square; `None` if there is none.
fn root(a: u64) -> Option<u64> {
    let root = power(a, (PRIME + 1) / 4);
    (mul(root, root) == a).then_some(root)
}

/// `re + i im` with i^2 = -1: in this extension every element of the field has a root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Element {
    pub(super) re: u64,
    pub(super) im: u64,
}

impl Element {
    pub(crate) const ZERO: Self = Self::of(0);
    pub(crate) const ONE: Self = Self::of(1);

    /// An element of the field, from a number below p.
    pub(super) const fn of(re: u64) -> Self {
        Self { re, im: 0 }
    }

    pub(crate) fn is_zero(self) -> bool {
        self.re == 0 && self.im == 0
    }

    /// `None` at 0.
    pub(crate) fn inverse(self) -> Option<Self> {
        if self.im == 0 {
            return inverse(self.re, PRIME).map(Self::of);
        }
        let norm = inverse(self.norm(), PRIME)?;
        Some(Self {
            re: mul(self.re, norm),
            im: mul(sub(0, self.im), norm),
        })
    }

    fn norm(self) -> u64 {
        add(mul(self.re, self.re), mul(self.im, self.im))
    }

    pub(super) fn power(self, exponent: u64) -> Self {
        let (mut base, mut left, mut result) = (self, exponent, Self::ONE);
        while left > 0 {
            if left & 1 == 1 {
                result = result * base;
            }
            left >>= 1;
            if left > 0 {
                base = base * base;
            }
        }
        result
    }

    /// -1, 0 or 1, depending on whether the real part is a square.
    pub(super) fn sign(self) -> i32 {
        match self.re {
            0 => 0,
            re if power(re, SQUARES) == 1 => 1,
            _ => -1,
        }
    }

    /// For a square the root that is a square too; for another element of the field i times the root of its opposite.
    /// `None` if there is no root: half of the elements with i have none.
    pub(super) fn root(self) -> Option<Self> {
        if self.im == 0 {
            return match root(self.re) {
                Some(root) => Some(Self::of(root)),
                None => root(sub(0, self.re)).map(|im| Self { re: 0, im }),
            };
        }
        let size = root(self.norm())?;
        let half = PRIME.div_ceil(2);
        let of_half = |sum: u64| root(mul(sum, half));
        // The product of both candidates is not a square, so one of them is.
        let re = of_half(add(self.re, size)).or_else(|| of_half(sub(self.re, size)))?;
        let im = mul(self.im, inverse(add(re, re), PRIME)?);
        Some(Self { re, im })
    }
}

impl Add for Element {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            re: add(self.re, other.re),
            im: add(self.im, other.im),
        }
    }
}

impl Sub for Element {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self {
            re: sub(self.re, other.re),
            im: sub(self.im, other.im),
        }
    }
}

impl Neg for Element {
    type Output = Self;
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

impl Mul for Element {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        if self.im == 0 && other.im == 0 {
            return Self::of(mul(self.re, other.re));
        }
        Self {
            re: sub(mul(self.re, other.re), mul(self.im, other.im)),
            im: add(mul(self.re, other.im), mul(self.im, other.re)),
        }
    }
}

/// A point of the unit circle: the sine and cosine of an angle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rotation {
    pub(super) cos: Element,
    pub(super) sin: Element,
}

impl Rotation {
    pub(super) const NONE: Self = Self {
        cos: Element::ONE,
        sin: Element::ZERO,
    };

    /// By 15 degrees.
    pub(super) fn twelfth_of_pi() -> Self {
        let quarter = inverse(4, PRIME).unwrap_or(0);
        let (low, high) = (mul(ROOT_2, quarter), mul(mul(ROOT_2, ROOT_3), quarter));
        Self {
            cos: Element::of(add(high, low)),
            sin: Element::of(sub(high, low)),
        }
    }

    /// A point whose angle can be divided, from any element of the field.
    pub(super) fn from(parameter: u64) -> Self {
        let square = mul(parameter, parameter);
        // -1 is not a square.
        let divisor = inverse(add(1, square), PRIME).unwrap_or(1);
        let point = Self {
            cos: Element::of(mul(sub(1, square), divisor)),
            sin: Element::of(mul(add(parameter, parameter), divisor)),
        };
        point.power(COSET)
    }

    pub(super) fn inverse(self) -> Self {
        Self {
            sin: -self.sin,
            ..self
        }
    }

    /// By the sum of both angles.
    pub(super) fn then(self, other: Self) -> Self {
        Self {
            cos: self.cos * other.cos - self.sin * other.sin,
            sin: self.sin * other.cos + self.cos * other.sin,
        }
    }

    /// By a multiple of the angle.
    pub(super) fn power(self, exponent: u64) -> Self {
        let (mut base, mut left, mut result) = (self, exponent, Self::NONE);
        while left > 0 {
            if left & 1 == 1 {
                result = result.then(base);
            }
            left >>= 1;
            if left > 0 {
                base = base.then(base);
            }
        }
        result
    }
}
