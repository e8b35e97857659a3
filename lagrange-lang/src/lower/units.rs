//! What an evaluation tells about units. It records facts only when the declaration has labels, in an evaluation of its
//! own, in which numbers that may have a unit are symbols.

use lagrange_engine::{Dependence, Node, NodeId, Number, Shape, Symbol};
use proc_macro2::Ident;

use super::algebra::Operand;
use super::evaluator::Evaluator;
use super::value::Value;
use crate::errors::SpanRange;
use crate::syntax::ast::{AddOp, Expr, ExprKind};
use crate::units::{Fact, Factor, Label, Literal, Side};

/// The text of an expression in messages.
pub(super) fn words(expr: &Expr) -> String {
    match expr.written() {
        Some(text) => format!("`{text}`"),
        None => "this".to_owned(),
    }
}

/// The expression of one of `count` entries, row by row, where the text writes them out; otherwise the whole expression.
pub(super) fn entry_of(expr: &Expr, at: usize, count: usize) -> &Expr {
    let ExprKind::List(parts) = &expr.kind else {
        return expr;
    };
    // A list of vectors has their rows.
    match count.checked_div(parts.len()) {
        None | Some(0) => expr,
        Some(width) => match parts.get(at / width) {
            Some(part) => entry_of(part, at % width, width),
            None => expr,
        },
    }
}

impl Evaluator<'_> {
    /// A symbol in the place of a number that stands alone, so that its unit is its own.
    pub(super) fn symbolize(&mut self, node: NodeId) -> NodeId {
        self.symbolize_with_label(node, None)
    }

    pub(super) fn symbolize_with_label(&mut self, node: NodeId, label: Option<&Label>) -> NodeId {
        let Some(facts) = &mut self.facts else {
            return node;
        };
        match self.graph.as_number(node) {
            Some(number) if !number.is_zero() => {
                let label = label.cloned();
                let symbol = facts.literal(Literal { number, label });
                self.graph.symbol(symbol)
            }
            _ => node,
        }
    }

    /// The value with a symbol in the place of each number.
    pub(super) fn symbolize_all(&mut self, value: Value) -> Value {
        value.map(|entry| self.symbolize(entry))
    }

    /// The entries with numbers in the place of the symbols for numbers.
    pub(super) fn replace_symbols_of_numbers(&mut self, entries: &[NodeId]) -> Vec<NodeId> {
        let Some(facts) = &self.facts else {
            return entries.to_vec();
        };
        let kinds = entries
            .iter()
            .map(|entry| self.graph.dependence(*entry))
            .fold(Dependence::NONE, Dependence::union);
        if !kinds.intersects(Dependence::PARAMETER) {
            return entries.to_vec();
        }
        let reached = self.graph.reachable(entries);
        let literals: Vec<(Symbol, Number)> = self
            .graph
            .since(0)
            .zip(reached)
            .filter(|(_, is_in)| *is_in)
            .filter_map(|(id, _)| match self.graph.node(id) {
                Node::Symbol(symbol) => Some((*symbol, facts.literal_of(*symbol)?.number)),
                _ => None,
            })
            .collect();
        let graph = &mut self.graph;
        let values: Vec<(Symbol, NodeId)> = literals
            .into_iter()
            .map(|(symbol, number)| (symbol, graph.number(number)))
            .collect();
        graph.substitute(entries, &values)
    }

    /// The number that an expression is.
    pub(super) fn find_constant_number(&mut self, node: NodeId) -> Option<Number> {
        let plain = match self.graph.as_number(node) {
            None if self.facts.is_some() => self.replace_symbols_of_numbers(&[node])[0],
            _ => node,
        };
        self.graph.as_number(plain)
    }

    pub(super) fn note_fact(&mut self, place: impl Into<SpanRange>, sides: [Side; 2]) {
        if let Some(facts) = &mut self.facts {
            let place = place.into();
            facts.all.push(Fact {
                place,
                sides,
                results: Vec::new(),
            });
        }
    }

    pub(super) fn count_facts(&self) -> usize {
        self.facts.as_ref().map_or(0, |facts| facts.all.len())
    }

    /// Gives the facts behind the first `noted` ones the value of their expression.
    pub(super) fn note_results(&mut self, noted: usize, entries: &[NodeId]) {
        let Some(facts) = &mut self.facts else {
            return;
        };
        let is_symbol = |node: &NodeId| matches!(self.graph.node(*node), Node::Symbol(_));
        let new = facts
            .all
            .iter_mut()
            .skip(noted)
            .filter(|fact| fact.results.is_empty());
        for fact in new {
            fact.results = entries
                .iter()
                .copied()
                .filter(|node| !is_symbol(node))
                .collect();
        }
    }

    /// Each entry of one value has the unit of the same entry of the other one.
    pub(super) fn note_equal_units(
        &mut self,
        (first, first_value): (&Expr, &Value),
        (second, second_value): (&Expr, &Value),
    ) {
        if self.facts.is_none() {
            return;
        }
        let count = first_value.entries.len();
        let pairs = first_value
            .entries
            .iter()
            .zip(&second_value.entries)
            .enumerate();
        for (index, (a, b)) in pairs {
            let [of_a, of_b] = [first, second].map(|expr| entry_of(expr, index, count));
            let mut sides = [Side::node(*b, words(of_b)), Side::node(*a, words(of_a))];
            // An entry is a smaller term than a vector.
            let is_smaller = std::ptr::eq(of_b, second) && !std::ptr::eq(of_a, first);
            if is_smaller {
                sides.reverse();
            }
            self.note_fact(if is_smaller { of_a } else { of_b }, sides);
        }
    }

    /// All these entries have one unit.
    pub(super) fn note_one_unit(&mut self, expr: &Expr, entries: &[NodeId]) {
        if self.facts.is_none() {
            return;
        }
        let mut known = entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| self.graph.as_number(**entry).is_none());
        let Some((first, of_first)) = known.next() else {
            return;
        };
        let other_entries: Vec<(usize, NodeId)> = known.map(|(at, entry)| (at, *entry)).collect();
        let name_entry = |index: usize, whole: String| {
            let part = entry_of(expr, index, entries.len());
            let is_whole = std::ptr::eq(part, expr);
            (part, if is_whole { whole } else { words(part) })
        };
        let (_, words_of_first) = name_entry(first, format!("entry {first}"));
        for (at, entry) in other_entries {
            let (part, of) = name_entry(at, format!("entry {at} of {}", words(expr)));
            let sides = [
                Side::node(entry, of),
                Side::node(*of_first, &words_of_first[..]),
            ];
            self.note_fact(part, sides);
        }
    }

    /// Each entry is in this unit.
    pub(super) fn note_unit(&mut self, expr: &Expr, entries: &[NodeId], expected: &Side) {
        if self.facts.is_none() {
            return;
        }
        for (index, entry) in entries.iter().enumerate() {
            let part = entry_of(expr, index, entries.len());
            let sides = [Side::node(*entry, words(part)), expected.clone()];
            self.note_fact(part, sides);
        }
    }

    /// Each entry is a pure number.
    pub(super) fn note_pure(&mut self, expr: &Expr, value: &Value, what: &str) {
        self.note_unit(expr, &value.entries, &Side::pure(what));
    }

    /// The products of the entries of two vectors have one unit.
    pub(super) fn note_products(
        &mut self,
        place: impl Into<SpanRange>,
        left: &[NodeId],
        right: &[NodeId],
    ) {
        if self.facts.is_none() {
            return;
        }
        let pairs = left.iter().zip(right).enumerate();
        let known = |(_, (a, b)): &(usize, (&NodeId, &NodeId))| {
            [a, b]
                .iter()
                .all(|node| self.graph.as_number(***node).is_none())
        };
        let product = |(at, (a, b)): (usize, (&NodeId, &NodeId))| {
            let factors = vec![(Factor::Node(*a), 1), (Factor::Node(*b), 1)];
            Side::new(factors, format!("the product of the entries {at}"))
        };
        let mut products = pairs
            .filter(known)
            .map(product)
            .collect::<Vec<_>>()
            .into_iter();
        let Some(first) = products.next() else {
            return;
        };
        let place = place.into();
        for other in products {
            self.note_fact(place, [other, first.clone()]);
        }
    }

    /// The terms of a sum have one unit.
    pub(super) fn note_terms(
        &mut self,
        whole: &Expr,
        first: Option<&Value>,
        operands: &[Operand<'_, AddOp>],
    ) {
        let (Some(first), true) = (first, self.facts.is_some()) else {
            return;
        };
        let count = first.entries.len();
        let of_first = match &whole.kind {
            ExprKind::Sum { first, .. } => Some(&**first),
            _ => None,
        };
        for index in 0..count {
            let other_terms = operands.iter().filter_map(|operand| {
                let node = operand.value.as_ref()?.entries.get(index)?;
                Some((*node, Some(operand.expr)))
            });
            let known: Vec<(NodeId, Option<&Expr>)> =
                std::iter::once((first.entries[index], of_first))
                    .chain(other_terms)
                    .filter(|(node, _)| self.graph.as_number(*node).is_none())
                    .collect();
            let Some(((node, of), later)) = known.split_first() else {
                continue;
            };
            for (other, term) in later {
                self.note_terms_of_entry((index, count), (*node, *of), (*other, *term), whole);
            }
        }
    }

    /// Two terms have one unit in an entry. Without an expression a term is the value before.
    fn note_terms_of_entry(
        &mut self,
        (at, count): (usize, usize),
        (node, of): (NodeId, Option<&Expr>),
        (other, term): (NodeId, Option<&Expr>),
        whole: &Expr,
    ) {
        let [part, part_of_other] = [of, term].map(|expr| Some(entry_of(expr?, at, count)));
        let named = |part: Option<&Expr>| part.map_or_else(|| "the old value".to_owned(), words);
        let mut sides = [
            Side::node(other, named(part_of_other)),
            Side::node(node, named(part)),
        ];
        let is_entry = |part: Option<&Expr>, whole: Option<&Expr>| match (part, whole) {
            (Some(part), Some(whole)) => !std::ptr::eq(part, whole),
            _ => false,
        };
        // An entry is a smaller term than a vector.
        let is_smaller = is_entry(part, of) && !is_entry(part_of_other, term);
        if is_smaller {
            sides.reverse();
        }
        let place = if is_smaller { part } else { part_of_other };
        self.note_fact(place.unwrap_or(whole), sides);
    }

    /// The sides of a condition have one unit. Beside a number the other side is a pure number.
    pub(super) fn note_compared(&mut self, left: (&Expr, NodeId), right: (&Expr, NodeId)) {
        let of = |(expr, node): (&Expr, NodeId)| Side::node(node, words(expr));
        let is_number = |node| {
            self.graph
                .as_number(node)
                .is_some_and(|number| !number.is_zero())
        };
        let pure = || Side::pure("the number beside it");
        let sides = match (is_number(left.1), is_number(right.1)) {
            (true, true) => return,
            (true, false) => [of(right), pure()],
            (false, true) => [of(left), pure()],
            (false, false) => [of(right), of(left)],
        };
        let place = if is_number(right.1) { left.0 } else { right.0 };
        self.note_fact(place, sides);
    }

    /// T, V and L are energies, and D is a power.
    pub(super) fn note_energy(&mut self, expr: &Expr, whole: NodeId, is_power: bool) {
        let expected = match is_power {
            false => Side::new(vec![(Factor::Energy, 1)], "an energy"),
            true => Side::new(vec![(Factor::Energy, 1), (Factor::Second, -1)], "a power"),
        };
        self.note_unit(expr, &[whole], &expected);
    }

    /// A multiplier times its residual is an energy, or a power if the residual has velocities.
    pub(super) fn note_multiplier(
        &mut self,
        name: &Ident,
        number: u32,
        (residual, is_power): (NodeId, bool),
    ) {
        if self.facts.is_none() {
            return;
        }
        let multiplier = self.graph.symbol(Symbol::Multiplier(number));
        let product = vec![(Factor::Node(multiplier), 1), (Factor::Node(residual), 1)];
        let (seconds, words) = if is_power {
            (-1, "a power")
        } else {
            (0, "an energy")
        };
        let expected = Side::new(vec![(Factor::Energy, 1), (Factor::Second, seconds)], words);
        let of = format!("the multiplier of `{name}` times its residual");
        self.note_fact(name, [Side::new(product, of), expected]);
    }

    /// A generalized force times its coordinate is an energy.
    pub(super) fn note_generalized(
        &mut self,
        expr: &Expr,
        velocities: &[usize],
        forces: &[NodeId],
    ) {
        for (index, (velocity, force)) in velocities.iter().zip(forces).enumerate() {
            let (words, rate) = self.name_rate_of(*velocity);
            let factors = vec![
                (Factor::Energy, 1),
                (Factor::Second, -1),
                (Factor::Node(rate), -1),
            ];
            let expected = Side::new(factors, format!("a force on {words}"));
            let part = entry_of(expr, index, forces.len());
            self.note_unit(part, &[*force], &expected);
        }
    }

    /// The rate of a velocity, and the name of its coordinate.
    fn name_rate_of(&mut self, velocity: usize) -> (String, NodeId) {
        let name = self
            .names
            .velocities()
            .get(velocity)
            .cloned()
            .unwrap_or_default();
        let name = name
            .strip_prefix("der(")
            .and_then(|name| name.strip_suffix(')'))
            .unwrap_or(&name);
        (
            format!("`{name}`"),
            self.graph.symbol(Symbol::Velocity(velocity as u32)),
        )
    }

    /// A force times the way of its point is an energy.
    pub(super) fn note_work(
        &mut self,
        (force, forces): (&Expr, &Value),
        (point, at): (&Expr, &Value),
    ) {
        self.note_one_unit(point, &at.entries);
        // All entries of the point have the unit of this entry. Another unit is reported elsewhere.
        let Some(along) = at
            .entries
            .iter()
            .find(|entry| self.graph.as_number(**entry).is_none())
        else {
            return;
        };
        let factors = vec![(Factor::Energy, 1), (Factor::Node(*along), -1)];
        let expected = Side::new(factors, "a force at this point");
        self.note_unit(force, &forces.entries, &expected);
    }

    /// A point in space or in the plane.
    pub(super) fn note_position(&mut self, expr: &Expr, value: &Value) {
        if matches!(value.shape, Shape::Vector(_)) {
            let length = Side::new(vec![(Factor::Length, 1)], "a position in space");
            self.note_unit(expr, &value.entries, &length);
        }
    }
}
