//! Planar mechanisms by frames and bodies, against the reference values of the same systems written
//! out.

use lagrangian::lagrangian;

use crate::harness::reference_test;

lagrangian! {
    /// Two particles in the plane.
    struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l, g: parameter,
        u: input,
    }

    pub let bob = [x + l * sin(theta), l * cos(theta)];
    pub let bob_velocity = der(bob);
    body cart { mass: m_c, at: [x, 0] }
    body bob { mass: m_p, at: bob }
    gravity [0, -g];
    force [u, 0] at [x, 0];
}

reference_test! {
    cart_pole: CartPole { m_c, m_p, l, g },
    Natural (q, v; u),
    outputs [bob(&q), bob_jacobian(&q), bob_velocity(&q, &v)],
    coordinates ["x", "theta"], cyclic [true, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix false,
}

lagrangian! {
    /// Gravity is declared first, and both angles are from the vertical.
    struct DoublePendulum {
        q1, q2: coordinate,
        m1, m2, l1, l2, g: parameter,
    }

    gravity [0, -g, 0];
    frame Upper = world.rotate(z, q1).translate([0, -l1, 0]);
    frame Lower = world.translate(Upper.origin).rotate(z, q2).translate([0, -l2, 0]);
    body elbow { frame: Upper, mass: m1 }
    body tip { frame: Lower, mass: m2 }
    pub let tip = [Lower.origin.x, Lower.origin.y];
    pub let height = Lower.origin.y;
}

reference_test! {
    double_pendulum: DoublePendulum { m1, m2, l1, l2, g },
    Natural (q, v),
    outputs [tip(&q), tip_jacobian(&q), height(&q), height_jacobian(&q)],
    coordinates ["q1", "q2"], cyclic [false, false], conserved [false, false],
    conserves_energy true, constant_mass_matrix false,
}

lagrangian! {
    /// The frame of the pivot moves with time.
    struct KapitzaPendulum {
        theta: coordinate,
        m, l, g, stroke, w: parameter,
        t: time,
    }

    frame Arm = world.translate([0, stroke * cos(w * t), 0]).rotate(z, theta);
    let place = Arm.point([0, -l, 0]);
    body { frame: Arm, mass: m, at: [0, -l, 0] }
    gravity [0, -g, 0];
    pub let bob = [place.x, place.y];
    pub let bob_velocity = der(bob);
}

reference_test! {
    kapitza_pendulum: KapitzaPendulum { m, l, g, stroke, w },
    Rheonomic ([t] q, v),
    outputs [bob(t, &q), bob_jacobian(t, &q), bob_velocity(t, &q, &v)],
    coordinates ["theta"], cyclic [false], conserved [false],
    conserves_energy false, constant_mass_matrix true,
}

lagrangian! {
    /// A particle in a frame that turns by itself.
    struct RotatingFrame {
        x, y: coordinate,
        m, k1, k2, w: parameter,
        t: time,
    }

    frame Turning = world.rotate(z, w * t).translate([x, y, 0]);
    body { frame: Turning, mass: m }
    V = k1 * x^2 / 2 + k2 * y^2 / 2;
    pub let position = [Turning.origin.x, Turning.origin.y];
    pub let velocity_in_space = [velocity(Turning).x, velocity(Turning).y];
}

reference_test! {
    rotating_frame: RotatingFrame { m, k1, k2, w },
    Rheonomic ([t] q, v),
    outputs [position(t, &q), position_jacobian(t, &q), velocity_in_space(t, &q, &v)],
    coordinates ["x", "y"], cyclic [false, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix true,
}

lagrangian! {
    /// A stick by its middle, pinned at its upper end.
    struct PinnedStick {
        x, y, theta: coordinate,
        m, l, g: parameter,
    }

    frame Stick = world.translate([x, y, 0]).rotate(z, theta);
    body { frame: Stick, mass: m, inertia: diag(0, 0, m * l^2 / 12) }
    gravity [0, -g, 0];
    let end = Stick.point([0, l / 2, 0]);
    holonomic pin: [end.x, end.y] = [0, 0];
}

reference_test! {
    pinned_stick: PinnedStick { m, l, g },
    Natural (q, v),
    outputs [],
    constraints ["pin[0]", "pin[1]"], holonomic 2,
    coordinates ["x", "y", "theta"], cyclic [true, false, true], conserved [false; 3],
    conserves_energy true, constant_mass_matrix true,
}

lagrangian! {
    /// A hinged bar, with its weight and its support as forces at points of it.
    struct HingedBar {
        theta: coordinate,
        m, g, l: parameter,
        support: input,
    }

    frame Bar = world.rotate(z, theta);
    body { frame: Bar, mass: m, at: [l / 2, 0, 0], inertia: diag(0, 0, m * l^2 / 12) }
    force [0, -m * g, 0] at Bar.point([l / 2, 0, 0]);
    force [0, support, 0] at Bar.point([l, 0, 0]);
}

reference_test! {
    hinged_bar: HingedBar { m, g, l },
    Natural (q, v; u),
    outputs [],
    coordinates ["theta"], cyclic [true], conserved [false],
    conserves_energy false, constant_mass_matrix true,
}

lagrangian! {
    /// A link by its angle from the vertical, clockwise, with the torque of the force that acts on
    /// its end.
    struct HingedLink {
        theta: coordinate,
        m, l: parameter,
        f: input,
    }

    frame Link = world.rotate(z, -theta);
    body { frame: Link, mass: m, at: [0, l / 2, 0], inertia: diag(0, 0, m * l^2 / 12) }
    let end = Link.point([0, l, 0]);
    torque cross(end, [0, -f, 0]) on Link;
    pub let tip = [end.x, end.y];
    pub let tip_velocity = der(tip);
}

reference_test! {
    hinged_link: HingedLink { m, l },
    Natural (q, v; u),
    outputs [tip(&q), tip_jacobian(&q), tip_velocity(&q, &v)],
    coordinates ["theta"], cyclic [true], conserved [false],
    conserves_energy false, constant_mass_matrix true,
}

lagrangian! {
    /// Forces at points of a chain of frames in space.
    struct PushedRods {
        q1, q2, q3: coordinate,
        m, k_t, k_l, l: parameter,
        f, h: input[3],
    }

    let i = m * l^2 / 12;
    frame A = world.rotate(z, q1);
    frame B = A.translate([l, 0, 0]).rotate(x, q2);
    frame Slider = B.translate([0, q3, 0]);
    body { frame: A, mass: m, at: [l / 2, 0, 0], inertia: diag(0, i, i) }
    body { frame: B, mass: m, inertia: diag(i, 0, i) }
    body { frame: Slider, mass: m / 4 }
    V = k_l * q3^2 / 2 + k_t * (q1^2 + q2^2) / 2;
    force f at B.origin;
    force h at Slider.origin;
    pub let joint_velocity = velocity(B);
    pub let slider_velocity = velocity(Slider);
}

reference_test! {
    pushed_rods: PushedRods { m, k_t, k_l, l },
    Natural (q, v; u),
    outputs [joint_velocity(&q, &v), slider_velocity(&q, &v)],
    coordinates ["q1", "q2", "q3"], cyclic [false; 3], conserved [false; 3],
    conserves_energy false, constant_mass_matrix false,
}

lagrangian! {
    /// Crank, coupler and rocker, closed by a constraint between points of two of them.
    struct FourBar {
        q1, q2, q3: coordinate,
        m1, m2, m3, l1, l2, l3, base, g: parameter,
        drive: input,
    }

    frame Crank = world.rotate(z, q1);
    frame Coupler = world.translate(Crank.point([l1, 0, 0])).rotate(z, q2);
    frame Rocker = world.translate([base, 0, 0]).rotate(z, q3);
    body { frame: Crank, mass: m1, at: [l1 / 2, 0, 0], inertia: diag(0, 0, m1 * l1^2 / 12) }
    body { frame: Coupler, mass: m2, at: [l2 / 2, 0, 0], inertia: diag(0, 0, m2 * l2^2 / 12) }
    body { frame: Rocker, mass: m3, at: [l3 / 2, 0, 0], inertia: diag(0, 0, m3 * l3^2 / 12) }
    gravity [0, -g, 0];
    torque [0, 0, drive] on Crank;
    let end = Coupler.point([l2, 0, 0]);
    let gap = end - Rocker.point([l3, 0, 0]);
    holonomic closure: [gap.x, gap.y] = [0, 0];
    pub let coupler_end = [end.x, end.y];
}

reference_test! {
    four_bar: FourBar { m1, m2, m3, l1, l2, l3, base, g },
    Natural (q, v; u),
    outputs [coupler_end(&q), coupler_end_jacobian(&q)],
    constraints ["closure[0]", "closure[1]"], holonomic 2,
    coordinates ["q1", "q2", "q3"], cyclic [false; 3], conserved [false; 3],
    conserves_energy false, constant_mass_matrix false,
}
