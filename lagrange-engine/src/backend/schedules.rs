//! Straight-line code: a constant for each temporary that a result needs; in WGSL for each temporary.

use std::fmt::Write;

use super::printer::{Dialect, Printer};
use crate::codegen::{Compute, Input, Routine};
use crate::{Binary, Instruction, Operand, Unary};

impl Printer<'_> {
    pub(super) fn compute(&mut self, compute: &Compute, routine: &Routine) {
        let needed = needed(compute, self.is_wgsl());
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
            let values = match self.dialect {
                Dialect::Wgsl => {
                    let call = self.sin_cos(of[0]);
                    let _ = writeln!(self.text, "        let s{first} = {call};");
                    ["x", "y"].map(|part| format!("s{first}.{part}"))
                }
                _ => ["sin", "cos"].map(|function| self.function(function, &of)),
            };
            for (at, value) in values.iter().enumerate() {
                if needed[first + at] {
                    self.constant(first + at, value);
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
            (Instruction::Unary(Unary::Sin, _), [a]) if self.is_wgsl() => self.sin_cos(a) + ".x",
            (Instruction::Unary(Unary::Cos, _), [a]) if self.is_wgsl() => self.sin_cos(a) + ".y",
            (Instruction::Unary(function, _), [_]) => {
                let name = match function {
                    Unary::Ln => "log",
                    Unary::Abs if !self.is_wgsl() => "fabs",
                    others => others.name(),
                };
                self.function(name, &of)
            }
            (Instruction::Binary(Binary::Hypot, ..), [a, b]) if self.is_wgsl() => {
                format!("length(vec2<f32>({a}, {b}))")
            }
            (Instruction::Binary(function, ..), [..]) => {
                let name = match function {
                    Binary::Pow => "pow",
                    Binary::Min if !self.is_wgsl() => "fmin",
                    Binary::Max if !self.is_wgsl() => "fmax",
                    others => others.name(),
                };
                self.function(name, &of)
            }
            (Instruction::Select(comparison, _), [a, b, then, otherwise]) => {
                let condition = format!("{a} {} {b}", comparison.symbol());
                match self.dialect {
                    Dialect::Wgsl => format!("select({otherwise}, {then}, {condition})"),
                    _ => format!("{condition} ? {then} : {otherwise}"),
                }
            }
            (Instruction::Curve(curve, operands), _) => self.curve(curve, (operands, &of), first),
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

    /// Sine and cosine of an angle in WGSL.
    fn sin_cos(&self, angle: &str) -> String {
        format!("{}sin_cos({angle})", self.names.helper)
    }

    fn constant(&mut self, number: usize, value: &str) {
        let declared = match self.dialect {
            Dialect::Wgsl => "let".to_owned(),
            _ => format!("const {}", self.names.real),
        };
        let _ = writeln!(self.text, "        {declared} t{number} = {value};");
    }

    /// A function of the language, in C one of math.h in the precision of the text.
    fn function(&self, name: &str, operands: &[&str]) -> String {
        let values = operands.join(", ");
        if self.is_wgsl() {
            return format!("{name}({values})");
        }
        let system = self.names.system.to_uppercase();
        format!("{system}_F{}({name}, {values})", operands.len())
    }

    fn operand(&self, operand: Operand, compute: &Compute, routine: &Routine) -> String {
        match operand {
            Operand::Temporary(number) => format!("t{number}"),
            Operand::Constant(value) => self.number(value),
            Operand::Symbol(symbol) => match (symbol, Input::of(symbol)) {
                (crate::Symbol::Parameter(number), _) => self.names.parameter(number).to_owned(),
                (_, Some((input, at))) => compute
                    .reads
                    .iter()
                    .find(|(known, _)| *known == input)
                    .map_or_else(String::new, |(_, view)| self.entry(*view, 0, at, routine)),
                (_, None) => String::new(),
            },
        }
    }
}

/// The names for sine and cosine, if an instruction computes one of them or both.
fn sines(instruction: &Instruction, first: usize) -> Option<[String; 2]> {
    let [used, unused] = [format!("t{first}"), format!("t{first}_unused")];
    match instruction {
        Instruction::SinCos(_) => Some([used, format!("t{}", first + 1)]),
        Instruction::Unary(Unary::Sin, _) => Some([used, unused]),
        Instruction::Unary(Unary::Cos, _) => Some([unused, used]),
        _ => None,
    }
}

impl Compute {
    /// Whether the code computes sines or cosines.
    pub(super) fn has_sines(&self) -> bool {
        let mut instructions = self.schedule.instructions.iter();
        instructions.any(|instruction| sines(instruction, 0).is_some())
    }
}

/// For each temporary whether the text has it. Compilers of C warn of unused variables.
fn needed(compute: &Compute, are_all: bool) -> Vec<bool> {
    let instructions = &compute.schedule.instructions;
    let count = instructions
        .iter()
        .map(|instruction| instruction.results() as usize)
        .sum();
    let mut needed = vec![are_all; count];
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
