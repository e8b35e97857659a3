//! The text in C, compiled by the C compiler of this computer, beside the interpreter of the same routines.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use crate::cases::sample;
use crate::maps::{self, Mass};
use crate::parameters::sensitive;
use crate::routines::reacting;
use crate::states::{choice, stateful};
use crate::trees::{self, Attitudes};
use lagrange_engine::{
    Dynamics, Routine, RoutineError, RoutineResult, Routines, Shape, Symbol, System, c99, wgsl,
};

/// All that the routines of a system may be.
pub(crate) const METHODS: [&str; 45] = [
    "coordinate_rates",
    "integrate",
    "difference",
    "neutral",
    "mass_matrix",
    "forcing",
    "momenta",
    "bias",
    "generalized_forces",
    "kinetic_energy",
    "potential_energy",
    "coriolis_matrix",
    "potential_gradient",
    "lagrangian",
    "energy",
    "jacobi_integral",
    "inverse_dynamics",
    "acceleration",
    "acceleration_unchecked",
    "solve",
    "state_derivative",
    "state_derivative_unchecked",
    "mass_matrix_full",
    "forcing_full",
    "constraint_residual",
    "constraint_velocity",
    "constraint_jacobian",
    "constraint_gamma",
    "constraint_forces",
    "inverse_dynamics_derivatives",
    "equation_derivatives",
    "acceleration_derivatives",
    "multiplier_derivatives",
    "constraint_velocity_derivatives",
    "linearize",
    "linearize_unchecked",
    "linearize_fixed_axes",
    "vjp",
    "velocity",
    "hamiltonian",
    "project",
    "rk4_step",
    "state_rates",
    "by_all",
    "acceleration_hessian",
];

/// A C compiler, or nothing: then the tests say so and pass.
pub(crate) fn compiler() -> Option<&'static str> {
    let found = ["cc", "gcc", "clang"].into_iter();
    let mut found = found.filter(|name| Command::new(name).arg("--version").output().is_ok());
    let compiler = found.next();
    if compiler.is_none() {
        eprintln!("skipped: no C compiler");
    }
    compiler
}

pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the text");
    folder
}

/// A value for an argument: small numbers, and unit quaternions for q.
fn argument(name: &str, length: usize, at: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
    let symbol: fn(u32) -> Symbol = match name {
        "q" | "q0" | "q1" => Symbol::Coordinate,
        "v" | "d" => Symbol::Velocity,
        "z" => Symbol::State,
        "u" => Symbol::Input,
        _ => Symbol::Acceleration,
    };
    match name {
        "t" => vec![0.3],
        "h" => vec![0.01],
        _ => (0..length as u32).map(|i| at(symbol(i))).collect(),
    }
}

/// A system, its routines and the arguments of each.
struct Case<'a> {
    routines: Routines<'a>,
    all: Vec<Routine>,
    parameters: Vec<f64>,
    at: &'a dyn Fn(Symbol) -> f64,
}

impl<'a> Case<'a> {
    fn new(dynamics: &'a Dynamics, at: &'a dyn Fn(Symbol) -> f64) -> Self {
        let routines = Routines::new(dynamics);
        let all = METHODS
            .iter()
            .filter_map(|name| routines.method(name))
            .collect();
        let count = dynamics.names().parameters.len() as u32;
        Self {
            routines,
            all,
            parameters: (0..count).map(|i| at(Symbol::Parameter(i))).collect(),
            at,
        }
    }

    fn arguments(&self, routine: &Routine) -> Vec<Vec<f64>> {
        let arguments = routine.arguments.iter();
        arguments
            .map(|argument| self::argument(&argument.name, argument.length, self.at))
            .collect()
    }

    /// A program that prints the status and the results of every routine, one line each.
    fn program(&self) -> String {
        let declaration = c99::Declaration {
            name: "Machine".to_owned(),
            parameters: vec![c99::Parameter {
                name: "double".to_owned(),
                shape: Shape::Vector(self.parameters.len()),
            }],
        };
        let mut text = c99::text(&declaration, &self.routines, self.all.clone());
        text.push_str("\n#include <stdio.h>\nint main(void)\n{\n    machine self;\n");
        for (i, value) in self.parameters.iter().enumerate() {
            let _ = writeln!(text, "    self.double_[{i}] = {value:?};");
        }
        for routine in &self.all {
            let mut given = vec!["&self".to_owned()];
            text.push_str("    {\n");
            for (argument, values) in routine.arguments.iter().zip(self.arguments(routine)) {
                if argument.is_scalar {
                    given.push(format!("{:?}", values[0]));
                } else if argument.length > 0 {
                    let values: Vec<String> = values.iter().map(|x| format!("{x:?}")).collect();
                    let (name, values) = (&argument.name, values.join(", "));
                    let _ = writeln!(text, "        const MACHINE_REAL {name}[] = {{{values}}};");
                    given.push(name.clone());
                }
            }
            let results: Vec<_> = routine
                .results
                .iter()
                .filter(|result| !result.shape.is_empty())
                .collect();
            for (i, result) in results.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "        MACHINE_REAL r{i}[{}] = {{0}};",
                    result.shape.len()
                );
                given.push(format!("r{i}"));
            }
            let call = format!("machine_{}({})", routine.name, given.join(", "));
            let _ = writeln!(
                text,
                "        int i, status = {call};\n        printf(\"%d\", status);"
            );
            for (i, result) in results.iter().enumerate() {
                let length = result.shape.len();
                let print =
                    format!("for (i = 0; i < {length}; i++) printf(\" %.17g\", (double)r{i}[i]);");
                let _ = writeln!(text, "        {print}");
            }
            text.push_str("        printf(\"\\n\");\n        (void)i;\n    }\n");
        }
        text.push_str("    return 0;\n}\n");
        text
    }

    /// The results in C against those of the interpreter, to so many digits of the largest entry.
    fn check(&self, output: &str, tolerance: f64) {
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines.len(), self.all.len());
        for (routine, line) in self.all.iter().zip(lines) {
            let mut words = line.split(' ');
            let status: i32 = words.next().unwrap_or_default().parse().expect("a status");
            let found: Vec<f64> = words.map(|word| word.parse().unwrap_or(f64::NAN)).collect();
            let expected = self
                .routines
                .run(routine, &self.arguments(routine), &self.parameters);
            let name = &routine.name;
            match expected {
                Err(error) => {
                    assert_eq!(status, error as i32, "{name}");
                    assert!(found.iter().all(|x| *x == 0.0), "{name} wrote {found:?}");
                }
                Ok(values) => {
                    let values = values.concat();
                    assert_eq!(status, 0, "{name}");
                    let scale = values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                    for (x, y) in found.iter().zip(&values) {
                        let same = (x - y).abs() <= tolerance * scale || (x.is_nan() && y.is_nan());
                        assert!(same, "{name}: {found:?} and {values:?}");
                    }
                }
            }
        }
    }
}

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-pedantic"];

const OPTIMISATION: &str = "LAGRANGIAN_C_OPTIMISATION";

/// Whether all systems are tried, as where texts are optimised: `.ci/long`.
pub(crate) fn are_all_tried() -> bool {
    std::env::var_os(OPTIMISATION).is_some()
}

/// The optimisation is what `LAGRANGIAN_C_OPTIMISATION` says, or none, which takes least long.
fn compile(compiler: &str, flags: &[&str], text: &str, name: &str) -> String {
    let folder = folder(name);
    let (source, program) = (folder.join("machine.c"), folder.join("machine"));
    std::fs::write(&source, text).expect("a file");
    let mut command = Command::new(compiler);
    command
        .args(flags)
        .args(WARNINGS)
        .arg(std::env::var(OPTIMISATION).unwrap_or_else(|_| "-O0".to_owned()))
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
    let run = Command::new(&program).output().expect("the program runs");
    String::from_utf8_lossy(&run.stdout).into_owned()
}

fn check(dynamics: &Dynamics, at: &dyn Fn(Symbol) -> f64, name: &str) {
    let Some(compiler) = compiler() else { return };
    let case = Case::new(dynamics, at);
    let text = case.program();
    let output = compile(compiler, &["-std=c99"], &text, name);
    case.check(&output, 1e-9);
}

/// A system with first-order states, with an input, or as it is, by turns of two numbers, or all three: what the texts
/// share takes most of the compiler's time.
fn check_with_states(system: System, number: u32, at: &dyn Fn(Symbol) -> f64, name: &str) {
    let (states, inputs) = choice(number);
    let system = sensitive(system);
    let parts = [
        Some((states, inputs, "_with_states")),
        Some((0, 1, "_with_inputs")),
        None,
    ];
    let turn = number as usize / 2 % parts.len();
    for (place, part) in parts.into_iter().enumerate() {
        if place == turn || are_all_tried() {
            let (system, kind) = match part {
                Some((states, inputs, kind)) => (stateful(system.clone(), states, inputs), kind),
                None => (system.clone(), ""),
            };
            check(&Dynamics::new(system), at, &format!("{name}{kind}"));
        }
    }
}

/// Random systems with constraints: accepted solutions, pivoted ones, and errors.
#[test]
fn c99_of_maps() {
    for (number, plan) in sample(&maps::plans(), 8).into_iter().enumerate() {
        let mass = [Mass::Definite, Mass::Any][number % 2];
        let system = maps::build(&plan, mass);
        let system = if number % 3 == 2 {
            reacting(system)
        } else {
            system
        };
        let value = maps::state(number as u32 + 1);
        check_with_states(system, number as u32, &value, &format!("maps{number}"));
    }
}

/// Random trees of bodies, some with attitudes.
#[test]
fn c99_of_trees() {
    for (number, plan) in sample(&trees::plans(), 8).into_iter().enumerate() {
        let attitudes = [Attitudes::None, Attitudes::Some][number % 2];
        let system = trees::build(&plan, attitudes);
        let value = trees::state(number as u32 + 1);
        check_with_states(system, number as u32, &value, &format!("trees{number}"));
    }
}

#[test]
fn c99_is_cpp_and_single_precision() {
    let Some(compiler) = compiler() else { return };
    let plan = sample(&trees::plans(), 2).remove(1);
    let dynamics = Dynamics::new(trees::build(&plan, Attitudes::Some));
    let value = trees::state(1);
    let case = Case::new(&dynamics, &value);
    let text = case.program();
    if Command::new("g++").arg("--version").output().is_ok() {
        let output = compile("g++", &["-x", "c++"], &text, "cpp");
        case.check(&output, 1e-9);
    }
    let text = format!("#define MACHINE_REAL float\n{text}");
    let output = compile(compiler, &["-std=c99"], &text, "single");
    assert_eq!(output.lines().count(), case.all.len());
}

/// A solution that the acceptance test refuses is found by pivoting, and singular states have their error.
#[test]
fn c99_falls_back() {
    let text = "coordinates x y\nparameters m\nnode %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = parameter 0\n\
                node %3 = product %0^2 %2^1\nnode %4 = product %1^2\nnode %5 = product %0^1 %1^1\n\
                node %6 = sum 0 1*%3 1*%4 2*%5\nkinetic %6\nnode %7 = coordinate 0\npotential %7\n";
    let dynamics = Dynamics::new(text.parse().expect("a system"));
    for m in [2.0, 1.0 + 1e-9, 1.0, 0.5, f64::NAN] {
        let value = move |symbol| match symbol {
            Symbol::Parameter(_) => m,
            _ => 0.5,
        };
        if m.is_finite() {
            check(&dynamics, &value, "falls_back");
        }
    }
    let routines = Routines::new(&dynamics);
    let state = [vec![0.0; 2], vec![0.0; 2]];
    assert_eq!(
        routines.evaluate("solve", &state, &[1.0]),
        Err(RoutineError::SingularMassMatrix)
    );
    assert!(routines.evaluate("solve", &state, &[0.5]).is_ok());
}

/// Names of C, of its libraries, of WGSL and of the text itself get an underscore.
#[test]
fn names_of_others_are_not_used() {
    let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    let dynamics = Dynamics::new(text.parse().expect("a system"));
    let routines = Routines::new(&dynamics);
    let declaration = |name: &str, parameters: &[&str]| c99::Declaration {
        name: name.to_owned(),
        parameters: (parameters.iter())
            .map(|name| c99::Parameter {
                name: (*name).to_owned(),
                shape: Shape::Scalar,
            })
            .collect(),
    };
    let energy = || routines.method("energy").expect("every system has energy");
    let names = [
        "M_SQRT2",
        "M_1_PIf",
        "linux",
        "STD__REAL",
        "M_Earth",
        "REAL",
    ];
    let text = c99::text(&declaration("Std", &names), &routines, vec![energy()]);
    for field in [
        "M_SQRT2_",
        "M_1_PIf_",
        "linux_",
        "STD__REAL_",
        "M_Earth",
        "REAL",
    ] {
        assert!(
            text.contains(&format!("    STD__REAL {field};\n")),
            "{field}"
        );
    }
    assert!(text.contains("\nint std__energy(const std_ *self, "));
    let named = |name: &str| Routine {
        name: name.to_owned(),
        ..energy()
    };
    let all = ["energy", "energy_q", "energy_results", "energy_batch"].map(named);
    let text = wgsl::text(&declaration("Vec3", &[]), &routines, all.to_vec());
    let globals = text.lines().filter_map(|line| {
        let name = line
            .strip_prefix("fn ")
            .or_else(|| line.split_once("var<storage")?.1.split_once("> ")?.1.into());
        name?.split(['(', ':']).next()
    });
    let mut globals: Vec<&str> = globals.collect();
    let length = globals.len();
    globals.sort_unstable();
    globals.dedup();
    assert_eq!(globals.len(), length);
    assert!(globals.contains(&"vec3__energy_batch") && globals.contains(&"vec3__energy_batch_"));
}

/// The functions of C99's math.h for `double`, without the suffixes of types.
const MATH: &str = "acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log
    log10 log1p log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint
    lrint llrint round lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma";

/// Macros of math.h and words of C, some of them behind an underscore.
const MACROS: &str = "FP_ZERO FP_NAN FP_FAST_FMAF FP_ILOGB0 HUGE_VAL HUGE_VALF HUGE_VALL INFINITY NAN MATH_ERRNO M_PI M_PI_2f
    M_SQRT3 M_El isnan isinff isgreaterequal signbit fpclassify math_errhandling double _Bool _Complex __LINE__ co_await";

/// The names that math.h has for a compiler, or may have.
fn names_of_math() -> BTreeSet<String> {
    let suffixes = ["", "f", "l", "f32", "f64x", "f128"];
    let functions = MATH.split_whitespace();
    let functions =
        functions.flat_map(|name| suffixes.iter().map(move |suffix| name.to_owned() + suffix));
    let mut names: BTreeSet<String> = functions.collect();
    names.extend(MACROS.split_whitespace().map(str::to_owned));
    let source = folder("names").join("math.c");
    std::fs::write(&source, "#include <math.h>\n").expect("a file");
    for language in ["c", "c++"] {
        for print in ["-P", "-dM"] {
            let mut command = Command::new(compiler().unwrap_or("cc"));
            let command = command.args(["-x", language, "-E", print, "-D_GNU_SOURCE"]);
            let Ok(output) = command.arg(&source).output() else {
                continue;
            };
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let is_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
            names.extend(words.filter(is_name).map(str::to_owned));
        }
    }
    names
}

/// A system, its parameters and its results may have every name of math.h: the text compiles as C and as C++.
#[test]
fn names_of_math_compile() {
    let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nnode %2 = coordinate 0\nnode %3 = sin %2\n\
                node %4 = sum 2 1*%3\nnode %5 = product %1^1 %4^1\nkinetic %5\n";
    let dynamics = Dynamics::new(text.parse().expect("a system"));
    let routines = Routines::new(&dynamics);
    let energy = routines.method("energy").expect("every system has energy");
    let names = names_of_math();
    let result = |name: &String| RoutineResult {
        name: name.clone(),
        shape: Shape::Scalar,
        is_count: false,
    };
    let mut whole = energy.clone();
    whole.results.extend(names.iter().map(result));
    let parameter = |name: &String| c99::Parameter {
        name: name.clone(),
        shape: Shape::Scalar,
    };
    let declaration = c99::Declaration {
        name: "Machine".to_owned(),
        parameters: names.iter().map(parameter).collect(),
    };
    let mut text = c99::text(&declaration, &routines, vec![whole]);
    for name in names
        .iter()
        .filter(|name| !name.contains(char::is_uppercase))
    {
        let declaration = c99::Declaration {
            name: name.clone(),
            parameters: Vec::new(),
        };
        let own = c99::text(&declaration, &routines, vec![energy.clone()]);
        let own = own.lines().find_map(|line| line.strip_prefix("} "));
        let own = own.expect("a type");
        let _ = writeln!(text, "typedef struct {{ double x; }} {own}");
    }
    for name in MATH.split_whitespace() {
        for suffix in ["", "f", "l"] {
            let is_renamed = text.contains(&format!("MACHINE_REAL *{name}{suffix}_,"));
            assert!(is_renamed, "{name}{suffix}");
        }
    }
    let source = folder("names").join("machine.c");
    std::fs::write(&source, text).expect("a file");
    let Some(compiler) = compiler() else { return };
    for language in ["c", "c++"] {
        let is_known = Command::new("g++").arg("--version").output().is_ok();
        if language == "c++" && !is_known {
            continue;
        }
        let mut command = Command::new(compiler);
        let command = command.args(["-x", language, "-fsyntax-only", "-D_GNU_SOURCE"]);
        let output = command.arg(&source).output().expect("the compiler runs");
        let messages = String::from_utf8_lossy(&output.stderr);
        let first: String = messages.chars().take(2000).collect();
        assert!(output.status.success(), "{language}: {first}");
    }
}

/// Names that are equal in ASCII, or with the underscore of a reserved word, are functions, fields and results apart.
#[test]
fn equal_names_are_kept_apart() {
    let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    let dynamics = Dynamics::new(text.parse().expect("a system"));
    let routines = Routines::new(&dynamics);
    let energy = routines.method("energy").expect("every system has energy");
    let names = [
        "θ", "u03B8", "double", "double_", "double__", "sin", "sin_", "θ_batch",
    ];
    let result = |name: &str| RoutineResult {
        name: name.to_owned(),
        shape: Shape::Scalar,
        is_count: false,
    };
    let routine = |name: &str| {
        let mut routine = energy.clone();
        name.clone_into(&mut routine.name);
        routine.results.extend(names.map(result));
        routine
    };
    let parameter = |name: &str| c99::Parameter {
        name: name.to_owned(),
        shape: Shape::Scalar,
    };
    for system in ["Math", "Co", "_1"] {
        let declaration = c99::Declaration {
            name: system.to_owned(),
            parameters: names.map(parameter).to_vec(),
        };
        let others = ["errhandling", "await", "REAL"];
        let all = || names.iter().chain(&others).map(|name| routine(name));
        let type_of = |text: &str| -> String {
            let own = text
                .lines()
                .find_map(|line| line.strip_prefix("} "))
                .expect("a type");
            own.trim_end_matches(';').to_owned()
        };
        let text = c99::text(&declaration, &routines, all().collect());
        let name = type_of(&text);
        let beginning = format!("int {name}_");
        let functions = text.lines().filter(|line| line.ends_with(");"));
        let functions =
            functions.filter_map(|line| line.strip_prefix(&beginning)?.split('(').next());
        let functions: BTreeSet<&str> = functions.collect();
        assert_eq!(functions.len(), names.len() + others.len(), "{functions:?}");
        let source = folder("apart").join("machine.c");
        std::fs::write(&source, &text).expect("a file");
        let Some(compiler) = compiler() else { continue };
        let mut command = Command::new(compiler);
        let output = command
            .args(["-std=c99", "-fsyntax-only"])
            .arg(&source)
            .output();
        let output = output.expect("the compiler runs");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{messages}");
        let text = wgsl::text(&declaration, &routines, all().collect());
        let functions = text
            .lines()
            .filter_map(|line| line.strip_prefix("fn ")?.split('(').next());
        let functions: Vec<&str> = functions.collect();
        let bindings = text
            .lines()
            .filter_map(|line| line.split_once("var<storage")?.1.split_once("> "));
        let bindings: Vec<&str> = bindings
            .filter_map(|(_, name)| name.split(':').next())
            .collect();
        for globals in [functions, bindings] {
            let distinct: BTreeSet<&str> = globals.iter().copied().collect();
            assert_eq!(distinct.len(), globals.len(), "{globals:?}");
        }
    }
}
