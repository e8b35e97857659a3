import lagrangian

text = r"""
/// A T-handle without gravity: it spins about its middle axis of inertia, and turns over again and again.
struct Handle {
    attitude: rotation,
    /// Moments of inertia.
    A: parameter [kg*m^2] = 0.2,
    B: parameter [kg*m^2] = 0.3,
    C: parameter [kg*m^2] = 0.4,
    m: parameter [kg] = 1,
}

pub frame Body = world.rotate(attitude);
body { frame: Body, mass: m, inertia: diag(A, B, C) }
"""
system = lagrangian.read(text)(A=0.2, B=0.3, C=0.4, m=1.0)
motion = system.simulate([0.0, 0.0, 0.0, 1.0], [0.1, 4.0, 0.1], until=10, step=1e-3)
print(motion.q[-1])
