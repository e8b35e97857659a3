//! Calls `acceleration`, with constraints `solve`, and for some systems other methods too, a given number of times, so
//! that `benches/instructions` can count the instructions of a call.
//!
//! Arguments: the name of a system and the number of calls. Without them it prints the names. If a name ends in a power
//! of ten, masses are drawn for each state, between that and its reciprocal.

#[path = "../tests/arms/iiwa.rs"]
mod iiwa;
#[path = "../tests/arms/panda.rs"]
mod panda;
mod systems;

use std::hint::black_box;

use iiwa::Iiwa;
use lagrangian::{Error, Motion, System, nalgebra::SVector};
use panda::Panda;
use systems::constrained::{
    Contacting, FourBar, Quaternion, Rods2, Rods5, Rods10, RollingBall, Standing, StandingOnBoth,
};
use systems::{CartPole, Chain2, Chain5, Chain10, Chain20, State, acceleration, states};

/// A name, and a function that calls the acceleration of that system a number of times.
type Named = (&'static str, fn(usize));

const SYSTEMS: [Named; 5] = [
    ("cart_pole", |calls| run(&CartPole::<f64>::default(), calls)),
    ("chain_02_links", |calls| {
        run(&Chain2::<f64>::default(), calls)
    }),
    ("chain_05_links", |calls| {
        run(&Chain5::<f64>::default(), calls)
    }),
    ("chain_10_links", |calls| {
        run(&Chain10::<f64>::default(), calls)
    }),
    ("chain_20_links", |calls| {
        run(&Chain20::<f64>::default(), calls)
    }),
];

/// Rows of names and functions: each system with its own masses, and over some decades.
macro_rules! constrained {
    ($($name:literal $system:ident),+ $(,)?) => {
        &[$(
            ($name, |calls| solve_all(|_| $system::<f64>::default(), calls)),
            (concat!($name, "_1e1"), |calls| solve_all(|mass| {
                let mut system = $system::<f64>::default();
                system.m = system.m.map(|_| mass(1.0));
                system
            }, calls)),
            (concat!($name, "_1e3"), |calls| solve_all(|mass| {
                let mut system = $system::<f64>::default();
                system.m = system.m.map(|_| mass(3.0));
                system
            }, calls)),
        )+]
    };
}

const CONSTRAINED: &[Named] = constrained!(
    "four_bar" FourBar,
    "rods_02" Rods2,
    "rods_05" Rods5,
    "rods_10" Rods10,
    "quaternion" Quaternion,
);

/// Rows of a method of a system: each is called with the state that it takes.
macro_rules! methods {
    ($system:ident, $states:expr; $($name:literal |$it:ident, $q:ident, $v:ident, $u:ident| $call:expr),+ $(,)?) => {
        &[$(($name, |calls| {
            let $it = &$system::<f64>::default();
            for ($q, $v, $u) in $states.iter().cycle().take(calls) {
                let ($q, $v, $u) = black_box(($q, $v, $u));
                black_box(&$call);
            }
        })),+]
    };
}

/// Each derivative follows the method that it is compared with.
const IIWA: &[Named] = methods!(Iiwa, states::<7, 7>();
    "iiwa_inverse_dynamics" |arm, q, v, u| arm.inverse_dynamics(q, v, u),
    "iiwa_inverse_dynamics_derivatives" |arm, q, v, u| arm.inverse_dynamics_derivatives(q, v, u),
    "iiwa_acceleration" |arm, q, v, u| arm.acceleration(q, v, u),
    "iiwa_linearize" |arm, q, v, u| arm.linearize(q, v, u),
    "iiwa_vjp" |arm, q, v, u| arm.vjp(q, v, u, v),
);

const PANDA: &[Named] = methods!(Panda, states::<7, 7>();
    "panda_inverse_dynamics" |arm, q, v, u| arm.inverse_dynamics(q, v, u),
    "panda_inverse_dynamics_derivatives" |arm, q, v, u| arm.inverse_dynamics_derivatives(q, v, u),
    "panda_acceleration" |arm, q, v, u| arm.acceleration(q, v, u),
    "panda_linearize" |arm, q, v, u| arm.linearize(q, v, u),
    "panda_vjp" |arm, q, v, u| arm.vjp(q, v, u, v),
);

/// The calls of a long system and of some systems with constraints. The methods to compare them with are above.
const LINEARIZED: [&[Named]; 7] = [
    methods!(Chain20, states::<20, 0>();
        "chain_20_links_linearize" |chain, q, v, _u| chain.linearize(q, v),
    ),
    methods!(FourBar, states::<3, 0>();
        "four_bar_linearize" |linkage, q, v, _u| linkage.linearize(q, v),
    ),
    methods!(Rods5, states::<10, 0>();
        "rods_05_linearize" |rods, q, v, _u| rods.linearize(q, v),
    ),
    methods!(RollingBall, states::<6, 0>();
        "rolling_ball_acceleration" |ball, q, v, _u| ball.acceleration(q, v),
        "rolling_ball_linearize" |ball, q, v, _u| ball.linearize(q, v),
    ),
    methods!(Standing, states::<7, 0>();
        "standing_solve" |biped, q, v, _u| biped.solve(q, v),
    ),
    methods!(StandingOnBoth, states::<7, 0>();
        "standing_on_both_solve" |biped, q, v, _u| biped.solve(q, v),
    ),
    methods!(Contacting, states::<7, 0>();
        "biped_acceleration" |biped, q, v, _u| biped.acceleration(q, v),
        "biped_solve_active_1" |biped, q, v, _u| biped.solve_active(q, v, &ONE_FOOT),
        "biped_solve_active_2" |biped, q, v, _u| biped.solve_active(q, v, &[true; 4]),
        "biped_impact_1" |biped, q, v, _u| biped.impact(q, v, &ONE_FOOT, &[0.5; 4]),
        "biped_impact_2" |biped, q, v, _u| biped.impact(q, v, &[true; 4], &[0.5; 4]),
        "biped_delassus" |biped, q, _v, _u| biped.delassus(q),
    ),
];

/// The contacts of one foot.
const ONE_FOOT: [bool; 4] = [true, true, false, false];

fn run<M, const N: usize, const K: usize>(system: &M, calls: usize)
where
    M: System<f64, N, N, K, 0>,
{
    for state in states::<N, K>().iter().cycle().take(calls) {
        let _ = black_box(acceleration(system, black_box(state)));
    }
}

/// Solves for a number of states with the system that a source of masses makes.
fn solve_all<M, const N: usize, const C: usize>(
    make: impl Fn(&mut dyn FnMut(f64) -> f64) -> M,
    calls: usize,
) where
    M: System<f64, N, N, 0, C>,
{
    let mut draws = states::<1, 0>().into_iter().cycle();
    let mut mass = |decades: f64| {
        let angle = draws.next().map_or(0.0, |(q, ..)| q[0]);
        10_f64.powf(decades * angle / std::f64::consts::PI)
    };
    let states = states::<N, 0>();
    let pairs: Vec<(M, State<N, 0>)> = states
        .into_iter()
        .map(|state| (make(&mut mass), state))
        .collect();
    for (system, state) in pairs.iter().cycle().take(calls) {
        let _ = black_box(solve(system, black_box(state)));
    }
}

/// The solution, called as a function that the compiler does not see through.
#[inline(never)]
fn solve<M, const N: usize, const C: usize>(
    system: &M,
    (q, v, u): &(SVector<f64, N>, SVector<f64, N>, SVector<f64, 0>),
) -> Result<Motion<f64, N, C>, Error>
where
    M: System<f64, N, N, 0, C>,
{
    black_box(system).solve(0.0, q, v, u)
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|word| word != "--bench");
    let wanted = arguments.next();
    let calls = arguments.next().and_then(|number| number.parse().ok());
    for &(name, run) in [&SYSTEMS[..], CONSTRAINED, IIWA, PANDA]
        .into_iter()
        .chain(LINEARIZED)
        .flatten()
    {
        match (&wanted, calls) {
            (Some(wanted), Some(calls)) if wanted == name => run(calls),
            (None, _) => println!("{name}"),
            _ => {}
        }
    }
}
