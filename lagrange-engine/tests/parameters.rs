//! Derivatives of accelerations by parameters beside tangents of the accelerations, at random systems.

use crate::cases::cases;
use crate::maps::{self, Mass};
use crate::numeric::assert_close;
use crate::routines::{At, reacting};
use crate::states::{choice, stateful};
use crate::trees::{self, Attitudes};
use lagrange_engine::{Dynamics, ParameterList, Symbol, System};
use proptest::prelude::*;

/// The system with its derivatives by all parameters, the last one first.
pub(crate) fn sensitive(mut system: System) -> System {
    system.sensitivities = vec![ParameterList {
        name: "by_all".to_owned(),
        parameters: (0..system.names.parameters.len() as u32).rev().collect(),
    }];
    system
}

fn check_sensitivity(system: System, value: &dyn Fn(Symbol) -> f64) {
    let dynamics = Dynamics::new(sensitive(system));
    let at = At::new(&dynamics, value);
    let count = dynamics.names().parameters.len();
    let acceleration = at.routines.method("acceleration").expect("a routine");
    let tangent = at.routines.tangent(&acceleration).expect("a tangent");
    let parameters = (0..count as u32).map(|i| value(Symbol::Parameter(i)));
    let parameters: Vec<f64> = parameters.collect();
    let given = acceleration.arguments.iter();
    let given: Vec<Vec<f64>> = given.map(|argument| at.argument(&argument.name)).collect();
    let Ok(found) = at.results("by_all", &[]) else {
        assert!(at.results("acceleration", &[]).is_err());
        return;
    };
    for number in 0..count {
        let mut all = given.clone();
        all.extend(given.iter().map(|argument| vec![0.0; argument.len()]));
        let mut along = vec![0.0; count];
        along[number] = 1.0;
        all.push(along);
        let moved = at
            .routines
            .run(&tangent, &all, &parameters)
            .expect("changes");
        let column = found[0].iter().skip(count - 1 - number).step_by(count);
        let column: Vec<f64> = column.copied().collect();
        let size = moved[0].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        // Near a singular state both lose digits.
        if size < 1e3 {
            assert_close(&column, &moved[1], 1e-7);
        }
        if dynamics.idle_parameters().contains(&(number as u32)) {
            assert!(column.iter().all(|entry| *entry == 0.0));
        }
    }
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn by_parameters_of_maps(plan in maps::plans(), seed in 1_u32..1000) {
        let value = maps::state(seed);
        for mass in [Mass::Definite, Mass::Singular] {
            let system = maps::build(&plan, mass);
            check_sensitivity(reacting(system.clone()), &value);
            let (states, inputs) = choice(seed);
            check_sensitivity(stateful(system.clone(), states, inputs), &value);
            check_sensitivity(system, &value);
        }
    }

    #[test]
    fn by_parameters_of_trees(plan in trees::plans(), seed in 1_u32..1000) {
        let value = trees::state(seed);
        for attitudes in [Attitudes::None, Attitudes::Some] {
            check_sensitivity(trees::build(&plan, attitudes), &value);
        }
    }
}

/// A system of one parameter m, of two coordinates, with these energies and rows.
fn idle(rows: &str) -> bool {
    let text = format!(
        "coordinates x y\nparameters m k\nnode %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = coordinate 0\n\
         node %3 = coordinate 1\nnode %4 = parameter 0\nnode %5 = parameter 1\nnode %6 = product %0^2\n\
         node %7 = product %1^2\nnode %8 = sum 0 1/2*%6 1/2*%7\nnode %9 = product %4^1 %8^1\n\
         node %10 = product %4^1 %3^1\n{rows}sensitivity by_mass 0\n"
    );
    let dynamics = Dynamics::new(text.parse().expect("a system"));
    dynamics.idle_parameters().contains(&0)
}

#[test]
fn a_mass_that_cancels_has_no_effect() {
    assert!(idle("kinetic %9\npotential %10\n"));
    // On a rod the multiplier changes, and the acceleration does not.
    let rod = "node %11 = product %2^2\nnode %12 = product %3^2\nnode %13 = sum -1 1*%11 1*%12\n";
    assert!(idle(&format!(
        "kinetic %9\npotential %10\n{rod}holonomic rod %13\n"
    )));
    // A spring that is not proportional to the mass.
    let spring = "node %11 = product %2^2 %5^1\nnode %12 = sum 0 1*%10 1/2*%11\n";
    assert!(!idle(&format!("kinetic %9\n{spring}potential %12\n")));
    // A law of the logarithm, which the field does not know: ln(m k) - ln(m).
    let product = "node %11 = product %4^1 %5^1\nnode %12 = ln %11\nnode %13 = ln %4\nnode %14 = sum 0 1*%12 -1*%13\n\
                   node %15 = product %14^1 %3^1\n";
    assert!(idle(&format!("kinetic %8\n{product}potential %15\n")));
    // A branch that is taken at some states only.
    let branch = "node %11 = max %2 %5\nnode %12 = product %11^1 %4^1\n";
    assert!(!idle(&format!("kinetic %8\n{branch}potential %12\n")));
}
