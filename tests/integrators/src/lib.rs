//! Three systems that every integrator of `docs/integrators.md` moves: one without constraints, one with a
//! closed loop, one with an orientation that rolls; and their motions by small steps.

use std::sync::LazyLock;

use lagrangian::nalgebra::SVector;
use lagrangian::{System, lagrangian, rk4_step};

/// The blocks of the document are tests of this package.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/integrators.md")]
struct Document;

lagrangian! {
    /// A cart that carries an inverted pendulum, with friction.
    #[derive(Clone, Copy, Debug)]
    pub struct CartPole { x, theta: coordinate, mc, mp, l, c: parameter, u: input }

    let bob = [x + l * sin(theta), l * cos(theta)];
    T = mc * der(x)^2 / 2 + mp * der(bob)^2 / 2;
    V = mp * 9.81 * bob.y;
    D = c * (der(x)^2 + der(theta)^2) / 2;
    Q.x = u;
}

lagrangian! {
    /// A four-bar linkage by three angles, with a torque at the crank.
    #[derive(Clone, Copy, Debug)]
    pub struct FourBar { a, b, c: coordinate, m, l1, l2, l3, d: parameter, torque: input }

    let first = [l1 * cos(a), l1 * sin(a)];
    let middle = first + [l2 * cos(b), l2 * sin(b)] / 2;
    let second = first + [l2 * cos(b), l2 * sin(b)];
    let centre = [d + l3 * cos(c) / 2, l3 * sin(c) / 2];
    T = m * (l1^2 * der(a)^2 / 3 + der(middle)^2 + l2^2 * der(b)^2 / 12 + l3^2 * der(c)^2 / 3) / 2;
    V = m * 9.81 * (first.y / 2 + middle.y + centre.y);
    Q.a = torque;
    holonomic closed: second = [d + l3 * cos(c), l3 * sin(c)];
}

lagrangian! {
    /// A lopsided ball that rolls on a floor.
    #[derive(Clone, Copy, Debug)]
    pub struct Ball { p: coordinate[3], att: rotation, m: parameter, i: parameter[3], r: parameter }

    frame F = world.translate(p).rotate(att);
    body { frame: F, mass: m, at: [0, 0, 0.1], inertia: diag(i) }
    gravity [0, 0, -9.81];
    let contact = velocity(F) + cross(angular_velocity(F), [0, 0, -r]);
    nonholonomic slip: [contact.x, contact.y] = [0, 0];
    holonomic floor: p.z = r;
}

pub const CART_POLE: CartPole = CartPole {
    mc: 1.0,
    mp: 0.2,
    l: 0.5,
    c: 0.05,
};
pub const FOUR_BAR: FourBar = FourBar {
    m: 1.2,
    l1: 0.4,
    l2: 1.0,
    l3: 0.8,
    d: 1.1,
};
pub const BALL: Ball = Ball {
    m: 1.5,
    i: [0.16, 0.17, 0.15],
    r: 0.5,
};

/// The tolerance of the integrators, relative and absolute, in each of their steps.
pub const TOLERANCE: f64 = 1e-10;
/// The tolerance at the end: the error of a motion is a multiple of that of its steps.
pub const AT_THE_END: f64 = 500.0 * TOLERANCE;

/// How long every motion lasts.
pub const END: f64 = 2.0;
/// The force on the cart.
pub const PUSH: f64 = 1.0;
/// The torque at the crank.
pub const TORQUE: f64 = 0.6;

pub const CART_POLE_START: [f64; 4] = [0.2, 0.3, -0.5, 0.7];

pub static FOUR_BAR_START: LazyLock<[f64; 6]> = LazyLock::new(|| {
    let (q, v) = FOUR_BAR
        .project(&[1.0, 0.4, 1.4].into(), &[2.0, 0.0, 0.0].into())
        .expect("a start near the constraints");
    joined(&q, &v)
});

pub static BALL_START: LazyLock<[f64; 13]> = LazyLock::new(|| {
    let q = [0.0, 0.0, 0.5, 0.2, -0.3, 0.1, 0.9].into();
    let v = [0.0, 0.0, 0.0, 1.5, 2.0, -0.7].into();
    let (q, v) = BALL.project(&q, &v).expect("a start near the constraints");
    joined(&q, &v)
});

pub static CART_POLE_END: LazyLock<[f64; 4]> =
    LazyLock::new(|| reference(&CART_POLE, &CART_POLE_START, [PUSH].into(), STEPS));
pub static FOUR_BAR_END: LazyLock<[f64; 6]> =
    LazyLock::new(|| reference(&FOUR_BAR, &FOUR_BAR_START, [TORQUE].into(), STEPS));
pub static BALL_END: LazyLock<[f64; 13]> =
    LazyLock::new(|| reference(&BALL, &BALL_START, [].into(), STEPS));

/// As many that half of them give the same to 1e-9, which a test shows.
pub const STEPS: u32 = 4000;

/// The state at the end, by small steps, each projected onto the constraints.
pub fn reference<
    M,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const D: usize,
>(
    system: &M,
    start: &[f64; D],
    u: SVector<f64, K>,
    steps: u32,
) -> [f64; D]
where
    M: System<f64, NQ, N, K, C>,
{
    let h = END / f64::from(steps);
    let (mut q, mut v) = parted(start);
    for step in 0..steps {
        let t = h * f64::from(step);
        (q, v) = rk4_step(system, t, &q, &v, &u, h).expect("a regular system");
        if C > 0 {
            (q, v) = system
                .project(t + h, &q, &v, &u)
                .expect("near the constraints");
        }
    }
    joined(&q, &v)
}

/// [q; v] as an array.
pub fn joined<const NQ: usize, const N: usize, const D: usize>(
    q: &SVector<f64, NQ>,
    v: &SVector<f64, N>,
) -> [f64; D] {
    assert_eq!(NQ + N, D);
    std::array::from_fn(|i| if i < NQ { q[i] } else { v[i - NQ] })
}

/// The two parts of [q; v], which may be followed by others.
pub fn parted<const NQ: usize, const N: usize>(y: &[f64]) -> (SVector<f64, NQ>, SVector<f64, N>) {
    (
        SVector::from_column_slice(&y[..NQ]),
        SVector::from_column_slice(&y[NQ..NQ + N]),
    )
}

/// Asserts that two states agree.
#[track_caller]
pub fn assert_close(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    let errors = actual.iter().zip(expected).map(|(x, y)| (x - y).abs());
    let worst = errors.fold(
        0.0,
        |worst, error| if error <= worst { worst } else { error },
    );
    assert!(
        worst <= tolerance,
        "off by {worst:e}: {actual:?} for {expected:?}"
    );
}
