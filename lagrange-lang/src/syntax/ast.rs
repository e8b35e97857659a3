//! The syntax tree. It keeps the tokens to which errors point.
//!
//! Chains (`a + b - c`, `a * b / c`, `else if`) are lists, and the parser limits nesting ([`MAX_NESTING`]). All later
//! passes may therefore recurse.

mod expr;

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::{Attribute, Path, Visibility};

use crate::errors::SpanRange;
use crate::files::Folder;
use crate::units::Label;
pub(crate) use expr::{AddOp, CompareOp, Comparison, Expr, ExprKind, LoopHead, MulOp, Part};

/// The nesting limit of groups, loops, signs, exponents, conditions and postfix chains.
pub(crate) const MAX_NESTING: usize = 128;

/// The name without `r#`. Both spellings are the same name.
pub(crate) fn text(name: &Ident) -> String {
    name.unraw().to_string()
}

/// A whole `lagrangian! { .. }` invocation.
pub(crate) struct SystemDef {
    /// The attributes of the struct except `#[lagrangian(..)]`.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) options: Options,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) fields: Vec<FieldDef>,
    pub(crate) statements: Vec<Statement>,
    /// True if a declaration lacks its name, which is reported. Any unknown name may be the missing one.
    pub(crate) lacks_names: bool,
    /// True if a name or a number has a unit.
    pub(crate) has_labels: bool,
    /// True if some statement could not be read.
    pub(crate) has_lost: bool,
    /// Names of fields whose role is on a later line. That role may belong to another field.
    pub(crate) carried: Vec<Ident>,
    /// The folder of the files that the declaration names.
    pub(crate) folder: Folder,
}

/// The options in `#[lagrangian(..)]` on the struct.
#[derive(Clone, Default)]
pub(crate) struct Options {
    /// `crate = path`: the path of the facade crate.
    pub(crate) crate_path: Option<Path>,
    /// The place of the option `coriolis_matrix`, which requires that method whatever its length.
    pub(crate) coriolis_matrix: Option<Span>,
    /// The place of the option `hessian`, which requests the second derivatives of accelerations.
    pub(crate) hessian: Option<Span>,
    /// The place of the option `midpoint_step`, which requires its methods whatever the length of the energies.
    pub(crate) midpoint_step: Option<Span>,
    /// The place of the option `redundant`: rows of J may depend on each other.
    pub(crate) redundant: Option<Span>,
}

/// `names: role = default`.
pub(crate) struct FieldDef {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) names: Vec<Ident>,
    pub(crate) role: Role,
    /// The role of the names in a stub: `role`, or the most likely role after a mistake.
    pub(crate) meant: Role,
    pub(crate) role_span: Span,
    /// `[n]` or `[r, c]` after the role. Empty for a scalar.
    pub(crate) dimensions: Vec<Expr>,
    /// `[kg]` after the role and its size.
    pub(crate) unit: Option<Box<Label>>,
    pub(crate) default: Option<Expr>,
    /// The robot file and its options.
    pub(crate) robot: Option<RobotDef>,
    /// The full name of a robot's coordinate, `arm.elbow`, and its place in the file.
    pub(crate) in_file: Option<(String, String)>,
}

/// `= "path" { option: value, .. }` of a robot.
#[derive(Default)]
pub(crate) struct RobotDef {
    /// The path as written, and the span of its literal.
    pub(crate) path: Option<(String, Span)>,
    pub(crate) options: Vec<RobotOption>,
}

/// One option of a robot and its keyword.
pub(crate) struct RobotOption {
    pub(crate) keyword: Ident,
    pub(crate) kind: RobotOptionKind,
}

pub(crate) enum RobotOptionKind {
    /// `base: free`
    FreeBase,
    /// `lock: { joint: value }`
    Lock(Vec<(RobotPart, Expr)>),
    /// `parameters: [link]`
    Parameters(Vec<RobotPart>),
    /// `friction: smooth(e)`. `None` is `friction: ignore`.
    Friction(Option<Expr>),
    /// `inertia: as_given`
    InertiaAsGiven,
}

/// The name of a link or joint in a robot file: an identifier or a string.
pub(crate) struct RobotPart {
    pub(crate) name: String,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Coordinate,
    Rotation,
    Parameter,
    /// A quantity with a rate of its own.
    State,
    Input,
    Time,
    Robot,
    /// The role is missing or unknown. This is reported.
    Unknown,
}

pub(crate) struct Statement {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) kind: StatementKind,
}

impl Statement {
    /// The expressions of this statement, without the bodies of loops and functions.
    pub(crate) fn expressions(&self) -> Vec<&Expr> {
        match &self.kind {
            StatementKind::Let { value, .. }
            | StatementKind::Assign { value, .. }
            | StatementKind::Energy { value, .. }
            | StatementKind::GeneralizedForce { value, .. }
            | StatementKind::Rate { value, .. }
            | StatementKind::Gravity { value, .. }
            | StatementKind::Place { frame: value, .. }
            | StatementKind::Frame { value, .. } => vec![value],
            StatementKind::Force {
                force,
                point,
                frame,
                ..
            } => [force, point].into_iter().chain(frame).collect(),
            StatementKind::Torque {
                torque: a,
                frame: b,
                ..
            }
            | StatementKind::Constraint {
                left: a, right: b, ..
            } => vec![a, b],
            StatementKind::Contact {
                above,
                below,
                fields,
                ..
            } => [above, below]
                .into_iter()
                .chain(fields.iter().map(|field| &field.value))
                .collect(),
            StatementKind::Block { fields, .. } => {
                let is_axis = |field: &&BlockField| field.name == "axis" && field.value.is_axis();
                fields
                    .iter()
                    .filter(|field| !is_axis(field))
                    .map(|field| &field.value)
                    .collect()
            }
            StatementKind::Symmetry { moves, .. } => moves.iter().map(|m| &m.value).collect(),
            StatementKind::For { head, .. } => vec![&head.from, &head.to],
            StatementKind::Listing { .. } | StatementKind::Function(_) => Vec::new(),
        }
    }

    /// Visits every name in the statement that denotes a value, a frame or the coordinate of a force.
    pub(crate) fn for_each_name(&self, visit: &mut dyn FnMut(&Ident)) {
        match &self.kind {
            StatementKind::GeneralizedForce { coordinate, .. } => visit(coordinate),
            StatementKind::Rate { state, .. } => visit(state),
            StatementKind::Listing { items, .. } => {
                items.iter().for_each(|item| visit(&item.name));
            }
            StatementKind::Function(function) => function.body.for_each_name(visit),
            StatementKind::Place { robot, .. } => visit(robot),
            StatementKind::Symmetry { moves, .. } => {
                moves
                    .iter()
                    .map(|moved| &moved.coordinate)
                    .for_each(&mut *visit);
            }
            StatementKind::For { body, .. } => {
                for statement in body {
                    statement.for_each_name(visit);
                }
            }
            _ => {}
        }
        for expression in self.expressions() {
            expression.for_each_name(visit);
        }
    }
}

pub(crate) enum StatementKind {
    /// `let n = e;`, `let mut n = e;`, `pub let n = e;`
    Let {
        public: Option<Visibility>,
        /// The place of `#[hessian]` before a `pub let`.
        hessian: Option<SpanRange>,
        mutable: bool,
        name: Ident,
        value: Expr,
    },
    /// `let f(a, b) = e;`
    Function(Rc<Function>),
    /// `n = e;`, `n += e;` and the like for a `let mut` or `frame mut` name.
    Assign {
        target: Ident,
        op: AssignOp,
        op_span: Span,
        value: Expr,
    },
    /// `T = e;`, `V += e;` and the like.
    Energy {
        term: EnergyTerm,
        keyword: Ident,
        op: AssignOp,
        op_span: Span,
        value: Expr,
    },
    /// `Q.c = e;`, `Q.r.x += e;`, `Q.r[i] = e;`
    GeneralizedForce {
        keyword: Ident,
        coordinate: Ident,
        part: Option<Part>,
        op: AssignOp,
        op_span: Span,
        value: Expr,
    },
    /// `der(z) = e;`, `der(z[i]) = e;`
    Rate {
        keyword: Ident,
        state: Ident,
        part: Option<Part>,
        op: AssignOp,
        op_span: Span,
        value: Expr,
    },
    /// `force F at p;` or `force F at p on B;`
    Force {
        keyword: Ident,
        force: Expr,
        point: Expr,
        frame: Option<Expr>,
    },
    /// `torque t on B;`
    Torque {
        keyword: Ident,
        torque: Expr,
        frame: Expr,
    },
    /// `place arm at F;`
    Place {
        keyword: Ident,
        robot: Ident,
        frame: Expr,
    },
    /// `gravity g;`
    Gravity { keyword: Ident, value: Expr },
    /// `holonomic name: lhs = rhs;` or `nonholonomic name: lhs = rhs;`
    Constraint {
        kind: ConstraintKind,
        name: Ident,
        /// False if the name is missing, which is reported. Then `name` is the keyword.
        named: bool,
        left: Expr,
        right: Expr,
    },
    /// `contact name: lhs >= rhs;` or `contact name: lhs <= rhs { slip: s, friction: mu, restitution: e };`
    Contact {
        name: Ident,
        /// False if the name is missing, which is reported. Then `name` is the keyword.
        named: bool,
        /// The greater side of the inequality.
        above: Expr,
        below: Expr,
        fields: Vec<BlockField>,
        /// True if every field could be read.
        is_whole: bool,
    },
    /// `frame n = F;`, `frame mut n = F;`, `pub frame n = F;`
    Frame {
        public: Option<Visibility>,
        mutable: bool,
        name: Ident,
        value: Expr,
    },
    /// `body n { .. }`, `spring { .. }`, `damper { .. }`, `actuator n { .. }`
    Block {
        keyword: Ident,
        kind: BlockKind,
        name: Option<Ident>,
        fields: Vec<BlockField>,
        /// True if every field could be read.
        is_whole: bool,
    },
    /// `bundle n { a, b }`, `regressor n { a, b }`, `sensitivity n { a, b[1] }`
    Listing {
        keyword: Ident,
        kind: ListingKind,
        /// `None` if the name is missing, which is reported.
        name: Option<Ident>,
        items: Vec<ListItem>,
        /// True if the whole list could be read.
        is_complete: bool,
    },
    /// `symmetry n: x -> e, r.x -> e;`
    Symmetry {
        keyword: Ident,
        /// `None` if the name is missing, which is reported.
        name: Option<Ident>,
        moves: Vec<Move>,
        /// True if all moves could be read.
        is_complete: bool,
    },
    /// `for i in a..b { .. }`
    For {
        head: LoopHead,
        body: Vec<Statement>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AssignOp {
    Set,
    Add,
    Sub,
    Mul,
    Div,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EnergyTerm {
    Kinetic,
    Potential,
    Lagrangian,
    Dissipation,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConstraintKind {
    Holonomic,
    Nonholonomic,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BlockKind {
    Body,
    Spring,
    Damper,
    Actuator,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ListingKind {
    Bundle,
    Regressor,
    Sensitivity,
    /// An export has a language instead of a name.
    Export,
}

impl ListingKind {
    /// The word for it in messages.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Bundle => "bundle",
            Self::Regressor => "regressor",
            Self::Sensitivity => "sensitivity",
            Self::Export => "export",
        }
    }
}

/// `a`, in a sensitivity also `a[i]`
pub(crate) struct ListItem {
    pub(crate) name: Ident,
    /// The indices of some elements.
    pub(crate) part: Option<Part>,
}

/// `f(a, b) = e`
pub(crate) struct Function {
    pub(crate) name: Ident,
    pub(crate) arguments: Vec<Ident>,
    /// True if every argument could be read.
    pub(crate) is_whole: bool,
    pub(crate) body: Expr,
}

/// `x -> e`, `r.x -> e`, `r[i] -> e`
pub(crate) struct Move {
    pub(crate) coordinate: Ident,
    pub(crate) part: Option<Part>,
    pub(crate) value: Expr,
}

/// `name: value` or the shorthand `name`.
pub(crate) struct BlockField {
    pub(crate) name: Ident,
    pub(crate) value: Expr,
}
