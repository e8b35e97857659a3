//! The playground: systems as WebAssembly, in a page that steps them live.

use std::path::Path;
use std::process::Command;
use std::{error::Error, fs};

use lagrangian_page::parts::{DRAWING, STYLE, declaration_html, fill};

use crate::wasm;

/// The sources of the systems in the package.
const SYSTEMS: [&str; 4] = ["cart_pole", "double_pendulum", "four_bar", "rolling_ball"];

/// Writes the page to the folder of the gallery.
pub(crate) fn write_playground(cargo: &mut Command, folder: &Path) -> Result<(), Box<dyn Error>> {
    let module = wasm::build(cargo, "playground")?;
    let page = html(&wasm::package("playground"), &module)?;
    fs::write(folder.join("playground.html"), page)?;
    let card = include_str!("playground/card.svg");
    Ok(fs::write(folder.join("playground.svg"), card)?)
}

fn html(package: &Path, module: &str) -> Result<String, Box<dyn Error>> {
    let mut declarations = String::new();
    for name in SYSTEMS {
        let source = fs::read_to_string(package.join("src").join(name).with_extension("rs"))?;
        let declaration = declaration_html(&source, "");
        declarations += &format!("<template id=\"declaration-{name}\">{declaration}</template>\n");
    }
    Ok(fill(
        include_str!("playground/page.html"),
        &[
            (
                "{{style}}",
                &format!("{STYLE}{}", include_str!("playground/page.css")),
            ),
            ("{{links}}", &wasm::links("playground")),
            ("{{declarations}}", &declarations),
            ("{{module}}", module),
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
