//! The messages of the macro about mistakes, word by word, with their places; and no others.
//!
//! Each program of `ui` states in its first line which token its message must point at. There is one for each kind of
//! message, and for mistakes beside Rust code; all others are in `lagrange-lang/tests/mistakes`. The mistakes of one stage
//! are modules of one crate, which takes the compiler a tenth of the time of a crate for each. Mistakes that end in a lint,
//! which other mistakes would hide, are alone in `ui/lints`. After a change of a message,
//! `TRYBUILD=overwrite cargo test` in this folder writes the new texts: read each changed one before it is kept.
//!
//! The compiler of the texts is in `rust-toolchain.toml`, which rustup follows in this folder. On another compiler the
//! messages are not compared. The test says so, past the capture of output, and fails where the variable
//! `LAGRANGIAN_COMPARE_MESSAGES` is set, as `.ci/run` does.

use std::env;
use std::io::{self, Write};
use std::process::Command;

/// Compilers differ in how they print a message. The expected texts are those of the compiler in this file.
const TOOLCHAIN: &str = include_str!("rust-toolchain.toml");

/// `rustc 1.95.`, whatever the patch.
fn pinned() -> String {
    let mut lines = TOOLCHAIN.lines();
    let channel = lines.find_map(|line| line.strip_prefix("channel = \""));
    let channel = channel.expect("the file names a channel");
    let (release, _) = channel.rsplit_once('.').expect("the channel is a release");
    format!("rustc {release}.")
}

#[test]
fn messages() {
    let (version, pinned) = (rustc_version(), pinned());
    if !version.starts_with(&pinned) {
        let skipped = format!(
            "SKIPPED: messages are not compared: this is {version}, they are those of {pinned}x"
        );
        assert!(
            env::var_os("LAGRANGIAN_COMPARE_MESSAGES").is_none(),
            "{skipped}"
        );
        // Not by `eprintln`, which the test harness keeps to itself where a test succeeds.
        let _ = writeln!(io::stderr(), "{skipped}");
        return;
    }
    // Programs that compile are elsewhere (`quiet`): with one among these each would be compiled by itself.
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*.rs");
    cases.compile_fail("ui/lints/*.rs");
}

/// The version that the compiler of `cargo` reports.
fn rustc_version() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let output = output.expect("the compiler that built this test can be run");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
