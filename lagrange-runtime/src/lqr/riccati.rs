//! The Riccati equation of a regulator, and its solution by defect correction.

use nalgebra::RealField;

use super::doubling::Pencil;
use super::matrices::{
    Square, backward, forward, identity, is_semidefinite, norm, product, root, sizes, sum,
    symmetric, transposed, transposed_product,
};
use super::modes::{Region, has_unobservable_mode};
use crate::{Error, linalg::all_finite, math::constant};

#[derive(Clone, Copy)]
pub(super) enum Time {
    Continuous,
    Discrete,
}

/// A regulator with the inputs in units in which R is the identity.
pub(super) struct Riccati<S, const N: usize, const K: usize> {
    pub(super) time: Time,
    pub(super) a: Square<S, N>,
    /// Bᵀ
    pub(super) inputs: [[S; N]; K],
    /// Bᵀ with the inputs in the caller's units.
    pub(super) unscaled_inputs: [[S; N]; K],
    pub(super) q: Square<S, N>,
}

/// The closed loop of a cost X.
struct Loop<S, const N: usize, const K: usize> {
    gain: [[S; N]; K],
    /// A - B K
    a: Square<S, N>,
    /// B (I + Bᵀ X B)⁻¹ Bᵀ in discrete time, B Bᵀ in continuous time.
    g: Square<S, N>,
    /// The residual of the Riccati equation at X.
    residual: Square<S, N>,
    /// Its norm.
    size: S,
    /// The norm of its terms.
    terms: S,
    /// The norm of Kᵀ K + Q.
    driven: S,
}

/// More steps of the doubling algorithm than these show motions that decay so slowly that rounding may be the cause.
const MOST_FAST_STEPS: usize = 10;

/// Each correction gains digits; this many bring a solution of 0 below the smallest number.
const CORRECTIONS: usize = 32;

/// Costs to start from, in units of the size of A over that of B R⁻¹ Bᵀ, after no cost and the unit matrix. No cost is
/// best where states decay by themselves. Those that grow need a cost; rounding of a large one hides motions that
/// hardly grow.
const STARTS: [f64; 4] = [1.0, 1e-4, 1e-8, 1e-12];

/// How fast a loop decays.
#[derive(Clone, Copy, PartialEq)]
enum Speed {
    Fast,
    Slow,
    /// As slow as rounding makes a loop at the limit of stability decay: by the root of eps.
    AsRounding,
}

/// A cost, and its gain.
pub(super) type Feedback<S, const N: usize, const K: usize> = (Square<S, N>, [[S; N]; K]);

/// A feedback and the speed of its loop; or the residual, if it is finite.
type Outcome<S, const N: usize, const K: usize> =
    Result<(Feedback<S, N, K>, Speed), Option<Square<S, N>>>;

impl<S: RealField + Copy, const N: usize, const K: usize> Riccati<S, N, K> {
    /// The stabilising feedback. `scales` are the units of the states, for the residual of the error.
    pub(super) fn solve(&self, scales: &[S; N]) -> Result<Feedback<S, N, K>, Error> {
        let reach = norm(&transposed_product(&self.inputs, &self.inputs));
        let unit = match self.time {
            _ if reach == S::zero() => S::one(),
            Time::Continuous => norm(&self.a) / reach,
            Time::Discrete => S::one() / reach,
        };
        let mut residual = f64::INFINITY;
        let mut is_possible = false;
        let starts = STARTS.map(|start| unit * constant(start));
        for start in [S::zero(), S::one()].into_iter().chain(starts) {
            let solution = self.solve_from(start);
            match &solution {
                Ok((feedback, Speed::Fast)) => return Ok(*feedback),
                Ok((_, Speed::AsRounding)) if !is_semidefinite(&self.q) => continue,
                Ok(_) => {}
                Err(Some(residuals)) => residual = remaining(residuals, scales),
                Err(None) => {}
            }
            if !is_possible && self.has_unobservable_modes() {
                residual = f64::INFINITY;
                break;
            }
            is_possible = true;
            if let Ok((feedback, _)) = solution {
                return Ok(feedback);
            }
        }
        Err(Error::NotConverged { residual })
    }

    /// Returns whether no feedback of finite cost stabilises: Q does not see a motion at the limit of stability, or no
    /// input moves one that does not decay.
    fn has_unobservable_modes(&self) -> bool {
        let (time, a) = (self.time, &self.a);
        has_unobservable_mode(time, Region::Limit, a, &self.q)
            || has_unobservable_mode(
                time,
                Region::LimitAndBeyond,
                &transposed(a),
                &self.unscaled_inputs,
            )
    }

    /// The stabilising solution from a multiple of the unit matrix on.
    fn solve_from(&self, start: S) -> Outcome<S, N, K> {
        let mut cost = identity().map(|row: [S; N]| row.map(|entry| start * entry));
        let mut here = self.close(&cost);
        let mut best = None;
        let mut steps = 0;
        for _ in 0..CORRECTIONS {
            let Some(closed) = &here else { break };
            let Some((change, count)) = self.correction(closed) else {
                break;
            };
            cost = add_change(&cost, &change);
            let next = self.close(&cost).filter(|next| all_finite(&[next.size]));
            let Some(next) = next else { break };
            let two = constant::<S>(2.0);
            let is_halved = best.is_none() || next.size * two < closed.size;
            let is_exact = next.size == S::zero();
            if next.size < closed.size || best.is_none() {
                best = Some(cost);
                here = Some(next);
            }
            steps = steps.max(count);
            if !is_halved || is_exact {
                break;
            }
        }
        match (best, here) {
            (Some(cost), Some(closed)) if closed.is_solved() => {
                Ok(((cost, closed.gain), speed(steps, &cost)))
            }
            (_, here) => Err(here.map(|closed| closed.residual)),
        }
    }

    /// The loop that the feedback of the cost X closes; `None` if X is not semidefinite enough.
    ///
    /// With the gain K and C = A - B K, the Riccati equation is `Cᵀ X + X C + Kᵀ K + Q = 0` or
    /// `Cᵀ X C - X + Kᵀ K + Q = 0`. Errors of K have no effect on these to first order.
    fn close(&self, x: &Square<S, N>) -> Option<Loop<S, N, K>> {
        let reached = product(&self.inputs, x);
        let (gain, reach) = match self.time {
            Time::Continuous => (reached, self.inputs),
            Time::Discrete => {
                let weight = product(&reached, &transposed(&self.inputs));
                let root = root(&symmetric(sum(weight, S::one(), &identity())))?;
                let gain = forward(&root, &product(&reached, &self.a));
                (backward(&root, &gain), forward(&root, &self.inputs))
            }
        };
        let a = sum(self.a, -S::one(), &transposed_product(&self.inputs, &gain));
        let residual = self.terms(&a, x, &gain, &self.q, -S::one());
        let driven = sum(self.q, S::one(), &transposed_product(&gain, &gain));

        let sizes_of_gain = sizes(&gain);
        let by_gain = transposed_product(&sizes(&self.inputs), &sizes_of_gain);
        let sizes_of_a = sum(sizes(&self.a), S::one(), &by_gain);
        let sizes_of_x = sizes(x);
        let sizes_of_q = sizes(&self.q);
        let terms = self.terms(
            &sizes_of_a,
            &sizes_of_x,
            &sizes_of_gain,
            &sizes_of_q,
            S::one(),
        );
        Some(Loop {
            gain,
            a,
            g: transposed_product(&reach, &reach),
            size: norm(&residual),
            residual,
            terms: norm(&terms),
            driven: norm(&driven),
        })
    }

    /// `Cᵀ X + X C + Kᵀ K + Q` or `Cᵀ X C + Kᵀ K + Q + sign X`
    fn terms(
        &self,
        c: &Square<S, N>,
        x: &Square<S, N>,
        gain: &[[S; N]; K],
        q: &Square<S, N>,
        sign: S,
    ) -> Square<S, N> {
        let moved = product(x, c);
        let moved = match self.time {
            Time::Continuous => sum(transposed(&moved), S::one(), &moved),
            Time::Discrete => sum(transposed_product(c, &moved), sign, x),
        };
        let by_inputs = transposed_product(gain, gain);
        symmetric(sum(sum(moved, S::one(), &by_inputs), S::one(), q))
    }

    /// The correction of X: it solves the Riccati equation of the closed loop, with the residual for Q.
    ///
    /// Returns the steps of the doubling algorithm too.
    fn correction(&self, closed: &Loop<S, N, K>) -> Option<(Square<S, N>, usize)> {
        let Loop { a, g, residual, .. } = *closed;
        match self.time {
            Time::Continuous => Pencil::cayley(a, g, residual)?.solve(),
            Time::Discrete => Pencil {
                decay: sum(identity(), -S::one(), &a),
                g,
                h: residual,
            }
            .solve(),
        }
    }
}

/// Of a loop that `steps` of the doubling algorithm bring to 0. A cost that only rounding keeps finite is large.
fn speed<S: RealField + Copy, const N: usize>(steps: usize, cost: &Square<S, N>) -> Speed {
    let root = S::default_epsilon().sqrt();
    if constant::<S>((1_u64 << steps.min(63)) as f64) * root > S::one() {
        Speed::AsRounding
    } else if steps > MOST_FAST_STEPS || norm(cost) * root > S::one() {
        Speed::Slow
    } else {
        Speed::Fast
    }
}

impl<S: RealField + Copy, const N: usize, const K: usize> Loop<S, N, K> {
    /// Returns whether the equation holds to rounding, and rounding does not hide its driving terms, as in a loop that
    /// decays only by rounding.
    fn is_solved(&self) -> bool {
        let rounding = constant::<S>(N as f64) * S::default_epsilon() * self.terms;
        self.size <= constant::<S>(16.0) * rounding && constant::<S>(4.0) * rounding <= self.driven
    }
}

/// The sum, without entries that are rounding errors: those that cancel, and those far below the unit matrix, which the
/// scales make the size of a solution. So a zero entry becomes 0, not a small number without correct digits.
fn add_change<S: RealField + Copy, const N: usize>(
    x: &Square<S, N>,
    change: &Square<S, N>,
) -> Square<S, N> {
    let eps = S::default_epsilon();
    let rounding = constant::<S>(64.0 * N as f64) * eps;
    let squared = eps * eps;
    let least = squared * squared * squared;
    let mut changed = sum(*x, S::one(), change);
    for i in 0..N {
        for j in 0..N {
            if changed[i][j].abs() <= (rounding * x[i][j].abs()).max(least) {
                changed[i][j] = S::zero();
            }
        }
    }
    changed
}

/// The largest entry of a residual, in the caller's units of the states.
fn remaining<S: RealField + Copy, const N: usize>(residual: &Square<S, N>, scales: &[S; N]) -> f64 {
    let mut most = S::zero();
    for i in 0..N {
        for j in 0..N {
            let size = residual[i][j].abs() / scales[i] / scales[j];
            if size > most {
                most = size;
            }
        }
    }
    nalgebra::convert_unchecked(most)
}
