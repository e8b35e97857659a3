//! Systems that are identified: states of first order, data, sensitivities and second derivatives, with exports.

use lagrangian::lagrangian;

lagrangian! {
    /// A winch with a motor, whose torque depends on the angle by measured points, and a load on a rope.
    #[lagrangian(hessian)]
    pub struct Winch { angle, load: coordinate, i: state, j, m, l, r, k, c: parameter, u: input }
    T = (j + m * angle^2 / 20) * der(angle)^2 / 2 + m * der(load)^2 / 2;
    V = 9.81 * m * load + c * (load - sin(angle))^2 / 2;
    let torque = k * spline(angle, [-1, 0, 1, 2.5], [0.4, 0.5, 0.45, 0.3]);
    der(i) = (u - r * i - torque * der(angle)) / l;
    Q.angle = torque * i;
    sensitivity by_motor { j, k, m }
    export c99 { acceleration, state_rates, by_motor, acceleration_hessian }
    export cuda { acceleration, by_motor, acceleration_hessian }
    export casadi { acceleration, state_derivative, by_motor, acceleration_hessian, rk4_step }
    export wgsl { acceleration, by_motor, acceleration_hessian }
}

lagrangian! {
    /// A body on a carriage, with one of its points in a plane.
    #[lagrangian(hessian)]
    pub struct Carriage { x: coordinate, att: rotation, m, c, l: parameter, u: input }
    frame B = world.translate([x, 0, 0]).rotate(att);
    frame End = B.translate([0.1, 0, l]);
    body { frame: B, mass: m, at: [0.1, 0, 0.2], inertia: diag(0.3, 0.4, 0.2) }
    T = c * der(x)^2 / 2;
    gravity [0, 0, -9.81];
    holonomic tied: End.origin.z = l / 2;
    Q.x = u;
    sensitivity by_body { m, l }
    export c99 { acceleration, by_body, acceleration_hessian }
    export cuda { acceleration, by_body, acceleration_hessian }
    export casadi { acceleration, solve, state_derivative, by_body, acceleration_hessian, rk4_step }
    export wgsl { acceleration, by_body, acceleration_hessian }
}
