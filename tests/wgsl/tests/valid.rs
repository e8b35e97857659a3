//! The text of every system is valid WGSL, and its entry points have at most 8 storage buffers.

use naga::front::wgsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Handle};

use lagrangian_wgsl::{cases, long_shaders};

#[test]
fn texts_are_valid() {
    let mut shaders: Vec<_> = cases()
        .into_iter()
        .map(|case| (case.name, case.shader))
        .chain(long_shaders())
        .collect();
    shaders.dedup();
    for (name, shader) in shaders {
        let module = wgsl::parse_str(shader)
            .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(shader)));
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        let information = validator
            .validate(&module)
            .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(shader)));
        assert!(module.entry_points.len() >= 3, "{name}");
        for (at, entry) in module.entry_points.iter().enumerate() {
            let used = information.get_entry_point(at);
            let is_storage = |handle: Handle<naga::GlobalVariable>| {
                let is_used = !used[handle].is_empty();
                is_used
                    && matches!(
                        module.global_variables[handle].space,
                        AddressSpace::Storage { .. }
                    )
            };
            let buffers = module
                .global_variables
                .iter()
                .filter(|(handle, _)| is_storage(*handle))
                .count();
            assert!(
                (3..=8).contains(&buffers),
                "{name} {}: {buffers}",
                entry.name
            );
            assert!(
                entry.name.starts_with(name) && entry.name.ends_with("_batch"),
                "{}",
                entry.name
            );
        }
    }
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
