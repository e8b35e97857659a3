//! Contacts: gaps, motions with closed contacts, impacts.

use lagrangian::nalgebra::{DMatrix, DVector, SMatrix, SVector, matrix, vector};
use lagrangian::{ActiveMotion, Contacts, Error, Impact, System, lagrangian};

lagrangian! {
    /// A rod in the plane, at an angle from the floor.
    pub struct Rod {
        x, y, theta: coordinate,
        m, l: parameter = 1,
        g: parameter = 9.81,
    }
    let tip = [x - l / 2 * cos(theta), y - l / 2 * sin(theta)];
    T = m * (der(x)^2 + der(y)^2 + l^2 / 12 * der(theta)^2) / 2;
    V = m * g * y;
    /// The lower end is above the floor.
    contact height: tip.y >= 0;
    contact along: tip.x >= 0;
}

#[test]
fn a_rod_hits_the_floor() {
    let rod = Rod::default();
    let (q, v) = (
        vector![0.0, 0.5 * 0.4_f64.sin(), 0.4],
        vector![0.0, -2.0, 0.0],
    );
    assert_eq!(Rod::CONTACTS, ["height", "along"]);
    assert!(rod.gaps(&q)[0].abs() < 1e-16);
    assert_eq!(rod.gap_rates(&q, &v)[0], -2.0);
    let hit = rod.impact(&q, &v, &[true, false], &[0.5, 0.0]).unwrap();
    let Impact {
        velocity, impulses, ..
    } = hit;
    assert!((impulses[0] - 0.8462480030867092).abs() < 2e-16);
    assert_eq!(impulses[1], 0.0);
    assert!((velocity[1] + 1.1537519969132908).abs() < 4e-16);
    assert!((velocity[2] + 4.676676161376006).abs() < 2e-15);
    assert!((rod.gap_rates(&q, &velocity)[0] - 1.0).abs() < 1e-15);
}

/// At tan(theta) = 2 Painleve's paradox appears first, at a coefficient of friction of 4/3.
#[test]
fn a_sliding_rod_has_the_paradox_of_painleve() {
    let rod = Rod {
        m: 3.0,
        l: 0.7,
        g: 9.81,
    };
    let least = |theta: f64| {
        let w = rod.delassus(&vector![0.0, 0.0, theta]).unwrap();
        assert_eq!(w, w.transpose());
        w[(0, 0)] / w[(0, 1)].abs()
    };
    let critical = 2.0_f64.atan();
    assert!((least(critical) - 4.0 / 3.0).abs() < 1e-14);
    for step in 1..150 {
        assert!(least(0.01 * f64::from(step)) >= 4.0 / 3.0 - 1e-14);
    }
}

lagrangian! {
    /// A box that falls flat on the floor.
    pub struct Carton {
        x, y, theta: coordinate,
        m, a, b: parameter,
        g: parameter = 9.81,
        f: input,
    }
    let up = [-sin(theta), cos(theta)];
    let side = [cos(theta), sin(theta)];
    T = m * (der(x)^2 + der(y)^2 + (a^2 + b^2) / 3 * der(theta)^2) / 2;
    V = m * g * y;
    force [f, 0] at [x, y] + b * up;
    for i in 0..2 {
        contact corner: 0 <= y + ((2 * i - 1) * a * side - b * up).y;
    }
    contact wall: x >= 0;
}

const CARTON: Carton = Carton {
    m: 3.7,
    a: 0.83,
    b: 0.31,
    g: 9.81,
};

#[test]
fn an_elastic_box_keeps_its_energy() {
    assert_eq!(Carton::CONTACTS, ["corner[0]", "corner[1]", "wall"]);
    for step in 0..100 {
        let s = f64::from(step);
        let q = vector![0.2, CARTON.b, 0.0];
        let v = vector![0.3 + s.sin(), -2.0 - s.cos(), 0.4 * (3.0 * s).sin()];
        let hit = CARTON
            .impact(&q, &v, &[true, true, false], &[1.0; 3])
            .unwrap();
        let [before, after] = [v, hit.velocity].map(|v| CARTON.kinetic_energy(&q, &v));
        assert!(
            (after / before - 1.0).abs() <= 8.0 * f64::EPSILON,
            "{before} {after}"
        );
    }
}

#[test]
fn a_box_rests_on_its_corners() {
    let (q, v, u) = (vector![0.0, CARTON.b, 0.0], SVector::zeros(), vector![5.0]);
    let motion = CARTON
        .solve_active(&q, &v, &u, &[true, true, false])
        .unwrap();
    let ActiveMotion {
        acceleration,
        contact_forces,
        ..
    } = motion;
    assert!((acceleration - vector![5.0 / CARTON.m, 0.0, 0.0]).amax() < 1e-14);
    // The force at the upper edge turns it onto the right corner.
    assert!(contact_forces[1] > contact_forces[0] && contact_forces[0] > 0.0);
    assert!((contact_forces.sum() - CARTON.m * CARTON.g).abs() < 1e-13);
    assert_eq!(contact_forces[2], 0.0);
    let free = CARTON.solve_active(&q, &v, &u, &[false; 3]).unwrap();
    assert_eq!(free.contact_forces, SVector::<f64, 3>::zeros());
    assert!((free.acceleration - CARTON.acceleration(&q, &v, &u).unwrap()).amax() < 1e-14);
    // All three are independent, and hold it.
    let held = CARTON.solve_active(&q, &v, &u, &[true; 3]).unwrap();
    assert!(held.acceleration.amax() < 1e-14);
    assert!(
        (held.contact_forces[2] + 5.0).abs() < 1e-14,
        "the wall pulls"
    );
}

#[test]
fn arguments_and_rows_are_named() {
    let (q, v, u) = (vector![0.0, CARTON.b, 0.0], SVector::zeros(), vector![5.0]);
    let all = [true; 3];
    let bad = |argument| Err(Error::NotFinite { argument });
    let nan = f64::NAN;
    let fails = |q, v, u| CARTON.solve_active(&q, &v, &u, &all).map(|_| ());
    assert_eq!(fails(vector![nan, 0.0, 0.0], v, u), bad("q"));
    assert_eq!(fails(q, vector![0.0, nan, 0.0], u), bad("v"));
    assert_eq!(fails(q, v, vector![nan]), bad("u"));
    let hit = |e| {
        CARTON
            .impact(&q, &v, &[false; 3], &[0.0, e, 0.0])
            .map(|_| ())
    };
    assert_eq!(hit(f64::INFINITY), bad("restitution"));
    let broken = Carton { b: nan, ..CARTON };
    assert_eq!(
        broken.solve_active(&q, &v, &u, &all).map(|_| ()),
        bad("self.b")
    );
    let weightless = Carton { m: 0.0, ..CARTON };
    let free = weightless.solve_active(&q, &v, &u, &[false; 3]).map(|_| ());
    assert_eq!(free, Err(Error::SingularMassMatrix));
    // Standing on its edge, the corners are one above the other.
    let q = vector![0.0, CARTON.a, std::f64::consts::FRAC_PI_2];
    assert!(CARTON.contact_jacobian(&q).row(0)[1] == 1.0);
}

lagrangian! {
    /// A pendulum in Cartesian coordinates that meets a wall, which moves.
    pub struct Bouncer {
        x, y: coordinate,
        m, l: parameter,
        g: parameter = 9.81,
        t: time,
    }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * g * y;
    holonomic rod: x^2 + y^2 = l^2;
    contact wall: x >= sin(3 * t);
    contact again: 2 * x >= sin(3 * t);
}

#[test]
fn contacts_move_and_constraints_hold() {
    let system = Bouncer {
        m: 2.0,
        l: 1.3,
        g: 9.81,
    };
    let (t, alpha) = (0.7_f64, 0.6_f64);
    let q = 1.3 * vector![alpha.sin(), -alpha.cos()];
    let v = -0.9 * vector![alpha.cos(), alpha.sin()];
    let gap = |t: f64| (3.0 * t).sin();
    assert!((system.gaps(t, &q)[0] - (q[0] - gap(t))).abs() < 1e-15);
    assert!((system.gap_rates(t, &q, &v)[0] - (v[0] - 3.0 * (3.0 * t).cos())).abs() < 1e-15);
    assert_eq!(system.contact_jacobian(t, &q), matrix![1.0, 0.0; 2.0, 0.0]);
    assert!((system.contact_gamma(t, &q, &v)[0] + 9.0 * (3.0 * t).sin()).abs() < 1e-14);
    let motion = system.solve_active(t, &q, &v, &[true, false]).unwrap();
    let second =
        system.contact_jacobian(t, &q) * motion.acceleration - system.contact_gamma(t, &q, &v);
    assert!(second[0].abs() < 1e-13);
    let gamma = system.constraint_gamma(t, &q, &v);
    assert!((system.constraint_jacobian(t, &q) * motion.acceleration - gamma).amax() < 1e-13);

    let hit = system
        .impact(t, &q, &v, &[true, false], &[0.25, 0.0])
        .unwrap();
    let [before, after] = [v, hit.velocity].map(|v| system.gap_rates(t, &q, &v)[0]);
    assert!((after + 0.25 * before).abs() < 1e-14);
    assert!(system.constraint_velocity(t, &q, &hit.velocity).amax() < 1e-14);
    let impulse = system.constraint_jacobian(t, &q).transpose() * hit.multipliers
        + system.contact_jacobian(t, &q).transpose() * hit.impulses;
    assert!((2.0 * (hit.velocity - v) - impulse).amax() < 1e-14);

    // The mass has one direction left, so that the second wall adds nothing: constraints count first.
    let both = system.solve_active(t, &q, &v, &[true, true]);
    assert_eq!(
        both.map(|_| ()),
        Err(Error::DependentConstraints { row: 2 })
    );
    let both = system.impact(t, &q, &v, &[true, true], &[0.0; 2]);
    assert_eq!(
        both.map(|_| ()),
        Err(Error::DependentConstraints { row: 2 })
    );
    assert!(system.solve_active(t, &q, &v, &[false, true]).is_ok());

    // Along the circle: cos(alpha)^2 / m.
    let w = system.delassus(t, &q).unwrap();
    let expected = alpha.cos().powi(2) / 2.0 * matrix![1.0, 2.0; 2.0, 4.0];
    assert!((w - expected).amax() < 1e-14);
}

lagrangian! {
    /// A ball with a frame of its own, some of it massless, so that M is singular.
    pub struct Loose {
        p: coordinate[3],
        att: rotation,
        z: coordinate,
        m, j: parameter,
    }
    frame Body = world.translate(p).rotate(att);
    body ball { frame: Body, mass: m, inertia: diag(j, 2 * j, 3 * j) }
    gravity [0, 0, -9.81];
    T += 0 * der(z)^2 / 2;
    V = (z - p.x)^2 / 2;
    holonomic follower: z = 2 * p.y;
    contact floor: Body.point([0.1, 0.2, -0.3]).z >= 0;
    contact side: Body.point([0.3, 0.1, 0.2]).x <= 2;
}

fn numbers() -> impl FnMut() -> f64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    }
}

/// The solution of all equations with the active rows, by a dense solve.
fn dense<M, const NQ: usize, const N: usize, const K: usize, const C: usize, const P: usize>(
    system: &M,
    (q, v, u): (&SVector<f64, NQ>, &SVector<f64, N>, &SVector<f64, K>),
    active: &[bool; P],
    (f, of_rows, of_contacts): (SVector<f64, N>, SVector<f64, C>, SVector<f64, P>),
) -> (SVector<f64, N>, SVector<f64, C>, SVector<f64, P>)
where
    M: Contacts<f64, NQ, N, K, C, P>,
{
    let closed: Vec<usize> = (0..P).filter(|k| active[*k]).collect();
    let size = N + C + closed.len();
    let (mut a, mut b) = (DMatrix::zeros(size, size), DVector::zeros(size));
    let mass = system.mass_matrix(0.0, q, v, u);
    let jacobian = system.constraint_jacobian(0.0, q, v, u);
    let contacts = system.contact_jacobian(0.0, q, v, u);
    for i in 0..N {
        b[i] = f[i];
        for j in 0..N {
            a[(i, j)] = mass[(i, j)];
        }
        for k in 0..C {
            a[(N + k, i)] = jacobian[(k, i)];
            a[(i, N + k)] = -jacobian[(k, i)];
        }
        for (at, k) in closed.iter().enumerate() {
            a[(N + C + at, i)] = contacts[(*k, i)];
            a[(i, N + C + at)] = -contacts[(*k, i)];
        }
    }
    for k in 0..C {
        b[N + k] = of_rows[k];
    }
    for (at, k) in closed.iter().enumerate() {
        b[N + C + at] = of_contacts[*k];
    }
    let x = a.lu().solve(&b).unwrap();
    let mut forces = SVector::zeros();
    for (at, k) in closed.iter().enumerate() {
        forces[*k] = x[N + C + at];
    }
    let part = |from| x.rows(from, x.len() - from);
    (
        SVector::from_iterator(part(0).iter().copied().take(N)),
        SVector::from_iterator(part(N).iter().copied().take(C)),
        forces,
    )
}

/// Motions, impacts and Delassus' matrix at a random state, against dense solves.
fn compare<M, const NQ: usize, const N: usize, const K: usize, const C: usize, const P: usize>(
    system: &M,
    q: &SVector<f64, NQ>,
    random: &mut impl FnMut() -> f64,
) where
    M: Contacts<f64, NQ, N, K, C, P>,
{
    let v = SVector::<f64, N>::from_fn(|_, _| random());
    let u = SVector::<f64, K>::from_fn(|_, _| random());
    let state = (q, &v, &u);
    let f = system.forcing(0.0, q, &v, &u);
    let gamma = system.constraint_gamma(0.0, q, &v, &u);
    let contact_gamma = system.contact_gamma(0.0, q, &v, &u);
    let rates = system.gap_rates(0.0, q, &v, &u);
    let none = (SVector::<f64, N>::zeros(), SVector::<f64, C>::zeros());
    for pattern in 0..1_usize << P {
        let active: [bool; P] = std::array::from_fn(|k| pattern >> k & 1 == 1);
        let motion = system.solve_active(0.0, q, &v, &u, &active).unwrap();
        let (a, lambda, forces) = dense(system, state, &active, (f, gamma, contact_gamma));
        let close = |difference: f64, size: f64| assert!(difference < 1e-11 * (1.0 + size));
        close((motion.acceleration - a).amax(), a.amax());
        close((motion.multipliers - lambda).amax(), lambda.amax());
        close((motion.contact_forces - forces).amax(), forces.amax());

        let e: [f64; P] = std::array::from_fn(|_| random().abs());
        let hit = system.impact(0.0, q, &v, &u, &active, &e).unwrap();
        let wanted = SVector::from_fn(|k, _| -(1.0 + e[k]) * rates[k]);
        let (change, impulses, pushes) = dense(system, state, &active, (none.0, none.1, wanted));
        close((hit.velocity - v - change).amax(), change.amax());
        close((hit.multipliers - impulses).amax(), impulses.amax());
        close((hit.impulses - pushes).amax(), pushes.amax());
    }
    let w = system.delassus(0.0, q, &v, &u).unwrap();
    let contacts = system.contact_jacobian(0.0, q, &v, &u);
    for k in 0..P {
        let unit = contacts.row(k).transpose();
        let (a, ..) = dense(system, state, &[false; P], (unit, none.1, SVector::zeros()));
        assert!((w.column(k) - contacts * a).amax() < 1e-11 * (1.0 + w.amax()));
    }
}

#[test]
fn random_states_agree_with_dense_solves() {
    let mut random = numbers();
    for _ in 0..200 {
        let positive = |random: &mut dyn FnMut() -> f64| 1.5 + random();
        let rod = Rod {
            m: positive(&mut random),
            l: positive(&mut random),
            g: 9.81,
        };
        compare(&rod, &SVector::from_fn(|_, _| random()), &mut random);
        compare(
            &CARTON,
            &SVector::from_fn(|_, _| 0.5 * random()),
            &mut random,
        );
        let loose = Loose {
            m: positive(&mut random),
            j: positive(&mut random),
        };
        let d = SVector::from_fn(|_, _| random());
        let q = loose.integrate(&loose.neutral(), &d);
        compare(&loose, &q, &mut random);
    }
}

/// The gaps, their rates and their second derivatives along a motion.
#[test]
fn gaps_follow_the_motion() {
    let mut random = numbers();
    let loose = Loose { m: 1.3, j: 0.4 };
    let q = loose.integrate(&loose.neutral(), &SVector::from_fn(|_, _| random()));
    let v = SVector::<f64, 7>::from_fn(|_, _| random());
    let a = SVector::<f64, 7>::from_fn(|_, _| random());
    let h = 1e-4;
    // A motion with this velocity and acceleration: of rotations to second order.
    let gaps = |t: f64| loose.gaps(&loose.integrate(&q, &(v * t + a * (t * t / 2.0))));
    let [before, here, after] = [-h, 0.0, h].map(gaps);
    let rates = (after - before) / (2.0 * h);
    assert!((rates - loose.gap_rates(&q, &v)).amax() < 1e-7);
    assert!((loose.contact_jacobian(&q) * v - loose.gap_rates(&q, &v)).amax() < 1e-14);
    let second = (after - 2.0 * here + before) / (h * h);
    let expected = loose.contact_jacobian(&q) * a - loose.contact_gamma(&q, &v);
    assert!((second - expected).amax() < 1e-6);
}

/// Any system with contacts: the methods of the trait and the inherent methods have the same values.
fn pushing<M, const NQ: usize, const N: usize, const K: usize, const C: usize, const P: usize>(
    system: &M,
    q: &SVector<f64, NQ>,
) -> (&'static str, f64)
where
    M: Contacts<f64, NQ, N, K, C, P> + System<f64, NQ, N, K, C>,
{
    let (v, u) = (SVector::zeros(), SVector::zeros());
    let motion = system.solve_active(0.0, q, &v, &u, &[true; P]).unwrap();
    let (largest, force) = motion.contact_forces.argmax();
    let names: [&'static str; P] = M::CONTACTS;
    (names[largest], force)
}

#[test]
fn generic_code_has_the_trait() {
    let q = vector![0.3, 0.2, 0.4];
    let rod = Rod::default();
    let forces = rod
        .solve_active(&q, &SVector::zeros(), &[true; 2])
        .unwrap()
        .contact_forces;
    assert_eq!(pushing(&rod, &q), ("height", forces[0]));
    let bad = Contacts::impact(&rod, f64::NAN, &q, &q, &vector![], &[true; 2], &[0.0; 2]);
    assert_eq!(bad.map(|_| ()), Err(Error::NotFinite { argument: "t" }));
}

/// Masses and lengths of any unit.
#[test]
fn units_do_not_matter() {
    for exponent in [-30, -12, 0, 12, 30] {
        let unit = 10.0_f64.powi(exponent);
        let rod = Rod {
            m: unit,
            l: 1.0,
            g: 9.81,
        };
        let (q, v) = (
            vector![0.0, 0.5 * 0.4_f64.sin(), 0.4],
            vector![0.0, -2.0, 0.0],
        );
        let hit = rod.impact(&q, &v, &[true, false], &[0.5, 0.0]).unwrap();
        assert!((hit.impulses[0] / unit - 0.8462480030867092).abs() < 1e-15);
        let long = Rod {
            m: 1.0,
            l: unit,
            g: 9.81,
        };
        let hit = long.impact(&q, &v, &[true, false], &[0.5, 0.0]).unwrap();
        assert!((hit.velocity[2] * unit + 4.676676161376006).abs() < 1e-14);
    }
}

/// Central differences of a function of the displacement of q.
fn along<M, const NQ: usize, const N: usize, const K: usize, const C: usize, const R: usize>(
    system: &M,
    q: &SVector<f64, NQ>,
    value: impl Fn(&SVector<f64, NQ>) -> SVector<f64, R>,
) -> SMatrix<f64, R, N>
where
    M: System<f64, NQ, N, K, C>,
{
    let h = 1e-5;
    let mut slopes = SMatrix::<f64, R, N>::zeros();
    for j in 0..N {
        let mut d = SVector::<f64, N>::zeros();
        d[j] = h;
        let [after, before] = [d, -d].map(|d| value(&system.integrate(q, &d)));
        slopes.set_column(j, &((after - before) / (2.0 * h)));
    }
    slopes
}

/// Central differences of a function of a vector.
fn by<const N: usize, const R: usize>(
    x: &SVector<f64, N>,
    value: impl Fn(&SVector<f64, N>) -> SVector<f64, R>,
) -> SMatrix<f64, R, N> {
    let h = 1e-5;
    let mut slopes = SMatrix::<f64, R, N>::zeros();
    for j in 0..N {
        let mut d = SVector::<f64, N>::zeros();
        d[j] = h;
        let difference = value(&(x + d)) - value(&(x - d));
        slopes.set_column(j, &(difference / (2.0 * h)));
    }
    slopes
}

fn assert_near<const R: usize, const N: usize>(
    actual: SMatrix<f64, R, N>,
    expected: SMatrix<f64, R, N>,
) {
    let error = (actual - expected).amax();
    let size = 1.0 + expected.amax();
    assert!(error < 1e-7 * size, "{actual} is not {expected}");
}

#[test]
fn linearizations_follow_closed_contacts() {
    let mut random = numbers();
    let all = [[true, false, true], [true, true, false], [false; 3]];
    for active in all {
        let q = SVector::from_fn(|_, _| 0.4 * random());
        let v = SVector::<f64, 3>::from_fn(|_, _| random());
        let u = vector![random()];
        let a = |q: &_, v: &_, u: &_| CARTON.solve_active(q, v, u, &active).unwrap().acceleration;
        let linear = CARTON.linearize_active(&q, &v, &u, &active).unwrap();
        assert_near(
            linear.a.fixed_view::<3, 3>(3, 0).into(),
            along(&CARTON, &q, |q| a(q, &v, &u)),
        );
        assert_near(
            linear.a.fixed_view::<3, 3>(3, 3).into(),
            by(&v, |v| a(&q, v, &u)),
        );
        assert_near(
            linear.b.fixed_view::<3, 1>(3, 0).into(),
            by(&u, |u| a(&q, &v, u)),
        );
        assert_eq!(
            linear.a.fixed_view::<3, 3>(0, 3),
            SMatrix::<f64, 3, 3>::identity()
        );
    }
    // Without an active contact it is that of the free motion.
    let (q, v, u) = (
        vector![0.1, 0.2, 0.3],
        vector![0.4, -0.5, 0.6],
        vector![0.7],
    );
    let free = CARTON.linearize_active(&q, &v, &u, &[false; 3]).unwrap();
    assert!((free.a - CARTON.linearize(&q, &v, &u).unwrap().a).amax() < 1e-13);

    let loose = Loose { m: 1.3, j: 0.4 };
    let q = loose.integrate(&loose.neutral(), &SVector::from_fn(|_, _| random()));
    let v = SVector::<f64, 7>::from_fn(|_, _| random());
    for active in [[true, false], [true, true]] {
        let a = |q: &_, v: &_| loose.solve_active(q, v, &active).unwrap().acceleration;
        let linear = loose.linearize_active(&q, &v, &active).unwrap();
        assert_near(
            linear.a.fixed_view::<7, 7>(7, 0).into(),
            along(&loose, &q, |q| a(q, &v)),
        );
        assert_near(
            linear.a.fixed_view::<7, 7>(7, 7).into(),
            by(&v, |v| a(&q, v)),
        );
        let w = v.fixed_rows::<3>(3).cross_matrix();
        assert_eq!(linear.a.fixed_view::<3, 3>(3, 3), -w);
    }
}

#[test]
fn derivatives_of_impacts() {
    let mut random = numbers();
    let bouncer = Bouncer {
        m: 2.0,
        l: 1.3,
        g: 9.81,
    };
    let (q, v) = (vector![0.6, -1.1], vector![-0.7, 0.9]);
    let (active, e) = ([true, false], [0.3, 0.0]);
    let after = |q: &_, v: &_| bouncer.impact(0.7, q, v, &active, &e).unwrap().velocity;
    let (by_q, by_v) = bouncer
        .impact_derivatives(0.7, &q, &v, &active, &e)
        .unwrap();
    assert_near(by_q, along(&bouncer, &q, |q| after(q, &v)));
    assert_near(by_v, by(&v, |v| after(&q, v)));

    let (loose, e) = (Loose { m: 1.3, j: 0.4 }, [0.3, 0.8]);
    for active in [[true, false], [true, true], [false, false]] {
        let q = loose.integrate(&loose.neutral(), &SVector::from_fn(|_, _| random()));
        let v = SVector::<f64, 7>::from_fn(|_, _| random());
        let after = |q: &_, v: &_| loose.impact(q, v, &active, &e).unwrap().velocity;
        let (by_q, by_v) = loose.impact_derivatives(&q, &v, &active, &e).unwrap();
        assert_near(by_q, along(&loose, &q, |q| after(q, &v)));
        assert_near(by_v, by(&v, |v| after(&q, v)));
        let u = vector![];
        let of_trait = Contacts::impact_derivatives(&loose, 0.0, &q, &v, &u, &active, &e).unwrap();
        assert_eq!(of_trait, (by_q, by_v));
    }
}

lagrangian! {
    /// A relativistic mass, whose M depends on v, on a slope.
    pub struct Fast {
        x, y: coordinate,
        c: parameter,
    }
    L = -c^2 * sqrt(1 - (der(x)^2 + der(y)^2) / c^2) - y;
    contact slope: y >= x^2;
}

#[test]
fn a_mass_that_depends_on_the_velocity() {
    let fast = Fast { c: 3.0 };
    let (q, v) = (vector![0.4, 0.16], vector![1.1, -0.8]);
    let m = fast.mass_matrix(&q, &v);
    let row = fast.contact_jacobian(&q);
    let w = fast.delassus(&q, &v).unwrap();
    assert!((w - row * m.try_inverse().unwrap() * row.transpose()).amax() < 1e-14);
    let after = |q: &_, v: &_| fast.impact(q, v, &[true], &[0.5]).unwrap().velocity;
    let (by_q, by_v) = fast.impact_derivatives(&q, &v, &[true], &[0.5]).unwrap();
    assert_near(by_q, along(&fast, &q, |q| after(q, &v)));
    assert_near(by_v, by(&v, |v| after(&q, v)));
}
