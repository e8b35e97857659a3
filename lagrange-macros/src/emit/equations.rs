//! The equations of motion, written out for people.

use lagrange_engine::{Dynamics, NodeId};

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

/// The energies, and one equation `M a + h = Q` for each coordinate.
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

fn text(dynamics: &Dynamics) -> String {
    let graph = &dynamics.graph;
    let names = |symbol| plain_name(&dynamics.names, symbol);
    let energies = energies(dynamics).into_iter();
    let mut lines: Vec<(String, NodeId)> = energies
        .map(|(label, root)| (label.to_owned(), root))
        .collect();
    let rows = dynamics
        .generalized_forces
        .iter()
        .zip(&dynamics.inverse_dynamics);
    for ((force, inertia), coordinate) in rows.zip(&dynamics.names.coordinates) {
        let label = if written_size(graph, &[*force]) <= SHORT {
            graph.text(*force, &names)
        } else {
            let label = format!("Q.{coordinate}");
            lines.push((label.clone(), *force));
            label
        };
        lines.push((label, *inertia));
    }
    graph.text_of_all(&lines, &names, TEXT_BUDGET)
}

fn latex(dynamics: &Dynamics) -> String {
    let graph = &dynamics.graph;
    let names = |symbol| bare_name(&dynamics.names, symbol);
    let mut roots: Vec<NodeId> = energies(dynamics)
        .into_iter()
        .map(|(_, root)| root)
        .collect();
    roots.extend(&dynamics.inverse_dynamics);
    roots.extend(&dynamics.generalized_forces);
    if written_size(graph, &roots) > MAX_LATEX {
        return r"M(q) \ddot{q} + h(q, \dot{q}) &= Q".to_owned();
    }
    let latex = |root: NodeId| graph.latex(root, &names);
    let energies = energies(dynamics).into_iter();
    let mut rows: Vec<String> = energies
        .map(|(label, root)| format!("{label} &= {}", latex(root)))
        .collect();
    for (inertia, force) in dynamics
        .inverse_dynamics
        .iter()
        .zip(&dynamics.generalized_forces)
    {
        rows.push(format!("{} &= {}", latex(*inertia), latex(*force)));
    }
    rows.join(" \\\\\n")
}
