//! Combining dots: `θ̇` is the velocity of `θ`.

use proc_macro2::Ident;

use super::keywords::may_be_raw;

/// Combining marks and how many dots they put above a letter.
const MARKS: [(char, u8); 3] = [('\u{307}', 1), ('\u{308}', 2), ('\u{20db}', 3)];

/// rustc brings identifiers into normal form C, where a letter and its dots may be one character:
/// pairs of such a letter and the bare one, for one dot and for two.
const PRECOMPOSED: [(&str, u8); 2] = [
    (
        "ĊCċcĖEėeĠGġgİIŻZżzȦAȧaȮOȯoḂBḃbḊDḋdḞFḟfḢHḣhṀMṁmṄNṅnṖPṗpṘRṙrṠSṡsṤŚṥśṦŠṧšṨṢṩṣṪTṫtẆWẇwẊXẋxẎYẏyẛſ",
        1,
    ),
    (
        "ÄAËEÏIÖOÜUäaëeïiöoüuÿyŸYΪΙΫΥϊιϋυϔϒḦHḧhṎÕṏõṺŪṻūẄWẅwẌXẍxẗt",
        2,
    ),
];

/// The name without the dots on its last letter, and how many there were.
pub(super) fn split_dots(ident: &Ident) -> (Ident, u8) {
    let text = ident.to_string();
    let raw = text.starts_with("r#");
    let mut bare = text.strip_prefix("r#").unwrap_or(&text).to_owned();
    let mut dots = 0_u8;
    while let Some((shorter, more)) = strip_last(&bare) {
        bare = shorter;
        dots = dots.saturating_add(more);
    }
    if dots == 0 || (raw && !may_be_raw(&bare)) {
        return (ident.clone(), 0);
    }
    let name = if raw {
        Ident::new_raw(&bare, ident.span())
    } else {
        Ident::new(&bare, ident.span())
    };
    (name, dots)
}

fn strip_last(text: &str) -> Option<(String, u8)> {
    let last = text.chars().next_back()?;
    let rest = &text[..text.len() - last.len_utf8()];
    if rest.is_empty() || MARKS.iter().all(|(mark, _)| *mark != last) {
        let (letter, dots) = bare_letter(last)?;
        return Some((format!("{rest}{letter}"), dots));
    }
    let (_, dots) = MARKS.iter().find(|(mark, _)| *mark == last)?;
    Some((rest.to_owned(), *dots))
}

fn bare_letter(dotted: char) -> Option<(char, u8)> {
    PRECOMPOSED.iter().find_map(|(pairs, dots)| {
        let letters: Vec<char> = pairs.chars().collect();
        let pair = letters.chunks_exact(2).find(|pair| pair[0] == dotted)?;
        Some((pair[1], *dots))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::Span;

    fn split(text: &str) -> (String, u8) {
        let (name, dots) = split_dots(&Ident::new(text, Span::call_site()));
        (name.to_string(), dots)
    }

    #[test]
    fn dots_on_the_last_letter_are_split_off() {
        for (written, name, dots) in [
            ("θ\u{307}", "θ", 1),
            ("θ\u{308}", "θ", 2),
            ("θ\u{307}\u{307}", "θ", 2),
            ("x\u{20db}", "x", 3),
            ("\u{1e8b}", "x", 1),
            ("\u{1e8d}", "x", 2),
            ("\u{1e8b}\u{307}", "x", 2),
            ("x\u{307}", "x", 1),
            ("arm_\u{1e8f}", "arm_y", 1),
            ("\u{22f}", "o", 1),
            ("ü", "u", 2),
            ("x", "x", 0),
            ("ẋ0", "ẋ0", 0),
            ("ẋ_c", "ẋ_c", 0),
            ("ñ", "ñ", 0),
        ] {
            assert_eq!(split(written), (name.to_owned(), dots), "{written}");
        }
    }

    #[test]
    fn raw_names_stay_raw() {
        let raw = Ident::new_raw("typė", Span::call_site());
        let (name, dots) = split_dots(&raw);
        assert_eq!((name.to_string(), dots), ("r#type".to_owned(), 1));
        // `r#self` does not exist, so there is nothing to take the dot off.
        let raw = Ident::new_raw("selḟ", Span::call_site());
        let (name, dots) = split_dots(&raw);
        assert_eq!((name.to_string(), dots), ("r#selḟ".to_owned(), 0));
    }

    #[test]
    fn tables_hold_pairs() {
        for (pairs, _) in PRECOMPOSED {
            assert_eq!(pairs.chars().count() % 2, 0);
        }
    }
}
