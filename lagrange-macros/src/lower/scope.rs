//! The names in sight of a statement and what they stand for.

use std::collections::HashMap;

use proc_macro2::Ident;
use syn::Attribute;
use syn::ext::IdentExt;

use super::value::Value;

/// Every declaration so far. A later one of the same name hides the earlier one, which stays listed
/// for the question whether anything read it.
#[derive(Default)]
pub(crate) struct Scope {
    bindings: Vec<Binding>,
    visible: HashMap<String, usize>,
}

pub(crate) struct Binding {
    pub(crate) name: Ident,
    pub(crate) kind: BindingKind,
    /// `None` after a mistake that was reported: whatever reads it is silent.
    pub(crate) value: Option<Value>,
    pub(crate) read: bool,
    pub(crate) attributes: Vec<Attribute>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BindingKind {
    /// With the number of its first element among all coordinates.
    Coordinate(usize),
    Parameter,
    Input,
    Time,
    Let {
        public: bool,
        mutable: bool,
    },
    Frame,
    /// A name with a mistake in its declaration.
    Mistaken,
}

impl BindingKind {
    /// With its article, as messages name it.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Coordinate(_) => "a coordinate",
            Self::Parameter => "a parameter",
            Self::Input => "an input",
            Self::Time => "the time",
            Self::Let { public: true, .. } => "an output",
            Self::Let { public: false, .. } => "a `let`",
            Self::Frame => "a frame",
            Self::Mistaken => "a name",
        }
    }
}

impl Scope {
    pub(crate) fn declare(&mut self, binding: Binding) {
        let name = text(&binding.name);
        self.visible.insert(name, self.bindings.len());
        self.bindings.push(binding);
    }

    /// Makes every later use of the name silent.
    pub(crate) fn declare_mistaken(&mut self, name: &Ident) {
        self.declare(Binding {
            name: name.clone(),
            kind: BindingKind::Mistaken,
            value: None,
            read: true,
            attributes: Vec::new(),
        });
    }

    pub(crate) fn find(&self, name: &Ident) -> Option<&Binding> {
        let position = self.visible.get(&text(name))?;
        self.bindings.get(*position)
    }

    pub(crate) fn find_mut(&mut self, name: &Ident) -> Option<&mut Binding> {
        let position = self.visible.get(&text(name))?;
        self.bindings.get_mut(*position)
    }

    /// Every declaration, hidden ones too, in order.
    pub(crate) fn bindings(&self) -> impl Iterator<Item = &Binding> {
        self.bindings.iter()
    }

    /// The names in sight, in order of declaration.
    pub(crate) fn names(&self, wanted: impl Fn(BindingKind) -> bool) -> Vec<String> {
        let in_sight = |position: usize, name: &str| self.visible.get(name) == Some(&position);
        self.bindings
            .iter()
            .enumerate()
            .filter(|(_, binding)| wanted(binding.kind))
            .map(|(position, binding)| (position, text(&binding.name)))
            .filter(|(position, name)| in_sight(*position, name))
            .map(|(_, name)| name)
            .collect()
    }
}

/// The name without `r#`, which is the same name.
pub(crate) fn text(name: &Ident) -> String {
    name.unraw().to_string()
}
