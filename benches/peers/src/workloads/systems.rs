//! The workloads, as a user would declare them: with parameters, and with numbers in the declaration.

use lagrangian::lagrangian;

lagrangian! {
    /// A cart that carries a pendulum.
    pub struct CartPole {
        x, theta: coordinate,
        u: input,
        m_c, m_p, l, g: parameter,
    }
    let bob = [x + l * sin(theta), -l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
}

lagrangian! {
    pub struct CartPoleNumbers {
        x, theta: coordinate,
        u: input,
    }
    let bob = [x + 0.5 * sin(theta), -0.5 * cos(theta)];
    T = der(x)^2 / 2 + 0.2 * der(bob)^2 / 2;
    V = 0.2 * 9.81 * bob.y;
    Q.x = u;
}

/// Declares points that hang from each other, by angles against the vertical; parameters are in `benches/systems`.
macro_rules! chain_numbers {
    ($name:ident, $n:literal) => {
        lagrangian! {
            pub struct $name { q: coordinate[$n] }
            let mut r = [0, 0];
            for i in 0..$n {
                r += [sin(q[i]), -cos(q[i])];
                T += der(r)^2 / 2;
                V += 9.81 * r.y;
            }
        }
    };
}

chain_numbers!(Chain2Numbers, 2);
chain_numbers!(Chain5Numbers, 5);
chain_numbers!(Chain10Numbers, 10);
chain_numbers!(Chain20Numbers, 20);

/// Declares two rods on axes that cross, with a point that slides along the second one, all on springs.
macro_rules! sliding_point {
    ($name:ident { $($parameters:tt)* } $($numbers:tt)*) => {
        lagrangian! {
            pub struct $name { a, b, s: coordinate, $($parameters)* }
            $($numbers)*
            frame First = world.rotate(z, a);
            body {
                frame: First,
                mass: m,
                at: [l / 2, 0, 0],
                inertia: diag(0, m * l^2 / 12, m * l^2 / 12),
            }
            frame Second = First.translate([l, 0, 0]).rotate(x, b);
            body { frame: Second, mass: m, inertia: diag(m * l^2 / 12, 0, m * l^2 / 12) }
            body { frame: Second, mass: m / 4, at: [0, s, 0] }
            gravity [g, 0, 0];
            V = (k_t * a^2 + k_t * b^2 + k_l * s^2) / 2;
        }
    };
}

sliding_point!(SlidingPoint {
    m,
    l,
    k_t,
    k_l,
    g: parameter
});
sliding_point!(SlidingPointNumbers {} let m = 1; let l = 0.6; let k_t = 0.01; let k_l = 2; let g = 9.81;);

/// Declares a ball with three principal moments that rolls on a plane.
macro_rules! rolling_ball {
    ($name:ident { $($parameters:tt)* } $($numbers:tt)*) => {
        lagrangian! {
            pub struct $name { a, b, c, x, y, z: coordinate, $($parameters)* }
            $($numbers)*
            frame B = world.translate([x, y, z]).rotate(z, a).rotate(x, b).rotate(y, c);
            body { frame: B, mass: m, inertia: diag(i_x, i_y, i_z) }
            // The row of the height is integrable: the peers' ball keeps it so too.
            #[allow(deprecated)]
            nonholonomic roll: der([x, y, z]) + cross(B.angular_velocity(), [0, 0, -r]) = [0, 0, 0];
        }
    };
}

rolling_ball!(RollingBall {
    m,
    i_x,
    i_y,
    i_z,
    r: parameter
});
rolling_ball!(RollingBallNumbers {} let m = 2; let i_x = 0.3; let i_y = 0.4; let i_z = 0.5; let r = 0.6;);

/// Declares a four-bar linkage of uniform rods, by their angles.
macro_rules! four_bar {
    ($name:ident { $($parameters:tt)* } $($numbers:tt)*) => {
        lagrangian! {
            pub struct $name { q: coordinate[3], $($parameters)* }
            $($numbers)*
            let along = [
                l1 * [cos(q[0]), sin(q[0])],
                l2 * [cos(q[1]), sin(q[1])],
                l3 * [cos(q[2]), sin(q[2])],
            ];
            let centre = [along[0] / 2, along[0] + along[1] / 2, along[2] / 2];
            let m = [m1, m2, m3];
            let l = [l1, l2, l3];
            for i in 0..3 {
                T += m[i] * der(centre[i])^2 / 2 + m[i] * l[i]^2 / 12 * der(q[i])^2 / 2;
                V += g * m[i] * centre[i].y;
            }
            holonomic closure: along[0] + along[1] - along[2] = [2, 0];
        }
    };
}

four_bar!(FourBar {
    m1,
    m2,
    m3,
    l1,
    l2,
    l3,
    g: parameter
});
four_bar!(FourBarNumbers {}
    let m1 = 1; let m2 = 2; let m3 = 1.5; let l1 = 1; let l2 = 2; let l3 = 1.5; let g = 9.81;);
