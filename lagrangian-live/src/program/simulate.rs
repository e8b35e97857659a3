//! Simulations.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::time::{Duration, Instant};

use lagrangian_live::motion::Driven;
use lagrangian_live::{Model, Motion, State, Steps};

use crate::arguments::Simulate;
use crate::failure::Failure;
use crate::page;
use crate::source::Source;
use crate::values::Values;

/// The time after which the progress is shown, and between two changes of it.
const PATIENCE: Duration = Duration::from_millis(500);

/// The most states on a page.
const MOST_SHOWN: u64 = 1500;

/// Simulates a system, and writes its motion.
pub(crate) fn run(source: &Source, options: &Simulate) -> Result<(), Failure> {
    let model = source.system(options.choices.system.as_deref())?;
    source.warn(model);
    let values = Values::read(model, &options.choices, None)?;
    let Some(steps) = Steps::new(0.0, options.until, options.step) else {
        return Err(Failure::usage(
            "so many steps never end: choose a larger `--step`",
        ));
    };
    let count = steps.count();
    let mut table = Table::open(options)?;
    table.names(model)?;
    let between = count.div_ceil(MOST_SHOWN);
    let mut shown = Vec::new();
    let mut progress = Progress::new();
    let started = Motion::new(model, values.parameters.clone(), values.state.clone())
        .map_err(|error| Failure::run(format!("at the start: {error}")));
    let moved = started.and_then(|mut motion| {
        for number in 0..=count {
            if number > 0 {
                let start = motion.state().t;
                motion
                    .step(&values.inputs, steps.end(number))
                    .map_err(|error| Failure::run(format!("at t = {start}: {error}")))?;
            }
            let state = motion.state();
            table.row(state)?;
            if number.is_multiple_of(between) || number == count {
                shown.push(state.clone());
            }
            progress.show(number, count);
        }
        Ok(())
    });
    progress.end();
    // The rows before a failure are worth reading.
    table.end()?;
    moved?;
    match &options.page {
        Some(path) => {
            let driven = Driven {
                model,
                parameters: &values.parameters,
                inputs: &values.inputs,
            };
            page::write((&driven, &values), &shown, path)
        }
        None => Ok(()),
    }
}

/// The table of a motion.
struct Table(Option<BufWriter<Box<dyn Write>>>);

impl Table {
    fn open(options: &Simulate) -> Result<Self, Failure> {
        let to: Option<Box<dyn Write>> = match (&options.csv, &options.page) {
            (Some(path), _) => {
                let file = File::create(path);
                let file =
                    file.map_err(|error| Failure::run(format!("{}: {error}", path.display())))?;
                Some(Box::new(file))
            }
            (None, None) => Some(Box::new(io::stdout())),
            (None, Some(_)) => None,
        };
        Ok(Self(to.map(BufWriter::new)))
    }

    fn names(&mut self, model: &Model) -> Result<(), Failure> {
        let lists = [model.coordinates(), model.velocities(), model.states()];
        let names = lists.into_iter().flatten().map(|variable| {
            let name = &variable.name;
            match name.contains(',') {
                true => format!("\"{name}\""),
                false => name.clone(),
            }
        });
        let names: Vec<String> = ["t".to_owned()].into_iter().chain(names).collect();
        self.line(&names.join(","))
    }

    fn row(&mut self, state: &State) -> Result<(), Failure> {
        if self.0.is_none() {
            return Ok(());
        }
        let numbers = [state.t]
            .into_iter()
            .chain(state.q.iter().chain(&state.v).chain(&state.z).copied());
        let numbers: Vec<String> = numbers.map(|number| format!("{number:?}")).collect();
        self.line(&numbers.join(","))
    }

    fn line(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.0.as_mut().map(|to| writeln!(to, "{line}"));
        self.check(written.unwrap_or(Ok(())))
    }

    fn end(&mut self) -> Result<(), Failure> {
        let written = self.0.as_mut().map(Write::flush);
        self.check(written.unwrap_or(Ok(())))
    }

    /// A reader that ends early, such as `head`, needs no more lines.
    fn check(&mut self, written: io::Result<()>) -> Result<(), Failure> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.0 = None;
                Ok(())
            }
            Err(error) => Err(Failure::run(format!(
                "the table cannot be written: {error}"
            ))),
            Ok(()) => Ok(()),
        }
    }
}

/// The progress of a long simulation, on a terminal.
struct Progress {
    last: Instant,
    is_shown: bool,
}

impl Progress {
    fn new() -> Self {
        Self {
            last: Instant::now(),
            is_shown: false,
        }
    }

    fn show(&mut self, done: u64, total: u64) {
        // The clock costs more than a step of a small system.
        if done.is_multiple_of(256) && self.last.elapsed() > PATIENCE && io::stderr().is_terminal()
        {
            let _ = write!(io::stderr(), "\r{:3} %", done * 100 / total);
            (self.last, self.is_shown) = (Instant::now(), true);
        }
    }

    fn end(&self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r     \r");
        }
    }
}
