//! Sines and cosines of a few angles at once.

use core::any::Any;

use nalgebra::{SimdBool, SimdRealField};

use super::{floats::converted, fused, lanes::copied, scalars::Arithmetic, several, sin_cos};

/// Sines and cosines of two to eight angles in radians: those of [`sin_cos`], to the bit.
///
/// If those of doubles are computed inline they are steps of vectors: with AVX2, four take about as many instructions
/// as one, and eight as many as two. If vectors hold two doubles, up to four angles are computed one by one. So are
/// lanes, but one test covers the size of all their angles.
///
/// ```
/// use lagrange_runtime::math::{sin_cos, sin_cos_abreast};
/// let ([sine, _, _], [_, _, cosine]) = sin_cos_abreast([0.5, 1.0, 1.5]);
/// assert_eq!((sine, cosine), (sin_cos(0.5).0, sin_cos(1.5).1));
/// ```
#[inline(always)]
pub fn sin_cos_abreast<A: Abreast>(angles: A) -> (A, A) {
    angles.sines_and_cosines()
}

/// Arrays of two to eight scalars.
///
/// ```
/// use lagrange_runtime::math::{Abreast, sin_cos_abreast};
/// fn sines<A: Abreast>(angles: A) -> A {
///     sin_cos_abreast(angles).0
/// }
/// assert_eq!(sines([0.0, -0.0]), [0.0, 0.0]);
/// ```
pub trait Abreast: Copy + 'static {
    /// See [`sin_cos_abreast`].
    #[doc(hidden)]
    fn sines_and_cosines(self) -> (Self, Self);
}

// Without loops, which would keep SIMD lanes in memory.
macro_rules! abreast {
    ($count:literal: $($angle:ident)*, $($zero:literal)*) => {
        impl<S: SimdRealField + Copy> Abreast for [S; $count] {
            #[inline(always)]
            fn sines_and_cosines(self) -> (Self, Self) {
                if fused::IN_LINE && $count >= several::LEAST && Arithmetic::of::<S>() == Arithmetic::Float {
                    let any: &dyn Any = &self;
                    if let Some(&[$($angle),*]) = any.downcast_ref::<[f64; $count]>() {
                        let [$($angle,)* ..] = several::sin_cos_abreast([$($angle,)* $($zero),*], $count);
                        $(let $angle = converted($angle);)*
                        return ([$($angle.0),*], [$($angle.1),*]);
                    }
                }
                let [$($angle),*] = self;
                // One test covers all lanes of all angles.
                if let Some(kernel) = fused::Kernel::of_lanes::<S>() {
                    let are_small = $(kernel.are_small($angle))&*;
                    if !are_small.all() {
                        return one_by_one([$(copied($angle)),*]);
                    }
                    $(let $angle = kernel.sin_cos($angle);)*
                    return ([$($angle.0),*], [$($angle.1),*]);
                }
                $(let $angle = sin_cos($angle);)*
                ([$($angle.0),*], [$($angle.1),*])
            }
        }
    };
}

/// With large angles among them.
#[cold]
#[inline(never)]
fn one_by_one<S: SimdRealField + Copy, const N: usize>(angles: [S; N]) -> ([S; N], [S; N]) {
    let mut cosines = angles;
    let sines = core::array::from_fn(|i| {
        let (sine, cosine) = sin_cos(angles[i]);
        cosines[i] = cosine;
        sine
    });
    (sines, cosines)
}

abreast!(2: a b, 0.0 0.0 0.0 0.0 0.0 0.0);
abreast!(3: a b c, 0.0 0.0 0.0 0.0 0.0);
abreast!(4: a b c d, 0.0 0.0 0.0 0.0);
abreast!(5: a b c d e, 0.0 0.0 0.0);
abreast!(6: a b c d e f, 0.0 0.0);
abreast!(7: a b c d e f g, 0.0);
abreast!(8: a b c d e f g h,);
