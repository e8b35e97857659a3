//! Fields of the head, and their mistakes.

use quote::ToTokens;

use super::{mistakes, parse_source, print};
use crate::syntax::ast::{FieldDef, Role, SystemDef};

fn field(field: &FieldDef) -> String {
    let names: Vec<String> = field.names.iter().map(ToString::to_string).collect();
    let sizes: Vec<String> = field.dimensions.iter().map(print::expr).collect();
    let default = field.default.as_ref().map_or(String::new(), |default| {
        format!(" = {}", print::expr(default))
    });
    let attributes = "#".repeat(field.attributes.len());
    let (names, sizes) = (names.join(" "), sizes.join(" "));
    format!("{attributes}{names}: {:?}[{sizes}]{default}", field.role)
}

fn fields(system: &SystemDef) -> Vec<String> {
    system.fields.iter().map(field).collect()
}

fn attributes(system: &SystemDef) -> Vec<String> {
    system
        .attributes
        .iter()
        .map(|a| a.to_token_stream().to_string())
        .collect()
}

/// The mistakes of one list of fields, and the fields that are kept.
#[track_caller]
fn check_fields(source: &str, expected: &[&str], kept: &[&str]) {
    let source = format!("struct A {{ {source} }} T = 2 x;");
    let mut messages = mistakes(&source);
    let last = messages.pop().unwrap();
    assert!(last.starts_with("x: expected an operator"), "{last}");
    assert_eq!(messages, expected, "{source}");
    let (system, _) = parse_source(&source);
    assert_eq!(fields(&system.unwrap()), kept, "{source}");
}

#[test]
fn a_whole_head() {
    let (system, errors) = parse_source(
        "/// A cart.
        #[derive(Clone, Debug)]
        #[lagrangian(crate = ::other::lagrangian)]
        pub(crate) struct Cart {
            /// Position.
            x: coordinate,
            m_c, r#type, θ: parameter = 2 * pi,
            r: coordinate[3],
            R: coordinate[1 + 1, 3],
            k: parameter[2] = [1, 2],
            #[allow(a)] u: input[2],
            t: time
        }
        T = x;",
    );
    assert_eq!(errors.messages(), Vec::<String>::new());
    let system = system.unwrap();
    assert_eq!(system.name, "Cart");
    assert_eq!(
        system.visibility.to_token_stream().to_string(),
        "pub (crate)"
    );
    let path = system
        .options
        .crate_path
        .as_ref()
        .unwrap()
        .to_token_stream();
    assert_eq!(path.to_string(), ":: other :: lagrangian");
    assert_eq!(
        attributes(&system),
        ["# [doc = \" A cart.\"]", "# [derive (Clone , Debug)]"]
    );
    let expected = [
        "#x: Coordinate[]",
        "m_c r#type θ: Parameter[] = (2 * pi)",
        "r: Coordinate[3]",
        "R: Coordinate[(1 + 1) 3]",
        "k: Parameter[2] = [1, 2]",
        "#u: Input[2]",
        "t: Time[]",
    ];
    assert_eq!(fields(&system), expected);
    assert_eq!(system.statements.len(), 1);
}

#[test]
fn derived_default_is_refused_and_removed() {
    let source =
        "#[derive(Clone, Default, core::default::Default, Debug)] struct A { x: coordinate }";
    let message = "`Default` is implemented by the macro, exactly when every parameter has a \
                   default | remove it here";
    assert_eq!(
        mistakes(source),
        [
            format!("Default: {message}"),
            format!("core..Default: {message}")
        ]
    );
    let (system, _) = parse_source(source);
    assert_eq!(attributes(&system.unwrap()), ["# [derive (Clone , Debug)]"]);
}

#[test]
fn options_of_the_macro() {
    for (option, expected) in [
        (
            "(carte = a)",
            "carte: unknown option | the options are `crate = path`, `coriolis_matrix`, `hessian`, `midpoint_step` and `redundant`",
        ),
        (
            "(crate = a, crate = b)",
            "crate: `crate` is given twice | remove it",
        ),
        (
            "(coriolis_matrix, crate = a, coriolis_matrix)",
            "coriolis_matrix: `coriolis_matrix` is given twice | remove it",
        ),
        (
            "(coriolis_matrix = 1)",
            "coriolis_matrix: `coriolis_matrix` takes no value | write `#[lagrangian(coriolis_matrix)]`",
        ),
        (
            "(redundant, redundant)",
            "redundant: `redundant` is given twice | remove it",
        ),
    ] {
        let source = format!("#[lagrangian{option}] struct A {{ x: coordinate }}");
        assert_eq!(mistakes(&source), [expected]);
        let (system, _) = parse_source(&source);
        assert!(system.unwrap().attributes.is_empty());
    }
    for option in ["", "(crate)", "(crate = 2)", " = 3"] {
        let source = format!("#[lagrangian{option}] struct A {{ x: coordinate }}");
        assert_eq!(mistakes(&source).len(), 1, "{option}");
    }
    let source = "#[lagrangian(coriolis_matrix, crate = a)] struct A { x: coordinate }";
    let (system, errors) = parse_source(source);
    let options = system.unwrap().options;
    assert_eq!(errors.messages(), Vec::<String>::new());
    assert!(options.coriolis_matrix.is_some() && options.crate_path.is_some());
}

#[test]
fn broken_attributes_are_reported_once() {
    for source in [
        "#[] struct A { x: coordinate }",
        "#[a b c] struct A { x: coordinate }",
        "struct A { #[1] x: coordinate }",
    ] {
        assert_eq!(mistakes(source).len(), 1, "{source}");
    }
}

#[test]
fn broken_roles() {
    check_fields(
        "x: coord, a: parm = 2, b: whatsoever",
        &[
            "coord: unknown role `coord` | write `x: coordinate`",
            "parm: unknown role `parm` | did you mean `parameter`?",
            "whatsoever: unknown role `whatsoever` \
             | expected `coordinate`, `rotation`, `parameter`, `state`, `input`, `time` or `robot`",
        ],
        &["x: Unknown[]", "a: Unknown[]", "b: Unknown[]"],
    );
    let rust_type = |name: &str| {
        format!(
            "expected a role, found a Rust type | write `{name}: parameter`, or `coordinate`, \
             `rotation`, `state`, `input` or `time`"
        )
    };
    check_fields(
        "x: f64, v: Vec<HashMap<a, b>>, y: coordinate",
        &[
            &format!("f64: {}", rust_type("x")),
            &format!("Vec..>: {}", rust_type("v")),
        ],
        &["x: Unknown[]", "v: Unknown[]", "y: Coordinate[]"],
    );
    check_fields(
        "x: , y: [f64; 3], z: &str",
        &[
            ",: expected a role, found `,` | write for example `x: coordinate`",
            "[..]: the size of a field follows its role | write `y: coordinate[3]` or `y: parameter[3]`",
            "&: expected a role, found `&` | write for example `z: coordinate`",
        ],
        &["x: Unknown[]", "y: Unknown[]", "z: Unknown[]"],
    );
    check_fields(
        "x: coordinate, a, b",
        &["b: `b` has no role | write for example `b: coordinate`"],
        &["x: Coordinate[]", "a b: Unknown[]"],
    );
    check_fields(
        "x = 2, y: coordinate",
        &["x: `x` has no role | write `x: parameter = 2`"],
        &["x: Unknown[]", "y: Coordinate[]"],
    );
}

#[test]
fn broken_sizes() {
    check_fields(
        "x[3]: coordinate, y: coordinate",
        &["[..]: the size belongs to the role | write `r: coordinate[3]`"],
        &["x: Unknown[]", "y: Coordinate[]"],
    );
    check_fields(
        "a: coordinate[1, 2, 3], u: input[2, 3], t: time[2], b: parameter[2][3], c: coordinate[]",
        &[
            "3: a field has at most two sizes: a scalar, vector or matrix",
            "3: an input is a scalar or a vector",
            "[..]: time is a scalar",
            "[..]: the sizes of a matrix are in one pair of brackets | write `[r, c]`",
            "]: expected a size, found `]` | write it between the brackets, such as `[3]`, or remove them",
        ],
        &[
            "a: Unknown[]",
            "u: Unknown[]",
            "t: Unknown[]",
            "b: Unknown[]",
            "c: Coordinate[?]",
        ],
    );
}

#[test]
fn broken_defaults() {
    check_fields(
        "x: coordinate = 1 + 2, u: input = 3, t: time = 0, m: parameter = 2 +, l: parameter",
        &[
            "=..2: only parameters have defaults | remove the default",
            "=..3: only parameters have defaults | remove the default",
            "=..0: only parameters have defaults | remove the default",
            ",: expected an expression, found `,`",
        ],
        &[
            "x: Coordinate[]",
            "u: Input[]",
            "t: Time[]",
            "m: Parameter[] = ?",
            "l: Parameter[]",
        ],
    );
}

#[test]
fn broken_lists_of_fields() {
    check_fields(
        "pub x: coordinate; y: coordinate z: input, 3: time, pub(crate) w: time",
        &[
            "pub: fields have no visibility of their own: parameters are public | remove `pub`",
            ";: fields are separated by `,` | write `,`",
            "coordinate: missing `,` after this",
            "3: expected the name of a field, found `3`",
            "pub..(crate): fields have no visibility of their own: parameters are public \
             | remove `pub`",
        ],
        &[
            "x: Coordinate[]",
            "y: Coordinate[]",
            "z: Input[]",
            "w: Time[]",
        ],
    );
    check_fields(
        "type: input, x: coordinate more stuff, y: input, #[a]",
        &[
            "type: expected the name of a field, found the Rust keyword `type` \
             | write `r#type` to use the word as a name",
            "more: expected `,`, found `more` | fields are separated by `,`",
            "#..[a]: expected a field after this attribute or doc comment",
        ],
        &["x: Coordinate[]", "y: Input[]"],
    );
    check_fields("", &[], &[]);
}

#[test]
fn wrong_items() {
    for (source, expected, named) in [
        ("", "expected `struct`, found the end", false),
        (
            "struct",
            "struct: expected a name for the system, found the end",
            false,
        ),
        (
            "struct { x: coordinate }",
            "{: expected a name for the system, found `{`",
            false,
        ),
        (
            "struct fn { x: coordinate }",
            "fn: expected a name for the system, found the Rust keyword `fn` \
             | write `r#fn` to use the word as a name",
            false,
        ),
        (
            "enum A { X, Y } T = unknown;",
            "enum: expected `struct`, found `enum` | a system is `struct Name { .. }`",
            true,
        ),
        (
            "impl A { fn f() {} }",
            "impl: expected `struct`, found `impl` | a system is `struct Name { .. }`",
            true,
        ),
        (
            "system A { x: coordinate }",
            "system: expected `struct`, found `system`",
            true,
        ),
        (
            "A { x: coordinate }",
            "A: missing `struct` before `A`",
            true,
        ),
        ("T = x;", "T: expected `struct`, found `T`", false),
        (
            "struct A(f64, f64); T = x;",
            "(..): the fields of a system have names | write `struct A { x: coordinate, .. }`",
            true,
        ),
        (
            "struct A; T = x;",
            ";: a system has fields | write `struct A { x: coordinate, .. }`",
            true,
        ),
        (
            "struct A T = x;",
            "T: expected `{`, found `T` | write `struct A { x: coordinate, .. }`",
            true,
        ),
        (
            "struct A<S: Real, const N: usize> where S: Copy { x: coordinate }",
            "<..Copy: a system has no generic parameters of its own: the macro adds the scalar \
             type | write `struct A {`",
            true,
        ),
        (
            "struct A where S: Copy { x: coordinate }",
            "where..Copy: a system has no `where` clause | remove it",
            true,
        ),
        (
            "pub(never) struct A { x: coordinate }",
            "(never): unexpected token",
            true,
        ),
    ] {
        let messages: Vec<String> = mistakes(source);
        let actual: Vec<&str> = messages
            .iter()
            .map(|m| m.trim_start_matches(": "))
            .collect();
        assert_eq!(actual, [expected], "{source}");
        let (system, _) = parse_source(source);
        assert_eq!(system.is_some(), named, "{source}");
    }
}

#[test]
fn without_fields_any_name_may_be_missing() {
    let (system, _) = parse_source("struct A; T = x;");
    let system = system.unwrap();
    assert!(system.fields.is_empty() && system.lacks_names);
    assert_eq!(system.name, "A");
}

#[test]
fn names_of_unknown_roles_are_declared() {
    let (system, errors) = parse_source("struct A { x: coord } T = x;");
    assert_eq!(errors.messages().len(), 1);
    let system = system.unwrap();
    assert_eq!(system.fields[0].role, Role::Unknown);
    assert_eq!(system.statements.len(), 1);
}
