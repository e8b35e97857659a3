//! A derivative that is zero proves nothing across a jump.

use std::cell::RefCell;

use crate::common::{names, system};
use crate::random::expr::Expr;
use lagrange_engine::{
    Binary, Constraint, ConstraintDefect, ConstraintKind, Dynamics, Energy, Facts, Graph, Number,
    Symbol, Symmetry, System, Unary, constraint_defects, integrable_constraints, symmetry_defect,
};

/// x, y, x', y' and t.
type Symbols<'g> = [Expr<'g>; 5];
type Make = for<'g> fn(Symbols<'g>) -> Expr<'g>;

fn made(make: &[Make]) -> (Graph, Vec<lagrange_engine::NodeId>) {
    let graph = RefCell::new(Graph::new());
    let symbols = [
        Symbol::Coordinate(0),
        Symbol::Coordinate(1),
        Symbol::Velocity(0),
        Symbol::Velocity(1),
        Symbol::Time,
    ];
    let symbols = symbols.map(|symbol| Expr::symbol(&graph, symbol));
    let made = make.iter().map(|make| make(symbols).id).collect();
    (graph.into_inner(), made)
}

/// T = m x'^2 / 2 + y'^2 / 2 with the mass m, and V.
fn facts(mass: Make, potential: Make) -> Facts {
    let halves: Make = |[_, _, dx, _, _]| dx.powi(2) / 2;
    let rest: Make = |[_, _, _, dy, _]| dy.powi(2) / 2;
    let (mut graph, made) = made(&[mass, potential, halves, rest]);
    let of_x = graph.mul(made[0], made[2]);
    let kinetic = graph.add(of_x, made[3]);
    let energy = Energy::Natural {
        kinetic,
        potential: made[1],
    };
    let mut names = names(2);
    names.time = Some("t".into());
    Dynamics::new(system(graph, names, energy)).facts().clone()
}

fn one([x, ..]: Symbols<'_>) -> Expr<'_> {
    x.number(1, 1)
}

/// if a > bound { above } else { below }
fn step<'g>(a: Expr<'g>, bound: i64, above: i64, below: i64) -> Expr<'g> {
    a.number(bound, 1)
        .less(a, a.number(above, 1), a.number(below, 1))
}

#[test]
fn a_potential_that_jumps_is_neither_cyclic_nor_conserved() {
    let jumping: [Make; 17] = [
        |[_, y, ..]| step(y, 0, 3, 0),
        |[_, y, ..]| step(y, 5, 2, 1),
        |[_, y, ..]| step(y.sin() * 3 + y, 50, 2, 1),
        |[_, y, ..]| y.unary(Unary::Sign),
        |[_, y, ..]| y.abs() / y,
        |[_, y, ..]| y.powi(2).sqrt() / y,
        |[_, y, ..]| y.unary(Unary::Atan) + (y.number(1, 1) / y).unary(Unary::Atan),
        |[_, y, ..]| y.tan().unary(Unary::Atan) - y,
        |[_, y, ..]| (y.number(1, 1) / y).unary(Unary::Atan),
        |[_, y, ..]| (y.number(1, 1) / y).unary(Unary::Tanh),
        |[_, y, ..]| (y.number(1, 1) / y).exp(),
        |[_, y, ..]| (y.number(1, 1) / y).binary(Binary::Max, y),
        |[_, y, ..]| y.sin().binary(Binary::Atan2, y.cos()),
        |[_, y, ..]| y / y.binary(Binary::Hypot, y.sin()),
        |[_, y, ..]| y.tan() * y.cos().abs(),
        // Both are endless at 0, and leave sign(y).
        |[_, y, ..]| (y + 1) / y.abs() - y.number(1, 1) / y.abs(),
        |[_, y, ..]| (y.powi(2) + y.powi(3)).sqrt().powi(-1) - y.abs().powi(-1),
    ];
    for (number, potential) in jumping.into_iter().enumerate() {
        let facts = facts(one, potential);
        assert_eq!(facts.cyclic, [true, false], "{number}");
        assert_eq!(facts.conserved_momenta, [true, false], "{number}");
        assert!(facts.constant_mass_matrix, "{number}");
    }
    for (number, potential) in jumping.into_iter().enumerate() {
        assert!(!facts(one, potential).conserves_energy, "{number}");
    }
    let plane: [Make; 3] = [
        |[x, y, ..]| y.binary(Binary::Atan2, x),
        |[x, y, ..]| x / x.binary(Binary::Hypot, y),
        |[x, y, ..]| (x / y).unary(Unary::Atan),
    ];
    for (number, potential) in plane.into_iter().enumerate() {
        assert!(!facts(one, potential).conserves_energy, "{number}");
    }
}

#[test]
fn a_pole_and_a_quotient_of_analytic_functions_keep_the_energy() {
    let kept: [Make; 16] = [
        // Gravitation, alone and of three centres; vortices; Lennard and Jones; Yukawa; Morse.
        |[x, y, ..]| x.binary(Binary::Hypot, y).powi(-1),
        |[x, y, ..]| {
            let from = |a: i64, b: i64| (x - a).binary(Binary::Hypot, y - b);
            from(0, 0).powi(-1) - from(1, 0).powi(-1) * 3 + from(0, 2).powi(-1) * 2
        },
        |[x, y, ..]| ((x - 1).powi(2) + y.powi(2)).ln() - ((x + 1).powi(2) + y.powi(2)).ln(),
        |[x, y, ..]| {
            let r = x.binary(Binary::Hypot, y);
            r.powi(-12) - r.powi(-6)
        },
        |[x, y, ..]| {
            let r = x.binary(Binary::Hypot, y);
            (-r).exp() / r
        },
        |[x, y, ..]| (-(x.binary(Binary::Hypot, y) - 1)).exp() - 1,
        // A spring with a length at rest, one that cannot be stretched beyond its length, a well.
        |[x, y, ..]| (x.binary(Binary::Hypot, y) - 1).powi(2),
        |[x, y, ..]| (-(x.powi(2) + y.powi(2)) / 4 + 1).ln(),
        |[x, ..]| -(-x.powi(2)).exp(),
        |[x, ..]| x.sin() / x,
        |[x, y, ..]| x.cos() * x / y + y.tan(),
        |[x, ..]| x / (x.powi(2) + 1).sqrt(),
        |[x, ..]| x.abs() / (x.powi(2) + 1),
        |[x, y, ..]| x.abs() / y,
        |[x, ..]| x.powi(2) / x.abs(),
        // Its domain ends where it is endless.
        |[x, ..]| x.powi(-1) * (x.powi(2) + 1) / (x.powi(-1)).sqrt(),
    ];
    for (number, potential) in kept.into_iter().enumerate() {
        assert!(facts(one, potential).conserves_energy, "{number}");
    }
}

/// A dipole in the plane, and other quotients whose divisor vanishes in a higher order than the factors above it.
#[test]
fn a_pole_that_remains_keeps_the_energy() {
    let kept: [Make; 4] = [
        |[x, y, ..]| x / x.binary(Binary::Hypot, y).powi(3),
        |[x, y, ..]| (x * 2 - y * 3) / (x.powi(2) + y.powi(2)).sqrt().powi(3),
        |[x, y, ..]| x * y / (x.powi(2) + y.powi(2)).sqrt().powi(5),
        |[x, ..]| x / x.abs().powi(3),
    ];
    for (number, potential) in kept.into_iter().enumerate() {
        assert!(facts(one, potential).conserves_energy, "{number}");
    }
    let jumping: [Make; 7] = [
        |[x, y, ..]| x / (x.powi(2) + y.powi(2)).sqrt(),
        |[x, y, ..]| x.powi(3) / (x.powi(2) + y.powi(2)).sqrt().powi(3),
        |[x, y, ..]| (x.powi(3) + y.powi(3)) / (x.powi(2) + y.powi(2)).sqrt().powi(3),
        |[x, y, ..]| (x / x.binary(Binary::Hypot, y).powi(3)).unary(Unary::Atan),
        |[x, ..]| x / x.powi(2).sqrt(),
        |[x, ..]| x / x.abs().sqrt().powi(2),
        |[x, ..]| x.sin().powi(3) / x.abs().powi(3),
    ];
    for (number, potential) in jumping.into_iter().enumerate() {
        assert!(!facts(one, potential).conserves_energy, "{number}");
    }
}

/// The way from the centre of a wheel to the ground, `e - (a . e) a` over its length: the height is continuous, also where
/// the wheel lies flat, and other parts jump there. The axle a has two random angles, and e is an axis.
#[test]
fn the_height_of_a_wheel_keeps_the_energy() {
    let part = |[f, g]: [(i64, i64); 2], along: usize, part: usize| {
        let graph = RefCell::new(Graph::new());
        let [x, y] = [0, 1].map(|i| Expr::symbol(&graph, Symbol::Coordinate(i)));
        let [f, g] = [x * f.0 + y * f.1, x * g.0 + y * g.1];
        let axle = [f.cos() * g.cos(), f.cos() * g.sin(), f.sin()];
        let unit = [0, 1, 2].map(|i| x.number(i64::from(i == along as i64), 1));
        let raw = [0, 1, 2].map(|i| unit[i] - axle[along] * axle[i]);
        let square = raw[0].powi(2) + raw[1].powi(2) + raw[2].powi(2);
        let potential = (raw[part] / square.sqrt() * 3).id;
        let rates = [0, 1].map(|i| Expr::symbol(&graph, Symbol::Velocity(i)));
        let kinetic = ((rates[0].powi(2) + rates[1].powi(2)) / 2).id;
        let energy = Energy::Natural { kinetic, potential };
        Dynamics::new(system(graph.into_inner(), names(2), energy))
    };
    let slopes = [(1, 0), (0, 1), (1, 1), (2, -1), (-1, 3), (2, 0)];
    for f in slopes {
        for g in slopes {
            for along in 0..3 {
                let height = part([f, g], along, along);
                assert!(height.facts().conserves_energy, "{f:?} {g:?} {along}");
            }
            // Angles that depend on each other may be right angles at the same place.
            let are_apart = f.0 * g.1 != f.1 * g.0;
            for aside in (0..2).filter(|_| are_apart) {
                let jumping = part([f, g], 2, aside);
                assert!(!jumping.facts().conserves_energy, "{f:?} {g:?} {aside}");
            }
        }
    }
    // Roots of several parts that vanish together.
    let jumping: [Make; 6] = [
        |[x, y, ..]| x / x.binary(Binary::Hypot, x * y),
        |[x, y, ..]| x / (x.powi(2) + x.powi(2) * y.powi(2)).sqrt(),
        |[x, y, ..]| x * y / (x.powi(2) * y.powi(2) + x.powi(2) * y.powi(4)).sqrt(),
        |[x, ..]| x.cos() / (-x.sin().powi(2) + 1).sqrt(),
        |[x, ..]| (-x.sin().powi(2) + 1) / (x.cos().abs() * x.cos()),
        |[x, ..]| (-x.sin().powi(2) + 1) / ((-x.sin().powi(2) + 1).sqrt() * x.cos()),
    ];
    for (number, potential) in jumping.into_iter().enumerate() {
        assert!(!facts(one, potential).conserves_energy, "{number}");
    }
}

/// An energy that has a factor that is 0, and another one that is endless.
#[test]
fn a_pole_apart_from_a_zero_keeps_the_energy() {
    // The relativistic particle.
    let (mut graph, made) = made(&[|[_, _, dx, ..]| dx.powi(2), |[x, ..]| x.powi(2)]);
    let [m, c] = [0, 1].map(|i| graph.symbol(Symbol::Parameter(i)));
    let c2 = graph.powi(c, 2);
    let rest = graph.mul(m, c2);
    let part = graph.div(made[0], c2);
    let inside = graph.sum(Number::ONE, vec![(Number::MINUS_ONE, part)]);
    let root = graph.unary(Unary::Sqrt, inside);
    let root = graph.mul(rest, root);
    let lagrangian = graph.sum(
        Number::ZERO,
        vec![(Number::MINUS_ONE, root), (Number::MINUS_ONE, made[1])],
    );
    let mut names = names(1);
    names.parameters.extend(["m".into(), "c".into()]);
    let particle = system(graph, names, Energy::Lagrangian(lagrangian));
    assert!(Dynamics::new(particle).facts().conserves_energy);
}

#[test]
fn the_end_of_a_domain_keeps_the_energy() {
    // The time of descent along a curve, whose domain ends where it is endless.
    let (mut graph, made) = made(&[|[y, _, dy, ..]| (dy.powi(2) + 1) / (y * 2)]);
    let time = graph.unary(Unary::Sqrt, made[0]);
    let descent = system(graph, names(1), Energy::Lagrangian(time));
    assert!(Dynamics::new(descent).facts().conserves_energy);
}

#[test]
fn a_mass_that_jumps_is_not_constant() {
    let jumping: [Make; 4] = [
        |[x, ..]| step(x, 5, 2, 1),
        |[x, ..]| step(x, 0, 2, 1) + 1,
        |[x, ..]| x.unary(Unary::Sign) + 3,
        |[.., t]| step(t, 5, 2, 1),
    ];
    for (number, mass) in jumping.into_iter().enumerate() {
        let facts = facts(mass, |[x, ..]| x.number(0, 1));
        assert!(!facts.constant_mass_matrix, "{number}");
        assert!(!facts.conserves_energy, "{number}");
    }
    assert_eq!(facts(jumping[0], one).cyclic, [false, true]);
    assert_eq!(facts(jumping[3], one).cyclic, [true, true]);
}

#[test]
fn what_is_continuous_keeps_the_energy() {
    let continuous: [Make; 4] = [
        |[_, y, ..]| y.abs(),
        |[x, y, ..]| x.binary(Binary::Max, y),
        |[x, y, ..]| x.binary(Binary::Min, y * 2),
        |[x, y, ..]| x.binary(Binary::Hypot, y),
    ];
    for (number, potential) in continuous.into_iter().enumerate() {
        let facts = facts(one, potential);
        assert!(facts.conserves_energy, "{number}");
        assert!(facts.constant_mass_matrix, "{number}");
        assert!(!facts.cyclic[1], "{number}");
    }
    // sin^2 + cos^2 of twice the angle, which no rule sees.
    let hidden: Make = |[_, y, ..]| {
        let (sine, cosine) = (y.sin(), y.cos());
        (sine * cosine * 2).powi(2) + (y * 2).cos().powi(2)
    };
    assert_eq!(facts(one, hidden).cyclic, [true, true]);
}

/// No energy of these is claimed to be kept, though it may be.
#[test]
fn branches_and_poles_inside_of_functions_prove_nothing() {
    let unclear: [Make; 5] = [
        |[_, y, ..]| y.number(0, 1).less(y, y.powi(2), y.number(0, 1)),
        |[x, y, ..]| (x * 2).less(y, (y - x * 2).powi(3), x.number(0, 1)),
        |[_, y, ..]| y.number(5, 1).less(y, y * 3, y.number(15, 1)),
        |[x, ..]| x.binary(Binary::Atan2, x.unary(Unary::Cosh)),
        |[x, ..]| x.powi(-2).unary(Unary::Atan),
    ];
    for (number, potential) in unclear.into_iter().enumerate() {
        assert!(!facts(one, potential).conserves_energy, "{number}");
    }
}

fn constrained(kind: ConstraintKind, residual: Make) -> System {
    let lagrangian: Make = |[_, _, dx, dy, _]| (dx.powi(2) + dy.powi(2)) / 2;
    let (graph, made) = made(&[lagrangian, residual]);
    let mut names = names(2);
    names.time = Some("t".into());
    let mut system = system(graph, names, Energy::Lagrangian(made[0]));
    system.constraints.push(Constraint {
        name: "c".into(),
        kind,
        residual: made[1],
    });
    system
}

#[test]
fn a_constraint_that_only_jumps_holds_nothing() {
    let holonomic: [Make; 2] = [
        |[_, y, ..]| step(y, 0, 1, -1),
        |[x, y, ..]| x.unary(Unary::Sign) - step(y, 5, 1, 2),
    ];
    for residual in holonomic {
        let system = constrained(ConstraintKind::Holonomic, residual);
        let defects = constraint_defects(&system);
        assert_eq!(defects, [Some(ConstraintDefect::Piecewise)]);
    }
}

#[test]
fn a_constraint_with_a_jump_takes_the_momentum_and_the_energy() {
    let system = constrained(ConstraintKind::Holonomic, |[x, y, ..]| x - step(y, 5, 1, 0));
    assert_eq!(constraint_defects(&system), [None]);
    let facts = Dynamics::new(system).facts().clone();
    assert_eq!(facts.cyclic, [true, true]);
    assert_eq!(facts.conserved_momenta, [false, false]);
    assert!(!facts.conserves_energy);
    let moving = constrained(ConstraintKind::Holonomic, |[x, .., t]| x - step(t, 5, 1, 0));
    assert!(!Dynamics::new(moving).facts().conserves_energy);
}

#[test]
fn a_constraint_with_a_kink_takes_the_energy() {
    let kinked: [Make; 3] = [
        |[x, y, ..]| y - x.abs(),
        |[x, y, ..]| y - x.binary(Binary::Max, x.number(0, 1)),
        |[x, y, ..]| y - x.sin().abs().powi(3),
    ];
    for (number, residual) in kinked.into_iter().enumerate() {
        let system = constrained(ConstraintKind::Holonomic, residual);
        assert!(!Dynamics::new(system).facts().conserves_energy, "{number}");
    }
    let smooth: Make = |[x, y, ..]| x.binary(Binary::Hypot, y) - 1;
    let system = constrained(ConstraintKind::Holonomic, smooth);
    assert!(Dynamics::new(system).facts().conserves_energy);
}

#[test]
fn a_constraint_with_pieces_is_not_called_integrable() {
    let pieces = constrained(ConstraintKind::Nonholonomic, |[_, y, dx, dy, _]| {
        dx * step(y, 0, 1, 2) - dy
    });
    assert_eq!(integrable_constraints(&pieces), [false]);
    let whole = constrained(ConstraintKind::Nonholonomic, |[_, y, dx, dy, _]| {
        dx - dy * y.abs()
    });
    assert_eq!(constraint_defects(&whole), [None]);
    let straight = constrained(ConstraintKind::Nonholonomic, |[_, _, dx, dy, _]| {
        dx * 2 - dy
    });
    assert_eq!(integrable_constraints(&straight), [true]);
}

#[test]
fn a_jump_is_no_symmetry() {
    let potentials: [(Make, bool); 3] = [
        (
            |[_, y, ..]| y.unary(Unary::Atan) + (y.number(1, 1) / y).unary(Unary::Atan),
            false,
        ),
        (|[x, ..]| x.abs() / x, true),
        // It jumps along x only.
        (|[x, y, ..]| x.abs() / x + y.powi(2) / (y.powi(2)), true),
    ];
    for (number, (potential, is_kept)) in potentials.into_iter().enumerate() {
        let (mut graph, made) = made(&[|[_, _, dx, dy, _]| dx.powi(2) + dy.powi(2), potential]);
        let energy = Energy::Natural {
            kinetic: made[0],
            potential: made[1],
        };
        let along_y = vec![graph.integer(0), graph.integer(1)];
        let mut system = system(graph, names(2), energy);
        system.symmetries.push(Symmetry {
            name: "shift".into(),
            along: along_y,
        });
        let defect = symmetry_defect(&Dynamics::new(system), 0);
        assert_eq!(defect.is_none(), is_kept, "{number}");
    }
}
