//! Motions and impacts with active contacts, and their derivatives.
//!
//! The sizes of the equations do not depend on the active contacts. Each contact has an unknown of its own, with an
//! inertia and without a force. The row of an active contact does not contain this unknown. The row of another contact
//! contains nothing else, so that its multiplier is 0. If rows may depend on each other, the row of another contact is
//! zero, and there are no further unknowns.
//!
//! Nothing is multiplied by a flag: the terms of a contact that is not active may be NaN.

use super::builder::Builder;
use super::derivatives::require_clear;
use super::linearize::linearization;
use super::motion::{self, arguments_of_mass, move_to_clear, multiplier_forces};
use super::system::{Routines, private};
use crate::Quantity;
use crate::codegen::Routine;
use crate::codegen::routine::{Condition, Equations, Input, Kernel, Step, View};

/// The matrices of a state.
struct Touching {
    mass: View,
    /// J, with zeros for rows of rounding errors.
    jacobian: View,
    /// J_c of all contacts, with the same zeros.
    contacts: View,
    /// B, if forces depend on multipliers. Impacts are without these forces.
    forces: Option<View>,
}

impl Touching {
    fn new(builder: &mut Builder, is_impact: bool) -> Self {
        let routines = builder.routines;
        let sizes = routines.sizes();
        let (n, c, p) = (sizes.velocities, sizes.constraints, sizes.contacts);
        let [mass, jacobian, contacts] = [n, c, p].map(|rows| builder.local(rows, n));
        builder.call_with("mass_matrix", arguments_of_mass(routines), &[mass]);
        builder.call_with(private::TOUCHING_ROWS, &["q"], &[jacobian, contacts]);
        let has_forces = !is_impact && routines.has_multiplier_forces();
        Self {
            mass,
            jacobian,
            contacts,
            forces: has_forces.then(|| multiplier_forces(builder)),
        }
    }

    /// The matrices and these views.
    fn with(&self, others: &[View]) -> Vec<View> {
        [self.mass, self.jacobian, self.contacts]
            .iter()
            .chain(others)
            .copied()
            .chain(self.forces)
            .collect()
    }
}

/// 1 for each active contact, 0 for the others.
pub(super) fn flags(builder: &mut Builder) -> View {
    let active = builder.local(1, builder.routines.sizes().contacts);
    builder.copy(builder.argument("active"), active);
    active
}

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
    active: View,
}

impl Extended {
    /// M and J with the rows of the active contacts, and zeros for so many right-hand sides.
    fn new(builder: &mut Builder, touching: &Touching, count: usize) -> Self {
        let (n, c, p) = (
            touching.mass.rows,
            touching.jacobian.rows,
            touching.contacts.rows,
        );
        let active = flags(builder);
        let further = if builder.routines.are_redundant { 0 } else { p };
        let mut this = Self {
            mass: builder.local(n + further, n + further),
            jacobian: builder.local(c + p, n + further),
            reactions: None,
            forces: builder.local(count, n + further),
            rates: builder.local(count, c + p),
            contacts: touching.contacts,
            active,
        };
        for view in [this.mass, this.jacobian, this.forces, this.rates] {
            builder.fill(view, 0.0);
        }
        builder.copy(touching.mass, this.mass.block((0, 0), n, n));
        builder.copy(touching.jacobian, this.jacobian.block((0, 0), c, n));
        for k in 0..p {
            let row = this.jacobian.block((c + k, 0), 1, n);
            builder.copy_if(active.part(k, 1), this.contacts.block((k, 0), 1, n), row);
        }
        for k in 0..further {
            builder.fill(this.mass.block((n + k, n + k), 1, 1), 1.0);
            let diagonal = this.jacobian.block((c + k, n + k), 1, 1);
            builder.when(Condition::Is(active.part(k, 1), 0.0), |builder| {
                builder.fill(diagonal, 1.0);
            });
        }
        this.reactions = touching
            .forces
            .map(|forces| this.reactions(builder, forces));
        this
    }

    /// J^T + B, where forces depend on no multiplier of a contact that is not active.
    fn reactions(&self, builder: &mut Builder, forces: View) -> View {
        let (p, rows) = (self.active.len(), self.jacobian.rows);
        let (n, c) = (self.contacts.columns, rows - p);
        let reactions = builder.local(self.jacobian.columns, rows);
        builder.transpose(self.jacobian, reactions);
        let [of_constraints, columns] = [forces, reactions].map(|view| view.block((0, 0), n, c));
        builder.add(1.0, of_constraints, columns);
        for k in 0..p {
            let [of_contact, column] = [forces, reactions].map(|view| view.block((0, c + k), n, 1));
            builder.when(Condition::Is(self.active.part(k, 1), 1.0), |builder| {
                builder.add(1.0, of_contact, column);
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
        let terms = [self.mass, self.jacobian]
            .into_iter()
            .chain(self.reactions)
            .chain([self.forces, self.rates])
            .collect();
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

/// Ends unless the state is finite, and moves it to a clear rank of J.
fn move_finite(builder: &mut Builder, names: &[&str]) {
    let state = builder.arguments(names);
    builder.step(Step::RequireFinite(state));
    move_to_clear(builder);
}

/// a, lambda and F
pub(super) fn solve_active(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c, p) = (sizes.velocities, sizes.constraints, sizes.contacts);
    let mut builder = Builder::new(routines, "solve_active", &MOVING).fallible();
    let results =
        [("a", n), ("lambda", c), ("forces", p)].map(|(name, length)| builder.vector(name, length));
    move_finite(&mut builder, &["q", "v", "u"]);
    let touching = Touching::new(&mut builder, false);
    let [forcing, gamma, of_contacts] = [n, c, p].map(|length| builder.local(length, 1));
    builder.call_with("forcing", &["q", "v", "u"], &[forcing]);
    if c > 0 {
        builder.call_with("constraint_gamma", &["q", "v"], &[gamma]);
    }
    builder.call_with("contact_gamma", &["q", "v"], &[of_contacts]);
    let terms = [builder.argument("active"), forcing, gamma, of_contacts];
    builder.library(
        "solve_active",
        &touching.with(&terms),
        &results,
        |builder| {
            let extended = Extended::new(builder, &touching, 1);
            extended.set(builder, 0, (Some(forcing), Some(gamma), of_contacts));
            let [a, lambda, forces] = results;
            let acceleration = extended.solve(builder, [lambda, forces]);
            builder.copy(acceleration, a);
        },
    );
    builder.finish()
}

/// v after an impact, and the impulses.
pub(super) fn impact(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c, p) = (sizes.velocities, sizes.constraints, sizes.contacts);
    let mut builder = Builder::new(routines, "impact", &HITTING).fallible();
    let results = [("velocity", n), ("multipliers", c), ("impulses", p)]
        .map(|(name, length)| builder.vector(name, length));
    move_finite(&mut builder, &["q", "v", "restitution"]);
    let touching = Touching::new(&mut builder, true);
    let rates = builder.local(p, 1);
    builder.call_with("gap_rates", &["q", "v"], &[rates]);
    let [v, active, restitution] =
        ["v", "active", "restitution"].map(|name| builder.argument(name));
    let arguments = touching.with(&[active, restitution, v, rates]);
    builder.library("impact", &arguments, &results, |builder| {
        let extended = Extended::new(builder, &touching, 1);
        let changes = builder.local(p, 1);
        builder.negate(rates, changes);
        for k in 0..p {
            let [rate, change] = [rates, changes].map(|view| view.block((k, 0), 1, 1));
            builder.add_scaled(-1.0, restitution.part(k, 1), rate, change);
        }
        extended.set(builder, 0, (None, None, changes));
        let [velocity, multipliers, impulses] = results;
        let change = extended.solve(builder, [multipliers, impulses]);
        builder.copy(v, velocity);
        builder.add(1.0, change, velocity);
    });
    builder.finish()
}

/// d/dt [d; w] = A [d; w] + B du of `solve_active`.
pub(super) fn linearize_active(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, k) = (sizes.velocities, sizes.inputs);
    let (c, p) = (sizes.constraints, sizes.contacts);
    let mut builder = Builder::new(routines, "linearize_active", &MOVING).fallible();
    let a = builder.matrix("A", 2 * n, 2 * n);
    let b = builder.matrix("B", 2 * n, k);
    require_clear(&mut builder, &["q", "v", "u"]);
    let (acceleration, multipliers) = (builder.local(1, n), builder.local(1, c + p));
    let results = [acceleration, multipliers.part(0, c), multipliers.part(c, p)];
    builder.call_with("solve_active", &MOVING, &results);
    let touching = Touching::new(&mut builder, false);
    let widths = [n, n, k];
    let [forces, rates] = [n, c].map(|rows| widths.map(|columns| builder.local(rows, columns)));
    let mut arguments = builder.arguments(&["q", "v", "u"]);
    arguments.extend([acceleration, multipliers.part(0, c)]);
    builder.call("equation_derivatives", arguments, &[forces, rates].concat());
    let [by_q, by_v] = [(); 2].map(|()| builder.local(p, n));
    let quantities = [
        (Quantity::ContactsByPosition, by_q),
        (Quantity::ContactsByVelocity, by_v),
    ];
    let of_contacts = [
        Quantity::ContactForcesByPosition,
        Quantity::ContactForcesByVelocity,
        Quantity::ContactForcesByHeld,
    ];
    let count = if routines.depends_on(c..c + p) { 3 } else { 1 };
    let sums: Vec<_> = of_contacts
        .into_iter()
        .zip(widths)
        .take(count)
        .map(|(quantity, columns)| (quantity, builder.local(n, columns)))
        .collect();
    for (_, sum) in &sums {
        builder.fill(*sum, 0.0);
    }
    let active = flags(&mut builder);
    let reads = [
        (Input::Accelerations, acceleration),
        (Input::Multipliers, multipliers),
    ];
    builder.quantities_of_contacts(&quantities, (active, &sums), &reads);
    let derivatives = widths.map(|columns| builder.local(n, columns));
    let mut arguments = vec![builder.argument("active"), by_q, by_v];
    arguments.extend([forces, rates].concat());
    arguments.extend(sums.iter().map(|(_, sum)| *sum));
    let function = match touching.forces {
        Some(_) => "linearize_reacting",
        None => "linearize_active",
    };
    builder.library(
        function,
        &touching.with(&arguments),
        &derivatives,
        |builder| {
            let extended = Extended::new(builder, &touching, 2 * n + k);
            for ((_, sum), forces) in sums.iter().zip(forces) {
                builder.add(1.0, *sum, forces);
            }
            let by_u = builder.local(p, k);
            builder.fill(by_u, 0.0);
            let first = [0, n, 2 * n];
            for (at, of_contacts) in [by_q, by_v, by_u].into_iter().enumerate() {
                let columns = (Some(forces[at]), Some(rates[at]), of_contacts);
                extended.set(builder, first[at], columns);
            }
            let solved = extended.solve_all(builder);
            for (first, to) in first.into_iter().zip(derivatives) {
                builder.transpose(solved.block((first, 0), to.columns, n), to);
            }
        },
    );
    linearization(&mut builder, (a, b), &derivatives);
    builder.finish()
}

/// The derivatives of the velocity after an impact.
pub(super) fn impact_derivatives(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c, p) = (sizes.velocities, sizes.constraints, sizes.contacts);
    let mut builder = Builder::new(routines, "impact_derivatives", &HITTING).fallible();
    let results = ["by_q", "by_v"].map(|name| builder.matrix(name, n, n));
    require_clear(&mut builder, &["q", "v", "restitution"]);
    let (after, multipliers) = (builder.local(1, n), builder.local(1, c + p));
    let hit = [after, multipliers.part(0, c), multipliers.part(c, p)];
    builder.call_with("impact", &HITTING, &hit);
    let change = builder.local(1, n);
    builder.copy(after, change);
    builder.add(-1.0, builder.argument("v"), change);
    let touching = Touching::new(&mut builder, true);
    let impulses = [(); 2].map(|()| builder.local(n, n));
    let rows = builder.local(c, n);
    let [changes, rates] = [(); 2].map(|()| builder.local(p, n));
    let quantities = [
        (Quantity::ImpulsesByPosition, impulses[0]),
        (Quantity::ImpulsesByVelocity, impulses[1]),
        (Quantity::ConstraintChangesByPosition, rows),
        (Quantity::ContactChangesByPosition, changes),
        (Quantity::GapRatesByPosition, rates),
    ];
    let active = flags(&mut builder);
    let reads = [
        (Input::Accelerations, change),
        (Input::Multipliers, multipliers),
    ];
    let sums = [(Quantity::ContactImpulsesByPosition, impulses[0])];
    builder.quantities_of_contacts(&quantities, (active, &sums), &reads);
    let restitution = builder.argument("restitution");
    let arguments = [builder.argument("active"), restitution];
    let arguments = [&arguments[..], &impulses, &[rows, changes, rates]].concat();
    let arguments = touching.with(&arguments);
    builder.library("impact_derivatives", &arguments, &results, |builder| {
        let extended = Extended::new(builder, &touching, 2 * n);
        let left = builder.local(c, n);
        builder.negate(rows, left);
        // -(1 + e) times the derivatives of the rates of the gaps.
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
        extended.set(builder, 0, by_q);
        extended.set(builder, n, (Some(impulses[1]), None, reversed[1]));
        let solved = extended.solve_all(builder);
        for (at, to) in results.into_iter().enumerate() {
            builder.transpose(solved.block((at * n, 0), n, n), to);
        }
        let ones = builder.local(n, n);
        builder.fill(ones, 0.0);
        builder.step(Step::Identity { to: ones });
        builder.add(1.0, ones, results[1]);
    });
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
    let touching = Touching::new(&mut builder, true);
    builder.library("delassus", &touching.with(&[]), &[result], |builder| {
        let [rates, multipliers] = [(); 2].map(|()| builder.local(p, c));
        builder.fill(rates, 0.0);
        let moved = builder.local(p, n);
        let contacts = touching.contacts;
        builder.kernel(
            Kernel::Solve(routines.equations_of_steps()),
            &[touching.mass, touching.jacobian, contacts, rates],
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
    });
    builder.finish()
}
