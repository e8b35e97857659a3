//! Printing the text form.

use std::fmt;

use super::multibody::write_multibody;
use super::tokens::quote;
use crate::{ConstraintKind, Energy, Graph, Node, NodeId, Piecewise, Shape, Symbol, System};

impl fmt::Display for System {
    /// The text form for [`str::parse`]: the nodes in the system's terms, in order of ids, with labels from 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_names(f, "coordinates", &self.names.coordinates)?;
        let rotations: Vec<String> = self.names.rotations.iter().map(usize::to_string).collect();
        write_names(f, "rotations", &rotations)?;
        write_names(f, "parameters", &self.names.parameters)?;
        write_names(f, "states", &self.names.states)?;
        write_names(f, "inputs", &self.names.inputs)?;
        if let Some(time) = &self.names.time {
            writeln!(f, "time {}", quote(time))?;
        }
        let labels = write_nodes(f, &self.graph, &self.roots())?;
        let label = |id: NodeId| format!("%{}", labels[id.index()]);
        match self.energy {
            Energy::Natural { kinetic, potential } => {
                writeln!(f, "kinetic {}", label(kinetic))?;
                writeln!(f, "potential {}", label(potential))?;
            }
            Energy::Lagrangian(lagrangian) => writeln!(f, "lagrangian {}", label(lagrangian))?,
        }
        write_multibody(f, &self.graph, &self.multibody, &label)?;
        writeln!(f, "dissipation {}", label(self.dissipation))?;
        for (coordinate, force) in self.forces.iter().enumerate() {
            writeln!(f, "force {coordinate} {}", label(*force))?;
        }
        for (state, rate) in self.state_rates.iter().enumerate() {
            writeln!(f, "rate {state} {}", label(*rate))?;
        }
        for constraint in &self.constraints {
            let kind = match constraint.kind {
                ConstraintKind::Holonomic => "holonomic",
                ConstraintKind::Nonholonomic => "nonholonomic",
            };
            let residual = label(constraint.residual);
            writeln!(f, "{kind} {} {residual}", quote(&constraint.name))?;
        }
        for contact in &self.contacts {
            let gap = label(contact.gap);
            writeln!(f, "contact {} {gap}", quote(&contact.name))?;
        }
        for (number, contact) in self.contacts.iter().enumerate() {
            for slip in &contact.slips {
                writeln!(f, "slip {number} {}", label(*slip))?;
            }
            let coefficients = [
                ("friction", contact.friction),
                ("restitution", contact.restitution),
            ];
            for (keyword, coefficient) in coefficients {
                if let Some(coefficient) = coefficient {
                    writeln!(f, "{keyword} {number} {}", label(coefficient))?;
                }
            }
        }
        for joint in &self.dry_joints {
            writeln!(f, "dry_joint {} {}", joint.velocity, label(joint.limit))?;
        }
        for column in &self.multiplier_forces {
            write!(f, "multiplier_force")?;
            for entry in column {
                write!(f, " {}", label(*entry))?;
            }
            writeln!(f)?;
        }
        for output in &self.outputs {
            let shape = match output.shape {
                Shape::Scalar => "scalar".to_owned(),
                Shape::Vector(n) => format!("vector {n}"),
                Shape::Matrix(rows, columns) => format!("matrix {rows} {columns}"),
            };
            write!(f, "output {} {shape}", quote(&output.name))?;
            for entry in &output.entries {
                write!(f, " {}", label(*entry))?;
            }
            writeln!(f)?;
        }
        for (name, frame) in self.multibody.outputs() {
            writeln!(f, "output {} frame {}", quote(name), frame.index())?;
        }
        let lists = [
            ("regressor", &self.regressors),
            ("sensitivity", &self.sensitivities),
        ];
        for (keyword, lists) in lists {
            for list in lists {
                write!(f, "{keyword} {}", quote(&list.name))?;
                for parameter in &list.parameters {
                    write!(f, " {parameter}")?;
                }
                writeln!(f)?;
            }
        }
        for symmetry in &self.symmetries {
            write!(f, "symmetry {}", quote(&symmetry.name))?;
            for entry in &symmetry.along {
                write!(f, " {}", label(*entry))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl System {
    /// Every node that the system names.
    fn roots(&self) -> Vec<NodeId> {
        let mut roots = match self.energy {
            Energy::Natural { kinetic, potential } => vec![kinetic, potential],
            Energy::Lagrangian(lagrangian) => vec![lagrangian],
        };
        roots.extend(self.multibody.entries());
        roots.push(self.dissipation);
        roots.extend(&self.forces);
        roots.extend(&self.state_rates);
        roots.extend(self.multiplier_forces.iter().flatten());
        roots.extend(
            self.constraints
                .iter()
                .map(|constraint| constraint.residual),
        );
        for contact in &self.contacts {
            roots.push(contact.gap);
            roots.extend(&contact.slips);
            roots.extend(contact.friction);
            roots.extend(contact.restitution);
        }
        roots.extend(self.dry_joints.iter().map(|joint| joint.limit));
        roots.extend(self.outputs.iter().flat_map(|output| &output.entries));
        roots.extend(self.symmetries.iter().flat_map(|symmetry| &symmetry.along));
        roots
    }
}

fn write_names(f: &mut fmt::Formatter<'_>, kind: &str, names: &[String]) -> fmt::Result {
    if names.is_empty() {
        return Ok(());
    }
    write!(f, "{kind}")?;
    for name in names {
        write!(f, " {}", quote(name))?;
    }
    writeln!(f)
}

/// Writes a line for each node that a root contains; returns the label of each.
fn write_nodes(
    f: &mut fmt::Formatter<'_>,
    graph: &Graph,
    roots: &[NodeId],
) -> Result<Vec<usize>, fmt::Error> {
    let reached = graph.reachable(roots);
    let mut labels = vec![0; reached.len()];
    for (label, index) in (0..reached.len())
        .filter(|index| reached[*index])
        .enumerate()
    {
        labels[index] = label;
        write!(f, "node %{label} = ")?;
        write_operation(f, graph.node(NodeId(index as u32)), &labels)?;
        writeln!(f)?;
    }
    Ok(labels)
}

fn write_operation(f: &mut fmt::Formatter<'_>, node: &Node, labels: &[usize]) -> fmt::Result {
    let label = |id: &NodeId| labels[id.index()];
    match node {
        Node::Number(number) => write!(f, "number {number}"),
        Node::Pi => write!(f, "pi"),
        Node::Symbol(symbol) => write_symbol(f, *symbol),
        Node::Sum { constant, terms } => {
            write!(f, "sum {constant}")?;
            terms
                .iter()
                .try_for_each(|(c, term)| write!(f, " {c}*%{}", label(term)))
        }
        Node::Product(factors) => {
            write!(f, "product")?;
            factors
                .iter()
                .try_for_each(|(base, e)| write!(f, " %{}^{e}", label(base)))
        }
        Node::Unary(function, x) => write!(f, "{} %{}", function.name(), label(x)),
        Node::Binary(function, x, y) => {
            write!(f, "{} %{} %{}", function.name(), label(x), label(y))
        }
        Node::Curve { of, x, controls } => {
            write_curve(f, of)?;
            std::iter::once(x)
                .chain(controls)
                .map(label)
                .try_for_each(|label| write!(f, " %{label}"))
        }
        Node::Select {
            comparison,
            sides: [left, right],
            then,
            otherwise,
        } => {
            let comparison = comparison.symbol();
            write!(f, "if %{} {comparison} %{}", label(left), label(right))?;
            write!(f, " %{} %{}", label(then), label(otherwise))
        }
    }
}

/// `curve spline 1 uniform 2 0.0 1.0 12 ..`: kind, order, spacing, breaks and coefficients, each after their number.
fn write_curve(f: &mut fmt::Formatter<'_>, of: &Piecewise) -> fmt::Result {
    let curve = &of.curve;
    let spacing = if curve.is_uniform() {
        "uniform"
    } else {
        "free"
    };
    write!(f, "curve {} {} {spacing}", curve.kind().name(), of.order)?;
    let mut write_numbers = |numbers: &[f64]| {
        write!(f, " {}", numbers.len())?;
        numbers
            .iter()
            .try_for_each(|number| write!(f, " {number:?}"))
    };
    write_numbers(curve.breaks())?;
    write_numbers(&curve.pieces().concat())
}

fn write_symbol(f: &mut fmt::Formatter<'_>, symbol: Symbol) -> fmt::Result {
    match symbol {
        Symbol::Coordinate(i) => write!(f, "coordinate {i}"),
        Symbol::Velocity(i) => write!(f, "velocity {i}"),
        // Accelerations, multipliers, momenta and weights do not occur in a system, so they are not read back.
        Symbol::Acceleration(i) => write!(f, "acceleration {i}"),
        Symbol::Parameter(i) => write!(f, "parameter {i}"),
        Symbol::State(i) => write!(f, "state {i}"),
        Symbol::StateRate(i) => write!(f, "state_rate {i}"),
        Symbol::Input(i) => write!(f, "input {i}"),
        Symbol::Time => write!(f, "time"),
        Symbol::Multiplier(i) => write!(f, "multiplier {i}"),
        Symbol::Momentum(i) => write!(f, "momentum {i}"),
        Symbol::Weight(i) => write!(f, "weight {i}"),
    }
}
