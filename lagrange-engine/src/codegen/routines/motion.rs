//! The solution of the equations of motion, and methods that use it.

use super::attempt::Attempt;
use super::builder::{Builder, STATE, set};
use super::system::{Routines, private};
use crate::codegen::Routine;
use crate::codegen::routine::{Condition, Equations, Input, Kernel, Step, View};
use crate::{Instruction, Operand, Quantity, Schedule, Shape, Symbol};

/// The equations of motion, and the locals for their matrices, f and gamma by the methods for each.
pub(super) fn terms(builder: &mut Builder, is_checked: bool) -> (Equations, Vec<View>) {
    let (equations, mut terms) = equations(builder, is_checked);
    terms.extend(right_side(builder));
    (equations, terms)
}

/// Locals with f and gamma.
pub(super) fn right_side(builder: &mut Builder) -> [View; 2] {
    let sizes = builder.routines.sizes();
    let forcing = builder.local(1, sizes.velocities);
    builder.call_with("forcing", &STATE, &[forcing]);
    let gamma = builder.local(1, sizes.constraints);
    if sizes.constraints > 0 {
        builder.call_with("constraint_gamma", &["q", "v"], &[gamma]);
    }
    [forcing, gamma]
}

/// The equations of motion and the locals for their matrices; for solves with a check, rows of J that are rounding errors
/// are zeros.
pub(super) fn equations(builder: &mut Builder, is_checked: bool) -> (Equations, Vec<View>) {
    let mut matrices = match is_checked {
        true => ranked_matrices(builder),
        false => matrices(builder),
    }
    .to_vec();
    if !builder.routines.reacts() {
        return (builder.routines.equations(), matrices);
    }
    // K = J^T + B
    let jacobian = matrices[1];
    let (n, c) = (jacobian.columns, jacobian.rows);
    let reactions = builder.local(n, c);
    builder.apart(&[reactions], |builder| {
        builder.transpose(jacobian, reactions);
        let forces = multiplier_forces(builder);
        builder.add(1.0, forces.block((0, 0), n, c), reactions);
    });
    matrices.push(reactions);
    (Equations::Reacting, matrices)
}

/// The local B, with the columns of the constraints first.
pub(super) fn multiplier_forces(builder: &mut Builder) -> View {
    let sizes = builder.routines.sizes();
    let columns = sizes.constraints + sizes.contacts;
    let forces = builder.local(sizes.velocities, columns);
    builder.call_with("multiplier_forces", &STATE, &[forces]);
    forces
}

/// The locals M and J by the methods for each.
pub(super) fn matrices(builder: &mut Builder) -> [View; 2] {
    matrices_by(builder, "constraint_jacobian")
}

/// The same for solves with a check: rows of J that are rounding errors are zeros.
pub(super) fn ranked_matrices(builder: &mut Builder) -> [View; 2] {
    matrices_by(builder, private::JACOBIAN)
}

fn matrices_by(builder: &mut Builder, of_constraints: &str) -> [View; 2] {
    let sizes = builder.routines.sizes();
    let (n, c) = (sizes.velocities, sizes.constraints);
    let mass = builder.local(n, n);
    builder.call_with("mass_matrix", arguments_of_mass(builder.routines), &[mass]);
    let jacobian = builder.local(c, n);
    if c > 0 {
        builder.call_with(of_constraints, &["q"], &[jacobian]);
    }
    [mass, jacobian]
}

pub(super) fn arguments_of_mass(routines: &Routines) -> &'static [&'static str] {
    if routines.dynamics.is_natural() {
        &["q"]
    } else {
        &["q", "v"]
    }
}

/// Solves these equations, whose matrices, f and gamma are `terms`, for a and lambda. The result is the rank of J in a
/// local array, if it has one.
pub(super) fn solved(
    builder: &mut Builder,
    kernel: impl Fn(Equations) -> Kernel,
    (equations, terms): (Equations, Vec<View>),
    [a, lambda]: [View; 2],
) -> Option<View> {
    let rank = equations.spreads().then(|| builder.local(1, 1));
    let results: Vec<View> = [a, lambda].into_iter().chain(rank).collect();
    builder.kernel(kernel(equations), &terms, &results);
    rank
}

/// Replaces the arguments q and v by a state with a clear rank of J, if rows may depend on each other. Beside the
/// constraints, rows are slightly independent that depend on each other on them.
pub(super) fn move_to_clear(builder: &mut Builder) {
    if builder.routines.equations() != Equations::Redundant {
        return;
    }
    let moved = [("q", builder.argument("q")), ("v", builder.argument("v"))]
        .map(|(name, view)| (name, builder.local(1, view.len())));
    builder.call_with(private::CLEAR, &["q", "v"], &moved.map(|(_, view)| view));
    for (name, view) in moved {
        builder.replace(name, view);
    }
}

/// The state that the runtime solves for: that of `project`, if the rank of J is not clear here and it has one.
pub(super) fn clear(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let mut builder = Builder::new(routines, private::CLEAR, &["q", "v"]);
    let results = [
        builder.vector("q_end", sizes.coordinates),
        builder.vector("v_end", sizes.velocities),
    ];
    let [q, v] = ["q", "v"].map(|name| builder.argument(name));
    let [mass, jacobian] = ranked_matrices(&mut builder);
    let rates = builder.local(1, sizes.constraints);
    builder.call_with("constraint_velocity", &["q", "v"], &[rates]);
    let is_clear = builder.local(1, 1);
    builder.kernel(Kernel::IsClear, &[mass, jacobian, v, rates], &[is_clear]);
    let copy = |builder: &mut Builder| {
        builder.copy(q, results[0]);
        builder.copy(v, results[1]);
    };
    builder.when(Condition::Is(is_clear, 1.0), |builder| {
        copy(builder);
        builder.step(Step::Return);
    });
    copy(&mut builder);
    let arguments = builder.arguments(&["q", "v"]);
    builder.try_call("project", arguments, &results);
    builder.finish()
}

/// a and lambda by pivoting alone, and the rank of J if rows may depend on each other.
pub(super) fn pivoted(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let mut builder = Builder::new(routines, private::PIVOTED, &STATE).fallible();
    let a = builder.vector("a", sizes.velocities);
    let lambda = builder.vector("lambda", sizes.constraints);
    if routines.equations() == Equations::Redundant {
        let arguments = builder.arguments(&STATE);
        builder.step(Step::RequireFinite(arguments));
        let rank = builder.result("rank", Shape::Scalar);
        move_to_clear(&mut builder);
        let terms = terms(&mut builder, true);
        if let Some(rank_of_solution) = solved(&mut builder, Kernel::Solve, terms, [a, lambda]) {
            builder.copy(rank_of_solution, rank);
        }
    } else {
        solve_by_pivoting(&mut builder, [a, lambda]);
    }
    builder.finish()
}

fn solve_by_pivoting(builder: &mut Builder, results: [View; 2]) {
    let arguments = builder.arguments(&STATE);
    builder.step(Step::RequireFinite(arguments));
    let terms = terms(builder, true);
    solved(builder, Kernel::Solve, terms, results);
}

/// a, lambda and the rank of J. The unrolled solution leaves out the rows that are zero by structure; it is accepted only
/// if the others clearly do not depend on each other.
pub(super) fn redundant(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let mut builder = Builder::new(routines, private::SOLVED, &STATE).fallible();
    let a = builder.vector("a", sizes.velocities);
    let lambda = builder.vector("lambda", sizes.constraints);
    let rank = builder.result("rank", Shape::Scalar);
    if let Some(attempt) = Attempt::of(&mut builder) {
        let accepted = Condition::All(vec![attempt.clear, attempt.accepted]);
        builder.when(accepted, |builder| {
            builder.copy(attempt.solution, a);
            builder.copy(attempt.multipliers, lambda);
            builder.fill(rank, routines.dynamics.constraint_rank() as f64);
            builder.step(Step::Return);
        });
    }
    builder.call_with(private::PIVOTED, &STATE, &[a, lambda, rank]);
    builder.finish()
}

/// a and lambda of `solve`, without the rank of J.
pub(super) fn call_solve(builder: &mut Builder, [a, lambda]: [View; 2]) {
    if builder.routines.equations() == Equations::Redundant {
        let rank = builder.local(1, 1);
        builder.call_with(private::SOLVED, &STATE, &[a, lambda, rank]);
    } else {
        builder.call_with("solve", &STATE, &[a, lambda]);
    }
}

/// The unrolled solution if it is accepted, else the pivoted one.
fn checked(builder: &mut Builder, a: View, lambda: View) {
    let Some(attempt) = Attempt::refined(builder) else {
        return solve_by_pivoting(builder, [a, lambda]);
    };
    builder.when(attempt.accepted, |builder| {
        builder.copy(attempt.solution, a);
        builder.copy(attempt.multipliers, lambda);
        builder.step(Step::Return);
    });
    builder.call_with(private::PIVOTED, &STATE, &[a, lambda]);
}

pub(super) fn solve(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let mut builder = Builder::new(routines, "solve", &STATE).fallible();
    let a = builder.vector("a", sizes.velocities);
    let lambda = builder.vector("lambda", sizes.constraints);
    if routines.equations() == Equations::Redundant {
        let (result, rank) = (builder.count("rank"), builder.local(1, 1));
        builder.call_with(private::SOLVED, &STATE, &[a, lambda, rank]);
        builder.copy(rank, result);
    } else {
        checked(&mut builder, a, lambda);
    }
    builder.finish()
}

pub(super) fn acceleration(routines: &Routines) -> Routine {
    let mut builder = Builder::new(routines, "acceleration", &STATE).fallible();
    let a = builder.vector("a", routines.sizes().velocities);
    let none = builder.local(1, 0);
    checked(&mut builder, a, none);
    builder.finish()
}

/// `solve` by `acceleration`, without constraints.
pub(super) fn solve_without_constraints(routines: &Routines) -> Routine {
    let mut builder = Builder::new(routines, "solve", &STATE).fallible();
    let a = builder.vector("a", routines.sizes().velocities);
    builder.vector("lambda", 0);
    builder.call_with("acceleration", &STATE, &[a]);
    builder.finish()
}

/// `acceleration` by `solve`, with constraints.
pub(super) fn acceleration_of_solution(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let mut builder = Builder::new(routines, "acceleration", &STATE).fallible();
    let a = builder.vector("a", sizes.velocities);
    let lambda = builder.local(1, sizes.constraints);
    call_solve(&mut builder, [a, lambda]);
    builder.finish()
}

pub(super) fn unchecked(routines: &Routines) -> Routine {
    let mut builder = Builder::new(routines, "acceleration_unchecked", &STATE);
    let a = builder.vector("a", routines.sizes().velocities);
    match Attempt::of(&mut builder) {
        Some(attempt) => {
            builder.when(attempt.regular, |builder| {
                builder.copy(attempt.solution, a);
                builder.step(Step::Return);
            });
            builder.call_with(private::PIVOTED_UNCHECKED, &STATE, &[a]);
        }
        None => solve_by_pivoting_unchecked(&mut builder, a),
    }
    builder.finish()
}

/// a by pivoting alone, without a check.
pub(super) fn pivoted_unchecked(routines: &Routines) -> Routine {
    let mut builder = Builder::new(routines, private::PIVOTED_UNCHECKED, &STATE);
    let a = builder.vector("a", routines.sizes().velocities);
    solve_by_pivoting_unchecked(&mut builder, a);
    builder.finish()
}

fn solve_by_pivoting_unchecked(builder: &mut Builder, a: View) {
    let terms = terms(builder, false);
    let lambda = builder.local(1, builder.routines.sizes().constraints);
    solved(builder, Kernel::SolveUnchecked, terms, [a, lambda]);
}

/// [dq/dt; a; dz/dt] of y = [q; v; z].
pub(super) fn state_derivative(routines: &Routines, acceleration: &str) -> Routine {
    let sizes = routines.sizes();
    let (m, n, states) = (sizes.coordinates, sizes.velocities, sizes.states);
    let is_checked = acceleration == "acceleration";
    let name = if is_checked {
        "state_derivative"
    } else {
        "state_derivative_unchecked"
    };
    let builder = Builder::new(routines, name, &["y", "u"]);
    let mut builder = if is_checked {
        builder.fallible()
    } else {
        builder
    };
    let y = builder.argument("y");
    if is_checked && states > 0 {
        // The rates come first, and the error names an argument before the result.
        let tested = builder.arguments(&["y", "u"]);
        builder.step(Step::RequireFinite(tested));
    }
    builder.replace("q", y.part(0, m));
    builder.replace("v", y.part(m, n));
    if states > 0 {
        builder.replace("z", y.part(m + n, states));
    }
    let rate = builder.vector("rate", m + n + states);
    let of_states = state_rates(&mut builder, is_checked);
    builder.call_with(acceleration, &STATE, &[rate.part(m, n)]);
    let state = (builder.argument("q"), builder.argument("v"));
    coordinate_rates(&mut builder, state, rate.part(0, m));
    if let Some(of_states) = of_states {
        builder.copy(of_states, rate.part(m + n, states));
    }
    builder.finish()
}

/// dz/dt in a local array, finite if that is checked; `None` without first-order states.
fn state_rates(builder: &mut Builder, is_checked: bool) -> Option<View> {
    let states = builder.routines.sizes().states;
    if states == 0 {
        return None;
    }
    let rates = builder.local(1, states);
    builder.call_with("state_rates", &STATE, &[rates]);
    if is_checked {
        builder.step(Step::RequireFinite(vec![rates]));
    }
    Some(rates)
}

/// dq/dt of a state: v, except for rotations.
pub(super) fn coordinate_rates(builder: &mut Builder, (q, v): (View, View), to: View) {
    if builder.routines.dynamics.kinematics().is_trivial() {
        builder.copy(v, to);
    } else {
        let arguments = builder.given("t").into_iter().chain([q, v]).collect();
        builder.call("coordinate_rates", arguments, &[to]);
    }
}

/// [I 0 0; 0 M -K; 0 J 0], where K is J^T unless forces depend on multipliers.
pub(super) fn mass_matrix_full(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (m, n, c) = (sizes.coordinates, sizes.velocities, sizes.constraints);
    let arguments = match routines.reacts() {
        true => &STATE[..],
        false => arguments_of_mass(routines),
    };
    let mut builder = Builder::new(routines, "mass_matrix_full", arguments);
    let full = builder.matrix("A", m + n + c, m + n + c);
    builder.fill(full, 0.0);
    let (_, matrices) = equations(&mut builder, false);
    let (mass, jacobian) = (matrices[0], matrices[1]);
    let reactions = matrices.get(2).copied().unwrap_or_else(|| {
        let columns = builder.local(n, c);
        builder.transpose(jacobian, columns);
        columns
    });
    let identity = full.block((0, 0), m, m);
    builder.step(Step::Identity { to: identity });
    builder.copy(mass, full.block((m, m), n, n));
    builder.copy(jacobian, full.block((m + n, m), c, n));
    // 0 - x: a zero has no sign.
    builder.add(-1.0, reactions, full.block((m, m + n), n, c));
    builder.finish()
}

/// [dq/dt; f; gamma]
pub(super) fn forcing_full(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (m, n, c) = (sizes.coordinates, sizes.velocities, sizes.constraints);
    let mut builder = Builder::new(routines, "forcing_full", &STATE);
    let full = builder.vector("b", m + n + c);
    let state = (builder.argument("q"), builder.argument("v"));
    coordinate_rates(&mut builder, state, full.part(0, m));
    builder.call_with("forcing", &STATE, &[full.part(m, n)]);
    if c > 0 {
        builder.call_with("constraint_gamma", &["q", "v"], &[full.part(m + n, c)]);
    }
    builder.finish()
}

/// J^T lambda
pub(super) fn constraint_forces(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c) = (sizes.velocities, sizes.constraints);
    let mut builder = Builder::new(routines, "constraint_forces", &STATE).fallible();
    let forces = builder.vector("forces", n);
    let (a, lambda) = (builder.local(1, n), builder.local(1, c));
    call_solve(&mut builder, [a, lambda]);
    let (jacobian, sums) = (builder.local(c, n), builder.local(1, n));
    builder.apart(&[sums], |builder| {
        builder.call_with("constraint_jacobian", &["q"], &[jacobian]);
        let mut product = reactions(routines);
        let reads = [(Input::Weights, jacobian), (Input::Multipliers, lambda)];
        let writes = vec![set(sums, &std::mem::take(&mut product.roots))];
        builder.compute(product, &reads, writes);
    });
    builder.step(Step::RequireFinite(vec![sums]));
    builder.copy(sums, forces);
    builder.finish()
}

/// J^T lambda by the entries of J that are not zero by structure.
fn reactions(routines: &Routines) -> Schedule {
    let sizes = routines.sizes();
    let (n, c) = (sizes.velocities, sizes.constraints);
    let jacobian = routines.dynamics.expressions(Quantity::ConstraintJacobian);
    let graph = routines.dynamics.graph();
    let mut product = Schedule::default();
    for i in 0..n {
        let mut sum = Operand::Constant(0.0);
        for k in (0..c).filter(|k| !graph.is_zero(jacobian[k * n + i])) {
            let entry = Operand::Symbol(Symbol::Weight((k * n + i) as u32));
            let multiplier = Operand::Symbol(Symbol::Multiplier(k as u32));
            let next = product.instructions.len() as u32;
            product.instructions.push(match sum {
                Operand::Constant(_) => Instruction::Mul(entry, multiplier),
                sum => Instruction::MulAdd(entry, multiplier, sum),
            });
            sum = Operand::Temporary(next);
        }
        product.roots.push(sum);
    }
    product
}
