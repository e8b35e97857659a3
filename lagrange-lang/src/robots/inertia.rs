//! Bodies of links. Links without relative motion are merged. Physically impossible links are reported.

use super::document::{Inertial, Place};
use super::space::{Pose, add, of_point, scale, times, turned};
use super::tree::Robot;

/// The tolerance of the triangle inequality, relative to the largest moment. The numbers in files are rounded.
const ROUNDING: f64 = 1e-6;

/// The total mass of links that move together, in the frame of the link that a joint moves.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Lump {
    pub(crate) link: usize,
    pub(crate) mass: f64,
    pub(crate) centre: [f64; 3],
    pub(crate) inertia: [[f64; 3]; 3],
}

/// One body for each link that moves by itself. `is_taken` selects the links that contribute.
pub(crate) fn merge_lumps(robot: &Robot, is_taken: impl Fn(usize) -> bool) -> Vec<Lump> {
    // For each link, the link with which it moves, and its pose in that link.
    let mut carriers: Vec<(usize, Pose)> = (0..robot.links.len())
        .map(|link| (link, Pose::NONE))
        .collect();
    for joint in robot.order.iter().map(|joint| &robot.joints[*joint]) {
        if let Some(pose) = joint.constant() {
            let (carrier, before) = carriers[joint.parent];
            carriers[joint.child] = (carrier, before.after(&pose));
        }
    }
    let mut parts: Vec<Vec<(Pose, &Inertial)>> = vec![Vec::new(); robot.links.len()];
    for (number, link) in robot.links.iter().enumerate() {
        let (carrier, pose) = carriers[number];
        let inertial = link.inertial.as_ref();
        let inertial = inertial.filter(|inertial| inertial.mass != 0.0 && is_taken(number));
        parts[carrier].extend(inertial.map(|inertial| (pose, inertial)));
    }
    parts
        .iter()
        .enumerate()
        .filter(|(_, parts)| !parts.is_empty())
        .flat_map(|(link, parts)| lump(link, parts))
        .collect()
}

fn lump(link: usize, parts: &[(Pose, &Inertial)]) -> Vec<Lump> {
    let placed: Vec<Lump> = parts
        .iter()
        .map(|(pose, part)| Lump {
            link,
            mass: part.mass,
            centre: add(pose.origin, times(&pose.rotation, part.centre)),
            inertia: turned(&pose.rotation, &part.inertia),
        })
        .collect();
    let mass: f64 = placed.iter().map(|part| part.mass).sum();
    // Masses of opposite sign may have the sum zero. Then there is no centre of mass.
    if placed.len() == 1 || mass == 0.0 {
        return placed;
    }
    let first_moment = placed
        .iter()
        .map(|part| scale(part.mass, part.centre))
        .fold([0.0; 3], add);
    let centre = scale(1.0 / mass, first_moment);
    let mut inertia = [[0.0; 3]; 3];
    for part in &placed {
        let steiner = of_point(add(part.centre, scale(-1.0, centre)));
        for i in 0..3 {
            for j in 0..3 {
                inertia[i][j] += part.inertia[i][j] + part.mass * steiner[i][j];
            }
        }
    }
    vec![Lump {
        link,
        mass,
        centre,
        inertia,
    }]
}

/// Mass, first moments and moments about the origin of a link, in Pinocchio's order.
pub(crate) fn ten_numbers(robot: &Robot, link: usize) -> [f64; 10] {
    let Some(inertial) = &robot.links[link].inertial else {
        return [0.0; 10];
    };
    let (m, c) = (inertial.mass, inertial.centre);
    let square = c.iter().map(|entry| entry * entry).sum::<f64>();
    let moment = |i: usize, j: usize| {
        let of_point = if i == j { square } else { 0.0 } - c[i] * c[j];
        inertial.inertia[i][j] + m * of_point
    };
    [
        m,
        m * c[0],
        m * c[1],
        m * c[2],
        moment(0, 0),
        moment(0, 1),
        moment(1, 1),
        moment(0, 2),
        moment(1, 2),
        moment(2, 2),
    ]
}

/// A link with physically impossible constants.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Suspect {
    pub(crate) place: Place,
    pub(crate) message: String,
}

/// The links with physically impossible constants. `principal` gives the principal moments in ascending order.
pub(crate) fn find_suspects(
    robot: &Robot,
    principal: impl Fn([[f64; 3]; 3]) -> [f64; 3],
) -> Vec<Suspect> {
    let mut suspects = Vec::new();
    for link in &robot.links {
        let Some(inertial) = link
            .inertial
            .as_ref()
            .filter(|inertial| inertial.mass != 0.0)
        else {
            continue;
        };
        let moments = principal(inertial.inertia);
        let [least, middle, largest] = moments;
        let shown = moments.map(|moment| format!("{moment:.6e}").parse().unwrap_or(moment));
        let name = &link.name;
        let slack = ROUNDING * largest.abs().max(least.abs());
        let what = if inertial.mass < 0.0 {
            format!("the mass {} is negative", inertial.mass)
        } else if least < -slack {
            "a moment is negative".to_owned()
        } else if largest > least + middle + slack {
            "the largest is above the sum of the others".to_owned()
        } else {
            continue;
        };
        let [a, b, c]: [f64; 3] = shown;
        suspects.push(Suspect {
            place: inertial.place,
            message: format!(
                "no body is like the link `{name}`: {what}; its principal moments are {a}, {b} and {c}"
            ),
        });
    }
    suspects
}
