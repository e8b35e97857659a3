//! The program that runs the macro.
//!
//! A language server runs the macro at every keystroke. It reads the items with their signatures and documentation, and
//! the mistakes. Nothing runs the bodies of the methods then, and these take most of the time to generate.
//! `rust-analyzer` runs macros in a separate process whose name begins with `rust-analyzer`.

use std::env;
use std::ffi::OsStr;

/// The purpose of an expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The items are compiled.
    Code,
    /// An editor reads the items. Their bodies are never executed.
    Signatures,
}

impl Purpose {
    /// The purpose for the current process: signatures in `rust-analyzer`, otherwise code.
    pub fn of_host() -> Self {
        let program = env::current_exe().ok();
        let name = program
            .as_deref()
            .and_then(|path| path.file_name())
            .unwrap_or_default();
        Self::of(name)
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
