//! Code that does not know its system or its scalar.

use lagrangian::nalgebra::{RealField, SVector, convert, vector};
use lagrangian::{Equations, Error, System, lagrangian};

lagrangian! {
    #[derive(Clone, Debug)]
    struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l: parameter,
        g: parameter = 9.81,
        u: input,
    }

    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
}

lagrangian! {
    struct Kapitza {
        t: time,
        theta: coordinate,
        amplitude, omega: parameter = 1,
    }

    let pivot = amplitude * cos(omega * t);
    let bob = [sin(theta), pivot + cos(theta)];
    T = der(bob)^2 / 2;
    V = 9.81 * bob.y;
}

/// `new` takes the scalar from its arguments.
#[test]
fn new_fills_in_the_defaults() {
    let system = CartPole::new(1.0, 0.1, 0.5);
    assert_eq!(
        (system.m_c, system.m_p, system.l, system.g),
        (1.0, 0.1, 0.5, 9.81)
    );
    let small: f32 = CartPole::new(1.0_f32, 0.1, 0.5).g;
    assert_eq!(small, 9.81);
    let kapitza: Kapitza = Kapitza::new();
    assert_eq!((kapitza.amplitude, kapitza.omega), (1.0, 1.0));
}

/// No scalar is named, neither for the constants nor for the fields.
#[test]
fn the_scalar_is_f64_unless_named() {
    let system = CartPole {
        m_c: 1.0,
        m_p: 0.1,
        l: 0.5,
        g: 9.81,
    };
    const COUNT: usize = CartPole::COORDINATES.len();
    assert_eq!(COUNT, 2);
    assert_eq!(CartPole::COORDINATES, ["x", "theta"]);
    assert_eq!(CartPole::VELOCITIES, ["der(x)", "der(theta)"]);
    assert_eq!(CartPole::PARAMETERS, ["m_c", "m_p", "l", "g"]);
    assert_eq!(CartPole::INPUTS, ["u"]);
    assert!(CartPole::CONSTRAINTS.is_empty());
    assert_eq!(CartPole::DEGREES_OF_FREEDOM, 2);
    assert_eq!(CartPole::CYCLIC, [true, false]);
    assert_eq!(CartPole::CONSERVED_MOMENTA, [false, false]);
    const { assert!(!CartPole::CONSERVES_ENERGY && !CartPole::CONSTANT_MASS_MATRIX) };
    let Equations { text, latex } = CartPole::EQUATIONS;
    assert!(text.contains("theta") && latex.contains(r"\theta"));
    let single = CartPole::<f32> {
        m_c: 1.0,
        m_p: 0.1,
        l: 0.5,
        g: 9.81,
    };
    assert_eq!(single.g, system.g as f32);
}

/// One step of the midpoint rule for any system and scalar.
fn midpoint<S, M, const N: usize, const K: usize, const C: usize>(
    system: &M,
    t: S,
    (q, v): (SVector<S, N>, SVector<S, N>),
    u: &SVector<S, K>,
    h: S,
) -> Result<(SVector<S, N>, SVector<S, N>), Error>
where
    S: RealField + Copy,
    M: System<S, N, N, K, C>,
{
    let half = h * convert(0.5);
    let (dq, dv) = system.state_derivative(t, &q, &v, u)?;
    let (dq, dv) = system.state_derivative(t + half, &(q + dq * half), &(v + dv * half), u)?;
    Ok((q + dq * h, v + dv * h))
}

/// A summary that only the trait's constants go into.
fn summary<M, const N: usize, const K: usize, const C: usize>(_: &M) -> String
where
    M: System<f64, N, N, K, C>,
{
    format!(
        "{:?} {:?} {:?} {:?} {:?} {} {:?} {:?} {} {} {}",
        M::COORDINATES,
        M::VELOCITIES,
        M::PARAMETERS,
        M::INPUTS,
        M::CONSTRAINTS,
        M::DEGREES_OF_FREEDOM,
        M::CYCLIC,
        M::CONSERVED_MOMENTA,
        M::CONSERVES_ENERGY,
        M::CONSTANT_MASS_MATRIX,
        M::EQUATIONS.text.is_empty(),
    )
}

#[test]
fn constants_of_the_trait() {
    let system = Kapitza::default();
    assert_eq!(
        summary(&system),
        r#"["theta"] ["der(theta)"] ["amplitude", "omega"] [] [] 1 [false] [false] false true false"#
    );
}

#[test]
fn integrators_of_any_system() {
    let system = CartPole::<f32> {
        m_c: 1.0,
        m_p: 0.1,
        l: 0.5,
        g: 10.0,
    };
    let rest = (vector![0.0, 0.0], vector![0.0, 0.0]);
    let (q, v) = midpoint(&system, 0.0, rest, &vector![2.0], 0.5).unwrap();
    assert!((q - vector![0.25, -0.5]).amax() < 1e-6);
    assert!((v[0] - 1.0).abs() < 0.1);
    let hanging = (vector![std::f64::consts::PI], vector![0.0]);
    let (q, _) = midpoint(&Kapitza::default(), 0.0, hanging, &vector![], 0.01).unwrap();
    assert!((q[0] - std::f64::consts::PI).abs() < 1e-12);
}

/// The methods with the trait's arguments and the type's own agree.
#[test]
fn trait_and_type_agree() {
    let system = Kapitza::default();
    let (t, q, v, u) = (0.3_f64, vector![0.4], vector![0.5], vector![]);
    let own = system.acceleration(t, &q, &v);
    assert_eq!(own, System::acceleration(&system, t, &q, &v, &u));
    let own = system.inverse_dynamics(t, &q, &v, &own.unwrap());
    let of_trait = System::inverse_dynamics(&system, t, &q, &v, &u, &vector![1.0]);
    assert_eq!(
        system.momenta(t, &q, &v),
        System::momenta(&system, t, &q, &v, &u)
    );
    assert_eq!(system.bias(t, &q, &v), System::bias(&system, t, &q, &v, &u));
    assert_eq!(
        system.energy(t, &q, &v),
        System::energy(&system, t, &q, &v, &u)
    );
    assert!(own[0].abs() < 1e-14 && of_trait[0].is_finite());
}
