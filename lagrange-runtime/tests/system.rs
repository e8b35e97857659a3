//! A system written by hand, used through the trait alone, as generic tools do.

use lagrange_runtime::{
    Derivatives, Equations, Error, Motion, System,
    nalgebra::{RealField, SMatrix, SVector, matrix, vector},
};
use num_dual::Dual64;

/// A mass on a spring with an external force: L = m v²/2 - k x²/2, Q = u.
struct Spring<S> {
    m: S,
    k: S,
}

type Vector<S> = SVector<S, 1>;

impl<S: RealField + Copy> System<S, 1, 1, 1, 0> for Spring<S> {
    const COORDINATES: [&'static str; 1] = ["x"];
    const VELOCITIES: [&'static str; 1] = ["der(x)"];
    const PARAMETERS: &'static [&'static str] = &["m", "k"];
    const INPUTS: [&'static str; 1] = ["u"];
    const CONSTRAINTS: [&'static str; 0] = [];
    const HOLONOMIC_CONSTRAINTS: usize = 0;
    const DEGREES_OF_FREEDOM: usize = 1;
    const ANGULAR: [bool; 1] = [false; 1];
    const CYCLIC: [bool; 1] = [false];
    const CONSERVED_MOMENTA: [bool; 1] = [false];
    const CONSERVES_ENERGY: bool = false;
    const CONSTANT_MASS_MATRIX: bool = true;
    const EQUATIONS: Equations = Equations {
        text: "m x'' = u - k x",
        latex: r"m \ddot{x} &= u - k x",
    };

    fn coordinate_rates(&self, _: S, _: &Vector<S>, v: &Vector<S>, _: &Vector<S>) -> Vector<S> {
        *v
    }

    fn integrate(&self, q: &Vector<S>, d: &Vector<S>) -> Vector<S> {
        q + d
    }

    fn difference(&self, q0: &Vector<S>, q1: &Vector<S>) -> Vector<S> {
        q1 - q0
    }

    fn neutral(&self) -> Vector<S> {
        Vector::zeros()
    }

    fn mass_matrix(&self, _: S, _: &Vector<S>, _: &Vector<S>, _: &Vector<S>) -> SMatrix<S, 1, 1> {
        matrix![self.m]
    }

    fn forcing(&self, t: S, q: &Vector<S>, v: &Vector<S>, u: &Vector<S>) -> Vector<S> {
        self.generalized_forces(t, q, v, u) - self.bias(t, q, v, u)
    }

    fn momenta(&self, _: S, _: &Vector<S>, v: &Vector<S>, _: &Vector<S>) -> Vector<S> {
        v * self.m
    }

    fn bias(&self, _: S, q: &Vector<S>, _: &Vector<S>, _: &Vector<S>) -> Vector<S> {
        q * self.k
    }

    fn generalized_forces(&self, _: S, _: &Vector<S>, _: &Vector<S>, u: &Vector<S>) -> Vector<S> {
        *u
    }

    fn lagrangian(&self, _: S, q: &Vector<S>, v: &Vector<S>, _: &Vector<S>) -> S {
        (self.m * v[0] * v[0] - self.k * q[0] * q[0]) / (S::one() + S::one())
    }

    fn energy(&self, t: S, q: &Vector<S>, v: &Vector<S>, u: &Vector<S>) -> S {
        self.momenta(t, q, v, u).dot(v) - self.lagrangian(t, q, v, u)
    }

    fn jacobi_integral(&self, t: S, q: &Vector<S>, v: &Vector<S>, u: &Vector<S>) -> S {
        self.energy(t, q, v, u)
    }

    fn inverse_dynamics(
        &self,
        t: S,
        q: &Vector<S>,
        v: &Vector<S>,
        u: &Vector<S>,
        a: &Vector<S>,
    ) -> Vector<S> {
        self.mass_matrix(t, q, v, u) * a + self.bias(t, q, v, u)
    }

    fn acceleration(
        &self,
        t: S,
        q: &Vector<S>,
        v: &Vector<S>,
        u: &Vector<S>,
    ) -> Result<Vector<S>, Error> {
        if self.m.is_zero() {
            return Err(Error::SingularMassMatrix);
        }
        Ok(self.forcing(t, q, v, u) / self.m)
    }

    fn solve(
        &self,
        t: S,
        q: &Vector<S>,
        v: &Vector<S>,
        u: &Vector<S>,
    ) -> Result<Motion<S, 1, 0>, Error> {
        Ok(Motion {
            acceleration: self.acceleration(t, q, v, u)?,
            multipliers: SVector::zeros(),
        })
    }

    fn inverse_dynamics_derivatives(
        &self,
        _: S,
        _: &Vector<S>,
        _: &Vector<S>,
        _: &Vector<S>,
        _: &Vector<S>,
    ) -> (SMatrix<S, 1, 1>, SMatrix<S, 1, 1>) {
        (matrix![self.k], matrix![S::zero()])
    }

    fn equation_derivatives(
        &self,
        _: S,
        _: &Vector<S>,
        _: &Vector<S>,
        _: &Vector<S>,
        _: &Motion<S, 1, 0>,
    ) -> (Derivatives<S, 1, 1, 1>, Derivatives<S, 0, 1, 1>) {
        let forces = Derivatives {
            q: matrix![-self.k],
            v: matrix![S::zero()],
            z: SMatrix::zeros(),
            u: matrix![S::one()],
        };
        let none = SMatrix::zeros();
        let rates = Derivatives {
            q: none,
            v: none,
            z: SMatrix::zeros(),
            u: none,
        };
        (forces, rates)
    }
}

/// One step of the classical Runge-Kutta method.
fn runge_kutta<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    (q, v): (SVector<S, NQ>, SVector<S, N>),
    u: &SVector<S, K>,
    dt: S,
) -> Result<(SVector<S, NQ>, SVector<S, N>), Error>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    let t = S::zero();
    let half = dt / (S::one() + S::one());
    let (q1, v1) = system.state_derivative(t, &q, &v, u)?;
    let (q2, v2) = system.state_derivative(t, &(q + q1 * half), &(v + v1 * half), u)?;
    let (q3, v3) = system.state_derivative(t, &(q + q2 * half), &(v + v2 * half), u)?;
    let (q4, v4) = system.state_derivative(t, &(q + q3 * dt), &(v + v3 * dt), u)?;
    let (two, sixth) = (S::one() + S::one(), dt / nalgebra::convert(6.0));
    let q = q + (q1 + (q2 + q3) * two + q4) * sixth;
    let v = v + (v1 + (v2 + v3) * two + v4) * sixth;
    Ok((q, v))
}

#[test]
fn a_stepper_for_any_system() {
    let spring = Spring { m: 2.0, k: 8.0 };
    let u = vector![0.0];
    let mut state = (vector![1.0], vector![0.0]);
    for _ in 0..1000 {
        state = runge_kutta(&spring, state, &u, 1e-3).expect("regular");
    }
    // The frequency is sqrt(k / m) = 2.
    assert!((state.0[0] - 2.0_f64.cos()).abs() < 1e-12);
    assert!((state.1[0] + 2.0 * 2.0_f64.sin()).abs() < 1e-12);
    assert!((spring.energy(1.0, &state.0, &state.1, &u) - 4.0).abs() < 1e-12);
}

#[test]
fn sensitivities_by_dual_numbers() {
    let spring = Spring {
        m: Dual64::from_re(2.0),
        k: Dual64::from_re(8.0).derivative(),
    };
    let start = (vector![Dual64::from_re(1.0)], vector![Dual64::from_re(0.0)]);
    let (_, v) = runge_kutta(
        &spring,
        start,
        &vector![Dual64::from_re(0.0)],
        Dual64::from_re(1e-3),
    )
    .expect("regular");
    // v = -ω sin(ω dt), so dv/dk is about -dt / m.
    assert!((v[0].eps + 0.5e-3).abs() < 1e-8);
}

#[test]
fn errors_pass_through_provided_methods() {
    let massless = Spring { m: 0.0, k: 8.0 };
    let zero = vector![0.0];
    let result = massless.state_derivative(0.0, &zero, &zero, &zero);
    assert_eq!(result, Err(Error::SingularMassMatrix));
}

#[test]
fn errors_say_what_to_do() {
    let texts = [
        Error::SingularMassMatrix,
        Error::DependentConstraints { row: 3 },
        Error::NotConverged { residual: 2.5e-3 },
        Error::NotFinite { argument: "result" },
    ]
    .map(|error| error.to_string());
    assert!(texts[1].contains("constraint 3") && texts[2].contains("2.5e-3"));
    for text in texts {
        assert!(
            text.contains(": ") && !text.ends_with('.') && !text.contains("  "),
            "{text}"
        );
    }
}
