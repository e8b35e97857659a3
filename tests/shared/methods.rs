//! Calls of all generated methods, for tests that hold for each of them.
//!
//! Both macros take a system and the arguments of its methods, those that not every system has in
//! brackets, and hand the name and value of each method to the macro `$visit!(name, value)`.

/// The methods that return plain values. A `natural` system has T and V, a `lagrangian` one L.
macro_rules! plain_methods {
    (natural $system:expr, [$($t:expr)?], $q:expr, $v:expr, [$($u:expr)?], $a:expr => $visit:ident) => {{
        let (system, q, v, a) = ($system, $q, $v, $a);
        plain_methods!(@both system, [$($t)?], q, v, [$($u)?], a, [] => $visit);
        $visit!("kinetic_energy", system.kinetic_energy($($t,)? q, v));
        $visit!("potential_energy", system.potential_energy($($t,)? q));
        $visit!("coriolis_matrix", system.coriolis_matrix($($t,)? q, v));
        $visit!("potential_gradient", system.potential_gradient($($t,)? q));
    }};
    (lagrangian $system:expr, [$($t:expr)?], $q:expr, $v:expr, [$($u:expr)?], $a:expr => $visit:ident) => {{
        let (system, q, v, a) = ($system, $q, $v, $a);
        plain_methods!(@both system, [$($t)?], q, v, [$($u)?], a, [v] => $visit);
    }};
    (@both $system:ident, [$($t:expr)?], $q:ident, $v:ident, [$($u:expr)?], $a:ident,
        [$($mass_v:ident)?] => $visit:ident) => {
        $visit!("mass_matrix", $system.mass_matrix($($t,)? $q $(, $mass_v)?));
        $visit!("mass_matrix_full", $system.mass_matrix_full($($t,)? $q $(, $mass_v)?));
        $visit!("forcing", $system.forcing($($t,)? $q, $v $(, $u)?));
        $visit!("forcing_full", $system.forcing_full($($t,)? $q, $v $(, $u)?));
        $visit!("momenta", $system.momenta($($t,)? $q, $v));
        $visit!("bias", $system.bias($($t,)? $q, $v));
        $visit!("generalized_forces", $system.generalized_forces($($t,)? $q, $v $(, $u)?));
        $visit!("lagrangian", $system.lagrangian($($t,)? $q, $v));
        $visit!("energy", $system.energy($($t,)? $q, $v));
        $visit!("jacobi_integral", $system.jacobi_integral($($t,)? $q, $v));
        $visit!("inverse_dynamics", $system.inverse_dynamics($($t,)? $q, $v, $a));
        $visit!("acceleration_unchecked", $system.acceleration_unchecked($($t,)? $q, $v $(, $u)?));
        $visit!(
            "inverse_dynamics_derivatives",
            $system.inverse_dynamics_derivatives($($t,)? $q, $v, $a)
        );
        let motion = lagrangian::Motion {
            acceleration: *$a,
            multipliers: nalgebra::SVector::zeros(),
        };
        $visit!(
            "equation_derivatives",
            $system.equation_derivatives($($t,)? $q, $v, $($u,)? &motion)
        );
        $visit!("linearize_unchecked", $system.linearize_unchecked($($t,)? $q, $v $(, $u)?));
        let y = nalgebra::SVector::from_fn(|row, _| *$q.iter().chain($v.iter()).nth(row).unwrap());
        $visit!(
            "state_derivative_unchecked",
            $system.state_derivative_unchecked($($t,)? &y $(, $u)?)
        );
    };
}

/// The methods that return a `Result`; that of `rhs` holds the written array.
macro_rules! checked_methods {
    ($system:expr, [$($t:expr)?], $q:expr, $v:expr, [$($u:expr)?] => $visit:ident) => {{
        let (system, q, v) = ($system, $q, $v);
        $visit!("acceleration", system.acceleration($($t,)? q, v $(, $u)?));
        $visit!("solve", system.solve($($t,)? q, v $(, $u)?));
        $visit!("linearize", system.linearize($($t,)? q, v $(, $u)?));
        $visit!("acceleration_derivatives", system.acceleration_derivatives($($t,)? q, v $(, $u)?));
        $visit!("vjp", system.vjp($($t,)? q, v, $($u,)? v));
        let y = nalgebra::SVector::from_fn(|row, _| *q.iter().chain(v.iter()).nth(row).unwrap());
        $visit!("state_derivative", system.state_derivative($($t,)? &y $(, $u)?));
        let mut dy = y.into();
        let time = checked_methods!(@time $($t)?);
        let outcome = system.rhs(time, &y.into() $(, &(*$u).into())?, &mut dy);
        $visit!("rhs", outcome.map(|()| dy));
    }};
    (@time) => { 0.0 };
    (@time $t:expr) => { $t };
}

/// The methods that take momenta, of a system that is quadratic in the velocities.
macro_rules! canonical_methods {
    ($system:expr, [$($t:expr)?], $q:expr, $p:expr, [$($u:expr)?] => $visit:ident) => {{
        let (system, q, p) = ($system, $q, $p);
        $visit!("velocity", system.velocity($($t,)? q, p));
        $visit!("hamiltonian", system.hamiltonian($($t,)? q, p));
        $visit!("hamilton_equations", system.hamilton_equations($($t,)? q, p $(, $u)?));
    }};
}
pub(crate) use {canonical_methods, checked_methods, plain_methods};
