//! Questions that evaluation answers: zero or not, rank, singular or not.

use std::cell::RefCell;

use crate::random::expr::Expr;
use lagrange_engine::{
    Answer, Binary, Complex, Graph, NodeId, Number, Symbol, Unary, is_identically_zero,
    is_singular, rank,
};

fn ask(make: impl for<'g> Fn(Expr<'g>, Expr<'g>) -> Expr<'g>) -> Answer {
    let graph = RefCell::new(Graph::new());
    let [x, m] = [Symbol::Coordinate(0), Symbol::Parameter(0)].map(|s| Expr::symbol(&graph, s));
    let root = make(x, m).id;
    is_identically_zero(&graph.borrow(), &[root])[0]
}

macro_rules! answers {
    ($($name:ident: |$x:ident, $m:ident| $root:expr => $answer:ident;)*) => {$(
        #[test]
        #[allow(unused_variables)]
        fn $name() {
            assert_eq!(ask(|$x, $m| $root), Answer::$answer);
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
    // Not so where both are negative.
    roots_of_products: |x, m| x.sqrt() * m.sqrt() - (x * m).sqrt() => Unknown;
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
    sine_of_something_vast: |x, m| (x.exp() * i64::MAX).sin() => Unknown;
    overflow: |x, m| (x * 10_000).exp() => No;
}

/// A difference of x and m.
type Difference = for<'g> fn(Expr<'g>, Expr<'g>) -> Expr<'g>;

/// Zero by a law that points of the field see.
const SEEN: [(&str, Difference); 14] = [
    ("squares", |x, m| {
        (x + m).powi(2) - x.powi(2) - x * m * 2 - m.powi(2)
    }),
    ("fractions", |x, m| x / (x * m + x) - (m + 1).powi(-1)),
    ("angles", |x, m| {
        (x - m * 3).sin() - x.sin() * (m * 3).cos() + x.cos() * (m * 3).sin()
    }),
    ("thirds of angles", |x, _| {
        let third = (x * x.number(1, 3)).sin();
        x.sin() - third * 3 + third.powi(3) * 4
    }),
    ("twelfths of pi", |x, _| {
        let root = x.number(3, 4).sqrt();
        (x + x.pi() * x.number(1, 6)).sin() - x.sin() * root - x.cos() * x.number(1, 2)
    }),
    ("products as angles", |x, m| {
        let angle = x * m;
        (angle * 2).sin() - angle.sin() * angle.cos() * 2
    }),
    ("tangents", |x, _| x.tan().powi(2) + 1 - x.cos().powi(-2)),
    ("arcs", |x, m| {
        let arc = x.binary(Binary::Atan2, m);
        arc.tan() - x / m
    }),
    ("twice an arc", |x, _| {
        let arc = x.unary(Unary::Acos);
        (arc * 2).cos() - x.powi(2) * 2 + 1
    }),
    ("exponentials", |x, m| {
        (x + m * 2).exp() - x.exp() * m.exp().powi(2)
    }),
    ("hyperbolic", |x, m| {
        let (a, b) = (x + m, x - m);
        a.unary(Unary::Cosh)
            - b.unary(Unary::Cosh)
            - x.unary(Unary::Sinh) * m.unary(Unary::Sinh) * 2
    }),
    ("logarithms in exponents", |x, m| {
        (x.ln() * 3 + m).exp() - x.powi(3) * m.exp()
    }),
    ("roots of numbers", |x, _| {
        (x * 12).sqrt() - (x * 3).sqrt() * 2
    }),
    ("roots of roots", |x, _| {
        x.sqrt().sqrt() - x.pow(x.number(1, 4))
    }),
];

/// Zero by a law that they do not see, or for some signs only.
const UNSEEN: [(&str, Difference); 8] = [
    ("cosines of cosines", |x, m| {
        let sum = x.cos() * m.cos() - x.sin() * m.sin();
        (x + m).cos().cos() - sum.cos()
    }),
    ("cosines of roots", |x, m| {
        let square = x.powi(2) + x * m * 2 + m.powi(2);
        square.sqrt().cos() - (x + m).cos()
    }),
    ("powers", |x, m| {
        x.pow(m + x.number(3, 2)) - x.pow(m) * x.pow(x.number(3, 2))
    }),
    ("logarithms", |x, m| (x.exp() * m.exp()).ln() - x - m),
    ("expanded angles", |x, m| {
        (x * (m + 1)).sin() - (x * m + x).sin()
    }),
    ("arcs that add up", |x, _| {
        let rest = (-(x.powi(2)) + 1).sqrt();
        x.unary(Unary::Asin) - (x / rest).unary(Unary::Atan)
    }),
    ("roots of sums", |x, m| {
        let sum = x.powi(2) + m.powi(2) + 1;
        (sum.powi(2) + x - x).sqrt() - sum
    }),
    ("roots of expanded squares", |x, _| {
        (x.powi(4) + x.powi(2) * 2 + 1).sqrt() - x.powi(2) - 1
    }),
];

#[test]
fn laws_are_seen() {
    for (name, difference) in SEEN.iter().chain(&UNSEEN) {
        for unit in ["1", "1e30", "1e-30", "0.1", "9.109e-31"] {
            let answer = ask(|x, m| difference(x, m) * x.decimal(unit));
            assert_eq!(answer, Answer::Yes, "{name} in units of {unit}");
        }
    }
    // Lengths in other units.
    for (name, difference) in SEEN {
        for unit in ["1e9", "1e-9", "1e18"] {
            let answer = ask(|x, m| difference(x * x.decimal(unit), m * x.decimal(unit)));
            assert_eq!(answer, Answer::Yes, "{name} of multiples of {unit}");
        }
    }
}

#[test]
fn nothing_is_too_small_beside_what_cancels() {
    for (name, difference) in SEEN {
        for size in ["1e-13", "1e-30", "1e-300", "1e-16"] {
            let answer = ask(|x, m| difference(x, m) * 1000 + x.cos() * x.decimal(size));
            assert_eq!(answer, Answer::No, "{name} and {size}");
        }
    }
}

/// The residues of zeros stay within the bound of their rounding, at real points and beside the real line.
#[test]
fn rounding_is_bounded() {
    let mut largest = 0.0_f64;
    for (name, difference) in SEEN.iter().chain(&UNSEEN) {
        let graph = RefCell::new(Graph::new());
        let symbols = [Symbol::Coordinate(0), Symbol::Parameter(0)];
        let [x, m] = symbols.map(|symbol| Expr::symbol(&graph, symbol));
        let root = difference(x, m).id;
        for point in 0..500_u32 {
            // The fractional parts of multiples of an irrational number.
            let part = |k: u32| (f64::from(4 * point + k) * 0.618_033_988_749_895).fract();
            let at = |k: u32| Complex {
                re: 0.05 + 0.9 * part(k),
                im: if point.is_multiple_of(2) {
                    0.0
                } else {
                    0.2 * part(k + 1) - 0.1
                },
            };
            let value = |symbol| at(if symbol == symbols[0] { 0 } else { 2 });
            let probe = graph.borrow().evaluate_complex(&[root], &value)[0];
            if probe.is_known() {
                assert!(probe.is_rounding(), "{name} at {point}: {probe:?}");
                largest = largest.max(probe.value.abs() / probe.scale / f64::EPSILON);
            }
        }
    }
    // At most about ten times the actual error.
    assert!(largest > 0.2, "{largest}");
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

/// Rows of [M -J'; J 0], and nearly parallel rows, which a relative threshold would treat as rounding.
#[test]
fn full_ranks_are_found_however_ill_the_matrix_is_conditioned() {
    for tiny in ["1e-6", "1e-12", "9.109e-31", "1e-60"] {
        let (graph, rows) = matrix(|x, _| {
            let (tiny, one, zero) = (x.decimal(tiny), x.number(1, 1), x.number(0, 1));
            vec![
                [tiny.id, zero.id, (-x).id],
                [zero.id, tiny.id, (-one).id],
                [x.id, one.id, zero.id],
            ]
        });
        assert_eq!(rank(&graph, &rows).rank, 3, "{tiny}");
        let (graph, rows) = matrix(|x, y| {
            let tiny = x.decimal(tiny);
            vec![[x.id, y.id], [(x + y * tiny).id, y.id]]
        });
        assert_eq!(rank(&graph, &rows).rank, 2, "{tiny}");
        // And the same row once more.
        let (graph, rows) = matrix(|x, y| {
            let tiny = x.decimal(tiny);
            let factor = x * tiny + y;
            vec![[x.id, y.id], [(x * x * tiny + y * x).id, (factor * y).id]]
        });
        assert_eq!(rank(&graph, &rows).rank, 1, "{tiny}");
    }
    // Hilbert's matrix, of which doubles see no more than 12 rows.
    let (graph, rows) = matrix(|x, _| {
        let row = |i: i64| -> [NodeId; 20] {
            std::array::from_fn(|j| (x * x.number(1, i + j as i64 + 1)).id)
        };
        (0..20).map(row).collect()
    });
    assert_eq!(rank(&graph, &rows).rank, 20);
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

/// Entries of R Rᵀ for rounded rotations R are those of the identity but for rounding, in any units; with something added
/// they are not.
#[test]
fn rounded_constants_cancel_but_for_rounding() {
    let mut graph = Graph::new();
    for k in 1..40 {
        let (s, c) = (0.37 * f64::from(k)).sin_cos();
        let (t, d) = (0.83 * f64::from(k)).sin_cos();
        let rows = [[c, -s * d, s * t], [s, c * d, -c * t], [0.0, t, d]];
        let rows = rows.map(|row| row.map(Number::float));
        for (i, j) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
            for unit in ["1e-40", "1e-12", "1", "1e12", "1e40"] {
                let unit = Number::parse(unit).unwrap();
                let term = |k: usize| rows[i][k].checked_mul(rows[j][k]).unwrap();
                let sum = |more: &str| {
                    let numbers = [term(0), term(1), term(2), Number::parse(more).unwrap()];
                    let sum = numbers.into_iter().reduce(|a, b| a.checked_add(b).unwrap());
                    sum.unwrap().checked_mul(unit).unwrap()
                };
                let given = if i == j {
                    ["-1", "-0.9999999"]
                } else {
                    ["0", "1e-7"]
                };
                for (more, answer) in given.into_iter().zip([Answer::Yes, Answer::No]) {
                    let root = graph.number(sum(more));
                    assert_eq!(
                        is_identically_zero(&graph, &[root]),
                        [answer],
                        "{k} {i} {j} {more} {unit}"
                    );
                }
            }
        }
    }
}

/// The bound of a long product of rounded rotations grows beyond its entries, which it then does not call zero.
#[test]
fn long_products_of_rounded_constants_are_not_zero() {
    let mut graph = Graph::new();
    let rotation = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        [[cos, -sin], [sin, cos]].map(|row| row.map(Number::float))
    };
    let mut product = rotation(0.3);
    for k in 1..400 {
        let next = rotation(0.3 + 0.001 * f64::from(k));
        let entry = |i: usize, j: usize| {
            let term = |l: usize| product[i][l].checked_mul(next[l][j]).unwrap();
            term(0).checked_add(term(1)).unwrap()
        };
        product = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
        for number in product.into_iter().flatten() {
            let root = graph.number(number);
            let answer = is_identically_zero(&graph, &[root])[0];
            assert!(answer != Answer::Yes, "{k} {number}");
            assert!(k > 40 || answer == Answer::No, "{k} {number}");
        }
    }
}
