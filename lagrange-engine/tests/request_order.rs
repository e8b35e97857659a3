//! The code of a request does not depend on earlier requests to the same system.

use crate::cases::sample;
use crate::maps::{self, Mass};
use crate::trees::{self, Attitudes};
use lagrange_engine::{
    Contact, Dynamics, Number, Output, ParameterList, Quantity, Shape, Symbol, System, Unary,
};

/// A request for code, as text.
type Request = (String, Box<dyn Fn(&Dynamics) -> String>);

/// The quantities of programs; those that a system does not have are empty.
const PROGRAMS: [&[Quantity]; 28] = [
    &[Quantity::Momenta, Quantity::Energy],
    &[Quantity::MassMatrix],
    &[Quantity::Bias],
    &[Quantity::MassMatrix, Quantity::Forcing],
    &[Quantity::InverseDynamics],
    &[Quantity::PotentialGradient, Quantity::CoordinateRates],
    &[Quantity::KineticMomenta],
    &[Quantity::MomentumRate],
    &[Quantity::MassMatrixFull, Quantity::ForcingFull],
    &[Quantity::ConstraintResidual, Quantity::HolonomicJacobian],
    &[
        Quantity::ConstraintVelocity,
        Quantity::ConstraintVelocityByPosition,
    ],
    &[
        Quantity::InverseDynamicsByPosition,
        Quantity::InverseDynamicsByVelocity,
        Quantity::ForcesByPosition,
        Quantity::ForcesByVelocity,
    ],
    &[
        Quantity::ConstraintsByPosition,
        Quantity::ConstraintsByVelocity,
    ],
    &[
        Quantity::WeightedInverseDynamicsByPosition,
        Quantity::WeightedInverseDynamicsByVelocity,
        Quantity::WeightedForcesByPosition,
    ],
    &[
        Quantity::WeightedMomentaByPosition,
        Quantity::WeightedMomentaByVelocity,
    ],
    &[
        Quantity::ContactGaps,
        Quantity::ContactJacobian,
        Quantity::ContactGamma,
    ],
    &[Quantity::ContactsByPosition, Quantity::ContactsByVelocity],
    &[Quantity::ImpulsesByPosition, Quantity::ImpulsesByVelocity],
    &[Quantity::ContactForcesByPosition],
    &[Quantity::ContactImpulsesByPosition],
    &[
        Quantity::ContactChangesByPosition,
        Quantity::GapRatesByPosition,
    ],
    &[Quantity::Output(0), Quantity::OutputJacobian(0)],
    &[Quantity::OutputRate(0), Quantity::OutputBias(0)],
    &[Quantity::OutputHessian(0)],
    &[Quantity::FrameOrigin(0), Quantity::FrameRotation(0)],
    &[
        Quantity::FrameVelocity(0),
        Quantity::FrameJacobian(0),
        Quantity::FrameBias(0),
    ],
    &[Quantity::Regressor(0)],
    &[
        Quantity::MassMatrix,
        Quantity::Bias,
        Quantity::FrameJacobian(0),
    ],
];

fn requests(dynamics: &Dynamics) -> Vec<Request> {
    let has = |quantity: &Quantity| !dynamics.expressions(*quantity).is_empty();
    let programs = PROGRAMS
        .into_iter()
        .filter(|quantities| quantities.iter().any(has));
    let programs = programs.map(|quantities| -> Request {
        let code = |dynamics: &Dynamics| format!("{:?}", dynamics.program(quantities).schedule);
        (format!("{quantities:?}"), Box::new(code))
    });
    let others: [Request; 6] = [
        (
            "solve".into(),
            Box::new(|dynamics| format!("{:?}", dynamics.solve_program().terms.schedule)),
        ),
        (
            "redundant solve".into(),
            Box::new(|dynamics| format!("{:?}", dynamics.redundant_solve_program().terms.schedule)),
        ),
        (
            "sensitivity".into(),
            Box::new(|dynamics| {
                format!(
                    "{:?}",
                    dynamics
                        .sensitivity_program()
                        .map(|program| program.schedule)
                )
            }),
        ),
        (
            "adjoint".into(),
            Box::new(|dynamics| {
                format!(
                    "{:?}",
                    dynamics.adjoint_program().map(|program| program.schedule)
                )
            }),
        ),
        (
            "facts".into(),
            Box::new(|dynamics| format!("{:?}", dynamics.facts())),
        ),
        (
            "textbook".into(),
            Box::new(|dynamics| dynamics.textbook(1000).is_some().to_string()),
        ),
    ];
    programs.chain(others).collect()
}

/// An output, a contact and a regressor beside a system, and the last frame as an output.
fn with_parts(mut system: System) -> System {
    let graph = &mut system.graph;
    let [x, y, v] = [
        Symbol::Coordinate(0),
        Symbol::Coordinate(1),
        Symbol::Velocity(0),
    ]
    .map(|symbol| graph.symbol(symbol));
    let sine = graph.unary(Unary::Sin, x);
    let [place, square] = [graph.mul(sine, y), graph.powi(y, 2)];
    let gap = graph.add(sine, square);
    let half = graph.scale(Number::HALF, v);
    let pull = graph.mul(half, sine);
    system.forces[0] = graph.sub(system.forces[0], pull);
    system.outputs = vec![Output {
        name: "place".into(),
        shape: Shape::Scalar,
        entries: vec![place],
    }];
    system.contacts = vec![Contact {
        slips: vec![half],
        friction: Some(sine),
        ..Contact::new("gap", gap)
    }];
    system.regressors = vec![ParameterList {
        name: "identify".into(),
        parameters: vec![0],
    }];
    if let Some(frames) = system.multibody.frames().cloned()
        && let Some(last) = frames.at(frames.joints().count())
    {
        system.multibody.add_output("last", last).unwrap();
    }
    system
}

/// Each request in several orders, beside the same request to a system of its own.
fn check(system: &System) {
    let fresh = || Dynamics::new(system.clone());
    let requests = requests(&fresh());
    let alone: Vec<String> = requests.iter().map(|(_, ask)| ask(&fresh())).collect();
    let forwards: Vec<usize> = (0..requests.len()).collect();
    let mut mixed = forwards.clone();
    mixed.sort_by_key(|i| (i + 1) * 7919 % 1009);
    let backwards = forwards.iter().rev().copied().collect();
    for order in [forwards, mixed, backwards] {
        let shared = fresh();
        for at in order {
            let (name, ask) = &requests[at];
            assert!(ask(&shared) == alone[at], "{name} of\n{system}");
        }
    }
}

#[test]
fn requests_to_trees_do_not_depend_on_earlier_ones() {
    for (plan, attitudes) in sample(&trees::plans(), 6)
        .iter()
        .zip([Attitudes::Some, Attitudes::None].into_iter().cycle())
    {
        check(&with_parts(trees::build(plan, attitudes)));
    }
}

#[test]
fn requests_to_maps_do_not_depend_on_earlier_ones() {
    for plan in &sample(&maps::plans(), 8) {
        check(&with_parts(maps::build(plan, Mass::Definite)));
    }
}

#[test]
fn requests_to_kept_systems_do_not_depend_on_earlier_ones() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds");
    for file in std::fs::read_dir(folder).expect("seeds") {
        let text = std::fs::read_to_string(file.expect("a seed").path()).expect("a text");
        if let Ok(system) = text.parse() {
            check(&system);
        }
    }
}
