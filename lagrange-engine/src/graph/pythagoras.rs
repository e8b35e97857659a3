//! `a sin(x)^2 + b cos(x)^2 = b + (a - b) sin(x)^2`, with any common factors.

use super::{Graph, Node};
use crate::{NodeId, Number, Unary};

impl Graph {
    /// Applies the rule to the first pair of terms that it fits: what the constant term gains, and
    /// the terms that are left. `None` when there is no pair.
    #[allow(clippy::type_complexity)] // a sum's two parts, as everywhere in the constructors
    pub(super) fn pythagoras(
        &mut self,
        terms: &[(Number, NodeId)],
    ) -> Option<(Number, Vec<(Number, NodeId)>)> {
        for (position, (coefficient, term)) in terms.iter().enumerate() {
            let Node::Product(factors) = self.node(*term).clone() else {
                continue;
            };
            for (at, (base, exponent)) in factors.iter().enumerate() {
                let Node::Unary(Unary::Sin, angle) = *self.node(*base) else {
                    continue;
                };
                if *exponent < 2 {
                    continue;
                }
                if let Some((partner, rest)) = self.partner(terms, &factors, at, angle) {
                    let from_cosine = terms[partner].0;
                    let difference = coefficient.checked_add(-from_cosine)?;
                    let mut left = terms.to_vec();
                    left[position].0 = difference;
                    let gain = match rest {
                        Some(rest) => {
                            left[partner].1 = rest;
                            Number::ZERO
                        }
                        None => {
                            left[partner].0 = Number::ZERO;
                            from_cosine
                        }
                    };
                    return Some((gain, left));
                }
            }
        }
        None
    }

    /// The term with cos^2 in place of sin^2, and what both have in common (`None` for 1).
    fn partner(
        &mut self,
        terms: &[(Number, NodeId)],
        factors: &[(NodeId, i32)],
        at: usize,
        angle: NodeId,
    ) -> Option<(usize, Option<NodeId>)> {
        let cosine = self.lookup(&Node::Unary(Unary::Cos, angle))?;
        let mut rest = factors.to_vec();
        match rest[at].1 {
            2 => drop(rest.remove(at)),
            _ => rest[at].1 -= 2,
        }
        let mut other = rest.clone();
        match other.iter().position(|(base, _)| *base == cosine) {
            Some(same) => other[same].1 += 2,
            None => other.push((cosine, 2)),
        }
        other.sort_unstable_by_key(|(base, _)| *base);
        let other = self.lookup(&Node::Product(other.into()))?;
        let partner = terms.iter().position(|(_, term)| *term == other)?;
        let rest = match rest[..] {
            [] => None,
            [(base, 1)] => Some(base),
            _ => Some(self.intern(Node::Product(rest.into()))),
        };
        Some((partner, rest))
    }
}
