//! `a sin(x)^2 + b cos(x)^2 = b + (a - b) sin(x)^2`, with any common factors.

use super::{Graph, Node};
use crate::{NodeId, Number, Unary};

impl Graph {
    /// Applies the rule to the first matching pair of terms. Returns the increase of the constant term, and the
    /// remaining terms; `None` if there is no pair.
    #[allow(clippy::type_complexity)] // a sum's two parts, as everywhere in the constructors
    pub(super) fn pythagoras(
        &mut self,
        terms: &[(Number, NodeId)],
    ) -> Option<(Number, Vec<(Number, NodeId)>)> {
        let mut position = 0;
        while position < terms.len() {
            let (coefficient, term) = terms[position];
            let mut from = 0;
            while let Some((factor, angle)) = self.squared_sine(term, from) {
                if let Some((partner, cofactor)) = self.partner(terms, term, factor, angle) {
                    let from_cosine = terms[partner].0;
                    let difference = coefficient.checked_add(-from_cosine)?;
                    let mut left = terms.to_vec();
                    left[position].0 = difference;
                    let gain = match cofactor {
                        Some(cofactor) => {
                            left[partner].1 = cofactor;
                            Number::ZERO
                        }
                        None => {
                            left[partner].0 = Number::ZERO;
                            from_cosine
                        }
                    };
                    return Some((gain, left));
                }
                from = factor + 1;
            }
            position += 1;
        }
        None
    }

    /// The first factor from here on that is a sine to the power of 2 or more, and its angle.
    fn squared_sine(&self, term: NodeId, from: usize) -> Option<(usize, NodeId)> {
        let Node::Product(factors) = self.node(term) else {
            return None;
        };
        let mut position = from;
        while position < factors.len() {
            let (base, exponent) = factors[position];
            if exponent >= 2
                && let Node::Unary(Unary::Sin, angle) = self.node(base)
            {
                return Some((position, *angle));
            }
            position += 1;
        }
        None
    }

    /// The term with cos^2 instead of sin^2, and the common factor of both (`None` for 1).
    fn partner(
        &mut self,
        terms: &[(Number, NodeId)],
        term: NodeId,
        factor: usize,
        angle: NodeId,
    ) -> Option<(usize, Option<NodeId>)> {
        let cosine = self.lookup(&Node::Unary(Unary::Cos, angle))?;
        let Node::Product(factors) = self.node(term) else {
            return None;
        };
        let mut cofactor = factors.to_vec();
        match cofactor[factor].1 {
            2 => drop(cofactor.remove(factor)),
            _ => cofactor[factor].1 -= 2,
        }
        let mut other = cofactor.clone();
        match other.iter().position(|(base, _)| *base == cosine) {
            Some(same) => other[same].1 += 2,
            None => other.push((cosine, 2)),
        }
        other.sort_unstable_by_key(|(base, _)| *base);
        let other = self.lookup(&Node::Product(other.into()))?;
        let partner = terms.iter().position(|(_, term)| *term == other)?;
        let cofactor = match cofactor[..] {
            [] => None,
            [(base, 1)] => Some(base),
            _ => Some(self.intern(Node::Product(cofactor.into()))),
        };
        Some((partner, cofactor))
    }
}
