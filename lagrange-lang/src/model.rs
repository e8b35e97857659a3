//! The checked declaration, with resolved names, known shapes, and a span for every item.
//!
//! [`lagrange_engine::System`] contains the physics and no tokens. This model contains the user's tokens that the
//! generated items need. The two are linked by order: the elements of the coordinates, in sequence, are the engine's
//! coordinates.

use lagrange_engine::{Dependence, Identification, Names, Shape, Symbol};
use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::{Attribute, Visibility};

use crate::errors::Code;
use crate::generated::Beside;
use crate::methods::Reacting;
use crate::syntax::ast::{ConstraintKind, Options};

/// A declaration without mistakes.
pub(crate) struct Model {
    pub(crate) head: Head,
    /// True if there is a `coriolis_matrix`. A long one exists only if it is requested.
    pub(crate) has_coriolis_matrix: bool,
    /// The multipliers on which forces depend.
    pub(crate) reacting: Option<Reacting>,
    /// True if there are the methods for `midpoint_step`. Long ones exist only if they are requested.
    pub(crate) has_midpoint_step: bool,
    /// One item for each of the system's outputs and one for each of its output frames. Both are in order of
    /// declaration.
    pub(crate) outputs: Vec<OutputItem>,
    /// The statements in order of declaration. Each has one or more rows among the system's constraints, which have the
    /// same order.
    pub(crate) constraints: Vec<ConstraintItem>,
    /// One item for each of the system's contacts, in the same order.
    pub(crate) contacts: Vec<ContactItem>,
    /// One item for each of the system's regressors, in the same order.
    pub(crate) regressors: Vec<RegressorItem>,
    /// One item for each of the system's sensitivities, in the same order.
    pub(crate) sensitivities: Vec<SensitivityItem>,
    /// One item for each of the system's symmetries, in the same order.
    pub(crate) symmetries: Vec<SymmetryItem>,
    /// Parameters, inputs and `let`s that nothing reads.
    pub(crate) unused: Vec<Unused>,
    pub(crate) warnings: Vec<Warning>,
}

/// The struct and its fields. It is known even if the statements have mistakes.
pub(crate) struct Head {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) options: Options,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) coordinates: Vec<Declared>,
    pub(crate) parameters: Vec<Declared>,
    pub(crate) states: Vec<Declared>,
    pub(crate) inputs: Vec<Declared>,
    pub(crate) time: Option<Ident>,
    pub(crate) robots: Vec<RobotItem>,
    /// The paths of the files of data, as written.
    pub(crate) files: Vec<String>,
    /// The units of the names; nothing after mistakes.
    pub(crate) units: Units,
}

/// The unit of each name, in the order of the constant `UNITS`; `None` where nothing tells it.
pub(crate) type Units = Vec<(String, Option<String>)>;

impl Head {
    /// The unit of a name, if its label or the equations tell it.
    pub(crate) fn unit(&self, name: &str) -> Option<&str> {
        let (_, unit) = self.units.iter().find(|(of, _)| of == name)?;
        unit.as_deref()
    }

    /// ` [kg]`, or nothing.
    pub(crate) fn label(&self, name: &str) -> String {
        self.unit(name)
            .map_or_else(String::new, |unit| format!(" [{unit}]"))
    }
}

/// A robot of the head, with the data for its generated items.
pub(crate) struct RobotItem {
    pub(crate) name: Ident,
    /// The path as written.
    pub(crate) path: String,
    /// Whether the constant with its joints has a name of its own. Another name was reported.
    pub(crate) has_constant: bool,
    /// The name and the limits of each joint with coordinates: lower, upper, velocity, effort.
    pub(crate) joints: Vec<(String, [f64; 4])>,
    /// The unused parts of the file.
    pub(crate) notes: Vec<String>,
}

impl RobotItem {
    /// The name of the constant with its joints, `ARM`.
    pub(crate) fn constant(&self) -> String {
        self.name.unraw().to_string().to_uppercase()
    }
}

/// A name declared in the head.
pub(crate) struct Declared {
    /// The token that declares it. For a robot's coordinates it is the name of the robot.
    pub(crate) name: Ident,
    /// The full name of a coordinate from a statement or a robot: `motor.angle`, `arm.elbow`.
    pub(crate) path: Option<String>,
    /// Its place in the robot's file, `arm.urdf:12:3`.
    pub(crate) file: Option<String>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) shape: Shape,
    /// The default of a parameter, one value for each element.
    pub(crate) default: Option<Vec<f64>>,
    /// The velocities of a coordinate.
    pub(crate) velocity: Velocity,
}

/// The velocities that belong to a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Velocity {
    /// The name is not a coordinate.
    #[default]
    None,
    /// One velocity for each element. The number is the first index among all velocities.
    Rates(usize),
    /// The three velocities of a rotation, or of each rotation of an array. The number is the first index.
    Rotation(usize),
}

/// A `pub let` or `pub frame`.
pub(crate) struct OutputItem {
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) kind: OutputKind,
}

/// The kind of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutputKind {
    /// A `pub let`.
    Value {
        /// The kinds of symbols that its text names. See `lower/reads.rs`.
        reads: Dependence,
        /// True if the second derivatives of a scalar are requested.
        hessian: bool,
    },
    /// A `pub frame`.
    Frame,
}

impl OutputItem {
    /// The methods beside that of the output itself. A value of unknown shape has none.
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

/// True if the method exists beside a scalar or vector whose text names these kinds of symbols. `hessian` requests the
/// second derivatives.
fn has_beside(reads: Dependence, hessian: bool, method: Beside) -> bool {
    let moving = Dependence::VELOCITY
        .union(Dependence::STATE)
        .union(Dependence::INPUT);
    let is_moving = reads.intersects(moving);
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
    /// The names of methods and outputs. A name that denotes a value also has a description of that value.
    pub(crate) items: Vec<(Ident, Option<&'static str>)>,
}

/// An `export`.
pub(crate) struct ExportItem {
    pub(crate) language: Language,
    /// The names of methods, outputs, bundles, regressors and sensitivities. A name that denotes a value also has a description of
    /// that value.
    pub(crate) items: Vec<(Ident, Option<&'static str>)>,
}

/// A target language of exports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Language {
    /// C, which is C++ too.
    C99,
    /// CUDA.
    Cuda,
    /// The shading language of WebGPU.
    Wgsl,
    /// C99 with the external interface of CasADi.
    Casadi,
}

impl Language {
    pub(crate) const ALL: [Self; 4] = [Self::C99, Self::Cuda, Self::Wgsl, Self::Casadi];

    /// The name of the language in the statement.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::C99 => "c99",
            Self::Cuda => "cuda",
            Self::Wgsl => "wgsl",
            Self::Casadi => "casadi",
        }
    }

    /// The name of the constant with the text.
    pub(crate) fn constant(self) -> &'static str {
        match self {
            Self::C99 => "C99",
            Self::Cuda => "CUDA",
            Self::Wgsl => "WGSL",
            Self::Casadi => "CASADI",
        }
    }
}

/// A `regressor`.
pub(crate) struct RegressorItem {
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
    /// The known parameters.
    pub(crate) parameters: Vec<Listed>,
    /// The combinations that motions tell apart; `None` until the equations are known.
    pub(crate) identification: Option<Identification>,
}

/// A `sensitivity`.
pub(crate) struct SensitivityItem {
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
    /// The known parameters.
    pub(crate) parameters: Vec<Listed>,
    /// True for each column of zeros; empty until the equations are known.
    pub(crate) are_idle: Vec<bool>,
}

/// A parameter of a regressor or a sensitivity.
pub(crate) struct Listed {
    pub(crate) name: Ident,
    /// The indices of its elements among all parameters, and their names.
    pub(crate) numbers: Vec<u32>,
    pub(crate) elements: Vec<String>,
}

impl RegressorItem {
    /// The name of the constant with the number of combinations, `IDENTIFY_RANK`.
    pub(crate) fn constant(name: &Ident) -> String {
        format!("{}_RANK", name.unraw().to_string().to_uppercase())
    }

    /// The number of columns.
    pub(crate) fn columns(&self) -> usize {
        Listed::columns(&self.parameters)
    }
}

impl SensitivityItem {
    /// The number of columns.
    pub(crate) fn columns(&self) -> usize {
        Listed::columns(&self.parameters)
    }
}

impl Listed {
    /// The number of their columns.
    pub(crate) fn columns(all: &[Self]) -> usize {
        all.iter().map(|listed| listed.numbers.len()).sum()
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
    /// The number of scalar equations. After a mistake it is estimated.
    pub(crate) rows: usize,
    /// The names of the rows of a `nonholonomic` that are integrable and thus holonomic.
    pub(crate) integrable: Vec<String>,
}

/// A `contact`. In a loop it is the contact of one iteration.
pub(crate) struct ContactItem {
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
    /// The number of its sliding velocities.
    pub(crate) slips: usize,
}

/// A name that nothing reads. rustc's own lint `unused_variables` reports it.
pub(crate) struct Unused {
    pub(crate) name: Ident,
    /// The attributes of its declaration, for `#[allow(unused_variables)]`.
    pub(crate) attributes: Vec<Attribute>,
}

/// A warning of the macro, shown at the token.
pub(crate) struct Warning {
    pub(crate) span: Span,
    pub(crate) code: Code,
    /// The name of the lint, in the style of macros: `force_given_twice`.
    pub(crate) name: &'static str,
    pub(crate) message: String,
    /// The attributes of its statement, for `#[allow(..)]`.
    pub(crate) attributes: Vec<Attribute>,
}

impl Warning {
    /// The message and the number of its kind.
    pub(crate) fn text(&self) -> String {
        format!("{} [{}]", self.message, self.code)
    }

    /// The text that rustc shows, with the address of the page entry for its kind.
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
        self.coordinates.iter().map(|c| c.velocities().len()).sum()
    }

    /// The number of states, counted by element.
    pub(crate) fn state_count(&self) -> usize {
        count(&self.states)
    }

    /// The number of inputs, counted by element.
    pub(crate) fn input_count(&self) -> usize {
        count(&self.inputs)
    }
}

impl Declared {
    /// The name in constants and messages.
    pub(crate) fn text(&self) -> String {
        let name = || self.name.unraw().to_string();
        self.path.clone().unwrap_or_else(name)
    }

    /// The indices of its velocities among all velocities.
    pub(crate) fn velocities(&self) -> std::ops::Range<usize> {
        match self.velocity {
            Velocity::None => 0..0,
            Velocity::Rates(first) => first..first + self.shape.len(),
            Velocity::Rotation(first) => first..first + 3 * self.rotation_names().len(),
        }
    }

    /// The names of its velocities: `der(x)`, `der(r)[0]`, `der(att).x`.
    pub(crate) fn velocity_names(&self) -> Vec<String> {
        if matches!(self.velocity, Velocity::Rotation(_)) {
            let rates = |name: &String| ["x", "y", "z"].map(|part| format!("der({name}).{part}"));
            return self.rotation_names().iter().flat_map(rates).collect();
        }
        let name = self.text();
        let elements = self.element_names();
        elements
            .iter()
            .take(self.velocities().len())
            .map(|element| format!("der({name}){}", &element[name.len()..]))
            .collect()
    }

    /// The name of a rotation, or the names of all rotations in an array: `att[0]`..
    pub(crate) fn rotation_names(&self) -> Vec<String> {
        let name = self.text();
        match self.shape {
            Shape::Matrix(count, _) => (0..count).map(|i| format!("{name}[{i}]")).collect(),
            Shape::Scalar | Shape::Vector(_) => vec![name],
        }
    }

    /// For each velocity, true if it is an angular velocity.
    pub(crate) fn angular(&self) -> Vec<bool> {
        let is_rotation = matches!(self.velocity, Velocity::Rotation(_));
        vec![is_rotation; self.velocities().len()]
    }

    /// The names of its elements, row by row: `m`, or `r[0]`.., or `R[0, 0]`.. For a rotation: `att.x`..
    pub(crate) fn element_names(&self) -> Vec<String> {
        if matches!(self.velocity, Velocity::Rotation(_)) {
            let parts = |name: &String| ["x", "y", "z", "w"].map(|part| format!("{name}.{part}"));
            return self.rotation_names().iter().flat_map(parts).collect();
        }
        let name = self.text();
        (0..self.shape.len())
            .map(|i| match self.shape {
                Shape::Scalar => name.clone(),
                Shape::Vector(_) => format!("{name}[{i}]"),
                Shape::Matrix(_, columns) => format!("{name}[{}, {}]", i / columns, i % columns),
            })
            .collect()
    }
}

fn count(declared: &[Declared]) -> usize {
    declared.iter().map(|d| d.shape.len()).sum()
}

/// The names of all elements: `m`, `r[0]`, `R[0, 1]`.
pub(crate) fn element_names(declared: &[Declared]) -> Vec<String> {
    declared.iter().flat_map(Declared::element_names).collect()
}

/// A symbol in the notation of the language.
pub(crate) fn symbol_name(names: &Names, symbol: Symbol) -> String {
    let name_of = |names: &[String], i: u32| names.get(i as usize).cloned();
    let name = match symbol {
        Symbol::Coordinate(i) => name_of(&names.coordinates, i),
        Symbol::Velocity(i) => name_of(&names.velocities(), i),
        Symbol::Acceleration(i) => {
            name_of(&names.velocities(), i).map(|rate| format!("der({rate})"))
        }
        Symbol::Parameter(i) => name_of(&names.parameters, i),
        Symbol::State(i) => name_of(&names.states, i),
        Symbol::StateRate(i) => name_of(&names.states, i).map(|state| format!("der({state})")),
        Symbol::Input(i) => name_of(&names.inputs, i),
        Symbol::Time => names.time.clone(),
        Symbol::Multiplier(_) | Symbol::Momentum(_) | Symbol::Weight(_) => None,
    };
    name.unwrap_or_default()
}
