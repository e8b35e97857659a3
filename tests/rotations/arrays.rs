//! Arrays of rotations: a chain in maximal coordinates, against the same with a name for each link.

use lagrangian::nalgebra::SVector;
use lagrangian::{lagrangian, rk4_step};

use super::support::{Random, assert_close};

lagrangian! {
    /// Three links on ball joints, each with a position and an attitude of its own, and a spring from end to end.
    struct Chain {
        p: coordinate[3, 3],
        att: rotation[3],
        m: parameter[3],
        i: parameter[3, 3],
        c: parameter,
        u: input[3],
    }
    frame mut Before = world.translate([0, 0, -0.5]);
    for j in 0..3 {
        frame Link = world.translate(p[j]).rotate(att[j]);
        body link { frame: Link, mass: m[j], inertia: diag(i[j]) }
        holonomic joint: Before.point([0, 0, 0.5]) = Link.point([0, 0, -0.5]);
        Q.att[j] = [u[j], 0, 0.1];
        Q.att[j].y += u[0];
        Before = Link;
    }
    D = c * sum(j in 0..2, (der(att[j + 1]) - der(att[j]))^2) / 2;
    gravity [0, 0, -9.81];
    spring { k: 5, from: [0, 0, 2], to: Before.origin }
    let up = [0, 0, 1];
    symmetry spun:
        p -> [cross(up, p[0]), cross(up, p[1]), cross(up, p[2])],
        att[0] -> transpose(world.rotate(att[0]).rotation) * up,
        att[1..3] -> [
            transpose(world.rotate(att[1]).rotation) * up,
            transpose(world.rotate(att[2]).rotation) * up,
        ];
    pub frame tip = Before.translate([0, 0, 0.5]);
    pub let rates = der(att);
    pub let last = der(att[1..3])[1].z;
    pub let turned = Before.rotation[0, 1];
    bundle both { tip, mass_matrix }
}

lagrangian! {
    /// The same, link by link.
    struct ByHand {
        p, r, s: coordinate[3],
        a, b, d: rotation,
        m: parameter[3],
        i: parameter[3, 3],
        c: parameter,
        u: input[3],
    }
    frame A = world.translate(p).rotate(a);
    frame B = world.translate(r).rotate(b);
    frame C = world.translate(s).rotate(d);
    body { frame: A, mass: m[0], inertia: diag(i[0]) }
    body { frame: B, mass: m[1], inertia: diag(i[1]) }
    body { frame: C, mass: m[2], inertia: diag(i[2]) }
    holonomic first: [0, 0, 0] = A.point([0, 0, -0.5]);
    holonomic second: A.point([0, 0, 0.5]) = B.point([0, 0, -0.5]);
    holonomic third: B.point([0, 0, 0.5]) = C.point([0, 0, -0.5]);
    Q.a = [u[0], u[0], 0.1];
    Q.b = [u[1], u[0], 0.1];
    Q.d = [u[2], u[0], 0.1];
    D = c * ((der(b) - der(a))^2 + (der(d) - der(b))^2) / 2;
    gravity [0, 0, -9.81];
    spring { k: 5, from: [0, 0, 2], to: C.origin }
    let up = [0, 0, 1];
    symmetry spun: p -> cross(up, p), r -> cross(up, r), s -> cross(up, s),
        a -> transpose(A.rotation) * up, b -> transpose(B.rotation) * up, d -> transpose(C.rotation) * up;
    pub frame tip = C.translate([0, 0, 0.5]);
    pub let rates = [der(a), der(b), der(d)];
    pub let last = der(d).z;
    pub let turned = C.rotation[0, 1];
}

const M: [f64; 3] = [1.0, 0.7, 0.4];
const I: [[f64; 3]; 3] = [[0.1, 0.2, 0.15], [0.12, 0.12, 0.05], [0.03, 0.06, 0.05]];
const C: f64 = 0.2;

#[test]
fn an_array_of_rotations_is_that_many_rotations() {
    let (chain, by_hand) = (Chain { m: M, i: I, c: C }, ByHand { m: M, i: I, c: C });
    let mut random = Random(5);
    for _ in 0..6 {
        // Some attitudes, and positions at which the joints hold.
        let mut q: SVector<f64, 21> = random.vector();
        for j in 0..3 {
            q.fixed_rows_mut::<4>(9 + 4 * j)
                .copy_from(&random.quaternion());
        }
        let (q, v) = chain.project(&q, &random.vector()).unwrap();
        let off = by_hand.constraint_residual(&q).amax();
        assert!(off < 1e-13, "{off}");
        let u: SVector<f64, 3> = random.vector();
        assert_close("M", &chain.mass_matrix(&q), &by_hand.mass_matrix(&q), 1e-14);
        assert_close("h", &chain.bias(&q, &v), &by_hand.bias(&q, &v), 1e-13);
        assert_close(
            "Q",
            &chain.generalized_forces(&q, &v, &u),
            &by_hand.generalized_forces(&q, &v, &u),
            1e-14,
        );
        let (one, other) = (
            chain.solve(&q, &v, &u).unwrap(),
            by_hand.solve(&q, &v, &u).unwrap(),
        );
        assert_close("a", &one.acceleration, &other.acceleration, 1e-10);
        assert_close("lambda", &one.multipliers, &other.multipliers, 1e-10);
        let (one, other) = (
            chain.linearize(&q, &v, &u).unwrap(),
            by_hand.linearize(&q, &v, &u).unwrap(),
        );
        assert_close("A", &one.a, &other.a, 1e-9);
        assert_close("B", &one.b, &other.b, 1e-9);
        let (one, other) = (
            chain.linearize_fixed_axes(&q, &v, &u).unwrap(),
            by_hand.linearize_fixed_axes(&q, &v, &u).unwrap(),
        );
        assert_close("A", &one.a, &other.a, 1e-9);
        assert_close(
            "rates",
            &chain.coordinate_rates(&q, &v),
            &by_hand.coordinate_rates(&q, &v),
            0.0,
        );
        let moved = chain.integrate(&q, &v);
        assert_close("moved", &moved, &by_hand.integrate(&q, &v), 0.0);
        assert_close("back", &chain.difference(&q, &moved), &v, 1e-12);
        assert_close(
            "J",
            &chain.tip_jacobian(&q),
            &by_hand.tip_jacobian(&q),
            1e-13,
        );
        assert_close("der", &chain.rates(&q, &v), &by_hand.rates(&q, &v), 0.0);
        assert_eq!(chain.last(&q, &v), v[17]);
        assert_eq!(chain.turned(&q), by_hand.turned(&q));
        assert_eq!(chain.spun(&q, &v), by_hand.spun(&q, &v));
        let both = chain.both(&q);
        assert_close("tip", &both.tip.origin, &by_hand.tip(&q).origin, 1e-14);
        let (one, other) = (
            rk4_step(&chain, 0.0, &q, &v, &u, 1e-3).unwrap(),
            rk4_step(&by_hand, 0.0, &q, &v, &u, 1e-3).unwrap(),
        );
        assert_close("q", &one.0, &other.0, 1e-13);
        assert_close("v", &one.1, &other.1, 1e-12);
    }
    assert_close("neutral", &chain.neutral(), &by_hand.neutral(), 0.0);
    assert_eq!(chain.neutral()[12], 1.0);
    assert_eq!(Chain::DEGREES_OF_FREEDOM, 9);
    assert_eq!(Chain::CYCLIC, ByHand::CYCLIC);
    assert_eq!(Chain::CONSERVED_MOMENTA, ByHand::CONSERVED_MOMENTA);
    assert_eq!(Chain::CONSERVES_ENERGY, ByHand::CONSERVES_ENERGY);
}

#[test]
fn names_of_an_array_tell_which_rotation() {
    let names = Chain::COORDINATES;
    assert_eq!(
        names[8..14],
        [
            "p[2, 2]", "att[0].x", "att[0].y", "att[0].z", "att[0].w", "att[1].x"
        ]
    );
    assert_eq!(names[20], "att[2].w");
    let names = Chain::VELOCITIES;
    assert_eq!(
        names[8..13],
        [
            "der(p)[2, 2]",
            "der(att[0]).x",
            "der(att[0]).y",
            "der(att[0]).z",
            "der(att[1]).x"
        ]
    );
    assert_eq!(names[17], "der(att[2]).z");
    let text = Free::EQUATIONS.text;
    assert!(text.contains("omega_att[0].x"), "{text}");
}

lagrangian! {
    /// An array of one, moved by a function and turned about an axis behind the rotation.
    struct Free { att: rotation[1], q: coordinate, i: parameter[3] }
    let spin(w) = w.x + 2 * w.z;
    frame F = world.rotate(att[0]).rotate(z, q);
    body { frame: F, inertia: diag(i) }
    body { frame: world.rotate(att[1 - 1]), inertia: diag([2, 3, 4]) }
    pub let spun = spin(der(att[0])) + der(att)[0, 1];
}

#[test]
fn an_array_of_one_is_one_rotation() {
    let free = Free { i: [0.3, 0.4, 0.5] };
    let (q, v) = (free.neutral(), SVector::from([1.0, 2.0, 3.0, 4.0]));
    assert_eq!(free.spun(&q, &v), 1.0 + 6.0 + 2.0);
    let p = free.momenta(&q, &v);
    assert_close("p", &p, &SVector::from([2.3, 6.8, 15.5, 3.5]), 1e-15);
}
