//! The unrolled solution of the equations of motion as steps, with its acceptance test.

use super::builder::{Builder, STATE, set, without_roots};
use crate::codegen::acceptance::{self, Motion};
use crate::codegen::cost_model::MOST_UNROLLED_MOMENTA;
use crate::codegen::routine::{Condition, Equations, Input, Pivots, View};
use crate::{Correction, Factorization, Operand, Schedule, Symbol};

/// An unrolled solution in local arrays.
pub(super) struct Attempt {
    pub(super) solution: View,
    pub(super) multipliers: View,
    /// The pivots of M and of J M^-1 J^T.
    pub(super) pivots: View,
    /// The values that the acceptance test reads.
    tested: Motion,
    /// The test of the methods with a check.
    pub(super) accepted: Condition,
    /// The test of the methods without a check.
    pub(super) regular: Condition,
    /// Rows of J clearly do not depend on each other: more than 1/256 of each is orthogonal to the others.
    pub(super) clear: Condition,
}

impl Attempt {
    /// The code of the solution; `None` if it is not unrolled.
    pub(super) fn of(builder: &mut Builder) -> Option<Self> {
        Self::with_correction(builder, None)
    }

    /// The same with a step of refinement where the solution may have lost digits.
    pub(super) fn refined(builder: &mut Builder) -> Option<Self> {
        if builder.routines.equations() != Equations::Regular {
            return Self::of(builder);
        }
        let program = builder.routines.solve_program();
        let correction = match program.may_lose_digits() {
            true => program.correction(),
            false => None,
        };
        Self::with_correction(builder, correction.as_ref())
    }

    fn with_correction(builder: &mut Builder, correction: Option<&Correction>) -> Option<Self> {
        let routines = builder.routines;
        if routines.equations() == Equations::Reacting {
            return None;
        }
        let program = routines.solve_program();
        let (schedule, factors) = (&program.terms.schedule, program.factorization.as_ref()?);
        let next = correction.map(|correction| correction.apart(schedule));
        let read = next.as_ref().map_or(&[][..], |(_, read)| read);
        let kept = builder.local(1, read.len());
        let others = [(kept, read)];
        let others = if read.is_empty() { &[] } else { &others[..] };
        let code = without_roots(schedule);
        let finite = untested(builder, schedule, factors, correction);
        let attempt = Self::by(builder, (code, &[]), factors, (others, &[]), &finite);
        if let Some((correction, _)) = next {
            attempt.refine(builder, (correction, kept), &factors.tested.untested);
        }
        Some(attempt)
    }

    /// Replaces the values of a test that is not met by those of a step of refinement, if all equations are met then.
    fn refine(
        &self,
        builder: &mut Builder,
        (correction, kept): (Correction, View),
        untested: &[usize],
    ) {
        let tested = self.tested;
        let unmet = Condition::Not(Box::new(acceptance::met(tested.residual, tested.terms)));
        builder.when(unmet, |builder| {
            let parts = [
                &correction.residual,
                &correction.terms,
                &correction.solution,
                &correction.multipliers,
            ];
            let [residual, terms, a, lambda] = parts.map(|values| builder.local(1, values.len()));
            let writes = [residual, terms, a, lambda].into_iter().zip(parts);
            let writes = writes.map(|(view, values)| set(view, values)).collect();
            let schedule = Schedule {
                instructions: correction.instructions,
                roots: Vec::new(),
            };
            builder.compute(schedule, &[(Input::Weights, kept)], writes);
            builder.when(acceptance::met(residual, terms), |builder| {
                // The equations that were tested before come last.
                let last = |view: View, count: usize| view.part(view.len() - count, count);
                for (from, to) in [(residual, tested.residual), (terms, tested.terms)] {
                    builder.copy(last(from, to.len()), to);
                }
                for (place, i) in untested.iter().enumerate() {
                    builder.copy(a.part(*i, 1), tested.free.part(place, 1));
                }
                builder.copy(a, self.solution);
                builder.copy(lambda, self.multipliers);
            });
        });
    }

    /// The solution of M v = p by the entries of M; `None` if it is not short.
    pub(super) fn of_inverse(builder: &mut Builder, mass: View, momenta: View) -> Option<Self> {
        let n = mass.rows;
        let entry = |i: usize, k: usize| Symbol::Weight((i * n + k) as u32);
        let program = builder.routines.dynamics.inverse_by(entry);
        let (code, factors) =
            program.filter(|(code, _)| code.operations().total() <= MOST_UNROLLED_MOMENTA)?;
        let reads = [(Input::Weights, mass), (Input::Momenta, momenta)];
        // The caller tests the arguments.
        Some(Self::by(builder, (code, &reads), &factors, (&[], &[]), &[]))
    }

    /// The code of the solution with the arrays that it reads, further values that are written, further ones that must be
    /// finite, and arrays that must be so.
    pub(super) fn by(
        builder: &mut Builder,
        (code, reads): (Schedule, &[(Input, View)]),
        factors: &Factorization,
        (others, tested): (&[(View, &[Operand])], &[Operand]),
        finite: &[View],
    ) -> Self {
        let c = factors.multipliers.len();
        let mut writes = Vec::new();
        let mut local = |builder: &mut Builder, values: &[Operand]| {
            let view = builder.local(1, values.len());
            writes.push(set(view, values));
            view
        };
        let mut pivots = |builder: &mut Builder, range: std::ops::Range<usize>| {
            let [mut entries, mut reduced, mut diagonal] = [const { Vec::new() }; 3];
            for at in range {
                let (pivot, entry) = (factors.pivots[at], factors.diagonal[at]);
                if pivot != entry {
                    reduced.push(pivot);
                    diagonal.push(entry);
                } else if !entries.contains(&pivot) {
                    entries.push(pivot);
                }
            }
            Pivots {
                entries: local(builder, &entries),
                reduced: local(builder, &reduced),
                diagonal: local(builder, &diagonal),
            }
        };
        let of_mass = factors.pivots_of_mass;
        let mass = pivots(builder, 0..of_mass);
        let complement = pivots(builder, of_mass..factors.pivots.len());
        let [all_pivots, all_entries] =
            [&factors.pivots, &factors.diagonal].map(|values| local(builder, values));
        let (residual, terms) = (
            local(builder, &factors.residual),
            local(builder, &factors.terms),
        );
        let solution = local(builder, &factors.solution);
        let values = if c > 0 {
            let untested = factors.tested.untested.iter();
            let untested: Vec<Operand> = untested.map(|&i| factors.solution[i]).collect();
            local(builder, &untested)
        } else if tested.is_empty() {
            solution
        } else {
            local(builder, &[&factors.solution, tested].concat())
        };
        let multipliers = local(builder, &factors.multipliers);
        writes.extend(others.iter().map(|(view, values)| set(*view, values)));
        builder.compute(code, reads, writes);
        let motion = Motion {
            mass,
            complement,
            residual,
            terms,
            free: values,
        };
        Self {
            solution,
            multipliers,
            pivots: all_pivots,
            tested: motion,
            accepted: match c {
                0 => acceptance::of_mass(mass, finite, values),
                _ => acceptance::of_motion(&motion, finite),
            },
            regular: Condition::Regular {
                pivots: all_pivots,
                diagonal: all_entries,
                share: 1e-6,
            },
            clear: {
                let of_rows =
                    |view: View| view.part(of_mass, factors.pivots.len().saturating_sub(of_mass));
                Condition::Regular {
                    pivots: of_rows(all_pivots),
                    diagonal: of_rows(all_entries),
                    share: 1.0 / 65536.0,
                }
            },
        }
    }
}

/// The entries of the arguments that may be NaN or infinite while all values of the acceptance test are finite. To leave
/// out the others saves up to 12 % of a solve.
fn untested(
    builder: &Builder,
    code: &Schedule,
    factors: &Factorization,
    correction: Option<&Correction>,
) -> Vec<View> {
    let tested = |[solution, residual, terms]: [&[Operand]; 3]| {
        if factors.multipliers.is_empty() {
            return solution.to_vec();
        }
        let n = factors.pivots_of_mass;
        let free = factors.tested.untested.iter().map(|i| solution[*i]);
        let pivots = [&factors.pivots[..n], &factors.diagonal[n..]].concat();
        [&pivots[..], residual, terms]
            .concat()
            .into_iter()
            .chain(free)
            .collect()
    };
    let mut shown = code.shown_by(&tested([
        &factors.solution,
        &factors.residual,
        &factors.terms,
    ]));
    if let Some(correction) = correction {
        let mut corrected = code.clone();
        let instructions = correction.instructions.iter().cloned();
        corrected.instructions.extend(instructions);
        let last = |values: &'_ [Operand]| values.len() - factors.residual.len();
        let (residual, terms) = (&correction.residual, &correction.terms);
        let of_corrected = corrected.shown_by(&tested([
            &correction.solution,
            &residual[last(residual)..],
            &terms[last(terms)..],
        ]));
        shown.retain(|symbol| of_corrected.contains(symbol));
    }
    let mut views = Vec::new();
    for name in ["t"].iter().chain(&STATE) {
        let Some(argument) = builder.given(name) else {
            continue;
        };
        let symbol = |number: u32| match *name {
            "q" => Symbol::Coordinate(number),
            "v" => Symbol::Velocity(number),
            "z" => Symbol::State(number),
            "u" => Symbol::Input(number),
            _ => Symbol::Time,
        };
        let is_untested = |at: &usize| !shown.contains(&symbol(*at as u32));
        let mut next = 0;
        while let Some(first) = (next..argument.len()).find(is_untested) {
            next = (first..argument.len())
                .find(|at| !is_untested(at))
                .unwrap_or(argument.len());
            views.push(argument.part(first, next - first));
        }
    }
    views
}
