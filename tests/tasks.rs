//! Four common tasks. Each is a whole program, and its lines after the declaration are counted.

#[path = "tasks/four_bar.rs"]
mod four_bar;
#[path = "tasks/regulator.rs"]
mod regulator;
#[path = "tasks/robot_file.rs"]
mod robot_file;
#[path = "tasks/task_space.rs"]
mod task_space;

/// The lines between the braces of the only function.
fn lines(text: &str) -> usize {
    let body = text.split_once("#[test]\n").expect("a test").1;
    body.lines().filter(|line| line.starts_with("    ")).count()
}

#[test]
fn tasks_are_short() {
    assert!(lines(include_str!("tasks/regulator.rs")) <= 12);
    assert!(lines(include_str!("tasks/task_space.rs")) <= 14);
    assert!(lines(include_str!("tasks/robot_file.rs")) <= 16);
    assert!(lines(include_str!("tasks/four_bar.rs")) <= 20);
}
