//! Poses beside nalgebra's isometries, and the way from one to another for all turns.

use std::f64::consts::PI;

use lagrange_runtime::nalgebra::{Isometry3, Matrix3, Rotation3, SVector, UnitQuaternion, Vector3};
use lagrange_runtime::{Pose, quaternion, quaternion_entries, vector};
use simba::simd::{SimdValue, WideF64x4};

/// A generator of numbers in -1..1 (xorshift).
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.number())
    }

    /// A unit vector; of every four one is an axis, and one in a plane of axes.
    fn direction(&mut self, number: usize) -> Vector3<f64> {
        let mut direction = self.vector();
        match number % 4 {
            0 => {
                direction = Vector3::zeros();
                direction[number / 4 % 3] = self.number().signum();
            }
            1 => direction[number / 4 % 3] = 0.0,
            _ => {}
        }
        direction.normalize()
    }

    fn pose(&mut self) -> Pose<f64> {
        let angle = 4.0 * self.number();
        Pose {
            origin: self.vector(),
            rotation: turn(&self.vector().normalize(), angle),
        }
    }
}

/// The matrix of a rotation (Rodrigues).
fn turn(axis: &Vector3<f64>, angle: f64) -> Matrix3<f64> {
    let half = (angle / 2.0).sin();
    let cross = axis.cross_matrix();
    Matrix3::identity() + cross * angle.sin() + cross * cross * (2.0 * half * half)
}

/// From nothing to half a turn, and both ends from close by.
const ANGLES: [f64; 27] = [
    0.0,
    1e-320,
    1e-300,
    1e-200,
    1e-160,
    1e-100,
    1e-30,
    1e-17,
    1e-16,
    1e-15,
    1e-12,
    1e-8,
    1e-4,
    0.01,
    0.063,
    0.0633,
    0.5,
    1.0,
    std::f64::consts::FRAC_PI_2,
    2.0,
    2.094_395_102_393_195_5,
    3.0,
    PI - 1e-4,
    PI - 1e-8,
    PI - 1e-12,
    PI - 1e-15,
    PI,
];

/// The turn from one rotation to another, of poses at different places.
fn turned(random: &mut Random, from: Matrix3<f64>, to: Matrix3<f64>) -> Vector3<f64> {
    let (start, end) = (random.vector(), random.vector());
    let here = Pose {
        origin: start,
        rotation: from,
    };
    let goal = Pose {
        origin: end,
        rotation: to,
    };
    let error = here.error_to(&goal);
    assert_eq!(error.fixed_rows::<3>(0), end - start);
    let turn: Vector3<f64> = error.fixed_rows::<3>(3).into();
    assert!(turn.norm() <= PI * (1.0 + f64::EPSILON), "{turn}");
    turn
}

/// The distance of two rotation vectors; at half a turn both directions are right.
fn apart(found: Vector3<f64>, expected: Vector3<f64>) -> f64 {
    let off = (found - expected).norm();
    if expected.norm() > PI - 1e-14 {
        off.min((found + expected).norm())
    } else {
        off
    }
}

#[test]
fn errors_are_right_at_every_angle() {
    let mut random = Random(0x5eed);
    for number in 0..400 {
        let axis = random.direction(number);
        let from = random.pose().rotation;
        for angle in ANGLES {
            let (expected, to) = (axis * angle, turn(&axis, angle));
            let off = apart(turned(&mut random, from, to * from), expected);
            assert!(off < 1e-14, "{angle} about {axis}: {off:e}");
            // Beside the axes of the world small angles have all their digits.
            let off = apart(turned(&mut random, Matrix3::identity(), to), expected);
            let digits = if angle < 0.1 { angle } else { 1.0 };
            let bound = 4e-15 * digits + 1e-323;
            assert!(off <= bound, "{angle} about {axis}: {off:e}");
        }
    }
}

/// Matrices that are rotations but for rounding: some with a trace above 3, of which `acos` makes NaN.
#[test]
fn rounding_of_matrices_does_no_harm() {
    let mut random = Random(0x5eed);
    let above = Matrix3::identity() * (1.0 + 1.5 * f64::EPSILON);
    assert!(above.trace() > 3.0 + 8e-16);
    assert_eq!(
        turned(&mut random, above, Matrix3::identity()),
        Vector3::zeros()
    );
    for number in 0..400 {
        let axis = random.direction(number);
        let from = random.pose().rotation;
        for angle in ANGLES {
            let mut to = turn(&axis, angle) * from;
            to.apply(|entry| *entry += 8.0 * f64::EPSILON * random.number());
            let off = apart(turned(&mut random, from, to), axis * angle);
            let near_half = PI - angle < 1e-13;
            assert!(
                off < 3e-14 || near_half && off > 6.0,
                "{angle} about {axis}: {off:e}"
            );
        }
    }
    // Nor for matrices that are not rotations.
    for _ in 0..1000 {
        let [from, to] = [(); 2].map(|()| Matrix3::from_fn(|_, _| (2.0 * random.number()).round()));
        let here = Pose {
            origin: Vector3::zeros(),
            rotation: from,
        };
        let goal = Pose {
            rotation: to,
            ..here
        };
        assert!(here.error_to(&goal).iter().all(|entry| entry.is_finite()));
    }
}

#[test]
fn products_and_inverses_are_those_of_isometries() {
    let mut random = Random(0x5eed);
    let distance = |a: Pose<f64>, b: Pose<f64>| {
        (a.origin - b.origin).norm() + (a.rotation - b.rotation).norm()
    };
    for _ in 0..200 {
        let (a, b) = (random.pose(), random.pose());
        let [first, second] = [a, b].map(Isometry3::from);
        assert!((first.rotation.norm() - 1.0).abs() < 1e-15);
        assert!(distance(first.into(), a) < 4e-15);
        assert!(distance((first * second).into(), a * b) < 1e-14);
        assert!(distance(first.inverse().into(), a.inverse()) < 1e-14);
        assert!(a.error_to(&(b * b.inverse() * a)).norm() < 1e-14);
        // The pose of the goal in the frame.
        let error = a.error_to(&b);
        let turn = Rotation3::from_scaled_axis(error.fixed_rows::<3>(3)).into_inner();
        assert!((turn * a.rotation - b.rotation).norm() < 1e-14);
        assert!((a.origin + error.fixed_rows::<3>(0) - b.origin).norm() < 1e-15);
    }
}

#[test]
fn quaternions_are_in_the_order_of_the_coordinates() {
    let axis = vector![0.0, 0.6, 0.8];
    let half = 0.35_f64;
    let entries = [0.0, 0.6 * half.sin(), 0.8 * half.sin(), half.cos()];
    let expected = UnitQuaternion::from_scaled_axis(axis * 0.7);
    for length in [1.0, -1.0, 1e-200, 1e200] {
        let found = quaternion(entries.map(|entry| entry * length));
        let entries = quaternion_entries(&found);
        let same = SVector::from(entries) * length.signum() - expected.coords;
        assert!(same.norm() < 1e-15, "{found}");
    }
}

#[test]
fn lanes_and_single_precision() {
    let mut random = Random(0x5eed);
    for _ in 0..50 {
        let (from, to) = (
            [(); 4].map(|()| random.pose()),
            [(); 4].map(|()| random.pose()),
        );
        let wide = |poses: [Pose<f64>; 4]| Pose {
            origin: Vector3::from_fn(|i, _| WideF64x4::from(poses.map(|pose| pose.origin[i]))),
            rotation: Matrix3::from_fn(|i, j| {
                WideF64x4::from(poses.map(|pose| pose.rotation[(i, j)]))
            }),
        };
        let error = wide(from).error_to(&wide(to));
        for lane in 0..4 {
            let expected = from[lane].error_to(&to[lane]);
            assert!((error.map(|entry| entry.extract(lane)) - expected).norm() < 1e-14);
            let [here, goal] = [from[lane], to[lane]].map(|pose| Pose {
                origin: pose.origin.cast::<f32>(),
                rotation: pose.rotation.cast::<f32>(),
            });
            assert!((here.error_to(&goal).cast::<f64>() - expected).norm() < 1e-5);
        }
    }
}
