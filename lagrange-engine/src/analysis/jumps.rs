//! What a derivative that is zero cannot see: values that differ from one piece to another.
//!
//! An `if` whose condition changes, and `sign`, may jump where their derivative is zero on both sides;
//! so may a combination of functions with poles and cuts, as atan(x) + atan(1/x) at 0. `abs`, `min` and
//! `max` are continuous: where they are met, a derivative that is zero everywhere else is proof.

use std::collections::HashSet;

use crate::probe::real_point;
use crate::{Answer, Complex, Graph, Node, NodeId, Probe, Symbol, Unary, is_identically_zero};

/// So many `if`s are asked whether they are continuous; further ones count as jumps.
const MOST_ASKED: usize = 8;
/// So many segments are searched for the border of an `if`, and so many borders must agree.
const SEGMENTS: usize = 16;
const ENOUGH: usize = 2;
/// Halvings of a segment, after which its ends are neighbours.
const HALVINGS: usize = 60;
/// Coordinates move along a segment as odd powers of this order, so that a border is met as well next to 0 as far away,
/// in any units.
const ORDER: i32 = 101;
/// How far every other segment reaches beyond the random points.
const BEYOND: f64 = 1e40;
/// The points at which a value is compared with that elsewhere.
const COMPARED: usize = 8;

/// The symbols at whose change a root may jump, by its `if`s and `sign`s.
///
/// An `if` that has the same value on both sides wherever its border was found does not jump.
pub(super) fn jumps(graph: &Graph, roots: &[NodeId]) -> HashSet<Symbol> {
    let sides = deciding(graph, roots).into_iter().flat_map(Border::sides);
    symbols(graph, &sides.collect::<Vec<NodeId>>())
}

/// Whether a root may jump along a direction: its border moves.
pub(super) fn jumps_along(
    graph: &mut Graph,
    roots: &[NodeId],
    direction: &[(Symbol, NodeId)],
) -> bool {
    let borders = deciding(graph, roots).into_iter();
    let gaps: Vec<NodeId> = borders
        .map(|border| match border {
            Border::Sign(x) => x,
            Border::Select([left, right]) => graph.sub(left, right),
        })
        .collect();
    let moves = graph.directional(&gaps, direction);
    let answers = is_identically_zero(graph, &moves);
    answers.iter().any(|answer| *answer != Answer::Yes)
}

/// Where a root jumps: at x = 0, or where both sides are equal.
enum Border {
    Sign(NodeId),
    Select([NodeId; 2]),
}

impl Border {
    fn sides(self) -> Vec<NodeId> {
        match self {
            Self::Sign(x) => vec![x],
            Self::Select(sides) => sides.to_vec(),
        }
    }
}

/// The borders at which a root may jump.
fn deciding(graph: &Graph, roots: &[NodeId]) -> Vec<Border> {
    let reached = graph.reachable(roots);
    let mut deciding = Vec::new();
    let mut asked = 0;
    for index in (0..reached.len()).filter(|index| reached[*index]) {
        match *graph.node(NodeId(index as u32)) {
            Node::Unary(Unary::Sign, x) => deciding.push(Border::Sign(x)),
            Node::Select {
                sides,
                then,
                otherwise,
                ..
            } => {
                asked += 1;
                if asked > MOST_ASKED || !is_continuous(graph, sides, [then, otherwise]) {
                    deciding.push(Border::Select(sides));
                }
            }
            _ => {}
        }
    }
    deciding
}

/// The symbols that the roots contain.
fn symbols(graph: &Graph, roots: &[NodeId]) -> HashSet<Symbol> {
    let reached = graph.reachable(roots);
    let ids = (0..reached.len()).filter(|index| reached[*index]);
    ids.filter_map(|index| match graph.node(NodeId(index as u32)) {
        Node::Symbol(symbol) => Some(*symbol),
        _ => None,
    })
    .collect()
}

/// Whether both branches are equal where both sides are, at borders that are found between random
/// points. No border found is no.
fn is_continuous(graph: &Graph, sides: [NodeId; 2], branches: [NodeId; 2]) -> bool {
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

/// Where on the segment both sides are equal, by bisection.
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

/// The value of a symbol at a place from 0 to 1 of a segment, as far as the place is known; parameters stand still.
fn on_segment(graph: &Graph, segment: usize, place: f64, symbol: Symbol) -> Probe {
    let start = real_point(graph, 2 * segment, symbol);
    if matches!(symbol, Symbol::Parameter(_)) {
        return Probe::leaf(Complex::real(start));
    }
    let reach = if segment % 2 == 0 { 1.0 } else { BEYOND };
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

/// Whether a root has different values at random real points that differ in those symbols only.
pub(super) fn differs(graph: &Graph, roots: &[NodeId], moved: &dyn Fn(Symbol) -> bool) -> bool {
    if !symbols(graph, roots).into_iter().any(moved) {
        return false;
    }
    (0..COMPARED).any(|point| {
        let here = |symbol| Complex::real(real_point(graph, point, symbol));
        let there = |symbol| {
            let other = if moved(symbol) { point + 1 } else { point };
            Complex::real(real_point(graph, other, symbol))
        };
        let (here, there) = (
            graph.evaluate_complex(roots, &here),
            graph.evaluate_complex(roots, &there),
        );
        here.iter().zip(&there).any(|(here, there)| {
            let is_known = |probe: &Probe| probe.is_known() && probe.real;
            let off = (here.value - there.value).abs();
            is_known(here) && is_known(there) && off > here.rounding() + there.rounding()
        })
    })
}
