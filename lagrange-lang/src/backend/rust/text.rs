//! A buffer for text that is written in many small pieces.

use std::borrow::Cow;
use std::fmt;

/// The text of bodies under construction.
///
/// For each piece, an unoptimised `String` takes some three hundred steps in its generic code. Copying the bytes
/// one by one takes a fraction of these.
#[derive(Default)]
pub(super) struct Text {
    /// The text, and free space after it.
    bytes: Box<[u8]>,
    len: usize,
}

/// Number of bytes above which a piece is copied in one call.
const MOST_BY_HAND: usize = 16;

/// The block that the buffer grows by.
const BLOCK: &[u8] = &[0; 8192];

impl Text {
    pub(super) fn push_str(&mut self, piece: &str) {
        self.push_bytes(piece.as_bytes());
    }

    /// Appends bytes, which must be whole characters.
    fn push_bytes(&mut self, piece: &[u8]) {
        let end = self.len + piece.len();
        if end > self.bytes.len() {
            self.grow(end);
        }
        if piece.len() > MOST_BY_HAND {
            self.bytes[self.len..end].copy_from_slice(piece);
            self.len = end;
            return;
        }
        let bytes = &mut self.bytes[..];
        let (mut to, mut from) = (self.len, 0);
        while to < end {
            bytes[to] = piece[from];
            to += 1;
            from += 1;
        }
        self.len = end;
    }

    fn grow(&mut self, least: usize) {
        // Copies blocks of zeros. The allocator would request zeroed memory as pages from the kernel.
        let room = least.max(2 * self.bytes.len()).max(BLOCK.len());
        let mut wider = Vec::with_capacity(room);
        wider.extend_from_slice(&self.bytes[..self.len]);
        while wider.len() < room {
            let left = room - wider.len();
            wider.extend_from_slice(&BLOCK[..left.min(BLOCK.len())]);
        }
        self.bytes = wider.into_boxed_slice();
    }

    /// Appends a string literal.
    pub(super) fn push_literal(&mut self, value: &str) {
        self.push_str(&format!("{value:?}"));
    }

    /// Appends an ASCII name that ends with a number, as one piece.
    pub(super) fn push_number<const N: usize>(&mut self, before: &[u8; N], number: usize) {
        let mut digits = [b'0'; 40];
        let (mut first, mut rest) = (digits.len(), number);
        loop {
            first -= 1;
            digits[first] += (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let mut at = N;
        while at > 0 {
            at -= 1;
            first -= 1;
            digits[first] = before[at];
        }
        self.push_bytes(&digits[first..]);
    }

    pub(super) fn read(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes[..self.len])
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Clears the text, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn finish(self) -> String {
        self.read().into_owned()
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.push_str(piece);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::Text;

    #[test]
    fn pieces_follow_each_other() {
        let (mut text, mut expected) = (Text::default(), String::new());
        for number in [0, 7, 10, 305, usize::MAX] {
            text.push_str("θ");
            text.push_number(b" = ", number);
            let _ = writeln!(text, "; {number:>3}");
            let _ = writeln!(expected, "θ = {number}; {number:>3}");
        }
        assert_eq!(text.finish(), expected);
        assert_eq!(Text::default().finish(), "");
    }
}
