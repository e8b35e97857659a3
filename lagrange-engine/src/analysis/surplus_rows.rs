//! The choice of a constraint to remove from several dependent ones.
//!
//! Dependent rows of J satisfy a relation c1 J1 + c2 J2 + .. = 0. A row can be removed wherever its coefficient is not
//! zero: the others have the same span there. So the row to remove is one whose coefficient vanishes nowhere on the
//! constraints. The coefficient is the volume that the kept rows span, divided by the largest volume that as many of
//! the rows span, in any units of the coordinates.

use std::collections::HashSet;

use super::constraint_rows::{Row, rows};
use super::constraints::ConstraintDefect;
use crate::probe::real_point;
use crate::{Complex, ConstraintKind, Graph, Kinematics, NodeId, Symbol, System, rank};

/// The number of examined states.
const STATES: usize = 24;
/// The number of steps to the constraints, and the largest step.
const STEPS: usize = 60;
const LONGEST: f64 = 1.0;
/// The largest graph, the longest elimination, and the largest number of other constraints for this question.
const MOST_NODES: usize = 20_000;
const MOST_ELIMINATION: usize = 200_000;
const MOST_CANDIDATES: usize = 8;
/// Residuals below this count as met: at a double root, and to end Newton's method.
const NEAR: f64 = 1e-6;
const MET: f64 = 1e-13;
/// The accepted decrease of a coefficient if a constraint can be removed as a whole: the reported one, another one.
const OWN: f64 = 12.0;
const OTHER: f64 = 4.0;

/// The rows to remove, so that the remaining constraints are independent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Surplus {
    /// All rows of this group.
    Group(usize),
    /// These rows of the given group.
    Rows(Vec<usize>),
}

/// The rows to remove if rows of the group `of` have a defect. A group is the rows of one statement, which can be
/// removed only together; the defects are those of [`constraint_defects`](crate::constraint_defects).
///
/// `None` if the system is too large, or the defects are not dependent rows.
pub fn surplus_rows(
    system: &System,
    groups: &[Vec<usize>],
    defects: &[Option<ConstraintDefect>],
    of: usize,
) -> Option<Surplus> {
    let mut graph = system.graph.clone();
    let rows = rows(&mut graph, system);
    let is_compared = |row: usize| {
        matches!(
            defects[row],
            None | Some(
                ConstraintDefect::Dependent(_)
                    | ConstraintDefect::Repeated(_)
                    | ConstraintDefect::Contradicts(_)
                    | ConstraintDefect::Surplus
            )
        )
    };
    let own = groups.get(of)?;
    let (mut judged, lost): (Vec<usize>, Vec<usize>) =
        own.iter().partition(|row| is_compared(**row));
    let others = groups.iter().enumerate().filter(|(group, _)| *group != of);
    let others = others.flat_map(|(_, rows)| rows.iter().copied());
    let fixed: Vec<usize> = others.filter(|row| defects[*row].is_none()).collect();
    let all: Vec<usize> = fixed.iter().chain(&judged).copied().collect();
    let rank_of = |rows_of: &[usize]| {
        let matrix = rows_of.iter().map(|row| rows[*row].jacobian.clone());
        rank(&graph, &matrix.collect::<Vec<_>>()).rank
    };
    let wanted = rank_of(&all);
    let surplus = all.len() - wanted;
    if surplus == 0 {
        let is_all = lost.len() == own.len();
        return match lost.is_empty() {
            true => None,
            false if is_all => Some(Surplus::Group(of)),
            false => Some(Surplus::Rows(lost)),
        };
    }
    let columns = rows.first().map_or(0, |row| row.jacobian.len());
    let eliminations = all.len().saturating_mul(all.len()).saturating_mul(columns);
    if graph.len() > MOST_NODES || eliminations > MOST_ELIMINATION {
        return None;
    }
    let states = States::new(&graph, &system.names.kinematics(), &rows, &all);
    let without = |left_out: &[usize]| -> Vec<usize> {
        let stay = all.iter().filter(|row| !left_out.contains(row));
        stay.copied().collect()
    };
    let mut options = Vec::new();
    if surplus == judged.len() {
        options.push((Surplus::Group(of), judged, OWN));
    } else {
        let chosen = states.best_of(&fixed, &judged, judged.len() - surplus);
        judged.retain(|row| !chosen.contains(row));
        let rows = Surplus::Rows([&lost[..], &judged[..]].concat());
        options.push((rows, judged, 1.0));
    }
    // The groups that the rows depend on: any group, if there are as many independent rows as velocities. A group with
    // another defect is no candidate.
    let is_any = own
        .iter()
        .any(|row| defects[*row] == Some(ConstraintDefect::Surplus));
    let related: HashSet<usize> = own
        .iter()
        .flat_map(|row| related(defects[*row].as_ref()))
        .collect();
    let candidates = groups.iter().enumerate().filter(|(group, rows)| {
        let is_sound = |row: &usize| defects[*row].is_none() && (is_any || related.contains(row));
        *group != of && lost.is_empty() && rows.len() == surplus && rows.iter().all(is_sound)
    });
    for (group, of_group) in candidates.take(MOST_CANDIDATES) {
        if rank_of(&without(of_group)) == wanted {
            options.push((Surplus::Group(group), of_group.clone(), OTHER));
        }
    }
    let kept: Vec<Vec<usize>> = options.iter().map(|(_, out, _)| without(out)).collect();
    let coefficients = states.least_coefficients(&kept);
    let weighed = options.into_iter().zip(coefficients);
    let weighed = weighed.map(|((option, _, weight), least)| (option, weight * least));
    // The first of several equal ones.
    let best = weighed.reduce(|best, other| if other.1 > best.1 { other } else { best });
    best.map(|(option, _)| match option {
        Surplus::Rows(mut rows) => {
            rows.sort_unstable();
            Surplus::Rows(rows)
        }
        group => group,
    })
}

/// The rows that a row with this defect depends on.
fn related(defect: Option<&ConstraintDefect>) -> Vec<usize> {
    match defect {
        Some(ConstraintDefect::Dependent(on)) => on.clone(),
        Some(ConstraintDefect::Repeated(base) | ConstraintDefect::Contradicts(base)) => vec![*base],
        _ => Vec::new(),
    }
}

/// The rows of J at some states that meet the constraints, each divided by its size at a state that does not.
struct States {
    /// By state, then by the number of the constraint; empty for an ignored one.
    values: Vec<Vec<Vec<f64>>>,
}

impl States {
    fn new(graph: &Graph, kinematics: &Kinematics, rows: &[Row], all: &[usize]) -> Self {
        let holonomic = all.iter().copied();
        let holonomic = holonomic.filter(|row| rows[*row].kind == ConstraintKind::Holonomic);
        let holonomic: Vec<usize> = holonomic.collect();
        let slopes = holonomic.iter().map(|row| rows[*row].jacobian.clone());
        let count = rank(graph, &slopes.collect::<Vec<_>>()).rank;
        let mut values = Vec::new();
        for number in 0..STATES {
            // The states that begin with coordinates of a size near 1.
            let number = 8 * (number / 2) + number % 2;
            let mut state = State::new(graph, kinematics, number);
            let start = state.jacobian(rows, all);
            let sizes: Vec<f64> = start.iter().map(|row| length(row)).collect();
            if !state.meet(rows, &holonomic, count, NEAR) {
                continue;
            }
            let found = state.jacobian(rows, all);
            let scaled = found.into_iter().zip(sizes).map(|(mut row, size)| {
                row.iter_mut().for_each(|entry| *entry /= size);
                row
            });
            let scaled: Vec<Vec<f64>> = scaled.collect();
            if scaled.iter().flatten().all(|entry| entry.is_finite()) {
                values.push(scaled);
            }
        }
        States { values }
    }

    /// This many of these rows, chosen for the largest minimum over all states of the volume that they span together
    /// with the fixed ones.
    fn best_of(&self, fixed: &[usize], of: &[usize], count: usize) -> HashSet<usize> {
        let mut chosen = HashSet::new();
        let mut left = of.to_vec();
        // At each state the remainder of the other rows after the chosen ones.
        let rests = self.values.iter().map(|rows| {
            let fixed = fixed.iter().map(|row| rows[*row].clone()).collect();
            let axes = orthonormal(fixed, usize::MAX, 0.0).axes;
            let rest = |row: &usize| {
                axes.iter()
                    .fold(rows[*row].clone(), |row, axis| less(row, axis))
            };
            left.iter().map(rest).collect()
        });
        let mut rests: Vec<Vec<Vec<f64>>> = rests.collect();
        while chosen.len() < count {
            let mut least = vec![f64::INFINITY; left.len()];
            for rests in &rests {
                let sizes: Vec<f64> = rests.iter().map(|rest| length(rest)).collect();
                let most = sizes.iter().copied().fold(0.0, f64::max);
                for (least, size) in least.iter_mut().zip(sizes) {
                    *least = least.min(if most > 0.0 { size / most } else { 0.0 });
                }
            }
            // The first of several that are equal to rounding.
            let most = least.iter().copied().fold(0.0, f64::max);
            let at = least.iter().position(|least| *least >= 0.9 * most);
            let at = at.unwrap_or(0);
            chosen.insert(left.remove(at));
            for rests in &mut rests {
                if let Some(axis) = unit(rests.remove(at)) {
                    for rest in rests {
                        *rest = less(std::mem::take(rest), &axis);
                    }
                }
            }
        }
        chosen
    }

    /// For each list of rows the minimum, over all states, of the volume that they span, divided by the largest one.
    fn least_coefficients(&self, lists: &[Vec<usize>]) -> Vec<f64> {
        let mut least = vec![1.0_f64; lists.len()];
        for rows in &self.values {
            let volumes = lists.iter().map(|list| {
                let rows = list.iter().map(|row| rows[*row].clone()).collect();
                orthonormal(rows, usize::MAX, 0.0).volume
            });
            let volumes: Vec<f64> = volumes.collect();
            let most = volumes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if most.is_finite() {
                for (least, volume) in least.iter_mut().zip(volumes) {
                    *least = least.min((volume - most).exp());
                }
            }
        }
        least
    }
}

/// A state, with other symbols as at a random point.
pub(super) struct State<'a> {
    graph: &'a Graph,
    kinematics: &'a Kinematics,
    number: usize,
    q: Vec<f64>,
}

impl<'a> State<'a> {
    pub(super) fn new(graph: &'a Graph, kinematics: &'a Kinematics, number: usize) -> Self {
        let symbols = kinematics.coordinate_symbols().into_iter();
        let q = symbols.map(|symbol| real_point(graph, number, symbol));
        State {
            graph,
            kinematics,
            number,
            q: q.collect(),
        }
    }

    fn evaluate(&self, roots: &[NodeId]) -> Vec<f64> {
        self.graph.evaluate(roots, &|symbol| match symbol {
            Symbol::Coordinate(i) => self.q.get(i as usize).copied().unwrap_or(0.0),
            other => real_point(self.graph, self.number, other),
        })
    }

    /// Moves it near the neutral q, by a share of a random displacement.
    pub(super) fn start_near_neutral(&mut self, share: f64) {
        self.q.fill(0.0);
        for rotation in self.kinematics.rotations() {
            self.q[rotation.coordinate + 3] = 1.0;
        }
        let velocities = self.kinematics.velocity_symbols().into_iter();
        let step = velocities.map(|v| share * real_point(self.graph, self.number, v));
        self.turn(&step.collect::<Vec<f64>>());
    }

    /// By number of the constraint; empty for an ignored one.
    pub(super) fn jacobian(&self, rows: &[Row], of: &[usize]) -> Vec<Vec<f64>> {
        let entries: Vec<NodeId> = of
            .iter()
            .flat_map(|row| rows[*row].jacobian.clone())
            .collect();
        let mut values = self.evaluate(&entries).into_iter();
        let mut jacobian = vec![Vec::new(); rows.len()];
        for row in of {
            jacobian[*row] = values.by_ref().take(rows[*row].jacobian.len()).collect();
        }
        jacobian
    }

    /// Moves to the constraints, along `count` directions at a time. Returns whether the residuals are at most `near`
    /// of the first ones in the end.
    pub(super) fn meet(&mut self, rows: &[Row], of: &[usize], count: usize, near: f64) -> bool {
        let residuals: Vec<NodeId> = of.iter().map(|row| rows[*row].residual).collect();
        let size = |values: &[f64]| values.iter().map(|value| value.abs()).fold(0.0, f64::max);
        let first = size(&self.evaluate(&residuals));
        let mut last = first;
        for _ in 0..STEPS {
            let values = self.evaluate(&residuals);
            last = size(&values);
            if !last.is_finite() || last <= MET * first {
                break;
            }
            let jacobian = self.jacobian(rows, of);
            let slopes: Vec<&[f64]> = of.iter().map(|row| &jacobian[*row][..]).collect();
            let step = shortest(&slopes, &values, count, self.kinematics.velocity_count());
            self.turn(&step);
        }
        last <= near * first
    }

    /// Moves q by a displacement; quaternions keep unit length.
    fn turn(&mut self, step: &[f64]) {
        let complex = |values: &[f64]| -> Vec<Complex> {
            values.iter().map(|value| Complex::real(*value)).collect()
        };
        let moved = self.kinematics.displaced(&complex(&self.q), &complex(step));
        for (q, step) in self.q.iter_mut().zip(moved) {
            *q += step.re;
        }
        for rotation in self.kinematics.rotations() {
            let entries = &mut self.q[rotation.coordinate..rotation.coordinate + 4];
            let length = length(entries);
            entries.iter_mut().for_each(|q| *q /= length);
        }
    }
}

/// The step along `count` directions, those in which the rows differ most, that brings J step closest to -r.
fn shortest(rows: &[&[f64]], residuals: &[f64], count: usize, velocities: usize) -> Vec<f64> {
    let axes = orthonormal(rows.iter().map(|row| row.to_vec()).collect(), count, 0.0).axes;
    let (mut step, mut left) = (vec![0.0; velocities], residuals.to_vec());
    // Each direction with its effect on the residuals, made orthogonal to those before it.
    let mut before: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    for mut direction in axes {
        let mut effect: Vec<f64> = rows.iter().map(|row| dot(row, &direction)).collect();
        for (other, column) in &before {
            let along = dot(&effect, column);
            add(&mut effect, -along, column);
            add(&mut direction, -along, other);
        }
        let size = length(&effect);
        let Some(column) = unit(effect) else {
            continue;
        };
        direction.iter_mut().for_each(|entry| *entry /= size);
        let along = dot(&left, &column);
        add(&mut left, -along, &column);
        add(&mut step, -along, &direction);
        before.push((direction, column));
    }
    let factor = (LONGEST / length(&step)).min(1.0);
    step.iter_mut().for_each(|entry| *entry *= factor);
    step
}

/// An orthonormal basis of some rows.
pub(super) struct Basis {
    pub(super) axes: Vec<Vec<f64>>,
    /// The logarithm of the volume that the rows span.
    volume: f64,
}

/// The Gram-Schmidt method for `count` rows, the one with the longest remainder first, while that is at least `least` long.
pub(super) fn orthonormal(mut rows: Vec<Vec<f64>>, count: usize, least: f64) -> Basis {
    let mut basis = Basis {
        axes: Vec::new(),
        volume: 0.0,
    };
    while basis.axes.len() < count {
        let sizes = rows.iter().map(|row| length(row)).enumerate();
        let Some((at, size)) = sizes.max_by(|(_, a), (_, b)| a.total_cmp(b)) else {
            break;
        };
        if size < least {
            break;
        }
        basis.volume += size.ln();
        let Some(axis) = unit(rows.swap_remove(at)) else {
            break;
        };
        for row in &mut rows {
            *row = less(std::mem::take(row), &axis);
        }
        basis.axes.push(axis);
    }
    basis
}

/// `None` for a zero row.
fn unit(mut row: Vec<f64>) -> Option<Vec<f64>> {
    let size = length(&row);
    let has_direction = size.is_finite() && size > 0.0;
    row.iter_mut().for_each(|entry| *entry /= size);
    has_direction.then_some(row)
}

/// A row without its part along an axis.
fn less(mut row: Vec<f64>, axis: &[f64]) -> Vec<f64> {
    let along = dot(&row, axis);
    add(&mut row, -along, axis);
    row
}

fn add(sum: &mut [f64], factor: f64, other: &[f64]) {
    for (sum, other) in sum.iter_mut().zip(other) {
        *sum += factor * other;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn length(row: &[f64]) -> f64 {
    dot(row, row).sqrt()
}
