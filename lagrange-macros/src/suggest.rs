//! "Did you mean": the valid name nearest to one that is not.

/// Jaro-Winkler similarity from which a name is worth suggesting; it favours a common prefix, so
/// that `coord` finds `coordinate`.
const THRESHOLD: f64 = 0.8;

/// With at most this many valid names, listing them says more than a guess.
const SHORT_LIST: usize = 5;

/// The candidate nearest to `name`, the first of them where several are equally near.
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

/// The paragraph to append to a message about the unknown `name`: the nearest candidate, else a
/// short list of all of them, else nothing.
pub(crate) fn help<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(found) = nearest(name, candidates.iter().copied()) {
        return format!("\n\nhelp: did you mean `{found}`?");
    }
    if candidates.is_empty() || candidates.len() > SHORT_LIST {
        return String::new();
    }
    format!("\n\nhelp: expected {}", one_of(&candidates))
}

/// `` `a`, `b` or `c` ``
pub(crate) fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

fn similarity(name: &str, candidate: &str) -> f64 {
    if name == candidate {
        return 1.0;
    }
    let similarity = strsim::jaro_winkler(&name.to_lowercase(), &candidate.to_lowercase());
    // Two characters exchanged or one wrong in a short name weigh too much in Jaro's measure.
    let near = name.chars().count() >= 3 && strsim::damerau_levenshtein(name, candidate) == 1;
    if near {
        similarity.max(THRESHOLD)
    } else {
        similarity
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
            ("m_k", Some("m_c")),
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
        assert_eq!(nearest("q3", ["q31", "q32"]), Some("q31"));
        assert_eq!(nearest("q3", ["q32", "q31"]), Some("q32"));
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
