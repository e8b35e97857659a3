//! Prints schedules as the text of function bodies.
//!
//! Bodies are written as text and parsed into tokens in one call. In a debug build of the macro this is many times
//! faster than building them token by token.

mod matrices;

use std::fmt::Write;

use lagrange_engine::{Comparison, Instruction, Operand, Piecewise, Schedule};
pub(super) use matrices::{is_large, place_by_columns, place_by_rows};

use super::assembly::Text;
use super::passes::{Abreast, Nested, count_uses};
use super::symbols::{Parameters, Reads, Source, write_symbol};
use crate::backend::rust::cost_model::{CALLS_BOUND, MOST_ANGLES, STATEMENTS_WITH_LETS};

/// The declaration of the temporaries.
struct Declared {
    /// True if the temporaries are declared before the statements that assign their values.
    deferred: bool,
    total: usize,
    /// The number of temporaries declared so far.
    so_far: usize,
}

/// The text of a body under construction.
pub(super) struct Body<'a> {
    text: Text,
    parameters: &'a Parameters,
    constants: Constants,
    /// The instructions that are written at the place where their value is read.
    nested: Nested,
    /// The functions that are bound to local names.
    functions: Vec<&'static str>,
}

/// The constants of a body, distinguished by their bits.
#[derive(Default)]
struct Constants {
    /// In the order of their first use.
    values: Vec<f64>,
    /// The bits of each constant in ascending order, and its index.
    by_bits: Vec<(u64, usize)>,
}

impl Constants {
    fn insert(&mut self, value: f64) {
        if let Err(place) = self.find(value.to_bits()) {
            self.by_bits
                .insert(place, (value.to_bits(), self.values.len()));
            self.values.push(value);
        }
    }

    fn number(&self, value: f64) -> Option<usize> {
        let place = self.find(value.to_bits()).ok()?;
        Some(self.by_bits[place].1)
    }

    /// The position of these bits, or the position for their insertion.
    fn find(&self, bits: u64) -> Result<usize, usize> {
        self.by_bits.binary_search_by_key(&bits, |(bits, _)| *bits)
    }
}

impl<'a> Body<'a> {
    /// Writes the instructions of a schedule. Results can follow.
    ///
    /// ```text
    /// let [[__q_0, ..]] = &q.data.0;
    /// let __c0 = __rt::math::constant::<S>(0.5);
    /// let __t0 = self.m * *__q_0;
    /// ```
    pub(super) fn new(
        schedule: &Schedule,
        results: &[&[Operand]],
        parameters: &'a Parameters,
    ) -> Self {
        Self::followed(schedule, &[], results, parameters)
    }

    /// The same, where some arrays are read in place of arguments.
    pub(super) fn of(
        schedule: &Schedule,
        results: &[&[Operand]],
        symbols: (&'a Parameters, &[Source]),
    ) -> Self {
        Self::start((schedule, &[]), results, symbols)
    }

    /// The same if further instructions follow, which are not written yet.
    pub(super) fn followed(
        schedule: &Schedule,
        following_instructions: &[Instruction],
        results: &[&[Operand]],
        parameters: &'a Parameters,
    ) -> Self {
        Self::start(
            (schedule, following_instructions),
            results,
            (parameters, &[]),
        )
    }

    fn start(
        (schedule, following_instructions): (&Schedule, &[Instruction]),
        results: &[&[Operand]],
        (parameters, sources): (&'a Parameters, &[Source]),
    ) -> Self {
        let mut body = Body {
            text: Text::default(),
            parameters,
            constants: Constants::default(),
            nested: Nested::default(),
            functions: Vec::new(),
        };
        let instructions = [&schedule.instructions[..], following_instructions];
        body.bind_functions(instructions);
        body.write_prelude(instructions, results, sources);
        body.write_statements(schedule, following_instructions, results);
        body
    }

    /// Writes the instructions that follow those of a schedule.
    pub(super) fn follow(&mut self, schedule: &Schedule, following_instructions: &[Instruction]) {
        let (_, next) = number_temporaries(&schedule.instructions, 0);
        let (following, total) = number_temporaries(following_instructions, next);
        let mut declared = Declared {
            deferred: following_instructions.len() > STATEMENTS_WITH_LETS,
            total,
            so_far: next,
        };
        for (first, instruction) in following {
            self.write_statement(first, instruction, &mut declared);
        }
    }

    /// Binds the functions that are called often to local names.
    fn bind_functions(&mut self, instructions: [&[Instruction]; 2]) {
        let mut calls: Vec<(&'static str, usize)> = Vec::new();
        for instruction in instructions.into_iter().flatten() {
            // Most sines and cosines are computed in a batch, by another function.
            if !matches!(instruction, Instruction::SinCos(_))
                && let Some(function) = find_function(instruction)
            {
                // The list is short.
                match calls.iter_mut().find(|(name, _)| *name == function) {
                    Some((_, count)) => *count += 1,
                    None => calls.push((function, 1)),
                }
            }
        }
        calls.retain(|(_, count)| *count >= CALLS_BOUND);
        calls.sort_unstable();
        for (function, _) in calls {
            let _ = writeln!(self.text, "let __{function} = __rt::math::{function}::<S>;");
            self.functions.push(function);
        }
    }

    /// Binds the constants, and the entries of arrays that are read.
    fn write_prelude(
        &mut self,
        instructions: [&[Instruction]; 2],
        results: &[&[Operand]],
        sources: &[Source],
    ) {
        let mut reads = Reads::default();
        let constants = &mut self.constants;
        let mut read = |operand| match operand {
            Operand::Symbol(symbol) => reads.insert(symbol),
            Operand::Temporary(_) => {}
            Operand::Constant(value) => constants.insert(value),
        };
        for instruction in instructions.into_iter().flatten() {
            instruction.for_each_operand(&mut read);
        }
        for result in results.iter().copied().flatten() {
            read(*result);
        }
        reads.bind(self.parameters, sources, &mut self.text);
        for (number, value) in self.constants.values.iter().enumerate() {
            self.text.push_number(b"let __c", number);
            self.text.push_str(" = __rt::math::constant::<S>(");
            self.text.push_str(&write_literal(*value));
            self.text.push_str(");\n");
        }
    }

    /// Writes the instructions of a schedule. Others follow later.
    fn write_statements(
        &mut self,
        schedule: &Schedule,
        following_instructions: &[Instruction],
        results: &[&[Operand]],
    ) {
        let abreast = Abreast::of(schedule);
        let (statements, next) = number_temporaries(&schedule.instructions, 0);
        let (following, total) = number_temporaries(following_instructions, next);
        let mut unbatched = Vec::with_capacity(statements.len());
        for (index, statement) in statements.iter().enumerate() {
            if !abreast.has(index) {
                unbatched.push(*statement);
            }
        }
        let uses = count_uses(
            total,
            [&schedule.instructions, following_instructions],
            results,
        );
        self.nested = Nested::of(&[&unbatched, &following], &uses);
        let mut declared = Declared {
            deferred: self.nested.count_names(next) > STATEMENTS_WITH_LETS,
            total: next,
            so_far: 0,
        };
        let chosen = |places: &[usize]| -> Vec<_> {
            places
                .iter()
                .filter_map(|&index| statements.get(index))
                .collect()
        };
        for (first, instruction) in chosen(&abreast.before) {
            self.write_statement(*first, instruction, &mut declared);
        }
        let angles = chosen(&abreast.angles);
        for angles in angles.chunks(MOST_ANGLES) {
            self.write_sines_and_cosines(angles, &mut declared);
        }
        for (first, instruction) in unbatched {
            self.write_statement(first, instruction, &mut declared);
        }
    }

    /// Writes `let __t0 = ..;`, unless the instruction is written at another place.
    fn write_statement(
        &mut self,
        first: usize,
        instruction: &Instruction,
        declared: &mut Declared,
    ) {
        if self.nested.get(first).is_some() {
            return;
        }
        self.begin(first + instruction.results() as usize, declared);
        match instruction {
            Instruction::SinCos(_) => {
                self.text.push_str("(");
                self.write_temporary(first);
                self.text.push_str(", ");
                self.write_temporary(first + 1);
                self.text.push_str(")");
            }
            _ => self.write_temporary(first),
        }
        self.text.push_str(" = ");
        self.write_instruction(instruction);
        self.text.push_str(";\n");
    }

    /// `let ([__t0, __t2, ..], [__t1, __t3, ..]) = __rt::math::sin_cos_abreast([..]);`
    fn write_sines_and_cosines(
        &mut self,
        angles: &[&(usize, &Instruction)],
        declared: &mut Declared,
    ) {
        let last = angles.iter().map(|(first, _)| first + 2).max();
        self.begin(last.unwrap_or_default(), declared);
        let temporaries = |offset: usize| -> Vec<Operand> {
            angles
                .iter()
                .map(|(first, _)| Operand::Temporary((first + offset) as u32))
                .collect()
        };
        self.push("(");
        self.write_array(&temporaries(0));
        self.push(", ");
        self.write_array(&temporaries(1));
        self.push(") = __rt::math::sin_cos_abreast(");
        let operands = angles
            .iter()
            .flat_map(|(_, instruction)| instruction.operands());
        self.write_array(&operands.collect::<Vec<Operand>>());
        self.push(");\n");
    }

    /// Writes the declaration before the temporaries up to `end`.
    fn begin(&mut self, end: usize, declared: &mut Declared) {
        if !declared.deferred {
            self.text.push_str("let ");
        }
        while declared.deferred && declared.so_far < end {
            let next = (declared.so_far + STATEMENTS_WITH_LETS).min(declared.total);
            self.declare(declared.so_far..next);
            declared.so_far = next;
        }
    }

    /// `let (__t0, __t1, ..);`
    fn declare(&mut self, range: std::ops::Range<usize>) {
        self.text.push_str("let (");
        for index in range {
            if self.nested.get(index).is_none() {
                self.write_temporary(index);
                self.text.push_str(", ");
            }
        }
        self.text.push_str(");\n");
    }

    fn write_temporary(&mut self, index: usize) {
        self.text.push_number(b"__t", index);
    }

    fn write_instruction(&mut self, instruction: &Instruction) {
        match *instruction {
            Instruction::Add(a, b) => self.write_infix(a, " + ", b),
            Instruction::Sub(a, b) => self.write_infix(a, " - ", b),
            Instruction::Mul(a, b) => self.write_infix(a, " * ", b),
            Instruction::Div(a, b) => self.write_infix(a, " / ", b),
            Instruction::Neg(a) => {
                self.text.push_str("-");
                self.write_part(a);
            }
            Instruction::Powi(a, exponent) => {
                self.text.push_str("__rt::math::powi(");
                self.write_operand(a);
                self.text.push_str(&format!(", {exponent})"));
            }
            Instruction::Curve(ref of, ref operands) => self.write_curve(of, operands),
            Instruction::Recip(_)
            | Instruction::MulAdd(..)
            | Instruction::NegMulAdd(..)
            | Instruction::SinCos(_)
            | Instruction::Unary(..)
            | Instruction::Binary(..)
            | Instruction::Select(..) => {
                self.write_call(find_function(instruction).unwrap_or_default(), instruction);
            }
        }
    }

    /// `__rt::math::curve(__t0, 1, &__CURVE_0)`
    fn write_curve(&mut self, of: &Piecewise, operands: &[Operand]) {
        let Some((x, controls)) = operands.split_first() else {
            return;
        };
        let number = self.parameters.curve_number(&of.curve);
        self.push(match controls {
            [] => "__rt::math::curve(",
            _ => "__rt::math::spline_by_controls(",
        });
        self.write_operand(*x);
        self.push(&format!(", {}, &__CURVE_{number}", of.order));
        if !controls.is_empty() {
            self.push(", &");
            match self.parameters.find_whole_vector(controls) {
                Some(field) => self.push(&field),
                None => self.write_array(controls),
            }
        }
        self.push(")");
    }

    fn write_infix(&mut self, a: Operand, operator: &str, b: Operand) {
        self.write_part(a);
        self.text.push_str(operator);
        self.write_part(b);
    }

    /// Writes an operand of an operator.
    fn write_part(&mut self, operand: Operand) {
        let nested = match operand {
            Operand::Temporary(index) => self.nested.get(index as usize),
            _ => None,
        };
        match nested {
            Some(instruction) if find_function(&instruction).is_none() => {
                self.text.push_str("(");
                self.write_instruction(&instruction);
                self.text.push_str(")");
            }
            _ => self.write_operand(operand),
        }
    }

    /// Writes a call on the operands of an instruction.
    fn write_call(&mut self, function: &'static str, instruction: &Instruction) {
        let bound = self.functions.contains(&function);
        self.text
            .push_str(if bound { "__" } else { "__rt::math::" });
        self.text.push_str(function);
        self.text.push_str("(");
        let mut is_first = true;
        instruction.for_each_operand(|operand| {
            if !is_first {
                self.text.push_str(", ");
            }
            is_first = false;
            self.write_operand(operand);
        });
        self.text.push_str(")");
    }

    fn write_list(&mut self, operands: &[Operand]) {
        for (position, operand) in operands.iter().enumerate() {
            if position > 0 {
                self.text.push_str(", ");
            }
            self.write_operand(*operand);
        }
    }

    pub(super) fn write_operand(&mut self, operand: Operand) {
        match operand {
            Operand::Temporary(index) => match self.nested.get(index as usize) {
                Some(instruction) => self.write_instruction(&instruction),
                None => self.write_temporary(index as usize),
            },
            Operand::Constant(value) => {
                let index = self.constants.number(value);
                self.text.push_number(b"__c", index.unwrap_or_default());
            }
            Operand::Symbol(symbol) => write_symbol(symbol, self.parameters, &mut self.text),
        }
    }

    /// `[a, b]`
    pub(super) fn write_array(&mut self, operands: &[Operand]) {
        self.text.push_str("[");
        self.write_list(operands);
        self.text.push_str("]");
    }

    /// `[[a, b], [c, d]]`
    pub(super) fn write_rows(&mut self, operands: &[Operand], columns: usize) {
        self.text.push_str("[");
        for row in operands.chunks(columns.max(1)) {
            self.write_array(row);
            self.text.push_str(", ");
        }
        self.text.push_str("]");
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn finish(self) -> String {
        self.text.finish()
    }
}

/// The instructions, each with the index of its first temporary, counted from `next`; and the index after the last
/// one.
fn number_temporaries(
    instructions: &[Instruction],
    mut next: usize,
) -> (Vec<(usize, &Instruction)>, usize) {
    let mut numbered = Vec::with_capacity(instructions.len());
    for instruction in instructions {
        numbered.push((next, instruction));
        next += instruction.results() as usize;
    }
    (numbered, next)
}

/// The function that an instruction calls with its operands unchanged.
fn find_function(instruction: &Instruction) -> Option<&'static str> {
    Some(match instruction {
        Instruction::Recip(_) => "recip",
        Instruction::MulAdd(..) => "mul_add",
        Instruction::NegMulAdd(..) => "neg_mul_add",
        Instruction::SinCos(_) => "sin_cos",
        Instruction::Unary(function, _) => function.name(),
        Instruction::Binary(function, ..) => function.name(),
        Instruction::Select(comparison, _) => name_selection(*comparison),
        Instruction::Add(..)
        | Instruction::Sub(..)
        | Instruction::Mul(..)
        | Instruction::Div(..)
        | Instruction::Neg(_)
        | Instruction::Powi(..)
        | Instruction::Curve(..) => return None,
    })
}

fn name_selection(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => "select_lt",
        Comparison::LessEqual => "select_le",
        Comparison::Equal => "select_eq",
        Comparison::NotEqual => "select_ne",
    }
}

/// The shortest text that parses back to this value, with a point or an exponent.
pub(super) fn write_literal(value: f64) -> String {
    let special = |name| format!("<__rt::core::primitive::f64>::{name}");
    if value.is_nan() {
        special("NAN")
    } else if value == f64::INFINITY {
        special("INFINITY")
    } else if value == f64::NEG_INFINITY {
        special("NEG_INFINITY")
    } else {
        format!("{value:?}")
    }
}

#[cfg(test)]
mod tests {
    use lagrange_engine::{Binary, Comparison, Instruction, Operand, Schedule, Symbol, Unary};

    use super::{Body, Parameters, write_literal};

    /// Chains of instructions, with the expressions that are written for them.
    #[test]
    fn what_is_within_an_operator_stands_in_parentheses() {
        let x = Operand::Symbol(Symbol::Time);
        let before = Operand::Temporary;
        for (chain, expected) in [
            (
                vec![
                    Instruction::Add(x, x),
                    Instruction::Sub(x, before(0)),
                    Instruction::Mul(before(1), x),
                    Instruction::Div(x, before(2)),
                    Instruction::Neg(before(3)),
                    Instruction::Neg(before(4)),
                    Instruction::Add(before(5), x),
                ],
                "(-(-(t / ((t - (t + t)) * t)))) + t",
            ),
            (
                vec![
                    Instruction::Add(x, x),
                    Instruction::Powi(before(0), 20),
                    Instruction::Mul(before(1), x),
                    Instruction::Recip(before(2)),
                    Instruction::Sub(before(3), x),
                    Instruction::MulAdd(x, before(4), x),
                    Instruction::Neg(before(5)),
                ],
                "-__rt::math::mul_add(t, __rt::math::recip((__rt::math::powi(t + t, 20)) * t) - t, t)",
            ),
            (
                vec![
                    Instruction::Neg(x),
                    Instruction::Unary(Unary::Abs, before(0)),
                    Instruction::Binary(Binary::Min, before(1), x),
                    Instruction::Select(Comparison::Less, [x, before(2), x, x]),
                ],
                "__rt::math::select_lt(t, __rt::math::min(__rt::math::abs(-t), t), t, t)",
            ),
        ] {
            let last = before(chain.len() as u32 - 1);
            let schedule = Schedule {
                instructions: chain,
                roots: vec![last],
            };
            let parameters = Parameters::new(&[]);
            let mut body = Body::new(&schedule, &[&[last]], &parameters);
            body.write_operand(last);
            let text = body.finish();
            assert_eq!(
                text.split(" = ")
                    .nth(1)
                    .unwrap()
                    .split(";\n")
                    .next()
                    .unwrap(),
                expected
            );
            assert_eq!(text.matches("let ").count(), 1, "{text}");
        }
    }

    #[test]
    fn literals_are_floats_that_read_back() {
        for value in [
            1.0,
            -0.0,
            0.1,
            1e300,
            5e-324,
            1.0 / 3.0,
            123_456_789_012_345_680.0,
        ] {
            let text = write_literal(value);
            assert!(text.contains(['.', 'e']), "{text}");
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), f64::to_bits(value));
        }
        assert_eq!(
            write_literal(f64::INFINITY),
            "<__rt::core::primitive::f64>::INFINITY"
        );
    }
}
