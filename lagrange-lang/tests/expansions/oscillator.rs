#[derive(Clone, Debug)]
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
    pub m: S,
    pub k: S,
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
    clippy::same_name_method,
    rustdoc::broken_intra_doc_links
)]
impl<S: __rt::SimdRealField + __rt::core::marker::Copy> __Own<S> {
    #[allow(rustdoc::broken_intra_doc_links)]
    #[must_use]
    pub fn new(m: S) -> Self {
        Self {
            m: m,
            k: __rt::math::constant::<S>(100.0),
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
    clippy::same_name_method,
    rustdoc::broken_intra_doc_links
)]
impl<S: __rt::SimdRealField + __rt::core::marker::Copy> __Own<S> {
    pub fn mass_matrix(&self, q: &__rt::SVector<S, 1>) -> __rt::SMatrix<S, 1, 1> {
        __rt::linalg::matrix([[self.m]])
    }
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
    pub fn tension(&self, q: &__rt::SVector<S, 1>) -> S {
        let [[__q_0, ..]] = &q.data.0;
        let __t0 = *__q_0 * self.k;
        __t0
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
    clippy::same_name_method,
    rustdoc::broken_intra_doc_links
)]
impl<S: __rt::RealField + __rt::core::marker::Copy> __Own<S> {
    pub fn acceleration(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::SVector<S, 1>, __rt::Error> {
        let (__x2, __x12) = {
            let [[__q_0, ..]] = &q.data.0;
            let [[__u_0, ..]] = &u.data.0;
            let __t1 = __rt::math::neg_mul_add(*__q_0, self.k, *__u_0) / self.m;
            ([self.m], [__t1])
        };
        if __rt::linalg::AcceptanceTest::of_mass(
                __rt::linalg::Pivots {
                    entries: __x2,
                    reduced: [],
                    diagonal: [],
                },
                [v.data.0[0][0], __x12[0]],
            )
            .accepts()
        {
            return __rt::core::result::Result::Ok(__rt::linalg::vector(__x12));
        }
        let __s1 = self.__pivoted(q, v, u)?;
        __rt::core::result::Result::Ok(__s1)
    }
    pub fn solve(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::Motion<S, 1, 0>, __rt::Error> {
        let __r0 = self.acceleration(q, v, u)?;
        __rt::core::result::Result::Ok(__rt::Motion {
            acceleration: __r0,
            multipliers: __rt::linalg::vector([]),
        })
    }
    pub fn rhs(
        &self,
        t: S,
        y: &[S; 2],
        u: &[S; 1],
        dy: &mut [S; 2],
    ) -> __rt::core::result::Result<(), __rt::Error> {
        __rt::linalg::check_finite(&[("t", &[t])])?;
        let __s1 = self
            .acceleration(
                &__rt::linalg::vector([y[0]]),
                &__rt::linalg::vector([y[1]]),
                &__rt::linalg::vector(*u),
            )
            .map_err(__rt::Error::of_state)?;
        *dy = [y[1], __s1.data.0[0][0]];
        __rt::core::result::Result::Ok(())
    }
    pub fn linearize(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::Linearization<S, 2, 1>, __rt::Error> {
        let mut __result = __rt::core::result::Result::Ok(__rt::Linearization {
            a: __rt::linalg::matrix([[__rt::math::constant::<S>(0.0); 2]; 2]),
            b: __rt::linalg::matrix([[__rt::math::constant::<S>(0.0); 2]; 1]),
        });
        if let __rt::core::result::Result::Ok(__value) = &mut __result {
            let __r0 = &mut __value.a.data.0;
            let __r1 = &mut __value.b.data.0;
            self.__linearized(q, v, u, __r0, __r1)?;
            for __i in 0..1 {
                __r0[1 + __i][__i] = __rt::math::constant::<S>(1.0);
            }
        }
        __result
    }
    #[cold]
    #[inline(never)]
    fn __pivoted(
        &self,
        q: &__rt::SVector<S, 1>,
        v: &__rt::SVector<S, 1>,
        u: &__rt::SVector<S, 1>,
    ) -> __rt::core::result::Result<__rt::SVector<S, 1>, __rt::Error> {
        if !(__rt::linalg::are_finite(&[&q.data.0[0], &v.data.0[0], &u.data.0[0]])) {
            return __rt::core::result::Result::Err(
                __rt::linalg::first_not_finite(
                    &[("q", &q.data.0[0]), ("v", &v.data.0[0]), ("u", &u.data.0[0])],
                ),
            );
        }
        let mut __x0 = self.mass_matrix(q);
        let __x2 = self.forcing(q, v, u);
        let __r0 = __rt::linalg::solve_in_place(&mut __x0.data.0, &__x2.data.0[0])
            .map_err(|__error| self.__blame(__error))?;
        __rt::core::result::Result::Ok(__rt::linalg::vector(__r0))
    }
}
