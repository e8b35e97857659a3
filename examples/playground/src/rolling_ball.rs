//! A ball that rolls in a bowl.

use lagrangian::nalgebra::{ComplexField, SVector, Vector3, Vector5};
use lagrangian::{System, lagrangian, vector};

use crate::play::{Handle, Model};

lagrangian! {
    /// A ball rolls without slipping in a bowl, half of a hollow sphere, that spins about its upright axis.
    #[derive(Clone, Debug)]
    pub struct RollingBall {
        /// The position of the ball's centre, seen from above [m].
        x, y: coordinate,
        /// The attitude of the ball.
        attitude: rotation,
        /// Radius of the bowl and of the ball [m].
        bowl, r: parameter,
        m: parameter,
        /// The moment of inertia over m r^2: 0.4 of a solid ball, 2/3 of a hollow one.
        fill: parameter,
        /// The angular velocity of the bowl [rad/s].
        spin: parameter,
        g: parameter,
        /// Resistance to turning beside the bowl [N m s].
        friction: parameter,
        /// The point at which the hand holds the ball, in its axes [m].
        grip: parameter[3],
        /// The hand's pull there [N].
        pull: input[3],
    }

    // It is on the sphere that is smaller than the bowl by the ball's radius.
    let reach = bowl - r;
    pub let middle = [x, y, -sqrt(reach^2 - x^2 - y^2)];
    pub frame Ball = world.translate(middle).rotate(attitude);
    let inertia = fill * m * r^2;
    body { frame: Ball, mass: m, inertia: diag(inertia, inertia, inertia) }
    gravity [0, 0, -g];
    force pull at Ball.point(grip);

    // At the contact point ball and bowl have the same velocity. Both move along the bowl there, so two rows are
    // enough.
    let contact = middle * bowl / reach;
    let turning = angular_velocity(Ball);
    let slip = velocity(Ball) + cross(turning, contact - middle) - spin * [-contact.y, contact.x, 0];
    nonholonomic roll_x: slip.x = 0;
    nonholonomic roll_y: slip.y = 0;
    D = friction * (turning - [0, 0, spin])^2 / 2;
}

/// The largest distance of the ball from the axis, as a fraction of that at the rim, where x and y no longer determine
/// the height.
const RIM: f64 = 0.97;

impl Model<6, 5, 3, 2> for RollingBall {
    fn with(parameters: &[f64; 16]) -> Self {
        let [bowl, r, m, fill, spin, g, friction, x, y, z, ..] = *parameters;
        Self {
            bowl,
            r,
            m,
            fill,
            spin,
            g,
            friction,
            grip: [x, y, z],
        }
    }

    fn start(&self) -> (SVector<f64, 6>, Vector5<f64>) {
        let mut q = System::neutral(self);
        let reach = self.bowl - self.r;
        q[0] = 0.75 * reach;
        // The spin follows from the velocity of the centre, by projection.
        let along = 0.35 * ComplexField::sqrt(self.g * reach);
        (q, vector![0.0, along, 0.0, 0.0, 0.0])
    }

    fn weight(&self, _number: usize) -> f64 {
        self.m
    }

    /// The point that the hand holds.
    fn handle(&self, _number: usize, q: &SVector<f64, 6>, v: &Vector5<f64>) -> Handle {
        let pose = self.Ball(q);
        let arm = pose.rotation * Vector3::from(self.grip);
        let motion = self.Ball_velocity(q, v);
        let turning = motion.fixed_rows::<3>(3).into_owned();
        Handle {
            place: pose.origin + arm,
            velocity: motion.fixed_rows::<3>(0) + turning.cross(&arm),
        }
    }

    fn pull(_number: usize, force: Vector3<f64>, u: &mut SVector<f64, 3>) {
        *u = force;
    }

    fn is_inside(&self, q: &SVector<f64, 6>) -> bool {
        let out = q.fixed_rows::<2>(0).norm();
        out < RIM * (self.bowl - self.r)
    }

    fn potential(&self, q: &SVector<f64, 6>) -> f64 {
        self.potential_energy(q)
    }

    /// The middle, the three axes as columns, and the place of the hand.
    fn points(&self, q: &SVector<f64, 6>) -> [f64; 18] {
        let mut points = [0.0; 18];
        let pose = self.Ball(q);
        points[..3].copy_from_slice(pose.origin.as_slice());
        points[3..12].copy_from_slice(pose.rotation.as_slice());
        let held = self.handle(0, q, &Vector5::zeros()).place;
        points[12..15].copy_from_slice(held.as_slice());
        points
    }
}
