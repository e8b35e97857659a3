//! The playground: an editor of declarations, which WebAssembly reads and moves.

use std::path::Path;
use std::process::Command;
use std::{error::Error, fs};

use lagrangian_page::parts::{DRAWING, STYLE, WORDS, escape_html, fill};

use crate::wasm;

/// The page without its module.
const SCRIPT: &str = concat!(
    include_str!("playground/systems.js"),
    include_str!("playground/module.js"),
    include_str!("playground/editor.js"),
    include_str!("playground/live.js"),
    include_str!("playground/stage.js"),
    include_str!("playground/play.js"),
);

/// Writes the page to the folder of the gallery.
pub(crate) fn write_playground(cargo: &mut Command, folder: &Path) -> Result<(), Box<dyn Error>> {
    let module = wasm::build(cargo, "playground")?;
    let page = html(&wasm::package("playground").join("systems"), &module)?;
    fs::write(folder.join("playground.html"), page)?;
    let card = include_str!("playground/card.svg");
    Ok(fs::write(folder.join("playground.svg"), card)?)
}

/// The page with the declarations of a folder, which its menu names.
fn html(folder: &Path, module: &str) -> Result<String, Box<dyn Error>> {
    let mut paths: Vec<_> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.sort();
    let mut systems = String::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = escape_html(&fs::read_to_string(&path)?);
        systems += &format!("<template id=\"system-{name}\"><pre>\n{text}</pre></template>\n");
    }
    Ok(fill(
        include_str!("playground/page.html"),
        &[
            (
                "{{style}}",
                &format!("{STYLE}{}", include_str!("playground/page.css")),
            ),
            ("{{links}}", &wasm::links("playground")),
            ("{{systems}}", &systems),
            ("{{module}}", module),
            ("{{words}}", &format!("{WORDS:?}")),
            ("{{drawing}}", DRAWING),
            ("{{script}}", SCRIPT),
        ],
    ))
}
