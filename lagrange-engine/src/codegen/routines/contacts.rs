//! Motions and impacts with active contacts.
//!
//! Each contact has an unknown of its own, with an inertia and without a force. The row of an active contact does not
//! contain it. The row of another contact contains nothing else, so that its multiplier is 0. So the sizes of the
//! equations do not depend on the active contacts.

use super::builder::Builder;
use super::motion::{arguments_of_mass, ranked_matrices};
use super::system::{Routines, private};
use crate::codegen::Routine;
use crate::codegen::routine::{Kernel, Step, View};

/// The arrays of the extended equations.
struct Extended {
    mass: View,
    jacobian: View,
    forces: View,
    rates: View,
    /// 1 for each active contact, 0 for the others.
    active: View,
}

impl Extended {
    /// M and J with the rows of the active contacts, and zeros for the right-hand side.
    fn new(builder: &mut Builder) -> Self {
        let sizes = builder.routines.sizes();
        let (n, c, p) = (sizes.velocities, sizes.constraints, sizes.contacts);
        let [own_mass, own_jacobian] = ranked_matrices(builder);
        let contacts = builder.local(p, n);
        builder.call_with(private::CONTACT_JACOBIAN, &["q"], &[contacts]);
        let [active, inactive] = [(); 2].map(|()| builder.local(1, p));
        builder.copy(builder.argument("active"), active);
        builder.fill(inactive, 1.0);
        builder.add(-1.0, active, inactive);
        let this = Self {
            mass: builder.local(n + p, n + p),
            jacobian: builder.local(c + p, n + p),
            forces: builder.local(1, n + p),
            rates: builder.local(1, c + p),
            active,
        };
        for view in [this.mass, this.jacobian, this.forces, this.rates] {
            builder.fill(view, 0.0);
        }
        builder.copy(own_mass, this.mass.block((0, 0), n, n));
        builder.copy(own_jacobian, this.jacobian.block((0, 0), c, n));
        for k in 0..p {
            builder.fill(this.mass.block((n + k, n + k), 1, 1), 1.0);
            let row = this.jacobian.block((c + k, 0), 1, n);
            builder.add_scaled(1.0, active.part(k, 1), contacts.block((k, 0), 1, n), row);
            let own = this.jacobian.block((c + k, n + k), 1, 1);
            builder.copy(inactive.part(k, 1), own);
        }
        this
    }

    /// Sets the rates of the active contacts.
    fn close(&self, builder: &mut Builder, rates: View) {
        let first = self.rates.len() - self.active.len();
        for k in 0..self.active.len() {
            let place = self.rates.part(first + k, 1);
            builder.add_scaled(1.0, self.active.part(k, 1), rates.part(k, 1), place);
        }
    }

    /// The unknowns and multipliers: the results of the constraints and of the contacts.
    fn solve(&self, builder: &mut Builder, [of_constraints, of_contacts]: [View; 2]) -> View {
        let (n, c) = (self.forces.len() - self.active.len(), of_constraints.len());
        let [unknowns, multipliers] =
            [self.forces, self.rates].map(|view| builder.local(1, view.len()));
        let given = [self.mass, self.jacobian, self.forces, self.rates];
        builder.kernel(Kernel::Solve, &given, &[unknowns, multipliers]);
        builder.copy(multipliers.part(0, c), of_constraints);
        builder.fill(of_contacts, 0.0);
        for k in 0..self.active.len() {
            let force = multipliers.part(c + k, 1);
            builder.add_scaled(1.0, self.active.part(k, 1), force, of_contacts.part(k, 1));
        }
        unknowns.part(0, n)
    }
}

/// a, lambda and F
pub(super) fn solve_active(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let arguments = ["q", "v", "u", "active"];
    let mut builder = Builder::new(routines, "solve_active", &arguments).fallible();
    let a = builder.vector("a", sizes.velocities);
    let lambda = builder.vector("lambda", sizes.constraints);
    let forces = builder.vector("forces", sizes.contacts);
    let state = builder.arguments(&["q", "v", "u"]);
    builder.step(Step::RequireFinite(state));
    let extended = Extended::new(&mut builder);
    let force = extended.forces.part(0, sizes.velocities);
    builder.call_with("forcing", &["q", "v", "u"], &[force]);
    if sizes.constraints > 0 {
        let rates = extended.rates.part(0, sizes.constraints);
        builder.call_with("constraint_gamma", &["q", "v"], &[rates]);
    }
    let gamma = builder.local(1, sizes.contacts);
    builder.call_with("contact_gamma", &["q", "v"], &[gamma]);
    extended.close(&mut builder, gamma);
    let found = extended.solve(&mut builder, [lambda, forces]);
    builder.copy(found, a);
    builder.finish()
}

/// v after an impact, and the impulses.
pub(super) fn impact(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let arguments = ["q", "v", "active", "restitution"];
    let mut builder = Builder::new(routines, "impact", &arguments).fallible();
    let velocity = builder.vector("velocity", sizes.velocities);
    let multipliers = builder.vector("multipliers", sizes.constraints);
    let impulses = builder.vector("impulses", sizes.contacts);
    let state = builder.arguments(&["q", "v", "restitution"]);
    builder.step(Step::RequireFinite(state));
    let extended = Extended::new(&mut builder);
    let [rates, changes] = [(); 2].map(|()| builder.local(1, sizes.contacts));
    builder.call_with("gap_rates", &["q", "v"], &[rates]);
    builder.fill(changes, 0.0);
    builder.add(-1.0, rates, changes);
    let restitution = builder.argument("restitution");
    for k in 0..sizes.contacts {
        let (e, rate) = (restitution.part(k, 1), rates.part(k, 1));
        builder.add_scaled(-1.0, e, rate, changes.part(k, 1));
    }
    extended.close(&mut builder, changes);
    let change = extended.solve(&mut builder, [multipliers, impulses]);
    builder.copy(builder.argument("v"), velocity);
    builder.add(1.0, change, velocity);
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
    builder.call_with("contact_jacobian", &["q"], &[contacts]);
    let [rates, multipliers] = [(); 2].map(|()| builder.local(p, c));
    builder.fill(rates, 0.0);
    let moved = builder.local(p, n);
    builder.kernel(
        Kernel::Solve,
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
