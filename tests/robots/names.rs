//! Names as people give them, and text as they write it.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, vector};

use super::support::close;

lagrangian! {
    struct Named {
        arm: robot = "robots/files/names.urdf" { lock: { "a-b": 0.25 } },
        u: input[4],
    }
    Q.arm.joint["a b"] = u[0];
    Q.arm.joint["j[0]"] = u[1];
    Q.arm.elbow = u[2];
    Q.arm.joint.r#fn = u[3];
    pub frame hand = arm.link["left-hand"];
    pub frame dotted = arm.link["a.b"];
    pub frame elbow = arm.elbow;
    pub frame typed = arm.r#type;
    pub frame last = arm.link.link;
    pub let bend = arm.joint.elbow;
    pub let first = arm.joint["a b"] + arm.joint["j[0]"];
    pub let lock = arm.joint["a-b"];
    pub let deep = arm.link["m[0]"].origin.x;
}

#[test]
fn names_may_be_anything() {
    let system = Named::default();
    assert_eq!(
        Named::COORDINATES,
        ["arm.a b", "arm.j[0]", "arm.fn", "arm.elbow", "arm.joint"]
    );
    let q = vector![1.0, 2.0, 3.0, 4.0, 5.0];
    let x = |pose: lagrangian::Pose<f64>| pose.origin[0];
    close(
        [x(system.hand(&q)), x(system.dotted(&q)), system.deep(&q)],
        [1.0, 1.25, 3.25],
    );
    close(
        [x(system.typed(&q)), x(system.elbow(&q)), x(system.last(&q))],
        [6.25, 10.25, 15.25],
    );
    close(
        [system.bend(&q), system.first(&q), system.lock(&q)],
        [4.0, 3.0, 0.25],
    );
    let forces = system.generalized_forces(&q, &SVector::zeros(), &vector![1.0, 2.0, 3.0, 4.0]);
    close(forces.iter().copied(), [1.0, 2.0, 4.0, 3.0, 0.0]);
}

lagrangian! {
    struct Text { arm: robot = "robots/files/text.urdf" }
    pub frame slider = arm.slider;
}

#[test]
fn text_may_have_blanks_and_line_ends() {
    let system = Text::default();
    close(system.mass_matrix(&vector![0.1]).iter().copied(), [5.0]);
    close(
        system.slider(&vector![0.1]).origin.iter().copied(),
        [0.5, 1.0, 0.0],
    );
    let limits = Text::ARM[0];
    assert_eq!(
        (limits.lower, limits.upper),
        (f64::NEG_INFINITY, f64::INFINITY)
    );
    assert_eq!((limits.velocity, limits.effort), (1.0, 0.0));
}

lagrangian! {
    struct Quotes {
        arm: robot = "robots/files/quotes.urdf" { parameters: ["n\nl{}`"], friction: ignore },
        u: input,
    }
    Q.arm.joint["j\\s"] = u;
    pub let x = arm.link["l\"q"].origin.x + arm.joint["j\""];
}

#[test]
fn names_may_have_marks_of_rust() {
    let names = ["j\"", "j\\s", "j\n{}`ä"];
    assert_eq!(Quotes::ARM.map(|joint| joint.name), names);
    assert_eq!(Quotes::COORDINATES, ["arm.j\"", "arm.j\\s", "arm.j\n{}`ä"]);
    let system = Quotes::default();
    assert_eq!(system.arm_n_l___[0], 3.0);
    let q = vector![1.0, 2.0, 3.0];
    close([system.x(&q)], [2.0]);
    let m = [6.0, 5.0, 3.0, 5.0, 5.0, 3.0, 3.0, 3.0, 3.0];
    close(system.mass_matrix(&q).iter().copied(), m);
}
