//! The sizes of arrays in the head, and how many elements a system may have.

use lagrange_engine::Shape;
use proc_macro2::Ident;

use crate::errors::{Code, SpanRange};
use crate::lower::evaluator::Evaluator;
use crate::syntax::ast::{Expr, FieldDef, Role};

/// The most elements of all coordinates, and of all inputs: matrices of this size twice over live on
/// the stack of the generated methods.
pub(crate) const MAX_STATE: usize = 256;
/// The most elements of all parameters.
pub(super) const MAX_PARAMETERS: usize = 16_384;

/// The shape that the sizes behind a role say, unless they have a mistake.
pub(super) fn shape(dimensions: &[Expr], evaluator: &mut Evaluator<'_>) -> Option<Shape> {
    let sizes = dimensions.iter().map(|expr| size(expr, evaluator));
    let sizes: Vec<Option<usize>> = sizes.collect();
    match sizes[..] {
        [] => Some(Shape::Scalar),
        [length] => Some(Shape::Vector(length?)),
        [rows, columns, ..] => Some(Shape::Matrix(rows?, columns?)),
    }
}

/// The least array with so many sizes, for a stub.
pub(super) fn least_shape(dimensions: &[Expr]) -> Shape {
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
             help: write the number: the macro does not see the values of Rust's constants; a unit belongs \
             into a comment"
        );
        evaluator.errors.error(name, Code::ArraySize, message);
        return None;
    }
    let outer = evaluator.enter("this size".to_owned());
    let size = evaluator.constant_integer(expr, "a size");
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

/// Refuses the first field with which the elements of a role are too many: `earlier` before it, and
/// `each` of every name of this field.
pub(super) fn check_total(
    field: &FieldDef,
    earlier: usize,
    each: usize,
    evaluator: &mut Evaluator<'_>,
) -> Option<()> {
    let (most, elements) = match field.role {
        Role::Coordinate | Role::Rotation => (MAX_STATE, "coordinates"),
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

/// The first scalar beyond those that there is room for.
fn surplus(field: &FieldDef, room: usize) -> Option<&Ident> {
    field.names.get(room).or(field.names.last())
}
