//! The largest sizes that parts of the state have had, by which errors are judged.

use nalgebra::{RealField, SVector};

use super::pair::{Dense, Start};
use crate::{
    System,
    math::{constant, is_finite},
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes<S, const N: usize> {
    /// The size of the coordinate of each velocity; for a rotation 1 rad.
    coordinates: SVector<S, N>,
    velocities: SVector<S, N>,
    /// The velocity that twice the largest kinetic energy would give each alone.
    by_energy: SVector<S, N>,
    /// For each velocity the number of its coordinate; none for a rotation.
    coordinate_of: [Option<usize>; N],
}

impl<S: RealField + Copy, const N: usize> Sizes<S, N> {
    /// The sizes at the start.
    pub(super) fn new<M, const NQ: usize, const K: usize, const C: usize>(
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
    ) -> Self
    where
        M: System<S, NQ, N, K, C>,
    {
        let mut coordinate_of = [None; N];
        let (mut coordinate, mut turning) = (0_usize, 0_usize);
        for (place, is_angular) in coordinate_of.iter_mut().zip(M::ANGULAR) {
            if is_angular {
                turning = turning.wrapping_add(1) % 3;
                // Four coordinates for three velocities.
                coordinate = coordinate.wrapping_add(if turning == 0 { 2 } else { 1 });
            } else {
                *place = Some(coordinate);
                coordinate = coordinate.wrapping_add(1);
            }
        }
        let mut sizes = Self {
            coordinates: SVector::repeat(S::one()),
            velocities: v.abs(),
            by_energy: SVector::zeros(),
            coordinate_of,
        };
        let places = sizes.coordinates.iter_mut();
        for (size, coordinate) in places.zip(coordinate_of) {
            if let Some(coordinate) = coordinate {
                *size = q.get(coordinate).map_or(S::zero(), |q| q.abs());
            }
        }
        sizes
    }

    /// Takes the kinetic energy at the start of a step.
    pub(super) fn see_energy<M, const NQ: usize, const K: usize, const C: usize>(
        &mut self,
        system: &M,
        start: &Start<S, NQ, N>,
    ) where
        M: System<S, NQ, N, K, C>,
    {
        let mass = system.mass_matrix(start.t, &start.q, &start.v, &SVector::zeros());
        let twice = start.v.dot(&(mass * start.v)).abs();
        for (size, inertia) in self.by_energy.iter_mut().zip(mass.diagonal().iter()) {
            let speed = (twice / inertia.abs()).sqrt();
            if speed > *size && is_finite(speed) {
                *size = speed;
            }
        }
    }

    /// Takes the end of a step.
    pub(super) fn see<const NQ: usize>(&mut self, step: &Dense<S, NQ, N>) {
        (self.coordinates, self.velocities) = self.with(step);
    }

    /// The sizes of coordinates and velocities with those at the end of a step.
    fn with<const NQ: usize>(&self, step: &Dense<S, NQ, N>) -> (SVector<S, N>, SVector<S, N>) {
        let (q, v) = &step.end;
        let velocities = self.velocities.zip_map(v, |size, v| size.max(v.abs()));
        let mut coordinates = self.coordinates;
        let moved = step.moved.iter().zip(self.coordinate_of);
        for (size, (moved, coordinate)) in coordinates.iter_mut().zip(moved) {
            if let Some(q) = coordinate.and_then(|coordinate| q.get(coordinate)) {
                *size = size.max(moved.abs()).max(q.abs());
            }
        }
        (coordinates, velocities)
    }

    /// The largest error of a step in parts of the one that the tolerance allows; infinite if one is not finite.
    pub(super) fn error<const NQ: usize>(&self, step: &Dense<S, NQ, N>, tolerance: S) -> S {
        let (coordinates, velocities) = self.with(step);
        let rounding = S::default_epsilon() * constant(8.0);
        let h = step.h.abs();
        let mut largest = S::zero();
        let mut judge = |error: S, size: S, by_energy: S| {
            let allowed = tolerance * size + rounding * (size + by_energy);
            // An error of 0 may be a part of 0.
            if !error.is_zero() {
                let part = error.abs() / allowed;
                let part = if is_finite(part) {
                    part
                } else {
                    constant(f64::INFINITY)
                };
                largest = largest.max(part);
            }
        };
        let (of_coordinates, of_velocities) = &step.errors;
        for i in 0..N {
            judge(of_coordinates[i], coordinates[i], self.by_energy[i] * h);
            judge(of_velocities[i], velocities[i], self.by_energy[i]);
        }
        largest
    }

    /// The largest estimated error of a step.
    pub(super) fn largest<const NQ: usize>(&self, step: &Dense<S, NQ, N>) -> S {
        step.errors.0.amax().max(step.errors.1.amax())
    }

    /// A first length: a hundredth of the time in which a part of the state changes by its size. Without any size a
    /// thousandth of the time that is left, or 1.
    pub(super) fn first<const NQ: usize>(&self, start: &Start<S, NQ, N>, left: Option<S>) -> S {
        let mut shortest: Option<S> = None;
        let mut see = |size: S, rate: S| {
            let time = size / rate.abs();
            if time > S::zero() && is_finite(time) && shortest.is_none_or(|known| time < known) {
                shortest = Some(time);
            }
        };
        for i in 0..N {
            see(self.coordinates[i], start.v[i]);
            see(self.velocities[i], start.a[i]);
        }
        match (shortest, left) {
            (Some(time), _) => time * constant(0.01),
            (None, Some(left)) => left.abs() * constant(0.001),
            (None, None) => S::one(),
        }
    }

    /// The length, or a shorter one in which no rotation turns by more than about 1 rad.
    pub(super) fn at_most_a_turn<M, const NQ: usize, const K: usize, const C: usize>(
        &self,
        v: &SVector<S, N>,
        h: S,
    ) -> S
    where
        M: System<S, NQ, N, K, C>,
    {
        let mut fastest = S::zero();
        for (v, is_angular) in v.iter().zip(M::ANGULAR) {
            if is_angular {
                fastest = fastest.max(v.abs());
            }
        }
        let longest = constant::<S>(1.0) / fastest;
        if longest < h { longest } else { h }
    }
}
