//! Straight-line code on a tape: instructions between places of the memory.

use std::collections::HashMap;

use crate::codegen::routine::{Array, Compute, Input, Routine, Step, View};
use crate::{Binary, Comparison, Instruction, Operand, Piecewise, Symbol, Unary};

/// The places of the arrays of a routine, and of the parameters.
#[derive(Debug)]
pub(super) struct Places {
    parameters: usize,
    pub(super) arguments: Vec<usize>,
    pub(super) results: Vec<usize>,
    pub(super) locals: Vec<usize>,
}

impl Places {
    /// Places from `next` on.
    pub(super) fn new(routine: &Routine, parameters: usize, next: &mut usize) -> Self {
        let mut place = |length: usize| {
            let first = *next;
            *next += length;
            first
        };
        let arguments = routine.arguments.iter();
        let results = routine.results.iter();
        Self {
            parameters,
            arguments: arguments.map(|argument| place(argument.length)).collect(),
            results: results.map(|result| place(result.shape.len())).collect(),
            locals: routine.locals.iter().map(|length| place(*length)).collect(),
        }
    }
}

/// Straight-line code.
#[derive(Debug)]
pub(super) struct Block {
    /// The entries of arrays that are copied to registers first: from an array, at an offset that grows by `advance`.
    pub(super) loads: Vec<Load>,
    pub(super) code: Vec<Op>,
    pub(super) writes: Vec<Written>,
}

#[derive(Debug)]
pub(super) struct Load {
    pub(super) to: u32,
    pub(super) from: usize,
    pub(super) advance: usize,
}

/// The places of the entries of a view.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) to: View,
    pub(super) values: Vec<u32>,
    pub(super) adds: bool,
    pub(super) flag: Option<View>,
}

/// An instruction; the first place is that of its result.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Add(u32, u32, u32),
    Sub(u32, u32, u32),
    Neg(u32, u32),
    Mul(u32, u32, u32),
    Div(u32, u32, u32),
    Recip(u32, u32),
    MulAdd(u32, u32, u32, u32),
    NegMulAdd(u32, u32, u32, u32),
    Powi(u32, u32, i32),
    /// The sine and the cosine.
    SinCos(u32, u32, u32),
    Unary(Unary, u32, u32),
    Binary(Binary, u32, u32, u32),
    Select(Comparison, u32, [u32; 4]),
    /// A derivative of a curve at the first place; the others are its control values.
    Curve(u32, Piecewise, Box<[u32]>),
}

/// Numbers the constants of all straight-line code of a routine.
pub(super) fn note_constants(routine: &Routine, constants: &mut HashMap<u64, u32>) {
    let mut note = |operand: Operand| {
        if let Operand::Constant(value) = operand {
            let next = constants.len() as u32;
            constants.entry(value.to_bits()).or_insert(next);
        }
    };
    routine.for_each_step(&mut |step| {
        if let Step::Compute(compute) = step {
            for instruction in &compute.schedule.instructions {
                instruction.for_each_operand(&mut note);
            }
            for value in compute.writes.iter().flat_map(|write| &write.values) {
                note(*value);
            }
        }
    });
}

impl Block {
    /// The code, with registers from `first` on, and the end of these registers.
    pub(super) fn new(
        compute: &Compute,
        (places, constants): (&Places, &HashMap<u64, u32>),
        first: usize,
    ) -> (Self, usize) {
        let mut writer = Writer {
            compute,
            places,
            constants,
            loaded: HashMap::new(),
            loads: Vec::new(),
            registers: Registers {
                free: Vec::new(),
                next: first as u32,
            },
            temporaries: Vec::new(),
        };
        let ends = ends(compute);
        let mut code = Vec::new();
        for (at, instruction) in compute.schedule.instructions.iter().enumerate() {
            writer.instruction(instruction, &mut code);
            // A register is free from the last instruction on that reads it.
            for dead in &ends[at] {
                let register = writer.temporaries[*dead as usize];
                writer.registers.free.push(register);
            }
        }
        let writes = compute
            .writes
            .iter()
            .map(|write| Written {
                to: write.to,
                values: write
                    .values
                    .iter()
                    .map(|value| writer.place(*value))
                    .collect(),
                adds: write.adds,
                flag: write.flag,
            })
            .collect();
        let end = writer.registers.next as usize;
        let block = Self {
            loads: writer.loads,
            code,
            writes,
        };
        (block, end)
    }
}

/// For each instruction the temporaries that no later one reads, and no result.
fn ends(compute: &Compute) -> Vec<Vec<u32>> {
    let instructions = &compute.schedule.instructions;
    let mut last: Vec<usize> = Vec::new();
    for (at, instruction) in instructions.iter().enumerate() {
        instruction.for_each_operand(|operand| {
            if let Operand::Temporary(index) = operand {
                last[index as usize] = at;
            }
        });
        // A result that nothing reads ends with its own instruction.
        last.resize(last.len() + instruction.results() as usize, at);
    }
    for value in compute.writes.iter().flat_map(|write| &write.values) {
        if let Operand::Temporary(index) = value {
            last[*index as usize] = usize::MAX;
        }
    }
    let mut ends = vec![Vec::new(); instructions.len()];
    for (index, at) in last.into_iter().enumerate() {
        if let Some(list) = ends.get_mut(at) {
            list.push(index as u32);
        }
    }
    ends
}

/// Registers; those that were freed last are taken first, because they are in the cache.
struct Registers {
    free: Vec<u32>,
    next: u32,
}

impl Registers {
    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }
}

struct Writer<'a> {
    compute: &'a Compute,
    places: &'a Places,
    constants: &'a HashMap<u64, u32>,
    /// The registers of symbols.
    loaded: HashMap<Symbol, u32>,
    loads: Vec<Load>,
    registers: Registers,
    /// The register of each temporary.
    temporaries: Vec<u32>,
}

impl Writer<'_> {
    fn place(&mut self, operand: Operand) -> u32 {
        match operand {
            Operand::Temporary(index) => self.temporaries[index as usize],
            Operand::Constant(value) => self.constants[&value.to_bits()],
            Operand::Symbol(Symbol::Parameter(at)) => self.places.parameters as u32 + at,
            Operand::Symbol(symbol) => self.symbol(symbol),
        }
    }

    /// The place of a symbol: in its array, or in a register if the place in the array depends on the pass of a loop, or
    /// if the code writes to that array.
    fn symbol(&mut self, symbol: Symbol) -> u32 {
        if let Some(place) = self.loaded.get(&symbol) {
            return *place;
        }
        let read = Input::of(symbol).and_then(|(input, at)| {
            let mut reads = self.compute.reads.iter();
            let (_, view) = reads.find(|(known, _)| *known == input)?;
            Some((*view, at))
        });
        // No array has the symbol of a quantity that the system does not have.
        let (view, at) = read.unwrap_or((View::whole(Array::Argument(0), 0), 0));
        let from = self.places.of(view.array) + view.at(0, at, 0);
        let is_written = |array| {
            self.compute
                .writes
                .iter()
                .any(|write| write.to.array == array)
        };
        let place = if view.advance == 0 && !is_written(view.array) {
            from as u32
        } else {
            // Loads are the first to write: their registers are never free before.
            let to = self.registers.next;
            self.registers.next += 1;
            self.loads.push(Load {
                to,
                from,
                advance: view.advance,
            });
            to
        };
        self.loaded.insert(symbol, place);
        place
    }

    fn instruction(&mut self, instruction: &Instruction, code: &mut Vec<Op>) {
        let mut all = Vec::new();
        instruction.for_each_operand(|operand| all.push(self.place(operand)));
        let mut operands = [0; 4];
        operands
            .iter_mut()
            .zip(&all)
            .for_each(|(to, from)| *to = *from);
        let [a, b, c, _] = operands;
        let to = self.registers.take();
        self.temporaries.push(to);
        code.push(match *instruction {
            Instruction::Add(..) => Op::Add(to, a, b),
            Instruction::Sub(..) => Op::Sub(to, a, b),
            Instruction::Neg(_) => Op::Neg(to, a),
            Instruction::Mul(..) => Op::Mul(to, a, b),
            Instruction::Div(..) => Op::Div(to, a, b),
            Instruction::Recip(_) => Op::Recip(to, a),
            Instruction::MulAdd(..) => Op::MulAdd(to, a, b, c),
            Instruction::NegMulAdd(..) => Op::NegMulAdd(to, a, b, c),
            Instruction::Powi(_, n) => Op::Powi(to, a, n),
            Instruction::SinCos(_) => {
                let cosine = self.registers.take();
                self.temporaries.push(cosine);
                Op::SinCos(to, cosine, a)
            }
            Instruction::Unary(function, _) => Op::Unary(function, to, a),
            Instruction::Binary(function, ..) => Op::Binary(function, to, a, b),
            Instruction::Select(comparison, _) => Op::Select(comparison, to, operands),
            Instruction::Curve(ref of, _) => Op::Curve(to, of.clone(), all.into()),
        });
    }
}

/// A number for each lane.
pub(super) type Lanes<const L: usize> = [f64; L];

/// True for the lanes that take part.
pub(super) type Mask<const L: usize> = [bool; L];

fn map<const L: usize>(a: Lanes<L>, f: impl Fn(f64) -> f64) -> Lanes<L> {
    let mut to = [0.0; L];
    for (to, a) in to.iter_mut().zip(a) {
        *to = f(a);
    }
    to
}

fn zip<const L: usize>(a: Lanes<L>, b: Lanes<L>, f: impl Fn(f64, f64) -> f64) -> Lanes<L> {
    let mut to = [0.0; L];
    for l in 0..L {
        to[l] = f(a[l], b[l]);
    }
    to
}

/// Runs instructions.
pub(super) fn run<const L: usize>(code: &[Op], memory: &mut [Lanes<L>]) {
    for op in code {
        match *op {
            Op::Add(to, a, b) => {
                memory[to as usize] = zip(memory[a as usize], memory[b as usize], |a, b| a + b);
            }
            Op::Sub(to, a, b) => {
                memory[to as usize] = zip(memory[a as usize], memory[b as usize], |a, b| a - b);
            }
            Op::Neg(to, a) => memory[to as usize] = map(memory[a as usize], |a| -a),
            Op::Mul(to, a, b) => {
                memory[to as usize] = zip(memory[a as usize], memory[b as usize], |a, b| a * b);
            }
            Op::Div(to, a, b) => {
                memory[to as usize] = zip(memory[a as usize], memory[b as usize], |a, b| a / b);
            }
            Op::Recip(to, a) => memory[to as usize] = map(memory[a as usize], |a| 1.0 / a),
            Op::MulAdd(to, a, b, c) => {
                let product = zip(memory[a as usize], memory[b as usize], |a, b| a * b);
                memory[to as usize] = zip(product, memory[c as usize], |ab, c| ab + c);
            }
            Op::NegMulAdd(to, a, b, c) => {
                let product = zip(memory[a as usize], memory[b as usize], |a, b| a * b);
                memory[to as usize] = zip(product, memory[c as usize], |ab, c| c - ab);
            }
            Op::Powi(to, a, n) => memory[to as usize] = map(memory[a as usize], |a| a.powi(n)),
            Op::SinCos(sine, cosine, a) => {
                let angle = memory[a as usize];
                let (mut sines, mut cosines) = ([0.0; L], [0.0; L]);
                for l in 0..L {
                    (sines[l], cosines[l]) = angle[l].sin_cos();
                }
                memory[sine as usize] = sines;
                memory[cosine as usize] = cosines;
            }
            Op::Unary(Unary::Sqrt, to, a) => {
                memory[to as usize] = map(memory[a as usize], f64::sqrt)
            }
            Op::Unary(Unary::Abs, to, a) => memory[to as usize] = map(memory[a as usize], f64::abs),
            Op::Unary(function, to, a) => {
                memory[to as usize] = map(memory[a as usize], |a| function.value(a));
            }
            Op::Binary(function, to, a, b) => {
                let value = |a, b| function.value(a, b);
                memory[to as usize] = zip(memory[a as usize], memory[b as usize], value);
            }
            Op::Select(comparison, to, operands) => {
                let [a, b, then, otherwise] = operands.map(|operand| memory[operand as usize]);
                let mut chosen = otherwise;
                for l in 0..L {
                    if comparison.holds(a[l], b[l]) {
                        chosen[l] = then[l];
                    }
                }
                memory[to as usize] = chosen;
            }
            Op::Curve(to, ref of, ref operands) => {
                let mut values = [0.0; L];
                let mut controls = Vec::new();
                if let Some((x, others)) = operands.split_first() {
                    for l in 0..L {
                        controls.clear();
                        controls.extend(others.iter().map(|place| memory[*place as usize][l]));
                        values[l] = of.value(memory[*x as usize][l], &controls);
                    }
                }
                memory[to as usize] = values;
            }
        }
    }
}
