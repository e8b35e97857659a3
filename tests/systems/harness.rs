//! `reference_test!`: compares a generated system with its data file, and puts it behind
//! [`Adapter`], so that what holds for every system is checked by ordinary functions.

use lagrangian::Error;
use lagrangian::nalgebra::{DMatrix, DVector, SMatrix, SVector};

use crate::reference::Case;
use crate::support::State;

/// A generated system behind uniform arguments: `N` coordinates, `D` = 2 `N`.
pub(crate) trait Adapter<const N: usize, const D: usize> {
    fn mass_matrix(&self, at: &State<N>) -> SMatrix<f64, N, N>;
    fn forcing(&self, at: &State<N>) -> SVector<f64, N>;
    fn momenta(&self, at: &State<N>) -> SVector<f64, N>;
    fn bias(&self, at: &State<N>) -> SVector<f64, N>;
    fn generalized_forces(&self, at: &State<N>) -> SVector<f64, N>;
    fn inverse_dynamics(&self, at: &State<N>, a: &SVector<f64, N>) -> SVector<f64, N>;
    fn acceleration(&self, at: &State<N>) -> SVector<f64, N>;
    fn lagrangian(&self, at: &State<N>) -> f64;
    fn energy(&self, at: &State<N>) -> f64;
    fn jacobi_integral(&self, at: &State<N>) -> f64;
    /// What only a system of T and V has.
    fn split(&self, at: &State<N>) -> Option<Split<N>>;
    /// What momenta determine; `None` where L is not quadratic.
    fn hamilton(&self, at: &State<N>, p: &SVector<f64, N>) -> Option<Result<Hamilton<N>, Error>>;
    /// The other ways to ask for the acceleration, each as the derivative of [q; v].
    fn state_derivatives(&self, at: &State<N>) -> [(&'static str, SVector<f64, D>); 5];
    /// `mass_matrix_full` and `forcing_full`.
    fn block_system(&self, at: &State<N>) -> (DMatrix<f64>, DVector<f64>);
    /// Empty vectors, and no force, where nothing is constrained.
    fn constraints(&self, at: &State<N>) -> Constraints<N>;
}

/// The outputs on constraints, of which there may be any number.
pub(crate) struct Constraints<const N: usize> {
    /// That of the holonomic ones.
    pub(crate) residual: DVector<f64>,
    pub(crate) velocity: DVector<f64>,
    pub(crate) jacobian: DMatrix<f64>,
    pub(crate) gamma: DVector<f64>,
    pub(crate) multipliers: DVector<f64>,
    pub(crate) forces: SVector<f64, N>,
}

/// The outputs of a system of T and V beyond those of a Lagrangian.
pub(crate) struct Split<const N: usize> {
    pub(crate) kinetic_energy: f64,
    pub(crate) potential_energy: f64,
    pub(crate) potential_gradient: SVector<f64, N>,
    pub(crate) coriolis_matrix: SMatrix<f64, N, N>,
}

/// What there is where momenta determine the velocities.
pub(crate) struct Hamilton<const N: usize> {
    pub(crate) velocity: SVector<f64, N>,
    pub(crate) hamiltonian: f64,
    pub(crate) rates: (SVector<f64, N>, SVector<f64, N>),
}

/// How the kinetic energy depends on velocities and time.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Homogeneous of degree 2 in the velocities and free of t.
    Natural,
    /// Any other system of T and V.
    Rheonomic,
    /// Declared by `L =`.
    Lagrangian,
    /// Declared by an `L =` that is quadratic in the velocities.
    Quadratic,
}

/// A system and the inputs it is evaluated with.
pub(crate) struct Driven<Sys, const K: usize> {
    pub(crate) system: Sys,
    pub(crate) u: SVector<f64, K>,
}

/// [q; v], or any two halves.
pub(crate) fn stack<const N: usize, const D: usize>(
    upper: &SVector<f64, N>,
    lower: &SVector<f64, N>,
) -> SVector<f64, D> {
    SVector::from_iterator(upper.iter().chain(lower).copied())
}

/// The same matrix with its size forgotten.
pub(crate) fn dynamic<const R: usize, const C: usize>(matrix: &SMatrix<f64, R, C>) -> DMatrix<f64> {
    DMatrix::from_column_slice(R, C, matrix.as_slice())
}

/// The same vector with its length forgotten.
pub(crate) fn list<const R: usize>(vector: &SVector<f64, R>) -> DVector<f64> {
    DVector::from_column_slice(vector.as_slice())
}

/// Compares everything that a system has whatever its declaration; `pub let` outputs are the
/// caller's.
pub(crate) fn compare_outputs<const N: usize, const D: usize>(
    case: &Case,
    system: &impl Adapter<N, D>,
    at: &State<N>,
) {
    case.compare("mass_matrix", &system.mass_matrix(at));
    case.compare("forcing", &system.forcing(at));
    case.compare("momenta", &system.momenta(at));
    case.compare("bias", &system.bias(at));
    case.compare("generalized_forces", &system.generalized_forces(at));
    case.compare("lagrangian", &system.lagrangian(at));
    case.compare("energy", &system.energy(at));
    case.compare("jacobi_integral", &system.jacobi_integral(at));
    case.compare(
        "inverse_dynamics",
        &system.inverse_dynamics(at, &case.vector("a")),
    );
    case.compare("acceleration", &system.acceleration(at));
    if let Some(split) = system.split(at) {
        case.compare("kinetic_energy", &split.kinetic_energy);
        case.compare("potential_energy", &split.potential_energy);
        case.compare("potential_gradient", &split.potential_gradient);
        case.compare("coriolis_matrix", &split.coriolis_matrix);
    }
    let constraints = system.constraints(at);
    if !constraints.velocity.is_empty() {
        compare_constraints(case, &constraints);
        let (mass, forcing) = system.block_system(at);
        case.compare("mass_matrix_full", &mass);
        case.compare("forcing_full", &forcing);
    }
}

fn compare_constraints<const N: usize>(case: &Case, constraints: &Constraints<N>) {
    if !constraints.residual.is_empty() {
        case.compare("constraint_residual", &constraints.residual);
    }
    case.compare("constraint_velocity", &constraints.velocity);
    case.compare("constraint_jacobian", &constraints.jacobian);
    case.compare("constraint_gamma", &constraints.gamma);
    case.compare("multipliers", &constraints.multipliers);
    case.compare("constraint_forces", &constraints.forces);
}

/// Declares the reference test of a system.
///
/// ```text
/// reference_test! {
///     cart_pole: CartPole { m_c, m_p, l, g },  // test and data file; struct and its parameters
///     Natural (q, v; u),                       // kind and arguments: ([t] q, v; u)
///     outputs [bob(&q), bob_jacobian(&q)],
///     constraints ["rod"], holonomic 1,        // of a system that has some
///     coordinates ["x", "theta"], cyclic [true, false], conserved [false, false],
///     conserves_energy false, constant_mass_matrix false,
/// }
/// ```
macro_rules! reference_test {
    (
        $name:ident: $system:ident { $($parameter:ident),* },
        $kind:ident ($([$t:ident])? $q:ident, $v:ident $(; $u:ident)?),
        outputs [$($output:ident($($argument:expr),+)),* $(,)?],
        $(constraints $constraints:expr, holonomic $holonomic:expr,)?
        coordinates $coordinates:expr, cyclic $cyclic:expr, conserved $conserved:expr,
        conserves_energy $conserves_energy:expr, constant_mass_matrix $constant_mass_matrix:expr,
    ) => {
        mod $name {
            use super::$system;
            use $crate::checks::check_equations;
            use $crate::harness::{
                Adapter, Constraints, Driven, Hamilton, Kind, Split, call, compare_outputs, dynamic,
                list, stack,
            };
            use $crate::reference::Case;
            use $crate::support::State;
            use lagrangian::Error;
            use lagrangian::nalgebra::{DMatrix, DVector, SMatrix, SVector};

            const N: usize = $system::COORDINATES.len();
            const K: usize = $system::INPUTS.len();
            const C: usize = $system::CONSTRAINTS.len();

            $crate::harness::adapt!($kind $system [$($t)?] [$($u)?] [$($holonomic)?]);

            #[test]
            fn constants() {
                let parameters: &[&str] = &[$(stringify!($parameter).trim_start_matches("r#")),*];
                assert_eq!($system::COORDINATES, $coordinates);
                assert_eq!($system::PARAMETERS.as_slice(), parameters);
                let constraints: &[&str] = &$crate::harness::first!($($constraints,)? []);
                assert_eq!($system::CONSTRAINTS.as_slice(), constraints);
                assert_eq!($system::DEGREES_OF_FREEDOM, N - C);
                assert_eq!($system::CYCLIC, $cyclic, "cyclic coordinates");
                assert_eq!($system::CONSERVED_MOMENTA, $conserved, "conserved momenta");
                assert_eq!($system::CONSERVES_ENERGY, $conserves_energy, "energy is kept");
                assert_eq!($system::CONSTANT_MASS_MATRIX, $constant_mass_matrix, "constant M");
            }

            #[test]
            fn agrees_with_reference() {
                let text = include_str!(concat!("../reference/data/", stringify!($name), ".txt"));
                for case in Case::parse(stringify!($name), text) {
                    let system = $crate::harness::construct!(case, $system $($parameter)*);
                    $(let $u = case.vector("u");)?
                    $(let $t = case.scalar("t");)?
                    let $q = case.vector("q");
                    let $v = case.vector("v");
                    $(case.compare(stringify!($output), &system.$output($($argument),+));)*

                    let t = $crate::harness::first!($($t,)? 0.0);
                    let u = $crate::harness::first!($($u,)? SVector::<f64, K>::zeros());
                    let at = State { t, q: $q, v: $v };
                    let driven = Driven { system, u };
                    compare_outputs(&case, &driven, &at);
                    case.finish();
                    check_equations(&driven, Kind::$kind, &at);
                }
            }
        }
    };
}

/// The system with the parameters of a case.
macro_rules! construct {
    ($case:ident, $system:ident) => {
        $system::<f64>::default()
    };
    ($case:ident, $system:ident $($parameter:ident)+) => {
        $system { $($parameter: $case.parameter(stringify!($parameter))),+ }
    };
}

/// The first of several values: a default for a name that may be missing.
macro_rules! first {
    ($first:expr $(, $rest:expr)? $(,)?) => {
        $first
    };
}

/// Calls a method of the system at a state: time first, if `[t]` is there; inputs last, if `[u]`
/// is.
macro_rules! call {
    ($self:ident.$method:ident([$($t:ident)?] $at:ident; $($argument:expr),*; [$($u:ident)?])) => {
        $self.system.$method(
            $($crate::harness::first!($at.t, $t),)?
            $($argument,)*
            $($crate::harness::first!(&$self.u, $u))?
        )
    };
}

/// Calls `rhs`: time is always there, inputs only if `[u]` is.
macro_rules! rhs {
    ($self:ident, $t:expr, $y:expr, [$($u:ident)?], $dy:expr) => {
        $self.system.rhs($t, $y, $($crate::harness::first!(&$self.u.data.0[0], $u),)? $dy)
    };
}

/// Implements [`Adapter`] for a system with the arguments `$t q, v; $u` (`[t]` or `[]`, `[u]` or
/// `[]`) and, if it is constrained, its number of holonomic rows (`[1]` or `[]`).
macro_rules! adapt {
    ($kind:ident $system:ident $t:tt $u:tt $holonomic:tt) => {
        impl Adapter<N, { 2 * N }> for Driven<$system, K> {
            $crate::harness::adapt!(@by_kind $kind $t $u);
            $crate::harness::adapt!(@hamilton $kind $t $u);
            $crate::harness::adapt!(@constraints $t $u $holonomic);

            fn forcing(&self, at: &State<N>) -> SVector<f64, N> {
                call!(self.forcing($t at; &at.q, &at.v; $u))
            }
            fn momenta(&self, at: &State<N>) -> SVector<f64, N> {
                call!(self.momenta($t at; &at.q, &at.v; []))
            }
            fn bias(&self, at: &State<N>) -> SVector<f64, N> {
                call!(self.bias($t at; &at.q, &at.v; []))
            }
            fn generalized_forces(&self, at: &State<N>) -> SVector<f64, N> {
                call!(self.generalized_forces($t at; &at.q, &at.v; $u))
            }
            fn inverse_dynamics(&self, at: &State<N>, a: &SVector<f64, N>) -> SVector<f64, N> {
                call!(self.inverse_dynamics($t at; &at.q, &at.v, a; []))
            }
            fn acceleration(&self, at: &State<N>) -> SVector<f64, N> {
                call!(self.acceleration($t at; &at.q, &at.v; $u)).expect("a regular system")
            }
            fn lagrangian(&self, at: &State<N>) -> f64 {
                call!(self.lagrangian($t at; &at.q, &at.v; []))
            }
            fn energy(&self, at: &State<N>) -> f64 {
                call!(self.energy($t at; &at.q, &at.v; []))
            }
            fn jacobi_integral(&self, at: &State<N>) -> f64 {
                call!(self.jacobi_integral($t at; &at.q, &at.v; []))
            }
            fn state_derivatives(
                &self,
                at: &State<N>,
            ) -> [(&'static str, SVector<f64, { 2 * N }>); 5] {
                let y = stack(&at.q, &at.v);
                let motion = call!(self.solve($t at; &at.q, &at.v; $u));
                let motion = motion.expect("a regular system");
                let free = call!(self.acceleration_unchecked($t at; &at.q, &at.v; $u));
                let checked = call!(self.state_derivative($t at; &y; $u));
                let checked = checked.expect("a regular system");
                let unchecked = call!(self.state_derivative_unchecked($t at; &y; $u));
                let mut array = [f64::NAN; 2 * N];
                let rate = $crate::harness::rhs!(self, at.t, &y.data.0[0], $u, &mut array);
                rate.expect("a regular system");
                [
                    ("rhs", SVector::from(array)),
                    ("solve", stack(&at.v, &motion.acceleration)),
                    ("acceleration_unchecked", stack(&at.v, &free)),
                    ("state_derivative", checked),
                    ("state_derivative_unchecked", unchecked),
                ]
            }
        }
    };
    (@constraints $t:tt $u:tt []) => {
        fn constraints(&self, _: &State<N>) -> Constraints<N> {
            Constraints {
                residual: DVector::zeros(0),
                velocity: DVector::zeros(0),
                jacobian: DMatrix::zeros(0, N),
                gamma: DVector::zeros(0),
                multipliers: DVector::zeros(0),
                forces: SVector::zeros(),
            }
        }
    };
    (@constraints $t:tt $u:tt [$holonomic:expr]) => {
        fn constraints(&self, at: &State<N>) -> Constraints<N> {
            let residual: SVector<f64, { $holonomic }> =
                call!(self.constraint_residual($t at; &at.q; []));
            let forces = call!(self.constraint_forces($t at; &at.q, &at.v; $u));
            let motion = call!(self.solve($t at; &at.q, &at.v; $u));
            Constraints {
                residual: list(&residual),
                velocity: list(&call!(self.constraint_velocity($t at; &at.q, &at.v; []))),
                jacobian: dynamic(&call!(self.constraint_jacobian($t at; &at.q; []))),
                gamma: list(&call!(self.constraint_gamma($t at; &at.q, &at.v; []))),
                multipliers: list(&motion.expect("a regular system").multipliers),
                forces: forces.expect("a regular system"),
            }
        }
    };
    (@hamilton Lagrangian $t:tt $u:tt) => {
        fn hamilton(
            &self,
            _: &State<N>,
            _: &SVector<f64, N>,
        ) -> Option<Result<Hamilton<N>, Error>> {
            None
        }
    };
    (@hamilton $kind:ident $t:tt $u:tt) => {
        fn hamilton(
            &self,
            at: &State<N>,
            p: &SVector<f64, N>,
        ) -> Option<Result<Hamilton<N>, Error>> {
            let values = || {
                Ok(Hamilton {
                    velocity: call!(self.velocity($t at; &at.q, p; []))?,
                    hamiltonian: call!(self.hamiltonian($t at; &at.q, p; []))?,
                    rates: call!(self.hamilton_equations($t at; &at.q, p; $u))?,
                })
            };
            Some(values())
        }
    };
    (@by_kind Quadratic $t:tt $u:tt) => {
        $crate::harness::adapt!(@by_kind Lagrangian $t $u);
    };
    (@by_kind Lagrangian $t:tt $u:tt) => {
        fn mass_matrix(&self, at: &State<N>) -> SMatrix<f64, N, N> {
            call!(self.mass_matrix($t at; &at.q, &at.v; []))
        }
        fn block_system(&self, at: &State<N>) -> (DMatrix<f64>, DVector<f64>) {
            let mass = call!(self.mass_matrix_full($t at; &at.q, &at.v; []));
            (dynamic(&mass), list(&call!(self.forcing_full($t at; &at.q, &at.v; $u))))
        }
        fn split(&self, _: &State<N>) -> Option<Split<N>> {
            None
        }
    };
    (@by_kind $kind:ident $t:tt $u:tt) => {
        fn mass_matrix(&self, at: &State<N>) -> SMatrix<f64, N, N> {
            call!(self.mass_matrix($t at; &at.q; []))
        }
        fn block_system(&self, at: &State<N>) -> (DMatrix<f64>, DVector<f64>) {
            let mass = call!(self.mass_matrix_full($t at; &at.q; []));
            (dynamic(&mass), list(&call!(self.forcing_full($t at; &at.q, &at.v; $u))))
        }
        fn split(&self, at: &State<N>) -> Option<Split<N>> {
            Some(Split {
                kinetic_energy: call!(self.kinetic_energy($t at; &at.q, &at.v; [])),
                potential_energy: call!(self.potential_energy($t at; &at.q; [])),
                potential_gradient: call!(self.potential_gradient($t at; &at.q; [])),
                coriolis_matrix: call!(self.coriolis_matrix($t at; &at.q, &at.v; [])),
            })
        }
    };
}

pub(crate) use {adapt, call, construct, first, reference_test, rhs};
