//! The options of `#[lagrangian(..)]` on the struct, and the methods that are left out without them.

use std::fs;
use std::path::Path;

use super::declarations::of_text;
use super::{expanded, signatures};
use crate::errors::Errors;
use crate::expand::read;
use crate::generated::{ASK_FOR_CORIOLIS, MOST_CORIOLIS};

const SHORT: &str = "struct S { x, y: coordinate, m: parameter }
    T = m * x^2 * der(x)^2 / 2 + m * y^2 * der(y)^2 / 2;";

/// The arm of `tests/coriolis.rs` without its option. Its Coriolis matrix is long.
fn long() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/coriolis.rs");
    let declarations = of_text(&fs::read_to_string(file).unwrap());
    let [arm] = &declarations[..] else {
        panic!("{declarations:?}");
    };
    assert!(arm.contains(ASK_FOR_CORIOLIS), "{arm}");
    let arm = arm.replace(ASK_FOR_CORIOLIS, "");
    arm.lines()
        .filter(|line| !line.contains("coriolis_matrix"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns whether a declaration without mistakes has the method.
fn has_method(declaration: &str) -> bool {
    let mut errors = Errors::default();
    let (_, sound) = read(declaration.parse().unwrap(), &mut errors).unwrap();
    sound.ok().unwrap().model.has_coriolis_matrix
}

/// Returns whether the stub after a mistake has the method.
fn stub_has_method(declaration: &str) -> bool {
    let stub = signatures(&format!("{declaration} D = nothing;"));
    assert!(stub.len() > 40, "{stub:?}");
    stub.iter()
        .any(|signature| signature.contains("fn coriolis_matrix"))
}

#[test]
fn a_long_coriolis_matrix_is_there_where_it_is_asked_for() {
    for (declaration, unasked) in [(SHORT, true), (&long(), false)] {
        let asked = format!("{ASK_FOR_CORIOLIS} {declaration}");
        for (declaration, expected) in [(declaration, unasked), (&asked, true)] {
            assert_eq!(has_method(declaration), expected, "{declaration}");
            // A surplus method in the stub causes no second error.
            assert!(stub_has_method(declaration), "{declaration}");
        }
    }
    let by_lagrangian = SHORT.replace("T =", "L =");
    assert!(!has_method(&by_lagrangian) && !stub_has_method(&by_lagrangian));
}

#[test]
fn what_is_left_out_is_told_in_the_documentation() {
    let count = format!("{},{:03}", MOST_CORIOLIS / 1000, MOST_CORIOLIS % 1000);
    let told = format!("more than {count} operations");
    let text = expanded(SHORT).to_string();
    assert!(text.contains(&told) && !text.contains("Left out"));
}

#[test]
fn methods_of_long_energies_for_the_midpoint_rule_are_there_where_they_are_asked_for() {
    let has_methods = |declaration: &str| {
        let mut errors = Errors::default();
        let (_, sound) = read(declaration.parse().unwrap(), &mut errors).unwrap();
        sound.ok().unwrap().model.has_midpoint_step
    };
    let chain = |links: usize| {
        format!(
            "struct Chain {{ q: coordinate[{links}] }}
             gravity [0, -1, 0];
             frame mut End = world;
             for i in 0..{links} {{
                 End = End.rotate(z, q[i]);
                 body {{ frame: End, mass: 1, at: [1, 0, 0], inertia: diag(0, 0, 1) }}
                 End = End.translate([2, 0, 0]);
             }}"
        )
    };
    for (declaration, unasked) in [(SHORT, true), (&chain(20), true), (&chain(80), false)] {
        assert_eq!(has_methods(declaration), unasked, "{declaration}");
        assert!(has_methods(&format!(
            "#[lagrangian(midpoint_step)] {declaration}"
        )));
    }
}

/// The ranks of J at almost every state, and on the constraints.
fn ranks(declaration: &str) -> [usize; 2] {
    let mut errors = Errors::default();
    let (_, sound) = read(declaration.parse().unwrap(), &mut errors).unwrap();
    let dynamics = sound.ok().unwrap().dynamics;
    [dynamics.constraint_rank(), dynamics.rank_on_constraints()]
}

#[test]
fn overconstrained_linkages_have_their_rank_on_the_constraints() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/shared/redundant.rs");
    let declarations = of_text(&fs::read_to_string(file).unwrap());
    let of = |name: &str| {
        let named = |declaration: &&String| declaration.contains(&format!("struct {name} "));
        ranks(declarations.iter().find(named).unwrap())
    };
    // Bricard's rows depend on each other only where it is closed. Bennett's closes for special lengths only.
    assert_eq!(of("Bricard"), [5, 4]);
    for name in ["InSpace", "Parallelograms", "Branches"] {
        let [everywhere, there] = of(name);
        assert_eq!(everywhere, there, "{name}");
    }
}
