//! Warnings about single statements: numbers that are implausible as angles or as inertia.

use lagrange_engine::{FrameId, NodeId, Number, Symbol};
use proc_macro2::Span;

use super::evaluator::Evaluator;
use super::lowering::Lowering;
use super::scope::BindingKind;
use crate::errors::Code;
use crate::model::Warning;
use crate::robots::Angle;
use crate::syntax::ast::{Expr, Statement};
use crate::tables::{PartEntry, PartKind, Written};

/// Largest plausible constant angle in radians; a turn is 6.28.
const LARGEST_ANGLE: f64 = 7.0;
/// Number of states at which the axes of rotation of a frame are sampled.
const STATES: u32 = 3;
/// Tolerance for moments of a thin plate, where one equals the sum of the two others up to rounding of the written
/// digits. Relative to the largest entry, so that the unit does not matter.
const ROUNDING: f64 = 1e-9;

/// The warnings of constants below zero.
pub(super) const NEGATIVE_STIFFNESS: (&str, &str) = (
    "negative_stiffness",
    "a negative stiffness pushes away from the place of rest, and its energy has no least value",
);
pub(super) const NEGATIVE_DAMPING: (&str, &str) = (
    "negative_damping",
    "a negative damping adds energy where a damping takes it",
);

impl Lowering<'_> {
    /// Takes the warnings and the curves of the statement, with its attributes.
    pub(super) fn take_warnings(&mut self, statement: &Statement) {
        for mut warning in self.evaluator.warnings.list.drain(..) {
            warning.attributes.clone_from(&statement.attributes);
            self.warnings.push(warning);
        }
        for mut curve in self.evaluator.curves.drain(..) {
            curve.attributes.clone_from(&statement.attributes);
            self.curves.push(curve);
        }
    }

    /// The start of the current statement.
    pub(super) fn written(&self, span: Span) -> Written {
        let attributes = self.attributes.clone();
        Written { span, attributes }
    }

    /// Notes a part of T, V or D, for the check whether it has an effect.
    pub(super) fn note_part(&mut self, kind: PartKind, span: Span, value: NodeId) {
        let written = self.written(span);
        self.parts.push(PartEntry {
            kind,
            written,
            value,
        });
    }
}

impl Evaluator<'_> {
    pub(super) fn warn(&mut self, span: Span, code: Code, name: &'static str, message: String) {
        if self.warnings.said.insert((format!("{span:?}"), name)) {
            self.warnings.list.push(Warning {
                span,
                code,
                name,
                message,
                attributes: Vec::new(),
            });
        }
    }

    fn find_number(&self, node: NodeId) -> Option<f64> {
        self.graph.as_number(node).map(Number::to_f64)
    }

    /// Warns of a constant angle that looks like degrees.
    pub(super) fn warn_of_degrees(&mut self, expr: &Expr, angle: NodeId) {
        let Some(angle) = self.find_number(angle) else {
            return;
        };
        if let Some(quarters) = count_right_angles(angle) {
            let exact = quarter_turns(quarters);
            let message = format!(
                "{angle} is near a multiple of pi/2 and not equal to it; write `{exact}`, which is exact and \
                 costs fewer operations"
            );
            self.warn(
                expr.first,
                Code::NearRightAngle,
                "near_right_angle",
                message,
            );
            return;
        }
        if angle.abs() < LARGEST_ANGLE {
            return;
        }
        // A loop variable is not an angle that the author wrote.
        let mut is_counted = false;
        expr.for_each_name(&mut |name| {
            let binding = self.scope.find(name);
            is_counted |= binding.is_some_and(|binding| binding.kind == BindingKind::Index);
        });
        if is_counted {
            return;
        }
        let message = format!(
            "angles are in radians, and this one is {angle}; write `{angle} * pi / 180` for degrees"
        );
        self.warn(expr.first, Code::Degrees, "angle_in_degrees", message);
    }

    pub(super) fn warn_of_mass(&mut self, expr: &Expr, mass: NodeId) {
        if self.find_number(mass).is_some_and(|mass| mass < 0.0) {
            let message = "no body has a negative mass".to_owned();
            self.warn(expr.first, Code::ImpossibleBody, "negative_mass", message);
        }
    }

    /// Warns of a constant below zero that drives what it should hold back.
    pub(super) fn warn_of_negative(
        &mut self,
        expr: &Expr,
        value: NodeId,
        (name, message): (&'static str, &str),
    ) {
        if self.find_number(value).is_some_and(|value| value < 0.0) {
            let code = Code::NegativeCoefficient;
            self.warn(expr.first, code, name, message.to_owned());
        }
    }

    pub(super) fn warn_of_rotor(&mut self, expr: &Expr, moment: NodeId) {
        if self.find_number(moment).is_some_and(|moment| moment < 0.0) {
            let message = "no rotor has a negative moment of inertia".to_owned();
            let code = Code::ImpossibleBody;
            self.warn(expr.first, code, "impossible_inertia", message);
        }
    }

    /// Warns of a gear that couples no motor.
    pub(super) fn warn_of_gear(&mut self, expr: &Expr, gear: NodeId) {
        if self.graph.is_zero(gear) {
            let message =
                "with a gear of 0 the motor stands still: its torque and its rotor have no effect";
            let code = Code::IdleForce;
            self.warn(expr.first, code, "gear_of_zero", message.to_owned());
        }
    }

    /// Warns of constant moments and products of inertia that are impossible for a rigid body. Only the entries
    /// that contribute to T are checked. The others may be arbitrary, as for a rod that moves in a plane.
    pub(super) fn warn_of_inertia(&mut self, expr: &Expr, entries: &[NodeId], frame: FrameId) {
        let numbers = entries.iter().map(|entry| self.find_number(*entry));
        let Some(numbers) = numbers.collect::<Option<Vec<f64>>>() else {
            return;
        };
        let axes = self.find_turning_axes(frame);
        let entry = |a: &[f64; 3], b: &[f64; 3]| {
            (0..9)
                .map(|i| a[i / 3] * numbers[i] * b[i % 3])
                .sum::<f64>()
        };
        let scale = numbers.iter().map(|entry| entry.abs()).fold(0.0, f64::max);
        let rounding = ROUNDING * scale;
        let place = expr.first;
        let pairs = axes.iter().flat_map(|a| axes.iter().map(move |b| (a, b)));
        if pairs
            .clone()
            .any(|(a, b)| (entry(a, b) - entry(b, a)).abs() > rounding)
        {
            let message =
                "an inertia matrix is symmetric, and of this one the symmetric part alone \
                           acts: the mean of the entries on both sides of its diagonal"
                    .to_owned();
            self.warn(
                place,
                Code::ImpossibleBody,
                "inertia_not_symmetric",
                message,
            );
        }
        let mut symmetric = [[0.0; 3]; 3];
        for (i, a) in axes.iter().enumerate() {
            for (j, b) in axes.iter().enumerate() {
                symmetric[i][j] = f64::midpoint(entry(a, b), entry(b, a));
            }
        }
        // Moments about axes without rotation are 0 here.
        let moments = principal_moments(symmetric);
        if moments[0] < -rounding {
            let message = format!(
                "no body has a negative moment of inertia, and one of the principal ones of this is \
                 {}",
                rounded(moments[0])
            );
            self.warn(place, Code::ImpossibleBody, "impossible_inertia", message);
        } else if axes.len() == 3 && moments[2] > moments[0] + moments[1] + rounding {
            let [least, middle, largest] = moments.map(rounded);
            let message = format!(
                "no body has such moments of inertia: the largest, {largest}, is above the sum of \
                 the two others, {least} and {middle}"
            );
            self.warn(place, Code::ImpossibleBody, "impossible_inertia", message);
        }
    }

    /// Orthonormal axes of the frame that span its angular velocities at a few states. The angular velocities are
    /// linear in the velocities, so each velocity gives a direction, whatever its unit.
    fn find_turning_axes(&self, frame: FrameId) -> Vec<[f64; 3]> {
        let spin = self.frames.spin_in_own_axes(frame);
        let mut axes = Vec::new();
        for point in 0..STATES {
            let turned = |moving: Option<usize>| {
                self.graph.evaluate(&spin, &|symbol| match symbol {
                    Symbol::Velocity(i) => f64::from(u8::from(moving == Some(i as usize))),
                    Symbol::Coordinate(i) | Symbol::Parameter(i) => {
                        (0.7 + f64::from(point + 3 * i)).sin()
                    }
                    _ => 0.9 + f64::from(point),
                })
            };
            let at_rest = turned(None);
            let by = |(turned, rest): (&f64, &f64)| turned - rest;
            for moving in 0..self.names.velocity_symbols().len() {
                let turned = turned(Some(moving));
                add_axis(&mut axes, turned.iter().zip(&at_rest).map(by).collect());
                if axes.len() == 3 {
                    return axes;
                }
            }
            add_axis(&mut axes, at_rest);
        }
        axes
    }
}

/// Adds the direction of a vector, unless the axes already span it.
fn add_axis(axes: &mut Vec<[f64; 3]>, vector: Vec<f64>) {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let unit = |vector: &[f64]| {
        let largest = vector
            .iter()
            .fold(0.0_f64, |most, entry| most.max(entry.abs()));
        let scaled: [f64; 3] = std::array::from_fn(|i| vector[i] / largest);
        let length = dot(&scaled, &scaled).sqrt();
        scaled.map(|entry| entry / length)
    };
    let direction = unit(&vector);
    let mut perpendicular = direction;
    for axis in &*axes {
        let part = dot(axis, &perpendicular);
        perpendicular = std::array::from_fn(|i| perpendicular[i] - part * axis[i]);
    }
    // A vector that is zero or not finite has no direction.
    if axes.len() < 3 && dot(&perpendicular, &perpendicular).sqrt() > ROUNDING {
        axes.push(unit(&perpendicular));
    }
}

/// The nonzero number of quarter turns that is within 1e-9 of the angle, if there is one.
fn count_right_angles(angle: f64) -> Option<i64> {
    let quarters = Angle::of(angle).quarters?;
    (quarters != 0).then_some(quarters)
}

/// `pi / 2`, `-pi`, `3 * pi / 2`
fn quarter_turns(quarters: i64) -> String {
    let sign = if quarters < 0 { "-" } else { "" };
    let (count, below) = match quarters.abs() {
        count if count % 2 == 0 => (count / 2, ""),
        count => (count, " / 2"),
    };
    let times = if count == 1 {
        String::new()
    } else {
        format!("{count} * ")
    };
    format!("{sign}{times}pi{below}")
}

/// Rounded to four digits, for a message.
fn rounded(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

/// The eigenvalues of a symmetric matrix, given by its upper triangle, in ascending order, by Jacobi rotations.
pub(super) fn principal_moments(upper: [[f64; 3]; 3]) -> [f64; 3] {
    const SWEEPS: usize = 16;
    let [[a, b, c], [_, e, f], [.., i]] = upper;
    let mut m = [[a, b, c], [b, e, f], [c, f, i]];
    for _ in 0..SWEEPS {
        for (p, q, other) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            if m[p][q] == 0.0 {
                continue;
            }
            let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
            let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let tangent = if theta == 0.0 { 1.0 } else { tangent };
            let cosine = 1.0 / tangent.hypot(1.0);
            let sine = tangent * cosine;
            let (to_p, to_q) = (m[other][p], m[other][q]);
            m[p][p] -= tangent * m[p][q];
            m[q][q] += tangent * m[p][q];
            (m[p][q], m[q][p]) = (0.0, 0.0);
            m[other][p] = cosine * to_p - sine * to_q;
            m[other][q] = sine * to_p + cosine * to_q;
            (m[p][other], m[q][other]) = (m[other][p], m[other][q]);
        }
    }
    let mut moments = [m[0][0], m[1][1], m[2][2]];
    moments.sort_by(f64::total_cmp);
    moments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_moments_are_eigenvalues() {
        let close = |found: [f64; 3], expected: [f64; 3]| {
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
        };
        close(
            principal_moments([[3.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]]),
            [1.0, 2.0, 3.0],
        );
        // The matrix [[2, 1, 0], [1, 2, 0], [0, 0, 5]].
        close(
            principal_moments([[2.0, 1.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 5.0]]),
            [1.0, 3.0, 5.0],
        );
        // The matrix with all entries 1.
        close(principal_moments([[1.0; 3]; 3]), [0.0, 0.0, 3.0]);
    }
}
