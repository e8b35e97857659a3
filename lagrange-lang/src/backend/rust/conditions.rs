//! Conditions of routines as expressions.

use lagrange_engine::{AcceptanceTest, Condition, Pivots, View};

use super::assembly::list;
use super::steps::Printer;

impl Printer<'_> {
    pub(super) fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Accepted { finite, test } => self.accepted(finite, test),
            Condition::Not(condition) => format!("!{}", self.condition(condition)),
            Condition::Met { residual, terms } => {
                let (residual, terms) = (self.slice(*residual), self.slice(*terms));
                format!("__rt::linalg::all_met({residual}, {terms})")
            }
            Condition::Regular {
                pivots,
                diagonal,
                share,
            } => {
                let function = match share {
                    1e-6 => "regular_lanes",
                    _ => "are_clear",
                };
                let (pivots, diagonal) = (self.slice(*pivots), self.slice(*diagonal));
                format!("__rt::linalg::{function}::<S>({pivots}, {diagonal})")
            }
            Condition::Finite(views) => self.finite(views),
            Condition::All(all) => {
                let all = all.iter().map(|condition| self.condition(condition));
                all.collect::<Vec<String>>().join(" && ")
            }
            // Functions of the runtime write flags.
            Condition::Is(flag, 1.0) => self.entry(*flag, "0", "0"),
            _ => {
                self.unprinted("a condition");
                String::new()
            }
        }
    }

    /// Tests whether no entry is NaN or infinite.
    pub(super) fn finite(&self, views: &[View]) -> String {
        let slices: Vec<String> = views.iter().map(|view| self.slice(*view)).collect();
        match &slices[..] {
            [slice] => format!("__rt::linalg::all_finite({slice})"),
            _ => format!("__rt::linalg::are_finite(&[{}])", list(slices)),
        }
    }

    /// The acceptance test, which also tests whether these arrays are finite.
    fn accepted(&self, finite: &[View], test: &AcceptanceTest) -> String {
        let finite = finite.iter().copied();
        let mass = self.pivots(&test.mass);
        if !test.is_constrained {
            let values = list(finite.chain([test.values]).map(|view| self.elements(view)));
            return format!("__rt::linalg::AcceptanceTest::of_mass({mass}, [{values}]).accepts()");
        }
        let hidden = list(finite.map(|view| self.elements(view)));
        let values = self.owned(test.values);
        let complement = self.pivots(&test.complement);
        let (residual, terms) = (self.array(test.residual), self.array(test.terms));
        format!(
            "(__rt::linalg::AcceptanceTest {{
                 mass: {mass},
                 complement: {complement},
                 residual: {residual},
                 terms: {terms},
                 free: {values},
                 hidden: [{hidden}],
             }}).accepts()"
        )
    }

    fn pivots(&self, pivots: &Pivots) -> String {
        let views = [pivots.entries, pivots.reduced, pivots.diagonal];
        let [entries, reduced, diagonal] = views.map(|view| self.owned(view));
        format!(
            "__rt::linalg::Pivots {{
                 entries: {entries},
                 reduced: {reduced},
                 diagonal: {diagonal},
             }}"
        )
    }
}
