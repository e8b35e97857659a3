//! Accelerations of large systems, and how they grow; beside C where there is some.

use lagrangian::System;
use lagrangian::nalgebra::SVector;
use lagrangian_peers::call::Call;
use lagrangian_peers::case::{Candidate, Case};
use lagrangian_peers::states::{STATES, Sizes, States};
use lagrangian_peers::table::{self, Table, find};
use lagrangian_peers::{arguments, call, heading, peer};

#[path = "../large/mod.rs"]
mod systems;

use systems::chains::*;
use systems::linkages::*;
use systems::walkers::*;

const CHECKED: &str = "checked";
const UNCHECKED: &str = "unchecked";
const PINOCCHIO: &str = "Pinocchio ABA";

/// A system, and what its C is called.
struct Large {
    name: &'static str,
    theirs: &'static str,
    states: fn() -> States,
    system: *const f64,
    checked: Call,
    unchecked: Call,
}

/// States of a system by a value of it, which names its sizes.
fn states<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(system: M) -> States
where
    M: System<f64, NQ, N, K, C>,
{
    States::of(&system)
}

/// A pointer to a system that stays.
fn keep<T>(system: T) -> *const f64 {
    std::ptr::from_ref(Box::leak(Box::new(system))).cast()
}

/// A system, and what its C is called, or with constraints a state that is to keep them.
macro_rules! large {
    ($name:literal, $theirs:literal, $system:ident: $solve:ident($($argument:ident),*)) => {
        Large {
            name: $name,
            theirs: $theirs,
            states: || states(<$system>::default()),
            system: keep(<$system>::default()),
            checked: call!($system<f64>: $solve($($argument),*)),
            unchecked: call!($system<f64>: acceleration_unchecked($($argument),*)),
        }
    };
    ($name:literal, $start:expr, $system:ident: $solve:ident($($argument:ident),*)) => {
        Large {
            states: || States::near(&<$system>::default(), &SVector::from_iterator($start)),
            ..large!($name, "", $system: $solve($($argument),*))
        }
    };
}

fn systems() -> Vec<Large> {
    vec![
        large!("chain of 10", "", Chain10: acceleration(q, v)),
        large!("chain of 20", "", Chain20: acceleration(q, v)),
        large!("chain of 40", "", Chain40: acceleration(q, v)),
        large!("chain of 80", "", Chain80: acceleration(q, v)),
        large!("spatial chain of 10", "spatial10_pin", Spatial10: acceleration(q, v, u)),
        large!("spatial chain of 20", "spatial20_pin", Spatial20: acceleration(q, v, u)),
        large!("spatial chain of 40", "spatial40_pin", Spatial40: acceleration(q, v, u)),
        large!("quadruped", "quadruped_pin", Quadruped: acceleration(q, v, u)),
        large!("humanoid", "humanoid_pin", Humanoid: acceleration(q, v, u)),
        large!("Stewart platform", stewart(), Stewart: solve(q, v, u)),
        large!("scissor of 5", scissor(5), Scissor5: solve(q, v)),
        large!("scissor of 10", scissor(10), Scissor10: solve(q, v)),
        large!("four-bars, 10", four_bars(10), FourBars10: solve(q, v)),
        large!("four-bars, 40", four_bars(40), FourBars40: solve(q, v)),
        large!("Cartesian rods, 15", rods(15), Rods15: solve(q, v)),
    ]
}

impl Large {
    fn case(&self) -> Case {
        let states = (self.states)();
        let Sizes { v, rows, .. } = states.sizes;
        let ours = |label, call, values| Candidate {
            label,
            call,
            parameters: self.system,
            values,
            lanes: false,
        };
        let mut candidates = vec![
            ours(CHECKED, self.checked, v + rows),
            ours(UNCHECKED, self.unchecked, v),
        ];
        candidates.extend(peer(&format!("{}_fd", self.theirs)).map(|call| Candidate {
            label: PINOCCHIO,
            call,
            parameters: self.system,
            values: v,
            lanes: false,
        }));
        Case {
            name: self.name.into(),
            states,
            candidates,
            alike: true,
        }
    }
}

fn main() {
    let (rounds, part) = arguments();
    println!("{}\n\n{STATES} states, {rounds} rounds.", heading());
    let table = Table::new(
        "`acceleration`, with constraints `solve`, in ns, and as a multiple of Pinocchio's:",
        &[
            "",
            "velocities",
            "rows",
            "Pinocchio ABA",
            "checked",
            "unchecked",
            "checked / Pinocchio",
            "unchecked / Pinocchio",
            "latency, checked / Pinocchio",
        ],
    );
    for system in systems()
        .iter()
        .filter(|system| system.name.contains(&part))
    {
        let case = system.case();
        let times = case.measure(rounds);
        let (checked, unchecked) = (find(&times, CHECKED), find(&times, UNCHECKED));
        let theirs = find(&times, PINOCCHIO);
        table.row(
            system.name,
            &[
                case.states.sizes.v.to_string(),
                case.states.sizes.rows.to_string(),
                table::time(theirs),
                table::time(checked),
                table::time(unchecked),
                table::throughput(checked, theirs),
                table::throughput(unchecked, theirs),
                table::latency(checked, theirs),
            ],
        );
    }
}
