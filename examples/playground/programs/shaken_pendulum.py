import lagrangian

text = r"""
/// A pendulum on a pivot that is shaken up and down stands upright: time is a name of its own.
struct Shaken {
    /// Angle from upright.
    theta: coordinate [rad],
    t: time [s],
    m: parameter [kg] = 1,
    l: parameter [m] = 0.5,
    g: parameter [m/s^2] = 9.81,
    /// Stroke of the pivot, and its frequency.
    stroke: parameter [m] = 0.05,
    omega: parameter [rad/s] = 120,
    friction: parameter [N*m*s] = 0.1,
}

pub let pivot = [0, stroke * sin(omega * t)];
pub let bob = pivot + l * [sin(theta), cos(theta)];
T = m * der(bob)^2 / 2;
V = m * g * bob.y;
D = friction * der(theta)^2 / 2;
"""
system = lagrangian.read(text)(m=1.0, l=0.5, g=9.81, stroke=0.05, omega=120.0, friction=0.1)
motion = system.simulate([0.5], [0.0], until=10, step=1e-3)
print(motion.q[-1])
