//! The calls of the page, on the computer that builds the module.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::session::{self, adapt, advance, report, start, words};

/// The entries of the menu.
pub(crate) const SYSTEMS: [(&str, &str); 11] = [
    ("cart_pole", include_str!("../systems/cart_pole.lag")),
    ("chain", include_str!("../systems/chain.lag")),
    (
        "double_pendulum",
        include_str!("../systems/double_pendulum.lag"),
    ),
    ("four_bar", include_str!("../systems/four_bar.lag")),
    ("motor", include_str!("../systems/motor.lag")),
    ("pendulum", include_str!("../systems/pendulum.lag")),
    ("robot_arm", include_str!("../systems/robot_arm.lag")),
    ("rolling_ball", include_str!("../systems/rolling_ball.lag")),
    (
        "shaken_pendulum",
        include_str!("../systems/shaken_pendulum.lag"),
    ),
    ("springs", include_str!("../systems/springs.lag")),
    ("t_handle", include_str!("../systems/t_handle.lag")),
];

/// A pendulum: m, l, g, then u, q, v.
const PENDULUM: &str = "
    struct Pendulum { theta: coordinate, m, l: parameter = 1, g: parameter = 9.81, u: input }
    pub let bob = [l * sin(theta), -l * cos(theta)];
    T = m * der(bob)^2 / 2;
    V = m * g * bob.y;
    Q.theta = u;
";
const VALUES: [f64; 6] = [1.0, 1.0, 9.81, 0.0, 2.0, 0.0];

/// All tests share one session, so each locks it.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value of a key in an answer, up to the next comma or bracket.
fn value_of<'a>(answer: &'a str, key: &str) -> &'a str {
    let (_, after) = answer.split_once(&format!("\"{key}\":")).expect(key);
    after.split([',', '}', ']']).next().unwrap_or_default()
}

/// The values of the elements in a list of an answer.
fn values_of(answer: &str, list: &str) -> Vec<f64> {
    let (_, after) = answer.split_once(&format!("\"{list}\":[")).expect(list);
    let elements = after.split(']').next().unwrap_or_default();
    // A name may have brackets.
    let elements = match elements.contains("\"name\"") {
        true => after.split("}]").next().unwrap_or_default(),
        false => elements,
    };
    elements
        .split("\"value\":")
        .skip(1)
        .map(|after| after.split(',').next().unwrap_or_default())
        .map(|value| value.parse().expect("a number"))
        .collect()
}

/// The numbers of a start, from the answer to a text.
pub(crate) fn proposed(answer: &str) -> Vec<f64> {
    let lists = [
        "parameters",
        "inputs",
        "coordinates",
        "velocities",
        "states",
    ];
    lists
        .iter()
        .flat_map(|list| values_of(answer, list))
        .collect()
}

#[test]
fn every_entry_of_the_menu_reads_without_messages_and_moves() {
    let _alone = alone();
    for (name, text) in SYSTEMS {
        let answer = session::read(text);
        assert!(
            answer.starts_with("{\"messages\":[],\"model\":{"),
            "{name}: {answer}"
        );
        let mut numbers = proposed(&answer);
        if name == "four_bar" {
            // Its loop cannot close from everywhere.
            let index = numbers.len() - 6;
            numbers[index..index + 3].copy_from_slice(&[0.0, 1.3, 1.8]);
        }
        if name == "rolling_ball" {
            let index = numbers.len() - 11;
            numbers[index..index + 2].copy_from_slice(&[0.4, 0.2]);
        }
        let figure = start(&numbers);
        assert!(figure.starts_with("{\"dimension\":"), "{name}: {figure}");
        let before = report();
        for _ in 0..30 {
            assert_eq!(advance(1.0 / 60.0, 1.0 / 480.0), "", "{name}");
        }
        let after = report();
        assert!((after[0] - 0.5).abs() < 1e-9, "{name}");
        let error = after[4];
        let has_states_or_time = ["motor", "shaken_pendulum"].contains(&name);
        assert!(error.is_nan() == has_states_or_time, "{name}: {error:e}");
        assert!(error.is_nan() || error.abs() < 1e-5, "{name}: {error:e}");
        assert!(
            after[5].is_nan() || after[5] < 1e-12,
            "{name}: {:e}",
            after[5]
        );
        let moved = before[6..].iter().zip(&after[6..]);
        assert!(moved.clone().any(|(a, b)| (a - b).abs() > 1e-3), "{name}");
        assert!(after[6..].iter().all(|number| number.is_finite()), "{name}");
        assert!(words(0).contains("<math"), "{name}");
    }
}

#[test]
fn a_wrong_text_has_its_message_and_the_model_before_stays() {
    let _alone = alone();
    session::read(PENDULUM);
    start(&VALUES);
    let answer = session::read(&PENDULUM.replace("sin(theta)", "sin(teta)"));
    assert!(answer.contains("\"model\":null"));
    let message = ["line", "column", "endColumn"].map(|key| value_of(&answer, key));
    assert_eq!(message, ["3", "28", "32"]);
    assert!(answer.contains("did you mean `theta`?"), "{answer}");
    assert_eq!(advance(0.1, 1e-3), "");
    assert!((report()[0] - 0.1).abs() < 1e-12);
}

#[test]
fn a_program_in_rust_is_read_at_its_own_lines() {
    let _alone = alone();
    let program =
        format!("use lagrangian::lagrangian;\nlagrangian! {{{PENDULUM}}}\nfn main() {{}}\n");
    assert!(session::read(&program).contains("\"name\":\"Pendulum\""));
    let answer = session::read(&program.replace("g * bob", "h * bob"));
    assert_eq!(value_of(&answer, "line"), "6");
}

#[test]
fn energy_is_kept_and_an_input_does_work() {
    let _alone = alone();
    session::read(PENDULUM);
    start(&VALUES);
    let energy = report()[3];
    assert_eq!(advance(4.0, 2e-3), "");
    let after = report();
    assert!((after[3] - energy).abs() < 1e-9 * energy.abs() && after[4].abs() < 1e-9);
    // Other parameters and an input while it moves.
    let shapes = adapt(&[2.0, 0.5, 9.81, 3.0]);
    assert!(shapes.contains("\"kind\":\"rod\""), "{shapes}");
    let before = report()[3];
    assert_eq!(advance(1.0, 1e-3), "");
    let after = report();
    assert!((after[3] - before).abs() > 0.1 && after[4].abs() < 1e-9);
}

#[test]
fn values_without_a_motion_are_refused_and_change_nothing() {
    let _alone = alone();
    session::read(PENDULUM);
    start(&VALUES);
    let before = report();
    let refused = adapt(&[0.0, 1.0, 9.81, 0.0]);
    assert!(refused.starts_with("{\"error\":"), "{refused}");
    // There is no gap, which is NaN.
    assert_eq!(before[6..], report()[6..]);
    // A rod that cannot be as long as the place of its ends says.
    session::read(
        "struct Rod { x: coordinate, l: parameter } T = der(x)^2; holonomic rod: x^2 = -l;",
    );
    assert!(start(&[1.0, 0.5, 0.0]).starts_with("{\"error\":"));
}

#[test]
fn numbers_that_run_away_end_the_motion_before() {
    let _alone = alone();
    session::read("struct Away { x: coordinate } T = der(x)^2 / 2; Q.x = x^3;");
    start(&[3.0, 0.0]);
    let ended = (0..100)
        .map(|_| advance(0.1, 1e-3))
        .find(|reason| !reason.is_empty());
    assert!(ended.expect("it runs away").starts_with("at t = "));
    assert!(report().iter().take(1).all(|t| t.is_finite()));
}

#[test]
fn shapes_show_bodies_springs_and_rods() {
    let _alone = alone();
    session::read(
        "struct Parts { x: coordinate, a: coordinate, k: parameter }
         body { at: [x, 0], mass: 2, inertia: diag(1, 2, 3) }
         body { at: [x + sin(a), -cos(a)], mass: 1 }
         spring { k, from: [-2, 0], to: [x, 0] }
         damper { c: k, from: [-2, 0], to: [x, 0] }",
    );
    let figure = start(&[1.0, 0.5, 0.3, 0.0, 0.0]);
    let kinds: Vec<&str> = figure
        .split("\"kind\":\"")
        .skip(1)
        .filter_map(|after| after.split('"').next())
        .collect();
    assert_eq!(kinds, ["line", "line", "rod", "circle", "circle"]);
    let points = report()[6 + 4..].to_vec();
    // The spring begins at the wall and ends at the first body.
    assert_eq!(points[..2], [-2.0, 0.0]);
    assert_eq!(points[2 * 19..2 * 20], [0.5, 0.0]);
}

#[test]
fn a_block_and_a_ball_have_the_size_of_their_inertia() {
    let _alone = alone();
    session::read(
        "struct Solids { a: rotation, b: rotation }
         frame A = world.rotate(a);
         frame B = world.translate([5, 0, 0]).rotate(b);
         body { frame: A, mass: 12, inertia: diag(52, 40, 20) }
         body { frame: B, mass: 5, inertia: diag(2, 2, 2) }",
    );
    let at_rest = [
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    ];
    let figure = start(&at_rest);
    assert!(figure.contains("\"kind\":\"block\"") && figure.contains("\"kind\":\"ball\""));
    assert!(figure.contains("\"size\":1,"), "{figure}");
    let points = report()[6 + 14..].to_vec();
    // A block of 2, 4 and 6: halves of its sides.
    let sides = [points[3], points[7], points[11]].map(f64::abs);
    assert!(
        sides
            .iter()
            .zip([1.0, 2.0, 3.0])
            .all(|(a, b)| (a - b).abs() < 1e-12),
        "{sides:?}"
    );
}

#[test]
fn programs_in_other_languages_have_the_values_of_the_page() {
    let _alone = alone();
    session::read(PENDULUM);
    start(&[2.0, 0.5, 9.81, 0.25, 1.5, -0.5]);
    let [rust, c, python] = [1, 2, 3].map(words);
    for part in [
        "lagrangian! {",
        "l: 0.5,",
        "let q = vector![1.5];",
        "system.acceleration(&q, &v, &u)?",
    ] {
        assert!(rust.contains(part), "{rust}");
    }
    assert!(c.contains("pendulum_rk4_step") && c.contains("pendulum_bob"));
    for part in [
        "lagrangian.read(text)(m=2.0, l=0.5, g=9.81)",
        "simulate([1.5], [-0.5], until=10, step=1e-3, u=[0.25])",
    ] {
        assert!(python.contains(part), "{python}");
    }
}

#[test]
fn words_of_python_have_an_underscore() {
    let _alone = alone();
    session::read("struct Bead { x: coordinate, lambda: parameter } T = lambda * der(x)^2 / 2;");
    start(&[2.0, 0.0, 0.0]);
    let python = words(3);
    assert!(
        python.contains("lagrangian.read(text)(lambda_=2.0)"),
        "{python}"
    );
}
