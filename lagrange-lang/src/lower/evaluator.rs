//! The state of the evaluation: the graph, the names, the error collector, and a record of the place where each
//! dependence was written.

use std::collections::{HashMap, HashSet};

use lagrange_engine::{Dependence, Frames, Graph, Names, Node, NodeId, Symbol};
use proc_macro2::{Ident, Span};

use super::blocks::Blocks;
use super::bodies::Motor;
use super::budget::Budget;
use super::known_functions::OwnFunction;
use super::robots::LoweredRobot;
use super::scope::Scope;
use super::state_rates::Rates;
use super::value::Value;
use crate::errors::{Code, Errors, SpanRange};
use crate::files::Folder;
use crate::model::{Warning, symbol_name};
use crate::syntax::ast::{Expr, Statement, text};
use crate::tables::CurveEntry;
use crate::units::Facts;

/// The declarations of the head, ready for statements.
pub(crate) struct Declarations {
    pub(crate) graph: Graph,
    pub(crate) scope: Scope,
    pub(crate) names: Names,
    /// True if every declaration could be parsed. If not, nothing is reported as missing or unused.
    pub(crate) complete: bool,
    /// The paths of the files of data.
    pub(crate) files: Vec<String>,
    /// True if a declaration lacks its name: see [`crate::syntax::ast::SystemDef::lacks_names`].
    pub(crate) lacks_names: bool,
    /// The number of declarations whose name is taken.
    pub(crate) surplus_names: usize,
    /// The number of these that are coordinates.
    pub(crate) surplus_coordinates: usize,
    /// Names that are used in a wrong role.
    pub(crate) misused: Vec<String>,
    pub(crate) robots: Vec<LoweredRobot>,
    /// Warnings about fields.
    pub(crate) warnings: Vec<Warning>,
    /// The folder of the files that the declaration names.
    pub(crate) folder: Folder,
}

/// Turns expressions into values. `None` is a value with a mistake that was reported. Everything computed from it
/// is `None` too, without a further report.
pub(crate) struct Evaluator<'e> {
    pub(crate) graph: Graph,
    pub(crate) scope: Scope,
    pub(crate) names: Names,
    pub(crate) complete: bool,
    pub(super) lacks_names: bool,
    /// True if the current expression must be an integer known at compile time.
    pub(super) needs_integer: bool,
    /// The number of declarations whose name is taken.
    pub(super) surplus_names: usize,
    pub(super) surplus_coordinates: usize,
    /// Names that are used in a wrong role.
    pub(super) misused: Vec<String>,
    pub(crate) errors: &'e mut Errors,
    pub(super) blocks: Blocks,
    pub(super) frames: Frames,
    pub(super) robots: Vec<LoweredRobot>,
    /// The folder of the files that the declaration names.
    pub(super) folder: Folder,
    /// The record for units, in an evaluation for these alone.
    pub(super) facts: Option<Facts>,
    passage: Passage,
    pub(super) budget: Budget,
    pub(super) functions: Vec<OwnFunction>,
    /// The function whose body is checked without arguments.
    pub(super) outlined: Option<String>,
    /// Warnings about the current statement.
    pub(super) warnings: Warnings,
    /// The text for a point of each named body: its frame, if that has a name.
    pub(super) bodies: HashMap<String, Option<String>>,
    /// The motors of each named actuator. A loop gives several motors the same name.
    pub(super) motors: HashMap<String, Vec<Motor>>,
    /// The numbers of the multipliers, by the full names of rows and contacts.
    pub(super) multipliers: HashMap<String, u32>,
    /// The constraints and contacts so far that have no rows because of a mistake.
    pub(super) broken_rows: HashSet<String>,
    /// The rates of the states.
    pub(super) rates: Rates,
    /// All statements, and the names in them once they were first required.
    pub(super) statements: &'e [Statement],
    mentioned: Option<HashSet<String>>,
    /// The curves through points.
    pub(super) curves: Vec<CurveEntry>,
    /// The paths of the files of data.
    pub(super) files: Vec<String>,
}

/// Warnings about single statements.
#[derive(Default)]
pub(super) struct Warnings {
    pub(super) list: Vec<Warning>,
    /// Pairs of message and place that were reported, because a loop repeats them.
    pub(super) said: HashSet<(String, &'static str)>,
}

/// A passage that is evaluated as a whole: a statement, a size or a default.
#[derive(Default)]
pub(super) struct Passage {
    /// The name of the passage in a message about the size of the system.
    subject: String,
    /// The tokens that bring symbols into the passage, in the order of the text.
    mentions: Vec<Mention>,
    /// Factors that are zero, each with the entries that the factor multiplies.
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
    /// A name of the head, or a dotted name.
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
            complete: declarations.complete,
            lacks_names: declarations.lacks_names,
            needs_integer: false,
            surplus_names: declarations.surplus_names,
            surplus_coordinates: declarations.surplus_coordinates,
            misused: declarations.misused,
            robots: declarations.robots,
            folder: declarations.folder,
            facts: None,
            errors,
            blocks: Blocks::default(),
            passage: Passage::default(),
            budget: Budget::default(),
            functions: Vec::new(),
            outlined: None,
            warnings: Warnings::default(),
            bodies: HashMap::new(),
            motors: HashMap::new(),
            multipliers: HashMap::new(),
            broken_rows: HashSet::new(),
            rates: Rates::new(declarations.names.states.len()),
            statements: &[],
            mentioned: None,
            names: declarations.names,
            curves: Vec::new(),
            files: declarations.files,
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
            files: self.files,
            folder: self.folder,
            warnings: Vec::new(),
        }
    }

    /// Begins a passage. Later questions concern this passage, until [`Evaluator::leave`] receives the returned
    /// one.
    #[must_use = "the passage around this one continues after it"]
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

    /// Notes that a name is unknown. Returns whether a declaration without a name may mean it, so that nothing is
    /// reported.
    pub(super) fn is_excused(&mut self, name: &Ident) -> bool {
        self.complete = false;
        if self.lacks_names {
            self.scope.declare_mistaken(name);
        }
        self.lacks_names
    }

    /// Returns whether a declaration whose name is missing may mean this name, which resembles no other name. The
    /// second of two declarations of one name may have been meant with it.
    pub(super) fn is_missing_name(&mut self, name: &Ident) -> bool {
        let is_missing = self.surplus_names > 0;
        if is_missing {
            self.surplus_names -= 1;
            self.scope.declare_mistaken(name);
        }
        is_missing
    }

    /// Returns whether some of these expressions could not be parsed. Then their number is unknown.
    pub(super) fn are_broken<'x>(&self, parts: impl IntoIterator<Item = &'x Expr>) -> bool {
        !self.errors.is_empty() && parts.into_iter().any(Expr::is_broken)
    }

    /// Returns whether some statement uses this name, so that its declaration is intended.
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

    /// Notes that these names, or the arrays that contain them, are used in a wrong role.
    pub(super) fn misuse(&mut self, names: impl IntoIterator<Item = String>) {
        let whole = |name: String| name.split('[').next().unwrap_or_default().to_owned();
        self.misused.extend(names.into_iter().map(whole));
    }

    /// Reports a mistake, and returns the value for it.
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

    /// The number of mentions in the passage so far. Later questions then concern only the mentions after it; 0 is
    /// the start.
    pub(super) fn mark(&self) -> usize {
        self.passage.mentions.len()
    }

    /// Notes the factors of a product that are zero while another factor depends on the motion.
    pub(super) fn note_zero_factors<'x>(
        &mut self,
        factors: impl Iterator<Item = (&'x Expr, Option<&'x Value>)> + Clone,
    ) {
        let is_zero = |value: &Value| value.entries.iter().all(|entry| self.graph.is_zero(*entry));
        let known = factors.filter_map(|(expr, value)| Some((expr, value?)));
        if !known.clone().any(|(_, value)| is_zero(value)) {
            return;
        }
        let other_factors: Vec<NodeId> = known
            .clone()
            .filter(|(_, value)| !is_zero(value))
            .flat_map(|(_, value)| value.entries.clone())
            .collect();
        let moves = |entry: &NodeId| {
            self.graph
                .dependence(*entry)
                .intersects(Dependence::VELOCITY)
        };
        if !other_factors.iter().any(moves) {
            return;
        }
        let zero = known
            .filter(|(_, value)| is_zero(value))
            .map(|(expr, _)| (expr.into(), other_factors.clone()));
        self.passage.zero_factors.extend(zero);
    }

    pub(super) fn zero_factors(&self) -> &[(SpanRange, Vec<NodeId>)] {
        &self.passage.zero_factors
    }

    /// The mentions in the passage that depend on velocities.
    pub(super) fn collect_mentioned_rates(&self) -> Vec<NodeId> {
        self.passage
            .mentions
            .iter()
            .filter(|mention| mention.dependence.intersects(Dependence::VELOCITY))
            .flat_map(|mention| mention.value.entries.iter().copied())
            .collect()
    }

    /// Removes the mentions after this mark.
    pub(super) fn forget(&mut self, mark: usize) {
        self.passage.mentions.truncate(mark);
    }

    /// The first place where something that depends on symbols of this kind is written, even if it cancels.
    pub(super) fn find_first_mention(&self, kind: Dependence) -> Option<(SpanRange, Source)> {
        let first = self
            .passage
            .mentions
            .iter()
            .find(|mention| mention.dependence.intersects(kind))?;
        Some((first.place, first.source.clone()))
    }

    /// The tokens since `mark` that bring symbols of this kind into `value`. These are the first written ones that
    /// account for every symbol.
    pub(crate) fn find_culprits(
        &mut self,
        value: &Value,
        kind: Dependence,
        mark: usize,
    ) -> Vec<Culprit> {
        let symbols = self.list_symbols(kind);
        self.find_culprits_among(value, (kind, &symbols), mark)
    }

    /// [`Self::find_culprits`] for some symbols of a kind.
    pub(super) fn find_culprits_among(
        &mut self,
        value: &Value,
        (kind, symbols): (Dependence, &[Symbol]),
        mark: usize,
    ) -> Vec<Culprit> {
        if symbols.is_empty() || !value.dependence(&self.graph).intersects(kind) {
            return Vec::new();
        }
        let mut left = self.find_contained(&value.entries, symbols);
        let mut culprits = Vec::new();
        // A loop repeats the same mentions.
        let mut tested: HashSet<&[NodeId]> = HashSet::new();
        for mention in &self.passage.mentions[mark..] {
            if left.is_empty() {
                break;
            }
            if !mention.dependence.intersects(kind) || !tested.insert(&mention.value.entries) {
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

    /// The symbols that occur in the entries, with their nodes.
    pub(super) fn find_contained(
        &mut self,
        entries: &[NodeId],
        symbols: &[Symbol],
    ) -> Vec<(Symbol, NodeId)> {
        let reached = self.graph.reachable(entries);
        symbols
            .iter()
            .map(|s| (*s, self.graph.symbol(*s)))
            .filter(|(_, node)| reached.get(node.index()) == Some(&true))
            .collect()
    }

    pub(super) fn list_symbols(&self, kind: Dependence) -> Vec<Symbol> {
        let numbered = |names: &[String], symbol: fn(u32) -> Symbol| {
            (0..names.len() as u32).map(symbol).collect::<Vec<_>>()
        };
        let names = &self.names;
        let symbols = [
            numbered(&names.coordinates, Symbol::Coordinate),
            names.velocity_symbols(),
            numbered(&names.parameters, Symbol::Parameter),
            numbered(&names.states, Symbol::State),
            numbered(&names.states, Symbol::StateRate),
            numbered(&names.inputs, Symbol::Input),
            vec![Symbol::Time],
            self.multipliers
                .values()
                .copied()
                .map(Symbol::Multiplier)
                .collect(),
        ];
        symbols
            .into_iter()
            .flatten()
            .filter(|symbol| Dependence::of(*symbol).intersects(kind))
            .collect()
    }

    /// The name of an input, as messages call it.
    pub(crate) fn name_of(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Acceleration(i) => symbol_name(&self.names, Symbol::Velocity(i)),
            Symbol::StateRate(i) => symbol_name(&self.names, Symbol::State(i)),
            _ => symbol_name(&self.names, symbol),
        }
    }

    /// The value, unless an entry is a constant that overflowed.
    pub(super) fn require_finite(
        &mut self,
        place: impl Into<SpanRange>,
        value: Value,
    ) -> Option<Value> {
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

    /// The graph uses 0^-1 for a constant that it cannot hold.
    pub(super) fn is_overflow(&self, entry: NodeId) -> bool {
        match self.graph.node(entry) {
            Node::Product(factors) => {
                matches!(factors[..], [(base, -1)] if self.graph.is_zero(base))
            }
            _ => false,
        }
    }
}

/// The token to change in an expression with a forbidden dependence.
pub(crate) struct Culprit {
    pub(crate) place: SpanRange,
    pub(crate) source: Source,
    /// One of the symbols that it brings in.
    pub(crate) symbol: Symbol,
}
