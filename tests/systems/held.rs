//! Motion on constraints, for systems of any kind.

use lagrangian::nalgebra::SVector;
use lagrangian::{Error, System};

use crate::support::State;

/// The state moved onto the constraints.
pub(crate) fn projected<M, const N: usize, const K: usize, const C: usize>(
    system: &M,
    at: &State<N>,
) -> Result<State<N>, Error>
where
    M: System<f64, N, N, K, C>,
{
    let (q, v) = system.project(at.t, &at.q, &at.v, &SVector::zeros())?;
    Ok(State { t: at.t, q, v })
}

/// The states without inputs after 0, 1, .. `steps` steps, as integration leaves them.
pub(crate) fn drifting<M, const N: usize, const K: usize, const C: usize>(
    system: &M,
    start: State<N>,
    h: f64,
    steps: usize,
) -> impl Iterator<Item = State<N>>
where
    M: System<f64, N, N, K, C>,
{
    start.trajectory(h, steps, |s| {
        let a = system.acceleration(s.t, &s.q, &s.v, &SVector::zeros());
        a.expect("a regular system")
    })
}

/// The same with a projection after each step.
pub(crate) fn held<M, const N: usize, const K: usize, const C: usize>(
    system: &M,
    start: State<N>,
    h: f64,
    steps: usize,
) -> impl Iterator<Item = State<N>>
where
    M: System<f64, N, N, K, C>,
{
    let mut next = projected(system, &start);
    (0..=steps).map(move |_| {
        let now = next.expect("the state is near the constraints");
        let moved = drifting(system, now, h, 1).last().expect("one step");
        next = projected(system, &moved);
        now
    })
}

/// How much a state violates the constraints: the largest residual, and the largest velocity off
/// them.
pub(crate) fn violation<M, const N: usize, const K: usize, const C: usize>(
    system: &M,
    at: &State<N>,
) -> (f64, f64)
where
    M: System<f64, N, N, K, C>,
{
    let u = SVector::zeros();
    let residual = system.constraint_residual(at.t, &at.q, &at.v, &u);
    let velocity = system.constraint_velocity(at.t, &at.q, &at.v, &u);
    (residual.amax(), velocity.amax())
}

#[track_caller]
pub(crate) fn assert_held<M, const N: usize, const K: usize, const C: usize>(
    system: &M,
    at: &State<N>,
) where
    M: System<f64, N, N, K, C>,
{
    let (residual, velocity) = violation(system, at);
    let t = at.t;
    assert!(residual < 1e-12, "the residual at {t} is {residual:e}");
    assert!(
        velocity < 1e-12,
        "the velocity at {t} is off by {velocity:e}"
    );
}

/// At states scattered around one: constraints that do not depend on time do no work.
#[track_caller]
pub(crate) fn assert_workless<M, const N: usize, const K: usize, const C: usize>(
    system: &M,
    near: &State<N>,
) where
    M: System<f64, N, N, K, C>,
{
    let mut random = Random(N as u64 + 1);
    for _ in 0..20 {
        let scattered = State {
            t: near.t,
            q: near.q.map(|x| x + 0.2 * random.next()),
            v: near.v.map(|x| x + random.next()),
        };
        let State { t, q, v } = projected(system, &scattered).expect("constraints that can be met");
        let forces = system.constraint_forces(t, &q, &v, &SVector::zeros());
        let forces = forces.expect("a regular system");
        let size = forces.norm() * v.norm();
        assert!(size > 0.0, "nothing moves, or nothing is held");
        let power = forces.dot(&v) / size;
        assert!(power.abs() < 1e-12, "the power by size is {power:e}");
    }
}

/// From states far off the constraints: the projection meets them, or reports the residual.
#[track_caller]
pub(crate) fn assert_lands<M, const N: usize, const K: usize, const C: usize>(
    system: &M,
    near: &State<N>,
) where
    M: System<f64, N, N, K, C>,
{
    let mut random = Random(N as u64 + 2);
    let mut landed = 0;
    for _ in 0..50 {
        let far = State {
            t: near.t,
            q: near.q.map(|x| x + 3.0 * random.next()),
            v: near.v.map(|x| x + 3.0 * random.next()),
        };
        match projected(system, &far) {
            Ok(state) => {
                let (residual, velocity) = violation(system, &state);
                assert!(residual < 1e-12, "landed {residual:e} off: {}", far.q);
                assert!(
                    velocity < 1e-11,
                    "landed moving off by {velocity:e}: {}",
                    far.q
                );
                landed += 1;
            }
            Err(Error::NotConverged { residual }) => {
                assert!(
                    residual > 1e-9 && residual.is_finite(),
                    "{residual:e} remains"
                );
            }
            Err(other) => panic!("{other} at {}", far.q),
        }
    }
    assert!(landed > 25, "only {landed} of 50 landed");
}

/// Numbers between -1 and 1 by a linear congruential generator (Knuth's MMIX).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
