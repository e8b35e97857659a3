//! Values in the field, the doubts that they leave, and the values of numbers and of powers.

use super::super::prime::{self, Element, PRIME, SQUARES};
use crate::Number;

/// The number of points of the field that must agree on a zero, for a value without doubts and for another one.
pub(crate) const ENOUGH: usize = 2;
pub(crate) const DOUBTED: usize = 8;
/// The number of states that must agree if there are branches: some are hardly ever taken.
const BRANCHED: usize = 48;

/// The doubts about an expression that its value leaves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Doubts(u8);

impl Doubts {
    pub(crate) const NONE: Self = Self(0);
    /// There are roots: another sign of a root may give another answer.
    pub(crate) const ROOTS: Self = Self(1);
    /// Branches were taken, and others at another point.
    pub(crate) const BRANCHES: Self = Self(2);
    /// Functions may obey a law that the field cannot represent.
    pub(crate) const LAWS: Self = Self(4);
    /// A number is known only in rounded form.
    pub(crate) const ROUNDED: Self = Self(8);

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The number of points that must agree on a zero.
    pub(crate) fn points_needed(self) -> usize {
        match self {
            Self::NONE => ENOUGH,
            _ => DOUBTED,
        }
    }

    /// The number of states of one system that must agree.
    pub(crate) fn states_needed(self) -> usize {
        match self.has(Self::BRANCHES) {
            true => BRANCHED,
            false => self.points_needed(),
        }
    }
}

/// A value in the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Image {
    /// `None` if the point gives no result: a divisor is zero, or a root of a root does not exist.
    pub(crate) value: Option<Element>,
    pub(crate) doubts: Doubts,
}

impl Image {
    pub(super) const UNKNOWN: Self = Self {
        value: None,
        doubts: Doubts::NONE,
    };

    pub(super) fn certain(value: Element) -> Self {
        Self {
            value: Some(value),
            doubts: Doubts::NONE,
        }
    }

    pub(super) fn with(value: Element, doubts: Doubts) -> Self {
        Self {
            value: Some(value),
            doubts,
        }
    }
}

pub(super) fn half() -> Element {
    Element::of(PRIME.div_ceil(2))
}

/// base^exponent; if the base is not a square, only for an integer exponent.
pub(super) fn rational_power(base: Element, exponent: Number) -> Option<(Element, Doubts)> {
    if let Some(n) = exponent.to_integer() {
        let base = if n < 0 { base.inverse()? } else { base };
        let power = match n.unsigned_abs() {
            1 => base,
            n => base.power(n),
        };
        return Some((power, Doubts::NONE));
    }
    if base.im != 0 || base.sign() < 0 || (base.is_zero() && exponent.is_negative()) {
        return None;
    }
    let exponent = residue(exponent, SQUARES)?;
    Some((base.power(exponent.value), exponent.doubts))
}

pub(super) struct Residue {
    pub(super) value: u64,
    pub(super) doubts: Doubts,
}

/// number * x
pub(super) fn scaled(number: Number, x: Element) -> Option<Image> {
    if number.is_one() {
        return Some(Image::certain(x));
    }
    if number == Number::MINUS_ONE {
        return Some(Image::certain(-x));
    }
    if number == Number::HALF {
        return Some(Image::certain(x * half()));
    }
    let factor = residue(number, PRIME)?;
    let factor_of_x = Element::of(factor.value) * x;
    Some(Image::with(factor_of_x, factor.doubts))
}

/// A number to a prime modulus. A double represents the shortest decimal that reads as it, and is a rounded number if
/// that is long, or the result of such.
pub(super) fn residue(number: Number, modulus: u64) -> Option<Residue> {
    if let Some(n) = number.to_integer() {
        return Some(Residue {
            value: n.rem_euclid(modulus as i64) as u64,
            doubts: Doubts::NONE,
        });
    }
    let of = |n: i128| n.rem_euclid(i128::from(modulus)) as u64;
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64;
    if let Some((num, den)) = number.to_ratio() {
        let above = of(num);
        let value = if den == 1 {
            above
        } else {
            times(above, prime::inverse(of(den), modulus)?)
        };
        return Some(Residue {
            value,
            doubts: Doubts::NONE,
        });
    }
    let (digits, exponent) = number.to_decimal()?;
    let (mut base, mut power, mut left) = (10, 1, exponent.unsigned_abs());
    while left > 0 {
        if left & 1 == 1 {
            power = times(power, base);
        }
        base = times(base, base);
        left >>= 1;
    }
    let power = if exponent < 0 {
        prime::inverse(power, modulus)?
    } else {
        power
    };
    Some(Residue {
        value: times(of(digits), power),
        doubts: if number.is_rounded() {
            Doubts::ROUNDED
        } else {
            Doubts::NONE
        },
    })
}
