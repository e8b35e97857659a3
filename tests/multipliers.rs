//! Forces that depend on multipliers: `multiplier(floor)`.

#[path = "multipliers/active.rs"]
mod active;
#[path = "multipliers/first_order.rs"]
mod first_order;

use lagrangian::nalgebra::{SMatrix, SVector, vector};
use lagrangian::{Baumgarte, Error, System, lagrangian, rk4_step};

lagrangian! {
    /// A block that slides down a slope with friction, pushed onto it by u.
    pub struct Block {
        x, y: coordinate,
        m, mu, slope: parameter,
        g: parameter = 9.81,
        u: input,
    }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * g * (cos(slope) * y - sin(slope) * x);
    holonomic floor: y = 0;
    Q.x = -mu * multiplier(floor);
    Q.y = -u;
}

#[test]
fn a_block_slides_with_friction() {
    let (m, mu, slope) = (2.0, 0.3, 0.6_f64);
    let system = Block {
        m,
        mu,
        slope,
        g: 9.81,
    };
    let (q, v, u) = (vector![1.0, 0.0], vector![0.5, 0.0], vector![3.0]);
    let motion = system.solve(&q, &v, &u).unwrap();
    let normal = m * 9.81 * slope.cos() + u[0];
    assert!((motion.multipliers[0] - normal).abs() < 1e-14);
    let expected = 9.81 * slope.sin() - mu * normal / m;
    assert!((motion.acceleration - vector![expected, 0.0]).norm() < 1e-15);
    let unchecked = system.acceleration_unchecked(&q, &v, &u);
    assert!((unchecked - motion.acceleration).norm() < 1e-14);
    // Q and f are without multipliers, B has them.
    assert_eq!(system.generalized_forces(&q, &v, &u), vector![0.0, -3.0]);
    assert_eq!(system.multiplier_forces(&q, &v, &u), vector![-mu, 0.0]);
    let b = system.linearize(&q, &v, &u).unwrap().b;
    assert!((b - vector![0.0, 0.0, -mu / m, 0.0]).norm() < 1e-15);
    assert!(!Block::<f64>::CONSERVES_ENERGY && !Block::<f64>::CONSERVED_MOMENTA[0]);
    const { assert!(<Block as System<f64, 2, 2, 1, 1>>::REACTING) };
    let held = Baumgarte {
        system: &system,
        alpha: 0.05,
        beta: 0.05,
        step: 0.01,
    };
    let held = held.solve(0.0, &q, &v, &u).unwrap();
    assert!((held.acceleration - motion.acceleration).norm() < 1e-14);
}

lagrangian! {
    /// A block that slides along the inside of a round wall with friction.
    struct Capstan { r, phi: coordinate, m, mu, radius: parameter }
    T = m * (der(r)^2 + r^2 * der(phi)^2) / 2;
    holonomic wall: r = radius;
    Q.phi = mu * r * multiplier(wall);
}

/// The speed falls with the angle by `exp(-mu phi)`, as the tension of a rope around a capstan does.
#[test]
fn friction_on_a_round_wall_follows_the_law_of_the_capstan() {
    let (m, mu, radius) = (2.0_f64, 0.3_f64, 0.5);
    let system = Capstan { m, mu, radius };
    let (mut q, mut v) = (vector![radius, 0.0], vector![0.0, 4.0]);
    let motion = system.solve(&q, &v).unwrap();
    assert!((motion.multipliers[0] + m * radius * 16.0).abs() < 1e-13);
    assert!((motion.acceleration - vector![0.0, -mu * 16.0]).norm() < 1e-14);
    for k in 0..1000 {
        let t = 1e-3 * f64::from(k);
        (q, v) = rk4_step(&system, t, &q, &v, &SVector::zeros(), 1e-3).unwrap();
    }
    assert!(q[1] > 2.0 && (v[1] / 4.0 - (-mu * q[1]).exp()).abs() < 1e-11);
}

lagrangian! {
    /// Painleve's rod: its lower end slides to the left on the floor, with the coefficient of friction mu.
    pub struct Rod { x, y, theta: coordinate, m, l, mu: parameter, g: parameter = 9.81 }
    let tip = [x - l / 2 * cos(theta), y - l / 2 * sin(theta)];
    T = m * (der(x)^2 + der(y)^2 + l^2 / 12 * der(theta)^2) / 2;
    V = m * g * y;
    holonomic floor: tip.y = 0;
    force [mu * multiplier(floor), 0] at tip;
}

/// The normal force is proportional to 1 / (W_nn - mu W_nt), which is zero first at tan(theta) = 2, mu = 4/3.
#[test]
fn painleves_rod_is_singular_at_its_critical_friction() {
    let theta = 2.0_f64.atan();
    let at = |mu: f64| {
        let rod = Rod {
            m: 3.0,
            l: 0.7,
            mu,
            g: 9.81,
        };
        let q = vector![0.0, 0.35 * theta.sin(), theta];
        rod.solve(&q, &vector![-1.0, 0.0, 0.0])
            .map(|motion| motion.multipliers[0])
    };
    let free = at(0.0).unwrap();
    // m g / (1 + 3 (cos^2 - mu sin cos))
    for mu in [0.0, 0.5, 1.0, 1.3] {
        let (sin, cos) = theta.sin_cos();
        let expected = 3.0 * 9.81 / (1.0 + 3.0 * (cos * cos - mu * sin * cos));
        assert!(
            (at(mu).unwrap() - expected).abs() < 1e-11 * expected,
            "{mu} {free}"
        );
    }
    assert_eq!(at(4.0 / 3.0), Err(Error::SingularMassMatrix));
    assert!(at(1.4).unwrap() < 0.0, "inconsistent beyond");
}

lagrangian! {
    /// A tippe top: a sphere with its centre of mass below the middle, sliding on the floor.
    pub struct TippeTop {
        place: coordinate[3],
        att: rotation,
        m, r, off: parameter,
        i: parameter[2],
        mu, smooth: parameter,
        g: parameter = 9.81,
    }
    frame Body = world.translate(place).rotate(att);
    // The origin is the middle of the sphere.
    body { frame: Body, mass: m, at: [0, 0, -off], inertia: diag(i[0], i[0], i[1]) }
    gravity [0, 0, -g];
    holonomic floor: place.z = r;
    let touch = place + [0, 0, -r];
    let slip = velocity(Body) + cross(angular_velocity(Body), [0, 0, -r]);
    let speed = sqrt(slip.x^2 + slip.y^2 + smooth^2);
    force -mu * multiplier(floor) / speed * [slip.x, slip.y, 0] at touch on Body;
    pub let sliding = slip;
    pub let axis = Body.vector([0, 0, 1]);
    /// The angular velocity in the axes of the world.
    pub let spin = angular_velocity(Body);
}

/// Jellett's constant: the angular momentum about the centre of mass along the line from the point on the floor to it,
/// times the length of this line.
fn jellett(top: &TippeTop, q: &SVector<f64, 7>, v: &SVector<f64, 6>) -> f64 {
    let axis = top.axis(q);
    let spin = top.spin(q, v);
    let along = axis.dot(&spin);
    let momentum = (spin - axis * along) * top.i[0] + axis * (along * top.i[1]);
    // From the centre of mass to the contact.
    let arm = -vector![0.0, 0.0, top.r] + axis * top.off;
    -momentum.dot(&arm)
}

#[test]
fn a_tippe_top_rises_and_keeps_the_constant_of_jellett() {
    let top = TippeTop {
        m: 6e-3,
        r: 0.015,
        off: 0.003,
        i: [8e-7, 7e-7],
        mu: 0.3,
        smooth: 1e-3,
        g: 9.81,
    };
    let start = top.neutral() + vector![0.0, 0.0, top.r, 0.0, 0.0, 0.0, 0.0];
    let q = top.integrate(&start, &vector![0.0, 0.0, 0.0, 0.1, 0.0, 0.0]);
    let v = vector![0.0, 0.0, 0.0, 0.0, 0.0, 180.0];
    let (mut q, mut v) = top.project(&q, &v).unwrap();
    let constant = jellett(&top, &q, &v);
    assert!((constant - 1.502557872375469e-6).abs() < 1e-20);
    let none = SVector::<f64, 0>::zeros();
    let mut highest = 0.0_f64;
    for _ in 0..80_000 {
        (q, v) = rk4_step(&top, 0.0, &q, &v, &none, 1e-4).unwrap();
        highest = highest.max(top.axis(&q).z.acos().to_degrees());
    }
    assert!((jellett(&top, &q, &v) - constant).abs() < 1e-6 * constant.abs());
    // It nutates: the highest angle in 8 s, with friction along slip / sqrt(slip^2 + (1 mm/s)^2).
    assert!((highest - 148.3).abs() < 0.01, "{highest}");
}

lagrangian! {
    /// Two rows and a nonlinear force, for comparisons with a dense solution and differences.
    pub struct Mixed {
        x, y, z: coordinate,
        m: parameter[3],
        k: parameter,
        u: input,
        t: time,
    }
    T = m[0] * der(x)^2 / 2 + m[1] * der(y)^2 / 2 + m[2] * der(z)^2 / 2 + m[0] * sin(x) * der(x) * der(y) / 3;
    V = k * x^2 * y;
    holonomic first: x + sin(y) + z^2 / 2 = 0.2 * t;
    nonholonomic second: cos(z) * der(x) + der(y) + x * der(z) = 0;
    Q.x = k * multiplier(second) * cos(y) - u * multiplier(first) / 4;
    Q.z = u + multiplier(first) * der(y) / 5;
}

#[test]
fn all_methods_have_the_same_equations() {
    let system = Mixed {
        m: [1.3, 0.8, 2.1],
        k: 0.7,
    };
    let t = 0.4;
    let (q, v, u) = (
        vector![0.3, -0.2, 0.5],
        vector![0.4, 0.9, -0.6],
        vector![0.8],
    );
    let motion = system.solve(t, &q, &v, &u).unwrap();
    let jacobian = system.constraint_jacobian(t, &q);
    let forces = jacobian.transpose() + system.multiplier_forces(t, &q, &v, &u);
    let mut matrix = SMatrix::<f64, 5, 5>::zeros();
    matrix
        .fixed_view_mut::<3, 3>(0, 0)
        .copy_from(&system.mass_matrix(t, &q));
    matrix.fixed_view_mut::<3, 2>(0, 3).copy_from(&-forces);
    matrix.fixed_view_mut::<2, 3>(3, 0).copy_from(&jacobian);
    let mut right = SVector::<f64, 5>::zeros();
    right
        .fixed_rows_mut::<3>(0)
        .copy_from(&system.forcing(t, &q, &v, &u));
    right
        .fixed_rows_mut::<2>(3)
        .copy_from(&system.constraint_gamma(t, &q, &v));
    let expected = matrix.lu().solve(&right).unwrap();
    let size = expected.norm();
    assert!((motion.acceleration - expected.fixed_rows::<3>(0)).norm() < 1e-12 * size);
    assert!((motion.multipliers - expected.fixed_rows::<2>(3)).norm() < 1e-12 * size);
    let unchecked = system.acceleration_unchecked(t, &q, &v, &u);
    assert!((unchecked - motion.acceleration).norm() < 1e-12 * size);
    // B by differences of Q + B lambda is in the derivatives.
    let found = system.acceleration_derivatives(t, &q, &v, &u).unwrap();
    let others = system.multiplier_derivatives(t, &q, &v, &u).unwrap();
    let h = 1e-6;
    let solve = |q: &SVector<f64, 3>, v: &SVector<f64, 3>, u: f64| {
        let motion = system.solve(t, q, v, &vector![u]).unwrap();
        (motion.acceleration, motion.multipliers)
    };
    let near = |column: SVector<f64, 3>, found: SVector<f64, 3>| {
        assert!(
            (column - found).norm() < 1e-7 * (1.0 + found.norm()),
            "{column} {found}"
        );
    };
    for k in 0..3 {
        let mut d = SVector::<f64, 3>::zeros();
        d[k] = h;
        let (plus, minus) = (solve(&(q + d), &v, u[0]), solve(&(q - d), &v, u[0]));
        near(
            (plus.0 - minus.0) / (2.0 * h),
            found.q.column(k).into_owned(),
        );
        let off = (plus.1 - minus.1) / (2.0 * h) - others.q.column(k);
        assert!(off.norm() < 1e-7 * (1.0 + others.q.norm()));
        let (plus, minus) = (solve(&q, &(v + d), u[0]), solve(&q, &(v - d), u[0]));
        near(
            (plus.0 - minus.0) / (2.0 * h),
            found.v.column(k).into_owned(),
        );
    }
    let (plus, minus) = (solve(&q, &v, u[0] + h), solve(&q, &v, u[0] - h));
    near(
        (plus.0 - minus.0) / (2.0 * h),
        found.u.column(0).into_owned(),
    );
    let w = vector![0.3, -0.7, 1.1];
    let gradient = system.vjp(t, &q, &v, &u, &w).unwrap();
    assert!((gradient.q - found.q.transpose() * w).norm() < 1e-12);
    assert!((gradient.v - found.v.transpose() * w).norm() < 1e-12);
    assert!((gradient.u - found.u.transpose() * w).norm() < 1e-12);
    // Generic code.
    let generic = <Mixed as System<f64, 3, 3, 1, 2>>::solve(&system, t, &q, &v, &u).unwrap();
    assert_eq!(generic, motion);
}

lagrangian! {
    /// A ball on the floor that slides, with the floor as a contact.
    pub struct Ball { x, y: coordinate, m, mu: parameter, g: parameter = 10 }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * g * y;
    contact floor: y >= 0;
    contact wall: x >= 0;
    Q.x = -mu * multiplier(floor);
}

#[test]
fn friction_acts_with_the_force_of_an_active_contact() {
    let system = Ball {
        m: 2.0,
        mu: 0.25,
        g: 10.0,
    };
    let (q, v) = (vector![1.0, 0.0], vector![1.0, 0.0]);
    let rolling = system.solve_active(&q, &v, &[true, false]).unwrap();
    assert_eq!(rolling.contact_forces, vector![20.0, 0.0]);
    assert_eq!(rolling.acceleration, vector![-2.5, 0.0]);
    let flying = system.solve_active(&q, &v, &[false, false]).unwrap();
    assert_eq!(flying.acceleration, vector![0.0, -10.0]);
    assert_eq!(system.acceleration(&q, &v).unwrap(), vector![0.0, -10.0]);
    let pressed = system.solve_active(&q, &v, &[true, true]).unwrap();
    assert_eq!(pressed.acceleration, vector![0.0, 0.0]);
    assert_eq!(pressed.contact_forces, vector![20.0, 5.0]);
}
