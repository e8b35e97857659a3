//! Products, alone and as parts of sums, in which numbers scale them.

use super::{Lowering, What};
use crate::codegen::cse::pairs::{Atom, Term};
use crate::codegen::cse::plan::Factors;
use crate::codegen::ir::Operand;
use crate::{NodeId, Number};

/// A summand: a value that must still be scaled, or two scaled factors that must still be multiplied.
enum Summand {
    Value(Operand),
    Product([Operand; 2]),
}

impl Lowering<'_> {
    /// coefficient * what
    pub(super) fn scale(&mut self, coefficient: Number, what: What) -> Operand {
        let factor = Operand::Constant(coefficient.to_f64());
        match self.lower_summand(coefficient, what) {
            Summand::Value(value) => self.builder.mul(factor, value),
            Summand::Product([a, b]) => self.builder.mul(a, b),
        }
    }

    /// A scaled product as two factors. The number goes to a factor that exists in this scaled form, to that of the
    /// plan, or to the first of the two.
    fn scale_factors(&mut self, scale: Number, factors: &[Term]) -> [Operand; 2] {
        let planned = self.plan.scaled_factor(scale, factors);
        let mut operands: Vec<Operand> = factors
            .iter()
            .map(|(_, factor)| self.lower_product_atom(*factor))
            .collect();
        let scale = Operand::Constant(scale.to_f64());
        let known = operands
            .iter()
            .position(|factor| self.builder.has_product(scale, *factor));
        let scaled = known.or(planned);
        if let Some(position) = scaled {
            operands[position] = self.builder.mul(scale, operands[position]);
        }
        let [a, b] = self.join_factors(&operands);
        match scaled {
            Some(_) => [a, b],
            None => [self.builder.mul(scale, a), b],
        }
    }

    /// The last one of several factors, and the product of the others.
    fn join_factors(&mut self, operands: &[Operand]) -> [Operand; 2] {
        let one = Operand::Constant(1.0);
        let Some((last, head)) = operands.split_last() else {
            return [one, one];
        };
        let product = head
            .iter()
            .fold(one, |product, factor| self.builder.mul(product, *factor));
        [product, *last]
    }

    /// total + coefficient * what
    pub(super) fn add_scaled(
        &mut self,
        total: Operand,
        coefficient: Number,
        what: What,
    ) -> Operand {
        let size = coefficient.abs();
        let factor = Operand::Constant(size.to_f64());
        let (a, b) = match self.lower_summand(size, what) {
            Summand::Value(value) if size.is_one() => {
                return if coefficient.is_negative() {
                    self.builder.sub(total, value)
                } else {
                    self.builder.add(total, value)
                };
            }
            Summand::Value(value) => (factor, value),
            Summand::Product([a, b]) => (a, b),
        };
        if coefficient.is_negative() {
            self.builder.neg_mul_add(a, b, total)
        } else {
            self.builder.mul_add(a, b, total)
        }
    }

    fn lower_summand(&mut self, scale: Number, what: What) -> Summand {
        let atom = match what {
            What::Atom(atom) => atom,
            What::Value(value) => return Summand::Value(value),
        };
        if atom as usize >= self.graph.len() {
            return Summand::Value(self.lower_sum_pair(atom));
        }
        let id = NodeId(atom);
        if !self.is_fused_product(atom) {
            return Summand::Value(self.value(id));
        }
        let plan = self.plan;
        let Some(factors) = plan.product(id) else {
            return Summand::Value(self.value(id));
        };
        match factors.numerator[..] {
            [ref head @ .., last] if !head.is_empty() && factors.denominator.is_empty() => {
                Summand::Product(if scale.is_one() {
                    [self.lower_factors(head), self.lower_product_atom(last.1)]
                } else {
                    self.scale_factors(scale, &factors.numerator)
                })
            }
            _ => Summand::Value(self.lower_quotient(factors)),
        }
    }

    pub(super) fn lower_product(&mut self, id: NodeId) -> Operand {
        let plan = self.plan;
        match plan.product(id) {
            Some(factors) => self.lower_quotient(factors),
            None => Operand::Constant(1.0),
        }
    }

    fn lower_quotient(&mut self, factors: &Factors) -> Operand {
        let numerator = self.lower_factors(&factors.numerator);
        let mut denominator = Operand::Constant(1.0);
        for (base, exponent) in &factors.denominator {
            let base = self.value(*base);
            let power = self.builder.powi(base, *exponent);
            denominator = self.builder.mul(denominator, power);
        }
        self.builder.div(numerator, denominator)
    }

    fn lower_factors(&mut self, factors: &[Term]) -> Operand {
        let mut product = Operand::Constant(1.0);
        let mut at = 0;
        while at < factors.len() {
            let factor = self.lower_product_atom(factors[at].1);
            product = self.builder.mul(product, factor);
            at += 1;
        }
        product
    }

    fn lower_product_atom(&mut self, atom: Atom) -> Operand {
        let powers = &self.plan.powers[..];
        if atom as usize >= powers.len() {
            return self.lower_product_pair(atom);
        }
        let (base, exponent) = powers[atom as usize];
        let base = self.value(base);
        if exponent < 0 {
            let reciprocal = self.builder.recip(base);
            return self.builder.powi(reciprocal, exponent.unsigned_abs());
        }
        self.builder.powi(base, exponent.unsigned_abs())
    }

    fn lower_product_pair(&mut self, atom: Atom) -> Operand {
        let pair_number = atom as usize - self.plan.powers.len();
        if let Some(value) = self.product_pairs[pair_number] {
            return value;
        }
        let pair = self.plan.product_pairs[pair_number];
        let value = self.lower_factors(&pair);
        self.product_pairs[pair_number] = Some(value);
        value
    }
}
