//! Values as written, for advice that quotes them.

use crate::syntax::ast::{Expr, ExprKind, text};

/// `x`, `q[i]` and `p.x` as written; for a longer expression its first name.
pub(super) fn quoted(expr: &Expr) -> Option<String> {
    let written = match &expr.kind {
        ExprKind::Name { .. } | ExprKind::Field { .. } | ExprKind::Index { .. } => expr.written(),
        _ => None,
    };
    written.or_else(|| expr.first_name().map(text))
}
