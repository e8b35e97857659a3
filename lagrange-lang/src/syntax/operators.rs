//! Operators that are not part of the language, and their replacements.

use super::keywords::comparison;
use super::parser::{Parse, Parser};
use crate::errors::Code;

impl Parser<'_> {
    /// Fails at an operator that no expression has, and suggests a replacement. The caller handles operators that
    /// separate things.
    pub(super) fn refuse_operator(&mut self) -> Parse<()> {
        self.refuse_foreign_operator()?;
        let Some(operator) = self.cursor.operator() else {
            return Ok(());
        };
        let (code, message) = match operator {
            "," | ";" | ":" | "=" | "+=" | "-=" | "*=" | "/=" | "#" | "." => return Ok(()),
            ".." | "..=" | "..." => (
                Code::RangeForm,
                "a range is allowed only in `for`, `sum` and an index".to_owned(),
            ),
            "&&" | "||" => (
                Code::Condition,
                format!(
                    "`{operator}` cannot join conditions\n\n\
                     help: put one `if` into a branch of another"
                ),
            ),
            "::" => (
                Code::RustForm,
                "paths are not part of the language\n\n\
                 help: functions are called by their names alone, and the constant is `pi`"
                    .to_owned(),
            ),
            "=>" => (
                Code::ForeignOperator,
                "`=>` is not an operator of the language\n\nhelp: write `>=`".to_owned(),
            ),
            _ if comparison(operator).is_some() => {
                self.refuse_question_mark()?;
                (
                    Code::Condition,
                    "a comparison is allowed only in the condition of an `if`".to_owned(),
                )
            }
            _ => (Code::ForeignOperator, explain_no_such_operator(operator)),
        };
        let place = self.cursor.next_place();
        self.fail(place, code, message)
    }
}

pub(super) fn explain_no_such_operator(operator: &str) -> String {
    let help = match operator {
        "|" | "||" => "the size of a number is `abs(x)`, the length of a vector `norm(v)`",
        "&" => "values are not borrowed",
        "%" => "a remainder is not part of the language, a comment begins with `//`",
        _ => "the operators are `+`, `-`, `*`, `/` and `^`",
    };
    format!("`{operator}` is not an operator of the language\n\nhelp: {help}")
}
