//! Tests of the growth of the macro's cost with its input.

use std::fmt::Write;
use std::time::Instant;

use proc_macro2::TokenTree;

use crate::errors::MOST_SHOWN;
use crate::expand::expand;
use crate::host::Purpose;

/// A declaration of `n` items of one kind.
type Family = fn(usize) -> String;

fn repeated(n: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for i in 0..n {
        let _ = writeln!(text, "{}", part(i));
    }
    text
}

/// A small system, followed by these statements.
fn with(statements: &str) -> String {
    format!(
        "struct A {{ x, y: coordinate, m: parameter = 1, u: input }} T = m * (der(x)^2 + der(y)^2); {statements}"
    )
}

const FAMILIES: [(&str, Family); 33] = [
    ("parameters", |n| {
        let fields = repeated(n, |i| format!("p{i}: parameter,"));
        let sum = repeated(n, |i| format!("+ p{i}"));
        format!("struct A {{ x: coordinate, {fields} }} T = der(x)^2; V = x {sum};")
    }),
    ("parameters with defaults", |n| {
        let fields = repeated(n, |i| format!("p{i}: parameter = 2 * {i},"));
        format!("struct A {{ x: coordinate, {fields} }} T = der(x)^2;")
    }),
    ("names of a field", |n| {
        let names = repeated(n, |i| format!("p{i},"));
        format!("struct A {{ x: coordinate, {names} z: parameter }} T = z * der(x)^2;")
    }),
    ("coordinates", |n| {
        format!(
            "struct A {{ {} }} T = 1;",
            repeated(n, |i| format!("x{i}: coordinate,"))
        )
    }),
    ("inputs", |n| {
        format!(
            "struct A {{ x: coordinate, {} }} T = der(x)^2;",
            repeated(n, |i| format!("x{i}: input,"))
        )
    }),
    ("lets", |n| {
        with(&repeated(n, |i| format!("let a{i} = x + {i};")))
    }),
    ("a chain of lets", |n| {
        with(&format!(
            "let a0 = x; {}",
            repeated(n, |i| format!("let a{} = sin(a{i});", i + 1))
        ))
    }),
    ("outputs", |n| {
        with(&repeated(n, |i| format!("pub let a{i} = x + {i};")))
    }),
    ("assignments", |n| {
        with(&format!(
            "let mut a = x; {}",
            repeated(n, |i| format!("a = sin(a) + {i};"))
        ))
    }),
    ("sums assigned to", |n| {
        with(&format!(
            "let mut a = x; {}",
            repeated(n, |i| format!("a += sin({i} * x);"))
        ))
    }),
    ("energies", |n| {
        with(&repeated(n, |i| format!("V += sin({i} * x);")))
    }),
    ("generalized forces", |n| {
        with(&repeated(n, |i| format!("Q.x += sin({i} * x);")))
    }),
    ("forces", |n| {
        with(&repeated(n, |i| format!("force [{i}, u] at [x, y];")))
    }),
    ("constraints", |n| {
        with(&repeated(n, |i| format!("holonomic c{i}: x = {i} * y;")))
    }),
    ("constraints of one name", |n| {
        with(&repeated(n, |_| "holonomic c: x = y;".to_owned()))
    }),
    ("bodies", |n| {
        with(&repeated(n, |i| {
            format!("body b{i} {{ frame: world, mass: m, at: [x, y, {i}] }}")
        }))
    }),
    ("frames", |n| {
        with(&repeated(n, |i| {
            format!("frame F{i} = world.translate([x, {i}, 0]);")
        }))
    }),
    ("a chain of frames", |n| {
        with(&format!(
            "frame F0 = world; {}",
            repeated(n, |i| format!(
                "frame F{} = F{i}.translate([x, 0, 0]);",
                i + 1
            ))
        ))
    }),
    ("springs", |n| {
        with(&repeated(n, |i| {
            format!("spring {{ from: [x, 0, 0], to: [0, y, {i}], stiffness: m, length: 1 }}")
        }))
    }),
    ("a long sum", |n| {
        with(&format!("V = 0 {};", repeated(n, |i| format!("+ {i} * x"))))
    }),
    ("a long product", |n| {
        with(&format!(
            "V = 1 {};",
            repeated(n, |i| format!("* (x + {i})"))
        ))
    }),
    ("a long list", |n| {
        with(&format!(
            "let a = [{}];",
            repeated(n, |i| format!("{i} * x,"))
        ))
    }),
    ("a long if", |n| {
        with(&format!(
            "V = {} {{ x }};",
            repeated(n, |i| format!("if x < {i} {{ {i} }} else "))
        ))
    }),
    ("a loop of many statements", |n| {
        with(&format!(
            "let mut a = x; for i in 0..2 {{ {} }}",
            repeated(n, |i| format!("let b{i} = a; a = b{i} + i;"))
        ))
    }),
    ("loops", |n| {
        with(&repeated(n, |i| {
            format!("for i in 0..2 {{ V += i * x + {i}; }}")
        }))
    }),
    ("names that are unknown", |n| {
        with(&repeated(n, |i| format!("let a{i} = b{i};")))
    }),
    ("names that are nearly known", |n| {
        with(&repeated(n, |i| format!("let velocity{i} = velocitz{i};")))
    }),
    ("functions that are unknown", |n| {
        with(&repeated(n, |i| format!("let a{i} = f{i}(x);")))
    }),
    ("statements that are unknown", |n| {
        with(&repeated(n, |i| format!("foo{i} bar {{ }}")))
    }),
    ("frames that are unknown", |n| {
        with(&repeated(n, |i| {
            format!("frame Elbow{i} = Elbov{i}.rotate(x, y);")
        }))
    }),
    ("tokens that fit nowhere", |n| {
        with(&repeated(n, |i| {
            format!("let a{i} = x + * {i} ) ;").replace(") ;", "; ?")
        }))
    }),
    ("outputs of one name", |n| {
        with(&repeated(n, |_| "pub let a = x;".to_owned()))
    }),
    ("fields without a role", |n| {
        format!(
            "struct A {{ {} }} T = 1;",
            repeated(n, |i| format!("x{i}: coordinat,"))
        )
    }),
];

/// Mistakes and surplus items, 1100 of each.
#[test]
fn thousands_of_mistakes_are_few_errors() {
    for (name, most) in [
        ("names that are unknown", MOST_SHOWN + 1),
        ("functions that are unknown", MOST_SHOWN + 1),
        ("statements that are unknown", MOST_SHOWN + 1),
        ("tokens that fit nowhere", MOST_SHOWN + 1),
        ("outputs of one name", MOST_SHOWN + 1),
        ("fields without a role", MOST_SHOWN + 1),
        ("coordinates", 1),
        ("inputs", 1),
        ("outputs", 1),
    ] {
        let (_, family) = FAMILIES.iter().find(|(family, _)| *family == name).unwrap();
        let expansion = expand(family(1100).parse().unwrap(), Purpose::Code);
        let errors = expansion
            .into_iter()
            .filter(|token| matches!(token, TokenTree::Ident(word) if word == "compile_error"))
            .count();
        assert!((1..=most).contains(&errors), "{name}: {errors}");
    }
}

/// The sizes at which a limit is reached, without other errors.
#[test]
fn limits_hold_for_scalars_one_by_one_and_in_one_field() {
    for (count, is_fine) in [(256, true), (257, false), (300, false)] {
        let names: Vec<String> = (0..count).map(|i| format!("x{i}")).collect();
        let one_field = names.join(", ") + ": input";
        let fields = names.join(": input, ") + ": input";
        for inputs in [one_field, fields] {
            let text = format!("struct A {{ x: coordinate, {inputs} }} T = der(x)^2; D = nothing;");
            let errors = expand(text.parse().unwrap(), Purpose::Code).to_string();
            let limit = errors.contains("at most 256 inputs, with these it has");
            assert_eq!(
                (limit, errors.matches("compile_error").count()),
                (!is_fine, 2 - usize::from(is_fine))
            );
        }
    }
}

/// The table that `benches/growth` prints: seconds for n, 2n and 4n, and the ratios.
#[test]
#[ignore = "a measurement"]
fn growth() {
    let start = std::env::var("GROWTH")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1000);
    let wanted = std::env::var("FAMILY").unwrap_or_default();
    for (name, family) in FAMILIES.iter().filter(|(name, _)| name.contains(&wanted)) {
        let times = [start, 2 * start, 4 * start].map(|n| {
            let tokens: proc_macro2::TokenStream = family(n).parse().unwrap();
            let start = Instant::now();
            let _expansion = expand(tokens, Purpose::Code);
            start.elapsed().as_secs_f64()
        });
        let [a, b, c] = times;
        let growth = (b / a, c / b);
        println!(
            "{name:32} {a:8.3} {b:8.3} {c:8.3}   {:4.1} {:4.1}",
            growth.0, growth.1
        );
    }
}
