//! Systems whose forces depend on multipliers, in C and CUDA.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Derivatives, Error, lagrangian};

use crate::batches;
use crate::compiled::{Argument, Call, array, check, entries, flags, number, rows};
use crate::declared::{Sled, Sledge};

lagrangian! {
    /// Two rows and a nonlinear force.
    pub struct Mixed { x, y, z: coordinate, m: parameter[3], k: parameter, u: input, t: time }
    T = m[0] * der(x)^2 / 2 + m[1] * der(y)^2 / 2 + m[2] * der(z)^2 / 2 + m[0] * sin(x) * der(x) * der(y) / 3;
    V = k * x^2 * y;
    holonomic first: x + sin(y) + z^2 / 2 = 0.2 * t;
    nonholonomic second: cos(z) * der(x) + der(y) + x * der(z) = 0;
    Q.x = k * multiplier(second) * cos(y) - u * multiplier(first) / 4;
    Q.z = u + multiplier(first) * der(y) / 5;
    export c99 {
        solve, acceleration, acceleration_unchecked, state_derivative, state_derivative_unchecked, constraint_forces,
        multiplier_forces, linearize, acceleration_derivatives, multiplier_derivatives, vjp, rk4_step, project
    }
    export cuda {
        solve, acceleration, state_derivative, constraint_forces, linearize, acceleration_derivatives,
        multiplier_derivatives, vjp
    }
}

fn derivatives<const R: usize>(
    found: Result<Derivatives<f64, R, 3, 1>, Error>,
) -> Result<Vec<Vec<f64>>, i32> {
    let parts = found.map(|d| vec![rows(&d.q), rows(&d.v), rows(&d.u)]);
    parts.map_err(number)
}

#[test]
fn all_methods() {
    let system = Mixed {
        m: [1.3, 0.8, 2.1],
        k: 0.7,
    };
    let t = 0.3;
    let (q, v, u) = (
        vector![0.3, -0.2, -0.9],
        vector![0.4, 0.9, -0.6],
        vector![0.8],
    );
    let w = vector![0.3, -0.7, 1.1];
    let y = vector![q[0], q[1], q[2], v[0], v[1], v[2]];
    let time = || Argument::Number(t);
    let of_state = || vec![time(), array(&q), array(&v), array(&u)];
    let of_y = || vec![time(), array(&y), array(&u)];
    let call = |function, arguments, lengths: &[usize], expected| Call {
        function,
        arguments,
        lengths: lengths.to_vec(),
        expected,
    };
    let motion = system.solve(t, &q, &v, &u).expect("a motion");
    let derivative = system.state_derivative(t, &y, &u);
    let derivative = derivative.map(|rate| vec![entries(&rate)]).map_err(number);
    let forces = system.constraint_forces(t, &q, &v, &u);
    let linear = system.linearize(t, &q, &v, &u);
    let gradient = system.vjp(t, &q, &v, &u, &w);
    let of_acceleration = || Ok(vec![entries(&motion.acceleration)]);
    let calls = [
        call(
            "solve",
            of_state(),
            &[3, 2],
            Ok(vec![
                entries(&motion.acceleration),
                entries(&motion.multipliers),
            ]),
        ),
        call("acceleration", of_state(), &[3], of_acceleration()),
        call(
            "acceleration_unchecked",
            of_state(),
            &[3],
            of_acceleration(),
        ),
        call("state_derivative", of_y(), &[6], derivative.clone()),
        call("state_derivative_unchecked", of_y(), &[6], derivative),
        call(
            "constraint_forces",
            of_state(),
            &[3],
            forces.map(|forces| vec![entries(&forces)]).map_err(number),
        ),
        call(
            "multiplier_forces",
            of_state(),
            &[6],
            Ok(vec![rows(&system.multiplier_forces(t, &q, &v, &u))]),
        ),
        call(
            "linearize",
            of_state(),
            &[36, 6],
            linear
                .map(|linear| vec![rows(&linear.a), rows(&linear.b)])
                .map_err(number),
        ),
        call(
            "acceleration_derivatives",
            of_state(),
            &[9, 9, 3],
            derivatives(system.acceleration_derivatives(t, &q, &v, &u)),
        ),
        call(
            "multiplier_derivatives",
            of_state(),
            &[6, 6, 2],
            derivatives(system.multiplier_derivatives(t, &q, &v, &u)),
        ),
        call(
            "vjp",
            [of_state(), vec![array(&w)]].concat(),
            &[3, 3, 1],
            gradient
                .map(|found| vec![entries(&found.q), entries(&found.v), entries(&found.u)])
                .map_err(number),
        ),
    ];
    let parameters = [1.3, 0.8, 2.1, 0.7];
    check(("mixed", "mixed"), Mixed::C99, &parameters, &calls);
    batches::check("mixed", Mixed::CUDA, (true, &parameters), &calls);
}

lagrangian! {
    /// Painleve's rod: its lower end slides to the left on the floor, with the coefficient of friction mu.
    pub struct PainleveRod { x, y, theta: coordinate, m, l, mu: parameter, g: parameter = 9.81 }
    let tip = [x - l / 2 * cos(theta), y - l / 2 * sin(theta)];
    T = m * (der(x)^2 + der(y)^2 + l^2 / 12 * der(theta)^2) / 2;
    V = m * g * y;
    holonomic floor: tip.y = 0;
    force [mu * multiplier(floor), 0] at tip;
    export c99 { solve, acceleration, vjp }
}

/// Singular at its critical friction, and lost at a state that is not finite.
#[test]
fn friction_makes_the_equations_singular() {
    let theta = 2.0_f64.atan();
    for mu in [0.5, 4.0 / 3.0, 1.4] {
        let rod = PainleveRod {
            m: 3.0,
            l: 0.7,
            mu,
            g: 9.81,
        };
        let v = vector![-1.0, 0.0, 0.0];
        let call = |q: SVector<f64, 3>| Call {
            function: "solve",
            arguments: vec![array(&q), array(&v)],
            lengths: vec![3, 1],
            expected: rod
                .solve(&q, &v)
                .map(|motion| vec![entries(&motion.acceleration), entries(&motion.multipliers)])
                .map_err(number),
        };
        let height = 0.35 * theta.sin();
        let calls = [
            call(vector![0.0, height, theta]),
            call(vector![0.0, f64::NAN, theta]),
        ];
        let errors = calls.each_ref().map(|call| call.expected.clone().err());
        let critical = (mu == 4.0 / 3.0).then_some(1);
        assert_eq!(errors, [critical, Some(4)]);
        let name = format!("painleve_{mu:.1}");
        let parameters = [3.0, 0.7, mu, 9.81];
        check(
            ("painleve_rod", &name),
            PainleveRod::C99,
            &parameters,
            &calls,
        );
    }
}

lagrangian! {
    /// Two rows that depend on each other at x = 0, with friction on one.
    pub struct Crossing { x, y: coordinate, m, mu: parameter }
    T = m * (der(x)^2 + der(y)^2) / 2;
    holonomic floor: y = 0;
    holonomic bowl: y + x^2 = 1;
    Q.x = -mu * multiplier(floor);
    export c99 { solve }
}

#[test]
fn dependent_rows() {
    let system = Crossing { m: 2.0, mu: 0.3 };
    let v = vector![0.2, 0.1];
    let calls = [1.0, 1e-9, 0.0].map(|x| {
        let q = vector![x, 0.0];
        let motion = system.solve(&q, &v);
        Call {
            function: "solve",
            arguments: vec![array(&q), array(&v)],
            lengths: vec![2, 2],
            expected: motion
                .map(|motion| vec![entries(&motion.acceleration), entries(&motion.multipliers)])
                .map_err(number),
        }
    });
    assert_eq!(calls[2].expected, Err(2));
    let (regular, dependent) = (&calls[..1], &calls[2..]);
    let parameters = [2.0, 0.3];
    check(
        ("crossing", "crossing"),
        Crossing::C99,
        &parameters,
        regular,
    );
    check(
        ("crossing", "crossing_at_0"),
        Crossing::C99,
        &parameters,
        dependent,
    );
}

#[test]
fn contacts() {
    let system = Sled {
        m: 2.0,
        mu: 0.25,
        g: 9.81,
    };
    let (q, v, u) = (
        vector![0.7, 0.2, -0.1],
        vector![1.0, -0.4, 0.3],
        vector![3.0],
    );
    let restitution = [0.5, 0.2];
    let (full, right) = (
        system.mass_matrix_full(&q, &v, &u),
        system.forcing_full(&q, &v, &u),
    );
    let unchecked = system.linearize_unchecked(&q, &v, &u);
    let p = system.momenta(&q, &v);
    let canonical = system.hamilton_equations(&q, &p, &u);
    let of_state = || vec![array(&q), array(&v), array(&u)];
    let whole = [
        Call {
            function: "mass_matrix_full",
            arguments: of_state(),
            lengths: vec![49],
            expected: Ok(vec![rows(&full)]),
        },
        Call {
            function: "forcing_full",
            arguments: of_state(),
            lengths: vec![7],
            expected: Ok(vec![entries(&right)]),
        },
        Call {
            function: "linearize_unchecked",
            arguments: of_state(),
            lengths: vec![36, 6],
            expected: Ok(vec![rows(&unchecked.a), rows(&unchecked.b)]),
        },
        Call {
            function: "hamilton_equations",
            arguments: vec![array(&q), array(&p), array(&u)],
            lengths: vec![3, 3],
            expected: canonical
                .map(|(dq, dp)| vec![entries(&dq), entries(&dp)])
                .map_err(number),
        },
    ];
    let mut calls = vec![Call {
        function: "delassus",
        arguments: vec![array(&q)],
        lengths: vec![4],
        expected: system.delassus(&q).map(|w| vec![rows(&w)]).map_err(number),
    }];
    for active in [[false, false], [true, false], [false, true], [true, true]] {
        let hitting = || {
            vec![
                array(&q),
                array(&v),
                flags(active),
                Argument::Array(restitution.to_vec()),
            ]
        };
        let motion = system.solve_active(&q, &v, &u, &active).map_err(number);
        let hit = system.impact(&q, &v, &active, &restitution).map_err(number);
        let derivatives = system.impact_derivatives(&q, &v, &active, &restitution);
        calls.push(Call {
            function: "solve_active",
            arguments: vec![array(&q), array(&v), array(&u), flags(active)],
            lengths: vec![3, 1, 2],
            expected: motion.map(|motion| {
                let (a, lambda) = (entries(&motion.acceleration), entries(&motion.multipliers));
                vec![a, lambda, entries(&motion.contact_forces)]
            }),
        });
        let linear = system.linearize_active(&q, &v, &u, &active);
        calls.push(Call {
            function: "linearize_active",
            arguments: vec![array(&q), array(&v), array(&u), flags(active)],
            lengths: vec![36, 6],
            expected: linear
                .map(|linear| vec![rows(&linear.a), rows(&linear.b)])
                .map_err(number),
        });
        calls.push(Call {
            function: "impact",
            arguments: hitting(),
            lengths: vec![3, 1, 2],
            expected: hit.map(|hit| {
                let (velocity, multipliers) = (entries(&hit.velocity), entries(&hit.multipliers));
                vec![velocity, multipliers, entries(&hit.impulses)]
            }),
        });
        calls.push(Call {
            function: "impact_derivatives",
            arguments: hitting(),
            lengths: vec![9, 9],
            expected: derivatives
                .map(|(by_q, by_v)| vec![rows(&by_q), rows(&by_v)])
                .map_err(number),
        });
    }
    assert!(calls.iter().all(|call| call.expected.is_ok()));
    let parameters = [2.0, 0.25, 9.81];
    let all: Vec<Call> = whole.into_iter().chain(calls.iter().cloned()).collect();
    check(("sled", "sled"), Sled::C99, &parameters, &all);
    batches::check("sled", Sled::CUDA, (false, &parameters), &calls);
}

/// Friction beside rows that depend on each other, and equal contacts that do not determine the force with friction.
#[test]
fn contacts_beside_dependent_rows() {
    let (m, mu, g) = (2.0, 0.3, 9.81);
    let system = Sledge { m, mu, g };
    let (q, v, u) = (
        vector![0.4, 0.0, -0.08],
        vector![0.7, 0.0, -0.28],
        vector![1.5],
    );
    let mut calls = Vec::new();
    for active in [
        [false; 4],
        [true, false, false, false],
        [true, true, true, false],
        [false, true, false, true],
        [true, false, false, true],
    ] {
        let arguments = || {
            let flags = flags(active);
            vec![array(&q), array(&v), array(&u), flags]
        };
        let motion = system.solve_active(&q, &v, &u, &active).map_err(number);
        let linear = system.linearize_active(&q, &v, &u, &active);
        calls.push(Call {
            function: "solve_active",
            arguments: arguments(),
            lengths: vec![3, 2, 4],
            expected: motion.map(|motion| {
                let (a, lambda) = (entries(&motion.acceleration), entries(&motion.multipliers));
                vec![a, lambda, entries(&motion.contact_forces)]
            }),
        });
        calls.push(Call {
            function: "linearize_active",
            arguments: arguments(),
            lengths: vec![36, 6],
            expected: linear
                .map(|linear| vec![rows(&linear.a), rows(&linear.b)])
                .map_err(number),
        });
    }
    let errors: Vec<i32> = calls
        .iter()
        .filter_map(|call| call.expected.clone().err())
        .collect();
    assert_eq!(errors, [2, 2]);
    let parameters = [m, mu, g];
    check(("sledge", "sledge"), Sledge::C99, &parameters, &calls);
    batches::check("sledge", Sledge::CUDA, (false, &parameters), &calls);
}

lagrangian! {
    /// Painleve's rod beside a rail, which is declared twice.
    #[lagrangian(redundant)]
    #[allow(deprecated, reason = "rows depend on each other")]
    pub struct RailedRod { x, y, theta, z: coordinate, m, l, mu: parameter, g: parameter = 9.81 }
    let tip = [x - l / 2 * cos(theta), y - l / 2 * sin(theta)];
    T = m * (der(x)^2 + der(y)^2 + der(z)^2 + l^2 / 12 * der(theta)^2) / 2;
    V = m * g * y;
    holonomic rail: z = 0;
    holonomic again: 2 * z = 0;
    contact floor: tip.y >= 0;
    force [mu * multiplier(floor), 0] at tip;
    export c99 { solve_active }
}

#[test]
fn friction_makes_equations_with_dependent_rows_singular() {
    let theta = 2.0_f64.atan();
    let (q, v) = (
        vector![0.0, 0.35 * theta.sin(), theta, 0.0],
        vector![-1.0, 0.0, 0.0, 0.0],
    );
    for mu in [0.5, 4.0 / 3.0] {
        let (m, l, g) = (3.0, 0.7, 9.81);
        let motion = RailedRod { m, l, mu, g }.solve_active(&q, &v, &[true]);
        let calls = [Call {
            function: "solve_active",
            arguments: vec![array(&q), array(&v), Argument::Flags(vec![1])],
            lengths: vec![4, 2, 1],
            expected: motion.map_err(number).map(|motion| {
                let (a, lambda) = (entries(&motion.acceleration), entries(&motion.multipliers));
                vec![a, lambda, entries(&motion.contact_forces)]
            }),
        }];
        assert_eq!(calls[0].expected.clone().err(), (mu > 1.0).then_some(1));
        let name = format!("railed_rod_{mu:.1}");
        check(
            ("railed_rod", &name),
            RailedRod::C99,
            &[m, l, mu, g],
            &calls,
        );
    }
}
