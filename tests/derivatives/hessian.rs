//! `acceleration_hessian` beside dual numbers of dual numbers through the accelerations.

use lagrangian::nalgebra::{DMatrix, SMatrix, SVector, Vector4, convert, vector};
use lagrangian::{Error, System, lagrangian};
use num_dual::HyperDual64;

use crate::check::Random;

/// The second derivatives of `w . a` by the displacement of q, by v and by u.
fn expected<D, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    dual: &D,
    (t, q, v, u): (f64, SVector<f64, NQ>, SVector<f64, N>, SVector<f64, K>),
    w: &SVector<f64, N>,
) -> DMatrix<f64>
where
    D: System<HyperDual64, NQ, N, K, C>,
{
    let size = 2 * N + K;
    let entry = |i: usize, j: usize| {
        let mut change = vec![HyperDual64::from_re(0.0); size];
        change[i].eps1 += 1.0;
        change[j].eps2 += 1.0;
        let d = SVector::from_column_slice(&change[..N]);
        let q = dual.integrate(&q.map(convert), &d);
        let v = v.map(convert) + SVector::from_column_slice(&change[N..2 * N]);
        let u = u.map(convert) + SVector::from_column_slice(&change[2 * N..]);
        let a = dual.acceleration(convert(t), &q, &v, &u);
        let a: SVector<HyperDual64, N> = a.expect("a regular system");
        let sum = a.iter().zip(w).map(|(a, w)| a.eps1eps2 * *w);
        sum.sum::<f64>()
    };
    DMatrix::from_fn(size, size, entry)
}

fn assert_equal<const R: usize>(
    found: Result<SMatrix<f64, R, R>, Error>,
    expected: &DMatrix<f64>,
    tolerance: f64,
) {
    let found = found.expect("a regular system");
    assert_eq!(found, found.transpose());
    let largest = expected.amax();
    for i in 0..R {
        for j in 0..R {
            let (x, y) = (found[(i, j)], expected[(i, j)]);
            assert!(
                (x - y).abs() <= tolerance * largest,
                "({i}, {j}): {x:e} and {y:e}, beside {largest:e}"
            );
        }
    }
}

/// Random states near a start, moved onto the constraints; rotations begin at these coordinates.
macro_rules! check {
    ($system:ident ($([$t:ident])? $q:ident, $v:ident $(, $u:ident)?; $w:ident), $start:expr, $rotations:expr, $tolerance:expr) => {{
        let (system, dual) = ($system::<f64>::default(), $system::<HyperDual64>::default());
        let mut random = Random(0xBE55);
        for _ in 0..4 {
            let mut q = $start;
            for rotation in $rotations {
                let four: Vector4<f64> = random.vector();
                q.fixed_rows_mut::<4>(rotation).copy_from(&four.normalize());
            }
            let q = System::integrate(&system, &q, &(random.vector() * 0.2));
            let (t, v, u, $w) = (random.number(), random.vector(), random.vector(), random.vector());
            let ($q, $v) = System::project(&system, t, &q, &v, &u).expect("near");
            let expected = expected(&dual, (t, $q, $v, u), &$w);
            $(let $u = u;)?
            $(let $t = t;)?
            let found = system.acceleration_hessian($($t,)? &$q, &$v, $(&$u,)? &$w);
            assert_equal(found, &expected, $tolerance);
        }
    }};
}

lagrangian! {
    /// Two rods, a motor whose torque saturates, and time.
    #[lagrangian(hessian)]
    struct Rods {
        q: coordinate[2],
        t: time,
        m: parameter[2] = [1.3, 0.7],
        l: parameter = 0.8,
        u: input,
    }
    let first = [sin(q[0]), -cos(q[0])] * l;
    let second = first + [sin(q[1]), -cos(q[1])] * l;
    T = m[0] * der(first)^2 / 2 + m[1] * der(second)^2 / 2;
    V = 9.81 * (m[0] * first.y + m[1] * second.y) + sin(t) * q[0]^2;
    D = der(q[0])^4 / 8;
    Q.q = [tanh(u), u^2 * der(q[0])];
}

lagrangian! {
    /// M depends on the velocities.
    #[lagrangian(hessian)]
    struct Fast { x, y: coordinate, m: parameter = 1.2, c: parameter = 3, u: input[2] }
    L = -m * c^2 * sqrt(1 - der([x, y])^2 / c^2) - m * x^2 * y;
    Q.x = u[0] * y;
    Q.y = u[1] * u[0];
}

#[test]
fn free_systems() {
    check!(Rods([t] q, v, u; w), vector![0.4, -0.9], [0_usize; 0], 1e-12);
    check!(Fast(q, v, u; w), vector![0.4, -0.9], [0_usize; 0], 1e-12);
}

lagrangian! {
    /// Holonomic: a crank, its rod, a rocker, and a motor.
    #[lagrangian(hessian)]
    struct FourBar {
        crank, rod, rocker: coordinate,
        m: parameter = 1,
        length: parameter[4] = [1, 2.5, 2, 3],
        motor: input,
    }
    let first = [cos(crank), sin(crank)] * length[0];
    let second = first + [cos(rod), sin(rod)] * length[1];
    let third = [length[3], 0] + [cos(rocker), sin(rocker)] * length[2];
    T = m * (der(first)^2 + der(second)^2 + der(third)^2) / 2;
    V = m * 9.81 * (first.y + second.y);
    D = der(rocker)^2 / 10;
    Q.crank = motor * cos(rod);
    holonomic closed: second = third;
}

lagrangian! {
    /// Nonholonomic, with a force by a multiplier, and time in a row.
    #[lagrangian(hessian)]
    struct Skate {
        x, y, heading: coordinate,
        t: time,
        m: parameter = 0.7,
        i: parameter = 1.5,
        mu: parameter = 0.2,
        u: input,
    }
    T = m * der([x, y])^2 / 2 + i * der(heading)^2 / 2 + m * der(heading) * der(x) * sin(y) / 4;
    V = 3 * x * y;
    nonholonomic edge: der(x) * sin(heading) = der(y) * cos(heading) + sin(t) * x;
    Q.heading = u;
    Q.x = -mu * multiplier(edge) * tanh(der(x)) * cos(u);
}

#[test]
fn constrained_systems() {
    check!(FourBar(q, v, motor; w), vector![1.0, 0.4, 1.6], [0_usize; 0], 1e-9);
    check!(Skate([t] q, v, u; w), vector![0.2, -0.4, 0.9], [0_usize; 0], 1e-11);
}

lagrangian! {
    /// A rigid body with a thrust along its own z axis, and drag.
    #[lagrangian(hessian)]
    struct Drone {
        p: coordinate[3],
        att: rotation,
        m: parameter = 1.4,
        i: parameter[3] = [0.3, 0.5, 0.7],
        thrust: input,
        torque: input[3],
    }
    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: m, at: [0.1, 0, 0.2], inertia: diag(i) }
    gravity [0, 0, -9.81];
    Q.att = torque - der(att) / 5;
    force Body.vector([0, 0, thrust]) - velocity(Body) * norm(velocity(Body)) at Body.point([0, 0.1, 0]);
}

lagrangian! {
    /// A top whose tip is held.
    #[lagrangian(hessian)]
    struct Top { att: rotation, p: coordinate[3], m: parameter = 1.2, j: parameter[3] = [0.2, 0.25, 0.1] }
    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: m, at: [0, 0, 0.4], inertia: diag(j) }
    gravity [0, 0, -9.81];
    holonomic tip: Body.point([0, 0, -0.1]) = [0, 0, 0];
}

#[test]
fn rotations() {
    check!(Drone(q, v, thrust_and_torque; w), vector![0.1, 0.2, 0.3, 0.0, 0.0, 0.0, 1.0], [3], 1e-11);
    check!(Top(q, v; w), vector![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.1], [0], 1e-10);
}

lagrangian! {
    /// A state of first order acts on the motion.
    #[lagrangian(hessian)]
    struct Motor { x: coordinate, i: state, m: parameter = 1.3, k: parameter = 0.8, u: input }
    T = m * der(x)^2 / 2 + sin(x)^2 * der(x)^2 / 4;
    V = x^4 * i / 4;
    Q.x = k * i^3 - u^2 * i;
    der(i) = u - i;
}

#[test]
fn states_of_first_order() {
    let (system, dual) = (Motor::<f64>::default(), Motor::<HyperDual64>::default());
    let x = [0.4, 0.7, 0.9, -0.5];
    let entry = |i: usize, j: usize| {
        let mut x = x.map(HyperDual64::from_re);
        x[i].eps1 += 1.0;
        x[j].eps2 += 1.0;
        let [q, v, z, u] = x.map(|x| vector![x]);
        1.5 * dual.acceleration(&q, &v, &z, &u).unwrap()[0].eps1eps2
    };
    let expected = DMatrix::from_fn(4, 4, entry);
    let [q, v, z, u] = x.map(|x| vector![x]);
    let found = system.acceleration_hessian(&q, &v, &z, &u, &vector![1.5]);
    assert_equal(found, &expected, 1e-14);
    let wrong = system.acceleration_hessian(&q, &v, &z, &u, &vector![f64::INFINITY]);
    assert_eq!(wrong, Err(Error::NotFinite { argument: "w" }));
    let wrong = system.acceleration_hessian(&q, &vector![f64::NAN], &z, &u, &vector![1.0]);
    assert_eq!(wrong, Err(Error::NotFinite { argument: "v" }));
}

/// Where the equations are singular.
#[test]
fn errors() {
    let massless = Motor { m: 0.0, k: 1.0 };
    let zero = vector![0.0];
    let found = massless.acceleration_hessian(&zero, &zero, &zero, &zero, &vector![1.0]);
    assert_eq!(found, Err(Error::SingularMassMatrix));
}
