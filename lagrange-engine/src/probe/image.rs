//! The values of expressions in a field of prime order: exact, so that zero is zero, whatever is added to it.
//!
//! An expression that is zero by the laws of sums, products, powers, roots, sines, cosines and exponentials is zero at
//! every point of the field. Other expressions are hardly ever zero (Schwartz and Zippel, see `probe.rs`). A sine and a
//! cosine are those of a point of the circle. Each part of an argument has its own point, so that a sum of angles is a
//! product of points; the same holds for exponentials. The squares of the field replace the positive numbers: one of
//! two opposite roots is a square, and `abs`, `min` or a comparison use it. If a law cannot be represented, such as
//! ln(x y) = ln(x) + ln(y), the function has a random value for each argument.

mod numbers;

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::points::SplitMix;
use super::prime::{Element, PRIME, Rotation, TURNS};
use crate::graph::{Members, Mix};
use crate::{Binary, Comparison, Graph, Node, NodeId, Number, Piecewise, Symbol, Unary};
pub(crate) use numbers::{DOUBTED, Doubts, ENOUGH, Image};
use numbers::{half, rational_power, residue, scaled};

/// The values of `roots` at a random point; each number selects another point.
pub(super) fn images(graph: &Graph, roots: &[NodeId], point: usize) -> Vec<Image> {
    images_at(graph, roots, point, &|symbol| random(point, symbol))
}

/// The value of a symbol at a random point, before quaternions get unit length. At every other point all symbols are
/// squares, so that their roots and powers are known.
pub(crate) fn random(point: usize, symbol: Symbol) -> Element {
    let random = Element::of(SplitMix::new(point, symbol).below(PRIME));
    if point.is_multiple_of(2) {
        random * random
    } else {
        random
    }
}

/// The values of `roots` where the symbols have these values; functions that the field cannot represent have the random
/// values of a point.
pub(crate) fn images_at(
    graph: &Graph,
    roots: &[NodeId],
    point: usize,
    symbols: &dyn Fn(Symbol) -> Element,
) -> Vec<Image> {
    let members = Members::of(graph, roots);
    let mut at_point = AtPoint {
        graph,
        point,
        symbols,
        members: &members,
        images: Vec::with_capacity(members.nodes.len()),
        turns: HashMap::new(),
    };
    for id in &members.nodes {
        let image = at_point.image(graph.node(*id));
        at_point.images.push(image.unwrap_or(Image::UNKNOWN));
    }
    roots.iter().map(|root| at_point.at(*root)).collect()
}

struct AtPoint<'a> {
    graph: &'a Graph,
    point: usize,
    symbols: &'a dyn Fn(Symbol) -> Element,
    members: &'a Members,
    /// The values of the members so far.
    images: Vec<Image>,
    /// The values of the angles so far.
    turns: HashMap<NodeId, (Rotation, Doubts)>,
}

/// The owner of a random value, besides its argument.
#[derive(Clone, Copy)]
enum Of {
    Angle = 1,
    Exponential,
    Power,
    Ln,
    Asin,
    Atan,
    Atan2,
    Pi,
    Curve,
}

impl AtPoint<'_> {
    fn at(&self, id: NodeId) -> Image {
        self.images[self.members.at(id)]
    }

    fn image(&mut self, node: &Node) -> Option<Image> {
        Some(match node {
            Node::Number(number) => scaled(*number, Element::ONE)?,
            Node::Pi => Image::certain(self.pi()),
            Node::Symbol(symbol) => Image::certain(self.symbol(*symbol)),
            Node::Sum { constant, terms } => self.sum(*constant, terms)?,
            Node::Product(factors) => self.product(factors)?,
            Node::Unary(function, x) => self.unary(*function, *x)?,
            Node::Binary(function, x, y) => self.binary(*function, *x, *y)?,
            Node::Curve { of, x, controls } => self.curve(of, *x, controls)?,
            Node::Select {
                comparison,
                sides: [left, right],
                then,
                otherwise,
            } => {
                let [left, right] = [self.at(*left), self.at(*right)];
                let holds = holds(*comparison, left.value?, right.value?);
                let taken = self.at(if holds { *then } else { *otherwise });
                let sides = left.doubts.and(right.doubts).and(Doubts::BRANCHES);
                Image::with(taken.value?, taken.doubts.and(sides))
            }
        })
    }

    /// A random element for these words.
    fn random(&self, of: Of, x: Element, y: Element) -> u64 {
        let words = [of as u64, x.re, x.im, y.re, y.im];
        SplitMix::of_words(self.point, &words).below(PRIME)
    }

    fn pi(&self) -> Element {
        Element::of(self.random(Of::Pi, Element::ZERO, Element::ZERO))
    }

    fn symbol(&self, symbol: Symbol) -> Element {
        match self.graph.rotation_of(symbol) {
            Some(first) => unit_quaternion(first, symbol, self.symbols),
            None => (self.symbols)(symbol),
        }
    }

    fn sum(&self, constant: Number, terms: &[(Number, NodeId)]) -> Option<Image> {
        let mut sum = match constant.is_zero() {
            true => Image::certain(Element::ZERO),
            false => scaled(constant, Element::ONE)?,
        };
        for (coefficient, term) in terms {
            let image = self.at(*term);
            let term = scaled(*coefficient, image.value?)?;
            sum = Image::with(
                sum.value? + term.value?,
                sum.doubts.and(term.doubts).and(image.doubts),
            );
        }
        Some(sum)
    }

    fn product(&self, factors: &[(NodeId, i32)]) -> Option<Image> {
        let (mut above, mut below) = (Element::ONE, Element::ONE);
        let mut doubts = Doubts::NONE;
        for (base, exponent) in factors {
            let image = self.at(*base);
            let base = image.value?;
            let power = match exponent.unsigned_abs() {
                1 => base,
                n => base.power(u64::from(n)),
            };
            let side = if *exponent < 0 {
                &mut below
            } else {
                &mut above
            };
            *side = *side * power;
            doubts = doubts.and(image.doubts);
        }
        let value = if below == Element::ONE {
            above
        } else {
            above * below.inverse()?
        };
        Some(Image::with(value, doubts))
    }

    fn unary(&mut self, function: Unary, argument: NodeId) -> Option<Image> {
        let image = self.at(argument);
        let (x, doubts) = (image.value?, image.doubts);
        let with_unknown_laws = |value| Image::with(value, doubts.and(Doubts::LAWS));
        Some(match function {
            Unary::Sin | Unary::Cos | Unary::Tan => {
                let (turn, doubts) = self.rotation(argument)?;
                let value = match function {
                    Unary::Sin => turn.sin,
                    Unary::Cos => turn.cos,
                    _ => turn.sin * turn.cos.inverse()?,
                };
                Image::with(value, doubts)
            }
            Unary::Sinh | Unary::Cosh | Unary::Tanh | Unary::Exp => {
                let (power, doubts) = self.exponential(argument)?;
                let inverse = power.inverse()?;
                let (sum, difference) = (power + inverse, power - inverse);
                let value = match function {
                    Unary::Sinh => difference * half(),
                    Unary::Cosh => sum * half(),
                    Unary::Tanh => difference * sum.inverse()?,
                    _ => power,
                };
                Image::with(value, doubts)
            }
            Unary::Ln => match *self.graph.node(argument) {
                Node::Unary(Unary::Exp, inner) => self.at(inner),
                _ if x.is_zero() => return None,
                _ if x == Element::ONE => Image::with(Element::ZERO, doubts),
                _ => with_unknown_laws(Element::of(self.random(Of::Ln, x, Element::ZERO))),
            },
            Unary::Asin => with_unknown_laws(self.odd(Of::Asin, x)),
            Unary::Acos => with_unknown_laws(self.pi() * half() - self.odd(Of::Asin, x)),
            Unary::Atan => with_unknown_laws(self.odd(Of::Atan, x)),
            Unary::Sqrt => Image::with(x.root()?, doubts.and(Doubts::ROOTS)),
            Unary::Abs => {
                let value = if x.sign() < 0 { -x } else { x };
                Image::with(value, doubts.and(Doubts::BRANCHES))
            }
            Unary::Sign => {
                let value = match x.sign() {
                    0 => Element::ZERO,
                    1 => Element::ONE,
                    _ => -Element::ONE,
                };
                Image::with(value, doubts.and(Doubts::BRANCHES))
            }
        })
    }

    /// A random value that changes its sign with x.
    fn odd(&self, of: Of, x: Element) -> Element {
        let random = |x| Element::of(self.random(of, x, Element::ZERO));
        match x.sign() {
            0 if x.is_zero() => Element::ZERO,
            sign if sign < 0 => -random(-x),
            _ => random(x),
        }
    }

    fn binary(&self, function: Binary, x: NodeId, y: NodeId) -> Option<Image> {
        let [left, right] = [self.at(x), self.at(y)];
        let doubts = left.doubts.and(right.doubts);
        let (a, b) = (left.value?, right.value?);
        Some(match function {
            Binary::Min | Binary::Max => {
                let is_less = holds(Comparison::Less, a, b);
                let value = if is_less == (function == Binary::Min) {
                    a
                } else {
                    b
                };
                Image::with(value, doubts.and(Doubts::BRANCHES))
            }
            Binary::Hypot => {
                let root = (a * a + b * b).root()?;
                Image::with(root, doubts.and(Doubts::ROOTS))
            }
            Binary::Atan2 => {
                let value = Element::of(self.random(Of::Atan2, a, b));
                Image::with(value, doubts.and(Doubts::LAWS))
            }
            Binary::Pow => {
                let (value, power_doubts) = self.general_power(a, y)?;
                Image::with(value, doubts.and(power_doubts))
            }
        })
    }

    /// A random value for a curve, its arguments and its control values.
    fn curve(&self, of: &Piecewise, x: NodeId, controls: &[NodeId]) -> Option<Image> {
        let mut words = Mix(Of::Curve as u64);
        of.hash(&mut words);
        let mut doubts = Doubts::LAWS;
        for argument in controls.iter().chain([&x]) {
            let image = self.at(*argument);
            let value = image.value?;
            words.mix(value.re);
            words.mix(value.im);
            doubts = doubts.and(image.doubts);
        }
        let random = SplitMix::of_words(self.point, &[words.0]).below(PRIME);
        Some(Image::with(Element::of(random), doubts))
    }

    /// x to the sum of the parts of y.
    fn general_power(&self, x: Element, y: NodeId) -> Option<(Element, Doubts)> {
        let mut power = Element::ONE;
        let mut doubts = Doubts::ROOTS;
        for (coefficient, part) in self.parts(y)? {
            let (factor, factor_doubts) = match part {
                Part::One => rational_power(x, coefficient)?,
                Part::Pi | Part::Node(_) => {
                    let value = match part {
                        Part::Node(part) => self.at(part).value?,
                        _ => self.pi(),
                    };
                    let random = Element::of(self.random(Of::Power, x, value));
                    let (factor, factor_doubts) = rational_power(random * random, coefficient)?;
                    (factor, factor_doubts.and(Doubts::LAWS))
                }
            };
            power = power * factor;
            doubts = doubts.and(factor_doubts);
        }
        Some((power, doubts))
    }

    /// The point of the circle at an angle, kept for longer sums and for its other functions.
    fn rotation(&mut self, angle: NodeId) -> Option<(Rotation, Doubts)> {
        if let Some(known) = self.turns.get(&angle) {
            return Some(*known);
        }
        let mut turn = Rotation::NONE;
        let mut doubts = Doubts::NONE;
        for (coefficient, part) in self.parts(angle)? {
            let (part_turn, part_doubts) = self.turn_by(coefficient, part)?;
            turn = if turn == Rotation::NONE {
                part_turn
            } else {
                turn.then(part_turn)
            };
            doubts = doubts.and(part_doubts);
        }
        self.turns.insert(angle, (turn, doubts));
        Some((turn, doubts))
    }

    fn turn_by(&self, coefficient: Number, part: Part) -> Option<(Rotation, Doubts)> {
        let (value, mut doubts) = match part {
            Part::One => (Element::ONE, Doubts::NONE),
            Part::Pi => {
                let twelfths = coefficient.checked_mul(Number::integer(12))?;
                if let Some(twelfths) = twelfths.to_integer() {
                    let turn = Rotation::twelfth_of_pi();
                    return Some((turn.power(twelfths.rem_euclid(24) as u64), Doubts::NONE));
                }
                (self.pi(), Doubts::LAWS)
            }
            Part::Node(node) => {
                if let Some(times) = coefficient.to_integer() {
                    let known = self.turns.get(&node).copied().map(Some);
                    if let Some(turn) = known.or_else(|| self.inverse_turn(node)) {
                        let (turn, doubts) = turn?;
                        return Some((multiple(turn, times), doubts));
                    }
                }
                let image = self.at(node);
                (image.value?, image.doubts.and(self.doubts_of_part(node)))
            }
        };
        let turn = Rotation::from(self.random(Of::Angle, value, Element::ZERO));
        let turn = match coefficient.to_integer() {
            Some(times) => multiple(turn, times),
            None => {
                let exponent = residue(coefficient, TURNS)?;
                doubts = doubts.and(exponent.doubts);
                turn.power(exponent.value)
            }
        };
        Some((turn, doubts))
    }

    /// The point at an angle that is an inverse function; `None` for other angles.
    #[allow(clippy::option_option)]
    fn inverse_turn(&self, node: NodeId) -> Option<Option<(Rotation, Doubts)>> {
        let [x, y] = match *self.graph.node(node) {
            Node::Unary(Unary::Asin | Unary::Acos | Unary::Atan, x) => [self.at(x); 2],
            Node::Binary(Binary::Atan2, x, y) => [self.at(x), self.at(y)],
            _ => return None,
        };
        let doubts = x.doubts.and(y.doubts).and(Doubts::ROOTS);
        let turn = || {
            let (x, y) = (x.value?, y.value?);
            let other_side = || (Element::ONE - x * x).root();
            let (sin, cos) = match *self.graph.node(node) {
                Node::Unary(Unary::Asin, _) => (x, other_side()?),
                Node::Unary(Unary::Acos, _) => (other_side()?, x),
                Node::Unary(..) => (x, Element::ONE),
                _ => (x, y),
            };
            let size = (sin * sin + cos * cos).root()?.inverse()?;
            Some(Rotation {
                cos: cos * size,
                sin: sin * size,
            })
        };
        Some(turn().map(|turn| (turn, doubts)))
    }

    /// exp(x)
    fn exponential(&self, exponent: NodeId) -> Option<(Element, Doubts)> {
        let mut power = Element::ONE;
        let mut doubts = Doubts::NONE;
        for (coefficient, part) in self.parts(exponent)? {
            let (value, of_part) = match part {
                Part::One => (Element::ONE, Doubts::NONE),
                Part::Pi => (self.pi(), Doubts::NONE),
                Part::Node(node) => {
                    let image = self.at(node);
                    (image.value?, image.doubts.and(self.doubts_of_part(node)))
                }
            };
            let argument_of_ln = match part {
                Part::Node(node) => match *self.graph.node(node) {
                    Node::Unary(Unary::Ln, x) => Some(x),
                    _ => None,
                },
                _ => None,
            };
            let (base, of_base) = if let Some(x) = argument_of_ln {
                let image = self.at(x);
                (image.value?, image.doubts)
            } else {
                let random = Element::of(self.random(Of::Exponential, value, Element::ZERO));
                (random * random, of_part)
            };
            let (factor, of_power) = rational_power(base, coefficient)?;
            power = power * factor;
            doubts = doubts.and(of_base).and(of_power);
        }
        Some((power, doubts))
    }

    /// A part that is not a product of symbols may equal a sum of others by a law.
    fn doubts_of_part(&self, node: NodeId) -> Doubts {
        let is_symbol = |node: &NodeId| matches!(self.graph.node(*node), Node::Symbol(_));
        let is_independent = match self.graph.node(node) {
            Node::Product(factors) => factors.iter().all(|(base, _)| is_symbol(base)),
            _ => is_symbol(&node),
        };
        if is_independent {
            Doubts::NONE
        } else {
            Doubts::LAWS
        }
    }

    /// An argument as a sum of multiples of parts that are not sums, or whose rotations are known.
    fn parts(&self, argument: NodeId) -> Option<Vec<(Number, Part)>> {
        let mut parts = Vec::new();
        let (mut of_one, mut of_pi) = (Number::ZERO, Number::ZERO);
        // From the last one down, so that each is expanded once.
        let mut open = BTreeMap::from([(argument, Number::ONE)]);
        while let Some((node, factor)) = open.pop_last() {
            match self.graph.node(node) {
                Node::Number(number) => {
                    of_one = of_one.checked_add(factor.checked_mul(*number)?)?;
                }
                Node::Pi => of_pi = of_pi.checked_add(factor)?,
                Node::Sum { constant, terms } if !self.is_turned(node, factor) => {
                    of_one = of_one.checked_add(factor.checked_mul(*constant)?)?;
                    for (coefficient, term) in terms {
                        let sum = open.entry(*term).or_insert(Number::ZERO);
                        *sum = sum.checked_add(factor.checked_mul(*coefficient)?)?;
                    }
                }
                _ => parts.push((factor, Part::Node(node))),
            }
        }
        parts.extend([(of_one, Part::One), (of_pi, Part::Pi)]);
        parts.retain(|(coefficient, _)| !coefficient.is_zero());
        Some(parts)
    }

    /// Returns whether there is a rotation to take a multiple of.
    fn is_turned(&self, node: NodeId, factor: Number) -> bool {
        factor.to_integer().is_some() && self.turns.contains_key(&node)
    }
}

/// The part of which an argument is a multiple.
#[derive(Clone, Copy)]
enum Part {
    One,
    Pi,
    Node(NodeId),
}

fn multiple(turn: Rotation, times: i64) -> Rotation {
    let turn = if times < 0 { turn.inverse() } else { turn };
    match times.unsigned_abs() {
        1 => turn,
        n => turn.power(n),
    }
}

/// Returns whether a comparison holds, where squares are positive.
fn holds(comparison: Comparison, a: Element, b: Element) -> bool {
    match comparison {
        Comparison::Less => (b - a).sign() > 0,
        Comparison::LessEqual => a == b || (b - a).sign() > 0,
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
    }
}

/// An entry of a unit quaternion, by stereographic projection from three free elements.
fn unit_quaternion(first: u32, symbol: Symbol, free: impl Fn(Symbol) -> Element) -> Element {
    let free = [0, 1, 2].map(|k| free(Symbol::Coordinate(first + k)));
    let square = free.map(|x| x * x);
    let square = square[0] + square[1] + square[2];
    let above = match symbol {
        Symbol::Coordinate(i) if i - first < 3 => {
            free[(i - first) as usize] + free[(i - first) as usize]
        }
        _ => Element::ONE - square,
    };
    // A sum of squares is -1 only by chance.
    let below = (Element::ONE + square).inverse().unwrap_or(Element::ONE);
    above * below
}
