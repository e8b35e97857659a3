//! Each rule on a system in the engine's text form and tables by hand: no tokens are read.

use lagrange_engine::{Dependence, Dynamics, Energy, Shape, Symbol, System};
use proc_macro2::{Ident, Span};
use syn::Visibility;

use super::{check, check_inertia, constraints, outputs, physics, usage};
use crate::errors::{Code, Errors};
use crate::model::{ConstraintItem, Declared, Head, OutputItem, OutputKind, Velocity};
use crate::syntax::ast;
use crate::tables::{
    ConstraintEntry, EnergyEntries, ForceEntry, ForceKind, Known, OutputEntry, Tables,
    VelocityEntry,
};

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// A system by lines of text behind the symbols of x, y and their velocities.
fn system(text: &str) -> System {
    let symbols = "coordinates x y\nparameters a\n\
        node %0 = coordinate 0\nnode %1 = coordinate 1\n\
        node %2 = velocity 0\nnode %3 = velocity 1\nnode %4 = parameter 0\n\
        node %5 = product %2^2\nnode %6 = product %3^2\nnode %7 = sum 0 1/2*%5 1/2*%6\n";
    format!("{symbols}{text}").parse().unwrap()
}

/// x and y as scalars.
fn head() -> Head {
    let declared = |(number, name)| Declared {
        path: None,
        file: None,
        name: ident(name),
        attributes: Vec::new(),
        shape: Shape::Scalar,
        default: None,
        velocity: Velocity::Rates(number),
    };
    Head {
        units: Vec::new(),
        robots: Vec::new(),
        files: Vec::new(),
        attributes: Vec::new(),
        options: ast::Options::default(),
        visibility: Visibility::Inherited,
        name: ident("S"),
        coordinates: ["x", "y"].into_iter().enumerate().map(declared).collect(),
        parameters: Vec::new(),
        states: Vec::new(),
        inputs: Vec::new(),
        time: None,
    }
}

/// Tables of statements without mistakes: one for each constraint and each force.
fn tables(system: &System) -> Tables {
    let zero = |node| system.graph.is_zero(node);
    let constraints = system
        .constraints
        .iter()
        .enumerate()
        .map(|(number, row)| ConstraintEntry {
            item: ConstraintItem {
                name: ident(&row.name),
                attributes: Vec::new(),
                kind: ast::ConstraintKind::Holonomic,
                rows: 1,
                integrable: Vec::new(),
            },
            statement: vec![number],
            rows: 1,
            sides: vec![row.residual],
            is_known: true,
            is_sound: true,
        });
    let forces = system.forces.iter().copied();
    let entries = forces
        .clone()
        .enumerate()
        .filter(|(_, force)| !zero(*force))
        .map(|force| ForceEntry {
            kind: ForceKind::Generalized,
            keyword: Span::call_site(),
            attributes: Vec::new(),
            generalized: vec![force],
            of_all: false,
            acts: true,
            point: Vec::new(),
        });
    let along = forces.map(|force| VelocityEntry {
        is_named: !zero(force),
        has_force: !zero(force),
    });
    let (kinetic, potential) = match system.energy {
        Energy::Natural { kinetic, potential } => (kinetic, potential),
        Energy::Lagrangian(lagrangian) => (lagrangian, lagrangian),
    };
    Tables {
        constraints: constraints.collect(),
        energies: EnergyEntries {
            by_lagrangian: false,
            potential_statements: Vec::new(),
            dissipation_statements: Vec::new(),
            hints: Vec::new(),
            is_given: true,
            is_known: true,
            kinetic: vec![(Span::call_site().into(), kinetic)],
            potential: vec![potential],
        },
        forces: entries.collect(),
        velocities: along.collect(),
        is_read: vec![true, true],
        known: Known {
            names: true,
            statements: true,
            terms: true,
            items: true,
            to_the_end: true,
        },
        ..Tables::default()
    }
}

/// The message of a rule, without the help.
fn said(rule: impl FnOnce(&mut Errors)) -> Vec<String> {
    let mut errors = Errors::default();
    rule(&mut errors);
    errors
        .messages()
        .into_iter()
        .map(|message| message.split("\n\n").next().unwrap_or_default().to_owned())
        .collect()
}

const NOTHING: [&str; 0] = [];

#[test]
fn a_sound_system_is_silent() {
    let system = system("kinetic %7\npotential %0\nforce 1 %4\n");
    let tables = tables(&system);
    let mut errors = Errors::default();
    let findings = check(&system, &tables, &head(), &mut errors);
    check_inertia(&Dynamics::new(system), &tables, &head(), &mut errors);
    assert_eq!(errors.messages(), NOTHING);
    assert!(findings.warnings.is_empty());
}

#[test]
fn a_kinetic_energy_is_missing_only_where_every_statement_is_known() {
    let system = system("potential %0\n");
    let mut tables = tables(&system);
    tables.energies.is_given = false;
    let rule =
        |tables: &Tables| said(|errors| usage::report_missing_terms(tables, &head(), errors));
    assert_eq!(rule(&tables), ["the kinetic energy is missing"]);
    tables.known.statements = false;
    assert_eq!(rule(&tables), NOTHING);
}

#[test]
fn a_coordinate_is_idle_unless_something_has_or_names_it() {
    let system = system("kinetic %5\n");
    let mut tables = tables(&system);
    let rule = |tables: &Tables| {
        said(|errors| {
            usage::report_idle_coordinates(&system, tables, &head(), errors);
        })
    };
    let idle = ["nothing depends on the coordinate `y`"];
    assert_eq!(rule(&tables), idle);
    tables.velocities[1].has_force = true;
    assert_eq!(rule(&tables), NOTHING);
    tables.velocities[1].has_force = false;
    tables.known.names = false;
    assert_eq!(rule(&tables), NOTHING);
}

#[test]
fn amid_mistakes_a_coordinate_that_is_read_is_not_idle() {
    let system = system("kinetic %5\n");
    let mut tables = tables(&system);
    let rule = |tables: &Tables| {
        said(|errors| {
            errors.error(Span::call_site(), Code::UnknownName, "another mistake");
            usage::report_idle_coordinates(&system, tables, &head(), errors);
        })
    };
    assert_eq!(rule(&tables), ["another mistake"]);
    tables.is_read[1] = false;
    let both_messages = ["another mistake", "nothing depends on the coordinate `y`"];
    assert_eq!(rule(&tables), both_messages);
    tables.velocities[1].is_named = true;
    assert_eq!(rule(&tables), ["another mistake"]);
}

#[test]
fn a_kinetic_energy_is_quadratic() {
    let system = system("node %8 = product %2^4\nkinetic %8\n");
    let tables = tables(&system);
    let messages = said(|errors| {
        assert!(!physics::check_kinetic_energy(&system, &tables, errors));
    });
    let expected = "`T` is not a polynomial of degree 2 or less in the velocities";
    assert_eq!(messages, [expected]);
}

#[test]
fn a_coordinate_without_inertia_needs_a_constraint() {
    let massless = |text: &str| {
        let dynamics = Dynamics::new(system(text));
        said(|errors| check_inertia(&dynamics, &Tables::default(), &head(), errors))
    };
    let message = "the coordinate `y` has no inertia: its row of the mass matrix is zero";
    assert_eq!(massless("kinetic %5\npotential %1\n"), [message]);
    let tied = "node %8 = sum 0 1*%0 -1*%1\nholonomic rod %8\n";
    assert_eq!(massless(&format!("kinetic %5\n{tied}")), NOTHING);
}

#[test]
fn amid_mistakes_a_constraint_that_has_one_may_determine_what_it_mentions() {
    let system = system("kinetic %5\npotential %1\nnode %8 = sum 0 1*%0 -1*%1\nholonomic c %8\n");
    let mut tables = tables(&system);
    let rule = |tables: &Tables, is_sound: bool| {
        said(|errors| {
            physics::check_inertia_among_mistakes(&system, tables, &[is_sound], &head(), errors);
        })
    };
    assert_eq!(rule(&tables, true), NOTHING);
    assert_eq!(rule(&tables, false), NOTHING);
    tables.constraints[0].sides.clear();
    let messages = rule(&tables, false);
    assert_eq!(
        messages,
        ["the coordinate `y` has no inertia: its row of the mass matrix is zero"]
    );
}

#[test]
fn constraints_that_repeat_others_are_told_once_a_statement() {
    let text = "kinetic %7\nnode %8 = sum 0 1*%0 -1*%1\nnode %9 = sum 0 2*%0 -2*%1\n\
        holonomic a %8\nholonomic b %9\nholonomic c %9\n";
    let system = system(text);
    let mut tables = tables(&system);
    let rule = |tables: &Tables| {
        let mut is_sound = Vec::new();
        let messages =
            said(|errors| is_sound = constraints::find_defects(&system, tables, None, errors));
        (messages, is_sound)
    };
    let message =
        |name| format!("the constraint `{name}` repeats `a`: one is a multiple of the other");
    let (messages, is_sound) = rule(&tables);
    assert_eq!(messages, [message("b"), message("c")]);
    assert_eq!(is_sound, [true, false, false]);
    // Two iterations of one statement.
    tables.constraints[2].statement = tables.constraints[1].statement.clone();
    assert_eq!(rule(&tables).0, [message("b")]);
}

#[test]
fn integrable_rows_are_noticed() {
    let text = "kinetic %7\nnode %8 = sum 0 1*%2 -1*%3\nnonholonomic c %8\n";
    let system = system(text);
    let tables = tables(&system);
    let findings = check(&system, &tables, &head(), &mut Errors::default());
    assert_eq!(findings.integrable, [["c"]]);
    let start = "the constraint `c` is integrable";
    let messages = findings
        .warnings
        .iter()
        .map(|w| w.message.starts_with(start))
        .collect::<Vec<bool>>();
    assert_eq!(messages, [true]);
}

#[test]
fn a_force_that_is_in_the_potential_already_acts_twice() {
    let text = "kinetic %7\nnode %8 = product %0^2\nnode %9 = sum 0 1/2*%8\npotential %9\n\
        node %10 = sum 0 -1*%0\nforce 0 %10\n";
    let twice = system(text);
    let entries = tables(&twice);
    assert_eq!(
        physics::warn_of_forces_given_twice(&twice, &entries).len(),
        1
    );
    let once = system(&text.replace("-1*%0", "-2*%0"));
    let entries = tables(&once);
    assert!(physics::warn_of_forces_given_twice(&once, &entries).is_empty());
}

#[test]
fn an_output_has_no_name_of_what_is_beside_another() {
    let value = |reads, hessian| OutputKind::Value { reads, hessian };
    let of_q = value(Dependence::of(Symbol::Coordinate(0)), false);
    let said_of = |kind, other: &str| {
        let entry = |name, kind| OutputEntry {
            item: OutputItem {
                visibility: Visibility::Inherited,
                name: ident(name),
                attributes: Vec::new(),
                kind,
            },
            shape: Some(Shape::Scalar),
        };
        let tables = Tables {
            outputs: vec![entry("hand", kind), entry(&format!("hand_{other}"), of_q)],
            ..Tables::default()
        };
        said(|errors| outputs::check_names_beside(&tables, errors))
    };
    let names = [
        "velocity",
        "jacobian",
        "rate",
        "bias",
        "derivatives",
        "hessian",
    ];
    let cases: [(OutputKind, &[&str]); 5] = [
        (of_q, &["jacobian", "rate", "bias"]),
        (value(Dependence::VELOCITY, false), &["derivatives"]),
        (value(Dependence::NONE, true), &names[1..]),
        (value(Dependence::INPUT, true), &["derivatives", "hessian"]),
        (OutputKind::Frame, &["velocity", "jacobian", "bias"]),
    ];
    for (kind, beside) in cases {
        for other in names {
            let message = format!(
                "the output `hand` has a method `hand_{other}` beside it, a name that is taken"
            );
            let expected = beside.contains(&other).then_some(message);
            assert_eq!(
                said_of(kind, other),
                Vec::from_iter(expected),
                "{kind:?} {other}"
            );
        }
    }
}

/// Its methods would be `constraint_jacobian` and `constraint_velocity`: one name is at fault.
#[test]
fn an_output_that_clashes_with_generated_methods_is_told_once() {
    let tables = Tables {
        outputs: vec![OutputEntry {
            item: OutputItem {
                visibility: Visibility::Inherited,
                name: ident("constraint"),
                attributes: Vec::new(),
                kind: OutputKind::Frame,
            },
            shape: None,
        }],
        ..Tables::default()
    };
    let messages = said(|errors| outputs::check_names_beside(&tables, errors));
    assert_eq!(messages.len(), 1);
}
