//! Contacts with friction and restitution, and joints with dry friction: the generated terms, and the motions.

use lagrangian::nalgebra::{Matrix3, SVector, Vector3, matrix, vector};
use lagrangian::{lagrangian, quaternion, quaternion_entries};

lagrangian! {
    /// A block on an incline, in the axes of the slope.
    pub struct Block {
        x, y: coordinate,
        m: parameter = 2,
        slope, mu, e: parameter,
        g: parameter = 9.81,
    }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * g * (x * sin(slope) + y * cos(slope));
    contact floor: y >= 0 { slip: der(x), friction: mu, restitution: e };
}

const BLOCK: Block = Block {
    m: 2.0,
    slope: 0.4,
    mu: 0.5,
    e: 0.3,
    g: 9.81,
};

#[test]
fn a_block_slides_along_its_incline() {
    let (q, v) = (vector![1.3, 0.0], vector![-0.7, 0.1]);
    let terms = BLOCK.friction_terms(&q, &v);
    assert_eq!(terms.slips, [vector![-0.7], vector![0.0]]);
    assert_eq!(terms.slip_jacobians, [matrix![1.0, 0.0], matrix![0.0, 0.0]]);
    assert_eq!(terms.slip_gammas, [vector![0.0]; 2]);
    assert_eq!((terms.friction[0], terms.restitution[0]), (0.5, 0.3));
    assert_eq!(terms.joint_limits, SVector::<f64, 0>::zeros());
    // Half an ulp of v, four times.
    let unit = 2.0 * f64::EPSILON;
    let bounds = [
        (terms.gap_bounds[0], 0.0),
        (terms.gap_rate_bounds[0], 0.1),
        (terms.slip_bounds[0][0], 0.7),
        (terms.slip_bounds[1][0], 0.0),
    ];
    for (bound, size) in bounds {
        let rest = (bound - unit * size).abs();
        assert!(
            rest <= 1e-6 * unit * size + 2.0 * f64::MIN_POSITIVE,
            "{bound:e} {size}"
        );
    }
}

lagrangian! {
    /// A body in space whose foot may slide in two directions, on a floor that becomes smooth with time.
    pub struct Walker {
        p: coordinate[3],
        att: rotation,
        t: time,
        r: parameter[3] = [0.1, -0.2, -0.9],
        m, i, mu: parameter = 0.7,
    }
    frame Body = world.translate(p).rotate(att);
    let foot = Body.point(r);
    body { frame: Body, mass: m, inertia: diag(i, 2 * i, 3 * i) }
    contact foot: foot.z >= 0 {
        slip: [der(foot).x, der(foot).y],
        friction: mu / (1 + t^2),
        restitution: 1 / (2 + der(foot).z^2),
    };
}

#[test]
fn a_foot_slides_in_two_directions() {
    let walker = Walker::default();
    let att = quaternion([0.3, -0.2, 0.5, 0.7]);
    let [a, b, c, d] = quaternion_entries(&att);
    let q = vector![0.4, 0.1, 0.8, a, b, c, d];
    let v = vector![0.3, -0.6, 0.2, 0.9, -0.4, 1.3];
    let (r, w) = (Vector3::from(walker.r), Vector3::new(v[3], v[4], v[5]));
    let turn: Matrix3<f64> = att.to_rotation_matrix().into_inner();
    let speed = Vector3::new(v[0], v[1], v[2]) + turn * w.cross(&r);
    let by_spin = -turn * r.cross_matrix();
    let centripetal = turn * w.cross(&w.cross(&r));
    let terms = walker.friction_terms(2.0, &q, &v);
    for direction in 0..2 {
        assert!((terms.slips[direction][0] - speed[direction]).abs() < 1e-15);
        assert!((terms.slip_gammas[direction][0] + centripetal[direction]).abs() < 2e-15);
        let row = terms.slip_jacobians[direction];
        for k in 0..3 {
            assert_eq!(row[k], f64::from(k == direction));
            assert!((row[3 + k] - by_spin[(direction, k)]).abs() < 1e-15);
        }
        let bound = terms.slip_bounds[direction][0];
        assert!(bound > 0.0 && bound < 1e-13);
    }
    assert!((terms.friction[0] - 0.7 / 5.0).abs() < 1e-16);
    assert!((terms.restitution[0] - 1.0 / (2.0 + speed.z.powi(2))).abs() < 1e-15);
}

lagrangian! {
    /// A mass on a belt whose speed changes, on a spring.
    pub struct Belt {
        x, y: coordinate,
        t: time,
        m, k, speed, omega, mu: parameter = 1,
        g: parameter = 9.81,
    }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = k * x^2 / 2 + m * g * y;
    contact belt: 0 <= y { slip: der(x) - speed * cos(omega * t), friction: mu };
}

#[test]
fn a_belt_moves_by_itself() {
    let belt = Belt {
        speed: 0.3,
        omega: 2.0,
        mu: 0.4,
        ..Belt::default()
    };
    let (q, v, t) = (vector![0.2, 0.0], vector![0.5, 0.0], 0.7);
    let terms = belt.friction_terms(t, &q, &v);
    let angle: f64 = 2.0 * t;
    assert!((terms.slips[0][0] - (0.5 - 0.3 * angle.cos())).abs() < 1e-16);
    assert!((terms.slip_gammas[0][0] + 0.3 * 2.0 * angle.sin()).abs() < 2e-16);
    assert_eq!(terms.slip_jacobians[0], matrix![1.0, 0.0]);
    assert_eq!((terms.friction[0], terms.restitution[0]), (0.4, 0.0));
}

lagrangian! {
    /// A wheel on a road with waves, and an axle with dry friction.
    pub struct Wheel {
        x, y, phi: coordinate,
        m, i, r, height, length: parameter = 1,
        mu, bearing: parameter = 0.8,
        g: parameter = 9.81,
    }
    let road = height * sin(x / length);
    T = m * (der(x)^2 + der(y)^2) / 2 + i * der(phi)^2 / 2;
    V = m * g * y;
    contact tyre: y - road >= r {
        slip: der(x) + r * der(phi) + der(road) * cos(x / length),
        friction: mu * exp(-x^2),
    };
    contact ceiling: y <= 5;
    actuator axle { joint: phi, coulomb: bearing * (1 + x^2) }
}

#[test]
fn a_wheel_rolls_on_waves() {
    let wheel = Wheel {
        r: 0.3,
        height: 0.1,
        length: 0.7,
        ..Wheel::default()
    };
    let (q, v) = (vector![0.4, 0.5, -1.2], vector![0.9, -0.2, 2.1]);
    let terms = wheel.friction_terms(&q, &v);
    let rate = |q: &SVector<f64, 3>| wheel.friction_terms(q, &v).slips[0][0];
    let h = 1e-5;
    let [before, after] = [-h, h].map(|h| rate(&(q + v * h)));
    assert!((terms.slip_gammas[0][0] + (after - before) / (2.0 * h)).abs() < 1e-9);
    assert_eq!(terms.slip_gammas[0][1], 0.0);
    for k in 0..3 {
        let mut other = v;
        other[k] += 1.0;
        let slope = wheel.friction_terms(&q, &other).slips[0] - terms.slips[0];
        assert!((slope[0] - terms.slip_jacobians[0][(0, k)]).abs() < 1e-15);
        assert_eq!(terms.slip_jacobians[0][(1, k)], 0.0);
    }
    assert!((terms.friction[0] - 0.8 * (-0.16_f64).exp()).abs() < 1e-16);
    assert_eq!(
        (terms.friction[1], terms.restitution),
        (0.0, vector![0.0, 0.0])
    );
    assert!((terms.joint_limits[0] - 0.8 * 1.16).abs() < 1e-15);
    // Dry friction that sticks is no generalized force.
    assert_eq!(wheel.generalized_forces(&q, &v), SVector::<f64, 3>::zeros());
}
