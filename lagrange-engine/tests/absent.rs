//! Systems that lack coordinates, parameters, inputs, outputs, constraints or contacts: every method of every system
//! runs, and has a text in every language.

use std::fmt::Write;
use std::process::Command;

use crate::c99;
use lagrange_engine::{
    BundlePart, Dynamics, Number, Quantity, Routine, Routines, Shape, System, c99 as c, cuda, wgsl,
};

/// The methods that the tests of C do not run.
const OTHERS: [&str; 19] = [
    "multiplier_forces",
    "hamilton_equations",
    "linearize_reduced",
    "midpoint_terms",
    "midpoint_vjp",
    "constraint_bounds",
    "gaps",
    "gap_rates",
    "contact_jacobian",
    "contact_gamma",
    "solve_active",
    "linearize_active",
    "impact",
    "impact_derivatives",
    "delassus",
    "friction_terms",
    "private constraint_jacobian",
    "private contact_jacobian",
    "private solve_pivoted",
];

/// A stride between the systems that are tried, prime to the number of choices of each part.
fn stride() -> usize {
    if c99::are_all_tried() { 77 } else { 155 }
}

/// The number of each part of a system.
#[derive(Clone, Copy, Debug)]
struct Counts {
    coordinates: usize,
    rotations: usize,
    parameters: usize,
    states: usize,
    inputs: usize,
    outputs: usize,
    holonomic: usize,
    nonholonomic: usize,
    contacts: usize,
    /// T and V are given separately.
    is_natural: bool,
    moves_in_time: bool,
    /// Forces depend on multipliers.
    reacts: bool,
}

/// Systems with at most one of each part, and two rows or contacts that agree.
fn all_counts() -> Vec<Counts> {
    let mut all = Vec::new();
    for number in (0..3 * 3 * 3 * 128 * 3).step_by(stride()) {
        let mut left = number;
        let mut digit = |base: usize| {
            let digit = left % base;
            left /= base;
            digit
        };
        let [holonomic, nonholonomic, contacts] = [digit(3), digit(3).min(1), digit(3)];
        all.push(Counts {
            coordinates: digit(2),
            rotations: digit(2),
            parameters: digit(2),
            inputs: digit(2),
            outputs: number % 2,
            holonomic,
            nonholonomic,
            contacts,
            is_natural: digit(2) == 0,
            moves_in_time: digit(2) == 0,
            reacts: digit(2) == 1,
            states: [0, 1, 3][digit(3)],
        });
    }
    all
}

/// Terms of all parts that there are: their sum is the residual of every row.
fn system(counts: Counts) -> System {
    let mut text = String::new();
    let turning = ["a.x", "a.y", "a.z", "a.w"];
    let mut coordinates = vec!["x"; counts.coordinates];
    coordinates.extend(turning.iter().take(4 * counts.rotations));
    let _ = writeln!(text, "coordinates {}", coordinates.join(" "));
    if counts.rotations > 0 {
        let _ = writeln!(text, "rotations {}", counts.coordinates);
    }
    for (word, name, count) in [
        ("parameters", "p", counts.parameters),
        ("states", "z", counts.states),
        ("inputs", "u", counts.inputs),
    ] {
        let _ = writeln!(text, "{word} {}", vec![name; count].join(" "));
    }
    let mut terms: Vec<usize> = Vec::new();
    let mut node = |text: &mut String, of: String| {
        let label = terms.len();
        let _ = writeln!(text, "node %{label} = {of}");
        terms.push(label);
        label
    };
    if counts.moves_in_time {
        text.push_str("time t\n");
        node(&mut text, "time".to_owned());
    }
    for i in 0..coordinates.len() {
        node(&mut text, format!("coordinate {i}"));
    }
    for _ in 0..counts.parameters {
        node(&mut text, "parameter 0".to_owned());
    }
    let sum: Vec<String> = (0..terms.len())
        .map(|label| format!("1*%{label}"))
        .collect();
    let mut next = terms.len();
    let mut node = |text: &mut String, of: &str| {
        let _ = writeln!(text, "node %{next} = {of}");
        next += 1;
        next - 1
    };
    let residual = node(&mut text, &format!("sum 1 {}", sum.join(" ")));
    let states: Vec<usize> = (0..counts.states)
        .map(|i| node(&mut text, &format!("state {i}")))
        .collect();
    for (state, place) in states.iter().enumerate() {
        let product = node(&mut text, &format!("product %{residual}^1 %{place}^1"));
        let _ = writeln!(text, "rate {state} %{product}");
    }
    let velocities = counts.coordinates + 3 * counts.rotations;
    let squares: Vec<String> = (0..velocities)
        .map(|i| {
            let v = node(&mut text, &format!("velocity {i}"));
            format!("1*%{}", node(&mut text, &format!("product %{v}^2")))
        })
        .collect();
    let kinetic = node(&mut text, &format!("sum 0 {}", squares.join(" ")));
    if counts.is_natural {
        let potential = states.first().map_or(residual, |state| {
            node(&mut text, &format!("product %{residual}^1 %{state}^1"))
        });
        let _ = writeln!(text, "kinetic %{kinetic}\npotential %{potential}");
    } else {
        let lagrangian = node(&mut text, &format!("sum 0 1*%{kinetic} -1*%{residual}"));
        let _ = writeln!(text, "lagrangian %{lagrangian}");
    }
    if counts.states > 0 && velocities > 0 {
        let rate = node(&mut text, "state_rate 0");
        let speed = node(&mut text, "velocity 0");
        let drag = node(&mut text, &format!("product %{rate}^1 %{speed}^1"));
        let _ = writeln!(text, "dissipation %{drag}");
    }
    if counts.inputs > 0 && velocities > 0 {
        let force = node(&mut text, "input 0");
        let _ = writeln!(text, "force 0 %{force}");
    }
    for row in 0..counts.holonomic {
        let _ = writeln!(text, "holonomic h{row} %{residual}");
    }
    for row in 0..counts.nonholonomic {
        let rate = match velocities {
            0 => residual,
            _ => node(&mut text, "velocity 0"),
        };
        let _ = writeln!(text, "nonholonomic n{row} %{rate}");
    }
    for contact in 0..counts.contacts {
        let _ = writeln!(text, "contact c{contact} %{residual}");
        if contact > 0 && velocities > 0 {
            let slip = node(&mut text, "velocity 0");
            let _ = writeln!(
                text,
                "slip {contact} %{slip}\nfriction {contact} %{residual}"
            );
        }
    }
    if counts.contacts.is_multiple_of(2) && velocities > 0 {
        let _ = writeln!(text, "dry_joint 0 %{residual}");
    }
    for _ in 0..counts.outputs {
        let _ = writeln!(text, "output o scalar %{residual}");
    }
    let read = text.parse::<System>();
    let mut system = read.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    if counts.reacts {
        let gap = system.outputs.first().map(|output| output.entries[0]);
        let column = vec![gap.unwrap_or_else(|| system.graph.number(Number::ONE)); velocities];
        let columns = counts.holonomic + counts.nonholonomic + counts.contacts;
        system.multiplier_forces = vec![column; columns];
    }
    system
}

fn routines_of(routines: &Routines, outputs: usize) -> Vec<Routine> {
    let methods = c99::METHODS.iter().chain(&OTHERS);
    let mut all: Vec<Routine> = methods.filter_map(|name| routines.method(name)).collect();
    if outputs > 0 {
        for (name, quantity) in [
            ("o", Quantity::Output(0)),
            ("o_jacobian", Quantity::OutputJacobian(0)),
            ("o_rate", Quantity::OutputRate(0)),
            ("o_by_states", Quantity::OutputByStates(0)),
            ("o_by_inputs", Quantity::OutputByInputs(0)),
            ("o_hessian", Quantity::OutputHessian(0)),
            ("o_bias", Quantity::OutputBias(0)),
        ] {
            let fields = [(name.to_owned(), quantity)];
            all.push(routines.computation(name, &["q", "v", "z"], &fields));
        }
    }
    let parts = [
        BundlePart::Quantities(vec![("momenta".to_owned(), Quantity::Momenta)]),
        BundlePart::Call("acceleration_unchecked".to_owned()),
    ];
    all.push(routines.bundle("both", &["q", "v", "z", "u"], &parts));
    all
}

/// Every function declares the local arrays that it names: `x3[..]` by `var x3: ..` or `S x3[3];`.
fn assert_locals_are_declared(text: &str) {
    for function in text.split("\n}\n") {
        for (at, _) in function.match_indices('[') {
            let before = function[..at].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let name = before.into_iter().next().unwrap_or_default();
            let digits = name.strip_prefix('x').unwrap_or_default();
            if digits.is_empty() || digits.contains(|c: char| !c.is_ascii_digit()) {
                continue;
            }
            let forms = [format!("var {name}:"), format!(" S {name}[")];
            assert!(
                forms.iter().any(|form| function.contains(form)),
                "{name}: {function}"
            );
        }
    }
}

#[test]
fn every_method_has_a_text_whatever_a_system_lacks() {
    let mut sources = String::new();
    for (number, counts) in all_counts().into_iter().enumerate() {
        let dynamics = Dynamics::new(system(counts));
        let has_rows = counts.holonomic + counts.nonholonomic + counts.contacts > 1;
        let are_redundant = has_rows && number % 4 > 1;
        let routines = Routines::new(&dynamics).with_redundant_rows(are_redundant);
        let all = routines_of(&routines, counts.outputs);
        let parameters = vec![0.5; counts.parameters];
        for routine in &all {
            let given = routine
                .arguments
                .iter()
                .map(|argument| vec![0.25; argument.length]);
            let values = routines.run(routine, &given.collect::<Vec<_>>(), &parameters);
            for (result, values) in routine.results.iter().zip(values.unwrap_or_default()) {
                assert_eq!(
                    result.shape.len(),
                    values.len(),
                    "{counts:?} {}",
                    routine.name
                );
            }
        }
        let public = all
            .into_iter()
            .filter(|routine| !routine.name.contains(' '));
        let public: Vec<Routine> = public.collect();
        let declaration = c::Declaration {
            name: format!("S{number}"),
            parameters: vec![
                c::Parameter {
                    name: "p".to_owned(),
                    shape: Shape::Scalar
                };
                counts.parameters
            ],
        };
        let shader = wgsl::text(&declaration, &routines, public.clone());
        let device = cuda::text(&declaration, &routines, public.clone());
        for text in [&shader, &device] {
            assert!(!text.contains(", 0>"), "{counts:?}: {text}");
            assert_locals_are_declared(text);
        }
        sources.push_str(&c::text(&declaration, &routines, public));
    }
    if let Some(compiler) = c99::compiler() {
        let source = c99::folder("absent").join("all.c");
        std::fs::write(&source, &sources).expect("a file");
        let flags = ["-std=c99", "-pedantic-errors", "-fsyntax-only"];
        let compiled = Command::new(compiler).args(flags).arg(&source).output();
        let compiled = compiled.expect("the compiler runs");
        let messages = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{messages}");
    }
}
