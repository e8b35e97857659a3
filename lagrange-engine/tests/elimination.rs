//! The solution of the equations of motion: by M in an order of least fill, and along the linear maps of the
//! velocities.

#[allow(dead_code)]
#[path = "../../lagrange-runtime/tests/accuracy/big.rs"]
mod big;
#[allow(dead_code)]
#[path = "../../lagrange-runtime/tests/accuracy/judge.rs"]
mod judge;
mod terms;

use crate::cases::cases;
use crate::common::pendulum;
use crate::maps::{Mass, plans};
use crate::trees::{Attitudes, build as build_tree, plans as trees};
use big::Big;
use lagrange_engine::{
    Constraint, ConstraintKind, Dynamics, Energy, Number, Operand, SolveProgram, Symbol, System,
};
use proptest::prelude::*;
use terms::Terms;

/// M, f, J and gamma at a state as a program computes them, and a and lambda by it.
#[derive(Clone)]
struct Solution {
    mass: Vec<Vec<f64>>,
    forcing: Vec<f64>,
    jacobian: Vec<Vec<f64>>,
    gamma: Vec<f64>,
    /// True if M is the program's own.
    has_mass_matrix: bool,
    a: Vec<f64>,
    lambda: Vec<f64>,
    /// The smallest pivot, relative to its scale.
    pivot: f64,
    /// The largest pivot of a velocity, relative to its scale: it includes the inertia that others add.
    largest_inertia: f64,
    /// The equations that the program judges.
    judged: Vec<usize>,
    /// Their residuals.
    residual: Vec<f64>,
    /// The assumed sizes of their terms, or lower bounds.
    terms: Vec<f64>,
}

impl Solution {
    fn of(written: &Terms, program: &SolveProgram, at: &dyn Fn(Symbol) -> f64) -> Option<Self> {
        let factors = program.factorization.as_ref()?;
        let [mass, forcing, jacobian, gamma] = written.computed(program, at);
        let n = forcing.len();
        let rows = |entries: Vec<f64>| entries.chunks(n).map(<[f64]>::to_vec).collect();
        let mut code = program.terms.schedule.clone();
        let mut results = |roots: &[_]| {
            code.roots = roots.to_vec();
            code.evaluate(at)
        };
        let [pivots, diagonal] = [&factors.pivots, &factors.diagonal].map(|roots| results(roots));
        let inertias = pivots.iter().take(factors.pivots_of_mass).copied();
        let largest_inertia = largest(inertias.chain([0.0]));
        let ratios = pivots
            .iter()
            .zip(diagonal)
            .map(|(pivot, scale)| pivot / scale);
        Some(Solution {
            mass: rows(mass),
            forcing,
            jacobian: rows(jacobian),
            gamma,
            has_mass_matrix: program.has_mass_matrix(),
            a: results(&factors.solution),
            lambda: results(&factors.multipliers),
            pivot: -largest(ratios.map(|ratio| -ratio)),
            largest_inertia,
            judged: judged(program),
            residual: results(&factors.residual),
            terms: results(&factors.terms),
        })
    }

    /// The same after a step of refinement, where the program has one.
    fn corrected(&self, program: &SolveProgram, at: &dyn Fn(Symbol) -> f64) -> Option<Self> {
        let correction = program.correction()?;
        let mut code = program.terms.schedule.clone();
        code.instructions.extend(correction.instructions);
        let mut results = |roots: &[_]| {
            code.roots = roots.to_vec();
            code.evaluate(at)
        };
        let before = judged(program);
        let equations = self.a.len() + self.lambda.len();
        let others = (0..equations).filter(|equation| !before.contains(equation));
        Some(Solution {
            a: results(&correction.solution),
            lambda: results(&correction.multipliers),
            judged: others.chain(before.iter().copied()).collect(),
            residual: results(&correction.residual),
            terms: results(&correction.terms),
            ..self.clone()
        })
    }

    /// Returns whether generated code would return it, or more.
    fn is_accepted(&self) -> bool {
        let residual = self.residual.iter().zip(&self.terms);
        let errors = residual.map(|(left, terms)| left.abs() / (terms + LEAST));
        // NaN is neither.
        self.pivot > 2e-8 && largest(errors) <= 1e-14 && self.a.iter().all(|a| a.is_finite())
    }

    /// Returns whether no terms are taken to be larger than they are.
    fn is_strict(&self) -> bool {
        let equations: Vec<_> = self.equations().collect();
        let judged = self.residual.iter().zip(&self.terms).zip(&self.judged);
        judged.into_iter().all(|((left, terms), equation)| {
            *terms <= size(&equations[*equation]) * (1.0 + 1e-12) + left.abs() || !terms.is_finite()
        })
    }

    /// The residuals of the equations, relative to the sizes of their terms.
    fn backward_error(&self) -> f64 {
        self.errors_by(|_, terms| size(terms))
    }

    /// The same with the sizes whose rounding the terms carry: that of the forces for an acceleration, which may be
    /// their small difference, and the contributions of others for an equation that others are added to.
    fn carried_error(&self) -> f64 {
        let n = self.a.len();
        let forces = self.equations().take(n).enumerate();
        let carried: Vec<f64> = forces
            .map(|(i, terms)| size(&terms) / self.mass[i][i])
            .collect();
        let brought = self.largest_inertia * largest(self.a.iter().map(|a| a.abs()));
        self.errors_by(|equation, terms| match equation.checked_sub(n) {
            None if self.judged.contains(&equation) => size(terms) + brought,
            None => size(terms),
            Some(k) => {
                let row = self.jacobian[k].iter().zip(&carried);
                row.map(|(entry, carried)| entry.abs() * carried).sum()
            }
        })
    }

    /// The residuals of the equations, each relative to a size that depends on its number and its terms.
    fn errors_by(&self, size: impl Fn(usize, &[f64]) -> f64) -> f64 {
        let n = self.a.len();
        let largest_force = largest(self.forcing.iter().map(|force| force.abs()));
        let of_forces = LEAST * largest_force.max(1.0);
        let errors = self.equations().enumerate().map(|(equation, terms)| {
            let least = if equation < n { of_forces } else { LEAST };
            terms.iter().sum::<f64>().abs() / (size(equation, &terms) + least)
        });
        largest(errors)
    }

    /// The largest residual of an accepted solution: larger beside another M, whose rounding differs.
    fn most_left(&self) -> f64 {
        if self.has_mass_matrix { 1e-13 } else { 1e-12 }
    }

    /// Returns whether it is as accurate as whatever is accepted has to be: the errors of a and of lambda are at most
    /// 100 eps times the Skeel condition of their blocks.
    fn is_promised(&self) -> bool {
        let matrix: Vec<Vec<Big>> = self.matrix().iter().map(|row| bigs(row)).collect();
        let right = [&self.forcing[..], &self.gamma].concat();
        let errors = judge::errors_of(&matrix, &right, [&self.a, &self.lambda]);
        errors.is_some_and(|errors| errors.iter().all(|error| *error <= 100.0))
    }

    /// `[M -J^T; J 0]`
    fn matrix(&self) -> Vec<Vec<f64>> {
        let n = self.a.len();
        let column = |i: usize| self.jacobian.iter().map(move |row| -row[i]);
        let of_forces = (0..n).map(|i| self.mass[i].iter().copied().chain(column(i)).collect());
        let nothing = vec![0.0; self.lambda.len()];
        let of_rates = self
            .jacobian
            .iter()
            .map(|row| [&row[..], &nothing].concat());
        of_forces.chain(of_rates).collect()
    }

    /// The terms of all equations.
    fn equations(&self) -> impl Iterator<Item = Vec<f64>> {
        let Solution {
            mass,
            jacobian,
            a,
            lambda,
            ..
        } = self;
        let forces = (0..a.len()).map(move |i| {
            let along = mass[i].iter().zip(a).map(|(m, a)| -m * a);
            let across = jacobian.iter().zip(lambda).map(|(row, l)| row[i] * l);
            along.chain(across).chain([self.forcing[i]]).collect()
        });
        let constraints = jacobian.iter().zip(&self.gamma).map(move |(row, gamma)| {
            let terms = row.iter().zip(a).map(|(j, a)| -j * a);
            terms.chain([*gamma]).collect()
        });
        forces.chain(constraints)
    }

    /// Returns whether a and lambda are those of another way, but for this part of the largest one. If all forces are
    /// zero, only rounding is left.
    fn is_close(&self, tolerance: f64) -> bool {
        let expected = self.reference();
        let scale = expected.iter().fold(LEAST, |max, x| max.max(x.abs()));
        let mut pairs = self.a.iter().chain(&self.lambda).zip(&expected);
        pairs.all(|(found, expected)| (found - expected).abs() <= tolerance * scale)
    }

    /// a and lambda by elimination with partial pivoting.
    fn reference(&self) -> Vec<f64> {
        let mut rows = self.matrix();
        let size = rows.len();
        let right = self.forcing.iter().chain(&self.gamma);
        rows.iter_mut()
            .zip(right)
            .for_each(|(row, right)| row.push(*right));
        eliminate(&mut rows);
        let mut x = vec![0.0; size];
        for k in (0..size).rev() {
            let known: f64 = (k + 1..size).map(|j| rows[k][j] * x[j]).sum();
            x[k] = (rows[k][size] - known) / rows[k][k];
        }
        x
    }

    /// Returns whether masses or constraints nearly depend on each other, in units in which all of them are 1.
    fn is_nearly_singular(&self) -> bool {
        let n = self.a.len();
        let mut rows = self.matrix();
        let mut units: Vec<f64> = (0..n).map(|i| rows[i][i].sqrt()).collect();
        for row in &self.jacobian {
            let squares = row
                .iter()
                .zip(&units)
                .map(|(entry, unit)| (entry / unit).powi(2));
            units.push(squares.sum::<f64>().sqrt().recip());
        }
        for (i, row) in rows.iter_mut().enumerate() {
            for (entry, unit) in row.iter_mut().zip(&units) {
                *entry /= units[i] * unit;
            }
        }
        eliminate(&mut rows);
        // NaN is no larger.
        !rows.iter().enumerate().all(|(k, row)| row[k].abs() > 1e-4)
    }
}

/// With the largest entry of each column for a pivot.
fn eliminate(rows: &mut [Vec<f64>]) {
    for k in 0..rows.len() {
        let largest =
            (k..rows.len()).max_by(|i, j| rows[*i][k].abs().total_cmp(&rows[*j][k].abs()));
        rows.swap(k, largest.unwrap());
        let pivot = rows[k].clone();
        for row in rows.iter_mut().skip(k + 1) {
            let factor = row[k] / pivot[k];
            for (entry, other) in row.iter_mut().zip(&pivot).skip(k) {
                *entry -= factor * other;
            }
        }
    }
}

fn bigs(row: &[f64]) -> Vec<Big> {
    row.iter().copied().map(Big::from).collect()
}

/// Which of the equations a program judges, those of the constraints behind those of the forces.
fn judged(program: &SolveProgram) -> Vec<usize> {
    let judged = program.factorization.iter().flat_map(|factors| {
        let rows = factors.tested.rows.iter();
        let rows = rows.map(|k| factors.solution.len() + k);
        factors.tested.forces.iter().copied().chain(rows)
    });
    judged.collect()
}

/// Sums whose terms are smaller are not looked at by their terms: what forces of about 1 cancel to in some direction
/// may be nothing but rounding. Of larger forces it is this part of the largest one: where those about a pendulum's
/// own axis are 0 beside others of 13, 4e-16 is left of them.
const LEAST: f64 = 1e-3;

/// NaN where there is one.
fn largest(values: impl Iterator<Item = f64>) -> f64 {
    let larger = |most: f64, value: f64| match value {
        _ if value > most || value.is_nan() => value,
        _ => most,
    };
    values.fold(f64::NEG_INFINITY, larger)
}

/// The sizes of all terms.
fn size(terms: &[f64]) -> f64 {
    terms.iter().map(|term| term.abs()).sum()
}

/// Every program solves the equations of the expressions.
fn check(dynamics: &Dynamics, at: &dyn Fn(Symbol) -> f64, what: &str) {
    let written = Terms::written(dynamics, at);
    for (number, program) in dynamics.solve_programs().iter().enumerate() {
        let Some(solution) = Solution::of(&written, program, at) else {
            continue;
        };
        let corrected = solution.corrected(program, at);
        for (solution, step) in [solution].into_iter().chain(corrected).zip(0..) {
            let what = format!("program {number} of {what}, {step} steps of refinement");
            let (is_accepted, pivot) = (solution.is_accepted(), solution.pivot);
            if solution.is_nearly_singular() {
                assert!(!is_accepted || solution.is_promised(), "{what}");
                continue;
            }
            assert!(solution.is_strict(), "{what}: {:?}", solution.terms);
            assert!(pivot > 1e-9, "{what}: {pivot}");
            if is_accepted {
                let (error, worst) = (solution.backward_error(), solution.most_left());
                assert!(error < worst, "{what}: {error} with a pivot of {pivot}");
                // The other way may be the less accurate one.
                let is_right = solution.is_close(1e-10) || solution.is_promised();
                assert!(is_right, "{what}: {:?}, {:?}", solution.a, solution.lambda);
            } else {
                // The start of a refinement: the smaller pivots are, the more of rounding shows.
                let error = solution.carried_error();
                let [worst, off] = [1e-12, 1e-7].map(|least| least / pivot.min(1.0));
                assert!(error < worst, "{what}: {error} with a pivot of {pivot}");
                let is_close = solution.is_close(off);
                assert!(is_close, "{what}: {:?}, {:?}", solution.a, solution.lambda);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn whatever_is_squared(plan in plans()) {
        let system = crate::maps::build(&plan, Mass::Definite);
        let text = system.to_string();
        let dynamics = Dynamics::new(system);
        for seed in 0..3 {
            check(&dynamics, &crate::maps::state(seed), &text);
        }
    }

    /// No pivot that is nothing but rounding passes for one.
    #[test]
    fn singular_matrices_show_in_the_pivots(plan in plans()) {
        let system = crate::maps::build(&plan, Mass::Singular);
        let text = system.to_string();
        let dynamics = Dynamics::new(system);
        let at = crate::maps::state(1);
        let written = Terms::written(&dynamics, &at);
        for program in dynamics.solve_programs() {
            prop_assert!(has_finite_constants(&program), "{}", text);
            if let Some(solution) = Solution::of(&written, &program, &at) {
                let is_regular = solution.pivot > 1e-8;
                prop_assert!(!is_regular, "{}: {}", text, solution.pivot);
            }
        }
    }

    /// With zero masses and lengths too: an accepted solution is right, for any M.
    #[test]
    fn what_is_accepted_is_right(plan in plans()) {
        let system = crate::maps::build(&plan, Mass::Any);
        let text = system.to_string();
        let dynamics = Dynamics::new(system);
        let programs = dynamics.solve_programs();
        for seed in 0..4 {
            let at = crate::maps::flat_state(seed, seed % 3);
            let written = Terms::written(&dynamics, &at);
            for (number, program) in programs.iter().enumerate() {
                let Some(solution) = Solution::of(&written, program, &at) else {
                    continue;
                };
                let corrected = solution.corrected(program, &at);
                for solution in [solution].into_iter().chain(corrected) {
                    if solution.is_accepted() {
                        // Only where it misses an equation the promise itself is looked at, which takes long.
                        let error = solution.backward_error();
                        let is_right = error < solution.most_left() || solution.is_promised();
                        prop_assert!(is_right, "program {} of {}: {}", number, text, error);
                    }
                }
            }
        }
    }

    #[test]
    fn trees_of_bodies(plan in trees()) {
        let mut system = build_tree(&plan, Attitudes::Some);
        add_squares(&mut system);
        let text = system.to_string();
        let dynamics = Dynamics::new(system);
        for seed in 0..2 {
            check(&dynamics, &crate::trees::state(seed), &text);
        }
    }
}

/// Returns whether nothing was divided by zero while the program was made.
fn has_finite_constants(program: &SolveProgram) -> bool {
    let is_finite = |operand: &Operand| match operand {
        Operand::Constant(number) => number.is_finite(),
        _ => true,
    };
    let factors = program.factorization.iter();
    let results = factors.flat_map(|factors| factors.pivots.iter().chain(&factors.solution));
    let mut instructions = program.terms.schedule.instructions.iter();
    instructions.all(|instruction| instruction.operands().iter().all(is_finite))
        && results.into_iter().all(is_finite)
}

/// T += v^2 / 8, so that every velocity has some mass.
fn add_squares(system: &mut System) {
    let n = system.names.velocity_count() as u32;
    let graph = &mut system.graph;
    let eighth = Number::rational(1, 8).unwrap();
    let terms = (0..n).map(|j| {
        let v = graph.symbol(Symbol::Velocity(j));
        (eighth, graph.powi(v, 2))
    });
    let terms: Vec<_> = terms.collect();
    let kinetic = graph.sum(Number::ZERO, terms);
    let potential = graph.integer(0);
    system.energy = Energy::Natural { kinetic, potential };
}

#[test]
fn chains_of_every_length() {
    for n in [1, 2, 3, 4, 7, 12, 30] {
        let dynamics = Dynamics::new(pendulum(n));
        for seed in 0..3 {
            check(&dynamics, &crate::maps::state(seed), &format!("{n} links"));
        }
    }
}

/// The last mass of a chain is held at a height, which couples all angles.
#[test]
fn a_chain_with_a_constraint() {
    for n in [2, 5, 12, 25] {
        let mut system = pendulum(n);
        let count = n as u32;
        let graph = &mut system.graph;
        let heights = (0..count).map(|i| {
            let [q, l] = [Symbol::Coordinate(i), Symbol::Parameter(count + i)]
                .map(|symbol| graph.symbol(symbol));
            let cosine = graph.unary(lagrange_engine::Unary::Cos, q);
            (Number::ONE, graph.mul(l, cosine))
        });
        let heights: Vec<_> = heights.collect();
        let residual = graph.sum(Number::MINUS_ONE, heights);
        system.constraints.push(Constraint {
            name: "height".into(),
            kind: ConstraintKind::Holonomic,
            residual,
        });
        let dynamics = Dynamics::new(system);
        for seed in 0..2 {
            check(
                &dynamics,
                &crate::maps::state(seed),
                &format!("{n} links, held"),
            );
        }
    }
}

/// A hanging chain of points in Cartesian coordinates, held together by rods of length 1: masses, and gravity last.
fn rods(n: usize) -> System {
    let mut lines = Vec::new();
    let mut count = 0;
    let mut node = |what: String| {
        lines.push(format!("node %{count} = {what}"));
        count += 1;
        count - 1
    };
    let (mut kinetic, mut potential, mut constraints) = (vec![], vec![], vec![]);
    let mut before: Option<[usize; 2]> = None;
    for i in 0..n {
        let place = [2 * i, 2 * i + 1].map(|k| node(format!("coordinate {k}")));
        let velocity = [2 * i, 2 * i + 1].map(|k| node(format!("velocity {k}")));
        let mass = node(format!("parameter {i}"));
        let gravity = node(format!("parameter {n}"));
        for v in velocity {
            let twice = node(format!("product %{v}^2 %{mass}^1"));
            kinetic.push(format!("1/2*%{twice}"));
        }
        let weight = node(format!("product %{mass}^1 %{gravity}^1 %{}^1", place[1]));
        potential.push(format!("1*%{weight}"));
        let squares = [0, 1].map(|k| {
            let along = match before {
                Some(before) => node(format!("sum 0 1*%{} -1*%{}", place[k], before[k])),
                None => place[k],
            };
            node(format!("product %{along}^2"))
        });
        let length = node(format!("sum -1 1*%{} 1*%{}", squares[0], squares[1]));
        constraints.push(format!("holonomic rod{i} %{length}"));
        before = Some(place);
    }
    let kinetic = node(format!("sum 0 {}", kinetic.join(" ")));
    let potential = node(format!("sum 0 {}", potential.join(" ")));
    let names = |prefixes: &[&str], count: usize| -> String {
        let each = |i: usize| prefixes.iter().map(move |prefix| format!(" {prefix}{i}"));
        (0..count).flat_map(each).collect()
    };
    let text = format!(
        "coordinates{}\nparameters{} g\n{}\nkinetic %{kinetic}\npotential %{potential}\n{}\n",
        names(&["x", "y"], n),
        names(&["m"], n),
        lines.join("\n"),
        constraints.join("\n"),
    );
    text.parse().unwrap()
}

/// If heavy points hang from light ones, accelerations are small differences of large forces.
#[test]
fn a_step_of_refinement_finds_digits_that_were_lost() {
    let n = 16;
    let dynamics = Dynamics::new(rods(n));
    let program = dynamics.solve_program();
    let worst = |solution: &Solution| {
        let judged = solution.residual.iter().zip(&solution.terms);
        largest(judged.map(|(left, terms)| left.abs() / terms)) / f64::EPSILON
    };
    let mut accepted = [0; 2];
    let seeds = 32;
    for seed in 0..seeds {
        let angle = |i: usize| (f64::from(seed) + 0.7391 * (i + 1) as f64).sin();
        let sum = |i: usize, f: fn(f64) -> f64| (0..=i).map(|k| f(angle(k))).sum::<f64>();
        let at = |symbol| match symbol {
            Symbol::Coordinate(i) if i % 2 == 0 => sum(i as usize / 2, f64::sin),
            Symbol::Coordinate(i) => -sum(i as usize / 2, f64::cos),
            Symbol::Velocity(i) => (f64::from(i * seed) * 1.3).sin(),
            Symbol::Parameter(i) if i as usize == n => 9.81,
            Symbol::Parameter(i) => 1e-4_f64.powi((i % 2) as i32),
            _ => f64::NAN,
        };
        let written = Terms::written(&dynamics, &at);
        let found = Solution::of(&written, &program, &at).unwrap();
        let corrected = found.corrected(&program, &at).unwrap();
        for (count, solution) in accepted.iter_mut().zip([&found, &corrected]) {
            *count += u32::from(worst(solution) <= 32.0);
        }
        assert!(corrected.is_strict(), "{seed}");
        if worst(&corrected) <= 32.0 {
            // By all terms, each as it is.
            let equations = corrected.equations();
            let error =
                largest(equations.map(|terms| terms.iter().sum::<f64>().abs() / size(&terms)));
            assert!(error <= 40.0 * f64::EPSILON, "{seed}: {error}");
        }
    }
    assert!(accepted[0] < seeds * 2 / 3, "{accepted:?}");
    assert_eq!(accepted[1], seeds);
}
