//! What declarations expand to: snapshots, and what holds for all of them.
//!
//! `UPDATE=1 cargo test -p lagrange-macros` writes the snapshots in `tests/expansions` anew.

mod depth;
mod growth;
mod items;
mod signatures;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use proc_macro2::TokenStream;

use crate::emit::methods::{METHODS, Row};
use crate::expand::expand;

const OSCILLATOR: &str = "
    /// A mass on a spring.
    #[derive(Clone, Debug)]
    pub struct Oscillator {
        /// Elongation [m].
        x: coordinate,
        /// Mass [kg].
        m: parameter,
        k: parameter = 100,
        /// External force [N].
        u: input,
    }
    /// The force of the spring [N].
    pub let tension = k * x;
    let damping = 2;
    T = m * der(x)^2 / 2;
    V = k * x^2 / 2;
    Q.x = u;
";

const CART_POLE: &str = "
    /// A cart that carries an inverted pendulum.
    #[derive(Clone, Debug)]
    pub struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l: parameter,
        g: parameter = 9.81,
        u: input,
    }
    pub let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
";

const SLED: &str = "
    pub struct Sled {
        x, y, heading, lift: coordinate,
        m: parameter,
    }
    T = m * (der(x)^2 + der(y)^2 + der(heading)^2 + der(lift)^2) / 2;
    /// The blade does not slip.
    nonholonomic blade: der(x) * sin(heading) = der(y) * cos(heading);
    nonholonomic rail: [der(heading), der(lift)] = [x * der(y), der(x)];
    /// The rope is taut.
    holonomic rope: x^2 + y^2 = 1;
";

fn expanded(declaration: &str) -> TokenStream {
    expand(declaration.parse().unwrap())
}

fn formatted(declaration: &str) -> String {
    prettyplease::unparse(&syn::parse2(expanded(declaration)).unwrap())
}

fn assert_snapshot(name: &str, declaration: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/expansions")
        .join(name);
    let actual = formatted(declaration);
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &actual).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        actual == expected,
        "{name} has changed; review it with UPDATE=1:\n{actual}"
    );
}

#[test]
fn oscillator() {
    assert_snapshot("oscillator.rs", OSCILLATOR);
}

#[test]
fn oscillator_with_a_mistake() {
    assert_snapshot("mistake.rs", &OSCILLATOR.replace("T = m", "T = mass"));
}

/// The signatures of all methods of the struct itself.
fn signatures(declaration: &str) -> BTreeMap<String, String> {
    let text = formatted(declaration);
    let lines = text
        .lines()
        .skip_while(|line| !line.starts_with("pub struct"));
    let all: String = lines.collect::<Vec<_>>().join(" ");
    let inherent = all.split("::System<").next().unwrap_or_default();
    let functions = inherent.split("pub fn ").skip(1);
    let heads = functions.map(|text| text.split(" {").next().unwrap_or_default());
    let heads = heads.map(|head| head.split_whitespace().collect::<Vec<_>>().join(" "));
    heads
        .map(|head| (head.split('(').next().unwrap_or_default().to_owned(), head))
        .collect()
}

#[test]
fn the_stub_has_the_signatures_of_the_sound_system() {
    let by_lagrangian = CART_POLE
        .replace("T =", "L =")
        .replace("V =", "L += -1 *")
        .replace("u: input", "t: time")
        .replace("= u", "= t");
    let declarations = [
        (CART_POLE, "bob_jacobian"),
        (&by_lagrangian, "bob_jacobian"),
        (SLED, "project"),
    ];
    for (declaration, method) in declarations {
        let sound = signatures(declaration);
        let stub = signatures(&format!("{declaration} D = nothing;"));
        assert!(sound.len() > 15 && sound.contains_key(method), "{sound:#?}");
        for (name, signature) in sound {
            assert_eq!(stub.get(&name), Some(&signature));
        }
    }
}

#[test]
fn the_documentation_lists_constraints_in_the_order_of_their_rows() {
    let text = formatted(SLED);
    let section = text.split("# Constraints\n\n").nth(1).unwrap();
    let section = section.split("\n\n").next().unwrap();
    assert_eq!(
        section,
        "- `rope` (holonomic): The rope is taut.\n\
         - `blade` (nonholonomic): The blade does not slip.\n\
         - `rail[0]` .. `rail[1]` (nonholonomic, but for `rail[1]`: integrable, and so holonomic in kind)"
    );
    let names = r#""rope" , "blade" , "rail[0]" , "rail[1]""#;
    assert!(expanded(SLED).to_string().contains(names));
}

#[test]
fn outputs_leave_the_private_method_its_name() {
    for name in ["__terms", "r#__terms"] {
        let text = expanded(&OSCILLATOR.replace("tension", name)).to_string();
        assert!(text.contains("compile_error"), "{name} is accepted");
    }
}

#[test]
fn a_jacobian_has_the_conditions_of_its_output() {
    let declaration = OSCILLATOR.replace("pub let", "#[cfg(windows)] #[must_use] pub let");
    for declaration in [declaration.clone(), declaration + "D = nothing;"] {
        let text = expanded(&declaration).to_string();
        assert_eq!(text.matches("# [cfg (windows)]").count(), 2, "{text}");
    }
}

/// The names of the methods that the text of a trait declares.
fn methods_in(text: &str) -> Vec<&str> {
    let heads = text.lines().filter_map(|line| line.strip_prefix("    fn "));
    heads
        .filter_map(|head| head.split(['(', '<']).next())
        .collect()
}

#[test]
fn outputs_cannot_be_called_like_methods() {
    let of_trait = methods_in(include_str!("../../lagrange-runtime/src/system.rs"));
    assert!(of_trait.contains(&"state_derivative"), "{of_trait:?}");
    let generated = METHODS.iter().map(Row::name);
    let of_others = [
        "default",
        "clone",
        "clone_from",
        "fmt",
        "eq",
        "cmp",
        "hash",
        "into",
        "new",
    ];
    for name in generated.chain(of_trait).chain(of_others) {
        let declaration = OSCILLATOR.replace("tension", name);
        let text = expanded(&declaration).to_string();
        assert!(text.contains("compile_error"), "{name} is accepted");
    }
}

/// A chain of `n` point masses, in scalars.
fn pendulum(n: usize) -> String {
    let list = |prefix: &str| {
        (0..n)
            .map(|i| format!("{prefix}{i}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut text = format!(
        "struct Chain {{ {}: coordinate, {}, {}, g: parameter, }}\n",
        list("q"),
        list("m"),
        list("l")
    );
    for i in 0..n {
        let before = |axis: &str| {
            if i == 0 {
                "0".to_owned()
            } else {
                format!("{axis}{}", i - 1)
            }
        };
        let _ = writeln!(text, "let x{i} = {} + l{i} * sin(q{i});", before("x"));
        let _ = writeln!(text, "let y{i} = {} - l{i} * cos(q{i});", before("y"));
        let _ = writeln!(text, "T += m{i} * (der(x{i})^2 + der(y{i})^2) / 2;");
        let _ = writeln!(text, "V += m{i} * g * y{i};");
    }
    text
}

#[test]
fn temporaries_of_long_bodies_are_declared_in_tuples() {
    let text = expanded(&pendulum(8)).to_string();
    let tuple = "let (__t0 , __t1 ,";
    assert!(text.contains(tuple));
    assert!(!expanded(CART_POLE).to_string().contains(tuple));
}
