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
                let mut position = 0;
                while position < factors.len() && factors[position].1 < 2 {
                    position += 1;
                }
                position == factors.len()
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
        let list = &mut terms[..];
        let (mut from, mut count) = (0, 0);
        while from < list.len() {
            let (coefficient, term) = list[from];
            from += 1;
            list[count] = match &nodes[term.0 as usize] {
                Node::Number(number) => {
                    constant = constant.checked_add(coefficient.checked_mul(*number)?)?;
                    continue;
                }
                Node::Sum { constant, terms } if terms.len() == 1 && constant.is_zero() => {
                    (coefficient.checked_mul(terms[0].0)?, terms[0].1)
                }
                _ => (coefficient, term),
            };
            count += 1;
        }
        if count < from {
            terms.truncate(count);
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
        // The content is -1, or all coefficients have its size: without a division, a float stays unchanged.
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
    let list = &mut terms[..];
    let (mut is_ascending, mut has_zero) = (true, false);
    let mut from = 0;
    while from < list.len() {
        is_ascending &= from == 0 || list[from - 1].1.0 < list[from].1.0;
        has_zero |= list[from].0.is_zero();
        from += 1;
    }
    if !is_ascending {
        list.sort_by_key(|(_, term)| term.0);
        let (mut from, mut count) = (0, 0);
        while from < list.len() {
            let (coefficient, term) = list[from];
            if count > 0 && list[count - 1].1.0 == term.0 {
                let sum = list[count - 1].0.checked_add(coefficient)?;
                has_zero |= sum.is_zero();
                list[count - 1].0 = sum;
            } else {
                list[count] = (coefficient, term);
                count += 1;
            }
            from += 1;
        }
        terms.truncate(count);
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
    let mut position = 1;
    while uniform && position < terms.len() {
        uniform = terms[position].0.abs() == size;
        position += 1;
    }
    match (uniform, first.is_negative()) {
        (true, _) => first,
        (false, true) => Number::MINUS_ONE,
        (false, false) => Number::ONE,
    }
}
