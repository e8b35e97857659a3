//! Checks that the equations are linear in the parameters of a regressor, and invariant under a symmetry.

use lagrange_engine::{
    Dynamics, Entry, NodeId, Quantity, RegressorDefect, SymmetryDefect, identification,
    parameters_beside_multipliers, regressor_defects, symmetry_defect,
};

use crate::errors::{Code, Errors};
use crate::model::{RegressorItem, SymmetryItem, Warning, symbol_name};
use crate::syntax::ast::text;
use crate::tables::Tables;

/// The size limit of expressions in messages.
const SHORT: u64 = 60;

/// Checks all regressors and symmetries. It needs the derived equations of a system whose energies, forces and
/// constraints have no mistakes.
pub(crate) fn regressors_and_symmetries(dynamics: &Dynamics, tables: &Tables, errors: &mut Errors) {
    let regressors = tables
        .regressors
        .iter()
        .filter(|entry| entry.is_known)
        .enumerate();
    for (number, entry) in regressors {
        check_regressor(dynamics, number, &entry.item, errors);
    }
    let symmetries = tables
        .symmetries
        .iter()
        .filter(|entry| entry.is_known)
        .enumerate();
    for (number, entry) in symmetries {
        if let Some(defect) = symmetry_defect(dynamics, number) {
            let message = explain_change(dynamics, number, &entry.item, &defect);
            errors.error(&entry.item.name, Code::NoSymmetry, message);
        }
    }
}

/// Finds what motions tell of the parameters of each regressor, and warns of those that no motion shows. An array of which
/// some elements are seen is no mistake. The system has no mistakes.
pub(crate) fn identify(dynamics: &Dynamics, tables: &mut Tables) {
    for (number, entry) in tables.regressors.iter_mut().enumerate() {
        let identified = identification(dynamics, number);
        let mut columns = 0..;
        for listed in &entry.item.parameters {
            let own_columns: Vec<usize> = columns.by_ref().take(listed.numbers.len()).collect();
            if own_columns.is_empty()
                || own_columns
                    .iter()
                    .any(|column| !identified.unseen.contains(column))
            {
                continue;
            }
            let name = &listed.name;
            tables.warnings.push(Warning {
                span: name.span(),
                code: Code::UnseenParameter,
                name: "parameter_without_effect",
                message: format!("no motion shows `{}`: leave it out of the list", text(name)),
                attributes: entry.item.attributes.clone(),
            });
        }
        entry.item.identification = Some(identified);
    }
}

/// Finds the parameters of each sensitivity on which no acceleration depends, and warns of those that have no other
/// elements. The system has no mistakes.
pub(crate) fn find_idle_parameters(dynamics: &Dynamics, tables: &mut Tables) {
    for entry in &mut tables.sensitivities {
        let item = &mut entry.item;
        for listed in &item.parameters {
            let are_idle: Vec<bool> = listed
                .numbers
                .iter()
                .map(|number| dynamics.idle_parameters().contains(number))
                .collect();
            if are_idle.iter().all(|is_idle| *is_idle) {
                let name = match &listed.elements[..] {
                    [element] => element.clone(),
                    _ => text(&listed.name),
                };
                tables.warnings.push(Warning {
                    span: listed.name.span(),
                    code: Code::UnseenParameter,
                    name: "parameter_without_effect",
                    message: format!(
                        "no acceleration depends on `{name}`: leave it out of the list"
                    ),
                    attributes: item.attributes.clone(),
                });
            }
            item.are_idle.extend(are_idle);
        }
    }
}

/// The text of a short expression.
fn write_short(dynamics: &Dynamics, node: NodeId) -> Option<String> {
    let graph = dynamics.graph();
    let is_short = graph.written_size(&[node]) <= SHORT;
    is_short.then(|| graph.text(node, &|symbol| symbol_name(dynamics.names(), symbol)))
}

/// Reports each parameter once, for an array at the first element with a mistake.
fn check_regressor(dynamics: &Dynamics, number: usize, item: &RegressorItem, errors: &mut Errors) {
    let listed = item.parameters.iter().enumerate();
    let columns: Vec<(usize, &str)> = listed
        .flat_map(|(position, listed)| {
            listed
                .elements
                .iter()
                .map(move |element| (position, element.as_str()))
        })
        .collect();
    let mut reported = vec![false; item.parameters.len()];
    for (position, column) in parameters_beside_multipliers(dynamics, number) {
        let (parameter, element) = columns[position];
        if !std::mem::replace(&mut reported[parameter], true) {
            let message = explain_beside_multiplier(dynamics, element, column);
            errors.error(&item.parameters[parameter].name, Code::Nonlinear, message);
        }
    }
    for defect in regressor_defects(dynamics, number) {
        let (parameter, element) = columns[defect.position];
        if std::mem::replace(&mut reported[parameter], true) {
            continue;
        }
        let other = defect.with.map(|with| columns[with].1);
        let message = explain_nonlinear(dynamics, element, other, &defect);
        errors.error(&item.parameters[parameter].name, Code::Nonlinear, message);
    }
}

/// The message for a parameter in a coefficient of a multiplier: M a + h - Q is without multipliers.
fn explain_beside_multiplier(dynamics: &Dynamics, element: &str, column: usize) -> String {
    let rows = [dynamics.constraint_names(), dynamics.contact_names()].concat();
    let row = &rows[column];
    format!(
        "`{element}` is in the coefficient of `multiplier({row})`, and a regressor is of M a + h - Q without \
         multipliers\n\n\
         help: leave it out, and fit it by `multiplier_forces` and the multipliers of `solve`"
    )
}

fn explain_nonlinear(
    dynamics: &Dynamics,
    element: &str,
    other: Option<&str>,
    defect: &RegressorDefect,
) -> String {
    let show = |node| write_short(dynamics, node);
    let (factor, coefficient) = match defect.entry {
        Some(Entry {
            factor,
            coefficient,
        }) => (show(factor), coefficient.and_then(show)),
        None => (None, None),
    };
    let enters = match (&factor, other) {
        (Some(factor), None) => {
            format!("`{element}` enters as `{factor}`: the equations are not linear in it")
        }
        (None, None) => format!("the equations are not linear in `{element}`"),
        (Some(factor), Some(other)) => format!(
            "`{other}` and `{element}` enter in one product, `{factor}`: the equations are not linear \
             in both"
        ),
        (None, Some(other)) => {
            format!(
                "`{other}` and `{element}` enter in one product: the equations are not linear in both"
            )
        }
    };
    let help = match (coefficient, other) {
        (Some(coefficient), _) => format!("make `{coefficient}` a parameter, and list that"),
        (None, Some(_)) => "list one of them".to_owned(),
        (None, None) => "leave it out: a regressor finds the factors of terms".to_owned(),
    };
    format!("{enters}\n\nhelp: {help}")
}

/// The quantity that a direction changes if it is not a symmetry.
fn explain_change(
    dynamics: &Dynamics,
    number: usize,
    item: &SymmetryItem,
    defect: &SymmetryDefect,
) -> String {
    let name = text(&item.name);
    let (what, change) = match defect {
        SymmetryDefect::Idle => {
            return format!("the symmetry `{name}` moves nothing\n\nhelp: remove it");
        }
        SymmetryDefect::Energy { energy, change } => (name_energy(*energy).to_owned(), *change),
        SymmetryDefect::Constraint { position, change } => {
            let row = dynamics.constraint(*position);
            (format!("the constraint `{row}`"), *change)
        }
    };
    let how = match write_short(dynamics, change).as_deref() {
        Some("0") => format!("{what} jumps along it"),
        Some(rate) => format!("{what} changes along it at the rate `{rate}`"),
        None => format!("{what} changes along it"),
    };
    let (is, also) = match dynamics.symmetry_depends_on_time(number) {
        true => (
            "depends on t and is no symmetry of this kind",
            "; a direction that changes L by the rate of a function of q and t, such as a Galilean boost, is not accepted",
        ),
        false => ("is no symmetry", ""),
    };
    format!(
        "`{name}` {is}: {how}\n\n\
         help: a symmetry leaves the energies and constraints as they are{also}"
    )
}

fn name_energy(energy: Quantity) -> &'static str {
    match energy {
        Quantity::KineticEnergy => "`T`",
        Quantity::PotentialEnergy => "`V`",
        _ => "`L`",
    }
}
