//! The functions that can jump: one table for all of them.
//!
//! A value jumps where its limits from the two sides along a path of the state differ and are not both infinite. At a
//! pole both are infinite: no motion passes it, and the energy is constant on either side, like that of `1 / r`. Each
//! node has a [`Course`], which follows from those of its children:
//!
//! | function | jumps |
//! | --- | --- |
//! | `sum` | where infinite terms that are not meromorphic cancel, unless no jump was found |
//! | `product`, quotient | where one factor is infinite and another one is 0, unless both are meromorphic, a pole remains, the divisor is a root of the other factor, or no jump was found |
//! | `sign`, `if`, `atan2` | at all their arguments |
//! | `asin`, `acos`, `sinh`, `cosh`, `ln`, `sqrt`, `abs`, `hypot`, `powf` with a constant exponent | nowhere |
//! | a curve through points | nowhere, unless it is a derivative of a higher order than the smooth ones |
//! | all others | at the poles of their arguments; `powf` where both may be 0, too |
//!
//! Meromorphic values, such as quotients of sines, have one limit from both sides wherever they are finite, also where
//! numerator and denominator vanish together. Roots and `abs` are not meromorphic.

use super::lines;
use crate::{Binary, Dependence, Graph, Node, NodeId, Number, Unary};

/// The course of a value along a path on which the coordinates are analytic functions of one variable.
#[derive(Clone, Copy)]
struct Course {
    /// The value is meromorphic.
    analytic: bool,
    has_poles: bool,
    /// The value may be zero somewhere.
    vanishes: bool,
    sign: Sign,
}

/// The sign of a value wherever it is not 0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
    Unknown,
}

impl Sign {
    fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (a, b) if a == b => Self::Plus,
            _ => Self::Minus,
        }
    }

    fn of(number: Number) -> Self {
        match number.is_negative() {
            true => Self::Minus,
            false => Self::Plus,
        }
    }

    fn is_known(self) -> bool {
        self != Self::Unknown
    }
}

impl Course {
    /// A symbol.
    const FREE: Self = Self {
        analytic: true,
        has_poles: false,
        vanishes: true,
        sign: Sign::Unknown,
    };

    /// An analytic function of it is analytic.
    fn is_regular(self) -> bool {
        self.analytic && !self.has_poles
    }

    fn scaled(self, factor: Number) -> Self {
        Self {
            sign: self.sign.times(Sign::of(factor)),
            ..self
        }
    }
}

/// The nodes at whose zeros or poles a root may jump along a motion.
pub(super) fn find_borders(graph: &Graph, roots: &[NodeId]) -> Vec<NodeId> {
    let reached = graph.reachable(roots);
    let mut table = Table {
        graph,
        courses: Vec::with_capacity(reached.len()),
        borders: Vec::new(),
        asked: 0,
    };
    for (index, is_reached) in reached.iter().enumerate() {
        let id = NodeId(index as u32);
        let course = match (is_reached, table.is_constant(id)) {
            (false, _) => Course::FREE,
            (true, false) => table.course_of_node(id),
            (true, true) => table.course_of_constant(id),
        };
        table.courses.push(course);
    }
    table.borders
}

struct Table<'a> {
    graph: &'a Graph,
    courses: Vec<Course>,
    borders: Vec<NodeId>,
    /// The number of nodes that were evaluated on lines.
    asked: usize,
}

/// At most this many nodes are evaluated on lines; further ones count as jumps.
const MOST_ASKED: usize = 8;

impl Table<'_> {
    /// The course of a constant: only its sign matters.
    fn course_of_constant(&mut self, id: NodeId) -> Course {
        let known = self.borders.len();
        let sign = match self.graph.node(id) {
            Node::Number(number) => Sign::of(*number),
            Node::Pi => Sign::Plus,
            _ => self.course_of_node(id).sign,
        };
        self.borders.truncate(known);
        Course {
            vanishes: self.graph.is_zero(id),
            sign,
            ..Course::FREE
        }
    }

    fn course_of_node(&mut self, id: NodeId) -> Course {
        let known = self.borders.len();
        let course = match self.graph.node(id) {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => Course::FREE,
            Node::Sum { constant, terms } => self.course_of_sum(id, *constant, terms),
            Node::Product(factors) => self.course_of_product(id, factors),
            Node::Unary(function, x) => self.course_of_unary(*function, *x),
            Node::Binary(function, x, y) => self.course_of_binary(*function, [*x, *y]),
            Node::Curve { of, x, .. } => {
                if of.jumps() {
                    self.borders.push(*x);
                }
                Course {
                    analytic: false,
                    has_poles: self.of(*x).has_poles,
                    ..Course::FREE
                }
            }
            Node::Select {
                sides,
                then,
                otherwise,
                ..
            } => self.course_of_select(*sides, [*then, *otherwise]),
        };
        Course {
            analytic: course.analytic && self.borders.len() == known,
            ..course
        }
    }

    fn of(&self, id: NodeId) -> Course {
        self.courses[id.index()]
    }

    fn course_of_sum(
        &mut self,
        id: NodeId,
        constant: Number,
        terms: &[(Number, NodeId)],
    ) -> Course {
        let courses: Vec<Course> = terms
            .iter()
            .map(|(factor, term)| self.of(*term).scaled(*factor))
            .collect();
        if let ([course], true) = (&courses[..], constant.is_zero()) {
            return *course;
        }
        let sign = match constant.is_zero() {
            true => courses[0].sign,
            false => Sign::of(constant),
        };
        let is_of_one_sign = sign.is_known() && courses.iter().all(|course| course.sign == sign);
        let endless: Vec<&Course> = courses.iter().filter(|course| course.has_poles).collect();
        let are_of_one_sign = endless
            .iter()
            .all(|course| course.sign.is_known() && course.sign == endless[0].sign);
        let may_cancel =
            endless.len() > 1 && !are_of_one_sign && endless.iter().any(|course| !course.analytic);
        let has_poles = !endless.is_empty();
        if may_cancel && self.may_leap(id) {
            let endless = terms
                .iter()
                .map(|(_, term)| *term)
                .filter(|term| self.of(*term).has_poles);
            self.borders.extend(endless.collect::<Vec<_>>());
        }
        let is_off = !constant.is_zero() || courses.iter().any(|course| !course.vanishes);
        Course {
            analytic: courses.iter().all(|course| course.analytic),
            has_poles,
            vanishes: !(is_of_one_sign && is_off),
            sign: if is_of_one_sign { sign } else { Sign::Unknown },
        }
    }

    fn course_of_product(&mut self, id: NodeId, factors: &[(NodeId, i32)]) -> Course {
        let factors: Vec<Factor> = factors
            .iter()
            .map(|(base, exponent)| Factor::new(*base, *exponent, self.of(*base)))
            .collect();
        let is_alone = factors.iter().filter(|f| f.is_endless).count() == 1;
        for (i, endless) in factors.iter().enumerate().filter(|(_, f)| f.is_endless) {
            let zeros: Vec<&Factor> = factors
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .map(|(_, other)| other)
                .filter(|other| other.vanishes)
                .collect();
            let is_met = !endless.course.analytic || zeros.iter().any(|zero| !zero.course.analytic);
            let is_continuous = zeros.is_empty()
                || !is_met
                || self.is_pole(endless, &zeros)
                || (is_alone && self.is_size(endless, &zeros))
                || self.is_passed(id, endless);
            if !is_continuous {
                self.borders.push(endless.base);
            }
        }
        let sign = factors.iter().map(|factor| factor.sign);
        Course {
            analytic: factors.iter().all(|factor| factor.course.analytic),
            has_poles: factors.iter().any(|factor| factor.is_endless),
            vanishes: factors.iter().any(|factor| factor.vanishes),
            sign: sign.fold(Sign::Plus, Sign::times),
        }
    }

    /// Returns whether a quotient is infinite where its divisor is 0, although these factors may be 0 there: linear
    /// factors vanish in the first order, and the divisor, the size of analytic values, in a higher one.
    fn is_pole(&self, divisor: &Factor, zeros: &[&Factor]) -> bool {
        let is_regular = |x: NodeId| self.of(x).is_regular();
        let is_even = |(base, exponent): &(NodeId, i32)| {
            *exponent >= 2 && exponent % 2 == 0 && is_regular(*base)
        };
        let is_square = |x: NodeId| match self.graph.node(x) {
            Node::Product(factors) => factors.iter().all(is_even),
            _ => false,
        };
        let is_size = match self.graph.node(divisor.base) {
            Node::Unary(Unary::Abs, x) => is_regular(*x),
            Node::Binary(Binary::Hypot, x, y) => is_regular(*x) && is_regular(*y),
            Node::Unary(Unary::Sqrt, x) => match self.graph.node(*x) {
                Node::Sum { constant, terms } => {
                    let mut terms = terms.iter();
                    constant.is_zero()
                        && terms.all(|(factor, term)| !factor.is_negative() && is_square(*term))
                }
                _ => is_square(*x),
            },
            _ => false,
        };
        let orders = zeros.iter().map(|zero| zero.exponent);
        let are_linear = zeros
            .iter()
            .all(|zero| zero.exponent > 0 && self.is_linear(zero.base));
        is_size && are_linear && orders.sum::<i32>() < -divisor.exponent
    }

    /// Returns whether a divisor is the root of a multiple of one of these factors or of its square, so that the quotient
    /// is at most as large as a multiple of the divisor: the part along e of the direction of `e - (a . e) a`, which
    /// points from the axle a of a wheel to the ground.
    fn is_size(&self, divisor: &Factor, zeros: &[&Factor]) -> bool {
        let Node::Unary(Unary::Sqrt, square) = self.graph.node(divisor.base) else {
            return false;
        };
        let is_multiple = |zero: &&Factor| {
            (1..=zero.exponent.min(2))
                .any(|power| lines::are_proportional(self.graph, *square, zero.base, power))
        };
        divisor.exponent == -1 && zeros.iter().any(is_multiple)
    }

    /// Returns whether a node is a coordinate, or a sum of coordinates and constants with constant factors.
    fn is_linear(&self, id: NodeId) -> bool {
        let is_coordinate = |id: NodeId| matches!(self.graph.node(id), Node::Symbol(_));
        let is_term = |id: NodeId| match self.graph.node(id) {
            Node::Product(factors) => {
                let mut moving = factors.iter().filter(|(base, _)| !self.is_constant(*base));
                let first = moving.next();
                first.is_some_and(|(base, exponent)| *exponent == 1 && is_coordinate(*base))
                    && moving.next().is_none()
            }
            _ => is_coordinate(id) || self.is_constant(id),
        };
        match self.graph.node(id) {
            Node::Sum { terms, .. } => terms.iter().all(|(_, term)| is_term(*term)),
            _ => is_coordinate(id),
        }
    }

    /// Returns whether no jump of a product was found, though its divisor changes its sign, or that of its radicand.
    fn is_passed(&mut self, product: NodeId, divisor: &Factor) -> bool {
        let is_plain = divisor.exponent < 0 && !divisor.course.has_poles;
        is_plain && lines::changes_sign(self.graph, divisor.base) && !self.may_leap(product)
    }

    /// Returns whether a search found a jump of a node, or was not made.
    fn may_leap(&mut self, id: NodeId) -> bool {
        self.asked += 1;
        self.asked > MOST_ASKED || lines::finds_jump(self.graph, id)
    }

    fn course_of_unary(&mut self, function: Unary, x: NodeId) -> Course {
        let inner = self.of(x);
        let jumps = match function {
            Unary::Sign => true,
            Unary::Sin | Unary::Cos | Unary::Tan | Unary::Exp | Unary::Atan | Unary::Tanh => {
                inner.has_poles
            }
            Unary::Asin
            | Unary::Acos
            | Unary::Sinh
            | Unary::Cosh
            | Unary::Ln
            | Unary::Sqrt
            | Unary::Abs => false,
        };
        if jumps {
            self.borders.push(x);
        }
        // A function that is not analytic at 0 is analytic elsewhere.
        let is_off_zero = inner.is_regular() && !inner.vanishes;
        use Unary::{Abs, Acos, Asin, Cosh, Exp, Ln, Sinh, Sqrt, Tan};
        Course {
            analytic: match function {
                Ln | Sqrt | Abs => is_off_zero,
                Asin | Acos => false,
                _ => inner.is_regular(),
            },
            has_poles: match function {
                Tan => true,
                Ln => !is_off_zero,
                Sinh | Cosh | Exp | Sqrt | Abs => inner.has_poles,
                _ => false,
            },
            vanishes: match function {
                Cosh => false,
                Exp => inner.has_poles,
                Sqrt | Abs => inner.vanishes,
                _ => true,
            },
            sign: match function {
                Cosh | Exp | Sqrt | Abs | Acos => Sign::Plus,
                _ => Sign::Unknown,
            },
        }
    }

    fn course_of_binary(&mut self, function: Binary, [x, y]: [NodeId; 2]) -> Course {
        let inner = [self.of(x), self.of(y)];
        let are_regular = inner.iter().all(|course| course.is_regular());
        let has_poles = inner.iter().any(|course| course.has_poles);
        let [first, second] = inner;
        let jumps = match function {
            Binary::Atan2 => true,
            Binary::Min | Binary::Max => has_poles,
            Binary::Hypot => false,
            Binary::Pow if self.is_constant(y) => false,
            Binary::Pow => has_poles || (first.vanishes && second.vanishes),
        };
        if jumps {
            self.borders.extend([x, y]);
        }
        let sign = match function {
            Binary::Min | Binary::Max if first.sign == second.sign => first.sign,
            Binary::Hypot | Binary::Pow => Sign::Plus,
            _ => Sign::Unknown,
        };
        let vanishes = match function {
            Binary::Hypot => first.vanishes && second.vanishes,
            Binary::Pow => first.vanishes || has_poles,
            _ => !sign.is_known() || first.vanishes || second.vanishes,
        };
        Course {
            analytic: match function {
                Binary::Min | Binary::Max => false,
                Binary::Hypot => are_regular && !vanishes,
                _ => are_regular && !first.vanishes,
            },
            has_poles: has_poles || (function == Binary::Pow && first.vanishes),
            vanishes,
            sign,
        }
    }

    fn course_of_select(&mut self, sides: [NodeId; 2], branches: [NodeId; 2]) -> Course {
        let is_fixed = sides.iter().all(|side| self.is_constant(*side));
        if !is_fixed {
            self.borders.extend(sides);
        }
        let [then, otherwise] = branches.map(|branch| self.of(branch));
        Course {
            analytic: is_fixed && then.analytic && otherwise.analytic,
            has_poles: then.has_poles || otherwise.has_poles,
            vanishes: then.vanishes || otherwise.vanishes,
            sign: match then.sign == otherwise.sign {
                true => then.sign,
                false => Sign::Unknown,
            },
        }
    }

    fn is_constant(&self, id: NodeId) -> bool {
        !self.graph.dependence(id).intersects(Dependence::MOTION)
    }
}

/// A factor of a product.
struct Factor {
    base: NodeId,
    exponent: i32,
    /// The course of the base.
    course: Course,
    sign: Sign,
    is_endless: bool,
    vanishes: bool,
}

impl Factor {
    fn new(base: NodeId, exponent: i32, course: Course) -> Self {
        let (is_endless, vanishes) = match exponent > 0 {
            true => (course.has_poles, course.vanishes),
            false => (course.vanishes, course.has_poles),
        };
        Self {
            base,
            exponent,
            course,
            sign: match exponent % 2 {
                0 => Sign::Plus,
                _ => course.sign,
            },
            is_endless,
            vanishes,
        }
    }
}
