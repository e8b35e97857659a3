//! Euler-Lagrange: the terms of the equations of motion of a system, derived on demand.
//!
//! Signs and index order are stated here once. With qdot = N(q) v and L = T - V:
//!
//! - p = dL/dv, M = dp/dv (symmetric, n x n)
//! - bias h = (dp/dq) qdot + dp/dt + w x p - dL/dq, derivatives of L along the directions of v; w x p
//!   only for the velocities w of a rotation
//! - Q = given forces - dD/dv, forcing f = Q - h
//! - M a = f + J^T lambda, so that M a + h = Q + J^T lambda; lambda are the constraints' multipliers
//! - C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k; with rotations see `forms/coriolis`
//!
//! [`Quantity`] lists the terms, and [`crate::codegen::programs`] turns sets of them into code.

use std::cell::{OnceCell, Ref, RefCell, RefMut};
use std::collections::{BTreeSet, HashMap};

use crate::analysis::{Evidence, Facts, is_conserved};
use crate::codegen::Start;
use crate::forms::{Derivation, Derived, Form, Recursive};
use crate::{
    ConstraintKind, Dependence, Energy, Graph, Kinematics, Names, NodeId, Program, Quantity, Shape,
    Sizes, Symbol, System, is_quadratic, lower_of,
};

/// The equations of motion of a system.
///
/// Quantities are derived at their first use, and stored.
///
/// ```
/// use lagrange_engine::{Dynamics, Quantity, Shape, System, plain_names};
/// // A particle of mass m on a circle of radius l.
/// let text = "coordinates x y\nparameters m l\nnode %0 = velocity 0\nnode %1 = velocity 1\n\
///             node %2 = parameter 0\nnode %3 = product %0^2 %2^1\nnode %4 = product %1^2 %2^1\n\
///             node %5 = sum 0 1/2*%3 1/2*%4\nkinetic %5\nnode %6 = coordinate 0\n\
///             node %7 = coordinate 1\nnode %8 = parameter 1\nnode %9 = product %6^2\n\
///             node %10 = product %7^2\nnode %11 = product %8^2\n\
///             node %12 = sum 0 1/2*%9 1/2*%10 -1/2*%11\nholonomic circle %12\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// assert_eq!(dynamics.names().coordinates, ["x", "y"]);
/// assert!(dynamics.kinematics().is_trivial());
/// assert_eq!((dynamics.sizes().velocities, dynamics.sizes().holonomic), (2, 1));
/// assert_eq!(dynamics.constraint_names(), [dynamics.constraint(0)]);
/// assert!(dynamics.is_natural() && dynamics.is_quadratic());
/// // J a = gamma
/// assert_eq!(dynamics.shape(Quantity::ConstraintJacobian), Shape::Matrix(1, 2));
/// let jacobian = dynamics.expressions(Quantity::ConstraintJacobian);
/// let gamma = dynamics.expressions(Quantity::ConstraintGamma);
/// let text = |node| dynamics.graph().text(node, &plain_names);
/// assert_eq!([text(jacobian[0]), text(jacobian[1])], ["q0", "q1"]);
/// assert_eq!(text(gamma[0]), "-v0^2 - v1^2");
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dynamics {
    /// The input without its graph. The energies include those of bodies; the frames are only those that outputs need.
    system: System,
    kinematics: Kinematics,
    /// The recursive form of the bodies, if there is one.
    recursive: Option<Recursive>,
    pub(crate) derived: RefCell<Derived>,
    /// The requested programs.
    pub(crate) programs: RefCell<HashMap<Vec<Quantity>, Program>>,
    facts: OnceCell<Facts>,
    /// True if M is singular at every state.
    pub(crate) singular: OnceCell<bool>,
    quadratic: OnceCell<bool>,
    /// The parameters of sensitivities on which no acceleration depends.
    pub(crate) idle: OnceCell<BTreeSet<u32>>,
    /// The number of nodes before anything was derived.
    pub(crate) given: usize,
    pub(crate) start: OnceCell<Start>,
}

impl Dynamics {
    /// The equations of motion of this system.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, System, plain_names};
    /// let text = "coordinates q\n\
    ///             node %0 = velocity 0\nnode %1 = product %0^2\nnode %2 = sum 0 1/2*%1\n\
    ///             node %3 = coordinate 0\nnode %4 = product %3^2\nnode %5 = sum 0 1/2*%4\n\
    ///             kinetic %2\npotential %5\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let forcing = dynamics.expressions(Quantity::Forcing);
    /// assert_eq!(dynamics.graph().text(forcing[0], &plain_names), "-q0");
    /// assert!(dynamics.facts().conserves_energy && dynamics.facts().constant_mass_matrix);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn new(mut system: System) -> Self {
        let kinematics = system.names.kinematics();
        system.graph.assume_rotations(&kinematics);
        // The order of nodes is that of factors: the state precedes its functions.
        for j in 0..system.names.velocity_count() as u32 {
            system.graph.symbol(Symbol::Velocity(j));
        }
        for j in 0..system.names.velocity_count() as u32 {
            system.graph.symbol(Symbol::Acceleration(j));
        }
        let recursive = Recursive::of(&mut system);
        system = system.without_bodies();
        let graph = std::mem::take(&mut system.graph);
        Self {
            given: graph.len(),
            kinematics: system.names.kinematics(),
            system,
            recursive,
            derived: RefCell::new(Derived::new(graph)),
            programs: RefCell::default(),
            facts: OnceCell::new(),
            singular: OnceCell::new(),
            quadratic: OnceCell::new(),
            idle: OnceCell::new(),
            start: OnceCell::new(),
        }
    }

    /// The names of the symbols.
    pub fn names(&self) -> &Names {
        &self.system.names
    }

    /// How velocities move coordinates.
    pub fn kinematics(&self) -> &Kinematics {
        &self.kinematics
    }

    /// The sizes of the system.
    pub fn sizes(&self) -> Sizes {
        let constraints = &self.system.constraints;
        let holonomic = constraints
            .iter()
            .filter(|constraint| constraint.kind == ConstraintKind::Holonomic);
        Sizes {
            coordinates: self.kinematics.coordinate_count(),
            velocities: self.kinematics.velocity_count(),
            constraints: constraints.len(),
            holonomic: holonomic.count(),
            contacts: self.system.contacts.len(),
            dry_joints: self.system.dry_joints.len(),
            states: self.system.names.states.len(),
            inputs: self.system.names.inputs.len(),
        }
    }

    /// The names of the constraints' rows, holonomic ones first.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// let text = "coordinates x y\nnode %0 = coordinate 0\nnode %1 = velocity 1\nnode %2 = product %1^2\n\
    ///             kinetic %2\nnonholonomic skate %1\nholonomic wall %0\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert_eq!(dynamics.constraint_names(), ["wall", "skate"]);
    /// // In the order of declaration.
    /// assert_eq!(dynamics.constraint(0), "skate");
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn constraint_names(&self) -> Vec<String> {
        let of_kind = |kind| {
            self.system
                .constraints
                .iter()
                .filter(move |constraint| constraint.kind == kind)
        };
        let holonomic = of_kind(ConstraintKind::Holonomic);
        holonomic
            .chain(of_kind(ConstraintKind::Nonholonomic))
            .map(|constraint| constraint.name.clone())
            .collect()
    }

    /// The names of the contacts, in order of declaration.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, System, plain_names};
    /// let text = "coordinates y\nnode %0 = coordinate 0\nnode %1 = velocity 0\nnode %2 = product %1^2\n\
    ///             kinetic %2\nnode %3 = product %0^2\ncontact floor %3\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert_eq!(dynamics.contact_names(), ["floor"]);
    /// let gamma = dynamics.expressions(Quantity::ContactGamma);
    /// assert_eq!(dynamics.graph().text(gamma[0], &plain_names), "-2*v0^2");
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn contact_names(&self) -> Vec<String> {
        self.system
            .contacts
            .iter()
            .map(|contact| contact.name.clone())
            .collect()
    }

    /// The number of sliding velocities of each contact: 0 without friction, 1 in a plane, 2 in space.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// let text = "coordinates x y\nnode %0 = velocity 0\nnode %1 = coordinate 1\nnode %2 = product %0^2\n\
    ///             kinetic %2\nnode %3 = number 1/2\ncontact floor %1\nslip 0 %0\nfriction 0 %3\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert_eq!(dynamics.slip_counts(), [1]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn slip_counts(&self) -> Vec<usize> {
        self.system
            .contacts
            .iter()
            .map(|contact| contact.slips.len())
            .collect()
    }

    /// The velocity of each joint with dry friction.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// let text = "coordinates x y\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
    ///             node %2 = number 1/2\ndry_joint 1 %2\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert_eq!(dynamics.dry_joints(), [1]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn dry_joints(&self) -> Vec<usize> {
        self.system
            .dry_joints
            .iter()
            .map(|joint| joint.velocity)
            .collect()
    }

    pub(crate) fn energy(&self) -> Energy {
        self.system.energy
    }

    /// Returns whether T and V are separate.
    pub fn is_natural(&self) -> bool {
        matches!(self.system.energy, Energy::Natural { .. })
    }

    /// Returns whether L is quadratic in the velocities, so that momenta determine velocities by `M v = p - p0`. Always
    /// true if T and V are separate.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^4\nlagrangian %1\n";
    /// let quartic = Dynamics::new(text.parse::<System>()?);
    /// assert!(!quartic.is_quadratic() && !quartic.is_natural());
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn is_quadratic(&self) -> bool {
        *self.quadratic.get_or_init(|| match self.system.energy {
            Energy::Natural { .. } => true,
            Energy::Lagrangian(lagrangian) => {
                let velocities = self.kinematics.velocity_symbols();
                is_quadratic(&mut self.derived().graph, lagrangian, &velocities)
            }
        })
    }

    /// Returns whether the energy is the Jacobi integral `p . v - L`: if T is homogeneous of degree two in the
    /// velocities, and always if L is given.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// let pushed = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nnode %2 = sum 0 1*%0 1/2*%1\n\
    ///               kinetic %2\n";
    /// let free = pushed.replace("1*%0 ", "");
    /// let holds = [pushed, &free].map(|text| text.parse::<System>().map(Dynamics::new));
    /// let [pushed, free] = holds.map(|dynamics| dynamics.is_ok_and(|it| it.energy_is_jacobi_integral()));
    /// assert!(free && !pushed);
    /// ```
    pub fn energy_is_jacobi_integral(&self) -> bool {
        !self.is_natural() || self.deriving(|derivation| derivation.is_homogeneous())
    }

    /// Returns whether the output of this number has a rate: it is a scalar or vector of q and t alone.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// let text = "coordinates x\nnode %0 = coordinate 0\nnode %1 = velocity 0\nkinetic %1\n\
    ///             output place scalar %0\noutput speed scalar %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert_eq!([0, 1].map(|number| dynamics.has_output_rate(number)), [true, false]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn has_output_rate(&self, number: usize) -> bool {
        self.deriving(|derivation| derivation.has_output_rate(number))
    }

    /// The shape of a quantity.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, Shape, System};
    /// let text = "coordinates x y\nnode %0 = velocity 0\nnode %1 = coordinate 0\nkinetic %0\n\
    ///             output place vector 2 %1 %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert_eq!(dynamics.shape(Quantity::MassMatrix), Shape::Matrix(2, 2));
    /// assert_eq!(dynamics.shape(Quantity::OutputRate(0)), Shape::Vector(2));
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn shape(&self, quantity: Quantity) -> Shape {
        let output = |number: usize| {
            let output = self.system.outputs.get(number);
            output.map_or(Shape::Scalar, |output| output.shape)
        };
        let sizes = self.sizes();
        let (n, nz, k) = (sizes.velocities, sizes.states, sizes.inputs);
        let shape = quantity.shape(sizes);
        shape.unwrap_or_else(|| match quantity {
            Quantity::OutputJacobian(number) | Quantity::OutputByVelocities(number) => {
                Shape::Matrix(output(number).len(), n)
            }
            Quantity::OutputByStates(number) => Shape::Matrix(output(number).len(), nz),
            Quantity::OutputByInputs(number) => Shape::Matrix(output(number).len(), k),
            Quantity::OutputHessian(_) => Shape::Matrix(2 * n + nz + k, 2 * n + nz + k),
            Quantity::Output(number)
            | Quantity::OutputRate(number)
            | Quantity::OutputBias(number) => output(number),
            Quantity::Regressor(number) => {
                let regressor = self.system.regressors.get(number);
                let columns = regressor.map_or(0, |regressor| regressor.parameters.len());
                Shape::Matrix(n, columns)
            }
            _ => Shape::Scalar,
        })
    }

    /// The graph that holds the expressions.
    pub fn graph(&self) -> Ref<'_, Graph> {
        Ref::map(self.derived.borrow(), |derived| &derived.graph)
    }

    /// The entries of a quantity, row by row, simplified; empty if the system does not have it.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, System, plain_names};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let momenta = dynamics.expressions(Quantity::Momenta);
    /// assert_eq!(dynamics.graph().text(momenta[0], &plain_names), "2*v0");
    /// assert!(dynamics.expressions(Quantity::ConstraintGamma).is_empty());
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn expressions(&self, quantity: Quantity) -> Vec<NodeId> {
        let entries = self.written_expressions(quantity);
        self.derived().simplified(&entries)
    }

    /// The name of a constraint, by its position in the order of declaration.
    pub fn constraint(&self, position: usize) -> &str {
        let constraint = self.system.constraints.get(position);
        constraint.map_or("", |constraint| &constraint.name)
    }

    /// Returns whether a symmetry moves coordinates by amounts that depend on t.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// let text = "coordinates x\ntime t\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
    ///             node %2 = number 1\nnode %3 = time\nsymmetry shift %2\nsymmetry boost %3\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert_eq!([0, 1].map(|number| dynamics.symmetry_depends_on_time(number)), [false, true]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn symmetry_depends_on_time(&self, number: usize) -> bool {
        let graph = self.graph();
        let on_time = |entry: &NodeId| graph.dependence(*entry).intersects(Dependence::TIME);
        self.symmetry(number)
            .is_some_and(|along| along.iter().any(on_time))
    }

    /// The direction xi of a symmetry, as given.
    pub(crate) fn symmetry(&self, number: usize) -> Option<Vec<NodeId>> {
        let symmetry = self.system.symmetries.get(number)?;
        Some(symmetry.along.clone())
    }

    /// The parameters of a regressor.
    pub(crate) fn regressor(&self, number: usize) -> Option<Vec<Symbol>> {
        let regressor = self.system.regressors.get(number)?;
        let numbers = regressor.parameters.iter();
        Some(numbers.map(|number| Symbol::Parameter(*number)).collect())
    }

    /// The numbers of the parameters of a sensitivity.
    pub(crate) fn sensitivity(&self, name: &str) -> Option<&[u32]> {
        let list = self
            .system
            .sensitivities
            .iter()
            .find(|list| list.name == name)?;
        Some(&list.parameters)
    }

    /// The parameters of all sensitivities.
    pub(crate) fn sensitivity_parameters(&self) -> BTreeSet<u32> {
        self.system
            .sensitivities
            .iter()
            .flat_map(|list| list.parameters.clone())
            .collect()
    }

    /// T and V, or L, as given: their quantities and nodes.
    pub(crate) fn energies(&self) -> (Vec<Quantity>, Vec<NodeId>) {
        match self.system.energy {
            Energy::Natural { kinetic, potential } => (
                vec![Quantity::KineticEnergy, Quantity::PotentialEnergy],
                vec![kinetic, potential],
            ),
            Energy::Lagrangian(lagrangian) => (vec![Quantity::Lagrangian], vec![lagrangian]),
        }
    }

    /// The residuals of all constraints, in order of declaration.
    pub(crate) fn constraint_residuals(&self) -> Vec<NodeId> {
        self.system
            .constraints
            .iter()
            .map(|constraint| constraint.residual)
            .collect()
    }

    /// An expression in its shortest readable form.
    pub(crate) fn short(&self, root: NodeId) -> NodeId {
        let derived = &mut self.derived();
        let simple = derived.simplified(&[root]);
        crate::simplify::readable(&mut derived.graph, &simple)[0]
    }

    /// Facts that hold at every state.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// // A mass thrown upwards, along y.
    /// let text = "coordinates x y\nparameters m g\nnode %0 = velocity 0\nnode %1 = velocity 1\n\
    ///             node %2 = product %0^2\nnode %3 = product %1^2\nnode %4 = sum 0 1/2*%2 1/2*%3\n\
    ///             node %5 = parameter 0\nnode %6 = product %4^1 %5^1\nkinetic %6\nnode %7 = coordinate 1\n\
    ///             node %8 = parameter 1\nnode %9 = product %5^1 %7^1 %8^1\npotential %9\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let facts = dynamics.facts();
    /// assert_eq!(facts.cyclic, [true, false]);
    /// assert_eq!(facts.conserved_momenta, [true, false]);
    /// assert!(facts.conserves_energy && facts.constant_mass_matrix);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| self.find_facts())
    }

    /// Returns whether the derivatives of M a + h, [`Quantity::InverseDynamicsByPosition`] and the like, are short
    /// enough to be written out. Longer ones have no program; their rows are derivatives of weighted sums,
    /// [`Quantity::WeightedInverseDynamicsByPosition`].
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, System};
    /// // A mass thrown upwards, along y.
    /// let text = "coordinates x y\nparameters m g\nnode %0 = velocity 0\nnode %1 = velocity 1\n\
    ///             node %2 = product %0^2\nnode %3 = product %1^2\nnode %4 = sum 0 1/2*%2 1/2*%3\n\
    ///             node %5 = parameter 0\nnode %6 = product %4^1 %5^1\nkinetic %6\nnode %7 = coordinate 1\n\
    ///             node %8 = parameter 1\nnode %9 = product %5^1 %7^1 %8^1\npotential %9\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert!(dynamics.writes_inverse_dynamics_derivatives());
    /// assert_eq!(dynamics.expressions(Quantity::InverseDynamicsByPosition).len(), 4);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn writes_inverse_dynamics_derivatives(&self) -> bool {
        self.deriving(|derivation| {
            Form::ALL
                .into_iter()
                .any(|form| derivation.has(form) && derivation.writes_derivatives(form))
        })
    }

    /// The same for the derivatives of Q + J^T lambda and of gamma - J a.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, System};
    /// // A mass thrown upwards, along y.
    /// let text = "coordinates x y\nparameters m g\nnode %0 = velocity 0\nnode %1 = velocity 1\n\
    ///             node %2 = product %0^2\nnode %3 = product %1^2\nnode %4 = sum 0 1/2*%2 1/2*%3\n\
    ///             node %5 = parameter 0\nnode %6 = product %4^1 %5^1\nkinetic %6\nnode %7 = coordinate 1\n\
    ///             node %8 = parameter 1\nnode %9 = product %5^1 %7^1 %8^1\npotential %9\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert!(dynamics.writes_force_derivatives());
    /// // Neither forces nor constraints.
    /// let entries = dynamics.expressions(Quantity::ForcesByPosition);
    /// assert!(entries.iter().all(|entry| dynamics.graph().is_zero(*entry)));
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn writes_force_derivatives(&self) -> bool {
        self.deriving(|derivation| derivation.writes_force_derivatives())
    }

    /// The same for [`Quantity::WeightedHessian`]; the rows of a longer one are [`Quantity::WeightedGradientChange`].
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, System, plain_names};
    /// // v^2 + x^3, so that 2 a + 3 x^2 = 0.
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
    ///             node %2 = coordinate 0\nnode %3 = product %2^3\npotential %3\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert!(dynamics.writes_weighted_hessian());
    /// let entries = dynamics.expressions(Quantity::WeightedHessian);
    /// assert_eq!(dynamics.graph().text(entries[0], &plain_names), "-6*y0");
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn writes_weighted_hessian(&self) -> bool {
        self.deriving(|derivation| derivation.writes_weighted_hessian())
    }

    /// The same for the derivatives of the rates of first-order states.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// let text = "coordinates x\nstates z\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
    ///             node %2 = state 0\nnode %3 = sin %2\nrate 0 %3\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert!(dynamics.writes_state_rate_derivatives());
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn writes_state_rate_derivatives(&self) -> bool {
        self.deriving(|derivation| derivation.writes_state_rate_derivatives())
    }

    /// The entries of a quantity as derived.
    pub(crate) fn written_expressions(&self, quantity: Quantity) -> Vec<NodeId> {
        self.deriving(|derivation| derivation.quantity(Form::AsWritten, quantity))
    }

    pub(crate) fn derived(&self) -> RefMut<'_, Derived> {
        self.derived.borrow_mut()
    }

    pub(crate) fn deriving<T>(&self, ask: impl FnOnce(&mut Derivation<'_>) -> T) -> T {
        ask(&mut Derivation {
            system: &self.system,
            kinematics: &self.kinematics,
            recursive: self.recursive.as_ref(),
            derived: &mut self.derived(),
        })
    }

    fn find_facts(&self) -> Facts {
        let forces = self.deriving(|derivation| derivation.forces_with_multipliers());
        let columns = self.jacobian_columns();
        let directions: Vec<Vec<Symbol>> = (0..forces.len())
            .map(|j| {
                let moved = self.kinematics.direction(&mut self.derived().graph, j);
                moved.into_iter().map(|(symbol, _)| symbol).collect()
            })
            .collect();
        let energies = [Quantity::Lagrangian, Quantity::Energy]
            .map(|quantity| self.written_expressions(quantity)[0]);
        let residuals = self.written_expressions(Quantity::ConstraintResidual);
        let mass_matrix = self.written_expressions(Quantity::MassMatrix);
        let evidence = self.deriving(|derivation| {
            let gradient = derivation.gradient_of(derivation.system.energy);
            let mass = derivation.quantity(Form::AsWritten, Quantity::MassMatrix);
            let mass_rates = derivation.rates(&lower_of(&mass, forces.len()));
            let rates_of_energy = rates_of_energy(derivation, &forces);
            let momenta = derivation.quantity(Form::AsWritten, Quantity::Momenta);
            let graph = &mut derivation.derived.graph;
            let turned = derivation.kinematics.gyroscopic(graph, &momenta);
            (gradient, turned, mass_rates, rates_of_energy)
        });
        let (gradient, turned, mass_rates, rates_of_energy) = evidence;
        let energy_is_jacobi_integral = self.energy_is_jacobi_integral();
        let conserved: Vec<bool> = (0..self.system.symmetries.len())
            .map(|number| is_conserved(self, number))
            .collect();
        Facts::of(
            &self.graph(),
            &Evidence {
                directions: &directions,
                energies,
                residuals: &residuals,
                mass_matrix: &mass_matrix,
                gradient: &gradient,
                turned: &turned,
                forces: &forces,
                constraint_columns: &columns,
                rates_of_energy: &rates_of_energy,
                mass_rates: &mass_rates,
                energy_is_jacobi_integral,
                conserved_symmetries: &conserved,
            },
        )
    }

    /// The columns of J: n lists of c entries.
    pub(crate) fn jacobian_columns(&self) -> Vec<Vec<NodeId>> {
        let jacobian = self.written_expressions(Quantity::ConstraintJacobian);
        let n = self.sizes().velocities;
        let column = |j| jacobian.iter().skip(j).step_by(n).copied().collect();
        (0..n).map(column).collect()
    }
}

/// Q . v, dL/dt at fixed q and v, the terms of the constraints' velocity level beside J v, and the derivatives of L and Q
/// by first-order states: if they are not zero, forces do work, or a state acts on the motion.
fn rates_of_energy(derivation: &mut Derivation<'_>, forces: &[NodeId]) -> Vec<NodeId> {
    let lagrangian = derivation.quantity(Form::AsWritten, Quantity::Lagrangian);
    let velocity = derivation.quantity(Form::AsWritten, Quantity::ConstraintVelocity);
    let symbols = derivation.kinematics.velocity_symbols();
    let graph = derivation.graph();
    let v: Vec<NodeId> = symbols.iter().map(|s| graph.symbol(*s)).collect();
    let one = graph.integer(1);
    let mut rates = vec![graph.dot(forces, &v)];
    rates.extend(graph.directional(&lagrangian, &[(Symbol::Time, one)]));
    rates.extend(derivation.at_rest(&velocity));
    rates.extend(derivation.by_states(&[&lagrangian, forces].concat()));
    rates
}
