//! Expressions as text, as LaTeX and as MathML.
//!
//! The output depends only on the graph. No walk recurses: a stack of pieces is worked off, so depth costs only memory.

mod latex;
mod layout;
mod listing;
mod mathml;
mod plain;
mod words;

use crate::graph::room;
use crate::{Graph, NodeId, Symbol};
use latex::Latex;
use layout::write;
use mathml::MathMl;
use plain::Plain;

pub use listing::Line;
pub use mathml::mathml_name;

/// Longer text is cut off: a shared expression may be longer than any memory when written out.
const LONGEST: usize = 1 << 20;

/// Names symbols by kind and number: `q0`, `v0`, `a0`, `p0`, `u0`, `t`, `lambda0`, `y0`.
pub fn plain_names(symbol: Symbol) -> String {
    match symbol {
        Symbol::Coordinate(i) => format!("q{i}"),
        Symbol::Velocity(i) => format!("v{i}"),
        Symbol::Acceleration(i) => format!("a{i}"),
        Symbol::Parameter(i) => format!("p{i}"),
        Symbol::State(i) => format!("z{i}"),
        Symbol::StateRate(i) => format!("dz{i}"),
        Symbol::Input(i) => format!("u{i}"),
        Symbol::Time => "t".to_owned(),
        Symbol::Multiplier(i) => format!("lambda{i}"),
        Symbol::Momentum(i) => format!("momentum{i}"),
        Symbol::Weight(i) => format!("y{i}"),
    }
}

impl Graph {
    /// One line of infix text, written out without sharing; after about a million characters it
    /// ends with ` ...`.
    pub fn text(&self, root: NodeId, names: &dyn Fn(Symbol) -> String) -> String {
        let (mut text, complete) = write(self, root, &Plain { names }, &[], LONGEST);
        if !complete {
            text.push_str(" ...");
        }
        text
    }

    /// LaTeX for math mode. Primes at the end of a name become dots over it: `theta'` is the rate of
    /// `theta`. Greek letters by name or character, indices after `_` or `.` or in brackets.
    pub fn latex(&self, root: NodeId, names: &dyn Fn(Symbol) -> String) -> String {
        let (mut text, complete) = write(self, root, &Latex { names }, &[], LONGEST);
        if !complete {
            // A text that is cut anywhere would have unmatched braces.
            text = r"\ldots".to_owned();
        }
        text
    }

    /// Elements of MathML for the inside of a `math` or an `mrow`, as current browsers draw them without scripts (W3C,
    /// *MathML Core*). Names become letters like in [`Graph::latex`].
    pub fn mathml(&self, root: NodeId, names: &dyn Fn(Symbol) -> String) -> String {
        let (mut text, complete) = write(self, root, &MathMl { names }, &[], LONGEST);
        if !complete {
            // A text that is cut anywhere would have unclosed elements.
            text = "<mo>…</mo>".to_owned();
        }
        text
    }

    /// The number of nodes of the expressions without sharing, a measure of their length for a reader.
    pub fn written_size(&self, roots: &[NodeId]) -> u64 {
        let cone = self.cone(roots);
        let mut sizes: Vec<u64> = vec![0; room(&cone)];
        for id in cone {
            let mut size = 1_u64;
            self.node(id)
                .for_each_child(|child| size = size.saturating_add(sizes[child.index()]));
            sizes[id.index()] = size;
        }
        roots
            .iter()
            .map(|root| sizes[root.index()])
            .fold(0, u64::saturating_add)
    }
}
