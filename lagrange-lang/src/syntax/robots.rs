//! Robots: `arm: robot = "path" { option: value, .. }`, and `place arm at F;`.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenTree};

use super::ast::{RobotDef, RobotOption, RobotOptionKind, RobotPart, StatementKind, text};
use super::head::place_of_group;
use super::mechanics::write_help;
use super::parser::{Parse, Parser, Reported};
use crate::errors::{Code, SpanRange};
use crate::suggest;
use crate::suggest::foreign::OPTIONS_OF_ROBOT;

/// The options and the form of each.
const OPTIONS: [(&str, &str); 5] = [
    ("base", "`base: free`, or nothing for a fixed base"),
    ("lock", "`lock: { finger: 0.04 }`"),
    ("parameters", "`parameters: [hand]`"),
    ("friction", "`friction: smooth(0.01)` or `friction: ignore`"),
    ("inertia", "`inertia: as_given`"),
];

/// The text of a string literal.
pub(super) fn string(literal: &Literal) -> Option<String> {
    let written = literal.to_string();
    if !written.starts_with(['"', 'r']) {
        return None;
    }
    syn::parse_str::<syn::LitStr>(&written)
        .ok()
        .filter(|literal| literal.suffix().is_empty())
        .map(|literal| literal.value())
}

impl Parser<'_> {
    /// `= "path"` and the options after it.
    pub(super) fn parse_robot_file(&mut self, names: &[Ident]) -> Parse<RobotDef> {
        let name = names.last().map(text).unwrap_or_default();
        let help = format!("\n\nhelp: write `{name}: robot = \"models/{name}.urdf\"`");
        let mut robot = RobotDef::default();
        if self.cursor.take_operator("=").is_none() {
            let place = self.cursor.previous_span();
            return self.fail(
                place,
                Code::RobotOption,
                format!("a robot has a file{help}"),
            );
        }
        self.cursor.open_invisible();
        let literal = self.cursor.literal_at(0).cloned();
        let Some((literal, path)) = literal.and_then(|l| Some((l.clone(), string(&l)?))) else {
            let (place, found) = (self.cursor.next_place(), self.cursor.found());
            return self.fail(
                place,
                Code::RobotOption,
                format!("the file of a robot is a string, found {found}{help}"),
            );
        };
        self.cursor.advance();
        robot.path = Some((path, literal.span()));
        if let Some(group) = self.cursor.take_group(Delimiter::Brace) {
            robot.options = self.parse_inside(&group, Parser::parse_robot_options)?;
        } else if let Some(TokenTree::Group(group)) = self.cursor.peek() {
            let place = place_of_group(group);
            self.cursor.advance();
            let message = format!(
                "unexpected brackets after the file of a robot\n\nhelp: {OPTIONS_OF_ROBOT}"
            );
            self.error(place, Code::RobotOption, message);
        }
        Ok(robot)
    }

    fn parse_robot_options(&mut self) -> Vec<RobotOption> {
        let mut options: Vec<RobotOption> = Vec::new();
        while !self.cursor.is_empty() {
            let left = self.cursor.left();
            if let Ok(option) = self.parse_robot_option() {
                if options.iter().any(|other| other.keyword == option.keyword) {
                    let message = format!(
                        "`{}` is given twice\n\nhelp: remove one of them",
                        option.keyword
                    );
                    self.error(&option.keyword, Code::RobotOption, message);
                } else {
                    options.push(option);
                }
            }
            if self.cursor.left() == left {
                self.cursor.advance();
            }
            if !self.cursor.is_empty() && self.cursor.take_operator(",").is_none() {
                self.report_found(Code::MissingMark, "`,`", "\n\nhelp: write `,`");
                self.skip_to_comma();
                self.cursor.take_operator(",");
            }
        }
        options
    }

    fn parse_robot_option(&mut self) -> Parse<RobotOption> {
        let keyword = self.parse_name_here("an option of the robot")?;
        let written = text(&keyword);
        let Some((_, form)) = OPTIONS.iter().find(|(option, _)| *option == written) else {
            let options = OPTIONS.iter().map(|(option, _)| *option);
            let help = suggest::help_or_list(&written, options);
            self.skip_to_comma();
            return self.fail(
                &keyword,
                Code::RobotOption,
                format!("a robot has no option `{written}`{help}"),
            );
        };
        let mut wrong = (SpanRange::from(&keyword), "no value".to_owned());
        let kind = match self.cursor.take_operator(":") {
            Some(_) => {
                if !self.cursor.is_empty() {
                    wrong = (self.cursor.next_place(), self.cursor.found());
                }
                self.parse_robot_option_value(&written)
            }
            None => Ok(None),
        };
        match kind {
            Ok(Some(kind)) => Ok(RobotOption { keyword, kind }),
            Ok(None) => {
                self.skip_to_comma();
                let (place, found) = wrong;
                let message =
                    format!("`{written}` has another form, found {found}\n\nhelp: write {form}");
                self.fail(place, Code::RobotOption, message)
            }
            Err(Reported) => {
                self.skip_to_comma();
                Err(Reported)
            }
        }
    }

    /// Returns `Ok(None)` if the value has a different form.
    fn parse_robot_option_value(&mut self, option: &str) -> Parse<Option<RobotOptionKind>> {
        Ok(match option {
            "base" => {
                let free = self.cursor.take_word("free");
                free.map(|_| RobotOptionKind::FreeBase)
            }
            "inertia" => {
                let keyword = self.cursor.take_word("as_given");
                keyword.map(|_| RobotOptionKind::InertiaAsGiven)
            }
            "friction" if self.cursor.take_word("ignore").is_some() => {
                Some(RobotOptionKind::Friction(None))
            }
            "friction" if self.cursor.peek_word("smooth") => {
                self.cursor.advance();
                let Some(group) = self.cursor.take_group(Delimiter::Parenthesis) else {
                    return Ok(None);
                };
                let width = self.parse_inside(&group, Parser::parse_expression)?;
                Some(RobotOptionKind::Friction(Some(width?)))
            }
            "lock" => match self.cursor.take_group(Delimiter::Brace) {
                Some(group) => Some(RobotOptionKind::Lock(
                    self.parse_inside(&group, Parser::parse_locks)??,
                )),
                None => None,
            },
            "parameters" => match self.cursor.take_group(Delimiter::Bracket) {
                Some(group) => Some(RobotOptionKind::Parameters(
                    self.parse_inside(&group, Parser::parse_parts_of_robot)??,
                )),
                None => None,
            },
            _ => None,
        })
    }

    /// `finger: 0.04, "left finger": 0`
    fn parse_locks(&mut self) -> Parse<Vec<(RobotPart, super::ast::Expr)>> {
        let mut locks = Vec::new();
        while !self.cursor.is_empty() {
            let part = self.parse_part_of_robot("the name of a joint")?;
            if self.cursor.take_operator(":").is_none() {
                let message = format!(
                    "a joint is locked at a value\n\nhelp: write `{}: 0`",
                    part.name
                );
                return self.fail(part.span, Code::RobotOption, message);
            }
            locks.push((part, self.parse_expression()?));
            self.end_part()?;
        }
        Ok(locks)
    }

    fn parse_parts_of_robot(&mut self) -> Parse<Vec<RobotPart>> {
        let mut parts = Vec::new();
        while !self.cursor.is_empty() {
            parts.push(self.parse_part_of_robot("the name of a link")?);
            self.end_part()?;
        }
        Ok(parts)
    }

    fn end_part(&mut self) -> Parse<()> {
        if self.cursor.take_operator(",").is_none() && !self.cursor.is_empty() {
            return self.fail_found_as(Code::MissingMark, "`,`", "\n\nhelp: write `,`");
        }
        Ok(())
    }

    /// An identifier or a string.
    fn parse_part_of_robot(&mut self, what: &str) -> Parse<RobotPart> {
        self.cursor.open_invisible();
        if let Some(literal) = self.cursor.literal_at(0).cloned()
            && let Some(name) = string(&literal)
        {
            self.cursor.advance();
            let span = literal.span();
            return Ok(RobotPart { name, span });
        }
        let name = self.parse_name_here(what)?;
        Ok(RobotPart {
            name: text(&name),
            span: name.span(),
        })
    }

    /// `place arm at F;`
    pub(super) fn parse_place(&mut self, keyword: Ident) -> Parse<StatementKind> {
        let start = self.cursor.span();
        let robot = self.parse_name("the name of a robot")?;
        if self.cursor.take_word("at").is_none() {
            return self.fail_found_as(Code::Unexpected, "`at`", &write_help(&keyword));
        }
        let frame = match self.parse_expression() {
            Ok(frame) => self.end_value(frame),
            Err(Reported) => {
                self.skip_statement();
                self.make_error_expression(start)
            }
        };
        Ok(StatementKind::Place {
            keyword,
            robot,
            frame,
        })
    }

    /// `arm.hand` in a regressor or sensitivity: the ten inertial parameters of that link, `arm_hand`. Indices after the
    /// name of the link are left.
    pub(super) fn parse_parameters_of_link(&mut self, robot: Ident) -> Parse<Ident> {
        let mut names = vec![text(&robot)];
        loop {
            if self.cursor.take_operator(".").is_some() {
                names.push(text(&self.parse_name("the name of a link")?));
            } else if let Some(group) = self.cursor.group_at(0, Delimiter::Bracket).cloned()
                && (names_a_part(&group) || names.len() < 2 || names[1..] == ["link"])
            {
                self.cursor.advance();
                names.push(self.parse_name_in_brackets(&group)?);
            } else {
                break;
            }
        }
        if names.len() > 2 && names[1] == "link" {
            names.remove(1);
        }
        Ok(Ident::new(&field_of(&names), robot.span()))
    }

    fn parse_name_in_brackets(&mut self, group: &Group) -> Parse<String> {
        if !names_a_part(group) {
            return self.fail(
                place_of_group(group),
                Code::RobotOption,
                "the name of a link is a string in brackets\n\nhelp: write `[\"left hand\"]`",
            );
        }
        let part = self.parse_inside(group, |inner| {
            inner.parse_part_of_robot("the name of a link")
        })??;
        Ok(part.name)
    }
}

/// True if brackets begin with a string or an identifier, and not with an index.
fn names_a_part(group: &Group) -> bool {
    match group.stream().into_iter().next() {
        Some(TokenTree::Literal(literal)) => string(&literal).is_some(),
        Some(TokenTree::Ident(_) | TokenTree::Group(_)) => true,
        _ => false,
    }
}

/// The name of the parameter field: `arm_left_hand` for the link `left hand`.
pub(crate) fn field_of(names: &[String]) -> String {
    let joined = names.join("_");
    let letter = |c: char| {
        if c == '_' || c.is_alphanumeric() {
            c
        } else {
            '_'
        }
    };
    joined.chars().map(letter).collect()
}
