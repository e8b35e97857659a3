//! Operands with a separate sign, so that no instruction is spent on a change of sign.

use super::builder::Builder;
use crate::Operand;

/// A value or its negative. The sign of a constant is separate too, except for those of right-hand sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::codegen) struct Signed {
    minus: bool,
    value: Operand,
}

impl Signed {
    pub(in crate::codegen) const ZERO: Self = Self {
        minus: false,
        value: Operand::Constant(0.0),
    };

    pub(in crate::codegen) fn new(minus: bool, value: Operand) -> Self {
        match value {
            Operand::Constant(number) if number < 0.0 => Self {
                minus: !minus,
                value: Operand::Constant(-number),
            },
            _ => Self { minus, value },
        }
    }

    /// A value of a right-hand side: a constant keeps its sign, which is then not part of the solution.
    pub(in crate::codegen) fn of_right_side(value: Operand) -> Self {
        Self {
            minus: false,
            value,
        }
    }

    pub(in crate::codegen) fn is_zero(self) -> bool {
        self.value == Operand::Constant(0.0)
    }

    /// Returns whether the value is 1 or -1.
    pub(in crate::codegen) fn is_unit(self) -> bool {
        self.value == Operand::Constant(1.0)
    }

    pub(in crate::codegen) fn is_minus(self) -> bool {
        self.minus
    }

    pub(in crate::codegen) fn size(self) -> Self {
        Self::new(false, self.value)
    }

    pub(in crate::codegen) fn negated(self) -> Self {
        Self::new(!self.minus, self.value)
    }

    pub(in crate::codegen) fn negated_if(self, condition: bool) -> Self {
        Self::new(self.minus != condition, self.value)
    }

    /// The value without the sign.
    pub(in crate::codegen) fn value(self) -> Operand {
        self.value
    }

    pub(in crate::codegen) fn operand(self, builder: &mut Builder) -> Operand {
        if self.minus && !self.is_zero() {
            builder.neg(self.value)
        } else {
            self.value
        }
    }

    pub(in crate::codegen) fn plus(self, builder: &mut Builder, other: Self) -> Self {
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

    pub(in crate::codegen) fn times(self, builder: &mut Builder, other: Self) -> Self {
        let value = builder.mul(self.value, other.value);
        Self::new(self.minus != other.minus, value)
    }

    /// self + a b
    pub(in crate::codegen) fn plus_product(self, builder: &mut Builder, a: Self, b: Self) -> Self {
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
    pub(in crate::codegen) fn over(self, builder: &mut Builder, other: Self) -> Self {
        if self.is_zero() {
            return Self::ZERO;
        }
        let value = builder.div(self.value, other.value);
        Self::new(self.minus != other.minus, value)
    }

    pub(in crate::codegen) fn recip(self, builder: &mut Builder) -> Self {
        Self::new(self.minus, builder.recip(self.value))
    }
}
