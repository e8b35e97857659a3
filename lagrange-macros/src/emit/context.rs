//! A sound system with its equations.

use lagrange_engine::{Dynamics, Shape};

use super::signature::Layout;
use super::skeleton::Skeleton;
use crate::model::{Declared, Model};

/// A system with its equations, ready to be written out.
pub(super) struct Context<'a> {
    pub(super) skeleton: Skeleton<'a>,
    pub(super) model: &'a Model,
    pub(super) dynamics: &'a Dynamics,
    /// How generated code reads each element of the parameters: `self.m`, `self.k[2]`.
    pub(super) parameters: Vec<String>,
}

impl<'a> Context<'a> {
    pub(super) fn new(model: &'a Model, dynamics: &'a Dynamics) -> Self {
        let sizes = dynamics.sizes();
        let layout = Layout {
            coordinates: sizes.coordinates,
            velocities: sizes.velocities,
            inputs: model.head.input_count(),
            constraints: sizes.constraints,
            holonomic: sizes.holonomic,
            time: model.head.time.is_some(),
            by_lagrangian: !dynamics.is_natural(),
            quadratic: dynamics.is_quadratic(),
            coriolis_matrix: model.has_coriolis_matrix,
        };
        Context {
            skeleton: Skeleton::new(&model.head, layout),
            model,
            dynamics,
            parameters: model.head.parameters.iter().flat_map(accessors).collect(),
        }
    }
}

/// The expressions of a parameter's elements.
fn accessors(parameter: &Declared) -> Vec<String> {
    let name = &parameter.name;
    match parameter.shape {
        Shape::Scalar => vec![format!("self.{name}")],
        Shape::Vector(length) => (0..length).map(|i| format!("self.{name}[{i}]")).collect(),
        Shape::Matrix(rows, columns) => (0..rows * columns)
            .map(|i| format!("self.{name}[{}][{}]", i / columns, i % columns))
            .collect(),
    }
}
