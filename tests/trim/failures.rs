//! Targets that cannot be met, and starts from which the search is difficult.

use std::f64::consts::{FRAC_PI_2, PI};

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Error, Free, lagrangian, trim};

lagrangian! {
    struct CartPole { x, theta: coordinate, mc, mp, l: parameter, u: input }

    let bob = [x + l * sin(theta), l * cos(theta)];
    T = mc * der(x)^2 / 2 + mp * der(bob)^2 / 2;
    V = mp * 9.81 * bob.y;
    Q.x = u;
}

const CART: CartPole = CartPole {
    mc: 1.0,
    mp: 0.2,
    l: 0.5,
};
const ANGLE: Free<2, 1> = Free {
    q: [false, true],
    v: [false; 2],
    u: [true],
};

fn at(theta: f64) -> (SVector<f64, 2>, SVector<f64, 2>, SVector<f64, 1>) {
    (vector![0.0, theta], vector![0.0, 0.0], vector![0.0])
}

#[test]
fn a_tilted_pole_needs_a_push() {
    // Leaning at 0.3 while all accelerates: tan(theta) = a / g.
    let target = vector![9.81 * 0.3_f64.tan(), 0.0];
    let (q, _, u) = trim(&CART, 0.0, at(0.1), &ANGLE, target).unwrap();
    assert!((q[1] - 0.3).abs() < 1e-14 && (u[0] - 1.2 * target[0]).abs() < 1e-13);
}

#[test]
fn targets_that_cannot_be_met() {
    let fixed = Free {
        q: [false; 2],
        ..ANGLE
    };
    let target = vector![0.0, 0.0];
    // At 0.3 the pole falls, whatever the push.
    let outcome = trim(&CART, 0.0, at(0.3), &fixed, target);
    assert!(
        matches!(outcome, Err(Error::NotConverged { residual }) if residual > 0.1),
        "{outcome:?}"
    );
    let nothing = Free {
        u: [false],
        ..fixed
    };
    let outcome = trim(&CART, 0.0, at(0.3), &nothing, target);
    let a = CART
        .acceleration(&at(0.3).0, &at(0.3).1, &at(0.3).2)
        .unwrap();
    assert_eq!(outcome, Err(Error::NotConverged { residual: a.amax() }));
    // Nothing free, and nothing to do.
    assert_eq!(trim(&CART, 0.0, at(0.0), &nothing, target), Ok(at(0.0)));
}

lagrangian! {
    /// A pendulum whose rod is a constraint that cannot hold.
    struct Broken { x, y: coordinate, l: parameter }
    T = der([x, y])^2 / 2;
    V = 9.81 * y;
    holonomic rod: norm([x, y]) = l;
}

#[test]
fn constraints_that_cannot_be_met() {
    let free = Free {
        q: [true; 2],
        v: [true; 2],
        u: [],
    };
    let start = (vector![0.3, -0.8], vector![0.0, 0.0], vector![]);
    let hanging = trim(&Broken { l: 1.2 }, 0.0, start, &free, vector![0.0, 0.0]);
    let (q, v, _) = hanging.unwrap();
    assert!(
        (q - vector![0.0, -1.2]).norm() < 1e-12 && v.norm() < 1e-6,
        "{q} {v}"
    );
    let outcome = trim(&Broken { l: -1.0 }, 0.0, start, &free, vector![0.0, 0.0]);
    assert!(
        matches!(outcome, Err(Error::NotConverged { residual }) if residual > 0.5),
        "{outcome:?}"
    );
}

lagrangian! {
    struct Pendulum { theta: coordinate, m: parameter }
    T = m * der(theta)^2 / 2;
    V = -m * 9.81 * cos(theta);
}

/// Level, the pendulum's acceleration hardly changes with its angle.
#[test]
fn starts_where_derivatives_vanish() {
    let free = Free {
        q: [true],
        v: [false],
        u: [],
    };
    let pendulum = Pendulum { m: 1.0 };
    for start in [
        FRAC_PI_2,
        FRAC_PI_2 + 1e-9,
        FRAC_PI_2 - 1e-5,
        1.5,
        -1.5,
        2.0,
    ] {
        let all = (vector![start], vector![0.0], vector![]);
        let (q, _, _) = trim(&pendulum, 0.0, all, &free, vector![0.0]).unwrap();
        let turns = q[0] / PI;
        assert!((turns - turns.round()).abs() < 1e-14, "{start}: {q}");
        assert!((q[0] - start).abs() < 4.0, "{start}: {q}");
    }
    // The most that it can be is g.
    let all = (vector![0.3], vector![0.0], vector![]);
    let (q, _, _) = trim(&pendulum, 0.0, all, &free, vector![-9.81]).unwrap();
    assert!((q[0] - FRAC_PI_2).abs() < 1e-4, "{q}");
    let outcome = trim(&pendulum, 0.0, all, &free, vector![-9.9]);
    assert!(
        matches!(outcome, Err(Error::NotConverged { residual }) if (residual - 0.09).abs() < 1e-6)
    );
}

#[test]
fn starts_without_an_acceleration() {
    let free = Free {
        q: [true],
        v: [false],
        u: [],
    };
    let start = (vector![0.3], vector![0.0], vector![]);
    let massless = Pendulum { m: 0.0 };
    let outcome = trim(&massless, 0.0, start, &free, vector![0.0]);
    assert_eq!(outcome, Err(Error::SingularMassMatrix));
    for bad in [f64::NAN, f64::INFINITY] {
        let pendulum = Pendulum { m: 1.0 };
        let outcome = trim(&pendulum, 0.0, start, &free, vector![bad]);
        assert_eq!(outcome, Err(Error::NotFinite { argument: "target" }));
        assert_eq!(
            trim(&pendulum, bad, start, &free, vector![0.0]),
            Err(Error::NotFinite { argument: "t" })
        );
        let start = (vector![bad], vector![0.0], vector![]);
        assert_eq!(
            trim(&pendulum, 0.0, start, &free, vector![0.0]),
            Err(Error::NotFinite { argument: "q" })
        );
    }
    let middle = (vector![0.0, 0.0], vector![0.0, 0.0], vector![]);
    let free = Free {
        q: [true; 2],
        v: [true; 2],
        u: [],
    };
    let outcome = trim(&Broken { l: 1.2 }, 0.0, middle, &free, vector![0.0, 0.0]);
    assert_eq!(outcome, Err(Error::NotFinite { argument: "result" }));
}
