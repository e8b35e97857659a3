//! Dense operations of one lane.

use crate::codegen::contact_laws::{self, ContactSearch};
use crate::codegen::kernels::{self, Refused};
use crate::codegen::redundant::{self, Redundant};
use crate::codegen::routine::{Equations, Kernel, RoutineError, View};

/// The results of a dense operation on arguments of these shapes. An error that is a result notes its row in `row`. Without a
/// search nothing is found.
pub(super) fn values(
    kernel: Kernel,
    given: &[Vec<f64>],
    views: &[View],
    row: &mut Option<usize>,
    search: Option<ContactSearch>,
) -> Result<Vec<Vec<f64>>, Refused> {
    let quaternion = |at: usize| [0, 1, 2, 3].map(|i| given[at][i]);
    Ok(match kernel {
        Kernel::Solve(equations)
        | Kernel::SolveUnchecked(equations)
        | Kernel::TrySolve(equations) => {
            let (n, c) = (views[0].rows, views[1].rows);
            let (matrices, right) = given.split_at(equations.count());
            let forces = matrices.get(2).map(Vec::as_slice);
            let is_checked = !matches!(kernel, Kernel::SolveUnchecked(_));
            let spreads = equations.spreads();
            let mut rank = None;
            let solved = if equations.may_depend() {
                let matrix = Redundant::new((n, c), (&given[0], &given[1]), forces, equations);
                rank = spreads.then(|| vec![matrix.rows.rank as f64]);
                matrix.solve(&right[0], &right[1], is_checked)
            } else {
                kernels::Saddle::new((n, c), &given[0], &given[1], forces)
                    .solve(&right[0], &right[1], is_checked)
            };
            if matches!(kernel, Kernel::TrySolve(_)) {
                let refused = solved.as_ref().err();
                *row = refused.and_then(|refused| refused.row).or(*row);
                let status = refused.map_or(0.0, |refused| f64::from(refused.error as u8));
                let [a, lambda] = solved.unwrap_or_default();
                vec![a, lambda, vec![status]]
            } else {
                let [a, lambda] = solved?;
                [a, lambda].into_iter().chain(rank).collect()
            }
        }
        Kernel::IsClear => {
            let size = (views[0].rows, views[1].rows);
            let matrices = (&given[0][..], &given[1][..]);
            let is_clear = Redundant::new(size, matrices, None, Equations::Redundant)
                .is_clear(&given[2], &given[3]);
            vec![vec![f64::from(u8::from(is_clear))]]
        }
        Kernel::NullSpace(rank) => {
            redundant::null_space(&given[0], views[0].columns, rank)?.to_vec()
        }
        Kernel::Limits => vec![kernels::limits(&given[0])],
        Kernel::Changes => vec![kernels::changes(&given[0], &given[1])],
        Kernel::Remaining => vec![vec![kernels::remaining(&given[0], &given[1], &given[2])]],
        Kernel::Significant => vec![kernels::significant(&given[0], &given[1], views[0].rows)],
        Kernel::Agreement => {
            let size = (views[0].rows, views[1].rows);
            redundant::agreement(size, (&given[0], &given[1]), &given[2]).to_vec()
        }
        Kernel::Moved => {
            let d = [0, 1, 2].map(|i| given[1][i]);
            vec![kernels::moved(quaternion(0), d).to_vec()]
        }
        Kernel::Difference => vec![kernels::difference(quaternion(0), quaternion(1)).to_vec()],
        Kernel::RotationMatrix => vec![kernels::rotation_matrix(quaternion(0)).concat()],
        Kernel::ContactMotion { is_redundant } => {
            let search = search.ok_or(RoutineError::NotConverged)?;
            contact_laws::motion(search, is_redundant, given)?
        }
        Kernel::ContactImpact { is_redundant } => {
            let search = search.ok_or(RoutineError::NotConverged)?;
            contact_laws::impact(search, is_redundant, given)?
        }
    })
}
