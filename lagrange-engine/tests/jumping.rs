//! The constant `conserves_energy`, compared with a search for jumps of random potentials.

use crate::common::{names, system};
use lagrange_engine::{
    Binary, Comparison, Complex, Dynamics, Energy, Graph, NodeId, Number, Probe, Symbol, Unary,
};

/// A linear congruential generator (Knuth, *The Art of Computer Programming*, volume 2, 3.3.4).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

const X: Symbol = Symbol::Coordinate(0);
const K: Symbol = Symbol::Parameter(0);
const VALUE_OF_K: f64 = 0.7;

fn random_potential(graph: &mut Graph, random: &mut Random, depth: usize) -> NodeId {
    if depth == 0 {
        return match random.below(6) {
            0 => graph.symbol(K),
            1 => graph.integer(1 + random.below(3) as i64),
            _ => graph.symbol(X),
        };
    }
    let deeper = |graph: &mut Graph, random: &mut Random| {
        let less = 1 + random.below(depth);
        random_potential(graph, random, depth - less)
    };
    let first = deeper(graph, random);
    match random.below(14) {
        0..=3 => graph.unary(random.pick(&Unary::ALL), first),
        4 => graph.powi(first, 2 + random.below(2) as i32),
        5 => graph.powi(first, -1 - random.below(3) as i32),
        6 => {
            let numerator = random.pick(&[Number::ONE, Number::MINUS_ONE]);
            let shift = Number::integer(random.below(2) as i64);
            graph.sum(shift, vec![(numerator, first)])
        }
        kind => {
            let second = deeper(graph, random);
            match kind {
                7 => graph.add(first, second),
                8 => graph.sub(first, second),
                9 => graph.mul(first, second),
                10 | 11 => graph.div(first, second),
                12 => graph.binary(random.pick(&Binary::ALL), first, second),
                _ => {
                    let (x, bound) = (graph.symbol(X), graph.integer(random.below(2) as i64));
                    graph.select(Comparison::Less, x, bound, first, second)
                }
            }
        }
    }
}

fn conserves_energy(mut graph: Graph, potential: NodeId) -> bool {
    let velocity = graph.symbol(Symbol::Velocity(0));
    let kinetic = graph.powi(velocity, 2);
    let energy = Energy::Natural { kinetic, potential };
    let mut names = names(1);
    names.parameters.push("k".into());
    Dynamics::new(system(graph, names, energy))
        .facts()
        .conserves_energy
}

/// The value with its scale, where it is real.
fn probe(graph: &Graph, potential: NodeId, x: f64) -> Option<Probe> {
    let at = |symbol| Complex::real(if symbol == X { x } else { VALUE_OF_K });
    let probe = graph.evaluate_complex(&[potential], &at)[0];
    (probe.real && probe.is_known()).then_some(probe)
}

/// A place where the potential has different finite limits: between neighbours on a line that are
/// brought together, and to both sides of 0.
fn jump(graph: &Graph, potential: NodeId) -> Option<f64> {
    let value = |x: f64| probe(graph, potential, x);
    let grid: Vec<f64> = (0..=260).map(|i| -4.03 + 0.031 * f64::from(i)).collect();
    grid.windows(2).find_map(|ends| {
        let (mut low, mut high) = (ends[0], ends[1]);
        let mut gaps = Vec::new();
        while high - low > 1e-10 {
            let middle = match low < 0.0 && high > 0.0 {
                // The sides of 0, where the search may come as near as it likes.
                true => 0.0_f64.max(low + 1.1 * (high - low) / 2.0).min(high),
                false => f64::midpoint(low, high),
            };
            let [a, b, c] = [value(low)?, value(middle)?, value(high)?];
            let gap = |a: Probe, b: Probe| (a.value - b.value).abs();
            gaps.push(gap(a, c));
            if a.value.abs().max(c.value.abs()) > 1e6 || gap(a, c) < 1e-8 * a.scale.max(c.scale) {
                return None;
            }
            if gap(a, b) > gap(b, c) {
                high = middle
            } else {
                low = middle
            }
        }
        let (early, late) = (gaps.get(gaps.len().checked_sub(12)?)?, gaps.last()?);
        (*late > 1e-3 && *late > 0.9 * early && *late < 1.1 * early).then_some(low)
    })
}

#[test]
fn no_potential_that_keeps_the_energy_jumps() {
    let mut random = Random(1);
    let (mut kept, mut jumping) = (0, 0);
    for number in 0..1000 {
        let mut graph = Graph::new();
        let potential = random_potential(&mut graph, &mut random, 5);
        let jump = jump(&graph, potential);
        let text = graph.text(potential, &lagrange_engine::plain_names);
        let keeps = conserves_energy(graph, potential);
        assert!(
            !keeps || jump.is_none(),
            "{number}: {text} jumps at {jump:?}"
        );
        kept += usize::from(keeps);
        jumping += usize::from(jump.is_some());
    }
    assert!(kept > 500 && jumping > 100, "{kept} {jumping}");
}
