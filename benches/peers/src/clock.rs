//! Time that this thread has had a processor: others may have it too.

/// Seconds since some moment.
pub fn now() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "this system has no clock of threads");
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// The one in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
