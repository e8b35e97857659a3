//! Typed indices and the symbols that leaves of the graph stand for.

/// A node of a [`Graph`](crate::Graph); children have smaller ids than their parents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The position in the arena, for side tables.
    ///
    /// ```
    /// let mut graph = lagrange_engine::Graph::new();
    /// let one = graph.integer(1);
    /// assert_eq!(one.index(), 0);
    /// ```
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a leaf of the graph stands for. Arrays are flattened: each element has its own number.
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
    /// An input u_i.
    Input(u32),
    /// Time t.
    Time,
    /// The multiplier lambda_i of a constraint; only in equations that are written out and in derivatives.
    Multiplier(u32),
    /// The momentum p_i where it is given; only in Hamilton's equations.
    Momentum(u32),
    /// A weight of the equations: of that of momentum i, or behind all these of a constraint; only in
    /// derivatives of their weighted sum.
    Weight(u32),
}

/// Which kinds of symbols an expression contains, as a set.
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
    /// Some momentum that is given.
    pub const MOMENTUM: Self = Self(128);
    /// Some weight.
    pub const WEIGHT: Self = Self(256);
    /// Everything that changes along a motion: all but the parameters.
    pub const STATE: Self = Self(1 | 2 | 4 | 16 | 32 | 64 | 128 | 256);

    /// The set with the one kind of this symbol.
    pub fn of(symbol: Symbol) -> Self {
        match symbol {
            Symbol::Coordinate(_) => Self::COORDINATE,
            Symbol::Velocity(_) => Self::VELOCITY,
            Symbol::Acceleration(_) => Self::ACCELERATION,
            Symbol::Parameter(_) => Self::PARAMETER,
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

    /// Whether the sets have an element in common.
    ///
    /// ```
    /// use lagrange_engine::{Dependence, Symbol};
    /// let q = Dependence::of(Symbol::Coordinate(0));
    /// assert!(q.intersects(Dependence::STATE) && !q.intersects(Dependence::TIME));
    /// ```
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
