//! Accelerations of one system beside Pinocchio's, as a row of a table.

use lagrangian::System;

use crate::call::Call;
use crate::case::{Candidate, Case};
use crate::peer;
use crate::states::{Sizes, States};
use crate::table::{self, Table, find};

const CHECKED: &str = "checked";
const UNCHECKED: &str = "unchecked";
const PINOCCHIO: &str = "Pinocchio ABA";

/// A system, and the name of its C.
pub struct Large {
    pub name: &'static str,
    pub theirs: &'static str,
    pub states: fn() -> States,
    pub system: *const f64,
    pub checked: Call,
    pub unchecked: Call,
}

/// States of a system, from a value that determines its sizes.
pub fn states<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: M,
) -> States
where
    M: System<f64, NQ, N, K, C>,
{
    States::of(&system)
}

/// A pointer to a leaked system.
pub fn keep<T>(system: T) -> *const f64 {
    std::ptr::from_ref(Box::leak(Box::new(system))).cast()
}

/// A system, and the name of its C; with constraints a state near which the states satisfy them.
#[macro_export]
macro_rules! large {
    ($name:literal, $theirs:literal, $system:ident: $solve:ident($($argument:ident),*)) => {
        $crate::accelerations::Large {
            name: $name,
            theirs: $theirs,
            states: || $crate::accelerations::states(<$system>::default()),
            system: $crate::accelerations::keep(<$system>::default()),
            checked: $crate::call!($system<f64>: $solve($($argument),*)),
            unchecked: $crate::call!($system<f64>: acceleration_unchecked($($argument),*)),
        }
    };
    ($name:literal, $start:expr, $system:ident: $solve:ident($($argument:ident),*)) => {
        $crate::accelerations::Large {
            states: || $crate::states::States::near(
                &<$system>::default(),
                &::lagrangian::nalgebra::SVector::from_iterator($start),
            ),
            ..$crate::large!($name, "", $system: $solve($($argument),*))
        }
    };
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

/// Measures systems in `rounds` rounds and prints a table of them.
pub fn print<'a>(systems: impl Iterator<Item = &'a Large>, rounds: usize) {
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
    for system in systems {
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
