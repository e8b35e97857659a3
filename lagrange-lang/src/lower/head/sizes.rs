//! The sizes of arrays in the head, and the maximum number of elements in a system.

use lagrange_engine::Shape;
use proc_macro2::Ident;

use crate::errors::{Code, SpanRange};
use crate::lower::evaluator::Evaluator;
use crate::syntax::ast::{Expr, FieldDef, Role};

/// Maximum number of elements of all coordinates, of all states, and of all inputs. The stack of generated methods holds matrices
/// of twice this size.
pub(crate) const MAX_STATE: usize = 256;
/// Maximum number of elements of all parameters.
pub(super) const MAX_PARAMETERS: usize = 16_384;

/// The shape that the sizes after a role give, unless they have a mistake.
pub(super) fn shape(dimensions: &[Expr], evaluator: &mut Evaluator<'_>) -> Option<Shape> {
    let sizes: Vec<Option<usize>> = dimensions
        .iter()
        .map(|expr| size(expr, evaluator))
        .collect();
    match sizes[..] {
        [] => Some(Shape::Scalar),
        [length] => Some(Shape::Vector(length?)),
        [rows, columns, ..] => Some(Shape::Matrix(rows?, columns?)),
    }
}

/// The smallest array with this number of dimensions, for a stub.
pub(super) fn find_least_shape(dimensions: &[Expr]) -> Shape {
    match dimensions.len() {
        0 => Shape::Scalar,
        1 => Shape::Vector(1),
        _ => Shape::Matrix(1, 1),
    }
}

fn size(expr: &Expr, evaluator: &mut Evaluator<'_>) -> Option<usize> {
    if let Some(name) = expr.first_name() {
        let message = format!(
            "a size is a constant integer, and `{name}` is not\n\n\
             help: write the number: the macro does not see the values of Rust's constants"
        );
        evaluator.errors.error(name, Code::ArraySize, message);
        return None;
    }
    let outer = evaluator.enter("this size".to_owned());
    let size = evaluator.evaluate_constant_integer(expr, "a size");
    evaluator.leave(outer);
    let size = size?;
    let message = match usize::try_from(size) {
        Ok(size) if (1..=MAX_PARAMETERS).contains(&size) => return Some(size),
        Ok(0) | Err(_) => format!("an array has at least one element, this size is {size}"),
        Ok(_) => format!("an array has at most {MAX_PARAMETERS} elements, this size is {size}"),
    };
    evaluator.errors.error(expr, Code::ArraySize, message);
    None
}

/// Refuses the first field with which a role has too many elements. The earlier fields have `earlier` elements, and
/// each name of this field has `each`.
pub(super) fn check_total(
    field: &FieldDef,
    earlier: usize,
    each: usize,
    evaluator: &mut Evaluator<'_>,
) -> Option<()> {
    let (most, elements) = match field.role {
        Role::Coordinate | Role::Rotation => (MAX_STATE, "coordinates"),
        Role::State => (MAX_STATE, "states"),
        Role::Input => (MAX_STATE, "inputs"),
        Role::Parameter => (MAX_PARAMETERS, "elements of parameters"),
        Role::Time | Role::Robot | Role::Unknown => return Some(()),
    };
    let total = each
        .saturating_mul(field.names.len())
        .saturating_add(earlier);
    if total <= most {
        return Some(());
    }
    let message = format!("a system has at most {most} {elements}, with these it has {total}");
    let place: SpanRange = match field.dimensions.first() {
        Some(size) => size.into(),
        None => surplus(field, most.saturating_sub(earlier))?.into(),
    };
    evaluator.errors.error(place, Code::TooMany, message);
    None
}

/// The first scalar for which there is no room.
fn surplus(field: &FieldDef, room: usize) -> Option<&Ident> {
    field.names.get(room).or(field.names.last())
}
