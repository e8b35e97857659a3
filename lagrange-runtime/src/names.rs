//! Entries by name.

/// The number of the entry with this name, for the constants of a system that list names: `COORDINATES`,
/// `VELOCITIES`, `PARAMETERS`, `INPUTS`, `CONSTRAINTS`.
///
/// It runs at compile time, so a misspelt name is an error of rustc.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::index_of;
///
/// const CONSTRAINTS: [&str; 3] = ["loop[0]", "loop[1]", "rail"];
/// /// Which multiplier is the force of the rail.
/// const RAIL: usize = index_of(&CONSTRAINTS, "rail").unwrap();
/// assert_eq!(RAIL, 2);
/// assert_eq!(index_of(&CONSTRAINTS, "ceiling"), None);
/// ```
pub const fn index_of(names: &[&str], name: &str) -> Option<usize> {
    let (mut remaining, mut index) = (names, 0);
    while let [first, following @ ..] = remaining {
        if is_same(first.as_bytes(), name.as_bytes()) {
            return Some(index);
        }
        (remaining, index) = (following, index + 1);
    }
    None
}

/// Returns whether two texts are equal: `==` does not run at compile time.
const fn is_same(mut a_bytes: &[u8], mut b_bytes: &[u8]) -> bool {
    while let ([a, remaining_a @ ..], [b, remaining_b @ ..]) = (a_bytes, b_bytes) {
        if *a != *b {
            return false;
        }
        (a_bytes, b_bytes) = (remaining_a, remaining_b);
    }
    a_bytes.is_empty() && b_bytes.is_empty()
}

#[cfg(test)]
mod tests {
    use super::index_of;

    #[test]
    fn only_whole_names_are_found() {
        let names = ["x", "xy", "", "θ"];
        for (index, name) in names.iter().enumerate() {
            assert_eq!(index_of(&names, name), Some(index));
        }
        for name in ["y", "xyz", "\u{3b8}\u{3b8}"] {
            assert_eq!(index_of(&names, name), None);
        }
        assert_eq!(index_of(&[], "x"), None);
    }
}
