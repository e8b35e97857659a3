//! States that no step brings onto their constraints, and steps that have to be halved often.

use lagrangian::nalgebra::{SVector, Vector1, vector};
use lagrangian::{Error, lagrangian};
use num_dual::Dual64;

lagrangian! {
    struct Jumping { x: coordinate }
    T = der(x)^2 / 2;
    holonomic jump: x + sign(x) = 0;
}

/// At 0 it is met; off 0 the residual is 1 and more, however near.
#[test]
fn a_jump_over_zero() {
    let rest = Vector1::zeros();
    let jumping = Jumping::<f64>::default();
    assert_eq!(
        jumping.project(&vector![0.0], &rest),
        Ok((vector![0.0], rest))
    );
    for x in [1e-300, -1e-17, 1e-8, -0.3, 2.0, 1e5] {
        match jumping.project(&vector![x], &rest) {
            // A step may hit it.
            Ok((q, _)) => assert_eq!(q[0], 0.0, "{x:e}"),
            Err(error) => assert!(
                matches!(error, Error::NotConverged { residual } if residual >= 1.0),
                "{x:e}: {error}"
            ),
        }
    }
}

lagrangian! {
    struct Unreachable { x: coordinate }
    T = der(x)^2 / 2;
    holonomic sine: sin(x) = 2;
}

lagrangian! {
    struct Linkage { q: coordinate[2], bar, base: parameter }
    T = bar^2 * der(q)^2 / 2;
    holonomic across: bar * cos(q[0]) + bar * cos(q[1]) = base;
    holonomic along: bar * sin(q[0]) + bar * sin(q[1]) = 0;
}

#[test]
fn rows_without_a_solution() {
    for x in [0.0, 1.5, -2.0, 1e3] {
        let result = Unreachable::<f64>::default().project(&vector![x], &Vector1::zeros());
        let is_right = matches!(result, Err(Error::NotConverged { residual }) if residual > 0.99);
        assert!(is_right, "{x}: {result:?}");
    }
    // Longer than both bars by 1e-6 to all that there is.
    for excess in [1e-6, 1e-3, 1.0, 100.0] {
        let linkage = Linkage::new(1.0, 2.0 + excess);
        for q in [[0.1, -0.1], [0.5, 0.3], [1e-4, -1e-4], [2.0, 1.0]] {
            let result = linkage.project(&q.into(), &SVector::zeros());
            let least = 0.99 * excess;
            let is_right =
                matches!(result, Err(Error::NotConverged { residual }) if residual > least);
            assert!(is_right, "{excess:e} from {q:?}: {result:?}");
        }
    }
}

lagrangian! {
    struct Circle { x, y: coordinate }
    T = der([x, y])^2 / 2;
    holonomic round: x^2 + y^2 = 1;
}

/// Close to the centre a step is as long as its inverse distance from it.
#[test]
fn steps_that_are_halved_often() {
    let circle = Circle::<f64>::default();
    for x in [1e-3, 1e-7, 1e-8, 1e-12, 1e-40, 1e-100] {
        let (q, v) = circle
            .project(&vector![x, 0.0], &vector![1.0, 1.0])
            .expect("near");
        assert!((q[0] - 1.0).abs() < 1e-15 && q[1] == 0.0, "{x:e}: {q}");
        assert!(v[0].abs() < 1e-15 && v[1] == 1.0, "{x:e}: {v}");
    }
}

/// Rounding is relative to the scalar, and derivatives are those of the nearest point from any start.
#[test]
fn other_scalars() {
    let (q, v) = Circle::<f32>::default()
        .project(&vector![0.7, 0.9], &vector![1.0, 2.0])
        .expect("near");
    assert!((q.norm() - 1.0).abs() < 1e-6 && q.dot(&v).abs() < 1e-6);
    for length in [1.0, 1.0 + 1e-9, 0.3] {
        let x = Dual64::from_re(0.6 * length).derivative();
        let q = vector![x, Dual64::from_re(0.8 * length)];
        let v = vector![Dual64::from_re(0.0), Dual64::from_re(0.0)];
        let (q, _) = Circle::<Dual64>::default().project(&q, &v).expect("near");
        // x / |x|, by the first coordinate.
        let expected = [0.64 / length, -0.48 / length];
        for (entry, expected) in q.iter().zip(expected) {
            assert!(
                (entry.eps - expected).abs() < 1e-12 / length,
                "{length}: {q}"
            );
        }
    }
}
