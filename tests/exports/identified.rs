//! Sensitivities, second derivatives, states of first order and data in all languages.

use lagrangian::nalgebra::vector;
use lagrangian::rk4_step_with_states;

use crate::compiled::{Argument, Call, array, check, entries, number, rows};
use crate::declared::{Carriage, Winch};
use crate::{batches, optimisers};

fn call(
    function: &'static str,
    arguments: &[Argument],
    expected: Result<Vec<Vec<f64>>, lagrangian::Error>,
) -> Call {
    let values = expected.as_ref().expect("a regular state");
    Call {
        function,
        arguments: arguments.to_vec(),
        lengths: values.iter().map(Vec::len).collect(),
        expected: expected.map_err(number),
    }
}

/// The calls of functions that a text has.
fn of(text: &str, name: &str, calls: &[Call]) -> Vec<Call> {
    let has = |call: &&Call| text.contains(&format!("int {name}_{}(", call.function));
    let found: Vec<Call> = calls.iter().filter(has).cloned().collect();
    assert!(found.len() > 2, "{name}");
    found
}

/// Compares all texts; the first two kinds with a batch of equal states, too.
fn compare(
    name: &'static str,
    [c, cuda, casadi]: [&str; 3],
    (parameters, rotations): (&[f64], &[usize]),
    calls: &[Call],
) {
    check((name, name), c, parameters, &of(c, name, calls));
    batches::check(
        name,
        cuda,
        (false, parameters),
        &of(&cuda.replace("<S>", ""), name, calls),
    );
    let described = of(casadi, name, calls);
    for function in ["acceleration", "state_derivative", "rk4_step"] {
        assert!(
            described.iter().any(|call| call.function == function),
            "{name} {function}"
        );
    }
    let sensitivity = calls[0].function;
    assert!(casadi.contains(&format!("int jac_{name}_{sensitivity}(")));
    optimisers::check(name, casadi, (parameters, rotations), &described);
}

#[test]
fn states_and_data() {
    let winch = Winch {
        j: 0.4,
        m: 1.5,
        l: 0.02,
        r: 0.7,
        k: 1.2,
        c: 30.0,
    };
    let parameters = [0.4, 1.5, 0.02, 0.7, 1.2, 30.0];
    let (q, v, z, u) = (
        vector![0.7, 0.3],
        vector![0.4, -1.1],
        vector![2.0],
        vector![6.0],
    );
    let w = vector![0.8, -0.6];
    let state = [array(&q), array(&v), array(&z), array(&u)];
    let with = |last: Argument| [&state[..], &[last]].concat();
    let y = vector![q.x, q.y, v.x, v.y, z.x];
    let step = rk4_step_with_states(&winch, 0.0, &q, &v, &z, &u, 0.01);
    let calls = [
        call(
            "by_motor",
            &state,
            winch.by_motor(&q, &v, &z, &u).map(|d| vec![rows(&d)]),
        ),
        call(
            "acceleration",
            &state,
            winch
                .acceleration(&q, &v, &z, &u)
                .map(|a| vec![entries(&a)]),
        ),
        call(
            "state_rates",
            &state,
            Ok(vec![entries(&winch.state_rates(&q, &v, &z, &u))]),
        ),
        call(
            "acceleration_hessian",
            &with(array(&w)),
            winch
                .acceleration_hessian(&q, &v, &z, &u, &w)
                .map(|d| vec![rows(&d)]),
        ),
        call(
            "state_derivative",
            &[array(&y), array(&u)],
            winch.state_derivative(&y, &u).map(|y| vec![entries(&y)]),
        ),
        call(
            "rk4_step",
            &with(Argument::Number(0.01)),
            step.map(|(q, v, z)| vec![entries(&q), entries(&v), entries(&z)]),
        ),
    ];
    let texts = [Winch::C99, Winch::CUDA, Winch::CASADI];
    compare("winch", texts, (&parameters, &[]), &calls);
}

#[test]
fn rotations_and_constraints() {
    let carriage = Carriage {
        m: 2.0,
        c: 1.5,
        l: 0.8,
    };
    let parameters = [2.0, 1.5, 0.8];
    let (q, v, u) = (
        vector![0.3, 0.5, 0.1, 0.1, 0.8544003745317531],
        vector![0.4, -0.3, 0.6, 0.2],
        vector![1.5],
    );
    let w = vector![0.8, -0.6, 0.3, 0.5];
    let state = [array(&q), array(&v), array(&u)];
    let with = |last: Argument| [&state[..], &[last]].concat();
    let y = vector![q[0], q[1], q[2], q[3], q[4], v[0], v[1], v[2], v[3]];
    let step = lagrangian::rk4_step(&carriage, 0.0, &q, &v, &u, 0.01);
    let motion = carriage.solve(&q, &v, &u);
    let calls = [
        call(
            "by_body",
            &state,
            carriage.by_body(&q, &v, &u).map(|d| vec![rows(&d)]),
        ),
        call(
            "acceleration",
            &state,
            carriage.acceleration(&q, &v, &u).map(|a| vec![entries(&a)]),
        ),
        call(
            "solve",
            &state,
            motion.map(|it| vec![entries(&it.acceleration), entries(&it.multipliers)]),
        ),
        call(
            "acceleration_hessian",
            &with(array(&w)),
            carriage
                .acceleration_hessian(&q, &v, &u, &w)
                .map(|d| vec![rows(&d)]),
        ),
        call(
            "state_derivative",
            &[array(&y), array(&u)],
            carriage.state_derivative(&y, &u).map(|y| vec![entries(&y)]),
        ),
        call(
            "rk4_step",
            &with(Argument::Number(0.01)),
            step.map(|(q, v)| vec![entries(&q), entries(&v)]),
        ),
    ];
    let texts = [Carriage::C99, Carriage::CUDA, Carriage::CASADI];
    compare("carriage", texts, (&parameters, &[1]), &calls);
}
