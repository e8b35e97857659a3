//! Exact operation counts of bundles and regressors of arms, and the statements that make an arm linear in its
//! inertial parameters.

use lagrange_engine::{Dynamics, Quantity, regressor_defects};

use super::recursion::ARMS;
use super::system;

fn operations(dynamics: &Dynamics, quantities: &[Quantity]) -> u32 {
    dynamics.program(quantities).operations().total()
}

/// M and h share the composites. The pose of the hand shares little with them except sines and cosines. Its
/// Jacobian costs almost nothing in addition to the pose.
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
        // M and h together take at most 1.3 times the operations of h alone.
        assert!(10 * motion <= 13 * alone[1]);
        (alone, motion, all, with_solution)
    });
    let expected = [
        ([231, 505, 69, 96, 167], 618, 822, 1061),
        ([342, 642, 98, 98, 187], 813, 1041, 1314),
    ];
    assert_eq!(counts, expected);
}

/// An arm with ten parameters for each link: its mass, its first moments, and its inertia about the origin of the
/// frame. `body` is the template of a body, with the frame `F`, the mass `M`, the first moments `C` and the inertia
/// `J`.
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
                let rows = [[0, 1, 2], [1, 3, 4], [2, 4, 5]]
                    .map(|entries| format!("[{}]", row(entries)))
                    .join(", ");
                let body = body
                    .replace('F', &format!("A{link}"))
                    .replace('M', &format!("m[{link}]"))
                    .replace('C', &format!("c[{link}]"))
                    .replace('J', &format!("[{}]", rows));
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

/// A pair of particles whose masses sum to zero has only a first moment.
const PAIRS: &str = "
    body { frame: F, mass: M, inertia: J }
    for i in 0..3 {
        body { frame: F, mass: C[i] / 2, at: identity(3)[i] }
        body { frame: F, mass: -C[i] / 2, at: -identity(3)[i] }
    }";

/// The centre and the inertia about it. The sum is linear, although its terms are not.
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
        (ENERGIES, [6836, 6990]),
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

/// The position of the centre of mass alone is not linear, and the message names a linear form.
#[test]
fn the_centre_of_mass_is_not_linear() {
    let body = "body { frame: F, mass: M, at: C, inertia: J }";
    let dynamics = Dynamics::new(system(&identified(ARMS[0], body)));
    let defects = regressor_defects(&dynamics, 0);
    let entry = defects
        .iter()
        .find(|defect| defect.with.is_none())
        .unwrap()
        .entry
        .unwrap();
    let names = |symbol| match symbol {
        lagrange_engine::Symbol::Parameter(i) => dynamics.names().parameters[i as usize].clone(),
        _ => "?".to_owned(),
    };
    let text = |node| dynamics.graph().text(node, &names);
    assert_eq!(text(entry.factor), "c[0, 0]^2");
    assert_eq!(text(entry.coefficient.unwrap()), "m[0]*c[0, 0]^2");
}
