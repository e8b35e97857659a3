//! `midpoint_step_derivatives` beside central differences, and symplectic matrices.

use lagrangian::nalgebra::{SMatrix, SVector, matrix, vector};
use lagrangian::{Step, System, lagrangian, midpoint_step, midpoint_step_derivatives};
use num_dual::Dual64;

use super::NONE;
use super::bodies::{FreeBody, Top};
use super::constrained::{Bob, Twice};

lagrangian! {
    struct Double { a, b: coordinate }
    let r = [sin(a), -cos(a)];
    let s = r + [sin(a + b), -cos(a + b)];
    T = (der(r)^2 + 2 * der(s)^2) / 2;
    V = 9.81 * (r.y + 2 * s.y);
}

lagrangian! {
    /// A body on a spring with a drag that depends on everything.
    struct Craft { t: time, p: coordinate[3], att: rotation, u: input[2] }
    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: 1.3, at: [0.1, 0, 0.2], inertia: [[0.3, 0.02, 0], [0.02, 0.4, 0.01], [0, 0.01, 0.5]] }
    gravity [0, 0.5, -9.81];
    spring { k: 5, from: Body.point([0.3, 0.1, 0]), to: [0, 0, 1] }
    force Body.vector([u[0], 0.2 * sin(t), 0]) - velocity(Body) * 0.4 at Body.origin;
    Q.att = [u[1], 0.1 * der(p)[0], -0.3 * der(att).z];
}

lagrangian! {
    /// A body whose point is held on a sphere that grows, and rolls on nothing along one direction.
    struct Held { t: time, p: coordinate[3], att: rotation, u: input }
    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: 1.3, at: [0.1, 0, 0.2], inertia: diag(0.3, 0.4, 0.5) }
    gravity [0, 0, -9.81];
    Q.att = [u, 0, 0];
    holonomic tip: Body.point([0.3, 0.2, 0.5])^2 = 1 + 0.1 * t;
    nonholonomic blade: dot(Body.vector([1, 0, 0]), velocity(Body)) = 0.2 * der(att).y;
}

/// All derivatives beside central differences of order four.
#[track_caller]
fn assert_differences<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    t: f64,
    (q, p, u): (&SVector<f64, NQ>, &SVector<f64, N>, &SVector<f64, K>),
    h: f64,
) where
    M: System<f64, NQ, N, K, C>,
{
    let (step, d) = midpoint_step_derivatives(system, t, q, p, u, h).unwrap();
    assert_eq!(step, midpoint_step(system, t, q, p, u, h).unwrap());
    let end = |x: &SVector<f64, N>, y: &SVector<f64, N>, z: &SVector<f64, K>| {
        let Step { q, p, .. } =
            midpoint_step(system, t, &system.integrate(q, x), &(p + y), &(u + z), h).unwrap();
        (system.difference(&step.q, &q), p)
    };
    let slope = |at: &dyn Fn(f64) -> (SVector<f64, N>, SVector<f64, N>)| {
        let e = 1e-3;
        let [a, b, c, f] = [e, -e, 2.0 * e, -2.0 * e].map(at);
        let of =
            |a: SVector<f64, N>, b, c: SVector<f64, N>, f| ((a - b) * 8.0 - (c - f)) / (12.0 * e);
        (of(a.0, b.0, c.0, f.0), of(a.1, b.1, c.1, f.1))
    };
    let (none, zero) = (SVector::zeros(), SVector::zeros());
    for j in 0..N {
        let mut unit = SVector::<f64, N>::zeros();
        unit[j] = 1.0;
        let (of_q, of_p) = slope(&|e| end(&(unit * e), &none, &zero));
        assert!(
            (d.q.q.column(j) - of_q).amax() < 1e-8,
            "dq/dq {j}\n{}\n{of_q}",
            d.q.q.column(j)
        );
        assert!(
            (d.p.q.column(j) - of_p).amax() < 1e-8,
            "dp/dq {j}\n{}\n{of_p}",
            d.p.q.column(j)
        );
        let (of_q, of_p) = slope(&|e| end(&none, &(unit * e), &zero));
        assert!((d.q.p.column(j) - of_q).amax() < 1e-8, "dq/dp {j}");
        assert!((d.p.p.column(j) - of_p).amax() < 1e-8, "dp/dp {j}");
    }
    for j in 0..K {
        let mut unit = SVector::<f64, K>::zeros();
        unit[j] = 1.0;
        let (of_q, of_p) = slope(&|e| end(&none, &none, &(unit * e)));
        assert!((d.q.u.column(j) - of_q).amax() < 1e-8, "dq/du {j}");
        assert!((d.p.u.column(j) - of_p).amax() < 1e-8, "dp/du {j}");
    }
}

#[test]
fn derivatives_beside_differences() {
    let double: Double = Double::default();
    assert_differences(
        &double,
        0.0,
        (&vector![0.5, 1.3], &vector![1.0, -2.0], &NONE),
        0.1,
    );
    let craft: Craft = Craft::default();
    let q = craft.integrate(&craft.neutral(), &vector![0.3, -0.2, 0.5, 0.7, -0.4, 0.2]);
    let p = craft.momenta(0.3, &q, &vector![0.4, 1.1, -0.3, 0.9, -2.0, 1.5]);
    assert_differences(&craft, 0.3, (&q, &p, &vector![0.6, -0.8]), 0.05);
    assert_differences(&craft, 0.3, (&q, &p, &vector![0.6, -0.8]), 0.4);
}

#[test]
fn derivatives_with_constraints() {
    let held: Held = Held::default();
    let q = held.integrate(&held.neutral(), &vector![0.3, -0.2, 0.5, 0.7, -0.4, 0.2]);
    let (q, v) = held
        .project(0.3, &q, &vector![0.4, 1.1, -0.3, 0.9, -2.0, 1.5])
        .unwrap();
    let p = held.momenta(0.3, &q, &v);
    assert_differences(&held, 0.3, (&q, &p, &vector![0.6]), 0.05);
}

/// Ω = [-[p]x I; -I 0] in displacements and momenta, with p x for rotations only.
fn form<const N: usize, const N2: usize>(p: &SVector<f64, N>, turns: bool) -> SMatrix<f64, N2, N2> {
    let mut form = SMatrix::zeros();
    for i in 0..N {
        form[(i, N + i)] = 1.0;
        form[(N + i, i)] = -1.0;
    }
    if turns {
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            form[(i, j)] = p[k];
            form[(j, i)] = -p[k];
        }
    }
    form
}

#[track_caller]
fn assert_symplectic<M, const NQ: usize, const N: usize, const N2: usize>(
    system: &M,
    (q, p): (&SVector<f64, NQ>, &SVector<f64, N>),
    h: f64,
    turns: bool,
) where
    M: System<f64, NQ, N, 0, 0>,
{
    let (step, d) = midpoint_step_derivatives(system, 0.0, q, p, &NONE, h).unwrap();
    let mut a = SMatrix::<f64, N2, N2>::zeros();
    for i in 0..N {
        for j in 0..N {
            a[(i, j)] = d.q.q[(i, j)];
            a[(i, N + j)] = d.q.p[(i, j)];
            a[(N + i, j)] = d.p.q[(i, j)];
            a[(N + i, N + j)] = d.p.p[(i, j)];
        }
    }
    let left = a.transpose() * form::<N, N2>(&step.p, turns) * a - form::<N, N2>(p, turns);
    assert!(left.amax() < 1e-12 * a.amax().powi(2), "{left}");
}

#[test]
fn steps_are_symplectic() {
    let double: Double = Double::default();
    assert_symplectic::<_, 2, 2, 4>(
        &double,
        (&vector![0.5, 1.3], &vector![1.0, -2.0]),
        0.1,
        false,
    );
    let body: FreeBody = FreeBody {
        i: [0.3, 0.35, 0.4],
    };
    let q = body.integrate(&body.neutral(), &vector![0.3, -0.2, 1.0]);
    assert_symplectic::<_, 4, 3, 6>(&body, (&q, &vector![0.1, 2.0, 1.3]), 0.1, true);
    let top: Top = Top::default();
    assert_symplectic::<_, 4, 3, 6>(&top, (&q, &vector![1.0, 8.0, -3.0]), 0.05, true);
}

/// On the constraints: two displacements along the circle, with momenta that stay tangent.
#[test]
fn constrained_steps_are_symplectic() {
    let bob: Bob = Bob::default();
    let (q, p) = (vector![0.8, -0.6], vector![0.3, 0.4]);
    let (_, d) = midpoint_step_derivatives(&bob, 0.0, &q, &p, &NONE, 0.1).unwrap();
    let along = vector![0.6, 0.8];
    let first = (along, q * -p.dot(&along));
    let second = (vector![0.0, 0.0], along);
    let moved = |(x, y)| (d.q.q * x + d.q.p * y, d.p.q * x + d.p.p * y);
    let area = |a: (SVector<f64, 2>, SVector<f64, 2>), b: (SVector<f64, 2>, SVector<f64, 2>)| {
        a.0.dot(&b.1) - a.1.dot(&b.0)
    };
    let (before, after) = (area(first, second), area(moved(first), moved(second)));
    assert!((after - before).abs() < 1e-13, "{before} {after}");
}

/// Rows that depend on each other have the derivatives of one of them.
#[test]
fn derivatives_with_redundant_rows() {
    let (bob, twice): (Bob, Twice) = (Bob::default(), Twice::default());
    let (q, p) = (vector![0.8, -0.6], vector![0.3, 0.4]);
    let (_, one) = midpoint_step_derivatives(&bob, 0.0, &q, &p, &NONE, 0.05).unwrap();
    let (_, two) = midpoint_step_derivatives(&twice, 0.0, &q, &p, &NONE, 0.05).unwrap();
    // The given q is on the circle, so only displacements along it have a meaning.
    let along = vector![0.6, 0.8];
    assert!(((one.q.q - two.q.q) * along).amax() < 1e-13);
    assert!(
        ((one.p.q - two.p.q) * along).amax() < 1e-12,
        "{:?} {:?}",
        one,
        two
    );
    assert!((one.q.p - two.q.p).amax() < 1e-13);
    assert!((one.p.p - two.p.p).amax() < 1e-12);
}

/// The rule on a linear oscillator is its Cayley transform.
#[test]
fn the_matrix_of_an_oscillator() {
    lagrangian! {
        struct Spring { x: coordinate, u: input }
        T = der(x)^2;
        V = 9 * x^2;
        Q.x = u;
    }
    let spring: Spring = Spring::default();
    let (_, d) = midpoint_step_derivatives(
        &spring,
        0.0,
        &vector![1.0],
        &vector![0.0],
        &vector![0.0],
        0.1,
    )
    .unwrap();
    let (half, one) = (
        matrix![0.0, 0.025; -0.9, 0.0],
        SMatrix::<f64, 2, 2>::identity(),
    );
    let inverse = (one - half).try_inverse().unwrap();
    let (a, b) = (inverse * (one + half), inverse * vector![0.0, 0.1]);
    assert!((a - matrix![d.q.q[0], d.q.p[0]; d.p.q[0], d.p.p[0]]).amax() < 1e-15);
    assert!((b - vector![d.q.u[0], d.p.u[0]]).amax() < 1e-15);
}

/// Dual numbers pass through Newton's method: one more step completes their derivatives.
#[test]
fn derivatives_by_a_parameter() {
    lagrangian! {
        struct Swing { a: coordinate, l: parameter }
        T = l^2 * der(a)^2 / 2;
        V = -9.81 * l * cos(a);
    }
    let end = |l: f64| {
        let step = midpoint_step(&Swing { l }, 0.0, &vector![0.7], &vector![0.4], &NONE, 0.2);
        step.unwrap().q[0]
    };
    let swing = Swing {
        l: Dual64::from(1.3).derivative(),
    };
    let [q, p, h] = [0.7, 0.4, 0.2].map(Dual64::from);
    let none = SVector::<Dual64, 0>::zeros();
    let step = midpoint_step(
        &swing,
        Dual64::from(0.0),
        &vector![q],
        &vector![p],
        &none,
        h,
    )
    .unwrap();
    let slope = (end(1.3 + 1e-5) - end(1.3 - 1e-5)) / 2e-5;
    assert!((step.q[0].re - end(1.3)).abs() < 1e-15 && (step.q[0].eps - slope).abs() < 1e-9);
}

lagrangian! {
    /// Twelve links, as long a text as that of an arm of seven joints.
    struct Chain { q: coordinate[12] }
    let mut r = [0, 0];
    for i in 0..12 {
        r += [sin(q[i]), -cos(q[i])];
        T += der(r)^2 / 2;
        V += 9.81 * r.y;
    }
}

#[test]
fn large_systems_step_without_a_request() {
    let chain: Chain = Chain::default();
    let q = SVector::<f64, 12>::from_fn(|i, _| 0.1 * i as f64);
    let p = SVector::<f64, 12>::from_fn(|i, _| 1.0 - 0.1 * i as f64);
    assert_symplectic::<_, 12, 12, 24>(&chain, (&q, &p), 0.02, false);
}
