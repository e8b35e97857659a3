//! Scopes of declarations, determined from the text alone.

use std::collections::HashMap;

use proc_macro2::Ident;

use super::ast::{Expr, Statement, StatementKind, text};

/// For each name, the numbers of the visible declarations. The last one shadows the others.
#[derive(Default)]
pub(crate) struct Sight(HashMap<String, Vec<usize>>);

impl Sight {
    pub(crate) fn declare(&mut self, name: &Ident, declaration: usize) {
        self.0.entry(text(name)).or_default().push(declaration);
    }

    pub(crate) fn hide(&mut self, name: &Ident) {
        if let Some(in_sight) = self.0.get_mut(&text(name)) {
            in_sight.pop();
        }
    }

    pub(crate) fn find(&self, name: &Ident) -> Option<usize> {
        self.0.get(&text(name))?.last().copied()
    }

    /// The same for functions, which have a namespace of their own.
    pub(crate) fn declare_function(&mut self, name: &Ident, declaration: usize) {
        self.0.entry(called(name)).or_default().push(declaration);
    }

    pub(crate) fn find_function(&self, name: &Ident) -> Option<usize> {
        self.0.get(&called(name))?.last().copied()
    }

    /// The same for actuators. They have a namespace of their own and stay visible after a loop.
    pub(crate) fn declare_actuator(&mut self, name: &Ident, declaration: usize) {
        self.0.entry(turned(name)).or_default().push(declaration);
    }

    /// The actuator that an expression with this base and field reads: `a.angle`, `a[i].angle`.
    pub(crate) fn find_actuator(&self, base: &Expr, field: &Ident) -> Option<(Ident, usize)> {
        let (name, _) = base.indexed()?;
        let actuator = self.find_actuator_of(name).filter(|_| field == "angle")?;
        Some((name.clone(), actuator))
    }

    pub(crate) fn find_actuator_of(&self, name: &Ident) -> Option<usize> {
        self.0.get(&turned(name))?.last().copied()
    }

    /// Ends the scope of the loop variable and of the declarations in the body of the loop.
    pub(crate) fn end_loop(&mut self, variable: &Ident, body: &[Statement]) {
        for statement in body.iter().rev() {
            match &statement.kind {
                StatementKind::Let { name, .. } | StatementKind::Frame { name, .. } => {
                    self.hide(name);
                }
                StatementKind::Function(function) => {
                    if let Some(in_sight) = self.0.get_mut(&called(&function.name)) {
                        in_sight.pop();
                    }
                }
                _ => {}
            }
        }
        self.hide(variable);
    }
}

/// The key of a function. No value has this key.
pub(crate) fn called(name: &Ident) -> String {
    text(name) + "()"
}

/// The key of an actuator.
fn turned(name: &Ident) -> String {
    text(name) + ".angle"
}

/// True if the first argument of a method is the letter of an axis, even if something else has that name.
pub(crate) fn names_an_axis(function: &Ident, arguments: &[Expr]) -> bool {
    let first = arguments.first();
    text(function) == "rotate" && first.is_some_and(Expr::is_axis)
}
