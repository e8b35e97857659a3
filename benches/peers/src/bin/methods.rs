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

/// The methods beside the acceleration.
fn methods_of(workload: &Workload) -> Case {
    let mut case = workload.case("methods");
    let Sizes { v, u, rows, .. } = case.states.sizes;
    let values = |method| match method {
        "mass_matrix" => v * v,
        "linearize" => 2 * v * (2 * v + u),
        "solve" => v + rows,
        _ => v,
    };
    let checked = workload.ours(CHECKED, workload.calls.checked, v + rows);
    let others = workload.calls.others.iter();
    let others = others.map(|&(method, call)| workload.ours(method, call, values(method)));
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
        let others = workload.calls.others.iter();
        cells.extend(others.map(|(method, _)| table::throughput(find(&times, method), checked)));
        cells.push(table::time(find(&times, "linearize")));
        table.row(workload.name, &cells);
    }
}

fn main() {
    let (rounds, part) = arguments();
    println!("{}\n\n{STATES} states, {rounds} rounds.", heading());
    let mut workloads = workloads();
    workloads.retain(|workload| workload.name.contains(&part));
    methods(&workloads, rounds);
}
