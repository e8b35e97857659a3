//! The playground: systems as WebAssembly, in a page that steps them live.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, error::Error, fs};

use lagrangian_page::parts::{DRAWING, STYLE, declaration_html, escape_html, fill};

use crate::{common, index};

/// The target of browsers.
const TARGET: &str = "wasm32-unknown-unknown";
/// The sources of the systems in the package.
const SYSTEMS: [&str; 4] = ["cart_pole", "double_pendulum", "four_bar", "rolling_ball"];

/// Writes the page to the folder of the gallery. Returns false, and writes nothing, if its target is not installed.
pub(crate) fn write_playground(cargo: &mut Command, folder: &Path) -> Result<bool, Box<dyn Error>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/playground");
    let file = folder.join("playground.html");
    // A page of an earlier build: if it is not written now, no page leads to it.
    let _ = fs::remove_file(&file);
    if !package.is_dir() {
        println!("the playground is left out: it is not among the packaged files");
        return Ok(false);
    }
    if !has_target() {
        println!(
            "the playground is left out: its target is not installed (rustup target add {TARGET})"
        );
        return Ok(false);
    }
    let module = fs::read(build(cargo, &package)?)?;
    println!("{} bytes of WebAssembly", module.len());
    let page = html(&package, &module)?;
    fs::write(file, page)?;
    fs::write(
        folder.join("playground.svg"),
        include_str!("playground/card.svg"),
    )?;
    Ok(true)
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

/// Builds the module, always for release, and returns its path.
fn build(cargo: &mut Command, package: &Path) -> Result<PathBuf, Box<dyn Error>> {
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
        return Err(format!("the playground does not build: {status}").into());
    }
    Ok(folder
        .join(TARGET)
        .join("release/lagrangian_playground.wasm"))
}

fn html(package: &Path, module: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut declarations = String::new();
    for name in SYSTEMS {
        let source = fs::read_to_string(package.join("src").join(name).with_extension("rs"))?;
        let declaration = declaration_html(&source, "");
        declarations += &format!("<template id=\"declaration-{name}\">{declaration}</template>\n");
    }
    let links = index::links("playground", true).into_iter();
    let links: String = links
        .map(|(text, address)| format!("<a href=\"{address}\">{}</a>", escape_html(&text)))
        .collect();
    let links = format!("<nav aria-label=\"Pages\">{links}</nav>");
    Ok(fill(
        include_str!("playground/page.html"),
        &[
            (
                "{{style}}",
                &format!("{STYLE}{}", include_str!("playground/page.css")),
            ),
            ("{{links}}", &links),
            ("{{declarations}}", &declarations),
            ("{{module}}", &base64(module)),
            ("{{drawing}}", DRAWING),
            (
                "{{script}}",
                concat!(
                    include_str!("playground/systems.js"),
                    include_str!("playground/live.js"),
                    include_str!("playground/play.js")
                ),
            ),
        ],
    ))
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
