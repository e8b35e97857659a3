//! The largest sizes that parts of the state have had, by which errors are measured.

use nalgebra::{RealField, SVector};

use super::drive::Drive;
use super::pair::{Dense, Start};
use super::state::State;
use crate::math::{constant, is_finite};

#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes<S, const N: usize, const Z: usize> {
    /// The size of the coordinate of each velocity; for a rotation 1 rad.
    coordinates: SVector<S, N>,
    velocities: SVector<S, N>,
    states: SVector<S, Z>,
    /// The velocity that twice the largest kinetic energy would give each alone.
    by_energy: SVector<S, N>,
    /// For each velocity the number of its coordinate; none for a rotation.
    coordinate_of: [Option<usize>; N],
}

impl<S: RealField + Copy, const N: usize, const Z: usize> Sizes<S, N, Z> {
    /// The sizes at the start.
    pub(super) fn new<D, const NQ: usize, const K: usize>((q, v, z): &State<S, NQ, N, Z>) -> Self
    where
        D: Drive<S, NQ, N, Z, K>,
    {
        let mut coordinate_of = [None; N];
        let (mut coordinate, mut turning) = (0_usize, 0_usize);
        for (place, is_angular) in coordinate_of.iter_mut().zip(D::ANGULAR) {
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
            states: z.abs(),
            by_energy: SVector::zeros(),
            coordinate_of,
        };
        for (size, coordinate) in sizes.coordinates.iter_mut().zip(coordinate_of) {
            if let Some(coordinate) = coordinate {
                *size = q.get(coordinate).map_or(S::zero(), |q| q.abs());
            }
        }
        sizes
    }

    /// Takes the kinetic energy at the start of a step.
    pub(super) fn see_energy<D, const NQ: usize, const K: usize>(
        &mut self,
        drive: &D,
        start: &Start<S, NQ, N, Z>,
    ) where
        D: Drive<S, NQ, N, Z, K>,
    {
        let mass = drive.mass_matrix(start.t, &start.state);
        let v = &start.state.1;
        let twice = v.dot(&(mass * v)).abs();
        for (size, inertia) in self.by_energy.iter_mut().zip(mass.diagonal().iter()) {
            let speed = (twice / inertia.abs()).sqrt();
            if speed > *size && is_finite(speed) {
                *size = speed;
            }
        }
    }

    /// Takes the end of a step.
    pub(super) fn see<const NQ: usize>(&mut self, step: &Dense<S, NQ, N, Z>) {
        (self.coordinates, self.velocities, self.states) = self.with(step);
    }

    /// The sizes of coordinates, velocities and z with those at the end of a step.
    fn with<const NQ: usize>(
        &self,
        step: &Dense<S, NQ, N, Z>,
    ) -> (SVector<S, N>, SVector<S, N>, SVector<S, Z>) {
        let (q, v, z) = &step.end;
        let states = self.states.zip_map(z, |size, z| size.max(z.abs()));
        let velocities = self.velocities.zip_map(v, |size, v| size.max(v.abs()));
        let mut coordinates = self.coordinates;
        let moved = step.moved.iter().zip(self.coordinate_of);
        for (size, (moved, coordinate)) in coordinates.iter_mut().zip(moved) {
            if let Some(q) = coordinate.and_then(|coordinate| q.get(coordinate)) {
                *size = size.max(moved.abs()).max(q.abs());
            }
        }
        (coordinates, velocities, states)
    }

    /// The largest error of a step in parts of the one that the tolerance allows; infinite if one is not finite.
    pub(super) fn error<const NQ: usize>(&self, step: &Dense<S, NQ, N, Z>, tolerance: S) -> S {
        let (coordinates, velocities, states) = self.with(step);
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
        let (of_coordinates, of_velocities, of_states) = &step.errors;
        for i in 0..N {
            judge(of_coordinates[i], coordinates[i], self.by_energy[i] * h);
            judge(of_velocities[i], velocities[i], self.by_energy[i]);
        }
        for i in 0..Z {
            // z may be at 0 at the start, and be small beside what its rate gives it in the step.
            let change = (step.rates.1[i] * step.h).abs();
            judge(of_states[i], states[i].max(change), S::zero());
        }
        largest
    }

    /// The largest estimated error of a step.
    pub(super) fn largest<const NQ: usize>(&self, step: &Dense<S, NQ, N, Z>) -> S {
        let (of_coordinates, of_velocities, of_states) = &step.errors;
        let largest = of_coordinates.amax().max(of_velocities.amax());
        largest.max(of_states.amax())
    }

    /// A first length: a hundredth of the time in which a part of the state changes by its size. Without any size a
    /// thousandth of the time that is left, or 1.
    pub(super) fn first<const NQ: usize>(&self, start: &Start<S, NQ, N, Z>, left: Option<S>) -> S {
        let mut shortest: Option<S> = None;
        let mut see = |size: S, rate: S| {
            let time = size / rate.abs();
            if time > S::zero() && is_finite(time) && shortest.is_none_or(|known| time < known) {
                shortest = Some(time);
            }
        };
        for i in 0..N {
            see(self.coordinates[i], start.state.1[i]);
            see(self.velocities[i], start.rates.0[i]);
        }
        for i in 0..Z {
            see(self.states[i], start.rates.1[i]);
        }
        match (shortest, left) {
            (Some(time), _) => time * constant(0.01),
            (None, Some(left)) => left.abs() * constant(0.001),
            (None, None) => S::one(),
        }
    }

    /// The length, or a shorter one in which no rotation turns by more than about 1 rad.
    pub(super) fn at_most_a_turn<D, const NQ: usize, const K: usize>(
        &self,
        v: &SVector<S, N>,
        h: S,
    ) -> S
    where
        D: Drive<S, NQ, N, Z, K>,
    {
        let mut fastest = S::zero();
        for (v, is_angular) in v.iter().zip(D::ANGULAR) {
            if is_angular {
                fastest = fastest.max(v.abs());
            }
        }
        let longest = constant::<S>(1.0) / fastest;
        if longest < h { longest } else { h }
    }
}
