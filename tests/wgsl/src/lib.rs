//! The systems of `tests/exports`, whose shaders a browser runs.

#[allow(dead_code)]
#[path = "../../exports/declared.rs"]
mod declared;

use declared::*;
use lagrangian::nalgebra::SMatrix;
use lagrangian::{System, lagrangian, vector};

lagrangian! {
    /// A bead on a parabola that a motor with a current pulls.
    pub struct Bead { x, y: coordinate, i: state, m, r, l: parameter, g: parameter = 9.81, u: input }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * g * y;
    holonomic wire: y = x^2;
    der(i) = (u - r * i - der(x)) / l;
    Q.x = i - u * sin(x);
    export wgsl { acceleration, state_rates, equation_derivatives }
}

/// A shader, and the results of one of its functions at a state.
pub struct Case {
    pub name: &'static str,
    pub function: &'static str,
    pub shader: &'static str,
    pub time: f64,
    pub parameters: Vec<f64>,
    /// The arrays that are not empty: q, v, and others.
    pub arguments: Vec<Vec<f64>>,
    /// The flags of contacts, before this one of the arrays or behind all of them.
    pub flags: Option<(usize, Vec<i32>)>,
    /// All results, one after the other.
    pub results: Vec<f64>,
}

fn arguments<const NQ: usize, const N: usize, const K: usize>(
    state: &State<NQ, N, K>,
) -> Vec<Vec<f64>> {
    let all = [state.q.as_slice(), state.v.as_slice(), state.u.as_slice()];
    all.into_iter()
        .filter(|argument| !argument.is_empty())
        .map(<[f64]>::to_vec)
        .collect()
}

fn accelerations<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    state: &State<NQ, N, K>,
) -> Vec<f64>
where
    M: System<f64, NQ, N, K, C>,
{
    let acceleration = system.acceleration(state.t, &state.q, &state.v, &state.u);
    acceleration.expect("a regular state").as_slice().to_vec()
}

/// q and v on the constraints, if there are any.
fn projections<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    state: &State<NQ, N, K>,
) -> Option<Vec<f64>>
where
    M: System<f64, NQ, N, K, C>,
{
    if C == 0 {
        return None;
    }
    let State { t, q, v, u } = state;
    let (q, v) = system.project(*t, q, v, u).expect("a near state");
    Some([q.as_slice(), v.as_slice()].concat())
}

macro_rules! collected {
    ($($test:ident: $system:ident, $name:literal, $has_time:literal, $value:expr, $parameters:expr, $q:expr;)*) => {
        /// The accelerations and projections of each system, the functions of contacts, and a reduced linearization.
        pub fn cases() -> Vec<Case> {
            let mut cases = Vec::new();
            $(
                let (system, at) = ($value, state($q));
                let mut add = |function, arguments: Vec<Vec<f64>>, results| {
                    cases.push(Case {
                        name: $name,
                        function,
                        shader: $system::WGSL,
                        time: at.t,
                        parameters: $parameters.to_vec(),
                        arguments,
                        flags: None,
                        results,
                    });
                };
                add("acceleration", arguments(&at), accelerations(&system, &at));
                if let Some(projected) = projections(&system, &at) {
                    add("project", arguments(&at)[..2].to_vec(), projected);
                }
            )*
            cases.extend(contacts());
            cases.extend(contacts_with_friction());
            cases.extend(contacts_beside_dependent_rows());
            cases.extend(dependent_contacts());
            cases.push(reduced());
            cases.extend(identified());
            cases
        }
    };
}

/// The entries of a matrix, row by row.
fn rows<const R: usize, const C: usize>(matrix: &SMatrix<f64, R, C>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

fn contacts() -> Vec<Case> {
    let system = Beam {
        m: 2.0,
        l: 1.4,
        g: 9.81,
        k: 3.0,
    };
    let (q, v, u) = (
        vector![0.25, 0.3, 0.2],
        vector![0.4, -1.0, 0.3],
        vector![0.7],
    );
    let (active, e) = ([true, false, true], [0.5, 0.2, 0.0]);
    let motion = system.solve_active(&q, &v, &u, &active).expect("a motion");
    let hit = system.impact(&q, &v, &active, &e).expect("an impact");
    let linear = system
        .linearize_active(&q, &v, &u, &active)
        .expect("a motion");
    let (by_q, by_v) = system
        .impact_derivatives(&q, &v, &active, &e)
        .expect("an impact");
    let placed = vec![q.as_slice().to_vec()];
    let moving = [placed.clone(), vec![v.as_slice().to_vec()]].concat();
    let pushed = [moving.clone(), vec![u.as_slice().to_vec()]].concat();
    let hitting = [moving, vec![e.to_vec()]].concat();
    let of_motion = [
        motion.acceleration.as_slice(),
        motion.multipliers.as_slice(),
        motion.contact_forces.as_slice(),
    ];
    let of_impact = [
        hit.velocity.as_slice(),
        hit.multipliers.as_slice(),
        hit.impulses.as_slice(),
    ];
    let delassus = system.delassus(&q).expect("regular");
    let case = |function, arguments, place: Option<usize>, results| Case {
        name: "beam",
        function,
        shader: Beam::WGSL,
        time: 0.0,
        parameters: vec![2.0, 1.4, 9.81, 3.0],
        arguments,
        flags: place.map(|place| (place, active.map(i32::from).to_vec())),
        results,
    };
    vec![
        case("solve_active", pushed.clone(), Some(3), of_motion.concat()),
        case(
            "linearize_active",
            pushed,
            Some(3),
            [rows(&linear.a), rows(&linear.b)].concat(),
        ),
        case("impact", hitting.clone(), Some(2), of_impact.concat()),
        case(
            "impact_derivatives",
            hitting,
            Some(2),
            [rows(&by_q), rows(&by_v)].concat(),
        ),
        case("delassus", placed, None, rows(&delassus)),
    ]
}

/// Forces by multipliers of a constraint and of contacts.
fn contacts_with_friction() -> Vec<Case> {
    let system = Sled {
        m: 2.0,
        mu: 0.25,
        g: 9.81,
    };
    let (q, v, u) = (
        vector![0.7, 0.2, -0.1],
        vector![1.0, -0.4, 0.3],
        vector![3.0],
    );
    let (active, e) = ([true, true], [0.5, 0.2]);
    let motion = system.solve_active(&q, &v, &u, &active).expect("a motion");
    let hit = system.impact(&q, &v, &active, &e).expect("an impact");
    let of_motion = [
        motion.acceleration.as_slice(),
        motion.multipliers.as_slice(),
        motion.contact_forces.as_slice(),
    ];
    let of_impact = [
        hit.velocity.as_slice(),
        hit.multipliers.as_slice(),
        hit.impulses.as_slice(),
    ];
    let case = |function, last: &[f64], place, results| Case {
        name: "sled",
        function,
        shader: Sled::WGSL,
        time: 0.0,
        parameters: vec![2.0, 0.25, 9.81],
        arguments: vec![q.as_slice().to_vec(), v.as_slice().to_vec(), last.to_vec()],
        flags: Some((place, active.map(i32::from).to_vec())),
        results,
    };
    vec![
        case("solve_active", u.as_slice(), 3, of_motion.concat()),
        case("impact", &e, 2, of_impact.concat()),
    ]
}

/// Friction beside rows that depend on each other.
fn contacts_beside_dependent_rows() -> Vec<Case> {
    let system = Sledge {
        m: 2.0,
        mu: 0.3,
        g: 9.81,
    };
    let (q, v, u) = (
        vector![0.4, 0.0, -0.08],
        vector![0.7, 0.0, -0.28],
        vector![1.5],
    );
    let active = [true, true, true, false];
    let motion = system.solve_active(&q, &v, &u, &active).expect("a motion");
    let linear = system
        .linearize_active(&q, &v, &u, &active)
        .expect("a motion");
    let of_motion = [
        motion.acceleration.as_slice(),
        motion.multipliers.as_slice(),
        motion.contact_forces.as_slice(),
    ];
    let case = |function, results| Case {
        name: "sledge",
        function,
        shader: Sledge::WGSL,
        time: 0.0,
        parameters: vec![2.0, 0.3, 9.81],
        arguments: [q.as_slice(), v.as_slice(), u.as_slice()]
            .map(<[f64]>::to_vec)
            .to_vec(),
        flags: Some((3, active.map(i32::from).to_vec())),
        results,
    };
    let of_neighbours = [rows(&linear.a), rows(&linear.b)].concat();
    vec![
        case("solve_active", of_motion.concat()),
        case("linearize_active", of_neighbours),
    ]
}

/// Contacts and constraints that depend on each other.
fn dependent_contacts() -> Vec<Case> {
    let system = Table {
        m: 10.0,
        i: 2.0,
        g: 9.81,
        load: 30.0,
        at: 0.5,
    };
    let (q, still, active) = (vector![0.0, 0.0, 0.0], vector![0.0, 0.0, 0.0], [true; 4]);
    let motion = system.solve_active(&q, &still, &active).expect("a motion");
    let of_motion = [
        motion.acceleration.as_slice(),
        motion.multipliers.as_slice(),
        motion.contact_forces.as_slice(),
    ];
    let delassus = system.delassus(&q).expect("regular");
    let case = |function, arguments: &[&[f64]], results| Case {
        name: "table",
        function,
        shader: Table::WGSL,
        time: 0.0,
        parameters: vec![10.0, 2.0, 9.81, 30.0, 0.5],
        arguments: arguments.iter().map(|argument| argument.to_vec()).collect(),
        flags: (arguments.len() > 1).then(|| (2, active.map(i32::from).to_vec())),
        results,
    };
    let standing = [q.as_slice(), still.as_slice()];
    vec![
        case("solve_active", &standing, of_motion.concat()),
        case("delassus", &standing[..1], rows(&delassus)),
    ]
}

/// Sensitivities and second derivatives, of a system with states and data, and of one with a rotation and a constraint.
fn identified() -> Vec<Case> {
    let winch = Winch {
        j: 0.4,
        m: 1.5,
        l: 0.02,
        r: 0.7,
        k: 1.2,
        c: 30.0,
    };
    let (q, v, z, u, w) = (
        vector![0.7, 0.3],
        vector![0.4, -1.1],
        vector![2.0],
        vector![6.0],
        vector![0.8, -0.6],
    );
    let case = |function, arguments: &[&[f64]], results| Case {
        name: "winch",
        function,
        shader: Winch::WGSL,
        time: 0.0,
        parameters: vec![0.4, 1.5, 0.02, 0.7, 1.2, 30.0],
        arguments: arguments.iter().map(|argument| argument.to_vec()).collect(),
        flags: None,
        results,
    };
    let state = [q.as_slice(), v.as_slice(), z.as_slice(), u.as_slice()];
    let weighed = [&state[..], &[w.as_slice()]].concat();
    let by_motor = winch.by_motor(&q, &v, &z, &u).expect("regular");
    let hessian = winch.acceleration_hessian(&q, &v, &z, &u, &w);
    let mut cases = vec![
        case("by_motor", &state, rows(&by_motor)),
        case(
            "acceleration_hessian",
            &weighed,
            rows(&hessian.expect("regular")),
        ),
    ];
    let carriage = Carriage {
        m: 2.0,
        c: 1.5,
        l: 0.8,
    };
    let (q, v, u, w) = (
        vector![0.3, 0.5, 0.1, 0.1, 0.8544003745317531],
        vector![0.4, -0.3, 0.6, 0.2],
        vector![1.5],
        vector![0.8, -0.6, 0.3, 0.5],
    );
    let case = |function, arguments: &[&[f64]], results| Case {
        name: "carriage",
        function,
        shader: Carriage::WGSL,
        time: 0.0,
        parameters: vec![2.0, 1.5, 0.8],
        arguments: arguments.iter().map(|argument| argument.to_vec()).collect(),
        flags: None,
        results,
    };
    let state = [q.as_slice(), v.as_slice(), u.as_slice()];
    let weighed = [&state[..], &[w.as_slice()]].concat();
    let by_body = carriage.by_body(&q, &v, &u).expect("regular");
    let hessian = carriage.acceleration_hessian(&q, &v, &u, &w);
    cases.push(case("by_body", &state, rows(&by_body)));
    cases.push(case(
        "acceleration_hessian",
        &weighed,
        rows(&hessian.expect("regular")),
    ));
    cases
}

/// Shaders that a browser compiles too slowly to call them in every test, and one with a function of more arrays than there
/// are buffers, whose last ones share a buffer.
pub fn long_shaders() -> [(&'static str, &'static str); 2] {
    [("bricard", Bricard::WGSL), ("bead", Bead::WGSL)]
}

/// The linearization of a four-bar in its own direction.
fn reduced() -> Case {
    let system = FourBar {
        m: [1.0, 2.0, 1.5],
        l1: 1.0,
        l2: 2.5,
        l3: 2.0,
        base: 3.0,
        g: 9.81,
    };
    let (q, v) = system
        .project(&vector![1.1, 0.5, 1.4], &vector![0.8, 0.0, 0.0])
        .expect("a near state");
    let found = system.linearize_reduced(&q, &v).expect("a regular state");
    Case {
        name: "four_bar",
        function: "linearize_reduced",
        shader: FourBar::WGSL,
        time: 0.0,
        parameters: vec![1.0, 2.0, 1.5, 1.0, 2.5, 2.0, 3.0, 9.81],
        arguments: vec![q.as_slice().to_vec(), v.as_slice().to_vec()],
        flags: None,
        results: [rows(&found.a), rows(&found.basis)].concat(),
    }
}

for_all_systems!(collected);
