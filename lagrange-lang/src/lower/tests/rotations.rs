//! Mistakes with rotations, each at its token.

use super::*;

const FIELDS: &str = "p: coordinate[3], att: rotation, x: coordinate, m: parameter";
const BODY: &str = "frame B = world.translate(p).rotate(att); \
     body { frame: B, mass: m, inertia: diag(1, 2, 3) } T = der(x)^2;";

/// Statements next to a valid system, and their single mistake.
fn check(cases: &[(&str, &str)]) {
    for (statements, message) in cases {
        let source = format!("struct S {{ {FIELDS} }} {BODY} {statements}");
        assert_eq!(mistakes(&source), [*message], "{statements}");
    }
}

#[test]
fn fields() {
    let cases = [
        (
            "att: rotation[3, 2]",
            "2: a rotation is four numbers of q by itself, and a list of rotations has one size | write `att: rotation[6]` for six of them",
        ),
        (
            "att: rotation = 1",
            "=..1: only parameters have defaults | remove the default",
        ),
        (
            "att: rotaton",
            "rotaton: unknown role `rotaton` | did you mean `rotation`?",
        ),
        (
            "att: UnitQuaternion",
            "UnitQuaternion: unknown role `UnitQuaternion` | an orientation is a `rotation`: write `att: rotation`",
        ),
    ];
    for (field, message) in cases {
        let body = "body { frame: world.rotate(att), inertia: diag(1, 2, 3) }";
        assert_eq!(
            mistakes(&format!("struct S {{ {field} }} {body}")),
            [message]
        );
    }
}

#[test]
fn no_value() {
    let message = "att: `att` is a rotation, not a value | turn a frame by it, `frame B = A.rotate(att);`; `der(att)` are its rates";
    for statement in [
        "V = att;",
        "V = att.x;",
        "V = att[0];",
        "V = norm(att);",
        "V += der(2 * att);",
        "let a = att;",
        "frame C = world.orient(att);",
        "frame C = world.translate(att);",
        "force [1, 2, 3] at att;",
        "torque att on B;",
        "holonomic c: att = 0;",
        "nonholonomic c: att.x = 0;",
        "for i in 0..3 { V += att[i]; }",
    ] {
        check(&[(statement, message)]);
    }
}

#[test]
fn frames_turned() {
    let alone = "): `rotate` takes an axis and an angle, or the name of a rotation | write `rotate(z, angle)`, or `rotate(att)` with a field `att: rotation`";
    let beside = "att: `att` is a rotation, neither an axis nor an angle | a rotation is the only argument: `rotate(att)`";
    let frame = "att: expected a frame, but `att` is a rotation | turn one by it: `frame B = world.rotate(att);`";
    check(&[
        ("frame C = world.rotate(2 * x);", alone),
        ("frame C = world.rotate(z);", alone),
        ("frame C = world.rotate(-att);", alone),
        ("frame C = world.rotate(z, att);", beside),
        ("frame C = world.rotate(att, z);", beside),
        ("frame C = att;", frame),
        ("torque [1, 2, 3] on att;", frame),
        ("body { frame: att, mass: 1 }", frame),
        (
            "frame C = world.rotate(x);",
            "x: `rotate` by one argument takes a rotation, but `x` is a coordinate | write `rotate(z, x)` for an angle about an axis, or declare `x: rotation`",
        ),
        (
            "frame C = world.rotate(p);",
            "p: `rotate` by one argument takes a rotation, but `p` is a coordinate | declare a `rotation` among the fields, or write `orient(p)` for a rotation matrix",
        ),
        (
            "frame C = world.rotate(B);",
            "B: `rotate` by one argument takes a rotation, but `B` is a frame | a frame turned as another one is made by `orient(F.rotation)`",
        ),
        (
            "frame C = world.rotate(at);",
            "at: unknown rotation `at` | did you mean `att`?",
        ),
    ]);
}

#[test]
fn rates_and_torques() {
    check(&[
        (
            "T += der(der(att))^2;",
            "der: acceleration: `der` of an expression that contains velocities | the equations of motion determine accelerations, no expression contains them",
        ),
        (
            "Q.att = 1;",
            "1: mismatched shapes: the torque on the rotation `att` is a vector of length 3, found a scalar | write its components in the turned axes, `[0, 0, tau]`",
        ),
        (
            "Q.att[3] = 1;",
            "3: index out of bounds: 3 of 3 | the first entry is 0, the last one 2",
        ),
        (
            "Q.att.w = 1;",
            "w: unknown component `w` | the components are `.x`, `.y` and `.z`; others have an index, `v[0]`",
        ),
    ]);
}

#[test]
fn idle() {
    let message =
        "att: nothing depends on the rotation `att` | remove it, or turn the frame of a body by it";
    for statements in ["", "frame F = world.rotate(att);"] {
        let source =
            format!("struct S {{ att: rotation, x: coordinate }} T = der(x)^2; {statements}");
        assert_eq!(mistakes(&source), [message]);
    }
}

/// Nine rows, or three, of which two remain for a rotation.
#[test]
fn axes_that_agree_by_too_many_rows() {
    let axes = "axes agree by three rows at most: write dot products of axes that are at right angles, `dot(A.vector([1, 0, 0]), B.vector([0, 1, 0])) = 0`";
    let cases = [
        (
            "B.vector([1, 0, 0]) = [1, 0, 0]",
            "c[2]",
            "`c[0]` and `c[1]`",
        ),
        (
            "B.rotation = identity(3)",
            "c[0, 2]",
            "`c[0, 0]` and `c[0, 1]`",
        ),
    ];
    for (equation, row, on) in cases {
        let message = format!(
            "c: the constraint `{row}` depends on {on} at every point: it adds nothing to them, or contradicts them | {axes}"
        );
        check(&[(&format!("holonomic c: {equation};"), &message)]);
    }
    let pair = "struct S { a, b: rotation } frame A = world.rotate(a); frame B = world.rotate(b); \
         body { frame: A, inertia: diag(1, 2, 3) } body { frame: B, inertia: diag(1, 2, 3) }";
    let weld = mistakes(&format!("{pair} holonomic weld: A.rotation = B.rotation;"));
    let surplus = "weld: more independent constraints than velocities (6): `weld[2, 0]` is the first surplus one";
    assert_eq!(weld, [format!("{surplus} | {axes}")]);
}
