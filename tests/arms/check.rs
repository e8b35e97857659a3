//! Compares an arm of seven joints with its data file.

/// Declares the tests of an arm: `name: Struct`, with the data files `data/<name>.txt` and
/// `data/<name>_hand.txt`.
macro_rules! arm_test {
    ($name:ident: $arm:ident) => {
        mod $name {
            use crate::$name::$arm;

            #[test]
            fn agrees_with_recursion() {
                let text = include_str!(concat!("data/", stringify!($name), ".txt"));
                for case in $crate::reference::Case::parse(stringify!($name), text) {
                    let arm = $arm::<f64>::default();
                    let [q, v, a, u] = ["q", "v", "a", "u"].map(|name| case.vector(name));
                    case.compare("mass_matrix", &arm.mass_matrix(&q));
                    case.compare("bias", &arm.bias(&q, &v));
                    case.compare("inverse_dynamics", &arm.inverse_dynamics(&q, &v, &a));
                    let acceleration = arm.acceleration(&q, &v, &u);
                    case.compare("acceleration", &acceleration.expect("a regular system"));
                    case.finish();
                }
            }

            #[test]
            fn the_hand_agrees_with_pinocchio() {
                let text = include_str!(concat!("data/", stringify!($name), "_hand.txt"));
                for case in $crate::reference::Case::parse(stringify!($name), text) {
                    let arm = $arm::<f64>::default();
                    let [q, v] = ["q", "v"].map(|name| case.vector(name));
                    let lagrangian::Pose { origin, rotation } = arm.hand(&q);
                    case.compare("origin", &origin);
                    case.compare("rotation", &rotation);
                    case.compare("velocity", &arm.hand_velocity(&q, &v));
                    case.compare("jacobian", &arm.hand_jacobian(&q));
                    case.compare("bias", &arm.hand_bias(&q, &v));
                    case.finish();
                }
            }

            #[test]
            fn derivatives_agree_with_pinocchio() {
                let name = concat!(stringify!($name), "_derivatives");
                let text = include_str!(concat!("data/", stringify!($name), "_derivatives.txt"));
                for case in $crate::reference::Case::parse(name, text) {
                    let arm = $arm::<f64>::default();
                    let [q, v, a, u] = ["q", "v", "a", "u"].map(|name| case.vector(name));
                    let (by_q, by_v) = arm.inverse_dynamics_derivatives(&q, &v, &a);
                    case.compare("inverse_by_q", &by_q);
                    case.compare("inverse_by_v", &by_v);
                    let by = arm
                        .acceleration_derivatives(&q, &v, &u)
                        .expect("a regular system");
                    case.compare("forward_by_q", &by.q);
                    case.compare("forward_by_v", &by.v);
                    case.compare("forward_by_u", &by.u);
                    case.finish();
                }
            }

            /// Torques that balance the bias, and `inverse_dynamics`, say that acceleration again.
            #[test]
            fn inverse_dynamics_undoes_acceleration() {
                let arm = $arm::<f64>::default();
                let q = [0.4, -0.7, 1.1, -1.9, 0.3, 1.6, -0.8].into();
                let v = [0.9, -1.3, 0.2, 1.7, -0.6, 0.8, -2.1].into();
                let u = [30.0, -20.0, 10.0, 15.0, -5.0, 2.0, 1.0].into();
                let a = arm.acceleration(&q, &v, &u).expect("a regular system");
                let torques = arm.inverse_dynamics(&q, &v, &a);
                $crate::support::assert_close("M a + h", &torques, &u, 1e-11);
            }
        }
    };
}

arm_test! { iiwa: Iiwa }
arm_test! { panda: Panda }
