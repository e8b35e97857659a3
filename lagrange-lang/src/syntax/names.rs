//! Combining dots: `θ̇` is the velocity of `θ`.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::keywords::may_be_raw;

/// Combining marks and the number of dots that each puts above a letter.
const MARKS: [(char, u8); 3] = [('\u{307}', 1), ('\u{308}', 2), ('\u{20db}', 3)];

/// Letters that exist in Unicode with a dot, as pairs with the bare letter, for one and for two dots. rustc normalizes
/// identifiers to form C, in which a letter and its dots may be one character.
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

/// The name without the dots on its last letter, and the number of dots.
pub(super) fn split_dots(ident: &Ident) -> (Ident, u8) {
    let text = ident.unraw().to_string();
    let (bare, dots) = strip_all(&text);
    with_text(ident, &bare, dots)
}

/// The same for a letter that an index follows: `θ̇1` and `ẋ_cart` are the velocities of `θ1` and `x_cart`.
pub(super) fn split_dots_before_index(ident: &Ident) -> (Ident, u8) {
    let text = ident.unraw().to_string();
    let mut dotted = text
        .char_indices()
        .filter(|(position, letter)| *position > 0 && (*letter == '_' || letter.is_ascii_digit()))
        .map(|(position, _)| {
            let (bare, dots) = strip_all(&text[..position]);
            (bare + &text[position..], dots)
        });
    match dotted.find(|(_, dots)| *dots > 0) {
        Some((bare, dots)) => with_text(ident, &bare, dots),
        None => (ident.clone(), 0),
    }
}

/// An identifier with this text and the span of `ident`, if `ident` had dots.
fn with_text(ident: &Ident, bare: &str, dots: u8) -> (Ident, u8) {
    let raw = ident.to_string().starts_with("r#");
    if dots == 0 || (raw && !may_be_raw(bare)) {
        return (ident.clone(), 0);
    }
    let name = if raw {
        Ident::new_raw(bare, ident.span())
    } else {
        Ident::new(bare, ident.span())
    };
    (name, dots)
}

fn strip_all(text: &str) -> (String, u8) {
    let mut bare = text.to_owned();
    let mut dots = 0_u8;
    while let Some((shorter, more)) = strip_last(&bare) {
        bare = shorter;
        dots = dots.saturating_add(more);
    }
    (bare, dots)
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
    fn dots_may_stand_before_an_index() {
        for (written, name, dots) in [
            ("θ\u{307}1", "θ1", 1),
            ("\u{1e8b}1", "x1", 1),
            ("x\u{307}12", "x12", 1),
            ("\u{1e8b}_cart", "x_cart", 1),
            ("arm_\u{1e8f}_1", "arm_y_1", 1),
            ("θ\u{308}_1", "θ_1", 2),
            ("größe_1", "größe_1", 0),
            ("x_1", "x_1", 0),
            ("_1", "_1", 0),
        ] {
            let (found, found_dots) =
                split_dots_before_index(&Ident::new(written, Span::call_site()));
            assert_eq!(
                (found.to_string(), found_dots),
                (name.to_owned(), dots),
                "{written}"
            );
        }
    }

    /// Tests every form in which a dot may follow the name of a coordinate.
    #[test]
    fn all_letters_may_have_a_dot() {
        for letter in ('a'..='z')
            .chain('A'..='Z')
            .chain('α'..='ω')
            .chain("éšśṣåñĝ".chars())
        {
            assert_eq!(split(&format!("{letter}\u{307}")), (letter.to_string(), 1));
        }
        let (pairs, _) = PRECOMPOSED[0];
        let letters: Vec<char> = pairs.chars().collect();
        for pair in letters.chunks_exact(2) {
            assert_eq!(split(&pair[0].to_string()), (pair[1].to_string(), 1));
            assert_eq!(
                split(&format!("arm_{}", pair[0])),
                (format!("arm_{}", pair[1]), 1)
            );
        }
    }

    #[test]
    fn raw_names_stay_raw() {
        let raw = Ident::new_raw("typė", Span::call_site());
        let (name, dots) = split_dots(&raw);
        assert_eq!((name.to_string(), dots), ("r#type".to_owned(), 1));
        // `r#self` does not exist, so the dot is kept.
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
