//! Likely reasons for missing inertia, found in the statements: common mistakes in T.

use std::collections::{BTreeMap, BTreeSet};

use lagrange_engine::{Dependence, Graph, NodeId, Symbol, velocity_degree};
use proc_macro2::Ident;

use super::words::Elements;
use crate::errors::{Code, Errors};
use crate::model::{Declared, Head, Velocity};
use crate::spans::SpanKey;
use crate::suggest::derivatives::{Derivative, derivative};
use crate::tables::{BodyEntry, KineticHint, Tables};

/// Names of velocities that people declare beside a coordinate.
const VELOCITIES: [&str; 10] = [
    "v", "vel", "velocity", "speed", "omega", "ω", "w", "qd", "dq", "qdot",
];

/// True if only `T` should give the inertia, and no statement of `T` contains a velocity.
pub(crate) fn is_still(graph: &Graph, tables: &Tables) -> bool {
    let contains = |value| {
        let dependence = graph.dependence(value);
        dependence.intersects(Dependence::VELOCITY)
    };
    let kinetic = &tables.energies.kinetic;
    let is_alone = !kinetic.is_empty() && tables.bodies.is_empty() && tables.energies.is_known;
    is_alone && !kinetic.iter().any(|(_, value)| contains(*value))
}

/// Reports the most likely reason why these velocities have no inertia. Returns true if there is one.
pub(crate) fn explain(
    graph: &Graph,
    tables: &Tables,
    head: &Head,
    velocities: &[usize],
    errors: &mut Errors,
) -> bool {
    explain_declared_velocity(graph, tables, head, velocities, errors)
        || explain_lost_rate(graph, tables, head, velocities, errors)
        || explain_still_energy(graph, tables, head, errors)
        || explain_rate_of_power(graph, tables, errors)
        || explain_massless_body(tables, errors)
        || explain_turning_body(graph, tables, head, velocities, errors)
}

/// `x, x_dot: coordinate`
fn explain_declared_velocity(
    graph: &Graph,
    tables: &Tables,
    head: &Head,
    velocities: &[usize],
    errors: &mut Errors,
) -> bool {
    let is_affected = |declared: &&Declared| {
        declared
            .velocities()
            .any(|velocity| velocities.contains(&velocity))
    };
    let is_still = is_still(graph, tables);
    let coordinates: Vec<String> = head.coordinates.iter().map(Declared::text).collect();
    let affected: Vec<String> = head
        .coordinates
        .iter()
        .filter(is_affected)
        .map(Declared::text)
        .collect();
    let roles = [
        (&head.coordinates, "a coordinate of its own"),
        (&head.parameters, "a parameter"),
        (&head.states, "a state"),
        (&head.inputs, "an input"),
    ];
    for (declared, role) in roles {
        for item in declared {
            let name = item.text();
            let of = find_velocity_of(&name, &affected).or_else(|| {
                // Beside a single coordinate, any common name of a velocity counts.
                let other_coordinates: Vec<&String> =
                    coordinates.iter().filter(|of| **of != name).collect();
                match other_coordinates[..] {
                    [only] if is_still && VELOCITIES.contains(&name.as_str()) => Some(only.clone()),
                    _ => None,
                }
            });
            if let Some(of) = of {
                report_declared(&item.name, &of, role, errors);
                return true;
            }
        }
    }
    false
}

fn find_velocity_of(name: &str, coordinates: &[String]) -> Option<String> {
    match derivative(name, coordinates.iter().map(String::as_str)) {
        Some(Derivative { of, order: 1 }) => Some(of.to_owned()),
        _ => None,
    }
}

fn report_declared(name: &Ident, of: &str, role: &str, errors: &mut Errors) {
    let message = format!(
        "`{name}` is declared as {role}, and `T` contains no velocity of `{of}`\n\n\
         help: remove `{name}`, and write `der({of})`: velocities are not declared"
    );
    errors.error(name, Code::DeclaredVelocity, message);
}

/// `T = 0 * der(x)^2;`, `T = m * der(x)^2 - m * der(x)^2;`
fn explain_lost_rate(
    graph: &Graph,
    tables: &Tables,
    head: &Head,
    velocities: &[usize],
    errors: &mut Errors,
) -> bool {
    let energies = &tables.energies;
    let energy = if energies.by_lagrangian { "L" } else { "T" };
    let among = |nodes: &[NodeId], velocities: &[usize]| -> Vec<usize> {
        let reached = graph.reachable(nodes);
        let is_in = |velocity: &usize| {
            let leaf = graph.leaf(Symbol::Velocity(*velocity as u32));
            leaf.is_some_and(|leaf| reached.get(leaf.index()) == Some(&true))
        };
        velocities.iter().copied().filter(is_in).collect()
    };
    let is_zero = energies
        .kinetic
        .iter()
        .all(|(_, value)| graph.is_zero(*value));
    let zero = match is_zero && !energies.by_lagrangian {
        true => "`T` is zero".to_owned(),
        false => format!("this term of `{energy}` is zero"),
    };
    let mut said = BTreeSet::new();
    for hint in &energies.hints {
        if let KineticHint::ZeroFactor { place, others } = hint
            && !among(others, velocities).is_empty()
            && said.insert(SpanKey::of(place.first))
        {
            let message = format!(
                "{zero}: its factor is 0\n\nhelp: write a mass in its place, or remove the term"
            );
            errors.error(*place, Code::StillEnergy, message);
        }
    }
    if !said.is_empty() {
        return true;
    }
    if energies.by_lagrangian {
        return false;
    }
    let stay: Vec<NodeId> = energies.kinetic.iter().map(|(_, value)| *value).collect();
    let stay = among(&stay, velocities);
    let gone: Vec<usize> = velocities
        .iter()
        .copied()
        .filter(|velocity| !stay.contains(velocity))
        .collect();
    for hint in &energies.hints {
        let KineticHint::Mentioned { place, rates } = hint else {
            continue;
        };
        let of = among(rates, &gone).first().copied().and_then(|velocity| {
            head.coordinates
                .iter()
                .find(|of| of.velocities().contains(&velocity))
        });
        if let Some(of) = of {
            let name = of.text();
            let message = format!(
                "the velocity of `{name}` cancels in `{energy}`\n\n\
                 help: the kinetic energy of a mass is `m * der({name})^2 / 2`"
            );
            errors.error(*place, Code::StillEnergy, message);
            return true;
        }
    }
    false
}

/// `T = m * x^2 / 2;`
fn explain_still_energy(graph: &Graph, tables: &Tables, head: &Head, errors: &mut Errors) -> bool {
    if !is_still(graph, tables) {
        return false;
    }
    let mentioned = tables.energies.hints.iter().find_map(|hint| match hint {
        KineticHint::Coordinate { place, name } => Some((*place, name)),
        _ => None,
    });
    if let Some((place, name)) = mentioned {
        let message = format!("`T` contains no velocity\n\nhelp: did you mean `der({name})`?");
        errors.error(place, Code::StillEnergy, message);
        return true;
    }
    let (Some((place, _)), Some(first)) =
        (tables.energies.kinetic.first(), head.coordinates.first())
    else {
        return false;
    };
    let name = first.text();
    let message = format!(
        "`T` contains no velocity\n\nhelp: the velocity of `{name}` is `der({name})`: write for \
         example `m * der({name})^2 / 2`"
    );
    errors.error(*place, Code::StillEnergy, message);
    true
}

/// `T = m * der(x^2) / 2;`
fn explain_rate_of_power(graph: &Graph, tables: &Tables, errors: &mut Errors) -> bool {
    let is_linear = |value| velocity_degree(graph, value).is_some_and(|degree| degree < 2);
    let kinetic = &tables.energies.kinetic;
    if !kinetic.iter().all(|(_, value)| is_linear(*value)) {
        return false;
    }
    let power = tables.energies.hints.iter().find_map(|hint| match hint {
        KineticHint::RateOfPower { place, of } => Some((*place, of)),
        _ => None,
    });
    let Some((place, of)) = power else {
        return false;
    };
    let message = format!(
        "the derivative of a square is linear in the velocities, and `T` gives no inertia\n\n\
         help: the square of a velocity is `der({of})^2`"
    );
    errors.error(place, Code::RateOfSquare, message);
    true
}

/// A `body` without a mass.
fn explain_massless_body(tables: &Tables, errors: &mut Errors) -> bool {
    let mut has_massless_body = false;
    for body in &tables.bodies {
        if !body.has_mass && !body.has_inertia {
            let message = "this body has neither mass nor inertia, and neither have the coordinates that move it\n\nhelp: add `mass: m`, and `inertia: diag(ixx, iyy, izz)` where it turns";
            errors.error(body.written.span, Code::MasslessBody, message);
            has_massless_body = true;
        }
    }
    has_massless_body
}

/// A `body` with a mass and without inertia, in a frame that all these velocities turn. Each of them lacks an inertia.
fn explain_turning_body(
    graph: &Graph,
    tables: &Tables,
    head: &Head,
    velocities: &[usize],
    errors: &mut Errors,
) -> bool {
    let turned: Vec<(&BodyEntry, Vec<bool>)> = tables
        .bodies
        .iter()
        .filter(|body| !body.has_inertia)
        .map(|body| (body, graph.reachable(&body.spin)))
        .collect();
    let turns = |velocity: usize, turned: &[bool]| {
        let leaf = graph.leaf(Symbol::Velocity(velocity as u32));
        leaf.is_some_and(|leaf| turned.get(leaf.index()) == Some(&true))
    };
    // Each velocity turns a body. The first such body is reported, once.
    let mut blamed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for velocity in velocities {
        let body = turned
            .iter()
            .position(|(_, turned)| turns(*velocity, turned));
        match body {
            Some(body) => blamed.entry(body).or_default().push(*velocity),
            None => return false,
        }
    }
    for (body, velocities) in &blamed {
        report_turning(turned[*body].0, head, velocities, errors);
    }
    !blamed.is_empty()
}

/// Reports the first coordinate of these velocities on behalf of all.
fn report_turning(body: &BodyEntry, head: &Head, velocities: &[usize], errors: &mut Errors) {
    let turning_of = |declared: &Declared| -> Vec<usize> {
        let own_velocities = declared.velocities();
        velocities
            .iter()
            .filter(|velocity| own_velocities.contains(velocity))
            .copied()
            .collect()
    };
    let first = head
        .coordinates
        .iter()
        .map(|declared| (declared, turning_of(declared)))
        .find(|(_, turning)| !turning.is_empty());
    let Some((first, turning)) = first else {
        return;
    };
    let Elements { subject, are_many } = Elements::of(first, &turning);
    let (have, them) = if are_many {
        ("have", "them")
    } else {
        ("has", "it")
    };
    let or_else = match first.velocity {
        // For a rotation `at` does not suffice: a point mass has no inertia about the axis through it.
        Velocity::Rotation(_) => "",
        _ => ", or place its mass off the axis by `at`",
    };
    let message = format!(
        "{subject} {have} no inertia: this body turns with {them} and has none\n\n\
         help: add `inertia: diag(ixx, iyy, izz)`{or_else}"
    );
    errors.error(body.written.span, Code::MasslessBody, message);
}
