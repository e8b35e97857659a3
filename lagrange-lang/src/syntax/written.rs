//! The source text of expressions, for advice that repeats them.

use super::ast::{AddOp, Expr, ExprKind, MulOp, text};

/// Longer text would make the message unreadable.
const MOST: usize = 40;

/// The precedence of an operator, lowest first.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Strength {
    Sum,
    Product,
    Sign,
    Power,
    Operand,
}

impl Expr {
    /// The text of a short expression without branches.
    pub(crate) fn written(&self) -> Option<String> {
        let text = at_least(Strength::Sum, self)?;
        (text.chars().count() <= MOST).then_some(text)
    }

    /// The texts of several expressions, separated by commas.
    pub(crate) fn listed<'x>(list: impl IntoIterator<Item = &'x Expr>) -> Option<String> {
        let texts: Option<Vec<String>> = list.into_iter().map(Expr::written).collect();
        let text = texts?.join(", ");
        (text.chars().count() <= MOST).then_some(text)
    }
}

/// The text, in parentheses if its operator has a lower precedence than `strength`.
fn at_least(strength: Strength, expr: &Expr) -> Option<String> {
    let (strength_of_text, text) = plain(expr)?;
    // The text is already too long.
    if text.chars().count() > MOST {
        return None;
    }
    Some(if strength_of_text < strength {
        format!("({text})")
    } else {
        text
    })
}

fn plain(expr: &Expr) -> Option<(Strength, String)> {
    let operand = |text| Some((Strength::Operand, text));
    match &expr.kind {
        ExprKind::Number(number) => operand(number.clone()),
        ExprKind::Labelled(number, label) => {
            let number = at_least(Strength::Operand, number)?;
            operand(format!("{number} [{}]", label.text))
        }
        ExprKind::Name { name, dots: 0 } => operand(text(name)),
        ExprKind::Neg(inner) => Some((
            Strength::Sign,
            format!("-{}", at_least(Strength::Sign, inner)?),
        )),
        ExprKind::Sum {
            first,
            further_terms,
        } => {
            let mut text = at_least(Strength::Product, first)?;
            for (op, _, term) in further_terms {
                let op = match op {
                    AddOp::Add => '+',
                    AddOp::Sub => '-',
                };
                text += &format!(" {op} {}", at_least(Strength::Product, term)?);
            }
            Some((Strength::Sum, text))
        }
        ExprKind::Product {
            first,
            further_factors,
        } => {
            let mut text = at_least(Strength::Sign, first)?;
            for (op, _, factor) in further_factors {
                let op = match op {
                    MulOp::Mul => '*',
                    MulOp::Div => '/',
                };
                text += &format!(" {op} {}", at_least(Strength::Sign, factor)?);
            }
            Some((Strength::Product, text))
        }
        ExprKind::Power { base, exponent, .. } => {
            let (base, exponent) = (
                at_least(Strength::Operand, base)?,
                at_least(Strength::Sign, exponent)?,
            );
            Some((Strength::Power, format!("{base}^{exponent}")))
        }
        ExprKind::Field { base, name } => {
            operand(format!("{}.{name}", at_least(Strength::Operand, base)?))
        }
        ExprKind::Index { base, indices, .. } => operand(format!(
            "{}[{}]",
            at_least(Strength::Operand, base)?,
            Expr::listed(indices)?
        )),
        ExprKind::Range { from, to } => operand(format!(
            "{}..{}",
            at_least(Strength::Sum, from)?,
            at_least(Strength::Sum, to)?
        )),
        ExprKind::Call {
            function,
            arguments,
            ..
        } => operand(format!("{function}({})", Expr::listed(arguments)?)),
        ExprKind::Method {
            receiver,
            function,
            arguments,
            ..
        } => operand(format!(
            "{}.{function}({})",
            at_least(Strength::Operand, receiver)?,
            Expr::listed(arguments)?
        )),
        ExprKind::List(elements) => operand(format!("[{}]", Expr::listed(elements)?)),
        _ => None,
    }
}
