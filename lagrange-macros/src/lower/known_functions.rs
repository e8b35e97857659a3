//! A function of the declaration, with its calls so far.

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
    /// What the names in the body are.
    pub(super) captured: Vec<(Ident, BindingKind, Option<Value>)>,
    /// How deep its body is, with those of the functions that it calls.
    pub(super) depth: usize,
    /// What is wrong with the body, whatever the arguments.
    pub(super) mistake: Option<Heard>,
    /// Of each call so far, by what it gives.
    pub(super) results: HashMap<Vec<Given>, Result<Value, Option<Heard>>>,
    pub(super) has_succeeded: bool,
    pub(super) has_failed: bool,
    /// Calls that nothing was said of: while no call has a value, the mistake is taken for one of the body.
    pub(super) failures: Vec<(Ident, Heard)>,
}

/// What an argument stands for in a call.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Given {
    Value(Value),
    Frame(FrameId),
}
