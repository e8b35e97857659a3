//! The linear maps from v to the velocities that the kinetic energy squares, kept as a graph.
//!
//! T is a sum of `k x y` with x and y linear in the velocities v: velocities of points, angular velocities, or other
//! expressions of the declaration. Each is a sum over those before it. M is the result of multiplying all of them out.
//! [`LinearMaps`] keeps them: a sparse form over *nodes* and velocities, and for each node its definition. With these
//! the equations of motion of a chain or tree are solved in a number of operations that is linear in its length, see
//! `codegen/solve/elimination.rs`. Nothing here knows frames: it works for any T.

mod shorten;
mod squares;

use std::collections::{BTreeMap, BTreeSet};

use crate::{Graph, Node, NodeId, Number, Symbol, Unary};
use shorten::Shortened;
use squares::Squares;

/// A quadratic form of the velocities by way of nodes.
///
/// Variables are numbered: first the velocities, then the nodes, each after those that define it.
#[derive(Clone, Debug)]
pub(crate) struct LinearMaps {
    /// The number of velocities.
    pub(crate) velocities: usize,
    /// The definition of each node: variables before it and their coefficients, which are free of v.
    pub(crate) definitions: Vec<Vec<(usize, NodeId)>>,
    /// The second derivatives of the energy by pairs of variables: row, column up to the row, value.
    pub(crate) form: Vec<(usize, usize, NodeId)>,
}

impl LinearMaps {
    /// The linear maps of an energy; `None` if its structure does not show a degree of at most two in the velocities.
    /// Terms of lower degree are ignored.
    pub(crate) fn of(graph: &mut Graph, energy: NodeId, velocities: usize) -> Option<Self> {
        let (squares, definitions) = squares::squares(graph, energy)?;
        let shortened = Shortened::of(graph, definitions);
        let squares = rewrite_over_bases(graph, &shortened, squares);
        let used = find_used(&shortened, &squares);
        let numbers: BTreeMap<NodeId, usize> = used
            .iter()
            .zip(velocities..)
            .map(|(node, i)| (*node, i))
            .collect();
        let variable = |graph: &Graph, node: &NodeId| match graph.node(*node) {
            Node::Symbol(Symbol::Velocity(j)) => *j as usize,
            _ => numbers[node],
        };
        let mut form = Vec::with_capacity(squares.len());
        for ((x, y), terms) in squares {
            let (i, j) = (variable(graph, &x), variable(graph, &y));
            let twice = Number::integer(if i == j { 2 } else { 1 });
            let sum = graph.sum(Number::ZERO, terms);
            let entry = graph.scale(twice, sum);
            if !graph.is_zero(entry) {
                form.push((i.max(j), i.min(j), entry));
            }
        }
        let definitions = used.iter().map(|node| {
            shortened
                .definition(*node)
                .into_iter()
                .flatten()
                .map(|(inner, factor)| (variable(graph, inner), *factor))
                .collect()
        });
        Some(LinearMaps {
            velocities,
            definitions: definitions.collect(),
            form,
        })
    }

    /// Every coefficient, first of the definitions and then of the form.
    pub(crate) fn entries(&self) -> Vec<NodeId> {
        let definitions = self.definitions.iter().flatten().map(|(_, factor)| *factor);
        let form = self.form.iter().map(|(.., entry)| *entry);
        definitions.chain(form).collect()
    }

    /// The same maps with other expressions for the coefficients, in the order of [`LinearMaps::entries`].
    pub(crate) fn with_entries(&self, entries: &[NodeId]) -> Self {
        let mut maps = self.clone();
        let definitions = maps
            .definitions
            .iter_mut()
            .flatten()
            .map(|(_, factor)| factor);
        let form = maps.form.iter_mut().map(|(.., entry)| entry);
        for (place, entry) in definitions.chain(form).zip(entries) {
            *place = *entry;
        }
        maps
    }

    /// The scales of the pivots of the velocities: the diagonal of M without the products of different variables. In a
    /// sum of squares no terms cancel there.
    pub(crate) fn scales(&self, graph: &mut Graph) -> Vec<NodeId> {
        let size = self.velocities + self.definitions.len();
        let mut terms: Vec<Vec<(Number, NodeId)>> = vec![Vec::new(); size];
        for (i, j, entry) in &self.form {
            if i == j {
                terms[*i].push((Number::ONE, *entry));
            }
        }
        for (node, definition) in self.definitions.iter().enumerate().rev() {
            let sum = std::mem::take(&mut terms[self.velocities + node]);
            let scale = graph.sum(Number::ZERO, sum);
            for (variable, factor) in definition {
                let share = graph.product(vec![(scale, 1), (*factor, 2)]);
                terms[*variable].push((Number::ONE, share));
            }
        }
        terms.truncate(self.velocities);
        graph.sums(terms)
    }

    /// The pairs of nodes that are two variables turned by an angle.
    pub(crate) fn turns(&self, graph: &Graph) -> Vec<[usize; 2]> {
        let mut open: BTreeMap<[usize; 2], Vec<(usize, [Part; 2])>> = BTreeMap::new();
        let mut turns = Vec::new();
        for (node, definition) in self.definitions.iter().enumerate() {
            let [(x, p), (y, q)] = definition[..] else {
                continue;
            };
            let parts = [p, q].map(|factor| part(graph, factor));
            let [Some(first), Some(second)] = parts else {
                continue;
            };
            let (pair, row) = if x < y {
                ([x, y], [first, second])
            } else {
                ([y, x], [second, first])
            };
            let waiting = open.entry(pair).or_default();
            match waiting.iter().position(|(_, other)| is_turn(row, *other)) {
                Some(position) => {
                    let (other, _) = waiting.remove(position);
                    turns.push([other, node].map(|node| self.velocities + node));
                }
                None => waiting.push((node, row)),
            }
        }
        turns
    }
}

/// The terms by variables that are not multiples of others.
fn rewrite_over_bases(graph: &mut Graph, shortened: &Shortened, squares: Squares) -> Squares {
    let mut squares_of_bases = Squares::new();
    for ((x, y), terms) in squares {
        let ((x, a), (y, b)) = (shortened.base(graph, x), shortened.base(graph, y));
        let weight = graph.sum(Number::ZERO, terms);
        let weight = graph.product(vec![(weight, 1), (a, 1), (b, 1)]);
        let pair = (x.min(y), x.max(y));
        squares_of_bases
            .entry(pair)
            .or_default()
            .push((Number::ONE, weight));
    }
    squares_of_bases
}

/// The nodes in the form, in order.
fn find_used(shortened: &Shortened, squares: &Squares) -> BTreeSet<NodeId> {
    let mut open: BTreeSet<NodeId> = squares.keys().flat_map(|(x, y)| [*x, *y]).collect();
    let mut used = BTreeSet::new();
    while let Some(node) = open.pop_last() {
        if let Some(definition) = shortened.definition(node) {
            open.extend(definition.keys());
            used.insert(node);
        }
    }
    used
}

/// A sine or cosine, or its negative: the sign, the function, and its argument.
type Part = (bool, Unary, NodeId);

fn part(graph: &Graph, factor: NodeId) -> Option<Part> {
    let (minus, node) = signed(graph, factor);
    match *graph.node(node) {
        Node::Unary(function @ (Unary::Sin | Unary::Cos), angle) => Some((minus, function, angle)),
        _ => None,
    }
}

/// Returns whether the rows of a 2 x 2 matrix are those of a rotation, or of a reflection.
fn is_turn([p, q]: [Part; 2], [r, t]: [Part; 2]) -> bool {
    let is_one_angle = [q, r, t].iter().all(|entry| entry.2 == p.2);
    let is_crossed = p.1 == t.1 && q.1 == r.1 && p.1 != q.1;
    // p r + q t = 0
    is_one_angle && is_crossed && (p.0 != r.0) != (q.0 != t.0)
}

/// Returns whether a node is the negative of another one, with that other node; otherwise false and the node itself.
pub(crate) fn signed(graph: &Graph, node: NodeId) -> (bool, NodeId) {
    match graph.node(node) {
        Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
            let (factor, inner) = terms[0];
            if factor == Number::MINUS_ONE {
                (true, inner)
            } else {
                (false, node)
            }
        }
        _ => (false, node),
    }
}
