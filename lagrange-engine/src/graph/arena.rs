//! A vector with built-in reads instead of calls, for builds without optimisation.

/// An append-only list.
#[derive(Clone, Debug)]
pub(super) struct Arena<T> {
    /// The items, followed by `T::default()`.
    pub(super) all: Box<[T]>,
    len: usize,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self {
            all: Box::default(),
            len: 0,
        }
    }
}

impl<T: Default> Arena<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, thing: T) {
        if self.len == self.all.len() {
            let mut wider = Vec::from(std::mem::take(&mut self.all));
            wider.resize_with((self.len * 2).max(64), T::default);
            self.all = wider.into_boxed_slice();
        }
        self.all[self.len] = thing;
        self.len += 1;
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}
