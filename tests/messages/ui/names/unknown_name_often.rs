//! mistake: the first `k` only; it lacks a declaration, and its other uses say nothing new

use lagrangian::lagrangian;

lagrangian! {
    struct Oscillator { position: coordinate, mass: parameter }
    let a = k * position;
    let b = k + a;
    T = mass * der(position)^2 / 2;
    V = k * position^2 / 2 + b;
}

fn main() {}
