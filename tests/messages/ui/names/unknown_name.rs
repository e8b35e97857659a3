//! mistake: `thta`; did you mean `theta`

use lagrangian::lagrangian;

lagrangian! {
    struct Pendulum { theta: coordinate, m, l, g: parameter }
    T = m * l^2 * der(theta)^2 / 2;
    V = -m * g * l * cos(thta);
}

fn main() {
    let pendulum = Pendulum { m: 1.0, l: 2.0, g: 9.81 };
    let _ = pendulum.potential_energy(&lagrangian::vector![0.3]);
    let _ = pendulum.acceleration(&lagrangian::vector![0.3], &Default::default());
}
