//! Kernels over batches: the CUDA text compiled as C++, with the words of CUDA defined away. If `LAGRANGIAN_CUDA_TEXTS` names
//! a folder, the texts are written there: `.ci/cuda` compiles them for GPUs.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use crate::compiled::{Argument, Call, compilers, in_all_ways, is_integer, run};

/// The words of CUDA for a compiler of C++: a grid of one thread.
pub(crate) const SHIM: &str = "\
#define __host__
#define __device__
#define __global__ static
struct coordinates { unsigned int x, y, z; };
static const coordinates blockIdx = {0, 0, 0}, threadIdx = {0, 0, 0}, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};
";

/// The states of a batch: the state of the call in some places, NaN in the others.
const BATCH: usize = 5;
const GOOD: [bool; BATCH] = [true, false, true, true, false];

/// An array of a batch: entry k of state i at k * batch + i.
fn batched(entries: &[f64]) -> String {
    let all = entries.iter().flat_map(|entry| {
        GOOD.iter().map(move |good| {
            if *good {
                format!("(S){entry:?}")
            } else {
                "(S)NAN".to_owned()
            }
        })
    });
    all.collect::<Vec<String>>().join(", ")
}

/// Flags of a batch, the same for all states.
fn flags(entries: &[i32]) -> String {
    let all = entries
        .iter()
        .flat_map(|entry| std::iter::repeat_n(entry.to_string(), BATCH));
    all.collect::<Vec<String>>().join(", ")
}

/// A program that runs kernels on a batch and prints, for each state, its status and
/// results.
fn program(
    text: &str,
    system: &str,
    (has_time, parameters): (bool, &[f64]),
    calls: &[Call],
) -> String {
    let mut program =
        format!("{SHIM}{text}\n#include <stdio.h>\ntemplate <typename S> static void run()\n{{\n");
    let list: Vec<String> = parameters.iter().map(|x| format!("(S){x:?}")).collect();
    let _ = writeln!(program, "    const S list[] = {{{}}};", list.join(", "));
    let _ = writeln!(program, "    {system}<S> self;\n    unsigned int k;");
    let copy = "((unsigned char *)&self)[k] = ((const unsigned char *)list)[k];";
    let _ = writeln!(program, "    for (k = 0; k < sizeof(self); k++) {copy}");
    for call in calls {
        let is_step = call.function == "rk4_step";
        let arrays = call.arguments.iter().filter_map(|argument| match argument {
            Argument::Array(entries) if !entries.is_empty() => Some(("S", batched(entries))),
            Argument::Flags(entries) => Some(("int", flags(entries))),
            _ => None,
        });
        let arrays: Vec<(&str, String)> = arrays.collect();
        let _ = writeln!(program, "    {{\n        int i, status[{BATCH}];");
        let mut given = vec!["self".to_owned()];
        if has_time {
            given.push("(S)0.3".to_owned());
        }
        for (at, (ty, entries)) in arrays.iter().enumerate() {
            let constant = if is_step && at < 2 { "" } else { "const " };
            let _ = writeln!(program, "        {constant}{ty} x{at}[] = {{{entries}}};");
            given.push(format!("x{at}"));
        }
        if let ("contact_step", Some(Argument::Number(h))) = (call.function, call.arguments.last())
        {
            given.push(format!("(S){h:?}"));
        }
        let mut results = Vec::new();
        if is_step {
            given.extend(["(S)0.01".to_owned(), "1".to_owned()]);
            results.extend([
                ("x0".to_owned(), call.lengths[0]),
                ("x1".to_owned(), call.lengths[1]),
            ]);
        } else {
            for (at, length) in call
                .lengths
                .iter()
                .enumerate()
                .filter(|(_, length)| **length > 0)
            {
                let ty = if is_integer(call, at) { "int" } else { "S" };
                let _ = writeln!(program, "        {ty} r{at}[{}] = {{0}};", length * BATCH);
                given.push(format!("r{at}"));
                results.push((format!("r{at}"), *length));
            }
        }
        given.extend([BATCH.to_string(), "status".to_owned()]);
        let function = format!("{system}_{}_batch<S>", call.function);
        let _ = writeln!(program, "        {function}({});", given.join(", "));
        let _ = writeln!(
            program,
            "        for (i = 0; i < {BATCH}; i++) {{\n            printf(\"%d\", status[i]);"
        );
        for (name, length) in results {
            let print = format!("printf(\" %.17g\", (double){name}[k * {BATCH} + i]);");
            let _ = writeln!(
                program,
                "            for (k = 0; k < {length}; k++) {print}"
            );
        }
        program.push_str("            printf(\"\\n\");\n        }\n    }\n");
    }
    program.push_str("}\nint main()\n{\n    run<double>();\n    run<float>();\n    return 0;\n}\n");
    program
}

fn compare(name: &str, lines: &[&str], calls: &[&Call], tolerance: f64) {
    for (call, lines) in calls.iter().zip(lines.chunks(BATCH)) {
        for (line, good) in lines.iter().zip(GOOD) {
            let mut words = line.split(' ');
            let status = words.next().unwrap_or_default();
            let place = format!("{name}: {}", call.function);
            if !good {
                assert_eq!(status, "4", "{place}");
                continue;
            }
            let found: Vec<f64> = words.map(|word| word.parse().expect("a number")).collect();
            let expected = match &call.expected {
                Ok(values) => values.concat(),
                Err(number) => {
                    assert_eq!(status, number.to_string(), "{place}");
                    assert!(found.iter().all(|x| *x == 0.0), "{place} wrote {found:?}");
                    continue;
                }
            };
            assert_eq!(status, "0", "{place}");
            assert_eq!(found.len(), expected.len(), "{place}");
            let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            for (x, y) in found.iter().zip(&expected) {
                assert!(
                    (x - y).abs() <= tolerance * scale,
                    "{place}: {found:?}, {expected:?}"
                );
            }
        }
    }
}

/// The kernels that a text has of these calls, in both precisions, with the functions for devices; in all ways also with the
/// library's, which texts in C have in any case.
pub(crate) fn check(system: &str, text: &str, given: (bool, &[f64]), calls: &[Call]) {
    if let Some(folder) = env::var_os("LAGRANGIAN_CUDA_TEXTS") {
        let file = PathBuf::from(folder).join(format!("{system}.cu"));
        fs::write(file, text).expect("a file");
    }
    let calls: Vec<&Call> = calls
        .iter()
        .filter(|call| text.contains(&format!(" {system}_{}_batch(", call.function)))
        .collect();
    let owned: Vec<Call> = calls.iter().map(|call| (*call).clone()).collect();
    let source = program(text, system, given, &owned);
    if compilers().contains(&"gcc") {
        let device = format!("#define {}_DEVICE_MATH\n", system.to_uppercase());
        let library = in_all_ways().then(String::new);
        for device in [device].into_iter().chain(library) {
            let name = format!("{system}_cuda{}", device.len());
            let output = run("g++", &["-x", "c++"], &(device + &source), &name);
            let lines: Vec<&str> = output.lines().collect();
            let (double, single) = lines.split_at(lines.len() / 2);
            compare(system, double, &calls, 1e-13);
            compare(system, single, &calls, 2e-5);
        }
    }
}
