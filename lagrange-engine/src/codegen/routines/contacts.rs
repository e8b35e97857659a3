//! Motions and impacts with active contacts, and their derivatives.
//!
//! The sizes of the equations do not depend on the active contacts. Each contact has an unknown of its own, with an
//! inertia and without a force. The row of an active contact does not contain this unknown. The row of another contact
//! contains nothing else, so that its multiplier is 0. If rows may depend on each other, the row of another contact is
//! zero, and there are no further unknowns.
//!
//! Nothing is multiplied by a flag: the terms of a contact that is not active may be NaN.

use super::builder::Builder;
use super::derivatives::linearization;
use super::motion::{self, arguments_of_mass, move_to_clear, multiplier_forces, ranked_matrices};
use super::system::{Routines, private};
use crate::Quantity;
use crate::codegen::Routine;
use crate::codegen::routine::{Condition, Equations, Input, Kernel, Step, View};

/// The arrays of the extended equations.
struct Extended {
    mass: View,
    jacobian: View,
    /// J^T + B, if forces depend on multipliers.
    reactions: Option<View>,
    /// The right-hand sides, one in each row.
    forces: View,
    rates: View,
    /// J_c of all contacts.
    contacts: View,
    /// 1 for each active contact, 0 for the others.
    active: View,
}

impl Extended {
    /// M and J with the rows of the active contacts, and zeros for so many right-hand sides. Impacts are without forces by
    /// multipliers.
    fn new(builder: &mut Builder, count: usize, is_impact: bool) -> Self {
        let sizes = builder.routines.sizes();
        let (n, c, p) = (sizes.velocities, sizes.constraints, sizes.contacts);
        let [own_mass, own_jacobian] = ranked_matrices(builder);
        let contacts = builder.local(p, n);
        builder.call_with(private::CONTACT_JACOBIAN, &["q"], &[contacts]);
        let active = builder.local(1, p);
        builder.copy(builder.argument("active"), active);
        let further = if builder.routines.are_redundant { 0 } else { p };
        let mut this = Self {
            mass: builder.local(n + further, n + further),
            jacobian: builder.local(c + p, n + further),
            reactions: None,
            forces: builder.local(count, n + further),
            rates: builder.local(count, c + p),
            contacts,
            active,
        };
        for view in [this.mass, this.jacobian, this.forces, this.rates] {
            builder.fill(view, 0.0);
        }
        builder.copy(own_mass, this.mass.block((0, 0), n, n));
        builder.copy(own_jacobian, this.jacobian.block((0, 0), c, n));
        for k in 0..p {
            let row = this.jacobian.block((c + k, 0), 1, n);
            builder.copy_if(active.part(k, 1), contacts.block((k, 0), 1, n), row);
        }
        for k in 0..further {
            builder.fill(this.mass.block((n + k, n + k), 1, 1), 1.0);
            let own = this.jacobian.block((c + k, n + k), 1, 1);
            builder.when(Condition::Is(active.part(k, 1), 0.0), |builder| {
                builder.fill(own, 1.0);
            });
        }
        if !is_impact && builder.routines.has_multiplier_forces() {
            this.reactions = Some(this.reactions(builder));
        }
        this
    }

    /// J^T + B, where forces depend on no multiplier of a contact that is not active.
    fn reactions(&self, builder: &mut Builder) -> View {
        let (p, rows) = (self.active.len(), self.jacobian.rows);
        let (n, c) = (self.contacts.columns, rows - p);
        let reactions = builder.local(self.jacobian.columns, rows);
        builder.transpose(self.jacobian, reactions);
        let forces = multiplier_forces(builder);
        let [own, all] = [forces, reactions].map(|view| view.block((0, 0), n, c));
        builder.add(1.0, own, all);
        for k in 0..p {
            let [own, all] = [forces, reactions].map(|view| view.block((0, c + k), n, 1));
            builder.when(Condition::Is(self.active.part(k, 1), 1.0), |builder| {
                builder.add(1.0, own, all);
            });
        }
        reactions
    }

    /// Solves for all right-hand sides; rows that depend on others need hold only if they are not derivatives.
    fn solved(&self, builder: &mut Builder, are_derivatives: bool) -> [View; 2] {
        let solved = [self.forces, self.rates].map(|view| builder.local(view.rows, view.columns));
        let equations = match (builder.routines.are_redundant, self.reactions) {
            (false, Some(_)) => Equations::Reacting,
            (false, None) => Equations::Regular,
            (true, Some(_)) => Equations::ReactingRedundant,
            (true, None) => Equations::Redundant,
        };
        let equations = match are_derivatives {
            true => equations.of_derivatives(),
            false => equations,
        };
        let matrices = [self.mass, self.jacobian].into_iter().chain(self.reactions);
        let terms = matrices.chain([self.forces, self.rates]).collect();
        motion::solved(builder, Kernel::Solve, (equations, terms), solved);
        solved
    }

    /// Sets right-hand sides from the row `first` on by columns: of the forces, of the rates of the constraints, and of
    /// those of the contacts.
    fn set(
        &self,
        builder: &mut Builder,
        first: usize,
        (forces, rates, of_contacts): (Option<View>, Option<View>, View),
    ) {
        let (count, p) = (of_contacts.columns, self.active.len());
        let c = self.rates.columns - p;
        for (from, to) in [(forces, self.forces), (rates, self.rates)] {
            if let Some(from) = from {
                builder.transpose(from, to.block((first, 0), from.columns, from.rows));
            }
        }
        let columns = builder.local(count, p);
        builder.transpose(of_contacts, columns);
        for k in 0..p {
            let from = columns.block((0, k), count, 1);
            let to = self.rates.block((first, c + k), count, 1);
            builder.copy_if(self.active.part(k, 1), from, to);
        }
    }

    /// The unknowns of the system itself for each right-hand side, one in each row.
    fn solve_all(&self, builder: &mut Builder) -> View {
        let [unknowns, _] = self.solved(builder, true);
        unknowns.block((0, 0), unknowns.rows, self.contacts.columns)
    }

    /// The unknowns and multipliers: the results of the constraints and of the contacts.
    fn solve(&self, builder: &mut Builder, [of_constraints, of_contacts]: [View; 2]) -> View {
        let (n, c) = (self.contacts.columns, of_constraints.len());
        let [unknowns, multipliers] = self.solved(builder, false);
        builder.copy(multipliers.part(0, c), of_constraints);
        builder.fill(of_contacts, 0.0);
        for k in 0..self.active.len() {
            let force = multipliers.part(c + k, 1);
            builder.copy_if(self.active.part(k, 1), force, of_contacts.part(k, 1));
        }
        unknowns.part(0, n)
    }
}

/// The arguments of motions, and those of impacts.
const MOVING: [&str; 4] = ["q", "v", "u", "active"];
const HITTING: [&str; 4] = ["q", "v", "active", "restitution"];

/// a, lambda and F
pub(super) fn solve_active(routines: &Routines) -> Routine {
    active(routines, "solve_active")
}

/// The same at a state with a clear rank of J.
pub(super) fn active_at_clear(routines: &Routines) -> Routine {
    active(routines, private::ACTIVE_AT_CLEAR)
}

fn active(routines: &Routines, name: &str) -> Routine {
    let sizes = routines.sizes();
    let mut builder = Builder::new(routines, name, &MOVING).fallible();
    let a = builder.vector("a", sizes.velocities);
    let lambda = builder.vector("lambda", sizes.constraints);
    let forces = builder.vector("forces", sizes.contacts);
    if name != private::ACTIVE_AT_CLEAR {
        let state = builder.arguments(&["q", "v", "u"]);
        builder.step(Step::RequireFinite(state));
        if routines.has_redundant_rows() {
            move_to_clear(&mut builder);
            builder.call_with(private::ACTIVE_AT_CLEAR, &MOVING, &[a, lambda, forces]);
            return builder.finish();
        }
    }
    let extended = Extended::new(&mut builder, 1, false);
    let force = extended.forces.part(0, sizes.velocities);
    builder.call_with("forcing", &["q", "v", "u"], &[force]);
    if sizes.constraints > 0 {
        let rates = extended.rates.part(0, sizes.constraints);
        builder.call_with("constraint_gamma", &["q", "v"], &[rates]);
    }
    let gamma = builder.local(sizes.contacts, 1);
    builder.call_with("contact_gamma", &["q", "v"], &[gamma]);
    extended.set(&mut builder, 0, (None, None, gamma));
    let found = extended.solve(&mut builder, [lambda, forces]);
    builder.copy(found, a);
    builder.finish()
}

/// v after an impact, and the impulses.
pub(super) fn impact(routines: &Routines) -> Routine {
    hit(routines, "impact")
}

/// The same at a state with a clear rank of J.
pub(super) fn impact_at_clear(routines: &Routines) -> Routine {
    hit(routines, private::IMPACT_AT_CLEAR)
}

fn hit(routines: &Routines, name: &str) -> Routine {
    let sizes = routines.sizes();
    let mut builder = Builder::new(routines, name, &HITTING).fallible();
    let velocity = builder.vector("velocity", sizes.velocities);
    let multipliers = builder.vector("multipliers", sizes.constraints);
    let impulses = builder.vector("impulses", sizes.contacts);
    if name != private::IMPACT_AT_CLEAR {
        let state = builder.arguments(&["q", "v", "restitution"]);
        builder.step(Step::RequireFinite(state));
        if routines.has_redundant_rows() {
            move_to_clear(&mut builder);
            let results = [velocity, multipliers, impulses];
            builder.call_with(private::IMPACT_AT_CLEAR, &HITTING, &results);
            return builder.finish();
        }
    }
    let extended = Extended::new(&mut builder, 1, true);
    let [rates, changes] = [(); 2].map(|()| builder.local(sizes.contacts, 1));
    builder.call_with("gap_rates", &["q", "v"], &[rates]);
    builder.fill(changes, 0.0);
    builder.add(-1.0, rates, changes);
    let restitution = builder.argument("restitution");
    for k in 0..sizes.contacts {
        let [rate, change] = [rates, changes].map(|view| view.block((k, 0), 1, 1));
        builder.add_scaled(-1.0, restitution.part(k, 1), rate, change);
    }
    extended.set(&mut builder, 0, (None, None, changes));
    let change = extended.solve(&mut builder, [multipliers, impulses]);
    builder.copy(builder.argument("v"), velocity);
    builder.add(1.0, change, velocity);
    builder.finish()
}

/// The first of two routines; if rows may depend on each other, the second one, after the state is moved to a clear rank.
fn at_clear(builder: &mut Builder, [plain, of_clear]: [&'static str; 2]) -> &'static str {
    if !builder.routines.has_redundant_rows() {
        return plain;
    }
    let state = builder.arguments(&["q", "v", "u", "restitution"]);
    builder.step(Step::RequireFinite(state));
    move_to_clear(builder);
    of_clear
}

/// d/dt [d; w] = A [d; w] + B du of `solve_active`.
pub(super) fn linearize_active(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, k) = (sizes.velocities, sizes.inputs);
    let (c, p) = (sizes.constraints, sizes.contacts);
    let mut builder = Builder::new(routines, "linearize_active", &MOVING).fallible();
    let a = builder.matrix("A", 2 * n, 2 * n);
    let b = builder.matrix("B", 2 * n, k);
    let (acceleration, all) = (builder.local(1, n), builder.local(1, c + p));
    let results = [acceleration, all.part(0, c), all.part(c, p)];
    let solve = at_clear(&mut builder, ["solve_active", private::ACTIVE_AT_CLEAR]);
    builder.call_with(solve, &MOVING, &results);
    let extended = Extended::new(&mut builder, 2 * n + k, false);
    let widths = [n, n, k];
    let [forces, rates, of_contacts] =
        [n, c, p].map(|rows| widths.map(|columns| builder.local(rows, columns)));
    let mut given = builder.arguments(&["q", "v", "u"]);
    given.extend([acceleration, all.part(0, c)]);
    builder.call("equation_derivatives", given, &[forces, rates].concat());
    let quantities = [
        (Quantity::ContactsByPosition, of_contacts[0]),
        (Quantity::ContactsByVelocity, of_contacts[1]),
    ];
    let mut sums = vec![(Quantity::ContactForcesByPosition, forces[0])];
    if routines.depends_on(c..c + p) {
        sums.extend([
            (Quantity::ContactForcesByVelocity, forces[1]),
            (Quantity::ContactForcesByInput, forces[2]),
        ]);
    }
    let reads = [
        (Input::Accelerations, acceleration),
        (Input::Multipliers, all),
    ];
    builder.quantities_of_contacts(&quantities, (extended.active, &sums), &reads);
    builder.fill(of_contacts[2], 0.0);
    let first = [0, n, 2 * n];
    for at in 0..3 {
        let columns = (Some(forces[at]), Some(rates[at]), of_contacts[at]);
        extended.set(&mut builder, first[at], columns);
    }
    let solved = extended.solve_all(&mut builder);
    let derivatives = [0, 1, 2].map(|at| {
        let by = builder.local(n, widths[at]);
        builder.transpose(solved.block((first[at], 0), widths[at], n), by);
        by
    });
    linearization(&mut builder, (a, b), derivatives);
    builder.finish()
}

/// The derivatives of the velocity after an impact.
pub(super) fn impact_derivatives(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c, p) = (sizes.velocities, sizes.constraints, sizes.contacts);
    let mut builder = Builder::new(routines, "impact_derivatives", &HITTING).fallible();
    let results = ["by_q", "by_v"].map(|name| builder.matrix(name, n, n));
    let (change, all) = (builder.local(1, n), builder.local(1, c + p));
    let hit = [change, all.part(0, c), all.part(c, p)];
    let impact = at_clear(&mut builder, ["impact", private::IMPACT_AT_CLEAR]);
    builder.call_with(impact, &HITTING, &hit);
    builder.add(-1.0, builder.argument("v"), change);
    let extended = Extended::new(&mut builder, 2 * n, true);
    let impulses = [(); 2].map(|()| builder.local(n, n));
    let [rows, left] = [(); 2].map(|()| builder.local(c, n));
    let [changes, rates] = [(); 2].map(|()| builder.local(p, n));
    let quantities = [
        (Quantity::ImpulsesByPosition, impulses[0]),
        (Quantity::ImpulsesByVelocity, impulses[1]),
        (Quantity::ConstraintChangesByPosition, rows),
        (Quantity::ContactChangesByPosition, changes),
        (Quantity::GapRatesByPosition, rates),
    ];
    let reads = [(Input::Accelerations, change), (Input::Multipliers, all)];
    let sums = [(Quantity::ContactImpulsesByPosition, impulses[0])];
    builder.quantities_of_contacts(&quantities, (extended.active, &sums), &reads);
    builder.negate(rows, left);
    // -(1 + e) times the derivatives of the rates of the gaps.
    let restitution = builder.argument("restitution");
    let reversed = [rates, extended.contacts].map(|from| {
        let to = builder.local(p, n);
        builder.negate(from, to);
        for k in 0..p {
            let [from, to] = [from, to].map(|view| view.block((k, 0), 1, n));
            builder.add_scaled(-1.0, restitution.part(k, 1), from, to);
        }
        to
    });
    builder.add(-1.0, changes, reversed[0]);
    let by_q = (Some(impulses[0]), Some(left), reversed[0]);
    extended.set(&mut builder, 0, by_q);
    extended.set(&mut builder, n, (Some(impulses[1]), None, reversed[1]));
    let solved = extended.solve_all(&mut builder);
    for (at, to) in results.into_iter().enumerate() {
        builder.transpose(solved.block((at * n, 0), n, n), to);
    }
    let ones = builder.local(n, n);
    builder.fill(ones, 0.0);
    builder.step(Step::Identity { to: ones });
    builder.add(1.0, ones, results[1]);
    builder.finish()
}

/// J_c M^-1 J_c^T, with the constraints held.
pub(super) fn delassus(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c, p) = (sizes.velocities, sizes.constraints, sizes.contacts);
    let mut builder = Builder::new(routines, "delassus", arguments_of_mass(routines)).fallible();
    let result = builder.matrix("W", p, p);
    let state = builder.arguments(&["q", "v"]);
    builder.step(Step::RequireFinite(state));
    let [mass, jacobian] = ranked_matrices(&mut builder);
    let contacts = builder.local(p, n);
    builder.call_with(private::CONTACT_JACOBIAN, &["q"], &[contacts]);
    let [rates, multipliers] = [(); 2].map(|()| builder.local(p, c));
    builder.fill(rates, 0.0);
    let moved = builder.local(p, n);
    builder.kernel(
        Kernel::Solve(routines.equations_of_steps()),
        &[mass, jacobian, contacts, rates],
        &[moved, multipliers],
    );
    let columns = builder.local(n, p);
    builder.transpose(moved, columns);
    let [product, mirrored] = [(); 2].map(|()| builder.local(p, p));
    builder.fill(product, 0.0);
    builder.step(Step::Multiply {
        left: contacts,
        right: columns,
        to: product,
    });
    // Rounding makes the halves differ.
    builder.transpose(product, mirrored);
    builder.fill(result, 0.0);
    builder.add(0.5, product, result);
    builder.add(0.5, mirrored, result);
    builder.finish()
}
