//! Large tables of zeros.

/// What is copied at a time.
const BLOCK: usize = 4096;

/// What a table may consist of.
pub(crate) trait Blank: Copy + 'static {
    /// Zeros to copy.
    const BLANKS: &'static [Self];
}

impl Blank for u32 {
    const BLANKS: &'static [Self] = &[0; BLOCK];
}

impl Blank for u64 {
    const BLANKS: &'static [Self] = &[0; BLOCK];
}

impl Blank for bool {
    const BLANKS: &'static [Self] = &[false; BLOCK];
}

/// So many zeros.
///
/// `vec![0; len]` asks the allocator for zeros, and for large tables jemalloc, which rustc brings along, asks the kernel,
/// which gives pages one by one as they are touched: by that a table costs more than by all that is read of it.
pub(crate) fn zeros<T: Blank>(len: usize) -> Vec<T> {
    let block = T::BLANKS;
    let mut all = Vec::with_capacity(len);
    while all.len() + BLOCK <= len {
        all.extend_from_slice(block);
    }
    all.extend_from_slice(&block[..len - all.len()]);
    all
}
