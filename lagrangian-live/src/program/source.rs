//! A file with declarations.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lagrangian_live::{Diagnostic, Model, declarations};

use crate::failure::Failure;

/// The declarations of a file.
pub(crate) struct Source {
    path: PathBuf,
    models: Vec<Model>,
}

impl Source {
    /// Reads all declarations of a file. Warnings are not shown if there are errors.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path)
            .map_err(|error| Failure::usage(format!("`{name}` cannot be read: {error}")))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::usage(format!("`{name}` is no text in UTF-8")))?;
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let told = |messages: &[Diagnostic]| {
            let messages = messages.iter().map(|message| message.in_file(&name));
            Failure::run(messages.collect::<Vec<String>>().join("\n\n"))
        };
        let texts = match is_rust {
            true => declarations(&text).map_err(|messages| told(&messages))?,
            false => vec![text],
        };
        if texts.is_empty() {
            return Err(Failure::run(format!(
                "`{name}` has no `lagrangian! {{ .. }}`"
            )));
        }
        let folder = match is_rust {
            true => package_of(path),
            false => match path.parent() {
                Some(folder) if folder != Path::new("") => folder.to_owned(),
                _ => PathBuf::from("."),
            },
        };
        let (mut models, mut messages) = (Vec::new(), Vec::new());
        for text in texts {
            match Model::read_in(&text, &folder) {
                Ok(model) => models.push(model),
                Err(found) => messages.extend(found),
            }
        }
        if messages.is_empty() {
            let path = path.to_owned();
            return Ok(Self { path, models });
        }
        Err(told(&messages))
    }

    /// The name of the file.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub(crate) fn models(&self) -> &[Model] {
        &self.models
    }

    /// The only system, or that of a name.
    pub(crate) fn system(&self, name: Option<&str>) -> Result<&Model, Failure> {
        let names: Vec<&str> = self.models.iter().map(Model::name).collect();
        let found = match (name, &self.models[..]) {
            (None, [model]) => Some(model),
            (None, _) => None,
            (Some(name), models) => models.iter().find(|model| model.name() == name),
        };
        found.ok_or_else(|| {
            let names = names.join(", ");
            Failure::usage(match name {
                None => format!("which system? `--system NAME` with one of: {names}"),
                Some(name) => format!("there is no system `{name}`; there are: {names}"),
            })
        })
    }

    /// Shows the warnings.
    pub(crate) fn warn(&self, model: &Model) {
        for warning in model.warnings() {
            let _ = writeln!(io::stderr(), "{}\n", warning.in_file(&self.name()));
        }
    }
}

/// The folder of the package of a program, which paths are relative to.
fn package_of(path: &Path) -> PathBuf {
    let own = path.parent().unwrap_or(Path::new(""));
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut folders = absolute.ancestors().skip(1);
    let package = folders.find(|folder| folder.join("Cargo.toml").is_file());
    package.unwrap_or(own).to_owned()
}
