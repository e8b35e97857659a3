//! Random systems whose kinetic energy is a sum of squares of sums of sums of velocities.

use lagrange_engine::{
    Constraint, ConstraintKind, Energy, Graph, Multibody, Names, NodeId, Number, Symbol, System,
    Unary,
};
use proptest::prelude::*;

/// A choice among the existing items, by any number.
type Pick = u8;

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    coordinates: usize,
    steps: Vec<Step>,
    squares: Vec<(Pick, Pick, Pick)>,
    constraints: Vec<[Pick; 4]>,
}

/// An expression that is linear in the velocities, from earlier ones.
#[derive(Clone, Debug)]
enum Step {
    /// A sum of products of a coefficient and something earlier.
    Sum(Vec<(Pick, Pick)>),
    /// Two earlier ones turned by an angle.
    Turn([Pick; 3]),
}

/// How much of its mass a system has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mass {
    /// Each velocity has some of its own.
    Definite,
    /// Fewer squares than velocities.
    Singular,
    /// The mass from its squares, which may or may not be enough.
    Any,
}

pub(crate) fn plans() -> impl Strategy<Value = Plan> {
    let pick = any::<Pick>;
    let sum = prop::collection::vec((pick(), pick()), 1..4).prop_map(Step::Sum);
    let turn = prop::array::uniform3(pick()).prop_map(Step::Turn);
    let step = prop_oneof![3 => sum, 1 => turn];
    (
        2_usize..7,
        prop::collection::vec(step, 1..10),
        prop::collection::vec((pick(), pick(), pick()), 1..8),
        prop::collection::vec(prop::array::uniform4(pick()), 0..6),
    )
        .prop_map(|(coordinates, steps, squares, constraints)| Plan {
            coordinates,
            steps,
            squares,
            constraints,
        })
}

/// The system of a plan, under forces 1, 2, ..
pub(crate) fn build(plan: &Plan, mass: Mass) -> System {
    let n = plan.coordinates;
    let mut builder = Builder {
        graph: Graph::new(),
        coordinates: n,
        linear: Vec::new(),
    };
    builder.linear = (0..n as u32)
        .map(|j| builder.graph.symbol(Symbol::Velocity(j)))
        .collect();
    for step in &plan.steps {
        builder.step(step);
    }
    let kinetic = builder.kinetic(plan, mass);
    let constraints = match mass {
        Mass::Singular => &[],
        _ => &plan.constraints[..plan.constraints.len().min(n - 1)],
    };
    let constraints = constraints.iter().enumerate();
    let constraints: Vec<Constraint> = constraints.map(|(k, c)| builder.constraint(k, c)).collect();
    let mut graph = builder.graph;
    let zero = graph.integer(0);
    System {
        forces: (1..=n as i64).map(|i| graph.integer(i)).collect(),
        graph,
        names: Names {
            coordinates: (0..n).map(|i| format!("q{i}")).collect(),
            parameters: vec!["a".into(), "b".into()],
            time: Some("t".into()),
            ..Names::default()
        },
        energy: Energy::Natural {
            kinetic,
            potential: zero,
        },
        multibody: Multibody::default(),
        dissipation: zero,
        constraints,
        outputs: Vec::new(),
        regressors: Vec::new(),
        sensitivities: Vec::new(),
        state_rates: Vec::new(),
        multiplier_forces: Vec::new(),
        symmetries: Vec::new(),
        contacts: Vec::new(),
        dry_joints: Vec::new(),
    }
}

struct Builder {
    graph: Graph,
    coordinates: usize,
    linear: Vec<NodeId>,
}

impl Builder {
    fn earlier(&self, pick: Pick) -> NodeId {
        self.linear[pick as usize % self.linear.len()]
    }

    fn angle(&mut self, pick: Pick) -> NodeId {
        let i = pick as usize % self.coordinates;
        self.graph.symbol(Symbol::Coordinate(i as u32))
    }

    fn coefficient(&mut self, pick: Pick) -> NodeId {
        let q = self.angle(pick / 8);
        let [a, b] = [0, 1].map(|i| self.graph.symbol(Symbol::Parameter(i)));
        let graph = &mut self.graph;
        match pick % 8 {
            0 | 1 => graph.integer(1),
            2 => graph.integer(-1),
            3 => graph.number(Number::HALF),
            4 => a,
            5 => graph.unary(Unary::Sin, q),
            6 => {
                let cosine = graph.unary(Unary::Cos, q);
                graph.product(vec![(b, 1), (cosine, 1)])
            }
            _ => graph.sum(Number::ONE, vec![(Number::HALF, q)]),
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Sum(terms) => {
                // A part that is no velocity changes nothing but the forces.
                let mut sum = self.graph.symbol(Symbol::Time);
                for (coefficient, earlier) in terms {
                    let coefficient = self.coefficient(*coefficient);
                    let term = self.graph.mul(coefficient, self.earlier(*earlier));
                    sum = self.graph.add(sum, term);
                }
                self.linear.push(sum);
            }
            Step::Turn([angle, x, y]) => {
                let angle = self.angle(*angle);
                let [x, y] = [*x, *y].map(|pick| self.earlier(pick));
                let graph = &mut self.graph;
                let [sin, cos] = [Unary::Sin, Unary::Cos].map(|f| graph.unary(f, angle));
                let [cx, sx] = [cos, sin].map(|factor| graph.mul(factor, x));
                let [cy, sy] = [cos, sin].map(|factor| graph.mul(factor, y));
                let turned = [graph.add(cx, sy), graph.sub(cy, sx)];
                self.linear.extend(turned);
            }
        }
    }

    /// Sums of m (x^2 + x y + y^2), and of squares of velocities.
    fn kinetic(&mut self, plan: &Plan, mass: Mass) -> NodeId {
        let n = plan.coordinates;
        let most = match mass {
            Mass::Singular => (n - 1) / 2,
            _ => plan.squares.len(),
        };
        let mut terms = Vec::new();
        for (x, y, weight) in plan.squares.iter().take(most) {
            let [x, y] = [*x, *y].map(|pick| self.earlier(pick));
            let weight = match weight % 3 {
                0 => self.graph.integer(2),
                1 => self.graph.symbol(Symbol::Parameter(0)),
                _ => self.graph.symbol(Symbol::Parameter(1)),
            };
            for pair in [[x, x], [x, y], [y, y]] {
                let product = self.graph.mul(pair[0], pair[1]);
                terms.push((Number::ONE, self.graph.mul(weight, product)));
            }
        }
        if mass == Mass::Definite {
            for j in 0..n as u32 {
                let v = self.graph.symbol(Symbol::Velocity(j));
                terms.push((Number::HALF, self.graph.powi(v, 2)));
            }
        }
        self.graph.sum(Number::ZERO, terms)
    }

    /// An equation between velocities that has one of its own, so that no two are alike; every other one is this velocity
    /// itself, by others.
    fn constraint(&mut self, k: usize, [own, first, second, other]: &[Pick; 4]) -> Constraint {
        let is_given = own % 2 == 0;
        let [own, first, second] = [own, first, second].map(|pick| self.coefficient(*pick));
        let v = self.graph.symbol(Symbol::Velocity(k as u32));
        let next = self.graph.symbol(Symbol::Velocity(k as u32 + 1));
        let three = self.graph.integer(3);
        let own = match is_given {
            true => self.graph.integer(1),
            false => self.graph.add(own, three),
        };
        let products = [
            self.graph.mul(own, v),
            self.graph.mul(first, next),
            self.graph.mul(second, self.earlier(*other)),
        ];
        Constraint {
            name: format!("c{k}"),
            kind: ConstraintKind::Nonholonomic,
            residual: self.graph.total(products),
        }
    }
}

/// The same states where some coordinates and the parameter of this number, which is a mass and a length, are
/// zero.
pub(crate) fn flat_state(seed: u32, parameter: u32) -> impl Fn(Symbol) -> f64 {
    let general = state(seed);
    move |symbol| match symbol {
        Symbol::Parameter(i) if i == parameter => 0.0,
        Symbol::Coordinate(i) if (i + seed).is_multiple_of(3) => 0.0,
        _ => general(symbol),
    }
}

/// Some value for each symbol and state; parameters are positive.
pub(crate) fn state(seed: u32) -> impl Fn(Symbol) -> f64 {
    let scattered =
        move |kind: u32, index: u32| (f64::from(seed * 97 + kind * 31 + index * 7) * 0.7391).sin();
    move |symbol| match symbol {
        Symbol::Coordinate(i) => 2.0 * scattered(1, i),
        Symbol::Velocity(i) => scattered(2, i),
        Symbol::Acceleration(i) => scattered(3, i),
        Symbol::Parameter(i) => scattered(4, i) + 1.5,
        Symbol::Input(i) => scattered(5, i),
        Symbol::Time => scattered(6, 0),
        Symbol::State(i) => scattered(7, i),
        _ => f64::NAN,
    }
}
