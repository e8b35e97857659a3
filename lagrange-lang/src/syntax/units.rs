//! Labels with units: `[kg*m^2/s]` after a role or a number.

use lagrange_engine::Number;
use proc_macro2::{Delimiter, Group, TokenTree};

use super::head::place_of_group;
use super::parser::{Parse, Parser};
use crate::errors::{Code, SpanRange};
use crate::units::{Label, Unit};

/// Returns whether the brackets hold a unit: a name among their tokens. Brackets with numbers alone hold a size, and so do
/// those with sums and commas, which no unit has.
pub(super) fn is_label(group: &Group) -> bool {
    is_label_within(group, MOST_GROUPS)
}

/// The most parentheses in each other of a unit.
const MOST_GROUPS: usize = 8;

fn is_label_within(group: &Group, levels: usize) -> bool {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let is_name = |token: &TokenTree| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Group(inner) if levels > 0 => is_label_within(inner, levels - 1),
        _ => false,
    };
    let is_of_size = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => matches!(punct.as_char(), '+' | ',' | '.' | ':'),
        _ => false,
    };
    tokens.iter().any(is_name) && !tokens.iter().any(is_of_size)
}

impl Parser<'_> {
    /// The label in the next brackets, if these hold a unit.
    pub(super) fn take_label(&mut self) -> Parse<Option<Box<Label>>> {
        match self.cursor.group_at(0, Delimiter::Bracket) {
            Some(group) if is_label(group) => {}
            _ => return Ok(None),
        }
        match self.cursor.take_group(Delimiter::Bracket) {
            Some(group) => self.parse_label(&group).map(|label| Some(Box::new(label))),
            None => Ok(None),
        }
    }

    fn parse_label(&mut self, group: &Group) -> Parse<Label> {
        self.has_labels = true;
        let (unit, text) = self.parse_inside(group, Self::parse_unit_product)??;
        Ok(Label {
            unit,
            text,
            place: place_of_group(group),
        })
    }

    /// `kg*m^2/s`, up to the end of the group.
    fn parse_unit_product(&mut self) -> Parse<(Unit, String)> {
        let mut unit = Unit::ONE;
        let mut text = String::new();
        let mut sign = Number::ONE;
        loop {
            let (factor, written) = self.parse_unit_factor()?;
            let place = self.cursor.previous_span();
            let Some(product) = unit.times(&factor, sign) else {
                return self.fail(place, Code::UnitForm, "the exponent is out of range");
            };
            unit = product;
            text += &written;
            if self.cursor.is_empty() {
                return Ok((unit, text));
            }
            sign = if self.cursor.take_operator("*").is_some() {
                text.push('*');
                Number::ONE
            } else if self.cursor.take_operator("/").is_some() {
                text.push('/');
                Number::MINUS_ONE
            } else {
                let message = format!(
                    "expected `*` or `/` between two units, found {}",
                    self.cursor.found()
                );
                return self.fail(self.cursor.next_place(), Code::UnitForm, message);
            };
        }
    }

    /// `m`, `m^2`, `(m*s)^(1/2)`, `1`
    fn parse_unit_factor(&mut self) -> Parse<(Unit, String)> {
        let place = self.cursor.next_place();
        let (base, mut text) = if let Some(group) = self.cursor.take_group(Delimiter::Parenthesis) {
            let (unit, text) = self.parse_inside(&group, Self::parse_unit_product)??;
            (unit, format!("({text})"))
        } else if let Some(word) = self.cursor.take_ident() {
            let written = word.to_string();
            match Unit::of_word(&written) {
                Some(unit) => (unit, written),
                None => {
                    let help = Unit::advice(&written);
                    let message = format!("unknown unit `{written}`{help}");
                    return self.fail(&word, Code::UnitForm, message);
                }
            }
        } else if self
            .cursor
            .literal_at(0)
            .is_some_and(|literal| literal.to_string() == "1")
        {
            self.cursor.advance();
            (Unit::ONE, "1".to_owned())
        } else {
            let message = format!(
                "expected a unit, found {}\n\nhelp: a unit is a product of powers, as `kg*m^2/s`",
                self.cursor.found()
            );
            return self.fail(place, Code::UnitForm, message);
        };
        if self.cursor.take_operator("^").is_none() {
            return Ok((base, text));
        }
        let place = self.cursor.next_place();
        let (exponent, written) = match self.cursor.take_group(Delimiter::Parenthesis) {
            Some(group) => {
                let (exponent, text) = self.parse_inside(&group, Self::parse_unit_exponent)??;
                (exponent, format!("({text})"))
            }
            None => self.parse_signed_integer()?,
        };
        text += &format!("^{written}");
        match base.power(exponent) {
            Some(unit) => Ok((unit, text)),
            None => self.fail(place, Code::UnitForm, "the exponent is out of range"),
        }
    }

    /// `3/2`, up to the end of the group.
    fn parse_unit_exponent(&mut self) -> Parse<(Number, String)> {
        let (above, mut text) = self.parse_signed_integer()?;
        if self.cursor.is_empty() {
            return Ok((above, text));
        }
        if self.cursor.take_operator("/").is_none() {
            return self.fail_exponent();
        }
        let place = self.cursor.next_place();
        let (below, written) = self.parse_signed_integer()?;
        if !self.cursor.is_empty() {
            return self.fail_exponent();
        }
        text += &format!("/{written}");
        match below.recip().and_then(|below| above.checked_mul(below)) {
            Some(exponent) => Ok((exponent, text)),
            None => self.fail(place, Code::UnitForm, "division by zero"),
        }
    }

    fn parse_signed_integer(&mut self) -> Parse<(Number, String)> {
        let is_negative = self.cursor.take_operator("-").is_some();
        let number = self
            .cursor
            .literal_at(0)
            .map(ToString::to_string)
            .and_then(|text| text.parse::<u16>().ok());
        let Some(number) = number else {
            return self.fail_exponent();
        };
        self.cursor.advance();
        let number = i64::from(number) * if is_negative { -1 } else { 1 };
        Ok((Number::integer(number), number.to_string()))
    }

    fn fail_exponent<T>(&mut self) -> Parse<T> {
        let place: SpanRange = self.cursor.next_place();
        let message = format!(
            "expected the exponent of a unit, found {}\n\n\
             help: write an integer, or a fraction in parentheses, as `m^(3/2)`",
            self.cursor.found()
        );
        self.fail(place, Code::UnitForm, message)
    }
}
