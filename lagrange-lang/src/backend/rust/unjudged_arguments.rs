//! The arguments that the acceptance test of a solution has to test: those that may be NaN or infinite while the
//! solution is finite.
//!
//! Leaving out the others saves up to 12 % of a solve (`benches/instructions`: `rods_05` takes 593 instructions instead of
//! 666, `rods_10` 1412 instead of 1511, `panda_acceleration` 3019 instead of 3080).

use lagrange_engine::{Correction, Factorization, Operand, Schedule, Symbol};

use super::assembly::arguments;
use crate::methods::{Argument, Layout};

/// The entries of the arguments, in order, that do not reach the values of the acceptance test: see `Trust` in
/// `acceptance_call.rs`.
pub(super) fn unjudged(
    code: &Schedule,
    factors: &Factorization,
    correction: Option<&Correction>,
    layout: &Layout,
) -> Vec<Symbol> {
    let mut shown = if layout.constraints == 0 {
        code.shown_by(&factors.solution)
    } else {
        let solved = [&factors.solution, &factors.residual, &factors.terms];
        code.shown_by(&judged(factors, solved.map(|part| &part[..])))
    };
    if let Some(correction) = correction {
        let mut corrected = code.clone();
        let instructions = correction.instructions.iter().cloned();
        corrected.instructions.extend(instructions);
        // Only the equations that were judged before.
        let last = |part: &'_ [Operand]| part.len().saturating_sub(factors.residual.len());
        let (residual, terms) = (&correction.residual, &correction.terms);
        let solved = [
            &correction.solution[..],
            &residual[last(residual)..],
            &terms[last(terms)..],
        ];
        let also = corrected.shown_by(&judged(factors, solved));
        shown.retain(|symbol| also.contains(symbol));
    }
    let entries = arguments(layout);
    let entries = entries
        .iter()
        .flat_map(|argument| entries_of(*argument, layout));
    entries.filter(|entry| !shown.contains(entry)).collect()
}

/// The values that are finite if a solution with constraints is accepted: the pivots of M, the diagonal of J M^-1
/// J^T, the residuals of the equations, the sizes of their terms, and the accelerations that occur in none of these
/// equations.
fn judged(factors: &Factorization, [solution, residual, terms]: [&[Operand]; 3]) -> Vec<Operand> {
    let n = factors.pivots_of_mass;
    let (pivots, diagonal) = (&factors.pivots[..n], &factors.diagonal[n..]);
    let unseen = factors.tested.untested.iter().map(|i| solution[*i]);
    let others = [pivots, diagonal, residual, terms].concat();
    others.into_iter().chain(unseen).collect()
}

/// The symbols of an argument of the whole state.
fn entries_of(argument: Argument, layout: &Layout) -> Vec<Symbol> {
    let entries = |count: usize, symbol: fn(u32) -> Symbol| (0..count as u32).map(symbol).collect();
    match argument {
        Argument::T => vec![Symbol::Time],
        Argument::Q => entries(layout.coordinates, Symbol::Coordinate),
        Argument::V => entries(layout.velocities, Symbol::Velocity),
        Argument::States => entries(layout.states, Symbol::State),
        Argument::U => entries(layout.inputs, Symbol::Input),
        _ => Vec::new(),
    }
}
