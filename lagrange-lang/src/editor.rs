//! Information for editors: the meaning of each name in a declaration at every place where it occurs.
//!
//! It uses the text alone, like `lower/reads.rs`. An evaluation would repeat loops, enter only one branch of an `if`,
//! and stop at mistakes.

mod summary;

use std::collections::{HashMap, VecDeque};

use lagrange_engine::Shape;
use proc_macro2::Ident;
use syn::Attribute;

use crate::lower::multipliers;
use crate::model::Head;
use crate::syntax::ast::{
    self, BlockKind, Expr, ExprKind, ListItem, ListingKind, Part, Statement, StatementKind,
    SystemDef, text,
};
use crate::syntax::name_scopes::{Sight, names_an_axis};
use crate::tables::Tables;

/// The names of a declaration.
pub(crate) struct Names {
    /// The declarations in order.
    pub(crate) declarations: Vec<Declaration>,
    /// The tokens that refer to an earlier declaration, with its number.
    pub(crate) uses: Vec<(Ident, usize)>,
    /// The items of bundles that are not declarations. They may be generated methods.
    pub(crate) listed: Vec<Ident>,
}

/// A declared name.
pub(crate) struct Declaration {
    pub(crate) name: Ident,
    pub(crate) kind: Kind,
    /// The attributes of the field or statement.
    pub(crate) attributes: Vec<Attribute>,
    /// The shape of a value, or of a constraint as a vector. `None` if a mistake hides it.
    pub(crate) shape: Option<Shape>,
    /// A one-sentence summary of the name.
    pub(crate) summary: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Coordinate,
    Rotation,
    Parameter,
    State,
    Input,
    Time,
    Robot,
    Let {
        public: bool,
    },
    Function,
    /// An argument of a function.
    Argument,
    Frame {
        public: bool,
    },
    Index,
    Body,
    Actuator,
    Constraint,
    Contact,
}

impl Kind {
    fn of_field(role: ast::Role) -> Option<Self> {
        Some(match role {
            ast::Role::Coordinate => Self::Coordinate,
            ast::Role::Rotation => Self::Rotation,
            ast::Role::Parameter => Self::Parameter,
            ast::Role::State => Self::State,
            ast::Role::Input => Self::Input,
            ast::Role::Time => Self::Time,
            ast::Role::Robot => Self::Robot,
            ast::Role::Unknown => return None,
        })
    }

    /// True if it becomes a method.
    pub(crate) fn is_output(self) -> bool {
        matches!(
            self,
            Self::Let { public: true } | Self::Frame { public: true }
        )
    }
}

/// The names of a declaration, with the facts that evaluation determined.
pub(crate) fn names(definition: &SystemDef, head: &Head, tables: &Tables) -> Names {
    let mut shapes: HashMap<&str, VecDeque<Option<Shape>>> = HashMap::new();
    for (name, shape) in &tables.shapes {
        shapes.entry(name).or_default().push_back(*shape);
    }
    let mut reader = Reader {
        head,
        tables,
        shapes,
        names: Names {
            declarations: Vec::new(),
            uses: Vec::new(),
            listed: Vec::new(),
        },
        in_sight: Sight::default(),
    };
    reader.fields(definition);
    reader.statements(&definition.statements);
    reader.names
}

struct Reader<'a> {
    head: &'a Head,
    tables: &'a Tables,
    /// For each name, the shapes of the remaining `let`s of that name.
    shapes: HashMap<&'a str, VecDeque<Option<Shape>>>,
    names: Names,
    in_sight: Sight,
}

impl Reader<'_> {
    fn fields(&mut self, definition: &SystemDef) {
        for field in &definition.fields {
            if let Some(kind) = Kind::of_field(field.meant) {
                for name in &field.names {
                    let item = summary::field(kind, name, self.head);
                    let shape = match kind {
                        Kind::Time => Some(Shape::Scalar),
                        _ => item.as_ref().map(|field| field.item.shape),
                    };
                    let summary = summary::of_field(kind, item.as_ref());
                    self.declare_value(name, kind, &field.attributes, (shape, summary));
                }
            }
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        for expr in statement.expressions() {
            self.read(expr);
        }
        let attributes = &statement.attributes;
        match &statement.kind {
            StatementKind::Let {
                public,
                mutable,
                name,
                ..
            } => {
                let public = public.is_some();
                let shapes = self.shapes.get_mut(text(name).as_str());
                let shape = shapes.and_then(VecDeque::pop_front).flatten();
                let summary = summary::of_let(public, *mutable, shape);
                self.declare_value(name, Kind::Let { public }, attributes, (shape, summary));
            }
            StatementKind::Function(function) => self.function(function, attributes),
            StatementKind::Frame { public, name, .. } => {
                let kind = Kind::Frame {
                    public: public.is_some(),
                };
                let summary = "A frame: a pose in the world.".to_owned();
                self.declare_value(name, kind, attributes, (None, summary));
            }
            StatementKind::Assign { target: name, .. } => self.mention(name),
            StatementKind::GeneralizedForce {
                coordinate, part, ..
            } => self.target(coordinate, part.as_ref()),
            StatementKind::Rate { state, part, .. } => self.target(state, part.as_ref()),
            StatementKind::Constraint {
                kind,
                name,
                named: true,
                ..
            } => {
                let rows = self.rows(name);
                let what = (
                    Some(Shape::Vector(rows)),
                    summary::of_constraint(*kind, rows),
                );
                self.declare(name, Kind::Constraint, attributes, what);
            }
            StatementKind::Contact {
                name,
                named: true,
                fields,
                ..
            } => {
                let what = (Some(Shape::Scalar), summary::of_contact(fields));
                self.declare(name, Kind::Contact, attributes, what);
            }
            StatementKind::Block {
                kind: BlockKind::Body,
                name: Some(name),
                ..
            } => self.declare(name, Kind::Body, attributes, (None, "A body.".to_owned())),
            StatementKind::Block {
                kind: BlockKind::Actuator,
                name: Some(name),
                fields,
                ..
            } => {
                let is_elastic = fields.iter().any(|field| field.name == "elastic");
                let summary = summary::of_actuator(is_elastic);
                let declaration = self.names.declarations.len();
                self.in_sight.declare_actuator(name, declaration);
                self.declare(name, Kind::Actuator, attributes, (None, summary));
            }
            StatementKind::Listing { kind, items, .. } => self.listing(*kind, items),
            StatementKind::Symmetry { moves, .. } => {
                for moved in moves {
                    self.target(&moved.coordinate, moved.part.as_ref());
                }
            }
            StatementKind::For { head, body } => {
                self.variable(&head.variable);
                self.statements(body);
                self.in_sight.end_loop(&head.variable, body);
            }
            StatementKind::Place { robot, .. } => self.mention(robot),
            StatementKind::Energy { .. }
            | StatementKind::Force { .. }
            | StatementKind::Torque { .. }
            | StatementKind::Gravity { .. }
            | StatementKind::Constraint { .. }
            | StatementKind::Contact { .. }
            | StatementKind::Block { .. } => {}
        }
    }

    fn function(&mut self, function: &ast::Function, attributes: &[Attribute]) {
        let ast::Function {
            name,
            arguments,
            body,
            ..
        } = function;
        for argument in arguments {
            let what = (None, summary::of_argument(name));
            self.declare_value(argument, Kind::Argument, &[], what);
        }
        self.read(body);
        arguments.iter().for_each(|name| self.in_sight.hide(name));
        let declaration = self.names.declarations.len();
        self.in_sight.declare_function(name, declaration);
        let what = (None, summary::of_function(arguments.len()));
        self.declare(name, Kind::Function, attributes, what);
    }

    /// `x`, `r.x` or `r[i]` as the target of a statement.
    fn target(&mut self, coordinate: &Ident, part: Option<&Part>) {
        let parts = part.map_or(&[][..], Part::all);
        let is_angle = |part: &Part| matches!(part, Part::Field(name) if name == "angle");
        let actuator = self.in_sight.find_actuator_of(coordinate);
        match actuator.filter(|_| parts.last().is_some_and(is_angle)) {
            Some(actuator) => self.names.uses.push((coordinate.clone(), actuator)),
            None => self.mention(coordinate),
        }
        for part in parts {
            if let Part::Index { indices, .. } = part {
                indices.iter().for_each(|index| self.read(index));
            }
        }
    }

    /// The items of a bundle are methods. A method may have the same name as a declaration that is not a method.
    fn listing(&mut self, kind: ListingKind, items: &[ListItem]) {
        for ListItem { name: item, part } in items {
            if let Some(Part::Index { indices, .. }) = part {
                indices.iter().for_each(|index| self.read(index));
            }
            let declaration = self.in_sight.find(item);
            let kind_of = |declaration: usize| self.names.declarations[declaration].kind;
            let is_meant = |declaration| match kind {
                ListingKind::Bundle | ListingKind::Export => kind_of(declaration).is_output(),
                ListingKind::Regressor | ListingKind::Sensitivity => true,
            };
            match declaration.filter(|declaration| is_meant(*declaration)) {
                Some(declaration) => self.names.uses.push((item.clone(), declaration)),
                None => self.names.listed.push(item.clone()),
            }
        }
    }

    fn read(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name { name, .. } => self.mention(name),
            ExprKind::Call {
                function,
                arguments,
                ..
            } if text(function) == multipliers::FUNCTION => {
                arguments.iter().for_each(|row| self.read_row(row))
            }
            ExprKind::Call {
                function,
                arguments,
                ..
            } => {
                self.mention_function(function);
                arguments.iter().for_each(|part| self.read(part));
            }
            ExprKind::Method {
                receiver,
                function,
                arguments,
                ..
            } => {
                self.mention_function(function);
                self.read(receiver);
                let axis = usize::from(names_an_axis(function, arguments));
                arguments[axis..].iter().for_each(|part| self.read(part));
            }
            ExprKind::SumOver { head, body } => {
                expr.parts().into_iter().for_each(|part| self.read(part));
                self.variable(&head.variable);
                self.read(body);
                self.in_sight.hide(&head.variable);
            }
            ExprKind::Field { base, name } => match self.in_sight.find_actuator(base, name) {
                Some(named) => {
                    self.names.uses.push(named);
                    if let ExprKind::Index { indices, .. } = &base.kind {
                        indices.iter().for_each(|index| self.read(index));
                    }
                }
                None => self.read(base),
            },
            _ => expr.parts().into_iter().for_each(|part| self.read(part)),
        }
    }

    /// `floor`, `post[k]`: the constraint or contact whose multiplier is meant.
    fn read_row(&mut self, row: &Expr) {
        match &row.kind {
            ExprKind::Name { name, .. } => {
                let is_it = |declaration: &Declaration| {
                    matches!(declaration.kind, Kind::Constraint | Kind::Contact)
                        && text(&declaration.name) == text(name)
                };
                if let Some(declaration) = self.names.declarations.iter().rposition(is_it) {
                    self.names.uses.push((name.clone(), declaration));
                }
            }
            ExprKind::Index { base, indices, .. } => {
                self.read_row(base);
                indices.iter().for_each(|index| self.read(index));
            }
            _ => self.read(row),
        }
    }

    fn mention(&mut self, name: &Ident) {
        if let Some(declaration) = self.in_sight.find(name) {
            self.names.uses.push((name.clone(), declaration));
        }
    }

    fn mention_function(&mut self, name: &Ident) {
        if let Some(declaration) = self.in_sight.find_function(name) {
            self.names.uses.push((name.clone(), declaration));
        }
    }

    fn variable(&mut self, name: &Ident) {
        let summary = "A loop variable: a constant integer.".to_owned();
        self.declare_value(name, Kind::Index, &[], (None, summary));
    }

    /// The number of equations of a constraint, in a loop of all iterations.
    fn rows(&self, name: &Ident) -> usize {
        let written = text(name);
        self.tables
            .constraints
            .iter()
            .map(|entry| &entry.item)
            .filter(|item| text(&item.name) == written)
            .map(|item| item.rows)
            .sum()
    }

    fn declare_value(
        &mut self,
        name: &Ident,
        kind: Kind,
        attributes: &[Attribute],
        what: (Option<Shape>, String),
    ) {
        self.in_sight.declare(name, self.names.declarations.len());
        self.declare(name, kind, attributes, what);
    }

    /// Records a declaration without making its name visible. No expression names bodies and constraints.
    fn declare(
        &mut self,
        name: &Ident,
        kind: Kind,
        attributes: &[Attribute],
        (shape, summary): (Option<Shape>, String),
    ) {
        self.names.declarations.push(Declaration {
            name: name.clone(),
            kind,
            attributes: attributes.to_vec(),
            shape,
            summary,
        });
    }
}
