//! Expansions of declarations: a part of one, and properties of all of them.
//!
//! `UPDATE=1 cargo test -p lagrange-lang` writes the file in `tests/expansions` anew.

mod blocks;
mod chains;
mod declarations;
mod depth;
mod documentation;
mod editor;
mod error_pages;
mod exported;
mod frames;
mod growth;
mod hessians;
mod holes;
mod hosts;
mod items;
mod labels;
mod listed_methods;
mod mistakes;
mod net;
mod operations;
mod options;
mod own_functions;
mod regressors_and_symmetries;
mod robots;
mod signatures;
mod units;
mod workloads;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::expand::expand;
use crate::host::Purpose;
use crate::methods::{METHODS, Row};

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

const BODIES: &str = "
    struct Links {
        q: coordinate[2],
        t: time,
        m, l: parameter = 1,
        w: input[2],
    }
    gravity [0, -9.81, 0];
    frame mut End = world;
    for i in 0..2 {
        End = End.rotate(z, q[i] + t).translate([l, 0, 0]);
        body link { frame: End, mass: m, inertia: diag(0, 0, m) }
    }
    torque [0, 0, w[0]] on End;
    pub let tip = End.origin;
    pub let speed = velocity(End);
    pub(crate) frame hand = End;
    /// The more the worse.
    #[hessian]
    pub let cost = w[0]^2 + der(q[1])^2;
    #[hessian]
    pub let height = hand.origin.y;
";

const DEFAULTS: &str = "
    pub(crate) struct Free {
        x: coordinate,
        R: coordinate[2, 2],
    }
    T = der(x)^2 / 2 + trace(transpose(der(R)) * der(R)) / 2;
";

const ARRAYS: &str = "
    pub struct Arrays {
        x: coordinate[3],
        m: parameter[3],
        k: parameter[2] = 10,
        R: parameter[3, 2],
        r#type: parameter = 1 / 8,
        /// Ratios [1].
        c: parameter[2] = [1, 2 / 8],
    }
    T = (m[0] * der(x[0])^2 + m[1] * der(x[1])^2 + m[2] * der(x[2])^2) / 2;
    V = k[0] * R[2, 1] * x[0]^2 + r#type * dot(c, [x[1], x[2]]);
";

const ASKING: &str = "
    pub struct Asking {
        x, y: coordinate,
        att: rotation,
        m: parameter[2],
        i: parameter[3],
        l: parameter,
        u: input,
    }
    frame F = world.translate([x, y, 0]).rotate(att);
    body { frame: F, mass: m[0] + m[1], inertia: diag(i) }
    pub let place = [x, y];
    Q.x = l * u;
    /// Masses and moments.
    regressor identify { m, i, l }
    /// Sideways.
    symmetry aside: x -> 1;
    symmetry turn: x -> -y, y -> x, att -> transpose(F.rotation) * [0, 0, 1];
    /// Everything.
    bundle all {
        mass_matrix, bias, place, place_jacobian, acceleration_unchecked, identify, turn, coordinate_rates,
        mass_matrix_full, forcing_full,
    }
    bundle few { momenta }
";

fn expanded(declaration: &str) -> TokenStream {
    expand(declaration.parse().unwrap(), Purpose::Code)
}

/// The items, also those that come through the macro of the system.
fn items(declaration: &str) -> syn::File {
    items_of(expanded(declaration))
}

fn items_of(expansion: TokenStream) -> syn::File {
    let mut file: syn::File = syn::parse2(expansion).unwrap();
    file.items = file.items.into_iter().flat_map(unsheltered).collect();
    file
}

/// The argument of the macro of the system, or the item itself.
fn unsheltered(item: syn::Item) -> Vec<syn::Item> {
    let groups: Vec<TokenTree> = match &item {
        syn::Item::Macro(invocation) if invocation.ident.is_none() => {
            invocation.mac.tokens.clone().into_iter().skip(2).collect()
        }
        _ => Vec::new(),
    };
    let blocks: Result<Vec<syn::Block>, _> = groups
        .into_iter()
        .map(|group| syn::parse2(group.into()))
        .collect();
    match blocks {
        Ok(blocks) if !blocks.is_empty() => blocks
            .into_iter()
            .flat_map(|block| block.stmts)
            .filter_map(|statement| match statement {
                syn::Stmt::Item(item) => Some(item),
                _ => None,
            })
            .collect(),
        _ => vec![item],
    }
}

fn formatted(declaration: &str) -> String {
    prettyplease::unparse(&items(declaration))
}

/// Methods of the kept expansion, one of each kind.
const KEPT: [&str; 9] = [
    "new",
    "tension",
    "mass_matrix",
    "forcing",
    "acceleration",
    "solve",
    "rhs",
    "__pivoted",
    "linearize",
];

/// The struct and the methods of `KEPT`, without documentation.
fn kept(declaration: &str) -> String {
    let without_docs = |attributes: &mut Vec<syn::Attribute>| {
        let are_docs = |path: &syn::Path| path.is_ident("doc") || path.is_ident("cfg_attr");
        attributes.retain(|attribute| !are_docs(attribute.path()));
    };
    let mut file = items(declaration);
    file.items.retain_mut(|item| match item {
        syn::Item::Struct(structure) => {
            without_docs(&mut structure.attrs);
            for field in &mut structure.fields {
                without_docs(&mut field.attrs);
            }
            true
        }
        syn::Item::Impl(block) => {
            without_docs(&mut block.attrs);
            block.items.retain_mut(|item| match item {
                syn::ImplItem::Fn(function) => {
                    without_docs(&mut function.attrs);
                    KEPT.iter().any(|name| function.sig.ident == name)
                }
                _ => false,
            });
            block.trait_.is_none() && !block.items.is_empty()
        }
        _ => false,
    });
    prettyplease::unparse(&file)
}

/// One system is enough to see what generated code looks like; `.ci/net` compares all of them.
#[test]
fn oscillator() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expansions/oscillator.rs");
    let actual = kept(OSCILLATOR);
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &actual).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        actual == expected,
        "the expansion has changed; review it with UPDATE=1:\n{actual}"
    );
}

/// Every `impl` with the signatures of its methods and the types of its constants, but for what is the
/// macro's own business.
fn signatures(declaration: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in items(declaration).items {
        let block = match item {
            syn::Item::Impl(block) => block,
            syn::Item::Struct(structure) => {
                let (name, generics) = (&structure.ident, &structure.generics);
                for field in &structure.fields {
                    let (field, ty) = (&field.ident, &field.ty);
                    names.insert(quote!(struct #name #generics #field: #ty).to_string());
                }
                continue;
            }
            _ => continue,
        };
        let of = block.trait_.map(|(path, _)| quote!(#path for));
        let (generics, ty) = (block.generics, block.self_ty);
        let head = quote!(impl #generics #of #ty);
        for item in block.items {
            let text = match item {
                syn::ImplItem::Fn(function) => {
                    let (visibility, signature) = (function.vis, function.sig);
                    quote!(#head #visibility #signature).to_string()
                }
                syn::ImplItem::Const(constant) => {
                    let (visibility, name, ty) = (constant.vis, constant.ident, constant.ty);
                    quote!(#head #visibility const #name: #ty).to_string()
                }
                _ => continue,
            };
            if !text.contains("fn __") {
                names.insert(text);
            }
        }
    }
    names
}

#[test]
fn the_stub_has_the_signatures_of_the_sound_system() {
    let by_lagrangian = CART_POLE
        .replace("T =", "L =")
        .replace("V =", "L += -1 *")
        .replace("u: input", "t: time")
        .replace("= u", "= t");
    let relativistic = by_lagrangian.replace("L = ", "L = sqrt(1 + der(x)^2) + ");
    assert!(
        !signatures(&relativistic)
            .iter()
            .any(|text| text.contains("hamiltonian"))
    );
    let declarations = [
        (OSCILLATOR, "tension"),
        (CART_POLE, "bob_jacobian"),
        (&by_lagrangian, "hamiltonian"),
        (&relativistic, "bob_jacobian"),
        (SLED, "project"),
        (BODIES, "tip_bias"),
        (BODIES, "pub (crate) fn hand_velocity"),
        (BODIES, "fn cost_hessian (& self , t : S , q"),
        (BODIES, "fn height_derivatives"),
        (DEFAULTS, "fn new () -> Self"),
        (ARRAYS, "fn new (m : [S ; 3] , R : [[S ; 2] ; 3]) -> Self"),
        (ASKING, "fn all (& self , q :"),
    ];
    for (declaration, method) in declarations {
        let sound = signatures(declaration);
        let stub = signatures(&format!("{declaration} D = nothing;"));
        let is_there = sound.iter().any(|signature| signature.contains(method));
        assert!(sound.len() > 40 && is_there, "{method}: {sound:#?}");
        let difference: Vec<&String> = sound.symmetric_difference(&stub).collect();
        assert!(difference.is_empty(), "{declaration}: {difference:#?}");
    }
}

/// A constraint counts for the stub whatever is wrong with it.
#[test]
fn the_stub_counts_broken_constraints() {
    let sound = signatures(SLED);
    let (blade, rail, rope) = (
        "nonholonomic blade:",
        "nonholonomic rail:",
        "holonomic rope:",
    );
    for (written, broken) in [
        (blade, "nonholonomic :"),
        (blade, "nonholonomic"),
        (blade, "nonholonomic blade"),
        (blade, "nonholonomic 2:"),
        (blade, "nonholonomic for:"),
        (blade, "nonholonomic rail:"),
        (rail, "nonholonomic :"),
        (rail, "nonholonomic blade:"),
        (rope, "holonomic :"),
        (rope, "holonomic"),
        (rope, "holonomic if:"),
        ("= 1;", "= nothing;"),
        ("= 1;", "= der(x);"),
        ("= 1;", "= ;"),
        ("= 1;", ";"),
        ("= der(y) * cos", "= der(y)^2 * cos"),
        ("= [x * der(y), der(x)]", "= [x * nothing, der(x)]"),
        ("= [x * der(y), der(x)]", "= [x * der(y)^2, 1 / der(x)]"),
    ] {
        let declaration = SLED.replacen(written, broken, 1);
        assert_ne!(declaration, SLED);
        let errors = expanded(&declaration).to_string();
        assert_eq!(errors.matches("compile_error").count(), 1, "{broken}");
        let stub = signatures(&declaration);
        let difference: Vec<&String> = sound.symmetric_difference(&stub).collect();
        assert!(difference.is_empty(), "{broken}: {difference:#?}");
    }
}

#[test]
fn the_documentation_lists_constraints_in_the_order_of_their_rows() {
    let text = formatted(SLED);
    let section = text
        .split("# Constraints\n\n")
        .nth(1)
        .unwrap()
        .split("\n\n")
        .next()
        .unwrap();
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
    for name in ["__pivoted", "r#__pivoted"] {
        let text = expanded(&OSCILLATOR.replace("tension", name)).to_string();
        assert!(text.contains("compile_error"), "{name} is accepted");
    }
}

#[test]
fn attributes_of_outputs_go_to_their_methods() {
    let declaration = OSCILLATOR.replace("pub let", "#[track_caller] pub let");
    let text = formatted(&declaration);
    assert_eq!(text.matches("#[track_caller]").count(), 1, "{text}");
}

/// The names of the methods that the text of a trait declares.
fn methods_in(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.strip_prefix("    fn "))
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
        "new",
        "cast",
    ];
    for name in generated.chain(of_trait).chain(of_others) {
        let declaration = OSCILLATOR.replace("tension", name);
        let declaration = match name {
            "state_rates" => {
                declaration.replace("x: coordinate", "x: coordinate, z: state") + "der(z) = x;"
            }
            _ => declaration + "contact floor: x >= 0;",
        };
        let text = expanded(&declaration).to_string();
        assert!(text.contains("compile_error"), "{name} is accepted");
    }
}

/// In a loop, the name of a row without an index is the row of that iteration, also of an outer loop.
#[test]
fn a_row_without_an_index_is_that_of_the_iteration() {
    let feet = |outer: &str, inner: &str| {
        let declaration = format!(
            "struct Feet {{ x, y: coordinate[2, 2], m, mu: parameter }}
             T = m / 2 * sum(i in 0..2, der(x[i])^2 + der(y[i])^2);
             for i in 0..2 {{
                 holonomic rail: x[i, 0] = x[i, 1];
                 for j in 0..2 {{
                     contact floor: y[i, j] >= 0;
                     Q.x[i, j] = -mu * multiplier({inner}) - multiplier({outer});
                 }}
             }}"
        );
        let text = expanded(&declaration).to_string();
        assert!(!text.contains("compile_error"), "{text}");
        // The names in the declaration differ, the equations do not.
        let equations = text.split("```").nth(1).unwrap_or_default();
        assert!(equations.contains("lambda.rail[0]"), "{equations}");
        equations.to_owned()
    };
    assert_eq!(feet("rail", "floor"), feet("rail[i]", "floor[i, j]"));
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

#[test]
fn new_takes_what_has_no_default() {
    let text = formatted(ARRAYS);
    let body = text
        .split("pub fn new")
        .nth(1)
        .unwrap()
        .split('}')
        .next()
        .unwrap();
    for field in [
        "m: m,",
        "R: R,",
        "r#type: __rt::math::constant::<S>(0.125),",
    ] {
        assert!(body.contains(field), "{field} in {body}");
    }
    for documented in [
        "let system = Arrays::new(m, R);",
        "- `m`, `[S; 3]`",
        "- `R`, `[[S; 2]; 3]`",
        "Default: `10` in each entry.",
        "Default: `0.125`.",
        "Default: `[1, 0.25]`.",
    ] {
        assert!(text.contains(documented), "{documented}");
    }
    // As visible as the struct.
    assert!(formatted(DEFAULTS).contains("pub(crate) fn new() -> Self"));
    assert!(formatted(BODIES).contains("    fn new() -> Self"));
}

#[test]
fn velocities_are_named_by_their_coordinates() {
    let text = expanded(DEFAULTS).to_string();
    let names = r#"["der(x)" , "der(R)[0, 0]" , "der(R)[0, 1]" , "der(R)[1, 0]" , "der(R)[1, 1]"]"#;
    assert!(text.contains(names), "{text}");
}
