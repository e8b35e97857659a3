//! mistake: the name of the struct; the length of a curve does not determine its parametrization

use lagrangian::lagrangian;

lagrangian! {
    struct ShortestPath { x, y: coordinate }
    L = sqrt(der(x)^2 + der(y)^2);
}

fn main() {}
