//! Numerical rotations and poses.

pub(crate) type Vector = [f64; 3];
pub(crate) type Matrix = [Vector; 3];

pub(crate) const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The pose of a frame in another frame: `r_other = rotation r + origin`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pose {
    pub(crate) origin: Vector,
    pub(crate) rotation: Matrix,
}

impl Pose {
    pub(crate) const NONE: Self = Pose {
        origin: [0.0; 3],
        rotation: IDENTITY,
    };

    /// The composition of two poses. `inner` is applied first.
    pub(crate) fn after(&self, inner: &Pose) -> Pose {
        Pose {
            origin: add(self.origin, times(&self.rotation, inner.origin)),
            rotation: product(&self.rotation, &inner.rotation),
        }
    }
}

pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

pub(crate) fn scale(factor: f64, a: Vector) -> Vector {
    a.map(|entry| factor * entry)
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn times(m: &Matrix, a: Vector) -> Vector {
    m.map(|row| dot(row, a))
}

pub(crate) fn transposed(m: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = transposed(b);
    a.map(|row| columns.map(|column| dot(row, column)))
}

/// The components of a tensor after the rotation of its axes: R I R^T.
pub(crate) fn turned(rotation: &Matrix, tensor: &Matrix) -> Matrix {
    product(&product(rotation, tensor), &transposed(rotation))
}

/// The second moments of a unit mass at `c`: `c.c 1 - c c^T`.
pub(crate) fn of_point(c: Vector) -> Matrix {
    let square = dot(c, c);
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            if i == j {
                square - c[i] * c[i]
            } else {
                -c[i] * c[j]
            }
        })
    })
}

/// The vector divided by its length, exact along an axis. `None` for zero.
pub(crate) fn unit(a: Vector) -> Option<Vector> {
    let largest = a.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return None;
    }
    let scaled = scale(1.0 / largest, a);
    let zeros = scaled.iter().filter(|entry| **entry == 0.0).count();
    if zeros == 2 {
        return Some(a.map(|entry| if entry == 0.0 { 0.0 } else { entry.signum() }));
    }
    Some(scale(1.0 / dot(scaled, scaled).sqrt(), scaled))
}

/// The rotation by an angle about a unit vector (Rodrigues).
pub(crate) fn about(axis: Vector, (sin, cos): (f64, f64)) -> Matrix {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let versed = (1.0 - cos) * axis[i] * axis[j];
            if i == j {
                return cos + versed;
            }
            let along = sin * axis[3 - i - j];
            versed + if (i + 1) % 3 == j { -along } else { along }
        })
    })
}
