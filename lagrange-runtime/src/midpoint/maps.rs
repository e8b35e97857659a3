//! The linear maps of the rule on all directions of v: three by three for rotations, and numbers for the others.

use nalgebra::{RealField, SMatrix, SVector};

use crate::{
    exponential::{Map, three},
    math::constant,
};

/// Maps at the displacement d of a step of length h.
///
/// The momenta at the ends, without reactions, are `start_momenta P + start_forces F` and
/// `end_momenta P + end_forces F`.
pub(super) struct Maps<S, const N: usize> {
    pub(super) start_momenta: SMatrix<S, N, N>,
    pub(super) start_forces: SMatrix<S, N, N>,
    pub(super) end_momenta: SMatrix<S, N, N>,
    pub(super) end_forces: SMatrix<S, N, N>,
    /// The displacements of the middle and of the end by d.
    pub(super) middle_by_step: SMatrix<S, N, N>,
    pub(super) end_by_step: SMatrix<S, N, N>,
    /// The same by the displacement of the start.
    pub(super) middle_by_start: SMatrix<S, N, N>,
    pub(super) end_by_start: SMatrix<S, N, N>,
    /// The derivatives of the momenta at the start and the end by d, at fixed P and F.
    pub(super) start_by_step: SMatrix<S, N, N>,
    pub(super) end_by_step_of_maps: SMatrix<S, N, N>,
}

impl<S: RealField + Copy, const N: usize> Maps<S, N> {
    pub(super) fn new(
        angular: &[bool; N],
        d: &SVector<S, N>,
        h: S,
        (momenta, forces): (&SVector<S, N>, &SVector<S, N>),
    ) -> Self {
        let zeros = SMatrix::zeros();
        let mut maps = Self {
            start_momenta: zeros,
            start_forces: zeros,
            end_momenta: zeros,
            end_forces: zeros,
            middle_by_step: zeros,
            end_by_step: zeros,
            middle_by_start: zeros,
            end_by_start: zeros,
            start_by_step: zeros,
            end_by_step_of_maps: zeros,
        };
        let mut i = 0;
        while i < N {
            let vectors = [d, momenta, forces].map(|x| three(&x.data.0[0], i));
            match vectors {
                [Some(d), Some(momenta), Some(forces)] if angular[i] => {
                    maps.turn(i, h, &d, (&momenta, &forces));
                    i += 3;
                }
                _ => {
                    maps.shift(i, h);
                    i += 1;
                }
            }
        }
        maps
    }

    /// A coordinate that moves by addition.
    fn shift(&mut self, i: usize, h: S) {
        let (one, half) = (S::one(), constant::<S>(0.5));
        for (matrix, value) in [
            (&mut self.start_momenta, one),
            (&mut self.end_momenta, one),
            (&mut self.start_forces, -h * half),
            (&mut self.end_forces, h * half),
            (&mut self.middle_by_step, half),
            (&mut self.end_by_step, one),
            (&mut self.middle_by_start, one),
            (&mut self.end_by_start, one),
        ] {
            set(matrix, i, i, value);
        }
    }

    /// A rotation, with J the right Jacobian and Jᵀ the left one: the momenta at the start are
    /// `J(d)⁻¹ (P - h/2 J(d/2) F)`, those at the end `J(d)⁻ᵀ (P + h/2 J(d/2)ᵀ F)`.
    fn turn(&mut self, first: usize, h: S, d: &[S; 3], (momenta, forces): (&[S; 3], &[S; 3])) {
        let half = constant::<S>(0.5);
        let middle = d.map(|x| x * half);
        let (whole, part) = (Map::inverse(d), Map::jacobian(&middle));
        let (of_middle, of_end) = (Map::rotation(&middle), Map::rotation(d));
        for column in 0..3 {
            let unit = core::array::from_fn(|i| if i == column { S::one() } else { S::zero() });
            let half_unit = unit.map(|x| x * half);
            for (matrix, value) in [
                (&mut self.start_momenta, whole.apply(&unit)),
                (&mut self.end_momenta, whole.reversed().apply(&unit)),
                (
                    &mut self.start_forces,
                    whole.apply(&part.apply(&unit)).map(|x| -h * half * x),
                ),
                (
                    &mut self.end_forces,
                    whole
                        .reversed()
                        .apply(&part.reversed().apply(&unit))
                        .map(|x| h * half * x),
                ),
                (&mut self.middle_by_step, part.apply(&half_unit)),
                (&mut self.end_by_step, Map::jacobian(d).apply(&unit)),
                (&mut self.middle_by_start, of_middle.reversed().apply(&unit)),
                (&mut self.end_by_start, of_end.reversed().apply(&unit)),
                (
                    &mut self.start_by_step,
                    by_step((whole, part), -h * half, (momenta, forces), &unit),
                ),
                (
                    &mut self.end_by_step_of_maps,
                    by_step(
                        (whole.reversed(), part.reversed()),
                        h * half,
                        (momenta, forces),
                        &unit,
                    ),
                ),
            ] {
                for (row, value) in value.into_iter().enumerate() {
                    set(matrix, first + row, first + column, value);
                }
            }
        }
    }
}

/// The derivative of `whole(P + factor part(F))` along the change e of d.
fn by_step<S: RealField + Copy>(
    (whole, part): (Map<S>, Map<S>),
    factor: S,
    (momenta, forces): (&[S; 3], &[S; 3]),
    e: &[S; 3],
) -> [S; 3] {
    let half = e.map(|x| x * constant(0.5));
    let (pushed, change) = (part.apply(forces), part.derivative(forces, &half));
    let inner: [S; 3] = core::array::from_fn(|i| momenta[i] + factor * pushed[i]);
    let (outer, inner) = (
        whole.derivative(&inner, e),
        whole.apply(&change.map(|x| factor * x)),
    );
    core::array::from_fn(|i| outer[i] + inner[i])
}

fn set<S: RealField + Copy, const R: usize, const N: usize>(
    matrix: &mut SMatrix<S, R, N>,
    row: usize,
    column: usize,
    value: S,
) {
    let column = matrix.data.0.get_mut(column);
    if let Some(entry) = column.and_then(|column| column.get_mut(row)) {
        *entry = value;
    }
}
