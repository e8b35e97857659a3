//! Shapes that do not fit, components and indices.

use super::*;

#[test]
fn mismatched_shapes_name_both() {
    for (expression, message) in [
        (
            "[x, y] + [x, y, a]",
            "+: mismatched shapes: a vector of length 2 plus a vector of length 3",
        ),
        (
            "x - [x, y] + y",
            "-: mismatched shapes: a scalar minus a vector of length 2",
        ),
        (
            "[[x, y]] * [x, y, a]",
            "*: mismatched shapes: a 1 x 2 matrix times a vector of length 3",
        ),
        (
            "[x, y] * [a, b]",
            "*: mismatched shapes: a vector of length 2 times a vector of length 2 | \
             write `dot(a, b)`, `cross(a, b)` or `outer(a, b)`",
        ),
        (
            "[[x, y], [a, b]] * [[x, y]]",
            "*: mismatched shapes: a 2 x 2 matrix times a 1 x 2 matrix",
        ),
        ("x / [x, y]", "/: cannot divide by a vector of length 2"),
        (
            "dot([x, y], [x, y, a])",
            "dot: mismatched shapes: `dot` of vectors of length 2 and 3",
        ),
        (
            "dot(x, [x, y])",
            "x: mismatched shapes: `dot` takes a vector, found a scalar",
        ),
        (
            "sin([x, y])",
            "[..]: mismatched shapes: `sin` takes a scalar, found a vector of length 2",
        ),
        (
            "abs([x, y])",
            "[..]: mismatched shapes: `abs` takes a scalar, found a vector of length 2 | \
             the length is `norm(v)`",
        ),
        (
            "cross([x, y, a, b], [x, y, a, b])",
            "cross: mismatched shapes: `cross` takes vectors of length 2 or 3, found length 4",
        ),
        (
            "trace([[x, y]])",
            "[..]: mismatched shapes: `trace` takes a square matrix, found a 1 x 2 matrix",
        ),
        (
            "trace(x)",
            "x: mismatched shapes: `trace` takes a matrix, found a scalar",
        ),
        (
            "[x, [y, a]]",
            "[..]: mismatched shapes in a list: a vector of length 2 after a scalar",
        ),
        (
            "[[x], [y, a]]",
            "[..]: mismatched shapes in a list: a vector of length 2 after a vector of length 1",
        ),
        (
            "[[[x]], [[y]]]",
            "[..]: a list holds scalars or vectors, found a 1 x 1 matrix",
        ),
        (
            "if x < y { x } else { [x, y] }",
            "[..]: mismatched shapes: this branch is a vector of length 2, the first one a scalar",
        ),
        (
            "if x < [x, y] { x } else { y }",
            "[..]: only scalars can be compared, found a vector of length 2",
        ),
        (
            "[x, y]^3",
            "3: a vector has no power but its square | `v^2` is `dot(v, v)`, and `norm(v)` its root",
        ),
        (
            "[[x]]^2",
            "^: a matrix has no powers | write the product `A * A`",
        ),
        (
            "x^[x, y]",
            "[..]: an exponent is a scalar, found a vector of length 2",
        ),
    ] {
        assert_eq!(mistakes_in(expression), [message], "{expression}");
    }
}

#[test]
fn components_and_indices_lie_in_bounds() {
    for (expression, message) in [
        ("x.x", "x: a scalar has no component `x`"),
        ("[x, y].z", "z: a vector of length 2 has no component `z`"),
        (
            "[x, y].w",
            "w: unknown component `w` | the components are `.x`, `.y` and `.z`; others have an index, `v[0]`",
        ),
        (
            "[x, y, a, b].y",
            "y: only vectors of up to three entries have components, this is a vector of length 4 \
             | write `[1]`",
        ),
        ("[[x, y]].x", "x: a 1 x 2 matrix has no component `x`"),
        (
            "[x, y][2]",
            "2: index out of bounds: 2 of 2 | the first entry is 0, the last one 1",
        ),
        (
            "[x, y][-1]",
            "-..1: index out of bounds: -1 of 2 | the first entry is 0, the last one 1",
        ),
        (
            "[[x, y]][0, 2]",
            "2: index out of bounds: 2 of 2 | the first entry is 0, the last one 1",
        ),
        ("[x, y][x]", "x: an index is a constant integer"),
        ("[x, y][1/2]", "1..2: an index is a constant integer"),
        ("x[0]", "[0]: a scalar has no index"),
        (
            "[x, y][0, 0]",
            "[0, 0]: a vector of length 2 has one index, found 2",
        ),
        (
            "[[x]][0, 0, 0]",
            "[0, 0, 0]: a 1 x 1 matrix has one or two indices, found 3",
        ),
    ] {
        assert_eq!(mistakes_in(expression), [message], "{expression}");
    }
}

#[test]
fn every_independent_mistake_is_seen_once() {
    assert_eq!(
        mistakes_in("sin(1 / 0) + ([x, y] + x) * foo(bar) + [x, y][5]"),
        [
            "0: division by zero",
            "+: mismatched shapes: a vector of length 2 plus a scalar",
            "bar: unknown name `bar` | declare it among the fields, `bar: parameter`, or before this by `let bar = ..;`",
            "5: index out of bounds: 5 of 2 | the first entry is 0, the last one 1",
        ]
    );
}
