//! Derivatives of a routine by all entries of its arguments, or of the parameters, in one routine.
//!
//! Each result has a block for each argument, with a row for each entry of the argument. The blocks of accelerations are
//! the derivatives of the equations of motion, solved with one factorization. A routine that calls `acceleration` or
//! `solve` has its blocks by the chain rule: it runs once, with the blocks of each solution as further results, and each
//! row is then one pass of its tangent, in which the changes of a solution are products with those blocks.
//!
//! The row of an entry of a quaternion is the derivative along the part of that entry in the tangent space.

use super::builder::{Builder, STATE};
use super::derivatives::by_pivoting;
use super::linearized::Columns;
use super::parameters;
use super::system::Routines;
use super::tangents::{Code, Kept, name_of_tangent};
use crate::codegen::Routine;
use crate::codegen::routine::{Argument, Array, RoutineResult, Step, View};
use crate::{Graph, NodeId, Number, Shape, Symbol};

/// The variables of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    /// The entries of all arguments that are not flags.
    Arguments,
    /// The entries of all parameters.
    Parameters,
}

impl By {
    const ALL: [Self; 2] = [Self::Arguments, Self::Parameters];

    /// The beginnings of the names of the blocks of a routine, of its run with the blocks of solutions, and of its tangent
    /// with those.
    const fn prefixes(self) -> [&'static str; 3] {
        match self {
            Self::Arguments => ["private blocks_", "private stages_", "private pass_"],
            Self::Parameters => [
                "private parameter_blocks_",
                "private parameter_stages_",
                "private parameter_pass_",
            ],
        }
    }
}

/// The most numbers in the blocks of a routine, its own and those of its solutions: arrays on the stack.
const MOST_NUMBERS: usize = 1 << 16;

impl Routines<'_> {
    /// The blocks of a routine: for each result in order those of all arguments with changes in order, or the one of the
    /// parameters. `None` if it is not the solution of the equations of motion, and does not call it once in a while.
    pub(crate) fn blocks(&self, routine: &Routine, by: By) -> Option<Routine> {
        let blocks = match is_solution(&routine.name) {
            true => self
                .has_blocks(&routine.name)
                .then(|| of_solution(self, routine, by)),
            false => of_calls(self, routine, by),
        };
        blocks.filter(|blocks| {
            blocks
                .results
                .iter()
                .map(|result| result.shape.len())
                .chain(blocks.locals.iter().copied())
                .sum::<usize>()
                <= MOST_NUMBERS
        })
    }

    /// The blocks of this name, and the routines that they call.
    pub(super) fn method_of_blocks(&self, name: &str) -> Option<Routine> {
        By::ALL.into_iter().find_map(|by| {
            let [blocks, stages, pass] = by.prefixes();
            let of = |prefix| self.method(name.strip_prefix(prefix)?);
            None.or_else(|| self.blocks(&of(blocks)?, by))
                .or_else(|| Some(Stages::of(self, &of(stages)?, by)?.routine))
                .or_else(|| {
                    let routine = of(pass)?;
                    let stages = Stages::of(self, &routine, by)?;
                    Some(self.tangent_with_blocks(
                        &routine,
                        &stages.kept,
                        arguments_of(&stages.routine, routine.results.len()),
                        &name_of(by, 2, &routine),
                    ))
                })
        })
    }

    /// Returns whether the changes of a called solution are products with its blocks. Those of redundant rows are not:
    /// near states where the rank is not clear the solution is that of a projected state.
    pub(super) fn has_blocks(&self, name: &str) -> bool {
        is_solution(name) && !self.has_redundant_rows()
    }

    /// The first entry of each rotation in an argument of this name.
    pub(crate) fn rotations_of(&self, argument: &str) -> Vec<usize> {
        match ["q", "q0", "q1", "y"].contains(&argument) {
            true => self
                .kinematics()
                .rotations()
                .map(|it| it.coordinate)
                .collect(),
            false => Vec::new(),
        }
    }
}

fn is_solution(name: &str) -> bool {
    ["acceleration", "solve"].contains(&name)
}

fn name_of(by: By, which: usize, routine: &Routine) -> String {
    format!("{}{}", by.prefixes()[which], routine.name)
}

/// The lengths of the blocks' rows: of the arguments with changes, or the number of the parameters.
fn variables<'r>(routines: &Routines, routine: &'r Routine, by: By) -> Vec<(&'r str, usize)> {
    let arguments = routine.arguments.iter();
    match by {
        By::Arguments => arguments
            .filter(|argument| !argument.is_flags)
            .map(|argument| (&argument.name[..], argument.length))
            .collect(),
        By::Parameters => vec![("self", routines.parameter_count())],
    }
}

/// The results for the blocks of a routine: a list for each result.
fn results(builder: &mut Builder, routine: &Routine, by: By) -> Vec<Vec<View>> {
    let variables = variables(builder.routines, routine, by);
    let of_result = routine.results.iter().map(|result| {
        let blocks = variables.iter().map(|(name, length)| {
            let name = format!("{}_by_{name}", result.name);
            builder.matrix(&name, *length, result.shape.len())
        });
        blocks.collect()
    });
    of_result.collect()
}

/// The blocks of `acceleration` or `solve`.
fn of_solution(routines: &Routines, routine: &Routine, by: By) -> Routine {
    let mut builder =
        Builder::of(routines, &name_of(by, 0, routine), &routine.arguments).fallible();
    let places = results(&mut builder, routine, by);
    match by {
        By::Arguments => by_arguments(&mut builder, routine, &places),
        By::Parameters => {
            let first = routine
                .arguments
                .iter()
                .map(|argument| argument.length)
                .sum::<usize>();
            let structure = routines.structure(routine);
            let depends = |number: &u32| {
                let mut entries = structure.iter().flatten();
                entries.any(|entry| entry.by.has(first + *number as usize))
            };
            let count = places[0][0].rows as u32;
            let parameters: Vec<u32> = (0..count).filter(depends).collect();
            for block in places.iter().flatten() {
                builder.fill(*block, 0.0);
            }
            if !parameters.is_empty() {
                let solved = parameters::solved(&mut builder, &parameters);
                for (from, to) in solved.iter().zip(&places) {
                    for (column, number) in parameters.iter().enumerate() {
                        let row = to[0].block((*number as usize, 0), 1, from.rows);
                        builder.transpose(from.block((0, column), from.rows, 1), row);
                    }
                }
            }
        }
    }
    builder.finish()
}

fn by_arguments(builder: &mut Builder, routine: &Routine, places: &[Vec<View>]) {
    let routines = builder.routines;
    let derivatives = match routines.sensitivities() {
        Some(_) => Columns::called(builder, true).derivatives(routines),
        None => by_pivoting(builder, true),
    };
    let has_time = builder.given("t").is_some();
    for (parts, blocks) in derivatives.iter().zip(places) {
        for (at, (part, block)) in parts
            .iter()
            .zip(&blocks[usize::from(has_time)..])
            .enumerate()
        {
            match at {
                0 => by_position(builder, *part, *block),
                _ => builder.transpose(*part, *block),
            }
        }
    }
    if has_time {
        let values: Vec<View> = places
            .iter()
            .map(|it| builder.local(1, it[0].columns))
            .collect();
        let changes: Vec<View> = places
            .iter()
            .map(|it| builder.local(1, it[0].columns))
            .collect();
        let mut arguments = builder.arguments(&STATE);
        for argument in &routine.arguments {
            let change = builder.local(1, argument.length);
            builder.fill(change, if argument.name == "t" { 1.0 } else { 0.0 });
            arguments.push(change);
        }
        let parameters = builder.local(1, routines.parameter_count());
        builder.fill(parameters, 0.0);
        arguments.push(parameters);
        let results = [&values[..], &changes].concat();
        builder.call(&name_of_tangent(&routine.name), arguments, &results);
        for (from, to) in changes.iter().zip(places) {
            builder.copy(*from, to[0]);
        }
    }
}

/// Writes derivatives by displacements, in columns, as rows for the entries of q.
fn by_position(builder: &mut Builder, from: View, to: View) {
    let (mut column, mut row) = (0, 0);
    let length = from.rows;
    let rotations = builder.routines.rotations_of("q");
    while row < to.rows {
        if rotations.contains(&row) {
            let turns = builder.local(3, length);
            builder.transpose(from.block((0, column), length, 3), turns);
            let quaternion = builder.argument("q").part(row, 4);
            spread(builder, (quaternion, turns), to.block((row, 0), 4, length));
            (column, row) = (column + 3, row + 4);
        } else {
            let block = from.block((0, column), length, 1);
            builder.transpose(block, to.block((row, 0), 1, length));
            (column, row) = (column + 1, row + 1);
        }
    }
}

/// Derivatives by turns times the pseudo-inverse of the map from turns to changes of the quaternion.
fn spread(builder: &mut Builder, (quaternion, turns): (View, View), to: View) {
    function(builder, &[quaternion, turns], to, |graph, arrays| {
        let (q, turns) = (&arrays[0], &arrays[1]);
        let factor = over_square(graph, 2, q);
        let scaled: Vec<NodeId> = q.iter().map(|x| graph.mul(factor, *x)).collect();
        let length = turns.len() / 3;
        let mut rows = Vec::new();
        for entry in 0..4 {
            for column in 0..length {
                let terms = (0..3).map(|axis| {
                    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
                    let (sign, of) = match entry {
                        3 => (-Number::ONE, axis),
                        _ if entry == axis => (Number::ONE, 3),
                        _ if entry == j => (Number::ONE, k),
                        _ => (-Number::ONE, j),
                    };
                    (sign, graph.mul(scaled[of], turns[axis * length + column]))
                });
                let terms = terms.collect();
                rows.push(graph.sum(Number::ZERO, terms));
            }
        }
        rows
    });
}

/// The part of a change of a quaternion that turns it.
fn tangential(builder: &mut Builder, (quaternion, change): (View, View), to: View) {
    function(builder, &[quaternion, change], to, |graph, arrays| {
        let (q, change) = (&arrays[0], &arrays[1]);
        let factor = over_square(graph, 1, q);
        let along = graph.dot(q, change);
        let along = graph.mul(factor, along);
        let turned = q.iter().zip(change).map(|(q, change)| {
            let part = graph.mul(along, *q);
            graph.sub(*change, part)
        });
        turned.collect()
    });
}

/// A number by the square of the length of a quaternion.
fn over_square(graph: &mut Graph, number: i64, q: &[NodeId]) -> NodeId {
    let square = graph.dot(q, q);
    let inverse = graph.powi(square, -1);
    graph.scale(Number::integer(number), inverse)
}

/// Straight-line code that reads views one after the other.
fn function(
    builder: &mut Builder,
    arguments: &[View],
    to: View,
    value: impl Fn(&mut Graph, &[Vec<NodeId>]) -> Vec<NodeId>,
) {
    if to.is_empty() {
        return;
    }
    let local = builder.local(1, arguments.iter().map(|view| view.len()).sum());
    let mut code = Code::default();
    let (mut symbols_of_views, mut first) = (Vec::new(), 0);
    for view in arguments {
        let symbols = (first..first + view.len()).map(|at| Symbol::Weight(at as u32));
        symbols_of_views.push(symbols.map(|symbol| code.graph.symbol(symbol)).collect());
        let place = View {
            rows: view.rows,
            columns: view.columns,
            stride: view.columns,
            ..local.part(first, view.len())
        };
        builder.copy(*view, place);
        first += view.len();
    }
    let values = value(&mut code.graph, &symbols_of_views);
    builder.step(code.written(local, vec![(to, values, false, None)]));
}

/// A routine with the results and the blocks of all solutions that it calls as further results.
struct Stages {
    routine: Routine,
    /// For each such call.
    kept: Vec<Kept>,
}

impl Stages {
    /// `None` without such a call, or if steps of the routine depend on conditions.
    fn of(routines: &Routines, routine: &Routine, by: By) -> Option<Self> {
        let is_straight = |step: &Step| {
            !matches!(
                step,
                Step::ForEachRow { .. }
                    | Step::Loop { .. }
                    | Step::If { .. }
                    | Step::Break
                    | Step::Return
            )
        };
        let mut can = !routine.results.iter().any(|result| result.is_count);
        routine.for_each_step(&mut |step| can &= is_straight(step));
        if !can {
            return None;
        }
        let mut made = Routine {
            name: name_of(by, 1, routine),
            steps: Vec::new(),
            ..routine.clone()
        };
        let mut kept = Vec::new();
        let mut calls = Vec::new();
        routine.for_each_step(&mut |step| match step {
            Step::Apart { .. } | Step::Library { .. } => {}
            _ => calls.push(step),
        });
        for step in calls {
            made.steps.push(step.clone());
            let Step::Call {
                routine: called,
                arguments,
                results,
                is_tried: false,
            } = step
            else {
                continue;
            };
            if !routines.has_blocks(called) {
                continue;
            }
            let called = routines.method(called)?;
            let call = kept.len();
            let mut values = Vec::new();
            for (at, from) in results.iter().enumerate() {
                let name = format!("kept_{call}_{at}");
                let to = further(&mut made, name, (from.rows, from.columns));
                made.steps.push(Step::Copy {
                    from: *from,
                    to,
                    is_transposed: false,
                    is_negated: false,
                });
                values.push(to);
            }
            // Without changes of the arguments of the routine those of the call change only by steps before it.
            let changes: Vec<bool> = arguments
                .iter()
                .map(|view| by == By::Arguments || !matches!(view.array, Array::Argument(_)))
                .collect();
            let kinds = [
                (By::Arguments, changes.clone()),
                (By::Parameters, vec![by == By::Parameters]),
            ];
            let number = |view: View| match view.array {
                Array::Result(at) => at - routine.results.len(),
                _ => 0,
            };
            let mut blocks = vec![Vec::new(); values.len()];
            for (of, changes) in kinds {
                let is_wanted = changes.contains(&true);
                let variables = variables(routines, &called, of);
                let mut places = Vec::new();
                for (result, blocks) in called.results.iter().zip(&mut blocks) {
                    for ((variable, length), is_changed) in variables.iter().zip(&changes) {
                        let place = is_wanted.then(|| {
                            let name = format!("kept_{call}_{}_by_{variable}", result.name);
                            further(&mut made, name, (*length, result.shape.len()))
                        });
                        places.extend(place);
                        blocks.push(place.map(number).filter(|_| *is_changed));
                    }
                }
                if is_wanted {
                    made.steps.push(Step::Call {
                        routine: name_of(of, 0, &called),
                        arguments: arguments.clone(),
                        results: places,
                        is_tried: false,
                    });
                }
            }
            kept.push(Kept {
                values: values.into_iter().map(number).collect(),
                blocks,
            });
        }
        (!kept.is_empty()).then_some(Self {
            routine: made,
            kept,
        })
    }
}

/// A further result.
fn further(routine: &mut Routine, name: String, (rows, columns): (usize, usize)) -> View {
    routine.results.push(RoutineResult {
        name,
        shape: Shape::Matrix(rows, columns),
        is_count: false,
    });
    View::matrix(Array::Result(routine.results.len() - 1), rows, columns)
}

/// The arguments that hold the further results of the stages, for the tangent.
fn arguments_of(stages: &Routine, first: usize) -> Vec<Argument> {
    stages.results[first..]
        .iter()
        .map(|result| Argument {
            name: result.name.clone(),
            length: result.shape.len(),
            is_scalar: false,
            is_flags: false,
        })
        .collect()
}

/// The blocks of a routine that calls solutions.
fn of_calls(routines: &Routines, routine: &Routine, by: By) -> Option<Routine> {
    let stages = Stages::of(routines, routine, by)?;
    let mut builder =
        Builder::of(routines, &name_of(by, 0, routine), &routine.arguments).fallible();
    let places = results(&mut builder, routine, by);
    let locals = |builder: &mut Builder, results: &[RoutineResult]| {
        results
            .iter()
            .map(|result| builder.local(1, result.shape.len()))
            .collect::<Vec<View>>()
    };
    let whole = locals(&mut builder, &stages.routine.results);
    let arguments: Vec<View> = routine
        .arguments
        .iter()
        .filter_map(|argument| builder.given(&argument.name))
        .collect();
    builder.call(&stages.routine.name, arguments.clone(), &whole);
    let values = locals(&mut builder, &routine.results);
    let is_changing = |argument: &&Argument| !argument.is_flags;
    let mut changes: Vec<(&str, View)> = routine
        .arguments
        .iter()
        .filter(is_changing)
        .map(|argument| (&argument.name[..], builder.local(1, argument.length)))
        .collect();
    let length = routines.parameter_count();
    changes.push(("self", builder.local(1, length)));
    for (_, view) in &changes {
        builder.fill(*view, 0.0);
    }
    let (first, last) = match by {
        By::Arguments => (0, changes.len() - 1),
        By::Parameters => (changes.len() - 1, changes.len()),
    };
    for (at, (name, change)) in changes[first..last].iter().enumerate() {
        let rows = change.len();
        let rotations = routines.rotations_of(name);
        let unit = match rotations.is_empty() {
            true => *change,
            false => builder.local(1, rows),
        };
        let steps = builder.nested(|builder| {
            if !rotations.is_empty() {
                builder.copy(unit, *change);
            }
            let argument = builder.argument(name);
            for rotation in &rotations {
                let [quaternion, unit, to] =
                    [argument, unit, *change].map(|view| view.part(*rotation, 4));
                tangential(builder, (quaternion, unit), to);
            }
            let row = |blocks: &Vec<View>| {
                let block = blocks[at];
                block.part(0, block.columns).advancing(block.columns)
            };
            let stages = &whole[routine.results.len()..];
            let changes = changes.iter().map(|(_, view)| *view);
            let inputs = arguments
                .iter()
                .copied()
                .chain(changes)
                .chain(stages.iter().copied())
                .collect();
            let outputs = values.iter().copied().chain(places.iter().map(row));
            builder.call(
                &name_of(by, 2, routine),
                inputs,
                &outputs.collect::<Vec<_>>(),
            );
        });
        builder.step(Step::ForEachRow { rows, unit, steps });
        builder.fill(*change, 0.0);
    }
    Some(builder.finish())
}
