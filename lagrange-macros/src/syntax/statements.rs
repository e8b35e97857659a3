//! Which statement comes next, and how parsing goes on after a broken one.

use proc_macro2::{Delimiter, Ident, TokenTree};
use syn::{Attribute, Visibility};

use super::ast::{Statement, StatementKind};
use super::attributes::{Bearer, levels, place_of_visibility};
use super::keywords::{self, STATEMENTS, StatementWord, assignment, is_rust_keyword};
use super::parser::{Parse, Parser, Reported};
use crate::suggest;

impl Parser<'_> {
    /// All statements up to the end of this level.
    pub(super) fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            // A `;` behind a block is no mistake in Rust either.
            while self.cursor.take_operator(";").is_some() {}
            let attributes = self.attributes();
            if self.cursor.is_empty() {
                let _reported = self.refuse_dangling(&attributes, "a statement");
                return statements;
            }
            let bearer = match self.cursor.peek_word("pub") {
                true => Bearer::Item,
                false => Bearer::Nothing,
            };
            let (hessian, attributes) = self.hessian(attributes);
            let attributes = self.kept_attributes(attributes, ("a statement", bearer));
            match self.statement() {
                Ok(mut kinds) => {
                    self.place_hessian(hessian, &mut kinds);
                    add(&mut statements, attributes, kinds);
                }
                Err(Reported) => self.skip_block(),
            }
        }
    }

    /// The next statement: more than one only for a broken `let` of several names. On `Err`
    /// nothing is known about what comes next.
    fn statement(&mut self) -> Parse<Vec<StatementKind>> {
        self.begin_item();
        self.cursor.open_invisible();
        let visibility = self.visibility();
        if self.cursor.peek_word("let") {
            return self.let_statement(publicity(visibility));
        }
        let word = self.cursor.peek_ident().cloned();
        let begun = word.as_ref().and_then(|word| self.begun_word(word));
        let place = place_of_visibility(&visibility);
        if let Some(place) = place.filter(|_| begun != Some(StatementWord::Frame)) {
            self.error(
                place,
                "only a `let` or a `frame` can be `pub`\n\nhelp: remove `pub`",
            );
        }
        let Some(word) = word else {
            return self.not_a_statement();
        };
        let text = word.to_string();
        if text == "for" {
            return self.for_loop().map(one);
        }
        if is_rust_keyword(&text) {
            return self.rust_statement(&word);
        }
        if let Some(term) = keywords::energy(&text) {
            return self.energy(term).map(one);
        }
        if text == "Q" {
            return self.generalized_force().map(one);
        }
        match begun {
            Some(kind) => self.begun_by(kind, visibility).map(one),
            None if self.is_assigned() => self.assign().map(one),
            None => self.unknown_statement(&word),
        }
    }

    /// The statement that this word, the next one, begins; `None` where it is a name that something is
    /// assigned to.
    fn begun_word(&self, word: &Ident) -> Option<StatementWord> {
        let kind = keywords::statement(&word.to_string());
        kind.filter(|_| !(self.is_assigned() && self.is_declared(word)))
    }

    fn is_assigned(&self) -> bool {
        self.cursor.operator_at(1).is_some_and(is_assignment)
    }

    fn begun_by(&mut self, kind: StatementWord, visibility: Visibility) -> Parse<StatementKind> {
        let Some(keyword) = self.cursor.take_ident() else {
            return self.fail_expected("a statement");
        };
        match kind {
            StatementWord::Force => Ok(self.force(keyword)),
            StatementWord::Torque => Ok(self.torque(keyword)),
            StatementWord::Gravity => Ok(self.gravity(keyword)),
            StatementWord::Constraint(kind) => self.constraint(keyword, kind),
            StatementWord::Frame => self.frame(publicity(visibility)),
            StatementWord::Block(kind) => self.block(keyword, kind),
            StatementWord::Listing(kind) => self.listing(keyword, kind),
            StatementWord::Symmetry => Ok(self.symmetry(keyword)),
        }
    }

    fn not_a_statement<T>(&mut self) -> Parse<T> {
        if self.cursor.peek_group(Delimiter::Brace) {
            let span = self.cursor.span();
            return self.fail(span, "expected a statement, found `{`");
        }
        self.expression_alone()
    }

    fn rust_statement<T>(&mut self, word: &Ident) -> Parse<T> {
        let message = match word.to_string().as_str() {
            "if" => "an `if` is an expression, not a statement\n\n\
                 help: write for example `let n = if a < b { e } else { f };`"
                .to_owned(),
            "mut" | "const" | "static" => {
                format!("expected a statement, found `{word}`\n\nhelp: names are given by `let`")
            }
            "true" | "false" | "self" => return self.expression_alone(),
            _ => format!("Rust's `{word}` is not part of the language"),
        };
        self.fail(word, message)
    }

    /// A word that begins no statement.
    fn unknown_statement<T>(&mut self, word: &Ident) -> Parse<T> {
        let text = word.to_string();
        let words = STATEMENTS.iter().map(|(word, ..)| *word);
        let nearest = suggest::nearest(&text, words.chain(["let", "for"]));
        let words_in_a_row = self.cursor.ident_at(1).is_some()
            || self.cursor.literal_at(1).is_some()
            || self.cursor.group_at(1, Delimiter::Brace).is_some();
        let misspelt = nearest.is_some()
            && !self.is_declared(word)
            && self.cursor.group_at(1, Delimiter::Bracket).is_some();
        if words_in_a_row || misspelt {
            let help = nearest.map(|found| format!("\n\nhelp: did you mean `{found}`?"));
            let help = help.unwrap_or_default();
            return self.fail(word, format!("unknown statement `{word}`{help}"));
        }
        if self.cursor.operator_at(1) == Some(":") {
            let message = format!(
                "expected a statement, found a field\n\n\
                 help: `{word}` is declared between the braces of the struct, a constraint by \
                 `holonomic {word}: ..`"
            );
            return self.fail(word, message);
        }
        self.expression_alone()
    }

    /// An expression where a statement belongs, perhaps the target of an assignment.
    fn expression_alone<T>(&mut self) -> Parse<T> {
        let is_operand = match self.cursor.peek() {
            Some(TokenTree::Punct(_)) => self.cursor.operator() == Some("-"),
            Some(_) => true,
            None => false,
        };
        if !is_operand {
            return self.fail_expected("a statement");
        }
        let expression = self.sum()?;
        let operator = self.cursor.operator();
        if operator.is_some_and(is_assignment) {
            let message = "only a name can be assigned to\n\n\
                           help: a function of the coordinates is a `let`, too";
            return self.fail(&*expression.expr, message);
        }
        self.refuse_operator()?;
        if !self.cursor.is_empty() && operator != Some(";") && !self.begins_statement() {
            return self.fail_unexpected("an operator or `;`");
        }
        let message = "an expression alone has no effect\n\nhelp: name it: `let n = ..;`";
        self.fail(&*expression.expr, message)
    }

    /// The `;` behind a statement. Where it is forgotten, parsing goes on with what follows.
    pub(super) fn semicolon(&mut self) {
        if self.cursor.take_operator(";").is_some() {
            return;
        }
        if self.cursor.is_empty() || self.begins_statement() || self.begins_assignment() {
            let place = self.cursor.previous_span();
            self.error(place, "missing `;` after this");
            return;
        }
        let _reported: Parse<()> = self.fail_unexpected("an operator or `;`");
        self.skip_statement();
    }

    fn begins_assignment(&self) -> bool {
        self.cursor.peek_ident().is_some() && self.is_assigned()
    }

    /// Whether the next tokens cannot but begin a statement.
    fn begins_statement(&self) -> bool {
        let cursor = &self.cursor;
        if cursor.operator() == Some("#") {
            return cursor.group_at(1, Delimiter::Bracket).is_some();
        }
        let Some(word) = cursor.peek_ident() else {
            return false;
        };
        let next = cursor.operator_at(1);
        let text = word.to_string();
        match text.as_str() {
            "let" | "for" | "pub" => true,
            "Q" => next == Some("."),
            _ if keywords::energy(&text).is_some() => next.is_some_and(is_assignment),
            _ => {
                // `force[0]` is an element where `force` is a name.
                let indexed = self.is_declared(word);
                keywords::statement(&text).is_some()
                    && (cursor.ident_at(1).is_some()
                        || (!indexed && cursor.group_at(1, Delimiter::Bracket).is_some())
                        || cursor.group_at(1, Delimiter::Brace).is_some())
            }
        }
    }

    /// Skips the rest of a statement, `;` included, but not the next one if the `;` is missing.
    pub(super) fn skip_statement(&mut self) {
        while !self.cursor.is_empty() && !self.begins_statement() {
            if self.cursor.take_operator(";").is_some() {
                return;
            }
            self.cursor.advance();
        }
    }

    /// Skips at least one token, and up to a `;` or a block like those of Rust's `if` and `fn`.
    fn skip_block(&mut self) {
        let mut moved = false;
        while !self.cursor.is_empty() {
            if moved && self.begins_statement() {
                return;
            }
            if self.cursor.take_operator(";").is_some() {
                return;
            }
            let is_block = self.cursor.peek_group(Delimiter::Brace);
            self.cursor.advance();
            moved = true;
            if is_block && !self.cursor.peek_word("else") && self.cursor.operator().is_none() {
                return;
            }
        }
    }
}

/// `==` belongs here because it is what people type for `=`.
pub(super) fn is_assignment(operator: &str) -> bool {
    operator == "==" || assignment(operator).is_some()
}

fn one(kind: StatementKind) -> Vec<StatementKind> {
    vec![kind]
}

/// Each statement with the attributes that stand before it.
fn add(statements: &mut Vec<Statement>, attributes: Vec<Attribute>, kinds: Vec<StatementKind>) {
    for mut kind in kinds {
        let attributes = attributes.clone();
        if let StatementKind::For { body, .. } = &mut kind {
            inherit(body, &levels(&attributes));
        }
        statements.push(Statement { attributes, kind });
    }
}

/// The levels of lints before a loop hold for what is in it.
fn inherit(body: &mut [Statement], levels: &[Attribute]) {
    if levels.is_empty() {
        return;
    }
    for statement in body {
        statement.attributes.splice(0..0, levels.iter().cloned());
        if let StatementKind::For { body, .. } = &mut statement.kind {
            inherit(body, levels);
        }
    }
}

/// `None` for what is private.
fn publicity(visibility: Visibility) -> Option<Visibility> {
    match visibility {
        Visibility::Inherited => None,
        written => Some(written),
    }
}
