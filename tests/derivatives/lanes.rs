//! `linearize_unchecked` of scalars and of lanes beside `linearize`.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SMatrix, SVector};
use simba::simd::{SimdValue, WideF64x4};

use crate::check::{Random, assert_close};

#[path = "../shared/rods.rs"]
mod rods;
use rods::rods;

lagrangian! {
    /// Without constraints, and M singular at r = 0.
    struct Polar { r, phi: coordinate, m: parameter = 1.5, u: input[2] }
    T = m * (der(r)^2 + r^2 * der(phi)^2) / 2;
    V = m * 9.81 * r * cos(phi);
    Q.r = u[0];
    Q.phi = r * u[1];
}

lagrangian! {
    /// Derivatives that are solved for one by one.
    struct Linkage { q: coordinate[3], m, l: parameter[3] = [1, 2, 1.5], u: input }
    let joint = l[0] * [cos(q[0]), sin(q[0])];
    let end = joint + l[1] * [cos(q[1]), sin(q[1])];
    let rocker = l[2] * [cos(q[2]), sin(q[2])];
    T = m[0] * der(joint)^2 / 6 + m[2] * der(rocker)^2 / 6;
    T += m[1] * der((joint + end) / 2)^2 / 2 + m[1] * l[1]^2 * der(q[1])^2 / 24;
    V = 9.81 * (m[0] * joint.y + m[1] * (joint.y + end.y) + m[2] * rocker.y) / 2;
    holonomic closure: end = [2, 0] + rocker;
    Q.q[0] = u;
}

lagrangian! {
    /// The same with a step of refinement.
    struct Bars { p: coordinate[2, 2], t: coordinate[2], m: parameter = 1.1, u: input }
    let mut end = [0, 0];
    for i in 0..2 {
        let half = [cos(t[i]), sin(t[i])] / 2;
        T += m * der(p[i])^2 / 2 + m * der(t[i])^2 / 24;
        V += 9.81 * m * p[i, 1];
        holonomic joint: p[i] - half = end;
        end = p[i] + half;
    }
    Q.t[1] = u;
}

// Derivatives that are solved for several at once.
rods!(struct Points of 6);

/// The same states in all lanes but for one of them, where that differs.
fn lanes<const R: usize, const C: usize>(of: &[SMatrix<f64, R, C>; 4]) -> SMatrix<WideF64x4, R, C> {
    SMatrix::from_fn(|i, j| WideF64x4::from([0, 1, 2, 3].map(|lane: usize| of[lane][(i, j)])))
}

fn states<const N: usize>(random: &mut Random) -> [SVector<f64, N>; 4] {
    [(); 4].map(|()| random.vector())
}

macro_rules! assert_lanes_agree {
    ($system:ident, $n:literal, $k:literal, |$q:ident, $v:ident, $u:ident| ($($argument:expr),+)) => {
        assert_lanes_agree!($system, $n, $k, |$q, $v, $u| ($($argument),+), |_| ())
    };
    // With a change of the places.
    (
        $system:ident, $n:literal, $k:literal, |$q:ident, $v:ident, $u:ident| ($($argument:expr),+),
        $change:expr
    ) => {{
        let mut random = Random(0xA11);
        let (one, four) = ($system::<f64>::default(), $system::<WideF64x4>::default());
        for _ in 0..20 {
            let mut places: [SVector<f64, $n>; 4] = states(&mut random);
            let rates: [SVector<f64, $n>; 4] = states(&mut random);
            let inputs: [SVector<f64, $k>; 4] = states(&mut random);
            let change: fn(&mut [SVector<f64, $n>; 4]) = $change;
            change(&mut places);
            let found = {
                let ($q, $v, $u) = (&lanes(&places), &lanes(&rates), &lanes(&inputs));
                let _ = $u;
                four.linearize_unchecked($($argument),+)
            };
            for lane in 0..4 {
                let ($q, $v, $u) = (&places[lane], &rates[lane], &inputs[lane]);
                let _ = $u;
                let Ok(wanted) = one.linearize($($argument),+) else {
                    assert!(!found.a.iter().all(|entry| entry.extract(lane).is_finite()));
                    continue;
                };
                let unchecked = one.linearize_unchecked($($argument),+);
                assert_close("A", &unchecked.a, &wanted.a, 1e-9);
                assert_close("B", &unchecked.b, &wanted.b, 1e-9);
                assert_close("A", &found.a.map(|x| x.extract(lane)), &wanted.a, 1e-9);
                assert_close("B", &found.b.map(|x| x.extract(lane)), &wanted.b, 1e-9);
            }
        }
    }};
}

#[test]
fn without_constraints() {
    assert_lanes_agree!(Polar, 2, 2, |q, v, u| (q, v, u));
}

/// All of them take the careful way then.
#[test]
fn where_one_lane_is_singular() {
    assert_lanes_agree!(Polar, 2, 2, |q, v, u| (q, v, u), |places| places[2][0] =
        0.0);
}

#[test]
fn with_constraints() {
    assert_lanes_agree!(Linkage, 3, 1, |q, v, u| (q, v, u));
    assert_lanes_agree!(Bars, 6, 1, |q, v, u| (q, v, u));
    assert_lanes_agree!(Points, 12, 0, |q, v, u| (q, v));
}

/// Both bars on one line: the rows of J depend on each other in that lane.
#[test]
fn where_the_constraints_of_one_lane_are_dependent() {
    assert_lanes_agree!(Linkage, 3, 1, |q, v, u| (q, v, u), |places| places[1]
        .fill(0.0));
}
