//! Tangents of routines beside differences of their values, at random systems.

use crate::cases::cases;
use crate::maps::{self, Mass};
use crate::numeric::{assert_close, rate};
use crate::routines::{At, reacting};
use crate::touching::touching;
use crate::trees::{self, Attitudes};
use lagrange_engine::{
    Argument, Array, Constraint, Dynamics, Number, Routine, Routines, Step, Symbol, System,
};
use proptest::prelude::*;

/// The methods whose tangents have other rules than those of straight-line code, and some of that.
const METHODS: [&str; 23] = [
    "mass_matrix",
    "forcing",
    "energy",
    "inverse_dynamics",
    "constraint_jacobian",
    "integrate",
    "difference",
    "acceleration",
    "acceleration_unchecked",
    "solve",
    "private solve_pivoted",
    "state_derivative",
    "constraint_forces",
    "mass_matrix_full",
    "forcing_full",
    "velocity",
    "hamiltonian",
    "hamilton_equations",
    "rk4_step",
    "project",
    "solve_active",
    "impact",
    "delassus",
];

/// Values of the arguments of a routine, and changes of them; those of rotations keep quaternions of unit length.
fn given(at: &At, routine: &Routine, seed: u32) -> Vec<(Vec<f64>, Vec<f64>)> {
    let scattered = |number: usize, i: usize| {
        f64::sin(f64::from(seed) * 1.3 + number as f64 * 2.1 + i as f64 * 0.7)
    };
    let kinematics = at.dynamics.kinematics();
    let values = |(number, argument): (usize, &Argument)| {
        let numbers = |scale: f64| (0..argument.length).map(move |i| scale * scattered(number, i));
        let mut value: Vec<f64> = match argument.name.as_str() {
            "h" => vec![0.1],
            "q" | "q0" | "q1" => at.argument("q"),
            "y" => [at.argument("q"), at.argument("v")].concat(),
            "t" | "v" | "u" | "a" => at.argument(&argument.name),
            "restitution" => vec![0.25; argument.length],
            "active" => vec![1.0; argument.length],
            _ => numbers(0.6).collect(),
        };
        let mut change: Vec<f64> = numbers(1.0).collect();
        if ["q", "q0", "q1", "y"].contains(&argument.name.as_str()) {
            for rotation in kinematics.rotations() {
                let q = rotation.coordinate;
                let quaternion = &value[q..q + 4];
                let [x, y, z, w] = [0, 1, 2, 3].map(|i| quaternion[i]);
                let [a, b, c] = [0, 1, 2].map(|i| change[q + i] / 2.0);
                let turned = [
                    w * a + y * c - z * b,
                    w * b + z * a - x * c,
                    w * c + x * b - y * a,
                    -x * a - y * b - z * c,
                ];
                change[q..q + 4].copy_from_slice(&turned);
            }
        }
        if argument.name == "q1" {
            for (x, d) in value.iter_mut().zip(&change) {
                *x += 0.3 * d;
            }
        }
        (value, change)
    };
    routine.arguments.iter().enumerate().map(values).collect()
}

/// No array is copied or filled that no step reads: compilers of C warn of it.
fn check_reads(at: &At, routine: Routine) {
    for routine in at.routines.with_called(vec![routine]) {
        let mut is_read = vec![false; routine.locals.len()];
        routine.for_each_step(&mut |step| {
            for view in step.reads() {
                if let Array::Local(at) = view.array {
                    is_read[at] = true;
                }
            }
        });
        routine.for_each_step(&mut |step| {
            if let Step::Copy { to, .. } | Step::Fill { to, .. } | Step::Identity { to } = step
                && let Array::Local(at) = to.array
            {
                assert!(is_read[at], "{}: local array {at}", routine.name);
            }
        });
    }
}

fn check_tangents(at: &At, seed: u32) {
    for method in METHODS {
        let Some(routine) = at.routines.method(method) else {
            continue;
        };
        let tangent = at.routines.tangent(&routine).expect("a tangent");
        check_reads(at, tangent.clone());
        for blocks in ["private blocks_", "private parameter_blocks_"] {
            if let Some(blocks) = at.routines.method(&format!("{blocks}{method}")) {
                check_reads(at, blocks);
            }
        }
        let given = given(at, &routine, seed);
        let count = at.dynamics.names().parameters.len() as u32;
        let parameters = (0..count).map(|i| (at.value)(Symbol::Parameter(i)));
        let parameters: Vec<f64> = parameters.collect();
        let of_parameters = (0..count).map(|i| f64::cos(f64::from(i) * 0.9 + f64::from(seed)));
        let of_parameters: Vec<f64> = of_parameters.map(|x| 0.1 * x).collect();
        let shifted = |values: &[f64], changes: &[f64], h: f64| -> Vec<f64> {
            let pairs = values.iter().zip(changes);
            pairs.map(|(x, d)| x + h * d).collect()
        };
        let values = |h: f64| {
            let arguments = given.iter().zip(&routine.arguments);
            let arguments = arguments.map(|((value, change), argument)| match argument.is_flags {
                true => value.clone(),
                false => shifted(value, change, h),
            });
            let arguments: Vec<Vec<f64>> = arguments.collect();
            let parameters = shifted(&parameters, &of_parameters, h);
            at.routines.run(&routine, &arguments, &parameters)
        };
        let Ok(here) = values(0.0) else { continue };
        let size = here
            .iter()
            .flatten()
            .fold(0.0_f64, |most, x| most.max(x.abs()));
        // Near a singular state differences tell nothing.
        let steps = [1e-3, -1e-3, 2e-3, -2e-3];
        if here.iter().flatten().any(|x| !x.is_finite())
            || size > 1e2
            || steps.iter().any(|h| values(*h).is_err())
        {
            continue;
        }
        let moved = rate(|h| values(h).expect("a value").concat());
        let mut all: Vec<Vec<f64>> = given.iter().map(|(value, _)| value.clone()).collect();
        let changes = given.iter().zip(&routine.arguments);
        let changes = changes.filter(|(_, argument)| !argument.is_flags);
        all.extend(changes.map(|((_, change), _)| change.clone()));
        all.push(of_parameters.clone());
        let found = at
            .routines
            .run(&tangent, &all, &parameters)
            .expect("changes");
        let (same, changes) = found.split_at(here.len());
        assert_eq!(same, &here[..], "{method}");
        let counts = routine
            .results
            .iter()
            .filter(|result| result.is_count)
            .count();
        let moved = &moved[..moved.len() - counts];
        let largest = moved.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if largest > 1e3 {
            continue;
        }
        assert_close(&changes.concat(), moved, 1e-6);
    }
}

/// The system with each constraint once more, in a unit that depends on a parameter.
fn repeated(mut system: System) -> System {
    let graph = &mut system.graph;
    let parameter = graph.symbol(Symbol::Parameter(0));
    let square = graph.powi(parameter, 2);
    let unit = graph.sum(Number::integer(2), vec![(Number::ONE, square)]);
    for constraint in system.constraints.clone() {
        system.constraints.push(Constraint {
            name: format!("{} again", constraint.name),
            residual: system.graph.mul(unit, constraint.residual),
            ..constraint
        });
    }
    system
}

proptest! {
    #![proptest_config(cases(12))]

    /// The multipliers are the least ones, and so are their changes.
    #[test]
    fn tangents_with_redundant_rows(plan in maps::plans(), seed in 1_u32..1000) {
        let system = repeated(maps::build(&plan, Mass::Definite));
        let is_constrained = !system.constraints.is_empty();
        for system in [touching(system.clone()), system] {
            let dynamics = Dynamics::new(system);
            let value = maps::state(seed);
            let at = At {
                routines: Routines::new(&dynamics).with_redundant_rows(is_constrained),
                ..At::new(&dynamics, &value)
            };
            check_tangents(&at, seed);
        }
    }

    #[test]
    fn tangents_of_maps(plan in maps::plans(), seed in 1_u32..1000) {
        for mass in [Mass::Definite, Mass::Singular] {
            let dynamics = Dynamics::new(maps::build(&plan, mass));
            let value = maps::state(seed);
            check_tangents(&At::new(&dynamics, &value), seed);
        }
    }

    #[test]
    fn tangents_with_contacts(plan in maps::plans(), seed in 1_u32..1000) {
        let system = touching(maps::build(&plan, Mass::Definite));
        for system in [system.clone(), reacting(system)] {
            let dynamics = Dynamics::new(system);
            let value = maps::state(seed);
            check_tangents(&At::new(&dynamics, &value), seed);
        }
    }

    #[test]
    fn tangents_of_trees(plan in trees::plans(), seed in 1_u32..1000) {
        for attitudes in [Attitudes::None, Attitudes::Some] {
            let dynamics = Dynamics::new(trees::build(&plan, attitudes));
            let value = trees::state(seed);
            check_tangents(&At::new(&dynamics, &value), seed);
        }
    }
}
