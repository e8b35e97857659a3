//! Other methods of ours beside our accelerations; `linearize` beside the C of other tools.

use lagrangian_peers::call::Call;

/// The measured calls of our code.
struct Calls {
    /// The acceleration, with constraints the solution.
    checked: Call,
    other_methods: [(&'static str, Call); 5],
    linearize_unchecked: Call,
}

macro_rules! calls {
    ($system:ident: $solve:ident($($argument:ident),*)) => {
        crate::Calls {
            checked: lagrangian_peers::call!($system<f64>: $solve($($argument),*)),
            other_methods: [
                ("mass_matrix", lagrangian_peers::call!($system<f64>: mass_matrix(q))),
                ("forcing", lagrangian_peers::call!($system<f64>: forcing($($argument),*))),
                ("inverse_dynamics", lagrangian_peers::call!($system<f64>: inverse_dynamics(q, v, a))),
                ("solve", lagrangian_peers::call!($system<f64>: solve($($argument),*))),
                ("linearize", lagrangian_peers::call!($system<f64>: linearize($($argument),*))),
            ],
            linearize_unchecked: lagrangian_peers::call!($system<f64>: linearize_unchecked($($argument),*)),
        }
    };
}

#[path = "../workloads/mod.rs"]
#[allow(dead_code, reason = "lanes are not measured here")]
mod workloads;

use lagrangian_peers::case::Case;
use lagrangian_peers::states::{STATES, Sizes};
use lagrangian_peers::table::{self, Table, best, find};
use lagrangian_peers::{arguments, heading};
use workloads::{Workload, workloads};

const CHECKED: &str = "checked";
const UNCHECKED: &str = "unchecked";
const CASADI: &str = "CasADi";
const PINOCCHIO: [&str; 2] = ["Pinocchio", "Pinocchio by CasADi"];

/// The number of entries of A and B, which `linearize` writes.
fn linearization(Sizes { v, u, .. }: Sizes) -> usize {
    2 * v * (2 * v + u)
}

/// The methods beside the acceleration.
fn methods_of(workload: &Workload) -> Case {
    let mut case = workload.case("methods");
    let Sizes { v, rows, .. } = case.states.sizes;
    let values = |method| match method {
        "mass_matrix" => v * v,
        "linearize" => linearization(case.states.sizes),
        "solve" => v + rows,
        _ => v,
    };
    let checked = workload.ours(CHECKED, workload.calls.checked, v + rows);
    let others = workload
        .calls
        .other_methods
        .iter()
        .map(|&(method, call)| workload.ours(method, call, values(method)));
    case.candidates = [checked].into_iter().chain(others).collect();
    case.alike = false;
    case
}

fn methods(workloads: &[Workload], rounds: usize) {
    let table = Table::new(
        "`acceleration`, with constraints `solve`, in ns, and other methods as multiples of it; the last as a time too:",
        &[
            "",
            "time",
            "`mass_matrix`",
            "`forcing`",
            "`inverse_dynamics`",
            "`solve`",
            "`linearize`",
            "`linearize`, time",
        ],
    );
    for workload in workloads {
        let times = methods_of(workload).measure(rounds);
        let checked = find(&times, CHECKED);
        let mut cells = vec![table::time(checked)];
        let others = workload.calls.other_methods.iter();
        cells.extend(others.map(|(method, _)| table::throughput(find(&times, method), checked)));
        cells.push(table::time(find(&times, "linearize")));
        table.row(workload.name, &cells);
    }
}

/// `linearize`, ours beside the peers'.
fn linearize_of(workload: &Workload) -> Case {
    let mut case = workload.case("linearize");
    let values = linearization(case.states.sizes);
    let linearize = workload.calls.other_methods.iter();
    let linearize = linearize.filter(|(method, _)| *method == "linearize");
    let ours = linearize.map(|&(_, call)| workload.ours(CHECKED, call, values));
    let pinocchio = |label, function| {
        let (name, _) = workload.pinocchio?;
        workload.theirs(label, &format!("{name}_{function}"), values)
    };
    let peers = [
        workload.theirs(CASADI, &format!("{}_linearize", workload.casadi), values),
        pinocchio(PINOCCHIO[0], "linearize"),
        pinocchio(PINOCCHIO[1], "linearizead"),
    ];
    case.candidates = peers.into_iter().flatten().chain(ours).collect();
    let unchecked = workload.calls.linearize_unchecked;
    case.candidates
        .push(workload.ours(UNCHECKED, unchecked, values));
    case
}

fn linearizations(workloads: &[Workload], rounds: usize) {
    let table = Table::new(
        "`linearize`, in ns, and as a multiple of a peer's:",
        &[
            "",
            "CasADi",
            "Pinocchio",
            "Pinocchio by CasADi",
            "checked",
            "unchecked",
            "checked / CasADi",
            "unchecked / CasADi",
            "checked / Pinocchio",
            "unchecked / Pinocchio",
        ],
    );
    for workload in workloads {
        let times = linearize_of(workload).measure(rounds);
        let (checked, unchecked) = (find(&times, CHECKED), find(&times, UNCHECKED));
        let casadi = find(&times, CASADI);
        let pinocchio = best(&times, &PINOCCHIO);
        table.row(
            workload.name,
            &[
                table::time(casadi),
                table::time(find(&times, PINOCCHIO[0])),
                table::time(find(&times, PINOCCHIO[1])),
                table::time(checked),
                table::time(unchecked),
                table::throughput(checked, casadi),
                table::throughput(unchecked, casadi),
                table::throughput(checked, pinocchio),
                table::throughput(unchecked, pinocchio),
            ],
        );
    }
}

fn main() {
    let (rounds, part) = arguments();
    println!("{}\n\n{STATES} states, {rounds} rounds.", heading());
    let mut workloads = workloads();
    workloads.retain(|workload| workload.name.contains(&part));
    methods(&workloads, rounds);
    linearizations(&workloads, rounds);
}
