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

# Equations
*/
#[cfg_attr(
    not(doc),
    doc = "\n```text\nT = m*x'^2/2\nV = x^2*k/2\nu = x*k + m*x''\n```\n"
)]
#[cfg_attr(
    doc,
    doc = "\n<div style=\"overflow-x:auto\"><math display=\"block\"><mtable displaystyle=\"true\"><mtr><mtd style=\"text-align:left\"><mi>T</mi><mo>=</mo><mfrac><mrow><mi>m</mi><mspace width=\"0.17em\"></mspace><msup><mrow><mover><mi>x</mi><mo scriptlevel=\"0\">˙</mo></mover></mrow><mn>2</mn></msup></mrow><mrow><mn>2</mn></mrow></mfrac></mtd></mtr><mtr><mtd style=\"text-align:left\"><mi>V</mi><mo>=</mo><mfrac><mrow><msup><mrow><mi>x</mi></mrow><mn>2</mn></msup><mspace width=\"0.17em\"></mspace><mi>k</mi></mrow><mrow><mn>2</mn></mrow></mfrac></mtd></mtr><mtr><mtd style=\"text-align:left\"><mi>x</mi><mspace width=\"0.17em\"></mspace><mi>k</mi><mo>+</mo><mi>m</mi><mspace width=\"0.17em\"></mspace><mover><mi>x</mi><mo scriptlevel=\"0\">¨</mo></mover><mo>=</mo><mi>u</mi></mtd></mtr></mtable></math></div>\n"
)]
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

```text
dq/dt[0] = x'
```

Operations: none.
*/
    pub fn coordinate_rates(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        let [[__v_0, ..]] = &v.data.0;
        __rt::linalg::vector([*__v_0])
    }
    /**The coordinates q moved by the displacement d: q + d, and R exp(d) for a rotation, with d in the turned axes and the quaternion of unit length.

Arguments: `q = [x]`, `d` (1 displacement). Value: a vector of 1.

Operations: 1 add.
*/
    pub fn integrate(
        &self,
        q: &__rt::SVector<S, 1>,
        d: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        let (__q, __d) = (&q.data.0[0], &d.data.0[0]);
        __rt::linalg::vector([__q[0] + __d[0]])
    }
    /**The displacement d for which `integrate(q0, d)` is q1: q1 - q0; of a rotation at most pi long.

Arguments: `q0 = [x]`, `q1 = [x]`. Value: a vector of 1.

Operations: 1 add.
*/
    pub fn difference(
        &self,
        q0: &__rt::SVector<S, 1>,
        q1: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        let (__q0, __q1) = (&q0.data.0[0], &q1.data.0[0]);
        __rt::linalg::vector([__q1[0] - __q0[0]])
    }
    /**The coordinates of zeros and of rotations by nothing.

Arguments: none. Value: a vector of 1.

Operations: none.
*/
    pub fn neutral(&self) -> __rt::SVector<S, 1> {
        __rt::linalg::vector([__rt::math::constant::<S>(0.0)])
    }
    /**The mass matrix M = dp/dv, symmetric.

Arguments: `q = [x]`. Value: a 1 x 1 matrix.

```text
M[0, 0] = m
```

Operations: none.
*/
    pub fn mass_matrix(&self, q: &__rt::SVector<S, 1>) -> __rt::SMatrix<S, 1, 1> {
        __rt::linalg::matrix([[self.m]])
    }
    /**The forcing f = Q - h = dL/dq - (dp/dq) v - dp/dt + Q: M a = f where no constraint acts.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: a vector of 1.

```text
f[0] = u - x*k
```

Operations: 1 add, 1 mul.
*/
    pub fn forcing(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        let [[__q_0, ..]] = &q.data.0;
        let [[__u_0, ..]] = &u.data.0;
        let __t0 = __rt::math::neg_mul_add(*__q_0, self.k, *__u_0);
        __rt::linalg::vector([__t0])
    }
    /**The generalized momenta p = dL/dv.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a vector of 1.

```text
p[0] = m*x'
```

Operations: 1 mul.
*/
    pub fn momenta(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        let [[__v_0, ..]] = &v.data.0;
        let __t0 = self.m * *__v_0;
        __rt::linalg::vector([__t0])
    }
    /**The bias h = (dp/dq) v + dp/dt - dL/dq: M a + h = Q where no constraint acts.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a vector of 1.

```text
h[0] = x*k
```

Operations: 1 mul.
*/
    pub fn bias(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        let [[__q_0, ..]] = &q.data.0;
        let __t0 = *__q_0 * self.k;
        __rt::linalg::vector([__t0])
    }
    /**The generalized forces Q: explicit ones, forces at points, torques and dissipation.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: a vector of 1.

```text
Q[0] = u
```

Operations: none.
*/
    pub fn generalized_forces(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        let [[__u_0, ..]] = &u.data.0;
        __rt::linalg::vector([*__u_0])
    }
    /**The kinetic energy T.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.

```text
T = m*x'^2/2
```

Operations: 3 mul.
*/
    pub fn kinetic_energy(&self, q: &__rt::SVector<S, 1>, v: &__rt::SVector<S, 1>) -> S {
        let [[__v_0, ..]] = &v.data.0;
        let __c0 = __rt::math::constant::<S>(0.5);
        let __t0 = *__v_0 * *__v_0;
        let __t2 = (__c0 * self.m) * __t0;
        __t2
    }
    /**The potential energy V.

Arguments: `q = [x]`. Value: a scalar.

```text
V = x^2*k/2
```

Operations: 3 mul.
*/
    pub fn potential_energy(&self, q: &__rt::SVector<S, 1>) -> S {
        let [[__q_0, ..]] = &q.data.0;
        let __c0 = __rt::math::constant::<S>(0.5);
        let __t2 = (__c0 * (*__q_0 * *__q_0)) * self.k;
        __t2
    }
    /**The Coriolis matrix C of Christoffel symbols, C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k: (dM/dq) v - 2 C is skew.

One of more than 20,000 operations is there only where `#[lagrangian(coriolis_matrix)]` on the struct asks for it.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a 1 x 1 matrix.

```text
C[0, 0] = 0
```

Operations: none.
*/
    pub fn coriolis_matrix(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
    ) -> __rt::SMatrix<S, 1, 1> {
        let __c0 = __rt::math::constant::<S>(0.0);
        __rt::linalg::matrix([[__c0]])
    }
    /**The gradient dV/dq of the potential energy.

Arguments: `q = [x]`. Value: a vector of 1.

```text
dV/dq[0] = x*k
```

Operations: 1 mul.
*/
    pub fn potential_gradient(&self, q: &__rt::SVector<S, 1>) -> __rt::SVector<S, 1> {
        let [[__q_0, ..]] = &q.data.0;
        let __t0 = *__q_0 * self.k;
        __rt::linalg::vector([__t0])
    }
    /**The Lagrangian L.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.

```text
L = (m*x'^2 - x^2*k)/2
```

Operations: 1 add, 5 mul.
*/
    pub fn lagrangian(&self, q: &__rt::SVector<S, 1>, v: &__rt::SVector<S, 1>) -> S {
        let [[__q_0, ..]] = &q.data.0;
        let [[__v_0, ..]] = &v.data.0;
        let __c0 = __rt::math::constant::<S>(0.5);
        let __t1 = self.m * (*__v_0 * *__v_0);
        let __t4 = __c0 * __rt::math::neg_mul_add(*__q_0 * *__q_0, self.k, __t1);
        __t4
    }
    /**The energy T + V; of a system that is given by L, the Jacobi integral p.v - L.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.

```text
E = (m*x'^2 + x^2*k)/2
```

Operations: 1 add, 5 mul.
*/
    pub fn energy(&self, q: &__rt::SVector<S, 1>, v: &__rt::SVector<S, 1>) -> S {
        let [[__q_0, ..]] = &q.data.0;
        let [[__v_0, ..]] = &v.data.0;
        let __c0 = __rt::math::constant::<S>(0.5);
        let __t1 = self.m * (*__v_0 * *__v_0);
        let __t4 = __c0 * __rt::math::mul_add(*__q_0 * *__q_0, self.k, __t1);
        __t4
    }
    /**The Jacobi integral p.v - L.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.

```text
J = (m*x'^2 + x^2*k)/2
```

Operations: 1 add, 5 mul.
*/
    pub fn jacobi_integral(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
    ) -> S {
        self.energy(q, v)
    }
    /**The generalized forces tau = M a + h that the acceleration a asks for.

Arguments: `q = [x]`, `v = [der(x)]`, `a` (1 acceleration). Value: a vector of 1.

```text
tau[0] = x*k + m*x''
```

Operations: 1 add, 2 mul.
*/
    pub fn inverse_dynamics(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        a: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        let [[__a_0, ..]] = &a.data.0;
        let [[__q_0, ..]] = &q.data.0;
        let __t1 = __rt::math::mul_add(self.m, *__a_0, *__q_0 * self.k);
        __rt::linalg::vector([__t1])
    }
    /**The acceleration a = dv/dt without any check, so that it serves SIMD lanes: not finite where it is not determined, inaccurate nearby.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: a vector of 1.

Operations: 1 add, 1 mul, 1 div, factorization included.
*/
    pub fn acceleration_unchecked(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 1> {
        let (__m, __f, __d, __s, __a) = self.__terms(q, v, u);
        let __a = if __rt::linalg::regular_lanes(&__d[..], &__s[..]) {
            __a
        } else {
            let (__a, _) = __rt::linalg::kkt_unchecked_in_place::<
                S,
                1,
                0,
            >(&mut [[__m[0]]], &[], &[__f[0]], &[]);
            __a
        };
        __rt::linalg::vector(__a)
    }
    /**The derivative [dq/dt; a] of the state y = [q; v] by time, without any check, so that it serves SIMD lanes.

Arguments: `y` (2 entries, [q; v]), `u = [u]`. Value: a vector of 2.

Operations: 1 add, 1 mul, 1 div, factorization included.
*/
    pub fn state_derivative_unchecked(
        &self,
        y: &__rt::SVector<S, 2>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 2> {
        let __y = &y.data.0[0];
        let __q = __rt::linalg::vector([__y[0]]);
        let __v = __rt::linalg::vector([__y[1]]);
        let __a = self.acceleration_unchecked(&__q, &__v, u);
        let __a = &__a.data.0[0];
        __rt::linalg::vector([__y[1], __a[0]])
    }
    /**The matrix A = [I 0 0; 0 M -J^T; 0 J 0] of the first-order form A [dq/dt; a; lambda] = b.

Arguments: `q = [x]`. Value: a 2 x 2 matrix.

Operations: none beyond those of `mass_matrix`.
*/
    pub fn mass_matrix_full(&self, q: &__rt::SVector<S, 1>) -> __rt::SMatrix<S, 2, 2> {
        __rt::linalg::matrix_by::<
            S,
            2,
            2,
        >(|__full| {
            for __i in 0..1 {
                __full[__i][__i] = __rt::math::constant::<S>(1.0);
            }
            let __m = &mut self.mass_matrix(q).data.0;
            let __j: &[[S; 1]; 0] = &[];
            for __i in 0..1 {
                for __k in 0..1 {
                    __full[1 + __i][1 + __k] = __m[__i][__k];
                }
            }
        })
    }
    /**The right-hand side b = [dq/dt; f; gamma] of the first-order form A [dq/dt; a; lambda] = b.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: a vector of 2.

Operations: none beyond those of `forcing`.
*/
    pub fn forcing_full(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::SVector<S, 2> {
        let __rates = v;
        let __rates = &__rates.data.0[0];
        let __f = self.forcing(q, v, u);
        let __f = &__f.data.0[0];
        __rt::linalg::vector([__rates[0], __f[0]])
    }
    /**The derivatives of the generalized forces M a + h by the displacement of q and by v; those by a are M.

Arguments: `q = [x]`, `v = [der(x)]`, `a` (1 acceleration). Value: two 1 x 1 matrices.

Operations: none.
*/
    pub fn inverse_dynamics_derivatives(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        a: &__rt::SVector<S, 1>,
    ) -> (__rt::SMatrix<S, 1, 1>, __rt::SMatrix<S, 1, 1>) {
        let __zero = __rt::math::constant::<S>(0.0);
        let mut __dq = [[__zero; 1]; 1];
        let mut __dv = [[__zero; 1]; 1];
        let __c0 = __rt::math::constant::<S>(0.0);
        let [__dq_0, ..] = &mut __dq;
        let [__dq_0_0, ..] = __dq_0;
        *__dq_0_0 = self.k;
        (__rt::linalg::matrix(__dq), __rt::linalg::matrix(__dv))
    }
    /**The derivatives of what the equations of motion leave, f - M a + J^T lambda and gamma - J a, at fixed a and lambda.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`, `motion` (acceleration and multipliers). Value: of the first matrices of 1 x 1 by q, 1 x 1 by v and 1 x 1 by u; of the second matrices of 0 x 1 by q, 0 x 1 by v and 0 x 1 by u. Constraints in the order of `CONSTRAINTS`.

Operations: none beyond those of `inverse_dynamics_derivatives`.
*/
    pub fn equation_derivatives(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
        motion: &__rt::Motion<S, 1, 0>,
    ) -> (__rt::Derivatives<S, 1, 1, 1>, __rt::Derivatives<S, 0, 1, 1>) {
        let (a, l) = (&motion.acceleration, &motion.multipliers);
        let __zero = __rt::math::constant::<S>(0.0);
        let mut __result = (
            __rt::Derivatives {
                q: __rt::linalg::matrix([[__zero; 1]; 1]),
                v: __rt::linalg::matrix([[__zero; 1]; 1]),
                u: __rt::linalg::matrix([[__zero; 1]; 1]),
            },
            __rt::Derivatives {
                q: __rt::linalg::matrix([[__zero; 0]; 1]),
                v: __rt::linalg::matrix([[__zero; 0]; 1]),
                u: __rt::linalg::matrix([[__zero; 0]; 1]),
            },
        );
        let (__forces, __rates) = (&mut __result.0, &mut __result.1);
        let (__fq, __fv, __fu, __gq, __gv) = (
            &mut __forces.q.data.0,
            &mut __forces.v.data.0,
            &mut __forces.u.data.0,
            &mut __rates.q.data.0,
            &mut __rates.v.data.0,
        );
        let __inverse = self.inverse_dynamics_derivatives(q, v, a);
        let (__dq, __dv) = (&__inverse.0.data.0, &__inverse.1.data.0);
        for __j in 0..1 {
            for __i in 0..1 {
                __fq[__j][__i] = -__dq[__j][__i];
                __fv[__j][__i] = -__dv[__j][__i];
            }
        }
        let __c0 = __rt::math::constant::<S>(0.0);
        let __c1 = __rt::math::constant::<S>(1.0);
        let [__fu_0, ..] = &mut *__fu;
        let [__fu_0_0, ..] = __fu_0;
        *__fu_0_0 += __c1;
        __result
    }
    /**The same as `linearize` without any check, so that it serves SIMD lanes: not finite where the acceleration is not determined, inaccurate nearby.

The rows of d are 0 by d and 1 by w; for a rotation of angular velocity w0, -(w0 x) by d.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: A, a 2 x 2 matrix, and B, a 2 x 1 matrix.

Operations: 3 add, 3 mul, 1 div, factorization included.
*/
    pub fn linearize_unchecked(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::Linearization<S, 2, 1> {
        let __zero = __rt::math::constant::<S>(0.0);
        let mut __result = __rt::Linearization {
            a: __rt::linalg::matrix([[__zero; 2]; 2]),
            b: __rt::linalg::matrix([[__zero; 2]; 1]),
        };
        let (__a, __b) = (&mut __result.a.data.0, &mut __result.b.data.0);
        let __regular = {
            let (__by_state, __by_input) = (&mut *__a, &mut *__b);
            let (_, __d, __s, _) = self.__sensitivities(q, v, u, __by_state, __by_input);
            __rt::linalg::regular_lanes(&__d, &__s)
        };
        if !__regular {
            let __m = &mut self.mass_matrix(q).data.0;
            let __j: &[[S; 1]; 0] = &[];
            let motion = &__rt::Motion {
                acceleration: self.acceleration_unchecked(q, v, u),
                multipliers: __rt::linalg::vector([]),
            };
            let mut __derivatives = self.equation_derivatives(q, v, u, motion);
            __rt::linalg::differentiate_unchecked(
                __m,
                __j,
                &mut __derivatives.0,
                &mut __derivatives.1,
            );
            let __d = &__derivatives.0;
            for __j in 0..1 {
                for __i in 0..1 {
                    __a[__j][1 + __i] = __d.q.data.0[__j][__i];
                    __a[1 + __j][1 + __i] = __d.v.data.0[__j][__i];
                }
            }
            for __j in 0..1 {
                for __i in 0..1 {
                    __b[__j][1 + __i] = __d.u.data.0[__j][__i];
                }
            }
        }
        let __one = __rt::math::constant::<S>(1.0);
        for __j in 0..1 {
            __a[1 + __j][__j] = __one;
        }
        __result
    }
    #[inline(always)]
    ///The lower triangle of M and f. The pivots of M, its diagonal, and a.
    fn __terms(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> ([S; 1], [S; 1], [S; 1], [S; 1], [S; 1]) {
        let [[__q_0, ..]] = &q.data.0;
        let [[__u_0, ..]] = &u.data.0;
        let __t0 = __rt::math::neg_mul_add(*__q_0, self.k, *__u_0);
        let __t1 = __t0 / self.m;
        ([self.m], [__t0], [self.m], [self.m], [__t1])
    }
    #[inline(always)]
    ///Writes what the derivatives of a and lambda are made of, or these, to columns by q and v, and by u, that hold zeros, below as many rows as there are velocities, with constraints those of lambda to columns of their own. Returned is what they are solved for and judged by.
    fn __sensitivities(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
        __by_state: &mut [[S; 2]; 2],
        __by_input: &mut [[S; 2]; 1],
    ) -> ([S; 1], [S; 1], [S; 1], [S; 1]) {
        let [[__q_0, ..]] = &q.data.0;
        let [[__u_0, ..]] = &u.data.0;
        let __c0 = __rt::math::constant::<S>(0.0);
        let __t0 = __rt::math::neg_mul_add(*__q_0, self.k, *__u_0);
        let __t1 = __rt::math::recip(self.m);
        let __t2 = __t1 * __t0;
        let __t4 = -(__t1 * self.k);
        let __t5 = __t4 + __t1;
        let [__by_state_0, ..] = &mut *__by_state;
        let [_, __by_state_0_1, ..] = __by_state_0;
        *__by_state_0_1 = __t4;
        let [__by_input_0, ..] = &mut *__by_input;
        let [_, __by_input_0_1, ..] = __by_input_0;
        *__by_input_0_1 = __t1;
        ([__t5], [self.m], [self.m], [__t2])
    }
    /// The force of the spring [N].
    /**
The output `tension`.

Arguments: `q = [x]`. Value: a scalar.

```text
tension = x*k
```

Operations: 1 mul.
*/
    pub fn tension(&self, q: &__rt::SVector<S, 1>) -> S {
        let [[__q_0, ..]] = &q.data.0;
        let __t0 = *__q_0 * self.k;
        __t0
    }
    /**The Jacobian J = dtension/dq of the output `tension`, one row for each entry.

Arguments: `q = [x]`. Value: a 1 x 1 matrix.

```text
dtension/dq[0, 0] = k
```

Operations: none.
*/
    pub fn tension_jacobian(&self, q: &__rt::SVector<S, 1>) -> __rt::SMatrix<S, 1, 1> {
        __rt::linalg::matrix([[self.k]])
    }
    /**The rate dtension/dt = J v of the output `tension`.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.

```text
dtension/dt = k*x'
```

Operations: 1 mul.
*/
    pub fn tension_rate(&self, q: &__rt::SVector<S, 1>, v: &__rt::SVector<S, 1>) -> S {
        let [[__v_0, ..]] = &v.data.0;
        let __t0 = self.k * *__v_0;
        __t0
    }
    /**The rate of `tension_rate` at a = 0: along any motion its rate is J a + this bias, with J of `tension_jacobian`.

Arguments: `q = [x]`, `v = [der(x)]`. Value: a scalar.

```text
tension_bias = 0
```

Operations: none.
*/
    pub fn tension_bias(&self, q: &__rt::SVector<S, 1>, v: &__rt::SVector<S, 1>) -> S {
        let __c0 = __rt::math::constant::<S>(0.0);
        __c0
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

Operations: 1 add, 1 mul, 1 div, factorization included.

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
        if __rt::linalg::APART {
            let (ref __m, ref __f, ref __d, ref __s, ref __a) = self.__terms(q, v, u);
            if __rt::linalg::is_trusted(
                __rt::linalg::Pivots {
                    entries: [__d[0]],
                    reduced: [],
                    diagonal: [],
                },
                [v.data.0[0][0], __a[0]],
            ) {
                return __rt::core::result::Result::Ok(__rt::linalg::vector(*__a));
            }
        }
        let __a = &self.__careful(q, v, u)?;
        __rt::core::result::Result::Ok(__rt::linalg::vector(*__a))
    }
    /**The acceleration a and the constraint multipliers lambda: M a = f + J^T lambda, J a = gamma.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: the acceleration, a vector of 1, and the multipliers, a vector of 0. Constraints in the order of `CONSTRAINTS`.

Operations: 1 add, 1 mul, 1 div, factorization included.

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
        let __a = self.acceleration(q, v, u)?;
        __rt::core::result::Result::Ok(__rt::Motion {
            acceleration: __a,
            multipliers: __rt::linalg::vector([]),
        })
    }
    /**The derivative [dq/dt; a] of the state y = [q; v] by time.

Arguments: `y` (2 entries, [q; v]), `u = [u]`. Value: a vector of 2.

Operations: 1 add, 1 mul, 1 div, factorization included.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn state_derivative(
        &self,
        y: &__rt::SVector<S, 2>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::SVector<S, 2>, __rt::Error> {
        let __y = &y.data.0[0];
        let __q = __rt::linalg::vector([__y[0]]);
        let __v = __rt::linalg::vector([__y[1]]);
        let __a = self.acceleration(&__q, &__v, u).map_err(__rt::Error::of_state)?;
        let __a = &__a.data.0[0];
        __rt::core::result::Result::Ok(__rt::linalg::vector([__y[1], __a[0]]))
    }
    /**Writes the derivative [dq/dt; a] of the state y = [q; v] to `dy`: the form that integrators on arrays take. On an error `dy` is left as it was.

Arguments: `t` (time), `y` (2 entries, [q; v]), `u = [u]`, `dy` (2 entries, [dq/dt; a]). Value: nothing.

Operations: 1 add, 1 mul, 1 div, factorization included.

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
        __rt::linalg::check_finite(&[("t", &[t])])?;
        let __y = y;
        let __u = __rt::linalg::vector(*u);
        let __q = __rt::linalg::vector([__y[0]]);
        let __v = __rt::linalg::vector([__y[1]]);
        let __a = self.acceleration(&__q, &__v, &__u).map_err(__rt::Error::of_state)?;
        let __a = &__a.data.0[0];
        *dy = [__y[1], __a[0]];
        __rt::core::result::Result::Ok(())
    }
    /**The derivatives of the acceleration, of the constrained one if there are constraints, by the displacement of q, by v and by u.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: matrices of 1 x 1 by q, 1 x 1 by v and 1 x 1 by u.

Operations: 3 add, 3 mul, 1 div, factorization included.

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
        let __zero = __rt::math::constant::<S>(0.0);
        let (mut __a, mut __b) = ([[__zero; 2]; 2], [[__zero; 2]; 1]);
        if self.__linearized(q, v, u, &mut __a, &mut __b) {
            let (mut __q, mut __v, mut __u) = (
                [[__zero; 1]; 1],
                [[__zero; 1]; 1],
                [[__zero; 1]; 1],
            );
            for __j in 0..1 {
                for __i in 0..1 {
                    __q[__j][__i] = __a[__j][1 + __i];
                    __v[__j][__i] = __a[1 + __j][1 + __i];
                }
            }
            for __j in 0..1 {
                for __i in 0..1 {
                    __u[__j][__i] = __b[__j][1 + __i];
                }
            }
            return __rt::core::result::Result::Ok(__rt::Derivatives {
                q: __rt::linalg::matrix(__q),
                v: __rt::linalg::matrix(__v),
                u: __rt::linalg::matrix(__u),
            });
        }
        let (__forces, _) = self.__differentiated(q, v, u)?;
        __rt::core::result::Result::Ok(__forces)
    }
    /**The motion of neighbours to first order: the displacement d of q and the change w of v obey d/dt [d; w] = A [d; w] + B du.

The rows of d are 0 by d and 1 by w; for a rotation of angular velocity w0, -(w0 x) by d.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`. Value: A, a 2 x 2 matrix, and B, a 2 x 1 matrix.

Operations: 3 add, 3 mul, 1 div, factorization included.

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
        let __zero = __rt::math::constant::<S>(0.0);
        let mut __result = __rt::core::result::Result::Ok(__rt::Linearization {
            a: __rt::linalg::matrix([[__zero; 2]; 2]),
            b: __rt::linalg::matrix([[__zero; 2]; 1]),
        });
        if let __rt::core::result::Result::Ok(__place) = &mut __result {
            let (__a, __b) = (&mut __place.a.data.0, &mut __place.b.data.0);
            if !self.__linearized(q, v, u, __a, __b) {
                let (__d, _) = self.__differentiated(q, v, u)?;
                for __j in 0..1 {
                    for __i in 0..1 {
                        __a[__j][1 + __i] = __d.q.data.0[__j][__i];
                        __a[1 + __j][1 + __i] = __d.v.data.0[__j][__i];
                    }
                }
                for __j in 0..1 {
                    for __i in 0..1 {
                        __b[__j][1 + __i] = __d.u.data.0[__j][__i];
                    }
                }
            }
            let __one = __rt::math::constant::<S>(1.0);
            for __j in 0..1 {
                __a[1 + __j][__j] = __one;
            }
        }
        __result
    }
    /**The derivatives w^T da of one weighted sum of the accelerations by the displacement of q, by v and by u.

By one adjoint solution and one reverse sweep over the equations of motion.

Arguments: `q = [x]`, `v = [der(x)]`, `u = [u]`, `w` (1 weight). Value: vectors of 1 by q, 1 by v and 1 by u.

Operations: 1 add, 4 mul, 1 div, factorization included.

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
        if !(__rt::linalg::all_finite(&w.data.0[0])) {
            return __rt::core::result::Result::Err(
                __rt::linalg::first_not_finite(
                    &[
                        ("q", &q.data.0[0]),
                        ("v", &v.data.0[0]),
                        ("u", &u.data.0[0]),
                        ("w", &w.data.0[0]),
                    ],
                ),
            );
        }
        let (__d, __s, __a, __by_q, __by_v, __by_u) = {
            let y = w;
            let [[__q_0, ..]] = &q.data.0;
            let [[__u_0, ..]] = &u.data.0;
            let [[__y_0, ..]] = &y.data.0;
            let __c0 = __rt::math::constant::<S>(0.0);
            let __t0 = __rt::math::neg_mul_add(*__q_0, self.k, *__u_0);
            let __t1 = __rt::math::recip(self.m);
            let __t2 = __t1 * __t0;
            let __t3 = __t1 * *__y_0;
            let __t4 = self.k * __t3;
            (
                [self.m],
                [self.m],
                [__t2],
                -__rt::linalg::vector([__t4]),
                -__rt::linalg::vector([__c0]),
                __rt::linalg::vector([__t3]),
            )
        };
        if __rt::linalg::are_finite(&[&q.data.0[0], &v.data.0[0], &u.data.0[0]])
            && __rt::linalg::is_trusted(
                __rt::linalg::Pivots {
                    entries: [__d[0]],
                    reduced: [],
                    diagonal: [],
                },
                __a,
            )
            && __rt::linalg::are_finite(
                &[&__by_q.data.0[0], &__by_v.data.0[0], &__by_u.data.0[0]],
            )
        {
            return __rt::core::result::Result::Ok(__rt::Gradient {
                q: __by_q,
                v: __by_v,
                u: __by_u,
            });
        }
        let __d = self.acceleration_derivatives(q, v, u)?;
        __rt::linalg::weighted(&__d, &w.data.0[0])
            .map_err(|__error| self.__blame(__error))
    }
    /**The velocities v of the momenta p, from M v = p - p0 with p0 the momenta at rest.

Arguments: `q = [x]`, `p` (1 momentum). Value: a vector of 1.

Operations: 1 div beyond those of `mass_matrix`.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn velocity(
        &self,
        q: &__rt::SVector<S, 1>,
        p: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::SVector<S, 1>, __rt::Error> {
        __rt::linalg::check_finite(&[("q", &q.data.0[0]), ("p", &p.data.0[0])])?;
        let mut __m = self.mass_matrix(q);
        let __m = &mut __m.data.0;
        let (__d, __s, __a) = {
            let [[__p_0, ..]] = &p.data.0;
            let [[__m_0_0, ..], ..] = &*__m;
            let __t0 = *__p_0 / *__m_0_0;
            ([*__m_0_0], [*__m_0_0], [__t0])
        };
        if __rt::linalg::is_trusted(
            __rt::linalg::Pivots {
                entries: [__d[0]],
                reduced: [],
                diagonal: [],
            },
            __a,
        ) {
            return __rt::core::result::Result::Ok(__rt::linalg::vector(__a));
        }
        let __a = __rt::linalg::solve_in_place(__m, &p.data.0[0])
            .map_err(|__error| self.__blame(__error))?;
        __rt::core::result::Result::Ok(__rt::linalg::vector(__a))
    }
    /**The Hamiltonian H = p.v - L, with v the velocities of the momenta p.

Arguments: `q = [x]`, `p` (1 momentum). Value: a scalar.

Operations: none beyond those of `velocity`, `lagrangian` and a product of vectors.

# Errors

- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite;
- `SingularMassMatrix`: M is singular at this state, to working precision.
*/
    pub fn hamiltonian(
        &self,
        q: &__rt::SVector<S, 1>,
        p: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<S, __rt::Error> {
        let __velocity = self.velocity(q, p)?;
        let v = &__velocity;
        let (__p, __v) = (&p.data.0[0], &v.data.0[0]);
        let mut __h = -self.lagrangian(q, v);
        for __i in 0..1 {
            __h = __rt::math::mul_add(__p[__i], __v[__i], __h);
        }
        if !(__rt::linalg::all_finite(&[__h])) {
            return __rt::core::result::Result::Err(
                self.__blame(__rt::Error::NOT_FINITE),
            );
        }
        __rt::core::result::Result::Ok(__h)
    }
    /**The rates of the coordinates q and of the momenta p: Hamilton's equations, with all forces.

dq/dt = dH/dp, and dp/dt = -dH/dq + Q; less w x p for a rotation of angular velocity w.

Arguments: `q = [x]`, `p` (1 momentum), `u = [u]`. Value: two vectors of 1 and 1.

Operations: 1 add, 1 mul beyond those of `velocity`.

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
        if !(__rt::linalg::all_finite(&u.data.0[0])) {
            return __rt::core::result::Result::Err(
                __rt::linalg::first_not_finite(
                    &[("q", &q.data.0[0]), ("p", &p.data.0[0]), ("u", &u.data.0[0])],
                ),
            );
        }
        let __velocity = self.velocity(q, p)?;
        let v = &__velocity;
        let (__rates, __forces): ([S; 1], [S; 1]) = {
            let [[__q_0, ..]] = &q.data.0;
            let [[__u_0, ..]] = &u.data.0;
            let [[__v_0, ..]] = &v.data.0;
            let __t0 = __rt::math::neg_mul_add(*__q_0, self.k, *__u_0);
            ([*__v_0], [__t0])
        };
        if !(__rt::linalg::all_finite(&__rates) && __rt::linalg::all_finite(&__forces)) {
            return __rt::core::result::Result::Err(
                self.__blame(__rt::Error::NOT_FINITE),
            );
        }
        __rt::core::result::Result::Ok((
            __rt::linalg::vector(__rates),
            __rt::linalg::vector(__forces),
        ))
    }
    #[cold]
    #[inline(never)]
    ///The solution where the quick one cannot be trusted.
    fn __careful(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<[S; 1], __rt::Error> {
        let (ref __m, ref __f, ref __d, ref __s, ref __a) = self.__terms(q, v, u);
        if !__rt::linalg::APART
            && __rt::linalg::is_trusted(
                __rt::linalg::Pivots {
                    entries: [__d[0]],
                    reduced: [],
                    diagonal: [],
                },
                [v.data.0[0][0], __a[0]],
            )
        {
            return __rt::core::result::Result::Ok(*__a);
        }
        __rt::linalg::check_finite(
            &[("q", &q.data.0[0]), ("v", &v.data.0[0]), ("u", &u.data.0[0])],
        )?;
        __rt::linalg::solve_in_place(&mut [[__m[0]]], &[__f[0]])
            .map_err(|__error| self.__blame(__error))
    }
    #[inline(always)]
    ///Writes the derivatives of a to columns by q and v, and by u, that hold zeros, below as many rows as there are velocities, with constraints those of lambda to columns of their own; whether they can be trusted.
    fn __linearized(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
        __by_state: &mut [[S; 2]; 2],
        __by_input: &mut [[S; 2]; 1],
    ) -> __rt::core::primitive::bool {
        let (__z, __d, __s, __a) = self.__sensitivities(q, v, u, __by_state, __by_input);
        __rt::linalg::are_finite(&[&q.data.0[0], &v.data.0[0], &u.data.0[0]])
            && __rt::linalg::is_trusted(
                __rt::linalg::Pivots {
                    entries: [__d[0]],
                    reduced: [],
                    diagonal: [],
                },
                __a,
            ) && (__rt::linalg::all_finite(&__z))
    }
    #[cold]
    ///The derivatives of a and of lambda by careful solutions for each column.
    fn __differentiated(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<
        (__rt::Derivatives<S, 1, 1, 1>, __rt::Derivatives<S, 0, 1, 1>),
        __rt::Error,
    > {
        let motion = self.solve(q, v, u)?;
        let motion = &motion;
        let mut __derivatives = self.equation_derivatives(q, v, u, motion);
        let __m = &mut self.mass_matrix(q).data.0;
        let __j: &[[S; 1]; 0] = &[];
        __rt::linalg::differentiate(__m, __j, &mut __derivatives.0, &mut __derivatives.1)
            .map_err(|__error| self.__blame(__error))?;
        __rt::core::result::Result::Ok(__derivatives)
    }
    #[cold]
    #[inline(never)]
    ///What to blame for an error of finite arguments.
    fn __blame(&self, __error: __rt::Error) -> __rt::Error {
        __rt::linalg::blame::<S>(__error, &[(&[self.m, self.k], &["self.m", "self.k"])])
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
    pub const CONSTANT_MASS_MATRIX: __rt::core::primitive::bool = true;
    ///The energies and the equations of motion, written out: M a + h = Q, with J^T lambda on the right and the constraints below where there are any; of a long system the energies and constraints, and the general form.
    pub const EQUATIONS: __rt::Equations = __rt::Equations {
        text: "T = m*x'^2/2\nV = x^2*k/2\nu = x*k + m*x''\n",
        latex: "T &= \\frac{m {\\dot{x}}^{2}}{2} \\\\\nV &= \\frac{{x}^{2} k}{2} \\\\\nx k + m \\ddot{x} &= u",
    };
    ///The same as a `math` element of HTML, which browsers draw; of a long system the general form.
    pub const EQUATIONS_MATHML: &'static __rt::core::primitive::str = "<math display=\"block\"><mtable displaystyle=\"true\"><mtr><mtd style=\"text-align:left\"><mi>T</mi><mo>=</mo><mfrac><mrow><mi>m</mi><mspace width=\"0.17em\"></mspace><msup><mrow><mover><mi>x</mi><mo scriptlevel=\"0\">˙</mo></mover></mrow><mn>2</mn></msup></mrow><mrow><mn>2</mn></mrow></mfrac></mtd></mtr><mtr><mtd style=\"text-align:left\"><mi>V</mi><mo>=</mo><mfrac><mrow><msup><mrow><mi>x</mi></mrow><mn>2</mn></msup><mspace width=\"0.17em\"></mspace><mi>k</mi></mrow><mrow><mn>2</mn></mrow></mfrac></mtd></mtr><mtr><mtd style=\"text-align:left\"><mi>x</mi><mspace width=\"0.17em\"></mspace><mi>k</mi><mo>+</mo><mi>m</mi><mspace width=\"0.17em\"></mspace><mover><mi>x</mi><mo scriptlevel=\"0\">¨</mo></mover><mo>=</mo><mi>u</mi></mtd></mtr></mtable></math>";
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
    #[cfg(not(rust_analyzer))]
    #[no_implicit_prelude]
    #[allow(dead_code)]
    mod unused {
        struct __Value;
        #[allow(non_snake_case, clippy::all, clippy::pedantic)]
        fn names() {
            let damping = __Value;
        }
    }
    #[cfg(rust_analyzer)]
    #[allow(unused)]
    fn in_rust<
        S: ::lagrangian::__private::SimdRealField
            + ::lagrangian::__private::core::marker::Copy,
    >(system: &Oscillator<S>) {
        &system.k;
        &system.m;
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
