//! The units of expressions, as products of known units and of unknowns.

use std::collections::BTreeMap;

use lagrange_engine::{Binary, Graph, Node, NodeId, Number, Symbol, Unary};

use super::unit::Unit;

/// Something that has a unit of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Unknown {
    Symbol(Symbol),
    /// A power whose exponent varies.
    Power(NodeId),
    Energy,
    Length,
}

/// A unit times powers of unknown units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Measure {
    pub(crate) unit: Unit,
    pub(crate) unknowns: BTreeMap<Unknown, Number>,
}

impl Measure {
    pub(crate) const PURE: Self = Self::known(Unit::ONE);

    pub(crate) const fn known(unit: Unit) -> Self {
        Measure {
            unit,
            unknowns: BTreeMap::new(),
        }
    }

    pub(crate) fn unknown(unknown: Unknown) -> Self {
        Measure {
            unit: Unit::ONE,
            unknowns: BTreeMap::from([(unknown, Number::ONE)]),
        }
    }

    /// The product with a power of another measure. `None` if an exponent is too large.
    pub(crate) fn times(mut self, other: &Self, exponent: Number) -> Option<Self> {
        self.unit = self.unit.times(&other.unit, exponent)?;
        for (unknown, power) in &other.unknowns {
            let power = power.checked_mul(exponent)?;
            let sum = self
                .unknowns
                .get(unknown)
                .copied()
                .unwrap_or(Number::ZERO)
                .checked_add(power)?;
            if sum.is_zero() {
                self.unknowns.remove(unknown);
            } else {
                self.unknowns.insert(*unknown, sum);
            }
        }
        Some(self)
    }

    /// The measure with this one in the place of an unknown.
    pub(crate) fn substitute(mut self, unknown: Unknown, by: &Self) -> Option<Self> {
        match self.unknowns.remove(&unknown) {
            None => Some(self),
            Some(power) => self.times(by, power),
        }
    }

    /// The unit, if nothing is unknown.
    pub(crate) fn as_unit(&self) -> Option<&Unit> {
        self.unknowns.is_empty().then_some(&self.unit)
    }
}

/// The measure of every node in the order of the graph. Constants have none: they are pure as factors, and have any
/// unit alone.
pub(crate) fn of_nodes(
    graph: &Graph,
    of_symbol: &dyn Fn(Symbol) -> Measure,
) -> Vec<Option<Measure>> {
    let mut measures: Vec<Option<Measure>> = Vec::with_capacity(graph.len());
    for id in graph.since(0) {
        let measure = of_node(graph, id, of_symbol, &measures);
        measures.push(measure);
    }
    measures
}

fn of_node(
    graph: &Graph,
    id: NodeId,
    of_symbol: &dyn Fn(Symbol) -> Measure,
    measures: &[Option<Measure>],
) -> Option<Measure> {
    let of = |id: &NodeId| measures.get(id.index())?.clone();
    let pure = |measure: Option<Measure>| measure.map(|_| Measure::PURE);
    match graph.node(id) {
        Node::Number(_) | Node::Pi => None,
        Node::Symbol(symbol) => Some(of_symbol(*symbol)),
        Node::Sum { terms, .. } => terms.iter().find_map(|(_, term)| of(term)),
        Node::Product(factors) => {
            let known: Vec<(Measure, i32)> = factors
                .iter()
                .filter_map(|(base, power)| Some((of(base)?, *power)))
                .collect();
            known
                .iter()
                .try_fold(Measure::PURE, |product, (base, power)| {
                    product.times(base, Number::integer((*power).into()))
                })
                .filter(|_| !known.is_empty())
        }
        Node::Unary(Unary::Sqrt, x) => Measure::PURE.times(&of(x)?, Number::HALF),
        Node::Unary(Unary::Abs, x) => of(x),
        Node::Unary(_, x) => pure(of(x)),
        Node::Binary(Binary::Pow, x, y) => match graph.as_number(*y) {
            Some(exponent) => Measure::PURE.times(&of(x)?, exponent),
            None => match of(x) {
                Some(base) if base != Measure::PURE => Some(Measure::unknown(Unknown::Power(id))),
                base => pure(base.or_else(|| of(y))),
            },
        },
        Node::Binary(Binary::Atan2, x, y) => pure(of(x).or_else(|| of(y))),
        Node::Binary(_, x, y) => of(x).or_else(|| of(y)),
        // Places and values are noted where the curve is called.
        Node::Curve { x, .. } => pure(of(x)),
        Node::Select {
            then, otherwise, ..
        } => of(then).or_else(|| of(otherwise)),
    }
}
