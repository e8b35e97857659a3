//! Nodes to instructions: sums and products of many operands become chains of two.

mod products;

use std::borrow::Cow;
use std::collections::HashMap;

use super::Operand;
use super::builder::Builder;
use super::equal_coefficients::{group_terms, has_equal_coefficients};
use super::pairs::{Atom, Term};
use super::plan::Plan;
use crate::{Graph, Node, NodeId, Number, Symbol, Unary};

/// Lowers everything the roots contain; returns the operand of each root.
pub(super) fn lower(graph: &Graph, roots: &[NodeId], builder: &mut Builder) -> Vec<Operand> {
    lower_sums(graph, roots, Sums::AsTheyAre, builder)
}

/// The same with sums written in this way.
pub(super) fn lower_sums(
    graph: &Graph,
    roots: &[NodeId],
    sums: Sums,
    builder: &mut Builder,
) -> Vec<Operand> {
    lower_planned(graph, &Plan::new(graph, roots), roots, sums, builder)
}

/// The same by a plan of these roots.
pub(super) fn lower_planned(
    graph: &Graph,
    plan: &Plan,
    roots: &[NodeId],
    sums: Sums,
    builder: &mut Builder,
) -> Vec<Operand> {
    let mut lowering = Lowering::new(graph, plan, builder);
    lowering.sums = sums;
    lowering.nodes(|_| true);
    lowering.roots(roots)
}

/// How the chain of a sum is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sums {
    /// Term by term.
    AsTheyAre,
    /// Terms of one coefficient are added up before they are scaled, see [`super::equal_coefficients`], and numbers take minus
    /// signs: `-2 x - 3 y` is `-2 x` less `3 y`.
    ///
    /// That is shorter but where others share `2 x`, which only the whole code tells.
    Folded,
}

/// The operands of the roots of two stages.
type Stages = [Vec<Operand>; 2];

/// The same in two stages, of which the second one may read what is made of the first one's roots in between:
/// that tells what symbols stand for, which the first stage does not contain. `None` if it does.
pub(super) fn lower_in_stages<T>(
    graph: &Graph,
    [first, second]: [&[NodeId]; 2],
    builder: &mut Builder,
    between: impl FnOnce(&mut Builder, &[Operand]) -> Option<(T, HashMap<Symbol, Operand>)>,
) -> Option<(T, Stages)> {
    let plan = Plan::new(graph, &[first, second].concat());
    let mut lowering = Lowering::new(graph, &plan, builder);
    let is_first = graph.reachable(first);
    let is_first = |id: NodeId| is_first.get(id.index()) == Some(&true);
    lowering.nodes(is_first);
    let before = lowering.roots(first);
    let (made, symbols) = between(lowering.builder, &before)?;
    lowering.symbols = symbols;
    lowering.nodes(|id| !is_first(id));
    let after = lowering.roots(second);
    Some((made, [before, after]))
}

struct Lowering<'a> {
    graph: &'a Graph,
    plan: &'a Plan,
    sums: Sums,
    builder: &'a mut Builder,
    /// Per node: where its value stands, and 1; 0 where there is none.
    places: Box<[u32]>,
    values: Vec<Operand>,
    sum_pairs: Vec<Option<Operand>>,
    product_pairs: Vec<Option<Operand>>,
    /// What stands for symbols that are computed.
    symbols: HashMap<Symbol, Operand>,
}

/// What a term of a chain scales.
#[derive(Clone, Copy)]
enum What {
    Atom(Atom),
    /// A sum of terms that are alike.
    Value(Operand),
}

/// The same of a whole sum: terms, and sums of terms of one size behind them.
struct Summands<'t> {
    terms: Cow<'t, [Term]>,
    values: Vec<(Number, Operand)>,
}

impl Summands<'_> {
    fn len(&self) -> usize {
        self.terms.len() + self.values.len()
    }

    fn get(&self, at: usize) -> (Number, What) {
        let terms = &self.terms[..];
        if at < terms.len() {
            (terms[at].0, What::Atom(terms[at].1))
        } else {
            let (coefficient, value) = self.values[at - terms.len()];
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
            sums: Sums::AsTheyAre,
            builder,
            places: plan.order.table(0),
            values: Vec::new(),
            symbols: HashMap::new(),
        }
    }

    /// Those of the nodes, in the order of the plan.
    fn nodes(&mut self, is_among: impl Fn(NodeId) -> bool) {
        let plan = self.plan;
        for (at, id) in plan.order.nodes.iter().enumerate() {
            if is_among(*id) && !plan.fused[at] {
                let value = self.node(*id);
                self.values.push(value);
                self.places[at] = self.values.len() as u32;
            }
        }
    }

    fn roots(&mut self, roots: &[NodeId]) -> Vec<Operand> {
        roots.iter().map(|root| self.value(*root)).collect()
    }

    /// The value of a node that the order has passed.
    fn value(&mut self, id: NodeId) -> Operand {
        match self.places[self.plan.order.at(id)] {
            // Only a root or child that is fused elsewhere has none; its value is cheap to repeat.
            0 => self.node(id),
            place => self.values[place as usize - 1],
        }
    }

    fn node(&mut self, id: NodeId) -> Operand {
        match *self.graph.node(id) {
            Node::Number(number) => Operand::Constant(number.to_f64()),
            Node::Pi => Operand::Constant(std::f64::consts::PI),
            Node::Symbol(symbol) => {
                let computed = self.symbols.get(&symbol);
                computed.copied().unwrap_or(Operand::Symbol(symbol))
            }
            Node::Sum { .. } => self.sum(id),
            Node::Product(_) => self.product(id),
            Node::Unary(function @ (Unary::Sin | Unary::Cos), angle)
                if self.plan.both[self.plan.order.at(angle)] =>
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

    fn sum(&mut self, id: NodeId) -> Operand {
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
        let summands = self.summands(terms);
        let start = self.first_summand(constant, &summands);
        let first = start.unwrap_or(usize::MAX);
        let mut total = match start {
            Some(at) => {
                let (coefficient, what) = summands.get(at);
                self.scaled(coefficient, what)
            }
            None => Operand::Constant(constant.to_f64()),
        };
        let mut at = 0;
        while at < summands.len() {
            if at != first {
                let (coefficient, what) = summands.get(at);
                total = self.add_scaled(total, coefficient, what);
            }
            at += 1;
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

    /// Whether a sum is computed without the minus signs that all its summands have.
    fn is_turned(&self, constant: Number, terms: &[Term]) -> bool {
        is_negative(constant, terms)
            && !(self.sums == Sums::Folded && takes_minus_signs(constant, terms))
    }

    /// What the chain of a sum scales and adds up.
    fn summands<'t>(&mut self, terms: &'t [Term]) -> Summands<'t> {
        if self.sums == Sums::AsTheyAre || !has_equal_coefficients(terms) {
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

    /// Where the chain starts: at a plain value if there is one, because products can be added on
    /// for free; else at one with a plus sign, or with a number that takes the minus sign. `None`: at the constant.
    fn first_summand(&self, constant: Number, summands: &Summands<'_>) -> Option<usize> {
        let is_free = self.sums == Sums::Folded && constant.is_zero();
        let (mut positive, mut scaled) = (None, None);
        let mut at = 0;
        while at < summands.len() {
            let (coefficient, what) = summands.get(at);
            let is_value = match what {
                What::Atom(atom) => !self.is_fused_product(atom),
                What::Value(_) => true,
            };
            if is_value && coefficient.is_one() {
                return Some(at);
            }
            if positive.is_none() && !coefficient.is_negative() {
                positive = Some(at);
            }
            if is_free && scaled.is_none() && !coefficient.is_sign() {
                scaled = Some(at);
            }
            at += 1;
        }
        positive.or(scaled)
    }

    fn is_fused_product(&self, atom: Atom) -> bool {
        (atom as usize) < self.graph.len() && self.plan.is_fused(NodeId(atom))
    }

    fn sum_pair(&mut self, atom: Atom) -> Operand {
        let at = atom as usize - self.graph.len();
        if let Some(value) = self.sum_pairs[at] {
            return value;
        }
        let terms = self.plan.sum_pairs[at];
        let value = self.accumulate(Number::ZERO, &terms);
        self.sum_pairs[at] = Some(value);
        value
    }
}

/// Whether all summands have a minus sign.
fn is_negative(constant: Number, terms: &[Term]) -> bool {
    let has_minus = constant.is_negative() || constant.is_zero();
    let mut at = 0;
    while at < terms.len() && terms[at].0.is_negative() {
        at += 1;
    }
    has_minus && at > 0 && at == terms.len()
}

/// Whether one of the summands is or has a number that takes a minus sign.
fn takes_minus_signs(constant: Number, terms: &[Term]) -> bool {
    !constant.is_zero() || terms.iter().any(|(c, _)| !c.is_sign())
}

impl Sums {
    /// Whether a sum, or a part of one, is written otherwise when folded.
    pub(super) fn differ(constant: Number, terms: &[Term]) -> bool {
        let keeps_signs = is_negative(constant, terms) && takes_minus_signs(constant, terms);
        keeps_signs || has_equal_coefficients(terms)
    }
}
