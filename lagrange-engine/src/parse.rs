//! The stable text form of a [`System`]: one line for each declaration, node and term.
//!
//! ```text
//! # a pendulum
//! coordinates theta att.x att.y att.z att.w
//! rotations 1                     the first of each rotation's four coordinates
//! parameters m l "r[0]"
//! inputs u
//! time t
//! node %0 = coordinate 0          velocity, parameter and input alike; time; pi; number -1/2
//! node %1 = velocity 0
//! node %2 = product %0^2 %1^-1
//! node %3 = sum 1/2 -1*%2 3*%1    the constant first
//! node %4 = sin %3                any function of one or two arguments, by its name
//! node %5 = if %0 <= %1 %3 %4     < <= == !=, then both branches
//! kinetic %3
//! potential %4                    or `lagrangian %4` alone
//! dissipation %5
//! force 0 %5                      the force along velocity 0
//! holonomic rod %3                the residual, which is 0; `nonholonomic` alike
//! output height scalar %4         vector n, matrix r c
//! ```
//!
//! Labels are numbers of any order, defined before use. Nodes go through the smart constructors, so
//! that a text may be printed back simpler than it was written, but the same ever after.

mod dump;
mod error;
mod tokens;

pub use error::{ParseError, ParseErrorKind};

use std::collections::HashMap;
use std::str::FromStr;

use crate::{
    Binary, Comparison, Constraint, ConstraintKind, Energy, Graph, Names, NodeId, Number, Output,
    Shape, Symbol, System, Unary,
};
use tokens::{integer, label, number, split, split_pair};

type Result<T> = std::result::Result<T, ParseErrorKind>;

impl FromStr for System {
    type Err = ParseError;

    /// Reads the text form. What is not said is 0.
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
            parser.line(line).map_err(located)?;
        }
        parser
            .finish()
            .map_err(|kind| ParseError { line: last, kind })
    }
}

/// What has been read so far.
#[derive(Default)]
struct Parser {
    graph: Graph,
    names: Names,
    labels: HashMap<u32, NodeId>,
    kinetic: Option<NodeId>,
    potential: Option<NodeId>,
    lagrangian: Option<NodeId>,
    dissipation: Option<NodeId>,
    forces: HashMap<u32, NodeId>,
    constraints: Vec<Constraint>,
    outputs: Vec<Output>,
}

impl Parser {
    fn line(&mut self, line: &str) -> Result<()> {
        let tokens = split(line)?;
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let Some((keyword, rest)) = tokens.split_first() else {
            return Ok(());
        };
        match *keyword {
            "coordinates" => declare(&mut self.names.coordinates, rest),
            "rotations" => self.rotations(rest),
            "parameters" => declare(&mut self.names.parameters, rest),
            "inputs" => declare(&mut self.names.inputs, rest),
            "time" => {
                let [name] = exactly(rest)?;
                once(&mut self.names.time, name.to_owned())
            }
            "node" => self.node(rest),
            "kinetic" | "potential" | "lagrangian" | "dissipation" => self.term(keyword, rest),
            "force" => self.force(rest),
            "holonomic" => self.constraint(ConstraintKind::Holonomic, rest),
            "nonholonomic" => self.constraint(ConstraintKind::Nonholonomic, rest),
            "output" => self.output(rest),
            other => Err(ParseErrorKind::UnknownKeyword(other.to_owned())),
        }
    }

    fn rotations(&mut self, tokens: &[&str]) -> Result<()> {
        if !self.names.rotations.is_empty() {
            return Err(ParseErrorKind::Repeated);
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

    fn node(&mut self, tokens: &[&str]) -> Result<()> {
        let [name, "=", operation, arguments @ ..] = tokens else {
            return Err(ParseErrorKind::Malformed);
        };
        let name = label(name)?;
        if self.labels.contains_key(&name) {
            return Err(ParseErrorKind::Repeated);
        }
        let id = self.operation(operation, arguments)?;
        self.labels.insert(name, id);
        Ok(())
    }

    fn operation(&mut self, operation: &str, arguments: &[&str]) -> Result<NodeId> {
        match operation {
            "number" => {
                let [value] = exactly(arguments)?;
                Ok(self.graph.number(number(value)?))
            }
            "pi" => exactly::<0>(arguments).map(|[]| self.graph.pi()),
            "time" | "coordinate" | "velocity" | "parameter" | "input" => {
                let symbol = self.symbol(operation, arguments)?;
                Ok(self.graph.symbol(symbol))
            }
            "sum" => self.sum(arguments),
            "product" => self.product(arguments),
            "if" => self.select(arguments),
            name => self.function(name, arguments),
        }
    }

    fn symbol(&self, kind: &str, arguments: &[&str]) -> Result<Symbol> {
        if kind == "time" {
            let [] = exactly(arguments)?;
            let declared = self.names.time.is_some();
            return declared
                .then_some(Symbol::Time)
                .ok_or(ParseErrorKind::UndeclaredSymbol);
        }
        let [index] = exactly(arguments)?;
        let index = integer::<u32>(index)?;
        let names = &self.names;
        let (declared, symbol) = match kind {
            "coordinate" => (names.coordinates.len(), Symbol::Coordinate(index)),
            "velocity" => (names.velocity_count(), Symbol::Velocity(index)),
            "parameter" => (names.parameters.len(), Symbol::Parameter(index)),
            _ => (names.inputs.len(), Symbol::Input(index)),
        };
        if (index as usize) < declared {
            Ok(symbol)
        } else {
            Err(ParseErrorKind::UndeclaredSymbol)
        }
    }

    fn sum(&mut self, arguments: &[&str]) -> Result<NodeId> {
        let (constant, terms) = arguments.split_first().ok_or(ParseErrorKind::Malformed)?;
        let constant = number(constant)?;
        let term = |term: &&str| {
            let (coefficient, child) = split_pair(term, '*')?;
            Ok((number(coefficient)?, self.child(child)?))
        };
        let terms: Vec<(Number, NodeId)> = terms.iter().map(term).collect::<Result<_>>()?;
        Ok(self.graph.sum(constant, terms))
    }

    fn product(&mut self, arguments: &[&str]) -> Result<NodeId> {
        let factor = |factor: &&str| {
            let (child, exponent) = split_pair(factor, '^')?;
            Ok((self.child(child)?, integer::<i32>(exponent)?))
        };
        let factors: Vec<(NodeId, i32)> = arguments.iter().map(factor).collect::<Result<_>>()?;
        Ok(self.graph.product(factors))
    }

    fn select(&mut self, arguments: &[&str]) -> Result<NodeId> {
        let [left, comparison, right, then, otherwise] = exactly(arguments)?;
        let comparison = [
            Comparison::Less,
            Comparison::LessEqual,
            Comparison::Equal,
            Comparison::NotEqual,
        ]
        .into_iter()
        .find(|candidate| candidate.symbol() == comparison)
        .ok_or(ParseErrorKind::Malformed)?;
        let (left, right) = (self.child(left)?, self.child(right)?);
        let (then, otherwise) = (self.child(then)?, self.child(otherwise)?);
        Ok(self.graph.select(comparison, left, right, then, otherwise))
    }

    fn function(&mut self, name: &str, arguments: &[&str]) -> Result<NodeId> {
        if let Some(function) = Unary::ALL.into_iter().find(|f| f.name() == name) {
            let [x] = exactly(arguments)?;
            let x = self.child(x)?;
            return Ok(self.graph.unary(function, x));
        }
        if let Some(function) = Binary::ALL.into_iter().find(|f| f.name() == name) {
            let [x, y] = exactly(arguments)?;
            let (x, y) = (self.child(x)?, self.child(y)?);
            return Ok(self.graph.binary(function, x, y));
        }
        Err(ParseErrorKind::UnknownOperation(name.to_owned()))
    }

    fn force(&mut self, arguments: &[&str]) -> Result<()> {
        let [coordinate, force] = exactly(arguments)?;
        let coordinate = integer::<u32>(coordinate)?;
        if coordinate as usize >= self.names.velocity_count() {
            return Err(ParseErrorKind::UndeclaredSymbol);
        }
        let force = self.child(force)?;
        match self.forces.insert(coordinate, force) {
            Some(_) => Err(ParseErrorKind::Repeated),
            None => Ok(()),
        }
    }

    fn constraint(&mut self, kind: ConstraintKind, arguments: &[&str]) -> Result<()> {
        let [name, residual] = exactly(arguments)?;
        let residual = self.child(residual)?;
        self.constraints.push(Constraint {
            name: name.to_owned(),
            kind,
            residual,
        });
        Ok(())
    }

    fn output(&mut self, arguments: &[&str]) -> Result<()> {
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
        let entries: Result<Vec<NodeId>> = entries.iter().map(|entry| self.child(entry)).collect();
        self.outputs.push(Output {
            name: (*name).to_owned(),
            shape,
            entries: entries?,
        });
        Ok(())
    }

    fn term(&mut self, keyword: &str, arguments: &[&str]) -> Result<()> {
        let [node] = exactly(arguments)?;
        let node = self.child(node)?;
        let place = match keyword {
            "kinetic" => &mut self.kinetic,
            "potential" => &mut self.potential,
            "lagrangian" => &mut self.lagrangian,
            _ => &mut self.dissipation,
        };
        once(place, node)
    }

    fn child(&self, token: &str) -> Result<NodeId> {
        let name = label(token)?;
        let node = self.labels.get(&name).copied();
        node.ok_or_else(|| ParseErrorKind::UndefinedLabel(token.to_owned()))
    }

    fn finish(mut self) -> Result<System> {
        let zero = self.graph.integer(0);
        let energy = match (self.lagrangian, self.kinetic, self.potential) {
            (Some(lagrangian), None, None) => Energy::Lagrangian(lagrangian),
            (Some(_), _, _) => return Err(ParseErrorKind::TwoEnergies),
            (None, None, None) => return Err(ParseErrorKind::NoEnergy),
            (None, kinetic, potential) => Energy::Natural {
                kinetic: kinetic.unwrap_or(zero),
                potential: potential.unwrap_or(zero),
            },
        };
        let velocities = 0..self.names.velocity_count() as u32;
        let forces = velocities.map(|i| self.forces.get(&i).copied().unwrap_or(zero));
        Ok(System {
            energy,
            multibody: crate::Multibody::default(),
            dissipation: self.dissipation.unwrap_or(zero),
            forces: forces.collect(),
            graph: self.graph,
            names: self.names,
            constraints: self.constraints,
            outputs: self.outputs,
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

fn once<T>(place: &mut Option<T>, value: T) -> Result<()> {
    match place.replace(value) {
        Some(_) => Err(ParseErrorKind::Repeated),
        None => Ok(()),
    }
}

fn exactly<'a, const N: usize>(tokens: &[&'a str]) -> Result<[&'a str; N]> {
    tokens.try_into().map_err(|_| ParseErrorKind::WrongCount)
}
