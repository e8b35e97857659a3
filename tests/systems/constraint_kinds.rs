//! Constraints of all kinds: with time, of a Lagrangian, on coordinates without inertia, and where they fail.

use lagrangian::nalgebra::{SVector, matrix, vector};
use lagrangian::{Error, lagrangian};

use crate::harness::reference_test;
use crate::held::{assert_held, assert_workless, held, projected};
use crate::support::{State, assert_close};

lagrangian! {
    /// Rows of both kinds, declared in mixed order, and all of them depend on time.
    struct MovingCraft {
        x, y, z, phi: coordinate,
        m, i, k, w: parameter,
        u: input,
        t: time,
    }

    let heading = phi + w * t;
    T = m * der([x, y, z])^2 / 2 + i * der(phi)^2 / 2;
    nonholonomic keel: der(x) * sin(heading) - der(y) * cos(heading) = k * t;
    V = k * x^2 / 2 + k * y * z;
    holonomic swell: z = w * sin(t) + x^2 / 4;
    Q.x = u;
    nonholonomic helm: der(phi) = x * t + der(z) * y;
}

reference_test! {
    moving_craft: MovingCraft { m, i, k, w },
    Natural ([t] q, v; u),
    outputs [],
    constraints ["swell", "keel", "helm"], holonomic 1,
    coordinates ["x", "y", "z", "phi"], cyclic [false, false, false, true], conserved [false; 4],
    conserves_energy false, constant_mass_matrix true,
}

lagrangian! {
    /// A relativistic particle on a parabola, by its Lagrangian.
    struct RelativisticSlide {
        x, y: coordinate,
        m, c, g, bend: parameter,
    }

    L = -m * c^2 * sqrt(1 - der([x, y])^2 / c^2);
    L += -m * g * y;
    holonomic slide: y = bend * x^2;
}

reference_test! {
    relativistic_slide: RelativisticSlide { m, c, g, bend },
    Lagrangian (q, v),
    outputs [],
    constraints ["slide"], holonomic 1,
    coordinates ["x", "y"], cyclic [true, false], conserved [false, false],
    conserves_energy true, constant_mass_matrix false,
}

/// A mass matrix that depends on velocities is no obstacle to projection.
#[test]
fn relativistic_slide_keeps_its_energy() {
    let system = RelativisticSlide {
        m: 0.7,
        c: 4.0,
        g: 9.81,
        bend: 0.8,
    };
    let start = projected(&system, &State::new([0.9, 0.6], [0.4, 0.2])).unwrap();
    let energy = system.energy(&start.q, &start.v);
    for state in held(&system, start, 1e-3, 3000) {
        assert_held(&system, &state);
        assert_close("E", &system.energy(&state.q, &state.v), &energy, 1e-9);
    }
    assert_workless(&system, &start);
}

lagrangian! {
    /// y has no inertia; the constraint determines it.
    struct MasslessFollower {
        x, y: coordinate,
        m, k, c: parameter,
    }

    T = m * der(x)^2 / 2;
    V = k * y^2 / 2;
    D = c * der(y)^2 / 2;
    holonomic cam: y = sin(x);
}

reference_test! {
    massless_follower: MasslessFollower { m, k, c },
    Natural (q, v),
    outputs [],
    constraints ["cam"], holonomic 1,
    coordinates ["x", "y"], cyclic [true, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix true,
}

/// lambda = k y + c y' is the force on the follower, and m x'' = -cos(x) lambda that on the cam.
#[test]
fn massless_follower_in_closed_form() {
    let system = MasslessFollower {
        m: 0.7,
        k: 20.0,
        c: 0.5,
    };
    let (q, v): (SVector<f64, 2>, SVector<f64, 2>) = (vector![0.4, 0.3], vector![1.1, -0.6]);
    let lambda = 20.0 * 0.3 - 0.5 * 0.6;
    let x = -q.x.cos() * lambda / 0.7;
    let y = q.x.cos() * x - q.x.sin() * v.x * v.x;
    let motion = system.solve(&q, &v).unwrap();
    assert_close("lambda", &motion.multipliers, &vector![lambda], 1e-13);
    assert_close("a", &motion.acceleration, &vector![x, y], 1e-13);
    assert_eq!(system.mass_matrix(&q), matrix![0.7, 0.0; 0.0, 0.0]);
}

lagrangian! {
    /// A particle on the circle where a plane cuts the unit sphere; where the plane only touches, that
    /// is a point.
    struct SphereAndPlane {
        x, y, z: coordinate,
        m, g, height: parameter,
    }

    T = m * der([x, y, z])^2 / 2;
    V = m * g * x;
    holonomic sphere: [x, y, z]^2 = 1;
    holonomic plane: z = height;
}

reference_test! {
    sphere_and_plane: SphereAndPlane { m, g, height },
    Natural (q, v),
    outputs [],
    constraints ["sphere", "plane"], holonomic 2,
    coordinates ["x", "y", "z"], cyclic [false, true, true], conserved [false; 3],
    conserves_energy true, constant_mass_matrix true,
}

/// At the touching point the plane adds nothing to the sphere: that state alone is refused.
#[test]
fn constraints_that_depend_at_a_point_are_told_there() {
    let touching = SphereAndPlane {
        m: 0.7,
        g: 9.81,
        height: 1.0,
    };
    let (pole, v) = (vector![0.0, 0.0, 1.0], vector![0.2, -0.1, 0.0]);
    let dependent = Error::DependentConstraints { row: 1 };
    assert_eq!(touching.acceleration(&pole, &v), Err(dependent));
    assert_eq!(touching.solve(&pole, &v).err(), Some(dependent));
    assert_eq!(touching.constraint_forces(&pole, &v), Err(dependent));
    assert_eq!(touching.project(&pole, &v), Err(dependent));

    let cutting = SphereAndPlane {
        height: 0.6,
        ..touching
    };
    let (edge, v) = (vector![0.0, 0.8, 0.6], vector![0.5, 0.0, 0.0]);
    let a = cutting.acceleration(&edge, &v).unwrap();
    assert_close("a", &a, &vector![-9.81, -0.25 / 0.8, 0.0], 1e-13);
}

/// A plane above the sphere cannot be met.
#[test]
fn constraints_that_exclude_each_other_are_told() {
    let apart = SphereAndPlane {
        m: 0.7,
        g: 9.81,
        height: 1.2,
    };
    let error = apart.project(&vector![0.3, 0.4, 0.7], &vector![0.0, 0.0, 0.0]);
    match error {
        // At best 0.2 from the plane, or 0.44 off the sphere.
        Err(Error::NotConverged { residual }) => assert!((0.05..1.0).contains(&residual)),
        other => panic!("projected to {other:?}"),
    }
}
