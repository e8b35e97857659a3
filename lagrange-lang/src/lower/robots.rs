//! Robots: frames, bodies, damping and friction from their files, and their place.
//!
//! The frames are created at their first use, or at the end, so that `place` comes before.

mod lowered;
mod paths;

pub(crate) use lowered::{Friction, LoweredRobot, OwnBase, OwnJoint, ParameterLink};

use std::rc::Rc;

use lagrange_engine::{Body, FrameId, Joint, NodeId, Number, Symbol, Unary};
use proc_macro2::{Ident, Span};

use super::evaluator::Evaluator;
use super::lowering::{Lowering, Mass};
use super::scope::BindingKind;
use crate::errors::Code;
use crate::robots::{self, Angle, Kind, Motion, RobotJoint};
use crate::suggest;
use crate::syntax::ast::{Expr, text};
use crate::tables::{BodyEntry, ForceEntry, ForceKind, Written};

/// Approximate number of operations for the frame of a joint.
const COST: usize = 200;
/// Maximum number of digits of a number from a file. A longer one comes from arithmetic.
const DIGITS: usize = 14;

/// A decimal number from a file is exact; any other number is a double.
fn number(value: f64) -> Number {
    let written = format!("{value:e}");
    let digits = written.split('e').next().unwrap_or_default();
    let parsed =
        (digits.len() <= DIGITS + 2).then(|| Number::parse(written.trim_start_matches('-')));
    match parsed.flatten() {
        Some(number) if value < 0.0 => -number,
        Some(number) => number,
        None => Number::float(value),
    }
}

impl Evaluator<'_> {
    fn real(&mut self, value: f64) -> NodeId {
        self.graph.number(number(value))
    }

    /// Multiples of pi/2 are exact; any other angle is a number.
    fn number_of_angle(&mut self, angle: Angle) -> NodeId {
        match angle.quarters {
            Some(quarters) => {
                let pi = self.graph.pi();
                let half = Number::rational(quarters, 2).unwrap_or(Number::ZERO);
                self.graph.scale(half, pi)
            }
            None => self.real(angle.value),
        }
    }

    fn reals(&mut self, values: [f64; 3]) -> [NodeId; 3] {
        values.map(|value| self.real(value))
    }

    fn coordinates(&mut self, first: usize) -> [NodeId; 3] {
        let symbol = |i: usize| Symbol::Coordinate((first + i) as u32);
        [0, 1, 2].map(|i| self.graph.symbol(symbol(i)))
    }

    /// The value of a joint with one coordinate, from its own coordinate or that of its leader.
    fn joint_value(&mut self, robot: usize, joint: usize) -> Option<NodeId> {
        let motion = self.robots[robot].plan.joints[joint].motion;
        let (leader, multiplier, offset) = match motion {
            Motion::Held(value) => {
                let is_angle = matches!(self.robots[robot].plan.joints[joint].kind, Kind::Turn(_));
                return Some(match is_angle {
                    true => self.number_of_angle(Angle::exact(value)),
                    false => self.real(value),
                });
            }
            Motion::Free => (joint, 1.0, 0.0),
            Motion::Follows {
                leader,
                multiplier,
                offset,
            } => (leader, multiplier, offset),
        };
        let own = self.robots[robot].joints[leader]?;
        let symbol = self.graph.symbol(Symbol::Coordinate(own.coordinate as u32));
        let terms = vec![(number(multiplier), symbol)];
        Some(self.graph.sum(number(offset), terms))
    }

    /// The velocity that moves a joint with one coordinate, and the factor.
    fn joint_rate(&mut self, robot: usize, joint: usize) -> Option<(usize, f64)> {
        let (leader, multiplier) = match self.robots[robot].plan.joints[joint].motion {
            Motion::Held(_) => return None,
            Motion::Free => (joint, 1.0),
            Motion::Follows {
                leader, multiplier, ..
            } => (leader, multiplier),
        };
        let own = self.robots[robot].joints[leader]?;
        Some((own.velocity, multiplier))
    }

    /// The frame of a link.
    pub(super) fn frame_of_link(
        &mut self,
        robot: usize,
        link: usize,
        place: Span,
    ) -> Option<FrameId> {
        if self.robots[robot].frames.is_empty() {
            self.make_frames(robot, place)?;
        }
        self.robots[robot].frames.get(link).copied()
    }

    fn make_frames(&mut self, robot: usize, place: Span) -> Option<()> {
        let plan = Rc::clone(&self.robots[robot].plan);
        self.afford(place, COST * (plan.joints.len() + 1))?;
        let mut root = self.robots[robot].placed.unwrap_or(FrameId::WORLD);
        if let Some(base) = self.robots[robot].base {
            let position = self.coordinates(base.position.coordinate);
            root = self.behind(root, Joint::Translation(position))?;
            root = self.behind(root, Joint::Attitude(base.rotation))?;
        }
        let mut frames = vec![root; plan.links.len()];
        for number in &plan.order {
            let joint = &plan.joints[*number];
            let from = frames[joint.parent];
            frames[joint.child] = self.child_frame(robot, *number, joint, from)?;
        }
        self.robots[robot].frames = frames;
        Some(())
    }

    fn behind(&mut self, from: FrameId, joint: Joint) -> Option<FrameId> {
        let kinematics = self.names.kinematics();
        self.frames
            .add(&mut self.graph, &kinematics, from, joint)
            .ok()
    }

    fn child_frame(
        &mut self,
        robot: usize,
        at: usize,
        joint: &RobotJoint,
        from: FrameId,
    ) -> Option<FrameId> {
        let mut frame = self.origin_frame(joint, from)?;
        let is_single = matches!(joint.kind, Kind::Turn(_) | Kind::Slide(_));
        let own = self.robots[robot].joints[at];
        match (joint.kind, own) {
            (Kind::Fixed, _) => {}
            _ if is_single => {
                let value = self.joint_value(robot, at)?;
                let step = match joint.kind {
                    Kind::Turn(axis) => Joint::Turn {
                        axis: self.reals(axis),
                        angle: value,
                    },
                    Kind::Slide(axis) => {
                        let along = axis.map(|entry| self.graph.scale(number(entry), value));
                        Joint::Translation(along)
                    }
                    _ => return Some(frame),
                };
                frame = self.behind(frame, step)?;
            }
            (Kind::Planar { axis, is_opposite }, Some(own)) => {
                let [x, y, angle] = self.coordinates(own.coordinate);
                let zero = self.graph.integer(0);
                let mut way = [zero; 3];
                way[(axis + 1) % 3] = x;
                way[(axis + 2) % 3] = y;
                frame = self.behind(frame, Joint::Translation(way))?;
                let mut direction = [0.0; 3];
                direction[axis] = if is_opposite { -1.0 } else { 1.0 };
                let axis = self.reals(direction);
                frame = self.behind(frame, Joint::Turn { axis, angle })?;
            }
            (_, Some(own)) => {
                let position = self.coordinates(own.coordinate);
                frame = self.behind(frame, Joint::Translation(position))?;
                frame = self.behind(frame, Joint::Attitude(own.rotation()))?;
            }
            (_, None) => {}
        }
        Some(frame)
    }

    /// The pose of a joint in its parent link.
    fn origin_frame(&mut self, joint: &RobotJoint, mut frame: FrameId) -> Option<FrameId> {
        let origin = &joint.origin;
        if origin.xyz != [0.0; 3] {
            let way = self.reals(origin.xyz);
            frame = self.behind(frame, Joint::Translation(way))?;
        }
        let turning = (0..3).filter(|axis| origin.rpy[*axis].quarters != Some(0));
        match turning.collect::<Vec<usize>>()[..] {
            [] => Some(frame),
            // A joint about the same axis merges with this angle as an offset.
            [axis] => {
                let angle = self.number_of_angle(origin.rpy[axis]);
                let mut direction = [0.0; 3];
                direction[axis] = 1.0;
                let axis = self.reals(direction);
                self.behind(frame, Joint::Turn { axis, angle })
            }
            _ => {
                let rotation = origin.rotation();
                let rotation = rotation.map(|row| row.map(|e| self.graph.number(Number::float(e))));
                self.behind(frame, Joint::Orientation(rotation))
            }
        }
    }
}

impl Lowering<'_> {
    /// Robots have bodies, so `L` is not allowed with them. Must be called before all statements.
    pub(super) fn announce_robots(&mut self) {
        let robots = self.evaluator.robots.iter();
        let mut links = robots.flat_map(|robot| &robot.plan.links);
        if links.any(|link| link.inertial.is_some()) {
            self.energies.note_parts("robot");
        }
    }

    /// `place arm at F;`
    pub(super) fn place(&mut self, name: &Ident, frame: &Expr) {
        let evaluator = &mut self.evaluator;
        let written = text(name);
        let (robot, is_mistaken) = match evaluator.scope.find_mut(name) {
            Some(binding) => {
                binding.read = true;
                match binding.kind {
                    BindingKind::Robot(robot) => (Some(robot), false),
                    kind => (None, kind.is_mistaken()),
                }
            }
            None => (None, false),
        };
        let Some(robot) = robot else {
            let _none = evaluator.frame(frame);
            if !is_mistaken && !evaluator.is_excused(name) {
                let names = evaluator.robots.iter().map(|robot| robot.name.as_str());
                let help = suggest::help(&written, names);
                let message = format!("`{written}` is no robot{help}");
                evaluator.errors.error(name, Code::RobotPlace, message);
            }
            return;
        };
        let own = &evaluator.robots[robot];
        let refused = if own.base.is_some() {
            Some(format!(
                "`{written}` has a free base, which no frame holds\n\n\
                 help: remove `base: free`, or this statement"
            ))
        } else if own.placed.is_some() {
            Some(format!(
                "`{written}` is placed twice\n\nhelp: remove one of them"
            ))
        } else if !own.frames.is_empty() {
            Some(format!(
                "a frame of `{written}` was used before it is placed\n\n\
                 help: move this statement up, before the frame is used"
            ))
        } else {
            None
        };
        let frame = evaluator.frame(frame);
        let own = &evaluator.robots[robot];
        let refused = refused.or_else(|| {
            (!own.frames.is_empty()).then(|| {
                format!(
                    "`{written}` is placed at a frame of its own\n\n\
                     help: place it at `world`, or at a frame that does not move with it"
                )
            })
        });
        match refused {
            Some(message) => evaluator.errors.error(name, Code::RobotPlace, message),
            None => evaluator.robots[robot].placed = frame.or(Some(FrameId::WORLD)),
        }
    }

    /// Adds the bodies, the damping and the friction of all robots. Must be called after all statements are read.
    pub(super) fn robots(&mut self) {
        for robot in 0..self.evaluator.robots.len() {
            let place = self.evaluator.robots[robot].span;
            let outer = self
                .evaluator
                .enter(format!("`{}`", self.evaluator.robots[robot].name));
            let made = match self.evaluator.robots[robot].frames.is_empty() {
                true => self.evaluator.make_frames(robot, place),
                false => Some(()),
            };
            if made.is_some() {
                self.bodies_of(robot);
                self.damping_of(robot);
            }
            self.evaluator.leave(outer);
        }
    }

    fn bodies_of(&mut self, robot: usize) {
        let plan = Rc::clone(&self.evaluator.robots[robot].plan);
        let parameters = std::mem::take(&mut self.evaluator.robots[robot].parameters);
        let is_parameter = |link: usize| parameters.iter().any(|other| other.link == link);
        for lump in robots::lumps(&plan, |link| !is_parameter(link)) {
            let evaluator = &mut self.evaluator;
            let frame = evaluator.robots[robot].frames[lump.link];
            let body = Body {
                frame,
                at: evaluator.reals(lump.at),
                mass: evaluator.real(lump.mass),
                inertia: lump.inertia.map(|row| evaluator.reals(row)),
            };
            self.add_robot_body((robot, lump.link), body);
        }
        for link in &parameters {
            let frame = self.evaluator.robots[robot].frames[link.link];
            for body in self.evaluator.parameter_bodies(frame, &link.entries) {
                self.add_robot_body((robot, link.link), body);
            }
        }
    }

    fn add_robot_body(&mut self, (robot, link): (usize, usize), body: Body) {
        let evaluator = &mut self.evaluator;
        let own = &evaluator.robots[robot];
        let (span, frame_name) = (own.span, own.written_link(link));
        evaluator.count_energy(&body);
        let graph = &evaluator.graph;
        let mut entries = body.inertia.iter().flatten();
        self.body_entries.push(BodyEntry {
            written: Written {
                span,
                attributes: Vec::new(),
            },
            has_mass: !graph.is_zero(body.mass),
            has_inertia: entries.any(|entry| !graph.is_zero(*entry)),
            frame: body.frame,
            frame_name: Some(frame_name),
            spin: evaluator.frames.spin(body.frame),
        });
        self.energies.has_bodies = true;
        self.bodies.masses.push(Mass {
            body,
            is_planar: false,
            is_placed: true,
            is_link: true,
            place: span.into(),
        });
    }

    /// Adds damping to D and smooth friction to Q.
    fn damping_of(&mut self, robot: usize) {
        let plan = Rc::clone(&self.evaluator.robots[robot].plan);
        let (friction, span) = {
            let own = &self.evaluator.robots[robot];
            (own.friction, own.span)
        };
        for (at, joint) in plan.joints.iter().enumerate() {
            if !matches!(joint.kind, Kind::Turn(_) | Kind::Slide(_)) {
                continue;
            }
            let evaluator = &mut self.evaluator;
            let Some((velocity, multiplier)) = evaluator.joint_rate(robot, at) else {
                continue;
            };
            let graph = &mut evaluator.graph;
            let symbol = graph.symbol(Symbol::Velocity(velocity as u32));
            if joint.damping != 0.0 {
                let square = graph.mul(symbol, symbol);
                let factor = number(joint.damping * multiplier * multiplier / 2.0);
                let dissipated = graph.scale(factor, square);
                self.energies.dissipation.values.push(dissipated);
            }
            if let Friction::Smooth(width) = friction
                && joint.friction.0 != 0.0
            {
                let argument = graph.scale(number(multiplier / width), symbol);
                let tanh = graph.unary(Unary::Tanh, argument);
                let force = graph.scale(number(-joint.friction.0 * multiplier), tanh);
                self.forces.add(ForceEntry {
                    kind: ForceKind::Generalized,
                    keyword: span,
                    attributes: Vec::new(),
                    generalized: vec![(velocity, force)],
                    of_all: false,
                    acts: true,
                    point: Vec::new(),
                });
            }
        }
    }
}

impl Evaluator<'_> {
    /// Bodies that have these ten inertial parameters together. Each parameter enters linearly: a first moment is a
    /// point mass at unit distance, and the body at the origin carries the rest.
    fn parameter_bodies(&mut self, frame: FrameId, ten: &[NodeId]) -> Vec<Body> {
        let &[mass, x, y, z, xx, xy, yy, xz, yz, zz] = ten else {
            return Vec::new();
        };
        let graph = &mut self.graph;
        let moments = [x, y, z];
        let (one, minus) = (Number::ONE, Number::MINUS_ONE);
        let zero = graph.integer(0);
        let rest = vec![(one, mass), (minus, x), (minus, y), (minus, z)];
        let rest = graph.sum(Number::ZERO, rest);
        let mut inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        for (axis, row) in inertia.iter_mut().enumerate() {
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            let terms = vec![(one, row[axis]), (minus, moments[j]), (minus, moments[k])];
            row[axis] = graph.sum(Number::ZERO, terms);
        }
        let mut bodies = vec![Body {
            frame,
            at: [zero; 3],
            mass: rest,
            inertia,
        }];
        for (axis, moment) in moments.into_iter().enumerate() {
            let mut at = [zero; 3];
            at[axis] = graph.integer(1);
            bodies.push(Body {
                frame,
                at,
                mass: moment,
                inertia: [[zero; 3]; 3],
            });
        }
        bodies
    }
}
