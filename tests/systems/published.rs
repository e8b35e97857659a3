//! Three problems of the Test Set for Initial Value Problem Solvers (Mazzia and Magherini, University of Bari), with its
//! reference solutions, and motions that others published. The sources give equations; here they follow from bodies, springs
//! and joints.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Run, lagrangian};

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

lagrangian! {
    /// The Pleiades: seven stars in a plane that nearly collide. Star i has the mass i.
    struct Pleiades { r: coordinate[7, 2] }

    for i in 0..7 {
        T += (i + 1) * der(r[i])^2 / 2;
        for j in 0..7 {
            V += if i < j { -(i + 1) * (j + 1) / norm(r[i] - r[j]) } else { 0 };
        }
    }
}

#[test]
fn pleiades_end_at_their_published_state() {
    let stars = Pleiades::default();
    let q = [
        3.0, 3.0, 3.0, -3.0, -1.0, 2.0, -3.0, 0.0, 2.0, 0.0, -2.0, -4.0, 2.0, 4.0,
    ];
    let v = [
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.25, 0.0, 1.0, 1.75, 0.0, -1.5, 0.0,
    ];
    let run = Run::new(&stars, 0.0, q.into(), v.into()).tolerance(1e-13);
    let end = run.until(3.0).map(Result::unwrap).last().unwrap();
    let published = [
        [0.3706139143970502, -3.943437585517392],
        [3.237284092057233, -3.27138097397255],
        [-3.222559032418324, 5.225081843456543],
        [0.659709145577531, -2.59061243497747],
        [0.3425581707156584, 1.198213693392275],
        [1.562172101400631, -0.2429682344935824],
        [-0.7003092922212495, 1.09144924042898],
    ];
    let published: SVector<f64, 14> = SVector::from_row_slice(published.as_flattened());
    assert_close("places", &end.q, &published, 1e-10);
}

lagrangian! {
    /// A body between the earth and the moon, in axes that turn with them; `mu` is the share of the moon.
    struct Arenstorf { r: coordinate[2], mu: parameter = 0.012277471 }

    L = ((der(r).x - r.y)^2 + (der(r).y + r.x)^2) / 2
        + (1 - mu) / norm(r + [mu, 0]) + mu / norm(r - [1 - mu, 0]);
}

#[test]
fn arenstorfs_orbit_closes_after_its_published_period() {
    let body: Arenstorf = Arenstorf::default();
    let q = vector![0.994, 0.0];
    let v = vector![0.0, -2.0015851063790825];
    let period = 17.06521656015796;
    let run = Run::new(&body, 0.0, q, v).tolerance(1e-14);
    let end = run.until(period).map(Result::unwrap).last().unwrap();
    assert_close("place", &end.q, &q, 1e-9);
}

lagrangian! {
    /// A uniform ball that rolls on a turntable.
    struct Turntable { p: coordinate[2], att: rotation, m, r, spin: parameter }

    frame Ball = world.translate([p.x, p.y, r]).rotate(att);
    body { frame: Ball, mass: m, inertia: diag(1, 1, 1) * (2 * m * r^2 / 5) }
    let turn = angular_velocity(Ball);
    nonholonomic along: der(p).x - r * turn.y = -spin * p.y;
    nonholonomic across: der(p).y + r * turn.x = spin * p.x;
}

#[test]
fn a_ball_on_a_turntable_moves_on_a_circle() {
    let table: Turntable = Turntable {
        m: 0.3,
        r: 0.05,
        spin: 3.0,
    };
    let q = vector![0.4, 0.1, 0.0, 0.0, 0.0, 1.0];
    let v = vector![0.2, -0.3, 0.0, 0.0, 0.0];
    let (q, v) = table.project(&q, &v).unwrap();
    let rate = 2.0 / 7.0 * table.spin;
    let run = Run::new(&table, 0.0, q, v).tolerance(1e-12);
    for step in run.until(9.0).map(Result::unwrap) {
        let (sin, cos) = (rate * step.t).sin_cos();
        let x = q[0] + (v[0] * sin - v[1] * (1.0 - cos)) / rate;
        let y = q[1] + (v[1] * sin + v[0] * (1.0 - cos)) / rate;
        assert_close("place", &step.q.xy(), &vector![x, y], 1e-11);
    }
}
