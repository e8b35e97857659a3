//! Dense operations of routines as calls of the runtime.

use lagrange_engine::{Equations, Kernel, Shape, View};

use super::assembly::{list, map_error};
use super::places::{Form, Place};
use super::printer::{Printer, name_of};

impl Printer<'_> {
    pub(super) fn kernel(&mut self, kernel: Kernel, arguments: &[View], results: &[View]) {
        let call = match (kernel, arguments) {
            (Kernel::Solve(equations), _) => self.call_solution(equations, arguments),
            (Kernel::SolveUnchecked(Equations::Reacting), [mass, jacobian, forces, f, gamma]) => {
                let [mass, forces, rows] = [(mass, true), (forces, false), (jacobian, false)]
                    .map(|(matrix, is_symmetric)| self.rows(*matrix, is_symmetric));
                let [f, gamma] = [f, gamma].map(|view| self.array(*view));
                let call = format!("reacting_unchecked(&{mass}, &{forces}, &{rows}, {f}, {gamma})");
                Some(call)
            }
            (Kernel::SolveUnchecked(_), [mass, jacobian, right @ ..]) => {
                let is_read_again = !self.is_read_once(mass.array);
                let [mass, rows] = [self.rows(*mass, true), self.rows(*jacobian, false)];
                let mass = match is_read_again {
                    true => format!("{{ {mass} }}"),
                    false => mass,
                };
                let right = list(right.iter().map(|view| self.array(*view)));
                Some(format!(
                    "kkt_unchecked_in_place(&mut {mass}, &{rows}, {right})"
                ))
            }
            (Kernel::Moved | Kernel::Difference, [from, to]) => {
                let function = match kernel {
                    Kernel::Moved => "moved",
                    _ => "difference",
                };
                let (from, to) = (self.array(*from), self.array(*to));
                let name = self.other_name();
                self.push(format!(
                    "let {name} = __rt::rotation::{function}({from}, {to});"
                ));
                return self.assign(results[0], "=", &|_, _, j| format!("{name}[{j}]"));
            }
            (Kernel::IsClear, [mass, jacobian, v, rates]) => {
                let [mass, rows] = [self.rows(*mass, true), self.rows(*jacobian, false)];
                let [v, rates] = [v, rates].map(|view| self.array(*view));
                Some(format!("is_clear(&mut {mass}, &{rows}, {v}, {rates})"))
            }
            (Kernel::Significant, _) => return self.significant(arguments, results[0]),
            (Kernel::Limits, [bounds]) => Some(format!("limits({})", self.array(*bounds))),
            _ => None,
        };
        let Some(call) = call else {
            return self.unprinted("a dense operation");
        };
        let results = match kernel {
            Kernel::SolveUnchecked(_) => &results[..2],
            _ => results,
        };
        let results: Vec<View> = results
            .iter()
            .filter(|view| !view.is_empty())
            .copied()
            .collect();
        let is_bound = |view: &View| !self.is_defined(view.array) && self.is_whole(*view);
        let bound: Vec<bool> = results.iter().map(is_bound).collect();
        let names: Vec<String> = bound
            .iter()
            .zip(&results)
            .map(|(is_bound, view)| match is_bound {
                true => name_of(view.array),
                false => self.other_name(),
            })
            .collect();
        let pattern = match &names[..] {
            [name] if matches!(kernel, Kernel::SolveUnchecked(_)) => format!("({name}, _)"),
            [name] => name.clone(),
            _ => format!("({})", list(names.iter().cloned())),
        };
        let failure = match kernel {
            Kernel::Solve(_) => map_error() + "?",
            _ => String::new(),
        };
        self.push(format!("let {pattern} = __rt::linalg::{call}{failure};"));
        let named = names.into_iter().zip(bound).zip(&results).enumerate();
        for (index, ((name, is_bound), view)) in named {
            // The rank of J is a number, an answer a flag.
            let place = match (kernel.equations(), index) {
                (Some(Equations::Redundant), 2) | (None, 0) if kernel != Kernel::Limits => {
                    Place::typed(name, Shape::Scalar)
                }
                _ => Place::new(name, Form::Array, view.len()),
            };
            if is_bound {
                self.define(view.array, place);
            } else {
                let whole = View::whole(view.array, view.len());
                self.assign(*view, "=", &|_, _, j| place.entry(whole, "0", j));
            }
        }
    }

    /// The call of a pivoted solution for one right-hand side.
    fn call_solution(&self, equations: Equations, arguments: &[View]) -> Option<String> {
        let [mass, jacobian, right_sides @ ..] = arguments else {
            return None;
        };
        let arrays = |views: &[View]| list(views.iter().map(|view| self.array(*view)));
        let [mass, rows] = [self.rows(*mass, true), self.rows(*jacobian, false)];
        Some(match (equations, right_sides) {
            (Equations::Regular, [forces, _]) if jacobian.is_empty() => {
                format!("solve_in_place(&mut {mass}, {})", self.array(*forces))
            }
            (Equations::Regular, right) => {
                format!("kkt_in_place(&mut {mass}, &{rows}, {})", arrays(right))
            }
            (Equations::Independent | Equations::Redundant, right) => {
                let function = match equations {
                    Equations::Redundant => "redundant_in_place",
                    _ => "independent_in_place",
                };
                format!("{function}(&mut {mass}, &{rows}, {})", arrays(right))
            }
            (Equations::Reacting, [forces, right @ ..]) => {
                let (forces, right) = (self.rows(*forces, false), arrays(right));
                format!("reacting(&{mass}, &{forces}, &{rows}, {right})")
            }
            _ => return None,
        })
    }

    /// A matrix as an array of its rows.
    pub(super) fn rows(&self, view: View, is_symmetric: bool) -> String {
        let place = self.place(view.array);
        match (place.form, &place.typed) {
            (Form::Rows, _) if self.is_whole(view) => place.value.clone(),
            (Form::Columns, Some(_)) if is_symmetric => place.value.clone(),
            (Form::Columns, Some(typed)) if self.is_whole(view) => {
                format!("{typed}.transpose().data.0")
            }
            _ => {
                let rows = (0..view.rows).map(|row| {
                    let row = view.block((row, 0), 1, view.columns);
                    format!("[{}]", self.elements(row))
                });
                format!("[{}]", list(rows))
            }
        }
    }
}
