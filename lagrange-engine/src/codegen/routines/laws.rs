//! Motions and steps in which the laws of contacts and dry joints hold, for texts and for tapes: Rust calls the runtime,
//! whose method this is.

use super::builder::Builder;
use super::contacts::flags;
use super::motion::{matrices, right_side};
use super::system::Routines;
use crate::Shape;
use crate::codegen::Routine;
use crate::codegen::routine::{Array, Condition, Kernel, Step, View};

/// The arrays of a state that the laws read: M and J, then J_c, the results of `friction_terms` one after the other, the
/// numbers of sliding velocities, those of the velocities of dry joints, and v.
fn laws(builder: &mut Builder) -> ([View; 2], [View; 5]) {
    let dynamics = builder.routines.dynamics;
    let sizes = builder.routines.sizes();
    let (n, p, m) = (sizes.velocities, sizes.contacts, sizes.dry_joints);
    let matrices = matrices(builder);
    let rows = builder.local(p, n);
    if p > 0 {
        builder.call_with("contact_jacobian", &["q"], &[rows]);
    }
    let lengths = [&[p; 6][..], &[p * n; 2], &[p; 4], &[m]].concat();
    let terms = builder.local(1, lengths.iter().sum());
    let mut first = 0;
    let places = lengths.into_iter().map(|length| {
        first += length;
        terms.part(first - length, length)
    });
    let places: Vec<View> = places.collect();
    builder.call_with("friction_terms", &["q", "v"], &places);
    let numbers = [dynamics.slip_counts(), dynamics.dry_joints()].map(|numbers| {
        let list = builder.local(1, numbers.len());
        for (at, number) in numbers.into_iter().enumerate() {
            builder.fill(list.part(at, 1), number as f64);
        }
        list
    });
    let v = builder.argument("v");
    (matrices, [rows, terms, numbers[0], numbers[1], v])
}

/// Values of the contacts at the state; nothing without contacts.
fn of_contacts<const COUNT: usize>(
    builder: &mut Builder,
    methods: [(&str, &[&str]); COUNT],
) -> [View; COUNT] {
    let p = builder.routines.sizes().contacts;
    methods.map(|(method, arguments)| {
        let values = builder.local(1, p);
        if p > 0 {
            builder.call_with(method, arguments, &[values]);
        }
        values
    })
}

/// A result of integers, and the numbers that become them.
fn counts(builder: &mut Builder, name: &str, length: usize) -> (View, View) {
    let numbers = builder.local(1, length);
    (builder.counts(name, Shape::Vector(length)), numbers)
}

/// a, lambda, the forces of contacts and of their friction, the modes, the forces of dry joints, and which are held.
pub(super) fn resolve(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c) = (sizes.velocities, sizes.constraints);
    let (p, m) = (sizes.contacts, sizes.dry_joints);
    let arguments = ["q", "v", "u", "active"];
    let mut builder = Builder::new(routines, "resolve", &arguments).fallible();
    let a = builder.vector("a", n);
    let lambda = builder.vector("lambda", c);
    let forces = builder.vector("contact_forces", p);
    let friction = builder.matrix("friction_forces", p, 2);
    let (modes, of_modes) = counts(&mut builder, "modes", p);
    let of_joints = builder.vector("joint_forces", m);
    let (held, are_held) = counts(&mut builder, "held", m);
    let state = builder.arguments(&["q", "v", "u"]);
    builder.step(Step::RequireFinite(state));
    let ([mass, jacobian], of_laws) = laws(&mut builder);
    let [forcing, gamma] = right_side(&mut builder);
    let active = flags(&mut builder);
    let values = [
        ("gap_rates", &["q", "v"][..]),
        ("contact_gamma", &["q", "v"]),
    ];
    let of_contacts = of_contacts(&mut builder, values);
    let equations = [mass, jacobian, forcing, gamma];
    let kernel = Kernel::ContactMotion {
        is_redundant: routines.are_redundant,
    };
    builder.kernel(
        kernel,
        &[&equations[..], &of_laws, &[active], &of_contacts].concat(),
        &[a, lambda, forces, friction, of_modes, of_joints, are_held],
    );
    builder.copy(of_modes, modes);
    builder.copy(are_held, held);
    builder.finish()
}

/// The state after a step of Moreau and Jean, the impulses of contacts and of their friction, and the largest rate of a row
/// that is held.
pub(super) fn contact_step(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c, p) = (sizes.velocities, sizes.constraints, sizes.contacts);
    let arguments = ["q", "v", "u", "h"];
    let mut builder = Builder::new(routines, "contact_step", &arguments).fallible();
    let q_end = builder.vector("q_end", sizes.coordinates);
    let v_end = builder.vector("v_end", n);
    let results = [
        builder.vector("impulses", p),
        builder.matrix("friction_impulses", p, 2),
        builder.result("residual", Shape::Scalar),
    ];
    let arguments = builder.arguments(&["q", "v", "u", "h"]);
    builder.step(Step::RequireFinite(arguments));
    let [q, v, h] = ["q", "v", "h"].map(|name| builder.argument(name));
    let time = builder.given("t").map(|t| {
        [0.5, 1.0].map(|share| {
            let later = builder.local(1, 1);
            builder.copy(t, later);
            builder.add(share, h, later);
            later
        })
    });
    let moved = |builder: &mut Builder, from: View, velocity: View| {
        let displacement = builder.local(1, n);
        let to = builder.local(1, sizes.coordinates);
        builder.fill(displacement, 0.0);
        builder.add_scaled(0.5, h, velocity, displacement);
        builder.call("integrate", vec![from, displacement], &[to]);
        to
    };
    let middle = moved(&mut builder, q, v);
    builder.replace("q", middle);
    if let Some([half, _]) = time {
        builder.replace("t", half);
    }
    let ([mass, jacobian], of_laws) = laws(&mut builder);
    let values = [("gaps", &["q"][..]), ("gap_rates", &["q", "v"])];
    let of_contacts = of_contacts(&mut builder, values);
    let rates = builder.local(1, c);
    if c > 0 {
        builder.call_with("constraint_velocity", &["q", "v"], &[rates]);
    }
    let [gamma, velocity, impulse] = [c, n, n].map(|length| builder.local(1, length));
    builder.negate(rates, gamma);
    // Impulses that f has in the time h at a velocity.
    let impulse_at = |builder: &mut Builder, v: View, to: View| {
        let forcing = builder.local(1, n);
        let mut state = builder.arguments(&["q", "v", "u"]);
        let place = state.iter().position(|view| *view == builder.argument("v"));
        if let Some(place) = place {
            state[place] = v;
        }
        builder.call("forcing", state, &[forcing]);
        builder.fill(to, 0.0);
        builder.add_scaled(1.0, h, forcing, to);
    };
    let none = View::whole(Array::Local(0), 0);
    // A later solution may fail, and results are written at the end.
    let corrected_results = results.map(|result| builder.local(result.rows, result.columns));
    let solve = |builder: &mut Builder, jacobian: View, reactions: View, gamma: View| {
        let kernel = Kernel::ContactImpact {
            is_redundant: routines.are_redundant,
        };
        let matrices = [mass, jacobian, reactions, impulse, gamma];
        let terms = [&matrices[..], &of_laws, &of_contacts, &[h]].concat();
        let results = [&[velocity], &corrected_results[..]].concat();
        builder.kernel(kernel, &terms, &results);
    };
    impulse_at(&mut builder, v, impulse);
    solve(&mut builder, jacobian, none, gamma);
    // Two corrections bring the velocities of the forces to the mean of both ends.
    let steps = builder.nested(|builder| {
        let [mean, corrected] = [(); 2].map(|()| builder.local(1, n));
        builder.fill(mean, 0.0);
        builder.add(0.5, v, mean);
        builder.add(0.5, velocity, mean);
        impulse_at(builder, mean, corrected);
        builder.when(Condition::Equal(corrected, impulse), |builder| {
            builder.step(Step::Break);
        });
        builder.copy(corrected, impulse);
        solve(builder, jacobian, none, gamma);
    });
    builder.step(Step::Loop { most: 2, steps });
    // With h = 0 the step is the law of impact alone.
    let end = builder.local(1, sizes.coordinates);
    builder.copy(q, end);
    let moves = Condition::Not(Box::new(Condition::Is(h, 0.0)));
    builder.when(moves, |builder| {
        let free = moved(builder, middle, velocity);
        if c == 0 {
            builder.copy(free, end);
            return;
        }
        if let Some([_, whole]) = time {
            builder.replace("t", whole);
        }
        let unread = builder.local(1, n);
        let now = builder.arguments(&[]);
        let project = [&now[..], &[free, velocity]].concat();
        builder.call("project", project, &[end, unread]);
        builder.replace("q", end);
        let at_end = builder.local(c, n);
        builder.call_with("constraint_jacobian", &["q"], &[at_end]);
        builder.call_with("constraint_velocity", &["q", "v"], &[rates]);
        builder.negate(rates, gamma);
        // The impulses of constraints have the directions of the middle, unless rows may depend on each other.
        let reactions = match routines.are_redundant {
            true => none,
            false => {
                let reactions = builder.local(n, c);
                builder.transpose(jacobian, reactions);
                reactions
            }
        };
        solve(builder, at_end, reactions, gamma);
    });
    builder.copy(end, q_end);
    builder.copy(velocity, v_end);
    for (from, to) in corrected_results.into_iter().zip(results) {
        builder.copy(from, to);
    }
    builder.finish()
}
