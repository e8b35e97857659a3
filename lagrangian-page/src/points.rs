//! Types that can be drawn as a point, and as several.

use lagrange_runtime::Pose;
use lagrange_runtime::nalgebra::{SMatrix, SVector, Vector3};

/// A point of a scene, in the plane (`D` is 2) or in space (3), in metres.
///
/// Arrays, vectors, and in space the origins of frames.
pub trait Point<const D: usize> {
    /// Its coordinates.
    fn place(&self) -> [f64; D];
}

impl<const D: usize> Point<D> for [f64; D] {
    fn place(&self) -> [f64; D] {
        *self
    }
}

impl<const D: usize> Point<D> for SVector<f64, D> {
    fn place(&self) -> [f64; D] {
        (*self).into()
    }
}

impl Point<3> for Pose<f64> {
    fn place(&self) -> [f64; 3] {
        self.origin.into()
    }
}

/// A sequence of points: of a line, a polygon or a rod.
///
/// Arrays and `Vec`s of points, a matrix whose rows are points (a `pub let` of several), and tuples, which may mix kinds.
///
/// ```
/// use lagrangian_page::{Ink, Scene};
/// use lagrange_runtime::{matrix, vector};
///
/// let scene = Scene::new("Three lines that stand still")
///     .line("array", Ink::Blue, [[[0.0, 0.0], [1.0, 0.0]]])
///     .line("rows", Ink::Green, [matrix![0.0, 1.0; 1.0, 1.0; 2.0, 0.0]])
///     .line("tuple", Ink::Orange, [([0.0, 2.0], vector![1.0, 2.0])]);
/// ```
pub trait Points<const D: usize> {
    /// Their coordinates.
    fn places(&self) -> Vec<[f64; D]>;
}

impl<P: Point<D>, const D: usize> Points<D> for Vec<P> {
    fn places(&self) -> Vec<[f64; D]> {
        self.iter().map(Point::place).collect()
    }
}

impl<P: Point<D>, const D: usize, const COUNT: usize> Points<D> for [P; COUNT] {
    fn places(&self) -> Vec<[f64; D]> {
        self.iter().map(Point::place).collect()
    }
}

impl<const D: usize, const COUNT: usize> Points<D> for SMatrix<f64, COUNT, D> {
    fn places(&self) -> Vec<[f64; D]> {
        let row = |i| std::array::from_fn(|k| self[(i, k)]);
        (0..COUNT).map(row).collect()
    }
}

macro_rules! tuples {
    ($(($($name:ident),+);)+) => {$(
        impl<$($name: Point<D>),+, const D: usize> Points<D> for ($($name,)+) {
            fn places(&self) -> Vec<[f64; D]> {
                #[allow(non_snake_case, reason = "named as their types")]
                let ($($name,)+) = self;
                vec![$($name.place()),+]
            }
        }
    )+};
}

tuples! {
    (A, B);
    (A, B, C);
    (A, B, C, E);
    (A, B, C, E, F);
    (A, B, C, E, F, G);
}

/// A point that is fixed in a frame, in world coordinates.
///
/// ```
/// use lagrange_runtime::{Pose, nalgebra::Matrix3, vector};
///
/// let hand = Pose { origin: vector![1.0, 0.0, 0.5], rotation: Matrix3::identity() };
/// assert_eq!(lagrangian_page::point(&hand, [0.0, 0.0, 0.25]), [1.0, 0.0, 0.75]);
/// ```
#[must_use]
pub fn point(frame: &Pose<f64>, local: [f64; 3]) -> [f64; 3] {
    (frame.origin + frame.rotation * Vector3::from(local)).into()
}
