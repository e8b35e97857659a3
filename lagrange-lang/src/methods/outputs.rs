//! The methods of `pub let`s and `pub frame`s, and the methods beside them: names, arguments, values, quantities and
//! wording.

use lagrange_engine::{Dependence, Quantity, Shape};
use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;

use super::shell::{Field, Shell};
use super::signature::{Argument, Layout, Size, Value};
use crate::generated::Beside;
use crate::model::{OutputItem, OutputKind};

/// The length of a frame's twist: velocity of the origin and angular velocity.
const TWIST: usize = 6;

/// A method of an output.
pub(crate) struct OutputMethod {
    /// `None` for the method of the output itself.
    pub(crate) beside: Option<Beside>,
    pub(crate) name: Ident,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) value: Value,
}

/// The methods of an output in a system of this layout. `shape` is the shape of a value.
pub(crate) fn methods(
    item: &OutputItem,
    shape: Option<Shape>,
    layout: &Layout,
) -> Vec<OutputMethod> {
    let beside = item.beside(shape).into_iter().map(Some);
    std::iter::once(None)
        .chain(beside)
        .map(|beside| {
            let (arguments, value) = match item.kind {
                OutputKind::Value { reads, .. } => {
                    list_value_method(reads, shape.unwrap_or(Shape::Scalar), beside, layout)
                }
                OutputKind::Frame => list_frame_method(beside),
            };
            OutputMethod {
                beside,
                name: name(item, beside),
                arguments: layout.arguments(&arguments),
                value,
            }
        })
        .collect()
}

fn name(item: &OutputItem, beside: Option<Beside>) -> Ident {
    let output = item.name.unraw();
    match beside {
        None => item.name.clone(),
        Some(method) => format_ident!("{}", method.of(&output.to_string()), span = output.span()),
    }
}

fn list_value_method(
    reads: Dependence,
    shape: Shape,
    beside: Option<Beside>,
    layout: &Layout,
) -> (Vec<Argument>, Value) {
    let rows = Size::Known(shape.len());
    match beside {
        None => (arguments_of(reads), Value::of_shape(shape)),
        Some(Beside::Jacobian) => (vec![Argument::Q], Value::Matrix(rows, Size::N)),
        Some(Beside::Velocity | Beside::Rate | Beside::Bias) => {
            (vec![Argument::Q, Argument::V], Value::of_shape(shape))
        }
        // Derivatives and Hessian have the same arguments, because callers use them together.
        Some(Beside::Derivatives) => (arguments_of_derivatives(reads), Value::Derivatives(rows)),
        Some(Beside::Hessian) => {
            let size = Size::Known(2 * layout.velocities + layout.states + layout.inputs);
            (arguments_of_derivatives(reads), Value::Matrix(size, size))
        }
    }
}

fn list_frame_method(beside: Option<Beside>) -> (Vec<Argument>, Value) {
    let twist = Size::Known(TWIST);
    match beside {
        None => (vec![Argument::Q], Value::Pose),
        Some(Beside::Jacobian) => (vec![Argument::Q], Value::Matrix(twist, Size::N)),
        Some(_) => (vec![Argument::Q, Argument::V], Value::Vector(twist)),
    }
}

/// The arguments of an output whose text names symbols of these kinds: the shortest of (q), (q, v), (q, v, z) and
/// (q, v, z, u) that contains them.
fn arguments_of(kinds: Dependence) -> Vec<Argument> {
    if kinds.intersects(Dependence::INPUT) {
        vec![Argument::Q, Argument::V, Argument::States, Argument::U]
    } else if kinds.intersects(Dependence::STATE) {
        vec![Argument::Q, Argument::V, Argument::States]
    } else if kinds.intersects(Dependence::VELOCITY) {
        vec![Argument::Q, Argument::V]
    } else {
        vec![Argument::Q]
    }
}

/// The arguments of the derivatives of an output. They always include v.
fn arguments_of_derivatives(reads: Dependence) -> Vec<Argument> {
    arguments_of(reads.union(Dependence::VELOCITY))
}

/// The number of each item as the engine's output or output frame.
pub(crate) fn numbers<'a>(items: impl Iterator<Item = &'a OutputItem>) -> Vec<usize> {
    let (mut values, mut frames) = (0, 0);
    let number = |item: &OutputItem| {
        let next = match item.kind {
            OutputKind::Value { .. } => &mut values,
            OutputKind::Frame => &mut frames,
        };
        *next += 1;
        *next - 1
    };
    items.map(number).collect()
}

/// The quantities that a method of an output computes. `number` is the number of the engine's output or output frame.
pub(crate) fn content(
    item: &OutputItem,
    number: usize,
    beside: Option<Beside>,
    layout: &Layout,
) -> (Shell, Vec<Field>) {
    let name = item.name.unraw().to_string();
    match item.kind {
        OutputKind::Value { .. } => value_content(&name, number, beside, layout.states > 0),
        OutputKind::Frame => frame_content(&name, number, beside),
    }
}

fn value_content(
    name: &str,
    number: usize,
    beside: Option<Beside>,
    has_states: bool,
) -> (Shell, Vec<Field>) {
    let (quantity, symbol) = match beside {
        None => (Quantity::Output(number), name.to_owned()),
        Some(Beside::Jacobian) => (Quantity::OutputJacobian(number), format!("d{name}/dq")),
        Some(Beside::Velocity | Beside::Rate) => {
            (Quantity::OutputRate(number), format!("d{name}/dt"))
        }
        Some(Beside::Bias) => (Quantity::OutputBias(number), format!("{name}_bias")),
        Some(Beside::Hessian) => (Quantity::OutputHessian(number), "H".to_owned()),
        Some(Beside::Derivatives) => {
            let part = |by, quantity| field(by, quantity, format!("d{name}/d{by}"));
            let of_states = has_states.then(|| part("z", Quantity::OutputByStates(number)));
            let mut fields = vec![
                part("q", Quantity::OutputJacobian(number)),
                part("v", Quantity::OutputByVelocities(number)),
            ];
            fields.extend(of_states);
            fields.push(part("u", Quantity::OutputByInputs(number)));
            return (Shell::Struct("Derivatives"), fields);
        }
    };
    (Shell::None, vec![field("", quantity, symbol)])
}

fn frame_content(name: &str, number: usize, beside: Option<Beside>) -> (Shell, Vec<Field>) {
    let (quantity, symbol) = match beside {
        Some(Beside::Jacobian) => (Quantity::FrameJacobian(number), "J".to_owned()),
        Some(Beside::Bias) => (Quantity::FrameBias(number), format!("{name}_bias")),
        Some(_) => (Quantity::FrameVelocity(number), format!("{name}_velocity")),
        None => {
            let part = |name: &'static str, quantity| field(name, quantity, name.to_owned());
            let fields = [
                part("origin", Quantity::FrameOrigin(number)),
                part("rotation", Quantity::FrameRotation(number)),
            ];
            return (Shell::Struct("Pose"), fields.to_vec());
        }
    };
    (Shell::None, vec![field("", quantity, symbol)])
}

fn field(name: &'static str, quantity: Quantity, symbol: String) -> Field {
    Field {
        name,
        quantity,
        symbol,
    }
}

/// The doc sentence of a method of an output.
pub(crate) fn summary(item: &OutputItem, beside: Option<Beside>, layout: &Layout) -> String {
    let name = item.name.unraw();
    // The total time derivative as a function of v.
    let rate = if layout.time {
        "J v + (partial derivative by t)"
    } else {
        "J v"
    };
    let is_frame = item.kind == OutputKind::Frame;
    let Some(method) = beside else {
        return if is_frame {
            format!(
                "The pose of the frame `{name}` in the world: its origin, and the matrix whose columns \
                 are its axes."
            )
        } else {
            format!("The output `{name}`.")
        };
    };
    match method {
        Beside::Velocity => format!(
            "The velocity of the frame `{name}` in the world: that of its origin, then its angular \
             velocity."
        ),
        Beside::Jacobian if is_frame => {
            let moves = if layout.time {
                ", plus its velocity by t alone"
            } else {
                ""
            };
            format!("The Jacobian J of the frame `{name}`: `{name}_velocity` is J v{moves}.")
        }
        Beside::Jacobian => {
            format!("The Jacobian J = d{name}/dq of the output `{name}`, one row for each entry.")
        }
        Beside::Rate => format!("The rate d{name}/dt = {rate} of the output `{name}`."),
        Beside::Bias => {
            let rate = if is_frame { "velocity" } else { "rate" };
            format!(
                "The rate of `{name}_{rate}` at a = 0: along any motion its rate is J a + this bias, \
                 with J of `{name}_jacobian`."
            )
        }
        Beside::Derivatives => format!(
            "The derivatives of the output `{name}` by the displacement of q, by v and by u, one row \
             for each entry."
        ),
        Beside::Hessian => format!(
            "The Hessian H of the output `{name}` by the displacement of q, by v and by u, in this \
             order: symmetric. By q it is that of the value at `integrate(q, d)`, at d = 0."
        ),
    }
}
