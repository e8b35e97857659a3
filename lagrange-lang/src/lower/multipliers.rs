//! `multiplier(name)`: the multiplier of a scalar row of a constraint, or the force of a contact.
//!
//! It may occur linearly in `Q`, `force` and `torque`. In the graph it is a [`Symbol::Multiplier`]: rows of constraints
//! are numbered in order of declaration, contacts from [`FIRST_CONTACT`] on.

use lagrange_engine::{Dependence, Graph, NodeId, Symbol};
use proc_macro2::Ident;

use super::evaluator::{Evaluator, Source};
use super::value::Value;
use crate::errors::{Code, SpanRange};
use crate::suggest;
use crate::syntax::ast::{Expr, ExprKind, text};

/// The name of the function.
pub(crate) const FUNCTION: &str = "multiplier";

/// The number of the first contact. No system has so many rows.
pub(crate) const FIRST_CONTACT: u32 = 1 << 20;

/// The advice for every other place.
pub(super) const PLACES: &str = "it may occur in `Q`, `force` and `torque` only, linearly";

impl Evaluator<'_> {
    /// `multiplier(floor)`, `multiplier(post[k])`
    pub(super) fn evaluate_multiplier(&mut self, name: &Ident, argument: &Expr) -> Option<Value> {
        let Some(row) = self.read_row_name(argument) else {
            self.pass_over(argument);
            let message = "the multiplier of a constraint or contact is named by it\n\n\
                           help: write `multiplier(floor)`, or `multiplier(post[0])` for a row of several";
            return self.refuse(argument, Code::Multiplier, message);
        };
        let Some((row, number)) = self.find_row_here(row.clone()) else {
            return self.refuse_row(argument, &row);
        };
        let node = self.graph.symbol(Symbol::Multiplier(number));
        let value = Value::scalar(node);
        self.mention(
            name.span(),
            Source::Declared(format!("multiplier({row})")),
            &value,
        );
        Some(value)
    }

    /// The full name of a row: `floor`, `post[2]`.
    fn read_row_name(&mut self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Name { name, dots: 0 } => Some(text(name)),
            ExprKind::Index { base, indices, .. } => {
                let base = self.read_row_name(base)?;
                let role = "the row of a constraint";
                let indices: Vec<String> = indices
                    .iter()
                    .map(|index| self.evaluate_constant_integer(index, role))
                    .map(|index| Some(index?.to_string()))
                    .collect::<Option<_>>()?;
                Some(format!("{base}[{}]", indices.join(", ")))
            }
            _ => None,
        }
    }

    /// A row and its number. In a loop, a name without an index means the row of this iteration.
    fn find_row_here(&self, row: String) -> Option<(String, u32)> {
        // Outside of loops, the indices are those of entries.
        let indices = match row.ends_with(']') || self.is_outside_of_loops(&row) {
            true => Vec::new(),
            false => self.blocks.subscripts(),
        };
        let row = indices
            .iter()
            .map(|index| format!("{row}{index}"))
            .find(|row| self.multipliers.contains_key(row))
            .unwrap_or(row);
        let number = *self.multipliers.get(&row)?;
        Some((row, number))
    }

    /// The reason why there is no row of this name so far.
    fn refuse_row(&mut self, place: &Expr, row: &str) -> Option<Value> {
        let stem = row.split('[').next().unwrap_or(row).to_owned();
        let rows: Vec<String> = self
            .multipliers
            .keys()
            .filter(|name| name.split('[').next() == Some(&stem))
            .cloned()
            .collect();
        if rows.is_empty() && self.broken_rows.contains(&stem) {
            return None;
        }
        let message = if let Some(first) = rows.iter().min() {
            format!("`{row}` is no single row\n\nhelp: its rows are written `multiplier({first})`")
        } else if let Some(is) = self.find_row_kind(&stem) {
            format!("`{stem}` is a {is} further down\n\nhelp: move this force to a place after it")
        } else {
            let names: Vec<&str> = self.multipliers.keys().map(String::as_str).collect();
            let nearest = suggest::nearest(row, names);
            match nearest {
                Some(nearest) => format!(
                    "no constraint or contact has the name `{row}`\n\nhelp: did you mean `{nearest}`?"
                ),
                None => format!(
                    "no constraint or contact has the name `{row}`\n\n\
                     help: write the name after `holonomic`, `nonholonomic` or `contact`"
                ),
            }
        };
        self.refuse(place, Code::Multiplier, message)
    }

    /// Notes the rows of a constraint, or a contact, so that forces can name them.
    pub(super) fn know_multiplier(&mut self, row: &str, number: u32) {
        self.multipliers.insert(row.to_owned(), number);
    }

    /// Reports a multiplier since `mark` in a value that may contain none.
    pub(super) fn refuse_multipliers(
        &mut self,
        mark: usize,
        entries: &[NodeId],
        place_in_words: &str,
    ) -> Option<()> {
        let value = Value::vector(entries.to_vec());
        let culprit = self
            .find_culprits(&value, Dependence::MULTIPLIER, mark)
            .into_iter()
            .next();
        let Some(culprit) = culprit else {
            return Some(());
        };
        let what = match &culprit.source {
            Source::Let(name) => format!("`{name}` depends on a multiplier, which"),
            Source::Declared(name) => format!("`{name}`"),
            Source::Derivative => "a multiplier".to_owned(),
        };
        let message = format!("{what} may not occur in {place_in_words}\n\nhelp: {PLACES}");
        self.refuse(culprit.place, Code::Multiplier, message)
    }

    /// Reports a multiplier on which a force does not depend linearly.
    pub(super) fn require_linear(&mut self, mark: usize, entries: &[NodeId]) -> Option<()> {
        let value = Value::vector(entries.to_vec());
        if !value
            .dependence(&self.graph)
            .intersects(Dependence::MULTIPLIER)
        {
            return Some(());
        }
        let slopes: Vec<NodeId> = self
            .list_symbols(Dependence::MULTIPLIER)
            .into_iter()
            .flat_map(|symbol| differentiate_by(&mut self.graph, entries, symbol))
            .collect();
        let slopes = Value::vector(slopes);
        if !slopes
            .dependence(&self.graph)
            .intersects(Dependence::MULTIPLIER)
        {
            return Some(());
        }
        let culprits = self.find_culprits(&value, Dependence::MULTIPLIER, mark);
        let place: SpanRange = culprits.first()?.place;
        let message = "a force depends linearly on multipliers: no product of two, and no function or \
                       condition of one\n\n\
                       help: write the multiplier times a factor of positions, velocities and inputs";
        self.refuse(place, Code::Multiplier, message)
    }
}

/// The derivatives of values by a symbol.
pub(super) fn differentiate_by(
    graph: &mut Graph,
    entries: &[NodeId],
    symbol: Symbol,
) -> Vec<NodeId> {
    let one = graph.integer(1);
    graph.directional(entries, &[(symbol, one)])
}
