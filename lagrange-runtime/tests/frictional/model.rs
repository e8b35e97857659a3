//! Systems with contacts that are written by hand: functions of the state for each term.

use lagrange_runtime::{
    ActiveMotion, Contacts, Derivatives, Equations, Error, FrictionTerms, Frictional, Impact,
    Motion, Resolved, System, contacts,
    linalg::kkt,
    nalgebra::{SMatrix, SVector},
    project::project,
};

type V<const N: usize> = SVector<f64, N>;
pub(super) type NoInput = SVector<f64, 0>;

/// A sequence of numbers between -1 and 1.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Gaps, sliding velocities and their derivatives at a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch<const N: usize, const P: usize> {
    pub(super) gaps: V<P>,
    pub(super) jacobian: SMatrix<f64, P, N>,
    pub(super) gamma: V<P>,
    pub(super) slips: [V<P>; 2],
    pub(super) slip_jacobians: [SMatrix<f64, P, N>; 2],
    pub(super) slip_gammas: [V<P>; 2],
    pub(super) friction: V<P>,
    pub(super) restitution: V<P>,
}

impl<const N: usize, const P: usize> Touch<N, P> {
    pub(super) fn none() -> Self {
        Self {
            gaps: V::zeros(),
            jacobian: SMatrix::zeros(),
            gamma: V::zeros(),
            slips: [V::zeros(); 2],
            slip_jacobians: [SMatrix::zeros(); 2],
            slip_gammas: [V::zeros(); 2],
            friction: V::zeros(),
            restitution: V::zeros(),
        }
    }

    /// With sliding velocities `J v`.
    pub(super) fn slides(mut self, slip_jacobians: [SMatrix<f64, P, N>; 2], v: &V<N>) -> Self {
        self.slips = slip_jacobians.map(|jacobian| jacobian * v);
        self.slip_jacobians = slip_jacobians;
        self
    }
}

/// A system with `P` contacts of `SLIP` sliding velocities, and with dry friction in its first `M` joints. The constraints
/// are linear.
pub(super) struct Model<
    'a,
    const N: usize,
    const C: usize,
    const P: usize,
    const M: usize,
    const SLIP: usize,
> {
    pub(super) mass: &'a dyn Fn(&V<N>) -> SMatrix<f64, N, N>,
    pub(super) forcing: &'a dyn Fn(f64, &V<N>, &V<N>) -> V<N>,
    pub(super) touch: &'a dyn Fn(f64, &V<N>, &V<N>) -> Touch<N, P>,
    pub(super) rows: SMatrix<f64, C, N>,
    pub(super) limits: V<M>,
    /// The rounding errors of gaps and rates.
    pub(super) bound: f64,
}

/// The same, where rows may depend on each other.
pub(super) struct Shared<
    'a,
    const N: usize,
    const C: usize,
    const P: usize,
    const M: usize,
    const SLIP: usize,
>(pub(super) Model<'a, N, C, P, M, SLIP>);

macro_rules! implement {
    ($name:ident, $redundant:literal, |$this:ident| $model:expr) => {
        impl<const N: usize, const C: usize, const P: usize, const M: usize, const SLIP: usize>
            System<f64, N, N, 0, C> for $name<'_, N, C, P, M, SLIP>
        {
            const COORDINATES: [&'static str; N] = [""; N];
            const VELOCITIES: [&'static str; N] = [""; N];
            const PARAMETERS: &'static [&'static str] = &[];
            const INPUTS: [&'static str; 0] = [];
            const CONSTRAINTS: [&'static str; C] = [""; C];
            const HOLONOMIC_CONSTRAINTS: usize = C;
            const DEGREES_OF_FREEDOM: usize = N - C;
            const REDUNDANT: bool = $redundant;
            const ANGULAR: [bool; N] = [false; N];
            const CYCLIC: [bool; N] = [false; N];
            const CONSERVED_MOMENTA: [bool; N] = [false; N];
            const CONSERVES_ENERGY: bool = false;
            const CONSTANT_MASS_MATRIX: bool = false;
            const EQUATIONS: Equations = Equations {
                text: "",
                latex: "",
            };

            fn coordinate_rates(&self, _: f64, _: &V<N>, v: &V<N>, _: &NoInput) -> V<N> {
                *v
            }
            fn integrate(&self, q: &V<N>, d: &V<N>) -> V<N> {
                q + d
            }
            fn difference(&self, q0: &V<N>, q1: &V<N>) -> V<N> {
                q1 - q0
            }
            fn neutral(&self) -> V<N> {
                V::zeros()
            }
            fn mass_matrix(&self, _: f64, q: &V<N>, _: &V<N>, _: &NoInput) -> SMatrix<f64, N, N> {
                let $this = self;
                ($model.mass)(q)
            }
            fn forcing(&self, t: f64, q: &V<N>, v: &V<N>, _: &NoInput) -> V<N> {
                let $this = self;
                ($model.forcing)(t, q, v)
            }
            fn momenta(&self, t: f64, q: &V<N>, v: &V<N>, u: &NoInput) -> V<N> {
                self.mass_matrix(t, q, v, u) * v
            }
            fn bias(&self, t: f64, q: &V<N>, v: &V<N>, u: &NoInput) -> V<N> {
                -self.forcing(t, q, v, u)
            }
            fn generalized_forces(&self, _: f64, _: &V<N>, _: &V<N>, _: &NoInput) -> V<N> {
                V::zeros()
            }
            fn lagrangian(&self, t: f64, q: &V<N>, v: &V<N>, u: &NoInput) -> f64 {
                self.energy(t, q, v, u)
            }
            fn energy(&self, t: f64, q: &V<N>, v: &V<N>, u: &NoInput) -> f64 {
                v.dot(&self.momenta(t, q, v, u)) / 2.0
            }
            fn jacobi_integral(&self, t: f64, q: &V<N>, v: &V<N>, u: &NoInput) -> f64 {
                self.energy(t, q, v, u)
            }
            fn inverse_dynamics(&self, t: f64, q: &V<N>, v: &V<N>, u: &NoInput, a: &V<N>) -> V<N> {
                self.mass_matrix(t, q, v, u) * a + self.bias(t, q, v, u)
            }
            fn acceleration(&self, t: f64, q: &V<N>, v: &V<N>, u: &NoInput) -> Result<V<N>, Error> {
                Ok(self.solve(t, q, v, u)?.acceleration)
            }
            fn solve(
                &self,
                t: f64,
                q: &V<N>,
                v: &V<N>,
                u: &NoInput,
            ) -> Result<Motion<f64, N, C>, Error> {
                let $this = self;
                let mass = self.mass_matrix(t, q, v, u).data.0;
                let rows = $model.rows.transpose().data.0;
                let f = self.forcing(t, q, v, u).data.0[0];
                let (a, lambda) = kkt(&mass, &rows, &f, &[0.0; C])?;
                Ok(Motion {
                    acceleration: a.into(),
                    multipliers: lambda.into(),
                })
            }
            fn inverse_dynamics_derivatives(
                &self,
                _: f64,
                _: &V<N>,
                _: &V<N>,
                _: &NoInput,
                _: &V<N>,
            ) -> (SMatrix<f64, N, N>, SMatrix<f64, N, N>) {
                (SMatrix::zeros(), SMatrix::zeros())
            }
            fn equation_derivatives(
                &self,
                _: f64,
                _: &V<N>,
                _: &V<N>,
                _: &NoInput,
                _: &Motion<f64, N, C>,
            ) -> (Derivatives<f64, N, N, 0>, Derivatives<f64, C, N, 0>) {
                let (q, z, u) = (SMatrix::zeros(), SMatrix::zeros(), SMatrix::zeros());
                let of_rows = Derivatives {
                    q: SMatrix::zeros(),
                    v: SMatrix::zeros(),
                    z: SMatrix::zeros(),
                    u: SMatrix::zeros(),
                };
                (Derivatives { q, v: q, z, u }, of_rows)
            }
            fn constraint_residual(&self, _: f64, q: &V<N>, _: &V<N>, _: &NoInput) -> V<C> {
                let $this = self;
                $model.rows * q
            }
            fn constraint_velocity(&self, _: f64, _: &V<N>, v: &V<N>, _: &NoInput) -> V<C> {
                let $this = self;
                $model.rows * v
            }
            fn constraint_jacobian(
                &self,
                _: f64,
                _: &V<N>,
                _: &V<N>,
                _: &NoInput,
            ) -> SMatrix<f64, C, N> {
                let $this = self;
                $model.rows
            }
            fn constraint_gamma(&self, _: f64, _: &V<N>, _: &V<N>, _: &NoInput) -> V<C> {
                V::zeros()
            }
            fn project(
                &self,
                t: f64,
                q: &V<N>,
                v: &V<N>,
                u: &NoInput,
            ) -> Result<(V<N>, V<N>), Error> {
                let $this = self;
                let rows = $model.rows;
                let array = rows.transpose().data.0;
                let bound = |x: &V<N>| (rows.abs() * x.abs() * 4.0).data.0[0];
                project(
                    q,
                    v,
                    |q, v| self.mass_matrix(t, q, v, u).data.0,
                    |q| ((rows * q).data.0[0], bound(q), array),
                    |_, v| ((rows * v).data.0[0], bound(v), array),
                )
            }
        }

        impl<const N: usize, const C: usize, const P: usize, const M: usize, const SLIP: usize>
            Contacts<f64, N, N, 0, C, P> for $name<'_, N, C, P, M, SLIP>
        {
            const CONTACTS: [&'static str; P] = [""; P];

            fn gaps(&self, t: f64, q: &V<N>, v: &V<N>, _: &NoInput) -> V<P> {
                let $this = self;
                ($model.touch)(t, q, v).gaps
            }
            fn gap_rates(&self, t: f64, q: &V<N>, v: &V<N>, u: &NoInput) -> V<P> {
                self.contact_jacobian(t, q, v, u) * v
            }
            fn contact_jacobian(
                &self,
                t: f64,
                q: &V<N>,
                v: &V<N>,
                _: &NoInput,
            ) -> SMatrix<f64, P, N> {
                let $this = self;
                ($model.touch)(t, q, v).jacobian
            }
            fn contact_gamma(&self, t: f64, q: &V<N>, v: &V<N>, _: &NoInput) -> V<P> {
                let $this = self;
                ($model.touch)(t, q, v).gamma
            }
            fn solve_active(
                &self,
                _: f64,
                _: &V<N>,
                _: &V<N>,
                _: &NoInput,
                _: &[bool; P],
            ) -> Result<ActiveMotion<f64, N, C, P>, Error> {
                Err(Error::SingularMassMatrix)
            }
            fn impact(
                &self,
                _: f64,
                _: &V<N>,
                _: &V<N>,
                _: &NoInput,
                _: &[bool; P],
                _: &[f64; P],
            ) -> Result<Impact<f64, N, C, P>, Error> {
                Err(Error::SingularMassMatrix)
            }
            fn delassus(
                &self,
                _: f64,
                _: &V<N>,
                _: &V<N>,
                _: &NoInput,
            ) -> Result<SMatrix<f64, P, P>, Error> {
                Err(Error::SingularMassMatrix)
            }
            fn impact_derivatives(
                &self,
                _: f64,
                _: &V<N>,
                _: &V<N>,
                _: &NoInput,
                _: &[bool; P],
                _: &[f64; P],
            ) -> Result<(SMatrix<f64, N, N>, SMatrix<f64, N, N>), Error> {
                Err(Error::SingularMassMatrix)
            }
        }

        impl<const N: usize, const C: usize, const P: usize, const M: usize, const SLIP: usize>
            Frictional<f64, N, N, 0, C, P, M> for $name<'_, N, C, P, M, SLIP>
        {
            const SLIPS: [usize; P] = [SLIP; P];
            const DRY_JOINTS: [usize; M] = {
                let mut joints = [0; M];
                let mut j = 0;
                while j < M {
                    joints[j] = j;
                    j += 1;
                }
                joints
            };
            const REDUNDANT: bool = $redundant;

            fn friction_terms(
                &self,
                t: f64,
                q: &V<N>,
                v: &V<N>,
                _: &NoInput,
            ) -> FrictionTerms<f64, N, P, M> {
                let $this = self;
                let touch = ($model.touch)(t, q, v);
                let bounds = V::repeat($model.bound);
                FrictionTerms {
                    gap_bounds: bounds,
                    gap_rate_bounds: bounds,
                    slips: touch.slips,
                    slip_bounds: [bounds; 2],
                    slip_jacobians: touch.slip_jacobians,
                    slip_gammas: touch.slip_gammas,
                    friction: touch.friction,
                    restitution: touch.restitution,
                    joint_limits: $model.limits,
                }
            }
            fn resolve(
                &self,
                t: f64,
                q: &V<N>,
                v: &V<N>,
                u: &NoInput,
                closed: &[bool; P],
            ) -> Result<Resolved<f64, N, C, P, M>, Error> {
                contacts::resolve(self, t, q, v, u, closed)
            }
        }
    };
}

implement!(Model, false, |this| this);
implement!(Shared, true, |this| this.0);
