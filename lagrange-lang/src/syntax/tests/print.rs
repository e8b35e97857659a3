//! The tree as text with every grouping shown.

use proc_macro2::Ident;

use crate::syntax::ast::{
    AddOp, AssignOp, BlockField, BlockKind, CompareOp, Comparison, Expr, ExprKind, Function,
    ListItem, Move, MulOp, Part, Statement, StatementKind,
};

pub(super) fn expr(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number(text) => text.clone(),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Tuple(_) => "(..)".to_owned(),
        ExprKind::Name { name, dots } => format!("{name}{}", "'".repeat(usize::from(*dots))),
        ExprKind::Neg(inner) => format!("(-{})", self::expr(inner)),
        ExprKind::Sum {
            first,
            further_terms,
        } => {
            let further_terms = further_terms.iter().map(|(op, _, e)| (add_op(*op), e));
            chain(first, further_terms)
        }
        ExprKind::Product {
            first,
            further_factors,
        } => {
            let further_factors = further_factors.iter().map(|(op, _, e)| (mul_op(*op), e));
            chain(first, further_factors)
        }
        ExprKind::Power { base, exponent, .. } => {
            format!("({} ^ {})", self::expr(base), self::expr(exponent))
        }
        ExprKind::Field { base, name } => format!("{}.{name}", self::expr(base)),
        ExprKind::Index { base, indices, .. } => {
            format!("{}[{}]", self::expr(base), list(indices))
        }
        ExprKind::Call {
            function,
            arguments,
            ..
        } => format!("{function}({})", list(arguments)),
        ExprKind::Method {
            receiver,
            function,
            arguments,
            ..
        } => format!("{}.{function}({})", self::expr(receiver), list(arguments)),
        ExprKind::List(elements) => format!("[{}]", list(elements)),
        ExprKind::If { arms, otherwise } => {
            let arms: Vec<String> = arms.iter().map(arm).collect();
            format!(
                "{} else {{ {} }}",
                arms.join(" else "),
                self::expr(otherwise)
            )
        }
        ExprKind::SumOver { head, body } => format!(
            "sum({} in {}..{}, {})",
            head.variable,
            self::expr(&head.from),
            self::expr(&head.to),
            self::expr(body)
        ),
        ExprKind::Bars(inner) => format!("|{}|", self::expr(inner)),
        ExprKind::Cut(inner) => format!("{}?", self::expr(inner)),
        ExprKind::Range { from, to } => format!("{}..{}", self::expr(from), self::expr(to)),
        ExprKind::Labelled(number, label) => format!("{} [{}]", self::expr(number), label.text),
        ExprKind::Error => "?".to_owned(),
    }
}

fn chain<'a>(first: &Expr, rest: impl Iterator<Item = (&'static str, &'a Expr)>) -> String {
    let mut text = format!("({}", expr(first));
    for (op, term) in rest {
        text += &format!(" {op} {}", expr(term));
    }
    text + ")"
}

fn arm((comparison, branch): &(Comparison, Expr)) -> String {
    let Comparison {
        left, op, right, ..
    } = comparison;
    let op = match op {
        CompareOp::Less => "<",
        CompareOp::LessEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterEqual => ">=",
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
    };
    format!(
        "if {} {op} {} {{ {} }}",
        expr(left),
        expr(right),
        expr(branch)
    )
}

fn list(elements: &[Expr]) -> String {
    let elements: Vec<String> = elements.iter().map(expr).collect();
    elements.join(", ")
}

fn add_op(op: AddOp) -> &'static str {
    match op {
        AddOp::Add => "+",
        AddOp::Sub => "-",
    }
}

fn mul_op(op: MulOp) -> &'static str {
    match op {
        MulOp::Mul => "*",
        MulOp::Div => "/",
    }
}

fn assign_op(op: AssignOp) -> &'static str {
    match op {
        AssignOp::Set => "=",
        AssignOp::Add => "+=",
        AssignOp::Sub => "-=",
        AssignOp::Mul => "*=",
        AssignOp::Div => "/=",
    }
}

fn mutability(mutable: bool) -> &'static str {
    if mutable { "mut " } else { "" }
}

fn part_of(part: Option<&Part>) -> String {
    part.map_or(&[][..], Part::all)
        .iter()
        .map(|part| match part {
            Part::Field(name) => format!(".{name}"),
            Part::Index { indices, .. } => format!("[{}]", list(indices)),
            Part::Path(_) => String::new(),
        })
        .collect()
}

fn moved(moved: &Move) -> String {
    let part = part_of(moved.part.as_ref());
    format!("{}{part} -> {}", moved.coordinate, expr(&moved.value))
}

fn listed(item: &ListItem) -> String {
    format!("{}{}", item.name, part_of(item.part.as_ref()))
}

/// `?` for a name that is missing.
fn named(name: &Option<Ident>) -> String {
    name.as_ref().map_or("?".to_owned(), Ident::to_string)
}

fn publicity(public: bool) -> &'static str {
    if public { "pub " } else { "" }
}

pub(super) fn statement(statement: &Statement) -> String {
    let attributes = "#".repeat(statement.attributes.len());
    format!("{attributes}{}", kind(&statement.kind))
}

fn kind(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Let {
            public,
            hessian,
            mutable,
            name,
            value,
        } => {
            let hessian = if hessian.is_some() { "hessian " } else { "" };
            let public = publicity(public.is_some());
            let mutable = mutability(*mutable);
            format!("{hessian}{public}let {mutable}{name} = {}", expr(value))
        }
        StatementKind::Function(function) => {
            let Function {
                name,
                arguments,
                is_whole,
                body,
            } = &**function;
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            let unread_arguments = if *is_whole { "" } else { "?" };
            format!(
                "let {name}({}{unread_arguments}) = {}",
                arguments.join(", "),
                expr(body)
            )
        }
        StatementKind::Assign {
            target, op, value, ..
        } => format!("{target} {} {}", assign_op(*op), expr(value)),
        StatementKind::Energy {
            term,
            keyword,
            op,
            value,
            ..
        } => format!("{keyword}:{term:?} {} {}", assign_op(*op), expr(value)),
        StatementKind::GeneralizedForce {
            coordinate,
            part,
            op,
            value,
            ..
        } => {
            let part = part_of(part.as_ref());
            format!("Q.{coordinate}{part} {} {}", assign_op(*op), expr(value))
        }
        StatementKind::Force {
            force,
            point,
            frame,
            ..
        } => {
            let on = frame
                .as_ref()
                .map(|frame| format!(" on {}", expr(frame)))
                .unwrap_or_default();
            format!("force {} at {}{on}", expr(force), expr(point))
        }
        StatementKind::Torque { torque, frame, .. } => {
            format!("torque {} on {}", expr(torque), expr(frame))
        }
        StatementKind::Rate {
            state,
            part,
            op,
            value,
            ..
        } => {
            let part = part_of(part.as_ref());
            format!("der({state}{part}) {} {}", assign_op(*op), expr(value))
        }
        StatementKind::Place { robot, frame, .. } => format!("place {robot} at {}", expr(frame)),
        StatementKind::Gravity { value, .. } => format!("gravity {}", expr(value)),
        StatementKind::Constraint {
            kind,
            name,
            named: _,
            left,
            right,
        } => format!("{kind:?} {name}: {} = {}", expr(left), expr(right)),
        StatementKind::Contact {
            name,
            named: _,
            above,
            below,
            fields,
            is_whole: _,
        } => {
            let fields = match &fields[..] {
                [] => String::new(),
                fields => format!(" {}", block_fields(fields)),
            };
            format!("contact {name}: {} >= {}{fields}", expr(above), expr(below))
        }
        StatementKind::Frame {
            public,
            mutable,
            name,
            value,
        } => {
            let public = publicity(public.is_some());
            let mutable = mutability(*mutable);
            format!("{public}frame {mutable}{name} = {}", expr(value))
        }
        StatementKind::Block {
            kind, name, fields, ..
        } => {
            let kind = match kind {
                BlockKind::Body => "body",
                BlockKind::Spring => "spring",
                BlockKind::Damper => "damper",
                BlockKind::Actuator => "actuator",
            };
            let name: String = name.iter().map(|name| format!("{name} ")).collect();
            format!("{kind} {name}{}", block_fields(fields))
        }
        StatementKind::Listing {
            kind, name, items, ..
        } => {
            let name = named(name);
            let items: Vec<String> = items.iter().map(listed).collect();
            format!("{} {name} {{ {} }}", kind.in_words(), items.join(", "))
        }
        StatementKind::Symmetry {
            name,
            moves,
            is_complete,
            ..
        } => {
            let name = named(name);
            let moves: Vec<String> = moves.iter().map(moved).collect();
            let unread_moves = if *is_complete { "" } else { ", ?" };
            format!("symmetry {name}: {}{unread_moves}", moves.join(", "))
        }
        StatementKind::For { head, body } => {
            let body: Vec<String> = body.iter().map(statement).collect();
            let (variable, from, to) = (&head.variable, expr(&head.from), expr(&head.to));
            format!("for {variable} in {from}..{to} {{ {} }}", body.join("; "))
        }
    }
}

fn block_fields(fields: &[BlockField]) -> String {
    let fields = fields
        .iter()
        .map(|field| format!("{}: {}", field.name, expr(&field.value)))
        .collect::<Vec<String>>()
        .join(", ");
    format!("{{ {} }}", fields)
}
