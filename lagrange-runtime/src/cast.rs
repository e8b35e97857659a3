//! Conversion of numbers to other scalar types.

use nalgebra::{SimdRealField, convert};

/// A number that can be converted to the scalar `T`, as nalgebra's `cast` does: f64 and f32 to every scalar.
///
/// The method `cast` of generated types requires it of their parameters.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::Cast;
///
/// let single: f32 = 0.1_f64.cast();
/// assert_eq!(single, 0.1);
/// ```
pub trait Cast<T>: Copy {
    /// The nearest number of the other kind, in every lane of a scalar that has several.
    fn cast(self) -> T;
}

impl<T: SimdRealField> Cast<T> for f64 {
    fn cast(self) -> T {
        convert(self)
    }
}

impl<T: SimdRealField> Cast<T> for f32 {
    fn cast(self) -> T {
        convert(self)
    }
}
