//! Units: products of powers of base units and of the factors of prefixes.
//!
//! A factor is part of a unit, as the power of its primes and of pi: a kilometre is 2^3 5^3 m. Two units with one
//! dimension and different factors are therefore different units, and their ratio is exact.

use lagrange_engine::Number;

use crate::suggest;

/// The base units, then the factors.
const BASES: [&str; 11] = ["s", "m", "kg", "A", "K", "mol", "cd", "2", "3", "5", "pi"];

/// The number of base units among [`BASES`].
const DIMENSIONS: usize = 7;

/// The values of the factors.
const FACTORS: [f64; 4] = [2.0, 3.0, 5.0, std::f64::consts::PI];

/// A unit as exponents of [`BASES`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unit([Number; BASES.len()]);

/// A unit with a name: its exponents of [`BASES`], and whether prefixes fit it.
struct Word(&'static str, [i8; BASES.len()], bool);

/// The units with names. The base units come first.
const WORDS: [Word; 29] = [
    Word("s", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], true),
    Word("m", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], true),
    Word("kg", [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], false),
    Word("A", [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], true),
    Word("K", [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], true),
    Word("mol", [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], true),
    Word("cd", [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], true),
    Word("rad", [0; BASES.len()], true),
    Word("N", [-2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0], true),
    Word("J", [-2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0], true),
    Word("W", [-3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0], true),
    Word("Pa", [-2, -1, 1, 0, 0, 0, 0, 0, 0, 0, 0], true),
    Word("Hz", [-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], true),
    Word("C", [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], true),
    Word("V", [-3, 2, 1, -1, 0, 0, 0, 0, 0, 0, 0], true),
    Word("ohm", [-3, 2, 1, -2, 0, 0, 0, 0, 0, 0, 0], true),
    Word("F", [4, -2, -1, 2, 0, 0, 0, 0, 0, 0, 0], true),
    Word("H", [-2, 2, 1, -2, 0, 0, 0, 0, 0, 0, 0], true),
    Word("Wb", [-2, 2, 1, -1, 0, 0, 0, 0, 0, 0, 0], true),
    Word("T", [-2, 0, 1, -1, 0, 0, 0, 0, 0, 0, 0], true),
    Word("g", [0, 0, 1, 0, 0, 0, 0, -3, 0, -3, 0], true),
    Word("t", [0, 0, 1, 0, 0, 0, 0, 3, 0, 3, 0], true),
    Word("min", [1, 0, 0, 0, 0, 0, 0, 2, 1, 1, 0], true),
    Word("h", [1, 0, 0, 0, 0, 0, 0, 4, 2, 2, 0], true),
    Word("bar", [-2, -1, 1, 0, 0, 0, 0, 5, 0, 5, 0], true),
    Word("L", [0, 3, 0, 0, 0, 0, 0, -3, 0, -3, 0], true),
    Word("deg", [0, 0, 0, 0, 0, 0, 0, -2, -2, -1, 1], true),
    Word("rpm", [-1, 0, 0, 0, 0, 0, 0, -1, -1, -1, 1], true),
    Word("1", [0; BASES.len()], false),
];

/// The prefixes, and their powers of ten.
const PREFIXES: [(&str, i64); 7] = [
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("c", -2),
    ("k", 3),
    ("M", 6),
    ("G", 9),
];

/// The units that are tried as texts of inferred units, the more common ones first.
const USUAL: [&str; 34] = [
    "1", "m", "kg", "s", "N", "J", "m/s", "m/s^2", "N/m", "N*s/m", "kg*m^2", "1/s", "1/s^2", "W",
    "Pa", "V", "ohm", "F", "H", "C", "A", "Wb", "T", "N*s", "m^2", "N*m*s", "m^3", "V*s", "N/A",
    "deg", "deg/s", "deg/s^2", "rpm", "bar",
];

/// The base units in other sizes, tried for inferred units with factors.
const SIZES: [&[&str]; 3] = [
    &["s", "ms", "us", "min", "h"],
    &["m", "mm", "cm", "km", "um"],
    &["kg", "g", "t", "mg"],
];

impl Unit {
    /// A pure number.
    pub(crate) const ONE: Self = Unit([Number::ZERO; BASES.len()]);

    pub(crate) fn second() -> Self {
        let mut powers = Self::ONE;
        powers.0[0] = Number::ONE;
        powers
    }

    /// The unit of this name, with or without a prefix.
    pub(crate) fn of_word(written: &str) -> Option<Self> {
        let find = |name: &str| WORDS.iter().find(|Word(word, ..)| *word == name);
        if let Some(Word(_, powers, _)) = find(written) {
            return Some(Unit(powers.map(|power| Number::integer(power.into()))));
        }
        PREFIXES.iter().find_map(|(prefix, tens)| {
            let Word(_, powers, has_prefixes) = find(written.strip_prefix(prefix)?)?;
            let mut powers = powers.map(i64::from);
            powers[DIMENSIONS] += tens;
            powers[DIMENSIONS + 2] += tens;
            has_prefixes.then(|| Unit(powers.map(Number::integer)))
        })
    }

    /// Advice for a word that names no unit.
    pub(crate) fn advice(written: &str) -> String {
        let other = match written {
            "kilogram" | "kilograms" => Some("kg"),
            "metre" | "meter" | "metres" | "meters" => Some("m"),
            "sec" | "second" | "seconds" => Some("s"),
            "newton" | "newtons" => Some("N"),
            "Nm" => Some("N*m"),
            "radian" | "radians" => Some("rad"),
            "degree" | "degrees" => Some("deg"),
            "hour" | "hours" | "hr" => Some("h"),
            "minute" | "minutes" => Some("min"),
            "Ohm" | "Ω" | "Ohms" => Some("ohm"),
            "l" => Some("L"),
            _ => None,
        };
        match other {
            Some(other) => format!("\n\nhelp: write `{other}`"),
            None => {
                let words = WORDS.iter().map(|Word(word, ..)| *word);
                match suggest::help(written, words) {
                    help if !help.is_empty() && written.chars().count() > 1 => help,
                    _ => "\n\nhelp: brackets with a name hold a unit, as `[kg*m^2]`, and those with a number a size: the macro does not see the \
                          values of Rust's constants"
                        .to_owned(),
                }
            }
        }
    }

    /// The product with a power of another unit. `None` if an exponent is too large.
    pub(crate) fn times(&self, other: &Self, exponent: Number) -> Option<Self> {
        let mut powers = self.0;
        for (power, by) in powers.iter_mut().zip(other.0) {
            *power = power.checked_add(by.checked_mul(exponent)?)?;
        }
        Some(Unit(powers))
    }

    /// The unit to this power.
    pub(crate) fn power(&self, exponent: Number) -> Option<Self> {
        Self::ONE.times(self, exponent)
    }

    pub(crate) fn is_one(&self) -> bool {
        self.0.iter().all(|power| power.is_zero())
    }

    /// Returns whether both have one dimension, whatever their factors.
    pub(crate) fn is_of_dimension(&self, other: &Self) -> bool {
        self.0[..DIMENSIONS] == other.0[..DIMENSIONS]
    }

    /// The number that the prefixes make.
    pub(crate) fn factor(&self) -> f64 {
        self.0[DIMENSIONS..]
            .iter()
            .zip(FACTORS)
            .map(|(power, of)| of.powf(power.to_f64()))
            .product()
    }

    /// The unit of a label such as `kg*m^2/s`, whose words are known.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let mut unit = Self::ONE;
        let mut sign = Number::ONE;
        let mut remaining = text;
        loop {
            let end = remaining.find(['*', '/']).unwrap_or(remaining.len());
            let (word, exponent) = remaining[..end]
                .split_once('^')
                .unwrap_or((&remaining[..end], "1"));
            let exponent = Number::parse(exponent)?.checked_mul(sign)?;
            unit = unit.times(&Self::of_word(word)?, exponent)?;
            sign = match remaining.get(end..end + 1) {
                None => return Some(unit),
                Some("/") => Number::MINUS_ONE,
                Some(_) => Number::ONE,
            };
            remaining = &remaining[end + 1..];
        }
    }

    /// The unit as text. Units of the declaration, with their texts, come before others.
    pub(crate) fn text(&self, labels: &[(Unit, String)]) -> String {
        // A label in N*m/rad tells nothing of an energy.
        let mut same = labels
            .iter()
            .filter(|(unit, text)| unit == self && !text.contains("rad"));
        if let Some((_, text)) = same.next() {
            return text.clone();
        }
        let usual = USUAL
            .iter()
            .find(|text| Self::of_text(text).as_ref() == Some(self));
        if let Some(text) = usual {
            return (*text).to_owned();
        }
        self.by_sizes().unwrap_or_else(|| self.by_bases())
    }

    /// The unit by base units of other sizes, such as `g*cm^2/s^2`.
    fn by_sizes(&self) -> Option<String> {
        let [seconds, metres, masses] = SIZES;
        for second in seconds {
            for metre in metres {
                for mass in masses {
                    let words = [*mass, *metre, *second];
                    let mut remaining = self.clone();
                    let mut parts = Vec::new();
                    for (word, base) in words.into_iter().zip([2, 1, 0]) {
                        let power = self.0[base];
                        remaining = remaining.times(&Self::of_word(word)?, -power)?;
                        parts.push((word, power));
                    }
                    let names = BASES.into_iter().zip(remaining.0).take(DIMENSIONS);
                    let has_factor = remaining.0[DIMENSIONS..]
                        .iter()
                        .any(|power| !power.is_zero());
                    if !has_factor {
                        return Some(product(parts.into_iter().chain(names)));
                    }
                }
            }
        }
        None
    }

    /// The factor as a number, and the base units.
    fn by_bases(&self) -> String {
        let order = [2, 1, 0, 3, 4, 5, 6];
        let bases = product(order.map(|base| (BASES[base], self.0[base])).into_iter());
        match self.factor() {
            factor if factor.to_bits() == 1.0_f64.to_bits() => bases,
            factor if bases == "1" => format!("{}", rounded(factor)),
            factor => format!("{}*{bases}", rounded(factor)),
        }
    }
}

/// Six digits of a number.
pub(crate) fn rounded(number: f64) -> f64 {
    let text = format!("{number:.5e}");
    text.parse().unwrap_or(number)
}

/// `kg*m^2/s^2`
fn product<'w>(powers: impl Iterator<Item = (&'w str, Number)>) -> String {
    let powers: Vec<(&str, Number)> = powers.filter(|(_, power)| !power.is_zero()).collect();
    let written = |(word, power): &(&str, Number)| match power.to_ratio() {
        _ if power.is_one() => (*word).to_owned(),
        Some((numerator, 1)) => format!("{word}^{numerator}"),
        Some((numerator, denominator)) => format!("{word}^({numerator}/{denominator})"),
        None => format!("{word}^{power}"),
    };
    let above: Vec<String> = powers
        .iter()
        .filter(|(_, power)| !power.is_negative())
        .map(&written)
        .collect();
    let below: Vec<String> = powers
        .iter()
        .filter(|(_, power)| power.is_negative())
        .map(|(word, power)| written(&(*word, -*power)))
        .collect();
    let above = match above.is_empty() {
        true => "1".to_owned(),
        false => above.join("*"),
    };
    match &below[..] {
        [] => above,
        [one] => format!("{above}/{one}"),
        _ => format!("{above}/({})", below.join("*")),
    }
}
