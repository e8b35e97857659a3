//! Notation of other languages that the parser recognizes: paths, primes, powers of functions.
//!
//! Each is reported once with its replacement, and then read as intended.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};

use super::ast::{Expr, ExprKind};
use super::expr::Tall;
use super::keywords::is_rust_keyword;
use super::parser::{Parse, Parser};
use crate::errors::{Code, SpanRange};
use crate::suggest::foreign::{Place, advice};

/// Functions that people write without parentheses, or with an exponent before the argument.
const APPLIED: [&str; 15] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "ln", "log",
    "sqrt", "abs", "der",
];

/// Unit names that people write after numbers.
const UNITS: &str = "m mm cm km um s ms us min h kg g mg t N mN kN Nm Ns J kJ W kW Pa kPa MPa GPa bar K A mA Hz kHz rad \
    deg degrees rpm rev V lb lbs ft inch mph Ohm C F H T degC meter meters metre metres newton newtons \
    second seconds kilogram kilograms";

impl Parser<'_> {
    /// `std::f64::consts::PI`, `f64::sin(x)`, `Vector3::new(a, b, c)`. The path is reported and skipped.
    pub(super) fn refuse_path(&mut self) -> Option<Tall> {
        if self.cursor.operator_at(1) != Some("::") {
            return None;
        }
        let first = self.cursor.span();
        let mut last = self.cursor.take_ident()?;
        let root = last.to_string();
        while self.cursor.take_operator("::").is_some() {
            match self.cursor.take_ident() {
                Some(segment) => last = segment,
                // The rest of `f64::<..>::sin`, or the end.
                None => break,
            }
        }
        let end = self.cursor.previous_span();
        let is_call = self.cursor.take_group(Delimiter::Parenthesis).is_some();
        let message = format!(
            "paths are not part of the language\n\nhelp: {}",
            advise_instead_of_path(&root, &last.to_string(), is_call)
        );
        self.error(SpanRange { first, last: end }, Code::RustForm, message);
        let last = self.cursor.previous_span();
        Some(Tall::leaf(Expr::new(ExprKind::Error, first, last)))
    }

    /// `sin^2(x)`, `sin x`, `d/dt(x)`, `mod(x, y)`.
    pub(super) fn refuse_foreign_call(&mut self) -> Option<Parse<Tall>> {
        let name = self.cursor.peek_ident()?.clone();
        if is_rust_keyword(&name.to_string()) {
            return self.refuse_rust_keyword(&name);
        }
        if self.is_declared(&name) {
            return None;
        }
        let text = name.to_string();
        if self.cursor.operator_at(1) == Some("/") {
            return self.refuse_quotient_of_differentials(&name);
        }
        if !APPLIED.contains(&text.as_str()) {
            return None;
        }
        if self.cursor.operator_at(1) == Some("^") {
            return self.refuse_power_before_argument(&name);
        }
        let is_operand = self.cursor.literal_at(1).is_some()
            || self
                .cursor
                .ident_at(1)
                .is_some_and(|next| self.is_declared(next));
        if !is_operand || self.cursor.begins_line_at(1) {
            return None;
        }
        let argument = self.cursor.token_at(1).map(ToString::to_string)?;
        let message = format!("`{name}` is a function\n\nhelp: write `{name}({argument})`");
        self.error(&name, Code::FunctionForm, message);
        self.cursor.advance();
        self.cursor.advance();
        let (first, last) = (name.span(), self.cursor.previous_span());
        Some(Ok(Tall::leaf(Expr::new(ExprKind::Error, first, last))))
    }

    /// `true`, `self.x`, `where(..)`
    fn refuse_rust_keyword(&mut self, name: &Ident) -> Option<Parse<Tall>> {
        let text = name.to_string();
        let help = match text.as_str() {
            "true" | "false" => advice(Place::Value, &text)?,
            "self" => "a name has no prefix: remove `self.`".to_owned(),
            _ => {
                self.cursor.group_at(1, Delimiter::Parenthesis)?;
                let advice = advice(Place::Function, &text)?;
                let message = format!("unknown function `{name}`\n\nhelp: {advice}");
                return Some(self.fail(name, Code::UnknownFunction, message));
            }
        };
        let message = format!("`{name}` is not part of the language\n\nhelp: {help}");
        Some(self.fail(name, Code::RustForm, message))
    }

    fn refuse_power_before_argument(&mut self, name: &Ident) -> Option<Parse<Tall>> {
        let sign = usize::from(self.cursor.operator_at(2) == Some("-"));
        let exponent = self.cursor.literal_at(2 + sign)?.clone();
        let group = self.cursor.group_at(3 + sign, Delimiter::Parenthesis)?;
        let argument = written(&group.stream());
        let first = name.span();
        let message = if sign == 1 {
            format!(
                "the power of a function follows its argument\n\nhelp: the inverse function is `a{name}({argument})`, the reciprocal `1 / {name}({argument})`"
            )
        } else {
            format!(
                "the power of a function follows its argument\n\nhelp: write `{name}({argument})^{exponent}`"
            )
        };
        let place = SpanRange {
            first,
            last: exponent.span(),
        };
        self.error(place, Code::FunctionForm, message);
        for _ in 0..4 + sign {
            self.cursor.advance();
        }
        let last = self.cursor.previous_span();
        Some(Ok(Tall::leaf(Expr::new(ExprKind::Error, first, last))))
    }

    /// `d/dt(x)`, `dx/dt`
    fn refuse_quotient_of_differentials(&mut self, name: &Ident) -> Option<Parse<Tall>> {
        let text = name.to_string();
        let of = text.strip_prefix('d')?;
        let below = self.cursor.ident_at(2)?;
        if below != "dt" || self.is_declared(below) {
            return None;
        }
        let first = name.span();
        for _ in 0..3 {
            self.cursor.advance();
        }
        let last = self.cursor.previous_span();
        let of = match self.cursor.take_group(Delimiter::Parenthesis) {
            Some(group) => written(&group.stream()),
            None if of.is_empty() => "x".to_owned(),
            None => of.to_owned(),
        };
        let message = format!("the derivative by time is a function\n\nhelp: write `der({of})`");
        self.error(SpanRange { first, last }, Code::FunctionForm, message);
        let last = self.cursor.previous_span();
        Some(Ok(Tall::leaf(Expr::new(ExprKind::Error, first, last))))
    }

    /// Fails at the prime of `x'` or `A'`, if it arrives as a token.
    pub(super) fn refuse_prime(&mut self, of: &Expr) -> Parse<()> {
        let is_prime = match self.cursor.peek() {
            Some(TokenTree::Punct(punct)) => {
                punct.as_char() == '\'' && punct.spacing() == Spacing::Joint
            }
            Some(TokenTree::Literal(literal)) => literal.to_string().starts_with('\''),
            _ => false,
        };
        if !is_prime {
            return Ok(());
        }
        let name = match &of.kind {
            ExprKind::Name { name, .. } => name.to_string(),
            _ => "x".to_owned(),
        };
        let message = format!(
            "a prime is not part of the language\n\n\
             help: the velocity of `{name}` is `der({name})`; a transposed matrix is `transpose(A)`"
        );
        let place = self.cursor.span();
        self.fail(place, Code::ForeignOperator, message)
    }

    /// `m·g`, which arrives as a single name.
    pub(super) fn refuse_dotted_product(&mut self) -> Option<Tall> {
        let name = self.cursor.peek_ident()?.clone();
        let text = name.to_string();
        if !text.contains(['\u{b7}', '\u{387}']) {
            return None;
        }
        let factors: Vec<&str> = text.split(['\u{b7}', '\u{387}']).collect();
        let message = format!(
            "`\u{b7}` is not an operator of the language\n\nhelp: write `{}`",
            factors.join(" * ")
        );
        self.error(&name, Code::ForeignOperator, message);
        self.cursor.advance();
        let span = name.span();
        Some(Tall::leaf(Expr::new(ExprKind::Error, span, span)))
    }

    /// Reports the dot of `.*`, `./` and `.^` and leaves the operator as the next token. Returns true if there was one.
    pub(super) fn refuse_componentwise(&mut self) -> bool {
        let Some(operator @ ("*" | "/" | "^")) = self.cursor.operator() else {
            return false;
        };
        let message = format!(
            "`.{operator}` is not an operator of the language\n\n\
             help: write `{operator}`; of vectors write each component, `[a.x * b.x, a.y * b.y]`"
        );
        let place = SpanRange {
            first: self.cursor.previous_span(),
            last: self.cursor.span(),
        };
        self.error(place, Code::ForeignOperator, message);
        true
    }

    /// True if the next word is a unit after a number, as in `9.81 m/s^2`.
    pub(super) fn is_unit_behind_number(&self) -> bool {
        if !self.cursor.is_behind_number() {
            return false;
        }
        // `m` alone may be a mass, but in `m/s^2` it is a unit.
        let mut ahead = 0;
        while let Some(word) = self.cursor.ident_at(ahead) {
            if !is_unit(word) || self.cursor.begins_line_at(ahead) {
                return false;
            }
            if !self.is_declared(word) {
                return true;
            }
            ahead += 1;
            let has_exponent = self.cursor.operator_at(ahead) == Some("^");
            if has_exponent && self.cursor.literal_at(ahead + 1).is_some() {
                ahead += 2;
            }
            match self.cursor.operator_at(ahead) {
                Some("/" | "*") => ahead += 1,
                _ => return false,
            }
        }
        false
    }

    /// Refuses a unit after the default of a field, because no name is valid there.
    pub(super) fn refuse_unit_of_default(&mut self) -> Parse<()> {
        let Some(word) = self.cursor.peek_ident() else {
            return Ok(());
        };
        let goes_on = matches!(self.cursor.operator_at(1), Some("/" | "*" | "^"));
        let is_last = self.cursor.token_at(1).is_none();
        let is_unit = is_unit(word) || goes_on || is_last;
        // In `= 1 m: parameter` the comma is missing.
        let is_field = self.cursor.operator_at(1) == Some(":");
        if is_field || !is_unit || !self.cursor.is_behind_number() || self.cursor.begins_line() {
            return Ok(());
        }
        self.refuse_unit()
    }

    /// Fails at a unit.
    pub(super) fn refuse_unit<T>(&mut self) -> Parse<T> {
        let place = self.cursor.next_place();
        let is_degree = ["deg", "degrees", "degree"]
            .iter()
            .any(|unit| self.cursor.peek_word(unit));
        let help = match is_degree {
            true => "angles are in radians: write `30 * pi / 180`",
            false => "write `9.81 [m/s^2]`",
        };
        let message = format!("a unit stands in brackets\n\nhelp: {help}");
        self.fail(place, Code::Unit, message)
    }

    /// `a > b ? c : d`: fails at the question mark, if this statement contains one.
    pub(super) fn refuse_question_mark(&mut self) -> Parse<()> {
        let mut ahead = 0;
        while let Some(token) = self.cursor.token_at(ahead) {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ';' => break,
                TokenTree::Punct(punct) if punct.as_char() == '?' => {
                    let place = punct.span();
                    let message = "`?` is not an operator of the language\n\n\
                                   help: a choice is written `if a < b { e } else { f }`";
                    return self.fail(place, Code::ForeignOperator, message);
                }
                _ => ahead += 1,
            }
        }
        Ok(())
    }

    /// Fails at an operator or keyword of another language.
    pub(super) fn refuse_foreign_operator(&mut self) -> Parse<()> {
        if self.begins_statement() || self.cursor.begins_line() {
            return Ok(());
        }
        let place = self.cursor.next_place();
        let word = match self.cursor.peek() {
            Some(TokenTree::Punct(punct)) => punct.as_char().to_string(),
            Some(TokenTree::Ident(word)) => word.to_string(),
            _ => return Ok(()),
        };
        let help = match word.as_str() {
            "?" => "a choice is written `if a < b { e } else { f }`",
            "@" => "a product of matrices is written `A * B`",
            "~" => "an equation is a statement: `holonomic name: lhs = rhs;`",
            "$" => "remove it",
            "and" | "or" | "xor" => "put one `if` into a branch of another",
            "mod" | "rem" | "div" => {
                "a remainder is not part of the language; a quotient is `a / b`"
            }
            "if" => "a choice is written `if a < b { e } else { f }`",
            "for" => "a sum is written `sum(i in a..b, e)`",
            "in" | "where" | "when" | "then" | "do" => "remove it",
            _ => return Ok(()),
        };
        if self
            .cursor
            .peek_ident()
            .is_some_and(|word| self.is_declared(word))
        {
            return Ok(());
        }
        self.fail(
            place,
            Code::ForeignOperator,
            format!("`{word}` is not an operator of the language\n\nhelp: {help}"),
        )
    }
}

fn is_unit(word: &Ident) -> bool {
    UNITS.split(' ').any(|unit| word == unit)
}

fn advise_instead_of_path(root: &str, last: &str, is_call: bool) -> String {
    let is_type = root.starts_with(char::is_uppercase);
    if let Some(constant) = advice(Place::Value, last).filter(|_| !is_call) {
        return constant;
    }
    match (is_call, is_type) {
        (true, true) if last == "new" || last.starts_with("from") => {
            "a vector is written `[a, b]`, a matrix `[[a, b], [c, d]]`".to_owned()
        }
        (true, _) => format!("functions are called by their names alone: `{last}(..)`"),
        (false, _) => format!(
            "the macro does not see Rust's constants: make it a parameter, \
             `{}: parameter`",
            last.to_lowercase()
        ),
    }
}

/// Tokens as text for a message. The contents of groups are left out, because groups may be nested without limit.
pub(super) fn written(tokens: &TokenStream) -> String {
    let mut text = String::new();
    let mut is_word = false;
    for token in tokens.clone() {
        let (word, part) = match &token {
            TokenTree::Group(group) => match group.delimiter() {
                Delimiter::Parenthesis => (false, "(..)".to_owned()),
                Delimiter::Bracket => (false, "[..]".to_owned()),
                Delimiter::Brace => (false, "{..}".to_owned()),
                Delimiter::None => (true, "..".to_owned()),
            },
            TokenTree::Punct(punct) => (false, punct.as_char().to_string()),
            word => (true, word.to_string()),
        };
        if word && is_word {
            text.push(' ');
        }
        text += &part;
        is_word = word;
    }
    text
}
