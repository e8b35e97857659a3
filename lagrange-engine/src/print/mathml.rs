//! MathML (the part that current browsers draw: MathML Core).
//!
//! Several elements are in an `mrow` wherever one element is required.

use std::borrow::Cow;

use super::layout::{
    Branch, CurveName, Level, Notation, Piece, Pieces, Signs, join_with, without_parentheses,
};
use super::plain::{rounded, short_ratio};
use super::words::{Name, function_name, greek, is_raised_before_argument};
use crate::{Binary, Comparison, Graph, Node, NodeId, Number, Symbol, Unary};

pub(super) struct MathMl<'a> {
    pub(super) names: &'a dyn Fn(Symbol) -> String,
}

/// Between factors: a thin space.
const TIMES: &str = r#"<mspace width="0.17em"></mspace>"#;
const COMMA: &str = r#"<mo separator="true">,</mo>"#;

impl Notation for MathMl<'_> {
    fn symbol(&self, symbol: Symbol) -> String {
        mathml_name(&(self.names)(symbol))
    }

    fn pi(&self) -> &'static str {
        "<mi>π</mi>"
    }

    fn number(&self, number: Number) -> (Level, String) {
        let (numerator, denominator) = short_ratio(number);
        if !denominator.is_one() {
            let text = format!("<mfrac><mn>{numerator}</mn><mn>{denominator}</mn></mfrac>");
            return (Level::Product, text);
        }
        let text = rounded(number);
        match text.split_once('e') {
            Some((digits, power)) => {
                let power = power.replace('-', "−");
                let text =
                    format!("<mn>{digits}</mn><mo>·</mo><msup><mn>10</mn><mn>{power}</mn></msup>");
                (Level::Product, text)
            }
            None => (Level::Atom, format!("<mn>{text}</mn>")),
        }
    }

    fn ratio(&self, number: Number) -> (Number, Number) {
        short_ratio(number)
    }

    fn signs(&self) -> Signs {
        Signs {
            negative: r#"<mo form="prefix">−</mo>"#,
            plus: "<mo>+</mo>",
            minus: "<mo>−</mo>",
        }
    }

    fn parentheses(&self) -> (&'static str, &'static str) {
        ("<mrow><mo>(</mo>", "<mo>)</mo></mrow>")
    }

    fn quotient(&self, mut above: Pieces, below: Pieces) -> (Level, Pieces) {
        if above.is_empty() {
            above.push("<mn>1</mn>".into());
        }
        if below.is_empty() {
            return (Level::Product, join_with(above, TIMES));
        }
        let mut pieces = vec!["<mfrac>".into()];
        for side in [above, below] {
            pieces.extend(row(join_with(without_parentheses(side), TIMES)));
        }
        pieces.push("</mfrac>".into());
        (Level::Product, pieces)
    }

    fn power(&self, graph: &Graph, base: NodeId, exponent: u32) -> Pieces {
        let exponent = format!("<mn>{exponent}</mn></msup>");
        let mut pieces = vec!["<msup>".into()];
        match graph.node(base) {
            Node::Unary(function, x) if is_raised_before_argument(*function) => {
                let function = identifier(function_name(*function));
                pieces.push(format!("{function}{exponent}").into());
                pieces.extend(argument(vec![Piece::Node(*x, Level::Branch)]));
            }
            _ => {
                pieces.extend(row(vec![Piece::Node(base, Level::Atom)]));
                pieces.push(exponent.into());
            }
        }
        pieces
    }

    fn unary(&self, function: Unary, x: NodeId) -> Pieces {
        let x = vec![Piece::Node(x, Level::Branch)];
        match function {
            Unary::Sqrt => between("<msqrt>", row(x), "</msqrt>"),
            Unary::Abs => between("<mrow><mo>|</mo>", x, "<mo>|</mo></mrow>"),
            _ => called(function_name(function), x),
        }
    }

    fn binary(&self, function: Binary, x: NodeId, y: NodeId) -> (Level, Pieces) {
        let function = match function {
            Binary::Pow => {
                let mut pieces = row(vec![Piece::Node(x, Level::Atom)]);
                pieces.extend(row(vec![Piece::Node(y, Level::Branch)]));
                return (Level::Power, between("<msup>", pieces, "</msup>"));
            }
            Binary::Atan2 => "atan2",
            Binary::Hypot => "hypot",
            Binary::Min => "min",
            Binary::Max => "max",
        };
        let arguments = [x, y].map(|argument| Piece::Node(argument, Level::Branch));
        (
            Level::Atom,
            called(function, join_with(arguments.into(), COMMA)),
        )
    }

    fn curve(&self, name: CurveName, arguments: Vec<Piece>) -> Pieces {
        let (kind, number) = (identifier(name.kind), name.number);
        let name = match name.order {
            0 => format!("<msub>{kind}<mn>{number}</mn></msub>"),
            order => {
                let primes = "′".repeat(order.into());
                format!("<msubsup>{kind}<mn>{number}</mn><mo>{primes}</mo></msubsup>")
            }
        };
        let mut pieces = vec![name.into()];
        pieces.extend(argument(join_with(arguments, COMMA)));
        pieces
    }

    fn select(&self, _graph: &Graph, branch: Branch) -> (Level, Pieces) {
        let [left, right] = branch.sides.map(|side| Piece::Node(side, Level::Sum));
        let comparison = match branch.comparison {
            Comparison::Less => "<mo>&lt;</mo>",
            Comparison::LessEqual => "<mo>≤</mo>",
            Comparison::Equal => "<mo>=</mo>",
            Comparison::NotEqual => "<mo>≠</mo>",
        };
        let pieces = vec![
            "<mrow><mo>{</mo><mtable><mtr><mtd>".into(),
            Piece::Node(branch.then, Level::Branch),
            "</mtd><mtd><mtext>if </mtext>".into(),
            left,
            comparison.into(),
            right,
            "</mtd></mtr><mtr><mtd>".into(),
            Piece::Node(branch.otherwise, Level::Branch),
            "</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>".into(),
        ];
        (Level::Branch, pieces)
    }
}

fn between(open: &'static str, inner: Pieces, close: &'static str) -> Pieces {
    let mut pieces = vec![open.into()];
    pieces.extend(inner);
    pieces.push(close.into());
    pieces
}

fn row(inner: Pieces) -> Pieces {
    between("<mrow>", inner, "</mrow>")
}

/// In parentheses, after the name of a function.
fn argument(inner: Pieces) -> Pieces {
    between("<mrow><mo>(</mo>", inner, "<mo>)</mo></mrow>")
}

fn called(function: &str, arguments: Pieces) -> Pieces {
    let mut pieces = vec![identifier(function).into()];
    pieces.extend(argument(arguments));
    pieces
}

/// A name alone, with its dots and indices, in the form of [`Graph::mathml`].
pub fn mathml_name(name: &str) -> String {
    let name = Name::of(name);
    let letter = identifier(name.letter);
    if name.has_dots_over_indices() {
        let whole = with_indices(letter, &name.indices);
        return below_dots(&[name.letter, &name.indices.concat()], whole, name.primes);
    }
    with_indices(
        below_dots(&[name.letter], letter, name.primes),
        &name.indices,
    )
}

fn with_indices(base: String, indices: &[&str]) -> String {
    if indices.is_empty() {
        return base;
    }
    let indices: Vec<String> = indices.iter().map(|index| of_index(index)).collect();
    let indices = indices.join(COMMA);
    format!("<msub>{base}<mrow>{indices}</mrow></msub>")
}

/// A name under its dots, if it has any: a word alone, or with its indices. The dots are above its middle, at the height of its tallest
/// letter. That is far above low letters in the middle, unless the name is treated as no higher than these.
fn below_dots(parts: &[&str], written: String, primes: usize) -> String {
    let dots = match primes {
        0 => return written,
        1 => "˙",
        _ => "¨",
    };
    let word = parts[0];
    let low = |part: usize, letter: char| part > 0 || "acegmnopqrsuvwxyz_".contains(letter);
    let letters: Vec<bool> = parts
        .iter()
        .enumerate()
        .flat_map(|(part, letters)| letters.chars().map(move |c| low(part, c)))
        .collect();
    // One letter for an odd number, two for an even one.
    let middle = letters.len().saturating_sub(1) / 2..letters.len() / 2 + 1;
    let is_low = letters
        .get(middle)
        .is_some_and(|letters| letters.iter().all(|low| *low));
    let below = if letters.len() > 1 && greek(word).is_none() && is_low {
        format!(r#"<mpadded height="1ex">{written}</mpadded>"#)
    } else {
        written
    };
    // As large as above text, and not an accent: fonts without mathematics would put an accent into the letter.
    format!(r#"<mover>{below}<mo scriptlevel="0">{dots}</mo></mover>"#)
}

fn of_index(index: &str) -> String {
    if index.chars().all(|c| c.is_ascii_digit()) {
        format!("<mn>{index}</mn>")
    } else {
        identifier(index)
    }
}

/// A letter is slanted, a word is upright, like in `mi`.
fn identifier(word: &str) -> String {
    let word = greek(word).map_or(word, |(_, letter)| letter);
    format!("<mi>{}</mi>", escaped(word))
}

fn escaped(text: &str) -> Cow<'_, str> {
    if text.contains(['&', '<', '>']) {
        let text = text.replace('&', "&amp;");
        Cow::Owned(text.replace('<', "&lt;").replace('>', "&gt;"))
    } else {
        Cow::Borrowed(text)
    }
}
