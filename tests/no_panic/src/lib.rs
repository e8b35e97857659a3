//! Every generated method of some systems as a function that is not generic, so that the machine code
//! of this crate holds them all. `.ci/no_panic` searches it for calls of anything but elementary
//! functions and copies of memory.

#[path = "../../shared/chain.rs"]
mod chain;
#[path = "../../shared/long_chain.rs"]
mod long_chain;

use chain::pendulum_chain;
use lagrangian::nalgebra::{SMatrix, SVector};
use lagrangian::{Error, Motion, lagrangian};
use long_chain::LongChain;

type Vector<const N: usize> = SVector<f64, N>;
type Matrix<const R: usize, const C: usize> = SMatrix<f64, R, C>;

lagrangian! {
    /// A cart that carries an inverted pendulum.
    pub struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l: parameter,
        g: parameter = 9.81,
        u: input,
    }

    pub let bob = [x + l * sin(theta), l * cos(theta)];
    pub let power = u * der(x);

    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
}

pendulum_chain! {
    pub struct Chain5 { q1 m1 l1, q2 m2 l2, q3 m3 l3, q4 m4 l4, q5 m5 l5 }
}

lagrangian! {
    /// A sledge on a rod: its blade does not slip sideways.
    pub struct Sledge { x, y, phi: coordinate, m, l: parameter, u: input }

    T = m * (der(x)^2 + der(y)^2) / 2 + m * l^2 * der(phi)^2 / 6;
    V = m * 9.81 * y;
    Q.phi = u;
    holonomic rod: x^2 + y^2 = l^2;
    nonholonomic blade: cos(phi) * der(y) = sin(phi) * der(x) + l * der(phi) / 3;
}

/// A module of functions, each of which calls the method of its name.
macro_rules! functions {
    ($module:ident, $system:ident: $(
        $method:ident($($argument:ident: $kind:ty),*) -> $result:ty;
    )*) => {
        pub mod $module {
            use super::*;
            $(
                #[inline(never)]
                pub fn $method(system: &$system, $($argument: $kind),*) -> $result {
                    system.$method($($argument),*)
                }
            )*
        }
    };
}

/// The functions of a system with T and V, `n` coordinates and the inputs in brackets.
macro_rules! all_functions {
    ($module:ident, $system:ident, $n:literal, [$($u:ident: $k:literal)?] $($more:tt)*) => {
        functions! { $module, $system:
            mass_matrix(q: &Vector<$n>) -> Matrix<$n, $n>;
            mass_matrix_full(q: &Vector<$n>) -> Matrix<{ 2 * $n }, { 2 * $n }>;
            forcing(q: &Vector<$n>, v: &Vector<$n> $(, $u: &Vector<$k>)?) -> Vector<$n>;
            forcing_full(q: &Vector<$n>, v: &Vector<$n> $(, $u: &Vector<$k>)?) -> Vector<{ 2 * $n }>;
            momenta(q: &Vector<$n>, v: &Vector<$n>) -> Vector<$n>;
            bias(q: &Vector<$n>, v: &Vector<$n>) -> Vector<$n>;
            generalized_forces(q: &Vector<$n>, v: &Vector<$n> $(, $u: &Vector<$k>)?) -> Vector<$n>;
            kinetic_energy(q: &Vector<$n>, v: &Vector<$n>) -> f64;
            potential_energy(q: &Vector<$n>) -> f64;
            coriolis_matrix(q: &Vector<$n>, v: &Vector<$n>) -> Matrix<$n, $n>;
            potential_gradient(q: &Vector<$n>) -> Vector<$n>;
            lagrangian(q: &Vector<$n>, v: &Vector<$n>) -> f64;
            energy(q: &Vector<$n>, v: &Vector<$n>) -> f64;
            jacobi_integral(q: &Vector<$n>, v: &Vector<$n>) -> f64;
            inverse_dynamics(q: &Vector<$n>, v: &Vector<$n>, a: &Vector<$n>) -> Vector<$n>;
            acceleration_unchecked(
                q: &Vector<$n>, v: &Vector<$n> $(, $u: &Vector<$k>)?
            ) -> Vector<$n>;
            state_derivative_unchecked(
                y: &Vector<{ 2 * $n }> $(, $u: &Vector<$k>)?
            ) -> Vector<{ 2 * $n }>;
            acceleration(
                q: &Vector<$n>, v: &Vector<$n> $(, $u: &Vector<$k>)?
            ) -> Result<Vector<$n>, Error>;
            solve(
                q: &Vector<$n>, v: &Vector<$n> $(, $u: &Vector<$k>)?
            ) -> Result<Motion<f64, $n, 0>, Error>;
            state_derivative(
                y: &Vector<{ 2 * $n }> $(, $u: &Vector<$k>)?
            ) -> Result<Vector<{ 2 * $n }>, Error>;
            rhs(
                t: f64,
                y: &[f64; 2 * $n],
                $($u: &[f64; $k],)?
                dy: &mut [f64; 2 * $n]
            ) -> Result<(), Error>;
            $($more)*
        }
    };
}

all_functions! { cart_pole, CartPole, 2, [u: 1]
    bob(q: &Vector<2>) -> Vector<2>;
    bob_jacobian(q: &Vector<2>) -> Matrix<2, 2>;
    power(q: &Vector<2>, v: &Vector<2>, u: &Vector<1>) -> f64;
}
all_functions! { chain5, Chain5, 5, [] }
all_functions! { long_chain_methods, LongChain, 24, [] }
functions! { sledge, Sledge:
    acceleration(q: &Vector<3>, v: &Vector<3>, u: &Vector<1>) -> Result<Vector<3>, Error>;
    acceleration_unchecked(q: &Vector<3>, v: &Vector<3>, u: &Vector<1>) -> Vector<3>;
    solve(q: &Vector<3>, v: &Vector<3>, u: &Vector<1>) -> Result<Motion<f64, 3, 2>, Error>;
    rhs(t: f64, y: &[f64; 6], u: &[f64; 1], dy: &mut [f64; 6]) -> Result<(), Error>;
    mass_matrix_full(q: &Vector<3>) -> Matrix<8, 8>;
    forcing_full(q: &Vector<3>, v: &Vector<3>, u: &Vector<1>) -> Vector<8>;
    constraint_residual(q: &Vector<3>) -> Vector<1>;
    constraint_velocity(q: &Vector<3>, v: &Vector<3>) -> Vector<2>;
    constraint_jacobian(q: &Vector<3>) -> Matrix<2, 3>;
    constraint_gamma(q: &Vector<3>, v: &Vector<3>) -> Vector<2>;
    constraint_forces(q: &Vector<3>, v: &Vector<3>, u: &Vector<1>) -> Result<Vector<3>, Error>;
    project(q: &Vector<3>, v: &Vector<3>) -> Result<(Vector<3>, Vector<3>), Error>;
}

/// An index that may be out of range.
#[cfg(feature = "planted")]
#[inline(never)]
pub fn planted(q: &Vector<2>, index: usize) -> f64 {
    CartPole::<f64>::COORDINATES.len() as f64 + q[index]
}
