//! The checks of a whole system, one function for each rule. They read the system and the tables that say where each
//! part was written. Mistakes go to the collector.

mod constraints;
mod curves;
mod hints;
mod outputs;
mod physics;
mod regressors_and_symmetries;
mod twice;
mod usage;
mod warnings;
mod words;

#[cfg(test)]
mod tests;

use lagrange_engine::{Dynamics, System};
use proc_macro2::Span;

use crate::errors::{Code, Errors};
use crate::generated::MAX_HESSIAN;
use crate::methods::Reacting;
use crate::model::{Head, Warning};
use crate::tables::Tables;
pub(crate) use physics::check_inertia;
pub(crate) use regressors_and_symmetries::{
    find_idle_parameters, identify, regressors_and_symmetries,
};

/// The warnings and facts that a system without mistakes yields.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) warnings: Vec<Warning>,
    /// For each constraint, the names of its rows that are integrable and thus holonomic.
    pub(crate) integrable: Vec<Vec<String>>,
}

/// Checks the system as a whole. Each rule needs only the parts that it concerns, so it also reports violations beside
/// other mistakes.
pub(crate) fn check(
    system: &System,
    tables: &Tables,
    head: &Head,
    errors: &mut Errors,
) -> Findings {
    outputs::check_names_beside(tables, errors);
    usage::report_missing_terms(tables, head, errors);
    curves::refuse_jumps(system, tables, errors);
    usage::report_states_without_rates(tables, head, errors);
    idle_options(tables, head, errors);
    options_beside_multipliers(system, head, errors);
    let mut redundant = head.options.redundant.map(|_| Vec::new());
    let is_sound: Vec<bool> = if tables.known.to_the_end {
        constraints::find_defects(system, tables, redundant.as_mut(), errors)
    } else {
        tables.constraints.iter().map(|c| c.is_sound).collect()
    };
    if !tables.energies.is_given {
        return Findings::default();
    }
    let is_judged = errors.is_empty() && system.constraints.is_empty();
    if is_judged && hints::is_still(&system.graph, tables) {
        let velocities: Vec<usize> = (0..head.velocity_count()).collect();
        if hints::explain(&system.graph, tables, head, &velocities, errors) {
            return Findings::default();
        }
    }
    let all_occur = usage::report_idle_coordinates(system, tables, head, errors);
    let is_quadratic = physics::check_kinetic_energy(system, tables, errors);
    if errors.is_empty() {
        let mut findings = Findings {
            warnings: physics::warn_of_forces_given_twice(system, tables),
            integrable: constraints::find_integrable(system, tables),
        };
        let more = constraints::warn_of_integrability(tables, &findings.integrable);
        findings.warnings.extend(more);
        findings.warnings.extend(redundant.unwrap_or_default());
        findings
            .warnings
            .extend(curves::warn_of_kinks(system, tables));
        findings
            .warnings
            .extend(warnings::warnings(system, tables, head));
        return findings;
    }
    let are_known = tables.constraints.iter().all(|c| c.is_known);
    let is_known = tables.known.statements && are_known && tables.energies.is_known;
    if is_known && all_occur && is_quadratic {
        physics::check_inertia_among_mistakes(system, tables, &is_sound, head, errors);
    }
    let are_sound = is_sound.iter().all(|is_sound| *is_sound);
    if tables.known.terms && are_sound && is_quadratic {
        asked_for_among_mistakes(system, tables, errors);
    }
    Findings::default()
}

/// Refuses a struct option for a method that this system cannot have.
fn idle_options(tables: &Tables, head: &Head, errors: &mut Errors) {
    if let (Some(place), true) = (head.options.coriolis_matrix, tables.energies.by_lagrangian) {
        let message = "a system that is given by `L` has no `coriolis_matrix`\n\n\
                       help: remove it, or give `T` and `V`";
        errors.error(place, Code::Attribute, message);
    }
    if let Some(place) = head.options.hessian {
        hessian(place, tables, head, errors);
    }
    if let (Some(place), false) = (head.options.midpoint_step, head.states.is_empty()) {
        let message = "`midpoint_step` is for systems without states\n\n\
                       help: remove it, and step by `rk4_step_with_states`";
        errors.error(place, Code::Attribute, message);
    }
    let has_rows = !tables.constraints.is_empty() || !tables.contacts.is_empty();
    if let (Some(place), false) = (head.options.redundant, has_rows) {
        let message = "`redundant` is for rows of constraints and contacts that depend on each other, and this system \
                       has neither\n\nhelp: remove it";
        if tables.known.statements {
            errors.error(place, Code::Attribute, message);
        }
    }
}

/// Refuses second derivatives of accelerations that do not exist, or are too many.
fn hessian(place: Span, tables: &Tables, head: &Head, errors: &mut Errors) {
    if head.options.redundant.is_some() && !tables.constraints.is_empty() {
        let message = "`redundant` rows change their rank at some states, and the accelerations have no second derivatives \
                       there\n\nhelp: remove `hessian`, or remove `redundant` and the rows that depend on others";
        errors.error(place, Code::Attribute, message);
        return;
    }
    let rows = 2 * head.velocity_count() + head.state_count() + head.input_count();
    if rows > MAX_HESSIAN {
        let message = format!(
            "a Hessian has at most {MAX_HESSIAN} rows, one for each displacement, velocity, state and input; here it has \
             {rows}\n\nhelp: remove it"
        );
        errors.error(place, Code::TooMany, message);
    }
}

/// Refuses struct options for equations that have no forces by multipliers.
fn options_beside_multipliers(system: &System, head: &Head, errors: &mut Errors) {
    if !Reacting::of(system).is_some_and(|reacting| reacting.constraints) {
        return;
    }
    if let Some(place) = head.options.redundant {
        let message = "`redundant` rows do not determine their multipliers, and a force depends on one\n\n\
                       help: remove it and the rows that depend on others, or give the force without `multiplier`";
        errors.error(place, Code::Attribute, message);
    }
    if let Some(place) = head.options.midpoint_step {
        let message = "`midpoint_step` has no forces that depend on multipliers: it applies forces in the middle of a \
                       step, and multipliers at its ends\n\n\
                       help: remove it, and step by `rk4_step`";
        errors.error(place, Code::Attribute, message);
    }
}

/// The checks of regressors and symmetries for a system with mistakes in other places.
fn asked_for_among_mistakes(system: &System, tables: &Tables, errors: &mut Errors) {
    let are_any = !system.regressors.is_empty() || !system.symmetries.is_empty();
    if are_any && !errors.is_full() {
        regressors_and_symmetries(&Dynamics::new(system.clone()), tables, errors);
    }
}
