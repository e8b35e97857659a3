//! Arguments and values of generated methods, as types and in words.

use lagrange_engine::Shape;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::text::Text;

/// The numbers and properties of a system that decide its signatures.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// m, the length of q.
    pub(crate) coordinates: usize,
    /// n, the length of v.
    pub(crate) velocities: usize,
    pub(crate) inputs: usize,
    pub(crate) constraints: usize,
    /// How many of the constraints are holonomic.
    pub(crate) holonomic: usize,
    /// Whether time is declared, so that every method takes it.
    pub(crate) time: bool,
    /// Whether the system is given by L itself, so that M may depend on the velocities.
    pub(crate) by_lagrangian: bool,
    /// Whether L is quadratic in the velocities, so that momenta determine them.
    pub(crate) quadratic: bool,
    /// Whether `coriolis_matrix` is there: short enough, or asked for.
    pub(crate) coriolis_matrix: bool,
}

/// An argument after `&self`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
    T,
    Q,
    V,
    /// The velocities where M depends on them, else nothing.
    MassV,
    U,
    A,
    /// Momenta.
    P,
    /// Weights of the accelerations.
    W,
    /// A displacement of the coordinates.
    D,
    Q0,
    Q1,
    /// The state y = [q; v].
    Y,
    StateArray,
    InputArray,
    RateArray,
    /// The acceleration and the multipliers.
    Motion,
}

/// A number of rows or columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Size {
    /// m
    Coordinates,
    /// n
    N,
    /// m + n
    State,
    Inputs,
    Constraints,
    Holonomic,
    /// Coordinates, velocities and multipliers: m + n + c.
    Full,
    Known(usize),
}

/// What a method returns, inside the `Result` of one that can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Nothing,
    Scalar,
    Vector(Size),
    Matrix(Size, Size),
    Pair(Size, Size),
    /// Two square matrices.
    Matrices(Size),
    Motion,
    /// The derivatives of a vector of this length.
    Derivatives(Size),
    /// Those of vectors of these lengths.
    DerivativePair(Size, Size),
    /// A and B.
    Linearization,
    /// The derivatives of a scalar.
    Gradient,
    Pose,
}

impl Layout {
    /// Whether a system that has a Coriolis matrix has no method for it.
    pub(crate) fn lacks_coriolis_matrix(&self) -> bool {
        !self.by_lagrangian && !self.coriolis_matrix
    }

    /// Those of the arguments that the system knows, with the time first if it is declared.
    pub(crate) fn arguments(&self, all: &[Argument]) -> Vec<Argument> {
        let time = self.time.then_some(Argument::T);
        let known = all.iter().filter_map(|argument| match argument {
            Argument::U | Argument::InputArray => (self.inputs > 0).then_some(*argument),
            Argument::MassV => self.by_lagrangian.then_some(Argument::V),
            other => Some(*other),
        });
        time.into_iter().chain(known).collect()
    }

    pub(crate) fn size(&self, size: Size) -> usize {
        match size {
            Size::Coordinates => self.coordinates,
            Size::N => self.velocities,
            Size::State => self.coordinates + self.velocities,
            Size::Inputs => self.inputs,
            Size::Constraints => self.constraints,
            Size::Holonomic => self.holonomic,
            Size::Full => self.coordinates + self.velocities + self.constraints,
            Size::Known(size) => size,
        }
    }

    /// `__rt::SVector<S, 2>`
    fn write(&self, generic: &str, sizes: &[Size], text: &mut Text) {
        text.push_str("__rt::");
        text.push_str(generic);
        text.push_str("<S");
        for size in sizes {
            text.push_number(b", ", self.size(*size));
        }
        text.push_str(">");
    }
}

impl Argument {
    /// Every name that an argument of a generated method may have.
    pub(crate) fn all_names() -> impl Iterator<Item = Ident> {
        let names = [
            "t", "q", "v", "u", "a", "p", "d", "q0", "q1", "y", "dy", "w", "motion", "l",
        ]
        .into_iter();
        names.map(|name| Ident::new(name, Span::call_site()))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::T => "t",
            Self::Q => "q",
            Self::V | Self::MassV => "v",
            Self::U | Self::InputArray => "u",
            Self::A => "a",
            Self::P => "p",
            Self::W => "w",
            Self::D => "d",
            Self::Q0 => "q0",
            Self::Q1 => "q1",
            Self::Y | Self::StateArray => "y",
            Self::RateArray => "dy",
            Self::Motion => "motion",
        }
    }

    /// Its name as tokens.
    pub(crate) fn tokens(self) -> TokenStream {
        let name = format_ident!("{}", self.name());
        quote!(#name)
    }

    fn size(self) -> Option<Size> {
        match self {
            Self::T | Self::Motion => None,
            Self::Q | Self::Q0 | Self::Q1 => Some(Size::Coordinates),
            Self::V | Self::MassV | Self::A | Self::P | Self::W | Self::D => Some(Size::N),
            Self::U | Self::InputArray => Some(Size::Inputs),
            Self::Y | Self::StateArray | Self::RateArray => Some(Size::State),
        }
    }

    /// `q: &__rt::SVector<S, 2>, `
    pub(super) fn declare(self, layout: &Layout, text: &mut Text) {
        text.push_str(self.name());
        match (self, self.size()) {
            (Self::Motion, _) => {
                text.push_str(": &");
                Value::Motion.write(layout, text);
            }
            (Self::StateArray | Self::InputArray, Some(size)) => {
                text.push_number(b": &[S; ", layout.size(size));
                text.push_str("]");
            }
            (Self::RateArray, Some(size)) => {
                text.push_number(b": &mut [S; ", layout.size(size));
                text.push_str("]");
            }
            (_, Some(size)) => {
                text.push_str(": &");
                layout.write("SVector", &[size], text);
            }
            (_, None) => text.push_str(": S"),
        }
        text.push_str(", ");
    }

    /// For the documentation: `q` (2 coordinates).
    pub(crate) fn in_words(self, layout: &Layout) -> String {
        let count = self.size().map_or(1, |size| layout.size(size));
        let plural = if count == 1 { "" } else { "s" };
        let what = match self {
            Self::T => return "`t` (time)".to_owned(),
            Self::Motion => return "`motion` (acceleration and multipliers)".to_owned(),
            Self::Q | Self::Q0 | Self::Q1 => format!("coordinate{plural}"),
            Self::D => format!("displacement{plural}"),
            Self::V | Self::MassV => format!("velocit{}", if count == 1 { "y" } else { "ies" }),
            Self::U | Self::InputArray => format!("input{plural}"),
            Self::A => format!("acceleration{plural}"),
            Self::P => format!("moment{}", if count == 1 { "um" } else { "a" }),
            Self::W => format!("weight{plural}"),
            Self::Y | Self::StateArray => "entries, [q; v]".to_owned(),
            Self::RateArray => "entries, [dq/dt; a]".to_owned(),
        };
        format!("`{}` ({count} {what})", self.name())
    }
}

impl Value {
    /// The value of an output.
    pub(crate) fn of_shape(shape: Shape) -> Self {
        match shape {
            Shape::Scalar => Self::Scalar,
            Shape::Vector(length) => Self::Vector(Size::Known(length)),
            Shape::Matrix(rows, columns) => Self::Matrix(Size::Known(rows), Size::Known(columns)),
        }
    }

    fn write(self, layout: &Layout, text: &mut Text) {
        let (n, inputs) = (Size::N, Size::Inputs);
        let pair = |[first, second]: [Self; 2], text: &mut Text| {
            text.push_str("(");
            first.write(layout, text);
            text.push_str(", ");
            second.write(layout, text);
            text.push_str(")");
        };
        match self {
            Self::Nothing => text.push_str("()"),
            Self::Scalar => text.push_str("S"),
            Self::Vector(size) => layout.write("SVector", &[size], text),
            Self::Matrix(rows, columns) => layout.write("SMatrix", &[rows, columns], text),
            Self::Pair(first, second) => pair([first, second].map(Self::Vector), text),
            Self::Matrices(size) => pair([Self::Matrix(size, size); 2], text),
            Self::Motion => layout.write("Motion", &[n, Size::Constraints], text),
            Self::Derivatives(rows) => layout.write("Derivatives", &[rows, n, inputs], text),
            Self::DerivativePair(first, second) => {
                pair([first, second].map(Self::Derivatives), text);
            }
            Self::Linearization => {
                let state = Size::Known(2 * layout.velocities);
                layout.write("Linearization", &[state, inputs], text);
            }
            Self::Gradient => layout.write("Gradient", &[n, inputs], text),
            Self::Pose => layout.write("Pose", &[], text),
        }
    }

    /// `__rt::SVector<S, 2>`, or a `Result` with it.
    pub(super) fn returned(self, fallible: bool, layout: &Layout) -> String {
        let mut text = Text::default();
        if fallible {
            text.push_str("__rt::core::result::Result<");
        }
        self.write(layout, &mut text);
        if fallible {
            text.push_str(", __rt::Error>");
        }
        text.finish()
    }

    /// For the documentation.
    pub(crate) fn in_words(self, layout: &Layout) -> String {
        let size = |size| layout.size(size);
        match self {
            Self::Nothing => "nothing".to_owned(),
            Self::Scalar => "a scalar".to_owned(),
            Self::Vector(length) => format!("a vector of {}", size(length)),
            Self::Matrix(rows, columns) => format!("a {} x {} matrix", size(rows), size(columns)),
            Self::Pair(first, second) => {
                format!("two vectors of {} and {}", size(first), size(second))
            }
            Self::Matrices(rows) => {
                let size = size(rows);
                format!("two {size} x {size} matrices")
            }
            Self::Derivatives(rows) => {
                let (rows, n, k) = (size(rows), layout.velocities, layout.inputs);
                format!("matrices of {rows} x {n} by q, {rows} x {n} by v and {rows} x {k} by u")
            }
            Self::DerivativePair(first, second) => {
                let of = |rows| Self::Derivatives(rows).in_words(layout);
                format!("of the first {}; of the second {}", of(first), of(second))
            }
            Self::Motion => format!(
                "the acceleration, a vector of {}, and the multipliers, a vector of {}",
                layout.velocities, layout.constraints
            ),
            Self::Linearization => {
                let (n2, k) = (2 * layout.velocities, layout.inputs);
                format!("A, a {n2} x {n2} matrix, and B, a {n2} x {k} matrix")
            }
            Self::Gradient => {
                let (n, k) = (layout.velocities, layout.inputs);
                format!("vectors of {n} by q, {n} by v and {k} by u")
            }
            Self::Pose => "the origin, a vector of 3, and the rotation, a 3 x 3 matrix".to_owned(),
        }
    }
}
