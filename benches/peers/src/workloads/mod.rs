//! Systems for which other tools generate C, and the names of that C.

#[path = "../../../../tests/arms/iiwa.rs"]
mod iiwa;
#[path = "../../../../tests/arms/panda.rs"]
mod panda;
#[path = "../../../systems/mod.rs"]
#[allow(dead_code)]
mod shared;
mod systems;

use iiwa::Iiwa;
use lagrangian::System;
use lagrangian_peers::call::Call;
use lagrangian_peers::case::{Candidate, Case};
use lagrangian_peers::peer;
use lagrangian_peers::states::States;
use panda::Panda;
use shared::{Chain2, Chain5, Chain10, Chain20};
use simba::simd::{SimdValue as _, WideF64x4};
use systems::*;

/// True if Pinocchio's M and h are in our coordinates, or in angles of joints.
const SAME: bool = true;
const JOINTS: bool = false;

/// A system of ours, and the names of C for it.
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    /// The name of the C of CasADi's derivation.
    pub(crate) casadi: &'static str,
    /// The name of Pinocchio's C, and whether its M and h are in the same coordinates.
    pub(crate) pinocchio: Option<(&'static str, bool)>,
    /// Parameters in the form of C.
    numbers: &'static [f64],
    states: fn() -> States,
    system: *const f64,
    system_of_lanes: *const f64,
    /// Our methods: only those that the program measures, because another call of a method affects whether it is
    /// inlined.
    pub(crate) calls: crate::Calls,
}

impl Workload {
    /// A computation without candidates.
    pub(crate) fn case(&self, what: &str) -> Case {
        Case {
            name: format!("{}, {what}", self.name),
            states: (self.states)(),
            candidates: Vec::new(),
            alike: true,
        }
    }

    pub(crate) fn ours(&self, label: &'static str, call: Call, values: usize) -> Candidate {
        Candidate {
            label,
            call,
            parameters: self.system,
            values,
            lanes: false,
        }
    }

    pub(crate) fn lanes(&self, label: &'static str, call: Call, values: usize) -> Candidate {
        Candidate {
            label,
            call,
            parameters: self.system_of_lanes,
            values,
            lanes: true,
        }
    }

    /// The C of a name, if it exists.
    pub(crate) fn theirs(
        &self,
        label: &'static str,
        name: &str,
        values: usize,
    ) -> Option<Candidate> {
        let parameters = self.numbers.as_ptr();
        Some(Candidate {
            label,
            call: peer(name)?,
            parameters,
            values,
            lanes: false,
        })
    }
}

/// A pointer to a leaked system.
fn keep<T>(system: T) -> *const f64 {
    std::ptr::from_ref(Box::leak(Box::new(system))).cast()
}

/// States of a system, from a value that determines its sizes.
fn states<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(system: M) -> States
where
    M: System<f64, NQ, N, K, C>,
{
    States::of(&system)
}

/// A `Workload`: its name, the names of the C and its parameters, the system, its solution, and the sizes.
macro_rules! workload {
    (
        $name:literal, $casadi:literal, $pinocchio:expr, $numbers:expr,
        $system:ident |$number:ident| $value:expr,
        $solve:ident($($argument:ident),*)
    ) => {
        Workload {
            name: $name,
            casadi: $casadi,
            pinocchio: $pinocchio,
            numbers: $numbers,
            states: || {
                #[allow(unused_variables)]
                let $number = |x: f64| x;
                states::<$system<f64>, _, _, _, _>($value)
            },
            system: {
                #[allow(unused_variables)]
                let $number = |x: f64| x;
                keep::<$system<f64>>($value)
            },
            system_of_lanes: {
                #[allow(unused_variables)]
                let $number = |x: f64| WideF64x4::splat(x);
                keep::<$system<WideF64x4>>($value)
            },
            calls: calls!($system: $solve($($argument),*)),
        }
    };
}

/// Parameters of a chain in the form of C.
const fn chain<const P: usize>() -> [f64; P] {
    let mut numbers = [1.0; P];
    numbers[P - 1] = 9.81;
    numbers
}

/// All of them, small ones first.
pub(crate) fn workloads() -> Vec<Workload> {
    vec![
        workload!(
            "cart-pole",
            "W2_par",
            None,
            &[1.0, 0.2, 0.5, 9.81],
            CartPole
                | p
                | CartPole {
                    m_c: p(1.0),
                    m_p: p(0.2),
                    l: p(0.5),
                    g: p(9.81)
                },
            acceleration(q, v, u)
        ),
        workload!(
            "cart-pole, numbers",
            "W2_const",
            None,
            &[0.0],
            CartPoleNumbers | p | CartPoleNumbers::default(),
            acceleration(q, v, u)
        ),
        workload!(
            "chain of 2",
            "W1n2_par",
            Some(("W1n2_pin", JOINTS)),
            &const { chain::<5>() },
            Chain2 | p | Chain2::default(),
            acceleration(q, v)
        ),
        workload!(
            "chain of 2, numbers",
            "W1n2_const",
            Some(("W1n2_pin", JOINTS)),
            &[0.0],
            Chain2Numbers | p | Chain2Numbers::default(),
            acceleration(q, v)
        ),
        workload!(
            "chain of 5",
            "W1n5_par",
            Some(("W1n5_pin", JOINTS)),
            &const { chain::<11>() },
            Chain5 | p | Chain5::default(),
            acceleration(q, v)
        ),
        workload!(
            "chain of 5, numbers",
            "W1n5_const",
            Some(("W1n5_pin", JOINTS)),
            &[0.0],
            Chain5Numbers | p | Chain5Numbers::default(),
            acceleration(q, v)
        ),
        workload!(
            "chain of 10",
            "W1n10_par",
            Some(("W1n10_pin", JOINTS)),
            &const { chain::<21>() },
            Chain10 | p | Chain10::default(),
            acceleration(q, v)
        ),
        workload!(
            "chain of 10, numbers",
            "W1n10_const",
            Some(("W1n10_pin", JOINTS)),
            &[0.0],
            Chain10Numbers | p | Chain10Numbers::default(),
            acceleration(q, v)
        ),
        workload!(
            "chain of 20",
            "W1n20_par",
            Some(("W1n20_pin", JOINTS)),
            &const { chain::<41>() },
            Chain20 | p | Chain20::default(),
            acceleration(q, v)
        ),
        workload!(
            "chain of 20, numbers",
            "W1n20_const",
            Some(("W1n20_pin", JOINTS)),
            &[0.0],
            Chain20Numbers | p | Chain20Numbers::default(),
            acceleration(q, v)
        ),
        workload!(
            "sliding point",
            "W3_par",
            None,
            &[1.0, 0.6, 0.01, 2.0, 9.81],
            SlidingPoint
                | p
                | SlidingPoint {
                    m: p(1.0),
                    l: p(0.6),
                    k_t: p(0.01),
                    k_l: p(2.0),
                    g: p(9.81),
                },
            acceleration(q, v)
        ),
        workload!(
            "sliding point, numbers",
            "W3_const",
            None,
            &[0.0],
            SlidingPointNumbers | p | SlidingPointNumbers::default(),
            acceleration(q, v)
        ),
        workload!(
            "rolling ball",
            "W4_par",
            None,
            &[2.0, 0.3, 0.4, 0.5, 0.6],
            RollingBall
                | p
                | RollingBall {
                    m: p(2.0),
                    i_x: p(0.3),
                    i_y: p(0.4),
                    i_z: p(0.5),
                    r: p(0.6),
                },
            solve(q, v)
        ),
        workload!(
            "rolling ball, numbers",
            "W4_const",
            None,
            &[0.0],
            RollingBallNumbers | p | RollingBallNumbers::default(),
            solve(q, v)
        ),
        workload!(
            "four-bar",
            "W6_par",
            None,
            &[1.0, 2.0, 1.5, 1.0, 2.0, 1.5, 9.81],
            FourBar
                | p
                | FourBar {
                    m1: p(1.0),
                    m2: p(2.0),
                    m3: p(1.5),
                    l1: p(1.0),
                    l2: p(2.0),
                    l3: p(1.5),
                    g: p(9.81),
                },
            solve(q, v)
        ),
        workload!(
            "four-bar, numbers",
            "W6_const",
            None,
            &[0.0],
            FourBarNumbers | p | FourBarNumbers::default(),
            solve(q, v)
        ),
        workload!(
            "iiwa, numbers",
            "W5iiwa_consttw",
            Some(("W5iiwa_pin", SAME)),
            &[0.0],
            Iiwa | p | Iiwa::default(),
            acceleration(q, v, u)
        ),
        workload!(
            "Panda, numbers",
            "W5panda_consttw",
            Some(("W5panda_pin", SAME)),
            &[0.0],
            Panda | p | Panda::default(),
            acceleration(q, v, u)
        ),
    ]
}
