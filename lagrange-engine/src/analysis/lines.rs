//! The search for borders and jumps on lines between random points.

use crate::probe::real_point;
use crate::{Complex, Graph, Node, NodeId, Probe, Symbol, Unary};

/// The number of segments that are searched for a border, and of borders of an `if` that must agree.
const SEGMENTS: usize = 16;
const ENOUGH: usize = 2;
/// The number of halvings after which the ends of a segment are neighbours.
const HALVINGS: usize = 60;
/// Coordinates move along a segment as odd powers of this order, so that borders are found near 0 and far away, in any
/// units.
const ORDER: i32 = 101;
/// The extension of every other segment beyond the random points.
const BEYOND: f64 = 1e40;
/// Each step along a straight line to a zero is this factor longer than the step before.
const STEP: f64 = 8.0;
const REACH: i32 = 26;
/// The sizes of the points of straight lines, in turn, so that units do not matter.
const SCALES: [f64; 9] = [1.0, 1e-10, 1e10, 1e-20, 1e20, 1e-30, 1e30, 1e-40, 1e40];
/// The number of straight lines that are searched: several of each size.
const LINES: usize = 3 * SCALES.len();
/// A place near a zero, relative to its distance from the first point, and the accepted change of a value across the
/// zero, relative to its size.
const NEAR: f64 = 1e-6;
const LESS: f64 = 1e-3;
/// A nearer place, and the growth of a value towards it that shows a pole at the zero.
const NEAREST: f64 = 1e-9;
const GROWTH: f64 = 2.0;
/// The number of parts of a segment that are searched for a jump, and of halvings.
const PARTS: usize = 8;
const HALVINGS_OF_PARTS: usize = 24;
/// The smallest jump, and the largest accepted value, relative to the values at the ends.
const JUMP: f64 = 1e-3;
const ENDLESS: f64 = 1e3;

/// Returns whether both branches are equal where both sides are, at borders that are found between random points.
/// Returns false if no border is found.
pub(super) fn is_continuous(graph: &Graph, sides: [NodeId; 2], branches: [NodeId; 2]) -> bool {
    let mut agreeing = 0;
    for segment in 0..SEGMENTS {
        let Some(border) = border(graph, sides, segment) else {
            continue;
        };
        let at = |symbol| on_segment(graph, segment, border, symbol);
        let probes = graph.evaluate_probes(&branches, &at);
        if !probes.iter().all(|probe| probe.is_known() && probe.real) {
            continue;
        }
        let off = (probes[0].value - probes[1].value).abs();
        if off > probes[0].rounding() + probes[1].rounding() {
            return false;
        }
        agreeing += 1;
        if agreeing == ENOUGH {
            return true;
        }
    }
    false
}

/// Returns whether a node is a constant multiple of a power of another one, at random points.
pub(super) fn are_proportional(graph: &Graph, node: NodeId, base: NodeId, power: i32) -> bool {
    (0..SEGMENTS).all(|segment| {
        let [here, there] = [0.0, 1.0].map(|place| {
            let at = |symbol| Complex::real(on_line(graph, SCALES.len() * segment, place, symbol));
            let probes = graph.evaluate_complex(&[node, base], &at);
            let [off, off_of_base] = [0, 1].map(|i| probes[i].rounding() / probes[i].value.abs());
            let factor = probes[0].value.re / probes[1].value.re.powi(power);
            (factor, off + f64::from(power) * off_of_base)
        });
        let rounding = here.1 + there.1;
        rounding < LESS && (here.0 / there.0 - 1.0).abs() <= rounding
    })
}

/// The place on the segment where both sides are equal, by bisection.
fn border(graph: &Graph, sides: [NodeId; 2], segment: usize) -> Option<f64> {
    let is_above = |place: f64| {
        let at = |symbol| on_segment(graph, segment, place, symbol).value.re;
        let values = graph.evaluate(&sides, &at);
        let gap = values[0] - values[1];
        gap.is_finite().then_some(gap > 0.0)
    };
    let (mut low, mut high) = (0.0, 1.0);
    let below = is_above(low)?;
    if is_above(high)? == below {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if is_above(middle)? == below {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

/// The value of a symbol at a place from 0 to 1 of a segment, with the uncertainty of the place; parameters are
/// constant.
fn on_segment(graph: &Graph, segment: usize, place: f64, symbol: Symbol) -> Probe {
    let start = real_point(graph, 2 * segment, symbol);
    if matches!(symbol, Symbol::Parameter(_)) {
        return Probe::leaf(Complex::real(start));
    }
    let reach = if segment.is_multiple_of(2) {
        1.0
    } else {
        BEYOND
    };
    let ends = [start, real_point(graph, 2 * segment + 1, symbol)];
    let order = f64::from(ORDER);
    let [from, to] = ends.map(|end| (end * reach).abs().powf(1.0 / order).copysign(end));
    let root = from + place * (to - from);
    let off = (from.abs() + to.abs()) * order * root.powi(ORDER - 1);
    Probe {
        scale: off,
        ..Probe::leaf(Complex::real(root.powi(ORDER)))
    }
}

/// The place on the straight line through the points of a segment where a node is 0: by growing steps from the first
/// point, so that units do not matter, and bisection.
fn zero(graph: &Graph, node: NodeId, segment: usize) -> Option<f64> {
    let is_above = |place: f64| {
        let value = graph.evaluate(&[node], &|symbol| on_line(graph, segment, place, symbol))[0];
        value.is_finite().then_some(value > 0.0)
    };
    let below = is_above(0.0)?;
    let directions = match segment % 2 {
        0 => [1.0, -1.0],
        _ => [-1.0, 1.0],
    };
    for direction in directions {
        let mut low = 0.0;
        for power in -REACH..=REACH {
            let place = direction * STEP.powi(power);
            match is_above(place) {
                None => break,
                Some(is_above) if is_above == below => low = place,
                Some(_) => return bisected(&is_above, low, place),
            }
        }
    }
    None
}

/// The place at the side of `high` of the border between both.
fn bisected(is_above: &impl Fn(f64) -> Option<bool>, mut low: f64, mut high: f64) -> Option<f64> {
    let above = is_above(high)?;
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if is_above(middle)? == above {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// The value of a symbol at a place of a straight line, 0 and 1 at its points; parameters are constant.
fn on_line(graph: &Graph, segment: usize, place: f64, symbol: Symbol) -> f64 {
    let from = real_point(graph, 2 * segment, symbol);
    if matches!(symbol, Symbol::Parameter(_)) {
        return from;
    }
    let scale = SCALES[segment % SCALES.len()];
    scale * (from + place * (real_point(graph, 2 * segment + 1, symbol) - from))
}

/// Returns whether the search found no jump of a node where its divisor is 0. Returns false if no zero is found: a
/// divisor that vanishes without a change of sign, like a distance, is not found.
pub(super) fn is_continuous_or_endless(graph: &Graph, node: NodeId, divisor: NodeId) -> bool {
    let mut inner = divisor;
    while let Node::Unary(Unary::Sqrt | Unary::Abs, x) = graph.node(inner) {
        inner = *x;
    }
    let mut found = 0;
    for segment in 0..LINES {
        let Some(place) = zero(graph, inner, segment) else {
            continue;
        };
        // At a distance and nearer, on either side.
        let [below, above] = [-1.0, 1.0].map(|side| {
            [NEAR, NEAREST].map(|off| {
                let place = place * (1.0 + side * off);
                let at = |symbol| on_line(graph, segment, place, symbol);
                graph.evaluate(&[node], &at)[0]
            })
        });
        found += 1;
        // Outside its domain there is no other side.
        let ends = [below, above]
            .iter()
            .flatten()
            .any(|value| !value.is_finite());
        let grows = [below, above]
            .iter()
            .any(|[off, near]| near.abs() > GROWTH * off.abs());
        let size = below[0].abs().max(above[0].abs());
        if !ends && !grows && (above[1] - below[1]).abs() > LESS * size {
            return false;
        }
    }
    found > 1
}

/// Returns whether the search found a jump of a node from one finite value to another, by more than rounding.
pub(super) fn leaps(graph: &Graph, node: NodeId) -> bool {
    (0..LINES).any(|line| {
        let value = |place: f64| {
            let at = |symbol| Probe::leaf(Complex::real(on_line(graph, line, place, symbol)));
            let probe = graph.evaluate_probes(&[node], &at)[0];
            let is_real = probe.is_known() && probe.real;
            is_real.then(|| Value {
                place,
                value: probe.value.re,
                rounding: probe.rounding(),
            })
        };
        let ends = |part: usize| [part, part + 1].map(|end| value(end as f64 / PARTS as f64));
        (0..PARTS).any(|part| match ends(part) {
            [Some(low), Some(high)] => is_jump(low, high, value).unwrap_or(false),
            _ => false,
        })
    })
}

/// A value at a place of a line.
#[derive(Clone, Copy)]
struct Value {
    place: f64,
    value: f64,
    rounding: f64,
}

impl Value {
    fn off(self, other: Self) -> f64 {
        let off = (self.value - other.value).abs();
        (off - self.rounding - other.rounding).max(0.0)
    }

    fn larger(self, other: Self) -> f64 {
        self.value.abs().max(other.value.abs())
    }
}

/// Returns whether the difference of the ends remains while they approach each other, and they stay finite; `None` if a
/// place between them has no value.
fn is_jump(mut low: Value, mut high: Value, value: impl Fn(f64) -> Option<Value>) -> Option<bool> {
    let scale = low.larger(high);
    for _ in 0..HALVINGS_OF_PARTS {
        let middle = value(f64::midpoint(low.place, high.place))?;
        match middle.off(low) > high.off(middle) {
            true => high = middle,
            false => low = middle,
        }
    }
    Some(low.larger(high) <= ENDLESS * scale && high.off(low) > JUMP * scale)
}
