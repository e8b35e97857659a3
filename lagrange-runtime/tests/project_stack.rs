//! The largest systems are solved carefully and projected in a thread of 2 MiB, in debug builds too.

use std::thread;

use lagrange_runtime::{
    linalg::Kkt,
    nalgebra::SVector,
    project::{Bounds, Constraints, Flat, project_in},
};

/// A chain of N coordinates in which C neighbours keep a product, the last C - H of them by their velocities, from a
/// start that misses it. With them, the last coordinate has no mass.
fn chain<const N: usize, const C: usize, const H: usize>() -> bool {
    let q = SVector::<f64, N>::from_fn(|i, _| 1.0 + 1e-3 * (i as f64).sin());
    let v = SVector::<f64, N>::from_fn(|i, _| (i as f64).cos());
    let residual = |q: &SVector<f64, N>| std::array::from_fn(|i| q[i] * q[i + 1] - 1.0);
    let rates = |q: &SVector<f64, N>, v: &SVector<f64, N>| -> [f64; C] {
        std::array::from_fn(|i| q[i] * v[i + 1] + q[i + 1] * v[i])
    };
    let constraints = Constraints {
        mass: |_: &SVector<f64, N>, _: &SVector<f64, N>, mass: &mut [[f64; N]; N]| {
            for (i, row) in mass.iter_mut().enumerate() {
                row[i] = 1.0 + i as f64;
            }
            if H < C {
                mass[N - 1][N - 1] = 0.0;
            }
        },
        position: |q: &SVector<f64, N>,
                   residuals: &mut [f64; H],
                   rows: &mut [[f64; N]; H],
                   bounds: &mut Bounds<f64, H>| {
            *residuals = residual(q);
            fill(q, rows);
            if bounds.are_wanted(residuals, rows) {
                bounds.values = [4.0; H];
            }
        },
        velocity: |q: &SVector<f64, N>,
                   v: &SVector<f64, N>,
                   residuals: &mut [f64; C],
                   rows: &[[f64; N]; C],
                   bounds: &mut Bounds<f64, C>| {
            *residuals = rates(q, v);
            if bounds.are_wanted(residuals, rows) {
                bounds.values = [8.0; C];
            }
        },
        rows: |q: &SVector<f64, N>, rows: &mut [[f64; N]; C]| fill(q, rows),
    };
    let Ok((q, v)) = project_in(&Flat, &q, &v, &constraints) else {
        return false;
    };
    let left: [f64; H] = residual(&q);
    let left = left.iter().chain(&rates(&q, &v)).fold(0.0, largest);
    left < 1e-13
}

/// Writes J, of which all but two entries of each row are zero already.
fn fill<const N: usize>(q: &SVector<f64, N>, rows: &mut [[f64; N]]) {
    for (i, row) in rows.iter_mut().enumerate() {
        assert!(row.iter().all(|entry| *entry == 0.0));
        (row[i], row[i + 1]) = (q[i + 1], q[i]);
    }
}

fn largest(size: f64, entry: &f64) -> f64 {
    size.max(entry.abs())
}

fn in_two_mebibytes(run: fn() -> bool) -> bool {
    let thread = thread::Builder::new().stack_size(2 << 20).spawn(run);
    thread.expect("a thread").join().expect("no panic")
}

#[test]
fn large_systems() {
    assert!(in_two_mebibytes(chain::<160, 120, 120>));
    assert!(in_two_mebibytes(chain::<256, 255, 255>));
}

#[test]
fn constraints_on_velocities() {
    assert!(in_two_mebibytes(chain::<256, 255, 254>));
}

/// Rows of which the first one is so small that the quick way refuses them.
fn solved_carefully() -> bool {
    const N: usize = 256;
    const C: usize = 255;
    let mut mass = [[0.0; N]; N];
    for (i, row) in mass.iter_mut().enumerate() {
        row[i] = 1.0 + i as f64;
    }
    let mut rows = [[0.0; N]; C];
    for (i, row) in rows.iter_mut().enumerate() {
        let size = if i == 0 { 1e-10 } else { 1.0 };
        (row[i], row[i + 1]) = (size, -size);
    }
    let mut work = [[0.0; N]; C];
    let Ok(mut factors) = Kkt::factor(&mut mass, &rows, &mut work) else {
        return false;
    };
    // All masses move as one.
    let solution = factors.solve(&[1.0; N], &[0.0; C]);
    let expected = N as f64 / (1..=N).sum::<usize>() as f64;
    let is_right = |a: &f64| (a - expected).abs() < 1e-12;
    factors.is_careful() && solution.is_ok_and(|(a, _)| a.iter().all(is_right))
}

#[test]
fn the_null_space_method() {
    assert!(in_two_mebibytes(solved_carefully));
}
