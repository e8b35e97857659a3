//! Contacts: motions and impacts while some of them are closed.
//!
//! A contact is a gap g(q, t) that is not negative. Its rate is `dg/dt = J_c v + ∂g/∂t`, its second derivative
//! `J_c a - γ_c`. Contacts act on nothing by themselves. The caller decides which of them are *active*: these hold as
//! equations, together with the constraints. A force of a contact that pushes is positive.
//!
//! | function | equations |
//! | --- | --- |
//! | [`solve_active`] | `M a = f + Jᵀ λ + J_cᵀ F`, `J a = γ`, `J_c a = γ_c` in the active rows |
//! | [`impact`] | `M (v⁺ - v) = Jᵀ L + J_cᵀ P`, `J v⁺ = J v`, `dg/dt⁺ = -e dg/dt` in the active rows |
//! | [`linearize_active`], [`impact_derivatives`] | their derivatives |
//! | [`delassus`] | `W = J_c M⁻¹ J_cᵀ`, with the constraints held |
//!
//! If forces depend on multipliers, `B [λ; F]` is added to f only in [`solve_active`] and its derivatives.
//!
//! # The solve
//!
//! The number of active contacts is known at run time only, and arrays have fixed sizes. Therefore each contact gets
//! an unknown of its own with an inertia and without a force. The row of an active contact does not contain it. The row
//! of another contact contains nothing else: it says that the unknown is 0, and its multiplier is 0. So the system
//! always has `E = N + P` unknowns and `R = C + P` rows, and [`Kkt`](crate::linalg::Kkt) solves it with its accuracy,
//! also where M is singular. If rows may depend on each other, the row of another contact is zero.
//!
//! No term of a contact that is not active is read, so that these terms may be NaN or of any size.

mod derivatives;
mod factors;
#[allow(clippy::neg_cmp_op_on_partial_ord)] // NaN takes the same branch as a failed comparison.
#[doc(hidden)]
pub mod friction;
mod frictional;
mod phases;
mod resolve;
mod step;
mod system;

use nalgebra::{RealField, SMatrix, SVector};

use crate::linalg::{
    are_finite, dot, kkt_of_significant, matrix, mirror, reacting, reacting_redundant,
    redundant_in_place, vector,
};
use crate::math::{constant, mul_add};
use crate::{ActiveMotion, Error, Impact};
#[doc(hidden)]
pub use derivatives::{impact_derivatives, linearize_active, linearize_reacting};
use factors::{Factors, rows, set};
pub use frictional::{FrictionTerms, Frictional, Mode, Resolved};
pub(crate) use phases::{At, Change, Guards, Phases};
#[doc(hidden)]
pub use resolve::resolve;
pub use step::{ContactStep, contact_step};
pub use system::Contacts;

/// The mass matrix and the Jacobians of a state.
#[derive(Clone, Copy, Debug)]
pub struct Touching<S, const N: usize, const C: usize, const P: usize> {
    /// M, of which the lower triangle is read.
    pub mass: SMatrix<S, N, N>,
    /// J of the constraints. Rows of rounding errors are zeros; see [`significant`](crate::linalg::significant).
    pub jacobian: SMatrix<S, C, N>,
    /// `J_c` of all contacts, with the same zeros.
    pub contact_jacobian: SMatrix<S, P, N>,
    /// True if rows of constraints and contacts may depend on each other; see [`Redundant`](crate::linalg::Redundant).
    pub are_redundant: bool,
    /// The derivatives of the generalized forces by the multipliers of constraints and contacts, if they depend on them.
    /// Impacts are without these forces.
    pub multiplier_forces: Option<(SMatrix<S, N, C>, SMatrix<S, N, P>)>,
}

/// The motion of a state with forcing f while the active contacts stay closed. `E` is N + P, and `R` is C + P.
///
/// # Errors
///
/// The errors of [`kkt`](crate::linalg::kkt). The row of [`Error::DependentConstraints`] counts the constraints
/// first, then all contacts.
///
/// ```
/// use lagrange_runtime::{contacts::{Touching, solve_active}, nalgebra::{SMatrix, SVector, matrix, vector}};
///
/// // A mass of 2 kg on the floor y = 0, with a wall at its left.
/// let state = Touching {
///     mass: matrix![2.0, 0.0; 0.0, 2.0],
///     jacobian: SMatrix::<f64, 0, 2>::zeros(),
///     contact_jacobian: matrix![0.0, 1.0; 1.0, 0.0],
///     are_redundant: false,
///     multiplier_forces: None,
/// };
/// let (f, none) = (vector![3.0, -20.0], SVector::zeros());
/// let motion =
///     solve_active::<_, 2, 0, 2, 4, 2>(&state, &f, &none, &SVector::zeros(), &[true, false]).unwrap();
/// assert_eq!((motion.acceleration, motion.contact_forces), (vector![1.5, 0.0], vector![20.0, 0.0]));
/// ```
pub fn solve_active<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const P: usize,
    const E: usize,
    const R: usize,
>(
    state: &Touching<S, N, C, P>,
    forcing: &SVector<S, N>,
    gamma: &SVector<S, C>,
    contact_gamma: &SVector<S, P>,
    active: &[bool; P],
) -> Result<ActiveMotion<S, N, C, P>, Error> {
    let (f, gamma) = (&forcing.data.0[0], &gamma.data.0[0]);
    let contact_gamma = &contact_gamma.data.0[0];
    let forces = state.multiplier_forces.as_ref();
    let (a, lambda, forces) =
        solve::<S, N, C, P, E, R>(state, active, f, gamma, contact_gamma, forces)?;
    Ok(ActiveMotion {
        acceleration: vector(a),
        multipliers: vector(lambda),
        contact_forces: vector(forces),
    })
}

/// The impact of a state with velocity v at the active contacts, by Newton's law: the rates of their gaps are reversed
/// and multiplied by the coefficients of restitution. `E` is N + P, and `R` is C + P.
///
/// # Errors
///
/// The errors of [`solve_active`].
///
/// ```
/// use lagrange_runtime::{contacts::{Touching, impact}, nalgebra::{SMatrix, matrix, vector}};
///
/// // A mass of 2 kg falls on the floor y = 0.
/// let state = Touching {
///     mass: matrix![2.0, 0.0; 0.0, 2.0],
///     jacobian: SMatrix::<f64, 0, 2>::zeros(),
///     contact_jacobian: matrix![0.0, 1.0],
///     are_redundant: false,
///     multiplier_forces: None,
/// };
/// let v = vector![3.0, -4.0];
/// let hit = impact::<_, 2, 0, 1, 3, 1>(&state, &v, &vector![-4.0], &[true], &[0.5]).unwrap();
/// assert_eq!((hit.velocity, hit.impulses), (vector![3.0, 2.0], vector![12.0]));
/// ```
pub fn impact<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const P: usize,
    const E: usize,
    const R: usize,
>(
    state: &Touching<S, N, C, P>,
    velocity: &SVector<S, N>,
    gap_rates: &SVector<S, P>,
    active: &[bool; P],
    restitution: &[S; P],
) -> Result<Impact<S, N, C, P>, Error> {
    let zero = S::zero();
    let mut changes = [zero; P];
    for k in 0..P {
        let rate = gap_rates.data.0[0][k];
        changes[k] = -mul_add(restitution[k], rate, rate);
    }
    let (change, multipliers, impulses) =
        solve::<S, N, C, P, E, R>(state, active, &[zero; N], &[zero; C], &changes, None)?;
    let velocity = velocity + vector(change);
    if !are_finite(&[&velocity.data.0[0]]) {
        return Err(Error::NOT_FINITE);
    }
    Ok(Impact {
        velocity,
        multipliers: vector(multipliers),
        impulses: vector(impulses),
    })
}

/// Delassus' matrix `W = J_c M⁻¹ J_cᵀ`, with the constraints held.
///
/// # Errors
///
/// The errors of [`kkt`](crate::linalg::kkt) of the constraints alone.
///
/// ```
/// use lagrange_runtime::{contacts::{Touching, delassus}, nalgebra::{SMatrix, matrix}};
///
/// let state = Touching {
///     mass: matrix![2.0, 0.0; 0.0, 4.0],
///     jacobian: SMatrix::<f64, 0, 2>::zeros(),
///     contact_jacobian: matrix![0.0, 1.0; 1.0, 1.0],
///     are_redundant: false,
///     multiplier_forces: None,
/// };
/// assert_eq!(delassus(&state), Ok(matrix![0.25, 0.25; 0.25, 0.75]));
/// ```
pub fn delassus<S: RealField + Copy, const N: usize, const C: usize, const P: usize>(
    state: &Touching<S, N, C, P>,
) -> Result<SMatrix<S, P, P>, Error> {
    let zero = S::zero();
    let mut mass = rows(&state.mass);
    let jacobian = rows(&state.jacobian);
    let contacts = rows(&state.contact_jacobian);
    let mut work = [[zero; N]; C];
    let mut factors = Factors::new(state.are_redundant, &mut mass, &jacobian, &mut work)?;
    let mut columns = [[zero; P]; P];
    for k in 0..P {
        let a = factors.solve(&contacts[k], &[zero; C])?;
        for i in 0..P {
            columns[k][i] = dot(&contacts[i], &a);
        }
    }
    // Rounding makes the halves differ.
    let half = constant::<S>(0.5);
    let mut symmetric = columns;
    for k in 0..P {
        for i in 0..P {
            symmetric[k][i] = (columns[k][i] + columns[i][k]) * half;
        }
    }
    if are_finite(&[symmetric.as_flattened()]) {
        Ok(matrix(symmetric))
    } else {
        Err(Error::NOT_FINITE)
    }
}

/// The multipliers of constraints and contacts, one after the other, for generated code. `R` is C + P.
#[doc(hidden)]
pub fn joined<S: RealField + Copy, const C: usize, const P: usize, const R: usize>(
    of_constraints: &SVector<S, C>,
    of_contacts: &SVector<S, P>,
) -> SVector<S, R> {
    let mut multipliers = [S::zero(); R];
    let values = of_constraints.iter().chain(of_contacts.iter());
    for (place, value) in multipliers.iter_mut().zip(values) {
        *place = *value;
    }
    vector(multipliers)
}

/// Jᵀ + B by rows, for the rows that [`Touching::extend`] makes. No force depends on a contact that is not active.
fn reactions<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const P: usize,
    const E: usize,
    const R: usize,
>(
    active: &[bool; P],
    jacobian: &[[S; E]; R],
    multiplier_forces: Option<&(SMatrix<S, N, C>, SMatrix<S, N, P>)>,
) -> [[S; R]; E] {
    let mut reactions = [[S::zero(); R]; E];
    for k in 0..R {
        let column = multiplier_forces.and_then(|(of_constraints, of_contacts)| {
            let Some(contact) = k.checked_sub(C) else {
                return of_constraints.data.0.get(k);
            };
            of_contacts
                .data
                .0
                .get(contact)
                .filter(|_| active.get(contact) == Some(&true))
        });
        for i in 0..E {
            let reaction = jacobian[k][i];
            let force = column.and_then(|column| column.get(i)).copied();
            reactions[i][k] = reaction + force.unwrap_or_else(S::zero);
        }
    }
    reactions
}

/// The unknowns, the multipliers of the constraints, and those of the contacts, 0 for those that are not active.
type Solution<S, const N: usize, const C: usize, const P: usize> = ([S; N], [S; C], [S; P]);

/// Solves the equations of the state with the active contacts as constraints.
fn solve<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const P: usize,
    const E: usize,
    const R: usize,
>(
    state: &Touching<S, N, C, P>,
    active: &[bool; P],
    f: &[S; N],
    gamma: &[S; C],
    contact_gamma: &[S; P],
    multiplier_forces: Option<&(SMatrix<S, N, C>, SMatrix<S, N, P>)>,
) -> Result<Solution<S, N, C, P>, Error> {
    let zero = S::zero();
    let mut mass = [[zero; E]; E];
    let mut jacobian = [[zero; E]; R];
    let (mut force, mut wanted) = ([zero; E], [zero; R]);
    state.extend(active, &mut mass, &mut jacobian);
    for (place, value) in force.iter_mut().zip(f) {
        *place = *value;
    }
    let closed = contact_gamma
        .iter()
        .zip(active)
        .map(|(value, active)| if *active { *value } else { zero });
    for (place, value) in wanted.iter_mut().zip(gamma.iter().copied().chain(closed)) {
        *place = value;
    }
    let (a, multipliers) = if multiplier_forces.is_some() {
        let reactions = reactions(active, &jacobian, multiplier_forces);
        mirror(&mut mass);
        if state.are_redundant {
            reacting_redundant(&mass, &reactions, &jacobian, &force, &wanted)?
        } else {
            reacting(&mass, &reactions, &jacobian, &force, &wanted)?
        }
    } else if state.are_redundant {
        let (a, multipliers, _) = redundant_in_place(&mut mass, &jacobian, &force, &wanted)?;
        (a, multipliers)
    } else {
        kkt_of_significant(&mut mass, &jacobian, &force, &wanted)?
    };
    let mut solution = ([zero; N], [zero; C], [zero; P]);
    for (place, value) in solution.0.iter_mut().zip(&a) {
        *place = *value;
    }
    let (of_constraints, of_contacts) = (&mut solution.1, &mut solution.2);
    let places = of_constraints.iter_mut().chain(of_contacts.iter_mut());
    for (place, value) in places.zip(&multipliers) {
        *place = *value;
    }
    for (force, active) in solution.2.iter_mut().zip(active) {
        if !*active {
            *force = zero;
        }
    }
    Ok(solution)
}

impl<S: RealField + Copy, const N: usize, const C: usize, const P: usize> Touching<S, N, C, P> {
    /// M and the rows of constraints and contacts, with an unknown for each contact.
    fn extend<const E: usize, const R: usize>(
        &self,
        active: &[bool; P],
        mass: &mut [[S; E]; E],
        rows: &mut [[S; E]; R],
    ) {
        for i in 0..N {
            for j in 0..=i {
                set(mass, i, j, self.mass.data.0[j][i]);
            }
        }
        for j in 0..N {
            for i in 0..C {
                set(rows, i, j, self.jacobian.data.0[j][i]);
            }
        }
        let below = rows.get_mut(C..).unwrap_or_default();
        for (row, k) in below.iter_mut().zip(0..P) {
            if active[k] {
                for (entry, column) in row.iter_mut().zip(&self.contact_jacobian.data.0) {
                    *entry = column[k];
                }
            }
        }
        let (inertia, slope) = self.substitutes(rows);
        for k in 0..P {
            set(mass, N + k, N + k, inertia);
            if !active[k] && !self.are_redundant {
                set(rows, C + k, N + k, slope);
            }
        }
    }

    /// The inertia of the further unknowns, and the entry of the rows that contain nothing else. The entry is as large as
    /// the largest one of the rows of the system, also in the metric of M: then neither units nor other contacts decide
    /// which rows count as zero beside it.
    fn substitutes<const E: usize, const R: usize>(&self, rows: &[[S; E]; R]) -> (S, S) {
        let (mut largest, mut slope, mut size) = (S::zero(), S::zero(), S::zero());
        for j in 0..N {
            let inertia = self.mass.data.0[j][j].abs();
            largest = largest.max(inertia);
            let root = inertia.sqrt();
            for entry in rows.iter().filter_map(|row| row.get(j)) {
                let scaled = entry.abs() / root;
                slope = slope.max(entry.abs());
                if are_finite(&[&[scaled]]) {
                    size = size.max(scaled);
                }
            }
        }
        let (inertia, slope) = if size > S::zero() {
            let root = slope / size;
            (root * root, slope)
        } else {
            (largest, largest.sqrt())
        };
        if slope > S::zero() && inertia > S::zero() && are_finite(&[&[slope, inertia]]) {
            (inertia, slope)
        } else {
            (S::one(), S::one())
        }
    }
}
