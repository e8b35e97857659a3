//! The acceptance test: returns an unrolled solution if it can be trusted.
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
use super::parts::Part;
use super::symbols::entry_of_argument;
use crate::methods::{Argument, Layout};

/// The values that judge a solution.
#[derive(Default)]
pub(super) struct Trust {
    /// The accelerations, in the order of their computation.
    accelerations: Vec<usize>,
    /// The pivots, in the same order.
    pivots: Vec<usize>,
    /// The number of pivots that belong to M.
    pivots_of_mass: usize,
    /// The pivots that are diagonal entries themselves.
    entries: Vec<usize>,
    /// The subset of `entries` without repetitions.
    once: Vec<usize>,
    /// The accelerations that occur in none of the judged equations.
    unseen: Vec<usize>,
    /// The entries of the arguments that do not reach the judged values.
    hidden: Vec<Symbol>,
    /// The angles whose range `__terms` does not check if its caller checks it.
    pub(super) angles: Vec<Symbol>,
}

impl Trust {
    pub(super) fn new(factors: &Factorization, hidden: Vec<Symbol>, angles: Vec<Symbol>) -> Self {
        let entries: Vec<usize> = factors
            .pivots
            .iter()
            .zip(&factors.diagonal)
            .enumerate()
            .filter(|(_, (pivot, entry))| pivot == entry)
            .map(|(i, _)| i)
            .collect();
        let mut once = entries.clone();
        once.retain(|&i| {
            let mut before = entries.iter().take_while(|&&other| other < i);
            !before.any(|&other| factors.pivots[other] == factors.pivots[i])
        });
        Self {
            accelerations: in_order(&factors.solution),
            pivots: in_order(&factors.pivots),
            pivots_of_mass: factors.pivots_of_mass,
            entries,
            once,
            unseen: factors.judged.unseen.clone(),
            hidden,
            angles,
        }
    }

    /// Returns the unrolled solution if the arguments are finite and the solution is as accurate as the pivoted
    /// one. Without constraints this holds if the accelerations are finite. Arguments that reach the accelerations
    /// therefore need no test of their own. With constraints, `untested_arguments` determines the arguments to
    /// test.
    ///
    /// The condition `when` is tested first. `is_within` means that `__terms` has not checked the range of the
    /// angles.
    pub(super) fn returned(
        &self,
        layout: &Layout,
        result: &str,
        when: Option<String>,
        is_within: bool,
    ) -> String {
        let when = when.map(|when| when + " && ").unwrap_or_default();
        let asked_for = if is_within { &self.angles[..] } else { &[] };
        let within: String = asked_for
            .chunks(MOST_ANGLES)
            .map(|angles| {
                let several = angles.iter().copied().map(entry_of_argument);
                match angles {
                    [angle] => {
                        let angle = entry_of_argument(*angle);
                        format!("__rt::math::is_within({angle}) && ")
                    }
                    _ => format!("__rt::math::are_within([{}]) && ", list(several)),
                }
            })
            .collect();
        let hidden = self.hidden.iter().copied().map(entry_of_argument);
        let judgement = if layout.constraints == 0 {
            let values = hidden.chain(elements(Part::Accelerations, &self.accelerations));
            self.of_inverse(&format!("[{}]", list(values)))
        } else {
            let unseen = elements(Part::Accelerations, &self.unseen);
            let [unseen, hidden] = [list(unseen), list(hidden)].map(|all| format!("[{all}]"));
            self.of_motion(["__r", "__w"], &unseen, &hidden)
        };
        format!(
            "if {when}{within}{judgement} {{
                 return {result};
             }}"
        )
    }

    /// Accepts a solution if only M was factored; `values` is an array that must be finite.
    pub(super) fn of_inverse(&self, values: &str) -> String {
        let mass = self.pivots(|i| i < self.pivots_of_mass);
        format!("__rt::linalg::AcceptanceTest::of_mass({mass}, {values}).accepts()")
    }

    /// The same with constraints. `judged` holds the residuals of the equations and the sizes of their terms,
    /// `unseen` the accelerations that occur in none of these, and `hidden` further values that must be finite.
    pub(super) fn of_motion(&self, judged: [&str; 2], unseen: &str, hidden: &str) -> String {
        let mass = self.pivots(|i| i < self.pivots_of_mass);
        let complement = self.pivots(|i| i >= self.pivots_of_mass);
        let [residual, terms] = judged;
        format!(
            "(__rt::linalg::AcceptanceTest {{
                 mass: {mass},
                 complement: {complement},
                 residual: {residual},
                 terms: {terms},
                 free: {unseen},
                 hidden: {hidden},
             }}).accepts()"
        )
    }

    /// The pivots that the condition selects.
    fn pivots(&self, is_meant: impl Fn(usize) -> bool) -> String {
        let meant = self.pivots.iter().copied().filter(|i| is_meant(*i));
        let (mut entries, reduced): (Vec<usize>, Vec<usize>) =
            meant.partition(|i| self.entries.contains(i));
        entries.retain(|i| self.once.contains(i));
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
fn in_order(values: &[Operand]) -> Vec<usize> {
    let mut found: Vec<usize> = (0..values.len()).collect();
    found.sort_by_key(|&i| match values[i] {
        Operand::Temporary(at) => Some(at),
        Operand::Symbol(_) | Operand::Constant(_) => None,
    });
    found
}

/// The angles of sines and cosines, if all of them are coordinates; otherwise none.
pub(super) fn angles_of(schedule: &Schedule) -> Vec<Symbol> {
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

/// The entries of the arguments, in order, that do not reach the values of the acceptance test: see `Trust` in
/// `acceptance_call.rs`.
pub(super) fn unjudged(
    code: &Schedule,
    factors: &Factorization,
    correction: Option<&Correction>,
    layout: &Layout,
) -> Vec<Symbol> {
    let mut shown = if layout.constraints == 0 {
        code.shown_by(&factors.solution)
    } else {
        let solved = [&factors.solution, &factors.residual, &factors.terms];
        code.shown_by(&judged(factors, solved.map(|part| &part[..])))
    };
    if let Some(correction) = correction {
        let mut corrected = code.clone();
        let instructions = correction.instructions.iter().cloned();
        corrected.instructions.extend(instructions);
        // Only the equations that were judged before.
        let last = |part: &'_ [Operand]| part.len().saturating_sub(factors.residual.len());
        let (residual, terms) = (&correction.residual, &correction.terms);
        let solved = [
            &correction.solution[..],
            &residual[last(residual)..],
            &terms[last(terms)..],
        ];
        let also = corrected.shown_by(&judged(factors, solved));
        shown.retain(|symbol| also.contains(symbol));
    }
    arguments(layout)
        .iter()
        .flat_map(|argument| entries_of(*argument, layout))
        .filter(|entry| !shown.contains(entry))
        .collect()
}

/// The values that are finite if a solution with constraints is accepted: the pivots of M, the diagonal of J M^-1
/// J^T, the residuals of the equations, the sizes of their terms, and the accelerations that occur in none of these
/// equations.
fn judged(factors: &Factorization, [solution, residual, terms]: [&[Operand]; 3]) -> Vec<Operand> {
    let n = factors.pivots_of_mass;
    let (pivots, diagonal) = (&factors.pivots[..n], &factors.diagonal[n..]);
    let unseen = factors.judged.unseen.iter().map(|i| solution[*i]);
    [pivots, diagonal, residual, terms]
        .concat()
        .into_iter()
        .chain(unseen)
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
