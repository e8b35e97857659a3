//! The stages in order, with a gate after those that find mistakes.

use lagrange_engine::Dynamics;
use proc_macro2::TokenStream;

use crate::check::Findings;
use crate::emit::signature::Layout;
use crate::emit::{Skeleton, StubOutput, emit, fallback, guess};
use crate::errors::Errors;
use crate::model::{ConstraintItem, Head, Model};
use crate::syntax::ast::{ConstraintKind, EnergyTerm, Statement, StatementKind, SystemDef, text};
use crate::tables::{OutputEntry, Tables};
use crate::{check, lower, syntax};

/// The whole macro: a declaration to items, or to errors and a stub of these items.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    match read(tokens, &mut errors) {
        None => errors.into_compile_errors(),
        Some((_, Ok((model, dynamics)))) => emit(&model, &dynamics),
        Some((definition, Err(known))) => stub(&definition, &known, errors),
    }
}

/// What a declaration says. `None` without a name.
///
/// Where names are used in another role than the one that the next line gives them, the field was perhaps
/// not finished: the reading with fewer mistakes counts.
pub(crate) fn read(
    tokens: TokenStream,
    errors: &mut Errors,
) -> Option<(SystemDef, Result<(Model, Dynamics), Known>)> {
    let definition = syntax::parse(tokens.clone(), errors)?;
    let understood = understand(&definition, errors);
    let is_doubtful = match &understood {
        Ok(_) => false,
        Err(known) => {
            let mut carried = definition.carried.iter();
            carried.any(|name| known.tables.misused.contains(&text(name)))
        }
    };
    if is_doubtful {
        let mut others = Errors::default();
        let by_lines = syntax::parse_by_lines(tokens, &mut others);
        let by_lines = by_lines.map(|other| (understand(&other, &mut others), other));
        if let Some((understood, definition)) = by_lines {
            if others.count() < errors.count() {
                *errors = others;
                return Some((definition, understood));
            }
        }
    }
    Some((definition, understood))
}

/// What is known of a declaration with mistakes.
pub(crate) struct Known {
    pub(crate) head: Head,
    pub(crate) tables: Tables,
}

/// What a declaration says, with a gate after each stage that finds mistakes.
fn understand(
    definition: &SystemDef,
    errors: &mut Errors,
) -> Result<(Model, Dynamics), Known> {
    let (head, declarations) = lower::head(definition, errors);
    let (mut system, tables) = lower::lower(definition, &head, declarations, errors);
    let findings = check::check(&mut system, &tables, &head, errors);
    if !errors.is_empty() {
        return Err(Known { head, tables });
    }
    let dynamics = Dynamics::new(system);
    check::inertia(&dynamics, &tables, &head, errors);
    if !errors.is_empty() {
        return Err(Known { head, tables });
    }
    Ok((model(head, tables, findings), dynamics))
}

/// What the items need of a declaration without mistakes.
fn model(head: Head, tables: Tables, findings: Findings) -> Model {
    let constraints = tables.constraints.into_iter().zip(findings.integrable);
    Model {
        head,
        outputs: tables.outputs.into_iter().map(|o| o.item).collect(),
        constraints: constraints
            .map(|(entry, integrable)| ConstraintItem {
                integrable,
                ..entry.item
            })
            .collect(),
        unused: tables.unused,
        warnings: tables.warnings.into_iter().chain(findings.warnings).collect(),
    }
}

/// The errors, and what keeps every use of the system from being another one.
fn stub(definition: &SystemDef, known: &Known, errors: Errors) -> TokenStream {
    let Known { head, tables } = known;
    let items = || tables.constraints.iter().map(|entry| &entry.item);
    let holonomic = items().filter(|item| item.kind == ConstraintKind::Holonomic);
    let layout = Layout {
        coordinates: head.coordinate_count(),
        velocities: head.velocity_count(),
        inputs: head.input_count(),
        constraints: items().map(|item| item.rows).sum(),
        holonomic: holonomic.map(|item| item.rows).sum(),
        time: head.time.is_some(),
        by_lagrangian: has_lagrangian(&definition.statements),
    };
    let guessed = guess::shapes(definition, head);
    let known = tables
        .outputs
        .iter()
        .filter_map(|OutputEntry { item, shape }| {
            let guess = guessed.get(&text(&item.name));
            let shape = shape.or(guess.copied())?;
            Some(StubOutput { item, shape })
        });
    let outputs: Vec<StubOutput> = known.collect();
    let mut tokens = errors.into_compile_errors();
    tokens.extend(fallback(&Skeleton::new(head, layout), &outputs));
    tokens
}

fn has_lagrangian(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Energy { term, .. } => *term == EnergyTerm::Lagrangian,
        StatementKind::For { body, .. } => has_lagrangian(body),
        _ => false,
    })
}
