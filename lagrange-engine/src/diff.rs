//! Derivatives on the graph: reverse mode for gradients, forward mode for directional derivatives.
//!
//! Both walk the arena once, in order of ids, and cost a small multiple of the visited nodes (Griewank and Walther,
//! *Evaluating Derivatives*, 2nd ed., chapters 3 and 4).

mod functions;

use crate::graph::{Renaming, room};
use crate::{Binary, Comparison, Graph, Node, NodeId, Number, Symbol};

/// The derivatives of a node along the directions that move it, by number.
type Tangents = Vec<(usize, NodeId)>;

/// The nodes that roots contain and that contain one of some symbols.
struct Active {
    /// Children before their parents.
    ids: Vec<NodeId>,
    /// For each node its position among these plus 1; 0 if it is not active.
    places: Vec<u32>,
}

impl Active {
    fn place(&self, id: NodeId) -> Option<usize> {
        let places = &self.places[..];
        let index = id.0 as usize;
        if index < places.len() && places[index] != 0 {
            Some(places[index] as usize - 1)
        } else {
            None
        }
    }
}

impl Graph {
    /// The gradient of `root`: one derivative for each of `symbols`, by one reverse sweep.
    pub fn gradient(&mut self, root: NodeId, symbols: &[Symbol]) -> Vec<NodeId> {
        let one = self.integer(1);
        self.reverse(&[root], &[one], symbols)
    }

    /// The vector-Jacobian product `sum_i seeds[i] * d roots[i] / d symbol`, with the seeds held
    /// constant, for each of `symbols`, by one reverse sweep.
    pub fn reverse(
        &mut self,
        roots: &[NodeId],
        seeds: &[NodeId],
        symbols: &[Symbol],
    ) -> Vec<NodeId> {
        let active = self.find_active(roots, symbols);
        if self.has_branches(&active) {
            return self.reverse_by_columns(roots, seeds, symbols);
        }
        let mut adjoints: Vec<Vec<(Number, NodeId)>> = vec![Vec::new(); active.ids.len()];
        for (root, seed) in roots.iter().zip(seeds) {
            if let Some(place) = active.place(*root) {
                adjoints[place].push((Number::ONE, *seed));
            }
        }
        let mut gradient = vec![self.integer(0); symbols.len()];
        for (place, id) in active.ids.iter().enumerate().rev() {
            let id = *id;
            let contributions = std::mem::take(&mut adjoints[place]);
            if contributions.is_empty() {
                continue;
            }
            let adjoint = self.sum(Number::ZERO, contributions);
            if self.is_zero(adjoint) {
                continue;
            }
            if let Node::Symbol(symbol) = self.node(id) {
                if let Some(position) = symbols.iter().position(|s| s == symbol) {
                    gradient[position] = adjoint;
                }
                continue;
            }
            for (child, factor, partial) in self.partials(id, &active) {
                let contribution = self.mul(adjoint, partial);
                if let Some(place) = active.place(child) {
                    adjoints[place].push((factor, contribution));
                }
            }
        }
        gradient
    }

    /// The derivative of each root along a direction: `sum_s d root / d s * direction(s)`; symbols that are not listed
    /// are constant. One forward sweep over the shared nodes of the roots.
    pub fn directional(&mut self, roots: &[NodeId], direction: &[(Symbol, NodeId)]) -> Vec<NodeId> {
        let symbols: Vec<Symbol> = direction.iter().map(|(symbol, _)| *symbol).collect();
        let active = self.find_active(roots, &symbols);
        let zero = self.integer(0);
        let mut tangents = Renaming::of(&active.ids);
        let of = |tangents: &Renaming, node| tangents.known(node).unwrap_or(zero);
        for id in active.ids.iter().copied() {
            let tangent = match self.node(id) {
                Node::Symbol(symbol) => direction
                    .iter()
                    .find(|(s, _)| s == symbol)
                    .map_or(zero, |(_, along)| *along),
                node if node.is_branch() => self.branch_tangent(id, |child| of(&tangents, child)),
                _ => {
                    let mut terms = Vec::new();
                    for (child, factor, partial) in self.partials(id, &active) {
                        let tangent = of(&tangents, child);
                        terms.push((factor, self.mul(partial, tangent)));
                    }
                    self.sum(Number::ZERO, terms)
                }
            };
            tangents.set(id, tangent);
        }
        roots.iter().map(|root| of(&tangents, *root)).collect()
    }

    /// The derivatives of the roots along several directions, a row for each root, like [`Graph::directional`] for each
    /// of them. One sweep visits, for each node, the directions that move it.
    pub fn jacobian(
        &mut self,
        roots: &[NodeId],
        directions: &[Vec<(Symbol, NodeId)>],
    ) -> Vec<NodeId> {
        let symbols: Vec<Symbol> = directions
            .iter()
            .flatten()
            .map(|(symbol, _)| *symbol)
            .collect();
        let active = self.find_active(roots, &symbols);
        // For each active node in order.
        let mut tangents: Vec<Tangents> = Vec::with_capacity(active.ids.len());
        for id in active.ids.iter().copied() {
            let of = |child| {
                active
                    .place(child)
                    .map_or(&[][..], |place| &tangents[place][..])
            };
            let tangent = match self.node(id) {
                Node::Symbol(symbol) => along_directions(*symbol, directions),
                node if node.is_branch() => self.branch_tangents(id, of),
                _ => {
                    let partials = self.partials(id, &active);
                    self.combine(&partials, of)
                }
            };
            tangents.push(tangent);
        }
        let zero = self.integer(0);
        let mut rows = vec![zero; roots.len() * directions.len()];
        for (row, root) in rows.chunks_mut(directions.len().max(1)).zip(roots) {
            for (column, tangent) in active
                .place(*root)
                .map_or(&[][..], |place| &tangents[place][..])
            {
                row[*column] = *tangent;
            }
        }
        rows
    }

    /// `sum partial * tangent` for each existing column.
    fn combine<'t>(
        &mut self,
        partials: &[(NodeId, Number, NodeId)],
        tangents: impl Fn(NodeId) -> &'t [(usize, NodeId)],
    ) -> Tangents {
        let mut terms: Vec<(usize, (Number, NodeId))> = Vec::new();
        for (child, factor, partial) in partials {
            for (column, tangent) in tangents(*child) {
                terms.push((*column, (*factor, self.mul(*partial, *tangent))));
            }
        }
        // Stable: the terms of a column keep their order.
        terms.sort_by_key(|(column, _)| *column);
        let mut sums = Tangents::new();
        for column in terms.chunk_by(|(a, _), (b, _)| a == b) {
            let summands = column.iter().map(|(_, term)| *term).collect();
            let sum = self.sum(Number::ZERO, summands);
            if !self.is_zero(sum) {
                sums.push((column[0].0, sum));
            }
        }
        sums
    }

    /// The tangents of a node with separate branches.
    fn branch_tangents<'t>(
        &mut self,
        id: NodeId,
        tangents: impl Fn(NodeId) -> &'t [(usize, NodeId)],
    ) -> Tangents {
        let mut columns: Vec<usize> = Vec::new();
        self.node(id).for_each_child(|child| {
            columns.extend(tangents(child).iter().map(|(column, _)| *column));
        });
        columns.sort_unstable();
        columns.dedup();
        let zero = self.integer(0);
        let mut tangents_of_branch = Tangents::new();
        for column in columns {
            let tangent = |child: NodeId| {
                let tangent = tangents(child).iter().find(|(other, _)| *other == column);
                tangent.map_or(zero, |(_, tangent)| *tangent)
            };
            let tangent = self.branch_tangent(id, tangent);
            if !self.is_zero(tangent) {
                tangents_of_branch.push((column, tangent));
            }
        }
        tangents_of_branch
    }

    fn find_active(&self, roots: &[NodeId], symbols: &[Symbol]) -> Active {
        let cone = self.cone(roots);
        let mut places: Vec<u32> = vec![0; room(&cone)];
        let mut ids = Vec::new();
        for id in cone {
            let mut contains = false;
            match self.node(id) {
                Node::Symbol(symbol) => contains = symbols.contains(symbol),
                node => node.for_each_child(|child| contains |= places[child.0 as usize] != 0),
            }
            if contains {
                ids.push(id);
                places[id.index()] = ids.len() as u32;
            }
        }
        Active { ids, places }
    }

    /// Each active child with d node / d child as `factor * partial`.
    fn partials(&mut self, id: NodeId, active: &Active) -> Vec<(NodeId, Number, NodeId)> {
        let is_active = |child: &NodeId| active.place(*child).is_some();
        let one = self.integer(1);
        match self.node(id).clone() {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => Vec::new(),
            Node::Sum { terms, .. } => terms
                .iter()
                .filter(|(_, term)| is_active(term))
                .map(|(coefficient, term)| (*term, *coefficient, one))
                .collect(),
            Node::Product(factors) => {
                let mut partials = Vec::new();
                for (position, (base, exponent)) in factors.iter().enumerate() {
                    if is_active(base) {
                        let mut remaining_factors = factors.to_vec();
                        remaining_factors[position].1 -= 1;
                        let factor = Number::integer(i64::from(*exponent));
                        partials.push((*base, factor, self.product(remaining_factors)));
                    }
                }
                partials
            }
            Node::Unary(function, x) => {
                vec![(x, Number::ONE, function.derivative(self, x, id))]
            }
            Node::Binary(function, x, y) => {
                let derivatives = function.derivatives(self, [x, y], id);
                [x, y]
                    .into_iter()
                    .zip(derivatives)
                    .filter(|(child, _)| is_active(child))
                    .map(|(child, partial)| (child, Number::ONE, partial))
                    .collect()
            }
            Node::Curve { of, x, controls } => {
                let mut partials = Vec::new();
                if is_active(&x) {
                    partials.push((x, Number::ONE, self.curve(of.derivative(), x, &controls)));
                }
                for (i, control) in controls.iter().enumerate() {
                    if is_active(control) {
                        partials.push((*control, Number::ONE, self.basis(&of, i, x)));
                    }
                }
                partials
            }
            // The comparison is locally constant; the branches are `branch_tangent`'s.
            Node::Select { .. } => Vec::new(),
        }
    }

    /// Branchwise, so that a derivative that is not finite stays in its branch.
    fn branch_tangent(&mut self, id: NodeId, tangent: impl Fn(NodeId) -> NodeId) -> NodeId {
        let (comparison, [left, right], then, otherwise) = match *self.node(id) {
            Node::Select {
                comparison,
                sides,
                then,
                otherwise,
            } => (comparison, sides, then, otherwise),
            Node::Binary(Binary::Min, x, y) => (Comparison::LessEqual, [x, y], x, y),
            Node::Binary(Binary::Max, x, y) => (Comparison::LessEqual, [y, x], x, y),
            _ => return self.integer(0),
        };
        let (then, otherwise) = (tangent(then), tangent(otherwise));
        self.select(comparison, left, right, then, otherwise)
    }

    fn has_branches(&self, active: &Active) -> bool {
        active.ids.iter().any(|id| self.node(*id).is_branch())
    }

    /// The result of a reverse sweep, by a forward sweep for each symbol. Only forward sweeps keep the branches of an
    /// `if` apart: a reverse sweep multiplies an infinite value in the other branch by 0.
    fn reverse_by_columns(
        &mut self,
        roots: &[NodeId],
        seeds: &[NodeId],
        symbols: &[Symbol],
    ) -> Vec<NodeId> {
        let one = self.integer(1);
        symbols
            .iter()
            .map(|symbol| {
                let column = self.directional(roots, &[(*symbol, one)]);
                self.dot(&column, seeds)
            })
            .collect()
    }

    /// The roots with each symbol replaced, unless it is not listed.
    pub fn substitute(
        &mut self,
        roots: &[NodeId],
        replacements: &[(Symbol, NodeId)],
    ) -> Vec<NodeId> {
        let symbols: Vec<Symbol> = replacements.iter().map(|(symbol, _)| *symbol).collect();
        let active = self.find_active(roots, &symbols);
        let mut new = Renaming::of(&active.ids);
        for id in active.ids {
            let other = match self.node(id) {
                Node::Symbol(symbol) => replacements
                    .iter()
                    .find(|(s, _)| s == symbol)
                    .map_or(id, |(_, node)| *node),
                _ => self.rebuild(id, |child| new.get(child)),
            };
            new.set(id, other);
        }
        new.all(roots)
    }

    /// The node's operation on other children, through the smart constructors.
    pub(crate) fn rebuild(&mut self, id: NodeId, new: impl Fn(NodeId) -> NodeId) -> NodeId {
        let mut is_same = true;
        self.node(id)
            .for_each_child(|child| is_same &= new(child) == child);
        if is_same {
            // The constructors would return it.
            return id;
        }
        match self.node(id) {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => id,
            Node::Sum { constant, terms } => {
                let mut renewed = Vec::with_capacity(terms.len());
                let mut position = 0;
                while position < terms.len() {
                    renewed.push((terms[position].0, new(terms[position].1)));
                    position += 1;
                }
                let constant = *constant;
                self.sum(constant, renewed)
            }
            Node::Product(factors) => {
                let mut renewed = Vec::with_capacity(factors.len());
                let mut position = 0;
                while position < factors.len() {
                    renewed.push((new(factors[position].0), factors[position].1));
                    position += 1;
                }
                self.product(renewed)
            }
            &Node::Unary(function, x) => self.unary(function, new(x)),
            &Node::Binary(function, x, y) => self.binary(function, new(x), new(y)),
            Node::Curve { of, x, controls } => {
                let controls: Vec<NodeId> = controls.iter().map(|control| new(*control)).collect();
                let (of, x) = (of.clone(), new(*x));
                self.curve(of, x, &controls)
            }
            &Node::Select {
                comparison,
                sides: [left, right],
                then,
                otherwise,
            } => self.select(comparison, new(left), new(right), new(then), new(otherwise)),
        }
    }
}

/// The motion of a symbol along the directions.
fn along_directions(symbol: Symbol, directions: &[Vec<(Symbol, NodeId)>]) -> Tangents {
    directions
        .iter()
        .enumerate()
        .filter_map(|(column, direction)| {
            let (_, along) = direction.iter().find(|(moved, _)| *moved == symbol)?;
            Some((column, *along))
        })
        .collect()
}
