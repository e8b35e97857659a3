//! The rates of states: `der(z) = e;`, and the places that read them.
//!
//! `der(z)` is a symbol while statements are evaluated, so that `D` can hold it. At the end the rate takes the place of
//! the symbol, except in `D` (`state_rates.rs`).

use lagrange_engine::{Dependence, Node, NodeId, Shape, Symbol};
use proc_macro2::{Ident, Span};

use super::access::Target;
use super::evaluator::Evaluator;
use super::lowering::Lowering;
use super::scope::BindingKind;
use super::units::entry_of;
use super::value::{Value, in_words};
use crate::errors::Code;
use crate::suggest;
use crate::suggest::derivatives::equation_of_rate;
use crate::syntax::ast::{AssignOp, Expr, Part, text};
use crate::units::{Factor, Side};

impl Lowering<'_> {
    /// `der(z) = e;`
    pub(super) fn lower_rate(
        &mut self,
        (name, part): (&Ident, Option<&Part>),
        (op, op_span): (AssignOp, Span),
        expr: &Expr,
    ) {
        let evaluator = &mut self.evaluator;
        let target = evaluator.find_state(name, part);
        let value = evaluator.evaluate(expr);
        let Some(Target {
            velocities: states,
            shape,
        }) = target
        else {
            // The statement may have meant any state.
            self.all_known = false;
            return;
        };
        if op != AssignOp::Set {
            let message = format!(
                "the rate of a state is given by `=`, in one statement\n\nhelp: write `der({name}) = ..;`"
            );
            evaluator.errors.error(op_span, Code::RateTwice, message);
        }
        let mut is_second = false;
        for state in &states {
            if let Some(rate) = evaluator.rates.by_state.get_mut(*state) {
                is_second |= std::mem::replace(&mut rate.is_given, true);
            }
        }
        if is_second && op == AssignOp::Set {
            let message = format!(
                "the rate of `{name}` is given twice\n\n\
                 help: remove one of them, or write their sum in one statement"
            );
            evaluator.errors.error(name, Code::RateTwice, message);
            return;
        }
        let Some(value) = value else { return };
        if value.shape != shape {
            let of = if part.is_some() { "this part of " } else { "" };
            let (is, actual) = (in_words(shape), in_words(value.shape));
            let help = match shape {
                Shape::Vector(_) => format!("write {is}, or `der({name}[0]) = ..;` for one entry"),
                _ => format!("write {is}"),
            };
            let message = format!(
                "mismatched shapes: {of}`{name}` is {is}, its rate {actual}\n\nhelp: {help}"
            );
            evaluator.errors.error(expr, Code::UnequalShapes, message);
            return;
        }
        let sound = evaluator.refuse_multipliers(0, &value.entries, "the rate of a state");
        if sound.is_none() {
            return;
        }
        let count = value.entries.len();
        for (index, (state, entry)) in states.into_iter().zip(value.entries).enumerate() {
            evaluator.note_rate(entry_of(expr, index, count), state, entry);
            if let Some(rate) = evaluator.rates.by_state.get_mut(state) {
                rate.value = Some(entry);
            }
        }
    }

    /// Reports the rates that are read before they are given. A rate that is never given is reported at its state.
    pub(super) fn refuse_early_rates(&mut self) {
        let evaluator = &mut self.evaluator;
        let early = std::mem::take(&mut evaluator.rates.early);
        let mut in_circles: Vec<u32> = Vec::new();
        for (place, state) in early {
            let rates = &evaluator.rates;
            let is_given = rates
                .by_state
                .get(state as usize)
                .is_some_and(|rate| rate.is_given);
            if !is_given || in_circles.contains(&state) {
                continue;
            }
            let name = |state: u32| format!("der({})", evaluator.name_of(Symbol::State(state)));
            let next = rates.read_by(&evaluator.graph, state);
            let circle = next
                .into_iter()
                .filter_map(|next| rates.chain(&evaluator.graph, next, &|end| end == state))
                .min_by_key(Vec::len);
            let (code, message) = match &circle {
                Some(circle) => {
                    let names: Vec<String> = circle.iter().map(|state| name(*state)).collect();
                    let reads = names
                        .iter()
                        .enumerate()
                        .map(|(at, name)| match at {
                            0 => format!("reads `{name}`"),
                            _ => format!("which reads `{name}`"),
                        })
                        .collect::<Vec<String>>()
                        .join(", ");
                    let message = format!(
                        "`{}` needs itself: it {reads}\n\n\
                         help: solve these equations for the rates, so that no rate reads itself",
                        name(state)
                    );
                    (Code::RateCircle, message)
                }
                None => {
                    let name = name(state);
                    let message = format!(
                        "`{name}` is read above its rate\n\nhelp: move `{name} = ..;` up to before this"
                    );
                    (Code::OutOfSight, message)
                }
            };
            in_circles.extend(circle.into_iter().flatten());
            self.terms_known = false;
            evaluator.errors.error(place, code, message);
        }
    }
}

impl Evaluator<'_> {
    /// The elements of a state, or of a part of it, whose rate a statement gives.
    fn find_state(&mut self, name: &Ident, part: Option<&Part>) -> Option<Target> {
        let written = text(name);
        let Some(binding) = self.scope.find_mut(name) else {
            return self.refuse_unknown_state(name, &written);
        };
        binding.read = true;
        let kind = binding.kind;
        if let BindingKind::State(first) = kind {
            let shape = binding.value.as_ref()?.shape;
            let parts = part.map_or(&[][..], Part::all);
            return self.narrow(Target::whole(first, shape), parts);
        }
        if binding.is_mistaken() {
            return None;
        }
        self.misused.push(written.clone());
        let help = match kind {
            BindingKind::Coordinate(_) => equation_of_rate(&written),
            BindingKind::Rotation(..) | BindingKind::Robot(_) => {
                "its motion follows from the energies and forces: remove this statement".to_owned()
            }
            BindingKind::Parameter | BindingKind::Input => {
                format!("a quantity with a rate is a state: declare `{written}: state`")
            }
            _ => "only a state has a rate that is given: declare `z: state`".to_owned(),
        };
        let is = kind.in_words();
        let message = format!("`{written}` is {is}, and its rate cannot be given\n\nhelp: {help}");
        self.refuse(name, Code::RateTarget, message)
    }

    fn refuse_unknown_state<T>(&mut self, name: &Ident, written: &str) -> Option<T> {
        if self.is_excused(name) {
            return None;
        }
        let states = self
            .scope
            .names(|kind| matches!(kind, BindingKind::State(_)));
        let nearest = suggest::nearest(written, states.iter().map(String::as_str));
        let help = match nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("declare it among the fields: `{written}: state`"),
        };
        if !nearest.is_some_and(|nearest| self.is_mentioned(nearest)) {
            self.scope.declare_unknown(name);
        }
        let message = format!("unknown state `{written}`\n\nhelp: {help}");
        self.refuse(name, Code::UnknownName, message)
    }

    /// The rates of the states in a value, for its derivative by time. Notes those that are not given yet.
    pub(super) fn follow_states(&mut self, value: &Value, mark: usize) -> Vec<(Symbol, NodeId)> {
        let kind = Dependence::STATE;
        if !value.dependence(&self.graph).intersects(kind) {
            return Vec::new();
        }
        let symbols = self.list_symbols(kind);
        let contained = self.find_contained(&value.entries, &symbols);
        let mut missing = Vec::new();
        let mut along = Vec::new();
        for (symbol, _) in contained {
            let Symbol::State(state) = symbol else {
                continue;
            };
            let rate = self.rates.by_state.get(state as usize);
            if !rate.is_some_and(|rate| rate.is_given) {
                missing.push(symbol);
            }
            along.push((symbol, self.graph.symbol(Symbol::StateRate(state))));
        }
        for culprit in self.find_culprits_among(value, (kind, &missing), mark) {
            if let Symbol::State(state) = culprit.symbol {
                self.rates.early.push((culprit.place, state));
            }
        }
        along
    }

    /// Reports the rate of a rate since `mark`.
    pub(super) fn refuse_second_rates(&mut self, value: &Value, mark: usize) -> Option<()> {
        let mut rates = self.list_symbols(Dependence::STATE);
        rates.retain(|symbol| matches!(symbol, Symbol::StateRate(_)));
        let culprits = self.find_culprits_among(value, (Dependence::STATE, &rates), mark);
        let mut sound = Some(());
        for culprit in culprits {
            let name = self.name_of(culprit.symbol);
            let message = format!(
                "`der` of the rate `der({name})`\n\n\
                 help: only the rates of states are given, not their second derivatives: declare a state for the rate"
            );
            sound = self.refuse(culprit.place, Code::MisplacedState, message);
            // Where its rate is not given yet, the first derivative has been noted.
            let early = &mut self.rates.early;
            early.pop_if(|(_, state)| Symbol::StateRate(*state) == culprit.symbol);
        }
        sound
    }

    /// The input that the rate of a state reads, through other rates too: "it reads `der(i)`, which reads the input `u`".
    pub(super) fn find_chain_to_input(&self, state: u32) -> Option<String> {
        let input = |state: u32| {
            let value = self.rates.by_state.get(state as usize)?.value?;
            let reached = self.graph.reachable(&[value]);
            self.graph
                .since(0)
                .zip(reached)
                .filter(|(_, is_in)| *is_in)
                .find_map(|(id, _)| match self.graph.node(id) {
                    Node::Symbol(symbol @ Symbol::Input(_)) => Some(self.name_of(*symbol)),
                    _ => None,
                })
        };
        let chain = self
            .rates
            .chain(&self.graph, state, &|end| input(end).is_some())?;
        let between: String = chain
            .iter()
            .skip(1)
            .map(|state| {
                let name = self.name_of(Symbol::State(*state));
                format!("reads `der({name})`, which ")
            })
            .collect();
        let last = input(*chain.last()?)?;
        Some(format!("it {between}reads the input `{last}`"))
    }

    /// A rate has the unit of its state per second.
    fn note_rate(&mut self, expr: &Expr, state: usize, entry: NodeId) {
        if self.facts.is_none() {
            return;
        }
        let symbol = Symbol::State(state as u32);
        let name = self.name_of(symbol);
        let node = self.graph.symbol(symbol);
        let factors = vec![(Factor::Node(node), 1), (Factor::Second, -1)];
        let expected = Side::new(factors, format!("the rate of `{name}`"));
        self.note_unit(expr, &[entry], &expected);
    }
}
