//! Shorter definitions of the same nodes.
//!
//! - A multiple of one variable is replaced by that variable.
//! - Definitions are inserted if terms then cancel: `x = y - z` with `y = z + v` is v.
//! - Sums with a common beginning become sums of sums: `y = u + v`, `x = u + v + w` becomes `x = y + w`, so a chain
//!   whose angles were written out one by one is a chain like any other.

use std::collections::BTreeMap;

use super::{signed, squares::Sums};
use crate::{Graph, NodeId, Number};

/// Nonzero coefficients by variable.
pub(super) type Definition = BTreeMap<NodeId, NodeId>;

/// Definitions, each over variables before it.
#[derive(Default)]
pub(super) struct Shortened {
    definitions: BTreeMap<NodeId, Definition>,
    /// For nodes that are multiples of one variable: the variable and the factor.
    multiples: BTreeMap<NodeId, (NodeId, NodeId)>,
    /// The nodes by the smallest variable in their definitions.
    by_first: BTreeMap<NodeId, Vec<NodeId>>,
}

impl Shortened {
    pub(super) fn of(graph: &mut Graph, sums: Sums) -> Self {
        let mut shortened = Shortened::default();
        for (node, terms) in sums {
            let mut definition = Definition::new();
            for (variable, factor) in terms {
                shortened.add(graph, &mut definition, variable, factor);
            }
            shortened.cancel(graph, &mut definition);
            shortened.take_out(graph, &mut definition);
            shortened.define(node, definition);
        }
        shortened
    }

    /// `None` for velocities and for multiples.
    pub(super) fn definition(&self, node: NodeId) -> Option<&Definition> {
        self.definitions.get(&node)
    }

    /// The variable of which a node is a multiple, and the factor.
    pub(super) fn base(&self, graph: &mut Graph, node: NodeId) -> (NodeId, NodeId) {
        match self.multiples.get(&node) {
            Some(multiple) => *multiple,
            None => (node, graph.integer(1)),
        }
    }

    fn define(&mut self, node: NodeId, definition: Definition) {
        let Some((first, factor)) = definition.first_key_value() else {
            self.definitions.insert(node, definition);
            return;
        };
        if definition.len() == 1 {
            self.multiples.insert(node, (*first, *factor));
            return;
        }
        self.by_first.entry(*first).or_default().push(node);
        self.definitions.insert(node, definition);
    }

    /// Adds a term to a definition.
    fn add(&self, graph: &mut Graph, definition: &mut Definition, node: NodeId, factor: NodeId) {
        let (variable, multiple) = self.base(graph, node);
        let factor = graph.mul(factor, multiple);
        let sum = match definition.remove(&variable) {
            Some(before) => graph.add(before, factor),
            None => factor,
        };
        if !graph.is_zero(sum) {
            definition.insert(variable, sum);
        }
    }

    /// Replaces terms by their definitions as long as that makes the definition shorter.
    ///
    /// It ends because each round shortens it.
    fn cancel(&self, graph: &mut Graph, definition: &mut Definition) {
        while let Some(shorter) = self.shorten_once(graph, definition) {
            *definition = shorter;
        }
    }

    fn shorten_once(&self, graph: &mut Graph, definition: &Definition) -> Option<Definition> {
        definition.iter().rev().find_map(|(variable, factor)| {
            let inner = self.definitions.get(variable)?;
            let is_common = |node: &&NodeId| definition.contains_key(*node);
            let common = inner.keys().filter(is_common).count();
            // At best all common terms cancel, and the variable itself.
            if inner.len() > 2 * common {
                return None;
            }
            let mut expanded = definition.clone();
            expanded.remove(variable);
            for (inner, inner_factor) in inner {
                let factor = graph.mul(*factor, *inner_factor);
                self.add(graph, &mut expanded, *inner, factor);
            }
            (expanded.len() < definition.len()).then_some(expanded)
        })
    }

    /// Replaces the terms of the longest node that occurs as a whole, with equal or opposite signs, by this node.
    fn take_out(&self, graph: &mut Graph, definition: &mut Definition) {
        if let Some((node, minus)) = self.find_longest_part(graph, definition) {
            let inner = self.definitions.get(&node);
            definition
                .retain(|variable, _| inner.is_none_or(|inner| !inner.contains_key(variable)));
            let factor = if minus {
                Number::MINUS_ONE
            } else {
                Number::ONE
            };
            definition.insert(node, graph.number(factor));
        }
    }

    fn find_longest_part(&self, graph: &Graph, definition: &Definition) -> Option<(NodeId, bool)> {
        let lists = definition
            .keys()
            .filter_map(|first| self.by_first.get(first));
        let mut longest: Option<(NodeId, bool)> = None;
        let mut length = 0;
        for node in lists.flat_map(|nodes| nodes.iter().rev()) {
            let Some(inner) = self.definitions.get(node) else {
                continue;
            };
            if inner.len() <= length {
                continue;
            }
            if let Some(minus) = part_of(graph, inner, definition) {
                longest = Some((*node, minus));
                length = inner.len();
            }
            if length + 1 == definition.len() {
                break;
            }
        }
        longest
    }
}

/// Returns whether the terms of one definition are among those of a longer one: `Some(false)` with equal signs,
/// `Some(true)` with opposite signs.
fn part_of(graph: &Graph, inner: &Definition, outer: &Definition) -> Option<bool> {
    if inner.len() >= outer.len() {
        return None;
    }
    let mut is_negative = None;
    for (variable, factor) in inner {
        let minus = is_opposite(graph, *factor, *outer.get(variable)?)?;
        if *is_negative.get_or_insert(minus) != minus {
            return None;
        }
    }
    is_negative
}

/// Returns whether one coefficient is the negative of another; `None` if it is neither that nor equal.
fn is_opposite(graph: &Graph, first: NodeId, second: NodeId) -> Option<bool> {
    if let (Some(a), Some(b)) = (graph.as_number(first), graph.as_number(second)) {
        return match b {
            _ if a == b => Some(false),
            _ if a == -b => Some(true),
            _ => None,
        };
    }
    let ((minus, first), (other, second)) = (signed(graph, first), signed(graph, second));
    (first == second).then_some(minus != other)
}
