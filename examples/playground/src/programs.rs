//! The programs that the page writes, compared with files of `programs`, which tests of the other languages run:
//! `tests/playground.rs` those in Rust, `python/tests/test_programs.py` those in Python. Those in C run here.
//!
//! `UPDATE=1 cargo test programs` in this package writes the files.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use lagrangian_live::motion::State;

use crate::session::{self, Session, start, with, words};
use crate::tests::{SYSTEMS, alone, proposed};

/// Systems with inputs, constraints, states, time, rotations and arrays of parameters.
const CHOSEN: [&str; 6] = [
    "cart_pole",
    "four_bar",
    "motor",
    "shaken_pendulum",
    "t_handle",
    "double_pendulum",
];

/// Puts a system of the menu at a start, with inputs that are not 0.
fn begin(name: &str) {
    let (_, text) = SYSTEMS
        .into_iter()
        .find(|(known, _)| *known == name)
        .expect(name);
    let mut numbers = proposed(&session::read(text));
    if name == "four_bar" {
        // Its loop cannot close from everywhere.
        let index = numbers.len() - 6;
        numbers[index..index + 3].copy_from_slice(&[0.0, 1.3, 1.8]);
    }
    let inputs = with(|session: &mut Session| {
        let count = |variables| session::names(variables).len();
        let first = count(session.model.parameters());
        first..first + count(session.model.inputs())
    });
    for (index, number) in numbers[inputs].iter_mut().enumerate() {
        *number = 0.25 - index as f64;
    }
    let figure = start(&numbers);
    assert!(figure.starts_with("{\"dimension\":"), "{name}: {figure}");
}

/// The arguments of `acceleration` at the start, by name.
fn arguments(session: &Session) -> Vec<(String, Vec<f64>)> {
    let method = session.model.method("acceleration").unwrap();
    let State { t, q, v, z } = &session.start;
    method
        .arguments
        .iter()
        .map(|argument| &argument.name)
        .map(|name| {
            let entries = match &name[..] {
                "t" => vec![*t],
                "q" => q.clone(),
                "v" => v.clone(),
                "z" => z.clone(),
                _ => session.inputs.clone(),
            };
            (name.clone(), entries)
        })
        .collect()
}

/// The acceleration at the start.
fn acceleration(session: &Session) -> Vec<f64> {
    let arguments = arguments(session);
    let arguments: Vec<&[f64]> = arguments.iter().map(|(_, entries)| &entries[..]).collect();
    let mut a = vec![0.0; session.start.v.len()];
    let model = &session.model;
    let done = model.call(
        "acceleration",
        &session.parameters,
        &arguments,
        &mut [&mut a],
    );
    done.unwrap();
    a
}

fn line(numbers: &[f64]) -> String {
    session::exact(numbers).replace(['[', ']'], "")
}

#[test]
fn programs_are_those_that_other_tests_run() {
    let _alone = alone();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    for name in CHOSEN {
        begin(name);
        let value = with(|session| line(&acceleration(session)) + "\n");
        for (kind, text) in [("rs", words(1)), ("py", words(3)), ("txt", value)] {
            let path = folder.join(format!("{name}.{kind}"));
            if env::var_os("UPDATE").is_some() {
                fs::create_dir_all(&folder).unwrap();
                fs::write(&path, &text).unwrap();
            }
            let stored = fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(text, stored, "{name}.{kind}: `UPDATE=1` writes it");
        }
    }
}

/// The folder for the programs of a test.
fn scratch() -> PathBuf {
    let folder = env::temp_dir().join(format!("lagrangian-programs-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A program that prints the acceleration by the text in C.
fn program(session: &Session, text: &str) -> String {
    let head = text
        .lines()
        .find(|line| line.contains("_acceleration("))
        .and_then(|line| line.strip_prefix("int "))
        .unwrap();
    let name = head.split("_acceleration(").next().unwrap();
    let arguments = arguments(session);
    let declared: String = arguments
        .iter()
        .map(|(name, entries)| format!("const double {name}[] = {{{}}};\n", line(entries)))
        .collect();
    let arguments_in_call: Vec<&str> = arguments
        .iter()
        .map(|(name, _)| if name == "t" { "*t" } else { &name[..] })
        .collect();
    format!(
        "#include <stdio.h>\n#include \"system.c\"\n\nint main(void)\n{{\n\
         const {name} system = {{{}}};\n{declared}double a[{length}];\nint i;\n\
         if ({name}_acceleration(&system, {}, a) != 0) return 1;\n\
         for (i = 0; i < {length}; i++) printf(\"%.17g\\n\", a[i]);\nreturn 0;\n}}\n",
        line(&session.parameters),
        arguments_in_call.join(", "),
        length = session.start.v.len(),
    )
}

#[test]
fn programs_in_c_have_the_values_of_the_page() {
    let _alone = alone();
    let folder = scratch();
    for name in CHOSEN {
        begin(name);
        let text = words(2);
        fs::write(folder.join("system.c"), &text).unwrap();
        let (program, expected) = with(|session| (program(session, &text), acceleration(session)));
        fs::write(folder.join("main.c"), program).unwrap();
        let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut command = Command::new(compiler);
        command.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]);
        // The numbers of an array of parameters stand without braces of their own.
        command.args(["-Wno-missing-braces", "-o", "main", "main.c", "-lm"]);
        let Ok(output) = command.current_dir(&folder).output() else {
            eprintln!("there is no `cc`: no program in C runs");
            break;
        };
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {told}");
        let output = Command::new(folder.join("main")).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let computed: Vec<f64> = printed.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(computed.len(), expected.len(), "{name}: {printed}");
        let most = expected.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
        for (computed, expected) in computed.iter().zip(&expected) {
            assert!(
                (computed - expected).abs() <= 1e-13 * most,
                "{name}: {computed} {expected}"
            );
        }
    }
    fs::remove_dir_all(folder).unwrap();
}
