//! A robot of the head: its tree, its coordinates and its frames.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use lagrange_engine::{FrameId, Rotation};
use proc_macro2::{Ident, Span};

use crate::errors::Errors;
use crate::robots::{Declaration, Robot};
use crate::spans;
use crate::syntax::ast::{Expr, FieldDef, Statement, StatementKind};
use crate::syntax::parse;

/// A robot of the head.
pub(crate) struct LoweredRobot {
    pub(crate) name: Ident,
    pub(crate) declaration: Declaration,
    /// The span of the name of its file.
    pub(crate) span: Span,
    pub(crate) path: String,
    pub(crate) plan: Rc<Robot>,
    /// `base: free`
    pub(crate) base: Option<OwnJoint>,
    /// The coordinates of each joint, if it has free ones.
    pub(crate) joints: Vec<Option<OwnJoint>>,
    /// The velocities of all joints.
    pub(crate) velocities: Range<usize>,
    pub(crate) statements: Rc<RobotStatements>,
    /// The frame of each link, after the frames are made.
    pub(crate) frames: Vec<FrameId>,
    /// The frame of its root.
    pub(crate) placed: Option<FrameId>,
}

/// The first coordinate and the first velocity of a joint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OwnJoint {
    pub(crate) coordinate: usize,
    pub(crate) velocity: usize,
}

impl OwnJoint {
    /// The rotation of a base or of a floating joint. It follows the position.
    pub(super) fn rotation(self) -> Rotation {
        Rotation {
            coordinate: self.coordinate + 3,
            velocity: self.velocity + 3,
        }
    }
}

/// The statements of a robot.
pub(crate) struct RobotStatements {
    /// The value of each joint that another one moves, or that is held.
    pub(crate) values: HashMap<usize, Expr>,
    /// Links and their frames, parents first.
    pub(crate) frames: Vec<(usize, Expr)>,
    /// Bodies and forces.
    pub(crate) terms: Vec<Statement>,
}

impl RobotStatements {
    pub(crate) fn of(declaration: &Declaration, span: Span) -> Self {
        let robot = &declaration.robot;
        let mut valued = robot
            .joints
            .iter()
            .enumerate()
            .filter_map(|(number, joint)| joint.has_value().then_some(number));
        let mut links = std::iter::once(robot.root)
            .chain(robot.order.iter().map(|joint| robot.joints[*joint].child));
        let mut statements = RobotStatements {
            values: HashMap::new(),
            frames: Vec::new(),
            terms: Vec::new(),
        };
        for statement in read_text("", &declaration.write_statements(), span).1 {
            match statement.kind {
                StatementKind::Let { value, .. } => {
                    statements
                        .values
                        .extend(valued.next().map(|joint| (joint, value)));
                }
                StatementKind::Frame { value, .. } => {
                    statements
                        .frames
                        .extend(links.next().map(|link| (link, value)));
                }
                _ => statements.terms.push(statement),
            }
        }
        statements
    }
}

/// The fields and statements of this text, with this span.
pub(crate) fn read_text(
    fields: &str,
    statements: &str,
    span: Span,
) -> (Vec<FieldDef>, Vec<Statement>) {
    let text = format!("struct Robot {{ {fields} }} {statements}");
    let tokens = text.parse().unwrap_or_default();
    let mut errors = Errors::default();
    let read = parse(spans::move_to(span, tokens), &mut errors);
    debug_assert!(errors.is_empty(), "{text}");
    read.map_or_else(Default::default, |read| (read.fields, read.statements))
}
