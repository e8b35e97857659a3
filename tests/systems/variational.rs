//! Euler-Lagrange equations outside mechanics: the unknown is a curve y(x).

use lagrangian::lagrangian;
use lagrangian::nalgebra::vector;

use crate::harness::reference_test;
use crate::support::{State, assert_close};

lagrangian! {
    struct ShortestPath {
        y: coordinate,
    }

    L = sqrt(1 + der(y)^2);
}

reference_test! {
    shortest_path: ShortestPath {},
    Lagrangian (q, v),
    outputs [],
    coordinates ["y"], cyclic [true], conserved [true],
    conserves_energy true, constant_mass_matrix false,
}

/// y'' = 0, and d^2 L / dy'^2 = (1 + y'^2)^(-3/2).
#[test]
fn shortest_path_is_straight() {
    let path = ShortestPath::<f64>::default();
    for slope in [-2.0_f64, 0.0, 0.7, 5.0] {
        let (y, v) = (vector![0.3], vector![slope]);
        assert_eq!(path.acceleration(&y, &v).unwrap(), vector![0.0]);
        let mass = (1.0 + slope * slope).powf(-1.5);
        assert_close("M", &path.mass_matrix(&y, &v)[0], &mass, 1e-12);
    }
}

lagrangian! {
    /// The time of descent along y(x), y downwards.
    struct Brachistochrone {
        y: coordinate,
        g: parameter,
    }

    L = sqrt((1 + der(y)^2) / (2 * g * y));
}

reference_test! {
    brachistochrone: Brachistochrone { g },
    Lagrangian (q, v),
    outputs [],
    coordinates ["y"], cyclic [false], conserved [false],
    conserves_energy true, constant_mass_matrix false,
}

/// The cycloid x = a (phi - sin phi), y = a (1 - cos phi) solves it, and Beltrami's integral
/// y (1 + y'^2) = 2 a is the Jacobi integral -1 / sqrt(2 g y (1 + y'^2)).
#[test]
fn cycloid_is_the_brachistochrone() {
    let (a, g) = (0.7, 9.81);
    let system = Brachistochrone { g };
    for phi in [0.6_f64, 1.1, 2.0, 3.0, 4.5] {
        let fall = 1.0 - phi.cos();
        let (y, slope) = (vector![a * fall], vector![phi.sin() / fall]);
        let curvature = vector![-1.0 / (a * fall * fall)];
        let residual = system.inverse_dynamics(&y, &slope, &curvature)[0];
        assert!(residual.abs() < 1e-12, "residual at {phi}: {residual:e}");
        let jacobi = system.jacobi_integral(&y, &slope);
        assert_close("Beltrami", &jacobi, &(-1.0 / (4.0 * g * a).sqrt()), 1e-12);
    }
}

#[test]
fn brachistochrone_keeps_its_first_integral() {
    let system = Brachistochrone { g: 9.81 };
    let start = State::new([0.4], [1.2]);
    let beltrami = |s: &State<1>| s.q.x * (1.0 + s.v.x * s.v.x);
    for state in start.trajectory(1e-4, 2000, |s| system.acceleration(&s.q, &s.v).unwrap()) {
        assert_close("y (1 + y'^2)", &beltrami(&state), &beltrami(&start), 1e-9);
    }
}

lagrangian! {
    /// Fermat's principle in a medium that varies along and across; `time` is the abscissa.
    struct LightRay {
        y: coordinate,
        n0, dx, dy: parameter,
        x: time,
    }

    pub let index = n0 + dx * x^2 + dy * y^2;
    L = index * sqrt(1 + der(y)^2);
}

reference_test! {
    light_ray: LightRay { n0, dx, dy },
    Lagrangian ([t] q, v),
    outputs [index(t, &q), index_jacobian(t, &q)],
    coordinates ["y"], cyclic [false], conserved [false],
    conserves_energy false, constant_mass_matrix false,
}

/// y'' = (1 + y'^2) (n_y - y' n_x) / n.
#[test]
fn light_bends_towards_the_denser_medium() {
    let system = LightRay {
        n0: 1.2,
        dx: 0.3,
        dy: 0.4,
    };
    let (x, y, slope) = (0.7, 0.5, 0.9);
    let index = 1.2 + 0.3 * x * x + 0.4 * y * y;
    let expected = (1.0 + slope * slope) * (0.8 * y - slope * 0.6 * x) / index;
    let a = system
        .acceleration(x, &vector![y], &vector![slope])
        .unwrap();
    assert_close("y''", &a, &vector![expected], 1e-12);
}
