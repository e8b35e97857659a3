//! The Rust items of robots: a constant with their joints, the dependence of the build on their files, and notes.

use proc_macro2::TokenStream;

use super::assembly::parsed;
use super::text::Text;
use crate::model::Head;

/// Adds `pub const ARM: [Joint; 7] = [..];` for each robot.
pub(super) fn joints(head: &Head, text: &mut Text) {
    for robot in head.robots.iter().filter(|robot| robot.has_constant) {
        let count = robot.joints.len();
        text.push_str("#[doc = ");
        text.push_literal(&format!(
            "The joints of `{}` that have coordinates, in the order of the file `{}`, with their limits.",
            robot.name, robot.path
        ));
        text.push_str(&format!(
            "] pub const {}: [__rt::Joint; {count}] = [",
            robot.constant()
        ));
        for (name, limits) in &robot.joints {
            let [lower, upper, velocity, effort] = limits.map(literal);
            text.push_str(&format!(
                "__rt::Joint {{ name: {name:?}, lower: {lower}, upper: {upper}, velocity: {velocity}, \
                 effort: {effort} }}, "
            ));
        }
        text.push_str("];\n");
    }
}

fn literal(value: f64) -> String {
    if value == f64::INFINITY {
        "__rt::core::primitive::f64::INFINITY".to_owned()
    } else if value == f64::NEG_INFINITY {
        "__rt::core::primitive::f64::NEG_INFINITY".to_owned()
    } else {
        format!("{value:?}")
    }
}

/// Makes the build depend on the files.
pub(super) fn files(head: &Head) -> TokenStream {
    let mut text = Text::default();
    let mut included: Vec<&str> = Vec::new();
    let robots = head.robots.iter().map(|robot| &robot.path);
    for path in robots.chain(&head.files) {
        if included.contains(&path.as_str()) {
            continue;
        }
        included.push(path);
        let is_absolute = std::path::Path::new(path).is_absolute();
        let path = match is_absolute {
            true => format!("{path:?}"),
            false => {
                let path = format!("/{path}");
                format!("__rt::core::concat!(__rt::core::env!(\"CARGO_MANIFEST_DIR\"), {path:?})")
            }
        };
        text.push_str(&format!(
            "const _: &[__rt::core::primitive::u8] = __rt::core::include_bytes!({path});\n"
        ));
    }
    parsed(&text.read())
}

/// The section on parts of the files that are not used, or nothing.
pub(super) fn notes(head: &Head) -> String {
    let mut text = String::new();
    for robot in &head.robots {
        if robot.notes.is_empty() {
            continue;
        }
        text.push_str(&format!(
            "\n# Not used of `{}`\n\nThe file of the robot `{}` has more than these equations:\n\n",
            robot.path, robot.name
        ));
        for note in &robot.notes {
            text.push_str(&format!("- {note}\n"));
        }
    }
    text
}
