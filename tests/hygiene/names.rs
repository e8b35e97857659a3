//! Names of parameters, coordinates and outputs.

use lagrangian::lagrangian;
use lagrangian::nalgebra::vector;

lagrangian! {
    /// Parameters called like locals, arguments, type parameters, methods and words of statements.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Parameters {
        x: coordinate,
        t, q, v, u, y, a, p, dy, t0, t1: parameter = 1,
        S, N, Self_, result, system, value: parameter = 1,
        force, gravity, body, spring, damper, torque, frame, holonomic: parameter = 1,
        z, coordinate, parameter, input, time: parameter = 1,
        acceleration, mass_matrix, solve, rhs, energy, bias: parameter = 1,
    }

    let motion = t + q + v + u + y + a + p + dy + t0 + t1;
    let types = S + N + Self_ + result + system + value;
    let words = force + gravity + body + spring + damper + torque + frame + holonomic;
    let roles = z + coordinate + parameter + input + time;
    let methods = acceleration + mass_matrix + solve + rhs + energy + bias;
    T = (motion + types + words + roles + methods) * der(x)^2 / 2;
    V = x;
    force [force, 0] at [x, 0];
}

#[test]
fn parameters_called_like_anything_else() {
    let system = Parameters::default();
    let a = system.acceleration(&vector![0.0], &vector![0.0]);
    assert_eq!(a, Ok(vector![0.0]));
    let pushed = Parameters {
        force: 3.0,
        S: 2.0,
        ..system
    };
    assert_eq!(pushed.mass_matrix(&vector![0.0])[0], 38.0);
    assert_eq!(
        pushed.generalized_forces(&vector![0.0], &vector![0.0])[0],
        3.0
    );
}

lagrangian! {
    /// Coordinates and inputs called like locals, arguments and methods.
    struct Coordinates {
        now: time,
        q, v, u, acceleration: coordinate,
        m: parameter = 1,
        y, solve: input,
    }

    T = m * (der(q)^2 + der(v)^2 + der(u)^2 + der(acceleration)^2) / 2;
    V = q * now;
    Q.v = y;
    Q.u = solve;
    Q.acceleration = der(acceleration);
}

#[test]
fn coordinates_called_like_anything_else() {
    let system = Coordinates::default();
    let zero = vector![0.0, 0.0, 0.0, 0.0];
    let v = vector![0.0, 0.0, 0.0, 4.0];
    let a = system.acceleration(1.0, &zero, &v, &vector![2.0, 3.0]);
    assert_eq!(a, Ok(vector![-1.0, 2.0, 3.0, 4.0]));
    assert_eq!(Coordinates::COORDINATES, ["q", "v", "u", "acceleration"]);
    assert_eq!(Coordinates::INPUTS, ["y", "solve"]);
}

lagrangian! {
    struct Raw {
        r#loop, r#type: coordinate,
        r#match, r#struct: parameter = 2,
        r#fn: input,
    }

    pub let r#where = r#loop + r#type;
    let r#if = der(r#loop);
    T = r#match * r#if^2 / 2 + r#struct * der(r#type)^2 / 2;
    Q.r#loop = r#fn;
}

#[test]
fn raw_identifiers() {
    let system = Raw {
        r#match: 4.0,
        ..Raw::default()
    };
    assert_eq!(Raw::<f64>::default().r#struct, 2.0);
    assert_eq!(Raw::COORDINATES, ["loop", "type"]);
    assert_eq!(Raw::PARAMETERS, ["match", "struct"]);
    assert_eq!(Raw::INPUTS, ["fn"]);
    let q = vector![1.0, 2.0];
    assert_eq!(system.r#where(&q), 3.0);
    assert_eq!(system.where_jacobian(&q), vector![1.0, 1.0].transpose());
    let a = system.acceleration(&q, &vector![0.0, 0.0], &vector![8.0]);
    assert_eq!(a, Ok(vector![2.0, 0.0]));
}

/// rustc brings `ẋ` into one character and leaves `θ̇` two.
mod letters {
    lagrangian::lagrangian! {
        pub(super) struct Pendulum {
            θ: coordinate,
            x: coordinate,
            λ, Δ: parameter = 2,
        }

        pub let größe = λ * Δ;
        T = λ * Δ^2 * θ̇^2 / 2 + ẋ^2 / 2;
        V = -λ * Δ * cos(θ);
        Q.x = θ̇;
    }
}

#[test]
fn letters_of_any_script() {
    let system = letters::Pendulum::default();
    assert_eq!(letters::Pendulum::COORDINATES, ["θ", "x"]);
    assert_eq!(system.λ + system.Δ, 4.0);
    let q = vector![0.0, 0.0];
    assert_eq!(system.größe(&q), 4.0);
    let a = system.acceleration(&q, &vector![3.0, 0.0]);
    assert_eq!(a, Ok(vector![0.0, 3.0]));
}

mod constants {
    //! A `const` in scope would turn a variable of its name into a pattern, were it seen.
    #![allow(dead_code, non_upper_case_globals)]

    pub(super) const x: u8 = 1;
    const m: u8 = 2;
    const bob: u8 = 3;
    const x0: u8 = 4;
    static theta: u8 = 5;
    const G: u8 = 6;
    const t: u8 = 7;
    const q: u8 = 8;
    const v: u8 = 9;
    const u: u8 = 10;
    const a: u8 = 11;
    static y: u8 = 12;
    static dy: u8 = 13;

    lagrangian::lagrangian! {
        pub(super) struct Mass {
            x, theta: coordinate,
            m: parameter = 2,
            u: input,
        }

        pub let bob = [x, theta];
        let x0 = m * x;
        T = m * der(bob)^2 / 2;
        V = x0;
        Q.theta = u;
    }

    lagrangian::lagrangian! {
        pub(super) struct Arguments {
            x, theta: coordinate,
            now: time,
            m, G, t, q: parameter,
            u: input,
        }

        T = m * (der(x)^2 + der(theta)^2) / 2;
        V = G * q * theta * (t + now);
        Q.theta = u;
    }
}

#[test]
fn constants_of_the_same_names() {
    let system = constants::Mass::default();
    let a = system.acceleration(&vector![0.0, 0.0], &vector![0.0, 0.0], &vector![1.0]);
    assert_eq!((a, constants::x), (Ok(vector![-1.0, 0.5]), 1));
    let system = constants::Arguments::new(2.0, 6.0, 0.0, 1.0);
    let a = system.acceleration(1.0, &vector![0.0, 0.0], &vector![0.0, 0.0], &vector![1.0]);
    assert_eq!((a, system.G), (Ok(vector![0.0, -2.5]), 6.0));
}

lagrangian! {
    /// Every role has names of functions, and the functions are still there.
    struct Functions {
        outer, sin, θ1: coordinate,
        max, velocity: parameter,
        sum: parameter[2] = [1, 2],
        cross: input,
        norm: time,
    }

    let dot = [outer, sin];
    let mut sqrt = dot(dot, dot);
    sqrt += sqrt(4) * max(max, 1);
    pub let hypot = hypot(outer, sin);
    pub let min = min(sqrt, norm);
    pub let abs = sum(identity in 0..2, sum[identity]) + abs(-max);
    frame diag = world.translate([outer, 0, 0]).rotate(z, sin);
    pub let new_velocity = velocity(diag) * velocity;
    T = max * der(dot)^2 / 2 + der(θ1)^2 / 2;
    Q.outer = cross(dot, [0, cross]);
    Q.θ1 = -θ1̇ + θ̇1 * 3;
    holonomic tan: outer = sin(0);
}

#[test]
fn functions_lend_their_names() {
    let system = Functions::new(3.0, 5.0);
    let q = vector![3.0, 4.0, 0.0];
    let v = vector![1.0, 2.0, 7.0];
    assert_eq!(Functions::COORDINATES, ["outer", "sin", "θ1"]);
    assert_eq!(Functions::VELOCITIES, ["der(outer)", "der(sin)", "der(θ1)"]);
    assert_eq!(Functions::CONSTRAINTS, ["tan"]);
    assert_eq!(
        (system.max, system.velocity, system.sum),
        (3.0, 5.0, [1.0, 2.0])
    );
    assert_eq!(system.hypot(1.0, &q), 5.0);
    assert_eq!(system.min(1.0, &q), 1.0);
    assert_eq!(system.min(99.0, &q), 25.0 + 2.0 * 3.0);
    assert_eq!(system.abs(1.0, &q), 1.0 + 2.0 + 3.0);
    assert_eq!(system.new_velocity(1.0, &q, &v), vector![5.0, 0.0, 0.0]);
    let forces = system.generalized_forces(1.0, &q, &v, &vector![2.0]);
    assert_eq!(forces, vector![6.0, 0.0, 14.0]);
}
