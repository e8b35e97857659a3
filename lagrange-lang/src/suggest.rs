//! Suggestions for invalid words. Words of other systems are found by [`foreign`] and [`derivatives`], all others by
//! similarity.

pub(crate) mod derivatives;
pub(crate) mod foreign;

/// The minimum Jaro-Winkler similarity of a suggestion. This measure favours a common prefix, so `coord` finds
/// `coordinate`.
const THRESHOLD: f64 = 0.8;

/// Up to this number of valid names, the message lists them all instead of guessing.
const SHORT_LIST: usize = 5;

/// The most similar candidate. Among equals it is the first.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let mut best: Option<(f64, &str)> = None;
    for candidate in candidates {
        let score = similarity(name, candidate);
        if score >= THRESHOLD && best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The paragraph to append to a message about the unknown `name`: the nearest candidate, otherwise a short list of all
/// candidates, otherwise an empty text.
pub(crate) fn help<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(meant) = nearest(name, candidates.iter().copied()) {
        return format!("\n\nhelp: did you mean `{meant}`?");
    }
    if candidates.is_empty() || candidates.len() > SHORT_LIST {
        return String::new();
    }
    format!("\n\nhelp: expected {}", one_of(&candidates))
}

/// [`help`] with the whole list of candidates, whatever its length.
pub(crate) fn help_or_list<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    match nearest(name, candidates.iter().copied()) {
        Some(meant) => format!("\n\nhelp: did you mean `{meant}`?"),
        None => format!("\n\nhelp: expected {}", one_of(&candidates)),
    }
}

/// `` `a`, `b` or `c` ``
pub(crate) fn one_of(names: &[&str]) -> String {
    listed(names, "or")
}

/// `` `a`, `b` and `c` ``
pub(crate) fn all_of(names: &[&str]) -> String {
    listed(names, "and")
}

fn listed(names: &[&str], conjunction: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} {conjunction} {last}", most.join(", ")),
    }
}

fn similarity(name: &str, candidate: &str) -> f64 {
    let (name, candidate) = (name.to_lowercase(), candidate.to_lowercase());
    if name == candidate {
        return 1.0;
    }
    // Names that differ in the index denote different things.
    let ((stem, index), (other_stem, other_index)) = (split_index(&name), split_index(&candidate));
    if stem == other_stem && !index.is_empty() && !other_index.is_empty() {
        return 0.0;
    }
    let distance = strsim::damerau_levenshtein(&name, &candidate);
    if is_short(&name) || is_short(&candidate) {
        // In a short name one wrong letter makes a different word, unless it is the last letter or two letters are
        // exchanged.
        let longest = name.chars().count().max(candidate.chars().count());
        let is_near =
            longest >= 3 && distance == 1 && name.chars().next() == candidate.chars().next();
        return if is_near {
            strsim::jaro_winkler(&name, &candidate).max(THRESHOLD)
        } else {
            0.0
        };
    }
    let similarity = strsim::jaro_winkler(&name, &candidate);
    // Jaro's measure overrates two exchanged characters or one wrong character.
    if distance == 1 {
        similarity.max(THRESHOLD)
    } else {
        similarity
    }
}

/// True if a name is too short for a meaningful similarity.
fn is_short(name: &str) -> bool {
    const MOST: usize = 3;
    name.chars().count() <= MOST
}

/// `m` and `1` for `m1`, `m_` and `c` for `m_c`.
fn split_index(name: &str) -> (&str, &str) {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    if stem.len() < name.len() {
        return name.split_at(stem.len());
    }
    match name.rfind('_') {
        Some(underscore) if name[underscore + 1..].chars().count() <= 2 => {
            name.split_at(underscore + 1)
        }
        _ => (name, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let names = ["theta", "x", "m_c", "m_p", "length"];
        for (typed, meant) in [
            ("tehta", Some("theta")),
            ("Theta", Some("theta")),
            ("lenght", Some("length")),
            ("X", Some("x")),
            ("m_k", None),
            ("m_c", Some("m_c")),
            ("M_C", Some("m_c")),
            ("y", None),
            ("omega", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, names), meant, "{typed}");
        }
    }

    #[test]
    fn abbreviations_find_the_word() {
        let roles = ["coordinate", "parameter", "input", "time"];
        assert_eq!(nearest("coord", roles), Some("coordinate"));
        assert_eq!(nearest("param", roles), Some("parameter"));
        assert_eq!(nearest("coordinates", roles), Some("coordinate"));
        assert_eq!(nearest("constant", roles), None);
    }

    #[test]
    fn ties_go_to_the_first_declared() {
        assert_eq!(nearest("angl", ["angla", "anglb"]), Some("angla"));
        assert_eq!(nearest("angl", ["anglb", "angla"]), Some("anglb"));
    }

    #[test]
    fn short_names_and_indices_are_not_guessed() {
        for (typed, candidate, is_near) in [
            ("x", "y", false),
            ("x", "X", true),
            ("l", "l1", false),
            ("l2", "l1", false),
            ("theta1", "theta2", false),
            ("theta", "theta2", true),
            ("cso", "cos", true),
            ("bop", "bob", true),
            ("mob", "bob", false),
            ("sqr", "sqrt", true),
            ("k1", "kx", false),
        ] {
            assert_eq!(nearest(typed, [candidate]).is_some(), is_near, "{typed}");
        }
    }

    #[test]
    fn help_guesses_lists_or_says_nothing() {
        assert_eq!(
            help("tme", ["mass", "time"]),
            "\n\nhelp: did you mean `time`?"
        );
        assert_eq!(
            help("f64", ["coordinate", "input", "time"]),
            "\n\nhelp: expected `coordinate`, `input` or `time`"
        );
        assert_eq!(help("f64", ["a", "b", "c", "d", "e", "g"]), "");
        assert_eq!(help("f64", []), "");
    }
}
