//! Compiles the C of other tools, and records the compilers and their options.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Names the folder of the C.
const FOLDER: &str = "LAGRANGIAN_PEERS";

/// The suffixes of the functions of a system; the README describes each.
const FUNCTIONS: [&str; 6] = ["fd", "fdcrba", "M", "bias", "linearize", "linearizead"];

fn main() {
    println!("cargo::rerun-if-env-changed={FOLDER}");
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os(FOLDER).filter(|folder| !folder.is_empty());
    let functions = match &folder {
        Some(folder) => compile(Path::new(folder)),
        None => Vec::new(),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("peers.rs"), table(&functions)).expect("the folder of cargo can be written");
    println!(
        "cargo::rustc-env=PEERS_MADE_BY={}",
        made_by(folder.is_some())
    );
}

/// Compiles all files `*_entry.c` of the folder; returns the functions that they define.
fn compile(folder: &Path) -> Vec<String> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{FOLDER}={}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| name_of(path).is_some())
        .collect();
    files.sort();
    assert!(
        !files.is_empty(),
        "{}: no files `*_entry.c`",
        folder.display()
    );
    let mut build = compiler();
    build.files(&files).compile("peers");
    println!("cargo::rustc-link-lib=m");
    files.iter().flat_map(|path| functions(path)).collect()
}

/// As similar to rustc as possible: for the local processor if rustc compiles for it.
fn compiler() -> cc::Build {
    let mut build = cc::Build::new();
    build.opt_level(3).warnings(false).debug(false);
    if is_native() {
        build.flag("-march=native");
    }
    build
}

/// Returns whether rustc compiles for the local processor.
fn is_native() -> bool {
    flags().contains("target-cpu=native")
}

fn flags() -> String {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    flags.replace('\u{1f}', " ")
}

/// The name before `_entry.c`: that of the system, or of one of its functions.
fn name_of(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()?.strip_suffix("_entry.c")
}

/// The functions that a file defines.
fn functions(path: &Path) -> Vec<String> {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let words: Vec<&str> = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .collect();
    let name = name_of(path).unwrap_or_default();
    let name = FUNCTIONS
        .iter()
        .find_map(|function| name.strip_suffix(function)?.strip_suffix('_'))
        .unwrap_or(name);
    FUNCTIONS
        .iter()
        .map(|function| format!("{name}_{function}"))
        .filter(|function| words.contains(&function.as_str()))
        .collect()
}

/// A table of the functions, by name.
fn table(functions: &[String]) -> String {
    let mut text = String::from("unsafe extern \"C\" {\n");
    for name in functions {
        let _ = writeln!(
            text,
            "    #[allow(non_snake_case)]\n    fn {name}(q: *const f64, v: *const f64, u: *const f64, \
             p: *const f64, out: *mut f64);"
        );
    }
    text += "}\n\npub(crate) const PEERS: &[(&str, Call)] = &[\n";
    for name in functions {
        let _ = writeln!(text, "    (\"{name}\", {name} as Call),");
    }
    text + "];\n"
}

/// The compilers and their options.
fn made_by(with_c: bool) -> String {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let mut text = format!("{} {}", version(Command::new(rustc)), flags());
    if with_c {
        let native = if is_native() { " -march=native" } else { "" };
        let compiler = compiler().get_compiler();
        let _ = write!(text, "; {}, -O3{native}", version(compiler.to_command()));
    }
    text
}

/// The first line of a compiler's version output.
fn version(mut compiler: Command) -> String {
    let output = compiler.arg("--version").output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default()
        .lines()
        .next()
        .unwrap_or("an unknown compiler")
        .to_owned()
}
