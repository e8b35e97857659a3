//! Modes and forces of contacts.

use lagrange_runtime::{
    Error, Frictional, Mode, Resolved, contact_step,
    nalgebra::{DMatrix, DVector, SMatrix, SVector, matrix, vector},
};

use super::model::{Model, NoInput, Numbers, Shared, Touch};

const NONE: NoInput = vector![];

/// A block of 2 kg on the floor y = 0 of friction 0.5, pushed by a force.
fn block(force: [f64; 2], velocity: [f64; 2]) -> Resolved<f64, 2, 0, 1, 0> {
    let (force, v) = (SVector::from(force), SVector::from(velocity));
    let model = Model::<2, 0, 1, 0, 1> {
        mass: &|_| SMatrix::identity() * 2.0,
        forcing: &|_, _, _| force,
        touch: &|_, q, v| {
            let touch = Touch {
                gaps: vector![q[1]],
                jacobian: matrix![0.0, 1.0],
                friction: vector![0.5],
                ..Touch::none()
            };
            touch.slides([matrix![1.0, 0.0], SMatrix::zeros()], v)
        },
        rows: SMatrix::zeros(),
        limits: SVector::zeros(),
        bound: 1e-15,
    };
    model
        .resolve(0.0, &vector![0.0, 0.0], &v, &NONE, &[true])
        .expect("one solution")
}

#[test]
fn a_block_sticks_slides_and_opens() {
    let sticks = block([4.0, -10.0], [0.0, 0.0]);
    assert_eq!(sticks.modes, [Mode::Sticks]);
    assert_eq!(sticks.acceleration, vector![0.0, 0.0]);
    assert_eq!(
        (sticks.contact_forces, sticks.friction_forces),
        (vector![10.0], [[-4.0, 0.0]])
    );
    let begins = block([6.0, -10.0], [0.0, 0.0]);
    assert_eq!(
        (begins.modes, begins.friction_forces),
        ([Mode::Slides], [[-5.0, 0.0]])
    );
    assert_eq!(begins.acceleration, vector![0.5, 0.0]);
    let back = block([-6.0, -10.0], [1e-16, 0.0]);
    assert_eq!(
        (back.modes, back.friction_forces),
        ([Mode::Slides], [[5.0, 0.0]])
    );
    let slides = block([4.0, -10.0], [-1.0, 0.0]);
    assert_eq!(
        (slides.modes, slides.friction_forces),
        ([Mode::Slides], [[5.0, 0.0]])
    );
    let opens = block([4.0, 1.0], [0.0, 0.0]);
    assert_eq!(
        (opens.modes, opens.acceleration),
        ([Mode::Open], vector![2.0, 0.5])
    );
    // A gap that opens faster than rounding has no force.
    let leaves = block([4.0, -10.0], [0.0, 1e-9]);
    assert_eq!(
        (leaves.modes, leaves.acceleration),
        ([Mode::Open], vector![2.0, -5.0])
    );
    // Without weight the contact stays closed with a force of 0.
    let light = block([0.0, 0.0], [0.0, 0.0]);
    assert_eq!(
        (light.modes, light.contact_forces),
        ([Mode::Sticks], vector![0.0])
    );
}

/// A random problem with `P` contacts in a plane and 2 dry joints, of which some move.
struct Random<const N: usize, const P: usize> {
    mass: SMatrix<f64, N, N>,
    forcing: SVector<f64, N>,
    touch: Touch<N, P>,
    v: SVector<f64, N>,
    limits: SVector<f64, 2>,
}

impl<const N: usize, const P: usize> Random<N, P> {
    fn new(numbers: &mut Numbers, friction: f64) -> Self {
        let root = SMatrix::<f64, N, N>::from_fn(|_, _| numbers.next());
        let mut slips = SVector::<f64, P>::from_fn(|_, _| numbers.next());
        let mut v = SVector::zeros();
        for k in 0..P {
            if numbers.next() > -0.3 {
                slips[k] = 0.0;
            }
        }
        if numbers.next() > 0.0 {
            v[1] = numbers.next();
        }
        Self {
            mass: root * root.transpose() + SMatrix::identity() * 0.3,
            forcing: SVector::from_fn(|_, _| 3.0 * numbers.next()),
            touch: Touch {
                gaps: SVector::zeros(),
                jacobian: SMatrix::from_fn(|_, _| numbers.next()),
                gamma: SVector::from_fn(|_, _| numbers.next()),
                slips: [slips, SVector::zeros()],
                slip_jacobians: [SMatrix::from_fn(|_, _| numbers.next()), SMatrix::zeros()],
                slip_gammas: [SVector::from_fn(|_, _| numbers.next()), SVector::zeros()],
                friction: SVector::from_fn(|_, _| friction * (1.0 + numbers.next())),
                restitution: SVector::zeros(),
            },
            v,
            limits: SVector::from_fn(|_, _| 1.0 + numbers.next()),
        }
    }

    fn resolve(&self, scale: f64) -> Result<Resolved<f64, N, 0, P, 2>, Error> {
        // Gaps in a unit that is smaller by the scale.
        let mut touch = self.touch;
        touch.jacobian *= scale;
        touch.gamma *= scale;
        touch.friction *= scale;
        let model = Model::<N, 0, P, 2, 1> {
            mass: &|_| self.mass,
            forcing: &|_, _, _| self.forcing,
            // The rate of each gap is 0 in these velocities.
            touch: &|_, _, _| touch,
            rows: SMatrix::zeros(),
            limits: self.limits,
            bound: f64::INFINITY,
        };
        let model = Still(model, self.touch.slips[0]);
        model.0.resolve_with(&self.v, model.1)
    }

    /// The largest part by which a motion misses the laws.
    fn excess(&self, motion: &Resolved<f64, N, 0, P, 2>) -> f64 {
        let mut excess: f64 = 0.0;
        let touch = &self.touch;
        let a = motion.acceleration;
        let rates = touch.jacobian * a - touch.gamma;
        let slips = touch.slip_jacobians[0] * a - touch.slip_gammas[0];
        let mut f = self.forcing;
        for k in 0..P {
            let (force, friction) = (motion.contact_forces[k], motion.friction_forces[k][0]);
            f += touch.jacobian.row(k).transpose() * force;
            f += touch.slip_jacobians[0].row(k).transpose() * friction;
            let most = touch.friction[k] * force;
            excess = excess
                .max(-force)
                .max(-rates[k])
                .max((force * rates[k]).abs());
            excess = excess.max(motion.friction_forces[k][1].abs());
            let slip = if touch.slips[0][k] == 0.0 {
                slips[k]
            } else {
                touch.slips[0][k]
            };
            excess = match motion.modes[k] {
                Mode::Open => excess.max(force.abs()).max(friction.abs()),
                Mode::Sticks => excess
                    .max(slip.abs())
                    .max(friction.abs() - most)
                    .max(rates[k].abs()),
                Mode::Slides => excess
                    .max((friction + most * slip.signum()).abs())
                    .max(rates[k].abs()),
            };
        }
        for j in 0..2 {
            let (force, limit) = (motion.joint_forces[j], self.limits[j]);
            f[j] += force;
            let rate = if self.v[j] == 0.0 { a[j] } else { self.v[j] };
            excess = excess.max(if motion.held[j] {
                rate.abs().max(force.abs() - limit)
            } else {
                (force + limit * rate.signum()).abs()
            });
        }
        excess.max((self.mass * a - f).amax())
    }

    /// The number of combinations of modes in which the laws hold.
    fn solutions(&self) -> usize {
        let touch = &self.touch;
        let inverse = self.mass.try_inverse().expect("regular");
        let rows: Vec<SVector<f64, N>> = (0..P)
            .flat_map(|k| {
                [
                    touch.jacobian.row(k).transpose(),
                    touch.slip_jacobians[0].row(k).transpose(),
                ]
            })
            .chain((0..2).map(|j| SVector::from_fn(|i, _| f64::from(u8::from(i == j)))))
            .collect();
        let mut f = self.forcing;
        for j in 0..2 {
            if self.v[j] != 0.0 {
                f[j] -= self.limits[j] * self.v[j].signum();
            }
        }
        let count = rows.len();
        let w = DMatrix::from_fn(count, count, |i, j| rows[i].dot(&(inverse * rows[j])));
        let b = DVector::from_fn(count, |i, _| {
            let gamma = match i {
                _ if i >= 2 * P => 0.0,
                _ if i % 2 == 0 => touch.gamma[i / 2],
                _ => touch.slip_gammas[0][i / 2],
            };
            rows[i].dot(&(inverse * f)) - gamma
        });
        let mut found = 0;
        let choices = |i: usize| match i {
            _ if i < P && touch.slips[0][i] != 0.0 => 2,
            _ if i < P => 4,
            _ if self.v[i - P] != 0.0 => 1,
            _ => 3,
        };
        let total: usize = (0..P + 2).map(choices).product();
        for number in 0..total {
            let mut rest = number;
            let digits: Vec<usize> = (0..P + 2)
                .map(|i| {
                    let digit = rest % choices(i);
                    rest /= choices(i);
                    digit
                })
                .collect();
            // Each row is an equation for its force.
            let (mut a, mut right) = (DMatrix::identity(count, count), DVector::zeros(count));
            let hold = |a: &mut DMatrix<f64>, right: &mut DVector<f64>, row: usize| {
                a.set_row(row, &w.row(row));
                right[row] = -b[row];
            };
            let signs: Vec<f64> = (0..P)
                .map(|k| match digits[k] {
                    1 if touch.slips[0][k] != 0.0 => touch.slips[0][k].signum(),
                    2 => 1.0,
                    3 => -1.0,
                    _ => 0.0,
                })
                .collect();
            for k in 0..P {
                if digits[k] > 0 {
                    hold(&mut a, &mut right, 2 * k);
                    if signs[k] == 0.0 {
                        hold(&mut a, &mut right, 2 * k + 1);
                    } else {
                        a[(2 * k + 1, 2 * k)] = touch.friction[k] * signs[k];
                    }
                }
            }
            for j in 0..2 {
                let row = 2 * P + j;
                match digits[P + j] {
                    0 if self.v[j] == 0.0 => hold(&mut a, &mut right, row),
                    1 => right[row] = -self.limits[j],
                    2 => right[row] = self.limits[j],
                    _ => {}
                }
            }
            let Some(x) = a.lu().solve(&right) else {
                continue;
            };
            let rates = &w * &x + &b;
            let mut holds = true;
            for k in 0..P {
                let (force, friction, slip) = (x[2 * k], x[2 * k + 1], rates[2 * k + 1]);
                holds &= force >= -1e-12 && rates[2 * k] >= -1e-12;
                if digits[k] > 0 && touch.slips[0][k] == 0.0 {
                    holds &= match signs[k] {
                        0.0 => friction.abs() <= touch.friction[k] * force + 1e-12,
                        sign => sign * slip >= 0.0,
                    };
                }
            }
            for j in 0..2 {
                let (force, rate) = (x[2 * P + j], rates[2 * P + j]);
                holds &= match digits[P + j] {
                    0 => self.v[j] != 0.0 || force.abs() <= self.limits[j],
                    1 => rate >= 0.0,
                    _ => rate <= 0.0,
                };
            }
            found += usize::from(holds);
        }
        found
    }
}

/// A model whose sliding velocities are beyond rounding or 0.
struct Still<'a, const N: usize, const P: usize>(Model<'a, N, 0, P, 2, 1>, SVector<f64, P>);

impl<const N: usize, const P: usize> Model<'_, N, 0, P, 2, 1> {
    fn resolve_with(
        mut self,
        v: &SVector<f64, N>,
        slips: SVector<f64, P>,
    ) -> Result<Resolved<f64, N, 0, P, 2>, Error> {
        self.bound = slips
            .iter()
            .filter(|slip| **slip != 0.0)
            .fold(1e-3, |least: f64, slip| least.min(slip.abs() / 2.0));
        // The rates of the gaps are those of v; they are below the bound of the test.
        self.resolve(0.0, &SVector::zeros(), v, &NONE, &[true; P])
    }
}

#[test]
fn random_problems_have_the_solutions_of_an_enumeration() {
    let mut numbers = Numbers(1);
    let (mut solved, mut refused, mut several) = (0, 0, 0);
    for number in 0..400 {
        let mut random = Random::<5, 3>::new(&mut numbers, if number % 2 == 0 { 0.4 } else { 1.5 });
        // The gaps do not move along v.
        let v = random.v;
        if v.amax() > 0.0 {
            for k in 0..3 {
                let rate = random.touch.jacobian.row(k).transpose().dot(&v);
                random.touch.jacobian[(k, 1)] -= rate / v[1];
            }
        }
        let count = random.solutions();
        match random.resolve(1.0) {
            Ok(motion) => {
                let excess = random.excess(&motion);
                assert!(excess < 1e-10, "{number}: {excess:e} of {count} solutions");
                solved += 1;
                assert!(count > 0, "{number}");
                several += usize::from(count > 1);
                let scaled = random.resolve(1024.0).expect("the same in other units");
                if count == 1 {
                    assert_eq!(scaled.modes, motion.modes, "{number}");
                    assert!((scaled.acceleration - motion.acceleration).amax() < 1e-10);
                }
            }
            Err(error) => {
                assert_eq!((error, count), (Error::NoContactSolution, 0), "{number}");
                refused += 1;
            }
        }
    }
    println!("{solved} solved, {refused} without a solution, {several} with several");
    assert!(solved > 300 && refused > 0 && several > 0);
}

/// A rod of 1 kg and 2 m at an angle above the floor, whose lower end slides on the floor (Painlevé).
fn painleve(friction: f64, angle: f64, omega: f64) -> Result<Resolved<f64, 3, 0, 1, 0>, Error> {
    let (sin, cos) = angle.sin_cos();
    // The lower end is at (x - cos, y - sin).
    let v = vector![-1.0 - sin * omega, cos * omega, omega];
    let touch = Touch {
        gaps: vector![0.0],
        jacobian: matrix![0.0, 1.0, -cos],
        gamma: vector![-sin * omega * omega],
        slip_gammas: [vector![-cos * omega * omega], vector![0.0]],
        friction: vector![friction],
        ..Touch::none()
    };
    let touch = touch.slides([matrix![1.0, 0.0, sin], SMatrix::zeros()], &v);
    let model = Model::<3, 0, 1, 0, 1> {
        mass: &|_| SMatrix::from_diagonal(&vector![1.0, 1.0, 1.0 / 3.0]),
        forcing: &|_, _, _| vector![0.0, -9.81, 0.0],
        touch: &|_, _, _| touch,
        rows: SMatrix::zeros(),
        limits: SVector::zeros(),
        bound: 1e-12,
    };
    model.resolve(0.0, &SVector::zeros(), &v, &NONE, &[true])
}

#[test]
fn painleves_rod_has_no_solution_where_friction_is_large() {
    // F (1 + 3 cos² - 3 μ sin cos) = g - ω² sin.
    let angle: f64 = 1.1;
    let (sin, cos) = angle.sin_cos();
    let push = 1.0 + 3.0 * cos * cos - 3.0 * 0.5 * sin * cos;
    let force = painleve(0.5, angle, 1.0)
        .expect("little friction")
        .contact_forces[0];
    assert!((force - (9.81 - sin) / push).abs() < 1e-13);
    assert!(1.0 + 3.0 * cos * cos - 3.0 * 2.5 * sin * cos < 0.0);
    assert_eq!(painleve(2.5, angle, 1.0), Err(Error::NoContactSolution));
    // With a fast rotation both an open and a closed contact are solutions: it opens.
    let open = painleve(2.5, angle, 4.0).expect("it opens");
    assert_eq!(
        (open.modes, open.contact_forces),
        ([Mode::Open], vector![0.0])
    );
}

/// At the friction where Painlevé's paradox begins, the force grows without bounds. There is no verdict where its rounding
/// errors are larger than the rates without forces.
#[test]
fn no_force_is_so_large_that_rounding_hides_the_rates_without_it() {
    let angle: f64 = 1.1;
    let (sin, cos) = angle.sin_cos();
    let critical = (1.0 + 3.0 * cos * cos) / (3.0 * sin * cos);
    let (mut solved, mut undecided) = (0, 0);
    for power in 0..17 {
        for factor in -20..=20 {
            let change = f64::from(factor) * 10.0_f64.powi(power - 17);
            match painleve(critical * (1.0 + change), angle, 1.0) {
                Ok(motion) => {
                    assert!(
                        change < 0.0 && motion.contact_forces[0] < 1e14,
                        "{change:e}"
                    );
                    solved += 1;
                }
                Err(Error::NoContactSolution) => assert!(change > -1e-15, "{change:e}"),
                Err(error) => {
                    assert!(matches!(error, Error::NotConverged { .. }), "{error:?}");
                    assert!(change.abs() < 1e-12, "{change:e}");
                    undecided += 1;
                }
            }
        }
    }
    assert!(solved > 200 && undecided > 20, "{solved} {undecided}");
}

/// Bodies of 1 kg, r kg and r² kg, one on the other: the rows of the contacts nearly depend on each other in the metric of
/// the masses.
#[test]
fn a_light_body_under_heavy_ones_keeps_all_digits_of_forces() {
    for power in 0..13 {
        let ratio = 10.0_f64.powf(f64::from(power) / 2.0);
        let masses = vector![1.0, ratio, ratio * ratio];
        let touch = Touch::<3, 3> {
            jacobian: matrix![1.0, 0.0, 0.0; -1.0, 1.0, 0.0; 0.0, -1.0, 1.0],
            ..Touch::none()
        };
        let model = Model::<3, 0, 3, 0, 0> {
            mass: &|_| SMatrix::from_diagonal(&masses),
            forcing: &|_, _, _| masses * -9.81,
            touch: &|_, _, _| touch,
            rows: SMatrix::zeros(),
            limits: SVector::zeros(),
            bound: 1e-12,
        };
        let zero = SVector::zeros();
        let motion = model
            .resolve(0.0, &zero, &zero, &NONE, &[true; 3])
            .expect("a stack");
        let step = contact_step(&model, 0.0, &zero, &zero, &NONE, 1e-3).expect("a stack");
        for k in 0..3 {
            let load = 9.81 * masses.rows_range(k..).sum();
            let errors = [
                motion.contact_forces[k] / load - 1.0,
                step.impulses[k] / (load * 1e-3) - 1.0,
            ];
            assert!(
                errors.iter().all(|error| error.abs() < 1e-14),
                "{ratio:e} {errors:?}"
            );
        }
        assert!(
            motion.acceleration.amax() < 1e-14 && step.v.amax() < 1e-17,
            "{motion:?}"
        );
    }
}

/// A plank of 3 kg on three points at -1, 0 and 1 m, with a load at `x`, without friction.
fn plank<const SHARED: bool>(load: f64) -> Result<Resolved<f64, 2, 0, 3, 0>, Error> {
    let model = Model::<2, 0, 3, 0, 0> {
        mass: &|_| SMatrix::from_diagonal(&vector![3.0, 1.0]),
        forcing: &|_, _, _| vector![-30.0, -30.0 * load],
        touch: &|_, q, _| {
            let jacobian = matrix![1.0, -1.0; 1.0, 0.0; 1.0, 1.0];
            Touch {
                gaps: jacobian * q,
                jacobian,
                ..Touch::none()
            }
        },
        rows: SMatrix::zeros(),
        limits: SVector::zeros(),
        bound: 1e-15,
    };
    let zero = SVector::zeros();
    if SHARED {
        Shared(model).resolve(0.0, &zero, &zero, &NONE, &[true; 3])
    } else {
        model.resolve(0.0, &zero, &zero, &NONE, &[true; 3])
    }
}

#[test]
fn dependent_contacts_share_their_force() {
    let middle = plank::<true>(0.0).expect("served");
    assert!((middle.contact_forces - vector![10.0, 10.0, 10.0]).amax() < 1e-13);
    assert!(middle.acceleration.amax() < 1e-14);
    // The least forces of a load at the side: 10 + 15 x (-1, 0, 1).
    let side = plank::<true>(0.5).expect("served");
    assert!((side.contact_forces - vector![2.5, 10.0, 17.5]).amax() < 1e-13);
    // Beyond 2/3 the least ones would pull at the left.
    let right = plank::<true>(0.8).expect("served");
    assert!(
        (right.contact_forces - vector![0.0, 6.0, 24.0]).amax() < 1e-13,
        "{}",
        right.contact_forces
    );
    assert_eq!(right.modes, [Mode::Slides; 3]);
    assert_eq!(
        plank::<false>(0.0),
        Err(Error::DependentConstraints { row: 2 })
    );
}

#[test]
fn contacts_beside_constraints_keep_them() {
    // Masses of 1 and 2 kg whose heights have the sum 0, one of them on the floor.
    let model = Model::<2, 1, 1, 0, 0> {
        mass: &|_| SMatrix::from_diagonal(&vector![1.0, 2.0]),
        forcing: &|_, _, _| vector![-10.0, -4.0],
        touch: &|_, q, _| Touch {
            gaps: vector![q[0]],
            jacobian: matrix![1.0, 0.0],
            ..Touch::none()
        },
        rows: matrix![1.0, 1.0],
        limits: SVector::zeros(),
        bound: 1e-15,
    };
    let zero = SVector::zeros();
    let motion = model
        .resolve(0.0, &zero, &zero, &NONE, &[true])
        .expect("regular");
    assert!(motion.acceleration.amax() < 1e-15);
    assert!((motion.contact_forces[0] - 6.0).abs() < 1e-14);
    assert!((motion.multipliers[0] - 4.0).abs() < 1e-14);
}

#[test]
fn a_dry_joint_holds_up_to_its_limit() {
    let joint = |force: f64, v: f64| {
        let model = Model::<1, 0, 0, 1, 0> {
            mass: &|_| matrix![2.0],
            forcing: &|_, _, _| vector![force],
            touch: &|_, _, _| Touch::none(),
            rows: SMatrix::zeros(),
            limits: vector![0.5],
            bound: 0.0,
        };
        model
            .resolve(0.0, &vector![0.0], &vector![v], &NONE, &[])
            .expect("one solution")
    };
    let still = joint(0.4, 0.0);
    assert_eq!(
        (still.held, still.joint_forces, still.acceleration),
        ([true], [-0.4], vector![0.0])
    );
    let begins = joint(1.5, 0.0);
    assert_eq!(
        (begins.held, begins.joint_forces, begins.acceleration),
        ([false], [-0.5], vector![0.5])
    );
    let moves = joint(0.4, -1.0);
    assert_eq!(
        (moves.held, moves.joint_forces, moves.acceleration),
        ([false], [0.5], vector![0.45])
    );
}

#[test]
fn terms_of_other_contacts_are_not_read() {
    let model = Model::<1, 0, 2, 0, 1> {
        mass: &|_| matrix![1.0],
        forcing: &|_, _, _| vector![-1.0],
        touch: &|_, _, _| {
            let nan = vector![0.0, f64::NAN];
            Touch {
                gaps: nan,
                jacobian: matrix![1.0; f64::NAN],
                gamma: nan,
                slips: [nan; 2],
                slip_jacobians: [matrix![0.0; f64::NAN]; 2],
                slip_gammas: [nan; 2],
                friction: nan,
                restitution: nan,
            }
        },
        rows: SMatrix::zeros(),
        limits: SVector::zeros(),
        bound: 0.0,
    };
    let zero = vector![0.0];
    let motion = model
        .resolve(0.0, &zero, &zero, &NONE, &[true, false])
        .expect("finite");
    assert_eq!(motion.contact_forces, vector![1.0, 0.0]);
    let failed = model.resolve(0.0, &zero, &zero, &NONE, &[true, true]);
    assert_eq!(failed, Err(Error::NotFinite { argument: "result" }));
    let failed = model.resolve(0.0, &zero, &vector![f64::NAN], &NONE, &[true, false]);
    assert_eq!(failed, Err(Error::NotFinite { argument: "v" }));
}
