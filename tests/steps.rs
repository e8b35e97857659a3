//! `rk4_step`: its order, on coordinates and on rotations, with time, inputs and constraints; its invariants, and the
//! arguments that it refuses; its derivatives. `rk4_step_unchecked`: each lane is a step of its own.

#[path = "steps/derivatives.rs"]
mod derivatives;
#[path = "rotations/support.rs"]
#[allow(dead_code)]
mod support;

use lagrangian::nalgebra::{SVector, Vector3, Vector4, vector};
use lagrangian::{Baumgarte, Error, System, Unchecked, lagrangian, rk4_step, rk4_step_unchecked};
use simba::simd::{SimdValue, WideF64x4};
use support::{Random, assert_close};

/// The state after `steps` steps that end at the time `end`.
fn after<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    (mut q, mut v): (SVector<f64, NQ>, SVector<f64, N>),
    u: &SVector<f64, K>,
    (end, steps): (f64, u32),
) -> (SVector<f64, NQ>, SVector<f64, N>)
where
    M: System<f64, NQ, N, K, C>,
{
    let h = end / f64::from(steps);
    for step in 0..steps {
        let t = h * f64::from(step);
        (q, v) = rk4_step(system, t, &q, &v, u, h).expect("a regular system");
    }
    (q, v)
}

/// Halving the step divides the error by sixteen.
#[track_caller]
fn assert_fourth_order<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    start: (SVector<f64, NQ>, SVector<f64, N>),
    u: &SVector<f64, K>,
    (end, steps): (f64, u32),
) where
    M: System<f64, NQ, N, K, C>,
{
    let exact = after(system, start, u, (end, 32 * steps));
    let error = |steps: u32| {
        let (q, v) = after(system, start, u, (end, steps));
        let displacement = system.difference(&exact.0, &q);
        displacement.norm().max((v - exact.1).norm())
    };
    let errors = [steps, 2 * steps, 4 * steps].map(error);
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((12.0..21.0).contains(&ratio), "{ratio} of {errors:?}");
    }
    assert!(errors[0] < 1e-2 && errors[2] > 1e-13, "{errors:?}");
}

const NONE: SVector<f64, 0> = SVector::from_array_storage(lagrangian::nalgebra::ArrayStorage([[]]));

lagrangian! {
    struct FreeBody { att: rotation, i: parameter[3] }
    body { frame: world.rotate(att), inertia: diag(i) }
}

const BODY: FreeBody = FreeBody { i: [0.3, 0.5, 0.7] };

fn tumbling() -> (Vector4<f64>, Vector3<f64>) {
    let start = Vector4::new(0.1, -0.5, 0.5, 0.7).normalize();
    (start, vector![1.3, -0.4, 2.1])
}

#[test]
fn order_on_a_free_body() {
    assert_fourth_order(&BODY, tumbling(), &NONE, (1.5, 15));
}

/// One step against the exact motion: an error of fifth order, so that no stage is turned about a wrong
/// axis.
#[test]
fn order_of_one_step_on_a_free_body() {
    let (q, v) = tumbling();
    let error = |h: f64| {
        let exact = after(&BODY, (q, v), &NONE, (h, 200));
        let (moved, _) = rk4_step(&BODY, 0.0, &q, &v, &NONE, h).unwrap();
        BODY.difference(&exact.0, &moved).norm()
    };
    let ratio = error(0.2) / error(0.1);
    assert!((26.0..40.0).contains(&ratio), "{ratio}");
}

#[test]
fn a_steady_turn_is_exact() {
    let (mut q, v) = (BODY.neutral(), vector![0.0, 0.0, 2.0]);
    for _ in 0..50 {
        q = rk4_step(&BODY, 0.0, &q, &v, &NONE, 0.1).unwrap().0;
    }
    let angle = 10.0_f64;
    let expected = vector![0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()];
    assert!((q - expected).norm() < 1e-14 || (q + expected).norm() < 1e-14);
}

/// A minute: the quaternion stays of unit length, and the energy is that of the start.
#[test]
fn rotations_stay_rotations() {
    let (start, spin) = tumbling();
    let (q, v) = after(&BODY, (start, spin), &NONE, (60.0, 12_000));
    assert!((q.norm() - 1.0).abs() < 1e-15);
    let energy = BODY.energy(&start, &spin);
    assert!((BODY.energy(&q, &v) - energy).abs() < 1e-9 * energy);
}

lagrangian! {
    /// A top on a support that shakes, with a motor: q, v, t and u all matter.
    struct Top {
        t: time,
        att: rotation,
        x: coordinate,
        m, l: parameter,
        i: parameter[3],
        motor: input,
    }

    frame Body = world.translate([x + 0.3 * sin(5 * t), 0, 0]).rotate(att);
    body { frame: Body, mass: m, at: [0, 0, l], inertia: diag(i) }
    gravity [0, 0, -9.81];
    spring { k: 20, from: [0, 0, 0], to: Body.origin }
    Q.att = [0, 0, motor];
    D = 0.2 * der(x)^2;
}

#[test]
fn order_on_a_shaken_top() {
    let top = Top {
        m: 0.8,
        l: 0.3,
        i: [0.02, 0.03, 0.01],
    };
    let start = Vector4::new(0.2, 0.1, -0.3, 0.9).normalize();
    let q = vector![start.x, start.y, start.z, start.w, 0.2];
    let v = vector![0.5, -1.0, 4.0, 0.3];
    assert_fourth_order(&top, (q, v), &vector![0.05], (1.0, 320));
}

lagrangian! {
    struct Pendulum { x, y: coordinate, l: parameter, push: input }
    T = der([x, y])^2 / 2;
    V = 9.81 * y;
    Q.x = push;
    holonomic rod: x^2 + y^2 = l^2;
}

const PENDULUM: Pendulum = Pendulum { l: 1.5 };

fn swinging() -> (SVector<f64, 2>, SVector<f64, 2>) {
    (vector![0.9, -1.2], vector![1.6, 1.2])
}

#[test]
fn order_on_a_constrained_system() {
    assert_fourth_order(&PENDULUM, swinging(), &vector![0.4], (1.0, 20));
}

/// Without rotations it is the classical method.
#[test]
fn one_step_is_the_classical_one() {
    let ((q, v), u, h) = (swinging(), vector![0.4], 0.05);
    let rate = |q, v| (v, PENDULUM.acceleration(&q, &v, &u).unwrap());
    let k1 = rate(q, v);
    let k2 = rate(q + k1.0 * (h / 2.0), v + k1.1 * (h / 2.0));
    let k3 = rate(q + k2.0 * (h / 2.0), v + k2.1 * (h / 2.0));
    let k4 = rate(q + k3.0 * h, v + k3.1 * h);
    let expected = (
        q + (k1.0 + (k2.0 + k3.0) * 2.0 + k4.0) * (h / 6.0),
        v + (k1.1 + (k2.1 + k3.1) * 2.0 + k4.1) * (h / 6.0),
    );
    let step = rk4_step(&PENDULUM, 0.0, &q, &v, &u, h).unwrap();
    assert!((step.0 - expected.0).norm() < 1e-15 && (step.1 - expected.1).norm() < 1e-15);
    let back = rk4_step(&PENDULUM, h, &step.0, &step.1, &u, -h).unwrap();
    assert!((back.0 - q).norm() < 1e-6 && (back.1 - v).norm() < 1e-6);
}

/// Projection after each step, and the stabilised system as the one that is stepped.
#[test]
fn constraints_are_held_by_projection() {
    let u = vector![0.0];
    let h = 0.02;
    let stabilised = Baumgarte {
        system: &PENDULUM,
        alpha: 0.05,
        beta: 0.05,
        step: h,
    };
    let off = |q: &SVector<f64, 2>| PENDULUM.constraint_residual(q)[0].abs();
    let (mut free, mut held, mut pulled) = (swinging(), swinging(), swinging());
    for step in 0..500 {
        let t = h * f64::from(step);
        free = rk4_step(&PENDULUM, t, &free.0, &free.1, &u, h).unwrap();
        pulled = rk4_step(&stabilised, t, &pulled.0, &pulled.1, &u, h).unwrap();
        held = rk4_step(&PENDULUM, t, &held.0, &held.1, &u, h).unwrap();
        held = PENDULUM.project(&held.0, &held.1).unwrap();
        assert!(off(&held.0) < 1e-14);
        assert!(PENDULUM.constraint_velocity(&held.0, &held.1)[0].abs() < 1e-13);
    }
    let [free, pulled] = [free, pulled].map(|(q, _)| off(&q));
    assert!(
        free > 10.0 * pulled && pulled > 1e-12,
        "{free:e} {pulled:e}"
    );
}

#[test]
fn what_has_no_acceleration_has_no_step() {
    let ((q, v), u) = (swinging(), vector![0.0]);
    let step = |q, v, u, h| rk4_step(&PENDULUM, 0.0, &q, &v, &u, h);
    let nan = vector![f64::NAN, 0.0];
    assert_eq!(
        step(nan, v, u, 0.1),
        Err(Error::NotFinite { argument: "q" })
    );
    assert_eq!(
        step(q, nan, u, 0.1),
        Err(Error::NotFinite { argument: "v" })
    );
    assert_eq!(
        step(q, v, vector![f64::NAN], 0.1),
        Err(Error::NotFinite { argument: "u" })
    );
    // A step that is huge is no number that is not finite: the states on its way are.
    for (h, argument) in [(f64::NAN, "h"), (f64::INFINITY, "h"), (1e300, "result")] {
        assert_eq!(step(q, v, u, h), Err(Error::NotFinite { argument }), "{h}");
    }
    // At the middle of the circle the rod has no direction.
    let middle = step(vector![0.0, 0.0], v, u, 0.1);
    assert_eq!(middle, Err(Error::DependentConstraints { row: 0 }));
}

#[test]
fn other_scalars() {
    let body = FreeBody {
        i: [0.3_f32, 0.5, 0.7],
    };
    let (q, v) = tumbling();
    let (q, v) = (q.cast::<f32>(), v.cast::<f32>());
    let none = SVector::<f32, 0>::zeros();
    let (moved, _) = rk4_step(&body, 0.0, &q, &v, &none, 0.1).unwrap();
    let (exact, _) = after(&BODY, tumbling(), &NONE, (0.1, 1));
    assert!((moved.cast::<f64>() - exact).norm() < 1e-6);
}

type State<const NQ: usize, const N: usize, const K: usize> =
    (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, K>);

/// Four vectors as one vector of lanes.
fn lanes<const N: usize>(of: [SVector<f64, N>; 4]) -> SVector<WideF64x4, N> {
    SVector::from_fn(|row, _| WideF64x4::from(of.map(|vector| vector[row])))
}

/// Steps four systems as the lanes of one, and compares each lane with the steps of its system alone.
#[track_caller]
fn assert_lanes<W, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    wide: &W,
    systems: &[M; 4],
    states: [State<NQ, N, K>; 4],
    t: [f64; 4],
    h: [f64; 4],
) where
    W: Unchecked<WideF64x4, NQ, N, K>,
    M: System<f64, NQ, N, K, C> + Unchecked<f64, NQ, N, K>,
{
    let q = lanes(states.map(|(q, ..)| q));
    let v = lanes(states.map(|(_, v, _)| v));
    let u = lanes(states.map(|(.., u)| u));
    let (q, v) = rk4_step_unchecked(wide, t.into(), &q, &v, &u, h.into());
    for lane in 0..4 {
        let (system, (start, speed, u)) = (&systems[lane], states[lane]);
        let (t, h) = (t[lane], h[lane]);
        let (q, v) = (
            q.map(|entry| entry.extract(lane)),
            v.map(|entry| entry.extract(lane)),
        );
        let checked = rk4_step(system, t, &start, &speed, &u, h).unwrap();
        let alone = rk4_step_unchecked(system, t, &start, &speed, &u, h);
        for (expected, of) in [(checked, "rk4_step"), (alone, "one lane")] {
            assert_close(of, &q, &expected.0, 1e-12);
            assert_close(of, &v, &expected.1, 1e-12);
        }
    }
}

#[test]
fn each_lane_is_a_step_of_its_own() {
    let mut random = Random(0x5eed);
    for _ in 0..100 {
        let tops = [(); 4].map(|()| Top {
            m: 1.0 + random.number() / 2.0,
            l: 0.3 + random.number() / 10.0,
            i: [0.02, 0.03, 0.01].map(|i| i * (1.5 + random.number())),
        });
        let wide = Top {
            m: tops.each_ref().map(|top| top.m).into(),
            l: tops.each_ref().map(|top| top.l).into(),
            i: [0, 1, 2].map(|axis| tops.each_ref().map(|top| top.i[axis]).into()),
        };
        let states = [(); 4].map(|()| {
            let q = random.quaternion().push(random.number());
            (q, random.vector() * 2.0, random.vector())
        });
        let times = [(); 4].map(|()| random.number());
        let steps = [(); 4].map(|()| 0.02 * random.number());
        assert_lanes(&wide, &tops, states, times, steps);
    }
}

#[test]
fn each_lane_of_a_constrained_system_is_a_step_of_its_own() {
    let mut random = Random(0x5eed);
    for _ in 0..100 {
        let pendulums = [(); 4].map(|()| Pendulum {
            l: 1.5 + random.number(),
        });
        let wide = Pendulum {
            l: pendulums.each_ref().map(|pendulum| pendulum.l).into(),
        };
        let states = pendulums.each_ref().map(|pendulum| {
            let (sin, cos) = (3.0 * random.number()).sin_cos();
            let speed = random.number();
            let q = vector![sin, -cos] * pendulum.l;
            (q, vector![cos, sin] * speed, random.vector())
        });
        let steps = [(); 4].map(|()| 0.1 * random.number());
        assert_lanes(&wide, &pendulums, states, [0.0; 4], steps);
    }
}

#[test]
fn a_singular_lane_leaves_the_others_alone() {
    let ((q, v), u, h) = (swinging(), vector![0.4], 0.05);
    let wide = Pendulum {
        l: WideF64x4::splat(1.5),
    };
    // At the middle of the circle the rod has no direction.
    let starts = [q, vector![0.0, 0.0], q, vector![f64::NAN, 0.0]];
    let (t, h) = (WideF64x4::splat(0.0), WideF64x4::splat(h));
    let moved = rk4_step_unchecked(&wide, t, &lanes(starts), &lanes([v; 4]), &lanes([u; 4]), h);
    let expected = rk4_step(&PENDULUM, 0.0, &q, &v, &u, 0.05).unwrap();
    for lane in 0..4 {
        let q = moved.0.map(|entry| entry.extract(lane));
        let v = moved.1.map(|entry| entry.extract(lane));
        if lane % 2 == 0 {
            assert_close("q", &q, &expected.0, 1e-14);
            assert_close("v", &v, &expected.1, 1e-14);
        } else {
            assert!(!q.iter().chain(&v).all(|entry| entry.is_finite()), "{lane}");
        }
    }
}
