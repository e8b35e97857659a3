//! Exports every system of this repository as C, CUDA and functions for CasADi with all its methods, and compiles them with every warning
//! as an error.

mod beside;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use lagrange_engine::casadi;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ImplItem, Item, Lit, Stmt};

use super::net::sources;
use super::{expanded, items_of};
use crate::{Declaration, Folder, Language};

/// The methods that cannot be exported: a text has fields in place of `new`, one precision at a time, `state_derivative` with
/// the value of `rhs`, and no step by the midpoint rule, which calls the others.
const LEFT_OUT: [&str; 6] = [
    "new",
    "cast",
    "rhs",
    "midpoint_terms",
    "midpoint_vjp",
    "constraint_bounds",
];

/// The items of inherent implementations, including those within the block of generated code.
fn members(items: Vec<Item>) -> Vec<ImplItem> {
    let of_item = |item| match item {
        Item::Impl(block) if block.trait_.is_none() => block.items,
        Item::Const(constant) if constant.ident == "_" => match *constant.expr {
            Expr::Block(block) => {
                let items = block
                    .block
                    .stmts
                    .into_iter()
                    .filter_map(|statement| match statement {
                        Stmt::Item(item) => Some(item),
                        _ => None,
                    });
                members(items.collect())
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    items.into_iter().flat_map(of_item).collect()
}

/// A declaration without its own exports.
fn without_exports(text: &str) -> String {
    let mut parts = text.split("export ");
    let mut stripped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}') {
            Some((list, rest)) if list.contains('{') => stripped.push_str(rest),
            _ => stripped = stripped + "export " + part,
        }
    }
    stripped
}

/// Functions that search for the modes of contacts, which are in C and CUDA only. Systems have both or none.
const MODES: [&str; 2] = ["resolve", "contact_step"];

/// The names that an export for C or CUDA may list.
fn exportable(members: &[ImplItem]) -> Vec<String> {
    let mut names: Vec<String> = members
        .iter()
        .filter_map(|member| match member {
            ImplItem::Fn(function) => Some(function.sig.ident.to_string()),
            _ => None,
        })
        .filter(|name| {
            !name.starts_with("__")
                && !name.starts_with("r#__")
                && !LEFT_OUT.contains(&name.as_str())
        })
        .collect();
    let [resolve, contact_step] = MODES.map(str::to_owned);
    if names.contains(&resolve) && !names.contains(&contact_step) {
        names.push(contact_step);
    }
    names.push("rk4_step".to_owned());
    names
}

/// The names among these that an export for WGSL may list.
fn of_wgsl(names: &[String]) -> Vec<String> {
    let has_modes = |name: &String| MODES.contains(&name.as_str());
    names
        .iter()
        .filter(|name| !has_modes(name))
        .cloned()
        .collect()
}

/// The names among these that are functions of CasADi.
fn of_casadi(text: &str, names: &[String]) -> String {
    let system = text
        .split("struct ")
        .nth(1)
        .unwrap_or_default()
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next();
    of_wgsl(names)
        .iter()
        .filter(|name| {
            let name = name.trim_start_matches("r#");
            casadi::function_name(system.unwrap_or_default(), name).is_ok()
        })
        .cloned()
        .collect::<Vec<_>>()
        .join(", ")
}

/// The text of a constant.
fn text_of(members: &[ImplItem], constant: &str) -> Option<String> {
    members.iter().find_map(|member| match member {
        ImplItem::Const(found) if found.ident == constant => match &found.expr {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}

/// Blocks by one parameter beside those by the arguments: the text has no tangent of the accelerations, which is long.
#[test]
fn a_column_by_a_parameter_costs_little_text() {
    let text = "struct Arm { q: coordinate[5], load: parameter, u: input[5] }
        let axes = [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
        frame mut F = world;
        for i in 0..5 {
            F = F.rotate(axes[i], q[i]);
            body { frame: F, mass: 2, at: [0.01, 0.02, 0.1], inertia: diag(0.02, 0.03, 0.01) }
            F = F.translate([0.05, 0, 0.3]);
        }
        body { frame: F, mass: load }
        gravity [0, 0, -9.81];
        Q.q = u;
        export casadi { acceleration, state_derivative, linearize, rk4_step }";
    let members = members(items_of(expanded(text)).items);
    let casadi = text_of(&members, "CASADI").expect("a text");
    assert!(casadi.contains("parameter_blocks_rk4_step("));
    assert!(!casadi.contains("_tangent_acceleration("));
}

/// A method without results leaves an argument of its function unread, and so does a force that is linear in a multiplier.
#[test]
fn unread_arrays_give_no_warning_in_casadi() {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: no gcc");
        return;
    }
    let texts = [
        "struct Skate { x, y: coordinate }
        T = der([x, y])^2 / 2;
        nonholonomic edge: der(x) = x * der(y);
        export casadi { constraint_residual, constraint_velocity }",
        "struct Train { x, y: coordinate, m: parameter, u: input }
        T = m * der([x, y])^2 / 2;
        holonomic track: hypot(y, 1 + x^2) = 2;
        Q.x = u - multiplier(track) / 9;
        sensitivity by_mass { m }
        export casadi { by_mass }",
    ];
    for (at, text) in texts.into_iter().enumerate() {
        let casadi = text_of(&members(items_of(expanded(text)).items), "CASADI").expect("a text");
        let path = env::temp_dir().join(format!("lagrangian-casadi-{}-{at}.c", std::process::id()));
        let messages = refused("gcc", &path, &casadi, &["-std=c99"]);
        let _ = fs::remove_file(&path);
        assert_eq!(messages, None, "{text}");
    }
}

/// The same items are refused in `export casadi`.
#[test]
fn two_functions_of_one_name_are_refused_for_casadi() {
    let text = "struct Wave { x: coordinate } T = der(x)^2; pub let θ = x; pub let u03B8 = 2 * x;";
    let tokens = text.parse().expect("tokens");
    let (declaration, _) = Declaration::read(tokens, &Folder::None).expect("no mistake");
    assert!(declaration.text(Language::Casadi, &["θ"]).is_ok());
    let refused = declaration.text(Language::Casadi, &["θ", "u03B8"]);
    let reason = "its function and that of `θ` are called `wave_u03B8`: rename one of them";
    assert!(
        matches!(&refused, Err(message) if message.ends_with(reason)),
        "{refused:?}"
    );
}

/// Definitions of the CUDA keywords for a C++ compiler.
const SHIM: &str = "#define __host__\n#define __device__\n#define __global__\n\
    struct Shim { unsigned int x; };\n\
    static const Shim blockIdx = {0}, threadIdx = {0}, blockDim = {1}, gridDim = {1};\n";

#[test]
#[ignore = "compiles 600 systems in C and in CUDA: `.ci/long`"]
fn every_system_is_exported() {
    let folder = env::temp_dir().join(format!("lagrangian-exports-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let (mut systems, mut functions, mut failures) = (0, 0, String::new());
    for text in sources() {
        let text = without_exports(&text);
        if text.parse::<TokenStream>().is_err() {
            continue;
        }
        let tokens = expanded(&text);
        if tokens
            .to_token_stream()
            .to_string()
            .contains("compile_error !")
        {
            continue;
        }
        let names = exportable(&members(items_of(tokens).items));
        let list = names.join(", ");
        let of_casadi = of_casadi(&text, &names);
        let exporting = format!(
            "{text}\nexport c99 {{ {list} }}\nexport cuda {{ {list} }}\nexport casadi {{ {of_casadi} }}"
        );
        let expansion = expanded(&exporting);
        let members = members(items_of(expansion).items);
        let texts = ["C99", "CUDA", "CASADI"].map(|constant| text_of(&members, constant));
        let [Some(c99), Some(cuda), Some(casadi)] = texts else {
            let _ = writeln!(failures, "not exported: {exporting}");
            continue;
        };
        let sources = [
            ("gcc", folder.join("main.c"), c99, &["-std=c99"][..]),
            ("gcc", folder.join("casadi.c"), casadi, &["-std=c99"]),
            (
                "g++",
                folder.join("main.cpp"),
                format!("{SHIM}{cuda}"),
                &["-std=c++14", "-Wno-unused"],
            ),
        ];
        for (compiler, path, source, flags) in sources {
            if let Some(messages) = refused(compiler, &path, &source, flags) {
                let _ = writeln!(failures, "{text}\n{messages}");
            }
        }
        systems += 1;
        functions += names.len();
    }
    let _ = fs::remove_dir_all(&folder);
    assert!(systems > 500, "{systems} systems");
    assert!(failures.is_empty(), "{failures}");
    println!("{systems} systems, {functions} functions in C, in CUDA and for CasADi");
}

/// The messages of a compiler that rejects a text.
fn refused(compiler: &str, path: &PathBuf, source: &str, flags: &[&str]) -> Option<String> {
    fs::write(path, source).expect("a file");
    let mut command = Command::new(compiler);
    command
        .args(flags)
        .args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"]);
    let compiled = command.arg(path).output().expect("the compiler runs");
    let messages = String::from_utf8_lossy(&compiled.stderr);
    (!compiled.status.success()).then(|| messages.lines().take(12).collect::<Vec<_>>().join("\n"))
}
