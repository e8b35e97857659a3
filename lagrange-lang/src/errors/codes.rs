//! The kinds of mistakes and warnings. Each has the number of its entry in `docs/errors.md`. The entry has the same
//! title, which a test compares.
//!
//! An assigned number keeps its meaning. A message of a new kind takes the next free number of its group: forms, names,
//! shapes and numbers, mechanics, constraints, budgets, warnings.

use std::fmt;

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal;)*) => {
        /// The kind of mistake that a message reports.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            fn number(self) -> u16 {
                match self {
                    $(Self::$name => $number,)*
                }
            }

            /// The title of its entry.
            pub(crate) fn title(self) -> &'static str {
                match self {
                    $(Self::$name => $title,)*
                }
            }
        }

        #[cfg(test)]
        pub(crate) const ALL: &[Code] = &[$(Code::$name,)*];
    };
}

codes! {
    // Form of a declaration.
    NotAStruct = 1, "a declaration that does not begin with a struct";
    FieldForm = 2, "a field without its name or its role";
    UnknownRole = 3, "unknown role";
    SizeForm = 4, "a size or default in a wrong form";
    MissingMark = 10, "a mark is missing";
    Unexpected = 11, "something else belongs here";
    UnknownStatement = 12, "unknown statement";
    NoStatement = 13, "an expression in the place of a statement";
    LetForm = 14, "a `let` in a wrong form";
    MissingName = 15, "a statement with a missing or surplus name";
    MethodPlace = 16, "a method that is declared in a wrong place";
    EquationForm = 17, "a constraint or contact in a wrong form";
    RangeForm = 18, "a range in a wrong form";
    Condition = 19, "a condition in a wrong form";
    ForeignOperator = 20, "no operator of the language";
    FunctionForm = 21, "a function without its parentheses";
    RustForm = 22, "forms of Rust that are not here";
    Unit = 23, "a unit after a number";
    Number = 24, "no number";
    Comment = 25, "a comment in a wrong form";
    LineEnds = 26, "a line that ends too early";
    Doubled = 27, "a word that is there twice";
    SideBySide = 28, "values side by side";
    AnotherMark = 29, "another mark belongs here";
    Attribute = 30, "an attribute in a wrong place";
    DerivedDefault = 31, "a derived `Default`";
    Hessian = 32, "a Hessian that cannot be requested";

    // Names.
    UnknownName = 101, "unknown name";
    UnknownFunction = 102, "unknown function";
    UnknownFrame = 103, "unknown frame or rotation";
    UnknownMember = 104, "no such component or method";
    WrongRole = 105, "a name of another role";
    BlockField = 106, "a wrong or missing field of a block";
    ReservedName = 107, "a reserved name";
    DuplicateName = 108, "duplicate name";
    OutputName = 109, "an output that is called like a method";
    OutOfSight = 110, "a name before or after its place";
    NotAssignable = 111, "nothing can be assigned to this";
    EnergyRead = 112, "an energy that is read";
    NotAValue = 113, "a frame or rotation in the place of a value";
    NotAFrame = 114, "a value in the place of a frame";
    NotAFunction = 115, "a value that is called";
    ArgumentCount = 116, "a wrong number of arguments";
    Listed = 117, "a wrong item of a bundle or a regressor";
    Recursion = 118, "a function that calls itself";
    Export = 119, "a wrong language or item of an export";

    // Shapes and numbers.
    OperatorShapes = 201, "operands whose shapes do not fit";
    NoSuchOperation = 202, "division by a vector or matrix, or a power of one";
    WrongShape = 203, "a value of a wrong shape";
    RotateArguments = 204, "a rotation of a frame in a wrong form";
    UnequalShapes = 205, "values that should have one shape";
    ForceShapes = 206, "a force and its point or body";
    IndexOutOfBounds = 207, "index out of bounds";
    IndexCount = 208, "a wrong number of indices";
    ConstantInteger = 209, "a value that is no constant integer";
    EmptyRange = 210, "an empty range";
    DefaultValue = 211, "a default that is no number";
    ArraySize = 212, "a size that no array has";
    Points = 213, "points that no curve goes through";
    DataFile = 214, "a file of data that cannot be read";
    DivisionByZero = 220, "division by zero";
    OutsideDomain = 221, "no value here";
    Overflow = 222, "beyond every number";

    // Mechanics.
    NoCoordinate = 301, "a system without a coordinate";
    NoKineticEnergy = 302, "the kinetic energy is missing";
    StillEnergy = 303, "a kinetic energy without a velocity";
    RateOfSquare = 304, "the derivative of a square";
    DeclaredVelocity = 305, "a velocity that is declared";
    NotQuadratic = 306, "a kinetic energy that is not quadratic";
    TwoLagrangians = 307, "a Lagrangian beside energies";
    GivenTwice = 308, "an energy or a force that is given twice";
    ForceTarget = 309, "a generalized force on something else than a coordinate";
    Acceleration = 310, "an acceleration in a declaration";
    RateOfInput = 311, "a derivative of an input";
    MisplacedInput = 312, "an input where none may be";
    MisplacedVelocity = 313, "a velocity where none may be";
    IdleCoordinate = 314, "nothing depends on a coordinate";
    NoInertia = 315, "a coordinate without inertia";
    SingularEquations = 316, "equations that are singular everywhere";
    MasslessBody = 317, "a body that should have a mass or an inertia";
    Nonlinear = 318, "a parameter that enters nonlinearly";
    NoSymmetry = 319, "a direction that is no symmetry";
    Actuator = 320, "an actuator that lacks something";
    Multiplier = 321, "a multiplier where none may be";
    MisplacedState = 322, "a state where none may be";
    NoRate = 323, "a state without a rate";
    RateTwice = 324, "a rate that is given twice";
    RateCircle = 325, "a rate that needs itself";
    RateTarget = 326, "a rate of something else than a state";
    JumpingForce = 327, "a force that would jump";
    Friction = 328, "a wrong friction or restitution";

    // Constraints.
    RestrictsNothing = 401, "a constraint that restricts nothing";
    Contradictory = 402, "a constraint that cannot hold";
    VelocityInHolonomic = 403, "a velocity in a `holonomic` constraint";
    NoVelocityInNonholonomic = 404, "a `nonholonomic` constraint without a velocity";
    NotAffine = 405, "not affine in the velocities";
    Dependent = 406, "a constraint that others imply";
    DerivativeOfAnother = 407, "the derivative of another constraint";
    Surplus = 408, "more constraints than coordinates";

    // Budgets.
    TooDeep = 501, "nested too deep";
    TooManyIterations = 502, "a loop that is too long";
    TooLarge = 503, "a system that is too large";
    TooMany = 504, "more elements than a system may have";
    MoreMistakes = 505, "more mistakes than are shown";

    // Robots.
    RobotFile = 601, "a robot file that cannot be read";
    RobotTree = 602, "links and joints that are no tree";
    RobotOption = 603, "a wrong file or option of a robot";
    RobotName = 604, "no such link or joint";
    RobotJoint = 605, "a joint that has no coordinate of its own";
    RobotPlace = 606, "a robot that cannot be placed there";

    // Units.
    UnitForm = 701, "a unit that is not one";
    UnitsDisagree = 702, "units that do not agree";

    // Warnings.
    ForceTwice = 901, "a force in V and as Q";
    WeightTwice = 902, "a weight by gravity and in V";
    GravityAlone = 903, "gravity without a body";
    IdleForce = 904, "a force or torque without effect";
    IdleLink = 905, "a spring or damper without effect";
    IdleTerm = 906, "a term from which no force follows";
    BodyAlone = 907, "a body without mass and inertia";
    ImpossibleBody = 908, "constants that no body has";
    Degrees = 909, "an angle in degrees";
    FlatConstraint = 910, "a constraint without a gradient";
    Integrable = 911, "a `nonholonomic` constraint that is integrable";
    PassingForce = 912, "a force at a point that moves over a body";
    WeightSign = 913, "a weight of the wrong sign beside gravity";
    DampingTwice = 914, "a damping by a damper and in D";
    NegativeCoefficient = 915, "a negative stiffness or damping";
    KinkedForce = 916, "a force whose derivative jumps";
    UnseenParameter = 917, "a parameter that no motion shows";
    ImpossibleLink = 951, "a link that no body is like";
    FrictionLeftOut = 952, "friction of a robot file that is left out";
    NearRightAngle = 953, "an angle near a right angle";
}

/// The address of the error page in the documentation of the facade.
const PAGE: &str = "https://docs.rs/lagrangian/latest/lagrangian/errors/index.html";

impl Code {
    /// The address of its entry. Markdown makes the anchor of a heading from its letters, digits and hyphens in lower
    /// case, with hyphens for spaces.
    pub(crate) fn address(self) -> String {
        let heading = format!("{self} {}", self.title()).to_lowercase();
        let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let anchor: String = heading.chars().filter(is_kept).collect();
        format!("{PAGE}#{}", anchor.replace(' ', "-"))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "L{:03}", self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ascend_so_that_none_is_given_twice() {
        for pair in ALL.windows(2) {
            let &[before, after] = pair else {
                continue;
            };
            assert!(before.number() < after.number(), "{before} {after}");
        }
    }
}
