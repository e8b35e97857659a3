//! The methods around the solution of M a = f.
//!
//! ```text
//! fn __terms(&self, q, v, u) -> ([S; 3], [S; 2], [S; 2], [S; 2])  // M, f, pivots, a
//! pub fn acceleration(&self, q, v, u) -> Result<SVector<S, 2>, Error> {
//!     if !(all_finite(q) && ..) { return Err(NotFinite); }
//!     let (__m, __f, __d, __a) = self.__terms(q, v, u);
//!     if regular(__d[0], __m[0], 2) && .. && all_finite(&__a) { return Ok(__a); }
//!     solve_symmetric(&[[__m[0], __m[1]], [__m[1], __m[2]]], &__f)
//! }
//! ```

use lagrange_engine::{Operand, Operations, SolveSchedule, lower_triangle};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::Context;
use super::body::Body;
use super::docs::Details;
use super::functions::{Definition, Function};
use super::names::Method;
use super::signature::{Argument, Layout};

/// The method that computes M, f and, if it is unrolled, the solution.
const TERMS: &str = "__terms";

/// Bodies for everything that needs accelerations.
pub(super) struct Solver {
    /// The private method that the others call.
    pub(super) shared: Function,
    unrolled: bool,
    operations: Operations,
}

impl Solver {
    pub(super) fn new(context: &Context) -> Self {
        let dynamics = context.dynamics;
        let solution = dynamics.schedule_solve();
        Solver {
            shared: shared(context, &solution),
            unrolled: solution.factorization.is_some(),
            operations: solution.schedule.operations(),
        }
    }

    /// The body of a method that needs accelerations or puts other methods' values together.
    pub(super) fn define(&self, method: Method, layout: &Layout) -> Option<Definition> {
        let body = match method {
            Method::Acceleration => self.acceleration(layout),
            Method::AccelerationUnchecked => self.acceleration_unchecked(layout),
            Method::Solve => solve(layout),
            Method::StateDerivative => state_derivative(layout, true),
            Method::StateDerivativeUnchecked => state_derivative(layout, false),
            Method::Rhs => rhs(layout),
            Method::MassMatrixFull => mass_matrix_full(layout),
            Method::ForcingFull => forcing_full(layout),
            _ => return None,
        };
        Some(Definition {
            body,
            details: self.details(method),
        })
    }

    fn details(&self, method: Method) -> Details {
        match method {
            Method::MassMatrixFull => Details {
                beyond: " beyond those of `mass_matrix`",
                ..Details::default()
            },
            Method::ForcingFull => Details {
                beyond: " beyond those of `forcing`",
                ..Details::default()
            },
            _ => Details {
                operations: self.operations,
                beyond: if self.unrolled {
                    ", factorization included"
                } else {
                    ", and a factorization of M"
                },
                ..Details::default()
            },
        }
    }

    /// The quick solution where it can be trusted, else the careful one.
    fn acceleration(&self, layout: &Layout) -> String {
        let n = layout.coordinates;
        let call = call(TERMS, layout);
        let checks = finite(layout);
        let result = ok(&vector("__a"));
        let (attempt, matrix) = if self.unrolled {
            let regular: String = (0..n).map(|i| regular(i, n)).collect();
            let attempt = format!(
                "let (__m, __f, __d, __a) = {call};\n\
                 if {regular}__rt::linalg::all_finite(&__a) {{\nreturn {result};\n}}\n"
            );
            (attempt, full_matrix(n))
        } else {
            let attempt = format!(
                "let (__m, __f) = {call};\n\
                 if let __rt::core::option::Option::Some(__a) = __rt::linalg::ldlt(&__m, &__f) {{\n\
                 if __rt::linalg::all_finite(&__a) {{\nreturn {result};\n}}\n}}\n"
            );
            (attempt, "&__m".to_owned())
        };
        format!(
            "{checks}{attempt}let __a = __rt::linalg::solve_symmetric({matrix}, &__f)?;\n{result}"
        )
    }

    fn acceleration_unchecked(&self, layout: &Layout) -> String {
        let call = call(TERMS, layout);
        if self.unrolled {
            format!("let (_, _, _, __a) = {call};\n{}", vector("__a"))
        } else {
            let solution = "__rt::linalg::ldlt_unchecked(&__m, &__f)";
            format!("let (__m, __f) = {call};\n{}", vector(solution))
        }
    }
}

fn shared(context: &Context, solution: &SolveSchedule) -> Function {
    let skeleton = &context.skeleton;
    let n = skeleton.layout.coordinates;
    let (returned, body) = match &solution.factorization {
        Some(factors) => {
            let results = [&factors.pivots[..], &factors.solution[..]];
            let body = unrolled(solution, results, n, &context.parameters);
            (types_of_unrolled(n), body)
        }
        None => (types_of_looped(n), looped(solution, n, &context.parameters)),
    };
    Function {
        attributes: quote!(#[inline]),
        visibility: TokenStream::new(),
        docs: "M, f and, where the factorization is unrolled, its pivots and the acceleration."
            .to_owned(),
        name: Ident::new(TERMS, Span::call_site()),
        arguments: arguments(&skeleton.layout),
        returned,
        real: false,
        body,
    }
}

fn unrolled(
    solution: &SolveSchedule,
    results: [&[Operand]; 2],
    n: usize,
    parameters: &[String],
) -> String {
    let [pivots, accelerations] = results;
    let roots = &solution.schedule.roots;
    let (mass, forcing) = roots.split_at(roots.len().saturating_sub(n));
    let all = [mass, forcing, pivots, accelerations];
    let mut body = Body::new(&solution.schedule, &all, parameters);
    body.push("(");
    for operands in all {
        body.array(operands);
        body.push(", ");
    }
    body.push(")");
    body.finish()
}

fn types_of_unrolled(n: usize) -> TokenStream {
    let entries = Literal::usize_unsuffixed(n * (n + 1) / 2);
    let n = Literal::usize_unsuffixed(n);
    quote!(([S; #entries], [S; #n], [S; #n], [S; #n]))
}

/// M as rows, and f.
fn looped(solution: &SolveSchedule, n: usize, parameters: &[String]) -> String {
    let roots = &solution.schedule.roots;
    let (mass, forcing) = roots.split_at(roots.len().saturating_sub(n));
    let mut body = Body::new(&solution.schedule, &[roots], parameters);
    body.push("([");
    for i in 0..n {
        let row: Vec<Operand> = (0..n)
            .map(|j| mass[lower_triangle(i.max(j), i.min(j))])
            .collect();
        body.array(&row);
        body.push(", ");
    }
    body.push("], ");
    body.array(forcing);
    body.push(")");
    body.finish()
}

fn types_of_looped(n: usize) -> TokenStream {
    let n = Literal::usize_unsuffixed(n);
    quote!(([[S; #n]; #n], [S; #n]))
}

/// The arguments of everything that depends on the whole state.
fn arguments(layout: &Layout) -> Vec<Argument> {
    layout.arguments(&[Argument::Q, Argument::V, Argument::U])
}

/// `self.method(t, q, v, u)`
fn call(method: &str, layout: &Layout) -> String {
    call_with(method, &arguments(layout), |argument| {
        argument.name().to_owned()
    })
}

fn call_with(method: &str, arguments: &[Argument], value: impl Fn(&Argument) -> String) -> String {
    let arguments: Vec<String> = arguments.iter().map(value).collect();
    format!("self.{method}({})", arguments.join(", "))
}

/// Leaves the method if an argument is not finite.
fn finite(layout: &Layout) -> String {
    let tests: Vec<String> = arguments(layout)
        .iter()
        .map(|argument| match argument {
            Argument::T => "__rt::linalg::all_finite(&[t])".to_owned(),
            other => format!("__rt::linalg::all_finite(&{}.data.0[0])", other.name()),
        })
        .collect();
    unless(&tests.join(" && "))
}

/// The test of one pivot.
fn regular(i: usize, n: usize) -> String {
    let diagonal = lower_triangle(i, i);
    format!("__rt::linalg::regular(__d[{i}], __m[{diagonal}], {n}) && ")
}

fn ok(value: &str) -> String {
    format!("__rt::core::result::Result::Ok({value})")
}

fn unless(condition: &str) -> String {
    format!(
        "if !({condition}) {{\n\
         return __rt::core::result::Result::Err(__rt::Error::NotFinite);\n}}\n"
    )
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

/// The vector of an array.
fn vector(array: &str) -> String {
    format!("__rt::SVector::from_array_storage(__rt::ArrayStorage([{array}]))")
}

/// `[array[from], .., array[to - 1]]`
fn elements(array: &str, range: std::ops::Range<usize>) -> String {
    range.map(|i| format!("{array}[{i}], ")).collect()
}

fn solve(layout: &Layout) -> String {
    let call = call("acceleration", layout);
    let none = vector("[]");
    let motion = format!("__rt::Motion {{ acceleration: __a, multipliers: {none} }}");
    format!("let __a = {call}?;\n{}", ok(&motion))
}

/// The acceleration at the state `__y`, as the array `__a`.
fn at_state(method: &str, question: &str, layout: &Layout, inputs: &str) -> String {
    let n = layout.coordinates;
    let q = vector(&format!("[{}]", elements("__y", 0..n)));
    let v = vector(&format!("[{}]", elements("__y", n..2 * n)));
    let call = call_with(method, &arguments(layout), |argument| match argument {
        Argument::Q => "&__q".to_owned(),
        Argument::V => "&__v".to_owned(),
        Argument::U => inputs.to_owned(),
        other => other.name().to_owned(),
    });
    format!(
        "let __q = {q};\nlet __v = {v};\nlet __a = {call}{question};\nlet __a = &__a.data.0[0];\n"
    )
}

/// [v; a]
fn rate(layout: &Layout) -> String {
    let n = layout.coordinates;
    format!("[{}{}]", elements("__y", n..2 * n), elements("__a", 0..n))
}

fn state_derivative(layout: &Layout, checked: bool) -> String {
    let (method, question) = if checked {
        ("acceleration", "?")
    } else {
        ("acceleration_unchecked", "")
    };
    let acceleration = at_state(method, question, layout, "u");
    let rate = vector(&rate(layout));
    let result = if checked { ok(&rate) } else { rate };
    format!("let __y = &y.data.0[0];\n{acceleration}{result}")
}

fn rhs(layout: &Layout) -> String {
    // Where the system declares time, `acceleration` tests it.
    let time = if layout.time {
        String::new()
    } else {
        unless("__rt::linalg::all_finite(&[t])")
    };
    let inputs = if layout.inputs > 0 {
        format!("let __u = {};\n", vector("*u"))
    } else {
        String::new()
    };
    let acceleration = at_state("acceleration", "?", layout, "&__u");
    let rate = rate(layout);
    format!(
        "{time}let __y = y;\n{inputs}{acceleration}*dy = {rate};\n{}",
        ok("()")
    )
}

fn mass_matrix_full(layout: &Layout) -> String {
    let n = layout.coordinates;
    let arguments = layout.arguments(&[Argument::Q, Argument::MassV]);
    let call = call_with("mass_matrix", &arguments, |argument| {
        argument.name().to_owned()
    });
    format!(
        "let mut __full = __rt::SMatrix::<S, {0}, {0}>::identity();\n\
         __full.fixed_view_mut::<{n}, {n}>({n}, {n}).copy_from(&{call});\n__full",
        2 * n
    )
}

fn forcing_full(layout: &Layout) -> String {
    let n = layout.coordinates;
    let call = call("forcing", layout);
    let full = vector(&format!(
        "[{}{}]",
        elements("__v", 0..n),
        elements("__f", 0..n)
    ));
    format!("let __f = {call};\nlet (__v, __f) = (&v.data.0[0], &__f.data.0[0]);\n{full}")
}
