//! Constrained systems with numbers from all of their range: a result meets its equations; otherwise there is an error.
//!
//! `EXTREMES=170000 cargo test --release -p lagrangian-tests --test runtime_errors constrained_extremes -- --nocapture`
//! draws so many states of each system and prints the outcomes.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Error, Motion};

use super::mechanisms::{
    Attitudes, Equations, FourBar, Gear, ManyRods, Massless, Planes, Quaternion, Rods, RollingBody,
    RollingSphere, Scissor, SliderCrank, Spheres,
};

/// Uniform numbers by the splitmix64 generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// In [-1, 1).
    pub(crate) fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// An ordinary number, or one of any size, or one at an edge.
    fn any(&mut self) -> f64 {
        let kind = self.number();
        if kind < 0.2 {
            return self.number();
        }
        if kind < 0.8 {
            let decades = [20.0, 100.0, 140.0, 200.0][((kind - 0.2) / 0.15) as usize % 4];
            return self.number() * 10f64.powf(decades * self.number());
        }
        let edges = [
            0.0, 1e-100, -1e-100, 1e-50, 1e100, -1e100, 1e50, 1e16, 1e-16, 1.0,
        ];
        edges[((self.number() + 1.0) * 5.0) as usize]
    }

    pub(crate) fn vector<const N: usize>(&mut self) -> SVector<f64, N> {
        SVector::from_fn(|_, _| self.any())
    }
}

/// The residual of an equation, in eps of the sum of its terms, beyond rounding to a subnormal number. Nothing is known
/// where terms underflow or overflow.
fn missed(right: f64, products: impl Iterator<Item = (f64, f64)>) -> f64 {
    let start = (right, right.abs(), 0.0);
    let (left, size, unavoidable) = products.fold(start, |(left, size, rounding), (entry, x)| {
        let product = entry * x;
        (
            left - product,
            size + product.abs(),
            rounding + (1.0 + entry.abs()) * f64::from_bits(1),
        )
    });
    if (1e-250..1e300).contains(&size) {
        (left.abs() - unavoidable) / (f64::EPSILON * size)
    } else {
        0.0
    }
}

impl<const N: usize, const C: usize> Equations<N, C> {
    /// The most that one of `J a = γ` misses, and one of `M a = f + Jᵀ λ`.
    fn missed(&self, motion: &Motion<f64, N, C>) -> [f64; 2] {
        let (a, lambda) = (&motion.acceleration, &motion.multipliers);
        let rows = (0..C).map(|k| {
            let products = (0..N).map(|i| (self.j[k][i], a[i]));
            missed(self.gamma[k], products)
        });
        let forces = (0..N).map(|i| {
            let inertial = (0..N).map(|k| (self.m[i][k], a[k]));
            let reactions = (0..C).map(|k| (-self.j[k][i], lambda[k]));
            missed(self.f[i], inertial.chain(reactions))
        });
        [rows.fold(0.0, f64::max), forces.fold(0.0, f64::max)]
    }
}

/// The outcomes of all calls of a system.
#[derive(Default)]
struct Tally {
    solved: usize,
    singular: usize,
    dependent: usize,
    not_finite: usize,
    worst: [f64; 2],
}

impl Tally {
    fn add<const N: usize, const C: usize>(
        &mut self,
        name: &str,
        equations: &Equations<N, C>,
        outcome: Result<Motion<f64, N, C>, Error>,
    ) {
        match outcome {
            Ok(motion) => {
                self.solved += 1;
                let mut numbers = motion.acceleration.iter().chain(&motion.multipliers);
                assert!(numbers.all(|x| x.is_finite()), "{name} {equations:?}");
                let missed = equations.missed(&motion);
                // The accepted residual, and the rounding errors of computing it once more.
                let are_met = missed.iter().all(|missed| *missed <= 40.0);
                assert!(are_met, "{name} {missed:?} {motion:?} {equations:?}");
                self.worst = std::array::from_fn(|block| self.worst[block].max(missed[block]));
            }
            Err(Error::SingularMassMatrix) => self.singular += 1,
            Err(Error::DependentConstraints { .. }) => self.dependent += 1,
            Err(Error::NotFinite { .. }) => self.not_finite += 1,
            Err(error) => panic!("{name}: {error}"),
        }
    }

    fn check(&self, name: &str, calls: usize) {
        let Tally {
            solved,
            singular,
            dependent,
            not_finite,
            worst,
        } = self;
        println!(
            "{name:>14}: {solved} solved to {:.0} and {:.0} eps, {singular} singular, {dependent} dependent, \
             {not_finite} not finite",
            worst[0], worst[1]
        );
        assert!(*solved > calls / 10, "{name}: {solved} are too few to tell");
    }
}

/// Draws states and parameters of any size, or where a bound is given states below that.
macro_rules! draws {
    ($name:literal, $q:literal $n:literal, $bound:expr, $random:ident => $system:expr $(, $u:expr)?) => {
        let calls = std::env::var("EXTREMES").map_or(1_000, |calls| calls.parse().expect("a number"));
        let mut tally = Tally::default();
        let $random = &mut Random($n);
        for _ in 0..calls {
            let system = $system;
            let (mut q, mut v) = ($random.vector::<$q>(), $random.vector::<$n>());
            let bound: Option<f64> = $bound;
            if let Some(bound) = bound {
                let state = q.iter_mut().chain(v.iter_mut());
                state.for_each(|entry| *entry = bound * $random.number());
            }
            $(let u = $u;)?
            let equations = system.equations(&q, &v $(, draws!(@by $u, u))?);
            let outcome = system.solve(&q, &v $(, draws!(@by $u, u))?);
            tally.add($name, &equations, outcome);
        }
        tally.check($name, calls);
    };
    (@by $input:expr, $name:ident) => { &$name };
}

#[test]
fn mechanisms() {
    draws!("gear", 2 2, None, random => Gear { m1: random.any(), m2: random.any() }, vector![random.any()]);
    draws!("slider-crank", 3 3, None, random => SliderCrank {
        m1: random.any(), m2: random.any(), m3: random.any(), r: random.any(), l: random.any(),
    }, vector![random.any()]);
    draws!("four-bar", 3 3, None, random => FourBar {
        m: random.vector::<3>().into(), l: random.vector::<3>().into(), base: random.any(), g: random.any(),
    });
    draws!("planes", 3 3, None, random => Planes {
        m: random.vector::<3>().into(), a: random.vector::<3>().into(), b: random.vector::<3>().into(),
    }, random.vector::<3>());
    draws!("rods", 10 10, None, random => Rods {
        m: random.vector::<5>().into(), l: random.any(), g: random.any(),
    });
    draws!("rods near", 10 10, Some(3.0), random => Rods {
        m: random.vector::<5>().into(), l: random.any(), g: random.any(),
    });
}

/// Systems with an unrolled step of refinement.
#[test]
fn many_constraints() {
    draws!("9 rods near", 18 18, Some(3.0), random => ManyRods {
        m: random.vector::<9>().into(), l: random.any(), g: random.any(),
    });
    draws!("scissor near", 12 12, Some(3.0), random => Scissor {
        m: random.any(), j: random.any(), l: random.number(), g: random.any(),
    });
    draws!("attitudes near", 18 18, Some(1.0), random => Attitudes {
        i: random.vector::<3>().into(), k: random.any(),
    });
}

#[test]
fn singular_mass_matrices() {
    draws!("quaternion", 4 4, None, random => Quaternion { i: random.vector::<3>().into() });
    draws!("massless", 3 3, None, random => Massless { m: random.any(), a: random.any(), b: random.any() });
}

#[test]
fn what_is_not_unrolled() {
    draws!("spheres", 16 16, Some(2.0), random => Spheres {
        all: random.any(), k: random.any(), m: random.vector::<16>().into(), c: [0.1; 16],
    });
    draws!("spheres alike", 16 16, Some(2.0), random => Spheres {
        all: 1.0, k: random.any(), m: std::array::from_fn(|_| random.number()), c: [0.1; 16],
    });
}

#[test]
fn rolling() {
    draws!("sphere", 6 6, None, random => RollingSphere {
        m: random.any(), i: random.any(), r: random.any(), g: random.any(),
    });
    draws!("sphere near", 6 6, Some(7.0), random => RollingSphere {
        m: random.any(), i: random.any(), r: random.any(), g: random.any(),
    });
    draws!("body", 7 6, None, random => RollingBody {
        m: random.any(), r: random.any(), g: random.any(), i: random.vector::<3>().into(),
    }, random.vector::<3>());
    draws!("body near", 7 6, Some(1.0), random => RollingBody {
        m: random.any(), r: random.any(), g: random.any(), i: random.vector::<3>().into(),
    }, random.vector::<3>());
}

lagrangian! {
    struct Swapped {
        x, y: coordinate,
        f: input,
    }

    T = der(x) * der(y);
    Q.x = f;
    V = x^2 / 2;
}

lagrangian! {
    /// M has a pivot that is zero at some states only, and as a bound system by structure.
    struct Indefinite {
        x, y, z: coordinate,
        f: input,
    }

    T = x * der(x)^2 / 2 + der(x) * der(y) + der(z)^2 / 2;
    Q.x = f;
    holonomic bound: z = x + 2 * y;
}

/// M = [0 1; 1 0] is regular: x'' = 0, y'' = f - x.
#[test]
fn pivots_that_are_zero_do_not_matter() {
    let (q, v) = (vector![0.5, 0.1], vector![0.2, 0.3]);
    let a = Swapped::default().acceleration_unchecked(&q, &v, &vector![2.0]);
    assert_eq!(a, vector![0.0, 1.5]);
    assert_eq!(
        Swapped::default().acceleration(&q, &v, &vector![2.0]),
        Ok(a)
    );
    for x in [0.0, 1.0, -2.0] {
        let (q, v) = (vector![x, 0.1, x + 0.2], vector![0.2, 0.3, 0.8]);
        let system = Indefinite::default();
        let a = system.acceleration(&q, &v, &vector![2.0]).unwrap();
        let unchecked = system.acceleration_unchecked(&q, &v, &vector![2.0]);
        assert!((a - unchecked).amax() < 1e-13, "{x}: {a}{unchecked}");
    }
}
