//! Curves through points: values beside SciPy's, derivatives, and what the engine proves of them.

use std::sync::Arc;

use crate::common::{names, system};
use lagrange_engine::{
    Answer, Curve, CurveKind, Dynamics, Energy, Graph, Instruction, NodeId, Operand, Piecewise,
    Schedule, Symbol, System, equally_spaced, is_identically_zero, plain_names, schedule,
};

const X: Symbol = Symbol::Coordinate(0);

/// The values of SciPy, which `tests/reference/curves.py` writes.
const REFERENCE: &str = include_str!("../../tests/reference/data/curves.txt");

struct Case {
    kind: CurveKind,
    curve: Curve,
    at: Vec<f64>,
    orders: [Vec<f64>; 4],
}

fn reference() -> Vec<Case> {
    let numbers = |line: &str| -> Vec<f64> {
        let words = line.split(' ').skip(1);
        words.map(|word| word.parse().unwrap()).collect()
    };
    let lines: Vec<&str> = REFERENCE.lines().collect();
    let cases = lines.chunks(8).map(|lines| {
        let name = lines[0].split(' ').nth(1).unwrap();
        let mut kinds = CurveKind::ALL.into_iter();
        let kind = kinds.find(|kind| kind.name() == name).unwrap();
        let (x, y) = (numbers(lines[1]), numbers(lines[2]));
        Case {
            kind,
            curve: match kind {
                CurveKind::Bspline => Curve::bspline(x[0], x[1], &y).unwrap(),
                _ => Curve::through(kind, &x, &y, false).unwrap(),
            },
            at: numbers(lines[3]),
            orders: [4, 5, 6, 7].map(|at| numbers(lines[at])),
        }
    });
    cases.collect()
}

#[test]
fn values_and_derivatives_are_those_of_scipy() {
    let mut kinds = Vec::new();
    for Case {
        kind,
        curve,
        at,
        orders,
    } in reference()
    {
        kinds.push(kind);
        for (order, values) in orders.iter().enumerate() {
            // The coefficients are computed in another order; the third ones cancel most.
            let size = values
                .iter()
                .fold(1.0, |most: f64, value| most.max(value.abs()));
            for (x, value) in at.iter().zip(values) {
                let own = curve.value(order as u8, *x, &[]);
                let off = (own - value).abs() / size;
                assert!(off < 1e-13, "{kind:?} {order} at {x}: {own} {value}");
            }
        }
    }
    kinds.dedup();
    assert!(kinds.len() > 4);
}

#[test]
fn the_data_of_fritsch_and_carlson() {
    let x = [7.99, 8.09, 8.19, 8.7, 9.2, 10.0, 12.0, 15.0, 20.0];
    let y = [
        0.0, 2.76429e-5, 4.37498e-2, 0.169183, 0.469428, 0.943740, 0.998636, 0.999919, 0.999994,
    ];
    for (kind, value) in [
        (CurveKind::Spline, 0.737_312_998_647_5),
        (CurveKind::Akima, 0.719_463_930_776_9),
        (CurveKind::Pchip, 0.760_247_639_340_4),
    ] {
        let curve = Curve::through(kind, &x, &y, false).unwrap();
        assert!((curve.value(0, 9.6, &[]) - value).abs() < 1e-12, "{kind:?}");
        for (x, y) in x.iter().zip(y) {
            assert_eq!(curve.value(0, *x, &[]), y, "{kind:?}");
        }
    }
    // Monotone data give a monotone curve.
    let curve = Curve::through(CurveKind::Pchip, &x, &y, false).unwrap();
    let slopes = (0..2000).map(|i| curve.value(1, 7.0 + 0.007 * f64::from(i), &[]));
    assert!(slopes.into_iter().all(|slope| slope >= 0.0));
}

/// Curves of every kind with different spacings.
fn curves() -> Vec<Curve> {
    let x = [-1.0, -0.25, 0.5, 1.0, 2.5, 2.75];
    let y = [3.0, 1.0, 1.5, -2.0, 0.0, 4.0];
    let uniform = equally_spaced(-1.0, 2.75, 6).unwrap();
    let mut curves = vec![Curve::bspline(-1.0, 2.0, &y).unwrap()];
    for kind in CurveKind::ALL {
        curves.extend(Curve::through(kind, &x, &y, false));
        curves.extend(Curve::through(kind, &uniform, &y, true));
    }
    assert_eq!(curves.len(), 9);
    curves
}

fn of(curve: &Curve) -> Piecewise {
    Piecewise {
        curve: Arc::new(curve.clone()),
        order: 0,
    }
}

#[test]
fn curves_are_as_smooth_as_they_say() {
    for curve in curves() {
        let last = curve.breaks().len() - 1;
        for (i, at) in curve.breaks().iter().enumerate() {
            let is_end = i == 0 || i == last;
            let smooth = match curve.kind() {
                CurveKind::Bspline if is_end => 1,
                kind => kind.smoothness(),
            };
            for order in 0..=smooth {
                let near = 1e-9;
                let [left, right] = [at - near, *at].map(|x| curve.value(order, x, &[]));
                // The next derivative times the distance, and roundings.
                let slope = curve.value(order + 1, at - near, &[]);
                let off = (right - left - slope * near).abs();
                assert!(
                    off < 1e-12,
                    "{:?} {order} at {at}: {left} {right}",
                    curve.kind()
                );
            }
        }
        for x in [-40.0, 90.0] {
            assert_eq!([2, 3].map(|order| curve.value(order, x, &[])), [0.0; 2]);
        }
    }
}

#[test]
fn derivatives_are_exact_and_schedules_agree() {
    for curve in curves() {
        let mut graph = Graph::new();
        let x = graph.symbol(X);
        let square = graph.powi(x, 2);
        let value = graph.curve(of(&curve), square, &[]);
        let product = graph.mul(value, x);
        let slope = graph.gradient(product, &[X])[0];
        let second = graph.gradient(slope, &[X])[0];
        let roots = [product, slope, second];
        let code = schedule(&graph, &roots);
        for at in [-1.9, -1.3, -0.4, 0.1, 0.6, 0.97, 1.2, 1.65, 3.0] {
            let u = at * at;
            let order = |order| curve.value(order, u, &[]);
            let by_hand = [
                at * order(0),
                order(0) + 2.0 * u * order(1),
                6.0 * at * order(1) + 4.0 * u * at * order(2),
            ];
            let value = |_| at;
            for values in [graph.evaluate(&roots, &value), code.evaluate(&value)] {
                for (own, known) in values.iter().zip(by_hand) {
                    let size = known.abs().max(1.0);
                    assert!(
                        (own - known).abs() < 1e-13 * size,
                        "{:?} {at}",
                        curve.kind()
                    );
                }
            }
        }
    }
}

#[test]
fn control_values_enter_linearly() {
    let count = 7;
    let knots = Curve::knots(-1.0, 2.0, count).unwrap();
    let mut graph = Graph::new();
    let x = graph.symbol(X);
    let symbols: Vec<Symbol> = (0..count as u32).map(Symbol::Parameter).collect();
    let controls: Vec<NodeId> = symbols.iter().map(|symbol| graph.symbol(*symbol)).collect();
    let spline = graph.curve(of(&knots), x, &controls);
    let slope = graph.gradient(spline, &[X])[0];
    let mut roots = graph.gradient(spline, &symbols);
    roots.extend(graph.gradient(slope, &symbols));
    roots.extend([spline, slope]);
    let code = schedule(&graph, &roots);
    let numbers = [0.3, -1.0, 2.0, 0.5, -0.25, 4.0, 1.0];
    let constant = Curve::bspline(-1.0, 2.0, &numbers).unwrap();
    for at in [-9.0, -1.0, -0.6, 0.0, 0.3, 1.3, 1.99, 2.0, 7.0] {
        let value = |symbol| match symbol {
            Symbol::Parameter(i) => numbers[i as usize],
            _ => at,
        };
        for values in [graph.evaluate(&roots, &value), code.evaluate(&value)] {
            let (columns, own) = values.split_at(2 * count);
            for (order, columns) in columns.chunks(count).enumerate() {
                let products = columns.iter().zip(numbers);
                let sum: f64 = products.map(|(column, number)| column * number).sum();
                let known = constant.value(order as u8, at, &[]);
                for value in [sum, own[order]] {
                    assert!(
                        (value - known).abs() < 1e-12,
                        "{order} at {at}: {value} {known}"
                    );
                }
                // A column needs four control values, and three outside.
                let count = columns.iter().filter(|column| **column != 0.0).count();
                assert!(count <= 4, "{columns:?}");
            }
            let ones: f64 = columns[..count].iter().sum();
            assert!((ones - 1.0).abs() < 1e-12);
        }
    }
    // Numbers in some places give a sum, numbers in all a curve without control values.
    let two = graph.integer(2);
    let mut some = controls.clone();
    some[3] = two;
    let mixed = graph.curve(of(&knots), x, &some);
    let known = graph.evaluate(&[mixed], &|symbol| match symbol {
        Symbol::Parameter(i) => numbers[i as usize],
        _ => 0.3,
    });
    let mut all = numbers;
    all[3] = 2.0;
    let constant = Curve::bspline(-1.0, 2.0, &all).unwrap();
    assert!((known[0] - constant.value(0, 0.3, &[])).abs() < 1e-13);
    let zero = graph.integer(0);
    let replaced: Vec<(Symbol, NodeId)> = symbols.iter().map(|symbol| (*symbol, zero)).collect();
    let nothing = graph.substitute(&[spline], &replaced)[0];
    assert!(graph.is_zero(nothing));
}

#[test]
fn one_curve_is_one_node() {
    let mut graph = Graph::new();
    let x = graph.symbol(X);
    let [first, second, other] = [1.0, 1.0, 2.0].map(|y| {
        let curve = Curve::through(CurveKind::Spline, &[0.0, 1.0, 2.0], &[0.0, y, 0.0], false);
        graph.curve(of(&curve.unwrap()), x, &[])
    });
    assert_eq!(first, second);
    assert_ne!(first, other);
    let slope = graph.gradient(other, &[X])[0];
    assert_eq!(graph.text(slope, &plain_names), "spline_2'(q0)");
    assert_eq!(
        graph.latex(slope, &plain_names),
        r"\operatorname{spline}_{2}'\left(q_{0}\right)"
    );
    let flat = Curve::through(CurveKind::Akima, &[0.0, 1.0, 2.0, 4.0], &[3.0; 4], false).unwrap();
    let flat = graph.curve(of(&flat), x, &[]);
    assert_eq!(
        graph.as_number(flat).map(|number| number.to_f64()),
        Some(3.0)
    );
    let fourth = Piecewise {
        order: 4,
        ..of(&curves()[0])
    };
    let fourth = graph.curve(fourth, x, &[]);
    assert!(graph.is_zero(fourth));
}

#[test]
fn parts_that_do_not_fit_are_no_curve() {
    let through = |kind, x: &[f64], y: &[f64]| Curve::through(kind, x, y, false).is_some();
    assert!(through(CurveKind::Table, &[0.0, 1.0], &[0.0, 1.0]));
    assert!(!through(CurveKind::Table, &[0.0], &[0.0]));
    assert!(!through(CurveKind::Table, &[0.0, 0.0], &[0.0, 1.0]));
    assert!(!through(CurveKind::Table, &[0.0, f64::NAN], &[0.0, 1.0]));
    assert!(!through(CurveKind::Table, &[0.0, 1.0], &[-1e308, 1e308]));
    assert!(!through(
        CurveKind::Akima,
        &[0.0, 1.0, 2.0],
        &[0.0, 1.0, 0.0]
    ));
    assert!(!through(CurveKind::Spline, &[0.0, 1.0], &[0.0, 1.0, 2.0]));
    assert!(Curve::bspline(0.0, 1.0, &[1.0; 3]).is_none());
    assert!(Curve::bspline(1.0, 1.0, &[1.0; 4]).is_none());
    assert!(Curve::knots(0.0, f64::INFINITY, 5).is_none());
}

#[test]
fn the_text_form_keeps_curves() {
    let mut graph = Graph::new();
    let (x, v) = (graph.symbol(X), graph.symbol(Symbol::Velocity(0)));
    let controls: Vec<NodeId> = (0..5).map(|i| graph.symbol(Symbol::Parameter(i))).collect();
    let knots = Curve::knots(0.0, 1.0, 5).unwrap();
    let mut terms: Vec<NodeId> = curves()
        .iter()
        .map(|curve| graph.curve(of(curve), x, &[]))
        .collect();
    terms.push(graph.curve(of(&knots), x, &controls));
    let first = graph.gradient(terms[0], &[X])[0];
    terms.push(first);
    let potential = graph.total(terms);
    let kinetic = graph.powi(v, 2);
    let mut names = names(1);
    names.parameters = (0..5).map(|i| format!("c{i}")).collect();
    let system = system(graph, names, Energy::Natural { kinetic, potential });
    let text = system.to_string();
    let read: System = text.parse().unwrap();
    assert_eq!(read.to_string(), text);
    for broken in [
        "curve spline 0 free 2 0.0 1.0 4 0.0 0.0 0.0 0.0 %0",
        "curve cubic 0 free 0 0 %0",
    ] {
        let text =
            format!("coordinates x\nnode %0 = coordinate 0\nnode %1 = {broken}\npotential %1\n");
        assert!(text.parse::<System>().is_err());
    }
}

#[test]
fn zero_tests_do_not_trust_points_beside_the_data() {
    let mut graph = Graph::new();
    let x = graph.symbol(X);
    // A bump far from all points that are tried.
    let places = [1e6, 1.001e6, 1.002e6, 1.003e6, 1.004e6];
    let bump = Curve::through(
        CurveKind::Spline,
        &places,
        &[0.0, 0.0, 1.0, 0.0, 0.0],
        false,
    );
    let bump = graph.curve(of(&bump.unwrap()), x, &[]);
    let second = {
        let slope = graph.gradient(bump, &[X])[0];
        graph.gradient(slope, &[X])[0]
    };
    let double = graph.add(x, x);
    let same = graph.sub(double, x);
    let one = graph.curve(of(&curves()[0]), same, &[]);
    let other = graph.curve(of(&curves()[0]), x, &[]);
    let nothing = graph.sub(one, other);
    assert_eq!(is_identically_zero(&graph, &[second]), [Answer::Unknown]);
    assert_eq!(is_identically_zero(&graph, &[nothing]), [Answer::Yes]);
    let curve = graph.sub(bump, x);
    assert_eq!(is_identically_zero(&graph, &[curve]), [Answer::No]);
}

#[test]
fn smooth_potentials_conserve_the_energy() {
    for curve in curves() {
        let mut graph = Graph::new();
        let (x, v) = (graph.symbol(X), graph.symbol(Symbol::Velocity(0)));
        let potential = graph.curve(of(&curve), x, &[]);
        let square = graph.powi(v, 2);
        let mass = graph.integer(2);
        let kinetic = graph.mul(mass, square);
        let energy = Energy::Natural { kinetic, potential };
        let facts = Dynamics::new(system(graph.clone(), names(1), energy));
        let facts = facts.facts();
        assert!(
            facts.conserves_energy && facts.constant_mass_matrix,
            "{:?}",
            curve.kind()
        );
        assert_eq!(facts.cyclic, [false]);
        // A derivative that jumps is a potential that jumps.
        let mut potential = potential;
        for _ in 0..=curve.kind().smoothness() {
            potential = graph.gradient(potential, &[X])[0];
        }
        let energy = Energy::Natural { kinetic, potential };
        let jumping = Dynamics::new(system(graph, names(1), energy));
        assert!(!jumping.facts().conserves_energy, "{:?}", curve.kind());
    }
}

/// The value of each instruction in single precision, with every operation of a polynomial rounded.
fn in_single(code: &Schedule, x: f64) -> Vec<f64> {
    let rounded = |value: f64| f64::from(value as f32);
    let mut temporaries: Vec<f64> = Vec::new();
    for instruction in &code.instructions {
        let operands: Vec<f64> = instruction
            .operands()
            .into_iter()
            .map(|operand| match operand {
                Operand::Temporary(at) => temporaries[at as usize],
                Operand::Symbol(_) => x,
                Operand::Constant(value) => rounded(value),
            })
            .collect();
        let value = match instruction {
            Instruction::Curve(of, _) => {
                let breaks = of.curve.breaks();
                let piece = breaks.partition_point(|at| *at <= operands[0]);
                let at = rounded(operands[0] - breaks[piece.saturating_sub(1)]);
                let [a, b, c, d] = of.curve.pieces()[piece].map(rounded);
                let (b, c, d) = match of.order {
                    0 => (b, c, d),
                    1 => (rounded(2.0 * c), rounded(3.0 * d), 0.0),
                    _ => (rounded(6.0 * d), 0.0, 0.0),
                };
                let a = match of.order {
                    0 => a,
                    1 => rounded(of.curve.pieces()[piece][1]),
                    _ => rounded(2.0 * of.curve.pieces()[piece][2]),
                };
                let step = |sum: f64, next: f64| rounded(rounded(sum * at) + next);
                [c, b, a].into_iter().fold(d, step)
            }
            Instruction::Mul(..) => rounded(operands[0] * operands[1]),
            other => panic!("{other:?}"),
        };
        temporaries.push(value);
    }
    let roots = code.roots.iter().map(|root| match root {
        Operand::Temporary(at) => temporaries[*at as usize],
        _ => x,
    });
    roots.collect()
}

#[test]
fn error_bounds_hold_in_single_precision() {
    // Half of the distance from 1 to the next single number.
    const UNIT: f64 = 1.0 / (1_u64 << 24) as f64;
    for curve in curves() {
        for order in 0..3 {
            let mut graph = Graph::new();
            let x = graph.symbol(X);
            let square = graph.powi(x, 2);
            let own = Piecewise {
                order,
                ..of(&curve)
            };
            let value = graph.curve(own, square, &[]);
            if graph.as_number(value).is_some() {
                continue;
            }
            let code = schedule(&graph, &[value]);
            let bounds = code.error_bounds(&code.roots.clone());
            let mut whole = code.clone();
            whole.instructions.extend(bounds.instructions);
            whole.roots.extend(bounds.roots);
            for i in -300..300 {
                let at = f64::from((f64::from(i) * 0.0073) as f32);
                let values = whole.evaluate(&|_| at);
                // Beside a break the other piece is right as well, unless the value jumps there.
                let u = at * at;
                let near = |known: &f64| (known - u).abs() < 8.0 * UNIT * u.max(1.0);
                if order > curve.kind().smoothness() && curve.breaks().iter().any(near) {
                    continue;
                }
                let off = (in_single(&code, at)[0] - values[0]).abs();
                let bound = UNIT * values[1];
                assert!(
                    off <= bound,
                    "{:?} {order} at {at}: {off} {bound}",
                    curve.kind()
                );
            }
        }
    }
}
