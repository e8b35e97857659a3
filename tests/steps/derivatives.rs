//! `rk4_step_derivatives` beside `rk4_step` in dual numbers, and beside differences.

use lagrangian::nalgebra::{SMatrix, SVector, vector};
use lagrangian::{
    Baumgarte, Derivatives, Error, StepSensitivities, System, lagrangian, rk4_step,
    rk4_step_derivatives,
};
use num_dual::Dual64;

use super::support::{Random, assert_close};
use super::{FreeBody, NONE, PENDULUM, Pendulum, Top, swinging};

lagrangian! {
    struct CartPole { x, theta: coordinate, m_c, m_p, l: parameter, u: input }
    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = 9.81 * m_p * bob.y;
    Q.x = u;
    D = 0.1 * der(theta)^2;
}

lagrangian! {
    /// Four bars whose motor drives the crank, with a slider that pulls at the rocker.
    struct Linkage { t: time, q: coordinate[3], l: parameter[4], u: input[2] }
    let crank = l[0] * [cos(q[0]), sin(q[0])];
    let coupler = crank + l[1] * [cos(q[1]), sin(q[1])];
    T = (der(crank)^2 + 2 * der(coupler)^2 + der(q[2])^2) / 2;
    V = 9.81 * (crank.y + 2 * coupler.y);
    holonomic closed: coupler - l[2] * [cos(q[2]), sin(q[2])] = [l[3] + 0.1 * sin(t), 0];
    Q.q = [u[0], 0, u[1] * der(q[0])];
}

lagrangian! {
    /// Two bodies that turn, on either side of a coordinate that is a number.
    struct Craft { p: coordinate[3], att: rotation[2], s: coordinate, t: time, u: input[2] }
    frame First = world.translate(p).rotate(att[0]);
    frame Second = First.translate([s, 0.2, 0]).rotate(att[1]);
    body { frame: First, mass: 1.3, at: [0.1, 0, 0.2], inertia: [[0.3, 0.02, 0], [0.02, 0.4, 0.01], [0, 0.01, 0.5]] }
    body { frame: Second, mass: 0.4, at: [0, 0.1, 0], inertia: diag(0.1, 0.2, 0.15) }
    gravity [0, 0.5, -9.81];
    force First.vector([u[0], 0.2 * sin(t), 0]) - velocity(Second) * 0.4 at Second.origin;
    Q.s = u[1] - s;
}

lagrangian! {
    /// A body whose point is held on a sphere that grows, and that does not slip along one direction.
    struct Held { t: time, p: coordinate[3], att: rotation, u: input }
    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: 1.3, at: [0.1, 0, 0.2], inertia: diag(0.3, 0.4, 0.5) }
    gravity [0, 0, -9.81];
    Q.att = [u, 0, 0];
    holonomic tip: Body.point([0.3, 0.2, 0.5])^2 = 1 + 0.1 * t;
    nonholonomic blade: dot(Body.vector([1, 0, 0]), velocity(Body)) = 0.2 * der(att).y;
}

lagrangian! {
    /// The pendulum, with its rod twice.
    #[lagrangian(redundant)]
    struct Twice { x, y: coordinate, l: parameter, push: input }
    T = der([x, y])^2 / 2;
    V = 9.81 * y;
    Q.x = push;
    holonomic rod: x^2 + y^2 = l^2;
    #[allow(deprecated)]
    holonomic again: 2 * x^2 + 2 * y^2 = 2 * l^2;
}

type State<const NQ: usize, const N: usize, const K: usize> =
    (f64, SVector<f64, NQ>, SVector<f64, N>, SVector<f64, K>);

/// The derivatives in rows of q and v, and columns by q, v and u.
fn blocks<const N: usize, const K: usize>(
    d: &StepSensitivities<f64, N, K>,
) -> [(&'static str, &Derivatives<f64, N, N, K>); 2] {
    [("q", &d.q), ("v", &d.v)]
}

fn unit<const N: usize>(j: usize) -> SVector<f64, N> {
    let mut unit = SVector::zeros();
    unit[j] = 1.0;
    unit
}

/// All derivatives of a step of the same system in dual numbers.
fn by_dual_numbers<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    (t, q, v, u): State<NQ, N, K>,
    h: f64,
) -> StepSensitivities<f64, N, K>
where
    M: System<Dual64, NQ, N, K, C>,
{
    let along = |x: SVector<f64, N>, y: SVector<f64, N>, z: SVector<f64, K>| {
        let (t, h) = (Dual64::from(t), Dual64::from(h));
        let q = system.integrate(&q.map(Dual64::from), &x.map(|x| Dual64::new(0.0, x)));
        let v = v.zip_map(&y, Dual64::new);
        let u = u.zip_map(&z, Dual64::new);
        let (q, v) = rk4_step(system, t, &q, &v, &u, h).unwrap();
        let end = q.map(|entry| Dual64::from(entry.re));
        let displacement = system.difference(&end, &q);
        (displacement.map(|d| d.eps), v.map(|v| v.eps))
    };
    let none = Derivatives {
        q: SMatrix::zeros(),
        v: SMatrix::zeros(),
        z: SMatrix::zeros(),
        u: SMatrix::zeros(),
    };
    let mut d: StepSensitivities<f64, N, K> = StepSensitivities { q: none, v: none };
    let (rest, zero) = (SVector::zeros(), SVector::zeros());
    for j in 0..N {
        let along_one = unit(j);
        let (of_q, of_v) = along(along_one, rest, zero);
        d.q.q.set_column(j, &of_q);
        d.v.q.set_column(j, &of_v);
        let (of_q, of_v) = along(rest, along_one, zero);
        d.q.v.set_column(j, &of_q);
        d.v.v.set_column(j, &of_v);
    }
    for j in 0..K {
        let (of_q, of_v) = along(rest, rest, unit(j));
        d.q.u.set_column(j, &of_q);
        d.v.u.set_column(j, &of_v);
    }
    d
}

/// The step is that of `rk4_step`, and its derivatives are those of dual numbers and of differences of order four.
#[track_caller]
fn assert_derivatives<M, D, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    (system, dual): (&M, &D),
    state: State<NQ, N, K>,
    h: f64,
) where
    M: System<f64, NQ, N, K, C>,
    D: System<Dual64, NQ, N, K, C>,
{
    let (t, q, v, u) = state;
    let (end, d) = rk4_step_derivatives(system, t, &q, &v, &u, h).unwrap();
    assert_eq!(end, rk4_step(system, t, &q, &v, &u, h).unwrap());
    let exact = by_dual_numbers(dual, state, h);
    let size = blocks(&exact)
        .map(|(_, d)| {
            d.q.amax()
                .max(d.v.amax())
                .max(d.u.iter().fold(0.0, |x, y| y.abs().max(x)))
        })
        .into_iter()
        .fold(1.0, f64::max);
    for ((of, d), (_, exact)) in blocks(&d).into_iter().zip(blocks(&exact)) {
        assert_close(
            &format!("d{of}/dq"),
            &(d.q / size),
            &(exact.q / size),
            1e-12,
        );
        assert_close(
            &format!("d{of}/dv"),
            &(d.v / size),
            &(exact.v / size),
            1e-12,
        );
        assert_close(
            &format!("d{of}/du"),
            &(d.u / size),
            &(exact.u / size),
            1e-12,
        );
    }

    // One direction in all arguments at once.
    let mut random = Random(0xd1ff);
    let (x, y, z) = (random.vector(), random.vector(), random.vector());
    let at = |e: f64| {
        let q = system.integrate(&q, &(x * e));
        let (q, v) = rk4_step(system, t, &q, &(v + y * e), &(u + z * e), h).unwrap();
        (system.difference(&end.0, &q), v)
    };
    let e = 1e-3;
    let [a, b, c, f] = [e, -e, 2.0 * e, -2.0 * e].map(at);
    let slope = |a, b, c, f| ((a - b) * 8.0 - (c - f)) / (12.0 * e);
    let (of_q, of_v): (SVector<f64, N>, SVector<f64, N>) =
        (slope(a.0, b.0, c.0, f.0), slope(a.1, b.1, c.1, f.1));
    for ((of, d), slope) in blocks(&d).into_iter().zip([of_q, of_v]) {
        let along = d.q * x + d.v * y + d.u * z;
        assert_close(of, &(along / size), &(slope / size), 1e-8);
    }
}

#[test]
fn a_cart_pole() {
    let system = CartPole {
        m_c: 1.0,
        m_p: 0.3,
        l: 0.6,
    };
    let mut random = Random(0x5eed);
    for h in [0.01, -0.05, 0.2] {
        let state = (
            0.0,
            random.vector() * 2.0,
            random.vector() * 3.0,
            random.vector(),
        );
        assert_derivatives((&system, &system.cast()), state, h);
    }
}

#[test]
fn a_constrained_linkage() {
    let system = Linkage {
        l: [0.3, 0.9, 0.8, 1.0],
    };
    let mut random = Random(0x5eed);
    for h in [0.01, -0.02, 0.05] {
        let (t, u) = (random.number(), random.vector());
        let near = (vector![1.0, 0.4, 1.5], random.vector());
        let (q, v) = system.project(t, &near.0, &near.1).unwrap();
        assert_derivatives((&system, &system.cast()), (t, q, v, u), h);
    }
    let (q, v) = swinging();
    let state = (0.0, q, v, vector![0.4]);
    assert_derivatives((&PENDULUM, &PENDULUM.cast()), state, 0.05);
    // A state off the constraints, and the system that pulls back to them.
    assert_derivatives(
        (&PENDULUM, &PENDULUM.cast()),
        (0.0, q * 1.1, v, vector![0.4]),
        0.05,
    );
    let (system, dual) = (PENDULUM, PENDULUM.cast::<Dual64>());
    let (alpha, beta, step) = (0.1, 0.1, 0.05);
    let pulled = Baumgarte {
        system: &system,
        alpha,
        beta,
        step,
    };
    let dual = Baumgarte {
        system: &dual,
        alpha: alpha.into(),
        beta: beta.into(),
        step: step.into(),
    };
    assert_derivatives((&pulled, &dual), (0.0, q * 1.1, v, vector![0.4]), step);
}

#[test]
fn a_free_body_and_a_top() {
    let mut random = Random(0x5eed);
    let body = super::BODY;
    let top = Top {
        m: 0.8,
        l: 0.3,
        i: [0.02, 0.03, 0.01],
    };
    // No turn, one within the series of the exponential map, and one beyond half a turn.
    for (speed, h) in [
        (0.0, 0.1),
        (1e-3, 0.1),
        (2.0, 0.1),
        (9.0, 0.5),
        (9.0, -0.02),
    ] {
        let (q, v) = (random.quaternion(), random.vector() * speed);
        assert_derivatives((&body, &body.cast()), (0.0, q, v, NONE), h);
        let (q, v) = (q.push(random.number()), v.push(random.number()));
        let state = (random.number(), q, v, random.vector());
        assert_derivatives((&top, &top.cast()), state, h.clamp(-0.05, 0.05));
    }
    // A quaternion of another length is the same attitude.
    let q = random.quaternion() * 1.7;
    assert_derivatives(
        (&body, &body.cast()),
        (0.0, q, vector![1.0, -2.0, 0.4], NONE),
        0.1,
    );
}

#[test]
fn several_rotations_beside_numbers() {
    let system: Craft = Craft::default();
    let mut random = Random(0x5eed);
    for h in [0.02, 0.1] {
        let q = system.integrate(&system.neutral(), &(random.vector() * 2.0));
        let state = (random.number(), q, random.vector() * 2.0, random.vector());
        assert_derivatives((&system, &system.cast()), state, h);
    }
}

#[test]
fn constraints_of_both_kinds_on_a_body() {
    let system: Held = Held::default();
    let q = system.integrate(&system.neutral(), &vector![0.3, -0.2, 0.5, 0.7, -0.4, 0.2]);
    let v = vector![0.4, 1.1, -0.3, 0.9, -2.0, 1.5];
    let (q, v) = system.project(0.3, &q, &v).unwrap();
    assert_derivatives((&system, &system.cast()), (0.3, q, v, vector![0.6]), 0.05);
}

/// Rows that depend on each other have the derivatives of one of them, along the constraints. The stages are off the
/// constraints by the order of the method, and there such rows are solved at the next state that meets them.
#[test]
fn dependent_rows() {
    let twice = Twice { l: 1.5 };
    let ((q, v), u, along) = (swinging(), vector![0.4], vector![0.8, 0.6]);
    let apart = |h: f64| {
        let (_, one) = rk4_step_derivatives(&PENDULUM, 0.0, &q, &v, &u, h).unwrap();
        let (_, two) = rk4_step_derivatives(&twice, 0.0, &q, &v, &u, h).unwrap();
        blocks(&one).into_iter().zip(blocks(&two)).fold(
            0.0,
            |largest: f64, ((_, one), (_, two))| {
                let by_state = ((one.q - two.q) * along)
                    .amax()
                    .max(((one.v - two.v) * along).amax());
                largest.max(by_state).max((one.u - two.u).amax())
            },
        )
    };
    let [long, middle, short] = [0.2, 0.1, 0.05].map(apart);
    assert!(short > 1e-9 && middle > 12.0 * short && long > 12.0 * middle);
}

/// Steps one after the other have the product of their derivatives.
#[test]
fn steps_are_chained() {
    let body = super::BODY;
    let (q, v) = super::tumbling();
    let (h, x) = (0.1, vector![0.3, -0.2, 0.5]);
    let ((q1, v1), first) = rk4_step_derivatives(&body, 0.0, &q, &v, &NONE, h).unwrap();
    let ((q2, v2), second) = rk4_step_derivatives(&body, h, &q1, &v1, &NONE, h).unwrap();
    let (dq, dv) = (
        second.q.q * first.q.q * x + second.q.v * first.v.q * x,
        second.v.q * first.q.q * x + second.v.v * first.v.q * x,
    );
    let e = 1e-5;
    let moved = |e: f64| {
        let q = body.integrate(&q, &(x * e));
        super::after(&body, (q, v), &NONE, (2.0 * h, 2))
    };
    let (ahead, behind) = (moved(e), moved(-e));
    let slope = body.difference(&q2, &ahead.0) - body.difference(&q2, &behind.0);
    assert!((slope / (2.0 * e) - dq).amax() < 1e-8);
    assert!(((ahead.1 - behind.1) / (2.0 * e) - dv).amax() < 1e-8);
    assert!((v2 - (ahead.1 + behind.1) / 2.0).amax() < 1e-8);
}

#[test]
fn the_same_errors_as_the_step() {
    let ((q, v), u) = (swinging(), vector![0.0]);
    let nan = vector![f64::NAN, 0.0];
    let huge = vector![1e200, 1e200];
    for (q, v, u, h) in [
        (nan, v, u, 0.1),
        (q, nan, u, 0.1),
        (q, v, vector![f64::NAN], 0.1),
        (q, v, u, f64::NAN),
        (q, v, u, f64::INFINITY),
        (q, v, u, 1e300),
        (vector![0.0, 0.0], v, u, 0.1),
        (q, huge, u, 0.1),
    ] {
        let step = rk4_step(&PENDULUM, 0.0, &q, &v, &u, h).map(|_| ());
        let derivatives = rk4_step_derivatives(&PENDULUM, 0.0, &q, &v, &u, h).map(|_| ());
        assert_eq!(derivatives, step, "{q} {v} {u} {h}");
        assert!(step.is_err());
    }
    let endless = Pendulum { l: f64::NAN };
    let step = rk4_step_derivatives(&endless, 0.0, &q, &v, &u, 0.1).map(|_| ());
    assert_eq!(step, rk4_step(&endless, 0.0, &q, &v, &u, 0.1).map(|_| ()));
    let body = FreeBody {
        i: [0.3, f64::NAN, 0.7],
    };
    let (q, v) = super::tumbling();
    let step = rk4_step_derivatives(&body, 0.0, &q, &v, &NONE, 0.1).map(|_| ());
    let argument = "self.i[1]";
    assert_eq!(step, Err(Error::NotFinite { argument }));
}
