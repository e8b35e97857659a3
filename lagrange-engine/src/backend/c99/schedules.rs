//! Straight-line code: a constant for each temporary that a result needs.

use std::fmt::Write;

use crate::backend::printer::{Dialect, Printer};
use crate::codegen::{Compute, Input, Routine};
use crate::{Binary, Instruction, Operand, Unary};

impl Printer<'_> {
    pub(in crate::backend) fn compute(&mut self, compute: &Compute, routine: &Routine) {
        let needed = needed(compute);
        self.line("    {");
        let mut next = 0;
        for instruction in &compute.schedule.instructions {
            let first = next;
            next += instruction.results() as usize;
            self.instruction(instruction, first, &needed, compute, routine);
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
                let value = self.operand(*value, compute, routine);
                let _ = writeln!(self.text, "        {to} {operator} {value};");
            }
            if write.flag.is_some() {
                self.line("        }");
            }
        }
        self.line("    }");
    }

    fn instruction(
        &mut self,
        instruction: &Instruction,
        first: usize,
        needed: &[bool],
        compute: &Compute,
        routine: &Routine,
    ) {
        let operands = instruction.operands().into_iter();
        let of: Vec<String> = operands
            .map(|operand| self.operand(operand, compute, routine))
            .collect();
        let of: Vec<&str> = of.iter().map(String::as_str).collect();
        if self.dialect == Dialect::Cuda
            && let Some(results) = sines(instruction, first)
        {
            if needed[first..first + instruction.results() as usize].contains(&true) {
                self.sines(of[0], results);
            }
            return;
        }
        if let Instruction::SinCos(_) = instruction {
            for (at, function) in ["sin", "cos"].into_iter().enumerate() {
                if needed[first + at] {
                    let value = self.function(function, &of);
                    self.constant(first + at, &value);
                }
            }
            return;
        }
        if !needed[first] {
            return;
        }
        let value = match (instruction, &of[..]) {
            (Instruction::Add(..), [a, b]) => format!("{a} + {b}"),
            (Instruction::Sub(..), [a, b]) => format!("{a} - {b}"),
            (Instruction::Mul(..), [a, b]) => format!("{a} * {b}"),
            (Instruction::Div(..), [a, b]) => self.quotient(a, b),
            (Instruction::Neg(_), [a]) => format!("-{a}"),
            (Instruction::Recip(_), [a]) => self.quotient(&self.number(1.0), a),
            (Instruction::MulAdd(..), [a, b, c]) => format!("{a} * {b} + {c}"),
            (Instruction::NegMulAdd(..), [a, b, c]) => format!("{c} - {a} * {b}"),
            (Instruction::Powi(_, n), [a]) => format!("{}powi({a}, {n})", self.names.helper),
            (Instruction::Unary(Unary::Sign, _), [a]) => format!("{}sign({a})", self.names.helper),
            (Instruction::Unary(function, _), [_]) => self.function(unary(*function), &of),
            (Instruction::Binary(function, ..), [..]) => self.function(binary(*function), &of),
            (Instruction::Select(comparison, _), [a, b, then, otherwise]) => {
                format!("{a} {} {b} ? {then} : {otherwise}", comparison.symbol())
            }
            // No instruction has other operands.
            _ => String::new(),
        };
        self.constant(first, &value);
    }

    /// Sine and cosine of an angle, the temporaries of these names.
    fn sines(&mut self, angle: &str, [sine, cosine]: [String; 2]) {
        let (real, helper) = (&self.names.real, &self.names.helper);
        let call = match self.small_angles {
            true => format!("is_small &= {helper}sin_cos_of_small"),
            false => format!("{helper}sin_cos"),
        };
        let _ = writeln!(
            self.text,
            "        {real} {sine}, {cosine};\n        {call}({angle}, &{sine}, &{cosine});"
        );
    }

    fn quotient(&self, a: &str, b: &str) -> String {
        match self.dialect {
            Dialect::Cuda => format!("{}divided({a}, {b})", self.names.helper),
            _ => format!("{a} / {b}"),
        }
    }

    fn constant(&mut self, number: usize, value: &str) {
        let _ = writeln!(
            self.text,
            "        const {} t{number} = {value};",
            self.names.real
        );
    }

    /// A function of math.h in the precision of the text.
    fn function(&self, name: &str, operands: &[&str]) -> String {
        let system = self.names.system.to_uppercase();
        format!(
            "{system}_F{}({name}, {})",
            operands.len(),
            operands.join(", ")
        )
    }

    fn operand(&self, operand: Operand, compute: &Compute, routine: &Routine) -> String {
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

/// The names for sine and cosine, if an instruction computes one of them or both.
fn sines(instruction: &Instruction, first: usize) -> Option<[String; 2]> {
    let [own, unused] = [format!("t{first}"), format!("t{first}_unused")];
    match instruction {
        Instruction::SinCos(_) => Some([own, format!("t{}", first + 1)]),
        Instruction::Unary(Unary::Sin, _) => Some([own, unused]),
        Instruction::Unary(Unary::Cos, _) => Some([unused, own]),
        _ => None,
    }
}

impl Compute {
    /// Whether the code computes sines or cosines.
    pub(in crate::backend) fn has_sines(&self) -> bool {
        let mut instructions = self.schedule.instructions.iter();
        instructions.any(|instruction| sines(instruction, 0).is_some())
    }
}

/// For each temporary whether a result needs it: compilers warn of unused variables.
fn needed(compute: &Compute) -> Vec<bool> {
    let instructions = &compute.schedule.instructions;
    let count = instructions
        .iter()
        .map(|instruction| instruction.results() as usize)
        .sum();
    let mut needed = vec![false; count];
    let need = |operand: Operand, needed: &mut Vec<bool>| {
        if let Operand::Temporary(number) = operand {
            needed[number as usize] = true;
        }
    };
    for value in compute.writes.iter().flat_map(|write| &write.values) {
        need(*value, &mut needed);
    }
    let mut end = count;
    for instruction in instructions.iter().rev() {
        let first = end - instruction.results() as usize;
        if needed[first..end].contains(&true) {
            instruction.for_each_operand(|operand| need(operand, &mut needed));
        }
        end = first;
    }
    needed
}

fn unary(function: Unary) -> &'static str {
    match function {
        Unary::Ln => "log",
        Unary::Abs => "fabs",
        other => other.name(),
    }
}

fn binary(function: Binary) -> &'static str {
    match function {
        Binary::Atan2 => "atan2",
        Binary::Min => "fmin",
        Binary::Max => "fmax",
        Binary::Hypot => "hypot",
        Binary::Pow => "pow",
    }
}
