//! The ends of steps.

use nalgebra::SVector;

/// The end of a step of [`Run`](super::Run).
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Advance, Event, nalgebra::vector};
///
/// let step = Advance { t: 0.5, q: vector![1.0], v: vector![-2.0], event: Some(Event::Zero(0)) };
/// assert!(matches!(step.event, Some(Event::Zero(0))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advance<S, const NQ: usize, const N: usize> {
    /// The time.
    pub t: S,
    /// The coordinates, after the event.
    pub q: SVector<S, NQ>,
    /// The velocities, after the event.
    pub v: SVector<S, N>,
    /// The event that ended the step.
    pub event: Option<Event>,
}

/// An event that ends a step of [`Run`](super::Run).
///
/// # Examples
///
/// ```
/// use lagrange_runtime::Event;
///
/// assert_ne!(Event::Zero(0), Event::Zero(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The function of this number, in the order of the calls of [`Run::event`](super::Run::event), has changed its sign.
    Zero(usize),
    /// The contact of this number closes: it strikes, and may bounce.
    Closes(usize),
    /// The contact of this number opens.
    Opens(usize),
    /// The contact of this number sticks after it has slid.
    Sticks(usize),
    /// The contact of this number begins to slide, or slides backwards.
    Slides(usize),
    /// The dry joint of this number stops, and friction holds it.
    Holds(usize),
    /// The dry joint of this number begins to move, or moves backwards.
    Moves(usize),
}
