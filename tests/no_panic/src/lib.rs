//! Generated methods of systems of every shape as functions that are not generic, so that the machine
//! code of this crate holds them all. `tests/no_panic/run` searches it for calls of anything but elementary
//! functions and copies of memory.
//!
//! Each module of functions has a table `METHODS` with a byte for each of them, by which the script
//! knows how many it has to find.

#[macro_use]
mod functions;
#[path = "../../shared/chain.rs"]
mod chain;
#[path = "../../shared/arm.rs"]
mod jointed_arm;
#[cfg(not(feature = "probe"))]
pub mod large;
#[path = "../../shared/long_chain.rs"]
#[cfg(not(feature = "probe"))]
mod long_chain;
#[path = "../../shared/rods.rs"]
mod rods;
#[path = "../../shared/scissor.rs"]
#[cfg(not(feature = "probe"))]
mod scissor;
mod shapes;

use jointed_arm::Arm;
use lagrangian::nalgebra::{SMatrix, SVector};
use lagrangian::{
    ActiveMotion, Baumgarte, Derivatives, Error, Free, FrictionTerms, Gradient, Impact,
    Linearization, Motion, Pose, ReducedLinearization, Resolved, Stateful, Step, StepDerivatives,
    StepSensitivities, System,
};
use shapes::{
    Ball, Bead, Bristled, CartPole, CartPoleControl, Chain8, Charge, Follower, Groove, Linkage,
    Pull, Relativistic, Rods5, Skate, Sledge, SledgeStep, Slider, Top, Walker,
};

type Vector<S, const N: usize> = SVector<S, N>;
type Matrix<S, const R: usize, const C: usize> = SMatrix<S, R, C>;

// Each with its scalar, and its numbers of coordinates, of inputs and of constraints; with the names of
// the arguments that it has beside q and v.
every_method! { cart_pole, CartPole<f64>, natural, [f64, 2, 1, 0], [] [u]
    bob(q: &Vector<f64, 2>) -> Vector<f64, 2>;
    bob_jacobian(q: &Vector<f64, 2>) -> Matrix<f64, 2, 2>;
    bob_rate(q: &Vector<f64, 2>, v: &Vector<f64, 2>) -> Vector<f64, 2>;
    bob_bias(q: &Vector<f64, 2>, v: &Vector<f64, 2>) -> Vector<f64, 2>;
    power(q: &Vector<f64, 2>, v: &Vector<f64, 2>, u: &Vector<f64, 1>) -> f64;
    identify(q: &Vector<f64, 2>, v: &Vector<f64, 2>, a: &Vector<f64, 2>) -> Matrix<f64, 2, 2>;
    by_mass(q: &Vector<f64, 2>, v: &Vector<f64, 2>, u: &Vector<f64, 1>) -> Result<Matrix<f64, 2, 2>, Error>;
    acceleration_hessian(q: &Vector<f64, 2>, v: &Vector<f64, 2>, u: &Vector<f64, 1>, w: &Vector<f64, 2>)
        -> Result<Matrix<f64, 5, 5>, Error>;
    along(q: &Vector<f64, 2>, v: &Vector<f64, 2>) -> f64;
    control(q: &Vector<f64, 2>, v: &Vector<f64, 2>, u: &Vector<f64, 1>, a: &Vector<f64, 2>)
        -> CartPoleControl<f64>;
    power_derivatives(q: &Vector<f64, 2>, v: &Vector<f64, 2>, u: &Vector<f64, 1>)
        -> Derivatives<f64, 1, 2, 1>;
    cost_hessian(q: &Vector<f64, 2>, v: &Vector<f64, 2>, u: &Vector<f64, 1>) -> Matrix<f64, 5, 5>;
}
every_method! { cart_pole_f32, CartPole<f32>, natural, [f32, 2, 1, 0], [] [u]
    bob(q: &Vector<f32, 2>) -> Vector<f32, 2>;
    bob_jacobian(q: &Vector<f32, 2>) -> Matrix<f32, 2, 2>;
    bob_rate(q: &Vector<f32, 2>, v: &Vector<f32, 2>) -> Vector<f32, 2>;
    bob_bias(q: &Vector<f32, 2>, v: &Vector<f32, 2>) -> Vector<f32, 2>;
    power(q: &Vector<f32, 2>, v: &Vector<f32, 2>, u: &Vector<f32, 1>) -> f32;
    identify(q: &Vector<f32, 2>, v: &Vector<f32, 2>, a: &Vector<f32, 2>) -> Matrix<f32, 2, 2>;
    by_mass(q: &Vector<f32, 2>, v: &Vector<f32, 2>, u: &Vector<f32, 1>) -> Result<Matrix<f32, 2, 2>, Error>;
    acceleration_hessian(q: &Vector<f32, 2>, v: &Vector<f32, 2>, u: &Vector<f32, 1>, w: &Vector<f32, 2>)
        -> Result<Matrix<f32, 5, 5>, Error>;
    along(q: &Vector<f32, 2>, v: &Vector<f32, 2>) -> f32;
    control(q: &Vector<f32, 2>, v: &Vector<f32, 2>, u: &Vector<f32, 1>, a: &Vector<f32, 2>)
        -> CartPoleControl<f32>;
    power_derivatives(q: &Vector<f32, 2>, v: &Vector<f32, 2>, u: &Vector<f32, 1>)
        -> Derivatives<f32, 1, 2, 1>;
    cost_hessian(q: &Vector<f32, 2>, v: &Vector<f32, 2>, u: &Vector<f32, 1>) -> Matrix<f32, 5, 5>;
}
every_method! { linkage, Linkage<f64>, natural constrained 2, [f64, 3, 0, 2], [] []
    by_lengths(q: &Vector<f64, 3>, v: &Vector<f64, 3>) -> Result<Matrix<f64, 3, 2>, Error>;
    acceleration_hessian(q: &Vector<f64, 3>, v: &Vector<f64, 3>, w: &Vector<f64, 3>) -> Result<Matrix<f64, 6, 6>, Error>;
}
every_method! { linkage_f32, Linkage<f32>, natural constrained 2, [f32, 3, 0, 2], [] [] }
every_method! { skate, Skate<f64>, natural constrained 0, [f64, 3, 0, 1], [] [] }
every_method! { skate_f32, Skate<f32>, natural constrained 0, [f32, 3, 0, 1], [] [] }
every_method! { sledge, Sledge<f64>, natural constrained 1, [f64, 3, 1, 2], [] [u]
    step(q: &Vector<f64, 3>, v: &Vector<f64, 3>, u: &Vector<f64, 1>) -> SledgeStep<f64>;
}
every_method! { follower, Follower<f64>, natural constrained 1, [f64, 3, 1, 1], [] [u] }
every_method! { follower_f32, Follower<f32>, natural constrained 1, [f32, 3, 1, 1], [] [u] }
every_method! { relativistic, Relativistic<f64>, lagrangian, [f64, 2, 1, 0], [t] [u] }
every_method! { relativistic_f32, Relativistic<f32>, lagrangian, [f32, 2, 1, 0], [t] [u] }
every_method! { bead, Bead<f64>, natural constrained 1, [f64, 2, 0, 1], [t] [] }
every_method! { pull, Pull<f64>, natural, [f64, 2, 1, 0], [] [u]
    every(q: &Vector<f64, 2>, v: &Vector<f64, 2>) -> Vector<f64, 15>;
}
every_method! { pull_f32, Pull<f32>, natural, [f32, 2, 1, 0], [] [u]
    every(q: &Vector<f32, 2>, v: &Vector<f32, 2>) -> Vector<f32, 15>;
}
every_method! { arm, Arm<f64>, natural, [f64, 4, 4, 0], [] [u]
    tip(q: &Vector<f64, 4>) -> Vector<f64, 3>;
    tip_jacobian(q: &Vector<f64, 4>) -> Matrix<f64, 3, 4>;
    spin(q: &Vector<f64, 4>, v: &Vector<f64, 4>) -> Vector<f64, 3>;
    turn(q: &Vector<f64, 4>) -> Matrix<f64, 3, 3>;
    hand(q: &Vector<f64, 4>) -> Pose<f64>;
    hand_velocity(q: &Vector<f64, 4>, v: &Vector<f64, 4>) -> Vector<f64, 6>;
    hand_jacobian(q: &Vector<f64, 4>) -> Matrix<f64, 6, 4>;
    hand_bias(q: &Vector<f64, 4>, v: &Vector<f64, 4>) -> Vector<f64, 6>;
    spin_derivatives(q: &Vector<f64, 4>, v: &Vector<f64, 4>) -> Derivatives<f64, 3, 4, 4>;
    effort(q: &Vector<f64, 4>, v: &Vector<f64, 4>, u: &Vector<f64, 4>) -> f64;
}
every_method! { chain8, Chain8<f64>, natural, [f64, 8, 0, 0], [] [] }
every_method! { rods5, Rods5<f64>, natural constrained 5, [f64, 10, 0, 5], [] [] }

pub mod top {
    use super::*;
    functions! { turning, Top<f64>:
        integrate(q: &Vector<f64, 4>, d: &Vector<f64, 3>) -> Vector<f64, 4>;
        difference(q0: &Vector<f64, 4>, q1: &Vector<f64, 4>) -> Vector<f64, 3>;
        coordinate_rates(q: &Vector<f64, 4>, v: &Vector<f64, 3>) -> Vector<f64, 4>;
        acceleration(q: &Vector<f64, 4>, v: &Vector<f64, 3>) -> Result<Vector<f64, 3>, Error>;
        linearize_fixed_axes(q: &Vector<f64, 4>, v: &Vector<f64, 3>) -> Result<Linearization<f64, 6, 0>, Error>;
        velocity(q: &Vector<f64, 4>, p: &Vector<f64, 3>) -> Result<Vector<f64, 3>, Error>;
        hamiltonian(q: &Vector<f64, 4>, p: &Vector<f64, 3>) -> Result<f64, Error>;
        hamilton_equations(q: &Vector<f64, 4>, p: &Vector<f64, 3>)
            -> Result<(Vector<f64, 4>, Vector<f64, 3>), Error>;
        nose_bias(q: &Vector<f64, 4>, v: &Vector<f64, 3>) -> Vector<f64, 6>;
        height_hessian(q: &Vector<f64, 4>, v: &Vector<f64, 3>) -> Matrix<f64, 6, 6>;
        height_bias(q: &Vector<f64, 4>, v: &Vector<f64, 3>) -> f64;
    }
}

pub mod charge {
    use super::*;
    every_method! { methods, Charge<f64>, lagrangian, [f64, 2, 0, 0], [] [] }
    canonical! { natural, Charge<f64>, [f64, 2, 0], [] [] }
}

of_trait! { cart_pole_trait, CartPole<f64>, [f64, 2, 1, 0] }
of_trait! { cart_pole_trait_f32, CartPole<f32>, [f32, 2, 1, 0] }
of_trait! { sledge_trait, Sledge<f64>, [f64, 3, 1, 2] }
of_trait! { skate_trait_f32, Skate<f32>, [f32, 3, 0, 1] }
of_trait! { relativistic_trait, Relativistic<f64>, [f64, 2, 1, 0] }
of_trait! { bead_trait, Bead<f64>, [f64, 2, 0, 1] }
of_trait! { groove_trait, Groove<f64>, [f64, 2, 1, 2] }
of_trait! { sledge_baumgarte, Baumgarte<'_, f64, Sledge<f64>>, [f64, 3, 1, 2] }
of_trait! { skate_baumgarte_f32, Baumgarte<'_, f32, Skate<f32>>, [f32, 3, 0, 1] }
of_trait! { follower_baumgarte, Baumgarte<'_, f64, Follower<f64>>, [f64, 3, 1, 1] }

of_runtime! { cart_pole_runtime, CartPole<f64>, [f64, 2, 2, 1, 0] }
of_runtime! { cart_pole_runtime_f32, CartPole<f32>, [f32, 2, 2, 1, 0] }
of_runtime! { sledge_runtime, Sledge<f64>, [f64, 3, 3, 1, 2] }
of_runtime! { skate_runtime_baumgarte, Baumgarte<'_, f64, Skate<f64>>, [f64, 3, 3, 0, 1] }
of_runtime! { top_runtime, Top<f64>, [f64, 4, 3, 0, 0] }

/// The methods of contacts.
macro_rules! of_contacts {
    ($module:ident, $system:ty, $s:ty) => {
        functions! { $module, $system:
            gaps(t: $s, q: &Vector<$s, 3>) -> Vector<$s, 2>;
            gap_rates(t: $s, q: &Vector<$s, 3>, v: &Vector<$s, 3>) -> Vector<$s, 2>;
            contact_jacobian(t: $s, q: &Vector<$s, 3>) -> Matrix<$s, 2, 3>;
            contact_gamma(t: $s, q: &Vector<$s, 3>, v: &Vector<$s, 3>) -> Vector<$s, 2>;
            solve_active(
                t: $s, q: &Vector<$s, 3>, v: &Vector<$s, 3>, u: &Vector<$s, 1>, active: &[bool; 2]
            ) -> Result<ActiveMotion<$s, 3, 1, 2>, Error>;
            linearize_active(
                t: $s, q: &Vector<$s, 3>, v: &Vector<$s, 3>, u: &Vector<$s, 1>, active: &[bool; 2]
            ) -> Result<Linearization<$s, 6, 1>, Error>;
            impact(
                t: $s, q: &Vector<$s, 3>, v: &Vector<$s, 3>, active: &[bool; 2], e: &[$s; 2]
            ) -> Result<Impact<$s, 3, 1, 2>, Error>;
            impact_derivatives(
                t: $s, q: &Vector<$s, 3>, v: &Vector<$s, 3>, active: &[bool; 2], e: &[$s; 2]
            ) -> Result<(Matrix<$s, 3, 3>, Matrix<$s, 3, 3>), Error>;
            delassus(t: $s, q: &Vector<$s, 3>) -> Result<Matrix<$s, 2, 2>, Error>;
        }
    };
}
/// The methods of friction.
macro_rules! of_friction {
    ($module:ident, $system:ty, $s:ty) => {
        functions! { $module, $system:
            friction_terms(t: $s, q: &Vector<$s, 3>, v: &Vector<$s, 3>) -> FrictionTerms<$s, 3, 2, 1>;
            resolve(
                t: $s, q: &Vector<$s, 3>, v: &Vector<$s, 3>, u: &Vector<$s, 1>, active: &[bool; 2]
            ) -> Result<Resolved<$s, 3, 1, 2, 1>, Error>;
        }
    };
}
of_friction! { walker_friction, Walker<f64>, f64 }
of_friction! { walker_friction_f32, Walker<f32>, f32 }

/// Friction in two directions.
pub mod rolling {
    use super::*;
    functions! { methods, Ball<f64>:
        friction_terms(q: &Vector<f64, 7>, v: &Vector<f64, 6>) -> FrictionTerms<f64, 6, 1, 0>;
        resolve(q: &Vector<f64, 7>, v: &Vector<f64, 6>, active: &[bool; 1]) -> Result<Resolved<f64, 6, 0, 1, 0>, Error>;
    }
}

of_contacts! { walker, Walker<f64>, f64 }
of_contacts! { walker_f32, Walker<f32>, f32 }
of_contacts! { slider, Slider<f64>, f64 }
of_contacts! { slider_f32, Slider<f32>, f32 }

/// Forces depend on multipliers.
pub mod sliding {
    use super::*;
    functions! { methods, Slider<f64>:
        solve(t: f64, q: &Vector<f64, 3>, v: &Vector<f64, 3>, u: &Vector<f64, 1>)
            -> Result<Motion<f64, 3, 1>, Error>;
        acceleration_unchecked(t: f64, q: &Vector<f64, 3>, v: &Vector<f64, 3>, u: &Vector<f64, 1>)
            -> Vector<f64, 3>;
        mass_matrix_full(t: f64, q: &Vector<f64, 3>, v: &Vector<f64, 3>, u: &Vector<f64, 1>)
            -> Matrix<f64, 7, 7>;
        multiplier_forces(t: f64, q: &Vector<f64, 3>, v: &Vector<f64, 3>, u: &Vector<f64, 1>)
            -> Matrix<f64, 3, 3>;
        linearize(t: f64, q: &Vector<f64, 3>, v: &Vector<f64, 3>, u: &Vector<f64, 1>)
            -> Result<Linearization<f64, 6, 1>, Error>;
        linearize_unchecked(t: f64, q: &Vector<f64, 3>, v: &Vector<f64, 3>, u: &Vector<f64, 1>)
            -> Linearization<f64, 6, 1>;
        vjp(
            t: f64, q: &Vector<f64, 3>, v: &Vector<f64, 3>, u: &Vector<f64, 1>, w: &Vector<f64, 3>
        ) -> Result<Gradient<f64, 3, 1>, Error>;
        hamilton_equations(t: f64, q: &Vector<f64, 3>, p: &Vector<f64, 3>, u: &Vector<f64, 1>)
            -> Result<(Vector<f64, 3>, Vector<f64, 3>), Error>;
    }
}

/// States of first order.
pub mod stateful {
    use super::*;

    type Plane = Vector<f64, 2>;
    type Input = Vector<f64, 1>;

    functions! { methods, Bristled<f64>:
        state_rates(q: &Plane, v: &Plane, z: &Plane, u: &Input) -> Plane;
        potential_gradient(q: &Plane, z: &Plane) -> Plane;
        energy(q: &Plane, v: &Plane, z: &Plane) -> f64;
        generalized_forces(q: &Plane, v: &Plane, z: &Plane, u: &Input) -> Plane;
        acceleration(q: &Plane, v: &Plane, z: &Plane, u: &Input) -> Result<Plane, Error>;
        solve(q: &Plane, v: &Plane, z: &Plane, u: &Input) -> Result<Motion<f64, 2, 1>, Error>;
        project(q: &Plane, v: &Plane) -> Result<(Plane, Plane), Error>;
        state_derivative(y: &Vector<f64, 6>, u: &Input) -> Result<Vector<f64, 6>, Error>;
        linearize(q: &Plane, v: &Plane, z: &Plane, u: &Input)
            -> Result<Linearization<f64, 6, 1>, Error>;
        linearize_unchecked(q: &Plane, v: &Plane, z: &Plane, u: &Input) -> Linearization<f64, 6, 1>;
        linearize_reduced(q: &Plane, v: &Plane, z: &Plane, u: &Input)
            -> Result<ReducedLinearization<f64, 2, 1, 4, 1>, Error>;
        acceleration_derivatives(q: &Plane, v: &Plane, z: &Plane, u: &Input)
            -> Result<Derivatives<f64, 2, 2, 1, 2>, Error>;
        multiplier_derivatives(q: &Plane, v: &Plane, z: &Plane, u: &Input)
            -> Result<Derivatives<f64, 1, 2, 1, 2>, Error>;
        vjp(q: &Plane, v: &Plane, z: &Plane, u: &Input, w: &Plane)
            -> Result<Gradient<f64, 2, 1, 2>, Error>;
        hamilton_equations(q: &Plane, p: &Plane, z: &Plane, u: &Input) -> Result<(Plane, Plane), Error>;
    }

    pub mod runtime {
        use super::*;

        pub static METHODS: [u8; 3] = [1; _];
        #[inline(never)]
        pub fn rk4_step_with_states(
            system: &Bristled<f64>,
            t: f64,
            (q, v, z): (&Plane, &Plane, &Plane),
            u: &Input,
            h: f64,
        ) -> Result<(Plane, Plane, Plane), Error> {
            lagrangian::rk4_step_with_states(system, t, q, v, z, u, h)
        }
        #[inline(never)]
        pub fn stabilised(
            system: &Bristled<f64>,
            t: f64,
            (q, v, z): (&Plane, &Plane, &Plane),
            u: &Input,
        ) -> Result<Motion<f64, 2, 1>, Error> {
            let stabilised = Baumgarte {
                system,
                alpha: 0.1,
                beta: 0.1,
                step: 0.01,
            };
            stabilised.solve(t, q, v, z, u)
        }
        #[inline(never)]
        pub fn stabilised_derivatives(
            system: &Bristled<f64>,
            t: f64,
            (q, v, z): (&Plane, &Plane, &Plane),
            u: &Input,
        ) -> Result<Derivatives<f64, 2, 2, 1, 2>, Error> {
            let stabilised = Baumgarte {
                system,
                alpha: 0.1,
                beta: 0.1,
                step: 0.01,
            };
            stabilised.acceleration_derivatives(t, q, v, z, u)
        }
    }
}

/// Poses and their conversions.
pub mod poses {
    use super::*;
    use lagrangian::nalgebra::{Isometry3, UnitQuaternion};

    pub static METHODS: [u8; 8] = [1; _];
    #[inline(never)]
    pub fn error_to(here: &Pose<f64>, goal: &Pose<f64>) -> Vector<f64, 6> {
        here.error_to(goal)
    }
    #[inline(never)]
    pub fn error_to_f32(here: &Pose<f32>, goal: &Pose<f32>) -> Vector<f32, 6> {
        here.error_to(goal)
    }
    #[inline(never)]
    pub fn inverse(pose: &Pose<f64>) -> Pose<f64> {
        pose.inverse()
    }
    #[inline(never)]
    pub fn product(a: &Pose<f64>, b: &Pose<f64>) -> Pose<f64> {
        *a * *b
    }
    #[inline(never)]
    pub fn from_isometry(isometry: &Isometry3<f64>) -> Pose<f64> {
        (*isometry).into()
    }
    #[inline(never)]
    pub fn into_isometry(pose: &Pose<f64>) -> Isometry3<f64> {
        (*pose).into()
    }
    #[inline(never)]
    pub fn quaternion(entries: &[f64; 4]) -> UnitQuaternion<f64> {
        lagrangian::quaternion(*entries)
    }
    #[inline(never)]
    pub fn quaternion_entries(quaternion: &UnitQuaternion<f64>) -> [f64; 4] {
        lagrangian::quaternion_entries(quaternion)
    }
}

/// Regulators.
pub mod regulators {
    use super::*;
    use lagrangian::Lqr;

    macro_rules! regulators {
        ($($name:ident: $solve:ident, [$s:ty, $n:literal, $k:literal];)*) => {
            pub static METHODS: [u8; [$(stringify!($name)),*].len()] = [1; _];
            $(
                #[inline(never)]
                pub fn $name(
                    a: &Matrix<$s, $n, $n>,
                    b: &Matrix<$s, $n, $k>,
                    q: &Matrix<$s, $n, $n>,
                    r: &Matrix<$s, $k, $k>,
                ) -> Result<Lqr<$s, $n, $k>, Error> {
                    lagrangian::$solve(a, b, q, r)
                }
            )*
        };
    }
    regulators! {
        continuous: lqr, [f64, 4, 1];
        continuous_f32: lqr, [f32, 3, 2];
        of_twelve: lqr, [f64, 12, 4];
        discrete: dlqr, [f64, 4, 1];
        discrete_f32: dlqr, [f32, 3, 2];
    }
}

/// Steps without a check.
pub mod unchecked {
    use super::*;

    macro_rules! steps {
        ($($name:ident: $system:ty, [$s:ty, $m:literal, $n:literal, $k:literal];)*) => {
            pub static METHODS: [u8; [$(stringify!($name)),*].len()] = [1; _];
            $(
                #[inline(never)]
                pub fn $name(
                    system: &$system,
                    t: $s,
                    q: &Vector<$s, $m>,
                    v: &Vector<$s, $n>,
                    u: &Vector<$s, $k>,
                    h: $s,
                ) -> (Vector<$s, $m>, Vector<$s, $n>) {
                    lagrangian::rk4_step_unchecked(system, t, q, v, u, h)
                }
            )*
        };
    }
    steps! {
        of_cart_pole: CartPole<f64>, [f64, 2, 2, 1];
        of_cart_pole_f32: CartPole<f32>, [f32, 2, 2, 1];
        of_sledge: Sledge<f64>, [f64, 3, 3, 1];
        of_top: Top<f64>, [f64, 4, 3, 0];
    }
}

/// An index that may be out of range.
#[cfg(feature = "planted")]
#[inline(never)]
pub fn planted(q: &Vector<f64, 2>, index: usize) -> f64 {
    CartPole::<f64>::COORDINATES.len() as f64 + q[index]
}
