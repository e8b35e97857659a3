//! mistake: `[3]`, each `att` that is no value, `x` and `att` in `rotate`, `1`, the second `der`

use lagrangian::lagrangian;

lagrangian! {
    struct Sizes { many: rotation[3], i: parameter[3] }
    body { frame: world.rotate(many), inertia: diag(i) }
}

lagrangian! {
    struct Body { att: rotation, x: coordinate, i: parameter[3] }
    frame F = world.rotate(att);
    body { frame: F, inertia: diag(i) }
    T = der(x)^2;
    V = att.x + x^2;
    frame G = world.orient(att);
    frame H = world.rotate(z, att);
    frame K = world.rotate(x);
    D = der(der(att))^2;
    Q.att = 1;
    force [0, 0, 1] at att;
    torque [0, 0, 1] on att;
}

fn main() {}
