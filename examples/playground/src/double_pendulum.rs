//! A double pendulum.

use lagrangian::nalgebra::{SVector, Vector2, Vector3};
use lagrangian::{lagrangian, vector};

use crate::play::{Handle, Model};

lagrangian! {
    /// Two bobs on light rods, one hung below the other.
    #[derive(Clone, Debug)]
    pub struct DoublePendulum {
        /// Angles of the rods from hanging [rad].
        a, b: coordinate,
        /// Masses of the bobs [kg].
        m1, m2: parameter,
        /// Lengths of the rods [m].
        l1, l2: parameter,
        g: parameter,
        /// Friction in the joints [N m s].
        friction: parameter,
        /// Pulls by hand on the bobs [N].
        on_elbow, on_bob: input[2],
    }

    pub let elbow = l1 * [sin(a), -cos(a)];
    pub let bob = elbow + l2 * [sin(b), -cos(b)];

    T = m1 * der(elbow)^2 / 2 + m2 * der(bob)^2 / 2;
    V = m1 * g * elbow.y + m2 * g * bob.y;
    D = friction * (der(a)^2 + (der(b) - der(a))^2) / 2;
    force on_elbow at elbow;
    force on_bob at bob;
}

impl Model<2, 2, 4, 0> for DoublePendulum {
    fn with(&[m1, m2, l1, l2, g, friction, ..]: &[f64; 16]) -> Self {
        Self {
            m1,
            m2,
            l1,
            l2,
            g,
            friction,
        }
    }

    fn start(&self) -> (Vector2<f64>, Vector2<f64>) {
        (vector![2.0, 2.5], vector![0.0, 0.0])
    }

    fn weight(&self, number: usize) -> f64 {
        if number == 0 {
            self.m1 + self.m2
        } else {
            self.m2
        }
    }

    fn handle(&self, number: usize, q: &Vector2<f64>, v: &Vector2<f64>) -> Handle {
        match number {
            0 => Handle::flat(self.elbow(q), self.elbow_rate(q, v)),
            _ => Handle::flat(self.bob(q), self.bob_rate(q, v)),
        }
    }

    fn pull(number: usize, force: Vector3<f64>, u: &mut SVector<f64, 4>) {
        let first = if number == 0 { 0 } else { 2 };
        u.fixed_rows_mut::<2>(first).copy_from(&force.xy());
    }

    fn potential(&self, q: &Vector2<f64>) -> f64 {
        self.potential_energy(q)
    }

    fn points(&self, q: &Vector2<f64>) -> [f64; 18] {
        let mut points = [0.0; 18];
        let (elbow, bob) = (self.elbow(q), self.bob(q));
        points[..4].copy_from_slice(&[elbow.x, elbow.y, bob.x, bob.y]);
        points
    }
}
