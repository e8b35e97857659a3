//! The parameters on which no acceleration depends, such as the mass of a pendulum.
//!
//! At a random state the equations of motion are solved for a and lambda, then for their derivatives by each parameter. In
//! a field of prime order both solutions are exact, and derivatives that cancel are zero. Where the field leaves doubts,
//! such as rounded constants, complex states in double precision decide: there a derivative is zero if it is small beside
//! its terms. In other units another term is the largest, so each symbol is enlarged at a state of its own. The states need
//! not be on the constraints, so that a column of zeros is one everywhere.

use std::collections::BTreeSet;

use super::elimination::{Entry, Scaled, solve_equations};
use crate::probe::{Doubts, Element, FAILING, at_state, images_at, random, with_size};
use crate::{Complex, Dynamics, Graph, NodeId, Quantity, Symbol};

/// The number of complex states that must agree.
const AGREEING: usize = 3;
/// A derivative is zero if it is at most this share of its terms; pivots that are at most this share of their rows and
/// columns are rounding errors.
const ZERO: f64 = 1e-8;
impl Dynamics {
    /// The parameters of all sensitivities on which no acceleration depends, also where they cancel.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// // The mass of a falling body, and g.
    /// let text = "coordinates y\nparameters m g\nnode %0 = velocity 0\nnode %1 = product %0^2\n\
    ///             node %2 = parameter 0\nnode %3 = product %1^1 %2^1\nnode %4 = sum 0 1/2*%3\nkinetic %4\n\
    ///             node %5 = coordinate 0\nnode %6 = parameter 1\nnode %7 = product %2^1 %5^1 %6^1\n\
    ///             potential %7\nsensitivity by_all 0 1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert_eq!(dynamics.idle_parameters().iter().collect::<Vec<_>>(), [&0]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn idle_parameters(&self) -> &BTreeSet<u32> {
        self.idle.get_or_init(|| {
            let parameters: Vec<u32> = self.sensitivity_parameters().into_iter().collect();
            let are_idle = idle_parameters(self, &parameters);
            parameters
                .into_iter()
                .zip(are_idle)
                .filter_map(|(number, is_idle)| is_idle.then_some(number))
                .collect()
        })
    }
}

/// For each of these parameters whether no acceleration depends on it.
fn idle_parameters(dynamics: &Dynamics, parameters: &[u32]) -> Vec<bool> {
    let terms = Terms::of(dynamics, parameters);
    let graph = dynamics.graph();
    let mut are_idle: Vec<bool> = (0..parameters.len())
        .map(|position| {
            terms
                .of_parameter(position)
                .all(|entry| graph.is_zero(*entry))
        })
        .collect();
    let open: Vec<usize> = (0..parameters.len())
        .filter(|position| !are_idle[*position])
        .collect();
    if open.is_empty() {
        return are_idle;
    }
    let (idle, doubts) = terms.find_idle_exactly(&graph, &open);
    // Where a value is not zero by the doubts of the field, it may be zero.
    let undecided: Vec<usize> = open
        .iter()
        .copied()
        .filter(|position| !idle.contains(position))
        .collect();
    let rounded = match doubts.is_some_and(|doubts| doubts == Doubts::NONE) {
        true => Vec::new(),
        false => terms.find_idle_rounded(&graph, &symbols(dynamics, &graph), &undecided),
    };
    for position in idle.into_iter().chain(rounded) {
        are_idle[position] = true;
    }
    are_idle
}

/// The symbols of the system that may have another size in other units.
fn symbols(dynamics: &Dynamics, graph: &Graph) -> Vec<Symbol> {
    let names = dynamics.names();
    let numbered = |count: usize, symbol: fn(u32) -> Symbol| (0..count as u32).map(symbol);
    let parameters = numbered(names.parameters.len(), Symbol::Parameter);
    let inputs = numbered(names.inputs.len(), Symbol::Input);
    let states = numbered(names.states.len(), Symbol::State);
    let velocities = numbered(names.velocity_count(), Symbol::Velocity);
    let coordinates = numbered(names.coordinates.len(), Symbol::Coordinate);
    parameters
        .chain(inputs)
        .chain(states)
        .chain(velocities)
        .chain(coordinates)
        .chain([Symbol::Time])
        .filter(|symbol| graph.leaf(*symbol).is_some() && graph.rotation_of(*symbol).is_none())
        .collect()
}

/// The equations of motion, row by row, and their derivatives.
struct Terms {
    /// n and c.
    sizes: (usize, usize),
    mass: Vec<NodeId>,
    jacobian: Vec<NodeId>,
    /// The forces by multipliers, n x (c + P), or nothing.
    reactions: Vec<NodeId>,
    /// f, then gamma.
    right: Vec<NodeId>,
    /// For each parameter n + c entries.
    derivatives: Vec<NodeId>,
}

impl Terms {
    fn of(dynamics: &Dynamics, parameters: &[u32]) -> Self {
        let of = |quantity| dynamics.written_expressions(quantity);
        let sizes = dynamics.sizes();
        let derivatives = parameters.iter().flat_map(|number| {
            let equations = of(Quantity::EquationsByParameter(*number));
            [equations, of(Quantity::ConstraintsByParameter(*number))].concat()
        });
        Self {
            sizes: (sizes.velocities, sizes.constraints),
            mass: of(Quantity::MassMatrix),
            jacobian: of(Quantity::ConstraintJacobian),
            reactions: of(Quantity::MultiplierForces),
            right: [of(Quantity::Forcing), of(Quantity::ConstraintGamma)].concat(),
            derivatives: derivatives.collect(),
        }
    }

    fn of_parameter(&self, position: usize) -> impl Iterator<Item = &NodeId> {
        let count = self.sizes.0 + self.sizes.1;
        self.derivatives.iter().skip(position * count).take(count)
    }

    fn columns(&self, positions: &[usize]) -> Vec<NodeId> {
        positions
            .iter()
            .flat_map(|position| self.of_parameter(*position))
            .copied()
            .collect()
    }

    /// M, J, the forces by multipliers, f and gamma.
    fn equations(&self) -> Vec<NodeId> {
        [&self.mass[..], &self.jacobian, &self.reactions, &self.right].concat()
    }

    /// The rows of `[M -K; J 0]` from the values of the equations, and the right-hand side.
    fn split_matrix<T: Entry>(&self, values: &[T]) -> (Vec<Vec<T>>, Vec<T>) {
        let (n, c) = self.sizes;
        let (mass, remaining) = values.split_at(self.mass.len());
        let (jacobian, remaining) = remaining.split_at(self.jacobian.len());
        let (reactions, right) = remaining.split_at(self.reactions.len());
        let width = reactions.len() / n.max(1);
        let mut rows = Vec::with_capacity(n + c);
        for i in 0..n {
            let mut row = mass[i * n..(i + 1) * n].to_vec();
            row.extend((0..c).map(|k| {
                let force = T::ZERO.less(T::ONE, jacobian[k * n + i]);
                match reactions.get(i * width + k) {
                    Some(reaction) => force.less(T::ONE, *reaction),
                    None => force,
                }
            }));
            rows.push(row);
        }
        for k in 0..c {
            let mut row = jacobian[k * n..(k + 1) * n].to_vec();
            row.resize(n + c, T::ZERO);
            rows.push(row);
        }
        (rows, right.to_vec())
    }

    /// The parameters among these that are idle at states of the field, and the doubts of all values; `None` if there is no
    /// such state.
    fn find_idle_exactly(
        &self,
        graph: &Graph,
        positions: &[usize],
    ) -> (Vec<usize>, Option<Doubts>) {
        let mut open = positions.to_vec();
        let (mut agreeing, mut failed, mut doubts) = (0, 0, Doubts::NONE);
        let equations = self.equations();
        for state in 0.. {
            let columns = self.columns(&open);
            match self.test_exact_state(graph, (&equations, &columns), state) {
                Some((idle, doubts_there)) => {
                    doubts = doubts.and(doubts_there);
                    let mut idle = idle.into_iter();
                    open.retain(|_| idle.next() == Some(true));
                    agreeing += 1;
                }
                None => failed += 1,
            }
            if agreeing == doubts.states_needed() || open.is_empty() {
                return (open, Some(doubts));
            }
            if failed == FAILING {
                break;
            }
        }
        (Vec::new(), None)
    }

    /// For each column whether the accelerations do not depend on its parameter, at a state of the field.
    fn test_exact_state(
        &self,
        graph: &Graph,
        (equations, columns): (&[NodeId], &[NodeId]),
        state: usize,
    ) -> Option<(Vec<bool>, Doubts)> {
        let mut doubts = Doubts::NONE;
        let mut values = |roots: &[NodeId], symbols: &dyn Fn(Symbol) -> Element| {
            let images = images_at(graph, roots, state, symbols);
            images
                .into_iter()
                .map(|image| {
                    doubts = doubts.and(image.doubts);
                    image.value
                })
                .collect::<Option<Vec<Element>>>()
        };
        let known = values(equations, &|symbol| random(state, symbol))?;
        let (matrix, right) = self.split_matrix(&known);
        let motion = solve_equations(append_columns(&matrix, &[right]), matrix.len(), 0.0);
        let agree = |dependent_rows: &[Vec<Element>], column: usize| {
            dependent_rows
                .iter()
                .filter_map(|row| row.get(column))
                .all(|entry| entry.is_zero())
        };
        let motion = match agree(&motion.dependent, 0) {
            true => self.motion(motion.unknowns)?,
            false => return None,
        };
        let known = values(columns, &|symbol| {
            self.solved_symbol(symbol, &motion)
                .unwrap_or_else(|| random(state, symbol))
        })?;
        let columns: Vec<Vec<Element>> = known
            .chunks(matrix.len().max(1))
            .map(<[_]>::to_vec)
            .collect();
        let derivatives = solve_equations(append_columns(&matrix, &columns), matrix.len(), 0.0);
        let n = self.sizes.0;
        let is_idle = |column: usize| {
            derivatives
                .unknowns
                .iter()
                .take(n)
                .flatten()
                .filter_map(|values| values.get(column))
                .all(|value| value.is_zero())
                && agree(&derivatives.dependent, column)
        };
        Some(((0..columns.len()).map(is_idle).collect(), doubts))
    }

    /// The parameters among these that are idle at complex states, with all symbols near 1 and with each one enlarged. The
    /// equations may have no solution where one is large.
    fn find_idle_rounded(
        &self,
        graph: &Graph,
        symbols: &[Symbol],
        positions: &[usize],
    ) -> Vec<usize> {
        let mut open = positions.to_vec();
        let (mut agreeing, mut failed) = (0, 0);
        let equations = self.equations();
        for state in 0.. {
            if agreeing == AGREEING || open.is_empty() {
                break;
            }
            let columns = self.columns(&open);
            match self.test_complex_state(graph, (&equations, &columns), (state, None)) {
                Some(idle) => {
                    let mut idle = idle.into_iter();
                    open.retain(|_| idle.next() == Some(true));
                    agreeing += 1;
                }
                None => failed += 1,
            }
            if failed == FAILING {
                return Vec::new();
            }
        }
        for (state, symbol) in symbols.iter().enumerate() {
            if open.is_empty() {
                break;
            }
            let columns = self.columns(&open);
            let large = (state, Some(*symbol));
            if let Some(idle) = self.test_complex_state(graph, (&equations, &columns), large) {
                let mut idle = idle.into_iter();
                open.retain(|_| idle.next() == Some(true));
            }
        }
        open
    }

    fn test_complex_state(
        &self,
        graph: &Graph,
        (equations, columns): (&[NodeId], &[NodeId]),
        (state, large): (usize, Option<Symbol>),
    ) -> Option<Vec<bool>> {
        let at_state = |symbol| {
            let value = at_state(graph, state, symbol);
            with_size(value, large == Some(symbol))
        };
        let values = |roots: &[NodeId], symbols: &dyn Fn(Symbol) -> Complex| {
            let probes = graph.evaluate_complex(roots, symbols);
            let are_known = probes.iter().all(|probe| probe.is_known() && probe.exact);
            are_known.then_some(probes)
        };
        let probes = values(equations, &at_state)?;
        let probes: Vec<Complex> = probes.iter().map(|probe| probe.value).collect();
        let (matrix, right) = self.split_matrix(&probes);
        let size = matrix.len();
        let scaled = Scaled::of(matrix);
        let unit = |row: usize| {
            let mut column = vec![Complex::ZERO; size];
            column[row] = Complex::ONE;
            column
        };
        let units: Vec<Vec<Complex>> = (0..size).map(unit).collect();
        let inverse = solve_equations(append_columns(&scaled.rows, &units), size, ZERO);
        let inverse: Vec<Option<Vec<Complex>>> = inverse.unknowns;
        // An entry of the inverse of the matrix before it was scaled.
        let entry = |row: &[Complex], i: usize, j: usize| {
            row[j].scale(1.0 / scaled.of_columns[i] / scaled.of_rows[j])
        };
        let product = |right: &[Complex]| -> Vec<Option<Vec<Complex>>> {
            let rows = inverse.iter().enumerate();
            rows.map(|(i, row)| {
                let row = row.as_ref()?;
                let sum = right
                    .iter()
                    .enumerate()
                    .fold(Complex::ZERO, |sum, (j, right)| {
                        sum + entry(row, i, j) * *right
                    });
                Some(vec![sum])
            })
            .collect()
        };
        let motion = self.motion(product(&right))?;
        let probes = values(columns, &|symbol| {
            self.solved_symbol(symbol, &motion)
                .unwrap_or_else(|| at_state(symbol))
        })?;
        let is_idle = probes.chunks(size.max(1)).map(|column| {
            inverse
                .iter()
                .enumerate()
                .take(self.sizes.0)
                .filter_map(|(i, row)| Some((i, row.as_ref()?)))
                .all(|(i, row)| {
                    let (mut sum, mut terms) = (Complex::ZERO, 0.0);
                    for (j, probe) in column.iter().enumerate() {
                        let factor = entry(row, i, j);
                        sum = sum + factor * probe.value;
                        terms += factor.abs() * probe.size.max(probe.value.abs());
                    }
                    sum.abs() <= ZERO * terms
                })
        });
        Some(is_idle.collect())
    }

    /// a and lambda, if a is determined; multipliers that are free are 0.
    fn motion<T: Entry>(&self, unknowns: Vec<Option<Vec<T>>>) -> Option<Vec<T>> {
        let n = self.sizes.0;
        let values = unknowns.into_iter().enumerate();
        let values =
            values.map(
                |(unknown, value)| match value.and_then(|value| value.first().copied()) {
                    None if unknown >= n => Some(T::ZERO),
                    value => value,
                },
            );
        values.collect()
    }

    /// The value of an acceleration or a multiplier of a constraint.
    fn solved_symbol<T: Entry>(&self, symbol: Symbol, motion: &[T]) -> Option<T> {
        match symbol {
            Symbol::Acceleration(i) => motion.get(i as usize).copied(),
            Symbol::Multiplier(i) if (i as usize) < self.sizes.1 => {
                motion.get(self.sizes.0 + i as usize).copied()
            }
            _ => None,
        }
    }
}

/// A matrix and columns behind it.
fn append_columns<T: Entry>(matrix: &[Vec<T>], columns: &[Vec<T>]) -> Vec<Vec<T>> {
    matrix
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let right = columns.iter().map(|column| column[i]);
            row.iter().copied().chain(right).collect()
        })
        .collect()
}
