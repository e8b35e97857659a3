//! Statics: bars, springs, linkages.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Free, System, lagrangian, trim};

lagrangian! {
    /// A bar that is hinged at one end, with a vertical force at the other.
    struct Bar { theta: coordinate, m, l, g: parameter, support: input }

    let centre = [cos(theta), sin(theta)] * l / 2;
    T = m * l^2 * der(theta)^2 / 6;
    force [0, -m * g] at centre;
    force [0, support] at 2 * centre;
}

/// The support carries half of the weight.
#[test]
fn hinged_bar() {
    let bar: Bar = Bar {
        m: 3.0,
        l: 1.4,
        g: 9.81,
    };
    let free = Free {
        q: [false],
        v: [false],
        u: [true],
    };
    let start = (vector![0.0], vector![0.0], vector![0.0]);
    let (q, v, u) = trim(&bar, 0.0, start, &free, vector![0.0]).unwrap();
    assert_eq!((q, v), (start.0, start.1));
    assert!((u[0] - 3.0 * 9.81 / 2.0).abs() < 1e-14, "{u}");
}

lagrangian! {
    struct BarOnSpring { theta: coordinate, m, l, g, k: parameter }

    T = m * l^2 * der(theta)^2 / 6;
    V = m * g * l / 2 * sin(theta) + k * (l * sin(theta))^2 / 2;
}

#[test]
fn bar_on_a_spring() {
    let bar: BarOnSpring = BarOnSpring {
        m: 3.0,
        l: 1.4,
        g: 9.81,
        k: 90.0,
    };
    let free = Free {
        q: [true],
        v: [false],
        u: [],
    };
    let start = (vector![0.0], vector![0.0], vector![]);
    let (q, _, _) = trim(&bar, 0.0, start, &free, vector![0.0]).unwrap();
    let spring = -90.0 * 1.4 * q[0].sin();
    assert!((spring - 3.0 * 9.81 / 2.0).abs() < 1e-13, "{spring}");
    assert!(q[0] > -0.5, "the nearest equilibrium");
}

lagrangian! {
    struct HangingMass { x: coordinate, m, k, g: parameter }

    T = m * der(x)^2 / 2;
    V = k * x^2 / 2 - m * g * x;
}

#[test]
fn hanging_mass() {
    let mass: HangingMass = HangingMass {
        m: 2.0,
        k: 50.0,
        g: 9.81,
    };
    let free = Free {
        q: [true],
        v: [false],
        u: [],
    };
    let start = (vector![0.0], vector![0.0], vector![]);
    let (q, _, _) = trim(&mass, 0.0, start, &free, vector![0.0]).unwrap();
    assert!((q[0] - 2.0 * 9.81 / 50.0).abs() < 1e-15);
    // As it is, where it is one already.
    let again = trim(
        &mass,
        0.0,
        (q, vector![0.0], vector![]),
        &free,
        vector![0.0],
    );
    assert!((again.unwrap().0 - q).norm() < 1e-15);
    // And let go with 3 m/s^2.
    let (q, _, _) = trim(&mass, 0.0, start, &free, vector![3.0]).unwrap();
    assert!((q[0] - 2.0 * (9.81 - 3.0) / 50.0).abs() < 1e-15);
}

lagrangian! {
    /// A four-bar linkage by three angles.
    struct FourBar { a, b, c: coordinate, m, l1, l2, l3, d: parameter, torque: input }

    let first = [l1 * cos(a), l1 * sin(a)];
    let second = first + [l2 * cos(b), l2 * sin(b)];
    let middle = first + [l2 * cos(b), l2 * sin(b)] / 2;
    let centre = [d + l3 * cos(c) / 2, l3 * sin(c) / 2];
    T = m * (l1^2 * der(a)^2 / 3 + der(middle)^2 + l2^2 * der(b)^2 / 12 + l3^2 * der(c)^2 / 3) / 2;
    V = m * 9.81 * (first.y / 2 + middle.y + centre.y);
    Q.a = torque;
    holonomic closed: second = [d + l3 * cos(c), l3 * sin(c)];
}

const FOUR_BAR: FourBar = FourBar {
    m: 1.2,
    l1: 0.4,
    l2: 1.0,
    l3: 0.8,
    d: 1.1,
};

/// The torque that holds the crank, from a start off the constraints.
#[test]
fn held_four_bar() {
    let free = Free {
        q: [false, true, true],
        v: [false; 3],
        u: [true],
    };
    let start = (vector![1.0, 0.4, 1.4], SVector::zeros(), vector![0.0]);
    let (q, v, u) = trim(&FOUR_BAR, 0.0, start, &free, SVector::zeros()).unwrap();
    assert_eq!((q[0], v), (1.0, SVector::zeros()));
    assert!(FOUR_BAR.constraint_residual(&q).norm() < 1e-14);
    assert!(FOUR_BAR.acceleration(&q, &v, &u).unwrap().norm() < 1e-12);
    // The work of the torque is that of the weights.
    let height = |angle: f64| {
        let start = vector![angle, q[1], q[2]];
        let free = Free {
            q: [false, true, true],
            v: [false; 3],
            u: [true],
        };
        let (q, _, _) = trim(&FOUR_BAR, 0.0, (start, v, u), &free, SVector::zeros()).unwrap();
        FOUR_BAR.potential_energy(&q)
    };
    let h = 1e-4;
    let slope = (height(1.0 + h) - height(1.0 - h)) / (2.0 * h);
    assert!((slope - u[0]).abs() < 1e-6, "{slope} {u}");
}

/// The state in which it hangs without a torque.
#[test]
fn hanging_four_bar() {
    let free = Free {
        q: [true; 3],
        v: [false; 3],
        u: [false],
    };
    let near = FOUR_BAR
        .project(&vector![-1.2, 0.3, -1.5], &SVector::zeros())
        .unwrap();
    let start = (near.0, near.1, vector![0.0]);
    let (q, v, u) = trim(&FOUR_BAR, 0.0, start, &free, SVector::zeros()).unwrap();
    assert!(FOUR_BAR.acceleration(&q, &v, &u).unwrap().norm() < 1e-12);
    assert!(FOUR_BAR.constraint_residual(&q).norm() < 1e-14);
    assert!((q - near.0).norm() > 0.01);
}

lagrangian! {
    /// A bead on a rod that turns as told: at rest on the rod where weight and centrifugal force balance.
    struct Bead { t: time, x, y: coordinate, m, w: parameter, pull: input }

    T = m * der([x, y])^2 / 2;
    V = m * 9.81 * y;
    force pull * [cos(w * t), sin(w * t)] at [x, y];
    holonomic rod: y * cos(w * t) = x * sin(w * t);
}

/// It goes around with the rod: the velocities follow from the constraint, the pull from the circle.
#[test]
fn bead_on_a_turning_rod() {
    let bead = Bead { m: 0.3, w: 2.0 };
    let t = 0.4_f64;
    let (sin, cos) = (2.0 * t).sin_cos();
    let radius = 0.7;
    let target = vector![cos, sin] * (-4.0 * radius);
    let free = Free {
        q: [true; 2],
        v: [true; 2],
        u: [true],
    };
    let start = (vector![cos, sin] * radius, vector![0.0, 0.0], vector![0.0]);
    let (q, v, u) = trim(&bead, t, start, &free, target).unwrap();
    let a = System::acceleration(&bead, t, &q, &v, &u).unwrap();
    assert!((a - target).norm() < 1e-13);
    assert!(bead.constraint_velocity(t, &q, &v).norm() < 1e-14);
    assert!(bead.constraint_residual(t, &q).norm() < 1e-15);
    // J a = gamma: the speed along the rod is none.
    assert!((v - vector![-sin, cos] * (2.0 * q.norm())).norm() < 1e-7);
}
