//! Adds displacements to coordinates and computes them: sums and differences, except for rotations.

use lagrange_engine::{Kinematics, Operations};
use proc_macro2::Ident;

use super::assembly::{elements, local, vector};
use super::context::Context;
use super::function::{Definition, Details};
use super::solve::Solver;
use crate::methods::Layout;

/// `[q[0] + d[0], ..]`, and `R exp(d)` for each rotation.
pub(super) fn integrate(context: &Context, _: &Solver) -> Definition {
    let kinematics = context.dynamics.kinematics();
    let rotations = kinematics.rotations().enumerate();
    let bindings = rotations.map(|(number, rotation)| {
        let q = elements("__q", rotation.coordinate..rotation.coordinate + 4);
        let d = elements("__d", rotation.velocity..rotation.velocity + 3);
        let turned = turned(number);
        format!("let {turned} = __rt::rotation::moved(&[{q}], &[{d}]);")
    });
    let bindings: String = bindings.collect();
    let entries =
        (0..kinematics.coordinate_count()).map(|i| match kinematics.velocity_of_coordinate(i) {
            Some(j) => format!("__q[{i}] + __d[{j}],"),
            None => of_rotation(kinematics, i),
        });
    let result = vector(entries.collect::<String>());
    let body = format!(
        "let (__q, __d) = (&q.data.0[0], &d.data.0[0]);
         {bindings}
         {result}"
    );
    Definition {
        body: body.into(),
        details: displacement(&context.skeleton.layout),
    }
}

/// The entry of the rotated quaternion for coordinate `i`.
fn of_rotation(kinematics: &Kinematics, i: usize) -> String {
    let mut rotations = kinematics.rotations().enumerate();
    let own =
        rotations.find(|(_, rotation)| (rotation.coordinate..rotation.coordinate + 4).contains(&i));
    match own {
        Some((number, rotation)) => {
            let turned = turned(number);
            let entry = i - rotation.coordinate;
            format!("{turned}[{entry}],")
        }
        None => String::new(),
    }
}

/// `[q1[0] - q0[0], ..]`, and the displacement between both for each rotation.
pub(super) fn difference(context: &Context, _: &Solver) -> Definition {
    let kinematics = context.dynamics.kinematics();
    let rotations = kinematics.rotations().enumerate();
    let bindings = rotations.map(|(number, rotation)| {
        let own = rotation.coordinate..rotation.coordinate + 4;
        let (from, to) = (elements("__q0", own.clone()), elements("__q1", own));
        let turned = turned(number);
        format!("let {turned} = __rt::rotation::difference(&[{from}], &[{to}]);")
    });
    let bindings: String = bindings.collect();
    let mut entries = String::new();
    for j in 0..kinematics.velocity_count() {
        let mut rotations = kinematics.rotations().enumerate();
        let own =
            rotations.find(|(_, rotation)| (rotation.velocity..rotation.velocity + 3).contains(&j));
        let entry = match own {
            Some((number, rotation)) => {
                let turned = turned(number);
                format!("{turned}[{}],", j - rotation.velocity)
            }
            None => {
                let i = kinematics.coordinate_of_velocity(j).unwrap_or(j);
                format!("__q1[{i}] - __q0[{i}],")
            }
        };
        entries += &entry;
    }
    let result = vector(entries);
    let body = format!(
        "let (__q0, __q1) = (&q0.data.0[0], &q1.data.0[0]);
         {bindings}
         {result}"
    );
    Definition {
        body: body.into(),
        details: displacement(&context.skeleton.layout),
    }
}

/// Zeros, and (0, 0, 0, 1) for each rotation.
pub(super) fn neutral(context: &Context, _: &Solver) -> Definition {
    let kinematics = context.dynamics.kinematics();
    let entries = (0..kinematics.coordinate_count()).map(|i| {
        let is_real = kinematics
            .rotation_of_coordinate(i)
            .is_some_and(|rotation| rotation.coordinate + 3 == i);
        if is_real {
            "__rt::math::constant::<S>(1.0),".to_owned()
        } else {
            "__rt::math::constant::<S>(0.0),".to_owned()
        }
    });
    Definition {
        body: vector(entries.collect::<String>()).into(),
        details: Details::default(),
    }
}

/// The local for the result of a rotation.
fn turned(number: usize) -> Ident {
    local(&format!("__r{number}"))
}

/// The operation counts of `integrate` and `difference`.
fn displacement(layout: &Layout) -> Details {
    let rotations = layout.coordinates - layout.velocities;
    let scalars = layout.velocities - 3 * rotations;
    let beyond = if rotations > 0 {
        ", and for each rotation an exponential map or its inverse"
    } else {
        ""
    };
    Details {
        operations: Operations {
            additions: scalars as u32,
            ..Operations::default()
        },
        beyond: beyond.into(),
        ..Details::default()
    }
}
