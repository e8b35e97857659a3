//! Both arms with their inertial parameters, ten for each link, and their regressors against Pinocchio's
//! `computeJointTorqueRegressor`.
//!
//! The values in `tests/arms/data/*_regressor.txt` are written by `tests/arms/regressor.py`.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SMatrix, SVector};

use crate::reference::Case;
use crate::support::assert_within;

/// An arm of seven joints about the z axes of its links: the place and the axes of each in those of the one
/// before. Two particles whose masses add up to nothing have a first moment alone, so that `c` is a mass
/// times the place of its centre, and `j` the inertia about the origin.
macro_rules! identified_arm {
    ($name:ident { $($link:literal: $place:tt $turn:tt,)* }) => {
        lagrangian! {
            #[derive(Clone)]
            struct $name {
                q: coordinate[7],
                m: parameter[7],
                c: parameter[7, 3],
                j: parameter[7, 6],
            }
            frame mut F = world;
            $(
                F = F.translate($place).orient($turn).rotate(z, q[$link]);
                body {
                    frame: F,
                    mass: m[$link],
                    inertia: [
                        [j[$link, 0], j[$link, 1], j[$link, 3]],
                        [j[$link, 1], j[$link, 2], j[$link, 4]],
                        [j[$link, 3], j[$link, 4], j[$link, 5]],
                    ],
                }
                for i in 0..3 {
                    body { frame: F, mass: c[$link, i] / 2, at: identity(3)[i] }
                    body { frame: F, mass: -c[$link, i] / 2, at: -identity(3)[i] }
                }
            )*
            gravity [0, 0, -9.81];
            regressor identify { m, c, j }
        }
    };
}

identified_arm! {
    Iiwa {
        0: [0, 0, 0.1575] [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        1: [0, 0, 0.2025] [[-1, 0, 0], [0, 0, 1], [0, 1, 0]],
        2: [0, 0.2045, 0] [[-1, 0, 0], [0, 0, 1], [0, 1, 0]],
        3: [0, 0, 0.2155] [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        4: [0, 0.1845, 0] [[-1, 0, 0], [0, 0, 1], [0, 1, 0]],
        5: [0, 0, 0.2155] [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        6: [0, 0.081, 0] [[-1, 0, 0], [0, 0, 1], [0, 1, 0]],
    }
}

identified_arm! {
    Panda {
        0: [0, 0, 0.333] [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        1: [0, 0, 0] [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
        2: [0, -0.316, 0] [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        3: [0.0825, 0, 0] [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        4: [-0.0825, 0.384, 0] [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
        5: [0, 0, 0] [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        6: [0.088, 0, 0] [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
    }
}

/// The column that is the entry of a link in Pinocchio's order: mass, first moments, I_xx, I_xy, I_yy, I_xz,
/// I_yz, I_zz. Here all masses come first, then all first moments, then the inertias in the same order.
fn column(link: usize, entry: usize) -> usize {
    match entry {
        0 => link,
        1..4 => 7 + 3 * link + entry - 1,
        _ => 28 + 6 * link + entry - 4,
    }
}

fn in_order_of_pinocchio(y: &SMatrix<f64, 7, 70>) -> SMatrix<f64, 7, 70> {
    SMatrix::from_fn(|row, at| y[(row, column(at / 10, at % 10))])
}

/// Some parameters, in the order of the columns.
fn theta() -> SVector<f64, 70> {
    SVector::from_fn(|i, _| (1.0 + 2.0 * i as f64).sin())
}

macro_rules! regressor_test {
    ($test:ident: $arm:ident, $data:literal) => {
        #[test]
        fn $test() {
            for case in Case::parse(
                $data,
                include_str!(concat!("data/", $data, "_regressor.txt")),
            ) {
                let [q, v, a] = ["q", "v", "a"].map(|name| case.vector(name));
                // Y does not depend on the parameters: not finite where it would read them.
                let unknown = $arm {
                    m: [f64::NAN; 7],
                    c: [[f64::NAN; 3]; 7],
                    j: [[f64::NAN; 6]; 7],
                };
                let y = unknown.identify(&q, &v, &a);
                case.compare("regressor", &in_order_of_pinocchio(&y));
                case.finish();
                // Y theta = M a + h
                let theta = theta();
                let arm = $arm {
                    m: std::array::from_fn(|i| theta[i]),
                    c: std::array::from_fn(|i| std::array::from_fn(|k| theta[7 + 3 * i + k])),
                    j: std::array::from_fn(|i| std::array::from_fn(|k| theta[28 + 6 * i + k])),
                };
                let (found, expected) = (y * theta, arm.inverse_dynamics(&q, &v, &a));
                assert_within("Y theta", found.as_slice(), expected.as_slice(), 1e-12);
            }
        }
    };
}

regressor_test! { iiwa: Iiwa, "iiwa" }
regressor_test! { panda: Panda, "panda" }

/// W. Khalil, J.-F. Kleinfinger, "Minimum operations and minimum parameters of the dynamic models of tree structure robots",
/// *IEEE J. Robotics and Automation* 3, 1987.
#[test]
fn forty_three_combinations() {
    assert_eq!((Iiwa::IDENTIFY_RANK, Panda::IDENTIFY_RANK), (43, 43));
}
