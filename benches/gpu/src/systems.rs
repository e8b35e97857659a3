//! The measured systems.

use lagrangian::lagrangian;

lagrangian! {
    pub(crate) struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l: parameter = 1,
        g: parameter = 9.81,
        u: input,
    }
    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
    export cuda { acceleration, acceleration_unchecked, rk4_step }
}

/// Point masses on massless rods, by their angles from hanging.
macro_rules! chain {
    ($name:ident $links:literal) => {
        lagrangian! {
            pub(crate) struct $name {
                q: coordinate[$links],
                m, l: parameter[$links] = 1,
                g: parameter = 9.81,
            }
            let mut bob = [0, 0];
            for i in 0..$links {
                bob += l[i] * [sin(q[i]), -cos(q[i])];
                T += m[i] * der(bob)^2 / 2;
                V += m[i] * g * bob.y;
            }
            export cuda { acceleration, acceleration_unchecked, rk4_step }
        }
    };
}

chain! { Chain2 2 }
chain! { Chain10 10 }
chain! { Chain20 20 }

lagrangian! {
    /// Crank, coupler and rocker, uniform rods, by their angles.
    pub(crate) struct FourBar {
        q1, q2, q3: coordinate,
        m: parameter[3] = 1,
        l1: parameter = 0.4,
        l2: parameter = 1.2,
        l3: parameter = 0.9,
        base: parameter = 1,
        g: parameter = 9.81,
    }
    let joint = l1 * [cos(q1), sin(q1)];
    let end = joint + l2 * [cos(q2), sin(q2)];
    let rocker = l3 * [cos(q3), sin(q3)];
    T = m[0] * der(joint)^2 / 6;
    T += m[1] * der((joint + end) / 2)^2 / 2 + m[1] * l2^2 * der(q2)^2 / 24;
    T += m[2] * der(rocker)^2 / 6;
    V = g * (m[0] * joint.y + m[1] * (joint.y + end.y) + m[2] * rocker.y) / 2;
    holonomic closure: end = [base, 0] + rocker;
    export cuda { acceleration, acceleration_unchecked, rk4_step }
}

/// A robot of a file with a motor at each joint.
macro_rules! robot {
    ($name:ident $file:literal $options:tt $motors:literal) => {
        lagrangian! {
            pub(crate) struct $name {
                robot: robot = $file $options,
                motor: input[$motors],
            }
            gravity [0, 0, -9.81];
            Q.robot = motor;
            export cuda { acceleration, acceleration_unchecked, rk4_step }
        }
    };
}

robot! { Iiwa "../../tests/robots/real/iiwa14.urdf" { friction: ignore } 7 }
robot! { Panda "../../examples/models/panda.urdf" { friction: ignore } 7 }
robot! { Quadruped "../../tests/robots/real/a2.urdf" { base: free, friction: ignore } 12 }
robot! { Humanoid "../../examples/models/g1.urdf" { base: free, friction: ignore } 29 }
