//! Arguments and values of generated methods, and their sizes.

use lagrange_engine::{Shape, System};

/// The sizes and properties of a system that determine its signatures.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// m, the length of q.
    pub(crate) coordinates: usize,
    /// n, the length of v.
    pub(crate) velocities: usize,
    /// The number of states of first order, the length of z.
    pub(crate) states: usize,
    pub(crate) inputs: usize,
    pub(crate) constraints: usize,
    /// The number of holonomic constraints.
    pub(crate) holonomic: usize,
    /// P, the number of contacts.
    pub(crate) contacts: usize,
    /// The number of sliding velocities of each contact.
    pub(crate) slips: Vec<usize>,
    /// The velocities of the joints with dry friction that sticks.
    pub(crate) dry_joints: Vec<usize>,
    /// True if time is declared. Then methods take it.
    pub(crate) time: bool,
    /// True if the system is given by L. Then M may depend on the velocities.
    pub(crate) by_lagrangian: bool,
    /// True if L is quadratic in the velocities. Then momenta determine the velocities.
    pub(crate) quadratic: bool,
    /// True if the method `coriolis_matrix` exists, because it is short enough or requested.
    pub(crate) coriolis_matrix: bool,
    /// True if the second derivatives of accelerations are requested.
    pub(crate) hessian: bool,
    /// True if the methods for `midpoint_step` exist, because the energies are short enough or it is requested.
    pub(crate) midpoint_step: bool,
    /// True if rows of constraints and contacts may depend on each other.
    pub(crate) redundant: bool,
    /// The multipliers on which forces depend, if there are any.
    pub(crate) reacting: Option<Reacting>,
    /// The rank of J at a general state on the constraints.
    pub(crate) rank_on_constraints: usize,
}

/// The multipliers on which forces depend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reacting {
    /// True if they include multipliers of constraints.
    pub(crate) constraints: bool,
}

impl Reacting {
    /// Those of a system; nothing if no force depends on a multiplier.
    pub(crate) fn of(system: &System) -> Option<Self> {
        let columns = &system.multiplier_forces;
        let mut entries = columns.get(..system.constraints.len())?.iter().flatten();
        (!columns.is_empty()).then(|| Self {
            constraints: entries.any(|entry| !system.graph.is_zero(*entry)),
        })
    }
}

/// An argument after `&self`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
    T,
    Q,
    V,
    /// The velocities if M depends on them, otherwise no argument.
    MassV,
    /// The states of first order, if there are any.
    States,
    U,
    /// The velocities if the matrix of the first-order form depends on them, through M or through forces by
    /// multipliers; otherwise no argument.
    FullV,
    /// The states if the matrix of the first-order form depends on them, otherwise no argument.
    FullStates,
    /// The inputs if the matrix of the first-order form depends on them, otherwise no argument.
    FullU,
    A,
    /// Momenta.
    P,
    /// Weights of the accelerations, or of the momenta.
    W,
    /// Weights of forces.
    Z,
    /// A displacement of the coordinates.
    D,
    Q0,
    Q1,
    /// The state y = [q; v; z].
    Y,
    StateArray,
    InputArray,
    RateArray,
    /// The acceleration and the multipliers.
    Motion,
    /// The active contacts.
    Active,
    /// The coefficients of restitution of the contacts.
    Restitution,
}

/// A number of rows or columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Size {
    /// m
    Coordinates,
    /// n
    N,
    /// m + n + the number of states of first order
    State,
    /// States of first order.
    States,
    Inputs,
    Constraints,
    Holonomic,
    Contacts,
    /// M, joints with dry friction that sticks.
    DryJoints,
    /// c + P
    Multipliers,
    /// Coordinates, velocities and multipliers: m + n + c.
    Full,
    /// Displacements, velocities, states of first order and inputs: 2n + nz + k.
    Variables,
    Known(usize),
}

/// The value of a method. For a method that can fail, it is the value inside the `Result`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Nothing,
    Scalar,
    Vector(Size),
    Matrix(Size, Size),
    Pair(Size, Size),
    /// Two square matrices.
    Matrices(Size),
    /// J and J_c.
    TouchingRows,
    Motion,
    /// The acceleration, the multipliers and the rank of J.
    RedundantMotion,
    /// The acceleration, the multipliers and the contact forces.
    ActiveMotion,
    /// The velocity after an impact, and the impulses.
    Impact,
    /// Two vectors of the same length, as an array.
    Vectors(Size),
    /// Two matrices of the same size, as an array.
    TwoMatrices(Size, Size),
    /// The terms of friction and restitution.
    FrictionTerms,
    /// The motion whose contacts have found their modes.
    Resolved,
    /// The derivatives of a vector of this length.
    Derivatives(Size),
    /// The derivatives of vectors of these lengths.
    DerivativePair(Size, Size),
    /// A and B.
    Linearization,
    /// A and B on independent displacements, and their basis.
    ReducedLinearization,
    /// The derivatives of a scalar.
    Gradient,
    /// The terms of the variational midpoint rule.
    MidpointTerms,
    Pose,
}

impl Layout {
    /// True if rows of J may depend on each other.
    pub(crate) fn has_redundant_rows(&self) -> bool {
        self.redundant && self.constraints > 0
    }

    /// True if the system has the terms of friction: for contacts, or for joints with dry friction that sticks.
    pub(crate) fn has_friction(&self) -> bool {
        let has_any = self.contacts > 0 || !self.dry_joints.is_empty();
        has_any && self.states == 0 && self.reacting.is_none()
    }

    /// True if a system has a Coriolis matrix but no method for it.
    pub(crate) fn lacks_coriolis_matrix(&self) -> bool {
        !self.by_lagrangian && !self.coriolis_matrix
    }

    /// True if forces depend on multipliers of constraints, so that these solve other equations.
    pub(crate) fn reacts(&self) -> bool {
        self.reacting.is_some_and(|reacting| reacting.constraints)
    }

    /// The number of degrees of freedom at a general state on the constraints.
    pub(crate) fn degrees(&self) -> usize {
        self.velocities.saturating_sub(self.rank_on_constraints)
    }

    /// The arguments that the system has. The time comes first if it is declared, whether the list has it or not.
    pub(crate) fn arguments(&self, listed: &[Argument]) -> Vec<Argument> {
        let time = self.time.then_some(Argument::T);
        let arguments = listed.iter().filter_map(|argument| match argument {
            Argument::States => (self.states > 0).then_some(*argument),
            Argument::T => None,
            Argument::U | Argument::InputArray => (self.inputs > 0).then_some(*argument),
            Argument::MassV => self.by_lagrangian.then_some(Argument::V),
            Argument::FullV => (self.by_lagrangian || self.reacts()).then_some(Argument::V),
            Argument::FullStates => (self.states > 0 && self.reacts()).then_some(Argument::States),
            Argument::FullU => (self.inputs > 0 && self.reacts()).then_some(Argument::U),
            other => Some(*other),
        });
        time.into_iter().chain(arguments).collect()
    }

    pub(crate) fn size(&self, size: Size) -> usize {
        match size {
            Size::Coordinates => self.coordinates,
            Size::N => self.velocities,
            Size::State => self.coordinates + self.velocities + self.states,
            Size::States => self.states,
            Size::Inputs => self.inputs,
            Size::Constraints => self.constraints,
            Size::Holonomic => self.holonomic,
            Size::Contacts => self.contacts,
            Size::DryJoints => self.dry_joints.len(),
            Size::Multipliers => self.constraints + self.contacts,
            Size::Full => self.coordinates + self.velocities + self.constraints,
            Size::Variables => 2 * self.velocities + self.states + self.inputs,
            Size::Known(size) => size,
        }
    }
}

impl Argument {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::T => "t",
            Self::Q => "q",
            Self::V | Self::MassV | Self::FullV => "v",
            Self::States | Self::FullStates => "z",
            Self::U | Self::FullU | Self::InputArray => "u",
            Self::A => "a",
            Self::P => "p",
            Self::W => "w",
            Self::Z => "z",
            Self::D => "d",
            Self::Q0 => "q0",
            Self::Q1 => "q1",
            Self::Y | Self::StateArray => "y",
            Self::RateArray => "dy",
            Self::Motion => "motion",
            Self::Active => "active",
            Self::Restitution => "restitution",
        }
    }

    /// The number of entries. `None` for the time and for the motion.
    pub(crate) fn size(self) -> Option<Size> {
        match self {
            Self::T | Self::Motion => None,
            Self::Q | Self::Q0 | Self::Q1 => Some(Size::Coordinates),
            Self::V
            | Self::MassV
            | Self::FullV
            | Self::A
            | Self::P
            | Self::W
            | Self::Z
            | Self::D => Some(Size::N),
            Self::States | Self::FullStates => Some(Size::States),
            Self::U | Self::FullU | Self::InputArray => Some(Size::Inputs),
            Self::Active | Self::Restitution => Some(Size::Contacts),
            Self::Y | Self::StateArray | Self::RateArray => Some(Size::State),
        }
    }

    /// The argument in words for the documentation: `q` (2 coordinates).
    pub(crate) fn in_words(self, layout: &Layout) -> String {
        let count = self.size().map_or(1, |size| layout.size(size));
        let plural = if count == 1 { "" } else { "s" };
        let what = match self {
            Self::T => return "`t` (time)".to_owned(),
            Self::Motion => return "`motion` (acceleration and multipliers)".to_owned(),
            Self::Q | Self::Q0 | Self::Q1 => format!("coordinate{plural}"),
            Self::Active => format!("flag{plural}: whether the contact is closed"),
            Self::Restitution => format!("coefficient{plural} e"),
            Self::D => format!("displacement{plural}"),
            Self::V | Self::MassV | Self::FullV => {
                format!("velocit{}", if count == 1 { "y" } else { "ies" })
            }
            Self::States | Self::FullStates => format!("state{plural}"),
            Self::U | Self::FullU | Self::InputArray => format!("input{plural}"),
            Self::A => format!("acceleration{plural}"),
            Self::P => format!("moment{}", if count == 1 { "um" } else { "a" }),
            Self::W | Self::Z => format!("weight{plural}"),
            Self::Y | Self::StateArray if layout.states > 0 => "entries, [q; v; z]".to_owned(),
            Self::Y | Self::StateArray => "entries, [q; v]".to_owned(),
            Self::RateArray if layout.states > 0 => "entries, [dq/dt; a; dz/dt]".to_owned(),
            Self::RateArray => "entries, [dq/dt; a]".to_owned(),
        };
        format!("`{}` ({count} {what})", self.name())
    }
}

impl Value {
    /// The value of an output of this shape.
    pub(crate) fn of_shape(shape: Shape) -> Self {
        match shape {
            Shape::Scalar => Self::Scalar,
            Shape::Vector(length) => Self::Vector(Size::Known(length)),
            Shape::Matrix(rows, columns) => Self::Matrix(Size::Known(rows), Size::Known(columns)),
        }
    }

    /// The value in words for the documentation.
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
            Self::TouchingRows => "J and J_c".to_owned(),
            Self::Vectors(length) => format!("two vectors of {}", size(length)),
            Self::TwoMatrices(rows, columns) => {
                format!("two {} x {} matrices", size(rows), size(columns))
            }
            Self::Resolved => format!(
                "the acceleration, a vector of {}, the multipliers, a vector of {}, and forces and modes of {} contacts \
                 and {} dry joints",
                layout.velocities,
                layout.constraints,
                layout.contacts,
                layout.dry_joints.len()
            ),
            Self::FrictionTerms => {
                let (n, p, m) = (layout.velocities, layout.contacts, layout.dry_joints.len());
                format!(
                    "vectors of {p} for the contacts, {p} x {n} matrices of their sliding velocities, and a vector of \
                     {m} for the joints"
                )
            }
            Self::Derivatives(rows) => {
                let (rows, n, k) = (size(rows), layout.velocities, layout.inputs);
                match layout.states {
                    0 => format!(
                        "matrices of {rows} x {n} by q, {rows} x {n} by v and {rows} x {k} by u"
                    ),
                    z => format!(
                        "matrices of {rows} x {n} by q, {rows} x {n} by v, {rows} x {z} by z and {rows} x {k} by u"
                    ),
                }
            }
            Self::DerivativePair(first, second) => {
                let of = |rows| Self::Derivatives(rows).in_words(layout);
                format!("of the first {}; of the second {}", of(first), of(second))
            }
            Self::Motion => format!(
                "the acceleration, a vector of {}, and the multipliers, a vector of {}",
                layout.velocities, layout.constraints
            ),
            Self::RedundantMotion => format!(
                "the acceleration, a vector of {}, the multipliers, a vector of {}, and the rank of J",
                layout.velocities, layout.constraints
            ),
            Self::ActiveMotion => format!(
                "the acceleration, a vector of {}, the multipliers, a vector of {}, and the forces of the \
                 contacts, a vector of {}",
                layout.velocities, layout.constraints, layout.contacts
            ),
            Self::Impact => format!(
                "the velocity, a vector of {}, and the impulses of the constraints, a vector of {}, and of \
                 the contacts, a vector of {}",
                layout.velocities, layout.constraints, layout.contacts
            ),
            Self::Linearization => {
                let (n2, k) = (2 * layout.velocities + layout.states, layout.inputs);
                format!("A, a {n2} x {n2} matrix, and B, a {n2} x {k} matrix")
            }
            Self::ReducedLinearization => {
                let (n, r, k) = (layout.velocities, layout.degrees(), layout.inputs);
                let r2 = 2 * r + layout.states;
                format!(
                    "A, a {r2} x {r2} matrix, B, a {r2} x {k} matrix, and Z, a {n} x {r} matrix"
                )
            }
            Self::Gradient => {
                let (n, k) = (layout.velocities, layout.inputs);
                match layout.states {
                    0 => format!("vectors of {n} by q, {n} by v and {k} by u"),
                    z => format!("vectors of {n} by q, {n} by v, {z} by z and {k} by u"),
                }
            }
            Self::MidpointTerms => {
                let n = layout.velocities;
                format!("p and F, vectors of {n}, and their bounds, vectors of {n}")
            }
            Self::Pose => "the origin, a vector of 3, and the rotation, a 3 x 3 matrix".to_owned(),
        }
    }
}
