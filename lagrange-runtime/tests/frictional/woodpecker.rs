//! The woodpecker toy of Ch. Glocker, *Dynamik von Starrkörpersystemen mit Reibung und Stössen* (VDI, 1995).

use lagrange_runtime::nalgebra::{Matrix3, SMatrix, SVector, Vector3, matrix, vector};

use super::model::{Model, Touch};

const SLEEVE: (f64, f64) = (0.0003, 5e-9);
const BIRD: (f64, f64) = (0.0045, 7e-7);
const SPRING: f64 = 0.0056;
const POLE: f64 = 0.0025;
const INNER: f64 = 0.0031;
const HALF_HEIGHT: f64 = 0.0058;
const TO_SPRING: f64 = 0.010;
const TO_BIRD: f64 = 0.015;
const BEAK: (f64, f64) = (0.02, 0.0201);
const G: f64 = 9.81;

pub(super) type Woodpecker = Model<'static, 3, 0, 3, 0, 1>;

fn mass() -> Matrix3<f64> {
    let (m, j) = BIRD;
    let (first, second) = (m * TO_SPRING, m * TO_BIRD);
    matrix![
        SLEEVE.0 + m, first, second;
        first, SLEEVE.1 + first * TO_SPRING, first * TO_BIRD;
        second, first * TO_BIRD, j + second * TO_BIRD
    ]
}

fn forcing(q: &Vector3<f64>) -> Vector3<f64> {
    let twist = SPRING * (q[2] - q[1]);
    let weight = BIRD.0 * G;
    vector![
        -weight - SLEEVE.0 * G,
        -weight * TO_SPRING + twist,
        -weight * TO_BIRD - twist
    ]
}

fn touch(q: &Vector3<f64>, v: &Vector3<f64>) -> Touch<3, 3> {
    let play = INNER - POLE;
    let touch = Touch {
        gaps: vector![
            TO_SPRING + TO_BIRD - BEAK.1 - POLE - BEAK.0 * q[2],
            play + HALF_HEIGHT * q[1],
            play - HALF_HEIGHT * q[1]
        ],
        jacobian: matrix![0.0, 0.0, -BEAK.0; 0.0, HALF_HEIGHT, 0.0; 0.0, -HALF_HEIGHT, 0.0],
        friction: SVector::repeat(0.3),
        restitution: vector![0.5, 0.0, 0.0],
        ..Touch::none()
    };
    let slips = matrix![1.0, TO_SPRING, TO_BIRD - BEAK.1; 1.0, INNER, 0.0; 1.0, INNER, 0.0];
    touch.slides([slips, SMatrix::zeros()], v)
}

/// Mass, forces and contacts. Gaps are sums of lengths of centimetres, rates those of velocities of some m/s.
pub(super) fn woodpecker() -> Woodpecker {
    Model {
        mass: &|_| mass(),
        forcing: &|_, q, _| forcing(q),
        touch: &|_, q, v| touch(q, v),
        rows: SMatrix::zeros(),
        limits: SVector::zeros(),
        bound: 1e-17,
    }
}

pub(super) const START: (Vector3<f64>, Vector3<f64>) = (
    vector![0.0, -0.1036, -0.2788],
    vector![-0.3411, 0.0, -7.4583],
);
