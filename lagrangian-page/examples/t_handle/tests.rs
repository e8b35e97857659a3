//! The example writes its page, in twelve lines after the declaration, and moves as such handles do.

use std::{env, fs, process};

use lagrangian::vector;
use lagrangian_page::Recording;

use super::{Handle, main};

#[test]
fn a_page_takes_twelve_lines_after_the_declaration() {
    let source = include_str!("../t_handle.rs");
    let (_, after) = source.split_once("\n}\n\nfn main() ").unwrap();
    let lines = after.lines().filter(|line| !line.trim().is_empty());
    assert!(lines.count() <= 12);
    let shown = include_str!("../../README.md").contains(&format!("\nfn main() {after}"));
    assert!(shown, "the README shows them");

    let folder = env::temp_dir().join(format!("lagrangian-page-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    env::set_current_dir(&folder).unwrap();
    main().unwrap();
    let html = fs::read_to_string(folder.join("t_handle.html")).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    for part in [
        "<math",
        "<code>wide</code>",
        "struct</i> Handle {",
        "der(attitude).z",
        "\"dimension\":3",
    ] {
        assert!(html.contains(part), "no {part}");
    }
}

#[test]
fn it_turns_over_with_what_stays_constant() {
    let tee = Handle::default();
    let start = (tee.neutral(), vector![0.01, 8.0, 0.0]);
    let motion = Recording::run(&tee, start, 9.0, 1e-3).unwrap();
    let stem = |i: usize| tee.center(&motion.states()[i].q).rotation.column(1).y;
    assert!(
        (0..motion.states().len()).any(|i| stem(i) < -0.9),
        "it turns over"
    );
    assert!(
        (100..motion.states().len()).any(|i| stem(i) > 0.9),
        "and back"
    );
    // Angular momentum in the world.
    let spin = |i: usize| {
        let state = &motion.states()[i];
        tee.center(&state.q).rotation * tee.momenta(&state.q, &state.v)
    };
    for i in 0..motion.states().len() {
        assert!((spin(i) - spin(0)).norm() < 1e-9 * spin(0).norm());
    }
}
