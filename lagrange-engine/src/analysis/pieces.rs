//! States at which the curves of expressions are in each of their pieces.
//!
//! Every piece has a polynomial of its own, and a random state is hardly ever in those of a curve over a large range, or
//! over a short one. So one symbol of each argument is moved until the argument is in a wanted piece.

use std::collections::HashMap;

use crate::{Complex, Graph, Node, NodeId, Symbol};

/// The number of steps of the secant method.
const STEPS: usize = 30;
/// The share of a piece, from its middle, in which an argument ends.
const NEAR: f64 = 0.4;

/// The arguments of curves, and the places where the curves of each change their pieces, in ascending order.
#[derive(Default)]
pub(crate) struct Pieces(Vec<(NodeId, Vec<Symbol>, Vec<f64>)>);

impl Pieces {
    pub(crate) fn of(graph: &Graph, roots: &[NodeId]) -> Self {
        let mut arguments: Vec<(NodeId, Vec<Symbol>, Vec<f64>)> = Vec::new();
        let reached = graph.reachable(roots);
        for (id, _) in graph.since(0).zip(reached).filter(|(_, is_in)| *is_in) {
            let Node::Curve { of, x, .. } = graph.node(id) else {
                continue;
            };
            let known = arguments.iter().position(|(argument, ..)| argument == x);
            let index = known.unwrap_or_else(|| {
                arguments.push((*x, symbols_that_move(graph, *x), Vec::new()));
                arguments.len() - 1
            });
            arguments[index].2.extend(of.curve.breaks());
        }
        for (.., breaks) in &mut arguments {
            breaks.sort_by(f64::total_cmp);
            // Curves with other ends have the same places but for rounding.
            let least = 1e-9 * (breaks[breaks.len() - 1] - breaks[0]);
            breaks.dedup_by(|later, earlier| *later - *earlier <= least);
        }
        Self(arguments)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of states in a row that are in all pieces.
    pub(crate) fn count(&self) -> usize {
        self.0
            .iter()
            .map(|(.., breaks)| breaks.len() + 1)
            .max()
            .unwrap_or(0)
    }

    /// The symbols that are moved at this state, with their real values. Those that reach no wanted piece stay.
    pub(crate) fn move_into_pieces(
        &self,
        graph: &Graph,
        state: usize,
        values: &dyn Fn(Symbol) -> f64,
    ) -> HashMap<Symbol, f64> {
        let mut moved: HashMap<Symbol, f64> = HashMap::new();
        for (number, (argument, symbols, breaks)) in self.0.iter().enumerate() {
            let count = breaks.len() + 1;
            // All pieces in as many states, and from round to round beside other pieces of the other arguments.
            let [from, to] = ends_of_piece(breaks, (state + state / count * number) % count);
            let (middle, half) = ((from + to) / 2.0, (to - from) / 2.0);
            let free = symbols.iter().filter(|symbol| !moved.contains_key(symbol));
            let moved_symbol = free.copied().find_map(|symbol| {
                // Another place of the piece at another state.
                let share = values(symbol).sin();
                let wanted = middle + NEAR * share * half;
                let residual = |value: f64| {
                    let value_of = |other: Symbol| {
                        let known = moved.get(&other).copied();
                        let is_moved = other == symbol;
                        Complex::real(if is_moved {
                            value
                        } else {
                            known.unwrap_or_else(|| values(other))
                        })
                    };
                    let reached = graph.evaluate_complex(&[*argument], &value_of)[0].value;
                    reached.is_real().then_some(reached.re - wanted)
                };
                let value = solve(values(symbol), NEAR * half, residual)?;
                Some((symbol, value))
            });
            moved.extend(moved_symbol);
        }
        moved
    }
}

/// The symbols of an argument that differ from state to state. Those of a rotation depend on each other.
fn symbols_that_move(graph: &Graph, argument: NodeId) -> Vec<Symbol> {
    graph
        .symbols_in(&[argument])
        .into_iter()
        .filter(|symbol| !matches!(symbol, Symbol::Parameter(_)))
        .filter(|symbol| graph.rotation_of(*symbol).is_none())
        .collect()
}

/// The ends of a piece. The first and the last one are as long as those beside them.
fn ends_of_piece(breaks: &[f64], number: usize) -> [f64; 2] {
    let (first, last) = (breaks[0], breaks[breaks.len() - 1]);
    let length = |number_of_piece: usize| breaks[number_of_piece + 1] - breaks[number_of_piece];
    if number == 0 {
        [first - length(0), first]
    } else if number == breaks.len() {
        [last, last + length(breaks.len() - 2)]
    } else {
        [breaks[number - 1], breaks[number]]
    }
}

/// A zero of a function to this accuracy, by the secant method.
fn solve(start: f64, accuracy: f64, of: impl Fn(f64) -> Option<f64>) -> Option<f64> {
    let (mut before, mut now) = (start, start + 1e-3 * start.abs().max(1e-3));
    let (mut of_before, mut of_now) = (of(before)?, of(now)?);
    for _ in 0..STEPS {
        if of_now.abs() <= accuracy {
            return Some(now);
        }
        let slope = (of_now - of_before) / (now - before);
        let next = now - of_now / slope;
        if !next.is_finite() {
            return None;
        }
        (before, of_before) = (now, of_now);
        (now, of_now) = (next, of(next)?);
    }
    None
}
