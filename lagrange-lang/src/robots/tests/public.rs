//! Public robots beside Pinocchio, by evaluation of the equations: `.ci/robots` names the files and their values.
//!
//! `ROBOTS` is a file of lines `NAME=FILE`, `ROBOTS_DATA` the values that `tests/reference/robots.py` prints.

use std::collections::HashMap;
use std::{env, fs};

use lagrange_engine::{Dynamics, Quantity, Symbol, symmetric};
use proc_macro2::TokenStream;

use crate::errors::{Code, Errors};
use crate::expand::read;

/// Files that are refused, and why.
const REFUSED: [(&str, &str); 10] = [
    // Hands of no mass that turn.
    ("example_romeo", "nothing depends on the coordinate"),
    (
        "example_romeo_laas_small",
        "nothing depends on the coordinate",
    ),
    // Fingers that follow joints which the file does not have.
    ("example_alex_psyonic_hands", "that does not exist"),
    // Neither XML nor links.
    ("rtb_test", "no XML"),
    ("example_ur3", "the robot has no link"),
    // Kinematics alone.
    ("rtb_irb140", "no link of"),
    ("rtb_irb140qt", "no link of"),
    ("rtb_lbr_iiwa_14_r820", "no link of"),
    ("rtb_puma560_robot", "no link of"),
    // A wrist with masses on its axis and without tensors.
    ("rtb_al5d_robot", "has no inertia"),
];
const TOLERANCE: f64 = 1e-10;

/// The values of each robot, by their names; other values are left out.
fn values(data: &str) -> HashMap<&str, (String, HashMap<&str, Vec<f64>>)> {
    let mut robots = HashMap::new();
    for robot in data.split("robot ").skip(1) {
        let mut lines = robot.lines();
        let name = lines.next().unwrap();
        let mut tip = String::new();
        let mut values_of_robot = HashMap::new();
        for line in lines {
            let (key, entries) = line.split_once(' ').unwrap();
            match key {
                "tip" => tip = entries.to_owned(),
                _ => {
                    let entries = entries.split(' ').map(|entry| entry.parse().unwrap());
                    values_of_robot.insert(key, entries.collect());
                }
            }
        }
        robots.insert(name, (tip, values_of_robot));
    }
    robots
}

fn deviation(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let largest = expected
        .iter()
        .fold(0.0_f64, |most, entry| most.max(entry.abs()));
    let scale = if largest == 0.0 { 1.0 } else { largest };
    found
        .iter()
        .zip(expected)
        .fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs() / scale))
}

fn times(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    matrix
        .chunks(vector.len())
        .map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
        .collect()
}

/// The largest deviation of all values.
fn compare(dynamics: &Dynamics, values: &HashMap<&str, Vec<f64>>) -> f64 {
    let n = dynamics.kinematics().velocity_count();
    let mut state = 1_u64;
    let mut draw = |count: usize| -> Vec<f64> {
        let random_entry = |_| {
            state = (state * 1_103_515_245 + 12_345) % (1 << 31);
            state as f64 / f64::from(1 << 30) - 1.0
        };
        (0..count).map(random_entry).collect()
    };
    draw(7);
    let [q, v, tau, w] = [(); 4].map(|()| draw(n));
    let f = draw(6);
    let value = |symbol| match symbol {
        Symbol::Coordinate(i) => q[i as usize],
        Symbol::Velocity(i) => v[i as usize],
        _ => 0.0,
    };
    let of = |quantity| {
        let expressions = dynamics.expressions(quantity);
        dynamics.graph().evaluate(&expressions, &value)
    };
    let m = of(Quantity::MassMatrix);
    let m = if m.len() == n * n {
        m
    } else {
        symmetric(&m, n)
    };
    let h = of(Quantity::Bias);
    let forces = of(Quantity::GeneralizedForces);
    let jacobian = of(Quantity::FrameJacobian(0));
    let transposed: Vec<f64> = (0..n)
        .flat_map(|j| (0..6).map(move |i| (i, j)))
        .map(|(i, j)| jacobian[i * n + j])
        .collect();
    let pose = [of(Quantity::FrameOrigin(0)), of(Quantity::FrameRotation(0))].concat();
    let mut worst = [
        ("mv", times(&m, &w)),
        ("h", h.clone()),
        ("pose", pose),
        ("jw", times(&jacobian, &w)),
        ("jf", times(&transposed, &f)),
    ]
    .iter()
    .map(|(key, found)| deviation(found, &values[key]))
    .fold(0.0, f64::max);
    // The accelerations of Pinocchio solve these equations, to the rounding of M a.
    let a = &values["a"];
    if a.iter().all(|entry| entry.is_finite()) {
        let sizes = |entries: &[f64]| {
            entries
                .iter()
                .map(|entry| entry.abs())
                .collect::<Vec<f64>>()
        };
        let largest = times(&sizes(&m), &sizes(a)).into_iter().fold(0.0, f64::max);
        let inertial_forces = times(&m, a);
        worst = (0..n)
            .map(|i| (inertial_forces[i] - tau[i] - forces[i] + h[i]).abs() / largest)
            .fold(worst, f64::max);
    }
    worst
}

#[test]
#[ignore = "takes files that `.ci/robots` fetches"]
fn public_robots_agree_with_pinocchio() {
    let [robots, data] = ["ROBOTS", "ROBOTS_DATA"].map(|name| {
        let path = env::var(name).unwrap_or_else(|_| panic!("{name} names no file"));
        fs::read_to_string(path).unwrap()
    });
    let values = values(&data);
    let (mut failures, mut counts, mut worst) = (Vec::new(), [0; 4], 0.0_f64);
    for line in robots.lines() {
        let (name, path) = line.split_once('=').unwrap();
        let known = values.get(name);
        let tip = known.map_or(String::new(), |(tip, _)| {
            format!("pub frame tip = arm.link[{tip:?}];")
        });
        let expand = |options: &str| {
            let program = format!(
                "struct Robot {{ arm: robot = {path:?} {{ {options} }} }} gravity [0, 0, -9.81]; {tip}"
            );
            let mut errors = Errors::default();
            let read = read(program.parse::<TokenStream>().unwrap(), &mut errors);
            (errors, read.and_then(|(_, sound)| sound.ok()))
        };
        let (mut errors, mut sound) = expand("friction: ignore");
        // One link, or several that nothing moves: a body.
        if errors
            .messages()
            .first()
            .is_some_and(|m| m.starts_with("no coordinate is left"))
        {
            (errors, sound) = expand("friction: ignore, base: free");
        }
        let refused = REFUSED.iter().find(|(refused, _)| *refused == name);
        let Some(sound) = sound else {
            counts[2] += 1;
            let first = errors
                .messages()
                .first()
                .cloned()
                .unwrap_or_default()
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned();
            println!("{name:40} refused: {first}");
            if refused.is_none_or(|(_, why)| !first.contains(why)) {
                failures.push(name);
            }
            continue;
        };
        counts[0] += 1;
        let warnings = sound
            .model
            .warnings
            .iter()
            .filter(|warning| warning.code == Code::ImpossibleLink)
            .count();
        counts[1] += usize::from(warnings > 0);
        let actual = known.map(|(_, values)| compare(&sound.dynamics, values));
        let n = sound.dynamics.kinematics().velocity_count();
        println!("{name:40} {n:3} velocities, {warnings:2} links warned of, deviation {actual:?}");
        if let Some(actual) = actual {
            counts[3] += 1;
            worst = worst.max(actual);
        }
        if refused.is_some() || actual.is_some_and(|actual| actual.is_nan() || actual > TOLERANCE) {
            failures.push(name);
        }
    }
    let [read, warned, refused, compared] = counts;
    println!(
        "{read} read, {warned} of them with warnings, {refused} refused, {compared} compared, worst {worst:e}"
    );
    assert!(failures.is_empty(), "{failures:?}");
    let expected = [94 - REFUSED.len(), 19, REFUSED.len(), 82];
    assert_eq!(counts, expected);
}
