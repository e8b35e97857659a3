//! mistake: `thta`; did you mean `theta`

use lagrangian::lagrangian;

lagrangian! {
    struct Pendulum { theta: coordinate, m: parameter, u: input }
    T = m * der(theta)^2 / 2;
    Q.thta = u;
}

fn main() {
    let pendulum = Pendulum { m: 1.0 };
    let _ = pendulum.generalized_forces(&Default::default(), &Default::default(), &Default::default());
}
