//! The head: names, roles, shapes and defaults.

mod defaults;
mod robots;
mod sizes;

use std::collections::HashMap;

use lagrange_engine::{Graph, Names, Rotation, Shape, Symbol};
use proc_macro2::Ident;

use super::evaluator::{Declarations, Evaluator};
use super::names;
use super::scope::{Binding, BindingKind, Scope};
use super::value::Value;
use crate::errors::{Code, Errors};
use crate::model::{Declared, Head, Velocity, Warning};
use crate::syntax::ast::{FieldDef, Role, SystemDef, text};

pub(super) use defaults::DEFAULT;
pub(super) use robots::OPTION;
pub(super) use sizes::MAX_STATE;

/// Checks the fields and declares their names for the statements.
///
/// The head holds everything that a stub of the struct needs, even after mistakes. Must be called right after the
/// parser, because the mistakes of the parser decide which names count as missing.
pub(crate) fn head(definition: &SystemDef, errors: &mut Errors) -> (Head, Declarations) {
    let declarations = Declarations {
        graph: Graph::new(),
        scope: Scope::default(),
        names: Names::default(),
        complete: errors.is_empty(),
        lacks_names: definition.lacks_names,
        surplus_names: 0,
        surplus_coordinates: 0,
        misused: Vec::new(),
        robots: Vec::new(),
        files: Vec::new(),
        warnings: Vec::new(),
        folder: definition.folder.clone(),
    };
    let mut fields = Fields {
        head: Head {
            attributes: definition.attributes.clone(),
            options: definition.options.clone(),
            visibility: definition.visibility.clone(),
            name: definition.name.clone(),
            coordinates: Vec::new(),
            parameters: Vec::new(),
            states: Vec::new(),
            inputs: Vec::new(),
            time: None,
            robots: Vec::new(),
            files: Vec::new(),
            units: Vec::new(),
        },
        evaluator: Evaluator::new(declarations, errors),
        surplus: Vec::new(),
        robot_warnings: Vec::new(),
    };
    let shapes: Vec<Option<Shape>> = definition
        .fields
        .iter()
        .map(|field| fields.declare_field(field))
        .collect();
    fields.check_coordinates(definition);
    let Fields {
        mut head,
        mut evaluator,
        robot_warnings,
        ..
    } = fields;
    let numbers: HashMap<String, usize> = head
        .parameters
        .iter()
        .enumerate()
        .map(|(number, parameter)| (text(&parameter.name), number))
        .collect();
    for (field, shape) in definition.fields.iter().zip(shapes) {
        let parameters = (&mut head, &numbers);
        defaults::defaults(field, shape.is_some(), parameters, &mut evaluator);
    }
    let kinematics = evaluator.names.kinematics();
    evaluator.graph.assume_rotations(&kinematics);
    let declarations = Declarations {
        warnings: robot_warnings,
        ..evaluator.into_declarations()
    };
    (head, declarations)
}

/// The fields so far.
struct Fields<'e> {
    head: Head,
    evaluator: Evaluator<'e>,
    /// The roles that have too many elements.
    surplus: Vec<Role>,
    /// Warnings about files of robots.
    robot_warnings: Vec<Warning>,
}

impl Fields<'_> {
    /// Declares the names of a field; returns their shape, unless it has a mistake.
    fn declare_field(&mut self, field: &FieldDef) -> Option<Shape> {
        if field.meant == Role::Robot {
            self.declare_robot_field(field);
            return None;
        }
        let shape = self.check_shape(field);
        let least = of_role(field.meant, sizes::find_least_shape(&field.dimensions));
        for name in &field.names {
            match shape {
                Some(shape) if field.role != Role::Unknown => self.declare(field, name, shape),
                _ => self.declare_for_stub(field, name, shape.unwrap_or(least)),
            }
        }
        shape
    }

    fn check_shape(&mut self, field: &FieldDef) -> Option<Shape> {
        let shape = sizes::shape(&field.dimensions, &mut self.evaluator)?;
        let shape = of_role(field.meant, shape);
        let names = &self.evaluator.names;
        let earlier = match field.role {
            Role::Coordinate | Role::Rotation => names.coordinates.len(),
            Role::Parameter => names.parameters.len(),
            Role::State => names.states.len(),
            Role::Input => names.inputs.len(),
            Role::Time | Role::Robot | Role::Unknown => 0,
        };
        if self.surplus.contains(&field.role) {
            return None;
        }
        let checked = sizes::check_total(field, earlier, shape.len(), &mut self.evaluator);
        if checked.is_none() {
            self.surplus.push(field.role);
        }
        checked.map(|()| shape)
    }

    /// Handles a name that is taken. The intended name is then missing.
    fn declare_again(&mut self, name: &Ident, kind: BindingKind) {
        self.evaluator.surplus_names += 1;
        let is_coordinate = matches!(kind, BindingKind::Coordinate(_) | BindingKind::Rotation(..));
        self.evaluator.surplus_coordinates += usize::from(is_coordinate);
        self.declare_mistaken(name);
    }

    fn declare_mistaken(&mut self, name: &Ident) {
        self.evaluator.complete = false;
        self.evaluator.scope.declare_mistaken(name);
    }

    /// Declares a name without a role or size. The stub has the name; statements that use it report nothing.
    fn declare_for_stub(&mut self, field: &FieldDef, name: &Ident, shape: Shape) {
        let is_second_time = field.meant == Role::Time && self.head.time.is_some();
        if self.evaluator.scope.find(name).is_none() && !is_second_time {
            self.add(field, name, shape);
        }
        self.declare_mistaken(name);
    }

    fn declare(&mut self, field: &FieldDef, name: &Ident, shape: Shape) {
        let kind = match field.role {
            Role::Coordinate => BindingKind::Coordinate(self.head.velocity_count()),
            Role::Rotation => {
                let first = Rotation {
                    coordinate: self.head.coordinate_count(),
                    velocity: self.head.velocity_count(),
                };
                let count = match shape {
                    Shape::Matrix(count, _) => Some(count),
                    Shape::Scalar | Shape::Vector(_) => None,
                };
                BindingKind::Rotation(first, count)
            }
            Role::Parameter => BindingKind::Parameter,
            Role::State => BindingKind::State(self.head.state_count()),
            Role::Input => BindingKind::Input,
            Role::Time | Role::Robot | Role::Unknown => BindingKind::Time,
        };
        if kind == BindingKind::Time && self.head.time.is_some() {
            self.evaluator.misused.extend(field.names.iter().map(text));
            let message = "time is declared twice\n\nhelp: remove this one";
            self.evaluator
                .errors
                .error(name, Code::DuplicateName, message);
            return self.declare_mistaken(name);
        }
        let is_new = self.evaluator.scope.find(name).is_none();
        let is_free = names::check(name, kind, &self.evaluator.scope, self.evaluator.errors);
        if !is_free {
            self.declare_again(name, kind);
        }
        if is_new {
            let symbols = self.add(field, name, shape);
            if is_free {
                self.bind(field, name, kind, shape, &symbols);
            }
        }
    }

    /// Numbers the elements of the name within its role.
    fn add(&mut self, field: &FieldDef, name: &Ident, shape: Shape) -> Vec<Symbol> {
        let names = &mut self.evaluator.names;
        let velocities = self.head.velocity_count();
        let rotations = &mut names.rotations;
        let (list, names, symbol): (_, _, fn(u32) -> Symbol) = match field.meant {
            Role::Coordinate | Role::Rotation => (
                &mut self.head.coordinates,
                &mut names.coordinates,
                Symbol::Coordinate,
            ),
            Role::Parameter => (
                &mut self.head.parameters,
                &mut names.parameters,
                Symbol::Parameter,
            ),
            Role::State => (&mut self.head.states, &mut names.states, Symbol::State),
            Role::Input => (&mut self.head.inputs, &mut names.inputs, Symbol::Input),
            Role::Time | Role::Robot | Role::Unknown => {
                self.head.time = Some(name.clone());
                names.time = Some(text(name));
                return vec![Symbol::Time];
            }
        };
        let first = names.len();
        let velocity = match field.meant {
            Role::Coordinate => Velocity::Rates(velocities),
            Role::Rotation => Velocity::Rotation(velocities),
            _ => Velocity::None,
        };
        let (path, file) = field.in_file.clone().unzip();
        let declared = Declared {
            name: name.clone(),
            path,
            file,
            attributes: field.attributes.clone(),
            shape,
            default: None,
            velocity,
        };
        names.extend(declared.element_names());
        list.push(declared);
        if field.meant == Role::Rotation {
            rotations.extend((first..names.len()).step_by(4));
        }
        (first..names.len()).map(|i| symbol(i as u32)).collect()
    }

    fn bind(
        &mut self,
        field: &FieldDef,
        name: &Ident,
        kind: BindingKind,
        shape: Shape,
        symbols: &[Symbol],
    ) {
        let graph = &mut self.evaluator.graph;
        let value = match kind {
            // A rotation is read by its rates.
            BindingKind::Rotation(first, count) => {
                let rates = 0..3 * count.unwrap_or(1);
                let rates = rates
                    .map(|i| Symbol::Velocity((first.velocity + i) as u32))
                    .map(|symbol| graph.symbol(symbol))
                    .collect();
                match count {
                    None => Value::vector(rates),
                    Some(count) => Value::matrix(count, 3, rates),
                }
            }
            _ => {
                let entries = symbols.iter().map(|symbol| graph.symbol(*symbol)).collect();
                Value { shape, entries }
            }
        };
        self.evaluator.scope.declare(Binding {
            name: name.clone(),
            kind,
            value: Some(value),
            read: false,
            attributes: field.attributes.clone(),
        });
    }

    fn check_coordinates(&mut self, definition: &SystemDef) {
        let may_be = |field: &FieldDef| {
            matches!(
                field.role,
                Role::Coordinate | Role::Rotation | Role::Robot | Role::Unknown
            )
        };
        // A part that could not be parsed may have been a coordinate.
        let could_read = self.evaluator.complete;
        if could_read && self.is_still() {
            return;
        }
        if could_read && !definition.fields.iter().any(may_be) {
            self.evaluator
                .misused
                .extend(definition.carried.iter().map(text));
            let message = match self.head.states.first() {
                Some(state) => format!(
                    "a system has at least one coordinate\n\n\
                     help: a state has no inertia: declare `{}: coordinate` if it has one",
                    state.text()
                ),
                None => "a system has at least one coordinate\n\nhelp: declare `x: coordinate`"
                    .to_owned(),
            };
            for state in &self.head.states {
                self.evaluator.misused.push(state.text());
                self.evaluator.scope.declare_mistaken(&state.name);
            }
            self.evaluator
                .errors
                .error(&definition.name, Code::NoCoordinate, message);
            // Any undeclared name may be the missing coordinate.
            self.evaluator.lacks_names = true;
        }
    }
}

/// The shape of a field with this role and these sizes. A rotation has four entries, and an array of rotations has
/// one row for each.
fn of_role(role: Role, shape: Shape) -> Shape {
    match (role, shape) {
        (Role::Rotation, Shape::Scalar) => Shape::Vector(4),
        (Role::Rotation, Shape::Vector(count) | Shape::Matrix(count, _)) => Shape::Matrix(count, 4),
        (_, shape) => shape,
    }
}
