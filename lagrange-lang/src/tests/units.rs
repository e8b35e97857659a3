//! Judgements do not depend on units. In every system of this repository, and in wrong ones, energies, coordinates
//! and rows of constraints are multiplied by exact powers of ten. Errors, constants and warnings must stay the
//! same.
//!
//! `cargo test` tries a sixth of all changes of systems that are not large.
//! `cargo test -p lagrange-lang --lib units -- --ignored --nocapture` tries all, including some of large systems,
//! and prints a table.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use lagrange_engine::{
    Dynamics, Energy, Graph, Multibody, Node, NodeId, Number, Symbol, System, Unary,
};
use proc_macro2::extra;

use super::declarations;
use super::mistakes;
use crate::errors::Errors;
use crate::model::Head;
use crate::tables::Tables;
use crate::{check, lower, syntax};

/// Systems with relatively small or nearly parallel terms, each with an error, a fact or a warning. Warnings come
/// first, then facts, then errors.
const DELICATE: [(&str, &str); 18] = [
    (
        "struct Bead { x, y: coordinate }
    T = 1e-12 * der([x, y])^2 / 2;
    V = 1e-12 * 9.81 * y;
    holonomic ring: x^2 + y^2 = 1;",
        "[]",
    ),
    (
        "struct Electron { x, y: coordinate }
    T = 9.109e-31 * der([x, y])^2 / 2;
    holonomic ring: norm([x, y]) = 1e-9;",
        "[]",
    ),
    (
        "struct Blade { x, y, a: coordinate }
    T = 9.109e-31 * (der([x, y])^2 + 1e-20 * der(a)^2) / 2;
    nonholonomic blade: der(x) * sin(a) = der(y) * cos(a);",
        "[]",
    ),
    (
        "struct Small { p: coordinate[3], att: rotation }
    frame A = world.translate(p).rotate(att);
    body { frame: A, mass: 1e-12, inertia: 1e-24 * diag(1, 2, 2.5) }
    holonomic ball: A.point([1e-6, 0, 0]) = [0, 0, 0];",
        "[]",
    ),
    (
        "struct Near { x, y, z: coordinate }
    T = der([x, y, z])^2 / 2;
    V = y + z;
    holonomic a: x = 0;
    holonomic b: x = 1e-6 * y;",
        "[]",
    ),
    (
        "struct Arm { a, b: coordinate }
    frame A = world.rotate(z, a);
    frame B = A.rotate(z, b);
    body { frame: A, inertia: 1e-12 * identity(3) }
    body { frame: B, inertia: identity(3) }",
        "cyclic: [true, true]",
    ),
    (
        "struct Wire { x, y: coordinate }
    T = 1e-9 * der([x, y])^2 / 2;
    holonomic wire: x^2 + y^2 = (1e-6)^2;",
        "integrable: [[]] Facts",
    ),
    (
        "struct Regressed { x: coordinate, m: parameter }
    T = der(x)^2 / 2;
    V = m * x + 1e-13 * m^2 * x;
    regressor r { m }",
        "[Nonlinear]",
    ),
    (
        "struct Top { a: rotation }
    frame F = world.rotate(a);
    body { frame: F, mass: 1000, at: [0, 0, 1], inertia: 1e4 * diag(1, 1, 1) }
    body { frame: F, mass: 1e-9, at: [1e-3, 0, 0] }
    gravity [0, 0, -9.81];",
        "cyclic: [false, false, false]",
    ),
    (
        "struct Sum { x, y: coordinate }
    T = der([x, y])^2 / 2;
    V = ((x + y)^2 - x^2 - 2 * x * y - y^2) * 1e3 + 1e-11 * sin(x);",
        "cyclic: [false, true]",
    ),
    (
        "struct Cancelled { x, y: coordinate }
    T = der([x, y])^2 / 2;
    V = ((x + y)^2 - x^2 - 2 * x * y - y^2) * 1e3 + 1e-11 * y;",
        "cyclic: [true, false]",
    ),
    (
        "struct Flat { x, y: coordinate }
    T = der([x, y])^2 / 2;
    holonomic flat: (x - 2 * y)^2 = 0;",
        "FlatConstraint",
    ),
    (
        "struct Point { x, y: coordinate }
    T = der([x, y])^2 / 2;
    holonomic point: x^2 + 3 * y^2 = 0;",
        "FlatConstraint",
    ),
    (
        "struct Twice { x, y, z: coordinate }
    T = der([x, y, z])^2 / 2;
    holonomic a: x = y^2;
    holonomic b: z = 3 * x;
    holonomic c: z + x = 4 * y^2;",
        "[Dependent]",
    ),
    (
        "struct Helix { x, y, z, s: coordinate, h: parameter }
    T = 1e-9 * der([x, y, z])^2 / 2;
    holonomic wire: [x, y, z] = [1e-6 * cos(s), 1e-6 * sin(s), h * s];
    symmetry screw: x -> -y, y -> x, z -> h, s -> 1;",
        "conserved_symmetries: [true]",
    ),
    (
        "struct Weight { x, y, z, s: coordinate, h: parameter }
    T = 1e-9 * der([x, y, z])^2 / 2;
    V = 1e-20 * z + 1e3 * (x^2 + y^2)^2;
    holonomic wire: [x, y, z] = [1e-6 * cos(s), 1e-6 * sin(s), h * s];
    symmetry screw: x -> -y, y -> x, z -> h, s -> 1;",
        "[NoSymmetry]",
    ),
    (
        "struct Held { x, y: coordinate, l: parameter }
    T = der([x, y])^2 / 2;
    V = (x^2 + y^2 - l^2) * x;
    holonomic wire: x^2 + y^2 = l^2;
    symmetry turn: x -> -y, y -> x;",
        "conserved_symmetries: [true]",
    ),
    (
        "struct Slipping { x, y: coordinate, l: parameter }
    T = der([x, y])^2 / 2;
    V = (x^2 + y^2 - l^2 + 1e-9 * x) * x;
    holonomic wire: x^2 + y^2 = l^2;
    symmetry turn: x -> -y, y -> x;",
        "[NoSymmetry]",
    ),
];

/// A declaration without mistakes in its statements. The energies of its bodies replace the bodies.
struct Declared {
    system: System,
    tables: Tables,
    head: Head,
}

fn declared(text: &str) -> Option<Declared> {
    let mut errors = Errors::default();
    let definition = syntax::parse(text.parse().ok()?, &mut errors)?;
    let (mut head, declarations) = lower::head(&definition, &mut errors);
    let (system, tables) = lower::lower(&definition, &mut head, declarations, &mut errors);
    if !errors.is_empty() {
        return None;
    }
    let mut system = system.without_bodies();
    system.multibody = Multibody::default();
    system.outputs.clear();
    Some(Declared {
        system,
        tables,
        head,
    })
}

/// Powers of ten: for the energies and forces, for each velocity with its coordinates, and for each row.
#[derive(Clone, Debug)]
struct Units {
    energy: i32,
    velocities: Vec<i32>,
    rows: Vec<i32>,
}

impl Units {
    fn none(declared: &Declared) -> Self {
        Units {
            energy: 0,
            velocities: vec![0; declared.system.names.velocity_count()],
            rows: vec![0; declared.system.constraints.len()],
        }
    }
}

fn power(exponent: i32) -> Number {
    Number::parse(&format!("1e{exponent}")).unwrap()
}

impl Declared {
    /// All judgements of the system in other units; `None` if a constant is not representable as a double.
    fn verdicts(&mut self, units: &Units) -> Option<String> {
        let mut system = self.system.clone();
        let (old, factors) = self.nodes(units);
        let changed = changed(&mut system, units, &old, &factors)?;
        self.set_nodes(&changed);
        let said = said(&system, &self.tables, &self.head);
        self.set_nodes(&old);
        Some(said)
    }

    /// The nodes of the tables, and the power of ten for each.
    fn nodes(&mut self, units: &Units) -> (Vec<NodeId>, Vec<i32>) {
        let (mut nodes, mut factors) = (Vec::new(), Vec::new());
        visit(&mut self.tables, &mut |node, kind| {
            nodes.push(*node);
            factors.push(match kind {
                Kind::Energy => units.energy,
                Kind::Force(velocity) => units.energy + units.velocities[velocity],
                Kind::Other => 0,
            });
        });
        (nodes, factors)
    }

    fn set_nodes(&mut self, nodes: &[NodeId]) {
        let mut nodes = nodes.iter();
        visit(&mut self.tables, &mut |node, _| {
            *node = *nodes.next().unwrap()
        });
    }

    /// The velocities of coordinates that are not angles.
    fn lengths(&self) -> Vec<usize> {
        let kinematics = self.system.names.kinematics();
        let angles = angles(&self.system.graph);
        let is_length = |velocity: &usize| match kinematics.coordinate_of_velocity(*velocity) {
            Some(coordinate) => !angles.contains(&Symbol::Coordinate(coordinate as u32)),
            None => false,
        };
        (0..kinematics.velocity_count()).filter(is_length).collect()
    }
}

/// The unit of a node of the tables.
enum Kind {
    Energy,
    Force(usize),
    Other,
}

fn visit(tables: &mut Tables, visit: &mut dyn FnMut(&mut NodeId, Kind)) {
    for (_, node) in &mut tables.energies.kinetic {
        visit(node, Kind::Energy);
    }
    for node in &mut tables.energies.potential {
        visit(node, Kind::Energy);
    }
    for (_, nodes) in &mut tables.energies.potential_statements {
        nodes.iter_mut().for_each(|node| visit(node, Kind::Energy));
    }
    for (_, nodes) in &mut tables.energies.dissipation_statements {
        nodes.iter_mut().for_each(|node| visit(node, Kind::Energy));
    }
    for part in &mut tables.parts {
        visit(&mut part.value, Kind::Energy);
    }
    if let Some(gravity) = &mut tables.gravity {
        gravity
            .weights
            .iter_mut()
            .for_each(|node| visit(node, Kind::Energy));
    }
    for force in &mut tables.forces {
        for (velocity, node) in &mut force.generalized {
            visit(node, Kind::Force(*velocity));
        }
    }
    for constraint in &mut tables.constraints {
        constraint
            .sides
            .iter_mut()
            .for_each(|node| visit(node, Kind::Other));
    }
    for curve in &mut tables.curves {
        visit(&mut curve.x, Kind::Other);
    }
    for body in &mut tables.bodies {
        body.spin
            .iter_mut()
            .for_each(|node| visit(node, Kind::Other));
    }
}

/// The coordinates that are angles: parts of an argument of a sine or cosine.
fn angles(graph: &Graph) -> HashSet<Symbol> {
    let mut angles = HashSet::new();
    for id in graph.since(0) {
        let Node::Unary(Unary::Sin | Unary::Cos | Unary::Tan, argument) = *graph.node(id) else {
            continue;
        };
        let mut open = vec![argument];
        while let Some(node) = open.pop() {
            match graph.node(node) {
                Node::Symbol(symbol) => {
                    angles.insert(*symbol);
                }
                Node::Sum { terms, .. } => open.extend(terms.iter().map(|(_, term)| *term)),
                _ => {}
            }
        }
    }
    angles
}

/// Changes the system, and returns the changed nodes of the tables.
fn changed(
    system: &mut System,
    units: &Units,
    nodes: &[NodeId],
    factors: &[i32],
) -> Option<Vec<NodeId>> {
    let kinematics = system.names.kinematics();
    let mut replacements = Vec::new();
    for (velocity, exponent) in units.velocities.iter().enumerate() {
        if *exponent == 0 {
            continue;
        }
        let coordinate = kinematics.coordinate_of_velocity(velocity)?;
        for symbol in [
            Symbol::Coordinate(coordinate as u32),
            Symbol::Velocity(velocity as u32),
        ] {
            let leaf = system.graph.symbol(symbol);
            let multiple = system.graph.scale(power(*exponent), leaf);
            replacements.push((symbol, multiple));
        }
    }
    let mut weighted: Vec<(NodeId, i32)> =
        nodes.iter().copied().zip(factors.iter().copied()).collect();
    let of_own = of_system(system, units);
    weighted.extend(of_own.iter().map(|(node, exponent)| (**node, *exponent)));
    let roots: Vec<NodeId> = weighted.iter().map(|(node, _)| *node).collect();
    let replaced = system.graph.substitute(&roots, &replacements);
    let scaled: Vec<NodeId> = replaced
        .iter()
        .zip(&weighted)
        .map(|(node, (_, exponent))| system.graph.scale(power(*exponent), *node))
        .collect();
    if !are_doubles(&system.graph, &scaled) {
        return None;
    }
    let (of_tables, rest) = scaled.split_at(nodes.len());
    for ((node, _), new) in of_system(system, units).into_iter().zip(rest) {
        *node = *new;
    }
    Some(of_tables.to_vec())
}

/// The terms of the equations, with their powers of ten.
fn of_system<'s>(system: &'s mut System, units: &Units) -> Vec<(&'s mut NodeId, i32)> {
    let mut energies = Vec::new();
    match &mut system.energy {
        Energy::Natural { kinetic, potential } => {
            energies.extend([(kinetic, units.energy), (potential, units.energy)]);
        }
        Energy::Lagrangian(lagrangian) => energies.push((lagrangian, units.energy)),
    }
    energies.push((&mut system.dissipation, units.energy));
    for (force, velocity) in system.forces.iter_mut().zip(&units.velocities) {
        energies.push((force, units.energy + velocity));
    }
    for (row, exponent) in system.constraints.iter_mut().zip(&units.rows) {
        energies.push((&mut row.residual, *exponent));
    }
    // The columns of the constraints come first; gaps of contacts keep their unit.
    for (row, column) in system.multiplier_forces.iter_mut().enumerate() {
        let of_row = units.rows.get(row).copied().unwrap_or(0);
        for (force, velocity) in column.iter_mut().zip(&units.velocities) {
            energies.push((force, of_row + velocity));
        }
    }
    for symmetry in &mut system.symmetries {
        for (along, velocity) in symmetry.along.iter_mut().zip(&units.velocities) {
            energies.push((along, -velocity));
        }
    }
    energies
}

/// Returns whether all constants are finite, and none is so small that it is 0 or has lost digits.
fn are_doubles(graph: &Graph, roots: &[NodeId]) -> bool {
    let reached = graph.reachable(roots);
    let is_kept = |number: &Number| {
        let size = number.abs().to_f64();
        number.is_zero() || (1e-280..1e280).contains(&size)
    };
    graph.since(0).take(reached.len()).all(|id| {
        !reached[id.index()]
            || match graph.node(id) {
                Node::Number(number) => is_kept(number),
                Node::Sum { constant, terms } => {
                    is_kept(constant) && terms.iter().all(|(number, _)| is_kept(number))
                }
                Node::Product(factors) => !factors
                    .iter()
                    .any(|(base, exponent)| *exponent < 0 && graph.is_zero(*base)),
                _ => true,
            }
    })
}

/// The kinds of errors and warnings, and the constants.
fn said(system: &System, tables: &Tables, head: &Head) -> String {
    let mut errors = Errors::default();
    let findings = check::check(system, tables, head, &mut errors);
    let mut said = String::new();
    for warning in &findings.warnings {
        let _ = write!(said, "{:?} ", warning.code);
    }
    let _ = write!(said, "integrable: {:?} ", findings.integrable);
    if errors.is_empty() {
        let dynamics = Dynamics::new(system.clone());
        check::check_inertia(&dynamics, tables, head, &mut errors);
        check::regressors_and_symmetries(&dynamics, tables, &mut errors);
        if errors.is_empty() {
            let _ = write!(said, "{:?}", dynamics.facts());
        }
    }
    let _ = write!(said, "{:?}", errors.codes());
    said
}

/// All changes of one quantity by a factor and its inverse, and some changes of all quantities together.
fn changes(declared: &Declared, seed: &mut u64) -> Vec<(String, Units)> {
    let none = Units::none(declared);
    let lengths = declared.lengths();
    let mut scales = Vec::new();
    for exponent in [-30, -9, 9, 30] {
        let mut add = |what: String, change: &dyn Fn(&mut Units)| {
            let mut units = none.clone();
            change(&mut units);
            scales.push((format!("{what} by 1e{exponent}"), units));
        };
        add("energies".to_owned(), &|units| units.energy = exponent);
        for velocity in &lengths {
            let name = &declared.system.names.velocities()[*velocity];
            add(name.clone(), &|units| {
                units.velocities[*velocity] = exponent
            });
        }
        for (row, constraint) in declared.system.constraints.iter().enumerate() {
            add(constraint.name.clone(), &|units| units.rows[row] = exponent);
        }
    }
    for _ in 0..4 {
        // The MMIX generator of Knuth.
        let mut exponent = || {
            *seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33) as i32 % 19 - 9
        };
        let mut units = none.clone();
        units.energy = exponent();
        for velocity in &lengths {
            units.velocities[*velocity] = exponent();
        }
        units.rows.iter_mut().for_each(|row| *row = exponent());
        scales.push((format!("all: {units:?}"), units));
    }
    scales
}

/// The texts: those without mistakes from documents, examples and tests, wrong ones from the tests of messages,
/// seeds of the fuzzer, and delicate ones.
fn texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts: Vec<String> = DELICATE.map(|(text, _)| text.to_owned()).to_vec();
    texts.extend(declarations::all());
    for name in ["tests/mistakes", "fuzz/seeds"] {
        let mut files: Vec<_> = fs::read_dir(folder.join(name)).unwrap().flatten().collect();
        files.sort_by_key(fs::DirEntry::path);
        for file in files {
            let text = fs::read_to_string(file.path()).unwrap();
            let programs = text
                .split("\n== ")
                .skip(1)
                .filter_map(|case| Some(case.split_once('\n')?.1));
            texts.extend(programs.map(mistakes::without_marks));
            texts.push(text);
        }
    }
    let mut known = HashSet::new();
    texts.retain(|text| known.insert(text.clone()));
    texts
}

/// Number of velocities above which a system is large. Its judgement takes a second each time.
const LARGE: usize = 40;

/// Tries every `step`-th change. For large systems, tries every `of_large`-th change, or none if this is 0.
fn try_all(step: usize, of_large: usize) {
    let mut seed = 1;
    let (mut systems, mut tried, mut skipped) = (0, 0, 0);
    let mut failures = String::new();
    let mut number = 0_usize;
    for text in texts() {
        let Some(mut declared) = declared(&text) else {
            continue;
        };
        let is_large = declared.system.names.velocity_count() > LARGE;
        let step = if is_large { of_large } else { step };
        if step == 0 {
            continue;
        }
        systems += 1;
        let changes = changes(&declared, &mut seed);
        let mut expected = None;
        let (before, skipped_before) = (tried, skipped);
        let mut changed = 0;
        for (what, units) in changes {
            number += 1;
            if !number.is_multiple_of(step) {
                continue;
            }
            let none = Units::none(&declared);
            let mut verdicts = |units: &Units| declared.verdicts(units);
            let expected = expected.get_or_insert_with(|| verdicts(&none));
            tried += 1;
            match verdicts(&units) {
                None => skipped += 1,
                _ if expected.is_none() => skipped += 1,
                found if found == *expected => {}
                found => {
                    changed += 1;
                    let [expected, found] =
                        [&*expected, &found].map(|said| said.clone().unwrap_or_default());
                    let _ = writeln!(failures, "{what}:\n{expected}\n{found}\n{text}\n");
                }
            }
        }
        println!(
            "{:<24} {:>4} changes, {:>3} skipped, {changed} verdicts changed",
            name_of(&text),
            tried - before,
            skipped - skipped_before,
        );
        extra::invalidate_current_thread_spans();
    }
    println!("{systems} systems, {tried} changes, {skipped} skipped");
    assert!(failures.is_empty(), "{failures}");
    assert!(systems > 100 && skipped * 5 < tried, "{systems} {skipped}");
}

fn name_of(text: &str) -> &str {
    text.split("struct ")
        .nth(1)
        .unwrap_or_default()
        .split([' ', '{', '\n'])
        .next()
        .unwrap_or_default()
}

#[test]
fn nothing_is_too_small_to_count() {
    for (text, expected) in DELICATE {
        let mut declared = declared(text).unwrap();
        let none = Units::none(&declared);
        let said = declared.verdicts(&none).unwrap();
        let is_said = match expected {
            "[]" => said.ends_with("}[]"),
            _ => said.contains(expected),
        };
        assert!(is_said, "{said}\n{text}");
    }
}

#[test]
fn verdicts_do_not_depend_on_units() {
    try_all(6, 0);
}

#[test]
#[ignore = "takes minutes"]
fn no_verdict_depends_on_units() {
    try_all(1, 41);
}
