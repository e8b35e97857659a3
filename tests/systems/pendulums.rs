//! Pendulums and their supports.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, matrix, vector};

use crate::harness::reference_test;
use crate::support::{State, assert_close};

lagrangian! {
    /// A cart that carries an inverted pendulum.
    struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l, g: parameter,
        u: input,
    }

    pub let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
    pub let bob_velocity = der(bob);
}

reference_test! {
    cart_pole: CartPole { m_c, m_p, l, g },
    Natural (q, v; u),
    outputs [bob(&q), bob_jacobian(&q), bob_velocity(&q, &v)],
    coordinates ["x", "theta"], cyclic [true, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix false,
}

/// M = [m_c + m_p, m_p l cos(theta); ., m_p l^2], h = (-m_p l theta'^2 sin(theta), -m_p g l
/// sin(theta)), and the only Christoffel symbol that does not vanish.
#[test]
fn cart_pole_in_closed_form() {
    let system = CartPole {
        m_c: 1.0,
        m_p: 0.2,
        l: 0.5,
        g: 9.81,
    };
    let (q, v, u) = (vector![0.0, 0.3], vector![0.0, 0.7], vector![1.0]);
    let mass = matrix![1.2, 0.0955336489125606; 0.0955336489125606, 0.05];
    let bias = vector![-0.0144804901264056, -0.289905322734774];
    let a = vector![0.45265986797636, 4.93322147661429];
    let coriolis = matrix![0.0, -0.2 * 0.5 * 0.7 * 0.3_f64.sin(); 0.0, 0.0];
    assert_close("M", &system.mass_matrix(&q), &mass, 1e-12);
    assert_close("h", &system.bias(&q, &v), &bias, 1e-12);
    assert_close("a", &system.acceleration(&q, &v, &u).unwrap(), &a, 1e-12);
    assert_close("C", &system.coriolis_matrix(&q, &v), &coriolis, 1e-12);
    let gravity = vector![0.0, -0.2 * 9.81 * 0.5 * 0.3_f64.sin()];
    assert_close("dV/dq", &system.potential_gradient(&q), &gravity, 1e-12);
}

/// The momentum of the cyclic coordinate x is kept while no force acts on it.
#[test]
fn cart_pole_keeps_its_momentum_without_input() {
    let system = CartPole {
        m_c: 1.0,
        m_p: 0.2,
        l: 0.5,
        g: 9.81,
    };
    let start = State::new([0.0, 0.3], [0.4, 0.7]);
    let momentum = |s: &State<2>| system.momenta(&s.q, &s.v)[0];
    let motion = start.trajectory(1e-3, 2000, |s| {
        system.acceleration(&s.q, &s.v, &vector![0.0]).unwrap()
    });
    for state in motion {
        assert_close("p_x", &momentum(&state), &momentum(&start), 1e-9);
    }
}

lagrangian! {
    pub(crate) struct DoublePendulum {
        q1, q2: coordinate,
        m1, m2, l1, l2, g: parameter,
    }

    let elbow = [l1 * sin(q1), -l1 * cos(q1)];
    pub let tip = elbow + [l2 * sin(q2), -l2 * cos(q2)];
    pub let height = tip.y;
    T = m1 * der(elbow)^2 / 2 + m2 * der(tip)^2 / 2;
    V = g * (m1 * elbow.y + m2 * tip.y);
}

reference_test! {
    double_pendulum: DoublePendulum { m1, m2, l1, l2, g },
    Natural (q, v),
    outputs [tip(&q), tip_jacobian(&q), height(&q), height_jacobian(&q)],
    coordinates ["q1", "q2"], cyclic [false, false], conserved [false, false],
    conserves_energy true, constant_mass_matrix false,
}

lagrangian! {
    /// Five equal links, by the velocities of the bobs.
    struct PendulumChain {
        q0, q1, q2, q3, q4: coordinate,
        m, l, g: parameter,
    }

    let mut bob = [l * sin(q0), -l * cos(q0)];
    T += m * der(bob)^2 / 2;
    V += m * g * bob.y;
    bob += [l * sin(q1), -l * cos(q1)];
    T += m * der(bob)^2 / 2;
    V += m * g * bob.y;
    bob += [l * sin(q2), -l * cos(q2)];
    T += m * der(bob)^2 / 2;
    V += m * g * bob.y;
    bob += [l * sin(q3), -l * cos(q3)];
    T += m * der(bob)^2 / 2;
    V += m * g * bob.y;
    bob += [l * sin(q4), -l * cos(q4)];
    T += m * der(bob)^2 / 2;
    V += m * g * bob.y;
    pub let tip = bob;
}

reference_test! {
    pendulum_chain: PendulumChain { m, l, g },
    Natural (q, v),
    outputs [tip(&q), tip_jacobian(&q)],
    coordinates ["q0", "q1", "q2", "q3", "q4"], cyclic [false; 5], conserved [false; 5],
    conserves_energy true, constant_mass_matrix false,
}

lagrangian! {
    struct SphericalPendulum {
        theta, phi: coordinate,
        m, l, g: parameter,
    }

    pub let bob = l * [sin(theta) * cos(phi), sin(theta) * sin(phi), -cos(theta)];
    T = m * der(bob)^2 / 2;
    V = m * g * bob.z;
}

reference_test! {
    spherical_pendulum: SphericalPendulum { m, l, g },
    Natural (q, v),
    outputs [bob(&q), bob_jacobian(&q)],
    coordinates ["theta", "phi"], cyclic [false, true], conserved [false, true],
    conserves_energy true, constant_mass_matrix false,
}

lagrangian! {
    /// A pendulum whose pivot is shaken up and down.
    struct KapitzaPendulum {
        theta: coordinate,
        m, l, g, stroke, w: parameter,
        t: time,
    }

    pub let bob = [l * sin(theta), stroke * cos(w * t) - l * cos(theta)];
    T = m * der(bob)^2 / 2;
    V = m * g * bob.y;
    pub let bob_velocity = der(bob);
}

reference_test! {
    kapitza_pendulum: KapitzaPendulum { m, l, g, stroke, w },
    Rheonomic ([t] q, v),
    outputs [bob(t, &q), bob_jacobian(t, &q), bob_velocity(t, &q, &v)],
    coordinates ["theta"], cyclic [false], conserved [false],
    conserves_energy false, constant_mass_matrix true,
}

/// In the frame of the pivot, gravity is g plus the acceleration of the pivot.
#[test]
fn kapitza_pendulum_feels_the_acceleration_of_its_pivot() {
    let system = KapitzaPendulum {
        m: 0.3,
        l: 0.8,
        g: 9.81,
        stroke: 0.1,
        w: 25.0,
    };
    let (t, theta) = (0.7, 2.9_f64);
    let gravity = 9.81 - 0.1 * 25.0 * 25.0 * (25.0_f64 * t).cos();
    let expected = vector![-gravity / 0.8 * theta.sin()];
    let a = system
        .acceleration(t, &vector![theta], &vector![0.4])
        .unwrap();
    assert_close("theta''", &a, &expected, 1e-12);
}

lagrangian! {
    struct ElasticPendulum {
        r, theta: coordinate,
        m, k, rest, g: parameter,
    }

    T = m * (der(r)^2 + r^2 * der(theta)^2) / 2;
    V = k * (r - rest)^2 / 2 - m * g * r * cos(theta);
}

reference_test! {
    elastic_pendulum: ElasticPendulum { m, k, rest, g },
    Natural (q, v),
    outputs [],
    coordinates ["r", "theta"], cyclic [false, false], conserved [false, false],
    conserves_energy true, constant_mass_matrix false,
}

lagrangian! {
    /// The same by its Lagrangian.
    struct ElasticPendulumLagrangian {
        r, theta: coordinate,
        m, k, rest, g: parameter,
    }

    L = m * (der(r)^2 + r^2 * der(theta)^2) / 2;
    L += m * g * r * cos(theta) - k * (r - rest)^2 / 2;
}

reference_test! {
    elastic_pendulum_lagrangian: ElasticPendulumLagrangian { m, k, rest, g },
    Quadratic (q, v),
    outputs [],
    coordinates ["r", "theta"], cyclic [false, false], conserved [false, false],
    conserves_energy true, constant_mass_matrix false,
}

/// With V = V(q), T and V are equivalent to L = T - V.
#[test]
fn both_forms_of_a_system_agree() {
    let split = ElasticPendulum {
        m: 0.7,
        k: 21.0,
        rest: 0.9,
        g: 9.81,
    };
    let whole = ElasticPendulumLagrangian {
        m: 0.7,
        k: 21.0,
        rest: 0.9,
        g: 9.81,
    };
    let (q, v): (SVector<f64, 2>, SVector<f64, 2>) = (vector![1.1, 0.6], vector![-0.4, 1.3]);
    assert_close(
        "M",
        &whole.mass_matrix(&q, &v),
        &split.mass_matrix(&q),
        1e-14,
    );
    assert_close("f", &whole.forcing(&q, &v), &split.forcing(&q, &v), 1e-13);
    assert_close("E", &whole.energy(&q, &v), &split.energy(&q, &v), 1e-13);
    let a = split.acceleration(&q, &v).unwrap();
    assert_close("a", &whole.acceleration(&q, &v).unwrap(), &a, 1e-13);
}
