//! The functions of the graph: name, arity, value and parity, one row each.

/// A function of one argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // each is the mathematical function of its name
pub enum Unary {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Sqrt,
    Abs,
    /// -1, 0 or 1.
    Sign,
}

/// A function of two arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // each is the mathematical function of its name
pub enum Binary {
    Atan2,
    Min,
    Max,
    Hypot,
    /// x^y for a y that is not an integer constant.
    Pow,
}

/// The kinds of comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Comparison {
    /// a < b
    Less,
    /// a <= b
    LessEqual,
    /// a == b
    Equal,
    /// a != b
    NotEqual,
}

impl Comparison {
    /// Returns whether it holds.
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Self::Less => a < b,
            Self::LessEqual => a <= b,
            Self::Equal => a == b,
            Self::NotEqual => a != b,
        }
    }

    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }
}

/// The value of f(-x).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parity {
    Odd,
    Even,
    Neither,
}

impl Unary {
    /// Every function, for tables of tests.
    pub const ALL: [Self; 14] = [
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Sinh,
        Self::Cosh,
        Self::Tanh,
        Self::Exp,
        Self::Ln,
        Self::Sqrt,
        Self::Abs,
        Self::Sign,
    ];

    /// The name in text and in the generated code.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Exp => "exp",
            Self::Ln => "ln",
            Self::Sqrt => "sqrt",
            Self::Abs => "abs",
            Self::Sign => "sign",
        }
    }

    /// f(x).
    pub fn value(self, x: f64) -> f64 {
        match self {
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Tan => x.tan(),
            Self::Asin => x.asin(),
            Self::Acos => x.acos(),
            Self::Atan => x.atan(),
            Self::Sinh => x.sinh(),
            Self::Cosh => x.cosh(),
            Self::Tanh => x.tanh(),
            Self::Exp => x.exp(),
            Self::Ln => x.ln(),
            Self::Sqrt => x.sqrt(),
            Self::Abs => x.abs(),
            Self::Sign if x == 0.0 => 0.0,
            Self::Sign => x.signum(),
        }
    }

    pub(crate) fn parity(self) -> Parity {
        match self {
            Self::Sin
            | Self::Tan
            | Self::Asin
            | Self::Atan
            | Self::Sinh
            | Self::Tanh
            | Self::Sign => Parity::Odd,
            Self::Cos | Self::Cosh | Self::Abs => Parity::Even,
            Self::Acos | Self::Exp | Self::Ln | Self::Sqrt => Parity::Neither,
        }
    }
}

impl Binary {
    /// Every function, for tables of tests.
    pub const ALL: [Self; 5] = [Self::Atan2, Self::Min, Self::Max, Self::Hypot, Self::Pow];

    /// The name in text and in the generated code.
    pub fn name(self) -> &'static str {
        match self {
            Self::Atan2 => "atan2",
            Self::Min => "min",
            Self::Max => "max",
            Self::Hypot => "hypot",
            Self::Pow => "powf",
        }
    }

    /// f(x, y).
    pub fn value(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Atan2 => x.atan2(y),
            Self::Min => x.min(y),
            Self::Max => x.max(y),
            Self::Hypot => x.hypot(y),
            Self::Pow => x.powf(y),
        }
    }
}
