//! The commands and their options.

use std::path::PathBuf;

use lagrangian_live::Language;
use lexopt::Arg::{Long, Short, Value};
use lexopt::{Parser, ValueExt};

use crate::failure::Failure;

pub(crate) const HELP: &str = "\
lagrangian: equations of motion from declarations

usage:
    lagrangian check FILE
    lagrangian equations FILE [--latex]
    lagrangian export FILE --c99 acceleration,linearize [--out FOLDER]
    lagrangian fmu FILE --out NAME.fmu [--set m=1] [--start theta=0.3]
    lagrangian simulate FILE --until 10 [--set m=1] [--start theta=0.3] [--step 1e-3] [--csv OUT] [--page OUT.html]

FILE is a text of the inside of `lagrangian! { .. }` (.lag), or a program in Rust with such blocks (.rs).

check       reads the declarations, and shows their mistakes and warnings
equations   prints the equations of motion, with --latex for LaTeX
export      writes methods as C (--c99), CUDA (--cuda) or WGSL (--wgsl); without --out it prints them
fmu         writes a model for simulators by FMI 2.0, for Model Exchange, with its sources, compiled if there is `cc`
simulate    integrates the motion by the classical Runge-Kutta method of order 4

    --out PATH           the folder of texts, or the FMU
    --set NAME=VALUE     a parameter, or an input, which is constant: m=1, \"c=[1, 2]\", \"c[0]=1\"
    --start NAME=VALUE   a coordinate or a velocity at the start: theta=0.3, \"der(theta)=1\"
    --until TIME         the time of the end; the start is at 0
    --step TIME          the length of a step, 1e-3 without this option
    --csv OUT            the table of the motion; it is printed if there is neither --csv nor --page
    --page OUT.html      a page with plots and a scene
    --system NAME        the system, if FILE has several

The end is 1 after a mistake in FILE or in a run, and 2 after a wrong command.
";

/// A command with its options.
#[derive(Debug)]
pub(crate) enum Command {
    Help,
    Version,
    Check(PathBuf),
    /// The file, and whether LaTeX is wanted.
    Equations(PathBuf, bool),
    /// The file, the texts, and the folder for them.
    Export(PathBuf, Vec<Export>, Option<PathBuf>),
    Fmu(PathBuf, Box<Fmu>),
    Simulate(PathBuf, Box<Simulate>),
}

/// Methods in a language.
#[derive(Debug)]
pub(crate) struct Export {
    pub(crate) language: Language,
    pub(crate) methods: Vec<String>,
}

/// The system and its numbers.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    pub(crate) system: Option<String>,
    /// Names and values as written.
    pub(crate) set: Vec<(String, String)>,
    pub(crate) start: Vec<(String, String)>,
}

#[derive(Debug)]
pub(crate) struct Fmu {
    pub(crate) choices: Choices,
    pub(crate) out: PathBuf,
}

#[derive(Debug)]
pub(crate) struct Simulate {
    pub(crate) choices: Choices,
    pub(crate) until: f64,
    pub(crate) step: f64,
    pub(crate) csv: Option<PathBuf>,
    pub(crate) page: Option<PathBuf>,
}

/// The length of a step without the option.
const STEP: f64 = 1e-3;

fn wrong(error: lexopt::Error) -> Failure {
    Failure::usage(format!("{error}\n\n`lagrangian --help` shows the commands"))
}

pub(crate) fn parse(mut parser: Parser) -> Result<Command, Failure> {
    let command = match parser.next().map_err(wrong)? {
        None => return Err(Failure::usage(format!("which command?\n\n{HELP}"))),
        Some(Long("help") | Short('h')) => return Ok(Command::Help),
        Some(Long("version") | Short('V')) => return Ok(Command::Version),
        Some(Value(value)) => value.string().map_err(wrong)?,
        Some(other) => return Err(wrong(other.unexpected())),
    };
    match command.as_str() {
        "help" => Ok(Command::Help),
        "check" | "equations" | "export" | "fmu" | "simulate" => options(&command, parser),
        other => Err(Failure::usage(format!(
            "unknown command `{other}`: expected `check`, `equations`, `export`, `fmu` or `simulate`"
        ))),
    }
}

fn options(command: &str, mut parser: Parser) -> Result<Command, Failure> {
    let (mut file, mut is_latex, mut exports, mut folder) = (None, false, Vec::new(), None);
    let (mut choices, mut until, mut step) = (Choices::default(), None, STEP);
    let (mut csv, mut page) = (None, None);
    while let Some(argument) = parser.next().map_err(wrong)? {
        match (command, argument) {
            (_, Long("help") | Short('h')) => return Ok(Command::Help),
            (_, Value(value)) if file.is_none() => file = Some(PathBuf::from(value)),
            ("equations", Long("latex")) => is_latex = true,
            ("export", Long(name @ ("c99" | "cuda" | "wgsl"))) => {
                let language = match name {
                    "cuda" => Language::Cuda,
                    "wgsl" => Language::Wgsl,
                    _ => Language::C99,
                };
                let list = parser.value().and_then(ValueExt::string).map_err(wrong)?;
                let methods = list.split(',').map(|name| name.trim().to_owned());
                exports.push(Export {
                    language,
                    methods: methods.collect(),
                });
            }
            ("export" | "fmu", Long("out")) => {
                folder = Some(PathBuf::from(parser.value().map_err(wrong)?))
            }
            ("fmu" | "simulate", Long("system")) => {
                choices.system = Some(parser.value().and_then(ValueExt::string).map_err(wrong)?);
            }
            ("fmu" | "simulate", Long("set")) => choices.set.push(pair(&mut parser, "--set")?),
            ("fmu" | "simulate", Long("start")) => {
                choices.start.push(pair(&mut parser, "--start")?)
            }
            ("simulate", Long("until")) => until = Some(time(&mut parser, "--until")?),
            ("simulate", Long("step")) => step = time(&mut parser, "--step")?,
            ("simulate", Long("csv")) => csv = Some(parser.value().map_err(wrong)?.into()),
            ("simulate", Long("page")) => page = Some(parser.value().map_err(wrong)?.into()),
            (_, other) => return Err(wrong(other.unexpected())),
        }
    }
    let Some(file) = file else {
        return Err(Failure::usage(format!(
            "which file? `lagrangian {command} FILE`"
        )));
    };
    Ok(match command {
        "check" => Command::Check(file),
        "equations" => Command::Equations(file, is_latex),
        "export" if exports.is_empty() => {
            return Err(Failure::usage(
                "which methods? `--c99 acceleration,linearize`",
            ));
        }
        "export" => Command::Export(file, exports, folder),
        "fmu" => {
            let Some(out) = folder else {
                return Err(Failure::usage("which FMU? `--out NAME.fmu`"));
            };
            Command::Fmu(file, Box::new(Fmu { choices, out }))
        }
        _ => {
            let Some(until) = until else {
                return Err(Failure::usage("until when? `--until 10`"));
            };
            let simulate = Simulate {
                choices,
                until,
                step,
                csv,
                page,
            };
            Command::Simulate(file, Box::new(simulate))
        }
    })
}

/// `name=value`
fn pair(parser: &mut Parser, option: &str) -> Result<(String, String), Failure> {
    let text = parser.value().and_then(ValueExt::string).map_err(wrong)?;
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err(Failure::usage(format!(
            "`{option} {text}` has no value: write `{option} {text}=1`"
        ))),
    }
}

/// A positive number.
fn time(parser: &mut Parser, option: &str) -> Result<f64, Failure> {
    let text = parser.value().and_then(ValueExt::string).map_err(wrong)?;
    match text.parse() {
        Ok(time) if time > 0.0 && f64::is_finite(time) => Ok(time),
        _ => Err(Failure::usage(format!(
            "`{option} {text}`: expected a positive number"
        ))),
    }
}
