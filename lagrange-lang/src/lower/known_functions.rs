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
    /// The meanings of the names in the body.
    pub(super) captured: Vec<(Ident, BindingKind, Option<Value>)>,
    /// How deep its body is, with those of the functions that it calls.
    pub(super) depth: usize,
    /// The mistake in the body, if it has one for all arguments.
    pub(super) mistake: Option<Heard>,
    /// The results of the calls so far, by their arguments.
    pub(super) results: HashMap<Vec<Given>, Result<Value, Option<Heard>>>,
    pub(super) has_succeeded: bool,
    pub(super) has_failed: bool,
    /// Calls that nothing was said of: while no call has a value, the mistake is taken for one of the body.
    pub(super) failures: Vec<(Ident, Heard)>,
}

/// The value of an argument in a call.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Given {
    Value(Value),
    Frame(FrameId),
}
