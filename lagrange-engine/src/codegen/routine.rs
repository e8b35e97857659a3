//! The types of a routine: arrays, and steps on views of them.

mod unread;

use std::collections::HashSet;
use std::fmt;

use crate::{Instruction, Operand, Schedule, Shape, Symbol};

/// A generated method: named arguments and results, and the steps between them.
///
/// All arrays are real and dense, matrices row by row.
///
/// ```
/// use lagrange_engine::{Dynamics, Routines, System};
/// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// let routine = Routines::new(&dynamics).method("momenta").expect("every system has momenta");
/// let names = |arguments: &[lagrange_engine::Argument]| -> Vec<_> { arguments.iter().map(|a| a.name.clone()).collect() };
/// assert_eq!(names(&routine.arguments), ["q", "v"]);
/// assert_eq!((routine.results.len(), routine.is_fallible), (1, false));
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its name, unique among the routines of a system.
    pub name: String,
    /// The arguments, in order.
    pub arguments: Vec<Argument>,
    /// The results, in order. A fallible routine writes them only if it succeeds.
    pub results: Vec<RoutineResult>,
    /// True if it can end with an error.
    pub is_fallible: bool,
    /// True if its results are derivatives, of which texts have no further ones.
    pub is_derivative: bool,
    /// The lengths of its local arrays.
    pub locals: Vec<usize>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// The reason why a routine has no result; the numbers are the return values of exported functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoutineError {
    /// M is singular.
    SingularMassMatrix = 1,
    /// A constraint adds nothing to those above it.
    DependentConstraints = 2,
    /// An iteration did not converge.
    NotConverged = 3,
    /// An argument, a parameter or the result is NaN or infinite.
    NotFinite = 4,
    /// No forces of contacts meet their laws.
    NoContactSolution = 5,
}

impl fmt::Display for RoutineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SingularMassMatrix => "the mass matrix is singular at this state",
            Self::DependentConstraints => {
                "a constraint adds nothing to those above it at this state"
            }
            Self::NotConverged => "the iteration did not converge",
            Self::NotFinite => "an argument, a parameter or the result is NaN or infinite",
            Self::NoContactSolution => "no forces of contacts meet their laws at this state",
        })
    }
}

impl std::error::Error for RoutineError {}

/// An argument of a routine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// The number of its entries.
    pub length: usize,
    /// True if it is one number and not an array.
    pub is_scalar: bool,
    /// True if its entries are integers: 0 for false. The steps read 0 and 1.
    pub is_flags: bool,
}

/// A result of a routine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoutineResult {
    /// Its name, different from those of the arguments.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// True if it is a number of things, or several: integers.
    pub is_count: bool,
}

/// An array that the steps of a routine read and write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Array {
    /// The argument of this number.
    Argument(usize),
    /// The result of this number.
    Result(usize),
    /// The local array of this number.
    Local(usize),
}

/// A block of an array: row i, column j is entry `offset + i * stride + j`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The array.
    pub array: Array,
    /// The entry at the first row and column.
    pub offset: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The distance of two rows.
    pub stride: usize,
    /// The increase of the offset from one pass of the enclosing [`Step::ForEachRow`] to the next.
    pub advance: usize,
}

/// The kinds of symbols that straight-line code reads from arrays. It reads parameters from the system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// Time.
    Time,
    /// q
    Coordinates,
    /// v
    Velocities,
    /// a
    Accelerations,
    /// z
    States,
    /// u
    Inputs,
    /// lambda
    Multipliers,
    /// p
    Momenta,
    /// The weights y of the equations, or the entries of a matrix that straight-line code reads.
    Weights,
}

/// Straight-line code between arrays.
#[derive(Clone, Debug)]
pub struct Compute {
    /// The instructions.
    pub schedule: Schedule,
    /// The array for each kind of symbol that the instructions read.
    pub reads: Vec<(Input, View)>,
    /// The values that are written.
    pub writes: Vec<Write>,
}

/// The entries of a view, row by row.
#[derive(Clone, Debug)]
pub struct Write {
    /// Their destination.
    pub to: View,
    /// Their values.
    pub values: Vec<Operand>,
    /// True if they are added to the existing values.
    pub adds: bool,
    /// A scalar, if they are written only where it is 1.
    pub flag: Option<View>,
}

/// The equations of a dense solution. M is n x n, J is c x n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equations {
    /// (M, J): `M a = f + J^T lambda`, `J a = gamma`.
    Regular,
    /// (M, J, K): `M a = f + K lambda`, `J a = gamma`, where K, n x c, need not be J^T.
    Reacting,
    /// (M, J): the regular ones with the rows of J that do not depend on others; the multipliers of the others are 0.
    Independent,
    /// (M, J): all rows in least squares, by the smallest a in the metric of M for f = 0. The multipliers are those of the
    /// independent rows.
    LeastSquares {
        /// True if rows count as dependent that agree to the fourth root of rounding.
        is_coarse: bool,
    },
    /// (M, J): `Independent`, where the dependent rows must hold, too, and the multipliers are those of least norm. A further
    /// result is the rank of J.
    Redundant,
    /// (M, J, K): `Independent` with K in place of J^T. The rows must determine the multipliers of those whose columns of K
    /// are not those of J^T.
    ReactingIndependent,
    /// (M, J, K): `Redundant` with such a K.
    ReactingRedundant,
}

/// Dense operations that are loops in every language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// (matrices, F, G) -> (A, L): the solution for each row f of F and gamma of G, by pivoting. Fails if the matrix of
    /// the equations is singular or constraints depend on each other.
    Solve(Equations),
    /// The same without a check: if the result is not determined it is not finite or inaccurate.
    SolveUnchecked(Equations),
    /// (matrices, F, G) -> (A, L, status): the same, with the number of its error as a result, 0 for none.
    TrySolve(Equations),
    /// (M, J, v, rates) -> (flag): 1 if the rank of J is clear at a state, and dependent rows have no rate; otherwise 0.
    IsClear,
    /// (J) -> (Z, J^+): an orthonormal basis of the null space of J in columns, the largest entry of each positive, and the
    /// pseudo-inverse of so many independent rows, with columns of zeros for the others. Fails if the rank of J is not
    /// this one. Rows are compared in units of their largest entries.
    NullSpace(usize),
    /// (J, B) -> (J): J with zeros for each row whose entries are rounding errors by their bounds B, which are in units
    /// of half of the machine epsilon. An entry is one if it is at most `2 (n + c)` bounds.
    Significant,
    /// (bounds) -> (limits): the largest residuals that count as rounding errors, for bounds in units of half of the
    /// machine epsilon: four bounds, and nothing if that is not finite.
    Limits,
    /// (residuals, limits) -> (changes): the residuals with the other sign, 0 for those within their limits.
    Changes,
    /// (residuals, limits, J) -> (r): the largest residual beyond its limit, each divided by the largest entry of its
    /// row of J.
    Remaining,
    /// (M, J, limits) -> (sizes, agreed): the size of each row of J by its largest entry, and the largest residuals with
    /// which rows agree that may depend on each other, for limits of rounding. A row that is none beside the largest one
    /// counts with the largest size and limit.
    Agreement,
    /// (quaternion, d) -> (quaternion): the orientation R moved to R exp(d), as a unit quaternion.
    Moved,
    /// (from, to) -> (d): the displacement between two quaternions, at most pi long.
    Difference,
    /// (quaternion) -> (R): the rotation matrix of a quaternion of any length.
    RotationMatrix,
    /// (M, J, f, gamma, J_c, terms, slips, joints, v, active, rates, gamma_c) -> (a, lambda, F, friction, modes, forces of
    /// joints, held): the motion in which the laws of contacts and dry joints hold. `terms` are all results of
    /// `friction_terms`, `slips` the numbers of sliding velocities, and `joints` those of the velocities of dry joints.
    /// Modes are 0 for an open contact, 1 for one that sticks, and 2 for one that slides.
    ContactMotion {
        /// True if rows may depend on each other.
        is_redundant: bool,
    },
    /// (M, J, K or nothing, f, gamma, J_c, terms, slips, joints, v, gaps, rates, h) -> (velocity, impulses, impulses of
    /// friction, residual): the velocity at the end of a step of length h, by impulses in which the laws hold.
    ContactImpact {
        /// True if rows may depend on each other.
        is_redundant: bool,
    },
}

/// The pivots of L D L^T.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pivots {
    /// The pivots that are the diagonal entries themselves.
    pub entries: View,
    /// The pivots from which something was subtracted.
    pub reduced: View,
    /// The diagonal entries of the reduced pivots.
    pub diagonal: View,
}

/// A constant of each precision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Constant {
    /// The constant of double precision.
    pub double: f64,
    /// The constant of single precision.
    pub single: f64,
}

/// A sum of entries and of absolute values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum {
    /// The arrays whose entries are added.
    pub entries: Vec<View>,
    /// The arrays whose absolute values are added.
    pub sizes: Vec<View>,
}

/// `factor * sum + least`
#[derive(Clone, PartialEq, Debug)]
pub struct Floor {
    /// The sum.
    pub sum: Sum,
    /// A constant.
    pub factor: Constant,
    /// A constant.
    pub least: Constant,
}

/// A condition on arrays.
#[allow(clippy::large_enum_variant)] // few are kept at once
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// A test that one function of the runtime makes in Rust: all other languages test whether all parts hold.
    Library {
        /// The name by which the printer of Rust knows the call.
        function: &'static str,
        /// A view for each argument in Rust.
        arguments: Vec<View>,
        /// The parts.
        parts: Vec<Condition>,
    },
    /// Every pivot exceeds the floor, and a reduced one exceeds the floor by more than a share of its diagonal entry.
    Pivots {
        /// The pivots.
        pivots: Pivots,
        /// A constant.
        share: Constant,
        /// The floor, or nothing for 0.
        floor: Option<Floor>,
    },
    /// A sum is at most a constant.
    AtMost(Sum, Constant),
    /// A sum of nonnegative numbers is at least a constant, or zero.
    ZeroOrAtLeast(Sum, Constant),
    /// A sum is finite.
    FiniteSum(Sum),
    /// Every pivot exceeds a share of its diagonal entry.
    Regular {
        /// The pivots.
        pivots: View,
        /// Their diagonal entries.
        diagonal: View,
        /// A constant.
        share: f64,
    },
    /// All entries are finite.
    Finite(Vec<View>),
    /// All of these hold.
    All(Vec<Condition>),
    /// This does not hold.
    Not(Box<Condition>),
    /// Every value has a size of at most `1 / times` of its limit.
    Within {
        /// The values.
        values: View,
        /// Their limits.
        limits: View,
        /// A constant.
        times: Constant,
    },
    /// A scalar is smaller than `factor` times another one.
    Below {
        /// The smaller one.
        left: View,
        /// The larger one.
        right: View,
        /// A constant.
        factor: f64,
    },
    /// All entries of two arrays are equal.
    Equal(View, View),
    /// A scalar has this value.
    Is(View, f64),
}

/// A step of a routine.
#[allow(clippy::large_enum_variant)] // few are kept at once
#[derive(Clone, Debug)]
pub enum Step {
    /// Straight-line code.
    Compute(Compute),
    /// Another routine. Its error ends this one.
    Call {
        /// Its name.
        routine: String,
        /// A contiguous view for each argument.
        arguments: Vec<View>,
        /// A contiguous view for each result.
        results: Vec<View>,
        /// True if its error is ignored. Then the results stay as they were.
        is_tried: bool,
    },
    /// A dense operation. Its error ends the routine.
    Kernel {
        /// The operation.
        kernel: Kernel,
        /// A contiguous view for each argument.
        arguments: Vec<View>,
        /// A contiguous view for each result.
        results: Vec<View>,
    },
    /// A copy.
    Copy {
        /// The source.
        from: View,
        /// The place of the same shape, or of the transposed one.
        to: View,
        /// True if rows become columns.
        is_transposed: bool,
        /// True if 0 - x is written and not x.
        is_negated: bool,
    },
    /// The same value for all entries.
    Fill {
        /// The place.
        to: View,
        /// The value.
        value: f64,
    },
    /// Ones on the diagonal of zeros.
    Identity {
        /// The place.
        to: View,
    },
    /// to += factor * by * from
    Add {
        /// The source.
        from: View,
        /// The place of the same shape.
        to: View,
        /// A constant.
        factor: f64,
        /// A scalar, or nothing for 1.
        by: Option<View>,
    },
    /// to += left * right
    Multiply {
        /// The left matrix.
        left: View,
        /// The right matrix.
        right: View,
        /// The place.
        to: View,
    },
    /// Steps for each of the rows, with a unit vector for the row.
    ForEachRow {
        /// The number of rows.
        rows: usize,
        /// The place of the unit vector.
        unit: View,
        /// The steps.
        steps: Vec<Step>,
    },
    /// Steps that are repeated, until one of them is a `Break`.
    Loop {
        /// The largest number of passes.
        most: usize,
        /// The steps.
        steps: Vec<Step>,
    },
    /// Ends the enclosing loop.
    Break,
    /// Ends with the error of this number, unless it is 0.
    Fail(View),
    /// Steps if a condition holds.
    If {
        /// The condition.
        condition: Condition,
        /// The steps.
        then: Vec<Step>,
    },
    /// Steps whose large arrays Rust puts into a frame of its own, which ends before the next step.
    Apart {
        /// The local arrays that later steps read.
        results: Vec<View>,
        /// The steps.
        steps: Vec<Step>,
    },
    /// Steps that one function of the runtime, or a method of several others, does in Rust: all other languages run the
    /// steps.
    Library {
        /// The name by which the printer of Rust knows the call.
        function: &'static str,
        /// A view for each argument in Rust.
        arguments: Vec<View>,
        /// A whole array for each result of the function. The steps write them, and later steps of Rust read nothing else of
        /// theirs.
        results: Vec<View>,
        /// The steps.
        steps: Vec<Step>,
    },
    /// Ends with `NotFinite` unless all entries are finite.
    RequireFinite(Vec<View>),
    /// Ends the routine.
    Return,
}

impl Kernel {
    /// The equations that it solves.
    pub fn equations(self) -> Option<Equations> {
        match self {
            Self::Solve(equations)
            | Self::SolveUnchecked(equations)
            | Self::TrySolve(equations) => Some(equations),
            _ => None,
        }
    }
}

impl Kernel {
    /// The numbers of contacts and of dry joints, if the operation is that of their laws.
    pub(crate) fn laws(self, arguments: &[View]) -> Option<(usize, usize)> {
        let of_contacts = match self {
            Self::ContactMotion { .. } => 4,
            Self::ContactImpact { .. } => 5,
            _ => return None,
        };
        Some((
            arguments[of_contacts].rows,
            arguments[of_contacts + 3].len(),
        ))
    }

    /// n and c, if the operation factors matrices of this size.
    pub(crate) fn sizes(self, arguments: &[View]) -> Option<(usize, usize)> {
        match self {
            Self::NullSpace(_) => Some((arguments[0].columns, arguments[0].rows)),
            Self::IsClear | Self::ContactMotion { .. } | Self::ContactImpact { .. } => {
                Some((arguments[0].rows, arguments[1].rows))
            }
            _ => self
                .equations()
                .map(|_| (arguments[0].rows, arguments[1].rows)),
        }
    }
}

impl Equations {
    /// The equations of derivatives: rows that depend on each other agree only on the constraints.
    pub(in crate::codegen) fn of_derivatives(self) -> Self {
        match self {
            Self::Redundant => Self::Independent,
            Self::ReactingRedundant => Self::ReactingIndependent,
            others => others,
        }
    }

    /// The number of its matrices.
    pub(crate) fn count(self) -> usize {
        if self.reacts() { 3 } else { 2 }
    }

    /// True if K need not be J^T.
    pub(crate) fn reacts(self) -> bool {
        match self {
            Self::Regular | Self::Independent | Self::LeastSquares { .. } | Self::Redundant => {
                false
            }
            Self::Reacting | Self::ReactingIndependent | Self::ReactingRedundant => true,
        }
    }

    /// True if rows of J may depend on each other.
    pub(crate) fn may_depend(self) -> bool {
        !matches!(self, Self::Regular | Self::Reacting)
    }

    /// True if dependent rows must hold, and have multipliers.
    pub(crate) fn spreads(self) -> bool {
        matches!(self, Self::Redundant | Self::ReactingRedundant)
    }
}

impl Constant {
    /// The same constant in both precisions.
    pub(in crate::codegen) fn exact(value: f64) -> Self {
        Self {
            double: value,
            single: value,
        }
    }
}

impl Sum {
    /// The sum of the entries of these arrays.
    pub(in crate::codegen) fn of(entries: Vec<View>) -> Self {
        Self {
            entries,
            sizes: Vec::new(),
        }
    }

    /// The arrays whose entries or absolute values are added.
    fn views(&self) -> impl Iterator<Item = View> {
        self.entries.iter().chain(&self.sizes).copied()
    }
}

impl View {
    /// A whole array of `length` entries, as one row.
    pub fn whole(array: Array, length: usize) -> Self {
        Self::matrix(array, 1, length)
    }

    /// A whole array as a matrix.
    pub fn matrix(array: Array, rows: usize, columns: usize) -> Self {
        Self {
            array,
            offset: 0,
            rows,
            columns,
            stride: columns,
            advance: 0,
        }
    }

    /// The number of entries.
    pub fn len(self) -> usize {
        self.rows * self.columns
    }

    /// Returns whether there is no entry.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// `length` entries of a row, from the first one on.
    #[must_use]
    pub fn part(self, first: usize, length: usize) -> Self {
        Self {
            offset: self.offset + first,
            rows: 1,
            columns: length,
            ..self
        }
    }

    /// A block of a matrix.
    #[must_use]
    pub fn block(self, (row, column): (usize, usize), rows: usize, columns: usize) -> Self {
        Self {
            offset: self.offset + row * self.stride + column,
            rows,
            columns,
            ..self
        }
    }

    /// The same, with an offset that grows with the passes of a loop.
    #[must_use]
    pub fn advancing(self, advance: usize) -> Self {
        Self { advance, ..self }
    }

    /// The entry at a row and a column, at this pass of the enclosing loop.
    pub fn at(self, row: usize, column: usize, pass: usize) -> usize {
        self.offset + pass * self.advance + row * self.stride + column
    }
}

impl Input {
    /// The kind of a symbol and its number; `None` for a parameter.
    pub fn of(symbol: Symbol) -> Option<(Self, usize)> {
        let (input, index) = match symbol {
            Symbol::Time => (Self::Time, 0),
            Symbol::Coordinate(i) => (Self::Coordinates, i),
            Symbol::Velocity(i) => (Self::Velocities, i),
            Symbol::Acceleration(i) => (Self::Accelerations, i),
            Symbol::State(i) => (Self::States, i),
            Symbol::Input(i) => (Self::Inputs, i),
            Symbol::Multiplier(i) => (Self::Multipliers, i),
            Symbol::Momentum(i) => (Self::Momenta, i),
            Symbol::Weight(i) => (Self::Weights, i),
            Symbol::Parameter(_) | Symbol::StateRate(_) => return None,
        };
        Some((input, index as usize))
    }
}

impl Compute {
    /// Straight-line code with the arrays among these that its instructions and writes read.
    pub(in crate::codegen) fn new(
        schedule: Schedule,
        mut reads: Vec<(Input, View)>,
        writes: Vec<Write>,
    ) -> Self {
        let operands = schedule
            .instructions
            .iter()
            .flat_map(Instruction::operands)
            .chain(schedule.roots.iter().copied())
            .chain(writes.iter().flat_map(|write| write.values.iter().copied()));
        let used: HashSet<Input> = operands
            .filter_map(|operand| match operand {
                Operand::Symbol(symbol) => Some(Input::of(symbol)?.0),
                _ => None,
            })
            .collect();
        reads.retain(|(input, _)| used.contains(input));
        Self {
            schedule,
            reads,
            writes,
        }
    }
}

impl Routine {
    /// Calls `visit` for every step, including those within steps.
    pub fn for_each_step<'a>(&'a self, visit: &mut impl FnMut(&'a Step)) {
        for_each(&self.steps, visit);
    }

    /// The same with the steps that calls of the runtime replace, without these calls.
    #[must_use]
    pub(super) fn with_library_steps(mut self) -> Self {
        self.steps = without_calls(self.steps);
        self.without_unread()
    }

    /// The same with calls of the runtime only, without the steps that they replace.
    #[must_use]
    pub fn with_library_calls(mut self) -> Self {
        drop_replaced(&mut self.steps);
        self.without_unread()
    }
}

fn without_calls(steps: Vec<Step>) -> Vec<Step> {
    let mut flat = Vec::new();
    for mut step in steps {
        match step {
            Step::Library { steps, .. } => flat.extend(without_calls(steps)),
            Step::ForEachRow { ref mut steps, .. }
            | Step::Apart { ref mut steps, .. }
            | Step::Loop { ref mut steps, .. }
            | Step::If {
                then: ref mut steps,
                ..
            } => {
                *steps = without_calls(std::mem::take(steps));
                flat.push(step);
            }
            _ => flat.push(step),
        }
    }
    flat
}

fn drop_replaced(steps: &mut [Step]) {
    for step in steps {
        match step {
            Step::Library { steps, .. } => steps.clear(),
            Step::ForEachRow { steps, .. }
            | Step::Apart { steps, .. }
            | Step::Loop { steps, .. }
            | Step::If { then: steps, .. } => drop_replaced(steps),
            _ => {}
        }
    }
}

fn for_each<'a>(steps: &'a [Step], visit: &mut impl FnMut(&'a Step)) {
    for step in steps {
        visit(step);
        match step {
            Step::ForEachRow { steps, .. }
            | Step::Apart { steps, .. }
            | Step::Library { steps, .. }
            | Step::Loop { steps, .. }
            | Step::If { then: steps, .. } => for_each(steps, visit),
            _ => {}
        }
    }
}
