//! Conditions of routines as expressions.

use lagrange_engine::{AcceptanceTest, Condition, Pivots, View};

use super::assembly::list;
use super::steps::Printer;

impl Printer<'_> {
    pub(super) fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Accepted { finite, test } => {
                let finite = match &finite[..] {
                    [] => String::new(),
                    views => self.finite(views) + " && ",
                };
                finite + &self.accepted(test)
            }
            Condition::Met { residual, terms } => {
                let (residual, terms) = (self.slice(*residual), self.slice(*terms));
                format!("__rt::linalg::all_met({residual}, {terms})")
            }
            Condition::Regular {
                pivots,
                diagonal,
                share: 1e-6,
            } => {
                let (pivots, diagonal) = (self.slice(*pivots), self.slice(*diagonal));
                format!("__rt::linalg::regular_lanes::<S>({pivots}, {diagonal})")
            }
            Condition::Finite(views) => self.finite(views),
            Condition::All(all) => all
                .iter()
                .map(|condition| self.condition(condition))
                .collect::<Vec<String>>()
                .join(" && "),
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

    fn accepted(&self, test: &AcceptanceTest) -> String {
        let (mass, values) = (self.pivots(&test.mass), self.owned(test.values));
        if !test.is_constrained {
            return format!("__rt::linalg::AcceptanceTest::of_mass({mass}, {values}).accepts()");
        }
        let complement = self.pivots(&test.complement);
        let (residual, terms) = (self.array(test.residual), self.array(test.terms));
        format!(
            "(__rt::linalg::AcceptanceTest {{
                 mass: {mass},
                 complement: {complement},
                 residual: {residual},
                 terms: {terms},
                 free: {values},
                 hidden: [],
             }}).accepts()"
        )
    }

    fn pivots(&self, pivots: &Pivots) -> String {
        let [entries, reduced, diagonal] =
            [pivots.entries, pivots.reduced, pivots.diagonal].map(|view| self.owned(view));
        format!(
            "__rt::linalg::Pivots {{
                 entries: {entries},
                 reduced: {reduced},
                 diagonal: {diagonal},
             }}"
        )
    }
}
