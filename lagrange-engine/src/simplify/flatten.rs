//! Sums that are used once become part of the sum that uses them.
//!
//! A product with such a sum as a factor is unchanged, unless its terms cancel others of the outer sum:
//! `(a - b) s + b s = a s`.

use crate::graph::{Mix, Renaming, Table, room};
use crate::{Graph, Node, NodeId, Number};

/// A coefficient and the node that it scales.
type Term = (Number, NodeId);

pub(super) fn flatten(graph: &mut Graph, roots: &[NodeId]) -> Vec<NodeId> {
    let cone = graph.cone(roots);
    let mut pass = Flattening {
        new: Renaming::of(&cone),
        uses: graph.uses_within(roots, &cone).into(),
        absorbed: vec![false; room(&cone)].into(),
        graph,
    };
    pass.find_absorbed(&cone);
    for id in cone {
        let new = match pass.graph.node(id) {
            Node::Sum { .. } if pass.absorbed[id.index()] => continue,
            Node::Sum { .. } if pass.stays_apart(id) => {
                pass.graph.rebuild(id, |child| pass.new.get(child))
            }
            Node::Sum { .. } => pass.flatten_sum(id),
            _ => pass.graph.rebuild(id, |child| pass.new.get(child)),
        };
        pass.new.set(id, new);
    }
    pass.new.all(roots)
}

struct Flattening<'a> {
    graph: &'a mut Graph,
    /// The replacement of each reached node.
    new: Renaming,
    /// The number of uses of each node.
    uses: Box<[u32]>,
    /// For each node whether it is a sum that becomes part of its only using sum. It then gets no node of its own, so
    /// the cost of a chain of sums is proportional to its length.
    absorbed: Box<[bool]>,
}

/// The terms of a sum under construction; removed terms have the coefficient 0.
#[derive(Default)]
struct Terms {
    terms: Vec<Term>,
    /// The first position of each node, computed on demand.
    first: Option<Table>,
}

impl Terms {
    fn push(&mut self, term: Term) {
        match self.first.is_some() {
            true => self.push_known(term),
            false => self.terms.push(term),
        }
    }

    fn push_known(&mut self, term: Term) {
        match self.position(term.1) {
            Some(position) if self.terms[position].0.is_zero() => self.terms[position] = term,
            Some(_) => self.terms.push(term),
            None => {
                let first = self.first.get_or_insert_default();
                first.insert(hash(term.1), self.terms.len() as u32);
                self.terms.push(term);
            }
        }
    }

    fn position(&mut self, node: NodeId) -> Option<usize> {
        if self.first.is_none() {
            self.first = Some(Table::default());
            let terms = std::mem::take(&mut self.terms);
            terms.into_iter().for_each(|term| self.push_known(term));
        }
        let terms = &self.terms[..];
        let is_same = |number: u32| terms[number as usize].1.0 == node.0;
        let number = self.first.as_ref()?.find(hash(node), is_same)?;
        Some(number as usize)
    }

    fn contains(&mut self, node: NodeId) -> bool {
        self.get(node).is_some()
    }

    /// The first term with this node.
    fn get(&mut self, node: NodeId) -> Option<Term> {
        let position = self.position(node)?;
        let term = self.terms[position];
        (!term.0.is_zero()).then_some(term)
    }

    fn remove(&mut self, node: NodeId) {
        if let Some(position) = self.position(node) {
            self.terms[position].0 = Number::ZERO;
        }
    }
}

fn hash(node: NodeId) -> u32 {
    let mut mix = Mix(0);
    mix.mix(u64::from(node.0));
    mix.hash()
}

impl Flattening<'_> {
    /// Returns whether the node is used in one place only.
    fn is_used_once(&self, id: NodeId) -> bool {
        self.uses[id.0 as usize] == 1
    }

    /// Returns whether none of the terms of a sum can become part of it, or equal others of it.
    fn stays_apart(&self, id: NodeId) -> bool {
        let Node::Sum { terms, .. } = self.graph.node(id) else {
            return true;
        };
        let mut position = 0;
        while position < terms.len() {
            let term = terms[position].1;
            if self.is_used_once(term) {
                let is_sum = |node| matches!(self.graph.node(node), Node::Sum { .. });
                if self.sum_of(term).is_some()
                    || self.absorbed[term.0 as usize]
                    || is_sum(self.new.get(term))
                {
                    return false;
                }
            }
            position += 1;
        }
        true
    }

    fn find_absorbed(&mut self, reached: &[NodeId]) {
        for id in reached {
            let Node::Sum { terms, .. } = self.graph.node(*id) else {
                continue;
            };
            let mut position = 0;
            while position < terms.len() {
                let term = terms[position].1;
                if self.is_used_once(term) && matches!(self.graph.node(term), Node::Sum { .. }) {
                    self.absorbed[term.0 as usize] = true;
                }
                position += 1;
            }
        }
    }

    /// The sum with those that it absorbs.
    fn flatten_sum(&mut self, id: NodeId) -> NodeId {
        let Some((constant, old)) = self.terms_of(id) else {
            return self.rebuild_absorbed(id);
        };
        let mut total = constant;
        let mut flat = Terms::default();
        for (coefficient, term) in &old {
            let new = self.new.get(*term);
            let spliced = self
                .is_used_once(*term)
                .then(|| scaled_terms(self.graph, *coefficient, new))
                .flatten()
                .and_then(|(inner, terms)| Some((total.checked_add(inner)?, terms)));
            match spliced {
                Some((sum, terms)) => {
                    total = sum;
                    terms.into_iter().for_each(|term| flat.push(term));
                }
                None => flat.push((*coefficient, new)),
            }
        }
        self.cancel(&mut flat, &old);
        flat.terms.retain(|(coefficient, _)| !coefficient.is_zero());
        self.graph.sum(total, flat.terms)
    }

    /// The constant and the terms of a sum and of those that it absorbs, in order. `None` if a coefficient overflows.
    ///
    /// It ends because each absorbed sum is part of only one other sum.
    fn terms_of(&self, id: NodeId) -> Option<(Number, Vec<Term>)> {
        let mut total = Number::ZERO;
        let mut terms_so_far = Vec::new();
        let mut open = vec![(Number::ONE, id)];
        while let Some((coefficient, term)) = open.pop() {
            match self.graph.node(term) {
                Node::Sum { constant, terms } if term == id || self.absorbed[term.index()] => {
                    total = total.checked_add(coefficient.checked_mul(*constant)?)?;
                    for (inner, term) in terms.iter().rev() {
                        open.push((coefficient.checked_mul(*inner)?, *term));
                    }
                }
                _ => terms_so_far.push((coefficient, term)),
            }
        }
        Some((total, terms_so_far))
    }

    /// The sum and those that it absorbs, each separately.
    fn rebuild_absorbed(&mut self, id: NodeId) -> NodeId {
        let mut nodes = Vec::new();
        let mut open = vec![id];
        while let Some(sum) = open.pop() {
            nodes.push(sum);
            self.graph.node(sum).for_each_child(|child| {
                if self.absorbed[child.index()] {
                    open.push(child);
                }
            });
        }
        nodes.sort_unstable();
        for sum in nodes {
            let new = self.graph.rebuild(sum, |child| self.new.get(child));
            self.new.set(sum, new);
        }
        self.new.get(id)
    }

    /// Distributes products over their sum if that makes the list shorter.
    fn cancel(&mut self, flat: &mut Terms, old: &[Term]) {
        for (_, term) in old {
            if !self.is_used_once(*term) || self.sum_of(*term).is_none() {
                continue;
            }
            let product = self.new.get(*term);
            let Some((coefficient, _)) = flat.get(product) else {
                continue;
            };
            let Some(parts) = self.distribute(*term, coefficient) else {
                continue;
            };
            let met = parts
                .iter()
                .filter(|(_, part)| flat.contains(*part))
                .count();
            // Each part that has an equal term disappears, and so does the equal term if they cancel.
            if parts.len() - met <= 1 {
                flat.remove(product);
                parts.into_iter().for_each(|part| flat.push(part));
            }
        }
    }

    /// The sum that is a factor of this product only.
    fn sum_of(&self, product: NodeId) -> Option<NodeId> {
        let Node::Product(factors) = self.graph.node(product) else {
            return None;
        };
        let mut position = 0;
        while position < factors.len() {
            let (base, exponent) = factors[position];
            if exponent == 1
                && self.is_used_once(base)
                && matches!(self.graph.node(base), Node::Sum { .. })
            {
                return Some(base);
            }
            position += 1;
        }
        None
    }

    /// The parts of `coefficient * old`, if it is a product with a sum that is used only there.
    fn distribute(&mut self, old: NodeId, coefficient: Number) -> Option<Vec<Term>> {
        let inner = self.new.get(self.sum_of(old)?);
        let (constant, terms) = scaled_terms(self.graph, coefficient, inner)?;
        let product = self.new.get(old);
        let cofactor = self.graph.product(vec![(product, 1), (inner, -1)]);
        let mut parts = Vec::with_capacity(terms.len() + 1);
        for (scale, term) in terms {
            parts.push((scale, self.graph.mul(cofactor, term)));
        }
        if !constant.is_zero() {
            parts.push((constant, cofactor));
        }
        Some(parts)
    }
}

/// `coefficient * node` as the constant and terms of a sum, if the node is one.
fn scaled_terms(graph: &Graph, coefficient: Number, node: NodeId) -> Option<(Number, Vec<Term>)> {
    let Node::Sum { constant, terms } = graph.node(node) else {
        return None;
    };
    let scaled = terms
        .iter()
        .map(|(c, term)| Some((c.checked_mul(coefficient)?, *term)))
        .collect::<Option<Vec<_>>>()?;
    match scaled[..] {
        // A scaled sum: its content is outside, once.
        [(content, inner)]
            if constant.is_zero() && matches!(graph.node(inner), Node::Sum { .. }) =>
        {
            scaled_terms(graph, content, inner)
        }
        _ => Some((constant.checked_mul(coefficient)?, scaled)),
    }
}
