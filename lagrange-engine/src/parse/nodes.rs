//! Reading nodes, through the smart constructors.

use super::tokens::{integer, label, number, split_pair};
use super::{ParseErrorKind, Parser, Result, take_exactly};
use std::sync::Arc;

use crate::{Binary, Comparison, Curve, CurveKind, NodeId, Number, Piecewise, Symbol, Unary};

impl Parser {
    pub(super) fn parse_node(&mut self, tokens: &[&str]) -> Result<()> {
        let [name, "=", operation, arguments @ ..] = tokens else {
            return Err(ParseErrorKind::Malformed);
        };
        let name = label(name)?;
        if self.labels.contains_key(&name) {
            return Err(ParseErrorKind::Repeated);
        }
        let id = self.parse_operation(operation, arguments)?;
        self.labels.insert(name, id);
        Ok(())
    }

    fn parse_operation(&mut self, operation: &str, arguments: &[&str]) -> Result<NodeId> {
        match operation {
            "number" => {
                let [value] = take_exactly(arguments)?;
                Ok(self.graph.number(number(value)?))
            }
            "pi" => take_exactly::<0>(arguments).map(|[]| self.graph.pi()),
            "time" | "coordinate" | "velocity" | "parameter" | "state" | "state_rate" | "input" => {
                let symbol = self.parse_symbol(operation, arguments)?;
                Ok(self.graph.symbol(symbol))
            }
            "sum" => self.parse_sum(arguments),
            "product" => self.parse_product(arguments),
            "if" => self.parse_select(arguments),
            "curve" => self.parse_curve(arguments),
            name => self.parse_function(name, arguments),
        }
    }

    fn parse_symbol(&self, kind: &str, arguments: &[&str]) -> Result<Symbol> {
        if kind == "time" {
            let [] = take_exactly(arguments)?;
            let declared = self.names.time.is_some();
            return declared
                .then_some(Symbol::Time)
                .ok_or(ParseErrorKind::UndeclaredSymbol);
        }
        let [index] = take_exactly(arguments)?;
        let index = integer::<u32>(index)?;
        let names = &self.names;
        let (declared, symbol) = match kind {
            "coordinate" => (names.coordinates.len(), Symbol::Coordinate(index)),
            "velocity" => (names.velocity_count(), Symbol::Velocity(index)),
            "parameter" => (names.parameters.len(), Symbol::Parameter(index)),
            "state" => (names.states.len(), Symbol::State(index)),
            "state_rate" => (names.states.len(), Symbol::StateRate(index)),
            _ => (names.inputs.len(), Symbol::Input(index)),
        };
        if (index as usize) < declared {
            Ok(symbol)
        } else {
            Err(ParseErrorKind::UndeclaredSymbol)
        }
    }

    fn parse_sum(&mut self, arguments: &[&str]) -> Result<NodeId> {
        let (constant, terms) = arguments.split_first().ok_or(ParseErrorKind::Malformed)?;
        let constant = number(constant)?;
        let term = |term: &&str| {
            let (coefficient, child) = split_pair(term, '*')?;
            Ok((number(coefficient)?, self.parse_child(child)?))
        };
        let terms: Vec<(Number, NodeId)> = terms.iter().map(term).collect::<Result<_>>()?;
        Ok(self.graph.sum(constant, terms))
    }

    fn parse_product(&mut self, arguments: &[&str]) -> Result<NodeId> {
        let factor = |factor: &&str| {
            let (child, exponent) = split_pair(factor, '^')?;
            Ok((self.parse_child(child)?, integer::<i32>(exponent)?))
        };
        let factors: Vec<(NodeId, i32)> = arguments.iter().map(factor).collect::<Result<_>>()?;
        Ok(self.graph.product(factors))
    }

    fn parse_select(&mut self, arguments: &[&str]) -> Result<NodeId> {
        let [left, comparison, right, then, otherwise] = take_exactly(arguments)?;
        let comparison = [
            Comparison::Less,
            Comparison::LessEqual,
            Comparison::Equal,
            Comparison::NotEqual,
        ]
        .into_iter()
        .find(|candidate| candidate.symbol() == comparison)
        .ok_or(ParseErrorKind::Malformed)?;
        let (left, right) = (self.parse_child(left)?, self.parse_child(right)?);
        let (then, otherwise) = (self.parse_child(then)?, self.parse_child(otherwise)?);
        Ok(self.graph.select(comparison, left, right, then, otherwise))
    }

    fn parse_curve(&mut self, arguments: &[&str]) -> Result<NodeId> {
        let [kind, order, spacing, numbers @ ..] = arguments else {
            return Err(ParseErrorKind::Malformed);
        };
        let kind = CurveKind::ALL
            .into_iter()
            .find(|known| known.name() == *kind)
            .ok_or(ParseErrorKind::Malformed)?;
        let (breaks, remaining) = take_counted(numbers)?;
        let (coefficients, remaining) = take_counted(remaining)?;
        let (pieces, []) = coefficients.as_chunks::<4>() else {
            return Err(ParseErrorKind::Malformed);
        };
        let curve = Curve::of_parts(kind, &breaks, *spacing == "uniform", pieces);
        let children: Vec<NodeId> = remaining
            .iter()
            .map(|child| self.parse_child(child))
            .collect::<Result<_>>()?;
        let (Some(curve), Some((x, controls))) = (curve, children.split_first()) else {
            return Err(ParseErrorKind::Malformed);
        };
        let count = if curve.has_controls() {
            curve.breaks().len() + 2
        } else {
            0
        };
        if controls.len() != count {
            return Err(ParseErrorKind::Malformed);
        }
        let of = Piecewise {
            curve: Arc::new(curve),
            order: integer(order)?,
        };
        Ok(self.graph.curve(of, *x, controls))
    }

    fn parse_function(&mut self, name: &str, arguments: &[&str]) -> Result<NodeId> {
        if let Some(function) = Unary::ALL.into_iter().find(|f| f.name() == name) {
            let [x] = take_exactly(arguments)?;
            let x = self.parse_child(x)?;
            return Ok(self.graph.unary(function, x));
        }
        if let Some(function) = Binary::ALL.into_iter().find(|f| f.name() == name) {
            let [x, y] = take_exactly(arguments)?;
            let (x, y) = (self.parse_child(x)?, self.parse_child(y)?);
            return Ok(self.graph.binary(function, x, y));
        }
        Err(ParseErrorKind::UnknownOperation(name.to_owned()))
    }
}

/// The numbers after their number, and the tokens behind them.
fn take_counted<'t, 's>(tokens: &'t [&'s str]) -> Result<(Vec<f64>, &'t [&'s str])> {
    let (count, remaining) = tokens.split_first().ok_or(ParseErrorKind::Malformed)?;
    let parts = remaining.split_at_checked(integer::<usize>(count)?);
    let (numbers, remaining) = parts.ok_or(ParseErrorKind::Malformed)?;
    let numbers = numbers
        .iter()
        .map(|token| token.parse::<f64>())
        .collect::<std::result::Result<_, _>>();
    Ok((numbers.map_err(|_| ParseErrorKind::Malformed)?, remaining))
}
