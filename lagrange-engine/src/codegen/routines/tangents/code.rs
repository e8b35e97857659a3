//! Straight-line code as expressions, which the graph differentiates.

use std::collections::BTreeSet;

use super::copied;
use crate::codegen::cse::schedule;
use crate::codegen::ir::Instruction;
use crate::codegen::routine::{Compute, Input, Step, View, Write};
use crate::{Graph, NodeId, Number, Operand, Schedule, Symbol, Unary};

/// Values and their changes one after the other in one array, which straight-line code reads as weights.
#[derive(Default)]
pub(super) struct Packed {
    /// The views and their places.
    views: Vec<(View, usize)>,
    pub(super) length: usize,
    /// The places of values, of their changes, and the number of both.
    pairs: Vec<(Symbol, usize)>,
    pub(super) direction: Vec<(Symbol, NodeId)>,
}

impl Packed {
    /// Adds a view and its changes; returns the place of its values.
    pub(super) fn add(&mut self, view: View, changes: Option<View>) -> usize {
        let first = self.append(view);
        if let Some(changes) = changes {
            let place = self.append(changes);
            let symbols =
                (0..view.len()).map(|at| (Symbol::Weight((first + at) as u32), place + at));
            self.pairs.extend(symbols);
        }
        first
    }

    pub(super) fn append(&mut self, view: View) -> usize {
        let first = self.length;
        self.views.push((view, first));
        self.length += view.len();
        first
    }

    pub(super) fn directions(&mut self, graph: &mut Graph) {
        let pairs = self
            .pairs
            .iter()
            .map(|(symbol, at)| (*symbol, graph.symbol(Symbol::Weight(*at as u32))));
        self.direction = pairs.collect();
    }

    pub(super) fn copies(&self, to: View) -> impl Iterator<Item = Step> {
        self.views.iter().map(move |(view, first)| {
            let to = View {
                rows: view.rows,
                columns: view.columns,
                stride: view.columns,
                ..to.part(*first, view.len())
            };
            copied(*view, to, false)
        })
    }
}

/// Straight-line code as expressions.
#[derive(Default)]
pub(in crate::codegen::routines) struct Code<'a> {
    pub(in crate::codegen::routines) graph: Graph,
    schedule: Option<&'a Compute>,
    /// The places of the values of each kind of symbol.
    places: Vec<(Input, usize)>,
    temporaries: Vec<NodeId>,
}

pub(in crate::codegen::routines) type Changed = (View, Vec<NodeId>, bool, Option<View>);

impl<'a> Code<'a> {
    pub(super) fn new(compute: &'a Compute) -> Self {
        Self {
            schedule: Some(compute),
            ..Self::default()
        }
    }

    /// The values that the code reads, and their changes.
    pub(super) fn inputs(
        &mut self,
        changes: impl Fn(View) -> Option<View>,
        parameters: View,
    ) -> Packed {
        let mut packed = Packed::default();
        let Some(compute) = self.schedule else {
            return packed;
        };
        let (mut kinds, mut of_parameters) = (Vec::new(), BTreeSet::new());
        let mut note = |operand: Operand| {
            if let Operand::Symbol(symbol) = operand {
                match (symbol, Input::of(symbol)) {
                    (_, Some((input, _))) if !kinds.contains(&input) => kinds.push(input),
                    (Symbol::Parameter(number), None) => {
                        of_parameters.insert(number);
                    }
                    _ => {}
                }
            }
        };
        for instruction in &compute.schedule.instructions {
            instruction.for_each_operand(&mut note);
        }
        for value in compute.writes.iter().flat_map(|write| &write.values) {
            note(*value);
        }
        for (input, view) in compute
            .reads
            .iter()
            .filter(|(input, _)| kinds.contains(input))
        {
            let view = View {
                rows: 1,
                columns: view.len(),
                ..*view
            };
            let first = packed.add(view, changes(view));
            self.places.push((*input, first));
        }
        if !of_parameters.is_empty() {
            let first = packed.append(parameters);
            let pairs = of_parameters
                .into_iter()
                .map(|number| (Symbol::Parameter(number), first + number as usize));
            packed.pairs.extend(pairs);
        }
        packed.directions(&mut self.graph);
        for instruction in &compute.schedule.instructions {
            self.instruction(instruction);
        }
        packed
    }

    pub(super) fn operand(&mut self, operand: Operand) -> NodeId {
        match operand {
            Operand::Temporary(number) => self.temporaries[number as usize],
            Operand::Constant(value) if value.is_finite() => {
                self.graph.number(Number::float(value))
            }
            // No other constant occurs in the equations.
            Operand::Constant(_) => {
                let zero = self.graph.integer(0);
                self.graph.powi(zero, -1)
            }
            Operand::Symbol(symbol) => {
                let place = Input::of(symbol).and_then(|(input, at)| {
                    let mut places = self.places.iter();
                    let (_, first) = places.find(|(known, _)| *known == input)?;
                    Some(Symbol::Weight((first + at) as u32))
                });
                self.graph.symbol(place.unwrap_or(symbol))
            }
        }
    }

    pub(super) fn instruction(&mut self, instruction: &Instruction) {
        let operands = instruction.operands().into_iter();
        let of: Vec<NodeId> = operands.map(|operand| self.operand(operand)).collect();
        let graph = &mut self.graph;
        let value = match (instruction.clone(), &of[..]) {
            (Instruction::Add(..), &[a, b]) => graph.add(a, b),
            (Instruction::Sub(..), &[a, b]) => graph.sub(a, b),
            (Instruction::Neg(_), &[a]) => graph.neg(a),
            (Instruction::Mul(..), &[a, b]) => graph.mul(a, b),
            (Instruction::Div(..), &[a, b]) => graph.div(a, b),
            (Instruction::Recip(_), &[a]) => graph.powi(a, -1),
            (Instruction::MulAdd(..), &[a, b, c]) => {
                let product = graph.mul(a, b);
                graph.add(product, c)
            }
            (Instruction::NegMulAdd(..), &[a, b, c]) => {
                let product = graph.mul(a, b);
                graph.sub(c, product)
            }
            (Instruction::Powi(_, n), &[a]) => graph.powi(a, n),
            (Instruction::Unary(function, _), &[a]) => graph.unary(function, a),
            (Instruction::Binary(function, ..), &[a, b]) => graph.binary(function, a, b),
            (Instruction::Select(comparison, _), &[a, b, then, otherwise]) => {
                graph.select(comparison, a, b, then, otherwise)
            }
            (Instruction::Curve(piecewise, _), [x, controls @ ..]) => {
                graph.curve(piecewise, *x, controls)
            }
            (Instruction::SinCos(_), &[a]) => {
                let sine = graph.unary(Unary::Sin, a);
                self.temporaries.push(sine);
                graph.unary(Unary::Cos, a)
            }
            // No instruction has other operands.
            _ => return,
        };
        self.temporaries.push(value);
    }

    pub(super) fn changes(
        &mut self,
        roots: &[NodeId],
        direction: &[(Symbol, NodeId)],
    ) -> Vec<NodeId> {
        self.graph.directional(roots, direction)
    }

    /// The code of expressions that are written to views.
    pub(in crate::codegen::routines) fn written(&self, local: View, all: Vec<Changed>) -> Step {
        let roots: Vec<NodeId> = all
            .iter()
            .flat_map(|(_, values, ..)| values.clone())
            .collect();
        let code = schedule(&self.graph, &roots);
        let mut remaining = &code.roots[..];
        let writes = all.iter().map(|(to, values, adds, flag)| {
            let (roots_of_write, later_roots) = remaining.split_at(values.len());
            remaining = later_roots;
            Write {
                to: *to,
                values: roots_of_write.to_vec(),
                adds: *adds,
                flag: *flag,
            }
        });
        let writes = writes.collect();
        let instructions = Schedule {
            instructions: code.instructions.clone(),
            roots: Vec::new(),
        };
        let reads = vec![(Input::Weights, local)];
        Step::Compute(Compute::new(instructions, reads, writes))
    }
}
