//! Expressions with operators, so that a table row reads as its formula.

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use lagrange_engine::{Binary, Comparison, Graph, NodeId, Number, Symbol, Unary};

/// A node and its graph.
#[derive(Clone, Copy)]
pub(crate) struct Expr<'g> {
    graph: &'g RefCell<Graph>,
    pub(crate) id: NodeId,
}

impl<'g> Expr<'g> {
    pub(crate) fn symbol(graph: &'g RefCell<Graph>, symbol: Symbol) -> Self {
        let id = graph.borrow_mut().symbol(symbol);
        Self { graph, id }
    }

    fn make(self, make: impl FnOnce(&mut Graph) -> NodeId) -> Self {
        let id = make(&mut self.graph.borrow_mut());
        Self { id, ..self }
    }

    /// A constant of the same graph.
    pub(crate) fn number(self, num: i64, den: i64) -> Self {
        self.make(|graph| graph.number(Number::rational(num, den).unwrap()))
    }

    /// The same of a literal.
    pub(crate) fn decimal(self, text: &str) -> Self {
        self.make(|graph| graph.number(Number::parse(text).unwrap()))
    }

    pub(crate) fn pi(self) -> Self {
        self.make(Graph::pi)
    }

    pub(crate) fn powi(self, n: i32) -> Self {
        self.make(|graph| graph.powi(self.id, n))
    }

    pub(crate) fn unary(self, function: Unary) -> Self {
        self.make(|graph| graph.unary(function, self.id))
    }

    pub(crate) fn sin(self) -> Self {
        self.unary(Unary::Sin)
    }

    pub(crate) fn cos(self) -> Self {
        self.unary(Unary::Cos)
    }

    pub(crate) fn tan(self) -> Self {
        self.unary(Unary::Tan)
    }

    pub(crate) fn exp(self) -> Self {
        self.unary(Unary::Exp)
    }

    pub(crate) fn ln(self) -> Self {
        self.unary(Unary::Ln)
    }

    pub(crate) fn sqrt(self) -> Self {
        self.unary(Unary::Sqrt)
    }

    pub(crate) fn abs(self) -> Self {
        self.unary(Unary::Abs)
    }

    pub(crate) fn binary(self, function: Binary, other: Self) -> Self {
        self.make(|graph| graph.binary(function, self.id, other.id))
    }

    pub(crate) fn pow(self, exponent: Self) -> Self {
        self.binary(Binary::Pow, exponent)
    }

    /// `if self < other { then } else { otherwise }`
    pub(crate) fn less(self, other: Self, then: Self, otherwise: Self) -> Self {
        self.select(Comparison::Less, other, then, otherwise)
    }

    /// `if self comparison other { then } else { otherwise }`
    pub(crate) fn select(
        self,
        comparison: Comparison,
        other: Self,
        then: Self,
        otherwise: Self,
    ) -> Self {
        self.make(|graph| graph.select(comparison, self.id, other.id, then.id, otherwise.id))
    }
}

impl Add for Expr<'_> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.make(|graph| graph.add(self.id, other.id))
    }
}

impl Sub for Expr<'_> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.make(|graph| graph.sub(self.id, other.id))
    }
}

impl Mul for Expr<'_> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.make(|graph| graph.mul(self.id, other.id))
    }
}

impl Div for Expr<'_> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self.make(|graph| graph.div(self.id, other.id))
    }
}

impl Neg for Expr<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.make(|graph| graph.neg(self.id))
    }
}

impl Add<i64> for Expr<'_> {
    type Output = Self;
    fn add(self, other: i64) -> Self {
        self + self.number(other, 1)
    }
}

impl Sub<i64> for Expr<'_> {
    type Output = Self;
    fn sub(self, other: i64) -> Self {
        self - self.number(other, 1)
    }
}

impl Mul<i64> for Expr<'_> {
    type Output = Self;
    fn mul(self, other: i64) -> Self {
        self * self.number(other, 1)
    }
}

impl Div<i64> for Expr<'_> {
    type Output = Self;
    fn div(self, other: i64) -> Self {
        self / self.number(other, 1)
    }
}
