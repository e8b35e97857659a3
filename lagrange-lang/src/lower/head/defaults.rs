//! The defaults of parameters: constant expressions, with one value for each element.

use std::collections::HashMap;

use lagrange_engine::{Dependence, Graph, NodeId, Number, Shape, Symbol};

use crate::errors::Code;
use crate::lower::evaluator::Evaluator;
use crate::lower::value::{Value, in_words};
use crate::model::Head;
use crate::syntax::ast::{Expr, FieldDef, text};

/// The name of a default in messages during its evaluation.
pub(crate) const DEFAULT: &str = "this default";

/// Gives the names of a field their default. If the sizes of the field have a mistake, its shape is unknown.
pub(super) fn defaults(
    field: &FieldDef,
    is_shape_known: bool,
    (head, numbers): (&mut Head, &HashMap<String, usize>),
    evaluator: &mut Evaluator<'_>,
) {
    let Some(expr) = &field.default else { return };
    let parameters = field
        .names
        .iter()
        .filter_map(|name| numbers.get(&text(name)));
    let has_none = |number: &&usize| head.parameters[**number].default.is_none();
    let parameters: Vec<usize> = parameters.filter(has_none).copied().collect();
    let shape = parameters
        .first()
        .filter(|_| is_shape_known)
        .map(|number| head.parameters[*number].shape);
    let outer = evaluator.enter(DEFAULT.to_owned());
    let values = default(expr, shape, evaluator);
    evaluator.leave(outer);
    for number in parameters {
        let parameter = &mut head.parameters[number];
        // A default with a mistake is kept, because without a default the struct has no `Default`.
        let values = values
            .clone()
            .unwrap_or_else(|| vec![0.0; parameter.shape.len()]);
        parameter.default = Some(values);
    }
}

/// The values of a constant expression; a scalar fills an array.
fn default(expr: &Expr, shape: Option<Shape>, evaluator: &mut Evaluator<'_>) -> Option<Vec<f64>> {
    let value = evaluator.evaluate(expr)?;
    check_constant(&value, evaluator)?;
    let shape = shape?;
    if value.shape != shape && value.shape != Shape::Scalar {
        let (is, actual) = (in_words(shape), in_words(value.shape));
        let message = format!("mismatched shapes: the parameter is {is}, its default {actual}");
        evaluator.errors.error(expr, Code::DefaultValue, message);
        return None;
    }
    let mut numbers = numbers(&evaluator.graph, &value.entries);
    if let Some(position) = numbers.iter().position(|number| !number.is_finite()) {
        let message = match value.shape {
            Shape::Scalar => "this default is not a finite number".to_owned(),
            Shape::Vector(_) => format!("element {position} of this default is no finite number"),
            Shape::Matrix(_, columns) => format!(
                "element {}, {} of this default is no finite number",
                position / columns,
                position % columns
            ),
        };
        evaluator.errors.error(expr, Code::DefaultValue, message);
        return None;
    }
    if let (Shape::Scalar, [number]) = (value.shape, &numbers[..]) {
        numbers = vec![*number; shape.len()];
    }
    Some(numbers)
}

/// The values of constant expressions. Most of these are numbers.
fn numbers(graph: &Graph, entries: &[NodeId]) -> Vec<f64> {
    let numbers: Option<Vec<Number>> = entries
        .iter()
        .map(|entry| graph.as_number(*entry))
        .collect();
    match numbers {
        Some(numbers) => numbers.into_iter().map(Number::to_f64).collect(),
        None => graph.evaluate(entries, &|_| f64::NAN),
    }
}

fn check_constant(value: &Value, evaluator: &mut Evaluator<'_>) -> Option<()> {
    let everything = Dependence::MOTION.union(Dependence::PARAMETER);
    let culprits = evaluator.find_culprits(value, everything, 0);
    for culprit in &culprits {
        // The message names a velocity by its coordinate.
        let name = evaluator
            .name_of(culprit.symbol)
            .trim_start_matches("der(")
            .replace(')', "");
        let kind = match culprit.symbol {
            Symbol::Parameter(_) => "a parameter",
            Symbol::State(_) | Symbol::StateRate(_) => "a state",
            Symbol::Input(_) => "an input",
            Symbol::Time | Symbol::Multiplier(_) | Symbol::Weight(_) => "the time",
            Symbol::Coordinate(_)
            | Symbol::Velocity(_)
            | Symbol::Acceleration(_)
            | Symbol::Momentum(_) => "a coordinate",
        };
        let message = format!(
            "a default is a constant, but `{name}` is {kind}\n\n\
             help: write a number or an expression of numbers"
        );
        evaluator
            .errors
            .error(culprit.place, Code::DefaultValue, message);
    }
    culprits.is_empty().then_some(())
}
