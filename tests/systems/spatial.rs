//! Single bodies and small mechanisms in space, by frames and bodies.

use lagrangian::nalgebra::{SVector, Vector3, vector};
use lagrangian::{Error, lagrangian};

use crate::harness::reference_test;
use crate::support::{State, assert_close};

lagrangian! {
    /// A free rigid body, turned by psi about z, then by theta about x, then by phi about y.
    struct FreeBody {
        psi, theta, phi, x, y, z: coordinate,
        m, ixx, iyy, izz: parameter,
    }

    frame B = world.translate([x, y, z]).rotate(z, psi).rotate(x, theta).rotate(y, phi);
    body { frame: B, mass: m, inertia: diag(ixx, iyy, izz) }
    pub let body_rates = transpose(B.rotation) * angular_velocity(B);
    pub let angular_momentum = B.vector(diag(ixx, iyy, izz) * body_rates);
}

reference_test! {
    free_body: FreeBody { m, ixx, iyy, izz },
    Natural (q, v),
    outputs [body_rates(&q, &v), angular_momentum(&q, &v)],
    coordinates ["psi", "theta", "phi", "x", "y", "z"],
    cyclic [true, false, false, true, true, true],
    conserved [true, false, false, true, true, true],
    conserves_energy true, constant_mass_matrix false,
}

/// The angular momentum in space is kept, and with it the momentum of the turn about z.
#[test]
fn free_body_keeps_its_angular_momentum() {
    let body = FreeBody {
        m: 1.5,
        ixx: 1.0,
        iyy: 2.0,
        izz: 3.0,
    };
    let start = State::new(
        [0.4, 0.5, 0.6, 0.0, 0.0, 0.0],
        [0.3, -0.7, 1.1, 0.2, -0.4, 0.6],
    );
    let kept = vector![-1.6856840410466, 1.67339477987887, 1.16589838345313];
    for State { q, v, .. } in
        start.trajectory(2e-3, 1000, |s| body.acceleration(&s.q, &s.v).unwrap())
    {
        assert_close("H", &body.angular_momentum(&q, &v), &kept, 1e-9);
        assert_close("p_psi", &body.momenta(&q, &v)[0], &kept.z, 1e-9);
    }
}

/// At theta = pi / 2 the axes of psi and phi coincide.
#[test]
fn free_body_tells_where_its_angles_fail() {
    let body = FreeBody {
        m: 1.5,
        ixx: 1.0,
        iyy: 2.0,
        izz: 3.0,
    };
    let lock = std::f64::consts::FRAC_PI_2;
    let v = SVector::from([0.3, -0.7, 1.1, 0.2, -0.4, 0.6]);
    for theta in [lock, -lock] {
        let q = SVector::from([0.4, theta, 0.6, 0.0, 0.0, 0.0]);
        let outcome = body.acceleration(&q, &v);
        assert_eq!(outcome, Err(Error::SingularMassMatrix), "at {theta}");
    }
}

lagrangian! {
    /// Two pinned rods with a mass that slides along the second.
    struct FramedRods {
        q1, q2, q3: coordinate,
        m, g, k_t, k_l, l: parameter,
    }

    let i = m * l^2 / 12;
    frame A = world.rotate(z, q1);
    frame B = A.translate([l, 0, 0]).rotate(x, q2);
    body { frame: A, mass: m, at: [l / 2, 0, 0], inertia: diag(0, i, i) }
    body { frame: B, mass: m, inertia: diag(i, 0, i) }
    body slider { frame: B, mass: m / 4, at: [0, q3, 0] }
    gravity [g, 0, 0];
    V += k_l * q3^2 / 2 + k_t * (q1^2 + q2^2) / 2;
    pub let slider = B.point([0, q3, 0]);
}

reference_test! {
    framed_rods: FramedRods { m, g, k_t, k_l, l },
    Natural (q, v),
    outputs [slider(&q), slider_jacobian(&q)],
    coordinates ["q1", "q2", "q3"], cyclic [false; 3], conserved [false; 3],
    conserves_energy true, constant_mass_matrix false,
}

lagrangian! {
    /// Three cylinders with torques between them.
    struct JointedCat {
        q1, q2, q3: coordinate,
        l, r, g, rho: parameter,
        twist, bend: input,
    }

    let mass = rho * l * pi * r^2;
    let across = mass * (3 * r^2 + l^2) / 12;
    let inertia = diag(across, across, mass * r^2 / 2);
    frame A = world.rotate(z, q1);
    frame B = A.rotate(z, q2);
    frame C = B.translate([0, 0, -3 * l / 2]).rotate(x, q3);
    body { frame: A, mass, at: [0, 0, -l / 2], inertia }
    body { frame: B, mass, at: [0, 0, -l], inertia }
    body { frame: C, mass, at: [0, 0, -l / 2], inertia }
    gravity [0, 0, -g];
    torque [0, 0, twist] on B;
    torque [0, 0, -twist] on A;
    torque B.vector([bend, 0, 0]) on C;
    torque -B.vector([bend, 0, 0]) on B;
    pub let tail = C.point([0, 0, -l / 2]);
}

reference_test! {
    jointed_cat: JointedCat { l, r, g, rho },
    Natural (q, v; u),
    outputs [tail(&q), tail_jacobian(&q)],
    coordinates ["q1", "q2", "q3"],
    cyclic [true, true, false], conserved [true, false, false],
    conserves_energy false, constant_mass_matrix false,
}

lagrangian! {
    /// A rotor in two gimbals, its centre off the pivot, with a motor on the inner gimbal.
    struct GimbalGyroscope {
        ring, gimbal, spin: coordinate,
        a, b, c, d, m, l, g: parameter,
        motor: input,
    }

    frame Outer = world.rotate(x, ring);
    frame Inner = Outer.rotate(y, gimbal);
    frame Rotor = Inner.rotate(z, spin);
    body outer { frame: Outer, mass: a, inertia: diag(a, a / 2, a / 2) }
    body inner { frame: Inner, mass: b, inertia: diag(b / 2, b, b / 2) }
    body rotor { frame: Rotor, mass: m, at: [0, 0, l], inertia: diag(c, c, d) }
    gravity [0, 0, -g];
    pub let axis = Rotor.vector([0, 0, 1]);
    pub let rotor_rate = angular_velocity(Rotor);
    torque motor * axis on Rotor;
    torque -motor * axis on Inner;
}

reference_test! {
    gimbal_gyroscope: GimbalGyroscope { a, b, c, d, m, l, g },
    Natural (q, v; u),
    outputs [axis(&q), axis_jacobian(&q), rotor_rate(&q, &v)],
    coordinates ["ring", "gimbal", "spin"],
    cyclic [false, false, true], conserved [false; 3],
    conserves_energy false, constant_mass_matrix false,
}

/// A fast rotor under a torque m g l turns about the vertical at m g l / (d s), to first order in
/// 1 / s, and does not fall.
#[test]
fn gyroscope_precesses_instead_of_falling() {
    let gyroscope = GimbalGyroscope {
        a: 1e-9,
        b: 1e-9,
        c: 0.5,
        d: 1.0,
        m: 1.0,
        l: 0.1,
        g: 10.0,
    };
    let speed = 1000.0;
    let start = State::new([-1.0, 0.0, 0.0], [0.0, 0.0, speed]);
    let height = gyroscope.axis(&start.q).z;
    let free = |s: &State<3>| gyroscope.acceleration(&s.q, &s.v, &vector![0.0]).unwrap();
    let end = start.trajectory(1e-4, 10_000, free).last().unwrap();
    let axis = gyroscope.axis(&end.q);
    assert!((axis.z - height).abs() < 1e-5, "it falls to {}", axis.z);
    let azimuth = |axis: &Vector3<f64>| axis.y.atan2(axis.x);
    let turned = azimuth(&axis) - azimuth(&gyroscope.axis(&start.q));
    assert!((turned - 1e-3).abs() < 1e-5, "it turns by {turned}");
}

lagrangian! {
    /// A body with all products of inertia, its centre off the reference point, pushed by a torque
    /// and by a force at a grip.
    struct PushedBody {
        r: coordinate[3],
        psi, theta, phi: coordinate,
        m, a, b, c, d, l: parameter,
        n, f: input[3],
    }

    frame B = world.translate(r).rotate(z, psi).rotate(y, theta).rotate(x, phi);
    body {
        frame: B,
        mass: m,
        at: [l / 2, l / 3, -l / 4],
        inertia: [
            [a + b, d / 4, d / 6],
            [d / 4, b + c, -d / 5],
            [d / 6, -d / 5, c + a],
        ],
    }
    let grip = B.point([0, l, l]);
    torque n on B;
    force f at grip;
    pub let grip_velocity = der(grip);
    pub let rates = angular_velocity(B);
}

reference_test! {
    pushed_body: PushedBody { m, a, b, c, d, l },
    Natural (q, v; u),
    outputs [grip_velocity(&q, &v), rates(&q, &v)],
    coordinates ["r[0]", "r[1]", "r[2]", "psi", "theta", "phi"],
    cyclic [true, true, true, false, false, false], conserved [false; 6],
    conserves_energy false, constant_mass_matrix false,
}

/// Sum of Q_j v_j = n . w + f . dr/dt.
#[test]
fn generalized_forces_have_the_power_of_torque_and_force() {
    let body = PushedBody {
        m: 1.2,
        a: 0.3,
        b: 0.2,
        c: 0.4,
        d: 0.1,
        l: 0.7,
    };
    let q = SVector::from([0.3, -0.2, 0.9, 1.1, -0.6, 0.4]);
    let v = SVector::from([0.5, 0.1, -0.7, 0.8, 1.3, -0.9]);
    let (n, f) = (vector![0.3, -1.7, 2.2], vector![0.9, -0.4, 1.3]);
    let u = SVector::from([n.x, n.y, n.z, f.x, f.y, f.z]);
    let power = n.dot(&body.rates(&q, &v)) + f.dot(&body.grip_velocity(&q, &v));
    let generalized = body.generalized_forces(&q, &v, &u).dot(&v);
    assert_close("power", &generalized, &power, 1e-13);
}
