//! Constrained systems with numbers from all of their range: what is solved meets its constraints, and what
//! is not is an error.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SMatrix, SVector, vector};
use lagrangian::{Error, Motion};

/// Uniform numbers by the splitmix64 generator.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
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
            let decades = if kind < 0.5 { 20.0 } else { 100.0 };
            return self.number() * 10f64.powf(decades * self.number());
        }
        // Products of three of them neither underflow nor overflow, so that J and gamma are what they say.
        let edges = [
            0.0, 1e-100, -1e-100, 1e-50, 1e100, -1e100, 1e50, 1e16, 1e-16, 1.0,
        ];
        edges[((self.number() + 1.0) * 5.0) as usize]
    }

    fn vector<const N: usize>(&mut self) -> SVector<f64, N> {
        SVector::from_fn(|_, _| self.any())
    }
}

/// The largest share of its terms, and of the squares of the rates that gamma is made of, that a constraint misses, where they neither overflow nor underflow,
/// beyond what rounding an acceleration to a subnormal number does.
fn missed<const N: usize, const C: usize>(
    jacobian: &SMatrix<f64, C, N>,
    gamma: &SVector<f64, C>,
    motion: &Motion<f64, N, C>,
    rates: f64,
) -> f64 {
    let mut worst: f64 = 0.0;
    for k in 0..C {
        let terms: [f64; N] = std::array::from_fn(|i| jacobian[(k, i)] * motion.acceleration[i]);
        let size = terms
            .iter()
            .fold(gamma[k].abs() + rates, |sum, term| sum + term.abs());
        let left = terms.iter().fold(gamma[k], |left, term| left - term);
        let row: f64 = jacobian.row(k).iter().map(|entry| entry.abs()).sum();
        let unavoidable = row * f64::from_bits(1);
        if (1e-250..1e300).contains(&size) {
            worst = worst.max((left.abs() - unavoidable) / size);
        }
    }
    worst
}

/// Draws states and parameters; `$solve` gives J, gamma and the outcome of `solve`.
fn draw<const N: usize, const C: usize>(
    name: &str,
    (least, state): (usize, f64),
    mut solve: impl FnMut(
        &mut Random,
    ) -> (
        SMatrix<f64, C, N>,
        SVector<f64, C>,
        Result<Motion<f64, N, C>, Error>,
    ),
) {
    let random = &mut Random(N as u64);
    let mut solved = 0;
    for index in 0..20_000 {
        let (jacobian, gamma, outcome) = solve(random);
        let Ok(motion) = outcome else { continue };
        solved += 1;
        let numbers = motion.acceleration.iter().chain(&motion.multipliers);
        assert!(numbers.clone().all(|x| x.is_finite()), "{name} {index}");
        let missed = missed(&jacobian, &gamma, &motion, state * state);
        assert!(
            missed <= 1e-13,
            "{name} {index}: {missed:e} {motion:?} {jacobian:?} {gamma:?}"
        );
    }
    assert!(solved >= least, "{name}: {solved} are too few to tell");
}

/// The state is of any size, or below the one that is given: where angles turn, the sine of a sum of large
/// ones is not what the formula makes of their sines, and squares of different rates cancel in gamma, so that two
/// methods do not agree in it. Parameters and forces are of any size.
macro_rules! draws {
    ($name:literal, $least:literal, $n:literal of $size:literal, $random:ident => $system:expr $(, [$u:expr])?) => {
        draw::<$n, _>($name, ($least, $size), |$random| {
            let system = $system;
            let (mut q, mut v) = ($random.vector::<$n>(), $random.vector::<$n>());
            if $size > 0.0 {
                let state = q.iter_mut().chain(v.iter_mut());
                state.for_each(|entry| *entry = $size * $random.number());
            }
            (
                system.constraint_jacobian(&q),
                system.constraint_gamma(&q, &v),
                system.solve(&q, &v $(, &$u)?),
            )
        })
    };
}

lagrangian! {
    struct Gear {
        x, y: coordinate,
        m1, m2: parameter,
        f: input,
    }

    T = m1 * der(x)^2 / 2 + m2 * der(y)^2 / 2;
    Q.y = f;
    holonomic gear: y = x;
}

lagrangian! {
    struct SliderCrank {
        alpha, beta, x: coordinate,
        m1, m2, m3, r, l: parameter,
        f: input,
    }

    let p = [r * cos(alpha) + l / 2 * cos(beta), r * sin(alpha) + l / 2 * sin(beta)];
    T = m1 * r^2 * der(alpha)^2 / 6 + m2 * der(p)^2 / 2 + m2 * l^2 * der(beta)^2 / 24
        + m3 * der(x)^2 / 2;
    Q.x = f;
    holonomic pin: [r * cos(alpha) + l * cos(beta), r * sin(alpha) + l * sin(beta)] = [x, 0];
}

lagrangian! {
    struct Planes {
        p: coordinate[3],
        m: parameter[3],
        a, b: parameter[3],
        f: input[3],
    }

    T = sum(i in 0..3, m[i] * der(p[i])^2 / 2);
    Q.p = f;
    holonomic first: dot(a, p) = 0;
    holonomic second: dot(b, p) = 1;
}

lagrangian! {
    struct RollingSphere {
        p: coordinate[3],
        psi, theta, phi: coordinate,
        m, i, r, g: parameter,
    }

    frame Ball = world.translate(p).rotate(z, psi).rotate(x, theta).rotate(y, phi);
    body ball { frame: Ball, mass: m, inertia: diag(i, i, i) }
    gravity [g, 0, -g];
    holonomic floor: p.z = r;
    let contact = velocity(Ball) + cross(angular_velocity(Ball), [0, 0, -r]);
    nonholonomic rolling: [contact.x, contact.y] = [0, 0];
}

lagrangian! {
    struct Quaternion {
        w, x, y, z: coordinate,
        i: parameter[3],
    }

    let a = 2 * (w * der(x) - x * der(w) + z * der(y) - y * der(z));
    let b = 2 * (w * der(y) - y * der(w) + x * der(z) - z * der(x));
    let c = 2 * (w * der(z) - z * der(w) + y * der(x) - x * der(y));
    T = (i[0] * a^2 + i[1] * b^2 + i[2] * c^2) / 2;
    holonomic unit: w^2 + x^2 + y^2 + z^2 = 1;
}

lagrangian! {
    struct Massless {
        x, y, z: coordinate,
        m: parameter,
        a, b: parameter,
    }

    T = m * der(x)^2 / 2;
    V = b * y + z^2;
    holonomic lever: y = a * x;
    nonholonomic skate: der(z) = y * der(x) * sin(b);
}

#[test]
fn constraints_are_met_or_it_is_an_error() {
    draws!("gear", 9_000, 2 of 0.0, random => Gear { m1: random.any(), m2: random.any() }, [vector![random.any()]]);
    draws!("slider-crank", 3_000, 3 of 7.0, random => SliderCrank {
        m1: random.any(), m2: random.any(), m3: random.any(), r: random.any(), l: random.any(),
    }, [vector![random.any()]]);
    draws!("planes", 2_000, 3 of 0.0, random => Planes {
        m: random.vector::<3>().into(), a: random.vector::<3>().into(), b: random.vector::<3>().into(),
    }, [random.vector::<3>()]);
    draws!("rolling sphere", 500, 6 of 7.0, random => RollingSphere {
        m: random.any(), i: random.any(), r: random.any(), g: random.any(),
    });
    draws!("quaternion", 1_000, 4 of 0.0, random => Quaternion { i: random.vector::<3>().into() });
    draws!("massless", 3_000, 3 of 0.0, random => Massless { m: random.any(), a: random.any(), b: random.any() });
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
