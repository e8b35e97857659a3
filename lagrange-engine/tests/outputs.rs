//! Derivatives of outputs, by differences along displacements, velocities, first-order states, inputs and motions.

use lagrange_engine::{Dynamics, Quantity, Symbol, System};

/// A scalar x, a rotation, another scalar y, two states, two inputs, time; outputs of q and t alone, and of everything.
const SYSTEM: &str = "coordinates x att.x att.y att.z att.w y\n\
    rotations 1\nparameters c\nstates e f\ninputs a b\ntime t\n\
    node %0 = coordinate 0\nnode %1 = coordinate 1\nnode %2 = coordinate 2\nnode %3 = coordinate 3\n\
    node %4 = coordinate 4\nnode %5 = coordinate 5\nnode %6 = time\nnode %7 = parameter 0\n\
    node %10 = velocity 0\nnode %11 = velocity 1\nnode %12 = velocity 2\nnode %13 = velocity 3\n\
    node %14 = velocity 4\nnode %15 = input 0\nnode %16 = input 1\n\
    node %20 = product %1^1 %2^1 %0^2\nnode %21 = product %3^1 %4^1 %7^1\n\
    node %22 = sum 1/2 2*%20 -3*%21 1*%6\nnode %23 = sin %22\nnode %24 = product %5^1 %6^2 %3^3\n\
    node %25 = product %23^2 %24^1\n\
    node %30 = product %11^2 %16^1\nnode %31 = product %12^1 %13^1 %15^2 %1^1\n\
    node %32 = product %10^3 %15^1 %16^1 %0^1\nnode %33 = sum 0 1*%30 1*%31 1*%32 1*%25\n\
    node %34 = exp %23\nnode %35 = product %34^1 %14^2 %15^1\nnode %37 = state 0\nnode %38 = state 1\n\
    node %39 = product %37^2 %38^1 %10^1 %15^1 %2^1\nnode %36 = sum 0 1*%33 1*%35 1*%39\n\
    node %40 = product %10^2\nkinetic %40\n\
    output place vector 2 %23 %25\noutput all scalar %36\noutput power vector 2 %36 %31\n\
    output turn matrix 1 2 %23 %25\n";

/// The first of each kind in q, v, z, u, and the end.
const FIRSTS: [usize; 5] = [0, 5, 10, 12, 14];

#[derive(Clone)]
struct Point {
    q: Vec<f64>,
    v: Vec<f64>,
    z: Vec<f64>,
    u: Vec<f64>,
    t: f64,
}

impl Point {
    fn new() -> Self {
        let mut q = vec![0.7, 0.3, -0.5, 0.4, 0.6, -1.2];
        normalise(&mut q[1..5]);
        Point {
            q,
            v: vec![0.8, -0.4, 1.1, 0.6, -0.9],
            z: vec![0.9, -0.7],
            u: vec![0.5, -1.3],
            t: 0.35,
        }
    }

    fn value(&self, symbol: Symbol) -> f64 {
        match symbol {
            Symbol::Coordinate(i) => self.q[i as usize],
            Symbol::Velocity(i) => self.v[i as usize],
            Symbol::State(i) => self.z[i as usize],
            Symbol::Input(i) => self.u[i as usize],
            Symbol::Time => self.t,
            Symbol::Parameter(_) => 1.4,
            Symbol::StateRate(_)
            | Symbol::Acceleration(_)
            | Symbol::Multiplier(_)
            | Symbol::Momentum(_)
            | Symbol::Weight(_) => f64::NAN,
        }
    }

    /// q moved by a displacement: for the rotation `quat * exp(d)`.
    fn moved(&self, d: &[f64]) -> Self {
        let mut moved = self.clone();
        let angle = (d[1] * d[1] + d[2] * d[2] + d[3] * d[3]).sqrt();
        let (sin, cos) = (angle / 2.0).sin_cos();
        let factor = if angle > 0.0 { sin / angle } else { 0.5 };
        let [x, y, z] = [1, 2, 3].map(|i| factor * d[i]);
        let [qx, qy, qz, qw] = [1, 2, 3, 4].map(|i| self.q[i]);
        moved.q = vec![
            self.q[0] + d[0],
            qw * x + cos * qx + qy * z - qz * y,
            qw * y + cos * qy + qz * x - qx * z,
            qw * z + cos * qz + qx * y - qy * x,
            qw * cos - qx * x - qy * y - qz * z,
            self.q[5] + d[4],
        ];
        moved
    }

    /// q, v, z and u moved by one vector.
    fn displaced(&self, d: &[f64]) -> Self {
        let n = self.v.len();
        let mut displaced = self.moved(&d[..n]);
        let ahead = |x: &[f64], d: &[f64]| x.iter().zip(d).map(|(x, d)| x + d).collect();
        displaced.v = ahead(&self.v, &d[n..2 * n]);
        displaced.z = ahead(&self.z, &d[FIRSTS[2]..FIRSTS[3]]);
        displaced.u = ahead(&self.u, &d[FIRSTS[3]..]);
        displaced
    }

    /// A time s later, at a = 0.
    fn later(&self, s: f64) -> Self {
        let d: Vec<f64> = self.v.iter().map(|v| s * v).collect();
        let mut later = self.moved(&d);
        later.t += s;
        later
    }
}

fn normalise(quaternion: &mut [f64]) {
    let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    quaternion.iter_mut().for_each(|x| *x /= length);
}

fn dynamics() -> Dynamics {
    Dynamics::new(SYSTEM.parse::<System>().unwrap())
}

fn values(dynamics: &Dynamics, quantity: Quantity, at: &Point) -> Vec<f64> {
    let entries = dynamics.expressions(quantity);
    let graph = dynamics.graph();
    graph.evaluate(&entries, &|symbol| at.value(symbol))
}

/// By every program and by the expressions themselves.
fn computed(dynamics: &Dynamics, quantity: Quantity, at: &Point) -> Vec<f64> {
    let read = |symbol| at.value(symbol);
    let interpreted = values(dynamics, quantity, at);
    for program in dynamics.programs(&[quantity]) {
        assert_close(&program.schedule.evaluate(&read), &interpreted, 1e-12);
    }
    interpreted
}

fn assert_close(left: &[f64], right: &[f64], tolerance: f64) {
    assert_eq!(left.len(), right.len());
    let scale = right.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    for (a, b) in left.iter().zip(right) {
        assert!((a - b).abs() <= tolerance * scale, "{left:?} != {right:?}");
    }
}

/// The derivative at 0 by central differences of the fourth order.
fn rate(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let h = 1e-3;
    let values = [h, -h, 2.0 * h, -2.0 * h].map(f);
    let [ahead, behind, further, before] = &values;
    (0..ahead.len())
        .map(|i| (8.0 * (ahead[i] - behind[i]) - (further[i] - before[i])) / (12.0 * h))
        .collect()
}

/// A displacement of this length along one direction of q, v, z and u.
fn along(j: usize, s: f64) -> Vec<f64> {
    let mut d = vec![0.0; FIRSTS[4]];
    d[j] = s;
    d
}

#[test]
fn rates_and_biases_are_those_of_a_motion_at_constant_velocity() {
    let (dynamics, at) = (dynamics(), Point::new());
    let of = |quantity, at: &Point| values(&dynamics, quantity, at);
    let found = computed(&dynamics, Quantity::OutputRate(0), &at);
    assert_close(
        &found,
        &rate(|s| of(Quantity::Output(0), &at.later(s))),
        1e-9,
    );
    let found = computed(&dynamics, Quantity::OutputBias(0), &at);
    assert_close(
        &found,
        &rate(|s| of(Quantity::OutputRate(0), &at.later(s))),
        1e-9,
    );
}

#[test]
fn first_derivatives_are_along_directions_velocities_states_and_inputs() {
    let (dynamics, at) = (dynamics(), Point::new());
    for number in [0, 1, 2] {
        let by = [
            computed(&dynamics, Quantity::OutputJacobian(number), &at),
            computed(&dynamics, Quantity::OutputByVelocities(number), &at),
            computed(&dynamics, Quantity::OutputByStates(number), &at),
            computed(&dynamics, Quantity::OutputByInputs(number), &at),
        ];
        for (by, firsts) in by.iter().zip(FIRSTS.windows(2)) {
            let (first, columns) = (firsts[0], firsts[1] - firsts[0]);
            for j in 0..columns {
                let column: Vec<f64> = by.iter().skip(j).step_by(columns).copied().collect();
                let output = |s| {
                    let moved = at.displaced(&along(first + j, s));
                    values(&dynamics, Quantity::Output(number), &moved)
                };
                assert_close(&column, &rate(output), 1e-9);
            }
        }
    }
}

#[test]
fn the_hessian_is_that_of_the_displaced_value() {
    let (dynamics, at) = (dynamics(), Point::new());
    let size = FIRSTS[4];
    let hessian = computed(&dynamics, Quantity::OutputHessian(1), &at);
    let value = |d: &[f64]| values(&dynamics, Quantity::Output(1), &at.displaced(d))[0];
    for i in 0..size {
        for j in 0..size {
            assert_eq!(hessian[i * size + j], hessian[j * size + i]);
            // d^2/ds dr of the value at d = s e_i + r e_j.
            let mixed = |s: f64, r: f64| {
                let mut d = along(i, s);
                d[j] += r;
                vec![value(&d)]
            };
            let second = rate(|s| rate(|r| mixed(s, r)));
            assert_close(&[hessian[i * size + j]], &second, 1e-6);
        }
    }
}

/// Quantities that an output does not have are empty: the rate of an output with v or u, derivatives of matrices, and
/// the Hessian of vectors.
#[test]
fn what_there_is_not_is_empty() {
    let dynamics = dynamics();
    let empty = [
        Quantity::OutputRate(1),
        Quantity::OutputBias(2),
        Quantity::OutputRate(3),
        Quantity::OutputJacobian(3),
        Quantity::OutputByStates(3),
        Quantity::OutputByInputs(3),
        Quantity::OutputHessian(2),
        Quantity::OutputHessian(9),
        Quantity::FrameBias(0),
    ];
    for quantity in empty {
        assert!(dynamics.expressions(quantity).is_empty(), "{quantity:?}");
    }
    assert!(dynamics.has_output_rate(0) && !dynamics.has_output_rate(1));
}
