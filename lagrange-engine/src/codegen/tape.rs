//! Routines as tapes, which run without a compiler: every backend must compute the same.
//!
//! ```text
//! Routine, and those that it calls -> Tape::new -> Tape::evaluate, for one state or for a batch of states
//! ```
//!
//! A tape has one memory: constants, parameters, the arrays of each routine, and registers for the temporaries of
//! straight-line code. An entry of the memory is a number for each of some states, its lanes. Each instruction is a loop
//! over the lanes, which the compiler turns into vector instructions, so that the choice of the instruction costs little.
//! Where states go different ways through the steps, a mask tells the lanes of a way.

mod block;
mod conditions;
mod dense;
mod execution;

use std::collections::HashMap;

use super::contact_laws::ContactSearch;
use super::routine::{Array, Condition, Kernel, Routine, RoutineError, RoutineResult, Step, View};
use super::routines::Routines;
use crate::Argument;
use block::{Block, Places};
use execution::Run;

/// The number of lanes of a batch: with 16 the registers of long methods leave the cache of the first level.
const LANES: usize = 8;

/// A routine with all that it calls, in a form that runs fast.
///
/// ```
/// use lagrange_engine::{Dynamics, Routines, System};
/// // A mass on a spring: 2 a = -2 x.
/// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
///             node %2 = coordinate 0\nnode %3 = product %2^2\npotential %3\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// let tape = Routines::new(&dynamics).tape("acceleration").expect("every system has it");
/// // Three states.
/// let (q, v, mut a) = ([3.0, 4.0, 5.0], [0.0; 3], [0.0; 3]);
/// tape.evaluate(3, &[], &[&q, &v], &mut [&mut a]).expect("M is regular");
/// assert_eq!(a, [-3.0, -4.0, -5.0]);
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Tape {
    /// The constants at the start of the memory.
    constants: Vec<f64>,
    /// The number of parameters, which follow.
    parameters: usize,
    /// The routine itself is the last one.
    routines: Vec<Compiled>,
    /// The number of entries of the memory.
    size: usize,
    search: Option<ContactSearch>,
}

/// The first state at which a tape has no result.
///
/// ```
/// use lagrange_engine::{Dynamics, Failure, RoutineError, Routines, System};
/// // A mass on x = 0, which is written twice.
/// let text = "coordinates x y\nnode %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = product %0^2\n\
///             node %3 = product %1^2\nnode %4 = sum 0 1*%2 1*%3\nkinetic %4\nnode %5 = coordinate 0\n\
///             potential %5\nholonomic one %5\nholonomic other %5\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// let tape = Routines::new(&dynamics).tape("acceleration").expect("every system has it");
/// let failed = tape.evaluate(1, &[], &[&[0.0; 2], &[0.0; 2]], &mut [&mut [0.0; 2]]);
/// let error = RoutineError::DependentConstraints;
/// assert_eq!(failed, Err(Failure { state: 0, error, row: Some(1) }));
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The number of the state.
    pub state: usize,
    /// The reason.
    pub error: RoutineError,
    /// The first row of J that adds nothing to those above it, if that is the reason. Rows of constraints come before
    /// those of contacts.
    pub row: Option<usize>,
}

/// A routine in the memory.
#[derive(Debug)]
struct Compiled {
    arguments: Vec<Argument>,
    results: Vec<RoutineResult>,
    places: Places,
    acts: Vec<Act>,
}

/// A step. `A` and others like it hold what a step of that name does.
#[derive(Debug)]
enum Act {
    /// Straight-line code.
    Compute(Block),
    /// Another routine by its number, with its arguments and results.
    Call(usize, Vec<View>, Vec<View>, bool),
    /// Steps for each of the rows, with a unit vector for the row.
    ForEachRow(usize, View, Vec<Act>),
    /// Steps that are repeated at most so many times.
    Loop(usize, Vec<Act>),
    /// Steps if a condition holds.
    If(Condition, Vec<Act>),
    /// A dense operation.
    Kernel(Kernel, Vec<View>, Vec<View>),
    /// A step without steps inside.
    Single(Step),
}

impl Routines<'_> {
    /// The tape of a method. `None` for an unknown name, or if the system does not have the method.
    pub fn tape(&self, method: &str) -> Option<Tape> {
        Some(Tape::new(self, self.method(method)?))
    }

    /// The results of a method for these arguments and parameters.
    ///
    /// # Errors
    ///
    /// The errors of the method, and `NotFinite` for an unknown name.
    pub fn evaluate(
        &self,
        method: &str,
        arguments: &[Vec<f64>],
        parameters: &[f64],
    ) -> Result<Vec<Vec<f64>>, RoutineError> {
        let routine = self.method(method).ok_or(RoutineError::NotFinite)?;
        self.run(&routine, arguments, parameters)
    }

    /// The results of a routine for these arguments and parameters.
    ///
    /// # Errors
    ///
    /// The errors of the routine.
    pub fn run(
        &self,
        routine: &Routine,
        arguments: &[Vec<f64>],
        parameters: &[f64],
    ) -> Result<Vec<Vec<f64>>, RoutineError> {
        let tape = Tape::new(self, routine.clone());
        let arguments: Vec<&[f64]> = arguments.iter().map(Vec::as_slice).collect();
        let mut results: Vec<Vec<f64>> = routine
            .results
            .iter()
            .map(|result| vec![0.0; result.shape.len()])
            .collect();
        let mut written: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        tape.evaluate(1, parameters, &arguments, &mut written)
            .map(|()| results)
            .map_err(|failure| failure.error)
    }
}

impl Tape {
    /// The tape of a routine.
    pub fn new(routines: &Routines, routine: Routine) -> Self {
        let called = routines.with_called(vec![routine]);
        let mut tape = Self {
            constants: Vec::new(),
            parameters: routines.dynamics.names().parameters.len(),
            routines: Vec::new(),
            size: 0,
            search: None,
        };
        let mut constants = HashMap::new();
        for routine in &called {
            block::note_constants(routine, &mut constants);
        }
        tape.constants = vec![0.0; constants.len()];
        for (bits, at) in &constants {
            tape.constants[*at as usize] = f64::from_bits(*bits);
        }
        let mut next = tape.constants.len() + tape.parameters;
        let places: Vec<Places> = called
            .iter()
            .map(|routine| Places::new(routine, tape.constants.len(), &mut next))
            .collect();
        let numbers: HashMap<String, usize> = called
            .iter()
            .enumerate()
            .map(|(number, routine)| (routine.name.clone(), number))
            .collect();
        let first = next;
        tape.size = next;
        for (routine, places) in called.into_iter().zip(places) {
            let mut writer = Writer {
                numbers: &numbers,
                constants: &constants,
                places: &places,
                first,
                end: &mut tape.size,
            };
            let acts = writer.acts(routine.steps);
            tape.routines.push(Compiled {
                arguments: routine.arguments,
                results: routine.results,
                places,
                acts,
            });
        }
        tape
    }

    /// The tape with a search for the modes of contacts, without which `resolve` and `contact_step` do not converge.
    #[must_use]
    pub fn with_search(self, search: ContactSearch) -> Self {
        Self {
            search: Some(search),
            ..self
        }
    }

    /// The arguments of the routine.
    pub fn arguments(&self) -> &[Argument] {
        self.routines
            .last()
            .map_or(&[], |routine| &routine.arguments)
    }

    /// The results of the routine.
    pub fn results(&self) -> &[RoutineResult] {
        self.routines.last().map_or(&[], |routine| &routine.results)
    }

    /// Evaluates `count` states with the same parameters. Each argument has the entries of the first state, then those of
    /// the second one, and so on, and so has each result. A scalar argument, such as the time, has one entry for all
    /// states. A missing entry is NaN.
    ///
    /// # Errors
    ///
    /// The first state that fails, and the reason. Its results stay as they were; those of all other states
    /// are computed.
    pub fn evaluate(
        &self,
        count: usize,
        parameters: &[f64],
        arguments: &[&[f64]],
        results: &mut [&mut [f64]],
    ) -> Result<(), Failure> {
        if count == 1 {
            Run::<1>::new(self, parameters).evaluate(count, arguments, results)
        } else {
            Run::<LANES>::new(self, parameters).evaluate(count, arguments, results)
        }
    }
}

/// Turns the steps of a routine into acts.
struct Writer<'a> {
    /// The numbers of all routines.
    numbers: &'a HashMap<String, usize>,
    constants: &'a HashMap<u64, u32>,
    places: &'a Places,
    /// The first register.
    first: usize,
    /// The end of the memory so far.
    end: &'a mut usize,
}

impl Writer<'_> {
    fn acts(&mut self, steps: Vec<Step>) -> Vec<Act> {
        let mut acts = Vec::new();
        for step in steps {
            acts.push(match step {
                Step::Compute(compute) => {
                    let (block, end) =
                        Block::new(&compute, (self.places, self.constants), self.first);
                    *self.end = (*self.end).max(end);
                    Act::Compute(block)
                }
                Step::Call {
                    routine,
                    arguments,
                    results,
                    is_tried,
                } => match self.numbers.get(&routine) {
                    Some(number) => Act::Call(*number, arguments, results, is_tried),
                    None => continue,
                },
                Step::ForEachRow { rows, unit, steps } => {
                    Act::ForEachRow(rows, unit, self.acts(steps))
                }
                Step::Loop { most, steps } => Act::Loop(most, self.acts(steps)),
                Step::If { condition, then } => Act::If(condition, self.acts(then)),
                Step::Kernel {
                    kernel,
                    arguments,
                    results,
                } => Act::Kernel(kernel, arguments, results),
                Step::Apart { steps, .. } | Step::Library { steps, .. } => {
                    acts.extend(self.acts(steps));
                    continue;
                }
                single => Act::Single(single),
            });
        }
        acts
    }
}

impl Places {
    /// The place of the first entry of an array.
    fn of(&self, array: Array) -> usize {
        match array {
            Array::Argument(at) => self.arguments[at],
            Array::Result(at) => self.results[at],
            Array::Local(at) => self.locals[at],
        }
    }
}
