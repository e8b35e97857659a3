//! Looking for borders and jumps on straight lines between random points.

use crate::probe::real_point;
use crate::{Complex, Graph, Node, NodeId, Probe, Symbol, Unary};

/// So many segments are searched for the border of an `if`, and so many borders must agree.
const SEGMENTS: usize = 16;
const ENOUGH: usize = 6;
/// Steps along a line to a change of sign are this many times as long as those before, from the least to the largest
/// power of it. Halvings of the last one, after which its ends are neighbours.
const STEP: f64 = 8.0;
const REACH: i32 = 26;
const HALVINGS: usize = 60;
/// How far a place next to a border is from it, relative to its distance from the first point, and how much less the
/// branches differ at the border.
const NEAR: f64 = 1e-6;
const LESS: f64 = 1e-3;
/// Roundings that may stand beside a first-order bound.
const ROUNDINGS: f64 = 64.0;
/// So many parts of a segment are searched for a jump, by so many halvings.
const PARTS: usize = 8;
const HALVINGS_OF_PARTS: usize = 24;
/// A jump is at least this, relative to the values at the ends, and no value is so much larger.
const JUMP: f64 = 1e-3;
const ENDLESS: f64 = 1e3;

/// Whether both branches are equal where both sides are, at borders that are found between random
/// points. No border found is no.
///
/// The border is known to rounding: the branches count as equal there if they differ by much less than
/// they change next to it, or by rounding.
pub(super) fn is_continuous(graph: &Graph, sides: [NodeId; 2], branches: [NodeId; 2]) -> bool {
    let mut agreeing = 0;
    for segment in 0..SEGMENTS {
        let Some(place) = border(graph, &sides, segment) else {
            continue;
        };
        let probes = |place: f64| {
            let at = |symbol| Complex::real(on_segment(graph, segment, place, symbol));
            graph.evaluate_complex(&branches, &at)
        };
        let is_known = |probe: &Probe| probe.is_known() && probe.real;
        let at_border = probes(place);
        if !at_border.iter().all(is_known) {
            continue;
        }
        let scale = at_border.iter().map(|probe| probe.scale);
        let rounding = ROUNDINGS * f64::EPSILON * scale.fold(0.0, f64::max);
        let near = [1.0 - NEAR, 1.0 + NEAR].map(|next| probes(next * place));
        let pairs = near.iter().flat_map(|near| near.iter().zip(&at_border));
        let change = pairs
            .filter(|(near, _)| is_known(near))
            .map(|(near, there)| (near.value - there.value).abs())
            .fold(0.0, f64::max);
        let off = (at_border[0].value - at_border[1].value).abs();
        if off > rounding && off > LESS * change {
            return false;
        }
        agreeing += 1;
        if agreeing == ENOUGH {
            return true;
        }
    }
    false
}

/// Where on the line through a segment a node is 0, or two are equal: by steps from the first point that grow, so
/// that units do not matter, and bisection.
fn border(graph: &Graph, sides: &[NodeId], segment: usize) -> Option<f64> {
    let is_above = |place: f64| {
        let values = graph.evaluate(sides, &|symbol| on_segment(graph, segment, place, symbol));
        let gap = values[0] - values.get(1).unwrap_or(&0.0);
        gap.is_finite().then_some(gap > 0.0)
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

/// The value of a symbol at a place of a line, 0 and 1 at its points; parameters stand still.
fn on_segment(graph: &Graph, segment: usize, place: f64, symbol: Symbol) -> f64 {
    let from = real_point(graph, 2 * segment, symbol);
    if matches!(symbol, Symbol::Parameter(_)) {
        return from;
    }
    from + place * (real_point(graph, 2 * segment + 1, symbol) - from)
}

/// Whether none of the others was found to vanish where the divisor does. No zero found is no: a
/// divisor that is 0 without a change of sign, as a distance, is not found.
pub(super) fn are_apart(graph: &Graph, divisor: NodeId, others: &[NodeId]) -> bool {
    let mut inner = divisor;
    while let Node::Unary(Unary::Sqrt | Unary::Abs, x) = graph.node(inner) {
        inner = *x;
    }
    let mut found = 0;
    for segment in 0..SEGMENTS {
        let Some(place) = border(graph, &[inner], segment) else {
            continue;
        };
        let values = |place: f64| {
            graph.evaluate(others, &|symbol| on_segment(graph, segment, place, symbol))
        };
        let near = [1.0 - NEAR, 1.0 + NEAR].map(|next| values(next * place));
        let is_off_zero = |(i, value): (usize, f64)| {
            let near = near.iter().map(|near| near[i].abs());
            value.abs() > LESS * near.fold(0.0, f64::max)
        };
        if !values(place).into_iter().enumerate().all(is_off_zero) {
            return false;
        }
        found += 1;
    }
    found > 1
}

/// Whether a node was found to jump from one finite value to another.
pub(super) fn leaps(graph: &Graph, node: NodeId) -> bool {
    (0..SEGMENTS).any(|segment| {
        let value = |place: f64| {
            let value =
                graph.evaluate(&[node], &|symbol| on_segment(graph, segment, place, symbol));
            (place, value[0])
        };
        let ends = |part: usize| [part, part + 1].map(|end| value(end as f64 / PARTS as f64));
        (0..PARTS).any(|part| is_jump(ends(part), value))
    })
}

/// Whether the difference of the ends remains while they approach each other, and they stay finite.
fn is_jump(ends: [(f64, f64); 2], value: impl Fn(f64) -> (f64, f64)) -> bool {
    let [mut low, mut high] = ends;
    let scale = low.1.abs().max(high.1.abs());
    for _ in 0..HALVINGS_OF_PARTS {
        let middle = value(f64::midpoint(low.0, high.0));
        match (middle.1 - low.1).abs() > (high.1 - middle.1).abs() {
            true => high = middle,
            false => low = middle,
        }
    }
    let size = low.1.abs().max(high.1.abs());
    size <= ENDLESS * scale && (high.1 - low.1).abs() > JUMP * scale
}
