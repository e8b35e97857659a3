//! Directions along which the motion does not change, and their conserved quantities.

use lagrange_engine::{
    Dynamics, Quantity, Symbol, SymmetryDefect, System, plain_names, symmetry_defect,
};

fn dynamics(text: &str) -> Dynamics {
    Dynamics::new(text.parse::<System>().expect("a system"))
}

/// A point on a wire, p = (cos s, sin s, h s), which turns and rises, or turns only.
const HELIX: &str = "
coordinates x y z s
parameters h
node %0 = coordinate 0
node %1 = coordinate 1
node %2 = coordinate 2
node %3 = coordinate 3
node %4 = parameter 0
node %5 = velocity 0
node %6 = velocity 1
node %7 = velocity 2
node %8 = product %5^2
node %9 = product %6^2
node %10 = product %7^2
node %11 = sum 0 1/2*%8 1/2*%9 1/2*%10
node %12 = cos %3
node %13 = sin %3
node %14 = product %3^1 %4^1
node %15 = sum 0 1*%0 -1*%12
node %16 = sum 0 1*%1 -1*%13
node %17 = sum 0 1*%2 -1*%14
node %18 = number 0
node %19 = number 1
node %20 = sum 0 -1*%1
kinetic %11
holonomic x %15
holonomic y %16
holonomic z %17
symmetry screw %20 %0 %4 %19
symmetry turn %20 %0 %18 %19
symmetry nothing %18 %18 %18 %18
";

/// The residuals change by each other, so that they stay zero on the wire and not elsewhere.
#[test]
fn a_screw_keeps_a_helix() {
    let dynamics = dynamics(HELIX);
    assert_eq!(symmetry_defect(&dynamics, 0), None);
    let Some(SymmetryDefect::Constraint { position, change }) = symmetry_defect(&dynamics, 1)
    else {
        panic!("the wire rises");
    };
    assert_eq!(dynamics.constraint(position), "z");
    assert_eq!(dynamics.graph().text(change, &plain_names), "-p0");
    assert_eq!(symmetry_defect(&dynamics, 2), Some(SymmetryDefect::Idle));
    // The wire does no work along the screw.
    assert_eq!(dynamics.facts().conserved_symmetries, [true, false, true]);
    let momentum = dynamics.expressions(Quantity::NoetherMomentum(0))[0];
    let value = |symbol| match symbol {
        Symbol::Coordinate(i) => [2.0, 3.0, 5.0, 7.0][i as usize],
        Symbol::Velocity(i) => [11.0, 13.0, 17.0, 19.0][i as usize],
        _ => 23.0,
    };
    let found = dynamics.graph().evaluate(&[momentum], &value);
    assert_eq!(found, [-3.0 * 11.0 + 2.0 * 13.0 + 23.0 * 17.0]);
}

/// T and V change together, and L does not: T = v^2 / 2 + x, V = x.
#[test]
fn what_cancels_in_the_lagrangian_does_not_change_it() {
    let dynamics = dynamics(
        "coordinates x\nnode %0 = coordinate 0\nnode %1 = velocity 0\nnode %2 = product %1^2\n\
         node %3 = sum 0 1/2*%2 1*%0\nnode %4 = number 1\nkinetic %3\npotential %0\n\
         symmetry along %4\n",
    );
    assert_eq!(symmetry_defect(&dynamics, 0), None);
    assert_eq!(dynamics.facts().conserved_symmetries, [true]);
}

/// A free body: T = w . I w / 2 changes by a turn about an axis of the body unless two moments agree.
#[test]
fn turns_of_a_body() {
    let text = |second: &str| {
        format!(
            "coordinates a.x a.y a.z a.w\nrotations 0\nparameters i j\n\
             node %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = velocity 2\n\
             node %3 = parameter 0\nnode %4 = parameter 1\nnode %5 = product %0^2 %3^1\n\
             node %6 = product %1^2 {second}^1\nnode %7 = product %2^2\n\
             node %8 = sum 0 1/2*%5 1/2*%6 1/2*%7\nnode %9 = number 0\nnode %10 = number 1\n\
             kinetic %8\nsymmetry own %9 %9 %10\n"
        )
    };
    assert_eq!(symmetry_defect(&dynamics(&text("%3")), 0), None);
    let odd = dynamics(&text("%4"));
    let Some(SymmetryDefect::Energy { energy, change }) = symmetry_defect(&odd, 0) else {
        panic!("the moments differ");
    };
    assert_eq!(energy, Quantity::KineticEnergy);
    // The prolongation is w x e_z = (w_y, -w_x, 0).
    assert_eq!(odd.graph().text(change, &plain_names), "v0*v1*(p0 - p1)");
}

/// A force along it keeps the direction a symmetry, and the momentum no longer.
#[test]
fn forces_work_along_a_symmetry() {
    let text = "coordinates x\nparameters c\nnode %0 = velocity 0\nnode %1 = product %0^2\n\
        node %2 = parameter 0\nnode %3 = number 1\nnode %4 = product %0^1 %2^1\nkinetic %1\n\
        force 0 %4\nsymmetry along %3\n";
    let dynamics = dynamics(text);
    assert_eq!(symmetry_defect(&dynamics, 0), None);
    assert_eq!(dynamics.facts().conserved_symmetries, [false]);
}
