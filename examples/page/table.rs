//! A short table on the terminal.

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

/// Four decimals, or scientific notation where they would not do.
fn format_number(value: f64) -> String {
    if value == 0.0 || (1e-3..1e4).contains(&value.abs()) {
        format!("{value:.4}")
    } else {
        format!("{value:.1e}")
    }
}
