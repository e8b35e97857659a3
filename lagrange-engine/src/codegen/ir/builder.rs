//! Appends instructions, each one only once, with the arithmetic of 0 and 1 done here.

use std::cell::{RefCell, RefMut};

use super::signed::Signed;
use super::{Instruction, Operand, Schedule, critical_path};
use crate::graph::{Mix, Table};
use crate::{Binary, Comparison, Piecewise, Unary};

const ZERO: Operand = Operand::Constant(0.0);
const ONE: Operand = Operand::Constant(1.0);

/// A schedule under construction.
#[derive(Default)]
pub(in crate::codegen) struct Builder {
    instructions: Vec<Instruction>,
    /// The number of temporaries so far.
    temporaries: u32,
    /// The instructions by their keys.
    known: Table,
    /// For each instruction the key and its first temporary.
    keys: Vec<(Key, u32)>,
    /// The time when each temporary is ready, if an instruction waits only for its own operands; computed on demand.
    ends: RefCell<Ends>,
    /// The lists of control values of curves.
    lists: Vec<Box<[Operand]>>,
    /// The temporaries that are negatives in ascending order, and the values that they negate.
    negatives: Vec<(u32, Operand)>,
}

#[derive(Default)]
struct Ends {
    instructions: usize,
    of: Vec<u32>,
}

/// An instruction with its constants compared by bits: its operation, and a word for each operand.
type Key = [u64; 5];

/// The upper bits of the words of operands that are not constants: bits of a NaN that no arithmetic makes.
const NO_CONSTANT: u64 = 0xfffc << 48;

impl Builder {
    /// For instructions that continue these, which keep their numbers.
    pub(in crate::codegen) fn after(instructions: &[Instruction]) -> Self {
        let mut builder = Self::default();
        for instruction in instructions {
            let (key, hash) = builder.hashed(instruction);
            let first = builder.append(instruction.clone(), key, hash);
            if let Instruction::Neg(a) = *instruction {
                builder.note_negative(first, a);
            }
        }
        builder
    }

    pub(in crate::codegen) fn finish(self, roots: Vec<Operand>) -> Schedule {
        Schedule {
            instructions: self.instructions,
            roots,
        }
    }

    pub(in crate::codegen) fn add(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (ZERO, other) | (other, ZERO) => other,
            (Operand::Constant(a), Operand::Constant(b)) => Operand::Constant(a + b),
            _ => self.push(Instruction::Add(a, b)),
        }
    }

    pub(in crate::codegen) fn sub(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (_, ZERO) => a,
            (ZERO, _) => self.neg(b),
            (Operand::Constant(a), Operand::Constant(b)) => Operand::Constant(a - b),
            _ => self.push(Instruction::Sub(a, b)),
        }
    }

    pub(in crate::codegen) fn neg(&mut self, a: Operand) -> Operand {
        if let Some(positive) = self.positive(a) {
            return positive;
        }
        let negative = match a {
            Operand::Constant(a) => return Operand::Constant(-a),
            _ => self.push(Instruction::Neg(a)),
        };
        self.note_negative(negative, a);
        negative
    }

    /// Notes that a temporary is -a.
    fn note_negative(&mut self, negative: Operand, a: Operand) {
        if let Operand::Temporary(index) = negative
            && let Err(place) = self.find_negative(index)
        {
            self.negatives.insert(place, (index, a));
        }
    }

    /// The same value with a separate sign, if that is known.
    pub(in crate::codegen) fn without_sign(&self, a: Operand) -> Signed {
        match self.positive(a) {
            Some(positive) => Signed::new(true, positive),
            None => Signed::new(false, a),
        }
    }

    /// The x of a value that was computed as -x.
    fn positive(&self, a: Operand) -> Option<Operand> {
        let Operand::Temporary(index) = a else {
            return None;
        };
        let place = self.find_negative(index).ok()?;
        Some(self.negatives[place].1)
    }

    /// The position of a temporary among the negatives, or its place for insertion.
    fn find_negative(&self, index: u32) -> Result<usize, usize> {
        let negatives = &self.negatives[..];
        let (mut from, mut to) = (0, negatives.len());
        while from < to {
            let middle = (from + to) / 2;
            if negatives[middle].0 < index {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        if from < negatives.len() && negatives[from].0 == index {
            Ok(from)
        } else {
            Err(from)
        }
    }

    pub(in crate::codegen) fn mul(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (ZERO, _) | (_, ZERO) => ZERO,
            (ONE, other) | (other, ONE) => other,
            (Operand::Constant(a), Operand::Constant(b)) => Operand::Constant(a * b),
            (Operand::Constant(-1.0), other) | (other, Operand::Constant(-1.0)) => self.neg(other),
            _ => self.push(Instruction::Mul(a, b)),
        }
    }

    pub(in crate::codegen) fn div(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (_, ONE) => a,
            (ONE, _) => self.recip(b),
            _ => self.push(Instruction::Div(a, b)),
        }
    }

    /// The time when a value is ready, in cycles from the start, if an instruction waits only for its own operands.
    pub(in crate::codegen) fn end(&self, value: Operand) -> u32 {
        critical_path::start(&self.catch_up().of, value)
    }

    /// Returns whether a / b is ready no later than a times the reciprocal of b.
    pub(in crate::codegen) fn is_sooner_divided(&self, a: Operand, b: Operand) -> bool {
        critical_path::is_sooner_divided(&self.catch_up().of, a, b)
    }

    /// The times when all temporaries are ready.
    fn catch_up(&self) -> RefMut<'_, Ends> {
        let mut ends = self.ends.borrow_mut();
        for instruction in &self.instructions[ends.instructions..] {
            let end = critical_path::end(&ends.of, instruction);
            for _ in 0..instruction.results() {
                ends.of.push(end);
            }
        }
        ends.instructions = self.instructions.len();
        ends
    }

    pub(in crate::codegen) fn recip(&mut self, a: Operand) -> Operand {
        match a {
            Operand::Constant(a) => Operand::Constant(1.0 / a),
            _ => self.push(Instruction::Recip(a)),
        }
    }

    /// a b + c
    pub(in crate::codegen) fn mul_add(&mut self, a: Operand, b: Operand, c: Operand) -> Operand {
        if is_trivial(a, b) || c == ZERO {
            let product = self.mul(a, b);
            return self.add(product, c);
        }
        self.push(Instruction::MulAdd(a, b, c))
    }

    /// c - a b
    pub(in crate::codegen) fn neg_mul_add(
        &mut self,
        a: Operand,
        b: Operand,
        c: Operand,
    ) -> Operand {
        if is_trivial(a, b) || c == ZERO {
            let product = self.mul(a, b);
            return self.sub(c, product);
        }
        self.push(Instruction::NegMulAdd(a, b, c))
    }

    /// a^n: small powers by repeated squaring.
    pub(in crate::codegen) fn powi(&mut self, a: Operand, n: u32) -> Operand {
        match n {
            0 => ONE,
            1 => a,
            2..=16 => {
                let half = self.powi(a, n / 2);
                let square = self.mul(half, half);
                if n.is_multiple_of(2) {
                    square
                } else {
                    self.mul(square, a)
                }
            }
            _ => self.push(Instruction::Powi(a, i32::try_from(n).unwrap_or(i32::MAX))),
        }
    }

    /// Sine and cosine of one angle.
    pub(in crate::codegen) fn sin_cos(&mut self, angle: Operand) -> [Operand; 2] {
        match self.push(Instruction::SinCos(angle)) {
            Operand::Temporary(sine) => [Operand::Temporary(sine), Operand::Temporary(sine + 1)],
            constant => [constant, constant],
        }
    }

    pub(in crate::codegen) fn unary(&mut self, function: Unary, a: Operand) -> Operand {
        match a {
            Operand::Constant(a) => Operand::Constant(function.value(a)),
            _ => self.push(Instruction::Unary(function, a)),
        }
    }

    pub(in crate::codegen) fn binary(
        &mut self,
        function: Binary,
        a: Operand,
        b: Operand,
    ) -> Operand {
        match (a, b) {
            (Operand::Constant(a), Operand::Constant(b)) => Operand::Constant(function.value(a, b)),
            _ => self.push(Instruction::Binary(function, a, b)),
        }
    }

    pub(in crate::codegen) fn select(
        &mut self,
        comparison: Comparison,
        operands: [Operand; 4],
    ) -> Operand {
        let [a, b, then, otherwise] = operands;
        match (a, b) {
            (Operand::Constant(a), Operand::Constant(b)) if comparison.holds(a, b) => then,
            (Operand::Constant(_), Operand::Constant(_)) => otherwise,
            _ => self.push(Instruction::Select(comparison, operands)),
        }
    }

    /// A curve at the first operand; the others are its control values.
    pub(in crate::codegen) fn curve(&mut self, of: Piecewise, operands: &[Operand]) -> Operand {
        let values: Option<Vec<f64>> = operands
            .iter()
            .map(|operand| match operand {
                Operand::Constant(value) => Some(*value),
                _ => None,
            })
            .collect();
        let constant = of.constant_of(operands.len().saturating_sub(1));
        match (constant, values.as_deref()) {
            (Some(value), _) => Operand::Constant(value),
            (None, Some([x, controls @ ..])) => Operand::Constant(of.value(*x, controls)),
            _ => self.push(Instruction::Curve(of, operands.into())),
        }
    }

    /// The key of an instruction and its hash.
    fn hashed(&mut self, instruction: &Instruction) -> (Key, u32) {
        let mut list = 0;
        if let Instruction::Curve(_, operands) = instruction
            && let [_, controls @ ..] = &operands[..]
        {
            let known = self.lists.iter().position(|known| **known == *controls);
            list = known.unwrap_or_else(|| {
                self.lists.push(controls.into());
                self.lists.len() - 1
            });
        }
        hashed(instruction, list as u64)
    }

    /// Returns whether a b exists already.
    pub(in crate::codegen) fn has_product(&self, a: Operand, b: Operand) -> bool {
        let (key, hash) = hashed(&Instruction::Mul(a, b), 0);
        self.find(&key, hash).is_some()
    }

    fn find(&self, key: &Key, hash: u32) -> Option<Operand> {
        let keys = &self.keys[..];
        let is_same = |index: u32| {
            let [code, a, b, c, d] = &keys[index as usize].0;
            *a == key[1] && *b == key[2] && *code == key[0] && *c == key[3] && *d == key[4]
        };
        let index = self.known.find(hash, is_same)?;
        Some(Operand::Temporary(keys[index as usize].1))
    }

    pub(in crate::codegen) fn push(&mut self, instruction: Instruction) -> Operand {
        let (key, hash) = self.hashed(&instruction);
        match self.find(&key, hash) {
            Some(known) => known,
            None => self.append(instruction, key, hash),
        }
    }

    fn append(&mut self, instruction: Instruction, key: Key, hash: u32) -> Operand {
        let next = self.temporaries;
        self.known.insert(hash, self.keys.len() as u32);
        self.keys.push((key, next));
        self.temporaries += instruction.results();
        self.instructions.push(instruction);
        Operand::Temporary(next)
    }
}

fn is_trivial(a: Operand, b: Operand) -> bool {
    let simple = |x| matches!(x, Operand::Constant(c) if c == 0.0 || c.abs() == 1.0);
    let is_constant = |x| matches!(x, Operand::Constant(_));
    simple(a) || simple(b) || (is_constant(a) && is_constant(b))
}

/// `list` is the number of the list of control values.
fn hashed(instruction: &Instruction, list: u64) -> (Key, u32) {
    let key = key(instruction, list);
    let mut mix = Mix(key[0]);
    mix.mix(key[1]);
    mix.mix(key[2]);
    mix.mix(key[3]);
    mix.mix(key[4]);
    (key, mix.hash())
}

fn key(instruction: &Instruction, list: u64) -> Key {
    let word = operand_word;
    let (code, kind, [a, b, c, d]) = match *instruction {
        Instruction::Add(a, b) => (1, 0, [word(a), word(b), 0, 0]),
        Instruction::Sub(a, b) => (2, 0, [word(a), word(b), 0, 0]),
        Instruction::Neg(a) => (3, 0, [word(a), 0, 0, 0]),
        Instruction::Mul(a, b) => (4, 0, [word(a), word(b), 0, 0]),
        Instruction::Div(a, b) => (5, 0, [word(a), word(b), 0, 0]),
        Instruction::Recip(a) => (6, 0, [word(a), 0, 0, 0]),
        Instruction::MulAdd(a, b, c) => (7, 0, [word(a), word(b), word(c), 0]),
        Instruction::NegMulAdd(a, b, c) => (8, 0, [word(a), word(b), word(c), 0]),
        Instruction::Powi(a, n) => (9, n as u32, [word(a), 0, 0, 0]),
        Instruction::SinCos(a) => (10, 0, [word(a), 0, 0, 0]),
        Instruction::Unary(function, a) => (11, function as u32, [word(a), 0, 0, 0]),
        Instruction::Binary(function, a, b) => (12, function as u32, [word(a), word(b), 0, 0]),
        Instruction::Select(comparison, [a, b, c, d]) => {
            (13, comparison as u32, [word(a), word(b), word(c), word(d)])
        }
        Instruction::Curve(ref of, ref operands) => {
            // A graph has each curve once.
            let curve = std::sync::Arc::as_ptr(&of.curve) as usize as u64;
            let x = operands.first().map_or(0, |x| word(*x));
            (14, u32::from(of.order), [x, curve, list, 0])
        }
    };
    // a + b is b + a.
    let commutes = matches!(code, 1 | 4 | 7 | 8);
    let (a, b) = if commutes && a > b { (b, a) } else { (a, b) };
    [code << 32 | u64::from(kind), a, b, c, d]
}

/// A word for each operand: the bits of a constant, or its kind and number.
pub(in crate::codegen) fn operand_word(operand: Operand) -> u64 {
    use crate::Symbol;
    let (kind, number): (u64, u32) = match operand {
        Operand::Constant(value) => return value.to_bits(),
        Operand::Temporary(index) => (0, index),
        Operand::Symbol(Symbol::Coordinate(i)) => (1, i),
        Operand::Symbol(Symbol::Velocity(i)) => (2, i),
        Operand::Symbol(Symbol::Acceleration(i)) => (3, i),
        Operand::Symbol(Symbol::Parameter(i)) => (4, i),
        Operand::Symbol(Symbol::Input(i)) => (5, i),
        Operand::Symbol(Symbol::Time) => (6, 0),
        Operand::Symbol(Symbol::Multiplier(i)) => (7, i),
        Operand::Symbol(Symbol::Momentum(i)) => (8, i),
        Operand::Symbol(Symbol::Weight(i)) => (9, i),
        Operand::Symbol(Symbol::State(i)) => (10, i),
        Operand::Symbol(Symbol::StateRate(i)) => (11, i),
    };
    NO_CONSTANT | kind << 32 | u64::from(number)
}
