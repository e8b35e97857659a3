//! The parts of an unrolled solution that private methods return, and the locals that callers bind them to.

use lagrange_engine::Operand;

use super::assembly;
use super::body::Body;

/// One part of the equations, of their solution or of its derivatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// M.
    Mass,
    /// f.
    Forcing,
    /// J by rows.
    Jacobian,
    /// gamma.
    Gamma,
    /// D of L D L^T.
    Pivots,
    /// The diagonal before the elimination, which pivots are compared with.
    Diagonal,
    /// The residuals of the equations that are tested.
    Residual,
    /// The sizes of the terms of these equations.
    Terms,
    /// a.
    Accelerations,
    /// lambda.
    Multipliers,
}

impl Part {
    /// The local in generated code that holds this part.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Mass => "__m",
            Self::Forcing => "__f",
            Self::Jacobian => "__j",
            Self::Gamma => "__g",
            Self::Pivots => "__d",
            Self::Diagonal => "__s",
            Self::Residual => "__r",
            Self::Terms => "__w",
            Self::Accelerations => "__a",
            Self::Multipliers => "__l",
        }
    }

    /// `__d[from], .., __d[to - 1],`
    pub(super) fn elements(self, range: std::ops::Range<usize>) -> String {
        assembly::elements(self.name(), range)
    }
}

/// A part as a method returns it.
pub(super) struct Returned {
    pub(super) part: Part,
    pub(super) entries: Vec<Operand>,
    /// The length of its rows, if it is a matrix.
    columns: Option<usize>,
}

impl Returned {
    pub(super) fn array(part: Part, entries: &[Operand]) -> Self {
        Self {
            part,
            entries: entries.to_vec(),
            columns: None,
        }
    }

    pub(super) fn matrix(part: Part, entries: &[Operand], columns: usize) -> Self {
        Self {
            columns: Some(columns),
            ..Self::array(part, entries)
        }
    }

    /// `[a, b]`, or `[[a, b], [c, d]]`
    pub(super) fn write(&self, body: &mut Body<'_>) {
        match self.columns {
            None => body.array(&self.entries),
            Some(columns) => body.rows(&self.entries, columns),
        }
    }

    /// `[S; 2]`, or `[[S; 2]; 2]`
    pub(super) fn ty(&self) -> String {
        let count = self.entries.len();
        match self.columns {
            None => format!("[S; {count}]"),
            Some(columns) => format!("[[S; {columns}]; {}]", count / columns.max(1)),
        }
    }
}
