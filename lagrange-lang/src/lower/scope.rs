//! The names in sight of a statement and what they stand for.

use std::collections::HashMap;

use lagrange_engine::{FrameId, Rotation, Shape};
use proc_macro2::Ident;
use syn::Attribute;

use super::value::Value;
use crate::syntax::ast::text;
use crate::syntax::name_scopes::called;

/// Every declaration so far. A later one of the same name hides the earlier one, which stays listed
/// for the question whether anything read it.
#[derive(Default)]
pub(crate) struct Scope {
    bindings: Vec<Binding>,
    /// The declaration that each of them hides.
    hidden: Vec<Option<usize>>,
    visible: HashMap<String, usize>,
    has_functions: bool,
    /// How many calls of functions are under way, one in the body of another.
    calls: usize,
}

/// The body of a loop, entered once for each value of its variable.
pub(crate) struct Body {
    /// Where the declarations of its first pass begin.
    start: usize,
    /// How many declarations were listed when the current pass began.
    pass: usize,
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
    /// With the number of its first velocity among all of them.
    Coordinate(usize),
    /// The first one, and of an array how many there are.
    Rotation(Rotation, Option<usize>),
    /// With its number among all robots.
    Robot(usize),
    Parameter,
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
    /// With its number among all functions of the declaration.
    Function(usize),
    /// The bound of a function.
    Argument,
    /// The variable of a `for` or `sum`.
    Index,
    /// A name with a mistake in its declaration, or without any: whatever reads it is silent.
    Mistaken {
        declared: bool,
    },
}

/// What a call of a function hides: see [`Scope::enter_call`].
pub(super) struct Caller {
    visible: HashMap<String, usize>,
    listed: usize,
}

impl Binding {
    /// By which it is found: functions live apart from values.
    fn key(&self) -> String {
        match self.kind {
            BindingKind::Function(_) => called(&self.name),
            _ => text(&self.name),
        }
    }

    /// Whether there was a mistake in it that was reported.
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

    /// With its article, as messages name it.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Coordinate(_) => "a coordinate",
            Self::Rotation(_, None) => "a rotation",
            Self::Rotation(_, Some(_)) => "an array of rotations",
            Self::Robot(_) => "a robot",
            Self::Parameter => "a parameter",
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
        let hidden = self.visible.insert(binding.key(), self.bindings.len());
        self.has_functions |= matches!(binding.kind, BindingKind::Function(_));
        self.bindings.push(binding);
        self.hidden.push(hidden);
    }

    pub(super) fn open_body(&self) -> Body {
        let start = self.bindings.len();
        Body { start, pass: start }
    }

    /// Ends what a pass over the body declared, and begins the next one.
    ///
    /// Every pass declares the same names in the same order, so that one list of them is kept: a
    /// `let` is read if any pass reads it.
    pub(super) fn end_pass(&mut self, body: &mut Body) {
        let ended = self.bindings.split_off(body.pass);
        let hidden = self.hidden.split_off(body.pass);
        for (binding, hidden) in ended.iter().zip(&hidden).rev() {
            let key = binding.key();
            match hidden {
                Some(hidden) => self.visible.insert(key, *hidden),
                None => self.visible.remove(&key),
            };
        }
        // A name that is known nowhere is one mistake, inside the body and behind it.
        let unknown = ended.iter().zip(&hidden);
        let unknown = unknown
            .filter(|(binding, hidden)| binding.kind.is_mistaken() && hidden.is_none())
            .map(|(binding, _)| (binding.name.clone(), binding.kind));
        let unknown: Vec<(Ident, BindingKind)> = unknown.collect();
        if body.pass == body.start {
            self.bindings.extend(ended);
            self.hidden.extend(hidden);
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

    /// Puts what the body of a function sees in the place of what its caller does.
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

    /// What a name that is not in sight was in the body of a loop.
    pub(super) fn ended(&self, name: &str) -> Option<BindingKind> {
        // What the caller sees did not end.
        if self.calls > 0 {
            return None;
        }
        let mut bindings = self.bindings.iter().rev();
        let ended = bindings.find(|binding| binding.key() == name)?;
        Some(ended.kind)
    }

    /// Makes every later use of the name silent, whose declaration has a mistake.
    pub(crate) fn declare_mistaken(&mut self, name: &Ident) {
        self.declare_silent(name, BindingKind::Mistaken { declared: true });
    }

    /// Makes every later use of the name silent, which nothing declares.
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
        // Most declarations have none, and many calls.
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

    /// Parameters, inputs, the time, `let`s, functions, their arguments and frames that nothing reads, in order
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
        let bindings = self.bindings.iter();
        bindings.filter(move |binding| !binding.read && may_be_unused(binding.kind))
    }

    /// The `let`s in order of declaration, and what they are.
    pub(super) fn shapes(&self) -> Vec<(String, Option<Shape>)> {
        let bindings = self.bindings.iter();
        let lets = bindings.filter(|binding| matches!(binding.kind, BindingKind::Let { .. }));
        lets.map(|binding| {
            let shape = binding.value.as_ref().map(|value| value.shape);
            (text(&binding.name), shape)
        })
        .collect()
    }

    /// The names of values and frames in sight, in order of declaration. One that nothing declares is no advice.
    pub(crate) fn names(&self, wanted: impl Fn(BindingKind) -> bool) -> Vec<String> {
        let unknown = BindingKind::Mistaken { declared: false };
        self.names_of(|kind| {
            kind != unknown && !matches!(kind, BindingKind::Function(_)) && wanted(kind)
        })
    }

    /// The same for functions.
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
