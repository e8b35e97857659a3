use lagrangian::{lagrangian, vector};

lagrangian! {
/// A closed loop: three bars and the ground between two pivots. The motor turns the crank, the rocker swings, and the
/// coupler joins them, out to its tip. Two constraints close the loop.
struct FourBar {
    /// Angles of the bars from the line of the pivots.
    crank, coupler, rocker: coordinate [rad],
    /// Length of the crank, half of that of the coupler, that of the rocker, distance of the pivots.
    a: parameter [m] = 0.2,
    b: parameter [m] = 0.5,
    c: parameter [m] = 0.5,
    d: parameter [m] = 0.4,
    /// Mass of the bars per length.
    density: parameter [kg/m] = 1,
    /// Moment of inertia of the flywheel on the crank.
    flywheel: parameter [kg*m^2] = 0.1,
    g: parameter [m/s^2] = 9.81,
    /// Torque of the motor per missing speed, and its speed.
    gain: parameter [N*m*s] = 3,
    speed: parameter [rad/s] = 4.5,
}

let half_coupler = b * [cos(coupler), sin(coupler)];
let rocker_arm = c * [cos(rocker), sin(rocker)];
pub let pivot = [d, 0];
pub let elbow = a * [cos(crank), sin(crank)];
pub let middle = elbow + half_coupler;
pub let tip = middle + half_coupler;

holonomic closure: middle = pivot + rocker_arm;

let m_crank = density * a;
let m_coupler = density * 2 * b;
let m_rocker = density * c;
let crank_middle = elbow / 2;
let rocker_middle = pivot + rocker_arm / 2;
T = m_crank * (der(crank_middle)^2 + a^2 / 12 * der(crank)^2) / 2;
T += m_coupler * (der(middle)^2 + (2 * b)^2 / 12 * der(coupler)^2) / 2;
T += m_rocker * (der(rocker_middle)^2 + c^2 / 12 * der(rocker)^2) / 2;
T += flywheel * der(crank)^2 / 2;
V = g * (m_crank * crank_middle.y + m_coupler * middle.y + m_rocker * rocker_middle.y);
Q.crank = gain * (speed - der(crank));
}

fn main() -> Result<(), lagrangian::Error> {
    let system = FourBar {
        a: 0.2,
        b: 0.5,
        c: 0.5,
        d: 0.4,
        density: 1.0,
        flywheel: 0.1,
        g: 9.81,
        gain: 3.0,
        speed: 4.5,
    };
    let q = vector![0.039800104026843884, 1.329378167868297, 1.7327401191600134];
    let v = vector![0.0, 0.0, 0.0];
    println!("{}", system.acceleration(&q, &v)?);
    Ok(())
}
