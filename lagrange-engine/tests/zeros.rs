//! Tables of zeros, which the library keeps to itself: its file is a part of this one.

#[path = "../src/zeros.rs"]
mod tables;

use tables::zeros;

#[test]
fn are_as_many_as_asked_for() {
    // Below, at and above what is copied at a time.
    for len in [0, 1, 1023, 1024, 4095, 4096, 4097, 20_480, 20_487] {
        assert_eq!(zeros::<u32>(len), vec![0; len]);
        assert_eq!(zeros::<bool>(len), vec![false; len]);
    }
}
