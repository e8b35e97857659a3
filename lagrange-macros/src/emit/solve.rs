//! The methods around the solution of `M a = f`, or of `M a = f + J^T lambda` and `J a = gamma`.
//!
//! ```text
//! pub fn acceleration(&self, q, v, u) -> Result<SVector<S, 2>, Error> {
//!     if !(all_finite(q) && ..) { return Err(NotFinite); }
//!     let (__m, __f, __d, __s, __a) = self.__terms(q, v, u);
//!     if regular(__d[0], __s[0], 2) && .. && all_finite(&__a) { return Ok(__a); }
//!     solve_in_place(&mut [[__m[0], __m[1]], [__m[1], __m[2]]], &__f)
//! }
//! ```
//!
//! With constraints `solve` is the one that does this, asks whether `J a = gamma` holds too, and ends with
//! `kkt_in_place`. Lanes do the same without an error: where a pivot of any lane is too small, all of
//! them take the way with pivoting.

use lagrange_engine::{Operations, lower_triangle};

use super::calls::{arguments, finite, ok, vector};
use super::context::Context;
use super::docs::Details;
use super::forms;
use super::function::{Code, Definition, Function};
use super::methods::Method;
use super::signature::Layout;
use super::terms::Terms;

/// Bodies for everything that needs accelerations.
pub(super) struct Solver {
    terms: Terms,
}

impl Solver {
    pub(super) fn new(context: &Context) -> Self {
        Solver {
            terms: Terms::new(context),
        }
    }

    /// The private methods that the others call.
    pub(super) fn into_shared(self) -> Vec<Function> {
        self.terms.functions
    }

    /// The body of a method that needs accelerations or puts other methods' values together.
    pub(super) fn define(&self, method: Method, context: &Context) -> Option<Definition> {
        let layout = &context.skeleton.layout;
        let body = match (method, layout.constraints > 0) {
            (Method::Acceleration, false) | (Method::Solve, true) => self.checked(layout).into(),
            (Method::AccelerationUnchecked, _) => self.unchecked(layout).into(),
            _ => Code::Tokens(forms::define(method, context)?),
        };
        Some(Definition {
            body,
            details: self.details(method, layout),
        })
    }

    fn details(&self, method: Method, layout: &Layout) -> Details {
        let is_constrained = layout.constraints > 0;
        let of_parts = |beyond| Details {
            beyond,
            ..Details::default()
        };
        match (method, is_constrained) {
            (Method::MassMatrixFull, false) => of_parts(" beyond those of `mass_matrix`"),
            (Method::MassMatrixFull, true) => {
                of_parts(" beyond those of `mass_matrix` and `constraint_jacobian`")
            }
            (Method::ForcingFull, false) => of_parts(" beyond those of `forcing`"),
            (Method::Integrate | Method::Difference, _) => displacement(layout),
            (Method::Neutral, _) => Details::default(),
            (Method::ForcingFull, true) => {
                of_parts(" beyond those of `forcing` and `constraint_gamma`")
            }
            _ => Details {
                operations: self.terms.operations,
                beyond: match (self.terms.unrolled, is_constrained) {
                    (true, _) => ", factorization included",
                    (false, false) => ", and a factorization of M",
                    (false, true) => ", and a factorization of [M -J^T; J 0]",
                },
                ..Details::default()
            },
        }
    }

    /// The quick solution where it can be trusted, else the careful one.
    ///
    /// ```text
    /// let (__m, __f, __j, __g, __d, __s, __r, __w, __a, __l) = self.__terms(q, v, u);
    /// if regular(__d[0], __s[0], 2) && .. && comparable(&[__s[2]]) && met(&__r, &__w) && .. {
    ///     return Ok(Motion { acceleration: __a, multipliers: __l });
    /// }
    /// let (__a, __l) = kkt_in_place(&mut [[__m[0], __m[1]], ..], &__j, &__f, &__g)?;
    /// ```
    fn checked(&self, layout: &Layout) -> String {
        let is_constrained = layout.constraints > 0;
        let result = if is_constrained {
            ok(&format!(
                "__rt::Motion {{ acceleration: {}, multipliers: {} }}",
                vector("__a"),
                vector("__l")
            ))
        } else {
            ok(&vector("__a"))
        };
        let attempt = if self.terms.unrolled {
            format!("if {} {{\nreturn {result};\n}}\n", trusted(layout))
        } else {
            String::new()
        };
        let solution = self.with_pivoting(["solve_in_place", "kkt_in_place"], layout);
        let locals = if is_constrained { "(__a, __l)" } else { "__a" };
        format!(
            "{}{}{attempt}{}let {locals} = {solution}?;\n{result}",
            finite(&arguments(layout)),
            self.bindings(layout, |_| true),
            self.places(layout)
        )
    }

    fn unchecked(&self, layout: &Layout) -> String {
        let (n, c) = (layout.velocities, layout.constraints);
        let attempt = if self.terms.unrolled {
            format!(
                "if __rt::linalg::regular_lanes(&__d, &__s) {{\nreturn {};\n}}\n",
                vector("__a")
            )
        } else {
            String::new()
        };
        let is_wanted = |local: &str| !["__r", "__w", "__l"].contains(&local);
        let bindings = self.bindings(layout, is_wanted);
        let places = self.places(layout);
        let solution = if c > 0 {
            self.with_pivoting(["kkt_unchecked_in_place"; 2], layout)
        } else {
            format!(
                "__rt::linalg::kkt_unchecked_in_place::<S, {n}, 0>({}, &[], &__f, &[])",
                self.matrix(layout)
            )
        };
        format!(
            "{bindings}{attempt}{places}let (__a, _) = {solution};\n{}",
            vector("__a")
        )
    }

    /// What `__terms` returns, if it exists.
    fn bindings(&self, layout: &Layout, is_wanted: impl Fn(&str) -> bool) -> String {
        if !self.terms.unrolled && self.terms.in_place {
            return String::new();
        }
        // Only a matrix that is handed over as it is has to be mutable.
        let binding = self.terms.binding(layout, is_wanted);
        if !self.terms.unrolled {
            binding.replacen("(__m,", "(mut __m,", 1)
        } else {
            binding
        }
    }

    /// M, f, J and gamma of a large system.
    fn places(&self, layout: &Layout) -> String {
        if self.terms.in_place {
            self.terms.placing(layout)
        } else {
            String::new()
        }
    }

    /// `__rt::linalg::kkt_in_place(&mut __m, &__j, &__f, &__g)`, or the first of the functions without
    /// constraints.
    fn with_pivoting(&self, [free, constrained]: [&str; 2], layout: &Layout) -> String {
        let matrix = self.matrix(layout);
        if layout.constraints > 0 {
            format!("__rt::linalg::{constrained}({matrix}, &__j, &__f, &__g)")
        } else {
            format!("__rt::linalg::{free}({matrix}, &__f)")
        }
    }

    fn matrix(&self, layout: &Layout) -> String {
        if self.terms.unrolled && !self.terms.in_place {
            full_matrix(layout.velocities)
        } else {
            "&mut __m".to_owned()
        }
    }
}

/// The condition under which the unrolled solution is as good as any.
fn trusted(layout: &Layout) -> String {
    let (n, c) = (layout.velocities, layout.constraints);
    let regular = |pivot: usize, size: usize| {
        format!("__rt::linalg::regular(__d[{pivot}], __s[{pivot}], {size}) && ")
    };
    let mut condition: String = (0..n).map(|i| regular(i, n)).collect();
    if c == 0 {
        return condition + "__rt::linalg::all_finite(&__a)";
    }
    condition.extend((n..n + c).map(|k| regular(k, c)));
    let diagonal: Vec<String> = (n..n + c).map(|k| format!("__s[{k}]")).collect();
    condition.push_str(&format!(
        "__rt::linalg::comparable(&[{}]) && __rt::linalg::met(&__r, &__w) && ",
        diagonal.join(", ")
    ));
    condition + "__rt::linalg::all_ordinary(&__a) && __rt::linalg::all_finite(&__l)"
}

/// M in full from its lower triangle `__m`.
fn full_matrix(n: usize) -> String {
    let entry = |i: usize, j: usize| format!("__m[{}]", lower_triangle(i.max(j), i.min(j)));
    let row = |i| {
        format!(
            "[{}]",
            (0..n).map(|j| entry(i, j)).collect::<Vec<_>>().join(", ")
        )
    };
    format!("&mut [{}]", (0..n).map(row).collect::<Vec<_>>().join(", "))
}

/// What `integrate` and `difference` cost.
fn displacement(layout: &Layout) -> Details {
    let rotations = layout.coordinates - layout.velocities;
    let scalars = layout.velocities - 3 * rotations;
    let beyond = if rotations > 0 {
        ", and for each rotation an exponential map or its inverse"
    } else {
        ""
    };
    Details {
        operations: Operations {
            additions: scalars as u32,
            ..Operations::default()
        },
        beyond,
        ..Details::default()
    }
}
