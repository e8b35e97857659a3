//! Rotations: Dzhanibekov's body and the heavy top beside references of forty digits, written by `references.py`.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, Vector3, Vector4, vector};

use super::{Energies, NONE, assert_second_order, walk};

lagrangian! {
    pub struct FreeBody { att: rotation, i: parameter[3] }
    body { frame: world.rotate(att), inertia: diag(i) }
}

lagrangian! {
    /// The top of Brüls, Cardona and Arnold.
    pub struct Top { att: rotation }
    frame Body = world.rotate(att);
    body { frame: Body, mass: 15, at: [0, 1, 0], inertia: diag(0.234375, 0.46875, 0.234375) }
    gravity [0, 0, -9.81];
}

lagrangian! {
    /// The same in the coordinates of its centre of mass, which a constraint holds on the body.
    struct HeldTop { x: coordinate[3], att: rotation }
    frame Body = world.translate(x).rotate(att);
    body { frame: Body, mass: 15, inertia: diag(0.234375, 0.46875, 0.234375) }
    gravity [0, 0, -9.81];
    holonomic tip: Body.point([0, -1, 0]) = [0, 0, 0];
}

/// The lines of a reference that begin with a name.
fn reference(name: &str) -> Vec<Vec<f64>> {
    let lines = include_str!("references.txt").lines();
    let entries = lines.filter_map(|line| line.strip_prefix(name));
    let numbers = |line: &str| {
        line.split_whitespace()
            .map(|x| x.parse().unwrap())
            .collect()
    };
    entries.map(numbers).collect()
}

/// The time between the first two sign changes of the second angular velocity, by cubic interpolation.
fn half_period(h: f64) -> f64 {
    let body: FreeBody = FreeBody {
        i: [0.3, 0.35, 0.4],
    };
    let q = body.neutral();
    let rate = |q: &Vector4<f64>, p: &Vector3<f64>| {
        let w = body.velocity(q, p).unwrap();
        (w.y, body.acceleration(q, &w).unwrap().y)
    };
    let p = body.momenta(&q, &vector![0.1, 15.0, 0.1]);
    let mut before = rate(&q, &p);
    let mut changes = Vec::new();
    walk(&body, (q, p), &NONE, (h, (13.0 / h) as u32), |t, step| {
        let after = rate(&step.q, &step.p);
        if before.0 * after.0 < 0.0 {
            let cubic = |s: f64| {
                let (a, b) = (
                    before.0 * (1.0 + 2.0 * s) + before.1 * h * s,
                    after.0 * (3.0 - 2.0 * s),
                );
                a * (1.0 - s).powi(2) + (b - after.1 * h * (1.0 - s)) * s * s
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if cubic(middle) * before.0 > 0.0 {
                    low = middle
                } else {
                    high = middle
                }
            }
            changes.push(t - h + low * h);
        }
        before = after;
    });
    changes[1] - changes[0]
}

#[test]
fn the_period_of_dzhanibekovs_body_is_of_second_order() {
    let exact = reference("dzhanibekov")[0][0];
    assert!((exact - 6.167_472_904_667).abs() < 1e-11);
    assert_second_order([0.004, 0.002, 0.001].map(|h| (half_period(h) - exact).abs()));
}

/// The errors of the orientation and of the angular velocity at the times of the reference.
fn errors_of_top(h: f64) -> [f64; 3] {
    let top: Top = Top::default();
    let (mut state, mut begin) = (None, 0.0);
    let mut errors = [0.0; 3];
    for (error, line) in errors.iter_mut().zip(reference("top")) {
        let start = state.unwrap_or_else(|| {
            let q = top.neutral();
            (q, top.momenta(&q, &vector![0.0, 150.0, -4.61538]))
        });
        let steps = ((line[0] - begin) / h).round() as u32;
        let (q, p) = walk(&top, start, &NONE, (h, steps), |_, _| {});
        (state, begin) = (Some((q, p)), line[0]);
        let exact = Vector4::from_column_slice(&line[1..5]);
        let w = top.velocity(&q, &p).unwrap() - Vector3::from_column_slice(&line[5..8]);
        *error = top.difference(&exact, &q).norm().max(w.norm() / 150.0);
    }
    errors
}

#[test]
fn the_heavy_top_is_of_second_order() {
    let all = [4e-4, 2e-4, 1e-4].map(errors_of_top);
    for time in 0..3 {
        assert_second_order(all.map(|errors| errors[time]));
    }
}

#[test]
fn the_held_top_moves_as_the_top() {
    let (top, held): (Top, HeldTop) = (Top::default(), HeldTop::default());
    let (h, steps, w) = (1e-3, 200, vector![0.0, 150.0, -4.61538]);
    let (q, v) = held
        .project(
            &vector![0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            &vector![4.61538, 0.0, 0.0, 0.0, 150.0, -4.61538],
        )
        .unwrap();
    let start = (q, held.momenta(&q, &v));
    let (q, p) = walk(&held, start, &NONE, (h, steps), |_, step| {
        assert!(held.constraint_residual(&step.q).amax() < 1e-14);
        let v = held.velocity(&step.q, &step.p).unwrap();
        assert!(held.constraint_velocity(&step.q, &v).amax() < 1e-12);
    });
    // Both are of second order, and close to each other.
    let start = top.neutral();
    let start = (start, top.momenta(&start, &w));
    let (other, _) = walk(&top, start, &NONE, (h, steps), |_, _| {});
    let att: Vector4<f64> = q.fixed_rows::<4>(3).into_owned();
    assert!(top.difference(&other, &att).norm() < 3e-2);
    assert!(p.iter().all(|p| p.is_finite()));
}

fn energies_of_top(steps: u32) -> Energies {
    let top: Top = Top::default();
    let q = top.integrate(&top.neutral(), &vector![0.3, 0.1, 0.0]);
    let v = vector![1.0, 20.0, -2.0];
    let mut energies = Energies::from(top.energy(&q, &v));
    walk(
        &top,
        (q, top.momenta(&q, &v)),
        &NONE,
        (2e-3, steps),
        |_, step| {
            energies.add(top.energy(&step.q, &top.velocity(&step.q, &step.p).unwrap()));
        },
    );
    energies
}

#[test]
fn the_energy_of_a_rotation_has_no_drift() {
    let energies = energies_of_top(10_000);
    assert!(
        energies.most() < 0.1 && energies.most() > 1e-5,
        "{}",
        energies.most()
    );
    assert!(
        energies.drift().abs() < 0.05 * energies.most(),
        "{}",
        energies.drift()
    );
}

/// `.ci/long` runs it.
#[test]
#[ignore = "a million steps"]
fn the_energy_of_a_rotation_has_no_drift_for_long() {
    let (short, long) = (energies_of_top(10_000), energies_of_top(1_000_000));
    assert!(
        long.most() < 1.2 * short.most(),
        "{} {}",
        long.most(),
        short.most()
    );
    assert!(long.drift().abs() < 0.01 * long.most(), "{}", long.drift());
}

/// The angular momentum in the world, R p: all of it for a free body, about the vertical for the top.
#[test]
fn momentum_maps_are_kept() {
    let turned = |q: &Vector4<f64>, p: &Vector3<f64>| {
        lagrangian::quaternion([q[0], q[1], q[2], q[3]]).transform_vector(p)
    };
    let body: FreeBody = FreeBody {
        i: [0.3, 0.35, 0.4],
    };
    let q = body.integrate(&body.neutral(), &vector![0.3, -0.2, 1.0]);
    let p = body.momenta(&q, &vector![0.1, 15.0, 0.1]);
    let start = turned(&q, &p);
    walk(&body, (q, p), &NONE, (0.01, 2000), |_, step| {
        assert!((turned(&step.q, &step.p) - start).norm() < 2e-12 * start.norm());
    });
    let top: Top = Top::default();
    let q = top.integrate(&top.neutral(), &vector![0.3, 0.1, 0.0]);
    let p = top.momenta(&q, &vector![1.0, 20.0, -2.0]);
    let start = turned(&q, &p).z;
    walk(&top, (q, p), &NONE, (2e-3, 2000), |_, step| {
        assert!((turned(&step.q, &step.p).z - start).abs() < 2e-12 * p.norm());
        // The axis of symmetry carries no torque.
        assert!((step.p.y - p.y).abs() < 2e-12 * p.norm());
    });
}

#[test]
fn a_large_rotation_in_one_step() {
    let body: FreeBody = FreeBody { i: [0.4; 3] };
    let q = body.neutral();
    let w = vector![0.0, 2.0, 1.0];
    let (end, p) = walk(&body, (q, w * 0.4), &NONE, (1.2, 3), |_, _| {});
    assert!(
        body.difference(&body.integrate(&q, &(w * 3.6)), &end)
            .norm()
            < 1e-14
    );
    assert!((p - w * 0.4).norm() < 1e-14);
    let _: SVector<f64, 0> = NONE;
}
