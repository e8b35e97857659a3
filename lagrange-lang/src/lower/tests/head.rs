//! The fields: roles, names, defaults.

use super::*;

#[test]
fn fields_are_numbered_by_role_and_keep_their_attributes() {
    let (head, lowered, errors) = run(
        "/// A system.\n struct S { /// Two.\n x, y: coordinate, m: parameter, r#type: coordinate, \
         l: parameter = 2, s: time, u: input } T = der(x)^2 + der(y)^2 + der(r#type)^2;",
    );
    assert_eq!(describe(&errors), Vec::<String>::new());
    let coordinates: Vec<_> = head
        .coordinates
        .iter()
        .map(|d| (d.name.to_string(), d.velocities().start))
        .collect();
    assert_eq!(
        coordinates,
        [
            ("x".to_owned(), 0),
            ("y".to_owned(), 1),
            ("r#type".to_owned(), 2)
        ]
    );
    assert_eq!(head.coordinates[1].attributes.len(), 1);
    assert_eq!(head.attributes.len(), 1);
    assert_eq!(head.time.unwrap(), "s");
    assert_eq!(head.parameters[0].default, None);
    assert_eq!(head.parameters[1].default, Some(vec![2.0]));
    let names = lowered.system.unwrap().names;
    assert_eq!(names.coordinates, ["x", "y", "type"]);
    assert_eq!(names.parameters, ["m", "l"]);
    assert_eq!(
        (names.inputs, names.time),
        (vec!["u".to_owned()], Some("s".to_owned()))
    );
}

#[test]
fn defaults_are_constant_expressions() {
    let (head, _, errors) = run(
        "struct S { x: coordinate, a, b: parameter = 2 * pi / 3, c: parameter = sqrt(2)^3 } \
         T = a * b * c * der(x)^2;",
    );
    assert!(errors.is_empty());
    let default = 2.0 * std::f64::consts::PI / 3.0;
    assert_eq!(head.parameters[0].default, Some(vec![default]));
    assert_eq!(head.parameters[1].default, Some(vec![default]));
    let default = head.parameters[2].default.clone().unwrap();
    assert_close(&default, &[8_f64.sqrt()], "sqrt(2)^3");
}

#[test]
fn mistakes_in_the_head_are_at_their_token() {
    for (fields, expected) in [
        (
            "x: coordinate, m: parameter, n: parameter = 2 * m",
            "m: a default is a constant, but `m` is a parameter | \
             write a number or an expression of numbers",
        ),
        (
            "x: coordinate, m: parameter = der(x)",
            "der: a default is a constant, but `x` is a coordinate | \
             write a number or an expression of numbers",
        ),
        (
            "x: coordinate, m: parameter = n",
            "n: unknown name `n` | write the number: a default is constant, and the macro does not see Rust's constants",
        ),
        ("x: coordinate, m: parameter = 1 / 0", "0: division by zero"),
        (
            "x: coordinate, m: parameter = exp(700)^2",
            ": this default is not a finite number",
        ),
        (
            "x: coordinate, m: parameter = [1, 2]",
            ": mismatched shapes: the parameter is a scalar, its default a vector of length 2",
        ),
        (
            "x: coordinate, x: parameter",
            "x: duplicate name: `x` is already a coordinate | choose another name",
        ),
        (
            "x: coordinate, x: coordinate",
            "x: duplicate name: `x` is already a coordinate | choose another name",
        ),
        (
            "x: coordinate, L: parameter",
            "L: `L` is reserved for the Lagrangian | choose another name",
        ),
        (
            "x: coordinate, der: input",
            "der: `der` is reserved for the derivative by time | choose another name",
        ),
        (
            "x: coordinate, t: time, s: time",
            "s: time is declared twice | remove this one",
        ),
        (
            "m: parameter",
            "S: a system has at least one coordinate | declare `x: coordinate`",
        ),
    ] {
        let kinetic = if fields.starts_with('x') {
            "T = der(x)^2;"
        } else {
            "T = m;"
        };
        let messages = mistakes(&format!("struct S {{ {fields} }} {kinetic}"));
        assert_eq!(messages.len(), 1, "{fields}: {messages:?}");
        assert!(messages[0].ends_with(expected), "{fields}: {messages:?}");
    }
}

#[test]
fn a_stub_knows_the_fields_and_outputs_whatever_the_mistakes() {
    let (head, lowered, errors) = run(
        "struct S { x: coordinate, T: parameter = foo, m: parameter, x: input, u: input } \
         pub let p = [x, m]; pub let bad = foo; pub let f = m * u; T = m * der(x)^2; V = bar;",
    );
    assert_eq!(describe(&errors).len(), 4, "{:?}", describe(&errors));
    assert!(lowered.system.is_none());
    let parameters: Vec<String> = head.parameters.iter().map(|p| p.name.to_string()).collect();
    assert_eq!(parameters, ["T", "m"]);
    assert_eq!(head.parameters[0].default, Some(vec![0.0]));
    assert_eq!((head.coordinates.len(), head.inputs.len()), (1, 1));
    let outputs: Vec<String> = lowered
        .tables
        .outputs
        .iter()
        .map(|o| o.item.name.to_string())
        .collect();
    assert_eq!(outputs, ["p", "bad", "f"]);
    let shapes: Vec<Option<Shape>> = lowered.tables.outputs.iter().map(|o| o.shape).collect();
    assert_eq!(shapes, [None, None, Some(Shape::Scalar)]);
    let crate::model::OutputKind::Value { reads, .. } = lowered.tables.outputs[2].item.kind else {
        panic!("a frame");
    };
    assert!(reads.intersects(lagrange_engine::Dependence::INPUT));
}
