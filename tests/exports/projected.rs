//! Projections in C and CUDA: rotations, time, and states that no projection reaches.

use lagrangian::lagrangian;
use lagrangian::nalgebra::vector;

use crate::batches;
use crate::compiled::{Argument, Call, array, check, entries, number};

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
    export c99 { project, acceleration }
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

#[test]
fn rotations() {
    let plate = Plate {
        m: 2.0,
        i: 0.1,
        g: 9.81,
        rate: 1.5,
    };
    let v = vector![0.3, -0.2, 0.1, 0.4, -0.5, 0.6];
    let call = |q| {
        let t = 0.3;
        Call {
            function: "project",
            arguments: vec![Argument::Number(t), array(&q), array(&v)],
            lengths: vec![7, 6],
            expected: plate
                .project(t, &q, &v)
                .map(|(q, v)| vec![entries(&q), entries(&v)])
                .map_err(number),
        }
    };
    // Quaternions of any length, and none.
    let calls = [
        call(vector![0.1, -0.1, 0.2, 0.1, 0.2, 0.3, 0.9]),
        call(vector![1.0, 2.0, -1.0, 0.5, -0.7, 0.3, 2.0]),
        call(vector![0.1, -0.1, 0.2, 0.0, 0.0, 0.0, 0.0]),
    ];
    assert_eq!(calls[2].expected, Err(4));
    let parameters = [2.0, 0.1, 9.81, 1.5];
    check(("plate", "plate"), Plate::C99, &parameters, &calls);
    batches::check("plate", Plate::CUDA, (true, &parameters), &calls);
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
