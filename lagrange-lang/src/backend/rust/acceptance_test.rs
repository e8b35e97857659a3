//! Where an unrolled solution is returned: where it can be trusted.
//!
//! ```text
//! if is_trusted(Pivots { entries: [__d[1]], reduced: [__d[0]], diagonal: [__s[0]] }, [q[0], __a[0], __a[1]]) {
//!     return Ok(*__a);
//! }
//! ```
//!
//! A pivot that is an entry of M itself need only be positive, and finite. What is known last is asked for last.

use lagrange_engine::{Factorization, Instruction, Operand, Schedule, Symbol};

use super::assembly::list;
use super::cost_model::MOST_ANGLES;
use super::parts::Part;
use super::symbols::entry_of_argument;
use crate::methods::Layout;

/// What a solution is judged by.
#[derive(Default)]
pub(super) struct Trust {
    /// The accelerations, in the order in which they are found.
    accelerations: Vec<usize>,
    /// The pivots, likewise.
    pivots: Vec<usize>,
    /// How many of them are those of M.
    pivots_of_mass: usize,
    /// The pivots that are diagonal entries themselves.
    entries: Vec<usize>,
    /// Those of them that repeat no other one.
    once: Vec<usize>,
    /// The accelerations that show in none of the equations that are judged.
    unseen: Vec<usize>,
    /// The entries of the arguments that do not show in what is judged.
    hidden: Vec<Symbol>,
    /// The angles whose sizes `__terms` does not ask for where it is told not to.
    pub(super) angles: Vec<Symbol>,
}

impl Trust {
    /// What is judged with what stands in `__d`, `__s` and `__a` alone.
    pub(super) fn of(factors: &Factorization) -> Self {
        Self::new(factors, Vec::new(), Vec::new())
    }

    pub(super) fn new(factors: &Factorization, hidden: Vec<Symbol>, angles: Vec<Symbol>) -> Self {
        let pivots = factors.pivots.iter().zip(&factors.diagonal).enumerate();
        let entries = pivots.filter(|(_, (pivot, entry))| pivot == entry);
        let entries: Vec<usize> = entries.map(|(i, _)| i).collect();
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

    /// Returns where the arguments are finite and the unrolled solution is as good as any. Without constraints that is
    /// where the accelerations are finite, so that arguments of which they tell need not be looked at; with constraints it
    /// is what `unjudged_arguments.rs` goes by.
    ///
    /// `when` is asked first; `is_within` tells whether `__terms` has not asked for the sizes of angles.
    pub(super) fn returned(
        &self,
        layout: &Layout,
        result: &str,
        when: Option<String>,
        is_within: bool,
    ) -> String {
        let when = when.map(|when| when + " && ").unwrap_or_default();
        let asked_for = if is_within { &self.angles[..] } else { &[] };
        let within = asked_for.chunks(MOST_ANGLES).map(|angles| {
            let several = angles.iter().copied().map(entry_of_argument);
            match angles {
                [angle] => {
                    let angle = entry_of_argument(*angle);
                    format!("__rt::math::is_within({angle}) && ")
                }
                _ => format!("__rt::math::are_within([{}]) && ", list(several)),
            }
        });
        let within: String = within.collect();
        let hidden = self.hidden.iter().copied().map(entry_of_argument);
        let judgement = if layout.constraints == 0 {
            let values = hidden.chain(elements(Part::Accelerations, &self.accelerations));
            self.of_inverse(&format!("[{}]", list(values)))
        } else {
            let unseen = elements(Part::Accelerations, &self.unseen);
            let [unseen, hidden] = [list(unseen), list(hidden)].map(|all| format!("[{all}]"));
            self.of_motion("__r, __w", &unseen, &hidden)
        };
        format!(
            "if {when}{within}{judgement} {{
                 return {result};
             }}"
        )
    }

    /// Whether a solution is as good as any where M alone was factored, by an array of what shall be finite.
    pub(super) fn of_inverse(&self, values: &str) -> String {
        let mass = self.pivots(|i| i < self.pivots_of_mass);
        format!("__rt::linalg::is_trusted({mass}, {values})")
    }

    /// The same with constraints, by what it leaves of the equations and their terms (`judged`), an array of the
    /// accelerations that show in none of these, and one of what shall be finite.
    pub(super) fn of_motion(&self, judged: &str, unseen: &str, hidden: &str) -> String {
        let mass = self.pivots(|i| i < self.pivots_of_mass);
        let complement = self.pivots(|i| i >= self.pivots_of_mass);
        format!(
            "__rt::linalg::is_trusted_motion({mass}, {complement}, {judged}, {unseen}, {hidden})"
        )
    }

    /// Those that are meant.
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
    let places = places.iter();
    places.map(|i| format!("{array}[{i}]")).collect()
}

/// The numbers of values, in the order in which the code finds these.
fn in_order(values: &[Operand]) -> Vec<usize> {
    let mut found: Vec<usize> = (0..values.len()).collect();
    found.sort_by_key(|&i| match values[i] {
        Operand::Temporary(at) => Some(at),
        Operand::Symbol(_) | Operand::Constant(_) => None,
    });
    found
}

/// The angles of sines and cosines, if all of them are coordinates; else none.
pub(super) fn angles_of(schedule: &Schedule) -> Vec<Symbol> {
    let instructions = schedule.instructions.iter();
    let angles = instructions.filter_map(|instruction| match instruction {
        Instruction::SinCos(Operand::Symbol(angle @ Symbol::Coordinate(_))) => Some(Some(*angle)),
        Instruction::SinCos(_) => Some(None),
        _ => None,
    });
    angles.collect::<Option<Vec<Symbol>>>().unwrap_or_default()
}

/// Whether all pivots are.
pub(super) fn all_regular(n: usize) -> String {
    format!("__rt::linalg::all_regular(&__d[..], &__s[..], {n})")
}
