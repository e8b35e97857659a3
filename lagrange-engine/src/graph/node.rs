//! A node of the graph.

use crate::{Binary, Comparison, NodeId, Number, Piecewise, Symbol, Unary};

/// One operation on earlier nodes.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Node {
    /// A constant.
    Number(Number),
    /// The circle constant.
    #[default]
    Pi,
    /// A leaf.
    Symbol(Symbol),
    /// `constant + sum of coefficient * term`: terms in ascending order, no coefficient 0.
    Sum {
        /// The constant term.
        constant: Number,
        /// Coefficient and node of each term.
        terms: Box<[(Number, NodeId)]>,
    },
    /// `product of base^exponent`: bases in ascending order, no exponent 0. A numeric factor is outside, as the
    /// coefficient of a sum with this one term.
    Product(Box<[(NodeId, i32)]>),
    /// A function of one argument.
    Unary(Unary, NodeId),
    /// A function of two arguments.
    Binary(Binary, NodeId, NodeId),
    /// A derivative of a curve through points.
    Curve {
        /// The curve and the order of the derivative.
        of: Piecewise,
        /// The argument.
        x: NodeId,
        /// The control values of a B-spline that are not constant: all of them, or none.
        controls: Box<[NodeId]>,
    },
    /// `if left comparison right { then } else { otherwise }`; both branches are evaluated.
    Select {
        /// The comparison.
        comparison: Comparison,
        /// Left and right side of the comparison.
        sides: [NodeId; 2],
        /// The value if it holds.
        then: NodeId,
        /// The value if it does not hold.
        otherwise: NodeId,
    },
}

impl Node {
    /// Returns whether the value is one of two children, by a comparison.
    pub fn is_branch(&self) -> bool {
        matches!(
            self,
            Self::Select { .. } | Self::Binary(Binary::Min | Binary::Max, ..)
        )
    }

    /// The same as `==`, in few steps for sums and products without optimisation.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Sum { constant, terms },
                Self::Sum {
                    constant: other_constant,
                    terms: other_terms,
                },
            ) => {
                let mut same = terms.len() == other_terms.len() && constant == other_constant;
                let mut position = 0;
                while same && position < terms.len() {
                    same = terms[position].1.0 == other_terms[position].1.0
                        && terms[position].0 == other_terms[position].0;
                    position += 1;
                }
                same
            }
            (Self::Product(factors), Self::Product(other_factors)) => {
                let mut same = factors.len() == other_factors.len();
                let mut position = 0;
                while same && position < factors.len() {
                    same = factors[position].0.0 == other_factors[position].0.0
                        && factors[position].1 == other_factors[position].1;
                    position += 1;
                }
                same
            }
            _ => self == other,
        }
    }

    /// Calls `visit` for each child.
    pub fn for_each_child(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::Number(_) | Self::Pi | Self::Symbol(_) => {}
            // By positions: without optimisation an iterator is calls.
            Self::Sum { terms, .. } => {
                let mut position = 0;
                while position < terms.len() {
                    visit(terms[position].1);
                    position += 1;
                }
            }
            Self::Product(factors) => {
                let mut position = 0;
                while position < factors.len() {
                    visit(factors[position].0);
                    position += 1;
                }
            }
            Self::Unary(_, x) => visit(*x),
            Self::Binary(_, x, y) => {
                visit(*x);
                visit(*y);
            }
            Self::Curve { x, controls, .. } => {
                visit(*x);
                controls.iter().for_each(|control| visit(*control));
            }
            Self::Select {
                sides: [left, right],
                then,
                otherwise,
                ..
            } => {
                visit(*left);
                visit(*right);
                visit(*then);
                visit(*otherwise);
            }
        }
    }
}
