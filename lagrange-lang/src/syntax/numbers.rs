//! Literals: which ones are numbers, and their plain decimal form.

use crate::units::Unit;

const FLOAT_SUFFIXES: [&str; 4] = ["f16", "f32", "f64", "f128"];
const INTEGER_SUFFIXES: [&str; 12] = [
    "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
];

/// The decimal text of an unsigned numeric literal without suffix and underscores. The error describes the defect.
pub(super) fn decimal(text: &str) -> Result<String, String> {
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(format!("expected a number, found {}", kind(text)));
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return integer(text, digits, radix);
        }
    }
    real(text)
}

fn kind(text: &str) -> &'static str {
    match text.chars().next() {
        Some('"' | 'r') => "a string",
        Some('\'') => "a character",
        _ => "a byte or C string",
    }
}

fn integer(text: &str, digits: &str, radix: u32) -> Result<String, String> {
    let end = digits
        .find(|c: char| c != '_' && !c.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let digits = digits.replace('_', "");
    if digits.is_empty() || !(suffix.is_empty() || INTEGER_SUFFIXES.contains(&suffix)) {
        return Err(format!("`{text}` is not an integer in base {radix}"));
    }
    match u128::from_str_radix(&digits, radix) {
        Ok(value) => Ok(value.to_string()),
        Err(_) => Err(format!(
            "`{text}` is too large for an integer\n\nhelp: write it in decimal with an exponent"
        )),
    }
}

fn real(text: &str) -> Result<String, String> {
    let (whole, rest) = split_digits(text);
    let mut number = whole.replace('_', "");
    let mut is_integer = true;
    let mut suffix = rest;
    if let Some(rest) = rest.strip_prefix('.') {
        let (fraction, rest) = split_digits(rest);
        let fraction = fraction.replace('_', "");
        number.push('.');
        number.push_str(if fraction.is_empty() { "0" } else { &fraction });
        is_integer = false;
        suffix = rest;
    }
    if let Some((exponent, rest)) = split_exponent(suffix) {
        number.push('e');
        number.push_str(&exponent);
        is_integer = false;
        suffix = rest;
    }
    let known = suffix.is_empty()
        || FLOAT_SUFFIXES.contains(&suffix)
        || (is_integer && INTEGER_SUFFIXES.contains(&suffix));
    if known {
        Ok(number)
    } else {
        Err(unknown_suffix(&text[..text.len() - suffix.len()], suffix))
    }
}

fn unknown_suffix(number: &str, suffix: &str) -> String {
    let number = number.trim_end_matches('_');
    if INTEGER_SUFFIXES.contains(&suffix) {
        return format!("`{number}` is no integer, but has the suffix `{suffix}`");
    }
    let help = match suffix.trim_start_matches('_') {
        "deg" | "degrees" | "°" => {
            format!("angles are in radians: write `{number} * pi / 180`")
        }
        "rad" => format!("angles are in radians: write `{number}`"),
        "i" | "j" | "im" => "every number is real".to_owned(),
        unit if Unit::of_word(unit).is_some() => {
            format!("a product is written `{number} * {suffix}`, a unit `{number} [{suffix}]`")
        }
        _ => format!("a product is written `{number} * {suffix}`"),
    };
    format!("unknown suffix `{suffix}` on the number `{number}`\n\nhelp: {help}")
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| c != '_' && !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

/// The exponent after an `e`, if it has digits. Otherwise the `e` begins a suffix.
fn split_exponent(text: &str) -> Option<(String, &str)> {
    let unsigned = text.strip_prefix(['e', 'E'])?;
    let (sign, unsigned) = match unsigned.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", unsigned.strip_prefix('+').unwrap_or(unsigned)),
    };
    let (digits, rest) = split_digits(unsigned);
    let digits = digits.replace('_', "");
    if digits.is_empty() {
        return None;
    }
    Some((format!("{sign}{digits}"), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_plain_decimals() {
        for (written, plain) in [
            ("0", "0"),
            ("1", "1"),
            ("1_000", "1000"),
            ("1_000.000_1", "1000.0001"),
            ("1.", "1.0"),
            ("2.5e-3", "2.5e-3"),
            ("1E+05", "1e05"),
            ("1_e_5", "1e5"),
            ("2u8", "2"),
            ("2_u8", "2"),
            ("1.0f64", "1.0"),
            ("1e3f32", "1e3"),
            ("3f64", "3"),
            ("0x1F", "31"),
            ("0xff_u8", "255"),
            ("0o17", "15"),
            ("0b1010_1010i32", "170"),
            (
                "340282366920938463463374607431768211456",
                "340282366920938463463374607431768211456",
            ),
        ] {
            assert_eq!(decimal(written).as_deref(), Ok(plain), "{written}");
        }
    }

    #[test]
    fn other_literals_say_what_they_are() {
        for (written, message) in [
            ("\"a\"", "expected a number, found a string"),
            ("r\"a\"", "expected a number, found a string"),
            ("'a'", "expected a number, found a character"),
            ("b'a'", "expected a number, found a byte or C string"),
            ("0b12", "`0b12` is not an integer in base 2"),
            ("0x", "`0x` is not an integer in base 16"),
            ("1.5u8", "`1.5` is no integer, but has the suffix `u8`"),
            (
                "0x1_0000_0000_0000_0000_0000_0000_0000_0000",
                "`0x1_0000_0000_0000_0000_0000_0000_0000_0000` is too large for an integer\n\n\
                 help: write it in decimal with an exponent",
            ),
            (
                "3kg",
                "unknown suffix `kg` on the number `3`\n\n\
                 help: a product is written `3 * kg`, a unit `3 [kg]`",
            ),
            (
                "2_em",
                "unknown suffix `em` on the number `2`\n\n\
                 help: a product is written `2 * em`",
            ),
        ] {
            assert_eq!(decimal(written), Err(message.to_owned()), "{written}");
        }
    }
}
