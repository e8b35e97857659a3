//! Generalized forces.

use super::*;

fn forces(statements: &str) -> Vec<f64> {
    let system = system(&format!("{HEAD} {KINETIC} {statements}"));
    system.graph.evaluate(&system.forces, &at)
}

#[test]
fn forces_on_coordinates_add_up() {
    assert_close(
        &forces("Q.x = u; Q.y = a * x; Q.y += 1;"),
        &[U, A * X + 1.0],
        "Q",
    );
    assert_close(&forces("Q.x += u; Q.x += der(x);"), &[U + VX, 0.0], "Q");
}

#[test]
fn forces_at_points_do_virtual_work() {
    // A force at (a sin x, a cos x): Q_x = F . (a cos x, -a sin x).
    let actual = forces("force [u, b] at [a * sin(x), a * cos(x)];");
    assert_close(
        &actual,
        &[U * A * X.cos() - B * A * X.sin(), 0.0],
        "in the plane",
    );
    let actual = forces("force [1, der(y), u] at [x * y, y, x + t]; Q.x = 1;");
    assert_close(&actual, &[1.0 + Y + U, X + VY], "in space");
}

#[test]
fn mistakes_in_forces_are_at_their_token() {
    for (statements, message) in [
        (
            "Q.x = 1; Q.x = 2;",
            "Q: `Q.x` is given twice | add to it with `+=`",
        ),
        (
            "Q.z = 1;",
            "z: unknown coordinate `z` | expected `x` or `y`",
        ),
        (
            "Q.a = 1;",
            "a: `a` is a parameter | generalized forces act on coordinates",
        ),
        (
            "frame F = world; Q.F = 1;",
            "F: `F` is a frame | generalized forces act on coordinates",
        ),
        (
            "Q.x *= 1;",
            "*: `Q.x` takes `=` or `+=` | name its terms with `let`, multiply or divide them, and add them with `+=`",
        ),
        ("Q.x.y = 1;", "y: a scalar has no component `y`"),
        ("Q.x.xy = [1, 2];", "xy: a scalar has no component `xy`"),
        ("Q.x[0] = 1;", "[0]: a scalar has no index"),
        (
            "Q.x = [1, 2];",
            "[..]: mismatched shapes: `x` is a scalar, the force on it a vector of length 2",
        ),
        (
            "force [1, 2] at [x, y, 1];",
            "[..]: mismatched shapes: the force is a vector of length 2, its point a \
             vector of length 3",
        ),
        (
            "frame F = world.rotate(z, x); force [1, 2] at [x, y] on F;",
            "[..]: a force on a frame and its point are vectors of length 3, found vectors of length 2 | \
             write `[a, b, 0]`",
        ),
        (
            "force [1, 2, 3] at [x, y, 1] on y;",
            "y: expected a frame, but `y` is a coordinate",
        ),
        (
            "force u at [x, y];",
            "u: a force is a vector of length 2 or 3, found a scalar",
        ),
        (
            "force [1, 2] at x;",
            "x: a point is a vector of length 2 or 3, found a scalar",
        ),
    ] {
        assert_eq!(mistakes_of(statements), [message], "{statements}");
    }
    assert_eq!(
        mistakes_of("force [1, foo1] at [x, foo2]; Q.thx = foo3;").len(),
        4,
        "each part of a statement is looked at"
    );
}

#[test]
fn of_a_force_and_its_point_the_one_with_the_mistake_is_blamed() {
    assert_eq!(
        mistakes_of("let w = der(x); force [der(x), 0] at [w, y];"),
        ["w: `w` contains a velocity: the point of a force depends on positions and time only"]
    );
    // After a loop, the mentions in its body no longer count.
    assert_eq!(
        mistakes_of("for i in 0..2 { let w = der(x); } V = x * der(x);"),
        [
            "der: velocity: `V` depends on positions and time only | a damping is \
             `D = c * der(x)^2 / 2;`, a potential of velocities belongs to the whole Lagrangian, `L = ..;`"
        ]
    );
}
