//! Pairs of points that keep their distance, whatever the state: rods.

use super::places::Places;
use crate::motion::{Driven, State};

/// The number of states that are compared.
const SAMPLES: usize = 6;
/// The largest displacement of a coordinate from one of them to the first.
const REACH: f64 = 1.3;
/// Distances are equal if they differ by less of the largest one: those on constraints are equal up to the tolerance of
/// the projection.
const EQUAL: f64 = 1e-7;
/// The most points that are compared.
const MOST: usize = 160;

/// Two points that keep their distance.
pub(super) struct Rod {
    pub(super) ends: [usize; 2],
    /// The end that rests, if one does.
    pub(super) resting: Option<usize>,
}

/// The first state, and others about it, on the constraints.
pub(super) fn samples(driven: &Driven, state: &State) -> Vec<Places> {
    let states = (0..SAMPLES).filter_map(|number| match number {
        0 => Some(state.clone()),
        _ => displaced(driven, state, number),
    });
    let states: Vec<State> = states.collect();
    states
        .iter()
        .filter_map(|state| Places::at(driven, state))
        .collect()
}

fn displaced(driven: &Driven, state: &State, number: usize) -> Option<State> {
    let count = state.v.len();
    // Multiples of the golden section, which fill an interval evenly.
    let part = |j: usize| ((number * count + j) as f64 * 0.618_033_988_749_894_9).fract();
    let by: Vec<f64> = (0..count).map(|j| REACH * (2.0 * part(j) - 1.0)).collect();
    let mut other = state.clone();
    other.t += number as f64;
    let model = driven.model;
    let arguments = [&state.q[..], &by];
    let moved = model.call(
        "integrate",
        driven.parameters,
        &arguments,
        &mut [&mut other.q],
    );
    moved.ok()?;
    driven.project(&mut other).ok()?;
    Some(other)
}

/// The rods of these samples. Points of one body are joined to near ones only: two of them have no rod if a third one is
/// nearer to both.
pub(super) fn rods(samples: &[Places]) -> Vec<Rod> {
    let points_of_samples: Vec<Vec<[f64; 3]>> = samples.iter().map(Places::points).collect();
    let Some((first, other_samples)) = points_of_samples.split_first() else {
        return Vec::new();
    };
    if other_samples.len() < 2 || first.len() > MOST {
        return Vec::new();
    }
    let pairs = (0..first.len()).flat_map(|a| (a + 1..first.len()).map(move |b| [a, b]));
    let of_pair = |points: &[[f64; 3]], [a, b]: [usize; 2]| distance(points[a], points[b]);
    let most = pairs
        .flat_map(|pair| {
            points_of_samples
                .iter()
                .map(move |points| of_pair(points, pair))
        })
        .fold(0.0, f64::max);
    let rests = |point: usize| {
        other_samples
            .iter()
            .all(|points| distance(points[point], first[point]) <= EQUAL * most)
    };
    let resting: Vec<bool> = (0..first.len()).map(rests).collect();
    let is_rigid = |pair: [usize; 2]| {
        let length = of_pair(first, pair);
        other_samples
            .iter()
            .all(|points| (of_pair(points, pair) - length).abs() <= EQUAL * most)
    };
    let rigid: Vec<Vec<Option<f64>>> = (0..first.len())
        .map(|a| {
            let lengths =
                (0..first.len()).map(|b| is_rigid([a, b]).then(|| of_pair(first, [a, b])));
            lengths.collect()
        })
        .collect();
    // The first of several points in one place.
    let is_first =
        |b: &usize| !(0..*b).any(|a| rigid[a][*b].is_some_and(|between| between <= EQUAL * most));
    let places: Vec<usize> = (0..first.len()).filter(is_first).collect();
    let mut rods = Vec::new();
    for (k, a) in places.iter().copied().enumerate() {
        for b in places.iter().skip(k + 1).copied() {
            let Some(length) = rigid[a][b].filter(|_| !(resting[a] && resting[b])) else {
                continue;
            };
            let is_nearer = |between: Option<f64>| between.is_some_and(|between| between < length);
            let mut through = places.iter();
            if through
                .any(|c| is_nearer(rigid[a][*c]) && is_nearer(rigid[*c][b]) && ![a, b].contains(c))
            {
                continue;
            }
            let ends = [a, b];
            let resting = ends.into_iter().find(|end| resting[*end]);
            rods.push(Rod { ends, resting });
        }
    }
    rods
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}
