"""Declarations that several tests read."""

CART_POLE = """
/// A cart that carries an inverted pendulum.
pub struct CartPole {
    /// Position of the cart along the track.
    x: coordinate,
    /// Angle of the pole from upright.
    theta: coordinate,
    /// Mass of the cart.
    m_c: parameter,
    m_p, l: parameter,
    g: parameter = 9.81,
    /// Horizontal force on the cart.
    u: input,
}
/// Place of the bob.
pub let bob = [x + l * sin(theta), l * cos(theta)];
T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
V = m_p * g * bob.y;
Q.x = u;
"""

ROD = """
struct Rod { r: coordinate[2], m: parameter }
T = m * der(r)^2 / 2;
V = 9.81 * m * r.y;
holonomic rod: r^2 = 1;
"""

DRIVEN = """
struct Driven { a: coordinate, t: time, l, c: parameter }
let p = [l * sin(a), cos(3 * t) - l * cos(a)];
T = der(p)^2 / 2;
V = 9.81 * p.y;
D = c * der(a)^2 / 2;
"""

DRIVE = """
struct Drive { q: coordinate, i: state, j, l, r, k: parameter, u: input }
T = j * der(q)^2 / 2;
der(i) = (u - r * i - k * der(q)) / l;
Q.q = k * i;
"""

TOP = """
struct Top { att: rotation, i: parameter[3] }
pub frame body = world.rotate(att);
body { frame: body, inertia: diag(i) }
"""

POINTS = """
struct Points { x, y: coordinate, m: parameter[2] }
T = m[0] * der(x)^2 / 2 + m[1] * der(y)^2 / 2;
pub frame hand = world.translate([x, y, 0]).rotate(z, x);
bundle both { mass_matrix, hand }
"""

BALL = """
struct Ball { y: coordinate, m: parameter }
T = m * der(y)^2 / 2;
V = 9.81 * m * y;
contact floor: y >= 0;
"""
