//! Nodes to instructions: sums and products of many operands become chains of two.

mod products;

use crate::codegen::ir::{Builder, Operand};
use std::borrow::Cow;
use std::collections::HashMap;

use super::equal_coefficients::{group_terms, has_equal_coefficients};
use super::pairs::{Atom, Term};
use super::plan::Plan;
use crate::{Graph, Node, NodeId, Number, Symbol, Unary};

/// Lowers everything the roots contain; returns the operand of each root.
pub(in crate::codegen) fn lower(
    graph: &Graph,
    roots: &[NodeId],
    builder: &mut Builder,
) -> Vec<Operand> {
    lower_planned(
        graph,
        &Plan::new(graph, roots),
        roots,
        Sums::TermByTerm,
        builder,
    )
}

/// Lowers everything the roots contain by a plan of these roots, with sums written in this way.
pub(super) fn lower_planned(
    graph: &Graph,
    plan: &Plan,
    roots: &[NodeId],
    sums: Sums,
    builder: &mut Builder,
) -> Vec<Operand> {
    let mut lowering = Lowering::new(graph, plan, builder);
    lowering.sums = sums;
    lowering.lower_nodes(|_| true);
    lowering.lower_roots(roots)
}

/// The form of the chain of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sums {
    /// Term by term.
    TermByTerm,
    /// Terms of one coefficient are added up before they are scaled, see [`super::equal_coefficients`], and numbers
    /// absorb minus signs: `-2 x - 3 y` is `-2 x` less `3 y`.
    ///
    /// Such a chain is shorter unless other sums share `2 x`, which only the whole code shows.
    Grouped,
}

/// The operands of the roots of two stages.
type Stages = [Vec<Operand>; 2];

/// The same in two stages. The second stage may read values that are made between them from the first one's roots:
/// these give the values of symbols, which the first stage must not contain. `None` if it does.
pub(in crate::codegen) fn lower_in_stages<T>(
    graph: &Graph,
    [first, second]: [&[NodeId]; 2],
    builder: &mut Builder,
    between: impl FnOnce(&mut Builder, &[Operand]) -> Option<(T, HashMap<Symbol, Operand>)>,
) -> Option<(T, Stages)> {
    let plan = Plan::new(graph, &[first, second].concat());
    let mut lowering = Lowering::new(graph, &plan, builder);
    let is_first = graph.reachable(first);
    let is_first = |id: NodeId| is_first.get(id.index()) == Some(&true);
    lowering.lower_nodes(is_first);
    let before = lowering.lower_roots(first);
    let (made, symbols) = between(lowering.builder, &before)?;
    lowering.symbols = symbols;
    lowering.lower_nodes(|id| !is_first(id));
    let after = lowering.lower_roots(second);
    Some((made, [before, after]))
}

struct Lowering<'a> {
    graph: &'a Graph,
    plan: &'a Plan,
    sums: Sums,
    builder: &'a mut Builder,
    /// For each node the position of its value plus 1; 0 for none.
    places: Box<[u32]>,
    values: Vec<Operand>,
    sum_pairs: Vec<Option<Operand>>,
    product_pairs: Vec<Option<Operand>>,
    /// The values of computed symbols.
    symbols: HashMap<Symbol, Operand>,
}

/// The scaled value of a term of a chain.
#[derive(Clone, Copy)]
enum What {
    Atom(Atom),
    /// A sum of terms with one coefficient.
    Value(Operand),
}

/// The parts of a whole sum: terms, and after them sums of terms of one size.
struct Summands<'t> {
    terms: Cow<'t, [Term]>,
    values: Vec<(Number, Operand)>,
}

impl Summands<'_> {
    fn len(&self) -> usize {
        self.terms.len() + self.values.len()
    }

    fn get(&self, position: usize) -> (Number, What) {
        let terms = &self.terms[..];
        if position < terms.len() {
            (terms[position].0, What::Atom(terms[position].1))
        } else {
            let (coefficient, value) = self.values[position - terms.len()];
            (coefficient, What::Value(value))
        }
    }
}

impl<'a> Lowering<'a> {
    fn new(graph: &'a Graph, plan: &'a Plan, builder: &'a mut Builder) -> Self {
        Lowering {
            graph,
            sum_pairs: vec![None; plan.sum_pairs.len()],
            product_pairs: vec![None; plan.product_pairs.len()],
            plan,
            sums: Sums::TermByTerm,
            builder,
            places: plan.order.table(0),
            values: Vec::new(),
            symbols: HashMap::new(),
        }
    }

    /// The selected nodes, in the order of the plan.
    fn lower_nodes(&mut self, is_among: impl Fn(NodeId) -> bool) {
        let plan = self.plan;
        for (place, id) in plan.order.nodes.iter().enumerate() {
            if is_among(*id) && !plan.fused[place] {
                let value = self.lower_node(*id);
                self.values.push(value);
                self.places[place] = self.values.len() as u32;
            }
        }
    }

    fn lower_roots(&mut self, roots: &[NodeId]) -> Vec<Operand> {
        roots.iter().map(|root| self.value(*root)).collect()
    }

    /// The value of a node that the order has passed.
    fn value(&mut self, id: NodeId) -> Operand {
        match self.places[self.plan.order.at(id)] {
            // Only a root or child that is fused elsewhere has none; its value is cheap to compute again.
            0 => self.lower_node(id),
            place => self.values[place as usize - 1],
        }
    }

    fn lower_node(&mut self, id: NodeId) -> Operand {
        match *self.graph.node(id) {
            Node::Number(number) => Operand::Constant(number.to_f64()),
            Node::Pi => Operand::Constant(std::f64::consts::PI),
            Node::Symbol(symbol) => {
                let computed = self.symbols.get(&symbol);
                computed.copied().unwrap_or(Operand::Symbol(symbol))
            }
            Node::Sum { .. } => self.lower_sum(id),
            Node::Product(_) => self.lower_product(id),
            Node::Unary(function @ (Unary::Sin | Unary::Cos), angle)
                if self.plan.with_sine_and_cosine[self.plan.order.at(angle)] =>
            {
                let angle = self.value(angle);
                if let Operand::Constant(_) = angle {
                    return self.builder.unary(function, angle);
                }
                let [sine, cosine] = self.builder.sin_cos(angle);
                if function == Unary::Sin { sine } else { cosine }
            }
            Node::Unary(function, x) => {
                let x = self.value(x);
                self.builder.unary(function, x)
            }
            Node::Binary(function, x, y) => {
                let (x, y) = (self.value(x), self.value(y));
                self.builder.binary(function, x, y)
            }
            Node::Curve {
                ref of,
                x,
                ref controls,
            } => {
                let mut operands = vec![self.value(x)];
                for control in controls {
                    operands.push(self.value(*control));
                }
                self.builder.curve(of.clone(), &operands)
            }
            Node::Select {
                comparison,
                sides: [left, right],
                then,
                otherwise,
            } => {
                let operands = [left, right, then, otherwise].map(|child| self.value(child));
                self.builder.select(comparison, operands)
            }
        }
    }

    fn lower_sum(&mut self, id: NodeId) -> Operand {
        let (constant, terms) = self.plan.whole_sum(self.graph, id);
        self.accumulate(constant, terms)
    }

    /// constant + sum of the terms, as a chain of additions and multiply-adds.
    fn accumulate(&mut self, constant: Number, terms: &[Term]) -> Operand {
        if self.is_turned(constant, terms) {
            let turned: Vec<Term> = terms.iter().map(|(c, atom)| (-*c, *atom)).collect();
            let sum = self.accumulate(-constant, &turned);
            return self.builder.neg(sum);
        }
        let summands = self.group_summands(terms);
        let start = self.choose_first(constant, &summands);
        let first = start.unwrap_or(usize::MAX);
        let mut total = match start {
            Some(position) => {
                let (coefficient, what) = summands.get(position);
                self.scale(coefficient, what)
            }
            None => Operand::Constant(constant.to_f64()),
        };
        let mut position = 0;
        while position < summands.len() {
            if position != first {
                let (coefficient, what) = summands.get(position);
                total = self.add_scaled(total, coefficient, what);
            }
            position += 1;
        }
        if start.is_some() && !constant.is_zero() {
            let size = Operand::Constant(constant.abs().to_f64());
            total = if constant.is_negative() {
                self.builder.sub(total, size)
            } else {
                self.builder.add(total, size)
            };
        }
        total
    }

    /// Returns whether a sum is computed without the minus signs of all its summands.
    fn is_turned(&self, constant: Number, terms: &[Term]) -> bool {
        is_negative(constant, terms)
            && !(self.sums == Sums::Grouped && takes_minus_signs(constant, terms))
    }

    /// The summands of the chain of a sum.
    fn group_summands<'t>(&mut self, terms: &'t [Term]) -> Summands<'t> {
        if self.sums == Sums::TermByTerm || !has_equal_coefficients(terms) {
            return Summands {
                terms: Cow::Borrowed(terms),
                values: Vec::new(),
            };
        }
        let (single, groups) = group_terms(terms);
        let mut values = Vec::with_capacity(groups.len());
        for group in groups {
            let sum = self.accumulate(Number::ZERO, &group.terms);
            values.push((group.coefficient, sum));
        }
        Summands {
            terms: Cow::Owned(single),
            values,
        }
    }

    /// The start of the chain: a plain value if there is one, because products can be added for free; else a summand
    /// with a plus sign, or with a number that absorbs the minus sign. `None` for the constant.
    fn choose_first(&self, constant: Number, summands: &Summands<'_>) -> Option<usize> {
        let is_free = self.sums == Sums::Grouped && constant.is_zero();
        let (mut positive, mut scaled) = (None, None);
        let mut position = 0;
        while position < summands.len() {
            let (coefficient, what) = summands.get(position);
            let is_value = match what {
                What::Atom(atom) => !self.is_fused_product(atom),
                What::Value(_) => true,
            };
            if is_value && coefficient.is_one() {
                return Some(position);
            }
            if positive.is_none() && !coefficient.is_negative() {
                positive = Some(position);
            }
            if is_free && scaled.is_none() && !coefficient.is_sign() {
                scaled = Some(position);
            }
            position += 1;
        }
        positive.or(scaled)
    }

    fn is_fused_product(&self, atom: Atom) -> bool {
        (atom as usize) < self.graph.len() && self.plan.is_fused(NodeId(atom))
    }

    fn lower_sum_pair(&mut self, atom: Atom) -> Operand {
        let pair_number = atom as usize - self.graph.len();
        if let Some(value) = self.sum_pairs[pair_number] {
            return value;
        }
        let terms = self.plan.sum_pairs[pair_number];
        let value = self.accumulate(Number::ZERO, &terms);
        self.sum_pairs[pair_number] = Some(value);
        value
    }
}

/// Returns whether all summands have a minus sign.
fn is_negative(constant: Number, terms: &[Term]) -> bool {
    let has_minus = constant.is_negative() || constant.is_zero();
    let mut count = 0;
    while count < terms.len() && terms[count].0.is_negative() {
        count += 1;
    }
    has_minus && count > 0 && count == terms.len()
}

/// Returns whether one of the summands is or has a number that absorbs a minus sign.
fn takes_minus_signs(constant: Number, terms: &[Term]) -> bool {
    !constant.is_zero() || terms.iter().any(|(c, _)| !c.is_sign())
}

impl Sums {
    /// Returns whether a sum, or a part of one, is written differently when grouped.
    pub(super) fn differ(constant: Number, terms: &[Term]) -> bool {
        let keeps_signs = is_negative(constant, terms) && takes_minus_signs(constant, terms);
        keeps_signs || has_equal_coefficients(terms)
    }
}
