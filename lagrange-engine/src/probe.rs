//! Structural questions that simplification leaves open, decided by evaluation at random points: is this zero, which
//! rows depend on others, is this matrix singular.
//!
//! Every symbol is random, including parameters, so an answer holds for all systems of the form and not because of a
//! special value. First the points are those of a field of prime order, where numbers are not rounded. An expression
//! that is zero there at random points is zero (J. T. Schwartz, *Fast probabilistic algorithms for verification of
//! polynomial identities*, J. ACM 27, 1980; R. Zippel, *Probabilistic algorithms for sparse polynomials*, EUROSAM
//! 1979). An expression that is not zero there is not zero, however small it is beside its parts. Double precision
//! decides signs of roots, branches, and laws of functions that the field cannot represent. It uses complex points,
//! where analytic functions have no gaps and where by the identity theorem a zero at one generic point is a zero
//! everywhere, and real points. A value is nonzero if it exceeds a bound of its rounding, and zero if it
//! is also as small as rounding beside the terms that cancel. A value that is only within its bound says nothing. Values
//! are compared with their own bounds and terms, so answers do not depend on units. The points come from a fixed seed: the same
//! question has the same answer in every run.
//!
//! An answer may reject a system or set a constant. It never rewrites a formula.

mod image;
mod points;
mod prime;
mod rank;
mod surface;

pub(crate) use image::{Doubts, images_at, random};
pub(crate) use points::{at_state, real_point, with_size};
pub(crate) use prime::Element;
pub use rank::{Dependent, Rank, is_singular, rank};
pub(crate) use surface::{Point, Surface, dot, length, subtract, vanishes_on};

use crate::{Graph, NodeId, Probe, Symbol};
use image::{DOUBTED, Image, images};
use points::{Domain, MORE_POINTS};

/// The answer of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// True at every tested point, with only rounding against it.
    Yes,
    /// False at some point, by more than rounding.
    No,
    /// The points disagree, or were too few, or branches (`abs`, `if`, ..) prevent conclusions from one point to
    /// others.
    Unknown,
}

/// Values without terms larger than this may be zero by underflow.
const VANISHING: f64 = 1e-200;
/// The number of points that must agree on a zero.
const AGREEING: usize = 3;

/// The sign of a value at one point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Zero,
    NonZero,
    /// Within the bound of rounding, but too large for rounding of its terms.
    Undecided,
    Silent,
}

fn sign(probe: Probe) -> Sign {
    if !probe.is_known() || probe.scale < VANISHING {
        return Sign::Silent;
    }
    match probe.is_zero() {
        Some(true) => Sign::Zero,
        Some(false) => Sign::NonZero,
        None => Sign::Undecided,
    }
}

/// The results of the points so far for one root.
#[derive(Clone, Copy, Default)]
struct Tally {
    zeros: usize,
    others: usize,
    undecided: usize,
    /// Some point took a branch.
    branched: bool,
    /// A point where the value is known to be that of the real function, or to continue it.
    proven: bool,
}

impl Tally {
    fn count(&mut self, probe: Probe, domain: Domain) {
        // Outside its real domain a real point is a complex one on the branch cuts.
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
            Sign::Undecided => self.undecided += 1,
            Sign::Silent => return,
        }
        self.branched |= !probe.exact;
    }

    fn answer(self) -> Answer {
        if self.proven || (self.others > 0 && self.zeros == 0) {
            Answer::No
        } else if self.zeros >= AGREEING && self.others + self.undecided == 0 && !self.branched {
            Answer::Yes
        } else {
            Answer::Unknown
        }
    }
}

/// The results of the points of the field for one root.
#[derive(Clone, Copy, Default)]
struct Exact {
    zeros: usize,
    others: usize,
    doubts: Doubts,
}

/// The number of states at which equations may have no solution, or a matrix no value.
pub(crate) const FAILING: usize = 64;
/// The number of tested points: at some of them a root of a root, or a power, may not exist.
const TRIED: usize = 32;
/// The number of points that must agree on a nonzero value, for any signs of its roots.
const ALL_SIGNS: usize = 48;

impl Exact {
    fn count(&mut self, image: Image) {
        match image.value {
            Some(value) if value.is_zero() => self.zeros += 1,
            Some(_) => self.others += 1,
            None => return,
        }
        self.doubts = self.doubts.and(image.doubts);
    }

    fn is_settled(self) -> bool {
        self.others > 0 || self.zeros >= self.doubts.points_needed()
    }

    /// The answer, if there are no doubts.
    fn answer(self) -> Option<Answer> {
        if self.doubts != Doubts::NONE || !self.is_settled() {
            return None;
        }
        Some(match self.others {
            0 => Answer::Yes,
            _ => Answer::No,
        })
    }

    /// The answer together with the real and complex points.
    fn with(self, tally: Tally, signs: impl FnOnce() -> bool) -> Answer {
        if tally.proven {
            return Answer::No;
        }
        if self.zeros >= DOUBTED && self.others == 0 {
            let is_sure = !self.doubts.has(Doubts::BRANCHES) && tally.others == 0;
            return match is_sure {
                true => Answer::Yes,
                false => Answer::Unknown,
            };
        }
        let by_signs = !self.doubts.has(Doubts::LAWS.and(Doubts::ROUNDED));
        if by_signs && self.others > 0 && self.zeros == 0 && signs() {
            return Answer::No;
        }
        tally.answer()
    }
}

/// For each root whether it is zero for all values of its symbols.
///
/// Structure decides first: a number is zero if it is 0, or only rounding of the constants that it was computed from.
/// The rest is evaluated at several points of a field, without rounding. If roots, branches and laws of functions leave
/// doubts, it is also evaluated at real and complex points, with a bound that follows the rounding of every intermediate
/// value. [`Answer::Yes`] needs an analytic expression that vanishes at all of them.
pub fn is_identically_zero(graph: &Graph, roots: &[NodeId]) -> Vec<Answer> {
    let mut answers: Vec<Option<Answer>> = roots
        .iter()
        .map(|root| decide_by_number(graph, *root))
        .collect();
    let mut exact = vec![Exact::default(); roots.len()];
    for point in 0..TRIED {
        let open: Vec<usize> = (0..roots.len())
            .filter(|i| answers[*i].is_none() && !exact[*i].is_settled())
            .collect();
        if open.is_empty() {
            break;
        }
        for (i, image) in open.iter().zip(images_of(graph, roots, &open, point)) {
            exact[*i].count(image);
            answers[*i] = exact[*i].answer();
        }
    }
    let mut tallies = vec![Tally::default(); roots.len()];
    for point in 0..MORE_POINTS {
        let open: Vec<usize> = (0..roots.len())
            .filter(|i| answers[*i].is_none() && !tallies[*i].proven)
            .collect();
        if open.is_empty() {
            break;
        }
        let open_roots: Vec<NodeId> = open.iter().map(|i| roots[*i]).collect();
        let probes =
            graph.evaluate_complex(&open_roots, &|symbol| points::value(graph, point, symbol));
        for (i, probe) in open.into_iter().zip(probes) {
            tallies[i].count(probe, points::domain(point));
        }
    }
    let mut answers: Vec<Answer> = answers
        .into_iter()
        .enumerate()
        .map(|(i, answer)| {
            let signs = || is_never_zero(graph, roots[i]);
            answer.unwrap_or_else(|| exact[i].with(tallies[i], signs))
        })
        .collect();
    let is_rounded = |i: &usize| answers[*i] == Answer::Yes && exact[*i].others > 0;
    let rounded = (0..roots.len()).filter(is_rounded).collect();
    refute_by_sizes(graph, roots, rounded, &mut answers, |open, large| {
        graph.evaluate_complex(open, &|symbol| {
            let value = points::value(graph, 0, symbol);
            points::with_size(value, symbol == large)
        })
    });
    answers
}

/// Evaluates these of the roots, which are zero but for rounding, once more for each symbol, with this symbol enlarged. Near
/// 1 a part with a small coefficient is hidden; in other units of its symbols it is the largest one.
fn refute_by_sizes(
    graph: &Graph,
    roots: &[NodeId],
    mut open: Vec<usize>,
    answers: &mut [Answer],
    evaluate: impl Fn(&[NodeId], Symbol) -> Vec<Probe>,
) {
    let of = |open: &[usize]| open.iter().map(|i| roots[*i]).collect::<Vec<NodeId>>();
    for large in symbols_of(graph, &of(&open)) {
        let open_roots = of(&open);
        let mut probes = evaluate(&open_roots, large).into_iter();
        open.retain(|i| {
            let refutes = |probe: Probe| probe.exact && sign(probe) == Sign::NonZero;
            let is_refuted = probes.next().is_some_and(refutes);
            if is_refuted {
                answers[*i] = Answer::No;
            }
            !is_refuted
        });
    }
}

/// The symbols of the roots that may have another size in other units.
fn symbols_of(graph: &Graph, roots: &[NodeId]) -> Vec<Symbol> {
    let mut symbols = graph.symbols_in(roots);
    symbols.retain(|symbol| graph.rotation_of(*symbol).is_none());
    symbols
}

fn images_of(graph: &Graph, roots: &[NodeId], positions: &[usize], point: usize) -> Vec<Image> {
    let roots: Vec<NodeId> = positions.iter().map(|i| roots[*i]).collect();
    images(graph, &roots, point)
}

/// Returns whether a value is nonzero at many points, at which its roots have signs in all combinations.
fn is_never_zero(graph: &Graph, root: NodeId) -> bool {
    (0..ALL_SIGNS).all(|point| {
        let value = images(graph, &[root], point)[0].value;
        value.is_none_or(|value| !value.is_zero())
    })
}

/// Returns whether all roots are zero for all values of their symbols. Few are asked first, those that were made first,
/// as they are made of less: of roots that are not all zero, most are not, and one is enough.
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

fn decide_by_number(graph: &Graph, root: NodeId) -> Option<Answer> {
    let number = graph.as_number(root)?;
    if number.is_zero() {
        return Some(Answer::Yes);
    }
    Some(match Probe::number(number).is_zero() {
        Some(true) => Answer::Yes,
        Some(false) => Answer::No,
        None => Answer::Unknown,
    })
}
