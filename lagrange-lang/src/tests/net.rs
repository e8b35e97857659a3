//! The expansions of all systems of this repository, and programs that call all their methods: `.ci/net`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::{TokenStream, extra};
use quote::ToTokens;
use syn::{Expr, FnArg, ImplItem, Item, ItemImpl, ItemStruct, Pat, Stmt, Type};

use super::workloads::cases;
use super::{declarations, expanded, items_of};

/// Approximate size of a program in bytes of expansions. With this size two programs can be compiled at once with
/// little memory.
const PROGRAM: usize = 3_000_000;

/// Maximum number of parts of a workload. Larger ones take minutes to compile.
const MOST_PARTS: usize = 7;

/// Only the expansions of these systems are compared. `cast` has its own type parameter, `Either` is configured
/// out, a `Pendulum` derives traits of another crate, and the 255 constraints of `Bound` take minutes without
/// optimisation.
const LEFT_OUT: [&str; 4] = ["Bound", "Either", "Pendulum", "cast"];

/// The declarations of the tests in this folder. They also run with `f32`.
const OWN: [&str; 7] = [
    super::OSCILLATOR,
    super::CART_POLE,
    super::SLED,
    super::BODIES,
    super::DEFAULTS,
    super::ARRAYS,
    super::ASKING,
];

/// One system in a program.
struct Driver {
    /// The name of the system, and of its module.
    name: String,
    text: String,
    methods: usize,
}

#[test]
#[ignore = "writes what `.ci/net` compares"]
fn net() {
    let folder =
        |name| PathBuf::from(env::var_os(name).unwrap_or_else(|| panic!("no folder {name}")));
    let (expansions, package) = (folder("NET").join("expansions"), folder("NET_PACKAGE"));
    let wanted = env::var("NET_OF").unwrap_or_default();
    let (mut systems, mut methods, mut bytes, mut programs) = (0, 0, 0, 0);
    let (mut left_out, mut program, mut filled) = (BTreeSet::new(), Vec::new(), 0);
    for text in sources().iter().filter(|text| text.contains(&wanted)) {
        let Some((tokens, file)) = sound(text) else {
            continue;
        };
        let structure = file
            .items
            .iter()
            .find_map(|item| match item {
                Item::Struct(structure) => Some(structure.clone()),
                _ => None,
            })
            .expect("an expansion has a struct");
        if !structure.ident.to_string().contains(&wanted) {
            continue;
        }
        let name = format!("{}-{:016x}", structure.ident, hash(text));
        let items = prettyplease::unparse(&file);
        // The spaces depend on whether a body was written as tokens or as text.
        let without_blanks: String = tokens.split_whitespace().collect();
        let expansion = format!("// All tokens: {:016x}\n\n{items}", hash(&without_blanks));
        fs::write(expansions.join(format!("{name}.rs")), &expansion).unwrap();
        systems += 1;
        bytes += expansion.len();
        if !stands_alone(&structure) {
            left_out.insert(structure.ident.to_string());
            continue;
        }
        let blocks: Vec<ItemImpl> = file.items.into_iter().flat_map(blocks).collect();
        let scalars: &[&str] = if OWN.contains(&text.as_str()) {
            &["f64", "f32"]
        } else {
            &["f64"]
        };
        for scalar in scalars {
            let name = if *scalar == "f64" {
                name.clone()
            } else {
                format!("{name}-{scalar}")
            };
            let driver = driver(name, scalar, text, &structure, &blocks, &mut left_out);
            methods += driver.methods;
            program.push(driver);
        }
        filled += expansion.len();
        if filled > PROGRAM {
            write_program(&package, programs, &program);
            programs += 1;
            (program, filled) = (Vec::new(), 0);
        }
    }
    write_program(&package, programs, &program);
    programs += 1;
    write_manifest(&package);
    let is_known = |name: &String| LEFT_OUT.contains(&name.as_str());
    assert!(left_out.iter().all(is_known), "not called: {left_out:?}");
    assert!(systems > 600 || !wanted.is_empty(), "{systems} systems");
    println!(
        "{systems} systems, {bytes} bytes of expansions, {methods} methods and constants, {programs} programs; \
         not called: {left_out:?}"
    );
}

/// All declarations, without repetition.
pub(super) fn sources() -> Vec<String> {
    let other_declarations = cases()
        .into_iter()
        .filter(|(_, parts, _)| *parts <= MOST_PARTS)
        .map(|(.., text)| text)
        .chain(OWN.map(str::to_owned));
    let mut seen = BTreeSet::new();
    let mut texts: Vec<String> = declarations::all()
        .into_iter()
        .chain(other_declarations)
        .collect();
    texts.retain(|text| seen.insert(text.clone()));
    texts
}

/// The tokens and the items of a declaration without mistakes.
pub(super) fn sound(text: &str) -> Option<(String, syn::File)> {
    text.parse::<TokenStream>().ok()?;
    let expansion = expanded(text);
    let tokens = expansion.to_string();
    let is_sound = !tokens.contains("compile_error !");
    let sound = is_sound.then(|| (tokens, items_of(expansion)));
    extra::invalidate_current_thread_spans();
    sound
}

/// Returns whether the system can be compiled and run in another place.
pub(super) fn stands_alone(structure: &ItemStruct) -> bool {
    structure.ident != "Bound"
        && structure.attrs.iter().all(|attribute| {
            let text = attribute.to_token_stream().to_string();
            !attribute.path().is_ident("cfg") && !text.contains("Serialize")
        })
}

/// The same hash as in `tests/net/src/results.rs`.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// The inherent implementations in an item.
fn blocks(item: Item) -> Vec<ItemImpl> {
    match item {
        Item::Impl(block) if block.trait_.is_none() => vec![block],
        // The block that keeps the names of generated code separate.
        Item::Const(constant) if constant.ident == "_" => match *constant.expr {
            Expr::Block(block) => block
                .block
                .stmts
                .into_iter()
                .filter_map(|statement| match statement {
                    Stmt::Item(item) => Some(item),
                    _ => None,
                })
                .flat_map(blocks)
                .collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Statements that write the results of a system.
#[derive(Default)]
struct Calls {
    constants: String,
    fields: String,
    methods: String,
    /// The expression of the system.
    new: String,
    /// The statement that projects a state onto the constraints, if there are any.
    project: String,
    count: usize,
}

impl Calls {
    fn add(&mut self, system: &str, item: &ImplItem, left_out: &mut BTreeSet<String>) {
        match item {
            ImplItem::Const(constant) => {
                let name = &constant.ident;
                let value = format!("&super::{system}::<f64>::{name}");
                let _ = writeln!(self.constants, "to.write(0, \"{name}\", {value});");
                self.count += 1;
            }
            ImplItem::Fn(function) => {
                let method = function.sig.ident.to_string();
                if method.starts_with("__") || method.starts_with("r#__") {
                    // A private method of the generated code.
                } else if !function.sig.generics.params.is_empty() {
                    left_out.insert(method);
                } else {
                    let arguments = function
                        .sig
                        .inputs
                        .iter()
                        .filter_map(argument)
                        .collect::<Vec<_>>();
                    self.add_method(system, &method, &arguments);
                    self.count += 1;
                }
            }
            _ => {}
        }
    }

    fn add_method(&mut self, system: &str, method: &str, arguments: &[(String, &Type)]) {
        if method == "new" {
            let values: Vec<String> = arguments
                .iter()
                .map(|(name, _)| format!("parameter(state, \"{name}\")"))
                .collect();
            self.new = format!("super::{system}::<S>::new({})", values.join(", "));
            return;
        }
        let call = call(method, arguments);
        if method == "project" {
            let pattern = format!("let Ok((near, along)) = {call}");
            self.project =
                format!("if is_projected(state) && {pattern} {{ (q, v) = (near, along); }}");
        }
        let _ = writeln!(self.methods, "{}", written(method, &call, arguments));
    }
}

/// A module with the declaration, and a function that writes the results of all methods in the blocks.
fn driver(
    name: String,
    scalar: &str,
    declaration: &str,
    structure: &ItemStruct,
    blocks: &[ItemImpl],
    left_out: &mut BTreeSet<String>,
) -> Driver {
    let system = structure.ident.to_string();
    let mut calls = Calls::default();
    for item in blocks.iter().flat_map(|block| &block.items) {
        calls.add(&system, item, left_out);
    }
    for field in structure
        .fields
        .iter()
        .filter_map(|field| field.ident.as_ref())
    {
        let _ = writeln!(
            calls.fields,
            "to.write(0, \"field {field}\", &system.{field});"
        );
    }
    let Calls {
        constants,
        fields,
        methods,
        new,
        project,
        count,
    } = calls;
    let module = module(&name);
    // Systems with states of first order have another trait.
    let has_states = blocks
        .iter()
        .flat_map(|block| &block.items)
        .any(|item| matches!(item, ImplItem::Const(constant) if constant.ident == "STATES"));
    let by_trait = match has_states {
        true => "",
        false => "::lagrangian_net::by_trait(to, state, &system, t, &q, &v, &u);",
    };
    let text = format!(
        "mod {module} {{
::lagrangian::lagrangian! {{
{declaration}
}}
pub mod drive {{
use ::lagrangian_net::{{Results, draw, is_normalised, is_projected, joined, parameter, states}};
type S = {scalar};
pub fn run() {{
let to = &mut Results::new(\"{name}.txt\");
{constants}
for state in states(super::{system}::<f64>::VELOCITIES.len()) {{
let system = {new};
if state == 0 {{
{fields}
}}
let t: S = draw(state, \"t\");
let (mut q, mut v) = (draw(state, \"q\"), draw(state, \"v\"));
let u: ::lagrangian::nalgebra::SVector<S, {{ super::{system}::<f64>::INPUTS.len() }}> = draw(state, \"u\");
if is_normalised(state) {{ q = system.integrate(&q, &::lagrangian::nalgebra::SVector::zeros()); }}
{project}
{by_trait}
{methods}
}}
}}
}}
}}
"
    );
    Driver {
        name,
        text,
        methods: count,
    }
}

/// Name and type of an argument, unless it is `self`.
pub(super) fn argument(argument: &FnArg) -> Option<(String, &Type)> {
    match argument {
        FnArg::Typed(argument) => match &*argument.pat {
            Pat::Ident(name) => Some((name.ident.to_string(), &*argument.ty)),
            other => panic!("the argument {}", other.to_token_stream()),
        },
        FnArg::Receiver(_) => None,
    }
}

fn call(method: &str, arguments: &[(String, &Type)]) -> String {
    let values = arguments
        .iter()
        .map(|(name, ty)| match (name.as_str(), ty) {
            ("t", _) => "t".to_owned(),
            ("q" | "v", _) => format!("&{name}"),
            ("y", _) => "&joined(state, &q.data.0[0], &v.data.0[0])".to_owned(),
            (_, Type::Reference(reference)) if reference.mutability.is_some() => {
                format!("&mut {name}")
            }
            (_, Type::Reference(_)) => format!("&draw(state, \"{name}\")"),
            _ => format!("draw(state, \"{name}\")"),
        });
    format!("system.{method}({})", values.collect::<Vec<_>>().join(", "))
}

/// Statements that write the value of a call, and the values of its output arguments.
fn written(method: &str, call: &str, arguments: &[(String, &Type)]) -> String {
    let is_out =
        |ty: &Type| matches!(ty, Type::Reference(reference) if reference.mutability.is_some());
    let outs: Vec<&String> = arguments
        .iter()
        .filter(|(_, ty)| is_out(ty))
        .map(|(name, _)| name)
        .collect();
    let mut text = String::from("{ ");
    for name in &outs {
        let _ = write!(text, "let mut {name} = draw(state, \"{name}\"); ");
    }
    let _ = write!(text, "to.write(state, \"{method}\", &{call}); ");
    for name in &outs {
        let _ = write!(text, "to.write(state, \"{method} {name}\", &{name}); ");
    }
    text + "}"
}

pub(super) fn module(name: &str) -> String {
    format!("m{}", name.replace(['-', '#'], "_"))
}

fn write_program(package: &Path, number: usize, drivers: &[Driver]) {
    let mut text = String::from("#![allow(warnings, clippy::all)]\n");
    text.extend(drivers.iter().map(|driver| driver.text.as_str()));
    // Another name of the crate in some declarations.
    text.push_str("pub extern crate lagrangian as mechanics;\n");
    text.push_str("mod wrapped { pub use mechanics as dynamics; }\n");
    // Without optimisation the largest systems need more stack than the main thread has.
    text.push_str("fn main() { ::lagrangian_net::on_large_stack(run); }\nfn run() {\n");
    for driver in drivers {
        let _ = writeln!(text, "{}::drive::run();", module(&driver.name));
    }
    text.push_str("}\n");
    fs::write(package.join(format!("src/bin/net{number:02}.rs")), text).unwrap();
}

pub(super) fn write_manifest(package: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap();
    let manifest = format!(
        "[package]
name = \"net\"
version = \"0.0.0\"
edition = \"2024\"
publish = false

[dependencies]
lagrangian = {{ path = {root:?}, features = [\"urdf\"] }}
lagrangian-net = {{ path = {:?} }}

[profile.dev.package.lagrange-engine]
opt-level = 1

[workspace]
",
        root.join("tests/net")
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
}
