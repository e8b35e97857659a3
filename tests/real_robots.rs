//! Robots as they are used, beside Pinocchio: arms, and a walker on the ground and free.

#![allow(missing_docs)]

#[path = "robots/harness.rs"]
#[macro_use]
mod harness;

const DATA: &str = include_str!("reference/data/robots.txt");

robot_test!(
    panda,
    "../examples/models/panda.urdf",
    { friction: ignore, inertia: as_given },
    7,
    "panda_grasptarget"
);
robot_test!(
    iiwa14,
    "robots/real/iiwa14.urdf",
    { friction: ignore, inertia: as_given },
    7,
    "iiwa_link_7"
);
robot_test!(ur5_like, "robots/real/ur5_like.urdf", {}, 6, "tool0");
robot_test!(g1, "../examples/models/g1.urdf", { friction: ignore }, 29, "right_rubber_hand");
robot_test!(
    g1_free,
    "../examples/models/g1.urdf",
    { base: free, friction: ignore },
    35,
    "right_rubber_hand"
);
robot_test!(
    a2_free,
    "robots/real/a2.urdf",
    { base: free, friction: ignore },
    18,
    "RR_foot"
);
