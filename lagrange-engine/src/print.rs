//! Expressions as text, as LaTeX and as MathML.
//!
//! Output depends on the graph only, and no walk recurses: a stack of pieces is worked off, so that
//! depth costs nothing but memory.

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

/// Longer text is cut off: a shared expression written out may be longer than any memory.
const LONGEST: usize = 1 << 20;

/// Names symbols by kind and number: `q0`, `v0`, `a0`, `p0`, `u0`, `t`, `lambda0`, `y0`.
///
/// ```
/// use lagrange_engine::{Symbol, plain_names};
/// assert_eq!(plain_names(Symbol::Velocity(2)), "v2");
/// ```
pub fn plain_names(symbol: Symbol) -> String {
    match symbol {
        Symbol::Coordinate(i) => format!("q{i}"),
        Symbol::Velocity(i) => format!("v{i}"),
        Symbol::Acceleration(i) => format!("a{i}"),
        Symbol::Parameter(i) => format!("p{i}"),
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
    ///
    /// ```
    /// use lagrange_engine::{Graph, Symbol, Unary, plain_names};
    /// let mut graph = Graph::new();
    /// let [x, y] = [0, 1].map(|i| graph.symbol(Symbol::Coordinate(i)));
    /// let ratio = graph.div(x, y);
    /// let sine = graph.unary(Unary::Sin, ratio);
    /// let square = graph.powi(sine, 2);
    /// let root = graph.sub(y, square);
    /// assert_eq!(graph.text(root, &plain_names), "q1 - sin(q0/q1)^2");
    /// ```
    pub fn text(&self, root: NodeId, names: &dyn Fn(Symbol) -> String) -> String {
        let (mut text, complete) = write(self, root, &Plain { names }, &[], LONGEST);
        if !complete {
            text.push_str(" ...");
        }
        text
    }

    /// LaTeX for math mode. Primes at the end of a name become dots over it: `theta'` is the rate of
    /// `theta`. Greek letters by name or character, indices after `_` or `.` or in brackets.
    ///
    /// ```
    /// use lagrange_engine::{Graph, Symbol, Unary};
    /// let mut graph = Graph::new();
    /// let theta = graph.symbol(Symbol::Coordinate(0));
    /// let m = graph.symbol(Symbol::Parameter(0));
    /// let names = |symbol| match symbol {
    ///     Symbol::Parameter(_) => "m_c".to_owned(),
    ///     _ => "theta".to_owned(),
    /// };
    /// let cosine = graph.unary(Unary::Cos, theta);
    /// let ratio = graph.div(cosine, m);
    /// assert_eq!(graph.latex(ratio, &names), r"\frac{\cos\left(\theta\right)}{m_{c}}");
    /// ```
    pub fn latex(&self, root: NodeId, names: &dyn Fn(Symbol) -> String) -> String {
        let (mut text, complete) = write(self, root, &Latex { names }, &[], LONGEST);
        if !complete {
            // Cut anywhere, the braces would not match.
            text = r"\ldots".to_owned();
        }
        text
    }

    /// Elements of MathML for the inside of a `math` or an `mrow`, as current browsers draw them without
    /// scripts (W3C, *MathML Core*). Names become letters as in [`Graph::latex`].
    ///
    /// ```
    /// use lagrange_engine::{Graph, Symbol, Unary};
    /// let mut graph = Graph::new();
    /// let rate = graph.symbol(Symbol::Velocity(0));
    /// let square = graph.powi(rate, 2);
    /// assert_eq!(
    ///     graph.mathml(square, &|_| "theta'".to_owned()),
    ///     "<msup><mrow><mover><mi>θ</mi><mo scriptlevel=\"0\">˙</mo></mover></mrow><mn>2</mn></msup>"
    /// );
    /// ```
    pub fn mathml(&self, root: NodeId, names: &dyn Fn(Symbol) -> String) -> String {
        let (mut text, complete) = write(self, root, &MathMl { names }, &[], LONGEST);
        if !complete {
            // Cut anywhere, the elements would not be closed.
            text = "<mo>…</mo>".to_owned();
        }
        text
    }

    /// How many nodes the expressions have when nothing is shared: how long they are to read.
    ///
    /// ```
    /// use lagrange_engine::{Graph, Symbol};
    /// let mut graph = Graph::new();
    /// let x = graph.symbol(Symbol::Coordinate(0));
    /// let y = graph.symbol(Symbol::Coordinate(1));
    /// let sum = graph.add(x, y);
    /// assert_eq!(graph.written_size(&[sum, sum]), 6);
    /// ```
    pub fn written_size(&self, roots: &[NodeId]) -> u64 {
        let cone = self.cone(roots);
        let mut sizes: Vec<u64> = vec![0; room(&cone)];
        for id in cone {
            let mut size = 1_u64;
            self.node(id)
                .for_each_child(|child| size = size.saturating_add(sizes[child.index()]));
            sizes[id.index()] = size;
        }
        let sizes = roots.iter().map(|root| sizes[root.index()]);
        sizes.fold(0, u64::saturating_add)
    }
}
