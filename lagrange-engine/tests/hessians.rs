//! Second derivatives of weighted accelerations beside differences of `vjp`, at random systems.

use crate::cases::cases;
use crate::maps::{self, Mass};
use crate::numeric::{assert_close, rate};
use crate::routines::{At, reacting};
use crate::states::{choice, stateful};
use crate::trees::{self, Attitudes};
use lagrange_engine::{Dynamics, Quantity, Symbol, System};
use proptest::prelude::*;

/// The number of directions.
const DIRECTIONS: usize = 6;

/// The second derivative along a direction x is the change of `x . g` along it, also for rotations.
fn check_hessian(system: System, value: &dyn Fn(Symbol) -> f64) {
    let dynamics = Dynamics::new(system);
    let at = At::new(&dynamics, value);
    let sizes = dynamics.sizes();
    let (n, nz, k) = (sizes.velocities, sizes.states, sizes.inputs);
    let size = 2 * n + nz + k;
    let weights: Vec<f64> = (0..n).map(|i| (i as f64 + 0.5).sin()).collect();
    let w = ("w", &weights[..]);
    let Ok(found) = at.results("acceleration_hessian", &[w]) else {
        assert!(at.results("acceleration", &[]).is_err());
        return;
    };
    let hessian = &found[0];
    for (i, j) in (0..size).flat_map(|i| (0..i).map(move |j| (i, j))) {
        assert_eq!(hessian[i * size + j], hessian[j * size + i]);
    }
    check_rows(&dynamics, value);
    // Near a singular state differences tell nothing.
    let a = at.one("acceleration", &[]);
    if a.iter().chain(hessian).any(|x| x.abs() > 1e3) {
        return;
    }
    for number in 0..DIRECTIONS {
        let x = (0..size).map(|i| ((number * size + i) as f64 * 1.7 + 0.3).sin());
        let x: Vec<f64> = x.collect();
        let moved = rate(|h| {
            let h = h * 1e-1;
            let (q, v) = at.moved(&x[..n], &x[n..2 * n], h);
            let shifted = |name: &str, count: usize, first: usize| -> Vec<f64> {
                let values = if count > 0 {
                    at.argument(name)
                } else {
                    Vec::new()
                };
                let pairs = values.into_iter().zip(&x[first..]);
                pairs.map(|(value, x)| value + h * x).collect()
            };
            let (z, u) = (shifted("z", nz, 2 * n), shifted("u", k, 2 * n + nz));
            let state: [(&str, &[f64]); 5] = [("q", &q), ("v", &v), ("z", &z), ("u", &u), w];
            let Ok(gradient) = at.results("vjp", &state) else {
                return vec![f64::NAN];
            };
            let gradient = gradient.concat();
            vec![gradient.iter().zip(&x).map(|(g, x)| g * x).sum()]
        });
        let columns = (0..size).map(|j| (0..size).map(|i| x[i] * hessian[i * size + j]).sum());
        let rows: Vec<f64> = columns.collect();
        let expected: f64 = rows.iter().zip(&x).map(|(row, x)| row * x).sum();
        if moved[0].is_finite() {
            assert_close(&[10.0 * moved[0]], &[expected], 1e-5);
        }
    }
}

/// The second derivatives of the equations, row by row, beside those that are written out.
fn check_rows(dynamics: &Dynamics, value: &dyn Fn(Symbol) -> f64) {
    let sizes = dynamics.sizes();
    let motion = sizes.velocities + sizes.constraints;
    let size = 2 * sizes.velocities + sizes.states + sizes.inputs;
    let written = dynamics.program(&[Quantity::WeightedHessian, Quantity::WeightedMixed]);
    let weight = |i: u32| (f64::from(i) + 0.2).cos();
    let at = |symbol| match symbol {
        Symbol::Weight(i) => weight(i),
        other => value(other),
    };
    let written = written.schedule.evaluate(&at);
    // Where the second derivatives have no value, both are NaN in other places.
    if written.iter().any(|entry| !entry.is_finite()) {
        return;
    }
    let (hessian, mixed) = written.split_at(size * size);
    let rows = [
        Quantity::WeightedGradientChange,
        Quantity::WeightedMixedChange,
    ];
    let rows = dynamics.program(&rows).schedule;
    let rows = (0..size).map(|row| {
        rows.evaluate(&|symbol| match symbol {
            Symbol::Weight(i) if i as usize >= motion => {
                f64::from(u8::from(i as usize - motion == row))
            }
            other => at(other),
        })
    });
    let rows: Vec<Vec<f64>> = rows.collect();
    for (i, row) in rows.iter().enumerate() {
        let both = (0..size).map(|j| (row[j] + rows[j][i]) / 2.0);
        let both: Vec<f64> = both.collect();
        assert_close(&both, &hessian[i * size..(i + 1) * size], 1e-9);
        assert_close(&row[size..], &mixed[i * motion..(i + 1) * motion], 1e-9);
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn hessians_of_maps(plan in maps::plans(), seed in 1_u32..1000) {
        let value = maps::state(seed);
        for mass in [Mass::Definite, Mass::Singular] {
            let system = maps::build(&plan, mass);
            check_hessian(reacting(system.clone()), &value);
            let (states, inputs) = choice(seed);
            check_hessian(stateful(system.clone(), states, inputs), &value);
            check_hessian(system, &value);
        }
    }

    #[test]
    fn hessians_of_trees(plan in trees::plans(), seed in 1_u32..1000) {
        let value = trees::state(seed);
        for attitudes in [Attitudes::None, Attitudes::Some] {
            check_hessian(trees::build(&plan, attitudes), &value);
        }
    }
}
