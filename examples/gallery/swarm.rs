//! Ten thousand double pendulums: a compute shader steps and a page draws them, and WebAssembly steps fewer where the
//! browser has no WebGPU.

use std::path::Path;
use std::process::Command;
use std::{error::Error, fs};

use lagrangian_page::parts::{DRAWING, STYLE, declaration_html, fill};

use crate::wasm;

/// Writes the page to the folder of the gallery. The module has the text of the shader too.
pub(crate) fn write_swarm(cargo: &mut Command, folder: &Path) -> Result<(), Box<dyn Error>> {
    let module = wasm::build(cargo, "swarm")?;
    let source = fs::read_to_string(wasm::package("swarm").join("src/lib.rs"))?;
    let page = fill(
        include_str!("swarm/page.html"),
        &[
            (
                "{{style}}",
                &format!("{STYLE}{}", include_str!("swarm/page.css")),
            ),
            ("{{links}}", &wasm::links("swarm")),
            ("{{declaration}}", &declaration_html(&source, "")),
            ("{{module}}", &module),
            ("{{paint}}", include_str!("swarm/paint.wgsl")),
            ("{{drawing}}", DRAWING),
            (
                "{{script}}",
                concat!(
                    include_str!("swarm/shader.js"),
                    include_str!("swarm/module.js"),
                    include_str!("swarm/play.js")
                ),
            ),
        ],
    );
    fs::write(folder.join("swarm.html"), page)?;
    let card = include_str!("swarm/card.svg");
    Ok(fs::write(folder.join("swarm.svg"), card)?)
}
