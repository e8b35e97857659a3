//! mistake: `solve` in the bundle; it may fail

use lagrangian::lagrangian;

lagrangian! {
    struct Pole { x, theta: coordinate, m, l: parameter, u: input }
    T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
    V = -m * l * cos(theta);
    Q.x = u;
    bundle control { mass_matrix, solve }
}

fn main() {
    // The method exists, so that its uses are silent.
    let pole = Pole { m: 1.0, l: 1.0 };
    let zeros = lagrangian::vector![0.0, 0.0];
    let input = lagrangian::vector![0.0];
    let control: PoleControl = pole.control(&zeros, &zeros, &input);
    let _ = control.mass_matrix;
}
