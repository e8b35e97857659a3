//! Moves and differences of orientations as expressions that have derivatives at 0.

use crate::{Binary, Comparison, Graph, NodeId, Number, Unary};

/// The orientation R exp(d) as a quaternion of unit length.
pub(super) fn moved(graph: &mut Graph, arrays: &[Vec<NodeId>]) -> Vec<NodeId> {
    let (q, d) = (&arrays[0], &arrays[1]);
    let quarter = graph.dot(d, d);
    let quarter = rational(graph, 1, 4, quarter);
    // Functions of the square of half the angle: at 0 its root has no derivative.
    let half = graph.unary(Unary::Sqrt, quarter);
    let sine = graph.unary(Unary::Sin, half);
    let ratio = graph.div(sine, half);
    let ratio = rational(graph, 1, 2, ratio);
    let cosine = graph.unary(Unary::Cos, half);
    let least = graph.number(Number::float(0.01));
    let series = series(graph, quarter, &[2, -12, 240, -10080, 725_760, -79_833_600]);
    let factor = graph.select(Comparison::Less, quarter, least, series, ratio);
    let series = self::series(graph, quarter, &[1, -2, 24, -720, 40320, -3_628_800]);
    let last = graph.select(Comparison::Less, quarter, least, series, cosine);
    let mut turn: Vec<NodeId> = d.iter().map(|d| graph.mul(*d, factor)).collect();
    turn.push(last);
    let product = quaternion_product(graph, q, &turn);
    let square = graph.dot(&product, &product);
    let length = graph.unary(Unary::Sqrt, square);
    product.iter().map(|x| graph.div(*x, length)).collect()
}

/// The displacement from one orientation to the other.
pub(super) fn difference(graph: &mut Graph, arrays: &[Vec<NodeId>]) -> Vec<NodeId> {
    let [from, to] = [&arrays[0], &arrays[1]];
    let mut back: Vec<NodeId> = from[..3].iter().map(|x| graph.neg(*x)).collect();
    back.push(from[3]);
    let turn = quaternion_product(graph, &back, to);
    let zero = graph.integer(0);
    let shorter = turn.iter().map(|x| {
        let minus = graph.neg(*x);
        graph.select(Comparison::Less, turn[3], zero, minus, *x)
    });
    let turn: Vec<NodeId> = shorter.collect();
    let (sides, w) = (&turn[..3], turn[3]);
    let square = graph.dot(sides, sides);
    let sine = graph.unary(Unary::Sqrt, square);
    let angle = graph.binary(Binary::Atan2, sine, w);
    let factor = graph.div(angle, sine);
    // atan(r)/r, of the square of r.
    let squared = graph.powi(w, 2);
    let ratio = graph.div(square, squared);
    let series = series(graph, ratio, &[1, -3, 5, -7, 9, -11, 13, -15]);
    let series = graph.div(series, w);
    let least = graph.number(Number::float(0.01));
    let factor = graph.select(Comparison::Less, ratio, least, series, factor);
    let factor = graph.scale(Number::integer(2), factor);
    sides.iter().map(|x| graph.mul(*x, factor)).collect()
}

fn rational(graph: &mut Graph, num: i64, den: i64, x: NodeId) -> NodeId {
    let factor = Number::rational(num, den).unwrap_or(Number::ZERO);
    graph.scale(factor, x)
}

/// The sum of x^k / c_k.
fn series(graph: &mut Graph, x: NodeId, divisors: &[i64]) -> NodeId {
    let zero = graph.integer(0);
    divisors.iter().rev().fold(zero, |sum, divisor| {
        let constant = Number::rational(1, *divisor).unwrap_or(Number::ZERO);
        let constant = graph.number(constant);
        let higher_powers = graph.mul(x, sum);
        graph.add(constant, higher_powers)
    })
}

fn quaternion_product(graph: &mut Graph, a: &[NodeId], b: &[NodeId]) -> Vec<NodeId> {
    // The terms of each entry: the entries of both factors, and whether their product is subtracted.
    let rows = [
        [(3, 0, false), (0, 3, false), (1, 2, false), (2, 1, true)],
        [(3, 1, false), (1, 3, false), (2, 0, false), (0, 2, true)],
        [(3, 2, false), (2, 3, false), (0, 1, false), (1, 0, true)],
        [(3, 3, false), (0, 0, true), (1, 1, true), (2, 2, true)],
    ];
    let entries = rows.iter().map(|row| {
        let terms = row.iter().map(|(i, j, is_negative)| {
            let sign = if *is_negative {
                -Number::ONE
            } else {
                Number::ONE
            };
            (sign, graph.mul(a[*i], b[*j]))
        });
        let terms = terms.collect();
        graph.sum(Number::ZERO, terms)
    });
    entries.collect()
}
