//! The `lagrangian!` macro of the `lagrangian` crate. Depend on that crate, which re-exports the macro
//! beside the runtime that the generated code calls.

#![forbid(unsafe_code)]

/// Declares a mechanical system and derives its equations of motion.
///
/// ```ignore
/// lagrangian! {
///     /// A mass on a spring.
///     #[derive(Clone, Debug)]
///     pub struct Oscillator {
///         /// Elongation [m].
///         x: coordinate,
///         /// Mass [kg].
///         m: parameter,
///         /// Stiffness [N/m].
///         k: parameter = 100,
///         /// External force [N].
///         u: input,
///     }
///
///     T = m * der(x)^2 / 2;
///     V = k * x^2 / 2;
///     Q.x = u;
/// }
/// ```
///
/// # Fields
///
/// A field is `names: role`, where several names may share the role.
///
/// | role | meaning |
/// | --- | --- |
/// | `coordinate`, `coordinate[n]`, `coordinate[r, c]` | generalized coordinates q |
/// | `parameter`, `parameter[n]`, `parameter[r, c]`, with an optional `= constant` | a public field |
/// | `input`, `input[n]` | a value given at each evaluation: u |
/// | `time` | explicit time, which every method then takes first |
/// | `robot = "file.urdf"` | joints and links of a file, with the feature `urdf` of `lagrangian` |
///
/// # Statements
///
/// | statement | meaning |
/// | --- | --- |
/// | `let n = e;` `let mut n = e;` `n += e;` | a named expression |
/// | `let f(a, b) = e;` | a function; each call is replaced by `e` |
/// | `pub let n = e;` | the same, also a method `n`, with `n_jacobian`, `n_rate` and `n_bias` for a function of q and t alone, otherwise `n_derivatives`; after `#[hessian]` also `n_hessian` |
/// | `T = e;` `V = e;` | kinetic and potential energy |
/// | `L = e;` | the Lagrangian itself |
/// | `D = e;` | Rayleigh's dissipation function |
/// | `Q.c = e;` | generalized force on the coordinate `c` |
/// | `force F at p;` `force F at p on B;` `torque M on B;` | force at a point, on the body there, torque on a frame |
/// | `holonomic name: a = b;` `nonholonomic name: a = b;` | constraints on q, on v |
/// | `frame F = world.rotate(z, a);` | a pose in space |
/// | `pub frame F = ..;` | the same, also methods `F`, `F_velocity`, `F_jacobian` and `F_bias` |
/// | `body n { .. }` `gravity a;` | rigid bodies, and their weight |
/// | `place arm at F;` | where a robot stands |
/// | `spring { .. }` `damper { .. }` | between two points |
/// | `bundle n { mass_matrix, bias }` | quantities of one state, computed together |
/// | `regressor n { m, k }` | the coefficients of parameters in the equations |
/// | `sensitivity n { m, c[1] }` | the derivatives of accelerations by parameters |
/// | `symmetry n: x -> 1;` | a direction along which nothing changes, and its conserved quantity |
/// | `for i in a..b { .. }` | repetition, unrolled |
///
/// Expressions have `+ - * / ^`, vectors `[a, b]`, `if`, the elementary functions, and `der(e)`, the
/// total time derivative.
///
/// # Generated items
///
/// `struct Oscillator<S = f64>`; `Oscillator::new(m)` with the parameters that have no default; a method for
/// each term of the equations of motion, for their solution and, with constraints, for the projection onto
/// them; the constants `COORDINATES`, `EQUATIONS` and others; and the trait `System`. The documentation of
/// each method has its formula, its arguments and its number of operations.
#[doc(alias(
    "body",
    "bundle",
    "constraint",
    "contact",
    "drift",
    "lqr",
    "multiplier",
    "regressor",
    "sensitivity",
    "urdf"
))]
#[proc_macro]
pub fn lagrangian(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    lagrange_lang::expand(input.into(), lagrange_lang::Purpose::of_host()).into()
}
