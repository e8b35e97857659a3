//! `der`: the total time derivative.

use lagrange_engine::{Dependence, Node, Symbol};
use proc_macro2::Ident;

use super::calls::Call;
use super::evaluator::{Evaluator, Source};
use super::value::Value;
use crate::errors::Code;
use crate::suggest::foreign::ACCELERATION;
use crate::syntax::ast::Expr;

impl Evaluator<'_> {
    /// d/dt along the motion: each coordinate changes with its velocity, each state with its rate, and t with rate 1.
    pub(super) fn evaluate_derivative(&mut self, call: &Call<'_>, mark: usize) -> Option<Value> {
        let value = &call.arguments[0].1;
        let entries = value.entries.clone();
        self.refuse_multipliers(mark, &entries, "`der`")?;
        let inputs = self.find_culprits(value, Dependence::INPUT, mark);
        // A time derivative of a parameter shows that the author took it for something else.
        let constants: Vec<String> = value
            .entries
            .iter()
            .filter_map(|entry| match self.graph.node(*entry) {
                Node::Symbol(symbol @ Symbol::Parameter(_)) => Some(self.name_of(*symbol)),
                _ => None,
            })
            .collect();
        self.misuse(constants);
        for culprit in &inputs {
            let input = self.name_of(culprit.symbol);
            self.misuse([input.clone()]);
            let message = match &culprit.source {
                Source::Let(name) => {
                    format!("`der` of `{name}`, which depends on the input `{input}`")
                }
                Source::Declared(_) | Source::Derivative => {
                    format!("`der` of the input `{input}`")
                }
            };
            let help = "help: an input is given at each instant, and its rate can be another input";
            let message = format!("{message}\n\n{help}");
            self.errors.error(culprit.place, Code::RateOfInput, message);
        }
        if value
            .dependence(&self.graph)
            .intersects(Dependence::VELOCITY)
        {
            let message = format!(
                "acceleration: `der` of an expression that contains velocities\n\nhelp: {ACCELERATION}"
            );
            return self.refuse(call.name, Code::Acceleration, message);
        }
        if !inputs.is_empty() {
            return None;
        }
        self.refuse_second_rates(value, mark)?;
        let rate = self.differentiate(value, mark);
        self.mention(call.name.span(), Source::Derivative, &rate);
        Some(rate)
    }

    /// `der(att)`, `der(att[i])`: the angular velocity of a rotation, in the rotated axes. An array has one row per
    /// rotation. `None` if `of` is not a rotation.
    pub(super) fn find_rates_of_rotation(
        &mut self,
        function: &Ident,
        of: &Expr,
    ) -> Option<Option<Value>> {
        if let Some(rates) = self.find_rates_of_robot(function, of) {
            return Some(Some(rates));
        }
        let rotations = self.find_rotations(of)?;
        let rates = rotations.and_then(|rotations| rotations.rates());
        if let Some(rates) = &rates {
            self.mention(function.span(), Source::Derivative, rates);
        }
        Some(rates)
    }

    /// d/dt of a value of positions, states and time. `mark` is the start of its text.
    pub(super) fn differentiate(&mut self, value: &Value, mark: usize) -> Value {
        let mut direction = self.names.kinematics().along_the_motion(&mut self.graph);
        direction.extend(self.follow_states(value, mark));
        Value {
            shape: value.shape,
            entries: self.graph.directional(&value.entries, &direction),
        }
    }
}
