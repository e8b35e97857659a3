//! A sphere and a disk that roll, by frames: the point of contact does not move.

use lagrangian::lagrangian;

use crate::harness::reference_test;

// The third row says z' = 0, which is no nonholonomic constraint: the compiler tells.
mod with_integrable_row {
    #![expect(
        deprecated,
        reason = "one row of three is the derivative of a position"
    )]

    use lagrangian::lagrangian;

    lagrangian! {
        pub(crate) struct RollingSphere {
            psi, theta, phi, x, y, z: coordinate,
            m, ixx, iyy, izz, r, g: parameter,
        }

        frame Ball = world.translate([x, y, z]).rotate(z, psi).rotate(x, theta).rotate(y, phi);
        body { frame: Ball, mass: m, inertia: diag(ixx, iyy, izz) }
        gravity [0, 0, -g];
        let contact = velocity(Ball) + cross(angular_velocity(Ball), [0, 0, -r]);
        nonholonomic slip_x: contact.x = 0;
        nonholonomic slip_y: contact.y = 0;
        nonholonomic lift: contact.z = 0;
    }
}
use with_integrable_row::RollingSphere;

reference_test! {
    rolling_sphere: RollingSphere { m, ixx, iyy, izz, r, g },
    Natural (q, v),
    outputs [],
    constraints ["slip_x", "slip_y", "lift"], holonomic 0,
    coordinates ["psi", "theta", "phi", "x", "y", "z"],
    cyclic [true, false, false, true, true, false],
    conserved [true, false, false, false, false, false],
    conserves_energy true, constant_mass_matrix false,
}

lagrangian! {
    struct RollingDisk {
        x, y, z, psi, theta, phi: coordinate,
        m, a, c, r, g: parameter,
    }

    frame Leaning = world.translate([x, y, z]).rotate(z, psi).rotate(x, theta);
    frame Disk = Leaning.rotate(z, phi);
    body { frame: Disk, mass: m, inertia: diag(a, a, c) }
    gravity [0, 0, -g];
    let spoke = Leaning.vector([0, -r, 0]);
    let contact = velocity(Disk) + cross(angular_velocity(Disk), spoke);
    nonholonomic slip_x: contact.x = 0;
    nonholonomic slip_y: contact.y = 0;
    holonomic floor: z + spoke.z = 0;
}

reference_test! {
    rolling_disk: RollingDisk { m, a, c, r, g },
    Natural (q, v),
    outputs [],
    constraints ["floor", "slip_x", "slip_y"], holonomic 1,
    coordinates ["x", "y", "z", "psi", "theta", "phi"],
    cyclic [true, true, false, true, false, true], conserved [false; 6],
    conserves_energy true, constant_mass_matrix false,
}
