//! The memory that the page and the module share.
//!
//! The page writes through a view of the module's memory between two calls, when nothing else runs. The cells are
//! atomic so that no `unsafe` is needed to read them; on WebAssembly without threads that is free.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Cells that the page writes or reads.
pub(crate) struct Cells<T>(Mutex<Vec<T>>);

/// A text from the page.
pub(crate) static TEXT: Cells<AtomicU8> = Cells(Mutex::new(Vec::new()));
/// Numbers in both directions, which the page sees as `f64`.
pub(crate) static NUMBERS: Cells<AtomicU64> = Cells(Mutex::new(Vec::new()));
/// The last answer.
static ANSWER: Mutex<String> = Mutex::new(String::new());

impl<T: Default> Cells<T> {
    fn cells(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The address of so many cells, until the next call.
    pub(crate) fn space(&self, length: usize) -> *const T {
        let mut cells = self.cells();
        cells.resize_with(length, T::default);
        cells.as_ptr()
    }
}

impl Cells<AtomicU8> {
    pub(crate) fn text(&self) -> String {
        let bytes: Vec<u8> = self.cells().iter().map(|cell| cell.load(Relaxed)).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Cells<AtomicU64> {
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let cells = self.cells();
        cells
            .iter()
            .map(|cell| cell.load(Relaxed))
            .map(f64::from_bits)
            .collect()
    }

    /// Replaces all numbers, and returns their count.
    pub(crate) fn set(&self, numbers: &[f64]) -> usize {
        let cells = numbers.iter().map(|number| number.to_bits().into());
        *self.cells() = cells.collect();
        numbers.len()
    }
}

/// Keeps a text until the next answer, and returns its length and its address.
pub(crate) fn answer(text: String) -> u64 {
    let mut last = ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    *last = text;
    (last.len() as u64) << 32 | last.as_ptr() as usize as u64
}
