//! Names, arguments and values of the methods beside outputs, by type.

use lagrangian::nalgebra::{SMatrix, SVector};
use lagrangian::{Derivatives, Pose, lagrangian};

lagrangian! {
    struct Plain { x, y: coordinate, m: parameter = 1, f, g: input }
    T = m * (der(x)^2 + der(y)^2) / 2;
    Q.x = f;
    pub frame hand = world.translate([x, 0, y]);
    // Used as any frame is, also in another output frame.
    pub frame tip = hand.rotate(y, x);
    pub let place = hand.origin + tip.vector([1, 0, 0]);
    #[hessian]
    pub let height = x * y;
    #[hessian]
    pub let effort = f^2 + g * der(y);
    pub let r#type = g * x;
    pub let table = [[x, y], [y, x]];
}

type Vector<const N: usize> = SVector<f64, N>;

#[test]
fn types() {
    let plain = Plain::<f64>::default();
    let (q, v, u) = (
        Vector::from([1.0, 2.0]),
        Vector::from([3.0, 4.0]),
        Vector::from([5.0, 6.0]),
    );
    let pose: Pose<f64> = plain.hand(&q);
    assert_eq!(pose.origin, Vector::from([1.0, 0.0, 2.0]));
    let velocity: Vector<6> = plain.tip_velocity(&q, &v);
    assert_eq!(velocity, Vector::from([3.0, 0.0, 4.0, 0.0, 3.0, 0.0]));
    let jacobian: SMatrix<f64, 6, 2> = plain.tip_jacobian(&q);
    assert_eq!(jacobian * v, velocity);
    let bias: Vector<6> = plain.hand_bias(&q, &v);
    assert_eq!(bias, Vector::<6>::zeros());

    let rate: Vector<3> = plain.place_rate(&q, &v);
    let _: Vector<3> = plain.place_bias(&q, &v);
    let _: SMatrix<f64, 3, 2> = plain.place_jacobian(&q);
    assert_eq!(rate.len(), 3);

    let _: f64 = plain.height_rate(&q, &v);
    assert_eq!(plain.height_bias(&q, &v), 2.0 * 3.0 * 4.0);
    let derivatives: Derivatives<f64, 1, 2, 2> = plain.height_derivatives(&q, &v);
    assert_eq!(derivatives.q, SMatrix::from([[2.0], [1.0]]));
    assert_eq!(
        (derivatives.v, derivatives.u),
        (SMatrix::zeros(), SMatrix::zeros())
    );
    let hessian: SMatrix<f64, 6, 6> = plain.height_hessian(&q, &v);
    assert_eq!(
        (hessian[(0, 1)], hessian[(1, 0)], hessian.sum()),
        (1.0, 1.0, 2.0)
    );

    let derivatives: Derivatives<f64, 1, 2, 2> = plain.effort_derivatives(&q, &v, &u);
    assert_eq!(derivatives.v, SMatrix::from([[0.0], [6.0]]));
    assert_eq!(derivatives.u, SMatrix::from([[10.0], [4.0]]));
    let hessian: SMatrix<f64, 6, 6> = plain.effort_hessian(&q, &v, &u);
    assert_eq!(
        (hessian[(4, 4)], hessian[(3, 5)], hessian.sum()),
        (2.0, 1.0, 4.0)
    );
    let derivatives: Derivatives<f64, 1, 2, 2> = plain.type_derivatives(&q, &v, &u);
    assert_eq!(derivatives.q, SMatrix::from([[6.0], [0.0]]));
    assert_eq!(plain.table(&q)[(0, 1)], 2.0);
}

lagrangian! {
    struct WithoutInputs { x: coordinate, m: parameter = 1 }
    T = m * der(x)^2 / 2;
    pub let speed = der(x)^2;
}

#[test]
fn without_inputs_there_are_no_columns_for_them() {
    let system = WithoutInputs::<f64>::default();
    let (q, v) = (Vector::from([1.0]), Vector::from([3.0]));
    let derivatives: Derivatives<f64, 1, 1, 0> = system.speed_derivatives(&q, &v);
    assert_eq!((derivatives.q[0], derivatives.v[0]), (0.0, 6.0));
}
