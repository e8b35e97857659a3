//! Typed indices, and the symbols of leaves.

/// A node of a [`Graph`](crate::Graph); children have smaller ids than their parents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The position in the arena, for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The meaning of a leaf of the graph. Arrays are flattened: each element has its own number.
///
/// ```
/// use lagrange_engine::{Dependence, Symbol, plain_names};
/// // Of a point in the plane, r is two coordinates.
/// let r = [Symbol::Coordinate(0), Symbol::Coordinate(1)];
/// assert_eq!(r.map(plain_names), ["q0", "q1"]);
/// let others = [
///     Symbol::Velocity(1), Symbol::Acceleration(1), Symbol::Parameter(0), Symbol::State(0),
///     Symbol::StateRate(0), Symbol::Input(0), Symbol::Time,
///     Symbol::Multiplier(0), Symbol::Momentum(1), Symbol::Weight(1),
/// ];
/// let names = ["v1", "a1", "p0", "z0", "dz0", "u0", "t", "lambda0", "momentum1", "y1"];
/// assert_eq!(others.map(plain_names), names);
/// assert_eq!(Dependence::of(r[0]), Dependence::of(r[1]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// The generalized coordinate q_i.
    Coordinate(u32),
    /// The generalized velocity v_i = dq_i/dt.
    Velocity(u32),
    /// The generalized acceleration a_i = dv_i/dt; only in the inverse dynamics and in derivatives.
    Acceleration(u32),
    /// A parameter.
    Parameter(u32),
    /// The first-order state z_i.
    State(u32),
    /// The rate of the first-order state z_i, held fixed; only in the dissipation function.
    StateRate(u32),
    /// An input u_i.
    Input(u32),
    /// Time t.
    Time,
    /// The multiplier lambda_i of a constraint; only in written equations and in derivatives.
    Multiplier(u32),
    /// The momentum p_i as a given value; only in Hamilton's equations.
    Momentum(u32),
    /// A weight of the equations: first those of the momenta, then those of the constraints; only in derivatives of
    /// their weighted sum.
    Weight(u32),
}

/// The kinds of symbols in an expression, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Dependence(u16);

impl Dependence {
    /// Nothing: a constant.
    pub const NONE: Self = Self(0);
    /// Some coordinate.
    pub const COORDINATE: Self = Self(1);
    /// Some velocity.
    pub const VELOCITY: Self = Self(2);
    /// Some acceleration.
    pub const ACCELERATION: Self = Self(4);
    /// Some parameter.
    pub const PARAMETER: Self = Self(8);
    /// Some input.
    pub const INPUT: Self = Self(16);
    /// Time.
    pub const TIME: Self = Self(32);
    /// Some multiplier.
    pub const MULTIPLIER: Self = Self(64);
    /// Some given momentum.
    pub const MOMENTUM: Self = Self(128);
    /// Some weight.
    pub const WEIGHT: Self = Self(256);
    /// Some first-order state or its rate.
    pub const STATE: Self = Self(512);
    /// Everything that changes along a motion: all except the parameters.
    pub const MOTION: Self = Self(1 | 2 | 4 | 16 | 32 | 64 | 128 | 256 | 512);

    /// The set with the one kind of this symbol.
    pub fn of(symbol: Symbol) -> Self {
        match symbol {
            Symbol::Coordinate(_) => Self::COORDINATE,
            Symbol::Velocity(_) => Self::VELOCITY,
            Symbol::Acceleration(_) => Self::ACCELERATION,
            Symbol::Parameter(_) => Self::PARAMETER,
            Symbol::State(_) | Symbol::StateRate(_) => Self::STATE,
            Symbol::Input(_) => Self::INPUT,
            Symbol::Time => Self::TIME,
            Symbol::Multiplier(_) => Self::MULTIPLIER,
            Symbol::Momentum(_) => Self::MOMENTUM,
            Symbol::Weight(_) => Self::WEIGHT,
        }
    }

    /// The union of both sets.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether the sets have an element in common.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
