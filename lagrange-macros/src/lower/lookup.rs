//! Names in expressions: what they stand for, and what may have been meant by one that is unknown.

use lagrange_engine::{Node, NodeId, Symbol};
use proc_macro2::Ident;

use super::derivative::NO_ACCELERATION;
use super::evaluator::{Evaluator, Source};
use super::expression::NOT_YET;
use super::functions;
use super::scope::{BindingKind, text};
use super::value::Value;
use crate::suggest;

impl Evaluator<'_> {
    pub(super) fn name(&mut self, name: &Ident) -> Option<Value> {
        let written = text(name);
        let Some(binding) = self.scope.find_mut(name) else {
            return self.undeclared(name, &written);
        };
        binding.read = true;
        let source = match binding.kind {
            BindingKind::Let { .. } => Source::Let(written),
            _ => Source::Declared(written),
        };
        let value = binding.value.clone()?;
        self.afford(name, value.entries.len())?;
        self.mention(name.span(), source, &value);
        Some(value)
    }

    /// `θ̇` and its like: the velocity of a coordinate.
    pub(super) fn dotted(&mut self, name: &Ident, dots: u8) -> Option<Value> {
        let written = text(name);
        let Some(binding) = self.scope.find_mut(name) else {
            let is_coordinate = |kind| matches!(kind, BindingKind::Coordinate(_));
            let candidates = self.scope.names(is_coordinate);
            return self.unknown(name, &written, &candidates);
        };
        binding.read = true;
        let kind = binding.kind;
        let coordinates = binding.value.clone()?;
        if !matches!(kind, BindingKind::Coordinate(_)) {
            let is = kind.in_words();
            let help = match kind {
                BindingKind::Let { .. } => format!("\n\nhelp: write `der({written})`"),
                _ => String::new(),
            };
            let message =
                format!("a dot makes the velocity of a coordinate, but `{written}` is {is}{help}");
            return self.refuse(name, message);
        }
        if dots > 1 {
            let message =
                format!("acceleration: more than one dot above `{written}`\n\n{NO_ACCELERATION}");
            return self.refuse(name, message);
        }
        let velocities = coordinates.map(|entry| self.rate_of(entry));
        self.mention(name.span(), Source::Declared(written), &velocities);
        Some(velocities)
    }

    fn rate_of(&mut self, coordinate: NodeId) -> NodeId {
        match *self.graph.node(coordinate) {
            Node::Symbol(Symbol::Coordinate(i)) => self.graph.symbol(Symbol::Velocity(i)),
            _ => self.graph.integer(0),
        }
    }

    /// A name that was not declared, or that the language keeps for itself.
    fn undeclared(&mut self, name: &Ident, written: &str) -> Option<Value> {
        match written {
            "pi" => return Some(Value::scalar(self.graph.pi())),
            "T" | "V" | "L" | "D" | "Q" => {
                let message = format!(
                    "`{written}` cannot be read\n\n\
                     help: name the expression with `let` and use that name in both places"
                );
                return self.refuse(name, message);
            }
            "world" => {
                self.complete = false;
                return self.refuse(name, format!("`world` is {NOT_YET}"));
            }
            _ => {}
        }
        if functions::function(written).is_some() {
            let message = format!("`{written}` is a function\n\nhelp: write `{written}(..)`");
            return self.refuse(name, message);
        }
        let mut candidates = self.scope.names(|_| true);
        candidates.push("pi".to_owned());
        self.unknown(name, written, &candidates)
    }

    /// Names the nearest declared name. A name without one lacks its declaration, which is one
    /// mistake however often it is used.
    fn unknown(&mut self, name: &Ident, written: &str, candidates: &[String]) -> Option<Value> {
        self.complete = false;
        if self.is_declared_later(written) {
            let message = format!(
                "`{written}` is used before its declaration\n\nhelp: move its `let` up to before this"
            );
            return self.refuse(name, message);
        }
        let candidates = candidates.iter().map(String::as_str);
        let nearest = suggest::nearest(written, candidates.clone());
        if nearest.is_none() {
            self.scope.declare_mistaken(name);
        }
        let help = match written {
            "t" | "time" if nearest.is_none() && self.names.time.is_none() => {
                format!("\n\nhelp: explicit time is a field: `{written}: time`")
            }
            _ => suggest::help(written, candidates),
        };
        self.refuse(name, format!("unknown name `{written}`{help}"))
    }
}
