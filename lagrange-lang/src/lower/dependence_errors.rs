//! Errors about forbidden dependence: the tokens to change in an expression.

use lagrange_engine::{Dependence, NodeId, Symbol};

use super::evaluator::{Culprit, Evaluator, Source};
use super::scope::BindingKind;
use super::value::Value;
use crate::errors::Code;
use crate::suggest::derivatives::{Derivative, derivative};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Forbidden {
    Velocity,
    Input,
    /// A state or its rate.
    State,
    /// The rate of a state.
    StateRate,
}

/// The symbols that a position may not depend on.
pub(super) const POSITIONAL: [Forbidden; 3] =
    [Forbidden::Velocity, Forbidden::Input, Forbidden::State];
/// The symbols that a potential may not depend on.
pub(super) const POTENTIAL: [Forbidden; 3] =
    [Forbidden::Input, Forbidden::Velocity, Forbidden::StateRate];
/// The symbols that a term with velocities may not depend on, unless it is a force.
pub(super) const CONSERVATIVE: [Forbidden; 2] = [Forbidden::Input, Forbidden::State];

impl Evaluator<'_> {
    /// Reports each token since `mark` that brings in a forbidden symbol; `place_in_words` names the enclosing
    /// part.
    pub(super) fn refuse_dependence(
        &mut self,
        mark: usize,
        entries: &[NodeId],
        forbidden: &[Forbidden],
        place_in_words: &str,
    ) -> Option<()> {
        let value = Value::vector(entries.to_vec());
        let mut sound = Some(());
        for forbidden in forbidden {
            let kind = match forbidden {
                Forbidden::Velocity => Dependence::VELOCITY,
                Forbidden::Input => Dependence::INPUT,
                Forbidden::State | Forbidden::StateRate => Dependence::STATE,
            };
            let mut symbols = self.list_symbols(kind);
            if *forbidden == Forbidden::StateRate {
                symbols.retain(|symbol| matches!(symbol, Symbol::StateRate(_)));
            }
            for culprit in self.find_culprits_among(&value, (kind, &symbols), mark) {
                let (code, message) = match forbidden {
                    Forbidden::Velocity => (
                        Code::MisplacedVelocity,
                        write_velocity_message(
                            &culprit,
                            &self.name_of(culprit.symbol),
                            place_in_words,
                        ),
                    ),
                    Forbidden::Input => (
                        Code::MisplacedInput,
                        self.write_input_message(&culprit, place_in_words),
                    ),
                    Forbidden::State | Forbidden::StateRate => (
                        Code::MisplacedState,
                        self.write_state_message(&culprit, place_in_words),
                    ),
                };
                sound = self.refuse(culprit.place, code, message);
            }
        }
        sound.and(self.refuse_multipliers(mark, entries, place_in_words))
    }

    fn write_state_message(&mut self, culprit: &Culprit, place: &str) -> String {
        let state = self.name_of(culprit.symbol);
        self.misuse([state.clone()]);
        let (symbol, chain) = match culprit.symbol {
            Symbol::StateRate(number) => (
                format!("the rate `der({state})`"),
                self.find_chain_to_input(number)
                    .map_or_else(String::new, |chain| format!(": {chain}")),
            ),
            _ => (format!("the state `{state}`"), String::new()),
        };
        let what = match &culprit.source {
            Source::Let(name) => format!("`{name}` depends on {symbol}, which"),
            Source::Declared(_) | Source::Derivative => symbol,
        };
        let help = match (culprit.symbol, place) {
            (Symbol::StateRate(_), "`V`") => "give its force by `Q.x = ..;` or `force F at p;`".to_owned(),
            (_, "`T`") => format!(
                "a state has no inertia: a quantity that has one is `{state}: coordinate`"
            ),
            (_, "`L`") => {
                "give `T` and `V`: states may occur in `V`, and in forces".to_owned()
            }
            _ => "states may occur in `V`, `D`, `Q`, `force`, `torque`, springs, rates of states and outputs only"
                .to_owned(),
        };
        format!("{what} may not occur in {place}{chain}\n\nhelp: {help}")
    }

    fn write_input_message(&mut self, culprit: &Culprit, place: &str) -> String {
        let input = self.name_of(culprit.symbol);
        self.misuse([input.clone()]);
        let what = match &culprit.source {
            Source::Let(name) => format!("`{name}` depends on the input `{input}`, which"),
            Source::Declared(_) | Source::Derivative => format!("the input `{input}`"),
        };
        let coordinates = self
            .scope
            .names(|kind| matches!(kind, BindingKind::Coordinate(_)));
        let velocity = derivative(&input, coordinates.iter().map(String::as_str));
        let help = match (velocity, place) {
            (Some(Derivative { of, order: 1 }), _) => {
                format!("the velocity of `{of}` is `der({of})`: remove the input")
            }
            (
                _,
                "a constraint"
                | "a contact"
                | "`slip` of a contact"
                | "the pose of a frame"
                | "the position of a body",
            ) => format!(
                "a motion given in time is a function of it: declare `t: time` and write for example \
                 `{input}_0 * sin(t)`; inputs may occur in `Q`, `force`, `torque`, `D`, and outputs only"
            ),
            (_, "`V`" | "`L`" | "`T`") => {
                let first = coordinates.first().map_or("x", String::as_str);
                format!(
                    "give its force by `Q.{first} = ..;` or `force F at p;`; a motion given in time is a function of time: declare `t: time`"
                )
            }
            _ => "inputs may occur in `Q`, `force`, `torque`, `D`, and outputs only".to_owned(),
        };
        format!("{what} may not occur in {place}\n\nhelp: {help}")
    }
}

pub(super) fn write_velocity_message(culprit: &Culprit, velocity: &str, place: &str) -> String {
    let what = match &culprit.source {
        Source::Let(name) => format!("`{name}` contains a velocity"),
        Source::Declared(_) | Source::Derivative => "velocity".to_owned(),
    };
    let rule = "depends on positions and time only";
    let help = match place {
        "`V`" => format!(
            "\n\nhelp: a damping is `D = c * {velocity}^2 / 2;`, a potential of velocities belongs to the whole \
             Lagrangian, `L = ..;`"
        ),
        "a contact" => {
            "\n\nhelp: write the gap alone: its rate is the method `gap_rates`".to_owned()
        }
        "`coulomb` of an actuator" => {
            "\n\nhelp: add `smooth: ..`: a friction that does not stick may depend on velocities"
                .to_owned()
        }
        "a `holonomic` constraint" => {
            "\n\nhelp: use `nonholonomic` for a constraint on velocities".to_owned()
        }
        _ => String::new(),
    };
    format!("{what}: {place} {rule}{help}")
}
