//! LaTeX for math mode.

use super::layout::{
    Branch, CurveName, Level, Notation, Piece, Pieces, join_with, without_parentheses,
};
use super::plain::{rounded, short_ratio};
use super::words::{Name, function_name, greek, is_raised_before_argument};
use crate::{Binary, Comparison, Graph, Node, NodeId, Number, Symbol, Unary};

pub(super) struct Latex<'a> {
    pub(super) names: &'a dyn Fn(Symbol) -> String,
}

impl Notation for Latex<'_> {
    fn symbol(&self, symbol: Symbol) -> String {
        subscripted(&(self.names)(symbol))
    }

    fn pi(&self) -> &'static str {
        r"\pi"
    }

    fn number(&self, number: Number) -> (Level, String) {
        let (numerator, denominator) = short_ratio(number);
        if denominator.is_one() {
            let text = rounded(number);
            return match text.split_once('e') {
                Some((digits, power)) => {
                    let text = format!(r"{digits} \cdot 10^{{{power}}}");
                    (Level::Product, text)
                }
                None => (Level::Atom, text),
            };
        }
        let text = format!(r"\frac{{{numerator}}}{{{denominator}}}");
        (Level::Product, text)
    }

    fn ratio(&self, number: Number) -> (Number, Number) {
        short_ratio(number)
    }

    fn parentheses(&self) -> (&'static str, &'static str) {
        (r"\left(", r"\right)")
    }

    fn quotient(&self, mut above: Vec<Piece>, below: Vec<Piece>) -> (Level, Pieces) {
        if above.is_empty() {
            above.push("1".into());
        }
        if below.is_empty() {
            return (Level::Product, join_with(above, " "));
        }
        let mut pieces = vec![r"\frac{".into()];
        pieces.extend(join_with(without_parentheses(above), " "));
        pieces.push("}{".into());
        pieces.extend(join_with(without_parentheses(below), " "));
        pieces.push("}".into());
        (Level::Product, pieces)
    }

    fn power(&self, graph: &Graph, base: NodeId, exponent: u32) -> Pieces {
        if let Node::Unary(function, x) = graph.node(base)
            && is_raised_before_argument(*function)
        {
            let name = command(function_name(*function));
            let mut pieces = vec![format!("{name}^{{{exponent}}}").into()];
            pieces.extend(in_parentheses(vec![Piece::Node(*x, Level::Branch)]));
            return pieces;
        }
        let base = Piece::Node(base, Level::Atom);
        // A separate group: a name may have an index, and a second script on it is an error.
        vec![
            "{".into(),
            base,
            "}".into(),
            format!("^{{{exponent}}}").into(),
        ]
    }

    fn unary(&self, function: Unary, x: NodeId) -> Pieces {
        let argument = Piece::Node(x, Level::Branch);
        match function {
            Unary::Sqrt => return vec![r"\sqrt{".into(), argument, "}".into()],
            Unary::Abs => return vec![r"\left|".into(), argument, r"\right|".into()],
            _ => {}
        }
        let mut pieces = vec![command(function_name(function)).into()];
        pieces.extend(in_parentheses(vec![argument]));
        pieces
    }

    fn binary(&self, function: Binary, x: NodeId, y: NodeId) -> (Level, Pieces) {
        let name = match function {
            Binary::Pow => {
                let base = Piece::Node(x, Level::Atom);
                let exponent = Piece::Node(y, Level::Branch);
                let pieces = vec!["{".into(), base, "}^{".into(), exponent, "}".into()];
                return (Level::Power, pieces);
            }
            Binary::Atan2 => r"\operatorname{atan2}",
            Binary::Hypot => r"\operatorname{hypot}",
            Binary::Min => r"\min",
            Binary::Max => r"\max",
        };
        let arguments = [x, y].map(|argument| Piece::Node(argument, Level::Branch));
        let mut pieces = vec![name.into()];
        pieces.extend(in_parentheses(join_with(arguments.into(), ", ")));
        (Level::Atom, pieces)
    }

    fn curve(&self, name: CurveName, arguments: Vec<Piece>) -> Pieces {
        let primes = "'".repeat(name.order.into());
        let (kind, number) = (name.kind, name.number);
        let mut pieces = vec![format!(r"\operatorname{{{kind}}}_{{{number}}}{primes}").into()];
        pieces.extend(in_parentheses(join_with(arguments, ", ")));
        pieces
    }

    fn select(&self, _graph: &Graph, branch: Branch) -> (Level, Pieces) {
        let [left, right] = branch.sides.map(|side| Piece::Node(side, Level::Sum));
        let comparison = match branch.comparison {
            Comparison::Less => " < ",
            Comparison::LessEqual => r" \le ",
            Comparison::Equal => " = ",
            Comparison::NotEqual => r" \ne ",
        };
        let pieces = vec![
            r"\begin{cases} ".into(),
            Piece::Node(branch.then, Level::Branch),
            r" & \text{if } ".into(),
            left,
            comparison.into(),
            right,
            r" \\ ".into(),
            Piece::Node(branch.otherwise, Level::Branch),
            r" & \text{otherwise} \end{cases}".into(),
        ];
        (Level::Branch, pieces)
    }
}

fn in_parentheses(inner: Pieces) -> Pieces {
    let mut pieces = vec![r"\left(".into()];
    pieces.extend(inner);
    pieces.push(r"\right)".into());
    pieces
}

/// A function with a LaTeX command, or one without.
fn command(function: &str) -> String {
    match function {
        "sign" => r"\operatorname{sign}".to_owned(),
        function => format!(r"\{function}"),
    }
}

/// `m_c` as `m_{c}`, `r[0]` as `r_{0}`, `theta1'` as `\dot{\theta}_{1}`: the accent over the letter, the
/// indices beside it; `leg_hip'` as `\dot{\mathrm{leg}_{\mathrm{hip}}}`.
fn subscripted(name: &str) -> String {
    let name = Name::of(name);
    let dotted = |base: String| match name.primes {
        0 => base,
        1 => format!(r"\dot{{{base}}}"),
        _ => format!(r"\ddot{{{base}}}"),
    };
    let indexed = |base: String| match name.indices.is_empty() {
        true => base,
        false => {
            let indices: Vec<String> = name.indices.iter().map(|index| of_word(index)).collect();
            format!("{base}_{{{}}}", indices.join(","))
        }
    };
    let letter = of_word(name.letter);
    if name.has_dots_over_indices() {
        dotted(indexed(letter))
    } else {
        indexed(dotted(letter))
    }
}

/// One word: a Greek letter by its command, a single letter or number unchanged, a longer word upright.
fn of_word(word: &str) -> String {
    match greek(word) {
        Some((name, _)) => format!(r"\{name}"),
        None if word.chars().count() <= 1 || word.chars().all(|c| c.is_ascii_digit()) => {
            word.to_owned()
        }
        None => format!(r"\mathrm{{{word}}}"),
    }
}
