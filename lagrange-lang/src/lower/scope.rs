//! The names in scope at a statement and their meanings.

use std::collections::HashMap;

use lagrange_engine::{FrameId, Rotation, Shape};
use proc_macro2::Ident;
use syn::Attribute;

use super::value::Value;
use crate::syntax::ast::text;
use crate::syntax::name_scopes::called;

/// Every declaration so far. A later one of the same name hides the earlier one. The hidden one stays in the list,
/// to find whether it was read.
#[derive(Default)]
pub(crate) struct Scope {
    bindings: Vec<Binding>,
    /// For each declaration, the declaration that it hides.
    hidden: Vec<Option<usize>>,
    visible: HashMap<String, usize>,
    has_functions: bool,
    /// Number of function calls in progress, one in the body of the other.
    calls: usize,
}

/// The body of a loop, entered once for each value of its variable.
pub(crate) struct Body {
    /// Index of the first declaration of its first pass.
    start: usize,
    /// Length of the list of declarations at the start of the current pass.
    pass: usize,
}

#[derive(Clone)]
pub(crate) struct Binding {
    pub(crate) name: Ident,
    pub(crate) kind: BindingKind,
    /// `None` after a mistake that was reported. Uses report nothing.
    pub(crate) value: Option<Value>,
    pub(crate) read: bool,
    pub(crate) attributes: Vec<Attribute>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BindingKind {
    /// Index of its first velocity.
    Coordinate(usize),
    /// The first rotation and, for an array, the number of rotations.
    Rotation(Rotation, Option<usize>),
    /// Index of the robot.
    Robot(usize),
    Parameter,
    /// Index of its first element among the states.
    State(usize),
    Input,
    Time,
    Let {
        public: bool,
        mutable: bool,
    },
    Frame {
        mutable: bool,
        /// `None` after a mistake.
        pose: Option<FrameId>,
    },
    /// Index of the function in the declaration.
    Function(usize),
    /// The parameter of a function.
    Argument,
    /// The variable of a `for` or `sum`.
    Index,
    /// A name that is not declared, or whose declaration has a mistake. Uses report nothing.
    Mistaken {
        declared: bool,
    },
}

/// The names that a function call hides: see [`Scope::enter_call`].
pub(super) struct Caller {
    visible: HashMap<String, usize>,
    listed: usize,
}

impl Binding {
    /// The key for the lookup. Functions have keys apart from values.
    fn key(&self) -> String {
        match self.kind {
            BindingKind::Function(_) => called(&self.name),
            _ => text(&self.name),
        }
    }

    /// Returns whether it had a mistake that was reported.
    pub(crate) fn is_mistaken(&self) -> bool {
        match self.kind {
            BindingKind::Frame { pose, .. } => pose.is_none(),
            BindingKind::Robot(_) | BindingKind::Function(_) => false,
            _ => self.value.is_none(),
        }
    }
}

impl BindingKind {
    pub(super) fn is_mistaken(self) -> bool {
        matches!(self, Self::Mistaken { .. })
    }

    /// The kind with its article, for messages.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Coordinate(_) => "a coordinate",
            Self::Rotation(_, None) => "a rotation",
            Self::Rotation(_, Some(_)) => "an array of rotations",
            Self::Robot(_) => "a robot",
            Self::Parameter => "a parameter",
            Self::State(_) => "a state",
            Self::Input => "an input",
            Self::Time => "the time",
            Self::Let { public: true, .. } => "an output",
            Self::Let { public: false, .. } => "a `let`",
            Self::Frame { .. } => "a frame",
            Self::Function(_) => "a function",
            Self::Argument => "an argument",
            Self::Index => "a loop variable",
            Self::Mistaken { .. } => "a name",
        }
    }
}

impl Scope {
    pub(crate) fn declare(&mut self, binding: Binding) {
        let shadowed = self.visible.insert(binding.key(), self.bindings.len());
        self.has_functions |= matches!(binding.kind, BindingKind::Function(_));
        self.bindings.push(binding);
        self.hidden.push(shadowed);
    }

    pub(super) fn open_body(&self) -> Body {
        let start = self.bindings.len();
        Body { start, pass: start }
    }

    /// Ends the declarations of one pass over the body, and begins the next pass.
    ///
    /// Every pass declares the same names in the same order, so that one list is kept. A `let` is read if any pass
    /// reads it.
    pub(super) fn end_pass(&mut self, body: &mut Body) {
        let ended = self.bindings.split_off(body.pass);
        let shadowed = self.hidden.split_off(body.pass);
        for (binding, shadowed) in ended.iter().zip(&shadowed).rev() {
            let key = binding.key();
            match shadowed {
                Some(shadowed) => self.visible.insert(key, *shadowed),
                None => self.visible.remove(&key),
            };
        }
        // An undeclared name is one mistake, inside the body and after it.
        let unknown: Vec<(Ident, BindingKind)> = ended
            .iter()
            .zip(&shadowed)
            .filter(|(binding, shadowed)| binding.kind.is_mistaken() && shadowed.is_none())
            .map(|(binding, _)| (binding.name.clone(), binding.kind))
            .collect();
        if body.pass == body.start {
            self.bindings.extend(ended);
            self.hidden.extend(shadowed);
        } else {
            let listed = self.bindings[body.start..].iter_mut();
            for (listed, binding) in listed.zip(ended) {
                listed.read |= binding.read;
            }
        }
        for (name, kind) in &unknown {
            self.declare_silent(name, *kind);
        }
        body.pass = self.bindings.len();
    }

    /// Replaces the names of the caller by the names that the body of a function can use.
    pub(super) fn enter_call(&mut self, bindings: impl IntoIterator<Item = Binding>) -> Caller {
        let caller = Caller {
            visible: std::mem::take(&mut self.visible),
            listed: self.bindings.len(),
        };
        self.calls += 1;
        bindings
            .into_iter()
            .for_each(|binding| self.declare(binding));
        caller
    }

    pub(super) fn leave_call(&mut self, caller: Caller) {
        self.calls -= 1;
        self.bindings.truncate(caller.listed);
        self.hidden.truncate(caller.listed);
        self.visible = caller.visible;
    }

    /// The kind of a name that is out of scope but was declared in the body of a loop.
    pub(super) fn ended(&self, name: &str) -> Option<BindingKind> {
        // The names of the caller did not end.
        if self.calls > 0 {
            return None;
        }
        let ended = self
            .bindings
            .iter()
            .rev()
            .find(|binding| binding.key() == name)?;
        Some(ended.kind)
    }

    /// Silences later uses of the name, because its declaration has a mistake.
    pub(crate) fn declare_mistaken(&mut self, name: &Ident) {
        self.declare_silent(name, BindingKind::Mistaken { declared: true });
    }

    /// Silences later uses of the name, because it is not declared.
    pub(crate) fn declare_unknown(&mut self, name: &Ident) {
        self.declare_silent(name, BindingKind::Mistaken { declared: false });
    }

    fn declare_silent(&mut self, name: &Ident, kind: BindingKind) {
        self.declare(Binding {
            name: name.clone(),
            kind,
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

    pub(crate) fn find_function(&mut self, name: &Ident) -> Option<usize> {
        // Most systems have no functions, but many calls.
        if !self.has_functions {
            return None;
        }
        let position = self.visible.get(&called(name))?;
        let binding = self.bindings.get_mut(*position)?;
        binding.read = true;
        match binding.kind {
            BindingKind::Function(number) => Some(number),
            _ => None,
        }
    }

    /// Parameters, inputs, the time, `let`s, functions, their parameters and frames that are never read, in order
    /// of declaration.
    pub(crate) fn unused(&self) -> impl Iterator<Item = &Binding> {
        let may_be_unused = |kind| {
            matches!(
                kind,
                BindingKind::Parameter
                    | BindingKind::Input
                    | BindingKind::Time
                    | BindingKind::Frame { .. }
                    | BindingKind::Function(_)
                    | BindingKind::Argument
                    | BindingKind::Let { public: false, .. }
            )
        };
        self.bindings
            .iter()
            .filter(move |binding| !binding.read && may_be_unused(binding.kind))
    }

    /// The `let`s in order of declaration, and their shapes.
    pub(super) fn shapes(&self) -> Vec<(String, Option<Shape>)> {
        self.bindings
            .iter()
            .filter(|binding| matches!(binding.kind, BindingKind::Let { .. }))
            .map(|binding| {
                let shape = binding.value.as_ref().map(|value| value.shape);
                (text(&binding.name), shape)
            })
            .collect()
    }

    /// The names of values and frames in scope, in order of declaration. Undeclared names are left out, because
    /// they are no advice.
    pub(crate) fn names(&self, wanted: impl Fn(BindingKind) -> bool) -> Vec<String> {
        let unknown = BindingKind::Mistaken { declared: false };
        self.names_of(|kind| {
            kind != unknown && !matches!(kind, BindingKind::Function(_)) && wanted(kind)
        })
    }

    /// The functions in sight.
    pub(super) fn functions(&self) -> Vec<String> {
        self.names_of(|kind| matches!(kind, BindingKind::Function(_)))
    }

    fn names_of(&self, wanted: impl Fn(BindingKind) -> bool) -> Vec<String> {
        let in_sight = |position: usize, key: &str| self.visible.get(key) == Some(&position);
        self.bindings
            .iter()
            .enumerate()
            .filter(|(_, binding)| wanted(binding.kind))
            .filter(|(position, binding)| in_sight(*position, &binding.key()))
            .map(|(_, binding)| text(&binding.name))
            .collect()
    }
}
