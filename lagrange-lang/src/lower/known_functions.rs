//! A function of the declaration, and its calls so far.

use std::collections::HashMap;
use std::rc::Rc;

use lagrange_engine::FrameId;
use proc_macro2::Ident;

use super::scope::BindingKind;
use super::value::Value;
use crate::errors::Heard;
use crate::syntax::ast::Function;

pub(super) struct OwnFunction {
    pub(super) function: Rc<Function>,
    /// The meanings of the names in the body.
    pub(super) captured: Vec<(Ident, BindingKind, Option<Value>)>,
    /// The nesting depth of its body, including the functions that it calls.
    pub(super) depth: usize,
    /// True if the body has a mistake that does not depend on the arguments. The declaration reports it, and no call.
    pub(super) is_broken: bool,
    /// The results of the calls so far, by their arguments.
    pub(super) results: HashMap<Vec<Given>, Result<Value, Option<Heard>>>,
    pub(super) has_succeeded: bool,
    pub(super) has_failed: bool,
    /// Calls whose mistake was not reported. As long as no call has a value, the mistake is attributed to the body.
    pub(super) failures: Vec<(Ident, Heard)>,
}

/// The value of an argument in a call.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Given {
    Value(Value),
    Frame(FrameId),
}
