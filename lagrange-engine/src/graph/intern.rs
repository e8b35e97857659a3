//! Interning: open addressing over the numbers of items that are stored elsewhere, so that each is stored once.
//!
//! Written for builds without optimisation, in which every layer of a general hash map is a call.

use std::hash::{Hash, Hasher};

use super::node::Node;

/// The numbers of items by their hashes.
#[derive(Clone, Default, Debug)]
pub(crate) struct Table {
    /// The hash in the upper half, the number plus 1 in the lower half; 0 for a free slot. The number of slots is a
    /// power of 2.
    slots: Vec<u64>,
    used: usize,
}

impl Table {
    /// The number of the item with this hash that passes the test.
    pub(crate) fn find(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let slots = &self.slots[..];
        if slots.is_empty() {
            return None;
        }
        let mask = slots.len() - 1;
        let mut position = hash as usize & mask;
        loop {
            let slot = slots[position];
            if slot == 0 {
                return None;
            }
            if (slot >> 32) as u32 == hash && is_it(slot as u32 - 1) {
                return Some(slot as u32 - 1);
            }
            position = (position + 1) & mask;
        }
    }

    /// Adds an item that was not found. Its number is less than `u32::MAX`.
    pub(crate) fn insert(&mut self, hash: u32, number: u32) {
        if self.used * 2 >= self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![0; (old.len() * 4).max(128)];
            let (old, slots) = (&old[..], &mut self.slots[..]);
            let mut slot = 0;
            while slot < old.len() {
                if old[slot] != 0 {
                    place(slots, old[slot]);
                }
                slot += 1;
            }
        }
        place(
            &mut self.slots,
            u64::from(hash) << 32 | u64::from(number.saturating_add(1)),
        );
        self.used += 1;
    }
}

fn place(slots: &mut [u64], slot: u64) {
    let mask = slots.len() - 1;
    let mut position = (slot >> 32) as usize & mask;
    while slots[position] != 0 {
        position = (position + 1) & mask;
    }
    slots[position] = slot;
}

/// The hash of a node.
pub(super) fn hash(node: &Node) -> u32 {
    let mut mix = Mix(0);
    match node {
        Node::Sum { constant, terms } => {
            mix.mix(constant.word());
            let mut position = 0;
            while position < terms.len() {
                mix.mix(terms[position].0.word() ^ (terms[position].1.0 as u64) << 32);
                position += 1;
            }
        }
        Node::Product(factors) => {
            let mut position = 0;
            while position < factors.len() {
                mix.mix((factors[position].0.0 as u64) << 32 ^ factors[position].1 as u32 as u64);
                position += 1;
            }
        }
        leaf => leaf.hash(&mut mix),
    }
    mix.hash()
}

/// A multiply-rotate hash: the keys are a program's own expressions, not an adversary's.
pub(crate) struct Mix(pub(crate) u64);

impl Mix {
    pub(crate) fn mix(&mut self, word: u64) {
        #[allow(clippy::manual_rotate, reason = "a call without optimisation")]
        let turned = self.0 << 5 | self.0 >> 59;
        self.0 = (turned ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    pub(crate) fn hash(&self) -> u32 {
        (self.0 >> 32) as u32
    }
}

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.mix(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }
}
