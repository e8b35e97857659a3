//! Evaluation at complex points, with a bound of the rounding of each value.

use crate::graph::Members;
use crate::number::{CANCELLED, ROUNDINGS_OF_TERMS};
use crate::{Binary, Complex, Graph, Node, NodeId, Number, Piecewise, Symbol, Unary};

/// A complex value and its reliability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Probe {
    /// The value; not finite if it is unknown.
    pub value: Complex,
    /// The size of the numbers whose rounding the value carries, by running error analysis to first
    /// order (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., section 3.3): the
    /// value is known to within a small multiple of `f64::EPSILON * scale`.
    pub scale: f64,
    /// The size of the value, or of the largest of its terms if they cancel to rounding.
    pub size: f64,
    /// No `abs`, `sign`, `min`, `max` or `if` was evaluated, and no root or logarithm on its branch cut: the value is
    /// that of an analytic function, so a zero here is a zero everywhere.
    pub exact: bool,
    /// Every intermediate value was real, so that the real evaluation has this value too.
    pub real: bool,
}

/// The largest error of a value in units of rounding of its scale: complex products and functions take a few each.
const ROUNDINGS: f64 = 4.0;

/// Divisors and arguments of logarithms that are smaller than this, relative to their rounding, are useless; so are
/// angles and exponents larger than its inverse.
const LOST: f64 = 1e-8;

impl Probe {
    const UNKNOWN: Self = Self {
        value: Complex::real(f64::NAN),
        scale: f64::NAN,
        size: f64::NAN,
        exact: false,
        real: false,
    };

    /// A value as exact as its digits.
    pub(crate) fn leaf(value: Complex) -> Self {
        Self {
            value,
            scale: value.abs(),
            size: value.abs(),
            exact: true,
            real: value.is_real(),
        }
    }

    /// A constant, with the bound of its rounding.
    pub(crate) fn number(number: Number) -> Self {
        let (value, scale, size) = number.to_f64_with_scale();
        Self {
            scale,
            size,
            ..Self::leaf(Complex::real(value))
        }
    }

    /// Returns whether value and scale are numbers.
    pub fn is_known(self) -> bool {
        self.value.is_finite() && self.scale.is_finite()
    }

    /// Returns whether the value may be pure rounding.
    pub fn is_rounding(self) -> bool {
        self.value.abs() <= self.rounding()
    }

    /// A bound of the error of the value.
    pub(crate) fn rounding(self) -> f64 {
        ROUNDINGS * f64::EPSILON * self.scale
    }

    /// Returns whether the value is zero: it may be pure rounding, and is as small as rounding beside its terms. `None`
    /// for a value that is only within its bound, which says nothing.
    pub(crate) fn is_zero(self) -> Option<bool> {
        if !self.is_rounding() {
            return Some(false);
        }
        self.is_cancelled().then_some(true)
    }

    /// Returns whether the value is as small as rounding beside its terms. Its bound may be larger: it grows along a
    /// chain of rotations, and terms do not.
    fn is_cancelled(self) -> bool {
        self.value.abs() <= ROUNDINGS_OF_TERMS * f64::EPSILON * self.size
    }

    /// The same with terms of this size, if they cancel.
    fn with_terms(self, size: f64) -> Self {
        let value = self.value.abs();
        let is_cancelled = size > CANCELLED * value;
        Self {
            size: if is_cancelled { size } else { value },
            ..self
        }
    }

    /// Returns whether the value is so small beside its rounding that no bound follows for functions of it.
    fn is_lost(self) -> bool {
        self.value.abs() <= LOST * self.scale
    }

    /// Returns whether the value lies on the cut of `ln` and `sqrt` by no more than rounding.
    fn is_on_the_cut(self) -> bool {
        !self.value.is_real() && self.value.re < 0.0 && self.value.im.abs() <= LOST * self.scale
    }

    fn checked(self) -> Self {
        if self.is_known() { self } else { Self::UNKNOWN }
    }

    fn unary(self, function: Unary) -> Self {
        let value = self.value.unary(function);
        let steepness = steepness(function, self.value, value);
        let unknown = match function {
            Unary::Ln => self.is_lost(),
            Unary::Sin | Unary::Cos | Unary::Tan => self.scale * LOST > 1.0,
            Unary::Exp | Unary::Sinh | Unary::Cosh | Unary::Tanh => self.scale * LOST > 1.0,
            Unary::Asin | Unary::Acos | Unary::Atan | Unary::Sqrt => false,
            Unary::Abs | Unary::Sign => false,
        };
        if unknown {
            return Self::UNKNOWN;
        }
        let mut carried = steepness * self.scale;
        let mut scale = value.abs();
        match function {
            // Steep at 0, but the error is at most the root of the argument's error.
            Unary::Sqrt => carried = carried.min((self.scale / f64::EPSILON).sqrt()),
            // By logarithms of numbers near 1.
            Unary::Asin | Unary::Acos | Unary::Atan | Unary::Ln => scale += 1.0,
            _ => {}
        }
        let analytic = !matches!(function, Unary::Abs | Unary::Sign);
        let cut = matches!(function, Unary::Sqrt | Unary::Ln) && self.is_on_the_cut();
        Self {
            value,
            scale: carried + scale,
            size: value.abs(),
            exact: self.exact && analytic && !cut,
            real: self.real && value.is_real(),
        }
        .with_terms(steepness.min(carried / self.scale) * self.size)
        .checked()
    }

    fn binary(function: Binary, x: Self, y: Self) -> Self {
        let value = Complex::binary(function, x.value, y.value);
        let both_exact = x.exact && y.exact;
        let both_real = x.real && y.real;
        let (scale, size, exact) = match function {
            Binary::Min | Binary::Max => {
                let taken = if value == x.value { x } else { y };
                (taken.scale, taken.size, false)
            }
            Binary::Hypot => (x.scale + y.scale, x.size.max(y.size), both_exact),
            Binary::Atan2 => {
                let norm = (x.value * x.value + y.value * y.value).abs();
                let size = x.value.abs().hypot(y.value.abs());
                let scale = (x.scale + y.scale) * size / norm;
                if scale * LOST > 1.0 {
                    return Self::UNKNOWN;
                }
                (scale + value.abs() + 1.0, 1.0, both_exact)
            }
            Binary::Pow => {
                if x.is_lost() {
                    return Self::UNKNOWN;
                }
                let logarithm = x.unary(Unary::Ln);
                let exponent = Self::times(logarithm, y);
                let power = exponent.unary(Unary::Exp);
                (power.scale, power.size, both_exact && logarithm.exact)
            }
        };
        Self {
            value,
            scale,
            size,
            exact,
            real: both_real && value.is_real(),
        }
        .checked()
    }

    /// By the piece at the real part of x.
    fn curve(of: &Piecewise, x: Self, controls: &[Self]) -> Self {
        let mut arguments = controls.iter().chain([&x]);
        if !arguments.all(|probe| probe.is_known()) {
            return Self::UNKNOWN;
        }
        let values: Vec<Complex> = controls.iter().map(|control| control.value).collect();
        let value_of = |of: &Piecewise| of.curve.complex_value(of.order, x.value, &values);
        let ((value, size), (slope, _)) = (value_of(of), value_of(&of.derivative()));
        // The size is linear in the control values, whose errors are shares of their scales.
        let share = controls
            .iter()
            .map(|control| control.scale / control.value.abs())
            .filter(|share| share.is_finite())
            .fold(1.0, f64::max);
        Self {
            value,
            scale: slope.abs() * x.scale + share * size,
            size: value.abs(),
            exact: false,
            real: controls.iter().chain([&x]).all(|probe| probe.real),
        }
        .with_terms(size.max(slope.abs() * x.size))
        .checked()
    }

    fn times(x: Self, y: Self) -> Self {
        Self {
            value: x.value * y.value,
            scale: x.scale * y.value.abs() + x.value.abs() * y.scale,
            size: x.size * y.size,
            exact: x.exact && y.exact,
            real: x.real && y.real,
        }
    }

    fn powi(self, exponent: i32) -> Self {
        if exponent < 0 && self.is_lost() {
            return Self::UNKNOWN;
        }
        // |n x^(n-1)| times the error of x.
        let steepness =
            f64::from(exponent).abs() * self.value.powi(exponent.saturating_sub(1)).abs();
        let value = self.value.powi(exponent);
        Self {
            value,
            scale: steepness * self.scale,
            size: match exponent > 0 {
                true => self.size.powi(exponent),
                false => value.abs(),
            },
            ..self
        }
    }
}

/// |f'(x)| for f(x) = `value`.
fn steepness(function: Unary, x: Complex, value: Complex) -> f64 {
    let square = value * value;
    match function {
        Unary::Sin => x.unary(Unary::Cos).abs(),
        Unary::Cos => x.unary(Unary::Sin).abs(),
        Unary::Tan => (Complex::ONE + square).abs(),
        Unary::Asin | Unary::Acos => 1.0 / (Complex::ONE - x * x).abs().sqrt(),
        Unary::Atan => 1.0 / (Complex::ONE + x * x).abs(),
        Unary::Sinh => x.unary(Unary::Cosh).abs(),
        Unary::Cosh => x.unary(Unary::Sinh).abs(),
        Unary::Tanh => (Complex::ONE - square).abs(),
        Unary::Exp => value.abs(),
        Unary::Ln => 1.0 / x.abs(),
        Unary::Sqrt => 0.5 / value.abs(),
        Unary::Abs => 1.0,
        Unary::Sign => 0.0,
    }
}

impl Graph {
    /// The values of `roots` at a complex point, from which [`is_identically_zero`](crate::is_identically_zero) and
    /// [`rank`](crate::rank) decide.
    ///
    /// Analytic functions have no gaps there, unlike `sqrt`, `ln` and `asin` on the real line. `abs`, `sign`, `min`,
    /// `max` and `if` follow the branch of the real part and clear [`Probe::exact`].
    pub fn evaluate_complex(
        &self,
        roots: &[NodeId],
        value: &dyn Fn(Symbol) -> Complex,
    ) -> Vec<Probe> {
        self.evaluate_probes(roots, &|symbol| Probe::leaf(value(symbol)))
    }

    /// The same from values that are known to within their scale.
    pub(crate) fn evaluate_probes(
        &self,
        roots: &[NodeId],
        value: &dyn Fn(Symbol) -> Probe,
    ) -> Vec<Probe> {
        let members = Members::of(self, roots);
        let mut probes = Vec::with_capacity(members.nodes.len());
        for id in &members.nodes {
            let probe_of = |child: &NodeId| probes[members.at(*child)];
            let probe = probe_node(self.node(*id), probe_of, value).checked();
            probes.push(probe);
        }
        roots.iter().map(|root| probes[members.at(*root)]).collect()
    }
}

fn probe_node(
    node: &Node,
    probe_of: impl Fn(&NodeId) -> Probe,
    value: &dyn Fn(Symbol) -> Probe,
) -> Probe {
    match node {
        Node::Number(number) => Probe::number(*number),
        Node::Pi => Probe::leaf(Complex::real(std::f64::consts::PI)),
        Node::Symbol(symbol) => value(*symbol),
        Node::Sum { constant, terms } => sum(*constant, terms, probe_of),
        Node::Product(factors) => {
            let mut product = Probe {
                scale: 0.0,
                ..Probe::leaf(Complex::ONE)
            };
            for (base, exponent) in factors {
                product = Probe::times(product, probe_of(base).powi(*exponent));
            }
            product
        }
        Node::Unary(function, x) => probe_of(x).unary(*function),
        Node::Binary(function, x, y) => Probe::binary(*function, probe_of(x), probe_of(y)),
        Node::Curve { of, x, controls } => {
            let values: Vec<Probe> = controls.iter().map(&probe_of).collect();
            Probe::curve(of, probe_of(x), &values)
        }
        Node::Select {
            comparison,
            sides: [left, right],
            then,
            otherwise,
        } => {
            let (left, right) = (probe_of(left), probe_of(right));
            if !(left.is_known() && right.is_known()) {
                return Probe::UNKNOWN;
            }
            let holds = comparison.holds(left.value.re, right.value.re);
            let taken = probe_of(if holds { then } else { otherwise });
            Probe {
                exact: false,
                real: taken.real && left.real && right.real,
                ..taken
            }
        }
    }
}

fn sum(constant: Number, terms: &[(Number, NodeId)], probe_of: impl Fn(&NodeId) -> Probe) -> Probe {
    let mut sum = Probe::number(constant);
    for (coefficient, term) in terms {
        let (factor, term) = (Probe::number(*coefficient), probe_of(term));
        let product = Probe::times(factor, term);
        sum.value = sum.value + product.value;
        // Each partial sum is rounded.
        sum.scale += product.scale + sum.value.re.abs() + sum.value.im.abs();
        sum.size = sum.size.max(product.size);
        sum.exact &= term.exact;
        sum.real &= term.real;
    }
    sum.with_terms(sum.size)
}
