//! Each field of a bundle has the value of the method of its name, for every kind of system and scalar.

use lagrangian::nalgebra::{SMatrix, SVector, vector};
use lagrangian::{Error, lagrangian};
use num_dual::Dual64;

use crate::support::Entries;

/// Fields against methods, to rounding.
macro_rules! agree {
    ($system:expr, $bundle:expr, $($item:ident($($argument:expr),*);)*) => {{
        let bundle = &$bundle;
        $(close(stringify!($item), &bundle.$item.entries(), &$system.$item($($argument),*).entries());)*
    }};
}

#[track_caller]
fn close(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(1e-3_f64, |most, x| most.max(x.abs()));
    for (found, expected) in found.iter().zip(expected) {
        let off = (found - expected).abs();
        assert!(off <= 1e-12 * size, "{what}: {found} for {expected}");
    }
}

lagrangian! {
    /// A cart that carries an inverted pendulum.
    #[derive(Clone, Debug)]
    pub struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l: parameter,
        g: parameter = 9.81,
        u: input,
    }
    pub let bob = [x + l * sin(theta), l * cos(theta)];
    pub let power = u * der(x);
    pub let r#type = theta;
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
    regressor identify { m_p, m_c }
    symmetry along: x -> 1;
    /// Quantities for a controller.
    bundle full_step {
        mass_matrix, bias, forcing, momenta, generalized_forces, kinetic_energy, potential_energy,
        coriolis_matrix, potential_gradient, lagrangian, energy, jacobi_integral, inverse_dynamics,
        acceleration_unchecked, coordinate_rates, mass_matrix_full, forcing_full, bob, bob_jacobian,
        power, r#type, type_jacobian, identify, along,
    }
    bundle place { bob, bob_jacobian }
    bundle solution { acceleration_unchecked }
    bundle tangent { inverse_dynamics_derivatives, linearize_unchecked, neutral }
    bundle start { neutral }
}

const CART_POLE: CartPole = CartPole {
    m_c: 1.3,
    m_p: 0.4,
    l: 0.7,
    g: 9.81,
};

#[test]
fn every_item() {
    let (q, v, u, a) = (
        vector![0.3, -0.8],
        vector![1.2, 0.7],
        vector![2.5],
        vector![-0.4, 1.9],
    );
    let all: CartPoleFullStep = CART_POLE.full_step(&q, &v, &u, &a);
    agree! { CART_POLE, all,
        mass_matrix(&q);
        bias(&q, &v);
        forcing(&q, &v, &u);
        momenta(&q, &v);
        generalized_forces(&q, &v, &u);
        kinetic_energy(&q, &v);
        potential_energy(&q);
        coriolis_matrix(&q, &v);
        potential_gradient(&q);
        lagrangian(&q, &v);
        energy(&q, &v);
        jacobi_integral(&q, &v);
        inverse_dynamics(&q, &v, &a);
        acceleration_unchecked(&q, &v, &u);
        coordinate_rates(&q, &v);
        mass_matrix_full(&q);
        forcing_full(&q, &v, &u);
        bob(&q);
        bob_jacobian(&q);
        power(&q, &v, &u);
        r#type(&q);
        type_jacobian(&q);
        identify(&q, &v, &a);
        along(&q, &v);
    }
    // It takes the arguments that its parts need, and no more.
    let place: CartPolePlace = CART_POLE.place(&q);
    agree! { CART_POLE, place, bob(&q); bob_jacobian(&q); }
    let solution = CART_POLE.solution(&q, &v, &u);
    agree! { CART_POLE, solution, acceleration_unchecked(&q, &v, &u); }
}

/// Items with more than one value, or by a call.
#[test]
fn items_put_together() {
    let (q, v) = (vector![0.3, -0.8], vector![1.2, 0.7]);
    let (u, a) = (vector![2.5], vector![-0.4, 1.9]);
    let found = CART_POLE.tangent(&q, &v, &u, &a);
    let (by_q, by_v) = found.inverse_dynamics_derivatives;
    let expected = CART_POLE.inverse_dynamics_derivatives(&q, &v, &a);
    close("dtau/dq", &by_q.entries(), &expected.0.entries());
    close("dtau/dv", &by_v.entries(), &expected.1.entries());
    let expected = CART_POLE.linearize(&q, &v, &u).unwrap();
    close(
        "A",
        &found.linearize_unchecked.a.entries(),
        &expected.a.entries(),
    );
    close(
        "B",
        &found.linearize_unchecked.b.entries(),
        &expected.b.entries(),
    );
    assert_eq!(found.neutral, CART_POLE.start().neutral);

    let (q, v) = (vector![0.1, 0.2, 0.3], vector![0.4, -0.5, 0.6]);
    let sledge = Sledge { m: 2.0, l: 0.3 };
    let found = sledge.tangent(&q, &v).constraint_velocity_derivatives;
    let expected = sledge.constraint_velocity_derivatives(&q, &v);
    close("dr/dq", &found.q.entries(), &expected.q.entries());
    close("dr/dv", &found.v.entries(), &expected.v.entries());
}

/// A struct like any other: copied, printed, taken apart.
#[test]
fn the_struct_is_plain() {
    let place = CART_POLE.place(&vector![0.0, 0.0]);
    let copy = place;
    let CartPolePlace { bob, bob_jacobian } = place;
    assert_eq!((copy.bob, copy.bob_jacobian), (bob, bob_jacobian));
    assert!(format!("{place:?}").starts_with("CartPolePlace { bob: "));
}

/// Derivatives through a bundle.
#[test]
fn dual_numbers() {
    let parameter = Dual64::from_re;
    let system = CartPole {
        m_c: parameter(1.3),
        m_p: parameter(0.4),
        l: parameter(0.7),
        g: parameter(9.81),
    };
    let q = vector![Dual64::from_re(0.3), Dual64::new(-0.8, 1.0)];
    let place = system.place(&q);
    let values = vector![0.3, -0.8];
    let jacobian = CART_POLE.bob_jacobian(&values);
    for (i, entry) in place.bob.iter().enumerate() {
        assert!((entry.eps - jacobian[(i, 1)]).abs() < 1e-15);
    }
    let rates = system.solution(
        &q,
        &vector![parameter(1.2), parameter(0.7)],
        &vector![parameter(2.5)],
    );
    let direct = system.acceleration(
        &q,
        &vector![parameter(1.2), parameter(0.7)],
        &vector![parameter(2.5)],
    );
    for (found, expected) in rates.acceleration_unchecked.iter().zip(&direct.unwrap()) {
        assert!((found.eps - expected.eps).abs() < 1e-12);
    }
}

/// Lanes: where a pivot of one of them is small, all take the way with pivoting.
#[test]
fn lanes() {
    use simba::simd::{SimdValue, WideF64x4};
    let lanes = |values: [f64; 4]| WideF64x4::from(values);
    let system = CartPole {
        m_c: lanes([1.3; 4]),
        m_p: lanes([0.4, 0.0, 0.4, 0.4]),
        l: lanes([0.7; 4]),
        g: lanes([9.81; 4]),
    };
    let (q, v, u) = (
        vector![lanes([0.3; 4]), lanes([-0.8, 0.1, 0.2, 0.3])],
        vector![lanes([1.2; 4]), lanes([0.7; 4])],
        vector![lanes([2.5; 4])],
    );
    let found = system.solution(&q, &v, &u).acceleration_unchecked;
    for lane in [0, 2, 3] {
        let at = |x: WideF64x4| x.extract(lane);
        let (q, v, u) = (q.map(at), v.map(at), u.map(at));
        let expected = CART_POLE.acceleration(&q, &v, &u).unwrap();
        assert!((found.map(at) - expected).norm() < 1e-12);
    }
    assert!(!found.map(|x| x.extract(1)).iter().all(|a| a.is_finite()));
}

lagrangian! {
    /// Both kinds of constraints: a sledge on a rod, whose blade does not slip sideways.
    pub struct Sledge { x, y, phi: coordinate, m, l: parameter, u: input }
    T = m * (der(x)^2 + der(y)^2) / 2 + m * l^2 * der(phi)^2 / 6;
    V = m * 9.81 * y;
    Q.phi = u;
    holonomic rod: x^2 + y^2 = l^2;
    nonholonomic blade: cos(phi) * der(y) = sin(phi) * der(x) + l * der(phi) / 3;
    bundle all {
        constraint_residual, constraint_velocity, constraint_jacobian, constraint_gamma, mass_matrix_full,
        forcing_full, acceleration_unchecked, mass_matrix,
    }
    bundle tangent { constraint_velocity_derivatives }
}

lagrangian! {
    /// M singular at every state: y has no mass and goes where the guide puts it.
    pub struct Follower { x, y, z: coordinate, m: parameter, u: input }
    T = m * (der(x)^2 + der(z)^2) / 2;
    V = z * y;
    holonomic guide: y = x^2 + z;
    Q.y = u;
    bundle all { acceleration_unchecked, energy }
}

#[test]
fn constrained_systems() {
    let sledge = Sledge { m: 2.0, l: 1.5 };
    let (q, v, u) = (
        vector![0.9, 1.2, 0.4],
        vector![0.3, -0.225, 0.7],
        vector![1.5],
    );
    let all = sledge.all(&q, &v, &u);
    agree! { sledge, all,
        constraint_residual(&q);
        constraint_velocity(&q, &v);
        constraint_jacobian(&q);
        constraint_gamma(&q, &v);
        mass_matrix_full(&q);
        forcing_full(&q, &v, &u);
        acceleration_unchecked(&q, &v, &u);
        mass_matrix(&q);
    }
    let follower = Follower { m: 2.0 };
    let all = follower.all(&q, &v, &u);
    agree! { follower, all, acceleration_unchecked(&q, &v, &u); energy(&q, &v); }
}

lagrangian! {
    /// Given by its Lagrangian, with time: M depends on the velocities.
    pub struct Relativistic { t: time, x, y: coordinate, m, c, omega: parameter = 1, e: input }
    L = -m * c^2 * sqrt(1 - (der(x)^2 + der(y)^2) / c^2) - x * cos(omega * t);
    Q.y = e;
    pub let phase = omega * t;
    bundle all { mass_matrix, jacobi_integral, acceleration_unchecked, phase }
    bundle inertia { mass_matrix }
    bundle moment { phase }
}

#[test]
fn time_and_a_lagrangian() {
    let system = Relativistic::default();
    let (t, q, v, u) = (0.7, vector![0.1, 0.2], vector![0.3, 0.4], vector![0.5]);
    let all = system.all(t, &q, &v, &u);
    agree! { system, all,
        mass_matrix(t, &q, &v);
        jacobi_integral(t, &q, &v);
        acceleration_unchecked(t, &q, &v, &u);
        phase(t, &q);
    }
    let inertia = system.inertia(t, &q, &v).mass_matrix;
    assert!((inertia - all.mass_matrix).norm() < 1e-14);
    assert_eq!(system.moment(t, &q).phase, 0.7);
}

lagrangian! {
    /// A system with more coordinates than velocities.
    pub struct Drone {
        p: coordinate[3],
        att: rotation,
        m: parameter = 1.4,
        i: parameter[3] = [0.3, 0.5, 0.7],
        thrust: input,
    }
    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: m, at: [0, 0.1, 0.2], inertia: diag(i) }
    gravity [0, 0, -9.81];
    force Body.vector([0, 0, thrust]) at Body.origin;
    pub let tip = Body.point([0.2, 0.1, -0.3]);
    bundle control {
        mass_matrix, bias, coordinate_rates, tip, tip_jacobian, coriolis_matrix, mass_matrix_full,
        forcing_full, acceleration_unchecked,
    }
}

#[test]
fn rotations() {
    let drone = Drone::<f64>::default();
    let q = vector![0.1, 0.2, 0.3, 0.1, 0.5, -0.1, 0.0];
    let q = drone.integrate(&q, &SVector::zeros());
    let v = vector![0.4, -0.2, 0.6, 1.1, -0.7, 0.3];
    let u = vector![12.0];
    let control = drone.control(&q, &v, &u);
    agree! { drone, control,
        mass_matrix(&q);
        bias(&q, &v);
        coordinate_rates(&q, &v);
        tip(&q);
        tip_jacobian(&q);
        coriolis_matrix(&q, &v);
        mass_matrix_full(&q);
        forcing_full(&q, &v, &u);
        acceleration_unchecked(&q, &v, &u);
    }
}

lagrangian! {
    /// So large that the factorisation is a loop at run time.
    struct Looped { q: coordinate[24], m, k: parameter = 2 }
    T = m * der(sum(i in 0..24, q[i]))^2 / 2 + sum(i in 0..24, (1 + i / 100) * m * der(q[i])^2 / 2);
    V = k * q^2 / 2;
    bundle all { acceleration_unchecked, energy }
}

lagrangian! {
    /// So large that the matrices are written in place.
    struct Placed { q: coordinate[40], m, k: parameter = 2 }
    T = m * der(sum(i in 0..40, q[i]))^2 / 2 + sum(i in 0..40, (1 + i / 100) * m * der(q[i])^2 / 2);
    V = k * q^2 / 2;
    bundle all { acceleration_unchecked, energy }
}

#[test]
fn large_systems() {
    fn state<const N: usize>() -> [SVector<f64, N>; 2] {
        [
            SVector::from_fn(|i, _| (i as f64).sin()),
            SVector::from_fn(|i, _| (i as f64).cos()),
        ]
    }
    let (system, [q, v]) = (Looped::<f64>::default(), state());
    agree! { system, system.all(&q, &v), acceleration_unchecked(&q, &v); energy(&q, &v); }
    let (system, [q, v]) = (Placed::<f64>::default(), state());
    agree! { system, system.all(&q, &v), acceleration_unchecked(&q, &v); energy(&q, &v); }
}

/// A bundle does not judge: where M is singular its acceleration is not finite.
#[test]
fn singular_states() {
    let massless = CartPole {
        m_p: 0.0,
        ..CART_POLE
    };
    let (q, v, u) = (vector![0.0, 0.0], vector![0.0, 0.0], vector![1.0]);
    assert_eq!(
        massless.acceleration(&q, &v, &u),
        Err(Error::SingularMassMatrix)
    );
    let unchecked: SMatrix<f64, 2, 1> = massless.solution(&q, &v, &u).acceleration_unchecked;
    assert!(!unchecked.iter().all(|a| a.is_finite()));
}

/// In a function, of a private struct, from a macro: the struct stands beside that of the system.
#[test]
fn surroundings() {
    macro_rules! declared {
        ($name:ident, $bundle:ident, $item:ident) => {
            lagrangian! {
                struct $name { x: coordinate }
                T = der(x)^2 / 2;
                pub let $item = x;
                bundle $bundle { $item, mass_matrix }
            }
        };
    }
    declared!(Local, own_step, place);
    let step: LocalOwnStep = Local::<f64>::default().own_step(&vector![3.0]);
    assert_eq!((step.place, step.mass_matrix[0]), (3.0, 1.0));

    lagrangian! {
        struct S { S: coordinate }
        T = der(S)^2 / 2;
        bundle S { energy, momenta }
    }
    let both: SS = S::<f64>::default().S(&vector![3.0], &vector![2.0]);
    assert_eq!((both.energy, both.momenta[0]), (2.0, 2.0));

    lagrangian! {
        struct lower { x: coordinate }
        T = der(x)^2 / 2;
        bundle ünï_cöde { energy }
    }
    let energy: lowerÜnïCöde = lower::<f64>::default().ünï_cöde(&vector![3.0], &vector![2.0]);
    assert_eq!(energy.energy, 2.0);
}
