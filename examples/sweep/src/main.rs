//! The basins of a double pendulum: a picture of a million starts at rest, coloured by the time and the direction of
//! the first flip of the lower arm.
//!
//! The picture is cut into chunks of whole rows. A finished chunk is a file, so that an interrupted run goes on where it
//! was, and machines that share a folder can each make some of them. `README.md` has the commands.

#![deny(unsafe_code)]

mod arguments;
mod chunks;
mod pendulum;
mod picture;
mod run;

use std::process::ExitCode;

use clap::Parser;

/// What is printed after `error:`.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    match run::run(&arguments::Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
