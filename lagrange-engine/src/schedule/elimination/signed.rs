//! Operands with a separate sign, so that no instruction is spent on a change of sign.

use crate::Operand;
use crate::schedule::builder::Builder;

/// A value or its negative. The sign of a constant is separate too, except for those of right-hand sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::schedule) struct Signed {
    minus: bool,
    value: Operand,
}

impl Signed {
    pub(in crate::schedule) const ZERO: Self = Self {
        minus: false,
        value: Operand::Constant(0.0),
    };

    pub(in crate::schedule) fn new(minus: bool, value: Operand) -> Self {
        match value {
            Operand::Constant(number) if number < 0.0 => Self {
                minus: !minus,
                value: Operand::Constant(-number),
            },
            _ => Self { minus, value },
        }
    }

    /// A value of a right-hand side: a constant keeps its sign, which is then not part of the solution.
    pub(super) fn of_right_side(value: Operand) -> Self {
        Self {
            minus: false,
            value,
        }
    }

    pub(in crate::schedule) fn is_zero(self) -> bool {
        self.value == Operand::Constant(0.0)
    }

    /// Returns whether it is 1 or -1.
    pub(in crate::schedule) fn is_unit(self) -> bool {
        self.value == Operand::Constant(1.0)
    }

    pub(in crate::schedule) fn is_minus(self) -> bool {
        self.minus
    }

    pub(super) fn size(self) -> Self {
        Self::new(false, self.value)
    }

    pub(in crate::schedule) fn negated(self) -> Self {
        Self::new(!self.minus, self.value)
    }

    pub(in crate::schedule) fn negated_if(self, condition: bool) -> Self {
        Self::new(self.minus != condition, self.value)
    }

    /// Without the sign.
    pub(in crate::schedule) fn value(self) -> Operand {
        self.value
    }

    pub(in crate::schedule) fn operand(self, builder: &mut Builder) -> Operand {
        if self.minus && !self.is_zero() {
            builder.neg(self.value)
        } else {
            self.value
        }
    }

    /// As an entry of L D.
    pub(super) fn in_lower(self, row: usize, column: usize) -> LowerEntry {
        LowerEntry {
            row,
            column,
            minus: self.minus,
            value: self.value,
        }
    }

    pub(in crate::schedule) fn plus(self, builder: &mut Builder, other: Self) -> Self {
        if self.is_zero() {
            return other;
        }
        if other.is_zero() {
            return self;
        }
        if self == other.negated() {
            return Self::ZERO;
        }
        let value = if self.minus == other.minus {
            builder.add(self.value, other.value)
        } else {
            builder.sub(self.value, other.value)
        };
        Self::new(self.minus, value)
    }

    pub(in crate::schedule) fn times(self, builder: &mut Builder, other: Self) -> Self {
        let value = builder.mul(self.value, other.value);
        Self::new(self.minus != other.minus, value)
    }

    /// self + a b
    pub(super) fn plus_product(self, builder: &mut Builder, a: Self, b: Self) -> Self {
        if self.is_zero() || a.is_unit() || b.is_unit() {
            let product = a.times(builder, b);
            return self.plus(builder, product);
        }
        let value = if self.minus == (a.minus != b.minus) {
            builder.mul_add(a.value, b.value, self.value)
        } else {
            builder.neg_mul_add(a.value, b.value, self.value)
        };
        Self::new(self.minus, value)
    }

    /// self / other; 0 stays 0.
    pub(super) fn over(self, builder: &mut Builder, other: Self) -> Self {
        if self.is_zero() {
            return Self::ZERO;
        }
        let value = builder.div(self.value, other.value);
        Self::new(self.minus != other.minus, value)
    }

    pub(super) fn recip(self, builder: &mut Builder) -> Self {
        Self::new(self.minus, builder.recip(self.value))
    }
}

/// An entry of L D below the diagonal.
#[derive(Clone, Copy, Debug)]
pub struct LowerEntry {
    /// The unknown of its row: a velocity, or a multiplier after all velocities.
    pub row: usize,
    /// The unknown of its column, which was eliminated before.
    pub column: usize,
    /// True if the entry is the negative of the value.
    pub minus: bool,
    /// The value.
    pub value: Operand,
}
