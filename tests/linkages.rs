//! Linkages by the places of their parts: constraints that tie points together give velocities, and are no equations to
//! be solved. Against the solution by all of M and J, also where constraints depend on each other and masses differ by
//! many decades, and where velocities that no constraint binds are coupled with those that carry large forces.

use lagrange_runtime::linalg::kkt;
use lagrangian::nalgebra::{SMatrix, SVector};
use lagrangian::{Error, Motion, lagrangian};

#[path = "shared/scissor.rs"]
mod declared;
use declared::scissor;

scissor! { struct Scissor of 3 }

/// Rods by their centres and angles, the last of which is tied to a place.
macro_rules! rods {
    ($name:ident: $($last:tt)*) => {
        lagrangian! {
            #[derive(Clone, Debug)]
            struct $name {
                p: coordinate[4, 2],
                t: coordinate[4],
                m, j: parameter[4] = 1,
                l: parameter[4] = 1,
                g: parameter = 9.81,
            }
            for i in 0..4 {
                T += m[i] * der(p[i])^2 / 2 + j[i] * der(t[i])^2 / 2;
                V += m[i] * g * p[i, 1];
            }
            holonomic first: p[0] = l[0] / 2 * [cos(t[0]), sin(t[0])];
            for i in 1..4 {
                holonomic joint: p[i] - l[i] / 2 * [cos(t[i]), sin(t[i])]
                    = p[i - 1] + l[i - 1] / 2 * [cos(t[i - 1]), sin(t[i - 1])];
            }
            $($last)*
        }
    };
}

rods! { Hanging: }
rods! { Sliding: holonomic end: p[3, 1] = 0; }
rods! { Closed: holonomic end: p[3] + l[3] / 2 * [cos(t[3]), sin(t[3])] = [2, 0]; }

lagrangian! {
    /// Two points on one arm that are not to be above each other: of this row next to nothing is left where both are as
    /// far out.
    #[derive(Clone, Debug)]
    struct Arm {
        p, s: coordinate[2],
        a, b: coordinate,
        m, j, k: parameter = 1,
        l, r, w: parameter = 1,
        c: parameter = 0,
    }
    T = m * (der(p)^2 + der(s)^2) / 2 + j * der(a)^2 / 2 + k * der(b)^2 / 2;
    V = m * (p.x + 3 * s.y);
    holonomic inner: p = l * [cos(a), sin(a)];
    holonomic outer: s = r * [cos(a), sin(a)] + c * [b, b];
    holonomic level: w * p.x = w * s.x;
}

lagrangian! {
    /// A wheel that rolls, with a load on it.
    #[derive(Clone, Debug)]
    struct Wheel {
        x, phi, y: coordinate,
        m, k, j, r: parameter = 1,
    }
    T = m * der(x)^2 / 2 + k * der(y)^2 / 2 + j * der(phi)^2 / 2;
    V = m * x + 2 * k * y;
    holonomic rolls: x = r * phi;
    holonomic rides: y - x^2 / 2 = 0;
}

/// Declares masses that move with each other; the constraints of the others need not move z.
macro_rules! coupled {
    ($name:ident of $($q:ident)*: $($more:tt)*) => {
        lagrangian! {
            #[derive(Clone, Debug)]
            struct $name {
                $($q: coordinate,)*
                u, w, y: parameter,
                s, o, k: parameter,
                f, g: parameter,
            }
            T = u * (der(a) + s * der(z))^2 / 2 + w * (der(b) + o * der(z))^2 / 2 + y * der(z)^2 / 2;
            V = f * a + g * z;
            $($more)*
        }
    };
}

coupled! { Held of a b z: holonomic held: k * a^2 / 2 + o * sin(b) = 1; }
coupled! { Given of a b z: holonomic given: a = o * b + k * b^2; }
coupled! {
    Beside of x phi a b z:
    T += der(x)^2 / 2 + der(phi)^2 / 2;
    holonomic rolls: x = k * phi;
    holonomic held: k * a^2 / 2 + o * sin(b) = 1;
}

/// Numbers between -1 and 1.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        // Knuth's MMIX generator.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector<const N: usize>(&mut self, size: f64) -> SVector<f64, N> {
        SVector::from_fn(|_, _| size * self.next())
    }

    /// A mass, over so many decades above and below 1.
    fn mass(&mut self, decades: f64) -> f64 {
        10_f64.powf(decades * self.next())
    }
}

/// `M a = f + Jᵀ λ` and `J a = γ`.
#[derive(Debug)]
struct Equations<const N: usize, const C: usize> {
    mass: SMatrix<f64, N, N>,
    forcing: SVector<f64, N>,
    jacobian: SMatrix<f64, C, N>,
    gamma: SVector<f64, C>,
}

impl<const N: usize, const C: usize> Equations<N, C> {
    /// A result meets every equation. It exists if the solution by M and J does, and equals it; otherwise both have the
    /// same error. Returns the difference.
    fn check(&self, found: Result<Motion<f64, N, C>, Error>) -> Option<f64> {
        let (mass, forcing) = (&self.mass.data.0, &self.forcing.data.0[0]);
        let (rows, gamma) = (self.jacobian.transpose(), &self.gamma.data.0[0]);
        match (found, kkt(mass, &rows.data.0, forcing, gamma)) {
            (Ok(motion), Ok((a, lambda))) => {
                let worst = self.left(&motion);
                assert!(worst <= 40.0 * f64::EPSILON, "{worst}: {self:?}");
                let off = (SVector::from(a) - motion.acceleration).amax();
                let off_by = (SVector::from(lambda) - motion.multipliers).amax();
                Some(f64::max(
                    off / motion.acceleration.amax(),
                    off_by / motion.multipliers.amax(),
                ))
            }
            (found, expected) => {
                let found = found.map(|motion| motion.acceleration);
                assert_eq!(found.err(), expected.err(), "{self:?}");
                None
            }
        }
    }

    /// The largest part of its terms that an equation leaves.
    fn left(&self, motion: &Motion<f64, N, C>) -> f64 {
        let (a, lambda) = (motion.acceleration, motion.multipliers);
        let tied = self.jacobian.transpose();
        let forces = self.mass * a - self.forcing - tied * lambda;
        let of_forces = self.mass.abs() * a.abs() + self.forcing.abs() + tied.abs() * lambda.abs();
        let rows = self.jacobian * a - self.gamma;
        let of_rows = self.jacobian.abs() * a.abs() + self.gamma.abs();
        let left = forces.iter().chain(&rows).copied();
        let terms = of_forces.iter().chain(&of_rows).copied();
        let parts = left.zip(terms).map(|(left, terms): (f64, f64)| {
            // Nothing left of next to nothing is met.
            left.abs() / terms.max(1e-290)
        });
        parts.fold(0.0, f64::max)
    }
}

macro_rules! equations {
    ($system:expr, $q:expr, $v:expr) => {
        Equations {
            mass: $system.mass_matrix($q),
            forcing: $system.forcing($q, $v),
            jacobian: $system.constraint_jacobian($q),
            gamma: $system.constraint_gamma($q, $v),
        }
    };
}

macro_rules! check {
    ($system:expr, $q:expr, $v:expr) => {{
        let (system, q, v) = (&$system, &$q, &$v);
        equations!(system, q, v).check(system.solve(q, v))
    }};
}

#[test]
fn every_equation_is_met() {
    let mut draw = Draw(1);
    for _ in 0..200 {
        let (q, v) = (draw.vector(1.5), draw.vector(2.0));
        let off = [
            check!(Hanging::default(), q, v),
            check!(Sliding::default(), q, v),
            check!(Closed::default(), q, v),
            check!(Scissor::default(), draw.vector(1.5), draw.vector(2.0)),
            check!(
                Arm {
                    r: 2.0,
                    ..Arm::default()
                },
                draw.vector(1.5),
                draw.vector(2.0)
            ),
            check!(Wheel::default(), draw.vector(1.5), draw.vector(2.0)),
        ];
        for off in off {
            assert!(off.is_some_and(|off| off < 1e-9), "{off:?}");
        }
    }
}

/// The remainder of a force that a constraint balances is lost beside this force, if the force is passed on first.
#[test]
fn balanced_forces_leave_others_alone() {
    let mut draw = Draw(9);
    let mut solved = 0;
    macro_rules! check_all {
        ($($name:ident)*) => {
            for decades in [2.0, 6.0, 12.0] {
                for _ in 0..2000 {
                    $(
                        let [u, w, y, f, g] = [(); 5].map(|()| draw.mass(decades));
                        let (s, o, k) = (draw.mass(decades / 2.0), draw.mass(decades / 3.0), draw.mass(1.0));
                        let system = $name { u, w, y, s, o, k, f, g };
                        let (q, v) = (draw.vector(1.5), draw.vector(2.0));
                        if let Ok(motion) = system.solve(&q, &v) {
                            let worst = equations!(system, &q, &v).left(&motion);
                            assert!(worst <= 40.0 * f64::EPSILON, "{worst}: {system:?}");
                            solved += 1;
                        }
                    )*
                }
            }
        };
    }
    check_all!(Held Given Beside);
    assert!(solved > 17_000, "{solved}");
}

#[test]
fn masses_may_be_of_any_sizes() {
    let mut draw = Draw(2);
    for decades in [3.0, 8.0, 16.0] {
        for _ in 0..100 {
            let (q, v) = (draw.vector(1.5), draw.vector(2.0));
            let [m, j] = [(); 2].map(|()| SVector::<f64, 4>::from_fn(|_, _| draw.mass(decades)));
            check!(
                Hanging {
                    m: m.into(),
                    j: j.into(),
                    ..Hanging::default()
                },
                q,
                v
            );
            check!(
                Sliding {
                    m: m.into(),
                    j: j.into(),
                    ..Sliding::default()
                },
                q,
                v
            );
            check!(
                Closed {
                    m: m.into(),
                    j: j.into(),
                    ..Closed::default()
                },
                q,
                v
            );
            let [m, j, k] = [(); 3].map(|()| draw.mass(decades));
            let (l, r) = (draw.mass(1.0), draw.mass(1.0));
            let arm = Arm {
                m,
                j,
                k,
                l,
                r,
                c: draw.next(),
                w: draw.mass(4.0),
            };
            check!(arm, draw.vector(1.5), draw.vector(2.0));
            check!(Wheel { m, k, j, r }, draw.vector(1.5), draw.vector(2.0));
        }
    }
}

/// Only rounding is left of a row that is a combination of others.
#[test]
fn rows_that_vanish_are_told() {
    let (q, v) = (
        SVector::from([0.3, 0.4, 0.5, 0.6, 0.7, 0.8]),
        SVector::zeros(),
    );
    let arms = [(1.0, 1.0), (0.3, 0.1 + 0.2), (0.7, 0.1 * 7.0), (1e-3, 1e-3)];
    for (l, r) in arms {
        // In other units the remainder is not small beside the other rows.
        for w in [1.0, 1e10] {
            let arm = Arm {
                l,
                r,
                w,
                ..Arm::default()
            };
            let told = arm.solve(&q, &v).map(|motion| motion.acceleration);
            let expected = Error::DependentConstraints { row: 4 };
            assert_eq!(told, Err(expected), "{l} {r} {w}");
        }
    }
    // Upright, both are at 0 whatever the arm does.
    let mut upright = q;
    upright[4] = std::f64::consts::PI;
    check!(
        Arm {
            r: 2.0,
            ..Arm::default()
        },
        upright,
        v
    );
    // Stretched out, the end slides no further; nor does a flat scissor.
    let flat = SVector::zeros();
    check!(Sliding::default(), flat, SVector::repeat(0.5));
    check!(Closed::default(), flat, SVector::repeat(0.5));
    let mut angles = SVector::<f64, 18>::zeros();
    check!(Scissor::default(), angles, SVector::repeat(0.5));
    for i in 12..18 {
        angles[i] = std::f64::consts::PI;
    }
    check!(Scissor::default(), angles, SVector::repeat(0.5));
}

#[test]
fn what_is_not_finite_is_told() {
    let mut draw = Draw(3);
    let (q, v): (SVector<f64, 12>, _) = (draw.vector(1.5), draw.vector(2.0));
    for i in 0..12 {
        for bad in [f64::NAN, f64::INFINITY] {
            let (mut at, mut along) = (q, v);
            at[i] = bad;
            along[i] = bad;
            for (argument, q, v) in [("q", at, v), ("v", q, along)] {
                let hanging = Hanging::default()
                    .solve(&q, &v)
                    .map(|motion| motion.acceleration);
                assert_eq!(hanging, Err(Error::NotFinite { argument }));
                let closed = Closed::default()
                    .solve(&q, &v)
                    .map(|motion| motion.acceleration);
                assert_eq!(closed, Err(Error::NotFinite { argument }));
            }
        }
    }
    let masses = ["self.m[0]", "self.m[1]", "self.m[2]", "self.m[3]"];
    for (i, argument) in masses.into_iter().enumerate() {
        let mut hanging = Hanging::default();
        hanging.m[i] = f64::NAN;
        let told = hanging.solve(&q, &v).map(|motion| motion.acceleration);
        assert_eq!(told, Err(Error::NotFinite { argument }));
    }
    let wheel = Wheel {
        m: f64::NAN,
        ..Wheel::default()
    };
    let told = wheel.solve(&SVector::zeros(), &SVector::zeros());
    assert_eq!(
        told.map(|motion| motion.multipliers),
        Err(Error::NotFinite { argument: "self.m" })
    );
}
