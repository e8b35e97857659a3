//! The actions of the page on any of the systems: start, step, pull.

use lagrangian::nalgebra::{SVector, Vector3};
use lagrangian::{Baumgarte, Error, System, rk4_step};

use crate::memory::{MEMORY, Memory};

/// The longest step of the integrator [s].
const STEP: f64 = 1.0 / 960.0;
/// The spring of the hand, and its damper, per mass that it holds [1/s^2, 1/s].
const HAND: f64 = 150.0;
const DAMPING: f64 = 17.0;
/// The gains of the stabilisation.
const BAUMGARTE: f64 = 0.05;

/// A point of a body that a hand can hold, and its velocity.
#[derive(Clone, Copy)]
pub(crate) struct Handle {
    pub(crate) place: Vector3<f64>,
    pub(crate) velocity: Vector3<f64>,
}

impl Handle {
    /// In the plane of the page.
    pub(crate) fn flat(place: SVector<f64, 2>, velocity: SVector<f64, 2>) -> Self {
        let lifted = |p: SVector<f64, 2>| Vector3::new(p.x, p.y, 0.0);
        Self {
            place: lifted(place),
            velocity: lifted(velocity),
        }
    }
}

/// The interface of a system to the page, besides its equations.
pub(crate) trait Model<const NQ: usize, const N: usize, const K: usize, const C: usize>:
    System<f64, NQ, N, K, C>
{
    /// The system with these parameters, in order of declaration.
    fn with(parameters: &[f64; 16]) -> Self;

    /// Its initial state; constraints need to hold only roughly.
    fn start(&self) -> (SVector<f64, NQ>, SVector<f64, N>);

    /// The mass that moves with a point [kg]: it determines the strength of the hand.
    fn weight(&self, number: usize) -> f64;

    /// The point of that number.
    fn handle(&self, number: usize, q: &SVector<f64, NQ>, v: &SVector<f64, N>) -> Handle;

    /// Adds a force at a point of [`handle`](Self::handle) to the inputs.
    fn pull(number: usize, force: Vector3<f64>, u: &mut SVector<f64, K>);

    /// Adds the inputs of the motor.
    fn drive(&self, _state: (&SVector<f64, NQ>, &SVector<f64, N>), _u: &mut SVector<f64, K>) {}

    /// Prepares the motor for other parameters.
    fn tune(&self) {}

    /// Returns whether its equations hold at this position.
    fn is_inside(&self, _q: &SVector<f64, NQ>) -> bool {
        true
    }

    fn potential(&self, q: &SVector<f64, NQ>) -> f64;

    /// The data for drawing: points, and other numbers for the page.
    fn points(&self, q: &SVector<f64, NQ>) -> [f64; 18];
}

/// The reason why a motion ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stop {
    /// The equations have no solution.
    Equations(Error),
    /// It is at a position where they do not hold.
    Left,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Equations(error)
    }
}

/// The treatment of the constraints, whose second derivatives the equations enforce.
#[derive(Clone, Copy, PartialEq)]
enum Drift {
    Projected,
    Stabilised,
    Free,
}

impl Drift {
    fn asked(memory: &Memory) -> Self {
        match memory.settings.get()[3] {
            1.0 => Self::Stabilised,
            2.0 => Self::Free,
            _ => Self::Projected,
        }
    }
}

/// A system and its state.
struct Player<M, const NQ: usize, const N: usize, const K: usize, const C: usize> {
    model: M,
    q: SVector<f64, NQ>,
    v: SVector<f64, N>,
    /// The inputs of the last step.
    u: SVector<f64, K>,
    drift: Drift,
    /// The energy of the start, or after a change by the page [J].
    reference: f64,
    /// The work of inputs, friction and moving constraints since then [J].
    work: f64,
    /// The force of the hand in the last step [N].
    force: Vector3<f64>,
}

/// Systems by number, with their state in the memory.
pub(crate) fn start<M, const NQ: usize, const N: usize, const K: usize, const C: usize>()
-> Result<(), Stop>
where
    M: Model<NQ, N, K, C>,
{
    let model = M::with(&MEMORY.parameters.get());
    let (q, v) = model.start();
    Player::<M, NQ, N, K, C>::new(model, q, v)
        .adapted()?
        .store();
    Ok(())
}

/// Continues from the state in the memory with the parameters there.
pub(crate) fn adapt<M, const NQ: usize, const N: usize, const K: usize, const C: usize>()
-> Result<(), Stop>
where
    M: Model<NQ, N, K, C>,
{
    Player::<M, NQ, N, K, C>::load().adapted()?.store();
    Ok(())
}

/// Continues for a time [s].
pub(crate) fn advance<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    time: f64,
) -> Result<(), Stop>
where
    M: Model<NQ, N, K, C>,
{
    let mut player = Player::<M, NQ, N, K, C>::load();
    // At least one, and enough for a page that was late.
    let steps = (time / (2.0 * STEP)) as u32 + 1;
    let h = time / f64::from(steps);
    for _ in 0..steps {
        player.step(h)?;
    }
    player.store();
    Ok(())
}

impl<M, const NQ: usize, const N: usize, const K: usize, const C: usize> Player<M, NQ, N, K, C>
where
    M: Model<NQ, N, K, C>,
{
    fn new(model: M, q: SVector<f64, NQ>, v: SVector<f64, N>) -> Self {
        Self {
            model,
            q,
            v,
            u: SVector::zeros(),
            drift: Drift::asked(&MEMORY),
            reference: 0.0,
            work: 0.0,
            force: Vector3::zeros(),
        }
    }

    fn load() -> Self {
        let (q, v) = (MEMORY.coordinates.get(), MEMORY.velocities.get());
        let [_, reference, work, ..] = MEMORY.report.get();
        let model = M::with(&MEMORY.parameters.get());
        let mut player = Self::new(
            model,
            SVector::from_iterator(q.into_iter().take(NQ)),
            SVector::from_iterator(v.into_iter().take(N)),
        );
        (player.reference, player.work) = (reference, work);
        player
    }

    /// The state on the constraints, with its energy as the reference.
    fn adapted(mut self) -> Result<Self, Stop> {
        self.model.tune();
        self.stay_inside()?;
        if C > 0 {
            (self.q, self.v) = self.model.project(0.0, &self.q, &self.v, &self.u)?;
        }
        // Before the state is stored, a step from it must be possible.
        self.model.acceleration(0.0, &self.q, &self.v, &self.u)?;
        self.reference = self.energy();
        self.work = 0.0;
        Ok(self)
    }

    /// A step of the length h, as two of the integrator, so that Simpson's rule has a middle.
    fn step(&mut self, h: f64) -> Result<(), Stop> {
        self.act();
        let first = self.power()?;
        self.integrate(h / 2.0)?;
        let middle = self.power()?;
        self.integrate(h / 2.0)?;
        let last = self.power()?;
        self.work += h / 6.0 * (first + 4.0 * middle + last);
        self.stay_inside()
    }

    fn stay_inside(&self) -> Result<(), Stop> {
        if self.model.is_inside(&self.q) {
            Ok(())
        } else {
            Err(Stop::Left)
        }
    }

    /// Hand and motor, constant for a step.
    fn act(&mut self) {
        let [number, grip, x, y, z, push @ ..] = MEMORY.pull.get();
        let number = number as usize;
        let handle = self.model.handle(number, &self.q, &self.v);
        let spring = (Vector3::new(x, y, z) - handle.place) * HAND - handle.velocity * DAMPING;
        self.force = (spring * grip + Vector3::from(push)) * self.model.weight(number);
        self.u = SVector::zeros();
        M::pull(number, self.force, &mut self.u);
        self.model.drive((&self.q, &self.v), &mut self.u);
    }

    fn integrate(&mut self, h: f64) -> Result<(), Error> {
        let Self { model, q, v, u, .. } = self;
        let (q, v) = if C > 0 && self.drift == Drift::Stabilised {
            let stabilised = Baumgarte {
                system: model,
                alpha: BAUMGARTE,
                beta: BAUMGARTE,
                step: h,
            };
            rk4_step(&stabilised, 0.0, q, v, u, h)?
        } else {
            rk4_step(model, 0.0, q, v, u, h)?
        };
        (self.q, self.v) = if C > 0 && self.drift == Drift::Projected {
            self.model.project(0.0, &q, &v, u)?
        } else {
            (q, v)
        };
        Ok(())
    }

    /// The power of all forces that are not in T + V [W].
    fn power(&self) -> Result<f64, Error> {
        let Self { model, q, v, u, .. } = self;
        let mut forces = model.generalized_forces(0.0, q, v, u);
        if C > 0 {
            forces += model.constraint_forces(0.0, q, v, u)?;
        }
        Ok(forces.dot(v))
    }

    fn energy(&self) -> f64 {
        self.model.energy(0.0, &self.q, &self.v, &self.u)
    }

    fn store(&self) {
        let Self { model, q, v, u, .. } = self;
        let energy = self.energy();
        let gap = model.constraint_residual(0.0, q, v, u).norm();
        let slip = model.constraint_velocity(0.0, q, v, u).norm();
        MEMORY.coordinates.set(q.as_slice());
        MEMORY.velocities.set(v.as_slice());
        let error = energy - self.reference - self.work;
        let potential = model.potential(q);
        let force = self.force;
        MEMORY.report.set(&[
            energy,
            self.reference,
            self.work,
            error,
            potential,
            gap,
            slip,
            force.x,
            force.y,
            force.z,
        ]);
        MEMORY.points.set(&model.points(q));
    }
}
