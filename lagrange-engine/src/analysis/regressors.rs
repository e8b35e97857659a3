//! The test for equations that are linear in the parameters of a regressor, and the terms that are not.
//!
//! They are linear if Y, their derivative by the parameters, does not depend on these. Structure decides this, or, as
//! in `(m + k)^2 - m^2 - 2 m k`, the values of Y at two random choices of the parameters.

use crate::{
    Answer, Dependence, Dynamics, Graph, Node, NodeId, Quantity, Symbol, is_identically_zero,
};

/// A parameter of a regressor that does not enter the equations linearly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegressorDefect {
    /// Its position in the list.
    pub position: usize,
    /// Position of the earlier parameter that multiplies this one; `None` if this parameter alone is not linear.
    pub with: Option<usize>,
    /// The term that contains it, if it can be shown.
    pub entry: Option<Entry>,
}

/// A term of the equations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The factor that contains the parameter: `l^2`.
    pub factor: NodeId,
    /// The parameters of the term, `m l^2`; `None` if the parameter is in a function of the state.
    pub coefficient: Option<NodeId>,
}

/// The defects of the regressor of this number.
pub fn regressor_defects(dynamics: &Dynamics, number: usize) -> Vec<RegressorDefect> {
    let Some(symbols) = dynamics.regressor(number) else {
        return Vec::new();
    };
    let entries = dynamics.written_expressions(Quantity::Regressor(number));
    let mut graph = dynamics.graph().clone();
    let mut columns: Vec<Column> = symbols
        .iter()
        .enumerate()
        .map(|(position, symbol)| Column {
            position,
            symbol: *symbol,
            entries: entries
                .iter()
                .skip(position)
                .step_by(symbols.len())
                .copied()
                .collect(),
        })
        .collect();
    // If a column depends on no parameter, no other column depends on its parameter.
    let dependent = depend(&mut graph, &columns, &symbols);
    let mut dependent = dependent.into_iter();
    columns.retain(|_| dependent.next() == Some(true));
    columns.truncate(MOST_JUDGED);
    let depends: Vec<Vec<bool>> = columns
        .iter()
        .map(|column| depend(&mut graph, &columns, &[column.symbol]))
        .collect();
    drop(graph);
    let is_linear = |k: usize| !depends[k][k];
    (0..columns.len())
        .filter_map(|k| {
            let with = match is_linear(k) {
                false => None,
                true => Some((0..k).find(|other| is_linear(*other) && depends[*other][k])?),
            };
            let involved: Vec<Symbol> = with
                .into_iter()
                .chain([k])
                .map(|k| columns[k].symbol)
                .collect();
            Some(RegressorDefect {
                position: columns[k].position,
                with: with.map(|with| columns[with].position),
                entry: find_shortest_entry(dynamics, &involved),
            })
        })
        .collect()
}

/// The parameters of the regressor of this number that are in coefficients of multipliers: their positions in the list,
/// each with the first such multiplier, a column of [`Quantity::MultiplierForces`].
pub fn parameters_beside_multipliers(dynamics: &Dynamics, number: usize) -> Vec<(usize, usize)> {
    let symbols = dynamics.regressor(number).unwrap_or_default();
    let entries = dynamics.expressions(Quantity::MultiplierForces);
    let count = entries.len() / dynamics.sizes().velocities.max(1);
    let graph = dynamics.graph();
    let columns: Vec<Vec<bool>> = (0..count)
        .map(|k| {
            let column = entries.iter().skip(k).step_by(count);
            graph.reachable(&column.copied().collect::<Vec<NodeId>>())
        })
        .collect();
    symbols
        .iter()
        .enumerate()
        .filter_map(|(position, symbol)| {
            let leaf = graph.leaf(*symbol)?.index();
            let first = columns
                .iter()
                .position(|reached| reached.get(leaf) == Some(&true))?;
            Some((position, first))
        })
        .collect()
}

/// Up to this many nonlinear parameters the ones at fault are identified.
const MOST_JUDGED: usize = 128;

/// A column of Y.
struct Column {
    position: usize,
    /// Its parameter.
    symbol: Symbol,
    entries: Vec<NodeId>,
}

/// For each column whether its value changes with these parameters.
fn depend(graph: &mut Graph, columns: &[Column], parameters: &[Symbol]) -> Vec<bool> {
    let entries: Vec<NodeId> = columns.iter().flat_map(|c| c.entries.clone()).collect();
    let other_values = parameters.iter().enumerate().map(|(k, parameter)| {
        // An unused symbol represents the other value.
        (*parameter, graph.symbol(Symbol::Multiplier(k as u32)))
    });
    let other_values: Vec<(Symbol, NodeId)> = other_values.collect();
    let moved = graph.substitute(&entries, &other_values);
    let differences: Vec<NodeId> = entries
        .iter()
        .zip(moved)
        .map(|(a, b)| graph.sub(*a, b))
        .collect();
    let answers = is_identically_zero(graph, &differences);
    let mut answers = answers.iter();
    columns
        .iter()
        .map(|column| {
            answers
                .by_ref()
                .take(column.entries.len())
                .fold(false, |differs, answer| differs | (*answer == Answer::No))
        })
        .collect()
}

/// The shortest term of the equations that is not linear in these parameters: one parameter that is not a simple
/// factor, or both parameters.
///
/// If they are in a function of the state, the energies show it as it was written.
fn find_shortest_entry(dynamics: &Dynamics, parameters: &[Symbol]) -> Option<Entry> {
    let equations = [
        Quantity::MassMatrix,
        Quantity::PotentialGradient,
        Quantity::GeneralizedForces,
        Quantity::Bias,
    ];
    let mut terms = Vec::new();
    for quantity in equations {
        terms.extend(find_entries(dynamics, quantity, parameters));
        let is_coefficient = |entry: &&Entry| entry.coefficient.is_some();
        if let Some(entry) = shortest_of(dynamics, terms.iter().filter(is_coefficient)) {
            return Some(entry);
        }
    }
    let energies = [Quantity::PotentialEnergy, Quantity::Lagrangian];
    let in_energies = energies
        .iter()
        .flat_map(|quantity| find_entries(dynamics, *quantity, parameters))
        .find(|entry| entry.coefficient.is_none());
    in_energies.or_else(|| shortest_of(dynamics, terms.iter()))
}

fn find_entries(dynamics: &Dynamics, quantity: Quantity, parameters: &[Symbol]) -> Vec<Entry> {
    let roots = dynamics.every_expression(&[quantity]);
    dynamics.deriving(|derivation| Terms::new(derivation.graph(), parameters).find_entries(&roots))
}

fn shortest_of<'e>(dynamics: &Dynamics, entries: impl Iterator<Item = &'e Entry>) -> Option<Entry> {
    let graph = dynamics.graph();
    let size = |entry: &&Entry| {
        let shown = entry.coefficient.unwrap_or(entry.factor);
        graph.written_size(&[shown])
    };
    entries.min_by_key(size).copied()
}

/// The largest number of examined terms.
const MOST_TERMS: usize = 3000;

/// A base and its exponent.
type Factor = (NodeId, i32);

/// The search for terms.
struct Terms<'g> {
    graph: &'g mut Graph,
    /// For each parameter its symbol, and whether each node contains it.
    parameters: Vec<(NodeId, Vec<bool>)>,
}

impl<'g> Terms<'g> {
    fn new(graph: &'g mut Graph, parameters: &[Symbol]) -> Self {
        let containing = |graph: &mut Graph, symbol: Symbol| {
            let leaf = graph.symbol(symbol);
            let mut contain = vec![false; graph.len()];
            contain[leaf.index()] = true;
            for id in graph.since(leaf.index() + 1) {
                let mut contains = false;
                graph
                    .node(id)
                    .for_each_child(|child| contains |= contain[child.index()]);
                contain[id.index()] = contains;
            }
            (leaf, contain)
        };
        let parameters = parameters
            .iter()
            .map(|symbol| containing(graph, *symbol))
            .collect();
        Terms { graph, parameters }
    }

    /// Expands sums, and products with one sum among their factors that contains the parameters.
    fn find_entries(mut self, roots: &[NodeId]) -> Vec<Entry> {
        let mut found_terms = Vec::new();
        let mut open: Vec<(NodeId, Vec<Factor>)> = roots
            .iter()
            .rev()
            .filter(|root| self.has_any(**root))
            .map(|root| (*root, Vec::new()))
            .collect();
        for _ in 0..MOST_TERMS {
            let Some((node, mut factors)) = open.pop() else {
                break;
            };
            match self.graph.node(node).clone() {
                Node::Sum { terms, .. } => {
                    let terms = terms.iter().rev();
                    open.extend(terms.map(|(_, term)| (*term, factors.clone())));
                    continue;
                }
                Node::Product(inner_factors) => factors.extend(inner_factors.iter().copied()),
                _ => factors.push((node, 1)),
            }
            match self.find_only_sum(&factors) {
                Some(position) => {
                    let (sum, _) = factors.remove(position);
                    open.push((sum, factors));
                }
                None => found_terms.extend(self.nonlinear_entry(&factors)),
            }
        }
        found_terms
    }

    /// The only factor with the parameters that can be expanded.
    fn find_only_sum(&self, factors: &[Factor]) -> Option<usize> {
        let mut sums = (0..factors.len()).filter(|position| {
            let (base, exponent) = factors[*position];
            let is_sum = matches!(self.graph.node(base), Node::Sum { .. });
            is_sum && exponent == 1 && self.has_any(base)
        });
        let first = sums.next()?;
        sums.next().is_none().then_some(first)
    }

    /// The term of these factors, if it is not linear in the parameters.
    fn nonlinear_entry(&mut self, factors: &[Factor]) -> Option<Entry> {
        let choose = |is_chosen: &dyn Fn(NodeId) -> bool| -> Vec<Factor> {
            factors
                .iter()
                .copied()
                .filter(|(base, _)| is_chosen(*base))
                .collect()
        };
        let graph = &self.graph;
        let is_fixed = |base| !graph.dependence(base).intersects(Dependence::MOTION);
        let (with_parameters, fixed) = (choose(&|base| self.has_any(base)), choose(&is_fixed));
        let has_all = self.parameters.iter().all(|(_, contain)| {
            with_parameters
                .iter()
                .any(|(base, _)| contain.get(base.index()) == Some(&true))
        });
        let is_simple = match (&self.parameters[..], &with_parameters[..]) {
            ([(leaf, _)], [(base, 1)]) => leaf == base,
            _ => false,
        };
        if !has_all || is_simple {
            return None;
        }
        let are_all_fixed = with_parameters.iter().all(|(base, _)| is_fixed(*base));
        Some(Entry {
            factor: self.graph.product(with_parameters),
            coefficient: are_all_fixed.then(|| self.graph.product(fixed)),
        })
    }

    fn has_any(&self, node: NodeId) -> bool {
        self.parameters
            .iter()
            .any(|(_, contain)| contain.get(node.index()) == Some(&true))
    }
}
