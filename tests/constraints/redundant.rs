//! Advice on dependent rows leaves equations that are regular wherever the constraints are.

use lagrangian::lagrangian;
use lagrangian::nalgebra::SVector;

lagrangian! {
    /// A ball that rolls inside a shell, which rolls on the floor. That they touch follows from the rolling; with the
    /// contact as a row beside two of the three rows `inside`, the rows would depend on each other where the ball is
    /// as high as the centre of the shell.
    struct Shell { ps, pb: coordinate[3], s, b: rotation, M, m, R, r: parameter, g: parameter = 9.81 }
    frame S = world.translate(ps).rotate(s);
    frame B = world.translate(pb).rotate(b);
    body { frame: S, mass: M, inertia: 2 * M * R^2 / 3 * identity(3) }
    body { frame: B, mass: m, inertia: 2 * m * r^2 / 5 * identity(3) }
    gravity [0, 0, -g];
    let n = (pb - ps) / norm(pb - ps);
    let slip = velocity(S) + cross(angular_velocity(S), [0, 0, -R]);
    let rub = velocity(S) + cross(angular_velocity(S), R * n) - velocity(B) - cross(angular_velocity(B), r * n);
    holonomic height: ps.z = R;
    nonholonomic floor: [slip.x, slip.y] = [0, 0];
    nonholonomic inside: rub = [0, 0, 0];
}

/// The ball at this angle from below.
fn accelerations(angle: f64) -> (f64, f64) {
    let shell = Shell::new(0.7, 0.4, 0.5, 0.12);
    let (distance, speed, rate) = (0.5 - 0.12, 0.3, 1.1);
    let (sine, cosine) = angle.sin_cos();
    let (turn, turn_of_ball) = (speed / 0.5, (speed + distance * rate) / 0.12);
    let q = SVector::from([
        0.0,
        0.0,
        0.5,
        distance * sine,
        0.0,
        0.5 - distance * cosine,
        0.0,
        0.0,
        0.0,
        1.0,
        0.0,
        0.0,
        0.0,
        1.0,
    ]);
    let v = SVector::from([
        speed,
        0.0,
        0.0,
        speed + distance * rate * cosine,
        0.0,
        distance * rate * sine,
        0.0,
        turn,
        0.0,
        0.0,
        turn_of_ball,
        0.0,
    ]);
    let a = shell.acceleration(&q, &v);
    a.map(|a| (a[0], a[3])).expect("regular equations")
}

/// The numbers at 0.6 rad were derived by another tool.
#[test]
fn a_ball_in_a_shell_passes_the_equator() {
    let (shell, ball) = accelerations(0.6);
    assert!((shell - 1.574_407_744_197_14).abs() < 1e-12, "{shell}");
    assert!((ball + 3.087_979_814_817_755).abs() < 1e-12, "{ball}");
    let near = accelerations(std::f64::consts::FRAC_PI_2 - 1e-7);
    let at = accelerations(std::f64::consts::FRAC_PI_2);
    assert!(
        (near.0 - at.0).abs() < 1e-5 && (near.1 - at.1).abs() < 1e-5,
        "{near:?} {at:?}"
    );
}
