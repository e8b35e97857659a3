//! Systems with constraints: holonomic, rheonomic and nonholonomic ones, and singular M.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Baumgarte, System};
use num_dual::Dual64;

use crate::check::{Random, State, check};

/// Five states near a start, moved onto the constraints, and one that is not on them.
fn check_near<M, D, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    (system, dual): (&M, &D),
    start: SVector<f64, NQ>,
) where
    M: System<f64, NQ, N, K, C>,
    D: System<Dual64, NQ, N, K, C>,
{
    let mut random = Random(0xC05);
    for k in 0..6 {
        let (t, u) = (random.number(), random.vector());
        let q = system.integrate(&start, &(random.vector() * 0.2));
        let v = random.vector();
        let (q, v) = if k < 5 {
            system.project(t, &q, &v, &u).expect("near")
        } else {
            (q, v)
        };
        let state: State<NQ, N, K> = (t, q, v, u);
        check((system, dual), &state);
    }
}

lagrangian! {
    /// Holonomic: a crank, its rod, a rocker, and a motor.
    struct FourBar {
        crank, rod, rocker: coordinate,
        m: parameter = 1,
        length: parameter[4] = [1, 2.5, 2, 3],
        motor: input,
    }

    let first = [cos(crank), sin(crank)] * length[0];
    let second = first + [cos(rod), sin(rod)] * length[1];
    let third = [length[3], 0] + [cos(rocker), sin(rocker)] * length[2];
    T = m * (der(first)^2 + der(second)^2 + der(third)^2) / 2;
    V = m * 9.81 * (first.y + second.y);
    D = der(rocker)^2 / 10;
    Q.crank = motor;
    holonomic closed: second = third;
}

#[test]
fn four_bar() {
    let pair = (&FourBar::<f64>::default(), &FourBar::<Dual64>::default());
    check_near(pair, vector![1.0, 0.4, 1.6]);
}

lagrangian! {
    /// A constraint that contains time, and damping: a bead on a rod that turns.
    struct Bead { x, y: coordinate, t: time, m, w: parameter = 1.3, u: input }

    T = m * der([x, y])^2 / 2;
    V = m * 9.81 * y;
    D = der(x)^2 * u^2;
    Q.x = u * y;
    holonomic rod: y * cos(w * t) = x * sin(w * t);
}

#[test]
fn bead_on_a_rod_that_turns() {
    let pair = (&Bead::<f64>::default(), &Bead::<Dual64>::default());
    check_near(pair, vector![1.0, 0.3]);
}

lagrangian! {
    /// Nonholonomic: it slides along its edge only, on a slope.
    struct Skate { x, y, heading: coordinate, m, i: parameter = 1.5, u: input }

    T = m * der([x, y])^2 / 2 + i * der(heading)^2 / 2 + m * der(heading) * der(x) * sin(y) / 4;
    V = 3 * x;
    Q.heading = u;
    nonholonomic blade: der(x) * sin(heading) = der(y) * cos(heading);
}

#[test]
fn skate() {
    let pair = (&Skate::<f64>::default(), &Skate::<Dual64>::default());
    check_near(pair, vector![0.2, 0.3, 0.7]);
}

lagrangian! {
    /// A follower without mass on a guide that moves, and a slider with a given speed: M is singular.
    struct Guide { x, y, s: coordinate, m: parameter = 1.5, t: time, u: input }

    T = m * der(x)^2 / 2 + m * der(s)^2;
    V = x * y * s;
    nonholonomic speed: der(s) = 2 + y * t;
    holonomic guide: y = x^2 + sin(t);
    Q.y = u;
}

#[test]
fn massless_follower() {
    let pair = (&Guide::<f64>::default(), &Guide::<Dual64>::default());
    check_near(pair, vector![0.5, 0.25, 0.0]);
}

lagrangian! {
    /// A body whose attitude is four numbers of unit length: M is singular at every state.
    struct Quaternion { s: coordinate, r: coordinate[3], i: parameter[3] = [1, 2, 3], u: input[3] }

    let w = 2 * (s * der(r) - r * der(s) - cross(r, der(r)));
    T = dot(w, diag(i) * w) / 2;
    V = 2 * (r.x * r.z - s * r.y);
    Q.r = u;
    holonomic unit: s^2 + r^2 = 1;
}

#[test]
fn quaternion_of_unit_length() {
    let pair = (
        &Quaternion::<f64>::default(),
        &Quaternion::<Dual64>::default(),
    );
    check_near(pair, vector![0.5, 0.5, -0.5, 0.5]);
}

lagrangian! {
    /// As many constraints as coordinates.
    struct Held { x, y: coordinate, t: time, m: parameter = 2, u: input }

    T = m * der([x, y])^2 / 2;
    Q.x = u * x * y;
    holonomic first: x * y = 1 + t / 9;
    holonomic second: x = 1.2 + sin(t) / 5;
}

#[test]
fn as_many_constraints_as_coordinates() {
    let pair = (&Held::<f64>::default(), &Held::<Dual64>::default());
    check_near(pair, vector![1.2, 0.8]);
}

/// The stabilised equations have derivatives of their own.
#[test]
fn stabilised() {
    let (system, dual) = (FourBar::<f64>::default(), FourBar::<Dual64>::default());
    let system = Baumgarte {
        system: &system,
        alpha: 0.3,
        beta: 0.2,
        step: 0.1,
    };
    let [alpha, beta, step] = [0.3, 0.2, 0.1].map(Dual64::from_re);
    let dual = Baumgarte {
        system: &dual,
        alpha,
        beta,
        step,
    };
    check_near((&system, &dual), vector![1.0, 0.4, 1.6]);
}

#[test]
fn stabilised_where_not_all_is_holonomic() {
    let (system, dual) = (Guide::<f64>::default(), Guide::<Dual64>::default());
    let system = Baumgarte {
        system: &system,
        alpha: 0.3,
        beta: 0.2,
        step: 0.1,
    };
    let [alpha, beta, step] = [0.3, 0.2, 0.1].map(Dual64::from_re);
    let dual = Baumgarte {
        system: &dual,
        alpha,
        beta,
        step,
    };
    check_near((&system, &dual), vector![0.5, 0.25, 0.0]);
}
