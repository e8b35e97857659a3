//! The engine's input: what a user declared, as nodes of one graph.

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
    /// What the symbols are called.
    pub names: Names,
    /// Kinetic and potential energy, or the Lagrangian itself, of all but the bodies.
    pub energy: Energy,
    /// Rigid bodies, whose energies are not among the ones above.
    pub multibody: Multibody,
    /// The Rayleigh dissipation function D(q, v, t, u); 0 if there is none.
    pub dissipation: NodeId,
    /// The generalized forces given by the user, explicitly or at points: one for each velocity,
    /// without what dissipation adds.
    pub forces: Vec<NodeId>,
    /// The constraints in order of declaration.
    pub constraints: Vec<Constraint>,
    /// Expressions that become methods of their own.
    pub outputs: Vec<Output>,
    /// Parameters whose coefficients in the equations of motion are asked for.
    pub regressors: Vec<Regressor>,
    /// Directions along which the motion shall not change.
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

    /// The same system with the energies of its bodies in the place of the bodies; its frames stay.
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
///
/// ```
/// use lagrange_engine::{Names, Symbol};
/// let names = Names {
///     coordinates: ["x", "att.x", "att.y", "att.z", "att.w"].map(String::from).to_vec(),
///     rotations: vec![1],
///     ..Names::default()
/// };
/// assert_eq!((names.coordinates.len(), names.velocity_count()), (5, 4));
/// assert_eq!(names.kinematics().rotation_of_velocity(3).unwrap().coordinate, 1);
/// assert_eq!(names.coordinate_symbols().last(), Some(&Symbol::Coordinate(4)));
/// assert_eq!(names.velocity_symbols().last(), Some(&Symbol::Velocity(3)));
/// ```
#[derive(Clone, Default, Debug)]
pub struct Names {
    /// One for each generalized coordinate.
    pub coordinates: Vec<String>,
    /// The first coordinate of each rotation: a unit quaternion, four coordinates in the order x, y, z, w.
    pub rotations: Vec<usize>,
    /// One for each parameter.
    pub parameters: Vec<String>,
    /// One for each input.
    pub inputs: Vec<String>,
    /// The name of explicit time, if the system declares it.
    pub time: Option<String>,
}

impl Names {
    /// How the velocities move the coordinates.
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

    /// What the velocities are called, as a user writes them.
    ///
    /// ```
    /// use lagrange_engine::Names;
    /// let coordinates = ["r[0]", "att.x", "att.y", "att.z", "att.w"];
    /// let names = Names {
    ///     coordinates: coordinates.map(String::from).to_vec(),
    ///     rotations: vec![1],
    ///     ..Names::default()
    /// };
    /// assert_eq!(names.velocities(), ["der(r)[0]", "der(att).x", "der(att).y", "der(att).z"]);
    /// ```
    pub fn velocities(&self) -> Vec<String> {
        let kinematics = self.kinematics();
        let all = 0..kinematics.velocity_count();
        all.map(|velocity| self.velocity(&kinematics, velocity))
            .collect()
    }

    fn velocity(&self, kinematics: &Kinematics, velocity: usize) -> String {
        // A rotation's velocities are called by their axes, as its first three coordinates are.
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

/// Where the equations of motion come from.
///
/// ```
/// use lagrange_engine::{Dynamics, Energy, Quantity, System, plain_names};
/// // L = v^2 - q v: the last term adds to the momentum, and to no force.
/// let text = "coordinates q\nnode %0 = velocity 0\nnode %1 = coordinate 0\nnode %2 = product %0^2\n\
///             node %3 = product %0^1 %1^1\nnode %4 = sum 0 1*%2 -1*%3\nlagrangian %4\n";
/// let system: System = text.parse()?;
/// assert!(matches!(system.energy, Energy::Lagrangian(_)));
/// let dynamics = Dynamics::new(system);
/// let (momenta, forcing) =
///     (dynamics.expressions(Quantity::Momenta), dynamics.expressions(Quantity::Forcing));
/// assert_eq!(dynamics.graph().text(momenta[0], &plain_names), "2*v0 - q0");
/// assert!(dynamics.graph().is_zero(forcing[0]));
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Energy {
    /// L = T - V with T of degree two at most in the velocities.
    Natural {
        /// T(q, v, t).
        kinetic: NodeId,
        /// V(q, t).
        potential: NodeId,
    },
    /// The Lagrangian L(q, v, t) itself.
    Lagrangian(NodeId),
}

/// One scalar constraint: `residual = 0`.
///
/// ```
/// use lagrange_engine::{ConstraintKind, System, plain_names};
/// // x y = 2
/// let text = "coordinates x y\nnode %0 = coordinate 0\nnode %1 = coordinate 1\n\
///             node %2 = product %0^1 %1^1\nnode %3 = sum -2 1*%2\nlagrangian %2\nholonomic guide %3\n";
/// let system: System = text.parse()?;
/// let guide = &system.constraints[0];
/// assert_eq!((&guide.name[..], guide.kind), ("guide", ConstraintKind::Holonomic));
/// assert_eq!(system.graph.text(guide.residual, &plain_names), "q0*q1 - 2");
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// Its name; with an index where the declaration had several rows (`closure[0]`).
    pub name: String,
    /// What it restricts.
    pub kind: ConstraintKind,
    /// Left side minus right side: of q and t if holonomic, else affine in v.
    pub residual: NodeId,
}

/// What a constraint restricts.
///
/// ```
/// use lagrange_engine::{Dynamics, System};
/// // A holonomic row has a residual at the level of positions; a nonholonomic one does not.
/// let text = "coordinates x y\nnode %0 = coordinate 0\nnode %1 = velocity 1\nnode %2 = product %1^2\n\
///             kinetic %2\nholonomic wall %0\nnonholonomic skate %1\n";
/// let sizes = Dynamics::new(text.parse::<System>()?).sizes();
/// assert_eq!((sizes.constraints, sizes.holonomic), (2, 1));
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConstraintKind {
    /// The coordinates: g(q, t) = 0.
    Holonomic,
    /// The velocities: A(q, t) v + b(q, t) = 0.
    Nonholonomic,
}

/// A named expression of the user, evaluated by a method of its own.
///
/// ```
/// use lagrange_engine::{Shape, System};
/// let text = "coordinates x\nnode %0 = coordinate 0\nnode %1 = number 1\nlagrangian %0\n\
///             output place matrix 1 2 %0 %1\n";
/// let system: System = text.parse()?;
/// let place = &system.outputs[0];
/// assert_eq!((&place.name[..], place.shape), ("place", Shape::Matrix(1, 2)));
/// assert_eq!(place.entries.len(), place.shape.len());
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Its entries, row by row.
    pub entries: Vec<NodeId>,
}

/// Parameters that enter the equations of motion linearly.
///
/// ```
/// use lagrange_engine::{Dynamics, Quantity, Regressor, System, plain_names};
/// // T = m v^2 / 2 + k v^2 / 2, so that M a = (m + k) a.
/// let text = "coordinates x\nparameters m k\nnode %0 = velocity 0\nnode %1 = parameter 0\n\
///             node %2 = parameter 1\nnode %3 = sum 0 1/2*%1 1/2*%2\nnode %4 = product %0^2 %3^1\n\
///             kinetic %4\n";
/// let mut system: System = text.parse()?;
/// system.regressors.push(Regressor { name: "inertia".into(), parameters: vec![1, 0] });
/// let dynamics = Dynamics::new(system);
/// let columns = dynamics.expressions(Quantity::Regressor(0));
/// let text = |column: usize| dynamics.graph().text(columns[column], &plain_names);
/// assert_eq!([text(0), text(1)], ["a0", "a0"]);
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Regressor {
    /// Its name.
    pub name: String,
    /// The numbers of the parameters, in the order of their columns.
    pub parameters: Vec<u32>,
}

/// An infinitesimal symmetry: q moves by `N xi` times a small number, at fixed t.
///
/// ```
/// use lagrange_engine::{Dynamics, Quantity, Symmetry, System, plain_names};
/// let text = "coordinates x\nparameters m\nnode %0 = velocity 0\nnode %1 = parameter 0\n\
///             node %2 = product %0^2 %1^1\nnode %3 = sum 0 1/2*%2\nkinetic %3\n";
/// let mut system: System = text.parse()?;
/// let one = system.graph.integer(1);
/// system.symmetries.push(Symmetry { name: "along".into(), along: vec![one] });
/// // What it keeps is p . xi.
/// let dynamics = Dynamics::new(system);
/// let kept = dynamics.expressions(Quantity::NoetherMomentum(0));
/// assert_eq!(dynamics.graph().text(kept[0], &plain_names), "v0*p0");
/// assert_eq!(dynamics.facts().conserved_symmetries, [true]);
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// Its name.
    pub name: String,
    /// xi, one for each velocity: of q, t and parameters.
    pub along: Vec<NodeId>,
}

/// The shape of a value.
///
/// ```
/// use lagrange_engine::Shape;
/// let shapes = [Shape::Scalar, Shape::Vector(3), Shape::Matrix(2, 3)];
/// assert_eq!(shapes.map(Shape::len), [1, 3, 6]);
/// assert!(Shape::Matrix(0, 3).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A number.
    Scalar,
    /// A column of so many entries.
    Vector(usize),
    /// Rows and columns.
    Matrix(usize, usize),
}

impl Shape {
    /// The number of entries.
    ///
    /// ```
    /// assert_eq!(lagrange_engine::Shape::Matrix(2, 3).len(), 6);
    /// ```
    pub fn len(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vector(n) => n,
            Self::Matrix(rows, columns) => rows * columns,
        }
    }

    /// Whether there is no entry.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}
