//! The rules of the smart constructors and of the derivatives, one line each.

use std::cell::RefCell;

use crate::random::expr::Expr;
use lagrange_engine::{Binary, Comparison, Graph, Number, Symbol, Unary};

const X: Symbol = Symbol::Coordinate(0);
const Y: Symbol = Symbol::Coordinate(1);

fn symbols(graph: &RefCell<Graph>) -> [Expr<'_>; 2] {
    [X, Y].map(|symbol| Expr::symbol(graph, symbol))
}

/// Both sides are one node.
macro_rules! same {
    ($($name:ident: |$x:ident, $y:ident| $left:expr => $right:expr;)*) => {$(
        #[test]
        #[allow(unused_variables)]
        fn $name() {
            let graph = RefCell::new(Graph::new());
            let [$x, $y] = symbols(&graph);
            let (left, right) = ($left, $right);
            let text = |id| graph.borrow().text(id, &lagrange_engine::plain_names);
            assert_eq!(left.id, right.id, "{} and {}", text(left.id), text(right.id));
        }
    )*};
}

/// The derivative by x, in both modes, is the node on the right.
macro_rules! derivative {
    ($($name:ident: |$x:ident, $y:ident| $of:expr => $is:expr;)*) => {$(
        #[test]
        #[allow(unused_variables)]
        fn $name() {
            let graph = RefCell::new(Graph::new());
            let [$x, $y] = symbols(&graph);
            let (of, is) = ($of.id, $is.id);
            let mut graph = graph.borrow_mut();
            let one = graph.integer(1);
            let forward = graph.directional(&[of], &[(X, one)])[0];
            let reverse = graph.gradient(of, &[X])[0];
            for derivative in [forward, reverse] {
                let text = |id| graph.text(id, &lagrange_engine::plain_names);
                assert_eq!(derivative, is, "{} and {}", text(derivative), text(is));
            }
        }
    )*};
}

same! {
    constants_add_exactly: |x, y| x.number(1, 2) + x.number(1, 3) => x.number(5, 6);
    constants_multiply_exactly: |x, y| x.number(2, 3) * x.number(3, 4) => x.number(1, 2);
    like_terms_add: |x, y| x * 2 + x => x * 3;
    like_terms_cancel: |x, y| (x + y) - (x + y) => x.number(0, 1);
    adding_nothing: |x, y| x + 0 => x;
    multiplying_by_one: |x, y| x * 1 => x;
    multiplying_by_nothing: |x, y| x * x.number(0, 1) => x.number(0, 1);
    sums_commute: |x, y| x + y => y + x;
    products_commute: |x, y| x * y => y * x;
    two_minus_signs: |x, y| -(-x) => x;
    like_factors_multiply: |x, y| x * x.powi(2) => x.powi(3);
    like_factors_cancel: |x, y| (x * y) / x => y;
    powers_of_powers: |x, y| x.powi(2).powi(3) => x.powi(6);
    powers_of_products: |x, y| (x * y).powi(2) => x.powi(2) * y.powi(2);
    powers_of_scaled: |x, y| (x * 3).powi(-2) => x.powi(-2) / 9;
    the_power_zero: |x, y| (x + y).powi(0) => x.number(1, 1);
    differences_share_a_node: |x, y| -(x - y) => y - x;
    common_coefficients: |x, y| x * 2 + y * 2 => (x + y) * 2;
    odd_functions: |x, y| (-x).sin() => -x.sin();
    odd_functions_of_scaled: |x, y| (x * -2).tan() => -(x * 2).tan();
    even_functions: |x, y| (-x).cos() => x.cos();
    parity_of_differences: |x, y| (x - y).sin() => -(y - x).sin();
    sine_of_pi: |x, y| x.pi().sin() => x.number(0, 1);
    sine_of_a_sixth: |x, y| (x.pi() / 6).sin() => x.number(1, 2);
    cosine_of_pi: |x, y| x.pi().cos() => x.number(-1, 1);
    cosine_of_a_half: |x, y| (x.pi() * 5 / 2).cos() => x.number(0, 1);
    tangent_of_pi: |x, y| (x.pi() * 7).tan() => x.number(0, 1);
    exponential_of_nothing: |x, y| x.number(0, 1).exp() => x.number(1, 1);
    logarithm_of_one: |x, y| x.number(1, 1).ln() => x.number(0, 1);
    exact_roots: |x, y| x.number(4, 9).sqrt() => x.number(2, 3);
    squares_of_roots: |x, y| x.sqrt().powi(2) => x;
    fourth_powers_of_roots: |x, y| x.sqrt().powi(-4) => x.powi(-2);
    products_of_roots: |x, y| x.sqrt() * x.sqrt() => x;
    quotients_by_roots: |x, y| x / x.sqrt() / x.sqrt() => x.number(1, 1);
    products_of_sizes: |x, y| x.abs() * y * x.abs() => y * x.powi(2);
    squares_of_sizes: |x, y| x.abs().powi(2) => x.powi(2);
    squares_of_lengths: |x, y| x.binary(Binary::Hypot, y).powi(2) => x.powi(2) + y.powi(2);
    powers_of_lengths: |x, y| x.binary(Binary::Hypot, y).powi(-4) => (x.powi(2) + y.powi(2)).powi(-2);
    lengths_of_lengths: |x, y| x.binary(Binary::Hypot, y).binary(Binary::Hypot, x).powi(2)
        => (x.powi(2) + y.powi(2)) + x.powi(2);
    sizes_of_sizes: |x, y| x.abs().abs() => x.abs();
    signs_of_signs: |x, y| x.unary(Unary::Sign).unary(Unary::Sign) => x.unary(Unary::Sign);
    integer_powers: |x, y| x.pow(x.number(3, 1)) => x.powi(3);
    half_powers: |x, y| x.pow(x.number(1, 2)) => x.sqrt();
    half_powers_below: |x, y| x.pow(x.number(-1, 2)) => x.sqrt().powi(-1);
    pythagoras: |x, y| x.sin().powi(2) + x.cos().powi(2) => x.number(1, 1);
    pythagoras_with_factors: |x, y|
        y * x.sin().powi(2) * 3 + y * x.cos().powi(2) * 3 => y * 3;
    pythagoras_with_powers: |x, y|
        x.sin().powi(4) + x.sin().powi(2) * x.cos().powi(2) => x.sin().powi(2);
    equal_branches: |x, y| x.less(y, x, x) => x;
    known_branches: |x, y| x.number(1, 1).less(x.number(2, 1), x, y) => x;
    least_of_one: |x, y| x.binary(Binary::Min, x) => x;
    least_of_numbers: |x, y| x.number(2, 1).binary(Binary::Min, x.number(3, 1)) => x.number(2, 1);
    largest_of_numbers: |x, y| x.number(2, 1).binary(Binary::Max, x.number(3, 1)) => x.number(3, 1);
}

derivative! {
    of_a_constant: |x, y| y.powi(3) + 7 => x.number(0, 1);
    of_a_sum: |x, y| x * 3 + y => x.number(3, 1);
    of_a_product: |x, y| x * y => y;
    of_a_square: |x, y| x.powi(2) => x * 2;
    of_a_reciprocal: |x, y| x.powi(-1) => -x.powi(-2);
    of_a_quotient: |x, y| y / x.powi(2) => y * x.powi(-3) * -2;
    of_a_chain: |x, y| (x * y).sin() => y * (x * y).cos();
    of_sin: |x, y| x.sin() => x.cos();
    of_cos: |x, y| x.cos() => -x.sin();
    of_tan: |x, y| x.tan() => x.tan().powi(2) + 1;
    of_asin: |x, y| x.unary(Unary::Asin) => (x.number(1, 1) - x.powi(2)).sqrt().powi(-1);
    of_acos: |x, y| x.unary(Unary::Acos) => -(x.number(1, 1) - x.powi(2)).sqrt().powi(-1);
    of_atan: |x, y| x.unary(Unary::Atan) => (x.powi(2) + 1).powi(-1);
    of_sinh: |x, y| x.unary(Unary::Sinh) => x.unary(Unary::Cosh);
    of_cosh: |x, y| x.unary(Unary::Cosh) => x.unary(Unary::Sinh);
    of_tanh: |x, y| x.unary(Unary::Tanh) => x.number(1, 1) - x.unary(Unary::Tanh).powi(2);
    of_exp: |x, y| x.exp() => x.exp();
    of_ln: |x, y| x.ln() => x.powi(-1);
    of_sqrt: |x, y| x.sqrt() => x.sqrt().powi(-1) / 2;
    of_abs: |x, y| x.abs() => x.unary(Unary::Sign);
    of_sign: |x, y| x.unary(Unary::Sign) => x.number(0, 1);
    of_atan2_above: |x, y| x.binary(Binary::Atan2, y) => y / (x.powi(2) + y.powi(2));
    of_atan2_below: |x, y| y.binary(Binary::Atan2, x) => -y / (x.powi(2) + y.powi(2));
    of_hypot: |x, y| x.binary(Binary::Hypot, y) => x / x.binary(Binary::Hypot, y);
    of_a_base: |x, y| x.pow(y) => y * x.pow(y - 1);
    of_an_exponent: |x, y| y.pow(x) => y.pow(x) * y.ln();
    of_min: |x, y| x.binary(Binary::Min, y) =>
        x.select(Comparison::LessEqual, y, x.number(1, 1), x.number(0, 1));
    of_max: |x, y| x.binary(Binary::Max, y) =>
        y.select(Comparison::LessEqual, x, x.number(1, 1), x.number(0, 1));
    of_branches: |x, y| x.less(y, x.powi(2), y) => x.less(y, x * 2, x.number(0, 1));
}

/// The value of an expression of x and y.
fn evaluate(make: fn(Expr, Expr) -> lagrange_engine::NodeId, at: [f64; 2]) -> f64 {
    let graph = RefCell::new(Graph::new());
    let [x, y] = symbols(&graph);
    let root = make(x, y);
    graph
        .borrow()
        .evaluate(&[root], &|symbol| at[usize::from(symbol == Y)])[0]
}

/// The rules whose result differs from the operations as written, and all places where they do.
#[test]
fn rules_that_alter_values_that_are_not_finite() {
    let (infinity, nan) = (f64::INFINITY, f64::NAN);
    type Row = (
        fn(Expr, Expr) -> lagrange_engine::NodeId,
        fn(f64) -> f64,
        [f64; 4],
    );
    // The rule, the operations as written, and the rule at infinity, NaN, 0 and -1.
    let rows: [Row; 7] = [
        (|x, _| (x - x).id, |x| x - x, [0.0, 0.0, 0.0, 0.0]),
        (
            |x, _| (x * x.number(0, 1)).id,
            |x| 0.0 * x,
            [0.0, 0.0, 0.0, 0.0],
        ),
        (|x, _| (x / x).id, |x| x / x, [1.0, 1.0, 1.0, 1.0]),
        (
            |x, _| (x.powi(2) / x).id,
            |x| x * x / x,
            [infinity, nan, 0.0, -1.0],
        ),
        (
            |x, _| x.sqrt().powi(2).id,
            |x| x.sqrt() * x.sqrt(),
            [infinity, nan, 0.0, -1.0],
        ),
        (
            |x, _| (x.sin().powi(2) + x.cos().powi(2)).id,
            |x| x.sin().powi(2) + x.cos().powi(2),
            [1.0, 1.0, 1.0, 1.0],
        ),
        (
            |x, _| (x * 2 - x * 2).id,
            |x| 2.0 * x - 2.0 * x,
            [0.0, 0.0, 0.0, 0.0],
        ),
    ];
    for (row, (rule, written, expected)) in rows.into_iter().enumerate() {
        let mut altered = false;
        for (x, expected) in [infinity, nan, 0.0, -1.0].into_iter().zip(expected) {
            let value = evaluate(rule, [x, 1.0]);
            assert!(
                value == expected || (value.is_nan() && expected.is_nan()),
                "{row} at {x}"
            );
            altered |= written(x).is_nan() && !value.is_nan();
            // If the operations as written have a value, the rule has the same value.
            let written = written(x);
            let same = written == value || (written - value).abs() < 1e-15;
            assert!(same || written.is_nan(), "{row} at {x}");
        }
        assert!(altered, "row {row} alters nothing and need not be listed");
    }
}

#[test]
fn what_is_not_finite_is_not_simplified_away() {
    let not_finite: [fn(Expr, Expr) -> lagrange_engine::NodeId; 5] = [
        |x, _| (x.number(1, 1) / x.number(0, 1)).id,
        |x, _| (x.number(0, 1) / x.number(0, 1)).id,
        |x, _| (x / x.number(0, 1)).id,
        |x, _| x.number(0, 1).ln().id,
        |x, _| (x.number(0, 1).powi(-1) * x.number(0, 1) + x.number(0, 1).powi(-2)).id,
    ];
    for (row, make) in not_finite.into_iter().enumerate() {
        assert!(!evaluate(make, [2.0, 1.0]).is_finite(), "row {row}");
    }
}

#[test]
fn the_branch_that_is_not_taken_does_no_harm() {
    // if x < 1 { x } else { ln(x - 1) }, and its derivative
    let value = evaluate(
        |x, _| x.less(x.number(1, 1), x, (x - 1).ln()).id,
        [0.5, 0.0],
    );
    assert_eq!(value, 0.5);
    let graph = RefCell::new(Graph::new());
    let [x, _] = symbols(&graph);
    let root = x.less(x.number(1, 1), x * 3, (x - 1).sqrt()).id;
    let mut graph = graph.borrow_mut();
    let gradient = graph.gradient(root, &[X]);
    assert_eq!(graph.evaluate(&gradient, &|_| 1.0 - 1e-9), [3.0]);
    assert_eq!(graph.evaluate(&gradient, &|_| 2.0), [0.5]);
}

#[test]
fn products_of_many_factors_do_not_depend_on_their_order() {
    let mut graph = Graph::new();
    let symbols: Vec<_> = (0..100)
        .map(|i| graph.symbol(Symbol::Parameter(i)))
        .collect();
    let mut halves = symbols.chunks(40).map(|part| {
        part.iter().fold(None, |product, symbol| {
            Some(product.map_or(*symbol, |product| graph.mul(product, *symbol)))
        })
    });
    let (first, second) = (
        halves.next().flatten().unwrap(),
        halves.next().flatten().unwrap(),
    );
    assert_eq!(graph.mul(first, second), graph.mul(second, first));
    assert_eq!(graph.mul(first, symbols[99]), graph.mul(symbols[99], first));
}

#[test]
fn exponents_at_the_ends_of_their_range_do_not_overflow() {
    for exponent in [i32::MIN, i32::MIN + 1, i32::MAX] {
        let graph = RefCell::new(Graph::new());
        let [x, y] = symbols(&graph);
        let sum = x.sin().powi(exponent) * x.cos().powi(2) + x.sin().powi(exponent);
        let powers = (x.powi(exponent) * y).powi(2).sin() + (x * y).sqrt().powi(exponent) + sum;
        let mut graph = graph.borrow_mut();
        let gradient = graph.gradient(powers.id, &[X, Y]);
        // Powers of 1 are 1, whatever the exponent.
        let values = graph.evaluate(&gradient, &|_| 1.0);
        assert_eq!(values.len(), 2);
        assert!(
            !graph
                .text(gradient[0], &lagrange_engine::plain_names)
                .is_empty()
        );
    }
}

/// 49 (1 / 49) is not 1 in doubles.
#[test]
fn a_float_comes_out_of_a_sum_as_it_went_in() {
    let mut graph = Graph::new();
    let [x, y] = [X, Y].map(|symbol| graph.symbol(symbol));
    let float = Number::float(49.0 / 1024.0);
    let sum = graph.sum(Number::ZERO, vec![(float, x), (-float, y)]);
    let difference = graph.sub(x, y);
    assert_eq!(sum, graph.scale(float, difference));
}
