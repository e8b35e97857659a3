//! Other methods of ours beside our accelerations: what other tools have no C for here.

use lagrangian_peers::call::Call;

/// What is measured of ours.
struct Calls {
    /// The acceleration, with constraints the solution.
    checked: Call,
    others: [(&'static str, Call); 5],
}

macro_rules! calls {
    ($system:ident: $solve:ident($($argument:ident),*)) => {
        crate::Calls {
            checked: lagrangian_peers::call!($system<f64>: $solve($($argument),*)),
            others: [
                ("mass_matrix", lagrangian_peers::call!($system<f64>: mass_matrix(q))),
                ("forcing", lagrangian_peers::call!($system<f64>: forcing($($argument),*))),
                ("inverse_dynamics", lagrangian_peers::call!($system<f64>: inverse_dynamics(q, v, a))),
                ("solve", lagrangian_peers::call!($system<f64>: solve($($argument),*))),
                ("linearize", lagrangian_peers::call!($system<f64>: linearize($($argument),*))),
            ],
        }
    };
}

#[path = "../workloads/mod.rs"]
#[allow(dead_code, reason = "there is no C of these")]
mod workloads;

use lagrangian_peers::case::Case;
use lagrangian_peers::states::{STATES, Sizes};
use lagrangian_peers::table::{self, Table, find};
use lagrangian_peers::{arguments, heading};
use workloads::{Workload, workloads};

const CHECKED: &str = "checked";

/// One method beside the acceleration.
fn beside(workload: &Workload, method: &'static str, call: Call) -> Case {
    let mut case = workload.case(method);
    let Sizes { v, u, rows, .. } = case.states.sizes;
    let values = match method {
        "mass_matrix" => v * v,
        "linearize" => 2 * v * (2 * v + u),
        "solve" => v + rows,
        _ => v,
    };
    let checked = workload.ours(CHECKED, workload.calls.checked, v + rows);
    case.candidates = vec![checked, workload.ours(method, call, values)];
    case.alike = false;
    case
}

fn alone(workloads: &[Workload], rounds: usize) {
    let table = Table::new(
        "Ours alone, in ns, and as a multiple of `acceleration` or `solve`:",
        &["", "method", "time", "multiple"],
    );
    for workload in workloads {
        for (method, call) in workload.calls.others {
            let times = beside(workload, method, call).measure(rounds);
            let ours = find(&times, method);
            let multiple = table::throughput(ours, find(&times, CHECKED));
            table.row(
                workload.name,
                &[format!("`{method}`"), table::time(ours), multiple],
            );
        }
    }
}

fn main() {
    let (rounds, part) = arguments();
    println!("{}\n\n{STATES} states, {rounds} rounds.", heading());
    let mut workloads = workloads();
    workloads.retain(|workload| workload.name.contains(&part));
    alone(&workloads, rounds);
}
