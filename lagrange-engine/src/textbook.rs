//! The equations of motion in readable form.

use crate::forms::{Derivation, Form, reactions};
use crate::simplify::readable;
use crate::{Dynamics, Energy, NodeId, Quantity, Symbol};

/// `M a + h = Q + J^T lambda`, a row for each velocity, the rates of first-order states, and the values that the
/// constraints keep at zero.
#[derive(Clone, Debug)]
pub struct Textbook {
    /// M a + h, in symbols for the accelerations.
    pub left: Vec<NodeId>,
    /// Q.
    pub forces: Vec<NodeId>,
    /// J^T lambda, in symbols for the multipliers.
    pub reactions: Vec<NodeId>,
    /// The rates of first-order states.
    pub state_rates: Vec<NodeId>,
    /// Residuals of holonomic constraints, velocity levels of the others.
    pub zeros: Vec<NodeId>,
}

/// M and the bias, the parts of a row M a + h.
struct Terms {
    mass_matrix: Vec<NodeId>,
    bias: Vec<NodeId>,
}

impl Dynamics {
    /// The equations in the form with the fewest terms; `None` if M and h, as derived from the energies, have more than
    /// `most` different subexpressions.
    ///
    /// This is often the form by the mass matrix, in which `cos(a) cos(b) + sin(a) sin(b)` is `cos(a - b)` before
    /// anything is differentiated.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System, plain_names};
    /// let text = "coordinates q\nnode %0 = velocity 0\nnode %1 = product %0^2\nnode %2 = sum 0 1/2*%1\n\
    ///             node %3 = coordinate 0\nnode %4 = product %3^2\nnode %5 = sum 0 1/2*%4\n\
    ///             kinetic %2\npotential %5\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let textbook = dynamics.textbook(100).ok_or("it is short")?;
    /// assert_eq!(dynamics.graph().text(textbook.left[0], &plain_names), "q0 + a0");
    /// assert!(dynamics.textbook(0).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn textbook(&self, most: usize) -> Option<Textbook> {
        let shortest = self
            .deriving(|derivation| {
                let as_written = derivation.terms_as_written(most)?;
                let by_mass_matrix = derivation.terms_by_mass_matrix();
                Some([Some(as_written), by_mass_matrix])
            })?
            .into_iter()
            .flatten()
            .map(|terms| self.deriving(|derivation| derivation.rows(&terms)))
            .min_by_key(|rows| self.graph().written_size(rows));
        Some(Textbook {
            left: shortest.unwrap_or_default(),
            forces: {
                let forces = self.deriving(|derivation| derivation.forces_with_multipliers());
                readable(&mut self.derived().graph, &forces)
            },
            reactions: self.reactions(),
            state_rates: self.shorten(Quantity::StateRates),
            zeros: self.constraints_as_written(),
        })
    }

    /// The values that the constraints keep at zero: residuals of holonomic ones, velocity levels of the others.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System, plain_names};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nnode %2 = coordinate 0\n\
    ///             kinetic %1\nholonomic wall %2\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let zeros = dynamics.constraints_as_written();
    /// assert_eq!(dynamics.graph().text(zeros[0], &plain_names), "q0");
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn constraints_as_written(&self) -> Vec<NodeId> {
        let holonomic = self.written_expressions(Quantity::ConstraintResidual);
        let velocity = self.expressions(Quantity::ConstraintVelocity);
        [&holonomic[..], &velocity[holonomic.len()..]].concat()
    }

    fn shorten(&self, quantity: Quantity) -> Vec<NodeId> {
        let entries = self.expressions(quantity);
        readable(&mut self.derived().graph, &entries)
    }

    fn reactions(&self) -> Vec<NodeId> {
        let jacobian = self.shorten(Quantity::ConstraintJacobian);
        let n = self.sizes().velocities;
        reactions(&mut self.derived().graph, &jacobian, n)
    }
}

impl Derivation<'_> {
    fn terms_as_written(&mut self, most: usize) -> Option<Terms> {
        let mass_matrix = self.quantity(Form::AsWritten, Quantity::MassMatrix);
        let bias = self.quantity(Form::AsWritten, Quantity::Bias);
        let terms = [&mass_matrix[..], &bias].concat();
        (self.graph().cone(&terms).len() <= most).then(|| Terms {
            mass_matrix: self.derived.simplified(&mass_matrix),
            bias: self.derived.simplified(&bias),
        })
    }

    /// From T by M in its readable form; `None` if T has no such form.
    fn terms_by_mass_matrix(&mut self) -> Option<Terms> {
        let Energy::Natural { kinetic, potential } = self.energy_by_mass_matrix()? else {
            return None;
        };
        let graph = self.graph();
        let short = readable(graph, &[kinetic, potential]);
        let energy = Energy::Natural {
            kinetic: short[0],
            potential: short[1],
        };
        let momenta = self.by_velocities(short[0]);
        let mass_matrix = self.mass_matrix_of(&momenta);
        let bias = self.bias_of(energy, &momenta);
        Some(Terms { mass_matrix, bias })
    }

    /// sum_j M_ij a_j + h_i.
    fn rows(&mut self, terms: &Terms) -> Vec<NodeId> {
        let mass_matrix = readable(self.graph(), &terms.mass_matrix);
        let bias = self.derived.simplified(&terms.bias);
        let graph = self.graph();
        let bias = readable(graph, &bias);
        let n = bias.len();
        let a = graph.numbered(n, Symbol::Acceleration);
        let rows: Vec<NodeId> = bias
            .iter()
            .enumerate()
            .map(|(i, bias)| {
                let inertia = graph.dot(&mass_matrix[i * n..(i + 1) * n], &a);
                graph.add(inertia, *bias)
            })
            .collect();
        readable(graph, &rows)
    }
}
