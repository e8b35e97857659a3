//! The plan of a computation: its order, and its shared parts.

use super::lower::Sums;
use super::order::Order;
use super::pairs::{Atom, Term, extract_pairs};
use super::sign_placement::{find_turned, negated};
use super::use_counts::Census;
use crate::graph::{Mix, Table};
use crate::{Graph, Node, NodeId, Number};

/// The lists of all sums and products, with their common pairs as atoms of their own.
pub(super) struct Plan {
    /// Every node of the roots. Data about a node are at its position here.
    pub(super) order: Order,
    /// The number of nodes of the graph: atoms of sums from there on are pairs.
    nodes: usize,
    /// The terms of each sum, in terms of computed values. An atom below the graph's size is a node, the others are
    /// pairs.
    sums: Lists<Vec<Term>>,
    pub(super) sum_pairs: Vec<[Term; 2]>,
    /// The factors of each product.
    products: Lists<Factors>,
    /// The meaning of the first atoms of products: powers; the others are pairs.
    pub(super) powers: Vec<(NodeId, i32)>,
    pub(super) product_pairs: Vec<[Term; 2]>,
    /// For each node whether it is a product or sum that is part of its only using sum.
    pub(super) fused: Box<[bool]>,
    /// For each node whether its negative is computed.
    pub(super) turned: Box<[bool]>,
    /// For each node whether it is an angle whose sine and cosine are both needed.
    pub(super) with_sine_and_cosine: Box<[bool]>,
    scaled: ScaledFactors,
}

/// Data of some of the nodes.
struct Lists<T> {
    /// For each node the position of its data plus 1, or 0.
    places: Box<[u32]>,
    data: Vec<T>,
}

impl<T> Lists<T> {
    fn none() -> Self {
        Lists {
            places: Box::default(),
            data: Vec::new(),
        }
    }

    fn new(order: &Order, owners: &[usize], data: Vec<T>) -> Self {
        let mut places = order.table(0);
        for (index, owner) in owners.iter().enumerate() {
            places[*owner] = index as u32 + 1;
        }
        Lists { places, data }
    }

    fn get(&self, node: usize) -> Option<&T> {
        self.data.get(self.place(node)?)
    }

    fn place(&self, node: usize) -> Option<usize> {
        match self.places[node] {
            0 => None,
            place => Some(place as usize - 1),
        }
    }
}

/// A product: atoms to multiply, and the bases and exponents to divide by.
pub(super) struct Factors {
    pub(super) numerator: Vec<Term>,
    pub(super) denominator: Vec<(NodeId, u32)>,
}

/// In how many products that are parts of sums a number scales a factor.
#[derive(Default)]
struct ScaledFactors {
    places: Table,
    counts: Vec<(Term, u32)>,
}

impl ScaledFactors {
    fn place(&self, size: Number, factor: Atom) -> Option<u32> {
        let counts = &self.counts[..];
        let is_same = |index: u32| {
            let known = &counts[index as usize].0;
            known.1 == factor && known.0 == size
        };
        self.places.find(Self::hash(size, factor), is_same)
    }

    fn hash(size: Number, factor: Atom) -> u32 {
        let mut mix = Mix(0);
        mix.mix(size.word());
        mix.mix(u64::from(factor));
        mix.hash()
    }

    fn count(&self, size: Number, factor: Atom) -> u32 {
        let place = self.place(size, factor);
        place.map_or(0, |index| self.counts[index as usize].1)
    }

    fn add(&mut self, size: Number, factor: Atom) {
        match self.place(size, factor) {
            Some(index) => self.counts[index as usize].1 += 1,
            None => {
                let hash = Self::hash(size, factor);
                self.places.insert(hash, self.counts.len() as u32);
                self.counts.push(((size, factor), 1));
            }
        }
    }
}

impl Plan {
    pub(super) fn new(graph: &Graph, roots: &[NodeId]) -> Self {
        let order = Order::new(graph, roots);
        let census = Census::of(graph, roots, &order);
        let mut plan = Self {
            sums: Lists::none(),
            sum_pairs: Vec::new(),
            products: Lists::none(),
            powers: Vec::new(),
            product_pairs: Vec::new(),
            fused: order.table(false),
            turned: find_turned(graph, &order, &census),
            with_sine_and_cosine: Box::default(),
            nodes: graph.len(),
            order,
            scaled: ScaledFactors::default(),
        };
        plan.collect_sums(graph);
        plan.collect_products(graph, &census);
        plan.find_fused(graph, &census);
        plan.negate_fused(&census);
        plan.with_sine_and_cosine = census.with_sine_and_cosine;
        plan.count_scaled_factors();
        plan
    }

    /// The position of the factor that takes the number of a scaled product: the one that most products have beside this
    /// number.
    pub(super) fn scaled_factor(&self, scale: Number, factors: &[Term]) -> Option<usize> {
        let (mut chosen, mut most) = (None, 1);
        for (position, (_, factor)) in factors.iter().enumerate() {
            let count = self.scaled.count(scale.abs(), *factor);
            if count > most {
                (chosen, most) = (Some(position), count);
            }
        }
        chosen
    }

    fn count_scaled_factors(&mut self) {
        let mut scaled = ScaledFactors::default();
        for (scale, atom) in self
            .sums
            .data
            .iter()
            .flatten()
            .chain(self.sum_pairs.iter().flatten())
        {
            // After the nodes there are pairs.
            let is_node = (*atom as usize) < self.nodes;
            if is_node && !scale.is_sign() && self.is_fused(NodeId(*atom)) {
                let factors = self
                    .product(NodeId(*atom))
                    .map(|factors| &factors.numerator);
                for (_, factor) in factors.into_iter().flatten() {
                    scaled.add(scale.abs(), *factor);
                }
            }
        }
        self.scaled = scaled;
    }

    /// The constant and the terms of a sum, or of its negative if that is computed.
    pub(super) fn whole_sum(&self, graph: &Graph, id: NodeId) -> (Number, &[Term]) {
        let place = self.order.at(id);
        let terms = match self.sums.get(place) {
            Some(terms) => &terms[..],
            None => &[],
        };
        let constant_of = |id: NodeId| match graph.node(id) {
            Node::Sum { constant, .. } => *constant,
            _ => Number::ZERO,
        };
        match negated(graph, id) {
            Some(inner)
                if self.is_fused(inner) && matches!(graph.node(inner), Node::Sum { .. }) =>
            {
                (-constant_of(inner), terms)
            }
            _ if self.turned[place] => (-constant_of(id), terms),
            _ => (constant_of(id), terms),
        }
    }

    /// Returns whether any sum is written differently when grouped.
    pub(super) fn is_groupable(&self, graph: &Graph) -> bool {
        let is_sum = |id: &&NodeId| matches!(graph.node(**id), Node::Sum { .. });
        let mut sums = self.order.nodes.iter().filter(is_sum);
        self.sum_pairs
            .iter()
            .any(|pair| Sums::differ(Number::ZERO, pair))
            || sums.any(|id| {
                let (constant, terms) = self.whole_sum(graph, *id);
                Sums::differ(constant, terms)
            })
    }

    /// The factors of a product.
    pub(super) fn product(&self, id: NodeId) -> Option<&Factors> {
        self.products.get(self.order.at(id))
    }

    /// Returns whether a node is part of its only using sum.
    pub(super) fn is_fused(&self, id: NodeId) -> bool {
        self.fused[self.order.at(id)]
    }

    fn collect_sums(&mut self, graph: &Graph) {
        let mut lists = Vec::new();
        let mut owners = Vec::new();
        for (place, id) in self.order.nodes.iter().enumerate() {
            if let Node::Sum { terms, .. } = graph.node(*id) {
                let is_turned = self.turned[place];
                let mut list = Vec::with_capacity(terms.len());
                let mut position = 0;
                while position < terms.len() {
                    let (c, term) = terms[position];
                    let has_same_sign = is_turned == self.turned[self.order.at(term)];
                    list.push((if has_same_sign { c } else { -c }, term.0));
                    position += 1;
                }
                owners.push(place);
                lists.push(list);
            }
        }
        self.sum_pairs = extract_pairs(&mut lists, graph.len() as Atom);
        self.sums = Lists::new(&self.order, &owners, lists);
    }

    fn collect_products(&mut self, graph: &Graph, census: &Census) {
        let mut atoms = Table::default();
        let mut owners = Vec::new();
        let mut lists: Vec<Vec<Term>> = Vec::new();
        let mut denominators = Vec::new();
        for (place, id) in self.order.nodes.iter().enumerate() {
            let Node::Product(factors) = graph.node(*id) else {
                continue;
            };
            let mut numerator = Vec::with_capacity(factors.len());
            let mut denominator = Vec::new();
            let mut position = 0;
            while position < factors.len() {
                let (base, exponent) = factors[position];
                position += 1;
                // One reciprocal serves several quotients; a single quotient is a division.
                if exponent < 0 && census.divisors[self.order.at(base)] == 1 {
                    denominator.push((base, exponent.unsigned_abs()));
                    continue;
                }
                let mut mix = Mix(0);
                mix.mix((base.0 as u64) << 32 ^ exponent as u32 as u64);
                let powers = &self.powers[..];
                let is_same = |position: u32| {
                    let power = &powers[position as usize];
                    power.0.0 == base.0 && power.1 == exponent
                };
                let atom = match atoms.find(mix.hash(), is_same) {
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
            owners.push(place);
            lists.push(numerator);
            denominators.push(denominator);
        }
        self.product_pairs = extract_pairs(&mut lists, self.powers.len() as Atom);
        let factors = lists
            .into_iter()
            .zip(denominators)
            .map(|(numerator, denominator)| Factors {
                numerator,
                denominator,
            });
        self.products = Lists::new(&self.order, &owners, factors.collect());
    }

    /// A product that one sum uses once becomes a multiply-add there. A sum that is only used with a minus sign is
    /// computed with opposite signs.
    fn find_fused(&mut self, graph: &Graph, census: &Census) {
        let order = &self.order;
        let uses = &census.uses_beyond_sums[..];
        let mut in_sums = order.table(0_u32);
        let mut count = |terms: &[Term]| {
            let mut position = 0;
            while position < terms.len() {
                let atom = terms[position].1;
                if (atom as usize) < self.nodes {
                    in_sums[order.at(NodeId(atom))] += 1;
                }
                position += 1;
            }
        };
        self.sums.data.iter().for_each(|terms| count(terms));
        self.sum_pairs.iter().for_each(|pair| count(pair));
        let fused = &mut self.fused;
        for (place, id) in order.nodes.iter().enumerate() {
            let once = uses[place] == 0 && in_sums[place] == 1;
            fused[place] = once && matches!(graph.node(*id), Node::Product(_));
        }
        for (_, inner) in &census.negatives {
            if let Node::Sum { .. } = graph.node(*inner) {
                let place = order.at(*inner);
                fused[place] |= uses[place] == 0 && in_sums[place] == 1;
            }
        }
    }

    /// A value that is only subtracted is computed as its negative, with the list of the negative.
    fn negate_fused(&mut self, census: &Census) {
        for (negative, inner) in &census.negatives {
            let inner = self.order.at(*inner);
            if self.fused[inner]
                && let (Some(negative), Some(list)) =
                    (self.sums.place(*negative), self.sums.place(inner))
            {
                let terms = std::mem::take(&mut self.sums.data[list]);
                let negated = terms.into_iter().map(|(c, atom)| (-c, atom));
                self.sums.data[negative] = negated.collect();
            }
        }
    }
}
