//! mistake: the rotations `idle` and `att`, two rates of `rod`, and rows of `weld` that are too many

use lagrangian::lagrangian;

lagrangian! {
    struct Idle { idle: rotation, x: coordinate }
    T = der(x)^2;
}

lagrangian! {
    struct Massless { att: rotation, x: coordinate }
    T = der(x)^2;
    Q.att = [1, 0, 0];
}

lagrangian! {
    struct Rod { rod: rotation, i: parameter }
    body { frame: world.rotate(rod), inertia: diag(i, 0, 0) }
}

lagrangian! {
    struct Pair { a, b: rotation, i: parameter[3] }
    frame A = world.rotate(a);
    frame B = world.rotate(b);
    body { frame: A, inertia: diag(i) }
    body { frame: B, inertia: diag(i) }
    holonomic weld: A.rotation = B.rotation;
}

lagrangian! {
    struct Point { att: rotation, m: parameter }
    body { mass: m, at: world.rotate(att).point([1, 2, 3]) }
}

fn main() {}
