//! The sweep, its chunks, and their files: a line that says which sweep it is, then the results as `i32`, of which the
//! first byte is the lowest.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::Failure;

/// All that determines the picture.
#[derive(Clone, Copy)]
pub(crate) struct Sweep {
    /// Number of rows, and of columns.
    pub(crate) size: u32,
    /// Number of steps of each trajectory.
    pub(crate) steps: u32,
    /// Length of a step [s].
    pub(crate) time_step: f64,
}

/// A chunk: its index, from 0, and the number of all chunks.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) index: u32,
    pub(crate) of: u32,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl Part {
    /// Its rows, which are contiguous.
    pub(crate) fn rows(self, sweep: &Sweep) -> Range<u32> {
        let bound = |i: u32| (u64::from(sweep.size) * u64::from(i) / u64::from(self.of)) as u32;
        bound(self.index)..bound(self.index + 1)
    }
}

/// The chunks of a sweep in a folder.
pub(crate) struct Store<'a> {
    pub(crate) sweep: Sweep,
    pub(crate) chunks: u32,
    pub(crate) folder: &'a Path,
    /// True if the chunks are computed on a GPU, whose results differ for chaotic motions.
    pub(crate) gpu: bool,
}

impl Store<'_> {
    /// All chunks, in the order of their rows.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Part> {
        let of = self.chunks;
        (0..of).map(move |index| Part { index, of })
    }

    fn path(&self, part: Part) -> PathBuf {
        self.folder.join(format!("{}_of_{}", part.index, part.of))
    }

    fn head(&self, part: Part) -> String {
        let Sweep {
            size,
            steps,
            time_step,
        } = self.sweep;
        let place = if self.gpu { " on a GPU" } else { "" };
        format!("sweep of {size} x {size}, {steps} steps of {time_step} s, chunk {part}{place}\n")
    }

    /// The results of a chunk, or `None` if it is missing.
    pub(crate) fn read(&self, part: Part) -> Result<Option<Vec<i32>>, Failure> {
        let path = self.path(part);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", path.display()).into()),
        };
        let head = self.head(part);
        let length = 4 * part.rows(&self.sweep).len() * self.sweep.size as usize;
        match bytes.strip_prefix(head.as_bytes()) {
            Some(results) if results.len() == length => {
                let (results, _) = results.as_chunks::<4>();
                Ok(Some(
                    results
                        .iter()
                        .map(|bytes| i32::from_le_bytes(*bytes))
                        .collect(),
                ))
            }
            _ => Err(format!(
                "{} is not the chunk of this {}delete it, or name another folder by --folder",
                path.display(),
                head.replace('\n', ": ")
            )
            .into()),
        }
    }

    /// Writes the file of a chunk.
    pub(crate) fn write(&self, part: Part, results: &[i32]) -> Result<(), Failure> {
        let mut bytes = self.head(part).into_bytes();
        bytes.extend(results.iter().flat_map(|result| result.to_le_bytes()));
        write_whole(&self.path(part), &bytes)
    }
}

/// Writes a file under a temporary name and renames it, so that under its own name it is whole.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.part", std::process::id()));
    File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|error| format!("{}: {error}", path.display()).into())
}
