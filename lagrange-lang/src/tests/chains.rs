//! Facts about long chains of links with oblique, rounded turns, beside their potential energy in plain numbers: a
//! coordinate along which the weight changes is not cyclic, and a good chain is not refused.

use std::fmt::Write;

use lagrange_engine::Dynamics;
use proc_macro2::extra;

use crate::errors::{Code, Errors};
use crate::{check, lower, syntax};

/// The MMIX generator of Knuth.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        let (factor, step) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
        self.0 = self.0.wrapping_mul(factor).wrapping_add(step);
        (self.0 >> 33) % count
    }

    /// A decimal from -0.99 to 0.99, but not 0.
    fn decimal(&mut self) -> f64 {
        let sign = if self.below(2) == 0 { 1.0 } else { -1.0 };
        sign * (1 + self.below(99)) as f64 / 100.0
    }

    fn axis(&mut self) -> Vector {
        AXES[self.below(AXES.len() as u64) as usize]
    }
}

type Vector = [f64; 3];

const AXES: [Vector; 7] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 1.0, 0.5],
    [0.0, 1.0, 1.0],
    [1.0, 0.0, -1.0],
    [1.0, 2.0, 3.0],
];

/// By Rodrigues' formula.
fn turned(axis: Vector, angle: f64, vector: Vector) -> Vector {
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z] = axis.map(|entry| entry / length);
    let [a, b, c] = vector;
    let along = (x * a + y * b + z * c) * (1.0 - angle.cos());
    let (sin, cos) = angle.sin_cos();
    [
        cos * a + sin * (y * c - z * b) + along * x,
        cos * b + sin * (z * a - x * c) + along * y,
        cos * c + sin * (x * b - y * a) + along * z,
    ]
}

struct Link {
    offset: Vector,
    turns: Vec<(Vector, f64)>,
    axis: Vector,
    at: Vector,
}

impl Link {
    /// The steps from the link before it, with the coordinate of this number.
    fn steps(&self, number: usize) -> String {
        let mut steps = format!(".translate({:?})", self.offset);
        for (axis, angle) in &self.turns {
            let _ = write!(steps, ".rotate({axis:?}, {angle:?})");
        }
        let _ = write!(steps, ".rotate({:?}, q[{number}])", self.axis);
        steps
    }

    /// Where a point of this link is in the link before it.
    fn outside(&self, angle: f64, point: Vector) -> Vector {
        let mut point = turned(self.axis, angle, point);
        for (axis, angle) in self.turns.iter().rev() {
            point = turned(*axis, *angle, point);
        }
        [0, 1, 2].map(|k| point[k] + self.offset[k])
    }
}

struct Chain {
    links: Vec<Link>,
}

impl Chain {
    fn random(links: usize, turns: u64, random: &mut Random) -> Self {
        let mut link = || {
            let turns = 0..random.below(turns + 1);
            Link {
                offset: [random.decimal(), random.decimal(), random.decimal()],
                turns: turns.map(|_| (random.axis(), random.decimal())).collect(),
                axis: random.axis(),
                at: [random.decimal(), random.decimal(), random.decimal()],
            }
        };
        Self {
            links: (0..links).map(|_| link()).collect(),
        }
    }

    /// The sum of the heights of all centres of mass.
    fn potential(&self, angles: &[f64]) -> f64 {
        (0..self.links.len())
            .map(|last| {
                let mut point = self.links[last].at;
                for (link, angle) in self.links.iter().zip(angles).take(last + 1).rev() {
                    point = link.outside(*angle, point);
                }
                point[2]
            })
            .sum()
    }

    /// The coordinates along which the potential changes by much more than rounding.
    fn weighed(&self) -> Vec<bool> {
        let angles: Vec<f64> = (0..self.links.len())
            .map(|i| 0.3 + 0.1 * i as f64)
            .collect();
        let before = self.potential(&angles);
        (0..angles.len())
            .map(|i| {
                let mut angles = angles.clone();
                angles[i] += 0.7;
                (self.potential(&angles) - before).abs() > 1e-6
            })
            .collect()
    }

    fn text(&self, rest: &str) -> String {
        let mut text = format!("struct Chain {{ q: coordinate[{}] }}\n", self.links.len());
        text += "gravity [0, 0, -1];\nframe mut F = world;\n";
        for (i, link) in self.links.iter().enumerate() {
            let _ = writeln!(text, "F = F{};", link.steps(i));
            let centre = link.at;
            let _ = writeln!(
                text,
                "body {{ frame: F, mass: 1, at: {centre:?}, inertia: diag(0.1, 0.2, 0.25) }}"
            );
        }
        text + rest
    }
}

/// The facts, and the errors.
fn judged(text: &str) -> (Option<lagrange_engine::Facts>, Vec<Code>) {
    let mut errors = Errors::default();
    let definition = syntax::parse(text.parse().unwrap(), &mut errors).unwrap();
    let (mut head, declarations) = lower::head(&definition, &mut errors);
    let (system, tables) = lower::lower(&definition, &mut head, declarations, &mut errors);
    check::check(&system, &tables, &head, &mut errors);
    if !errors.is_empty() {
        return (None, errors.codes());
    }
    let dynamics = Dynamics::new(system);
    check::check_inertia(&dynamics, &tables, &head, &mut errors);
    check::regressors_and_symmetries(&dynamics, &tables, &mut errors);
    let facts = errors.is_empty().then(|| dynamics.facts().clone());
    extra::invalidate_current_thread_spans();
    (facts, errors.codes())
}

/// Numbers of links, and of the turns before a hinge.
const SHAPES: [(usize, u64); 8] = [
    (5, 3),
    (8, 9),
    (12, 5),
    (15, 12),
    (20, 3),
    (30, 1),
    (40, 3),
    (45, 2),
];

#[test]
fn no_fact_about_a_chain_is_false() {
    let mut random = Random(1);
    for (links, turns) in SHAPES {
        let chain = Chain::random(links, turns, &mut random);
        let text = chain.text("");
        let (facts, codes) = judged(&text);
        assert!(codes.is_empty(), "{codes:?}\n{text}");
        let facts = facts.unwrap();
        let weighed = chain.weighed();
        assert!(weighed.iter().filter(|weighed| **weighed).count() + 2 > links);
        for (i, weighed) in weighed.into_iter().enumerate() {
            let is_said = facts.cyclic[i] || facts.conserved_momenta[i];
            assert!(!(weighed && is_said), "q[{i}]\n{text}");
        }
        assert!(!facts.constant_mass_matrix && facts.conserves_energy);
    }
}

#[test]
fn a_false_symmetry_of_a_chain_is_refused() {
    let mut random = Random(2);
    for (links, turns) in SHAPES {
        let chain = Chain::random(links, turns, &mut random);
        let Some(weighed) = chain.weighed().into_iter().position(|weighed| weighed) else {
            continue;
        };
        let text = chain.text(&format!("symmetry kept: q[{weighed}] -> 1;"));
        assert_eq!(judged(&text).1, [Code::NoSymmetry], "{text}");
    }
}

#[test]
fn rows_at_the_tip_of_a_chain_are_rows() {
    let mut random = Random(3);
    for (links, turns) in SHAPES {
        let chain = Chain::random(links, turns, &mut random);
        let text = chain.text("holonomic tip: F.origin = [0.5, 0.1, 0.2];");
        assert_eq!(judged(&text).1, [], "{text}");
    }
}

/// A chain whose first axis is that of its weight, but for a part `e` along another axis, in units of `unit`.
fn weight_along_the_first_axis(chain: &Chain, e: &str, unit: &str) -> String {
    let first = chain.links[0].axis;
    let mut text = format!("struct Chain {{ q: coordinate[{}] }}\n", chain.links.len());
    let _ = writeln!(text, "T = {unit} * der(q)^2 / 2;");
    let _ = writeln!(text, "frame mut F = world.rotate({first:?}, q[0]);");
    for (i, link) in chain.links.iter().enumerate().skip(1) {
        let _ = writeln!(text, "F = F{};", link.steps(i));
    }
    let _ = writeln!(
        text,
        "V = {unit} * (dot({first:?}, F.origin) + {e} * dot([1.3, -0.4, 0.9], F.origin));"
    );
    text
}

/// The first coordinate is cyclic without the other part, and not with a part that is more than rounding.
#[test]
fn small_parts_of_a_weight_count() {
    let mut random = Random(4);
    for (links, turns) in [(2, 3), (5, 9), (10, 3), (20, 3), (30, 2), (40, 3), (50, 0)] {
        let mut chain = Chain::random(links, turns, &mut random);
        chain.links[0].axis = [0.0, 1.0, 0.5];
        for unit in ["1e-20", "1", "1e20"] {
            for (e, expected) in [
                ("0", true),
                ("1e-13", false),
                ("1e-12", false),
                ("1e-11", false),
                ("1e-10", false),
            ] {
                let text = weight_along_the_first_axis(&chain, e, unit);
                let (facts, codes) = judged(&text);
                assert!(codes.is_empty(), "{codes:?}\n{text}");
                assert_eq!(facts.unwrap().cyclic[0], expected, "{text}");
            }
        }
    }
}

const UNITS: [&str; 3] = ["1e-20", "1", "1e20"];

/// A part of the weight that has a parameter of its own counts in any units of this parameter. Chains take turns at the units.
#[test]
fn parts_of_a_weight_count_in_any_units() {
    check_parts_of_a_weight(|number| &UNITS[number % 3..][..1]);
}

#[test]
#[ignore = "each chain in all units"]
fn every_part_of_every_weight_counts() {
    check_parts_of_a_weight(|_| &UNITS);
}

/// The units of the chain of a number.
fn check_parts_of_a_weight(units: impl Fn(usize) -> &'static [&'static str]) {
    let mut random = Random(6);
    let shapes = [(2, 3), (5, 9), (10, 3), (20, 3), (30, 2), (40, 3), (50, 0)];
    for (number, (links, turns)) in shapes.into_iter().enumerate() {
        let mut chain = Chain::random(links, turns, &mut random);
        chain.links[0].axis = [0.0, 1.0, 0.5];
        for unit in units(number) {
            for (e, expected) in [
                ("0 * e", true),
                ("1e-20 * e", false),
                ("1e-30 * e * r", false),
            ] {
                let text = weight_along_the_first_axis(&chain, e, unit)
                    .replace(" }\n", ", e, r, g: parameter }\n")
                    .replace("(dot", "(g * dot");
                let (facts, codes) = judged(&text);
                assert!(codes.is_empty(), "{codes:?}\n{text}");
                assert_eq!(facts.unwrap().cyclic[0], expected, "{text}");
                let refused = [Code::NoSymmetry];
                let held = "holonomic height: dot([0, 1, 0.5], F.origin) = 0.1;";
                // The two axes of the shortest chain are the same, and so are all its heights.
                for held in ["", held].iter().take(links.min(3) - 1) {
                    let text = format!("{text}{held} symmetry turn: q[0] -> 1;");
                    let codes = judged(&text).1;
                    assert_eq!(codes, refused[..usize::from(!expected)], "{text}");
                }
            }
        }
    }
}

/// The mass of a body on the first axis has no effect. All others have one, and so has a torque that is small in some
/// units: its part of the accelerations depends on the masses too. Chains take turns at units and torques.
#[test]
fn no_effect_of_a_parameter_of_a_chain_is_missed() {
    check_effects(|number| vec![TORQUES[number % 6], TORQUES[(number + 3) % 6]]);
}

#[test]
#[ignore = "each chain with all torques"]
fn no_effect_of_any_torque_on_a_chain_is_missed() {
    check_effects(|_| TORQUES.to_vec());
}

/// Units, and torques in them.
const TORQUES: [[&str; 2]; 6] = [
    ["1e-20", "1e-20"],
    ["1", "1e-12"],
    ["1e20", "1e-20"],
    ["1", "1e-20"],
    ["1e20", "1e-12"],
    ["1e-20", "1e-12"],
];

/// The units and torques of the chain of a number.
fn check_effects(torques: impl Fn(usize) -> Vec<[&'static str; 2]>) {
    let mut random = Random(5);
    let shapes = [
        (1, 0),
        (2, 3),
        (5, 9),
        (10, 3),
        (20, 3),
        (30, 2),
        (40, 1),
        (45, 0),
    ];
    for (number, (links, turns)) in shapes.into_iter().enumerate() {
        let chain = Chain::random(links, turns, &mut random);
        for [unit, torque] in torques(number) {
            let text = moved_by_a_torque(&chain, torque, unit);
            let mut errors = Errors::default();
            let definition = syntax::parse(text.parse().unwrap(), &mut errors).unwrap();
            let (mut head, declarations) = lower::head(&definition, &mut errors);
            let lowered = lower::lower(&definition, &mut head, declarations, &mut errors);
            assert!(errors.is_empty(), "{text}");
            let dynamics = Dynamics::new(lowered.0);
            let idle: Vec<u32> = dynamics.idle_parameters().iter().copied().collect();
            // The masses, the base and the torque.
            assert_eq!(idle, [links as u32], "{text}");
            extra::invalidate_current_thread_spans();
        }
    }
}

fn moved_by_a_torque(chain: &Chain, torque: &str, unit: &str) -> String {
    let n = chain.links.len();
    let mut text =
        format!("struct Chain {{ q: coordinate[{n}], m: parameter[{n}], base, e: parameter }}\n");
    text += "gravity [0.3, -0.2, -1];\nframe mut F = world.rotate(z, 0.3).rotate(x, 0.7);\n";
    for (i, link) in chain.links.iter().enumerate() {
        let _ = writeln!(text, "F = F{};", link.steps(i));
        if i == 0 {
            text += "body { frame: F, mass: base, inertia: diag(0, 0, 0) }\n";
        }
        let centre = link.at;
        let _ = writeln!(
            text,
            "body {{ frame: F, mass: {unit} * m[{i}], at: {centre:?} }}"
        );
    }
    let _ = writeln!(text, "Q.q[{}] = {torque} * {unit} * e;", n - 1);
    text + "sensitivity by_all { m, base, e }"
}
