//! The names of a system in a text.

use std::collections::BTreeMap;

use super::declaration::Declaration;
use super::{ascii, free};
use crate::Shape;

/// The names of a system.
#[derive(Clone)]
pub(super) struct Names {
    /// The type, and the prefix of the functions.
    pub(super) system: String,
    /// The beginning of the names of helpers and private functions, which no other function has.
    pub(super) helper: String,
    /// The type of numbers.
    pub(super) real: String,
    /// The fields.
    pub(super) parameters: Vec<String>,
    /// The expression that reads the parameter of each number.
    reads: Vec<String>,
    /// The exported routines, each with the name of its function after that of the system.
    functions: BTreeMap<String, String>,
    /// A name for the language.
    word: fn(&str) -> String,
    /// True if all functions have names of helpers.
    are_private: bool,
}

impl Names {
    /// The names of a system beside these functions. Expressions for fields begin with `object`; no field has a taken name.
    pub(super) fn new(
        declaration: &Declaration,
        (system, real, object): (String, String, &str),
        functions: BTreeMap<String, String>,
        word: fn(&str) -> String,
        is_taken: impl Fn(&str) -> bool,
    ) -> Self {
        let mut parameters: Vec<String> = Vec::new();
        let mut reads = Vec::new();
        for parameter in &declaration.parameters {
            let name = free(word(&parameter.name), |name| {
                parameters.iter().any(|other| other == name) || is_taken(name)
            });
            match parameter.shape {
                Shape::Scalar => reads.push(format!("{object}{name}")),
                Shape::Vector(length) => {
                    reads.extend((0..length).map(|i| format!("{object}{name}[{i}]")));
                }
                Shape::Matrix(rows, columns) => {
                    let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
                    reads.extend(places.map(|(i, j)| format!("{object}{name}[{i}][{j}]")));
                }
            }
            parameters.push(name);
        }
        let helper = free("helper_".to_owned(), |helper| {
            functions.values().any(|name| name.starts_with(helper))
        });
        Self {
            helper: format!("{system}_{helper}"),
            system,
            real,
            parameters,
            reads,
            functions,
            word,
            are_private: false,
        }
    }

    /// The same with names of helpers for all functions.
    pub(super) fn made_private(self) -> Self {
        Self {
            are_private: true,
            ..self
        }
    }

    /// The function of a routine.
    pub(super) fn function(&self, routine: &str) -> String {
        match routine.strip_prefix("private ") {
            Some(name) => format!("{}{}", self.helper, ascii(name)),
            None if self.are_private => format!("{}c_{}", self.helper, self.after_system(routine)),
            None => format!("{}_{}", self.system, self.after_system(routine)),
        }
    }

    /// The name of the function of a routine after that of the system.
    pub(super) fn after_system(&self, routine: &str) -> String {
        self.functions
            .get(routine)
            .map_or_else(|| (self.word)(routine), String::clone)
    }

    /// Returns whether the entry point of an exported routine has this name after that of the system.
    pub(super) fn is_entry(&self, name: &str) -> bool {
        name.strip_suffix("_batch")
            .is_some_and(|name| self.functions.values().any(|other| other == name))
    }

    /// The expression that reads the parameter of this number.
    pub(super) fn parameter(&self, number: u32) -> &str {
        self.reads.get(number as usize).map_or("0", |read| read)
    }
}
