//! The calls that every system has.

use lagrangian::{Error, System, rk4_step};

use crate::compiled::{Argument, Call, array, entries, number, rows};
use crate::declared::State;

/// Calls of a straight method, of the solution, of its derivatives, of a step, and with constraints of the projection.
pub(crate) fn calls<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    has_time: bool,
    state: &State<NQ, N, K>,
) -> Vec<Call>
where
    M: System<f64, NQ, N, K, C>,
{
    let State { t, q, v, u } = state;
    let time = || has_time.then_some(Argument::Number(*t)).into_iter();
    let of = |others: Vec<Argument>| -> Vec<Argument> { time().chain(others).collect() };
    let of_state = || of(vec![array(q), array(v), array(u)]);
    let call =
        |function, arguments, lengths: &[usize], expected: Result<Vec<Vec<f64>>, Error>| Call {
            function,
            arguments,
            lengths: lengths.to_vec(),
            expected: expected.map_err(number),
        };
    let d = v * 0.1;
    let h = 0.01;
    let step = rk4_step(system, *t, q, v, u, h);
    let derivatives = system.acceleration_derivatives(*t, q, v, u);
    let mut with_step = of_state();
    with_step.push(Argument::Number(h));
    let mut calls = vec![
        call(
            "mass_matrix",
            of(vec![array(q)]),
            &[N * N],
            Ok(vec![rows(&system.mass_matrix(*t, q, v, u))]),
        ),
        call(
            "forcing",
            of_state(),
            &[N],
            Ok(vec![entries(&system.forcing(*t, q, v, u))]),
        ),
        call(
            "energy",
            of(vec![array(q), array(v)]),
            &[1],
            Ok(vec![vec![system.energy(*t, q, v, u)]]),
        ),
        call(
            "integrate",
            vec![array(q), array(&d)],
            &[NQ],
            Ok(vec![entries(&system.integrate(q, &d))]),
        ),
        call(
            "acceleration",
            of_state(),
            &[N],
            system.acceleration(*t, q, v, u).map(|a| vec![entries(&a)]),
        ),
        call(
            "solve",
            of_state(),
            &[N, C],
            system
                .solve(*t, q, v, u)
                .map(|motion| vec![entries(&motion.acceleration), entries(&motion.multipliers)]),
        ),
        call(
            "acceleration_derivatives",
            of_state(),
            &[N * N, N * N, N * K],
            derivatives.map(|d| vec![rows(&d.q), rows(&d.v), rows(&d.u)]),
        ),
        call(
            "rk4_step",
            with_step,
            &[NQ, N],
            step.map(|(q, v)| vec![entries(&q), entries(&v)]),
        ),
    ];
    // The trait leaves out the rank of J.
    calls.retain(|call| !(M::REDUNDANT && call.function == "solve"));
    if C > 0 {
        // From off the constraints, and from on them.
        let near = system.project(*t, q, v, u).unwrap_or((*q, *v));
        for (q, v) in [(*q, *v), near] {
            let moved = system.project(*t, &q, &v, u);
            calls.push(call(
                "project",
                of(vec![array(&q), array(&v)]),
                &[NQ, N],
                moved.map(|(q, v)| vec![entries(&q), entries(&v)]),
            ));
        }
    }
    calls
}
