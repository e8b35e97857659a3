//! What evaluating expressions needs and leaves behind: the graph, the names, the collector, and a
//! record of where everything that depends on something was written.

use std::collections::{HashMap, HashSet};

use lagrange_engine::{Dependence, Frames, Graph, Names, Node, NodeId, Symbol};
use proc_macro2::{Ident, Span};

use super::blocks::Blocks;
use super::bodies::Motor;
use super::budget::Budget;
use super::known_functions::OwnFunction;
use super::robots::LoweredRobot;
use super::scope::Scope;
use super::value::Value;
use crate::errors::{Code, Errors, SpanRange};
use crate::model::Warning;
use crate::syntax::ast::{Expr, Statement, text};

/// What the head declares, ready for statements.
pub(crate) struct Declarations {
    pub(crate) graph: Graph,
    pub(crate) scope: Scope,
    pub(crate) names: Names,
    /// Whether every declaration could be read; if not, nothing counts as missing or unused.
    pub(crate) complete: bool,
    /// Whether a declaration lacks its name: see [`crate::syntax::ast::SystemDef::lacks_names`].
    pub(crate) lacks_names: bool,
    /// How many declarations have a name that is taken.
    pub(crate) surplus_names: usize,
    /// How many of these are coordinates.
    pub(crate) surplus_coordinates: usize,
    /// Names that are used in another role than theirs.
    pub(crate) misused: Vec<String>,
    pub(crate) robots: Vec<LoweredRobot>,
    /// Warnings about fields.
    pub(crate) warnings: Vec<Warning>,
}

/// Turns expressions into values. `None` is a value with a mistake that was reported: everything
/// that is made of it is `None` too, without another word.
pub(crate) struct Evaluator<'e> {
    pub(crate) graph: Graph,
    pub(crate) scope: Scope,
    pub(crate) names: Names,
    pub(crate) complete: bool,
    pub(super) lacks_names: bool,
    /// Whether what is evaluated has to be an integer that is known at compile time.
    pub(super) needs_integer: bool,
    /// How many declarations have a name that is taken.
    pub(super) surplus_names: usize,
    pub(super) surplus_coordinates: usize,
    /// Names that are used in another role than theirs.
    pub(super) misused: Vec<String>,
    pub(crate) errors: &'e mut Errors,
    pub(super) blocks: Blocks,
    pub(super) frames: Frames,
    pub(super) robots: Vec<LoweredRobot>,
    passage: Passage,
    pub(super) budget: Budget,
    pub(super) functions: Vec<OwnFunction>,
    /// The function whose body is looked at without arguments.
    pub(super) outlined: Option<String>,
    /// What the statement under way deserves to be warned of.
    pub(super) warnings: Warnings,
    /// What stands for a point of each named body: of its frame, if that has a name.
    pub(super) bodies: HashMap<String, Option<String>>,
    /// Of each named actuator, or of those of one name in a loop, the motor.
    pub(super) motors: HashMap<String, Vec<Motor>>,
    /// All statements, and what they name, once somebody has asked.
    pub(super) statements: &'e [Statement],
    mentioned: Option<HashSet<String>>,
}

/// What single statements were warned of.
#[derive(Default)]
pub(super) struct Warnings {
    pub(super) found: Vec<Warning>,
    /// What was said where: a loop comes by again and again.
    pub(super) said: HashSet<(String, &'static str)>,
}

/// What is evaluated at a time: a statement, a size or a default.
#[derive(Default)]
pub(super) struct Passage {
    /// What a message on the size of the system calls it.
    subject: String,
    /// What brings symbols into it, in the order of its text.
    mentions: Vec<Mention>,
    /// Factors that are zero, each with the entries of what it multiplies.
    zero_factors: Vec<(SpanRange, Vec<NodeId>)>,
}

/// A token that brings symbols into an expression: a name, or the `der` of a call.
pub(super) struct Mention {
    pub(crate) place: SpanRange,
    pub(crate) source: Source,
    pub(super) value: Value,
    pub(super) dependence: Dependence,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A name of the head, or a dotted one.
    Declared(String),
    /// The name of a `let`.
    Let(String),
    Derivative,
}

impl<'e> Evaluator<'e> {
    pub(crate) fn new(declarations: Declarations, errors: &'e mut Errors) -> Self {
        let mut graph = declarations.graph;
        Evaluator {
            frames: Frames::new(&mut graph),
            graph,
            scope: declarations.scope,
            names: declarations.names,
            complete: declarations.complete,
            lacks_names: declarations.lacks_names,
            needs_integer: false,
            surplus_names: declarations.surplus_names,
            surplus_coordinates: declarations.surplus_coordinates,
            misused: declarations.misused,
            robots: declarations.robots,
            errors,
            blocks: Blocks::default(),
            passage: Passage::default(),
            budget: Budget::default(),
            functions: Vec::new(),
            outlined: None,
            warnings: Warnings::default(),
            bodies: HashMap::new(),
            motors: HashMap::new(),
            statements: &[],
            mentioned: None,
        }
    }

    pub(crate) fn into_declarations(self) -> Declarations {
        Declarations {
            graph: self.graph,
            scope: self.scope,
            names: self.names,
            complete: self.complete,
            lacks_names: self.lacks_names,
            surplus_names: self.surplus_names,
            surplus_coordinates: self.surplus_coordinates,
            misused: self.misused,
            robots: self.robots,
            warnings: Vec::new(),
        }
    }

    /// Begins a passage, about which questions are until [`Evaluator::leave`] gets back the one that this
    /// returns.
    #[must_use = "the passage around this one goes on behind it"]
    pub(super) fn enter(&mut self, subject: String) -> Passage {
        let passage = Passage {
            subject,
            ..Passage::default()
        };
        std::mem::replace(&mut self.passage, passage)
    }

    pub(super) fn leave(&mut self, outer: Passage) {
        self.passage = outer;
    }

    pub(super) fn subject(&self) -> &str {
        &self.passage.subject
    }

    /// Notes that a name is not known. Whether it may be that of a declaration that lacks one, so that there is
    /// nothing to say of it.
    pub(super) fn is_excused(&mut self, name: &Ident) -> bool {
        self.complete = false;
        if self.lacks_names {
            self.scope.declare_mistaken(name);
        }
        self.lacks_names
    }

    /// The same of a name that is like no other: a second declaration of one name lacks its own.
    pub(super) fn is_missing_name(&mut self, name: &Ident) -> bool {
        let is_missing = self.surplus_names > 0;
        if is_missing {
            self.surplus_names -= 1;
            self.scope.declare_mistaken(name);
        }
        is_missing
    }

    /// Whether some of these could not be parsed, of which nobody knows then how many they are.
    pub(super) fn are_broken<'x>(&self, parts: impl IntoIterator<Item = &'x Expr>) -> bool {
        !self.errors.is_empty() && parts.into_iter().any(Expr::is_broken)
    }

    /// Whether a statement names this, so that its declaration is as it is meant.
    pub(super) fn is_mentioned(&mut self, name: &str) -> bool {
        let statements = self.statements;
        let mentioned = self.mentioned.get_or_insert_with(|| {
            let mut names = HashSet::new();
            for statement in statements {
                statement.for_each_name(&mut |name| {
                    names.insert(text(name));
                });
            }
            names
        });
        mentioned.contains(name)
    }

    /// Notes that these, or what they are elements of, are used in another role than theirs.
    pub(super) fn misuse(&mut self, names: impl IntoIterator<Item = String>) {
        let whole = |name: String| name.split('[').next().unwrap_or_default().to_owned();
        self.misused.extend(names.into_iter().map(whole));
    }

    /// Reports a mistake; the result is the value that has it.
    pub(super) fn refuse<T>(
        &mut self,
        place: impl Into<SpanRange>,
        code: Code,
        message: impl std::fmt::Display,
    ) -> Option<T> {
        self.errors.error(place, code, message);
        None
    }

    pub(super) fn mention(&mut self, place: Span, source: Source, value: &Value) {
        let dependence = value.dependence(&self.graph);
        if dependence != Dependence::NONE {
            self.passage.mentions.push(Mention {
                place: place.into(),
                source,
                value: value.clone(),
                dependence,
            });
        }
    }

    /// How much of the passage was mentioned so far, to ask later only about what came after; 0 is its start.
    pub(super) fn mark(&self) -> usize {
        self.passage.mentions.len()
    }

    /// Notes the factors of a product that are zero beside something that moves.
    pub(super) fn note_zero_factors<'x>(
        &mut self,
        factors: impl Iterator<Item = (&'x Expr, Option<&'x Value>)> + Clone,
    ) {
        let is_zero = |value: &Value| value.entries.iter().all(|entry| self.graph.is_zero(*entry));
        let known = factors.filter_map(|(expr, value)| Some((expr, value?)));
        if !known.clone().any(|(_, value)| is_zero(value)) {
            return;
        }
        let others = known.clone().filter(|(_, value)| !is_zero(value));
        let others: Vec<NodeId> = others
            .flat_map(|(_, value)| value.entries.clone())
            .collect();
        let moves = |entry: &NodeId| {
            self.graph
                .dependence(*entry)
                .intersects(Dependence::VELOCITY)
        };
        if !others.iter().any(moves) {
            return;
        }
        let zero = known.filter(|(_, value)| is_zero(value));
        let zero = zero.map(|(expr, _)| (expr.into(), others.clone()));
        self.passage.zero_factors.extend(zero);
    }

    pub(super) fn zero_factors(&self) -> &[(SpanRange, Vec<NodeId>)] {
        &self.passage.zero_factors
    }

    /// What is mentioned in the passage and depends on velocities.
    pub(super) fn mentioned_rates(&self) -> Vec<NodeId> {
        let mentions = self.passage.mentions.iter();
        let moving = mentions.filter(|mention| mention.dependence.intersects(Dependence::VELOCITY));
        moving
            .flat_map(|mention| mention.value.entries.iter().copied())
            .collect()
    }

    /// Forgets what was mentioned since then.
    pub(super) fn forget(&mut self, mark: usize) {
        self.passage.mentions.truncate(mark);
    }

    /// Where something that depends on symbols of this kind is written first, whatever becomes of it.
    pub(super) fn first_mention(&self, kind: Dependence) -> Option<(SpanRange, Source)> {
        let mut mentions = self.passage.mentions.iter();
        let first = mentions.find(|mention| mention.dependence.intersects(kind))?;
        Some((first.place, first.source.clone()))
    }

    /// The tokens since `mark` that bring symbols of this kind into `value`: enough of them to
    /// account for each such symbol, the first ones written.
    pub(crate) fn culprits(
        &mut self,
        value: &Value,
        kind: Dependence,
        mark: usize,
    ) -> Vec<Culprit> {
        if !value.dependence(&self.graph).intersects(kind) {
            return Vec::new();
        }
        let symbols = self.symbols(kind);
        let mut left = self.contained(&value.entries, &symbols);
        let mut culprits = Vec::new();
        // A loop mentions the same again and again.
        let mut judged: HashSet<&[NodeId]> = HashSet::new();
        for mention in &self.passage.mentions[mark..] {
            if left.is_empty() {
                break;
            }
            if !mention.dependence.intersects(kind) || !judged.insert(&mention.value.entries) {
                continue;
            }
            let reached = self.graph.reachable(&mention.value.entries);
            let is_in = |node: &NodeId| reached.get(node.index()) == Some(&true);
            let Some((symbol, _)) = left.iter().find(|(_, node)| is_in(node)) else {
                continue;
            };
            culprits.push(Culprit {
                place: mention.place,
                source: mention.source.clone(),
                symbol: *symbol,
            });
            left.retain(|(_, node)| !is_in(node));
        }
        culprits
    }

    /// Those of the symbols that occur in the entries, with their nodes.
    fn contained(&mut self, entries: &[NodeId], symbols: &[Symbol]) -> Vec<(Symbol, NodeId)> {
        let reached = self.graph.reachable(entries);
        let with_nodes = symbols.iter().map(|s| (*s, self.graph.symbol(*s)));
        with_nodes
            .filter(|(_, node)| reached.get(node.index()) == Some(&true))
            .collect()
    }

    fn symbols(&self, kind: Dependence) -> Vec<Symbol> {
        let numbered = |names: &[String], symbol: fn(u32) -> Symbol| {
            (0..names.len() as u32).map(symbol).collect::<Vec<_>>()
        };
        let names = &self.names;
        let all = [
            numbered(&names.coordinates, Symbol::Coordinate),
            names.velocity_symbols(),
            numbered(&names.parameters, Symbol::Parameter),
            numbered(&names.inputs, Symbol::Input),
            vec![Symbol::Time],
        ];
        let all = all.into_iter().flatten();
        all.filter(|symbol| Dependence::of(*symbol).intersects(kind))
            .collect()
    }

    /// The name of an input, as messages call it.
    pub(crate) fn name_of(&self, symbol: Symbol) -> String {
        let at = |names: &[String], i: u32| names.get(i as usize).cloned();
        let names = &self.names;
        let name = match symbol {
            Symbol::Coordinate(i) => at(&names.coordinates, i),
            Symbol::Velocity(i) | Symbol::Acceleration(i) => at(&names.velocities(), i),
            Symbol::Parameter(i) => at(&names.parameters, i),
            Symbol::Input(i) => at(&names.inputs, i),
            Symbol::Time => names.time.clone(),
            Symbol::Multiplier(_) | Symbol::Momentum(_) | Symbol::Weight(_) => None,
        };
        name.unwrap_or_default()
    }

    /// The value, unless an entry is a constant that overflowed.
    pub(super) fn finite(&mut self, place: impl Into<SpanRange>, value: Value) -> Option<Value> {
        let overflowed = value.entries.iter().any(|entry| self.is_overflow(*entry));
        if overflowed {
            return self.refuse(
                place,
                Code::Overflow,
                "overflow: this constant is beyond every number",
            );
        }
        Some(value)
    }

    /// The graph keeps 0^-1 for a constant that it cannot hold.
    pub(super) fn is_overflow(&self, entry: NodeId) -> bool {
        match self.graph.node(entry) {
            Node::Product(factors) => {
                matches!(factors[..], [(base, -1)] if self.graph.is_zero(base))
            }
            _ => false,
        }
    }
}

/// The token to change where an expression depends on what it may not depend on.
pub(crate) struct Culprit {
    pub(crate) place: SpanRange,
    pub(crate) source: Source,
    /// One of the symbols it brings in.
    pub(crate) symbol: Symbol,
}
