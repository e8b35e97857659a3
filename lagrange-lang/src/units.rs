//! Units of a declaration with labels: `m: parameter [kg]`.
//!
//! ```text
//! the text -> lower::lower_for_units -> Facts -> Solution -> errors, and the unit of every name
//! ```
//!
//! The declaration is evaluated a second time, in which numbers that may have a unit are symbols. The evaluation records
//! which terms have one unit, with their places. Units are products of powers, so that each of these facts is a linear
//! equation between exponents. No unit reaches the generated equations.

mod equations;
mod facts;
mod measures;
mod messages;
mod unit;

use lagrange_engine::{NodeId, Number, Shape, Symbol, System};

use self::equations::Solution;
pub(crate) use self::facts::{Fact, Factor, Facts, Label, Literal, Side};
use self::measures::{Measure, Unknown};
pub(crate) use self::unit::Unit;
#[cfg(test)]
pub(crate) use self::unit::rounded;
use crate::errors::{Code, Errors};
use crate::lower;
use crate::model::{Declared, Head, Units};
use crate::syntax::ast::{ExprKind, FieldDef, Role, SystemDef, text};

/// The symbol of a number within its kind.
type Numbered = fn(u32) -> Symbol;

/// Checks the units of a declaration that has no other mistakes, and returns those of its names.
pub(crate) fn check(
    definition: &SystemDef,
    (head, system): (&Head, &System),
    errors: &mut Errors,
) -> Units {
    match definition.has_labels {
        true => check_labels(definition, errors),
        false => names((head, system), &|_| None, (&|_| None, None)),
    }
}

fn check_labels(definition: &SystemDef, errors: &mut Errors) -> Units {
    let (head, system, facts) = lower::lower_for_units(definition, &mut Errors::default());
    let mut solution = Solution::default();
    label_fields(definition, &head, &mut solution, errors);
    for (position, literal) in facts.literals.iter().enumerate() {
        let symbol = Unknown::Symbol(Facts::symbol(position));
        let label = literal.label.clone();
        solution.labels.extend(label.map(|label| (symbol, label)));
    }
    let has_time = solution.labels.contains_key(&Unknown::Symbol(Symbol::Time));
    let of_symbol = of_symbol(&system, has_time);
    let measures = measures::of_nodes(&system.graph, &of_symbol);
    let texts = texts(definition, &facts);
    for contradiction in solution.solve(&facts.all, (&system.graph, &measures)) {
        let known = (&system, &measures, &texts[..]);
        let message = messages::contradiction(&contradiction, &facts, &solution, known);
        let place = facts.all[contradiction.fact].place;
        errors.error(place, Code::UnitsDisagree, message);
    }
    let text = |measure: &Measure| Some(solution.unit(measure)?.text(&texts));
    let of_node = |node: NodeId| text(measures.get(node.index())?.as_ref()?);
    let of_length = text(&Measure::unknown(Unknown::Length));
    let label = |symbol| Some(solution.labels.get(&Unknown::Symbol(symbol))?.text.clone());
    let kinematics = system.names.kinematics();
    let unit = |symbol| {
        let rate = match symbol {
            Symbol::Velocity(at) => match kinematics.coordinate_of_velocity(at as usize) {
                Some(coordinate) => label(Symbol::Coordinate(coordinate as u32)),
                None => Some("rad".to_owned()),
            },
            _ => None,
        };
        match rate {
            Some(angle) if angle == "rad" => Some("rad/s".to_owned()),
            _ => label(symbol).or_else(|| text(&of_symbol(symbol))),
        }
    };
    names((&head, &system), &unit, (&of_node, of_length))
}

/// The labels of the declaration, so that inferred units are written in the same words.
fn texts(definition: &SystemDef, facts: &Facts) -> Vec<(Unit, String)> {
    let of_fields = definition
        .fields
        .iter()
        .filter_map(|field| field.unit.as_deref());
    let of_numbers = facts
        .literals
        .iter()
        .filter_map(|literal| literal.label.as_ref());
    of_fields
        .chain(of_numbers)
        .map(|label| (label.unit.clone(), label.text.clone()))
        .filter(|(unit, _)| !unit.is_one())
        .collect()
}

/// Gives the names of the head the units of their labels.
fn label_fields(definition: &SystemDef, head: &Head, solution: &mut Solution, errors: &mut Errors) {
    for field in &definition.fields {
        let Some(label) = &field.unit else {
            refuse_default(field, errors);
            continue;
        };
        let refused = match field.role {
            Role::Robot => Some("a robot has no unit: its file is in SI units"),
            Role::Rotation if !label.unit.is_one() => {
                Some("a rotation has no unit: its velocities are in rad/s")
            }
            _ => None,
        };
        if let Some(message) = refused {
            let message = format!("{message}\n\nhelp: remove the label");
            errors.error(label.place, Code::UnitForm, message);
            continue;
        }
        refuse_default(field, errors);
        if field.role == Role::Time {
            solution
                .labels
                .insert(Unknown::Symbol(Symbol::Time), (**label).clone());
        }
        let lists: [(&[Declared], Numbered); 4] = [
            (&head.coordinates, Symbol::Coordinate),
            (&head.parameters, Symbol::Parameter),
            (&head.states, Symbol::State),
            (&head.inputs, Symbol::Input),
        ];
        for (declared, symbol) in lists {
            let mut first = 0;
            for other in declared {
                let next = first + other.shape.len() as u32;
                let is_own = field
                    .names
                    .iter()
                    .any(|name| text(name) == text(&other.name));
                if is_own && other.path.is_none() {
                    let labels = (first..next)
                        .map(|at| Unknown::Symbol(symbol(at)))
                        .map(|symbol| (symbol, (**label).clone()));
                    solution.labels.extend(labels);
                }
                first = next;
            }
        }
    }
}

/// Reports a default whose label is not that of its field.
fn refuse_default(field: &FieldDef, errors: &mut Errors) {
    let Some(default) = &field.default else {
        return;
    };
    let mut labelled = vec![default];
    while let Some(expr) = labelled.pop() {
        match &expr.kind {
            ExprKind::Labelled(_, of_default) => {
                let of_field = field.unit.as_ref();
                if of_field.is_none_or(|label| label.unit == of_default.unit) {
                    continue;
                }
                let unit = of_field.map_or("", |label| &label.text[..]);
                let message = format!(
                    "units disagree: the default is in {}, its field in {unit}\n\n\
                     help: write one of both units",
                    of_default.text
                );
                errors.error(of_default.place, Code::UnitsDisagree, message);
            }
            ExprKind::List(_) | ExprKind::Neg(_) => labelled.extend(expr.parts()),
            _ => {}
        }
    }
}

/// The unknowns of symbols: a velocity is in the unit of its coordinate per second, and quaternions are pure.
fn of_symbol(system: &System, has_label: bool) -> impl Fn(Symbol) -> Measure + use<> {
    let kinematics = system.names.kinematics();
    let rotations = system.names.rotations.clone();
    move |symbol| match symbol {
        Symbol::Coordinate(at) => {
            let at_quaternion = |first: &usize| (*first..first + 4).contains(&(at as usize));
            match rotations.iter().any(at_quaternion) {
                true => Measure::PURE,
                false => Measure::unknown(Unknown::Symbol(symbol)),
            }
        }
        Symbol::StateRate(at) => {
            let state = Measure::unknown(Unknown::Symbol(Symbol::State(at)));
            per_second(state)
        }
        Symbol::Velocity(at) => {
            let coordinate = kinematics.coordinate_of_velocity(at as usize);
            let measure = coordinate
                .map(|index| Unknown::Symbol(Symbol::Coordinate(index as u32)))
                .map_or(Measure::PURE, Measure::unknown);
            per_second(measure)
        }
        Symbol::Time if !has_label => Measure::known(Unit::second()),
        symbol => Measure::unknown(Unknown::Symbol(symbol)),
    }
}

fn per_second(measure: Measure) -> Measure {
    let second = Measure::known(Unit::second());
    let rate = measure.times(&second, Number::MINUS_ONE);
    rate.unwrap_or(Measure::PURE)
}

/// The name, the multiplier and the residual of each constraint and contact.
fn rows(system: &System) -> Vec<(&str, Symbol, NodeId)> {
    let constraints = system
        .constraints
        .iter()
        .zip(0..)
        .map(|(row, number)| (&row.name[..], Symbol::Multiplier(number), row.residual));
    let contacts = system
        .contacts
        .iter()
        .zip(lower::multipliers::FIRST_CONTACT..)
        .map(|(row, number)| (&row.name[..], Symbol::Multiplier(number), row.gap));
    constraints.chain(contacts).collect()
}

/// The unit of every name; of a frame that of its origin.
fn names(
    (head, system): (&Head, &System),
    of_symbol: &dyn Fn(Symbol) -> Option<String>,
    (of_node, of_length): (&dyn Fn(NodeId) -> Option<String>, Option<String>),
) -> Units {
    let names = &system.names;
    let velocities: Vec<String> = head
        .coordinates
        .iter()
        .flat_map(Declared::velocity_names)
        .collect();
    let lists: [(&[String], Numbered); 5] = [
        (&names.coordinates, Symbol::Coordinate),
        (&velocities, Symbol::Velocity),
        (&names.states, Symbol::State),
        (&names.parameters, Symbol::Parameter),
        (&names.inputs, Symbol::Input),
    ];
    let mut units = Units::new();
    for (names, symbol) in lists {
        let rows = names
            .iter()
            .zip(0..)
            .map(|(name, number)| (name.clone(), of_symbol(symbol(number))));
        units.extend(rows);
    }
    let rows = rows(system);
    let residuals = rows
        .iter()
        .map(|(name, _, residual)| ((*name).to_owned(), of_node(*residual)));
    units.extend(residuals);
    let multipliers = rows
        .iter()
        .map(|(name, symbol, _)| (format!("multiplier({name})"), of_symbol(*symbol)));
    units.extend(multipliers);
    for output in &system.outputs {
        let entries: Vec<Option<String>> =
            output.entries.iter().map(|node| of_node(*node)).collect();
        // A 0 is one in every unit.
        let nodes = output.entries.iter();
        let mut others = nodes
            .zip(&entries)
            .filter(|(node, _)| !system.graph.is_zero(**node))
            .map(|(_, unit)| unit);
        let first = others.next();
        if others.all(|unit| Some(unit) == first) {
            units.push((output.name.clone(), first.cloned().flatten()));
            continue;
        }
        for (entry, unit) in entries.into_iter().enumerate() {
            let index = match output.shape {
                Shape::Matrix(_, columns) => format!("{}, {}", entry / columns, entry % columns),
                _ => entry.to_string(),
            };
            units.push((format!("{}[{index}]", output.name), unit));
        }
    }
    let frames = system.multibody.outputs().iter();
    units.extend(frames.map(|(name, _)| (name.clone(), of_length.clone())));
    units
}
