//! The stages in order, with a gate after those that find mistakes.

use lagrange_engine::{Dynamics, Shape};
use proc_macro2::TokenStream;
use syn::ext::IdentExt;

use crate::emit::signature::Layout;
use crate::emit::{Skeleton, StubOutput, emit, fallback, guess};
use crate::errors::Errors;
use crate::model::{ConstraintItem, Head, OutputItem};
use crate::syntax::ast::{ConstraintKind, EnergyTerm, Statement, StatementKind, SystemDef};
use crate::{check, lower, syntax};

/// The whole macro: a declaration to items, or to errors and a stub of these items.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(definition) = syntax::parse(tokens, &mut errors) else {
        return errors.into_compile_errors();
    };
    let (head, declarations) = check::head(&definition, &mut errors);
    let lowered = lower::lower(&definition, &head, declarations, &mut errors);
    let shapes = lowered.shapes.clone();
    let constraints = ConstraintCounts::of(&lowered.constraints);
    if !errors.is_empty() {
        let outputs = (&lowered.outputs[..], &shapes[..]);
        return stub(&definition, &head, outputs, constraints, errors);
    }
    let Some(model) = lowered.into_model(head) else {
        return errors.into_compile_errors();
    };
    let dynamics = Dynamics::new(model.system.clone());
    check::physics::inertia(&dynamics, &model.head, &mut errors);
    if !errors.is_empty() {
        let outputs = (&model.outputs[..], &shapes[..]);
        return stub(&definition, &model.head, outputs, constraints, errors);
    }
    emit(&model, &dynamics)
}

/// How many rows the constraints have.
#[derive(Clone, Copy)]
struct ConstraintCounts {
    all: usize,
    holonomic: usize,
}

impl ConstraintCounts {
    fn of(constraints: &[ConstraintItem]) -> Self {
        let holonomic = |item: &&ConstraintItem| item.kind == ConstraintKind::Holonomic;
        ConstraintCounts {
            all: constraints.iter().map(|item| item.rows).sum(),
            holonomic: constraints
                .iter()
                .filter(holonomic)
                .map(|item| item.rows)
                .sum(),
        }
    }
}

/// The errors, and what keeps every use of the system from being another one.
fn stub(
    definition: &SystemDef,
    head: &Head,
    (outputs, shapes): (&[OutputItem], &[Option<Shape>]),
    constraints: ConstraintCounts,
    errors: Errors,
) -> TokenStream {
    let layout = Layout {
        coordinates: head.coordinate_count(),
        velocities: head.velocity_count(),
        inputs: head.input_count(),
        constraints: constraints.all,
        holonomic: constraints.holonomic,
        time: head.time.is_some(),
        by_lagrangian: has_lagrangian(&definition.statements),
    };
    let guessed = guess::shapes(definition, head);
    let known = outputs.iter().zip(shapes).filter_map(|(item, shape)| {
        let guess = guessed.get(&item.name.unraw().to_string());
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
