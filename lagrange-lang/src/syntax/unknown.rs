//! Tokens that begin no statement: misspelt keywords, words of other languages, and lone expressions.

use proc_macro2::{Delimiter, Ident, TokenTree};
use syn::{Visibility, parse_quote};

use super::ast::{Expr, ExprKind, StatementKind};
use super::foreign::written;
use super::keywords::{self, STATEMENTS, is_rust_keyword};
use super::parser::{Parse, Parser, Reported};
use super::statements::{is_assignment, is_kept, one};
use crate::errors::Code;
use crate::suggest::foreign::{Binding, Place, advice, binding};
use crate::suggest::{self, one_of};

impl Parser<'_> {
    /// The next word, if it is similar to `meant` and the tokens after it fit.
    pub(super) fn find_misspelt_statement(&self, meant: &str) -> Option<Ident> {
        let word = self.cursor.peek_ident()?;
        let text = word.to_string();
        let words = STATEMENTS
            .iter()
            .map(|(word, ..)| *word)
            .chain(["let", "for"]);
        let nearest = suggest::nearest(&text, words);
        let fits = self.are_words_in_a_row()
            || (self.cursor.group_at(1, Delimiter::Bracket).is_some() && !self.is_declared(word));
        // `constraint` and `constant` are similar to `contact`, but have their own advice.
        let is_another = meant == "contact" && advice(Place::Statement, &text).is_some();
        (nearest == Some(meant) && fits && !is_another).then(|| word.clone())
    }

    fn are_words_in_a_row(&self) -> bool {
        let cursor = &self.cursor;
        cursor.ident_at(1).is_some()
            || cursor.literal_at(1).is_some()
            || cursor.group_at(1, Delimiter::Brace).is_some()
    }

    /// Reports the next word and skips it.
    pub(super) fn fail_misspelt(&mut self, word: &Ident, meant: &str) {
        let message = format!("unknown statement `{word}`\n\nhelp: did you mean `{meant}`?");
        self.error(word, Code::UnknownStatement, message);
        self.cursor.advance();
    }

    pub(super) fn fail_at_no_statement<T>(&mut self) -> Parse<T> {
        if self.cursor.peek_group(Delimiter::Brace) {
            let span = self.cursor.span();
            return self.fail(span, Code::NoStatement, "expected a statement, found `{`");
        }
        self.fail_at_expression_alone()
    }

    pub(super) fn refuse_rust_statement(&mut self, word: &Ident) -> Parse<Vec<StatementKind>> {
        let message = match word.to_string().as_str() {
            "if" => {
                "an `if` is an expression, not a statement\n\n\
                 help: write for example `let n = if a < b { e } else { f };`"
            }
            "true" | "false" | "self" => return self.fail_at_expression_alone(),
            _ => return self.refuse_foreign_statement(word),
        };
        self.fail(word, Code::NoStatement, message)
    }

    /// A word that begins no statement. A misspelt keyword is read as the intended one.
    pub(super) fn parse_unknown_statement(&mut self, word: &Ident) -> Parse<Vec<StatementKind>> {
        let is_before_let = self.cursor.ident_at(1).is_some_and(|next| next == "let");
        if is_before_let && self.cursor.ident_at(2).is_some() && !self.cursor.begins_line_at(1) {
            return self.parse_word_before_let(word);
        }
        let words = STATEMENTS
            .iter()
            .map(|(word, ..)| *word)
            .chain(["let", "for"]);
        for meant in words {
            if self.find_misspelt_statement(meant).is_none() {
                continue;
            }
            self.fail_misspelt(word, meant);
            return match keywords::statement(meant) {
                Some(kind) => {
                    let keyword = Ident::new(meant, word.span());
                    self.parse_behind_keyword(kind, keyword, Visibility::Inherited)
                        .map(one)
                }
                None if meant == "for" => self.parse_loop_behind_keyword(word.clone()).map(one),
                None => self.parse_let_statement(None),
            };
        }
        let is_function = self.cursor.group_at(1, Delimiter::Parenthesis).is_some()
            && self.cursor.operator_at(2) == Some("=")
            && !self.is_declared(word)
            && word != "der";
        if is_function {
            let name = self.parse_name_here("a name")?;
            let message =
                format!("a function begins with `let`\n\nhelp: write `let {name}(..) = ..;`");
            self.error(&name, Code::LetForm, message);
            if let Some(function) = self.parse_function(&name, (false, false)) {
                return Ok(one(function));
            }
        }
        let is_foreign = || {
            let is_list = self.cursor.group_at(1, Delimiter::Bracket).is_some();
            is_list
                && !self.is_declared(word)
                && advice(Place::Statement, &word.to_string()).is_some()
        };
        if self.are_words_in_a_row() || is_foreign() {
            return self.refuse_foreign_statement(word);
        }
        if self.cursor.operator_at(1) == Some(":") && self.cursor.operator_at(2) == Some("=") {
            let message =
                format!("a value is given by `=`, not `:=`\n\nhelp: write `let {word} = ..;`");
            self.error(word, Code::LetForm, message);
            return self.parse_let_behind_keyword(None, false);
        }
        if self.cursor.operator_at(1) == Some(":") {
            let message = format!(
                "expected a statement, found a field\n\n\
                 help: `{word}` is declared between the braces of the struct, a constraint by \
                 `holonomic {word}: ..`"
            );
            return self.fail(word, Code::NoStatement, message);
        }
        self.fail_at_expression_alone()
    }

    /// An expression in the place of a statement. It may be the target of an assignment.
    fn fail_at_expression_alone<T>(&mut self) -> Parse<T> {
        let is_operand = match self.cursor.peek() {
            Some(TokenTree::Punct(_)) => self.cursor.operator() == Some("-"),
            Some(_) => true,
            None => false,
        };
        if !is_operand {
            return self.fail_found("a statement");
        }
        let expression = self.parse_sum()?;
        let operator = self.cursor.operator();
        if operator.is_some_and(is_assignment) {
            let message = format!(
                "only a name can be assigned to\n\nhelp: {}",
                advise_instead_of(&expression.expr)
            );
            return self.fail(&*expression.expr, Code::NotAssignable, message);
        }
        self.refuse_operator()?;
        if !self.cursor.is_empty() && operator != Some(";") && !self.begins_statement() {
            return self.fail_unexpected("an operator or `;`");
        }
        if expression.expr.is_broken() {
            return Err(Reported);
        }
        // `Eq(x, y);` and the like.
        let foreign = match &expression.expr.kind {
            ExprKind::Call { function, .. } => advice(Place::Statement, &function.to_string()),
            _ => None,
        };
        let help = foreign.as_deref().unwrap_or("name it: `let n = ..;`");
        let message = format!("an expression alone has no effect\n\nhelp: {help}");
        self.fail(&*expression.expr, Code::NoStatement, message)
    }

    /// `upb let n = e;`: the word before a `let` was most likely meant as `pub`.
    fn parse_word_before_let(&mut self, word: &Ident) -> Parse<Vec<StatementKind>> {
        let help = match suggest::nearest(&word.to_string(), ["pub"]) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "remove it, or write `pub`".to_owned(),
        };
        self.error(
            word,
            Code::Unexpected,
            format!("unexpected `{word}` before `let`\n\nhelp: {help}"),
        );
        self.cursor.advance();
        let public = syn::parse_quote!(pub);
        self.parse_let_statement(Some(public))
    }

    /// A statement that begins with an unknown word or a word of another language. Its name is declared without a
    /// value. A `const` is read as `let`, and an `output` as `pub let`.
    pub(super) fn refuse_foreign_statement(&mut self, word: &Ident) -> Parse<Vec<StatementKind>> {
        let text = word.to_string();
        let help = match advice(Place::Statement, &text) {
            Some(advice) => format!("\n\nhelp: {advice}"),
            None => format!(
                "\n\nhelp: a statement begins with {}",
                list_words_of_statements()
            ),
        };
        self.error(
            word,
            Code::UnknownStatement,
            format!("unknown statement `{word}`{help}"),
        );
        self.cursor.advance();
        let binding = binding(&text);
        while binding.is_some()
            && self
                .cursor
                .take_word("let")
                .or(self.cursor.take_word("mut"))
                .is_some()
        {}
        let name = self.cursor.peek_ident().cloned();
        let name = name.filter(|name| {
            let word = name.to_string();
            !is_rust_keyword(&word) && !is_kept(&word)
        });
        let Some(name) = name.filter(|_| !self.cursor.begins_line()) else {
            return Err(Reported);
        };
        let binding = binding.filter(|_| matches!(self.cursor.operator_at(1), Some("=" | ":")));
        if let Some(binding) = binding {
            let public = (binding == Binding::Public).then(|| parse_quote!(pub));
            return self.parse_let_behind_keyword(public, binding == Binding::Mutable);
        }
        if self.is_declared(&name) {
            return Err(Reported);
        }
        self.cursor.advance();
        let left = self.cursor.left();
        let mut kinds = vec![self.parse_broken_let(name)];
        kinds.extend(self.skip_block(left + 1));
        Ok(kinds)
    }

    /// `name: f64 = e;`. The type is skipped.
    pub(super) fn parse_let_behind_keyword(
        &mut self,
        public: Option<Visibility>,
        mutable: bool,
    ) -> Parse<Vec<StatementKind>> {
        let name = self.parse_name_here("a name")?;
        if let Some(function) = self.parse_function(&name, (public.is_some(), mutable)) {
            return Ok(vec![function]);
        }
        while !self.cursor.is_empty() && !matches!(self.cursor.operator(), Some("=" | ";")) {
            self.cursor.advance();
        }
        Ok(vec![self.parse_let_of(name, public, mutable)])
    }

    /// `Q.der(x) = e;`
    pub(super) fn refuse_force_on_velocity(&mut self) -> Parse<()> {
        let Some(group) = self.cursor.group_at(1, Delimiter::Parenthesis) else {
            return Ok(());
        };
        let of = written(&group.stream());
        match self.cursor.peek_ident().cloned() {
            Some(word) => {
                let of = if word == "der" { of } else { word.to_string() };
                let message = format!(
                    "a generalized force acts on a coordinate\n\nhelp: write `Q.{of} = ..;`"
                );
                self.fail(&word, Code::ForceTarget, message)
            }
            None => Ok(()),
        }
    }
}

/// The advice for an expression on the left of an assignment.
fn advise_instead_of(target: &Expr) -> String {
    match &target.kind {
        ExprKind::Call {
            function,
            arguments,
            ..
        } if function == "der" => match &arguments[..] {
            [argument] if matches!(argument.kind, ExprKind::Call { .. }) => {
                "the macro derives the accelerations: give `T` and `V`, and forces by `Q`"
                    .to_owned()
            }
            _ => "the rate of a state is given by its name: `der(z) = ..;`".to_owned(),
        },
        ExprKind::Index { base, .. } | ExprKind::Field { base, .. } if matches!(&base.kind, ExprKind::Call { function, .. } if function == "der") => {
            "the part of a state stands between the parentheses: `der(z[i]) = ..;`".to_owned()
        }
        _ => "an equation of coordinates is `holonomic name: lhs = rhs;`, a new value `let n = e;`"
            .to_owned(),
    }
}

fn list_words_of_statements() -> String {
    let energies = ["let", "T", "V", "L", "D", "Q", "for"];
    let words: Vec<&str> = energies
        .into_iter()
        .chain(STATEMENTS.iter().map(|(word, ..)| *word))
        .collect();
    one_of(&words)
}
