//! Accelerations, M, f and h beside the C of other tools; lanes.

use lagrangian_peers::call::Call;

/// The measured calls of our code.
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
const THEIRS: &str = "theirs";
const OURS: &str = "ours";
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

/// M, and f or h, each ours and a peer's if it has them in these coordinates.
fn quantities_of(workload: &Workload) -> Vec<(&'static str, [Case; 2])> {
    let Sizes { v, .. } = workload.case("").states.sizes;
    let calls = &workload.calls;
    let beside = |what, name: &str, function, call, values| {
        let mut case = workload.case(what);
        let theirs = workload.theirs(THEIRS, &format!("{name}_{function}"), values);
        case.candidates.extend(theirs);
        case.candidates.push(workload.ours(OURS, call, values));
        case
    };
    let mut rows = vec![(workload.casadi, ["CasADi, f", "f"], calls.forcing)];
    let same = workload.pinocchio.filter(|(_, same)| *same);
    rows.extend(same.map(|(name, _)| (name, ["Pinocchio, h", "h"], calls.bias)));
    rows.into_iter()
        .map(|(name, [peer, what], call)| {
            let m = beside("M", name, "M", calls.mass_matrix, v * v);
            (peer, [m, beside(what, name, "bias", call, v)])
        })
        .collect()
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
            "Pinocchio CRBA",
            "checked",
            "unchecked",
            "checked / CasADi",
            "unchecked / CasADi",
            "latency, checked / CasADi",
            "checked / Pinocchio",
            "unchecked / Pinocchio",
            "latency, checked / Pinocchio",
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
        "M, and f or the bias h, in ns, and as a multiple of the peer's:",
        &[
            "",
            "beside",
            "M, the peer's",
            "ours",
            "ours / peer's",
            "f or h, the peer's",
            "ours",
            "ours / peer's",
        ],
    );
    for workload in workloads {
        for (peer, cases) in quantities_of(workload) {
            let mut cells = vec![peer.to_owned()];
            for case in cases {
                let times = case.measure(rounds);
                let (theirs, ours) = (find(&times, THEIRS), find(&times, OURS));
                cells.extend([
                    table::time(theirs),
                    table::time(ours),
                    table::throughput(ours, theirs),
                ]);
            }
            table.row(workload.name, &cells);
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
