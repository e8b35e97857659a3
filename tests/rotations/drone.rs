//! A rigid body in space under thrust, weight and a torque, against Newton's and Euler's equations.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{Matrix6, SMatrix, SVector, Vector3, Vector4, vector};

use crate::support::{Random, assert_close, matrix};

lagrangian! {
    /// A rigid body with a thrust along its own z axis.
    #[derive(Clone, Debug)]
    pub struct Drone {
        p: coordinate[3],
        att: rotation,
        m: parameter,
        i: parameter[3],
        g: parameter,
        thrust: input,
        torque: input[3],
    }

    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: m, inertia: diag(i) }
    gravity [0, 0, -g];
    Q.att = torque;
    force Body.vector([0, 0, thrust]) at Body.origin;

    pub let up = Body.vector([0, 0, 1]);
    pub let tip = Body.point([0.2, 0.1, -0.3]);
    pub let w = angular_velocity(Body);
}

pub(crate) const DRONE: Drone = Drone {
    m: 1.4,
    i: [0.3, 0.5, 0.7],
    g: 9.81,
};

pub(crate) struct State {
    pub(crate) q: SVector<f64, 7>,
    pub(crate) v: SVector<f64, 6>,
    pub(crate) u: SVector<f64, 4>,
    pub(crate) a: SVector<f64, 6>,
}

impl State {
    pub(crate) fn random(random: &mut Random) -> Self {
        let (p, att) = (random.vector::<3>(), random.quaternion());
        State {
            q: vector![p.x, p.y, p.z, att.x, att.y, att.z, att.w],
            v: random.vector() * 2.0,
            u: random.vector() * 3.0,
            a: random.vector(),
        }
    }

    fn attitude(&self) -> Vector4<f64> {
        self.q.fixed_rows::<4>(3).into_owned()
    }

    fn rates(&self) -> Vector3<f64> {
        self.v.fixed_rows::<3>(3).into_owned()
    }

    /// w x I w
    fn gyroscopic(&self) -> Vector3<f64> {
        let w = self.rates();
        w.cross(&Vector3::from(DRONE.i).component_mul(&w))
    }
}

fn stacked(upper: Vector3<f64>, lower: Vector3<f64>) -> SVector<f64, 6> {
    vector![upper.x, upper.y, upper.z, lower.x, lower.y, lower.z]
}

fn states() -> impl Iterator<Item = State> {
    let mut random = Random(0x5EED);
    (0..20).map(move |_| State::random(&mut random))
}

fn mass_matrix() -> Matrix6<f64> {
    let [i, j, k] = DRONE.i;
    Matrix6::from_diagonal(&vector![1.4, 1.4, 1.4, i, j, k])
}

#[test]
fn names_and_flags() {
    assert_eq!(
        Drone::COORDINATES,
        ["p[0]", "p[1]", "p[2]", "att.x", "att.y", "att.z", "att.w"]
    );
    assert_eq!(
        Drone::VELOCITIES,
        [
            "der(p)[0]",
            "der(p)[1]",
            "der(p)[2]",
            "der(att).x",
            "der(att).y",
            "der(att).z"
        ]
    );
    assert_eq!(Drone::DEGREES_OF_FREEDOM, 6);
    assert_eq!(Drone::CYCLIC, [true, true, false, true, true, true]);
    assert_eq!(Drone::CONSERVED_MOMENTA, [false; 6]);
    const { assert!(Drone::CONSTANT_MASS_MATRIX) };
    assert!(
        Drone::EQUATIONS.text.contains("omega_att.x"),
        "{}",
        Drone::EQUATIONS.text
    );
}

/// M, h, f and a by Newton and Euler.
#[test]
fn dynamics_are_newtons_and_eulers() {
    for state in states() {
        let State { q, v, u, a } = &state;
        assert_close("M", &DRONE.mass_matrix(q), &mass_matrix(), 1e-15);
        let weight = Vector3::new(0.0, 0.0, DRONE.m * DRONE.g);
        let bias = stacked(weight, state.gyroscopic());
        assert_close("h", &DRONE.bias(q, v), &bias, 1e-14);
        let thrust = matrix(&state.attitude()) * Vector3::new(0.0, 0.0, u[0]);
        let forces = stacked(thrust, Vector3::new(u[1], u[2], u[3]));
        assert_close("Q", &DRONE.generalized_forces(q, v, u), &forces, 1e-14);
        assert_close("f", &DRONE.forcing(q, v, u), &(forces - bias), 1e-14);
        let expected = (forces - bias).component_div(&mass_matrix().diagonal());
        assert_close("a", &DRONE.acceleration(q, v, u).unwrap(), &expected, 1e-14);
        assert_close(
            "a",
            &DRONE.acceleration_unchecked(q, v, u),
            &expected,
            1e-14,
        );
        let effort = mass_matrix() * a + bias;
        assert_close("tau", &DRONE.inverse_dynamics(q, v, a), &effort, 1e-14);
        assert_close("p", &DRONE.momenta(q, v), &(mass_matrix() * v), 1e-14);
    }
}

#[test]
fn energies_and_the_coriolis_matrix() {
    for State { q, v, .. } in states() {
        let (kinetic, potential) = (v.dot(&(mass_matrix() * v)) / 2.0, DRONE.m * DRONE.g * q[2]);
        let scalar = |x: f64| vector![x];
        let close = |what, actual, expected| {
            assert_close(what, &scalar(actual), &scalar(expected), 1e-14);
        };
        close("T", DRONE.kinetic_energy(&q, &v), kinetic);
        close("V", DRONE.potential_energy(&q), potential);
        close("L", DRONE.lagrangian(&q, &v), kinetic - potential);
        close("E", DRONE.energy(&q, &v), kinetic + potential);
        close("J", DRONE.jacobi_integral(&q, &v), kinetic + potential);
        let c = DRONE.coriolis_matrix(&q, &v);
        let gradient = DRONE.potential_gradient(&q);
        assert_close(
            "C v + dV/dq",
            &(c * v + gradient),
            &DRONE.bias(&q, &v),
            1e-14,
        );
        // M is constant here.
        assert_close("C + C^T", &(c + c.transpose()), &SMatrix::zeros(), 1e-14);
    }
}

/// qdot by the product of quaternions, and every method that returns it.
#[test]
fn coordinates_move_as_quaternions_do() {
    for state in states() {
        let State { q, v, u, .. } = &state;
        let (r, w) = (state.attitude().xyz(), state.attitude().w);
        let rates = state.rates();
        let vector_part = (rates * w + r.cross(&rates)) / 2.0;
        let scalar_part = -r.dot(&rates) / 2.0;
        let expected = vector![
            v[0],
            v[1],
            v[2],
            vector_part.x,
            vector_part.y,
            vector_part.z,
            scalar_part
        ];
        assert_close("qdot", &DRONE.coordinate_rates(q, v), &expected, 1e-15);
        let y = SVector::<f64, 13>::from_iterator(q.iter().chain(v).copied());
        let a = DRONE.acceleration(q, v, u).unwrap();
        let dy = SVector::<f64, 13>::from_iterator(expected.iter().chain(&a).copied());
        assert_close("dy", &DRONE.state_derivative(&y, u).unwrap(), &dy, 1e-14);
        assert_close("dy", &DRONE.state_derivative_unchecked(&y, u), &dy, 1e-14);
        let mut array = [0.0; 13];
        DRONE
            .rhs(0.0, &y.data.0[0], &u.data.0[0], &mut array)
            .unwrap();
        assert_close("dy", &SVector::from(array), &dy, 1e-14);
        let full: SMatrix<f64, 13, 13> = DRONE.mass_matrix_full(q);
        let right: SVector<f64, 13> = DRONE.forcing_full(q, v, u);
        let solved = full.lu().solve(&right).unwrap();
        assert_close("A^-1 b", &solved, &dy, 1e-14);
    }
}

#[test]
fn displacements_come_back() {
    let mut random = Random(0xD15);
    for State { q, .. } in states() {
        let d: SVector<f64, 6> = random.vector();
        let moved = DRONE.integrate(&q, &d);
        assert_close("d", &DRONE.difference(&q, &moved), &d, 1e-14);
        assert_close(
            "length",
            &vector![moved.fixed_rows::<4>(3).norm()],
            &vector![1.0],
            1e-15,
        );
        assert_close("q", &DRONE.integrate(&q, &SVector::zeros()), &q, 1e-15);
    }
    let neutral = DRONE.neutral();
    assert_eq!(neutral, vector![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
}

/// Rates and Jacobians of outputs are along the velocities.
#[test]
fn outputs_are_of_the_turned_axes() {
    for state in states() {
        let State { q, v, .. } = &state;
        let r = matrix(&state.attitude());
        assert_close("up", &DRONE.up(q), &r.column(2).into_owned(), 1e-14);
        let arm = Vector3::new(0.2, 0.1, -0.3);
        let tip = q.fixed_rows::<3>(0) + r * arm;
        assert_close("tip", &DRONE.tip(q), &tip, 1e-14);
        assert_close("w", &DRONE.w(q, v), &(r * state.rates()), 1e-14);
        let mut jacobian = SMatrix::<f64, 3, 6>::identity();
        jacobian
            .fixed_view_mut::<3, 3>(0, 3)
            .copy_from(&(-r * arm.cross_matrix()));
        assert_close("J", &DRONE.tip_jacobian(q), &jacobian, 1e-14);
    }
}
