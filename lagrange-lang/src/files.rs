//! The files that a declaration names.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder that the paths in a declaration are relative to.
///
/// ```
/// use lagrange_lang::{Declaration, Folder};
///
/// let text = r#"struct Arm { arm: robot = "arm.urdf" } Q.arm = -arm;"#;
/// let refused = Declaration::read(text.parse().unwrap(), &Folder::None).err().unwrap();
/// assert!(refused[0].message.contains("no files"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Folder {
    /// The folder of the package that is compiled.
    #[default]
    Package,
    /// This folder.
    At(PathBuf),
    /// No folder: a path is a mistake.
    None,
}

impl Folder {
    /// The text of a file, or the message for its path.
    pub(crate) fn read(&self, path: &str) -> Result<String, String> {
        let (folder, help) = match self {
            Self::Package => (
                PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()),
                "the path is relative to the directory of the package's Cargo.toml".to_owned(),
            ),
            Self::At(folder) => (
                folder.clone(),
                format!("the path is relative to the folder `{}`", folder.display()),
            ),
            Self::None => {
                return Err(format!(
                    "`{path}` cannot be read: there are no files here\n\nhelp: declare its content in the text"
                ));
            }
        };
        let bytes = std::fs::read(Path::new(&folder).join(path)).map_err(|error| {
            let reason = match error.kind() {
                ErrorKind::NotFound => "there is no such file".to_owned(),
                kind => kind.to_string(),
            };
            format!("`{path}` cannot be read: {reason}\n\nhelp: {help}")
        })?;
        String::from_utf8(bytes)
            .map_err(|_| format!("`{path}` is no text in UTF-8\n\nhelp: convert it to UTF-8"))
    }
}
