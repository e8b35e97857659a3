//! The pattern of nonzero entries of a symmetric form.

/// A set of variables.
#[derive(Clone, Debug)]
pub(super) struct Set(Box<[u64]>);

impl Set {
    fn new(size: usize) -> Self {
        Set(vec![0; size.div_ceil(64)].into())
    }

    fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    fn contains(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        let mut word = 0;
        while word < self.0.len() && self.0[word] == 0 {
            word += 1;
        }
        word == self.0.len()
    }

    pub(super) fn len(&self) -> u32 {
        let (mut count, mut word) = (0, 0);
        while word < self.0.len() {
            count += self.0[word].count_ones();
            word += 1;
        }
        count
    }

    /// The number of elements that the other set does not have.
    fn missing_in(&self, other: &Self) -> u32 {
        let (mut count, mut word) = (0, 0);
        while word < self.0.len() {
            count += (self.0[word] & !other.0[word]).count_ones();
            word += 1;
        }
        count
    }

    fn unite(&mut self, other: &Self) {
        let mut word = 0;
        while word < self.0.len() {
            self.0[word] |= other.0[word];
            word += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(number, word)| {
            let mut remaining_bits = *word;
            std::iter::from_fn(move || {
                let bit = remaining_bits.trailing_zeros() as usize;
                (bit < 64).then(|| {
                    remaining_bits &= remaining_bits - 1;
                    64 * number + bit
                })
            })
        })
    }
}

/// The rows, each with its diagonal entry.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Vec<Set>);

impl Pattern {
    pub(super) fn new(size: usize) -> Self {
        Pattern(vec![Set::new(size); size])
    }

    pub(super) fn row(&self, i: usize) -> &Set {
        &self.0[i]
    }

    pub(super) fn contains(&self, i: usize, j: usize) -> bool {
        self.0[i].contains(j)
    }

    pub(super) fn insert(&mut self, i: usize, j: usize) {
        self.0[i].insert(j);
        self.0[j].insert(i);
    }

    /// Removes a row and its column; returns the row.
    fn take(&mut self, i: usize) -> Set {
        let size = self.0.len();
        let mut row = std::mem::replace(&mut self.0[i], Set::new(size));
        row.remove(i);
        for j in row.iter() {
            self.0[j].remove(i);
        }
        row
    }

    /// The number of new entries when a variable is eliminated: each two of its neighbours meet.
    pub(super) fn fill_of_elimination(&self, i: usize) -> u32 {
        let mut neighbours = self.0[i].clone();
        neighbours.remove(i);
        let (mut twice, mut diagonal) = (0, 0);
        for j in neighbours.iter() {
            twice += neighbours.missing_in(&self.0[j]);
            diagonal += u32::from(!self.contains(j, j));
        }
        (twice - diagonal) / 2 + diagonal
    }

    pub(super) fn eliminate(&mut self, i: usize) {
        let neighbours = self.take(i);
        for j in neighbours.iter() {
            self.0[j].unite(&neighbours);
        }
    }

    /// The number of new entries when other variables replace one: they meet each other and its neighbours.
    pub(super) fn fill_of_substitution(&self, i: usize, targets: &[usize]) -> u32 {
        self.fill(&self.set_of_met(i, targets), targets)
    }

    /// The number of new entries when other variables replace two.
    pub(super) fn fill_of_turn(&self, pair: [usize; 2], targets: &[usize]) -> u32 {
        let [mut met, other] = pair.map(|i| self.set_of_met(i, targets));
        met.unite(&other);
        pair.into_iter().for_each(|i| met.remove(i));
        self.fill(&met, targets)
    }

    fn fill(&self, met: &Set, targets: &[usize]) -> u32 {
        let (mut fill, mut number) = (0, 0);
        while number < targets.len() {
            let target = targets[number];
            let row = &self.0[target];
            fill += met.missing_in(row);
            // Two that meet each other are counted twice.
            if met.contains(target) {
                let mut earlier = 0;
                while earlier < number {
                    let other = targets[earlier];
                    fill -= u32::from(met.contains(other) && !row.contains(other));
                    earlier += 1;
                }
            }
            number += 1;
        }
        fill
    }

    fn set_of_met(&self, i: usize, targets: &[usize]) -> Set {
        let mut met = self.0[i].clone();
        met.remove(i);
        if self.contains(i, i) {
            targets.iter().for_each(|target| met.insert(*target));
        }
        met
    }

    pub(super) fn substitute(&mut self, i: usize, targets: &[usize]) {
        let met = self.set_of_met(i, targets);
        self.take(i);
        for target in targets {
            for j in met.iter() {
                self.insert(*target, j);
            }
        }
    }
}
