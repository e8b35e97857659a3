//! The largest systems run in a thread with a stack of 2 MiB, in debug builds too.
//!
//! A thread of 2 MiB cannot hold values of nearly that size, such as `linearize` of 256 coordinates.

use std::thread;

use lagrangian::lagrangian;
use lagrangian::nalgebra::SVector;

const STACK: usize = 2 << 20;

fn in_a_small_thread(run: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK).spawn(run);
    thread.expect("a thread").join().expect("no error in it");
}

lagrangian! {
    /// As many coordinates as there may be, every mass coupled to every other one.
    struct Dense {
        q: coordinate[256],
        m, k: parameter,
    }

    T = m * der(sum(i in 0..256, q[i]))^2 / 2 + sum(i in 0..256, (1 + i / 100) * m * der(q[i])^2 / 2);
    V = k * q^2 / 2;
}

lagrangian! {
    /// The same, with 255 constraints on neighbours, the first one in units of its own and the last one on velocities.
    struct Bound {
        q: coordinate[256],
        m, k: parameter,
        unit: parameter = 1,
    }

    T = m * der(sum(i in 0..256, q[i]))^2 / 2 + sum(i in 0..256, (1 + i / 100) * m * der(q[i])^2 / 2);
    V = k * q^2 / 2;
    for i in 0..254 {
        let scale = if i < 1 { unit } else { 1 };
        holonomic rod: scale * (q[i + 1]^2 - q[i]^2) = scale * (2 * q[i] + 1);
    }
    #[allow(deprecated)] // It is integrable.
    nonholonomic last: q[255] * der(q[255]) = (q[254] + 1) * der(q[254]);
}

lagrangian! {
    struct Middle {
        q: coordinate[81],
        m, k: parameter,
    }

    T = m * der(sum(i in 0..81, q[i]))^2 / 2 + sum(i in 0..81, (1 + i / 100) * m * der(q[i])^2 / 2);
    V = k * q^2 / 2;
    for i in 0..80 {
        holonomic rod: q[i + 1]^2 - q[i]^2 = 2 * q[i] + 1;
    }
}

lagrangian! {
    /// 30 links in a plane, each with the position of its end and its angle: 90 coordinates with 60 constraints, and an
    /// unrolled solution.
    struct Links {
        p: coordinate[30, 2],
        a: coordinate[30],
        l: parameter[30],
        g: parameter,
        push: input,
    }

    let mut end = [0, 0];
    for i in 0..30 {
        T += (1 + i / 50) * der(p[i])^2 / 2 + der(a[i])^2 / 20;
        V += (1 + i / 50) * g * p[i, 1];
        holonomic joint: p[i] = end + l[i] * [sin(a[i]), -cos(a[i])];
        end = p[i];
    }
    Q.p[29] = [push, 0];
}

lagrangian! {
    /// A force depends on the multiplier of its constraint.
    struct Rubbed { q: coordinate[256], m, k, mu: parameter }
    T = m * der(sum(i in 0..256, q[i]))^2 / 2 + sum(i in 0..256, (1 + i / 100) * m * der(q[i])^2 / 2);
    V = k * q^2 / 2;
    holonomic rod: q[1]^2 - q[0]^2 = 2 * q[0] + 1;
    Q.q[5] = -mu * multiplier(rod);
}

lagrangian! {
    /// The same with as many constraints but one.
    struct RubbedRods { q: coordinate[128], m, k, mu: parameter }
    T = m * der(sum(i in 0..128, q[i]))^2 / 2 + sum(i in 0..128, (1 + i / 100) * m * der(q[i])^2 / 2);
    V = k * q^2 / 2;
    for i in 0..127 {
        holonomic rod: q[i + 1]^2 - q[i]^2 = 2 * q[i] + 1;
    }
    Q.q[5] = -mu * multiplier(rod[3]);
}

lagrangian! {
    /// Its velocities are eliminated from T link by link, in one function of some 2,300 operations.
    struct Chain {
        q: coordinate[40],
        m, l, g: parameter = 1,
    }

    let mut r = [0, 0];
    for i in 0..40 {
        r += l * (1 + i / 100) * [sin(q[i]), -cos(q[i])];
        T += m * (1 + i / 50) * der(r)^2 / 2;
        V += m * g * r.y;
    }
}

fn state<const N: usize>() -> (SVector<f64, N>, SVector<f64, N>) {
    (
        SVector::from_fn(|i, _| 1.0 + i as f64),
        SVector::from_fn(|i, _| 1.0 / (1.0 + i as f64)),
    )
}

#[test]
fn two_hundred_and_fifty_six_coordinates() {
    in_a_small_thread(|| {
        let system = Dense { m: 2.0, k: 3.0 };
        let (q, v) = state();
        let a = system.acceleration(&q, &v).expect("regular");
        let unchecked = system.acceleration_unchecked(&q, &v);
        assert!((a - unchecked).amax() <= 1e-12 * a.amax());
        let p = system.momenta(&q, &v);
        assert!((system.velocity(&q, &p).expect("regular") - v).amax() <= 1e-12);
        assert!(system.hamilton_equations(&q, &p).is_ok());
    });
}

#[test]
fn matrices_of_two_hundred_and_fifty_six_coordinates() {
    in_a_small_thread(|| {
        let (q, _) = state();
        let m = Dense { m: 2.0, k: 3.0 }.mass_matrix(&q);
        assert!(m[(255, 0)] == 2.0 && m[(0, 255)] == 2.0);
    });
    in_a_small_thread(|| {
        let (q, v) = state();
        let c = Dense { m: 2.0, k: 3.0 }.coriolis_matrix(&q, &v);
        assert!(c.iter().all(|entry| *entry == 0.0));
    });
}

#[test]
fn a_gradient_of_two_hundred_and_fifty_six_coordinates() {
    in_a_small_thread(|| {
        let (q, v) = state();
        let gradient = Dense { m: 2.0, k: 3.0 }.vjp(&q, &v, &v).expect("regular");
        assert!(gradient.q.iter().all(|entry| entry.is_finite()));
    });
}

const BOUND: Bound = Bound {
    m: 2.0,
    k: 3.0,
    unit: 1.0,
};

#[test]
fn as_many_constraints_but_one() {
    in_a_small_thread(|| {
        let (q, v) = state();
        let motion = BOUND.solve(&q, &v).expect("regular");
        assert!(motion.acceleration.iter().all(|a| a.is_finite()));
    });
}

/// With a row so small that only the null-space method solves it.
#[test]
fn as_many_constraints_but_one_carefully() {
    in_a_small_thread(|| {
        let (q, v) = state();
        let quick = BOUND.acceleration(&q, &v).expect("regular");
        let careful = Bound {
            unit: 1e-10,
            ..BOUND
        };
        let careful = careful.acceleration(&q, &v).expect("regular");
        assert!((quick - careful).amax() <= 1e-9 * quick.amax());
    });
}

#[test]
fn as_many_constraints_but_one_projected() {
    in_a_small_thread(|| {
        let (q, v) = state();
        let (near, _) = BOUND.project(&(q * 1.001), &v).expect("near");
        let left = BOUND.constraint_residual(&near);
        assert!(left.amax() <= 1e-9 * near.amax());
    });
}

#[test]
fn what_as_many_constraints_but_one_exert() {
    in_a_small_thread(|| {
        let (q, v) = state();
        let held = BOUND.constraint_forces(&q, &v).expect("regular");
        let motion = BOUND.solve(&q, &v).expect("regular");
        // Nothing else acts.
        let left = BOUND.inverse_dynamics(&q, &v, &motion.acceleration) - held;
        assert!(left.amax() <= 1e-9 * held.amax());
    });
}

#[test]
fn matrices_of_as_many_constraints_but_one() {
    in_a_small_thread(|| {
        let (q, _) = state();
        let j = BOUND.constraint_jacobian(&q);
        assert!(j[(253, 254)] == 2.0 * q[254] && j[(254, 255)] == q[255]);
    });
}

#[test]
fn a_gradient_with_as_many_constraints_but_one() {
    in_a_small_thread(|| {
        let (q, v) = state();
        let gradient = BOUND.vjp(&q, &v, &v).expect("regular");
        assert!(gradient.q.iter().all(|entry| entry.is_finite()));
    });
}

#[test]
fn as_many_constraints_but_one_unchecked() {
    in_a_small_thread(|| {
        let (q, v) = state();
        let a = BOUND.acceleration_unchecked(&q, &v);
        assert!(a.iter().all(|a| a.is_finite()));
    });
}

#[test]
fn eighty_one_coordinates_with_eighty_constraints() {
    in_a_small_thread(|| {
        let system = Middle { m: 2.0, k: 3.0 };
        let (q, v) = state();
        let motion = system.solve(&q, &v).expect("regular");
        assert!(motion.acceleration.iter().all(|a| a.is_finite()));
        let (projected, _) = system.project(&q, &v).expect("near");
        assert!((projected - q).amax() <= 1e-9 * q.amax());
    });
}

/// Derivatives by the unrolled solution, with space for those by pivoting.
#[test]
fn derivatives_of_ninety_coordinates_with_sixty_constraints() {
    const LINKS: Links = Links {
        l: [0.2; 30],
        g: 9.81,
    };
    fn state() -> (SVector<f64, 90>, SVector<f64, 90>, SVector<f64, 1>) {
        let hanging = |i: usize, _| match (i < 60, i % 2) {
            (true, 1) => -0.1 * (i + 1) as f64,
            _ => 0.0,
        };
        (
            SVector::from_fn(hanging),
            SVector::zeros(),
            SVector::zeros(),
        )
    }
    in_a_small_thread(|| {
        let (q, v, u) = state();
        assert!(LINKS.acceleration_derivatives(&q, &v, &u).is_ok());
    });
    in_a_small_thread(|| {
        let (q, v, u) = state();
        assert!(LINKS.multiplier_derivatives(&q, &v, &u).is_ok());
    });
    in_a_small_thread(|| {
        let (q, v, u) = state();
        assert!(LINKS.linearize(&q, &v, &u).is_ok());
    });
    in_a_small_thread(|| {
        let (q, v, u) = state();
        let found = LINKS.linearize_unchecked(&q, &v, &u);
        assert!(found.a.iter().all(|entry| entry.is_finite()));
    });
    in_a_small_thread(|| {
        let (q, v, u) = state();
        assert!(LINKS.linearize_reduced(&q, &v, &u).is_ok());
    });
}

/// By pivoting alone.
#[test]
fn derivatives_of_eighty_one_coordinates_with_eighty_constraints() {
    const MIDDLE: Middle = Middle { m: 2.0, k: 3.0 };
    in_a_small_thread(|| {
        let (q, v) = state();
        assert!(MIDDLE.acceleration_derivatives(&q, &v).is_ok());
    });
    in_a_small_thread(|| {
        let (q, v) = state();
        assert!(MIDDLE.linearize(&q, &v).is_ok());
    });
    in_a_small_thread(|| {
        let (q, v) = state();
        assert!(MIDDLE.linearize_reduced(&q, &v).is_ok());
    });
}

#[test]
fn a_chain_of_forty_links() {
    in_a_small_thread(|| {
        let system = Chain::default();
        let (q, v) = state();
        let a = system.acceleration(&q, &v).expect("regular");
        let left = system.inverse_dynamics(&q, &v, &a);
        assert!(left.amax() <= 1e-9 * a.amax());
        let massless = Chain { m: 0.0, ..system };
        assert!(massless.acceleration(&q, &v).is_err());
    });
}

/// The methods of a system whose forces depend on multipliers, each in a thread of its own.
macro_rules! with_forces_by_multipliers {
    ($name:ident, $system:ident) => {
        #[test]
        fn $name() {
            const SYSTEM: $system = $system {
                m: 2.0,
                k: 3.0,
                mu: 0.1,
            };
            in_a_small_thread(|| {
                let (q, v) = state();
                assert!(SYSTEM.solve(&q, &v).is_ok());
            });
            in_a_small_thread(|| {
                let (q, v) = state();
                let a = SYSTEM.acceleration_unchecked(&q, &v);
                assert!(a.iter().all(|a| a.is_finite()));
            });
            in_a_small_thread(|| {
                let (q, v) = state();
                assert!(SYSTEM.vjp(&q, &v, &v).is_ok());
            });
            in_a_small_thread(|| {
                let (q, p) = state();
                assert!(SYSTEM.hamilton_equations(&q, &p).is_ok());
            });
        }
    };
}

with_forces_by_multipliers!(two_hundred_and_fifty_six_coordinates_with_friction, Rubbed);
with_forces_by_multipliers!(
    one_hundred_and_twenty_eight_coordinates_with_friction,
    RubbedRods
);
