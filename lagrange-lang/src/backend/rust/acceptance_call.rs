//! The acceptance test: returns an unrolled solution if the test accepts this solution.
//!
//! ```text
//! let __test = AcceptanceTest::of_mass(Pivots { entries: [__d[1]], reduced: [__d[0]], diagonal: [__s[0]] }, [q[0], __a[0]]);
//! if __test.accepts() { return Ok(*__a); }
//! ```
//!
//! A pivot that is an entry of M itself only has to be positive and finite. The test reads the values in the order
//! of their computation.

use lagrange_engine::{Correction, Factorization, Instruction, Operand, Schedule, Symbol};

use super::assembly::{arguments, list};
use super::cost_model::MOST_ANGLES;
use super::parts::{Part, last_entries};
use super::symbols::entry_of_argument;
use crate::methods::{Argument, Layout};

/// What the acceptance test of an unrolled solution reads.
#[derive(Default)]
pub(super) struct AcceptanceCall {
    /// The accelerations, in the order in which `__terms` computes them.
    accelerations: Vec<usize>,
    /// The pivots, in the same order.
    pivots: Vec<usize>,
    /// The number of pivots that belong to M.
    pivots_of_mass: usize,
    /// The pivots that are diagonal entries themselves.
    entries: Vec<usize>,
    /// The subset of `entries` without repetitions.
    distinct_entries: Vec<usize>,
    /// The accelerations that occur in none of the tested equations.
    untested: Vec<usize>,
    /// The entries of the arguments that do not reach the tested values.
    unreached: Vec<Symbol>,
    /// The angles whose range the caller of `__terms` may check in place of `__terms`.
    pub(super) angles: Vec<Symbol>,
}

impl AcceptanceCall {
    pub(super) fn new(
        factors: &Factorization,
        unreached: Vec<Symbol>,
        angles: Vec<Symbol>,
    ) -> Self {
        let entries: Vec<usize> = factors
            .pivots
            .iter()
            .zip(&factors.diagonal)
            .enumerate()
            .filter(|(_, (pivot, entry))| pivot == entry)
            .map(|(i, _)| i)
            .collect();
        let mut distinct_entries = entries.clone();
        distinct_entries.retain(|&i| {
            !entries
                .iter()
                .take_while(|&&earlier| earlier < i)
                .any(|&earlier| factors.pivots[earlier] == factors.pivots[i])
        });
        Self {
            accelerations: sort_by_computation(&factors.solution),
            pivots: sort_by_computation(&factors.pivots),
            pivots_of_mass: factors.pivots_of_mass,
            entries,
            distinct_entries,
            untested: factors.judged.unseen.clone(),
            unreached,
            angles,
        }
    }

    /// Returns the unrolled solution if the arguments are finite and the solution is as accurate as the pivoted
    /// one. Without constraints this holds if the accelerations are finite. Arguments that reach the accelerations
    /// therefore need no test of their own. With constraints, `find_unreached_arguments` determines the arguments to
    /// test.
    ///
    /// The condition `when` is tested first. `is_within` means that `__terms` has not checked the range of the
    /// angles.
    pub(super) fn return_accepted(
        &self,
        layout: &Layout,
        result: &str,
        when: Option<String>,
        is_within: bool,
    ) -> String {
        let when = when.map(|when| when + " && ").unwrap_or_default();
        let mut within = String::new();
        for angles in self.angles.chunks(MOST_ANGLES).filter(|_| is_within) {
            let entries = list(angles.iter().copied().map(entry_of_argument));
            within += &match angles {
                [_] => format!("__rt::math::is_within({entries}) && "),
                _ => format!("__rt::math::are_within([{entries}]) && "),
            };
        }
        let unreached = self.unreached.iter().copied().map(entry_of_argument);
        let test = if layout.constraints == 0 {
            let accelerations = elements(Part::Accelerations, &self.accelerations);
            self.test_of_mass(&list(unreached.chain(accelerations)))
        } else {
            let untested = list(elements(Part::Accelerations, &self.untested));
            self.test_of_motion(&untested, &list(unreached))
        };
        format!(
            "if {when}{within}{test} {{
                 return {result};
             }}"
        )
    }

    /// Accepts a solution if only M was factored; the values must be finite.
    fn test_of_mass(&self, values: &str) -> String {
        let mass = self.pivots(|i| i < self.pivots_of_mass);
        format!("__rt::linalg::AcceptanceTest::of_mass({mass}, [{values}]).accepts()")
    }

    /// Accepts a solution with constraints. `untested` are the accelerations that occur in none of the tested equations,
    /// and `unreached` further values that must be finite.
    fn test_of_motion(&self, untested: &str, unreached: &str) -> String {
        let mass = self.pivots(|i| i < self.pivots_of_mass);
        let complement = self.pivots(|i| i >= self.pivots_of_mass);
        let [residual, terms] = [Part::Residual, Part::Terms].map(Part::name);
        format!(
            "(__rt::linalg::AcceptanceTest {{
                 mass: {mass},
                 complement: {complement},
                 residual: {residual},
                 terms: {terms},
                 free: [{untested}],
                 hidden: [{unreached}],
             }}).accepts()"
        )
    }

    /// The pivots that the condition selects.
    fn pivots(&self, is_selected: impl Fn(usize) -> bool) -> String {
        let (mut entries, reduced): (Vec<usize>, Vec<usize>) = self
            .pivots
            .iter()
            .copied()
            .filter(|i| is_selected(*i))
            .partition(|i| self.entries.contains(i));
        entries.retain(|i| self.distinct_entries.contains(i));
        let entries = list(elements(Part::Pivots, &entries));
        let [reduced, diagonal] =
            [Part::Pivots, Part::Diagonal].map(|part| list(elements(part, &reduced)));
        format!(
            "__rt::linalg::Pivots {{
                 entries: [{entries}],
                 reduced: [{reduced}],
                 diagonal: [{diagonal}],
             }}"
        )
    }
}

/// `__d[2], __d[0], ..`
fn elements(part: Part, places: &[usize]) -> Vec<String> {
    let array = part.name();
    places.iter().map(|i| format!("{array}[{i}]")).collect()
}

/// The indices of values, in the order of their computation.
fn sort_by_computation(values: &[Operand]) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..values.len()).collect();
    indices.sort_by_key(|&i| match values[i] {
        Operand::Temporary(temporary) => Some(temporary),
        Operand::Symbol(_) | Operand::Constant(_) => None,
    });
    indices
}

/// The angles of sines and cosines, if all of them are coordinates; otherwise none.
pub(super) fn find_angles(schedule: &Schedule) -> Vec<Symbol> {
    schedule
        .instructions
        .iter()
        .filter_map(|instruction| match instruction {
            Instruction::SinCos(Operand::Symbol(angle @ Symbol::Coordinate(_))) => {
                Some(Some(*angle))
            }
            Instruction::SinCos(_) => Some(None),
            _ => None,
        })
        .collect::<Option<Vec<Symbol>>>()
        .unwrap_or_default()
}

/// The entries of the arguments, in order, that do not reach the values of the acceptance test. They may be NaN
/// or infinite while the solution is finite, so the test has to read them.
///
/// Leaving out the other arguments saves up to 12 % of a solve (`benches/instructions`: `rods_05` takes 593 instructions
/// instead of 666, `rods_10` 1412 instead of 1511, `panda_acceleration` 3019 instead of 3080).
pub(super) fn find_unreached_arguments(
    schedule: &Schedule,
    factors: &Factorization,
    correction: Option<&Correction>,
    layout: &Layout,
) -> Vec<Symbol> {
    let mut reaching = if layout.constraints == 0 {
        schedule.shown_by(&factors.solution)
    } else {
        let parts = [&factors.solution, &factors.residual, &factors.terms];
        schedule.shown_by(&tested_values(factors, parts.map(|part| &part[..])))
    };
    if let Some(correction) = correction {
        let mut corrected = schedule.clone();
        corrected
            .instructions
            .extend(correction.instructions.iter().cloned());
        // Only the equations that were tested before.
        let count = factors.residual.len();
        let parts = [
            &correction.solution[..],
            last_entries(&correction.residual, count),
            last_entries(&correction.terms, count),
        ];
        let reaching_correction = corrected.shown_by(&tested_values(factors, parts));
        reaching.retain(|symbol| reaching_correction.contains(symbol));
    }
    arguments(layout)
        .iter()
        .flat_map(|argument| entries_of(*argument, layout))
        .filter(|entry| !reaching.contains(entry))
        .collect()
}

/// The values that are finite if a solution with constraints is accepted: the pivots of M, the diagonal of J M^-1
/// J^T, the residuals of the equations, the sizes of their terms, and the accelerations that occur in none of these
/// equations.
fn tested_values(
    factors: &Factorization,
    [solution, residual, terms]: [&[Operand]; 3],
) -> Vec<Operand> {
    let n = factors.pivots_of_mass;
    let (pivots, diagonal) = (&factors.pivots[..n], &factors.diagonal[n..]);
    let untested = factors.judged.unseen.iter().map(|i| solution[*i]);
    [pivots, diagonal, residual, terms]
        .concat()
        .into_iter()
        .chain(untested)
        .collect()
}

/// The symbols of an argument of the whole state.
fn entries_of(argument: Argument, layout: &Layout) -> Vec<Symbol> {
    let entries = |count: usize, symbol: fn(u32) -> Symbol| (0..count as u32).map(symbol).collect();
    match argument {
        Argument::T => vec![Symbol::Time],
        Argument::Q => entries(layout.coordinates, Symbol::Coordinate),
        Argument::V => entries(layout.velocities, Symbol::Velocity),
        Argument::States => entries(layout.states, Symbol::State),
        Argument::U => entries(layout.inputs, Symbol::Input),
        _ => Vec::new(),
    }
}
