//! Curves through points: piecewise polynomials of degree 3 at most.
//!
//! All of them go on outside of their points along the line of the end's value and slope: two pieces more, so that no
//! evaluation needs a special case.

mod akima;
mod chords;
mod pchip;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use self::chords::Chords;
use crate::Complex;

/// The kinds of curves through points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CurveKind {
    /// Straight lines from point to point.
    Table,
    /// A monotone cubic interpolation, with the slopes of Fritsch and Butland, "A method for constructing local monotone
    /// piecewise cubic interpolants", *SIAM J. Sci. Stat. Comput.* 5, 1984.
    Pchip,
    /// The interpolation of Akima, "A new method of interpolation and smooth curve fitting based on local procedures",
    /// *J. ACM* 17, 1970.
    Akima,
    /// The natural cubic spline.
    Spline,
    /// A uniform cubic B-spline.
    Bspline,
}

impl CurveKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Table,
        Self::Pchip,
        Self::Akima,
        Self::Spline,
        Self::Bspline,
    ];

    /// The name in declarations and in text.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Pchip => "pchip",
            Self::Akima => "akima",
            Self::Spline => "spline",
            Self::Bspline => "bspline",
        }
    }

    /// The order of the last derivative that has no jumps between the points.
    pub fn smoothness(self) -> u8 {
        match self {
            Self::Table => 0,
            Self::Pchip | Self::Akima => 1,
            Self::Spline | Self::Bspline => 2,
        }
    }

    /// The smallest number of points, or of control values.
    pub fn fewest(self) -> usize {
        match self {
            Self::Table | Self::Pchip | Self::Spline => 2,
            Self::Akima | Self::Bspline => 4,
        }
    }
}

/// A piecewise polynomial, or the knots of a B-spline whose control values are expressions.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    kind: CurveKind,
    breaks: Box<[f64]>,
    is_uniform: bool,
    /// One more than breaks; none for a B-spline of control values.
    pieces: Box<[[f64; 4]]>,
}

// Neither breaks nor coefficients are NaN.
impl Eq for Curve {}

impl Hash for Curve {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.kind, self.breaks.len()).hash(state);
        for number in self.breaks.iter().chain(self.pieces.iter().flatten()) {
            // 0 and -0 are equal.
            (number + 0.0).to_bits().hash(state);
        }
    }
}

impl Curve {
    /// The curve through the points (x, y), with x in ascending order. `None` if there are too few, or if a coefficient
    /// is not finite.
    ///
    /// ```
    /// use lagrange_engine::{Curve, CurveKind};
    /// let line = Curve::through(CurveKind::Table, &[0.0, 1.0, 2.0], &[0.0, 2.0, 2.0], false).unwrap();
    /// assert_eq!([-1.0, 0.5, 3.0].map(|x| line.value(0, x, &[])), [-2.0, 1.0, 2.0]);
    /// assert_eq!(line.value(1, 1.0, &[]), 0.0);
    /// ```
    pub fn through(kind: CurveKind, xs: &[f64], ys: &[f64], is_uniform: bool) -> Option<Self> {
        let is_ascending = xs.windows(2).all(|pair| pair[0] < pair[1]);
        if xs.len() != ys.len() || xs.len() < kind.fewest() || !is_ascending {
            return None;
        }
        let chords = Chords::new(xs, ys);
        let inner = match kind {
            CurveKind::Table => ys
                .iter()
                .zip(&chords.slopes)
                .map(|(y, slope)| [*y, *slope, 0.0, 0.0])
                .collect(),
            CurveKind::Pchip => chords.hermite(ys, &pchip::slopes(&chords)),
            CurveKind::Akima => chords.hermite(ys, &akima::slopes(&chords)),
            CurveKind::Spline => chords.natural_spline(ys),
            CurveKind::Bspline => return None,
        };
        Self::of_pieces(kind, xs.to_vec(), is_uniform, inner, ys[ys.len() - 1])
    }

    /// The knots of a uniform cubic B-spline on [a, b] with this number of control values, of at least four.
    pub fn knots(from: f64, to: f64, controls: usize) -> Option<Self> {
        let breaks = equally_spaced(from, to, controls.checked_sub(2)?)?;
        (breaks.len() >= 2).then(|| Self {
            kind: CurveKind::Bspline,
            breaks: breaks.into(),
            is_uniform: true,
            pieces: Box::default(),
        })
    }

    /// The uniform cubic B-spline on [a, b] of these control values.
    ///
    /// ```
    /// let line = lagrange_engine::Curve::bspline(0.0, 2.0, &[-1.0, 0.0, 1.0, 2.0, 3.0]).unwrap();
    /// assert_eq!(line.value(1, 0.7, &[]), 1.0);
    /// ```
    pub fn bspline(from: f64, to: f64, controls: &[f64]) -> Option<Self> {
        let knots = Self::knots(from, to, controls.len())?;
        let scale = knots.scale();
        let inner = controls
            .windows(4)
            .map(|near| by_controls([near[0], near[1], near[2], near[3]], scale));
        let last = &controls[controls.len() - 3..];
        let end = by_controls([last[0], last[1], last[2], 0.0], scale)[0];
        let breaks = knots.breaks.into_vec();
        Self::of_pieces(CurveKind::Bspline, breaks, true, inner.collect(), end)
    }

    /// The curve B with which a control value enters a B-spline of these knots. It is as long as it is not 0.
    pub(crate) fn basis(&self, control: usize) -> Option<Self> {
        let count = self.breaks.len() + 2;
        let (first, last) = (control.saturating_sub(4), (control + 5).min(count));
        let is_control = |number: usize| if number == control { 1.0 } else { 0.0 };
        let scale = self.scale();
        let near: Vec<f64> = (first..last).map(is_control).collect();
        let inner = near
            .windows(4)
            .map(|near| by_controls([near[0], near[1], near[2], near[3]], scale));
        let breaks = self.breaks[first..last - 2].to_vec();
        let end = by_controls(
            [
                near[near.len() - 3],
                near[near.len() - 2],
                near[near.len() - 1],
                0.0,
            ],
            scale,
        )[0];
        Self::of_pieces(CurveKind::Bspline, breaks, true, inner.collect(), end)
    }

    /// The pieces between the breaks, and the lines outside.
    fn of_pieces(
        kind: CurveKind,
        breaks: Vec<f64>,
        is_uniform: bool,
        inner: Vec<[f64; 4]>,
        end: f64,
    ) -> Option<Self> {
        let (first, last) = (*inner.first()?, *inner.last()?);
        let length = breaks[breaks.len() - 1] - breaks[breaks.len() - 2];
        let slope = derivative(last, 1, length);
        let mut pieces = vec![[first[0], first[1], 0.0, 0.0]];
        pieces.extend(inner);
        pieces.push([end, slope, 0.0, 0.0]);
        let is_finite = pieces.iter().flatten().all(|number| number.is_finite());
        is_finite.then(|| Self {
            kind,
            breaks: breaks.into(),
            is_uniform,
            pieces: pieces.into(),
        })
    }

    /// The curve of these parts, if they fit together.
    pub(crate) fn of_parts(
        kind: CurveKind,
        breaks: &[f64],
        is_uniform: bool,
        pieces: &[[f64; 4]],
    ) -> Option<Self> {
        let is_ascending = breaks.windows(2).all(|pair| pair[0] < pair[1]);
        let is_finite = breaks
            .iter()
            .chain(pieces.iter().flatten())
            .all(|x| x.is_finite());
        let is_free = pieces.is_empty() && kind == CurveKind::Bspline && is_uniform;
        let fits = breaks.len() >= 2 && (is_free || pieces.len() == breaks.len() + 1);
        (is_ascending && is_finite && fits).then(|| Self {
            kind,
            breaks: breaks.into(),
            is_uniform,
            pieces: pieces.into(),
        })
    }

    /// The kind.
    pub fn kind(&self) -> CurveKind {
        self.kind
    }

    /// The places where pieces meet, in ascending order.
    pub fn breaks(&self) -> &[f64] {
        &self.breaks
    }

    /// The coefficients of each piece in x less its left end, of the constant first; of the first piece, left of all
    /// breaks, in x less the first break. None for a B-spline whose control values are expressions.
    pub fn pieces(&self) -> &[[f64; 4]] {
        &self.pieces
    }

    /// The number of pieces per unit of x, if the breaks are equally spaced; otherwise 0.
    pub fn scale(&self) -> f64 {
        let [first, .., last] = &self.breaks[..] else {
            return 0.0;
        };
        let scale = (self.breaks.len() - 1) as f64 / (last - first);
        match self.is_uniform && scale.is_finite() {
            true => scale,
            false => 0.0,
        }
    }

    /// Returns whether the breaks are equally spaced.
    pub(crate) fn is_uniform(&self) -> bool {
        self.is_uniform
    }

    /// Returns whether control values give the values.
    pub fn has_controls(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The coefficients at x, and x less the left end of its piece.
    fn at(&self, x: f64, controls: &[f64]) -> ([f64; 4], f64) {
        let piece = self.breaks.partition_point(|known| *known <= x);
        let start = self.breaks[piece.saturating_sub(1)];
        let coefficients = match self.pieces.get(piece) {
            Some(coefficients) => *coefficients,
            None => {
                let from = piece.saturating_sub(1);
                let control =
                    |number: usize| controls.get(from + number).copied().unwrap_or_default();
                let [a, b, c, d] = by_controls([0, 1, 2, 3].map(control), self.scale());
                let is_inside = piece > 0 && piece < self.breaks.len();
                if is_inside {
                    [a, b, c, d]
                } else {
                    [a, b, 0.0, 0.0]
                }
            }
        };
        (coefficients, x - start)
    }

    /// The derivative of an order at x, at a break that of the side to the right.
    pub fn value(&self, order: u8, x: f64, controls: &[f64]) -> f64 {
        let (coefficients, x) = self.at(x, controls);
        derivative(coefficients, order, x)
    }

    /// The same at a complex x by the piece at its real part, and the sum of the sizes of the terms.
    pub(crate) fn complex_value(
        &self,
        order: u8,
        x: Complex,
        controls: &[Complex],
    ) -> (Complex, f64) {
        let part = |of: fn(&Complex) -> f64| controls.iter().map(of).collect::<Vec<f64>>();
        let (real, offset) = self.at(x.re, &part(|control| control.re));
        let imaginary = match self.has_controls() {
            true => self.at(x.re, &part(|control| control.im)).0,
            false => [0.0; 4],
        };
        let x = Complex {
            re: offset,
            im: x.im,
        };
        let (mut value, mut size) = (Complex::ZERO, 0.0);
        for power in (usize::from(order)..4).rev() {
            let factor: f64 = (0..order)
                .map(|i| (power - usize::from(i)) as f64)
                .product();
            let coefficient = Complex {
                re: factor * real[power],
                im: factor * imaginary[power],
            };
            value = value * x + coefficient;
            size = size * x.abs() + coefficient.abs();
        }
        (value, size)
    }

    /// A bound of the sum of the sizes of the terms of a derivative between the breaks, and the size of the breaks.
    pub(crate) fn sizes(&self, order: u8) -> [f64; 2] {
        let lengths = self.breaks.windows(2).map(|pair| pair[1] - pair[0]);
        let inner = self.pieces.iter().skip(1).zip(lengths);
        let ends = [self.pieces.first(), self.pieces.last()]
            .into_iter()
            .flatten()
            .map(|piece| (piece, 0.0));
        let most = inner
            .chain(ends)
            .map(|(piece, length)| derivative(piece.map(f64::abs), order, length))
            .fold(0.0, f64::max);
        let most_break = self
            .breaks
            .iter()
            .fold(0.0, |most: f64, x| most.max(x.abs()));
        [most, most_break]
    }

    /// The number that a derivative of an order is everywhere, if it is one.
    fn constant(&self, order: u8) -> Option<f64> {
        if order > 3 {
            return Some(0.0);
        }
        let value = derivative(*self.pieces.first()?, order, 0.0);
        let is_constant = |piece: &[f64; 4]| {
            let order = usize::from(order);
            piece[order + 1..].iter().all(|number| *number == 0.0)
                && derivative(*piece, order as u8, 0.0) == value
        };
        self.pieces.iter().all(is_constant).then_some(value)
    }
}

/// A derivative of a curve.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Piecewise {
    /// The curve.
    pub curve: Arc<Curve>,
    /// The order of the derivative.
    pub order: u8,
}

impl Piecewise {
    /// The value at x.
    pub fn value(&self, x: f64, controls: &[f64]) -> f64 {
        self.curve.value(self.order, x, controls)
    }

    /// The number that it is everywhere for this number of control values, if it is one.
    pub(crate) fn constant_of(&self, controls: usize) -> Option<f64> {
        match controls {
            0 => self.curve.constant(self.order),
            _ => (self.order > 3).then_some(0.0),
        }
    }

    /// The derivative of this function.
    pub(crate) fn derivative(&self) -> Self {
        Self {
            curve: self.curve.clone(),
            order: self.order.saturating_add(1),
        }
    }

    /// Returns whether the value jumps at breaks.
    pub(crate) fn jumps(&self) -> bool {
        self.order > self.curve.kind.smoothness()
    }

    /// Returns whether the slope jumps at breaks.
    pub(crate) fn has_kinks(&self) -> bool {
        self.order >= self.curve.kind.smoothness()
    }
}

/// The numbers from one to another in equal steps. `None` if they do not increase or there are fewer than two.
///
/// ```
/// assert_eq!(lagrange_engine::equally_spaced(0.0, 1.0, 3).unwrap(), [0.0, 0.5, 1.0]);
/// ```
pub fn equally_spaced(from: f64, to: f64, count: usize) -> Option<Vec<f64>> {
    let steps = count.checked_sub(1)?.max(1) as f64;
    let length = to - from;
    let numbers: Vec<f64> = (0..count)
        .map(|i| match i + 1 == count {
            true => to,
            false => from + length * i as f64 / steps,
        })
        .collect();
    let is_ascending = numbers.windows(2).all(|pair| pair[0] < pair[1]);
    (count >= 2 && is_ascending && length.is_finite()).then_some(numbers)
}

/// The derivative of an order of a polynomial. It is finite only where x is.
fn derivative([a, b, c, d]: [f64; 4], order: u8, x: f64) -> f64 {
    match order {
        0 => ((d * x + c) * x + b) * x + a,
        1 => (3.0 * d * x + 2.0 * c) * x + b,
        2 => 2.0 * (3.0 * d * x + c),
        3 => 0.0 * x + 6.0 * d,
        _ => 0.0 * x,
    }
}

/// The polynomial between two knots of a uniform B-spline, by the control values near them.
fn by_controls([a, b, c, d]: [f64; 4], scale: f64) -> [f64; 4] {
    [
        (a + 4.0 * b + c) / 6.0,
        (c - a) / 2.0 * scale,
        (a - 2.0 * b + c) / 2.0 * scale * scale,
        (d - a + 3.0 * (b - c)) / 6.0 * scale * scale * scale,
    ]
}
