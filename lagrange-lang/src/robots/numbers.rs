//! Numbers in attributes.

use std::f64::consts::FRAC_PI_2;

/// An angle this close to a multiple of pi/2 is that multiple.
const NEAR: f64 = 1e-9;

/// Why a text is no number.
pub(super) enum NoNumber {
    /// It holds `${..}` or `$(..)`, which xacro expands.
    Unexpanded,
    /// It is something else.
    Other,
}

/// Whether the text holds an expression of xacro.
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

/// A number that may be infinite, as limits are.
pub(super) fn extended(text: &str) -> Result<f64, NoNumber> {
    if is_unexpanded(text) {
        return Err(NoNumber::Unexpanded);
    }
    match text.trim().parse::<f64>() {
        // Zeros have no sign.
        Ok(value) if !value.is_nan() => Ok(value + 0.0),
        _ => Err(NoNumber::Other),
    }
}

/// Three finite numbers between blanks of any kind.
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
    /// How many quarter turns it is, if it is a multiple of pi/2.
    pub(crate) quarters: Option<i64>,
}

impl Angle {
    /// An angle of a file, which is written in few digits.
    pub(crate) fn of(value: f64) -> Self {
        Self::within(NEAR, value)
    }

    /// An angle of a declaration, which says `pi / 2` where it means that.
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

    /// Whether the number is another one than the multiple that it is taken as.
    pub(crate) fn is_moved(self) -> bool {
        self.quarters
            .is_some_and(|quarters| quarters as f64 * FRAC_PI_2 != self.value)
    }
}
