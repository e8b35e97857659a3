//! The laws of contacts and dry joints at random states of bodies in space.

use lagrangian::nalgebra::{Rotation3, SVector, UnitQuaternion, Vector3};
use lagrangian::{
    Error, Frictional, Mode, Resolved, System, lagrangian, quaternion_entries, vector,
};

lagrangian! {
    /// A stone that touches three planes, with a wheel on a rusty axle.
    struct Stone {
        p: coordinate[3],
        att: rotation,
        wheel: coordinate,
        corner, normal, along, across: parameter[3, 3],
        mu: parameter[3],
        m, rust: parameter,
        f: input[7],
    }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, inertia: diag(0.3, 0.5, 0.7) }
    body { frame: B.translate([0.3, 0.1, 0]).rotate(y, wheel), mass: m / 5, at: [0.2, 0, 0], inertia: diag(0.1, 0.1, 0.1) }
    force f[0..3] at B.origin;
    Q.att = f[3..6];
    Q.wheel = f[6];
    actuator { joint: wheel, coulomb: rust }
    for k in 0..3 {
        let end = B.point(corner[k]);
        contact end: dot(normal[k], end) >= 0 {
            slip: [dot(along[k], der(end)), dot(across[k], der(end))],
            friction: mu[k],
        };
    }
}

lagrangian! {
    /// A crate on four corners.
    #[lagrangian(redundant)]
    struct Crate { p: coordinate[3], att: rotation, half: parameter[3], mu: parameter[4], f: input[6] }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: 1, inertia: diag(0.3, 0.5, 0.7) }
    gravity [0, 0, -10];
    force f[0..3] at B.origin;
    Q.att = f[3..6];
    for j in 0..2 {
        for k in 0..2 {
            let end = B.point([half[0] * (2 * j - 1), half[1] * (2 * k - 1), -half[2]]);
            contact end: end.z >= 0 { slip: der(end).xy, friction: mu[2 * j + k] };
        }
    }
}

/// Numbers from -1 to 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / 2.0_f64.powi(52) - 1.0
    }

    fn vector<const N: usize>(&mut self) -> SVector<f64, N> {
        SVector::from_fn(|_, _| self.next())
    }

    fn rotation(&mut self) -> UnitQuaternion<f64> {
        UnitQuaternion::from_scaled_axis(self.vector::<3>() * 3.0)
    }
}

/// The largest part by which a motion misses the laws, relative to the forces and accelerations.
fn excess<T, const NQ: usize, const N: usize, const K: usize, const P: usize, const M: usize>(
    system: &T,
    (q, v, u): (&SVector<f64, NQ>, &SVector<f64, N>, &SVector<f64, K>),
    closed: &[bool; P],
    motion: &Resolved<f64, N, 0, P, M>,
) -> f64
where
    T: Frictional<f64, NQ, N, K, 0, P, M>,
{
    let at = (0.0, q, v, u);
    let mass = system.mass_matrix(at.0, q, v, u);
    let mut rest = system.forcing(at.0, q, v, u);
    let of_forces = rest.amax().max(motion.contact_forces.amax());
    let of_rates = motion
        .acceleration
        .amax()
        .max(mass.try_inverse().unwrap().amax() * rest.amax());
    let terms = system.friction_terms(at.0, q, v, u);
    let normals = system.contact_jacobian(at.0, q, v, u);
    let gamma = system.contact_gamma(at.0, q, v, u);
    let rates = system.gap_rates(at.0, q, v, u);
    let a = &motion.acceleration;
    let mut parts = Vec::new();
    for k in 0..P {
        let force = motion.contact_forces[k];
        let [x, y] = motion.friction_forces[k];
        rest += normals.row(k).transpose() * force;
        rest += terms.slip_jacobians[0].row(k).transpose() * x;
        rest += terms.slip_jacobians[1].row(k).transpose() * y;
        if !closed[k] || rates[k] > terms.gap_rate_bounds[k] {
            assert_eq!((motion.modes[k], force, x, y), (Mode::Open, 0.0, 0.0, 0.0));
            continue;
        }
        let opens = (normals.row(k) * a)[0] - gamma[k];
        parts.extend([-opens / of_rates, -force / of_forces]);
        let most = terms.friction[k] * force;
        if motion.modes[k] == Mode::Open {
            parts.extend([force / of_forces, x.hypot(y) / of_forces]);
            continue;
        }
        parts.extend([opens.abs() / of_rates, (x.hypot(y) - most) / of_forces]);
        let slips = [0, 1].map(|i| terms.slips[i][k]);
        let is_still = (0..2).all(|i| slips[i].abs() <= terms.slip_bounds[i][k]);
        let slips = match is_still {
            true => {
                [0, 1].map(|i| (terms.slip_jacobians[i].row(k) * a)[0] - terms.slip_gammas[i][k])
            }
            false => slips,
        };
        let speed = slips[0].hypot(slips[1]);
        if motion.modes[k] == Mode::Sticks {
            parts.push(if is_still { speed / of_rates } else { 1.0 });
        } else {
            let against = (x * speed + most * slips[0]).hypot(y * speed + most * slips[1]);
            parts.push((x.hypot(y) - most).abs() / of_forces);
            parts.push(against / of_forces / if is_still { of_rates } else { speed });
        }
    }
    for j in 0..M {
        let (place, force, limit) = (
            T::DRY_JOINTS[j],
            motion.joint_forces[j],
            terms.joint_limits[j],
        );
        rest[place] += force;
        parts.push((force.abs() - limit) / of_forces);
        let rate = if v[place] == 0.0 {
            a[place] / of_rates
        } else {
            v[place]
        };
        parts.push(match motion.held[j] {
            true => rate.abs(),
            false => (force + limit * rate.signum()).abs() / of_forces * rate.abs().min(1.0),
        });
    }
    parts.push((mass * a - rest).amax() / of_forces);
    parts.into_iter().fold(0.0, f64::max)
}

/// A velocity that keeps the gaps closed, and at which some contacts do not slide.
fn kept<T, const NQ: usize, const N: usize, const K: usize, const P: usize, const M: usize>(
    system: &T,
    q: &SVector<f64, NQ>,
    mut v: SVector<f64, N>,
    rest: &[bool; P],
) -> SVector<f64, N>
where
    T: Frictional<f64, NQ, N, K, 0, P, M>,
{
    let u = SVector::zeros();
    for _ in 0..400 {
        for k in 0..P {
            let terms = system.friction_terms(0.0, q, &v, &u);
            let mut rows = vec![system.contact_jacobian(0.0, q, &v, &u).row(k).transpose()];
            if rest[k] {
                rows.extend([0, 1].map(|i| terms.slip_jacobians[i].row(k).transpose()));
            }
            for row in rows {
                v -= row * (row.dot(&v) / row.norm_squared());
            }
        }
    }
    // Without a motion that all rows allow.
    if v.amax() < 1e-6 { SVector::zeros() } else { v }
}

#[test]
fn forces_of_a_stone_obey_all_laws() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let (mut solved, mut others) = (0, 0);
    for number in 0..600 {
        let planes: [Rotation3<f64>; 3] =
            std::array::from_fn(|_| numbers.rotation().to_rotation_matrix());
        let axis = |i: usize| planes.map(|plane| [plane[(0, i)], plane[(1, i)], plane[(2, i)]]);
        let stone: Stone = Stone {
            corner: std::array::from_fn(|_| numbers.vector::<3>().into()),
            normal: axis(2),
            along: axis(0),
            across: axis(1),
            mu: std::array::from_fn(|_| numbers.next().abs()),
            m: 1.0 + 0.9 * numbers.next(),
            rust: numbers.next().abs(),
        };
        let [a, b, c, d] = quaternion_entries(&numbers.rotation());
        let q = vector![numbers.next(), 0.4, 0.1, a, b, c, d, numbers.next()];
        let mut v = numbers.vector::<7>();
        if number % 2 == 0 {
            v = SVector::zeros();
        } else {
            v = kept(&stone, &q, v, &std::array::from_fn(|k| k == number % 3));
        }
        let u = numbers.vector::<7>() * 10.0;
        match stone.resolve(&q, &v, &u, &[true; 3]) {
            Ok(motion) => {
                let excess = excess(&stone, (&q, &v, &u), &[true; 3], &motion);
                assert!(excess < 1e-11, "{number}: {excess:e} {motion:?}");
                solved += 1;
            }
            Err(Error::DependentConstraints { .. } | Error::NoContactSolution) => others += 1,
            Err(error) => assert!(v.amax() > 0.0, "{number}: {error:?}"),
        }
    }
    assert!(solved > 500 && others > 0, "{solved} {others}");
}

#[test]
fn forces_of_a_crate_obey_all_laws() {
    let mut numbers = Numbers(0x1234_5678_9ABC_DEF1);
    for number in 0..600 {
        let crate_: Crate = Crate {
            half: std::array::from_fn(|_| 0.6 + 0.5 * numbers.next()),
            mu: std::array::from_fn(|_| numbers.next().abs()),
        };
        let turn = Vector3::z() * numbers.next();
        let [a, b, c, d] = quaternion_entries(&UnitQuaternion::from_scaled_axis(turn));
        let q = vector![0.0, 0.0, crate_.half[2], a, b, c, d];
        let mut v = SVector::<f64, 6>::zeros();
        if number % 2 == 1 {
            (v[0], v[1], v[5]) = (numbers.next(), numbers.next(), numbers.next());
        }
        let u = numbers.vector::<6>() * 8.0;
        let motion = crate_.resolve(&q, &v, &u, &[true; 4]).unwrap();
        let excess = excess(&crate_, (&q, &v, &u), &[true; 4], &motion);
        assert!(excess < 1e-11, "{number}: {excess:e} {motion:?}");
    }
}

/// The trait's own method is that of the type.
#[test]
fn generic_code_resolves_the_same() {
    let crate_: Crate = Crate {
        half: [0.3, 0.2, 0.1],
        mu: [0.4; 4],
    };
    let q = crate_.neutral() + vector![0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0];
    let (v, u) = (SVector::zeros(), vector![1.0, 2.0, 0.0, 0.0, 0.0, 0.1]);
    let by_trait = Frictional::resolve(&crate_, 0.0, &q, &v, &u, &[true; 4]);
    assert_eq!(by_trait, crate_.resolve(&q, &v, &u, &[true; 4]));
    assert_eq!(System::neutral(&crate_), crate_.neutral());
}
