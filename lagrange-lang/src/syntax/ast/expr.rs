//! Expressions, and the parts of names.

use proc_macro2::{Ident, Span};

use super::text;
use crate::errors::SpanRange;
use crate::units::Label;

/// `.x`, `.xy`, `[i]`, `[i, j]` or `[a..b]` after a name.
pub(crate) enum Part {
    Field(Ident),
    Index {
        indices: Vec<Expr>,
        span: Span,
    },
    /// Two or more parts in sequence: `[i].x`, `.joint.elbow`.
    Path(Vec<Part>),
}

impl Part {
    /// The parts in order.
    pub(crate) fn all(&self) -> &[Part] {
        match self {
            Self::Path(parts) => parts,
            part => std::slice::from_ref(part),
        }
    }
}

/// The index of a loop and its bounds: `for i in from..to` or `sum(i in from..to, `.
pub(crate) struct LoopHead {
    pub(crate) keyword: Ident,
    pub(crate) variable: Ident,
    pub(crate) from: Expr,
    pub(crate) to: Expr,
}

/// An expression and its place: the spans of its first and last token.
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) first: Span,
    pub(crate) last: Span,
}

/// The indices between brackets, and the place of the brackets.
pub(crate) type Indices<'e> = (&'e [Expr], Span);

impl Expr {
    pub(crate) fn new(kind: ExprKind, first: Span, last: Span) -> Self {
        Expr { kind, first, last }
    }

    /// The direct operands with a value of their own. The terms of a `sum` are left out, because they have one value
    /// for each value of its variable.
    pub(crate) fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Tuple(_)
            | ExprKind::Name { .. }
            | ExprKind::Error => Vec::new(),
            ExprKind::Labelled(inner, _)
            | ExprKind::Neg(inner)
            | ExprKind::Bars(inner)
            | ExprKind::Cut(inner) => vec![inner],
            ExprKind::Sum {
                first,
                further_terms,
            } => std::iter::once(&**first)
                .chain(further_terms.iter().map(|(_, _, term)| term))
                .collect(),
            ExprKind::Product {
                first,
                further_factors,
            } => std::iter::once(&**first)
                .chain(further_factors.iter().map(|(_, _, factor)| factor))
                .collect(),
            ExprKind::Power { base, exponent, .. } => vec![base, exponent],
            ExprKind::Field { base, .. } => vec![base],
            ExprKind::Index { base, indices, .. } => {
                std::iter::once(&**base).chain(indices).collect()
            }
            ExprKind::Call { arguments, .. } => arguments.iter().collect(),
            ExprKind::Method {
                receiver,
                arguments,
                ..
            } => std::iter::once(&**receiver).chain(arguments).collect(),
            ExprKind::List(elements) => elements.iter().collect(),
            ExprKind::If { arms, otherwise } => arms
                .iter()
                .flat_map(|(condition, branch)| [&condition.left, &condition.right, branch])
                .chain([&**otherwise])
                .collect(),
            ExprKind::SumOver { head, .. } => vec![&head.from, &head.to],
            ExprKind::Range { from, to } => vec![from, to],
        }
    }

    /// The first name in the expression that denotes a value, among [`Expr::parts`].
    pub(crate) fn first_name(&self) -> Option<&Ident> {
        match &self.kind {
            ExprKind::Name { name, .. } => Some(name),
            _ => self.parts().into_iter().find_map(Expr::first_name),
        }
    }

    /// Visits the expression and all expressions in it, including those that [`Expr::parts`] leaves out.
    fn for_each(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        if let ExprKind::SumOver { body, .. } = &self.kind {
            body.for_each(visit);
        }
        for part in self.parts() {
            part.for_each(visit);
        }
    }

    /// Visits every name in the expression that denotes a value or a frame.
    pub(crate) fn for_each_name(&self, visit: &mut dyn FnMut(&Ident)) {
        self.for_each(&mut |expr| {
            if let ExprKind::Name { name, .. } = &expr.kind {
                visit(name);
            }
        });
    }

    /// Visits the name of every function that the expression calls.
    pub(crate) fn for_each_call(&self, visit: &mut dyn FnMut(&Ident)) {
        self.for_each(&mut |expr| {
            if let ExprKind::Call { function, .. } | ExprKind::Method { function, .. } = &expr.kind
            {
                visit(function);
            }
        });
    }

    /// For `n` or `n[..]`: the name, the indices and their brackets.
    pub(crate) fn indexed(&self) -> Option<(&Ident, Option<Indices<'_>>)> {
        let (named, indices) = match &self.kind {
            ExprKind::Index {
                base,
                indices,
                span,
            } => (&**base, Some((&indices[..], *span))),
            _ => (self, None),
        };
        match &named.kind {
            ExprKind::Name { name, dots: 0 } => Some((name, indices)),
            _ => None,
        }
    }

    /// True for `x`, `y` or `z`, also with a minus sign. In the place of an axis it is an axis, even if something else
    /// has that name.
    pub(crate) fn is_axis(&self) -> bool {
        match &self.kind {
            ExprKind::Name { name, dots: 0 } => ["x", "y", "z"].contains(&text(name).as_str()),
            ExprKind::Neg(inner) => inner.is_axis(),
            _ => false,
        }
    }

    /// The depth of the expression tree.
    pub(crate) fn depth(&self) -> usize {
        let body = match &self.kind {
            ExprKind::SumOver { body, .. } => body.depth(),
            _ => 0,
        };
        let depth_below = self
            .parts()
            .into_iter()
            .map(Expr::depth)
            .fold(body, usize::max);
        1 + depth_below
    }
}

impl Expr {
    /// True if some part could not be parsed.
    pub(crate) fn is_broken(&self) -> bool {
        match &self.kind {
            ExprKind::Error | ExprKind::Cut(_) => true,
            ExprKind::SumOver { body, .. } if body.is_broken() => true,
            _ => self.parts().into_iter().any(Expr::is_broken),
        }
    }

    /// Wraps the expression, because something after it may be missing.
    pub(crate) fn cut(self) -> Self {
        let (first, last) = (self.first, self.last);
        Expr::new(ExprKind::Cut(Box::new(self)), first, last)
    }
}

impl From<&Expr> for SpanRange {
    fn from(expr: &Expr) -> Self {
        SpanRange {
            first: expr.first,
            last: expr.last,
        }
    }
}

pub(crate) enum ExprKind {
    /// A decimal literal (`1`, `2.5e-3`, `1000.0`) without suffix and underscores. Integers in other bases are
    /// converted.
    Number(String),
    /// A number with a unit: `9.81 [m/s^2]`.
    Labelled(Box<Expr>, Box<Label>),
    /// A string. It is valid only as the name of a link or joint in brackets after a robot.
    Text(String),
    /// `(a, b)`, with the place of its first comma. It is refused where its value is needed: words of other languages
    /// that take tuples have their own advice.
    Tuple(Span),
    /// A name. `dots` counts the combining dots above it (`θ̇` is `θ` with 1). The identifier is the written one
    /// without dots. It stays raw if it was raw, and it has the span of the whole.
    Name {
        name: Ident,
        dots: u8,
    },
    Neg(Box<Expr>),
    /// `first + t - u ..`
    Sum {
        first: Box<Expr>,
        further_terms: Vec<(AddOp, Span, Expr)>,
    },
    /// `first * f / g ..`
    Product {
        first: Box<Expr>,
        further_factors: Vec<(MulOp, Span, Expr)>,
    },
    Power {
        base: Box<Expr>,
        op_span: Span,
        exponent: Box<Expr>,
    },
    /// `base.name`
    Field {
        base: Box<Expr>,
        name: Ident,
    },
    /// `base[i]`, `base[i, j]`, `base[a..b]`
    Index {
        base: Box<Expr>,
        indices: Vec<Expr>,
        span: Span,
    },
    /// `a..b`. It is valid only between the brackets of an index.
    Range {
        from: Box<Expr>,
        to: Box<Expr>,
    },
    /// `f(a, b)`
    Call {
        function: Ident,
        arguments: Vec<Expr>,
        close: Span,
    },
    /// `a.f(b)`
    Method {
        receiver: Box<Expr>,
        function: Ident,
        arguments: Vec<Expr>,
        close: Span,
    },
    /// `[a, b, c]`
    List(Vec<Expr>),
    /// `if a < b { e } else if .. { e } else { e }`
    If {
        arms: Vec<(Comparison, Expr)>,
        otherwise: Box<Expr>,
    },
    /// `sum(i in a..b, e)`
    SumOver {
        head: Box<LoopHead>,
        body: Box<Expr>,
    },
    /// `|e|`, which is not a value. It is reported once the shape of `e` is known.
    Bars(Box<Expr>),
    /// An expression after which something may be missing, which is reported. Its names are read, but it has no value.
    Cut(Box<Expr>),
    /// Something that could not be parsed, which is reported. It causes no further messages.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AddOp {
    Add,
    Sub,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MulOp {
    Mul,
    Div,
}

/// `left op right` in the condition of an `if`.
pub(crate) struct Comparison {
    pub(crate) left: Expr,
    pub(crate) op: CompareOp,
    pub(crate) right: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CompareOp {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}
