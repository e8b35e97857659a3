//! Mistakes stay local: a declaration of this repository with one shortened line or one changed token has few
//! further messages.
//!
//! The test runs on a sample of all such programs; `LAGRANGIAN_HOLES=n` takes n samples. A program is chosen by its
//! text, so new declarations leave most of the sample unchanged. Programs that are rare among all may be less rare
//! in the sample, within statistical variation.

use std::env;
use std::fmt::Write;

use super::declarations::{Judgement, Piece, Said, Sound, judge, pieces, sound};

/// Approximate number of programs of each kind that a debug build judges in ten seconds.
const SAMPLE: usize = 700;

/// A program with a mistake, made from one without.
struct Broken {
    text: String,
    /// The changed line, counted from 1.
    line: usize,
    /// Description of the change.
    change: String,
}

/// Programs with their originals.
struct Sample<'t> {
    programs: Vec<(&'t Sound, Broken)>,
    /// The total number of programs.
    program_count: usize,
}

/// The programs that come first by the hash of their text.
fn sampled(declarations: &[Sound], broken: fn(&str) -> Vec<Broken>) -> Sample<'_> {
    let mut programs = Vec::new();
    for sound in declarations {
        let broken = broken(&sound.text).into_iter();
        programs.extend(broken.map(|broken| (sound, broken)));
    }
    programs.sort_by_cached_key(|(_, broken)| hash(&broken.text));
    let program_count = programs.len();
    programs.truncate(SAMPLE * times());
    Sample {
        programs,
        program_count,
    }
}

/// FNV-1a, which is the same with every compiler. The hash of the standard library may change.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Maximum number of programs that may break a rule, if `percent` of all programs may break it. This is their share
/// plus three standard deviations, which decrease with the number of omitted programs. The margin is zero if all
/// are tried.
fn most_of(tried: usize, program_count: usize, percent: usize) -> usize {
    let share = percent as f64 / 100.0;
    let expected = tried as f64 * share;
    let left_out = program_count.saturating_sub(tried) as f64 / program_count as f64;
    (expected + 3.0 * (expected * (1.0 - share) * left_out).sqrt()) as usize
}

/// The number of samples.
fn times() -> usize {
    let times = env::var("LAGRANGIAN_HOLES").ok();
    times.and_then(|text| text.parse().ok()).unwrap_or(1).max(1)
}

/// The programs with one line cut after one of its tokens. Groups that stay open are closed there.
fn with_a_line_cut_short(text: &str) -> Vec<Broken> {
    let pieces = pieces(text);
    let mut programs = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let following: Vec<&Piece> = pieces[at + 1..]
            .iter()
            .take_while(|next| next.line == piece.line)
            .collect();
        let preceding: Vec<&Piece> = pieces[..=at]
            .iter()
            .rev()
            .take_while(|own| own.line == piece.line)
            .collect();
        let Some(closers) = left_open(preceding.into_iter().rev()) else {
            continue;
        };
        if following.is_empty() || !is_closed_by(&following, &closers) {
            continue;
        }
        let cut = |line: &str| {
            let shortened: String = line.chars().take(piece.columns.1).collect();
            shortened + &closers
        };
        programs.push(Broken {
            text: with_line(text, piece.line, cut),
            line: piece.line + 1,
            change: format!("cut behind `{}`", piece.text),
        });
    }
    programs
}

fn with_line(text: &str, number: usize, change: impl Fn(&str) -> String) -> String {
    text.lines()
        .enumerate()
        .map(|(at, line)| {
            if at == number {
                change(line)
            } else {
                line.to_owned()
            }
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// The delimiters that close the groups that these pieces open. `None` if they close a group that they do not open.
fn left_open<'a>(pieces: impl Iterator<Item = &'a Piece>) -> Option<String> {
    let mut open = Vec::new();
    for piece in pieces {
        match piece.opens {
            1 => open.push(match piece.text.as_str() {
                "(" => ')',
                "[" => ']',
                _ => '}',
            }),
            -1 => {
                open.pop()?;
            }
            _ => {}
        }
    }
    Some(open.into_iter().rev().collect())
}

/// Returns whether the removed pieces close these groups and no others, and open none.
fn is_closed_by(pieces: &[&Piece], closers: &str) -> bool {
    let mut expected = closers.chars();
    let mut depth = 0;
    for piece in pieces {
        depth += i32::from(piece.opens);
        if depth < 0 {
            depth = 0;
            if expected.next().map(String::from).as_ref() != Some(&piece.text) {
                return false;
            }
        }
    }
    depth == 0 && expected.next().is_none()
}

/// The programs with one token removed, doubled, misspelt or replaced by another one of the text.
fn with_a_token_changed(text: &str) -> Vec<Broken> {
    let pieces: Vec<Piece> = pieces(text).into_iter().filter(|p| p.opens == 0).collect();
    let mut programs = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        // The distance leads to another part of the text, and is the same in every run.
        let other = &pieces[(at * 7919 + 31) % pieces.len()].text;
        let doubled = format!("{0} {0}", piece.text);
        for (change, by) in [
            ("left out", String::new()),
            ("doubled", doubled),
            ("misspelt", misspelt(&piece.text)),
            ("replaced", other.clone()),
        ] {
            if by == piece.text {
                continue;
            }
            let change = format!("`{}` {change}: `{by}`", piece.text);
            programs.push(Broken {
                text: with_line(text, piece.line, |line| replaced(line, piece.columns, &by)),
                line: piece.line + 1,
                change,
            });
        }
    }
    programs
}

fn replaced(line: &str, (from, to): (usize, usize), by: &str) -> String {
    let letters: Vec<char> = line.chars().collect();
    let part = |range: &[char]| range.iter().collect::<String>();
    // The spaces keep the tokens apart.
    format!("{} {by} {}", part(&letters[..from]), part(&letters[to..]))
}

/// A longer word with two letters exchanged, or a shorter one with a different letter.
fn misspelt(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    match letters.len() {
        _ if !letters[0].is_alphabetic() => return word.to_owned(),
        1 | 2 => letters[0] = if letters[0] == 'k' { 'w' } else { 'k' },
        n => letters.swap(n / 2, n / 2 - 1),
    }
    letters.into_iter().collect()
}

/// A rule for programs, and the percentage of programs that may break it.
struct Rule<'r> {
    what: &'r str,
    most: usize,
    holds: &'r dyn Fn(&Broken, &Judgement, &Judgement) -> bool,
}

/// Tries all programs, and reports how many break each rule.
fn share(sample: &Sample<'_>, rules: &[Rule<'_>]) {
    let mut tried = 0;
    let mut reports = vec![(0, String::new()); rules.len()];
    for (original, broken) in &sample.programs {
        let Some(after) = judge(&broken.text) else {
            continue;
        };
        tried += 1;
        for (rule, (bad, report)) in rules.iter().zip(&mut reports) {
            if !(rule.holds)(broken, &original.judgement, &after) {
                *bad += 1;
                describe(broken, &after, report);
            }
        }
    }
    assert!(tried > SAMPLE / 2, "{tried} programs only");
    for (Rule { what, most, .. }, (bad, report)) in rules.iter().zip(reports) {
        if let Ok(path) = env::var("LAGRANGIAN_HOLES_REPORT") {
            std::fs::write(format!("{path}_{}", what.replace(' ', "_")), &report).unwrap();
        }
        let most = most_of(tried, sample.program_count, *most);
        println!(
            "{what}: {bad} of {tried}, of {} at most {most}",
            sample.program_count
        );
        assert!(bad <= most, "{what}: {bad} of {tried}\n{report}");
    }
}

fn describe(broken: &Broken, after: &Judgement, report: &mut String) {
    let _ = writeln!(report, "=== {} in line {}", broken.change, broken.line);
    let _ = writeln!(report, "{}", broken.text);
    for said in &after.errors {
        let _ = writeln!(report, "--- {:?}: {}", said.lines, said.message);
    }
}

#[test]
fn a_line_cut_short_costs_its_neighbours_nothing() {
    let sample = sampled(sound(), with_a_line_cut_short);
    let are_there = |broken: &Broken, _: &Judgement, after: &Judgement| {
        let is_there = |said: &Said| said.lines.0 <= broken.line && broken.line <= said.lines.1;
        after.errors.iter().all(is_there)
    };
    // Without a name for the system, methods have no struct.
    let are_kept = |broken: &Broken, before: &Judgement, after: &Judgement| {
        let own_line = broken.text.lines().nth(broken.line - 1).unwrap_or("");
        let is_kept = |name: &String| after.outputs.contains(name) || own_line.contains("pub");
        !after.is_named || before.outputs.iter().all(is_kept)
    };
    let rules = [
        Rule {
            what: "with an error on another line",
            most: 3,
            holds: &are_there,
        },
        Rule {
            what: "with an output less",
            most: 0,
            holds: &are_kept,
        },
    ];
    share(&sample, &rules);
}

#[test]
fn one_token_changed_is_one_mistake() {
    let sample = sampled(sound(), with_a_token_changed);
    let rules = [Rule {
        what: "with more than one error",
        most: 3,
        holds: &|_, _, after| after.errors.len() <= 1,
    }];
    share(&sample, &rules);
}
