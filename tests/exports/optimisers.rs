//! Functions for CasADi in C: values beside the methods in Rust, derivatives beside differences, and patterns beside both.

use std::fmt::Write;

use lagrangian::nalgebra::vector;

use crate::calls::calls;
use crate::compiled::{Argument, Call, compare, compilers, optimisation, run};
use crate::declared::*;

const HARNESS: &str = include_str!("optimisers.c");

/// Compiles the text with all warnings, and compares each call. A quaternion begins at each of these coordinates.
pub(crate) fn check(
    name: &str,
    text: &str,
    (parameters, rotations): (&[f64], &[usize]),
    calls: &[Call],
) {
    let numbers = |values: &[f64]| {
        let values: Vec<String> = values.iter().map(|x| format!("{x:?}")).collect();
        values.join(", ").replace("NaN", "NAN")
    };
    // Other functions of a text may be unused, but none of this one.
    let unused = "#pragma GCC diagnostic error \"-Wunused-function\"\n";
    let mut values = format!("{unused}{text}\n{HARNESS}\nint main(void)\n{{\n");
    let listed: Vec<String> = rotations.iter().map(usize::to_string).collect();
    let _ = writeln!(
        values,
        "    static const integer rotations[] = {{{}}};",
        [&listed[..], &["0".to_owned()]].concat().join(", ")
    );
    let _ = writeln!(
        values,
        "    static const double p[] = {{{}, 0}};",
        numbers(parameters)
    );
    let mut derivatives = String::new();
    for (number, call) in calls.iter().enumerate() {
        let whole = format!("{name}_{}", call.function);
        let has_derivative = text.contains(&format!("int jac_{whole}("));
        let describe = |of: &str| format!("{of}_n_in(), {of}_n_out()");
        let (derivative, sizes, patterns) = match has_derivative {
            true => {
                let of = format!("jac_{whole}");
                (of.clone(), describe(&of), format!("{of}_sparsity_out"))
            }
            false => ("0".to_owned(), "0, 0".to_owned(), "0".to_owned()),
        };
        let _ = writeln!(
            values,
            "    const described d{number} = {{{whole}, {derivative}, {}, {sizes}, {whole}_name_in, {whole}_sparsity_in, \
             {whole}_sparsity_out, {patterns}}};",
            describe(&whole)
        );
        let mut given = Vec::new();
        for (at, argument) in call.arguments.iter().enumerate() {
            let list = match argument {
                Argument::Number(value) => numbers(&[*value]),
                Argument::Array(values) if values.is_empty() => continue,
                Argument::Array(values) => numbers(values),
                Argument::Flags(values) => {
                    numbers(&values.iter().map(|x| f64::from(*x)).collect::<Vec<_>>())
                }
            };
            let _ = writeln!(
                values,
                "    static const double x{number}_{at}[] = {{{list}}};"
            );
            given.push(format!("x{number}_{at}"));
        }
        given.push("p".to_owned());
        let list = given.join(", ");
        let _ = writeln!(values, "    const double *a{number}[] = {{{list}}};");
        let _ = writeln!(derivatives, "    show(&d{number}, a{number});");
        if call.expected.is_ok() {
            let count = rotations.len();
            let _ = writeln!(
                derivatives,
                "    compare(&d{number}, a{number}, rotations, {count});"
            );
        }
    }
    let source = format!(
        "{values}{derivatives}    (void)compare;\n    (void)rotations;\n    return 0;\n}}\n"
    );
    for compiler in compilers() {
        let flags = ["-std=c99", &optimisation(), "-pedantic-errors"];
        let output = run(compiler, &flags, &source, &format!("{name}_casadi"));
        let (mut shown, mut lines) = (String::new(), output.lines());
        for call in calls {
            shown += lines.next().expect("a line of values");
            shown.push('\n');
            if call.expected.is_err()
                || !text.contains(&format!("int jac_{name}_{}(", call.function))
            {
                continue;
            }
            let line = lines.next().expect("a line of errors");
            let errors: Vec<f64> = line
                .split(' ')
                .map(|x| x.parse().expect("a number"))
                .collect();
            println!("{name}: {} {errors:?}", call.function);
            assert!(
                (0.0..1e-6).contains(&errors[0]) && (0.0..1e-9).contains(&errors[1]),
                "{name}: {} {errors:?}",
                call.function
            );
        }
        compare(name, &shown, calls, 1e-13);
    }
}

/// The first coordinate of each rotation.
fn rotations(coordinates: &[&str]) -> Vec<usize> {
    let numbered = coordinates.iter().enumerate();
    let last = numbered.filter(|(_, name)| name.ends_with(".w"));
    last.map(|(at, _)| at - 3).collect()
}

macro_rules! described {
    ($($test:ident: $system:ident, $name:literal, $has_time:literal, $value:expr, $parameters:expr, $q:expr;)*) => {$(
        #[test]
        fn $test() {
            let mut calls = calls(&$value, $has_time, &state($q));
            calls.retain(|call| call.function != "forcing");
            let rotations = rotations(&$system::COORDINATES);
            check($name, $system::CASADI, (&$parameters, &rotations), &calls);
        }
    )*};
}

for_all_systems!(described);

/// A function that fails has its number, and so has its derivative.
#[test]
fn errors() {
    let singular = CartPole {
        m_c: 0.0,
        m_p: 0.0,
        l: 0.7,
        g: 9.81,
    };
    let calls = calls(&singular, false, &state(vector![0.4, 0.9]));
    let parameters = [0.0, 0.0, 0.7, 9.81];
    check(
        "cart_pole",
        CartPole::CASADI,
        (&parameters, &[]),
        &calls[4..],
    );
}
