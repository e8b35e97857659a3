//! Generalized forces: given, at points, by dissipation; and the first examples of a mechanics
//! course.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{matrix, vector};

use crate::harness::reference_test;
use crate::support::{State, assert_close};

lagrangian! {
    struct FreePair {
        q1, q2: coordinate,
    }

    T = der(q1)^2 + der(q2)^2;
}

reference_test! {
    free_pair: FreePair {},
    Natural (q, v),
    outputs [],
    coordinates ["q1", "q2"], cyclic [true, true], conserved [true, true],
    conserves_energy true, constant_mass_matrix true,
}

lagrangian! {
    struct PushedPair {
        q1, q2: coordinate,
    }

    T = der(q1)^2 + der(q2)^2;
    force [7, 0, 0] at [q1, 0, 0];
}

reference_test! {
    pushed_pair: PushedPair {},
    Natural (q, v),
    outputs [],
    coordinates ["q1", "q2"], cyclic [true, true], conserved [false, true],
    conserves_energy false, constant_mass_matrix true,
}

/// Small integers are exact: 2 q1'' = 7, 2 q2'' = 0.
#[test]
fn pairs_are_exact() {
    let (free, pushed) = (FreePair::<f64>::default(), PushedPair::<f64>::default());
    let (q, v) = (vector![0.3, 0.4], vector![3.0, -5.0]);
    let full = matrix![
        1.0, 0.0, 0.0, 0.0; 0.0, 1.0, 0.0, 0.0; 0.0, 0.0, 2.0, 0.0; 0.0, 0.0, 0.0, 2.0
    ];
    assert_eq!(free.mass_matrix(&q), matrix![2.0, 0.0; 0.0, 2.0]);
    assert_eq!(free.forcing(&q, &v), vector![0.0, 0.0]);
    assert_eq!(free.mass_matrix_full(&q), full);
    assert_eq!(free.forcing_full(&q, &v), vector![3.0, -5.0, 0.0, 0.0]);
    assert_eq!(pushed.mass_matrix(&q), matrix![2.0, 0.0; 0.0, 2.0]);
    assert_eq!(pushed.forcing(&q, &v), vector![7.0, 0.0]);
    assert_eq!(pushed.acceleration(&q, &v).unwrap(), vector![3.5, 0.0]);
}

lagrangian! {
    struct DampedOscillator {
        x: coordinate,
        m, b, k: parameter,
    }

    T = m * der(x)^2 / 2;
    V = k * x^2 / 2;
    Q.x = -b * der(x);
}

reference_test! {
    damped_oscillator: DampedOscillator { m, b, k },
    Natural (q, v),
    outputs [],
    coordinates ["x"], cyclic [false], conserved [false],
    conserves_energy false, constant_mass_matrix true,
}

#[test]
fn damped_oscillator_in_first_order() {
    let system = DampedOscillator {
        m: 0.5,
        b: 0.3,
        k: 2.0,
    };
    let rate = system.state_derivative(&vector![0.7, -1.1]).unwrap();
    assert_close(
        "[v; a]",
        &rate,
        &vector![-1.1, (0.3 * 1.1 - 2.0 * 0.7) / 0.5],
        1e-14,
    );
}

lagrangian! {
    struct PulledOscillator {
        x: coordinate,
        m, k, f: parameter,
    }

    T = m * der(x)^2 / 2;
    V = k * x^2 / 2;
    Q.x = f;
}

reference_test! {
    pulled_oscillator: PulledOscillator { m, k, f },
    Natural (q, v),
    outputs [],
    coordinates ["x"], cyclic [false], conserved [false],
    conserves_energy false, constant_mass_matrix true,
}

lagrangian! {
    struct TiltedOscillator {
        x: coordinate,
        m, k, f: parameter,
    }

    L = m * der(x)^2 / 2 - k * x^2 / 2 + f * x;
}

/// A constant force F as Q, or as F q in the Lagrangian.
#[test]
fn constant_force_may_be_part_of_the_lagrangian() {
    let pulled = PulledOscillator {
        m: 0.5,
        k: 2.0,
        f: 0.7,
    };
    let tilted = TiltedOscillator {
        m: 0.5,
        k: 2.0,
        f: 0.7,
    };
    let (q, v) = (vector![0.3], vector![1.9]);
    let a = pulled.acceleration(&q, &v).unwrap();
    assert_close("a", &tilted.acceleration(&q, &v).unwrap(), &a, 1e-14);
    assert_close("a", &a, &vector![(0.7 - 2.0 * 0.3) / 0.5], 1e-13);
    const { assert!(TiltedOscillator::CONSERVES_ENERGY) };
}

lagrangian! {
    struct TwoMass {
        x1, x2: coordinate,
        m1, m2, k1, k2, c1, c2: parameter,
    }

    pub let stretch = x2 - x1;
    T = m1 * der(x1)^2 / 2 + m2 * der(x2)^2 / 2;
    V = k1 * x1^2 / 2 + k2 * stretch^2 / 2;
    D = c1 * der(x1)^2 / 2;
    D += c2 * der(stretch)^2 / 2;
}

reference_test! {
    two_mass: TwoMass { m1, m2, k1, k2, c1, c2 },
    Natural (q, v),
    outputs [stretch(&q), stretch_jacobian(&q)],
    coordinates ["x1", "x2"], cyclic [false, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix true,
}

/// Q = -dD/dv, hence dE/dt = Q . v = -2 D; and the energy lost is the work of the dampers.
#[test]
fn dampers_dissipate_twice_their_function() {
    const STEPS: usize = 4000;
    let system = TwoMass {
        m1: 1.0,
        m2: 0.5,
        k1: 9.0,
        k2: 4.0,
        c1: 0.2,
        c2: 0.1,
    };
    let start = State::new([0.4, -0.2], [0.3, 1.1]);
    let energy = system.energy(&start.q, &start.v);
    let (mut work, mut last) = (0.0, energy);
    let motion = start.trajectory(1e-3, STEPS, |s| system.acceleration(&s.q, &s.v).unwrap());
    for (index, State { q, v, .. }) in motion.enumerate() {
        let power = system.generalized_forces(&q, &v).dot(&v);
        let twice_dissipated = 0.2 * v.x * v.x + 0.1 * (v.y - v.x).powi(2);
        assert_close("Q.v = -2 D", &power, &-twice_dissipated, 1e-12);
        // Simpson's rule.
        let weight = match index {
            0 | STEPS => 1.0,
            _ if index % 2 == 1 => 4.0,
            _ => 2.0,
        };
        work += weight * power * 1e-3 / 3.0;
        last = system.energy(&q, &v);
    }
    assert!(
        (last - energy - work).abs() < 1e-8,
        "lost {}, work {work}",
        last - energy
    );
    assert!(last < 0.8 * energy, "nothing was dissipated");
}

lagrangian! {
    /// Two joints, a force on the hand, a torque on the elbow, and drag on the hand.
    struct DrivenArm {
        q1, q2: coordinate,
        m1, m2, l1, l2, drag: parameter,
        fx, fy, torque: input,
    }

    let elbow = [l1 * cos(q1), l1 * sin(q1)];
    pub let tip = elbow + [l2 * cos(q1 + q2), l2 * sin(q1 + q2)];
    T = m1 * der(elbow)^2 / 2 + m2 * der(tip)^2 / 2;
    Q.q2 = torque;
    force [fx, fy] at tip;
    force -drag * der(tip) at tip;
    pub let power = dot([fx, fy], der(tip)) + torque * der(q2);
}

reference_test! {
    driven_arm: DrivenArm { m1, m2, l1, l2, drag },
    Natural (q, v; u),
    outputs [tip(&q), tip_jacobian(&q), power(&q, &v, &u)],
    coordinates ["q1", "q2"], cyclic [true, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix false,
}

lagrangian! {
    /// A block on a shaken base, pulled and dragged: everything depends on time.
    struct ShakenIncline {
        x, y: coordinate,
        m, shake, w, slope: parameter,
        pull: input,
        t: time,
    }

    pub let block = [shake * sin(w * t) + x * cos(slope) - y * t, x * sin(slope) + y];
    T = m * der(block)^2 / 2;
    V = m * block.y * cos(t);
    D = t * der(x)^2 / 4;
    pub let block_velocity = der(block);
    force [pull, pull * x] at block;
    force [-block_velocity.x, -t * block_velocity.y] at block;
    pub let effort = pull * der(x) + t;
}

reference_test! {
    shaken_incline: ShakenIncline { m, shake, w, slope },
    Rheonomic ([t] q, v; u),
    outputs [
        block(t, &q), block_jacobian(t, &q), block_velocity(t, &q, &v), effort(t, &q, &v, &u),
    ],
    coordinates ["x", "y"], cyclic [false, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix false,
}

lagrangian! {
    /// A dissipation function of third degree, and velocities that couple.
    struct QuadraticDrag {
        x, y: coordinate,
        m, c1, c2: parameter,
    }

    T = m * (der(x)^2 + der(x) * der(y) * cos(x) + der(y)^2) / 2;
    D = c1 * pow(1 + der([x, y])^2, 1.5) / 3 + c2 * der(x) * der(y) / 2;
}

reference_test! {
    quadratic_drag: QuadraticDrag { m, c1, c2 },
    Natural (q, v),
    outputs [],
    coordinates ["x", "y"], cyclic [false, true], conserved [false, false],
    conserves_energy false, constant_mass_matrix false,
}
