//! Frames and the values read from them.

use lagrange_engine::{Dynamics, Energy, Quantity};

use super::*;

/// Frames of every kind, with the position of a body in each.
pub(super) const CHAINS: [(&str, &str); 14] = [
    ("world", "[x, a * y, t]"),
    ("world.rotate(z, x)", "[a, b, 1]"),
    ("world.translate([x, 0, y])", "[1, 0, b]"),
    ("world.rotate(-x, x).translate([a, 0, b])", "[0, a, y]"),
    (
        "world.rotate(y, x).translate([0, a, b]).rotate(y, y)",
        "[a, 1, 2]",
    ),
    (
        "world.rotate(z, x).translate([a, 0, 0]).rotate(x, pi / 2).rotate(y, y).translate([0, b, 1])",
        "[b, 0, a]",
    ),
    (
        "world.rotate(x, 0.3).rotate(z, x).rotate(z, 0.2).translate([a, t, 0]).rotate(x, y)",
        "[b, 1, a]",
    ),
    (
        "world.rotate([1, 1, 0], x).translate([a, 0, 0]).rotate([3, 0, -4], y)",
        "[0, 1, b]",
    ),
    (
        "world.rotate([a, b, 1], x).translate([0, b, a]).rotate(y, x * y)",
        "[1, x, b]",
    ),
    (
        "world.rotate([sin(x), 1, y], t + y).translate([1, a, b])",
        "[1, 0, b]",
    ),
    (
        "world.rotate(z, a).rotate(x, b).rotate(z, x).rotate([0, a, 1], 0.4).rotate(z, y)",
        "[a, 0, 1]",
    ),
    (
        "world.translate([0, 0, x]).orient([[cos(y), -sin(y), 0], [sin(y), cos(y), 0], [0, 0, 1]])\
         .rotate(z, x).translate([a, 0, 0])",
        "[b, a, 1]",
    ),
    (
        "world.rotate(z, x).translate([0, 1, 0])\
         .orient([[0, 0, 1], [1, 0, 0], [0, 1, 0]]).rotate(x, y).translate([a, b, 0]).rotate(x, x)",
        "[1, a, b]",
    ),
    (
        "world.rotate(z, 1.5707963267948966).rotate(z, x).rotate(y, y).rotate(z, t)",
        "[1, a, y]",
    ),
];

const INERTIA: &str = "[[a, 0.1, b], [0.3, 2, 0.5], [-b, 0.1, 3]]";

/// A body in a frame, and the same quantities from derivatives of positions and rotations.
pub(super) fn body_and_direct(chain: &str, at: &str) -> System {
    system(&format!(
        "{HEAD} {KINETIC}
        frame F = {chain};
        body {{ frame: F, mass: b, at: {at}, inertia: {INERTIA} }}
        gravity [0.3, a, -9.81];
        torque [u, b, x] on F;
        let p = F.point({at});
        let W = transpose(F.rotation) * der(F.rotation);
        let w = [W[2, 1], W[0, 2], W[1, 0]];
        let I = {INERTIA};
        pub let kinetic =
            (der(x)^2 + der(y)^2) / 2 + b * der(p)^2 / 2 + dot(w, I * w) / 2;
        pub let potential = -b * dot([0.3, a, -9.81], p);
        pub let slip = [velocity(F) - der(F.origin), angular_velocity(F) - F.vector(w)];
        pub let skew = transpose(F.rotation) * F.rotation - identity(3);
        pub let power = dot([u, b, x], angular_velocity(F));
        let place = [x * y, y + t, sin(x) - t];
        pub let power_there =
            dot([u, a, y], velocity(F) + cross(angular_velocity(F), place - F.origin));"
    ))
}

fn values_of(system: &System, name: &str, at: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
    let output = system.outputs.iter().find(|output| output.name == name);
    system.graph.evaluate(&output.unwrap().entries, at)
}

#[test]
fn bodies_move_as_the_derivatives_of_their_positions_say() {
    for (chain, place) in CHAINS {
        let mut system = body_and_direct(chain, place);
        let Energy::Natural { kinetic, potential } = system.whole_energy() else {
            panic!("no energies");
        };
        let energies = system.graph.evaluate(&[kinetic, potential], &at);
        let direct = ["kinetic", "potential"].map(|name| values_of(&system, name, &at));
        assert_close(&energies, &direct.concat(), chain);
        assert_close(&values_of(&system, "slip", &at), &[0.0; 6], chain);
        assert_close(&values_of(&system, "skew", &at), &[0.0; 9], chain);
    }
}

#[test]
fn torques_do_the_work_of_the_angular_velocity() {
    let at_rest = |symbol: Symbol| match symbol {
        Symbol::Velocity(_) => 0.0,
        other => at(other),
    };
    for (chain, place) in CHAINS {
        let system = body_and_direct(chain, place);
        let forces = system.graph.evaluate(&system.forces, &at);
        // A frame that rotates with time alone does work at rest too.
        let power = values_of(&system, "power", &at)[0] - values_of(&system, "power", &at_rest)[0];
        assert_close(&[forces[0] * VX + forces[1] * VY], &[power], chain);
    }
}

#[test]
fn a_force_on_a_frame_does_the_work_of_the_point_of_the_frame_that_is_there() {
    let at_rest = |symbol: Symbol| match symbol {
        Symbol::Velocity(_) => 0.0,
        other => at(other),
    };
    for (chain, place) in CHAINS {
        let without = body_and_direct(chain, place);
        let with = system(&format!(
            "{HEAD} {KINETIC} frame F = {chain}; force [u, a, y] at [x * y, y + t, sin(x) - t] on F;"
        ));
        let forces = with.graph.evaluate(&with.forces, &at);
        let power = |at: &dyn Fn(Symbol) -> f64| values_of(&without, "power_there", at)[0];
        let by_displacement = power(&at) - power(&at_rest);
        assert_close(
            &[forces[0] * VX + forces[1] * VY],
            &[by_displacement],
            chain,
        );
    }
}

const LINKS: &str = "struct Chain { q: coordinate[6], m, l, g: parameter }";

fn operations(statements: &str) -> [u32; 3] {
    let dynamics = Dynamics::new(system(&format!("{LINKS} {statements}")));
    [
        Quantity::MassMatrix,
        Quantity::Bias,
        Quantity::InverseDynamics,
    ]
    .map(|quantity| dynamics.program(&[quantity]).operations().total())
}

#[test]
fn a_planar_chain_costs_what_it_costs_by_hand() {
    let frames = operations(
        "frame mut F = world;
        for i in 0..6 {
            F = F.rotate(z, q[i]);
            body { frame: F, mass: m, at: [l / 2, 0, 0], inertia: diag(0, 0, m * l^2 / 12) }
            F = F.translate([l, 0, 0]);
        }
        gravity [0, -g, 0];",
    );
    let by_hand = operations(
        "let mut p = [0, 0];
        let mut angle = 0;
        for i in 0..6 {
            angle += q[i];
            let e = [cos(angle), sin(angle)];
            let c = p + l / 2 * e;
            T += m * der(c)^2 / 2 + m * l^2 / 24 * der(angle)^2;
            V += m * g * c.y;
            p += l * e;
        }",
    );
    for (frames, by_hand) in frames.into_iter().zip(by_hand) {
        let allowed = by_hand + by_hand / 8;
        assert!(frames <= allowed, "{frames} operations, {by_hand} by hand");
    }
}

/// Seven joints with perpendicular successive axes, as in a robot arm.
#[test]
fn a_serial_arm_costs_what_recursion_costs() {
    let dynamics = Dynamics::new(system(
        "struct Arm { q: coordinate[7] }
        frame mut F = world;
        for i in 0..7 {
            F = F.translate([0, 0.1, 0.2]).rotate(x, pi / 2).rotate(z, q[i]);
            body { frame: F, mass: 2, at: [0.01, 0.02, 0.1], inertia: diag(0.3, 0.2, 0.1) }
        }
        gravity [0, 0, -9.81];",
    ));
    let [kinetic, bias] = [Quantity::KineticEnergy, Quantity::Bias]
        .map(|quantity| dynamics.program(&[quantity]).operations().total());
    // A joint takes two rotations and two cross products of vectors and a quadratic form. The bias is a small
    // multiple of it. No product of rotation matrices occurs.
    assert!(kinetic <= 7 * 60, "{kinetic}");
    assert!(bias <= 5 * kinetic, "{bias} of {kinetic}");
}
