//! Robots of files beside the values of Pinocchio, `tests/reference/robots.py`, by name.

use std::collections::HashMap;

use lagrangian::nalgebra::{SMatrix, SVector};
use lagrangian::{Pose, System};

/// Relative to the largest entry.
const TOLERANCE: f64 = 1e-10;

/// A robot that is placed on the ground or free, with a torque on each joint, and a frame at the given link.
macro_rules! robot_test {
    ($name:ident, $path:literal, $options:tt, $n:literal, $tip:literal) => {
        mod $name {
            lagrangian::lagrangian! {
                pub(super) struct Robot { arm: robot = $path $options }
                gravity [0, 0, -9.81];
                pub frame tip = arm.link[$tip];
            }
        }

        #[test]
        fn $name() {
            let system = $name::Robot::default();
            let moved = |q: &_| (system.tip(q), system.tip_jacobian(q));
            $crate::harness::compare::<_, { $name::Robot::COORDINATES.len() }, $n>(
                &system,
                $crate::DATA,
                stringify!($name),
                moved,
            );
        }
    };
}

/// The values of the robot of this name.
fn values(data: &str, name: &str) -> HashMap<String, Vec<f64>> {
    let start = format!("robot {name}");
    let lines = data.lines().skip_while(|line| *line != start).skip(1);
    let own = lines.take_while(|line| !line.starts_with("robot "));
    let numbers = own.filter(|line| !line.starts_with("tip "));
    let rows = numbers.map(|line| {
        let (key, entries) = line.split_once(' ').unwrap();
        let entries = entries.split(' ').map(|entry| entry.parse().unwrap());
        (key.to_owned(), entries.collect())
    });
    let rows: HashMap<String, Vec<f64>> = rows.collect();
    assert!(!rows.is_empty(), "no values of {name}");
    rows
}

/// The deviation, as a part of the largest entry.
#[track_caller]
fn deviation(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let scale = expected
        .iter()
        .fold(0.0_f64, |most, entry| most.max(entry.abs()));
    let scale = if scale == 0.0 { 1.0 } else { scale };
    let parts = found.iter().zip(expected);
    parts.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs() / scale))
}

/// Compares M w, h, accelerations, a pose, and products with its Jacobian.
pub(crate) fn compare<R, const NQ: usize, const N: usize>(
    robot: &R,
    data: &str,
    name: &str,
    tip: impl Fn(&SVector<f64, NQ>) -> (Pose<f64>, SMatrix<f64, 6, N>),
) where
    R: System<f64, NQ, N, 0, 0>,
{
    let values = values(data, name);
    let mut state = 1_u64;
    let mut draw = || {
        state = (state * 1_103_515_245 + 12_345) % (1 << 31);
        state as f64 / (1_u64 << 30) as f64 - 1.0
    };
    let position: [f64; 3] = std::array::from_fn(|_| draw());
    let quaternion: [f64; 4] = std::array::from_fn(|_| draw());
    let norm = quaternion
        .iter()
        .map(|entry| entry * entry)
        .sum::<f64>()
        .sqrt();
    let base = position
        .into_iter()
        .chain(quaternion.map(|entry| entry / norm));
    let base: Vec<f64> = base.take(7 * (NQ - N)).collect();
    let joints: Vec<f64> = (base.len()..NQ).map(|_| draw()).collect();
    let q = SVector::<f64, NQ>::from_iterator(base.into_iter().chain(joints));
    let mut vector = || SVector::<f64, N>::from_fn(|_, _| draw());
    let (v, tau, w) = (vector(), vector(), vector());
    let f = SVector::<f64, 6>::from_fn(|_, _| draw());
    let u = SVector::<f64, 0>::zeros();

    let m = robot.mass_matrix(0.0, &q, &v, &u);
    let h = robot.bias(0.0, &q, &v, &u);
    let (pose, jacobian) = tip(&q);
    let mut placed: Vec<f64> = pose.origin.iter().copied().collect();
    placed.extend(pose.rotation.transpose().iter());
    let mut pairs = vec![
        ("mv", (m * w).as_slice().to_vec()),
        ("h", h.as_slice().to_vec()),
        ("pose", placed),
        ("jw", (jacobian * w).as_slice().to_vec()),
        ("jf", (jacobian.transpose() * f).as_slice().to_vec()),
    ];
    // The acceleration under the torques: that of `acceleration` without them, and their share.
    if values["a"].iter().all(|entry| entry.is_finite()) {
        let free = robot.acceleration(0.0, &q, &v, &u).unwrap();
        let added = m.cholesky().unwrap().solve(&tau);
        pairs.push(("a", (free + added).as_slice().to_vec()));
    }
    let mut worst = Vec::new();
    for (key, found) in pairs {
        let most = deviation(&found, &values[key]);
        if most.is_nan() || most > TOLERANCE {
            worst.push(format!("{key}: {most:e}"));
        }
    }
    assert!(worst.is_empty(), "{name}: {worst:?}");
}
