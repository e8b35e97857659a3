//! The arguments of outputs, determined by the names in their text.
//!
//! An output takes the velocities if its text names one: by `der` of an expression that names a coordinate, by a
//! dotted name, or by the velocity of a frame that a coordinate moves. This applies through every `let` and frame
//! that it names. The result of evaluation and simplification does not matter. Therefore neither a better
//! simplifier nor a mistake in another statement changes a signature. The rate of a state counts as one that reads
//! velocities and states, and an input if the text of the rate names one. Both branches of an `if` count, even if its
//! condition is constant. So do all earlier assignments to a `let mut`, even values that `=` replaced.

use std::collections::HashMap;

use lagrange_engine::Dependence;
use proc_macro2::Ident;

use crate::model::Head;
use crate::syntax::ast::{
    BlockKind, Expr, ExprKind, Function, Statement, StatementKind, SystemDef, text,
};
use crate::syntax::name_scopes::{Sight, names_an_axis};

/// The functions whose value depends on the velocities if their argument depends on coordinates.
const RATES: [&str; 3] = ["der", "velocity", "angular_velocity"];

/// The dependence of each output, by its name. Duplicate names are refused elsewhere.
pub(crate) fn of_outputs(definition: &SystemDef, head: &Head) -> HashMap<String, Dependence> {
    let of_rate = Dependence::VELOCITY.union(Dependence::STATE);
    let mut rates = vec![of_rate; head.states.len()];
    loop {
        let reads = of_text(definition, head, &rates);
        let states = &reads.declared[..rates.len()];
        let of_text: Vec<Dependence> = states.iter().map(|state| state.rate).collect();
        // A name may stand for a state before the statement that gives its rate.
        if of_text == rates {
            return reads.outputs;
        }
        rates = of_text;
    }
}

/// The dependences, if those of the rates of the states contain these. The states are declared first.
fn of_text(definition: &SystemDef, head: &Head, rates: &[Dependence]) -> Reads {
    let mut reads = Reads::default();
    for (item, rate) in head.states.iter().zip(rates) {
        let (value, rate) = (Dependence::STATE, *rate);
        reads.declare(&item.name, Reading { value, rate });
    }
    for item in &head.coordinates {
        reads.declare(&item.name, Reading::of_coordinate());
    }
    for item in &head.parameters {
        reads.declare(&item.name, Reading::given(Dependence::PARAMETER));
    }
    for item in &head.inputs {
        reads.declare(&item.name, Reading::given(Dependence::INPUT));
    }
    if let Some(time) = &head.time {
        reads.declare(time, Reading::given(Dependence::TIME));
    }
    reads.read_statements(&definition.statements);
    reads
}

/// The declarations so far. Each is a node of a graph, with an edge from every declaration that its text names.
#[derive(Default)]
struct Reads {
    /// The dependence of each declaration, directly or through others.
    declared: Vec<Reading>,
    in_sight: Sight,
    /// The edges of the current loop, in the order of its text.
    edges: Vec<Edge>,
    loops: usize,
    /// The mentions of the current expression so far.
    mentions: Vec<Mention>,
    /// For each function, by its declaration: whether each argument is differentiated in the body.
    moving: HashMap<usize, Vec<bool>>,
    outputs: HashMap<String, Dependence>,
}

/// The dependence of a value, and that of its rate.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Reading {
    value: Dependence,
    rate: Dependence,
}

impl Reading {
    fn of_coordinate() -> Self {
        Self {
            value: Dependence::COORDINATE,
            rate: Dependence::COORDINATE.union(Dependence::VELOCITY),
        }
    }

    /// A value that does not move with coordinates and states.
    fn given(value: Dependence) -> Self {
        Self { value, rate: value }
    }

    fn union(self, other: Self) -> Self {
        Self {
            value: self.value.union(other.value),
            rate: self.rate.union(other.rate),
        }
    }
}

#[derive(Clone, Copy)]
struct Mention {
    declaration: usize,
    /// True if it is inside a rate.
    moving: bool,
}

struct Edge {
    from: Mention,
    to: Target,
}

/// The reader of a mention.
#[derive(Clone, Copy)]
enum Target {
    Declaration(usize),
    /// The statement that gives the rate of this state.
    Rate(usize),
}

impl Reads {
    fn read_statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.read_statement(statement);
        }
    }

    fn read_statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Let {
                public,
                name,
                value,
                ..
            } => {
                let declaration = self.declare_as(name, value);
                if public.is_some() {
                    let reads = self.declared[declaration].value;
                    self.outputs.entry(text(name)).or_insert(reads);
                }
            }
            StatementKind::Frame { name, value, .. } => {
                self.declare_as(name, value);
            }
            StatementKind::Function(function) => self.read_function(function),
            StatementKind::Assign { target, value, .. } => {
                self.read(value, false);
                if let Some(target) = self.in_sight.find(target) {
                    self.assign(Target::Declaration(target));
                }
                self.mentions.clear();
            }
            StatementKind::Rate { state, value, .. } => {
                self.read(value, false);
                if let Some(state) = self.in_sight.find(state) {
                    self.assign(Target::Rate(state));
                }
                self.mentions.clear();
            }
            StatementKind::For { head, body } => self.read_repeated(&head.variable, body),
            StatementKind::Block {
                kind: BlockKind::Actuator,
                name: Some(name),
                ..
            } => {
                let declaration = self.declared.len();
                self.declared.push(Reading::of_coordinate());
                self.in_sight.declare_actuator(name, declaration);
            }
            StatementKind::Energy { .. }
            | StatementKind::GeneralizedForce { .. }
            | StatementKind::Force { .. }
            | StatementKind::Torque { .. }
            | StatementKind::Gravity { .. }
            | StatementKind::Place { .. }
            | StatementKind::Constraint { .. }
            | StatementKind::Contact { .. }
            | StatementKind::Block { .. }
            | StatementKind::Listing { .. }
            | StatementKind::Symmetry { .. } => {}
        }
    }

    /// A loop with any number of iterations: assignments further down reach reads further up.
    fn read_repeated(&mut self, variable: &Ident, body: &[Statement]) {
        self.loops += 1;
        self.declare(variable, Reading::default());
        self.read_statements(body);
        self.in_sight.end_loop(variable, body);
        self.loops -= 1;
        if self.loops == 0 {
            self.propagate();
        }
    }

    /// Propagates dependences along the edges until nothing changes. A declaration is visited again only if its
    /// dependence has grown, and there are only a few kinds of dependence.
    fn propagate(&mut self) {
        let edges = std::mem::take(&mut self.edges);
        let mut leaving: HashMap<usize, Vec<&Edge>> = HashMap::new();
        for edge in &edges {
            leaving.entry(edge.from.declaration).or_default().push(edge);
        }
        let mut changed: Vec<usize> = leaving.keys().copied().collect();
        while let Some(declaration) = changed.pop() {
            for edge in leaving.get(&declaration).into_iter().flatten() {
                if self.carry(edge.from, edge.to) {
                    let (Target::Declaration(to) | Target::Rate(to)) = edge.to;
                    changed.push(to);
                }
            }
        }
    }

    /// Adds the dependence of a mention to a declaration. Returns whether that changed it.
    fn carry(&mut self, from: Mention, to: Target) -> bool {
        let Reading { value, rate } = self.declared[from.declaration];
        let value = if from.moving { rate } else { value };
        let (to, brought) = match to {
            Target::Declaration(to) => (to, Reading { value, rate }),
            Target::Rate(to) => (
                to,
                Reading {
                    rate: value,
                    ..Reading::default()
                },
            ),
        };
        let declarations = self.declared[to].union(brought);
        let is_new = declarations != self.declared[to];
        self.declared[to] = declarations;
        is_new
    }

    /// Declares a name with the dependence of the expression. The expression cannot mention the name itself.
    fn declare_as(&mut self, name: &Ident, value: &Expr) -> usize {
        self.read(value, false);
        let declaration = self.declare(name, Reading::default());
        self.assign(Target::Declaration(declaration));
        declaration
    }

    /// Declares a function with the dependence of its body. Calls add the dependence of the arguments.
    fn read_function(&mut self, function: &Function) {
        let first = self.declared.len();
        for argument in &function.arguments {
            self.declare(argument, Reading::default());
        }
        let arguments = first..self.declared.len();
        self.read(&function.body, false);
        for argument in &function.arguments {
            self.in_sight.hide(argument);
        }
        let of = |argument| move |mention: &&Mention| mention.declaration == argument;
        let moving: Vec<bool> = arguments
            .clone()
            .map(|argument| {
                self.mentions
                    .iter()
                    .filter(of(argument))
                    .any(|mention| mention.moving)
            })
            .collect();
        self.mentions
            .retain(|mention| !arguments.contains(&mention.declaration));
        let declaration = self.declared.len();
        self.declared.push(Reading::default());
        self.in_sight.declare_function(&function.name, declaration);
        self.moving.insert(declaration, moving);
        self.assign(Target::Declaration(declaration));
    }

    /// Records the mentions of a call.
    fn read_call<'x>(
        &mut self,
        function: &Ident,
        arguments: impl Iterator<Item = &'x Expr>,
        moving: bool,
    ) {
        let Some(declaration) = self.in_sight.find_function(function) else {
            let moving = moving || is_rate(function);
            arguments.for_each(|part| self.read(part, moving));
            return;
        };
        self.mentions.push(Mention {
            declaration,
            moving,
        });
        for (position, part) in arguments.enumerate() {
            let below = self
                .moving
                .get(&declaration)
                .and_then(|moving| moving.get(position))
                .copied();
            self.read(part, moving || below.unwrap_or_default());
        }
    }

    /// Adds all recorded mentions to a declaration.
    fn assign(&mut self, to: Target) {
        for from in std::mem::take(&mut self.mentions) {
            self.carry(from, to);
            if self.loops > 0 {
                self.edges.push(Edge { from, to });
            }
        }
    }

    fn declare(&mut self, name: &Ident, reads: Reading) -> usize {
        let declaration = self.declared.len();
        self.declared.push(reads);
        self.in_sight.declare(name, declaration);
        declaration
    }

    /// Records the mentions of an expression.
    fn read(&mut self, expr: &Expr, moving: bool) {
        match &expr.kind {
            ExprKind::Name { name, dots } => {
                let moving = moving || *dots > 0;
                let mention = |declaration| Mention {
                    declaration,
                    moving,
                };
                self.mentions.extend(self.in_sight.find(name).map(mention));
            }
            ExprKind::Call {
                function,
                arguments,
                ..
            } => self.read_call(function, arguments.iter(), moving),
            ExprKind::Method {
                receiver,
                function,
                arguments,
                ..
            } => {
                let axis = usize::from(names_an_axis(function, arguments));
                let operands = std::iter::once(&**receiver).chain(&arguments[axis..]);
                self.read_call(function, operands, moving);
            }
            ExprKind::Field { base, name } => match self.in_sight.find_actuator(base, name) {
                Some((_, declaration)) => self.mentions.push(Mention {
                    declaration,
                    moving,
                }),
                None => self.read(base, moving),
            },
            ExprKind::SumOver { head, body } => {
                self.declare(&head.variable, Reading::default());
                self.read(body, moving);
                self.in_sight.hide(&head.variable);
            }
            _ => {
                for part in expr.parts() {
                    self.read(part, moving);
                }
            }
        }
    }
}

fn is_rate(function: &Ident) -> bool {
    RATES.contains(&text(function).as_str())
}
