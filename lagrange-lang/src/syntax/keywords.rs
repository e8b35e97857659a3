//! The words of the language, for the parser and for suggestions.

use super::ast::{AssignOp, BlockKind, CompareOp, ConstraintKind, EnergyTerm, ListingKind, Role};

/// The roles of a field.
pub(super) const ROLES: [(&str, Role); 7] = [
    ("coordinate", Role::Coordinate),
    ("rotation", Role::Rotation),
    ("parameter", Role::Parameter),
    ("state", Role::State),
    ("input", Role::Input),
    ("time", Role::Time),
    ("robot", Role::Robot),
];

/// The functions of data, whose arguments may be ranges and strings.
pub(super) const DATA: [&str; 6] = ["table", "pchip", "akima", "spline", "bspline", "csv"];

/// The words that begin a statement and are also valid names, with the form of the statement.
pub(super) const STATEMENTS: [(&str, StatementWord, &str); 17] = [
    ("force", StatementWord::Force, "force F at p;"),
    ("torque", StatementWord::Torque, "torque t on B;"),
    ("gravity", StatementWord::Gravity, "gravity [0, -g];"),
    (
        "holonomic",
        StatementWord::Constraint(ConstraintKind::Holonomic),
        "holonomic name: lhs = rhs;",
    ),
    (
        "nonholonomic",
        StatementWord::Constraint(ConstraintKind::Nonholonomic),
        "nonholonomic name: lhs = rhs;",
    ),
    (
        "contact",
        StatementWord::Contact,
        "contact name: lhs >= rhs;",
    ),
    ("frame", StatementWord::Frame, "frame name = F;"),
    (
        "body",
        StatementWord::Block(BlockKind::Body),
        "body name { mass: m, at: p }",
    ),
    (
        "spring",
        StatementWord::Block(BlockKind::Spring),
        "spring { k: k, from: p, to: r }",
    ),
    (
        "damper",
        StatementWord::Block(BlockKind::Damper),
        "damper { c: c, from: p, to: r }",
    ),
    (
        "actuator",
        StatementWord::Block(BlockKind::Actuator),
        "actuator name { joint: q, gear: 100, torque: u }",
    ),
    (
        "bundle",
        StatementWord::Listing(ListingKind::Bundle),
        "bundle name { mass_matrix, bias }",
    ),
    (
        "regressor",
        StatementWord::Listing(ListingKind::Regressor),
        "regressor name { m, k }",
    ),
    (
        "sensitivity",
        StatementWord::Listing(ListingKind::Sensitivity),
        "sensitivity name { m, k[0] }",
    ),
    (
        "export",
        StatementWord::Listing(ListingKind::Export),
        "export c99 { acceleration, linearize }",
    ),
    (
        "symmetry",
        StatementWord::Symmetry,
        "symmetry name: x -> 1, theta -> e;",
    ),
    ("place", StatementWord::Place, "place robot at F;"),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StatementWord {
    Force,
    Torque,
    Gravity,
    Constraint(ConstraintKind),
    Contact,
    Frame,
    Block(BlockKind),
    Listing(ListingKind),
    Symmetry,
    Place,
}

pub(super) fn role(word: &str) -> Option<Role> {
    find(&ROLES, word)
}

pub(super) fn statement(word: &str) -> Option<StatementWord> {
    STATEMENTS
        .iter()
        .find(|(name, ..)| *name == word)
        .map(|(_, statement, _)| *statement)
}

/// The form of the statement that begins with `word`.
pub(super) fn form(word: &str) -> Option<&'static str> {
    STATEMENTS
        .iter()
        .find(|(name, ..)| *name == word)
        .map(|(.., form)| *form)
}

pub(super) fn energy(word: &str) -> Option<EnergyTerm> {
    find(
        &[
            ("T", EnergyTerm::Kinetic),
            ("V", EnergyTerm::Potential),
            ("L", EnergyTerm::Lagrangian),
            ("D", EnergyTerm::Dissipation),
        ],
        word,
    )
}

pub(super) fn assignment(operator: &str) -> Option<AssignOp> {
    find(
        &[
            ("=", AssignOp::Set),
            ("+=", AssignOp::Add),
            ("-=", AssignOp::Sub),
            ("*=", AssignOp::Mul),
            ("/=", AssignOp::Div),
        ],
        operator,
    )
}

pub(super) fn comparison(operator: &str) -> Option<CompareOp> {
    find(
        &[
            ("<", CompareOp::Less),
            ("<=", CompareOp::LessEqual),
            (">", CompareOp::Greater),
            (">=", CompareOp::GreaterEqual),
            ("==", CompareOp::Equal),
            ("!=", CompareOp::NotEqual),
        ],
        operator,
    )
}

fn find<T: Copy>(rows: &[(&str, T)], word: &str) -> Option<T> {
    rows.iter()
        .find(|(name, _)| *name == word)
        .map(|(_, meaning)| *meaning)
}

/// True if Rust reserves this word. All reserved words arrive as identifiers.
pub(crate) fn is_rust_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 52] = [
        "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum",
        "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move",
        "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "super", "trait",
        "true", "type", "unsafe", "use", "where", "while", "abstract", "become", "box", "do",
        "final", "gen", "macro", "override", "priv", "try", "typeof", "unsized", "virtual",
        "yield",
    ];
    KEYWORDS.contains(&word)
}

/// True if `r#word` is a name in Rust.
pub(super) fn may_be_raw(word: &str) -> bool {
    !["self", "Self", "super", "crate", "_"].contains(&word)
}

/// True for a type that people write in the place of a role.
pub(super) fn is_rust_type(word: &str) -> bool {
    [
        "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize", "bool", "char", "str", "String", "Vec", "S",
    ]
    .contains(&word)
}
