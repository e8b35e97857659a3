//! The rates of states as data: which rate reads which other one, and the rates without symbols of rates.

use std::collections::{BTreeSet, VecDeque};

use lagrange_engine::{Dependence, Graph, Node, NodeId, Symbol};

use crate::errors::SpanRange;

/// The rates so far.
#[derive(Default)]
pub(super) struct Rates {
    /// One entry for each state.
    pub(super) by_state: Vec<Rate>,
    /// The states whose rates are read before they are given, with the places.
    pub(super) early: Vec<(SpanRange, u32)>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Rate {
    pub(super) is_given: bool,
    /// `None` after a mistake.
    pub(super) value: Option<NodeId>,
}

impl Rates {
    pub(super) fn new(states: usize) -> Self {
        Rates {
            by_state: vec![Rate::default(); states],
            early: Vec::new(),
        }
    }

    /// For each state, whether a statement gives its rate, even one with a mistake.
    pub(super) fn given(&self) -> Vec<bool> {
        self.by_state.iter().map(|rate| rate.is_given).collect()
    }

    /// The states whose rates occur in the rate of this state.
    pub(super) fn read_by(&self, graph: &Graph, state: u32) -> Vec<u32> {
        let value = self
            .by_state
            .get(state as usize)
            .and_then(|rate| rate.value);
        find_rates_in(graph, value.as_slice())
    }

    /// The shortest chain of rates from one state to a state that `is_end` accepts. Each rate reads the next one.
    pub(super) fn chain(
        &self,
        graph: &Graph,
        from: u32,
        is_end: &dyn Fn(u32) -> bool,
    ) -> Option<Vec<u32>> {
        let mut reached = BTreeSet::new();
        let mut open = VecDeque::from([vec![from]]);
        while let Some(chain) = open.pop_front() {
            let last = *chain.last()?;
            if is_end(last) {
                return Some(chain);
            }
            for next in self.read_by(graph, last) {
                if reached.insert(next) {
                    open.push_back([&chain[..], &[next]].concat());
                }
            }
        }
        None
    }

    /// The rates without symbols of rates, and nothing for a state whose rate has a mistake.
    pub(super) fn resolve(&self, graph: &mut Graph) -> Vec<NodeId> {
        let zero = graph.integer(0);
        let mut rates: Vec<NodeId> = self
            .by_state
            .iter()
            .map(|rate| rate.value.unwrap_or(zero))
            .collect();
        // Each pass doubles the length of the chains that are resolved. A circle was reported, and would not end.
        let mut resolved = 1;
        while resolved < rates.len() && !find_rates_in(graph, &rates).is_empty() {
            rates = substitute(graph, &rates, &rates);
            resolved *= 2;
        }
        rates
    }
}

/// The entries with these rates in the place of their symbols.
pub(super) fn substitute(graph: &mut Graph, entries: &[NodeId], rates: &[NodeId]) -> Vec<NodeId> {
    if rates.is_empty() {
        return entries.to_vec();
    }
    let replacements: Vec<(Symbol, NodeId)> = (0..)
        .map(Symbol::StateRate)
        .zip(rates.iter().copied())
        .collect();
    graph.substitute(entries, &replacements)
}

/// The states whose rates occur in the entries.
pub(super) fn find_rates_in(graph: &Graph, entries: &[NodeId]) -> Vec<u32> {
    let has_states = |entry: &NodeId| graph.dependence(*entry).intersects(Dependence::STATE);
    if !entries.iter().any(has_states) {
        return Vec::new();
    }
    let reached = graph.reachable(entries);
    graph
        .since(0)
        .zip(reached)
        .filter(|(_, is_in)| *is_in)
        .filter_map(|(id, _)| match graph.node(id) {
            Node::Symbol(Symbol::StateRate(state)) => Some(*state),
            _ => None,
        })
        .collect()
}
