//! mistake: roles, which are rotations for the stub

use lagrangian::lagrangian;

lagrangian! {
    struct Turning { x: coordinate, a: rotation[2], b: quaternion, c: rotatoin }
    T = der(x)^2 / 2;
}

fn main() {
    let _: [&str; 13] = Turning::COORDINATES;
    let _: [&str; 10] = Turning::VELOCITIES;
}
