//! Reads symbols in bodies. One pattern at the beginning binds the entries of arguments, and of parameters that are
//! arrays:
//!
//! ```text
//! let [[__q_0, _, __q_2, ..]] = &q.data.0;
//! let [__self0_k_0, ..] = &self.k;
//! ```
//!
//! For the type check of rustc an index is an overloaded operator, which takes as long as ten sums or products.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use lagrange_engine::{Curve, Input, Operand, Shape, Symbol};

use super::assembly::Text;
use super::body::write_literal;
use super::places::Form;
use crate::model::Declared;

/// The parameters, element by element.
pub(super) struct Parameters {
    fields: Vec<Field>,
    /// The field of each element, and the position of the element in it.
    elements: Vec<(usize, usize)>,
    /// The curves that bodies read.
    curves: RefCell<Vec<Arc<Curve>>>,
}

struct Field {
    /// `self.k`
    place: String,
    /// The prefix of the names of its entries: `__self0_k`. The number distinguishes entry (1, 0) of `k` from entry
    /// 0 of `k_1`.
    prefix: String,
    shape: Shape,
}

impl Parameters {
    pub(super) fn new(declared: &[Declared]) -> Self {
        let fields: Vec<Field> = declared
            .iter()
            .enumerate()
            .map(|(index, parameter)| {
                let name = parameter.name.to_string();
                Field {
                    place: format!("self.{name}"),
                    prefix: format!("__self{index}_{}", name.trim_start_matches("r#")),
                    shape: parameter.shape,
                }
            })
            .collect();
        let elements = fields
            .iter()
            .map(|field| field.shape.len())
            .enumerate()
            .flat_map(|(field, count)| (0..count).map(move |index| (field, index)));
        Parameters {
            elements: elements.collect(),
            fields,
            curves: RefCell::default(),
        }
    }

    fn element(&self, index: u32) -> Option<(usize, &Field, usize)> {
        let (field, index) = *self.elements.get(index as usize)?;
        Some((field, self.fields.get(field)?, index))
    }

    /// The number of the table of a curve.
    pub(super) fn curve_number(&self, curve: &Arc<Curve>) -> usize {
        let mut curves = self.curves.borrow_mut();
        curves
            .iter()
            .position(|listed| listed == curve)
            .unwrap_or_else(|| {
                curves.push(curve.clone());
                curves.len() - 1
            })
    }

    /// The tables of all curves that bodies read.
    ///
    /// ```text
    /// static __CURVE_0: __rt::math::Curve<'static> = __rt::math::Curve { scale: 0.0, breaks: &[0.0, 1.0], pieces: &[[..]] };
    /// ```
    pub(super) fn write_tables(&self) -> String {
        let mut text = String::new();
        let list = |numbers: &[f64]| {
            let numbers: Vec<String> = numbers
                .iter()
                .map(|number| write_literal(*number))
                .collect();
            format!("[{}]", numbers.join(", "))
        };
        for (number, curve) in self.curves.borrow().iter().enumerate() {
            let pieces: Vec<String> = curve.pieces().iter().map(|piece| list(piece)).collect();
            let _ = writeln!(
                text,
                "static __CURVE_{number}: __rt::math::Curve<'static> = __rt::math::Curve {{ scale: {}, breaks: &{}, pieces: &[{}] }};",
                write_literal(curve.scale()),
                list(curve.breaks()),
                pieces.join(", ")
            );
        }
        text
    }

    /// The field whose elements the operands are, if the operands are all its elements in order.
    pub(super) fn find_whole_vector(&self, operands: &[Operand]) -> Option<String> {
        let Some(Operand::Symbol(Symbol::Parameter(first))) = operands.first() else {
            return None;
        };
        let (_, field, index) = self.element(*first)?;
        let elements = (*first..).map(|number| Operand::Symbol(Symbol::Parameter(number)));
        let is_whole = index == 0
            && field.shape == Shape::Vector(operands.len())
            && elements
                .zip(operands)
                .all(|(element, operand)| element == *operand);
        is_whole.then(|| field.place.clone())
    }

    /// `self.m`, `*__self1_k_2`, `*__self2_r_0_1`
    fn write(&self, index: u32, text: &mut Text) {
        let Some((_, field, index)) = self.element(index) else {
            return;
        };
        if field.shape != Shape::Scalar {
            text.push_str("*");
        }
        text.push_str(match field.shape {
            Shape::Scalar => &field.place,
            Shape::Vector(_) | Shape::Matrix(..) => &field.prefix,
        });
        // Writing to this text cannot fail.
        let _ = match field.shape {
            Shape::Scalar => Ok(()),
            Shape::Vector(_) => write!(text, "_{index}"),
            Shape::Matrix(_, columns) => write!(text, "_{}_{}", index / columns, index % columns),
        };
    }

    /// The patterns of the fields that contain these elements.
    fn bind(&self, read: &BTreeSet<u32>, text: &mut Text) {
        let mut by_field = BTreeMap::<usize, BTreeSet<usize>>::new();
        for (field, _, index) in read.iter().filter_map(|index| self.element(*index)) {
            by_field.entry(field).or_default().insert(index);
        }
        for (field, read) in by_field {
            let Some(Field {
                place,
                prefix,
                shape,
            }) = self.fields.get(field)
            else {
                continue;
            };
            match *shape {
                Shape::Scalar => continue,
                Shape::Vector(_) => {
                    text.push_str("let ");
                    write_pattern(prefix, &read, text);
                }
                Shape::Matrix(_, columns) => {
                    text.push_str("let ");
                    let entries = read
                        .into_iter()
                        .map(|index| (index / columns, index % columns));
                    write_pattern_of_rows(prefix, entries, text);
                }
            }
            let _ = writeln!(text, " = &{place};");
        }
    }
}

/// `[a_0, _, a_2, ..]`
pub(super) fn write_pattern<'i>(
    prefix: &str,
    indices: impl IntoIterator<Item = &'i usize>,
    text: &mut Text,
) {
    text.push_str("[");
    let mut next = 0;
    for index in indices {
        for _ in next..*index {
            text.push_str("_, ");
        }
        let _ = write!(text, "{prefix}_{index}, ");
        next = index + 1;
    }
    text.push_str("..]");
}

/// `[[a_0_0, ..], _, [_, a_2_1, ..], ..]`
fn write_pattern_of_rows(
    prefix: &str,
    entries: impl Iterator<Item = (usize, usize)>,
    text: &mut Text,
) {
    let mut by_row = BTreeMap::<usize, BTreeSet<usize>>::new();
    for (row, column) in entries {
        by_row.entry(row).or_default().insert(column);
    }
    text.push_str("[");
    let mut next = 0;
    for (row, columns) in by_row {
        for _ in next..row {
            text.push_str("_, ");
        }
        write_pattern(&format!("{prefix}_{row}"), &columns, text);
        text.push_str(", ");
        next = row + 1;
    }
    text.push_str("..]");
}

/// An array that a body reads in place of the argument of this name.
pub(super) struct Source {
    array: char,
    value: String,
    /// The length of the inner arrays, which are rows or columns; nothing for an array of numbers.
    columns: Option<usize>,
    by_columns: bool,
}

impl Source {
    /// `None` for the argument itself.
    pub(super) fn new(input: Input, value: &str, form: Form, columns: usize) -> Option<Self> {
        let array = match input {
            Input::Time => return None,
            Input::Coordinates => 'q',
            Input::Velocities => 'v',
            Input::Accelerations => 'a',
            Input::States => 'z',
            Input::Inputs => 'u',
            Input::Multipliers => 'l',
            Input::Momenta => 'p',
            Input::Weights => 'y',
        };
        let is_matrix = matches!(form, Form::Rows | Form::Columns);
        (value != format!("{array}.data.0[0]")).then(|| Self {
            array,
            value: value.to_owned(),
            columns: is_matrix.then_some(columns),
            by_columns: form == Form::Columns,
        })
    }

    /// `let [[__y_0, ..], [__y_2, __y_3, ..], ..] = &__x3;`
    fn bind(&self, read: &BTreeSet<usize>, text: &mut Text) {
        text.push_str("let ");
        match self.columns {
            None => write_pattern(&format!("__{}", self.array), read, text),
            Some(columns) => {
                let mut by_row = BTreeMap::<usize, BTreeMap<usize, usize>>::new();
                for index in read {
                    let (row, column) = (index / columns, index % columns);
                    let (outer, inner) = match self.by_columns {
                        true => (column, row),
                        false => (row, column),
                    };
                    by_row.entry(outer).or_default().insert(inner, *index);
                }
                let rows = by_row.iter().map(|(row, entries)| {
                    let names = entries
                        .iter()
                        .map(|(inner, index)| (*inner, format!("__{}_{index}", self.array)));
                    (*row, write_places(names))
                });
                text.push_str(&write_places(rows));
            }
        }
        let _ = writeln!(text, " = &{};", self.value);
    }
}

/// `[a, _, b, ..]`: patterns at their positions.
fn write_places(patterns: impl Iterator<Item = (usize, String)>) -> String {
    let (mut text, mut next) = ("[".to_owned(), 0);
    for (index, pattern) in patterns {
        text += &"_, ".repeat(index - next);
        text += &(pattern + ", ");
        next = index + 1;
    }
    text + "..]"
}

/// The symbols that a body reads from arrays.
#[derive(Default)]
pub(super) struct Reads {
    arguments: BTreeMap<char, BTreeSet<usize>>,
    parameters: BTreeSet<u32>,
}

impl Reads {
    pub(super) fn insert(&mut self, symbol: Symbol) {
        match (symbol, find_entry(symbol)) {
            (Symbol::Parameter(index), _) => {
                self.parameters.insert(index);
            }
            (_, Some((array, index))) => {
                self.arguments
                    .entry(array)
                    .or_default()
                    .insert(index as usize);
            }
            (_, None) => {}
        }
    }

    /// The statements that bind the entries that are read.
    pub(super) fn bind(&self, parameters: &Parameters, sources: &[Source], text: &mut Text) {
        for (array, read) in &self.arguments {
            if let Some(source) = sources.iter().find(|source| source.array == *array) {
                source.bind(read, text);
                continue;
            }
            text.push_str("let [");
            write_pattern(&format!("__{array}"), read, text);
            let _ = writeln!(text, "] = &{array}.data.0;");
        }
        parameters.bind(&self.parameters, text);
    }
}

/// `self.m`, `*__self1_k_2`, `*__q_0`, `t`
pub(super) fn write_symbol(symbol: Symbol, parameters: &Parameters, text: &mut Text) {
    match (symbol, find_entry(symbol)) {
        (Symbol::Parameter(index), _) => parameters.write(index, text),
        (_, Some((array, index))) => {
            let _ = write!(text, "*__{array}_{index}");
        }
        (_, None) => text.push_str("t"),
    }
}

/// The argument that contains a symbol, and the index of the entry.
fn find_entry(symbol: Symbol) -> Option<(char, u32)> {
    match symbol {
        Symbol::Coordinate(index) => Some(('q', index)),
        Symbol::Velocity(index) => Some(('v', index)),
        Symbol::Acceleration(index) => Some(('a', index)),
        Symbol::State(index) => Some(('z', index)),
        Symbol::Input(index) => Some(('u', index)),
        Symbol::Multiplier(index) => Some(('l', index)),
        Symbol::Momentum(index) => Some(('p', index)),
        Symbol::Weight(index) => Some(('y', index)),
        Symbol::Parameter(_) | Symbol::StateRate(_) | Symbol::Time => None,
    }
}
