//! Accelerations, M, f and h beside the C of other tools; lanes.

use lagrangian_peers::call::Call;

/// What is measured of ours.
struct Calls {
    /// The acceleration, with constraints the solution.
    checked: Call,
    unchecked: Call,
    lanes: Call,
    mass_matrix: Call,
    forcing: Call,
    bias: Call,
}

macro_rules! calls {
    ($system:ident: $solve:ident($($argument:ident),*)) => {
        crate::Calls {
            checked: lagrangian_peers::call!($system<f64>: $solve($($argument),*)),
            unchecked: lagrangian_peers::call!($system<f64>: acceleration_unchecked($($argument),*)),
            lanes: lagrangian_peers::call!($system<WideF64x4>: acceleration_unchecked($($argument),*)),
            mass_matrix: lagrangian_peers::call!($system<f64>: mass_matrix(q)),
            forcing: lagrangian_peers::call!($system<f64>: forcing($($argument),*)),
            bias: lagrangian_peers::call!($system<f64>: bias(q, v)),
        }
    };
}

#[path = "../workloads/mod.rs"]
mod workloads;

use lagrangian_peers::case::Case;
use lagrangian_peers::states::{STATES, Sizes};
use lagrangian_peers::table::{self, Table, best, find};
use lagrangian_peers::{arguments, heading};
use workloads::{Workload, workloads};

const CHECKED: &str = "checked";
const UNCHECKED: &str = "unchecked";
const LANES: &str = "lanes";
const CASADI: &str = "CasADi";
const PINOCCHIO: [&str; 2] = ["Pinocchio ABA", "Pinocchio CRBA"];

/// Accelerations, ours beside the peers'.
fn acceleration_of(workload: &Workload) -> Case {
    let mut case = workload.case("accelerations");
    let Sizes { v, rows, .. } = case.states.sizes;
    let pinocchio = |label, function| {
        let (name, _) = workload.pinocchio?;
        workload.theirs(label, &format!("{name}_{function}"), v)
    };
    let peers = [
        workload.theirs(CASADI, &format!("{}_fd", workload.casadi), v + rows),
        pinocchio(PINOCCHIO[0], "fd"),
        pinocchio(PINOCCHIO[1], "fdcrba"),
    ];
    case.candidates.extend(peers.into_iter().flatten());
    case.candidates
        .push(workload.ours(CHECKED, workload.calls.checked, v + rows));
    case.candidates
        .push(workload.ours(UNCHECKED, workload.calls.unchecked, v));
    case
}

/// M, f and h, each ours and a peer's.
fn quantities_of(workload: &Workload) -> Vec<(&'static str, Case)> {
    let Sizes { v, .. } = workload.case("").states.sizes;
    let calls = &workload.calls;
    let casadi = |what| Some(format!("{}_{what}", workload.casadi));
    let same = workload.pinocchio.filter(|(_, same)| *same);
    let pinocchio = |what| same.map(|(name, _)| format!("{name}_{what}"));
    let rows = [
        ("M", CASADI, casadi("M"), calls.mass_matrix, v * v),
        ("M", PINOCCHIO[1], pinocchio("M"), calls.mass_matrix, v * v),
        ("f", CASADI, casadi("bias"), calls.forcing, v),
        ("h", "Pinocchio RNEA", pinocchio("bias"), calls.bias, v),
    ];
    let mut cases = Vec::new();
    for (quantity, label, name, call, values) in rows {
        if let Some(theirs) = name.and_then(|name| workload.theirs(label, &name, values)) {
            let mut case = workload.case(quantity);
            case.candidates = vec![theirs, workload.ours(CHECKED, call, values)];
            cases.push((quantity, case));
        }
    }
    cases
}

/// Four states at once beside one, without checks.
fn lanes_of(workload: &Workload) -> Case {
    let mut case = workload.case("lanes");
    let Sizes { v, rows, .. } = case.states.sizes;
    case.candidates = vec![
        workload.ours(UNCHECKED, workload.calls.unchecked, v),
        workload.lanes(LANES, workload.calls.lanes, v),
        workload.ours(CHECKED, workload.calls.checked, v + rows),
    ];
    case
}

fn accelerations(workloads: &[Workload], rounds: usize) {
    let table = Table::new(
        "`acceleration`, with constraints `solve`, in ns, and as a multiple of a peer's:",
        &[
            "",
            "CasADi",
            "Pinocchio ABA",
            "CRBA",
            "checked",
            "unchecked",
            "checked / CasADi",
            "unchecked",
            "latency",
            "checked / Pinocchio",
            "unchecked",
            "latency",
        ],
    );
    for workload in workloads {
        let times = acceleration_of(workload).measure(rounds);
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
                table::latency(checked, casadi),
                table::throughput(checked, pinocchio),
                table::throughput(unchecked, pinocchio),
                table::latency(checked, pinocchio),
            ],
        );
    }
}

fn quantities(workloads: &[Workload], rounds: usize) {
    let table = Table::new(
        "M, f and h, in ns, and as a multiple of the peer's:",
        &["", "", "peer", "its time", "ours", "ours / peer", "latency"],
    );
    for workload in workloads {
        for (quantity, case) in quantities_of(workload) {
            let times = case.measure(rounds);
            if let [theirs, ours] = &times[..] {
                let (theirs, ours) = (Some(theirs), Some(ours));
                let who = theirs.map_or("", |theirs| theirs.label);
                table.row(
                    workload.name,
                    &[
                        quantity.into(),
                        who.into(),
                        table::time(theirs),
                        table::time(ours),
                        table::throughput(ours, theirs),
                        table::latency(ours, theirs),
                    ],
                );
            }
        }
    }
}

fn lanes(workloads: &[Workload], rounds: usize) {
    let table = Table::new(
        "Four states at once, in ns per state, and how many times as many states in the same time; what checks cost:",
        &[
            "",
            "one",
            "lanes of 4",
            "lanes, times as many",
            "checked / unchecked",
        ],
    );
    for workload in workloads {
        let times = lanes_of(workload).measure(rounds);
        let (one, lanes) = (find(&times, UNCHECKED), find(&times, LANES));
        table.row(
            workload.name,
            &[
                table::time(one),
                table::time(lanes),
                table::throughput(one, lanes),
                table::throughput(find(&times, CHECKED), one),
            ],
        );
    }
}

fn main() {
    let (rounds, part) = arguments();
    println!("{}\n\n{STATES} states, {rounds} rounds.", heading());
    let mut workloads = workloads();
    workloads.retain(|workload| workload.name.contains(&part));
    accelerations(&workloads, rounds);
    quantities(&workloads, rounds);
    lanes(&workloads, rounds);
}
