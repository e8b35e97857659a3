//! Writes a page that computes the accelerations of every system by its shader and posts its verdict to `/verdict`.
//!
//!     cargo run --manifest-path tests/wgsl/Cargo.toml -- FOLDER

use std::path::PathBuf;

use lagrangian_wgsl::cases;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    let cases = cases().into_iter().map(|case| {
        format!(
            "{{name: {:?}, time: {}, parameters: {:?}, arguments: {:?}, acceleration: {:?}, shader: {:?}}}",
            case.name, case.time, case.parameters, case.arguments, case.acceleration, case.shader
        )
    });
    let cases: Vec<String> = cases.collect();
    let page = include_str!("page.html").replace("CASES", &cases.join(",\n"));
    std::fs::write(folder.join("index.html"), page)
}
