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
    Written {
        text: text(dynamics),
        latex: latex(dynamics),
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
struct Sides {
    graph: Graph,
    names: Names,
    /// M a + h.
    inertia: Vec<NodeId>,
    /// Q.
    forces: Vec<NodeId>,
    /// J^T lambda.
    reactions: Vec<NodeId>,
    /// What is zero: residuals of holonomic constraints, velocity levels of the others.
    constraints: Vec<NodeId>,
}

impl Sides {
    /// The multipliers are called as their constraints, with this before.
    fn of(dynamics: &Dynamics, prefix: &str) -> Self {
        let (mut graph, mut names) = (dynamics.graph.clone(), dynamics.names.clone());
        let rows = &dynamics.constraints;
        // Symbols of the multipliers' own are not needed beyond this text.
        let first = names.parameters.len();
        let called = rows.names.iter().map(|name| format!("{prefix}{name}"));
        names.parameters.extend(called);
        let multipliers = first..names.parameters.len();
        let multipliers: Vec<NodeId> = multipliers
            .map(|index| graph.symbol(Symbol::Parameter(index as u32)))
            .collect();
        let mut reaction = |coordinate: usize| {
            let factors = multipliers.iter().enumerate();
            let terms = factors.map(|(row, multiplier)| {
                let product = graph.mul(rows.row(row)[coordinate], *multiplier);
                (Number::ONE, product)
            });
            let terms = terms.collect();
            graph.sum(Number::ZERO, terms)
        };
        let reactions = (0..dynamics.coordinate_count())
            .map(&mut reaction)
            .collect();
        let nonholonomic = &rows.velocity[rows.residual.len()..];
        Sides {
            inertia: dynamics.inverse_dynamics.clone(),
            forces: dynamics.generalized_forces.clone(),
            constraints: [&rows.residual[..], nonholonomic].concat(),
            reactions,
            graph,
            names,
        }
    }

    /// Q + J^T lambda.
    fn right(&mut self, coordinate: usize) -> NodeId {
        self.graph
            .add(self.forces[coordinate], self.reactions[coordinate])
    }
}

fn text(dynamics: &Dynamics) -> String {
    let mut sides = Sides::of(dynamics, "lambda.");
    let energies = energies(dynamics).into_iter();
    let mut lines: Vec<(String, NodeId)> = energies
        .map(|(label, root)| (label.to_owned(), root))
        .collect();
    for coordinate in 0..dynamics.coordinate_count() {
        let label = right_in_words(&mut sides, coordinate, &mut lines);
        lines.push((label, sides.inertia[coordinate]));
    }
    let zero = |root: &NodeId| ("0".to_owned(), *root);
    lines.extend(sides.constraints.iter().map(zero));
    let names = |symbol| plain_name(&sides.names, symbol);
    sides.graph.text_of_all(&lines, &names, TEXT_BUDGET)
}

/// The text of Q + J^T lambda; where that is long, names for both, and lines that define them.
fn right_in_words(
    sides: &mut Sides,
    coordinate: usize,
    lines: &mut Vec<(String, NodeId)>,
) -> String {
    let total = sides.right(coordinate);
    let names = |symbol| plain_name(&sides.names, symbol);
    if written_size(&sides.graph, &[total]) <= SHORT {
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

fn latex(dynamics: &Dynamics) -> String {
    let mut sides = Sides::of(dynamics, "lambda_");
    let right = (0..dynamics.coordinate_count()).map(|coordinate| sides.right(coordinate));
    let right: Vec<NodeId> = right.collect();
    let energies = energies(dynamics);
    let roots: Vec<NodeId> = energies
        .iter()
        .map(|(_, root)| *root)
        .chain(sides.inertia.iter().copied())
        .chain(right.iter().copied())
        .chain(sides.constraints.iter().copied())
        .collect();
    if written_size(&sides.graph, &roots) > MAX_LATEX {
        return in_general(!sides.constraints.is_empty());
    }
    let names = |symbol| bare_name(&sides.names, symbol);
    let latex = |root: &NodeId| sides.graph.latex(*root, &names);
    let energies = energies.iter();
    let energies = energies.map(|(label, root)| format!("{label} &= {}", latex(root)));
    let motion = sides.inertia.iter().zip(&right);
    let motion = motion.map(|(inertia, right)| format!("{} &= {}", latex(inertia), latex(right)));
    let constraints = sides.constraints.iter();
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
