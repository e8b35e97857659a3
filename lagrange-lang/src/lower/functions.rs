//! The functions of the language: name, alias, number of arguments, meaning.
//!
//! Calls, methods and suggestions use only this table. No name in it is reserved: a name before `(` is looked up
//! here, and a bare name among the declared names.

use lagrange_engine::{Binary, CurveKind, Unary};

/// One row of the table.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// Another name of the same function, the one in Rust.
    alias: Option<&'static str>,
    /// The least and the greatest number of arguments, including the receiver of a method.
    pub(super) arguments: (usize, usize),
    pub(super) meaning: Meaning,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// The total time derivative.
    Derivative,
    Unary(Unary),
    Binary(Binary),
    /// Same as the operator `^`.
    Power,
    /// Same as `^` with a constant integer.
    IntegerPower,
    Reciprocal,
    Dot,
    Cross,
    Norm,
    Transpose,
    Trace,
    Diagonal,
    Identity,
    Outer,
    /// `sum(i in a..b, e)`, which the parser distinguishes from a call.
    Sum,
    /// A curve through points.
    Curve(CurveKind),
    /// A column of a file.
    Column,
}

const ANY: usize = usize::MAX;

static FUNCTIONS: [Function; 37] = [
    row("der", 1, Meaning::Derivative),
    row("sin", 1, Meaning::Unary(Unary::Sin)),
    row("cos", 1, Meaning::Unary(Unary::Cos)),
    row("tan", 1, Meaning::Unary(Unary::Tan)),
    row("asin", 1, Meaning::Unary(Unary::Asin)),
    row("acos", 1, Meaning::Unary(Unary::Acos)),
    row("atan", 1, Meaning::Unary(Unary::Atan)),
    row("atan2", 2, Meaning::Binary(Binary::Atan2)),
    row("sinh", 1, Meaning::Unary(Unary::Sinh)),
    row("cosh", 1, Meaning::Unary(Unary::Cosh)),
    row("tanh", 1, Meaning::Unary(Unary::Tanh)),
    row("exp", 1, Meaning::Unary(Unary::Exp)),
    row("ln", 1, Meaning::Unary(Unary::Ln)),
    row("sqrt", 1, Meaning::Unary(Unary::Sqrt)),
    row("abs", 1, Meaning::Unary(Unary::Abs)),
    also("signum", row("sign", 1, Meaning::Unary(Unary::Sign))),
    row("min", 2, Meaning::Binary(Binary::Min)),
    row("max", 2, Meaning::Binary(Binary::Max)),
    row("hypot", 2, Meaning::Binary(Binary::Hypot)),
    also("powf", row("pow", 2, Meaning::Power)),
    row("powi", 2, Meaning::IntegerPower),
    row("recip", 1, Meaning::Reciprocal),
    row("dot", 2, Meaning::Dot),
    row("cross", 2, Meaning::Cross),
    row("norm", 1, Meaning::Norm),
    row("transpose", 1, Meaning::Transpose),
    row("trace", 1, Meaning::Trace),
    Function {
        arguments: (1, ANY),
        ..row("diag", 1, Meaning::Diagonal)
    },
    row("identity", 1, Meaning::Identity),
    row("outer", 2, Meaning::Outer),
    row("sum", 2, Meaning::Sum),
    row("table", 3, Meaning::Curve(CurveKind::Table)),
    row("pchip", 3, Meaning::Curve(CurveKind::Pchip)),
    row("akima", 3, Meaning::Curve(CurveKind::Akima)),
    row("spline", 3, Meaning::Curve(CurveKind::Spline)),
    row("bspline", 3, Meaning::Curve(CurveKind::Bspline)),
    row("csv", 2, Meaning::Column),
];

const fn row(name: &'static str, arguments: usize, meaning: Meaning) -> Function {
    Function {
        name,
        alias: None,
        arguments: (arguments, arguments),
        meaning,
    }
}

const fn also(alias: &'static str, function: Function) -> Function {
    Function {
        alias: Some(alias),
        ..function
    }
}

/// The function of this name.
pub(crate) fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS
        .iter()
        .find(|function| function.name == name || function.alias == Some(name))
}

/// Every name of every function.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS
        .iter()
        .flat_map(|function| [Some(function.name), function.alias])
        .flatten()
}

/// The functions of a frame that return velocities.
pub(super) const FRAME_FUNCTIONS: [&str; 2] = ["velocity", "angular_velocity"];

/// Returns whether this is the name of a function that takes a frame.
pub(super) fn is_frame_function(name: &str) -> bool {
    FRAME_FUNCTIONS.contains(&name)
}
