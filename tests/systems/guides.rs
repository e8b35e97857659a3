//! Particles on curves and surfaces, at rest and moving.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SMatrix, matrix, vector};

use crate::harness::reference_test;
use crate::held::{assert_held, assert_lands, assert_workless, held, projected};
use crate::support::{State, assert_close, slope};

lagrangian! {
    pub(crate) struct ParticleOnPlane {
        q1, q2, q3: coordinate,
        m, g: parameter,
        f: input,
    }

    T = m * der([q1, q2, q3])^2 / 2;
    V = m * g * q3;
    Q.q1 = f;
    holonomic plane: q1 = q2;
}

reference_test! {
    particle_on_plane: ParticleOnPlane { m, g },
    Natural (q, v; u),
    outputs [],
    constraints ["plane"], holonomic 1,
    coordinates ["q1", "q2", "q3"], cyclic [true, true, false], conserved [false; 3],
    conserves_energy false, constant_mass_matrix true,
}

/// The block system holds nothing but the parameters: no rounding at all.
#[test]
fn block_system_of_a_plane_is_exact() {
    let system = ParticleOnPlane { m: 0.7, g: 9.81 };
    let (q, v) = (vector![0.3, 0.3, -1.1], vector![0.1, 0.1, 0.9]);
    let block = matrix![
        0.7, 0.0, 0.0, -1.0;
        0.0, 0.7, 0.0, 1.0;
        0.0, 0.0, 0.7, 0.0;
        1.0, -1.0, 0.0, 0.0
    ];
    let full = system.mass_matrix_full(&q);
    assert_eq!(full.fixed_view::<4, 4>(3, 3).into_owned(), block);
    let forcing = system.forcing_full(&q, &v, &vector![0.0]);
    let known = vector![0.1, 0.1, 0.9, 0.0, 0.0, -0.7 * 9.81, 0.0];
    assert_eq!(forcing, known);
}

/// It falls within the plane; pushed across, both halves of the push act: q1'' = q2'' = 1 / m and a
/// reaction of -1 for Q = (2, 0, 0).
#[test]
fn particle_on_plane_shares_the_push() {
    let system = ParticleOnPlane { m: 0.7, g: 9.81 };
    let (q, v) = (vector![0.3, 0.3, -1.1], vector![0.1, 0.1, 0.9]);
    let free = system.solve(&q, &v, &vector![0.0]).unwrap();
    let fall = vector![0.0, 0.0, -9.81];
    assert_close("a", &free.acceleration, &fall, 1e-15);
    assert_close("lambda", &free.multipliers, &vector![0.0], 1e-15);
    let pushed = system.solve(&q, &v, &vector![2.0]).unwrap();
    let expected = vector![1.0 / 0.7, 1.0 / 0.7, -9.81];
    assert_close("a", &pushed.acceleration, &expected, 1e-14);
    assert_close("lambda", &pushed.multipliers, &vector![-1.0], 1e-14);
}

lagrangian! {
    /// A point mass in a spherical bowl of radius 1.
    pub(crate) struct Bowl {
        q1, q2, q3: coordinate,
        m, g: parameter,
    }

    T = m * der([q1, q2, q3])^2 / 2;
    V = m * g * q3;
    holonomic wall: q1^2 + q2^2 + q3^2 = 1;
}

reference_test! {
    bowl: Bowl { m, g },
    Natural (q, v),
    outputs [],
    constraints ["wall"], holonomic 1,
    coordinates ["q1", "q2", "q3"], cyclic [true, true, false], conserved [false; 3],
    conserves_energy true, constant_mass_matrix true,
}

/// J = 2 q, gamma = -2 v.v, and the wall pushes with 2 lambda q.
#[test]
fn bowl_at_a_state() {
    let system = Bowl { m: 1.0, g: 9.81 };
    let (q, v) = (vector![0.36, 0.48, -0.8], vector![-0.304, 0.188, -0.024]);
    let motion = system.solve(&q, &v).unwrap();
    let a = vector![-2.87148096, -3.82864128, -3.4289312];
    let forces = system.constraint_forces(&q, &v).unwrap();
    assert_close(
        "J",
        &system.constraint_jacobian(&q),
        &(q * 2.0).transpose(),
        1e-15,
    );
    let gamma = vector![-2.0 * v.norm_squared()];
    assert_close("gamma", &system.constraint_gamma(&q, &v), &gamma, 1e-14);
    assert_close("a", &motion.acceleration, &a, 1e-13);
    assert_close("lambda", &motion.multipliers, &vector![-3.988168], 1e-13);
    assert_close("force", &forces, &(q * (2.0 * -3.988168)), 1e-13);
    assert!(forces.dot(&v).abs() < 1e-15, "the wall does work");
}

lagrangian! {
    pub(crate) struct TiedPair {
        q1, q2: coordinate,
    }

    T = der(q1)^2 + der(q2)^2;
    holonomic tie: q1 = q2;
}

reference_test! {
    tied_pair: TiedPair {},
    Natural (q, v),
    outputs [],
    constraints ["tie"], holonomic 1,
    coordinates ["q1", "q2"], cyclic [true, true], conserved [false, false],
    conserves_energy true, constant_mass_matrix true,
}

/// Small integers are exact.
#[test]
fn tied_pair_is_exact() {
    let pair = TiedPair::<f64>::default();
    let (q, v) = (vector![0.4, 0.4], vector![3.0, 3.0]);
    let full: SMatrix<f64, 5, 5> = matrix![
        1.0, 0.0, 0.0, 0.0, 0.0;
        0.0, 1.0, 0.0, 0.0, 0.0;
        0.0, 0.0, 2.0, 0.0, -1.0;
        0.0, 0.0, 0.0, 2.0, 1.0;
        0.0, 0.0, 1.0, -1.0, 0.0
    ];
    assert_eq!(pair.mass_matrix_full(&q), full);
    assert_eq!(pair.forcing_full(&q, &v), vector![3.0, 3.0, 0.0, 0.0, 0.0]);
    assert_eq!(pair.acceleration(&q, &v).unwrap(), vector![0.0, 0.0]);
}

lagrangian! {
    /// A bead on a straight guide that turns and is lifted.
    struct MovingGuide {
        x, y: coordinate,
        m, g, w, lift: parameter,
        t: time,
    }

    T = m * der([x, y])^2 / 2;
    V = m * g * y;
    holonomic guide: y * cos(w * t) - x * sin(w * t) = lift * sin(t)^2;
}

reference_test! {
    moving_guide: MovingGuide { m, g, w, lift },
    Natural ([t] q, v),
    outputs [],
    constraints ["guide"], holonomic 1,
    coordinates ["x", "y"], cyclic [true, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix true,
}

const GUIDE: MovingGuide = MovingGuide {
    m: 0.6,
    g: 9.81,
    w: 1.3,
    lift: 0.4,
};

fn on_the_guide() -> State<2> {
    let near = State {
        t: 0.4,
        ..State::new([0.9, 0.5], [0.3, -0.2])
    };
    projected(&GUIDE, &near).expect("a guide that can be reached")
}

/// The guide works: dE/dt = -lambda dg/dt, with dg/dt at fixed coordinates.
#[test]
fn moving_guide_does_work() {
    let at = on_the_guide();
    let State { t, q, v } = at;
    let motion = GUIDE.solve(t, &q, &v).unwrap();
    let rate = slope(&|h| {
        let State { t, q, v } = at.moved(h, &(v, motion.acceleration));
        GUIDE.energy(t, &q, &v)
    });
    let explicit = slope(&|h| GUIDE.constraint_residual(t + h, &q));
    let power = -motion.multipliers[0] * explicit[0];
    assert!(power.abs() > 0.1, "the state tells nothing");
    assert_close("dE/dt", &rate, &power, 1e-9);
    let forces = GUIDE.constraint_forces(t, &q, &v).unwrap();
    assert_close("force times velocity", &forces.dot(&v), &power, 1e-12);
}

/// The energy from the guide in three seconds is the integral of its power.
#[test]
fn work_of_a_moving_guide_becomes_energy() {
    const STEPS: usize = 3000;
    let start = on_the_guide();
    let energy = |s: &State<2>| GUIDE.energy(s.t, &s.q, &s.v);
    let (mut work, mut last) = (0.0, 0.0);
    for (index, state) in held(&GUIDE, start, 1e-3, STEPS).enumerate() {
        assert_held(&GUIDE, &state);
        let State { t, q, v } = state;
        let power = GUIDE.constraint_forces(t, &q, &v).unwrap().dot(&v);
        // Simpson's rule.
        let weight = match index {
            0 | STEPS => 1.0,
            _ if index % 2 == 1 => 4.0,
            _ => 2.0,
        };
        work += weight * power * 1e-3 / 3.0;
        last = energy(&state);
    }
    let gained = last - energy(&start);
    assert!(gained.abs() > 0.1, "the guide did nothing: {gained}");
    assert_close("gain", &gained, &work, 1e-8);
}

lagrangian! {
    struct Torus {
        x, y, z: coordinate,
        m, g, major, minor: parameter,
    }

    let r = [x, y, z];
    let ring = hypot(x, y) - major;
    T = m * der(r)^2 / 2;
    V = m * g * z;
    holonomic surface: ring^2 + z^2 = minor^2;
}

reference_test! {
    torus: Torus { m, g, major, minor },
    Natural (q, v),
    outputs [],
    constraints ["surface"], holonomic 1,
    coordinates ["x", "y", "z"], cyclic [true, true, false], conserved [false; 3],
    conserves_energy true, constant_mass_matrix true,
}

/// The angular momentum about the axis of a torus is kept, and the energy.
#[test]
fn particle_on_a_torus_keeps_what_it_should() {
    let system = Torus {
        m: 0.8,
        g: 9.81,
        major: 1.5,
        minor: 0.5,
    };
    let start = projected(&system, &State::new([1.4, 0.2, 0.5], [0.5, 2.0, 0.3])).unwrap();
    let energy = system.energy(&start.q, &start.v);
    let spin = |s: &State<3>| s.q.xy().perp(&s.v.xy());
    for state in held(&system, start, 1e-3, 3000) {
        assert_held(&system, &state);
        assert_close("E", &system.energy(&state.q, &state.v), &energy, 1e-9);
        assert_close("spin", &spin(&state), &spin(&start), 1e-9);
    }
    assert_workless(&system, &start);
    assert_lands(&system, &start);
}
