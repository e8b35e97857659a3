//! The engine's input: the user's declaration, as nodes of one graph.

use crate::{Graph, Kinematics, Multibody, NodeId, Symbol};

/// A mechanical system before its equations are derived.
///
/// Symbols are numbered by position: `Symbol::Coordinate(i)` is the i-th of `names.coordinates`, and
/// `Symbol::Velocity(j)` the j-th velocity of [`Names::kinematics`], which without rotations is its
/// rate.
///
/// ```
/// use lagrange_engine::{Energy, Symbol, System};
/// // A mass on a spring, pulled by an input; what is not said is 0.
/// let text = "coordinates x\ninputs u\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
///             node %2 = coordinate 0\nnode %3 = product %2^2\npotential %3\nnode %4 = input 0\n\
///             force 0 %4\n";
/// let system: System = text.parse()?;
/// assert!(matches!(system.energy, Energy::Natural { .. }));
/// assert_eq!(system.graph.leaf(Symbol::Input(0)), Some(system.forces[0]));
/// assert!(system.graph.is_zero(system.dissipation) && system.constraints.is_empty());
/// // And back.
/// assert_eq!(system.to_string().parse::<System>()?.to_string(), system.to_string());
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct System {
    /// The graph that holds every expression below.
    pub graph: Graph,
    /// The names of the symbols.
    pub names: Names,
    /// Kinetic and potential energy, or the Lagrangian itself, of everything except the bodies.
    pub energy: Energy,
    /// Rigid bodies, whose energies are not among the ones above.
    pub multibody: Multibody,
    /// The Rayleigh dissipation function D(q, v, z, t, u), in which rates of states are held; 0 if there is none.
    pub dissipation: NodeId,
    /// The generalized forces given by the user, explicitly or at points: one for each velocity, without dissipation.
    pub forces: Vec<NodeId>,
    /// The rates of the first-order states, of q, v, z, u and t: one for each of `names.states`.
    pub state_rates: Vec<NodeId>,
    /// The derivatives of the generalized forces by multipliers, on which they depend linearly: n entries for each
    /// constraint in order of declaration, then for each contact. Empty if no force depends on a multiplier.
    pub multiplier_forces: Vec<Vec<NodeId>>,
    /// The constraints in order of declaration.
    pub constraints: Vec<Constraint>,
    /// The contacts in order of declaration. They act on nothing by themselves.
    pub contacts: Vec<Contact>,
    /// The joints whose dry friction can hold them. This friction is not among the forces.
    pub dry_joints: Vec<DryJoint>,
    /// Expressions that become methods of their own.
    pub outputs: Vec<Output>,
    /// Parameters whose coefficients in the equations of motion are requested.
    pub regressors: Vec<ParameterList>,
    /// Lists of parameters by which accelerations are differentiated.
    pub sensitivities: Vec<ParameterList>,
    /// Directions along which the motion should not change.
    pub symmetries: Vec<Symmetry>,
}

impl System {
    /// The energy of everything, bodies included.
    ///
    /// ```
    /// use lagrange_engine::{Energy, System, plain_names};
    /// // A slider along x.
    /// let text = "coordinates x\nparameters m g\nnode %0 = coordinate 0\nnode %1 = number 0\n\
    ///             node %2 = parameter 0\nnode %3 = parameter 1\nframe 0 translate %0 %1 %1\n\
    ///             body 1 %2 %1 %1 %1\ngravity %3 %1 %1\n";
    /// let mut system: System = text.parse()?;
    /// let Energy::Natural { kinetic, potential } = system.whole_energy() else { panic!() };
    /// assert_eq!(system.graph.text(kinetic, &plain_names), "p0*v0^2/2");
    /// assert_eq!(system.graph.text(potential, &plain_names), "-q0*p0*p1");
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn whole_energy(&mut self) -> Energy {
        let kinematics = self.names.kinematics();
        let graph = &mut self.graph;
        self.multibody.with_energy(graph, &kinematics, self.energy)
    }

    /// The same system with the energies of its bodies instead of the bodies; its frames stay.
    ///
    /// ```
    /// use lagrange_engine::{Energy, System, plain_names};
    /// // A slider along x.
    /// let text = "coordinates x\nparameters m g\nnode %0 = coordinate 0\nnode %1 = number 0\n\
    ///             node %2 = parameter 0\nnode %3 = parameter 1\nframe 0 translate %0 %1 %1\n\
    ///             body 1 %2 %1 %1 %1\ngravity %3 %1 %1\n";
    /// let system: System = text.parse()?;
    /// let system = system.without_bodies();
    /// assert!(system.multibody.bodies().is_empty());
    /// let Energy::Natural { kinetic, .. } = system.energy else { panic!() };
    /// assert_eq!(system.graph.text(kinetic, &plain_names), "p0*v0^2/2");
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn without_bodies(mut self) -> Self {
        self.energy = self.whole_energy();
        self.multibody = self.multibody.without_bodies();
        self
    }
}

/// The names of the symbols, one for each element of an array (`r[0]`, `R[0, 1]`).
#[derive(Clone, Default, Debug)]
pub struct Names {
    /// One for each generalized coordinate.
    pub coordinates: Vec<String>,
    /// The first coordinate of each rotation: a unit quaternion, four coordinates in the order x, y, z, w.
    pub rotations: Vec<usize>,
    /// One for each parameter.
    pub parameters: Vec<String>,
    /// One for each first-order state.
    pub states: Vec<String>,
    /// One for each input.
    pub inputs: Vec<String>,
    /// The name of explicit time, if the system declares it.
    pub time: Option<String>,
}

impl Names {
    /// The motion of the coordinates by the velocities.
    pub fn kinematics(&self) -> Kinematics {
        Kinematics::new(self.coordinates.len(), &self.rotations)
    }

    /// The number n of velocities.
    pub fn velocity_count(&self) -> usize {
        self.coordinates.len() - self.rotations.len()
    }

    /// The symbols of all coordinates.
    pub fn coordinate_symbols(&self) -> Vec<Symbol> {
        self.kinematics().coordinate_symbols()
    }

    /// The symbols of all velocities.
    pub fn velocity_symbols(&self) -> Vec<Symbol> {
        self.kinematics().velocity_symbols()
    }

    /// The names of the velocities, as a user writes them.
    pub fn velocities(&self) -> Vec<String> {
        let kinematics = self.kinematics();
        (0..kinematics.velocity_count())
            .map(|velocity| self.velocity(&kinematics, velocity))
            .collect()
    }

    fn velocity(&self, kinematics: &Kinematics, velocity: usize) -> String {
        // A rotation's velocities are named by their axes, like its first three coordinates.
        let coordinate = match kinematics.rotation_of_velocity(velocity) {
            Some(rotation) => rotation.coordinate + velocity - rotation.velocity,
            None => kinematics
                .coordinate_of_velocity(velocity)
                .unwrap_or(velocity),
        };
        let name = &self.coordinates[coordinate];
        let end = match kinematics.rotation_of_velocity(velocity) {
            Some(_) => name.rfind('.'),
            None => name.rfind('[').filter(|_| name.ends_with(']')),
        };
        match end {
            Some(end) => format!("der({}){}", &name[..end], &name[end..]),
            None => format!("der({name})"),
        }
    }
}

/// The source of the equations of motion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Energy {
    /// L = T - V with T of degree two at most in the velocities.
    Natural {
        /// T(q, v, t).
        kinetic: NodeId,
        /// V(q, z, t).
        potential: NodeId,
    },
    /// The Lagrangian L(q, v, t) itself.
    Lagrangian(NodeId),
}

/// One scalar constraint: `residual = 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// Its name; with an index if the declaration had several rows (`closure[0]`).
    pub name: String,
    /// The kind of the constraint.
    pub kind: ConstraintKind,
    /// Left side minus right side: of q and t if holonomic, else affine in v.
    pub residual: NodeId,
}

/// The kinds of constraints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConstraintKind {
    /// The coordinates: g(q, t) = 0.
    Holonomic,
    /// The velocities: A(q, t) v + b(q, t) = 0.
    Nonholonomic,
}

/// A place where two things may touch: `gap >= 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contact {
    /// Its name; with an index where it stands in a loop (`foot[0]`).
    pub name: String,
    /// The distance, of q and t.
    pub gap: NodeId,
    /// The sliding velocities, affine in v: none without friction, one in a plane, two in space.
    pub slips: Vec<NodeId>,
    /// The coefficient of friction, of q, v and t; none is 0.
    pub friction: Option<NodeId>,
    /// The coefficient of restitution, of q, v and t; none is 0.
    pub restitution: Option<NodeId>,
}

impl Contact {
    /// A contact without friction and restitution.
    ///
    /// ```
    /// use lagrange_engine::{Contact, Graph};
    /// let mut graph = Graph::default();
    /// let floor = Contact::new("floor", graph.integer(1));
    /// assert!(floor.slips.is_empty() && floor.friction.is_none());
    /// ```
    pub fn new(name: impl Into<String>, gap: NodeId) -> Self {
        Self {
            name: name.into(),
            gap,
            slips: Vec::new(),
            friction: None,
            restitution: None,
        }
    }
}

/// A joint with dry friction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DryJoint {
    /// The number of its velocity.
    pub velocity: usize,
    /// The largest friction, of q and t.
    pub limit: NodeId,
}

/// A named expression of the user, evaluated by a method of its own.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Its entries, row by row.
    pub entries: Vec<NodeId>,
}

/// Parameters for the columns of a matrix: those of a regressor, which enter the equations of motion linearly, or those
/// by which accelerations are differentiated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterList {
    /// Its name.
    pub name: String,
    /// The numbers of the parameters, in the order of their columns.
    pub parameters: Vec<u32>,
}

/// An infinitesimal symmetry: q moves by `N xi` times a small number, at fixed t.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// Its name.
    pub name: String,
    /// xi, one for each velocity: of q, t and parameters.
    pub along: Vec<NodeId>,
}

/// The shape of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A number.
    Scalar,
    /// A column with this number of entries.
    Vector(usize),
    /// Rows and columns.
    Matrix(usize, usize),
}

impl Shape {
    /// The number of entries.
    pub fn len(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vector(n) => n,
            Self::Matrix(rows, columns) => rows * columns,
        }
    }

    /// Returns whether there is no entry.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}
