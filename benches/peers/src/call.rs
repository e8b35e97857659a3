//! One kind of call for all measurements: a C function that the compiler does not see through.

use lagrangian::nalgebra::SMatrix;
use lagrangian::{Error, Linearization, Motion};

/// Coordinates, velocities, inputs, and parameters: for C an array of numbers, for our code the system itself, both in
/// the memory of the caller. The last pointer is for the result.
pub type Call = unsafe extern "C" fn(*const f64, *const f64, *const f64, *const f64, *mut f64);

/// A value that is written like the results of C.
pub trait Outcome {
    /// Writes the value.
    ///
    /// # Safety
    ///
    /// The pointer must have space and alignment for it.
    unsafe fn store(self, out: *mut f64);
}

impl<S: Copy, const R: usize, const C: usize> Outcome for SMatrix<S, R, C> {
    #[inline(always)]
    unsafe fn store(self, out: *mut f64) {
        unsafe { out.cast::<Self>().write(self) }
    }
}

impl<const N2: usize, const K: usize> Outcome for Linearization<f64, N2, K> {
    #[inline(always)]
    unsafe fn store(self, out: *mut f64) {
        unsafe {
            self.a.store(out);
            self.b.store(out.add(N2 * N2));
        }
    }
}

/// Multipliers with the sign that they have in M a + J^T lambda = f.
impl<const N: usize, const C: usize> Outcome for Motion<f64, N, C> {
    #[inline(always)]
    unsafe fn store(self, out: *mut f64) {
        unsafe {
            self.acceleration.store(out);
            (-self.multipliers).store(out.add(N));
        }
    }
}

impl<T: Outcome> Outcome for Result<T, Error> {
    #[inline(always)]
    unsafe fn store(self, out: *mut f64) {
        match self {
            Ok(value) => unsafe { value.store(out) },
            Err(_) => unsafe { out.write(f64::NAN) },
        }
    }
}

/// A method of a system as a `Call`: its arguments are q, v, u, or a, which is passed instead of u.
#[macro_export]
macro_rules! call {
    ($system:ty: $method:ident($($argument:ident),*)) => {{
        #[inline(never)]
        unsafe extern "C" fn call(
            q: *const f64,
            v: *const f64,
            u: *const f64,
            system: *const f64,
            out: *mut f64,
        ) {
            let _ = (q, v, u);
            unsafe {
                let system = &*system.cast::<$system>();
                let value = system.$method($(&*$crate::argument!($argument: q v u).cast()),*);
                $crate::call::Outcome::store(value, out);
            }
        }
        call as $crate::call::Call
    }};
}

#[doc(hidden)]
#[macro_export]
macro_rules! argument {
    (q: $q:ident $v:ident $u:ident) => {
        $q
    };
    (v: $q:ident $v:ident $u:ident) => {
        $v
    };
    (u: $q:ident $v:ident $u:ident) => {
        $u
    };
    (a: $q:ident $v:ident $u:ident) => {
        $u
    };
}
