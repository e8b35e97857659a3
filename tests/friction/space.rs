//! Two sliding velocities at a contact: cones of friction.

use lagrangian::nalgebra::{SVector, Vector3, vector};
use lagrangian::{Error, Mode, contact_step, lagrangian};

lagrangian! {
    /// A particle on a floor, pulled by p.
    struct Particle { r: coordinate[3], m: parameter = 2, mu: parameter = 0.5, g: parameter = 10, p: input[3] }
    T = m * der(r)^2 / 2;
    V = m * g * r[2];
    Q.r = p;
    contact floor: r[2] >= 0 { slip: der(r)[0..2], friction: mu };
}

lagrangian! {
    /// A ball that slides until it rolls.
    struct Ball { p: coordinate[3], att: rotation, m: parameter = 3, radius: parameter = 0.2, mu: parameter = 0.25,
                  g: parameter = 9.81 }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, inertia: diag(1, 1, 1) * (0.4 * m * radius^2) }
    gravity [0, 0, -g];
    // The velocity of the material point at the floor.
    let w = angular_velocity(B);
    let slide = [der(p)[0] - radius * w.y, der(p)[1] + radius * w.x];
    contact floor: p[2] - radius >= 0 { slip: slide, friction: mu };
}

lagrangian! {
    /// A box on four feet, one of which is higher by e, pushed at its middle.
    #[lagrangian(redundant)]
    struct Box4 { p: coordinate[3], att: rotation, m: parameter = 4, mu: parameter = 0.5, g: parameter = 10,
                  e: parameter = 0, f: input[2] }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, inertia: diag(0.5, 0.4, 0.3) }
    gravity [0, 0, -g];
    // At the floor, so that it does not tip.
    force [f[0], f[1], 0] at B.point([0, 0, -0.1]);
    for i in 0..2 {
        for j in 0..2 {
            let end = B.point([0.3 - 0.6 * i, 0.2 - 0.4 * j, -0.1 + e * i * j]);
            contact foot: end.z >= 0 { slip: [der(end).x, der(end).y], friction: mu };
        }
    }
}

lagrangian! {
    /// A particle on a floor, under a ceiling that comes down with the acceleration a, pushed by f.
    #[lagrangian(redundant)]
    struct Squeezed { r: coordinate[3], m, a, mu: parameter, f: input[3], t: time }
    T = m * der(r)^2 / 2;
    Q.r = f;
    contact floor: r[2] >= 0 { slip: der(r)[0..2], friction: mu };
    contact ceiling: -a * t^2 / 2 - r[2] >= 0 { slip: der(r)[0..2], friction: mu };
}

fn close(found: f64, expected: f64, size: f64) -> bool {
    (found - expected).abs() <= 1e-13 * size
}

#[test]
fn a_particle_sticks_in_its_cone_and_slides_along_the_pull() {
    let particle = Particle::default();
    let (q, still) = (SVector::zeros(), SVector::zeros());
    // N = 20, mu N = 10, pulled in the direction (0.6, 0.8).
    for (pull, upwards) in [
        (9.999, 0.0),
        (4.0, 0.0),
        (10.001, 0.0),
        (37.0, 0.0),
        (5.0, 8.0),
    ] {
        let u = vector![0.6 * pull, 0.8 * pull, upwards];
        let motion = particle.resolve(&q, &still, &u, &[true]).unwrap();
        let normal = 20.0 - upwards;
        let slides = pull > 0.5 * normal;
        let excess = if slides { pull - 0.5 * normal } else { 0.0 };
        let held = pull - excess;
        assert!(close(motion.contact_forces[0], normal, 20.0));
        assert_eq!(
            motion.modes[0],
            if slides { Mode::Slides } else { Mode::Sticks }
        );
        for (k, part) in [0.6, 0.8].into_iter().enumerate() {
            assert!(
                close(motion.acceleration[k], part * excess / 2.0, 40.0),
                "{motion:?}"
            );
            assert!(
                close(motion.friction_forces[0][k], -part * held, 40.0),
                "{motion:?}"
            );
        }
    }
    // It slides already, in another direction than the pull.
    let v = vector![-3.0, 4.0, 0.0];
    let motion = particle
        .resolve(&q, &v, &vector![7.0, 0.0, 0.0], &[true])
        .unwrap();
    assert!((motion.acceleration - vector![(7.0 + 6.0) / 2.0, -4.0, 0.0]).norm() < 1e-13);
    // It is lifted.
    let motion = particle
        .resolve(&q, &v, &vector![0.0, 0.0, 30.0], &[true])
        .unwrap();
    assert_eq!(
        (motion.modes[0], motion.contact_forces[0]),
        (Mode::Open, 0.0)
    );
}

#[test]
fn units_change_no_mode_of_a_cone() {
    let q = SVector::zeros();
    for scale in [2.0_f64.powi(-40), 1.0, 2.0_f64.powi(40)] {
        for length in [2.0_f64.powi(-30), 1.0, 2.0_f64.powi(30)] {
            let particle = Particle {
                m: 2.0 * scale,
                mu: 0.5,
                g: 10.0 * length,
            };
            for pull in [9.0, 11.0] {
                let u = vector![0.6 * pull, 0.8 * pull, 0.0] * scale * length;
                let motion = particle
                    .resolve(&q, &SVector::zeros(), &u, &[true])
                    .unwrap();
                let mode = if pull > 10.0 {
                    Mode::Slides
                } else {
                    Mode::Sticks
                };
                assert_eq!(motion.modes[0], mode, "{scale} {length} {pull}");
                let friction = motion.friction_forces[0].map(|part| part / (scale * length));
                let held = f64::min(pull, 10.0);
                assert!(
                    close(friction[0], -0.6 * held, 40.0) && close(friction[1], -0.8 * held, 40.0)
                );
            }
        }
    }
}

/// In closed form a ball that slides on a floor keeps the direction of its slip, and rolls from `2 |s| / (7 mu g)` on.
#[test]
fn a_ball_slides_until_it_rolls() {
    let ball = Ball::default();
    let q = vector![0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 1.0];
    let (v0, w0) = (Vector3::new(1.2, -0.3, 0.0), Vector3::new(2.0, 5.0, 1.0));
    let v = vector![v0.x, v0.y, v0.z, w0.x, w0.y, w0.z];
    let slip = vector![v0.x - 0.2 * w0.y, v0.y + 0.2 * w0.x];
    let along = slip / slip.norm();
    let motion = ball.resolve(&q, &v, &[true]).unwrap();
    let brake = 0.25 * 9.81;
    for k in 0..2 {
        assert!(
            close(motion.acceleration[k], -brake * along[k], 10.0),
            "{motion:?}"
        );
    }
    // Torque over the moment: 5/2 mu g/r, across the slip.
    let turn = 2.5 * brake / 0.2;
    assert!(
        close(motion.acceleration[3], -turn * along[1], 100.0),
        "{motion:?}"
    );
    assert!(
        close(motion.acceleration[4], turn * along[0], 100.0),
        "{motion:?}"
    );
    // By steps: it rolls at the velocity of the closed form.
    let (mut q, mut v, h) = (q, v, 1e-3);
    let rolls_at = 2.0 * slip.norm() / (7.0 * brake);
    let steps = (rolls_at / h) as usize + 200;
    for step in 0..steps {
        let end = contact_step(&ball, step as f64 * h, &q, &v, &vector![], h).unwrap();
        (q, v) = (end.q, end.v);
    }
    let rolling = [
        v0.x - brake * along[0] * rolls_at,
        v0.y - brake * along[1] * rolls_at,
    ];
    for k in 0..2 {
        assert!((v[k] - rolling[k]).abs() < 1e-9, "{v} {rolling:?}");
    }
    let motion = ball.resolve(&q, &v, &[true]).unwrap();
    assert!(motion.acceleration.norm() < 1e-9, "{motion:?}");
}

/// Feet that depend on each other, also up to the digits of a file: the sums of their forces are those of the whole
/// box.
#[test]
fn a_box_on_four_feet_sticks_and_slides() {
    let q = vector![0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0];
    let places = [0.0, 1e-17, 1e-16, 5e-16, 1e-14, 1e-12, 1e-10];
    for (e, pull) in places.into_iter().flat_map(|e| [(e, 19.0), (e, 21.0)]) {
        let four = Box4 {
            e,
            ..Box4::default()
        };
        let u = vector![0.8 * pull, -0.6 * pull];
        let motion = four.resolve(&q, &SVector::zeros(), &u, &[true; 4]);
        let motion = motion.unwrap_or_else(|error| panic!("{e:e}, {pull}: {error}"));
        let slides = pull > 20.0;
        let excess = if slides { (pull - 20.0) / 4.0 } else { 0.0 };
        let expected = vector![0.8 * excess, -0.6 * excess, 0.0, 0.0, 0.0, 0.0];
        let off = (motion.acceleration - expected).norm();
        assert!(off < 1e-10 + 100.0 * e, "{e:e}, {pull}: {motion:?}");
        let normal: f64 = motion.contact_forces.iter().sum();
        assert!((normal - 40.0).abs() < 1e-9, "{motion:?}");
        let mode = if slides { Mode::Slides } else { Mode::Sticks };
        assert_eq!(motion.modes, [mode; 4], "{e:e}, {pull}");
        for k in 0..4 {
            let [x, y] = motion.friction_forces[k];
            assert!(
                x.hypot(y) <= 0.5 * motion.contact_forces[k] * (1.0 + 1e-10),
                "{motion:?}"
            );
        }
    }
}

/// No force keeps a particle above its floor and under a ceiling that comes down; one that goes up lets it stay.
#[test]
fn a_ceiling_that_comes_down_leaves_no_motion() {
    let still = SVector::zeros();
    for (mass, length) in [
        (1.0, 1.0),
        (1e-20, 1.0),
        (2e20, 1.0),
        (1.0, 1e-20),
        (1e20, 3e20),
    ] {
        let push = vector![0.5, 0.2, -1.0] * mass * length;
        let at = |a: f64| {
            let squeezed: Squeezed = Squeezed {
                m: 2.0 * mass,
                a: a * length,
                mu: 0.5,
            };
            squeezed.resolve(0.0, &still, &still, &push, &[true; 2])
        };
        for a in [1e-9, 0.3, 1e6] {
            assert_eq!(at(a), Err(Error::NoContactSolution), "{a} {mass} {length}");
        }
        let motion = at(-0.3).unwrap();
        assert_eq!(motion.modes, [Mode::Slides, Mode::Open]);
        assert!((motion.contact_forces[0] / (mass * length) - 1.0).abs() < 1e-14);
    }
}
