//! The checked declaration: names resolved, shapes known, every item with its span.
//!
//! The physics is in [`lagrange_engine::System`], which knows no tokens; this is the other half, what the
//! generated items need of the user's own tokens. Order links the two: the elements of the coordinates, one
//! after the other, are the engine's coordinates.

use lagrange_engine::{Dependence, Shape};
use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::{Attribute, Visibility};

use crate::errors::Code;
use crate::generated::Beside;
use crate::syntax::ast::{ConstraintKind, Options};

/// A declaration without mistakes.
pub(crate) struct Model {
    pub(crate) head: Head,
    /// Whether there is a `coriolis_matrix`: of a long one only where it is asked for.
    pub(crate) has_coriolis_matrix: bool,
    /// One for each of the system's outputs and one for each of its output frames, both in order of
    /// declaration.
    pub(crate) outputs: Vec<OutputItem>,
    /// The statements in order of declaration; each has one row or several of the system's constraints, which
    /// are in the same order.
    pub(crate) constraints: Vec<ConstraintItem>,
    /// One for each of the system's contacts, in the same order.
    pub(crate) contacts: Vec<ContactItem>,
    /// One for each of the system's regressors, in the same order.
    pub(crate) regressors: Vec<RegressorItem>,
    /// One for each of the system's symmetries, in the same order.
    pub(crate) symmetries: Vec<SymmetryItem>,
    /// Parameters, inputs and `let`s that nothing reads.
    pub(crate) unused: Vec<Unused>,
    pub(crate) warnings: Vec<Warning>,
}

/// The struct and its fields; known even when the statements have mistakes.
pub(crate) struct Head {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) options: Options,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) coordinates: Vec<Declared>,
    pub(crate) parameters: Vec<Declared>,
    pub(crate) inputs: Vec<Declared>,
    pub(crate) time: Option<Ident>,
    pub(crate) robots: Vec<RobotItem>,
}

/// A robot of the head, for the items that it becomes.
pub(crate) struct RobotItem {
    pub(crate) name: Ident,
    /// As written.
    pub(crate) path: String,
    /// Name and limits of each joint with coordinates: lower, upper, velocity, effort.
    pub(crate) joints: Vec<(String, [f64; 4])>,
    /// The unused parts of the file.
    pub(crate) notes: Vec<String>,
}

impl RobotItem {
    /// The constant of its joints, `ARM`.
    pub(crate) fn constant(&self) -> String {
        self.name.unraw().to_string().to_uppercase()
    }
}

/// A name of the head.
pub(crate) struct Declared {
    /// The token that declares it; of a robot's coordinates the name of the robot.
    pub(crate) name: Ident,
    /// The name of the coordinate of a statement or of a robot: `motor.angle`, `arm.elbow`.
    pub(crate) path: Option<String>,
    /// Its place in the robot's file, `arm.urdf:12:3`.
    pub(crate) file: Option<String>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) shape: Shape,
    /// A parameter's default, one value for each element.
    pub(crate) default: Option<Vec<f64>>,
    /// Of a coordinate: how it moves.
    pub(crate) velocity: Velocity,
}

/// The velocities of a coordinate, or of what has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Velocity {
    /// No coordinate.
    #[default]
    None,
    /// One for each element, from this number on among all velocities.
    Rates(usize),
    /// The three of a rotation, or of each of an array, from this number on.
    Rotation(usize),
}

/// A `pub let` or `pub frame`.
pub(crate) struct OutputItem {
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) kind: OutputKind,
}

/// What an output is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutputKind {
    /// A `pub let`.
    Value {
        /// What its text names: see `lower/reads.rs`.
        reads: Dependence,
        /// Whether the second derivatives of a scalar are asked for.
        hessian: bool,
    },
    /// A `pub frame`.
    Frame,
}

impl OutputItem {
    /// The methods beside that of the output itself; of a value whose shape is not known none.
    pub(crate) fn beside(&self, shape: Option<Shape>) -> Vec<Beside> {
        let has = |method: &&Beside| match self.kind {
            OutputKind::Value { reads, hessian } => {
                let hessian = hessian && shape == Some(Shape::Scalar);
                has_beside(reads, hessian, **method)
            }
            OutputKind::Frame => {
                matches!(method, Beside::Velocity | Beside::Jacobian | Beside::Bias)
            }
        };
        let is_known = self.kind == OutputKind::Frame || shape.is_some();
        if !is_known || matches!(shape, Some(Shape::Matrix(..))) {
            return Vec::new();
        }
        Beside::ALL.iter().filter(has).copied().collect()
    }
}

/// Whether a method is beside a scalar or vector whose text names these kinds of symbols, and whose
/// second derivatives may be asked for.
fn has_beside(reads: Dependence, hessian: bool, method: Beside) -> bool {
    let is_moving = reads.intersects(Dependence::VELOCITY.union(Dependence::INPUT));
    match method {
        Beside::Velocity => false,
        Beside::Jacobian | Beside::Rate | Beside::Bias => !is_moving,
        Beside::Derivatives => is_moving || hessian,
        Beside::Hessian => hessian,
    }
}

/// A `bundle`.
pub(crate) struct BundleItem {
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
    /// The names of methods and outputs, each with what it is as a value, if it is one.
    pub(crate) items: Vec<(Ident, Option<&'static str>)>,
}

/// An `export`.
pub(crate) struct ExportItem {
    pub(crate) language: Language,
    /// The names of methods, outputs, bundles and regressors, each with what it is as a value, if it is one.
    pub(crate) items: Vec<(Ident, Option<&'static str>)>,
}

/// A language that systems are exported to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    C99,
    Cuda,
    Wgsl,
}

impl Language {
    pub(crate) const ALL: [Self; 3] = [Self::C99, Self::Cuda, Self::Wgsl];

    /// What the statement calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::C99 => "c99",
            Self::Cuda => "cuda",
            Self::Wgsl => "wgsl",
        }
    }

    /// The constant that holds the text.
    pub(crate) fn constant(self) -> &'static str {
        match self {
            Self::C99 => "C99",
            Self::Cuda => "CUDA",
            Self::Wgsl => "WGSL",
        }
    }
}

/// A `regressor`.
pub(crate) struct RegressorItem {
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
    /// The parameters, as far as they are known.
    pub(crate) parameters: Vec<Listed>,
}

/// A parameter of a regressor.
pub(crate) struct Listed {
    pub(crate) name: Ident,
    /// The numbers of its elements among all parameters, and what they are called.
    pub(crate) numbers: Vec<u32>,
    pub(crate) elements: Vec<String>,
}

impl RegressorItem {
    /// The number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.parameters
            .iter()
            .map(|listed| listed.numbers.len())
            .sum()
    }
}

/// A `symmetry`.
pub(crate) struct SymmetryItem {
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
}

/// A `holonomic` or `nonholonomic` statement.
pub(crate) struct ConstraintItem {
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) kind: ConstraintKind,
    /// The number of scalar equations; after a mistake in them as many as it looks.
    pub(crate) rows: usize,
    /// The names of the rows of a `nonholonomic` that are integrable: holonomic in kind.
    pub(crate) integrable: Vec<String>,
}

/// A `contact`, in a loop that of one iteration.
pub(crate) struct ContactItem {
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
}

/// A name that nothing reads; rustc's own `unused_variables` lint reports it.
pub(crate) struct Unused {
    pub(crate) name: Ident,
    /// The attributes of its declaration, for `#[allow(unused_variables)]`.
    pub(crate) attributes: Vec<Attribute>,
}

/// A lint of ours, shown at the token.
pub(crate) struct Warning {
    pub(crate) span: Span,
    pub(crate) code: Code,
    /// What the lint is called, in the style of macros: `force_given_twice`.
    pub(crate) name: &'static str,
    pub(crate) message: String,
    /// The attributes of its statement, for `#[allow(..)]`.
    pub(crate) attributes: Vec<Attribute>,
}

impl Warning {
    /// What is shown: the message, and the number of its kind.
    pub(crate) fn text(&self) -> String {
        format!("{} [{}]", self.message, self.code)
    }

    /// The text that rustc shows, with the address of the entry of its kind.
    pub(crate) fn shown(&self) -> String {
        format!("{}\n{}", self.text(), self.code.address())
    }
}

impl Head {
    /// The number of generalized coordinates, counted by element.
    pub(crate) fn coordinate_count(&self) -> usize {
        count(&self.coordinates)
    }

    /// The number of velocities, counted by element.
    pub(crate) fn velocity_count(&self) -> usize {
        let lengths = self.coordinates.iter().map(|c| c.velocities().len());
        lengths.sum()
    }

    /// The number of inputs, counted by element.
    pub(crate) fn input_count(&self) -> usize {
        count(&self.inputs)
    }
}

impl Declared {
    /// Its name in constants and messages.
    pub(crate) fn text(&self) -> String {
        let name = || self.name.unraw().to_string();
        self.path.clone().unwrap_or_else(name)
    }

    /// The numbers of its velocities among all of them.
    pub(crate) fn velocities(&self) -> std::ops::Range<usize> {
        match self.velocity {
            Velocity::None => 0..0,
            Velocity::Rates(first) => first..first + self.shape.len(),
            Velocity::Rotation(first) => first..first + 3 * self.rotation_names().len(),
        }
    }

    /// What its velocities are called: `der(x)`, `der(r)[0]`, `der(att).x`.
    pub(crate) fn velocity_names(&self) -> Vec<String> {
        if matches!(self.velocity, Velocity::Rotation(_)) {
            let rates = |name: &String| ["x", "y", "z"].map(|part| format!("der({name}).{part}"));
            return self.rotation_names().iter().flat_map(rates).collect();
        }
        let name = self.text();
        let elements = self.element_names();
        let elements = elements.iter().take(self.velocities().len());
        elements
            .map(|element| format!("der({name}){}", &element[name.len()..]))
            .collect()
    }

    /// Of a rotation its name, of an array of them the names of all: `att[0]`..
    pub(crate) fn rotation_names(&self) -> Vec<String> {
        let name = self.text();
        match self.shape {
            Shape::Matrix(count, _) => (0..count).map(|i| format!("{name}[{i}]")).collect(),
            Shape::Scalar | Shape::Vector(_) => vec![name],
        }
    }

    /// Whether each of its velocities is an angular velocity.
    pub(crate) fn angular(&self) -> Vec<bool> {
        let is_rotation = matches!(self.velocity, Velocity::Rotation(_));
        vec![is_rotation; self.velocities().len()]
    }

    /// The names of its elements, row by row: `m`, or `r[0]`.., or `R[0, 0]`.., or of a rotation
    /// `att.x`..
    pub(crate) fn element_names(&self) -> Vec<String> {
        if matches!(self.velocity, Velocity::Rotation(_)) {
            let parts = |name: &String| ["x", "y", "z", "w"].map(|part| format!("{name}.{part}"));
            return self.rotation_names().iter().flat_map(parts).collect();
        }
        let name = self.text();
        let names = (0..self.shape.len()).map(|i| match self.shape {
            Shape::Scalar => name.clone(),
            Shape::Vector(_) => format!("{name}[{i}]"),
            Shape::Matrix(_, columns) => format!("{name}[{}, {}]", i / columns, i % columns),
        });
        names.collect()
    }
}

fn count(declared: &[Declared]) -> usize {
    declared.iter().map(|d| d.shape.len()).sum()
}

/// The names of all elements: `m`, `r[0]`, `R[0, 1]`.
pub(crate) fn element_names(declared: &[Declared]) -> Vec<String> {
    declared.iter().flat_map(Declared::element_names).collect()
}
