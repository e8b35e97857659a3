//! LaTeX for math mode.

use super::layout::{Branch, Level, Notation, Piece, Pieces, joined};
use super::plain::{decimal, split_ratio};
use crate::{Binary, Comparison, Graph, Node, NodeId, Number, Symbol, Unary};

pub(super) struct Latex<'a> {
    pub(super) names: &'a dyn Fn(Symbol) -> String,
}

impl Notation for Latex<'_> {
    fn symbol(&self, symbol: Symbol) -> String {
        let name = (self.names)(symbol);
        let bare = name.trim_end_matches('\'');
        let accent = match name.len() - bare.len() {
            0 => "",
            1 => r"\dot",
            _ => r"\ddot",
        };
        subscripted(bare, accent)
    }

    fn pi(&self) -> &'static str {
        r"\pi"
    }

    fn number(&self, number: Number) -> (Level, String) {
        let (numerator, denominator) = split_ratio(number);
        if denominator.is_one() {
            let text = decimal(number).unwrap_or_else(|| number.to_string());
            return match text.split_once('e') {
                Some((digits, "0")) => (Level::Atom, digits.to_owned()),
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
        split_ratio(number)
    }

    fn parentheses(&self) -> (&'static str, &'static str) {
        (r"\left(", r"\right)")
    }

    fn quotient(&self, mut above: Vec<Piece>, below: Vec<Piece>) -> (Level, Pieces) {
        if above.is_empty() {
            above.push("1".into());
        }
        if below.is_empty() {
            return (Level::Product, joined(above, " "));
        }
        let mut pieces = vec![r"\frac{".into()];
        pieces.extend(joined(alone_without_parentheses(above), " "));
        pieces.push("}{".into());
        pieces.extend(joined(alone_without_parentheses(below), " "));
        pieces.push("}".into());
        (Level::Product, pieces)
    }

    fn power(&self, graph: &Graph, base: NodeId, exponent: u32) -> Pieces {
        let named = match graph.node(base) {
            Node::Unary(function, x) => power_before_argument(*function).map(|name| (name, x)),
            _ => None,
        };
        if let Some((name, x)) = named {
            let mut pieces = vec![format!("{name}^{{{exponent}}}").into()];
            pieces.extend(in_parentheses(vec![Piece::Node(*x, Level::Branch)]));
            return pieces;
        }
        let base = Piece::Node(base, Level::Atom);
        // A group of its own: a name may carry an index, and a second script is an error on it.
        vec![
            "{".into(),
            base,
            "}".into(),
            format!("^{{{exponent}}}").into(),
        ]
    }

    fn unary(&self, function: Unary, x: NodeId) -> Pieces {
        let argument = Piece::Node(x, Level::Branch);
        let name = match function {
            Unary::Sqrt => return vec![r"\sqrt{".into(), argument, "}".into()],
            Unary::Abs => return vec![r"\left|".into(), argument, r"\right|".into()],
            Unary::Sin => r"\sin",
            Unary::Cos => r"\cos",
            Unary::Tan => r"\tan",
            Unary::Asin => r"\arcsin",
            Unary::Acos => r"\arccos",
            Unary::Atan => r"\arctan",
            Unary::Sinh => r"\sinh",
            Unary::Cosh => r"\cosh",
            Unary::Tanh => r"\tanh",
            Unary::Exp => r"\exp",
            Unary::Ln => r"\ln",
            Unary::Sign => r"\operatorname{sign}",
        };
        let mut pieces = vec![name.into()];
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
        pieces.extend(in_parentheses(joined(arguments.into(), ", ")));
        (Level::Atom, pieces)
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

/// The bar of a fraction groups by itself.
fn alone_without_parentheses(mut factors: Vec<Piece>) -> Vec<Piece> {
    if let [Piece::Node(_, level)] = &mut factors[..] {
        *level = Level::Branch;
    }
    factors
}

/// `\sin^{2}\left(x\right)` for the functions that are written so.
fn power_before_argument(function: Unary) -> Option<&'static str> {
    match function {
        Unary::Sin => Some(r"\sin"),
        Unary::Cos => Some(r"\cos"),
        Unary::Tan => Some(r"\tan"),
        Unary::Sinh => Some(r"\sinh"),
        Unary::Cosh => Some(r"\cosh"),
        Unary::Tanh => Some(r"\tanh"),
        Unary::Asin | Unary::Acos | Unary::Atan => None,
        Unary::Exp | Unary::Ln | Unary::Sqrt | Unary::Abs | Unary::Sign => None,
    }
}

/// `m_c` as `m_{c}`, `r[0]` as `r_{0}`, `theta1` as `\theta_{1}`; `accent` over the letter, the indices
/// beside it.
fn subscripted(name: &str, accent: &str) -> String {
    let mut parts = name
        .split(['_', '[', ']', ',', ' ', '.'])
        .filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or(name);
    let letters = first.trim_end_matches(|c: char| c.is_ascii_digit());
    let (letters, digits) = match letters {
        "" => (first, ""),
        letters => (letters, &first[letters.len()..]),
    };
    let indices: Vec<String> = [digits]
        .into_iter()
        .filter(|digits| !digits.is_empty())
        .chain(parts)
        .map(letter)
        .collect();
    let base = match accent {
        "" => letter(letters),
        accent => format!("{accent}{{{}}}", letter(letters)),
    };
    if indices.is_empty() {
        base
    } else {
        format!("{base}_{{{}}}", indices.join(","))
    }
}

/// One word: a Greek letter by its command, a single letter or number as it is, a longer word
/// upright.
fn letter(word: &str) -> String {
    let greek = |(name, character): &&(&str, &str)| *name == word || *character == word;
    match GREEK.iter().find(greek) {
        Some((name, _)) => format!(r"\{name}"),
        None if word.chars().count() <= 1 || word.chars().all(|c| c.is_ascii_digit()) => {
            word.to_owned()
        }
        None => format!(r"\mathrm{{{word}}}"),
    }
}

const GREEK: [(&str, &str); 34] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Upsilon", "Υ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
];

#[cfg(test)]
mod tests {
    use super::subscripted;

    #[test]
    fn names_become_letters_with_indices() {
        for (name, expected) in [
            ("x", "x"),
            ("theta", r"\theta"),
            ("θ", r"\theta"),
            ("m_c", "m_{c}"),
            ("m_c_1", "m_{c,1}"),
            ("q10", "q_{10}"),
            ("R[0, 1]", "R_{0,1}"),
            ("phi_max", r"\phi_{\mathrm{max}}"),
            ("mass", r"\mathrm{mass}"),
            ("_", "_"),
        ] {
            assert_eq!(subscripted(name, ""), expected);
        }
        assert_eq!(subscripted("theta_1", r"\dot"), r"\dot{\theta}_{1}");
    }
}
