//! How the velocities v move the coordinates q: qdot = N(q) v.
//!
//! A scalar coordinate moves at its own velocity. A *rotation* is a unit quaternion, four coordinates in
//! the order x, y, z, w, and moves by three velocities, the angular velocity w of the turned axes in
//! these axes: `qdot = 1/2 quat (w, 0)` (J. Sola, *Quaternion kinematics for the error-state Kalman
//! filter*, 2017, section 4.6.2). So there are m coordinates and n <= m velocities.
//!
//! Derivatives that meet velocities, momenta or forces are taken along the n directions in which
//! velocities move the coordinates, the columns of N. With such *quasi-velocities* the equations of
//! motion are those of Boltzmann and Hamel (L. Meirovitch, *Methods of Analytical Dynamics*, 1970,
//! section 4.13): for a rotation, `d/dt dL/dw + w x dL/dw - (dL along the directions of w) = Q`.
//! Without rotations N is the identity and nothing is left of all this.

use crate::{Complex, Graph, NodeId, Number, Symbol};

/// Which coordinates there are and how velocities move them.
///
/// ```
/// use lagrange_engine::{Kinematics, Symbol};
/// let mut kinematics = Kinematics::default();
/// kinematics.add_scalars(2);
/// let (coordinate, velocity) = kinematics.add_rotation();
/// assert_eq!((coordinate, velocity), (2, 2));
/// assert_eq!((kinematics.coordinate_count(), kinematics.velocity_count()), (6, 5));
/// assert!(!kinematics.is_trivial() && Kinematics::scalars(2).is_trivial());
/// assert_eq!(kinematics.coordinate_symbols()[5], Symbol::Coordinate(5));
/// assert_eq!(kinematics.velocity_symbols()[4], Symbol::Velocity(4));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Kinematics {
    coordinates: usize,
    /// The first coordinate of each rotation, in order.
    rotations: Vec<usize>,
}

/// The positions of one rotation's coordinates and velocities.
///
/// ```
/// use lagrange_engine::{Kinematics, Rotation};
/// // A scalar coordinate, and then two rotations.
/// let kinematics = Kinematics::new(9, &[1, 5]);
/// let second = Rotation { coordinate: 5, velocity: 4 };
/// assert_eq!(kinematics.rotations().nth(1), Some(second));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rotation {
    /// The first of its four coordinates x, y, z, w.
    pub coordinate: usize,
    /// The first of its three velocities.
    pub velocity: usize,
}

/// One coordinate's share in a column of N: `factor * coordinate`, or 1.
type Entry = (usize, Number, Option<usize>);

impl Kinematics {
    /// So many coordinates, of which four each from the given positions on are rotations.
    ///
    /// Positions are in order, and the fours do not overlap.
    ///
    /// ```
    /// use lagrange_engine::Kinematics;
    /// // x, then a rotation, then y.
    /// let kinematics = Kinematics::new(6, &[1]);
    /// assert_eq!((kinematics.coordinate_count(), kinematics.velocity_count()), (6, 5));
    /// ```
    pub fn new(coordinates: usize, rotations: &[usize]) -> Self {
        Self {
            coordinates,
            rotations: rotations.to_vec(),
        }
    }

    /// Scalar coordinates only.
    pub fn scalars(count: usize) -> Self {
        Self {
            coordinates: count,
            rotations: Vec::new(),
        }
    }

    /// Adds scalar coordinates behind those that there are.
    pub fn add_scalars(&mut self, count: usize) {
        self.coordinates += count;
    }

    /// Adds a rotation; the positions of its first coordinate and of its first velocity.
    pub fn add_rotation(&mut self) -> (usize, usize) {
        let (coordinate, velocity) = (self.coordinates, self.velocity_count());
        self.rotations.push(coordinate);
        self.coordinates += 4;
        (coordinate, velocity)
    }

    /// The number m of coordinates.
    pub fn coordinate_count(&self) -> usize {
        self.coordinates
    }

    /// The number n of velocities.
    pub fn velocity_count(&self) -> usize {
        self.coordinates - self.rotations.len()
    }

    /// Whether v is qdot.
    pub fn is_trivial(&self) -> bool {
        self.rotations.is_empty()
    }

    /// The rotations in order.
    ///
    /// ```
    /// use lagrange_engine::{Kinematics, Rotation};
    /// let kinematics = Kinematics::new(6, &[1]);
    /// assert!(kinematics.rotations().eq([Rotation { coordinate: 1, velocity: 1 }]));
    /// ```
    pub fn rotations(&self) -> impl Iterator<Item = Rotation> + '_ {
        let numbered = self.rotations.iter().enumerate();
        numbered.map(|(before, coordinate)| Rotation {
            coordinate: *coordinate,
            velocity: coordinate - before,
        })
    }

    /// The rotation that a velocity belongs to.
    ///
    /// ```
    /// use lagrange_engine::Kinematics;
    /// let kinematics = Kinematics::new(6, &[1]);
    /// assert_eq!(kinematics.rotation_of_velocity(3).unwrap().coordinate, 1);
    /// assert_eq!(kinematics.rotation_of_velocity(4), None);
    /// ```
    pub fn rotation_of_velocity(&self, velocity: usize) -> Option<Rotation> {
        self.rotations()
            .find(|rotation| (rotation.velocity..rotation.velocity + 3).contains(&velocity))
    }

    /// The rotation that a coordinate belongs to.
    ///
    /// ```
    /// use lagrange_engine::Kinematics;
    /// let kinematics = Kinematics::new(6, &[1]);
    /// assert_eq!(kinematics.rotation_of_coordinate(4).unwrap().coordinate, 1);
    /// assert_eq!(kinematics.rotation_of_coordinate(5), None);
    /// ```
    pub fn rotation_of_coordinate(&self, coordinate: usize) -> Option<Rotation> {
        self.rotations()
            .find(|rotation| (rotation.coordinate..rotation.coordinate + 4).contains(&coordinate))
    }

    /// The coordinate that a velocity is the rate of; `None` for those of rotations.
    ///
    /// ```
    /// use lagrange_engine::Kinematics;
    /// // Behind a rotation, of one velocity less.
    /// let kinematics = Kinematics::new(6, &[1]);
    /// assert_eq!(kinematics.coordinate_of_velocity(4), Some(5));
    /// assert_eq!(kinematics.coordinate_of_velocity(3), None);
    /// ```
    pub fn coordinate_of_velocity(&self, velocity: usize) -> Option<usize> {
        let before = self.rotations().filter(|r| r.velocity + 3 <= velocity);
        let shift = before.count();
        let is_scalar = self.rotation_of_velocity(velocity).is_none();
        is_scalar.then_some(velocity + shift)
    }

    /// The velocity that is a coordinate's rate; `None` for those of rotations.
    ///
    /// ```
    /// use lagrange_engine::Kinematics;
    /// let kinematics = Kinematics::new(6, &[1]);
    /// assert_eq!(kinematics.velocity_of_coordinate(5), Some(4));
    /// assert_eq!(kinematics.velocity_of_coordinate(4), None);
    /// ```
    pub fn velocity_of_coordinate(&self, coordinate: usize) -> Option<usize> {
        let before = self.rotations.iter().filter(|first| **first < coordinate);
        let shift = before.count();
        let is_scalar = self.rotation_of_coordinate(coordinate).is_none();
        is_scalar.then(|| coordinate - shift)
    }

    /// The symbols of all coordinates.
    pub fn coordinate_symbols(&self) -> Vec<Symbol> {
        (0..self.coordinate_count() as u32)
            .map(Symbol::Coordinate)
            .collect()
    }

    /// The symbols of all velocities.
    pub fn velocity_symbols(&self) -> Vec<Symbol> {
        (0..self.velocity_count() as u32)
            .map(Symbol::Velocity)
            .collect()
    }

    /// The entries of column `velocity` of N that are not zero.
    fn column(&self, velocity: usize) -> Vec<Entry> {
        let Some(rotation) = self.rotation_of_velocity(velocity) else {
            let coordinate = self.coordinate_of_velocity(velocity);
            return vec![(coordinate.unwrap_or(velocity), Number::ONE, None)];
        };
        // quat (e_i, 0) = (w e_i + r x e_i, -r_i) with r the first three entries.
        let axis = velocity - rotation.velocity;
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let at = |i: usize| rotation.coordinate + i;
        let entry = |row: usize, sign: Number, of: usize| (at(row), sign, Some(at(of)));
        vec![
            entry(axis, Number::HALF, 3),
            entry(j, Number::HALF, k),
            entry(k, -Number::HALF, j),
            entry(3, -Number::HALF, axis),
        ]
    }

    fn entry(graph: &mut Graph, (_, factor, of): Entry) -> NodeId {
        match of {
            Some(coordinate) => {
                let coordinate = graph.symbol(Symbol::Coordinate(coordinate as u32));
                graph.scale(factor, coordinate)
            }
            None => graph.number(factor),
        }
    }

    /// How velocity `j` alone moves the coordinates: column j of N, by symbols, for
    /// [`Graph::directional`].
    ///
    /// ```
    /// use lagrange_engine::{Graph, Kinematics, Symbol, plain_names};
    /// let mut kinematics = Kinematics::scalars(1);
    /// kinematics.add_rotation();
    /// let mut graph = Graph::new();
    /// let z = graph.symbol(Symbol::Coordinate(3));
    /// let direction = kinematics.direction(&mut graph, 1);
    /// let rate = graph.directional(&[z], &direction);
    /// assert_eq!(graph.text(rate[0], &plain_names), "-q2/2");
    /// ```
    pub fn direction(&self, graph: &mut Graph, j: usize) -> Vec<(Symbol, NodeId)> {
        let column = self.column(j).into_iter();
        column
            .map(|entry| {
                let symbol = Symbol::Coordinate(entry.0 as u32);
                (symbol, Self::entry(graph, entry))
            })
            .collect()
    }

    /// qdot = N(q) v: m entries.
    ///
    /// ```
    /// use lagrange_engine::{Graph, Kinematics, plain_names};
    /// // x, and a unit quaternion q1 .. q4.
    /// let kinematics = Kinematics::new(5, &[1]);
    /// let mut graph = Graph::new();
    /// let rates = kinematics.coordinate_rates(&mut graph);
    /// assert_eq!(rates.len(), 5);
    /// assert_eq!(graph.text(rates[0], &plain_names), "v0");
    /// assert_eq!(graph.text(rates[4], &plain_names), "-(v1*q1 + v2*q2 + v3*q3)/2");
    /// ```
    pub fn coordinate_rates(&self, graph: &mut Graph) -> Vec<NodeId> {
        let v: Vec<NodeId> = self
            .velocity_symbols()
            .iter()
            .map(|s| graph.symbol(*s))
            .collect();
        self.moved_by(graph, &v)
    }

    /// N(q) d for a displacement or velocity d: m entries.
    ///
    /// ```
    /// use lagrange_engine::{Graph, Kinematics, plain_names};
    /// let kinematics = Kinematics::new(4, &[0]);
    /// let mut graph = Graph::new();
    /// let [zero, two] = [0, 2].map(|number| graph.integer(number));
    /// // About z.
    /// let moved = kinematics.moved_by(&mut graph, &[zero, zero, two]);
    /// let written = [0, 1, 2, 3].map(|i| graph.text(moved[i], &plain_names));
    /// assert_eq!(written, ["q1", "-q0", "q3", "-q2"]);
    /// ```
    pub fn moved_by(&self, graph: &mut Graph, d: &[NodeId]) -> Vec<NodeId> {
        let mut terms = vec![Vec::new(); self.coordinate_count()];
        for (j, along) in d.iter().enumerate() {
            for entry in self.column(j) {
                let factor = Self::entry(graph, entry);
                terms[entry.0].push((Number::ONE, graph.mul(factor, *along)));
            }
        }
        let sums = terms.into_iter();
        sums.map(|terms| graph.sum(Number::ZERO, terms)).collect()
    }

    /// N(q) d in numbers.
    pub(crate) fn displaced(&self, q: &[Complex], d: &[Complex]) -> Vec<Complex> {
        let mut rates = vec![Complex::ZERO; self.coordinate_count()];
        for (j, along) in d.iter().enumerate() {
            for (coordinate, factor, of) in self.column(j) {
                let entry = of.map_or(Complex::ONE, |of| q[of]).scale(factor.to_f64());
                rates[coordinate] = rates[coordinate] + entry * *along;
            }
        }
        rates
    }

    /// How the motion moves coordinates and time, (q, t) -> (N v, 1), for [`Graph::directional`].
    ///
    /// ```
    /// use lagrange_engine::{Graph, Kinematics, Symbol, plain_names};
    /// let mut graph = Graph::new();
    /// let (q, t) = (graph.symbol(Symbol::Coordinate(0)), graph.symbol(Symbol::Time));
    /// let product = graph.mul(q, t);
    /// let direction = Kinematics::scalars(1).along_the_motion(&mut graph);
    /// let rate = graph.directional(&[product], &direction);
    /// assert_eq!(graph.text(rate[0], &plain_names), "q0 + t*v0");
    /// ```
    pub fn along_the_motion(&self, graph: &mut Graph) -> Vec<(Symbol, NodeId)> {
        let mut direction = self.along_the_velocities(graph);
        direction.push((Symbol::Time, graph.integer(1)));
        direction
    }

    /// How the velocities move the coordinates, q -> N v; time stands still.
    ///
    /// ```
    /// use lagrange_engine::{Graph, Kinematics, Symbol, plain_names};
    /// let mut graph = Graph::new();
    /// let (q, t) = (graph.symbol(Symbol::Coordinate(0)), graph.symbol(Symbol::Time));
    /// let product = graph.mul(q, t);
    /// let direction = Kinematics::scalars(1).along_the_velocities(&mut graph);
    /// let rate = graph.directional(&[product], &direction);
    /// assert_eq!(graph.text(rate[0], &plain_names), "t*v0");
    /// ```
    pub fn along_the_velocities(&self, graph: &mut Graph) -> Vec<(Symbol, NodeId)> {
        let rates = self.coordinate_rates(graph);
        self.coordinate_symbols().into_iter().zip(rates).collect()
    }

    /// The derivatives of `root` along the n directions of v, at fixed v and t: N^T d root/dq.
    ///
    /// ```
    /// use lagrange_engine::{Graph, Kinematics, Symbol, plain_names};
    /// // A potential of the last coordinate of a unit quaternion: three torques.
    /// let kinematics = Kinematics::new(4, &[0]);
    /// let mut graph = Graph::new();
    /// let w = graph.symbol(Symbol::Coordinate(3));
    /// let torques = kinematics.gradient(&mut graph, w);
    /// let written = [0, 1, 2].map(|i| graph.text(torques[i], &plain_names));
    /// assert_eq!(written, ["-q0/2", "-q1/2", "-q2/2"]);
    /// ```
    pub fn gradient(&self, graph: &mut Graph, root: NodeId) -> Vec<NodeId> {
        let by_coordinate = graph.gradient(root, &self.coordinate_symbols());
        self.along_directions(graph, &by_coordinate)
    }

    /// N^T g of derivatives g by the coordinates.
    ///
    /// ```
    /// use lagrange_engine::{Graph, Kinematics, Symbol};
    /// let kinematics = Kinematics::new(4, &[0]);
    /// let mut graph = Graph::new();
    /// // What pulls along the quaternion itself does not turn: N^T q = 0.
    /// let q = [0, 1, 2, 3].map(|i| graph.symbol(Symbol::Coordinate(i)));
    /// let along = kinematics.along_directions(&mut graph, &q);
    /// assert!(along.len() == 3 && along.iter().all(|entry| graph.is_zero(*entry)));
    /// ```
    pub fn along_directions(&self, graph: &mut Graph, by_coordinate: &[NodeId]) -> Vec<NodeId> {
        (0..self.velocity_count())
            .map(|j| {
                let entries = self.column(j).into_iter();
                let terms = entries.map(|entry| {
                    let factor = Self::entry(graph, entry);
                    (Number::ONE, graph.mul(factor, by_coordinate[entry.0]))
                });
                let terms = terms.collect();
                graph.sum(Number::ZERO, terms)
            })
            .collect()
    }

    /// What the turning of the axes adds to the rate of momenta p: w x p for the three entries of each
    /// rotation, 0 elsewhere.
    ///
    /// ```
    /// use lagrange_engine::{Graph, Kinematics, Symbol, plain_names};
    /// let kinematics = Kinematics::new(4, &[0]);
    /// let mut graph = Graph::new();
    /// let p = [0, 1, 2].map(|i| graph.symbol(Symbol::Momentum(i)));
    /// let rates = kinematics.gyroscopic(&mut graph, &p);
    /// let names = |symbol: Symbol| plain_names(symbol).replace("momentum", "p");
    /// assert_eq!(graph.text(rates[2], &names), "p1*v0 - p0*v1");
    /// ```
    pub fn gyroscopic(&self, graph: &mut Graph, p: &[NodeId]) -> Vec<NodeId> {
        let v: Vec<NodeId> = self
            .velocity_symbols()
            .iter()
            .map(|s| graph.symbol(*s))
            .collect();
        self.turned(graph, &v, p)
    }

    /// `a x b` for the three entries of each rotation, 0 elsewhere.
    ///
    /// ```
    /// use lagrange_engine::{Graph, Kinematics};
    /// // A scalar coordinate, and a rotation.
    /// let kinematics = Kinematics::new(5, &[1]);
    /// let mut graph = Graph::new();
    /// let [zero, one] = [0, 1].map(|number| graph.integer(number));
    /// // x cross y is z.
    /// let product = kinematics.turned(&mut graph, &[one, one, zero, zero], &[one, zero, one, zero]);
    /// assert_eq!(product, [zero, zero, zero, one]);
    /// ```
    pub fn turned(&self, graph: &mut Graph, a: &[NodeId], b: &[NodeId]) -> Vec<NodeId> {
        let mut products = vec![graph.integer(0); self.velocity_count()];
        for rotation in self.rotations() {
            let at = |i: usize| rotation.velocity + i % 3;
            for i in 0..3 {
                let (j, k) = (at(i + 1), at(i + 2));
                let (first, second) = (graph.mul(a[j], b[k]), graph.mul(a[k], b[j]));
                products[at(i)] = graph.sub(first, second);
            }
        }
        products
    }

    /// The direction that the commutator of two others is, and whether with their sign:
    /// `[e_x, e_y] = e_z` and so on for the three of one rotation. All others commute.
    pub(crate) fn commutator(&self, j: usize, k: usize) -> Option<(usize, bool)> {
        let first = self.rotation_of_velocity(j)?.velocity;
        let k = k.checked_sub(first).filter(|k| *k < 3)?;
        let j = j - first;
        (j != k).then(|| (first + 3 - j - k, (j + 1) % 3 == k))
    }

    /// The rotation matrix of a rotation, by rows: world components of a vector in the turned axes. Of
    /// a unit quaternion; entries are quadratic in its coordinates.
    ///
    /// ```
    /// use lagrange_engine::{Graph, Kinematics, Rotation, plain_names};
    /// let mut graph = Graph::new();
    /// let rotation = Rotation { coordinate: 0, velocity: 0 };
    /// let matrix = Kinematics::rotation_matrix(&mut graph, rotation);
    /// assert_eq!(graph.text(matrix[0][0], &plain_names), "1 - 2*q1^2 - 2*q2^2");
    /// // A quarter turn about x: what was y is z.
    /// let quarter = [0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
    /// let value = |symbol| match symbol {
    ///     lagrange_engine::Symbol::Coordinate(i) => quarter[i as usize],
    ///     _ => 0.0,
    /// };
    /// let column = matrix.map(|row| row[1]);
    /// let turned = graph.evaluate(&column, &value);
    /// assert!(turned.iter().zip([0.0, 0.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-15));
    /// ```
    pub fn rotation_matrix(graph: &mut Graph, rotation: Rotation) -> [[NodeId; 3]; 3] {
        let quaternion: [NodeId; 4] = std::array::from_fn(|i| {
            graph.symbol(Symbol::Coordinate((rotation.coordinate + i) as u32))
        });
        let two = Number::integer(2);
        let product =
            |graph: &mut Graph, i: usize, j: usize| graph.mul(quaternion[i], quaternion[j]);
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let (a, b) = ((i + 1) % 3, (i + 2) % 3);
                if i == j {
                    let squares = [product(graph, a, a), product(graph, b, b)];
                    let terms = squares.map(|square| (-two, square)).to_vec();
                    return graph.sum(Number::ONE, terms);
                }
                let third = 3 - i - j;
                let sign = if (i + 1) % 3 == j { -two } else { two };
                let terms = vec![
                    (two, product(graph, i, j)),
                    (sign, product(graph, third, 3)),
                ];
                graph.sum(Number::ZERO, terms)
            })
        })
    }
}
