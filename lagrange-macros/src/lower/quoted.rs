//! Values as they are written, for advice that repeats them.

use crate::syntax::ast::{Expr, ExprKind, text};

/// `x`, `q[i]` and `p.x` as they stand there; of anything longer its first name.
pub(super) fn quoted(expr: &Expr) -> Option<String> {
    as_written(expr).or_else(|| expr.first_name().map(text))
}

fn as_written(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Index { base, indices, .. } => {
            let base = bare_name(base)?;
            let indices: Option<Vec<String>> = indices.iter().map(index).collect();
            Some(format!("{base}[{}]", indices?.join(", ")))
        }
        ExprKind::Field { base, name } => Some(format!("{}.{name}", bare_name(base)?)),
        _ => bare_name(expr),
    }
}

fn index(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Number(number) => Some(number.clone()),
        _ => bare_name(expr),
    }
}

fn bare_name(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name { name, dots: 0 } => Some(text(name)),
        _ => None,
    }
}
