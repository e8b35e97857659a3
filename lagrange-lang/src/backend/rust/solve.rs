//! The methods around the solution of `M a = f`, or of `M a = f + J^T lambda` and `J a = gamma`.
//!
//! ```text
//! pub fn acceleration(&self, q, v, u) -> Result<SVector<S, 2>, Error> {
//!     let (_, _, ref __d, ref __s, ref __a) = self.__terms(q, v, u);
//!     if APART && is_trusted(Pivots { .. }, [q[0], __a[0], __a[1]]) { return Ok(*__a); }
//!     self.__careful(q, v, u)
//! }
//!
//! fn __careful(&self, q, v, u) -> Result<[S; 2], Error> {
//!     let (ref __m, ref __f, ..) = self.__terms(q, v, u);
//!     if !APART && is_trusted(..) { return Ok(*__a); }
//!     check_finite(&[("q", q), ("v", v), ("u", u)])?;
//!     solve_in_place(&mut [[__m[0], __m[1]], [__m[1], __m[2]]], &[__f[0], __f[1]])
//!         .map_err(|__error| self.__blame(__error))
//! }
//! ```
//!
//! One sum tells that the result is finite, and those arguments that do not show in it, as a cyclic coordinate does not
//! (`hidden.rs`). The sizes of angles are asked for here, so that no call of the library stands in the midst of the quick way.
//! Where it is short the careful way computes its terms anew, so that nothing is kept for it; else it is a
//! part of the method, and what it takes is put together where it begins: what only that way reads need not be in memory
//! before. Where M and J are large they are declared in a call of their own, which keeps the frame small.
//!
//! With constraints `solve` is the one that does this, asks whether `J a = gamma` holds too, and ends with
//! `kkt_after`. Lanes do the same without an error: where a pivot of any lane is too small, all of
//! them take the way with pivoting.

use lagrange_engine::lower_triangle;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::acceptance_test::all_regular;
use super::assembly::{arguments, blamed, call, finite, local, ok, vector, vector_of};
use super::context::Context;
use super::function::{Code, Definition, Details, Function};
use super::parts::Part;
use super::sensitivities::Sensitivities;
use super::skeleton::Skeleton;
use super::terms::Terms;
use crate::generated::CAREFUL;
use crate::methods::Layout;

/// Bodies for everything that needs accelerations.
pub(super) struct Solver {
    terms: Terms,
    pub(super) sensitivities: Sensitivities,
}

impl Solver {
    pub(super) fn new(context: &Context) -> Self {
        let terms = Terms::new(context);
        let sensitivities = Sensitivities::new(context, &terms);
        Solver {
            terms,
            sensitivities,
        }
    }

    /// The private methods that the others call.
    pub(super) fn into_shared(self, skeleton: &Skeleton) -> Vec<Function> {
        let careful = self.terms.is_apart.then(|| self.careful_method(skeleton));
        let linearized = self.sensitivities.linearized.into_iter();
        let linearized = linearized.flat_map(|linearized| linearized.functions);
        let functions = self.terms.functions.into_iter().chain(careful);
        functions.chain(linearized).collect()
    }

    /// A body that costs a solution, around which nothing is computed.
    pub(super) fn definition(&self, body: TokenStream, layout: &Layout) -> Definition {
        Definition {
            body: body.into(),
            details: Details {
                operations: self.terms.operations,
                beyond: beyond(self.terms.unrolled, layout),
                ..Details::default()
            },
        }
    }

    /// The quick solution where it can be trusted, else the careful one.
    ///
    /// ```text
    /// let (ref __m, ref __f, ref __j, ref __g, ref __d, ref __s, ref __r, ref __w, ..) = self.__terms(q, v, u);
    /// if is_trusted_motion(Pivots { .. }, Pivots { .. }, __r, __w, [__a[1]], [q[0]]) {
    ///     return Ok(Motion { acceleration: *__a, multipliers: *__l });
    /// }
    /// check_finite(&[("q", q), ("v", v), ("u", u)])?;
    /// let __attempt = Attempt { is_regular: all_regular(&__d[..], &__s[..], 2), solution: (*__a, *__l), .. };
    /// let (__a, __l) = kkt_after(&mut [[__m[0], __m[1]], ..], &[..], &[..], &[..], &__attempt)?;
    /// ```
    fn checked(&self, layout: &Layout) -> TokenStream {
        let [acceleration, multipliers] = [quote!(*__a), quote!(*__l)].map(vector_of);
        let (result, locals) = if layout.constraints > 0 {
            let motion = quote! {
                __rt::Motion { acceleration: #acceleration, multipliers: #multipliers }
            };
            (ok(motion), quote!((__a, __l)))
        } else {
            (ok(acceleration), quote!(__a))
        };
        // By value all of them would be copied before the first is looked at, unless `__terms` is in line.
        let bindings = self.bindings(layout, [true, true], |_, variable| quote!(ref #variable));
        let bindings = self.terms.unrolled.then_some(bindings);
        let trust = &self.terms.trust;
        let attempt = self.terms.unrolled;
        let attempt = attempt.then(|| trust.returned(layout, &result, None, true));
        if self.terms.is_apart {
            let call = call(CAREFUL, layout);
            return quote! {
                if __rt::linalg::APART {
                    #bindings
                    #attempt
                }
                let #locals = &#call?;
                #result
            };
        }
        let careful = self.careful(&locals, layout);
        quote! {
            #bindings
            #attempt
            #careful
            #result
        }
    }

    /// The careful way by itself, and where code shall be short the quick one before it.
    fn careful_method(&self, skeleton: &Skeleton) -> Function {
        let layout = &skeleton.layout;
        let bindings = self.bindings(layout, [true, false], |_, variable| quote!(ref #variable));
        let finite = finite(&arguments(layout));
        let (attempted, solution) = (self.attempted(layout), self.careful_solution(layout));
        let blamed = blamed();
        let (n, c) = (layout.velocities, layout.constraints);
        let (value, found) = if c > 0 {
            (format!("([S; {n}], [S; {c}])"), quote!((*__a, *__l)))
        } else {
            (format!("[S; {n}]"), quote!(*__a))
        };
        let when = quote!(!__rt::linalg::APART);
        let trust = &self.terms.trust;
        let attempt = trust.returned(layout, &ok(found), Some(when), false);
        Function {
            attributes: "#[cold] #[inline(never)] ".into(),
            visibility: Code::NONE,
            docs: "The solution where the quick one cannot be trusted.".to_owned(),
            name: CAREFUL.into(),
            generics: "",
            arguments: arguments(layout),
            places: String::new(),
            returned: format!("__rt::core::result::Result<{value}, __rt::Error>"),
            real: true,
            body: quote!(#bindings #attempt #finite #attempted #solution #blamed).into(),
        }
    }

    /// `let (__a, __l) = ..;` by the careful way.
    fn careful(&self, locals: &TokenStream, layout: &Layout) -> TokenStream {
        let finite = finite(&arguments(layout));
        let bindings = self.bindings(layout, [true, false], |_, variable| quote!(ref #variable));
        let bindings = (!self.terms.unrolled).then_some(bindings);
        let places = self.places(layout);
        let (attempted, solution) = (self.attempted(layout), self.careful_solution(layout));
        let blamed = blamed();
        if self.has_matrices_apart() {
            // M and J would be a part of the frame of the quick way. The attempt is put together outside: what it is made
            // of would be in memory on the quick way too, if it were read from within.
            return quote! {
                #attempted
                let #locals = &__rt::linalg::apart(|| {
                    #finite
                    #places
                    #solution #blamed
                })?;
            };
        }
        quote! {
            #finite
            #bindings
            #places
            #attempted
            let #locals = &#solution #blamed?;
        }
    }

    /// The careful way of the runtime, from what `__terms` returned, and from `__attempt` where there is one.
    fn careful_solution(&self, layout: &Layout) -> TokenStream {
        match (self.has_attempt(layout), layout.constraints > 0) {
            (true, _) => self.with_pivoting("kkt_after", quote!(&__attempt), layout),
            (false, true) => self.with_pivoting("kkt_in_place", None, layout),
            (false, false) => self.with_pivoting("solve_in_place", None, layout),
        }
    }

    /// Whether M and J, which only the careful way needs, are declared in a call of their own.
    fn has_matrices_apart(&self) -> bool {
        self.terms.unrolled && self.terms.in_place
    }

    /// Whether the careful way goes on with the factors of a solution that was not good enough.
    fn has_attempt(&self, layout: &Layout) -> bool {
        self.terms.unrolled && self.terms.is_whole && layout.constraints > 0
    }

    fn unchecked(&self, layout: &Layout) -> TokenStream {
        let acceleration = vector_of(quote!(__a));
        let bindings = self.bindings(layout, [false, false], |part, variable| match part {
            Part::Residual | Part::Terms | Part::Lower | Part::Weights | Part::Multipliers => {
                quote!(_)
            }
            _ => quote!(#variable),
        });
        let places = self.places(layout);
        let solution = if layout.constraints > 0 {
            self.with_pivoting("kkt_unchecked_in_place", None, layout)
        } else {
            let n = Literal::usize_unsuffixed(layout.velocities);
            let [matrix, forcing, ..] = self.equations(layout);
            quote!(__rt::linalg::kkt_unchecked_in_place::<S, #n, 0>(#matrix, &[], #forcing, &[]))
        };
        let careful = if self.has_matrices_apart() {
            quote! {{
                let (__a, _) = __rt::linalg::apart(|| {
                    #places
                    #solution
                });
                __a
            }}
        } else {
            quote! {{
                #places
                let (__a, _) = #solution;
                __a
            }}
        };
        // The careful way must not write to the place of the result: that would then be in memory on the quick way too,
        // written entry by entry and copied as a whole right after, which processors cannot forward.
        let chosen = if self.terms.unrolled {
            quote!(if __rt::linalg::regular_lanes(&__d[..], &__s[..]) { __a } else #careful)
        } else {
            careful
        };
        quote! {
            #bindings
            let __a = #chosen;
            #acceleration
        }
    }

    /// What `__terms` returns, if it exists, each of its results by the pattern that it is bound to.
    fn bindings(
        &self,
        layout: &Layout,
        chosen: [bool; 2],
        pattern: impl Fn(Part, Ident) -> TokenStream,
    ) -> Option<TokenStream> {
        let unrolled = self.terms.unrolled;
        let exists = unrolled || !self.terms.in_place;
        let pattern = |part: Part| {
            let variable = part.local();
            match part {
                _ if unrolled => pattern(part, variable),
                // Only a matrix that is handed over as it is has to be mutable.
                Part::Mass => quote!(mut #variable),
                _ => quote!(#variable),
            }
        };
        exists.then(|| self.terms.binding(layout, chosen, pattern))
    }

    /// M, f, J and gamma of a large system.
    fn places(&self, layout: &Layout) -> Option<TokenStream> {
        let in_place = self.terms.in_place;
        in_place.then(|| self.terms.placing(layout))
    }

    /// `__rt::linalg::kkt_in_place(&mut __m, &__j, &__f, &__g)`, without constraints of M and f alone, and
    /// what else the function takes.
    fn with_pivoting(
        &self,
        function: &str,
        rest: impl Into<Option<TokenStream>>,
        layout: &Layout,
    ) -> TokenStream {
        let function = local(function);
        let [matrix, forcing, jacobian, gamma] = self.equations(layout);
        let rest = rest.into().into_iter();
        if layout.constraints > 0 {
            quote!(__rt::linalg::#function(#matrix, #jacobian, #forcing, #gamma #(, #rest)*))
        } else {
            quote!(__rt::linalg::#function(#matrix, #forcing))
        }
    }

    /// `let __attempt = ..;`: the factors and the solution that were not good enough, where the careful way goes on with
    /// them.
    fn attempted(&self, layout: &Layout) -> Option<TokenStream> {
        self.has_attempt(layout).then(|| self.attempt(layout))
    }

    fn attempt(&self, layout: &Layout) -> TokenStream {
        let (n, c) = (layout.velocities, layout.constraints);
        let pivots = Part::Pivots.elements(0..n + c);
        let lower = self.terms.lower.iter().enumerate();
        let lower = lower.map(|(at, entry)| {
            let numbers = [at, entry.row, entry.column].map(Literal::usize_unsuffixed);
            let [at, row, column] = numbers;
            let minus = entry.minus.then(|| quote!(-));
            quote!((#row, #column, #minus __n[#at]))
        });
        let regular = all_regular(n);
        let weights = if self.terms.is_augmented { c } else { 0 };
        let weights = Part::Weights.elements(0..weights);
        let [mass, jacobian] = [&self.terms.mass, &self.terms.jacobian].map(|places| {
            let places = places.iter().map(|(i, k)| {
                let [i, k] = [i, k].map(|at| Literal::usize_unsuffixed(*at));
                quote!((#i, #k),)
            });
            places.collect::<TokenStream>()
        });
        quote! {
            let __attempt = __rt::linalg::Attempt {
                is_regular: #regular,
                solution: (*__a, *__l),
                pivots: &[#pivots],
                lower: &[#(#lower),*],
                weights: &[#weights],
                mass: &[#mass],
                jacobian: &[#jacobian],
            };
        }
    }

    /// References to M, f, J and gamma.
    fn equations(&self, layout: &Layout) -> [TokenStream; 4] {
        let (n, c) = (layout.velocities, layout.constraints);
        if !self.terms.unrolled || self.terms.in_place {
            return [quote!(&mut __m), quote!(&__f), quote!(&__j), quote!(&__g)];
        }
        let matrix = full_matrix(n);
        let [forcing, gamma] = [(Part::Forcing, n), (Part::Gamma, c)].map(|(part, length)| {
            let entries = part.elements(0..length);
            quote!(&[#entries])
        });
        let rows = (0..c).map(|k| {
            let (k, columns) = (Literal::usize_unsuffixed(k), 0..n);
            let columns = columns.map(Literal::usize_unsuffixed);
            quote!([#(__j[#k][#columns]),*])
        });
        [matrix, forcing, quote!(&[#(#rows),*]), gamma]
    }
}

/// What a solution takes beside the operations of its terms.
pub(super) fn beyond(is_unrolled: bool, layout: &Layout) -> &'static str {
    match (is_unrolled, layout.constraints > 0) {
        (true, _) => ", factorization included",
        (false, false) => ", and a factorization of M",
        (false, true) => ", and a factorization of [M -J^T; J 0]",
    }
}

pub(super) fn acceleration(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let body = if layout.constraints > 0 {
        of_motion(layout)
    } else {
        solver.checked(layout)
    };
    solver.definition(body, layout)
}

pub(super) fn solve(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let body = if layout.constraints > 0 {
        solver.checked(layout)
    } else {
        without_multipliers(layout)
    };
    solver.definition(body, layout)
}

pub(super) fn acceleration_unchecked(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    solver.definition(solver.unchecked(layout), layout)
}

/// `solve` from `acceleration`, where nothing is constrained.
fn without_multipliers(layout: &Layout) -> TokenStream {
    let call = call("acceleration", layout);
    let none = vector(TokenStream::new());
    let motion = ok(quote!(__rt::Motion { acceleration: __a, multipliers: #none }));
    quote! {
        let __a = #call?;
        #motion
    }
}

/// `acceleration` from `solve`, where something is.
fn of_motion(layout: &Layout) -> TokenStream {
    let call = call("solve", layout);
    let acceleration = ok(quote!(__motion.acceleration));
    quote! {
        let __motion = #call?;
        #acceleration
    }
}

/// M in full from its lower triangle `__m`.
fn full_matrix(n: usize) -> TokenStream {
    let entry = |i: usize, j: usize| {
        let place = Literal::usize_unsuffixed(lower_triangle(i.max(j), i.min(j)));
        quote!(__m[#place])
    };
    let rows = (0..n).map(|i| {
        let entries = (0..n).map(|j| entry(i, j));
        quote!([#(#entries),*])
    });
    quote!(&mut [#(#rows),*])
}
