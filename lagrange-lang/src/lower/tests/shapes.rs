//! Mismatched shapes, components and indices.

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
        (
            "x[0]",
            "[0]: a scalar has no index | `x` is one number: remove the index, or write its size as a number, `x: coordinate[3]`",
        ),
        (
            "[x, y][0, 0]",
            "[0, 0]: a vector of length 2 has one index, found 2",
        ),
        (
            "[[x]][0, 0, 0]",
            "[0, 0, 0]: a 1 x 1 matrix has one or two indices, found 3",
        ),
        (
            "[x, y].xz",
            "xz: a vector of length 2 has no component `xz`",
        ),
        ("x.xy", "xy: a scalar has no component `xy`"),
        ("[[x, y]].xy", "xy: a 1 x 2 matrix has no component `xy`"),
        (
            "[x, y].xx",
            "xx: the letters of a part differ: `xx` has one twice | write the entries of another vector as a \
             list, `[v.x, v.x]`",
        ),
        (
            "[x, y, a, b].yz",
            "yz: only vectors of up to three entries have components, this is a vector of length 4 \
             | write `[1..3]`",
        ),
        (
            "[x, y, a, b].zx",
            "zx: only vectors of up to three entries have components, this is a vector of length 4 \
             | write a list of its entries, `[v[0], v[2]]`",
        ),
        (
            "[x, y][1..3]",
            "1..3: index out of bounds: 1..3 of 2 | the first entry is 0, and a range ends at 2 at most, after the last",
        ),
        (
            "[x, y][-1..1]",
            "-..1: index out of bounds: -1..1 of 2 | the first entry is 0, and a range ends at 2 at most, after the last",
        ),
        (
            "[[x, y]][0, 1..1]",
            "1..1: no entry lies in this range: it runs from 1 to 1, exclusive | a range `a..b` has b > a",
        ),
        (
            "[x, y][0..x]",
            "x: the bound of a range is a constant integer",
        ),
        (
            "x[0..1]",
            "[0..1]: a scalar has no index | `x` is one number: remove the index, or write its size as a number, `x: coordinate[3]`",
        ),
        (
            "[x, y][0..=1]",
            "...=: a range is written `a..b`, with `b` excluded",
        ),
        (
            "[x, y][1..]",
            ".: a range has both bounds | write `a..b`, from the first entry to the one after the last",
        ),
        (
            "[x, y][..1]",
            "....: a range has both bounds | write `a..b`, from the first entry to the one after the last",
        ),
        (
            "[[x, y]][0, ..]",
            "....: a range has both bounds | write `a..b`, from the first entry to the one after the last",
        ),
        (
            "x..y",
            "....: a range is allowed only in `for`, `sum` and an index",
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

/// Each word of one to three different letters, for vectors of two and three entries.
#[test]
fn letters_take_entries_in_any_order() {
    let words = ["x", "y", "z"].map(str::to_owned).to_vec();
    let longer = |words: &[String]| -> Vec<String> {
        words
            .iter()
            .flat_map(|word| ["x", "y", "z"].map(|letter| (word, letter)))
            .filter(|(word, letter)| !word.contains(letter))
            .map(|(word, letter)| format!("{word}{letter}"))
            .collect()
    };
    let (pairs, triples) = (longer(&words), longer(&longer(&words)));
    assert_eq!((pairs.len(), triples.len()), (6, 6));
    for (vector, length) in [("[10, 11]", 2), ("[10, 11, 12]", 3)] {
        for word in words.iter().chain(&pairs).chain(&triples) {
            let expression = format!("{vector}.{word}");
            let positions: Vec<usize> = word.chars().filter_map(|c| "xyz".find(c)).collect();
            if positions.iter().any(|position| *position >= length) {
                assert_eq!(mistakes_in(&expression).len(), 1, "{expression}");
                continue;
            }
            let shape = match positions.len() {
                1 => Shape::Scalar,
                length => Shape::Vector(length),
            };
            let expected = positions.iter().map(|position| 10.0 + *position as f64);
            assert_eq!(
                output("", &expression),
                (shape, expected.collect()),
                "{expression}"
            );
        }
    }
}

/// Each index and range of a vector, and each pair of them for a matrix, in and out of bounds.
#[test]
fn ranges_take_blocks() {
    const ROWS: usize = 2;
    const COLUMNS: usize = 3;
    // The entries that each text selects in a dimension, and whether it is a single index.
    let taken = |length: usize| {
        let single = (0..=length).map(|i| (i.to_string(), vec![i], true));
        let ranges = (0..=length)
            .flat_map(move |a| (0..=length + 1).map(move |b| (a, b)))
            .map(|(a, b)| (format!("{a}..{b}"), (a..b).collect(), false));
        single.chain(ranges).collect::<Vec<_>>()
    };
    let fits = |entries: &[usize], length: usize| {
        !entries.is_empty() && entries.iter().all(|entry| *entry < length)
    };
    for (text, columns, is_one) in taken(COLUMNS) {
        let expression = format!("[0, 1, 2][{text}]");
        if !fits(&columns, COLUMNS) {
            assert_eq!(mistakes_in(&expression).len(), 1, "{expression}");
            continue;
        }
        let shape = match is_one {
            true => Shape::Scalar,
            false => Shape::Vector(columns.len()),
        };
        let expected = columns.iter().map(|column| *column as f64).collect();
        assert_eq!(output("", &expression), (shape, expected), "{expression}");
    }
    let all_columns: Vec<usize> = (0..COLUMNS).collect();
    for (rows_text, rows, is_one_row) in taken(ROWS) {
        let mut cases = vec![(rows_text.clone(), all_columns.clone(), false)];
        cases.extend(
            taken(COLUMNS)
                .into_iter()
                .map(|(text, columns, is_one)| (format!("{rows_text}, {text}"), columns, is_one)),
        );
        for (text, columns, is_one_column) in cases {
            // As a name, of which only the part is read, and as an expression.
            for (before, matrix) in [
                ("let m = [[0, 1, 2], [10, 11, 12]];", "m"),
                ("", "(1 * [[0, 1, 2], [10, 11, 12]])"),
            ] {
                let expression = format!("{matrix}[{text}]");
                if !fits(&rows, ROWS) || !fits(&columns, COLUMNS) {
                    let source = format!("{HEAD} {before} pub let out = {expression}; {KINETIC}");
                    assert!(!mistakes(&source).is_empty(), "{expression}");
                    continue;
                }
                let shape = match (is_one_row, is_one_column) {
                    (true, true) => Shape::Scalar,
                    (true, false) => Shape::Vector(columns.len()),
                    (false, true) => Shape::Vector(rows.len()),
                    (false, false) => Shape::Matrix(rows.len(), columns.len()),
                };
                let expected = rows
                    .iter()
                    .flat_map(|row| columns.iter().map(move |column| 10 * row + column))
                    .map(|entry| entry as f64);
                assert_eq!(
                    output(before, &expression),
                    (shape, expected.collect()),
                    "{expression}"
                );
            }
        }
    }
}
