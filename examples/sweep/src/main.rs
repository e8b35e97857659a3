//! The basins of a double pendulum: a picture of a million starts at rest, coloured by the time and the direction of
//! the first flip of the lower arm.
//!
//! The picture is cut into chunks of whole rows. A finished chunk is a file: the next run completes an interrupted one,
//! and machines that share a folder can each make some chunks. `README.md` has the commands.

#![deny(unsafe_code)]

mod arguments;
mod chunks;
mod gpu;
mod pendulum;
mod picture;
mod processes;
mod run;

use std::process::ExitCode;

use arguments::Arguments;
use clap::Parser;
use processes::Processes;

/// The text after `error:`.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let fail = |failure: Failure| {
        eprintln!("error: {failure}");
        ExitCode::FAILURE
    };
    let processes = match Processes::start() {
        Ok(processes) => processes,
        Err(failure) => return fail(failure),
    };
    match run::run(&arguments, &processes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let code = fail(failure);
            processes.fail();
            code
        }
    }
}
