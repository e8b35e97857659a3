//! Which declarations are in sight, by the text alone.

use std::collections::HashMap;

use proc_macro2::Ident;

use super::ast::{Expr, Statement, StatementKind, text};

/// The declarations in sight of each name, by their numbers: the one that hides the others last.
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

    /// The same for functions, which live apart from values.
    pub(crate) fn declare_function(&mut self, name: &Ident, declaration: usize) {
        self.0.entry(called(name)).or_default().push(declaration);
    }

    pub(crate) fn find_function(&self, name: &Ident) -> Option<usize> {
        self.0.get(&called(name))?.last().copied()
    }

    /// The same for actuators, which live apart too and do not end with a loop.
    pub(crate) fn declare_actuator(&mut self, name: &Ident, declaration: usize) {
        self.0.entry(turned(name)).or_default().push(declaration);
    }

    /// The actuator whose motor an expression of this base and field reads: `a.angle`, `a[i].angle`.
    pub(crate) fn find_actuator(&self, base: &Expr, field: &Ident) -> Option<(Ident, usize)> {
        let (name, _) = base.indexed()?;
        let actuator = self.find_actuator_of(name).filter(|_| field == "angle")?;
        Some((name.clone(), actuator))
    }

    pub(crate) fn find_actuator_of(&self, name: &Ident) -> Option<usize> {
        self.0.get(&turned(name))?.last().copied()
    }

    /// Ends what the body of a loop declares, and its variable.
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

/// A name as that of a function, which no value has.
pub(crate) fn called(name: &Ident) -> String {
    text(name) + "()"
}

/// A name as that of an actuator.
fn turned(name: &Ident) -> String {
    text(name) + ".angle"
}

/// Whether the first argument of a method is the letter of an axis, whatever else has that name.
pub(crate) fn names_an_axis(function: &Ident, arguments: &[Expr]) -> bool {
    let first = arguments.first();
    text(function) == "rotate" && first.is_some_and(Expr::is_axis)
}
