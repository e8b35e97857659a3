//! Inertias of links: turned, merged, left out.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{Matrix3, SVector, matrix, vector};

use super::support::close;

lagrangian! {
    struct Turned { arm: robot = "robots/files/inertial_turned.urdf" }
}

/// diag(1, 2, 2.5) turned by 90 degrees about z has 2 about the link's x axis.
#[test]
fn the_tensor_is_turned_by_the_origin_of_the_inertial() {
    close(
        Turned::default().mass_matrix(&vector![0.3]).iter().copied(),
        [2.0],
    );
}

lagrangian! {
    struct AtOrigin { arm: robot = "robots/files/inertial_at_origin.urdf" }
}

#[test]
fn an_inertial_without_origin_is_at_the_origin() {
    close(
        AtOrigin::default()
            .mass_matrix(&vector![0.3])
            .iter()
            .copied(),
        [2.5],
    );
}

lagrangian! {
    struct MergedTurned { arm: robot = "robots/files/merged_turned.urdf" }
    pub frame b = arm.b;
}

#[test]
fn a_fixed_child_is_turned_into_its_parent() {
    let system = MergedTurned::default();
    let m = system.mass_matrix(&system.neutral());
    close(
        m.fixed_view::<3, 3>(3, 3).iter().copied(),
        matrix![3.0, 0.0, 0.0; 0.0, 3.0, 0.0; 0.0, 0.0, 5.0]
            .iter()
            .copied(),
    );
    close(
        m.fixed_view::<3, 3>(0, 0).diagonal().iter().copied(),
        [2.0; 3],
    );
    // Its link stays a frame, of exact entries.
    let pose = system.b(&system.neutral());
    assert_eq!(
        pose.rotation,
        matrix![0.0, -1.0, 0.0; 1.0, 0.0, 0.0; 0.0, 0.0, 1.0]
    );
}

lagrangian! {
    struct MergedShifted { arm: robot = "robots/files/merged_shifted.urdf" }
}

/// a at the origin, b of mass 1 at (0, 0, 2), c a point of mass 3 at b + Rz(90) (1, 0, 0) = (0, 1, 2).
#[test]
fn a_shifted_child_adds_its_second_moments() {
    let system = MergedShifted::default();
    let m = system.mass_matrix(&system.neutral());
    let own: Matrix3<f64> = matrix![3.0, 0.0, 0.0; 0.0, 3.0, 0.0; 0.0, 0.0, 5.0];
    let b: Matrix3<f64> = 1.0 * matrix![4.0, 0.0, 0.0; 0.0, 4.0, 0.0; 0.0, 0.0, 0.0];
    let c: Matrix3<f64> = 3.0 * matrix![5.0, 0.0, 0.0; 0.0, 4.0, -2.0; 0.0, -2.0, 1.0];
    close(
        m.fixed_view::<3, 3>(3, 3).iter().copied(),
        (own + b + c).iter().copied(),
    );
    // m [c]x: the momentum of w = x is m (w x c) = (0, -m c_z, m c_y).
    close(m.fixed_view::<3, 1>(0, 3).iter().copied(), [0.0, -8.0, 3.0]);
}

lagrangian! {
    struct Tail { arm: robot = "robots/files/tail.urdf" }
    gravity [0, 0, -10];
}

#[test]
fn a_fixed_tail_counts() {
    let system = Tail::default();
    close(system.mass_matrix(&vector![0.2]).iter().copied(), [0.5]);
    // V = m g z, z = -0.5 sin q about y.
    let q = 0.3_f64;
    close(
        [system.potential_energy(&vector![q])],
        [2.0 * 10.0 * -0.5 * q.sin()],
    );
    let limits = Tail::ARM[0];
    assert_eq!(
        (limits.name, limits.lower, limits.upper),
        ("swing", -1.0, 1.0)
    );
    assert_eq!((limits.velocity, limits.effort), (2.0, 0.0));
}

lagrangian! {
    struct Massless { arm: robot = "robots/files/massless.urdf" }
    pub frame zero = arm.zero;
}

/// Links without inertial or with mass 0 are frames; a point mass has no tensor.
#[test]
fn links_without_mass_are_frames() {
    let system = Massless::default();
    close(
        system.mass_matrix(&vector![0.4]).iter().copied(),
        [2.0 * 0.25],
    );
    close(
        system.zero(&vector![0.4]).rotation.iter().copied(),
        lagrangian::nalgebra::Rotation3::from_axis_angle(&SVector::<f64, 3>::z_axis(), 0.4)
            .matrix()
            .iter()
            .copied(),
    );
}

lagrangian! {
    struct Saved { arm: robot = "robots/files/massless_tip.urdf" }
    body { frame: arm.tip, mass: 2, at: [0.5, 0, 0] }
}

/// A tip without mass is no mistake of a robot that carries a body there: two links about z, the first of
/// moment 1, the second a point of mass 2 at 0.5 behind the length 1.
#[test]
fn a_body_on_a_massless_tip_saves_it() {
    let q = vector![0.3, 0.7_f64];
    let c = q[1].cos();
    let (own, both) = (2.0 * 0.25, 2.0 * (0.25 + 0.5 * c));
    close(
        Saved::default().mass_matrix(&q).iter().copied(),
        [1.0 + 2.0 * (1.25 + c), both, both, own],
    );
}

#[allow(deprecated)]
mod impossible {
    lagrangian::lagrangian! {
        pub(crate) struct Impossible { arm: robot = "robots/files/impossible.urdf" }
    }
}

lagrangian! {
    struct AsGiven { arm: robot = "robots/files/impossible.urdf" { inertia: as_given } }
}

/// Constants that no body has are taken as they are: a warning says so, or `as_given`.
#[test]
fn impossible_constants_are_taken_as_given() {
    let q = vector![0.1, 0.2];
    let m = AsGiven::default().mass_matrix(&q);
    close(m.iter().copied(), [6.0, 3.0, 3.0, 3.0]);
    close(
        impossible::Impossible::default()
            .mass_matrix(&q)
            .iter()
            .copied(),
        m.iter().copied(),
    );
}
