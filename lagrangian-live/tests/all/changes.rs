//! Random changes of declarations: a model or messages within the text, and no panic.

use lagrangian_live::Model;

use crate::messages::{mistakes, without_marks};

/// The number of changed programs.
const PROGRAMS: usize = 120;

/// Numbers of a fixed sequence (Steele and Vigna 2021).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from -1 to 1.
    pub(crate) fn between(&mut self) -> f64 {
        self.below(1 << 30) as f64 / (1 << 29) as f64 - 1.0
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Words and signs, each with the blanks before it.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut last = ' ';
    for letter in text.chars() {
        let continues = letter.is_alphanumeric() && last.is_alphanumeric() || last.is_whitespace();
        match pieces.last_mut() {
            Some(piece) if continues => piece.push(letter),
            _ => pieces.push(letter.to_string()),
        }
        last = letter;
    }
    pieces
}

#[test]
fn changed_programs_have_messages_in_their_text() {
    let programs: Vec<String> = mistakes().iter().map(|text| without_marks(text)).collect();
    let mut random = Random::new(7);
    let mut refused = 0;
    for _ in 0..PROGRAMS {
        let mut pieces = pieces(&programs[random.below(programs.len())]);
        for _ in 0..1 + random.below(3) {
            let (at, other) = (random.below(pieces.len()), random.below(pieces.len()));
            match random.below(5) {
                0 => drop(pieces.remove(at)),
                1 => pieces.insert(at, pieces[other].clone()),
                2 => pieces.swap(at, other),
                3 => pieces.insert(
                    at,
                    [" '", " \"", "\u{301}", " 1e999 ", " /* ", "\0"][random.below(6)].to_owned(),
                ),
                _ => pieces.truncate(at + 1),
            }
        }
        let text = pieces.concat();
        let messages = match Model::read(&text) {
            Ok(model) => {
                assert!(model.methods().len() > 10, "{text}");
                continue;
            }
            Err(messages) => messages,
        };
        refused += 1;
        assert!(!messages.is_empty(), "{text}");
        let lines: Vec<usize> = text.split('\n').map(|line| line.chars().count()).collect();
        for message in messages {
            let is_there = |line: usize, column: usize| {
                column >= 1
                    && lines
                        .get(line - 1)
                        .is_some_and(|length| column <= length + 2)
            };
            assert!(is_there(message.line, message.column), "{message}\n{text}");
            assert!(
                is_there(message.end_line, message.end_column),
                "{message}\n{text}"
            );
            let (start, end) = (
                (message.line, message.column),
                (message.end_line, message.end_column),
            );
            assert!(
                start <= end && !message.message.is_empty(),
                "{message}\n{text}"
            );
        }
    }
    assert!(refused > PROGRAMS / 2, "{refused} refused only");
}
