//! The routines of a system: a method by its name, or any set of quantities.

mod attempt;
mod blocks;
mod builder;
mod contacts;
mod derivatives;
mod displacements;
mod friction;
mod hessian;
mod jacobians;
mod laws;
mod linearize;
mod linearized;
mod midpoint;
mod momenta;
mod motion;
mod operations;
mod parameters;
mod projection;
mod quantities;
mod requirement;
mod stepping;
mod system;
mod tangents;

use std::collections::BTreeMap;

pub(crate) use blocks::By;
pub use requirement::Requirement;
use system::private;
pub use system::{BundlePart, Routines};

use super::Routine;
use super::routine::Step;
use crate::Quantity;

impl Routines<'_> {
    /// The routine of a generated method. `None` for an unknown name, or if the system does not have the method.
    pub fn method(&self, name: &str) -> Option<Routine> {
        if Requirement::of(name).is_some_and(|requirement| !requirement.is_met_by(self)) {
            return None;
        }
        quantities::method(self, name)
            .or_else(|| {
                let routine = self.assembled(name)?;
                let is_derivative = gives_derivatives(name);
                Some(Routine {
                    is_derivative,
                    ..routine
                })
            })
            .or_else(|| parameters::sensitivity(self, name))
            .or_else(|| self.tangent_method(name))
            .or_else(|| self.method_of_blocks(name))
    }

    /// The routine of a method that tapes and texts in C and CUDA have, and no other text: `resolve` and `contact_step`,
    /// which search for the modes of contacts. `None` for another name, or if the system does not have the method.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Routines, System, c99};
    /// // A mass with dry friction.
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\nnode %2 = number 1/2\n\
    ///             dry_joint 0 %2\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let routines = Routines::new(&dynamics);
    /// let step = routines.searching("contact_step").expect("there is a dry joint");
    /// let declaration = c99::Declaration { name: "Mass".to_owned(), parameters: Vec::new() };
    /// let text = c99::text(&declaration, &routines, vec![step]);
    /// assert!(text.contains("   5  no forces of contacts meet their laws"));
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn searching(&self, name: &str) -> Option<Routine> {
        if !Requirement::Friction.is_met_by(self) {
            return None;
        }
        match name {
            "resolve" => Some(laws::resolve(self)),
            "contact_step" => Some(laws::contact_step(self)),
            _ => None,
        }
    }

    /// The routine that computes these quantities together, each under its name, of arguments by their names.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, Routines, System};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let fields = [("p".to_owned(), Quantity::Momenta), ("M".to_owned(), Quantity::MassMatrix)];
    /// let routine = Routines::new(&dynamics).computation("both", &["q", "v"], &fields);
    /// assert_eq!(routine.results[1].name, "M");
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn computation(
        &self,
        name: &str,
        arguments: &[&str],
        fields: &[(String, Quantity)],
    ) -> Routine {
        quantities::computation(self, name, arguments, fields)
    }

    /// The routine that computes the parts of a bundle together: quantities in one program, and others by calls of
    /// methods.
    ///
    /// ```
    /// use lagrange_engine::{BundlePart, Dynamics, Quantity, Routines, System};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let momenta = BundlePart::Quantities(vec![("p".to_owned(), Quantity::Momenta)]);
    /// let solved = BundlePart::Call("acceleration_unchecked".to_owned());
    /// let routines = Routines::new(&dynamics);
    /// let routine = routines.bundle("step", &["q", "v"], &[momenta, solved]);
    /// let values = routines.run(&routine, &[vec![0.0], vec![3.0]], &[]);
    /// assert_eq!(values, Ok(vec![vec![6.0], vec![0.0]]));
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn bundle(&self, name: &str, arguments: &[&str], parts: &[BundlePart]) -> Routine {
        quantities::bundle(self, name, arguments, parts)
    }

    /// These routines and all others that they call, in the order of calls. A called name that is not among `routines`
    /// is a method.
    pub fn with_called(&self, routines: Vec<Routine>) -> Vec<Routine> {
        let mut known: BTreeMap<String, Routine> = BTreeMap::new();
        let order: Vec<String> = routines
            .iter()
            .map(|routine| routine.name.clone())
            .collect();
        known.extend(
            routines
                .into_iter()
                .map(|routine| (routine.name.clone(), routine)),
        );
        let mut done = Vec::new();
        for name in order {
            self.collect(&name, &mut known, &mut done);
        }
        done
    }

    fn collect(&self, name: &str, known: &mut BTreeMap<String, Routine>, done: &mut Vec<Routine>) {
        if done.iter().any(|routine| routine.name == name) {
            return;
        }
        let Some(routine) = known.remove(name).or_else(|| self.method(name)) else {
            return;
        };
        let mut called = Vec::new();
        routine.for_each_step(&mut |step| {
            if let Step::Call { routine, .. } = step {
                called.push(routine.clone());
            }
        });
        for name in called {
            self.collect(&name, known, done);
        }
        done.push(routine.with_library_steps());
    }

    fn assembled(&self, name: &str) -> Option<Routine> {
        use private::{
            CLEAR, DIFFERENTIATED, JACOBIAN, LINEARIZED, LINEARIZED_UNCHECKED, PIVOTED,
            PIVOTED_UNCHECKED, POSITIONS, RATES, RESIDUALS, SOLVED, TOUCHING_ROWS, VELOCITIES,
        };
        let is_constrained = self.sizes().constraints > 0;
        Some(match name {
            "integrate" => displacements::integrate(self),
            "difference" => displacements::difference(self),
            "neutral" => displacements::neutral(self),
            "acceleration" if is_constrained => motion::acceleration_of_solution(self),
            "acceleration" => motion::acceleration(self),
            "solve" if is_constrained => motion::solve(self),
            "solve" => motion::solve_without_constraints(self),
            "acceleration_unchecked" => motion::unchecked(self),
            PIVOTED => motion::pivoted(self),
            PIVOTED_UNCHECKED => motion::pivoted_unchecked(self),
            SOLVED => motion::redundant(self),

            CLEAR => motion::clear(self),
            "state_derivative" => motion::state_derivative(self, "acceleration"),
            "state_derivative_unchecked" => {
                motion::state_derivative(self, "acceleration_unchecked")
            }
            "mass_matrix_full" => motion::mass_matrix_full(self),
            "forcing_full" => motion::forcing_full(self),
            "constraint_forces" => motion::constraint_forces(self),
            "inverse_dynamics_derivatives" => derivatives::inverse_dynamics(self),
            "equation_derivatives" => derivatives::equation_derivatives(self),
            "acceleration_derivatives" => derivatives::accelerations(self),
            "multiplier_derivatives" => derivatives::multipliers(self),
            "constraint_velocity_derivatives" => derivatives::constraint_velocity(self),
            DIFFERENTIATED => derivatives::differentiated(self),
            LINEARIZED => linearized::linearized(self, true)?,
            LINEARIZED_UNCHECKED => linearized::linearized(self, false)?,
            "linearize" => linearize::linearize(self, true),
            "linearize_unchecked" => linearize::linearize(self, false),
            "linearize_fixed_axes" => linearize::linearize_fixed_axes(self),
            "linearize_reduced" => linearize::linearize_reduced(self),
            "vjp" => derivatives::vjp(self),
            "acceleration_hessian" => hessian::acceleration(self)?,
            JACOBIAN => jacobians::of_constraints(self),
            TOUCHING_ROWS => jacobians::of_contacts(self),
            "velocity" => momenta::velocity(self),
            "hamiltonian" => momenta::hamiltonian(self),
            "hamilton_equations" => momenta::equations(self),
            "midpoint_terms" => midpoint::terms(self),
            "midpoint_vjp" => midpoint::vjp(self),
            "constraint_bounds" => midpoint::constraint_bounds(self),
            "project" => projection::project(self),
            RESIDUALS => projection::residuals(self),
            RATES => projection::rates(self),
            POSITIONS => projection::positions(self),
            VELOCITIES => projection::velocities(self),
            "rk4_step" => stepping::rk4(self),
            "solve_active" => contacts::solve_active(self),
            "impact" => contacts::impact(self),
            "linearize_active" => contacts::linearize_active(self),
            "impact_derivatives" => contacts::impact_derivatives(self),
            "delassus" => contacts::delassus(self),
            "friction_terms" => friction::terms(self),
            _ => return None,
        })
    }
}

/// True for the names of generated methods whose results are derivatives.
fn gives_derivatives(name: &str) -> bool {
    let endings = ["_derivatives", "_hessian"];
    name.starts_with("linearize") || name == "vjp" || endings.iter().any(|end| name.ends_with(end))
}
