//! A walking robot, whose trunk floats, against Pinocchio.

use lagrangian::nalgebra::{SMatrix, SVector};
use lagrangian::{Pose, lagrangian};

use crate::support::assert_close;

lagrangian! {
    /// A trunk with four legs of three joints: hip, thigh and calf.
    struct Quadruped {
        p: coordinate[3],
        att: rotation,
        joint: coordinate[4, 3],
        g: parameter = 9.81,
        u: input[12],
    }

    let fore = [1, 1, -1, -1];
    let side = [1, -1, 1, -1];
    let trunk_inertia = [
        [0.0168, 0.0001, 0.0002],
        [0.0001, 0.063, -0.00003],
        [0.0002, -0.00003, 0.0717],
    ];
    gravity [0, 0, -g];
    frame Trunk = world.translate(p).rotate(att);
    body trunk { frame: Trunk, mass: 6.921, at: [0.0223, 0.002, -0.0005], inertia: trunk_inertia }
    frame mut Last = world;
    for i in 0..4 {
        let f = fore[i];
        let s = side[i];
        frame Hip = Trunk.translate([0.183 * f, 0.047 * s, 0]).rotate(x, joint[i, 0]);
        body hip {
            frame: Hip, mass: 0.678, at: [-0.005 * f, 0.0019 * s, 0.0001],
            inertia: diag(0.0005, 0.0009, 0.0006),
        }
        frame Thigh = Hip.translate([0, 0.081 * s, 0]).rotate(y, joint[i, 1]);
        body thigh {
            frame: Thigh, mass: 1.152, at: [-0.0036, -0.022 * s, -0.027],
            inertia: diag(0.006, 0.0058, 0.0011),
        }
        frame Calf = Thigh.translate([0, 0, -0.213]).rotate(y, joint[i, 2]);
        // Rounded where it was published.
        #[allow(deprecated)]
        body calf {
            frame: Calf, mass: 0.154, at: [0.006, -0.0012, -0.1306],
            inertia: diag(0.0011, 0.0012, 0.00003),
        }
        Q.joint[i] = [u[3 * i], u[3 * i + 1], u[3 * i + 2]];
        Last = Calf;
    }
    pub frame foot = Last.translate([0, 0, -0.213]);
    pub frame camera = Trunk
        .translate([0.25, 0.02, 0.06])
        .orient([[0.8, 0, -0.6], [0, 1, 0], [0.6, 0, 0.8]]);
}

/// The values of one state by name.
struct Case(Vec<(&'static str, Vec<f64>)>);

impl Case {
    fn all() -> Vec<Self> {
        let text = include_str!("../reference/data/quadruped.txt");
        let mut cases: Vec<Self> = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            let name = words.next().expect("no line is empty");
            match cases.last_mut().filter(|_| name != "case") {
                Some(case) => {
                    let numbers = words.map(|word| word.parse().expect("a number"));
                    case.0.push((name, numbers.collect()));
                }
                None => cases.push(Case(Vec::new())),
            }
        }
        cases
    }

    fn entries(&self, name: &str) -> &[f64] {
        let found = self.0.iter().find(|(of, _)| *of == name);
        &found.unwrap_or_else(|| panic!("no {name}")).1
    }

    fn vector<const N: usize>(&self, name: &str) -> SVector<f64, N> {
        SVector::from_column_slice(self.entries(name))
    }
}

#[test]
fn quadruped_agrees_with_pinocchio() {
    let robot = Quadruped::<f64>::default();
    let cases = Case::all();
    assert_eq!(cases.len(), 5);
    for case in cases {
        let (q, v, a, u) = (
            case.vector::<19>("q"),
            case.vector::<18>("v"),
            case.vector::<18>("a"),
            case.vector::<12>("u"),
        );
        let mass = SMatrix::<f64, 18, 18>::from_row_slice(case.entries("mass_matrix"));
        assert_close("M", &robot.mass_matrix(&q), &mass, 1e-13);
        assert_close("h", &robot.bias(&q, &v), &case.vector("bias"), 1e-12);
        let effort = robot.inverse_dynamics(&q, &v, &a);
        assert_close("M a + h", &effort, &case.vector("inverse_dynamics"), 1e-12);
        let motion = robot.acceleration(&q, &v, &u).unwrap();
        assert_close("a", &motion, &case.vector("acceleration"), 1e-10);
        let energy = [robot.kinetic_energy(&q, &v), robot.potential_energy(&q)];
        let expected = [
            case.entries("kinetic_energy")[0],
            case.entries("potential_energy")[0],
        ];
        assert_close(
            "T, V",
            &SVector::from(energy),
            &SVector::from(expected),
            1e-13,
        );
        let foot = Motion {
            pose: robot.foot(&q),
            velocity: robot.foot_velocity(&q, &v),
            jacobian: robot.foot_jacobian(&q),
            bias: robot.foot_bias(&q, &v),
        };
        foot.compare(&case, "foot");
        let camera = Motion {
            pose: robot.camera(&q),
            velocity: robot.camera_velocity(&q, &v),
            jacobian: robot.camera_jacobian(&q),
            bias: robot.camera_bias(&q, &v),
        };
        camera.compare(&case, "camera");
    }
}

#[test]
fn derivatives_agree_with_pinocchio() {
    let robot = Quadruped::<f64>::default();
    for case in Case::all() {
        let (q, v, a, u) = (
            case.vector::<19>("q"),
            case.vector::<18>("v"),
            case.vector::<18>("a"),
            case.vector::<12>("u"),
        );
        let compare = |name: &str, found: &SMatrix<f64, 18, 18>, tolerance| {
            let expected = SMatrix::from_row_slice(case.entries(name));
            assert_close(name, found, &expected, tolerance);
        };
        let (by_q, by_v) = robot.inverse_dynamics_derivatives(&q, &v, &a);
        compare("inverse_by_q", &by_q, 1e-12);
        compare("inverse_by_v", &by_v, 1e-12);
        let by = robot.acceleration_derivatives(&q, &v, &u).unwrap();
        compare("forward_by_q", &by.q, 1e-10);
        compare("forward_by_v", &by.v, 1e-10);
    }
}

/// The origin of a frame.
struct Motion {
    pose: Pose<f64>,
    velocity: SVector<f64, 6>,
    jacobian: SMatrix<f64, 6, 18>,
    bias: SVector<f64, 6>,
}

impl Motion {
    fn compare(&self, case: &Case, name: &str) {
        let entries = |of: &str| case.entries(&format!("{name}_{of}"));
        let origin = SVector::from_column_slice(entries("origin"));
        assert_close(name, &self.pose.origin, &origin, 1e-13);
        let rotation = SMatrix::from_row_slice(entries("rotation"));
        assert_close(name, &self.pose.rotation, &rotation, 1e-13);
        let velocity = SVector::from_column_slice(entries("velocity"));
        assert_close(name, &self.velocity, &velocity, 1e-13);
        let jacobian = SMatrix::from_row_slice(entries("jacobian"));
        assert_close(name, &self.jacobian, &jacobian, 1e-13);
        let bias = SVector::from_column_slice(entries("bias"));
        assert_close(name, &self.bias, &bias, 1e-13);
    }
}
