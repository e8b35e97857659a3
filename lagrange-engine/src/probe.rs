//! Structural questions that simplification leaves open, answered by evaluation at random points:
//! is this zero, which rows depend on others, is this matrix singular.
//!
//! Every symbol is random, the parameters too, so that an answer holds for all systems of the form
//! and not by the accident of a value. Points are complex first, where analytic functions have no
//! holes and where a zero at one generic point is a zero everywhere (J. T. Schwartz, *Fast
//! probabilistic algorithms for verification of polynomial identities*, J. ACM 27, 1980, for
//! polynomials; the identity theorem for the rest), then real. The points come from a fixed seed:
//! the same question has the same answer in every run.
//!
//! An answer may refuse a system or set a constant. No formula is ever rewritten by it.

mod eliminate;
mod points;
mod rank;
mod surface;

pub(crate) use points::real_point;
pub use rank::{Dependent, Rank, is_singular, rank};
pub(crate) use surface::{Surface, vanishes_on};

use crate::{Graph, NodeId, Probe};
use points::{Domain, POINTS};

/// What evaluation can say of a question.
///
/// ```
/// use lagrange_engine::{Answer, Binary, Graph, Symbol, is_identically_zero};
/// let mut graph = Graph::new();
/// let [x, y] = [0, 1].map(|i| graph.symbol(Symbol::Coordinate(i)));
/// // (x + y) - x - y
/// let sum = graph.add(x, y);
/// let less = graph.sub(sum, x);
/// let zero = graph.sub(less, y);
/// // Zero as far as the points reach.
/// let far = graph.integer(1_000_000);
/// let least = graph.binary(Binary::Min, x, far);
/// let piece = graph.sub(x, least);
/// let answers = is_identically_zero(&graph, &[zero, x, piece]);
/// assert_eq!(answers, [Answer::Yes, Answer::No, Answer::Unknown]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// So at every point that was tried, and nothing else than rounding spoke against it.
    Yes,
    /// Not so at some point, by far more than rounding.
    No,
    /// The points disagree, or were too few, or branches (`abs`, `if`, ..) keep a point from
    /// speaking for others.
    Unknown,
}

/// Values below this, relative to their [`Probe::scale`], are rounding.
const ZERO: f64 = 1e-12;
/// Values above this, relative to their [`Probe::scale`], are not.
const NON_ZERO: f64 = 1e-10;
/// Values that carry nothing larger than this may be zero by underflow only.
const VANISHING: f64 = 1e-200;
/// So many points must agree on a zero.
const AGREEING: usize = 3;

/// What one point says of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Zero,
    NonZero,
    Silent,
}

fn sign(probe: Probe) -> Sign {
    if !probe.is_known() || probe.scale < VANISHING {
        return Sign::Silent;
    }
    let size = probe.value.abs();
    if size <= ZERO * probe.scale {
        Sign::Zero
    } else if size > NON_ZERO * probe.scale {
        Sign::NonZero
    } else {
        Sign::Silent
    }
}

/// What the points so far said of one root.
#[derive(Clone, Copy, Default)]
struct Tally {
    zeros: usize,
    others: usize,
    /// Some point took a branch.
    branched: bool,
    /// A point where the value is known to be that of the real function, or to continue it.
    proven: bool,
}

impl Tally {
    fn count(&mut self, probe: Probe, domain: Domain) {
        // Beyond its real domain a real point is a complex one on the branch cuts.
        if domain == Domain::Real && !probe.real {
            return;
        }
        match sign(probe) {
            Sign::Zero => self.zeros += 1,
            Sign::NonZero => {
                self.others += 1;
                self.proven |= match domain {
                    Domain::Real => true,
                    Domain::NearPositive => probe.exact,
                    Domain::Complex => false,
                };
            }
            Sign::Silent => return,
        }
        self.branched |= !probe.exact;
    }

    fn answer(self) -> Answer {
        if self.proven || (self.others > 0 && self.zeros == 0) {
            Answer::No
        } else if self.zeros >= AGREEING && self.others == 0 && !self.branched {
            Answer::Yes
        } else {
            Answer::Unknown
        }
    }
}

/// For each root whether it is zero for all values of its symbols.
///
/// Structure speaks first: the number 0 is, any other number is not. The rest is evaluated at
/// several points; [`Answer::Yes`] needs an analytic expression that vanishes at all of them, to a
/// tolerance that follows the rounding of every intermediate value.
///
/// ```
/// use lagrange_engine::{Answer, Graph, Symbol, Unary, is_identically_zero};
/// let mut graph = Graph::new();
/// let x = graph.symbol(Symbol::Coordinate(0));
/// // sin(2 x) - 2 sin(x) cos(x)
/// let (sine, cosine) = (graph.unary(Unary::Sin, x), graph.unary(Unary::Cos, x));
/// let product = graph.mul(sine, cosine);
/// let twice_x = graph.add(x, x);
/// let of_twice = graph.unary(Unary::Sin, twice_x);
/// let twice = graph.add(product, product);
/// let difference = graph.sub(of_twice, twice);
/// // x - |x| vanishes on half of the line
/// let size = graph.unary(Unary::Abs, x);
/// let half = graph.sub(x, size);
/// assert_eq!(is_identically_zero(&graph, &[difference, half]), [Answer::Yes, Answer::No]);
/// ```
pub fn is_identically_zero(graph: &Graph, roots: &[NodeId]) -> Vec<Answer> {
    let mut answers: Vec<Option<Answer>> = roots.iter().map(|root| known(graph, *root)).collect();
    let mut tallies = vec![Tally::default(); roots.len()];
    for point in 0..POINTS {
        let open: Vec<usize> = (0..roots.len()).filter(|i| answers[*i].is_none()).collect();
        if open.is_empty() {
            break;
        }
        let open_roots: Vec<NodeId> = open.iter().map(|i| roots[*i]).collect();
        let probes =
            graph.evaluate_complex(&open_roots, &|symbol| points::value(graph, point, symbol));
        for (i, probe) in open.into_iter().zip(probes) {
            tallies[i].count(probe, points::domain(point));
            if tallies[i].proven {
                answers[i] = Some(Answer::No);
            }
        }
    }
    let rest = answers.into_iter().zip(&tallies);
    rest.map(|(answer, tally)| answer.unwrap_or(tally.answer()))
        .collect()
}

/// Whether all roots are zero for all values of their symbols. Few are asked first, those that were made first, as they
/// are made of less: of roots that are not all zero, most are not, and one is enough.
pub(crate) fn all_vanish(graph: &Graph, roots: &[NodeId]) -> bool {
    let mut open = roots.to_vec();
    open.sort_unstable_by_key(|root| root.index());
    open.dedup();
    let (mut from, mut count) = (0, 1);
    while from < open.len() {
        let to = open.len().min(from + count);
        let answers = is_identically_zero(graph, &open[from..to]);
        if answers.iter().any(|answer| *answer != Answer::Yes) {
            return false;
        }
        (from, count) = (to, 4 * count);
    }
    true
}

fn known(graph: &Graph, root: NodeId) -> Option<Answer> {
    let number = graph.as_number(root)?;
    Some(if number.is_zero() {
        Answer::Yes
    } else {
        Answer::No
    })
}
