//! A four-bar linkage swings for ten seconds; each step is projected onto its loop.

use lagrangian::{lagrangian, rk4_step, vector};

lagrangian! {
    struct FourBar { a, b, c: coordinate, l: parameter[4], m: parameter = 1, g: parameter = 9.81 }
    let first = [l[0] * cos(a), l[0] * sin(a)];
    let second = first + [l[1] * cos(b), l[1] * sin(b)];
    let third = [l[3] + l[2] * cos(c), l[2] * sin(c)];
    T = m * (der(first)^2 + der(second)^2) / 2;
    V = m * g * (first.y + second.y);
    holonomic closed: second = third;
}

#[test]
fn the_loop_stays_closed_and_the_energy_constant() {
    let system = FourBar::new([0.4, 1.0, 0.8, 1.1]);
    let start = (vector![1.0, 0.4, 1.4], vector![2.0, 0.0, 0.0]);
    let (mut q, mut v) = system.project(&start.0, &start.1).unwrap();
    let energy = system.energy(&q, &v);
    for step in 0..10_000 {
        (q, v) = rk4_step(&system, 1e-3 * f64::from(step), &q, &v, &vector![], 1e-3).unwrap();
        (q, v) = system.project(&q, &v).unwrap();
    }
    assert!(system.constraint_residual(&q).norm() < 1e-14);
    assert!((system.energy(&q, &v) - energy).abs() < 1e-8 * energy.abs());
}
