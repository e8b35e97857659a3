//! The acceptance test of unrolled solutions: the runtime, the interpreter and text in C come to the same verdict beside
//! each of its limits.

use std::fmt::Write;

use lagrange_engine::{
    Argument, Array, Condition, Dynamics, Routine, RoutineResult, Routines, Shape, Step, System,
    Tape, View, c99,
};
use lagrange_runtime::linalg::{AcceptanceTest, Pivots, all_met};
use lagrangian::nalgebra::RealField;

use crate::compiled::{compilers, optimisation, run};

/// Four coordinates of which two have a product of their velocities in the kinetic energy. The last one is in no constraint.
const FREE: &str = "coordinates x y z w\n\
    node %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = velocity 2\nnode %3 = velocity 3\n\
    node %4 = product %0^2\nnode %5 = product %1^2\nnode %6 = product %2^2\nnode %7 = product %3^2\n\
    node %8 = product %0^1 %1^1\nnode %9 = sum 0 0.5*%4 0.5*%5 0.5*%6 0.5*%7 0.25*%8\nkinetic %9\n";

/// x^2 + y^2 + z^2 = 1 and x z = 0.2
const CONSTRAINTS: &str = "node %10 = coordinate 0\nnode %11 = coordinate 1\nnode %12 = coordinate 2\n\
    node %13 = product %10^2\nnode %14 = product %11^2\nnode %15 = product %12^2\n\
    node %16 = sum -1 1*%13 1*%14 1*%15\nnode %17 = product %10^1 %12^1\nnode %18 = sum -0.2 1*%17\n\
    holonomic sphere %16\nholonomic saddle %18\n";

const CASES: usize = 8_000;

/// What a test reads: the numbers of entries of the arrays.
const OF_MASS: [usize; 4] = [1, 1, 1, 4];
const OF_MOTION: [usize; 9] = [1, 1, 1, 1, 1, 1, 2, 2, 1];
const OF_EQUATIONS: [usize; 2] = [12, 12];

/// The numbers of a precision.
#[derive(Clone, Copy)]
struct Precision {
    epsilon: f64,
    /// The smallest and the largest ordinary size.
    least: f64,
    most: f64,
    is_single: bool,
}

const DOUBLE: Precision = Precision {
    epsilon: f64::EPSILON,
    least: 1e-100,
    most: 1e100,
    is_single: false,
};

const SINGLE: Precision = Precision {
    epsilon: f32::EPSILON as f64,
    least: 1e-12,
    most: 1e12,
    is_single: true,
};

/// Random numbers by the splitmix64 generator.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// From 0.5 to 1.5.
    fn near_one(&mut self) -> f64 {
        0.5 + (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn sign(&mut self) -> f64 {
        if self.bits().is_multiple_of(2) {
            1.0
        } else {
            -1.0
        }
    }

    /// A value beside a limit, and not as close as rounding errors of a sum.
    fn beside(&mut self, limit: f64) -> f64 {
        let factors = [0.9, 31.9 / 32.0, 32.1 / 32.0, 1.1];
        limit * factors[self.below(factors.len())]
    }

    /// The limit itself, or a value beside it.
    fn at(&mut self, limit: f64, precision: Precision) -> f64 {
        let factors = [1.0 - precision.epsilon, 1.0, 1.0 + precision.epsilon];
        match self.below(2) {
            0 => self.beside(limit),
            _ => limit * factors[self.below(factors.len())],
        }
    }

    /// A unit of measurement.
    fn unit(&mut self, precision: Precision) -> f64 {
        let largest = precision.most.log10() / 3.0;
        match self.below(3) {
            0 => 1.0,
            _ => 10_f64.powf(largest * 2.0 * (self.near_one() - 1.0)),
        }
    }

    fn odd(&mut self, precision: Precision) -> f64 {
        let (tiny, huge) = match precision.is_single {
            true => (f64::from(f32::from_bits(1)), f64::from(f32::MAX)),
            false => (f64::from_bits(1), f64::MAX),
        };
        let numbers = [
            0.0,
            -0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -1.0,
            tiny,
            -tiny,
            huge,
            -huge,
        ];
        numbers[self.below(numbers.len())]
    }
}

/// The share of its diagonal entry that a pivot of a system of this size exceeds: the root of n eps as a power of two.
fn share(size: usize, precision: Precision) -> f64 {
    (0.5 * (size as f64 * precision.epsilon).log2())
        .round()
        .exp2()
}

/// A solution that is accepted.
fn accepted_motion(random: &mut Random, precision: Precision) -> Vec<f64> {
    let mut values = Vec::new();
    for _ in ["M", "J M^-1 J^T"] {
        let unit = random.unit(precision);
        let [entry, reduced, diagonal] = [1.0, 0.5, 1.5].map(|size| size * random.near_one());
        values.extend([entry, reduced.min(diagonal), diagonal].map(|value| value * unit));
    }
    let unit = random.unit(precision);
    let terms = [random.near_one(), random.near_one()].map(|size| size * unit);
    let residual = terms.map(|size| size * precision.epsilon * 20.0 * random.near_one());
    values.extend(residual.map(|left| left * random.sign()));
    values.extend(terms);
    values.push(random.near_one() * unit * random.sign());
    values
}

/// A solution with a value at one of the limits of the test.
fn motion(random: &mut Random, precision: Precision) -> Vec<f64> {
    let mut values = accepted_motion(random, precision);
    let floor = |values: &[f64]| (values[3] + values[5]) * precision.epsilon + precision.least;
    match random.below(10) {
        0 => {}
        1 => values[1] = random.at(values[2] * share(2, precision), precision),
        2 => values[4] = random.beside(values[5] * share(2, precision) + floor(&values)),
        3 => values[3] = random.beside(floor(&values)),
        4 => {
            let row = random.below(2);
            let limit = 32.0 * precision.epsilon * values[8 + row];
            values[6 + row] = random.at(limit, precision) * random.sign();
        }
        5 => {
            let limit = [precision.least, precision.most, 0.0][random.below(3)];
            let limit = random.beside(limit);
            for (at, share) in [(6, 0.0), (7, 0.0), (8, 0.25), (9, 0.75), (10, 0.0)] {
                values[at] = share * limit;
            }
        }
        6 => values[10] = random.beside(precision.most) * random.sign(),
        7 => values[0] = random.beside(precision.most),
        8 => values[5] = random.beside(precision.most),
        _ => {
            let at = random.below(values.len());
            values[at] = random.odd(precision);
        }
    }
    values
}

fn mass(random: &mut Random, precision: Precision) -> Vec<f64> {
    let mut values = accepted_motion(random, precision)[..3].to_vec();
    let unit = random.unit(precision);
    values.extend([(); 4].map(|()| random.near_one() * unit * random.sign()));
    match random.below(3) {
        0 => {}
        1 => values[1] = random.at(values[2] * share(2, precision), precision),
        _ => {
            let at = random.below(values.len());
            values[at] = random.odd(precision);
        }
    }
    values
}

fn equations(random: &mut Random, precision: Precision) -> Vec<f64> {
    let unit = random.unit(precision);
    let terms = [(); 12].map(|()| random.near_one() * unit);
    let residual = terms.map(|size| 31.0 * precision.epsilon * size * random.sign());
    let mut values = [residual, terms].concat();
    let row = random.below(12);
    match random.below(3) {
        0 => {}
        1 => {
            let limit = 32.0 * precision.epsilon * values[12 + row];
            values[row] = random.at(limit, precision) * random.sign();
        }
        _ => values[row] = random.odd(precision),
    }
    values
}

fn accepts_motion<S: RealField + Copy>(values: &[S]) -> bool {
    let test = AcceptanceTest {
        mass: Pivots {
            entries: [values[0]],
            reduced: [values[1]],
            diagonal: [values[2]],
        },
        complement: Pivots {
            entries: [values[3]],
            reduced: [values[4]],
            diagonal: [values[5]],
        },
        residual: &[values[6], values[7]],
        terms: &[values[8], values[9]],
        free: [values[10]],
        hidden: [],
    };
    test.accepts()
}

fn accepts_mass<S: RealField + Copy>(values: &[S]) -> bool {
    let mass = Pivots {
        entries: [values[0]],
        reduced: [values[1]],
        diagonal: [values[2]],
    };
    AcceptanceTest::of_mass(mass, [values[3], values[4], values[5], values[6]]).accepts()
}

fn accepts_equations<S: RealField + Copy>(values: &[S]) -> bool {
    all_met(&values[..12], &values[12..])
}

/// The test of a routine for which Rust calls this function of the runtime, without that of the routine's arguments.
fn test_of(routines: &Routines, method: &str, name: &str) -> (Vec<usize>, Vec<View>, Condition) {
    let routine = routines.method(method).expect("a method");
    let mut tests = Vec::new();
    for routine in routines.with_called(vec![routine]) {
        routine.for_each_step(&mut |step| {
            let conditions = match step {
                Step::If {
                    condition: Condition::All(conditions),
                    ..
                } => &conditions[..],
                Step::If { condition, .. } => std::slice::from_ref(condition),
                _ => &[],
            };
            for condition in conditions {
                if let Condition::Library {
                    function,
                    arguments,
                    parts,
                } = condition
                    && *function == name
                {
                    let mut views = arguments.clone();
                    views.retain(|view| matches!(view.array, Array::Local(_)));
                    let mut parts = parts.clone();
                    parts.retain(|part| !matches!(part, Condition::Finite(_)));
                    tests.push((routine.locals.clone(), views, Condition::All(parts)));
                }
            }
        });
    }
    tests.pop().expect("a test of this name")
}

/// A routine that makes a test: its argument has the entries of all arrays, and its result is 1 or 0.
fn routine_of((locals, views, condition): (Vec<usize>, Vec<View>, Condition)) -> Routine {
    let length = views.iter().map(|view| view.len()).sum();
    let values = View::whole(Array::Argument(0), length);
    let verdict = View::whole(Array::Result(0), 1);
    let mut steps = Vec::new();
    let mut first = 0;
    for view in views {
        steps.push(Step::Copy {
            from: values.part(first, view.len()),
            to: view,
            is_transposed: false,
            is_negated: false,
        });
        first += view.len();
    }
    let fill = |value| Step::Fill { to: verdict, value };
    steps.extend([
        fill(0.0),
        Step::If {
            condition,
            then: vec![fill(1.0)],
        },
    ]);
    Routine {
        name: "test".to_owned(),
        arguments: vec![Argument {
            name: "values".to_owned(),
            length,
            is_scalar: false,
            is_flags: false,
        }],
        results: vec![RoutineResult {
            name: "verdict".to_owned(),
            shape: Shape::Scalar,
            is_count: false,
        }],
        is_fallible: false,
        is_derivative: false,
        locals,
        steps,
    }
}

/// The verdicts of a text in C.
fn verdicts_in_c(text: &str, cases: &[Vec<f64>], precision: Precision, name: &str) -> Vec<String> {
    let mut program = format!("{text}\n#include <stdio.h>\n");
    let length = cases[0].len();
    let _ = writeln!(program, "static const MACHINE_REAL cases[][{length}] = {{");
    for case in cases {
        let numbers: Vec<String> = case
            .iter()
            .map(|number| match precision.is_single {
                true => format!("{:?}f", *number as f32),
                false => format!("{number:?}"),
            })
            .map(|number| {
                number
                    .replace("NaNf", "NAN")
                    .replace("NaN", "NAN")
                    .replace("inff", "INFINITY")
                    .replace("inf", "INFINITY")
            })
            .collect();
        let _ = writeln!(program, "    {{{}}},", numbers.join(", "));
    }
    let count = cases.len();
    let _ = writeln!(
        program,
        "}};\nint main(void)\n{{\n    machine self = {{0}};\n    int i;\n    for (i = 0; i < {count}; i++) {{\n        \
         MACHINE_REAL verdict = 2;\n        machine_test(&self, cases[i], &verdict);\n        \
         printf(\"%d\\n\", (int)verdict);\n    }}\n    return 0;\n}}"
    );
    let real = match precision.is_single {
        true => "-DMACHINE_REAL=float",
        false => "-DMACHINE_REAL=double",
    };
    let outputs = compilers().into_iter().map(|compiler| {
        let flags = ["-std=c99", &optimisation(), real];
        run(compiler, &flags, &program, name)
    });
    outputs.collect()
}

fn check(
    (system, method, function): (&str, &str, &str),
    sizes: &[usize],
    name: &str,
    case: impl Fn(&mut Random, Precision) -> Vec<f64>,
    accepts: (impl Fn(&[f64]) -> bool, impl Fn(&[f32]) -> bool),
) {
    let dynamics = Dynamics::new(system.parse::<System>().expect("a system"));
    let routines = Routines::new(&dynamics);
    let test = test_of(&routines, method, function);
    let lengths: Vec<usize> = test.1.iter().map(|view| view.len()).collect();
    assert_eq!(lengths, sizes, "{function}");
    let routine = routine_of(test);
    let declaration = c99::Declaration {
        name: "Machine".to_owned(),
        parameters: Vec::new(),
    };
    let text = c99::text(&declaration, &routines, vec![routine.clone()]);
    let tape = Tape::new(&routines, routine);
    for precision in [DOUBLE, SINGLE] {
        let mut random = Random(1);
        let mut cases = Vec::new();
        let mut expected = Vec::new();
        for _ in 0..CASES {
            let mut values = case(&mut random, precision);
            let single: Vec<f32> = values.iter().map(|value| *value as f32).collect();
            expected.push(if precision.is_single {
                values = single.iter().map(|value| f64::from(*value)).collect();
                accepts.1(&single)
            } else {
                accepts.0(&values)
            });
            cases.push(values);
        }
        let accepted = expected.iter().filter(|verdict| **verdict).count();
        assert!(
            (CASES / 10..CASES * 9 / 10).contains(&accepted),
            "{accepted}"
        );
        if !precision.is_single {
            let mut verdicts = vec![2.0; CASES];
            let done = tape.evaluate(CASES, &[], &[&cases.concat()], &mut [&mut verdicts]);
            assert!(done.is_ok(), "{done:?}");
            for ((case, verdict), expected) in cases.iter().zip(&verdicts).zip(&expected) {
                assert_eq!(*verdict == 1.0, *expected, "{function} of {case:?}");
            }
        }
        let name = format!("{name}_{}", u8::from(precision.is_single));
        for output in verdicts_in_c(&text, &cases, precision, &name) {
            assert_eq!(output.lines().count(), CASES);
            for ((case, verdict), expected) in cases.iter().zip(output.lines()).zip(&expected) {
                assert_eq!(verdict == "1", *expected, "{function} of {case:?} in C");
            }
        }
    }
}

#[test]
fn solutions_with_constraints_have_the_same_verdict() {
    let system = format!("{FREE}{CONSTRAINTS}");
    check(
        (&system, "solve", "AcceptanceTest"),
        &OF_MOTION,
        "accepted_motion",
        motion,
        (accepts_motion::<f64>, accepts_motion::<f32>),
    );
}

#[test]
fn solutions_without_constraints_have_the_same_verdict() {
    check(
        (FREE, "acceleration", "AcceptanceTest::of_mass"),
        &OF_MASS,
        "accepted_mass",
        mass,
        (accepts_mass::<f64>, accepts_mass::<f32>),
    );
}

#[test]
fn equations_have_the_same_verdict() {
    let system = format!("{FREE}{CONSTRAINTS}");
    check(
        (&system, "linearize", "all_met"),
        &OF_EQUATIONS,
        "accepted_equations",
        equations,
        (accepts_equations::<f64>, accepts_equations::<f32>),
    );
}
