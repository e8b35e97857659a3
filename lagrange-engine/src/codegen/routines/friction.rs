//! The terms of friction and restitution, with bounds of rounding errors.

use super::builder::Builder;
use super::jacobians::bounded;
use super::system::Routines;
use crate::Quantity;
use crate::codegen::Routine;
use crate::codegen::routine::Kernel;

/// The largest gaps, rates of gaps and sliding velocities that may be rounding errors, the sliding velocities, J_s and
/// gamma_s in both directions, the coefficients of friction and restitution, and the largest friction of dry joints.
pub(super) fn terms(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, p, m) = (sizes.velocities, sizes.contacts, sizes.dry_joints);
    let mut builder = Builder::new(routines, "friction_terms", &["q", "v"]);
    let of_gaps = ["gap_bounds", "gap_rate_bounds"].map(|name| builder.vector(name, p));
    let mut pair = |name: &str, columns: Option<usize>| {
        [0, 1].map(|direction| {
            let name = format!("{name}_{direction}");
            match columns {
                Some(columns) => builder.matrix(&name, p, columns),
                None => builder.vector(&name, p),
            }
        })
    };
    let slips = pair("slips", None);
    let of_slips = pair("slip_bounds", None);
    let jacobians = pair("slip_jacobians", Some(n));
    let gammas = pair("slip_gammas", None);
    let coefficients = ["friction", "restitution"].map(|name| builder.vector(name, p));
    let limits = builder.vector("joint_limits", m);
    let gaps = [(); 2].map(|()| builder.local(1, p));
    let quantities = [
        Quantity::ContactGaps,
        Quantity::ContactGapRates,
        Quantity::Slips(0),
        Quantity::Slips(1),
        Quantity::SlipJacobian(0),
        Quantity::SlipJacobian(1),
        Quantity::SlipGamma(0),
        Quantity::SlipGamma(1),
        Quantity::ContactFriction,
        Quantity::ContactRestitution,
        Quantity::JointLimits,
    ];
    let places = [gaps, slips, jacobians, gammas, coefficients].concat();
    let places = [places, vec![limits]].concat();
    let limits_of_all = [of_gaps, of_slips].concat();
    let [bounds, limits] = [(); 2].map(|()| builder.local(1, limits_of_all.len() * p));
    bounded(&mut builder, &quantities, &places, &[bounds], 0);
    if p > 0 {
        builder.kernel(Kernel::Limits, &[bounds], &[limits]);
        for (at, to) in limits_of_all.into_iter().enumerate() {
            builder.copy(limits.part(at * p, p), to);
        }
    }
    builder.finish()
}
