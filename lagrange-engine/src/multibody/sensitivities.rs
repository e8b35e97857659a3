//! The derivatives of the inverse dynamics by position and velocity.
//!
//! A displacement of a link along one of its freedoms moves everything behind it rigidly. In axes with the same
//! displacement, three quantities change: the angular velocity w by t, its rate by t', and the acceleration of the
//! link's origin by a. A mass at r that moves at u relative to that origin then has the additional acceleration
//! `a + z x r + 2 t x u`, with `z = t' + w x t`. z and t are the same at all links behind, and the forces of all their
//! masses together follow from composites: of masses (`composite`) and of their motion (`composite_rates`). The same
//! holds for a change of velocity.
//!
//! A link and a link behind it give two entries. The force on the displaced link is displaced with it, and carried
//! forward to the other link's freedoms. The effect of the first link's change of motion on the other link's freedoms
//! follows by carrying these forward as momenta. That is the scheme of J. Carpentier and N. Mansard, "Analytical
//! derivatives of rigid body dynamics algorithms" (*Robotics: Science and Systems*, 2018) and of S. Singh, R. P. Russo
//! and P. M. Wensing, "Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra" (*IEEE
//! Robotics and Automation Letters* 7, 2022), in axes of the links and without their velocities.

use super::composite::{Composite, DistributionKind, find_composites};
use super::composite_rates::{Flow, double_velocity, find_flows};
use super::newton_euler::{Acceleration, along, find_accelerations, rates_at, visit_transmitted};
use super::pose::Motion;
use super::space::{self, Vector};
use super::tree::{Freedom, Link, Tree, rates};
use crate::{Graph, NodeId, Number, Symbol};

/// The change at a link, and at all links behind it, in its axes.
#[derive(Clone, Copy)]
struct Change {
    /// t and z.
    turn: Vector,
    turning: Vector,
    /// a
    origin: Vector,
}

/// The response of a freedom of a link to a change: the power of the resulting forces is
/// `momentum . a + angular . z + gyration . t`.
type Response = [Vector; 3];

/// The state of all links.
struct Motions {
    accelerations: Vec<Acceleration>,
    composites: Vec<Option<Composite>>,
    flows: Vec<Option<Flow>>,
    /// Force and moment that each link takes from its parent.
    wrenches: Vec<[Vector; 2]>,
    /// The rates of the relative motions, in the frames' own axes.
    relative: Vec<Motion>,
    rates: Vec<Motion>,
}

/// The effects of one of the velocities, and of a displacement along it.
struct Along {
    velocity: usize,
    /// For each link that has the freedom: the changes by position and by velocity.
    changes: Vec<Option<[Change; 2]>>,
    /// The derivatives of the relative motions by position, in the frames' own axes.
    relative: Vec<Motion>,
}

/// Rows of sums of entries.
struct Entries(Vec<Vec<(Number, NodeId)>>, usize);

/// The derivatives of M a + h along the directions of v and by v, row by row.
pub(super) fn sensitivities(
    graph: &mut Graph,
    tree: &Tree,
    gravity: Vector,
    a: &[NodeId],
) -> [Vec<NodeId>; 2] {
    let n = tree.kinematics.velocity_count();
    let motions = Motions::new(graph, tree, gravity, a);
    let effects: Vec<Along> = (0..n)
        .map(|velocity| Along::new(graph, tree, &motions, velocity))
        .collect();
    let mut entries = [0, 1].map(|_| Entries(vec![Vec::new(); n * n], n));
    for along in &effects {
        along.forces(graph, tree, &motions, &mut entries);
        along.responses(graph, tree, &motions, &effects, &mut entries);
    }
    entries.map(|entries| entries.sums(graph))
}

impl Motions {
    fn new(graph: &mut Graph, tree: &Tree, gravity: Vector, a: &[NodeId]) -> Self {
        let carried = rates_at(graph, tree, a);
        let accelerations = find_accelerations(graph, tree, gravity, &carried);
        let zero = space::zero(graph);
        let mut wrenches = vec![[zero; 2]; tree.links.len()];
        visit_transmitted(graph, tree, &accelerations, |_, index, wrench| {
            wrenches[index] = wrench
        });
        let composites = find_composites(graph, tree, DistributionKind::Inertia);
        let flows = find_flows(graph, tree, &composites, &accelerations);
        let relative: Vec<Motion> = tree.links.iter().map(|link| link.relative).collect();
        let direction = along(graph, tree, a);
        let rates = rates(graph, &relative, &direction);
        Motions {
            accelerations,
            composites,
            flows,
            wrenches,
            relative,
            rates,
        }
    }
}

impl Along {
    fn new(graph: &mut Graph, tree: &Tree, motions: &Motions, velocity: usize) -> Self {
        let position = tree.kinematics.direction(graph, velocity);
        let relative = rates(graph, &motions.relative, &position);
        let by_position = rates(graph, &motions.rates, &position);
        let one = graph.integer(1);
        let direction = [(Symbol::Velocity(velocity as u32), one)];
        let by_velocity = rates(graph, &motions.rates, &direction);
        let mut changes = vec![None; tree.links.len()];
        for (index, link) in tree.links.iter().enumerate().skip(1) {
            let Some(freedom) = link.freedom(velocity) else {
                continue;
            };
            let place = Place {
                link,
                own: &motions.accelerations[index],
                before: &motions.accelerations[link.parent],
                freedom: freedom.motion,
            };
            let relative = link.carry_motion(graph, relative[index]);
            let [of_position, of_velocity] =
                [by_position[index], by_velocity[index]].map(|rate| link.carry_motion(graph, rate));
            changes[index] = Some([
                place.by_position(graph, relative, of_position),
                place.by_velocity(graph, of_velocity),
            ]);
        }
        Along {
            velocity,
            changes,
            relative,
        }
    }

    /// The forces of the changes, at the freedoms of the links themselves and of the links before.
    fn forces(
        &self,
        graph: &mut Graph,
        tree: &Tree,
        motions: &Motions,
        entries: &mut [Entries; 2],
    ) {
        let mut behind = vec![[None; 2]; tree.links.len()];
        for index in (1..tree.links.len()).rev() {
            let link = &tree.links[index];
            let forces_here = self.forces_of_link(graph, index, motions);
            for freedom in &link.freedoms {
                for part in 0..2 {
                    let forces_here = forces_here.map(|forces_here| forces_here[part]);
                    for wrench in [forces_here, behind[index][part]].into_iter().flatten() {
                        let power = freedom.power(graph, wrench);
                        entries[part].push(freedom.velocity, self.velocity, power);
                    }
                }
                if forces_here.is_some() {
                    let moved = self.turn_freedom(graph, link, index, freedom);
                    let power = moved.power(graph, motions.wrenches[index]);
                    entries[0].push(freedom.velocity, self.velocity, power);
                }
            }
            for part in 0..2 {
                let forces_here = forces_here.map(|forces_here| forces_here[part]).map(
                    |forces_here| match part {
                        0 => displace(
                            graph,
                            link,
                            self.velocity,
                            forces_here,
                            motions.wrenches[index],
                        ),
                        _ => forces_here,
                    },
                );
                if let Some(whole) = space::add_present(graph, forces_here, behind[index][part]) {
                    let carried = link.carry_force(graph, whole);
                    let parent = behind[link.parent][part];
                    behind[link.parent][part] = space::add_present(graph, parent, Some(carried));
                }
            }
        }
    }

    /// The forces of the masses behind a link that has the freedom.
    fn forces_of_link(
        &self,
        graph: &mut Graph,
        index: usize,
        motions: &Motions,
    ) -> Option<[[Vector; 2]; 2]> {
        let changes = self.changes[index]?;
        let (composite, flow) = (motions.composites[index]?, motions.flows[index]?);
        Some(changes.map(|change| change.force(graph, &composite, &flow)))
    }

    /// The change of a freedom of the link by position.
    fn turn_freedom(
        &self,
        graph: &mut Graph,
        link: &Link,
        index: usize,
        freedom: &Freedom,
    ) -> Freedom {
        let one = graph.integer(1);
        let direction = [(Symbol::Velocity(freedom.velocity as u32), one)];
        let motion = rates(graph, &self.relative[index..=index], &direction)[0];
        Freedom {
            velocity: freedom.velocity,
            motion: link.carry_motion(graph, motion),
        }
    }

    /// The responses of the freedoms along this velocity to the changes at links before them.
    fn responses(
        &self,
        graph: &mut Graph,
        tree: &Tree,
        motions: &Motions,
        effects: &[Along],
        entries: &mut [Entries; 2],
    ) {
        let mut behind: Vec<Option<Response>> = vec![None; tree.links.len()];
        for index in (1..tree.links.len()).rev() {
            let link = &tree.links[index];
            if let Some(response) = behind[index] {
                for freedom in &link.freedoms {
                    let changes = effects[freedom.velocity].changes[index];
                    for (part, change) in changes.into_iter().flatten().enumerate() {
                        let power = change.power(graph, &response);
                        entries[part].push(self.velocity, freedom.velocity, power);
                    }
                }
            }
            let response_here = link.response(graph, self.velocity, index, motions);
            if let Some(effects) = space::add_present(graph, response_here, behind[index]) {
                let carried = link.carry_response(graph, effects, &motions.accelerations);
                behind[link.parent] = space::add_present(graph, behind[link.parent], Some(carried));
            }
        }
    }
}

/// A link with one of its freedoms.
struct Place<'a> {
    link: &'a Link,
    own: &'a Acceleration,
    before: &'a Acceleration,
    freedom: Motion,
}

impl Place<'_> {
    /// The change by position, with the derivatives of the relative motion and of its rate.
    fn by_position(&self, graph: &mut Graph, relative: Motion, rate: Motion) -> Change {
        let spin = self.freedom.spin;
        let [turn, turning] = self.turn_by_position(graph, relative.spin, rate.spin);
        let gradient = self.before.gradient(graph);
        let of_origin = self.own.whole(graph);
        let swept = space::cross(graph, self.before.spin, relative.velocity);
        let parts = [
            space::cross(graph, of_origin, spin),
            space::times(graph, &gradient, self.freedom.velocity),
            space::double(graph, swept),
            rate.velocity,
        ];
        let zero = space::zero(graph);
        Change {
            turn,
            turning,
            origin: space::add_all(graph, zero, parts),
        }
    }

    /// t and z.
    ///
    /// With w and w' of the parent and w_r of the freedom, and products of vectors: t = w s + dw_r and z = w' s + w (w
    /// s + 2 dw_r) + w_r dw_r + dw_r'. About a fixed axis this is t = w s and z = K s with w and K of the link itself.
    fn turn_by_position(&self, graph: &mut Graph, relative: Vector, rate: Vector) -> [Vector; 2] {
        let (spin, link_spin) = (self.freedom.spin, self.link.relative.spin);
        let zero = space::zero(graph);
        if [space::cross(graph, link_spin, spin), relative, rate] == [zero; 3] {
            let gradient = self.own.gradient(graph);
            let turn = space::cross(graph, self.own.spin, spin);
            return [turn, space::times(graph, &gradient, spin)];
        }
        let [before, turning] = [self.before.spin, self.before.turning]
            .map(|vector| self.link.rotation.back(graph, vector));
        let swept = space::cross(graph, before, spin);
        let twice = space::double(graph, relative);
        let inner = space::add(graph, swept, twice);
        let parts = [
            space::cross(graph, turning, spin),
            space::cross(graph, before, inner),
            space::cross(graph, link_spin, relative),
            rate,
        ];
        [
            space::add(graph, swept, relative),
            space::add_all(graph, zero, parts),
        ]
    }

    /// The change by velocity, with the derivative of the rate of the relative motion.
    fn by_velocity(&self, graph: &mut Graph, rate: Motion) -> Change {
        let spin = self.freedom.spin;
        // (2 w + w_r) s with w of the parent; w + w_r is that of the link.
        let swept = space::cross(graph, self.own.spin, spin);
        let swept = space::double(graph, swept);
        let by_link_spin = space::cross(graph, spin, self.link.relative.spin);
        let swept = space::add(graph, swept, by_link_spin);
        let moved = space::cross(graph, self.before.spin, self.freedom.velocity);
        let moved = space::double(graph, moved);
        Change {
            turn: spin,
            turning: space::add(graph, swept, rate.spin),
            origin: space::add(graph, moved, rate.velocity),
        }
    }
}

impl Change {
    /// Force and moment about the origin of the link.
    fn force(&self, graph: &mut Graph, composite: &Composite, flow: &Flow) -> [Vector; 2] {
        let [force, moment] = composite.momentum(graph, self.origin, self.turning);
        let gyration = [flow.force(graph, self.turn), flow.moment(graph, self.turn)];
        [
            space::add(graph, force, gyration[0]),
            space::add(graph, moment, gyration[1]),
        ]
    }

    fn power(&self, graph: &mut Graph, response: &Response) -> NodeId {
        let parts = [self.origin, self.turning, self.turn];
        let terms = parts
            .iter()
            .zip(response)
            .map(|(part, response)| (Number::ONE, graph.dot(part, response)))
            .collect();
        graph.sum(Number::ZERO, terms)
    }
}

impl Link {
    fn freedom(&self, velocity: usize) -> Option<&Freedom> {
        self.freedoms
            .iter()
            .find(|freedom| freedom.velocity == velocity)
    }

    /// The response of the freedom itself, if the link has it.
    fn response(
        &self,
        graph: &mut Graph,
        velocity: usize,
        index: usize,
        motions: &Motions,
    ) -> Option<Response> {
        let freedom = self.freedom(velocity)?.motion;
        let (composite, flow) = (motions.composites[index]?, motions.flows[index]?);
        let [momentum, angular] = composite.momentum(graph, freedom.velocity, freedom.spin);
        let back = flow
            .force(graph, freedom.velocity)
            .map(|entry| graph.neg(entry));
        let moment = flow.moment_back(graph, freedom.spin);
        Some([momentum, angular, space::add(graph, back, moment)])
    }

    /// The response at the parent's origin, in its axes.
    fn carry_response(
        &self,
        graph: &mut Graph,
        [momentum, angular, gyration]: Response,
        accelerations: &[Acceleration],
    ) -> Response {
        let [momentum, angular] = self.carry_force(graph, [momentum, angular]);
        let gyration = self.rotation.apply(graph, gyration);
        let velocity = double_velocity(graph, self, &accelerations[self.parent]);
        let swept = space::cross(graph, velocity, momentum);
        [momentum, angular, space::add(graph, gyration, swept)]
    }
}

/// A force and a moment, plus their displacement along a freedom of the link.
fn displace(
    graph: &mut Graph,
    link: &Link,
    velocity: usize,
    [force, moment]: [Vector; 2],
    [whole_force, whole_moment]: [Vector; 2],
) -> [Vector; 2] {
    let Some(freedom) = link.freedom(velocity) else {
        return [force, moment];
    };
    let Motion { velocity, spin } = freedom.motion;
    let parts = [
        space::cross(graph, spin, whole_moment),
        space::cross(graph, velocity, whole_force),
    ];
    let turned = space::cross(graph, spin, whole_force);
    let moment = space::add_all(graph, moment, parts);
    [space::add(graph, force, turned), moment]
}

impl Entries {
    fn push(&mut self, row: usize, column: usize, entry: NodeId) {
        self.0[row * self.1 + column].push((Number::ONE, entry));
    }

    fn sums(self, graph: &mut Graph) -> Vec<NodeId> {
        graph.sums(self.0)
    }
}
