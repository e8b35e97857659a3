//! The equations of motion, written out for people.

use lagrange_engine::{Dynamics, Graph, Names, NodeId, Number, Symbol};

use super::docs::{bare_name, plain_name, written_size};

/// About how many bytes of text to write.
const TEXT_BUDGET: usize = 4000;

/// A generalized force of more nodes gets a line of its own.
const SHORT: u64 = 40;

/// LaTeX is written without sharing, so that it is only for small systems.
const MAX_LATEX: u64 = 3000;

/// What the constant `EQUATIONS` holds.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) latex: String,
}

/// The energies, one equation `M a + h = Q + J^T lambda` for each coordinate, and the constraints.
pub(super) fn equations(dynamics: &Dynamics) -> Written {
    let sides = Sides::of(dynamics);
    Written {
        text: text(dynamics, &sides),
        latex: latex(dynamics, &sides),
    }
}

/// T and V, or L.
fn energies(dynamics: &Dynamics) -> Vec<(&'static str, NodeId)> {
    match &dynamics.natural {
        Some(terms) => vec![("T", terms.kinetic), ("V", terms.potential)],
        None => vec![("L", dynamics.lagrangian)],
    }
}

/// Both sides of the equations, with symbols for the multipliers.
struct Sides<'a> {
    graph: Graph,
    names: &'a Names,
    /// The names of the constraints. Their multipliers are parameters behind those that there are.
    rows: &'a [String],
    /// M a + h.
    inertia: &'a [NodeId],
    /// Q.
    forces: &'a [NodeId],
    /// J^T lambda.
    reactions: Vec<NodeId>,
    /// Q + J^T lambda.
    right: Vec<NodeId>,
    /// What is zero: residuals of holonomic constraints, velocity levels of the others.
    zeros: Vec<NodeId>,
}

impl<'a> Sides<'a> {
    fn of(dynamics: &'a Dynamics) -> Self {
        let mut graph = dynamics.graph.clone();
        let constraints = &dynamics.constraints;
        let first = dynamics.names.parameters.len();
        let multipliers = (first..first + constraints.len()).map(|i| Symbol::Parameter(i as u32));
        let multipliers: Vec<NodeId> = multipliers.map(|symbol| graph.symbol(symbol)).collect();
        let mut reaction = |coordinate: usize| {
            let factors = multipliers.iter().enumerate();
            let terms = factors.map(|(row, multiplier)| {
                let product = graph.mul(constraints.row(row)[coordinate], *multiplier);
                (Number::ONE, product)
            });
            let terms = terms.collect();
            graph.sum(Number::ZERO, terms)
        };
        let coordinates = 0..dynamics.coordinate_count();
        let reactions: Vec<NodeId> = coordinates.map(&mut reaction).collect();
        let pairs = dynamics.generalized_forces.iter().zip(&reactions);
        let right = pairs.map(|(force, reaction)| graph.add(*force, *reaction));
        let right = right.collect();
        let nonholonomic = &constraints.velocity[constraints.residual.len()..];
        Sides {
            names: &dynamics.names,
            rows: &constraints.names,
            inertia: &dynamics.left_hand_sides,
            forces: &dynamics.generalized_forces,
            zeros: [&constraints.residual[..], nonholonomic].concat(),
            reactions,
            right,
            graph,
        }
    }

    /// The name of the constraint whose multiplier this is.
    fn row_of(&self, symbol: Symbol) -> Option<&str> {
        let Symbol::Parameter(index) = symbol else {
            return None;
        };
        let row = (index as usize).checked_sub(self.names.parameters.len())?;
        self.rows.get(row).map(String::as_str)
    }

    fn plain_name(&self, symbol: Symbol) -> String {
        match self.row_of(symbol) {
            Some(row) => format!("lambda.{row}"),
            None => plain_name(self.names, symbol),
        }
    }

    fn latex_name(&self, symbol: Symbol) -> String {
        match self.row_of(symbol) {
            Some(row) => format!("lambda_{row}"),
            None => bare_name(self.names, symbol),
        }
    }
}

fn text(dynamics: &Dynamics, sides: &Sides) -> String {
    let energies = energies(dynamics).into_iter();
    let mut lines: Vec<(String, NodeId)> = energies
        .map(|(label, root)| (label.to_owned(), root))
        .collect();
    for (coordinate, inertia) in sides.inertia.iter().enumerate() {
        let label = right_in_words(sides, coordinate, &mut lines);
        lines.push((label, *inertia));
    }
    let zeros = sides.zeros.iter();
    lines.extend(zeros.map(|root| ("0".to_owned(), *root)));
    let names = |symbol| sides.plain_name(symbol);
    sides.graph.text_of_all(&lines, &names, TEXT_BUDGET)
}

/// The text of Q + J^T lambda; where that is long, names for both, and lines that define them.
fn right_in_words(sides: &Sides, coordinate: usize, lines: &mut Vec<(String, NodeId)>) -> String {
    let total = sides.right[coordinate];
    if written_size(&sides.graph, &[total]) <= SHORT {
        let names = |symbol| sides.plain_name(symbol);
        return sides.graph.text(total, &names);
    }
    let name = &sides.names.coordinates[coordinate];
    let parts = [
        ("Q", sides.forces[coordinate]),
        ("R", sides.reactions[coordinate]),
    ];
    let parts = parts.into_iter();
    let labels = parts.filter(|(_, part)| !sides.graph.is_zero(*part));
    let labels = labels.map(|(letter, part)| {
        let label = format!("{letter}.{name}");
        lines.push((label.clone(), part));
        label
    });
    labels.collect::<Vec<String>>().join(" + ")
}

fn latex(dynamics: &Dynamics, sides: &Sides) -> String {
    let energies = energies(dynamics);
    let mut roots: Vec<NodeId> = energies.iter().map(|(_, root)| *root).collect();
    for group in [sides.inertia, &sides.right, &sides.zeros] {
        roots.extend(group);
    }
    if written_size(&sides.graph, &roots) > MAX_LATEX {
        return in_general(!sides.zeros.is_empty());
    }
    let names = |symbol| sides.latex_name(symbol);
    let latex = |root: &NodeId| sides.graph.latex(*root, &names);
    let energies = energies.iter();
    let energies = energies.map(|(label, root)| format!("{label} &= {}", latex(root)));
    let motion = sides.inertia.iter().zip(&sides.right);
    let motion = motion.map(|(inertia, right)| format!("{} &= {}", latex(inertia), latex(right)));
    let constraints = sides.zeros.iter();
    let constraints = constraints.map(|root| format!("0 &= {}", latex(root)));
    let rows: Vec<String> = energies.chain(motion).chain(constraints).collect();
    rows.join(" \\\\\n")
}

/// The form of the equations, where they are too long themselves.
fn in_general(is_constrained: bool) -> String {
    if is_constrained {
        "M(q) \\ddot{q} + h(q, \\dot{q}) &= Q + J(q)^{T} \\lambda \\\\\n\
         J(q) \\ddot{q} &= \\gamma(q, \\dot{q})"
            .to_owned()
    } else {
        r"M(q) \ddot{q} + h(q, \dot{q}) &= Q".to_owned()
    }
}
