//! Projection of a state onto the constraints: the method of the runtime's `project`, with error bounds at every point.

use super::builder::Builder;
use super::jacobians::bounded;
use super::motion::{arguments_of_mass, ranked_matrices};
use super::system::{Routines, private};
use crate::Quantity;
use crate::codegen::Routine;
use crate::codegen::routine::{Condition, Kernel, Step, View};

/// The most steps of q.
const MOST_STEPS: usize = 100;

/// The most halvings of a step: a fraction below the least number is 0.
const MOST_HALVINGS: usize = 1100;

/// The same for residuals that are met: less than a thousandth of a step is no help.
const MOST_HALVINGS_OF_MET: usize = 10;

/// The most passes for v.
const MOST_PASSES: usize = 100;

/// The limit of a residual in error bounds.
const MULTIPLE: f64 = 4.0;

/// The number of `NotConverged`.
const NOT_CONVERGED: f64 = 3.0;

/// (q, v) moved onto the constraints.
pub(super) fn project(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let mut builder = Builder::new(routines, "project", &["q", "v"]).fallible();
    let q_end = builder.vector("q_end", sizes.coordinates);
    let v_end = builder.vector("v_end", sizes.velocities);
    let state = builder.arguments(&["q", "v"]);
    builder.step(Step::RequireFinite(state));
    let q = builder.local(1, sizes.coordinates);
    let v = builder.local(1, sizes.velocities);
    builder.call_with(private::POSITIONS, &["q", "v"], &[q]);
    let mut moved = builder.arguments(&[]);
    moved.extend([q, builder.argument("v")]);
    builder.call(private::VELOCITIES, moved, &[v]);
    builder.copy(q, q_end);
    builder.copy(v, v_end);
    builder.finish()
}

/// The residuals of the holonomic constraints, their rows of J, and the limits of the residuals.
pub(super) fn residuals(routines: &Routines) -> Routine {
    let (h, n) = (holonomic(routines), routines.sizes().velocities);
    let mut builder = Builder::new(routines, private::RESIDUALS, &["q"]);
    let residuals = builder.vector("r", h);
    let jacobian = builder.matrix("J", h, n);
    let limits = builder.vector("limits", h);
    let [rows, of_rows] = [(); 2].map(|()| builder.local(h, n));
    let bounds = builder.local(1, h);
    let quantities = [Quantity::ConstraintResidual, Quantity::HolonomicJacobian];
    bounded(
        &mut builder,
        &quantities,
        &[residuals, rows],
        &[bounds, of_rows],
    );
    builder.kernel(Kernel::Significant, &[rows, of_rows], &[jacobian]);
    builder.kernel(Kernel::Limits, &[bounds], &[limits]);
    builder.finish()
}

/// J v + dr/dt, and its limits.
pub(super) fn rates(routines: &Routines) -> Routine {
    let c = routines.sizes().constraints;
    let mut builder = Builder::new(routines, private::RATES, &["q", "v"]);
    let rates = builder.vector("rates", c);
    let limits = builder.vector("limits", c);
    let bounds = builder.local(1, c);
    let quantities = [Quantity::ConstraintVelocity];
    bounded(&mut builder, &quantities, &[rates], &[bounds]);
    builder.kernel(Kernel::Limits, &[bounds], &[limits]);
    builder.finish()
}

fn holonomic(routines: &Routines) -> usize {
    routines.dynamics.shape(Quantity::ConstraintResidual).len()
}

/// The residuals of a point with their limits, and the rows of J.
#[derive(Clone, Copy)]
struct Point {
    q: View,
    residuals: View,
    jacobian: View,
    limits: View,
}

impl Point {
    fn new(builder: &mut Builder, q: View, h: usize) -> Self {
        let n = builder.routines.sizes().velocities;
        Self {
            q,
            residuals: builder.local(1, h),
            jacobian: builder.local(h, n),
            limits: builder.local(1, h),
        }
    }

    fn evaluate(&self, builder: &mut Builder) {
        let mut arguments = builder.arguments(&[]);
        arguments.push(self.q);
        let results = [self.residuals, self.jacobian, self.limits];
        builder.call(private::RESIDUALS, arguments, &results);
    }

    fn copy(&self, from: &Self, builder: &mut Builder) {
        builder.copy(from.q, self.q);
        builder.copy(from.residuals, self.residuals);
        builder.copy(from.jacobian, self.jacobian);
        builder.copy(from.limits, self.limits);
    }

    fn remaining(&self, residuals: View, builder: &mut Builder) -> View {
        let most = builder.local(1, 1);
        let given = [residuals, self.limits, self.jacobian];
        builder.kernel(Kernel::Remaining, &given, &[most]);
        most
    }
}

/// q by Newton's method in the metric of M at the start. A step is halved until the residuals fall.
pub(super) fn positions(routines: &Routines) -> Routine {
    let (m, h) = (routines.sizes().coordinates, holonomic(routines));
    let mut builder = Builder::new(routines, private::POSITIONS, &["q", "v"]).fallible();
    let q = builder.vector("q_end", m);
    start(&mut builder, q);
    if h == 0 {
        return builder.finish();
    }
    let point = Point::new(&mut builder, q, h);
    point.evaluate(&mut builder);
    builder.step(Step::RequireFinite(vec![point.residuals, point.jacobian]));
    let mass = mass_at(&mut builder, q);
    let [is_first, is_held] = [1.0, 0.0].map(|value| flag(&mut builder, value));
    let steps = builder.nested(|builder| {
        builder.when(within(point.residuals, point.limits, 1.0), |builder| {
            polish(builder, &point, mass);
        });
        let changes = changes(builder, (point.residuals, point.limits), is_held);
        let step = newton_step(builder, (&point, mass), changes, is_first);
        builder.fill(is_first, 0.0);
        let is_moved = advance(builder, &point, step, MOST_HALVINGS);
        hold(builder, is_moved, is_held);
    });
    builder.step(Step::Loop {
        most: MOST_STEPS + 1,
        steps,
    });
    fail(&mut builder);
    builder.finish()
}

/// Returns after residuals that are met have fallen as far as they do: along a chain of turns error bounds grow, and
/// residuals do not. Residuals of the rounding of q do not fall.
fn polish(builder: &mut Builder, point: &Point, mass: View) {
    let none = builder.local(1, point.residuals.len());
    let m = point.q.len();
    let [zeros, ones] = [(); 2].map(|()| builder.local(m, 1));
    let [size, rounding] = [(); 2].map(|()| builder.local(1, 1));
    let free = Point {
        limits: none,
        ..*point
    };
    let steps = builder.nested(|builder| {
        builder.fill(none, 0.0);
        builder.fill(zeros, 0.0);
        builder.fill(ones, 1.0);
        builder.kernel(Kernel::Remaining, &[free.q, zeros, ones], &[size]);
        // Of one rounding, in units of half of the machine epsilon.
        builder.kernel(Kernel::Limits, &[size], &[rounding]);
        let remaining = free.remaining(free.residuals, builder);
        builder.when(within(remaining, rounding, 0.5 * MULTIPLE), |builder| {
            builder.step(Step::Return);
        });
        let is_held = flag(builder, 0.0);
        let changes = changes(builder, (free.residuals, none), is_held);
        let (step, status) = try_step(builder, (&free, mass), changes);
        let solved = Condition::Is(status, 0.0);
        builder.when(Condition::Not(Box::new(solved)), |builder| {
            builder.step(Step::Return);
        });
        let last = builder.local(1, free.q.len());
        builder.copy(free.q, last);
        let is_moved = advance(builder, &free, step, MOST_HALVINGS_OF_MET);
        builder.when(Condition::Is(is_moved, 0.0), |builder| {
            builder.step(Step::Return);
        });
        let met = within(free.residuals, point.limits, 1.0);
        builder.when(Condition::Not(Box::new(met)), |builder| {
            builder.copy(last, free.q);
            builder.step(Step::Return);
        });
    });
    builder.step(Step::Loop {
        most: MOST_STEPS,
        steps,
    });
    builder.step(Step::Return);
}

/// Quaternions of unit length; those of unit length to rounding stay unchanged.
fn start(builder: &mut Builder, to: View) {
    let q = builder.argument("q");
    if builder.routines.dynamics.kinematics().is_trivial() {
        builder.copy(q, to);
        return;
    }
    let n = builder.routines.sizes().velocities;
    let [unit, change, ones, limits] = [(); 4].map(|()| builder.local(1, q.len()));
    let still = builder.local(1, n);
    builder.fill(still, 0.0);
    builder.call("integrate", vec![q, still], &[unit]);
    builder.step(Step::RequireFinite(vec![unit]));
    builder.copy(unit, change);
    builder.add(-1.0, q, change);
    builder.fill(ones, 1.0);
    builder.kernel(Kernel::Limits, &[ones], &[limits]);
    builder.copy(unit, to);
    builder.when(within(change, limits, 1.0), |builder| builder.copy(q, to));
}

fn mass_at(builder: &mut Builder, q: View) -> View {
    let n = builder.routines.sizes().velocities;
    let mass = builder.local(n, n);
    let mut arguments = builder.arguments(&[]);
    arguments.push(q);
    if arguments_of_mass(builder.routines).len() > 1 {
        arguments.push(builder.argument("v"));
    }
    builder.call("mass_matrix", arguments, &[mass]);
    mass
}

/// The smallest change of q in the metric of M that changes residuals as wanted. If that leaves a choice, because a
/// direction has neither inertia nor a holonomic constraint, it also satisfies the nonholonomic constraints.
fn newton_step(
    builder: &mut Builder,
    (point, mass): (&Point, View),
    changes: View,
    is_first: View,
) -> View {
    let (step, status) = try_step(builder, (point, mass), changes);
    // At the start the error itself is returned; a singular point on the way is not the caller's.
    let later = Condition::Not(Box::new(Condition::Is(is_first, 1.0)));
    let failed = Condition::Not(Box::new(Condition::Is(status, 0.0)));
    builder.when(Condition::All(vec![later, failed]), fail);
    builder.step(Step::Fail(status));
    step
}

/// The step and the number of its error, or 0.
fn try_step(builder: &mut Builder, (point, mass): (&Point, View), changes: View) -> (View, View) {
    let sizes = builder.routines.sizes();
    let (n, c, h) = (sizes.velocities, sizes.constraints, changes.len());
    let equations = builder.routines.equations_of_steps();
    let [forces, step] = [(); 2].map(|()| builder.local(1, n));
    let (multipliers, status) = (builder.local(1, h), builder.local(1, 1));
    builder.fill(forces, 0.0);
    let given = [mass, point.jacobian, forces, changes];
    builder.kernel(
        Kernel::TrySolve(equations),
        &given,
        &[step, multipliers, status],
    );
    if c > h {
        let singular = Condition::Is(status, 1.0);
        builder.when(singular, |builder| {
            let all = builder.local(c, n);
            let mut arguments = builder.arguments(&[]);
            arguments.push(point.q);
            builder.call(private::JACOBIAN, arguments, &[all]);
            let [wanted, multipliers] = [(); 2].map(|()| builder.local(1, c));
            builder.fill(wanted, 0.0);
            builder.copy(changes, wanted.part(0, h));
            let given = [mass, all, forces, wanted];
            builder.kernel(
                Kernel::TrySolve(equations),
                &given,
                &[step, multipliers, status],
            );
        });
    }
    (step, status)
}

/// Moves along a step. It is halved until the residuals fall by a quarter of the linear prediction; the result is 1 if
/// they do before q no longer moves.
fn advance(builder: &mut Builder, point: &Point, step: View, most: usize) -> View {
    let (m, n) = (point.q.len(), step.len());
    let is_moved = flag(builder, 0.0);
    let fraction = flag(builder, 1.0);
    let moved = |builder: &mut Builder, d: View| {
        let to = builder.local(1, m);
        builder.call("integrate", vec![point.q, d], &[to]);
        to
    };
    let still = builder.local(1, n);
    builder.fill(still, 0.0);
    let here = moved(builder, still);
    let remaining = point.remaining(point.residuals, builder);
    let steps = builder.nested(|builder| {
        let d = builder.local(1, n);
        builder.fill(d, 0.0);
        builder.add_scaled(1.0, fraction, step, d);
        let next = moved(builder, d);
        let next = Point::new(builder, next, point.residuals.len());
        builder.when(Condition::Equal(next.q, here), |builder| {
            builder.step(Step::Break);
        });
        next.evaluate(builder);
        let finite = Condition::Finite(vec![next.q, next.residuals, next.jacobian]);
        builder.when(finite, |builder| {
            let left = point.remaining(next.residuals, builder);
            let goal = builder.local(1, 1);
            builder.copy(remaining, goal);
            builder.add_scaled(-0.25, fraction, remaining, goal);
            builder.when(below(left, goal, 1.0), |builder| {
                point.copy(&next, builder);
                builder.fill(is_moved, 1.0);
                builder.step(Step::Break);
            });
        });
        builder.add(-0.5, fraction, fraction);
    });
    builder.step(Step::Loop { most, steps });
    is_moved
}

/// v by the smallest change in the metric of M. The equations are linear, so passes after the first one only remove
/// rounding errors.
pub(super) fn velocities(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c) = (sizes.velocities, sizes.constraints);
    let mut builder = Builder::new(routines, private::VELOCITIES, &["q", "v"]).fallible();
    let v = builder.vector("v_end", n);
    let [mass, jacobian] = ranked_matrices(&mut builder);
    let evaluate = |builder: &mut Builder, v: View| {
        let [rates, limits] = [(); 2].map(|()| builder.local(1, c));
        let mut arguments = builder.arguments(&["q"]);
        arguments.push(v);
        builder.call(private::RATES, arguments, &[rates, limits]);
        builder.step(Step::RequireFinite(vec![rates, v]));
        (rates, limits)
    };
    builder.copy(builder.argument("v"), v);
    let (rates, limits) = evaluate(&mut builder, v);
    let [is_first, is_held] = [1.0, 0.0].map(|value| flag(&mut builder, value));
    let (forces, none) = (builder.local(1, n), builder.local(1, c));
    builder.fill(forces, 0.0);
    builder.fill(none, 0.0);
    let [step, multipliers] = [n, c].map(|length| builder.local(1, length));
    let equations = routines.equations_of_steps();
    let solve = |builder: &mut Builder| {
        let changes = changes(builder, (rates, limits), is_held);
        let given = [mass, jacobian, forces, changes];
        builder.kernel(Kernel::Solve(equations), &given, &[step, multipliers]);
    };
    let return_if_bounded = |builder: &mut Builder| {
        builder.when(within(rates, limits, MULTIPLE), |builder| {
            builder.step(Step::Return);
        });
    };
    solve(&mut builder);
    return_if_bounded(&mut builder);
    let steps = builder.nested(|builder| {
        let next = builder.local(1, n);
        builder.copy(v, next);
        builder.add(1.0, step, next);
        let (left, of_left) = evaluate(builder, next);
        let remaining = |builder: &mut Builder, rates: View, limits: View| {
            let most = builder.local(1, 1);
            builder.kernel(Kernel::Remaining, &[rates, limits, jacobian], &[most]);
            most
        };
        let falls = flag(builder, 0.0);
        let met = within(rates, limits, 1.0);
        // Rates that are met may still fall by half.
        builder.when(met.clone(), |builder| {
            let [all, all_left] = [rates, left].map(|rates| remaining(builder, rates, none));
            let halved = Condition::Not(Box::new(below(all, all_left, 2.0)));
            let falling = Condition::All(vec![within(left, limits, 1.0), halved]);
            builder.when(falling, |builder| builder.fill(falls, 1.0));
            builder.when(Condition::Is(falls, 0.0), |builder| {
                builder.step(Step::Return);
            });
        });
        builder.when(Condition::Not(Box::new(met)), |builder| {
            let [all, all_left] = [rates, left].map(|rates| remaining(builder, rates, limits));
            builder.when(below(all_left, all, 1.0), |builder| {
                builder.fill(falls, 1.0);
            });
        });
        builder.when(Condition::Is(is_first, 1.0), |builder| {
            builder.fill(falls, 1.0);
        });
        builder.fill(is_first, 0.0);
        builder.when(Condition::Is(falls, 1.0), |builder| {
            builder.copy(next, v);
            builder.copy(left, rates);
            builder.copy(of_left, limits);
            return_if_bounded(builder);
        });
        hold(builder, falls, is_held);
        solve(builder);
    });
    builder.step(Step::Loop {
        most: MOST_PASSES,
        steps,
    });
    fail(&mut builder);
    builder.finish()
}

/// A scalar with a value.
fn flag(builder: &mut Builder, value: f64) -> View {
    let flag = builder.local(1, 1);
    builder.fill(flag, value);
    flag
}

fn within(values: View, limits: View, times: f64) -> Condition {
    Condition::Within {
        values,
        limits,
        times,
    }
}

fn below(left: View, right: View, factor: f64) -> Condition {
    Condition::Below {
        left,
        right,
        factor,
    }
}

/// The wanted changes of residuals: if `is_held`, those that are met stay unchanged, because a step for the rounding
/// errors of one row may move others by more than theirs.
fn changes(builder: &mut Builder, (residuals, limits): (View, View), is_held: View) -> View {
    let [held, changes] = [(); 2].map(|()| builder.local(1, residuals.len()));
    builder.fill(held, 0.0);
    builder.add_scaled(1.0, is_held, limits, held);
    builder.kernel(Kernel::Changes, &[residuals, held], &[changes]);
    changes
}

/// After a step that fails to make residuals smaller, those that are met are held; if they were already, the iteration
/// ends.
fn hold(builder: &mut Builder, is_moved: View, is_held: View) {
    let failed = Condition::Is(is_moved, 0.0);
    let held = Condition::Is(is_held, 1.0);
    builder.when(Condition::All(vec![failed, held]), fail);
    builder.fill(is_held, 1.0);
    builder.add(-1.0, is_moved, is_held);
}

fn fail(builder: &mut Builder) {
    let status = flag(builder, NOT_CONVERGED);
    builder.step(Step::Fail(status));
}
