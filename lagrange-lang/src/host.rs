//! Who runs the macro.
//!
//! An editor's language server runs it at every keystroke and reads what items there are, with what signatures and
//! documentation, and which mistakes; nobody runs the bodies then, which take most of the time. `rust-analyzer` runs
//! macros in a process of its own whose name begins with its own name.

use std::env;
use std::ffi::OsStr;

/// The purpose of an expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To be compiled.
    Code,
    /// To be read by an editor: bodies are never reached.
    Signatures,
}

impl Purpose {
    /// The purpose for the program of this process: signatures in `rust-analyzer`, else code.
    pub fn of_host() -> Self {
        let program = env::current_exe().ok();
        let name = program.as_deref().and_then(|path| path.file_name());
        Self::of(name.unwrap_or_default())
    }

    fn of(program: &OsStr) -> Self {
        if program.to_string_lossy().starts_with("rust-analyzer") {
            Self::Signatures
        } else {
            Self::Code
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Purpose;

    #[test]
    fn editors_get_signatures() {
        let names = ["rust-analyzer-proc-macro-srv", "rust-analyzer.exe"];
        for name in names {
            assert_eq!(Purpose::of(name.as_ref()), Purpose::Signatures, "{name}");
        }
        for name in ["rustc", "rustdoc", "clippy-driver", ""] {
            assert_eq!(Purpose::of(name.as_ref()), Purpose::Code, "{name}");
        }
        assert_eq!(Purpose::of_host(), Purpose::Code);
    }
}
