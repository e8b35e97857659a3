//! Noether quantities: constant along integrated motions, and in closed form.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, Vector3, vector};

use crate::support::State;

/// The largest change of a quantity along a motion of so many steps, relative to its size.
fn drift(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    let first = values[0];
    let change = values.iter().map(|value| (value - first).abs());
    change.fold(0.0, f64::max) / first.abs().max(1e-3)
}

lagrangian! {
    /// A planet.
    struct Kepler { r: coordinate[3], m, mu: parameter }
    T = m * der(r)^2 / 2;
    V = -m * mu / norm(r);
    symmetry about_z: r -> [-r.y, r.x, 0];
    symmetry about_x: r.y -> -r.z, r.z -> r.y;
}

#[test]
fn turning_an_orbit() {
    let kepler = Kepler { m: 2.0, mu: 1.5 };
    let start = State::new([1.0, 0.2, -0.3], [0.1, 0.9, 0.4]);
    let path: Vec<State<3>> = start
        .trajectory(0.01, 500, |s| kepler.acceleration(&s.q, &s.v).unwrap())
        .collect();
    let about = |axis: Vector3<f64>, s: &State<3>| 2.0 * s.q.cross(&s.v).dot(&axis);
    for s in path.iter().step_by(100) {
        assert!((kepler.about_z(&s.q, &s.v) - about(Vector3::z(), s)).abs() < 1e-14);
        assert!((kepler.about_x(&s.q, &s.v) - about(Vector3::x(), s)).abs() < 1e-14);
    }
    assert!(drift(path.iter().map(|s| kepler.about_z(&s.q, &s.v))) < 1e-8);
    assert!(drift(path.iter().map(|s| kepler.about_x(&s.q, &s.v))) < 1e-8);
}

lagrangian! {
    /// A bead on a helix, by a constraint: it turns and rises together.
    struct Helix { p: coordinate[3], s: coordinate, m, radius, pitch: parameter }
    T = m * der(p)^2 / 2;
    holonomic wire: p = [radius * cos(s), radius * sin(s), pitch * s];
    symmetry screw: p -> [-p.y, p.x, pitch], s -> 1;
}

#[test]
fn screwing_along_a_helix() {
    let helix = Helix {
        m: 2.0,
        radius: 0.5,
        pitch: 0.3,
    };
    let (s, rate) = (0.7_f64, 1.1);
    let q = vector![0.5 * s.cos(), 0.5 * s.sin(), 0.3 * s, s];
    let v = vector![
        -0.5 * s.sin() * rate,
        0.5 * s.cos() * rate,
        0.3 * rate,
        rate
    ];
    // m (radius^2 + pitch^2) s'
    let expected = 2.0 * (0.25 + 0.09) * rate;
    assert!((helix.screw(&q, &v) - expected).abs() < 1e-14);
    let start = State { t: 0.0, q, v };
    let path = start.trajectory(0.01, 300, |s| helix.acceleration(&s.q, &s.v).unwrap());
    assert!(drift(path.map(|s| helix.screw(&s.q, &s.v))) < 1e-8);
}

lagrangian! {
    /// A spherical pendulum, on its rod by a constraint, about the vertical.
    struct Pendulum { p: coordinate[3], m, l, g: parameter }
    T = m * der(p)^2 / 2;
    V = m * g * p.z;
    holonomic rod: p^2 = l^2;
    symmetry vertical: p -> [-p.y, p.x, 0];
}

#[test]
fn a_pendulum_about_the_vertical() {
    let pendulum = Pendulum {
        m: 1.5,
        l: 1.0,
        g: 9.81,
    };
    let start = State::new([0.6, 0.0, -0.8], [0.0, 1.3, 0.0]);
    assert!((pendulum.vertical(&start.q, &start.v) - 1.5 * 0.6 * 1.3).abs() < 1e-14);
    let path = start.trajectory(0.005, 400, |s| pendulum.acceleration(&s.q, &s.v).unwrap());
    assert!(drift(path.map(|s| pendulum.vertical(&s.q, &s.v))) < 1e-8);
}

lagrangian! {
    /// A top whose peg slides freely, heavy and symmetric.
    #[derive(Clone)]
    struct Top {
        x, y: coordinate,
        att: rotation,
        m, l, i1, i3: parameter,
    }
    frame F = world.translate([x, y, 0]).rotate(att);
    body { frame: F, mass: m, at: [0, 0, l], inertia: diag(i1, i1, i3) }
    gravity [0, 0, -9.81];
    /// About its own axis.
    symmetry own: att -> [0, 0, 1];
    /// About the vertical of the world, with the peg.
    symmetry vertical: x -> -y, y -> x, att -> transpose(F.rotation) * [0, 0, 1];
    symmetry aside: x -> 1;
}

lagrangian! {
    /// A body that turns freely, about any axis of the world.
    struct Free { att: rotation, i: parameter[3], n: parameter[3] }
    frame F = world.rotate(att);
    body { frame: F, inertia: diag(i) }
    symmetry about: att -> transpose(F.rotation) * n;
}

/// The midpoint rule on the manifold.
fn turned<const M: usize, const N: usize>(
    (mut q, mut v): (SVector<f64, M>, SVector<f64, N>),
    steps: usize,
    acceleration: impl Fn(&SVector<f64, M>, &SVector<f64, N>) -> SVector<f64, N>,
    integrate: impl Fn(&SVector<f64, M>, &SVector<f64, N>) -> SVector<f64, M>,
) -> Vec<(SVector<f64, M>, SVector<f64, N>)> {
    let h = 1e-4;
    let mut path = vec![(q, v)];
    for _ in 0..steps {
        let a = acceleration(&q, &v);
        let (half_q, half_v) = (integrate(&q, &(v * (h / 2.0))), v + a * (h / 2.0));
        let half_a = acceleration(&half_q, &half_v);
        q = integrate(&q, &(half_v * h));
        v += half_a * h;
        path.push((q, v));
    }
    path
}

#[test]
fn a_sliding_top() {
    let top = Top {
        m: 1.2,
        l: 0.2,
        i1: 0.03,
        i3: 0.01,
    };
    let q = top.integrate(&top.neutral(), &vector![0.4, -0.3, 0.5, 0.2, 0.1]);
    let v = vector![0.1, 0.2, 0.5, -0.4, 20.0];
    let path = turned(
        (q, v),
        4000,
        |q, v| top.acceleration(q, v).unwrap(),
        |q, d| top.integrate(q, d),
    );
    assert!((top.own(&q, &v) - 0.01 * 20.0).abs() < 1e-12);
    for (name, drift) in [
        ("own", drift(path.iter().map(|(q, v)| top.own(q, v)))),
        ("aside", drift(path.iter().map(|(q, v)| top.aside(q, v)))),
        (
            "vertical",
            drift(path.iter().map(|(q, v)| top.vertical(q, v))),
        ),
    ] {
        assert!(drift < 3e-5, "{name}: {drift}");
    }
    // They are not constant for want of motion.
    assert!(drift(path.iter().map(|(q, v)| top.momenta(q, v)[2])) > 0.1);
}

#[test]
fn a_free_body_about_any_axis() {
    let axis = [0.3, -0.5, 0.8];
    let body = Free {
        i: [0.2, 0.3, 0.4],
        n: axis,
    };
    let q = body.integrate(&body.neutral(), &vector![0.5, 0.2, 0.1]);
    let v = vector![1.0, 2.0, -1.5];
    let path = turned(
        (q, v),
        4000,
        |q, v| body.acceleration(q, v).unwrap(),
        |q, d| body.integrate(q, d),
    );
    assert!(drift(path.iter().map(|(q, v)| body.about(q, v))) < 1e-6);
    assert!(drift(path.iter().map(|(q, v)| body.momenta(q, v)[0])) > 0.1);
}

lagrangian! {
    /// Nonholonomic: a skate. The constraint does work along a turn about a point, which is a symmetry and
    /// keeps nothing.
    struct Skate { x, y, heading: coordinate, m, i: parameter }
    T = m * (der(x)^2 + der(y)^2) / 2 + i * der(heading)^2 / 2;
    nonholonomic blade: der(x) * sin(heading) = der(y) * cos(heading);
    symmetry about_origin: x -> -y, y -> x, heading -> 1;
}

#[test]
fn a_symmetry_along_which_a_constraint_works() {
    let skate = Skate { m: 2.0, i: 0.5 };
    let start = State::new([1.0, 0.5, 0.3], [0.3_f64.cos(), 0.3_f64.sin(), 0.7]);
    let path = start.trajectory(0.01, 100, |s| skate.acceleration(&s.q, &s.v).unwrap());
    let path: Vec<State<3>> = path.collect();
    assert!(drift(path.iter().map(|s| skate.about_origin(&s.q, &s.v))) > 0.1);
    // d(p . xi)/dt = J^T lambda . xi
    let s = &path[50];
    let forces = skate.constraint_forces(&s.q, &s.v).unwrap();
    let work = forces.dot(&vector![-s.q[1], s.q[0], 1.0]);
    let [before, after] = [49, 51].map(|i| skate.about_origin(&path[i].q, &path[i].v));
    assert!(((after - before) / 0.02 - work).abs() < 1e-3 * work.abs());
}
