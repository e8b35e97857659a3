//! Linkages that move as parallelograms, and others close to where they fold or stretch.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Error, System, lagrangian};

use crate::{NO_INPUT, Random, assert_small, projections};

lagrangian! {
    struct Windows { phi: coordinate[3], b: coordinate[2], m: parameter = 1, l: parameter = 1, g: parameter = 9.81 }
    for i in 0..3 { body { mass: m / 2, at: [i * l + l * sin(phi[i]), l * cos(phi[i])] } }
    for i in 0..2 {
        body { mass: m, at: [i * l + l * sin(phi[i]) + l * cos(b[i]) / 2, l * cos(phi[i]) + l * sin(b[i]) / 2] }
        T += m * l^2 * der(b[i])^2 / 24;
    }
    gravity [0, -g];
    for i in 0..2 {
        holonomic close: [i * l + l * sin(phi[i]) + l * cos(b[i]), l * cos(phi[i]) + l * sin(b[i])]
            = [(i + 1) * l + l * sin(phi[i + 1]), l * cos(phi[i + 1])];
    }
}

/// Projects states that are off by up to `sizes`, among velocities of about 1.
fn shake<M, const N: usize, const C: usize>(
    system: &M,
    sizes: &[f64],
    mut state: impl FnMut(&mut Random) -> SVector<f64, N>,
) where
    M: System<f64, N, N, 0, C>,
{
    let mut random = Random(1);
    for index in 0..projections() {
        let size = sizes[index % sizes.len()];
        let q = state(&mut random) + random.vector() * size;
        let v = random.vector();
        let state = system
            .project(0.0, &q, &v, &NO_INPUT)
            .unwrap_or_else(|error| panic!("{error} at {q:e} off by {size:e}"));
        assert_small(system, &state, [16.0, 16.0]);
    }
}

#[test]
fn parallelograms() {
    let windows = Windows::<f64>::default();
    let sizes = [1e-16, 1e-14, 1e-12, 1e-10, 1e-8, 1e-5];
    shake(&windows, &sizes, |random| {
        let phi = 0.4 * random.next();
        vector![phi, phi, phi, 0.0, 0.0]
    });
}

lagrangian! {
    struct FourBar { q: coordinate[3], short, long: parameter }
    let half = [short / 2, long / 2, short / 2];
    T = sum(i in 0..3, half[i]^2 * der(q[i])^2) / 2;
    holonomic across: short * cos(q[0]) + long * cos(q[1]) - short * cos(q[2]) = long;
    holonomic along: short * sin(q[0]) + long * sin(q[1]) - short * sin(q[2]) = 0;
}

/// How far positions are from the singular one, and states from these.
fn near_singular() -> impl Iterator<Item = (f64, Vec<f64>)> {
    [1e-2, 1e-4, 1e-6].into_iter().map(|distance| {
        let sizes = [1e-16, 1e-15, 1e-14, 1e-12, 1e-10, 1e-8, 1e-5];
        let sizes = sizes.into_iter().filter(|size| *size <= 0.1 * distance);
        (distance, sizes.collect())
    })
}

#[test]
fn a_stretched_and_a_folded_four_bar() {
    let linkage = FourBar::new(1.0, 2.0);
    for angle in [0.0, std::f64::consts::PI] {
        for (distance, sizes) in near_singular() {
            shake(&linkage, &sizes, |random| {
                let first = angle + distance * random.next().signum();
                vector![first, 0.0, first]
            });
        }
        let singular = vector![angle, 0.0, angle];
        let result = linkage.project(&singular, &SVector::zeros());
        assert!(
            matches!(result, Err(Error::DependentConstraints { .. })),
            "{result:?}"
        );
    }
}

lagrangian! {
    struct SliderCrank { q: coordinate[2], x: coordinate, l: parameter }
    T = der(q)^2 / 3 + der(x)^2 / 2;
    holonomic along: l * cos(q[0]) + l * cos(q[1]) = x;
    holonomic across: l * sin(q[0]) + l * sin(q[1]) = 0;
}

/// Rod and crank are of one length: where they stand upright, the slider may stay as the rod turns with the crank.
#[test]
fn a_slider_crank_that_folds() {
    let linkage = SliderCrank::new(0.7);
    let upright = std::f64::consts::FRAC_PI_2;
    for (distance, sizes) in near_singular() {
        shake(&linkage, &sizes, |random| {
            let first = upright + distance * random.next().signum();
            vector![first, -first, 1.4 * first.cos()]
        });
    }
    let result = linkage.project(&vector![upright, -upright, 0.0], &SVector::zeros());
    assert!(
        matches!(result, Err(Error::DependentConstraints { .. })),
        "{result:?}"
    );
}
