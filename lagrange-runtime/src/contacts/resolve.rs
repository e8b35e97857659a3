//! Motions in which contacts and dry joints find their modes.

use nalgebra::{RealField, SMatrix, SVector};

use super::friction::{Contact, Found, Joint, Law, PerRow, Rows, Setting, solve_laws};
use super::{FrictionTerms, Frictional, Mode, Resolved};
use crate::Error;
use crate::linalg::check_finite;

/// The motion where each of the flagged contacts opens or stays closed, slides or sticks by itself.
///
/// With the forces F of the gaps, t of friction and r of dry joints, and with the rates s of slip and dv/dt of the
/// joints, it solves
///
/// ```text
/// M a = f + Jᵀ λ + J_cᵀ F + J_sᵀ t + r,      J a = γ
/// 0 ≤ F ⊥ J_c a - γ_c ≥ 0                    of a closed contact
/// t = -μ F s/|s|                             where it slides
/// |t| ≤ μ F, J_s a = γ_s, or t = -μ F (J_s a - γ_s)/|J_s a - γ_s|    where it does not
/// |r| ≤ R, dv/dt = 0,     or r = -R sign     of a dry joint
/// ```
///
/// A contact whose gap opens by more than the bound of its rounding error opens and has no force. A sliding velocity within its bound
/// counts as 0, and so does a rate of a sliding velocity within that of the solution. A dry joint rests if its velocity
/// is 0 exactly.
///
/// # Method
///
/// Delassus' matrix of all rows, with the constraints held, gives a complementarity problem (Ch. Glocker, *Dynamik von
/// Starrkörpersystemen mit Reibung und Stössen*, VDI 1995). In a plane Lemke's method finds the modes, and the equations
/// of these modes are solved once more; if the path of the method ends on a ray, all combinations of modes are tried. In
/// space Newton's method on the cones finds the modes of contacts that begin to slide.
///
/// # Several solutions
///
/// With friction there may be several solutions. Then all contacts open if they can; otherwise the solution is the
/// one at the end of Lemke's path, which begins with open contacts, and if there is no such end the first one of all
/// combinations, in which open contacts come first. In space it is the one that projections and Newton's method reach from forces
/// of 0.
///
/// # Errors
///
/// Those of [`Frictional::resolve`].
#[doc(hidden)]
pub fn resolve<
    S,
    T,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>(
    system: &T,
    t: S,
    q: &SVector<S, NQ>,
    v: &SVector<S, N>,
    u: &SVector<S, K>,
    closed: &[bool; P],
) -> Result<Resolved<S, N, C, P, M>, Error>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    check_finite(&[
        ("t", &[t][..]),
        ("q", q.as_slice()),
        ("v", v.as_slice()),
        ("u", u.as_slice()),
    ])?;
    let serves_dependent = <T as Frictional<S, NQ, N, K, C, P, M>>::REDUNDANT;
    let found = motion(
        system,
        t,
        (q, v, u),
        closed,
        &Slipping::none(),
        serves_dependent,
    );
    found.map_err(Error::of_computed)
}

/// Contacts and joints that have just begun to move: the directions in which they do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slipping<S, const P: usize, const M: usize> {
    pub(crate) contacts: [Option<[S; 2]>; P],
    pub(crate) joints: [Option<S>; M],
}

impl<S: RealField + Copy, const P: usize, const M: usize> Slipping<S, P, M> {
    pub(crate) fn none() -> Self {
        Self {
            contacts: [None; P],
            joints: [None; M],
        }
    }
}

/// The motion of [`resolve`], in which some contacts and joints slide although their velocities are 0.
pub(crate) fn motion<
    S,
    T,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>(
    system: &T,
    t: S,
    (q, v, u): (&SVector<S, NQ>, &SVector<S, N>, &SVector<S, K>),
    closed: &[bool; P],
    slipping: &Slipping<S, P, M>,
    serves_dependent: bool,
) -> Result<Resolved<S, N, C, P, M>, Error>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    let zero = S::zero();
    let terms = system.friction_terms(t, q, v, u);
    let jacobian = system.contact_jacobian(t, q, v, u);
    let gap_rates = system.gap_rates(t, q, v, u);
    let gamma = system.contact_gamma(t, q, v, u);
    let mut contacts = [Law::Absent; P];
    let mut joints = [None; M];
    let mut rows: PerRow<SVector<S, N>, P, M> = Rows::filled(SVector::zeros());
    let mut offsets: PerRow<S, P, M> = Rows::filled(zero);
    let mut forcing = system.forcing(t, q, v, u);
    for k in 0..P {
        // The negation is true for NaN, too, which is an error.
        let opens = closed[k] && gap_rates[k] > terms.gap_rate_bounds[k];
        if !closed[k] || opens {
            continue;
        }
        contacts[k] = law_at::<S, T, NQ, N, K, C, P, M>(&terms, k, slipping.contacts[k]);
        let [of_first, of_second] = [0, 1].map(|i| terms.slip_jacobians.get(i));
        let slips = [of_first, of_second]
            .map(|jacobian| jacobian.map_or_else(SVector::zeros, |jacobian| row_of(jacobian, k)));
        rows.contacts[k] = [row_of(&jacobian, k), slips[0], slips[1]];
        offsets.contacts[k] = [
            -gamma[k],
            -terms.slip_gammas[0][k],
            -terms.slip_gammas[1][k],
        ];
        for i in T::SLIPS[k].wrapping_add(1)..3 {
            if let (Some(row), Some(offset)) =
                (rows.contacts[k].get_mut(i), offsets.contacts[k].get_mut(i))
            {
                (*row, *offset) = (SVector::zeros(), zero);
            }
        }
    }
    let mut moving = [zero; M];
    for j in 0..M {
        let limit = terms.joint_limits[j].max(zero);
        let place = T::DRY_JOINTS[j];
        let velocity = v.get(place).copied().unwrap_or(zero);
        let direction = if velocity.is_zero() {
            slipping.joints[j]
        } else {
            Some(velocity)
        };
        match direction {
            Some(direction) => {
                moving[j] = -limit * direction.signum();
                if let Some(force) = forcing.get_mut(place) {
                    *force += moving[j];
                }
            }
            None => joints[j] = Some(limit),
        }
        if let Some(entry) = rows.joints[j][0].get_mut(place) {
            *entry = S::one();
        }
    }
    let mut found = solve_laws(&Setting {
        mass: system.mass_matrix(t, q, v, u),
        jacobian: system.constraint_jacobian(t, q, v, u),
        multiplier_forces: T::REACTING.then(|| system.multiplier_forces(t, q, v, u)),
        are_redundant: <T as Frictional<S, NQ, N, K, C, P, M>>::REDUNDANT,
        serves_dependent,
        forcing,
        gamma: system.constraint_gamma(t, q, v, u),
        rows,
        offsets,
        noise: Rows::filled(zero),
        contacts,
        joints,
    })?;
    for j in 0..M {
        if joints[j].is_some() && found.modes.joints[j] == Joint::Held {
            // Not a rounding error, with which the joint would drift.
            if let Some(acceleration) = found.x.get_mut(T::DRY_JOINTS[j]) {
                *acceleration = zero;
            }
        }
    }
    Ok(resolved(&found, &contacts, moving, &joints))
}

/// The row of a matrix as a vector.
pub(super) fn row_of<S: RealField + Copy, const P: usize, const N: usize>(
    matrix: &SMatrix<S, P, N>,
    row: usize,
) -> SVector<S, N> {
    let mut vector: SVector<S, N> = SVector::zeros();
    for (entry, column) in vector.iter_mut().zip(&matrix.data.0) {
        *entry = column.get(row).copied().unwrap_or_else(S::zero);
    }
    vector
}

/// The law of a closed contact at its sliding velocities.
fn law_at<
    S,
    T,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>(
    terms: &FrictionTerms<S, N, P, M>,
    contact: usize,
    begins: Option<[S; 2]>,
) -> Law<S>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    let zero = S::zero();
    let value = |values: &SVector<S, P>| values.get(contact).copied().unwrap_or(zero);
    let slips = T::SLIPS.get(contact).copied().unwrap_or(0);
    let friction = value(&terms.friction);
    if slips == 0 || friction <= zero {
        return Law::Slides {
            friction: zero,
            direction: [zero; 2],
        };
    }
    let [mut x, mut y] = terms.slips.each_ref().map(value);
    let bounds = terms.slip_bounds.each_ref().map(value);
    if slips == 1 {
        y = zero;
    }
    let is_still = !(x.abs() > bounds[0] || y.abs() > bounds[1]);
    if is_still {
        match begins {
            None => return Law::Rests { slips, friction },
            Some(direction) => [x, y] = direction,
        }
    }
    let length = x.hypot(y);
    Law::Slides {
        friction,
        direction: [x / length, y / length],
    }
}

fn resolved<S: RealField + Copy, const N: usize, const C: usize, const P: usize, const M: usize>(
    found: &Found<S, N, C, P, M>,
    contacts: &[Law<S>; P],
    moving: [S; M],
    joints: &[Option<S>; M],
) -> Resolved<S, N, C, P, M> {
    let forces = &found.forces;
    let mut held = [false; M];
    for j in 0..M {
        held[j] = joints[j].is_some() && found.modes.joints[j] == Joint::Held;
    }
    Resolved {
        acceleration: found.x,
        multipliers: found.multipliers,
        contact_forces: SVector::from_fn(|k, _| {
            forces
                .contacts
                .get(k)
                .map_or_else(S::zero, |forces| forces[0])
        }),
        friction_forces: forces.contacts.map(|[_, first, second]| [first, second]),
        modes: core::array::from_fn(|k| match (&contacts[k], &found.modes.contacts[k]) {
            (Law::Absent, _) | (_, Contact::Open) => Mode::Open,
            (_, Contact::Sticks) => Mode::Sticks,
            (_, Contact::Slides(_)) => Mode::Slides,
        }),
        joint_forces: core::array::from_fn(|j| {
            if joints[j].is_some() {
                forces.joints[j][0]
            } else {
                moving[j]
            }
        }),
        held,
    }
}
