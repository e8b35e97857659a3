//! The cost model of printed Rust: every threshold by which its text is traded for speed, or for the time and memory of
//! rustc. Those of the code itself are in the engine's `cost_model.rs`.
//!
//! `benches/instructions` shows the effect on speed, `benches/compile_time` that on rustc, `tests/embedded/run` that on code
//! size.

/// Statements that get a `let` of their own; of more, the temporaries are declared in tuples of this length. rustc nests
/// what follows a `let` into its scope, and overflows its stack on thousands.
pub(super) const STATEMENTS_WITH_LETS: usize = 200;
/// A function that is called this often is bound to a name, `let __mul_add = __rt::math::mul_add::<S>;`: rustc then checks
/// once whether S fits it, and not at every call, which is a quarter of the time of its type checks.
pub(super) const CALLS_BOUND: usize = 4;
/// Expressions written within each other, which rustc checks by recursion.
pub(super) const MOST_NESTED: usize = 8;
/// When this many values wait to be read, the first half gets names: most values are read at once or not for long, and the
/// waiting ones are searched for each operand.
pub(super) const MOST_WAITING: usize = 32;

/// Angles in one call of `sin_cos_abreast`.
pub(super) const MOST_ANGLES: usize = 8;
/// Instructions that are moved to the front with an angle, on average: more would wait in registers.
pub(super) const MOST_BEFORE_ANGLE: usize = 4;

/// Matrices of more entries together are not returned by value where they can be written in place.
pub(super) const MOST_RETURNED: usize = 1024;
/// Entries of a matrix that are borrowed one by one to be written. A debug build keeps each borrow until the function ends:
/// this many take 64 KiB of stack. Indices need none, and take rustc ten times as long.
pub(super) const MOST_BORROWED: usize = 8192;

/// Operations that are worth a copy in each method that needs them,
pub(super) const MOST_COPIED: u32 = 400;
/// and for few velocities, whose accelerations all stay in registers until the last one is known.
pub(super) const MOST_COPIED_OF_FEW: u32 = 1200;
/// Velocities that are few.
pub(super) const FEW_VELOCITIES: usize = 12;
/// Terms of at most this many operations are computed again by the pivoted solve.
pub(super) const MOST_TWICE: u32 = 300;
/// A factorisation for the velocities of momenta of more operations is a loop: it is as good, and its text costs every user
/// of the system time.
pub(super) const MOST_UNROLLED_MOMENTA: u32 = 300;
