//! The cost model: every threshold that trades operations for speed, for length of code, or for time to derive it.
//!
//! Each section names the command that shows the effect of its constants. Change one, run the command before and after, and
//! compare the operation counts that `cargo test -p lagrange-lang operations` keeps.
//!
//! The limits of declarations are in `lagrange-lang/src/lower/budget.rs`.

// Processor. Cycles from operands to result on recent x86-64 and AArch64 (Fog, *Instruction tables*, Technical
// University of Denmark, 2022). They decide whether a shorter critical path pays: `benches/instructions` counts its
// cost, `cargo bench -p lagrangian-benches --bench acceleration` times its gain.

/// Latency of a sum or product, in cycles.
pub(crate) const SUM_OR_PRODUCT_CYCLES: u32 = 4;
/// Latency of a quotient, in cycles.
pub(crate) const QUOTIENT_CYCLES: u32 = 14;
/// Latency of a function or square root, in cycles.
pub(crate) const FUNCTION_CYCLES: u32 = 40;
/// Independent instructions completed in a cycle.
pub(crate) const INSTRUCTIONS_IN_A_CYCLE: usize = 4;

// Unrolled solutions: `benches/instructions`, and `benches/compile_time` for the length of code.

/// A solution of at most this many operations is always unrolled.
pub(crate) const ALWAYS_UNROLLED: usize = 4000;
/// A solution of more operations is never unrolled: it would crowd the instruction cache and the compiler. Between the two
/// bounds it is unrolled if it takes at most half of the operations of a loop.
pub(crate) const NEVER_UNROLLED: usize = 30_000;
/// Unrolled derivatives of the solution of at most this many operations are always taken: without and with constraints.
pub(crate) const DERIVATIVES_ALWAYS_UNROLLED: [usize; 2] = [700, 1000];
/// Unrolled derivatives of more operations are never taken.
pub(crate) const DERIVATIVES_NEVER_UNROLLED: usize = 3000;
/// Between the two bounds they take at most this fraction of the operations of loops over full matrices, which solve
/// for several columns at once.
pub(crate) const DERIVATIVES_SHARE: usize = 3;
/// Derivatives by inputs that act on one velocity each are unrolled up to this many operations.
pub(crate) const MOST_BY_INPUT: usize = 500;
/// One program for the solution and its derivatives has at most this many operations; longer ones are methods that call each
/// other.
pub(crate) const MOST_OF_SENSITIVITIES: u32 = 6_000;
/// No such program is tried if its expressions are estimated to take more operations when simplified.
pub(crate) const MOST_SIMPLIFIED_SENSITIVITIES: usize = 7_500;
/// No such program is tried if the derivatives of M a + h have more pairs of a node and a variable: at least half of the pairs
/// become operations.
pub(crate) const MOST_PAIRS_OF_SENSITIVITIES: usize = 12_000;

// Accuracy of unrolled solutions: `cargo test -p lagrange-runtime accuracy`.

/// From this many constraints on the solution is refined once before its derivatives are computed; the second number
/// holds if constraints give velocities (some states of chains of three rods need it, and most of chains of five).
pub(crate) const REFINED_WITH_DERIVATIVES: [usize; 2] = [4, 6];
/// The same for the solution alone, for which a step of refinement costs relatively more (with velocities given by
/// constraints, three rods need it at one state of twenty).
pub(crate) const REFINED_ALONE: [usize; 2] = [8, 6];
/// A constraint with more terms gives no velocity: the sum may lose more digits than an equation may.
pub(crate) const MOST_TERMS_OF_DEPENDENT: usize = 16;

// Choice between forms of a solution: `benches/instructions`, and `cargo bench -p lagrangian-benches --bench acceleration`.

/// Without constraints and with more velocities than this the entries of M do not fit into registers.
pub(crate) const MOST_IN_REGISTERS: usize = 10;
/// A solution by M then takes longer by this part of its operations (for 18 velocities of a quadruped, 5 percent fewer
/// operations took 12 percent longer).
pub(crate) const SPILLED_PART: usize = 8;
/// A solution by all multipliers may take fewer operations, by up to this part, than one by coordinate partitioning and is
/// not taken: it has more pivots, each a division. The second number holds for many constraints, whose solution often has to
/// be refined. (A rolling ball: 10 percent more operations, 17 percent less time; scissor linkages of 5 and 10 stages: 18 and
/// 21 more, 35 and 40 less; 15 rods: 18 more, 18 less. A Stewart platform, where constraints give 3 of 18 velocities: 9 more
/// took a quarter longer.)
pub(crate) const PARTITIONED_PART: [usize; 2] = [8, 3];
/// The same for the derivatives of the solution.
pub(crate) const PARTITIONED_PART_OF_DERIVATIVES: u32 = 8;
/// A program without M is tried if its solution takes at most this fraction of another program; f and J are added to
/// it.
pub(crate) const TRIED_WITHOUT_MASS: [usize; 2] = [3, 4];
/// A program of at most this many operations is also tried with the unknowns in the order of the rows.
pub(crate) const MOST_REORDERED: u32 = 600;
/// If the first elimination along linear maps takes more than another program by this part, no other is tried: they differ in
/// how f is simplified, which saved at most a fifth in sixty systems.
pub(crate) const FAR_PART: usize = 4;

// Choice between forms of other quantities: `cargo test -p lagrange-lang operations` for the counts, `cargo bench -p
// lagrangian-benches --bench derive` for the time to derive.

/// Programs that are longer than the shortest one by at most this part are tried with grouped sums.
pub(crate) const GROUPED_PART: u32 = 16;
/// At most this many products are multiplied out on trial, one by one,
pub(crate) const MOST_PRODUCTS_TRIED: usize = 8;
/// in programs of at most this many operations,
pub(crate) const MOST_DISTRIBUTED: u32 = 300;
/// for this many of the shortest programs,
pub(crate) const PROGRAMS_DISTRIBUTED: usize = 2;
/// and in at most this many rounds, each of which must save operations.
pub(crate) const DISTRIBUTED_ROUNDS: usize = 8;
/// A derived expression is simplified unless it is longer than the shortest form by this factor and by this many operations:
/// simplification rarely makes up for more.
pub(crate) const DERIVED_MARGIN: [usize; 2] = [3, 64];
/// The same for long derived expressions, which cost more to simplify.
pub(crate) const LONG_DERIVED_MARGIN: [usize; 2] = [2, 64];
/// Expressions of more operations are long.
pub(crate) const LONG: usize = 1_500;
/// The same for simplified expressions before they become code, with the factor in quarters: among about a thousand
/// programs none with an estimate above 1.6 times the lowest one became the shortest.
pub(crate) const SIMPLIFIED_MARGIN: [usize; 2] = [7, 16];
/// The same for long simplified expressions, which cost more to become code.
pub(crate) const LONG_SIMPLIFIED_MARGIN: [usize; 2] = [6, 16];
/// The factors of both count these parts.
pub(crate) const QUARTERS: usize = 4;
/// The mass matrix of a form that differentiates M has at most this many nodes; other forms serve larger ones better.
pub(crate) const MOST_NODES_OF_MASS: usize = 150;
/// Derivatives of the equations are written out if M a + h has at most this many pairs of a node and a coordinate or velocity
/// that it contains: most pairs become an operation.
pub(crate) const MOST_PAIRS: usize = 4_000;
/// The same for the form with the fewest pairs: one long program is derived, and not one for each form.
pub(crate) const MOST_PAIRS_OF_FEWEST: usize = 15_000;
/// The same for second derivatives, by the pairs of the gradient: one form is enough. Row by row they take five to twenty
/// times as many operations.
pub(crate) const MOST_PAIRS_OF_HESSIAN: usize = 30_000;
/// An M a + h of at most this many operations is factored before it is differentiated: it pays only where little is shared.
pub(crate) const MOST_FACTORED: usize = 800;

// The test for a Coriolis matrix that is too long to be generated without a request (`MOST_CORIOLIS` of the macro),
// without its derivation: bounds by the nodes of T. `benches/growth` measures the time.

/// Operations of C for each operation of T and each velocity, at most.
pub(crate) const CORIOLIS_FOR_EACH: usize = 100;
/// Nodes derived for each allowed operation,
pub(crate) const NODES_FOR_EACH: usize = 2;
/// and in addition.
pub(crate) const MORE_NODES: usize = 1000;
/// Operations of code for each operation of its expressions without sharing, at most.
pub(crate) const CODE_FOR_EACH: usize = 2;
/// If simplification would have to shorten the code by more than this factor, it is not tried.
pub(crate) const SIMPLIFIED_FOR_EACH: u32 = 4;
/// Products are not multiplied out, and sums not grouped, if that would have to save this part: it saves a sixteenth at
/// most.
pub(crate) const SAVED_PART: u32 = 8;

// Time of common subexpression elimination and factoring: `benches/growth`.

/// Lists of more terms are excluded from the search for common pairs, which is quadratic in their length.
pub(crate) const MOST_TERMS_PAIRED: usize = 40;
/// The largest number of pairs of all lists together at the beginning; if there are more, the longest lists are
/// excluded.
pub(crate) const MOST_COMMON_PAIRS: usize = 1 << 19;
/// Sums of more terms are not multiplied into their factors.
pub(crate) const MOST_TERMS_DISTRIBUTED: usize = 8;
/// Sums of more terms are not searched for pairs in the readable equations.
pub(crate) const MOST_TERMS_READ: usize = 64;
/// Sums of more terms are not factored: the greedy choice is quadratic in the terms.
pub(crate) const MOST_TERMS_FACTORED: usize = 256;
/// Factors that one pass of factoring examines for each of its nodes,
pub(crate) const FACTORING_FOR_EACH_NODE: usize = 500;
/// and at least; later sums stay unchanged.
pub(crate) const LEAST_FACTORING: usize = 1_000_000;
/// Rounds in which sums are flattened into sums that use them alone.
pub(crate) const FLATTENING_ROUNDS: usize = 3;
/// Expressions of more nodes are simplified only after flattening.
pub(crate) const MOST_SIMPLIFIED_TWICE: usize = 600;
/// Expressions of more nodes are factored in one way only.
pub(crate) const MOST_FACTORED_IN_WAYS: usize = 900;
/// Factors of one node. The derivative of a product is quadratic in them, so a longer product is a product of products.
pub(crate) const MOST_FACTORS: usize = 32;

// Exported C: `tests/embedded/run` measures the code.

/// Copies and sums of up to this many entries are statements, longer ones are loops.
pub(crate) const MOST_STATEMENTS: usize = 6;

/// Number of operations up to which the factorisation for the velocities of momenta is unrolled. A longer one is a
/// loop, which is as fast, and whose text compiles faster for every user of the system.
pub(in crate::codegen) const MOST_UNROLLED_MOMENTA: u32 = 300;

// Exported CUDA: `benches/gpu/run` prints registers and spills.

/// Functions of more instructions are not copied to each of several calls. With fewer the copies have fewer spills than the
/// calls; with as many as a quadruped's acceleration, equally many, in more than twice the machine code.
pub(crate) const MOST_COPIED: usize = 2000;
