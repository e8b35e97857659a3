//! Whole systems.

use lagrange_engine::{Energy, Symbol};

use super::*;

#[test]
fn a_cart_pole_has_its_energies() {
    let mut lowered = system(
        "struct CartPole { x: coordinate, theta: coordinate, m_c, m_p, l: parameter, \
         g: parameter = 9.81, u: input } \
         pub let bob = [x + l * sin(theta), l * cos(theta)]; \
         T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2; V = m_p * g * bob.y; Q.x = u;",
    );
    let value = |symbol: Symbol| match symbol {
        Symbol::Coordinate(i) => [0.2, 0.3][i as usize],
        Symbol::Velocity(i) => [-0.5, 0.7][i as usize],
        Symbol::Parameter(i) => [1.0, 0.2, 0.5, 9.81][i as usize],
        _ => 1.0,
    };
    let Energy::Natural { kinetic, potential } = lowered.whole_energy() else {
        panic!("T and V were given");
    };
    let mut roots = vec![kinetic, potential];
    roots.extend(&lowered.forces);
    let values = lowered.graph.evaluate(&roots, &value);
    let (v, w, c) = (-0.5_f64, 0.7_f64, 0.3_f64.cos());
    let kinetic = 0.6 * v * v + 0.2 * 0.5 * c * v * w + 0.5 * 0.2 * 0.25 * w * w;
    assert_close(
        &values,
        &[kinetic, 0.2 * 9.81 * 0.5 * c, 1.0, 0.0],
        "cart-pole",
    );
    assert_eq!(lowered.outputs[0].name, "bob");
    assert_eq!(lowered.outputs[0].shape, Shape::Vector(2));
}

#[test]
fn many_mistakes_are_seen_in_one_run() {
    let messages = mistakes(
        "struct S { x, theta: coordinate, m, m: parameter, g: parameter = 1 / 0, u: input, t: time } \
         let p = [x, sin(tehta)]; \
         pub let energy = x; \
         T = m * der(p)^2 + der(der(x)) + [x, x][7]; \
         T = 1; \
         V = u * der(x) + sin(x, x); \
         Q.thta = 1; \
         let x = 3;",
    );
    let starts = [
        "m: duplicate name: `m` is already a parameter",
        "0: division by zero",
        "tehta: unknown name `tehta` | did you mean `theta`?",
        "energy: the output `energy` has the name of a generated item",
        "der: acceleration: `der` of an expression that contains velocities",
        "7: index out of bounds: 7 of 2",
        "T: `T` is given twice",
        "x: `sin` takes 1 argument, found 2 | remove the others",
        "u: the input `u` may not occur in `V`",
        "der: velocity: `V` depends on positions and time only",
        "thta: unknown coordinate `thta` | did you mean `theta`?",
        "x: duplicate name: `x` is already a coordinate",
    ];
    assert_eq!(messages.len(), starts.len(), "{messages:#?}");
    for (messages, start) in messages.iter().zip(starts) {
        assert!(messages.starts_with(start), "{messages}");
    }
}
