//! mistake: `tip` in the bundle, which is no output

use lagrangian::lagrangian;

lagrangian! {
    struct Pole { x, theta: coordinate, m, l: parameter, u: input }
    T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
    V = -m * l * cos(theta);
    Q.x = u;
    let tip = l * sin(theta);
    bundle control { bias, tip }
}

fn main() {}
