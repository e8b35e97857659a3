::core::compile_error! {
    "unknown name `mass`\n\nhelp: declare it among the fields, `mass: parameter`, or before this by `let mass = ..;` [L101]\nhttps://docs.rs/lagrangian/latest/lagrangian/errors/index.html#l101-unknown-name"
}
/// A mass on a spring.
#[derive(Clone, Debug)]
/**
# Coordinates

- `x`: Elongation [m].

# Parameters

- `m`: Mass [kg].
- `k`

# Inputs

- `u`: External force [N].
*/
#[allow(
    dead_code,
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    non_snake_case,
    unreachable_pub,
    clippy::all,
    clippy::exhaustive_structs,
    clippy::nursery,
    clippy::pedantic,
    rustdoc::broken_intra_doc_links
)]
pub struct Oscillator<S = ::lagrangian::__private::core::primitive::f64> {
    /// Mass [kg].
    /**
A parameter: a scalar.*/
    pub m: S,
    ///A parameter: a scalar. Default: `100`.
    pub k: S,
}
#[allow(unused_macros, non_snake_case, clippy::all, clippy::nursery, clippy::pedantic)]
macro_rules! __Oscillator_ {
    ($why:literal __Oscillator_ $items:tt { $($structures:tt)* }) => {
        #[allow(dead_code, deprecated, non_local_definitions, non_snake_case,
        unreachable_pub, unused_imports, unused_qualifications, unused_variables,
        clippy::all, clippy::nursery, clippy::pedantic, rustdoc::broken_intra_doc_links)]
        const _ : () = $items; $($structures)*
    };
    ($why:literal $other:tt $items:tt $structures:tt) => {};
}
#[allow(unused_imports, clippy::all, clippy::nursery, clippy::pedantic)]
use __Oscillator_ as Oscillator;
use ::lagrangian::__private as __rt;
type __Own<S> = Oscillator<S>;
fn t() {}
fn q() {}
fn v() {}
fn u() {}
fn a() {}
fn p() {}
fn d() {}
fn q0() {}
fn q1() {}
fn y() {}
fn dy() {}
fn w() {}
fn motion() {}
fn l() {}
fn m() {}
#[allow(
    dead_code,
    deprecated,
    non_local_definitions,
    non_snake_case,
    unreachable_pub,
    unused_imports,
    unused_qualifications,
    unused_variables,
    clippy::all,
    clippy::nursery,
    clippy::pedantic,
    rustdoc::broken_intra_doc_links
)]
impl<S: __rt::SimdRealField + __rt::core::marker::Copy> __Own<S> {
    /**The system with these parameters, and the defaults of the others.

```text
let system = Oscillator::new(m);
```

# Arguments

- `m`, `S`: Mass [kg].
*/
    #[allow(rustdoc::broken_intra_doc_links)]
    #[must_use]
    pub fn new(m: S) -> Self {
        Self {
            m: m,
            k: __rt::math::constant::<S>(100.0),
        }
    }
    /// The system with each parameter converted to another scalar, as nalgebra's `cast` does.
    #[must_use]
    pub fn cast<__T: __rt::SimdRealField + __rt::core::marker::Copy>(&self) -> __Own<__T>
    where
        S: __rt::Cast<__T>,
    {
        __Own {
            m: __rt::Cast::cast(self.m),
            k: __rt::Cast::cast(self.k),
        }
    }
}
#[allow(
    dead_code,
    deprecated,
    non_local_definitions,
    non_snake_case,
    unreachable_pub,
    unused_imports,
    unused_qualifications,
    unused_variables,
    clippy::all,
    clippy::nursery,
    clippy::pedantic,
    rustdoc::broken_intra_doc_links
)]
impl<S: __rt::SimdRealField + __rt::core::marker::Copy> __Own<S> {
    /**The rates dq/dt = N(q) v of the coordinates: v, but for rotations.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a vector of 1.
*/
    pub fn coordinate_rates(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        loop {}
    }
    /**The coordinates q moved by the displacement d: q + d, and R exp(d) for a rotation, with d in the turned axes and the quaternion of unit length.

Arguments: `q = [x]`, `d` (1 displacement). Value: a vector of 1.
*/
    pub fn integrate(
        &self,
        q: &__rt::SVector<S, 1>,
        d: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        loop {}
    }
    /**The displacement d for which `integrate(q0, d)` is q1: q1 - q0; of a rotation at most pi long.

Arguments: `q0 = [x]`, `q1 = [x]`. Value: a vector of 1.
*/
    pub fn difference(
        &self,
        q0: &__rt::SVector<S, 1>,
        q1: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        loop {}
    }
    /**The coordinates of zeros and of rotations by nothing.

Arguments: none. Value: a vector of 1.
*/
    pub fn neutral(&self) -> __rt::SVector<S, 1> {
        loop {}
    }
    /**The mass matrix M = dp/dv, symmetric.

Arguments: `q = [x]`. Value: a 1 x 1 matrix.
*/
    pub fn mass_matrix(&self, q: &__rt::SVector<S, 1>) -> __rt::SMatrix<S, 1, 1> {
        loop {}
    }
    /**The forcing f = Q - h = dL/dq - (dp/dq) v - dp/dt + Q: M a = f where no constraint acts.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: a vector of 1.
*/
    pub fn forcing(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        loop {}
    }
    /**The generalized momenta p = dL/dv.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a vector of 1.
*/
    pub fn momenta(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        loop {}
    }
    /**The bias h = (dp/dq) v + dp/dt - dL/dq: M a + h = Q where no constraint acts.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a vector of 1.
*/
    pub fn bias(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        loop {}
    }
    /**The generalized forces Q: explicit ones, forces at points, torques and dissipation.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: a vector of 1.
*/
    pub fn generalized_forces(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        loop {}
    }
    /**The kinetic energy T.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.
*/
    pub fn kinetic_energy(&self, q: &__rt::SVector<S, 1>, v: &__rt::SVector<S, 1>) -> S {
        loop {}
    }
    /**The potential energy V.

Arguments: `q = [x]`. Value: a scalar.
*/
    pub fn potential_energy(&self, q: &__rt::SVector<S, 1>) -> S {
        loop {}
    }
    /**The Coriolis matrix C of Christoffel symbols, C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k: (dM/dq) v - 2 C is skew.

One of more than 20,000 operations is there only where `#[lagrangian(coriolis_matrix)]` on the struct asks for it.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a 1 x 1 matrix.
*/
    pub fn coriolis_matrix(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
    ) -> __rt::SMatrix<S, 1, 1> {
        loop {}
    }
    /**The gradient dV/dq of the potential energy.

Arguments: `q = [x]`. Value: a vector of 1.
*/
    pub fn potential_gradient(&self, q: &__rt::SVector<S, 1>) -> __rt::SVector<S, 1> {
        loop {}
    }
    /**The Lagrangian L.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.
*/
    pub fn lagrangian(&self, q: &__rt::SVector<S, 1>, v: &__rt::SVector<S, 1>) -> S {
        loop {}
    }
    /**The energy T + V; of a system that is given by L, the Jacobi integral p.v - L.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.
*/
    pub fn energy(&self, q: &__rt::SVector<S, 1>, v: &__rt::SVector<S, 1>) -> S {
        loop {}
    }
    /**The Jacobi integral p.v - L.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.
*/
    pub fn jacobi_integral(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
    ) -> S {
        loop {}
    }
    /**The generalized forces tau = M a + h that the acceleration a asks for.

Arguments: `q = [x]`, `v = [der(x)]`, `a` (1 acceleration). Value: a vector of 1.
*/
    pub fn inverse_dynamics(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        a: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        loop {}
    }
    /**The acceleration a = dv/dt without any check, so that it serves SIMD lanes: not finite where it is not determined, inaccurate nearby.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: a vector of 1.
*/
    pub fn acceleration_unchecked(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        loop {}
    }
    /**The derivative [dq/dt; a] of the state y = [q; v] by time, without any check, so that it serves SIMD lanes.

Arguments: `y` (2 entries, [q; v]), `u = [u]`. Value: a vector of 2.
*/
    pub fn state_derivative_unchecked(
        &self,
        y: &__rt::SVector<S, 2>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 2> {
        loop {}
    }
    /**The matrix A = [I 0 0; 0 M -J^T; 0 J 0] of the first-order form A [dq/dt; a; lambda] = b.

Arguments: `q = [x]`. Value: a 2 x 2 matrix.
*/
    pub fn mass_matrix_full(&self, q: &__rt::SVector<S, 1>) -> __rt::SMatrix<S, 2, 2> {
        loop {}
    }
    /**The right-hand side b = [dq/dt; f; gamma] of the first-order form A [dq/dt; a; lambda] = b.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: a vector of 2.
*/
    pub fn forcing_full(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 2> {
        loop {}
    }
    /**The derivatives of the generalized forces M a + h by the displacement of q and by v; those by a are M.

Arguments: `q = [x]`, `v = [der(x)]`, `a` (1 acceleration). Value: two 1 x 1 matrices.
*/
    pub fn inverse_dynamics_derivatives(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        a: &__rt::SVector<S, 1>,
    ) -> (__rt::SMatrix<S, 1, 1>, __rt::SMatrix<S, 1, 1>) {
        loop {}
    }
    /**The derivatives of what the equations of motion leave, f - M a + J^T lambda and gamma - J a, at fixed a and lambda.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`, `motion` (acceleration and multipliers). Value: of the first matrices of 1 x 1 by q, 1 x 1 by v and 1 x 1 by u; of the second matrices of 0 x 1 by q, 0 x 1 by v and 0 x 1 by u. Constraints in the order of `CONSTRAINTS`.
*/
    pub fn equation_derivatives(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
        motion: &__rt::Motion<S, 1, 0>,
    ) -> (__rt::Derivatives<S, 1, 1, 1>, __rt::Derivatives<S, 0, 1, 1>) {
        loop {}
    }
    /**The same as `linearize` without any check, so that it serves SIMD lanes: not finite where the acceleration is not determined, inaccurate nearby.

The rows of d are 0 by d and 1 by w; for a rotation of angular velocity w0, -(w0 x) by d.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: A, a 2 x 2 matrix, and B, a 2 x 1 matrix.
*/
    pub fn linearize_unchecked(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::Linearization<S, 2, 1> {
        loop {}
    }
    /// The force of the spring [N].
    /**
The output `tension`.

Arguments: `q = [x]`. Value: a scalar.
*/
    pub fn tension(&self, q: &__rt::SVector<S, 1>) -> S {
        loop {}
    }
    /**The Jacobian J = dtension/dq of the output `tension`, one row for each entry.

Arguments: `q = [x]`. Value: a 1 x 1 matrix.
*/
    pub fn tension_jacobian(&self, q: &__rt::SVector<S, 1>) -> __rt::SMatrix<S, 1, 1> {
        loop {}
    }
    /**The rate dtension/dt = J v of the output `tension`.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.
*/
    pub fn tension_rate(&self, q: &__rt::SVector<S, 1>, v: &__rt::SVector<S, 1>) -> S {
        loop {}
    }
    /**The rate of `tension_rate` at a = 0: along any motion its rate is J a + this bias, with J of `tension_jacobian`.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.
*/
    pub fn tension_bias(&self, q: &__rt::SVector<S, 1>, v: &__rt::SVector<S, 1>) -> S {
        loop {}
    }
}
#[allow(
    dead_code,
    deprecated,
    non_local_definitions,
    non_snake_case,
    unreachable_pub,
    unused_imports,
    unused_qualifications,
    unused_variables,
    clippy::all,
    clippy::nursery,
    clippy::pedantic,
    rustdoc::broken_intra_doc_links
)]
impl<S: __rt::RealField + __rt::core::marker::Copy> __Own<S> {
    /**The acceleration a = dv/dt, from M a = f + J^T lambda, J a = gamma.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: a vector of 1.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn acceleration(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::SVector<S, 1>, __rt::Error> {
        loop {}
    }
    /**The acceleration a and the constraint multipliers lambda: M a = f + J^T lambda, J a = gamma.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: the acceleration, a vector of 1, and the multipliers, a vector of 0. Constraints in the order of `CONSTRAINTS`.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn solve(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::Motion<S, 1, 0>, __rt::Error> {
        loop {}
    }
    /**The derivative [dq/dt; a] of the state y = [q; v] by time.

Arguments: `y` (2 entries, [q; v]), `u = [u]`. Value: a vector of 2.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn state_derivative(
        &self,
        y: &__rt::SVector<S, 2>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::SVector<S, 2>, __rt::Error> {
        loop {}
    }
    /**Writes the derivative [dq/dt; a] of the state y = [q; v] to `dy`: the form that integrators on arrays take. On an error `dy` is left as it was.

Arguments: `t` (time), `y` (2 entries, [q; v]), `u = [u]`, `dy` (2 entries, [dq/dt; a]). Value: nothing.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn rhs(
        &self,
        t: S,
        y: &[S; 2],
        u: &[S; 1],
        dy: &mut [S; 2],
    ) -> __rt::core::result::Result<(), __rt::Error> {
        loop {}
    }
    /**The derivatives of the acceleration, of the constrained one if there are constraints, by the displacement of q, by v and by u.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: matrices of 1 x 1 by q, 1 x 1 by v and 1 x 1 by u.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn acceleration_derivatives(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::Derivatives<S, 1, 1, 1>, __rt::Error> {
        loop {}
    }
    /**The motion of neighbours to first order: the displacement d of q and the change w of v obey d/dt [d; w] = A [d; w] + B du.

The rows of d are 0 by d and 1 by w; for a rotation of angular velocity w0, -(w0 x) by d.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: A, a 2 x 2 matrix, and B, a 2 x 1 matrix.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn linearize(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::Linearization<S, 2, 1>, __rt::Error> {
        loop {}
    }
    /**The derivatives w^T da of one weighted sum of the accelerations by the displacement of q, by v and by u.

By one adjoint solution and one reverse sweep over the equations of motion.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`, `w` (1 weight). Value: vectors of 1 by q, 1 by v and 1 by u.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn vjp(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
        w: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::Gradient<S, 1, 1>, __rt::Error> {
        loop {}
    }
    /**The velocities v of the momenta p, from M v = p - p0 with p0 the momenta at rest.

Arguments: `q = [x]`, `p` (1 momentum). Value: a vector of 1.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn velocity(
        &self,
        q: &__rt::SVector<S, 1>,
        p: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::SVector<S, 1>, __rt::Error> {
        loop {}
    }
    /**The Hamiltonian H = p.v - L, with v the velocities of the momenta p.

Arguments: `q = [x]`, `p` (1 momentum). Value: a scalar.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn hamiltonian(
        &self,
        q: &__rt::SVector<S, 1>,
        p: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<S, __rt::Error> {
        loop {}
    }
    /**The rates of the coordinates q and of the momenta p: Hamilton's equations, with all forces.

dq/dt = dH/dp, and dp/dt = -dH/dq + Q; less w x p for a rotation of angular velocity w.

Arguments: `q = [x]`, `p` (1 momentum), `u = [u]`. Value: two vectors of 1 and 1.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn hamilton_equations(
        &self,
        q: &__rt::SVector<S, 1>,
        p: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<
        (__rt::SVector<S, 1>, __rt::SVector<S, 1>),
        __rt::Error,
    > {
        loop {}
    }
}
#[allow(
    dead_code,
    deprecated,
    non_local_definitions,
    non_snake_case,
    unreachable_pub,
    unused_imports,
    unused_qualifications,
    unused_variables,
    clippy::all,
    clippy::nursery,
    clippy::pedantic,
    rustdoc::broken_intra_doc_links
)]
impl __Own<__rt::core::primitive::f64> {
    ///The names of the coordinates, in the order of q.
    pub const COORDINATES: [&'static __rt::core::primitive::str; 1] = ["x"];
    ///The names of the velocities, in the order of v.
    pub const VELOCITIES: [&'static __rt::core::primitive::str; 1] = ["der(x)"];
    ///The names of the parameters, in the order of their declaration.
    pub const PARAMETERS: [&'static __rt::core::primitive::str; 2] = ["m", "k"];
    ///The names of the inputs, in the order of u.
    pub const INPUTS: [&'static __rt::core::primitive::str; 1] = ["u"];
    ///The names of the constraints, in the order of their rows: holonomic ones first.
    pub const CONSTRAINTS: [&'static __rt::core::primitive::str; 0] = [];
    ///How many of the rows of the constraints are holonomic; they come first.
    pub const HOLONOMIC_CONSTRAINTS: __rt::core::primitive::usize = 0;
    ///The number of degrees of freedom: velocities less constraints.
    pub const DEGREES_OF_FREEDOM: __rt::core::primitive::usize = 1;
    ///Which velocities are angular velocities of rotations.
    pub const ANGULAR: [__rt::core::primitive::bool; 1] = [false];
    ///Which coordinates are cyclic: L does not change along these directions of v.
    pub const CYCLIC: [__rt::core::primitive::bool; 1] = [false];
    ///Which momenta are conserved: the coordinate is cyclic, and neither a generalized force nor a constraint acts on it.
    pub const CONSERVED_MOMENTA: [__rt::core::primitive::bool; 1] = [false];
    ///Whether the energy is conserved, as far as the structure of the system shows.
    pub const CONSERVES_ENERGY: __rt::core::primitive::bool = false;
    ///Whether the mass matrix depends on neither the state nor the time.
    pub const CONSTANT_MASS_MATRIX: __rt::core::primitive::bool = false;
    ///The energies and the equations of motion, written out: M a + h = Q, with J^T lambda on the right and the constraints below where there are any; of a long system the energies and constraints, and the general form.
    pub const EQUATIONS: __rt::Equations = __rt::Equations {
        text: "",
        latex: "",
    };
    ///The same as a `math` element of HTML, which browsers draw; of a long system the general form.
    pub const EQUATIONS_MATHML: &'static __rt::core::primitive::str = "";
}
#[allow(
    dead_code,
    deprecated,
    non_local_definitions,
    non_snake_case,
    unreachable_pub,
    unused_imports,
    unused_qualifications,
    unused_variables,
    clippy::all,
    clippy::nursery,
    clippy::pedantic,
    rustdoc::broken_intra_doc_links
)]
#[automatically_derived]
impl<S: __rt::RealField + __rt::core::marker::Copy> __rt::System<S, 1, 1, 1, 0>
for __Own<S> {
    const COORDINATES: [&'static __rt::core::primitive::str; 1] = __Own::<
        __rt::core::primitive::f64,
    >::COORDINATES;
    const VELOCITIES: [&'static __rt::core::primitive::str; 1] = __Own::<
        __rt::core::primitive::f64,
    >::VELOCITIES;
    const PARAMETERS: &'static [&'static __rt::core::primitive::str] = &__Own::<
        __rt::core::primitive::f64,
    >::PARAMETERS;
    const INPUTS: [&'static __rt::core::primitive::str; 1] = __Own::<
        __rt::core::primitive::f64,
    >::INPUTS;
    const CONSTRAINTS: [&'static __rt::core::primitive::str; 0] = __Own::<
        __rt::core::primitive::f64,
    >::CONSTRAINTS;
    const HOLONOMIC_CONSTRAINTS: __rt::core::primitive::usize = __Own::<
        __rt::core::primitive::f64,
    >::HOLONOMIC_CONSTRAINTS;
    const DEGREES_OF_FREEDOM: __rt::core::primitive::usize = __Own::<
        __rt::core::primitive::f64,
    >::DEGREES_OF_FREEDOM;
    const ANGULAR: [__rt::core::primitive::bool; 1] = __Own::<
        __rt::core::primitive::f64,
    >::ANGULAR;
    const CYCLIC: [__rt::core::primitive::bool; 1] = __Own::<
        __rt::core::primitive::f64,
    >::CYCLIC;
    const CONSERVED_MOMENTA: [__rt::core::primitive::bool; 1] = __Own::<
        __rt::core::primitive::f64,
    >::CONSERVED_MOMENTA;
    const CONSERVES_ENERGY: __rt::core::primitive::bool = __Own::<
        __rt::core::primitive::f64,
    >::CONSERVES_ENERGY;
    const CONSTANT_MASS_MATRIX: __rt::core::primitive::bool = __Own::<
        __rt::core::primitive::f64,
    >::CONSTANT_MASS_MATRIX;
    const EQUATIONS: __rt::Equations = __Own::<__rt::core::primitive::f64>::EQUATIONS;
    fn coordinate_rates(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        Self::coordinate_rates(self, q, v)
    }
    fn integrate(
        &self,
        q: &__rt::SVector<S, 1>,
        d: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        Self::integrate(self, q, d)
    }
    fn difference(
        &self,
        q0: &__rt::SVector<S, 1>,
        q1: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        Self::difference(self, q0, q1)
    }
    fn neutral(&self) -> __rt::SVector<S, 1> {
        Self::neutral(self)
    }
    fn mass_matrix(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SMatrix<S, 1, 1> {
        Self::mass_matrix(self, q)
    }
    fn forcing(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        Self::forcing(self, q, v, u)
    }
    fn momenta(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        Self::momenta(self, q, v)
    }
    fn bias(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        Self::bias(self, q, v)
    }
    fn generalized_forces(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        Self::generalized_forces(self, q, v, u)
    }
    fn lagrangian(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> S {
        Self::lagrangian(self, q, v)
    }
    fn energy(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> S {
        Self::energy(self, q, v)
    }
    fn jacobi_integral(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> S {
        Self::jacobi_integral(self, q, v)
    }
    fn inverse_dynamics(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
        a: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        Self::inverse_dynamics(self, q, v, a)
    }
    fn acceleration(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::SVector<S, 1>, __rt::Error> {
        __rt::linalg::check_finite(&[("t", &[t])])?;
        Self::acceleration(self, q, v, u)
    }
    fn solve(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::Motion<S, 1, 0>, __rt::Error> {
        __rt::linalg::check_finite(&[("t", &[t])])?;
        Self::solve(self, q, v, u)
    }
    fn inverse_dynamics_derivatives(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
        a: &__rt::SVector<S, 1>,
    ) -> (__rt::SMatrix<S, 1, 1>, __rt::SMatrix<S, 1, 1>) {
        Self::inverse_dynamics_derivatives(self, q, v, a)
    }
    fn equation_derivatives(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
        motion: &__rt::Motion<S, 1, 0>,
    ) -> (__rt::Derivatives<S, 1, 1, 1>, __rt::Derivatives<S, 0, 1, 1>) {
        Self::equation_derivatives(self, q, v, u, motion)
    }
    fn acceleration_derivatives(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::Derivatives<S, 1, 1, 1>, __rt::Error> {
        __rt::linalg::check_finite(&[("t", &[t])])?;
        Self::acceleration_derivatives(self, q, v, u)
    }
    fn vjp(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
        w: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::Gradient<S, 1, 1>, __rt::Error> {
        __rt::linalg::check_finite(&[("t", &[t])])?;
        Self::vjp(self, q, v, u, w)
    }
}
#[allow(
    dead_code,
    deprecated,
    non_local_definitions,
    non_snake_case,
    unreachable_pub,
    unused_imports,
    unused_qualifications,
    unused_variables,
    clippy::all,
    clippy::nursery,
    clippy::pedantic,
    rustdoc::broken_intra_doc_links
)]
#[automatically_derived]
impl<S: __rt::SimdRealField + __rt::core::marker::Copy> __rt::Unchecked<S, 1, 1, 1>
for __Own<S> {
    fn acceleration_unchecked(
        &self,
        t: S,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        Self::acceleration_unchecked(self, q, v, u)
    }
    fn integrate_unchecked(
        &self,
        q: &__rt::SVector<S, 1>,
        d: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        Self::integrate(self, q, d)
    }
}
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    #[allow(unused)]
    fn in_rust<
        S: ::lagrangian::__private::SimdRealField
            + ::lagrangian::__private::core::marker::Copy,
    >(system: &Oscillator<S>) {
        &system.k;
        &system.k;
    }
    #[cfg(rust_analyzer)]
    #[allow(unused, non_camel_case_types, non_snake_case)]
    fn in_declaration() {
        struct scalar;
        struct vector<const N: ::lagrangian::__private::core::primitive::usize>;
        struct matrix<
            const ROWS: ::lagrangian::__private::core::primitive::usize,
            const COLUMNS: ::lagrangian::__private::core::primitive::usize,
        >;
        struct quaternion;
        struct pose;
        struct rigid;
        struct integer;
        struct equations<const N: ::lagrangian::__private::core::primitive::usize>;
        struct unknown;
        struct coordinate {
            ///A coordinate: a scalar, entry 0 of q and of v.
            ///
            /// Elongation [m].
            x: scalar,
        }
        struct input {
            ///An input: a scalar, entry 0 of u.
            ///
            /// External force [N].
            u: scalar,
        }
        struct variable {
            ///A `let`: a scalar.
            ///
            damping: scalar,
        }
        fn uses(coordinate: coordinate, input: input, variable: variable) {
            &coordinate.x;
            &coordinate.x;
            &coordinate.x;
            &input.u;
            &coordinate.x;
        }
    }
};
