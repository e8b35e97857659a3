//! Values as they are written, for advice that repeats them.

use crate::syntax::ast::{Expr, ExprKind, text};

/// `x`, `q[i]` and `p.x` as they stand there; of anything longer its first name.
pub(super) fn quoted(expr: &Expr) -> Option<String> {
    let written = match &expr.kind {
        ExprKind::Name { .. } | ExprKind::Field { .. } | ExprKind::Index { .. } => expr.written(),
        _ => None,
    };
    written.or_else(|| expr.first_name().map(text))
}
