//! Systems with constraints: by the quick solve, by the careful one, and stabilised.

use lagrangian::nalgebra::{SMatrix, vector};
use lagrangian::{Baumgarte, Error, System, contact_step, lagrangian};

use crate::counting::{fail_without_heap, succeed_without_heap, use_trait, without_heap};
use crate::methods::{canonical_methods, checked_methods, plain_methods};

/// The methods of systems with constraints.
macro_rules! constraint_methods {
    ($system:expr, [$($t:expr)?], $q:expr, $v:expr, [$($u:expr)?] => $visit:ident) => {{
        let (system, q, v) = ($system, $q, $v);
        without_heap!("constraint_residual", system.constraint_residual($($t,)? q));
        without_heap!("constraint_velocity", system.constraint_velocity($($t,)? q, v));
        without_heap!("constraint_jacobian", system.constraint_jacobian($($t,)? q));
        without_heap!("constraint_gamma", system.constraint_gamma($($t,)? q, v));
        without_heap!(
            "constraint_velocity_derivatives",
            system.constraint_velocity_derivatives($($t,)? q, v)
        );
        $visit!("multiplier_derivatives", system.multiplier_derivatives($($t,)? q, v $(, $u)?));
        $visit!("constraint_forces", system.constraint_forces($($t,)? q, v $(, $u)?));
        $visit!("project", system.project($($t,)? q, v));
    }};
}

/// The system with its constraints stabilised.
fn stabilised<M>(system: &M) -> Baumgarte<'_, f64, M> {
    Baumgarte {
        system,
        alpha: 0.05,
        beta: 0.05,
        step: 0.01,
    }
}

/// Returns whether `kkt` refuses its quick path, as documented: a pivot of M or of J M⁻¹ Jᵀ is at most sqrt(n eps)
/// times what it came from.
fn is_careful<const N: usize, const C: usize>(
    mass: SMatrix<f64, N, N>,
    jacobian: SMatrix<f64, C, N>,
) -> bool {
    let Some(inverse) = mass.try_inverse() else {
        return true;
    };
    let complement = jacobian * inverse * jacobian.transpose();
    let (first, last) = (complement[(0, 0)], complement[(C - 1, C - 1)]);
    let pivot = last - complement[(0, C - 1)] * complement[(C - 1, 0)] / first;
    C > 1 && pivot < 1e-8 * last
}

lagrangian! {
    /// A sledge on a rod, whose blade does not slip sideways.
    struct Sledge { x, y, phi: coordinate, m, l: parameter, u: input }

    T = m * (der(x)^2 + der(y)^2) / 2 + m * l^2 * der(phi)^2 / 6;
    V = m * 9.81 * y;
    Q.phi = u;
    holonomic rod: x^2 + y^2 = l^2;
    nonholonomic blade: cos(phi) * der(y) = sin(phi) * der(x) + l * der(phi) / 3;
    bundle step { acceleration_unchecked, forcing_full, constraint_jacobian }
}

#[test]
fn a_sledge() {
    let system = Sledge { m: 1.5, l: 2.0 };
    let (q, v, u) = (
        &vector![1.2, -1.6, 0.4],
        &vector![0.3, 0.2, -0.5],
        &vector![0.7],
    );
    assert!(!is_careful(
        system.mass_matrix(q),
        system.constraint_jacobian(q)
    ));
    plain_methods!(natural &system, [], q, v, [u], v => without_heap);
    checked_methods!(&system, [], q, v, [u] => succeed_without_heap);
    constraint_methods!(&system, [], q, v, [u] => succeed_without_heap);
    canonical_methods!(&system, [], q, v, [u] => succeed_without_heap);
    without_heap!("step", system.step(q, v, u));
    use_trait(&system, 0.0, (q, v, u));
    use_trait(&stabilised(&system), 0.0, (q, v, u));
}

#[test]
fn a_sledge_that_fails() {
    let system = Sledge { m: 1.5, l: 2.0 };
    let (v, u) = (&vector![0.3, 0.2, -0.5], &vector![0.7]);
    // At the rod's pivot its constraint has no direction.
    let pivot = &vector![0.0, 0.0, 0.4];
    checked_methods!(&system, [], pivot, v, [u] => fail_without_heap);
    constraint_methods!(&system, [], pivot, v, [u] => fail_without_heap);
    without_heap!("step", system.step(pivot, v, u));
    let stabilised = stabilised(&system);
    fail_without_heap!("solve", stabilised.solve(0.0, pivot, v, u));
    fail_without_heap!("project", stabilised.project(0.0, pivot, v, u));
    let q = &vector![1.2, f64::NAN, 0.4];
    checked_methods!(&system, [], q, v, [u] => fail_without_heap);
    constraint_methods!(&system, [], q, v, [u] => fail_without_heap);
    fail_without_heap!("acceleration", stabilised.acceleration(0.0, q, v, u));
}

lagrangian! {
    /// Holonomic rows that are dependent at the pole, and nearly so beside it.
    struct Ring { x, y, z: coordinate, m, height: parameter = 1 }

    T = m * der([x, y, z])^2 / 2;
    V = m * 9.81 * x;
    holonomic sphere: x^2 + y^2 + z^2 = 1;
    holonomic plane: z = height;
}

#[test]
fn nearly_dependent_constraints() {
    let r = 1e-5_f64;
    let ring = Ring {
        m: 2.0,
        height: (1.0 - r * r).sqrt(),
    };
    let (q, v) = (&vector![r, 0.0, ring.height], &vector![0.0, 0.1, 0.0]);
    assert!(is_careful(ring.mass_matrix(q), ring.constraint_jacobian(q)));
    plain_methods!(natural &ring, [], q, v, [], v => without_heap);
    checked_methods!(&ring, [], q, v, [] => succeed_without_heap);
    constraint_methods!(&ring, [], q, v, [] => succeed_without_heap);
    use_trait(&ring, 0.0, (q, v, &vector![]));
    use_trait(&stabilised(&ring), 0.0, (q, v, &vector![]));

    let pole = &vector![0.0, 0.0, 1.0];
    checked_methods!(&ring, [], pole, v, [] => fail_without_heap);
    let outcome = ring.solve(pole, v).map(|_| ());
    assert_eq!(outcome, Err(Error::DependentConstraints { row: 1 }));
}

lagrangian! {
    /// M singular at every state: y has no mass and goes where the guide puts it.
    struct Follower { x, y, z: coordinate, m: parameter = 1, u: input }

    T = m * (der(x)^2 + der(z)^2) / 2;
    V = z * y;
    holonomic guide: y = x^2 + z;
    Q.y = u;
}

#[test]
fn a_singular_mass_matrix() {
    let system = Follower::default();
    let (q, v, u) = (
        &vector![0.5, 0.75, 0.5],
        &vector![0.3, 0.5, 0.2],
        &vector![0.4],
    );
    assert!(is_careful(
        system.mass_matrix(q),
        system.constraint_jacobian(q)
    ));
    plain_methods!(natural &system, [], q, v, [u], v => without_heap);
    checked_methods!(&system, [], q, v, [u] => succeed_without_heap);
    constraint_methods!(&system, [], q, v, [u] => succeed_without_heap);
    use_trait(&system, 0.0, (q, v, u));
    use_trait(&stabilised(&system), 0.0, (q, v, u));
    // Off the guide: Newton's method moves it there.
    let (q, _) = without_heap!("project", system.project(&vector![0.4, 0.9, 0.1], v)).unwrap();
    assert!(system.constraint_residual(&q).norm() < 1e-14);

    let massless = Follower { m: 0.0 };
    checked_methods!(&massless, [], &q, v, [u] => fail_without_heap);
    // M is singular, so that momenta do not determine velocities.
    canonical_methods!(&system, [], &q, v, [u] => fail_without_heap);
}

lagrangian! {
    /// Time in a constraint, and velocities in another.
    struct Bead { x, y, phi: coordinate, t: time, m, w: parameter = 1 }

    T = m * (der([x, y])^2 + der(phi)^2) / 2;
    V = m * 9.81 * y;
    holonomic rod: y * cos(w * t) = x * sin(w * t);
    nonholonomic roll: der(x) = y * der(phi) + t;
}

#[test]
fn time_in_constraints() {
    let system = Bead::<f64>::default();
    let (t, q, v) = (0.3, &vector![1.0, 0.3, 0.1], &vector![0.5, 2.0, 0.2]);
    plain_methods!(natural &system, [t], q, v, [], v => without_heap);
    checked_methods!(&system, [t], q, v, [] => succeed_without_heap);
    canonical_methods!(&system, [t], q, v, [] => succeed_without_heap);
    constraint_methods!(&system, [t], q, v, [] => succeed_without_heap);
    use_trait(&system, t, (q, v, &vector![]));
    use_trait(&stabilised(&system), t, (q, v, &vector![]));
    checked_methods!(&system, [f64::INFINITY], q, v, [] => fail_without_heap);
}

lagrangian! {
    /// More coordinates than motions: a body whose attitude is a rotation matrix.
    struct Attitude { R: coordinate[3, 3], i: parameter[3] = [1, 2, 3] }

    body { frame: world.orient(R), inertia: diag(i) }
    holonomic rigid: transpose(R) * R = identity(3);
}

#[test]
fn a_rotation_matrix() {
    let system = Attitude::<f64>::default();
    let mut q = lagrangian::nalgebra::SVector::<f64, 9>::zeros();
    let mut v = q;
    (q[0], q[4], q[8], v[1], v[3]) = (1.0, 1.0, 1.0, -0.5, 0.5);
    plain_methods!(natural &system, [], &q, &v, [], &v => without_heap);
    checked_methods!(&system, [], &q, &v, [] => succeed_without_heap);
    constraint_methods!(&system, [], &q, &v, [] => succeed_without_heap);
    use_trait(&system, 0.0, (&q, &v, &vector![]));
    use_trait(&stabilised(&system), 0.0, (&q, &v, &vector![]));
}

lagrangian! {
    /// A bar on a floor, with a rusty joint.
    struct Bar { x, y, phi: coordinate, m, l, mu: parameter }
    let ends = [y - l * sin(phi), y + l * sin(phi)];
    T = m * (der(x)^2 + der(y)^2) / 2 + m * l^2 * der(phi)^2 / 6;
    V = m * 9.81 * y;
    for i in 0..2 {
        contact end: ends[i] >= 0 { slip: der(x), friction: mu, restitution: 0.5 };
    }
    actuator { joint: phi, coulomb: m / 10 }
}

#[test]
fn a_bar_on_a_rough_floor() {
    let bar = Bar {
        m: 1.0,
        l: 0.5,
        mu: 0.3,
    };
    let (q, none) = (vector![0.0, 0.0, 0.0], vector![]);
    for v in [vector![0.0, 0.0, 0.0], vector![0.4, 0.0, 0.0]] {
        without_heap!("friction_terms", bar.friction_terms(&q, &v));
        succeed_without_heap!("resolve", bar.resolve(&q, &v, &[true, false]));
        succeed_without_heap!("contact_step", contact_step(&bar, 0.0, &q, &v, &none, 0.01));
    }
}
