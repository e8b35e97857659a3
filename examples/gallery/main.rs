//! All examples: their pages in one folder, with an index.
//!
//! ```text
//! cargo run --release --example gallery [folder]
//! ```
//!
//! It lets cargo build the others with its own options, and runs them. With the target wasm32-unknown-unknown
//! (`rustup target add wasm32-unknown-unknown`) it adds the live pages: the playground, and ten
//! thousand double pendulums.

#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "it writes no page of its own")]
mod common;
mod index;
mod playground;
mod swarm;
mod wasm;

use std::error::Error;
use std::ffi::OsString;
use std::process::Command;
use std::{env, fs};

use common::{GALLERY, LINKS};
use index::{Entry, LIVE, PAGES, gallery_folder, links, write_index};
use lagrangian_page::parts::escape_html;
use playground::write_playground;
use swarm::write_swarm;

/// If this variable is set the other examples are built already, and are beside this program.
const BUILT: &str = "LAGRANGIAN_BUILT";

fn main() -> Result<(), Box<dyn Error>> {
    let built = env::var_os(BUILT).and_then(|_| env::current_exe().ok());
    let folder = gallery_folder()?;
    let names: Vec<&str> = PAGES.iter().map(|page| page.name).collect();
    if built.is_none() {
        // All at once, so that they are built side by side.
        let examples = names.iter().flat_map(|name| ["--example", name]);
        run(cargo("build").args(examples))?;
    }
    // Before the pages, which lead to them.
    println!("live pages");
    for Entry { name, .. } in LIVE {
        // One of an earlier build: if it is not written now, no page leads to it.
        let _ = fs::remove_file(folder.join(name).with_extension("html"));
    }
    let live = wasm::is_possible();
    if live {
        write_playground(&mut program(), &folder)?;
        write_swarm(&mut program(), &folder)?;
    }
    for Entry { name, title, .. } in PAGES {
        println!("\n{name}");
        let links: Vec<String> = links(name, live)
            .into_iter()
            .map(|(text, address)| format!("{text}\n{address}"))
            .collect();
        let mut example = match &built {
            Some(gallery) => Command::new(gallery.with_file_name(name)),
            None => {
                let mut example = cargo("run");
                example.args(["--example", name]);
                example
            }
        };
        run(example.env(GALLERY, &folder).env(LINKS, links.join("\n")))?;
        let page = fs::read_to_string(folder.join(name).with_extension("html"))?;
        if !page.contains(&format!("<title>{}</title>", escape_html(title))) {
            return Err(
                format!("the page `{name}` has not the title of its card, `{title}`").into(),
            );
        }
    }
    let index = write_index(&folder, live)?;
    println!("\nall pages: file://{}", index.display());
    Ok(())
}

fn program() -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut cargo = Command::new(program);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo
}

fn cargo(command: &str) -> Command {
    let mut cargo = program();
    // Some read robots from files.
    cargo.args([command, "--quiet", "--features", "urdf"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    cargo
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command.status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{command:?}: {status}").into())
    }
}
