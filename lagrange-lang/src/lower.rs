//! Lowering: declares the head, then evaluates the statements in order into one expression graph.
//!
//! ```text
//! let definition = syntax::parse(tokens, &mut errors)?;
//! let (mut head, declarations) = lower::head(&definition, &mut errors);
//! let (mut system, tables) = lower::lower(&definition, &mut head, declarations, &mut errors);
//! let findings = check::check(&mut system, &tables, &head, &mut errors);
//! ```
//!
//! A mistake is reported at the place where it is found. Its value is `None` from then on, so that uses of the
//! value report nothing again. Evaluation continues with the next part. The system omits parts with mistakes. The
//! tables still list these parts, as far as they are known, for the checks and for a stub. [`crate::check`] finds
//! mistakes that concern several statements together.

mod access;
mod algebra;
mod blocks;
mod bodies;
mod budget;
mod budget_checks;
mod calls;
mod constraints;
mod contacts;
mod data;
mod dependence_errors;
mod derivative;
mod energies;
mod energy;
mod evaluator;
mod expression;
mod forces;
mod frames;
mod functions;
mod head;
mod known_functions;
mod listed;
mod listings;
mod lookup;
mod loops;
mod lowering;
pub(crate) mod multipliers;
mod names;
mod outputs;
mod own_functions;
mod quoted;
mod rates;
mod reads;
pub(crate) mod robots;
mod scope;
mod state_rates;
mod statements;
mod torque;
mod units;
mod value;
mod vectors;
mod warnings;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use lagrange_engine::System;

use crate::errors::Errors;
use crate::model::Head;
use crate::syntax::ast::{Statement, StatementKind, SystemDef};
use crate::tables::Tables;
use crate::units::Facts;
use evaluator::Declarations;
pub(crate) use head::head;
use lowering::Lowering;
pub(crate) use value::in_words;

/// Evaluates the statements of `definition`. Statements that declare coordinates add them to the head.
pub(crate) fn lower<'e>(
    definition: &'e SystemDef,
    head: &mut Head,
    declarations: Declarations,
    errors: &'e mut Errors,
) -> (System, Tables) {
    let reads = reads::of_outputs(definition, head);
    let mut lowering = Lowering::new(head, declarations, reads, errors);
    let system = lowering.evaluate_system(definition);
    head.coordinates.append(&mut lowering.coordinates);
    head.files.clone_from(&lowering.evaluator.files);
    let mut tables = lowering.into_tables(head);
    let is_mutable = |statement: &Statement| {
        matches!(
            statement.kind,
            StatementKind::Let { mutable: true, .. } | StatementKind::Frame { mutable: true, .. }
        )
    };
    let known = &mut tables.known;
    known.items = !definition.lacks_names && !definition.has_lost;
    // A statement that could not be parsed may have changed a value that others read.
    known.to_the_end &= !(definition.has_lost && definition.statements.iter().any(is_mutable));
    (system, tables)
}

/// Evaluates a declaration without mistakes again, for its units: numbers that may have a unit are symbols. There are no
/// errors but those of a number that only a constant could be.
pub(crate) fn lower_for_units<'e>(
    definition: &'e SystemDef,
    errors: &'e mut Errors,
) -> (Head, System, Facts) {
    let (mut head, declarations) = head(definition, errors);
    let mut lowering = Lowering::new(&head, declarations, HashMap::new(), errors);
    lowering.evaluator.facts = Some(Facts::default());
    let system = lowering.evaluate_system(definition);
    let facts = lowering.evaluator.facts.take().unwrap_or_default();
    head.coordinates.append(&mut lowering.coordinates);
    (head, system, facts)
}
