//! Coordinates moved by displacements, and the inverse: sums and differences, except for rotations.

use super::builder::Builder;
use super::system::Routines;
use crate::codegen::Routine;
use crate::codegen::routine::Kernel;

/// Runs of coordinates that are not parts of rotations: first coordinate, first velocity, length.
fn runs(routines: &Routines) -> Vec<(usize, usize, usize)> {
    let kinematics = routines.dynamics.kinematics();
    let mut runs = Vec::new();
    let (mut coordinate, mut velocity) = (0, 0);
    for rotation in kinematics.rotations() {
        runs.push((coordinate, velocity, rotation.coordinate - coordinate));
        (coordinate, velocity) = (rotation.coordinate + 4, rotation.velocity + 3);
    }
    runs.push((
        coordinate,
        velocity,
        kinematics.coordinate_count() - coordinate,
    ));
    runs.retain(|(.., length)| *length > 0);
    runs
}

/// q + d, and R exp(d) for each rotation.
pub(super) fn integrate(routines: &Routines) -> Routine {
    let mut builder = Builder::timeless(routines, "integrate", &["q", "d"]);
    let (q, d) = (builder.argument("q"), builder.argument("d"));
    let moved = builder.vector("moved", routines.sizes().coordinates);
    for (i, j, length) in runs(routines) {
        builder.copy(q.part(i, length), moved.part(i, length));
        builder.add(1.0, d.part(j, length), moved.part(i, length));
    }
    for rotation in routines.dynamics.kinematics().rotations() {
        let [from, to] = [q, moved].map(|view| view.part(rotation.coordinate, 4));
        builder.kernel(Kernel::Moved, &[from, d.part(rotation.velocity, 3)], &[to]);
    }
    builder.finish()
}

/// q1 - q0, and for each rotation the displacement between both.
pub(super) fn difference(routines: &Routines) -> Routine {
    let mut builder = Builder::timeless(routines, "difference", &["q0", "q1"]);
    let (from, to) = (builder.argument("q0"), builder.argument("q1"));
    let d = builder.vector("d", routines.sizes().velocities);
    for (i, j, length) in runs(routines) {
        builder.copy(to.part(i, length), d.part(j, length));
        builder.add(-1.0, from.part(i, length), d.part(j, length));
    }
    for rotation in routines.dynamics.kinematics().rotations() {
        let ends = [from, to].map(|view| view.part(rotation.coordinate, 4));
        builder.kernel(Kernel::Difference, &ends, &[d.part(rotation.velocity, 3)]);
    }
    builder.finish()
}

/// Zeros, and (0, 0, 0, 1) for each rotation.
pub(super) fn neutral(routines: &Routines) -> Routine {
    let mut builder = Builder::timeless(routines, "neutral", &[]);
    let q = builder.vector("q", routines.sizes().coordinates);
    builder.fill(q, 0.0);
    for rotation in routines.dynamics.kinematics().rotations() {
        builder.fill(q.part(rotation.coordinate + 3, 1), 1.0);
    }
    builder.finish()
}
