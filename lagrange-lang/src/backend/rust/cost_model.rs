//! The cost model of the printed Rust: every threshold that trades its text for speed, or for time and memory of
//! rustc. The thresholds of the code itself are in the `cost_model.rs` of the engine.
//!
//! `benches/instructions` shows the effect on speed, `benches/compile_time` that on rustc, `tests/embedded/run` that on code
//! size.

/// Number of statements that get their own `let`. With more statements, the temporaries are declared in tuples of
/// this length. rustc nests the code after a `let` into its scope, and thousands of scopes overflow its stack.
pub(super) const STATEMENTS_WITH_LETS: usize = 200;
/// Number of calls from which a function is bound to a name, `let __mul_add = __rt::math::mul_add::<S>;`. rustc
/// then checks once whether S satisfies the bounds, and not at every call. These checks take a quarter of the time
/// of type checking.
pub(super) const CALLS_BOUND: usize = 4;
/// Maximum nesting of expressions, because rustc checks them recursively.
pub(super) const MOST_NESTED: usize = 8;
/// Maximum number of values that wait to be read. At this number the first half gets names. Most values are read
/// soon, and every operand searches the waiting values.
pub(super) const MOST_WAITING: usize = 32;

/// Number of angles in one call of `sin_cos_abreast`.
pub(super) const MOST_ANGLES: usize = 8;
/// Number of instructions that are moved to the front with an angle, on average. More of them would occupy
/// registers.
pub(super) const MOST_BEFORE_ANGLE: usize = 4;

/// Total number of entries above which matrices are written in place instead of returned by value, if possible.
pub(super) const MOST_RETURNED: usize = 1024;
/// Number of entries of a matrix that are borrowed one by one for writing. A debug build keeps each borrow until
/// the function ends, so this number takes 64 KiB of stack. Indices need no stack, but take rustc ten times as
/// long.
pub(super) const MOST_BORROWED: usize = 8192;

/// Number of operations up to which each method that needs the terms gets a copy.
pub(super) const MOST_COPIED: u32 = 400;
/// The same limit for few velocities. Their accelerations all stay in registers until the last one is known.
pub(super) const MOST_COPIED_OF_FEW: u32 = 1200;
/// Number of velocities that counts as few.
pub(super) const FEW_VELOCITIES: usize = 12;
/// Copies and sums of up to this many entries are statements, longer ones are loops.
pub(super) const MOST_STATEMENTS: usize = 8;
