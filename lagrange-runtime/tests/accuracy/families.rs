//! Families of constrained systems, at random.

use super::judge::Equations;

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

    pub(crate) fn vector<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    /// Between 10^-decades and 10^decades, evenly by the logarithm.
    pub(crate) fn size(&mut self, decades: f64) -> f64 {
        10f64.powf(self.number() * decades)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (((self.number() + 1.0) / 2.0 * n as f64) as usize).min(n - 1)
    }
}

/// `M a = f + Jᵀ λ`, `J a = γ`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem<const N: usize, const C: usize> {
    pub(crate) m: [[f64; N]; N],
    pub(crate) j: [[f64; N]; C],
    pub(crate) f: [f64; N],
    pub(crate) gamma: [f64; C],
}

impl<const N: usize, const C: usize> Problem<N, C> {
    pub(crate) fn new(random: &mut Random, m: [[f64; N]; N], j: [[f64; N]; C]) -> Self {
        Problem {
            m,
            j,
            f: random.vector(),
            gamma: random.vector(),
        }
    }

    pub(crate) fn equations(&self) -> Equations<'_, N, C> {
        Equations {
            m: &self.m,
            j: &self.j,
            f: &self.f,
            gamma: &self.gamma,
        }
    }

    /// The same with each coordinate in units of its own, powers of two, rows of the constraints too.
    pub(crate) fn in_units(mut self, units: [f64; N], rows: [f64; C]) -> Self {
        for i in 0..N {
            for k in 0..N {
                self.m[i][k] *= units[i] * units[k];
            }
            self.f[i] *= units[i];
        }
        for k in 0..C {
            for i in 0..N {
                self.j[k][i] *= units[i] * rows[k];
            }
            self.gamma[k] *= rows[k];
        }
        self
    }
}

pub(crate) fn diagonal<const N: usize>(masses: [f64; N]) -> [[f64; N]; N] {
    let mut m = [[0.0; N]; N];
    for i in 0..N {
        m[i][i] = masses[i];
    }
    m
}

/// `y = x` or the like: a light coordinate that carries the force.
pub(crate) fn gear(random: &mut Random, light: f64) -> Problem<2, 1> {
    let mut problem = Problem::new(random, diagonal([1.0, light]), [[-1.0, 1.0]]);
    (problem.f, problem.gamma) = ([0.0, 3.0], [0.0]);
    problem
}

/// Angles of crank, coupler and rocker, masses over many decades.
pub(crate) fn four_bar(random: &mut Random, decades: f64) -> Problem<3, 2> {
    let angles: [f64; 3] = random.vector::<3>().map(|x| 3.0 * x);
    let lengths = [1.0, 2.5, 2.0];
    let masses: [f64; 3] = std::array::from_fn(|_| random.size(decades));
    let mut m = [[0.0; 3]; 3];
    m[0][0] = (masses[0] / 3.0 + masses[1]) * lengths[0] * lengths[0];
    m[1][1] = masses[1] / 3.0 * lengths[1] * lengths[1];
    m[1][0] = masses[1] / 2.0 * lengths[0] * lengths[1] * (angles[0] - angles[1]).cos();
    m[0][1] = m[1][0];
    m[2][2] = masses[2] / 3.0 * lengths[2] * lengths[2];
    let row = |function: fn(f64) -> f64| {
        let part = |i: usize| lengths[i] * function(angles[i]);
        [part(0), part(1), -part(2)]
    };
    Problem::new(random, m, [row(f64::cos), row(f64::sin)])
}

/// Crank, rod and slider as free bodies in the plane that are held by five equations of pins and two of
/// the guide.
pub(crate) fn slider_crank(random: &mut Random, decades: f64) -> Problem<9, 8> {
    let masses: [f64; 3] = std::array::from_fn(|_| random.size(decades));
    let m = diagonal(std::array::from_fn(|i| {
        masses[i / 3] * if i % 3 == 2 { 0.1 } else { 1.0 }
    }));
    let (crank, rod) = (3.0 * random.number(), 0.7 * random.number());
    let mut j = [[0.0; 9]; 8];
    let pin = |angle: f64, length: f64| [-length * angle.sin(), length * angle.cos()];
    for axis in 0..2 {
        let (c, r) = (pin(crank, 0.5)[axis], pin(rod, 1.5)[axis]);
        (j[axis][axis], j[axis][2]) = (1.0, -c);
        let row = &mut j[2 + axis];
        (row[axis], row[2], row[3 + axis], row[5]) = (1.0, c, -1.0, r);
        let row = &mut j[4 + axis];
        (row[3 + axis], row[5], row[6 + axis]) = (1.0, r, -1.0);
    }
    (j[6][7], j[7][8]) = (1.0, 1.0);
    let mut problem = Problem::new(random, m, j);
    problem.f[6] = 1000.0;
    problem
}

/// Nine entries of a matrix that six equations keep orthonormal.
pub(crate) fn rotation_matrix(random: &mut Random, decades: f64) -> Problem<9, 6> {
    let [a, b, c] = random.vector::<3>();
    let (x, y) = ((a * 3.0).sin_cos(), (b * 1.5).sin_cos());
    let z = (c * 3.0).sin_cos();
    let product = |p: [[f64; 3]; 3], q: [[f64; 3]; 3]| -> [[f64; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|k| (0..3).map(|l| p[i][l] * q[l][k]).sum()))
    };
    let r = product(
        [[x.1, -x.0, 0.0], [x.0, x.1, 0.0], [0.0, 0.0, 1.0]],
        product(
            [[1.0, 0.0, 0.0], [0.0, y.1, -y.0], [0.0, y.0, y.1]],
            [[z.1, -z.0, 0.0], [z.0, z.1, 0.0], [0.0, 0.0, 1.0]],
        ),
    );
    let inertia: [f64; 3] = std::array::from_fn(|_| random.size(decades));
    let mut j = [[0.0; 9]; 6];
    let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
    for (row, (p, q)) in j.iter_mut().zip(pairs) {
        for i in 0..3 {
            row[3 * i + p] += r[i][q];
            row[3 * i + q] += r[i][p];
        }
    }
    Problem::new(random, diagonal(std::array::from_fn(|i| inertia[i % 3])), j)
}

/// Two planes that are parallel but for 1e-3 to 1e-9.
pub(crate) fn planes(random: &mut Random, decades: f64) -> Problem<3, 2> {
    let normal: [f64; 3] = random.vector();
    let angle = 1e-6 * random.size(3.0);
    let other = normal.map(|entry| entry + angle * random.number());
    let masses = std::array::from_fn(|_| random.size(decades));
    Problem::new(random, diagonal(masses), [normal, other])
}

/// Points in the plane, each at the end of a rod from the one before.
pub(crate) fn rods<const N: usize, const C: usize>(
    random: &mut Random,
    decades: f64,
) -> Problem<N, C> {
    let masses: [f64; C] = std::array::from_fn(|_| random.size(decades));
    let mut j = [[0.0; N]; C];
    for k in 0..C {
        let angle = 3.0 * random.number();
        for (axis, part) in [angle.cos(), angle.sin()].into_iter().enumerate() {
            j[k][2 * k + axis] = 2.0 * part;
            if k > 0 {
                j[k][2 * k - 2 + axis] = -2.0 * part;
            }
        }
    }
    Problem::new(random, diagonal(std::array::from_fn(|i| masses[i / 2])), j)
}

/// M = B Bᵀ of the rank given, J full, rows and columns of sizes over many decades.
pub(crate) fn dense<const N: usize, const C: usize>(
    random: &mut Random,
    rank: usize,
    decades: f64,
) -> Problem<N, C> {
    let b: [[f64; N]; N] = std::array::from_fn(|_| random.vector());
    let m = std::array::from_fn(|i| {
        std::array::from_fn(|k| (0..rank).map(|l| b[i][l] * b[k][l]).sum())
    });
    let j = std::array::from_fn(|_| random.vector());
    let power = |random: &mut Random| {
        2f64.powf((random.number() * decades / std::f64::consts::LOG10_2).round())
    };
    let units = std::array::from_fn(|_| power(random));
    let rows: [f64; C] = std::array::from_fn(|_| power(random));
    let problem = Problem::new(random, m, j).in_units(units, [1.0; C]);
    // Rows of J by themselves, so that none is zero beside another.
    let sizes: [f64; C] = std::array::from_fn(|k| {
        let largest = problem.j[k].iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        rows[k].powf(0.05) / largest
    });
    problem.in_units([1.0; N], sizes.map(|size| 2f64.powf(size.log2().round())))
}

/// The mass matrix 4 Eᵀ I E of a quaternion, of rank 3, and its norm as the constraint.
pub(crate) fn quaternion(random: &mut Random, decades: f64) -> Problem<4, 1> {
    let [w, x, y, z] = random.vector::<4>();
    let e = [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]];
    let inertia: [f64; 3] = std::array::from_fn(|_| random.size(decades));
    let m = std::array::from_fn(|i| {
        std::array::from_fn(|k| (0..3).map(|l| 4.0 * inertia[l] * e[l][i] * e[l][k]).sum())
    });
    Problem::new(random, m, [[2.0 * w, 2.0 * x, 2.0 * y, 2.0 * z]])
}

/// Coordinates without mass, each held by a constraint.
pub(crate) fn massless(random: &mut Random, decades: f64) -> Problem<4, 2> {
    let masses = [random.size(decades), 0.0, random.size(decades), 0.0];
    let (p, q) = (random.number(), random.number());
    Problem::new(
        random,
        diagonal(masses),
        [[p, 1.0, 0.0, 0.0], [0.0, 0.0, q, -1.0]],
    )
}

/// Forces of very different sizes on the coordinates of a problem.
pub(crate) fn graded<const N: usize, const C: usize>(
    random: &mut Random,
    mut problem: Problem<N, C>,
    decades: f64,
) -> Problem<N, C> {
    problem.f = problem.f.map(|entry| entry * random.size(decades));
    problem.gamma = problem.gamma.map(|entry| entry * random.size(decades));
    if random.number() > 0.0 {
        let index = random.below(N);
        problem.f = std::array::from_fn(|i| if i == index { problem.f[i] } else { 0.0 });
    }
    problem
}

/// Nothing is left free and nothing moves: γ = 0, so that all accelerations are zero.
pub(crate) fn held<const N: usize>(random: &mut Random, decades: f64) -> Problem<N, N> {
    let masses = std::array::from_fn(|_| random.size(decades));
    let j = std::array::from_fn(|_| random.vector());
    let mut problem = Problem::new(random, diagonal(masses), j);
    problem.gamma = [0.0; N];
    problem
}

/// A chain in which each coordinate moves as the one before, and the first one is held, or none.
pub(crate) fn neighbours<const N: usize>(random: &mut Random) -> Problem<N, N> {
    let mut j = [[0.0; N]; N];
    for i in 0..N {
        j[i][i] = 2.0 + i as f64;
        if i > 0 {
            j[i][i - 1] = -2.0 - i as f64;
        }
    }
    let mut m = [[2.0; N]; N];
    for (i, row) in m.iter_mut().enumerate() {
        row[i] += 1.0 + i as f64 / 100.0;
    }
    let mut problem = Problem::new(random, m, j);
    problem.gamma[0] = 0.0;
    problem
}
