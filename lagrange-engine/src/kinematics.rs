//! The motion of the coordinates q by the velocities v: qdot = N(q) v.
//!
//! A scalar coordinate moves at its own velocity. A *rotation* is a unit quaternion, four coordinates in
//! the order x, y, z, w, and moves by three velocities, the angular velocity w of the turned axes in
//! these axes: `qdot = 1/2 quat (w, 0)` (J. Sola, *Quaternion kinematics for the error-state Kalman
//! filter*, 2017, section 4.6.2). So there are m coordinates and n <= m velocities.
//!
//! Derivatives that are multiplied by velocities, momenta or forces are taken along the n directions in which
//! velocities move the coordinates, the columns of N. With such *quasi-velocities* the equations of motion are those of
//! Boltzmann and Hamel (L. Meirovitch, *Methods of Analytical Dynamics*, 1970, section 4.13): for a rotation,
//! `d/dt dL/dw + w x dL/dw - (dL along the directions of w) = Q`. Without rotations N is the identity and these are the
//! ordinary equations.

use crate::{Complex, Graph, NodeId, Number, Symbol};

/// The coordinates, and their motion by the velocities.
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
    /// `coordinates` coordinates; four of them from each of the given positions on are a rotation.
    ///
    /// Positions are in order, and the fours do not overlap.
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

    /// Adds scalar coordinates after the existing ones.
    pub fn add_scalars(&mut self, count: usize) {
        self.coordinates += count;
    }

    /// Adds a rotation; returns the positions of its first coordinate and of its first velocity.
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

    /// Returns whether v is qdot.
    pub fn is_trivial(&self) -> bool {
        self.rotations.is_empty()
    }

    /// The rotations in order.
    pub fn rotations(&self) -> impl Iterator<Item = Rotation> + '_ {
        self.rotations
            .iter()
            .enumerate()
            .map(|(before, coordinate)| Rotation {
                coordinate: *coordinate,
                velocity: coordinate - before,
            })
    }

    /// The rotation that a velocity belongs to.
    pub fn rotation_of_velocity(&self, velocity: usize) -> Option<Rotation> {
        self.rotations()
            .find(|rotation| (rotation.velocity..rotation.velocity + 3).contains(&velocity))
    }

    /// The rotation that a coordinate belongs to.
    pub fn rotation_of_coordinate(&self, coordinate: usize) -> Option<Rotation> {
        self.rotations()
            .find(|rotation| (rotation.coordinate..rotation.coordinate + 4).contains(&coordinate))
    }

    /// The coordinate whose rate is this velocity; `None` for those of rotations.
    pub fn coordinate_of_velocity(&self, velocity: usize) -> Option<usize> {
        let shift = self
            .rotations()
            .filter(|r| r.velocity + 3 <= velocity)
            .count();
        let is_scalar = self.rotation_of_velocity(velocity).is_none();
        is_scalar.then_some(velocity + shift)
    }

    /// The velocity that is a coordinate's rate; `None` for those of rotations.
    pub fn velocity_of_coordinate(&self, coordinate: usize) -> Option<usize> {
        let shift = self
            .rotations
            .iter()
            .filter(|first| **first < coordinate)
            .count();
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
        let coordinate = |i: usize| rotation.coordinate + i;
        let entry =
            |row: usize, sign: Number, of: usize| (coordinate(row), sign, Some(coordinate(of)));
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

    /// The motion of the coordinates by velocity `j` alone: column j of N, by symbols, for [`Graph::directional`].
    pub fn direction(&self, graph: &mut Graph, j: usize) -> Vec<(Symbol, NodeId)> {
        self.column(j)
            .into_iter()
            .map(|entry| {
                let symbol = Symbol::Coordinate(entry.0 as u32);
                (symbol, Self::entry(graph, entry))
            })
            .collect()
    }

    /// qdot = N(q) v: m entries.
    pub fn coordinate_rates(&self, graph: &mut Graph) -> Vec<NodeId> {
        let v: Vec<NodeId> = self
            .velocity_symbols()
            .iter()
            .map(|s| graph.symbol(*s))
            .collect();
        self.moved_by(graph, &v)
    }

    /// N(q) d for a displacement or velocity d: m entries.
    pub fn moved_by(&self, graph: &mut Graph, d: &[NodeId]) -> Vec<NodeId> {
        let mut terms = vec![Vec::new(); self.coordinate_count()];
        for (j, along) in d.iter().enumerate() {
            for entry in self.column(j) {
                let factor = Self::entry(graph, entry);
                terms[entry.0].push((Number::ONE, graph.mul(factor, *along)));
            }
        }
        graph.sums(terms)
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

    /// The rates of coordinates and time, (q, t) -> (N v, 1), for [`Graph::directional`].
    pub fn along_the_motion(&self, graph: &mut Graph) -> Vec<(Symbol, NodeId)> {
        let mut direction = self.along_the_velocities(graph);
        direction.push((Symbol::Time, graph.integer(1)));
        direction
    }

    /// The rates of the coordinates, q -> N v, at constant time.
    pub fn along_the_velocities(&self, graph: &mut Graph) -> Vec<(Symbol, NodeId)> {
        let rates = self.coordinate_rates(graph);
        self.coordinate_symbols().into_iter().zip(rates).collect()
    }

    /// The derivatives of `root` along the n directions of v, at fixed v and t: N^T d root/dq.
    pub fn gradient(&self, graph: &mut Graph, root: NodeId) -> Vec<NodeId> {
        let by_coordinate = graph.gradient(root, &self.coordinate_symbols());
        self.along_directions(graph, &by_coordinate)
    }

    /// N^T g of derivatives g by the coordinates.
    pub fn along_directions(&self, graph: &mut Graph, by_coordinate: &[NodeId]) -> Vec<NodeId> {
        (0..self.velocity_count())
            .map(|j| {
                let terms = self
                    .column(j)
                    .into_iter()
                    .map(|entry| {
                        let factor = Self::entry(graph, entry);
                        (Number::ONE, graph.mul(factor, by_coordinate[entry.0]))
                    })
                    .collect();
                graph.sum(Number::ZERO, terms)
            })
            .collect()
    }

    /// The contribution of turning axes to the rate of momenta p: w x p for the three entries of each rotation, 0
    /// elsewhere.
    pub fn gyroscopic(&self, graph: &mut Graph, p: &[NodeId]) -> Vec<NodeId> {
        let v: Vec<NodeId> = self
            .velocity_symbols()
            .iter()
            .map(|s| graph.symbol(*s))
            .collect();
        self.turned(graph, &v, p)
    }

    /// `a x b` for the three entries of each rotation, 0 elsewhere.
    pub fn turned(&self, graph: &mut Graph, a: &[NodeId], b: &[NodeId]) -> Vec<NodeId> {
        let mut products = vec![graph.integer(0); self.velocity_count()];
        for rotation in self.rotations() {
            let velocity = |i: usize| rotation.velocity + i % 3;
            for i in 0..3 {
                let (j, k) = (velocity(i + 1), velocity(i + 2));
                let (first, second) = (graph.mul(a[j], b[k]), graph.mul(a[k], b[j]));
                products[velocity(i)] = graph.sub(first, second);
            }
        }
        products
    }

    /// The direction of the commutator of two others, and whether it has their sign: `[e_x, e_y] = e_z` and so on for
    /// the three of one rotation. All others commute.
    pub(crate) fn commutator(&self, j: usize, k: usize) -> Option<(usize, bool)> {
        let first = self.rotation_of_velocity(j)?.velocity;
        let k = k.checked_sub(first).filter(|k| *k < 3)?;
        let j = j - first;
        (j != k).then(|| (first + 3 - j - k, (j + 1) % 3 == k))
    }

    /// The rotation matrix of a rotation with a unit quaternion, by rows: world components of a vector in the turned
    /// axes. Its entries are quadratic in the coordinates.
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
