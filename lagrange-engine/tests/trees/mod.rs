//! Random trees of frames and bodies: every kind of joint, centres and masses that move, runs of
//! parallel axes, and attitudes behind each other.

use lagrange_engine::{
    Body, Energy, Graph, Joint, Kinematics, Multibody, Names, NodeId, Number, Symbol, System, Unary,
};
use proptest::prelude::*;

/// Scalar coordinates, in front of two rotations.
pub(crate) const SCALARS: usize = 4;

/// Positions among the existing items, and choices, by any number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick(u8);

/// A joint and its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointPlan {
    parent: Pick,
    kind: Pick,
    entries: [Pick; 4],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyPlan {
    frame: Pick,
    at: [Pick; 3],
    mass: Pick,
    inertia: Pick,
}

#[derive(Clone, Debug)]
pub(crate) struct TreePlan {
    joints: Vec<JointPlan>,
    bodies: Vec<BodyPlan>,
    gravity: Pick,
}

pub(crate) fn plans() -> impl Strategy<Value = TreePlan> {
    let pick = || any::<u8>().prop_map(Pick);
    let picks = move || [pick(), pick(), pick(), pick()];
    let joint = (pick(), pick(), picks()).prop_map(|(parent, kind, entries)| JointPlan {
        parent,
        kind,
        entries,
    });
    let body = (pick(), [pick(), pick(), pick()], pick(), pick());
    let body = body.prop_map(|(frame, at, mass, inertia)| BodyPlan {
        frame,
        at,
        mass,
        inertia,
    });
    (
        prop::collection::vec(joint, 1..6),
        prop::collection::vec(body, 1..4),
        pick(),
    )
        .prop_map(|(joints, bodies, gravity)| TreePlan {
            joints,
            bodies,
            gravity,
        })
}

/// True if some joints are attitudes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attitudes {
    Some,
    None,
}

/// Perhaps two rotations behind the scalars, three parameters, and time.
fn names(attitudes: Attitudes) -> Names {
    let scalars = (0..SCALARS).map(|i| format!("q[{i}]"));
    let rotations: &[&str] = match attitudes {
        Attitudes::Some => &["a", "b"],
        Attitudes::None => &[],
    };
    let parts = rotations
        .iter()
        .flat_map(|name| ["x", "y", "z", "w"].map(|part| format!("{name}.{part}")));
    Names {
        coordinates: scalars.chain(parts).collect(),
        rotations: (0..rotations.len()).map(|i| SCALARS + 4 * i).collect(),
        parameters: ["m", "l", "g"].map(String::from).to_vec(),
        states: Vec::new(),
        inputs: Vec::new(),
        time: Some("t".into()),
    }
}

/// The system of a plan, without any energy but that of the bodies.
pub(crate) fn build(plan: &TreePlan, attitudes: Attitudes) -> System {
    let mut tree = Tree {
        graph: Graph::new(),
        names: names(attitudes),
        multibody: Multibody::default(),
    };
    for joint in &plan.joints {
        tree.joint(*joint);
    }
    for body in &plan.bodies {
        tree.body(*body);
    }
    tree.gravity(plan.gravity);
    let zero = tree.graph.integer(0);
    System {
        forces: vec![zero; tree.names.velocity_count()],
        graph: tree.graph,
        names: tree.names,
        energy: Energy::Natural {
            kinetic: zero,
            potential: zero,
        },
        multibody: tree.multibody,
        dissipation: zero,
        constraints: Vec::new(),
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

struct Tree {
    graph: Graph,
    names: Names,
    multibody: Multibody,
}

impl Pick {
    fn of(self, count: usize) -> usize {
        usize::from(self.0) % count
    }
}

impl Tree {
    fn numbers<const N: usize>(&mut self, numbers: [i64; N]) -> [NodeId; N] {
        numbers.map(|number| self.graph.integer(number))
    }

    fn symbol(&mut self, symbol: Symbol) -> NodeId {
        self.graph.symbol(symbol)
    }

    /// An expression of positions, time and parameters.
    fn expression(&mut self, pick: Pick) -> NodeId {
        if let Some(rotation) = self.names.kinematics().rotations().next()
            && pick.of(11) == 10
        {
            // Some directions of the rotation move it, and others change its rate alone.
            let matrix = Kinematics::rotation_matrix(&mut self.graph, rotation);
            return matrix[pick.of(3)][pick.of(64) / 16 % 3];
        }
        let coordinate =
            |shift: usize| Symbol::Coordinate(((pick.of(64) / 8 + shift) % SCALARS) as u32);
        let [q, r] = [0, 1].map(|shift| self.symbol(coordinate(shift)));
        let (t, l) = (self.symbol(Symbol::Time), self.symbol(Symbol::Parameter(1)));
        let graph = &mut self.graph;
        match pick.of(9) {
            0 | 1 => graph.integer(0),
            2 => graph.number(Number::rational(3, 10).unwrap()),
            3 => q,
            4 => graph.unary(Unary::Sin, q),
            5 => graph.mul(q, r),
            6 => graph.add(q, t),
            7 => l,
            _ => graph.mul(l, r),
        }
    }

    fn joint(&mut self, plan: JointPlan) {
        let kinematics = self.names.kinematics();
        let [x, y, z, w] = plan.entries;
        let kinds = 8 + kinematics.rotations().count();
        let joint = match plan.kind.of(kinds) {
            0..3 => Joint::Translation([x, y, z].map(|pick| self.expression(pick))),
            3..5 => {
                let angle = self.expression(w);
                let axis = self.numbers([0, 0, 1]);
                Joint::Turn { axis, angle }
            }
            5 => {
                let axes = [
                    [1, 0, 0],
                    [0, -2, 0],
                    [1, 2, 2],
                    [3, 0, -4],
                    [1, 1, 0],
                    [1, -1, 1],
                ];
                let axis = self.numbers(axes[x.of(axes.len())]);
                let angle = self.expression(w);
                Joint::Turn { axis, angle }
            }
            6 => {
                let one = self.graph.integer(1);
                let axis = [self.expression(x), self.expression(y), one];
                let angle = self.expression(w);
                Joint::Turn { axis, angle }
            }
            7 => Joint::Orientation(self.matrix(w)),
            kind => {
                let rotation = kinematics.rotations().nth(kind - 8);
                Joint::Attitude(rotation.unwrap())
            }
        };
        let frames = self.multibody.frames_mut(&mut self.graph);
        // Long chains as often as wide trees.
        let count = frames.joints().count() + 1;
        let back = [0, 0, 0, 0, 1, 2, 3, 4][plan.parent.of(8)];
        let parent = frames.at((count - 1).saturating_sub(back)).unwrap();
        let added = frames.add(&mut self.graph, &kinematics, parent, joint);
        added.unwrap();
    }

    /// A rotation about z, or one that permutes the axes.
    fn matrix(&mut self, pick: Pick) -> [[NodeId; 3]; 3] {
        if pick.of(2) == 0 {
            return [[0, 0, 1], [1, 0, 0], [0, 1, 0]].map(|row| self.numbers(row));
        }
        let angle = self.expression(pick);
        let (sin, cos) = (
            self.graph.unary(Unary::Sin, angle),
            self.graph.unary(Unary::Cos, angle),
        );
        let minus = self.graph.neg(sin);
        let [zero, one] = self.numbers([0, 1]);
        [[cos, minus, zero], [sin, cos, zero], [zero, zero, one]]
    }

    fn body(&mut self, plan: BodyPlan) {
        let at = plan.at.map(|pick| self.expression(pick));
        let mass = self.amount(plan.mass);
        let inertia = self.inertia(plan.inertia);
        let frames = self.multibody.frames_mut(&mut self.graph);
        let count = frames.joints().count() + 1;
        let frame = frames.at(plan.frame.of(count)).unwrap();
        let body = Body {
            frame,
            at,
            mass,
            inertia,
        };
        self.multibody.add_body(&mut self.graph, body).unwrap();
    }

    /// A mass: mostly constant, now and then of time or of a coordinate.
    fn amount(&mut self, pick: Pick) -> NodeId {
        let m = self.symbol(Symbol::Parameter(0));
        let moving = match pick.of(8) {
            0 => self.symbol(Symbol::Time),
            1 => self.symbol(Symbol::Coordinate(0)),
            2 => return self.graph.integer(0),
            3 => return self.graph.integer(2),
            _ => return m,
        };
        let square = self.graph.powi(moving, 2);
        self.graph.add(m, square)
    }

    fn inertia(&mut self, pick: Pick) -> [[NodeId; 3]; 3] {
        let rows = match pick.of(6) {
            0 => [[0; 3]; 3],
            1 | 2 => [[1, 0, 0], [0, 2, 0], [0, 0, 3]],
            3 | 4 => [[4, 1, 0], [-1, 3, 1], [2, 0, 5]],
            _ => {
                let mut rows = [[1, 0, 0], [0, 2, 0], [0, 0, 3]].map(|row| self.numbers(row));
                rows[1][1] = self.amount(Pick(0));
                return rows;
            }
        };
        rows.map(|row| self.numbers(row))
    }

    fn gravity(&mut self, pick: Pick) {
        let [zero, one] = self.numbers([0, 1]);
        let (g, t) = (self.symbol(Symbol::Parameter(2)), self.symbol(Symbol::Time));
        let q = self.symbol(Symbol::Coordinate(1));
        let gravity = match pick.of(8) {
            0 => return,
            1 => [zero, q, g],
            2 => [t, zero, g],
            _ => [one, zero, g],
        };
        self.multibody.set_gravity(&self.graph, gravity).unwrap();
    }
}

/// Some value between -1 and 1 for each symbol and state; masses are positive, quaternions of unit
/// length.
pub(crate) fn state(seed: u32) -> impl Fn(Symbol) -> f64 {
    let scattered =
        move |kind: u32, index: u32| (f64::from(seed * 97 + kind * 31 + index * 7) * 0.7391).sin();
    move |symbol| match symbol {
        Symbol::Coordinate(i) if i as usize >= SCALARS => {
            let first = SCALARS as u32 + (i - SCALARS as u32) / 4 * 4;
            let square: f64 = (first..first + 4).map(|i| scattered(1, i).powi(2)).sum();
            scattered(1, i) / square.sqrt()
        }
        Symbol::Coordinate(i) => scattered(1, i),
        Symbol::Velocity(i) => scattered(2, i),
        Symbol::Acceleration(i) => scattered(3, i),
        Symbol::Parameter(i) => scattered(4, i) + 1.5,
        Symbol::Input(i) => scattered(5, i),
        Symbol::Time => scattered(6, 0),
        Symbol::State(i) => scattered(8, i),
        Symbol::StateRate(_) | Symbol::Multiplier(_) | Symbol::Weight(_) => f64::NAN,
        Symbol::Momentum(i) => scattered(7, i),
    }
}
