//! Functions that the tests of robots share.

/// Returns whether two lists of numbers agree to 1e-12 of the largest one.
#[track_caller]
pub(crate) fn close(found: impl IntoIterator<Item = f64>, expected: impl IntoIterator<Item = f64>) {
    let (found, expected): (Vec<f64>, Vec<f64>) =
        (found.into_iter().collect(), expected.into_iter().collect());
    assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
    let scale = expected
        .iter()
        .fold(1.0_f64, |most, entry| most.max(entry.abs()));
    for (a, b) in found.iter().zip(&expected) {
        assert!((a - b).abs() <= 1e-12 * scale, "{found:?} {expected:?}");
    }
}
