//! The words of a contradiction: both units, and for each a chain of the labels and statements that tell it.

use std::collections::BTreeSet;

use lagrange_engine::{Symbol, System};

use super::equations::{Contradiction, Measures, Solution};
use super::facts::{Fact, Factor, Facts, Side};
use super::measures::Unknown;
use super::unit::{Unit, rounded};

/// The most links of a chain.
const MOST_LINKS: usize = 4;

pub(super) fn contradiction(
    contradiction: &Contradiction,
    facts: &Facts,
    solution: &Solution,
    (system, measures, texts): (&System, &Measures, &[(Unit, String)]),
) -> String {
    let fact = &facts.all[contradiction.fact];
    let [left, right] = &contradiction.units;
    let [of_left, of_right] = &fact.sides;
    let by = match left.is_of_dimension(right) {
        true => format!(
            " by a factor of {}",
            rounded(left.factor() / right.factor())
        ),
        false => String::new(),
    };
    let unit = |unit: &Unit| match unit.is_one() {
        true => "a pure number".to_owned(),
        false => format!("in {}", unit.text(texts)),
    };
    let mut message = format!(
        "units disagree{by}: {} is {}, but {} is {}",
        of_left.words,
        unit(left),
        of_right.words,
        unit(right)
    );
    let chains = Chains {
        facts,
        solution,
        system,
        measures,
        texts,
    };
    let of_sides = fact.sides.iter().filter_map(|side| {
        let chain = chains.of(side);
        let is_term = side
            .factors
            .iter()
            .any(|(factor, _)| matches!(factor, Factor::Node(_)));
        let words = match is_term && !chain.starts_with(&side.words) {
            true => format!("{} has its unit from ", side.words),
            false => String::new(),
        };
        (!chain.is_empty()).then(|| words + &chain)
    });
    let mut help: Vec<String> = of_sides.collect();
    help.extend(chains.write_size(fact));
    if !help.is_empty() {
        message += &format!("\n\nhelp: {}", help.join("; "));
    }
    message
}

struct Chains<'a> {
    facts: &'a Facts,
    solution: &'a Solution,
    system: &'a System,
    measures: &'a Measures,
    texts: &'a [(Unit, String)],
}

impl Chains<'_> {
    /// The labels and the statements that tell the unit of a side.
    fn of(&self, side: &Side) -> String {
        let mut links = Vec::new();
        let mut told = BTreeSet::new();
        let mut open: Vec<Unknown> = match side.measure(self.measures) {
            Some(measure) => measure.unknowns.into_keys().collect(),
            None => Vec::new(),
        };
        while let Some(unknown) = (!open.is_empty()).then(|| open.remove(0)) {
            if links.len() == MOST_LINKS {
                break;
            }
            if !told.insert(unknown) {
                continue;
            }
            if let Some(label) = self.solution.labels.get(&unknown) {
                links.push(format!("{} [{}]", self.name(unknown), label.text));
                continue;
            }
            let Some((measure, fact)) = self.solution.inferred.get(&unknown) else {
                continue;
            };
            let unit = self.solution.unit(measure);
            let unit = unit.map_or_else(|| "?".to_owned(), |unit| unit.text(self.texts));
            let [told_by, _] = &self.facts.all[*fact].sides;
            let name = self.name(unknown);
            links.push(format!("{name} is in {unit} as in {}", told_by.words));
            open.extend(measure.unknowns.keys());
        }
        links.join(", ")
    }

    /// What a size is, if a coordinate has one capital letter for its unit, which may have been meant as a constant. Charges
    /// and volumes are coordinates, too.
    fn write_size(&self, fact: &Fact) -> Option<String> {
        let sides = fact.sides.iter();
        let measures =
            sides.filter_map(|side| self.solution.by_labels(&side.measure(self.measures)?));
        let mut unknowns = measures.flat_map(|measure| measure.unknowns.into_keys());
        unknowns.find_map(|unknown| {
            let text = &self.solution.labels.get(&unknown)?.text;
            let is_letter = text.len() == 1 && text.starts_with(|c: char| c.is_ascii_uppercase());
            let is_rare = is_letter && !["C", "L"].contains(&text.as_str());
            let is_coordinate = matches!(unknown, Unknown::Symbol(Symbol::Coordinate(_)));
            (is_rare && is_coordinate).then(|| {
                format!("`[{text}]` is a unit: a size is a number of the declaration, `[3]`")
            })
        })
    }

    fn name(&self, unknown: Unknown) -> String {
        let names = &self.system.names;
        let at = |names: &[String], at: u32| names.get(at as usize).map(|name| format!("`{name}`"));
        let name = match unknown {
            Unknown::Power(_) => Some("a power".to_owned()),
            Unknown::Energy => Some("an energy".to_owned()),
            Unknown::Length => Some("a position in space".to_owned()),
            Unknown::Symbol(symbol) => match (symbol, self.facts.literal_of(symbol)) {
                (_, Some(literal)) => Some(format!("`{}`", literal.number.to_f64())),
                (Symbol::Coordinate(number), _) => at(&names.coordinates, number),
                (Symbol::Parameter(number), _) => at(&names.parameters, number),
                (Symbol::State(number), _) => at(&names.states, number),
                (Symbol::Input(number), _) => at(&names.inputs, number),
                (Symbol::Time, _) => names.time.as_ref().map(|name| format!("`{name}`")),
                (Symbol::Multiplier(number), _) => {
                    let row = self.system.constraints.get(number as usize);
                    row.map(|row| format!("the multiplier of `{}`", row.name))
                }
                _ => None,
            },
        };
        name.unwrap_or_else(|| "a name".to_owned())
    }
}
