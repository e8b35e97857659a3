//! What `#[lagrangian(..)]` on the struct asks for, and what is left out without it.

use super::{expanded, signatures};
use crate::errors::Errors;
use crate::expand::read;
use crate::generated::{ASK_FOR_CORIOLIS, MOST_CORIOLIS};

const SHORT: &str = "struct S { x, y: coordinate, m: parameter }
    T = m * x^2 * der(x)^2 / 2 + m * y^2 * der(y)^2 / 2;";

/// An arm of 16 joints, whose Coriolis matrix is a long one.
const LONG: &str = "struct S { q: coordinate[16], m, l, a, b: parameter }
    frame mut F = world;
    for i in 0..16 {
        F = F.rotate(z, q[i]);
        body { frame: F, mass: m, at: [l, 0, 0], inertia: diag(a, b, b) }
        F = F.translate([l, 0, 0]).rotate(x, 1);
    }";

/// Whether a sound declaration has the method.
fn has_method(declaration: &str) -> bool {
    let mut errors = Errors::default();
    let (_, sound) = read(declaration.parse().unwrap(), &mut errors).unwrap();
    sound.ok().unwrap().model.has_coriolis_matrix
}

/// Whether the stub after a mistake has it.
fn stub_has_method(declaration: &str) -> bool {
    let stub = signatures(&format!("{declaration} D = nothing;"));
    assert!(stub.len() > 40, "{stub:?}");
    stub.iter()
        .any(|signature| signature.contains("fn coriolis_matrix"))
}

#[test]
fn a_long_coriolis_matrix_is_there_where_it_is_asked_for() {
    for (declaration, unasked) in [(SHORT, true), (LONG, false)] {
        let asked = format!("{ASK_FOR_CORIOLIS} {declaration}");
        for (declaration, expected) in [(declaration, unasked), (&asked, true)] {
            assert_eq!(has_method(declaration), expected, "{declaration}");
            // A method too many is no second error.
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
