//! Numbers in attributes.

use std::f64::consts::FRAC_PI_2;

/// An angle within this distance of a multiple of pi/2 is rounded to that multiple.
const NEAR: f64 = 1e-9;

/// The reason why a text is not a number.
pub(super) enum NoNumber {
    /// The text contains `${..}` or `$(..)`, which xacro expands.
    Unexpanded,
    /// Any other text.
    Other,
}

/// True if the text contains an expression of xacro.
pub(super) fn is_unexpanded(text: &str) -> bool {
    text.contains("${") || text.contains("$(")
}

/// A finite number.
pub(super) fn number(text: &str) -> Result<f64, NoNumber> {
    extended(text).and_then(|value| match value.is_finite() {
        true => Ok(value),
        false => Err(NoNumber::Other),
    })
}

/// A number that may be infinite, such as a limit.
pub(super) fn extended(text: &str) -> Result<f64, NoNumber> {
    if is_unexpanded(text) {
        return Err(NoNumber::Unexpanded);
    }
    match text.trim().parse::<f64>() {
        // The sum removes the sign of a negative zero.
        Ok(value) if !value.is_nan() => Ok(value + 0.0),
        _ => Err(NoNumber::Other),
    }
}

/// Three finite numbers, separated by white space.
pub(super) fn vector(text: &str) -> Result<[f64; 3], NoNumber> {
    if is_unexpanded(text) {
        return Err(NoNumber::Unexpanded);
    }
    let mut entries = text.split_whitespace().map(number);
    let mut next = || entries.next().unwrap_or(Err(NoNumber::Other));
    let vector = [next()?, next()?, next()?];
    match entries.next() {
        None => Ok(vector),
        Some(_) => Err(NoNumber::Other),
    }
}

/// An angle of `rpy`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Angle {
    pub(crate) value: f64,
    /// The number of quarter turns, if the angle is a multiple of pi/2.
    pub(crate) quarters: Option<i64>,
}

impl Angle {
    /// An angle of a file, which has few digits.
    pub(crate) fn of(value: f64) -> Self {
        Self::within(NEAR, value)
    }

    /// An angle of a declaration, which can contain `pi / 2` exactly.
    pub(crate) fn exact(value: f64) -> Self {
        Self::within(0.0, value)
    }

    fn within(distance: f64, value: f64) -> Self {
        let quarters = (value / FRAC_PI_2).round();
        let is_near = (value - quarters * FRAC_PI_2).abs() <= distance && quarters.abs() < 1e6;
        Angle {
            value,
            quarters: is_near.then_some(quarters as i64),
        }
    }

    pub(crate) fn sin_cos(self) -> (f64, f64) {
        match self.quarters.map(|quarters| quarters.rem_euclid(4)) {
            Some(0) => (0.0, 1.0),
            Some(1) => (1.0, 0.0),
            Some(2) => (0.0, -1.0),
            Some(_) => (-1.0, 0.0),
            None => self.value.sin_cos(),
        }
    }

    /// True if the angle was rounded to a multiple of pi/2.
    pub(crate) fn is_moved(self) -> bool {
        self.quarters
            .is_some_and(|quarters| quarters as f64 * FRAC_PI_2 != self.value)
    }
}
