//! Friction in a plane by Lemke's method.

use super::Laws;
use super::candidates::{Contact, Modes};

/// Variable i below n is the rate of pair i, n + i its force, and 2 n the artificial variable. Each basic variable is its
/// constant plus the row of `a` times the others; column n is that of the artificial variable. The pairs of a contact are n,
/// t+, t- and the speed of slip, those of a joint the last three.
struct Tableau {
    is_active: Vec<bool>,
    basic: Vec<usize>,
    others: Vec<usize>,
    a: Vec<Vec<f64>>,
    constant: Vec<f64>,
    noise: Vec<f64>,
}

impl Laws {
    /// The modes at the end of Lemke's path; `None` if the path ends on a ray.
    pub(super) fn pivoted(&self) -> Option<Modes> {
        let mut tableau = Tableau::new(self);
        let size = tableau.size();
        let mut first: Option<usize> = None;
        for i in (0..size).filter(|i| tableau.is_active[*i]) {
            if first.is_none_or(|first| tableau.constant[i] <= tableau.constant[first]) {
                first = Some(i);
            }
        }
        if let Some(first) = first.filter(|first| tableau.constant[*first] < 0.0) {
            let mut entering = tableau.exchange(first, size);
            for _ in 0..32 * size {
                if entering == 2 * size {
                    break;
                }
                let partner = match entering.checked_sub(size) {
                    Some(rate) => rate,
                    None => entering + size,
                };
                let column = tableau.column_of(partner)?;
                let row = tableau.blocking(column)?;
                entering = tableau.exchange(row, column);
            }
            if entering != 2 * size {
                return None;
            }
        }
        let mut value = vec![0.0; size];
        for (basic, constant) in tableau.basic.iter().zip(&tableau.constant) {
            let pair = basic.checked_sub(size).filter(|pair| *pair < size);
            if let Some(pair) = pair {
                value[pair] = *constant;
            }
        }
        let mut modes = self.start();
        for (k, law) in self.contacts.iter().enumerate() {
            let of = &value[4 * k..4 * k + 4];
            if !(law.is_closed && of[0] > 0.0) {
                continue;
            }
            modes.contacts[k] = match law.slips {
                0 => Contact::Slides(law.direction),
                _ if of[3] > 0.0 => Contact::Slides([if of[1] > of[2] { -1.0 } else { 1.0 }, 0.0]),
                _ => Contact::Sticks,
            };
        }
        let of_joints = value[4 * self.contacts.len()..].chunks_exact(3);
        for (moves, of) in modes.joints.iter_mut().zip(of_joints) {
            if of[2] > 0.0 {
                *moves = if of[0] > of[1] { 1.0 } else { -1.0 };
            }
        }
        Some(modes)
    }
}

impl Tableau {
    fn new(laws: &Laws) -> Self {
        let (p, m) = (laws.contacts.len(), laws.joints.len());
        let size = 4 * p + 3 * m;
        let mut row = vec![0.0; size + 1];
        row[size] = 1.0;
        let mut tableau = Self {
            is_active: vec![false; size],
            basic: (0..size).collect(),
            others: (size..=2 * size).collect(),
            a: vec![row; size],
            constant: vec![0.0; size],
            noise: vec![0.0; size],
        };
        for (k, law) in laws.closed_contacts() {
            tableau.is_active[4 * k] = true;
            tableau.set_pair(laws, 4 * k, 3 * k, 1.0);
            if law.slips > 0 {
                tableau.set_friction(laws, 4 * k + 1, 3 * k + 1);
                tableau.a[4 * k + 3][4 * k] = law.friction;
            }
        }
        for (j, joint) in laws.joints_at_rest() {
            let first = 4 * p + 3 * j;
            tableau.set_friction(laws, first, 3 * p + j);
            tableau.constant[first + 2] = joint.limit;
        }
        tableau
    }

    fn size(&self) -> usize {
        self.constant.len()
    }

    /// The rate of a pair is that of a row times a sign.
    fn set_pair(&mut self, laws: &Laws, pair: usize, row: usize, sign: f64) {
        let w = &laws.w[row];
        self.constant[pair] = sign * laws.b[row];
        self.noise[pair] = laws.noise[row];
        for (k, law) in laws.contacts.iter().enumerate() {
            let to = &mut self.a[pair][4 * k..4 * k + 4];
            let (of, way) = (&w[3 * k..3 * k + 3], law.direction);
            to[0] = sign * (of[0] - law.friction * (way[0] * of[1] + way[1] * of[2]));
            if law.slips > 0 {
                to[1] = sign * of[1];
                to[2] = -sign * of[1];
            }
        }
        let p = laws.contacts.len();
        for j in 0..laws.joints.len() {
            let entry = sign * w[3 * p + j];
            self.a[pair][4 * p + 3 * j] = entry;
            self.a[pair][4 * p + 3 * j + 1] = -entry;
        }
    }

    /// The three pairs of friction along a row.
    fn set_friction(&mut self, laws: &Laws, first: usize, row: usize) {
        self.is_active[first..first + 3].fill(true);
        self.set_pair(laws, first, row, 1.0);
        self.set_pair(laws, first + 1, row, -1.0);
        self.a[first][first + 2] = 1.0;
        self.a[first + 1][first + 2] = 1.0;
        self.a[first + 2][first] = -1.0;
        self.a[first + 2][first + 1] = -1.0;
    }

    fn column_of(&self, variable: usize) -> Option<usize> {
        self.others.iter().position(|other| *other == variable)
    }

    /// The row of the basic variable that is the first to get 0 if the variable of a column grows; `None` on a ray.
    fn blocking(&self, column: usize) -> Option<usize> {
        let entries = self.a.iter().map(|row| row[column].abs());
        let least = 1024.0 * f64::EPSILON * entries.fold(0.0, f64::max);
        let mut best: Option<usize> = None;
        for row in (0..self.size()).filter(|row| self.is_active[*row]) {
            let is_first = || best.is_none_or(|best| self.is_before(row, best, column));
            if -self.a[row][column] > least && is_first() {
                best = Some(row);
            }
        }
        best
    }

    /// Returns whether a row blocks a column before another row, in lexicographic order.
    fn is_before(&self, row: usize, best: usize, column: usize) -> bool {
        let rounding = 64.0 * f64::EPSILON;
        let slopes = [row, best].map(|row| -self.a[row][column]);
        let parts = [0, 1].map(|i| self.constant[[row, best][i]].max(0.0) / slopes[i]);
        let noise = [0, 1].map(|i| self.noise[[row, best][i]] / slopes[i] + parts[i] * rounding);
        if (parts[0] - parts[1]).abs() > noise[0] + noise[1] {
            return parts[0] < parts[1];
        }
        let artificial = 2 * self.size();
        if [row, best].iter().any(|row| self.basic[*row] == artificial) {
            return self.basic[row] == artificial;
        }
        for rate in 0..self.size() {
            let of_rate = self.column_of(rate);
            let [one, two] = [0, 1].map(|i| {
                let row = [row, best][i];
                match of_rate {
                    Some(of_rate) => -self.a[row][of_rate] / slopes[i],
                    None if self.basic[row] == rate => 1.0 / slopes[i],
                    None => 0.0,
                }
            });
            if (one - two).abs() > (one.abs() + two.abs()) * rounding {
                return one < two;
            }
        }
        false
    }

    /// Exchanges a basic variable with the variable of a column, and returns it.
    fn exchange(&mut self, row: usize, column: usize) -> usize {
        let pivot = self.a[row][column];
        for (j, entry) in self.a[row].iter_mut().enumerate() {
            *entry = if j == column {
                1.0 / pivot
            } else {
                -*entry / pivot
            };
        }
        self.constant[row] = -self.constant[row] / pivot;
        self.noise[row] /= pivot.abs();
        let source = self.a[row].clone();
        let (constant, noise) = (self.constant[row], self.noise[row]);
        for i in (0..self.size()).filter(|i| *i != row) {
            let factor = self.a[i][column];
            if !self.is_active[i] || factor == 0.0 {
                continue;
            }
            self.a[i][column] = 0.0;
            for (entry, source) in self.a[i].iter_mut().zip(&source) {
                *entry += factor * source;
            }
            let change = factor * constant;
            self.noise[i] +=
                factor.abs() * noise + (self.constant[i].abs() + change.abs()) * f64::EPSILON;
            self.constant[i] += change;
        }
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
        self.others[column]
    }
}
