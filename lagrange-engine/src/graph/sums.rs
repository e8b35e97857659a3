//! Sums: like terms merged, and the common content of all coefficients taken out.

use super::{Graph, Node};
use crate::{NodeId, Number};

impl Graph {
    /// The sum of two terms like `sum`, in few steps in the usual case that nothing can be simplified.
    pub(super) fn sum_of_two(&mut self, a: (Number, NodeId), b: (Number, NodeId)) -> NodeId {
        if a.1.0 != b.1.0 && self.is_bare_term(a.1) && self.is_bare_term(b.1) {
            let terms = if a.1.0 < b.1.0 {
                vec![a, b]
            } else {
                vec![b, a]
            };
            return self.intern_sum(Number::ZERO, terms);
        }
        self.sum(Number::ZERO, vec![a, b])
    }

    /// Returns whether a sum has nothing to simplify in a term, except the same term again.
    fn is_bare_term(&self, id: NodeId) -> bool {
        match self.node(id) {
            Node::Number(_) => false,
            Node::Sum { constant, terms } => terms.len() != 1 || !constant.is_zero(),
            // Without squares of sines.
            Node::Product(factors) => {
                let mut at = 0;
                while at < factors.len() && factors[at].1 < 2 {
                    at += 1;
                }
                at == factors.len()
            }
            _ => true,
        }
    }

    /// Resolves numbers and scaled terms, merges like terms and applies Pythagoras.
    pub(super) fn collect_terms(
        &mut self,
        mut constant: Number,
        mut terms: Vec<(Number, NodeId)>,
    ) -> Option<(Number, Vec<(Number, NodeId)>)> {
        let nodes = &self.nodes.all;
        let given = &mut terms[..];
        let (mut at, mut kept) = (0, 0);
        while at < given.len() {
            let (coefficient, term) = given[at];
            at += 1;
            given[kept] = match &nodes[term.0 as usize] {
                Node::Number(number) => {
                    constant = constant.checked_add(coefficient.checked_mul(*number)?)?;
                    continue;
                }
                Node::Sum { constant, terms } if terms.len() == 1 && constant.is_zero() => {
                    (coefficient.checked_mul(terms[0].0)?, terms[0].1)
                }
                _ => (coefficient, term),
            };
            kept += 1;
        }
        if kept < at {
            terms.truncate(kept);
        }
        let mut merged = merge_terms(terms)?;
        while let Some((gain, next)) = self.pythagoras(&merged) {
            constant = constant.checked_add(gain)?;
            merged = merge_terms(next)?;
        }
        Some((constant, merged))
    }

    pub(super) fn intern_sum(
        &mut self,
        constant: Number,
        mut terms: Vec<(Number, NodeId)>,
    ) -> NodeId {
        match terms[..] {
            [] => return self.number(constant),
            [(coefficient, term)] if constant.is_zero() && coefficient.is_one() => return term,
            [_] if constant.is_zero() => {
                return self.intern(Node::Sum {
                    constant,
                    terms: terms.into(),
                });
            }
            _ => {}
        }
        let content = content(constant, &terms);
        if content.is_one() {
            return self.intern(Node::Sum {
                constant,
                terms: terms.into(),
            });
        }
        // It is -1, or all have its size: without a division, a float stays unchanged.
        let divided = |number: Number| {
            if number.is_zero() || content == Number::MINUS_ONE {
                -number
            } else if number == content {
                Number::ONE
            } else {
                Number::MINUS_ONE
            }
        };
        let constant = divided(constant);
        for (coefficient, _) in &mut terms {
            *coefficient = divided(*coefficient);
        }
        let primitive = self.intern(Node::Sum {
            constant,
            terms: terms.into(),
        });
        self.scale(content, primitive)
    }
}

/// Sorts by node, adds the coefficients of equal nodes, and drops those that vanish.
fn merge_terms(mut terms: Vec<(Number, NodeId)>) -> Option<Vec<(Number, NodeId)>> {
    let all = &mut terms[..];
    let (mut is_ascending, mut has_zero) = (true, false);
    let mut at = 0;
    while at < all.len() {
        is_ascending &= at == 0 || all[at - 1].1.0 < all[at].1.0;
        has_zero |= all[at].0.is_zero();
        at += 1;
    }
    if !is_ascending {
        all.sort_by_key(|(_, term)| term.0);
        let (mut at, mut kept) = (0, 0);
        while at < all.len() {
            let (coefficient, term) = all[at];
            if kept > 0 && all[kept - 1].1.0 == term.0 {
                let sum = all[kept - 1].0.checked_add(coefficient)?;
                has_zero |= sum.is_zero();
                all[kept - 1].0 = sum;
            } else {
                all[kept] = (coefficient, term);
                kept += 1;
            }
            at += 1;
        }
        terms.truncate(kept);
    }
    if has_zero {
        terms.retain(|(coefficient, _)| !coefficient.is_zero());
    }
    Some(terms)
}

/// The content of a sum: the common absolute value of all coefficients, if they have one, with the sign of the first,
/// so that `a - b` and `b - a` share a node.
fn content(constant: Number, terms: &[(Number, NodeId)]) -> Number {
    let first = terms[0].0;
    let size = first.abs();
    let mut uniform = constant.is_zero() || constant.abs() == size;
    let mut at = 1;
    while uniform && at < terms.len() {
        uniform = terms[at].0.abs() == size;
        at += 1;
    }
    match (uniform, first.is_negative()) {
        (true, _) => first,
        (false, true) => Number::MINUS_ONE,
        (false, false) => Number::ONE,
    }
}
