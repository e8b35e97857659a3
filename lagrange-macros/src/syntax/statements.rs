//! Which statement comes next, and how parsing goes on after a broken one.

use proc_macro2::{Delimiter, Ident, TokenTree};
use syn::{Attribute, Visibility};

use super::ast::{Expr, ExprKind, Statement, StatementKind};
use super::attributes::{Bearer, levels, place_of_visibility};
use super::keywords::{self, STATEMENTS, StatementWord, assignment, is_rust_keyword};
use super::parser::{Parse, Parser, Reported};
use crate::suggest;
use crate::suggest::foreign::{Place, advice};

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
            let left = self.cursor.left();
            match self.statement() {
                Ok(mut kinds) => {
                    self.place_hessian(hessian, &mut kinds);
                    add(&mut statements, attributes, kinds);
                }
                Err(Reported) => {
                    self.has_lost = true;
                    let skipped = self.skip_block(left);
                    add(&mut statements, Vec::new(), skipped);
                }
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
            if self.cursor.is_empty() || self.cursor.begins_line() {
                self.lacks_names = true;
                return self.fail(place, "expected `let` or `frame` after this");
            }
            if let Some(word) = self.misspelt_statement("let") {
                self.fail_misspelt(&word, "let");
                return self.let_statement(publicity(visibility));
            }
            if let Some(word) = self.misspelt_statement("frame") {
                self.fail_misspelt(&word, "frame");
                return self.frame(publicity(visibility)).map(one);
            }
            if self.cursor.peek_word("pub") {
                return self.doubled_public(visibility);
            }
            if self.is_public_name() {
                return self.let_without_word(publicity(visibility));
            }
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

    /// `pub pub let n = e;`
    fn doubled_public(&mut self, visibility: Visibility) -> Parse<Vec<StatementKind>> {
        let place = self.cursor.next_place();
        while self.cursor.take_word("pub").is_some() {}
        self.error(place, "`pub` stands here twice\n\nhelp: remove one of them");
        if self.cursor.take_word("frame").is_some() {
            return self.frame(publicity(visibility)).map(one);
        }
        self.let_statement(publicity(visibility))
    }

    /// Whether a name and its value come behind `pub`, or behind one more token that does not belong there.
    fn is_public_name(&self) -> bool {
        let is_name = |ahead| {
            let name = self.cursor.ident_at(ahead);
            let name = name.filter(|name| !is_kept(&name.to_string()) && !self.is_declared(name));
            name.is_some() && matches!(self.cursor.operator_at(ahead + 1), Some("=" | ":"))
        };
        is_name(0) || is_name(1)
    }

    /// `pub n = e;`, `pub const n = e;`
    fn let_without_word(&mut self, public: Option<Visibility>) -> Parse<Vec<StatementKind>> {
        let place = self.cursor.next_place();
        let found = self.cursor.found();
        let is_name = matches!(self.cursor.operator_at(1), Some("=" | ":"));
        if !is_name {
            self.cursor.advance();
        }
        let name = self.cursor.peek_ident().map(ToString::to_string);
        let name = name.unwrap_or_else(|| "n".to_owned());
        self.error(
            place,
            format!(
                "expected `let` or `frame`, found {found}\n\nhelp: write `pub let {name} = ..;`"
            ),
        );
        self.let_behind_keyword(public, false)
    }

    /// `upb let n = e;`: what stands before a `let` was most likely meant for `pub`.
    fn word_before_let(&mut self, word: &Ident) -> Parse<Vec<StatementKind>> {
        let help = match suggest::nearest(&word.to_string(), ["pub"]) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "remove it, or write `pub`".to_owned(),
        };
        self.error(
            word,
            format!("unexpected `{word}` before `let`\n\nhelp: {help}"),
        );
        self.cursor.advance();
        let public = syn::parse_quote!(pub);
        self.let_statement(Some(public))
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
        match self.cursor.take_ident() {
            Some(keyword) => self.behind_keyword(kind, keyword, visibility),
            None => self.fail_found("a statement"),
        }
    }

    fn behind_keyword(
        &mut self,
        kind: StatementWord,
        keyword: Ident,
        visibility: Visibility,
    ) -> Parse<StatementKind> {
        self.refuse_doubled(&keyword);
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

    /// The next word, if it is nearly this one and what follows fits.
    fn misspelt_statement(&self, meant: &str) -> Option<Ident> {
        let word = self.cursor.peek_ident()?;
        let text = word.to_string();
        let words = STATEMENTS.iter().map(|(word, ..)| *word);
        let nearest = suggest::nearest(&text, words.chain(["let", "for"]));
        let fits = self.are_words_in_a_row()
            || (self.cursor.group_at(1, Delimiter::Bracket).is_some() && !self.is_declared(word));
        (nearest == Some(meant) && fits).then(|| word.clone())
    }

    fn are_words_in_a_row(&self) -> bool {
        let cursor = &self.cursor;
        cursor.ident_at(1).is_some()
            || cursor.literal_at(1).is_some()
            || cursor.group_at(1, Delimiter::Brace).is_some()
    }

    /// Reports the word that comes next, and passes over it.
    fn fail_misspelt(&mut self, word: &Ident, meant: &str) {
        let message = format!("unknown statement `{word}`\n\nhelp: did you mean `{meant}`?");
        self.error(word, message);
        self.cursor.advance();
    }

    fn not_a_statement<T>(&mut self) -> Parse<T> {
        if self.cursor.peek_group(Delimiter::Brace) {
            let span = self.cursor.span();
            return self.fail(span, "expected a statement, found `{`");
        }
        self.expression_alone()
    }

    fn rust_statement(&mut self, word: &Ident) -> Parse<Vec<StatementKind>> {
        let message = match word.to_string().as_str() {
            "if" => "an `if` is an expression, not a statement\n\n\
                 help: write for example `let n = if a < b { e } else { f };`"
                .to_owned(),
            "true" | "false" | "self" => return self.expression_alone(),
            _ => return self.foreign_statement(word),
        };
        self.fail(word, message)
    }

    /// A word that begins no statement. One that is nearly right is taken for what it was meant to be.
    fn unknown_statement(&mut self, word: &Ident) -> Parse<Vec<StatementKind>> {
        let is_before_let = self.cursor.ident_at(1).is_some_and(|next| next == "let");
        if is_before_let && self.cursor.ident_at(2).is_some() && !self.cursor.begins_line_at(1) {
            return self.word_before_let(word);
        }
        let words = STATEMENTS.iter().map(|(word, ..)| *word);
        for meant in words.chain(["let", "for"]) {
            if self.misspelt_statement(meant).is_none() {
                continue;
            }
            self.fail_misspelt(word, meant);
            return match keywords::statement(meant) {
                Some(kind) => {
                    let keyword = Ident::new(meant, word.span());
                    self.behind_keyword(kind, keyword, Visibility::Inherited)
                        .map(one)
                }
                None if meant == "for" => self.loop_behind_keyword(word.clone()).map(one),
                None => self.let_statement(None),
            };
        }
        let is_foreign = || {
            let is_list = self.cursor.group_at(1, Delimiter::Bracket).is_some();
            is_list
                && !self.is_declared(word)
                && advice(Place::Statement, &word.to_string()).is_some()
        };
        if self.are_words_in_a_row() || is_foreign() {
            return self.foreign_statement(word);
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
            return self.fail_found("a statement");
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
        if expression.expr.is_broken() {
            return Err(Reported);
        }
        let message = "an expression alone has no effect\n\nhelp: name it: `let n = ..;`";
        self.fail(&*expression.expr, message)
    }

    /// The `;` behind a value. Where it is forgotten, parsing goes on with what follows, and more than the `;`
    /// may be missing.
    pub(super) fn end_of_value(&mut self, value: Expr) -> Expr {
        let first = value.first;
        match self.semicolon() {
            Ok(()) => value,
            Err(Reported) if self.is_at_statement() => value.cut(),
            Err(Reported) => {
                self.skip_statement();
                self.error_expression(first)
            }
        }
    }

    pub(super) fn is_at_statement(&self) -> bool {
        self.cursor.is_empty() || self.begins_statement() || self.begins_assignment()
    }

    fn semicolon(&mut self) -> Parse<()> {
        if self.cursor.take_operator(";").is_some() {
            return Ok(());
        }
        if self.is_at_statement() {
            let place = self.cursor.previous_span();
            return self.fail(place, "missing `;` after this");
        }
        self.fail_unexpected("an operator or `;`")
    }

    fn begins_assignment(&self) -> bool {
        self.cursor.peek_ident().is_some() && self.is_assigned()
    }

    /// Whether the next line begins here, with a statement.
    pub(super) fn begins_next_statement(&self) -> bool {
        let begins = || {
            let is_assignment = !self.in_equation && self.begins_assignment();
            is_assignment || self.begins_statement() || self.begins_with_keyword()
        };
        // What the words say is told sooner than where they stand.
        begins() && self.cursor.begins_line()
    }

    /// `T = ..`
    pub(super) fn begins_energy(&self) -> bool {
        let word = self.cursor.peek_ident();
        word.is_some_and(|word| keywords::energy(&word.to_string()).is_some())
            && self.cursor.operator_at(1).is_some_and(is_assignment)
    }

    /// Whether the next word is one that begins statements and no name, whatever follows it.
    fn begins_with_keyword(&self) -> bool {
        let word = self.cursor.peek_ident();
        word.is_some_and(|word| {
            keywords::statement(&word.to_string()).is_some() && !self.is_declared(word)
        })
    }

    /// Whether the next tokens cannot but begin a statement.
    pub(super) fn begins_statement(&self) -> bool {
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
            "let" => cursor.ident_at(1).is_some() || cursor.any_group_at(1) || cursor.begins_line(),
            "for" | "pub" => true,
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
        while !self.cursor.is_empty() && !self.begins_statement() && !self.begins_next_statement() {
            let is_ended = self.cursor.take_operator(";").is_some();
            if is_ended && (self.cursor.begins_line() || self.is_at_statement()) {
                return;
            }
            // A `;` amid a line stands for something else.
            if !is_ended {
                self.cursor.advance();
            }
        }
    }

    /// Skips up to a `;` or a block like those of Rust's `if` and `fn`, and at least one token of the `left`
    /// ones. What it seems to declare is declared without a value, so that its uses are silent.
    pub(super) fn skip_block(&mut self, left: usize) -> Vec<StatementKind> {
        let mut declared = Vec::new();
        while !self.cursor.is_empty() {
            let moved = self.cursor.left() < left;
            if moved && self.cursor.is_behind_semicolon() {
                break;
            }
            if moved && (self.begins_statement() || self.begins_next_statement()) {
                break;
            }
            if self.cursor.take_operator(";").is_some() {
                break;
            }
            if self.begins_assignment() {
                declared.extend(self.cursor.peek_ident().cloned());
            }
            let is_block = self.cursor.peek_group(Delimiter::Brace);
            self.cursor.advance();
            if is_block && !self.cursor.peek_word("else") && self.cursor.operator().is_none() {
                break;
            }
        }
        let unknown = declared.into_iter().filter(|name| {
            let word = name.to_string();
            !self.is_declared(name) && !is_rust_keyword(&word) && !is_kept(&word)
        });
        let unknown: Vec<Ident> = unknown.collect();
        unknown
            .into_iter()
            .map(|name| self.broken_let(name))
            .collect()
    }

    /// A `let` of which nothing is known but the name.
    pub(super) fn broken_let(&mut self, name: Ident) -> StatementKind {
        self.declare(&name);
        let span = name.span();
        StatementKind::Let {
            public: None,
            hessian: None,
            mutable: true,
            value: Expr::new(ExprKind::Error, span, span),
            name,
        }
    }

    /// Passes over a word that stands there twice; whether it did.
    pub(super) fn refuse_doubled(&mut self, word: &Ident) {
        let again = self
            .cursor
            .peek_ident()
            .filter(|next| *next == word)
            .cloned();
        let is_name = matches!(self.cursor.operator_at(1), Some(":" | "=" | "," | ";"))
            || self.cursor.group_at(1, Delimiter::Brace).is_some()
            || self.is_declared(word)
            || self.cursor.begins_line();
        if let Some(again) = again.filter(|_| !is_name) {
            self.pass_doubled(&again);
        }
    }

    /// Passes over the next word, which stands there for the second time.
    pub(super) fn pass_doubled(&mut self, again: &Ident) {
        let message = format!("`{again}` stands here twice\n\nhelp: remove one of them");
        self.error(again, message);
        self.cursor.advance();
    }
}

/// Whether the language keeps the word for something that is no `let`.
fn is_kept(word: &str) -> bool {
    keywords::energy(word).is_some() || ["Q", "der", "pi", "world"].contains(&word)
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
