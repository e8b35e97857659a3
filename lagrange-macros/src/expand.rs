//! The stages in order, with a gate after those that find mistakes.

use std::collections::HashMap;

use lagrange_engine::{Dynamics, Energy, Shape, System, is_quadratic};
use proc_macro2::TokenStream;

use crate::bundles::{self, Bundle};
use crate::check::Findings;
use crate::emit::signature::Layout;
use crate::emit::{Skeleton, StubOutput, emit, fallback, guess};
use crate::errors::Errors;
use crate::model::{ConstraintItem, Head, Model, OutputKind};
use crate::syntax::ast::{ConstraintKind, EnergyTerm, Statement, StatementKind, SystemDef, text};
use crate::tables::{OutputEntry, Tables};
use crate::{check, lower, syntax};

/// The whole macro: a declaration to items, or to errors and a stub of these items.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(definition) = syntax::parse(tokens, &mut errors) else {
        return errors.into_compile_errors();
    };
    let (head, declarations) = lower::head(&definition, &mut errors);
    let (mut system, tables) = lower::lower(&definition, &head, declarations, &mut errors);
    let findings = check::check(&mut system, &tables, &head, &mut errors);
    let is_sound = errors.is_empty();
    let quadratic = momenta_determine_velocities(&mut system);
    let layout = layout(&definition, &head, &tables, quadratic);
    let shapes = Shapes::new(&definition, &head);
    let shape = |output: &OutputEntry| shapes.of(output);
    let bundles = bundles::resolve(&tables, &shape, (&head, &layout), &mut errors);
    let stub = |errors| stub((&head, layout.clone()), &tables, &shapes, &bundles, errors);
    if !is_sound {
        return stub(errors);
    }
    // Mistakes in bundles leave the equations as they are.
    let dynamics = Dynamics::new(system);
    check::inertia(&dynamics, &head, &mut errors);
    check::asked_for(&dynamics, &tables, &mut errors);
    if !errors.is_empty() {
        return stub(errors);
    }
    emit(&model(head, tables, findings), &bundles, &dynamics)
}

/// What is known of the shapes of outputs, and guessed where mistakes hide them.
struct Shapes(HashMap<String, Shape>);

impl Shapes {
    fn new(definition: &SystemDef, head: &Head) -> Self {
        Shapes(guess::shapes(definition, head))
    }

    fn of(&self, output: &OutputEntry) -> Option<Shape> {
        let guess = self.0.get(&text(&output.item.name));
        output.shape.or(guess.copied())
    }
}

/// What the items need of a declaration without mistakes.
fn model(head: Head, tables: Tables, findings: Findings) -> Model {
    let constraints = tables.constraints.into_iter().zip(findings.integrable);
    Model {
        head,
        outputs: tables.outputs.into_iter().map(|o| o.item).collect(),
        regressors: tables.regressors.into_iter().map(|r| r.item).collect(),
        symmetries: tables.symmetries.into_iter().map(|s| s.item).collect(),
        constraints: constraints
            .map(|(entry, integrable)| ConstraintItem {
                integrable,
                ..entry.item
            })
            .collect(),
        unused: tables.unused,
        warnings: findings.warnings,
    }
}

/// The errors, and what keeps every use of the system from being another one.
fn stub(
    (head, layout): (&Head, Layout),
    tables: &Tables,
    shapes: &Shapes,
    bundles: &[Bundle],
    errors: Errors,
) -> TokenStream {
    let known = tables.outputs.iter().filter_map(|output| {
        let (item, shape) = (&output.item, shapes.of(output));
        let is_known = item.kind == OutputKind::Frame || shape.is_some();
        is_known.then_some(StubOutput { item, shape })
    });
    let outputs: Vec<StubOutput> = known.collect();
    let skeleton = Skeleton::new(head, layout);
    let mut tokens = errors.into_compile_errors();
    tokens.extend(fallback(&skeleton, &outputs, tables, bundles));
    tokens
}

/// The sizes of the system, as far as mistakes let them be known.
fn layout(definition: &SystemDef, head: &Head, tables: &Tables, quadratic: bool) -> Layout {
    let items = || tables.constraints.iter().map(|entry| &entry.item);
    let holonomic = items().filter(|item| item.kind == ConstraintKind::Holonomic);
    Layout {
        coordinates: head.coordinate_count(),
        velocities: head.velocity_count(),
        inputs: head.input_count(),
        constraints: items().map(|item| item.rows).sum(),
        holonomic: holonomic.map(|item| item.rows).sum(),
        time: head.time.is_some(),
        by_lagrangian: has_lagrangian(&definition.statements),
        quadratic,
    }
}

/// Whether L, as far as it could be read, is quadratic in the velocities.
fn momenta_determine_velocities(system: &mut System) -> bool {
    let velocities = system.names.velocity_symbols();
    match system.energy {
        Energy::Natural { .. } => true,
        Energy::Lagrangian(lagrangian) => is_quadratic(&mut system.graph, lagrangian, &velocities),
    }
}

fn has_lagrangian(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Energy { term, .. } => *term == EnergyTerm::Lagrangian,
        StatementKind::For { body, .. } => has_lagrangian(body),
        _ => false,
    })
}
