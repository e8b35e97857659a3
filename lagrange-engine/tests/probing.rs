//! Questions that evaluation answers: zero or not, rank, singular or not.

use std::cell::RefCell;

use crate::random::expr::Expr;
use lagrange_engine::{
    Answer, Binary, Complex, Graph, NodeId, Symbol, Unary, is_identically_zero, is_singular, rank,
};

fn ask(make: impl Fn(Expr, Expr) -> NodeId) -> Answer {
    let graph = RefCell::new(Graph::new());
    let [x, m] = [Symbol::Coordinate(0), Symbol::Parameter(0)].map(|s| Expr::symbol(&graph, s));
    let root = make(x, m);
    is_identically_zero(&graph.borrow(), &[root])[0]
}

macro_rules! answers {
    ($($name:ident: |$x:ident, $m:ident| $root:expr => $answer:ident;)*) => {$(
        #[test]
        #[allow(unused_variables)]
        fn $name() {
            assert_eq!(ask(|$x, $m| $root.id), Answer::$answer);
        }
    )*};
}

answers! {
    the_number_zero: |x, m| x.number(0, 1) => Yes;
    a_small_number: |x, m| x.number(1, i64::MAX) => No;
    expanded_squares: |x, m| (x + m).powi(2) - (x.powi(2) + x * m * 2 + m.powi(2)) => Yes;
    expanded_powers: |x, m|
        (x + 1).powi(4) - (x.powi(4) + x.powi(3) * 4 + x.powi(2) * 6 + x * 4 + 1) => Yes;
    double_angles: |x, m| (x * 2).cos() - x.cos().powi(2) * 2 + 1 => Yes;
    sums_of_angles: |x, m| (x + m).sin() - x.sin() * m.cos() - x.cos() * m.sin() => Yes;
    hyperbolic: |x, m|
        x.unary(Unary::Cosh).powi(2) - x.unary(Unary::Sinh).powi(2) - 1 => Yes;
    inverse_of_a_function: |x, m| x.unary(Unary::Asin).sin() - x => Yes;
    a_tiny_difference: |x, m| x * x.number(1, 1_000_000_000_000) => No;
    a_tiny_term_beside_large_ones: |x, m|
        (x + m).powi(2) - x.powi(2) - x * m * 2 - m.powi(2) + x * x.number(1, 100_000) => No;
    roots_outside_the_real_line: |x, m| (-(x.powi(2)) - 1).sqrt() => No;
    roots_that_cancel_there: |x, m|
        (-(x.powi(2)) - 1).sqrt().powi(4) - (x.powi(2) + 1).powi(2) => Yes;
    logarithms_of_powers: |x, m| x.exp().ln().exp() - x.exp() => Yes;
    root_of_a_square: |x, m| x.powi(2).sqrt() - x => No;
    arc_of_a_sine: |x, m| x.sin().unary(Unary::Asin) - x => No;
    size_is_not_the_value: |x, m| x.abs() - x => No;
    sizes_of_products: |x, m| (x * m).abs() - x.abs() * m.abs() => Unknown;
    branches_that_agree: |x, m|
        x.less(m, (x + 1).powi(2), x.powi(2) + x * 2 + 1) - (x + 1).powi(2) => Unknown;
    branches_that_differ: |x, m| x.less(m, x, m) - x => No;
    unused_branches: |x, m|
        x.powi(2).less(x.number(-1, 1), x, x.number(0, 1)) => Unknown;
    minimum: |x, m| x.binary(Binary::Min, m) - m => No;
    never_finite: |x, m| x.number(0, 1).ln() => Unknown;
    noise_divided: |x, m|
        x / ((x + m).powi(2) - x.powi(2) - x * m * 2 - m.powi(2)) => Unknown;
    sine_of_something_vast: |x, m| (x.exp() * i64::MAX).sin() => No;
    overflow: |x, m| (x * 10_000).exp() => No;
}

/// A matrix from entries of x and y.
fn matrix<const C: usize>(
    make: impl Fn(Expr, Expr) -> Vec<[NodeId; C]>,
) -> (Graph, Vec<Vec<NodeId>>) {
    let graph = RefCell::new(Graph::new());
    let [x, y] = [0, 1].map(|i| Expr::symbol(&graph, Symbol::Coordinate(i)));
    let rows = make(x, y).into_iter().map(Vec::from).collect();
    (graph.into_inner(), rows)
}

#[test]
fn a_rank_lost_at_points_only_is_full() {
    let (graph, rows) = matrix(|x, y| vec![[x.cos().id, x.sin().id], [y.cos().id, y.sin().id]]);
    let found = rank(&graph, &rows);
    assert_eq!(
        (found.rank, found.dependent, found.certain),
        (2, None, true)
    );
}

#[test]
fn the_first_dependent_row_is_named_with_its_parts() {
    // Row 2 is x row 0 - row 1, which only expansion shows; row 3 is independent.
    let (graph, rows) = matrix(|x, y| {
        let (one, zero) = (x.number(1, 1), x.number(0, 1));
        vec![
            [(x + y).id, one.id, zero.id],
            [(x * y).id, y.id, zero.id],
            [(x.powi(2)).id, (x - y).id, zero.id],
            [zero.id, zero.id, y.id],
        ]
    });
    let found = rank(&graph, &rows);
    let dependent = found.dependent.unwrap();
    assert_eq!((found.rank, found.certain), (3, true));
    assert_eq!((dependent.row, dependent.on), (2, vec![0, 1]));
}

#[test]
fn rows_of_zeros_depend_on_nothing() {
    let (graph, rows) = matrix(|x, _| {
        let zero = (x - x).id;
        vec![[x.id, zero], [zero, zero]]
    });
    let dependent = rank(&graph, &rows).dependent.unwrap();
    assert_eq!((dependent.row, dependent.on), (1, vec![]));
    assert_eq!(rank(&graph, &[]).rank, 0);
    assert_eq!(rank(&graph, &[vec![], vec![]]).dependent.unwrap().row, 0);
}

#[test]
fn branches_make_a_deficient_rank_uncertain() {
    let (graph, rows) = matrix(|x, y| {
        let size = x.less(y, x, y).abs();
        vec![[size.id, x.id], [size.id, x.id]]
    });
    let found = rank(&graph, &rows);
    assert_eq!((found.rank, found.certain), (1, false));
    assert_eq!(
        is_singular(&graph, &[vec![rows[0][0]], vec![rows[0][0]; 2]]),
        Answer::Unknown
    );
}

#[test]
fn matrices_of_the_quaternion_kind_are_singular_without_their_constraint() {
    // |q|^2 1 - q q^T has the null vector q; with the row of the constraint it is regular.
    let mut graph = Graph::new();
    let q: Vec<NodeId> = (0..4)
        .map(|i| graph.symbol(Symbol::Coordinate(i)))
        .collect();
    let square = graph.dot(&q, &q);
    let zero = graph.integer(0);
    let mut lower: Vec<Vec<NodeId>> = Vec::new();
    for i in 0..4 {
        let row = (0..=i).map(|j| {
            let outer = graph.mul(q[i], q[j]);
            let diagonal = if i == j { square } else { zero };
            graph.sub(diagonal, outer)
        });
        lower.push(row.collect());
    }
    assert_eq!(is_singular(&graph, &lower), Answer::Yes);
    let mut border = q.clone();
    border.push(zero);
    lower.push(border);
    assert_eq!(is_singular(&graph, &lower), Answer::No);
}

#[test]
fn units_far_apart_do_not_make_a_matrix_singular() {
    let mut graph = Graph::new();
    let m = graph.symbol(Symbol::Parameter(0));
    let tiny = lagrange_engine::Number::parse("1e-30").unwrap();
    let (small, zero) = (graph.scale(tiny, m), graph.integer(0));
    assert_eq!(
        is_singular(&graph, &[vec![m], vec![zero, small]]),
        Answer::No
    );
}

#[test]
fn the_scale_is_that_of_what_was_rounded() {
    let graph = RefCell::new(Graph::new());
    let x = Expr::symbol(&graph, Symbol::Coordinate(0));
    let difference = (x + 1).powi(2) - x.powi(2) - x * 2 - 1;
    let probe = graph
        .borrow()
        .evaluate_complex(&[difference.id], &|_| Complex::real(1e6))[0];
    assert!(probe.value.abs() <= 1e-12 * probe.scale);
    assert!((1e12..1e14).contains(&probe.scale));
    assert!(probe.exact && probe.real && probe.is_known());
}
