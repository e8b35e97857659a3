//! A system without errors, with its equations.

use lagrange_engine::{Dynamics, Routines};

use super::skeleton::Skeleton;
use super::symbols::Parameters;
use crate::methods::Layout;
use crate::model::Model;

/// The sizes of a system without errors.
pub(crate) fn layout(model: &Model, dynamics: &Dynamics) -> Layout {
    let sizes = dynamics.sizes();
    let redundant = model.head.options.redundant.is_some();
    let rank_on_constraints = match redundant {
        true => dynamics.rank_on_constraints(),
        false => sizes.constraints,
    };
    Layout {
        coordinates: sizes.coordinates,
        velocities: sizes.velocities,
        states: sizes.states,
        inputs: model.head.input_count(),
        constraints: sizes.constraints,
        holonomic: sizes.holonomic,
        contacts: sizes.contacts,
        slips: dynamics.slip_counts(),
        dry_joints: dynamics.dry_joints(),
        time: model.head.time.is_some(),
        by_lagrangian: !dynamics.is_natural(),
        quadratic: dynamics.is_quadratic(),
        coriolis_matrix: model.has_coriolis_matrix,
        hessian: model.head.options.hessian.is_some(),
        midpoint_step: model.has_midpoint_step,
        redundant,
        reacting: model.reacting,
        rank_on_constraints,
    }
}

/// A system with its equations, ready for printing.
pub(super) struct Context<'a> {
    pub(super) skeleton: Skeleton<'a>,
    pub(super) model: &'a Model,
    pub(super) dynamics: &'a Dynamics,
    routines: Routines<'a>,
    pub(super) parameters: Parameters,
}

impl<'a> Context<'a> {
    pub(super) fn new(model: &'a Model, dynamics: &'a Dynamics) -> Self {
        let layout = layout(model, dynamics);
        let redundant = layout.redundant;
        Context {
            skeleton: Skeleton::new(&model.head, layout),
            model,
            dynamics,
            routines: Routines::new(dynamics).with_redundant_rows(redundant),
            parameters: Parameters::new(&model.head.parameters),
        }
    }

    /// The routines that all printers read.
    pub(super) fn routines(&self) -> &Routines<'a> {
        &self.routines
    }
}

#[cfg(test)]
mod tests {
    use super::Context;
    use crate::errors::Errors;
    use crate::expand::read;
    use crate::generated::Method;
    use crate::methods::{METHODS, Row};

    /// The engine knows the requirements of methods from equations, the declaration from names.
    #[test]
    fn the_engine_has_the_methods_of_the_declaration() {
        for text in [
            "struct Free { x, y: coordinate } T = der(x)^2 + der(y)^2;",
            "struct Quadratic { x: coordinate } L = der(x)^2 - x^2;",
            "struct Quartic { x: coordinate } L = der(x)^4 + der(x)^2;",
            "struct Rod { p: coordinate[2] } T = der(p)^2; holonomic rod: p^2 = 1;",
            "struct Sled { p: coordinate[2] } T = der(p)^2; nonholonomic blade: der(p.x) = p.y * der(p.y);",
            "struct Both { p: coordinate[3] } T = der(p)^2; holonomic rod: p^2 = 1; nonholonomic blade: der(p.x) = 0;",
            "struct Ball { p: coordinate[3], R: rotation } T = der(p)^2 + der(R)^2; contact floor: p.z >= 0;",
            "struct Rubbing { p: coordinate[2] } T = der(p)^2; holonomic floor: p.y = 0; \
             Q.p.x = -multiplier(floor) * tanh(der(p.x));",
            "struct Motor { angle: coordinate, i: state } T = der(angle)^2; der(i) = -i; Q.angle = i;",
            "struct Held { p: coordinate[2], z: state } T = der(p)^2; holonomic rod: p^2 = 1; der(z) = p.x;",
            "struct Sliding { p: coordinate[2] } T = der(p)^2; contact floor: p.y >= 0; \
             Q.p.x = -multiplier(floor) * tanh(der(p.x));",
        ] {
            // The engine has a method that a declaration only has on request.
            let text = format!("#[lagrangian(hessian)] {text}");
            let mut errors = Errors::default();
            let read = read(text.parse().unwrap(), &mut errors);
            let Some((_, Ok(sound))) = read else {
                panic!("{text}: {}", errors.into_compile_errors());
            };
            let context = Context::new(&sound.model, &sound.dynamics);
            let layout = &context.skeleton.layout;
            // `rhs` writes the value of `state_derivative` to an array.
            let is_compared = |row: &&Row| {
                // The bounds are for `midpoint_step`, which has no states.
                !matches!(row.method, Method::Rhs | Method::Resolve)
                    && (layout.states == 0 || !row.is_of_midpoint_rule())
            };
            for row in METHODS.iter().filter(is_compared) {
                let routine = context.routines().method(row.name());
                let name = row.name();
                assert_eq!(row.exists(layout), routine.is_some(), "{name}: {text}");
            }
        }
    }
}
