//! The stable text form of a [`System`]: one line for each declaration, node and term.
//!
//! ```text
//! # a pendulum
//! coordinates theta att.x att.y att.z att.w
//! rotations 1                     the first of each rotation's four coordinates; before nodes
//! parameters m l "r[0]"
//! states z
//! inputs u
//! time t
//! node %0 = coordinate 0          velocity, parameter, state, state_rate and input alike; time; pi; number -1/2
//! node %1 = velocity 0
//! node %2 = product %0^2 %1^-1
//! node %3 = sum 1/2 -1*%2 3*%1    the constant first
//! node %4 = sin %3                any function of one or two arguments, by its name
//! node %5 = if %0 <= %1 %3 %4     < <= == !=, then both branches
//! kinetic %3
//! potential %4                    or `lagrangian %4` alone; of all but bodies
//! frame 0 translate %2 %3 %4      the first frame: behind the world, which is 0, by a vector
//! frame 1 turn %5 %6 %7 %0        about an axis, by an angle
//! frame 2 orient %0 %1 ..         by a matrix of 9 entries, row by row
//! frame 0 attitude 1              by the rotation of the coordinates from 1 on
//! body 2 %3 %4 %5 %6 %0 ..        frame, mass and place, and 9 entries of inertia unless it is 0
//! gravity %5 %5 %6                the acceleration
//! dissipation %5
//! force 0 %5                      the force along velocity 0
//! rate 0 %5                       the rate of state 0
//! holonomic rod %3                the residual, which is 0; `nonholonomic` alike
//! contact heel %3                 the gap, which is not negative
//! slip 0 %4                       a sliding velocity of contact 0, then the other one
//! friction 0 %4                   the coefficient of contact 0; restitution alike
//! dry_joint 1 %4                  the bound of the dry friction of velocity 1
//! output height scalar %4         vector n, matrix r c
//! output hand frame 3             the motion of a frame
//! regressor identify 0 3 4        the numbers of the parameters
//! sensitivity by_mass 0 3         the same
//! symmetry angular %0 %5          along each velocity
//! ```
//!
//! Labels are numbers in any order, defined before use. Nodes go through the smart constructors, so a text may be
//! printed simpler than it was written, but does not change after that.

mod dump;
mod error;
mod multibody;
mod nodes;
mod tokens;

pub use error::{ParseError, ParseErrorKind};

use std::collections::HashMap;
use std::str::FromStr;

use crate::{
    Constraint, ConstraintKind, Contact, DryJoint, Energy, Graph, Multibody, Names, NodeId, Output,
    ParameterList, Shape, Symmetry, System,
};
use tokens::{integer, label, split};

type Result<T> = std::result::Result<T, ParseErrorKind>;

impl FromStr for System {
    type Err = ParseError;

    /// Reads the text form. Omitted parts are 0.
    ///
    /// ```
    /// use lagrange_engine::System;
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let system: System = text.parse().unwrap();
    /// assert_eq!(system.names.coordinates, ["x"]);
    /// let error = "node %0 = sin %7".parse::<System>().unwrap_err();
    /// assert_eq!(error.to_string(), "line 1: `%7` is not defined");
    /// ```
    fn from_str(text: &str) -> std::result::Result<Self, ParseError> {
        let mut parser = Parser::default();
        let mut last = 0;
        for (index, line) in text.lines().enumerate() {
            last = index + 1;
            let located = |kind| ParseError { line: last, kind };
            parser.parse_line(line).map_err(located)?;
        }
        parser
            .finish()
            .map_err(|kind| ParseError { line: last, kind })
    }
}

/// The content read so far.
#[derive(Default)]
struct Parser {
    graph: Graph,
    names: Names,
    labels: HashMap<u32, NodeId>,
    kinetic: Option<NodeId>,
    potential: Option<NodeId>,
    lagrangian: Option<NodeId>,
    multibody: Multibody,
    dissipation: Option<NodeId>,
    forces: HashMap<u32, NodeId>,
    state_rates: HashMap<u32, NodeId>,
    multiplier_forces: Vec<Vec<NodeId>>,
    constraints: Vec<Constraint>,
    contacts: Vec<Contact>,
    dry_joints: Vec<DryJoint>,
    outputs: Vec<Output>,
    regressors: Vec<ParameterList>,
    sensitivities: Vec<ParameterList>,
    symmetries: Vec<Symmetry>,
}

impl Parser {
    fn parse_line(&mut self, line: &str) -> Result<()> {
        let tokens = split(line)?;
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let Some((keyword, arguments)) = tokens.split_first() else {
            return Ok(());
        };
        match *keyword {
            "coordinates" => declare(&mut self.names.coordinates, arguments),
            "rotations" => self.parse_rotations(arguments),
            "parameters" => declare(&mut self.names.parameters, arguments),
            "states" => declare(&mut self.names.states, arguments),
            "inputs" => declare(&mut self.names.inputs, arguments),
            "time" => {
                let [name] = take_exactly(arguments)?;
                set_once(&mut self.names.time, name.to_owned())
            }
            "node" => self.parse_node(arguments),
            "kinetic" | "potential" | "lagrangian" | "dissipation" => {
                self.parse_term(keyword, arguments)
            }
            "frame" => self.parse_frame(arguments),
            "body" => self.parse_body(arguments),
            "gravity" => self.parse_gravity(arguments),
            "force" => self.parse_force(arguments),
            "rate" => self.parse_rate(arguments),
            "holonomic" => self.parse_constraint(ConstraintKind::Holonomic, arguments),
            "nonholonomic" => self.parse_constraint(ConstraintKind::Nonholonomic, arguments),
            "contact" => self.parse_contact(arguments),
            "slip" | "friction" | "restitution" => self.parse_part_of_contact(keyword, arguments),
            "dry_joint" => self.parse_dry_joint(arguments),
            "multiplier_force" => {
                let entries = arguments
                    .iter()
                    .map(|token| self.parse_child(token))
                    .collect::<Result<Vec<NodeId>>>()?;
                self.multiplier_forces.push(entries);
                Ok(())
            }
            "output" => self.parse_output(arguments),
            "regressor" => {
                let list = self.parse_parameter_list(arguments)?;
                self.regressors.push(list);
                Ok(())
            }
            "sensitivity" => {
                let list = self.parse_parameter_list(arguments)?;
                self.sensitivities.push(list);
                Ok(())
            }
            "symmetry" => self.parse_symmetry(arguments),
            other => Err(ParseErrorKind::UnknownKeyword(other.to_owned())),
        }
    }

    fn parse_rotations(&mut self, tokens: &[&str]) -> Result<()> {
        if !self.names.rotations.is_empty() {
            return Err(ParseErrorKind::Repeated);
        }
        // The meaning of velocities depends on them.
        if !self.labels.is_empty() || self.multibody.frames().is_some() {
            return Err(ParseErrorKind::Late);
        }
        let mut free = 0;
        for token in tokens {
            let first = integer::<u32>(token)? as usize;
            if first < free {
                return Err(ParseErrorKind::Malformed);
            }
            free = first.saturating_add(4);
            if free > self.names.coordinates.len() {
                return Err(ParseErrorKind::UndeclaredSymbol);
            }
            self.names.rotations.push(first);
        }
        Ok(())
    }

    fn parse_force(&mut self, arguments: &[&str]) -> Result<()> {
        let [coordinate, force] = take_exactly(arguments)?;
        let coordinate = integer::<u32>(coordinate)?;
        if coordinate as usize >= self.names.velocity_count() {
            return Err(ParseErrorKind::UndeclaredSymbol);
        }
        let force = self.parse_child(force)?;
        match self.forces.insert(coordinate, force) {
            Some(_) => Err(ParseErrorKind::Repeated),
            None => Ok(()),
        }
    }

    fn parse_rate(&mut self, arguments: &[&str]) -> Result<()> {
        let [state, rate] = take_exactly(arguments)?;
        let state = integer::<u32>(state)?;
        if state as usize >= self.names.states.len() {
            return Err(ParseErrorKind::UndeclaredSymbol);
        }
        let rate = self.parse_child(rate)?;
        match self.state_rates.insert(state, rate) {
            Some(_) => Err(ParseErrorKind::Repeated),
            None => Ok(()),
        }
    }

    fn parse_constraint(&mut self, kind: ConstraintKind, arguments: &[&str]) -> Result<()> {
        let [name, residual] = take_exactly(arguments)?;
        let residual = self.parse_child(residual)?;
        self.constraints.push(Constraint {
            name: name.to_owned(),
            kind,
            residual,
        });
        Ok(())
    }

    fn parse_contact(&mut self, arguments: &[&str]) -> Result<()> {
        let [name, gap] = take_exactly(arguments)?;
        let gap = self.parse_child(gap)?;
        self.contacts.push(Contact::new(name, gap));
        Ok(())
    }

    fn parse_part_of_contact(&mut self, keyword: &str, arguments: &[&str]) -> Result<()> {
        let [contact, part] = take_exactly(arguments)?;
        let part = self.parse_child(part)?;
        let contact = self
            .contacts
            .get_mut(integer::<u32>(contact)? as usize)
            .ok_or(ParseErrorKind::UndeclaredSymbol)?;
        match keyword {
            "friction" => set_once(&mut contact.friction, part),
            "restitution" => set_once(&mut contact.restitution, part),
            _ if contact.slips.len() < 2 => {
                contact.slips.push(part);
                Ok(())
            }
            _ => Err(ParseErrorKind::Repeated),
        }
    }

    fn parse_dry_joint(&mut self, arguments: &[&str]) -> Result<()> {
        let [velocity, limit] = take_exactly(arguments)?;
        let velocity = integer::<u32>(velocity)? as usize;
        if velocity >= self.names.velocity_count() {
            return Err(ParseErrorKind::UndeclaredSymbol);
        }
        if self
            .dry_joints
            .iter()
            .any(|joint| joint.velocity == velocity)
        {
            return Err(ParseErrorKind::Repeated);
        }
        let limit = self.parse_child(limit)?;
        self.dry_joints.push(DryJoint { velocity, limit });
        Ok(())
    }

    fn parse_output(&mut self, arguments: &[&str]) -> Result<()> {
        if let [name, "frame", frame] = arguments {
            return self.parse_output_frame(name, frame);
        }
        let (name, shape, entries) = match arguments {
            [name, "scalar", entries @ ..] => (name, Shape::Scalar, entries),
            [name, "vector", n, entries @ ..] => (name, Shape::Vector(integer(n)?), entries),
            [name, "matrix", rows, columns, entries @ ..] => {
                let shape = Shape::Matrix(integer(rows)?, integer(columns)?);
                (name, shape, entries)
            }
            _ => return Err(ParseErrorKind::Malformed),
        };
        let fits = match shape {
            Shape::Scalar => entries.len() == 1,
            Shape::Vector(n) => entries.len() == n,
            Shape::Matrix(rows, columns) => rows.checked_mul(columns) == Some(entries.len()),
        };
        if !fits {
            return Err(ParseErrorKind::WrongCount);
        }
        let entries: Result<Vec<NodeId>> = entries
            .iter()
            .map(|entry| self.parse_child(entry))
            .collect();
        self.outputs.push(Output {
            name: (*name).to_owned(),
            shape,
            entries: entries?,
        });
        Ok(())
    }

    fn parse_parameter_list(&self, arguments: &[&str]) -> Result<ParameterList> {
        let (name, numbers) = arguments.split_first().ok_or(ParseErrorKind::WrongCount)?;
        let parameters: Result<Vec<u32>> = numbers.iter().map(|number| integer(number)).collect();
        let parameters = parameters?;
        let declared = self.names.parameters.len();
        if parameters.iter().any(|number| *number as usize >= declared) {
            return Err(ParseErrorKind::UndeclaredSymbol);
        }
        Ok(ParameterList {
            name: (*name).to_owned(),
            parameters,
        })
    }

    fn parse_symmetry(&mut self, arguments: &[&str]) -> Result<()> {
        let (name, along) = arguments.split_first().ok_or(ParseErrorKind::WrongCount)?;
        let along: Result<Vec<NodeId>> =
            along.iter().map(|entry| self.parse_child(entry)).collect();
        let along = along?;
        if along.len() != self.names.velocity_count() {
            return Err(ParseErrorKind::WrongCount);
        }
        self.symmetries.push(Symmetry {
            name: (*name).to_owned(),
            along,
        });
        Ok(())
    }

    fn parse_term(&mut self, keyword: &str, arguments: &[&str]) -> Result<()> {
        let [node] = take_exactly(arguments)?;
        let node = self.parse_child(node)?;
        let place = match keyword {
            "kinetic" => &mut self.kinetic,
            "potential" => &mut self.potential,
            "lagrangian" => &mut self.lagrangian,
            _ => &mut self.dissipation,
        };
        set_once(place, node)
    }

    fn parse_child(&self, token: &str) -> Result<NodeId> {
        let name = label(token)?;
        self.labels
            .get(&name)
            .copied()
            .ok_or_else(|| ParseErrorKind::UndefinedLabel(token.to_owned()))
    }

    fn finish(mut self) -> Result<System> {
        let zero = self.graph.integer(0);
        let energy = match (self.lagrangian, self.kinetic, self.potential) {
            (Some(lagrangian), None, None) => Energy::Lagrangian(lagrangian),
            (Some(_), _, _) => return Err(ParseErrorKind::TwoEnergies),
            (None, None, None) if self.multibody.bodies().is_empty() => {
                return Err(ParseErrorKind::NoEnergy);
            }
            (None, kinetic, potential) => Energy::Natural {
                kinetic: kinetic.unwrap_or(zero),
                potential: potential.unwrap_or(zero),
            },
        };
        let state_rates = (0..self.names.states.len() as u32)
            .map(|i| self.state_rates.get(&i).copied().unwrap_or(zero));
        let forces = (0..self.names.velocity_count() as u32)
            .map(|i| self.forces.get(&i).copied().unwrap_or(zero));
        Ok(System {
            energy,
            multibody: self.multibody,
            dissipation: self.dissipation.unwrap_or(zero),
            forces: forces.collect(),
            state_rates: state_rates.collect(),
            multiplier_forces: self.multiplier_forces,
            graph: self.graph,
            names: self.names,
            constraints: self.constraints,
            contacts: self.contacts,
            dry_joints: self.dry_joints,
            outputs: self.outputs,
            regressors: self.regressors,
            sensitivities: self.sensitivities,
            symmetries: self.symmetries,
        })
    }
}

fn declare(names: &mut Vec<String>, tokens: &[&str]) -> Result<()> {
    if !names.is_empty() {
        return Err(ParseErrorKind::Repeated);
    }
    *names = tokens.iter().map(|name| (*name).to_owned()).collect();
    Ok(())
}

fn set_once<T>(place: &mut Option<T>, value: T) -> Result<()> {
    match place.replace(value) {
        Some(_) => Err(ParseErrorKind::Repeated),
        None => Ok(()),
    }
}

fn take_exactly<'a, const N: usize>(tokens: &[&'a str]) -> Result<[&'a str; N]> {
    tokens.try_into().map_err(|_| ParseErrorKind::WrongCount)
}
