//! A cart that balances a pole.

use core::f64::consts::TAU;

// Without the standard library this trait provides the functions of floats.
#[allow(unused_imports)]
use lagrangian::nalgebra::ComplexField;
use lagrangian::nalgebra::{Matrix4, SVector, Vector2, Vector3, Vector4};
use lagrangian::{dlqr, lagrangian, matrix, vector};

use crate::memory::MEMORY;
use crate::play::{Handle, Model};

lagrangian! {
    /// A cart on a track carries a pole with a bob at its end.
    #[derive(Clone, Debug)]
    pub struct CartPole {
        /// Position of the cart along the track [m].
        x: coordinate,
        /// Angle of the pole from upright [rad].
        theta: coordinate,
        /// Masses of the cart and of the bob [kg].
        m_c, m_p: parameter,
        /// Length of the pole [m].
        l: parameter,
        g: parameter,
        /// Friction of the cart on its track [N s/m] and in the hinge [N m s].
        drag, hinge: parameter,
        /// Pulls by hand on the cart and on the bob [N].
        on_cart, on_bob: input[2],
        /// Force of the motor on the cart [N].
        u: input,
    }

    pub let cart = [x, 0];
    pub let bob = cart + l * [sin(theta), cos(theta)];

    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    D = drag * der(x)^2 / 2 + hinge * der(theta)^2 / 2;
    Q.x = u;
    force on_cart at cart;
    force on_bob at bob;
}

/// The weights of x, theta and their rates in the integral that the feedback minimises, relative to u^2.
const WEIGHTS: [f64; 4] = [20.0, 50.0, 5.0, 5.0];
/// The sampling period of the feedback.
const PERIOD: f64 = 0.01;
/// The angle from upright at which the feedback takes over [rad].
const CATCH: f64 = 0.5;
/// The motor's strength per mass [m/s^2], and how fast it swings the pole.
const MOST: f64 = 60.0;
const PUMP: f64 = 1.5;

/// The same angle between -pi and pi.
fn within_a_turn(angle: f64) -> f64 {
    let turns = angle / TAU;
    // Without the standard library there is no `round`.
    let whole = (turns + 0.5_f64.copysign(turns)) as i64;
    angle - TAU * whole as f64
}

impl CartPole {
    /// The force that swings the pole up: the energy E of a pole on a cart with the acceleration a, less that of rest
    /// upright, changes by -m l a cos(theta) theta'.
    fn swing(&self, q: &Vector2<f64>, v: &Vector2<f64>) -> f64 {
        let (sin, cos) = q.y.sin_cos();
        let missing = v.y * v.y * self.l / (2.0 * self.g) + cos - 1.0;
        // The formula below would not move a pole that hangs at rest.
        let hangs = v.norm() < 1e-3 && sin.abs() < 1e-3;
        let nudge = if hangs { 0.1 * self.g } else { 0.0 };
        let pump = PUMP * missing * cos * v.y * (self.l * self.g).sqrt();
        let a = (pump + nudge).clamp(-self.g, self.g) - q.x - v.x;
        // The force under which the cart has this acceleration.
        let turning = (self.g * sin - a * cos) / self.l;
        self.inverse_dynamics(q, v, &vector![a, turning]).x
    }

    /// The gains K of the feedback u = -K [q; v] once a period, for the motion close to upright.
    fn gains(&self) -> Option<Vector4<f64>> {
        let rest = (Vector2::zeros(), Vector2::zeros());
        let upright = self.linearize(&rest.0, &rest.1, &SVector::zeros()).ok()?;
        let motor: Vector4<f64> = upright.b.column(4).into();
        let ah = upright.a * PERIOD;
        // Over a period, to third order.
        let a = Matrix4::identity() + ah + ah * ah / 2.0 + ah * ah * ah / 6.0;
        let b = (motor + ah * motor / 2.0 + ah * ah * motor / 6.0) * PERIOD;
        let weights = Matrix4::from_diagonal(&Vector4::from(WEIGHTS)) * PERIOD;
        let feedback = dlqr(&a, &b, &weights, &matrix![PERIOD]).ok()?;
        Some(feedback.gain.transpose())
    }
}

impl Model<2, 2, 5, 0> for CartPole {
    fn with(&[m_c, m_p, l, g, drag, hinge, ..]: &[f64; 16]) -> Self {
        Self {
            m_c,
            m_p,
            l,
            g,
            drag,
            hinge,
        }
    }

    fn start(&self) -> (Vector2<f64>, Vector2<f64>) {
        (vector![-0.6, 0.3], vector![0.0, 0.0])
    }

    fn weight(&self, number: usize) -> f64 {
        if number == 0 {
            self.m_c + self.m_p
        } else {
            self.m_p
        }
    }

    fn handle(&self, number: usize, q: &Vector2<f64>, v: &Vector2<f64>) -> Handle {
        match number {
            0 => Handle::flat(self.cart(q), self.cart_rate(q, v)),
            _ => Handle::flat(self.bob(q), self.bob_rate(q, v)),
        }
    }

    fn pull(number: usize, force: Vector3<f64>, u: &mut SVector<f64, 5>) {
        let first = if number == 0 { 0 } else { 2 };
        u.fixed_rows_mut::<2>(first).copy_from(&force.xy());
    }

    /// The feedback if it is on; before that, swings that bring the energy of the pole to that of rest upright.
    fn drive(&self, (q, v): (&Vector2<f64>, &Vector2<f64>), u: &mut SVector<f64, 5>) {
        let [balances, ..] = MEMORY.settings.get();
        if balances == 0.0 {
            return;
        }
        let theta = within_a_turn(q.y);
        let force = if theta.abs() < CATCH {
            let state = vector![q.x, theta, v.x, v.y];
            -Vector4::from(MEMORY.gains.get()).dot(&state)
        } else {
            self.swing(q, v)
        };
        let most = MOST * (self.m_c + self.m_p);
        u[4] = force.clamp(-most, most);
    }

    fn tune(&self) {
        if let Some(gains) = self.gains() {
            MEMORY.gains.set(gains.as_slice());
        }
    }

    fn potential(&self, q: &Vector2<f64>) -> f64 {
        self.potential_energy(q)
    }

    fn points(&self, q: &Vector2<f64>) -> [f64; 18] {
        let mut points = [0.0; 18];
        let (cart, bob) = (self.cart(q), self.bob(q));
        points[..4].copy_from_slice(&[cart.x, cart.y, bob.x, bob.y]);
        points
    }
}
