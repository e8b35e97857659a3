//! The methods of the trait, which have one signature for all systems.

use lagrangian::nalgebra::{RealField, SVector};
use lagrangian::{Motion, System, Unchecked};

use crate::{Draw, Results, draw};

/// Writes the results of the trait's methods.
pub fn by_trait<S, M, const Q: usize, const V: usize, const K: usize, const C: usize>(
    to: &mut Results,
    state: usize,
    system: &M,
    t: S,
    q: &SVector<S, Q>,
    v: &SVector<S, V>,
    u: &SVector<S, K>,
) where
    S: RealField + Copy + Draw,
    M: System<S, Q, V, K, C> + Unchecked<S, Q, V, K>,
{
    macro_rules! write {
        ($($method:ident)*) => {
            $(to.write(state, concat!("System::", stringify!($method)), &system.$method(t, q, v, u));)*
        };
    }
    write! {
        coordinate_rates mass_matrix forcing momenta bias generalized_forces lagrangian energy jacobi_integral
        acceleration solve constraint_residual constraint_velocity constraint_jacobian constraint_gamma
        constraint_forces project state_derivative acceleration_derivatives multiplier_derivatives
        constraint_velocity_derivatives acceleration_unchecked
    }
    let a: SVector<S, V> = draw(state, "a");
    let w: SVector<S, V> = draw(state, "w");
    let d: SVector<S, V> = draw(state, "d");
    let motion: Motion<S, V, C> = draw(state, "motion");
    let mut write = |method, value: &dyn std::fmt::Debug| to.write(state, method, value);
    write("System::integrate", &system.integrate(q, &d));
    write(
        "System::difference",
        &system.difference(q, &draw(state, "q1")),
    );
    write("System::neutral", &system.neutral());
    write(
        "System::inverse_dynamics",
        &system.inverse_dynamics(t, q, v, u, &a),
    );
    write(
        "System::inverse_dynamics_derivatives",
        &system.inverse_dynamics_derivatives(t, q, v, u, &a),
    );
    write(
        "System::equation_derivatives",
        &system.equation_derivatives(t, q, v, u, &motion),
    );
    write("System::vjp", &system.vjp(t, q, v, u, &w));
    write(
        "System::integrate_unchecked",
        &system.integrate_unchecked(q, &d),
    );
}
