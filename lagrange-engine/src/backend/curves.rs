//! Curves through points: their numbers as constants of the text, and a function for each of them.

use std::fmt::Write;
use std::sync::Arc;

use super::printer::{Dialect, Printer};
use crate::{Curve, Operand, Piecewise, Symbol};

impl Printer<'_> {
    /// The call for a curve of these operands, the first of which is x. `number` is that of its temporary.
    pub(super) fn curve(
        &mut self,
        of: &Piecewise,
        (operands, of_operands): (&[Operand], &[&str]),
        number: usize,
    ) -> String {
        let curve = self.curve_number(&of.curve);
        let (helper, order) = (&self.names.helper, of.order);
        let [x, controls @ ..] = of_operands else {
            return String::new();
        };
        let call = format!("{helper}curve_{curve}({x}, {order}");
        let real = &self.names.real;
        let values = match (self.dialect, controls, self.parameters_at(operands)) {
            (_, [], _) => return call + ")",
            (Dialect::Wgsl, ..) => {
                format!("array<f32, {}>({})", controls.len(), controls.join(", "))
            }
            (_, _, Some(place)) => place,
            (_, _, None) => {
                let _ = writeln!(
                    self.text,
                    "        const {real} t{number}_controls[{}] = {{{}}};",
                    controls.len(),
                    controls.join(", ")
                );
                format!("t{number}_controls")
            }
        };
        format!("{call}, {values})")
    }

    /// The number of a curve in this text.
    fn curve_number(&mut self, curve: &Arc<Curve>) -> usize {
        self.curves
            .iter()
            .position(|known| known == curve)
            .unwrap_or_else(|| {
                self.curves.push(curve.clone());
                self.curves.len() - 1
            })
    }

    /// The address of control values that follow each other in one field.
    fn parameters_at(&self, operands: &[Operand]) -> Option<String> {
        let [_, Operand::Symbol(Symbol::Parameter(first)), rest @ ..] = operands else {
            return None;
        };
        let field = |number| self.names.parameter(number).split('[').next();
        let mut next = *first;
        for operand in rest {
            next += 1;
            if *operand != Operand::Symbol(Symbol::Parameter(next)) || field(next) != field(*first)
            {
                return None;
            }
        }
        Some(format!("&{}", self.names.parameter(*first)))
    }

    /// The functions of the curves that the text so far calls.
    pub(super) fn curve_functions(&mut self) -> String {
        std::mem::take(&mut self.curves)
            .iter()
            .enumerate()
            .map(|(number, curve)| match self.dialect {
                Dialect::Wgsl => self.curve_in_wgsl(number, curve),
                _ => self.curve_in_c(number, curve),
            })
            .collect()
    }

    fn list(&self, numbers: &[f64]) -> String {
        let numbers: Vec<String> = numbers.iter().map(|number| self.number(*number)).collect();
        numbers.join(", ")
    }

    fn curve_in_c(&self, number: usize, curve: &Curve) -> String {
        let (breaks, pieces) = (curve.breaks(), curve.pieces().concat());
        let (count, scale) = (breaks.len(), self.number(curve.scale()));
        let breaks = self.list(breaks);
        let (arguments, table, last) = match curve.has_controls() {
            true => (
                ", const NAME_real *controls",
                String::new(),
                "spline_by_controls(x, order, SCALE, COUNT, breaks, controls)",
            ),
            false => (
                "",
                format!(
                    "    static const NAME_real pieces[{}] = {{{}}};\n",
                    pieces.len(),
                    self.list(&pieces)
                ),
                "curve(x, order, SCALE, COUNT, breaks, pieces)",
            ),
        };
        let last = last
            .replace("SCALE", &scale)
            .replace("COUNT", &count.to_string());
        self.named(&format!(
            "static NAME_real NAME_helper_curve_{number}(NAME_real x, int order{arguments})\n{{\n    \
             static const NAME_real breaks[{count}] = {{{breaks}}};\n{table}    \
             return NAME_helper_{last};\n}}\n\n"
        ))
    }

    /// Arrays have their length in their type: each curve has a search of its own.
    fn curve_in_wgsl(&self, number: usize, curve: &Curve) -> String {
        let (breaks, pieces) = (curve.breaks(), curve.pieces());
        let count = breaks.len();
        let list = self.list(breaks);
        let mut text = format!(
            "var<private> NAME_helper_breaks_{number}: array<f32, {count}> = array<f32, {count}>({list});\n"
        );
        let find = match curve.scale() {
            0.0 => format!(
                "    var piece = 0;\n    for (var step = {}; step > 0; step = step / 2) {{\n        \
                 if (piece + step <= {count}) {{ if (NAME_helper_breaks_{number}[piece + step - 1] <= x) {{ piece += step; }} }}\n    }}\n",
                count.next_power_of_two()
            ),
            scale => format!(
                "    var piece = i32(clamp((x - NAME_helper_breaks_{number}[0]) * {}, 0.0f, {}));\n    \
                 if (NAME_helper_breaks_{number}[piece] <= x) {{\n        piece += 1;\n        \
                 if (piece < {count}) {{ if (NAME_helper_breaks_{number}[piece] <= x) {{ piece += 1; }} }}\n    }}\n",
                self.number(scale),
                self.number((count - 1) as f64)
            ),
        };
        let start = format!("NAME_helper_breaks_{number}[max(piece - 1, 0)]");
        let (argument, found) = match curve.has_controls() {
            true => (
                format!(", values: array<f32, {}>", count + 2),
                format!(
                    "    var controls = values;\n    let first = max(piece - 1, 0);\n    \
                     let near = vec4<f32>(controls[first], controls[first + 1], controls[first + 2], controls[min(first + 3, {})]);\n    \
                     let found = NAME_helper_by_controls(near, {}, piece > 0 && piece < {count});\n",
                    count + 1,
                    self.number(curve.scale())
                ),
            ),
            false => {
                let rows: Vec<String> = pieces
                    .iter()
                    .map(|piece| format!("vec4<f32>({})", self.list(piece)))
                    .collect();
                text += &format!(
                    "var<private> NAME_helper_pieces_{number}: array<vec4<f32>, {0}> = array<vec4<f32>, {0}>({1});\n",
                    rows.len(),
                    rows.join(", ")
                );
                (
                    String::new(),
                    format!("    let found = NAME_helper_pieces_{number}[piece];\n"),
                )
            }
        };
        text += &format!(
            "fn NAME_helper_curve_{number}(x: f32, order: i32{argument}) -> f32 {{\n{find}{found}    \
             return NAME_helper_polynomial(x - {start}, order, found);\n}}\n\n"
        );
        self.named(&text)
    }
}
