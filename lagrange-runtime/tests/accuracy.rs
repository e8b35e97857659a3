//! The promise of constrained solves, over families of systems, against numbers of 1,500 bits: whatever is
//! `Ok` has a relative error of at most 100 eps times the Skeel condition of its block.
//!
//! `cargo test --release -p lagrange-runtime --test all accuracy -- --nocapture` prints the table in the
//! documentation of `linalg::Kkt`.

mod big;
mod families;
mod judge;

use families::{
    Problem, Random, dense, four_bar, gear, graded, held, massless, neighbours, planes, quaternion,
    rods, rotation_matrix, slider_crank,
};
use lagrange_runtime::linalg::{Kkt, kkt};

/// The result of a family.
#[derive(Default)]
struct Row {
    worst: [f64; 2],
    solved: usize,
    careful: usize,
    refused: usize,
}

impl Row {
    fn add<const N: usize, const C: usize>(&mut self, problem: &Problem<N, C>) {
        let Ok(solution) = kkt(&problem.m, &problem.j, &problem.f, &problem.gamma) else {
            self.refused += 1;
            return;
        };
        let (mut m, mut work) = (problem.m, [[0.0; N]; C]);
        let mut factors = Kkt::factor(&mut m, &problem.j, &mut work).expect("as above");
        assert_eq!(factors.solve(&problem.f, &problem.gamma), Ok(solution));
        self.solved += 1;
        self.careful += usize::from(factors.is_careful());
        let errors =
            judge::errors(&problem.equations(), &solution).expect("singular, and yet `Ok`");
        for (worst, error) in self.worst.iter_mut().zip(errors) {
            assert!(error <= 100.0, "{errors:?}: {problem:?} {solution:?}");
            *worst = worst.max(error);
        }
    }

    /// Prints the row of the table. A family that is refused would prove nothing.
    fn check(&self, family: &str, most_refused: f64) {
        let total = self.solved + self.refused;
        let percent = |part: usize| 100.0 * part as f64 / total as f64;
        println!(
            "| {family} | {:.2} | {:.2} | {:.0} % | {:.0} % |",
            self.worst[0],
            self.worst[1],
            percent(self.careful),
            percent(self.refused)
        );
        assert!(percent(self.refused) <= most_refused, "{family}");
    }
}

/// Runs `$make` so often with generators of its own, with forces alike and with graded ones.
fn family<const N: usize, const C: usize>(
    row: &mut Row,
    count: u64,
    mut make: impl FnMut(&mut Random) -> Problem<N, C>,
) {
    for seed in 0..count {
        let random = &mut Random(seed << 8 | N as u64);
        let problem = make(random);
        row.add(&problem);
        row.add(&graded(random, problem, 8.0));
    }
}

#[test]
fn a_light_coordinate_that_carries_a_force() {
    let mut row = Row::default();
    for power in 0..300 {
        row.add(&gear(&mut Random(power), 10f64.powi(-(power as i32))));
    }
    row.check("`y = x`, masses 1 and 1 to 1e-299", 0.0);
}

#[test]
fn linkages() {
    for (decades, name) in [(3.0, "1e±3"), (9.0, "1e±9")] {
        let mut row = Row::default();
        family(&mut row, 100, |random| four_bar(random, decades));
        row.check(&format!("four-bar, masses {name}"), 5.0);
        let mut row = Row::default();
        family(&mut row, 40, |random| slider_crank(random, decades));
        row.check(&format!("slider-crank, masses {name}"), 5.0);
        let mut row = Row::default();
        family(&mut row, 40, |random| rotation_matrix(random, decades));
        row.check(&format!("rotation matrix, inertias {name}"), 5.0);
    }
}

#[test]
fn nearly_dependent_planes() {
    for (decades, name) in [(0.5, "1e±0.5"), (9.0, "1e±9")] {
        let mut row = Row::default();
        family(&mut row, 150, |random| planes(random, decades));
        row.check(&format!("planes at 1e-3 to 1e-9, masses {name}"), 10.0);
    }
}

#[test]
fn chains_of_rods() {
    for (decades, name) in [(3.0, "1e±3"), (9.0, "1e±9")] {
        let mut row = Row::default();
        macro_rules! lengths {
            ($($n:literal $c:literal),*) => {
                $(family(&mut row, 40 / $n, |random| rods::<$n, $c>(random, decades));)*
            };
        }
        lengths!(4 2, 6 3, 8 4, 12 6, 16 8, 20 10, 24 12, 30 15);
        row.check(&format!("chains of 2 to 15 rods, masses {name}"), 5.0);
    }
}

#[test]
fn dense_systems() {
    for (decades, name) in [(0.0, "alike"), (4.5, "1e±9"), (10.0, "1e±20")] {
        let mut row = Row::default();
        macro_rules! shapes {
            ($($n:literal $c:literal),*) => {
                $(family(&mut row, 8, |random| dense::<$n, $c>(random, $n, decades));)*
            };
        }
        shapes!(1 0, 1 1, 2 1, 2 2, 3 1, 3 3, 4 2, 5 3, 6 1, 6 5, 8 4, 10 8);
        family(&mut row, 2, |random| dense::<20, 8>(random, 20, decades));
        row.check(&format!("dense, 1 x 0 to 20 x 8, masses {name}"), 5.0);
    }
}

#[test]
fn singular_mass_matrices() {
    let mut row = Row::default();
    for decades in [0.5, 3.0] {
        family(&mut row, 60, |random| quaternion(random, decades));
    }
    row.check("quaternion, M of rank 3, inertias 1e±3", 5.0);
    let mut row = Row::default();
    for decades in [0.5, 9.0] {
        family(&mut row, 60, |random| massless(random, decades));
    }
    row.check("coordinates without mass, others 1e±9", 5.0);
    let mut row = Row::default();
    for decades in [0.0, 4.5] {
        family(&mut row, 20, |random| dense::<5, 2>(random, 3, decades));
        family(&mut row, 10, |random| dense::<8, 5>(random, 3, decades));
    }
    row.check("dense, M of rank N - C, masses 1e±9", 10.0);
}

#[test]
fn masses_down_to_1e_200() {
    let mut row = Row::default();
    for power in 0..40 {
        let light = 2f64.powi(-17 * power);
        for seed in 0..3 {
            let random = &mut Random(seed);
            let mut problem = rods::<6, 3>(random, 1.0);
            let which = 2 * random.below(3);
            problem.m[which][which] *= light;
            problem.m[which + 1][which + 1] *= light;
            row.add(&problem);
            let mut problem = slider_crank(random, 1.0);
            for i in 6..9 {
                problem.m[i][i] *= light;
            }
            row.add(&problem);
        }
    }
    row.check("a mass from 1 to 1e-200 in chains and slider-cranks", 0.0);
}

#[test]
fn units() {
    let mut row = Row::default();
    for (length, seed) in [-465, -300, -100, 100, 300, 465].into_iter().zip(0..) {
        let unit = 2f64.powi(length);
        for seed in 10 * seed..10 * seed + 6 {
            let random = &mut Random(seed);
            row.add(&four_bar(random, 3.0).in_units([unit; 3], [1.0; 2]));
            row.add(&four_bar(random, 3.0).in_units([unit; 3], [1.0 / unit; 2]));
            row.add(&planes(random, 3.0).in_units([unit; 3], [1.0; 2]));
            row.add(&quaternion(random, 1.0).in_units([unit; 4], [1.0; 1]));
            row.add(&slider_crank(random, 3.0).in_units([unit; 9], [1.0; 8]));
            let mixed = [unit, 1.0, 1.0 / unit, 1.0, unit.sqrt(), 1.0];
            row.add(&rods::<6, 3>(random, 1.0).in_units(mixed, [1.0; 3]));
        }
    }
    row.check("units of 1e±140", 20.0);
    // In units that are so different J is dependent but for nothing, as it stands.
    let mut row = Row::default();
    family(&mut row, 20, |random| dense::<4, 2>(random, 4, 70.0));
    family(&mut row, 20, |random| dense::<5, 1>(random, 5, 70.0));
    row.check("dense, each coordinate in units of 1e±70", 60.0);
}

#[test]
fn nothing_left_free() {
    let mut row = Row::default();
    macro_rules! sizes {
        ($($n:literal),*) => {
            $(
                family(&mut row, 20, |random| held::<$n>(random, 1.0));
                family(&mut row, 10, |random| neighbours::<$n>(random));
            )*
        };
    }
    sizes!(1, 2, 3, 5, 8, 12, 20);
    row.check("as many constraints as coordinates, at rest", 0.0);
}
