//! Numbers to compare derivatives with.

/// Equal entries, by the largest of them.
pub(crate) fn assert_close(left: &[f64], right: &[f64], tolerance: f64) {
    assert_eq!(left.len(), right.len());
    let scale = right.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    for (a, b) in left.iter().zip(right) {
        assert!((a - b).abs() <= tolerance * scale, "{left:?} != {right:?}");
    }
}

/// The derivative at 0 by central differences of the fourth order.
pub(crate) fn rate(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let h = 1e-3;
    let (ahead, behind) = (f(h), f(-h));
    let (further, before) = (f(2.0 * h), f(-2.0 * h));
    (0..ahead.len())
        .map(|i| (8.0 * (ahead[i] - behind[i]) - (further[i] - before[i])) / (12.0 * h))
        .collect()
}
