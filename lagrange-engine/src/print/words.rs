//! Names in mathematical notation: the common part of LaTeX and MathML.

use crate::Unary;

/// `theta_1'`: a letter, its indices, and the number of dots over it.
pub(super) struct Name<'a> {
    pub(super) letter: &'a str,
    pub(super) indices: Vec<&'a str>,
    pub(super) primes: usize,
}

impl<'a> Name<'a> {
    /// Indices are digits at the end of the first word, and the parts after `_`, `.` or in brackets.
    pub(super) fn of(name: &'a str) -> Self {
        let bare = name.trim_end_matches('\'');
        let primes = name.len() - bare.len();
        let mut parts = bare
            .split(['_', '[', ']', ',', ' ', '.'])
            .filter(|part| !part.is_empty());
        let first = parts.next().unwrap_or(bare);
        let (letter, digits) = match first.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "" => (first, ""),
            letters => first.split_at(letters.len()),
        };
        let digits = [digits].into_iter().filter(|digits| !digits.is_empty());
        Self {
            letter,
            indices: digits.chain(parts).collect(),
            primes,
        }
    }

    /// Returns whether the dots are over the name and its indices. Over the word alone they would seem to belong to one
    /// of its letters.
    pub(super) fn has_dots_over_indices(&self) -> bool {
        let is_letter = self.letter.chars().count() == 1 || greek(self.letter).is_some();
        !is_letter && !self.indices.is_empty()
    }
}

/// The mathematical name of a function.
pub(super) fn function_name(function: Unary) -> &'static str {
    match function {
        Unary::Asin => "arcsin",
        Unary::Acos => "arccos",
        Unary::Atan => "arctan",
        function => function.name(),
    }
}

/// Returns whether a power of the function is written as `sin^2(x)`.
pub(super) fn is_raised_before_argument(function: Unary) -> bool {
    match function {
        Unary::Sin | Unary::Cos | Unary::Tan => true,
        Unary::Sinh | Unary::Cosh | Unary::Tanh => true,
        Unary::Asin | Unary::Acos | Unary::Atan => false,
        Unary::Exp | Unary::Ln | Unary::Sqrt | Unary::Abs | Unary::Sign => false,
    }
}

/// The name of a Greek letter and the letter, from either.
pub(super) fn greek(word: &str) -> Option<(&'static str, &'static str)> {
    let is_meant = |(name, letter): &&(&str, &str)| *name == word || *letter == word;
    GREEK.iter().find(is_meant).copied()
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
