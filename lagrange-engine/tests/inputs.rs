//! Derivatives of accelerations by inputs that act on one velocity each, beside the solution.

use crate::cases::cases;
use lagrange_engine::{
    Beyond, Equation, Graph, NodeId, Number, Schedule, SolvedInputs, Symbol, schedule_sensitivity,
};
use proptest::prelude::*;

/// M with parameters as its entries, row by row below the diagonal, and the derivatives in the code, with B of numbered
/// weights or zeros, row by row.
fn solved(n: usize, by_input: &[Option<u32>]) -> Option<(Schedule, SolvedInputs)> {
    let mut graph = Graph::new();
    let mass: Vec<NodeId> = (0..n * (n + 1) / 2)
        .map(|at| graph.symbol(Symbol::Parameter(at as u32)))
        .collect();
    let forcing: Vec<NodeId> = (0..n)
        .map(|at| graph.symbol(Symbol::Velocity(at as u32)))
        .collect();
    // The derivatives by position and by velocity are so many that they are left to a loop.
    let mut others: Vec<NodeId> = vec![graph.symbol(Symbol::Time); 2 * n * n];
    others.extend(by_input.iter().map(|entry| match entry {
        Some(at) => graph.symbol(Symbol::Weight(*at)),
        None => graph.number(Number::ZERO),
    }));
    let equation = Equation {
        mass_matrix: &mass,
        forcing: &forcing,
        jacobian: &[],
        gamma: &[],
        singular: false,
        others: &others,
    };
    let inputs = by_input.len() / n;
    let code = schedule_sensitivity(&graph, equation, Beyond::Columns { inputs }).unwrap();
    let inputs = code.factorization.unwrap().by_input?;
    Some((code.schedule, inputs))
}

/// B with one entry in each column, in these rows.
fn units(n: usize, rows: &[usize]) -> Vec<Option<u32>> {
    let mut columns = vec![None; n * rows.len()];
    for (input, row) in rows.iter().enumerate() {
        columns[row * rows.len() + input] = Some(input as u32);
    }
    columns
}

/// The entries of a positive definite matrix below its diagonal, and of all of it.
fn mass(n: usize, random: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let row = |i: usize| &random[i * n..(i + 1) * n];
    let entry = |i: usize, j: usize| {
        let product: f64 = row(i).iter().zip(row(j)).map(|(a, b)| a * b).sum();
        product + if i == j { 1.0 } else { 0.0 }
    };
    let lower = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let full = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    (
        lower.map(|(i, j)| entry(i, j)).collect(),
        full.map(|(i, j)| entry(i, j)).collect(),
    )
}

fn plans() -> impl Strategy<Value = (usize, Vec<(usize, f64)>, Vec<f64>)> {
    (8_usize..=10).prop_flat_map(|n| {
        let inputs = prop::collection::vec((0..n, -2.0..2.0_f64), 1..=n);
        (Just(n), inputs, prop::collection::vec(-1.0..1.0_f64, n * n))
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn columns_solve_the_equations((n, inputs, random) in plans()) {
        let (lower, full) = mass(n, &random);
        let rows: Vec<usize> = inputs.iter().map(|(row, _)| *row).collect();
        let Some((mut code, solved)) = solved(n, &units(n, &rows)) else {
            return Ok(());
        };
        code.roots = [solved.entries, vec![solved.sum]].concat();
        let found = code.evaluate(&|symbol| match symbol {
            Symbol::Parameter(at) => lower[at as usize],
            Symbol::Weight(at) => inputs[at as usize].1,
            _ => 1.0,
        });
        let (entries, sum) = found.split_at(n * inputs.len());
        prop_assert!(sum[0].is_finite());
        for (input, (at, entry)) in inputs.iter().enumerate() {
            for row in 0..n {
                let image: f64 = (0..n)
                    .map(|k| full[row * n + k] * entries[k * inputs.len() + input])
                    .sum();
                let wanted = if row == *at { *entry } else { 0.0 };
                prop_assert!((image - wanted).abs() < 1e-12, "row {row}, input {input}: {image}");
            }
        }
    }
}

#[test]
fn every_joint_with_a_motor_is_solved_for_up_to_a_bound() {
    let of_joints = |n: usize| {
        let all: Vec<usize> = (0..n).collect();
        solved(n, &units(n, &all)).is_some()
    };
    assert_eq!([8, 9, 20].map(of_joints), [true, true, false]);
}

#[test]
fn an_input_on_the_first_of_many_velocities_saves_nothing() {
    assert!(solved(9, &units(9, &[0])).is_none());
    assert!(solved(9, &units(9, &[8])).is_some());
}

#[test]
fn inputs_that_act_on_several_velocities_are_left_to_the_loop() {
    let all: Vec<usize> = (0..9).collect();
    let mut by_input = units(9, &all);
    assert!(solved(9, &by_input).is_some());
    by_input[9] = Some(3);
    assert!(solved(9, &by_input).is_none());
}

/// A value that is not finite shows in the sum.
#[test]
fn overflow_shows_in_the_sum() {
    let all: Vec<usize> = (0..8).collect();
    let (mut code, solved) = solved(8, &units(8, &all)).unwrap();
    code.roots = vec![solved.sum];
    let on_diagonal: Vec<u32> = (0..8).map(|i| i * (i + 3) / 2).collect();
    let tiny = |symbol| match symbol {
        Symbol::Parameter(at) if !on_diagonal.contains(&at) => 0.0,
        Symbol::Parameter(_) => 1e-200,
        Symbol::Weight(0) => 1e200,
        Symbol::Weight(_) => -1e200,
        _ => 1.0,
    };
    assert!(!code.evaluate(&tiny)[0].is_finite());
}
