//! Dispatch to the parser of the next statement.

use proc_macro2::{Delimiter, Ident};
use syn::{Attribute, Visibility};

use super::ast::{ListingKind, Statement, StatementKind};
use super::attributes::{Bearer, levels, place_of_visibility};
use super::keywords::{self, StatementWord, assignment, is_rust_keyword};
use super::parser::{Parse, Parser, Reported};
use crate::errors::Code;

impl Parser<'_> {
    /// All statements up to the end of this level.
    pub(super) fn parse_statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            // Rust also allows a `;` after a block.
            while self.cursor.take_operator(";").is_some() {}
            let attributes = self.parse_attributes();
            if self.cursor.is_empty() {
                let _reported = self.refuse_dangling(&attributes, "a statement");
                return statements;
            }
            if self.refuse_second_struct() {
                return statements;
            }
            let bearer = self.find_bearer();
            let (hessian, attributes) = self.take_hessian(attributes);
            let attributes = self.keep_attributes(attributes, ("a statement", bearer));
            let left = self.cursor.left();
            match self.parse_statement() {
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

    /// Refuses `struct B { .. }` after the first struct. The tokens that belong to it are skipped.
    fn refuse_second_struct(&mut self) -> bool {
        let public = usize::from(self.cursor.peek_word("pub"));
        let public = public
            + usize::from(public > 0 && self.cursor.group_at(1, Delimiter::Parenthesis).is_some());
        let Some(word) = self
            .cursor
            .ident_at(public)
            .filter(|word| *word == "struct")
        else {
            return false;
        };
        let word = word.clone();
        let message = "a second struct: a declaration is one system\n\n\
                       help: write each system in a `lagrangian! { .. }` of its own";
        self.error(&word, Code::NotAStruct, message);
        self.has_lost = true;
        self.lacks_names = true;
        self.skip_all();
        true
    }

    /// The effect of attributes before the next statement.
    fn find_bearer(&self) -> Bearer {
        if self.cursor.peek_word("pub") {
            return Bearer::Item;
        }
        let word = self.cursor.peek_ident();
        match word.and_then(|word| self.find_begun_word(word)) {
            Some(StatementWord::Listing(ListingKind::Export)) => Bearer::Nothing,
            Some(StatementWord::Listing(_) | StatementWord::Symmetry) => Bearer::Documentation,
            _ => Bearer::Nothing,
        }
    }

    /// The next statement. Only a broken `let` of several names yields more than one. After `Err` the position is
    /// unknown.
    fn parse_statement(&mut self) -> Parse<Vec<StatementKind>> {
        self.begin_item();
        self.cursor.open_invisible();
        let visibility = self.parse_visibility();
        if self.cursor.peek_word("let") {
            return self.parse_let_statement(publicity(visibility));
        }
        let word = self.cursor.peek_ident().cloned();
        let begun = word.as_ref().and_then(|word| self.find_begun_word(word));
        let place = place_of_visibility(&visibility);
        if let Some(place) = place.filter(|_| begun != Some(StatementWord::Frame)) {
            if self.cursor.is_empty() || self.cursor.begins_line() {
                self.lacks_names = true;
                return self.fail(
                    place,
                    Code::LineEnds,
                    "expected `let` or `frame` after this",
                );
            }
            if let Some(word) = self.find_misspelt_statement("let") {
                self.fail_misspelt(&word, "let");
                return self.parse_let_statement(publicity(visibility));
            }
            if let Some(word) = self.find_misspelt_statement("frame") {
                self.fail_misspelt(&word, "frame");
                return self.parse_frame(publicity(visibility)).map(one);
            }
            if self.cursor.peek_word("pub") {
                return self.parse_doubled_public(visibility);
            }
            if self.is_public_name() {
                return self.parse_let_without_word(publicity(visibility));
            }
            self.error(
                place,
                Code::MethodPlace,
                "only a `let` or a `frame` can be `pub`\n\nhelp: remove `pub`",
            );
        }
        let Some(word) = word else {
            return self.fail_at_no_statement();
        };
        let text = word.to_string();
        if text == "for" {
            return self.parse_for_loop().map(one);
        }
        if is_rust_keyword(&text) {
            return self.refuse_rust_statement(&word);
        }
        if let Some(term) = keywords::energy(&text) {
            return self.parse_energy(term).map(one);
        }
        if text == "Q" {
            return self.parse_generalized_force().map(one);
        }
        if self.begins_rate() {
            return self.parse_rate().map(one);
        }
        match begun {
            Some(kind) => self.parse_begun_by(kind, visibility).map(one),
            None if self.is_assigned() => self.assign().map(one),
            None => self.parse_unknown_statement(&word),
        }
    }

    /// `pub pub let n = e;`
    fn parse_doubled_public(&mut self, visibility: Visibility) -> Parse<Vec<StatementKind>> {
        let place = self.cursor.next_place();
        while self.cursor.take_word("pub").is_some() {}
        self.error(
            place,
            Code::Doubled,
            "`pub` is here twice\n\nhelp: remove one of them",
        );
        if self.cursor.take_word("frame").is_some() {
            return self.parse_frame(publicity(visibility)).map(one);
        }
        self.parse_let_statement(publicity(visibility))
    }

    /// True if a name and its value follow `pub`, or follow `pub` and one wrong token.
    fn is_public_name(&self) -> bool {
        let is_name = |ahead| {
            let name = self.cursor.ident_at(ahead);
            name.is_some_and(|name| !is_kept(&name.to_string()) && !self.is_declared(name))
                && matches!(self.cursor.operator_at(ahead + 1), Some("=" | ":"))
        };
        is_name(0) || is_name(1)
    }

    /// `pub n = e;`, `pub const n = e;`
    fn parse_let_without_word(&mut self, public: Option<Visibility>) -> Parse<Vec<StatementKind>> {
        let place = self.cursor.next_place();
        let found = self.cursor.found();
        let is_name = matches!(self.cursor.operator_at(1), Some("=" | ":"));
        if !is_name {
            self.cursor.advance();
        }
        let name = self
            .cursor
            .peek_ident()
            .map(ToString::to_string)
            .unwrap_or_else(|| "n".to_owned());
        self.error(
            place,
            Code::MethodPlace,
            format!(
                "expected `let` or `frame`, found {found}\n\nhelp: write `pub let {name} = ..;`"
            ),
        );
        self.parse_let_behind_keyword(public, false)
    }

    /// The kind of statement that the next word begins. `None` if the word is the target of an assignment.
    fn find_begun_word(&self, word: &Ident) -> Option<StatementWord> {
        let kind = keywords::statement(&word.to_string());
        kind.filter(|_| !(self.is_assigned() && self.is_declared(word)))
    }

    pub(super) fn is_assigned(&self) -> bool {
        self.cursor.operator_at(1).is_some_and(is_assignment)
    }

    fn parse_begun_by(
        &mut self,
        kind: StatementWord,
        visibility: Visibility,
    ) -> Parse<StatementKind> {
        match self.cursor.take_ident() {
            Some(keyword) => self.parse_behind_keyword(kind, keyword, visibility),
            None => self.fail_found("a statement"),
        }
    }

    pub(super) fn parse_behind_keyword(
        &mut self,
        kind: StatementWord,
        keyword: Ident,
        visibility: Visibility,
    ) -> Parse<StatementKind> {
        self.refuse_doubled(&keyword);
        match kind {
            StatementWord::Force => Ok(self.parse_force(keyword)),
            StatementWord::Torque => Ok(self.parse_torque(keyword)),
            StatementWord::Gravity => Ok(self.parse_gravity(keyword)),
            StatementWord::Constraint(kind) => self.parse_constraint(keyword, kind),
            StatementWord::Contact => Ok(self.parse_contact(keyword)),
            StatementWord::Frame => self.parse_frame(publicity(visibility)),
            StatementWord::Block(kind) => self.parse_block(keyword, kind),
            StatementWord::Listing(kind) => self.parse_listing(keyword, kind),
            StatementWord::Symmetry => Ok(self.parse_symmetry(keyword)),
            StatementWord::Place => self.parse_place(keyword),
        }
    }
}

/// True if the language reserves the word for something other than a `let`.
pub(super) fn is_kept(word: &str) -> bool {
    keywords::energy(word).is_some() || ["Q", "der", "pi", "world"].contains(&word)
}

/// `==` is included, because people type it for `=`.
pub(super) fn is_assignment(operator: &str) -> bool {
    operator == "==" || assignment(operator).is_some()
}

pub(super) fn one(kind: StatementKind) -> Vec<StatementKind> {
    vec![kind]
}

/// Appends each statement with the attributes before it.
fn add(statements: &mut Vec<Statement>, attributes: Vec<Attribute>, kinds: Vec<StatementKind>) {
    for mut kind in kinds {
        let attributes = attributes.clone();
        if let StatementKind::For { body, .. } = &mut kind {
            inherit(body, &levels(&attributes));
        }
        statements.push(Statement { attributes, kind });
    }
}

/// Lint levels before a loop apply to the statements in the loop.
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

/// `None` for private visibility.
fn publicity(visibility: Visibility) -> Option<Visibility> {
    match visibility {
        Visibility::Inherited => None,
        written => Some(written),
    }
}
