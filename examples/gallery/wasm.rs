//! Packages that are built as WebAssembly for pages that step their systems live.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, error::Error, fs};

use lagrangian_page::parts::escape_html;

use crate::{common, index};

/// The target of browsers.
const TARGET: &str = "wasm32-unknown-unknown";

/// The folder of an example that is a package of its own.
pub(crate) fn package(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(name)
}

/// Returns whether packages can be built for browsers. If not, it prints the reason.
pub(crate) fn is_possible() -> bool {
    if !package("playground").is_dir() {
        println!("the live pages are left out: they are not among the packaged files");
        return false;
    }
    if !has_target() {
        println!(
            "the live pages are left out: their target is not installed (rustup target add {TARGET})"
        );
        return false;
    }
    true
}

/// Returns whether the compiler has the library of the target.
fn has_target() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut asked = Command::new(rustc);
    asked.args(["--print", "target-libdir", "--target", TARGET]);
    asked.output().is_ok_and(|answer| {
        let folder = String::from_utf8_lossy(&answer.stdout);
        answer.status.success() && Path::new(folder.trim()).is_dir()
    })
}

/// Builds the module of a package, always for release, and returns its bytes in letters.
pub(crate) fn build(cargo: &mut Command, name: &str) -> Result<String, Box<dyn Error>> {
    let package = package(name);
    // The versions that this package has been built with.
    let lock = package.join("Cargo.lock");
    let known = package.join("../../Cargo.lock");
    if !lock.exists() && known.exists() {
        fs::copy(known, lock)?;
    }
    let folder = common::folder();
    let status = cargo
        .args(["build", "--release", "--target", TARGET, "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&folder)
        // Options for this computer.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()?;
    if !status.success() {
        return Err(format!("the {name} does not build: {status}").into());
    }
    let file = format!("release/lagrangian_{name}.wasm");
    let module = fs::read(folder.join(TARGET).join(file))?;
    println!("{} bytes of WebAssembly", module.len());
    Ok(base64(&module))
}

/// The links of a live page to its neighbours.
pub(crate) fn links(name: &str) -> String {
    let links = index::links(name, true).into_iter();
    let links: String = links
        .map(|(text, address)| format!("<a href=\"{address}\">{}</a>", escape_html(&text)))
        .collect();
    format!("<nav aria-label=\"Pages\">{links}</nav>")
}

/// Three bytes in four letters (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= chunk.len() {
                letter as char
            } else {
                '='
            });
        }
    }
    text
}
