//! The stages of the compiler in order. A stage that finds mistakes may stop the compilation.

use std::collections::HashMap;

use lagrange_engine::{Dynamics, Energy, Shape, System, is_quadratic};
use proc_macro2::TokenStream;

use crate::backend::rust::{Skeleton, StubOutput, emit, fallback, guess};
use crate::bundles::{self, Bundle, Export};
use crate::check::Findings;
use crate::editor::{self, Names};
use crate::errors::{Errors, Message};
use crate::files::Folder;
use crate::generated::{MOST_CORIOLIS, MOST_MIDPOINT};
use crate::host::Purpose;
use crate::methods::{Layout, Reacting};
use crate::model::{ConstraintItem, Head, Model, OutputKind};
use crate::sketch::{Plan, Sketch};
use crate::syntax::ast::{ConstraintKind, EnergyTerm, Statement, StatementKind, SystemDef, text};
use crate::tables::{OutputEntry, Tables};
use crate::{check, lower, syntax, units};

/// The whole compiler. It turns a declaration into items, or into errors and a stub of these items.
///
/// The errors are calls of `compile_error!` among the items, at the tokens that they concern. No input makes this
/// function panic.
///
/// ```
/// use lagrange_lang::{Purpose, expand};
///
/// let declaration = "
///     struct Oscillator { x: coordinate, m, k: parameter }
///     T = m * der(x)^2 / 2;
///     V = k * x^2 / 2;
/// ";
/// let items = expand(declaration.parse().unwrap(), Purpose::Code).to_string();
/// assert!(items.contains("mass_matrix"));
/// ```
pub fn expand(tokens: TokenStream, purpose: Purpose) -> TokenStream {
    let mut errors = Errors::default();
    match read_in(tokens, &Folder::Package, &mut errors) {
        None => errors.into_compile_errors(),
        Some((_, understood)) => items(understood, errors, purpose),
    }
}

/// The items of a declaration without mistakes, whose paths are relative to a folder.
///
/// ```
/// use lagrange_lang::{Folder, generate};
///
/// let text = "struct Free { x: coordinate, m: parameter } T = m * der(x)^2 / 2;";
/// let items = generate(text.parse().unwrap(), &Folder::None).unwrap().to_string();
/// assert!(items.contains("acceleration"));
/// ```
///
/// # Errors
///
/// All mistakes.
pub fn generate(tokens: TokenStream, folder: &Folder) -> Result<TokenStream, Vec<Message>> {
    let mut errors = Errors::default();
    match read_in(tokens, folder, &mut errors) {
        Some((_, Ok(sound))) => Ok(items(Ok(sound), errors, Purpose::Code)),
        _ => Err(errors.into_messages()),
    }
}

/// The robots of a declaration, each as the text of a declaration of its own, which reads no file.
///
/// The text has the coordinates, frames, bodies, damping and friction of the robot, with the options of its field. A
/// fixed base is at rest in `world`. Gravity and all other statements are left out. Mistakes in the fields are returned
/// as calls of `compile_error!`.
///
/// ```no_run
/// use lagrange_lang::write_robots;
///
/// let declaration = r#"struct Panda { arm: robot = "models/panda.urdf" { friction: ignore } }"#;
/// let robots = write_robots(declaration.parse().unwrap()).unwrap();
/// println!("{}", robots[0]);
/// ```
pub fn write_robots(tokens: TokenStream) -> Result<Vec<String>, TokenStream> {
    let mut errors = Errors::default();
    let definition = syntax::parse(tokens, &mut errors);
    let head = definition.map(|definition| lower::head(&definition, &mut errors));
    match head {
        Some((_, declarations)) if errors.is_empty() => Ok(declarations.write_robots()),
        _ => Err(errors.into_compile_errors()),
    }
}

/// The items for a declaration, with or without mistakes.
pub(crate) fn items(
    understood: Result<Sound, Box<Known>>,
    errors: Errors,
    purpose: Purpose,
) -> TokenStream {
    match understood {
        Ok(Sound {
            model,
            names,
            bundles,
            exports,
            dynamics,
            ..
        }) => emit(&model, &names, (&bundles, &exports), &dynamics, purpose),
        Err(known) => stub(*known, errors),
    }
}

/// Parses and checks a declaration. Returns `None` if it has no name.
///
/// A field may be unfinished, so that it takes the role on the next line. If a name is then used in another role, the
/// declaration is also read line by line. The reading with fewer mistakes is used.
pub(crate) fn read_in(
    tokens: TokenStream,
    folder: &Folder,
    errors: &mut Errors,
) -> Option<(SystemDef, Result<Sound, Box<Known>>)> {
    let mut definition = syntax::parse(tokens.clone(), errors)?;
    definition.folder = folder.clone();
    let understood = understand(&definition, errors);
    let is_doubtful = match &understood {
        Ok(_) => false,
        Err(known) => definition
            .carried
            .iter()
            .any(|name| known.tables.misused.contains(&text(name))),
    };
    if is_doubtful {
        let mut other_errors = Errors::default();
        let by_lines = syntax::parse_by_lines(tokens, &mut other_errors).map(|mut other| {
            other.folder = folder.clone();
            (understand(&other, &mut other_errors), other)
        });
        if let Some((other, by_lines)) = by_lines {
            // A system without coordinates counts as one more mistake.
            let is_empty = matches!(&understood, Err(known) if known.head.coordinates.is_empty());
            if other_errors.count() < errors.count() + usize::from(is_empty) {
                *errors = other_errors;
                return Some((by_lines, other));
            }
        }
    }
    Some((definition, understood))
}

/// [`read_in`] in the package that is compiled.
#[cfg(test)]
pub(crate) fn read(
    tokens: TokenStream,
    errors: &mut Errors,
) -> Option<(SystemDef, Result<Sound, Box<Known>>)> {
    read_in(tokens, &Folder::Package, errors)
}

/// The data from which the items are generated.
pub(crate) struct Sound {
    pub(crate) model: Model,
    pub(crate) names: Names,
    pub(crate) bundles: Vec<Bundle>,
    pub(crate) exports: Vec<Export>,
    pub(crate) dynamics: Dynamics,
    /// `None` for the macro, which draws nothing.
    pub(crate) plan: Option<Plan>,
}

/// The facts that are known about a declaration with mistakes.
pub(crate) struct Known {
    pub(crate) head: Head,
    pub(crate) tables: Tables,
    pub(crate) names: Names,
    layout: Layout,
    shapes: Shapes,
    bundles: Vec<Bundle>,
}

/// Lowers and checks a declaration. Mistakes stop it after the stage that finds them.
fn understand(definition: &SystemDef, errors: &mut Errors) -> Result<Sound, Box<Known>> {
    let (mut head, declarations) = lower::head(definition, errors);
    let (system, mut tables) = lower::lower(definition, &mut head, declarations, errors);
    let findings = check::check(&system, &tables, &head, errors);
    if errors.is_empty() {
        head.units = units::check(definition, (&head, &system), errors);
    }
    let is_sound = errors.is_empty();
    let quadratic = momenta_determine_velocities(&system);
    let reacting = Reacting::of(&system);
    let is_drawn = is_sound && definition.folder != Folder::Package;
    let plan = is_drawn.then(|| Sketch::of(&system, &tables));
    let dynamics = is_sound.then(|| Dynamics::new(system));
    let mut layout = layout(definition, &head, &tables, quadratic);
    layout.reacting = reacting;
    layout.coriolis_matrix = has_coriolis_matrix(&head, &layout, dynamics.as_ref());
    layout.midpoint_step = has_midpoint_step(&head, dynamics.as_ref());
    let shapes = Shapes::new(definition, &head);
    let shape = |output: &OutputEntry| shapes.of(output);
    let bundles = bundles::resolve(&tables, &shape, (&head, &layout), errors);
    let exports =
        bundles::resolve_exports(&tables, &shape, (&head.name, &layout, &bundles), errors);
    let names = editor::names(definition, &head, &tables);
    let generated = (layout.coriolis_matrix, layout.midpoint_step);
    let known = |head, tables, names, bundles| {
        Box::new(Known {
            head,
            tables,
            names,
            layout,
            shapes,
            bundles,
        })
    };
    let Some(dynamics) = dynamics else {
        return Err(known(head, tables, names, bundles));
    };
    // Mistakes in bundles do not change the equations.
    check::check_inertia(&dynamics, &tables, &head, errors);
    check::regressors_and_symmetries(&dynamics, &tables, errors);
    if !errors.is_empty() {
        return Err(known(head, tables, names, bundles));
    }
    check::identify(&dynamics, &mut tables);
    check::find_idle_parameters(&dynamics, &mut tables);
    Ok(Sound {
        model: model(head, tables, findings, (generated, reacting)),
        names,
        bundles,
        exports,
        dynamics,
        plan,
    })
}

/// The known shapes of outputs, and guesses for those that mistakes hide.
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

/// The data that the items need from a declaration without mistakes.
fn model(
    head: Head,
    tables: Tables,
    findings: Findings,
    ((has_coriolis_matrix, has_midpoint_step), reacting): ((bool, bool), Option<Reacting>),
) -> Model {
    let constraints = tables.constraints.into_iter().zip(findings.integrable);
    Model {
        head,
        has_coriolis_matrix,
        reacting,
        has_midpoint_step,
        outputs: tables.outputs.into_iter().map(|o| o.item).collect(),
        regressors: tables.regressors.into_iter().map(|r| r.item).collect(),
        sensitivities: tables.sensitivities.into_iter().map(|s| s.item).collect(),
        symmetries: tables.symmetries.into_iter().map(|s| s.item).collect(),
        constraints: constraints
            .map(|(entry, integrable)| ConstraintItem {
                integrable,
                ..entry.item
            })
            .collect(),
        contacts: tables.contacts,
        unused: tables.unused,
        warnings: tables
            .warnings
            .into_iter()
            .chain(findings.warnings)
            .collect(),
    }
}

/// The errors, and a stub that prevents further errors at each use of the system.
fn stub(known: Known, errors: Errors) -> TokenStream {
    let Known {
        head,
        tables,
        names,
        layout,
        shapes,
        bundles,
    } = known;
    let outputs: Vec<StubOutput> = tables
        .outputs
        .iter()
        .filter_map(|output| {
            let (item, shape) = (&output.item, shapes.of(output));
            let is_known = item.kind == OutputKind::Frame || shape.is_some();
            is_known.then_some(StubOutput::known(item, shape))
        })
        .collect();
    let skeleton = Skeleton::new(&head, layout);
    let mut tokens = errors.into_compile_errors();
    tokens.extend(fallback(&skeleton, &outputs, (&tables, &names), &bundles));
    tokens
}

/// The sizes of the system, as far as they are known despite mistakes.
fn layout(definition: &SystemDef, head: &Head, tables: &Tables, quadratic: bool) -> Layout {
    let items = || tables.constraints.iter().map(|entry| &entry.item);
    let holonomic = items().filter(|item| item.kind == ConstraintKind::Holonomic);
    Layout {
        coordinates: head.coordinate_count(),
        velocities: head.velocity_count(),
        states: head.state_count(),
        inputs: head.input_count(),
        constraints: items().map(|item| item.rows).sum(),
        holonomic: holonomic.map(|item| item.rows).sum(),
        contacts: tables.contacts.len(),
        slips: tables.contacts.iter().map(|item| item.slips).collect(),
        dry_joints: tables.dry_joints.clone(),
        time: head.time.is_some(),
        by_lagrangian: has_lagrangian(&definition.statements),
        quadratic,
        coriolis_matrix: false,
        hessian: head.options.hessian.is_some(),
        midpoint_step: false,
        redundant: head.options.redundant.is_some(),
        reacting: None,
        rank_on_constraints: items().map(|item| item.rows).sum(),
    }
}

/// True if `coriolis_matrix` is generated. The stub of a system with mistakes includes it, because a superfluous method
/// causes no further error.
fn has_coriolis_matrix(head: &Head, layout: &Layout, dynamics: Option<&Dynamics>) -> bool {
    let is_asked_for = head.options.coriolis_matrix.is_some();
    let is_long = |dynamics: &Dynamics| dynamics.coriolis_matrix_exceeds(MOST_CORIOLIS);
    !layout.by_lagrangian && (is_asked_for || !dynamics.is_some_and(is_long))
}

/// True if the methods for `midpoint_step` are generated; see `has_coriolis_matrix`.
fn has_midpoint_step(head: &Head, dynamics: Option<&Dynamics>) -> bool {
    let is_long = |dynamics: &Dynamics| dynamics.energy_size() > MOST_MIDPOINT;
    let is_asked_for = head.options.midpoint_step.is_some();
    head.states.is_empty() && (is_asked_for || !dynamics.is_some_and(is_long))
}

/// True if the readable part of L is quadratic in the velocities.
fn momenta_determine_velocities(system: &System) -> bool {
    let velocities = system.names.velocity_symbols();
    match system.energy {
        Energy::Natural { .. } => true,
        Energy::Lagrangian(lagrangian) => {
            is_quadratic(&mut system.graph.clone(), lagrangian, &velocities)
        }
    }
}

fn has_lagrangian(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Energy { term, .. } => *term == EnergyTerm::Lagrangian,
        StatementKind::For { body, .. } => has_lagrangian(body),
        _ => false,
    })
}
