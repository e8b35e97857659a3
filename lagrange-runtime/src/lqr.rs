//! Linear-quadratic regulators: the state feedback of least cost, in continuous and in discrete time.

mod balance;
mod doubling;
mod matrices;
mod modes;
mod riccati;

use nalgebra::{RealField, SMatrix};

use crate::{
    Error,
    linalg::{all_finite, check_finite, matrix},
};
use matrices::symmetric;
use riccati::{Riccati, Time};

/// The feedback `u = -gain x` that [`lqr`] and [`dlqr`] find, and its cost `xᵀ cost x` from the state x on.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Lqr, lqr, nalgebra::matrix};
///
/// // A mass of 1 kg, pushed back to its place.
/// let (a, b) = (matrix![0.0, 1.0; 0.0, 0.0], matrix![0.0; 1.0]);
/// let Lqr { gain, .. } = lqr(&a, &b, &matrix![1.0, 0.0; 0.0, 0.0], &matrix![1.0]).unwrap();
/// assert!((gain - matrix![1.0, 2.0_f64.sqrt()]).norm() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lqr<S, const N: usize, const K: usize> {
    /// The gains.
    pub gain: SMatrix<S, K, N>,
    /// The symmetric solution X of the Riccati equation.
    pub cost: SMatrix<S, N, N>,
}

/// The feedback `u = -K x` that stabilises `x' = A x + B u` at the least `∫ (xᵀ Q x + uᵀ R u) dt`.
///
/// `N` is the number of states, `K` the number of inputs. The gains are `K = R⁻¹ Bᵀ X` with the stabilising solution X
/// of `Aᵀ X + X A - X B R⁻¹ Bᵀ X + Q = 0`: all eigenvalues of A - B K have negative real parts. Only the symmetric
/// parts of Q and R are read. Q must be positive semidefinite and R positive definite. States that Q does not weigh may
/// be unstable.
///
/// # Method
///
/// The structure-preserving doubling algorithm (E. K.-W. Chu, H.-Y. Fan and W.-W. Lin, "A structure-preserving doubling
/// algorithm for continuous-time algebraic Riccati equations", *Linear Algebra and its Applications* 396, 2005) starts
/// from no cost, or from multiples of the unit matrix. It is repeated for the residual of the equation until that falls
/// no more (V. Mehrmann and E. Tan, "Defect correction methods for the solution of algebraic Riccati equations", *IEEE
/// Trans. Automat. Control* 33, 1988). States are first scaled by powers of two, so that units do not matter.
///
/// Rounding alone can make a loop decay. So a loop that decays slowly is accepted only after the test of Hautus: no
/// vector x and number λ may satisfy `A x = λ x` and `Q x = 0` with λ at the limit of stability, or `Aᵀ x = λ x` and
/// `Bᵀ x = 0` with λ there or beyond. Equations count as satisfied if each row is within 4 N eps of its terms, which no
/// choice of units changes. Nothing is allocated; about thirty matrices of N x N numbers are on the stack.
///
/// # Errors
///
/// - [`Error::NotConverged`] if no stabilising solution is found for which the equation holds to rounding, within 16 N
///   eps of its terms: an unstable state that no input moves, or one that neither Q nor its own motion makes decay. The
///   residual is the largest entry of the left side. It is infinite if the test of Hautus finds such a state, or if R
///   is not positive definite.
/// - [`Error::NotFinite`] if an argument or the result is NaN or infinite.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Error, lqr, nalgebra::matrix};
///
/// // x' = x + u, which is unstable by itself.
/// let feedback = lqr(&matrix![1.0], &matrix![1.0], &matrix![3.0], &matrix![1.0]).unwrap();
/// assert!((feedback.gain[0] - 3.0_f64).abs() < 1e-14 && (feedback.cost[0] - 3.0).abs() < 1e-14);
///
/// // No input, no feedback.
/// let outcome = lqr(&matrix![1.0], &matrix![0.0], &matrix![3.0], &matrix![1.0]);
/// assert!(matches!(outcome, Err(Error::NotConverged { .. })));
/// ```
pub fn lqr<S: RealField + Copy, const N: usize, const K: usize>(
    a: &SMatrix<S, N, N>,
    b: &SMatrix<S, N, K>,
    q: &SMatrix<S, N, N>,
    r: &SMatrix<S, K, K>,
) -> Result<Lqr<S, N, K>, Error> {
    regulator(Time::Continuous, a, b, q, r)
}

/// The feedback `u = -K x` that stabilises `x⁺ = A x + B u` at the least `Σ (xᵀ Q x + uᵀ R u)`.
///
/// `N` is the number of states, `K` the number of inputs. The gains are `K = (R + Bᵀ X B)⁻¹ Bᵀ X A` with the
/// stabilising solution X of `Aᵀ X A - X - Aᵀ X B (R + Bᵀ X B)⁻¹ Bᵀ X A + Q = 0`: all eigenvalues of A - B K are less
/// than 1 in absolute value. Arguments, method and errors are those of [`lqr`].
///
/// # Errors
///
/// The errors of [`lqr`].
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{dlqr, nalgebra::matrix};
///
/// // The level of a tank, one day to the next.
/// let feedback = dlqr(&matrix![1.0], &matrix![1.0], &matrix![1.0], &matrix![1.0]).unwrap();
/// let golden = (1.0 + 5.0_f64.sqrt()) / 2.0;
/// assert!((feedback.cost[0] - golden).abs() < 1e-14);
/// assert!((feedback.gain[0] - (golden - 1.0)).abs() < 1e-14);
/// ```
pub fn dlqr<S: RealField + Copy, const N: usize, const K: usize>(
    a: &SMatrix<S, N, N>,
    b: &SMatrix<S, N, K>,
    q: &SMatrix<S, N, N>,
    r: &SMatrix<S, K, K>,
) -> Result<Lqr<S, N, K>, Error> {
    regulator(Time::Discrete, a, b, q, r)
}

fn regulator<S: RealField + Copy, const N: usize, const K: usize>(
    time: Time,
    a: &SMatrix<S, N, N>,
    b: &SMatrix<S, N, K>,
    q: &SMatrix<S, N, N>,
    r: &SMatrix<S, K, K>,
) -> Result<Lqr<S, N, K>, Error> {
    check_finite(&[
        ("a", a.as_slice()),
        ("b", b.as_slice()),
        ("q", q.as_slice()),
        ("r", r.as_slice()),
    ])?;
    let Some(root) = matrices::root(&symmetric(r.data.0)) else {
        return Err(Error::NotConverged {
            residual: f64::INFINITY,
        });
    };
    // Columns of B are rows of its transpose.
    let inputs = matrices::forward(&root, &b.data.0);
    let mut riccati = Riccati {
        time,
        a: a.transpose().data.0,
        inputs,
        unscaled_inputs: b.data.0,
        q: symmetric(q.data.0),
    };
    let scales = balance::balance(&mut riccati);
    let (mut cost, gain) = riccati.solve(&scales)?;
    let mut gain = matrices::backward(&root, &gain);
    for j in 0..N {
        for i in 0..K {
            gain[i][j] /= scales[j];
        }
        for i in 0..N {
            cost[i][j] = cost[i][j] / scales[i] / scales[j];
        }
    }
    let (gain, cost) = (matrix(gain).transpose(), matrix(cost));
    if all_finite(gain.as_slice()) && all_finite(cost.as_slice()) {
        Ok(Lqr { gain, cost })
    } else {
        Err(Error::NOT_FINITE)
    }
}
