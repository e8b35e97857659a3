//! The search for jumps on lines between random points.

use crate::probe::real_point;
use crate::{Complex, Graph, Node, NodeId, Probe, Symbol, Unary};

/// The number of segments on which two nodes are compared, and the largest accepted rounding.
const SEGMENTS: usize = 16;
const LESS: f64 = 1e-3;
/// The sizes of the points of straight lines, in turn, so that units do not matter.
const SCALES: [f64; 9] = [1.0, 1e-10, 1e10, 1e-20, 1e20, 1e-30, 1e30, 1e-40, 1e40];
/// The number of straight lines that are searched: several of each size.
const LINES: usize = 3 * SCALES.len();
/// The number of parts of a segment that are searched for a jump, and of halvings.
const PARTS: usize = 8;
const HALVINGS_OF_PARTS: usize = 24;
/// The smallest jump, and the largest accepted value, relative to the values at the ends.
const JUMP: f64 = 1e-3;
const ENDLESS: f64 = 1e3;

/// Returns whether a node is a constant multiple of a power of another one, at random points.
pub(super) fn are_proportional(graph: &Graph, node: NodeId, base: NodeId, power: i32) -> bool {
    (0..SEGMENTS).all(|segment| {
        let [here, there] = [0.0, 1.0].map(|place| {
            let value =
                |symbol| Complex::real(on_line(graph, SCALES.len() * segment, place, symbol));
            let probes = graph.evaluate_complex(&[node, base], &value);
            let [off, off_of_base] = [0, 1].map(|i| probes[i].rounding() / probes[i].value.abs());
            let factor = probes[0].value.re / probes[1].value.re.powi(power);
            (factor, off + f64::from(power) * off_of_base)
        });
        let rounding = here.1 + there.1;
        rounding < LESS && (here.0 / there.0 - 1.0).abs() <= rounding
    })
}

/// Returns whether a node, or the value below its root, has both signs. That of a distance does not change where it vanishes.
pub(super) fn changes_sign(graph: &Graph, node: NodeId) -> bool {
    let mut inner = node;
    while let Node::Unary(Unary::Sqrt | Unary::Abs, x) = graph.node(inner) {
        inner = *x;
    }
    let value = |line: usize, place: f64| {
        graph.evaluate(&[inner], &|symbol| on_line(graph, line, place, symbol))[0]
    };
    let values: Vec<f64> = (0..LINES)
        .flat_map(|line| [value(line, 0.0), value(line, 1.0)])
        .collect();
    values.iter().any(|value| *value > 0.0) && values.iter().any(|value| *value < 0.0)
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

/// Returns whether the search found a jump of a node from one finite value to another, by more than rounding.
pub(super) fn finds_jump(graph: &Graph, node: NodeId) -> bool {
    (0..LINES).any(|line| {
        let value = |place: f64| {
            let value_of = |symbol| Probe::leaf(Complex::real(on_line(graph, line, place, symbol)));
            let probe = graph.evaluate_probes(&[node], &value_of)[0];
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
