//! What to compute in which order, and which parts are shared.

use std::collections::HashMap;

use super::lower::Sums;
use super::numbers;
use super::pairs::{Atom, Term, extract_pairs};
use super::scales::scale_pairs;
use super::signs::{negated, turned};
use crate::graph::{Mix, Table};
use crate::{Graph, Node, NodeId, Number, Unary};

/// The lists of all sums and products, with their common pairs as atoms of their own.
pub(super) struct Plan {
    /// Every node that the roots contain, children first.
    pub(super) order: Vec<NodeId>,
    /// The terms of each sum, as computed from what is computed of them. An atom below the graph's size is a node, the others are pairs.
    sums: Lists<Vec<Term>>,
    pub(super) sum_pairs: Vec<[Term; 2]>,
    /// The factors of each product.
    products: Lists<Factors>,
    /// What the first atoms of products stand for: powers; the others are pairs.
    pub(super) powers: Vec<(NodeId, i32)>,
    pub(super) product_pairs: Vec<[Term; 2]>,
    /// Per node: products and sums that are part of the one sum that uses them.
    pub(super) fused: Box<[bool]>,
    /// Per node: whether its negative is computed.
    pub(super) turned: Box<[bool]>,
    /// Per node: an angle whose sine and cosine are both needed.
    pub(super) both: Box<[bool]>,
    /// Of products that are scaled parts of sums: the factor that takes the number.
    scaled: HashMap<Atom, Atom>,
}

/// What belongs to some of the nodes.
struct Lists<T> {
    /// Per node: the position of its own and 1, or 0.
    places: Box<[u32]>,
    all: Vec<T>,
}

impl<T> Lists<T> {
    fn none() -> Self {
        Lists {
            places: Box::default(),
            all: Vec::new(),
        }
    }

    fn new(nodes: usize, owners: &[NodeId], all: Vec<T>) -> Self {
        let mut places = vec![0; nodes];
        for (at, owner) in owners.iter().enumerate() {
            places[owner.index()] = at as u32 + 1;
        }
        let places = places.into_boxed_slice();
        Lists { places, all }
    }

    fn get(&self, id: NodeId) -> Option<&T> {
        self.all.get(self.place(id)?)
    }

    fn place(&self, id: NodeId) -> Option<usize> {
        match self.places[id.0 as usize] {
            0 => None,
            place => Some(place as usize - 1),
        }
    }
}

/// A product: atoms to multiply, and the bases and exponents to divide by.
#[derive(Clone, Default)]
pub(super) struct Factors {
    pub(super) numerator: Vec<Term>,
    pub(super) denominator: Vec<(NodeId, u32)>,
}

impl Plan {
    pub(super) fn new(graph: &Graph, roots: &[NodeId]) -> Self {
        let order = postorder(graph, roots);
        let mut plan = Self {
            sums: Lists::none(),
            sum_pairs: Vec::new(),
            products: Lists::none(),
            powers: Vec::new(),
            product_pairs: Vec::new(),
            fused: vec![false; graph.len()].into(),
            turned: turned(graph, roots, &order).into(),
            both: angles_of_both(graph, &order).into(),
            order,
            scaled: HashMap::new(),
        };
        plan.collect_sums(graph);
        plan.collect_products(graph);
        plan.find_fused(graph, roots);
        plan.negate_fused(graph);
        scale_pairs(&mut plan.sums.all, &mut plan.sum_pairs, graph.len() as Atom);
        plan.scaled = plan.scaled_factors();
        plan
    }

    /// The factor of a product that takes the number by which it is scaled.
    pub(super) fn scaled_factor(&self, product: Atom) -> Option<Atom> {
        self.scaled.get(&product).copied()
    }

    fn scaled_factors(&self) -> HashMap<Atom, Atom> {
        let mut products = Vec::new();
        let mut note = |(scale, atom): Term| {
            // Beyond the nodes there are pairs.
            let at = atom as usize;
            if at < self.fused.len() && self.fused[at] && !scale.is_sign() {
                let factors = self.product(NodeId(atom));
                products.extend(factors.map(|factors| (scale, atom, &factors.numerator[..])));
            }
        };
        for list in &self.sums.all[..] {
            let list = &list[..];
            let mut at = 0;
            while at < list.len() {
                note(list[at]);
                at += 1;
            }
        }
        for [first, second] in &self.sum_pairs[..] {
            note(*first);
            note(*second);
        }
        numbers::scaled_factors(&products)
    }

    /// The constant and the terms of a sum, of its negative where that is computed.
    pub(super) fn whole_sum(&self, graph: &Graph, id: NodeId) -> (Number, &[Term]) {
        let terms = match self.sums.get(id) {
            Some(terms) => &terms[..],
            None => &[],
        };
        let constant_of = |id: NodeId| match graph.node(id) {
            Node::Sum { constant, .. } => *constant,
            _ => Number::ZERO,
        };
        match negated(graph, id) {
            Some(inner)
                if self.fused[inner.0 as usize]
                    && matches!(graph.node(inner), Node::Sum { .. }) =>
            {
                (-constant_of(inner), terms)
            }
            _ if self.turned[id.0 as usize] => (-constant_of(id), terms),
            _ => (constant_of(id), terms),
        }
    }

    /// Whether any sum is written otherwise when folded.
    pub(super) fn is_foldable(&self, graph: &Graph) -> bool {
        let is_sum = |id: &&NodeId| matches!(graph.node(**id), Node::Sum { .. });
        let mut sums = self.order.iter().filter(is_sum);
        let mut pairs = self.sum_pairs.iter();
        pairs.any(|pair| Sums::differ(Number::ZERO, pair))
            || sums.any(|id| {
                let (constant, terms) = self.whole_sum(graph, *id);
                Sums::differ(constant, terms)
            })
    }

    /// The factors of a product.
    pub(super) fn product(&self, id: NodeId) -> Option<&Factors> {
        self.products.get(id)
    }

    fn collect_sums(&mut self, graph: &Graph) {
        let mut lists = Vec::new();
        let mut owners = Vec::new();
        for id in &self.order {
            if let Node::Sum { terms, .. } = graph.node(*id) {
                let turned = &self.turned[..];
                let own = turned[id.0 as usize];
                let mut list = Vec::with_capacity(terms.len());
                let mut at = 0;
                while at < terms.len() {
                    let (c, term) = terms[at];
                    let same = own == turned[term.0 as usize];
                    list.push((if same { c } else { -c }, term.0));
                    at += 1;
                }
                owners.push(*id);
                lists.push(list);
            }
        }
        self.sum_pairs = extract_pairs(&mut lists, graph.len() as Atom);
        self.sums = Lists::new(graph.len(), &owners, lists);
    }

    fn collect_products(&mut self, graph: &Graph) {
        let divisors = divisor_counts(graph, &self.order);
        let mut atoms = Table::default();
        let mut owners = Vec::new();
        let mut lists: Vec<Vec<Term>> = Vec::new();
        let mut denominators = Vec::new();
        for id in &self.order {
            let Node::Product(factors) = graph.node(*id) else {
                continue;
            };
            let mut numerator = Vec::with_capacity(factors.len());
            let mut denominator = Vec::new();
            let mut at = 0;
            while at < factors.len() {
                let (base, exponent) = factors[at];
                at += 1;
                // One reciprocal serves several quotients; a single quotient is a division.
                if exponent < 0 && divisors[base.0 as usize] == 1 {
                    denominator.push((base, exponent.unsigned_abs()));
                    continue;
                }
                let mut mix = Mix(0);
                mix.mix((base.0 as u64) << 32 ^ exponent as u32 as u64);
                let powers = &self.powers[..];
                let is_it = |at: u32| {
                    let power = &powers[at as usize];
                    power.0.0 == base.0 && power.1 == exponent
                };
                let atom = match atoms.find(mix.hash(), is_it) {
                    Some(atom) => atom,
                    None => {
                        let atom = self.powers.len() as Atom;
                        self.powers.push((base, exponent));
                        atoms.insert(mix.hash(), atom);
                        atom
                    }
                };
                numerator.push((Number::ONE, atom));
            }
            owners.push(*id);
            lists.push(numerator);
            denominators.push(denominator);
        }
        self.product_pairs = extract_pairs(&mut lists, self.powers.len() as Atom);
        let factors = lists.into_iter().zip(denominators);
        let factors = factors.map(|(numerator, denominator)| Factors {
            numerator,
            denominator,
        });
        self.products = Lists::new(graph.len(), &owners, factors.collect());
    }

    /// A product that one sum uses once becomes a multiply-add there; a sum that is only used with
    /// a minus sign is computed with its signs turned.
    fn find_fused(&mut self, graph: &Graph, roots: &[NodeId]) {
        let mut uses = vec![0_u32; graph.len()];
        let mut in_sums = vec![0_u32; graph.len()];
        let (uses, in_sums) = (&mut uses[..], &mut in_sums[..]);
        for root in roots {
            uses[root.index()] += 1;
        }
        for id in &self.order {
            match graph.node(*id) {
                Node::Sum { .. } => {}
                node => node.for_each_child(|child| uses[child.0 as usize] += 1),
            }
        }
        let mut count = |terms: &[Term]| {
            let mut place = 0;
            while place < terms.len() {
                let at = terms[place].1 as usize;
                if at < in_sums.len() {
                    in_sums[at] += 1;
                }
                place += 1;
            }
        };
        self.sums.all.iter().for_each(|terms| count(terms));
        self.sum_pairs.iter().for_each(|pair| count(pair));
        let fused = &mut self.fused;
        for id in &self.order {
            let at = id.0 as usize;
            let once = uses[at] == 0 && in_sums[at] == 1;
            fused[at] = once && matches!(graph.node(*id), Node::Product(_));
        }
        for id in &self.order {
            if let Some(inner) = negated(graph, *id)
                && let Node::Sum { .. } = graph.node(inner)
            {
                let at = inner.0 as usize;
                fused[at] |= uses[at] == 0 && in_sums[at] == 1;
            }
        }
    }

    /// What is only there to be subtracted is computed so: its list becomes that of its negative.
    fn negate_fused(&mut self, graph: &Graph) {
        for id in &self.order {
            if let Some(inner) = negated(graph, *id)
                && self.fused[inner.index()]
                && let (Some(own), Some(at)) = (self.sums.place(*id), self.sums.place(inner))
            {
                let terms = std::mem::take(&mut self.sums.all[at]);
                let negative = terms.into_iter().map(|(c, atom)| (-c, atom));
                self.sums.all[own] = negative.collect();
            }
        }
    }
}

/// Children before parents, each as late as its first parent allows.
fn postorder(graph: &Graph, roots: &[NodeId]) -> Vec<NodeId> {
    let mut order = Vec::new();
    let mut seen = vec![false; graph.len()].into_boxed_slice();
    // A node is pushed once to be opened and once more to be closed after its children.
    let mut stack: Vec<(NodeId, bool)> = roots.iter().rev().map(|root| (*root, false)).collect();
    while let Some((id, opened)) = stack.pop() {
        if opened {
            order.push(id);
        } else if !seen[id.0 as usize] {
            seen[id.0 as usize] = true;
            stack.push((id, true));
            let first = stack.len();
            let node = graph.node(id);
            node.for_each_child(|child| {
                if !seen[child.0 as usize] {
                    stack.push((child, false));
                }
            });
            stack[first..].reverse();
        }
    }
    order
}

fn angles_of_both(graph: &Graph, order: &[NodeId]) -> Vec<bool> {
    let mut sines = vec![false; graph.len()];
    let mut both = vec![false; graph.len()];
    let mut cosines = Vec::new();
    for id in order {
        match graph.node(*id) {
            Node::Unary(Unary::Sin, angle) => sines[angle.index()] = true,
            Node::Unary(Unary::Cos, angle) => cosines.push(*angle),
            _ => {}
        }
    }
    for angle in cosines {
        both[angle.index()] = sines[angle.index()];
    }
    both
}

/// In how many products each base stands below the line.
fn divisor_counts(graph: &Graph, order: &[NodeId]) -> Vec<u32> {
    let mut counts = vec![0; graph.len()];
    for id in order {
        if let Node::Product(factors) = graph.node(*id) {
            let mut at = 0;
            while at < factors.len() {
                if factors[at].1 < 0 {
                    counts[factors[at].0.index()] += 1;
                }
                at += 1;
            }
        }
    }
    counts
}
