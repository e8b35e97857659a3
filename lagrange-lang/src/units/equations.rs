//! The equations between units, and their solution: the unit of every name, and the facts that contradict others.

use std::collections::BTreeMap;

use lagrange_engine::{Graph, Number};

use super::facts::{Fact, Factor, Label, Side};
use super::measures::{Measure, Unknown};
use super::unit::Unit;

/// The measures of the nodes; see [`super::measures::of_nodes`].
pub(super) type Measures = Vec<Option<Measure>>;

/// The solved units of one declaration.
#[derive(Default)]
pub(super) struct Solution {
    /// The label of each name that has one.
    pub(super) labels: BTreeMap<Unknown, Label>,
    /// The measure of each other name, and the fact that tells it. Facts before this one tell the names in the measure.
    pub(super) inferred: BTreeMap<Unknown, (Measure, usize)>,
}

/// A fact whose sides have different units.
pub(super) struct Contradiction {
    pub(super) fact: usize,
    pub(super) units: [Unit; 2],
}

impl Side {
    /// `None` for a number that stands alone: it has any unit.
    pub(super) fn measure(&self, measures: &Measures) -> Option<Measure> {
        let mut product = Measure::PURE;
        for (factor, power) in &self.factors {
            let of = match factor {
                Factor::Node(node) => measures.get(node.index())?.clone()?,
                Factor::Energy => Measure::unknown(Unknown::Energy),
                Factor::Length => Measure::unknown(Unknown::Length),
                Factor::Second => Measure::known(Unit::second()),
            };
            product = product.times(&of, Number::integer((*power).into()))?;
        }
        Some(product)
    }
}

impl Solution {
    /// The measure by names with labels, and by names of unknown unit.
    pub(super) fn by_labels(&self, measure: &Measure) -> Option<Measure> {
        let mut measure = measure.clone();
        loop {
            let inferred = measure.unknowns.keys().find_map(|unknown| {
                let (by, _) = self.inferred.get(unknown)?;
                Some((*unknown, by))
            });
            match inferred {
                Some((unknown, by)) => measure = measure.substitute(unknown, by)?,
                None => return Some(measure),
            }
        }
    }

    /// The measure by names of unknown unit alone.
    pub(super) fn reduced(&self, measure: &Measure) -> Option<Measure> {
        let mut measure = self.by_labels(measure)?;
        let unknowns: Vec<Unknown> = measure.unknowns.keys().copied().collect();
        for unknown in unknowns {
            if let Some(label) = self.labels.get(&unknown) {
                measure = measure.substitute(unknown, &Measure::known(label.unit.clone()))?;
            }
        }
        Some(measure)
    }

    /// The unit, if the facts tell it.
    pub(super) fn unit(&self, measure: &Measure) -> Option<Unit> {
        self.reduced(measure)?.as_unit().cloned()
    }

    /// Solves the equations, those with one unknown first, so that each name is told by a short chain of facts. Returns the
    /// facts that contradict earlier ones, without those that follow from another contradiction.
    pub(super) fn solve(
        &mut self,
        facts: &[Fact],
        (graph, measures): (&Graph, &Measures),
    ) -> Vec<Contradiction> {
        let mut open: Vec<(usize, Measure)> = Vec::new();
        for (number, fact) in facts.iter().enumerate() {
            let [left, right] = fact.sides.each_ref().map(|side| side.measure(measures));
            let equation = left
                .zip(right)
                .and_then(|(left, right)| left.times(&right, Number::MINUS_ONE));
            open.extend(equation.map(|equation| (number, equation)));
        }
        let mut contradictions: Vec<(usize, Measure)> = Vec::new();
        loop {
            let before = open.len();
            let mut several = Vec::new();
            for (number, equation) in open {
                let Some(reduced) = self.reduced(&equation) else {
                    continue;
                };
                let mut unknowns = reduced.unknowns.keys();
                match (unknowns.next(), unknowns.next()) {
                    (None, _) if reduced.unit.is_one() => {}
                    (None, _) => contradictions.push((number, equation)),
                    (Some(unknown), None) => {
                        let unknown = *unknown;
                        if !self.infer(unknown, (&equation, &reduced), number) {
                            contradictions.push((number, equation));
                        }
                    }
                    _ => several.push((number, equation)),
                }
            }
            open = several;
            if open.len() < before {
                continue;
            }
            if open.is_empty() {
                break;
            }
            // Every equation has several unknowns. One unknown of an equation follows from the others.
            let (number, equation) = open.remove(0);
            let reduced = self.reduced(&equation);
            let last = reduced
                .as_ref()
                .and_then(|reduced| reduced.unknowns.keys().next().copied());
            if let (Some(reduced), Some(unknown)) = (reduced, last)
                && !self.infer(unknown, (&equation, &reduced), number)
            {
                contradictions.push((number, equation));
            }
        }
        self.independent(facts, (graph, measures), contradictions)
    }

    /// Solves an equation for one of its unknowns. Returns false if the result has a dimension that the unknown cannot have.
    fn infer(
        &mut self,
        unknown: Unknown,
        (equation, reduced): (&Measure, &Measure),
        fact: usize,
    ) -> bool {
        let solved = |of: &Measure| {
            let power = *of.unknowns.get(&unknown)?;
            let mut others = of.clone();
            others.unknowns.remove(&unknown);
            Measure::PURE.times(&others, -power.recip()?)
        };
        let dimension = match unknown {
            Unknown::Energy => Unit::of_word("J"),
            Unknown::Length => Unit::of_word("m"),
            Unknown::Symbol(_) | Unknown::Power(_) => None,
        };
        if let (Some(dimension), Some(solved)) = (dimension, solved(reduced))
            && let Some(unit) = solved.as_unit()
            && !unit.is_of_dimension(&dimension)
        {
            return false;
        }
        let by_labels = self.by_labels(equation);
        if let Some(measure) = by_labels.as_ref().and_then(solved) {
            self.inferred.insert(unknown, (measure, fact));
        }
        true
    }

    /// The contradictions of which none follows from an earlier one.
    fn independent(
        &self,
        facts: &[Fact],
        (graph, measures): (&Graph, &Measures),
        contradictory: Vec<(usize, Measure)>,
    ) -> Vec<Contradiction> {
        let mut independent: Vec<(Contradiction, Vec<Repair>)> = Vec::new();
        let mut contradictory = contradictory;
        contradictory.sort_by_key(|(number, _)| *number);
        for (number, equation) in contradictory {
            let units = facts[number].sides.each_ref().map(|side| {
                let measure = side.measure(measures)?;
                let unit = self.unit(&measure);
                // The unit that has the wrong dimension for an energy or a length.
                unit.or_else(|| match measure.unknowns.keys().next()? {
                    Unknown::Energy => self.with(&measure, Unknown::Energy, "J"),
                    Unknown::Length => self.with(&measure, Unknown::Length, "m"),
                    Unknown::Symbol(_) | Unknown::Power(_) => None,
                })
            });
            let [Some(left), Some(right)] = units else {
                continue;
            };
            let repairs = self.repairs(&equation);
            let follows = independent.iter().any(|(earlier, others)| {
                let fact = &facts[earlier.fact];
                fact.place.is_same(&facts[number].place)
                    || facts[number].contains_side_of(fact, graph)
                    || others
                        .iter()
                        .any(|other| repairs.iter().any(|repair| repair.fits(other)))
            });
            if !follows {
                let contradiction = Contradiction {
                    fact: number,
                    units: [left, right],
                };
                independent.push((contradiction, repairs));
            }
        }
        independent
            .into_iter()
            .map(|(contradiction, _)| contradiction)
            .collect()
    }

    fn with(&self, measure: &Measure, unknown: Unknown, word: &str) -> Option<Unit> {
        let by = Measure::known(Unit::of_word(word)?);
        self.unit(&measure.clone().substitute(unknown, &by)?)
    }

    /// The changes of one label each that would make an equation hold.
    fn repairs(&self, equation: &Measure) -> Vec<Repair> {
        let (Some(by_labels), Some(mut reduced)) =
            (self.by_labels(equation), self.reduced(equation))
        else {
            return Vec::new();
        };
        // An energy that no statement tells has at least its dimension.
        let mut is_exact = true;
        for (unknown, word) in [(Unknown::Energy, "J"), (Unknown::Length, "m")] {
            if !reduced.unknowns.contains_key(&unknown) {
                continue;
            }
            let unit = Unit::of_word(word).map(Measure::known);
            match unit.and_then(|unit| reduced.substitute(unknown, &unit)) {
                Some(measure) => reduced = measure,
                None => return Vec::new(),
            }
            is_exact = false;
        }
        // The elements of an array, and all names of a field, have one label.
        let mut powers: BTreeMap<Unknown, Number> = BTreeMap::new();
        for (unknown, power) in &by_labels.unknowns {
            let label = self.labels.get(unknown);
            let first = label.and_then(|label| {
                self.labels
                    .iter()
                    .find(|(_, other)| other.place.is_same(&label.place))
            });
            let first = first.map_or(*unknown, |(first, _)| *first);
            let sum = powers.get(&first).copied().unwrap_or(Number::ZERO);
            let Some(sum) = sum.checked_add(*power) else {
                return Vec::new();
            };
            powers.insert(first, sum);
        }
        powers
            .iter()
            .filter_map(|(unknown, power)| {
                Some(Repair {
                    unknown: *unknown,
                    change: reduced.unit.power(-power.recip()?)?,
                    is_exact,
                })
            })
            .collect()
    }
}

/// A change of the unit of a label.
struct Repair {
    unknown: Unknown,
    change: Unit,
    /// False if only its dimension is known.
    is_exact: bool,
}

impl Repair {
    /// Returns whether one change may be both.
    fn fits(&self, other: &Self) -> bool {
        let is_same = match self.is_exact && other.is_exact {
            true => self.change == other.change,
            false => self.change.is_of_dimension(&other.change),
        };
        self.unknown == other.unknown && is_same
    }
}

impl Fact {
    /// Returns whether a side of this fact contains a side or the value of the other one, whose unit is unknown for its
    /// contradiction.
    fn contains_side_of(&self, other: &Fact, graph: &Graph) -> bool {
        let nodes = |sides: &[Side]| {
            sides
                .iter()
                .flat_map(|side| side.factors.iter())
                .filter_map(|(factor, _)| match factor {
                    Factor::Node(node) => Some(*node),
                    _ => None,
                })
                .collect::<Vec<_>>()
        };
        let reached = graph.reachable(&nodes(&self.sides));
        let mut wrong = nodes(&other.sides[..1]);
        wrong.extend(&other.results);
        wrong.retain(|node| graph.as_number(*node).is_none());
        wrong.into_iter().any(|node| {
            let is_leaf = matches!(graph.node(node), lagrange_engine::Node::Symbol(_));
            !is_leaf && reached.get(node.index()) == Some(&true)
        })
    }
}
