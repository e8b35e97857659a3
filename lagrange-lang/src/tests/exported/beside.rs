//! Programs that compare exported functions in C with the methods in Rust, for every system: `.ci/exports`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use syn::{ImplItem, Item, ItemStruct, Type};

use super::{MODES, exportable, members, of_wgsl, text_of, without_exports};
use crate::tests::expanded;
use crate::tests::net::{self, sources};

/// Writes programs that call every exportable method of every system in Rust and in C, and their shaders.
#[test]
#[ignore = "writes what `.ci/exports` runs"]
fn programs() {
    let folder =
        |name| PathBuf::from(env::var_os(name).unwrap_or_else(|| panic!("no folder {name}")));
    let (package, texts) = (folder("EXPORTS_PACKAGE"), folder("EXPORTS"));
    let wanted = env::var("EXPORTS_OF").unwrap_or_default();
    let is_of_shapes = wanted == "shapes";
    let declarations: Vec<String> = match is_of_shapes {
        true => shapes(),
        false => shapes()
            .into_iter()
            .chain(sources())
            .filter(|text| text.contains(&wanted))
            .collect(),
    };
    let mut failures = Vec::new();
    let (mut program, mut filled, mut programs, mut systems, mut methods) =
        (Vec::new(), 0, 0, 0, 0);
    for text in declarations {
        let text = without_exports(&text);
        let Some((tokens, file)) = net::sound(&text) else {
            if is_of_shapes {
                failures.push(format!("not accepted: {text}\n{}", mistakes(&text)));
            }
            continue;
        };
        let structure = file.items.iter().find_map(|item| match item {
            Item::Struct(structure) => Some(structure.clone()),
            _ => None,
        });
        let Some(structure) = structure.filter(net::stands_alone) else {
            continue;
        };
        let members_of_file = members(file.items);
        let mut names = exportable(&members_of_file);
        let list = names.join(", ");
        let of_shaders = of_wgsl(&names).join(", ");
        let exporting = format!("{text}\nexport c99 {{ {list} }}\nexport wgsl {{ {of_shaders} }}");
        let Some((_, file)) = net::sound(&exporting) else {
            failures.push(format!("not exported: {text}\n{}", mistakes(&exporting)));
            continue;
        };
        let name = format!("{}-{:016x}", structure.ident, net::hash(&exporting));
        let shader = text_of(&members(file.items), "WGSL").unwrap_or_default();
        fs::write(texts.join(format!("{name}.wgsl")), shader).expect("a file");
        if text.contains("(redundant") {
            // Without a check dependent rows give any numbers in Rust, and a text leaves them out.
            names.retain(|name| !name.ends_with("_unchecked"));
        }
        program.push(driver(
            &name,
            &structure,
            &exporting,
            (&names, &members_of_file),
        ));
        systems += 1;
        methods += names.len();
        filled += tokens.len();
        if filled > PROGRAM {
            write_program(&package, programs, &program);
            programs += 1;
            (program, filled) = (Vec::new(), 0);
        }
    }
    write_program(&package, programs, &program);
    net::write_manifest(&package);
    assert!(systems > 500 || !wanted.is_empty(), "{systems} systems");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{systems} systems, {methods} methods");
}

/// A system of each shape.
fn shapes() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shapes.txt");
    let file = fs::read_to_string(path).expect("a file");
    file.split("\n== ")
        .skip(1)
        .filter_map(|system| system.split_once('\n'))
        .map(|(_, text)| text.to_owned())
        .collect()
}

/// The messages of a declaration with mistakes.
fn mistakes(text: &str) -> String {
    let tokens = expanded(text).to_string();
    tokens
        .split("compile_error !")
        .skip(1)
        .filter_map(|message| message.split('"').nth(1))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Approximate size of a program in bytes of expansions.
const PROGRAM: usize = 3_000_000;

/// A module with the declaration, and a function that calls all methods in Rust and in C; and the name of the module.
fn driver(
    name: &str,
    structure: &ItemStruct,
    declaration: &str,
    (names, members): (&[String], &[ImplItem]),
) -> (String, String) {
    let system = structure.ident.to_string();
    let module = net::module(name);
    let (mut new, mut calls, mut project) = (String::new(), String::new(), String::new());
    let (mut has_time, mut has_states) = (false, false);
    let mut has_contact_step = names.iter().any(|name| name == MODES[1]);
    for member in members {
        let ImplItem::Fn(function) = member else {
            continue;
        };
        let method = function.sig.ident.to_string();
        let arguments: Vec<(String, &Type)> = function
            .sig
            .inputs
            .iter()
            .filter_map(net::argument)
            .collect();
        if method == "new" {
            let values: Vec<String> = arguments
                .iter()
                .map(|(name, _)| format!("parameter(OF_PARAMETERS, \"{name}\")"))
                .collect();
            new = format!("super::{system}::<S>::new({})", values.join(", "));
        }
        has_states |= method == "state_rates";
        // A declaration may call an item of its own `contact_step`.
        has_contact_step &= method != MODES[1];
        if !names.contains(&method) {
            continue;
        }
        has_time |= method == "forcing" && arguments.iter().any(|(name, _)| name == "t");
        let call = call(&method, &arguments);
        if method == "project" {
            let values: Vec<String> = arguments
                .iter()
                .map(|(name, _)| match name.as_str() {
                    "t" => "t".to_owned(),
                    name => format!("&{name}"),
                })
                .collect();
            project = format!(
                "if is_projected(state) && let Ok((near, along)) = system.project({}) {{ (q, v) = (near, along); }}",
                values.join(", ")
            );
        }
        calls.push_str(&call);
    }
    let (time, of_step) = if has_time { ("&t, ", "t") } else { ("", "0.0") };
    if has_contact_step {
        let _ = write!(
            calls,
            "let step = ::lagrangian::contact_step(&system, {of_step}, &q, &v, &u, h).map(flat_step);
to.call(\"contact_step\", &[{time}&q, &v, &u, &h], &step);
"
        );
    }
    let (step, of_states) = match has_states {
        true => ("rk4_step_with_states", "&z, "),
        false => ("rk4_step", ""),
    };
    let of_states_drawn = match has_states {
        true => "let z = draw(state, \"z\");",
        false => "",
    };
    let fields: Vec<String> = structure
        .fields
        .iter()
        .filter_map(|field| field.ident.as_ref())
        .map(|field| format!("&system.{field}"))
        .collect();
    let fields = fields.join(", ");
    let text = format!(
        "mod {module} {{
::lagrangian::lagrangian! {{
{declaration}
}}
pub mod drive {{
use ::lagrangian_net::{{Beside, NUDGE, OF_PARAMETERS, STATES, draw, is_projected, joined, nudge_by, parameter}};
use ::lagrangian_net::{{flat_motion, flat_step, flat_terms}};
type S = f64;
pub fn run() {{
type System = super::{system}::<f64>;
let to = &mut Beside::new(\"{name}\", &{names:?}, System::C99);
for state in STATES {{
for is_repeated in [false, true] {{
nudge_by(if is_repeated {{ NUDGE }} else {{ 0.0 }});
let system = {new};
to.begin(state, is_repeated, &[{fields}]);
let t: S = draw(state, \"t\");
let (mut q, mut v, u) = (draw(state, \"q\"), draw(state, \"v\"), draw(state, \"u\"));
q = system.integrate(&q, &::lagrangian::nalgebra::SVector::zeros());
{project}
let h: S = 0.01;
{of_states_drawn}
let step = ::lagrangian::{step}(&system, {of_step}, &q, &v, {of_states}&u, h);
to.call(\"rk4_step\", &[{time}&q, &v, {of_states}&u, &h], &step);
{calls}
}}
}}
to.finish();
}}
}}
}}
"
    );
    (module, text)
}

/// A statement that notes the call of a method.
fn call(method: &str, arguments: &[(String, &Type)]) -> String {
    let (mut drawn, mut given, mut noted) = (String::new(), Vec::new(), Vec::new());
    for (name, ty) in arguments {
        let value = match name.as_str() {
            "t" | "q" | "v" => name.clone(),
            _ => format!("its_{}", name.trim_start_matches("r#")),
        };
        if name == "y" {
            let _ = write!(
                drawn,
                "let {value} = joined(state, &q.data.0[0], &v.data.0[0]); "
            );
        } else if value != *name {
            let _ = write!(drawn, "let {value} = draw(state, \"{name}\"); ");
        }
        let reference = if matches!(ty, Type::Reference(_)) {
            "&"
        } else {
            ""
        };
        given.push(format!("{reference}{value}"));
        noted.push(format!("&{value}"));
    }
    let (given, noted) = (given.join(", "), noted.join(", "));
    // Pairs of arrays are two results, and each mode is a number.
    let flat = match method {
        "friction_terms" => "let value = flat_terms(value);",
        "resolve" => "let value = value.map(flat_motion);",
        _ => "",
    };
    format!(
        "{{ {drawn}let value = system.{method}({given}); {flat} to.call(\"{method}\", &[{noted}], &value); }}\n"
    )
}

fn write_program(package: &Path, number: usize, drivers: &[(String, String)]) {
    let mut text = String::from("#![allow(warnings, clippy::all)]\n");
    text.extend(drivers.iter().map(|(_, text)| text.as_str()));
    text.push_str("pub extern crate lagrangian as mechanics;\n");
    text.push_str("mod wrapped { pub use mechanics as dynamics; }\n");
    text.push_str("fn main() { ::lagrangian_net::on_large_stack(run); }\nfn run() {\n");
    for (module, _) in drivers {
        let _ = writeln!(text, "{module}::drive::run();");
    }
    text.push_str("::lagrangian_net::finish();\n}\n");
    fs::write(package.join(format!("src/bin/exports{number:02}.rs")), text).expect("a file");
}
