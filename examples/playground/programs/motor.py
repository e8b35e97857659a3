import lagrangian

text = r"""
/// A motor lifts an arm through its current, a state of first order: the voltage drives the current against the
/// resistance, the inductance and the speed, and the current turns the shaft.
struct Motor {
    /// Angle of the arm from hanging.
    theta: coordinate [rad],
    /// Current in the winding.
    i: state [A],
    /// Resistance, inductance and constant of the motor.
    R_a: parameter [ohm] = 1,
    L_a: parameter [H] = 0.05,
    k: parameter [N*m/A] = 0.8,
    /// Mass and length of the arm.
    m: parameter [kg] = 0.5,
    l: parameter [m] = 0.4,
    g: parameter [m/s^2] = 9.81,
    /// Friction of the bearing.
    friction: parameter [N*m*s] = 0.05,
    /// Voltage of the supply, and of the hand.
    supply: parameter [V] = 1.5,
    voltage: input [V],
}

pub let tip = l * [sin(theta), -cos(theta)];
body { at: tip, mass: m }
gravity [0, -g];
D = friction * der(theta)^2 / 2;
Q.theta = k * i;
der(i) = (supply + voltage - R_a * i - k * der(theta)) / L_a;
"""
system = lagrangian.read(text)(R_a=1.0, L_a=0.05, k=0.8, m=0.5, l=0.4, g=9.81, friction=0.05, supply=1.5)
motion = system.simulate([0.5], [0.0], z=[0.0], until=10, step=1e-3, u=[0.25])
print(motion.q[-1])
