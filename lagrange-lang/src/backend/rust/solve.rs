//! The methods that solve `M a = f`, or `M a = f + J^T lambda` and `J a = gamma`.
//!
//! ```text
//! pub fn acceleration(&self, q, v, u) -> Result<SVector<S, 2>, Error> {
//!     let (_, _, ref __d, ref __s, ref __a) = self.__terms(q, v, u);
//!     if APART && AcceptanceTest::of_mass(Pivots { .. }, [q[0], __a[0], __a[1]]).accepts() { return Ok(*__a); }
//!     self.__careful(q, v, u)
//! }
//!
//! fn __careful(&self, q, v, u) -> Result<[S; 2], Error> {
//!     let (ref __m, ref __f, ..) = self.__terms(q, v, u);
//!     if !APART && AcceptanceTest::of_mass(..).accepts() { return Ok(*__a); }
//!     check_finite(&[("q", q), ("v", v), ("u", u)])?;
//!     solve_in_place(&mut [[__m[0], __m[1]], [__m[1], __m[2]]], &[__f[0], __f[1]])
//!         .map_err(|__error| self.__blame(__error))
//! }
//! ```
//!
//! One sum tests whether the result is finite. The sum includes the arguments that do not reach the result, such as
//! cyclic coordinates (`find_unreached_arguments` in `acceptance_call.rs`). The range of angles is tested here, so that
//! the unrolled solve contains no library call. A short pivoted solve computes its terms again, so that no value is kept for it.
//! Otherwise the pivoted solve is a part of the method, and its arguments are assembled at its beginning. Values
//! that only the pivoted solve reads then need not be in memory before. Large M and J are declared in a separate
//! call, which keeps the frame small.
//!
//! With constraints, `solve` does this. `solve` also tests whether `J a = gamma` holds, and ends with `kkt_in_place`. Lanes
//! do the same without an error: if a pivot of any lane is too small, all lanes use the pivoted solve.

use lagrange_engine::lower_triangle;

use super::assembly::{arguments, call, check_finite, list, map_error, ok, only_if, vector_of};
use super::context::Context;
use super::function::{Definition, Details, Function};
use super::parts::Part;
use super::skeleton::Skeleton;
use super::terms::Terms;
use crate::generated::CAREFUL;
use crate::methods::{Argument, Layout};

/// The bodies of all methods that need accelerations.
pub(super) struct Solver {
    terms: Terms,
}

impl Solver {
    pub(super) fn new(context: &Context) -> Self {
        let terms = Terms::new(context);
        Solver { terms }
    }

    /// The private methods that the others call.
    pub(super) fn write_private_methods(mut self, skeleton: &Skeleton) -> Vec<Function> {
        let is_redundant = skeleton.layout.has_redundant_rows();
        let mut functions = std::mem::take(&mut self.terms.functions);
        if self.terms.is_apart && !is_redundant && !skeleton.layout.reacts() {
            functions.push(self.pivoted_method(skeleton));
        }
        functions
    }

    /// `acceleration` without constraints, `solve` with constraints. The other method calls this one.
    pub(super) fn define_solve(&self, layout: &Layout) -> Definition {
        self.define(self.solve_with_test(layout), layout)
    }

    pub(super) fn define_acceleration_unchecked(&self, layout: &Layout) -> Definition {
        self.define(self.solve_unchecked(layout), layout)
    }

    /// A body that costs one solution and no further operations.
    fn define(&self, body: String, layout: &Layout) -> Definition {
        Definition {
            body: body.into(),
            details: Details {
                operations: self.terms.operations,
                beyond: describe_cost(self.terms.unrolled, layout).into(),
                ..Details::default()
            },
        }
    }

    /// The unrolled solution if it is accepted, otherwise the pivoted one.
    ///
    /// ```text
    /// let (ref __m, ref __f, ref __j, ref __g, ref __d, ref __s, ref __r, ref __w, ..) = self.__terms(q, v, u);
    /// if (AcceptanceTest { mass: Pivots { .. }, residual: __r, terms: __w, free: [__a[1]], hidden: [q[0]], .. }).accepts() {
    ///     return Ok(Motion { acceleration: *__a, multipliers: *__l });
    /// }
    /// check_finite(&[("q", q), ("v", v), ("u", u)])?;
    /// let (__a, __l) = kkt_in_place(&mut [[__m[0], __m[1]], ..], &[..], &[..], &[..])?;
    /// ```
    fn solve_with_test(&self, layout: &Layout) -> String {
        if layout.has_redundant_rows() {
            return solve_redundant(&self.terms, layout);
        }
        let [acceleration, multipliers] = ["*__a", "*__l"].map(vector_of);
        let (result, locals) = if layout.constraints > 0 {
            let motion = format!(
                "__rt::Motion {{ acceleration: {acceleration}, multipliers: {multipliers} }}"
            );
            (ok(motion), "(__a, __l)".to_owned())
        } else {
            (ok(acceleration), "__a".to_owned())
        };
        // By value all parts would be copied before the first part is read, unless `__terms` is inlined.
        let bindings = self.bind_references(layout, [true, true]);
        let bindings = only_if(self.terms.unrolled, || bindings);
        let acceptance = &self.terms.acceptance;
        let attempt = only_if(self.terms.unrolled, || {
            acceptance.return_accepted(layout, &result, None, true)
        });
        if self.terms.is_apart {
            let call = call(CAREFUL, layout);
            return format!(
                "if __rt::linalg::APART {{
                     {bindings}
                     {attempt}
                 }}
                 let {locals} = &{call}?;
                 {result}"
            );
        }
        let pivoted = self.bind_pivoted(&locals, layout);
        format!(
            "{bindings}
             {attempt}
             {pivoted}
             {result}"
        )
    }

    /// The pivoted solve as a method. If the code has to be short, the unrolled solve comes before it.
    fn pivoted_method(&self, skeleton: &Skeleton) -> Function {
        let layout = &skeleton.layout;
        let bindings = self.bind_references(layout, [true, false]);
        let finite = check_finite(&arguments(layout));
        let solution = self.call_pivoted(layout);
        let blamed = map_error();
        let (n, c) = (layout.velocities, layout.constraints);
        let (value, result) = if c > 0 {
            (format!("([S; {n}], [S; {c}])"), "(*__a, *__l)".to_owned())
        } else {
            (format!("[S; {n}]"), "*__a".to_owned())
        };
        let when = "!__rt::linalg::APART".to_owned();
        let acceptance = &self.terms.acceptance;
        let attempt = acceptance.return_accepted(layout, &ok(result), Some(when), false);
        Function {
            attributes: "#[cold] #[inline(never)] ".into(),
            docs: "The solution where the quick one cannot be trusted.".to_owned(),
            name: CAREFUL.into(),
            arguments: arguments(layout),
            returned: format!("__rt::core::result::Result<{value}, __rt::Error>"),
            real: true,
            body: format!("{bindings} {attempt} {finite} {solution} {blamed}").into(),
            ..Function::default()
        }
    }

    /// `let (__a, __l) = ..;` by the pivoted solve.
    fn bind_pivoted(&self, locals: &str, layout: &Layout) -> String {
        let finite = check_finite(&arguments(layout));
        let bindings = self.bind_references(layout, [true, false]);
        let bindings = only_if(!self.terms.unrolled, || bindings);
        let places = self.fill_places(layout);
        let solution = self.call_pivoted(layout);
        let blamed = map_error();
        if self.has_matrices_apart() {
            // Declared here, M and J would be part of the frame of the unrolled solve.
            return format!(
                "let {locals} = &__rt::linalg::apart(|| {{
                     {finite}
                     {places}
                     {solution} {blamed}
                 }})?;"
            );
        }
        format!(
            "{finite}
             {bindings}
             {places}
             let {locals} = &{solution} {blamed}?;"
        )
    }

    /// The pivoted solve of the runtime, from the results of `__terms`.
    fn call_pivoted(&self, layout: &Layout) -> String {
        let function = match layout.constraints > 0 {
            true => "kkt_in_place",
            false => "solve_in_place",
        };
        self.call_runtime(function, layout)
    }

    /// Returns whether M and J, which only the pivoted solve needs, are declared in a separate call.
    fn has_matrices_apart(&self) -> bool {
        self.terms.unrolled && self.terms.in_place
    }

    fn solve_unchecked(&self, layout: &Layout) -> String {
        let acceleration = vector_of("__a");
        let bindings = self.bind_terms(layout, [false, false], |part, variable| match part {
            Part::Residual | Part::Terms | Part::Multipliers => "_".to_owned(),
            _ => variable.to_string(),
        });
        let places = self.fill_places(layout);
        let solution = if layout.constraints > 0 {
            self.call_runtime("kkt_unchecked_in_place", layout)
        } else {
            let n = layout.velocities;
            let [matrix, forcing, ..] = self.refer_to_terms(layout);
            format!(
                "__rt::linalg::kkt_unchecked_in_place::<S, {n}, 0>({matrix}, &[], {forcing}, &[])"
            )
        };
        let pivoted = if self.has_matrices_apart() {
            format!(
                "{{
                     let (__a, _) = __rt::linalg::apart(|| {{
                         {places}
                         {solution}
                     }});
                     __a
                 }}"
            )
        } else {
            format!(
                "{{
                     {places}
                     let (__a, _) = {solution};
                     __a
                 }}"
            )
        };
        // The pivoted solve must not write to the place of the result. That place would then be in memory for the
        // unrolled solve too, written entry by entry and copied as a whole immediately after. Processors cannot
        // forward such stores.
        let chosen = if self.terms.unrolled {
            format!("if __rt::linalg::regular_lanes(&__d[..], &__s[..]) {{ __a }} else {pivoted}")
        } else {
            pivoted
        };
        format!(
            "{bindings}
             let __a = {chosen};
             {acceleration}"
        )
    }

    /// Binds the results of `__terms`, if this method exists. Each result has its pattern.
    fn bind_terms(
        &self,
        layout: &Layout,
        chosen: [bool; 2],
        pattern: impl Fn(Part, &str) -> String,
    ) -> String {
        let unrolled = self.terms.unrolled;
        let exists = unrolled || !self.terms.in_place;
        let pattern = |part: Part| {
            let variable = part.name();
            match part {
                _ if unrolled => pattern(part, variable),
                // Only a matrix that is passed on unchanged has to be mutable.
                Part::Mass => format!("mut {variable}"),
                _ => variable.to_string(),
            }
        };
        only_if(exists, || self.terms.bind_results(layout, chosen, pattern))
    }

    /// Binds references to the results of `__terms`.
    fn bind_references(&self, layout: &Layout, chosen: [bool; 2]) -> String {
        self.bind_terms(layout, chosen, |_, variable| format!("ref {variable}"))
    }

    /// M, f, J and gamma of a large system.
    fn fill_places(&self, layout: &Layout) -> String {
        only_if(self.terms.in_place, || self.terms.write_to_places(layout))
    }

    /// `__rt::linalg::kkt_in_place(&mut __m, &__j, &__f, &__g)`. Without constraints the function takes only M and f.
    fn call_runtime(&self, function: &str, layout: &Layout) -> String {
        let [matrix, forcing, jacobian, gamma] = self.refer_to_terms(layout);
        if layout.constraints > 0 {
            format!("__rt::linalg::{function}({matrix}, {jacobian}, {forcing}, {gamma})")
        } else {
            format!("__rt::linalg::{function}({matrix}, {forcing})")
        }
    }

    /// References to M, f, J and gamma.
    fn refer_to_terms(&self, layout: &Layout) -> [String; 4] {
        let (n, c) = (layout.velocities, layout.constraints);
        if !self.terms.unrolled || self.terms.in_place {
            return [
                "&mut __m".to_owned(),
                "&__f".to_owned(),
                "&__j".to_owned(),
                "&__g".to_owned(),
            ];
        }
        let matrix = write_full_matrix(n);
        let [forcing, gamma] = [(Part::Forcing, n), (Part::Gamma, c)].map(|(part, length)| {
            let entries = part.elements(0..length);
            format!("&[{entries}]")
        });
        let rows = (0..c).map(|k| {
            let entries = (0..n).map(|column| format!("__j[{k}][{column}]"));
            format!("[{}]", list(entries))
        });
        [matrix, forcing, format!("&[{}]", list(rows)), gamma]
    }
}

/// The cost of a solution in addition to the operations of its terms.
pub(super) fn describe_cost(is_unrolled: bool, layout: &Layout) -> &'static str {
    match (is_unrolled, layout.constraints > 0) {
        (true, _) => ", factorization included",
        (false, false) => ", and a factorization of M",
        (false, true) if layout.reacts() => ", and a factorization of [M -(J^T + B); J 0]",
        (false, true) => ", and a factorization of [M -J^T; J 0]",
    }
}

/// The full M from its lower triangle `__m`.
fn write_full_matrix(n: usize) -> String {
    let entry = |i: usize, j: usize| {
        let place = lower_triangle(i.max(j), i.min(j));
        format!("__m[{place}]")
    };
    let rows = (0..n).map(|i| {
        let entries = (0..n).map(|j| entry(i, j));
        format!("[{}]", list(entries))
    });
    format!("&mut [{}]", list(rows))
}

/// The body of `solve` of a system whose rows of J may depend on each other.
///
/// ```text
/// let (ref __m, .., ref __l) = self.__terms(q, v, u);
/// if are_clear(&__d[3..], &__s[3..]) && AcceptanceTest { .. }.accepts() {
///     return Ok(RedundantMotion { acceleration: vector(*__a), multipliers: vector(*__l), rank: 2 });
/// }
/// self.__careful(q, v, u)
/// ```
///
/// The unrolled solution leaves out the rows that are zero by structure. It is accepted only if the other rows are clearly
/// independent. Otherwise rows may depend on each other on the constraints, but no longer at a state beside them, as in
/// the stages of an integrator. So the solution is that of the state moved onto the constraints.
fn solve_redundant(terms: &Terms, layout: &Layout) -> String {
    let unrolled = only_if(terms.unrolled, || {
        let bindings =
            terms.bind_results(layout, [true, true], |part| format!("ref {}", part.name()));
        let (n, rank) = (layout.velocities, layout.rank);
        let are_clear = format!("__rt::linalg::are_clear(&__d[{n}..], &__s[{n}..])");
        let [a, lambda] = ["*__a", "*__l"].map(vector_of);
        let result = ok(format!(
            "__rt::RedundantMotion {{ acceleration: {a}, multipliers: {lambda}, rank: {rank} }}"
        ));
        let accepted = terms
            .acceptance
            .return_accepted(layout, &result, Some(are_clear), true);
        format!("{bindings} {accepted}")
    });
    unrolled + &call(CAREFUL, layout)
}

/// `contacts::resolve(self, t, q, v, u, active)`, which calls the methods of the trait.
pub(super) fn define_resolve(layout: &Layout) -> Definition {
    let finite = check_finite(&layout.arguments(&[Argument::Q, Argument::V, Argument::U]));
    let time = match layout.time {
        true => "t",
        false => "__rt::math::constant::<S>(0.0)",
    };
    let inputs = match layout.inputs {
        0 => "&__rt::SVector::<S, 0>::zeros()",
        _ => "u",
    };
    let blamed = map_error();
    let body = format!(
        "{finite}
         __rt::contacts::resolve(self, {time}, q, v, {inputs}, active){blamed}"
    );
    Definition {
        body: body.into(),
        details: Details {
            beyond: " beyond those of `mass_matrix`, `forcing`, the terms of constraints and contacts, a \
                     factorization, a substitution for each closed contact and sliding velocity, and the search \
                     for the modes"
                .into(),
            ..Details::default()
        },
    }
}
