//! The outlines of solid bodies, for pictures without shading.

use std::f64::consts::TAU;

use lagrange_runtime::nalgebra::Vector3;

/// Returns whether shapes of this kind are drawn by their outlines.
pub(crate) fn is(kind: &str) -> bool {
    matches!(kind, "block" | "cylinder")
}

/// The corners of a solid body, many for a round one; empty for other shapes.
pub(crate) fn corners<const D: usize>(
    kind: &str,
    size: f64,
    points: &[[f64; D]],
) -> Option<Vec<[f64; D]>> {
    let points: Vec<Vector3<f64>> = points.iter().map(in_space).collect();
    let corners: Vec<Vector3<f64>> = match (kind, points.as_slice()) {
        ("block", &[center, a, b, c]) => {
            let [a, b, c] = [a, b, c].map(|face| face - center);
            (0..8)
                .map(|i| [1, 2, 4].map(|bit| if i & bit == 0 { -1.0 } else { 1.0 }))
                .map(|[i, j, k]| center + a * i + b * j + c * k)
                .collect()
        }
        ("cylinder", &[from, to]) => {
            let axis = (to - from).normalize();
            let other = Vector3::ith(axis.iamin(), 1.0);
            let first = axis.cross(&other).normalize();
            let second = axis.cross(&first);
            let ring = (0..24).map(|i| {
                let (sin, cos) = (TAU * f64::from(i) / 24.0).sin_cos();
                (first * cos + second * sin) * size
            });
            ring.flat_map(|arm| [from + arm, to + arm]).collect()
        }
        _ => return None,
    };
    Some(corners.iter().map(out_of_space).collect())
}

fn in_space<const D: usize>(point: &[f64; D]) -> Vector3<f64> {
    Vector3::from_fn(|i, _| point.get(i).copied().unwrap_or(0.0))
}

fn out_of_space<const D: usize>(point: &Vector3<f64>) -> [f64; D] {
    std::array::from_fn(|i| if i < 3 { point[i] } else { 0.0 })
}

/// The convex outline of points in the plane (A. M. Andrew, Inf. Process. Lett. 9, 1979).
pub(crate) fn outline(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut corners: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = corners[..] {
                let turn = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
                if turn > 0.0 {
                    break;
                }
                corners.pop();
            }
            corners.push(point);
        }
        corners.pop();
        corners
    };
    let mut outline = half(&mut points.iter().copied());
    outline.extend(half(&mut points.iter().rev().copied()));
    outline
}
