//! Straight-line code: a `let` for each temporary.

use std::fmt::Write;

use crate::backend::printer::Printer;
use crate::codegen::{Compute, Input, Routine};
use crate::{Binary, Comparison, Instruction, Operand, Unary};

impl Printer<'_> {
    pub(in crate::backend) fn compute_in_wgsl(&mut self, compute: &Compute, routine: &Routine) {
        self.line("    {");
        let mut next = 0;
        for instruction in &compute.schedule.instructions {
            let first = next;
            next += instruction.results() as usize;
            let value = self.value(instruction, compute, routine);
            if let Instruction::SinCos(_) = instruction {
                let second = first + 1;
                let _ = writeln!(
                    self.text,
                    "        let s{first} = {value};\n        let t{first} = s{first}.x;\n        let t{second} = s{first}.y;"
                );
            } else {
                let _ = writeln!(self.text, "        let t{first} = {value};");
            }
        }
        for write in &compute.writes {
            let operator = if write.adds { "+=" } else { "=" };
            if let Some(flag) = write.flag {
                let (flag, one) = (self.entry(flag, 0, 0, routine), self.number(1.0));
                let _ = writeln!(self.text, "        if ({flag} == {one}) {{");
            }
            for (place, value) in write.values.iter().enumerate() {
                if write.adds && *value == Operand::Constant(0.0) {
                    continue;
                }
                let columns = write.to.columns.max(1);
                let to = self.entry(write.to, place / columns, place % columns, routine);
                let value = self.operand_in_wgsl(*value, compute, routine);
                let _ = writeln!(self.text, "        {to} {operator} {value};");
            }
            if write.flag.is_some() {
                self.line("        }");
            }
        }
        self.line("    }");
    }

    fn value(&self, instruction: &Instruction, compute: &Compute, routine: &Routine) -> String {
        let operands = instruction.operands().into_iter();
        let of: Vec<String> = operands
            .map(|operand| self.operand_in_wgsl(operand, compute, routine))
            .collect();
        let of: Vec<&str> = of.iter().map(String::as_str).collect();
        let helper = &self.names.helper;
        match (instruction, &of[..]) {
            (Instruction::Add(..), [a, b]) => format!("{a} + {b}"),
            (Instruction::Sub(..), [a, b]) => format!("{a} - {b}"),
            (Instruction::Mul(..), [a, b]) => format!("{a} * {b}"),
            (Instruction::Div(..), [a, b]) => format!("{a} / {b}"),
            (Instruction::Neg(_), [a]) => format!("-{a}"),
            (Instruction::Recip(_), [a]) => format!("1.0f / {a}"),
            (Instruction::MulAdd(..), [a, b, c]) => format!("{a} * {b} + {c}"),
            (Instruction::NegMulAdd(..), [a, b, c]) => format!("{c} - {a} * {b}"),
            (Instruction::Powi(_, n), [a]) => format!("{helper}powi({a}, {n})"),
            (Instruction::SinCos(_), [a]) => format!("{helper}sin_cos({a})"),
            (Instruction::Unary(function, _), [a]) => match function {
                Unary::Sin => format!("{helper}sin_cos({a}).x"),
                Unary::Cos => format!("{helper}sin_cos({a}).y"),
                Unary::Sign => format!("{helper}sign({a})"),
                Unary::Ln => format!("log({a})"),
                other => format!("{}({a})", other.name()),
            },
            (Instruction::Binary(function, ..), [a, b]) => match function {
                Binary::Hypot => format!("length(vec2<f32>({a}, {b}))"),
                Binary::Pow => format!("pow({a}, {b})"),
                other => format!("{}({a}, {b})", other.name()),
            },
            (Instruction::Select(comparison, _), [a, b, then, otherwise]) => {
                let operator = match comparison {
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                    Comparison::Equal => "==",
                    Comparison::NotEqual => "!=",
                };
                format!("select({otherwise}, {then}, {a} {operator} {b})")
            }
            // No instruction has other operands.
            _ => String::new(),
        }
    }

    fn operand_in_wgsl(&self, operand: Operand, compute: &Compute, routine: &Routine) -> String {
        match operand {
            Operand::Temporary(number) => format!("t{number}"),
            Operand::Constant(value) => self.number(value),
            Operand::Symbol(symbol) => match (symbol, Input::of(symbol)) {
                (crate::Symbol::Parameter(number), _) => self.names.parameter(number).to_owned(),
                (_, Some((input, at))) => {
                    let read = compute.reads.iter().find(|(known, _)| *known == input);
                    read.map_or_else(String::new, |(_, view)| self.entry(*view, 0, at, routine))
                }
                (_, None) => String::new(),
            },
        }
    }
}
