//! Output frames: their motion against derivatives of their poses, and its operations.

use crate::cases::cases;
use crate::trees::{Attitudes, build, plans, state};
use lagrange_engine::{Dynamics, Graph, Kinematics, NodeId, Quantity, System};
use proptest::prelude::*;

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0_f64, |max, x| max.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        let close = (a - b).abs() <= 1e-9 * scale;
        assert!(close, "{what}: {found:?} for {expected:?}");
    }
}

/// Velocity of the origin, and angular velocity by the skew matrix `dR/dt R^T`, in the world.
fn twist(
    graph: &mut Graph,
    kinematics: &Kinematics,
    origin: [NodeId; 3],
    rotation: [[NodeId; 3]; 3],
) -> Vec<NodeId> {
    let along = kinematics.along_the_motion(graph);
    let rate = graph.directional(&rotation.concat(), &along);
    let mut twist = graph.directional(&origin, &along);
    for (i, j) in [(2, 1), (0, 2), (1, 0)] {
        twist.push(graph.dot(&rate[3 * i..3 * i + 3], &rotation[j]));
    }
    twist
}

/// Every frame as an output: pose, velocity, Jacobian and bias by every program.
fn check(system: &System, what: &str) {
    let mut system = system.clone();
    let mut graph = system.graph.clone();
    let kinematics = system.names.kinematics();
    let frames = system.multibody.frames().unwrap().clone();
    let count = frames.joints().count() + 1;
    for index in 0..count {
        let frame = frames.at(index).unwrap();
        system
            .multibody
            .add_output(format!("f{index}"), frame)
            .unwrap();
    }
    let dynamics = Dynamics::new(system);
    let along = kinematics.along_the_motion(&mut graph);
    for index in 0..count {
        let frame = frames.at(index).unwrap();
        let origin = frames.origin(frame);
        let rotation = frames.rotation(&mut graph, frame);
        let twist = twist(&mut graph, &kinematics, origin, rotation);
        let one = graph.integer(1);
        let columns: Vec<Vec<NodeId>> = kinematics
            .velocity_symbols()
            .into_iter()
            .map(|v| graph.directional(&twist, &[(v, one)]))
            .collect();
        let jacobian = (0..6).flat_map(|i| columns.iter().map(move |column| column[i]));
        let bias = graph.directional(&twist, &along);
        let expected = [
            (Quantity::FrameOrigin(index), origin.to_vec()),
            (Quantity::FrameRotation(index), rotation.concat()),
            (Quantity::FrameVelocity(index), twist.clone()),
            (Quantity::FrameJacobian(index), jacobian.collect()),
            (Quantity::FrameBias(index), bias),
        ];
        let quantities = expected.clone().map(|(quantity, _)| quantity);
        let nodes = expected.map(|(_, nodes)| nodes).concat();
        for seed in 0..2 {
            let expected = graph.evaluate(&nodes, &state(seed));
            for program in dynamics.programs(&quantities) {
                let found = program.schedule.evaluate(&state(seed));
                assert_close(&found, &expected, &format!("frame {index}, {what}"));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn frames_of_random_trees_move_as_their_poses_say(plan in plans()) {
        let system = build(&plan, Attitudes::Some);
        check(&system, &system.to_string());
    }

    #[test]
    fn without_attitudes_too(plan in plans()) {
        let system = build(&plan, Attitudes::None);
        check(&system, &system.to_string());
    }
}

/// A planar arm of two links of length l, by its angles from the link before.
const PLANAR: &str = "coordinates a b\nparameters l\n\
    node %0 = coordinate 0\nnode %1 = coordinate 1\nnode %2 = parameter 0\n\
    node %3 = number 0\nnode %4 = number 1\nnode %5 = velocity 0\nnode %6 = product %5^2\nkinetic %6\n\
    frame 0 turn %3 %3 %4 %0\nframe 1 translate %2 %3 %3\n\
    frame 2 turn %3 %3 %4 %1\nframe 3 translate %2 %3 %3\noutput hand frame 4\n";

#[test]
fn a_planar_arm_by_hand() {
    let dynamics = Dynamics::new(PLANAR.parse::<System>().unwrap());
    let texts = |quantity| -> Vec<String> {
        let entries = dynamics.expressions(quantity);
        let graph = dynamics.graph();
        let text = |node: &NodeId| graph.text(*node, &lagrange_engine::plain_names);
        entries.iter().map(text).collect()
    };
    let zero = "0";
    let jacobian = [
        ["-p0*sin(q0) - p0*sin(q0 + q1)", "-p0*sin(q0 + q1)"],
        ["p0*cos(q0) + p0*cos(q0 + q1)", "p0*cos(q0 + q1)"],
        [zero, zero],
        [zero, zero],
        [zero, zero],
        ["1", "1"],
    ];
    assert_eq!(texts(Quantity::FrameJacobian(0)), jacobian.concat());
    assert_eq!(texts(Quantity::FrameVelocity(0))[5], "v0 + v1");
    let bias = texts(Quantity::FrameBias(0));
    assert_eq!(bias[2..], [zero; 4]);
    assert_eq!(bias[0], "-p0*v0^2*cos(q0) - p0*(v0 + v1)^2*cos(q0 + q1)");
}
