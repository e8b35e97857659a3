//! The order in which variables leave the form: by structure alone, before anything is computed.
//!
//! The next step is always the one that fills in least, as in minimum fill for sparse matrices (Tinney and Walker,
//! "Direct solutions of sparse network equations by optimally ordered triangular factorization", *Proc. IEEE* 55, 1967;
//! Duff, Erisman and Reid, *Direct Methods for Sparse Matrices*, 2nd ed., 2017, section 7.5). In a tree of bodies the
//! leaves come first, and nothing fills in.
//!
//! A multiplier waits for all its velocities: then its pivot is minus that of J M^-1 J^T, no zero entry of J can spoil
//! it, and it changes no pivot of M. If constraints give velocities it waits only for those of its own row. Otherwise,
//! in a linkage with many loops, each multiplier would wait for the last velocity, and all of them would fill in. Later
//! pivots of M are then changed, but remain positive, and the equations of their velocities are tested.

use super::Problem;
use super::sparsity::Pattern;

/// A step of the elimination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// An unknown leaves: its equation gives it by the remaining variables.
    Eliminate(usize),
    /// A node with a velocity of its own becomes an unknown instead of it.
    Exchange {
        /// The node.
        node: usize,
        /// The velocity.
        velocity: usize,
    },
    /// A node is replaced by its definition.
    Substitute(usize),
    /// Two nodes are two variables turned by an angle.
    Turn([usize; 2]),
}

/// The choice of the next unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// The one that fills in least.
    LeastFill,
    /// The first one, in the order of the rows, if there are no nodes.
    AsGiven,
    /// The one that fills in least; velocities that constraints give are nodes.
    Partitioned,
}

/// Steps that eliminate everything; `None` if a pivot is zero by structure, or if there would be more than `most`
/// operations, as counted here.
pub(super) fn choose_steps(problem: &Problem, order: Order, most: u32) -> Option<Vec<Step>> {
    let mut ordering = Ordering::new(problem);
    let mut steps = Vec::new();
    while ordering.left > 0 {
        let step = match order {
            Order::LeastFill | Order::Partitioned => ordering.next()?,
            Order::AsGiven => Step::Eliminate(steps.len()),
        };
        ordering.take(step);
        steps.push(step);
        if ordering.operations > most {
            return None;
        }
    }
    Some(steps)
}

struct Ordering<'a> {
    problem: &'a Problem,
    pattern: Pattern,
    /// For each variable the number of remaining definitions that contain it.
    uses: Vec<u32>,
    /// For each variable whether it may be eliminated; otherwise it is a node.
    is_unknown: Vec<bool>,
    is_gone: Vec<bool>,
    /// For each multiplier the number of remaining velocities of its own row.
    awaited: Vec<u32>,
    /// For each variable whether dependent velocities follow from it, so that its equation is tested.
    is_tested: Vec<bool>,
    left: usize,
    operations: u32,
}

/// Whether it should wait, its fill-in, its cost, and whether its equation is tested: an equation that is eliminated
/// before others are added to it need not be.
type Score = (bool, u32, u32, bool);

impl<'a> Ordering<'a> {
    fn new(problem: &'a Problem) -> Self {
        let size = problem.size();
        let mut pattern = Pattern::new(size);
        for (i, j, _) in &problem.form {
            pattern.insert(*i, *j);
        }
        let mut uses = vec![0; size];
        for term in problem.definitions.iter().flatten() {
            uses[term.variable] += 1;
        }
        let dependents = &problem.dependents;
        for term in dependents.values().flat_map(|dependent| &dependent.terms) {
            uses[term.variable] += 1;
        }
        let mut awaited = vec![0; size];
        for (row, ..) in &problem.form {
            awaited[*row] += 1;
        }
        let mut is_tested = vec![false; size];
        dependents
            .values()
            .flat_map(|dependent| &dependent.terms)
            .for_each(|term| is_tested[term.variable] = true);
        let is_unknown = |i: usize| i < problem.unknowns() && !dependents.contains_key(&i);
        let mut is_gone = vec![false; size];
        problem
            .multipliers_of_dependents()
            .for_each(|multiplier| is_gone[multiplier] = true);
        Ordering {
            problem,
            pattern,
            uses,
            is_unknown: (0..size).map(is_unknown).collect(),
            is_gone,
            awaited,
            is_tested,
            left: size - dependents.len(),
            operations: 0,
        }
    }

    fn next(&self) -> Option<Step> {
        self.find_exchange().or_else(|| self.find_least_fill())
    }

    /// A node on top whose definition has a velocity that occurs nowhere else.
    fn find_exchange(&self) -> Option<Step> {
        let mut nodes = self
            .problem
            .nodes()
            .rev()
            .filter(|node| self.is_on_top(*node) && !self.is_unknown[*node]);
        nodes.find_map(|node| {
            let velocity_term = self.problem.definition(node).iter().find(|term| {
                let variable = term.variable;
                let is_alone = self.uses[variable] == 1 && self.pattern.row(variable).is_empty();
                variable < self.problem.velocities && is_alone && term.coefficient.is_unit()
            })?;
            let velocity = velocity_term.variable;
            Some(Step::Exchange { node, velocity })
        })
    }

    /// Returns whether no remaining definition contains the variable.
    fn is_on_top(&self, variable: usize) -> bool {
        !self.is_gone[variable] && self.uses[variable] == 0
    }

    /// Of several variables with the same score the last one: the outermost of a tree.
    fn find_least_fill(&self) -> Option<Step> {
        let (_, step) = (0..self.problem.size())
            .rev()
            .filter(|variable| self.is_on_top(*variable))
            .filter_map(|variable| self.score(variable))
            .min_by_key(|(score, _)| *score)?;
        Some(step)
    }

    /// `None` if the variable may not be next.
    fn score(&self, variable: usize) -> Option<(Score, Step)> {
        let width = self.pattern.row(variable).len();
        if self.is_unknown[variable] {
            if self.waits(variable) || !self.pattern.contains(variable, variable) {
                return None;
            }
            let fill = self.pattern.fill_of_elimination(variable);
            let score = (false, fill, width, self.is_tested[variable]);
            return Some((score, Step::Eliminate(variable)));
        }
        let targets = self.targets(variable);
        let cost = width * targets.len() as u32;
        Some(match self.problem.partner(variable) {
            Some(partner) if self.is_on_top(partner) && !self.is_unknown[partner] => {
                let fill = self.pattern.fill_of_turn([variable, partner], &targets);
                let gone = self.pattern.row(partner).len();
                let pair = [partner.min(variable), partner.max(variable)];
                let score = (false, fill.saturating_sub(gone), cost, false);
                (score, Step::Turn(pair))
            }
            partner => {
                let fill = self.pattern.fill_of_substitution(variable, &targets);
                let score = (partner.is_some(), fill, cost, false);
                (score, Step::Substitute(variable))
            }
        })
    }

    /// Returns whether the variable is a multiplier with velocities, or nodes, left in its row.
    fn waits(&self, variable: usize) -> bool {
        let is_multiplier = |variable: usize| self.problem.is_multiplier(variable);
        if !is_multiplier(variable) {
            return false;
        }
        if self.problem.dependents.is_empty() {
            return !self.pattern.row(variable).iter().all(is_multiplier);
        }
        self.awaited[variable] > 0
    }

    fn targets(&self, node: usize) -> Vec<usize> {
        self.problem
            .definition(node)
            .iter()
            .map(|term| term.variable)
            .collect()
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Eliminate(unknown) => {
                let neighbours = self.pattern.row(unknown).len().saturating_sub(1);
                self.operations += neighbours * (neighbours + 6) + 2;
                self.pattern.eliminate(unknown);
                self.problem
                    .form
                    .iter()
                    .filter(|(_, velocity, _)| *velocity == unknown)
                    .for_each(|(row, ..)| self.awaited[*row] -= 1);
                self.remove(unknown);
            }
            Step::Exchange { node, velocity } => {
                self.is_unknown[node] = true;
                self.is_gone[velocity] = true;
                self.left -= 1;
                for term in self.problem.definition(node) {
                    self.uses[term.variable] -= 1;
                }
            }
            Step::Substitute(node) => self.substitute(node),
            Step::Turn(nodes) => nodes.into_iter().for_each(|node| self.substitute(node)),
        }
    }

    fn substitute(&mut self, node: usize) {
        let targets = self.targets(node);
        let factors = self
            .problem
            .definition(node)
            .iter()
            .filter(|term| !term.coefficient.is_unit())
            .count();
        self.operations += self.pattern.row(node).len() * factors as u32;
        self.pattern.substitute(node, &targets);
        for target in targets {
            self.uses[target] -= 1;
        }
        self.remove(node);
    }

    fn remove(&mut self, variable: usize) {
        self.is_gone[variable] = true;
        self.left -= 1;
    }
}
