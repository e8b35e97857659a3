//! Mistakes in frames, bodies and the forces on them, each at its token.

use super::*;

/// Pairs of statements and their single mistake.
fn check(cases: &[(&str, &str)]) {
    for (statements, message) in cases {
        assert_eq!(mistakes_of(statements), [*message], "{statements}");
    }
}

#[test]
fn frames_that_are_outputs_stand_outside_of_loops_and_are_not_mutable() {
    check(&[
        (
            "for i in 0..3 { pub frame A = world.rotate(z, x); }",
            "A: a frame that is an output cannot be declared in a loop | carry it in a `frame mut` \
             declared before the loop, and declare the output after the loop",
        ),
        (
            "pub frame mut A = world.rotate(z, x); A = A.rotate(z, y);",
            "A: a frame that is an output cannot be `mut` | give the final frame another name: \
             `pub frame n = ..;`",
        ),
        (
            "pub frame A = world; A = A.rotate(z, y);",
            "A: `A` is not mutable | declare it with `frame mut A = ..;`",
        ),
        (
            "pub frame linearize = world;",
            "linearize: the output `linearize` has the name of a generated item | choose another name",
        ),
        (
            "pub let tip = x; pub frame tip = world;",
            "tip: duplicate name: `tip` is already an output | choose another name",
        ),
    ]);
}

#[test]
fn frames_are_made_of_frames() {
    check(&[
        (
            "frame A = wrld;",
            "wrld: unknown frame `wrld` | did you mean `world`?",
        ),
        (
            "frame A = B.rotate(z, x); frame B = world;",
            "B: `B` is used before its declaration | move its `frame` up to before this",
        ),
        (
            "frame A = y;",
            "y: expected a frame, but `y` is a coordinate",
        ),
        (
            "frame A = y.rotate(z, x);",
            "y: expected a frame, but `y` is a coordinate",
        ),
        (
            "frame A = [1, x, 2];",
            "[..]: expected a frame, found a vector of length 3",
        ),
        (
            "frame A = world.point([1, 2, 3]);",
            "world..): expected a frame, found a vector of length 3",
        ),
        (
            "frame A = world.rotat(z, x);",
            "rotat: a frame has no method `rotat` | did you mean `rotate`?",
        ),
        (
            "frame A = world; frame A = world;",
            "A: duplicate name: `A` is already a frame | choose another name",
        ),
        (
            "frame A = world; A = world.rotate(z, x);",
            "A: `A` is not mutable | declare it with `frame mut A = ..;`",
        ),
        (
            "frame mut A = world; A += world;",
            "+: a frame takes `=` | write `A = ..;`",
        ),
        (
            "for i in 0..2 { frame A = world.rotate(z, x); } force [u, 0, 0] at A.origin;",
            "A: `A` was declared in a loop and ended with the iteration | declare `frame mut A = ..;` before the loop, and assign to it there",
        ),
    ]);
}

#[test]
fn frames_are_no_values() {
    let help = "values of it are `A.origin`, `A.rotation` and `A.point(v)`";
    for expression in ["A", "A + 1", "sin(A)", "[A, x, y]", "der(A)"] {
        let statements = format!("frame A = world; let n = {expression}; Q.x = n;");
        let expected = format!("A: `A` is a frame, not a value | {help}");
        assert_eq!(mistakes_of(&statements), [expected], "{expression}");
    }
    check(&[
        (
            "let n = world.rotate(z, x); Q.x = n;",
            "world..): a frame is not a value | name it with `frame F = ..;`, and read \
             `F.origin` or the like",
        ),
        (
            "V = x.origin.x;",
            "x: expected a frame, but `x` is a coordinate",
        ),
        (
            "V = x.point([1, 2, 3]).x;",
            "x: expected a frame, but `x` is a coordinate",
        ),
        (
            "frame A = world; V = A.orign.x;",
            "orign: a frame has no `orign` | did you mean `origin`?",
        ),
        (
            "frame A = world; V = A.point.x;",
            "point: `point` is a method | write `.point(..)`",
        ),
        (
            "frame A = world; V = A.pont([1, 2, 3]).x;",
            "pont: a frame has no method `pont` | did you mean `point`?",
        ),
        (
            "frame A = world; V = A.point([1, 2]).x;",
            "[..]: the coordinates in a frame are a vector of length 3, found a vector of length 2",
        ),
        (
            "frame A = world; V = A.point().x;",
            "): `point` takes 1 argument, found 0",
        ),
        (
            "Q.x = velocity(x).x;",
            "velocity: `velocity` is that of a frame, but `x` is a coordinate | the velocity of `x` is `der(x)`",
        ),
        (
            "frame A = world; Q.x = velocty(A).x;",
            "velocty: unknown function `velocty` | did you mean `velocity`?",
        ),
        (
            "frame A = world; Q.x = velocity(A, A).x;",
            "velocity: `velocity` takes 1 argument, found 2",
        ),
    ]);
}

#[test]
fn poses_are_checked() {
    check(&[
        (
            "frame A = world.rotate(q, x);",
            "q: unknown axis `q` | expected `x`, `y`, `z` or a vector",
        ),
        (
            "frame A = world.rotate([0, 0, 0], x);",
            "[..]: the axis of a rotation is not zero",
        ),
        (
            "frame A = world.rotate([1, 0], x);",
            "[..]: the axis of a rotation is `x`, `y`, `z` or a vector of length 3, found a vector of length 2",
        ),
        (
            "frame A = world.rotate(z, [x, y]);",
            "[..]: the angle of a rotation is a scalar, found a vector of length 2",
        ),
        (
            "frame A = world.rotate(z);",
            "): `rotate` takes an axis and an angle, or the name of a rotation | write `rotate(z, angle)`, or `rotate(att)` with a field `att: rotation`",
        ),
        (
            "frame A = world.rotate(z, x, y);",
            "y: `rotate` takes 2 arguments, found 3",
        ),
        (
            "frame A = world.translate([x, y]);",
            "[..]: a frame is translated by a vector of length 3, found a vector of length 2",
        ),
        (
            "frame A = world.orient(x);",
            "x: the orientation of a frame is a 3 x 3 matrix, found a scalar",
        ),
        (
            "frame A = world.rotate(z, der(x));",
            "der: velocity: the pose of a frame depends on positions and time only",
        ),
        (
            "frame A = world.rotate(z, u);",
            "u: the input `u` may not occur in the pose of a frame | a motion given in time is a function of it: declare `t: time` and write for example `u_0 * sin(t)`; inputs may occur in `Q`, `force`, `torque`, `D`, and outputs only",
        ),
    ]);
    let messages = mistakes_of("frame A = world.rotate(z, der(x)).translate([u, foo, 0]);");
    assert_eq!(messages.len(), 2, "{messages:?}");
}

#[test]
fn bodies_are_checked() {
    check(&[
        (
            "body b { mass: a, t: [x, y] }",
            "t: unknown field `t` | the fields are `frame`, `mass`, `at` and `inertia`",
        ),
        (
            "body b { mas: a }",
            "mas: unknown field `mas` | did you mean `mass`?",
        ),
        (
            "body b { mass: a, mass: b }",
            "mass: the field `mass` is given twice | remove one of them",
        ),
        (
            "body b { mass: [a, b] }",
            "[..]: the mass of a body is a scalar, found a vector of length 2",
        ),
        (
            "body b { mass: der(x) }",
            "der: velocity: the mass of a body depends on positions and time only",
        ),
        (
            "body b { mass: a, at: x }",
            "x: the position of a body is a vector of length 3, found a scalar",
        ),
        (
            "frame A = world.rotate(z, x); body b { mass: a, frame: A, at: [x, y] }",
            "[..]: the position of a body is a vector of length 3, found a vector of length 2 | only in `world` it may have two components",
        ),
        (
            "body b { inertia: a }",
            "a: the inertia of a body is a 3 x 3 matrix, found a scalar | write `diag(ixx, iyy, izz)` or `[[a, ..], ..]`",
        ),
        (
            "body b { frame: x }",
            "x: expected a frame, but `x` is a coordinate",
        ),
        (
            "body b { mass: a } body b { mass: b }",
            "b: duplicate name: `b` is already a body | choose another name",
        ),
    ]);
    assert!(
        mistakes_of("for i in 0..3 { body b { mass: i + 1, at: [x, y] } } body { mass: a }")
            .is_empty()
    );
}

#[test]
fn gravity_springs_and_dampers_are_checked() {
    let twice = "gravity: `gravity` is given twice | it acts on every body; give the total acceleration once";
    check(&[
        ("gravity [0, -a]; gravity [0, b];", twice),
        (
            "gravity a;",
            "a: gravity is a vector of length 2 or 3, found a scalar",
        ),
        (
            "gravity [u, 0];",
            "u: the input `u` may not occur in `gravity` | inputs may occur in `Q`, `force`, `torque`, `D`, and outputs only",
        ),
        (
            "gravity [0, a]; body { mass: a, at: [x, y, 0] }",
            "[..]: mismatched shapes: gravity is a vector of length 2, the position of a body a vector of length 3",
        ),
        (
            "body { mass: a, at: [x, y] } gravity [0, 0, a];",
            "[..]: mismatched shapes: gravity is a vector of length 3, the position of a body a vector of length 2",
        ),
        (
            "spring { k: a, from: [x, y] }",
            "spring: this spring has no `to` | add `to: ..`",
        ),
        (
            "spring { from: [x, y], to: [0, 0] }",
            "spring: this spring has no `k` | add `k: ..`",
        ),
        (
            "spring { k: a, rst: 1, from: [x, y], to: [0, 0] }",
            "rst: unknown field `rst` | did you mean `rest`?",
        ),
        (
            "spring { k: a, from: [x, y], to: [0, 0, 0] }",
            "[..]: mismatched shapes: `from` is a vector of length 2, `to` a vector of length 3",
        ),
        (
            "damper { c: a, from: x, to: [0, 0] }",
            "[..]: mismatched shapes: `from` is a scalar, `to` a vector of length 2",
        ),
        (
            "spring { k: a, from: [x, y, a, b], to: 0 }",
            "[..]: an end of a spring is a vector of length 2 or 3, or a scalar on a line, found a vector \
             of length 4",
        ),
        (
            "damper { c: a, from: der(x), to: 0 }",
            "der: velocity: an end of a damper depends on positions and time only",
        ),
        (
            "damper { c: a, from: [der(x), y], to: [0, 0] }",
            "der: velocity: an end of a damper depends on positions and time only",
        ),
        (
            "torque a on world;",
            "a: a torque is a vector of length 3, found a scalar",
        ),
        (
            "torque [0, 0, u] on x;",
            "x: expected a frame, but `x` is a coordinate",
        ),
    ]);
}

#[test]
fn bodies_are_parts_of_t_and_v() {
    let of = |statements: &str| mistakes(&format!("{HEAD} {statements}"));
    let help = "bodies, gravity and springs add to `T` and `V`; give either these, or `L`";
    let lagrangian = "L = (der(x)^2 + der(y)^2) / 2;";
    for part in [
        "body b { mass: a, at: [x, y] }",
        "gravity [0, -a];",
        "spring { k: a, from: [x, y], to: [0, 0] }",
    ] {
        let keyword = part.split(' ').next().unwrap();
        assert_eq!(
            of(&format!("{lagrangian} {part}")),
            [format!("{keyword}: `{keyword}` beside `L` | {help}")]
        );
        assert_eq!(
            of(&format!("{part} {lagrangian}")),
            [format!(
                "L: `L` beside `{keyword}` | give either `L`, or `T` and `V`: L = T - V"
            )]
        );
    }
    assert!(
        of("body b { mass: a, at: [x, y] }").is_empty(),
        "T may be missing"
    );
    assert!(of("damper { c: a, from: [x, y], to: [0, 0] } L = der(x)^2 + der(y)^2;").is_empty());
    assert_eq!(
        of("body b { mass: foo, at: [x, y] }"),
        [
            "foo: unknown name `foo` | declare it among the fields, `foo: parameter`, or before this by `let foo = ..;`"
        ],
        "a body with a mistake is a body"
    );
}

#[test]
fn axes_are_axes_whatever_else_has_the_name() {
    let source = "struct S { z: coordinate, I: parameter }
        body { frame: world.rotate(z, z), inertia: diag(0, 0, I) }";
    assert_eq!(mistakes(source), Vec::<String>::new());
    let velocity = "struct S { velocity: coordinate, m: parameter }
        frame A = world.translate([velocity, 0, 0]);
        body { frame: A, mass: m }
        pub let speed = velocity(A).x + velocity;";
    assert_eq!(mistakes(velocity), Vec::<String>::new());
}
