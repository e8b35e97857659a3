//! Schedules as the text of function bodies.
//!
//! Bodies are written as text and become tokens in one call: in a debug build of the macro that is many
//! times faster than to build them token by token.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use lagrange_engine::{Comparison, Instruction, Operand, Schedule, Shape};

use super::abreast::{self, Abreast};
use super::symbols::{Parameters, Reads, pattern, write_symbol};

/// So many statements get a `let` of their own; of more, the temporaries are declared in tuples of this
/// length. rustc nests what follows a `let` into its scope, and overflows its stack on thousands.
const CHUNK: usize = 200;

/// Matrices of more entries together are not returned by value where they can be written in place.
pub(super) const MAX_RETURNED: usize = 1024;

/// So many entries of a matrix are borrowed one by one to write them: in a debug build that takes 64 KiB of the stack.
/// An index takes rustc ten times as long.
const MAX_BORROWED: usize = 8192;

/// Whether a matrix of so many entries is written in place.
pub(super) fn is_large(entries: usize) -> bool {
    entries > MAX_RETURNED
}

/// An array that results are written to.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// A local variable.
    Local(&'a str),
    /// An argument that is a reference.
    Argument(&'a str),
}

impl<'a> Place<'a> {
    fn name(self) -> &'a str {
        match self {
            Self::Local(name) | Self::Argument(name) => name,
        }
    }

    /// ` = &mut *__m;`
    fn borrowed(self) -> String {
        match self {
            Self::Local(name) => format!(" = &mut {name};\n"),
            Self::Argument(name) => format!(" = &mut *{name};\n"),
        }
    }
}

/// How the temporaries are declared.
struct Declared {
    /// Whether before they are set.
    deferred: bool,
    total: usize,
    /// So many are.
    so_far: usize,
}

/// The text of a body under construction.
pub(super) struct Body<'a> {
    text: String,
    parameters: &'a Parameters,
    constants: HashMap<u64, usize>,
}

impl<'a> Body<'a> {
    /// The instructions of a schedule, ready for results.
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
        let mut body = Body {
            text: String::new(),
            parameters,
            constants: HashMap::new(),
        };
        let read = schedule.instructions.iter().flat_map(Instruction::operands);
        let results = results.iter().flat_map(|operands| operands.iter().copied());
        body.prelude(read.chain(results));
        body.statements(schedule);
        body
    }

    /// Binds the constants and the entries of arrays that are read.
    fn prelude(&mut self, operands: impl Iterator<Item = Operand>) {
        let mut reads = Reads::default();
        let mut constants = String::new();
        for operand in operands {
            match operand {
                Operand::Symbol(symbol) => reads.insert(symbol),
                Operand::Temporary(_) => {}
                Operand::Constant(value) => {
                    let next = self.constants.len();
                    if *self.constants.entry(value.to_bits()).or_insert(next) == next {
                        let value = literal(value);
                        constants.push_str(&format!(
                            "let __c{next} = __rt::math::constant::<S>({value});\n"
                        ));
                    }
                }
            }
        }
        reads.bind(self.parameters, &mut self.text);
        self.text.push_str(&constants);
    }

    fn statements(&mut self, schedule: &Schedule) {
        let mut statements = Vec::with_capacity(schedule.instructions.len());
        let mut next = 0;
        for instruction in &schedule.instructions {
            statements.push((next, instruction));
            next += instruction.results() as usize;
        }
        let mut declared = Declared {
            deferred: next > CHUNK,
            total: next,
            so_far: 0,
        };
        let abreast = Abreast::of(schedule);
        let chosen = |places: &BTreeSet<usize>| -> Vec<_> {
            places.iter().filter_map(|&at| statements.get(at)).collect()
        };
        for (first, instruction) in chosen(&abreast.before) {
            self.statement(*first, instruction, &mut declared);
        }
        let angles = chosen(&abreast.angles);
        for angles in angles.chunks(abreast::MOST) {
            self.sines_and_cosines(angles, &mut declared);
        }
        for (at, (first, instruction)) in statements.iter().enumerate() {
            if !abreast.before.contains(&at) && !abreast.angles.contains(&at) {
                self.statement(*first, instruction, &mut declared);
            }
        }
    }

    /// `let __t0 = ..;`
    fn statement(&mut self, first: usize, instruction: &Instruction, declared: &mut Declared) {
        self.begin(first + instruction.results() as usize, declared);
        match instruction {
            Instruction::SinCos(_) => {
                let _ = write!(self.text, "(__t{first}, __t{})", first + 1);
            }
            _ => self.temporary(first),
        }
        self.text.push_str(" = ");
        self.instruction(instruction);
        self.text.push_str(";\n");
    }

    /// `let ([__t0, __t2, ..], [__t1, __t3, ..]) = __rt::math::sin_cos_abreast([..]);`
    fn sines_and_cosines(&mut self, angles: &[&(usize, &Instruction)], declared: &mut Declared) {
        let last = angles.iter().map(|(first, _)| first + 2).max();
        self.begin(last.unwrap_or_default(), declared);
        let temporaries = |offset: usize| -> Vec<Operand> {
            let places = angles.iter().map(|(first, _)| first + offset);
            places.map(|at| Operand::Temporary(at as u32)).collect()
        };
        self.push("(");
        self.array(&temporaries(0));
        self.push(", ");
        self.array(&temporaries(1));
        self.push(") = __rt::math::sin_cos_abreast(");
        let operands = angles
            .iter()
            .flat_map(|(_, instruction)| instruction.operands());
        self.array(&operands.collect::<Vec<Operand>>());
        self.push(");\n");
    }

    /// What comes before the temporaries up to one.
    fn begin(&mut self, end: usize, declared: &mut Declared) {
        if !declared.deferred {
            self.text.push_str("let ");
        }
        while declared.deferred && declared.so_far < end {
            let next = (declared.so_far + CHUNK).min(declared.total);
            self.declare(declared.so_far..next);
            declared.so_far = next;
        }
    }

    /// `let (__t0, __t1, ..);`
    fn declare(&mut self, range: std::ops::Range<usize>) {
        self.text.push_str("let (");
        for index in range {
            self.temporary(index);
            self.text.push_str(", ");
        }
        self.text.push_str(");\n");
    }

    fn temporary(&mut self, index: usize) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "__t{index}");
    }

    fn instruction(&mut self, instruction: &Instruction) {
        match *instruction {
            Instruction::Add(a, b) => self.infix(a, " + ", b),
            Instruction::Sub(a, b) => self.infix(a, " - ", b),
            Instruction::Mul(a, b) => self.infix(a, " * ", b),
            Instruction::Div(a, b) => self.infix(a, " / ", b),
            Instruction::Neg(a) => {
                self.text.push('-');
                self.operand(a);
            }
            Instruction::Recip(a) => self.call("recip", &[a]),
            Instruction::MulAdd(a, b, c) => self.call("mul_add", &[a, b, c]),
            Instruction::MulSub(a, b, c) => self.call("mul_sub", &[a, b, c]),
            Instruction::NegMulAdd(a, b, c) => self.call("neg_mul_add", &[a, b, c]),
            Instruction::SinCos(a) => self.call("sin_cos", &[a]),
            Instruction::Unary(function, a) => self.call(function.name(), &[a]),
            Instruction::Binary(function, a, b) => self.call(function.name(), &[a, b]),
            Instruction::Select(comparison, operands) => {
                self.call(selection(comparison), &operands)
            }
            Instruction::Powi(a, exponent) => {
                self.text.push_str("__rt::math::powi(");
                self.operand(a);
                self.text.push_str(&format!(", {exponent})"));
            }
        }
    }

    fn infix(&mut self, a: Operand, operator: &str, b: Operand) {
        self.operand(a);
        self.text.push_str(operator);
        self.operand(b);
    }

    fn call(&mut self, function: &str, arguments: &[Operand]) {
        self.text.push_str("__rt::math::");
        self.text.push_str(function);
        self.text.push('(');
        self.list(arguments);
        self.text.push(')');
    }

    fn list(&mut self, operands: &[Operand]) {
        for (position, operand) in operands.iter().enumerate() {
            if position > 0 {
                self.text.push_str(", ");
            }
            self.operand(*operand);
        }
    }

    pub(super) fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Temporary(index) => self.temporary(index as usize),
            Operand::Constant(value) => {
                let index = self.constants.get(&value.to_bits());
                let index = index.copied().unwrap_or_default();
                let _ = write!(self.text, "__c{index}");
            }
            Operand::Symbol(symbol) => write_symbol(symbol, self.parameters, &mut self.text),
        }
    }

    /// `[a, b]`
    pub(super) fn array(&mut self, operands: &[Operand]) {
        self.text.push('[');
        self.list(operands);
        self.text.push(']');
    }

    /// `[[a, b], [c, d]]`
    pub(super) fn rows(&mut self, operands: &[Operand], columns: usize) {
        self.text.push('[');
        for row in operands.chunks(columns.max(1)) {
            self.array(row);
            self.text.push_str(", ");
        }
        self.text.push(']');
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Sets those of the entries of a matrix, by row and column, that are not zero by structure:
    ///
    /// ```text
    /// let [__m_0, ..] = &mut *__m;
    /// let [_, __m_0_1, ..] = __m_0;
    /// *__m_0_1 = value;
    /// ```
    ///
    /// Row by row, since rustc takes time and memory for each borrow at each place where it lives, and very many entries
    /// by indices, `__m_0[1] = value;`, since a debug build keeps each borrow on the stack.
    pub(super) fn assign(&mut self, place: Place, entries: &[((usize, usize), Operand)]) {
        self.write(place, " = ", entries);
    }

    /// Adds to them.
    pub(super) fn increase(&mut self, place: Place, entries: &[((usize, usize), Operand)]) {
        self.write(place, " += ", entries);
    }

    fn write(&mut self, place: Place, operator: &str, entries: &[((usize, usize), Operand)]) {
        let mut by_row = BTreeMap::<usize, BTreeMap<usize, Operand>>::new();
        for ((row, column), value) in entries {
            if *value != Operand::Constant(0.0) {
                by_row.entry(*row).or_default().insert(*column, *value);
            }
        }
        if by_row.is_empty() {
            return;
        }
        let name = place.name();
        self.text.push_str("let ");
        pattern(name, by_row.keys(), &mut self.text);
        self.text.push_str(&place.borrowed());
        let many = by_row.values().map(BTreeMap::len).sum::<usize>() > MAX_BORROWED;
        for (row, entries) in by_row {
            let name = format!("{name}_{row}");
            if many {
                for (column, value) in entries {
                    let _ = write!(self.text, "{name}[{column}]{operator}");
                    self.operand(value);
                    self.text.push_str(";\n");
                }
                continue;
            }
            self.text.push_str("let ");
            pattern(&name, entries.keys(), &mut self.text);
            let _ = writeln!(self.text, " = {name};");
            self.set(&name, operator, entries);
        }
    }

    /// `*__m_0 = value;`
    fn set(
        &mut self,
        name: &str,
        operator: &str,
        entries: impl IntoIterator<Item = (usize, Operand)>,
    ) {
        for (at, value) in entries {
            let _ = write!(self.text, "*{name}_{at}{operator}");
            self.operand(value);
            self.text.push_str(";\n");
        }
    }

    /// Sets those entries of a vector that are not zero by structure.
    pub(super) fn assign_vector(&mut self, place: Place, entries: &[Operand]) {
        let entries = entries.iter().copied().enumerate();
        let entries = entries.filter(|(_, value)| *value != Operand::Constant(0.0));
        let entries: BTreeMap<usize, Operand> = entries.collect();
        if entries.is_empty() {
            return;
        }
        let name = place.name();
        self.text.push_str("let ");
        pattern(name, entries.keys(), &mut self.text);
        self.text.push_str(&place.borrowed());
        self.set(name, " = ", entries);
    }

    /// A scalar, a vector, or a matrix of entries given row by row, a large one in its place.
    pub(super) fn value(&mut self, shape: Shape, entries: &[Operand]) {
        let columns = match (shape, entries) {
            (Shape::Scalar, [value, ..]) => return self.operand(*value),
            (Shape::Scalar | Shape::Vector(_), _) => 1,
            (Shape::Matrix(rows, columns), _) if is_large(entries.len()) => {
                return self.large_matrix((rows, columns), entries);
            }
            (Shape::Matrix(_, columns), _) => columns,
        };
        self.push("__rt::SMatrix::from_array_storage(__rt::ArrayStorage([");
        for column in 0..columns {
            let column = entries.iter().skip(column).step_by(columns).copied();
            self.array(&column.collect::<Vec<Operand>>());
            self.push(",");
        }
        self.push("]))");
    }

    /// ```text
    /// __rt::linalg::matrix_by::<S, 40, 40>(|__place| {
    ///     __place[0][0] = __t3;
    /// })
    /// ```
    fn large_matrix(&mut self, shape: (usize, usize), entries: &[Operand]) {
        self.push(&opening(shape));
        let entries = by_columns(entries, shape.1, (0, 0));
        self.assign(Place::Argument("__place"), &entries);
        self.push("})");
    }

    /// The same with all that the matrix is computed from inside.
    pub(super) fn into_matrix(mut self, shape: (usize, usize), entries: &[Operand]) -> String {
        self.text.insert_str(0, &opening(shape));
        let entries = by_columns(entries, shape.1, (0, 0));
        self.assign(Place::Argument("__place"), &entries);
        self.push("})");
        self.text
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// The entries of a matrix, given row by row, with their places in an array of columns, the first of them at `to`.
pub(super) fn by_columns(
    entries: &[Operand],
    columns: usize,
    to: (usize, usize),
) -> Vec<((usize, usize), Operand)> {
    let columns = columns.max(1);
    let place = |index: usize| (to.0 + index % columns, to.1 + index / columns);
    let entries = entries.iter().enumerate();
    entries
        .map(|(index, entry)| (place(index), *entry))
        .collect()
}

/// The same in an array of rows.
pub(super) fn by_rows(entries: &[Operand], columns: usize) -> Vec<((usize, usize), Operand)> {
    let columns = columns.max(1);
    let entries = entries.iter().enumerate();
    entries
        .map(|(at, entry)| ((at / columns, at % columns), *entry))
        .collect()
}

fn opening((rows, columns): (usize, usize)) -> String {
    format!("__rt::linalg::matrix_by::<S, {rows}, {columns}>(|__place| {{\n")
}

fn selection(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => "select_lt",
        Comparison::LessEqual => "select_le",
        Comparison::Equal => "select_eq",
        Comparison::NotEqual => "select_ne",
    }
}

/// The shortest text that reads back as this value, with a point or exponent.
fn literal(value: f64) -> String {
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
    use super::literal;

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
            let text = literal(value);
            assert!(text.contains(['.', 'e']), "{text}");
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), f64::to_bits(value));
        }
        assert_eq!(
            literal(f64::INFINITY),
            "<__rt::core::primitive::f64>::INFINITY"
        );
    }
}
