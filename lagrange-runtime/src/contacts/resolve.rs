//! Motions in which contacts and dry joints find their modes.

use nalgebra::{RealField, SMatrix, SVector};

use super::friction::{
    Contact, Fixed, Law, LawSolution, PerRow, Rows, Setting, positive_part, solve_laws,
};
use super::{FrictionTerms, Frictional, Mode, Resolved};
use crate::Error;
use crate::linalg::{all_finite, check_finite};

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
/// space Newton's method on the cones finds the modes of contacts that begin to slide; where it fails, all combinations of
/// modes are tried, with arcs of directions that are bisected.
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
/// The errors of [`Frictional::resolve`]. In space [`Error::NoContactSolution`] is proved: no forces keep the gaps from
/// closing, or a law fails in each combination of modes over all arcs of directions. Other states without a solution are
/// [`Error::NotConverged`]: those where closed rows depend on each other, or where several contacts begin to slide and
/// the bisection ends early. It is also the error where only forces whose rounding errors are larger than the rates without
/// forces would obey the laws, and where rows count as dependent only by rounding, as those of a light body below a heavy one.
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
    let terms = system.friction_terms(t, q, v, u);
    let knowledge = Knowledge::by_state();
    let (contacts, directions) =
        laws(system, t, (q, v, u), &terms, closed, &knowledge).map_err(Error::of_computed)?;
    let mut setting = setting(system, t, (q, v, u), &terms, (contacts, directions));
    setting.serves_dependent = setting.are_redundant;
    let motion = solve_laws(&setting).map_err(Error::of_computed)?;
    Ok(resolved::<S, T, NQ, N, K, C, P, M>(
        &motion,
        &setting,
        &terms,
        &directions,
    ))
}

/// The knowledge of a sliding velocity of a contact beside its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Slip<S> {
    /// Nothing.
    ByState,
    /// It is 0 but for rounding.
    Zero,
    /// It has this direction, or is 0 and begins to have it.
    Along([S; 2]),
}

/// The knowledge of contacts and joints beside the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knowledge<S, const P: usize, const M: usize> {
    pub(super) slips: [Slip<S>; P],
    /// Which gaps have a rate of 0 but for rounding.
    pub(super) stays: [bool; P],
    /// The direction in which a joint begins to move.
    pub(super) joints: [Option<S>; M],
}

impl<S: Copy, const P: usize, const M: usize> Knowledge<S, P, M> {
    pub(super) fn by_state() -> Self {
        Self {
            slips: [Slip::ByState; P],
            stays: [false; P],
            joints: [None; M],
        }
    }
}

/// The laws of contacts, with the directions of joints that move or the largest forces of those that rest.
type Laws<S, const P: usize, const M: usize> = ([Law<S>; P], [Option<S>; M]);

/// The laws at a state where these contacts touch.
///
/// # Errors
///
/// [`Error::NotFinite`] for a rate that chooses a law.
pub(super) fn laws<
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
    terms: &FrictionTerms<S, N, P, M>,
    closed: &[bool; P],
    knowledge: &Knowledge<S, P, M>,
) -> Result<Laws<S, P, M>, Error>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    let gap_rates = system.gap_rates(t, q, v, u);
    let mut contacts = [Law::Absent; P];
    for k in 0..P {
        if !closed[k] {
            continue;
        }
        if !all_finite(&[gap_rates[k], terms.slips[0][k], terms.slips[1][k]]) {
            return Err(Error::NOT_FINITE);
        }
        let opens = !knowledge.stays[k] && gap_rates[k] > terms.gap_rate_bounds[k];
        if !opens {
            contacts[k] = law_at::<S, T, NQ, N, K, C, P, M>(terms, k, knowledge.slips[k]);
        }
    }
    let directions = core::array::from_fn(|j| {
        let place = T::DRY_JOINTS.get(j);
        let velocity = place.and_then(|place| v.get(*place)).copied();
        match velocity.filter(|velocity| !velocity.is_zero()) {
            Some(velocity) => Some(velocity.signum()),
            None => knowledge.joints[j],
        }
    });
    Ok((contacts, directions))
}

/// The equations of motion with these laws.
pub(super) fn setting<
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
    terms: &FrictionTerms<S, N, P, M>,
    (contacts, directions): Laws<S, P, M>,
) -> Setting<S, N, C, P, M>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    let zero = S::zero();
    let gamma = system.contact_gamma(t, q, v, u);
    let mut offsets: PerRow<S, Fixed<P, M>> = Rows::filled(Fixed, zero);
    for k in 0..P {
        if contacts[k] != Law::Absent {
            offsets.contacts[k] = [
                -gamma[k],
                -terms.slip_gammas[0][k],
                -terms.slip_gammas[1][k],
            ];
            for (i, offset) in offsets.contacts[k].iter_mut().enumerate() {
                if i > T::SLIPS[k] {
                    *offset = zero;
                }
            }
        }
    }
    let mut forcing = system.forcing(t, q, v, u);
    let mut joints = [None; M];
    for j in 0..M {
        let limit = positive_part(terms.joint_limits[j]);
        match directions[j] {
            Some(direction) => {
                if let Some(force) = forcing.get_mut(T::DRY_JOINTS[j]) {
                    *force -= limit * direction;
                }
            }
            None => joints[j] = Some(limit),
        }
    }
    Setting {
        multiplier_forces: T::REACTING.then(|| system.multiplier_forces(t, q, v, u)),
        forcing,
        gamma: system.constraint_gamma(t, q, v, u),
        offsets,
        ..unloaded(system, t, (q, v, u), terms, (contacts, joints))
    }
}

/// The equations without forces, rates and offsets of rows.
pub(super) fn unloaded<
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
    terms: &FrictionTerms<S, N, P, M>,
    (contacts, joints): Laws<S, P, M>,
) -> Setting<S, N, C, P, M>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    let jacobian = system.contact_jacobian(t, q, v, u);
    Setting {
        mass: system.mass_matrix(t, q, v, u),
        jacobian: system.constraint_jacobian(t, q, v, u),
        multiplier_forces: None,
        are_redundant: <T as Frictional<S, NQ, N, K, C, P, M>>::REDUNDANT,
        serves_dependent: true,
        forcing: SVector::zeros(),
        gamma: SVector::zeros(),
        rows: rows_at::<S, T, NQ, N, K, C, P, M>(&jacobian, terms, &contacts),
        offsets: Rows::filled(Fixed, S::zero()),
        noise: Rows::filled(Fixed, S::zero()),
        contacts,
        joints,
    }
}

/// The rows of gaps, sliding velocities and dry joints. Those of absent contacts are 0.
fn rows_at<
    S,
    T,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>(
    jacobian: &SMatrix<S, P, N>,
    terms: &FrictionTerms<S, N, P, M>,
    contacts: &[Law<S>; P],
) -> PerRow<SVector<S, N>, Fixed<P, M>>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    let mut rows: PerRow<SVector<S, N>, Fixed<P, M>> = Rows::filled(Fixed, SVector::zeros());
    for k in 0..P {
        if contacts[k] == Law::Absent {
            continue;
        }
        let [normal, slips @ ..] = &mut rows.contacts[k];
        *normal = row_of(jacobian, k);
        let rows = slips.iter_mut().zip(&terms.slip_jacobians);
        for (row, jacobian) in rows.take(T::SLIPS[k]) {
            *row = row_of(jacobian, k);
        }
    }
    for j in 0..M {
        if let Some(entry) = rows.joints[j][0].get_mut(T::DRY_JOINTS[j]) {
            *entry = S::one();
        }
    }
    rows
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
    slip: Slip<S>,
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
    match slip {
        Slip::Zero => return Law::Rests { slips, friction },
        Slip::ByState if is_still => return Law::Rests { slips, friction },
        Slip::Along(direction) => [x, y] = direction,
        Slip::ByState => {}
    }
    let length = x.hypot(y);
    Law::Slides {
        friction,
        direction: [x / length, y / length],
    }
}

fn resolved<
    S,
    T,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>(
    motion: &LawSolution<S, N, C, P, M>,
    setting: &Setting<S, N, C, P, M>,
    terms: &FrictionTerms<S, N, P, M>,
    directions: &[Option<S>; M],
) -> Resolved<S, N, C, P, M>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    let forces = &motion.forces;
    let held = core::array::from_fn(|j| motion.holds(setting, j));
    Resolved {
        acceleration: stop_joints::<S, T, NQ, N, K, C, P, M>(motion.x, &held),
        multipliers: motion.multipliers,
        contact_forces: SVector::from_fn(|k, _| {
            let forces = forces.contacts.get(k);
            forces.map_or_else(S::zero, |forces| forces[0])
        }),
        friction_forces: forces.contacts.map(|[_, first, second]| [first, second]),
        modes: core::array::from_fn(
            |k| match (&setting.contacts[k], &motion.modes.contacts[k]) {
                (Law::Absent, _) | (_, Contact::Open) => Mode::Open,
                (_, Contact::Sticks) => Mode::Sticks,
                (_, Contact::Slides(_)) => Mode::Slides,
            },
        ),
        joint_forces: core::array::from_fn(|j| match directions[j] {
            Some(direction) => -positive_part(terms.joint_limits[j]) * direction,
            None => forces.joints[j][0],
        }),
        held,
    }
}

/// Velocities or accelerations, in which those of held joints are 0 exactly: with a rounding error a joint would drift.
pub(super) fn stop_joints<
    S,
    T,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>(
    mut values: SVector<S, N>,
    held: &[bool; M],
) -> SVector<S, N>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    for j in 0..M {
        if let (true, Some(value)) = (held[j], values.get_mut(T::DRY_JOINTS[j])) {
            *value = S::zero();
        }
    }
    values
}
