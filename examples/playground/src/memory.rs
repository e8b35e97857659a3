//! The numbers that the page and the systems share.
//!
//! The page writes them through a view of the module's memory between two calls, when nothing else runs. They are
//! atomic so that no `unsafe` is needed to change them; on WebAssembly without threads that is free.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Numbers that the page sees as `f64`.
pub(crate) struct Cells<const N: usize>([AtomicU64; N]);

impl<const N: usize> Cells<N> {
    const fn new() -> Self {
        // The bits of 0.0.
        Self([const { AtomicU64::new(0) }; N])
    }

    pub(crate) fn get(&self) -> [f64; N] {
        self.0
            .each_ref()
            .map(|cell| f64::from_bits(cell.load(Relaxed)))
    }

    /// Sets the first ones to these values.
    pub(crate) fn set(&self, values: &[f64]) {
        for (cell, value) in self.0.iter().zip(values) {
            cell.store(value.to_bits(), Relaxed);
        }
    }

    pub(crate) fn address(&self) -> *const AtomicU64 {
        self.0.as_ptr()
    }
}

/// All shared numbers; the page knows the fields by their order.
pub(crate) struct Memory {
    /// The parameters of the system, in order of declaration. The page writes them.
    pub(crate) parameters: Cells<16>,
    pub(crate) coordinates: Cells<8>,
    pub(crate) velocities: Cells<8>,
    /// The settings of the motor, in the form of each system, followed by the [`Drift`](crate::play::Drift). The page
    /// writes them.
    pub(crate) settings: Cells<4>,
    /// The pull by hand: its point, whether a spring leads it (0 or 1), its target, and an additional acceleration. The
    /// page writes them.
    pub(crate) pull: Cells<8>,
    /// Measured values of the state: see `store` in `play.rs`.
    pub(crate) report: Cells<10>,
    /// The numbers of [`Model::points`](crate::play::Model::points).
    pub(crate) points: Cells<18>,
    /// Gains of a feedback, from [`Model::tune`](crate::play::Model::tune).
    pub(crate) gains: Cells<4>,
}

pub(crate) static MEMORY: Memory = Memory {
    parameters: Cells::new(),
    coordinates: Cells::new(),
    velocities: Cells::new(),
    settings: Cells::new(),
    pull: Cells::new(),
    report: Cells::new(),
    points: Cells::new(),
    gains: Cells::new(),
};

impl Memory {
    pub(crate) fn section(&self, section: u32) -> *const AtomicU64 {
        match section {
            0 => self.parameters.address(),
            1 => self.coordinates.address(),
            2 => self.velocities.address(),
            3 => self.settings.address(),
            4 => self.pull.address(),
            5 => self.report.address(),
            6 => self.points.address(),
            _ => core::ptr::null(),
        }
    }
}
