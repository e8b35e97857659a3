//! Straight-line code: instructions on temporaries, symbols and constants.

mod bounds;
mod builder;
mod critical_path;
mod evaluation;
mod nan_propagation;
mod signed;
mod sizes;

use crate::{Binary, Comparison, Piecewise, Symbol, Unary};
pub(in crate::codegen) use builder::{Builder, operand_word};
pub use evaluation::Operations;
pub(in crate::codegen) use signed::Signed;

/// An operand of an instruction: a temporary, a symbol or a constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    /// The value of an earlier instruction.
    Temporary(u32),
    /// A leaf.
    Symbol(Symbol),
    /// A constant.
    Constant(f64),
}

/// One operation. Temporaries are numbered in order: each instruction defines one, and
/// [`Instruction::SinCos`] two, the sine and then the cosine.
#[derive(Clone, PartialEq, Debug)]
pub enum Instruction {
    /// a + b
    Add(Operand, Operand),
    /// a - b
    Sub(Operand, Operand),
    /// -a
    Neg(Operand),
    /// a b
    Mul(Operand, Operand),
    /// a / b
    Div(Operand, Operand),
    /// 1 / a
    Recip(Operand),
    /// a b + c
    MulAdd(Operand, Operand, Operand),
    /// c - a b
    NegMulAdd(Operand, Operand, Operand),
    /// a^n for a large n
    Powi(Operand, i32),
    /// Sine and cosine of one angle.
    SinCos(Operand),
    /// f(a)
    Unary(Unary, Operand),
    /// f(a, b)
    Binary(Binary, Operand, Operand),
    /// `if a comparison b { c } else { d }` of `[a, b, c, d]`
    Select(Comparison, [Operand; 4]),
    /// A derivative of a curve at the first operand; the others are its control values.
    Curve(Piecewise, Box<[Operand]>),
}

impl Instruction {
    /// Its operands.
    pub fn operands(&self) -> Vec<Operand> {
        let mut operands = Vec::new();
        self.for_each_operand(|operand| operands.push(operand));
        operands
    }

    /// Calls `visit` for each, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        match *self {
            Self::Neg(a) | Self::Recip(a) | Self::Powi(a, _) => visit(a),
            Self::SinCos(a) | Self::Unary(_, a) => visit(a),
            Self::Add(a, b) | Self::Sub(a, b) | Self::Mul(a, b) | Self::Div(a, b) => {
                visit(a);
                visit(b);
            }
            Self::Binary(_, a, b) => {
                visit(a);
                visit(b);
            }
            Self::MulAdd(a, b, c) | Self::NegMulAdd(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            Self::Select(_, [a, b, then, otherwise]) => {
                visit(a);
                visit(b);
                visit(then);
                visit(otherwise);
            }
            Self::Curve(_, ref operands) => operands.iter().for_each(|operand| visit(*operand)),
        }
    }

    /// The same operation on the images of its operands.
    pub(super) fn with_operands(&self, mut f: impl FnMut(Operand) -> Operand) -> Self {
        match *self {
            Self::Add(a, b) => Self::Add(f(a), f(b)),
            Self::Sub(a, b) => Self::Sub(f(a), f(b)),
            Self::Neg(a) => Self::Neg(f(a)),
            Self::Mul(a, b) => Self::Mul(f(a), f(b)),
            Self::Div(a, b) => Self::Div(f(a), f(b)),
            Self::Recip(a) => Self::Recip(f(a)),
            Self::MulAdd(a, b, c) => Self::MulAdd(f(a), f(b), f(c)),
            Self::NegMulAdd(a, b, c) => Self::NegMulAdd(f(a), f(b), f(c)),
            Self::Powi(a, n) => Self::Powi(f(a), n),
            Self::SinCos(a) => Self::SinCos(f(a)),
            Self::Unary(function, a) => Self::Unary(function, f(a)),
            Self::Binary(function, a, b) => Self::Binary(function, f(a), f(b)),
            Self::Select(comparison, operands) => Self::Select(comparison, operands.map(f)),
            Self::Curve(ref of, ref operands) => Self::Curve(
                of.clone(),
                operands.iter().map(|operand| f(*operand)).collect(),
            ),
        }
    }

    /// The number of temporaries that it defines.
    pub fn results(&self) -> u32 {
        if matches!(self, Self::SinCos(_)) {
            2
        } else {
            1
        }
    }
}

/// Straight-line code and the operands that hold its results.
///
/// ```
/// use lagrange_engine::{Graph, Instruction, Operand, Schedule, Symbol};
/// let [x, y] = [0, 1].map(|i| Operand::Symbol(Symbol::Coordinate(i)));
/// // x y + 1, written by hand.
/// let code = Schedule {
///     instructions: vec![Instruction::MulAdd(x, y, Operand::Constant(1.0))],
///     roots: vec![Operand::Temporary(0)],
/// };
/// assert_eq!(code.evaluate(&|_| 3.0), [10.0]);
/// assert_eq!(code.operations().total(), 2);
/// ```
#[derive(Clone, Default, Debug)]
pub struct Schedule {
    /// The operations in order.
    pub instructions: Vec<Instruction>,
    /// One for each root, in the requested order.
    pub roots: Vec<Operand>,
}
