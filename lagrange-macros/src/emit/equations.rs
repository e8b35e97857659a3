//! The equations of motion, written out for people.

use lagrange_engine::{Dynamics, Graph, Names, NodeId, Quantity, Symbol, Textbook};

use super::docs::symbol_name;

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
        text: text(&sides),
        latex: latex(&sides),
    }
}

/// T and V, or L.
fn energies(dynamics: &Dynamics) -> Vec<(&'static str, NodeId)> {
    let quantities: &[Quantity] = if dynamics.is_natural() {
        &[Quantity::KineticEnergy, Quantity::PotentialEnergy]
    } else {
        &[Quantity::Lagrangian]
    };
    let all = quantities.iter();
    all.flat_map(|quantity| {
        let entries = dynamics.expressions(*quantity).into_iter();
        entries.map(|entry| (quantity.symbol(), entry))
    })
    .collect()
}

/// Both sides of the equations, in the graph that holds them.
struct Sides<'a> {
    graph: Graph,
    names: &'a Names,
    /// The names of the constraints.
    rows: Vec<String>,
    energies: Vec<(&'static str, NodeId)>,
    equations: Textbook,
    /// Q + J^T lambda.
    right: Vec<NodeId>,
}

impl<'a> Sides<'a> {
    fn of(dynamics: &'a Dynamics) -> Self {
        let energies = energies(dynamics);
        let equations = dynamics.textbook();
        let mut graph = dynamics.graph().clone();
        let pairs = equations.forces.iter().zip(&equations.reactions);
        let right = pairs.map(|(force, reaction)| graph.add(*force, *reaction));
        Sides {
            names: dynamics.names(),
            rows: dynamics.constraint_names(),
            energies,
            right: right.collect(),
            equations,
            graph,
        }
    }

    /// The name of the constraint whose multiplier this is.
    fn row_of(&self, symbol: Symbol) -> Option<&str> {
        let Symbol::Multiplier(row) = symbol else {
            return None;
        };
        self.rows.get(row as usize).map(String::as_str)
    }

    fn plain_name(&self, symbol: Symbol) -> String {
        match self.row_of(symbol) {
            Some(row) => format!("lambda.{row}"),
            None => symbol_name(self.names, symbol),
        }
    }

    fn latex_name(&self, symbol: Symbol) -> String {
        match self.row_of(symbol) {
            Some(row) => format!("lambda_{row}"),
            None => symbol_name(self.names, symbol),
        }
    }
}

fn text(sides: &Sides) -> String {
    let energies = sides.energies.iter();
    let mut lines: Vec<(String, NodeId)> = energies
        .map(|(label, root)| ((*label).to_owned(), *root))
        .collect();
    for (coordinate, inertia) in sides.equations.left.iter().enumerate() {
        let label = right_in_words(sides, coordinate, &mut lines);
        lines.push((label, *inertia));
    }
    let zeros = sides.equations.zeros.iter();
    lines.extend(zeros.map(|root| ("0".to_owned(), *root)));
    let names = |symbol| sides.plain_name(symbol);
    sides.graph.text_of_all(&lines, &names, TEXT_BUDGET)
}

/// The text of Q + J^T lambda; where that is long, names for both, and lines that define them.
fn right_in_words(sides: &Sides, coordinate: usize, lines: &mut Vec<(String, NodeId)>) -> String {
    let total = sides.right[coordinate];
    if sides.graph.written_size(&[total]) <= SHORT {
        let names = |symbol| sides.plain_name(symbol);
        return sides.graph.text(total, &names);
    }
    let velocities = sides.names.velocities();
    let name = velocities[coordinate].replace("der(", "").replace(')', "");
    let parts = [
        ("Q", sides.equations.forces[coordinate]),
        ("R", sides.equations.reactions[coordinate]),
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

fn latex(sides: &Sides) -> String {
    let Textbook { left, zeros, .. } = &sides.equations;
    let mut roots: Vec<NodeId> = sides.energies.iter().map(|(_, root)| *root).collect();
    for group in [left, &sides.right, zeros] {
        roots.extend(group);
    }
    if sides.graph.written_size(&roots) > MAX_LATEX {
        return in_general(!zeros.is_empty());
    }
    let names = |symbol| sides.latex_name(symbol);
    let latex = |root: &NodeId| sides.graph.latex(*root, &names);
    let energies = sides.energies.iter();
    let energies = energies.map(|(label, root)| format!("{label} &= {}", latex(root)));
    let motion = left.iter().zip(&sides.right);
    let motion = motion.map(|(inertia, right)| format!("{} &= {}", latex(inertia), latex(right)));
    let constraints = zeros.iter();
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
