//! Conditions of routines as expressions.

use lagrange_engine::{Condition, View};

use super::assembly::list;
use super::printer::Printer;

impl Printer<'_> {
    pub(super) fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Library {
                function,
                arguments,
                ..
            } => self.library_test(function, arguments),
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
            Condition::Not(condition) => format!("!{}", self.condition(condition)),
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

    fn library_test(&mut self, function: &str, arguments: &[View]) -> String {
        match (function, arguments) {
            ("all_met", [residual, terms]) => {
                let (residual, terms) = (self.slice(*residual), self.slice(*terms));
                format!("__rt::linalg::all_met({residual}, {terms})")
            }
            ("AcceptanceTest::of_mass", [pivots @ .., values]) => {
                let (pivots, finite) = pivots.split_at(3.min(pivots.len()));
                let mass = self.pivots(pivots);
                let values = finite.iter().chain([values]);
                let values = list(values.map(|view| self.elements(*view)));
                format!("__rt::linalg::AcceptanceTest::of_mass({mass}, [{values}]).accepts()")
            }
            ("AcceptanceTest", [pivots @ .., residual, terms, free]) => {
                let (pivots, finite) = pivots.split_at(6.min(pivots.len()));
                let (mass, complement) = pivots.split_at(pivots.len() / 2);
                let [mass, complement] = [mass, complement].map(|pivots| self.pivots(pivots));
                let (residual, terms) = (self.array(*residual), self.array(*terms));
                let free = self.owned(*free);
                let hidden = list(finite.iter().map(|view| self.elements(*view)));
                format!(
                    "(__rt::linalg::AcceptanceTest {{
                         mass: {mass},
                         complement: {complement},
                         residual: {residual},
                         terms: {terms},
                         free: {free},
                         hidden: [{hidden}],
                     }}).accepts()"
                )
            }
            _ => {
                self.unprinted("a condition");
                String::new()
            }
        }
    }

    fn pivots(&self, pivots: &[View]) -> String {
        let fields = ["entries", "reduced", "diagonal"].iter().zip(pivots);
        let fields = fields.map(|(name, view)| format!("{name}: {},", self.owned(*view)));
        format!("__rt::linalg::Pivots {{ {} }}", fields.collect::<String>())
    }
}
