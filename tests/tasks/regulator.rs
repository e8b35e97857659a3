//! An LQR of a cart and pole.

use lagrangian::nalgebra::Matrix4;
use lagrangian::{lagrangian, lqr, matrix, rk4_step, vector};

lagrangian! {
    struct CartPole { x, theta: coordinate, m_c, m_p, l: parameter, g: parameter = 9.81, u: input }
    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
}

#[test]
fn the_pole_stands_and_the_cart_is_back() {
    let system = CartPole::new(1.0, 0.2, 0.5);
    let still = vector![0.0, 0.0];
    let upright = system.linearize(&still, &still, &vector![0.0]).unwrap();
    let (states, inputs) = (Matrix4::identity(), matrix![0.1]);
    let solution = lqr(&upright.a, &upright.b, &states, &inputs).unwrap();
    let (mut q, mut v) = (vector![0.5, 0.3], still);
    for step in 0..1000 {
        let u = -solution.gain * vector![q[0], q[1], v[0], v[1]];
        (q, v) = rk4_step(&system, 0.01 * f64::from(step), &q, &v, &u, 0.01).unwrap();
    }
    assert!(q.norm() < 1e-3);
}
