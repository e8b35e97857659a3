//! The pseudo-random points of evaluations.

use crate::{Complex, Graph, Symbol, Unary};

/// The domain of a point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Domain {
    /// Every symbol near the positive real axis, like masses and lengths: roots and logarithms continue their real
    /// values there.
    NearPositive,
    /// Anywhere in the complex plane.
    Complex,
    /// Real, of either sign.
    Real,
}

/// The number of points; the first ones decide most questions.
pub(super) const POINTS: usize = 10;
/// Further points are real and have these sizes, and then are near 1 with another size for each velocity. In some units
/// one part of a sum, such as the kinetic energy, hides the others near 1.
pub(super) const MORE_POINTS: usize = POINTS + SIZES.len() + MIXED;
const SIZES: [f64; 6] = [1e-4, 1e4, 1e-8, 1e8, 1e-12, 1e12];
const MIXED: usize = 10;
/// The largest power of ten of such a size; its negative is the smallest one.
const DECADES: f64 = 40.0;

/// The domain of point number `point`.
pub(super) fn domain(point: usize) -> Domain {
    match point {
        0 | 4 | 7 => Domain::NearPositive,
        1 | 5 | 8 => Domain::Complex,
        _ => Domain::Real,
    }
}

/// The value of a symbol at point number `point`, with a size between 0.3 and 4, except for the entries of unit
/// quaternions.
pub(super) fn value(graph: &Graph, point: usize, symbol: Symbol) -> Complex {
    in_rotation(graph, symbol, |symbol| free_value(point, symbol))
}

/// The value of a symbol that may be enlarged so far that its part with a coefficient of 1e-20 is above the others.
pub(crate) fn with_size(value: Complex, is_large: bool) -> Complex {
    match is_large {
        true => value.scale(1e30),
        false => value,
    }
}

/// The value of a symbol at a state of one system: parameters have the same values, near the positive real axis, at all
/// states. From state to state velocities and accelerations have other sizes, so that each part of a sum is the largest
/// at some states, in any units.
pub(crate) fn at_state(graph: &Graph, state: usize, symbol: Symbol) -> Complex {
    let size = |kind| {
        let decades = SplitMix::new(state, Symbol::Weight(kind)).between(-DECADES, DECADES) / 4.0;
        10_f64.powf(decades)
    };
    in_rotation(graph, symbol, |symbol| match symbol {
        Symbol::Parameter(_) => near_positive(&mut SplitMix::new(0, symbol)),
        _ => {
            let value = complex(&mut SplitMix::new(state, symbol));
            match symbol {
                Symbol::Velocity(_) => value.scale(size(0)),
                Symbol::Acceleration(_) => value.scale(size(1)),
                _ => value,
            }
        }
    })
}

/// The value of a symbol, with quaternions of unit length.
fn in_rotation(graph: &Graph, symbol: Symbol, free: impl Fn(Symbol) -> Complex) -> Complex {
    match graph.rotation_of(symbol) {
        Some(first) => free(symbol) / length(first, free),
        None => free(symbol),
    }
}

fn near_positive(random: &mut SplitMix) -> Complex {
    Complex {
        re: random.between(0.3, 1.7),
        im: random.sign() * random.between(0.02, 0.1),
    }
}

fn complex(random: &mut SplitMix) -> Complex {
    Complex {
        re: random.sign() * random.between(0.3, 2.0),
        im: random.sign() * random.between(0.2, 1.2),
    }
}

/// The root of the sum of the squares of four coordinates.
fn length(first: u32, value: impl Fn(Symbol) -> Complex) -> Complex {
    let entries = (first..first + 4).map(|i| value(Symbol::Coordinate(i)));
    norm(&entries.collect::<Vec<Complex>>())
}

/// The root of the sum of the squares.
pub(super) fn norm(entries: &[Complex]) -> Complex {
    let sum = entries
        .iter()
        .map(|entry| *entry * *entry)
        .fold(Complex::ZERO, |sum, square| sum + square);
    sum.unary(Unary::Sqrt)
}

fn free_value(point: usize, symbol: Symbol) -> Complex {
    let mut random = SplitMix::new(point, symbol);
    match domain(point) {
        Domain::NearPositive => near_positive(&mut random),
        Domain::Complex => complex(&mut random),
        // One real point is all positive, so that roots of parameters are real there.
        Domain::Real if point == 3 => Complex::real(random.between(0.3, 1.7)),
        Domain::Real => {
            let is_sized = point >= POINTS && !matches!(symbol, Symbol::Parameter(_));
            let size = match (SIZES.get(point.wrapping_sub(POINTS)), symbol) {
                (Some(size), _) if is_sized => *size,
                (None, Symbol::Velocity(_)) if is_sized => {
                    10_f64.powf(random.between(-DECADES, DECADES))
                }
                _ => 1.0,
            };
            Complex::real(random.sign() * random.between(0.3, 4.0) * size)
        }
    }
}

/// The value of a symbol at a real point: parameters are near 1 and above 0; the others have either sign and, from
/// point to point, sizes from 1 to a thousand.
pub(crate) fn real_point(graph: &Graph, point: usize, symbol: Symbol) -> f64 {
    let free = |symbol| free_real(point, symbol);
    match graph.rotation_of(symbol) {
        Some(first) => {
            let length = length(first, |symbol| Complex::real(free(symbol)));
            free(symbol) / length.re
        }
        None => free(symbol),
    }
}

fn free_real(point: usize, symbol: Symbol) -> f64 {
    let mut random = SplitMix::new(POINTS + point, symbol);
    if matches!(symbol, Symbol::Parameter(_)) {
        return random.between(0.3, 1.7);
    }
    let size = [1.0, 10.0, 100.0, 1000.0][point / 2 % 4];
    random.sign() * random.between(0.3, 1.0) * size
}

/// The generator SplitMix64 (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*,
/// OOPSLA 2014), started from the point and the symbol.
pub(super) struct SplitMix(u64);

impl SplitMix {
    pub(super) fn new(point: usize, symbol: Symbol) -> Self {
        let (kind, number) = match symbol {
            Symbol::Coordinate(i) => (0, i),
            Symbol::Velocity(i) => (1, i),
            Symbol::Acceleration(i) => (2, i),
            Symbol::Parameter(i) => (3, i),
            Symbol::Input(i) => (4, i),
            Symbol::Time => (5, 0),
            Symbol::Multiplier(i) => (6, i),
            Symbol::Momentum(i) => (7, i),
            Symbol::Weight(i) => (8, i),
            Symbol::State(i) => (9, i),
            Symbol::StateRate(i) => (10, i),
        };
        let mut seed = Self((point as u64) << 40 | kind << 36 | u64::from(number));
        Self(seed.next())
    }

    /// Started from words.
    pub(super) fn of_words(point: usize, words: &[u64]) -> Self {
        let mut state = Self(point as u64);
        for word in words {
            state.0 = state.next() ^ word;
        }
        Self(state.next())
    }

    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    fn sign(&mut self) -> f64 {
        if self.next() & 1 == 0 { 1.0 } else { -1.0 }
    }
}
