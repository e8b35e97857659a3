//! A program in C around an exported text, and its output.

use std::env;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use lagrangian::Error;
use lagrangian::nalgebra::{SMatrix, SVector};

/// Warnings are errors.
pub(crate) const FLAGS: [&str; 5] = [
    "-Wall",
    "-Wextra",
    "-Werror",
    "-pedantic",
    "-Wno-unused-function",
];

/// An argument of a function.
#[derive(Clone)]
pub(crate) enum Argument {
    Number(f64),
    Array(Vec<f64>),
    Flags(Vec<i32>),
}

#[derive(Clone)]
/// A call of a function, and the answer of the method in Rust: its results, row by row, or the number of its error.
pub(crate) struct Call {
    pub(crate) function: &'static str,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) lengths: Vec<usize>,
    pub(crate) expected: Result<Vec<Vec<f64>>, i32>,
}

/// The number of an error in C.
pub(crate) fn number(error: Error) -> i32 {
    match error {
        Error::SingularMassMatrix => 1,
        Error::DependentConstraints { .. } => 2,
        Error::NotConverged { .. } => 3,
        Error::NotFinite { .. } => 4,
        Error::NoContactSolution => 5,
    }
}

pub(crate) fn array<const N: usize>(vector: &SVector<f64, N>) -> Argument {
    Argument::Array(vector.as_slice().to_vec())
}

pub(crate) fn flags<const P: usize>(active: [bool; P]) -> Argument {
    Argument::Flags(active.map(i32::from).to_vec())
}

pub(crate) fn entries<const N: usize>(vector: &SVector<f64, N>) -> Vec<f64> {
    vector.as_slice().to_vec()
}

/// The entries of a matrix, row by row.
pub(crate) fn rows<const R: usize, const C: usize>(matrix: &SMatrix<f64, R, C>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

const OPTIMISATION: &str = "LAGRANGIAN_C_OPTIMISATION";

/// How compilers of C optimise: as `LAGRANGIAN_C_OPTIMISATION` says, or not at all, which is what takes least long.
pub(crate) fn optimisation() -> String {
    env::var(OPTIMISATION).unwrap_or_else(|_| "-O0".to_owned())
}

/// Whether each text is compiled in all ways, as where it is optimised.
pub(crate) fn in_all_ways() -> bool {
    env::var_os(OPTIMISATION).is_some()
}

/// The C compilers at hand.
pub(crate) fn compilers() -> Vec<&'static str> {
    let known = ["gcc", "clang"].into_iter();
    let found = known.filter(|name| Command::new(name).arg("--version").output().is_ok());
    let found: Vec<&str> = found.collect();
    if found.is_empty() {
        eprintln!("skipped: no C compiler");
    }
    found
}

/// Compiles a text, with warnings as errors. Returns the path of the result.
pub(crate) fn compile(compiler: &str, flags: &[&str], text: &str, name: &str) -> PathBuf {
    let folder = option_env!("CARGO_TARGET_TMPDIR").map_or_else(env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("{name}_{compiler}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (source, program) = (folder.join("main.c"), folder.join("main"));
    std::fs::write(&source, text).expect("a file");
    let mut command = Command::new(compiler);
    command
        .args(flags)
        .args(FLAGS)
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .arg("-lm");
    let compiled = command.output().expect("the compiler runs");
    let messages = String::from_utf8_lossy(&compiled.stderr);
    assert!(
        compiled.status.success(),
        "{}: {messages}",
        source.display()
    );
    program
}

/// Compiles a text and runs it.
pub(crate) fn run(compiler: &str, flags: &[&str], text: &str, name: &str) -> String {
    let program = compile(compiler, flags, text, name);
    let run = Command::new(&program).output().expect("the program runs");
    assert!(run.status.success(), "{name}: {run:?}");
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// A program that makes the calls, and prints the status and the results of each in a line.
pub(crate) fn program(text: &str, system: &str, parameters: &[f64], calls: &[Call]) -> String {
    let real = format!("{}_REAL", system.to_uppercase());
    let mut program = format!("{text}\n#include <stdio.h>\nint main(void)\n{{\n");
    let parameters: Vec<String> = parameters.iter().map(|x| format!("{x:?}")).collect();
    let list = if parameters.is_empty() {
        "0".to_owned()
    } else {
        parameters.join(", ")
    };
    let _ = writeln!(program, "    const {real} list[] = {{{list}}};");
    let _ = writeln!(program, "    {system} self;\n    unsigned int k;");
    let copy = "((unsigned char *)&self)[k] = ((const unsigned char *)list)[k];";
    let _ = writeln!(program, "    for (k = 0; k < sizeof(self); k++) {copy}");
    for call in calls {
        let mut given = vec!["&self".to_owned()];
        program.push_str("    {\n");
        for (at, argument) in call.arguments.iter().enumerate() {
            match argument {
                Argument::Number(value) => {
                    let value = format!("({real}){value:?}").replace("NaN", "NAN");
                    given.push(value);
                }
                Argument::Flags(values) => {
                    let values: Vec<String> = values.iter().map(i32::to_string).collect();
                    let values = values.join(", ");
                    let _ = writeln!(program, "        const int x{at}[] = {{{values}}};");
                    given.push(format!("x{at}"));
                }
                Argument::Array(values) if values.is_empty() => {}
                Argument::Array(values) => {
                    let values: Vec<String> = values.iter().map(|x| format!("{x:?}")).collect();
                    let values = values.join(", ").replace("NaN", "NAN");
                    let _ = writeln!(program, "        const {real} x{at}[] = {{{values}}};");
                    given.push(format!("x{at}"));
                }
            }
        }
        let lengths = call.lengths.iter().enumerate();
        let lengths: Vec<(usize, &usize)> = lengths.filter(|(_, length)| **length > 0).collect();
        for (at, length) in &lengths {
            let ty = if is_integer(call, *at) { "int" } else { &real };
            let _ = writeln!(program, "        {ty} r{at}[{length}] = {{0}};");
            given.push(format!("r{at}"));
        }
        let function = format!("{system}_{}", call.function);
        let _ = writeln!(
            program,
            "        int i, status = {function}({});",
            given.join(", ")
        );
        program.push_str("        (void)i;\n        printf(\"%d\", status);\n");
        for (at, length) in &lengths {
            let print = format!("printf(\" %.17g\", (double)r{at}[i]);");
            let _ = writeln!(program, "        for (i = 0; i < {length}; i++) {print}");
        }
        program.push_str("        printf(\"\\n\");\n    }\n");
    }
    program.push_str("    return 0;\n}\n");
    program
}

/// True for integers: the rank of J, a third result of `solve`, the modes of contacts, and which joints are held.
pub(crate) fn is_integer(call: &Call, result: usize) -> bool {
    match call.function {
        "solve" => result == 2,
        "resolve" => result == 4 || result == 6,
        _ => false,
    }
}

/// True for bounds of rounding errors, which are in units of the precision.
fn is_bound(call: &Call, result: usize) -> bool {
    call.function == "friction_terms" && [0, 1, 4, 5].contains(&result)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Compares the lines that a program printed with the results of the methods, to `tolerance` of the largest entry, for
/// searches for modes of the largest one of all results: forces there may be rounding errors of others.
/// Values below the least terms of a dense solution count as zeros.
pub(crate) fn compare(name: &str, output: &str, calls: &[Call], tolerance: f64) {
    assert_eq!(output.lines().count(), calls.len(), "{name}");
    let least = if tolerance < 1e-9 { 1e-290 } else { 1e-30 };
    for (call, line) in calls.iter().zip(output.lines()) {
        let mut words = line.split(' ');
        let status: i32 = words.next().unwrap_or_default().parse().expect("a status");
        let found: Vec<f64> = words.map(|word| word.parse().expect("a number")).collect();
        let place = format!("{name}: {}", call.function);
        match &call.expected {
            Err(number) => {
                assert_eq!(status, *number, "{place}");
                assert!(found.iter().all(|x| *x == 0.0), "{place} wrote {found:?}");
            }
            Ok(values) => {
                assert_eq!(status, 0, "{place}");
                let mut rest = &found[..];
                let whole = largest(&values.concat());
                let results = values.iter().enumerate();
                for (at, values) in results.filter(|(_, values)| !values.is_empty()) {
                    let unit = match is_bound(call, at) && tolerance >= 1e-9 {
                        true => f64::from(f32::EPSILON) / f64::EPSILON,
                        false => 1.0,
                    };
                    let values: Vec<f64> = values.iter().map(|x| x * unit).collect();
                    let (own, others) = rest.split_at(values.len());
                    rest = others;
                    let scale = match call.function {
                        "resolve" | "contact_step" => whole,
                        _ => largest(&values),
                    };
                    for (x, y) in own.iter().zip(&values) {
                        assert!(
                            (x - y).abs() <= tolerance * scale + least,
                            "{place}: {own:?}, {values:?}"
                        );
                    }
                }
                assert!(rest.is_empty(), "{place}");
            }
        }
    }
}

/// A system in C against Rust, in double precision; returns the program.
pub(crate) fn check_double(
    (system, name): (&str, &str),
    text: &str,
    parameters: &[f64],
    calls: &[Call],
) -> String {
    let source = program(text, system, parameters, calls);
    for compiler in compilers() {
        let output = run(compiler, &["-std=c99", &optimisation()], &source, name);
        compare(name, &output, calls, 1e-13);
    }
    source
}

/// A system in C against Rust, in double precision by every compiler, and in single precision; in all ways also as C++, which
/// texts in CUDA are in any case. The second name is that of the programs, which no other test has.
pub(crate) fn check((system, name): (&str, &str), text: &str, parameters: &[f64], calls: &[Call]) {
    let source = check_double((system, name), text, parameters, calls);
    if compilers().contains(&"gcc") {
        if in_all_ways() {
            let output = run("g++", &["-x", "c++"], &source, name);
            compare(name, &output, calls, 1e-13);
        }
        let single = format!("#define {}_REAL float\n{source}", system.to_uppercase());
        let name = format!("{name}_single");
        let output = run("gcc", &["-std=c99"], &single, &name);
        compare(&name, &output, calls, 2e-5);
    }
}
