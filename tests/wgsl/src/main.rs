//! Writes a page that calls functions of every system by its shader and posts its verdict to `/verdict`.
//!
//!     cargo run --manifest-path tests/wgsl/Cargo.toml -- FOLDER

use std::path::PathBuf;

use lagrangian_wgsl::cases;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    let cases = cases().into_iter().map(|case| {
        let mut arguments: Vec<String> = case
            .arguments
            .iter()
            .map(|argument| format!("new Float32Array({argument:?})"))
            .collect();
        if let Some((place, flags)) = case.flags {
            arguments.insert(place, format!("new Int32Array({flags:?})"));
        }
        format!(
            "{{name: {:?}, call: {:?}, time: {}, parameters: {:?}, arguments: [{}], results: {:?}, shader: {:?}}}",
            case.name,
            case.function,
            case.time,
            case.parameters,
            arguments.join(", "),
            case.results,
            case.shader
        )
    });
    let cases: Vec<String> = cases.collect();
    let page = include_str!("page.html").replace("CASES", &cases.join(",\n"));
    std::fs::write(folder.join("index.html"), page)
}
