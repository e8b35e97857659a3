//! Infix text, in the syntax of the language.

use super::layout::{Branch, CurveName, Level, Notation, Piece, Pieces, join_with};
use crate::{Binary, Graph, Node, NodeId, Number, Symbol, Unary};

pub(super) struct Plain<'a> {
    pub(super) names: &'a dyn Fn(Symbol) -> String,
}

impl Notation for Plain<'_> {
    fn symbol(&self, symbol: Symbol) -> String {
        (self.names)(symbol)
    }

    fn pi(&self) -> &'static str {
        "pi"
    }

    fn number(&self, number: Number) -> (Level, String) {
        match decimal(number) {
            Some(text) => (Level::Atom, text),
            None => (Level::Product, number.to_string()),
        }
    }

    fn ratio(&self, number: Number) -> (Number, Number) {
        split_ratio(number)
    }

    fn parentheses(&self) -> (&'static str, &'static str) {
        ("(", ")")
    }

    fn quotient(&self, mut above: Vec<Piece>, below: Vec<Piece>) -> (Level, Pieces) {
        if above.is_empty() {
            above.push("1".into());
        }
        let several = below.len() > 1;
        let mut pieces = join_with(above, "*");
        if !below.is_empty() {
            pieces.push(if several { "/(" } else { "/" }.into());
            pieces.extend(join_with(below, "*"));
        }
        if several {
            pieces.push(")".into());
        }
        (Level::Product, pieces)
    }

    fn power(&self, _graph: &Graph, base: NodeId, exponent: u32) -> Pieces {
        vec![
            Piece::Node(base, Level::Atom),
            format!("^{exponent}").into(),
        ]
    }

    fn unary(&self, function: Unary, x: NodeId) -> Pieces {
        let argument = Piece::Node(x, Level::Branch);
        vec![function.name().into(), "(".into(), argument, ")".into()]
    }

    fn binary(&self, function: Binary, x: NodeId, y: NodeId) -> (Level, Pieces) {
        if function == Binary::Pow {
            let base = Piece::Node(x, Level::Atom);
            let pieces = vec![base, "^".into(), Piece::Node(y, Level::Atom)];
            return (Level::Power, pieces);
        }
        let arguments = [x, y].map(|argument| Piece::Node(argument, Level::Branch));
        let mut pieces = vec![function.name().into(), "(".into()];
        pieces.extend(join_with(arguments.into(), ", "));
        pieces.push(")".into());
        (Level::Atom, pieces)
    }

    fn curve(&self, name: CurveName, arguments: Vec<Piece>) -> Pieces {
        let primes = "'".repeat(name.order.into());
        let mut pieces = vec![format!("{}_{}{primes}(", name.kind, name.number).into()];
        pieces.extend(join_with(arguments, ", "));
        pieces.push(")".into());
        pieces
    }

    fn select(&self, graph: &Graph, branch: Branch) -> (Level, Pieces) {
        let [left, right] = branch.sides.map(|side| Piece::Node(side, Level::Sum));
        let chained = matches!(graph.node(branch.otherwise), Node::Select { .. });
        let pieces = vec![
            "if ".into(),
            left,
            format!(" {} ", branch.comparison.symbol()).into(),
            right,
            " { ".into(),
            Piece::Node(branch.then, Level::Branch),
            if chained { " } else " } else { " } else { " }.into(),
            Piece::Node(branch.otherwise, Level::Branch),
            if chained { "" } else { " }" }.into(),
        ];
        (Level::Branch, pieces)
    }
}

/// Numerator and denominator, if a fraction reads better than a decimal.
pub(super) fn split_ratio(number: Number) -> (Number, Number) {
    if decimal(number).is_some() {
        return (number, Number::ONE);
    }
    let part = |part: i128| Number::parse(&part.to_string());
    let parts = number.to_ratio().map(|(num, den)| (part(num), part(den)));
    match parts {
        Some((Some(numerator), Some(denominator))) => (numerator, denominator),
        _ => (number, Number::ONE),
    }
}

/// An integer, a rational with a short decimal fraction (`9.81`, but `1/4`), or a double.
pub(super) fn decimal(number: Number) -> Option<String> {
    const MOST_DECIMALS: usize = 12;
    const LONGEST_DENOMINATOR: i128 = 999_999;
    let Some((num, den)) = number.to_ratio() else {
        let value = number.to_f64();
        let is_common = (1e-4..1e6).contains(&value.abs());
        return Some(match is_common {
            true => value.to_string(),
            false => number.to_string(),
        });
    };
    if den == 1 {
        return Some(num.to_string());
    }
    let (mut power, mut decimals) = (10_i128, 1);
    while power % den != 0 && decimals < MOST_DECIMALS {
        power *= 10;
        decimals += 1;
    }
    if power % den != 0 || den % 10 != 0 {
        // A ratio of long numbers reads worse than its nearest double.
        return (den > LONGEST_DENOMINATOR).then(|| number.to_f64().to_string());
    }
    let digits = num.checked_mul(power / den)?;
    let sign = if digits < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", digits.unsigned_abs(), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    Some(format!("{sign}{whole}.{fraction}"))
}

/// A number as its readers want it: an integer, or a decimal with at most six significant digits.
pub(super) fn rounded(number: Number) -> String {
    if number.to_integer().is_some() {
        return number.to_string();
    }
    let scientific = format!("{:.5e}", number.to_f64());
    let nearest: f64 = scientific.parse().unwrap_or_else(|_| number.to_f64());
    if (1e-4..1e6).contains(&nearest.abs()) {
        format!("{nearest}")
    } else {
        format!("{nearest:e}")
    }
}

/// Numerator and denominator of [`split_ratio`] for readers: a fraction of short numbers, else a decimal.
pub(super) fn short_ratio(number: Number) -> (Number, Number) {
    let (numerator, denominator) = split_ratio(number);
    if !denominator.is_one() && numerator.abs().to_f64() > 1e6 {
        return (Number::float(number.to_f64()), Number::ONE);
    }
    (numerator, denominator)
}
