//! A four-bar linkage with a motor.

use lagrangian::nalgebra::{SVector, Vector3};
use lagrangian::{lagrangian, vector};

use crate::memory::MEMORY;
use crate::play::{Handle, Model};

lagrangian! {
    /// Three bars and the ground between two pivots: the crank turns, the rocker swings, and the coupler joins them,
    /// from the end of the crank over the end of the rocker out to its tip.
    #[derive(Clone, Debug)]
    pub struct FourBar {
        /// Angles of the bars from the line of the pivots [rad].
        crank, coupler, rocker: coordinate,
        /// Length of the crank, half of that of the coupler, that of the rocker, distance of the pivots [m].
        a, b, c, d: parameter,
        /// Mass of the bars per length [kg/m].
        density: parameter,
        /// Moment of inertia of the flywheel on the crank [kg m^2].
        flywheel: parameter,
        g: parameter,
        /// Friction in the two pivots [N m s].
        friction: parameter,
        /// Pulls by hand on the crank's end, on the rocker's and on the tip [N].
        on_elbow, on_middle, on_tip: input[2],
        /// Torque of the motor on the crank [N m].
        torque: input,
    }

    let half_coupler = b * [cos(coupler), sin(coupler)];
    let rocker_arm = c * [cos(rocker), sin(rocker)];
    let pivot = [d, 0];
    pub let elbow = a * [cos(crank), sin(crank)];
    pub let middle = elbow + half_coupler;
    pub let tip = middle + half_coupler;
    pub let rocker_end = pivot + rocker_arm;

    holonomic loop_closure: middle = rocker_end;

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
    D = friction * (der(crank)^2 + der(rocker)^2) / 2;
    Q.crank = torque;
    force on_elbow at elbow;
    force on_middle at middle;
    force on_tip at tip;
}

/// The motor's torque per missing speed [N m s].
const GAIN: f64 = 3.0;

impl Model<3, 3, 7, 2> for FourBar {
    fn with(&[a, b, c, d, density, flywheel, g, friction, ..]: &[f64; 16]) -> Self {
        Self {
            a,
            b,
            c,
            d,
            density,
            flywheel,
            g,
            friction,
        }
    }

    fn start(&self) -> (Vector3<f64>, Vector3<f64>) {
        (vector![0.0, 1.3, 1.8], vector![0.0, 0.0, 0.0])
    }

    fn weight(&self, _number: usize) -> f64 {
        self.density * (self.a + 2.0 * self.b + self.c)
    }

    fn handle(&self, number: usize, q: &Vector3<f64>, v: &Vector3<f64>) -> Handle {
        match number {
            0 => Handle::flat(self.elbow(q), self.elbow_rate(q, v)),
            1 => Handle::flat(self.middle(q), self.middle_rate(q, v)),
            _ => Handle::flat(self.tip(q), self.tip_rate(q, v)),
        }
    }

    fn pull(number: usize, force: Vector3<f64>, u: &mut SVector<f64, 7>) {
        let first = match number {
            0 => 0,
            1 => 2,
            _ => 4,
        };
        u.fixed_rows_mut::<2>(first).copy_from(&force.xy());
    }

    /// Controls the speed of the crank, if the motor is on.
    fn drive(&self, (_, v): (&Vector3<f64>, &Vector3<f64>), u: &mut SVector<f64, 7>) {
        let [on, speed, ..] = MEMORY.settings.get();
        u[6] = on * GAIN * (speed - v.x);
    }

    fn potential(&self, q: &Vector3<f64>) -> f64 {
        self.potential_energy(q)
    }

    fn points(&self, q: &Vector3<f64>) -> [f64; 18] {
        let mut points = [0.0; 18];
        let ends = [
            self.elbow(q),
            self.middle(q),
            self.tip(q),
            self.rocker_end(q),
        ];
        for (pair, end) in points.chunks_exact_mut(2).zip(ends) {
            pair.copy_from_slice(end.as_slice());
        }
        points
    }
}
