//! `reference_test!`: compares a generated system with its data file, and implements [`Adapter`] for it, so that
//! ordinary functions check the relations that hold for every system.

use std::fmt::Debug;

use lagrangian::Error;
use lagrangian::nalgebra::{DMatrix, DVector, SMatrix, SVector};

use crate::reference::Case;
use crate::support::DState;

/// A generated system behind uniform arguments, whose sizes are forgotten: so the checks are compiled once, not
/// for each system.
pub(crate) trait Adapter {
    fn mass_matrix(&self, at: &DState) -> DMatrix<f64>;
    fn forcing(&self, at: &DState) -> DVector<f64>;
    fn momenta(&self, at: &DState) -> DVector<f64>;
    fn bias(&self, at: &DState) -> DVector<f64>;
    fn generalized_forces(&self, at: &DState) -> DVector<f64>;
    fn inverse_dynamics(&self, at: &DState, a: &DVector<f64>) -> DVector<f64>;
    fn acceleration(&self, at: &DState) -> DVector<f64>;
    /// Why there is no acceleration.
    fn refusal(&self, at: &DState) -> Option<Error>;
    fn lagrangian(&self, at: &DState) -> f64;
    fn energy(&self, at: &DState) -> f64;
    fn jacobi_integral(&self, at: &DState) -> f64;
    /// Methods that only a system of T and V has.
    fn split(&self, at: &DState) -> Option<Split>;
    /// Quantities by momenta; `None` if L is not quadratic.
    fn hamilton(&self, at: &DState, p: &DVector<f64>) -> Option<Result<Hamilton, Error>>;
    /// The other ways to ask for the acceleration, each as the derivative of [q; v].
    fn state_derivatives(&self, at: &DState) -> [(&'static str, DVector<f64>); 5];
    /// `mass_matrix_full` and `forcing_full`.
    fn block_system(&self, at: &DState) -> (DMatrix<f64>, DVector<f64>);
    /// Empty vectors, and no force, where nothing is constrained.
    fn constraints(&self, at: &DState) -> Constraints;
}

/// The outputs on constraints, of which there may be any number.
pub(crate) struct Constraints {
    /// That of the holonomic ones.
    pub(crate) residual: DVector<f64>,
    pub(crate) velocity: DVector<f64>,
    pub(crate) jacobian: DMatrix<f64>,
    pub(crate) gamma: DVector<f64>,
    pub(crate) multipliers: DVector<f64>,
    pub(crate) forces: DVector<f64>,
}

impl Constraints {
    /// The quantities of a system of `coordinates` that has none.
    pub(crate) fn none(coordinates: usize) -> Self {
        Self {
            residual: DVector::zeros(0),
            velocity: DVector::zeros(0),
            jacobian: DMatrix::zeros(0, coordinates),
            gamma: DVector::zeros(0),
            multipliers: DVector::zeros(0),
            forces: DVector::zeros(coordinates),
        }
    }
}

/// The outputs of a system of T and V beyond those of a Lagrangian.
pub(crate) struct Split {
    pub(crate) kinetic_energy: f64,
    pub(crate) potential_energy: f64,
    pub(crate) potential_gradient: DVector<f64>,
    pub(crate) coriolis_matrix: DMatrix<f64>,
}

/// Quantities that exist if momenta determine the velocities.
pub(crate) struct Hamilton {
    pub(crate) velocity: DVector<f64>,
    pub(crate) hamiltonian: f64,
    pub(crate) rates: (DVector<f64>, DVector<f64>),
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
pub(crate) fn stack(upper: &DVector<f64>, lower: &DVector<f64>) -> DVector<f64> {
    DVector::from_vec([upper.as_slice(), lower.as_slice()].concat())
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
pub(crate) fn compare_outputs(case: &Case, system: &dyn Adapter, at: &DState) {
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
        &system.inverse_dynamics(at, &case.list("a", at.v.len())),
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

fn compare_constraints(case: &Case, constraints: &Constraints) {
    if !constraints.residual.is_empty() {
        case.compare("constraint_residual", &constraints.residual);
    }
    case.compare("constraint_velocity", &constraints.velocity);
    case.compare("constraint_jacobian", &constraints.jacobian);
    case.compare("constraint_gamma", &constraints.gamma);
    case.compare("multipliers", &constraints.multipliers);
    case.compare("constraint_forces", &constraints.forces);
}

/// Fails unless a constant of a system has these entries.
#[track_caller]
pub(crate) fn assert_entries<T: Debug + PartialEq>(what: &str, actual: &[T], expected: &[T]) {
    assert_eq!(actual, expected, "{what}");
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
                Adapter, Constraints, Driven, Hamilton, Kind, Split, assert_entries, call,
                compare_outputs, dynamic, list, stack,
            };
            use $crate::reference::Case;
            use $crate::support::{DState, State, fixed};
            use lagrangian::Error;
            use lagrangian::nalgebra::{DMatrix, DVector, SVector};

            const N: usize = $system::COORDINATES.len();
            const K: usize = $system::INPUTS.len();
            const C: usize = $system::CONSTRAINTS.len();

            $crate::harness::adapt!($kind $system [$($t)?] [$($u)?] [$($holonomic)?]);

            #[test]
            fn constants() {
                let parameters: &[&str] = &[$(stringify!($parameter).trim_start_matches("r#")),*];
                assert_entries("coordinates", &$system::COORDINATES, &$coordinates);
                assert_entries("parameters", &$system::PARAMETERS, parameters);
                let constraints: &[&str] = &$crate::harness::first!($($constraints,)? []);
                assert_entries("constraints", &$system::CONSTRAINTS, constraints);
                assert_eq!($system::DEGREES_OF_FREEDOM, N - C);
                assert_entries("cyclic coordinates", &$system::CYCLIC, &$cyclic);
                assert_entries("conserved momenta", &$system::CONSERVED_MOMENTA, &$conserved);
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
                    let at = State::<N> { t, q: $q, v: $v }.listed();
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
        impl Adapter for Driven<$system, K> {
            $crate::harness::adapt!(@by_kind $kind $t $u);
            $crate::harness::adapt!(@hamilton $kind $t $u);
            $crate::harness::adapt!(@constraints $t $u $holonomic);

            fn forcing(&self, at: &DState) -> DVector<f64> {
                let at: State<N> = at.fixed();
                list(&call!(self.forcing($t at; &at.q, &at.v; $u)))
            }
            fn momenta(&self, at: &DState) -> DVector<f64> {
                let at: State<N> = at.fixed();
                list(&call!(self.momenta($t at; &at.q, &at.v; [])))
            }
            fn bias(&self, at: &DState) -> DVector<f64> {
                let at: State<N> = at.fixed();
                list(&call!(self.bias($t at; &at.q, &at.v; [])))
            }
            fn generalized_forces(&self, at: &DState) -> DVector<f64> {
                let at: State<N> = at.fixed();
                list(&call!(self.generalized_forces($t at; &at.q, &at.v; $u)))
            }
            fn inverse_dynamics(&self, at: &DState, a: &DVector<f64>) -> DVector<f64> {
                let at: State<N> = at.fixed();
                list(&call!(self.inverse_dynamics($t at; &at.q, &at.v, &fixed(a.as_slice()); [])))
            }
            fn acceleration(&self, at: &DState) -> DVector<f64> {
                let at: State<N> = at.fixed();
                list(&call!(self.acceleration($t at; &at.q, &at.v; $u)).expect("a regular system"))
            }
            fn refusal(&self, at: &DState) -> Option<Error> {
                let at: State<N> = at.fixed();
                call!(self.acceleration($t at; &at.q, &at.v; $u)).err()
            }
            fn lagrangian(&self, at: &DState) -> f64 {
                let at: State<N> = at.fixed();
                call!(self.lagrangian($t at; &at.q, &at.v; []))
            }
            fn energy(&self, at: &DState) -> f64 {
                let at: State<N> = at.fixed();
                call!(self.energy($t at; &at.q, &at.v; []))
            }
            fn jacobi_integral(&self, at: &DState) -> f64 {
                let at: State<N> = at.fixed();
                call!(self.jacobi_integral($t at; &at.q, &at.v; []))
            }
            fn state_derivatives(&self, at: &DState) -> [(&'static str, DVector<f64>); 5] {
                let y = fixed(stack(&at.q, &at.v).as_slice());
                let rate = |a: &SVector<f64, N>| stack(&at.v, &list(a));
                let at: State<N> = at.fixed();
                let motion = call!(self.solve($t at; &at.q, &at.v; $u));
                let motion = motion.expect("a regular system");
                let free = call!(self.acceleration_unchecked($t at; &at.q, &at.v; $u));
                let checked = call!(self.state_derivative($t at; &y; $u));
                let checked = checked.expect("a regular system");
                let unchecked = call!(self.state_derivative_unchecked($t at; &y; $u));
                let mut array = [f64::NAN; 2 * N];
                let written = $crate::harness::rhs!(self, at.t, &y.data.0[0], $u, &mut array);
                written.expect("a regular system");
                [
                    ("rhs", DVector::from_column_slice(&array)),
                    ("solve", rate(&motion.acceleration)),
                    ("acceleration_unchecked", rate(&free)),
                    ("state_derivative", list(&checked)),
                    ("state_derivative_unchecked", list(&unchecked)),
                ]
            }
        }
    };
    (@constraints $t:tt $u:tt []) => {
        fn constraints(&self, _: &DState) -> Constraints {
            Constraints::none(N)
        }
    };
    (@constraints $t:tt $u:tt [$holonomic:expr]) => {
        fn constraints(&self, at: &DState) -> Constraints {
            let at: State<N> = at.fixed();
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
                forces: list(&forces.expect("a regular system")),
            }
        }
    };
    (@hamilton Lagrangian $t:tt $u:tt) => {
        fn hamilton(&self, _: &DState, _: &DVector<f64>) -> Option<Result<Hamilton, Error>> {
            None
        }
    };
    (@hamilton $kind:ident $t:tt $u:tt) => {
        fn hamilton(&self, at: &DState, p: &DVector<f64>) -> Option<Result<Hamilton, Error>> {
            let (at, p): (State<N>, _) = (at.fixed(), fixed(p.as_slice()));
            let values = || {
                let rates = call!(self.hamilton_equations($t at; &at.q, &p; $u))?;
                Ok(Hamilton {
                    velocity: list(&call!(self.velocity($t at; &at.q, &p; []))?),
                    hamiltonian: call!(self.hamiltonian($t at; &at.q, &p; []))?,
                    rates: (list(&rates.0), list(&rates.1)),
                })
            };
            Some(values())
        }
    };
    (@by_kind Quadratic $t:tt $u:tt) => {
        $crate::harness::adapt!(@by_kind Lagrangian $t $u);
    };
    (@by_kind Lagrangian $t:tt $u:tt) => {
        fn mass_matrix(&self, at: &DState) -> DMatrix<f64> {
            let at: State<N> = at.fixed();
            dynamic(&call!(self.mass_matrix($t at; &at.q, &at.v; [])))
        }
        fn block_system(&self, at: &DState) -> (DMatrix<f64>, DVector<f64>) {
            let at: State<N> = at.fixed();
            let mass = call!(self.mass_matrix_full($t at; &at.q, &at.v; []));
            (dynamic(&mass), list(&call!(self.forcing_full($t at; &at.q, &at.v; $u))))
        }
        fn split(&self, _: &DState) -> Option<Split> {
            None
        }
    };
    (@by_kind $kind:ident $t:tt $u:tt) => {
        fn mass_matrix(&self, at: &DState) -> DMatrix<f64> {
            let at: State<N> = at.fixed();
            dynamic(&call!(self.mass_matrix($t at; &at.q; [])))
        }
        fn block_system(&self, at: &DState) -> (DMatrix<f64>, DVector<f64>) {
            let at: State<N> = at.fixed();
            let mass = call!(self.mass_matrix_full($t at; &at.q; []));
            (dynamic(&mass), list(&call!(self.forcing_full($t at; &at.q, &at.v; $u))))
        }
        fn split(&self, at: &DState) -> Option<Split> {
            let at: State<N> = at.fixed();
            Some(Split {
                kinetic_energy: call!(self.kinetic_energy($t at; &at.q, &at.v; [])),
                potential_energy: call!(self.potential_energy($t at; &at.q; [])),
                potential_gradient: list(&call!(self.potential_gradient($t at; &at.q; []))),
                coriolis_matrix: dynamic(&call!(self.coriolis_matrix($t at; &at.q, &at.v; []))),
            })
        }
    };
}

pub(crate) use {adapt, call, construct, first, reference_test, rhs};
