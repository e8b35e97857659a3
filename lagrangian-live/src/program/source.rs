//! A file with declarations, for the commands.

use std::io::{self, Write};
use std::path::Path;

use lagrangian_live::{Model, SourceError};

use crate::failure::Failure;

/// The declarations of a file.
pub(crate) struct Source(lagrangian_live::Source);

impl Source {
    /// Reads all declarations of a file. Warnings are not shown if there are errors.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        match lagrangian_live::Source::read(path) {
            Ok(source) => Ok(Self(source)),
            Err(error @ SourceError::Unreadable(..)) => Err(Failure::usage(error)),
            Err(error) => Err(Failure::run(error)),
        }
    }

    /// The name of the file.
    pub(crate) fn name(&self) -> String {
        self.0.path().display().to_string()
    }

    pub(crate) fn models(&self) -> &[Model] {
        self.0.models()
    }

    /// The only system, or that of a name.
    pub(crate) fn system(&self, name: Option<&str>) -> Result<&Model, Failure> {
        let names: Vec<&str> = self.models().iter().map(Model::name).collect();
        let model = match (name, self.models()) {
            (None, [model]) => Some(model),
            (None, _) => None,
            (Some(name), models) => models.iter().find(|model| model.name() == name),
        };
        model.ok_or_else(|| {
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
