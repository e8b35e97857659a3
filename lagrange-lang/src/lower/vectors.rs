//! Functions of vectors and matrices.

use lagrange_engine::{NodeId, Number, Shape, Unary};
use proc_macro2::Ident;

use super::calls::Call;
use super::evaluator::Evaluator;
use super::value::{Value, in_words};
use crate::errors::Code;

impl Evaluator<'_> {
    fn expect_vector_argument(&mut self, call: &Call<'_>, position: usize) -> Option<Vec<NodeId>> {
        let (expr, value) = &call.arguments[position];
        if let Shape::Vector(_) = value.shape {
            return Some(value.entries.clone());
        }
        let (name, actual) = (call.name, in_words(value.shape));
        self.refuse(
            *expr,
            Code::WrongShape,
            format!("mismatched shapes: `{name}` takes a vector, found {actual}"),
        )
    }

    fn expect_matrix_argument(&mut self, call: &Call<'_>) -> Option<(usize, usize, Vec<NodeId>)> {
        let (expr, value) = &call.arguments[0];
        if let Shape::Matrix(rows, columns) = value.shape {
            return Some((rows, columns, value.entries.clone()));
        }
        let (name, actual) = (call.name, in_words(value.shape));
        self.refuse(
            *expr,
            Code::WrongShape,
            format!("mismatched shapes: `{name}` takes a matrix, found {actual}"),
        )
    }

    fn expect_equal_vectors(&mut self, call: &Call<'_>) -> Option<(Vec<NodeId>, Vec<NodeId>)> {
        let (a, b) = (
            self.expect_vector_argument(call, 0),
            self.expect_vector_argument(call, 1),
        );
        let (a, b) = (a?, b?);
        if a.len() != b.len() {
            let message = format!(
                "mismatched shapes: `{}` of vectors of length {} and {}",
                call.name,
                a.len(),
                b.len()
            );
            return self.refuse(call.name, Code::UnequalShapes, message);
        }
        Some((a, b))
    }

    /// For vectors of the plane, the component along the normal.
    pub(super) fn cross(&mut self, call: &Call<'_>) -> Option<Value> {
        let (a, b) = self.expect_equal_vectors(call)?;
        let mut minor = |i: usize, j: usize| {
            let noted = self.count_facts();
            self.note_products(call.name.span(), &[a[i], a[j]], &[b[j], b[i]]);
            let first = self.graph.mul(a[i], b[j]);
            let second = self.graph.mul(a[j], b[i]);
            let difference = self.graph.sub(first, second);
            self.note_results(noted, &[difference]);
            difference
        };
        match a.len() {
            2 => Some(Value::scalar(minor(0, 1))),
            3 => Some(Value::vector(vec![minor(1, 2), minor(2, 0), minor(0, 1)])),
            length => {
                let message = format!(
                    "mismatched shapes: `cross` takes vectors of length 2 or 3, found length {length}"
                );
                self.refuse(call.name, Code::WrongShape, message)
            }
        }
    }

    pub(super) fn outer(&mut self, call: &Call<'_>) -> Option<Value> {
        let (a, b) = (
            self.expect_vector_argument(call, 0),
            self.expect_vector_argument(call, 1),
        );
        let (a, b) = (a?, b?);
        self.afford(call.name, a.len().saturating_mul(b.len()))?;
        let entries = a
            .iter()
            .flat_map(|x| b.iter().map(move |y| (*x, *y)))
            .map(|(x, y)| self.graph.mul(x, y))
            .collect();
        Some(Value::matrix(a.len(), b.len(), entries))
    }

    /// For a vector, the matrix with one row.
    pub(super) fn transpose(&mut self, call: &Call<'_>) -> Option<Value> {
        let value = &call.arguments[0].1;
        if let Shape::Vector(length) = value.shape {
            return Some(Value::matrix(1, length, value.entries.clone()));
        }
        let (rows, columns, entries) = self.expect_matrix_argument(call)?;
        let entries = (0..columns)
            .flat_map(|j| (0..rows).map(move |i| i * columns + j))
            .map(|position| entries[position])
            .collect();
        Some(Value::matrix(columns, rows, entries))
    }

    pub(super) fn trace(&mut self, call: &Call<'_>) -> Option<Value> {
        let (rows, columns, entries) = self.expect_matrix_argument(call)?;
        if rows != columns {
            let message = format!(
                "mismatched shapes: `trace` takes a square matrix, found a {rows} x {columns} matrix"
            );
            return self.refuse(call.arguments[0].0, Code::WrongShape, message);
        }
        let diagonal = (0..rows).map(|i| entries[i * columns + i]);
        Some(Value::scalar(self.graph.total(diagonal)))
    }

    /// For scalars, or for one vector.
    pub(super) fn diagonal(&mut self, call: &Call<'_>) -> Option<Value> {
        let of_vector = match call.arguments {
            [(_, value)] if matches!(value.shape, Shape::Vector(_)) => Some(value.entries.clone()),
            _ => None,
        };
        let entries = match of_vector {
            Some(entries) => entries,
            None => {
                let count = call.arguments.len();
                let scalars: Vec<Option<NodeId>> = (0..count)
                    .map(|i| self.expect_scalar_argument(call, i))
                    .collect();
                scalars.into_iter().collect::<Option<_>>()?
            }
        };
        self.make_diagonal_matrix(call.name, &entries)
    }

    pub(super) fn identity(&mut self, call: &Call<'_>) -> Option<Value> {
        let (expr, value) = &call.arguments[0];
        let size = value
            .as_scalar()
            .and_then(|node| self.find_constant_number(node))
            .and_then(Number::to_integer);
        match size.and_then(|size| usize::try_from(size).ok()) {
            Some(size) if size > 0 => {
                self.afford(call.name, size)?;
                let one = self.graph.integer(1);
                self.make_diagonal_matrix(call.name, &vec![one; size])
            }
            _ => self.refuse(
                *expr,
                Code::ConstantInteger,
                "the size of `identity` is a constant integer above 0",
            ),
        }
    }

    fn make_diagonal_matrix(&mut self, name: &Ident, diagonal: &[NodeId]) -> Option<Value> {
        let size = diagonal.len();
        self.afford(name, size.saturating_mul(size))?;
        let zero = self.graph.integer(0);
        let mut entries = vec![zero; size * size];
        for (i, entry) in diagonal.iter().enumerate() {
            entries[i * size + i] = *entry;
        }
        Some(Value::matrix(size, size, entries))
    }

    pub(super) fn dot(&mut self, call: &Call<'_>) -> Option<Value> {
        let (a, b) = self.expect_equal_vectors(call)?;
        let noted = self.count_facts();
        self.note_products(call.name.span(), &a, &b);
        let value = self.graph.dot(&a, &b);
        self.note_results(noted, &[value]);
        Some(Value::scalar(value))
    }

    pub(super) fn norm(&mut self, call: &Call<'_>) -> Option<Value> {
        let vector = self.expect_vector_argument(call, 0)?;
        let noted = self.count_facts();
        self.note_one_unit(call.arguments[0].0, &vector);
        let square = self.graph.dot(&vector, &vector);
        let value = self.graph.unary(Unary::Sqrt, square);
        self.note_results(noted, &[value]);
        Some(Value::scalar(value))
    }
}
