//! Rigid bodies in frames: their energies, and their equations of motion by recursion.
//!
//! A [`Multibody`] is a part of a [`System`](crate::System) beside its energies: frames declared by joints, bodies in
//! them, and gravity. It gives T and V of the bodies. For the bodies that recursion can treat ([`Multibody::split`]) it
//! gives M by composite inertias, and the bias and the inverse dynamics by Newton's and Euler's equations, which are
//! equivalent and take fewer operations.

mod axis;
mod columns;
mod composite;
mod composite_bias;
mod composite_rates;
mod energy;
mod error;
mod floating;
mod frames;
mod link_rotation;
mod motion;
mod newton_euler;
mod outputs;
mod pose;
mod poses;
mod recursion;
mod sensitivities;
mod space;
mod tree;
mod velocities;

pub use error::MultibodyError;
pub use frames::{FrameId, Frames, Joint};
pub use recursion::{Recursion, Split};

use crate::{Energy, Graph, Kinematics, NodeId};
use frames::check_positional;
pub(crate) use outputs::FrameMotions;

/// Frames, bodies in them, and gravity. By default only the world.
///
/// A planar body is a body of the world at z = 0.
///
/// ```
/// use lagrange_engine::{Body, FrameId, Graph, Joint, Kinematics, Multibody, Symbol, plain_names};
/// // A point mass on a rod, turning about z by q0; gravity along -y.
/// let mut graph = Graph::new();
/// let kinematics = Kinematics::scalars(1);
/// let [q, m, l, g] = [
///     Symbol::Coordinate(0), Symbol::Parameter(0), Symbol::Parameter(1), Symbol::Parameter(2),
/// ].map(|symbol| graph.symbol(symbol));
/// let [zero, one] = [0, 1].map(|number| graph.integer(number));
/// let mut multibody = Multibody::default();
/// let turn = Joint::Turn { axis: [zero, zero, one], angle: q };
/// let frames = multibody.frames_mut(&mut graph);
/// let frame = frames.add(&mut graph, &kinematics, FrameId::WORLD, turn).unwrap();
/// let bob = Body { frame, at: [l, zero, zero], mass: m, inertia: [[zero; 3]; 3] };
/// multibody.add_body(&mut graph, bob).unwrap();
/// let down = graph.neg(g);
/// multibody.set_gravity(&graph, [zero, down, zero]).unwrap();
///
/// let recursion = multibody.split(&mut graph, &kinematics).recursion.unwrap();
/// let mass = recursion.mass_matrix(&mut graph);
/// let bias = recursion.bias(&mut graph);
/// assert_eq!(graph.text(mass[0], &plain_names), "p0*p1^2");
/// assert_eq!(graph.text(bias[0], &plain_names), "p0*p1*p2*cos(q0)");
/// ```
#[derive(Clone, Default, Debug)]
pub struct Multibody {
    /// `None` until they are first used.
    frames: Option<Frames>,
    bodies: Vec<Body>,
    gravity: Option<[NodeId; 3]>,
    outputs: Vec<(String, FrameId)>,
}

/// A rigid body, or a particle.
///
/// ```
/// use lagrange_engine::{Body, FrameId, Graph, Kinematics, Multibody, Symbol, plain_names};
/// // A particle of the world, at (x, 0, 0).
/// let mut graph = Graph::new();
/// let [x, mass] = [Symbol::Coordinate(0), Symbol::Parameter(0)].map(|symbol| graph.symbol(symbol));
/// let zero = graph.integer(0);
/// let particle = Body {
///     frame: FrameId::WORLD,
///     at: [x, zero, zero],
///     mass,
///     inertia: [[zero; 3]; 3],
/// };
/// let mut multibody = Multibody::default();
/// multibody.add_body(&mut graph, particle).unwrap();
/// let kinetic = multibody.kinetic(&mut graph, &Kinematics::scalars(1));
/// assert_eq!(graph.text(kinetic, &plain_names), "p0*v0^2/2");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    /// The frame that it is in.
    pub frame: FrameId,
    /// The centre of mass in the frame's axes; it may move.
    pub at: [NodeId; 3],
    /// The mass.
    pub mass: NodeId,
    /// The inertia about the centre of mass in the frame's axes; only the symmetric part counts.
    pub inertia: [[NodeId; 3]; 3],
}

impl Multibody {
    /// These frames, without bodies.
    pub fn new(frames: Frames) -> Self {
        Multibody {
            frames: Some(frames),
            ..Self::default()
        }
    }

    /// The frames; `None` as long as nothing was added.
    pub fn frames(&self) -> Option<&Frames> {
        self.frames.as_ref()
    }

    /// The frames, to add to them.
    pub fn frames_mut(&mut self, graph: &mut Graph) -> &mut Frames {
        self.frames.get_or_insert_with(|| Frames::new(graph))
    }

    /// The bodies in order of declaration.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The acceleration of gravity in the world's axes.
    pub fn gravity(&self) -> Option<[NodeId; 3]> {
        self.gravity
    }

    /// Adds a body.
    ///
    /// # Errors
    ///
    /// There is no such frame, or an expression contains velocities, first-order states or inputs.
    pub fn add_body(&mut self, graph: &mut Graph, body: Body) -> Result<(), MultibodyError> {
        if !self.frames_mut(graph).contains(body.frame) {
            return Err(MultibodyError::UnknownFrame);
        }
        check_positional(graph, &body.entries())?;
        self.bodies.push(body);
        Ok(())
    }

    /// Sets the acceleration of gravity, which may differ from place to place: V = -m g . r.
    ///
    /// # Errors
    ///
    /// An expression contains velocities, first-order states or inputs.
    pub fn set_gravity(
        &mut self,
        graph: &Graph,
        gravity: [NodeId; 3],
    ) -> Result<(), MultibodyError> {
        check_positional(graph, &gravity)?;
        self.gravity = Some(gravity);
        Ok(())
    }

    /// The output frames, with their names, in order of declaration.
    pub fn outputs(&self) -> &[(String, FrameId)] {
        &self.outputs
    }

    /// Makes a frame an output, with a name.
    ///
    /// # Errors
    ///
    /// There is no such frame.
    pub fn add_output(
        &mut self,
        name: impl Into<String>,
        frame: FrameId,
    ) -> Result<(), MultibodyError> {
        let exists = match &self.frames {
            Some(frames) => frames.contains(frame),
            None => frame == FrameId::WORLD,
        };
        if !exists {
            return Err(MultibodyError::UnknownFrame);
        }
        self.outputs.push((name.into(), frame));
        Ok(())
    }

    /// The frames, if there are output frames.
    pub(crate) fn without_bodies(&self) -> Self {
        Multibody {
            frames: self.frames.clone().filter(|_| !self.outputs.is_empty()),
            outputs: self.outputs.clone(),
            ..Self::default()
        }
    }

    /// The kinetic energy of all bodies.
    pub fn kinetic(&self, graph: &mut Graph, kinematics: &Kinematics) -> NodeId {
        let Some(frames) = &self.frames else {
            return graph.integer(0);
        };
        let energies: Vec<NodeId> = self
            .bodies
            .iter()
            .map(|body| frames.kinetic_energy(graph, kinematics, body))
            .collect();
        graph.total(energies)
    }

    /// The potential energy of all bodies: V = -m g . r.
    pub fn potential(&self, graph: &mut Graph) -> NodeId {
        let energies = match (&self.frames, self.gravity) {
            (Some(frames), Some(gravity)) => {
                frames.potential_energies(graph, gravity, &self.bodies)
            }
            _ => Vec::new(),
        };
        graph.total(energies)
    }

    /// An energy together with that of the bodies.
    pub fn with_energy(
        &self,
        graph: &mut Graph,
        kinematics: &Kinematics,
        energy: Energy,
    ) -> Energy {
        let (kinetic_of_bodies, potential_of_bodies) =
            (self.kinetic(graph, kinematics), self.potential(graph));
        match energy {
            Energy::Natural { kinetic, potential } => Energy::Natural {
                kinetic: graph.add(kinetic, kinetic_of_bodies),
                potential: graph.add(potential, potential_of_bodies),
            },
            Energy::Lagrangian(lagrangian) => {
                let of_bodies = graph.sub(kinetic_of_bodies, potential_of_bodies);
                Energy::Lagrangian(graph.add(lagrangian, of_bodies))
            }
        }
    }

    /// All its expressions: of joints, bodies and gravity, in this order.
    pub fn entries(&self) -> Vec<NodeId> {
        let joints = self
            .frames
            .iter()
            .flat_map(|frames| frames.joints().map(|(_, joint)| joint.entries()));
        let bodies = self.bodies.iter().map(Body::entries);
        let gravity = self.gravity.iter().map(|gravity| gravity.to_vec());
        joints.chain(bodies).chain(gravity).flatten().collect()
    }
}

impl Body {
    /// Mass, place and inertia.
    fn entries(&self) -> Vec<NodeId> {
        let inertia = self.inertia.concat();
        [&[self.mass], &self.at[..], &inertia].concat()
    }
}
