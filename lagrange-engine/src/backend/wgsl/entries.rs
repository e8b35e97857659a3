//! Compute entry points: each invocation loads a state, calls the function, and stores the results.

use std::fmt::Write;

use super::names;
use crate::backend::printer::Printer;
use crate::codegen::Routine;

/// Storage buffers of an entry point for arrays that are arguments: eight less those of parameters, results and errors.
const MOST_ARRAYS: usize = 5;

impl Printer<'_> {
    /// The values that are common to a batch.
    pub(super) fn common(&mut self) {
        let text = "\
struct NAME_helper_common_values {
    t: f32,
    h: f32,
    steps: i32,
    batch: i32,
}

@group(0) @binding(0) var<uniform> NAME_helper_common: NAME_helper_common_values;
@group(0) @binding(1) var<storage, read> NAME_helper_parameters: NAME;
";
        let text = self.named(text);
        self.line(&text);
    }

    pub(super) fn entry_point(&mut self, routine: &Routine) {
        let name = names::function(&self.names, &routine.name);
        let own_name = self.names.helper.clone() + &self.names.after_system(&routine.name);
        let is_step = routine.name == "rk4_step";
        let mut binding = 2;
        let mut bind = |text: &mut String, access: &str, array: &str, ty: &str| {
            let _ = writeln!(
                text,
                "@group(0) @binding({binding}) var<storage, {access}> {own_name}_{array}: array<{ty}>;"
            );
            binding += 1;
        };
        let (mut bindings, mut load, mut store) = (String::new(), String::new(), String::new());
        let mut values = vec![format!("{}parameters", self.names.helper)];
        let arguments = routine
            .arguments
            .iter()
            .filter(|argument| argument.length > 0);
        // Arrays without buffers of their own are one behind the other in the last.
        let arrays = arguments.clone().filter(|argument| !argument.is_scalar);
        let mut left = MOST_ARRAYS;
        let are_joined = arrays.count() > MOST_ARRAYS;
        let mut joined = 0;
        for argument in arguments {
            let (array, length) = (names::word(&argument.name), argument.length);
            if argument.is_scalar {
                values.push(format!("{}common.{array}", self.names.helper));
                continue;
            }
            let ty = if argument.is_flags { "i32" } else { "f32" };
            let is_state = is_step && ["q", "v", "z"].contains(&array.as_str());
            if are_joined && left == 1 {
                if joined == 0 {
                    bind(&mut bindings, "read", "others", "f32");
                }
                let _ = writeln!(
                    load,
                    "    var {array}: array<f32, {length}>;\n    for (var k = 0; k < {length}; k++) {{ {array}[k] = {own_name}_others[({joined} + k) * batch + i]; }}"
                );
                values.push(array);
                joined += length;
                continue;
            }
            left -= 1;
            bind(
                &mut bindings,
                if is_state { "read_write" } else { "read" },
                &array,
                ty,
            );
            let _ = writeln!(
                load,
                "    var {array}: array<{ty}, {length}>;\n    for (var k = 0; k < {length}; k++) {{ {array}[k] = {own_name}_{array}[k * batch + i]; }}"
            );
            values.push(array.clone());
            if is_state {
                let _ = writeln!(
                    store,
                    "        for (var k = 0; k < {length}; k++) {{ {own_name}_{array}[k * batch + i] = {array}[k]; }}"
                );
            }
        }
        let results: Vec<_> = routine
            .results
            .iter()
            .zip(names::results(routine))
            .filter(|(result, _)| !result.shape.is_empty())
            .collect();
        let (mut first, mut advance) = (0, String::new());
        for (result, array) in &results {
            let length = result.shape.len();
            let _ = writeln!(load, "    var {array}: array<f32, {length}>;");
            values.push(format!("&{array}"));
            if !is_step {
                let _ = writeln!(
                    store,
                    "        for (var k = 0; k < {length}; k++) {{ {own_name}_results[({first} + k) * batch + i] = {array}[k]; }}"
                );
            } else if let Some(state) = array.strip_suffix("_end_") {
                let _ = write!(advance, " {state} = {array};");
            }
            first += length;
        }
        if !is_step {
            bind(&mut bindings, "read_write", "results", "f32");
        }
        bind(&mut bindings, "read_write", "status", "i32");
        let call = format!("{name}({})", values.join(", "));
        let run = if is_step {
            format!(
                "    for (var step = 0; step < {0}common.steps && error == 0; step++) {{\n        error = {call};\n        \
                 if (error == 0) {{{advance} }}\n    }}",
                self.names.helper
            )
        } else {
            format!("    error = {call};")
        };
        let _ = writeln!(
            self.text,
            "{bindings}\n@compute @workgroup_size(64)\nfn {name}_batch(\n    @builtin(global_invocation_id) id: vec3<u32>,\n    \
             @builtin(num_workgroups) groups: vec3<u32>,\n) {{\n    let batch = {}common.batch;\n    \
             let i = i32(id.y * groups.x * 64u + id.x);\n    if (i >= batch) {{ return; }}\n{load}    var error = 0;\n{run}\n    \
             {own_name}_status[i] = error;\n    if (error == 0) {{\n{store}    }}\n}}\n",
            self.names.helper
        );
    }
}
