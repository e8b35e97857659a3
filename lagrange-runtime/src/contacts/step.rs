//! A step of Moreau and Jean's method.

use nalgebra::{RealField, SMatrix, SVector};

use super::Frictional;
use super::friction::{
    Fixed, Law, LawSolution, Modes, PerRow, Rows, Setting, positive_part, solve_laws,
};
use super::resolve::unloaded;
use crate::Error;
use crate::linalg::check_finite;
use crate::math::constant;

/// The end of a step of [`contact_step`].
///
/// `NQ` and `N` are the numbers of coordinates and velocities, `P` that of contacts.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::ContactStep;
///
/// /// The work of a force of this size would be 0 without a contact.
/// fn touches<const NQ: usize, const N: usize, const P: usize>(step: &ContactStep<f64, NQ, N, P>) -> bool {
///     step.impulses.iter().any(|impulse| *impulse > 0.0)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactStep<S, const NQ: usize, const N: usize, const P: usize> {
    /// The coordinates.
    pub q: SVector<S, NQ>,
    /// The velocities.
    pub v: SVector<S, N>,
    /// The impulses of the contacts, positive where they push. They are h times the force where nothing strikes.
    pub impulses: SVector<S, P>,
    /// The impulses of friction along the sliding velocities of each contact.
    pub friction_impulses: [[S; 2]; P],
    /// The largest rate that a law wants to be 0: rounding.
    pub residual: S,
}

/// The state (q, v) after the time h, by a step of Moreau and Jean with θ = 1/2, with contacts, friction and impacts.
///
/// The step counts no events. Contacts whose gap is closed in the middle of the step take part, any number at once. A gap
/// within the bound of its rounding error is closed. With the middle `q_m = q + h v/2`,
///
/// ```text
/// M(q_m) (v⁺ - v) = h f(q_m, (v + v⁺)/2) + Jᵀ L + J_cᵀ P + J_sᵀ T + R
/// 0 ≤ P ⊥ dg/dt⁺ + e dg/dt⁻ ≥ 0          Newton's law of impact
/// |T| ≤ μ P, s⁺ = 0, or T = -μ P s⁺/|s⁺|     Coulomb's law for impulses
/// |R| ≤ h R_max, v⁺ = 0, or against v⁺       of dry joints
/// q⁺ = q_m + h v⁺/2
/// ```
///
/// with the rows J of the constraints at the end, on which both q and v then are. A dry joint that friction holds has the
/// velocity 0 exactly. Rotations move by [`System::integrate`](crate::System::integrate). The terms of the contacts are
/// those of the middle. Rows that depend on each other are served: forces are the least ones where all push.
///
/// The forces f are evaluated at velocities that two corrections bring to the mean of both ends. With h = 0 the step is the
/// law of impact alone.
///
/// Sources: J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", in *Nonsmooth Mechanics and
/// Applications*, Springer 1988; M. Jean, "The non-smooth contact dynamics method", *Comput. Methods Appl. Mech. Eng.*
/// 177, 1999.
///
/// # Energy
///
/// If all coefficients of restitution are the same number, at most 1, and there is no friction, or if all are 0, an impact
/// gains no energy. Newton's law with friction can gain some (T. R. Kane and D. A. Levinson, *Dynamics: Theory and
/// Applications*, McGraw-Hill 1985), and so can different coefficients. The rows of a step are those of its middle, so that
/// the rate of a gap that stays closed along a curve is 0 but for a part proportional to h: the energy of such a step is
/// right up to a part proportional to h² of the kinetic energy, of either sign.
///
/// # Errors
///
/// [`Error::NotFinite`] with the name of an argument that is not finite; the errors of [`System::project`](crate::System::project);
/// those of [`Frictional::resolve`], but not for rows that depend on each other: [`Error::NoContactSolution`] if constraints and
/// contacts contradict each other, [`Error::NotConverged`] if no impulses were found.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Error, Frictional, contact_step, nalgebra::SVector};
///
/// /// The state after a number of steps of length h.
/// fn simulate<T, const NQ: usize, const N: usize, const K: usize, const C: usize, const P: usize, const M: usize>(
///     system: &T,
///     (mut q, mut v): (SVector<f64, NQ>, SVector<f64, N>),
///     u: &SVector<f64, K>,
///     (h, steps): (f64, u32),
/// ) -> Result<(SVector<f64, NQ>, SVector<f64, N>), Error>
/// where
///     T: Frictional<f64, NQ, N, K, C, P, M>,
/// {
///     for step in 0..steps {
///         let end = contact_step(system, f64::from(step) * h, &q, &v, u, h)?;
///         (q, v) = (end.q, end.v);
///     }
///     Ok((q, v))
/// }
/// ```
pub fn contact_step<
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
    h: S,
) -> Result<ContactStep<S, NQ, N, P>, Error>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    check_finite(&[
        ("t", &[t][..]),
        ("q", q.as_slice()),
        ("v", v.as_slice()),
        ("u", u.as_slice()),
        ("h", &[h]),
    ])?;
    step(system, t, (q, v, u), h).map_err(Error::of_computed)
}

fn step<
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
    h: S,
) -> Result<ContactStep<S, NQ, N, P>, Error>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    let half = h * constant(0.5);
    let middle = (t + half, system.integrate(q, &(v * half)));
    let gaps = system.gaps(middle.0, &middle.1, v, u);
    let bounds = system.friction_terms(middle.0, &middle.1, v, u).gap_bounds;
    let closed = core::array::from_fn(|k| gaps[k] <= bounds[k]);
    let (mut struck, mut end) = (Struck::new(system, middle, (v, u), h, &closed), *q);
    let mut impact = struck.solve()?;
    for _ in 0..2 {
        let mean = (v + struck.velocity(&impact)) * constant::<S>(0.5);
        let forcing = system.forcing(middle.0, &middle.1, &mean, u) * h;
        if forcing == struck.setting.forcing {
            break;
        }
        struck.setting.forcing = forcing;
        impact = struck.solve()?;
    }
    let is_still = h.is_zero();
    if !is_still {
        let velocity = struck.velocity(&impact);
        end = system.integrate(&middle.1, &(velocity * half));
        if C > 0 {
            end = system.project(t + h, &end, &velocity, u)?.0;
            struck.constrain(system, (t + h, &end, v, u));
            impact = struck.solve()?;
        }
    }
    Ok(ContactStep {
        q: end,
        v: struck.velocity(&impact),
        impulses: SVector::from_fn(|k, _| {
            let impulses = impact.forces.contacts.get(k);
            impulses.map_or_else(S::zero, |impulses| impulses[0])
        }),
        friction_impulses: impact.forces.contacts.map(|[_, x, y]| [x, y]),
        residual: impact.residual,
    })
}

/// The velocities after an impact at these closed contacts, by the law of [`contact_step`] with h = 0, and the modes.
pub(super) fn strike<
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
) -> Result<(SVector<S, N>, Modes<S, Fixed<P, M>>), Error>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    let struck = Struck::new(system, (t, *q), (v, u), S::zero(), closed);
    let impact = struck.solve()?;
    Ok((struck.velocity(&impact), impact.modes))
}

/// The equations of the change of the velocities.
struct Struck<S: Clone, const N: usize, const C: usize, const P: usize, const M: usize> {
    setting: Setting<S, N, C, P, M>,
    before: SVector<S, N>,
    dry_joints: [usize; M],
}

impl<S: RealField + Copy, const N: usize, const C: usize, const P: usize, const M: usize>
    Struck<S, N, C, P, M>
{
    fn new<T, const NQ: usize, const K: usize>(
        system: &T,
        (t, q): (S, SVector<S, NQ>),
        (v, u): (&SVector<S, N>, &SVector<S, K>),
        h: S,
        closed: &[bool; P],
    ) -> Self
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let zero = S::zero();
        let terms = system.friction_terms(t, &q, v, u);
        let gap_rates = system.gap_rates(t, &q, v, u);
        let mut contacts = [Law::Absent; P];
        let mut offsets: PerRow<S, Fixed<P, M>> = Rows::filled(Fixed, zero);
        let mut noise: PerRow<S, Fixed<P, M>> = Rows::filled(Fixed, zero);
        for k in 0..P {
            if !closed[k] {
                continue;
            }
            let (slips, friction) = (T::SLIPS[k], terms.friction[k]);
            contacts[k] = if slips == 0 || friction <= zero {
                Law::Slides {
                    friction: zero,
                    direction: [zero; 2],
                }
            } else {
                Law::Rests { slips, friction }
            };
            offsets.contacts[k][0] = gap_rates[k] * (S::one() + terms.restitution[k]);
            noise.contacts[k][0] = terms.gap_rate_bounds[k];
            let [_, slip_offsets @ ..] = &mut offsets.contacts[k];
            let [_, slip_noise @ ..] = &mut noise.contacts[k];
            let values = terms.slips.iter().zip(&terms.slip_bounds);
            let places = slip_offsets.iter_mut().zip(slip_noise);
            for ((offset, noise), (slip, bound)) in places.zip(values).take(slips) {
                (*offset, *noise) = (slip[k], bound[k]);
            }
        }
        let mut joints = [None; M];
        for j in 0..M {
            joints[j] = Some(positive_part(terms.joint_limits[j]) * h.abs());
            offsets.joints[j][0] = v.get(T::DRY_JOINTS[j]).copied().unwrap_or(zero);
        }
        let state = (&q, v, u);
        Self {
            setting: Setting {
                forcing: system.forcing(t, &q, v, u) * h,
                gamma: -system.constraint_velocity(t, &q, v, u),
                offsets,
                noise,
                ..unloaded(system, t, state, &terms, (contacts, joints))
            },
            before: *v,
            dry_joints: T::DRY_JOINTS,
        }
    }

    /// Holds the constraints at the end. Their impulses have the directions of the middle, unless rows may depend on each
    /// other.
    fn constrain<T, const NQ: usize, const K: usize>(
        &mut self,
        system: &T,
        (t, q, v, u): (S, &SVector<S, NQ>, &SVector<S, N>, &SVector<S, K>),
    ) where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let middle = self.setting.jacobian;
        let end = system.constraint_jacobian(t, q, v, u);
        if !self.setting.are_redundant {
            let mut turned = SMatrix::zeros();
            for (j, column) in middle.data.0.iter().enumerate() {
                for (i, value) in column.iter().enumerate() {
                    let end = end.data.0.get(j).and_then(|column| column.get(i));
                    let place = turned
                        .data
                        .0
                        .get_mut(i)
                        .and_then(|row: &mut [S; N]| row.get_mut(j));
                    if let (Some(place), Some(end)) = (place, end) {
                        *place = *value - *end;
                    }
                }
            }
            self.setting.multiplier_forces = Some(turned);
        }
        self.setting.jacobian = end;
        self.setting.gamma = -system.constraint_velocity(t, q, v, u);
    }

    fn solve(&self) -> Result<LawSolution<S, N, C, P, M>, Error> {
        solve_laws(&self.setting)
    }

    /// The velocities after the impact: those of held joints are 0 exactly.
    fn velocity(&self, impact: &LawSolution<S, N, C, P, M>) -> SVector<S, N> {
        let mut velocity = self.before + impact.x;
        for j in 0..M {
            if let (true, Some(velocity)) = (
                impact.holds(&self.setting, j),
                velocity.get_mut(self.dry_joints[j]),
            ) {
                *velocity = S::zero();
            }
        }
        velocity
    }
}
