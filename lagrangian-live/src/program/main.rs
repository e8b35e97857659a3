//! The program `lagrangian`: checks declarations, writes their equations, exports them and simulates them.

mod arguments;
mod failure;
mod fmu;
mod page;
mod simulate;
mod source;
mod values;
mod zip;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use arguments::{Command, Export};
use failure::Failure;
use lagrange_engine::c99::snake_case;
use lagrangian_live::{Error, Language, Model};
use source::Source;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Nobody reads the text of an error that cannot be written.
            let _ = writeln!(io::stderr(), "{}", failure.text.trim_end());
            ExitCode::from(failure.code)
        }
    }
}

fn run() -> Result<(), Failure> {
    match arguments::parse(lexopt::Parser::from_env())? {
        Command::Help => print(arguments::HELP),
        Command::Version => print(concat!("lagrangian ", env!("CARGO_PKG_VERSION"), "\n")),
        Command::Check(file) => check(&Source::read(&file)?),
        Command::Equations(file, is_latex) => equations(&Source::read(&file)?, is_latex),
        Command::Export(file, exports, folder) => {
            export(&Source::read(&file)?, &exports, folder.as_deref())
        }
        Command::Fmu(file, options) => fmu::write(&Source::read(&file)?, &options),
        Command::Simulate(file, options) => simulate::run(&Source::read(&file)?, &options),
    }
}

/// Writes to the standard output. A reader that ends early, such as `head`, is no mistake.
fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::run(error)),
        _ => Ok(()),
    }
}

fn check(source: &Source) -> Result<(), Failure> {
    let mut text = String::new();
    for model in source.models() {
        let warnings = model.warnings();
        source.warn(model);
        let told = match warnings.len() {
            0 => "no mistakes".to_owned(),
            1 => "1 warning".to_owned(),
            count => format!("{count} warnings"),
        };
        text += &format!("{}: {}: {told}\n", source.name(), model.name());
    }
    print(&text)
}

fn equations(source: &Source, is_latex: bool) -> Result<(), Failure> {
    let mut text = String::new();
    for model in source.models() {
        if source.models().len() > 1 {
            let mark = if is_latex { "%" } else { "#" };
            text += &format!("{mark} {}\n", model.name());
        }
        let equations = model.equations();
        text += if is_latex {
            &equations.latex
        } else {
            &equations.text
        };
        text = text.trim_end().to_owned() + "\n";
    }
    print(&text)
}

fn export(source: &Source, exports: &[Export], folder: Option<&Path>) -> Result<(), Failure> {
    for model in source.models() {
        for Export { language, methods } in exports {
            let methods: Vec<&str> = methods.iter().map(String::as_str).collect();
            let text = model
                .text(*language, &methods)
                .map_err(|error| match error {
                    Error::UnknownName(message) => Failure::usage(with_names(message, model)),
                    Error::Export(message) => Failure::usage(message),
                    error => Failure::run(error),
                })?;
            match folder {
                None => print(&text)?,
                Some(folder) => {
                    let path = folder.join(file_name(model, *language));
                    let written =
                        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
                    written
                        .map_err(|error| Failure::run(format!("{}: {error}", path.display())))?;
                }
            }
        }
    }
    Ok(())
}

/// A message about an unknown method with the names of all methods that a text may contain.
fn with_names(message: String, model: &Model) -> String {
    let names: Vec<&str> = model
        .methods()
        .iter()
        .filter(|method| method.is_exportable)
        .map(|method| &method.name[..])
        .collect();
    format!("{message}\n\nthe names are {}", names.join(", "))
}

/// The name of the file with the text: `cart_pole.c`.
fn file_name(model: &Model, language: Language) -> String {
    let extension = match language {
        Language::Cuda => "cu",
        Language::Wgsl => "wgsl",
        _ => "c",
    };
    format!("{}.{extension}", snake_case(model.name()))
}
