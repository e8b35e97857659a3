//! `docs/validation.md`: published and closed-form values, and the test of each. The rows stand here, and the numbers in
//! the tests: a row with a number that its test does not have fails.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A value that the tests compare with ours.
struct Row {
    problem: &'static str,
    source: &'static str,
    quantity: &'static str,
    /// As it stands in the file of the test.
    value: &'static str,
    /// As it stands there; empty if the two have to be equal.
    tolerance: &'static str,
    /// File and function.
    test: &'static str,
}

const fn row(
    problem: &'static str,
    source: &'static str,
    [quantity, value, tolerance]: [&'static str; 3],
    test: &'static str,
) -> Row {
    Row {
        problem,
        source,
        quantity,
        value,
        tolerance,
        test,
    }
}

const WHIPPLE: &str = "Meijaard, Papadopoulos, Ruina, Schwab, *Proc. R. Soc. A* 463 (2007)";
const TEST_SET: &str = "Test Set for Initial Value Problem Solvers, University of Bari";
const WALKER: &str =
    "an independent integration of the walker of Garcia, Chatterjee, Ruina and Coleman (1998)";

#[rustfmt::skip]
const ROWS: [Row; 41] = [
    row("Whipple bicycle", WHIPPLE, ["eigenvalue at 5 m/s", "-14.0783896927981", "1e-9"], "examples/bicycle.rs::main"),
    row("Whipple bicycle", WHIPPLE, ["capsize at 5 m/s", "-0.322866429004108", "1e-9"], "examples/bicycle.rs::main"),
    row("Whipple bicycle", WHIPPLE, ["weave at 5 m/s, real part and frequency", "(-0.775341882195809, 4.4648677137882)", "1e-9"], "examples/bicycle.rs::main"),
    row("Whipple bicycle", WHIPPLE, ["speed above which it does not weave [m/s]", "4.29238253634111", "1e-9"], "examples/bicycle.rs::main"),
    row("Whipple bicycle", WHIPPLE, ["speed above which it capsizes [m/s]", "6.02426201538837", "1e-9"], "examples/bicycle.rs::main"),
    row("Simplest walker", WALKER, ["angle of the leg at the step [rad]", "0.200161072169750", "1e-10"], "examples/walker.rs::check"),
    row("Simplest walker", WALKER, ["time of a step", "3.8819400012770", "1e-9"], "examples/walker.rs::check"),
    row("Simplest walker", WALKER, ["eigenvalues of a step, real part", "0.1966682", "1e-6"], "examples/walker.rs::check"),
    row("Simplest walker", WALKER, ["the same, imaginary part", "0.5447268", "1e-6"], "examples/walker.rs::check"),
    row("Bricard's mechanism of a cube", "closed form, 100/501 of g", ["acceleration from rest [rad/s^2]", "1.958083832335329", "1e-14"], "tests/redundant.rs::bricards_mechanism_has_rank_four_at_every_state"),
    row("Bennett's linkage", "its ratio of speeds", ["sine of half the sum by that of half the difference of its angles", "((beta + alpha) / 2.0).sin() / ((beta - alpha) / 2.0).sin()", "1e-12"], "tests/redundant.rs::bennetts_linkage_has_its_ratio_of_speeds"),
    row("Andrews' squeezing mechanism", TEST_SET, ["acceleration of the crank at the start [rad/s^2]", "14222.44391995411", "1e-14"], "tests/systems/published.rs::andrews_mechanism_ends_at_its_published_state"),
    row("Andrews' squeezing mechanism", TEST_SET, ["angle of the crank after 0.03 s, and six others, relative to it", "15.81077119629904", "2e-10"], "tests/systems/published.rs::andrews_mechanism_ends_at_its_published_state"),
    row("Andrews' squeezing mechanism", TEST_SET, ["multiplier of the pin, of the opposite sign, relative", "199.175333373191", "1e-7"], "tests/systems/published.rs::andrews_mechanism_ends_at_its_published_state"),
    row("Car axis", TEST_SET, ["place of the right end after 3 s, and of the left one", "1.0417425248854252", "5e-9"], "tests/systems/published.rs::car_axis_ends_at_its_published_state"),
    row("Car axis", TEST_SET, ["multiplier of the axle, relative to the other one", "-0.0011046803312573438", "1e-6"], "tests/systems/published.rs::car_axis_ends_at_its_published_state"),
    row("Pleiades", TEST_SET, ["place of the first star after 3 units of time, and of six others, relative to the largest", "[0.3706139143970502, -3.943437585517392]", "1e-10"], "tests/systems/published.rs::pleiades_end_at_their_published_state"),
    row("Arenstorf's orbit", "Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, section II.0", ["period after which the orbit is at its start", "17.06521656015796", "1e-9"], "tests/systems/published.rs::arenstorfs_orbit_closes_after_its_published_period"),
    row("Ball on a turntable", "Weltner, *Am. J. Phys.* 47 (1979)", ["rate on its circle, by the places at all steps of 9 s", "2.0 / 7.0 * table.spin", "1e-11"], "tests/systems/published.rs::a_ball_on_a_turntable_moves_on_a_circle"),
    row("Rimless wheel", "McGeer, *Int. J. Robot. Res.* 9 (1990)", ["speed after each strike of its cycle [rad/s]", "eta * (gain / (1.0 - eta * eta)).sqrt()", "1e-9"], "tests/hybrid.rs::a_rimless_wheel_rolls_with_the_speed_of_mcgeer"),
    row("Dzhanibekov's body", "complete elliptic integral", ["time between two turns [s]", "6.167_472_904_667", "1e-11"], "tests/midpoint/bodies.rs::the_period_of_dzhanibekovs_body_is_of_second_order"),
    row("Tennis racket", "complete elliptic integral", ["time between two turns [s]", "6.1674729046695", "1e-11"], "examples/racket.rs::main"),
    row("Painleve's rod", "tan θ = 2", ["least coefficient of friction of the paradox", "4.0 / 3.0", "1e-14"], "tests/contacts.rs::a_sliding_rod_has_the_paradox_of_painleve"),
    row("Painleve's rod", "tan θ = 2", ["coefficient of friction at which `solve` has no answer", "4.0 / 3.0", ""], "tests/multipliers.rs::painleves_rod_is_singular_at_its_critical_friction"),
    row("Falling rod", "Newton's law of impact", ["impulse of the floor", "0.8462480030867092", "2e-16"], "tests/contacts.rs::a_rod_hits_the_floor"),
    row("Tippe top", "Jellett's constant", ["relative change of the constant in 8 s, below the tolerance", "", "1e-6"], "tests/multipliers.rs::a_tippe_top_rises_and_keeps_the_constant_of_jellett"),
    row("Rolling coin and hoop", "Neimark and Fufaev (1972); O'Reilly, *Nonlinear Dynamics* 10 (1996)", ["square of the eigenvalues", "(9.81 / r - (along + 1.0) * along * spin * spin / across) / (across + 1.0)", "1e-9"], "tests/rotations/fixed_axes.rs::a_coin_that_rolls_straight_has_the_published_eigenvalues"),
    row("Rolling disk", "equation of a thin disk in textbooks", ["rate of the lean", "tilt / (DISK.a + square)", "1e-12"], "tests/systems/rolling.rs::disk_leans_as_the_textbook_says"),
    row("Skate on a slope", "a cycloid", ["place across the slope", "size * s * s", "1e-9"], "tests/systems/rolling.rs::skate_on_an_incline_moves_on_a_cycloid"),
    row("Ball in a shell", "another tool", ["acceleration of the shell", "1.574_407_744_197_14", "1e-12"], "tests/constraints/redundant.rs::a_ball_in_a_shell_passes_the_equator"),
    row("Ball in a shell", "another tool", ["acceleration of the ball", "3.087_979_814_817_755", "1e-12"], "tests/constraints/redundant.rs::a_ball_in_a_shell_passes_the_equator"),
    row("Brachistochrone", "a cycloid", ["first integral of Beltrami", "-1.0 / (4.0 * g * a).sqrt()", "1e-12"], "tests/systems/variational.rs::cycloid_is_the_brachistochrone"),
    row("Kepler's orbit", "half the attraction by the major semiaxis", ["energy in ten revolutions", "-0.5", "1e-8"], "tests/systems/particles.rs::kepler_orbit_closes"),
    row("Kapitza's pendulum", "Landau and Lifshitz, *Mechanics*, section 30", ["speed of the pivot at which upright becomes stable, between two runs", "(2.0 * systems[0].g * systems[0].l).sqrt()", ""], "examples/kapitza.rs::main"),
    row("Spinning top", "steady precession", ["spin without an acceleration", "(0.3 * theta.cos() * precession * precession + 1.2 * 9.81 * 0.4) / (0.5 * precession)", "1e-12"], "tests/systems/rigid_bodies.rs::top_precesses_steadily"),
    row("Hovering quadrotor", "a quarter of the weight", ["force of each rotor", "0.8 * 9.81 / 4.0", "1e-12"], "tests/trim/flight.rs::hover"),
    row("Oscillator", "trapezoidal rule", ["angle of a step of `midpoint_step`", "2.0 * (0.15_f64).atan()", "1e-15"], "tests/midpoint/free.rs::an_oscillator_turns_by_the_angle_of_the_rule"),
    row("Cart and pole", "closed form", ["acceleration of the pole", "4.93322147661429", "1e-12"], "tests/systems/pendulums.rs::cart_pole_in_closed_form"),
    row("Seven-joint arm", "Khalil and Kleinfinger (1987)", ["combinations of parameters that a motion identifies", "43", ""], "examples/identify.rs::main"),
    row("Robots from files: Panda, iiwa, G1, A2", "Pinocchio", ["every method of the table `robots.txt`, relative to the largest entry", "", "1e-10"], "tests/robots/harness.rs::compare"),
    row("Serial arms of seven joints", "Pinocchio", ["pose, velocity, Jacobian and bias of the hand", "", ""], "tests/arms/check.rs::the_hand_agrees_with_pinocchio"),
];

const HEAD: &str = "# Validation

Values from publications, from closed forms and from other tools, beside which the tests set ours. Each test fails if the
difference exceeds the tolerance; without a tolerance the two are equal, or ours lies as the quantity says. [Systems](systems.md)
lists all systems with their tests. The tests `reference_test!` there compare every method with values that SymPy derived
independently. The examples are run with the gallery, and each ends with an error if an assertion fails.

Numbers and formulas stand here as they stand in the test. The table is written by
`UPDATE=1 cargo test -p lagrangian-tests --test documents validation`.

| problem | source | quantity | value | tolerance | test |
| --- | --- | --- | --- | --- | --- |
";

/// The text without spaces and ends of lines: rustfmt breaks long formulas.
fn without_breaks(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn validation_page_has_the_values_of_the_tests() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut page = HEAD.to_owned();
    let mut missing = Vec::new();
    for row in ROWS {
        let (file, function) = row.test.split_once("::").unwrap();
        let source = fs::read_to_string(root.join(file)).unwrap_or_default();
        let text = without_breaks(&source);
        let declared = ["(", "<"].map(|after| format!("fn{function}{after}"));
        if !declared.iter().any(|declared| text.contains(declared)) {
            missing.push(format!("{}: no such function", row.test));
        }
        for part in [row.value, row.tolerance] {
            if !text.contains(&without_breaks(part)) {
                missing.push(format!("{}: {part}", row.test));
            }
        }
        let [value, tolerance] = [row.value, row.tolerance].map(|text| match text {
            "" => String::new(),
            text => format!("`{text}`"),
        });
        let _ = writeln!(
            page,
            "| {} | {} | {} | {value} | {tolerance} | `{}` |",
            row.problem, row.source, row.quantity, row.test
        );
    }
    assert!(missing.is_empty(), "not in their tests: {missing:#?}");
    let path = root.join("docs/validation.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let old = fs::read_to_string(&path).unwrap_or_default();
    assert!(old == page, "docs/validation.md differs: see its head");
}
