import lagrangian

text = r"""
/// Two bobs on light rods, one hung below the other. Without friction the energy stays what it was at the start: the
/// plot of its error says how well the integrator keeps it.
struct DoublePendulum {
    /// Angles of the rods from hanging.
    a, b: coordinate [rad],
    /// Masses of the bobs.
    m1, m2: parameter [kg] = 1,
    /// Lengths of the rods.
    l1, l2: parameter [m] = 1,
    g: parameter [m/s^2] = 9.81,
    /// Friction in the joints.
    friction: parameter [N*m*s] = 0,
    /// A pull on the lower bob.
    pull: input[2] [N],
}

pub let elbow = l1 * [sin(a), -cos(a)];
pub let bob = elbow + l2 * [sin(b), -cos(b)];

body { at: elbow, mass: m1 }
body { at: bob, mass: m2 }
gravity [0, -g];
D = friction * (der(a)^2 + (der(b) - der(a))^2) / 2;
force pull at bob;
"""
system = lagrangian.read(text)(m1=1.0, m2=1.0, l1=1.0, l2=1.0, g=9.81, friction=0.0)
motion = system.simulate([0.5, 0.8], [0.0, 0.0], until=10, step=1e-3, u=[0.25, -0.75])
print(motion.q[-1])
