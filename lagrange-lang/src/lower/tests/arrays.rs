//! Fields that are vectors and matrices.

use lagrange_engine::Energy;

use super::*;

fn mistakes_in_head(fields: &str) -> Vec<String> {
    mistakes(&format!("struct S {{ {fields} }} T = der(x)^2;"))
}

#[test]
fn elements_are_numbered_row_by_row() {
    let (head, lowered, errors) = run(
        "struct S { x: coordinate, r: coordinate[1 + 1], R: coordinate[2, 3], m: parameter, \
         k: parameter[2], K: parameter[2, 2], u: input[2] } \
         T = der(x)^2 + der(r)^2 + trace(transpose(der(R)) * der(R)); V = m * k[1] * K[1, 0]; \
         Q.r = u;",
    );
    assert_eq!(describe(&errors), Vec::<String>::new());
    let places: Vec<(usize, Shape)> = head
        .coordinates
        .iter()
        .map(|d| (d.velocities().start, d.shape))
        .collect();
    assert_eq!(
        places,
        [
            (0, Shape::Scalar),
            (1, Shape::Vector(2)),
            (3, Shape::Matrix(2, 3))
        ]
    );
    let system = lowered.system.unwrap();
    assert_eq!(
        system.names.coordinates,
        [
            "x", "r[0]", "r[1]", "R[0, 0]", "R[0, 1]", "R[0, 2]", "R[1, 0]", "R[1, 1]", "R[1, 2]"
        ]
    );
    assert_eq!(
        system.names.parameters,
        [
            "m", "k[0]", "k[1]", "K[0, 0]", "K[0, 1]", "K[1, 0]", "K[1, 1]"
        ]
    );
    assert_eq!(system.names.inputs, ["u[0]", "u[1]"]);
    let inputs: Vec<bool> = system
        .forces
        .iter()
        .map(|force| !system.graph.is_zero(*force))
        .collect();
    assert_eq!(
        inputs,
        [false, true, true, false, false, false, false, false, false]
    );
}

#[test]
fn arrays_occur_whole_and_by_element() {
    let head =
        "struct S { r: coordinate[3], R: coordinate[2, 2], k: parameter[3], K: parameter[2, 3] }";
    let kinetic = "T = der(r)^2 + trace(transpose(der(R)) * der(R));";
    let value = |symbol: Symbol| match symbol {
        Symbol::Coordinate(i) => [0.1, 0.2, 0.3, 1.0, 2.0, 3.0, 4.0][i as usize],
        Symbol::Velocity(i) => [1.0, 2.0, 3.0, 0.5, 0.25, 0.125, 0.0625][i as usize],
        Symbol::Parameter(i) => [7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0][i as usize],
        _ => f64::NAN,
    };
    for (expression, shape, expected) in [
        ("r", Shape::Vector(3), vec![0.1, 0.2, 0.3]),
        ("2 * r + k", Shape::Vector(3), vec![7.2, 8.4, 9.6]),
        ("r.y + k[2]", Shape::Scalar, vec![9.2]),
        ("r\u{307}", Shape::Vector(3), vec![1.0, 2.0, 3.0]),
        ("r\u{307}[1] + r\u{307}.z", Shape::Scalar, vec![5.0]),
        ("dot(r, der(r))", Shape::Scalar, vec![1.4]),
        ("R[1]", Shape::Vector(2), vec![3.0, 4.0]),
        ("R[1, 0] * R[1].y", Shape::Scalar, vec![12.0]),
        ("R\u{307}[0, 1]", Shape::Scalar, vec![0.25]),
        ("K * k", Shape::Vector(2), vec![50.0, 122.0]),
        ("transpose(K)[2]", Shape::Vector(2), vec![3.0, 6.0]),
        ("R * R", Shape::Matrix(2, 2), vec![7.0, 10.0, 15.0, 22.0]),
        ("norm(k - [7, 4, 6])", Shape::Scalar, vec![5.0]),
        ("r[1 - 1] + r[4 / 2]", Shape::Scalar, vec![0.4]),
    ] {
        let lowered = system(&format!("{head} {kinetic} pub let out = {expression};"));
        let output = &lowered.outputs[0];
        assert_eq!(output.shape, shape, "{expression}");
        let values = lowered.graph.evaluate(&output.entries, &value);
        assert_close(&values, &expected, expression);
    }
}

#[test]
fn forces_act_on_arrays_and_their_parts() {
    let head = "struct S { r: coordinate[3], R: coordinate[2, 2], u: input[3] } \
                T = der(r)^2 + trace(transpose(der(R)) * der(R));";
    let value = |symbol: Symbol| match symbol {
        Symbol::Input(i) => [1.0, 2.0, 3.0][i as usize],
        _ => f64::NAN,
    };
    for (statements, expected) in [
        ("Q.r = u;", [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0]),
        (
            "Q.r.y = u[2]; Q.r[0] += 5; Q.r.x += 1;",
            [6.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        ),
        (
            "Q.R[1, 0] = u.x; Q.R[0] = [u.y, 4];",
            [0.0, 0.0, 0.0, 2.0, 4.0, 1.0, 0.0],
        ),
        (
            "Q.R = [[1, 2], [3, u.z]];",
            [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 3.0],
        ),
    ] {
        let lowered = system(&format!("{head} {statements}"));
        let values = lowered.graph.evaluate(&lowered.forces, &value);
        assert_close(&values, &expected, statements);
    }
    for (statements, message) in [
        (
            "Q.r = 1;",
            "1: mismatched shapes: `r` is a vector of length 3, the force on it a scalar",
        ),
        (
            "Q.r[3] = 1;",
            "3: index out of bounds: 3 of 3 | the first entry is 0, the last one 2",
        ),
        (
            "Q.r = u; Q.r.z = 1;",
            "Q: `Q.r` is given twice | add to it with `+=`",
        ),
        (
            "V = u[1] * r.x;",
            "u: the input `u[0]` may not occur in `V` | give its force by `Q.r = ..;` or `force F at p;`; a motion given in time is a function of time: declare `t: time`",
        ),
    ] {
        let messages = mistakes(&format!("{head} {statements}"));
        let message = message.replace("u[0]", "u[1]");
        assert_eq!(messages, [message], "{statements}");
    }
}

#[test]
fn defaults_fill_or_fit() {
    let (head, _, errors) = run(
        "struct S { x: coordinate, a: parameter[3] = 2 * pi, b, c: parameter[2] = [1, 2 + 1], \
         d: parameter[2, 2] = [[1, 0], [0, 1]], e: parameter[2, 2] = identity(2) } \
         T = der(x)^2 * a[0] * b[0] * c[0] * d[0, 0] * e[0, 0];",
    );
    assert_eq!(describe(&errors), Vec::<String>::new());
    let defaults: Vec<Vec<f64>> = head
        .parameters
        .iter()
        .map(|p| p.default.clone().unwrap())
        .collect();
    let turn = 2.0 * std::f64::consts::PI;
    let unit = vec![1.0, 0.0, 0.0, 1.0];
    assert_eq!(
        defaults,
        [
            vec![turn; 3],
            vec![1.0, 3.0],
            vec![1.0, 3.0],
            unit.clone(),
            unit
        ]
    );
}

#[test]
fn mistakes_in_sizes_and_defaults_are_at_their_token() {
    for (fields, expected) in [
        (
            "x: coordinate, k: parameter[3] = [1, 2]",
            "[..]: mismatched shapes: the parameter is a vector of length 3, its default a vector of \
             length 2",
        ),
        (
            "x: coordinate, k: parameter[2, 2] = [1, 2]",
            "[..]: mismatched shapes: the parameter is a 2 x 2 matrix, its default a vector of \
             length 2",
        ),
        (
            "x: coordinate, k: parameter[2] = [1, exp(700)^2]",
            "[..]: element 1 of this default is no finite number",
        ),
        (
            "x: coordinate, k: parameter[0]",
            "0: an array has at least one element, this size is 0",
        ),
        (
            "x: coordinate, k: parameter[2 - 3]",
            "2..3: an array has at least one element, this size is -1",
        ),
        (
            "x: coordinate, k: parameter[1/2]",
            "1..2: a size is a constant integer",
        ),
        (
            "x: coordinate, k: parameter[2, 1.5]",
            "1.5: a size is a constant integer",
        ),
        (
            "x: coordinate, k: parameter[N + 1]",
            "N: a size is a constant integer, and `N` is not | \
             write the number: the macro does not see the values of Rust's constants",
        ),
        (
            "x: coordinate, k: parameter[100000]",
            "100000: an array has at most 16384 elements, this size is 100000",
        ),
        (
            "x: coordinate, u: input[200], w: input[57]",
            "57: a system has at most 256 inputs, with these it has 257",
        ),
        (
            "x: coordinate, r: coordinate[16, 16]",
            "16: a system has at most 256 coordinates, with these it has 257",
        ),
        (
            "x: coordinate, k: parameter[10000, 10000]",
            "10000: a system has at most 16384 elements of parameters, with these it has 100000000",
        ),
    ] {
        assert_eq!(mistakes_in_head(fields), [expected], "{fields}");
    }
}

#[test]
fn a_stub_knows_arrays_whatever_their_mistakes() {
    let (head, lowered, errors) = run(
        "struct S { r: coordinate[3], k: parameter[2] = [1], n: parameter[0], K: parameter[2, x] = 1 } \
         T = der(r)^2 * K[1, 1]; V = n[4] * k[1]; pub let p = k; pub let w = n;",
    );
    assert_eq!(errors.messages().len(), 3, "{:?}", errors.messages());
    let shapes: Vec<Shape> = head.parameters.iter().map(|p| p.shape).collect();
    assert_eq!(
        shapes,
        [Shape::Vector(2), Shape::Vector(1), Shape::Matrix(1, 1)]
    );
    assert_eq!(head.parameters[0].default, Some(vec![0.0; 2]));
    assert_eq!(head.parameters[2].default, Some(vec![0.0]));
    assert_eq!(head.coordinate_count(), 3);
    assert_eq!(lowered.tables.outputs[0].shape, Some(Shape::Vector(2)));
}

#[test]
fn each_element_is_used_and_has_inertia() {
    for (statements, message) in [
        (
            "T = der(r.x)^2;",
            "r: nothing depends on the coordinates `r[1]` and `r[2]` | \
             remove them, or give them a kinetic energy",
        ),
        (
            "T = der(r.x)^2 + der(r.z)^2;",
            "r: nothing depends on the coordinate `r[1]` | \
             remove it, or give it a kinetic energy",
        ),
    ] {
        let source = format!("struct S {{ r: coordinate[3] }} {statements}");
        assert_eq!(mistakes(&source), [message], "{statements}");
    }
    // If there is another mistake, the elements without inertia are named too.
    assert_eq!(
        mistakes("struct S { r: coordinate[3] } T = der(r.x)^2; V = r^2 + foo;"),
        [
            "foo: unknown name `foo` | declare it among the fields, `foo: parameter`, or before this by `let foo = ..;`",
            "r: the coordinates `r[1]` and `r[2]` have no inertia: their rows of the mass matrix are \
          zero | give them a mass, or remove them"
        ]
    );
}

#[test]
fn an_array_that_nothing_reads_is_unused() {
    let (_, lowered, _) = run(
        "struct S { x: coordinate, k, l: parameter[2], u, w: input[2] } \
         T = k[0] * der(x)^2; Q.x = u[1];",
    );
    let unused: Vec<String> = lowered
        .tables
        .unused
        .iter()
        .map(|u| u.name.to_string())
        .collect();
    assert_eq!(unused, ["l", "w"]);
}

#[test]
fn velocities_of_arrays_are_theirs() {
    let mut lowered = system(
        "struct S { θ: coordinate[2], m: parameter[2] } T = m.x * θ\u{307}.x^2 + m.y * θ\u{307}[1]^2;",
    );
    let Energy::Natural { kinetic, .. } = lowered.whole_energy() else {
        panic!("T was given");
    };
    let value = |symbol: Symbol| match symbol {
        Symbol::Velocity(i) => [2.0, 3.0][i as usize],
        Symbol::Parameter(i) => [1.0, 10.0][i as usize],
        _ => f64::NAN,
    };
    assert_close(&lowered.graph.evaluate(&[kinetic], &value), &[94.0], "T");
}
