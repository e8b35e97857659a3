//! The text of every system is valid WGSL, and its entry points have at most 8 storage buffers.

use naga::front::wgsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Handle};

use lagrangian_wgsl::{cases, long_shaders};

/// The names of the entry points of a valid text, each with its number of storage buffers.
fn entry_points(shader: &str) -> Result<Vec<(String, usize)>, String> {
    let module = wgsl::parse_str(shader).map_err(|error| error.emit_to_string(shader))?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let information = validator
        .validate(&module)
        .map_err(|error| error.emit_to_string(shader))?;
    let entries = module.entry_points.iter().enumerate().map(|(at, entry)| {
        let used = information.get_entry_point(at);
        let is_storage = |handle: Handle<naga::GlobalVariable>| {
            let space = module.global_variables[handle].space;
            !used[handle].is_empty() && matches!(space, AddressSpace::Storage { .. })
        };
        let buffers = module.global_variables.iter();
        let buffers = buffers.filter(|(handle, _)| is_storage(*handle)).count();
        (entry.name.clone(), buffers)
    });
    Ok(entries.collect())
}

#[test]
fn texts_are_valid() {
    let mut shaders: Vec<_> = cases()
        .into_iter()
        .map(|case| (case.name, case.shader))
        .chain(long_shaders())
        .collect();
    shaders.dedup();
    for (name, shader) in shaders {
        let entries = entry_points(shader).unwrap_or_else(|message| panic!("{name}: {message}"));
        assert!(entries.len() >= 3, "{name}");
        for (entry, buffers) in entries {
            assert!((3..=8).contains(&buffers), "{name} {entry}: {buffers}");
            let is_named = entry.starts_with(name) && entry.ends_with("_batch");
            assert!(is_named, "{entry}");
        }
    }
}

/// If `LAGRANGIAN_WGSL_TEXTS` names a folder, all texts there are valid.
#[test]
fn given_texts_are_valid() {
    let Some(folder) = std::env::var_os("LAGRANGIAN_WGSL_TEXTS") else {
        return;
    };
    let mut failures = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "wgsl") {
            continue;
        }
        let shader = std::fs::read_to_string(&path).expect("a text");
        let large = |entries: Vec<(String, usize)>| {
            let mut entries = entries.into_iter();
            entries.find(|(_, buffers)| *buffers > 8)
        };
        match entry_points(&shader).map(large) {
            Ok(None) => {}
            Ok(Some((entry, buffers))) => failures.push(format!("{entry}: {buffers} buffers")),
            Err(message) => failures.push(format!("{}: {message}", path.display())),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The shader by which the gallery draws the states of an exported one.
#[test]
fn the_shader_of_the_gallery_is_valid() {
    let shader = include_str!("../../../examples/gallery/swarm/paint.wgsl");
    let module =
        wgsl::parse_str(shader).unwrap_or_else(|error| panic!("{}", error.emit_to_string(shader)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    if let Err(error) = validator.validate(&module) {
        panic!("{}", error.emit_to_string(shader));
    }
}
