//! The head: names, roles, shapes and defaults.

use lagrange_engine::{Dependence, Graph, Names, Shape, Symbol};
use proc_macro2::Ident;

use super::names;
use crate::errors::Errors;
use crate::lower::NOT_YET;
use crate::lower::evaluator::{Declarations, Evaluator};
use crate::lower::scope::{Binding, BindingKind, Scope, text};
use crate::lower::value::{Value, in_words};
use crate::model::{Declared, Head};
use crate::syntax::ast::{Expr, FieldDef, Role, SystemDef};

/// Checks the fields and declares their names for the statements.
///
/// The head holds everything that a stub of the struct needs, whatever the mistakes. To be called
/// right after the parser, whose mistakes decide what counts as missing.
pub(crate) fn head(definition: &SystemDef, errors: &mut Errors) -> (Head, Declarations) {
    let mut fields = Fields {
        head: Head {
            attributes: definition.attributes.clone(),
            crate_path: definition.crate_path.clone(),
            visibility: definition.visibility.clone(),
            name: definition.name.clone(),
            coordinates: Vec::new(),
            parameters: Vec::new(),
            inputs: Vec::new(),
            time: None,
        },
        declarations: Declarations {
            graph: Graph::new(),
            scope: Scope::default(),
            names: Names::default(),
            complete: errors.is_empty(),
        },
        errors,
    };
    for field in &definition.fields {
        fields.field(field);
    }
    fields.check_coordinates(definition);
    let Fields {
        mut head,
        declarations,
        ..
    } = fields;
    let mut evaluator = Evaluator::new(declarations, errors);
    for field in &definition.fields {
        defaults(field, &mut head, &mut evaluator);
    }
    (head, evaluator.into_declarations())
}

/// The fields so far.
struct Fields<'e> {
    head: Head,
    declarations: Declarations,
    errors: &'e mut Errors,
}

impl Fields<'_> {
    fn field(&mut self, field: &FieldDef) {
        let is_scalar = match field.dimensions.first() {
            None => true,
            Some(dimension) => {
                let message = format!("arrays are {NOT_YET}");
                self.errors.error(dimension, message);
                false
            }
        };
        for name in &field.names {
            if !is_scalar {
                self.declare_mistaken(name);
            } else if field.role == Role::Unknown {
                self.declare_for_stub(field, name);
            } else {
                self.declare(field, name);
            }
        }
    }

    fn declare_mistaken(&mut self, name: &Ident) {
        self.declarations.complete = false;
        self.declarations.scope.declare_mistaken(name);
    }

    /// Declares a name without a role: the stub has it, statements do not know what it is.
    fn declare_for_stub(&mut self, field: &FieldDef, name: &Ident) {
        let is_second_time = field.meant == Role::Time && self.head.time.is_some();
        if self.declarations.scope.find(name).is_none() && !is_second_time {
            self.add(field, name);
        }
        self.declare_mistaken(name);
    }

    fn declare(&mut self, field: &FieldDef, name: &Ident) {
        let kind = match field.role {
            Role::Coordinate => BindingKind::Coordinate(self.head.coordinate_count()),
            Role::Parameter => BindingKind::Parameter,
            Role::Input => BindingKind::Input,
            Role::Time | Role::Unknown => BindingKind::Time,
        };
        if kind == BindingKind::Time && self.head.time.is_some() {
            let message = "time is declared twice\n\nhelp: remove this one";
            self.errors.error(name, message);
            return self.declare_mistaken(name);
        }
        let is_new = self.declarations.scope.find(name).is_none();
        let is_free = names::check(name, kind, &self.declarations.scope, self.errors);
        if !is_free {
            self.declare_mistaken(name);
        }
        if is_new {
            let symbol = self.add(field, name);
            if is_free {
                self.bind(field, name, kind, symbol);
            }
        }
    }

    /// Numbers the name among those of its role.
    fn add(&mut self, field: &FieldDef, name: &Ident) -> Symbol {
        let names = &mut self.declarations.names;
        let (list, names, symbol): (_, _, fn(u32) -> Symbol) = match field.meant {
            Role::Coordinate => (
                &mut self.head.coordinates,
                &mut names.coordinates,
                Symbol::Coordinate,
            ),
            Role::Parameter => (
                &mut self.head.parameters,
                &mut names.parameters,
                Symbol::Parameter,
            ),
            Role::Input => (&mut self.head.inputs, &mut names.inputs, Symbol::Input),
            Role::Time | Role::Unknown => {
                self.head.time = Some(name.clone());
                names.time = Some(text(name));
                return Symbol::Time;
            }
        };
        let first = names.len();
        list.push(Declared {
            name: name.clone(),
            attributes: field.attributes.clone(),
            shape: Shape::Scalar,
            first,
            default: None,
        });
        names.push(text(name));
        symbol(first as u32)
    }

    fn bind(&mut self, field: &FieldDef, name: &Ident, kind: BindingKind, symbol: Symbol) {
        let node = self.declarations.graph.symbol(symbol);
        self.declarations.scope.declare(Binding {
            name: name.clone(),
            kind,
            value: Some(Value::scalar(node)),
            read: false,
            attributes: field.attributes.clone(),
        });
    }

    fn check_coordinates(&mut self, definition: &SystemDef) {
        let may_be = |field: &FieldDef| matches!(field.role, Role::Coordinate | Role::Unknown);
        // What the parser could not read may have been a coordinate.
        let could_read = self.declarations.complete;
        if could_read && !definition.fields.iter().any(may_be) {
            let message = "a system has at least one coordinate\n\nhelp: declare `x: coordinate`";
            self.errors.error(&definition.name, message);
        }
    }
}

/// Gives the names of a field their default.
fn defaults(field: &FieldDef, head: &mut Head, evaluator: &mut Evaluator<'_>) {
    let Some(expr) = &field.default else { return };
    // A default with a mistake is still one: without it the struct has no `Default`.
    let value = default(expr, evaluator).unwrap_or(0.0);
    for parameter in &mut head.parameters {
        if field.names.contains(&parameter.name) && parameter.default.is_none() {
            parameter.default = Some(vec![value; parameter.shape.len()]);
        }
    }
}

/// The value of a constant expression.
fn default(expr: &Expr, evaluator: &mut Evaluator<'_>) -> Option<f64> {
    let value = evaluator.evaluate_whole(expr)?;
    let everything = Dependence::STATE.union(Dependence::PARAMETER);
    let culprits = evaluator.culprits(&value, everything, 0);
    for culprit in &culprits {
        let name = evaluator.name_of(culprit.symbol);
        let kind = match culprit.symbol {
            Symbol::Parameter(_) => "a parameter",
            Symbol::Input(_) => "an input",
            Symbol::Time => "the time",
            Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Acceleration(_) => "a coordinate",
        };
        let message = format!(
            "a default is a constant, but `{name}` is {kind}\n\n\
             help: write a number or an expression of numbers"
        );
        evaluator.errors.error(culprit.place, message);
    }
    if !culprits.is_empty() {
        return None;
    }
    let [node] = value.entries[..] else {
        let found = in_words(value.shape);
        let message = format!("mismatched shapes: the parameter is a scalar, its default {found}");
        evaluator.errors.error(expr, message);
        return None;
    };
    let number = evaluator.graph.evaluate(&[node], &|_| f64::NAN)[0];
    if !number.is_finite() {
        evaluator
            .errors
            .error(expr, "this default is not a finite number");
        return None;
    }
    Some(number)
}
