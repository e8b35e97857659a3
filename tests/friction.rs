//! Contacts with friction and restitution, and joints with dry friction: the generated terms, and the motions.

use std::f64::consts::PI;

use lagrangian::nalgebra::{Matrix3, SVector, Vector3, matrix, vector};
use lagrangian::{
    Contacts, Error, Frictional, Mode, Resolved, System, contact_step, lagrangian, quaternion,
    quaternion_entries,
};

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

#[test]
fn a_block_sticks_below_the_angle_of_friction() {
    let q = vector![1.3, 0.0];
    let weight = 2.0 * 9.81;
    for (slope, sticks) in [(0.46, true), (0.47, false)] {
        // tan(slope) = 0.5 at 0.4636.
        let block = Block { slope, ..BLOCK };
        let motion: Resolved<f64, 2, 0, 1, 0> =
            block.resolve(&q, &SVector::zeros(), &[true]).unwrap();
        let normal = weight * slope.cos();
        assert!((motion.contact_forces[0] - normal).abs() < 1e-14);
        assert!(motion.acceleration[1].abs() < 1e-14);
        if sticks {
            assert_eq!(motion.modes, [Mode::Sticks]);
            assert!(motion.acceleration[0].abs() < 1e-14);
            assert!((motion.friction_forces[0][0] - weight * slope.sin()).abs() < 1e-14);
        } else {
            assert_eq!(motion.modes, [Mode::Slides]);
            let a = -9.81 * (slope.sin() - 0.5 * slope.cos());
            assert!((motion.acceleration[0] - a).abs() < 1e-14);
        }
        // Up and down it has the whole friction, from a state that slides.
        for speed in [0.2, -0.2] {
            let motion = block.resolve(&q, &vector![speed, 0.0], &[true]).unwrap();
            assert_eq!(motion.modes, [Mode::Slides]);
            let a = -9.81 * (slope.sin() + 0.5 * speed.signum() * slope.cos());
            assert!((motion.acceleration[0] - a).abs() < 1e-14);
        }
    }
    let motion = BLOCK.resolve(&q, &vector![0.3, 0.1], &[true]).unwrap();
    assert_eq!(
        (motion.modes, motion.contact_forces[0]),
        ([Mode::Open], 0.0)
    );
    let free = BLOCK.resolve(&q, &vector![0.3, 0.0], &[false]).unwrap();
    assert_eq!(free.modes, [Mode::Open]);
    assert_eq!(
        free.acceleration,
        BLOCK.acceleration(&q, &vector![0.3, 0.0]).unwrap()
    );
}

#[test]
fn errors_name_what_is_not_finite() {
    let (q, v) = (vector![0.0, 0.0], vector![0.0, 0.0]);
    let of_v = BLOCK.resolve(&q, &vector![0.0, f64::NAN], &[true]);
    assert_eq!(of_v, Err(Error::NotFinite { argument: "v" }));
    let block = Block {
        m: f64::INFINITY,
        ..BLOCK
    };
    let of_m = block.resolve(&q, &v, &[true]);
    assert_eq!(of_m, Err(Error::NotFinite { argument: "self.m" }));
    let of_t = Frictional::resolve(&BLOCK, f64::NAN, &q, &v, &SVector::zeros(), &[true]);
    assert_eq!(of_t, Err(Error::NotFinite { argument: "t" }));
}

lagrangian! {
    /// Beads on tables whose blocks leave something out.
    pub struct Beads { x, y: coordinate[4], g: parameter = 10 }
    T = (der(x)^2 + der(y)^2) / 2;
    V = g * (y[0] + y[1] + y[2] + y[3]);
    contact bare: y[0] >= 0;
    contact empty: y[1] >= 0 {}
    contact smooth: y[2] >= 0 { slip: der(x[2]) };
    contact bounces: y[3] >= 0 { slip: der(x[3]), restitution: 0.5, };
}

/// No friction, and no restitution.
#[test]
fn each_field_of_a_contact_may_be_left_out() {
    let beads: Beads = Beads::default();
    let mut v = SVector::<f64, 8>::from_element(3.0);
    v.fixed_rows_mut::<4>(4).fill(0.0);
    let motion = beads.resolve(&SVector::zeros(), &v, &[true; 4]).unwrap();
    assert_eq!(motion.modes, [Mode::Slides; 4]);
    assert_eq!(motion.contact_forces, vector![10.0, 10.0, 10.0, 10.0]);
    assert_eq!(motion.friction_forces, [[0.0; 2]; 4]);
    assert_eq!(motion.acceleration.norm(), 0.0);
    v.fixed_rows_mut::<4>(4).fill(-2.0);
    let none = SVector::zeros();
    let struck = contact_step(&beads, 0.0, &SVector::zeros(), &v, &none, 0.0).unwrap();
    assert_eq!(struck.v, vector![3.0, 3.0, 3.0, 3.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(struck.impulses, vector![2.0, 2.0, 2.0, 3.0]);
}

lagrangian! {
    /// Painlevé's rod, whose lower end slides on a rough floor.
    pub struct Rod {
        x, y, theta: coordinate,
        m, l, mu: parameter = 1,
        g: parameter = 9.81,
    }
    let tip = [x - l / 2 * cos(theta), y - l / 2 * sin(theta)];
    T = m * (der(x)^2 + der(y)^2 + l^2 / 12 * der(theta)^2) / 2;
    V = m * g * y;
    contact tip: tip.y >= 0 { slip: der(tip.x), friction: mu };
}

/// At tan(theta) = 2 the paradox begins at a coefficient of friction of 4/3, for an end that slides to the left.
#[test]
fn a_sliding_rod_has_no_motion_in_the_paradox_of_painleve() {
    let theta = 2.0_f64.atan();
    let q = vector![0.0, 0.5 * theta.sin(), theta];
    let at = |mu: f64, v| {
        Rod {
            mu,
            ..Rod::default()
        }
        .resolve(&q, &v, &[true])
    };
    let left = vector![-1.0, 0.0, 0.0];
    assert_eq!(at(1.4, left), Err(Error::NoContactSolution));
    assert_eq!(at(1.3, left).unwrap().modes, [Mode::Slides]);
    assert_eq!(at(1.4, -left).unwrap().modes, [Mode::Slides]);
    // The end rises by itself if the rod turns fast enough.
    let turning = vector![-1.0 - 0.5 * 5.0 * theta.sin(), 0.5 * 5.0 * theta.cos(), 5.0];
    let motion = at(1.4, turning).unwrap();
    assert_eq!(
        (motion.modes, motion.contact_forces[0]),
        ([Mode::Open], 0.0)
    );
}

#[test]
fn a_foot_stands_and_slides_along_its_slip() {
    let walker = Walker {
        r: [0.0, 0.0, -0.5],
        m: 3.0,
        i: 0.2,
        mu: 0.5,
    };
    let rest = walker.neutral() + vector![0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0];
    let system = |v: SVector<f64, 6>| walker.resolve(0.0, &rest, &v, &[true]).unwrap();
    let slides = system(vector![0.3, 0.4, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(slides.modes, [Mode::Slides]);
    let [x, y] = slides.friction_forces[0];
    let size = 0.5 * slides.contact_forces[0];
    assert!((x + 0.6 * size).abs() < 1e-14 && (y + 0.8 * size).abs() < 1e-14);
    let stands = system(SVector::zeros());
    assert_eq!(stands.modes, [Mode::Sticks]);
    assert!(stands.acceleration.norm() < 1e-14);
}

#[test]
fn a_belt_carries_its_mass() {
    let belt = Belt {
        m: 2.0,
        k: 3.0,
        speed: 0.3,
        omega: 2.0,
        mu: 0.4,
        g: 9.81,
    };
    let t = 0.7;
    let angle: f64 = 2.0 * t;
    let speed = 0.3 * angle.cos();
    let with = |x| {
        belt.resolve(t, &vector![x, 0.0], &vector![speed, 0.0], &[true])
            .unwrap()
    };
    let carried = with(0.5);
    assert_eq!(carried.modes, [Mode::Sticks]);
    let a = -0.3 * 2.0 * angle.sin();
    assert!((carried.acceleration[0] - a).abs() < 1e-15);
    assert!((carried.friction_forces[0][0] - (2.0 * a + 1.5)).abs() < 1e-14);
    // Beyond 0.4 * 2 * 9.81 the mass begins to slide back.
    let slid = with(3.2);
    assert_eq!(slid.modes, [Mode::Slides]);
    assert!((slid.friction_forces[0][0] - 0.4 * 2.0 * 9.81).abs() < 1e-14);
}

#[test]
fn a_wheel_rolls_and_its_axle_holds_it() {
    let wheel: Wheel = Wheel {
        m: 2.0,
        i: 0.5,
        r: 0.3,
        height: 0.0,
        length: 1.0,
        mu: 0.8,
        bearing: 0.1,
        g: 9.81,
    };
    let q = vector![0.0, 0.3, 0.0];
    // It rolls without sliding. The bearing slows it down: (m + i / r^2) a = -F / r.
    let motion = wheel
        .resolve(&q, &vector![0.3, 0.0, -1.0], &[true, false])
        .unwrap();
    assert_eq!(motion.modes, [Mode::Sticks, Mode::Open]);
    assert_eq!((motion.held, motion.joint_forces), ([false], [0.1]));
    let a = -0.1 / 0.3 / (2.0 + 0.5 / 0.09);
    assert!((motion.acceleration[0] - a).abs() < 1e-15);
    let rest = wheel
        .resolve(&q, &SVector::zeros(), &[true, false])
        .unwrap();
    assert_eq!((rest.held, rest.acceleration), ([true], SVector::zeros()));
}

lagrangian! {
    /// Coulomb's oscillator: a joint with dry friction, and no contact.
    pub struct Oscillator {
        x, z: coordinate,
        m, k, f: parameter = 1,
        u: input,
    }
    T = m * der(x)^2 / 2 + m * der(z)^2;
    V = k * (x - z)^2 / 2;
    Q.z = u;
    actuator { joint: x, coulomb: f / 2 }
    actuator motor { joint: x, coulomb: f / 2 }
}

#[test]
fn dry_friction_holds_without_a_contact() {
    let oscillator: Oscillator = Oscillator {
        f: 0.1,
        ..Oscillator::default()
    };
    let at = |x: f64, v: f64| {
        oscillator
            .resolve(&vector![x, 0.0], &vector![v, 0.0], &vector![0.3], &[])
            .unwrap()
    };
    let held = at(0.09, 0.0);
    assert_eq!((held.held, held.acceleration[0]), ([true], 0.0));
    assert!((held.joint_forces[0] - 0.09).abs() < 1e-16);
    assert!((held.acceleration[1] - (0.3 + 0.09) / 2.0).abs() < 1e-16);
    let moves = at(0.11, 0.0);
    assert_eq!(moves.held, [false]);
    assert!((moves.acceleration[0] + 0.01).abs() < 1e-16);
    assert!((at(0.11, -0.5).acceleration[0] + 0.01).abs() < 1e-16);
    assert!((at(0.11, 0.5).acceleration[0] + 0.21).abs() < 1e-16);
    assert_eq!(
        <Oscillator as Frictional<f64, 2, 2, 1, 0, 0, 1>>::DRY_JOINTS,
        [0]
    );
}

lagrangian! {
    /// A mass on a spring, on a rough floor.
    pub struct Spring {
        x: coordinate,
        m, k, f: parameter = 1,
    }
    T = m * der(x)^2 / 2;
    V = k * x^2 / 2;
    actuator { joint: x, coulomb: f }
}

/// Each half of a period takes 2 f / k from the amplitude, until the spring is too weak.
#[test]
fn a_mass_on_a_spring_comes_to_rest() {
    let spring: Spring = Spring {
        f: 0.1,
        ..Spring::default()
    };
    let (mut q, mut v) = (vector![1.05], vector![0.0]);
    let (h, mut stopped) = (1e-3, None);
    for step in 0..20_000 {
        let end = contact_step(&spring, 0.0, &q, &v, &SVector::zeros(), h).unwrap();
        (q, v) = (end.q, end.v);
        match stopped {
            None if v[0] == 0.0 => stopped = Some((f64::from(step + 1) * h, q[0])),
            Some((t, x)) if t > 5.0 * PI - 0.1 => assert_eq!((q[0], v[0]), (x, 0.0)),
            _ => stopped = stopped.filter(|_| v[0] == 0.0),
        }
    }
    let (t, x) = stopped.unwrap();
    assert!((t - 5.0 * PI).abs() < 2.0 * h, "{t}");
    assert!((x + 0.05).abs() < 1e-5, "{x}");
}

lagrangian! {
    /// A plank on three supports, with time and by its Lagrangian.
    #[lagrangian(redundant)]
    pub struct Plank {
        x, y, a: coordinate,
        t: time,
        m, i, mu: parameter,
        push: input,
    }
    L = (m * (der(x)^2 + der(y)^2) + i * der(a)^2) / 2 - m * 9.81 * y;
    Q.x = push;
    for k in 0..3 {
        contact support: y + (k - 1) * sin(a) >= 0 { slip: der(x), friction: mu + t / 10 }
    }
}

#[test]
fn supports_that_depend_on_each_other_share_the_load() {
    let plank: Plank = Plank {
        m: 3.0,
        i: 0.7,
        mu: 0.37,
    };
    let (q, rest) = (SVector::zeros(), SVector::zeros());
    for (push, mode) in [(2.0, Mode::Sticks), (15.0, Mode::Slides)] {
        let motion = plank
            .resolve(0.3, &q, &rest, &vector![push], &[true; 3])
            .unwrap();
        for k in 0..3 {
            assert!(
                (motion.contact_forces[k] - 9.81).abs() < 1e-12,
                "{motion:?}"
            );
        }
        let along: f64 = motion.friction_forces.iter().map(|force| force[0]).sum();
        let friction = push.min(0.4 * 3.0 * 9.81);
        assert!((along + friction).abs() < 1e-12, "{motion:?}");
        assert!((motion.acceleration[0] - (push - friction) / 3.0).abs() < 1e-12);
        assert!(motion.modes.contains(&mode), "{motion:?}");
    }
}

/// The trait `Contacts` of a system without contacts.
#[test]
fn a_system_of_dry_joints_has_no_contacts() {
    let oscillator = Oscillator::default();
    let (q, v, u) = (vector![0.2, 0.1], vector![0.4, -0.3], vector![0.5]);
    let motion = oscillator.solve_active(0.0, &q, &v, &u, &[]).unwrap();
    let free = System::solve(&oscillator, 0.0, &q, &v, &u).unwrap();
    assert_eq!(motion.acceleration, free.acceleration);
    let hit = oscillator.impact(0.0, &q, &v, &u, &[], &[]).unwrap();
    assert_eq!(hit.velocity, v);
    let (by_q, by_v) = oscillator
        .impact_derivatives(0.0, &q, &v, &u, &[], &[])
        .unwrap();
    assert_eq!(
        (by_q, by_v),
        (matrix![0.0, 0.0; 0.0, 0.0], matrix![1.0, 0.0; 0.0, 1.0])
    );
    assert!(oscillator.delassus(0.0, &q, &v, &u).is_ok());
    let wrong = oscillator.impact(0.0, &q, &vector![f64::NAN, 0.0], &u, &[], &[]);
    assert_eq!(wrong, Err(Error::NotFinite { argument: "v" }));
}

lagrangian! {
    /// A motor behind an elastic gear, with dry friction on its side.
    pub struct Geared {
        q: coordinate,
        i, k, f: parameter = 1,
        u: input,
    }
    T = i * der(q)^2 / 2;
    actuator motor { joint: q, gear: 10, rotor: 0.01, torque: u, elastic: k, coulomb: f }
}

#[test]
fn an_elastic_gear_has_its_friction_at_the_motor() {
    assert_eq!(
        <Geared as Frictional<f64, 2, 2, 1, 0, 0, 1>>::DRY_JOINTS,
        [1]
    );
    let geared: Geared = Geared::default();
    let motion = geared
        .resolve(&vector![0.2, 0.0], &SVector::zeros(), &vector![0.05], &[])
        .unwrap();
    assert!(motion.held[0] && motion.acceleration[1] == 0.0);
    assert!((motion.joint_forces[0] + 0.2 + 0.5).abs() < 1e-15);
    assert!((motion.acceleration[0] + 0.2).abs() < 1e-15);
}

#[path = "friction/ladder.rs"]
mod ladder;
#[path = "friction/laws.rs"]
mod laws;
#[path = "friction/space.rs"]
mod space;
#[path = "friction/tables.rs"]
mod tables;
#[path = "friction/toy.rs"]
mod toy;
#[path = "friction/woodpecker.rs"]
mod woodpecker;

lagrangian! {
    /// A light body below a heavy one, and a lid that comes down on both.
    struct Pressed { y: coordinate[2], x: coordinate[2], t: time, m: parameter[2], h, a: parameter }
    T = m[0] * (der(y[0])^2 + der(x[0])^2) / 2 + m[1] * (der(y[1])^2 + der(x[1])^2) / 2;
    V = 10 * (m[0] * y[0] + m[1] * y[1]);
    contact floor: y[0] >= 0 { slip: der(x[0]), friction: 0.3 };
    contact between: y[1] >= y[0] { slip: der(x[1]) - der(x[0]), friction: 0.3 };
    contact lid: y[1] <= h + a * t^2 / 2;
}

/// Rows that depend on each other only by rounding refute no motion; those of two surfaces that come together do.
#[test]
fn a_light_body_below_a_heavy_one_has_a_motion() {
    fn check<S>(ratio: f64)
    where
        S: lagrangian::nalgebra::RealField + Copy,
        Pressed<S>: Frictional<S, 4, 4, 0, 0, 3, 0>,
    {
        let number = lagrangian::nalgebra::convert::<f64, S>;
        let pressed = |a| Pressed {
            m: [number(1.0), number(ratio)],
            h: number(0.5),
            a: number(a),
        };
        let (t, still) = (number(0.0), SVector::zeros());
        let u = SVector::zeros();
        let resolve = |a, closed| Frictional::resolve(&pressed(a), t, &still, &still, &u, &closed);
        match resolve(0.0, [true, true, false]) {
            Ok(motion) => assert!(motion.contact_forces[0] > number(9.0 * ratio), "{ratio}"),
            Err(error) => {
                let is_honest = matches!(
                    error,
                    Error::NotConverged { .. } | Error::DependentConstraints { .. }
                );
                assert!(is_honest, "{ratio}: {error:?}");
            }
        }
        // The lid leaves no room for a body of any mass.
        if ratio < 2.0 {
            let closed = resolve(-20.0, [true; 3]);
            assert_eq!(closed.err(), Some(Error::NoContactSolution), "{ratio}");
        }
        let step = contact_step(&pressed(0.0), t, &still, &still, &u, number(0.01));
        let is_refuted = matches!(step, Err(Error::NoContactSolution));
        assert!(!is_refuted, "{ratio}");
    }
    for ratio in [1.0, 1e2, 1e4, 3e4, 1e5, 3e5] {
        check::<f32>(ratio);
        check::<f64>(ratio);
        check::<f64>(ratio * 1e8);
    }
}
