//! In which order variables leave the form: by structure alone, before anything is computed.
//!
//! Always that step is next which fills in least, as minimum fill does for sparse matrices (Tinney and
//! Walker, "Direct solutions of sparse network equations by optimally ordered triangular factorization",
//! *Proc. IEEE* 55, 1967; Duff, Erisman and Reid, *Direct Methods for Sparse Matrices*, 2nd ed., 2017,
//! section 7.5). In a tree of bodies the leaves come first, and nothing fills in.
//!
//! A multiplier waits for all velocities that it has to do with: its pivot is minus that of J M^-1 J^T then, no
//! zero of a single entry of J can spoil it, and no pivot of M is changed by it. Where velocities are given by
//! constraints it waits for those of its own row alone: of a linkage with many loops each would wait for the last
//! velocity otherwise, and all of them fill in. Pivots of M that follow are changed then, but remain positive, and the
//! equations of their velocities are judged.

use super::Problem;
use super::sparsity::Pattern;

/// What happens to the form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// An unknown leaves: its equation gives it by what is left.
    Eliminate(usize),
    /// A node that is free to move by a velocity of its own is an unknown in its place.
    Exchange {
        /// The node.
        node: usize,
        /// The velocity.
        velocity: usize,
    },
    /// Its definition takes the place of a node.
    Substitute(usize),
    /// Two nodes are two variables turned by an angle.
    Turn([usize; 2]),
}

/// Which unknown goes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Whatever fills in least.
    LeastFill,
    /// The first one, as the rows are, where there are no nodes.
    AsGiven,
    /// Whatever fills in least, where velocities that constraints give are nodes.
    Partitioned,
}

/// Steps that leave nothing; `None` where a pivot is zero by structure, or where there would be more than so many
/// operations, as far as counted here.
pub(super) fn steps(problem: &Problem, order: Order, most: u32) -> Option<Vec<Step>> {
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
    /// Per variable: how many of the definitions that are left contain it.
    uses: Vec<u32>,
    /// Per variable: whether it may be eliminated, else it is a node.
    is_unknown: Vec<bool>,
    is_gone: Vec<bool>,
    /// Per multiplier: how many velocities of its own row are left.
    awaited: Vec<u32>,
    /// Per variable: whether others are given by it, so that its equation is judged.
    is_judged: Vec<bool>,
    left: usize,
    operations: u32,
}

/// Whether it should wait, how much it fills in, how much it costs, and whether its equation is judged: what is eliminated
/// before others come to it need not be.
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
        let mut is_judged = vec![false; size];
        let definitions = dependents.values().flat_map(|dependent| &dependent.terms);
        definitions.for_each(|term| is_judged[term.variable] = true);
        let is_unknown = |i: usize| i < problem.unknowns() && !dependents.contains_key(&i);
        let mut is_gone = vec![false; size];
        problem
            .held()
            .for_each(|multiplier| is_gone[multiplier] = true);
        Ordering {
            problem,
            pattern,
            uses,
            is_unknown: (0..size).map(is_unknown).collect(),
            is_gone,
            awaited,
            is_judged,
            left: size - dependents.len(),
            operations: 0,
        }
    }

    fn next(&self) -> Option<Step> {
        self.exchange().or_else(|| self.least_fill())
    }

    /// A node on top whose definition has a velocity that occurs nowhere else.
    fn exchange(&self) -> Option<Step> {
        let nodes = self.problem.nodes().rev();
        let mut nodes = nodes.filter(|node| self.is_on_top(*node) && !self.is_unknown[*node]);
        nodes.find_map(|node| {
            let mut terms = self.problem.definition(node).iter();
            let own = terms.find(|term| {
                let variable = term.variable;
                let is_alone = self.uses[variable] == 1 && self.pattern.row(variable).is_empty();
                variable < self.problem.velocities && is_alone && term.coefficient.is_unit()
            })?;
            let velocity = own.variable;
            Some(Step::Exchange { node, velocity })
        })
    }

    /// Whether no definition that is left contains it.
    fn is_on_top(&self, variable: usize) -> bool {
        !self.is_gone[variable] && self.uses[variable] == 0
    }

    /// Of several the last one: the outermost of a tree.
    fn least_fill(&self) -> Option<Step> {
        let variables = (0..self.problem.size()).rev();
        let variables = variables.filter(|variable| self.is_on_top(*variable));
        let scores = variables.filter_map(|variable| self.score(variable));
        let (_, step) = scores.min_by_key(|(score, _)| *score)?;
        Some(step)
    }

    /// `None` for what may not be next.
    fn score(&self, variable: usize) -> Option<(Score, Step)> {
        let width = self.pattern.row(variable).len();
        if self.is_unknown[variable] {
            if self.waits(variable) || !self.pattern.contains(variable, variable) {
                return None;
            }
            let fill = self.pattern.fill_of_elimination(variable);
            let score = (false, fill, width, self.is_judged[variable]);
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

    /// Whether it is a multiplier with velocities, or nodes, left in its row.
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
        let terms = self.problem.definition(node).iter();
        terms.map(|term| term.variable).collect()
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Eliminate(unknown) => {
                let others = self.pattern.row(unknown).len().saturating_sub(1);
                self.operations += others * (others + 6) + 2;
                self.pattern.eliminate(unknown);
                let own = self.problem.form.iter();
                let own = own.filter(|(_, velocity, _)| *velocity == unknown);
                own.for_each(|(row, ..)| self.awaited[*row] -= 1);
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
        let terms = self.problem.definition(node).iter();
        let factors = terms.filter(|term| !term.coefficient.is_unit()).count();
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
