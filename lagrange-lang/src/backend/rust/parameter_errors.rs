//! Finds the parameter that is not finite, if a result is not finite while all arguments are.
//!
//! ```text
//! fn __blame(&self, __error: Error) -> Error {
//!     blame(__error, &[(&[self.m, self.k], &["self.m", "self.k"]), (&self.c, &["self.c[0]", "self.c[1]"])])
//! }
//! ```

use lagrange_engine::Shape;

use super::function::{Code, Function};
use super::skeleton::Skeleton;
use super::text::Text;
use crate::generated::BLAME;
use crate::model::Declared;

pub(super) fn function(skeleton: &Skeleton) -> Function {
    Function {
        attributes: "#[cold] #[inline(never)] ".into(),
        visibility: Code::NONE,
        docs: "The error for a result that is not finite although the arguments are.".to_owned(),
        name: BLAME.into(),
        generics: "",
        arguments: Vec::new(),
        places: "__error: __rt::Error, ".to_owned(),
        returned: "__rt::Error".to_owned(),
        real: true,
        body: body(&skeleton.head.parameters).into(),
    }
}

fn body(parameters: &[Declared]) -> String {
    let mut text = Text::default();
    text.push_str("__rt::linalg::blame::<S>(__error, &[");
    let is_scalar = |parameter: &Declared| parameter.shape == Shape::Scalar;
    // Adjacent scalars form one array.
    for group in parameters.chunk_by(|a, b| is_scalar(a) && is_scalar(b)) {
        text.push_str("(");
        match group {
            [array] if !is_scalar(array) => {
                let is_matrix = matches!(array.shape, Shape::Matrix(..));
                text.push_str(if is_matrix { "self." } else { "&self." });
                text.push_str(&array.name.to_string());
                if is_matrix {
                    text.push_str(".as_flattened()");
                }
            }
            scalars => {
                text.push_str("&[");
                for scalar in scalars {
                    text.push_str("self.");
                    text.push_str(&scalar.name.to_string());
                    text.push_str(", ");
                }
                text.push_str("]");
            }
        }
        text.push_str(", &[");
        for parameter in group {
            for name in parameter.element_names() {
                text.push_literal(&format!("self.{name}"));
                text.push_str(", ");
            }
        }
        text.push_str("]), ");
    }
    text.push_str("])\n");
    text.finish()
}
