//! Modules of functions, each of which calls the method of its name.

/// A module of functions. Its table tells how many they are.
macro_rules! functions {
    ($module:ident, $system:ty: $(
        $method:ident($($argument:ident: $kind:ty),*) -> $result:ty;
    )*) => {
        pub mod $module {
            use super::*;
            pub static METHODS: [u8; <[&str]>::len(&[$(stringify!($method)),*])] = [1; _];
            $(
                #[inline(never)]
                pub fn $method(system: &$system, $($argument: $kind),*) -> $result {
                    system.$method($($argument),*)
                }
            )*
        }
    };
}

/// Every method of a system, `natural` by T and V or given by its `lagrangian`; with constraints, how
/// many of them are holonomic; then the arguments that only some systems have, and its outputs.
macro_rules! every_method {
    ($module:ident, $system:ty, $energies:ident $(constrained $h:literal)?,
        [$s:ty, $n:literal, $k:literal, $c:literal], $t:tt $u:tt
        $($($output:tt)+)?) => {
        pub mod $module {
            use super::*;
            either! { $energies, $system, [$s, $n, $c], $t }
            of_all! { $system, [$s, $n, $k, $c], $t $u }
            canonical! { $energies, $system, [$s, $n, $k], $t $u }
            $(constrained! { $system, [$s, $n, $k, $c, $h], $t $u })?
            $(functions! { outputs, $system: $($output)+ })?
        }
    };
}

/// The methods that a system has whatever it is given by.
macro_rules! of_all {
    ($system:ty, [$s:ty, $n:literal, $k:literal, $c:literal], [$($t:ident)?] [$($u:ident)?]) => {
        functions! { of_all, $system:
            forcing($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?)
                -> Vector<$s, $n>;
            forcing_full($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?)
                -> Vector<$s, { 2 * $n + $c }>;
            momenta($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>) -> Vector<$s, $n>;
            bias($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>) -> Vector<$s, $n>;
            generalized_forces(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?
            ) -> Vector<$s, $n>;
            lagrangian($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>) -> $s;
            energy($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>) -> $s;
            jacobi_integral($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>) -> $s;
            inverse_dynamics(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>, a: &Vector<$s, $n>
            ) -> Vector<$s, $n>;
            inverse_dynamics_derivatives(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>, a: &Vector<$s, $n>
            ) -> (Matrix<$s, $n, $n>, Matrix<$s, $n, $n>);
            equation_derivatives(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>, $($u: &Vector<$s, $k>,)?
                motion: &Motion<$s, $n, $c>
            ) -> (Derivatives<$s, $n, $n, $k>, Derivatives<$s, $c, $n, $k>);
            linearize_unchecked(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?
            ) -> Linearization<$s, { 2 * $n }, $k>;
            linearize($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?)
                -> Result<Linearization<$s, { 2 * $n }, $k>, Error>;
            acceleration_derivatives(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?
            ) -> Result<Derivatives<$s, $n, $n, $k>, Error>;
            vjp(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>, $($u: &Vector<$s, $k>,)?
                w: &Vector<$s, $n>
            ) -> Result<Gradient<$s, $n, $k>, Error>;
            acceleration_unchecked(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?
            ) -> Vector<$s, $n>;
            state_derivative_unchecked($($t: $s,)? y: &Vector<$s, { 2 * $n }> $(, $u: &Vector<$s, $k>)?)
                -> Vector<$s, { 2 * $n }>;
            acceleration(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?
            ) -> Result<Vector<$s, $n>, Error>;
            solve($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?)
                -> Result<Motion<$s, $n, $c>, Error>;
            state_derivative($($t: $s,)? y: &Vector<$s, { 2 * $n }> $(, $u: &Vector<$s, $k>)?)
                -> Result<Vector<$s, { 2 * $n }>, Error>;
            rhs(time: $s, y: &[$s; 2 * $n], $($u: &[$s; $k],)? dy: &mut [$s; 2 * $n])
                -> Result<(), Error>;
        }
    };
}

/// The methods that depend on the form of the declaration.
macro_rules! either {
    (natural, $system:ty, [$s:ty, $n:literal, $c:literal], [$($t:ident)?]) => {
        functions! { natural, $system:
            mass_matrix($($t: $s,)? q: &Vector<$s, $n>) -> Matrix<$s, $n, $n>;
            mass_matrix_full($($t: $s,)? q: &Vector<$s, $n>)
                -> Matrix<$s, { 2 * $n + $c }, { 2 * $n + $c }>;
            kinetic_energy($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>) -> $s;
            potential_energy($($t: $s,)? q: &Vector<$s, $n>) -> $s;
            coriolis_matrix($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>) -> Matrix<$s, $n, $n>;
            potential_gradient($($t: $s,)? q: &Vector<$s, $n>) -> Vector<$s, $n>;
        }
    };
    (lagrangian, $system:ty, [$s:ty, $n:literal, $c:literal], [$($t:ident)?]) => {
        functions! { lagrangian, $system:
            mass_matrix($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>) -> Matrix<$s, $n, $n>;
            mass_matrix_full($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>)
                -> Matrix<$s, { 2 * $n + $c }, { 2 * $n + $c }>;
        }
    };
}

/// The methods that take momenta, which a system of T and V always has.
macro_rules! canonical {
    (natural, $system:ty, [$s:ty, $n:literal, $k:literal], [$($t:ident)?] [$($u:ident)?]) => {
        functions! { canonical, $system:
            velocity($($t: $s,)? q: &Vector<$s, $n>, p: &Vector<$s, $n>)
                -> Result<Vector<$s, $n>, Error>;
            hamiltonian($($t: $s,)? q: &Vector<$s, $n>, p: &Vector<$s, $n>) -> Result<$s, Error>;
            hamilton_equations(
                $($t: $s,)? q: &Vector<$s, $n>, p: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?
            ) -> Result<(Vector<$s, $n>, Vector<$s, $n>), Error>;
        }
    };
    (lagrangian, $system:ty, [$s:ty, $n:literal, $k:literal], $t:tt $u:tt) => {};
}

/// The methods of a system with constraints.
macro_rules! constrained {
    ($system:ty, [$s:ty, $n:literal, $k:literal, $c:literal, $h:literal],
        [$($t:ident)?] [$($u:ident)?]) => {
        functions! { constrained, $system:
            constraint_residual($($t: $s,)? q: &Vector<$s, $n>) -> Vector<$s, $h>;
            constraint_velocity($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>) -> Vector<$s, $c>;
            constraint_jacobian($($t: $s,)? q: &Vector<$s, $n>) -> Matrix<$s, $c, $n>;
            constraint_gamma($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>) -> Vector<$s, $c>;
            constraint_forces(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?
            ) -> Result<Vector<$s, $n>, Error>;
            constraint_velocity_derivatives(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>
            ) -> Derivatives<$s, $c, $n, $k>;
            multiplier_derivatives(
                $($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n> $(, $u: &Vector<$s, $k>)?
            ) -> Result<Derivatives<$s, $c, $n, $k>, Error>;
            project($($t: $s,)? q: &Vector<$s, $n>, v: &Vector<$s, $n>)
                -> Result<(Vector<$s, $n>, Vector<$s, $n>), Error>;
        }
    };
}

/// A module of functions that call the methods of the trait, provided ones too.
macro_rules! of_trait {
    ($module:ident, $system:ty, [$s:ty, $n:literal, $k:literal, $c:literal]) => {
        of_trait! { @methods $module, $system, [$s, $n, $k, $c]:
            mass_matrix() -> Matrix<$s, $n, $n>;
            forcing() -> Vector<$s, $n>;
            momenta() -> Vector<$s, $n>;
            bias() -> Vector<$s, $n>;
            generalized_forces() -> Vector<$s, $n>;
            lagrangian() -> $s;
            energy() -> $s;
            jacobi_integral() -> $s;
            inverse_dynamics(a: &Vector<$s, $n>) -> Vector<$s, $n>;
            inverse_dynamics_derivatives(a: &Vector<$s, $n>)
                -> (Matrix<$s, $n, $n>, Matrix<$s, $n, $n>);
            equation_derivatives(motion: &Motion<$s, $n, $c>)
                -> (Derivatives<$s, $n, $n, $k>, Derivatives<$s, $c, $n, $k>);
            acceleration_derivatives() -> Result<Derivatives<$s, $n, $n, $k>, Error>;
            multiplier_derivatives() -> Result<Derivatives<$s, $c, $n, $k>, Error>;
            constraint_velocity_derivatives() -> Derivatives<$s, $c, $n, $k>;
            vjp(w: &Vector<$s, $n>) -> Result<Gradient<$s, $n, $k>, Error>;
            acceleration() -> Result<Vector<$s, $n>, Error>;
            solve() -> Result<Motion<$s, $n, $c>, Error>;
            constraint_residual() -> Vector<$s, $c>;
            constraint_velocity() -> Vector<$s, $c>;
            constraint_jacobian() -> Matrix<$s, $c, $n>;
            constraint_gamma() -> Vector<$s, $c>;
            constraint_forces() -> Result<Vector<$s, $n>, Error>;
            project() -> Result<(Vector<$s, $n>, Vector<$s, $n>), Error>;
            state_derivative() -> Result<(Vector<$s, $n>, Vector<$s, $n>), Error>;
        }
    };
    (@methods $module:ident, $system:ty, [$s:ty, $n:literal, $k:literal, $c:literal]: $(
        $method:ident($($argument:ident: $kind:ty)?) -> $result:ty;
    )*) => {
        pub mod $module {
            use super::*;
            pub static METHODS: [u8; <[&str]>::len(&[$(stringify!($method)),*])] = [1; _];
            $(
                #[inline(never)]
                pub fn $method(
                    system: &$system,
                    t: $s,
                    q: &Vector<$s, $n>,
                    v: &Vector<$s, $n>,
                    u: &Vector<$s, $k>
                    $(, $argument: $kind)?
                ) -> $result {
                    System::<$s, $n, $n, $k, $c>::$method(system, t, q, v, u $(, $argument)?)
                }
            )*
        }
    };
}

/// A module of functions that the runtime has for every system.
macro_rules! of_runtime {
    ($module:ident, $system:ty, [$s:ty, $m:literal, $n:literal, $k:literal, $c:literal]) => {
        pub mod $module {
            use super::*;
            pub static METHODS: [u8; 6] = [1; _];
            #[inline(never)]
            pub fn midpoint_step(
                system: &$system,
                t: $s,
                q: &Vector<$s, $m>,
                p: &Vector<$s, $n>,
                u: &Vector<$s, $k>,
                h: $s,
            ) -> Result<Step<$s, $m, $n, $c>, Error> {
                lagrangian::midpoint_step(system, t, q, p, u, h)
            }
            #[inline(never)]
            pub fn midpoint_step_derivatives(
                system: &$system,
                t: $s,
                q: &Vector<$s, $m>,
                p: &Vector<$s, $n>,
                u: &Vector<$s, $k>,
                h: $s,
            ) -> Result<(Step<$s, $m, $n, $c>, StepDerivatives<$s, $n, $k>), Error> {
                lagrangian::midpoint_step_derivatives(system, t, q, p, u, h)
            }
            #[inline(never)]
            pub fn trim(
                system: &$system,
                t: $s,
                start: &(Vector<$s, $m>, Vector<$s, $n>, Vector<$s, $k>),
                free: &Free<$n, $k>,
                target: &Vector<$s, $n>,
            ) -> Result<(Vector<$s, $m>, Vector<$s, $n>, Vector<$s, $k>), Error> {
                lagrangian::trim(system, t, *start, free, *target)
            }
            #[inline(never)]
            pub fn rk4_step(
                system: &$system,
                t: $s,
                q: &Vector<$s, $m>,
                v: &Vector<$s, $n>,
                u: &Vector<$s, $k>,
                h: $s,
            ) -> Result<(Vector<$s, $m>, Vector<$s, $n>), Error> {
                lagrangian::rk4_step(system, t, q, v, u, h)
            }
            #[inline(never)]
            pub fn rk4_step_derivatives(
                system: &$system,
                t: $s,
                q: &Vector<$s, $m>,
                v: &Vector<$s, $n>,
                u: &Vector<$s, $k>,
                h: $s,
            ) -> Result<
                (
                    (Vector<$s, $m>, Vector<$s, $n>),
                    StepSensitivities<$s, $n, $k>,
                ),
                Error,
            > {
                lagrangian::rk4_step_derivatives(system, t, q, v, u, h)
            }
            #[inline(never)]
            pub fn run(
                system: &$system,
                t: $s,
                q: &Vector<$s, $m>,
                v: &Vector<$s, $n>,
                u: &Vector<$s, $k>,
                h: $s,
            ) -> Result<(Vector<$s, $m>, Vector<$s, $n>), Error> {
                let run = lagrangian::Run::new(system, t, *q, *v).input(|_, _, _| *u);
                let mut run = run
                    .event(|_, q, _| q.norm_squared())
                    .project_every_step()
                    .until(t + h);
                let mut last = (*q, *v);
                while let Some(step) = run.next() {
                    step?;
                    last = run.at(t);
                }
                Ok(last)
            }
        }
    };
}
