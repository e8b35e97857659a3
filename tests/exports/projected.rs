//! Projections in C and CUDA: rotations, time, and states that no projection reaches; linearizations of the directions that
//! constraints leave free.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, vector};

use crate::batches;
use crate::compiled::{
    Argument, Call, array, check, compare, compilers, entries, number, optimisation, program, rows,
    run,
};
use crate::declared::scattered;

lagrangian! {
    /// A plate that turns about a driven point, with its x axis level.
    pub struct Plate { p: coordinate[3], att: rotation, t: time, m, i, g, rate: parameter }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, at: [0, 0.1, 0], inertia: diag(i, 2 * i, 3 * i) }
    gravity [0, 0, -g];
    let driven = [sin(rate * t), 0, 0];
    let corner = B.point([0.5, 0.2, 0]);
    holonomic hinge: corner = driven;
    holonomic level: B.vector([1, 0, 0]).z = 0;
    export c99 { project, acceleration, linearize_reduced }
    export cuda { project, acceleration }
}

lagrangian! {
    /// A bead on a circle, whose plane may be too far away.
    pub struct Bead { r: coordinate[3], m, height: parameter }
    T = m * der(r)^2 / 2;
    holonomic sphere: r^2 = 1;
    holonomic plane: r.z = height;
    export c99 { project }
}

lagrangian! {
    /// A four-bar linkage with a motor.
    pub struct MotorLinkage { q1, q2, q3: coordinate, m: parameter[3], base, g: parameter, u: input }
    let joint = [cos(q1), sin(q1)];
    let end = joint + 2.5 * [cos(q2), sin(q2)];
    let rocker = 2 * [cos(q3), sin(q3)];
    T = m[0] * der(joint)^2 / 6 + m[1] * der((joint + end) / 2)^2 / 2 + m[2] * der(rocker)^2 / 6;
    V = g * (m[0] * joint.y + m[1] * (joint.y + end.y) + m[2] * rocker.y) / 2;
    holonomic closure: end = [base, 0] + rocker;
    Q.q1 = u * cos(q1);
    export c99 { linearize_reduced }
    export cuda { linearize_reduced }
}

const PLATE: Plate = Plate {
    m: 2.0,
    i: 0.1,
    g: 9.81,
    rate: 1.5,
};
const PARAMETERS: [f64; 4] = [2.0, 0.1, 9.81, 1.5];

fn plate(q: &SVector<f64, 7>, v: &SVector<f64, 6>) -> Call {
    let t = 0.3;
    Call {
        function: "project",
        arguments: vec![Argument::Number(t), array(q), array(v)],
        lengths: vec![7, 6],
        expected: PLATE
            .project(t, q, v)
            .map(|(q, v)| vec![entries(&q), entries(&v)])
            .map_err(number),
    }
}

#[test]
fn rotations() {
    let v = vector![0.3, -0.2, 0.1, 0.4, -0.5, 0.6];
    let call = |q| plate(&q, &v);
    // Quaternions of any length, and none.
    let calls = [
        call(vector![0.1, -0.1, 0.2, 0.1, 0.2, 0.3, 0.9]),
        call(vector![1.0, 2.0, -1.0, 0.5, -0.7, 0.3, 2.0]),
        call(vector![0.1, -0.1, 0.2, 0.0, 0.0, 0.0, 0.0]),
    ];
    assert_eq!(calls[2].expected, Err(4));
    check(("plate", "plate"), Plate::C99, &PARAMETERS, &calls);
    batches::check("plate", Plate::CUDA, (true, &PARAMETERS), &calls);
}

#[test]
fn reduced_linearizations() {
    let t = 0.3;
    let start = vector![0.1, -0.1, 0.2, 0.1, 0.2, 0.3, 0.9];
    let speed = vector![0.3, -0.2, 0.1, 0.4, -0.5, 0.6];
    let (q, v) = PLATE.project(t, &start, &speed).expect("a near state");
    let found = PLATE.linearize_reduced(t, &q, &v);
    let calls = [Call {
        function: "linearize_reduced",
        arguments: vec![Argument::Number(t), array(&q), array(&v)],
        lengths: vec![16, 0, 12],
        expected: found
            .map(|found| vec![rows(&found.a), vec![], rows(&found.basis)])
            .map_err(number),
    }];
    assert!(calls[0].expected.is_ok());
    check(("plate", "plate_reduced"), Plate::C99, &PARAMETERS, &calls);
    let linkage = MotorLinkage {
        m: [1.0, 2.0, 1.5],
        base: 3.0,
        g: 9.81,
    };
    let (q, v) = linkage
        .project(&vector![1.1, 0.5, 1.4], &vector![0.8, 0.0, 0.0])
        .expect("a near state");
    let call = |q: SVector<f64, 3>| {
        let u = vector![0.7];
        let found = linkage.linearize_reduced(&q, &v, &u);
        Call {
            function: "linearize_reduced",
            arguments: vec![array(&q), array(&v), array(&u)],
            lengths: vec![4, 2, 3],
            expected: found
                .map(|found| vec![rows(&found.a), rows(&found.b), rows(&found.basis)])
                .map_err(number),
        }
    };
    // With all links in one line the rows depend on each other.
    let calls = [call(q), call(SVector::zeros())];
    assert!(calls[0].expected.is_ok() && calls[1].expected == Err(2));
    let parameters = [1.0, 2.0, 1.5, 3.0, 9.81];
    check(
        ("motor_linkage", "motor_linkage"),
        MotorLinkage::C99,
        &parameters,
        &calls,
    );
    batches::check(
        "motor_linkage",
        MotorLinkage::CUDA,
        (false, &parameters),
        &calls,
    );
}

/// The same steps as in Rust, from near and far.
#[test]
fn scattered_starts() {
    let start = vector![0.0, -0.1, 0.2, 0.1, 0.2, 0.3, 0.9];
    let (near, _) = PLATE
        .project(0.3, &start, &SVector::zeros())
        .expect("a near state");
    let calls = [1e-9, 1e-3, 1.0].iter().flat_map(|distance| {
        (0..10).map(move |seed| {
            let q = near + scattered::<7>(seed) * *distance;
            plate(&q, &(scattered::<6>(seed + 100) * *distance))
        })
    });
    let calls: Vec<Call> = calls.collect();
    assert!(calls.iter().all(|call| call.expected.is_ok()));
    let source = program(Plate::C99, "plate", &PARAMETERS, &calls);
    for compiler in compilers() {
        let output = run(
            compiler,
            &["-std=c99", &optimisation()],
            &source,
            "plate_starts",
        );
        compare("plate", &output, &calls, 1e-13);
    }
}

/// Constraints that cannot be met together, rows that depend on each other, and far starts.
#[test]
fn errors() {
    let v = vector![0.3, -0.2, 0.1];
    for height in [0.6, 1.5] {
        let bead = Bead { m: 2.0, height };
        let call = |q| Call {
            function: "project",
            arguments: vec![array(&q), array(&v)],
            lengths: vec![3, 3],
            expected: bead
                .project(&q, &v)
                .map(|(q, v)| vec![entries(&q), entries(&v)])
                .map_err(number),
        };
        let calls = [
            call(vector![0.3, 0.4, 0.5]),
            call(vector![300.0, -100.0, 20.0]),
            call(vector![0.0, 0.0, 0.7]),
            call(vector![0.3, f64::NAN, 0.5]),
        ];
        let found: Vec<Option<i32>> = calls
            .iter()
            .map(|call| call.expected.clone().err())
            .collect();
        let first = (height > 1.0).then_some(3);
        assert_eq!(found, [first, first, Some(2), Some(4)]);
        let name = format!("bead_{height}");
        let parameters = [2.0, height];
        check(("bead", &name), Bead::C99, &parameters, &calls);
    }
}
