//! The interning table: open addressing over node ids, so that each node is stored once.

use std::hash::{Hash, Hasher};

use super::Node;
use crate::NodeId;

#[derive(Clone, Default, Debug)]
pub(super) struct Table {
    slots: Vec<Option<(u32, NodeId)>>,
    used: usize,
}

/// Where a node that was not found belongs.
pub(super) struct Slot {
    position: usize,
    hash: u32,
}

impl Table {
    pub(super) fn find<'a>(
        &self,
        node: &Node,
        get: impl Fn(NodeId) -> &'a Node,
    ) -> Result<NodeId, Slot> {
        let hash = hash(node);
        if self.slots.is_empty() {
            return Err(Slot { position: 0, hash });
        }
        let mask = self.slots.len() - 1;
        let mut position = hash as usize & mask;
        while let Some((stored, id)) = self.slots[position] {
            if stored == hash && get(id) == node {
                return Ok(id);
            }
            position = (position + 1) & mask;
        }
        Err(Slot { position, hash })
    }

    /// Puts the id where [`Table::find`] said; [`Table::grow_if_full`] must follow.
    pub(super) fn insert(&mut self, slot: Slot, id: NodeId) {
        if self.slots.is_empty() {
            self.slots = vec![None; 64];
        }
        let position = if self.used == 0 {
            slot.hash as usize & (self.slots.len() - 1)
        } else {
            slot.position
        };
        self.slots[position] = Some((slot.hash, id));
        self.used += 1;
    }

    pub(super) fn grow_if_full(&mut self) {
        if self.used * 2 < self.slots.len() {
            return;
        }
        let len = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![None; len]);
        for (hash, id) in old.into_iter().flatten() {
            let mut position = hash as usize & (len - 1);
            while self.slots[position].is_some() {
                position = (position + 1) & (len - 1);
            }
            self.slots[position] = Some((hash, id));
        }
    }
}

fn hash(node: &Node) -> u32 {
    let mut hasher = Mix(0);
    node.hash(&mut hasher);
    (hasher.0 >> 32) as u32
}

/// A multiply-rotate hash: the keys are a program's own expressions, not an adversary's.
struct Mix(u64);

impl Mix {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
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
