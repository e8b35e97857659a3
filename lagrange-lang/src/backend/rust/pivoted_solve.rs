//! Derivatives of the solution by the pivoted solve: the fallback of the unrolled ones.
//!
//! ```text
//! fn __differentiated(&self, q, v, u) -> Result<(Derivatives<S, 2, 2, 1>, Derivatives<S, 0, 2, 1>), Error> {
//!     let motion = self.solve(q, v, u)?;
//!     let mut __derivatives = self.equation_derivatives(q, v, u, &motion);
//!     let __m = &mut self.mass_matrix(q).data.0;
//!     differentiate(__m, &[], &mut __derivatives.0, &mut __derivatives.1)?;
//!     Ok(__derivatives)
//! }
//! ```

use super::assembly::{arguments, blamed, call, call_by_name, ok};
use super::context::Context;
use super::function::{Code, Function};
use super::reacting::matrices;
use super::redundant;
use crate::generated::DIFFERENTIATED;
use crate::methods::{Argument, Layout, Size, Value};

/// The `__derivatives` of a and of lambda.
pub(super) fn solved(layout: &Layout) -> String {
    let solve = call("solve", layout);
    let with_motion = [arguments(layout), vec![Argument::Motion]].concat();
    let equations = call_by_name("equation_derivatives", &with_motion);
    let (blamed, moved) = (blamed(), redundant::moved(layout));
    let (motion, solver) = if layout.reacts() {
        ("&motion", "differentiate_reacting(__m, __jb, __j")
    } else if layout.has_redundant_rows() {
        ("&motion.motion()", "differentiate_redundant(__m, __j")
    } else {
        ("&motion", "differentiate(__m, __j")
    };
    let matrices = matrices(layout);
    format!(
        "{moved}
         let motion = {solve}?;
         let motion = {motion};
         let mut __derivatives = {equations};
         {matrices}
         __rt::linalg::{solver}, &mut __derivatives.0, &mut __derivatives.1)
             {blamed}?;"
    )
}

/// The same as a method, for methods that seldom need it.
pub(super) fn function(context: &Context) -> Function {
    let layout = &context.skeleton.layout;
    let solved = solved(layout);
    let result = ok("__derivatives");
    Function {
        attributes: "#[cold] ".into(),
        visibility: Code::NONE,
        docs: "The derivatives of a and of lambda by careful solutions for each column.".to_owned(),
        name: DIFFERENTIATED.into(),
        generics: "",
        arguments: arguments(layout),
        places: String::new(),
        returned: Value::DerivativePair(Size::N, Size::Constraints).returned(true, layout),
        real: true,
        body: format!("{solved} {result}").into(),
    }
}

/// The result of that method.
pub(super) fn call_differentiated(layout: &Layout) -> String {
    call(DIFFERENTIATED, layout)
}
