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
//! (`unjudged_arguments.rs`). The sizes of angles are asked for here, so that no call of the library stands in the midst
//! of the quick way.
//! Where it is short the careful way computes its terms anew, so that nothing is kept for it; else it is a
//! part of the method, and what it takes is put together where it begins: what only that way reads need not be in memory
//! before. Where M and J are large they are declared in a call of their own, which keeps the frame small.
//!
//! With constraints `solve` is the one that does this, asks whether `J a = gamma` holds too, and ends with
//! `kkt_after`. Lanes do the same without an error: where a pivot of any lane is too small, all of
//! them take the way with pivoting.

use lagrange_engine::lower_triangle;

use super::acceptance_test::all_regular;
use super::assembly::{arguments, blamed, call, finite, list, ok, only_if, vector, vector_of};
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
    pub(super) fn definition(&self, body: String, layout: &Layout) -> Definition {
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
    fn checked(&self, layout: &Layout) -> String {
        let [acceleration, multipliers] = ["*__a", "*__l"].map(vector_of);
        let (result, locals) = if layout.constraints > 0 {
            let motion = format!(
                "__rt::Motion {{ acceleration: {acceleration}, multipliers: {multipliers} }}"
            );
            (ok(motion), "(__a, __l)".to_owned())
        } else {
            (ok(acceleration), "__a".to_owned())
        };
        // By value all of them would be copied before the first is looked at, unless `__terms` is in line.
        let bindings = self.bindings(layout, [true, true], |_, variable| {
            format!("ref {variable}")
        });
        let bindings = only_if(self.terms.unrolled, || bindings);
        let trust = &self.terms.trust;
        let attempt = self.terms.unrolled;
        let attempt = only_if(attempt, || trust.returned(layout, &result, None, true));
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
        let careful = self.careful(&locals, layout);
        format!(
            "{bindings}
             {attempt}
             {careful}
             {result}"
        )
    }

    /// The careful way by itself, and where code shall be short the quick one before it.
    fn careful_method(&self, skeleton: &Skeleton) -> Function {
        let layout = &skeleton.layout;
        let bindings = self.bindings(layout, [true, false], |_, variable| {
            format!("ref {variable}")
        });
        let finite = finite(&arguments(layout));
        let (attempted, solution) = (self.attempted(layout), self.careful_solution(layout));
        let blamed = blamed();
        let (n, c) = (layout.velocities, layout.constraints);
        let (value, found) = if c > 0 {
            (format!("([S; {n}], [S; {c}])"), "(*__a, *__l)".to_owned())
        } else {
            (format!("[S; {n}]"), "*__a".to_owned())
        };
        let when = "!__rt::linalg::APART".to_owned();
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
            body: format!("{bindings} {attempt} {finite} {attempted} {solution} {blamed}").into(),
        }
    }

    /// `let (__a, __l) = ..;` by the careful way.
    fn careful(&self, locals: &str, layout: &Layout) -> String {
        let finite = finite(&arguments(layout));
        let bindings = self.bindings(layout, [true, false], |_, variable| {
            format!("ref {variable}")
        });
        let bindings = only_if(!self.terms.unrolled, || bindings);
        let places = self.places(layout);
        let (attempted, solution) = (self.attempted(layout), self.careful_solution(layout));
        let blamed = blamed();
        if self.has_matrices_apart() {
            // M and J would be a part of the frame of the quick way. The attempt is put together outside: what it is made
            // of would be in memory on the quick way too, if it were read from within.
            return format!(
                "{attempted}
                 let {locals} = &__rt::linalg::apart(|| {{
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
             {attempted}
             let {locals} = &{solution} {blamed}?;"
        )
    }

    /// The careful way of the runtime, from what `__terms` returned, and from `__attempt` where there is one.
    fn careful_solution(&self, layout: &Layout) -> String {
        match (self.has_attempt(layout), layout.constraints > 0) {
            (true, _) => self.with_pivoting("kkt_after", Some("&__attempt"), layout),
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

    fn unchecked(&self, layout: &Layout) -> String {
        let acceleration = vector_of("__a");
        let bindings = self.bindings(layout, [false, false], |part, variable| match part {
            Part::Residual | Part::Terms | Part::Lower | Part::Weights | Part::Multipliers => {
                "_".to_owned()
            }
            _ => variable.to_string(),
        });
        let places = self.places(layout);
        let solution = if layout.constraints > 0 {
            self.with_pivoting("kkt_unchecked_in_place", None, layout)
        } else {
            let n = layout.velocities;
            let [matrix, forcing, ..] = self.equations(layout);
            format!(
                "__rt::linalg::kkt_unchecked_in_place::<S, {n}, 0>({matrix}, &[], {forcing}, &[])"
            )
        };
        let careful = if self.has_matrices_apart() {
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
        // The careful way must not write to the place of the result: that would then be in memory on the quick way too,
        // written entry by entry and copied as a whole right after, which processors cannot forward.
        let chosen = if self.terms.unrolled {
            format!("if __rt::linalg::regular_lanes(&__d[..], &__s[..]) {{ __a }} else {careful}")
        } else {
            careful
        };
        format!(
            "{bindings}
             let __a = {chosen};
             {acceleration}"
        )
    }

    /// What `__terms` returns, if it exists, each of its results by the pattern that it is bound to.
    fn bindings(
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
                // Only a matrix that is handed over as it is has to be mutable.
                Part::Mass => format!("mut {variable}"),
                _ => variable.to_string(),
            }
        };
        only_if(exists, || self.terms.binding(layout, chosen, pattern))
    }

    /// M, f, J and gamma of a large system.
    fn places(&self, layout: &Layout) -> String {
        let in_place = self.terms.in_place;
        only_if(in_place, || self.terms.placing(layout))
    }

    /// `__rt::linalg::kkt_in_place(&mut __m, &__j, &__f, &__g)`, without constraints of M and f alone, and
    /// what else the function takes.
    fn with_pivoting(&self, function: &str, rest: Option<&str>, layout: &Layout) -> String {
        let [matrix, forcing, jacobian, gamma] = self.equations(layout);
        let rest = rest.map(|rest| format!(", {rest}")).unwrap_or_default();
        if layout.constraints > 0 {
            format!("__rt::linalg::{function}({matrix}, {jacobian}, {forcing}, {gamma}{rest})")
        } else {
            format!("__rt::linalg::{function}({matrix}, {forcing})")
        }
    }

    /// `let __attempt = ..;`: the factors and the solution that were not good enough, where the careful way goes on with
    /// them.
    fn attempted(&self, layout: &Layout) -> String {
        only_if(self.has_attempt(layout), || self.attempt(layout))
    }

    fn attempt(&self, layout: &Layout) -> String {
        let (n, c) = (layout.velocities, layout.constraints);
        let pivots = Part::Pivots.elements(0..n + c);
        let lower = self.terms.lower.iter().enumerate();
        let lower = lower.map(|(at, entry)| {
            let numbers = [at, entry.row, entry.column];
            let [at, row, column] = numbers;
            let minus = if entry.minus { "-" } else { "" };
            format!("({row}, {column}, {minus}__n[{at}])")
        });
        let regular = all_regular(n);
        let weights = if self.terms.is_augmented { c } else { 0 };
        let weights = Part::Weights.elements(0..weights);
        let [mass, jacobian] = [&self.terms.mass, &self.terms.jacobian].map(|places| {
            let places = places.iter().map(|(i, k)| format!("({i}, {k}),"));
            places.collect::<String>()
        });
        format!(
            "let __attempt = __rt::linalg::Attempt {{
                 is_regular: {regular},
                 solution: (*__a, *__l),
                 pivots: &[{pivots}],
                 lower: &[{}],
                 weights: &[{weights}],
                 mass: &[{mass}],
                 jacobian: &[{jacobian}],
             }};",
            list(lower)
        )
    }

    /// References to M, f, J and gamma.
    fn equations(&self, layout: &Layout) -> [String; 4] {
        let (n, c) = (layout.velocities, layout.constraints);
        if !self.terms.unrolled || self.terms.in_place {
            return [
                "&mut __m".to_owned(),
                "&__f".to_owned(),
                "&__j".to_owned(),
                "&__g".to_owned(),
            ];
        }
        let matrix = full_matrix(n);
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
fn without_multipliers(layout: &Layout) -> String {
    let call = call("acceleration", layout);
    let none = vector(String::new());
    let motion = ok(format!(
        "__rt::Motion {{ acceleration: __a, multipliers: {none} }}"
    ));
    format!(
        "let __a = {call}?;
         {motion}"
    )
}

/// `acceleration` from `solve`, where something is.
fn of_motion(layout: &Layout) -> String {
    let call = call("solve", layout);
    let acceleration = ok("__motion.acceleration");
    format!(
        "let __motion = {call}?;
         {acceleration}"
    )
}

/// M in full from its lower triangle `__m`.
fn full_matrix(n: usize) -> String {
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
