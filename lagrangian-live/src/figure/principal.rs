//! Principal moments of inertia.

/// The most sweeps: a symmetric matrix of three rows takes about five.
const SWEEPS: usize = 12;

/// The principal moments of a symmetric matrix, and their axes, by Jacobi's rotations (G. H. Golub, C. F. Van Loan, *Matrix
/// Computations*, 2013, section 8.5).
pub(super) fn principal(mut m: [[f64; 3]; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..SWEEPS {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            if m[i][j] == 0.0 {
                continue;
            }
            let half = (m[j][j] - m[i][i]) / (2.0 * m[i][j]);
            let tan = half.signum() / (half.abs() + half.hypot(1.0));
            let cos = 1.0 / tan.hypot(1.0);
            let sin = tan * cos;
            for row in &mut m {
                (row[i], row[j]) = (cos * row[i] - sin * row[j], sin * row[i] + cos * row[j]);
            }
            for k in 0..3 {
                (m[i][k], m[j][k]) = (cos * m[i][k] - sin * m[j][k], sin * m[i][k] + cos * m[j][k]);
                (axes[i][k], axes[j][k]) = (
                    cos * axes[i][k] - sin * axes[j][k],
                    sin * axes[i][k] + cos * axes[j][k],
                );
            }
        }
    }
    ([m[0][0], m[1][1], m[2][2]], axes)
}

#[cfg(test)]
mod tests {
    use super::principal;

    /// A block of 2, 4 and 6 whose axes are those of a rotation.
    #[test]
    fn the_axes_of_a_turned_block_are_found() {
        let moments: [f64; 3] = [52.0, 40.0, 20.0];
        let axes: [[f64; 3]; 3] = [[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]];
        let matrix = std::array::from_fn(|i| {
            std::array::from_fn(|k| (0..3).map(|a| moments[a] * axes[a][i] * axes[a][k]).sum())
        });
        let (computed, computed_axes) = principal(matrix);
        for (moment, axis) in computed.iter().zip(computed_axes) {
            let nearest = moments
                .iter()
                .position(|known| (known - moment).abs() < 1e-12);
            let known = axes[nearest.expect("one of the moments")];
            let along: f64 = (0..3).map(|k| known[k] * axis[k]).sum();
            assert!((along.abs() - 1.0).abs() < 1e-14);
        }
    }
}
