//! Conditions of routines as expressions.

use lagrange_engine::{AcceptanceTest, Condition, Pivots, View};

use super::assembly::list;
use super::steps::Printer;

impl Printer<'_> {
    pub(super) fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Accepted { finite, test } if !test.is_constrained => {
                let finite = match &finite[..] {
                    [] => String::new(),
                    views => self.finite(views) + " && ",
                };
                finite + &self.accepted(test)
            }
            Condition::Finite(views) => self.finite(views),
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
        let (mass, values) = (self.pivots(&test.mass), self.elements(test.values));
        format!("__rt::linalg::AcceptanceTest::of_mass({mass}, [{values}]).accepts()")
    }

    fn pivots(&self, pivots: &Pivots) -> String {
        let views = [pivots.entries, pivots.reduced, pivots.diagonal];
        let [entries, reduced, diagonal] = views.map(|view| self.elements(view));
        format!(
            "__rt::linalg::Pivots {{
                 entries: [{entries}],
                 reduced: [{reduced}],
                 diagonal: [{diagonal}],
             }}"
        )
    }
}
