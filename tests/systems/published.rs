//! Two problems of the Test Set for Initial Value Problem Solvers (Mazzia and Magherini, University of Bari), with its
//! reference solutions. It gives their equations; here they follow from bodies, springs and joints.

use lagrangian::lagrangian;
use lagrangian::nalgebra::vector;

use crate::held::held;
use crate::support::{State, assert_close};

lagrangian! {
    /// Andrews' squeezing mechanism: seven bodies in the plane, tied together at one pin, driven by a torque at the crank.
    /// The spring pulls at the third one.
    struct Squeezer {
        beta, theta, gamma, phi, delta, omega, epsilon: coordinate,
    }

    let a = [-0.06934, -0.00227, 0];
    let b = [-0.03635, 0.03273, 0];
    let c = [0.014, 0.072, 0];

    frame Crank = world.rotate(z, beta);
    body crank { frame: Crank, mass: 0.04325, at: [0.00092, 0, 0], inertia: diag(0, 0, 2.194e-6) }
    frame Second = Crank.translate([0.007, 0, 0]).rotate(z, theta);
    body second { frame: Second, mass: 0.00365, at: [-0.0115, 0, 0], inertia: diag(0, 0, 4.41e-7) }
    frame Third = world.translate(b).rotate(z, gamma);
    body third { frame: Third, mass: 0.02373, at: [0.01874, 0.01043, 0], inertia: diag(0, 0, 5.255e-6) }
    frame Fifth = world.translate(a).rotate(z, delta);
    body fifth { frame: Fifth, mass: 0.0705, at: [0.02308, 0.00916, 0], inertia: diag(0, 0, 1.169e-5) }
    frame Fourth = Fifth.translate([0.04, 0, 0]).rotate(z, phi);
    body fourth { frame: Fourth, mass: 0.00706, at: [0, -0.00579, 0], inertia: diag(0, 0, 5.667e-7) }
    frame Seventh = world.translate(a).rotate(z, epsilon);
    body seventh { frame: Seventh, mass: 0.05498, at: [0.01228, 0.00449, 0], inertia: diag(0, 0, 1.912e-5) }
    frame Sixth = Seventh.translate([0, -0.04, 0]).rotate(z, omega);
    body sixth { frame: Sixth, mass: 0.00706, at: [0.00579, 0, 0], inertia: diag(0, 0, 5.667e-7) }

    spring { k: 4530, rest: 0.07785, from: c, to: Third.point([0.02, -0.018, 0]) }
    Q.beta = 0.033;

    let pin = Second.point([-0.028, 0, 0]).xy;
    holonomic at_third: pin = Third.point([0, -0.035, 0]).xy;
    holonomic at_fourth: pin = Fourth.point([0, -0.02, 0]).xy;
    holonomic at_sixth: pin = Sixth.point([0.02, 0, 0]).xy;
}

#[test]
fn andrews_mechanism_ends_at_its_published_state() {
    let squeezer = Squeezer::default();
    let start = State::new(
        [
            -0.06171389001427645,
            0.0,
            0.4552798191630704,
            0.22266839016588588,
            0.48736497954384255,
            -0.22266839016588588,
            1.230547444549821,
        ],
        [0.0; 7],
    );
    let motion = squeezer.solve(&start.q, &start.v).unwrap();
    let rates = vector![14222.44391995411, -10666.832939965585];
    assert_close("a at the start", &motion.acceleration.xy(), &rates, 1e-14);
    // The test set moves J^T lambda to the other side.
    let forces = -vector![98.56687039624109, -6.122688344255663];
    assert_close(
        "lambda at the start",
        &motion.multipliers.xy(),
        &forces,
        1e-13,
    );

    let end = held(&squeezer, start, 1e-5, 3000).last().unwrap();
    let q = vector![
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263
    ];
    assert_close("q", &end.q, &q, 2e-10);
    let v = vector![
        1139.920302151208,
        -1424.379294994111,
        11.03291221937134,
        19.29337464421385,
        0.5735699284790808,
        -19.29337464421385,
        0.3231791658026955
    ];
    assert_close("v", &end.v, &v, 1e-9);
    let multipliers = squeezer.solve(&end.q, &end.v).unwrap().multipliers;
    let published = -vector![
        199.175333373191,
        -29.75531228015052,
        23.06654119098399,
        31.45271365475927,
        22.64249232082739,
        11.61740700019673
    ];
    assert_close("lambda", &multipliers, &published, 1e-7);
}

lagrangian! {
    /// The axle of a car on two springs. One wheel stands still, the other one passes bumps.
    struct CarAxis {
        left, right: coordinate[2],
        t: time,
        length: parameter = 1,
        rest: parameter = 0.5,
        m: parameter = 5e-4,
        bump: parameter = 0.1,
        frequency: parameter = 10,
    }

    let height = bump * sin(frequency * t);
    let wheel = [sqrt(length^2 - height^2), height];
    T = m * (der(left)^2 + der(right)^2) / 2;
    V = m * (left.y + right.y);
    spring { k: 1, rest, from: [0, 0], to: left }
    spring { k: 1, rest, from: wheel, to: right }
    holonomic upright: dot(left, wheel) = 0;
    holonomic axle: (left - right)^2 = length^2;
}

#[test]
fn car_axis_ends_at_its_published_state() {
    let car = CarAxis::default();
    let start = State::new([0.0, 0.5, 1.0, 0.5], [-0.5, 0.0, -0.5, 0.0]);
    let end = held(&car, start, 5e-4, 6000).last().unwrap();
    let q = vector![
        0.04934557842754028,
        0.49698946023017115,
        1.0417425248854252,
        0.37391102726536126
    ];
    assert_close("q", &end.q, &q, 5e-9);
    let v = vector![
        -0.0770583684040972,
        0.00744686658723778,
        0.01755681575372322,
        0.7703410437792519
    ];
    assert_close("v", &end.v, &v, 5e-7);
    let multipliers = car.solve(end.t, &end.q, &end.v).unwrap().multipliers;
    let published = vector![-0.004736886590848933, -0.0011046803312573438];
    assert_close("lambda", &multipliers, &published, 1e-6);
}
