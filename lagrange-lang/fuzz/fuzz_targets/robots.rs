//! Any text as the file of a robot -> the macro: it may not panic, and what it emits is items.
#![no_main]

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

include!("the_macro.rs");

/// The file that holds the text while it is read; each process has its own.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.is_dir() {
        memory
    } else {
        std::env::temp_dir()
    };
    folder.join(format!("lagrangian-fuzz-{}.urdf", std::process::id()))
});

/// The options of a robot.
const DECLARATIONS: [&str; 4] = [
    "struct R { a: robot = PATH } gravity [0, 0, -9.81]; pub let v = der(a);",
    "struct R { x: coordinate, a: robot = PATH { friction: smooth(0.1), inertia: as_given } }
    frame f = world.rotate(z, x); body { frame: f, mass: 1, inertia: diag(1, 1, 1) }
    place a at f; D = der(a)^2; pub let first = a[0];",
    "struct R { a, b: robot = PATH { base: free, friction: ignore, parameters: [base] } }
    regressor identify { a.base } pub frame f = b.base; Q.a.base.rotation = [0, 0, 1];",
    "struct R { x: coordinate, a: robot = PATH { lock: { j: pi / 2, hinge: 0.1 } } }
    T = der(x)^2; place a at world.translate([x, 0, 0]); pub frame f = a.link.base; pub let j = a.joint.j;",
];

fuzz_target!(|text: &str| {
    std::fs::write(&*FILE, text).expect("the folder can be written");
    let path = format!("{:?}", FILE.display().to_string());
    let declaration = DECLARATIONS[text.len() % DECLARATIONS.len()].replace("PATH", &path);
    let tokens = TokenStream::from_str(&declaration).expect("the declaration is made of tokens");
    assert_expands(tokens);
});
