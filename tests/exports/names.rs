//! Outputs, frames, bundles and regressors in C, and names that C keeps for itself.

use lagrangian::lagrangian;
use lagrangian::nalgebra::vector;

use crate::batches::SHIM;
use crate::compiled::{Argument, Call, array, check, compilers, entries, rows, run};

lagrangian! {
    #[lagrangian(hessian)]
    pub struct PR2Arm { q: coordinate[2], double, int: parameter[2], M_PI, θ: parameter, u: input }
    frame A = world.rotate(z, q[0]);
    pub frame hand = A.translate([double[0], 0, 0]).rotate(z, q[1]).translate([double[1], 0, 0]);
    body { frame: A, mass: int[0], at: [double[0] / 2, 0, 0], inertia: diag(0, 0, M_PI) }
    body { frame: hand, mass: int[1], at: [0, 0, 0], inertia: diag(0, 0, θ) }
    pub let tip = hand.origin.xy;
    pub let power = u * der(q[1]);
    Q.q[1] = u;
    bundle control { mass_matrix, bias, hand, hand_jacobian, acceleration_unchecked, tip_jacobian }
    regressor masses { int }
    sensitivity by_masses { int[1], double, M_PI }
    export c99 {
        hand, hand_velocity, hand_jacobian, hand_bias, tip, tip_jacobian, power, power_derivatives, control, masses,
        coordinate_rates, constraint_free, linearize, vjp, hamiltonian, by_masses, acceleration_hessian
    }
    pub let constraint_free = 1;
}

#[test]
fn outputs_frames_and_bundles() {
    let system = PR2Arm {
        double: [0.4, 0.3],
        int: [2.0, 1.0],
        M_PI: 0.02,
        θ: 0.01,
    };
    let (q, v, u, a) = (
        vector![0.4, 0.7],
        vector![0.3, -0.5],
        vector![1.5],
        vector![0.2, 0.1],
    );
    let call = |function, arguments, expected: Vec<Vec<f64>>| Call {
        function,
        arguments,
        lengths: expected.iter().map(Vec::len).collect(),
        expected: Ok(expected),
    };
    let on_q = || vec![array(&q)];
    let on_state = || vec![array(&q), array(&v)];
    let on_inputs = || vec![array(&q), array(&v), array(&u)];
    let hand = system.hand(&q);
    let control = system.control(&q, &v, &u);
    let power = system.power_derivatives(&q, &v, &u);
    let linear = system.linearize(&q, &v, &u).expect("regular");
    let gradient = system.vjp(&q, &v, &u, &a).expect("regular");
    let p = system.momenta(&q, &v);
    let pose = |pose: &lagrangian::Pose<f64>| vec![entries(&pose.origin), rows(&pose.rotation)];
    let mut bundled = vec![rows(&control.mass_matrix), entries(&control.bias)];
    bundled.extend(pose(&control.hand));
    bundled.push(rows(&control.hand_jacobian));
    bundled.push(entries(&control.acceleration_unchecked));
    bundled.push(rows(&control.tip_jacobian));
    let calls = [
        call("hand", on_q(), pose(&hand)),
        call(
            "hand_velocity",
            on_state(),
            vec![entries(&system.hand_velocity(&q, &v))],
        ),
        call(
            "hand_jacobian",
            on_q(),
            vec![rows(&system.hand_jacobian(&q))],
        ),
        call(
            "hand_bias",
            on_state(),
            vec![entries(&system.hand_bias(&q, &v))],
        ),
        call("tip", on_q(), vec![entries(&system.tip(&q))]),
        call("tip_jacobian", on_q(), vec![rows(&system.tip_jacobian(&q))]),
        call("power", on_inputs(), vec![vec![system.power(&q, &v, &u)]]),
        call(
            "power_derivatives",
            on_inputs(),
            vec![rows(&power.q), rows(&power.v), rows(&power.u)],
        ),
        call("control", on_inputs(), bundled),
        call(
            "masses",
            vec![array(&q), array(&v), array(&a)],
            vec![rows(&system.masses(&q, &v, &a))],
        ),
        call(
            "by_masses",
            on_inputs(),
            vec![rows(&system.by_masses(&q, &v, &u).expect("regular"))],
        ),
        call(
            "acceleration_hessian",
            [on_inputs(), vec![array(&a)]].concat(),
            vec![rows(
                &system
                    .acceleration_hessian(&q, &v, &u, &a)
                    .expect("regular"),
            )],
        ),
        call(
            "coordinate_rates",
            on_state(),
            vec![entries(&system.coordinate_rates(&q, &v))],
        ),
        call(
            "constraint_free",
            on_q(),
            vec![vec![system.constraint_free(&q)]],
        ),
        call(
            "linearize",
            on_inputs(),
            vec![rows(&linear.a), rows(&linear.b)],
        ),
        call(
            "vjp",
            [on_inputs(), vec![array(&a)]].concat(),
            vec![
                entries(&gradient.q),
                entries(&gradient.v),
                entries(&gradient.u),
            ],
        ),
        call(
            "hamiltonian",
            vec![array(&q), array(&p)],
            vec![vec![system.hamiltonian(&q, &p).expect("regular")]],
        ),
    ];
    let parameters = [0.4, 0.3, 2.0, 1.0, 0.02, 0.01];
    check(("pr2_arm", "pr2_arm"), PR2Arm::C99, &parameters, &calls);
    for name in ["double_[2]", "int_[2]", "M_PI_", "u03B8"] {
        assert!(
            PR2Arm::C99.contains(&format!("    PR2_ARM_REAL {name};")),
            "{name}"
        );
    }
    assert!(matches!(calls[0].arguments[0], Argument::Array(_)));
}

/// No symbol but the documented ones.
#[test]
fn other_functions_are_static() {
    for line in PR2Arm::C99
        .lines()
        .filter(|line| !line.starts_with([' ', '#', '/', '}', '{']))
    {
        let is_definition = line.contains('(') && !line.ends_with(';');
        if is_definition && !line.starts_with("static ") {
            let name = line.split('(').next().unwrap_or_default();
            let public = [
                "hand",
                "tip",
                "power",
                "control",
                "masses",
                "coordinate_rates",
                "constraint_free",
                "linearize",
                "vjp",
                "hamiltonian",
                "acceleration_hessian",
            ];
            assert!(public.iter().any(|public| name.contains(public)), "{line}");
        }
    }
}

lagrangian! {
    /// Outputs called like functions of math.h, whose names are local in a bundle, and two that are equal in ASCII.
    pub struct Wave { x: coordinate, sqrtf, cosf: parameter }
    T = (2 + sin(x)) * der(x)^2 / 2;
    V = sqrtf * cos(x) + cosf * tanh(x);
    pub let sinf = sin(x);
    pub let expf = exp(x);
    pub let fabsf = tanh(x);
    pub let θ = cos(x);
    pub let u03B8 = sqrt(1 + x^2);
    bundle values { sinf, expf, fabsf, θ, u03B8, energy }
    export c99 { values, θ, u03B8 }
}

#[test]
fn outputs_called_like_functions_of_the_library() {
    let system = Wave {
        sqrtf: 0.4,
        cosf: 0.3,
    };
    let (q, v) = (vector![0.7], vector![-0.5]);
    let values = system.values(&q, &v);
    let call = |function, arguments: &[_], expected: Vec<Vec<f64>>| Call {
        function,
        arguments: arguments.to_vec(),
        lengths: expected.iter().map(Vec::len).collect(),
        expected: Ok(expected),
    };
    let all = [
        values.sinf,
        values.expf,
        values.fabsf,
        values.θ,
        values.u03B8,
    ];
    let all = all.into_iter().chain([values.energy]);
    let calls = [
        call(
            "values",
            &[array(&q), array(&v)],
            all.map(|value| vec![value]).collect(),
        ),
        call("u03B8", &[array(&q)], vec![vec![system.θ(&q)]]),
        call("u03B8_", &[array(&q)], vec![vec![system.u03B8(&q)]]),
    ];
    check(("wave", "wave"), Wave::C99, &[0.4, 0.3], &calls);
}

lagrangian! {
    /// Outputs called like variables of a kernel, whose names are local in a bundle.
    pub struct Swing { x: coordinate, k: parameter }
    T = (2 + sin(x)) * der(x)^2 / 2;
    V = k * cos(x);
    pub let error = sin(x);
    pub let stride = exp(x);
    pub let step = tanh(x);
    pub let state_q = cos(x);
    pub let result0 = sqrt(1 + x^2);
    pub let threadIdx = x^2;
    pub let t0_unused = x^3;
    bundle values { error, stride, step, state_q, result0, threadIdx, t0_unused, energy }
    export cuda { values }
}

#[test]
fn outputs_called_like_variables_of_a_kernel() {
    let system = Swing { k: 0.4 };
    let states = [(0.7, -0.5), (0.2, 0.1)];
    let expected = states.map(|(x, rate)| {
        let values = system.values(&vector![x], &vector![rate]);
        [
            values.error,
            values.stride,
            values.step,
            values.state_q,
            values.result0,
            values.threadIdx,
            values.t0_unused,
            values.energy,
        ]
    });
    let results: Vec<String> = (0..8).map(|at| format!("r + {}", 2 * at)).collect();
    let program = format!(
        "{SHIM}{}\n#include <stdio.h>\nint main()\n{{\n    swing<double> self;\n    int i, status[2];\n    \
         const double q[] = {{0.7, 0.2}}, v[] = {{-0.5, 0.1}};\n    double r[16] = {{0}};\n    self.k = 0.4;\n    \
         swing_values_batch<double>(self, q, v, {}, 2, status);\n    \
         for (i = 0; i < 16; i++) printf(\"%.17g\\n\", r[i]);\n    return status[0] + status[1];\n}}\n",
        Swing::CUDA,
        results.join(", ")
    );
    if compilers().contains(&"gcc") {
        let output = run("g++", &["-x", "c++", "-O0"], &program, "swing");
        let found: Vec<f64> = output
            .lines()
            .map(|line| line.parse().expect("a number"))
            .collect();
        for (at, value) in found.iter().enumerate() {
            let wanted = expected[at % 2][at / 2];
            assert!((value - wanted).abs() <= 1e-13, "{at}: {value}, {wanted}");
        }
        assert_eq!(found.len(), 16);
    }
}
