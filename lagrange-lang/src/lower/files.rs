//! The files that a declaration reads.

use std::path::Path;

/// The text of a file, or the message for its mistake. Its path is relative to the package.
pub(super) fn read(path: &str) -> Result<String, String> {
    let root = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    match std::fs::read(Path::new(&root).join(path)) {
        Ok(bytes) => String::from_utf8(bytes)
            .map_err(|_| format!("`{path}` is no text in UTF-8\n\nhelp: convert it to UTF-8")),
        Err(error) => {
            let reason = match error.kind() {
                std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
                kind => kind.to_string(),
            };
            Err(format!(
                "`{path}` cannot be read: {reason}\n\n\
                 help: the path is relative to the directory of the package's Cargo.toml"
            ))
        }
    }
}
