//! What bundles and regressors of arms cost, exactly, and which statements make an arm linear in its
//! inertial parameters.

use lagrange_engine::{Dynamics, Quantity, regressor_defects};

use super::recursion::ARMS;
use super::system;

fn operations(dynamics: &Dynamics, quantities: &[Quantity]) -> u32 {
    dynamics.program(quantities).operations().total()
}

/// M and h share the composites. The pose of the hand shares little with them but sines and cosines; its Jacobian
/// is nearly for nothing beside the pose.
#[test]
fn bundles_compute_what_is_shared_once() {
    let counts = ARMS.map(|arm| {
        let outputs = "frame Tool = A6.translate([0, 0, 0.1]);
            pub let hand = Tool.origin; pub let axes = Tool.rotation;";
        let dynamics = Dynamics::new(system(&format!("{arm} {outputs}")));
        let parts = [
            Quantity::MassMatrix,
            Quantity::Bias,
            Quantity::Output(0),
            Quantity::Output(1),
            Quantity::OutputJacobian(0),
        ];
        let alone = parts.map(|part| operations(&dynamics, &[part]));
        let (motion, all) = (
            operations(&dynamics, &parts[..2]),
            operations(&dynamics, &parts),
        );
        let solution = dynamics.solve_program_with(&parts).terms;
        let with_solution = solution.operations().total();
        assert!(all < alone.iter().sum());
        // M and h together take at most 1.3 times h alone.
        assert!(10 * motion <= 13 * alone[1]);
        (alone, motion, all, with_solution)
    });
    let expected = [
        ([231, 505, 69, 96, 167], 618, 822, 1061),
        ([342, 642, 98, 98, 187], 814, 1042, 1313),
    ];
    assert_eq!(counts, expected);
}

/// An arm with ten parameters for each link: its mass, its mass times the place of the centre, its inertia
/// about the origin of the frame. `body` is what stands for a body, of the frame `F`, the mass `M`, the
/// first moments `C` and the inertia `J`.
fn identified(arm: &str, body: &str) -> String {
    let mut text = String::new();
    let mut link = 0;
    for line in arm.lines() {
        let line = match line {
            head if head.starts_with("struct") => head.replace(
                " }",
                ", m: parameter[7], c: parameter[7, 3], j: parameter[7, 6] }",
            ),
            bodied if bodied.starts_with("body") => {
                let entry = |i: usize| format!("j[{link}, {i}]");
                let row = |[a, b, c]: [usize; 3]| [entry(a), entry(b), entry(c)].join(", ");
                let rows =
                    [[0, 1, 2], [1, 3, 4], [2, 4, 5]].map(|entries| format!("[{}]", row(entries)));
                let body = body
                    .replace('F', &format!("A{link}"))
                    .replace('M', &format!("m[{link}]"))
                    .replace('C', &format!("c[{link}]"))
                    .replace('J', &format!("[{}]", rows.join(", ")));
                link += 1;
                body
            }
            other => other.to_owned(),
        };
        text += &line;
        text += "\n";
    }
    text + "regressor identify { m, c, j }"
}

/// Pairs of particles, of masses that add up to nothing, have a first moment alone.
const PAIRS: &str = "
    body { frame: F, mass: M, inertia: J }
    for i in 0..3 {
        body { frame: F, mass: C[i] / 2, at: identity(3)[i] }
        body { frame: F, mass: -C[i] / 2, at: -identity(3)[i] }
    }";

/// The centre and the inertia about it: linear in the end, though no term of it is.
const CENTRES: &str = "
    let h = C;
    body {
        frame: F,
        mass: M,
        at: h / M,
        inertia: J - (h^2 * identity(3) - outer(h, h)) / M,
    }";

/// By the energies.
const ENERGIES: &str = "
    body { frame: F, mass: M, inertia: J }
    T += dot(velocity(F), cross(angular_velocity(F), F.vector(C)));
    V += 9.81 * F.vector(C).z;";

#[test]
fn arms_are_linear_in_their_inertial_parameters() {
    let expected = [
        (PAIRS, [1903, 1946]),
        (CENTRES, [2585, 2632]),
        (ENERGIES, [6826, 6976]),
    ];
    for (body, expected) in expected {
        let counts = ARMS.map(|arm| {
            let dynamics = Dynamics::new(system(&identified(arm, body)));
            assert_eq!(regressor_defects(&dynamics, 0), [], "{body}");
            operations(&dynamics, &[Quantity::Regressor(0)])
        });
        assert_eq!(counts, expected, "{body}");
    }
}

/// The place of the centre of mass by itself is not linear, and the message tells what is.
#[test]
fn the_centre_of_mass_is_not_linear() {
    let body = "body { frame: F, mass: M, at: C, inertia: J }";
    let dynamics = Dynamics::new(system(&identified(ARMS[0], body)));
    let defects = regressor_defects(&dynamics, 0);
    let first = defects.iter().find(|defect| defect.with.is_none()).unwrap();
    let entry = first.entry.unwrap();
    let names = |symbol| match symbol {
        lagrange_engine::Symbol::Parameter(i) => dynamics.names().parameters[i as usize].clone(),
        _ => "?".to_owned(),
    };
    let text = |node| dynamics.graph().text(node, &names);
    assert_eq!(text(entry.factor), "c[0, 0]^2");
    assert_eq!(text(entry.coefficient.unwrap()), "m[0]*c[0, 0]^2");
}
