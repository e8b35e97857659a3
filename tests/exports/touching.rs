//! Motions and impacts with contacts in C, CUDA and WGSL.

use lagrangian::nalgebra::vector;

use crate::batches;
use crate::compiled::{Argument, Call, array, check, entries, flags, number, rows};
use crate::declared::Beam;
use crate::optimisers;

#[test]
fn contacts() {
    let system = Beam {
        m: 2.0,
        l: 1.4,
        g: 9.81,
        k: 3.0,
    };
    let (q, v, u) = (
        vector![0.25, 0.3, 0.2],
        vector![0.4, -1.0, 0.3],
        vector![0.7],
    );
    let restitution = [0.5, 0.2, 0.0];
    let mut calls = vec![
        Call {
            function: "gaps",
            arguments: vec![array(&q)],
            lengths: vec![3],
            expected: Ok(vec![entries(&system.gaps(&q))]),
        },
        Call {
            function: "delassus",
            arguments: vec![array(&q)],
            lengths: vec![9],
            expected: system.delassus(&q).map(|w| vec![rows(&w)]).map_err(number),
        },
        Call {
            function: "acceleration",
            arguments: vec![array(&q), array(&v), array(&u)],
            lengths: vec![3],
            expected: system
                .acceleration(&q, &v, &u)
                .map(|a| vec![entries(&a)])
                .map_err(number),
        },
    ];
    let terms = system.friction_terms(&q, &v);
    let pairs = [&terms.slips, &terms.slip_bounds];
    let [slips, bounds] = pairs.map(|pair| pair.each_ref().map(entries));
    let parts = [
        vec![entries(&terms.gap_bounds), entries(&terms.gap_rate_bounds)],
        slips.into(),
        bounds.into(),
        terms.slip_jacobians.iter().map(rows).collect(),
        terms.slip_gammas.iter().map(entries).collect(),
        vec![entries(&terms.friction), entries(&terms.restitution)],
    ];
    calls.push(Call {
        function: "friction_terms",
        arguments: vec![array(&q), array(&v)],
        lengths: vec![3, 3, 3, 3, 3, 3, 9, 9, 3, 3, 3, 3],
        expected: Ok(parts.concat()),
    });
    // With the guide there are two independent contacts: all three are an error.
    for active in [
        [false, false, false],
        [true, false, false],
        [false, true, true],
        [true, true, false],
        [true, true, true],
    ] {
        let motion = system.solve_active(&q, &v, &u, &active);
        calls.push(Call {
            function: "solve_active",
            arguments: vec![array(&q), array(&v), array(&u), flags(active)],
            lengths: vec![3, 1, 3],
            expected: motion.map_err(number).map(|motion| {
                let [a, lambda, forces] = [
                    entries(&motion.acceleration),
                    entries(&motion.multipliers),
                    entries(&motion.contact_forces),
                ];
                vec![a, lambda, forces]
            }),
        });
        let hit = system.impact(&q, &v, &active, &restitution);
        calls.push(Call {
            function: "impact",
            arguments: vec![
                array(&q),
                array(&v),
                flags(active),
                Argument::Array(restitution.to_vec()),
            ],
            lengths: vec![3, 1, 3],
            expected: hit.map_err(number).map(|hit| {
                let [velocity, multipliers, impulses] = [
                    entries(&hit.velocity),
                    entries(&hit.multipliers),
                    entries(&hit.impulses),
                ];
                vec![velocity, multipliers, impulses]
            }),
        });
    }
    for active in [
        [false, false, false],
        [true, false, false],
        [false, true, true],
        [true, true, true],
    ] {
        let linear = system.linearize_active(&q, &v, &u, &active);
        calls.push(Call {
            function: "linearize_active",
            arguments: vec![array(&q), array(&v), array(&u), flags(active)],
            lengths: vec![36, 6],
            expected: linear
                .map(|linear| vec![rows(&linear.a), rows(&linear.b)])
                .map_err(number),
        });
        let derivatives = system.impact_derivatives(&q, &v, &active, &restitution);
        calls.push(Call {
            function: "impact_derivatives",
            arguments: vec![
                array(&q),
                array(&v),
                flags(active),
                Argument::Array(restitution.to_vec()),
            ],
            lengths: vec![9, 9],
            expected: derivatives
                .map(|(by_q, by_v)| vec![rows(&by_q), rows(&by_v)])
                .map_err(number),
        });
    }
    assert!(calls.iter().any(|call| call.expected == Err(2)));
    let parameters = [2.0, 1.4, 9.81, 3.0];
    check(("beam", "beam"), Beam::C99, &parameters, &calls);
    batches::check("beam", Beam::CUDA, (false, &parameters), &calls);
    calls.retain(|call| {
        !call.function.contains("linear") && !call.function.ends_with("derivatives")
    });
    optimisers::check("beam", Beam::CASADI, (&parameters, &[]), &calls);
    assert!(Beam::WGSL.contains("fn beam_solve_active_batch("));
}
