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
    NotAStruct = 1, "a declaration begins with a struct";
    FieldForm = 2, "a field is a name and a role";
    UnknownRole = 3, "unknown role";
    SizeForm = 4, "sizes and defaults of fields";
    MissingMark = 10, "a mark is missing";
    Unexpected = 11, "something else belongs here";
    UnknownStatement = 12, "unknown statement";
    NoStatement = 13, "an expression alone is no statement";
    LetForm = 14, "a name, an equals sign, a value";
    MissingName = 15, "which statements have names";
    MethodPlace = 16, "items that become methods";
    EquationForm = 17, "a constraint is one equation";
    RangeForm = 18, "ranges";
    Condition = 19, "conditions";
    ForeignOperator = 20, "no operator of the language";
    FunctionForm = 21, "a function without its parentheses";
    RustForm = 22, "forms of Rust that are not here";
    Unit = 23, "units after numbers";
    Number = 24, "no number";
    Comment = 25, "comments";
    LineEnds = 26, "a line that ends too early";
    Doubled = 27, "a word that is there twice";
    SideBySide = 28, "values side by side";
    AnotherMark = 29, "another mark belongs here";
    Attribute = 30, "attributes";
    DerivedDefault = 31, "a derived `Default`";
    Hessian = 32, "where a Hessian can be requested";

    // Names.
    UnknownName = 101, "unknown name";
    UnknownFunction = 102, "unknown function";
    UnknownFrame = 103, "unknown frame or rotation";
    UnknownMember = 104, "no such component or method";
    WrongRole = 105, "a name of another role";
    BlockField = 106, "the fields of a block";
    ReservedName = 107, "reserved words";
    DuplicateName = 108, "duplicate name";
    OutputName = 109, "an output that is called like a method";
    OutOfSight = 110, "a name before or after its place";
    NotAssignable = 111, "nothing can be assigned to this";
    EnergyRead = 112, "energies cannot be read";
    NotAValue = 113, "a frame or rotation is no value";
    NotAFrame = 114, "a value is no frame";
    NotAFunction = 115, "a value is no function";
    ArgumentCount = 116, "the number of arguments";
    Listed = 117, "the items of a bundle or a regressor";
    Recursion = 118, "a function that calls itself";
    Export = 119, "languages and items of exports";

    // Shapes and numbers.
    OperatorShapes = 201, "operands whose shapes do not fit";
    NoSuchOperation = 202, "vectors and matrices below a line or with an exponent";
    WrongShape = 203, "another shape belongs here";
    RotateArguments = 204, "the rotation of a frame";
    UnequalShapes = 205, "values that should have one shape";
    ForceShapes = 206, "a force and its point or body";
    IndexOutOfBounds = 207, "index out of bounds";
    IndexCount = 208, "the number of indices";
    ConstantInteger = 209, "a constant integer is needed";
    EmptyRange = 210, "an empty range";
    DefaultValue = 211, "a default is a number";
    ArraySize = 212, "the size of an array";
    DivisionByZero = 220, "division by zero";
    OutsideDomain = 221, "no value here";
    Overflow = 222, "beyond every number";

    // Mechanics.
    NoCoordinate = 301, "a system has a coordinate";
    NoKineticEnergy = 302, "the kinetic energy is missing";
    StillEnergy = 303, "a kinetic energy without a velocity";
    RateOfSquare = 304, "the derivative of a square";
    DeclaredVelocity = 305, "velocities are not declared";
    NotQuadratic = 306, "a kinetic energy that is not quadratic";
    TwoLagrangians = 307, "a Lagrangian beside energies";
    GivenTwice = 308, "an energy or a force that is given twice";
    ForceTarget = 309, "a generalized force acts on a coordinate";
    Acceleration = 310, "accelerations are not written";
    RateOfInput = 311, "an input has no derivative";
    MisplacedInput = 312, "where inputs may not be";
    MisplacedVelocity = 313, "where velocities may not be";
    IdleCoordinate = 314, "nothing depends on a coordinate";
    NoInertia = 315, "a coordinate without inertia";
    SingularEquations = 316, "equations that are singular everywhere";
    MasslessBody = 317, "a body that should have a mass or an inertia";
    Nonlinear = 318, "a parameter that enters nonlinearly";
    NoSymmetry = 319, "a direction that is no symmetry";
    Actuator = 320, "an actuator that lacks something";
    Multiplier = 321, "where multipliers may be";

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
    RobotOption = 603, "the file and the options of a robot";
    RobotName = 604, "no such link or joint";
    RobotJoint = 605, "a joint that has no coordinate of its own";
    RobotPlace = 606, "where a robot can be placed";

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
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let anchor: String = heading.chars().filter(kept).collect();
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
