//! Contacts and dry joints that find their modes, in C and CUDA.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Frictional, contact_step, lagrangian};

use crate::batches;
use crate::compiled::{
    Argument, Call, array, check, check_double, compile, compilers, entries, flags, number,
};

lagrangian! {
    /// A plank above a rough floor that moves, which its two ends may touch, at a wall without friction.
    pub struct Plank { x, y, angle: coordinate, t: time, m, l, mu: parameter, u: input[2] }
    let left = [x - l / 2 * cos(angle), y - l / 2 * sin(angle)];
    let right = [x + l / 2 * cos(angle), y + l / 2 * sin(angle)];
    T = m * (der(x)^2 + der(y)^2 + l^2 / 12 * der(angle)^2) / 2;
    V = 9.81 * m * y;
    Q.x = u[0];
    Q.y = u[1];
    contact back: left.y >= 0 { slip: der(left.x) - sin(t), friction: mu, restitution: 0.5 };
    contact front: right.y >= 0 { slip: der(right.x) - sin(t), friction: mu };
    contact wall: 2 - right.x >= 0 { restitution: 0.3 };
    export c99 { resolve, contact_step, friction_terms }
    export cuda { resolve, contact_step }
}

lagrangian! {
    /// Two carts with a rod between them, of which one may touch a rough step, and a crank with dry friction.
    pub struct Carts { x: coordinate[2], y, crank: coordinate, m, f: parameter, u: input }
    T = m * (x[0]^2 + 1) * der(x)^2 / 2 + m * der(y)^2 / 2 + der(crank)^2 / 4;
    V = 9.81 * m * y + (x[0] - crank)^2;
    holonomic rod: (x[1] - x[0])^2 + y^2 = 1;
    Q.x[0] = u;
    contact step: y >= 0.8 { slip: der(x[1]), friction: 0.3, restitution: 0.2 };
    actuator brake { joint: x[0], coulomb: f }
    actuator { joint: crank, coulomb: f / (1 + x[1]^2) }
    export c99 { contact_step, resolve }
    export cuda { contact_step, resolve }
}

lagrangian! {
    /// A table in a plane on three feet, one of which no contact needs, in a groove that is declared twice.
    #[lagrangian(redundant)]
    #[allow(deprecated, reason = "rows depend on each other")]
    pub struct Stool { x, y, z, angle: coordinate, m, mu: parameter, u: input }
    T = m * (der(x)^2 + der(y)^2 + der(z)^2 + der(angle)^2 / 3) / 2;
    V = 9.81 * m * y;
    Q.x = u;
    holonomic groove: z = 0;
    holonomic again: 2 * z = 0;
    for i in 0..3 {
        contact foot: y + (i - 1) * sin(angle) >= 0 {
            slip: der(x) - (i - 1) * sin(angle) * der(angle), friction: mu,
        };
    }
    export c99 { resolve, contact_step }
    export cuda { resolve, contact_step }
}

lagrangian! {
    /// A box on three feet, on a floor in space: friction holds each twice.
    #[lagrangian(redundant)]
    pub struct Crate { p: coordinate[3], att: rotation, m, mu: parameter, f: input[2] }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, inertia: diag(0.5, 0.4, 0.3) }
    gravity [0, 0, -10];
    force [f[0], f[1], 0] at B.point([0, 0, -0.1]);
    for i in 0..3 {
        let end = B.point([0.3 - 0.3 * i, 0.2 - 0.4 * i * (2 - i), -0.1]);
        contact foot: end.z >= 0 { slip: [der(end).x, der(end).y], friction: mu };
    }
    export c99 { contact_step, resolve }
    export cuda { contact_step, resolve }
}

lagrangian! {
    /// A ball on a rough floor, on which it slides or rolls.
    pub struct Marble { p: coordinate[3], att: rotation, m, radius, mu: parameter, f: input[3] }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, inertia: diag(1, 1, 1) * (0.4 * m * radius^2) }
    gravity [0, 0, -9.81];
    let w = angular_velocity(B);
    let slide = [der(p)[0] - radius * w.y, der(p)[1] + radius * w.x];
    force f at B.point([0, 0, 0]);
    contact floor: p[2] - radius >= 0 { slip: slide, friction: mu, restitution: 0.4 };
    export c99 { contact_step, resolve }
    export cuda { contact_step, resolve }
}

lagrangian! {
    /// A rod whose end slides on a rough board, beside two blocks in space with a load at their middle.
    pub struct Chalk { x, y, angle: coordinate, r, s: coordinate[3], mu: parameter, f: input[2] }
    T = (der(x)^2 + der(y)^2 + der(angle)^2 / 3 + der(r)^2 + der(s)^2 + (der(r) + der(s))^2 / 4) / 2;
    V = 9.81 * (y + 1.5 * (r[2] + s[2]));
    Q.r = [f[0], f[1], 0];
    contact board: y - sin(angle) >= 0 { slip: der(x - cos(angle)), friction: mu };
    contact one: r[2] >= 0 { slip: der(r)[0..2], friction: mu };
    contact other: s[2] >= 0 { slip: der(s)[0..2], friction: mu };
    export c99 { contact_step, resolve }
    export cuda { contact_step, resolve }
}

lagrangian! {
    /// A block that constraints hold behind three walls, beside a block that moves.
    #[lagrangian(redundant)]
    pub struct Locked { p: coordinate[3], s: coordinate, m: parameter, f: input[3] }
    T = m * (der(p)^2 + der(p)[0] * der(p)[1] / 2 + der(s)^2) / 2;
    Q.p = f;
    holonomic hold: [[0.7, 0.2, -0.4], [0.1, -0.9, 0.3], [0.5, 0.6, 0.8]] * p = [0, 0, 0];
    contact wall: p[0] >= 0;
    contact corner: p[0] + p[2] >= 0;
    contact slope: p[1] - p[0] <= 0;
    export c99 { contact_step, resolve }
    export cuda { contact_step, resolve }
}

lagrangian! {
    /// A block on a floor and on a rail whose friction grows without bound towards the origin.
    pub struct Rough { x, y, z: coordinate, mu: parameter, f: input }
    T = der([x, y, z])^2 / 2;
    V = 9.81 * y;
    Q.x = f;
    contact floor: y >= 0 { slip: der(x), friction: mu / x };
    actuator rail { joint: z, coulomb: mu / (x - 1) }
    export c99 { contact_step, resolve }
    export cuda { contact_step, resolve }
}

lagrangian! {
    /// A light body below a heavy one.
    pub struct Pile { y: coordinate[2], x: coordinate[2], m, w: parameter }
    T = m * (der(y[0])^2 + der(x[0])^2) / 2 + w * (der(y[1])^2 + der(x[1])^2) / 2;
    V = 10 * (m * y[0] + w * y[1]);
    contact floor: y[0] >= 0 { slip: der(x[0]), friction: 0.3 };
    contact between: y[1] >= y[0] { slip: der(x[1]) - der(x[0]), friction: 0.3 };
    export c99 { contact_step, resolve }
}

/// A state, inputs, and which contacts are closed.
type State<const NQ: usize, const N: usize, const K: usize, const P: usize> = (
    SVector<f64, NQ>,
    SVector<f64, N>,
    SVector<f64, K>,
    [bool; P],
);

/// `resolve` and `contact_step` at these states, in C beside Rust.
fn compare<
    T,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>(
    name: &str,
    system: &T,
    texts: [&str; 2],
    (has_time, parameters): (bool, &[f64]),
    states: &[State<NQ, N, K, P>],
) -> Vec<Call>
where
    T: Frictional<f64, NQ, N, K, C, P, M>,
{
    let calls = list_calls(system, has_time, states);
    check((name, name), texts[0], parameters, &calls);
    batches::check(name, texts[1], (has_time, parameters), &calls);
    calls
}

/// The calls of `resolve` and `contact_step` at these states, with the answers of Rust.
fn list_calls<
    T,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>(
    system: &T,
    has_time: bool,
    states: &[State<NQ, N, K, P>],
) -> Vec<Call>
where
    T: Frictional<f64, NQ, N, K, C, P, M>,
{
    let t = 0.3;
    let mut calls = Vec::new();
    for (q, v, u, closed) in states {
        let time = has_time.then_some(Argument::Number(t));
        let state = time
            .into_iter()
            .chain([array(q), array(v), array(u)])
            .collect::<Vec<Argument>>();
        let motion = system.resolve(t, q, v, u, closed).map(|motion| {
            let flat = motion.friction_forces.as_flattened().to_vec();
            vec![
                entries(&motion.acceleration),
                entries(&motion.multipliers),
                entries(&motion.contact_forces),
                flat,
                motion.modes.map(|mode| f64::from(mode as u8)).to_vec(),
                motion.joint_forces.to_vec(),
                motion
                    .held
                    .map(|is_held| f64::from(u8::from(is_held)))
                    .to_vec(),
            ]
        });
        let flags = (P > 0).then_some(flags(*closed));
        calls.push(Call {
            function: "resolve",
            arguments: state.iter().cloned().chain(flags).collect(),
            lengths: vec![N, C, P, 2 * P, P, M, M],
            expected: motion.map_err(number),
        });
        for h in [0.01, 0.0, -0.02] {
            let step = contact_step(system, t, q, v, u, h).map(|step| {
                vec![
                    entries(&step.q),
                    entries(&step.v),
                    entries(&step.impulses),
                    step.friction_impulses.as_flattened().to_vec(),
                    vec![step.residual],
                ]
            });
            let with_step = state.iter().cloned().chain([Argument::Number(h)]);
            calls.push(Call {
                function: "contact_step",
                arguments: with_step.collect(),
                lengths: vec![NQ, N, P, 2 * P, 1],
                expected: step.map_err(number),
            });
        }
    }
    calls
}

/// The modes of contacts that the motions have, and the errors.
fn outcomes(calls: &[Call]) -> Vec<Result<Vec<f64>, i32>> {
    let motions = calls.iter().filter(|call| call.function == "resolve");
    let modes = motions.map(|call| call.expected.as_ref().map(|values| values[4].clone()));
    modes.map(|modes| modes.map_err(|number| *number)).collect()
}

/// Both ends stand, slide and open; one tips over; Painlevé's paradox leaves none.
#[test]
fn a_plank_in_a_plane() {
    let plank = Plank {
        m: 2.0,
        l: 1.0,
        mu: 0.6,
    };
    let speed = 0.3_f64.sin();
    let lies = vector![0.5, 0.0, 0.0];
    let carried = vector![speed, 0.0, 0.0];
    let both = [true, true, false];
    let angle = 2.0_f64.atan();
    let steep = vector![0.0, 0.5 * angle.sin(), angle];
    let backwards = vector![speed - 1.0, 0.0, 0.0];
    let states = [
        (lies, carried, vector![1.0, 0.0], both),
        (lies, carried, vector![30.0, 0.0], both),
        (lies, carried, vector![-3.0, 40.0], both),
        (lies, vector![1.5, 0.0, 0.0], vector![2.0, 0.0], both),
        (lies, vector![1.5, -0.5, 0.2], vector![2.0, 0.0], both),
        (lies, carried, vector![0.0, 0.0], [true, false, false]),
        (
            vector![1.5, 0.0, 0.0],
            vector![1.3, 0.0, 0.0],
            vector![2.0, 1.0],
            [true; 3],
        ),
        (
            vector![0.5, 0.5, 0.3],
            backwards,
            vector![0.0, 0.0],
            [false; 3],
        ),
        (steep, backwards, vector![0.0, 0.0], [true, false, false]),
    ];
    let texts = [Plank::C99, Plank::CUDA];
    let calls = compare("plank", &plank, texts, (true, &[2.0, 1.0, 0.6]), &states);
    let found = outcomes(&calls);
    // Two ends that stick hold the same velocity.
    assert_eq!(found[0], Err(2));
    assert_eq!(found[1], Ok(vec![2.0, 2.0, 0.0]));
    assert_eq!(found[2], Ok(vec![0.0; 3]));
    assert_eq!(found[3], Ok(vec![2.0, 2.0, 0.0]));
    let rough = Plank { mu: 1.6, ..plank };
    let calls = compare(
        "plank",
        &rough,
        texts,
        (true, &[2.0, 1.0, 1.6]),
        &states[8..],
    );
    assert_eq!(outcomes(&calls), [Err(5)]);
}

#[test]
fn dry_joints_beside_a_constraint() {
    let carts = Carts { m: 1.5, f: 0.7 };
    let q = vector![0.2, 0.8, 0.8, 0.1];
    let still = SVector::zeros();
    let moves = vector![0.4, 0.4, 0.0, -0.3];
    let states = [
        (q, still, vector![0.1], [false]),
        (q, still, vector![9.0], [true]),
        (q, moves, vector![0.3], [true]),
        (q, vector![0.0, 0.0, 0.0, 2.0], vector![-20.0], [true]),
    ];
    let texts = [Carts::C99, Carts::CUDA];
    let calls = compare("carts", &carts, texts, (false, &[1.5, 0.7]), &states);
    let motions = calls.iter().filter(|call| call.function == "resolve");
    let values = motions.filter_map(|call| call.expected.as_ref().ok());
    let held: Vec<Vec<f64>> = values.map(|values| values[6].clone()).collect();
    assert!(held.iter().any(|held| held.contains(&1.0)), "{held:?}");
    assert!(held.iter().any(|held| held.contains(&0.0)), "{held:?}");
}

/// Of three feet in a line two suffice, and the groove is declared twice.
#[test]
fn feet_and_rows_that_depend_on_each_other() {
    let stool = Stool { m: 3.0, mu: 0.5 };
    let q = SVector::zeros();
    let still = SVector::zeros();
    let states = [
        (q, still, vector![2.0], [true; 3]),
        (q, still, vector![40.0], [true; 3]),
        (q, vector![0.3, -0.2, 0.0, 0.1], vector![1.0], [true; 3]),
    ];
    let texts = [Stool::C99, Stool::CUDA];
    let calls = compare("stool", &stool, texts, (false, &[3.0, 0.5]), &states);
    let found = outcomes(&calls);
    assert_eq!(found[..2], [Ok(vec![1.0; 3]), Ok(vec![2.0; 3])]);
}

#[test]
fn cones_of_dependent_feet() {
    let heavy = Crate { m: 4.0, mu: 0.5 };
    let q = vector![0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0];
    let still = SVector::zeros();
    let states = [
        (q, still, vector![8.0, -6.0], [true; 3]),
        (
            q,
            vector![0.6, 0.8, 0.0, 0.0, 0.0, 0.0],
            vector![1.0, 0.0],
            [true; 3],
        ),
    ];
    let texts = [Crate::C99, Crate::CUDA];
    let calls = compare("crate", &heavy, texts, (false, &[4.0, 0.5]), &states);
    let found = outcomes(&calls);
    assert_eq!(found[0], Ok(vec![1.0; 3]));
    assert_eq!(found[1], Ok(vec![2.0; 3]));
}

/// The end of a rod that is pushed over a rough board has no force (Painlevé), in whatever directions two blocks begin to
/// slide.
#[test]
fn directions_of_blocks_beside_a_rod_without_a_motion() {
    let angle: f64 = 1.1;
    let (sin, cos) = angle.sin_cos();
    let at = |omega: f64, x: f64, y: f64| {
        let mut v = SVector::<f64, 9>::zeros();
        (v[0], v[1], v[2]) = (-1.0 - sin * omega, cos * omega, omega);
        let mut q = SVector::<f64, 9>::zeros();
        (q[0], q[1], q[2]) = (cos, sin, angle);
        (q, v, vector![x, y], [true; 3])
    };
    let states = [
        at(1.0, 20.0, 300.0),
        at(1.0, 1.0, 2.0),
        at(4.0, -400.0, 30.0),
    ];
    let texts = [Chalk::C99, Chalk::CUDA];
    let find = |mu: f64| {
        let calls = compare("chalk", &Chalk { mu }, texts, (false, &[mu]), &states);
        outcomes(&calls)
    };
    let modes = |rod: f64, blocks: f64| Ok(vec![rod, blocks, blocks]);
    assert_eq!(
        find(0.5),
        [modes(2.0, 2.0), modes(2.0, 1.0), modes(0.0, 2.0)]
    );
    assert_eq!(find(2.5), [Err(5), Err(5), modes(0.0, 2.0)]);
}

#[test]
fn a_ball_slides_rolls_and_jumps() {
    let marble = Marble {
        m: 3.0,
        radius: 0.25,
        mu: 0.25,
    };
    let q = vector![0.1, -0.2, 0.25, 0.1, 0.7, -0.1, 0.7];
    let slides = vector![1.0, 2.0, 0.0, 0.3, -0.2, 0.1];
    let states = [
        (q, SVector::zeros(), vector![1.0, 0.5, 0.0], [true]),
        (q, SVector::zeros(), vector![30.0, -40.0, 0.0], [true]),
        (q, SVector::zeros(), vector![3.0, 0.0, 40.0], [true]),
        (q, slides, vector![0.0, 0.0, 2.0], [true]),
        (
            q,
            slides + vector![0.0, 0.0, -2.0, 0.0, 0.0, 0.0],
            vector![0.0, 0.0, 0.0],
            [true],
        ),
        (q, slides, vector![0.0, 0.0, 0.0], [false]),
    ];
    let texts = [Marble::C99, Marble::CUDA];
    let parameters = (false, &[3.0, 0.25, 0.25][..]);
    let calls = compare("marble", &marble, texts, parameters, &states);
    let found = outcomes(&calls);
    let expected = [1.0, 2.0, 0.0, 2.0].map(|mode| Ok(vec![mode]));
    assert_eq!(found[..4], expected);
}

/// Some warnings need the analyses of a compiler that optimises.
#[test]
fn optimised_texts_have_no_warnings() {
    for compiler in compilers() {
        for (name, text) in [("stool", Stool::C99), ("marble", Marble::C99)] {
            let name = format!("{name}_optimised");
            compile(compiler, &["-std=c99", "-O2", "-c"], text, &name);
        }
    }
}

/// What rounding leaves of forces that the constraints balance closes no gap.
#[test]
fn walls_before_a_block_that_constraints_hold() {
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / 2.0_f64.powi(52) - 1.0
    };
    let still = vector![0.0, 0.0, 0.0, 1.0];
    for m in [1.7, 3e-9, 2e9] {
        let states: Vec<_> = (0..12)
            .map(|_| {
                let f = SVector::from_fn(|_, _| m * next());
                (SVector::zeros(), still, f, [true; 3])
            })
            .collect();
        let texts = [Locked::C99, Locked::CUDA];
        let calls = compare("locked", &Locked { m }, texts, (false, &[m]), &states);
        assert!(calls.iter().all(|call| call.expected.is_ok()), "{m}");
    }
}

/// A comparison with a number that is not finite chooses no mode.
#[test]
fn friction_that_is_not_finite() {
    let still = SVector::zeros();
    let at = |x: f64, v| (vector![x, 0.0, 0.0], v, vector![0.1], [true]);
    let states = [
        at(0.0, still),
        at(0.0, vector![0.0, 0.0, 0.3]),
        at(1.0, still),
        at(1.0, vector![0.0, 0.0, 0.5]),
    ];
    let texts = [Rough::C99, Rough::CUDA];
    let calls = compare("rough", &Rough { mu: 0.4 }, texts, (false, &[0.4]), &states);
    for call in calls {
        assert_eq!(call.expected, Err(4), "{}", call.function);
    }
}

/// Rows that depend on each other only by rounding refute no motion.
#[test]
fn a_light_body_below_a_heavy_one() {
    let (q, v) = (SVector::zeros(), SVector::zeros());
    let states = [(q, v, vector![], [true; 2])];
    for w in [1e3, 3e12, 1e13, 3e13] {
        let calls = list_calls(&Pile { m: 1.0, w }, false, &states);
        check_double(("pile", "pile"), Pile::C99, &[1.0, w], &calls);
        let found = outcomes(&calls).remove(0);
        let is_found = found == Ok(vec![1.0; 2]);
        assert!(is_found || w > 1e10 && found != Err(5), "{w}: {found:?}");
    }
}
