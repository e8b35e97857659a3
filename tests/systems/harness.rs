//! `reference_test!`: compares a generated system with its data file, and puts it behind
//! [`Adapter`], so that what holds for every system is checked by ordinary functions.

use lagrangian::nalgebra::{SMatrix, SVector};

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
    /// The other ways to ask for the acceleration, each as the derivative of [q; v].
    fn state_derivatives(&self, at: &State<N>) -> [(&'static str, SVector<f64, D>); 4];
    fn mass_matrix_full(&self, at: &State<N>) -> SMatrix<f64, D, D>;
    fn forcing_full(&self, at: &State<N>) -> SVector<f64, D>;
}

/// The outputs of a system of T and V beyond those of a Lagrangian.
pub(crate) struct Split<const N: usize> {
    pub(crate) kinetic_energy: f64,
    pub(crate) potential_energy: f64,
    pub(crate) potential_gradient: SVector<f64, N>,
    pub(crate) coriolis_matrix: SMatrix<f64, N, N>,
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
}

/// Declares the reference test of a system.
///
/// ```text
/// reference_test! {
///     cart_pole: CartPole { m_c, m_p, l, g },  // test and data file; struct and its parameters
///     Natural (q, v; u),                       // kind and arguments: ([t] q, v; u)
///     outputs [bob(&q), bob_jacobian(&q)],
///     coordinates ["x", "theta"], cyclic [true, false], conserved [false, false],
///     conserves_energy false, constant_mass_matrix false,
/// }
/// ```
macro_rules! reference_test {
    (
        $name:ident: $system:ident { $($parameter:ident),* },
        $kind:ident ($([$t:ident])? $q:ident, $v:ident $(; $u:ident)?),
        outputs [$($output:ident($($argument:expr),+)),* $(,)?],
        coordinates $coordinates:expr, cyclic $cyclic:expr, conserved $conserved:expr,
        conserves_energy $conserves_energy:expr, constant_mass_matrix $constant_mass_matrix:expr,
    ) => {
        mod $name {
            use super::$system;
            use $crate::checks::check_equations;
            use $crate::harness::{Adapter, Driven, Kind, Split, call, compare_outputs, stack};
            use $crate::reference::Case;
            use $crate::support::State;
            use lagrangian::nalgebra::{SMatrix, SVector};

            const N: usize = $system::COORDINATES.len();
            const K: usize = $system::INPUTS.len();

            $crate::harness::adapt!($kind $system [$($t)?] [$($u)?]);

            #[test]
            fn constants() {
                let parameters: &[&str] = &[$(stringify!($parameter).trim_start_matches("r#")),*];
                assert_eq!($system::COORDINATES, $coordinates);
                assert_eq!($system::PARAMETERS.as_slice(), parameters);
                assert_eq!($system::DEGREES_OF_FREEDOM, N);
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

/// Implements [`Adapter`] for a system with the arguments `$t q, v; $u` (`[t]` or `[]`, `[u]` or
/// `[]`).
macro_rules! adapt {
    ($kind:ident $system:ident $t:tt $u:tt) => {
        impl Adapter<N, { 2 * N }> for Driven<$system, K> {
            $crate::harness::adapt!(@by_kind $kind $t);

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
                call!(self.acceleration($t at; &at.q, &at.v; $u)).expect("a regular mass matrix")
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
            ) -> [(&'static str, SVector<f64, { 2 * N }>); 4] {
                let y = stack(&at.q, &at.v);
                let motion = call!(self.solve($t at; &at.q, &at.v; $u));
                let motion = motion.expect("a regular mass matrix");
                let free = call!(self.acceleration_unchecked($t at; &at.q, &at.v; $u));
                let checked = call!(self.state_derivative($t at; &y; $u));
                let checked = checked.expect("a regular mass matrix");
                let unchecked = call!(self.state_derivative_unchecked($t at; &y; $u));
                assert_eq!(motion.multipliers.len(), 0, "multipliers without constraints");
                [
                    ("solve", stack(&at.v, &motion.acceleration)),
                    ("acceleration_unchecked", stack(&at.v, &free)),
                    ("state_derivative", checked),
                    ("state_derivative_unchecked", unchecked),
                ]
            }
            fn forcing_full(&self, at: &State<N>) -> SVector<f64, { 2 * N }> {
                call!(self.forcing_full($t at; &at.q, &at.v; $u))
            }
        }
    };
    (@by_kind Lagrangian $t:tt) => {
        fn mass_matrix(&self, at: &State<N>) -> SMatrix<f64, N, N> {
            call!(self.mass_matrix($t at; &at.q, &at.v; []))
        }
        fn mass_matrix_full(&self, at: &State<N>) -> SMatrix<f64, { 2 * N }, { 2 * N }> {
            call!(self.mass_matrix_full($t at; &at.q, &at.v; []))
        }
        fn split(&self, _: &State<N>) -> Option<Split<N>> {
            None
        }
    };
    (@by_kind $kind:ident $t:tt) => {
        fn mass_matrix(&self, at: &State<N>) -> SMatrix<f64, N, N> {
            call!(self.mass_matrix($t at; &at.q; []))
        }
        fn mass_matrix_full(&self, at: &State<N>) -> SMatrix<f64, { 2 * N }, { 2 * N }> {
            call!(self.mass_matrix_full($t at; &at.q; []))
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

pub(crate) use {adapt, call, construct, first, reference_test};
