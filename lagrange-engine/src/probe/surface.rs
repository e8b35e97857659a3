//! The same question on a surface: is this zero wherever the constraints hold.
//!
//! Points of the surface are found by Newton's method from the random points of the whole space, each
//! step the shortest. They are complex, where almost every choice of parameters has a solution, also
//! one for which the parts of a mechanism do not reach each other.

use super::eliminate;
use super::points::{self, Domain, POINTS};
use super::{AGREEING, Answer};
use crate::{Complex, Graph, Kinematics, NodeId, Probe, Symbol};

/// What holds: n velocities, c rows, h of them on coordinates.
pub(crate) struct Surface<'a> {
    pub(crate) kinematics: &'a Kinematics,
    /// g(q, t): h entries.
    pub(crate) residuals: &'a [NodeId],
    /// dg/dq along the directions of v: h x n.
    pub(crate) slopes: &'a [NodeId],
    /// What is zero of the velocities: c entries.
    pub(crate) velocity: &'a [NodeId],
    /// Its derivatives by v: c x n.
    pub(crate) jacobian: &'a [NodeId],
}

/// So many steps at most lead to the surface.
const STEPS: usize = 60;
/// The longest step: beyond it the functions of complex arguments grow fast.
const LONGEST: f64 = 0.7;
/// Residuals below this, relative to their [`Probe::scale`], are met.
const MET: f64 = 1e-13;
/// On points that are as exact as that, zeros are below the first, other values above the second.
const ZERO: f64 = 1e-9;
const NON_ZERO: f64 = 1e-6;

/// For each root whether it is zero wherever the constraints hold, at the level of velocities too.
pub(crate) fn vanishes_on(graph: &Graph, surface: &Surface<'_>, roots: &[NodeId]) -> Vec<Answer> {
    let found = (0..POINTS).filter_map(|number| Point::on(graph, surface, number));
    let values = found.map(|point| {
        let probes = graph.evaluate_complex(roots, &|symbol| point.value(graph, symbol));
        probes.into_iter().map(sign).collect()
    });
    let values: Vec<Vec<Option<bool>>> = values.collect();
    let answer = |root: usize| {
        let said = values.iter().filter_map(|point| point[root]);
        let (zeros, others): (Vec<bool>, Vec<bool>) = said.partition(|is_zero| *is_zero);
        match (zeros.len(), others.len()) {
            (AGREEING.., 0) => Answer::Yes,
            (_, 1..) => Answer::No,
            _ => Answer::Unknown,
        }
    };
    (0..roots.len()).map(answer).collect()
}

/// Whether a value is zero, if it speaks for others.
fn sign(probe: Probe) -> Option<bool> {
    if !probe.is_known() || !probe.exact {
        return None;
    }
    let size = probe.value.abs();
    if size <= ZERO * probe.scale {
        Some(true)
    } else {
        (size > NON_ZERO * probe.scale).then_some(false)
    }
}

/// A state that meets the constraints; other symbols have the values of a random point.
struct Point {
    number: usize,
    q: Vec<Complex>,
    v: Vec<Complex>,
}

impl Point {
    fn on(graph: &Graph, surface: &Surface<'_>, number: usize) -> Option<Self> {
        // A real one need not be within reach of any parameters.
        if points::domain(number) == Domain::Real {
            return None;
        }
        let start = |symbols: Vec<Symbol>| -> Vec<Complex> {
            let symbols = symbols.into_iter();
            symbols.map(|s| points::value(graph, number, s)).collect()
        };
        let mut point = Point {
            number,
            q: start(surface.kinematics.coordinate_symbols()),
            v: start(surface.kinematics.velocity_symbols()),
        };
        let rows = [surface.residuals, surface.slopes];
        point.newton(graph, rows, |point, step| point.turn(surface, step))?;
        let rows = [surface.velocity, surface.jacobian];
        point.newton(graph, rows, |point, step| {
            for (v, step) in point.v.iter_mut().zip(step) {
                *v = *v + *step;
            }
        })?;
        Some(point)
    }

    fn value(&self, graph: &Graph, symbol: Symbol) -> Complex {
        match symbol {
            Symbol::Coordinate(i) => self.q[i as usize],
            Symbol::Velocity(i) => self.v[i as usize],
            other => points::value(graph, self.number, other),
        }
    }

    /// Moves by the shortest steps until the values are zero.
    fn newton(
        &mut self,
        graph: &Graph,
        [values, slopes]: [&[NodeId]; 2],
        moves: impl Fn(&mut Self, &[Complex]),
    ) -> Option<()> {
        let roots = [values, slopes].concat();
        for _ in 0..STEPS {
            let probes = graph.evaluate_complex(&roots, &|symbol| self.value(graph, symbol));
            if !probes.iter().all(|probe| probe.is_known()) {
                return None;
            }
            let (values, slopes) = probes.split_at(values.len());
            if values
                .iter()
                .all(|probe| probe.value.abs() <= MET * probe.scale)
            {
                return Some(());
            }
            let right: Vec<Complex> = values.iter().map(|probe| -probe.value).collect();
            let slopes: Vec<Complex> = slopes.iter().map(|probe| probe.value).collect();
            let step = shortest(&slopes, &right)?;
            let largest = step.iter().map(|entry| entry.abs()).fold(0.0, f64::max);
            let factor = (LONGEST / largest).min(1.0);
            let step: Vec<Complex> = step.iter().map(|entry| entry.scale(factor)).collect();
            moves(self, &step);
        }
        None
    }

    /// q moved by a displacement; quaternions stay of unit length.
    fn turn(&mut self, surface: &Surface<'_>, step: &[Complex]) {
        let moved = surface.kinematics.displaced(&self.q, step);
        for (q, step) in self.q.iter_mut().zip(moved) {
            *q = *q + step;
        }
        for rotation in surface.kinematics.rotations() {
            let entries = &mut self.q[rotation.coordinate..rotation.coordinate + 4];
            let length = points::norm(entries);
            entries.iter_mut().for_each(|q| *q = *q / length);
        }
    }
}

/// The shortest x with A x = b: A^H (A A^H)^-1 b, A by rows.
fn shortest(matrix: &[Complex], right: &[Complex]) -> Option<Vec<Complex>> {
    let columns = matrix.len() / right.len().max(1);
    let rows: Vec<&[Complex]> = matrix.chunks(columns.max(1)).collect();
    let product = |a: &[Complex], b: &[Complex]| {
        let pairs = a.iter().zip(b);
        pairs.fold(Complex::ZERO, |sum, (a, b)| sum + *a * b.conjugate())
    };
    let gram: Vec<Vec<Complex>> = rows
        .iter()
        .map(|a| rows.iter().map(|b| product(a, b)).collect())
        .collect();
    let weights = eliminate::solve(&gram, right)?;
    let entry = |column: usize| {
        let terms = rows.iter().zip(&weights);
        terms.fold(Complex::ZERO, |sum, (row, weight)| {
            sum + row[column].conjugate() * *weight
        })
    };
    Some((0..columns).map(entry).collect())
}
