//! Curves through points where the equations of motion read their derivatives.

use std::collections::HashSet;

use lagrange_engine::{CurveKind, Dependence, Energy, Graph, Node, NodeId, System};

use crate::errors::{Code, Errors};
use crate::model::Warning;
use crate::spans::SpanKey;
use crate::tables::{CurveEntry, Tables};

/// Refuses tables whose slopes are forces, which would jump.
pub(super) fn refuse_jumps(system: &System, tables: &Tables, errors: &mut Errors) {
    for curve in find_rough(system, tables, |kind| kind == CurveKind::Table) {
        let message = "the slope of a `table` jumps at its points, and so would the forces that follow from it\n\n\
                       help: `spline` goes smoothly through the same points, `pchip` without overshooting";
        errors.error(curve.place, Code::JumpingForce, message);
    }
}

/// Warns of curves whose second derivatives jump.
pub(super) fn warn_of_kinks(system: &System, tables: &Tables) -> Vec<Warning> {
    let is_kinked = |kind| matches!(kind, CurveKind::Pchip | CurveKind::Akima);

    find_rough(system, tables, is_kinked).into_iter().map(|curve| Warning {
        span: curve.place,
        code: Code::KinkedForce,
        name: "kinked_force",
        message: format!(
            "the second derivative of `{}` jumps at its points, and so do the derivatives of the forces that follow from \
             it: a step over a point loses its order; `spline` has no such jumps",
            curve.curve.kind().name()
        ),
        attributes: curve.attributes.clone(),
    }).collect()
}

/// The calls of these kinds whose derivatives the equations read, each place once.
fn find_rough<'t>(
    system: &System,
    tables: &'t Tables,
    is_meant: impl Fn(CurveKind) -> bool,
) -> Vec<&'t CurveEntry> {
    let meant: Vec<&CurveEntry> = tables
        .curves
        .iter()
        .filter(|entry| is_meant(entry.curve.kind()))
        .collect();
    if meant.is_empty() {
        return Vec::new();
    }
    let graph = &system.graph;
    let (mut by_state, mut by_position) = (system.multibody.entries(), Vec::new());
    match system.energy {
        Energy::Natural { kinetic, potential } => {
            by_state.push(kinetic);
            // The derivatives of the potential are by coordinates alone.
            by_position.push(potential);
        }
        Energy::Lagrangian(lagrangian) => by_state.push(lagrangian),
    }
    by_state.extend(
        system
            .constraints
            .iter()
            .map(|constraint| constraint.residual),
    );
    let state = Dependence::MOTION;
    let mut curves = read(graph, &by_state, state);
    curves.extend(read(graph, &by_position, Dependence::COORDINATE));
    let mut places = HashSet::new();
    let is_read = |entry: &&CurveEntry| {
        curves
            .iter()
            .any(|(x, curve)| *x == entry.x && **curve == *entry.curve)
    };
    meant
        .into_iter()
        .filter(is_read)
        .filter(|entry| places.insert(SpanKey::of(entry.place)))
        .collect()
}

/// The curves in some expressions whose arguments depend on symbols of this kind.
fn read<'g>(
    graph: &'g Graph,
    roots: &[NodeId],
    kind: Dependence,
) -> Vec<(NodeId, &'g lagrange_engine::Curve)> {
    let reached = graph.reachable(roots);
    graph
        .since(0)
        .zip(reached)
        .filter(|(_, is_in)| *is_in)
        .filter_map(|(id, _)| match graph.node(id) {
            Node::Curve { of, x, .. } if graph.dependence(*x).intersects(kind) => {
                Some((*x, &*of.curve))
            }
            _ => None,
        })
        .collect()
}
