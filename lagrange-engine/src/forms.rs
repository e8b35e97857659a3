//! The forms of the equations of motion, and their derivation.
//!
//! All forms give the same values. *As written* differentiates the energies as the user gave them. *By the mass matrix*
//! differentiates `T = v^T M v / 2 + b v + T0` again, with M, b and T0 simplified: terms that cancel in M are gone, as
//! in equations of a textbook. *Factored* differs from both for derivatives of M a + h, which is factored before it is
//! differentiated. *Multibody* is recursion along the tree of bodies, and *mass moments* is the same with M and forces both
//! from the moments of mass behind each joint. The cheapest form depends on the set of requested quantities:
//! [`crate::codegen::programs`] tries them.
//!
//! A quantity is derived at its first use, and stored.

mod as_written;
mod by_mass_matrix;
mod constraints;
mod contacts;
mod coriolis;
mod derivatives;
mod extent;
mod frames;
mod full;
mod hamilton;
mod hessian;
mod maps;
mod multibody;
mod outputs;
mod parameters;
mod regressors;
mod symmetries;

use std::collections::HashMap;

pub(crate) use derivatives::reactions;
pub(crate) use multibody::Recursive;

use crate::graph::GraphMark;
use crate::multibody::FrameMotions;
use crate::simplify::{Factored, distributable, distributed, factored, simplified, simplify};
use crate::{Energy, Graph, Kinematics, NodeId, Quantity, System};

/// The source of the terms of the equations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Form {
    AsWritten,
    ByMassMatrix,
    Factored,
    FactoredByMassMatrix,
    Multibody,
    MassMoments,
}

/// The derived quantities.
#[derive(Clone, Default, Debug)]
pub(crate) struct Derived {
    pub(crate) graph: Graph,
    known: Known,
}

/// Results that later derivations look up.
#[derive(Clone, Default, Debug)]
struct Known {
    factored: Factored,
    quantities: HashMap<(Form, Quantity), Vec<NodeId>>,
    /// The energies by the mass matrix; `Some(None)` if there is no such form.
    by_mass_matrix: Option<Option<Energy>>,
    /// The motion of output frames.
    frame_motions: Option<FrameMotions>,
    /// The lengths of the derivatives of M a + h in each form.
    pairs: HashMap<Form, Option<usize>>,
}

/// A system whose quantities are derived on demand.
pub(crate) struct Derivation<'a> {
    /// Without its graph.
    pub(crate) system: &'a System,
    pub(crate) kinematics: &'a Kinematics,
    pub(crate) recursive: Option<&'a Recursive>,
    pub(crate) derived: &'a mut Derived,
}

impl Form {
    pub(crate) const ALL: [Self; 6] = [
        Self::AsWritten,
        Self::ByMassMatrix,
        Self::Factored,
        Self::FactoredByMassMatrix,
        Self::Multibody,
        Self::MassMoments,
    ];
}

impl Form {
    /// The form that is factored before it is differentiated.
    pub(crate) fn differentiated(self) -> Self {
        match self {
            Self::Factored => Self::AsWritten,
            Self::FactoredByMassMatrix => Self::ByMassMatrix,
            form => form,
        }
    }

    /// Returns whether it uses recursion along the bodies.
    fn is_recursive(self) -> bool {
        matches!(self, Self::Multibody | Self::MassMoments)
    }
}

impl Quantity {
    /// Returns whether it can be derived from the moments of mass behind each joint.
    pub(crate) fn takes_mass_moments(self) -> bool {
        use Quantity as Q;
        matches!(
            self,
            Q::MassMatrix
                | Q::Bias
                | Q::Forcing
                | Q::MassMatrixFull
                | Q::ForcingFull
                | Q::FrameBias(_)
        )
    }
}

impl Quantity {
    /// Returns whether it is one of the derivatives of M a + h.
    pub(crate) fn is_inverse_dynamics_derivative(self) -> bool {
        matches!(
            self,
            Self::InverseDynamicsByPosition | Self::InverseDynamicsByVelocity
        )
    }
}

/// An earlier state of the derived quantities.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    graph: GraphMark,
    known: Known,
}

impl Derived {
    /// The present state.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            graph: self.graph.mark(),
            known: self.known.clone(),
        }
    }

    /// Removes all that was added since a state of this one.
    pub(crate) fn restore(&mut self, mark: &Mark) {
        self.graph.restore(&mark.graph);
        let (known, earlier) = (&mut self.known, &mark.known);
        known.factored.clone_from(&earlier.factored);
        // Entries are added, and never changed.
        known
            .quantities
            .retain(|key, _| earlier.quantities.contains_key(key));
        known
            .pairs
            .retain(|form, _| earlier.pairs.contains_key(form));
        known.by_mass_matrix = earlier.by_mass_matrix;
        if earlier.frame_motions.is_none() {
            known.frame_motions = None;
        }
    }

    pub(crate) fn new(graph: Graph) -> Self {
        Self {
            graph,
            ..Self::default()
        }
    }

    /// The expressions simplified in several ways.
    pub(crate) fn simplify(&mut self, roots: &[NodeId]) -> Vec<Vec<NodeId>> {
        simplify(&mut self.graph, &mut self.known.factored, roots)
    }

    /// Products in these expressions that may take fewer operations when multiplied out.
    pub(crate) fn distributable(&self, roots: &[NodeId]) -> Vec<NodeId> {
        distributable(&self.graph, roots)
    }

    /// The expressions with these products, in ascending order, multiplied out.
    pub(crate) fn distributed(&mut self, roots: &[NodeId], products: &[NodeId]) -> Vec<NodeId> {
        distributed(&mut self.graph, roots, products)
    }

    /// The expressions with common factors taken out of sums.
    pub(crate) fn factored(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        factored(&mut self.graph, &mut self.known.factored, roots)
    }

    /// The expressions simplified in the way that leaves shared products whole.
    pub(crate) fn simplified(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        simplified(&mut self.graph, &mut self.known.factored, roots)
    }
}

impl Derivation<'_> {
    /// The entries of a quantity, row by row; empty if the system does not have it.
    pub(crate) fn quantity(&mut self, form: Form, quantity: Quantity) -> Vec<NodeId> {
        let form = self.form_of(form, quantity);
        if let Some(entries) = self.derived.known.quantities.get(&(form, quantity)) {
            return entries.clone();
        }
        let entries = self.derive(form, quantity);
        self.derived
            .known
            .quantities
            .insert((form, quantity), entries.clone());
        entries
    }

    /// Returns whether a system has this form at all.
    pub(crate) fn has(&mut self, form: Form) -> bool {
        match form {
            Form::AsWritten => true,
            Form::ByMassMatrix => self.energy_by_mass_matrix().is_some(),
            Form::Factored => self.is_short(Form::AsWritten),
            Form::FactoredByMassMatrix => {
                self.has(Form::ByMassMatrix) && self.is_short(Form::ByMassMatrix)
            }
            Form::Multibody => {
                self.recursive.is_some() || !self.system.multibody.outputs().is_empty()
            }
            Form::MassMoments => self.recursive.is_some(),
        }
    }

    /// The form that derives a quantity: as written, if it does not depend on the form.
    fn form_of(&self, form: Form, quantity: Quantity) -> Form {
        use Quantity as Q;
        let form = match form {
            Form::MassMoments if !quantity.takes_mass_moments() => Form::Multibody,
            form if !quantity.is_inverse_dynamics_derivative() => form.differentiated(),
            form => form,
        };
        let differs = match form {
            Form::MassMoments | Form::Factored | Form::FactoredByMassMatrix => true,
            Form::AsWritten => false,
            Form::Multibody => matches!(
                quantity,
                Q::MassMatrix
                    | Q::Bias
                    | Q::InverseDynamics
                    | Q::Forcing
                    | Q::InverseDynamicsByPosition
                    | Q::InverseDynamicsByVelocity
                    | Q::FrameOrigin(_)
                    | Q::FrameJacobian(_)
                    | Q::FrameBias(_)
                    | Q::Regressor(_)
                    | Q::EquationsByParameter(_)
                    | Q::WeightedHessian
                    | Q::WeightedMixed
                    | Q::WeightedGradientChange
                    | Q::WeightedMixedChange
                    | Q::MassMatrixFull
                    | Q::ForcingFull
                    | Q::WeightedInverseDynamicsByPosition
                    | Q::WeightedInverseDynamicsByVelocity
            ),
            Form::ByMassMatrix => matches!(
                quantity,
                Q::MassMatrix
                    | Q::Momenta
                    | Q::Bias
                    | Q::Forcing
                    | Q::InverseDynamics
                    | Q::KineticEnergy
                    | Q::CoriolisMatrix
                    | Q::Lagrangian
                    | Q::Energy
                    | Q::JacobiIntegral
                    | Q::InverseDynamicsByPosition
                    | Q::InverseDynamicsByVelocity
                    | Q::KineticMomenta
                    | Q::MomentumRate
                    | Q::MomentumForces
                    | Q::WeightedMomentaByPosition
                    | Q::WeightedMomentaByVelocity
                    | Q::WeightedMomentaByHeld
                    | Q::Regressor(_)
                    | Q::EquationsByParameter(_)
                    | Q::WeightedHessian
                    | Q::WeightedMixed
                    | Q::WeightedGradientChange
                    | Q::WeightedMixedChange
                    | Q::NoetherMomentum(_)
                    | Q::MassMatrixFull
                    | Q::ForcingFull
                    | Q::WeightedInverseDynamicsByPosition
                    | Q::WeightedInverseDynamicsByVelocity
            ),
        };
        if differs { form } else { Form::AsWritten }
    }

    fn derive(&mut self, form: Form, quantity: Quantity) -> Vec<NodeId> {
        use Quantity as Q;
        match quantity {
            Q::MassMatrix => self.mass_matrix(form),
            Q::Momenta => self.momenta(form),
            Q::Bias => self.bias(form),
            Q::InverseDynamics => self.inverse_dynamics(form),
            Q::GeneralizedForces => self.generalized_forces(),
            Q::Forcing => {
                let forces = self.quantity(form, Q::GeneralizedForces);
                let bias = self.quantity(form, Q::Bias);
                self.subtract_entries(&forces, &bias)
            }
            Q::CoordinateRates => self.kinematics.coordinate_rates(self.graph()),
            Q::KineticEnergy => self
                .natural(form)
                .map(|(kinetic, _)| kinetic)
                .into_iter()
                .collect(),
            Q::PotentialEnergy => {
                let natural = self.natural(form);
                natural
                    .map(|(_, potential)| potential)
                    .into_iter()
                    .collect()
            }
            Q::PotentialGradient => match self.natural(form) {
                Some((_, potential)) => self.gradient(potential),
                None => Vec::new(),
            },
            Q::CoriolisMatrix => self.coriolis_matrix(form),
            Q::Lagrangian => vec![self.lagrangian(form)],
            Q::Energy => vec![self.energy(form)],
            Q::JacobiIntegral => vec![self.jacobi_integral(form)],
            Q::ConstraintResidual => self.constraint_residual(),
            Q::ConstraintVelocity => self.constraint_velocity(),
            Q::ConstraintJacobian => self.constraint_jacobian(),
            Q::HolonomicJacobian => self.holonomic_jacobian(),
            Q::ConstraintGamma => self.constraint_gamma(),
            Q::ContactGaps => self.contact_gaps(),
            Q::ContactGapRates => self.contact_gap_rates(),
            Q::ContactJacobian => self.contact_jacobian(),
            Q::ContactGamma => self.contact_gamma(),
            Q::Slips(direction) => self.slips(direction),
            Q::SlipJacobian(direction) => self.slip_jacobian(direction),
            Q::SlipGamma(direction) => self.slip_gamma(direction),
            Q::ContactFriction => self.contact_coefficients(|contact| contact.friction),
            Q::ContactRestitution => self.contact_coefficients(|contact| contact.restitution),
            Q::JointLimits => self.joint_limits(),
            Q::MultiplierForces => self.multiplier_forces(),
            Q::ContactForcesByPosition => self.contact_forces_by_position(),
            Q::ContactForcesByVelocity => self.contact_forces_by_velocity(),
            Q::ContactForcesByHeld => self.contact_forces_by_held(),
            Q::ContactImpulsesByPosition => self.contact_impulses_by_position(),
            Q::ContactsByPosition => self.contacts_by_position(),
            Q::ContactsByVelocity => self.contacts_by_velocity(),
            Q::ImpulsesByPosition => self.impulses_by_position(),
            Q::ImpulsesByVelocity => self.impulses_by_velocity(),
            Q::ConstraintChangesByPosition => self.changes_by_position(Q::ConstraintJacobian),
            Q::ContactChangesByPosition => self.changes_by_position(Q::ContactJacobian),
            Q::GapRatesByPosition => self.gap_rates_by_position(),
            Q::InverseDynamicsByPosition | Q::InverseDynamicsByVelocity => {
                self.inverse_dynamics_derivatives(form, quantity)
            }
            Q::ForcesByPosition => self.forces_by_position(),
            Q::ForcesByVelocity => self.forces_by_velocity(),
            Q::ForcesByHeld => self.forces_by_held(),
            Q::ConstraintsByPosition => self.constraints_by_position(),
            Q::ConstraintsByVelocity => self.constraints_by_velocity(),
            Q::ConstraintVelocityByPosition => self.constraint_velocity_by_position(),
            Q::WeightedInverseDynamicsByPosition | Q::WeightedInverseDynamicsByVelocity => {
                self.weighted_inverse_dynamics(form, quantity)
            }
            Q::WeightedForcesByPosition | Q::WeightedForcesByVelocity | Q::WeightedForcesByHeld => {
                self.weighted_forces(quantity)
            }
            Q::StateRates => self.system.state_rates.clone(),
            Q::StateRatesByPosition => self.by_position(&self.system.state_rates),
            Q::StateRatesByVelocity => self.by_velocity(&self.system.state_rates),
            Q::StateRatesByHeld => self.by_held(&self.system.state_rates),
            Q::WeightedStateRatesByPosition
            | Q::WeightedStateRatesByVelocity
            | Q::WeightedStateRatesByHeld => self.weighted_state_rates(quantity),
            Q::Output(number) => self.output(number),
            Q::OutputJacobian(number) => self.output_jacobian(number),
            Q::OutputByVelocities(number) => self.output_by_velocities(number),
            Q::OutputByStates(number) => self.output_by_states(number),
            Q::OutputByInputs(number) => self.output_by_inputs(number),
            Q::OutputRate(number) => self.output_rate(number),
            Q::OutputBias(number) => self.output_bias(number),
            Q::OutputHessian(number) => self.output_hessian(number),
            Q::FrameOrigin(number) => self.frame_origin(form, number),
            Q::FrameRotation(number) => self.frame_rotation(number),
            Q::FrameVelocity(number) => self.frame_velocity(number),
            Q::FrameJacobian(number) => self.frame_jacobian(form, number),
            Q::FrameBias(number) => self.frame_bias(form, number),
            Q::KineticMomenta => self.kinetic_momenta(form),
            Q::MomentumRate => self.momentum_rate(form),
            Q::MomentumForces => self.momentum_forces(form),
            Q::WeightedMomentaByPosition
            | Q::WeightedMomentaByVelocity
            | Q::WeightedMomentaByHeld => self.weighted_momenta(form, quantity),
            Q::Regressor(number) => self.regressor(form, number),
            Q::EquationsByParameter(number) => self.equations_by_parameter(form, number),
            Q::WeightedHessian | Q::WeightedMixed => self.weighted_hessian(form, quantity),
            Q::WeightedGradientChange | Q::WeightedMixedChange => {
                self.weighted_gradient_change(form, quantity)
            }
            Q::ConstraintsByParameter(number) => self.constraints_by_parameter(number),
            Q::NoetherMomentum(number) => self.noether_momentum(form, number),
            Q::MassMatrixFull => self.mass_matrix_full(form),
            Q::ForcingFull => self.forcing_full(form),
        }
    }

    pub(crate) fn graph(&mut self) -> &mut Graph {
        &mut self.derived.graph
    }

    /// The energies that a form differentiates.
    fn source(&mut self, form: Form) -> Energy {
        match form.differentiated() {
            Form::ByMassMatrix => self.energy_by_mass_matrix().unwrap_or(self.system.energy),
            _ => self.system.energy,
        }
    }

    /// T and V, if they are separate.
    fn natural(&mut self, form: Form) -> Option<(NodeId, NodeId)> {
        match self.source(form) {
            Energy::Natural { kinetic, potential } => Some((kinetic, potential)),
            Energy::Lagrangian(_) => None,
        }
    }

    /// The derivatives of `root` along the directions of v.
    pub(crate) fn gradient(&mut self, root: NodeId) -> Vec<NodeId> {
        self.kinematics.gradient(&mut self.derived.graph, root)
    }

    /// The derivatives of `root` by v.
    pub(crate) fn by_velocities(&mut self, root: NodeId) -> Vec<NodeId> {
        let velocities = self.kinematics.velocity_symbols();
        self.graph().gradient(root, &velocities)
    }

    /// The time derivatives at a = 0: (q, t) -> (N v, 1).
    pub(crate) fn rates_at_constant_velocity(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let direction = self.kinematics.along_the_motion(&mut self.derived.graph);
        self.graph().directional(roots, &direction)
    }

    pub(crate) fn at_rest(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let zero = self.graph().integer(0);
        let velocities = self.kinematics.velocity_symbols();
        let zeros: Vec<_> = velocities.into_iter().map(|s| (s, zero)).collect();
        self.graph().substitute(roots, &zeros)
    }

    fn velocities(&mut self) -> Vec<NodeId> {
        let symbols = self.kinematics.velocity_symbols();
        symbols.iter().map(|s| self.graph().symbol(*s)).collect()
    }

    fn add_entries(&mut self, left: &[NodeId], right: &[NodeId]) -> Vec<NodeId> {
        left.iter()
            .zip(right)
            .map(|(a, b)| self.derived.graph.add(*a, *b))
            .collect()
    }

    fn subtract_entries(&mut self, left: &[NodeId], right: &[NodeId]) -> Vec<NodeId> {
        left.iter()
            .zip(right)
            .map(|(a, b)| self.derived.graph.sub(*a, *b))
            .collect()
    }
}
