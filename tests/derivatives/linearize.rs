//! The linearization of the state against the flow, and on lanes.

use lagrangian::nalgebra::{SVector, matrix, vector};
use lagrangian::{Error, lagrangian};
use simba::simd::{SimdValue, WideF64x4};

use crate::check::{Random, assert_close};

lagrangian! {
    /// A body that turns and moves, with an arm and a motor on it.
    struct Craft {
        x: coordinate,
        att: rotation,
        q: coordinate,
        i: parameter[3] = [0.3, 0.5, 0.7],
        motor: input[2],
    }

    frame Body = world.translate([x, 0.3 * x^2, 0]).rotate(att);
    body { frame: Body, mass: 1.2, at: [0.1, 0, 0.2], inertia: diag(i) }
    frame Arm = Body.translate([0, 0.2, 0]).rotate(y, q);
    body { frame: Arm, mass: 0.4, at: [0.3, 0, 0.1], inertia: diag(0.01, 0.02, 0.03) }
    gravity [0, 0, -9.81];
    Q.q = motor[0] * cos(q) - der(q);
    Q.att = [motor[1], 0, 0.1 * motor[0]];
}

fn state() -> (SVector<f64, 6>, SVector<f64, 5>, SVector<f64, 2>) {
    let mut random = Random(7);
    let mut q = random.vector::<6>();
    let four = q.fixed_rows::<4>(1).normalize();
    q.fixed_rows_mut::<4>(1).copy_from(&four);
    (q, random.vector(), random.vector())
}

/// A gives d/dt of the displacement between two neighbours, and of the change of v.
#[test]
fn neighbours_part_as_it_says() {
    let craft: Craft = Craft::default();
    let (q, v, u) = state();
    let at = craft.linearize(&q, &v, &u).unwrap();
    let (e, h) = (1e-4, 1e-4);
    for j in 0..10 {
        let unit = SVector::<f64, 10>::from_fn(|i, _| f64::from(u8::from(i == j)));
        let (d, w) = (
            unit.fixed_rows::<5>(0).into_owned(),
            unit.fixed_rows::<5>(5).into_owned(),
        );
        // The displacement a time `h` later, of a neighbour `e` away.
        let apart = |e: f64, h: f64| {
            let later = craft.integrate(&q, &(v * h));
            let neighbour = craft.integrate(&craft.integrate(&q, &(d * e)), &((v + w * e) * h));
            craft.difference(&later, &neighbour)
        };
        let slope = |h: f64| (apart(e, h) - apart(-e, h)) / (2.0 * e);
        let rate = (slope(h) - slope(-h)) / (2.0 * h);
        assert_close(
            "d",
            &at.a.fixed_view::<5, 1>(0, j).into_owned(),
            &rate,
            1e-6,
        );

        let a = |e: f64| {
            let q = craft.integrate(&q, &(d * e));
            craft.acceleration(&q, &(v + w * e), &u).unwrap()
        };
        let rate = (a(e) - a(-e)) / (2.0 * e);
        assert_close(
            "w",
            &at.a.fixed_view::<5, 1>(5, j).into_owned(),
            &rate,
            1e-6,
        );
    }
    let push = craft.acceleration_derivatives(&q, &v, &u).unwrap().u;
    assert_eq!(at.b.fixed_rows::<5>(5).into_owned(), push);
    assert_eq!(at.b.fixed_rows::<5>(0).amax(), 0.0);
}

lagrangian! {
    /// A bead on a moving ring, pushed along x.
    struct Bead {
        r: coordinate[2],
        m: parameter = 0.7,
        t: time,
        f: input,
    }

    T = m * der(r)^2 / 2;
    V = 9.81 * m * r.y;
    Q.r = [f * r.y, 0];
    holonomic ring: r^2 = 1 + t^2 / 10;
}

#[test]
fn lanes_agree_with_scalars() {
    let (bead, lanes) = (Bead::<f64>::default(), Bead::<WideF64x4>::default());
    let splat = |x: f64| WideF64x4::splat(x);
    let (q, v, u) = (vector![0.6, 0.8], vector![0.4, -0.3], vector![1.5]);
    let one = bead.linearize(0.3, &q, &v, &u).unwrap();
    let unchecked = bead.linearize_unchecked(0.3, &q, &v, &u);
    assert_close("A", &unchecked.a, &one.a, 1e-13);
    assert_close("B", &unchecked.b, &one.b, 1e-13);
    let many = lanes.linearize_unchecked(splat(0.3), &q.map(splat), &v.map(splat), &u.map(splat));
    for lane in 0..4 {
        assert_close("A", &many.a.map(|x| x.extract(lane)), &one.a, 1e-13);
        assert_close("B", &many.b.map(|x| x.extract(lane)), &one.b, 1e-13);
    }
}

#[test]
fn what_has_no_answer_is_an_error() {
    let bead: Bead = Bead::default();
    let (v, u) = (vector![0.0, 0.0], vector![0.0]);
    let nowhere = vector![0.0, 0.0];
    assert_eq!(
        bead.linearize(0.0, &nowhere, &v, &u),
        Err(Error::DependentConstraints { row: 0 })
    );
    let weights = vector![f64::NAN, 0.0];
    let q = vector![0.6, 0.8];
    assert_eq!(
        bead.vjp(0.0, &q, &v, &u, &weights),
        Err(Error::NotFinite { argument: "w" })
    );
    assert_eq!(
        bead.linearize(f64::INFINITY, &q, &v, &u),
        Err(Error::NotFinite { argument: "t" })
    );
}

lagrangian! {
    /// A cart that carries an inverted pendulum.
    struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l: parameter,
        g: parameter = 9.81,
        u: input,
    }

    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
}

/// A21 = [0, -m_p g / m_c; 0, (m_c + m_p) g / (l m_c)] and B2 = [1 / m_c; -1 / (l m_c)], by hand.
#[test]
fn the_state_matrix_of_a_cart_and_pole_upright() {
    let (m_c, m_p, l, g) = (1.0, 0.2, 0.5, 9.81);
    let system = CartPole::new(m_c, m_p, l);
    let zero = SVector::zeros();
    let upright = system.linearize(&zero, &zero, &vector![0.0]).unwrap();
    let state = matrix![
        0.0, 0.0, 1.0, 0.0;
        0.0, 0.0, 0.0, 1.0;
        0.0, -m_p * g / m_c, 0.0, 0.0;
        0.0, (m_c + m_p) * g / (l * m_c), 0.0, 0.0
    ];
    assert_close("A", &upright.a, &state, 1e-14);
    let force = vector![0.0, 0.0, 1.0 / m_c, -1.0 / (l * m_c)];
    assert_close("B", &upright.b, &force, 1e-14);
}
