//! Declares the coordinates and parameters of robots.

use std::rc::Rc;

use lagrange_engine::Symbol;
use proc_macro2::Ident;
use syn::parse_quote;

use super::{Said, Written};
use crate::errors::Code;
use crate::generated::AssociatedConstant;
use crate::lower::head::Fields;
use crate::lower::names;
use crate::lower::robots::{LoweredRobot, OwnJoint, RobotStatements, read_text};
use crate::lower::scope::{Binding, BindingKind};
use crate::lower::value::Value;
use crate::model::RobotItem;
use crate::robots::{Declaration, Kind, Limits, Robot, ten_numbers};
use crate::suggest;
use crate::syntax::ast::{FieldDef, RobotPart, text};

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
        let mut declaration = Declaration {
            robot: Rc::clone(plan),
            name: text(name),
            has_free_base: said.is_free,
            parameters: Vec::new(),
            friction: said.friction.flatten(),
        };
        let mut next = OwnJoint {
            coordinate: self.head.coordinate_count(),
            velocity: self.head.velocity_count(),
        };
        let mut take = |(coordinates, velocities)| {
            let first = next;
            next.coordinate += coordinates;
            next.velocity += velocities;
            first
        };
        let base = said.is_free.then(|| take(Kind::Floating.sizes()));
        let joints: Vec<Option<OwnJoint>> = plan
            .joints
            .iter()
            .map(|joint| joint.is_free().then(|| take(joint.kind.sizes())))
            .collect();
        self.declare_coordinates(&token, &declaration, written);
        for part in &said.parameters {
            if let Some(link) = self.declare_parameters(part, &declaration, field) {
                declaration.parameters.push(link);
            }
        }
        let (coordinates, velocities) = plan.sizes();
        let graph = &mut self.evaluator.graph;
        // Coordinates of a floating joint are no vector.
        let value = (coordinates == velocities && coordinates > 0).then(|| {
            let entries = next.coordinate - coordinates..next.coordinate;
            let entries = entries
                .map(|i| graph.symbol(Symbol::Coordinate(i as u32)))
                .collect();
            Value::vector(entries)
        });
        let velocities = next.velocity - velocities..next.velocity;
        if is_free {
            self.evaluator.scope.declare(Binding {
                name: name.clone(),
                kind,
                value,
                read: false,
                attributes: field.attributes.clone(),
            });
        }
        let limits = plan
            .joints
            .iter()
            .filter(|joint| joint.is_free())
            .map(|joint| {
                let Limits {
                    lower,
                    upper,
                    velocity,
                    effort,
                } = joint.limits;
                (joint.name.clone(), [lower, upper, velocity, effort])
            })
            .collect();
        self.head.robots.push(RobotItem {
            has_constant,
            name: name.clone(),
            path: written.path.to_owned(),
            joints: limits,
            notes: notes(plan, said, written.path),
        });
        self.evaluator.robots.push(LoweredRobot {
            name: token,
            span: written.span,
            path: written.path.to_owned(),
            plan: Rc::clone(plan),
            base,
            joints,
            velocities,
            statements: Rc::new(RobotStatements::of(&declaration, written.span)),
            declaration,
            frames: Vec::new(),
            placed: None,
        });
    }

    /// Checks that the constant of the joints, which has the name of the robot, does not clash with another item.
    fn check_constant(&mut self, name: &Ident) -> bool {
        let constant = text(name).to_uppercase();
        let is_of_system = AssociatedConstant::ALL
            .iter()
            .any(|other| other.name() == constant);
        let is_of_robot = self
            .head
            .robots
            .iter()
            .any(|robot| robot.constant() == constant);
        if !is_of_system && !is_of_robot {
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

    fn declare_coordinates(
        &mut self,
        token: &Ident,
        declaration: &Declaration,
        Written { path, span }: Written<'_>,
    ) {
        let coordinates = declaration.coordinates();
        let text: String = coordinates
            .iter()
            .map(|(.., role)| role)
            .map(|role| format!("part: {role}, "))
            .collect();
        let fields = read_text(&text, "", span).0;
        for ((name, place, _), mut field) in coordinates.into_iter().zip(fields) {
            field.in_file = Some((name, place.in_file(path)));
            if let Some(shape) = self.check_shape(&field) {
                self.add(&field, token, shape);
            }
        }
    }

    /// Declares the ten inertial parameters of a link. Returns the link.
    fn declare_parameters(
        &mut self,
        part: &RobotPart,
        declaration: &Declaration,
        robot: &FieldDef,
    ) -> Option<usize> {
        let plan = &declaration.robot;
        let Some(link) = plan.link(&part.name) else {
            let names = plan.links.iter().map(|link| link.name.as_str());
            let help = plan.link_of_joint(&part.name);
            let help = help.unwrap_or_else(|| suggest::help(&part.name, names));
            let message = format!("the robot has no link `{}`{help}", part.name);
            let evaluator = &mut self.evaluator;
            return evaluator.refuse(part.span, Code::RobotName, message);
        };
        if declaration.parameters.contains(&link) {
            let message = format!(
                "the link `{}` is listed twice\n\nhelp: remove one of them",
                part.name
            );
            let evaluator = &mut self.evaluator;
            return evaluator.refuse(part.span, Code::RobotOption, message);
        }
        let text = format!("{}: parameter[10]", declaration.parameter(link));
        let mut field = read_text(&text, "", part.span).0.pop()?;
        let docs = declaration.describe_parameter(link);
        field.attributes.clone_from(&robot.attributes);
        field.attributes.push(parse_quote!(#[doc = #docs]));
        let mistakes = self.evaluator.errors.count();
        self.declare_field(&field);
        if self.evaluator.errors.count() > mistakes {
            return None;
        }
        let declared = self.head.parameters.last_mut()?;
        declared.default = Some(ten_numbers(plan, link).to_vec());
        // The robot reads it.
        self.evaluator.scope.find_mut(&declared.name)?.read = true;
        Some(link)
    }
}

/// The parts of the file that are not used, one line for each kind.
fn notes(plan: &Robot, said: &Said<'_>, path: &str) -> Vec<String> {
    let mut notes: Vec<String> = plan
        .notes
        .0
        .iter()
        .map(|(what, (count, place))| match count {
            1 => format!("{what}, {}", place.in_file(path)),
            count => format!("{what}, {count} times, first {}", place.in_file(path)),
        })
        .collect();
    let is_smooth = said.friction.flatten().is_some();
    let rubbing = plan
        .joints
        .iter()
        .filter(|joint| joint.friction.0 != 0.0 && !(is_smooth && joint.takes_forces()));
    notes.extend(rubbing.map(|joint| {
        let (value, place) = joint.friction;
        format!(
            "the friction {value} of the joint `{}`, {}",
            joint.name,
            place.in_file(path)
        )
    }));
    let held_joints = plan
        .joints
        .iter()
        .filter(|joint| joint.damping != 0.0 && !joint.takes_forces());
    notes.extend(held_joints.map(|joint| {
        format!(
            "the damping {} of the joint `{}`, {}",
            joint.damping,
            joint.name,
            joint.place.in_file(path)
        )
    }));
    notes
}
