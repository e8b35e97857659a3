//! Robots: frames, bodies, damping and friction from their files, and their place.
//!
//! The frames are created at their first use, or at the end, so that `place` comes before.

mod lowered;
mod paths;

pub(crate) use lowered::{LoweredRobot, OwnJoint, RobotStatements, read_text};

use std::rc::Rc;

use lagrange_engine::{FrameId, NodeId, Symbol};
use proc_macro2::Ident;

use super::evaluator::{Declarations, Evaluator, Passage};
use super::lowering::Lowering;
use super::scope::{Binding, BindingKind, Caller};
use crate::errors::Code;
use crate::suggest;
use crate::syntax::ast::{Expr, StatementKind, text};

/// The state around the statements of a robot.
struct Outside {
    passage: Passage,
    caller: Caller,
    warnings: usize,
}

impl Declarations {
    /// Each robot as a declaration of its own.
    pub(crate) fn write_robots(&self) -> Vec<String> {
        self.robots
            .iter()
            .map(|robot| robot.declaration.write_declaration())
            .collect()
    }
}

impl Evaluator<'_> {
    fn make_coordinate_symbols(&mut self, first: usize) -> [NodeId; 3] {
        let symbol = |i: usize| Symbol::Coordinate((first + i) as u32);
        [0, 1, 2].map(|i| self.graph.symbol(symbol(i)))
    }

    /// The value of a joint with one coordinate: its coordinate, or the value that its file or its lock gives.
    fn evaluate_joint_value(&mut self, robot: usize, joint: usize) -> Option<NodeId> {
        let statements = Rc::clone(&self.robots[robot].statements);
        if let Some(expr) = statements.values.get(&joint) {
            return self.evaluate(expr)?.as_scalar();
        }
        let joint = self.robots[robot].joints[joint]?;
        Some(
            self.graph
                .symbol(Symbol::Coordinate(joint.coordinate as u32)),
        )
    }

    /// Begins statements of a robot. They see only the robot and its parameters.
    fn enter_robot(&mut self, robot: usize) -> Outside {
        let declared = &self.robots[robot];
        let itself = Binding {
            name: declared.name.clone(),
            kind: BindingKind::Robot(robot),
            value: None,
            read: true,
            attributes: Vec::new(),
        };
        let seen: Vec<Binding> = declared
            .declaration
            .parameters
            .iter()
            .filter_map(|link| {
                let name = Ident::new(&declared.declaration.parameter(*link), declared.span);
                self.scope.find(&name).cloned()
            })
            .chain([itself])
            .collect();
        Outside {
            passage: self.enter(format!("`{}`", declared.declaration.name)),
            warnings: self.warnings.list.len(),
            caller: self.scope.enter_call(seen),
        }
    }

    /// Ends the statements of a robot. Their warnings are dropped, because the reader of the file has warned already.
    fn leave_robot(&mut self, outside: Outside) {
        self.scope.leave_call(outside.caller);
        self.warnings.list.truncate(outside.warnings);
        self.leave(outside.passage);
    }

    /// The frame of a link.
    pub(super) fn find_frame_of_link(&mut self, robot: usize, link: usize) -> Option<FrameId> {
        self.make_frames(robot);
        self.robots[robot].frames.get(link).copied()
    }

    /// Makes the frames at their first use.
    fn make_frames(&mut self, robot: usize) {
        if !self.robots[robot].frames.is_empty() {
            return;
        }
        let outside = self.enter_robot(robot);
        let statements = Rc::clone(&self.robots[robot].statements);
        // A frame without a mistake follows from those before it.
        let links = self.robots[robot].plan.links.len();
        self.robots[robot].frames = vec![FrameId::WORLD; links];
        for (link, expr) in &statements.frames {
            let declared = &self.robots[robot];
            let placed = declared.placed.filter(|_| *link == declared.plan.root);
            if let Some(frame) = placed.or_else(|| self.evaluate_frame(expr)) {
                self.robots[robot].frames[*link] = frame;
            }
        }
        self.leave_robot(outside);
    }
}

impl Lowering<'_> {
    /// Robots have bodies, so `L` is not allowed with them. Must be called before all statements.
    pub(super) fn announce_robots(&mut self) {
        let mut statements = self
            .evaluator
            .robots
            .iter()
            .flat_map(|robot| &robot.statements.terms);
        if statements.any(|term| matches!(term.kind, StatementKind::Block { .. })) {
            self.energies.note_parts("robot");
        }
    }

    /// `place arm at F;`
    pub(super) fn lower_place(&mut self, name: &Ident, frame: &Expr) {
        let evaluator = &mut self.evaluator;
        let written = text(name);
        let Some(robot) = evaluator.find_robot(name) else {
            let binding = evaluator.scope.find_mut(name);
            let is_mistaken = binding.is_some_and(|binding| {
                binding.read = true;
                binding.kind.is_mistaken()
            });
            let _none = evaluator.evaluate_frame(frame);
            if !is_mistaken && !evaluator.is_excused(name) {
                let names = evaluator
                    .robots
                    .iter()
                    .map(|robot| robot.declaration.name.as_str());
                let mut help = suggest::help(&written, names);
                if help.is_empty() {
                    help = format!(
                        "\n\nhelp: declare it among the fields, `{written}: robot = \"{written}.urdf\"`"
                    );
                }
                let message = format!("`{written}` is no robot{help}");
                evaluator.errors.error(name, Code::RobotPlace, message);
            }
            return;
        };
        let declared = &evaluator.robots[robot];
        let refused = if declared.base.is_some() {
            Some(format!(
                "`{written}` has a free base, which no frame holds\n\n\
                 help: remove `base: free`, or this statement"
            ))
        } else if declared.placed.is_some() {
            Some(format!(
                "`{written}` is placed twice\n\nhelp: remove one of them"
            ))
        } else if !declared.frames.is_empty() {
            Some(format!(
                "a frame of `{written}` was used before it is placed\n\n\
                 help: move this statement up, before the frame is used"
            ))
        } else {
            None
        };
        let frame = evaluator.evaluate_frame(frame);
        let declared = &evaluator.robots[robot];
        let refused = refused.or_else(|| {
            (!declared.frames.is_empty()).then(|| {
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
    pub(super) fn lower_robots(&mut self) {
        self.attributes.clear();
        let (first, parts) = (self.bodies.masses.len(), self.parts.len());
        let statements = self.energies.dissipation_statements.len();
        for robot in 0..self.evaluator.robots.len() {
            self.evaluator.make_frames(robot);
            let outside = self.evaluator.enter_robot(robot);
            let statements = Rc::clone(&self.evaluator.robots[robot].statements);
            for term in &statements.terms {
                self.evaluate_statement(term);
            }
            self.evaluator.leave_robot(outside);
        }
        for mass in &mut self.bodies.masses[first..] {
            mass.is_link = true;
        }
        // The file is the place of these, and no statement repeats them.
        self.parts.truncate(parts);
        self.energies.dissipation_statements.truncate(statements);
    }
}
