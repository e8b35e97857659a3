//! The arguments of the program.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Parser, value_parser};

use crate::Failure;
use crate::chunks::{Part, Sweep};

/// Draws the basins of a double pendulum. Each pixel is a start at rest: the angle of the upper arm grows to the right,
/// that of the lower arm upwards, both from -pi to pi. The colour shows when and in which direction the lower arm first
/// flips over.
#[derive(Parser)]
pub(crate) struct Arguments {
    /// Pixels along each side
    #[arg(long, default_value_t = 1000, value_parser = value_parser!(u32).range(1..=20_000))]
    size: u32,
    /// Steps of each trajectory that does not flip before
    #[arg(long, default_value_t = 10_000, value_parser = value_parser!(u32).range(1..=1_000_000_000))]
    steps: u32,
    /// Length of a step [s], at most 0.05
    #[arg(long, default_value_t = 0.005, value_parser = time_step)]
    time_step: f64,
    /// Number of chunks of the picture [default: 100, or the size if that is less]
    #[arg(long, value_parser = value_parser!(u32).range(1..))]
    chunks: Option<u32>,
    /// Computes only chunk I of N, I from 0, and makes no picture
    #[arg(long, value_name = "I/N", conflicts_with_all = ["chunks", "join"])]
    pub(crate) chunk: Option<Part>,
    /// Computes nothing, and makes the picture of the chunks
    #[arg(long)]
    pub(crate) join: bool,
    /// Folder of the chunks
    #[arg(long, default_value = "sweep.chunks")]
    pub(crate) folder: PathBuf,
    /// File of the picture
    #[arg(long, default_value = "sweep.png")]
    pub(crate) picture: PathBuf,
    /// Number of threads [default: the cores that this process may use]
    #[arg(long, value_parser = value_parser!(u32).range(1..=4096))]
    pub(crate) threads: Option<u32>,
    /// Computes on the first GPU
    #[arg(long, conflicts_with = "threads")]
    pub(crate) gpu: bool,
}

fn time_step(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(h) if h > 0.0 && h <= 0.05 => Ok(h),
        _ => Err("not a number above 0 and up to 0.05".to_owned()),
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/');
        let parsed = numbers.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parsed {
            Some((_, 0)) => Err("there are no chunks of 0".to_owned()),
            Some((index, of)) if index < of => Ok(Part { index, of }),
            Some((_, of)) => Err(format!("chunks count from 0: the last is {}/{of}", of - 1)),
            None => Err("not two numbers as in 0/100".to_owned()),
        }
    }
}

impl Arguments {
    /// The sweep, and the number of its chunks.
    pub(crate) fn sweep(&self) -> Result<(Sweep, u32), Failure> {
        let chunks = match (&self.chunk, self.chunks) {
            (Some(part), _) => part.of,
            (None, Some(chunks)) => chunks,
            (None, None) => self.size.min(100),
        };
        if chunks > self.size {
            let size = self.size;
            return Err(
                format!("{chunks} chunks of {size} rows: a chunk has at least a row").into(),
            );
        }
        let sweep = Sweep {
            size: self.size,
            steps: self.steps,
            time_step: self.time_step,
        };
        Ok((sweep, chunks))
    }
}
