//! Files with declarations.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use crate::{Diagnostic, Model, declarations};

/// The declarations of a file: a text, which is the inside of `lagrangian! { .. }`, or a program in Rust with such blocks.
///
/// ```no_run
/// use lagrangian_live::Source;
///
/// let source = Source::read("cart_pole.lag")?;
/// println!("{}", source.models()[0].equations().text);
/// # Ok::<(), lagrangian_live::SourceError>(())
/// ```
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    folder: PathBuf,
    models: Vec<Model>,
}

/// The reason why a file has no declarations.
///
/// ```
/// use lagrangian_live::{Source, SourceError};
///
/// let error = Source::read("nowhere/cart_pole.lag").unwrap_err();
/// assert!(matches!(error, SourceError::Unreadable(..)));
/// assert!(error.to_string().starts_with("`nowhere/cart_pole.lag` cannot be read: "));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceError {
    /// The file cannot be read, or is no text in UTF-8.
    Unreadable(PathBuf, io::Error),
    /// A program without `lagrangian! { .. }`.
    Empty(PathBuf),
    /// Wrong declarations, with all their mistakes.
    Declarations(PathBuf, Vec<Diagnostic>),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, error) if error.kind() == io::ErrorKind::InvalidData => {
                write!(f, "`{}` is no text in UTF-8", path.display())
            }
            Self::Unreadable(path, error) => {
                write!(f, "`{}` cannot be read: {error}", path.display())
            }
            Self::Empty(path) => write!(f, "`{}` has no `lagrangian! {{ .. }}`", path.display()),
            Self::Declarations(path, messages) => {
                let name = path.display().to_string();
                let messages = messages.iter().map(|message| message.in_file(&name));
                f.write_str(&messages.collect::<Vec<String>>().join("\n\n"))
            }
        }
    }
}

impl std::error::Error for SourceError {}

impl Source {
    /// Reads all declarations of a file: a program in Rust if its name ends in `.rs`, else a text.
    ///
    /// ```
    /// use lagrangian_live::Source;
    ///
    /// let path = std::env::temp_dir().join("lagrangian_live_source.rs");
    /// std::fs::write(&path, "lagrangian! { struct Free { x: coordinate } T = der(x)^2; }").unwrap();
    /// assert_eq!(Source::read(path)?.models()[0].name(), "Free");
    /// # Ok::<(), lagrangian_live::SourceError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file that cannot be read, and all mistakes of all declarations.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SourceError> {
        let path = path.as_ref().to_owned();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => return Err(SourceError::Unreadable(path, error)),
        };
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let texts = match is_rust {
            true => declarations(&text),
            false => Ok(vec![text.clone()]),
        };
        let texts = match texts {
            Ok(texts) => texts,
            Err(messages) => return Err(SourceError::Declarations(path, messages)),
        };
        if texts.is_empty() {
            return Err(SourceError::Empty(path));
        }
        let folder = match is_rust {
            true => package_of(&path),
            false => match path.parent() {
                Some(folder) if folder != Path::new("") => folder.to_owned(),
                _ => PathBuf::from("."),
            },
        };
        // Messages do not count a mark of the order of bytes.
        let file = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let (mut models, mut messages) = (Vec::new(), Vec::new());
        for text in texts {
            match Model::read_in(&text, &folder) {
                Ok(model) => models.push(if is_rust {
                    model.with_lines(file)
                } else {
                    model
                }),
                // A declaration within a program shares its first and last line with other code.
                Err(diagnostics) => messages.extend(
                    diagnostics
                        .into_iter()
                        .map(|message| message.with_lines(file)),
                ),
            }
        }
        if messages.is_empty() {
            return Ok(Self {
                path,
                folder,
                models,
            });
        }
        Err(SourceError::Declarations(path, messages))
    }

    /// The path of the file.
    ///
    /// ```no_run
    /// let source = lagrangian_live::Source::read("cart_pole.lag").unwrap();
    /// assert!(source.path().ends_with("cart_pole.lag"));
    /// ```
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that paths in the declarations are relative to: that of the file, or for a program that of its package.
    ///
    /// ```no_run
    /// let source = lagrangian_live::Source::read("models/cart_pole.lag").unwrap();
    /// assert!(source.folder().ends_with("models"));
    /// ```
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The declarations in the order of the file.
    ///
    /// ```no_run
    /// let source = lagrangian_live::Source::read("cart_pole.lag").unwrap();
    /// assert_eq!(source.models().len(), 1);
    /// ```
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// The declarations in the order of the file.
    ///
    /// ```no_run
    /// use lagrangian_live::{Model, Source};
    ///
    /// let models: Vec<Model> = Source::read("src/main.rs").unwrap().into_models();
    /// ```
    pub fn into_models(self) -> Vec<Model> {
        self.models
    }
}

/// The folder of the package of a program, which paths are relative to.
fn package_of(path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute
        .ancestors()
        .skip(1)
        .find(|folder| folder.join("Cargo.toml").is_file())
        .unwrap_or(folder)
        .to_owned()
}
