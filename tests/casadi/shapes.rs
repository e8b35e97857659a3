//! The systems, and a state of each.

use lagrangian::{lagrangian, rk4_step, rk4_step_with_states};
use nalgebra::vector;

use crate::Shape;

lagrangian! {
    /// A motor on an elastic shaft, with its current and the integral of its controller.
    #[lagrangian(hessian)]
    pub struct Servo { q: coordinate[2], i, z: state, j: parameter[2], k, l, r, c: parameter, goal, load: input }
    T = j[0] * der(q[0])^2 / 2 + j[1] * der(q[1])^2 / 2;
    V = c * (q[1] - q[0])^2 / 2;
    der(z) = goal - q[1];
    der(i) = (z - r * i - k * der(q[0])) / l;
    Q.q = [k * i, -load * sin(q[1])];
    /// Outputs whose names end as those of derivatives do.
    pub let linearized_power = k * i * der(q[0]);
    pub let shaft_derivatives = [q[1] - q[0], q[1]^2];
    sensitivity shaft_hessian { j[1], c }
    export casadi {
        acceleration, state_derivative, state_rates, linearize, rk4_step, acceleration_hessian, linearized_power,
        shaft_derivatives, shaft_hessian, linearized_power_derivatives
    }
}

lagrangian! {
    /// A pendulum on a driven support, without inputs, whose names are words of C or not in ASCII.
    pub struct Kapitza { θ: coordinate, int: time, double: parameter, λ: parameter[2], INFINITY: parameter }
    pub let bob = [double * sin(θ), λ[0] * sin(λ[1] * int) - double * cos(θ)];
    T = der(bob)^2 / 2;
    V = 9.81 * bob.y;
    D = INFINITY * der(θ)^2 / 2;
    export casadi { acceleration, state_derivative, linearize, rk4_step, bob, bob_jacobian, bob_bias, energy }
}

lagrangian! {
    pub struct Drone { p: coordinate[3], att: rotation, m: parameter, i: parameter[3], thrust: input, torque: input[3] }
    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: m, inertia: diag(i) }
    gravity [0, 0, -9.81];
    Q.att = torque;
    force Body.vector([0, 0, thrust]) at Body.origin;
    pub frame tip = Body.translate([0.3, 0.1, 0]);
    bundle control { mass_matrix, bias, tip, tip_jacobian }
    sensitivity by_mass { m, i[1] }
    regressor identify { m, i }
    export casadi {
        acceleration, state_derivative, linearize, linearize_fixed_axes, rk4_step, tip, tip_velocity, tip_jacobian, control,
        by_mass, identify, integrate, difference, coordinate_rates
    }
}

lagrangian! {
    /// A rod whose one end slides along a line that moves, and whose other end has a blade.
    pub struct Sledge { p: coordinate[2], φ: coordinate, t: time, m, l: parameter, push: input }
    let end = p + l * [cos(φ), sin(φ)];
    T = m * der(p)^2 / 2 + m * der(end)^2 / 2;
    V = m * p.x^2;
    Q.p.x = push;
    holonomic line: end.y = sin(t) / 5 + end.x / 2;
    nonholonomic blade: der(p.y) * cos(φ) = der(p.x) * sin(φ);
    sensitivity by_size { m, l }
    export casadi {
        acceleration, solve, state_derivative, linearize, rk4_step, project, constraint_forces, constraint_residual,
        multiplier_derivatives, vjp, by_size
    }
}

lagrangian! {
    /// A wheel out of round above a floor and beside a wall.
    pub struct Wheel { x, z, turn: coordinate, m, r: parameter }
    T = m * (der(x)^2 + der(z)^2) / 2 + m * r^2 * der(turn)^2 / 5 + der(x) * der(turn) / 8;
    V = 5 * z + x^2;
    contact floor: z + cos(turn) / 9 >= r;
    contact wall: x + sin(turn) / 10 <= 3;
    export casadi { acceleration, solve_active, impact, gaps, gap_rates, contact_jacobian, delassus, linearize_active }
}

lagrangian! {
    /// A bead on a wire, which is declared twice, in other units.
    #[lagrangian(redundant)]
    #[allow(deprecated, reason = "rows depend on each other")]
    pub struct Bead { r: coordinate[3], m, k: parameter, push: input }
    T = m * der(r)^2 / 2;
    V = 9.81 * m * r.z + r.x^2 * r.y;
    Q.r = [push, push * der(r.z), 0];
    holonomic wire: r.y = sin(r.x) / 5;
    holonomic again: k * r.y = k * sin(r.x) / 5;
    contact floor: r.z + r.x^2 / 2 >= 0;
    export casadi { acceleration, solve, rk4_step, constraint_forces, solve_active, impact }
}

lagrangian! {
    /// Neither inputs nor parameters.
    pub struct Free { x: coordinate[2], att: rotation[2] }
    T = der(x)^2 / 2 * (2 + sin(x[0])) + der(att[0])^2 / 2 + der(att[1]).x^2 + 2 * der(att[1]).y^2 + 3 * der(att[1]).z^2;
    V = cos(x[0]);
    export casadi { acceleration, state_derivative, linearize, rk4_step, energy, integrate, difference, neutral }
}

pub(crate) fn all() -> Vec<Shape> {
    let shapes = [
        servo(),
        kapitza(),
        drone(),
        sledge(),
        wheel(),
        bead(),
        free(),
    ];
    shapes
        .into_iter()
        .collect::<Result<_, lagrangian::Error>>()
        .expect("regular states")
}

fn servo() -> Result<Shape, lagrangian::Error> {
    let parameters = [0.5, 0.3, 0.7, 0.2, 1.1, 4.0];
    let [a, b, k, l, r, c] = parameters;
    let servo = Servo {
        j: [a, b],
        k,
        l,
        r,
        c,
    };
    let (q, v, z, u) = (
        vector![0.4, -0.9],
        vector![0.3, 1.2],
        vector![0.7, -0.1],
        vector![0.2, 0.5],
    );
    let (w, h) = (vector![0.7, -0.4], 0.05);
    let y = vector![0.4, -0.9, 0.3, 1.2, 0.7, -0.1];
    let state = [q.as_slice(), v.as_slice(), z.as_slice(), u.as_slice()];
    let with = |last| [&state[..], &[last]].concat();
    let linear = servo.linearize(&q, &v, &z, &u)?;
    let end = rk4_step_with_states(&servo, 0.0, &q, &v, &z, &u, h)?;
    let second = servo.acceleration_hessian(&q, &v, &z, &u, &w)?;
    let power = servo.linearized_power_derivatives(&q, &v, &z);
    let derivatives = [
        "linearize",
        "acceleration_hessian",
        "linearized_power_derivatives",
    ];
    Ok(Shape::new(
        ("servo", Servo::CASADI),
        &Servo::COORDINATES,
        &parameters,
        &derivatives,
    )
    .call(
        "acceleration",
        &state,
        &[servo.acceleration(&q, &v, &z, &u)?.as_slice()],
    )
    .call(
        "state_derivative",
        &[y.as_slice(), u.as_slice()],
        &[servo.state_derivative(&y, &u)?.as_slice()],
    )
    .call(
        "state_rates",
        &state,
        &[servo.state_rates(&q, &v, &z, &u).as_slice()],
    )
    .call(
        "linearize",
        &state,
        &[linear.a.as_slice(), linear.b.as_slice()],
    )
    .call(
        "rk4_step",
        &with(&[h]),
        &[end.0.as_slice(), end.1.as_slice(), end.2.as_slice()],
    )
    .call(
        "acceleration_hessian",
        &with(w.as_slice()),
        &[second.as_slice()],
    )
    .call(
        "linearized_power",
        &state[..3],
        &[&[servo.linearized_power(&q, &v, &z)]],
    )
    .call(
        "shaft_derivatives",
        &state[..1],
        &[servo.shaft_derivatives(&q).as_slice()],
    )
    .call(
        "shaft_hessian",
        &state,
        &[servo.shaft_hessian(&q, &v, &z, &u)?.as_slice()],
    )
    .call(
        "linearized_power_derivatives",
        &state[..3],
        &[
            power.q.as_slice(),
            power.v.as_slice(),
            power.z.as_slice(),
            power.u.as_slice(),
        ],
    )
    .failure("acceleration", &state, &[0.0, b, k, l, r, c])
    .failure("shaft_hessian", &state, &[a, b, k, l, r, f64::NAN])
    .failure(
        "state_derivative",
        &[y.as_slice(), u.as_slice()],
        &[0.0, b, k, l, r, c],
    ))
}

fn kapitza() -> Result<Shape, lagrangian::Error> {
    let parameters = [0.5, 0.1, 20.0, 0.3];
    let [length, amplitude, frequency, damping] = parameters;
    let kapitza = Kapitza {
        double: length,
        λ: [amplitude, frequency],
        INFINITY: damping,
    };
    let (t, q, v, h) = (0.31, vector![0.4], vector![0.3], 0.01);
    let y = vector![0.4, 0.3];
    let state = [&[t], q.as_slice(), v.as_slice()];
    let linear = kapitza.linearize(t, &q, &v)?;
    let end = rk4_step(&kapitza, t, &q, &v, &vector![], h)?;
    let mut still = parameters;
    still[0] = 0.0;
    Ok(Shape::new(
        ("kapitza", Kapitza::CASADI),
        &Kapitza::COORDINATES,
        &parameters,
        &["linearize"],
    )
    .call(
        "acceleration",
        &state,
        &[kapitza.acceleration(t, &q, &v)?.as_slice()],
    )
    .call(
        "state_derivative",
        &[&[t], y.as_slice()],
        &[kapitza.state_derivative(t, &y)?.as_slice()],
    )
    .call("linearize", &state, &[linear.a.as_slice()])
    .call(
        "rk4_step",
        &[&state[..], &[&[h]]].concat(),
        &[end.0.as_slice(), end.1.as_slice()],
    )
    .call("bob", &state[..2], &[kapitza.bob(t, &q).as_slice()])
    .call(
        "bob_jacobian",
        &state[..2],
        &[kapitza.bob_jacobian(t, &q).as_slice()],
    )
    .call(
        "bob_bias",
        &state,
        &[kapitza.bob_bias(t, &q, &v).as_slice()],
    )
    .call("energy", &state, &[&[kapitza.energy(t, &q, &v)]])
    .failure("acceleration", &state, &still))
}

fn drone() -> Result<Shape, lagrangian::Error> {
    let parameters = [1.5, 0.1, 0.2, 0.25];
    let drone = Drone {
        m: 1.5,
        i: [0.1, 0.2, 0.25],
    };
    let (q, v, u, h) = (
        vector![0.1, 0.2, 0.3, 0.1, -0.5, 0.7, 0.5],
        vector![0.3, 0.1, -0.4, 0.5, 0.7, -0.2],
        vector![3.0, 0.1, -0.2, 0.3],
        0.1,
    );
    let (y, a) = (
        vector![
            0.1, 0.2, 0.3, 0.1, -0.5, 0.7, 0.5, 0.3, 0.1, -0.4, 0.5, 0.7, -0.2
        ],
        vector![0.2, -0.1, 0.4, 0.3, 0.6, -0.5],
    );
    let state = [q.as_slice(), v.as_slice(), u.as_slice()];
    let linear = drone.linearize(&q, &v, &u)?;
    let fixed = drone.linearize_fixed_axes(&q, &v, &u)?;
    let end = rk4_step(&drone, 0.0, &q, &v, &u, h)?;
    let tip = drone.tip(&q);
    let control = drone.control(&q, &v);
    Ok(Shape::new(
        ("drone", Drone::CASADI),
        &Drone::COORDINATES,
        &parameters,
        &["linearize", "linearize_fixed_axes"],
    )
    .call(
        "acceleration",
        &state,
        &[drone.acceleration(&q, &v, &u)?.as_slice()],
    )
    .call(
        "state_derivative",
        &[y.as_slice(), u.as_slice()],
        &[drone.state_derivative(&y, &u)?.as_slice()],
    )
    .call(
        "linearize",
        &state,
        &[linear.a.as_slice(), linear.b.as_slice()],
    )
    .call(
        "linearize_fixed_axes",
        &state,
        &[fixed.a.as_slice(), fixed.b.as_slice()],
    )
    .call(
        "rk4_step",
        &[&state[..], &[&[h]]].concat(),
        &[end.0.as_slice(), end.1.as_slice()],
    )
    .call(
        "tip",
        &state[..1],
        &[tip.origin.as_slice(), tip.rotation.as_slice()],
    )
    .call(
        "tip_velocity",
        &state[..2],
        &[drone.tip_velocity(&q, &v).as_slice()],
    )
    .call(
        "tip_jacobian",
        &state[..1],
        &[drone.tip_jacobian(&q).as_slice()],
    )
    .call(
        "control",
        &state[..2],
        &[
            control.mass_matrix.as_slice(),
            control.bias.as_slice(),
            control.tip.origin.as_slice(),
            control.tip.rotation.as_slice(),
            control.tip_jacobian.as_slice(),
        ],
    )
    .call("by_mass", &state, &[drone.by_mass(&q, &v, &u)?.as_slice()])
    .call(
        "identify",
        &[q.as_slice(), v.as_slice(), a.as_slice()],
        &[drone.identify(&q, &v, &a).as_slice()],
    )
    .call(
        "integrate",
        &[q.as_slice(), a.as_slice()],
        &[drone.integrate(&q, &a).as_slice()],
    )
    .call(
        "difference",
        &[q.as_slice(), end.0.as_slice()],
        &[drone.difference(&q, &end.0).as_slice()],
    )
    .call(
        "coordinate_rates",
        &state[..2],
        &[drone.coordinate_rates(&q, &v).as_slice()],
    )
    .failure("acceleration", &state, &[1.5, 0.1, 0.0, 0.25])
    .failure("by_mass", &state, &[0.0, 0.1, 0.2, 0.25]))
}

fn sledge() -> Result<Shape, lagrangian::Error> {
    let parameters = [1.5, 0.7];
    let sledge = Sledge { m: 1.5, l: 0.7 };
    let (t, q, v, u, h) = (
        0.4,
        vector![0.1, -0.4, 0.9],
        vector![0.3, 0.5, -0.2],
        vector![2.0],
        0.05,
    );
    let (w, y) = (
        vector![0.4, -0.3, 0.8],
        vector![0.1, -0.4, 0.9, 0.3, 0.5, -0.2],
    );
    let state = [&[t], q.as_slice(), v.as_slice(), u.as_slice()];
    let with = |last| [&state[..], &[last]].concat();
    let motion = sledge.solve(t, &q, &v, &u)?;
    let linear = sledge.linearize(t, &q, &v, &u)?;
    let end = rk4_step(&sledge, t, &q, &v, &u, h)?;
    let near = sledge.project(t, &q, &v)?;
    let reactions = sledge.multiplier_derivatives(t, &q, &v, &u)?;
    let gradient = sledge.vjp(t, &q, &v, &u, &w)?;
    let derivatives = ["linearize", "multiplier_derivatives", "vjp"];
    Ok(Shape::new(
        ("sledge", Sledge::CASADI),
        &Sledge::COORDINATES,
        &parameters,
        &derivatives,
    )
    .call(
        "acceleration",
        &state,
        &[sledge.acceleration(t, &q, &v, &u)?.as_slice()],
    )
    .call(
        "solve",
        &state,
        &[
            motion.acceleration.as_slice(),
            motion.multipliers.as_slice(),
        ],
    )
    .call(
        "state_derivative",
        &[&[t], y.as_slice(), u.as_slice()],
        &[sledge.state_derivative(t, &y, &u)?.as_slice()],
    )
    .call(
        "linearize",
        &state,
        &[linear.a.as_slice(), linear.b.as_slice()],
    )
    .call(
        "rk4_step",
        &with(&[h]),
        &[end.0.as_slice(), end.1.as_slice()],
    )
    .call(
        "project",
        &state[..3],
        &[near.0.as_slice(), near.1.as_slice()],
    )
    .call(
        "constraint_forces",
        &state,
        &[sledge.constraint_forces(t, &q, &v, &u)?.as_slice()],
    )
    .call(
        "constraint_residual",
        &state[..2],
        &[sledge.constraint_residual(t, &q).as_slice()],
    )
    .call(
        "multiplier_derivatives",
        &state,
        &[
            reactions.q.as_slice(),
            reactions.v.as_slice(),
            reactions.u.as_slice(),
        ],
    )
    .call(
        "vjp",
        &with(w.as_slice()),
        &[
            gradient.q.as_slice(),
            gradient.v.as_slice(),
            gradient.u.as_slice(),
        ],
    )
    .call(
        "by_size",
        &state,
        &[sledge.by_size(t, &q, &v, &u)?.as_slice()],
    )
    .failure("solve", &state, &[0.0, 0.7])
    .failure("constraint_forces", &state, &[f64::NAN, 0.7])
    .failure("project", &state[..3], &[0.0, 0.0]))
}

fn wheel() -> Result<Shape, lagrangian::Error> {
    let parameters = [1.5, 0.7];
    let wheel = Wheel { m: 1.5, r: 0.7 };
    let (q, v) = (vector![0.1, 0.2, 0.3], vector![0.3, 0.1, -0.4]);
    let (active, restitution) = ([true, false], [0.1, 0.2]);
    let state = [q.as_slice(), v.as_slice()];
    let touching = [&state[..], &[&[1.0, 0.0]]].concat();
    let motion = wheel.solve_active(&q, &v, &active)?;
    let linear = wheel.linearize_active(&q, &v, &active)?;
    let hit = wheel.impact(&q, &v, &active, &restitution)?;
    Ok(Shape::new(
        ("wheel", Wheel::CASADI),
        &Wheel::COORDINATES,
        &parameters,
        &["linearize_active"],
    )
    .call(
        "acceleration",
        &state,
        &[wheel.acceleration(&q, &v)?.as_slice()],
    )
    .call(
        "solve_active",
        &touching,
        &[
            motion.acceleration.as_slice(),
            motion.contact_forces.as_slice(),
        ],
    )
    .call("linearize_active", &touching, &[linear.a.as_slice()])
    .call(
        "impact",
        &[&touching[..], &[&restitution]].concat(),
        &[hit.velocity.as_slice(), hit.impulses.as_slice()],
    )
    .call("gaps", &state[..1], &[wheel.gaps(&q).as_slice()])
    .call("gap_rates", &state, &[wheel.gap_rates(&q, &v).as_slice()])
    .call(
        "contact_jacobian",
        &state[..1],
        &[wheel.contact_jacobian(&q).as_slice()],
    )
    .call("delassus", &state[..1], &[wheel.delassus(&q)?.as_slice()])
    .failure("acceleration", &state, &[0.0, 0.7]))
}

fn bead() -> Result<Shape, lagrangian::Error> {
    let parameters = [1.5, 0.7];
    let bead = Bead { m: 1.5, k: 0.7 };
    let (q, v, u, h) = (
        vector![0.1, 0.2, 0.3],
        vector![0.3, 0.1, -0.4],
        vector![2.0],
        0.05,
    );
    let (active, restitution) = ([true], [0.1]);
    let state = [q.as_slice(), v.as_slice(), u.as_slice()];
    let with = |last| [&state[..], &[last]].concat();
    let motion = bead.solve(&q, &v, &u)?;
    let touching = bead.solve_active(&q, &v, &u, &active)?;
    let hit = bead.impact(&q, &v, &active, &restitution)?;
    let end = rk4_step(&bead, 0.0, &q, &v, &u, h)?;
    Ok(
        Shape::new(("bead", Bead::CASADI), &Bead::COORDINATES, &parameters, &[])
            .call(
                "acceleration",
                &state,
                &[bead.acceleration(&q, &v, &u)?.as_slice()],
            )
            .call(
                "solve",
                &state,
                &[
                    motion.acceleration.as_slice(),
                    motion.multipliers.as_slice(),
                    &[motion.rank as f64],
                ],
            )
            .call(
                "rk4_step",
                &with(&[h]),
                &[end.0.as_slice(), end.1.as_slice()],
            )
            .call(
                "constraint_forces",
                &state,
                &[bead.constraint_forces(&q, &v, &u)?.as_slice()],
            )
            .call(
                "solve_active",
                &with(&[1.0]),
                &[
                    touching.acceleration.as_slice(),
                    touching.multipliers.as_slice(),
                    touching.contact_forces.as_slice(),
                ],
            )
            .call(
                "impact",
                &[q.as_slice(), v.as_slice(), &[1.0], &restitution],
                &[
                    hit.velocity.as_slice(),
                    hit.multipliers.as_slice(),
                    hit.impulses.as_slice(),
                ],
            )
            .failure("solve", &state, &[0.0, 0.7]),
    )
}

fn free() -> Result<Shape, lagrangian::Error> {
    let free = Free::new();
    let (q, v, h) = (
        vector![0.3, 0.4, 0.1, -0.5, 0.7, 0.5, 0.5, 0.5, -0.1, 0.7],
        vector![0.3, 0.1, -0.4, 0.5, 0.7, -0.2, 0.2, 0.1],
        0.1,
    );
    let y = vector![
        0.3, 0.4, 0.1, -0.5, 0.7, 0.5, 0.5, 0.5, -0.1, 0.7, 0.3, 0.1, -0.4, 0.5, 0.7, -0.2, 0.2,
        0.1
    ];
    let state = [q.as_slice(), v.as_slice()];
    let linear = free.linearize(&q, &v)?;
    let end = rk4_step(&free, 0.0, &q, &v, &vector![], h)?;
    let mut lost = q;
    lost[1] = f64::NAN;
    Ok(Shape::new(
        ("free", Free::CASADI),
        &Free::COORDINATES,
        &[],
        &["linearize"],
    )
    .call(
        "acceleration",
        &state,
        &[free.acceleration(&q, &v)?.as_slice()],
    )
    .call(
        "state_derivative",
        &[y.as_slice()],
        &[free.state_derivative(&y)?.as_slice()],
    )
    .call("linearize", &state, &[linear.a.as_slice()])
    .call(
        "rk4_step",
        &[&state[..], &[&[h]]].concat(),
        &[end.0.as_slice(), end.1.as_slice()],
    )
    .call("energy", &state, &[&[free.energy(&q, &v)]])
    .call("integrate", &state, &[free.integrate(&q, &v).as_slice()])
    .call(
        "difference",
        &[q.as_slice(), end.0.as_slice()],
        &[free.difference(&q, &end.0).as_slice()],
    )
    .call("neutral", &[], &[free.neutral().as_slice()])
    .failure("acceleration", &[lost.as_slice(), v.as_slice()], &[]))
}
