//! Projection of a state onto the constraints: the method of the runtime's `project`, with error bounds at every point.

use super::builder::Builder;
use super::jacobians::bounded;
use super::motion::{arguments_of_mass, ranked_matrices};
use super::system::{Routines, private};
use crate::Quantity;
use crate::codegen::Routine;
use crate::codegen::routine::{Condition, Constant, Equations, Kernel, Step, View};

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
        limited(routines, h),
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
    let limited = limited(routines, c);
    bounded(&mut builder, &quantities, &[rates], &[bounds], limited);
    builder.kernel(Kernel::Limits, &[bounds], &[limits]);
    builder.finish()
}

/// All these residuals, if rows may depend on each other: rows of a long chain must agree to as many digits as others.
fn limited(routines: &Routines, residuals: usize) -> usize {
    match routines.has_redundant_rows() {
        true => residuals,
        false => 0,
    }
}

fn holonomic(routines: &Routines) -> usize {
    routines.dynamics.shape(Quantity::ConstraintResidual).len()
}

/// The residuals of a point with their limits, and the rows of J. M is that of the start.
#[derive(Clone, Copy)]
struct Point {
    q: View,
    residuals: View,
    jacobian: View,
    limits: View,
    mass: View,
}

impl Point {
    fn new(builder: &mut Builder, (q, mass): (View, View), h: usize) -> Self {
        let n = builder.routines.sizes().velocities;
        Self {
            q,
            residuals: builder.local(1, h),
            jacobian: builder.local(h, n),
            limits: builder.local(1, h),
            mass,
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
        Rows {
            mass: self.mass,
            jacobian: self.jacobian,
        }
        .remaining(residuals, self.limits, builder)
    }
}

/// Rows of J with M.
#[derive(Clone, Copy)]
struct Rows {
    mass: View,
    jacobian: View,
}

impl Rows {
    /// The largest residual beyond its limit, each divided by the size of its row.
    fn remaining(self, residuals: View, limits: View, builder: &mut Builder) -> View {
        let most = builder.local(1, 1);
        let rows = match builder.routines.has_redundant_rows() {
            true => self.agreement(limits, builder)[0],
            false => self.jacobian,
        };
        builder.kernel(Kernel::Remaining, &[residuals, limits, rows], &[most]);
        most
    }

    /// The sizes of rows that may depend on each other, and the largest residuals with which they agree.
    fn agreement(self, limits: View, builder: &mut Builder) -> [View; 2] {
        let sizes = builder.local(limits.len(), 1);
        let agreed = builder.local(1, limits.len());
        let arguments = [self.mass, self.jacobian, limits];
        builder.kernel(Kernel::Agreement, &arguments, &[sizes, agreed]);
        [sizes, agreed]
    }

    /// Ends the routine after no step makes residuals smaller: with an error, unless rows that may depend on each other
    /// agree.
    fn end(self, residuals: View, limits: View, builder: &mut Builder) {
        if builder.routines.has_redundant_rows() {
            let [_, agreed] = self.agreement(limits, builder);
            builder.when(within(residuals, agreed, 1.0), |builder| {
                builder.step(Step::Return);
            });
        }
        fail(builder);
    }
}

/// q by Newton's method in the metric of M at the start. A step is halved until the residuals fall.
pub(super) fn positions(routines: &Routines) -> Routine {
    let (m, n) = (routines.sizes().coordinates, routines.sizes().velocities);
    let h = holonomic(routines);
    let mut builder = Builder::new(routines, private::POSITIONS, &["q", "v"]).fallible();
    let q = builder.vector("q_end", m);
    start(&mut builder, q);
    if h == 0 {
        return builder.finish();
    }
    let mass = builder.local(n, n);
    let point = Point::new(&mut builder, (q, mass), h);
    point.evaluate(&mut builder);
    builder.step(Step::RequireFinite(vec![point.residuals, point.jacobian]));
    write_mass(&mut builder, q, mass);
    let rows = Rows {
        mass,
        jacobian: point.jacobian,
    };
    let [is_first, is_held] = [1.0, 0.0].map(|value| flag(&mut builder, value));
    let is_coarse = match routines.has_redundant_rows() {
        true => Some(flag(&mut builder, 1.0)),
        false => None,
    };
    let steps = builder.nested(|builder| {
        builder.when(within(point.residuals, point.limits, 1.0), |builder| {
            polish(builder, &point, is_coarse);
        });
        let changes = changes(builder, (point.residuals, point.limits), is_held);
        let step = newton_step(builder, &point, changes, (is_first, is_coarse));
        builder.fill(is_first, 0.0);
        let is_moved = advance(builder, &point, step, MOST_HALVINGS);
        let is_sharpened = is_coarse.map(|flag| sharpen(builder, is_moved, (is_held, flag)));
        hold(builder, is_moved, is_held, |builder| {
            rows.end(point.residuals, point.limits, builder);
        });
        if let Some(flag) = is_sharpened {
            builder.when(Condition::Is(flag, 1.0), |builder| {
                builder.fill(is_held, 0.0)
            });
        }
    });
    builder.step(Step::Loop {
        most: MOST_STEPS + 1,
        steps,
    });
    rows.end(point.residuals, point.limits, &mut builder);
    builder.finish()
}

/// After a step with held residuals that fails to make the others smaller, fewer rows count as dependent. The result is 1
/// if they did not before.
fn sharpen(builder: &mut Builder, is_moved: View, (is_held, is_coarse): (View, View)) -> View {
    let is_sharpened = flag(builder, 0.0);
    builder.when(Condition::Is(is_moved, 1.0), |builder| {
        builder.fill(is_coarse, 1.0)
    });
    let failed = [(is_moved, 0.0), (is_held, 1.0), (is_coarse, 1.0)]
        .map(|(flag, value)| Condition::Is(flag, value));
    builder.when(Condition::All(failed.into()), |builder| {
        builder.fill(is_coarse, 0.0);
        builder.fill(is_held, 0.0);
        builder.fill(is_sharpened, 1.0);
    });
    is_sharpened
}

/// Returns after residuals that are met have fallen as far as they do: along a chain of turns error bounds grow, and
/// residuals do not. Residuals of the rounding of q do not fall.
fn polish(builder: &mut Builder, point: &Point, is_coarse: Option<View>) {
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
        let (step, status) = try_step(builder, &free, changes, is_coarse);
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

fn write_mass(builder: &mut Builder, q: View, mass: View) {
    let mut arguments = builder.arguments(&[]);
    arguments.push(q);
    if arguments_of_mass(builder.routines).len() > 1 {
        arguments.push(builder.argument("v"));
    }
    builder.call("mass_matrix", arguments, &[mass]);
}

/// The smallest change of q in the metric of M that changes residuals as wanted. If that leaves a choice, because a
/// direction has neither inertia nor a holonomic constraint, it also satisfies the nonholonomic constraints.
fn newton_step(
    builder: &mut Builder,
    point: &Point,
    changes: View,
    (is_first, is_coarse): (View, Option<View>),
) -> View {
    let (step, status) = try_step(builder, point, changes, is_coarse);
    if let Some(is_coarse) = is_coarse {
        let failed = Condition::Not(Box::new(Condition::Is(status, 0.0)));
        let coarse = Condition::Is(is_coarse, 1.0);
        builder.when(Condition::All(vec![failed, coarse]), |builder| {
            builder.fill(is_coarse, 0.0);
            let (sharp, of_sharp) = try_step(builder, point, changes, Some(is_coarse));
            builder.copy(sharp, step);
            builder.copy(of_sharp, status);
        });
    }
    // At the start the error itself is returned; a singular point on the way is not the caller's.
    let later = Condition::Not(Box::new(Condition::Is(is_first, 1.0)));
    let failed = Condition::Not(Box::new(Condition::Is(status, 0.0)));
    builder.when(Condition::All(vec![later, failed]), fail);
    builder.step(Step::Fail(status));
    step
}

/// The step and the number of its error, or 0. If rows may depend on each other, it is in least squares.
fn try_step(
    builder: &mut Builder,
    point: &Point,
    changes: View,
    is_coarse: Option<View>,
) -> (View, View) {
    let sizes = builder.routines.sizes();
    let (n, c, h) = (sizes.velocities, sizes.constraints, changes.len());
    let solve = |builder: &mut Builder, terms: &[View], results: &[View]| {
        let equations = match is_coarse {
            Some(_) => Equations::LeastSquares { is_coarse: true },
            None => Equations::Regular,
        };
        builder.kernel(Kernel::TrySolve(equations), terms, results);
        if let Some(is_coarse) = is_coarse {
            builder.when(Condition::Is(is_coarse, 0.0), |builder| {
                let equations = Equations::LeastSquares { is_coarse: false };
                builder.kernel(Kernel::TrySolve(equations), terms, results);
            });
        }
    };
    let [forces, step] = [(); 2].map(|()| builder.local(1, n));
    let (multipliers, status) = (builder.local(1, h), builder.local(1, 1));
    builder.fill(forces, 0.0);
    let terms = [point.mass, point.jacobian, forces, changes];
    solve(builder, &terms, &[step, multipliers, status]);
    if c > h {
        let singular = Condition::Is(status, 1.0);
        builder.when(singular, |builder| {
            let rows = builder.local(c, n);
            let mut arguments = builder.arguments(&[]);
            arguments.push(point.q);
            builder.call(private::JACOBIAN, arguments, &[rows]);
            let [wanted, multipliers] = [(); 2].map(|()| builder.local(1, c));
            builder.fill(wanted, 0.0);
            builder.copy(changes, wanted.part(0, h));
            let terms = [point.mass, rows, forces, wanted];
            solve(builder, &terms, &[step, multipliers, status]);
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
        let next = Point::new(builder, (next, point.mass), point.residuals.len());
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
    let equations = match routines.has_redundant_rows() {
        true => Equations::LeastSquares { is_coarse: false },
        false => Equations::Regular,
    };
    let rows = Rows { mass, jacobian };
    let solve = |builder: &mut Builder| {
        let changes = changes(builder, (rates, limits), is_held);
        let terms = [mass, jacobian, forces, changes];
        builder.kernel(Kernel::Solve(equations), &terms, &[step, multipliers]);
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
        let falls = flag(builder, 0.0);
        let met = within(rates, limits, 1.0);
        // Rates that are met may still fall by half.
        builder.when(met.clone(), |builder| {
            let [before, after] = [rates, left].map(|rates| rows.remaining(rates, none, builder));
            let halved = Condition::Not(Box::new(below(before, after, 2.0)));
            let falling = Condition::All(vec![within(left, limits, 1.0), halved]);
            builder.when(falling, |builder| builder.fill(falls, 1.0));
            builder.when(Condition::Is(falls, 0.0), |builder| {
                builder.step(Step::Return);
            });
        });
        builder.when(Condition::Not(Box::new(met)), |builder| {
            let [before, after] = [rates, left].map(|rates| rows.remaining(rates, limits, builder));
            builder.when(below(after, before, 1.0), |builder| {
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
        hold(builder, falls, is_held, |builder| {
            rows.end(rates, limits, builder);
        });
        solve(builder);
    });
    builder.step(Step::Loop {
        most: MOST_PASSES,
        steps,
    });
    rows.end(rates, limits, &mut builder);
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
        times: Constant::exact(times),
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
fn hold(builder: &mut Builder, is_moved: View, is_held: View, end: impl FnOnce(&mut Builder)) {
    let failed = Condition::Is(is_moved, 0.0);
    let held = Condition::Is(is_held, 1.0);
    builder.when(Condition::All(vec![failed, held]), end);
    builder.fill(is_held, 1.0);
    builder.add(-1.0, is_moved, is_held);
}

fn fail(builder: &mut Builder) {
    let status = flag(builder, NOT_CONVERGED);
    builder.step(Step::Fail(status));
}
