//! Common code of the examples: it writes their pages, and prints a table.

use std::path::{Path, PathBuf};
use std::{env, io};

use lagrangian_page::Page;

/// The variable of the environment that names the folder of the gallery to its examples.
pub(crate) const GALLERY: &str = "LAGRANGIAN_GALLERY";

/// The variable of its links, each a text and an address on separate lines.
pub(crate) const LINKS: &str = "LAGRANGIAN_LINKS";

/// Writes a page to the path in the program's first argument, else into the folder of the program, and returns its
/// address. A page for the gallery also gets a picture beside it.
pub(crate) fn write(mut page: Page, file_name: &str) -> io::Result<String> {
    if let Some(folder) = env::var_os(GALLERY) {
        let links = env::var(LINKS).unwrap_or_default();
        for link in links.lines().collect::<Vec<_>>().chunks_exact(2) {
            page = page.link(link[0], link[1]);
        }
        let path = Path::new(&folder).join(file_name);
        page.write(path.with_extension("svg"))?;
        return page.write(path);
    }
    match env::args_os().nth(1) {
        Some(path) => page.write(PathBuf::from(path)),
        None => page.write(folder().join(file_name)),
    }
}

/// Cargo's target folder, if this is one of its examples; else the system's temporary folder.
pub(crate) fn folder() -> PathBuf {
    let program = env::current_exe().ok();
    let examples = program.as_deref().and_then(Path::parent);
    let target = examples
        .filter(|folder| folder.ends_with("examples"))
        .and_then(|folder| folder.ancestors().nth(2));
    target.map_or_else(env::temp_dir, Path::to_path_buf)
}

/// Prints a line of headings and rows of numbers under it, right-aligned.
pub(crate) fn print_table<const N: usize>(
    headings: [&str; N],
    rows: impl IntoIterator<Item = [f64; N]>,
) {
    let line = |cells: [String; N]| {
        for (cell, heading) in cells.iter().zip(headings) {
            print!("  {cell:>width$}", width = heading.chars().count().max(8));
        }
        println!();
    };
    line(headings.map(String::from));
    for row in rows {
        line(row.map(format_number));
    }
}

/// Four decimals, or scientific notation if they are not enough.
fn format_number(value: f64) -> String {
    if value == 0.0 || (1e-3..1e4).contains(&value.abs()) {
        format!("{value:.4}")
    } else {
        format!("{value:.1e}")
    }
}
