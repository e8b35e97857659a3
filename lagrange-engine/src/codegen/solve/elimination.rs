//! The solution of symmetric equations as instructions, by elimination from a quadratic form.
//!
//! The accelerations a and the negated multipliers make `1/2 x^T A x - g . x` stationary. x are these unknowns and
//! *nodes*, which are linear in variables before them. A is sparse: for a chain of bodies it couples neighbours,
//! although M, the result of replacing all nodes by their definitions, has no zero. The variables leave one after the
//! other:
//!
//! - an unknown u that no definition contains is *eliminated*: with d = A_uu, `A_xy -= A_xu A_uy / d` and
//!   `g_x -= A_xu g_u / d`. That is a step of L D L^T (Golub and Van Loan, *Matrix Computations*, 4th ed.,
//!   section 4.1.2), and d a pivot of M in some order;
//! - a node that no definition contains is *substituted*: `x = sum c_k y_k` is a congruence of A and of g.
//!
//! In both cases the variable is a sum over others, and the unknowns follow from back to front. For a serial arm these
//! are the steps of Featherstone's articulated-body algorithm (*Rigid Body Dynamics Algorithms*, 2008, chapter 7), for
//! absolute angles those of Bae and Haug ("A recursive formulation for constrained mechanical system dynamics", *Mech.
//! Struct. Mach.* 15, 1987): O(n) for every tree. Without nodes it is a sparse factorisation.

mod dependents;
mod factors;
mod lookahead;
mod minimum_fill;
mod problem;
mod sparsity;

use crate::codegen::ir::{Builder, Operand, Signed};
use std::collections::BTreeMap;

pub use factors::LowerEntry;
use factors::Rule;
pub(super) use factors::{Factors, Sides};
use lookahead::Pending;
pub(crate) use lookahead::Updates;
pub(crate) use minimum_fill::Order;
use minimum_fill::{Step, choose_steps};
pub(super) use problem::{Coupling, Dependent, Problem, SatisfiedRow, Term};

impl Problem {
    /// Instructions that eliminate everything; `None` if a pivot is zero by structure, or if the solution would take
    /// more than `most` operations.
    pub(super) fn factor(
        &self,
        builder: &mut Builder,
        order: Order,
        updates: Updates,
        most: u32,
    ) -> Option<Factors> {
        if self.scales.iter().any(|scale| scale.is_zero()) {
            return None;
        }
        let steps = choose_steps(self, order, most)?;
        let mut elimination = Elimination::new(self, builder, updates);
        for step in steps {
            elimination.apply(step)?;
        }
        let mut factors = elimination.factors;
        if !self.dependents.is_empty() {
            self.measure(builder, &mut factors);
        }
        Some(factors)
    }
}

/// The form while variables leave it.
struct Elimination<'a> {
    problem: &'a Problem,
    builder: &'a mut Builder,
    /// The entries of A by rows, both triangles.
    rows: Vec<BTreeMap<usize, Signed>>,
    updates: Updates,
    /// The terms that are not yet subtracted from A.
    pending: Option<Pending>,
    /// The scales of the pivots, if they differ from the entry of A.
    scales: Vec<Option<Signed>>,
    /// The unknown that each variable represents.
    stands_for: Vec<usize>,
    factors: Factors,
}

impl<'a> Elimination<'a> {
    fn new(problem: &'a Problem, builder: &'a mut Builder, updates: Updates) -> Self {
        let size = problem.size();
        let mut rows = vec![BTreeMap::new(); size];
        for (i, j, entry) in &problem.form {
            rows[*i].insert(*j, *entry);
            rows[*j].insert(*i, *entry);
        }
        let mut scales: Vec<Option<Signed>> =
            problem.scales.iter().map(|scale| Some(*scale)).collect();
        scales.resize(size, None);
        let nothing = vec![Operand::Constant(0.0); problem.unknowns()];
        Elimination {
            rows,
            updates,
            pending: None,
            scales,
            stands_for: (0..size).collect(),
            factors: Factors {
                velocities: problem.velocities,
                pivots_of_mass: problem.velocities,
                size,
                couplings: problem.couplings.clone(),
                bound: problem.bound().collect(),
                rules: Vec::with_capacity(size),
                pivots: nothing.clone(),
                diagonal: nothing,
                lower: Vec::new(),
            },
            problem,
            builder,
        }
    }

    /// `None` if a pivot is zero by structure.
    fn apply(&mut self, step: Step) -> Option<()> {
        match step {
            Step::Eliminate(unknown) => return self.eliminate(unknown),
            Step::Exchange { node, velocity } => self.exchange(node, velocity),
            Step::Substitute(node) => self.substitute(node),
            Step::Turn(nodes) => self.turn(nodes),
        }
        Some(())
    }

    /// Removes a row and its column from A; returns the diagonal entry, and the other entries.
    fn take_row(&mut self, i: usize) -> (Signed, Vec<Term>) {
        let mut row = std::mem::take(&mut self.rows[i]);
        let diagonal = row.remove(&i).unwrap_or(Signed::ZERO);
        for j in row.keys() {
            self.rows[*j].remove(&i);
        }
        let row_terms = row.into_iter().map(|(variable, coefficient)| Term {
            variable,
            coefficient,
        });
        (diagonal, row_terms.collect())
    }

    /// A_ij += a b
    fn add(&mut self, i: usize, j: usize, a: Signed, b: Signed) {
        let before = self.rows[i].get(&j).copied().unwrap_or(Signed::ZERO);
        let entry = before.plus_product(self.builder, a, b);
        if entry.is_zero() {
            self.rows[i].remove(&j);
            self.rows[j].remove(&i);
        } else {
            self.rows[i].insert(j, entry);
            self.rows[j].insert(i, entry);
        }
    }

    /// A_ij += a_i b_j for terms a and the terms b of a row, except for the variables j that are left out.
    fn add_products(
        &mut self,
        terms: &[Term],
        row_terms: &[Term],
        is_left_out: impl Fn(usize) -> bool,
    ) {
        for term in terms {
            for row_term in row_terms
                .iter()
                .filter(|row_term| !is_left_out(row_term.variable))
            {
                let (a, b) = (term.coefficient, row_term.coefficient);
                self.add(term.variable, row_term.variable, a, b);
            }
        }
    }

    fn add_rule(&mut self, variable: usize, pivot: Option<Signed>, terms: Vec<Term>) {
        self.factors.rules.push(Rule {
            variable,
            pivot,
            terms,
            dependence: None,
        });
    }

    fn eliminate(&mut self, unknown: usize) -> Option<()> {
        let is_multiplier = self.problem.is_multiplier(unknown);
        if is_multiplier {
            // The rows of velocities determine the scales of multipliers.
            self.apply_pending();
        }
        let (mut pivot, mut row_terms) = self.take_row(unknown);
        if let Some(pending) = &mut self.pending {
            pending.take_from(self.builder, unknown, &mut pivot, &mut row_terms);
        }
        self.apply_pending();
        if pivot.is_zero() {
            return None;
        }
        self.store_pivot(unknown, pivot);
        if row_terms.is_empty() {
            self.add_rule(unknown, Some(pivot), Vec::new());
            return Some(());
        }
        let reciprocal = pivot.recip(self.builder);
        let is_late = self.updates == Updates::Late && !is_multiplier;
        let mut factors = Vec::with_capacity(row_terms.len());
        for (position, other) in row_terms.iter().enumerate() {
            let i = other.variable;
            if is_multiplier {
                self.store_scale(i);
            }
            let factor = other.coefficient.times(self.builder, reciprocal).negated();
            self.add_to_scale(i, is_multiplier, factor, other.coefficient);
            if !is_late {
                for other in &row_terms[..=position] {
                    self.add(i, other.variable, factor, other.coefficient);
                }
            }
            factors.push(Term {
                variable: i,
                coefficient: factor,
            });
        }
        if self.problem.definitions.is_empty() {
            let column = row_terms
                .iter()
                .map(|other| LowerEntry::new(other.variable, unknown, other.coefficient));
            self.factors.lower.extend(column);
        }
        if is_late {
            self.pending = Some(Pending::new(reciprocal, &row_terms));
        }
        self.add_rule(unknown, Some(pivot), factors);
        Some(())
    }

    /// Subtracts the pending terms from A.
    fn apply_pending(&mut self) {
        let Some(pending) = self.pending.take() else {
            return;
        };
        let entries: Vec<(usize, Signed)> = pending.entries.into_iter().collect();
        for (position, (i, entry)) in entries.iter().enumerate() {
            let factor = entry.times(self.builder, pending.reciprocal).negated();
            for (j, other) in &entries[..=position] {
                self.add(*i, *j, factor, *other);
            }
        }
    }

    /// Stores the pivot of an unknown, and its scale.
    fn store_pivot(&mut self, unknown: usize, pivot: Signed) {
        let place = self.stands_for[unknown];
        let scale = self.scales[place].unwrap_or(pivot);
        let is_multiplier = self.problem.is_multiplier(unknown);
        let [pivot, scale] = [pivot, scale].map(|value| {
            let value = value.negated_if(is_multiplier);
            value.operand(self.builder)
        });
        self.factors.pivots[place] = pivot;
        self.factors.diagonal[place] = scale;
    }

    /// The scale of a multiplier's pivot is the entry after the elimination of the velocities, before other multipliers
    /// are subtracted from it.
    fn store_scale(&mut self, multiplier: usize) {
        if self.scales[multiplier].is_none() {
            self.scales[multiplier] = self.rows[multiplier].get(&multiplier).copied();
        }
    }

    /// The node has a velocity of its own, v = x - (the rest of x).
    fn exchange(&mut self, node: usize, velocity: usize) {
        let definition = self.problem.definition(node);
        let velocity_term = definition.iter().find(|term| term.variable == velocity);
        let minus = velocity_term.is_some_and(|term| term.coefficient.is_minus());
        let other_terms = definition.iter().filter(|term| term.variable != velocity);
        let mut terms = vec![Term {
            variable: node,
            coefficient: Signed::new(minus, Operand::Constant(1.0)),
        }];
        terms.extend(other_terms.map(|term| Term {
            variable: term.variable,
            coefficient: term.coefficient.negated_if(!minus),
        }));
        self.stands_for[node] = velocity;
        self.add_rule(velocity, None, terms);
    }

    fn substitute(&mut self, node: usize) {
        let (diagonal, row_terms) = self.take_row(node);
        let definition = self.problem.definition(node);
        let is_target = |variable: usize| definition.iter().any(|term| term.variable == variable);
        self.add_products(definition, &row_terms, is_target);
        // With A_x the row of the node: before_k = A_xk, after_k = A_xk + c_k A_xx, and
        // A_kl += c_k after_l + c_l before_k.
        let before: Vec<Signed> = definition
            .iter()
            .map(|term| coefficient(&row_terms, term.variable))
            .collect();
        let after: Vec<Signed> = definition
            .iter()
            .zip(&before)
            .map(|(term, before)| before.plus_product(self.builder, term.coefficient, diagonal))
            .collect();
        for (k, term) in definition.iter().enumerate() {
            let (i, factor) = (term.variable, term.coefficient);
            let sum = before[k].plus(self.builder, after[k]);
            self.add(i, i, factor, sum);
            for (l, other) in definition[..k].iter().enumerate() {
                let j = other.variable;
                // In either order; the one with a zero is shorter.
                if before[l].is_zero() {
                    self.add(i, j, other.coefficient, after[k]);
                } else {
                    self.add(i, j, factor, after[l]);
                    self.add(i, j, other.coefficient, before[k]);
                }
            }
        }
        self.substitute_definition(node);
        if let Some(dependent) = self.problem.dependents.get(&node) {
            self.store_dependence(node, dependent, diagonal, row_terms);
        }
    }

    /// Substitutes the node's definition.
    fn substitute_definition(&mut self, node: usize) {
        let definition = self.problem.definition(node);
        if let Some(pending) = &mut self.pending {
            pending.substitute(self.builder, node, definition);
        }
        self.add_rule(node, None, definition.to_vec());
    }

    /// Two nodes are two variables turned by an angle: x = p u + q w and y = r u + t w with p^2 = t^2 and
    /// q^2 = r^2 the squares of a sine and a cosine, and p r + q t = 0.
    ///
    /// With the signs s of these and k = s_p s_r, the block of A is turned with fewer operations than by a general
    /// congruence: with `z = |p| (A_xx - A_yy) + 2 k |q| A_xy`, A_uu gains `A_yy + |p| z`, A_ww `A_xx - |p| z` and A_uw
    /// `s_p s_t (A_xy - k |q| z)`.
    fn turn(&mut self, [x, y]: [usize; 2]) {
        let Some([u, w]) = self.find_turned_pair(x, y) else {
            return [x, y].into_iter().for_each(|node| self.substitute(node));
        };
        let (xx, of_x) = self.take_row(x);
        let xy = coefficient(&of_x, y);
        let (yy, of_y) = self.take_row(y);
        for (node, row_terms) in [(x, of_x), (y, of_y)] {
            let definition = self.problem.definition(node);
            self.add_products(definition, &row_terms, |variable| variable == y);
            self.substitute_definition(node);
        }
        let [of_x, of_y] = [x, y].map(|node| self.problem.definition(node));
        let [p, q] = [u, w].map(|variable| coefficient(of_x, variable));
        let [r, t] = [u, w].map(|variable| coefficient(of_y, variable));
        let (across, along) = (p.is_minus() != r.is_minus(), p.is_minus() != t.is_minus());
        let (p, q) = (p.size(), q.size().negated_if(across));
        let builder = &mut *self.builder;
        let difference = xx.plus(builder, yy.negated());
        let double = q.times(builder, Signed::new(false, Operand::Constant(2.0)));
        let z = p
            .times(builder, difference)
            .plus_product(builder, double, xy);
        let mixed = xy.plus_product(builder, q.negated(), z).negated_if(along);
        let unit = Signed::new(false, Operand::Constant(1.0));
        self.add(u, u, unit, yy);
        self.add(u, u, p, z);
        self.add(w, w, unit, xx);
        self.add(w, w, p.negated(), z);
        self.add(u, w, unit, mixed);
    }

    /// The two variables, unless A couples them with the nodes.
    fn find_turned_pair(&self, x: usize, y: usize) -> Option<[usize; 2]> {
        let [u, w] = self.problem.definition(x) else {
            return None;
        };
        let pair = [u.variable, w.variable];
        let is_free = |node: usize| !pair.iter().any(|other| self.rows[node].contains_key(other));
        (is_free(x) && is_free(y)).then_some(pair)
    }
}

/// The coefficient of a variable in a sum.
fn coefficient(terms: &[Term], variable: usize) -> Signed {
    let term = terms.iter().find(|term| term.variable == variable);
    term.map_or(Signed::ZERO, |term| term.coefficient)
}
