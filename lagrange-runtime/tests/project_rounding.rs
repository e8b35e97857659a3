//! `project` is `Ok` at the level of rounding errors only: random constraints, of which the size of all
//! terms is known, with and without a solution, in all units.

use lagrange_runtime::{
    Error,
    nalgebra::{SVector, vector},
    project::project,
};

const N: usize = 3;
/// A row is made of so many operations on each of its terms, at most.
const OPERATIONS: f64 = 8.0;
type Vector = SVector<f64, N>;

/// Uniform bits, by a linear congruence (Knuth, *Seminumerical Algorithms*, section 3.3.4).
struct Random(u64);

impl Random {
    /// Between -1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 ^ (self.0 >> 29)) >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::from_fn(|_, _| self.next())
    }

    fn unit(&mut self, decades: f64) -> f64 {
        10.0_f64.powf(decades * self.next())
    }
}

/// The form of a constraint, with terms of about 1 near q.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Linear,
    Circle,
    Sine,
    Product,
    Kinked,
    /// A large number is added and subtracted again.
    Cancelling(f64),
    /// From here on without a solution.
    Jump,
    TwoJumps(f64),
    Minimum(f64),
    Kink(f64),
    Exponential,
    SineOfTwo,
}

const SOLVABLE: [Shape; 8] = [
    Shape::Linear,
    Shape::Circle,
    Shape::Sine,
    Shape::Product,
    Shape::Kinked,
    Shape::Cancelling(1e2),
    Shape::Cancelling(1e6),
    Shape::Cancelling(1e9),
];
const UNSOLVABLE: [Shape; 12] = [
    Shape::Jump,
    Shape::TwoJumps(1e-3),
    Shape::TwoJumps(1e-9),
    Shape::Minimum(1.0),
    Shape::Minimum(1e-6),
    Shape::Minimum(1e-12),
    Shape::Kink(1.0),
    Shape::Kink(1e-6),
    Shape::Kink(1e-13),
    Shape::Exponential,
    Shape::SineOfTwo,
    Shape::Minimum(100.0),
];

/// A constraint: its shape along two directions of the coordinates, in its unit.
#[derive(Clone, Copy, Debug)]
struct Row {
    shape: Shape,
    along: Vector,
    across: Vector,
    /// Makes the point where the row shall hold meet it.
    offset: f64,
    unit: f64,
}

impl Row {
    fn through(point: &Vector, shape: Shape, random: &mut Random) -> Self {
        let mut row = Self {
            shape,
            along: random.vector(),
            across: random.vector(),
            offset: 0.0,
            unit: random.unit(6.0),
        };
        if row.is_solvable() {
            row.offset = row.evaluate(point).0 / row.unit;
        }
        row
    }

    fn is_solvable(&self) -> bool {
        use Shape::*;
        matches!(
            self.shape,
            Linear | Circle | Sine | Product | Kinked | Cancelling(_)
        )
    }

    /// The residual, its gradient and the size of its terms.
    fn evaluate(&self, q: &Vector) -> (f64, Vector, f64) {
        let (a, b) = (self.along.dot(q), self.across.dot(q));
        let size = |direction: &Vector| direction.abs().dot(&q.abs());
        let (sa, sb) = (size(&self.along), size(&self.across));
        let sign = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
        // Value, derivatives by a and b, size of the terms.
        let (value, by_a, by_b, terms) = match self.shape {
            Shape::Linear => (a, 1.0, 0.0, sa),
            Shape::Circle => (
                a * a + b * b,
                2.0 * a,
                2.0 * b,
                2.0 * (a.abs() * sa + b.abs() * sb),
            ),
            Shape::Sine => (
                (3.0 * a).sin() + b,
                3.0 * (3.0 * a).cos(),
                1.0,
                1.0 + 3.0 * sa + sb,
            ),
            Shape::Product => (a * b + a, b + 1.0, a, sa * b.abs() + sb * a.abs() + sa),
            Shape::Kinked => (a + 0.5 * b.abs(), 1.0, 0.5 * sign(b), sa + sb),
            Shape::Cancelling(large) => {
                ((a + large) - (large - b), 1.0, 1.0, 2.0 * large + sa + sb)
            }
            Shape::Jump => (a + sign(a), 1.0, 0.0, 1.0 + sa),
            Shape::TwoJumps(gap) => (a + sign(a) + sign(a - gap) + 0.5, 1.0, 0.0, 2.5 + sa),
            Shape::Minimum(least) => (a * a + least, 2.0 * a, 0.0, least + 2.0 * a.abs() * sa),
            Shape::Kink(least) => (a.abs() + least, sign(a), 0.0, least + sa),
            Shape::Exponential => (a.exp() + 1.0, a.exp(), 0.0, 1.0 + (1.0 + sa) * a.exp()),
            Shape::SineOfTwo => (a.sin() - 2.0, a.cos(), 0.0, 2.0 + sa * a.cos().abs()),
        };
        let gradient = (self.along * by_a + self.across * by_b) * self.unit;
        (
            (value - self.offset) * self.unit,
            gradient,
            (terms + self.offset.abs()) * self.unit,
        )
    }
}

/// The coordinates are `scale` times those of the rows.
fn run<const C: usize>(
    rows: &[Row; C],
    scale: &Vector,
    start: &Vector,
    v: &Vector,
    mass: &Vector,
) -> Result<(Vector, Vector), Error> {
    let inner = |q: &Vector| q.component_div(scale);
    let gradient = |q: &Vector| {
        rows.map(|row| <[f64; N]>::from(row.evaluate(&inner(q)).1.component_div(scale)))
    };
    project(
        &start.component_mul(scale),
        &v.component_mul(scale),
        |_, _| {
            std::array::from_fn(|i| {
                std::array::from_fn(|k| {
                    if i == k {
                        mass[i] / (scale[i] * scale[i])
                    } else {
                        0.0
                    }
                })
            })
        },
        |q| {
            let values = rows.map(|row| row.evaluate(&inner(q)));
            let bounds = values.map(|(_, _, terms)| OPERATIONS * terms);
            (values.map(|(value, _, _)| value), bounds, gradient(q))
        },
        |q, v| {
            let gradient = gradient(q);
            let speed = |row: [f64; N]| OPERATIONS * Vector::from(row).abs().dot(&v.abs());
            let rates = gradient.map(|row| Vector::from(row).dot(v));
            (rates, gradient.map(speed), gradient)
        },
    )
}

/// Returns whether the state meets the rows but for rounding errors of their terms.
#[track_caller]
fn assert_held<const C: usize>(
    rows: &[Row; C],
    scale: &Vector,
    (q, v): &(Vector, Vector),
    start: &Vector,
) {
    for row in rows {
        let (residual, gradient, terms) = row.evaluate(&q.component_div(scale));
        assert!(
            residual.abs() <= 16.0 * f64::EPSILON * terms,
            "{row:?}: {residual:e} of {terms:e}"
        );
        let gradient = gradient.component_div(scale);
        let speeds = gradient
            .abs()
            .dot(&v.abs())
            .max(gradient.abs().dot(&start.component_mul(scale).abs()));
        assert!(
            gradient.dot(v).abs() <= 16.0 * f64::EPSILON * speeds,
            "{row:?}"
        );
    }
}

#[test]
fn what_is_ok_is_met() {
    let mut random = Random(1);
    let (mut solved, mut cases) = (0, 0);
    for (index, &first) in SOLVABLE.iter().enumerate().cycle().take(2000) {
        let second = SOLVABLE[(index + cases / 8) % SOLVABLE.len()];
        let point = random.vector();
        let rows = [first, second].map(|shape| Row::through(&point, shape, &mut random));
        let scale = Vector::from_fn(|_, _| random.unit(5.0));
        let mass = Vector::from_fn(|_, _| random.unit(1.0));
        let start = point + random.vector() * 10.0_f64.powf(-2.0 + 2.0 * random.next());
        let v = random.vector();
        cases += 1;
        match run(&rows, &scale, &start, &v, &mass) {
            Ok(state) => {
                assert_held(&rows, &scale, &state, &v);
                solved += 1;
            }
            Err(Error::NotConverged { residual }) => assert!(residual > 0.0),
            Err(error) => panic!("{rows:?}: {error}"),
        }
    }
    assert_eq!(solved, cases);
}

#[test]
fn what_has_no_solution_is_never_ok() {
    let mut random = Random(2);
    for &shape in UNSOLVABLE.iter().cycle().take(480) {
        let point = random.vector();
        let rows = [Row::through(&point, shape, &mut random)];
        let scale = Vector::from_fn(|_, _| random.unit(5.0));
        let mass = Vector::from_fn(|_, _| random.unit(1.0));
        let near = 10.0_f64.powf(-6.0 + 7.0 * random.next());
        let start = random.vector() * near;
        if let Ok(state) = run(&rows, &scale, &start, &random.vector(), &mass) {
            assert_held(&rows, &scale, &state, &random.vector());
            panic!("{rows:?} from {start}");
        }
    }
}

/// The same beside a row that can be met.
#[test]
fn one_unsolvable_row_of_two() {
    let mut random = Random(3);
    for (index, &shape) in UNSOLVABLE.iter().enumerate().cycle().take(240) {
        let point = random.vector();
        let other = SOLVABLE[index % SOLVABLE.len()];
        let rows = [shape, other].map(|shape| Row::through(&point, shape, &mut random));
        let (scale, mass) = (vector![1.0, 1e-3, 1e3], vector![1.0, 2.0, 3.0]);
        let result = run(
            &rows,
            &scale,
            &(point * random.next()),
            &random.vector(),
            &mass,
        );
        assert!(result.is_err(), "{rows:?}");
    }
}

/// A sine whose step is a whole period: J is the same at both ends.
#[test]
fn a_step_of_a_whole_period() {
    let sine = |q: &SVector<f64, 1>| {
        let bound = 2.0 + (q[0] * q[0].cos()).abs();
        ([q[0].sin() - 0.5], [bound], [[q[0].cos()]])
    };
    for start in [
        1.491_634_620_238_681_7,
        1.491_634_620_238_68,
        1.5,
        1.57,
        -4.6,
        7.8,
    ] {
        let (q, _) = project(
            &vector![start],
            &vector![0.0],
            |_, _| [[1.0]],
            sine,
            |q, v| ([q[0].cos() * v[0]], [v[0].abs()], [[q[0].cos()]]),
        )
        .expect("one of many solutions");
        assert!((q[0].sin() - 0.5).abs() <= 4.0 * f64::EPSILON * (1.0 + q[0].abs()));
    }
}

/// `x + sign(x) = 0` is met at 0 only, where the sign is 0.
#[test]
fn a_sign_that_steps_over_zero() {
    let mut random = Random(4);
    for _ in 0..1000 {
        let start = random.next() * random.unit(20.0);
        let result = project(
            &vector![start],
            &vector![0.0],
            |_, _| [[1.0]],
            |q| {
                let residual = q[0] + if q[0] == 0.0 { 0.0 } else { q[0].signum() };
                ([residual], [q[0].abs() + residual.abs()], [[1.0]])
            },
            |_, v| ([v[0]], [v[0].abs()], [[1.0]]),
        );
        match result {
            Ok((q, _)) => assert!(q[0] == 0.0 || start.abs() > 1e15, "{start:e}: {q}"),
            Err(error) => {
                assert!(matches!(error, Error::NotConverged { residual } if residual >= 1.0))
            }
        }
    }
}
