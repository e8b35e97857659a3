//! A large system is projected in a thread of 2 MiB.

use std::thread;

use lagrange_runtime::{nalgebra::SVector, project::project};

/// A chain of N coordinates in which C neighbours keep a product, from a start that misses it.
fn chain<const N: usize, const C: usize>() -> bool {
    let q = SVector::<f64, N>::from_fn(|i, _| 1.0 + 1e-3 * (i as f64).sin());
    let v = SVector::<f64, N>::from_fn(|i, _| (i as f64).cos());
    let rows = |q: &SVector<f64, N>| {
        let mut rows = [[0.0; N]; C];
        for (i, row) in rows.iter_mut().enumerate() {
            (row[i], row[i + 1]) = (q[i + 1], q[i]);
        }
        rows
    };
    let mass = |_: &SVector<f64, N>, _: &SVector<f64, N>| {
        let mut mass = [[0.0; N]; N];
        for (i, row) in mass.iter_mut().enumerate() {
            row[i] = 1.0 + i as f64;
        }
        mass
    };
    let residual = |q: &SVector<f64, N>| std::array::from_fn(|i| q[i] * q[i + 1] - 1.0);
    let rate = |q: &SVector<f64, N>, v: &SVector<f64, N>| {
        std::array::from_fn(|i| q[i] * v[i + 1] + q[i + 1] * v[i])
    };
    let moved = project::<f64, N, C, C>(
        &q,
        &v,
        mass,
        |q| (residual(q), rows(q)),
        |q, v| (rate(q, v), rows(q)),
    );
    moved.is_ok_and(|(q, _)| residual(&q).iter().all(|entry: &f64| entry.abs() < 1e-14))
}

fn in_two_mebibytes(run: fn() -> bool) -> bool {
    let thread = thread::Builder::new().stack_size(2 << 20).spawn(run);
    thread.expect("a thread").join().expect("no panic")
}

#[test]
fn a_large_system() {
    assert!(in_two_mebibytes(chain::<160, 120>));
}
