//! How the macro's cost grows with its input.

use std::fmt::Write;
use std::time::Instant;

use crate::expand::expand;

/// A declaration of `n` of something.
type Family = fn(usize) -> String;

fn repeated(n: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for i in 0..n {
        let _ = writeln!(text, "{}", part(i));
    }
    text
}

/// A small system with these statements behind it.
fn with(statements: &str) -> String {
    format!(
        "struct A {{ x, y: coordinate, m: parameter = 1, u: input }} T = m * (der(x)^2 + der(y)^2); {statements}"
    )
}

pub(super) const FAMILIES: [(&str, Family); 33] = [
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

/// `GROWTH=1000 cargo test --release -p lagrange-macros growth -- --ignored --nocapture`
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
            let expansion = expand(tokens);
            let time = start.elapsed().as_secs_f64();
            (time, expansion.into_iter().count())
        });
        let [a, b, c] = times;
        println!(
            "{name:32} {:8.3} {:8.3} {:8.3} s, growth {:4.1} {:4.1}, tokens {} {}",
            a.0,
            b.0,
            c.0,
            b.0 / a.0,
            c.0 / b.0,
            a.1,
            c.1
        );
    }
}
