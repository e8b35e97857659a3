//! Tests of the content of a page, and of the mistakes that writing it finds.

use std::io::ErrorKind;

use lagrangian::{Pose, lagrangian, matrix, vector};
use lagrangian_page::{Ink, Page, Plot, Recording, Scene, Space, State, point};

mod first {
    lagrangian::lagrangian! {
        /// Not the one that is shown.
        pub struct Mass { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
    }
}

lagrangian! {
    /// A bob on a rod; its length is <long>.
    #[derive(Clone, Debug)]
    pub struct Pendulum {
        theta: coordinate,
        m: parameter,
        l: parameter = pi / 10,
        g: parameter = 9.81,
        /// Of gravity, with a component that is rounding.
        axis: parameter[3] = [-4.7e-16, -1, 0],
    }

    pub let bob = [l * sin(theta), -l * cos(theta)];
    T = m * der(bob)^2 / 2;
    V = -m * g * dot(axis, [bob.x, bob.y, 0]);
}

lagrangian! {
    /// The same by a constraint, pushed along x.
    #[derive(Clone, Debug)]
    pub struct Swing { x, y: coordinate, m: parameter = 1, g: parameter = 9.81, push: input }
    T = m * der([x, y])^2 / 2;
    V = m * g * y;
    Q.x = push;
    holonomic rod: sqrt(x^2 + y^2) = 1;
}

fn pendulum() -> (Pendulum, Recording<1, 1>) {
    let pendulum = Pendulum::new(0.5);
    let motion = Recording::run(&pendulum, (vector![1.0], vector![0.0]), 2.0, 1e-3).unwrap();
    (pendulum, motion)
}

/// The mistakes that a page reports.
fn mistake(page: &Page) -> String {
    let error = page.html().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert_eq!(page.picture().unwrap_err().to_string(), error.to_string());
    error.to_string()
}

#[test]
fn a_page_shows_motion_plots_and_model() {
    let (pendulum, motion) = pendulum();
    let page = Page::new("A <b>pendulum</b>")
        .about("It swings & swings")
        .times(motion.times())
        .event(0.5, "half a second")
        .scene(Scene::new("a bob").circle(
            "bob",
            Ink::Blue,
            0.1,
            motion.map(|s| pendulum.bob(&s.q)),
        ))
        .plot(Plot::coordinates(&pendulum, &motion))
        .plot(Plot::energy(&pendulum, &motion))
        .model(
            include_str!("page.rs"),
            Pendulum::EQUATIONS_MATHML,
            &pendulum,
        )
        .link("another \"page\"", "other.html")
        .speed(0.3);
    let html = page.html().unwrap();
    for expected in [
        "<title>A &lt;b&gt;pendulum&lt;/b&gt;</title>",
        "It swings &amp; swings",
        r#"<a href="other.html">another &quot;page&quot;</a>"#,
        r#"{"time":0.5,"label":"half a second"}"#,
        r#""speed":0.3"#,
        r#""name":"theta""#,
        r#""title":"Energy error""#,
        Pendulum::<f64>::EQUATIONS_MATHML,
        // The declaration of this struct, highlighted, and no other.
        "<i class=\"word\">pub</i> <i class=\"word\">struct</i> Pendulum {",
        "its length is &lt;long&gt;.",
        // Not all digits, but for who asks.
        r#"<dt><code>l</code></dt><dd title="0.3141592653589793">0.314159</dd>"#,
        r#"<dt><code>axis</code></dt><dd title="[-4.7e-16, -1.0, 0.0]">[0.0, -1.0, 0.0]</dd>"#,
        "<dt><code>g</code></dt><dd>9.81</dd>",
    ] {
        assert!(html.contains(expected), "no {expected}");
    }
    for left in ["{{", "struct</i> Mass", "struct</i> Swing", "NaN"] {
        assert!(!html.contains(left), "{left}");
    }
    // One frame and one value for each time.
    let frames = html.matches("],[").count();
    assert!(frames >= motion.times().count() - 1, "{frames} frames");
    let picture = page.picture().unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("<animate"));
}

#[test]
fn a_declaration_stands_at_the_left() {
    let source = "macro_rules! m { () => {\n    lagrangian! {\n        struct S {}\n\n        T = 1;\n    }\n} }\n";
    let html = lagrangian_page::parts::declaration_html(source, "S");
    let lines: Vec<&str> = html.lines().collect();
    assert_eq!(lines.len(), 5);
    assert!(lines[0].ends_with("! {") && !lines[0].starts_with(' '));
    assert!(lines[1].starts_with("    <") && lines[2].is_empty());
    assert!(lines[3].starts_with("    T") && lines[4] == "}");
}

#[test]
fn what_is_not_given_is_not_there() {
    let page = Page::new("Times alone").times([0.0, 1.0]);
    let html = page.html().unwrap();
    for absent in ["<figcaption>", "<nav", "{{"] {
        assert!(!html.contains(absent), "{absent}");
    }
    let error = page.picture().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`Times alone` has no scene for a picture"
    );
}

#[test]
fn parts_that_do_not_fit_are_errors() {
    let scene = |frames: Vec<[[f64; 2]; 2]>| Scene::new("").line("rod", Ink::Body, frames);
    let rod = [[0.0, 0.0], [1.0, 0.0]];
    let page = || Page::new("Wrong").times([0.0, 1.0, 2.0]);
    for (page, expected) in [
        (
            Page::new("Wrong"),
            "at least two times are needed: `.times(motion.times())`",
        ),
        (
            Page::new("Wrong").times([0.0, 1.0, 1.0]),
            "the times do not increase",
        ),
        (
            Page::new("Wrong").times([0.0, f64::NAN]),
            "the times do not increase",
        ),
        (
            Page::new("Wrong").times([0.0, f64::INFINITY]),
            "the times do not increase",
        ),
        (page().speed(0.0), "a speed of 0"),
        (
            page().scene(scene(vec![rod, rod])),
            "line `rod`: 2 frames for 3 times, not one each or one in all",
        ),
        (
            page().scene(Scene::new("").arrow("pull", Ink::Green, [[[0.0, 0.0]; 3]])),
            "arrow `pull`: a frame of 3 points, not 2",
        ),
        (
            page().scene(Space::new("").block("hull", Ink::Green, [[[0.0; 3]; 3]])),
            "block `hull`: a frame of 3 points, not 4",
        ),
        (
            page().plot(Plot::new("Angle", "rad").line("a", Ink::Blue, [1.0])),
            "line `a` of plot `Angle`: 1 values for 3 places",
        ),
        (
            page().plot(Plot::new("Gain", "").over("Hz", [1.0, 2.0]).line(
                "a",
                Ink::Blue,
                [1.0; 3],
            )),
            "line `a` of plot `Gain`: 3 values for 2 places",
        ),
        (
            page().plot(Plot::new("Gain", "").over("Hz", [1.0, 1.0]).line(
                "a",
                Ink::Blue,
                [1.0; 2],
            )),
            "plot `Gain`: the places of its axis do not increase",
        ),
    ] {
        assert_eq!(mistake(&page), format!("page `Wrong`: {expected}"));
    }
    // One frame stands still, and fits.
    assert!(page().scene(scene(vec![rod])).html().is_ok());
}

#[test]
fn points_are_arrays_vectors_rows_and_frames() {
    let turned = matrix![0.0, -1.0, 0.0; 1.0, 0.0, 0.0; 0.0, 0.0, 1.0];
    let frame = Pose {
        origin: vector![1.0, 2.0, 3.0],
        rotation: turned,
    };
    assert_eq!(point(&frame, [1.0, 0.0, 0.5]), [1.0, 3.0, 3.5]);
    let html = |space| Page::new("").times([0.0, 1.0]).scene(space).html().unwrap();
    let frames = |space| {
        let html = html(space);
        let data = html.split(r#""frames":"#).nth(1).unwrap();
        data.split('}').next().unwrap().to_owned()
    };
    let rows = matrix![1.0, 2.0, 3.0; 4.0, 5.0, 6.0];
    for (space, expected) in [
        (
            Space::new("").line("", Ink::Body, [rows]),
            "[[1,2,3,4,5,6]]",
        ),
        (
            Space::new("").line("", Ink::Body, [(frame, [0.0; 3])]),
            "[[1,2,3,0,0,0]]",
        ),
        (
            Space::new("").line("", Ink::Body, [vec![vector![0.5, 0.0, 1.0]]]),
            "[[0.5,0,1]]",
        ),
        (
            Space::new("").line("", Ink::Body, [[[f64::NAN; 3]]]),
            "[[null,null,null]]",
        ),
        (
            Space::new("").block_in("", Ink::Body, [0.0; 3], [2.0, 4.0, 6.0], [frame]),
            "[[1,2,3,1,3,3,-1,2,3,1,2,6]]",
        ),
        (
            Space::new("").cylinder_in("", Ink::Body, 0.1, [[0.0; 3], [1.0, 0.0, 0.0]], [frame]),
            "[[1,2,3,1,3,3]]",
        ),
        // Along x, which is turned to y.
        (Space::new("").axes("", 2.0, [frame]), "[[1,2,3,1,4,3]]"),
    ] {
        assert_eq!(frames(space), expected);
    }
}

#[test]
fn a_recording_is_the_motion() {
    let (pendulum, motion) = pendulum();
    let energy = |s: &State<1, 1>| pendulum.energy(&s.q, &s.v);
    let start = energy(&motion.states()[0]);
    let worst = motion
        .map(|s| (energy(s) - start).abs())
        .fold(0.0, f64::max);
    assert!(worst < 1e-9, "{worst}");
    assert_eq!(motion.times().count(), 301);
    assert!((motion.times().last().unwrap() - 2.0).abs() < 1e-12);
    let again: Recording<1, 1> = motion.states().iter().copied().collect();
    assert_eq!(again, motion);
    // Half the step: the motion is that of order four.
    let last = |step| {
        let motion = Recording::run(&pendulum, (vector![1.0], vector![0.0]), 2.0, step).unwrap();
        motion.states()[300].q[0]
    };
    let exact = last(1e-4);
    let errors = [2.0 / 300.0, 1.0 / 300.0].map(|step| (last(step) - exact).abs());
    assert!(
        (12.0..20.0).contains(&(errors[0] / errors[1])),
        "{errors:?}"
    );
}

#[test]
fn a_recording_stays_on_the_constraints_and_asks_for_inputs() {
    let swing = Swing::default();
    // Beside the constraint: the start is moved onto it.
    let start = (vector![0.01, -1.01], vector![0.0, 0.0]);
    let push = |s: &State<2, 2>| vector![if s.t < 1.0 { 2.0 } else { 0.0 }];
    let motion = Recording::run_with(&swing, start, push, 10.0, 1e-3).unwrap();
    let gap = motion.map(|s| (s.q.norm() - 1.0).abs()).fold(0.0, f64::max);
    assert!(gap < 1e-14, "{gap}");
    let idle = Recording::run(&swing, start, 10.0, 1e-3).unwrap();
    let farthest = |motion: &Recording<2, 2>| motion.map(|s| s.q.x.abs()).fold(0.0, f64::max);
    assert!(farthest(&motion) > 10.0 * farthest(&idle));
    assert_eq!(motion.times().count(), 601);
}

lagrangian! {
    /// The swing with a push that fades, through the state of a filter.
    struct FilteredSwing { x, y: coordinate, f: state, m, r: parameter = 1, g: parameter = 9.81, push: input }
    T = m * der([x, y])^2 / 2;
    V = m * g * y;
    der(f) = (push - f) / r;
    Q.x = f;
    holonomic rod: sqrt(x^2 + y^2) = 1;
}

#[test]
fn a_recording_has_states_of_first_order() {
    let swing = FilteredSwing::default();
    let start = (vector![0.01, -1.01], vector![0.0, 0.0], vector![0.5]);
    let push = |s: &State<2, 2>, _: &_| vector![if s.t < 1.0 { 2.0 } else { 0.0 }];
    let motion = Recording::run_with_states(&swing, start, push, 10.0, 1e-3).unwrap();
    let gap = motion.map(|s| (s.q.norm() - 1.0).abs()).fold(0.0, f64::max);
    assert!(gap < 1e-14, "{gap}");
    let filtered = |t: f64| {
        let rise = 2.0 - 1.5 * (-t.min(1.0)).exp();
        rise * (1.0 - t.max(1.0)).exp()
    };
    let worst = motion.map_with_states(|s, z| (z[0] - filtered(s.t)).abs());
    let worst = worst.fold(0.0, f64::max);
    assert!(worst < 1e-12, "{worst}");
}

#[test]
fn steps_without_meaning_end() {
    let pendulum = Pendulum::new(0.5);
    let start = (vector![1.0], vector![0.0]);
    for step in [0.0, -1.0, f64::NAN] {
        let motion = Recording::run(&pendulum, start, 2.0, step).unwrap();
        assert_eq!(motion.states().len(), 301);
    }
    let motion = Recording::run(&pendulum, start, f64::NAN, 1e-3).unwrap();
    let page = Page::new("Wrong").times(motion.times());
    assert!(mistake(&page).contains("at least two times"));
    assert!(Recording::run(&pendulum, (vector![f64::NAN], vector![0.0]), 1.0, 1e-3).is_err());
    // What takes microseconds has as many frames.
    let motion = Recording::run(&pendulum, start, 1e-5, 1e-7).unwrap();
    assert_eq!(motion.states().len(), 301);
}
