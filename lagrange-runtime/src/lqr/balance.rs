//! Units of the states that give the coefficients similar sizes.

use nalgebra::RealField;

use super::matrices::transposed_product;
use super::riccati::Riccati;

/// Each sweep over all states brings the scales closer to their final values; few are necessary.
const SWEEPS: usize = 32;

/// Measures the states in units of `scales`, powers of two, that make the sum of the sizes of A, G and Q small (E. E.
/// Osborne, "On pre-conditioning of matrices", *J. ACM* 7, 1960, on the Hamiltonian matrix).
pub(super) fn balance<S: RealField + Copy, const N: usize, const K: usize>(
    riccati: &mut Riccati<S, N, K>,
) -> [S; N] {
    let mut g = transposed_product(&riccati.inputs, &riccati.inputs);
    let Riccati {
        a,
        inputs,
        unscaled_inputs,
        q,
        ..
    } = riccati;
    let mut scales = [S::one(); N];
    let two = S::one() + S::one();
    for _ in 0..SWEEPS {
        let mut moved = false;
        for i in 0..N {
            let (mut growing, mut falling) = (S::zero(), S::zero());
            for j in 0..N {
                if j != i {
                    growing += a[j][i].abs() + q[i][j].abs();
                    falling += a[i][j].abs() + g[i][j].abs();
                }
            }
            let (weight, reach) = (q[i][i].abs(), g[i][i].abs());
            if growing + weight == S::zero() || falling + reach == S::zero() {
                continue;
            }
            let size = |f: S| weight * f * f + growing * f + falling / f + reach / (f * f);
            let mut factor = S::one();
            for step in [two, S::one() / two] {
                while size(factor * step) < size(factor) {
                    factor *= step;
                }
            }
            if factor == S::one() {
                continue;
            }
            moved = true;
            scales[i] *= factor;
            for j in 0..N {
                a[i][j] /= factor;
                a[j][i] *= factor;
                g[i][j] /= factor;
                g[j][i] /= factor;
                q[i][j] *= factor;
                q[j][i] *= factor;
            }
            for row in inputs.iter_mut().chain(unscaled_inputs.iter_mut()) {
                row[i] /= factor;
            }
        }
        if !moved {
            break;
        }
    }
    scales
}
