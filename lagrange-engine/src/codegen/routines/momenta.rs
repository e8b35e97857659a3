//! Hamilton's equations: velocities from momenta, the Hamiltonian, and the rates of both.

use super::attempt::Attempt;
use super::builder::Builder;
use super::motion::arguments_of_mass;
use super::system::Routines;
use crate::codegen::Routine;
use crate::codegen::routine::{Equations, Input, Kernel, Step, View};
use crate::{Operand, Quantity, Symbol};

/// The solution v of M v = p - p0, with the momenta p0 at rest.
pub(super) fn velocity(routines: &Routines) -> Routine {
    let n = routines.sizes().velocities;
    let mut builder = Builder::new(routines, "velocity", &["q", "p"]).fallible();
    let v = builder.vector("v", n);
    let mut arguments = builder.arguments(&["q", "p"]);
    builder.step(Step::RequireFinite(arguments.clone()));
    arguments.pop();
    // M is the same at all velocities.
    if arguments_of_mass(routines).len() > 1 {
        let no_velocities = builder.local(1, n);
        builder.fill(no_velocities, 0.0);
        arguments.push(no_velocities);
    }
    let mass = builder.local(n, n);
    builder.call("mass_matrix", arguments, &[mass]);
    let momenta = kinetic_momenta(&mut builder);
    if let Some(attempt) = Attempt::of_inverse(&mut builder, mass, momenta) {
        builder.when(attempt.accepted, |builder| {
            builder.copy(attempt.solution, v);
            builder.step(Step::Return);
        });
    }
    let [none, no_rates, no_multipliers] =
        [(0, n), (1, 0), (1, 0)].map(|(r, c)| builder.local(r, c));
    let arguments = [mass, none, momenta, no_rates];
    let kernel = Kernel::Solve(Equations::Regular);
    builder.kernel(kernel, &arguments, &[v, no_multipliers]);
    builder.finish()
}

/// p - p0.
fn kinetic_momenta(builder: &mut Builder) -> View {
    let p = builder.argument("p");
    let program = builder
        .routines
        .dynamics
        .program(&[Quantity::KineticMomenta]);
    let symbols = (0..p.len() as u32).map(|i| Operand::Symbol(Symbol::Momentum(i)));
    if symbols.eq(program.results(0).iter().copied()) {
        return p;
    }
    let momenta = builder.local(1, p.len());
    builder.quantities(&[(Quantity::KineticMomenta, momenta)], &[]);
    momenta
}

/// p.v - L
pub(super) fn hamiltonian(routines: &Routines) -> Routine {
    let mut builder = Builder::new(routines, "hamiltonian", &["q", "p", "z"]).fallible();
    let result = builder.result("H", crate::Shape::Scalar);
    let states: Vec<View> = builder.given("z").into_iter().collect();
    if !states.is_empty() {
        builder.step(Step::RequireFinite(states.clone()));
    }
    let v = velocities(&mut builder);
    let [sum, lagrangian] = [(); 2].map(|()| builder.local(1, 1));
    let state = with_velocities(&builder, v, &states);
    builder.call("lagrangian", state, &[lagrangian]);
    builder.negate(lagrangian, sum);
    let column = View {
        rows: v.columns,
        columns: 1,
        stride: 1,
        ..v
    };
    builder.step(Step::Multiply {
        left: builder.argument("p"),
        right: column,
        to: sum,
    });
    builder.step(Step::RequireFinite(vec![sum]));
    builder.copy(sum, result);
    builder.finish()
}

/// dq/dt = N v, and dp/dt = dL/dq + Q + J^T lambda - w x p, with B lambda if forces depend on multipliers.
pub(super) fn equations(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (m, n) = (sizes.coordinates, sizes.velocities);
    let mut builder =
        Builder::new(routines, "hamilton_equations", &["q", "p", "z", "u"]).fallible();
    let results = [builder.vector("q_rate", m), builder.vector("p_rate", n)];
    let held: Vec<View> = ["z", "u"]
        .into_iter()
        .filter_map(|name| builder.given(name))
        .collect();
    builder.step(Step::RequireFinite(held.clone()));
    let v = velocities(&mut builder);
    let [rates, forces] = [m, n].map(|length| builder.local(1, length));
    let quantities = [
        (Quantity::CoordinateRates, rates),
        (Quantity::MomentumRate, forces),
    ];
    builder.quantities(&quantities, &[(Input::Velocities, v)]);
    let state = with_velocities(&builder, v, &held);
    if routines.reacts() {
        // (J^T + B) lambda
        let c = sizes.constraints;
        let (a, lambda) = (builder.local(1, n), builder.local(c, 1));
        builder.call("solve", state.clone(), &[a, lambda]);
        builder.apart(&[], |builder| {
            let (jacobian, reactions) = (builder.local(c, n), builder.local(n, c));
            builder.call_with("constraint_jacobian", &["q"], &[jacobian]);
            builder.transpose(jacobian, reactions);
            let by_multipliers = builder.local(n, c + sizes.contacts);
            builder.call("multiplier_forces", state, &[by_multipliers]);
            builder.add(1.0, by_multipliers.block((0, 0), n, c), reactions);
            builder.step(Step::Multiply {
                left: reactions,
                right: lambda,
                to: View::matrix(forces.array, n, 1),
            });
        });
    } else if sizes.constraints > 0 {
        let reactions = builder.local(1, n);
        builder.call("constraint_forces", state, &[reactions]);
        builder.add(1.0, reactions, forces);
    }
    builder.step(Step::RequireFinite(vec![rates, forces]));
    builder.copy(rates, results[0]);
    builder.copy(forces, results[1]);
    builder.finish()
}

/// The velocities of the momenta, in a local array.
fn velocities(builder: &mut Builder) -> View {
    let v = builder.local(1, builder.routines.sizes().velocities);
    builder.call_with("velocity", &["q", "p"], &[v]);
    v
}

/// Time, q, these velocities, and others.
fn with_velocities(builder: &Builder, v: View, others: &[View]) -> Vec<View> {
    let mut arguments = builder.arguments(&["q"]);
    arguments.push(v);
    arguments.extend(others);
    arguments
}
