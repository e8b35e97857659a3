//! mistakes: `thta` and `y`, which has no inertia: the energies are known all the same

use lagrangian::lagrangian;

lagrangian! {
    struct Pendulum { theta, y: coordinate, m: parameter }
    T = m * der(theta)^2 / 2;
    V = m * cos(thta) + y;
}

fn main() {}
