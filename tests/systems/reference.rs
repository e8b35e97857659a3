//! Reads the data files of `tests/reference/data`: cases of named inputs and outputs, one to a
//! line.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use lagrangian::nalgebra::{DVector, SVector};

use crate::support::{Entries, assert_within, fixed};

/// Tolerance of an output, relative to the largest entry of its reference.
const TOLERANCE: f64 = 1e-10;

/// One random state of a system with the values of everything that is derived from it.
pub(crate) struct Case {
    label: String,
    values: BTreeMap<&'static str, Vec<f64>>,
    read: RefCell<BTreeSet<&'static str>>,
}

impl Case {
    /// All cases of a data file; `system` names them in failures.
    pub(crate) fn parse(system: &str, text: &'static str) -> Vec<Self> {
        let mut cases: Vec<Self> = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            let name = words.next().expect("no line is empty");
            if name == "case" {
                cases.push(Self {
                    label: format!("{system}, case {}", cases.len()),
                    values: BTreeMap::new(),
                    read: RefCell::default(),
                });
                continue;
            }
            let numbers = words.map(|word| word.parse().expect("a number"));
            let case = cases.last_mut().expect("a file starts with `case`");
            let earlier = case.values.insert(name, numbers.collect());
            assert!(earlier.is_none(), "{}: two values of {name}", case.label);
        }
        assert!(!cases.is_empty(), "{system}: the data file has no case");
        cases
    }

    /// The entries of a value, which then counts as read.
    fn entries(&self, name: &str) -> &[f64] {
        let found = self.values.get_key_value(name);
        let (&key, entries) = found.unwrap_or_else(|| panic!("{}: no {name}", self.label));
        self.read.borrow_mut().insert(key);
        entries
    }

    pub(crate) fn scalar(&self, name: &str) -> f64 {
        self.listed(name, 1)[0]
    }

    /// The parameter with this field name, `r#` or not.
    pub(crate) fn parameter(&self, field: &str) -> f64 {
        self.scalar(&format!("p.{}", field.trim_start_matches("r#")))
    }

    /// The entries of a value that has so many.
    fn listed(&self, name: &str, length: usize) -> &[f64] {
        let entries = self.entries(name);
        assert_eq!(entries.len(), length, "{}: length of {name}", self.label);
        entries
    }

    pub(crate) fn list(&self, name: &str, length: usize) -> DVector<f64> {
        DVector::from_column_slice(self.listed(name, length))
    }

    pub(crate) fn vector<const N: usize>(&self, name: &str) -> SVector<f64, N> {
        fixed(self.listed(name, N))
    }

    /// Fails unless `actual` agrees with the reference value of that name.
    pub(crate) fn compare(&self, name: &str, actual: &dyn Entries) {
        let what = format!("{}: {name}", self.label);
        assert_within(&what, &actual.entries(), self.entries(name), TOLERANCE);
    }

    /// Fails if the case holds a value that was not read: a test must leave nothing out.
    pub(crate) fn finish(&self) {
        let read = self.read.borrow();
        let unread: Vec<_> = self
            .values
            .keys()
            .filter(|name| !read.contains(*name))
            .collect();
        assert!(
            unread.is_empty(),
            "{}: never compared: {unread:?}",
            self.label
        );
    }
}
