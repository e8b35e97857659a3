//! Returns or writes results as scalars, vectors and matrices, entry by entry.

use crate::backend::rust::cost_model::{MOST_BORROWED, MOST_RETURNED};
use std::collections::BTreeMap;
use std::fmt::Write;

use lagrange_engine::{Operand, Shape, lower_triangle};

use super::super::symbols::write_pattern;
use super::Body;

/// Returns whether a matrix with this number of entries is written in place.
pub(in super::super) fn is_large(entries: usize) -> bool {
    entries > MOST_RETURNED
}

impl Body<'_> {
    /// Sets the entries of a matrix that are not zero by structure, given with row and column:
    ///
    /// ```text
    /// let [__m_0, ..] = &mut *__m;
    /// let [_, __m_0_1, ..] = __m_0;
    /// *__m_0_1 = value;
    /// ```
    ///
    /// Proceeds row by row, because rustc takes time and memory for each borrow at each point where it is live. If
    /// a matrix has very many entries, each row is in its own closure, so that a debug build releases the stack of
    /// the row.
    pub(in super::super) fn assign(&mut self, name: &str, entries: &[((usize, usize), Operand)]) {
        self.write(name, " = ", filter_nonzero(entries));
    }

    /// Sets the lower triangle of an n x n matrix of zeros, row by row. If most entries of a large matrix have the
    /// same value, a loop writes these.
    ///
    /// ```text
    /// for __i in 0..99 { for __k in 0..=__i { __m[__i][__k] = __t3; } }
    /// ```
    pub(in super::super) fn assign_triangle(&mut self, name: &str, lower: &[Operand], n: usize) {
        let common = find_majority(lower)
            .filter(|_| is_large(n * n))
            .unwrap_or(Operand::Constant(0.0));
        if common != Operand::Constant(0.0) {
            let _ = write!(
                self.text,
                "for __i in 0..{n} {{ for __k in 0..=__i {{ {name}[__i][__k] = "
            );
            self.write_operand(common);
            self.push("; } }\n");
        }
        let entries = (0..n)
            .flat_map(|i| (0..=i).map(move |k| (i, k)))
            .map(|(i, k)| ((i, k), lower[lower_triangle(i, k)]))
            .filter(|(_, value)| *value != common);
        self.write(name, " = ", entries);
    }

    /// Adds to these entries.
    pub(in super::super) fn increase(&mut self, name: &str, entries: &[((usize, usize), Operand)]) {
        self.write(name, " += ", filter_nonzero(entries));
    }

    fn write(
        &mut self,
        name: &str,
        operator: &str,
        entries: impl Iterator<Item = ((usize, usize), Operand)>,
    ) {
        let mut by_row = BTreeMap::<usize, BTreeMap<usize, Operand>>::new();
        for ((row, column), value) in entries {
            by_row.entry(row).or_default().insert(column, value);
        }
        if by_row.is_empty() {
            return;
        }
        self.text.push_str("let ");
        write_pattern(name, by_row.keys(), &mut self.text);
        self.text.push_str(&format!(" = &mut *{name};\n"));
        let many = by_row.values().map(BTreeMap::len).sum::<usize>() > MOST_BORROWED;
        for (row, entries) in by_row {
            let name = format!("{name}_{row}");
            if many {
                self.text.push_str("(|| {\n");
            }
            self.text.push_str("let ");
            write_pattern(&name, entries.keys(), &mut self.text);
            let _ = writeln!(self.text, " = {name};");
            self.set(&name, operator, entries);
            if many {
                self.text.push_str("})();\n");
            }
        }
    }

    /// `*__m_0 = value;`
    fn set(
        &mut self,
        name: &str,
        operator: &str,
        entries: impl IntoIterator<Item = (usize, Operand)>,
    ) {
        for (index, value) in entries {
            let _ = write!(self.text, "*{name}_{index}{operator}");
            self.write_operand(value);
            self.text.push_str(";\n");
        }
    }

    /// Sets the entries of a vector that are not zero by structure.
    pub(in super::super) fn assign_vector(&mut self, name: &str, entries: &[Operand]) {
        let entries: BTreeMap<usize, Operand> = entries
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, value)| *value != Operand::Constant(0.0))
            .collect();
        if entries.is_empty() {
            return;
        }
        self.text.push_str("let ");
        write_pattern(name, entries.keys(), &mut self.text);
        self.text.push_str(&format!(" = &mut *{name};\n"));
        self.set(name, " = ", entries);
    }

    /// A scalar, a vector, or a matrix with entries row by row. A large matrix is written in place.
    pub(in super::super) fn write_value(&mut self, shape: Shape, entries: &[Operand]) {
        let columns = match (shape, entries) {
            (Shape::Scalar, [value, ..]) => return self.write_operand(*value),
            (Shape::Scalar | Shape::Vector(_), _) => {
                self.push("__rt::linalg::vector(");
                self.write_array(entries);
                return self.push(")");
            }
            (Shape::Matrix(rows, columns), _) if is_large(entries.len()) => {
                return self.write_large_matrix((rows, columns), entries);
            }
            (Shape::Matrix(_, columns), _) => columns,
        };
        self.push("__rt::linalg::matrix([");
        for column in 0..columns {
            let column = entries.iter().skip(column).step_by(columns).copied();
            self.write_array(&column.collect::<Vec<Operand>>());
            self.push(",");
        }
        self.push("])");
    }

    /// ```text
    /// __rt::linalg::matrix_by::<S, 40, 40>(|__place| {
    ///     __place[0][0] = __t3;
    /// })
    /// ```
    fn write_large_matrix(&mut self, shape: (usize, usize), entries: &[Operand]) {
        self.push(&open_matrix(shape));
        let entries = place_by_columns(entries, shape.1, (0, 0));
        self.assign("__place", &entries);
        self.push("})");
    }

    /// The same, with the whole computation of the matrix inside the closure.
    pub(in super::super) fn into_matrix(
        mut self,
        shape: (usize, usize),
        entries: &[Operand],
    ) -> String {
        let entries = place_by_columns(entries, shape.1, (0, 0));
        self.assign("__place", &entries);
        self.push("})");
        open_matrix(shape) + &self.finish()
    }
}

/// The entries that are not zero by structure.
fn filter_nonzero(
    entries: &[((usize, usize), Operand)],
) -> impl Iterator<Item = ((usize, usize), Operand)> {
    entries
        .iter()
        .copied()
        .filter(|(_, value)| *value != Operand::Constant(0.0))
}

/// The value of more than half of the entries, if there is one.
fn find_majority(entries: &[Operand]) -> Option<Operand> {
    // Each different entry cancels one occurrence (R. S. Boyer, J S. Moore, MJRTY, 1991).
    let mut left = (None, 0_usize);
    for entry in entries {
        match left {
            (Some(value), count) if value == *entry => left.1 = count + 1,
            (_, 0) => left = (Some(*entry), 1),
            (_, count) => left.1 = count - 1,
        }
    }
    let is_left = |entry: &&Operand| Some(**entry) == left.0;
    let count = entries.iter().filter(is_left).count();
    left.0.filter(|_| 2 * count > entries.len())
}

/// The entries of a matrix, given row by row, with their positions in an array of columns. The first column is at
/// `to`.
pub(in super::super) fn place_by_columns(
    entries: &[Operand],
    columns: usize,
    to: (usize, usize),
) -> Vec<((usize, usize), Operand)> {
    let columns = columns.max(1);
    let place = |index: usize| (to.0 + index % columns, to.1 + index / columns);
    entries
        .iter()
        .enumerate()
        .map(|(index, entry)| (place(index), *entry))
        .collect()
}

/// The same for an array of rows.
pub(in super::super) fn place_by_rows(
    entries: &[Operand],
    columns: usize,
) -> Vec<((usize, usize), Operand)> {
    let columns = columns.max(1);
    entries
        .iter()
        .enumerate()
        .map(|(index, entry)| ((index / columns, index % columns), *entry))
        .collect()
}

fn open_matrix((rows, columns): (usize, usize)) -> String {
    format!("__rt::linalg::matrix_by::<S, {rows}, {columns}>(|__place| {{\n")
}
