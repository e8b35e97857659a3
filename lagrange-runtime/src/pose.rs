//! Poses as maps from frames to the world, errors between them, and conversions to nalgebra.

use core::ops::Mul;

use nalgebra::{Isometry3, Quaternion, SMatrix, SVector, SimdRealField, UnitQuaternion};

use crate::{Pose, linalg::vector, math::constant, rotation};

impl<S: SimdRealField + Copy> Pose<S> {
    /// The world as seen from the frame: `pose * pose.inverse()` is the pose of the world.
    ///
    /// ```
    /// use lagrange_runtime::{Pose, matrix, vector};
    ///
    /// // A quarter of a turn about z.
    /// let turn = matrix![0.0, -1.0, 0.0; 1.0, 0.0, 0.0; 0.0, 0.0, 1.0];
    /// let hand = Pose { origin: vector![1.0, 0.0, 0.5], rotation: turn };
    /// assert_eq!(hand.inverse().origin, vector![0.0, 1.0, -0.5]);
    /// ```
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.transpose();
        Self {
            origin: -(rotation * self.origin),
            rotation,
        }
    }

    /// The error to a goal: `[goal.origin - origin; log(goal.rotation * rotationᵀ)]`, in world components and in the
    /// order of `hand_velocity` of a `pub frame hand`.
    ///
    /// The last three entries are the rotation vector (rad) that turns the frame to the goal, at most π long. At half a
    /// turn, where the vector and its negative are equivalent, it returns either. Origin and axes are treated
    /// separately: it is not the logarithm of SE(3). The velocity `hand_velocity = error` leads to the goal along a
    /// straight line and about one axis.
    ///
    /// It is finite for all finite poses, and right to rounding for all rotations, including those that rounding has
    /// made not quite orthogonal. The vector follows from the quaternion of the turn, by the row of largest diagonal
    /// entry of the products of its entries (S. W. Shepperd, "Quaternion from rotation matrix", *Journal of Guidance
    /// and Control* 1, 1978).
    ///
    /// ```
    /// use lagrange_runtime::{Pose, matrix, vector};
    ///
    /// let here = Pose { origin: vector![1.0, 0.0, 0.5], rotation: matrix![1.0, 0.0, 0.0; 0.0, 1.0, 0.0; 0.0, 0.0, 1.0] };
    /// let turn = matrix![0.0, -1.0, 0.0; 1.0, 0.0, 0.0; 0.0, 0.0, 1.0];
    /// let goal = Pose { origin: vector![1.0, 2.0, 0.5], rotation: turn };
    /// let quarter = core::f64::consts::FRAC_PI_2;
    /// assert!((here.error_to(&goal) - vector![0.0, 2.0, 0.0, 0.0, 0.0, quarter]).norm() < 1e-15);
    /// ```
    #[must_use]
    pub fn error_to(&self, goal: &Self) -> SVector<S, 6> {
        let displacement = goal.origin - self.origin;
        let turn = goal.rotation * self.rotation.transpose();
        let [x, y, z] = rotation::logarithm(&multiple_of_quaternion(&turn));
        vector([displacement[0], displacement[1], displacement[2], x, y, z])
    }
}

/// `a * b` is the pose in the world of a frame whose pose in the frame a is b.
impl<S: SimdRealField + Copy> Mul for Pose<S> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            origin: self.origin + self.rotation * other.origin,
            rotation: self.rotation * other.rotation,
        }
    }
}

impl<S: SimdRealField<Element: SimdRealField> + Copy> From<Isometry3<S>> for Pose<S> {
    fn from(isometry: Isometry3<S>) -> Self {
        Self {
            origin: isometry.translation.vector,
            rotation: isometry.rotation.to_rotation_matrix().into_inner(),
        }
    }
}

impl<S: SimdRealField<Element: SimdRealField> + Copy> From<Pose<S>> for Isometry3<S> {
    fn from(pose: Pose<S>) -> Self {
        let turn = quaternion(multiple_of_quaternion(&pose.rotation));
        Self::from_parts(pose.origin.into(), turn)
    }
}

/// nalgebra's unit quaternion of the four entries x, y, z, w of a `rotation` in q. They need not have unit length.
///
/// ```
/// use lagrange_runtime::{quaternion, quaternion_entries, vector};
///
/// // A quarter of a turn about z.
/// let turn = quaternion([0.0, 0.0, 1.0, 1.0]);
/// assert!((turn * vector![1.0, 0.0, 0.0] - vector![0.0, 1.0, 0.0]).norm() < 1e-15);
/// assert_eq!(quaternion(quaternion_entries(&turn)), turn);
/// ```
pub fn quaternion<S: SimdRealField + Copy>(entries: [S; 4]) -> UnitQuaternion<S> {
    let [x, y, z, w] = rotation::normalised(&entries);
    UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z))
}

/// The entries x, y, z, w of a unit quaternion, in the order of a `rotation` in q.
///
/// ```
/// use lagrange_runtime::{nalgebra::UnitQuaternion, quaternion_entries};
///
/// assert_eq!(quaternion_entries(&UnitQuaternion::<f64>::identity()), [0.0, 0.0, 0.0, 1.0]);
/// ```
pub fn quaternion_entries<S: SimdRealField + Copy>(quaternion: &UnitQuaternion<S>) -> [S; 4] {
    let [entries] = quaternion.coords.data.0;
    entries
}

/// The quaternion x, y, z, w of a rotation, times four times its largest entry.
///
/// Each row of `4 (x, y, z, w)ᵀ (x, y, z, w)` is linear in the matrix. The sum of the diagonal entries is 4, so the
/// largest one is at least 1 for any matrix.
#[inline]
fn multiple_of_quaternion<S: SimdRealField + Copy>(rotation: &SMatrix<S, 3, 3>) -> [S; 4] {
    let [[xx, yx, zx], [xy, yy, zy], [xz, yz, zz]] = rotation.data.0;
    let one = constant::<S>(1.0);
    let (x, y, z) = (zy - yz, xz - zx, yx - xy);
    let rows = [
        [one + xx - yy - zz, xy + yx, xz + zx, x],
        [xy + yx, one + yy - zz - xx, yz + zy, y],
        [xz + zx, yz + zy, one + zz - xx - yy, z],
    ];
    let (mut best, mut most) = ([x, y, z, one + xx + yy + zz], one + xx + yy + zz);
    for (i, row) in rows.iter().enumerate() {
        let is_larger = row[i].simd_gt(most);
        for j in 0..4 {
            best[j] = row[j].select(is_larger, best[j]);
        }
        most = row[i].select(is_larger, most);
    }
    best
}
