//! Warnings of valid but unlikely statements: parts without any effect, and constraints whose gradient vanishes where
//! they hold.

use std::collections::{HashMap, HashSet};

use lagrange_engine::{
    Answer, Dependence, Frames, Graph, NodeId, Symbol, System, flat_constraints,
    is_identically_zero,
};

use super::twice;
use crate::errors::Code;
use crate::model::{Head, Warning};
use crate::spans::SpanKey;
use crate::tables::{BodyEntry, ForceKind, PartKind, Tables, Written};

/// All warnings of this module. The system must have no mistakes.
pub(crate) fn warnings(system: &System, tables: &Tables, head: &Head) -> Vec<Warning> {
    let mut warnings = warn_of_idle_forces(system, tables);
    warnings.extend(warn_of_idle_parts(system, tables));
    warnings.extend(warn_of_massless_bodies(tables));
    warnings.extend(warn_of_idle_gravity(tables));
    warnings.extend(twice::warn_of_weights(system, tables, head));
    warnings.extend(twice::warn_of_dampings(system, tables));
    warnings.extend(warn_of_flat(system, tables));
    warnings.extend(warn_of_passing_forces(system, tables));
    warnings
}

/// The result of a check for each iteration of a statement in a loop, combined by a logical and.
pub(super) struct Verdicts<'t> {
    order: Vec<SpanKey>,
    by_place: HashMap<SpanKey, (&'t Written, bool)>,
}

impl<'t> Verdicts<'t> {
    pub(super) fn new() -> Self {
        Verdicts {
            order: Vec::new(),
            by_place: HashMap::new(),
        }
    }

    pub(super) fn add(&mut self, written: &'t Written, is_so: bool) {
        let place = SpanKey::of(written.span);
        match self.by_place.get_mut(&place) {
            Some((_, all)) => *all &= is_so,
            None => {
                self.order.push(place.clone());
                self.by_place.insert(place, (written, is_so));
            }
        }
    }

    /// The statements with a positive result in every iteration, in order.
    pub(super) fn unanimous(&self) -> impl Iterator<Item = &'t Written> + '_ {
        self.order
            .iter()
            .filter_map(|place| self.by_place.get(place))
            .filter(|(_, is_unanimous)| *is_unanimous)
            .map(|(written, _)| *written)
    }
}

pub(super) fn warning(
    written: &Written,
    (code, name): (Code, &'static str),
    message: &str,
) -> Warning {
    Warning {
        span: written.span,
        code,
        name,
        message: message.to_owned(),
        attributes: written.attributes.clone(),
    }
}

/// Warns of a `force` or `torque` that does no work along any velocity.
fn warn_of_idle_forces(system: &System, tables: &Tables) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (kind, name, message) in [
        (
            ForceKind::AtPoint,
            (Code::IdleForce, "force_without_effect"),
            "this force has no effect: its point does not move with the coordinates, or it is zero",
        ),
        (
            ForceKind::Torque,
            (Code::IdleForce, "torque_without_effect"),
            "this torque has no effect: its frame does not turn with the coordinates, or it is zero",
        ),
    ] {
        let written: Vec<(Written, bool)> = tables
            .forces
            .iter()
            .filter(|force| force.kind == kind)
            .map(|force| {
                let written = Written {
                    span: force.keyword,
                    attributes: force.attributes.clone(),
                };
                let does_work = !force
                    .generalized
                    .iter()
                    .all(|(_, force)| system.graph.is_zero(*force));
                // A force that acts across the direction of motion may be the reaction to another force, and is kept.
                (written, !does_work && !force.acts)
            })
            .collect();
        let mut verdicts = Verdicts::new();
        for (written, is_idle) in &written {
            verdicts.add(written, *is_idle);
        }
        let idle = verdicts.unanimous();
        warnings.extend(idle.map(|written| warning(written, name, message)));
    }
    warnings
}

/// Warns of a force at a point that moves over a body, such as the contact point of a wheel. The force then does no
/// work as the body turns. A point belongs to a body if exactly one body's frame contains all its coordinates.
fn warn_of_passing_forces(system: &System, tables: &Tables) -> Vec<Warning> {
    let graph = &mut system.graph.clone();
    let Some(frames) = system.multibody.frames() else {
        return Vec::new();
    };
    let mut bodies: Vec<(&BodyEntry, HashSet<Symbol>)> = Vec::new();
    for body in &tables.bodies {
        if bodies.iter().all(|(known, _)| known.frame != body.frame) {
            let mut pose = frames.rotation(graph, body.frame).concat();
            pose.extend(frames.origin(body.frame));
            bodies.push((body, find_coordinates(graph, system, &pose)));
        }
    }
    let mut tested = Vec::new();
    for force in tables.forces.iter().filter(|force| !force.point.is_empty()) {
        let written = Written {
            span: force.keyword,
            attributes: force.attributes.clone(),
        };
        let moved_by = find_coordinates(graph, system, &force.point);
        let mut holders = bodies.iter().filter(|(_, moved)| moved_by.is_subset(moved));
        let holder = match (holders.next(), holders.next()) {
            (Some((body, _)), None) if !moved_by.is_empty() && force.acts => Some(*body),
            _ => None,
        };
        let passed = holder.filter(|body| passes(graph, system, frames, (&force.point, body)));
        tested.push((written, passed));
    }
    let mut verdicts = Verdicts::new();
    for (written, passed) in &tested {
        verdicts.add(written, passed.is_some());
    }
    let warn = |written: &Written| {
        let place = SpanKey::of(written.span);
        let frame = tested
            .iter()
            .filter(|(other, _)| SpanKey::of(other.span) == place)
            .find_map(|(_, body)| *body)
            .and_then(|body| body.frame_name.as_deref())
            .unwrap_or("F");
        let message = format!(
            "the point of this force moves over the body of the frame `{frame}`, so that the force does no work as \
             the body turns: a force on the material of the body at that place, as friction is, is written \
             `force .. at .. on {frame};`"
        );
        warning(
            written,
            (Code::PassingForce, "force_passes_over_body"),
            &message,
        )
    };
    verdicts.unanimous().map(warn).collect()
}

/// True if the velocity of the point differs from that of the material point of the body at its place.
fn passes(
    graph: &mut Graph,
    system: &System,
    frames: &Frames,
    (point, body): (&[NodeId], &BodyEntry),
) -> bool {
    let turns = |entry: &NodeId| graph.dependence(*entry).intersects(Dependence::VELOCITY);
    if !body.spin.iter().any(turns) {
        return false;
    }
    let kinematics = system.names.kinematics();
    let along = kinematics.along_the_motion(graph);
    let rate = graph.directional(point, &along);
    let (origin, velocity) = (
        frames.origin(body.frame),
        frames.velocity(graph, body.frame),
    );
    let spin = frames.angular_velocity(graph, body.frame);
    let zero = graph.integer(0);
    let arm: [NodeId; 3] = std::array::from_fn(|i| {
        let place = point.get(i).copied().unwrap_or(zero);
        graph.sub(place, origin[i])
    });
    let mut off = Vec::new();
    for (i, rate) in rate.iter().copied().enumerate() {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let turned = [graph.mul(spin[j], arm[k]), graph.mul(spin[k], arm[j])];
        let turned = graph.sub(turned[0], turned[1]);
        let material = graph.add(velocity[i], turned);
        off.push(graph.sub(rate, material));
    }
    // The part that depends only on time is ignored, because it is not a displacement.
    let still: Vec<(Symbol, NodeId)> = kinematics
        .velocity_symbols()
        .into_iter()
        .map(|v| (v, zero))
        .collect();
    let at_rest = graph.substitute(&off, &still);
    let off: Vec<NodeId> = off
        .into_iter()
        .zip(at_rest)
        .map(|(off, resting)| graph.sub(off, resting))
        .collect();
    // Axes of constants are normalized in floating point, so an exact test would fail.
    let size = |nodes: &[NodeId]| {
        let value = |symbol| match symbol {
            Symbol::Coordinate(i) | Symbol::Velocity(i) | Symbol::Parameter(i) => {
                0.3 + f64::from(i).sqrt()
            }
            _ => 0.7,
        };
        graph
            .evaluate(nodes, &value)
            .into_iter()
            .fold(0.0, |most: f64, value| most.max(value.abs()))
    };
    let is_rounding = size(&off) < AXES * (size(&rate) + size(&velocity));
    !is_rounding && is_identically_zero(graph, &off).contains(&Answer::No)
}

/// The tolerance for rounded axes, relative to a velocity.
const AXES: f64 = 1e-12;

/// The coordinates in the expressions of these roots.
fn find_coordinates(graph: &Graph, system: &System, roots: &[NodeId]) -> HashSet<Symbol> {
    let reached = graph.reachable(roots);
    let is_reached = |leaf: NodeId| reached.get(leaf.index()).is_some_and(|is| *is);
    let symbols = system.names.kinematics().coordinate_symbols();
    symbols
        .into_iter()
        .filter(|symbol| graph.leaf(*symbol).is_some_and(is_reached))
        .collect()
}

/// Warns of parts of V and D that depend on no coordinate and no velocity.
fn warn_of_idle_parts(system: &System, tables: &Tables) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (kind, needed, name, message) in [
        (
            PartKind::Potential,
            Dependence::COORDINATE,
            (Code::IdleTerm, "potential_without_coordinate"),
            "this part of `V` depends on no coordinate, so that no force follows from it",
        ),
        (
            PartKind::Dissipation,
            Dependence::VELOCITY,
            (Code::IdleTerm, "dissipation_without_velocity"),
            "this part of `D` depends on no velocity, so that no force follows from it: the force is \
             -dD/dv, and the velocity of `x` is `der(x)`",
        ),
        (
            PartKind::Spring,
            Dependence::COORDINATE,
            (Code::IdleLink, "spring_without_effect"),
            "this spring has no effect: the distance of its ends does not change with the coordinates",
        ),
        (
            PartKind::Damper,
            Dependence::VELOCITY,
            (Code::IdleLink, "damper_without_effect"),
            "this damper has no effect: the distance of its ends does not change with the coordinates",
        ),
    ] {
        let mut verdicts = Verdicts::new();
        for part in tables.parts.iter().filter(|part| part.kind == kind) {
            let is_idle = !system.graph.dependence(part.value).intersects(needed);
            // `V = 0;` is explicit.
            let is_said = matches!(kind, PartKind::Potential | PartKind::Dissipation)
                && system.graph.is_zero(part.value);
            verdicts.add(&part.written, is_idle && !is_said);
        }
        let idle = verdicts.unanimous();
        warnings.extend(idle.map(|written| warning(written, name, message)));
    }
    warnings
}

fn warn_of_massless_bodies(tables: &Tables) -> Vec<Warning> {
    let mut verdicts = Verdicts::new();
    for body in &tables.bodies {
        verdicts.add(&body.written, !body.has_mass && !body.has_inertia);
    }
    let message =
        "this body has neither mass nor inertia, and no effect: both are 0 unless they are given";
    let massless = verdicts.unanimous();
    massless
        .map(|written| warning(written, (Code::BodyAlone, "body_without_mass"), message))
        .collect()
}

/// Warns of `gravity` in a system without weights.
fn warn_of_idle_gravity(tables: &Tables) -> Vec<Warning> {
    let Some(gravity) = &tables.gravity else {
        return Vec::new();
    };
    if tables.bodies.iter().any(|body| body.has_mass) {
        return Vec::new();
    }
    let message = "gravity acts on every `body`, but no body has a mass: `V` gives the weight of a mass in `T` alone";
    vec![warning(
        &gravity.written,
        (Code::GravityAlone, "gravity_without_body"),
        message,
    )]
}

/// Warns of constraints whose gradient vanishes wherever they hold.
fn warn_of_flat(system: &System, tables: &Tables) -> Vec<Warning> {
    if system.constraints.is_empty() {
        return Vec::new();
    }
    let mut rows = flat_constraints(system).into_iter();
    let mut warnings: Vec<Warning> = Vec::new();
    let mut warned = std::collections::HashSet::new();
    for constraint in &tables.constraints {
        let is_flat = rows
            .by_ref()
            .take(constraint.rows)
            .fold(false, |any, flat| any | flat);
        if is_flat && warned.insert(&constraint.statement) {
            warnings.push(Warning {
                span: constraint.item.name.span(),
                code: Code::FlatConstraint,
                name: "constraint_without_gradient",
                message: "the gradient of this constraint vanishes wherever it holds, so that no force can \
                          keep it: write the squared expression as a constraint of its own"
                    .to_owned(),
                attributes: constraint.item.attributes.clone(),
            });
        }
    }
    warnings
}
