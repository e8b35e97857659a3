//! From nodes to pieces of text: the common part of text, LaTeX and MathML.

use std::borrow::Cow;

use crate::{Binary, Comparison, Graph, Node, NodeId, Number, Symbol, Unary};

/// The precedence of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// An `if`.
    Branch,
    /// Terms.
    Sum,
    /// Factors.
    Product,
    /// A base with its exponent.
    Power,
    /// A name, a number, a call.
    Atom,
}

/// The remaining pieces.
#[derive(Clone)]
pub(super) enum Piece {
    Text(Cow<'static, str>),
    /// A node, in parentheses if its precedence is lower than the level.
    Node(NodeId, Level),
    /// base^exponent
    Power(NodeId, u32),
}

/// Pieces in order of writing.
pub(super) type Pieces = Vec<Piece>;

impl From<&'static str> for Piece {
    fn from(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

/// The notation of one output format.
pub(super) trait Notation {
    fn symbol(&self, symbol: Symbol) -> String;
    fn pi(&self) -> &'static str;
    /// A number that is not negative.
    fn number(&self, number: Number) -> (Level, String);
    /// Numerator and denominator of a coefficient that is not negative.
    fn ratio(&self, number: Number) -> (Number, Number);
    fn signs(&self) -> Signs {
        Signs {
            negative: "-",
            plus: " + ",
            minus: " - ",
        }
    }
    fn parentheses(&self) -> (&'static str, &'static str);
    /// Factors above and below the line; an empty list is 1.
    fn quotient(&self, above: Vec<Piece>, below: Vec<Piece>) -> (Level, Pieces);
    fn power(&self, graph: &Graph, base: NodeId, exponent: u32) -> Pieces;
    fn unary(&self, function: Unary, x: NodeId) -> Pieces;
    fn binary(&self, function: Binary, x: NodeId, y: NodeId) -> (Level, Pieces);
    /// A curve through points, by name.
    fn curve(&self, name: CurveName, arguments: Vec<Piece>) -> Pieces;
    fn select(&self, graph: &Graph, branch: Branch) -> (Level, Pieces);
}

/// The name of a derivative of a curve: `spline_1'`.
pub(super) struct CurveName {
    pub(super) kind: &'static str,
    /// The number among curves of its kind.
    pub(super) number: usize,
    pub(super) order: u8,
}

/// The argument, and of many control values the first and the last.
fn curve_arguments(x: NodeId, controls: &[NodeId]) -> Vec<Piece> {
    let mut arguments = vec![Piece::Node(x, Level::Branch)];
    if let [first, .., last] = controls {
        arguments.push(Piece::Node(*first, Level::Branch));
        arguments.push("..".into());
        arguments.push(Piece::Node(*last, Level::Branch));
    }
    arguments
}

/// The signs of terms: of the first one, and between two.
pub(super) struct Signs {
    pub(super) negative: &'static str,
    pub(super) plus: &'static str,
    pub(super) minus: &'static str,
}

/// The parts of an `if`.
#[derive(Clone, Copy)]
pub(super) struct Branch {
    pub(super) comparison: Comparison,
    pub(super) sides: [NodeId; 2],
    pub(super) then: NodeId,
    pub(super) otherwise: NodeId,
}

/// Writes `root`. Nodes with an entry in `given` are written by that name, except the root itself. Returns the text,
/// and whether it is complete: writing stops beyond `limit` bytes.
pub(super) fn write(
    graph: &Graph,
    root: NodeId,
    notation: &dyn Notation,
    given_names: &[Option<String>],
    limit: usize,
) -> (String, bool) {
    let mut text = String::new();
    let (_, pieces) = expand(graph, root, notation, given_names);
    let mut stack: Vec<Piece> = pieces.into_iter().rev().collect();
    while let Some(piece) = stack.pop() {
        if text.len() > limit {
            return (text, false);
        }
        match piece {
            Piece::Text(part) => text.push_str(&part),
            Piece::Power(base, exponent) => {
                stack.extend(notation.power(graph, base, exponent).into_iter().rev());
            }
            Piece::Node(id, needed) => {
                if let Some(Some(name)) = given_names.get(id.index()) {
                    text.push_str(name);
                    continue;
                }
                let (level, pieces) = expand(graph, id, notation, given_names);
                let (open, close) = notation.parentheses();
                if level < needed {
                    stack.push(close.into());
                }
                stack.extend(pieces.into_iter().rev());
                if level < needed {
                    stack.push(open.into());
                }
            }
        }
    }
    (text, true)
}

fn expand(
    graph: &Graph,
    id: NodeId,
    notation: &dyn Notation,
    given_names: &[Option<String>],
) -> (Level, Pieces) {
    match graph.node(id) {
        Node::Number(number) => signed_number(*number, notation),
        Node::Pi => (Level::Atom, vec![notation.pi().into()]),
        Node::Symbol(symbol) => (Level::Atom, vec![notation.symbol(*symbol).into()]),
        Node::Sum { constant, terms } => sum(graph, *constant, terms, notation, given_names),
        Node::Product(factors) => quotient(Number::ONE, factors, notation),
        Node::Unary(function, x) => (Level::Atom, notation.unary(*function, *x)),
        Node::Binary(function, x, y) => notation.binary(*function, *x, *y),
        Node::Curve { of, x, controls } => {
            let name = CurveName {
                kind: of.curve.kind().name(),
                number: graph.curve_number(&of.curve),
                order: of.order,
            };
            (
                Level::Atom,
                notation.curve(name, curve_arguments(*x, controls)),
            )
        }
        Node::Select {
            comparison,
            sides,
            then,
            otherwise,
        } => {
            let branch = Branch {
                comparison: *comparison,
                sides: *sides,
                then: *then,
                otherwise: *otherwise,
            };
            notation.select(graph, branch)
        }
    }
}

fn signed_number(number: Number, notation: &dyn Notation) -> (Level, Pieces) {
    let (level, text) = notation.number(number.abs());
    if number.is_negative() {
        (
            Level::Sum,
            vec![notation.signs().negative.into(), text.into()],
        )
    } else {
        (level, vec![text.into()])
    }
}

/// Longer sums keep inner ones in parentheses, because these may be shared, and the expansion would grow.
const MAX_TERMS: usize = 32;

/// The sum with inner sums expanded, terms with a plus sign first: `-(a - (b + c))` reads `b + c - a`.
fn expand_inner_sums(
    graph: &Graph,
    constant: Number,
    terms: &[(Number, NodeId)],
    given_names: &[Option<String>],
) -> (Number, Vec<(Number, NodeId)>) {
    let mut total = constant;
    let mut flat = Vec::with_capacity(terms.len());
    let mut open: Vec<(Number, NodeId)> = terms.iter().rev().copied().collect();
    while let Some((coefficient, term)) = open.pop() {
        let named = given_names.get(term.index()).is_some_and(Option::is_some);
        match graph.node(term) {
            Node::Sum { constant, terms }
                if coefficient.abs().is_one() && !named && flat.len() + open.len() < MAX_TERMS =>
            {
                let inner = coefficient.checked_mul(*constant);
                let Some(sum) = inner.and_then(|inner| total.checked_add(inner)) else {
                    flat.push((coefficient, term));
                    continue;
                };
                total = sum;
                let sign = |c: Number| if coefficient.is_negative() { -c } else { c };
                open.extend(terms.iter().rev().map(|(c, inner)| (sign(*c), *inner)));
            }
            _ => flat.push((coefficient, term)),
        }
    }
    flat.sort_by_key(|(coefficient, _)| coefficient.is_negative());
    (total, flat)
}

fn sum(
    graph: &Graph,
    constant: Number,
    terms: &[(Number, NodeId)],
    notation: &dyn Notation,
    given_names: &[Option<String>],
) -> (Level, Pieces) {
    let (constant, terms) = expand_inner_sums(graph, constant, terms, given_names);
    let signs = notation.signs();
    let mut pieces = Pieces::new();
    let mut level = Level::Sum;
    let constant_first = !constant.is_negative() && terms.iter().all(|(c, _)| c.is_negative());
    let constant_first = constant_first && !constant.is_zero();
    if constant_first {
        pieces.push(notation.number(constant).1.into());
    }
    for (position, (coefficient, term)) in terms.iter().enumerate() {
        let position = position + usize::from(constant_first);
        let needed = if coefficient.is_negative() {
            Level::Product
        } else {
            Level::Sum
        };
        let (of_term, part) = scaled(
            graph,
            (coefficient.abs(), *term),
            needed,
            notation,
            given_names,
        );
        match (position, coefficient.is_negative()) {
            (0, false) if terms.len() == 1 && constant.is_zero() => level = of_term,
            (0, false) => {}
            (0, true) => pieces.push(signs.negative.into()),
            (_, false) => pieces.push(signs.plus.into()),
            (_, true) => pieces.push(signs.minus.into()),
        }
        pieces.extend(part);
    }
    if !constant.is_zero() && !constant_first {
        let sign = if constant.is_negative() {
            signs.minus
        } else {
            signs.plus
        };
        pieces.push(sign.into());
        pieces.push(notation.number(constant.abs()).1.into());
    }
    (level, pieces)
}

/// coefficient * term, for a coefficient above 0; the term alone at the required level.
fn scaled(
    graph: &Graph,
    (coefficient, term): (Number, NodeId),
    needed: Level,
    notation: &dyn Notation,
    given_names: &[Option<String>],
) -> (Level, Pieces) {
    let is_named = given_names.get(term.index()).is_some_and(Option::is_some);
    match graph.node(term) {
        Node::Product(factors) if !is_named => quotient(coefficient, factors, notation),
        _ if coefficient.is_one() => (needed, vec![Piece::Node(term, needed)]),
        _ => quotient(coefficient, &[(term, 1)], notation),
    }
}

fn quotient(
    coefficient: Number,
    factors: &[(NodeId, i32)],
    notation: &dyn Notation,
) -> (Level, Pieces) {
    let (numerator, denominator) = notation.ratio(coefficient);
    let number = |number: Number| Piece::from(notation.number(number).1);
    let above = (!numerator.is_one()).then(|| number(numerator));
    let below = (!denominator.is_one()).then(|| number(denominator));
    let (mut above, mut below): (Pieces, Pieces) =
        (above.into_iter().collect(), below.into_iter().collect());
    for (base, exponent) in factors {
        let side = if *exponent < 0 {
            &mut below
        } else {
            &mut above
        };
        side.push(match exponent.unsigned_abs() {
            1 => Piece::Node(*base, Level::Power),
            exponent => Piece::Power(*base, exponent),
        });
    }
    if let ([Piece::Power(..)], true) = (&above[..], below.is_empty()) {
        return (Level::Power, above);
    }
    notation.quotient(above, below)
}

/// Factors that the bar of a fraction groups: a single factor needs no parentheses.
pub(super) fn without_parentheses(mut factors: Pieces) -> Pieces {
    if let [Piece::Node(_, level)] = &mut factors[..] {
        *level = Level::Branch;
    }
    factors
}

/// Pieces with a separator between them.
pub(super) fn join_with(parts: Vec<Piece>, separator: &'static str) -> Pieces {
    let mut pieces = Pieces::new();
    for part in parts {
        if !pieces.is_empty() {
            pieces.push(separator.into());
        }
        pieces.push(part);
    }
    pieces
}
