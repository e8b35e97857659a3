//! The smart constructors and their simplifications.
//!
//! Every rule is local and bounded: nothing is expanded, and no rule makes an expression longer.
//!
//! | rule | example | domain |
//! | --- | --- | --- |
//! | constants | `1/2 + 1/3 = 5/6`, `cos(pi/2) = 0`, `sqrt(4) = 2` | exact |
//! | like terms | `2 x + x = 3 x`, `x - x = 0` | x finite |
//! | like factors | `x x^2 = x^3`, `x / x = 1` | x finite, x != 0 |
//! | zero | `0 x = 0` | x finite |
//! | content | `2 a + 2 b = 2 (a + b)`, `b - a = -(a - b)` | all |
//! | parity | `sin(-x) = -sin(x)`, `cos(-x) = cos(x)` | all |
//! | squares | `sqrt(x)^2 = x`, `abs(x)^2 = x^2` | x >= 0 for `sqrt` |
//! | norms | `hypot(x, y)^2 = x^2 + y^2` | x, y with squares in the range of doubles |
//! | twice | `abs(abs(x)) = abs(x)`, `sign(sign(x)) = sign(x)` | all |
//! | Pythagoras | `a sin(x)^2 + a cos(x)^2 = a` | x finite |
//! | branches | `if c { x } else { x } = x` | all |
//! | curves | a derivative of a curve that is a number everywhere | x finite |

use super::{Graph, Node};
use crate::op::Parity;
use crate::{Binary, Comparison, Curve, NodeId, Number, Piecewise, Symbol, Unary};
use std::sync::Arc;

impl Graph {
    /// The constant `number`.
    pub fn number(&mut self, number: Number) -> NodeId {
        self.intern(Node::Number(number))
    }

    /// The integer `n`.
    pub fn integer(&mut self, n: i64) -> NodeId {
        self.number(Number::integer(n))
    }

    /// The circle constant.
    pub fn pi(&mut self) -> NodeId {
        self.intern(Node::Pi)
    }

    /// A leaf.
    pub fn symbol(&mut self, symbol: Symbol) -> NodeId {
        self.intern(Node::Symbol(symbol))
    }

    /// The leaf, if the graph has it.
    pub fn leaf(&self, symbol: Symbol) -> Option<NodeId> {
        self.lookup(&Node::Symbol(symbol))
    }

    /// a + b
    pub fn add(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.sum_of_two((Number::ONE, a), (Number::ONE, b))
    }

    /// a - b
    pub fn sub(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.sum_of_two((Number::ONE, a), (Number::MINUS_ONE, b))
    }

    /// -a
    pub fn neg(&mut self, a: NodeId) -> NodeId {
        self.scale(Number::MINUS_ONE, a)
    }

    /// coefficient * a
    pub fn scale(&mut self, coefficient: Number, a: NodeId) -> NodeId {
        if coefficient.is_one() {
            return a;
        }
        let is_scaled = match self.node(a) {
            Node::Number(_) => true,
            Node::Sum { constant, terms } => terms.len() == 1 && constant.is_zero(),
            _ => false,
        };
        if !is_scaled && !coefficient.is_zero() {
            return self.intern(Node::Sum {
                constant: Number::ZERO,
                terms: Box::new([(coefficient, a)]),
            });
        }
        self.sum(Number::ZERO, vec![(coefficient, a)])
    }

    /// a * b
    pub fn mul(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if let Node::Number(coefficient) = *self.node(a)
            && let Some(product) = self.multiple(a, coefficient, b)
        {
            return product;
        }
        if let Node::Number(coefficient) = *self.node(b)
            && let Some(product) = self.multiple(b, coefficient, a)
        {
            return product;
        }
        if a.0 != b.0 && self.is_bare_factor(a) && self.is_bare_factor(b) {
            let (first, second) = if a.0 < b.0 { (a, b) } else { (b, a) };
            return self.intern(Node::Product(Box::new([(first, 1), (second, 1)])));
        }
        self.product(vec![(a, 1), (b, 1)])
    }

    /// a / b. A literal zero as divisor is kept and evaluates to infinity or NaN.
    pub fn div(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.product(vec![(a, 1), (b, -1)])
    }

    /// a^n
    pub fn powi(&mut self, a: NodeId, n: i32) -> NodeId {
        self.product(vec![(a, n)])
    }

    /// The sum of all.
    pub fn total(&mut self, terms: impl IntoIterator<Item = NodeId>) -> NodeId {
        let terms = terms.into_iter().map(|term| (Number::ONE, term)).collect();
        self.sum(Number::ZERO, terms)
    }

    /// a . b, for the entries that both have.
    pub fn dot(&mut self, a: &[NodeId], b: &[NodeId]) -> NodeId {
        let products: Vec<_> = a.iter().zip(b).map(|(a, b)| self.mul(*a, *b)).collect();
        self.total(products)
    }

    /// constant + sum of coefficient * term
    pub fn sum(&mut self, constant: Number, terms: Vec<(Number, NodeId)>) -> NodeId {
        match self.collect_terms(constant, terms) {
            Some((constant, terms)) => self.intern_sum(constant, terms),
            // A coefficient overflowed: infinity, which no rational or finite double holds.
            None => self.not_finite(),
        }
    }

    /// The sum of each list of coefficients and terms.
    pub(crate) fn sums(&mut self, lists: Vec<Vec<(Number, NodeId)>>) -> Vec<NodeId> {
        lists
            .into_iter()
            .map(|terms| self.sum(Number::ZERO, terms))
            .collect()
    }

    /// The symbols of this kind, numbered from 0.
    pub(crate) fn numbered(&mut self, count: usize, kind: fn(u32) -> Symbol) -> Vec<NodeId> {
        (0..count as u32)
            .map(|number| self.symbol(kind(number)))
            .collect()
    }

    /// f(x)
    pub fn unary(&mut self, function: Unary, x: NodeId) -> NodeId {
        if let Some(value) = self.exact_value(function, x) {
            return value;
        }
        if self.is_repeated(function, x) {
            return x;
        }
        if let (Parity::Odd | Parity::Even, Some(opposite)) =
            (function.parity(), self.without_minus(x))
        {
            let value = self.unary(function, opposite);
            return match function.parity() {
                Parity::Odd => self.neg(value),
                Parity::Even | Parity::Neither => value,
            };
        }
        self.intern(Node::Unary(function, x))
    }

    /// f(x, y)
    pub fn binary(&mut self, function: Binary, x: NodeId, y: NodeId) -> NodeId {
        match function {
            Binary::Pow => return self.power(x, y),
            Binary::Min | Binary::Max if x == y => return x,
            Binary::Min | Binary::Max => {
                if let (Some(a), Some(b)) = (self.as_number(x), self.as_number(y)) {
                    let first = function.value(a.to_f64(), b.to_f64()) == a.to_f64();
                    return if first { x } else { y };
                }
            }
            Binary::Hypot => return self.hypot(x, y),
            Binary::Atan2 => {}
        }
        self.intern(Node::Binary(function, x, y))
    }

    /// The derivative of an order of a curve at x. `controls` are the control values of a curve that has them.
    ///
    /// A curve whose control values are all numbers is one without, and a B-spline of some such values is a sum of curves.
    pub fn curve(&mut self, of: Piecewise, x: NodeId, controls: &[NodeId]) -> NodeId {
        if let Some(value) = of.constant_of(controls.len()) {
            return self.number(Number::float(value));
        }
        if controls.is_empty() {
            let of = self.interned(of);
            let controls = Box::default();
            return self.intern(Node::Curve { of, x, controls });
        }
        if controls
            .iter()
            .any(|control| self.as_number(*control).is_some())
        {
            let terms: Vec<NodeId> = (0..controls.len())
                .map(|i| {
                    let basis = self.basis(&of, i, x);
                    self.mul(controls[i], basis)
                })
                .collect();
            return self.total(terms);
        }
        let of = self.interned(of);
        let controls = controls.into();
        self.intern(Node::Curve { of, x, controls })
    }

    /// The derivative of a curve by a control value.
    pub(crate) fn basis(&mut self, of: &Piecewise, control: usize, x: NodeId) -> NodeId {
        match of.curve.basis(control) {
            Some(basis) => {
                let of = Piecewise {
                    curve: Arc::new(basis),
                    order: of.order,
                };
                self.curve(of, x, &[])
            }
            None => self.not_finite(),
        }
    }

    /// The same curve, stored once.
    fn interned(&mut self, of: Piecewise) -> Piecewise {
        let curve: Arc<Curve> = match self.curves.iter().find(|known| ***known == *of.curve) {
            Some(known) => known.clone(),
            None => {
                self.curves.push(of.curve.clone());
                of.curve
            }
        };
        Piecewise { curve, ..of }
    }

    /// The length. Its square is made too, so that products find it, even for nested lengths.
    fn hypot(&mut self, x: NodeId, y: NodeId) -> NodeId {
        let length = self.intern(Node::Binary(Binary::Hypot, x, y));
        if !self.squares.contains_key(&length) {
            let squares = [self.powi(x, 2), self.powi(y, 2)];
            let square = self.add(squares[0], squares[1]);
            self.squares.insert(length, square);
        }
        length
    }

    /// x^y: a product for an integer constant y, a root for 1/2.
    fn power(&mut self, x: NodeId, y: NodeId) -> NodeId {
        if let Some(exponent) = self.as_number(y) {
            if let Some(n) = exponent.to_integer().and_then(|n| i32::try_from(n).ok()) {
                return self.powi(x, n);
            }
            if exponent.abs() == Number::HALF {
                let root = self.unary(Unary::Sqrt, x);
                return self.powi(root, if exponent.is_negative() { -1 } else { 1 });
            }
        }
        self.intern(Node::Binary(Binary::Pow, x, y))
    }

    /// `if left comparison right { then } else { otherwise }`
    pub fn select(
        &mut self,
        comparison: Comparison,
        left: NodeId,
        right: NodeId,
        then: NodeId,
        otherwise: NodeId,
    ) -> NodeId {
        if then == otherwise {
            return then;
        }
        if let (Some(a), Some(b)) = (self.as_number(left), self.as_number(right)) {
            let holds = comparison.holds(a.to_f64(), b.to_f64());
            return if holds { then } else { otherwise };
        }
        self.intern(Node::Select {
            comparison,
            sides: [left, right],
            then,
            otherwise,
        })
    }

    /// 0^-1, for which every evaluator returns a value that is not finite.
    pub(super) fn not_finite(&mut self) -> NodeId {
        let zero = self.integer(0);
        self.intern(Node::Product([(zero, -1)].into()))
    }

    /// Returns whether f(x) is x, because x is a value of f.
    fn is_repeated(&self, function: Unary, x: NodeId) -> bool {
        let is_same = matches!(self.node(x), Node::Unary(inner, _) if *inner == function);
        is_same && matches!(function, Unary::Abs | Unary::Sign)
    }

    /// -x, if x is written with a minus sign.
    fn without_minus(&mut self, x: NodeId) -> Option<NodeId> {
        match self.node(x) {
            Node::Number(number) if number.is_negative() => Some(self.neg(x)),
            Node::Sum { constant, terms }
                if constant.is_zero() && terms.len() == 1 && terms[0].0.is_negative() =>
            {
                Some(self.neg(x))
            }
            _ => None,
        }
    }

    /// f(x) if it is rational.
    fn exact_value(&mut self, function: Unary, x: NodeId) -> Option<NodeId> {
        if let Some(number) = self.as_number(x) {
            let value = match function {
                Unary::Sin | Unary::Tan | Unary::Asin | Unary::Atan | Unary::Sinh | Unary::Tanh
                    if number.is_zero() =>
                {
                    Number::ZERO
                }
                Unary::Cos | Unary::Cosh | Unary::Exp if number.is_zero() => Number::ONE,
                Unary::Ln | Unary::Acos if number.is_one() => Number::ZERO,
                Unary::Sqrt => number.exact_sqrt()?,
                Unary::Abs => number.abs(),
                Unary::Sign if number.is_zero() => Number::ZERO,
                Unary::Sign if number.is_negative() => Number::MINUS_ONE,
                Unary::Sign => Number::ONE,
                _ => return None,
            };
            return Some(self.number(value));
        }
        let twelfths = self.twelfths_of_a_turn(x)?;
        let value = match function {
            Unary::Sin => sine_of_twelfths(twelfths)?,
            Unary::Cos => sine_of_twelfths(twelfths + 3)?,
            Unary::Tan if twelfths % 6 == 0 => Number::ZERO,
            _ => return None,
        };
        Some(self.number(value))
    }

    /// x in units of pi/6, if it is a whole multiple of it.
    fn twelfths_of_a_turn(&self, x: NodeId) -> Option<i64> {
        let multiple = match self.node(x) {
            Node::Pi => Number::ONE,
            Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
                let (coefficient, term) = terms[0];
                matches!(self.node(term), Node::Pi).then_some(coefficient)?
            }
            _ => return None,
        };
        let twelfths = multiple.checked_mul(Number::integer(6))?.to_integer()?;
        Some(twelfths.rem_euclid(12))
    }
}

/// sin(n pi/6) if it is rational.
fn sine_of_twelfths(n: i64) -> Option<Number> {
    match n.rem_euclid(12) {
        0 | 6 => Some(Number::ZERO),
        1 | 5 => Some(Number::HALF),
        3 => Some(Number::ONE),
        7 | 11 => Some(-Number::HALF),
        9 => Some(Number::MINUS_ONE),
        _ => None,
    }
}
