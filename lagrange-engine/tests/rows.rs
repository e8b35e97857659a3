//! Elimination in small complex matrices.

use eliminate::{combination, rank, solve};
use lagrange_engine::Complex;

// Nothing shows alone what it solves.
#[path = "../src/probe/eliminate.rs"]
mod eliminate;

fn rows(entries: &[&[f64]]) -> Vec<Vec<Complex>> {
    let row = |row: &&[f64]| row.iter().map(|x| Complex::real(*x)).collect();
    entries.iter().map(row).collect()
}

#[test]
fn ranks_do_not_depend_on_units() {
    assert_eq!(rank(rows(&[&[1e-20, 0.0], &[0.0, 1e20]])), 2);
    assert_eq!(rank(rows(&[&[1e-20, 1e20], &[2e-20, 2e20]])), 1);
    assert_eq!(rank(rows(&[&[0.0, 0.0], &[0.0, 0.0]])), 0);
    assert_eq!(rank(Vec::new()), 0);
}

#[test]
fn solutions_meet_their_equations() {
    let matrix = rows(&[&[0.0, 2e6], &[1e-6, 3.0]]);
    let solution = solve(&matrix, &rows(&[&[4e6, 7.0]])[0]).unwrap();
    for (found, expected) in solution.iter().zip([1e6, 2.0]) {
        assert!((*found - Complex::real(expected)).abs() < 1e-9 * expected);
    }
    let zeros = solve(&matrix, &rows(&[&[0.0, 0.0]])[0]).unwrap();
    assert!(zeros.iter().all(|entry| *entry == Complex::ZERO));
    assert!(solve(&rows(&[&[1.0, 2.0], &[2.0, 4.0]]), &[Complex::ONE; 2]).is_none());
}

#[test]
fn combinations_name_the_rows_that_take_part() {
    let basis = rows(&[&[1.0, 2.0, 0.0], &[0.0, 1.0, 1.0]]);
    let parts = |target: &[f64]| combination(&basis, &rows(&[target])[0]);
    assert_eq!(parts(&[0.0, 3.0, 3.0]), Some(vec![1]));
    assert_eq!(parts(&[1.0, 1.0, -1.0]), Some(vec![0, 1]));
    assert_eq!(parts(&[0.0, 0.0, 1.0]), None);
}
