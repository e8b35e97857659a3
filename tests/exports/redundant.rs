//! Systems whose rows may depend on each other, in C and CUDA.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Error, ReducedLinearization, lagrangian, rk4_step};

use crate::batches;
use crate::compiled::{
    Argument, Call, array, check, compare, compilers, entries, flags, number, optimisation,
    program, rows, run,
};
use crate::declared::{
    Branches, Bricard, Contradiction, Cranks, FileDigits, InSpace, Parallelograms, Plank, Table,
};

/// On the constraints, and beside them as in the stages of an integrator, where all rows are slightly independent.
#[test]
fn bricards_mechanism() {
    let system = Bricard {
        axial: 1.0 / 300.0,
        g: 9.81,
    };
    let none = SVector::<f64, 0>::zeros();
    let w = vector![0.3, -0.7, 1.1, 0.2, -0.4];
    let (mut q, mut v) = (SVector::zeros(), SVector::zeros());
    for _ in 0..600 {
        (q, v) = rk4_step(&system, 0.0, &q, &v, &none, 1e-3).expect("a step");
    }
    let beside = (q, v);
    let mut calls = Vec::new();
    for (q, v) in [system.project(&q, &v).expect("a near state"), beside] {
        let y = SVector::<f64, 10>::from_fn(|i, _| if i < 5 { q[i] } else { v[i - 5] });
        let state = || vec![array(&q), array(&v)];
        let call = |function, arguments, lengths: &[usize], expected: Result<_, _>| Call {
            function,
            arguments,
            lengths: lengths.to_vec(),
            expected: expected.map_err(number),
        };
        let motion = system.solve(&q, &v).map(|motion| {
            assert_eq!(motion.rank, 4);
            let rank = vec![motion.rank as f64];
            vec![
                entries(&motion.acceleration),
                entries(&motion.multipliers),
                rank,
            ]
        });
        let derivatives = system.acceleration_derivatives(&q, &v);
        calls.extend([
            call("solve", state(), &[5, 5, 1], motion),
            call(
                "acceleration",
                state(),
                &[5],
                system.acceleration(&q, &v).map(|a| vec![entries(&a)]),
            ),
            call(
                "state_derivative",
                vec![array(&y)],
                &[10],
                system.state_derivative(&y).map(|rate| vec![entries(&rate)]),
            ),
            call(
                "constraint_forces",
                state(),
                &[5],
                system.constraint_forces(&q, &v).map(|f| vec![entries(&f)]),
            ),
            call(
                "linearize",
                state(),
                &[100, 0],
                system
                    .linearize(&q, &v)
                    .map(|linear| vec![rows(&linear.a), vec![]]),
            ),
            call(
                "acceleration_derivatives",
                state(),
                &[25, 25, 0],
                derivatives.map(|d| vec![rows(&d.q), rows(&d.v), vec![]]),
            ),
            call(
                "vjp",
                [state(), vec![array(&w)]].concat(),
                &[5, 5, 0],
                system
                    .vjp(&q, &v, &w)
                    .map(|d| vec![entries(&d.q), entries(&d.v), vec![]]),
            ),
            call(
                "project",
                state(),
                &[5, 5],
                system
                    .project(&q, &v)
                    .map(|(q, v)| vec![entries(&q), entries(&v)]),
            ),
            call(
                "rk4_step",
                [state(), vec![Argument::Number(0.01)]].concat(),
                &[5, 5],
                rk4_step(&system, 0.0, &q, &v, &none, 0.01)
                    .map(|(q, v)| vec![entries(&q), entries(&v)]),
            ),
        ]);
    }
    let parameters = [1.0 / 300.0, 9.81];
    let source = program(Bricard::C99, "bricard", &parameters, &calls);
    for compiler in compilers() {
        let output = run(
            compiler,
            &["-std=c99", &optimisation()],
            &source,
            "bricard_derivatives",
        );
        compare("bricard", &output, &calls, 1e-13);
    }
    // Off the constraints derivatives depend on the choice of the independent rows, and rows of equal length are equal only
    // to rounding.
    calls.retain(|call| !["linearize", "acceleration_derivatives", "vjp"].contains(&call.function));
    check(("bricard", "bricard"), Bricard::C99, &parameters, &calls);
    batches::check("bricard", Bricard::CUDA, (false, &parameters), &calls);
}

#[test]
fn parallelograms() {
    let system = Parallelograms { m: 1.0, g: 9.81 };
    let call = |angle: f64, speed: f64| {
        let (mut q, mut v) = (SVector::<f64, 8>::zeros(), SVector::<f64, 8>::zeros());
        for k in 0..4 {
            (q[k], q[4 + k]) = (k as f64 + angle.cos(), angle.sin());
            (v[k], v[4 + k]) = (-speed * angle.sin(), speed * angle.cos());
        }
        let motion = system.solve(&q, &v).map(|motion| {
            let rank = vec![motion.rank as f64];
            vec![
                entries(&motion.acceleration),
                entries(&motion.multipliers),
                rank,
            ]
        });
        Call {
            function: "solve",
            arguments: vec![array(&q), array(&v)],
            lengths: vec![8, 7, 1],
            expected: motion.map_err(number),
        }
    };
    let calls = [call(0.0, 0.0), call(-0.7, 2.0), call(1.2, -1.0)];
    let ranks = calls
        .each_ref()
        .map(|call| call.expected.clone().map(|values| values[2][0]));
    assert_eq!(ranks, [Ok(4.0), Ok(7.0), Ok(7.0)]);
    let names = ("parallelograms", "parallelograms");
    check(names, Parallelograms::C99, &[1.0, 9.81], &calls);
}

fn reduced<const N: usize, const R: usize, const R2: usize>(
    (q, v): (SVector<f64, N>, SVector<f64, N>),
    found: Result<ReducedLinearization<f64, N, R, R2, 0>, Error>,
) -> Call {
    Call {
        function: "linearize_reduced",
        arguments: vec![array(&q), array(&v)],
        lengths: vec![R2 * R2, 0, N * R],
        expected: found
            .map(|found| vec![rows(&found.a), vec![], rows(&found.basis)])
            .map_err(number),
    }
}

macro_rules! nearly_parallel {
    ($name:ident, $($attribute:tt)*) => {
        lagrangian! {
            /// The share of each row that is orthogonal to the other is w, at z = 0.
            $($attribute)*
            pub struct $name { x, y, z, w: coordinate }
            T = (der(x) + der(z))^2 / 2 + 2 * der(y)^2 + der(z)^2 + der(w)^2 + der(x) * der(y) / 3;
            V = x + 2 * y - 3 * z + w;
            holonomic first: x + 2 * y = 0;
            holonomic second: x + 2 * y + w * z = 0;
            export c99 { acceleration }
            export cuda { acceleration }
        }
    };
}

nearly_parallel!(Redundant, #[lagrangian(redundant)]);
nearly_parallel!(Independent,);

/// Exports solve what Rust solves, on both sides of the share at which a row counts as dependent.
#[test]
fn rows_with_a_small_share_of_their_own() {
    macro_rules! check_shares {
        ($system:expr, $text:expr, $name:literal) => {
            let calls: Vec<Call> = (0..60)
                .map(|k| {
                    let share = 1e-9 * 10_f64.powf(f64::from(k) / 10.0);
                    let q = vector![0.0, 0.0, 0.0, share];
                    let rest = SVector::zeros();
                    let found = $system.acceleration(&q, &rest);
                    assert!(found.is_ok(), "{share}: {found:?}");
                    Call {
                        function: "acceleration",
                        arguments: vec![array(&q), array(&rest)],
                        lengths: vec![4],
                        expected: found.map(|a| vec![entries(&a)]).map_err(number),
                    }
                })
                .collect();
            let source = program($text, $name, &[], &calls);
            for compiler in compilers() {
                let output = run(compiler, &["-std=c99", &optimisation()], &source, $name);
                // The acceleration along z is that of rounding by the share.
                compare($name, &output, &calls, 1e-6);
            }
        };
    }
    check_shares!(Redundant::<f64>::default(), Redundant::C99, "redundant");
    check_shares!(
        Independent::<f64>::default(),
        Independent::C99,
        "independent"
    );
}

/// Rows that agree to the digits of a file: the motion and the projection, from near and far.
#[test]
fn rows_of_few_digits() {
    let (l, m) = ([1.0, 2.0, 1.5, 1.8], [1.0, 2.0, 1.5]);
    for (offset, tilt) in [(1e-12, 0.0), (0.0, 1e-9), (1e-2, 0.0)] {
        let system = FileDigits {
            l,
            m,
            offset,
            tilt,
            g: 9.81,
        };
        let start = (vector![1.2, -1.0, -1.5], vector![1.0, 0.0, 0.0]);
        let mut calls = Vec::new();
        let far = system.project(&start.0, &start.1);
        let mut projected = |(q, v), result: Result<_, _>| {
            let expected = result.map(|(q, v)| vec![entries(&q), entries(&v)]);
            calls.push(Call {
                function: "project",
                arguments: vec![array(&q), array(&v)],
                lengths: vec![3, 3],
                expected: expected.map_err(number),
            });
        };
        projected(start, far);
        assert_eq!(far.is_ok(), offset < 1e-2);
        if let Ok((q, v)) = far {
            projected((q, v), system.project(&q, &v));
            // The small multipliers depend on the choice of the independent rows.
            let of_state = [
                ("acceleration", system.acceleration(&q, &v)),
                ("constraint_forces", system.constraint_forces(&q, &v)),
            ];
            calls.extend(of_state.map(|(function, result)| Call {
                function,
                arguments: vec![array(&q), array(&v)],
                lengths: vec![3],
                expected: result.map(|values| vec![entries(&values)]).map_err(number),
            }));
        }
        let parameters = [l.as_slice(), &m, &[offset, tilt, 9.81]].concat();
        check(
            ("file_digits", "file_digits"),
            FileDigits::C99,
            &parameters,
            &calls,
        );
        batches::check(
            "file_digits",
            FileDigits::CUDA,
            (false, &parameters),
            &calls,
        );
    }
    for excess in [0.0, 1e-10] {
        let system = Cranks {
            l: 1.0,
            excess,
            m: 1.0,
            g: 9.81,
        };
        let q = vector![0.95, 0.8, 0.98, 0.72, 0.73, 0.02];
        let v = vector![1.0, 1.0, 1.0, -0.8, 0.6, 0.0];
        let projected = system.project(&q, &v);
        assert!(projected.is_ok());
        let calls = [Call {
            function: "project",
            arguments: vec![array(&q), array(&v)],
            lengths: vec![6, 6],
            expected: projected
                .map(|(q, v)| vec![entries(&q), entries(&v)])
                .map_err(number),
        }];
        let source = program(Cranks::C99, "cranks", &[1.0, excess, 1.0, 9.81], &calls);
        for compiler in compilers() {
            let output = run(compiler, &["-std=c99", &optimisation()], &source, "cranks");
            // Where rows do not agree, the end of the steps is not determined by more than their difference.
            compare("cranks", &output, &calls, 1e-12 + 10.0 * excess);
        }
    }
}

#[test]
fn reduced_linearizations() {
    let bricard = Bricard {
        axial: 1.0 / 300.0,
        g: 9.81,
    };
    let none = SVector::<f64, 0>::zeros();
    let (mut q, mut v) = (SVector::zeros(), SVector::zeros());
    for _ in 0..300 {
        (q, v) = rk4_step(&bricard, 0.0, &q, &v, &none, 1e-3).expect("a step");
    }
    let (q, v) = bricard.project(&q, &v).expect("a near state");
    let calls = [reduced((q, v), bricard.linearize_reduced(&q, &v))];
    assert!(calls[0].expected.is_ok());
    let parameters = [1.0 / 300.0, 9.81];
    let names = ("bricard", "bricard_reduced");
    check(names, Bricard::C99, &parameters, &calls);
    batches::check("bricard", Bricard::CUDA, (false, &parameters), &calls);

    let linkage = InSpace {
        l: [1.0, 2.0, 1.5, 2.2],
        m: [1.0, 2.0, 1.5],
    };
    let start = (vector![1.0, -0.8, -1.6], vector![1.0, 0.0, 0.0]);
    let (q, v) = linkage.project(&start.0, &start.1).expect("a near state");
    // Without a position on the constraints, too.
    let calls = [(q, v), start].map(|(q, v)| reduced((q, v), linkage.linearize_reduced(&q, &v)));
    assert!(calls.iter().all(|call| call.expected.is_ok()));
    let parameters = [1.0, 2.0, 1.5, 2.2, 1.0, 2.0, 1.5];
    let names = ("in_space", "in_space_reduced");
    check(names, InSpace::C99, &parameters, &calls);
    batches::check("in_space", InSpace::CUDA, (false, &parameters), &calls);

    // In a flat row of parallelograms more displacements are free.
    let flat = Parallelograms { m: 1.0, g: 9.81 };
    let place = |angle: f64| {
        SVector::<f64, 8>::from_fn(|i, _| match i {
            0..4 => i as f64 + angle.cos(),
            _ => angle.sin(),
        })
    };
    let rest = SVector::zeros();
    let calls =
        [place(0.4), place(0.0)].map(|q| reduced((q, rest), flat.linearize_reduced(&q, &rest)));
    assert!(calls[0].expected.is_ok() && calls[1].expected == Err(2));
    let names = ("parallelograms", "parallelograms_reduced");
    check(names, Parallelograms::C99, &[1.0, 9.81], &calls);

    // Nothing is free.
    let branches = Branches { m: 2.0, g: 9.81 };
    let rest = SVector::zeros();
    let calls = [reduced(
        (rest, rest),
        branches.linearize_reduced(&rest, &rest),
    )];
    let names = ("branches", "branches_reduced");
    check(names, Branches::C99, &[2.0, 9.81], &calls);
}

#[test]
fn least_multipliers() {
    let system = Branches { m: 2.0, g: 9.81 };
    let call = |q: SVector<f64, 2>| Call {
        function: "solve",
        arguments: vec![array(&q), array(&q)],
        lengths: vec![2, 3, 1],
        expected: system.solve(&q, &q).map_err(number).map(|motion| {
            let rank = vec![motion.rank as f64];
            vec![
                entries(&motion.acceleration),
                entries(&motion.multipliers),
                rank,
            ]
        }),
    };
    let calls = [call(SVector::zeros()), call(vector![f64::NAN, 0.0])];
    assert_eq!(calls[1].expected, Err(4));
    let names = ("branches", "branches");
    check(names, Branches::C99, &[2.0, 9.81], &calls);
}

#[test]
fn contacts() {
    let system = Table {
        m: 10.0,
        i: 2.0,
        g: 9.81,
        load: 30.0,
        at: 0.5,
    };
    let (q, v) = (vector![0.0, 0.0, 0.0], vector![-1.0, 0.0, 1.0]);
    let still = SVector::zeros();
    let restitution = [0.5; 4];
    let mut calls = vec![Call {
        function: "delassus",
        arguments: vec![array(&q)],
        lengths: vec![16],
        expected: system.delassus(&q).map(|w| vec![rows(&w)]).map_err(number),
    }];
    for active in [
        [true; 4],
        [true, false, true, false],
        [true, true, true, false],
        [false; 4],
    ] {
        let hitting = || {
            vec![
                array(&q),
                array(&v),
                flags(active),
                Argument::Array(restitution.to_vec()),
            ]
        };
        let standing = || vec![array(&q), array(&still), flags(active)];
        let motion = system.solve_active(&q, &still, &active).map_err(number);
        let hit = system.impact(&q, &v, &active, &restitution).map_err(number);
        let linear = system.linearize_active(&q, &still, &active);
        let derivatives = system.impact_derivatives(&q, &v, &active, &restitution);
        calls.extend([
            Call {
                function: "solve_active",
                arguments: standing(),
                lengths: vec![3, 2, 4],
                expected: motion.map(|motion| {
                    let (a, lambda) = (entries(&motion.acceleration), entries(&motion.multipliers));
                    vec![a, lambda, entries(&motion.contact_forces)]
                }),
            },
            Call {
                function: "impact",
                arguments: hitting(),
                lengths: vec![3, 2, 4],
                expected: hit.map(|hit| {
                    let (velocity, impulses) = (entries(&hit.velocity), entries(&hit.impulses));
                    vec![velocity, entries(&hit.multipliers), impulses]
                }),
            },
            Call {
                function: "linearize_active",
                arguments: standing(),
                lengths: vec![36, 0],
                expected: linear
                    .map(|linear| vec![rows(&linear.a), vec![]])
                    .map_err(number),
            },
            Call {
                function: "impact_derivatives",
                arguments: hitting(),
                lengths: vec![9, 9],
                expected: derivatives
                    .map(|(by_q, by_v)| vec![rows(&by_q), rows(&by_v)])
                    .map_err(number),
            },
        ]);
    }
    assert!(calls.iter().all(|call| call.expected.is_ok()));
    let parameters = [10.0, 2.0, 9.81, 30.0, 0.5];
    check(("table", "table"), Table::C99, &parameters, &calls);
    batches::check("table", Table::CUDA, (false, &parameters), &calls);
}

#[test]
fn rows_that_contradict_each_other() {
    let system = Contradiction::default();
    let rest = SVector::<f64, 2>::zeros();
    let calls = [0.0, 1.0].map(|t| Call {
        function: "solve",
        arguments: vec![Argument::Number(t), array(&rest), array(&rest)],
        lengths: vec![2, 2, 1],
        expected: system.solve(t, &rest, &rest).map_err(number).map(|motion| {
            let rank = vec![motion.rank as f64];
            vec![
                entries(&motion.acceleration),
                entries(&motion.multipliers),
                rank,
            ]
        }),
    });
    assert_eq!(calls[1].expected, Err(2));
    let apart = Call {
        function: "project",
        arguments: vec![Argument::Number(1.0), array(&rest), array(&rest)],
        lengths: vec![2, 2],
        expected: system
            .project(1.0, &rest, &rest)
            .map(|(q, v)| vec![entries(&q), entries(&v)])
            .map_err(number),
    };
    let calls = [&calls[..], &[apart]].concat();
    let names = ("contradiction", "contradiction");
    check(names, Contradiction::C99, &[1.0], &calls);
}

#[test]
fn contacts_without_constraints() {
    let plank = Plank {
        m: 2.0,
        i: 0.5,
        g: 9.81,
    };
    let (q, v, load) = (vector![0.0, 0.0], vector![-1.0, 0.0], vector![3.0]);
    let mut calls = vec![Call {
        function: "delassus",
        arguments: vec![array(&q)],
        lengths: vec![9],
        expected: plank.delassus(&q).map(|w| vec![rows(&w)]).map_err(number),
    }];
    let mut of_motions = Vec::new();
    for active in [[true; 3], [true, false, true], [false, true, false]] {
        let motion = plank.solve_active(&q, &v, &load, &active);
        of_motions.push(Call {
            function: "solve_active",
            arguments: vec![array(&q), array(&v), array(&load), flags(active)],
            lengths: vec![2, 0, 3],
            expected: motion.map_err(number).map(|motion| {
                let forces = entries(&motion.contact_forces);
                vec![entries(&motion.acceleration), vec![], forces]
            }),
        });
        let linear = plank.linearize_active(&q, &v, &load, &active);
        calls.push(Call {
            function: "linearize_active",
            arguments: vec![array(&q), array(&v), array(&load), flags(active)],
            lengths: vec![16, 4],
            expected: linear
                .map(|linear| vec![rows(&linear.a), rows(&linear.b)])
                .map_err(number),
        });
        for restitution in [[0.5; 3], [0.5, 0.5, 0.0]] {
            let hit = plank.impact(&q, &v, &active, &restitution);
            of_motions.push(Call {
                function: "impact",
                arguments: vec![
                    array(&q),
                    array(&v),
                    flags(active),
                    Argument::Array(restitution.to_vec()),
                ],
                lengths: vec![2, 0, 3],
                expected: hit
                    .map_err(number)
                    .map(|hit| vec![entries(&hit.velocity), vec![], entries(&hit.impulses)]),
            });
        }
    }
    assert!(of_motions.iter().any(|call| call.expected == Err(2)));
    let parameters = [2.0, 0.5, 9.81];
    batches::check("plank", Plank::CUDA, (false, &parameters), &of_motions);
    calls.extend(of_motions);
    check(("plank", "plank"), Plank::C99, &parameters, &calls);
}
