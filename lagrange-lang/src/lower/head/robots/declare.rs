//! Declares the coordinates and parameters of robots.

use std::rc::Rc;

use lagrange_engine::{Rotation, Shape, Symbol};
use proc_macro2::Ident;
use syn::parse_quote;

use super::{Said, Written};
use crate::errors::Code;
use crate::generated::AssociatedConstant;
use crate::lower::head::Fields;
use crate::lower::head::sizes::MAX_PARAMETERS;
use crate::lower::names;
use crate::lower::robots::{Friction, LoweredRobot, OwnBase, OwnJoint, ParameterLink};
use crate::lower::scope::{Binding, BindingKind};
use crate::lower::value::Value;
use crate::model::{Declared, RobotItem, Velocity};
use crate::robots::{self, Kind, Limits, Motion, Robot, RobotJoint};
use crate::suggest;
use crate::syntax::ast::{FieldDef, text};
use crate::syntax::field_of;

impl Fields<'_> {
    pub(super) fn declare_robot(
        &mut self,
        name: &Ident,
        plan: &Rc<Robot>,
        said: &Said<'_>,
        written: Written<'_>,
        field: &FieldDef,
    ) {
        let number = self.evaluator.robots.len();
        let kind = BindingKind::Robot(number);
        let is_new = self.evaluator.scope.find(name).is_none();
        let is_valid = names::check(name, kind, &self.evaluator.scope, self.evaluator.errors);
        let has_constant = !is_valid || self.check_constant(name);
        let is_free = is_valid && has_constant;
        if !is_free {
            self.declare_again(name, kind);
            if !is_new {
                return;
            }
        }
        let token = Ident::new(&text(name), written.span);
        let token = match syn::parse_str::<Ident>(&text(name)) {
            Ok(_) => token,
            Err(_) => Ident::new_raw(&text(name), written.span),
        };
        let file =
            |place: robots::Place| format!("{}:{}:{}", written.path, place.line, place.column);
        let root = plan.links[plan.root].place;
        let base = said.is_free.then(|| self.declare_base(&token, &file(root)));
        let first = self.head.velocity_count();
        let joints = plan.joints.iter();
        let joints = joints.map(|joint| {
            joint
                .is_free()
                .then(|| self.declare_joint(&token, joint, &file(joint.place)))
        });
        let joints: Vec<Option<OwnJoint>> = joints.collect();
        let velocities = first..self.head.velocity_count();
        let parameters = self.declare_parameters(&token, plan, said, field);
        let values = joints.iter().zip(&plan.joints).filter_map(|(own, joint)| {
            let own = (*own)?;
            let count = joint.kind.sizes().0;
            Some(own.coordinate..own.coordinate + count)
        });
        let values: Vec<usize> = values.flatten().collect();
        let floats = plan
            .joints
            .iter()
            .any(|joint| joint.is_free() && joint.kind == Kind::Floating);
        let graph = &mut self.evaluator.graph;
        let value = (!floats && !values.is_empty()).then(|| {
            let entries = values.iter();
            let entries = entries.map(|i| graph.symbol(Symbol::Coordinate(*i as u32)));
            Value::vector(entries.collect())
        });
        if is_free {
            self.evaluator.scope.declare(Binding {
                name: name.clone(),
                kind,
                value,
                read: false,
                attributes: field.attributes.clone(),
            });
        }
        let with_coordinates = plan.joints.iter().filter(|joint| joint.is_free());
        self.head.robots.push(RobotItem {
            has_constant,
            name: name.clone(),
            path: written.path.to_owned(),
            joints: with_coordinates
                .map(|joint| {
                    let Limits {
                        lower,
                        upper,
                        velocity,
                        effort,
                    } = joint.limits;
                    (joint.name.clone(), [lower, upper, velocity, effort])
                })
                .collect(),
            notes: notes(plan, said, written.path),
        });
        self.evaluator.robots.push(LoweredRobot {
            name: text(name),
            span: written.span,
            path: written.path.to_owned(),
            plan: Rc::clone(plan),
            base,
            joints,
            velocities,
            parameters,
            friction: said.friction.unwrap_or(Friction::Ignore),
            frames: Vec::new(),
            placed: None,
        });
    }

    /// Checks that the constant of the joints, which has the name of the robot, does not clash with another item.
    fn check_constant(&mut self, name: &Ident) -> bool {
        let constant = text(name).to_uppercase();
        let of_system = AssociatedConstant::ALL.iter();
        let mut taken = of_system.map(|constant| constant.name().to_owned());
        let mut of_robots = self.head.robots.iter().map(RobotItem::constant);
        if !taken.any(|other| other == constant) && !of_robots.any(|other| other == constant) {
            return true;
        }
        let message = format!(
            "duplicate name: the joints of `{name}` become the constant `{constant}`, which is there already\n\n\
             help: choose another name"
        );
        self.evaluator
            .errors
            .error(name, Code::DuplicateName, message);
        false
    }

    fn declare_base(&mut self, token: &Ident, file: &str) -> OwnBase {
        let (position, velocity) =
            self.add_coordinate((token, file), "base.position", Shape::Vector(3), false);
        let (coordinate, turning) =
            self.add_coordinate((token, file), "base.rotation", Shape::Vector(4), true);
        OwnBase {
            position: OwnJoint {
                coordinate: position,
                velocity,
            },
            rotation: Rotation {
                coordinate,
                velocity: turning,
            },
        }
    }

    fn declare_joint(&mut self, token: &Ident, joint: &RobotJoint, file: &str) -> OwnJoint {
        let name = &joint.name;
        let (coordinate, velocity) = match joint.kind {
            Kind::Floating => {
                let position = format!("{name}.position");
                let first = self.add_coordinate((token, file), &position, Shape::Vector(3), false);
                let rotation = format!("{name}.rotation");
                self.add_coordinate((token, file), &rotation, Shape::Vector(4), true);
                first
            }
            Kind::Planar { .. } => {
                self.add_coordinate((token, file), name, Shape::Vector(3), false)
            }
            _ => self.add_coordinate((token, file), name, Shape::Scalar, false),
        };
        OwnJoint {
            coordinate,
            velocity,
        }
    }

    /// Declares a coordinate of a robot. Returns its first coordinate and its first velocity.
    fn add_coordinate(
        &mut self,
        (token, file): (&Ident, &str),
        name: &str,
        shape: Shape,
        is_rotation: bool,
    ) -> (usize, usize) {
        let velocity = self.head.velocity_count();
        let names = &mut self.evaluator.names;
        let first = names.coordinates.len();
        let declared = Declared {
            name: token.clone(),
            path: Some(format!("{}.{name}", text(token))),
            file: Some(file.to_owned()),
            attributes: Vec::new(),
            shape,
            default: None,
            velocity: match is_rotation {
                true => Velocity::Rotation(velocity),
                false => Velocity::Rates(velocity),
            },
        };
        names.coordinates.extend(declared.element_names());
        if is_rotation {
            names.rotations.push(first);
        }
        self.head.coordinates.push(declared);
        (first, velocity)
    }

    fn declare_parameters(
        &mut self,
        token: &Ident,
        plan: &Robot,
        said: &Said<'_>,
        field: &FieldDef,
    ) -> Vec<ParameterLink> {
        let mut parameters: Vec<ParameterLink> = Vec::new();
        for part in &said.parameters {
            let Some(link) = plan.link(&part.name) else {
                let names = plan.links.iter().map(|link| link.name.as_str());
                let help = plan.link_of_joint(&part.name);
                let help = help.unwrap_or_else(|| suggest::help(&part.name, names));
                let message = format!("the robot has no link `{}`{help}", part.name);
                self.evaluator
                    .errors
                    .error(part.span, Code::RobotName, message);
                continue;
            };
            if parameters.iter().any(|other| other.link == link) {
                let message = format!(
                    "the link `{}` is listed twice\n\nhelp: remove one of them",
                    part.name
                );
                self.evaluator
                    .errors
                    .error(part.span, Code::RobotOption, message);
                continue;
            }
            let first = self.evaluator.names.parameters.len();
            if first + 10 > MAX_PARAMETERS {
                let message = format!(
                    "a system has at most {MAX_PARAMETERS} elements of parameters\n\nhelp: list fewer links"
                );
                self.evaluator
                    .errors
                    .error(part.span, Code::TooMany, message);
                break;
            }
            let name = Ident::new(&field_of(&[text(token), part.name.clone()]), part.span);
            let kind = BindingKind::Parameter;
            if !names::check(&name, kind, &self.evaluator.scope, self.evaluator.errors) {
                continue;
            }
            let docs = format!(
                "Mass, first moments and moments of inertia about the origin of the link `{}`: m, m c (3), \
                 Ixx, Ixy, Iyy, Ixz, Iyz, Izz.",
                part.name
            );
            let mut attributes = field.attributes.clone();
            attributes.push(parse_quote!(#[doc = #docs]));
            let shape = Shape::Vector(10);
            let declared = Declared {
                name: name.clone(),
                path: None,
                file: None,
                attributes: attributes.clone(),
                shape,
                default: Some(ten_numbers(plan, link).to_vec()),
                velocity: Velocity::None,
            };
            let names = &mut self.evaluator.names.parameters;
            names.extend(declared.element_names());
            self.head.parameters.push(declared);
            let graph = &mut self.evaluator.graph;
            let symbols = (first..first + 10).map(|i| graph.symbol(Symbol::Parameter(i as u32)));
            let entries: Vec<_> = symbols.collect();
            self.evaluator.scope.declare(Binding {
                name,
                kind,
                value: Some(Value {
                    shape,
                    entries: entries.clone(),
                }),
                // The robot reads it.
                read: true,
                attributes,
            });
            parameters.push(ParameterLink { link, entries });
        }
        parameters
    }
}

/// Mass, first moments and moments about the origin of a link, in Pinocchio's order.
fn ten_numbers(plan: &Robot, link: usize) -> [f64; 10] {
    let Some(inertial) = &plan.links[link].inertial else {
        return [0.0; 10];
    };
    let (m, c) = (inertial.mass, inertial.at);
    let square = c.iter().map(|entry| entry * entry).sum::<f64>();
    let moment = |i: usize, j: usize| {
        let of_point = if i == j { square } else { 0.0 } - c[i] * c[j];
        inertial.inertia[i][j] + m * of_point
    };
    [
        m,
        m * c[0],
        m * c[1],
        m * c[2],
        moment(0, 0),
        moment(0, 1),
        moment(1, 1),
        moment(0, 2),
        moment(1, 2),
        moment(2, 2),
    ]
}

/// The parts of the file that are not used, one line for each kind.
fn notes(plan: &Robot, said: &Said<'_>, path: &str) -> Vec<String> {
    let at = |place: robots::Place| format!("{path}:{}:{}", place.line, place.column);
    let notes = plan
        .notes
        .0
        .iter()
        .map(|(what, (count, place))| match count {
            1 => format!("{what}, {}", at(*place)),
            count => format!("{what}, {count} times, first {}", at(*place)),
        });
    let mut notes: Vec<String> = notes.collect();
    // Damping and friction act only on joints with one coordinate.
    let moves = |joint: &RobotJoint| {
        let is_single = matches!(joint.kind, Kind::Turn(_) | Kind::Slide(_));
        is_single && !matches!(joint.motion, Motion::Held(_))
    };
    let is_smooth = matches!(said.friction, Some(Friction::Smooth(_)));
    let joints = plan.joints.iter();
    let rubbing = joints.filter(|joint| joint.friction.0 != 0.0 && !(is_smooth && moves(joint)));
    notes.extend(rubbing.map(|joint| {
        let (value, place) = joint.friction;
        format!(
            "the friction {value} of the joint `{}`, {}",
            joint.name,
            at(place)
        )
    }));
    let joints = plan.joints.iter();
    let held = joints.filter(|joint| joint.damping != 0.0 && !moves(joint));
    notes.extend(held.map(|joint| {
        format!(
            "the damping {} of the joint `{}`, {}",
            joint.damping,
            joint.name,
            at(joint.place)
        )
    }));
    notes
}
