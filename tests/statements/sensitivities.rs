//! da/dtheta beside dual numbers through the accelerations.

use lagrangian::nalgebra::{SMatrix, SVector, matrix, vector};
use lagrangian::{Error, lagrangian};
use num_dual::Dual64;

use crate::support::assert_within;

lagrangian! {
    /// Time, a state, friction, an array and a matrix.
    struct CartPole {
        x, theta: coordinate,
        current: state,
        t: time,
        m_c, m_p, l, g: parameter,
        c: parameter[2],
        k: parameter[2, 2],
        u: input,
    }
    let pole = [x + l * sin(theta), -l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(pole)^2 / 2;
    V = m_p * g * pole.y + k[0, 0] * x^2 / 2 + k[0, 1] * x * sin(t);
    D = c[0] * der(x)^2 / 2 + c[1] * der(theta)^4 * k[1, 1];
    Q.x = u * current;
    der(current) = k[1, 0] * (u - current);
    /// By some of them.
    sensitivity by_mass { m_c, m_p, c[1] }
    #[allow(deprecated)]
    sensitivity by_all { c, k, l, g }
}

#[test]
fn cart_pole() {
    let system = CartPole {
        m_c: 1.3,
        m_p: 0.4,
        l: 0.7,
        g: 9.81,
        c: [0.2, 0.1],
        k: [[3.0, 0.5], [2.0, 0.4]],
    };
    let (t, q, v, z, u) = (
        0.4,
        vector![0.3, -0.8],
        vector![1.2, 0.7],
        vector![0.9],
        vector![2.0],
    );
    let column = |vary: fn(&mut CartPole<Dual64>, Dual64)| -> SVector<f64, 2> {
        let mut dual: CartPole<Dual64> = CartPole {
            m_c: 1.3.into(),
            m_p: 0.4.into(),
            l: 0.7.into(),
            g: 9.81.into(),
            c: [0.2, 0.1].map(Dual64::from),
            k: [[3.0, 0.5], [2.0, 0.4]].map(|row| row.map(Dual64::from)),
        };
        vary(&mut dual, Dual64::new(0.0, 1.0));
        let [q, v] = [q, v].map(|x: SVector<f64, 2>| x.map(Dual64::from));
        let (z, u) = (z.map(Dual64::from), u.map(Dual64::from));
        let a = dual.acceleration(t.into(), &q, &v, &z, &u);
        a.unwrap().map(|entry| entry.eps)
    };
    let by_mass: SMatrix<f64, 2, 3> = system.by_mass(t, &q, &v, &z, &u).unwrap();
    let expected = SMatrix::<f64, 2, 3>::from_columns(&[
        column(|system, e| system.m_c += e),
        column(|system, e| system.m_p += e),
        column(|system, e| system.c[1] += e),
    ]);
    assert_within("by mass", by_mass.as_slice(), expected.as_slice(), 1e-14);
    let by_all: SMatrix<f64, 2, 8> = system.by_all(t, &q, &v, &z, &u).unwrap();
    let expected = SMatrix::<f64, 2, 8>::from_columns(&[
        column(|system, e| system.c[0] += e),
        column(|system, e| system.c[1] += e),
        column(|system, e| system.k[0][0] += e),
        column(|system, e| system.k[0][1] += e),
        column(|system, e| system.k[1][0] += e),
        column(|system, e| system.k[1][1] += e),
        column(|system, e| system.l += e),
        column(|system, e| system.g += e),
    ]);
    assert_within("by all", by_all.as_slice(), expected.as_slice(), 1e-14);
    // The rate of the state acts on no acceleration.
    assert_eq!(by_all.column(4), SVector::<f64, 2>::zeros());
    let nothing = system.by_mass(t, &q, &v, &vector![f64::NAN], &u);
    assert_eq!(nothing, Err(Error::NotFinite { argument: "z" }));
}

lagrangian! {
    /// Its mass cancels.
    #[allow(deprecated)]
    struct Pendulum { q: coordinate, m, l, g: parameter }
    T = m * l^2 * der(q)^2 / 2;
    V = -m * g * l * cos(q);
    sensitivity by_all { m, l, g }
    sensitivity by_mass { m }
}

#[test]
fn the_mass_of_a_pendulum_has_zeros() {
    let system = Pendulum {
        m: 0.37,
        l: 1.3,
        g: 9.81,
    };
    let (q, v) = (vector![0.7], vector![0.3]);
    let (sin, by_all) = (0.7_f64.sin(), system.by_all(&q, &v).unwrap());
    assert_eq!(by_all[0], 0.0);
    let expected = [9.81 * sin / 1.69, -sin / 1.3];
    assert_within("l and g", &by_all.as_slice()[1..], &expected, 1e-15);
    assert_eq!(system.by_mass(&q, &v), Ok(matrix![0.0]));
    let broken = Pendulum { m: 0.0, ..system };
    assert_eq!(broken.by_mass(&q, &v), Err(Error::SingularMassMatrix));
    assert_eq!(broken.by_all(&q, &v), Err(Error::SingularMassMatrix));
}

/// Compares a sensitivity with duals in the parameters of a system without time and states.
macro_rules! check {
    ($system:ident, $by:ident, $q:expr, $v:expr, $u:expr, [$($parameter:ident $([$at:expr])*),*], $tolerance:expr) => {
        let system = $system::<f64>::default();
        let (q, v, u) = ($q, $v, $u);
        let found = system.$by(&q, &v, &u).unwrap();
        let mut expected: Vec<f64> = Vec::new();
        $(
            let mut dual = $system::<Dual64>::default();
            dual.$parameter $([$at])* += Dual64::new(0.0, 1.0);
            let (q, v, u) = (q.map(Dual64::from), v.map(Dual64::from), u.map(Dual64::from));
            let a = dual.acceleration(&q, &v, &u).unwrap();
            expected.extend(a.iter().map(|entry| entry.eps));
        )*
        let name = stringify!($system);
        assert_within(name, found.as_slice(), &expected, $tolerance);
    };
}

lagrangian! {
    /// Holonomic: a crank, its rod, a rocker, and a motor.
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
    Q.crank = motor;
    holonomic closed: second = third;
    sensitivity shape { m, length[0..3] }
}

lagrangian! {
    /// Nonholonomic, with forces by a multiplier.
    struct Skate {
        x, y, heading: coordinate,
        m: parameter = 0.7,
        i: parameter = 1.5,
        mu: parameter = 0.2,
        slope: parameter = 3,
        lead: parameter = 0.1,
        u: input,
    }
    T = m * der([x, y])^2 / 2 + i * der(heading)^2 / 2 + m * der(heading) * der(x) * sin(y) / 4;
    V = slope * x;
    Q.heading = u;
    nonholonomic edge: der(x) * sin(heading) = der(y) * cos(heading) + lead * der(heading);
    Q.x = -mu * multiplier(edge);
    sensitivity shape { m, i, mu, slope, lead }
}

lagrangian! {
    /// A top whose tip is held: rotations, and constraints on them.
    struct Top {
        att: rotation,
        p: coordinate[3],
        m: parameter = 1.2,
        l: parameter = 0.4,
        j: parameter[3] = [0.2, 0.25, 0.1],
        u: input,
    }
    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: m, at: [0, 0, l], inertia: diag(j) }
    gravity [0, 0, -9.81];
    torque [0, u, 0] on Body;
    holonomic tip: Body.point([0, 0, l / 10]) = [0, 0, 0];
    sensitivity shape { j, m, l }
}

lagrangian! {
    /// One row is written twice.
    #[lagrangian(redundant)]
    #[allow(deprecated)]
    struct Tied {
        x, y: coordinate,
        m: parameter = 1.3,
        k: parameter = 0.4,
        slope: parameter = 0.6,
        u: input,
    }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = k * x^3 * y;
    Q.x = u;
    holonomic once: y = slope * x;
    holonomic twice: 2 * y = 2 * slope * x;
    sensitivity shape { m, k, slope }
}

#[test]
fn constrained_systems() {
    check!(
        FourBar,
        shape,
        vector![1.0, 0.4, 1.6],
        vector![0.3, -0.7, 0.5],
        vector![1.4],
        [m, length[0], length[1], length[2]],
        1e-12
    );
    check!(
        Skate,
        shape,
        vector![0.2, -0.4, 0.9],
        vector![0.3, -0.7, 0.5],
        vector![1.4],
        [m, i, mu, slope, lead],
        1e-13
    );
    check!(
        Top,
        shape,
        vector![0.1, -0.2, 0.3, 0.93, 0.01, 0.02, -0.03],
        vector![0.3, -0.7, 0.5, 0.1, 0.2, 0.3],
        vector![1.4],
        [j[0], j[1], j[2], m, l],
        1e-12
    );
    check!(
        Tied,
        shape,
        vector![0.5, 0.3],
        vector![1.0, 0.6],
        vector![1.4],
        [m, k, slope],
        1e-13
    );
}

lagrangian! {
    /// Nothing depends on j[0] and j[1] while the first axis stays.
    struct Arm {
        q: coordinate[2],
        m: parameter[2] = [2, 1],
        j: parameter[2, 3] = [[0.1, 0.2, 0.3], [0.1, 0.05, 0.02]],
        l: parameter = 0.5,
        #[allow(unused_variables)]
        u: input,
    }
    frame A = world.rotate(z, q[0]);
    frame B = A.translate([l, 0, 0]).rotate(x, q[1]);
    body { frame: A, mass: m[0], at: [l / 2, 0, 0], inertia: diag(j[0]) }
    body { frame: B, mass: m[1], at: [0, 0, l / 2], inertia: diag(j[1]) }
    gravity [0, 0, -9.81];
    sensitivity shape { m, j, l }
}

#[test]
fn an_arm() {
    check!(
        Arm,
        shape,
        vector![0.2, -0.4],
        vector![0.3, -0.7],
        vector![0.0],
        [
            m[0], m[1], j[0][0], j[0][1], j[0][2], j[1][0], j[1][1], j[1][2], l
        ],
        1e-13
    );
    let arm = Arm::<f64>::default();
    let found = arm
        .shape(&vector![0.2, -0.4], &vector![0.3, -0.7], &vector![0.0])
        .unwrap();
    assert_eq!(found.fixed_columns::<2>(2), SMatrix::<f64, 2, 2>::zeros());
}
