//! The methods around the solution of `M a = f`, or of `M a = f + J^T lambda` and `J a = gamma`.
//!
//! ```text
//! pub fn acceleration(&self, q, v, u) -> Result<SVector<S, 2>, Error> {
//!     if !(all_finite(q) && ..) { return Err(NotFinite); }
//!     let (__m, __f, __d, __a) = self.__terms(q, v, u);
//!     if regular(__d[0], __m[0], 2) && .. && all_finite(&__a) { return Ok(__a); }
//!     solve_symmetric(&[[__m[0], __m[1]], [__m[1], __m[2]]], &__f)
//! }
//! ```
//!
//! With constraints `solve` is the one that does this, and ends with `kkt`.

use lagrange_engine::{Operations, lower_triangle};

use super::calls::{arguments, finite, ok, vector};
use super::docs::Details;
use super::functions::{Code, Definition, Function};
use super::methods::Method;
use super::signature::Layout;
use super::terms::Terms;
use super::{Context, forms};

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

    /// The private method that the others call.
    pub(super) fn into_shared(self) -> Function {
        self.terms.function
    }

    /// The body of a method that needs accelerations or puts other methods' values together.
    pub(super) fn define(&self, method: Method, context: &Context) -> Option<Definition> {
        let layout = &context.skeleton.layout;
        let body = match (method, layout.constraints > 0) {
            (Method::Acceleration, false) => self.acceleration(layout).into(),
            (Method::AccelerationUnchecked, false) => self.acceleration_unchecked(layout).into(),
            (Method::AccelerationUnchecked, true) => self.constrained_unchecked(layout).into(),
            (Method::Solve, true) => self.constrained(layout).into(),
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
    fn acceleration(&self, layout: &Layout) -> String {
        let n = layout.velocities;
        let checks = finite(&arguments(layout));
        let terms = self.terms.binding(layout, |_| true);
        let result = ok(&vector("__a"));
        let (attempt, matrix) = if self.terms.unrolled {
            let regular: String = (0..n).map(|i| regular_mass(i, n)).collect();
            let attempt =
                format!("if {regular}__rt::linalg::all_finite(&__a) {{\nreturn {result};\n}}\n");
            (attempt, full_matrix(n))
        } else {
            let attempt = format!(
                "if let __rt::core::option::Option::Some(__a) = __rt::linalg::ldlt(&__m, &__f) {{\n\
                 if __rt::linalg::all_finite(&__a) {{\nreturn {result};\n}}\n}}\n"
            );
            (attempt, "&__m".to_owned())
        };
        format!(
            "{checks}{terms}{attempt}\
             let __a = __rt::linalg::solve_symmetric({matrix}, &__f)?;\n{result}"
        )
    }

    fn acceleration_unchecked(&self, layout: &Layout) -> String {
        if self.terms.unrolled {
            let terms = self.terms.binding(layout, |local| local == "__a");
            format!("{terms}{}", vector("__a"))
        } else {
            let terms = self.terms.binding(layout, |_| true);
            let solution = "__rt::linalg::ldlt_unchecked(&__m, &__f)";
            format!("{terms}{}", vector(solution))
        }
    }

    /// ```text
    /// let (__m, __f, __j, __g, __d, __s, __a, __l) = self.__terms(q, v, u);
    /// if regular(__d[0], __m[0], 2) && .. && regular(__d[2], __s[0], 1) && all_finite(&__a) && .. {
    ///     return Ok(Motion { acceleration: __a, multipliers: __l });
    /// }
    /// let (__a, __l) = kkt(&[[__m[0], __m[1]], ..], &__j, &__f, &__g)?;
    /// ```
    fn constrained(&self, layout: &Layout) -> String {
        let checks = finite(&arguments(layout));
        let terms = self.terms.binding(layout, |_| true);
        let result = ok(&format!(
            "__rt::Motion {{ acceleration: {}, multipliers: {} }}",
            vector("__a"),
            vector("__l")
        ));
        let attempt = if self.terms.unrolled {
            let condition = trusted(layout);
            format!("if {condition} {{\nreturn {result};\n}}\n")
        } else {
            String::new()
        };
        let solution = self.saddle_point("kkt", layout);
        format!("{checks}{terms}{attempt}let (__a, __l) = {solution}?;\n{result}")
    }

    fn constrained_unchecked(&self, layout: &Layout) -> String {
        if self.terms.unrolled {
            let terms = self.terms.binding(layout, |local| local == "__a");
            format!("{terms}{}", vector("__a"))
        } else {
            let terms = self.terms.binding(layout, |_| true);
            let solution = self.saddle_point("kkt_unchecked", layout);
            format!("{terms}let (__a, _) = {solution};\n{}", vector("__a"))
        }
    }

    /// `__rt::linalg::kkt(&__m, &__j, &__f, &__g)`
    fn saddle_point(&self, function: &str, layout: &Layout) -> String {
        let matrix = if self.terms.unrolled {
            full_matrix(layout.velocities)
        } else {
            "&__m".to_owned()
        };
        format!("__rt::linalg::{function}({matrix}, &__j, &__f, &__g)")
    }
}

/// The condition under which the unrolled solution with constraints is as good as any.
fn trusted(layout: &Layout) -> String {
    let (n, c) = (layout.velocities, layout.constraints);
    let mut condition: String = (0..n).map(|i| regular_mass(i, n)).collect();
    for k in 0..c {
        let pivot = n + k;
        condition.push_str(&format!(
            "__rt::linalg::regular(__d[{pivot}], __s[{k}], {c}) && "
        ));
    }
    // A single one has nothing to be compared with.
    if c > 1 {
        condition.push_str("__rt::linalg::comparable(&__s) && ");
    }
    condition + "__rt::linalg::all_finite(&__a) && __rt::linalg::all_finite(&__l)"
}

/// The test of one pivot of M.
fn regular_mass(i: usize, n: usize) -> String {
    let diagonal = lower_triangle(i, i);
    format!("__rt::linalg::regular(__d[{i}], __m[{diagonal}], {n}) && ")
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
    format!("&[{}]", (0..n).map(row).collect::<Vec<_>>().join(", "))
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
