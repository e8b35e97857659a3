//! A line for each result: state, method, value.

use std::env;
use std::fmt::Debug;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// From so many bytes on a hash stands for the text, unless `NET_FULL` is set.
const MOST: usize = 80;

/// The file of a system.
pub struct Results {
    file: BufWriter<File>,
    most: usize,
}

impl Results {
    pub fn new(name: &str) -> Self {
        let folder = env::var("NET").expect("NET names the folder of the results");
        let path = Path::new(&folder).join("results").join(name);
        let file = File::create(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        Self {
            file: BufWriter::new(file),
            most: if env::var_os("NET_FULL").is_some() {
                usize::MAX
            } else {
                MOST
            },
        }
    }

    /// Floats as `{:?}` writes them: the shortest digits that read back to the same bits.
    pub fn write(&mut self, state: usize, method: &str, value: &dyn Debug) {
        let text = format!("{value:?}");
        let written = if text.len() < self.most {
            writeln!(self.file, "{state:02} {method} {text}")
        } else {
            writeln!(self.file, "{state:02} {method} {:016x}", hash(&text))
        };
        written.expect("a result cannot be written");
    }
}

/// FNV-1a of 64 bits.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
